/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-raise-private.h"

#include <string.h>

#include "core/sym-element.h"
#include "core/sym-model-builder.h"
#include "io/sym-onnx-write-private.h"

struct _SymMxnetRaise {
  SymModelBuilder *builder;
  SymModel *model; /* of ONNX */
  const SymInference *inference;
  SymId *values;     /* in the builder, by the model's; SYM_NO_ID for none yet */
  GHashTable *names; /* that calls have */
  SymId call;        /* at hand */
  GError *error;
};

/* ---- What a layer has ---- */

static SymLayer *
get_layer (SymMxnetRaise *self)
{
  return sym_model_get_layer (self->model, self->call);
}

static SymId
get_operand (SymMxnetRaise *self, guint slot)
{
  SymIds operands = sym_model_get_operands (self->model, self->call);

  return slot < operands.n ? operands.ids[slot] : SYM_NO_ID;
}

const char *
sym_mxnet_raise_get_type (SymMxnetRaise *self)
{
  return sym_layer_get_operator (get_layer (self))->name;
}

int
sym_mxnet_raise_get_version (SymMxnetRaise *self)
{
  return sym_layer_get_operator (get_layer (self))->since_version;
}

const SymAttributes *
sym_mxnet_raise_get_attributes (SymMxnetRaise *self)
{
  return sym_layer_get_attributes (get_layer (self));
}

gboolean
sym_mxnet_raise_has (SymMxnetRaise *self, guint slot)
{
  return get_operand (self, slot) != SYM_NO_ID;
}

static SymType
get_type (SymMxnetRaise *self, SymId value)
{
  SymType type =
      value == SYM_NO_ID ? SYM_TYPE_UNKNOWN : sym_inference_get_type (self->inference, value);

  if (type.kind != SYM_KIND_TENSOR)
    type.shape = SYM_SHAPE_UNKNOWN;
  for (int i = 0; i < type.shape.rank; i++)
    type.shape.dims[i] = type.shape.dims[i] < 0 ? SYM_DIM_UNKNOWN : type.shape.dims[i];
  return type;
}

SymShape
sym_mxnet_raise_get_shape (SymMxnetRaise *self, guint slot)
{
  return get_type (self, get_operand (self, slot)).shape;
}

SymDType
sym_mxnet_raise_get_dtype (SymMxnetRaise *self, guint slot)
{
  return get_type (self, get_operand (self, slot)).dtype;
}

SymShape
sym_mxnet_raise_get_result_shape (SymMxnetRaise *self, guint i)
{
  return get_type (self, sym_model_get_results (self->model, self->call).ids[i]).shape;
}

SymDType
sym_mxnet_raise_get_result_dtype (SymMxnetRaise *self, guint i)
{
  return get_type (self, sym_model_get_results (self->model, self->call).ids[i]).dtype;
}

guint
sym_mxnet_raise_count_results (SymMxnetRaise *self)
{
  return sym_model_get_results (self->model, self->call).n;
}

gint64
sym_mxnet_raise_get_int (SymMxnetRaise *self, const char *name, gint64 fallback)
{
  return sym_attributes_get_int (sym_mxnet_raise_get_attributes (self), name, fallback);
}

double
sym_mxnet_raise_get_float (SymMxnetRaise *self, const char *name, double fallback)
{
  return sym_attributes_get_float (sym_mxnet_raise_get_attributes (self), name, fallback);
}

gboolean
sym_mxnet_raise_find_axis (SymMxnetRaise *self, gint64 axis, gint64 *normal)
{
  int rank = sym_mxnet_raise_get_shape (self, 0).rank;

  *normal = axis < 0 ? axis + rank : axis;
  if (rank >= 0 && *normal >= 0 && *normal < rank)
    return TRUE;
  sym_mxnet_raise_fail (self, "the axes of its data are not known");
  return FALSE;
}

int
sym_mxnet_raise_get_ints (SymMxnetRaise *self,
                          const char *name,
                          guint slot,
                          gint64 *values,
                          int max)
{
  const SymValue *value =
      name == NULL ? NULL : sym_attributes_find (sym_mxnet_raise_get_attributes (self), name);
  SymId operand = slot == 0 ? SYM_NO_ID : get_operand (self, slot);
  int n = -1;

  if (value != NULL)
    n = sym_value_get_ints (value, values, max);
  else if (operand != SYM_NO_ID)
    n = sym_inference_get_ints (self->inference, operand, values, max);
  return n > max ? -1 : n;
}

