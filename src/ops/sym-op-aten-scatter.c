/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-aten.h"

#include <string.h>

/* Elements by their places along one axis: gather and scatter. */

static int
get_rank (SymOpLower *self, guint i)
{
  return sym_op_lower_get_input_shape (self, i)->rank;
}

static SymId
get_index (SymOpLower *self, guint i)
{
  return sym_op_aten_input_as (self, i, SYM_DTYPE_INT64);
}

static gboolean
get_axis (SymOpLower *self, int *axis)
{
  return sym_op_lower_need_tensor (self, 0) &&
         sym_op_aten_get_axis (self, "dim", 0, MAX (get_rank (self, 0), 1), axis);
}

/* ---- Along one axis ---- */

static void
lower_embedding (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_binary (self, "Gather", sym_op_lower_input (self, 0), get_index (self, 1)));
}

static void
lower_index_select (SymOpLower *self)
{
  int axis;

  if (sym_op_lower_need_tensor (self, 1) && get_axis (self, &axis))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_call (self, "Gather",
                           SYM_IDS (sym_op_lower_input (self, 0), get_index (self, 1)), "axis",
                           sym_value_new_int (axis), NULL));
}

static void
lower_gather (SymOpLower *self)
{
  int axis;

  if (sym_op_lower_need_tensor (self, 1) && get_axis (self, &axis))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_call (self, "GatherElements",
                           SYM_IDS (sym_op_lower_input (self, 0), get_index (self, 1)), "axis",
                           sym_value_new_int (axis), NULL));
}

/* Places among all elements. */
static void
lower_take (SymOpLower *self)
{
  gint64 all = -1;

  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_binary (self, "Gather",
                             sym_op_lower_binary (self, "Reshape", sym_op_lower_input (self, 0),
                                                  sym_op_lower_ints (self, &all, 1)),
                             get_index (self, 1)));
}

/* ---- scatter ---- */

static const char *
get_reduction (SymOpLower *self)
{
  const char *name = sym_op_lower_get_string (self, "reduce", "");

  if (strstr (sym_op_lower_get_type (self), "scatter_add") != NULL || g_str_equal (name, "add") ||
      g_str_equal (name, "sum"))
    return "add";
  if (g_str_equal (name, "multiply") || g_str_equal (name, "prod"))
    return "mul";
  if (g_str_equal (name, "amax") || g_str_equal (name, "amin"))
    return name + 1;
  if (*name != '\0')
    sym_op_lower_refuse (self, "%s: reduction “%s” is not lowered", sym_op_lower_get_type (self),
                         name);
  return "none";
}

/* What a place that is written begins with, where what was there does not count. */
static SymId
get_neutral (SymOpLower *self, const char *reduction, SymDType dtype)
{
  if (strcmp (reduction, "max") == 0 || strcmp (reduction, "min") == 0)
    sym_op_lower_refuse (self, "%s: %s without self is not lowered", sym_op_lower_get_type (self),
                         reduction);
  return sym_op_aten_number (self, dtype, strcmp (reduction, "mul") == 0);
}

static SymId
scatter (SymOpLower *self, SymId data, SymId index, SymId values, int axis, const char *reduction)
{
  return sym_op_lower_call (self, "ScatterElements", SYM_IDS (data, index, values), "axis",
                            sym_value_new_int (axis), "reduction", sym_value_new_string (reduction),
                            NULL);
}

/* ATen takes of the source as much as there are indices. */
static void
lower_scatter (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  const char *reduction = get_reduction (self);
  SymId data = sym_op_lower_input (self, 0), index, shape, values;
  gint64 axes[SYM_MAX_RANK], zeros[SYM_MAX_RANK] = { 0 };
  int axis;

  if (!sym_op_lower_need_tensor (self, 1) || !get_axis (self, &axis))
    return;
  index = get_index (self, 1);
  shape = sym_op_aten_shape (self, index);
  for (int i = 0; i < SYM_MAX_RANK; i++)
    axes[i] = i;
  if (sym_op_lower_has_input (self, 2) && get_rank (self, 2) > 0)
    values = sym_op_lower_call (self, "Slice",
                                SYM_IDS (sym_op_aten_input_as (self, 2, dtype),
                                         sym_op_lower_ints (self, zeros, get_rank (self, 2)), shape,
                                         sym_op_lower_ints (self, axes, get_rank (self, 2))),
                                NULL);
  else
    values =
        sym_op_lower_binary (self, "Expand", sym_op_aten_operand (self, 2, "value", dtype), shape);
  if (!sym_op_lower_get_bool (self, "include_self", TRUE) && strcmp (reduction, "none") != 0)
    data =
        scatter (self, data, index,
                 sym_op_lower_binary (self, "Expand", get_neutral (self, reduction, dtype), shape),
                 axis, "none");
  sym_op_lower_set_output (self, 0, scatter (self, data, index, values, axis, reduction));
}

