/* SPDX-License-Identifier: MIT */
#include "core/sym-element.h"
#include "ops/sym-op-move.h"
#include "ops/sym-op-tf.h"

#include <string.h>

/* Arrays of tensors as TensorFlow 1 has them: a handle, of two elements that nothing reads here,
 * and a flow that goes from one change to the next, which is the sequence of the elements.  An
 * element that is not set yet is zeros of the shape that is known of elements, or empty. */

#define MAX_ELEMENTS 65536

/* ---- Rules ---- */

static SymShape
get_element (SymRule *rule)
{
  SymShape shape;

  shape.rank = sym_rule_get_ints (rule, "element_shape", shape.dims, SYM_MAX_RANK);
  if (shape.rank < 0 || shape.rank > SYM_MAX_RANK)
    return SYM_SHAPE_UNKNOWN;
  for (int i = 0; i < shape.rank; i++)
    if (shape.dims[i] < 0)
      shape.dims[i] = SYM_DIM_UNKNOWN;
  return shape;
}

static SymDType
get_dtype (SymRule *rule)
{
  return sym_op_tf_get_dtype (sym_rule_get_attributes (rule), "dtype", SYM_DTYPE_UNKNOWN);
}

static void
tell_flow (SymRule *rule, guint output, SymDType dtype)
{
  SymType type = sym_type_tensor (dtype, SYM_SHAPE_UNKNOWN);

  type.kind = SYM_KIND_SEQUENCE;
  if (dtype != SYM_DTYPE_UNKNOWN && output < sym_rule_get_n_outputs (rule))
    sym_rule_set_output_type (rule, output, &type);
}

static gboolean
infer_new (SymRule *rule, GError **error)
{
  tell_flow (rule, 1, get_dtype (rule));
  return sym_op_set_output (rule, 0, SYM_SHAPE (2), SYM_DTYPE_INT32, error);
}

/* The flow is the last operand, and the result. */
static gboolean
infer_changed (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule);

  (void) error;
  if (n > 0)
    tell_flow (rule, 0, sym_rule_get_input_type (rule, n - 1).dtype);
  return TRUE;
}

static gboolean
infer_read (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, get_element (rule), get_dtype (rule), error);
}

static gboolean
infer_gather (SymRule *rule, GError **error)
{
  SymShape element = get_element (rule), places = sym_rule_get_input (rule, 1);

  if (element.rank >= 0 && element.rank < SYM_MAX_RANK)
    element = sym_op_insert_axis (&element, 0, places.rank == 1 ? places.dims[0] : SYM_DIM_UNKNOWN);
  return sym_op_set_output (rule, 0, element, get_dtype (rule), error);
}

static gboolean
infer_concat (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 1, SYM_SHAPE (SYM_DIM_UNKNOWN), SYM_DTYPE_INT64, error) &&
         sym_rule_set_output_dtype (rule, 0, get_dtype (rule), error);
}

/* A list of parts of operand 0, and a list that is longer or shorter. */
static gboolean
infer_parts (SymRule *rule, GError **error)
{
  (void) error;
  tell_flow (rule, 0, sym_rule_get_input_type (rule, 0).dtype);
  return TRUE;
}

static gboolean
infer_size (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, SYM_SHAPE (), SYM_DTYPE_INT32, error);
}

/* ---- Elements ---- */

static SymDatum *
need_flow (SymKernel *kernel, guint slot, GError **error)
{
  SymDatum *flow = sym_kernel_get_datum (kernel, slot);

  if (flow != NULL && sym_datum_get_kind (flow) == SYM_KIND_SEQUENCE)
    return flow;
  sym_kernel_fail (error, "operand %u must be the flow of an array", slot);
  return NULL;
}

static GPtrArray *
copy_items (const SymDatum *flow)
{
  GPtrArray *items = sym_op_new_data (0);

  for (guint i = 0; i < sym_datum_get_n_items (flow); i++)
    g_ptr_array_add (items, sym_datum_ref (sym_datum_get_item (flow, i)));
  return items;
}

static gboolean
set_flow (SymKernel *kernel, guint output, SymDType dtype, const GPtrArray *items, GError **error)
{
  g_autoptr (SymDatum) flow =
      sym_datum_new_sequence (dtype, (SymDatum *const *) items->pdata, items->len);

  return sym_kernel_set_output (kernel, output, flow, error);
}