/* The numbers of a value that is known beforehand; NULL for none. */
static SymTensor *
find_tensor (SymMxnetRaise *self, SymId value)
{
  SymId call = sym_model_get_producer (self->model, value);
  SymLayer *layer = call == SYM_NO_ID ? NULL : sym_model_get_layer (self->model, call);
  const SymOperator *op = layer == NULL ? NULL : sym_layer_get_operator (layer);
  const SymValue *held;

  if (op == NULL)
    return sym_model_get_tensor (self->model, value);
  held = strcmp (op->name, "Constant") == 0
             ? sym_attributes_find (sym_layer_get_attributes (layer), "value")
             : NULL;
  return held == NULL ? NULL : sym_value_get_tensor (held);
}

gboolean
sym_mxnet_raise_get_number (SymMxnetRaise *self, const char *name, guint slot, double *number)
{
  const SymValue *value =
      name == NULL ? NULL : sym_attributes_find (sym_mxnet_raise_get_attributes (self), name);
  SymId operand = get_operand (self, slot);
  SymTensor *tensor = operand == SYM_NO_ID ? NULL : find_tensor (self, operand);
  guint8 bytes[16];
  guint64 n;

  if (value != NULL)
    return sym_value_get_float (value, number);
  if (tensor == NULL || !sym_shape_get_n_elements (sym_tensor_get_shape (tensor), &n) || n != 1 ||
      sym_dtype_get_bits (sym_tensor_get_dtype (tensor)) < 8 ||
      sym_tensor_get_n_bytes (tensor) > sizeof bytes ||
      !sym_tensor_read (tensor, 0, sym_tensor_get_n_bytes (tensor), bytes, NULL))
    return FALSE;
  *number = sym_element_get_double (sym_tensor_get_dtype (tensor), bytes, 0);
  return TRUE;
}

/* ---- What it becomes ---- */

void
sym_mxnet_raise_fail (SymMxnetRaise *self, const char *why)
{
  if (self->error == NULL)
    g_set_error (&self->error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                 "the layer “%s” of type %s has no counterpart in MXNet%s%s",
                 sym_model_get_call_name (self->model, self->call),
                 sym_layer_get_type (get_layer (self)), why == NULL ? "" : ": ",
                 why == NULL ? "" : why);
}

SymValue *
sym_mxnet_raise_tuple (const gint64 *values, int n)
{
  return sym_value_new_ints (SYM_VALUE_TUPLE, values, (guint) n);
}

gboolean
sym_mxnet_raise_has_dtype (SymDType dtype)
{
  static const SymDType known[] = { SYM_DTYPE_FLOAT16, SYM_DTYPE_FLOAT32, SYM_DTYPE_FLOAT64,
                                    SYM_DTYPE_UINT8,   SYM_DTYPE_INT8,    SYM_DTYPE_INT32,
                                    SYM_DTYPE_INT64 };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (known[i] == dtype)
      return TRUE;
  return FALSE;
}

/* What comes from outside must be of a dtype that MXNet has. */
static void
check_dtype (SymMxnetRaise *self, SymId value, SymDType dtype)
{
  if (self->error == NULL && dtype != SYM_DTYPE_UNKNOWN && !sym_mxnet_raise_has_dtype (dtype))
    g_set_error (&self->error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                 "“%s” is of %s, which MXNet does not have",
                 sym_model_get_value_name (self->model, value), sym_dtype_to_string (dtype));
}

/* Data that comes from outside. */
static SymId
add_input (SymMxnetRaise *self, SymId value)
{
  SymType type = get_type (self, value);
  SymId made = sym_model_builder_add_value (
      self->builder, sym_model_get_value_name (self->model, value), SYM_ROLE_INPUT, &type);

  check_dtype (self, value, type.dtype);
  sym_model_builder_add_input (self->builder, made);
  return made;
}

static SymId
add_parameter (SymMxnetRaise *self, SymId value, SymTensor *tensor, SymRole role)
{
  SymType type = sym_type_tensor (sym_tensor_get_dtype (tensor), *sym_tensor_get_shape (tensor));
  SymId made = sym_model_builder_add_value (
      self->builder, sym_model_get_value_name (self->model, value), role, &type);

  check_dtype (self, value, type.dtype);
  sym_model_builder_set_parameter (self->builder, made,
                                   sym_parameter_new (role == SYM_ROLE_PARAMETER, tensor));
  return made;
}

static SymId
take_operand (SymMxnetRaise *self, guint slot, SymRole role)
{
  SymId value = get_operand (self, slot);
  SymTensor *tensor;

  if (value == SYM_NO_ID || self->error != NULL)
    return SYM_NO_ID;
  tensor = find_tensor (self, value);
  if (self->values[value] == SYM_NO_ID && tensor != NULL)
    self->values[value] = add_parameter (self, value, tensor, role);
  if (self->values[value] == SYM_NO_ID)
    sym_mxnet_raise_fail (self, "what it is applied to is not known");
  return self->values[value];
}

