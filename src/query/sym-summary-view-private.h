/* SPDX-License-Identifier: MIT */
#pragma once

#include "query/sym-summary-view.h"

G_BEGIN_DECLS

struct _SymSummaryView {
  gatomicrefcount ref_count;
  SymSummary *summary;
  SymInference *inference;
  SymModel *model;
  SymGroups *tree;
  SymFigures *figures;
  double *milliseconds;
  double all_milliseconds; /* -1 without times */
  guint8 *changes;         /* NULL: compared with nothing */
  double *differences;     /* likewise; by value */
  guint *columns;
  guint n_columns;
  GArray *rows; /* of SymSummaryViewRow */
};

/* ---- sym-summary-column.c ---- */

typedef struct {
  SymColumnInfo info;

  /* The cell of a node, and of a group, whose calls are given; NULL: a group has none. */
  void (*fill) (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell);
  void (*fill_group) (const SymSummaryView *view, guint group, SymCell *cell);
} SymColumn;

const SymColumn *sym_column_get (guint column);
void sym_column_fill (const SymSummaryView *view,
                      guint column,
                      const SymSummaryViewRow *row,
                      SymCell *cell);

/* ---- sym-summary-sort.c ---- */

/* Puts the rows, which are in order and each below its group, into the order of a column.  Leaves
 * them as they are when it is cancelled. */
void sym_summary_view_sort (SymSummaryView *self,
                            guint column,
                            gboolean descends,
                            GCancellable *cancellable);

/* ---- sym-summary-write.c, and a file for each format ---- */

/* A cell as people read it, in a tree with two spaces for each level. */
char *sym_summary_format_cell (const SymSummaryView *view, guint row, guint column);
void sym_summary_append_view_totals (const SymSummaryView *view, GString *out);

/* Appends @text by @append, and before it @indent for each two spaces that it begins with. */
void sym_summary_write_indented (GString *out,
                                 const char *text,
                                 const char *indent,
                                 void (*append) (GString *out, const char *text));

void sym_summary_write_csv (const SymSummaryView *view, GString *out);
void sym_summary_write_json (const SymSummaryView *view, GString *out);
void sym_summary_write_latex (const SymSummaryView *view, GString *out);
void sym_summary_write_markdown (const SymSummaryView *view, GString *out);
void sym_summary_write_text (const SymSummaryView *view, GString *out);

G_END_DECLS
