/* SPDX-License-Identifier: MIT */
#include "run/sym-live.h"

#include "core/sym-element.h"
#include "core/sym-error.h"
#include "core/sym-model-builder.h"
#include "ops/sym-layers-initialise.h"
#include "run/sym-run-fill.h"
#include "run/sym-run.h"

typedef struct {
  guint64 seed;
  guint64 n_layers; /* that were given weights */
} Live;

/* ---- A model of one call ---- */

static SymId
add_operand (SymModelBuilder *builder, const SymDatum *datum, guint i)
{
  g_autoptr (GPtrArray) arena = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *name = g_strdup_printf ("operand %u", i);
  SymType type = sym_datum_get_type (datum, arena);
  SymId value = sym_model_builder_add_value (builder, name, SYM_ROLE_INPUT, &type);

  sym_model_builder_add_input (builder, value);
  return value;
}

static SymId
add_parameter (SymModelBuilder *builder, SymLayer *layer, guint i)
{
  const char *name;
  const SymType *type;
  SymParameter *parameter = sym_layer_get_parameter (layer, i, &name, &type);
  SymId value = sym_model_builder_add_value (builder, name, SYM_ROLE_PARAMETER, type);

  sym_model_builder_set_parameter (builder, value, sym_parameter_ref (parameter));
  return value;
}

static SymModel *
make_model (SymLayer *layer,
            const SymValue *arguments,
            SymDatum *const *operands,
            guint n_operands,
            guint n_results)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_SYMBOLIC);
  guint n = n_operands + sym_layer_get_n_parameters (layer);
  g_autofree SymId *ids = g_new (SymId, n + 1);
  SymId call;

  for (guint i = 0; i < n; i++)
    ids[i] = i < n_operands ? add_operand (builder, operands[i], i)
                            : add_parameter (builder, layer, i - n_operands);
  call = sym_model_builder_add_call (builder, sym_layer_get_type (layer), layer, ids, n, n_results);
  if (arguments != NULL)
    sym_model_builder_set_arguments (builder, call, sym_value_ref ((SymValue *) arguments));
  for (guint i = 0; i < n_results; i++)
    sym_model_builder_add_output (builder, sym_model_builder_get_result (builder, call, i));
  return sym_model_builder_end (builder);
}

/* ---- Running it ---- */

/* Why it cannot be computed at all; NULL when it can. */
static char *
find_obstacle (const SymPlan *plan)
{

  for (guint i = 0; i < sym_plan_get_n_steps (plan); i++)
    if (sym_plan_get_obstacle (plan, i) != NULL)
      return g_strdup (sym_plan_get_obstacle (plan, i));
  return NULL;
}

static gboolean
run_model (SymModel *model,
           SymPlan *plan,
           SymDatum *const *operands,
           guint n_operands,
           SymDatum **results,
           guint n_results,
           GError **error)
{
  g_autoptr (SymRun) run = sym_run_new (plan);
  SymIds inputs = sym_model_get_inputs (model), outputs = sym_model_get_outputs (model);

  for (guint i = 0; i < n_operands; i++)
    if (!sym_run_feed (run, inputs.ids[i], operands[i], error))
      return FALSE;
  if (!sym_run_execute (run, NULL, error))
    return FALSE;
  for (guint i = 0; i < n_results; i++)
    {
      results[i] = sym_datum_keep (sym_run_get (run, outputs.ids[i]), error);
      if (results[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

static gboolean
evaluate (SymLayer *layer,
          const SymValue *arguments,
          SymDatum *const *operands,
          guint n_operands,
          SymDatum **results,
          guint n_results,
          char **obstacle,
          gpointer user_data,
          GError **error)
{
  Live *live = user_data;
  g_autoptr (GError) unknown = NULL;
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymPlan) plan = NULL;

  if (!sym_layer_initialise (layer, live->seed + 0x9e3779b97f4a7c15u * ++live->n_layers, &unknown))
    {
      *obstacle = g_strdup (unknown->message);
      return TRUE;
    }
  model = make_model (layer, arguments, operands, n_operands, n_results);
  plan = sym_plan_new (model, NULL, NULL, error);
  if (plan == NULL)
    return FALSE;
  *obstacle = find_obstacle (plan);
  return *obstacle != NULL ||
         run_model (model, plan, operands, n_operands, results, n_results, error);
}

/* ---- Inputs ---- */

static SymDatum *
draw (const SymType *type, double min, double max, guint index, gpointer user_data, GError **error)
{
  guint64 seed = ((const Live *) user_data)->seed * 0x9e3779b97f4a7c15u + index;
  g_autoptr (SymDatum) numbers =
      sym_run_fill (SYM_RUN_FILL_RANDOM, SYM_DTYPE_FLOAT64, &type->shape, seed, error);
  g_autoptr (SymDatum) datum =
      numbers == NULL ? NULL : sym_datum_new (type->dtype, &type->shape, error);
  double *from;
  gsize n;

  if (datum == NULL || type->dtype == SYM_DTYPE_STRING)
    return g_steal_pointer (&datum);
  from = sym_datum_get_array (numbers)->data;
  n = sym_array_get_n_elements (sym_datum_get_array (numbers));
  for (gsize i = 0; i < n; i++)
    from[i] = min + from[i] * (max - min);
  sym_convert_elements (SYM_DTYPE_FLOAT64, from, type->dtype, sym_datum_get_array (datum)->data, n);
  return g_steal_pointer (&datum);
}

void
sym_live_enable (SymGraph *graph, guint64 seed)
{
  SymGraphLive live = { evaluate, draw, NULL, g_free };
  Live *own;

  g_return_if_fail (graph != NULL);

  own = g_new0 (Live, 1);
  own->seed = seed;
  live.user_data = own;
  sym_graph_set_live (graph, &live);
}

void
sym_live_disable (SymGraph *graph)
{
  g_return_if_fail (graph != NULL);

  sym_graph_set_live (graph, NULL);
}
