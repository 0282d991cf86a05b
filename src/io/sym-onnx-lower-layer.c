/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-lower-private.h"

#include <string.h>

#include "ops/sym-op.h"

/* Layers that were lowered say what the kernels here understand.  As they are written, they say it
 * as most tools read it: attributes that the operator has, of the kind that it wants, and the older
 * version of an operator wherever that means the same. */

#define OLD_OPSET 17

/* Operators of which newer versions only add to the older one. */
static const char *const grown[] = {
  "AveragePool",    "Cast",   "CastLike",        "DequantizeLinear", "LpPool", "Pad",
  "QuantizeLinear", "Resize", "ScatterElements", "ScatterND",        "Split",  NULL,
};

/* ---- Attributes ---- */

static gboolean
is_default (const SymAttributeSpec *spec, const SymValue *value)
{
  g_autoptr (SymValue) fallback = spec == NULL || spec->fallback == NULL
                                      ? NULL
                                      : sym_op_type_literal (spec->kind, spec->fallback);
  gint64 ints[SYM_MAX_RANK];
  int n;

  if (fallback != NULL && sym_value_equal (fallback, value))
    return TRUE;
  if (spec == NULL || strcmp (spec->name, "dilations") != 0)
    return FALSE;
  n = sym_value_get_ints (value, ints, SYM_MAX_RANK);
  for (int i = 0; i < MIN (n, SYM_MAX_RANK); i++)
    if (ints[i] != 1)
      return FALSE;
  return n >= 0 && n <= SYM_MAX_RANK;
}

static gboolean
has_word (const char *words, const char *word)
{
  g_auto (GStrv) all = g_strsplit (words, " ", -1);

  return g_strv_contains ((const char *const *) all, word);
}

static SymValue *
make_floats (const SymValue *list)
{
  guint n = sym_value_get_n_children (list);
  g_autoptr (GPtrArray) children = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    {
      double number = 0;

      if (!sym_value_get_float (sym_value_get_child (list, i), &number))
        break;
      g_ptr_array_add (children, sym_value_new_float (number));
    }
  if (children->len == n)
    return sym_value_new_list ((SymValue *const *) children->pdata, n);
  for (guint i = 0; i < children->len; i++)
    sym_value_unref (g_ptr_array_index (children, i));
  return sym_value_ref ((SymValue *) list);
}

/* The value as ONNX's attributes of that kind are. */
static SymValue *
make_value (const SymAttributeSpec *spec, const SymValue *value)
{
  SymDType dtype;
  double number;

  if (sym_value_get_kind (value) == SYM_VALUE_DTYPE &&
      sym_dtype_from_string (sym_value_get_string (value), &dtype))
    return sym_value_new_int (sym_onnx_get_dtype_number (dtype));
  if (spec->kind == SYM_ATTRIBUTE_FLOAT && sym_value_get_float (value, &number))
    return sym_value_new_float (number);
  if (spec->kind == SYM_ATTRIBUTE_FLOATS)
    return make_floats (value);
  return sym_value_ref ((SymValue *) value);
}

/* An empty list says no more than nothing, and not of what. */
static gboolean
is_empty_list (const SymValue *value)
{
  SymValueKind kind = sym_value_get_kind (value);

  return (kind == SYM_VALUE_LIST || kind == SYM_VALUE_TUPLE) &&
         sym_value_get_n_children (value) == 0;
}

static SymAttributes *
make_attributes (const SymOperator *op, const SymAttributes *attributes)
{
  SymAttributes *made = sym_attributes_new ();

  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    {
      const char *name = sym_attributes_get_name (attributes, i);
      const SymValue *value = sym_attributes_get_value (attributes, i);
      const SymAttributeSpec *spec = sym_op_find_attribute (op, name);

      if (spec != NULL && !is_empty_list (value) && sym_value_get_kind (value) != SYM_VALUE_NONE)
        sym_attributes_set (made, name, make_value (spec, value), NULL);
    }
  return made;
}

/* ---- Older versions ---- */

/* Whether the layer can be said by @old: what that has no word for is as if it were not there. What
 * @op has none for either is written of neither. */