SymId
sym_mxnet_raise_operand (SymMxnetRaise *self, guint slot)
{
  return take_operand (self, slot, SYM_ROLE_PARAMETER);
}

SymId
sym_mxnet_raise_auxiliary (SymMxnetRaise *self, guint slot)
{
  return take_operand (self, slot, SYM_ROLE_AUXILIARY);
}

static char *
choose_name (SymMxnetRaise *self, const char *wanted)
{
  char *name = g_strdup (wanted);

  for (guint i = 1; !g_hash_table_add (self->names, name); i++)
    name = g_strdup_printf ("%s_%u", wanted, i); /* the name that was taken is the set's */
  return name;
}

static SymAttributes *
read_attributes (va_list list)
{
  SymAttributes *attributes = sym_attributes_new ();

  for (const char *name = va_arg (list, const char *); name != NULL;
       name = va_arg (list, const char *))
    sym_attributes_set (attributes, name, va_arg (list, SymValue *), NULL);
  return attributes;
}

static SymId
add_call (SymMxnetRaise *self,
          const char *wanted,
          const char *type,
          const SymId *operands,
          guint n,
          guint n_results,
          SymAttributes *attributes)
{
  const SymOperator *op = sym_op_find ("mxnet", type, 0);
  g_autoptr (SymLayer) layer = sym_layer_new (type, op, attributes);
  const char *name = choose_name (self, wanted);
  SymId call;

  call = sym_model_builder_add_call (self->builder, name, layer, operands, n, n_results);
  for (guint i = 0; i < n_results; i++)
    {
      g_autofree char *result = n_results == 1 ? g_strdup_printf ("%s_output", name)
                                               : g_strdup_printf ("%s_output%u", name, i);

      sym_model_builder_set_value_name (
          self->builder, sym_model_builder_get_result (self->builder, call, i), result);
    }
  return call;
}

static const char *
get_result_name (SymMxnetRaise *self)
{
  return sym_model_get_value_name (self->model,
                                   sym_model_get_results (self->model, self->call).ids[0]);
}

SymId
sym_mxnet_raise_call (SymMxnetRaise *self,
                      const char *op,
                      const SymId *operands,
                      guint n_operands,
                      ...)
{
  g_autoptr (SymAttributes) attributes = NULL;
  g_autofree char *name = NULL;
  va_list list;

  va_start (list, n_operands);
  attributes = read_attributes (list);
  va_end (list);
  if (self->error != NULL)
    return SYM_NO_ID;
  name = g_strdup_printf ("%s_%s", get_result_name (self), op);
  return sym_model_builder_get_result (
      self->builder, add_call (self, name, op, operands, n_operands, 1, attributes), 0);
}

SymId
sym_mxnet_raise_widen (SymMxnetRaise *self, guint slot, int rank)
{
  SymId x = sym_mxnet_raise_operand (self, slot);

  for (int i = sym_mxnet_raise_get_shape (self, slot).rank; i < rank; i++)
    x = sym_mxnet_raise_call (self, "expand_dims", &x, 1, "axis", sym_value_new_int (0), NULL);
  return x;
}

void
sym_mxnet_raise_set_result (SymMxnetRaise *self, guint i, SymId value)
{
  SymIds results = sym_model_get_results (self->model, self->call);

  if (self->error == NULL && i < results.n)
    self->values[results.ids[i]] = value;
}

void
sym_mxnet_raise_finish (SymMxnetRaise *self,
                        const char *op,
                        const SymId *operands,
                        guint n_operands,
                        ...)
{
  guint n = sym_mxnet_raise_count_results (self);
  g_autoptr (SymAttributes) attributes = NULL;
  va_list list;
  SymId call;

  va_start (list, n_operands);
  attributes = read_attributes (list);
  va_end (list);
  if (self->error != NULL)
    return;
  call = add_call (self, get_result_name (self), op, operands, n_operands, n, attributes);
  for (guint i = 0; i < n; i++)
    sym_mxnet_raise_set_result (self, i, sym_model_builder_get_result (self->builder, call, i));
}

/* ---- The model ---- */

static const SymMxnetRaiseRule *
find_rule (const SymModel *model, SymId call)
{
  const SymMxnetRaiseRule *const tables[] = { sym_mxnet_raise_layers, sym_mxnet_raise_shapes,
                                              sym_mxnet_raise_windows };
  const SymOperator *op = sym_layer_get_operator (sym_model_get_layer (model, call));

  if (op == NULL || *op->domain != '\0')
    return NULL;
  for (guint k = 0; k < G_N_ELEMENTS (tables); k++)
    for (const SymMxnetRaiseRule *rule = tables[k]; rule->name != NULL; rule++)
      if (strcmp (rule->name, op->name) == 0)
        return rule;
  return NULL;
}

