/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-torch.h"

#include <string.h>

/* ---- SliceLayer ---- */

typedef struct {
  SymRule *rule;
  SymShape input, output;
  int axis;         /* the next of @input */
  gboolean is_told; /* FALSE once an index is met whose result cannot be told */
} Slicing;

static gboolean
is_new_axis_or_ellipsis (const SymValue *index)
{
  return sym_value_get_kind (index) == SYM_VALUE_NONE ||
         sym_value_get_kind (index) == SYM_VALUE_ELLIPSIS;
}

static gboolean
take_element (Slicing *self, gint64 index, GError **error)
{
  SymDim size = self->input.dims[self->axis];

  if (size >= 0 && (index >= size || index < -size))
    return sym_rule_fail (error,
                          "index %" G_GINT64_FORMAT " is out of bounds for dimension %d with size "
                          "%" G_GINT64_FORMAT,
                          index, self->axis, size);
  self->axis++;
  return TRUE;
}

static gboolean
take_slice (Slicing *self, const SymValue *slice, GError **error)
{
  gint64 start = 0, stop = 0, step = 1;
  gboolean has_start = sym_value_get_int (sym_value_get_child (slice, 0), &start);
  gboolean has_stop = sym_value_get_int (sym_value_get_child (slice, 1), &stop);

  sym_value_get_int (sym_value_get_child (slice, 2), &step);
  if (step <= 0)
    return sym_rule_fail (error, "slice step must be positive, not %" G_GINT64_FORMAT, step);

  self->output.dims[self->output.rank++] =
      sym_op_slice_size (sym_rule_get_terms (self->rule), self->input.dims[self->axis], has_start,
                         start, has_stop, stop, step);
  self->axis++;
  return TRUE;
}

static void
take_rest (Slicing *self, int n)
{
  for (int i = 0; i < n; i++)
    self->output.dims[self->output.rank++] = self->input.dims[self->axis++];
}

static gboolean
take_index (Slicing *self, const SymValue *index, int n_skipped, GError **error)
{
  gint64 number;

  switch (sym_value_get_kind (index))
    {
    case SYM_VALUE_INT:
      sym_value_get_int (index, &number);
      return take_element (self, number, error);
    case SYM_VALUE_SLICE:
      return take_slice (self, index, error);
    case SYM_VALUE_ELLIPSIS:
      take_rest (self, n_skipped);
      return TRUE;
    case SYM_VALUE_NONE:
      self->output.dims[self->output.rank++] = 1;
      return TRUE;
    case SYM_VALUE_BOOL:
    case SYM_VALUE_FLOAT:
    case SYM_VALUE_STRING:
    case SYM_VALUE_DTYPE:
    case SYM_VALUE_LIST:
    case SYM_VALUE_TUPLE:
    case SYM_VALUE_DICT:
    case SYM_VALUE_OPERAND:
    case SYM_VALUE_OPAQUE:
    case SYM_VALUE_TENSOR:
    default:
      self->is_told = FALSE;
      return TRUE;
    }
}

static gboolean
slice_tensor (SymRule *rule, const SymType *type, const SymValue *index, GError **error)
{
  gboolean is_tuple = sym_value_get_kind (index) == SYM_VALUE_TUPLE;
  guint n = is_tuple ? sym_value_get_n_children (index) : 1;
  Slicing self = { .rule = rule, .input = type->shape, .is_told = TRUE };
  int n_axes = 0, n_new = 0;

  if (!sym_rule_set_output_dtype (rule, 0, type->dtype, error))
    return FALSE;
  if (type->shape.rank < 0)
    return TRUE;
  for (guint i = 0; i < n; i++)
    {
      const SymValue *part = is_tuple ? sym_value_get_child (index, i) : index;

      n_axes += !is_new_axis_or_ellipsis (part);
      n_new += sym_value_get_kind (part) == SYM_VALUE_NONE;
    }
  if (n_axes > type->shape.rank)
    return sym_rule_fail (error, "too many indices for tensor of dimension %d", type->shape.rank);
  if (type->shape.rank + n_new > SYM_MAX_RANK)
    return sym_rule_fail (error, "at most %d dimensions are supported", SYM_MAX_RANK);

  for (guint i = 0; i < n && self.is_told; i++)
    if (!take_index (&self, is_tuple ? sym_value_get_child (index, i) : index,
                     MIN (type->shape.rank - n_axes, type->shape.rank - self.axis), error))
      return FALSE;
  if (!self.is_told)
    return TRUE;
  take_rest (&self, self.input.rank - self.axis);
  return sym_rule_set_output (rule, 0, &self.output, error);
}

static gboolean
slice_tuple (SymRule *rule, const SymType *type, const SymValue *index, GError **error)
{
  gint64 number;

  if (!sym_value_get_int (index, &number))
    return TRUE;
  if (number < -(gint64) type->n_elements || number >= type->n_elements)
    return sym_rule_fail (error, "tuple index %" G_GINT64_FORMAT " out of range for %u elements",
                          number, type->n_elements);
  sym_rule_set_output_type (rule, 0,
                            &type->elements[number < 0 ? number + type->n_elements : number]);
  return TRUE;
}

static gboolean
infer_slice (SymRule *rule, GError **error)
{
  const SymValue *index = sym_attributes_find (sym_rule_get_attributes (rule), "idx");
  SymType type = sym_rule_get_input_type (rule, 0);

  if (index == NULL)
    return sym_rule_fail (error, "the index is missing");
  if (type.kind == SYM_KIND_TENSOR)
    return slice_tensor (rule, &type, index, error);
  if (type.kind == SYM_KIND_TUPLE)
    return slice_tuple (rule, &type, index, error);
  if (type.kind == SYM_KIND_OPAQUE)
    sym_rule_set_output_type (rule, 0, &type);
  return TRUE;
}

/* An index of integers takes rows; one of booleans takes as many as are true, which nobody knows.
 */
static gboolean
infer_slice_by_node (SymRule *rule, GError **error)
{
  SymShape input = sym_rule_get_input (rule, 0), output = sym_rule_get_input (rule, 1);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (!sym_dtype_is_integer (sym_rule_get_input_dtype (rule, 1)) || input.rank < 1 ||
      output.rank < 0 || output.rank + input.rank - 1 > SYM_MAX_RANK)
    return TRUE;
  for (int i = 1; i < input.rank; i++)
    output.dims[output.rank++] = input.dims[i];
  return sym_rule_set_output (rule, 0, &output, error);
}

static const SymAttributeSpec none[] = { { NULL } };

static const SymAttributeSpec slice_attributes[] = {
  { "idx", SYM_ATTRIBUTE_ANY, NULL, "what stands between the brackets" },
  { NULL },
};

#define LAYER(name_, summary_, attributes_, slots_, infer_)                                   \
  {                                                                                           \
    SYM_OP_TORCH, .name = name_, .summary = summary_,                                         \
                  .reference = "PyTorch Symbolic useful_layers." name_,                       \
                  .category = SYM_CATEGORY_SHAPE, .attributes = attributes_, .slots = slots_, \
                  .infer = infer_,                                                            \
  }

const SymOperator sym_op_torch_slice[] = {
  LAYER ("SliceLayer",
         "A part of a tensor, by constant indices",
         slice_attributes,
         sym_op_torch_one,
         infer_slice),
  LAYER ("SliceLayerSymbolicIdx",
         "A part of a tensor, by another tensor",
         none,
         sym_op_torch_pair,
         infer_slice_by_node),
  { NULL },
};