static gboolean
fits_older (const SymOperator *op,
            const SymOperator *old,
            const SymAttributes *attributes,
            SymIds operands)
{
  guint n_slots = 0;

  while (old->slots != NULL && old->slots[n_slots].name != NULL)
    n_slots++;
  for (guint i = n_slots; i < operands.n; i++)
    if (operands.ids[i] != SYM_NO_ID)
      return FALSE;
  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    {
      const char *name = sym_attributes_get_name (attributes, i);
      const SymValue *value = sym_attributes_get_value (attributes, i);
      const SymAttributeSpec *own = sym_op_find_attribute (op, name);
      const SymAttributeSpec *spec = sym_op_find_attribute (old, name);
      const char *word = sym_value_get_string (value);

      if (own == NULL)
        continue;
      if (spec == NULL && strcmp (name, "num_outputs") != 0 && !is_default (own, value))
        return FALSE;
      if (spec != NULL && spec->values != NULL && word != NULL && !has_word (spec->values, word))
        return FALSE;
    }
  return TRUE;
}

/* Whether the shape @to is what is left of @from without the axes of the bits, or with 1 for them.
 */
static gboolean
is_reduced (const SymShape *from, const SymShape *to, guint bits, gboolean keeps)
{
  int rank = 0;

  for (int i = 0; i < from->rank; i++)
    {
      gboolean is_gone = (bits >> i & 1) != 0;

      if (is_gone && !keeps)
        continue;
      if (rank >= to->rank || to->dims[rank++] != (is_gone ? 1 : from->dims[i]))
        return FALSE;
    }
  return rank == to->rank;
}

/* Those of one element, along which a reduction together with others does nothing. */
static guint
find_ones (const SymShape *shape)
{
  guint bits = 0;

  for (int i = 0; i < shape->rank; i++)
    if (shape->dims[i] == 1)
      bits |= 1u << i;
  return bits;
}

/* The axes that were reduced from one shape to another, where that can be no others. */
static gboolean
see_axes (const SymShape *from, const SymShape *to, gboolean keeps, gint64 *axes, guint *n)
{
  guint found = 0;

  if (!sym_shape_is_known (from) || !sym_shape_is_known (to))
    return FALSE;
  for (guint bits = 1; bits < 1u << from->rank; bits++)
    if (is_reduced (from, to, bits, keeps))
      {
        if (found != 0 && ((found ^ bits) & ~find_ones (from)) != 0)
          return FALSE;
        found = found != 0 ? found : bits;
      }
  for (guint i = 0; found >> i != 0; i++)
    if ((found >> i & 1) != 0)
      axes[(*n)++] = i;
  return found != 0;
}

/* The axes of a reduction, none for all: an operand since operator set 18, an attribute before.
 * Where the numbers of that operand are missing, shapes may tell.  FALSE when nothing does, or none
 * is no axis. */
static gboolean
read_axes (const SymModel *model, SymId call, const SymOnnxKnown *known, gint64 *axes, guint *n)
{
  SymIds operands = sym_model_get_operands (model, call);
  const SymAttributes *attributes = sym_layer_get_attributes (sym_model_get_layer (model, call));
  SymTensor *tensor = known->numbers;
  guint64 count;

  *n = 0;
  if (operands.n < 2 || operands.ids[1] == SYM_NO_ID)
    return sym_attributes_get_int (attributes, "noop_with_empty_axes", 0) == 0;
  if (tensor == NULL)
    return see_axes (&known->operand.shape, &known->result.shape,
                     sym_attributes_get_int (attributes, "keepdims", 1) != 0, axes, n);
  if (sym_tensor_get_dtype (tensor) != SYM_DTYPE_INT64 ||
      !sym_shape_get_n_elements (sym_tensor_get_shape (tensor), &count) || count == 0 ||
      count > SYM_MAX_RANK || !sym_tensor_read (tensor, 0, count * sizeof *axes, axes, NULL))
    return FALSE;
  *n = (guint) count;
  return TRUE;
}

/* A reduction along no axis, of a kind that leaves single elements as they are. */
static gboolean
reduces_nothing (const SymLayer *layer, SymTensor *axes)
{
  static const char *const kinds[] = { "ReduceMax",  "ReduceMean", "ReduceMin",
                                       "ReduceProd", "ReduceSum",  NULL };
  guint64 n;

  return g_strv_contains (kinds, sym_layer_get_operator (layer)->name) && axes != NULL &&
         sym_shape_get_n_elements (sym_tensor_get_shape (axes), &n) && n == 0 &&
         sym_attributes_get_int (sym_layer_get_attributes (layer), "noop_with_empty_axes", 0) != 0;
}

