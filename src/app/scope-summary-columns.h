/* SPDX-License-Identifier: MIT */
#pragma once

#include "query/sym-summary-view.h"

G_BEGIN_DECLS

/* What a column tells of, without which it is not shown. */
typedef enum {
  SCOPE_NEEDS_NOTHING,
  SCOPE_NEEDS_RUN,
  SCOPE_NEEDS_COMPARISON,
  SCOPE_NEEDS_DISTANCES, /* runs of both graphs that are compared */
} ScopeColumnNeed;

/* The columns of the summary: one line each in one table. */
typedef struct {
  const char *name; /* of sym_columns_get() */
  const char *title;

  /* NULL: as sym_cell_to_string() has it. */
  char *(*format) (const SymCell *cell, SymInference *inference);
  gboolean is_number; /* set to the right, with figures of equal width */
  gboolean expands;
  int width; /* in digits at least, 0 for those of the last row's number; the title has room anyway
              */
  int most;  /* in digits: longer texts are elided unless the column has room left */
  ScopeColumnNeed need;
  gboolean is_extra; /* hidden unless it is asked for */
  gboolean has_star; /* behind what it says of an output */
} ScopeColumn;

const ScopeColumn *scope_summary_get_columns (guint *n);

/* Which one is called so; G_MAXUINT for none. */
guint scope_summary_find_column (const char *name);

/* What a cell of @view says, whose column of that name is asked for: nothing when it has none such.
 * To be freed. */
char *scope_summary_format_cell (const SymSummaryView *view, guint row, const ScopeColumn *column);

/* The same in full, where a cell shows the beginning of a name only.  To be freed. */
char *scope_summary_tell_cell (const SymSummaryView *view, guint row, const ScopeColumn *column);

/* ---- As the user has them ---- */

typedef struct {
  guint column;      /* of scope_summary_get_columns() */
  gboolean is_shown; /* with what it needs */
  int width_px;      /* -1: as wide as it is by itself */
} ScopeColumnPlace;

/* Each column once, in the order in which they stand; the caller's.  @words are those of
 * scope_columns_format(): "type", "layer:240", "-dtype" for one that is hidden.  What is no column
 * is passed over, columns that are not named come at the end; NULL: as they are at first. */
GArray *scope_columns_parse (const char *const *words);
char **scope_columns_format (const GArray *places);

/* Shows the columns that a preset of sym_columns_get_preset() has, first and in its order, and what
 * only a run can tell; hides the others. */
GArray *scope_columns_parse_preset (const char *name);

G_END_DECLS
