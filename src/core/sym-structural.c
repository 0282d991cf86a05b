/* SPDX-License-Identifier: MIT */
#include "core/sym-structural.h"

#include "core/sym-kernel.h"

#define MAX_ELEMENTS 4096

/* ---- UnpackLayer ---- */

/* Only those results are shown that are in use. */
static int
count_unpacked (const SymAttributes *attributes, int *n_visible)
{
  const SymValue *elements = sym_attributes_find (attributes, "elements");
  gint64 count = elements == NULL ? sym_attributes_get_int (attributes, "count", 1)
                                  : (gint64) sym_value_get_n_children (elements);

  count = CLAMP (count, 1, MAX_ELEMENTS);
  *n_visible = (int) count;
  return (int) count;
}

/* Which element the @i-th result is; -1 when the attributes do not say. */
static gint64
get_element (SymRule *rule, guint i)
{
  const SymValue *elements = sym_attributes_find (sym_rule_get_attributes (rule), "elements");
  gint64 element;

  if (elements == NULL)
    return i;
  if (i >= sym_value_get_n_children (elements) ||
      !sym_value_get_int (sym_value_get_child (elements, i), &element))
    return -1;
  return element;
}

static gboolean
unpack_tuple (SymRule *rule, const SymType *tuple, gint64 count, GError **error)
{
  if (tuple->n_elements != count)
    return sym_rule_fail (error, "a tuple of %u cannot be unpacked into %" G_GINT64_FORMAT,
                          tuple->n_elements, count);
  for (guint i = 0; i < sym_rule_get_n_outputs (rule); i++)
    {
      gint64 element = get_element (rule, i);

      if (element >= 0 && element < tuple->n_elements)
        sym_rule_set_output_type (rule, i, &tuple->elements[element]);
    }
  return TRUE;
}

static gboolean
unpack_tensor (SymRule *rule, const SymType *tensor, gint64 count, GError **error)
{
  SymShape slice = { .rank = tensor->shape.rank - 1 };

  for (guint i = 0; i < sym_rule_get_n_outputs (rule); i++)
    if (!sym_rule_set_output_dtype (rule, i, tensor->dtype, error))
      return FALSE;
  if (tensor->shape.rank < 0)
    return TRUE;
  if (tensor->shape.rank == 0)
    return sym_rule_fail (error, "a tensor without dimensions cannot be unpacked");
  if (!sym_rule_unify (rule, tensor->shape.dims[0], count, "the number of elements to unpack",
                       error))
    return FALSE;

  for (int i = 0; i < slice.rank; i++)
    slice.dims[i] = tensor->shape.dims[i + 1];
  for (guint i = 0; i < sym_rule_get_n_outputs (rule); i++)
    if (!sym_rule_set_output (rule, i, &slice, error))
      return FALSE;
  return TRUE;
}

static gboolean
infer_unpack (SymRule *rule, GError **error)
{
  SymType type = sym_rule_get_input_type (rule, 0);
  gint64 count = sym_rule_get_int (rule, "count", 1);

  if (type.kind == SYM_KIND_TUPLE)
    return unpack_tuple (rule, &type, count, error);
  if (type.kind == SYM_KIND_TENSOR)
    return unpack_tensor (rule, &type, count, error);
  return TRUE;
}

static gboolean
run_unpack (SymKernel *kernel, GError **error)
{
  const SymDatum *operand = sym_kernel_get_datum (kernel, 0);
  gint64 count = sym_kernel_get_int (kernel, "count", 1), length, elements[MAX_ELEMENTS];
  int n = sym_kernel_get_ints (kernel, "elements", elements, MAX_ELEMENTS);

  if (operand == NULL)
    return sym_kernel_fail (error, "there is nothing to unpack");
  if (!sym_datum_get_length (operand, &length, error))
    return FALSE;
  if (length != count)
    return sym_kernel_fail (error,
                            "%s values to unpack: %" G_GINT64_FORMAT
                            " were expected, and there are "
                            "%" G_GINT64_FORMAT,
                            length < count ? "not enough" : "too many", count, length);
  for (guint i = 0; i < sym_kernel_get_n_outputs (kernel); i++)
    {
      gint64 element = n < 0 ? (gint64) i : i < (guint) MIN (n, MAX_ELEMENTS) ? elements[i] : -1;
      g_autoptr (SymDatum) item = sym_datum_take_apart (operand, element, error);

      if (item == NULL || !sym_kernel_set_output (kernel, i, item, error))
        return FALSE;
    }
  return TRUE;
}

