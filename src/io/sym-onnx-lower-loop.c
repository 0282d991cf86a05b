/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "io/sym-onnx-lower-private.h"
#include "ops/sym-op-lower.h"
#include "ops/sym-op.h"

/* TensorFlow's While (input...) -> output..., with a function for the condition and one for a turn, as
 * ONNX's Loop, which has one: a turn, and then the condition of the next one.  The first condition is
 * computed before it. */

#define N_OWN 2 /* of the Loop's body: the turn's number, and the condition */

gboolean
sym_onnx_is_while (const SymLayer *layer)
{
  const SymOperator *op = sym_layer_get_operator (layer);

  return op != NULL && strcmp (op->domain, "tf") == 0 && strcmp (op->name, "While") == 0;
}

/* The calls of body @name, given what its inputs stand for; *@made are its outputs. */
static gboolean
put_body (SymOnnxLowering *self,
          const SymOnnxPart *part,
          SymId call,
          const char *name,
          const char *path,
          const SymId *given,
          SymId *made,
          guint n_made,
          GError **error)
{
  SymLayer *layer = sym_model_get_layer (part->model, call);
  int k = sym_layer_find_body (layer, name);
  SymModel *body = k < 0 ? NULL : sym_layer_get_body (layer, (guint) k, NULL);
  const SymInference *inference
      = k < 0 ? NULL : sym_inference_get_body (part->inference, call, (guint) k);
  g_autofree SymId *values = NULL;
  SymOnnxPart inner = { body, inference, path, NULL };
  SymIds inputs, outputs;

  if (inference == NULL)
    return sym_onnx_lower_fail (part, call, "what is in it is not known", error);
  inputs = sym_model_get_inputs (body);
  outputs = sym_model_get_outputs (body);
  if (inputs.n != sym_model_get_operands (part->model, call).n || outputs.n < n_made)
    return sym_onnx_lower_fail (part, call, "its functions do not fit to it", error);
  inner.values = values = sym_onnx_lower_new_values (body);
  for (guint i = 0; i < inputs.n; i++)
    values[inputs.ids[i]] = given[i];
  if (!sym_onnx_lower_calls (self, &inner, error))
    return FALSE;
  for (guint i = 0; i < n_made; i++)
    made[i] = sym_onnx_lower_value (self, &inner, outputs.ids[i]);
  return TRUE;
}

/* ---- The Loop's body ---- */

static SymId
add_input (SymOnnxLowering *self, const char *path, const char *name, SymType type)
{
  g_autofree char *full = g_strdup_printf ("%s/%s", path, name);
  SymId made;

  for (int i = 0; i < type.shape.rank; i++)
    if (type.shape.dims[i] < 0)
      type.shape.dims[i] = SYM_DIM_UNKNOWN;
  made = sym_model_builder_add_value (self->builder, full, SYM_ROLE_INPUT, &type);
  sym_model_builder_add_input (self->builder, made);
  return made;
}

/* What is carried along, of the types that hold at every turn. */
static void
add_carried (SymOnnxLowering *self,
             const SymOnnxPart *part,
             SymId call,
             const char *path,
             SymId *carried)
{
  SymLayer *layer = sym_model_get_layer (part->model, call);
  guint k = (guint) sym_layer_find_body (layer, "body");
  SymIds inputs = sym_model_get_inputs (sym_layer_get_body (layer, k, NULL));
  const SymInference *inference = sym_inference_get_body (part->inference, call, k);

  for (guint i = 0; i < inputs.n; i++)
    {
      g_autofree char *name = g_strdup_printf ("carried_%u", i);

      carried[i] = add_input (self, path, name, sym_inference_get_type (inference, inputs.ids[i]));
    }
}

/* An output is a value of its own: not an input, nor another output. */
static void
add_output (SymOnnxLowering *self, SymId value, const char *path, const char *name)
{
  const SymOperator *op = sym_op_find ("", "Identity", SYM_OP_LOWER_VERSION);
  g_autoptr (SymLayer) layer = sym_layer_new (op->name, op, NULL);
  g_autofree char *full = g_strdup_printf ("%s/%s", path, name);
  SymId call = sym_model_builder_add_call (self->builder, full, layer, &value, 1, 1);
  SymId made = sym_model_builder_get_result (self->builder, call, 0);

  sym_model_builder_set_value_name (self->builder, made, full);
  sym_model_builder_add_output (self->builder, made);
}

