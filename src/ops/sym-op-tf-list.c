/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf.h"

#include <string.h>

/* Lists of tensors: ONNX's sequences.  TensorFlow has elements that are not set yet, zeros when
 * they are read; here they are zeros of the element's shape, or empty where that is not known. */

/* So many elements are made at once, at most. */
#define MAX_ELEMENTS 4096

/* ---- Rules ---- */

static SymDType
get_dtype (SymRule *rule)
{
  return sym_op_tf_get_dtype (sym_rule_get_attributes (rule), "element_dtype", SYM_DTYPE_UNKNOWN);
}

/* The shape of elements, from operand @i; a single -1 says nothing at all. */
static gboolean
get_element (SymRule *rule, guint i, SymShape *shape, GError **error)
{
  gint64 one[1];
  SymShape given = sym_rule_get_input (rule, i);
  int open, n = sym_rule_get_input_ints (rule, i, one, 1);

  *shape = SYM_SHAPE_UNKNOWN;
  if (n > 1)
    {
      gint64 sizes[SYM_MAX_RANK];

      if (n > SYM_MAX_RANK)
        return sym_rule_fail (error, "at most %d dimensions are supported", SYM_MAX_RANK);
      sym_rule_get_input_ints (rule, i, sizes, SYM_MAX_RANK);
      shape->rank = n;
      for (int k = 0; k < n; k++)
        shape->dims[k] = sizes[k] < 0 ? SYM_DIM_UNKNOWN : sizes[k];
      return TRUE;
    }
  if (given.rank == 0)
    return TRUE;
  return sym_op_tf_get_sizes (rule, i, shape, &open, error);
}

static gboolean
tell_list (SymRule *rule, guint output, SymDType dtype, SymShape element)
{
  SymType type = sym_type_tensor (dtype, element);

  for (int i = 0; i < element.rank; i++)
    if (element.dims[i] < 0)
      type.shape.dims[i] = SYM_DIM_UNKNOWN;
  type.kind = SYM_KIND_SEQUENCE;
  if (dtype != SYM_DTYPE_UNKNOWN)
    sym_rule_set_output_type (rule, output, &type);
  return TRUE;
}

static gboolean
infer_new (SymRule *rule, GError **error)
{
  SymShape element;

  return get_element (rule, 0, &element, error) &&
         tell_list (rule, 0, get_dtype (rule), SYM_SHAPE_UNKNOWN);
}

static gboolean
infer_from_tensor (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);

  (void) error;
  return tell_list (rule, 0, sym_rule_get_input_dtype (rule, 0),
                    shape.rank < 1 ? SYM_SHAPE_UNKNOWN : sym_op_remove_axis (&shape, 0));
}

/* A list with elements set or added: of what shape all of them are is not known any more. */
static gboolean
infer_changed (SymRule *rule, GError **error)
{
  (void) error;
  return tell_list (rule, 0, sym_rule_get_input_type (rule, 0).dtype, SYM_SHAPE_UNKNOWN);
}

/* The dtype of elements: of the attribute, else of the list. */
static SymDType
find_dtype (SymRule *rule)
{
  SymDType dtype = sym_rule_get_input_type (rule, 0).dtype;

  return dtype != SYM_DTYPE_UNKNOWN ? dtype : get_dtype (rule);
}

/* Sizes that the list knows and the operand does not. */
static void
complete (SymShape *element, const SymType *list)
{
  if (list->kind != SYM_KIND_SEQUENCE || list->shape.rank < 0)
    return;
  if (element->rank < 0)
    *element = list->shape;
  for (int i = 0; element->rank == list->shape.rank && i < element->rank; i++)
    if (element->dims[i] < 0)
      element->dims[i] = list->shape.dims[i];
}

static gboolean
infer_item (SymRule *rule, GError **error)
{
  SymType list = sym_rule_get_input_type (rule, 0);
  SymShape element;

  if (!get_element (rule, 2, &element, error))
    return FALSE;
  complete (&element, &list);
  return sym_op_set_output (rule, 0, element, find_dtype (rule), error);
}

static gboolean
infer_stack (SymRule *rule, GError **error)
{
  gboolean gathers = strcmp (sym_rule_get_type (rule), "TensorListGather") == 0;
  gint64 n = sym_rule_get_int (rule, "num_elements", -1);
  SymShape element, places = sym_rule_get_input (rule, 1);
  SymDim size = n >= 0 ? n : SYM_DIM_UNKNOWN;

  if (!get_element (rule, gathers ? 2 : 1, &element, error))
    return FALSE;
  if (gathers)
    size = places.rank == 1 ? places.dims[0] : SYM_DIM_UNKNOWN;
  if (element.rank >= 0 && element.rank < SYM_MAX_RANK)
    element = sym_op_insert_axis (&element, 0, size);
  return sym_op_set_output (rule, 0, element, find_dtype (rule), error);
}

