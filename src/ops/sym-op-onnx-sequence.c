/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Sequences of tensors.  The type of a sequence has dtype and shape of its items, as far as they
 * agree. */

static SymType
make_sequence (SymType item)
{
  item.kind = SYM_KIND_SEQUENCE;
  return item;
}

/* The items of an operand, NULL with an error when it is no sequence. */
static SymDatum *
need_sequence (SymKernel *kernel, guint i, GError **error)
{
  SymDatum *datum = sym_kernel_get_datum (kernel, i);

  if (datum == NULL || sym_datum_get_kind (datum) != SYM_KIND_SEQUENCE)
    {
      sym_kernel_fail (error, "operand %u must be a sequence", i);
      return NULL;
    }
  return datum;
}

static GPtrArray *
copy_items (const SymDatum *sequence)
{
  GPtrArray *items = sym_op_new_data (0);

  for (guint i = 0; i < sym_datum_get_n_items (sequence); i++)
    g_ptr_array_add (items, sym_datum_ref (sym_datum_get_item (sequence, i)));
  return items;
}

static gboolean
set_items (SymKernel *kernel, SymDType dtype, const GPtrArray *items, GError **error)
{
  g_autoptr (SymDatum) sequence =
      sym_datum_new_sequence (dtype, (SymDatum *const *) items->pdata, items->len);

  return sym_kernel_set_output (kernel, 0, sequence, error);
}

/* The place that the operand in slot @slot says, counted from the end if negative: at most @n
 * places,
 * @fallback without one. */
static gboolean
read_place (SymKernel *kernel, guint slot, gint64 n, gint64 fallback, guint *place, GError **error)
{
  gint64 given[1] = { fallback };
  int n_given;

  if (!sym_kernel_read_ints (kernel, slot, given, 1, &n_given, error))
    return FALSE;
  if (given[0] < -n || given[0] >= n + (fallback == n))
    return sym_kernel_fail (
        error, "place %" G_GINT64_FORMAT " is out of range for %" G_GINT64_FORMAT " items",
        given[0], n);
  *place = (guint) (given[0] < 0 ? given[0] + n : given[0]);
  return TRUE;
}

/* ---- SequenceConstruct, SequenceEmpty ---- */

static const SymSlotSpec inputs_slots[] = { { "inputs" }, { NULL } };

static gboolean
infer_construct (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule);
  SymType type = n == 0 ? SYM_TYPE_UNKNOWN : sym_rule_get_input_type (rule, 0);

  (void) error;
  for (guint i = 1; i < n; i++)
    {
      SymType other = sym_rule_get_input_type (rule, i);

      if (other.shape.rank != type.shape.rank)
        type.shape = SYM_SHAPE_UNKNOWN;
      for (int j = 0; j < type.shape.rank; j++)
        if (type.shape.dims[j] != other.shape.dims[j])
          type.shape.dims[j] = SYM_DIM_UNKNOWN;
    }
  type = make_sequence (type);
  sym_rule_set_output_type (rule, 0, &type);
  return TRUE;
}

static gboolean
run_construct (SymKernel *kernel, GError **error)
{
  g_autoptr (GPtrArray) items = sym_op_new_data (0);
  SymDType dtype = SYM_DTYPE_UNKNOWN;

  for (guint i = 0; i < sym_kernel_get_n_inputs (kernel); i++)
    {
      const SymArray *array = sym_kernel_need_input (kernel, i, error);
      SymDatum *kept =
          array == NULL ? NULL : sym_datum_keep (sym_kernel_get_datum (kernel, i), error);

      if (kept == NULL)
        return FALSE;
      g_ptr_array_add (items, kept);
      dtype = array->dtype;
    }
  return set_items (kernel, dtype, items, error);
}

static const SymAttributeSpec empty_attributes[] = {
  { "dtype", SYM_ATTRIBUTE_DTYPE, "float32", "dtype of the items to come" },
  { NULL },
};

static const SymSlotSpec no_slots[] = { { NULL } };

static gboolean
infer_empty (SymRule *rule, GError **error)
{
  SymType type =
      sym_type_tensor (sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_FLOAT32), SYM_SHAPE_UNKNOWN);

  (void) error;
  type = make_sequence (type);
  sym_rule_set_output_type (rule, 0, &type);
  return TRUE;
}