static gboolean
fill_body (SymOnnxLowering *self,
           const SymOnnxPart *part,
           SymId call,
           const char *path,
           GError **error)
{
  guint n = sym_model_get_operands (part->model, call).n;
  g_autofree SymId *carried = g_new (SymId, n + 1);
  g_autofree SymId *next = g_new (SymId, n + 1);
  g_autofree char *turn = g_strconcat (path, "/turn", NULL);
  g_autofree char *test = g_strconcat (path, "/test", NULL);
  SymId condition;

  add_input (self, path, "number", sym_type_tensor (SYM_DTYPE_INT64, SYM_SHAPE ()));
  add_input (self, path, "condition", sym_type_tensor (SYM_DTYPE_BOOL, SYM_SHAPE ()));
  add_carried (self, part, call, path, carried);
  if (!put_body (self, part, call, "body", turn, carried, next, n, error) ||
      !put_body (self, part, call, "cond", test, next, &condition, 1, error))
    return FALSE;
  add_output (self, condition, path, "go_on");
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("next_%u", i);

      add_output (self, next[i], path, name);
    }
  return self->unset_values->len == 0 ||
         sym_onnx_lower_fail (part, call, "parameters within it have no numbers", error);
}

/* A model of its own; NULL with an error. */
static SymModel *
make_body (SymOnnxLowering *around,
           const SymOnnxPart *part,
           SymId call,
           const char *path,
           GError **error)
{
  g_autoptr (SymModelBuilder) builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (GString) unset = g_string_new (NULL);
  g_autoptr (GArray) unset_values = g_array_new (FALSE, FALSE, sizeof (SymId));
  SymOnnxLowering self = *around;

  self.builder = builder;
  self.unset = unset;
  self.unset_values = unset_values;
  self.depth++;
  if (!fill_body (&self, part, call, path, error))
    return NULL;
  around->n_left_out = self.n_left_out;
  sym_model_builder_set_name (builder, path);
  return sym_model_builder_end (g_steal_pointer (&builder));
}

/* ---- The Loop ---- */

static void
put_loop (SymOnnxLowering *self,
          SymOnnxPart *part,
          SymId call,
          const char *path,
          SymModel *body,
          const SymId *operands)
{
  const SymOperator *op = sym_op_find ("", "Loop", SYM_OP_LOWER_VERSION);
  g_autoptr (SymLayer) layer = sym_layer_new (op->name, op, NULL);
  SymIds results = sym_model_get_results (part->model, call);
  guint n = sym_model_get_operands (part->model, call).n;
  SymId made;

  sym_layer_add_body (layer, "body", body, FALSE);
  made = sym_model_builder_add_call (self->builder, path, layer, operands, n + N_OWN, n);
  for (guint i = 0; i < n; i++)
    {
      SymId result = sym_model_builder_get_result (self->builder, made, i);
      g_autofree char *name = g_strdup_printf ("%s:%u", path, i);

      sym_model_builder_set_value_name (self->builder, result, name);
      if (i < results.n)
        part->values[results.ids[i]] = result;
    }
}

gboolean
sym_onnx_lower_while (SymOnnxLowering *self, SymOnnxPart *part, SymId call, GError **error)
{
  SymIds operands = sym_model_get_operands (part->model, call);
  g_autofree SymId *given = g_new (SymId, operands.n + N_OWN);
  g_autofree char *path
      = sym_onnx_lower_name (part, sym_model_get_call_name (part->model, call), "While");
  g_autofree char *first = g_strconcat (path, "/first", NULL);
  g_autoptr (SymModel) body = NULL;

  if (self->depth >= SYM_ONNX_LOWER_MAX_DEPTH)
    return sym_onnx_lower_fail (part, call, "it is nested too deep", error);
  given[0] = SYM_NO_ID;
  for (guint i = 0; i < operands.n; i++)
    given[N_OWN + i] = sym_onnx_lower_value (self, part, operands.ids[i]);
  if (!put_body (self, part, call, "cond", first, given + N_OWN, given + 1, 1, error))
    return FALSE;
  body = make_body (self, part, call, path, error);
  if (body == NULL)
    return FALSE;
  put_loop (self, part, call, path, body, given);
  return TRUE;
}
