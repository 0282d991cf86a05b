/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-datum.h"

G_BEGIN_DECLS

/* A tensor of any rank as a table: its last two axes are rows and columns, at one place of the axes
 * before them.  One axis alone runs down; a scalar is a table of one cell.  By value; nothing is
 * copied, so that it costs nothing however large the tensor is. */
typedef struct {
  SymShape shape;          /* all sizes are numbers */
  int n_leading;           /* axes before rows and columns */
  gint64 at[SYM_MAX_RANK]; /* the place on each of them; 0 at first */
  guint64 n_rows, n_columns;
} SymSlice;

void sym_slice_init (SymSlice *self, const SymShape *shape);

/* Which element of the tensor is in a cell.  The cell must be there. */
guint64 sym_slice_get_index (const SymSlice *self, guint64 row, guint64 column);

/* An element as text for people: the shortest that reads back as the same number; a string between
 * quotation marks, with control characters and all beyond the first 200 bytes left out. */
char *sym_array_format_element (const SymArray *array, gsize i);

G_END_DECLS
