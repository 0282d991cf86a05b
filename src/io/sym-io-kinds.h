/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a JSON document is that is no graph, by members that its root must have.  A path may lead
 * further down, where an asterisk stands for the first member. */
typedef struct {
  const char *members; /* all of them, one blank between */
  const char *what;
} SymIoKind;

/* Of several that fit the first; the last one has no members.  Lists are told by what one of their
 * first two elements has. */
extern const SymIoKind sym_io_kinds[];
extern const SymIoKind sym_io_list_kinds[];

G_END_DECLS
