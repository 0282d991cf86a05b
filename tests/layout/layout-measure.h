/* SPDX-License-Identifier: MIT */
#pragma once

#include "layout/sym-layout.h"

G_BEGIN_DECLS

/* A drawing to be judged, ours or another's; it flows down. */
typedef struct {
  guint from, to;
  gboolean is_back;
  const SymPoint *points; /* 3k+1 */
  guint n_points;
} DrawnEdge;

typedef struct {
  guint n_items;
  SymRect *rects;
  guint n_edges;
  DrawnEdge *edges;
  double width, height;
} Drawing;

#define QUALITY_NOT_COUNTED                                             \
  G_MAXUINT64 /* crossings of more lines than memory should be spent on \
               */

typedef struct {
  guint n_overlaps;
  guint n_against;     /* edges against the flow that close no cycle */
  guint n_bends;       /* ways of lines sideways */
  guint64 n_crossings; /* of lines as they are drawn; those that lie on each other are one */
  double deviation;    /* sideways steps on the straightest of the longest ways, together */
  guint longest;       /* items on that way */
  double width, height;
} Quality;

/* @layout is borrowed. */
Drawing *drawing_new (const SymLayout *layout);
void drawing_free (Drawing *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Drawing, drawing_free)

Quality drawing_measure (const Drawing *self);

G_END_DECLS
