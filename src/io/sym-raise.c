/* SPDX-License-Identifier: MIT */
#include "io/sym-raise.h"

#include <string.h>

#include "core/sym-element.h"
#include "io/sym-onnx-write-private.h"

struct _SymRaise {
  const SymRaiseTarget *target;
  gpointer data;
  SymModelBuilder *builder;
  SymModel *model; /* of ONNX */
  const SymInference *inference;
  SymId *values;         /* in the builder, by the model's; SYM_NO_ID for none yet */
  GHashTable *names;     /* that inputs and layers have */
  GHashTable *constants; /* tensors of sizes that are known, by the value + 1 */
  SymId call;            /* at hand */
  GError *error;
};

/* ---- What a layer has ---- */

static SymLayer *
get_layer (SymRaise *self)
{
  return sym_model_get_layer (self->model, self->call);
}

SymModel *
sym_raise_get_model (SymRaise *self)
{
  return self->model;
}

SymId
sym_raise_get_call (SymRaise *self)
{
  return self->call;
}

SymId
sym_raise_get_value (SymRaise *self, guint slot)
{
  SymIds operands = sym_model_get_operands (self->model, self->call);

  return slot < operands.n ? operands.ids[slot] : SYM_NO_ID;
}

SymId
sym_raise_get_result_value (SymRaise *self, guint i)
{
  return sym_model_get_results (self->model, self->call).ids[i];
}

const char *
sym_raise_get_type (SymRaise *self)
{
  return sym_layer_get_operator (get_layer (self))->name;
}

int
sym_raise_get_version (SymRaise *self)
{
  return sym_layer_get_operator (get_layer (self))->since_version;
}

const SymAttributes *
sym_raise_get_attributes (SymRaise *self)
{
  return sym_layer_get_attributes (get_layer (self));
}

gboolean
sym_raise_has (SymRaise *self, guint slot)
{
  return sym_raise_get_value (self, slot) != SYM_NO_ID;
}

guint
sym_raise_count_operands (SymRaise *self)
{
  return sym_model_get_operands (self->model, self->call).n;
}

guint
sym_raise_count_results (SymRaise *self)
{
  return sym_model_get_results (self->model, self->call).n;
}

/* Sizes by their names where they have one. */
static SymType
get_named_type (SymRaise *self, SymId value)
{
  SymType type =
      value == SYM_NO_ID ? SYM_TYPE_UNKNOWN : sym_inference_get_type (self->inference, value);

  if (type.kind != SYM_KIND_TENSOR)
    type.shape = SYM_SHAPE_UNKNOWN;
  return type;
}

SymType
sym_raise_get_value_type (SymRaise *self, SymId value)
{
  SymType type = get_named_type (self, value);

  for (int i = 0; i < type.shape.rank; i++)
    type.shape.dims[i] = type.shape.dims[i] < 0 ? SYM_DIM_UNKNOWN : type.shape.dims[i];
  return type;
}

SymShape
sym_raise_get_shape (SymRaise *self, guint slot)
{
  return sym_raise_get_value_type (self, sym_raise_get_value (self, slot)).shape;
}

SymDType
sym_raise_get_dtype (SymRaise *self, guint slot)
{
  return sym_raise_get_value_type (self, sym_raise_get_value (self, slot)).dtype;
}

SymShape
sym_raise_get_result_shape (SymRaise *self, guint i)
{
  return sym_raise_get_value_type (self, sym_raise_get_result_value (self, i)).shape;
}

SymDType
sym_raise_get_result_dtype (SymRaise *self, guint i)
{
  return sym_raise_get_value_type (self, sym_raise_get_result_value (self, i)).dtype;
}

gboolean
sym_raise_is_same_size (SymRaise *self, int i, int k)
{
  SymShape before = get_named_type (self, sym_raise_get_value (self, 0)).shape;
  SymShape after = get_named_type (self, sym_raise_get_result_value (self, 0)).shape;

  return i < before.rank && k < after.rank && before.dims[i] == after.dims[k] &&
         before.dims[i] != SYM_DIM_UNKNOWN;
}

gint64
sym_raise_get_int (SymRaise *self, const char *name, gint64 fallback)
{
  return sym_attributes_get_int (sym_raise_get_attributes (self), name, fallback);
}

double
sym_raise_get_float (SymRaise *self, const char *name, double fallback)
{
  return sym_attributes_get_float (sym_raise_get_attributes (self), name, fallback);
}

const char *
sym_raise_get_string (SymRaise *self, const char *name, const char *fallback)
{
  return sym_attributes_get_string (sym_raise_get_attributes (self), name, fallback);
}