/* What stands for elements that are not set. */
static SymDatum *
new_empty (SymKernel *kernel, SymDType dtype, GError **error)
{
  SymShape shape = SYM_SHAPE (0);
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_kernel_get_ints (kernel, "element_shape", sizes, SYM_MAX_RANK);
  SymDatum *datum;
  SymArray *array;

  if (n >= 0 && n <= SYM_MAX_RANK)
    {
      shape.rank = n;
      for (int i = 0; i < n; i++)
        shape.dims[i] = MAX (sizes[i], 0);
    }
  datum = sym_datum_new (dtype, &shape, error);
  if (datum == NULL || dtype == SYM_DTYPE_STRING)
    return datum;
  array = (SymArray *) sym_datum_get_array (datum);
  memset (array->data, 0, sym_array_get_n_bytes (array));
  return datum;
}

/* Up to @n elements; those that are new are not set. */
static gboolean
grow (SymKernel *kernel, GPtrArray *items, gint64 n, SymDType dtype, GError **error)
{
  g_autoptr (SymDatum) empty = NULL;

  if (n < 0 || n > MAX_ELEMENTS)
    return sym_kernel_fail (error, "%" G_GINT64_FORMAT " elements; at most %d", n, MAX_ELEMENTS);
  if (items->len >= n)
    return TRUE;
  empty = new_empty (kernel, dtype, error);
  while (empty != NULL && items->len < n)
    g_ptr_array_add (items, sym_datum_ref (empty));
  return empty != NULL;
}

static gboolean
read_number (SymKernel *kernel, guint slot, gint64 *number, GError **error)
{
  int n;

  if (!sym_kernel_read_ints (kernel, slot, number, 1, &n, error))
    return FALSE;
  return n == 1 || sym_kernel_fail (error, "operand %u must be one number", slot);
}

static gboolean
put (GPtrArray *items, gsize place, SymDatum *datum, GError **error)
{
  SymDatum *kept = sym_datum_keep (datum, error);

  if (kept == NULL)
    return FALSE;
  sym_datum_unref (items->pdata[place]);
  items->pdata[place] = kept;
  return TRUE;
}

/* Element @i of the first axis of @x, of @shape, as a tensor. */
static SymDatum *
cut (const SymArray *x, const SymShape *shape, gsize start, GError **error)
{
  SymDatum *datum = sym_datum_new (x->dtype, shape, error);

  if (datum != NULL)
    sym_op_move ((SymArray *) sym_datum_get_array (datum), 0, x, start,
                 sym_array_get_n_elements (sym_datum_get_array (datum)));
  return datum;
}

/* ---- Kernels ---- */

static gboolean
run_new (SymKernel *kernel, GError **error)
{
  SymDType dtype =
      sym_op_tf_get_dtype (sym_kernel_get_attributes (kernel), "dtype", SYM_DTYPE_FLOAT32);
  g_autoptr (GPtrArray) items = sym_op_new_data (0);
  SymArray *handle;
  gint64 n;

  if (!read_number (kernel, 0, &n, error) || !grow (kernel, items, n, dtype, error))
    return FALSE;
  handle = sym_kernel_new_output (kernel, 0, SYM_DTYPE_INT32, &SYM_SHAPE (2), error);
  if (handle == NULL)
    return FALSE;
  memset (handle->data, 0, 2 * sizeof (gint32));
  return sym_kernel_get_n_outputs (kernel) < 2 || set_flow (kernel, 1, dtype, items, error);
}

static gboolean
run_write (SymKernel *kernel, GError **error)
{
  SymDatum *flow = need_flow (kernel, 3, error);
  const SymArray *value = flow == NULL ? NULL : sym_kernel_need_input (kernel, 2, error);
  g_autoptr (GPtrArray) items = NULL;
  gint64 place;

  if (value == NULL || !read_number (kernel, 1, &place, error))
    return FALSE;
  if (place < 0)
    return sym_kernel_fail (error, "an array has no place %" G_GINT64_FORMAT, place);
  items = copy_items (flow);
  return grow (kernel, items, place + 1, value->dtype, error) &&
         put (items, (gsize) place, sym_kernel_get_datum (kernel, 2), error) &&
         set_flow (kernel, 0, value->dtype, items, error);
}

static gboolean
run_read (SymKernel *kernel, GError **error)
{
  SymDatum *flow = need_flow (kernel, 2, error);
  gint64 place;

  if (flow == NULL || !read_number (kernel, 1, &place, error))
    return FALSE;
  if (place < 0 || place >= sym_datum_get_n_items (flow))
    return sym_kernel_fail (error, "place %" G_GINT64_FORMAT " is out of range for %u elements",
                            place, sym_datum_get_n_items (flow));
  return sym_kernel_set_output (kernel, 0, sym_datum_get_item (flow, (guint) place), error);
}