/* NULL when it is none, or cannot be said so. */
static SymLayer *
make_older_reduction (const SymModel *model,
                      SymId call,
                      const SymOnnxKnown *known,
                      const SymOperator *old)
{
  SymLayer *layer = sym_model_get_layer (model, call);
  g_autoptr (SymAttributes) with = NULL;
  g_autoptr (SymAttributes) attributes = NULL;
  gint64 axes[SYM_MAX_RANK];
  guint n;

  if (reduces_nothing (layer, known->numbers))
    return sym_layer_new ("Identity", sym_op_find ("", "Identity", OLD_OPSET), NULL);
  if (!g_str_has_prefix (old->name, "Reduce") || sym_op_find_attribute (old, "axes") == NULL ||
      !read_axes (model, call, known, axes, &n))
    return NULL;
  with = sym_attributes_with (sym_layer_get_attributes (layer), "axes",
                              sym_value_new_ints (SYM_VALUE_LIST, axes, n), NULL);
  attributes = make_attributes (old, with); /* which drops an empty list */
  return sym_layer_new (old->name, old, attributes);
}

SymLayer *
sym_onnx_find_older (const SymLayer *layer)
{
  const SymOperator *op = sym_layer_get_operator (layer);
  gboolean is_newest = *op->domain == '\0' && sym_op_find ("", op->name, 0) == op;
  const SymOperator *older = !is_newest || sym_op_find ("", op->name, OLD_OPSET) == op
                                 ? NULL
                                 : sym_op_find (SYM_OP_ONNX_OLDER, op->name, 0);
  g_autoptr (SymAttributes) attributes =
      older == NULL ? NULL : make_attributes (older, sym_layer_get_attributes (layer));

  return older == NULL ? NULL : sym_layer_new (op->name, older, attributes);
}

SymLayer *
sym_onnx_lower_layer (const SymModel *model,
                      SymId call,
                      const SymOnnxKnown *known,
                      gboolean older,
                      guint *n_operands)
{
  SymLayer *layer = sym_model_get_layer (model, call);
  const SymOperator *op = sym_layer_get_operator (layer);
  const SymOperator *old = older ? sym_op_find ("", op->name, OLD_OPSET) : NULL;
  SymIds operands = sym_model_get_operands (model, call);
  g_autoptr (SymAttributes) attributes = NULL;

  *n_operands = operands.n;
  if (sym_layer_get_n_bodies (layer) > 0)
    return sym_layer_ref (layer);
  if (*op->domain == '\0' && old != NULL && old != op)
    {
      SymLayer *reduction = make_older_reduction (model, call, known, old);

      if (reduction != NULL)
        {
          *n_operands = MIN (operands.n, 1);
          return reduction;
        }
      if (g_strv_contains (grown, op->name) &&
          fits_older (op, old, sym_layer_get_attributes (layer), operands))
        op = old;
    }
  attributes = make_attributes (op, sym_layer_get_attributes (layer));
  return sym_layer_new (op->name, op, attributes);
}

/* ---- What cannot be said ---- */

static gboolean
lacks_numbers (const SymModel *model, SymId value)
{
  SymParameter *parameter = sym_model_get_parameter (model, value);

  return sym_model_get_producer (model, value) == SYM_NO_ID &&
         !sym_role_is_data (sym_model_get_role (model, value)) &&
         sym_model_get_tensor (model, value) == NULL &&
         (parameter == NULL || sym_parameter_get_tensor (parameter) == NULL);
}

char *
sym_onnx_lower_blame (const SymOnnxPart *part,
                      SymId call,
                      const SymType *types,
                      const GError *cause)
{
  SymIds operands = sym_model_get_operands (part->model, call);

  for (guint i = 0; cause->code == SYM_ERROR_UNSUPPORTED && i < operands.n; i++)
    if (operands.ids[i] != SYM_NO_ID && sym_dtype_is_integer (types[i].dtype) &&
        lacks_numbers (part->model, operands.ids[i]))
      return g_strdup_printf ("%s, but the numbers of “%s” are missing", cause->message,
                              sym_model_get_value_name (part->model, operands.ids[i]));
  return NULL;
}
