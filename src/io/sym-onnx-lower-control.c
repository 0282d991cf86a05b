/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "io/sym-onnx-lower-private.h"
#include "ops/sym-op-lower.h"
#include "ops/sym-op.h"

/* TensorFlow's While (input...) -> output..., with a function for the condition and one for a turn,
 * as ONNX's Loop, which has one: a turn, and then the condition of the next one.  The first
 * condition is computed before it.  If (cond, input...) as ONNX's, whose branches take the inputs
 * from around. */

#define N_OWN 2 /* of the Loop's body: the turn's number, and the condition */

static const char *const branches[] = { "then_branch", "else_branch" };

static gboolean
is_named (const SymLayer *layer, const char *name)
{
  const SymOperator *op = sym_layer_get_operator (layer);

  return op != NULL && strcmp (op->domain, "tf") == 0 && strcmp (op->name, name) == 0;
}

gboolean
sym_onnx_is_control (const SymLayer *layer)
{
  return is_named (layer, "While") || is_named (layer, "If");
}

/* The calls of body @name, given what its inputs stand for; *@made are its outputs. */
static gboolean
put_body (SymOnnxLowering *self,
          const SymOnnxPart *part,
          SymId call,
          const char *name,
          const char *path,
          const SymId *given,
          guint n_given,
          SymId *made,
          guint n_made,
          GError **error)
{
  SymLayer *layer = sym_model_get_layer (part->model, call);
  int k = sym_layer_find_body (layer, name);
  SymModel *body = k < 0 ? NULL : sym_layer_get_body (layer, (guint) k, NULL);
  const SymInference *inference =
      k < 0 ? NULL : sym_inference_get_body (part->inference, call, (guint) k);
  g_autofree SymId *values = NULL;
  SymOnnxPart inner = { body, inference, path, NULL, part->is_made };
  SymIds inputs, outputs;

  if (inference == NULL)
    return sym_onnx_lower_fail (part, call, "what is in it is not known", error);
  inputs = sym_model_get_inputs (body);
  outputs = sym_model_get_outputs (body);
  if (inputs.n != n_given || outputs.n < n_made)
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

/* ---- Bodies ---- */

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

/* The inputs of body @name, of the types that are known there. */
static void
add_inputs (SymOnnxLowering *self,
            const SymOnnxPart *part,
            SymId call,
            const char *name,
            const char *path,
            SymId *made,
            guint n)
{
  SymLayer *layer = sym_model_get_layer (part->model, call);
  guint k = (guint) sym_layer_find_body (layer, name);
  SymIds inputs = sym_model_get_inputs (sym_layer_get_body (layer, k, NULL));
  const SymInference *inference = sym_inference_get_body (part->inference, call, k);

  for (guint i = 0; i < MIN (inputs.n, n); i++)
    {
      g_autofree char *own = g_strdup_printf ("input_%u", i);

      made[i] = add_input (self, path, own, sym_inference_get_type (inference, inputs.ids[i]));
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

/* A body that is being made: of a Loop, or a branch called @name. */
typedef gboolean (*Fill) (SymOnnxLowering *self,
                          const SymOnnxPart *part,
                          SymId call,
                          const char *name,
                          const char *path,
                          GError **error);

static gboolean
fill_loop (SymOnnxLowering *self,
           const SymOnnxPart *part,
           SymId call,
           const char *name,
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
  add_inputs (self, part, call, name, path, carried, n);
  if (!put_body (self, part, call, name, turn, carried, n, next, n, error) ||
      !put_body (self, part, call, "cond", test, next, n, &condition, 1, error))
    return FALSE;
  add_output (self, condition, path, "go_on");
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *own = g_strdup_printf ("next_%u", i);

      add_output (self, next[i], path, own);
    }
  return TRUE;
}

static gboolean
fill_branch (SymOnnxLowering *self,
             const SymOnnxPart *part,
             SymId call,
             const char *name,
             const char *path,
             GError **error)
{
  guint n = sym_model_get_operands (part->model, call).n - 1;
  guint n_made = sym_model_get_results (part->model, call).n;
  g_autofree SymId *taken = g_new (SymId, n + 1);
  g_autofree SymId *made = g_new (SymId, n_made + 1);
  g_autofree char *inner = g_strconcat (path, "/", name, NULL);

  add_inputs (self, part, call, name, inner, taken, n);
  if (!put_body (self, part, call, name, inner, taken, n, made, n_made, error))
    return FALSE;
  for (guint i = 0; i < n_made; i++)
    {
      g_autofree char *own = g_strdup_printf ("result_%u", i);

      add_output (self, made[i], inner, own);
    }
  return TRUE;
}

/* A model of its own; NULL with an error. */
static SymModel *
make_body (SymOnnxLowering *around,
           const SymOnnxPart *part,
           SymId call,
           Fill fill,
           const char *name,
           const char *path,
           GError **error)
{
  int k = sym_layer_find_body (sym_model_get_layer (part->model, call), name);
  g_autoptr (SymModelBuilder) builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (GString) unset = g_string_new (NULL);
  g_autoptr (GArray) unset_values = g_array_new (FALSE, FALSE, sizeof (SymId));
  SymOnnxLowering self = *around;

  if (k < 0 || sym_inference_get_body (part->inference, call, (guint) k) == NULL)
    {
      sym_onnx_lower_fail (part, call, "what is in it is not known", error);
      return NULL;
    }
  self.builder = builder;
  self.unset = unset;
  self.unset_values = unset_values;
  self.depth++;
  if (!fill (&self, part, call, name, path, error))
    return NULL;
  if (unset_values->len > 0)
    {
      sym_onnx_lower_fail (part, call, "parameters within it have no numbers", error);
      return NULL;
    }
  around->n_left_out = self.n_left_out;
  sym_model_builder_set_name (builder, name);
  return sym_model_builder_end (g_steal_pointer (&builder));
}

/* ---- Their calls ---- */

static void
take_results (SymOnnxLowering *self,
              SymOnnxPart *part,
              SymId call,
              SymId made,
              const char *path,
              guint n)
{
  SymIds results = sym_model_get_results (part->model, call);

  for (guint i = 0; i < n; i++)
    {
      SymId result = sym_model_builder_get_result (self->builder, made, i);
      g_autofree char *name = g_strdup_printf ("%s:%u", path, i);

      sym_model_builder_set_value_name (self->builder, result, name);
      if (i < results.n)
        part->values[results.ids[i]] = result;
    }
}

static gboolean
put_loop (SymOnnxLowering *self, SymOnnxPart *part, SymId call, const char *path, GError **error)
{
  SymIds operands = sym_model_get_operands (part->model, call);
  const SymOperator *op = sym_op_find ("", "Loop", SYM_OP_LOWER_VERSION);
  g_autoptr (SymLayer) layer = sym_layer_new (op->name, op, NULL);
  g_autofree SymId *given = g_new (SymId, operands.n + N_OWN);
  g_autofree char *first = g_strconcat (path, "/first", NULL);
  g_autoptr (SymModel) body = NULL;
  SymId made;

  given[0] = SYM_NO_ID;
  for (guint i = 0; i < operands.n; i++)
    given[N_OWN + i] = sym_onnx_lower_value (self, part, operands.ids[i]);
  if (!put_body (self, part, call, "cond", first, given + N_OWN, operands.n, given + 1, 1, error))
    return FALSE;
  body = make_body (self, part, call, fill_loop, "body", path, error);
  if (body == NULL)
    return FALSE;
  sym_layer_add_body (layer, "body", body, FALSE);
  made = sym_model_builder_add_call (self->builder, path, layer, given, operands.n + N_OWN,
                                     operands.n);
  take_results (self, part, call, made, path, operands.n);
  return TRUE;
}

/* Numbers are true where they are not 0. */
static SymId
make_truth (SymOnnxLowering *self, const SymOnnxPart *part, SymId condition, SymId value)
{
  const SymOperator *op = sym_op_find ("", "Cast", SYM_OP_LOWER_VERSION);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  g_autoptr (SymLayer) layer = NULL;
  SymId call;

  if (sym_inference_get_type (part->inference, condition).dtype == SYM_DTYPE_BOOL)
    return value;
  sym_attributes_set (attributes, "to", sym_value_new_dtype (SYM_DTYPE_BOOL), NULL);
  layer = sym_layer_new (op->name, op, attributes);
  call = sym_model_builder_add_call (self->builder, NULL, layer, &value, 1, 1);
  return sym_model_builder_get_result (self->builder, call, 0);
}

/* Both branches take all inputs. */
static gboolean
put_if (SymOnnxLowering *self, SymOnnxPart *part, SymId call, const char *path, GError **error)
{
  SymIds operands = sym_model_get_operands (part->model, call);
  guint n = operands.n - MIN (operands.n, 1), n_made = sym_model_get_results (part->model, call).n;
  const SymOperator *op = sym_op_find ("", "If", SYM_OP_LOWER_VERSION);
  g_autoptr (SymLayer) layer = sym_layer_new (op->name, op, NULL);
  g_autofree SymId *given = g_new (SymId, 2 * n + 1);
  SymId made;

  if (operands.n == 0)
    return sym_onnx_lower_fail (part, call, "it has no condition", error);
  given[0] =
      make_truth (self, part, operands.ids[0], sym_onnx_lower_value (self, part, operands.ids[0]));
  for (guint k = 0; k < G_N_ELEMENTS (branches); k++)
    {
      g_autoptr (SymModel) body =
          make_body (self, part, call, fill_branch, branches[k], path, error);

      if (body == NULL)
        return FALSE;
      sym_layer_add_body (layer, branches[k], body, FALSE);
      sym_layer_set_body_captures (layer, k, n);
      for (guint i = 0; i < n; i++)
        given[1 + k * n + i] = sym_onnx_lower_value (self, part, operands.ids[1 + i]);
    }
  made = sym_model_builder_add_call (self->builder, path, layer, given, 2 * n + 1, n_made);
  take_results (self, part, call, made, path, n_made);
  return TRUE;
}

gboolean
sym_onnx_lower_control (SymOnnxLowering *self, SymOnnxPart *part, SymId call, GError **error)
{
  SymLayer *layer = sym_model_get_layer (part->model, call);
  g_autofree char *path = sym_onnx_lower_name (part, sym_model_get_call_name (part->model, call),
                                               sym_layer_get_type (layer));

  if (self->depth >= SYM_ONNX_LOWER_MAX_DEPTH)
    return sym_onnx_lower_fail (part, call, "it is nested too deep", error);
  return is_named (layer, "While") ? put_loop (self, part, call, path, error)
                                   : put_if (self, part, call, path, error);
}