static gboolean
run_size (SymKernel *kernel, GError **error)
{
  SymDatum *flow = need_flow (kernel, 1, error);
  SymArray *y = flow == NULL
                    ? NULL
                    : sym_kernel_new_output (kernel, 0, SYM_DTYPE_INT32, &SYM_SHAPE (), error);

  if (y != NULL)
    *(gint32 *) y->data = (gint32) sym_datum_get_n_items (flow);
  return y != NULL;
}

/* The elements whose places operand 1 lists. */
static GPtrArray *
pick (SymKernel *kernel, SymDatum *flow, GError **error)
{
  const SymArray *places = sym_kernel_need_input (kernel, 1, error);
  g_autoptr (GPtrArray) items = g_ptr_array_new ();

  if (places == NULL)
    return NULL;
  if (places->dtype != SYM_DTYPE_INT32 || places->shape.rank != 1)
    {
      sym_kernel_fail (error, "the places must be a list of int32");
      return NULL;
    }
  for (gint64 i = 0; i < places->shape.dims[0]; i++)
    {
      gint32 place = ((const gint32 *) places->data)[i];

      if (place < 0 || (guint) place >= sym_datum_get_n_items (flow))
        {
          sym_kernel_fail (error, "place %d is out of range for %u elements", place,
                           sym_datum_get_n_items (flow));
          return NULL;
        }
      g_ptr_array_add (items, sym_datum_get_item (flow, (guint) place));
    }
  return g_steal_pointer (&items);
}

static gboolean
run_gather (SymKernel *kernel, GError **error)
{
  SymDatum *flow = need_flow (kernel, 2, error);
  g_autoptr (GPtrArray) items = flow == NULL ? NULL : pick (kernel, flow, error);
  g_autoptr (SymDatum) none = NULL;
  const SymArray *first;
  SymShape shape;
  SymArray *y;

  if (items == NULL)
    return FALSE;
  none = items->len == 0 ? new_empty (kernel, sym_datum_get_dtype (flow), error) : NULL;
  if (items->len == 0 && none == NULL)
    return FALSE;
  first = sym_datum_get_array (items->len == 0 ? none : items->pdata[0]);
  if (first->shape.rank == SYM_MAX_RANK)
    return sym_kernel_fail (error, "elements have too many axes to be put together");
  shape = sym_op_insert_axis (&first->shape, 0, items->len);
  y = sym_kernel_new_output (kernel, 0, first->dtype, &shape, error);
  for (guint i = 0; y != NULL && i < items->len; i++)
    {
      const SymArray *x = sym_datum_get_array (items->pdata[i]);
      gsize n = sym_array_get_n_elements (first);

      if (sym_kernel_is_cancelled (kernel, error))
        return FALSE;
      if (x->dtype != first->dtype || !sym_shape_equal (&x->shape, &first->shape))
        return sym_kernel_fail (error, "element %u has another shape than the first", i);
      sym_op_move (y, i * n, x, 0, n);
    }
  return y != NULL;
}

/* Each element of the first axis of @x to its place. */
static gboolean
scatter (SymKernel *kernel, const SymArray *x, GPtrArray *items, GError **error)
{
  const SymArray *places = sym_kernel_need_input (kernel, 1, error);
  SymShape shape;

  if (places == NULL)
    return FALSE;
  if (places->dtype != SYM_DTYPE_INT32 || places->shape.rank != 1 || x->shape.rank < 1 ||
      x->shape.dims[0] != places->shape.dims[0])
    return sym_kernel_fail (error, "there must be an int32 place for each element");
  shape = sym_op_remove_axis (&x->shape, 0);
  for (gint64 i = 0; i < x->shape.dims[0]; i++)
    {
      gint32 place = ((const gint32 *) places->data)[i];
      g_autoptr (SymDatum) datum = NULL;
      guint64 n = 0;

      if (sym_kernel_is_cancelled (kernel, error))
        return FALSE;
      sym_shape_get_n_elements (&shape, &n);
      if (place < 0 || !grow (kernel, items, (gint64) place + 1, x->dtype, error))
        return place >= 0 ? FALSE : sym_kernel_fail (error, "an array has no place %d", place);
      datum = cut (x, &shape, (gsize) i * (gsize) n, error);
      if (datum == NULL || !put (items, (gsize) place, datum, error))
        return FALSE;
    }
  return set_flow (kernel, 0, x->dtype, items, error);
}

