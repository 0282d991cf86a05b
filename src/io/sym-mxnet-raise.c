/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-raise-private.h"

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

/* Numbers are found by their names alone, which no others may have. */
static SymId
add_parameter (SymRaise *self, SymId value, SymTensor *tensor, SymRole role)
{
  SymType type = sym_type_tensor (sym_tensor_get_dtype (tensor), *sym_tensor_get_shape (tensor));
  SymModelBuilder *builder = sym_raise_get_builder (self);
  const char *wanted = sym_model_get_value_name (sym_raise_get_model (self), value);
  SymId made =
      sym_model_builder_add_value (builder, sym_raise_choose_name (self, wanted), role, &type);

  sym_model_builder_set_parameter (builder, made,
                                   sym_parameter_new (role == SYM_ROLE_PARAMETER, tensor));
  return made;
}

static SymId
add_call (SymRaise *self,
          const char *wanted,
          const char *type,
          const SymId *operands,
          guint n,
          guint n_results,
          SymAttributes *attributes)
{
  SymModelBuilder *builder = sym_raise_get_builder (self);
  const SymOperator *op = sym_op_find ("mxnet", type, 0);
  g_autoptr (SymLayer) layer = sym_layer_new (type, op, attributes);
  const char *name = sym_raise_choose_name (self, wanted);
  SymId call;

  call = sym_model_builder_add_call (builder, name, layer, operands, n, n_results);
  for (guint i = 0; i < n_results; i++)
    {
      g_autofree char *result = n_results == 1 ? g_strdup_printf ("%s_output", name)
                                               : g_strdup_printf ("%s_output%u", name, i);

      sym_model_builder_set_value_name (builder, sym_model_builder_get_result (builder, call, i),
                                        result);
    }
  return call;
}

static const char *
get_result_name (SymRaise *self)
{
  guint i = 0;

  while (i + 1 < sym_raise_count_results (self) && !sym_raise_is_used (self, i))
    i++;
  return sym_model_get_value_name (sym_raise_get_model (self),
                                   sym_raise_get_result_value (self, i));
}

void
sym_mxnet_raise_several (SymRaise *self,
                         const char *op,
                         const SymId *operands,
                         guint n_operands,
                         SymId *results,
                         guint n_results,
                         ...)
{
  g_autoptr (SymAttributes) attributes = NULL;
  va_list list;
  SymId call;

  va_start (list, n_results);
  attributes = sym_raise_read_attributes (list);
  va_end (list);
  for (guint i = 0; i < n_results; i++)
    results[i] = SYM_NO_ID;
  if (sym_raise_has_failed (self))
    return;
  call = add_call (self, get_result_name (self), op, operands, n_operands, n_results, attributes);
  for (guint i = 0; i < n_results; i++)
    results[i] = sym_model_builder_get_result (sym_raise_get_builder (self), call, i);
}

static SymId
add_one (SymRaise *self,
         const char *name,
         const char *op,
         const SymId *operands,
         guint n_operands,
         SymAttributes *attributes)
{
  SymId call;

  if (sym_raise_has_failed (self))
    return SYM_NO_ID;
  call = add_call (self, name, op, operands, n_operands, 1, attributes);
  return sym_model_builder_get_result (sym_raise_get_builder (self), call, 0);
}

SymId
sym_mxnet_raise_call (SymRaise *self, const char *op, const SymId *operands, guint n_operands, ...)
{
  g_autofree char *name = g_strdup_printf ("%s_%s", get_result_name (self), op);
  g_autoptr (SymAttributes) attributes = NULL;
  va_list list;

  va_start (list, n_operands);
  attributes = sym_raise_read_attributes (list);
  va_end (list);
  return add_one (self, name, op, operands, n_operands, attributes);
}

SymId
sym_mxnet_raise_layer (SymRaise *self, const char *op, const SymId *operands, guint n_operands, ...)
{
  g_autoptr (SymAttributes) attributes = NULL;
  va_list list;

  va_start (list, n_operands);
  attributes = sym_raise_read_attributes (list);
  va_end (list);
  return add_one (self, get_result_name (self), op, operands, n_operands, attributes);
}

SymId
sym_mxnet_raise_join (SymRaise *self, const char *op, SymId a, SymId b)
{
  return sym_mxnet_raise_call (self, op, (SymId[]){ a, b }, 2, NULL);
}

SymId
sym_mxnet_raise_by_number (SymRaise *self, const char *op, SymId x, double number)
{
  return sym_mxnet_raise_call (self, op, &x, 1, "scalar", sym_value_new_float (number), NULL);
}

SymId
sym_mxnet_raise_cast (SymRaise *self, SymId x, SymDType dtype)
{
  return sym_mxnet_raise_call (self, "Cast", &x, 1, "dtype",
                               sym_value_new_string (sym_dtype_to_string (dtype)), NULL);
}

SymId
sym_mxnet_raise_widen (SymRaise *self, guint slot, int rank)
{
  SymId x = sym_raise_operand (self, slot);

  for (int i = sym_raise_get_shape (self, slot).rank; i < rank; i++)
    x = sym_mxnet_raise_call (self, "expand_dims", &x, 1, "axis", sym_value_new_int (0), NULL);
  return x;
}

