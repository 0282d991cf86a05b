/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-lower-private.h"

#include <string.h>

#include "ops/sym-op-lower.h"
#include "ops/sym-op.h"

/* A model of another dialect in ONNX's operators: each layer gives way to what it is lowered to,
 * models within models to what is in them. */

static gboolean
is_onnx (const SymOperator *op)
{
  return op != NULL && (*op->domain == '\0' || g_str_has_prefix (op->domain, "ai.onnx"));
}

/* ---- Values ---- */

char *
sym_onnx_lower_name (const SymOnnxPart *part, const char *name, const char *otherwise)
{
  if (name == NULL || name[0] == '\0')
    name = otherwise;
  return part->path == NULL ? g_strdup (name) : g_strdup_printf ("%s/%s", part->path, name);
}

static void
note_unset (SymOnnxLowering *self, SymId made, const char *name)
{
  g_array_append_val (self->unset_values, made);
  sym_onnx_lower_add_name (self->unset, self->unset_values->len, name);
}

/* A value that no call makes.  Parameters without numbers have to come from outside. */
static SymId
add_value (SymOnnxLowering *self, const SymOnnxPart *part, SymId value)
{
  SymModel *model = part->model;
  SymTensor *tensor = sym_model_get_tensor (model, value);
  SymType type = sym_inference_get_type (part->inference, value);
  g_autofree char *name =
      sym_onnx_lower_name (part, sym_model_get_value_name (model, value), "constant");
  SymRole role = sym_model_get_role (model, value);
  gboolean is_unset;
  SymId made;

  for (int i = 0; i < type.shape.rank; i++)
    if (type.shape.dims[i] < 0)
      type.shape.dims[i] = SYM_DIM_UNKNOWN;
  is_unset = tensor == NULL && !sym_role_is_data (role) &&
             (self->flags & SYM_ONNX_LOWER_KEEP_PARAMETERS) == 0;
  made = sym_model_builder_add_value (self->builder, name, is_unset ? SYM_ROLE_INPUT : role, &type);
  if (tensor != NULL)
    sym_model_builder_set_tensor (self->builder, made, sym_tensor_ref (tensor));
  if (is_unset)
    note_unset (self, made, name);
  return made;
}

static void
own (SymOnnxLowering *self, const SymOnnxPart *part, SymId value)
{
  gpointer made = GUINT_TO_POINTER (part->values[value]);

  if (!g_hash_table_contains (self->owners, made))
    g_hash_table_insert (self->owners, made, GUINT_TO_POINTER (value + 1));
}

static int
find_input (const SymOnnxLowering *self, SymId value)
{
  SymIds inputs = sym_model_get_inputs (self->main);

  for (guint i = 0; i < inputs.n; i++)
    if (inputs.ids[i] == value)
      return (int) i;
  return -1;
}

/* The value in the builder, which is made when it is used first: an input that only a gradient
 * looks at is not needed. */
SymId
sym_onnx_lower_value (SymOnnxLowering *self, SymOnnxPart *part, SymId value)
{
  int input;

  if (value == SYM_NO_ID || part->values[value] != SYM_NO_ID ||
      sym_model_get_producer (part->model, value) != SYM_NO_ID)
    return value == SYM_NO_ID ? SYM_NO_ID : part->values[value];
  part->values[value] = add_value (self, part, value);
  if (part->path == NULL)
    own (self, part, value);
  input = part->path == NULL ? find_input (self, value) : -1;
  if (input >= 0)
    g_array_index (self->inputs, SymId, input) = part->values[value];
  return part->values[value];
}

SymId *
sym_onnx_lower_new_values (const SymModel *model)
{
  SymId *values = g_new (SymId, sym_model_get_n_values (model) + 1);

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    values[value] = SYM_NO_ID;
  return values;
}

/* ---- Calls ---- */

gboolean
sym_onnx_lower_fail (const SymOnnxPart *part, SymId call, const char *why, GError **error)
{
  const char *name = sym_model_get_call_name (part->model, call);

  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
               "the layer “%s” of type %s has no counterpart in ONNX that is known here%s%s",
               name == NULL || name[0] == '\0' ? part->path == NULL ? "" : part->path : name,
               sym_layer_get_type (sym_model_get_layer (part->model, call)),
               why == NULL ? "" : ": ", why == NULL ? "" : why);
  return FALSE;
}

static void
name_result (SymOnnxLowering *self, const SymOnnxPart *part, SymId result)
{
  const char *name = sym_model_get_value_name (part->model, result);
  g_autofree char *full = sym_onnx_lower_name (part, name, "value");

  if (name != NULL && name[0] != '\0')
    sym_model_builder_set_value_name (self->builder, part->values[result], full);
}