static gboolean
infer_length (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, SYM_SHAPE (), SYM_DTYPE_INT32, error);
}

static gboolean
infer_pop (SymRule *rule, GError **error)
{
  SymShape element;

  return infer_changed (rule, error) && get_element (rule, 1, &element, error) &&
         sym_op_set_output (rule, 1, element, find_dtype (rule), error);
}

/* Along the first axis elements may differ. */
static gboolean
infer_concat (SymRule *rule, GError **error)
{
  SymType list = sym_rule_get_input_type (rule, 0);
  SymShape element = SYM_SHAPE_UNKNOWN;

  if (sym_rule_has_input (rule, 1) && !get_element (rule, 1, &element, error))
    return FALSE;
  complete (&element, &list);
  if (element.rank > 0)
    element.dims[0] = SYM_DIM_UNKNOWN;
  return sym_op_set_output (rule, 0, element, find_dtype (rule), error);
}

/* ---- In ONNX's layers ---- */

static SymDType
need_dtype (SymOpLower *self)
{
  SymDType dtype = sym_op_tf_get_dtype (sym_layer_get_attributes (sym_op_lower_get_layer (self)),
                                        "element_dtype", SYM_DTYPE_UNKNOWN);

  if (dtype == SYM_DTYPE_UNKNOWN)
    sym_op_lower_fail (self, "%s: element_dtype is missing", sym_op_lower_get_type (self));
  return dtype;
}

static SymId
make_empty (SymOpLower *self, SymDType dtype)
{
  return sym_op_lower_call (self, "SequenceEmpty", (SymIds){ NULL, 0 }, "dtype",
                            sym_value_new_dtype (dtype), NULL);
}

static void
lower_empty (SymOpLower *self)
{
  SymDType dtype = need_dtype (self);

  if (!sym_op_lower_has_failed (self))
    sym_op_lower_set_output (self, 0, make_empty (self, dtype));
}

static void
lower_reserve (SymOpLower *self)
{
  gint64 n[1], sizes[SYM_MAX_RANK];
  SymDType dtype = need_dtype (self);
  g_autofree SymId *items = NULL;
  SymShape shape = SYM_SHAPE (0);
  SymId zeros;

  if (sym_op_lower_read_ints (self, 1, n, 1) != 1)
    return;
  shape.rank = sym_op_lower_read_ints (self, 0, sizes, SYM_MAX_RANK);
  if (n[0] < 0 || n[0] > MAX_ELEMENTS)
    sym_op_lower_refuse (self, "TensorListReserve: %" G_GINT64_FORMAT " elements; at most %d", n[0],
                         MAX_ELEMENTS);
  if (sym_op_lower_has_failed (self))
    return;
  for (int i = 0; i < shape.rank; i++)
    shape.dims[i] = sizes[i];
  for (int i = 0; i < shape.rank; i++)
    if (sizes[i] < 0)
      shape = SYM_SHAPE (0);
  zeros = sym_op_lower_fill (self, dtype, &shape, 0);
  items = g_new (SymId, n[0] + 1);
  for (gint64 i = 0; i < n[0]; i++)
    items[i] = zeros;
  sym_op_lower_set_output (self, 0,
                           n[0] == 0 ? make_empty (self, dtype)
                                     : sym_op_lower_call (self, "SequenceConstruct",
                                                          (SymIds){ items, (guint) n[0] }, NULL));
}

static void
lower_from_tensor (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_call (self, "SplitToSequence", SYM_IDS (sym_op_lower_input (self, 0)), "axis",
                           sym_value_new_int (0), "keepdims", sym_value_new_int (0), NULL));
}

static void
lower_set_item (SymOpLower *self)
{
  SymId place = sym_op_tf_int64 (self, 1), list;

  if (!sym_op_lower_need_tensor (self, 2))
    return;
  list = sym_op_lower_binary (self, "SequenceErase", sym_op_lower_input (self, 0), place);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "SequenceInsert",
                                              SYM_IDS (list, sym_op_lower_input (self, 2), place),
                                              NULL));
}

static void
lower_item (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_binary (self, "SequenceAt", sym_op_lower_input (self, 0),
                                                sym_op_tf_int64 (self, 1)));
}

static SymId
stack (SymOpLower *self, gboolean is_new)
{
  return sym_op_lower_call (self, "ConcatFromSequence", SYM_IDS (sym_op_lower_input (self, 0)),
                            "axis", sym_value_new_int (0), "new_axis", sym_value_new_int (is_new),
                            NULL);
}

