/* SPDX-License-Identifier: MIT */
#pragma once

#include "query/sym-compare.h"
#include "query/sym-query.h"

G_BEGIN_DECLS

/* The summary as a table of which people choose columns, order, filter and grouping: what the
 * window shows and the command line writes.  The tables of other tools, printed as they print them,
 * are those of core/sym-summary.h. */

/* ---- Columns ---- */

typedef struct {
  const char *name;    /* "macs": for options and settings */
  const char *title;   /* "Mult-Adds" */
  const char *meaning; /* one line */
  gboolean is_number;  /* set to the right */
  gboolean needs_figures, needs_times;
  gboolean needs_changes, needs_differences;
} SymColumnInfo;

const SymColumnInfo *sym_columns_get (guint *n);
gboolean sym_column_find (const char *name, guint *column);

/* "number,layer,type": the columns of a list, of guint; NULL with SYM_QUERY_ERROR_NAME, which names
 * those that there are. */
GArray *sym_columns_parse (const char *list, GError **error);

/* Lists of columns by name: those of "symbolic", "keras", "torchinfo", "mxnet", and "all".  NULL
 * for none. */
const char *sym_columns_get_preset (const char *name);

/* ---- The table ---- */

typedef struct {
  const guint *columns;
  guint n_columns;
  int sort; /* a column, which need not be shown; -1: as the graph runs */
  gboolean descends;
  SymQueryResult *filter;     /* only nodes among its hits; NULL: all */
  const SymIds *only;         /* only these nodes, in whatever order; NULL: all */
  SymGroups *tree;            /* nodes below the groups that they are in; NULL: none */
  SymFigures *figures;        /* NULL: made when a column needs them */
  const double *milliseconds; /* by call, below 0 for none; NULL: of none */
  const guint8 *changes;      /* by call, of SymCompareKind; NULL: compared with nothing */

  /* By value, SymDistance's `relative`, below 0 for none; NULL: numbers were compared with none. */
  const double *differences;
} SymSummaryViewOptions;

/* Immutable; reference-counted; holds what it was made of. */
typedef struct _SymSummaryView SymSummaryView;

/* NULL only when @cancellable was cancelled.  Sorting puts what is not known last, either way
 * round, and rows of a tree in order below their groups. */
SymSummaryView *sym_summary_view_new (SymSummary *summary,
                                      const SymSummaryViewOptions *options,
                                      GCancellable *cancellable,
                                      GError **error);
SymSummaryView *sym_summary_view_ref (SymSummaryView *self);
void sym_summary_view_unref (SymSummaryView *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymSummaryView, sym_summary_view_unref)

/* A row: a node, or in a tree a group with the rows within it after it. */
typedef struct {
  guint row;   /* of the summary, from 0; G_MAXUINT for a group */
  guint group; /* SYM_NO_GROUP for a node */
  guint level;
  guint n_within; /* how many rows follow that are in it */
} SymSummaryViewRow;

SymSummary *sym_summary_view_get_summary (const SymSummaryView *self);
SymGroups *sym_summary_view_get_tree (const SymSummaryView *self); /* NULL for none */
guint sym_summary_view_get_n_columns (const SymSummaryView *self);
const SymColumnInfo *sym_summary_view_get_column (const SymSummaryView *self, guint column);
guint sym_summary_view_get_n_rows (const SymSummaryView *self);
SymSummaryViewRow sym_summary_view_get_row (const SymSummaryView *self, guint i);

/* Of all nodes, also those that a filter leaves out.  Figures only when they were given or a column
 * needs them: then @has_figures is TRUE. */
typedef struct {
  SymTotals parameters;
  gboolean has_figures;
  SymFigureTotals figures;
  double milliseconds; /* -1 without times */
} SymSummaryViewTotals;

SymSummaryViewTotals sym_summary_view_get_totals (const SymSummaryView *self);

/* ---- Cells ---- */

typedef enum {
  SYM_CELL_EMPTY,
  SYM_CELL_TEXT,
  SYM_CELL_COUNT,
  SYM_CELL_BYTES,
  SYM_CELL_NUMBER, /* of milliseconds, of a hundred */
  SYM_CELL_SHAPE,  /* a text: "1x64x56x56", "scalar", "?" */
  SYM_CELL_LIST,   /* a text with SYM_CELL_SEPARATOR between the items */
} SymCellKind;

#define SYM_CELL_SEPARATOR "\x1f"

typedef struct {
  SymCellKind kind;
  SymCount count;
  double number;
  SymId value;  /* of a shape */
  char *text;   /* owned; NULL where the kind has none */
  guint n_more; /* items of a list that are not in its text: see sym_summary_new() */
} SymCell;

SymCell sym_summary_view_get_cell (const SymSummaryView *self, guint row, guint column);
void sym_cell_clear (SymCell *self);

/* As people read it: "115.61 M", "3.06 MiB", "12.5"; to be freed. */
char *sym_cell_to_string (const SymCell *self);

/* ---- Writing ---- */

typedef enum {
  SYM_TABLE_TEXT,
  SYM_TABLE_MARKDOWN,
  SYM_TABLE_CSV,   /* RFC 4180, numbers in full, no totals */
  SYM_TABLE_LATEX, /* a tabular that needs no package */
  SYM_TABLE_JSON,
} SymTableFormat;

/* Returns FALSE, leaving @format alone, when there is none called so. */
gboolean sym_table_format_from_string (const char *name, SymTableFormat *format);

/* All of it, totals at the foot.  An output's number has a star.  To be freed. */
char *sym_summary_view_write (const SymSummaryView *self, SymTableFormat format);

G_END_DECLS