/* The numbers of operand @i, which may be one of the calls around; NULL when it has none. */
static SymTensor *
find_numbers (const SymOnnxLowering *self, const SymOnnxPart *part, SymIds operands, guint i)
{
  SymId value = i < operands.n ? operands.ids[i] : SYM_NO_ID;
  SymTensor *tensor = value == SYM_NO_ID ? NULL : sym_model_get_tensor (part->model, value);
  guint owner;

  if (value == SYM_NO_ID || tensor != NULL)
    return tensor;
  owner =
      GPOINTER_TO_UINT (g_hash_table_lookup (self->owners, GUINT_TO_POINTER (part->values[value])));
  return owner == 0 ? NULL : sym_model_get_tensor (self->main, owner - 1);
}

/* Of the @i-th of the values: what is inferred, or else what the outside knows of an output. */
static SymType
get_type (const SymOnnxPart *part, SymIds values, guint i)
{
  SymIds outputs = sym_model_get_outputs (part->model);
  SymType type = SYM_TYPE_UNKNOWN;

  if (i < values.n && values.ids[i] != SYM_NO_ID)
    type = sym_inference_get_type (part->inference, values.ids[i]);
  if (i >= values.n || part->results == NULL || sym_shape_is_known (&type.shape))
    return type;
  for (guint k = 0; k < outputs.n; k++)
    if (outputs.ids[k] == values.ids[i])
      return part->results[k];
  return type;
}

/* A call of ONNX goes in as it is. */
static void
put_call (SymOnnxLowering *self, SymOnnxPart *part, SymId call)
{
  SymIds operands = sym_model_get_operands (part->model, call);
  SymIds results = sym_model_get_results (part->model, call);
  SymOnnxKnown known = { get_type (part, operands, 0), get_type (part, results, 0),
                         find_numbers (self, part, operands, 1) };
  guint n;
  g_autoptr (SymLayer) layer = sym_onnx_lower_layer (part->model, call, &known,
                                                     (self->flags & SYM_ONNX_LOWER_OLDER) != 0, &n);
  g_autofree SymId *mapped = g_new (SymId, operands.n + 1);
  g_autofree char *name = sym_onnx_lower_name (part, sym_model_get_call_name (part->model, call),
                                               sym_layer_get_type (layer));
  SymId made;

  for (guint i = 0; i < n; i++)
    mapped[i] = sym_onnx_lower_value (self, part, operands.ids[i]);
  made = sym_model_builder_add_call (self->builder, name, layer, mapped, n, results.n);
  for (guint i = 0; i < results.n; i++)
    {
      part->values[results.ids[i]] = sym_model_builder_get_result (self->builder, made, i);
      name_result (self, part, results.ids[i]);
    }
}

/* The calls of @body in place of the call; its outputs are the results of the call. */
static gboolean
put_body (SymOnnxLowering *self,
          SymOnnxPart *part,
          SymId call,
          SymModel *body,
          const SymInference *inference,
          const int *operand_of,
          GError **error)
{
  SymIds operands = sym_model_get_operands (part->model, call);
  SymIds results = sym_model_get_results (part->model, call);
  SymIds formal = sym_model_get_inputs (body);
  SymIds outputs = sym_model_get_outputs (body);
  g_autofree SymId *values = sym_onnx_lower_new_values (body);
  g_autofree char *path =
      sym_onnx_lower_name (part, sym_model_get_call_name (part->model, call),
                           sym_layer_get_type (sym_model_get_layer (part->model, call)));
  g_autofree SymType *types = g_new0 (SymType, outputs.n + 1);
  SymOnnxPart inner = { body, inference, path, values, part->is_made || operand_of == NULL, types };
  guint n_before = sym_model_builder_get_n_values (self->builder);
  gboolean done;

  if (self->depth >= SYM_ONNX_LOWER_MAX_DEPTH)
    return sym_onnx_lower_fail (part, call, "it is nested too deep", error);
  if (outputs.n < results.n)
    return sym_onnx_lower_fail (part, call, "what it holds has fewer outputs than it has", error);
  for (guint i = 0; i < formal.n; i++)
    {
      guint slot = operand_of == NULL ? i : (guint) operand_of[i];

      if (slot < operands.n)
        values[formal.ids[i]] = sym_onnx_lower_value (self, part, operands.ids[slot]);
    }
  for (guint i = 0; i < outputs.n; i++)
    types[i] = get_type (part, results, i);
  self->depth++;
  done = sym_onnx_lower_calls (self, &inner, error);
  self->depth--;
  for (guint i = 0; done && i < MIN (results.n, outputs.n); i++)
    {
      SymId made = sym_onnx_lower_value (self, &inner, outputs.ids[i]);

      part->values[results.ids[i]] = made;
      if (made != SYM_NO_ID && made >= n_before) /* else it comes from before the call */
        name_result (self, part, results.ids[i]);
    }
  return done;
}

