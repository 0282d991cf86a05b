/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-nnvm.h"

/* Layers of NNVM that are some of MXNet's together, or hardly. */

/* @x in a layer of MXNet. */
static SymId
apply (SymOpLower *self, const SymOperator *other, SymId x, SymAttributes *attributes)
{
  return sym_op_lower_apply (self, other, SYM_IDS (x), attributes);
}

/* `num_newaxis` axes of size 1 from `axis` on. */
static void
lower_expand_dims (SymOpLower *self)
{
  gint64 n = sym_op_lower_get_int (self, "num_newaxis", 1);
  const SymOperator *other = sym_op_find ("mxnet", "expand_dims", 0);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  SymId x = sym_op_lower_input (self, 0);

  if (n < 1 || n > SYM_MAX_RANK)
    sym_op_lower_fail (self, "expand_dims: %" G_GINT64_FORMAT " new axes make no sense", n);
  sym_attributes_set (attributes, "axis",
                      sym_value_new_int (sym_op_lower_get_int (self, "axis", 0)), NULL);
  for (gint64 i = 0; i < n && !sym_op_lower_has_failed (self); i++)
    x = apply (self, other, x, attributes);
  sym_op_lower_set_output (self, 0, x);
}

/* A number of equal parts; or a list of the places where later parts begin, if it is of one. */
static int
count_parts (const SymAttributes *attributes, int *n_visible)
{
  const SymValue *value = sym_attributes_find (attributes, "indices_or_sections");
  gint64 n = 1;

  if (value != NULL && !sym_value_get_int (value, &n))
    n = sym_value_get_ints (value, NULL, 0) + 1;
  *n_visible = (int) CLAMP (n, 1, 1024);
  return *n_visible;
}

static void
lower_split (SymOpLower *self)
{
  SymLayer *layer = sym_op_lower_get_layer (self);
  const SymValue *value =
      sym_attributes_find (sym_layer_get_attributes (layer), "indices_or_sections");
  gint64 indices[SYM_MAX_RANK + 1] = { 0 }, number;
  gboolean is_equal = value == NULL || sym_value_get_int (value, &number);
  int n = is_equal ? 0 : sym_op_foreign_list (self, "indices_or_sections", indices + 1);
  const SymOperator *other = sym_op_find ("mxnet", is_equal ? "SliceChannel" : "_split_v2", 0);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  SymId x;

  sym_attributes_set (attributes, "axis",
                      sym_value_new_int (sym_op_lower_get_int (self, "axis", 1)), NULL);
  if (is_equal)
    sym_attributes_set (attributes, "num_outputs",
                        sym_value_new_int (sym_op_lower_get_n_outputs (self)), NULL);
  else
    sym_attributes_set (attributes, "indices", sym_op_lower_list (indices, MAX (n, 0) + 1), NULL);
  x = apply (self, other, sym_op_lower_input (self, 0), attributes);
  for (guint i = 0; i < sym_op_lower_get_n_outputs (self); i++)
    sym_op_lower_set_output (self, i, i == 0 ? x : sym_op_lower_get_result (self, x, i));
}

/* Without an axis, of all elements in a row. */
static void
lower_take (SymOpLower *self)
{
  const SymAttributes *given = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  const SymValue *axis = sym_attributes_find (given, "axis");
  g_autoptr (SymAttributes) attributes = sym_attributes_new (), flat = sym_attributes_new ();
  SymId x = sym_op_lower_input (self, 0);
  const gint64 all[] = { -1 };
  gint64 number;

  if (axis == NULL || !sym_value_get_int (axis, &number))
    {
      number = 0;
      sym_attributes_set (flat, "shape", sym_op_lower_list (all, 1), NULL);
      x = apply (self, sym_op_find ("mxnet", "Reshape", 0), x, flat);
    }
  sym_attributes_set (attributes, "axis", sym_value_new_int (number), NULL);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_apply (self, sym_op_find ("mxnet", "take", 0),
                                               SYM_IDS (x, sym_op_lower_input (self, 1)),
                                               attributes));
}

/* Places of the greatest or least elements, which MXNet tells as floats. */
static void
lower_arg (SymOpLower *self)
{
  const char *type = sym_op_lower_get_type (self);
  g_autoptr (SymAttributes) attributes = sym_attributes_new (), dtype = sym_attributes_new ();
  SymId x = sym_op_lower_input (self, 0);
  gint64 axes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "axis", axes);

  if (n > 1 || sym_op_lower_get_bool (self, "exclude", FALSE))
    sym_op_lower_refuse (self, "%s: over several axes it is not lowered", type);
  if (n == 1)
    sym_attributes_set (attributes, "axis", sym_value_new_int (axes[0]), NULL);
  sym_attributes_set (attributes, "keepdims",
                      sym_value_new_bool (sym_op_lower_get_bool (self, "keepdims", FALSE)), NULL);
  sym_attributes_set (dtype, "dtype", sym_value_new_dtype (SYM_DTYPE_INT32), NULL);
  x = apply (self, sym_op_find ("mxnet", type, 0), x, attributes);
  sym_op_lower_set_output (self, 0, apply (self, sym_op_find ("mxnet", "Cast", 0), x, dtype));
}

