/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Constant: a tensor that is an attribute, in one of several forms. */

/* What the attributes hold.  Of a list, @list is the attribute and @shape has its length. */
typedef struct {
  SymDType dtype;
  SymShape shape;
  SymTensor *tensor;    /* borrowed; NULL for the other forms */
  const SymValue *list; /* a number, a text, or a list of these */
} Constant;

static const struct {
  const char *name;
  SymDType dtype;
  gboolean is_list;
} forms[] = {
  { "value_float", SYM_DTYPE_FLOAT32, FALSE }, { "value_floats", SYM_DTYPE_FLOAT32, TRUE },
  { "value_int", SYM_DTYPE_INT64, FALSE },     { "value_ints", SYM_DTYPE_INT64, TRUE },
  { "value_string", SYM_DTYPE_STRING, FALSE }, { "value_strings", SYM_DTYPE_STRING, TRUE },
};

static gboolean
is_given (const SymValue *value)
{
  return value != NULL && sym_value_get_kind (value) != SYM_VALUE_NONE;
}

static gboolean
find (const SymAttributes *attributes, Constant *constant, GError **error)
{
  const SymValue *value = sym_attributes_find (attributes, "value");

  /* What is told by what is not 0 has been made dense where it was read. */
  if (!is_given (value))
    value = sym_attributes_find (attributes, "sparse_value");
  *constant = (Constant){ .shape = { .rank = 0 } };
  constant->tensor = value == NULL ? NULL : sym_value_get_tensor (value);
  if (constant->tensor != NULL)
    {
      constant->dtype = sym_tensor_get_dtype (constant->tensor);
      constant->shape = *sym_tensor_get_shape (constant->tensor);
      return TRUE;
    }
  if (is_given (value))
    return sym_kernel_fail (error, "the tensor of a constant cannot be read");
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      value = sym_attributes_find (attributes, forms[i].name);
      if (!is_given (value))
        continue;
      constant->dtype = forms[i].dtype;
      constant->list = value;
      if (forms[i].is_list)
        constant->shape = SYM_SHAPE (sym_value_get_n_children (value));
      return TRUE;
    }
  return sym_kernel_fail (error, "a constant without a value");
}

static gboolean
set_element (SymArray *y, gsize i, const SymValue *value)
{
  const char *text = sym_value_get_string (value);
  gint64 integer;
  double number;

  if (y->dtype == SYM_DTYPE_FLOAT32 && sym_value_get_float (value, &number))
    ((float *) y->data)[i] = (float) number;
  else if (y->dtype == SYM_DTYPE_INT64 && sym_value_get_int (value, &integer))
    ((gint64 *) y->data)[i] = integer;
  else if (y->dtype == SYM_DTYPE_STRING && text != NULL)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

      sym_array_set_string (y, i, bytes);
    }
  else
    return FALSE;
  return TRUE;
}

static gboolean
read_list (const Constant *constant, SymArray *y, GError **error)
{
  gboolean fits = TRUE;

  if (constant->shape.rank == 0)
    fits = set_element (y, 0, constant->list);
  for (guint i = 0; constant->shape.rank > 0 && i < constant->shape.dims[0]; i++)
    fits = fits && set_element (y, i, sym_value_get_child (constant->list, i));
  return fits || sym_kernel_fail (error, "a constant whose value is not of %s",
                                  sym_dtype_to_string (constant->dtype));
}

static void
read_strings (SymTensor *tensor, SymArray *y)
{
  for (gsize i = 0; i < sym_array_get_n_elements (y); i++)
    {
      gsize length;
      const char *text = sym_tensor_get_string (tensor, i, &length);
      g_autoptr (GBytes) bytes = g_bytes_new (text, length);

      sym_array_set_string (y, i, bytes);
    }
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  Constant constant;
  SymArray *y;

  if (!find (sym_kernel_get_attributes (kernel), &constant, error))
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, constant.dtype, &constant.shape, error);
  if (y == NULL)
    return FALSE;
  if (constant.tensor == NULL)
    return read_list (&constant, y, error);
  if (constant.dtype != SYM_DTYPE_STRING)
    return sym_tensor_read (constant.tensor, 0, sym_tensor_get_n_bytes (constant.tensor), y->data,
                            error);
  read_strings (constant.tensor, y);
  return TRUE;
}

