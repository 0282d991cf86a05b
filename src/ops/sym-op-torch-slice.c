/* SPDX-License-Identifier: MIT */
#include "core/sym-element.h"
#include "core/sym-kernel.h"
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

/* ---- The kernel ---- */

/* How the elements of the result lie in the operand: a first one and a step for each axis. */
typedef struct {
  const SymArray *from;
  SymShape shape;
  gint64 steps[SYM_MAX_RANK];
  gint64 offset;
  gint64 strides[SYM_MAX_RANK]; /* of the operand, in elements */
  int axis;                     /* the next one of the operand */
} View;

static void
keep_axis (View *self, gint64 start, gint64 n, gint64 step)
{
  gint64 stride = self->strides[self->axis];

  self->offset += start * stride;
  self->steps[self->shape.rank] = step * stride;
  self->shape.dims[self->shape.rank++] = n;
  self->axis++;
}

static gboolean
view_element (View *self, gint64 index, GError **error)
{
  gint64 size = self->from->shape.dims[self->axis];

  if (index >= size || index < -size)
    return sym_kernel_fail (error,
                            "index %" G_GINT64_FORMAT
                            " is out of bounds for dimension %d with size "
                            "%" G_GINT64_FORMAT,
                            index, self->axis, size);
  self->offset += (index < 0 ? index + size : index) * self->strides[self->axis];
  self->axis++;
  return TRUE;
}

static gboolean
view_slice (View *self, const SymValue *slice, GError **error)
{
  gint64 size = self->from->shape.dims[self->axis], start = 0, stop = size, step = 1;

  sym_value_get_int (sym_value_get_child (slice, 0), &start);
  sym_value_get_int (sym_value_get_child (slice, 1), &stop);
  sym_value_get_int (sym_value_get_child (slice, 2), &step);
  if (step <= 0)
    return sym_kernel_fail (error, "slice step must be positive, not %" G_GINT64_FORMAT, step);
  start = CLAMP (start < 0 ? start + size : start, 0, size);
  stop = CLAMP (stop < 0 ? stop + size : stop, start, size);
  keep_axis (self, start, stop == start ? 0 : (stop - start - 1) / step + 1, step);
  return TRUE;
}

static gboolean
view_part (View *self, const SymValue *part, int n_skipped, GError **error)
{
  gint64 number;

  if (sym_value_get_kind (part) == SYM_VALUE_NONE && self->shape.rank < SYM_MAX_RANK)
    {
      self->shape.dims[self->shape.rank++] = 1;
      return TRUE;
    }
  if (sym_value_get_kind (part) == SYM_VALUE_ELLIPSIS)
    {
      for (int i = 0; i < n_skipped; i++)
        keep_axis (self, 0, self->from->shape.dims[self->axis], 1);
      return TRUE;
    }
  if (self->axis >= self->from->shape.rank)
    return sym_kernel_fail (error, "too many indices for tensor of dimension %d",
                            self->from->shape.rank);
  if (sym_value_get_kind (part) == SYM_VALUE_SLICE)
    return view_slice (self, part, error);
  if (sym_value_get_kind (part) == SYM_VALUE_INT && sym_value_get_int (part, &number))
    return view_element (self, number, error);
  return sym_kernel_fail (error, "an index that is no number, slice, None or ... is not supported");
}

static gboolean
make_view (View *self, const SymValue *index, GError **error)
{
  gboolean is_tuple = sym_value_get_kind (index) == SYM_VALUE_TUPLE;
  guint n = is_tuple ? sym_value_get_n_children (index) : 1;
  int n_axes = 0;
  gint64 stride = 1;

  for (int i = self->from->shape.rank - 1; i >= 0; i--)
    {
      self->strides[i] = stride;
      stride *= self->from->shape.dims[i];
    }
  for (guint i = 0; i < n; i++)
    n_axes += !is_new_axis_or_ellipsis (is_tuple ? sym_value_get_child (index, i) : index);
  for (guint i = 0; i < n; i++)
    if (!view_part (self, is_tuple ? sym_value_get_child (index, i) : index,
                    MIN (self->from->shape.rank - n_axes, self->from->shape.rank - self->axis),
                    error))
      return FALSE;
  while (self->axis < self->from->shape.rank)
    {
      if (self->shape.rank == SYM_MAX_RANK)
        return sym_kernel_fail (error, "at most %d dimensions are supported", SYM_MAX_RANK);
      keep_axis (self, 0, self->from->shape.dims[self->axis], 1);
    }
  return TRUE;
}