void
sym_mxnet_raise_finish (SymRaise *self,
                        const char *op,
                        const SymId *operands,
                        guint n_operands,
                        ...)
{
  guint n = sym_raise_count_results (self);
  g_autoptr (SymAttributes) attributes = NULL;
  va_list list;
  SymId call;

  va_start (list, n_operands);
  attributes = sym_raise_read_attributes (list);
  va_end (list);
  if (sym_raise_has_failed (self))
    return;
  call = add_call (self, get_result_name (self), op, operands, n_operands, n, attributes);
  for (guint i = 0; i < n; i++)
    sym_raise_set_result (self, i,
                          sym_model_builder_get_result (sym_raise_get_builder (self), call, i));
}

/* ---- Truth ---- */

/* Layers of MXNet tell truth by the numbers 0 and 1, of the dtype of what they compare.  Here all
 * such numbers are of one dtype, so that they can be compared again. */
#define TRUTH SYM_DTYPE_FLOAT32

static gboolean
has_dtype (SymDType dtype)
{
  return dtype == SYM_DTYPE_BOOL || sym_mxnet_raise_has_dtype (dtype);
}

SymDType
sym_mxnet_raise_get_kept (SymDType dtype)
{
  return dtype == SYM_DTYPE_BOOL ? TRUTH : dtype;
}

SymId
sym_mxnet_raise_truth (SymRaise *self, SymId x, SymDType dtype)
{
  return dtype == TRUTH ? x : sym_mxnet_raise_cast (self, x, TRUTH);
}

/* The data of a bool, or what becomes one, in another dtype. */
static SymId
convert (SymRaise *self, SymId value, SymId made, SymDType dtype)
{
  const char *type = sym_dtype_to_string (dtype);
  g_autofree char *name =
      g_strdup_printf ("%s_%s", sym_model_get_value_name (sym_raise_get_model (self), value), type);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();

  if (sym_raise_get_value_type (self, value).dtype != SYM_DTYPE_BOOL || made == SYM_NO_ID)
    return made;
  sym_attributes_set (attributes, "dtype", sym_value_new_string (type), NULL);
  return sym_model_builder_get_result (sym_raise_get_builder (self),
                                       add_call (self, name, "Cast", &made, 1, 1, attributes), 0);
}

static SymId
begin (SymRaise *self, SymId value, SymId made)
{
  return convert (self, value, made, TRUTH);
}

static SymId
end (SymRaise *self, SymId value, SymId made)
{
  return convert (self, value, made, SYM_DTYPE_BOOL);
}

/* Numbers of bool as those that stand for them. */
static SymTensor *
make_truth (SymTensor *tensor)
{
  const SymShape *shape = sym_tensor_get_shape (tensor);
  gsize n = (gsize) sym_tensor_get_n_bytes (tensor);
  g_autofree guint8 *bytes = g_try_malloc (MAX (n, 1));
  float *numbers = bytes == NULL ? NULL : g_try_new (float, MAX (n, 1));
  g_autoptr (GBytes) all = NULL;
  g_autoptr (SymBlob) blob = NULL;

  if (numbers == NULL || !sym_tensor_read (tensor, 0, n, bytes, NULL))
    {
      g_free (numbers);
      return NULL;
    }
  for (gsize i = 0; i < n; i++)
    numbers[i] = bytes[i] != 0;
  all = g_bytes_new_take (numbers, n * sizeof *numbers);
  blob = sym_blob_new_bytes (all);
  return sym_tensor_new (TRUTH, shape, blob, 0, NULL);
}

static SymId
add_tensor (SymRaise *self, SymId value, SymTensor *tensor, SymRole role)
{
  g_autoptr (SymTensor) truth = NULL;

  if (sym_tensor_get_dtype (tensor) != SYM_DTYPE_BOOL)
    return add_parameter (self, value, tensor, role);
  truth = make_truth (tensor);
  if (truth == NULL)
    sym_raise_fail_about (self, value, "cannot be read");
  return truth == NULL ? SYM_NO_ID : add_parameter (self, value, truth, role);
}

static const SymRaiseRule *const tables[] = { sym_mxnet_raise_choose,     sym_mxnet_raise_composed,
                                              sym_mxnet_raise_create,     sym_mxnet_raise_images,
                                              sym_mxnet_raise_layers,     sym_mxnet_raise_pairs,
                                              sym_mxnet_raise_products,   sym_mxnet_raise_recurrent,
                                              sym_mxnet_raise_reductions, sym_mxnet_raise_shapes,
                                              sym_mxnet_raise_windows,    NULL };

const SymRaiseTarget sym_mxnet_raise_target = {
  .title = "MXNet",
  .domain = "mxnet",
  .dialect = SYM_DIALECT_MXNET,
  .tables = tables,
  .may_stay_open = TRUE,
  .has_dtype = has_dtype,
  .begin = begin,
  .end = end,
  .add_tensor = add_tensor,
};