static gboolean
run_empty (SymKernel *kernel, GError **error)
{
  g_autoptr (GPtrArray) items = sym_op_new_data (0);

  return set_items (kernel, sym_kernel_get_dtype (kernel, "dtype", SYM_DTYPE_FLOAT32), items,
                    error);
}

/* ---- SequenceInsert, SequenceErase, SequenceAt, SequenceLength ---- */

static const SymSlotSpec insert_slots[] = { { "input_sequence" },
                                            { "tensor" },
                                            { "position", SYM_SLOT_DATA, TRUE },
                                            { NULL } };
static const SymSlotSpec erase_slots[] = { { "input_sequence" },
                                           { "position", SYM_SLOT_DATA, TRUE },
                                           { NULL } };
static const SymSlotSpec at_slots[] = { { "input_sequence" }, { "position" }, { NULL } };
static const SymSlotSpec sequence_slots[] = { { "input_sequence" }, { NULL } };

/* A sequence of the same dtype; what is put in may have another shape. */
static gboolean
infer_insert (SymRule *rule, GError **error)
{
  SymType type = sym_rule_get_input_type (rule, 0), item = sym_rule_get_input_type (rule, 1);

  (void) error;
  if (type.dtype == SYM_DTYPE_UNKNOWN)
    type.dtype = item.dtype;
  if (!sym_shape_equal (&type.shape, &item.shape))
    type.shape = SYM_SHAPE_UNKNOWN;
  type = make_sequence (type);
  sym_rule_set_output_type (rule, 0, &type);
  return TRUE;
}

static gboolean
run_insert (SymKernel *kernel, GError **error)
{
  SymDatum *sequence = need_sequence (kernel, 0, error);
  const SymArray *tensor = sequence == NULL ? NULL : sym_kernel_need_input (kernel, 1, error);
  g_autoptr (GPtrArray) items = NULL;
  SymDatum *kept;
  guint place;

  if (tensor == NULL)
    return FALSE;
  items = copy_items (sequence);
  if (items->len > 0 && sym_datum_get_dtype (items->pdata[0]) != tensor->dtype)
    return sym_kernel_fail (error, "the items are of %s, the tensor is of %s",
                            sym_dtype_to_string (sym_datum_get_dtype (items->pdata[0])),
                            sym_dtype_to_string (tensor->dtype));
  if (!read_place (kernel, 2, items->len, items->len, &place, error))
    return FALSE;
  kept = sym_datum_keep (sym_kernel_get_datum (kernel, 1), error);
  if (kept == NULL)
    return FALSE;
  g_ptr_array_insert (items, (int) place, kept);
  return set_items (kernel, tensor->dtype, items, error);
}

static gboolean
infer_erase (SymRule *rule, GError **error)
{
  SymType type = make_sequence (sym_rule_get_input_type (rule, 0));

  (void) error;
  sym_rule_set_output_type (rule, 0, &type);
  return TRUE;
}

static gboolean
run_erase (SymKernel *kernel, GError **error)
{
  SymDatum *sequence = need_sequence (kernel, 0, error);
  g_autoptr (GPtrArray) items = NULL;
  guint place;

  if (sequence == NULL)
    return FALSE;
  items = copy_items (sequence);
  if (!read_place (kernel, 1, items->len, (gint64) items->len - 1, &place, error))
    return FALSE;
  g_ptr_array_remove_index (items, place);
  return set_items (kernel, sym_datum_get_dtype (sequence), items, error);
}

/* Items may differ in a size that is not known. */
static gboolean
infer_at (SymRule *rule, GError **error)
{
  SymType type = sym_rule_get_input_type (rule, 0);

  (void) error;
  if (type.kind != SYM_KIND_SEQUENCE)
    return TRUE;
  type.kind = SYM_KIND_TENSOR;
  for (int i = 0; i < type.shape.rank; i++)
    if (type.shape.dims[i] < 0)
      type.shape.dims[i] = SYM_DIM_UNKNOWN;
  sym_rule_set_output_type (rule, 0, &type);
  return TRUE;
}

static gboolean
run_at (SymKernel *kernel, GError **error)
{
  SymDatum *sequence = need_sequence (kernel, 0, error);
  guint place;

  if (sequence == NULL || sym_kernel_need_input (kernel, 1, error) == NULL ||
      !read_place (kernel, 1, sym_datum_get_n_items (sequence), 0, &place, error))
    return FALSE;
  return sym_kernel_set_output (kernel, 0, sym_datum_get_item (sequence, place), error);
}

