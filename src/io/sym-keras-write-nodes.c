/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-write-private.h"

#include <string.h>

#include "core/sym-element.h"

SymType
sym_keras_writer_get_type (SymKerasWriter *self, SymId value)
{
  return self->inference != NULL ? sym_inference_get_type (self->inference, value)
                                 : sym_model_get_declared_type (self->model, value);
}

/* Layers are named once; of two that want one name, the second gets a number. */
const char *
sym_keras_writer_get_name (SymKerasWriter *self, SymId call)
{
  SymLayer *layer = sym_model_get_layer (self->model, call);
  const char *own = sym_layer_get_name (layer);
  const char *name = g_hash_table_lookup (self->names, layer);

  if (name != NULL)
    return name;
  if (own == NULL || *own == '\0')
    own = sym_model_get_call_name (self->model, call);
  if (own == NULL || *own == '\0')
    own = sym_layer_get_type (layer);
  name = sym_name_set_choose (self->taken, own, 1);
  g_hash_table_insert (self->names, layer, (gpointer) name);
  return name;
}

gboolean
sym_keras_is_written (const SymModel *model, SymId call, guint slot)
{
  SymId value = sym_model_get_operands (model, call).ids[slot];
  const SymOperator *op;
  const char *const *outputs;
  SymRole role;
  SymId producer;

  if (value == SYM_NO_ID)
    return FALSE;
  role = sym_model_get_role (model, value);
  if (role == SYM_ROLE_PARAMETER || role == SYM_ROLE_AUXILIARY)
    return FALSE;
  producer = sym_model_get_producer (model, value);
  if (producer == SYM_NO_ID)
    return TRUE;
  op = sym_layer_get_operator (sym_model_get_layer (model, producer));
  outputs = op == NULL ? NULL : op->output_names;
  /* A mask goes its way unsaid. */
  return outputs == NULL || sym_model_get_output_index (model, value) != 1 ||
         strcmp (outputs[1], "mask") != 0;
}

/* Nodes of a model within a model count from 1, as sym-keras-graph.c tells.  A sequence that is not
 * told what it is applied to has no making to count. */
static guint
get_first_node (SymKerasWriter *self, SymId call, gboolean is_modern_tensor)
{
  const SymLayer *layer = sym_model_get_layer (self->model, call);
  gboolean is_sequence;
  SymModel *body;
  SymIds inputs;

  if (!sym_keras_is_nested (layer))
    return 0;
  is_sequence = sym_keras_is_sequence (layer);
  if (self->major >= 3)
    return !is_modern_tensor && !is_sequence;
  body = sym_layer_get_running_body (layer);
  inputs = sym_model_get_inputs (body);
  return !is_sequence ||
         (inputs.n > 0 && sym_model_get_declared_type (body, inputs.ids[0]).shape.rank >= 0);
}

gboolean
sym_keras_write_history (SymKerasWriter *self,
                         SymId value,
                         gboolean is_modern_tensor,
                         GError **error)
{
  SymId call = sym_model_get_producer (self->model, value);
  gboolean is_input = call == SYM_NO_ID;
  guint node = 0;

  if (is_input && sym_model_get_role (self->model, value) != SYM_ROLE_INPUT)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                   "“%s” is a constant, which has no counterpart in a Keras config",
                   sym_model_get_value_name (self->model, value));
      return FALSE;
    }
  if (!is_input)
    node = get_first_node (self, call, is_modern_tensor) +
           GPOINTER_TO_UINT (g_hash_table_lookup (self->places, GUINT_TO_POINTER (call)));
  g_string_append_c (self->text, '[');
  sym_json_append_string (self->text, is_input ? sym_model_get_value_name (self->model, value)
                                               : sym_keras_writer_get_name (self, call));
  g_string_append_printf (self->text, ", %u, %u", node,
                          is_input ? 0 : sym_model_get_output_index (self->model, value));
  return TRUE;
}

static gboolean
get_number (SymKerasWriter *self, SymId value, double *number)
{
  SymTensor *tensor = sym_model_get_tensor (self->model, value);
  SymDType dtype = tensor == NULL ? SYM_DTYPE_UNKNOWN : sym_tensor_get_dtype (tensor);
  guint8 bytes[4];

  if (sym_model_get_role (self->model, value) != SYM_ROLE_CONSTANT ||
      (tensor != NULL && self->major >= 3 && sym_tensor_get_shape (tensor)->rank != 0) ||
      (dtype != SYM_DTYPE_FLOAT32 && dtype != SYM_DTYPE_INT32) ||
      sym_tensor_get_n_bytes (tensor) != sizeof bytes ||
      !sym_tensor_read (tensor, 0, sizeof bytes, bytes, NULL))
    return FALSE;
  *number = sym_element_get_double (dtype, bytes, 0);
  return TRUE;
}

/* A tensor among the arguments; @kwargs, or NULL, follows it in Keras 1 and 2. */
static gboolean
write_tensor (SymKerasWriter *self, SymId value, const SymValue *kwargs, GError **error);

static gboolean
write_tree (SymKerasWriter *self, SymId call, const SymValue *value, GError **error);

