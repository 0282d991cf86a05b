/* SPDX-License-Identifier: MIT */
#include "run/sym-run-shaping.h"

#include "core/sym-element.h"
#include "core/sym-model-builder.h"
#include "run/sym-run-fill.h"

/* As many integers as inference follows from layer to layer. */
#define MAX_NUMBERS 64

/* ---- Numbers ---- */

/* A value whose numbers are tried. */
typedef struct {
  SymId value;
  SymTensor *numbers; /* NULL: they are not known */
} Trial;

/* Numbers that are tried: one is an axis of most tensors, those in a row are an order of axes. */
static const SymRunFill fills[] = { SYM_RUN_FILL_ZEROS, SYM_RUN_FILL_ONES, SYM_RUN_FILL_ARANGE };

static gboolean
is_small (const SymType *type)
{
  guint64 n;

  return type->kind == SYM_KIND_TENSOR && type->shape.rank >= 0 && type->shape.rank <= 1 &&
         sym_dtype_is_numeric (type->dtype) && sym_shape_get_n_elements (&type->shape, &n) &&
         n <= MAX_NUMBERS;
}

/* NULL for what is not small. */
static SymTensor *
make_up (const SymType *type, SymRunFill fill)
{
  g_autoptr (SymDatum) datum = NULL;

  if (is_small (type))
    datum = sym_run_fill (fill, type->dtype, &type->shape, 0, NULL);
  return datum == NULL ? NULL : sym_tensor_new_copy (sym_datum_get_array (datum), NULL);
}

/* Those that inference found, as a tensor. */
static SymTensor *
copy_ints (const SymType *type, const gint64 *values, gsize n)
{
  guint8 bytes[MAX_NUMBERS * sizeof (gint64)] = { 0 };
  const SymArray array = { .dtype = type->dtype, .shape = type->shape, .data = bytes };

  for (gsize i = 0; i < n; i++)
    sym_element_set_int (type->dtype, bytes, i, values[i]);
  return sym_tensor_new_copy (&array, NULL);
}

/* An operand's, before a run.  Those of another one that shapes may be made of, which nobody knows,
 * are made up: only this one's are in question. */
static SymTensor *
find_numbers (const SymInference *inference, SymId operand, const SymType *type)
{
  SymTensor *tensor = sym_model_get_tensor (sym_inference_get_model (inference), operand);
  gint64 values[MAX_NUMBERS];
  int n;

  if (tensor != NULL)
    return sym_tensor_ref (tensor);
  n = is_small (type) && sym_dtype_is_integer (type->dtype)
          ? sym_inference_get_ints (inference, operand, values, MAX_NUMBERS)
          : -1;
  return n >= 0 ? copy_ints (type, values, (gsize) n) : make_up (type, SYM_RUN_FILL_ONES);
}

/* ---- A call alone ---- */

static SymId
add_operand (SymModelBuilder *builder,
             const SymInference *inference,
             SymId operand,
             const Trial *trial)
{
  SymType type = sym_inference_get_type (inference, operand);
  g_autoptr (SymTensor) numbers = NULL;
  SymId added;

  if (type.kind != SYM_KIND_TENSOR)
    type = SYM_TYPE_UNKNOWN;
  for (int i = 0; i < type.shape.rank; i++)
    type.shape.dims[i] = type.shape.dims[i] >= 0 ? type.shape.dims[i] : SYM_DIM_UNKNOWN;
  if (operand != trial->value)
    numbers = find_numbers (inference, operand, &type);
  else if (trial->numbers != NULL)
    numbers = sym_tensor_ref (trial->numbers);
  added = sym_model_builder_add_value (builder, "",
                                       numbers != NULL ? SYM_ROLE_CONSTANT : SYM_ROLE_INPUT, &type);
  if (numbers != NULL)
    sym_model_builder_set_tensor (builder, added, g_steal_pointer (&numbers));
  else
    sym_model_builder_add_input (builder, added);
  return added;
}

