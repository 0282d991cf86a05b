/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model-builder.h"
#include "core/sym-rows.h"

G_BEGIN_DECLS

/* Rows that a growing table has room for from the start: most models are bodies of a few layers. */
#define SYM_FIRST_ROWS 8

/* The tables behind a SymModel.  Each is immutable once a model holds it and is shared, by
 * reference, between a model and those that were edited from it without touching it.  Rows are ids.
 */

/* Runs of ids: the i-th run is ids[offsets[i]] up to ids[offsets[i + 1]]. */
typedef struct {
  guint n;
  guint *offsets;
  SymId *ids;
} SymRuns;

static inline SymIds
sym_runs_get (const SymRuns *self, guint i)
{
  return (SymIds){ self->ids + self->offsets[i], self->offsets[i + 1] - self->offsets[i] };
}

typedef struct {
  gatomicrefcount ref_count;

  /* Said by the file or the builder. */
  guint n_values, n_calls;
  guint8 *roles;         /* per value, SymRole */
  guint8 *values_erased; /* per value */
  guint8 *calls_erased;  /* per call */
  SymId *producers;      /* per value */
  guint *output_indices; /* per value */
  SymRuns operands;      /* per call */
  SymRuns results;       /* per call */
  SymRuns controls;      /* per call */
  guint n_entries;
  SymEntry *entries;
  guint n_inputs, n_outputs;
  SymId *inputs, *outputs;

  /* Follows from the above. */
  SymRuns data_operands; /* per call */
  SymRuns consumers;     /* per value: calls */
  guint n_execution;
  SymId *execution; /* calls */
  guint n_back_edges;
  guint64 *back_edges; /* sorted: call << 32 | operand */
  gboolean has_cycle;
  guint *depths;     /* per value */
  guint8 *live;      /* per value */
  guint8 *is_output; /* per value */
  guint n_rows;
  SymId *rows;        /* values of the summary, in its order */
  guint *row_numbers; /* per value, from 1; 0 for none */
} SymTopology;

/* A column of pointers that are mostly NULL ends behind the last that is not. */
static inline gpointer
sym_column_get (const GPtrArray *self, guint row)
{
  return row < self->len ? g_ptr_array_index (self, row) : NULL;
}

/* The place of a row, to be filled. */
gpointer *sym_column_reach (GPtrArray *self, guint row);

/* Strings of names; a pool holds the one that it continues. */
typedef struct _SymPool SymPool;

typedef struct {
  gatomicrefcount ref_count;
  SymPool *pool;
  SymRows *values;      /* const char *, "" for a value without a name */
  GPtrArray *variables; /* const char *, NULL when unknown; a column */
  SymRows *calls;       /* const char * */
} SymNames;

typedef struct {
  gatomicrefcount ref_count;
  SymRows *layers; /* SymLayer *, owned, per call */
  guint n_nested; /* calls whose layer has bodies: of most models none has, and none is looked at */
  guint n_hiding; /* calls whose layer hides parameters, likewise */
  GPtrArray *arguments;  /* SymValue or NULL, per call; a column */
  GPtrArray *attributes; /* SymAttributes or NULL, per call; a column */
} SymLayers;

typedef struct {
  gatomicrefcount ref_count;
  SymTerms *terms;
  GPtrArray *types;    /* const SymType *, per value; a column */
  GPtrArray *elements; /* owns the elements of tuples */
  GPtrArray *blocks;   /* owns what @types points to */
  SymType *free;       /* in the last block */
  guint n_free;
  const SymType *last; /* that was stored, without elements: those in a row are often the same */
} SymTypes;

typedef struct {
  gatomicrefcount ref_count;
  GPtrArray *parameters; /* SymParameter or NULL, per value; each is a column */
  GPtrArray *tensors;    /* SymTensor or NULL, per value */
  GPtrArray *attributes; /* SymAttributes or NULL, per value */
  GPtrArray *lacks;      /* GRefString or NULL, per value: why it has no numbers; interned */
} SymData;

typedef struct {
  gatomicrefcount ref_count;
  SymRows *values; /* guint, per value; each ends behind the last that is known */
  SymRows *calls;  /* guint, per call */
} SymLines;

typedef struct {
  gatomicrefcount ref_count;
  char *format;
  gpointer data;
  GDestroyNotify free;
  SymNamedFunc is_named; /* NULL: no value is */
} SymOrigin;

typedef struct _SymNameIndex SymNameIndex;

struct _SymModel {
  gatomicrefcount ref_count;
  char *name;
  SymDialect dialect;
  SymTopology *topology;
  SymNames *names;
  SymLayers *layers;
  SymTypes *types;
  SymData *data;
  SymLines *lines;
  SymOrigin *origin; /* NULL for none */
  SymProblems *problems;
  SymNameIndex *name_index; /* made when first asked for; atomic */
};

