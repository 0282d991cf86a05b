/* SPDX-License-Identifier: MIT */
#include "run/sym-run-weights.h"

#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "core/sym-extract.h"
#include "run/sym-run-fill.h"
#include "run/sym-run-shaping.h"

#define NEAR 0.1 /* how far a bias is from 0, and a scale from 1 */
#define PIECE 65536

/* Where the numbers of a weight lie. */
typedef struct {
  double middle, reach;
} Range;

static gboolean
is_missing (const SymModel *model, SymId value)
{
  return sym_model_has_value (model, value) &&
         !sym_role_is_data (sym_model_get_role (model, value)) &&
         sym_model_get_producer (model, value) == SYM_NO_ID &&
         sym_model_get_tensor (model, value) == NULL &&
         sym_model_get_consumers (model, value).n > 0;
}

GArray *
sym_run_list_missing_weights (const SymModel *model)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (SymId));

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (is_missing (model, value))
      g_array_append_val (values, value);
  return values;
}

/* What the layer that takes it first calls it, else its own name. */
static const char *
find_name (const SymModel *model, SymId value)
{
  SymId call = sym_model_get_consumers (model, value).ids[0];
  SymIds operands = sym_model_get_operands (model, call);

  for (guint i = 0; i < operands.n; i++)
    if (operands.ids[i] == value && sym_model_get_slot_name (model, call, i) != NULL)
      return sym_model_get_slot_name (model, call, i);
  return sym_model_get_value_name (model, value);
}

static gboolean
is_near_one (const SymModel *model, SymId value)
{
  static const char *const words[] = { "gamma", "scale", "var" };
  g_autofree char *name = g_ascii_strdown (find_name (model, value), -1);
  SymId call = sym_model_get_consumers (model, value).ids[0];
  const SymOperator *op = sym_layer_get_operator (sym_model_get_layer (model, call));

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strstr (name, words[i]) != NULL)
      return TRUE;
  return op != NULL && op->category == SYM_CATEGORY_NORMALIZATION &&
         strstr (name, "weight") != NULL;
}

static Range
choose_range (const SymModel *model, SymId value, const SymShape *shape)
{
  double n_others = 1;

  if (shape->rank < 2)
    return (Range){ is_near_one (model, value) ? 1 : 0, NEAR };
  for (int i = 2; i < shape->rank; i++)
    n_others *= (double) shape->dims[i];
  return (Range){ 0, sqrt (6 / (n_others * (double) (shape->dims[0] + shape->dims[1]) + 1)) };
}

/* Random numbers from 0 to 1 become those of the range; integers stay. */
static gboolean
stretch (SymDatum *datum, Range range, GCancellable *cancellable, GError **error)
{
  const SymArray *array = sym_datum_get_array (datum);
  gsize n = sym_array_get_n_elements (array);

  if (!sym_dtype_is_floating (array->dtype))
    return TRUE;
  for (gsize i = 0; i < n; i++)
    {
      double number = sym_element_get_double (array->dtype, array->data, i);

      sym_element_set_double (array->dtype, array->data, i,
                              range.middle + range.reach * (2 * number - 1));
      if (i % PIECE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
    }
  return TRUE;
}

/* Sizes, axes and the like cannot be made up: hardly any fit the graph. */
static gboolean
check_use (const SymModel *model,
           SymRunShaping *shaping,
           SymId value,
           GCancellable *cancellable,
           GError **error)
{
  const char *name;
  SymId call;

  if (!sym_run_shaping_find (shaping, value, &call, cancellable, error))
    return FALSE;
  if (call == SYM_NO_ID)
    return TRUE;
  name = sym_model_get_call_name (model, call);
  if (name == NULL || *name == '\0')
    name = sym_model_get_unique_name (model, sym_model_get_results (model, call).ids[0]);
  g_set_error (error, SYM_ERROR, SYM_ERROR_UNDECIDED,
               "“%s” cannot be made up: its numbers decide the shape of what “%s” (%s) makes, so "
               "the file must have them",
               sym_model_get_value_name (model, value), name,
               sym_layer_get_type (sym_model_get_layer (model, call)));
  return FALSE;
}

static SymDatum *
make (const SymInference *inference,
      SymRunShaping *shaping,
      SymId value,
      guint64 seed,
      GCancellable *cancellable,
      GError **error)
{
  SymModel *model = sym_inference_get_model (inference);
  SymType type = sym_inference_get_type (inference, value);
  SymDType dtype = type.dtype != SYM_DTYPE_UNKNOWN ? type.dtype : SYM_DTYPE_FLOAT32;
  g_autoptr (SymDatum) datum = NULL;

  if (type.kind != SYM_KIND_TENSOR || type.shape.rank < 0 || !sym_shape_is_known (&type.shape))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_UNDECIDED,
                   "“%s” cannot be made up: its shape is not known",
                   sym_model_get_value_name (model, value));
      return NULL;
    }
  if (!check_use (model, shaping, value, cancellable, error))
    return NULL;
  datum = sym_run_fill_below (SYM_RUN_FILL_RANDOM, dtype, &type.shape,
                              seed ^ ((guint64) value + 1) << 32,
                              sym_run_fill_find_limit (inference, value), error);
  if (datum == NULL ||
      !stretch (datum, choose_range (model, value, &type.shape), cancellable, error))
    return NULL;
  return g_steal_pointer (&datum);
}