static gboolean
run_scatter (SymKernel *kernel, GError **error)
{
  SymDatum *flow = need_flow (kernel, 3, error);
  const SymArray *x = flow == NULL ? NULL : sym_kernel_need_input (kernel, 2, error);
  g_autoptr (GPtrArray) items = x == NULL ? NULL : copy_items (flow);

  return items != NULL && scatter (kernel, x, items, error);
}

static gboolean
run_list_scatter (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  g_autoptr (GPtrArray) items = x == NULL ? NULL : sym_op_new_data (0);

  return items != NULL && scatter (kernel, x, items, error);
}

/* Elements of the first axis of operand @value, as many in each part as operand @slot says. */
static gboolean
split (SymKernel *kernel, guint value, guint slot, GPtrArray *items, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, value, error);
  const SymArray *lengths = x == NULL ? NULL : sym_kernel_need_input (kernel, slot, error);
  gint64 start = 0, inner = 1;
  SymShape shape;

  if (lengths == NULL)
    return FALSE;
  if (lengths->shape.rank != 1 || !sym_dtype_is_integer (lengths->dtype) || x->shape.rank < 1)
    return sym_kernel_fail (error, "the lengths must be a list of integers");
  shape = x->shape;
  for (int i = 1; i < shape.rank; i++)
    inner *= shape.dims[i];
  for (gint64 i = 0; i < lengths->shape.dims[0]; i++)
    {
      SymDatum *part;

      if (sym_kernel_is_cancelled (kernel, error))
        return FALSE;
      shape.dims[0] = (gint64) sym_element_get_double (lengths->dtype, lengths->data, (gsize) i);
      if (shape.dims[0] < 0 || shape.dims[0] > x->shape.dims[0] - start)
        return sym_kernel_fail (
            error, "the lengths are more than the %" G_GINT64_FORMAT " elements", x->shape.dims[0]);
      part = cut (x, &shape, (gsize) (start * inner), error);
      if (part == NULL)
        return FALSE;
      g_ptr_array_add (items, part);
      start += shape.dims[0];
    }
  return set_flow (kernel, 0, x->dtype, items, error);
}

static gboolean
run_split (SymKernel *kernel, GError **error)
{
  g_autoptr (GPtrArray) items = sym_op_new_data (0);

  return split (kernel, 1, 2, items, error);
}

static gboolean
run_list_split (SymKernel *kernel, GError **error)
{
  g_autoptr (GPtrArray) items = sym_op_new_data (0);

  return split (kernel, 0, 2, items, error);
}

static gboolean
run_resize (SymKernel *kernel, GError **error)
{
  SymDatum *flow = need_flow (kernel, 0, error);
  g_autoptr (GPtrArray) items = flow == NULL ? NULL : copy_items (flow);
  gint64 n;

  if (items == NULL || !read_number (kernel, 1, &n, error) ||
      !grow (kernel, items, n, sym_datum_get_dtype (flow), error))
    return FALSE;
  g_ptr_array_set_size (items, (int) n);
  return set_flow (kernel, 0, sym_datum_get_dtype (flow), items, error);
}

/* All elements one after the other, and how long each is. */
static gboolean
run_concat (SymKernel *kernel, GError **error)
{
  SymDatum *flow = need_flow (kernel, 1, error);
  guint n = flow == NULL ? 0 : sym_datum_get_n_items (flow);
  const SymArray *first = n == 0 ? NULL : sym_datum_get_array (sym_datum_get_item (flow, 0));
  SymArray *y, *lengths;
  SymShape shape;
  gsize at = 0;

  if (flow == NULL)
    return FALSE;
  if (first == NULL || first->shape.rank < 1)
    return sym_kernel_fail (error, "an array without elements, or of numbers, has nothing to join");
  shape = first->shape;
  for (guint i = 1; i < n; i++)
    {
      const SymArray *x = sym_datum_get_array (sym_datum_get_item (flow, i));
      SymShape other = x->shape;

      if (other.rank == shape.rank)
        other.dims[0] = shape.dims[0];
      if (x->dtype != first->dtype || !sym_shape_equal (&other, &shape))
        return sym_kernel_fail (error, "element %u has another shape than the first", i);
      shape.dims[0] += x->shape.dims[0];
    }
  y = sym_kernel_new_output (kernel, 0, first->dtype, &shape, error);
  for (guint i = 0; y != NULL && i < n; i++)
    {
      const SymArray *x = sym_datum_get_array (sym_datum_get_item (flow, i));

      if (sym_kernel_is_cancelled (kernel, error))
        return FALSE;
      sym_op_move (y, at, x, 0, sym_array_get_n_elements (x));
      at += sym_array_get_n_elements (x);
    }
  if (y == NULL || sym_kernel_get_n_outputs (kernel) < 2)
    return y != NULL;
  lengths = sym_kernel_new_output (kernel, 1, SYM_DTYPE_INT64, &SYM_SHAPE (n), error);
  for (guint i = 0; lengths != NULL && i < n; i++)
    ((gint64 *) lengths->data)[i] =
        sym_datum_get_array (sym_datum_get_item (flow, i))->shape.dims[0];
  return lengths != NULL;
}