/* Small integers and bools are told as such. */
static void
tell_values (SymRule *rule, const Constant *constant)
{
  gint64 values[64];
  SymArray array = { constant->dtype, constant->shape, values };
  guint64 n;

  if ((constant->dtype != SYM_DTYPE_INT64 && constant->dtype != SYM_DTYPE_INT32 &&
       constant->dtype != SYM_DTYPE_BOOL) ||
      constant->shape.rank > 1 || !sym_shape_get_n_elements (&constant->shape, &n) ||
      n > G_N_ELEMENTS (values))
    return;
  if (constant->tensor == NULL
          ? !read_list (constant, &array, NULL)
          : !sym_tensor_read (constant->tensor, 0, sym_tensor_get_n_bytes (constant->tensor),
                              values, NULL))
    return;
  if (constant->dtype != SYM_DTYPE_INT64)
    for (gsize i = n; i-- > 0;)
      values[i] = sym_element_get_int (constant->dtype, values, i);
  sym_rule_set_output_ints (rule, 0, values, (int) n);
}

/* Of a tensor that was not read, which has been told, nothing follows. */
static gboolean
is_unread (const SymAttributes *attributes)
{
  const SymValue *value = sym_attributes_find (attributes, "value");

  if (!is_given (value))
    value = sym_attributes_find (attributes, "sparse_value");
  return value != NULL && sym_value_get_kind (value) == SYM_VALUE_OPAQUE;
}

static gboolean
infer (SymRule *rule, GError **error)
{
  Constant constant;

  if (is_unread (sym_rule_get_attributes (rule)))
    return TRUE;
  if (!find (sym_rule_get_attributes (rule), &constant, error) ||
      !sym_op_set_output (rule, 0, constant.shape, constant.dtype, error))
    return FALSE;
  tell_values (rule, &constant);
  return TRUE;
}

#define VALUE(fallback_)                                \
  {                                                     \
    "value", SYM_ATTRIBUTE_ANY, fallback_, "the tensor" \
  }
#define SPARSE                                                                     \
  {                                                                                \
    "sparse_value", SYM_ATTRIBUTE_ANY, "None", "the tensor, told by what is not 0" \
  }

static const SymAttributeSpec attributes_1[] = { VALUE (NULL), { NULL } };
static const SymAttributeSpec attributes_11[] = { VALUE ("None"), SPARSE, { NULL } };
static const SymAttributeSpec attributes_12[] = {
  VALUE ("None"),
  SPARSE,
  { "value_float", SYM_ATTRIBUTE_FLOAT, "None", "one float32" },
  { "value_floats", SYM_ATTRIBUTE_FLOATS, "None", "several float32 along one axis" },
  { "value_int", SYM_ATTRIBUTE_INT, "None", "one int64" },
  { "value_ints", SYM_ATTRIBUTE_INTS, "None", "several int64 along one axis" },
  { "value_string", SYM_ATTRIBUTE_STRING, "None", "one text" },
  { "value_strings", SYM_ATTRIBUTE_ANY, "None", "several texts along one axis" },
  { NULL },
};

static const SymSlotSpec no_slots[] = { { NULL } };

#define CONSTANT(version_, attributes_)                                                            \
  {                                                                                                \
    SYM_OP_ONNX ("Constant", version_), .summary = "a tensor that the model holds",                \
                                        .category = SYM_CATEGORY_OTHER, .attributes = attributes_, \
                                        .slots = no_slots, .infer = infer, .run = run              \
  }

const SymOperator sym_op_onnx_constant[] = {
  CONSTANT (1, attributes_1),
  CONSTANT (11, attributes_11),
  CONSTANT (12, attributes_12),
  { 0 },
};