/* Values that outputs are made of; numbers that are known beforehand become attributes. */
static gboolean *
mark_needed (SymMxnetRaise *self)
{
  SymIds order = sym_model_get_execution_order (self->model);
  SymIds outputs = sym_model_get_outputs (self->model);
  gboolean *needed = g_new0 (gboolean, sym_model_get_n_values (self->model) + 1);

  for (guint i = 0; i < outputs.n; i++)
    if (outputs.ids[i] != SYM_NO_ID)
      needed[outputs.ids[i]] = TRUE;
  for (guint i = order.n; i-- > 0;)
    {
      SymIds operands = sym_model_get_operands (self->model, order.ids[i]);
      const SymMxnetRaiseRule *rule = find_rule (self->model, order.ids[i]);

      for (guint k = 0; rule != NULL && sym_onnx_makes_needed (self->model, order.ids[i], needed) &&
                        k < MIN (operands.n, rule->n_data);
           k++)
        if (operands.ids[k] != SYM_NO_ID)
          needed[operands.ids[k]] = TRUE;
    }
  return needed;
}

static gboolean
is_constant (SymMxnetRaise *self, SymId call)
{
  return find_tensor (self, sym_model_get_results (self->model, call).ids[0]) != NULL;
}

static void
raise_calls (SymMxnetRaise *self, const gboolean *needed)
{
  SymIds order = sym_model_get_execution_order (self->model);

  for (guint i = 0; i < order.n && self->error == NULL; i++)
    {
      const SymMxnetRaiseRule *rule = find_rule (self->model, order.ids[i]);

      self->call = order.ids[i];
      if (!sym_onnx_makes_needed (self->model, order.ids[i], needed) ||
          is_constant (self, order.ids[i]))
        continue;
      if (rule == NULL)
        sym_mxnet_raise_fail (self, NULL);
      else
        rule->raise (self);
    }
}

static void
add_inputs (SymMxnetRaise *self, const gboolean *needed)
{
  for (SymId value = 0; value < sym_model_get_n_values (self->model); value++)
    if (sym_model_has_value (self->model, value) && needed[value] &&
        sym_model_get_producer (self->model, value) == SYM_NO_ID &&
        sym_model_get_tensor (self->model, value) == NULL)
      self->values[value] = add_input (self, value);
}

static void
add_outputs (SymMxnetRaise *self)
{
  SymIds outputs = sym_model_get_outputs (self->model);

  for (guint i = 0; i < outputs.n && self->error == NULL; i++)
    if (outputs.ids[i] == SYM_NO_ID)
      continue;
    else if (self->values[outputs.ids[i]] != SYM_NO_ID)
      sym_model_builder_add_output (self->builder, self->values[outputs.ids[i]]);
    else
      g_set_error (&self->error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                   "the output “%s” is a constant, which an MXNet symbol cannot say",
                   sym_model_get_value_name (self->model, outputs.ids[i]));
}

gboolean
sym_mxnet_needs_raising (const SymModel *model)
{
  gboolean found = FALSE;

  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    if (sym_model_has_call (model, call))
      {
        const SymOperator *op = sym_layer_get_operator (sym_model_get_layer (model, call));

        if (op != NULL && strcmp (op->domain, "mxnet") == 0)
          return FALSE;
        found = found || op != NULL;
      }
  return found;
}

static SymModel *
raise_model (SymModel *model, const SymInference *inference, GError **error)
{
  g_autoptr (SymModelBuilder) builder = sym_model_builder_new (SYM_DIALECT_MXNET);
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree SymId *values = g_new (SymId, sym_model_get_n_values (model) + 1);
  g_autofree gboolean *needed = NULL;
  SymMxnetRaise self = { builder, model, inference, values, names, SYM_NO_ID, NULL };

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    values[value] = SYM_NO_ID;
  needed = mark_needed (&self);
  add_inputs (&self, needed);
  raise_calls (&self, needed);
  add_outputs (&self);
  if (self.error != NULL)
    {
      g_propagate_error (error, self.error);
      return NULL;
    }
  sym_model_builder_set_name (builder, sym_model_get_name (model));
  return sym_model_builder_end (g_steal_pointer (&builder));
}

SymModel *
sym_mxnet_raise (SymModel *model, const SymInference *inference, SymProblems *notes, GError **error)
{
  g_autoptr (SymModel) lowered = NULL;
  g_autoptr (SymInference) own = NULL;

  if (sym_onnx_needs_lowering (model))
    {
      lowered = sym_onnx_lower (model, inference, TRUE, notes, error);
      if (lowered == NULL)
        return NULL;
      model = lowered;
      inference = NULL;
    }
  if (inference == NULL)
    inference = own = sym_infer (model, NULL, 0, NULL, error);
  return inference == NULL ? NULL : raise_model (model, inference, error);
}
