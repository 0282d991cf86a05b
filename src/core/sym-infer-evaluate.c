/* SPDX-License-Identifier: MIT */
#include "core/sym-infer-private.h"

#include "core/sym-kernel.h"
#include "core/sym-operator.h"

/* Small tensors whose operands are all numbers are computed by the kernels of their layers: what
 * exporters do with sizes before these become shapes takes all kinds of operators, and no rule
 * could say of each what it does. */

/* ---- What can be ---- */

static gboolean
has_attribute (const SymOperator *op, const char *name)
{
  for (const SymAttributeSpec *spec = op->attributes; spec != NULL && spec->name != NULL; spec++)
    if (g_str_equal (spec->name, name))
      return TRUE;
  return FALSE;
}

/* The same numbers each time: what is random has a seed among its attributes. */
static gboolean
can_evaluate (const SymLayer *layer)
{
  const SymOperator *op = sym_layer_get_operator (layer);

  return op != NULL && op->run != NULL && *op->domain == '\0' &&
         sym_layer_get_n_bodies (layer) == 0 && !has_attribute (op, "seed");
}

/* A tensor of a few numbers. */
static gboolean
is_small (const SymType *type)
{
  guint64 n;

  return type->kind == SYM_KIND_TENSOR && type->shape.rank >= 0 &&
         sym_shape_is_known (&type->shape) && type->dtype != SYM_DTYPE_UNKNOWN &&
         type->dtype != SYM_DTYPE_STRING && sym_shape_get_n_elements (&type->shape, &n) &&
         n <= SYM_MAX_KNOWN_VALUES;
}

/* ---- Numbers ---- */

static SymType
get_type (const SymEvaluation *self, SymId value)
{
  SymType type = self->facts[value].type;

  type.shape = sym_terms_resolve_shape (self->terms, &type.shape);
  return type;
}

/* The integers that rules know; NULL when one is none. */
static SymDatum *
make_known (const SymEvaluation *self, SymId value, const SymType *type)
{
  const SymKnown *known = self->facts[value].known;
  gint64 numbers[SYM_MAX_KNOWN_VALUES];
  SymDatum *datum;
  guint64 n;

  if (!sym_shape_get_n_elements (&type->shape, &n) || n != (guint64) known->n ||
      (type->dtype != SYM_DTYPE_INT64 && type->dtype != SYM_DTYPE_INT32))
    return NULL;
  for (int i = 0; i < known->n; i++)
    {
      numbers[i] =
          known->plain ? known->values[i] : sym_terms_resolve (self->terms, known->values[i]);
      if (numbers[i] < 0 && !known->plain)
        return NULL;
    }
  datum = sym_datum_new (type->dtype, &type->shape, NULL);
  for (int i = 0; datum != NULL && i < known->n; i++)
    if (type->dtype == SYM_DTYPE_INT64)
      ((gint64 *) sym_datum_get_array (datum)->data)[i] = numbers[i];
    else
      ((gint32 *) sym_datum_get_array (datum)->data)[i] = (gint32) numbers[i];
  return datum;
}

static SymDatum *
look_up (const SymEvaluation *self, SymId value)
{
  return self->numbers == NULL ? NULL
                               : g_hash_table_lookup (self->numbers, GUINT_TO_POINTER (value));
}

static void
note (SymEvaluation *self, SymId value, SymDatum *take_datum)
{
  if (self->numbers == NULL)
    self->numbers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) sym_datum_unref);
  g_hash_table_insert (self->numbers, GUINT_TO_POINTER (value), take_datum);
}

/* The numbers of an operand, borrowed from the table; NULL when they are not known. */
static SymDatum *
find_numbers (SymEvaluation *self, SymId value)
{
  SymDatum *datum = look_up (self, value);
  SymType type = get_type (self, value);
  SymTensor *tensor;

  if (datum != NULL || !is_small (&type))
    return datum;
  if (self->facts[value].known != NULL)
    datum = make_known (self, value, &type);
  else if ((tensor = self->get_stored (self->from, value)) != NULL)
    datum = sym_datum_new_read (tensor, NULL);
  if (datum != NULL)
    note (self, value, datum);
  return datum;
}