static void
clear_feed (gpointer data)
{
  sym_datum_unref (((SymFeed *) data)->datum);
}

/* What leads to no output may stay without numbers: only the layers that take it fail. */
static gboolean
can_stay (gboolean is_live, const GError *error)
{
  return !is_live && g_error_matches (error, SYM_ERROR, SYM_ERROR_UNDECIDED);
}

GArray *
sym_run_make_missing_weights (const SymInference *inference,
                              gboolean everything,
                              guint64 seed,
                              GCancellable *cancellable,
                              GError **error)
{
  g_autoptr (GArray) feeds = g_array_new (FALSE, FALSE, sizeof (SymFeed));
  g_autoptr (SymRunShaping) shaping = NULL;
  SymModel *model;

  g_return_val_if_fail (inference != NULL, NULL);

  shaping = sym_run_shaping_new (inference);
  model = sym_inference_get_model (inference);
  g_array_set_clear_func (feeds, clear_feed);
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    {
      SymFeed feed = { value, NULL };
      g_autoptr (GError) local = NULL;

      if (!is_missing (model, value) || (!everything && !sym_model_is_live (model, value)))
        continue;
      feed.datum = make (inference, shaping, value, seed, cancellable, &local);
      if (feed.datum != NULL)
        g_array_append_val (feeds, feed);
      else if (!can_stay (sym_model_is_live (model, value), local))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return NULL;
        }
    }
  return g_steal_pointer (&feeds);
}

/* ---- Bodies ---- */

typedef struct {
  const SymInference *inference;
  gboolean is_live; /* the call that runs it leads to an output, and so does what that is within */
} Body;

static void
push_bodies (GArray *stack, const SymInference *inference, gboolean is_live)
{
  SymModel *model = sym_inference_get_model (inference);

  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    {
      SymLayer *layer = sym_model_has_call (model, call) ? sym_model_get_layer (model, call) : NULL;

      for (guint i = 0; layer != NULL && i < sym_layer_get_n_bodies (layer); i++)
        {
          Body body = { sym_inference_get_body (inference, call, i),
                        is_live && sym_model_is_call_live (model, call) };

          if (body.inference != NULL)
            g_array_append_val (stack, body);
        }
    }
}

static gboolean
set_weights (const SymInference *inference,
             gboolean is_live,
             guint64 seed,
             guint *n,
             GCancellable *cancellable,
             GError **error)
{
  SymModel *model = sym_inference_get_model (inference);
  g_autoptr (SymRunShaping) shaping = sym_run_shaping_new (inference);

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    {
      SymParameter *parameter =
          is_missing (model, value) ? sym_model_get_parameter (model, value) : NULL;
      g_autoptr (GError) local = NULL;
      g_autoptr (SymDatum) datum = NULL;
      g_autoptr (SymTensor) tensor = NULL;

      if (parameter == NULL)
        continue;
      datum = make (inference, shaping, value, seed + *n + 1, cancellable, &local);
      if (datum == NULL && can_stay (is_live && sym_model_is_live (model, value), local))
        continue;
      tensor = datum == NULL ? NULL : sym_tensor_new_copy (sym_datum_get_array (datum), &local);
      if (tensor == NULL)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      sym_parameter_set_tensor (parameter, tensor);
      ++*n;
    }
  return TRUE;
}

gboolean
sym_run_set_missing_weights (const SymInference *inference,
                             guint64 seed,
                             guint *n,
                             GCancellable *cancellable,
                             GError **error)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Body));

  g_return_val_if_fail (inference != NULL, FALSE);

  push_bodies (stack, inference, TRUE);
  while (stack->len > 0)
    {
      Body body = g_array_index (stack, Body, stack->len - 1);

      g_array_set_size (stack, stack->len - 1);
      if (!set_weights (body.inference, body.is_live, seed, n, cancellable, error))
        return FALSE;
      push_bodies (stack, body.inference, body.is_live);
    }
  return TRUE;
}
