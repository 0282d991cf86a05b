/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-infer.h"

G_BEGIN_DECLS

/* The table of a model: one row per value of a data role, in order (inputs first, then results in
 * order of execution).  Row numbers count from 1.  Immutable; reference-counted; independent of the
 * text styles that print it. */
typedef struct _SymSummary SymSummary;

typedef struct {
  guint index; /* from 1 */
  SymId value;
  SymId call;           /* SYM_NO_ID for inputs */
  const char *name;     /* unique */
  const char *layer;    /* name of the layer in the dialect's way: "Linear_1", "fc1", "Input_1" */
  const char *type;     /* "Linear", "FullyConnected", "Input" */
  guint64 n_parameters; /* of the layer; of the first result's row of a call */
  guint64 n_trainable;
  gboolean parameters_known; /* FALSE: n_parameters is a lower bound */
  gboolean is_output;
  SymIds parents; /* values, which all have a row; duplicates kept */
  guint n_listed; /* so many of them are told where all rows are; further ones by their number */
} SymSummaryRow;

typedef struct {
  guint64 total, trainable, non_trainable; /* each parameter once, bodies included */
  gboolean known;                          /* FALSE: lower bounds */
  guint64 bytes;                           /* of all of them, packed */
  gboolean bytes_known;                    /* FALSE: a lower bound */
} SymTotals;

/* All results of a layer have the same parents, so to tell them in each row takes the product of
 * both numbers: where that is no more than 65,536 and eight for each row, all are listed, else a
 * few in the rows of further results. */
SymSummary *sym_summary_new (SymInference *inference);
SymSummary *sym_summary_ref (SymSummary *self);
void sym_summary_unref (SymSummary *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymSummary, sym_summary_unref)

SymInference *sym_summary_get_inference (const SymSummary *self);
guint sym_summary_get_n_rows (const SymSummary *self);

/* What row @i, from 0, says: put together when asked for, as most of it is in the model.  Texts and
 * parents are borrowed from that. */
SymSummaryRow sym_summary_get_row (const SymSummary *self, guint i);
guint sym_summary_find_row (const SymSummary *self, SymId value); /* index, 0 for none */
SymTotals sym_summary_get_totals (const SymSummary *self);

/* The parameters of some calls, each once, those of bodies included. */
SymTotals sym_summary_count_calls (const SymSummary *self, const SymId *calls, guint n);

/* The dtype that sizes in bytes go by: MXNet's files seldom tell any, and MXNet then takes float32.
 */
SymDType sym_summary_get_dtype (const SymModel *model, SymDType known);

/* Text styles: whose table it is. */
typedef enum {
  SYM_STYLE_SYMBOLIC,
  SYM_STYLE_KERAS,
  SYM_STYLE_MXNET,
  SYM_STYLE_TORCHINFO,
} SymStyle;

typedef enum {
  SYM_FORMAT_TEXT,
  SYM_FORMAT_MARKDOWN,
  SYM_FORMAT_CSV,
} SymFormat;

gboolean sym_style_from_string (const char *name, SymStyle *style);

/* The table as text.  @expand adds the rows of bodies, indented.  JSON is made by the command line.
 */
char *
sym_summary_to_string (const SymSummary *self, SymStyle style, SymFormat format, gboolean expand);

/* The table with the rows of bodies.  Bodies stay closed that lie deeper than 32 levels, or come
 * when the table has a million rows or 64 MiB of text, as a small file can ask for; *@complete
 * tells whether all are there. */
char *sym_summary_to_string_expanded (const SymSummary *self,
                                      SymStyle style,
                                      SymFormat format,
                                      gboolean *complete);

/* Takes the next piece of a text, of @length bytes. */
typedef void (*SymTextFunc) (const char *text, gsize length, gpointer user_data);

/* Gives the same table to @take piece by piece: the whole of a large one would be as much memory as
 * its model.  FALSE when not all rows are there; see sym_summary_to_string_expanded(). */
gboolean sym_summary_print (const SymSummary *self,
                            SymStyle style,
                            SymFormat format,
                            gboolean expand,
                            SymTextFunc take,
                            gpointer user_data);

/* The table of a model as it stands: inferred from what it declares, as text. */
char *sym_model_summarise (SymModel *model, SymStyle style);

G_END_DECLS