gboolean
sym_raise_find_axis (SymRaise *self, gint64 axis, gint64 *normal)
{
  int rank = sym_raise_get_shape (self, 0).rank;

  *normal = axis < 0 ? axis + rank : axis;
  if (rank >= 0 && *normal >= 0 && *normal < rank)
    return TRUE;
  sym_raise_fail (self, "the axes of its data are not known");
  return FALSE;
}

int
sym_raise_get_ints (SymRaise *self, const char *name, guint slot, gint64 *values, int max)
{
  const SymValue *value =
      name == NULL ? NULL : sym_attributes_find (sym_raise_get_attributes (self), name);
  SymId operand = slot == 0 ? SYM_NO_ID : sym_raise_get_value (self, slot);
  int n = -1;

  if (value != NULL)
    n = sym_value_get_ints (value, values, max);
  else if (operand != SYM_NO_ID)
    n = sym_inference_get_ints (self->inference, operand, values, max);
  return n > max ? -1 : n;
}

#define MAX_INTS 256

static SymTensor *
make_tensor (const SymType *type, const gint64 *ints, int n)
{
  gsize size = sym_dtype_get_bits (type->dtype) / 8;
  guint8 *bytes = g_malloc0 (MAX ((gsize) n * size, 1));
  g_autoptr (GBytes) all = NULL;
  g_autoptr (SymBlob) blob = NULL;

  for (int i = 0; i < n; i++)
    sym_element_set_double (type->dtype, bytes, (gsize) i, (double) ints[i]);
  all = g_bytes_new_take (bytes, (gsize) n * size);
  blob = sym_blob_new_bytes (all);
  return sym_tensor_new (type->dtype, &type->shape, blob, 0, NULL);
}

/* Integers that shapes alone decide are known as well as those of the file. */
static SymTensor *
find_decided (SymRaise *self, SymId value)
{
  SymTensor *tensor = g_hash_table_lookup (self->constants, GUINT_TO_POINTER (value + 1));
  SymType type = sym_raise_get_value_type (self, value);
  gint64 ints[MAX_INTS];
  guint64 n_elements;
  int n;

  if (tensor != NULL || (type.dtype != SYM_DTYPE_INT64 && type.dtype != SYM_DTYPE_INT32) ||
      type.shape.rank < 0 || !sym_shape_is_known (&type.shape))
    return tensor;
  n = sym_inference_get_ints (self->inference, value, ints, MAX_INTS);
  if (n < 0 || n > MAX_INTS || !sym_shape_get_n_elements (&type.shape, &n_elements) ||
      n_elements != (guint64) n)
    return NULL;
  tensor = make_tensor (&type, ints, n);
  g_hash_table_insert (self->constants, GUINT_TO_POINTER (value + 1), tensor);
  return tensor;
}

SymTensor *
sym_raise_find_tensor (SymRaise *self, SymId value)
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
  return held == NULL ? find_decided (self, value) : sym_value_get_tensor (held);
}