/* What is in a list, a tuple or a dictionary, between @open and @close. */
static gboolean
write_children (SymKerasWriter *self,
                SymId call,
                const SymValue *value,
                const char *open,
                const char *close,
                GError **error)
{
  g_string_append (self->text, open);
  for (guint i = 0; i < sym_value_get_n_children (value); i++)
    {
      if (i > 0)
        g_string_append (self->text, ", ");
      if (sym_value_get_kind (value) == SYM_VALUE_DICT)
        {
          sym_json_append_string (self->text, sym_value_get_key (value, i));
          g_string_append (self->text, ": ");
        }
      if (!write_tree (self, call, sym_value_get_child (value, i), error))
        return FALSE;
    }
  g_string_append (self->text, close);
  return TRUE;
}

static gboolean
write_tree (SymKerasWriter *self, SymId call, const SymValue *value, GError **error)
{
  SymIds operands = sym_model_get_operands (self->model, call);
  gint64 place;

  switch ((int) sym_value_get_kind (value))
    {
    case SYM_VALUE_OPERAND:
      sym_value_get_int (value, &place);
      if ((guint64) place < operands.n && operands.ids[place] != SYM_NO_ID)
        return write_tensor (self, operands.ids[place], NULL, error);
      g_string_append (self->text, "null");
      return TRUE;
    case SYM_VALUE_DICT:
      return write_children (self, call, value, "{", "}", error);
    case SYM_VALUE_LIST:
      return write_children (self, call, value, "[", "]", error);
    case SYM_VALUE_TUPLE:
      return self->major < 3
                 ? write_children (self, call, value, "[", "]", error)
                 : write_children (self, call, value,
                                   "{\"class_name\": \"__tuple__\", \"items\": [", "]}", error);
    default:
      sym_keras_write_value (self->text, value, NULL);
      return TRUE;
    }
}

static gboolean
write_modern_tensor (SymKerasWriter *self, SymId value, GError **error)
{
  SymType type = sym_keras_writer_get_type (self, value);

  g_string_append (self->text, "{\"class_name\": \"__keras_tensor__\", \"config\": {\"shape\": ");
  sym_keras_write_shape (self->text, &type.shape);
  g_string_append (self->text, ", \"dtype\": ");
  sym_json_append_string (
      self->text, type.dtype == SYM_DTYPE_UNKNOWN ? "float32" : sym_dtype_to_string (type.dtype));
  g_string_append (self->text, ", \"keras_history\": ");
  if (!sym_keras_write_history (self, value, TRUE, error))
    return FALSE;
  g_string_append (self->text, "]}}");
  return TRUE;
}

static void
write_element (GString *text, SymDType dtype, const guint8 *bytes, guint64 i)
{
  double number = sym_element_get_double (dtype, bytes, i);

  if (dtype == SYM_DTYPE_BOOL)
    g_string_append (text, number != 0 ? "true" : "false");
  else if (sym_dtype_is_integer (dtype))
    g_string_append_printf (text, "%" G_GINT64_FORMAT, sym_element_get_int (dtype, bytes, i));
  else
    sym_json_append_double (text, number);
}

/* Lists in lists, as deep as there are axes: a bracket opens where an axis begins anew. */
static void
write_elements (GString *text,
                const SymShape *shape,
                SymDType dtype,
                const guint8 *bytes,
                guint64 n)
{
  for (guint64 i = 0; i < n; i++)
    {
      guint64 row = 1;

      if (i > 0)
        g_string_append (text, ", ");
      for (int k = shape->rank - 1; k >= 0; k--)
        {
          row *= (guint64) shape->dims[k];
          if (i % row == 0)
            g_string_append_c (text, '[');
        }
      write_element (text, dtype, bytes, i);
      row = 1;
      for (int k = shape->rank - 1; k >= 0; k--)
        {
          row *= (guint64) shape->dims[k];
          if ((i + 1) % row == 0)
            g_string_append_c (text, ']');
        }
    }
}

/* {"class_name": "__numpy__", "config": {"value": [...], "dtype": "float32"}} */
static gboolean
write_array (SymKerasWriter *self, SymId value, SymTensor *tensor, GError **error)
{
  SymDType dtype = sym_tensor_get_dtype (tensor);
  gsize n_bytes = (gsize) sym_tensor_get_n_bytes (tensor);
  g_autofree guint8 *bytes = g_try_malloc (MAX (n_bytes, 1));
  guint64 n;

  if (bytes == NULL || !sym_shape_get_n_elements (sym_tensor_get_shape (tensor), &n) || n == 0 ||
      sym_dtype_get_bits (dtype) < 8)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                   "“%s” is a constant, which has no counterpart in a Keras config",
                   sym_model_get_value_name (self->model, value));
      return FALSE;
    }
  if (!sym_tensor_read (tensor, 0, n_bytes, bytes, error))
    return FALSE;
  g_string_append (self->text, "{\"class_name\": \"__numpy__\", \"config\": {\"value\": ");
  write_elements (self->text, sym_tensor_get_shape (tensor), dtype, bytes, n);
  g_string_append_printf (self->text, ", \"dtype\": \"%s\"}}", sym_dtype_to_string (dtype));
  return TRUE;
}

