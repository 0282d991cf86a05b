/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "io/sym-tfjs-private.h"

/* Nodes that no layer is: constants, inputs and variables. */

#define MAX_REASONS 16
#define NO_CHECKPOINT "they are in a checkpoint, which is not beside the graph"
#define OTHER_TYPE "the checkpoint has another shape or dtype"

/* ---- What is missing ---- */

typedef struct {
  char *reason, *first;
  guint n_others;
} Missing;

static void
clear_missing (gpointer data)
{
  Missing *self = data;

  g_free (self->reason);
  g_free (self->first);
}

GArray *
sym_tfjs_missing_new (void)
{
  GArray *missing = g_array_new (FALSE, FALSE, sizeof (Missing));

  g_array_set_clear_func (missing, clear_missing);
  return missing;
}

/* Reasons beyond the most that are told are counted with the last. */
static void
tell_missing (SymNet *net, SymTfjsCounts *counts, SymId value, const char *name, const char *reason)
{
  Missing fresh;

  sym_model_builder_set_lack (sym_net_get_builder (net), value, reason);

  for (guint i = 0; i < counts->missing->len; i++)
    {
      Missing *known = &g_array_index (counts->missing, Missing, i);

      if (i + 1 == MAX_REASONS || strcmp (known->reason, reason) == 0)
        {
          known->n_others++;
          return;
        }
    }
  fresh = (Missing){ g_strdup (reason), g_strdup (name), 0 };
  g_array_append_val (counts->missing, fresh);
}

void
sym_tfjs_warn_of_missing (const SymTfjsCounts *counts, guint token)
{
  for (guint i = 0; i < counts->missing->len; i++)
    {
      const Missing *one = &g_array_index (counts->missing, Missing, i);

      if (one->n_others == 0)
        sym_net_warn_of_lack (counts->net, token, "the numbers of variable '%s' are missing: %s",
                              one->first, one->reason);
      else
        sym_net_warn_of_lack (counts->net, token,
                              "the numbers of variable '%s' and of %u more are missing: %s",
                              one->first, one->n_others, one->reason);
    }
}

/* ---- Nodes ---- */

/* {"attr": {"value": {"tensor": {...}}}} */
static SymTensor *
read_own (const SymTfjsWalk *walk, guint node, SymType *type)
{
  const SymJson *json = walk->document->json;
  guint attributes = sym_json_get_member (json, node, "attr");
  guint own = sym_json_get_member (json, sym_json_get_member (json, attributes, "value"), "tensor");

  *type =
      sym_type_tensor (sym_tfjs_read_dtype (json, sym_json_get_member (json, own, "dtype")),
                       sym_tfjs_read_shape (json, sym_json_get_member (json, own, "tensorShape")));
  return sym_tfjs_read_tensor (walk->document, own);
}

/* The manifest knows the numbers; old converters leave small ones in the graph. */
static void
add_constant (SymNet *net, const SymTfjsWalk *walk, guint node, const char *name)
{
  g_autoptr (SymTensor) tensor = NULL;
  SymTensor *found = NULL;
  const char *lack = NULL;
  SymType type;
  SymId value;

  if (sym_tfjs_weights_find (walk->weights, name, &type, &found, &lack))
    tensor = found == NULL ? NULL : sym_tensor_ref (found);
  else
    tensor = read_own (walk, node, &type);
  value = sym_net_add_value (net, name, NULL,
                             sym_dtype_is_floating (type.dtype) && type.shape.rank > 0
                                 ? SYM_ROLE_PARAMETER
                                 : SYM_ROLE_CONSTANT,
                             &type, node);
  if (tensor == NULL)
    {
      sym_model_builder_set_lack (sym_net_get_builder (net), value, lack);
      return;
    }
  if (sym_model_builder_get_role (sym_net_get_builder (net), value) == SYM_ROLE_PARAMETER)
    sym_model_builder_set_parameter (sym_net_get_builder (net), value,
                                     sym_parameter_new (TRUE, tensor));
  else
    sym_model_builder_set_tensor (sym_net_get_builder (net), value, g_steal_pointer (&tensor));
}

/* The type that its attributes say; @dtype_name is the one of the dtype. */
static SymType
read_declared (const SymJson *json, guint node, const char *dtype_name)
{
  guint attributes = sym_json_get_member (json, node, "attr");
  guint dtype =
      sym_json_get_member (json, sym_json_get_member (json, attributes, dtype_name), "type");
  guint shape =
      sym_json_get_member (json, sym_json_get_member (json, attributes, "shape"), "shape");

  if (shape == SYM_JSON_NONE) /* what TensorFlow inferred, where the file keeps that */
    {
      guint stored = sym_json_get_member (json, attributes, "_output_shapes");
      guint list = sym_json_get_member (json, stored, "list");

      shape = sym_json_get_element (json, sym_json_get_member (json, list, "shape"), 0);
    }
  return sym_type_tensor (sym_tfjs_read_dtype (json, dtype), sym_tfjs_read_shape (json, shape));
}

/* A handle stands for what it leads to: whoever reads it passes that on. */
static void
add_variable (SymNet *net, const SymTfjsWalk *walk, guint node, const char *name)
{
  SymModelBuilder *builder = sym_net_get_builder (net);
  SymTensorflowCheckpoint *checkpoint = walk->document->checkpoint;
  SymType type = read_declared (sym_net_get_json (net), node, "dtype");
  SymId value = sym_net_add_value (net, name, NULL, SYM_ROLE_PARAMETER, &type, node);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymTensor) tensor = NULL;

  if (checkpoint == NULL)
    {
      tell_missing (net, walk->counts, value, name,
                    walk->document->trouble == NULL ? NO_CHECKPOINT : walk->document->trouble);
      return;
    }
  tensor = sym_tensorflow_checkpoint_get (checkpoint, node, name, &error);
  if (tensor == NULL || !sym_tensor_fits (tensor, &type))
    {
      tell_missing (net, walk->counts, value, name, tensor == NULL ? error->message : OTHER_TYPE);
      return;
    }
  type = sym_type_tensor (sym_tensor_get_dtype (tensor), *sym_tensor_get_shape (tensor));
  sym_model_builder_set_type (builder, value, &type);
  sym_model_builder_set_parameter (builder, value, sym_parameter_new (TRUE, tensor));
}

gboolean
sym_tfjs_add_source (SymNet *net,
                     const SymTfjsWalk *walk,
                     guint node,
                     const char *name,
                     const char *op)
{
  gboolean is_argument = strcmp (op, "_Arg") == 0; /* of a function that stands alone */
  SymType type;

  if (!is_argument && strchr ("CPV", *op) == NULL) /* as most are not */
    return FALSE;
  if (strcmp (op, "Const") == 0)
    add_constant (net, walk, node, name);
  else if (is_argument || strcmp (op, "Placeholder") == 0 ||
           strcmp (op, "PlaceholderWithDefault") == 0)
    {
      type = read_declared (sym_net_get_json (net), node, is_argument ? "T" : "dtype");
      sym_net_add_value (net, name, NULL, SYM_ROLE_INPUT, &type, node);
    }
  else if (sym_tensorflow_is_variable (op))
    add_variable (net, walk, node, name);
  else
    return FALSE;
  return TRUE;
}