static void
lower_stack (SymOpLower *self)
{
  SymId x = stack (self, TRUE);

  if (strcmp (sym_op_lower_get_type (self), "TensorListGather") == 0)
    x = sym_op_lower_binary (self, "Gather", x, sym_op_tf_int64 (self, 1));
  sym_op_lower_set_output (self, 0, x);
}

static void
lower_concat (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0, stack (self, FALSE));
}

static void
lower_push (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_binary (self, "SequenceInsert",
                                                  sym_op_lower_input (self, 0),
                                                  sym_op_lower_input (self, 1)));
}

static void
lower_pop (SymOpLower *self)
{
  SymId list = sym_op_lower_input (self, 0);
  SymId last = sym_op_lower_number (self, SYM_DTYPE_INT64, -1);

  sym_op_lower_set_output (self, 0, sym_op_lower_unary (self, "SequenceErase", list));
  sym_op_lower_set_output (self, 1, sym_op_lower_binary (self, "SequenceAt", list, last));
}

static void
lower_length (SymOpLower *self)
{
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_cast (self,
                         sym_op_lower_unary (self, "SequenceLength", sym_op_lower_input (self, 0)),
                         SYM_DTYPE_INT32));
}

/* ---- Tables ---- */

static const SymAttributeSpec list_attributes[] = {
  { "element_dtype", SYM_ATTRIBUTE_DTYPE, "None", "dtype of the elements" },
  { "num_elements", SYM_ATTRIBUTE_INT, "-1", "how many there are, where it is known" },
  { NULL },
};

static const SymSlotSpec new_slots[] = { { "element_shape" }, { "num_elements" }, { NULL } };
static const SymSlotSpec from_slots[] = { { "tensor" }, { "element_shape" }, { NULL } };
static const SymSlotSpec set_slots[] = {
  { "input_handle" },
  { "index" },
  { "item" },
  { NULL },
};
static const SymSlotSpec item_slots[] = {
  { "input_handle" },
  { "index" },
  { "element_shape" },
  { NULL },
};
static const SymSlotSpec stack_slots[] = { { "input_handle" }, { "element_shape" }, { NULL } };
static const SymSlotSpec gather_slots[] = {
  { "input_handle" },
  { "indices" },
  { "element_shape" },
  { NULL },
};
static const SymSlotSpec push_slots[] = { { "input_handle" }, { "tensor" }, { NULL } };
static const SymSlotSpec length_slots[] = { { "input_handle" }, { NULL } };
static const SymSlotSpec concat_slots[] = {
  { "input_handle" },
  { "element_shape", .optional = TRUE },
  { "leading_dims", .optional = TRUE },
  { NULL },
};
static const char *const pop_names[] = { "output_handle", "tensor", NULL };

#define LIST(name_, aliases_, summary_, slots_, infer_, lower_)                                    \
  {                                                                                                \
    SYM_OP_TF (name_), .aliases = aliases_, .summary = summary_, .category = SYM_CATEGORY_CONTROL, \
                       .attributes = list_attributes, .slots = slots_, .infer = infer_,            \
                       .lower = lower_                                                             \
  }

const SymOperator sym_op_tf_list[] = {
  LIST ("EmptyTensorList", NULL, "a list without elements", new_slots, infer_new, lower_empty),
  LIST ("TensorListConcatV2",
        "TensorListConcat",
        "elements of a list side by side",
        concat_slots,
        infer_concat,
        lower_concat),
  LIST ("TensorListFromTensor",
        NULL,
        "a list of the parts of a tensor",
        from_slots,
        infer_from_tensor,
        lower_from_tensor),
  LIST ("TensorListGather",
        NULL,
        "some elements of a list as one tensor",
        gather_slots,
        infer_stack,
        lower_stack),
  LIST ("TensorListGetItem", NULL, "an element of a list", item_slots, infer_item, lower_item),
  LIST ("TensorListLength",
        NULL,
        "number of elements of a list",
        length_slots,
        infer_length,
        lower_length),
  { SYM_OP_TF ("TensorListPopBack"), .summary = "a list without its last element, and that element",
    .category = SYM_CATEGORY_CONTROL, .attributes = list_attributes, .slots = stack_slots,
    .get_n_outputs = sym_op_tf_any_outputs, .output_names = pop_names, .infer = infer_pop,
    .lower = lower_pop },
  LIST ("TensorListPushBack",
        NULL,
        "a list with one element more",
        push_slots,
        infer_changed,
        lower_push),
  LIST ("TensorListReserve",
        NULL,
        "a list of elements to be set",
        new_slots,
        infer_new,
        lower_reserve),
  LIST ("TensorListSetItem",
        NULL,
        "a list with another element",
        set_slots,
        infer_changed,
        lower_set_item),
  LIST ("TensorListStack",
        NULL,
        "elements of a list as one tensor",
        stack_slots,
        infer_stack,
        lower_stack),
  { NULL },
};