static const SymAttributeSpec unpack_attributes[] = {
  { "count", SYM_ATTRIBUTE_INT, NULL, "how many elements there are" },
  { "elements", SYM_ATTRIBUTE_INTS, "None", "which of them are results; None for all" },
  { NULL },
};

static const SymSlotSpec one_slot[] = {
  { "input", SYM_SLOT_DATA },
  { NULL },
};

/* ---- GetAttr ---- */

static gboolean
infer_get_attribute (SymRule *rule, GError **error)
{
  const char *name = sym_rule_get_string (rule, "name", "");
  SymType type = sym_type_opaque (g_str_has_prefix (name, "__") ? "method-wrapper"
                                                                : "builtin_function_or_method");

  sym_rule_set_output_type (rule, 0, &type);
  return TRUE;
}

static gboolean
run_get_attribute (SymKernel *kernel, GError **error)
{
  SymDatum *owner = sym_kernel_get_datum (kernel, 0);
  const char *name = sym_kernel_get_string (kernel, "name", NULL);
  g_autoptr (SymDatum) method = NULL;

  if (owner == NULL || name == NULL)
    return sym_kernel_fail (error, "there is no %s", owner == NULL ? "value" : "name");
  method = sym_datum_new_method (owner, name);
  return sym_kernel_set_output (kernel, 0, method, error);
}

static const SymAttributeSpec get_attribute_attributes[] = {
  { "name", SYM_ATTRIBUTE_STRING, NULL, "name of the attribute" },
  { NULL },
};

/* ---- TupleLayer ---- */

static gboolean
infer_tuple (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule);
  g_autofree SymType *elements = g_new0 (SymType, n + 1);
  SymType tuple = SYM_TYPE_UNKNOWN;

  for (guint i = 0; i < n; i++)
    elements[i] = sym_rule_get_input_type (rule, i);
  tuple.kind = SYM_KIND_TUPLE;
  tuple.elements = elements;
  tuple.n_elements = n;
  sym_rule_set_output_type (rule, 0, &tuple);
  return TRUE;
}

static gboolean
run_tuple (SymKernel *kernel, GError **error)
{
  guint n = sym_kernel_get_n_inputs (kernel);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_datum_unref);
  g_autoptr (SymDatum) tuple = NULL;

  for (guint i = 0; i < n; i++)
    {
      SymDatum *item = sym_kernel_get_datum (kernel, i);
      SymDatum *kept = item == NULL ? NULL : sym_datum_keep (item, error);

      if (item == NULL)
        return sym_kernel_fail (error, "element %u of the tuple is missing", i);
      if (kept == NULL)
        return FALSE;
      g_ptr_array_add (items, kept);
    }
  tuple = sym_datum_new_tuple ((SymDatum *const *) items->pdata, items->len);
  return sym_kernel_set_output (kernel, 0, tuple, error);
}

const SymOperator sym_op_structural[] = {
  {
      .domain = "torch",
      .name = "UnpackLayer",
      .since_version = 1,
      .summary = "Takes a tuple, or a tensor along its first dimension, apart",
      .reference = "PyTorch Symbolic useful_layers.UnpackLayer",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = unpack_attributes,
      .slots = one_slot,
      .get_n_outputs = count_unpacked,
      .infer = infer_unpack,
      .run = run_unpack,
  },
  {
      .domain = "torch",
      .name = "GetAttr",
      .since_version = 1,
      .summary = "Looks up an attribute, such as a method, of a value that is no tensor",
      .reference = "PyTorch Symbolic useful_layers.GetAttr",
      .category = SYM_CATEGORY_CONTROL,
      .attributes = get_attribute_attributes,
      .slots = one_slot,
      .infer = infer_get_attribute,
      .run = run_get_attribute,
  },
  {
      .domain = "torch",
      .name = "TupleLayer",
      .since_version = 1,
      .summary = "Makes a tuple of values",
      .reference = "what layers with several results return",
      .category = SYM_CATEGORY_SHAPE,
      .infer = infer_tuple,
      .run = run_tuple,
  },
  { NULL },
};