static gboolean
put_nested (SymOnnxLowering *self, SymOnnxPart *part, SymId call, guint i, GError **error)
{
  SymLayer *layer = sym_model_get_layer (part->model, call);
  SymModel *body = sym_layer_get_body (layer, i, NULL);
  const SymInference *inference = sym_inference_get_body (part->inference, call, i);
  guint n = sym_model_get_inputs (body).n;
  g_autofree int *operand_of = g_new (int, n + 1);

  if (inference == NULL)
    return sym_onnx_lower_fail (part, call, "what is in it is not known", error);
  sym_layer_get_body_operands (layer, i, sym_model_get_operands (part->model, call).n, operand_of,
                               n);
  return put_body (self, part, call, body, inference, operand_of, error);
}

/* Elements of a sequence may have any shape. */
static gboolean
is_known (const SymType *type)
{
  return type->kind == SYM_KIND_SEQUENCE ||
         (type->kind == SYM_KIND_TENSOR && type->dtype != SYM_DTYPE_UNKNOWN &&
          sym_shape_is_known (&type->shape));
}

/* What the lowering has to know of the operands; FALSE when the shapes are not known. */
static gboolean
read_operands (const SymOnnxPart *part, SymId call, SymType *types, SymOpKnown *known)
{
  SymIds operands = sym_model_get_operands (part->model, call);
  const SymOperator *op = sym_layer_get_operator (sym_model_get_layer (part->model, call));

  for (guint i = 0; i < operands.n; i++)
    {
      SymId value = operands.ids[i];

      types[i] =
          value == SYM_NO_ID ? SYM_TYPE_UNKNOWN : sym_inference_get_type (part->inference, value);
      if (value != SYM_NO_ID && sym_op_needs_operand (op, i) && !is_known (&types[i]))
        return FALSE;
    }
  sym_op_lower_find_known (part->inference, operands, known);
  return TRUE;
}

/* What @layer becomes for the operands of @call; NULL with an error that says why it cannot. */
static SymModel *
make_body (SymOnnxLowering *self,
           const SymOnnxPart *part,
           SymId call,
           SymLayer *layer,
           GError **error)
{
  guint n = sym_model_get_operands (part->model, call).n;
  g_autofree SymType *types = g_new (SymType, n + 1);
  g_autofree SymOpKnown *known = g_new0 (SymOpKnown, n + 1);
  g_autoptr (GError) cause = NULL;
  g_autofree char *missing = NULL;
  SymModel *body;

  if (!read_operands (part, call, types, known))
    {
      sym_onnx_lower_fail (
          part, call,
          "the shapes that it is used with are not known; those of the inputs have to be told",
          error);
      return NULL;
    }
  body = sym_op_lower_known (layer, types, known, n, sym_model_get_results (part->model, call).n,
                             &cause);
  if (body != NULL)
    return body;
  missing = sym_onnx_lower_blame (part, call, types, cause);
  self->is_told = missing != NULL;
  sym_onnx_lower_fail (part, call, missing != NULL ? missing : cause->message, error);
  return NULL;
}

static gboolean
put_made (SymOnnxLowering *self, SymOnnxPart *part, SymId call, SymModel *body, GError **error)
{
  g_autoptr (SymInference) inference = sym_infer (body, NULL, 0, NULL, NULL);

  return put_body (self, part, call, body, inference, NULL, error);
}

static gboolean
put_lowered (SymOnnxLowering *self, SymOnnxPart *part, SymId call, SymLayer *layer, GError **error)
{
  g_autoptr (SymModel) body = make_body (self, part, call, layer, error);

  return body != NULL && put_made (self, part, call, body, error);
}

/* A newer layer of ONNX by older ones; NULL where that cannot be. */
static SymModel *
make_older (SymOnnxLowering *self, const SymOnnxPart *part, SymId call)
{
  gboolean was_told = self->is_told;
  g_autoptr (SymLayer) older = (self->flags & SYM_ONNX_LOWER_OLDER) == 0
                                   ? NULL
                                   : sym_onnx_find_older (sym_model_get_layer (part->model, call));
  SymModel *body = older == NULL ? NULL : make_body (self, part, call, older, NULL);

  self->is_told = was_told;
  return body;
}