static gboolean
infer_length (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, SYM_SHAPE (), SYM_DTYPE_INT64, error);
}

static gboolean
run_length (SymKernel *kernel, GError **error)
{
  SymDatum *sequence = need_sequence (kernel, 0, error);
  SymShape shape = SYM_SHAPE ();
  SymArray *y;

  if (sequence == NULL)
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_INT64, &shape, error);
  if (y == NULL)
    return FALSE;
  *(gint64 *) y->data = sym_datum_get_n_items (sequence);
  return TRUE;
}

/* ---- SplitToSequence ---- */

static const SymAttributeSpec split_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "0", "axis that is cut" },
  { "keepdims", SYM_ATTRIBUTE_INT, "1",
    "whether items of size 1 keep the axis; of no effect with split" },
  { NULL },
};

static const SymSlotSpec split_slots[] = { { "input" },
                                           { "split", SYM_SLOT_DATA, TRUE },
                                           { NULL } };

static gboolean
infer_split (SymRule *rule, GError **error)
{
  SymType type = sym_rule_get_input_type (rule, 0);
  int axis;

  if (type.shape.rank > 0)
    {
      if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", 0), type.shape.rank, &axis,
                                  error))
        return FALSE;
      if (sym_rule_has_input (rule, 1))
        type.shape.dims[axis] = SYM_DIM_UNKNOWN;
      else if (sym_rule_get_bool (rule, "keepdims", TRUE))
        type.shape.dims[axis] = 1;
      else
        type.shape = sym_op_remove_axis (&type.shape, axis);
    }
  type = make_sequence (type);
  sym_rule_set_output_type (rule, 0, &type);
  return TRUE;
}

/* A scalar is the size of all pieces but the last, a list the size of each; without, each is 1. */
static gboolean
list_pieces (SymKernel *kernel, gsize size, GArray *pieces, GError **error)
{
  const SymArray *split = sym_kernel_get_input (kernel, 1);
  gint64 given[1024], left = (gint64) size;
  int n;

  if (!sym_kernel_read_ints (kernel, 1, given, G_N_ELEMENTS (given), &n, error))
    return FALSE;
  for (int i = 0; split != NULL && split->shape.rank == 1 && i < n; i++)
    {
      left -= given[i];
      if (given[i] < 0 || left < 0)
        return sym_kernel_fail (error, "the pieces do not add up to %" G_GSIZE_FORMAT, size);
      g_array_append_val (pieces, given[i]);
    }
  if (split != NULL && split->shape.rank == 1)
    return left == 0 ||
           sym_kernel_fail (error, "the pieces do not add up to %" G_GSIZE_FORMAT, size);
  if (n == 1 && given[0] <= 0)
    return sym_kernel_fail (error, "pieces must have at least one element");
  while (left > 0)
    {
      gint64 piece = MIN (n == 1 ? given[0] : 1, left);

      g_array_append_val (pieces, piece);
      left -= piece;
    }
  return TRUE;
}

static SymDatum *
cut_piece (SymKernel *kernel,
           const SymArray *x,
           int axis,
           gsize start,
           gint64 size,
           gboolean keep,
           GError **error)
{
  SymOpAxis whole = sym_op_split_axis (&x->shape, axis);
  g_autoptr (SymDatum) datum = NULL;
  SymShape shape = x->shape;
  gsize done = 0;
  SymArray *y;

  shape.dims[axis] = size;
  if (!keep)
    shape = sym_op_remove_axis (&shape, axis);
  datum = sym_datum_new (x->dtype, &shape, error);
  if (datum == NULL)
    return NULL;
  y = (SymArray *) sym_datum_get_array (datum);
  for (gsize i = 0; i < whole.outer; i++)
    if (!sym_op_move_on (kernel, &done, y, i * (gsize) size * whole.inner, x,
                         (i * whole.size + start) * whole.inner, (gsize) size * whole.inner, error))
      return NULL;
  return g_steal_pointer (&datum);
}