/* The call by itself: what is known of its results follows from its operands alone. */
static SymInference *
infer_alone (const SymInference *inference, SymId call, const Trial *trial)
{
  SymModel *model = sym_inference_get_model (inference);
  SymIds operands = sym_model_get_operands (model, call);
  const SymValue *arguments = sym_model_get_arguments (model, call);
  g_autoptr (GHashTable) added = g_hash_table_new (NULL, NULL);
  g_autofree SymId *ids = g_new (SymId, operands.n + 1);
  g_autoptr (SymModel) alone = NULL;
  SymModelBuilder *builder = sym_model_builder_new (sym_model_get_dialect (model));

  for (guint i = 0; i < operands.n; i++)
    {
      gpointer key = GUINT_TO_POINTER (operands.ids[i]), found;

      if (operands.ids[i] == SYM_NO_ID)
        ids[i] = SYM_NO_ID;
      else if (g_hash_table_lookup_extended (added, key, NULL, &found))
        ids[i] = GPOINTER_TO_UINT (found);
      else
        ids[i] = add_operand (builder, inference, operands.ids[i], trial);
      g_hash_table_insert (added, key, GUINT_TO_POINTER (ids[i]));
    }
  sym_model_builder_add_call (builder, "", sym_model_get_layer (model, call), ids, operands.n,
                              sym_model_get_results (model, call).n);
  if (arguments != NULL)
    sym_model_builder_set_arguments (builder, 0, sym_value_ref ((SymValue *) arguments));
  alone = sym_model_builder_end (builder);
  return sym_infer (alone, NULL, 0, NULL, NULL);
}

/* How much is known of the shapes of the results: ranks and sizes; *@is_all: there is no more. */
static guint
count_known (const SymInference *alone, gboolean *is_all)
{
  SymIds results = sym_model_get_results (sym_inference_get_model (alone), 0);
  guint n = 0;

  *is_all = TRUE;
  for (guint i = 0; i < results.n; i++)
    {
      SymShape shape = sym_inference_get_type (alone, results.ids[i]).shape;

      *is_all &= sym_shape_is_known (&shape);
      n += shape.rank >= 0;
      for (int axis = 0; axis < shape.rank; axis++)
        n += shape.dims[axis] >= 0;
    }
  return n;
}

static gboolean
has_other_shapes (const SymInference *inference, SymId call, const Trial *trial, guint n_known)
{
  g_autoptr (SymInference) with = infer_alone (inference, call, trial);
  gboolean is_all;

  return sym_inference_contradicts (with, 0) || count_known (with, &is_all) != n_known;
}

/* Where shapes are known without its numbers, some of these may still be none that it can have:
 * axes of size 1, which a Squeeze knows by itself. */
static gboolean
is_shaped (const SymInference *inference, SymId call, SymId value)
{
  const SymType type = sym_inference_get_type (inference, value);
  Trial trial = { value, NULL };
  g_autoptr (SymInference) without = infer_alone (inference, call, &trial);
  gboolean is_all;
  guint n = count_known (without, &is_all);

  if (sym_inference_contradicts (without, 0) || (is_all && !sym_dtype_is_integer (type.dtype)))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (fills); i++)
    {
      g_autoptr (SymTensor) numbers = make_up (&type, fills[i]);

      trial.numbers = numbers;
      if (has_other_shapes (inference, call, &trial, n))
        return TRUE;
    }
  return FALSE;
}

/* ---- The search ---- */

/* What is computed of small integers, as far as shapes may be made of it. */
static void
follow_results (const SymInference *inference, SymId call, GArray *values, GHashTable *met)
{
  SymIds results = sym_model_get_results (sym_inference_get_model (inference), call);

  for (guint i = 0; i < results.n; i++)
    {
      SymType type = sym_inference_get_type (inference, results.ids[i]);

      if (is_small (&type) && sym_dtype_is_integer (type.dtype) &&
          g_hash_table_add (met, GUINT_TO_POINTER (results.ids[i])))
        g_array_append_val (values, results.ids[i]);
    }
}

SymId
sym_run_find_shaped (const SymInference *inference, SymId value)
{
  SymModel *model = sym_inference_get_model (inference);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autoptr (GHashTable) met = g_hash_table_new (NULL, NULL);
  SymType type = sym_inference_get_type (inference, value);

  if (is_small (&type))
    g_array_append_val (values, value);
  for (guint at = 0; at < values->len; at++)
    {
      SymId tried = g_array_index (values, SymId, at);
      SymIds users = sym_model_get_consumers (model, tried);

      for (guint i = 0; i < users.n; i++)
        {
          if (is_shaped (inference, users.ids[i], tried))
            return users.ids[i];
          follow_results (inference, users.ids[i], values, met);
        }
    }
  return SYM_NO_ID;
}