gboolean
sym_raise_get_number (SymRaise *self, const char *name, guint slot, double *number)
{
  const SymValue *value =
      name == NULL ? NULL : sym_attributes_find (sym_raise_get_attributes (self), name);
  SymId operand = sym_raise_get_value (self, slot);
  SymTensor *tensor = operand == SYM_NO_ID ? NULL : sym_raise_find_tensor (self, operand);
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

static gboolean
is_output (SymRaise *self, SymId value)
{
  SymIds outputs = sym_model_get_outputs (self->model);

  for (guint i = 0; i < outputs.n; i++)
    if (outputs.ids[i] == value)
      return TRUE;
  return FALSE;
}

SymId
sym_raise_find_follower (SymRaise *self)
{
  SymId result = sym_raise_get_result_value (self, 0);
  SymIds consumers = sym_model_get_consumers (self->model, result);

  return consumers.n == 1 && !is_output (self, result) ? consumers.ids[0] : SYM_NO_ID;
}

/* ---- What it becomes ---- */

SymModelBuilder *
sym_raise_get_builder (SymRaise *self)
{
  return self->builder;
}

gpointer
sym_raise_get_data (SymRaise *self)
{
  return self->data;
}

gboolean
sym_raise_has_failed (SymRaise *self)
{
  return self->error != NULL;
}

void
sym_raise_fail (SymRaise *self, const char *why)
{
  if (self->error == NULL)
    g_set_error (&self->error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                 "the layer “%s” of type %s has no counterpart in %s%s%s",
                 sym_model_get_call_name (self->model, self->call),
                 sym_layer_get_type (get_layer (self)), self->target->title,
                 why == NULL ? "" : ": ", why == NULL ? "" : why);
}

void
sym_raise_fail_about (SymRaise *self, SymId value, const char *what)
{
  g_autofree char *why =
      g_strdup_printf ("“%s” %s", sym_model_get_value_name (self->model, value), what);

  sym_raise_fail (self, why);
}

SymValue *
sym_raise_tuple (const gint64 *values, int n)
{
  return sym_value_new_ints (SYM_VALUE_TUPLE, values, (guint) n);
}

const char *
sym_raise_choose_name (SymRaise *self, const char *wanted)
{
  char *name = g_strdup (wanted);

  for (guint i = 1; !g_hash_table_add (self->names, name); i++)
    name = g_strdup_printf ("%s_%u", wanted, i); /* the name that was taken is the set's */
  return name;
}

/* What comes from outside must be of a dtype that the framework has. */
static void
check_dtype (SymRaise *self, SymId value, SymDType dtype)
{
  if (self->error == NULL && dtype != SYM_DTYPE_UNKNOWN && !self->target->has_dtype (dtype))
    g_set_error (&self->error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                 "“%s” is of %s, which %s does not have",
                 sym_model_get_value_name (self->model, value), sym_dtype_to_string (dtype),
                 self->target->title);
}

/* Data that comes from outside. */
static SymId
add_input (SymRaise *self, SymId value)
{
  SymType type = sym_raise_get_value_type (self, value);
  const char *wanted = sym_model_get_value_name (self->model, value);
  g_autofree char *name =
      self->target->make_name == NULL ? g_strdup (wanted) : self->target->make_name (wanted);
  SymId made = sym_model_builder_add_value (self->builder, sym_raise_choose_name (self, name),
                                            SYM_ROLE_INPUT, &type);

  check_dtype (self, value, type.dtype);
  sym_model_builder_add_input (self->builder, made);
  return made;
}

SymId
sym_raise_find_made (SymRaise *self, SymId value)
{
  return value == SYM_NO_ID ? SYM_NO_ID : self->values[value];
}

SymId
sym_raise_operand_as (SymRaise *self, guint slot, SymRole role)
{
  SymId value = sym_raise_get_value (self, slot);
  SymTensor *tensor;

  if (value == SYM_NO_ID || self->error != NULL)
    return SYM_NO_ID;
  tensor = self->values[value] == SYM_NO_ID ? sym_raise_find_tensor (self, value) : NULL;
  if (tensor != NULL)
    {
      self->values[value] = self->target->add_tensor (self, value, tensor, role);
      check_dtype (self, value, sym_tensor_get_dtype (tensor));
    }
  if (self->values[value] == SYM_NO_ID)
    sym_raise_fail (self, "what it is applied to is not known");
  return self->values[value];
}

SymId
sym_raise_operand (SymRaise *self, guint slot)
{
  return sym_raise_operand_as (self, slot, SYM_ROLE_PARAMETER);
}

SymAttributes *
sym_raise_read_attributes (va_list list)
{
  SymAttributes *attributes = sym_attributes_new ();

  for (const char *name = va_arg (list, const char *); name != NULL;
       name = va_arg (list, const char *))
    sym_attributes_set (attributes, name, va_arg (list, SymValue *), NULL);
  return attributes;
}

void
sym_raise_set_made (SymRaise *self, SymId value, SymId made)
{
  if (self->error == NULL)
    self->values[value] = made;
}

void
sym_raise_set_result (SymRaise *self, guint i, SymId value)
{
  if (i < sym_raise_count_results (self))
    sym_raise_set_made (self, sym_raise_get_result_value (self, i), value);
}

/* ---- The model ---- */

static const SymRaiseRule *
find_rule (SymRaise *self, SymId call)
{
  const SymOperator *op = sym_layer_get_operator (sym_model_get_layer (self->model, call));

  if (op == NULL || *op->domain != '\0')
    return NULL;
  for (const SymRaiseRule *const *table = self->target->tables; *table != NULL; table++)
    for (const SymRaiseRule *rule = *table; rule->name != NULL; rule++)
      if (strcmp (rule->name, op->name) == 0)
        return rule;
  return NULL;
}

/* Values that outputs are made of; numbers that are known beforehand become attributes. */
static gboolean *
mark_needed (SymRaise *self)
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
      const SymRaiseRule *rule = find_rule (self, order.ids[i]);

      for (guint k = 0; rule != NULL && sym_onnx_makes_needed (self->model, order.ids[i], needed) &&
                        k < MIN (operands.n, rule->n_data);
           k++)
        if (operands.ids[k] != SYM_NO_ID && sym_raise_find_tensor (self, operands.ids[k]) == NULL)
          needed[operands.ids[k]] = TRUE;
    }
  return needed;
}

