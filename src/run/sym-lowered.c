/* SPDX-License-Identifier: MIT */
#include "run/sym-lowered-private.h"

#include <string.h>

#include "ops/sym-op-lower.h"
#include "run/sym-run-private.h"

struct _SymLowered {
  SymLayer *layer;
  SymDatumPool *pool;
  SymType *types;    /* of the operands for which the body was made */
  SymOpKnown *known; /* and their numbers, as far as it depends on them */
  guint n_types;
  SymRun *run; /* of the body; NULL for none yet */
};

SymLowered *
sym_lowered_new (SymLayer *layer, SymDatumPool *pool)
{
  SymLowered *self = g_new0 (SymLowered, 1);

  self->layer = layer;
  self->pool = pool;
  return self;
}

void
sym_lowered_free (SymLowered *self)
{
  g_clear_pointer (&self->run, sym_run_free);
  g_free (self->types);
  g_free (self->known);
  g_free (self);
}

static SymType
find_type (const SymDatum *datum)
{
  const SymArray *array = datum == NULL ? NULL : sym_datum_get_array (datum);
  SymType type = SYM_TYPE_UNKNOWN;

  if (array != NULL)
    return sym_type_tensor (array->dtype, array->shape);
  if (datum != NULL)
    {
      type.kind = sym_datum_get_kind (datum);
      type.dtype = sym_datum_get_dtype (datum);
    }
  return type;
}

static gboolean
has_changed (const SymOpKnown *known, const SymDatum *datum)
{
  SymOpKnown now;

  if (!known->is_read)
    return FALSE;
  sym_op_known_read (&now, datum == NULL ? NULL : sym_datum_get_array (datum));
  return now.n != known->n || now.has_number != known->has_number ||
         (now.has_number && memcmp (&now.number, &known->number, sizeof now.number) != 0) ||
         memcmp (now.values, known->values, (gsize) MAX (now.n, 0) * sizeof *now.values) != 0;
}

static gboolean
is_made_for (const SymLowered *self, SymDatum *const *inputs, guint n_inputs)
{
  if (self->run == NULL || self->n_types != n_inputs)
    return FALSE;
  for (guint i = 0; i < n_inputs; i++)
    {
      SymType type = find_type (inputs[i]);

      if (type.kind != self->types[i].kind || type.dtype != self->types[i].dtype ||
          !sym_shape_equal (&type.shape, &self->types[i].shape) ||
          has_changed (&self->known[i], inputs[i]))
        return FALSE;
    }
  return TRUE;
}

static gboolean
make (SymLowered *self,
      SymDatum *const *inputs,
      guint n_inputs,
      guint n_outputs,
      GCancellable *cancellable,
      GError **error)
{
  g_autoptr (SymModel) body = NULL;
  g_autoptr (SymPlan) plan = NULL;

  g_clear_pointer (&self->run, sym_run_free);
  g_free (self->types);
  g_free (self->known);
  self->types = g_new (SymType, n_inputs + 1);
  self->known = g_new0 (SymOpKnown, n_inputs + 1);
  self->n_types = n_inputs;
  for (guint i = 0; i < n_inputs; i++)
    {
      self->types[i] = find_type (inputs[i]);
      sym_op_known_read (&self->known[i],
                         inputs[i] == NULL ? NULL : sym_datum_get_array (inputs[i]));
    }
  body = sym_op_lower_known (self->layer, self->types, self->known, n_inputs, n_outputs, error);
  plan = body == NULL ? NULL : sym_plan_new (body, NULL, cancellable, error);
  if (plan == NULL)
    return FALSE;
  self->run = sym_run_new_within (plan, self->pool);
  return TRUE;
}

/* A body holds on to nothing between its runs: what it was lent goes back, what it made goes on. */
gboolean
sym_lowered_execute (SymLowered *self,
                     SymDatum *const *inputs,
                     guint n_inputs,
                     SymDatum **outputs,
                     guint n_outputs,
                     guint64 seed,
                     GCancellable *cancellable,
                     GError **error)
{
  SymIds formal, results;
  gboolean done;

  if (!is_made_for (self, inputs, n_inputs) &&
      !make (self, inputs, n_inputs, n_outputs, cancellable, error))
    return FALSE;
  formal = sym_model_get_inputs (sym_plan_get_model (sym_run_get_plan (self->run)));
  results = sym_model_get_outputs (sym_plan_get_model (sym_run_get_plan (self->run)));
  sym_run_set_seed (self->run, seed);
  for (guint i = 0; i < n_inputs; i++)
    sym_run_lend (self->run, formal.ids[i], inputs[i]);
  done = sym_run_execute (self->run, cancellable, error);
  for (guint i = 0; done && i < n_outputs; i++)
    outputs[i] = sym_run_take (self->run, results.ids[i]);
  for (guint i = 0; i < n_inputs; i++)
    sym_run_lend (self->run, formal.ids[i], NULL);
  return done;
}