static gboolean
put_onnx (SymOnnxLowering *self, SymOnnxPart *part, SymId call, GError **error)
{
  g_autoptr (SymModel) older = make_older (self, part, call);

  if (older != NULL)
    return put_made (self, part, call, older, error);
  put_call (self, part, call);
  return TRUE;
}

static gboolean
put_one (SymOnnxLowering *self, SymOnnxPart *part, SymId call, GError **error)
{
  SymLayer *layer = sym_model_get_layer (part->model, call);
  const SymOperator *op = sym_layer_get_operator (layer);

  if (sym_op_has_lowering (op))
    return put_lowered (self, part, call, layer, error);
  if (is_onnx (op))
    return put_onnx (self, part, call, error);
  if (sym_onnx_is_control (layer))
    return sym_onnx_lower_control (self, part, call, error);
  for (guint i = 0; i < sym_layer_get_n_bodies (layer); i++)
    if (sym_layer_get_body_runs (layer, i))
      return put_nested (self, part, call, i, error);
  return sym_onnx_lower_fail (part, call, NULL, error);
}

gboolean
sym_onnx_makes_needed (const SymModel *model, SymId call, const gboolean *needed)
{
  SymIds results = sym_model_get_results (model, call);

  for (guint i = 0; i < results.n; i++)
    if (needed[results.ids[i]])
      return TRUE;
  return FALSE;
}

/* Values that outputs are made of. */
static gboolean *
mark_needed (const SymModel *model)
{
  SymIds order = sym_model_get_execution_order (model), outputs = sym_model_get_outputs (model);
  gboolean *needed = g_new0 (gboolean, sym_model_get_n_values (model) + 1);

  for (guint i = 0; i < outputs.n; i++)
    if (outputs.ids[i] != SYM_NO_ID)
      needed[outputs.ids[i]] = TRUE;
  for (guint i = order.n; i-- > 0;)
    {
      SymIds operands = sym_model_get_operands (model, order.ids[i]);

      for (guint k = 0; sym_onnx_makes_needed (model, order.ids[i], needed) && k < operands.n; k++)
        if (operands.ids[k] != SYM_NO_ID)
          needed[operands.ids[k]] = TRUE;
    }
  return needed;
}

static void
leave_out (SymOnnxLowering *self, const SymOnnxPart *part, SymId call)
{
  g_autofree char *name =
      sym_onnx_lower_name (part, sym_model_get_call_name (part->model, call),
                           sym_layer_get_type (sym_model_get_layer (part->model, call)));

  if (!part->is_made)
    sym_onnx_lower_add_name (self->left_out, ++self->n_left_out, name);
}

/* What only happens besides, as saving and restoring variables of TensorFlow, ONNX has not. */
gboolean
sym_onnx_lower_calls (SymOnnxLowering *self, SymOnnxPart *part, GError **error)
{
  SymIds order = sym_model_get_execution_order (part->model);
  g_autofree gboolean *needed = mark_needed (part->model);

  for (guint i = 0; i < order.n; i++)
    {
      SymIds results = sym_model_get_results (part->model, order.ids[i]);

      if (!sym_onnx_makes_needed (part->model, order.ids[i], needed))
        {
          leave_out (self, part, order.ids[i]);
          continue;
        }
      if (!put_one (self, part, order.ids[i], error))
        return FALSE;
      for (guint j = 0; part->path == NULL && j < results.n; j++)
        own (self, part, results.ids[j]);
    }
  return TRUE;
}

/* ---- The model ---- */

/* An output has the name that it had, also where what makes it has another one. */
static gboolean
add_output (SymOnnxLowering *self, SymOnnxPart *part, SymId value, GError **error)
{
  SymType type = sym_inference_get_type (part->inference, value);
  SymId made = sym_onnx_lower_value (self, part, value);

  if (made == SYM_NO_ID)
    return sym_onnx_lower_fail (part, sym_model_get_producer (part->model, value),
                                "what it holds makes nothing of its output", error);
  if (g_hash_table_lookup (self->owners, GUINT_TO_POINTER (made)) != GUINT_TO_POINTER (value + 1))
    {
      const SymOperator *op = sym_op_find ("", "Identity", SYM_OP_LOWER_VERSION);
      g_autoptr (SymLayer) layer = sym_layer_new (op->name, op, NULL);
      SymId call = sym_model_builder_add_call (self->builder, NULL, layer, &made, 1, 1);

      made = sym_model_builder_get_result (self->builder, call, 0);
      sym_model_builder_set_value_name (self->builder, made,
                                        sym_model_get_value_name (part->model, value));
    }
  for (int i = 0; i < type.shape.rank; i++)
    if (type.shape.dims[i] < 0)
      type.shape.dims[i] = SYM_DIM_UNKNOWN;
  if (type.kind == SYM_KIND_TENSOR && type.dtype != SYM_DTYPE_UNKNOWN && type.shape.rank >= 0)
    sym_model_builder_set_type (self->builder, made, &type); /* ONNX's rule says less of loops */
  sym_model_builder_add_output (self->builder, made);
  return TRUE;
}