static gboolean
write_tensor (SymKerasWriter *self, SymId value, const SymValue *kwargs, GError **error)
{
  SymTensor *tensor = sym_model_get_tensor (self->model, value);
  double number;

  if (get_number (self, value, &number))
    {
      if (self->major < 3)
        g_string_append (self->text, "[\"_CONSTANT_VALUE\", -1, ");
      if (sym_tensor_get_dtype (tensor) == SYM_DTYPE_INT32) /* 2 is an integer, 2.0 is none */
        g_string_append_printf (self->text, "%.0f", number);
      else
        sym_json_append_double (self->text, number);
      if (self->major < 3 && kwargs == NULL)
        g_string_append_c (self->text, ']');
      return TRUE;
    }
  if (self->major >= 3 && tensor != NULL &&
      sym_model_get_role (self->model, value) == SYM_ROLE_CONSTANT)
    return write_array (self, value, tensor, error);
  if (self->major >= 3)
    return write_modern_tensor (self, value, error);
  if (!sym_keras_write_history (self, value, FALSE, error))
    return FALSE;
  if (self->major == 2 && kwargs == NULL)
    g_string_append (self->text, ", {}");
  if (kwargs == NULL)
    g_string_append_c (self->text, ']');
  return TRUE;
}

/* Without a tree, operands stand in their order; those that a layer joins are one argument of
 * Keras 3. */
static gboolean
write_plain (SymKerasWriter *self, SymId call, GError **error)
{
  SymIds operands = sym_model_get_operands (self->model, call);
  const SymOperator *op = sym_layer_get_operator (sym_model_get_layer (self->model, call));
  gboolean is_one = op != NULL && op->get_n_operands != NULL && self->major >= 3;
  gboolean is_first = TRUE;

  g_string_append (self->text, self->major >= 3 ? is_one ? "{\"args\": [[" : "{\"args\": [" : "[");
  for (guint i = 0; i < operands.n; i++)
    {
      if (!sym_keras_is_written (self->model, call, i))
        continue;
      if (!is_first)
        g_string_append (self->text, ", ");
      is_first = FALSE;
      if (!write_tensor (self, operands.ids[i], NULL, error))
        return FALSE;
    }
  g_string_append (self->text,
                   self->major >= 3 ? is_one ? "]], \"kwargs\": {}}" : "], \"kwargs\": {}}" : "]");
  return TRUE;
}

/* [["a", 0, 0, {...}], ["b", 0, 0, {}]]: what is named goes with the first tensor.  A list has one
 * tensor of a function, bare: ["a", 0, 0, {...}]. */
static gboolean
write_old_tree (SymKerasWriter *self,
                SymId call,
                const SymValue *args,
                const SymValue *kwargs,
                GError **error)
{
  SymIds operands = sym_model_get_operands (self->model, call);
  gboolean is_bare = sym_value_get_kind (args) == SYM_VALUE_LIST;

  if (!is_bare)
    g_string_append_c (self->text, '[');
  for (guint i = 0; i < sym_value_get_n_children (args); i++)
    {
      const SymValue *child = sym_value_get_child (args, i);
      gint64 place = -1;

      if (i > 0)
        g_string_append (self->text, ", ");
      if (i > 0 || sym_value_get_kind (child) != SYM_VALUE_OPERAND)
        {
          if (!write_tree (self, call, child, error))
            return FALSE;
          continue;
        }
      sym_value_get_int (child, &place);
      if ((guint64) place >= operands.n || operands.ids[place] == SYM_NO_ID)
        {
          g_string_append (self->text, "null");
          continue;
        }
      if (!write_tensor (self, operands.ids[place], kwargs, error))
        return FALSE;
      g_string_append (self->text, ", ");
      if (!write_tree (self, call, kwargs, error))
        return FALSE;
      g_string_append_c (self->text, ']');
    }
  if (!is_bare)
    g_string_append_c (self->text, ']');
  return TRUE;
}

gboolean
sym_keras_write_node (SymKerasWriter *self, SymId call, GError **error)
{
  const SymValue *tree = sym_model_get_arguments (self->model, call);
  const SymValue *args, *kwargs;

  if (tree == NULL || sym_value_get_n_children (tree) != 2)
    return write_plain (self, call, error);
  args = sym_value_get_child (tree, 0);
  kwargs = sym_value_get_child (tree, 1);
  if (self->major < 3)
    return write_old_tree (self, call, args, kwargs, error);
  g_string_append (self->text, "{\"args\": ");
  if (sym_value_get_kind (args) == SYM_VALUE_TUPLE /* of Keras 1 and 2 */
          ? !write_children (self, call, args, "[", "]", error)
          : !write_tree (self, call, args, error))
    return FALSE;
  g_string_append (self->text, ", \"kwargs\": ");
  if (!write_tree (self, call, kwargs, error))
    return FALSE;
  g_string_append_c (self->text, '}');
  return TRUE;
}
