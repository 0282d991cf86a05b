/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-private.h"

#include <string.h>

typedef struct {
  SymTensor *tensor;
  gboolean is_auxiliary;
  SymParameter *parameter; /* made at the first variable of that name, for all of them */
} Weight;

static void
free_weight (gpointer data)
{
  Weight *weight = data;

  g_clear_pointer (&weight->parameter, sym_parameter_unref);
  g_free (weight);
}

/* The tensors by the variable's name; `arg:` and `aux:` tell what they are, no prefix does not. */
static GHashTable *
index_weights (SymStoreTensors *weights)
{
  GHashTable *index = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_weight);

  for (guint i = 0; i < sym_store_tensors_get_n (weights); i++)
    {
      Weight *weight = g_new0 (Weight, 1);
      const char *name = sym_store_tensors_get_name (weights, i);

      weight->tensor = sym_store_tensors_get (weights, i);
      weight->is_auxiliary = g_str_has_prefix (name, "aux:");
      if (weight->is_auxiliary || g_str_has_prefix (name, "arg:"))
        name += 4;
      g_hash_table_insert (index, (gpointer) name, weight);
    }
  return index;
}

static char *
format_type (SymDType dtype, const SymShape *shape)
{
  g_autofree char *text = shape->rank < 0 ? g_strdup ("(?)") : sym_mxnet_format_shape (shape, TRUE);

  return g_strdup_printf ("%s %s", sym_dtype_to_string (dtype), text);
}

static void
report_mismatch (SymMxnetDraft *draft,
                 const SymMxnetVariable *variable,
                 const SymType *declared,
                 SymTensor *tensor)
{
  g_autofree char *graph = format_type (declared->dtype, &declared->shape);
  g_autofree char *file =
      format_type (sym_tensor_get_dtype (tensor), sym_tensor_get_shape (tensor));

  sym_problems_add (draft->problems, SYM_SEVERITY_ERROR,
                    sym_mxnet_graph_get_line (draft->graph, variable->node), variable->value,
                    SYM_NO_ID, "'%s' is %s in the graph, but %s in its weights", variable->name,
                    graph, file);
}

static void
give_weight (SymMxnetDraft *draft, const SymMxnetVariable *variable, Weight *weight)
{
  SymType declared = sym_mxnet_parse_type (variable->attributes, draft->graph->is_np_shape);
  SymType type = sym_type_tensor (sym_tensor_get_dtype (weight->tensor),
                                  *sym_tensor_get_shape (weight->tensor));

  sym_mxnet_raise_role (draft->builder, variable->value,
                        weight->is_auxiliary ? SYM_ROLE_AUXILIARY : SYM_ROLE_PARAMETER);
  if (!sym_tensor_fits (weight->tensor, &declared))
    report_mismatch (draft, variable, &declared, weight->tensor);
  if (weight->parameter == NULL)
    weight->parameter = sym_parameter_new (sym_mxnet_is_trained (draft, variable), weight->tensor);
  sym_model_builder_set_type (draft->builder, variable->value, &type);
  sym_model_builder_set_parameter (draft->builder, variable->value,
                                   sym_parameter_ref (weight->parameter));
}

/* Says once how many names are concerned, and which is the first. */
typedef struct {
  guint n;
  const char *first;
} Tally;

static void
tally_name (Tally *tally, const char *name)
{
  if (tally->n++ == 0)
    tally->first = name;
}

static void
report_tally (SymMxnetDraft *draft, const Tally *tally, const char *one, const char *many)
{
  if (tally->n == 1)
    sym_problems_add (draft->problems, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID, "%s '%s'",
                      one, tally->first);
  else if (tally->n > 1)
    sym_problems_add (draft->problems, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                      "%s '%s' and %u more", many, tally->first, tally->n - 1);
}

static void
report_unused (SymMxnetDraft *draft, SymStoreTensors *weights, GHashTable *index)
{
  Tally unused = { 0 };

  for (guint i = 0; i < sym_store_tensors_get_n (weights); i++)
    {
      const char *name = sym_store_tensors_get_name (weights, i);
      gboolean has_prefix = g_str_has_prefix (name, "arg:") || g_str_has_prefix (name, "aux:");
      const Weight *weight = g_hash_table_lookup (index, name + (has_prefix ? 4 : 0));

      if (weight == NULL || weight->parameter == NULL)
        tally_name (&unused, name);
    }
  report_tally (draft, &unused, "the weights file holds a tensor that the graph does not use:",
                "the weights file holds tensors that the graph does not use:");
}

void
sym_mxnet_give_weights (SymMxnetDraft *draft, SymStoreTensors *weights)
{
  g_autoptr (GHashTable) index = index_weights (weights);
  Tally missing = { 0 };

  for (guint i = 0; i < draft->variables->len; i++)
    {
      const SymMxnetVariable *variable = &g_array_index (draft->variables, SymMxnetVariable, i);
      Weight *weight = g_hash_table_lookup (index, variable->name);

      if (weight != NULL)
        give_weight (draft, variable, weight);
      else if (sym_model_builder_get_role (draft->builder, variable->value) != SYM_ROLE_INPUT)
        {
          tally_name (&missing, variable->name);
          sym_model_builder_set_lack (draft->builder, variable->value,
                                      "the weights file has none of that name");
        }
    }
  report_tally (draft, &missing, "the weights file lacks the parameter",
                "the weights file lacks the parameters");
  report_unused (draft, weights, index);
}