static gboolean
is_constant (SymRaise *self, SymId call)
{
  return sym_raise_find_tensor (self, sym_model_get_results (self->model, call).ids[0]) != NULL;
}

static gboolean
is_made (SymRaise *self, SymId call)
{
  return self->values[sym_model_get_results (self->model, call).ids[0]] != SYM_NO_ID;
}

static void
raise_calls (SymRaise *self, const gboolean *needed)
{
  SymIds order = sym_model_get_execution_order (self->model);

  for (guint i = 0; i < order.n && self->error == NULL; i++)
    {
      const SymRaiseRule *rule = find_rule (self, order.ids[i]);

      self->call = order.ids[i];
      if (!sym_onnx_makes_needed (self->model, order.ids[i], needed) ||
          is_constant (self, order.ids[i]) || is_made (self, order.ids[i]))
        continue;
      if (rule == NULL)
        sym_raise_fail (self, NULL);
      else
        rule->raise (self);
    }
}

static gboolean
is_weight (SymRaise *self, SymId value)
{
  return sym_model_get_tensor (self->model, value) != NULL ||
         (self->target->keeps_parameters &&
          !sym_role_is_data (sym_model_get_role (self->model, value)));
}

static void
add_inputs (SymRaise *self, const gboolean *needed)
{
  for (SymId value = 0; value < sym_model_get_n_values (self->model); value++)
    if (sym_model_has_value (self->model, value) && needed[value] &&
        sym_model_get_producer (self->model, value) == SYM_NO_ID && !is_weight (self, value))
      self->values[value] = add_input (self, value);
}

static void
add_outputs (SymRaise *self)
{
  SymIds outputs = sym_model_get_outputs (self->model);

  for (guint i = 0; i < outputs.n && self->error == NULL; i++)
    if (outputs.ids[i] == SYM_NO_ID)
      continue;
    else if (self->values[outputs.ids[i]] != SYM_NO_ID)
      sym_model_builder_add_output (self->builder, self->values[outputs.ids[i]]);
    else
      g_set_error (&self->error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                   "the output “%s” is a constant, which %s cannot say",
                   sym_model_get_value_name (self->model, outputs.ids[i]), self->target->title);
}

gboolean
sym_raise_is_needed (const SymModel *model, const SymRaiseTarget *target)
{
  gboolean found = FALSE;

  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    if (sym_model_has_call (model, call))
      {
        const SymOperator *op = sym_layer_get_operator (sym_model_get_layer (model, call));

        if (op != NULL && g_str_has_prefix (op->domain, target->domain))
          return FALSE;
        found = found || op != NULL;
      }
  return found;
}

static void
unref_tensor (gpointer tensor)
{
  sym_tensor_unref (tensor);
}

static SymModel *
raise_model (SymModel *model,
             const SymInference *inference,
             const SymRaiseTarget *target,
             gpointer data,
             GError **error)
{
  g_autoptr (SymModelBuilder) builder = sym_model_builder_new (target->dialect);
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) constants = g_hash_table_new_full (NULL, NULL, NULL, unref_tensor);
  g_autofree SymId *values = g_new (SymId, sym_model_get_n_values (model) + 1);
  g_autofree gboolean *needed = NULL;
  SymRaise self = { target, data,  builder,   model,     inference,
                    values, names, constants, SYM_NO_ID, NULL };

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
sym_raise_model (SymModel *model,
                 const SymInference *inference,
                 const SymRaiseTarget *target,
                 gpointer data,
                 SymProblems *notes,
                 GError **error)
{
  g_autoptr (SymModel) lowered = NULL;
  g_autoptr (SymInference) own = NULL;

  if (sym_onnx_needs_lowering (model))
    {
      SymOnnxLowerFlags flags =
          SYM_ONNX_LOWER_OLDER | (target->keeps_parameters ? SYM_ONNX_LOWER_KEEP_PARAMETERS : 0);

      lowered = sym_onnx_lower (model, inference, flags, notes, error);
      if (lowered == NULL)
        return NULL;
      model = lowered;
      inference = NULL;
    }
  if (inference == NULL)
    inference = own = sym_infer (model, NULL, 0, NULL, error);
  return inference == NULL ? NULL : raise_model (model, inference, target, data, error);
}