static void
learn_floats (SymFact *fact, const SymArray *array)
{
  gsize n = sym_array_get_n_elements (array);

  if (fact->floats != NULL || array->dtype != SYM_DTYPE_FLOAT32 || n > SYM_MAX_KNOWN_FLOATS)
    return;
  fact->floats = g_new0 (SymKnownFloats, 1);
  fact->floats->n = (int) n;
  for (gsize i = 0; i < n; i++)
    fact->floats->values[i] = (double) ((const float *) array->data)[i];
  fact->changed = TRUE;
}

/* Numbers of one axis, or none, are known to rules, too. */
static void
learn (SymEvaluation *self, SymId value, const SymArray *array)
{
  SymFact *fact = &self->facts[value];

  if (array->shape.rank <= 1)
    learn_floats (fact, array);
  if (fact->known != NULL || array->shape.rank > 1 ||
      (array->dtype != SYM_DTYPE_INT64 && array->dtype != SYM_DTYPE_INT32))
    return;
  fact->known = g_new0 (SymKnown, 1);
  fact->known->n = (int) sym_array_get_n_elements (array);
  for (int i = 0; i < fact->known->n; i++)
    {
      fact->known->values[i] = array->dtype == SYM_DTYPE_INT64 ? ((const gint64 *) array->data)[i]
                                                               : ((const gint32 *) array->data)[i];
      fact->known->plain = fact->known->plain || fact->known->values[i] < 0;
    }
  fact->changed = TRUE;
}

/* Takes the reference over.  What does not fit its type is no news: the run will say why. */
static void
keep (SymEvaluation *self, SymId value, SymDatum *datum)
{
  const SymArray *array = sym_datum_get_array (datum);
  SymType type = get_type (self, value);

  if (array == NULL || array->dtype != type.dtype || !sym_shape_equal (&array->shape, &type.shape))
    {
      sym_datum_unref (datum);
      return;
    }
  note (self, value, datum);
  learn (self, value, array);
}

/* ---- Calls ---- */

/* Whether all results are small, and one of them is not known yet. */
static gboolean
needs_results (const SymEvaluation *self, SymIds results)
{
  gboolean is_missing = FALSE;

  for (guint i = 0; i < results.n; i++)
    {
      SymType type =
          results.ids[i] == SYM_NO_ID ? SYM_TYPE_UNKNOWN : get_type (self, results.ids[i]);

      if (!is_small (&type))
        return FALSE;
      is_missing = is_missing || look_up (self, results.ids[i]) == NULL;
    }
  return is_missing;
}

static void
evaluate (SymEvaluation *self, SymLayer *layer, SymIds operands, SymIds results)
{
  g_autofree SymDatum **inputs = NULL, **outputs = NULL;
  g_autoptr (SymKernel) kernel = NULL;
  gboolean done;

  inputs = g_new0 (SymDatum *, operands.n + 1);
  for (guint i = 0; i < operands.n; i++)
    {
      if (operands.ids[i] == SYM_NO_ID)
        continue;
      inputs[i] = find_numbers (self, operands.ids[i]);
      if (inputs[i] == NULL)
        return;
    }
  outputs = g_new0 (SymDatum *, results.n + 1);
  kernel = sym_kernel_new (layer, NULL);
  done = sym_kernel_run (kernel, inputs, operands.n, outputs, results.n, NULL, NULL);
  for (guint i = 0; i < results.n; i++)
    {
      SymDatum *kept = done && outputs[i] != NULL ? sym_datum_keep (outputs[i], NULL) : NULL;

      g_clear_pointer (&outputs[i], sym_datum_unref);
      if (kept != NULL)
        keep (self, results.ids[i], kept);
    }
}

void
sym_evaluation_run (SymEvaluation *self, SymLayer *layer, SymIds operands, SymIds results)
{
  if (can_evaluate (layer) && needs_results (self, results))
    evaluate (self, layer, operands, results);
}

void
sym_evaluation_clear (SymEvaluation *self)
{
  g_clear_pointer (&self->numbers, g_hash_table_unref);
}
