/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-rows.h"
#include "core/sym-summary.h"
#include "core/sym-text.h"

G_BEGIN_DECLS

/* ---- Counting ---- */

/* Counts parameters of a model, each SymParameter once, whatever calls and bodies share it. */
typedef struct _SymCounter SymCounter;

SymCounter *sym_counter_new (void);
void sym_counter_free (SymCounter *self);
void sym_counter_clear (SymCounter *self); /* as if it were new */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymCounter, sym_counter_free)

/* @inference may be NULL: then declared types decide.  Values that are no parameters count nothing.
 */
void sym_counter_add_value (SymCounter *self,
                            const SymModel *model,
                            const SymInference *inference,
                            SymId value);

/* Those of all values of @model. */
void
sym_counter_add_values (SymCounter *self, const SymModel *model, const SymInference *inference);

/* What the layer of @call may have besides, which nobody can count. */
void sym_counter_add_hidden (SymCounter *self, const SymModel *model, SymId call);

/* All parameters of the bodies of @call's layer, and of bodies within. */
void sym_counter_add_bodies (SymCounter *self,
                             const SymModel *model,
                             const SymInference *inference,
                             SymId call);
SymTotals sym_counter_get_totals (const SymCounter *self);

/* ---- Tables ---- */

#define SYM_SUMMARY_MAX_COLUMNS 5

/* The cells of a style, as text, row by row.  A cell of several entries has one a line. */
typedef struct {
  const char *const *headers; /* NULL-ended */
  guint n_columns;
  GString *text;  /* of all cells, a NUL after each */
  GArray *ends;   /* gsize: where each cell's NUL is */
  SymShape shape; /* of the model at hand, whose text was made last; of unknown rank for none, */
  gsize shape_start, shape_length; /* and where that is in @text */
  SymRows *levels;                 /* guint: how deep each row lies in bodies */
  GHashTable *layers; /* set of SymLayer, borrowed: of the rows so far, where a style asks */
  GHashTable *calls;  /* from a model to its calls by layer, where a style asks */
  gboolean opens;     /* whether the rows of bodies follow */
  SymTextFunc take;   /* who takes what is printed piece by piece; NULL: it stays whole */
  gpointer user_data;
} SymTable;

SymTable *sym_table_new (const char *const *headers);
void sym_table_free (SymTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymTable, sym_table_free)

/* All calls of a layer of @model, in order: an array of SymId.  The first question about a model
 * costs as much as it has calls. */
const GArray *sym_table_get_calls (SymTable *self, const SymModel *model, SymLayer *layer);

/* Room is made for so many: a call for each takes longer than the cell. */
#define SYM_TABLE_CELLS_AT_ONCE 1024

void sym_table_make_room (SymTable *self);

/* What was appended to @text since the last cell is the next one. */
static inline void
sym_table_end_cell (SymTable *self)
{
  guint n = self->ends->len;

  if (n % SYM_TABLE_CELLS_AT_ONCE == 0)
    sym_table_make_room (self);
  self->ends->len++;
  g_array_index (self->ends, gsize, n) = self->text->len;
  sym_text_append (self->text, "", 1);
}

void sym_table_take_cell (SymTable *self, char *take_text);

guint sym_table_get_n_cells (const SymTable *self);
guint sym_table_get_n_rows (const SymTable *self);

/* Borrowed until the next cell. */
const char *sym_table_get_text (const SymTable *self, guint cell, gsize *length);
const char *sym_table_get_cell (const SymTable *self, guint row, guint column);

/* So long are the pieces in which a table is passed on. */
#define SYM_TABLE_PIECE (64 << 10)

/* To be called after each line that was appended to @out: passes it on, all of it with @piece 0, if
 * it is that long and somebody takes it. */
void sym_table_pass_on (const SymTable *self, GString *out, gsize piece);

/* Columns are no wider, in characters: a layer of 100,000 parents would make each of 100,000 rows
 * as long as the list of them.  Longer cells stand out. */
#define SYM_TABLE_MAX_WIDTH 240

/* The characters of the longest cell or header of each column, within that bound. */
void sym_table_measure (const SymTable *self, gsize *widths);

/* Appends the headers as a line, and each row as one: cells with spaces up to the widths of their
 * columns in characters, at least one. */
void sym_table_append_headers (const SymTable *self, const gsize *widths, GString *out);
void sym_table_append_rows (const SymTable *self, const gsize *widths, GString *out);

/* One kind of table: one file, one line in sym-summary-style.c. */
typedef struct {
  const char *name;
  const char *const *headers;
  gboolean has_commas; /* in its totals: 78,500 */

  /* Which rows it has; NULL: all. */
  gboolean (*has_row) (const SymSummary *summary, const SymSummaryRow *row, SymTable *table);

  /* Appends the cells of one row.  @prefix is what goes before the name of a row in a body, @path
   * what goes before its number. */
  void (*fill_row) (const SymSummary *summary,
                    const SymSummaryRow *row,
                    const char *prefix,
                    const char *path,
                    SymTable *table);

  /* Appends what stands around and between the cells in text. */
  void (*print) (const SymSummary *summary, const SymTable *table, GString *out);
} SymStyleClass;

extern const SymStyleClass sym_style_symbolic;
extern const SymStyleClass sym_style_keras;
extern const SymStyleClass sym_style_mxnet;
extern const SymStyleClass sym_style_torchinfo;

/* ---- Shared by the styles ---- */

/* What a row is called: its layer, or its value where the layer has several rows. */
const char *sym_summary_get_label (const SymSummary *self, const SymSummaryRow *row);

/* "and 49992 more" after @between where a row does not list all of its parents. */
void sym_summary_append_more (GString *out, const char *between, const SymSummaryRow *row);

/* "78500", ">=78500" for a lower bound, "?" when nothing is known; with commas: "78,500". */
void sym_summary_append_count (GString *out, guint64 n, gboolean known);
char *sym_summary_format_count (guint64 n, gboolean known, gboolean with_commas);

/* Appends the three lines of totals, "Total params: 78500". */
void sym_summary_append_totals (const SymSummary *self, GString *out, gboolean with_commas);

/* A line of cells whose ends are at @positions, cut and padded to them, as Keras and MXNet do. */
void sym_summary_append_line (GString *out,
                              const char *const *cells,
                              const guint *positions,
                              guint n,
                              gboolean keep_space);

/* A row of four cells in that way; further lines of the last cell follow on lines of their own. */
void sym_summary_append_row (GString *out,
                             const SymTable *table,
                             guint row,
                             const guint *positions,
                             gboolean keep_space);

/* Multiply-adds and sizes as torchinfo counts them; nothing while sizes are not known. */
void sym_summary_append_torchinfo_foot (const SymSummary *self, guint width, GString *out);

void sym_summary_append_rule (GString *out, char c, guint n);

G_END_DECLS