/* Rows of a source, by number, added to rows. */
static void
lower_index_add (SymOpLower *self)
{
  gboolean adds = strstr (sym_op_lower_get_type (self), "index_add") != NULL;
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  double alpha = sym_op_lower_get_float (self, "alpha", 1);
  SymId source = sym_op_aten_input_as (self, 2, dtype), index;
  gint64 sizes[SYM_MAX_RANK];
  int axis;

  if (!sym_op_lower_need_tensor (self, 1) || !sym_op_lower_need_tensor (self, 2) ||
      !get_axis (self, &axis))
    return;
  for (int i = 0; i < get_rank (self, 0); i++)
    sizes[i] = i == axis ? -1 : 1;
  index = sym_op_lower_binary (self, "Reshape", get_index (self, 1),
                               sym_op_lower_ints (self, sizes, get_rank (self, 0)));
  index = sym_op_lower_binary (self, "Expand", index, sym_op_aten_shape (self, source));
  if (alpha != 1)
    source = sym_op_lower_binary (self, "Mul", source, sym_op_aten_number (self, dtype, alpha));
  sym_op_lower_set_output (
      self, 0,
      scatter (self, sym_op_lower_input (self, 0), index, source, axis, adds ? "add" : "none"));
}

/* ---- Parts that are written ---- */

/* The elements of an axis that a part takes, as places along it. */
static SymId
list_places (SymOpLower *self, int axis)
{
  gboolean is_select = strstr (sym_op_lower_get_type (self), "select") != NULL;
  gint64 zero = 0, end = G_MAXINT64, one = 1, size;
  SymId places;

  if (!sym_op_aten_need_size (self, 0, axis, &size))
    return SYM_NO_ID;
  places = sym_op_lower_count (self, size);
  if (is_select)
    return sym_op_lower_binary (self, "Gather", places, sym_op_aten_int (self, "index"));
  return sym_op_lower_call (
      self, "Slice",
      SYM_IDS (places,
               sym_op_aten_has (self, "start") ? sym_op_aten_int (self, "start")
                                               : sym_op_lower_ints (self, &zero, 1),
               sym_op_aten_has (self, "end") ? sym_op_aten_int (self, "end")
                                             : sym_op_lower_ints (self, &end, 1),
               sym_op_lower_ints (self, &zero, 1),
               sym_op_aten_has (self, "step") ? sym_op_aten_int (self, "step")
                                              : sym_op_lower_ints (self, &one, 1)),
      NULL);
}

/* select_scatter, slice_scatter */
static void
lower_part_scatter (SymOpLower *self)
{
  gboolean is_select = strstr (sym_op_lower_get_type (self), "select") != NULL;
  gint64 sizes[SYM_MAX_RANK];
  SymId source = sym_op_aten_input_as (self, 1, sym_op_lower_get_input_dtype (self, 0)), places;
  int axis, rank = get_rank (self, 0);

  if (!sym_op_lower_need_tensor (self, 1) || !get_axis (self, &axis))
    return;
  for (int i = 0; i < rank; i++)
    sizes[i] = i == axis ? -1 : 1;
  if (is_select)
    source = sym_op_aten_unsqueeze (self, source, axis);
  places = sym_op_lower_binary (self, "Reshape", list_places (self, axis),
                                sym_op_lower_ints (self, sizes, rank));
  places = sym_op_lower_binary (self, "Expand", places, sym_op_aten_shape (self, source));
  sym_op_lower_set_output (
      self, 0, scatter (self, sym_op_lower_input (self, 0), places, source, axis, "none"));
}