static gboolean
put_model (SymOnnxLowering *self, const SymInference *inference, GError **error)
{
  SymIds outputs = sym_model_get_outputs (self->main);
  g_autofree SymId *values = sym_onnx_lower_new_values (self->main);
  SymOnnxPart part = { self->main, inference, NULL, values, FALSE };

  if (!sym_onnx_lower_calls (self, &part, error))
    return FALSE;
  for (guint i = 0; i < outputs.n; i++)
    if (!add_output (self, &part, outputs.ids[i], error))
      return FALSE;
  for (guint i = 0; i < self->inputs->len; i++)
    if (g_array_index (self->inputs, SymId, i) != SYM_NO_ID)
      sym_model_builder_add_input (self->builder, g_array_index (self->inputs, SymId, i));
  for (guint i = 0; i < self->unset_values->len; i++)
    sym_model_builder_add_input (self->builder, g_array_index (self->unset_values, SymId, i));
  return TRUE;
}

gboolean
sym_onnx_needs_lowering (const SymModel *model)
{
  if (sym_onnx_get_origin (model) != NULL) /* it is written as it was */
    return FALSE;
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    if (sym_model_has_call (model, call))
      {
        SymLayer *layer = sym_model_get_layer (model, call);
        const SymOperator *op = sym_layer_get_operator (layer);

        if (sym_op_has_lowering (op) ||
            (!is_onnx (op) && sym_layer_get_running_body (layer) != NULL))
          return TRUE;
      }
  return FALSE;
}

/* An input has the names of sizes that it had. */
static SymType
name_sizes (SymOnnxLowering *self, SymId made, SymType type)
{
  SymIds inputs = sym_model_get_inputs (self->main);

  for (guint i = 0; i < inputs.n; i++)
    {
      SymType declared = sym_model_get_declared_type (self->main, inputs.ids[i]);

      for (int k = 0; g_array_index (self->inputs, SymId, i) == made && k < type.shape.rank; k++)
        {
          g_autofree char *name =
              type.shape.dims[k] >= 0 || declared.shape.rank != type.shape.rank
                  ? NULL
                  : sym_terms_format (sym_model_get_terms (self->main), declared.shape.dims[k]);

          if (name != NULL)
            type.shape.dims[k] =
                sym_terms_get_named (sym_model_builder_get_terms (self->builder), name);
        }
    }
  return type;
}

static void
open_sizes (SymOnnxLowering *self, const GArray *changes)
{
  for (guint i = 0; changes != NULL && i < changes->len; i++)
    {
      const SymOnnxChange *change = &g_array_index (changes, SymOnnxChange, i);
      SymType type = name_sizes (self, change->value, change->type);

      sym_model_builder_set_type (self->builder, change->value, &type);
      if (change->tensor != NULL)
        sym_model_builder_set_tensor (self->builder, change->value,
                                      sym_tensor_ref (change->tensor));
    }
}

SymModel *
sym_onnx_lower_settled (const SymInference *settled,
                        SymOnnxLowerFlags flags,
                        const GArray *changes,
                        const char *taken,
                        SymProblems *notes,
                        GError **error)
{
  SymModel *model = sym_inference_get_model (settled);
  g_autoptr (SymModelBuilder) builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (GString) unset = g_string_new (NULL);
  g_autoptr (GArray) inputs = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autoptr (GHashTable) owners = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) unset_values = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autoptr (GString) left_out = g_string_new (NULL);
  SymOnnxLowering self = { builder, model,  flags,    0, unset, unset_values,
                           inputs,  owners, left_out, 0, FALSE };
  SymId none = SYM_NO_ID;

  for (guint i = 0; i < sym_model_get_inputs (model).n; i++)
    g_array_append_val (inputs, none);
  if (!put_model (&self, settled, error))
    {
      sym_onnx_lower_blame_taken (self.is_told ? NULL : taken, error);
      return NULL;
    }
  open_sizes (&self, changes);
  if (notes != NULL)
    sym_onnx_lower_tell (&self, taken, notes);
  sym_model_builder_set_name (builder, sym_model_get_name (model));
  return sym_model_builder_end (g_steal_pointer (&builder));
}