/* ---- Tables ---- */

static const SymAttributeSpec attributes[] = {
  { "dtype", SYM_ATTRIBUTE_DTYPE, "None", "dtype of the elements" },
  { "element_shape", SYM_ATTRIBUTE_INTS, "None", "what is known of their shapes" },
  { NULL },
};

static const SymSlotSpec new_slots[] = { { "size" }, { NULL } };
static const SymSlotSpec size_slots[] = { { "handle" }, { "flow_in" }, { NULL } };
static const SymSlotSpec read_slots[] = { { "handle" }, { "index" }, { "flow_in" }, { NULL } };
static const SymSlotSpec gather_slots[] = { { "handle" }, { "indices" }, { "flow_in" }, { NULL } };
static const SymSlotSpec write_slots[] = {
  { "handle" }, { "index" }, { "value" }, { "flow_in" }, { NULL },
};
static const SymSlotSpec scatter_slots[] = {
  { "handle" }, { "indices" }, { "value" }, { "flow_in" }, { NULL },
};
static const SymSlotSpec split_slots[] = {
  { "handle" }, { "value" }, { "lengths" }, { "flow_in" }, { NULL },
};
static const SymSlotSpec list_split_slots[] = {
  { "tensor" },
  { "element_shape" },
  { "lengths" },
  { NULL },
};
static const SymSlotSpec list_scatter_slots[] = {
  { "tensor" }, { "indices" }, { "element_shape" }, { "num_elements", .optional = TRUE }, { NULL },
};
static const SymSlotSpec resize_slots[] = { { "input_handle" }, { "size" }, { NULL } };
static const char *const new_names[] = { "handle", "flow", NULL };
static const char *const concat_names[] = { "value", "lengths", NULL };

#define ARRAY(name_, summary_, slots_, infer_, run_)                                            \
  {                                                                                             \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_CONTROL,                   \
                       .attributes = attributes, .slots = slots_, .infer = infer_, .run = run_, \
  }

const SymOperator sym_op_tf_array[] = {
  { SYM_OP_TF ("TensorArrayConcatV3"), .summary = "Elements of an array one after the other",
    .category = SYM_CATEGORY_CONTROL, .attributes = attributes, .slots = size_slots,
    .get_n_outputs = sym_op_tf_any_outputs, .output_names = concat_names, .infer = infer_concat,
    .run = run_concat },
  ARRAY ("TensorArrayGatherV3",
         "Elements of an array as one tensor",
         gather_slots,
         infer_gather,
         run_gather),
  ARRAY ("TensorArrayReadV3", "An element of an array", read_slots, infer_read, run_read),
  ARRAY ("TensorArrayScatterV3",
         "Puts the parts of a tensor into an array",
         scatter_slots,
         infer_changed,
         run_scatter),
  ARRAY ("TensorArraySizeV3", "How many elements an array has", size_slots, infer_size, run_size),
  ARRAY ("TensorArraySplitV3",
         "Puts parts of several sizes into an array",
         split_slots,
         infer_changed,
         run_split),
  { SYM_OP_TF ("TensorArrayV3"), .summary = "An array of tensors", .category = SYM_CATEGORY_CONTROL,
    .attributes = attributes, .slots = new_slots, .get_n_outputs = sym_op_tf_any_outputs,
    .output_names = new_names, .infer = infer_new, .run = run_new },
  ARRAY ("TensorArrayWriteV3",
         "Puts a tensor into an array",
         write_slots,
         infer_changed,
         run_write),
  ARRAY ("TensorListResize", "A list of another length", resize_slots, infer_parts, run_resize),
  { SYM_OP_TF ("TensorListScatterV2"), .aliases = "TensorListScatter",
    .summary = "A list of the parts of a tensor, by places", .category = SYM_CATEGORY_CONTROL,
    .attributes = attributes, .slots = list_scatter_slots, .infer = infer_parts,
    .run = run_list_scatter },
  ARRAY ("TensorListSplit",
         "A list of parts of several sizes",
         list_split_slots,
         infer_parts,
         run_list_split),
  { NULL },
};