/* Whether the layer of the call does. */
static inline gboolean
sym_model_hides_parameters (const SymModel *self, SymId call)
{
  return self->layers->n_hiding > 0 &&
         sym_layer_get_hides_parameters (sym_model_get_layer (self, call));
}

/* ---- sym-model-tables.c: making, copying, sharing ---- */

SymPool *sym_pool_new (SymPool *continued);
const char *sym_pool_insert (SymPool *self, const char *text);
void sym_pool_unref (SymPool *self);

SymTopology *sym_topology_ref (SymTopology *self);
void sym_topology_unref (SymTopology *self);
void sym_runs_clear (SymRuns *self);

/* Each copy is deep enough to be changed; rows keep their ids. */
SymNames *sym_names_new (void);
SymNames *sym_names_copy (const SymNames *self);
SymNames *sym_names_ref (SymNames *self);
void sym_names_unref (SymNames *self);

SymLayers *sym_layer_table_new (void);
SymLayers *sym_layers_copy (const SymLayers *self);
void sym_layers_append (SymLayers *self, SymLayer *take_layer);
void sym_layers_set (SymLayers *self, SymId call, SymLayer *layer);
SymLayers *sym_layers_ref (SymLayers *self);
void sym_layers_unref (SymLayers *self);

SymTypes *sym_types_new (void);
SymTypes *sym_types_copy (const SymTypes *self);
SymTypes *sym_types_ref (SymTypes *self);
void sym_types_unref (SymTypes *self);

/* Stores a type, taking copies of a tuple's elements. */
void sym_types_set (SymTypes *self, SymId value, const SymType *type);

/* NULL for an unknown type, of which nothing is stored: most values of most formats have one. */
static inline const SymType *
sym_types_peek (const SymTypes *self, SymId value)
{
  return sym_column_get (self->types, value);
}

SymData *sym_data_new (void);
SymData *sym_data_copy (const SymData *self);
SymData *sym_data_ref (SymData *self);
void sym_data_unref (SymData *self);

SymLines *sym_lines_new (void);
SymLines *sym_lines_copy (const SymLines *self);
SymLines *sym_lines_ref (SymLines *self);
void sym_lines_unref (SymLines *self);

SymOrigin *sym_origin_ref (SymOrigin *self);
void sym_origin_unref (SymOrigin *self);

/* ---- sym-model-settle.c ---- */

/* Fills in all that follows from what is said.  Called once, before the table is shared. */
void sym_topology_settle (SymTopology *self);

/* ---- sym-model-builder.c: what edits need beyond the public functions ---- */

/* A builder that starts as @base and, at its end, shares with it every table that was not changed.
 */
SymModelBuilder *sym_model_builder_new_from (SymModel *base);

/* What the format of @model keeps about its file is kept by the new model, too. */
void sym_model_builder_share_origin (SymModelBuilder *self, const SymModel *model);

guint sym_model_builder_get_n_calls (SymModelBuilder *self);
SymIds sym_model_builder_get_operands (SymModelBuilder *self, SymId call);
SymIds sym_model_builder_get_results (SymModelBuilder *self, SymId call);
SymIds sym_model_builder_get_controls (SymModelBuilder *self, SymId call);
SymId sym_model_builder_get_producer (SymModelBuilder *self, SymId value);
SymIds sym_model_builder_get_inputs (SymModelBuilder *self);
SymIds sym_model_builder_get_outputs (SymModelBuilder *self);
SymLayer *sym_model_builder_get_layer (SymModelBuilder *self, SymId call);
gboolean sym_model_builder_has_value (SymModelBuilder *self, SymId value);
gboolean sym_model_builder_has_call (SymModelBuilder *self, SymId call);

void
sym_model_builder_set_operands (SymModelBuilder *self, SymId call, const SymId *operands, guint n);
void sym_model_builder_set_layer (SymModelBuilder *self, SymId call, SymLayer *layer);
void sym_model_builder_set_call_name (SymModelBuilder *self, SymId call, const char *name);
void sym_model_builder_erase_value (SymModelBuilder *self, SymId value);
void sym_model_builder_erase_call (SymModelBuilder *self, SymId call); /* with its results */
void sym_model_builder_set_inputs (SymModelBuilder *self, const SymId *values, guint n);
void sym_model_builder_set_outputs (SymModelBuilder *self, const SymId *values, guint n);

/* Moves the entry of a call to just before (or, with SYM_NO_ID, behind) everything of @before. */
void sym_model_builder_move_call (SymModelBuilder *self, SymId call, SymId before);

/* ---- sym-model-names.c ---- */

void sym_name_index_free (SymNameIndex *self);

G_END_DECLS