static gboolean
run_split (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GPtrArray) items = sym_op_new_data (0);
  gboolean keep =
      sym_kernel_has_input (kernel, 1) || sym_kernel_get_bool (kernel, "keepdims", TRUE);
  gsize start = 0;
  int axis;

  if (x == NULL ||
      !sym_op_find_axis (sym_kernel_get_int (kernel, "axis", 0), x->shape.rank, &axis, error) ||
      !list_pieces (kernel, (gsize) x->shape.dims[axis], pieces, error))
    return FALSE;
  for (guint i = 0; i < pieces->len; i++)
    {
      gint64 size = g_array_index (pieces, gint64, i);
      SymDatum *piece = cut_piece (kernel, x, axis, start, size, keep, error);

      if (piece == NULL)
        return FALSE;
      g_ptr_array_add (items, piece);
      start += (gsize) size;
    }
  return set_items (kernel, x->dtype, items, error);
}

/* ---- ConcatFromSequence ---- */

static const SymAttributeSpec concat_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, NULL, "axis along which the items lie" },
  { "new_axis", SYM_ATTRIBUTE_INT, "0", "whether it is put in before" },
  { NULL },
};

static gboolean
infer_concat (SymRule *rule, GError **error)
{
  SymType type = sym_rule_get_input_type (rule, 0);
  gboolean is_new = sym_rule_get_bool (rule, "new_axis", FALSE);
  int rank = type.shape.rank, axis;

  if (type.kind != SYM_KIND_SEQUENCE)
    return TRUE;
  type.kind = SYM_KIND_TENSOR;
  if (rank >= 0 && rank < SYM_MAX_RANK)
    {
      if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", 0), rank + is_new, &axis, error))
        return FALSE;
      if (is_new)
        type.shape = sym_op_insert_axis (&type.shape, axis, SYM_DIM_UNKNOWN);
      else
        type.shape.dims[axis] = SYM_DIM_UNKNOWN;
    }
  sym_rule_set_output_type (rule, 0, &type);
  return TRUE;
}

static gboolean
run_concat (SymKernel *kernel, GError **error)
{
  SymDatum *sequence = need_sequence (kernel, 0, error);
  gboolean is_new = sym_kernel_get_bool (kernel, "new_axis", FALSE);
  g_autoptr (GPtrArray) items = NULL;
  const SymArray *first;
  int axis;

  if (sequence == NULL)
    return FALSE;
  items = copy_items (sequence);
  if (items->len == 0)
    return sym_kernel_fail (error, "an empty sequence cannot be put together");
  first = sym_datum_get_array (items->pdata[0]);
  if (first == NULL)
    return sym_kernel_fail (error, "only tensors can be put together");
  if (!sym_op_find_axis (sym_kernel_get_int (kernel, "axis", 0), first->shape.rank + is_new, &axis,
                         error))
    return FALSE;
  return is_new ? sym_op_stack (kernel, 0, items, axis, error)
                : sym_op_join (kernel, 0, items, axis, error);
}

#define SEQUENCE(name_, summary_) \
  SYM_OP_ONNX (name_, 11), .summary = summary_, .category = SYM_CATEGORY_SHAPE

const SymOperator sym_op_onnx_sequence[] = {
  { SEQUENCE ("SequenceConstruct", "a sequence of the operands"), .slots = inputs_slots,
    .get_n_operands = sym_op_onnx_get_any_number, .infer = infer_construct, .run = run_construct },
  { SEQUENCE ("SequenceEmpty", "a sequence without items"), .attributes = empty_attributes,
    .slots = no_slots, .infer = infer_empty, .run = run_empty },
  { SEQUENCE ("SequenceInsert",
              "a sequence with one more tensor, before the position or at the end"),
    .slots = insert_slots, .infer = infer_insert, .run = run_insert },
  { SEQUENCE ("SequenceErase", "a sequence without one of its items, by default the last"),
    .slots = erase_slots, .infer = infer_erase, .run = run_erase },
  { SEQUENCE ("SequenceAt", "the item at a position"), .slots = at_slots, .infer = infer_at,
    .run = run_at },
  { SEQUENCE ("SequenceLength", "the number of items"), .slots = sequence_slots,
    .infer = infer_length, .run = run_length },
  { SEQUENCE ("SplitToSequence", "a sequence of the pieces of a tensor"),
    .attributes = split_attributes, .slots = split_slots, .infer = infer_split, .run = run_split },
  { SEQUENCE ("ConcatFromSequence", "the items side by side, along an axis of theirs or a new one"),
    .attributes = concat_attributes, .slots = sequence_slots, .infer = infer_concat,
    .run = run_concat },
  { 0 },
};