static const SymSlotSpec table_slots[] = {
  { "weight", SYM_SLOT_PARAMETER },
  { "indices" },
  { NULL },
};

static const SymSlotSpec gather_slots[] = { { "self" }, { "index" }, { NULL } };
static const SymSlotSpec scatter_slots[] = {
  { "self" },
  { "index" },
  { "src", SYM_SLOT_DATA, TRUE },
  { NULL },
};
static const SymSlotSpec add_slots[] = { { "self" }, { "index" }, { "source" }, { NULL } };
static const SymSlotSpec part_slots[] = { { "self" }, { "src" }, { NULL } };

static const SymAttributeSpec dim_attributes[] = {
  { "dim", SYM_ATTRIBUTE_INT, "0", "the axis" },
  { NULL },
};

static const SymAttributeSpec scatter_attributes[] = {
  { "dim", SYM_ATTRIBUTE_INT, NULL, "the axis" },
  { "value", SYM_ATTRIBUTE_ANY, "None", "the number, where there is no source" },
  { "reduce", SYM_ATTRIBUTE_STRING, "None", "what becomes of what was there" },
  { "include_self", SYM_ATTRIBUTE_BOOL, "True", "whether what was there counts" },
  { NULL },
};

static const SymAttributeSpec add_attributes[] = {
  { "dim", SYM_ATTRIBUTE_INT, NULL, "the axis" },
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1", "factor of the source" },
  { NULL },
};

static const SymAttributeSpec part_attributes[] = {
  { "dim", SYM_ATTRIBUTE_INT, "0", "the axis" },
  { "start", SYM_ATTRIBUTE_ANY, "None", "the first element" },
  { "end", SYM_ATTRIBUTE_ANY, "None", "the element behind the last" },
  { "step", SYM_ATTRIBUTE_ANY, "1", "how far it is to the next" },
  { "index", SYM_ATTRIBUTE_ANY, "None", "the only element" },
  { NULL },
};

static const SymAttributeSpec table_attributes[] = {
  { "padding_idx", SYM_ATTRIBUTE_INT, "-1", "a row that does not learn" },
  { NULL },
};

#define INDEX_(name_, aliases_, summary_, category_, attributes_, slots_, count_, lower_)     \
  {                                                                                           \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_,             \
                 .reference = "PyTorch 2 Core ATen IR", .category = SYM_CATEGORY_##category_, \
                 .attributes = attributes_, .slots = slots_, .get_n_operands = count_,        \
                 .infer = sym_op_infer_lowered, .lower = lower_,                              \
  }

#define INDEX(name_, aliases_, summary_, attributes_, slots_, lower_) \
  INDEX_ (name_, aliases_, summary_, SHAPE, attributes_, slots_, NULL, lower_)

const SymOperator sym_op_aten_scatter[] = {
  INDEX_ ("embedding",
          NULL,
          "Rows of a table, by number",
          WEIGHTS,
          table_attributes,
          table_slots,
          NULL,
          lower_embedding),
  INDEX ("index_select",
         NULL,
         "Elements of an axis, by number",
         dim_attributes,
         gather_slots,
         lower_index_select),
  INDEX ("gather",
         "aten.take_along_dim",
         "Elements of an axis, by number for each place",
         dim_attributes,
         gather_slots,
         lower_gather),
  INDEX ("take", NULL, "Elements by their number among all", NULL, gather_slots, lower_take),
  INDEX ("scatter.src",
         "aten.scatter.value aten.scatter.reduce aten.scatter.value_reduce aten.scatter_add "
         "aten.scatter_reduce.two aten.scatter_.src aten.scatter_.value aten.scatter_add_",
         "Puts elements to their places along an axis",
         scatter_attributes,
         scatter_slots,
         lower_scatter),
  INDEX ("index_add",
         "aten.index_copy aten.index_add_ aten.index_copy_",
         "Puts rows to their places along an axis",
         add_attributes,
         add_slots,
         lower_index_add),
  INDEX ("select_scatter",
         "aten.slice_scatter",
         "Writes a part",
         part_attributes,
         part_slots,
         lower_part_scatter),
  { NULL },
};