/* ---- What is added around ---- */

/* ((before, after), ...): what is added to axis @axis; FALSE when it is not told. */
static gboolean
read_margin (const SymAttributes *attributes, int axis, gint64 margin[2])
{
  const SymValue *width = sym_attributes_find (attributes, "pad_width");
  const SymValue *pair = width == NULL || axis >= (int) sym_value_get_n_children (width)
                             ? NULL
                             : sym_value_get_child (width, (guint) axis);

  return pair != NULL && sym_value_get_ints (pair, margin, 2) == 2 && margin[0] >= 0 &&
         margin[1] >= 0 && MAX (margin[0], margin[1]) <= G_MAXINT32;
}

static gboolean
infer_pad (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  SymShape shape = sym_rule_get_input (rule, 0);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  for (int i = 0; i < shape.rank; i++)
    {
      gint64 margin[2];
      SymOpWindow window = { 1, 1, 1, 0, 0, FALSE };

      if (!read_margin (attributes, i, margin))
        return sym_rule_fail (error, "pad_width should tell two numbers for each of %d axes",
                              shape.rank);
      window.before = margin[0];
      window.after = margin[1];
      if (!sym_op_slide (rule, shape.dims[i], &window, &shape.dims[i], error))
        return FALSE;
    }
  return sym_rule_set_output (rule, 0, &shape, error);
}

static void
lower_pad (SymOpLower *self)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  int rank = sym_op_foreign_rank (self, 0);
  gint64 pads[2 * SYM_MAX_RANK] = { 0 };

  for (int i = 0; i < rank; i++)
    {
      gint64 margin[2] = { 0 };

      read_margin (attributes, i, margin);
      pads[i] = margin[0];
      pads[rank + i] = margin[1];
    }
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "Pad",
          SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_ints (self, pads, 2 * rank),
                   sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0),
                                        sym_op_lower_get_float (self, "pad_value", 0))),
          NULL));
}

/* ---- Table ---- */

static const SymSlotSpec slots[] = { { "data" }, { "indices" }, { NULL } };

static const SymAttributeSpec expand_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, NULL, "where the first new axis is" },
  { "num_newaxis", SYM_ATTRIBUTE_INT, "1", "how many" },
  { NULL },
};

static const SymAttributeSpec split_attributes[] = {
  { "indices_or_sections", SYM_ATTRIBUTE_ANY, NULL,
    "how many parts; of a list: where later parts begin" },
  { "axis", SYM_ATTRIBUTE_INT, "1", "along which" },
  { NULL },
};

static const SymAttributeSpec take_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "None", "along which; None is of all elements in a row" },
  { NULL },
};

static const SymAttributeSpec pad_attributes[] = {
  { "pad_width", SYM_ATTRIBUTE_ANY, NULL, "what is added before and after each axis" },
  { "pad_value", SYM_ATTRIBUTE_FLOAT, "0", "the number that is added" },
  { NULL },
};

static const SymAttributeSpec arg_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INTS, "()", "axis that goes; none are all" },
  { "keepdims", SYM_ATTRIBUTE_BOOL, "False", "whether it stays with size 1" },
  { "exclude", SYM_ATTRIBUTE_BOOL, "False", "whether it is the axis that stays" },
  { NULL },
};

const SymOperator sym_op_nnvm_shape[] = {
  { NNVM ("expand_dims", "With axes of size 1", SHAPE), .slots = sym_op_nnvm_data,
    .attributes = expand_attributes, .infer = sym_op_infer_translated, .lower = lower_expand_dims },
  { NNVM ("split", "Parts along an axis", SHAPE), .slots = sym_op_nnvm_data,
    .attributes = split_attributes, .get_n_outputs = count_parts, .infer = sym_op_infer_translated,
    .lower = lower_split },
  { NNVM ("take", "Slices by indices", SHAPE), .slots = slots, .attributes = take_attributes,
    .infer = sym_op_infer_translated, .lower = lower_take },
  { NNVM ("argmax", "Place of the greatest element", POOLING), .slots = sym_op_nnvm_data,
    .attributes = arg_attributes, .infer = sym_op_infer_translated, .lower = lower_arg },
  { NNVM ("argmin", "Place of the least element", POOLING), .slots = sym_op_nnvm_data,
    .attributes = arg_attributes, .infer = sym_op_infer_translated, .lower = lower_arg },
  { NNVM ("pad", "Something around the data", SHAPE), .slots = sym_op_nnvm_data,
    .attributes = pad_attributes, .infer = infer_pad, .lower = lower_pad },
  { NULL },
};
