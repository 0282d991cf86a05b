/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-node.h"
#include "layout/sym-layout.h"

G_BEGIN_DECLS

/* What is looked at while another layout takes the place of one. */
typedef struct {
  SymRect visible;
  double x, y;    /* the point that the eye is at */
  ScopeNode node; /* what it rather is at, when that is in sight */
} ScopeGaze;

/* By how far that has moved from one layout to another, which may be of another model with the same
 * names: the preferred node when it is in sight in the old one, else the item nearest to the point
 * that both have.  FALSE when they share nothing that is in sight.  Linear in the items. */
gboolean scope_anchor_find (const SymLayout *before,
                            const SymLayout *after,
                            const ScopeGaze *gaze,
                            double *dx,
                            double *dy);

/* The same of a group that was opened or closed: the corner of its box is that of its frame, which
 * has its sign and its title there.  FALSE when either layout does not show it, or @visible does
 * not have that corner. */
gboolean scope_anchor_find_group (const SymLayout *before,
                                  const SymLayout *after,
                                  guint group,
                                  const SymRect *visible,
                                  double *dx,
                                  double *dy);

/* The same of a layer whose bodies were opened or closed, by the path of its call: its own box, or,
 * when it was closed and the point lies nearer to the title of one of them, that. */
gboolean scope_anchor_find_layer (const SymLayout *before,
                                  const SymLayout *after,
                                  const char *call_path,
                                  const ScopeGaze *gaze,
                                  double *dx,
                                  double *dy);

G_END_DECLS