static void
copy_element (const SymArray *from, gsize i, SymArray *to, gsize k)
{
  guint bits = sym_dtype_get_bits (from->dtype);

  if (from->dtype == SYM_DTYPE_STRING)
    sym_array_set_string (to, k, ((GBytes *const *) from->data)[i]);
  else if (bits % 8 == 0)
    memcpy ((char *) to->data + k * (bits / 8), (const char *) from->data + i * (bits / 8),
            bits / 8);
  else
    sym_element_set_double (to->dtype, to->data, k,
                            sym_element_get_double (from->dtype, from->data, i));
}

/* Element by element, the last axis the fastest. */
static gboolean
copy_view (SymKernel *kernel, const View *self, SymArray *to, GError **error)
{
  gint64 places[SYM_MAX_RANK] = { 0 }, at = self->offset;
  gsize n = sym_array_get_n_elements (to);

  for (gsize k = 0; k < n; k++)
    {
      if ((k & 0xffff) == 0 && sym_kernel_is_cancelled (kernel, error))
        return FALSE;
      copy_element (self->from, (gsize) at, to, k);
      for (int i = self->shape.rank - 1; i >= 0; i--)
        {
          at += self->steps[i];
          if (++places[i] < self->shape.dims[i])
            break;
          at -= self->shape.dims[i] * self->steps[i];
          places[i] = 0;
        }
    }
  return TRUE;
}

static gboolean
run_on_other (SymKernel *kernel, SymDatum *operand, const SymValue *index, GError **error)
{
  g_autoptr (SymDatum) item = NULL;
  gint64 number, length;

  if (sym_value_get_kind (index) != SYM_VALUE_INT || !sym_value_get_int (index, &number))
    return sym_kernel_fail (error, "a '%s' is indexed by integers only",
                            sym_datum_get_type_name (operand));
  if (!sym_datum_get_length (operand, &length, error))
    return FALSE;
  item = sym_datum_take_apart (operand, number < 0 ? number + length : number, error);
  return item != NULL && sym_kernel_set_output (kernel, 0, item, error);
}

static gboolean
run_slice (SymKernel *kernel, GError **error)
{
  const SymValue *index = sym_attributes_find (sym_kernel_get_attributes (kernel), "idx");
  SymDatum *operand = sym_kernel_get_datum (kernel, 0);
  View view = { .from = sym_kernel_get_input (kernel, 0) };
  SymArray *to;

  if (index == NULL || operand == NULL)
    return sym_kernel_fail (error, "the %s is missing", index == NULL ? "index" : "operand");
  if (view.from == NULL)
    return run_on_other (kernel, operand, index, error);
  if (!make_view (&view, index, error))
    return FALSE;
  to = sym_kernel_new_output (kernel, 0, view.from->dtype, &view.shape, error);
  return to != NULL && copy_view (kernel, &view, to, error);
}

/* Integers take rows, booleans what is true of the first dimensions. */
static void
lower_slice_by_node (SymOpLower *self)
{
  SymId x = sym_op_lower_input (self, 0), index = sym_op_lower_input (self, 1);

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  if (sym_op_lower_get_input_dtype (self, 1) != SYM_DTYPE_BOOL)
    x = sym_op_lower_binary (self, "Gather", x, index);
  else
    x = sym_op_lower_binary (
        self, "GatherND", x,
        sym_op_lower_transpose (self, sym_op_lower_unary (self, "NonZero", index), 2, 1, 0));
  sym_op_lower_set_output (self, 0, x);
}

static const SymAttributeSpec none[] = { { NULL } };

static const SymAttributeSpec slice_attributes[] = {
  { "idx", SYM_ATTRIBUTE_ANY, NULL, "what stands between the brackets" },
  { NULL },
};

#define LAYER(name_, summary_, attributes_, slots_, infer_, ...)                              \
  {                                                                                           \
    SYM_OP_TORCH, .name = name_, .summary = summary_,                                         \
                  .reference = "PyTorch Symbolic useful_layers." name_,                       \
                  .category = SYM_CATEGORY_SHAPE, .attributes = attributes_, .slots = slots_, \
                  .infer = infer_, __VA_ARGS__                                                \
  }

const SymOperator sym_op_torch_slice[] = {
  LAYER ("SliceLayer",
         "A part of a tensor, by constant indices",
         slice_attributes,
         sym_op_torch_one,
         infer_slice,
         .run = run_slice),
  LAYER ("SliceLayerSymbolicIdx",
         "A part of a tensor, by another tensor",
         none,
         sym_op_torch_pair,
         infer_slice_by_node,
         .lower = lower_slice_by_node),
  { NULL },
};
