/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine.h"

#include <string.h>

/* Acuity's movements, reductions and products, whose lists are in the file. */

/* Lists are written as lists, or as texts. */
static int
read_list (SymOpLower *self, const char *name, gint64 values[SYM_MAX_RANK])
{
  return sym_op_lower_get_string (self, name, NULL) == NULL
             ? sym_op_foreign_list (self, name, values)
             : sym_op_engine_numbers (self, name, values, SYM_MAX_RANK);
}

/* What is made of Caffe's networks has the channels of images last, as all has here, but tells some
 * axes as Caffe has them. */
static gboolean
tells_caffe (SymOpLower *self)
{
  return sym_op_lower_has_string (self, "axes", "NCHW");
}

static gboolean
is_caffe (SymRule *rule)
{
  return g_strcmp0 (sym_rule_get_string (rule, "axes", NULL), "NCHW") == 0;
}

static SymId
begin_caffe (SymOpLower *self)
{
  SymId x = sym_op_lower_input (self, 0);

  return tells_caffe (self) && sym_op_foreign_rank (self, 0) == 4
             ? sym_op_foreign_channels_first (self, x, 4)
             : x;
}

static void
end_caffe (SymOpLower *self, SymId y, int rank)
{
  sym_op_lower_set_output (
      self, 0, tells_caffe (self) && rank == 4 ? sym_op_foreign_channels_last (self, y, 4) : y);
}

static void
refuse_list (SymOpLower *self, const char *name)
{
  sym_op_lower_refuse (self, "%s: its %s is not told", sym_op_lower_get_type (self), name);
}

static void
lower_reshape (SymOpLower *self)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = read_list (self, "shape", sizes);

  if (n < 1)
    refuse_list (self, "shape");
  else
    end_caffe (self, sym_op_foreign_reshape (self, begin_caffe (self), sizes, n, TRUE), n);
}

static void
lower_permute (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK];
  int n = read_list (self, "perm", axes);

  if (n != sym_op_foreign_rank (self, 0))
    refuse_list (self, "perm");
  else
    end_caffe (self, sym_op_lower_permute (self, begin_caffe (self), axes, n), n);
}

/* All but the batch in one axis; of Caffe's images that is the one of the channels, and they name
 * an axis as Acuity has it. */
static void
lower_flatten (SymOpLower *self)
{
  static const gint64 plain[] = { 0, -1 }, image[] = { 0, 1, 1, -1 };
  gboolean is_image = tells_caffe (self) && sym_op_foreign_rank (self, 0) == 4;

  if (!tells_caffe (self) && sym_op_lower_get_int (self, "axis", 1) != 1)
    {
      sym_op_lower_refuse (self, "flatten: only from axis 1 on is lowered");
      return;
    }
  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_reshape (self, begin_caffe (self),
                                                   is_image ? image : plain, is_image ? 4 : 2,
                                                   TRUE));
}

/* Axis 1 of Caffe's images is their channels: other files than those that say 3. */
static void
lower_concat (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), axis = sym_op_foreign_axis (self, "dim", 1, rank);

  if (tells_caffe (self) && rank == 4 && axis == 1)
    axis = 3;
  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_concat (self, 0, sym_op_lower_get_n_inputs (self), axis));
}

static gboolean
infer_concat (SymRule *rule, GError **error)
{
  gint64 axis = sym_rule_get_int (rule, "dim", 1);

  if (axis == 1 && is_caffe (rule) && sym_rule_get_input (rule, 0).rank == 4)
    axis = 3;
  return sym_op_engine_infer_joined (rule, axis, error);
}

static void
lower_squeeze (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK];
  int n = read_list (self, "axis_list", axes);

  if (n < 1)
    refuse_list (self, "axis_list");
  else
    sym_op_lower_set_output (self, 0,
                             sym_op_foreign_squeeze (self, sym_op_lower_input (self, 0), axes, n));
}

static void
lower_reduce (SymOpLower *self)
{
  static const char *const kinds[][2] = {
    { "reducemean", "ReduceMean" }, { "reducemax", "ReduceMax" }, { "reducemin", "ReduceMin" },
    { "reduceprod", "ReduceProd" }, { "reducesum", "ReduceSum" }, { "reduceany", "ReduceMax" },
    { "reducel2", "ReduceL2" },
  };
  gint64 axes[SYM_MAX_RANK];
  int n = read_list (self, "axis_list", axes);

  if (n < 1)
    refuse_list (self, "axis_list");
  for (guint i = 0; n > 0 && i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i][0], sym_op_lower_get_type (self)))
      sym_op_lower_set_output (
          self, 0,
          sym_op_lower_reduce (
              self, kinds[i][1], sym_op_lower_input (self, 0), axes, n,
              sym_op_lower_get_bool (self, "keep_dims", g_str_equal (kinds[i][0], "reducel2"))));
}

static void
lower_matmul (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1))
    sym_op_foreign_lower_matmul (self);
}

/* Where later parts begin. */
static void
lower_split (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), axis = sym_op_foreign_axis (self, "dim", 1, rank);
  gint64 starts[SYM_MAX_RANK], sizes[SYM_MAX_RANK + 1], last = 0;
  int n = read_list (self, "slices", starts);

  if (n < 1)
    {
      sym_op_foreign_split (self, sym_op_lower_input (self, 0), axis, NULL, -1);
      return;
    }
  for (int i = 0; i < n; i++)
    {
      sizes[i] = starts[i] - last;
      last = starts[i];
    }
  sizes[n] = sym_op_foreign_size (self, 0, axis) - last;
  sym_op_foreign_split (self, sym_op_lower_input (self, 0), axis, sizes, n + 1);
}

/* -1 is all that is left of an axis. */
static void
lower_slice (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  gint64 starts[SYM_MAX_RANK] = { 0 }, sizes[SYM_MAX_RANK], stops[SYM_MAX_RANK];
  int n = read_list (self, "begin", starts), n_sizes = read_list (self, "size", sizes);

  if (n_sizes != rank || (n >= 0 && n != rank))
    {
      refuse_list (self, "size");
      return;
    }
  for (int i = 0; i < rank; i++)
    stops[i] = sizes[i] < 0 ? G_MAXINT32 : (n < 0 ? 0 : starts[i]) + sizes[i];
  sym_op_lower_set_output (
      self, 0,
      sym_op_foreign_slice (self, sym_op_lower_input (self, 0), starts, stops, NULL, NULL, rank));
}

/* What is added before and after each axis: pairs, in older files as a text. */
static void
lower_pad (SymOpLower *self)
{
  const char *mode = sym_op_lower_get_string (self, "padding_mode", "CONSTANT");

  sym_op_engine_set_padded (self,
                            sym_op_foreign_choose (self, "padding_value", "padding_size", NULL),
                            g_str_equal (mode, "SYMMETRIC") ? NULL
                            : g_str_equal (mode, "REFLECT") ? "reflect"
                                                            : "constant",
                            sym_op_lower_get_float (self, "padding_const", 0));
}

/* ---- Parts ---- */

static void
lower_strided (SymOpLower *self)
{
  SymOpEnginePart part = {
    .no_start = sym_op_lower_get_int (self, "slice_begin_mask", 0),
    .no_stop = sym_op_lower_get_int (self, "slice_end_mask", 0),
    .gone = sym_op_lower_get_int (self, "slice_shrink_axis_mask", 0),
  };
  int n_stops = read_list (self, "slice_end", part.stops);
  int n_steps = read_list (self, "slice_strides", part.steps);

  part.n = read_list (self, "slice_begin", part.starts);
  for (int i = 0; n_steps < 1 && i < MIN (part.n, SYM_MAX_RANK); i++)
    part.steps[i] = 1;
  if (n_stops != part.n || (n_steps > 0 && n_steps != part.n))
    part.n = -1;
  if (sym_op_lower_get_int (self, "slice_ellipsis_mask", 0) != 0 ||
      sym_op_lower_get_int (self, "slice_new_axis_mask", 0) != 0)
    sym_op_lower_refuse (self, "stridedslice: an ellipsis and new axes are not lowered");
  sym_op_engine_set_part (self, &part);
}

/* Of lists that are all there. */
static gboolean
infer_strided (SymRule *rule, GError **error)
{
  SymOpEnginePart part = {
    .no_start = sym_rule_get_int (rule, "slice_begin_mask", 0),
    .no_stop = sym_rule_get_int (rule, "slice_end_mask", 0),
    .gone = sym_rule_get_int (rule, "slice_shrink_axis_mask", 0),
  };

  part.n = sym_rule_get_ints (rule, "slice_begin", part.starts, SYM_MAX_RANK);
  if (sym_rule_get_ints (rule, "slice_end", part.stops, SYM_MAX_RANK) != part.n ||
      sym_rule_get_ints (rule, "slice_strides", part.steps, SYM_MAX_RANK) != part.n ||
      sym_rule_get_int (rule, "slice_ellipsis_mask", 0) != 0 ||
      sym_rule_get_int (rule, "slice_new_axis_mask", 0) != 0)
    part.n = -1;
  return sym_op_engine_infer_part (rule, &part, error);
}

/* Caffe's keeps the axis. */
static void
lower_argmax (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  gboolean keeps = sym_op_lower_get_bool (self, "keepdims", tells_caffe (self));
  SymId y = sym_op_lower_call (
      self, strcmp (sym_op_lower_get_type (self), "argmin") == 0 ? "ArgMin" : "ArgMax",
      SYM_IDS (sym_op_lower_input (self, 0)), "axis",
      sym_value_new_int (sym_op_foreign_axis (self, "axis", rank - 1, rank)), "keepdims",
      sym_value_new_int (keeps), "select_last_index",
      sym_value_new_int (sym_op_lower_get_bool (self, "select_last_index", FALSE)), NULL);

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_cast (self, y, sym_op_lower_get_dtype (self, "output_type", SYM_DTYPE_INT32)));
}

/* Axes that both share are lowered of elements alone. */
static void
lower_gather (SymOpLower *self)
{
  if (sym_op_lower_get_int (self, "batch_dims", 0) != 0)
    sym_op_lower_refuse (self, "gather: axes that both share are not lowered");
  else
    sym_op_engine_lower_gather (self);
}

/* ---- Means, choices, copies ---- */

/* Mean, and variance. */
static void
lower_moments (SymOpLower *self)
{
  SymId x = sym_op_lower_input (self, 0), mean, far;
  gboolean keeps = sym_op_lower_get_bool (self, "keep_dims", TRUE);
  gint64 axes[SYM_MAX_RANK];
  int n = read_list (self, "axis_list", axes);

  if (n < 1)
    {
      refuse_list (self, "axis_list");
      return;
    }
  mean = sym_op_lower_reduce (self, "ReduceMean", x, axes, n, TRUE);
  far = sym_op_lower_binary (self, "Sub", x, mean);
  sym_op_lower_set_output (self, 0, sym_op_lower_reduce (self, "ReduceMean", x, axes, n, keeps));
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (self, 1,
                             sym_op_lower_reduce (self, "ReduceMean",
                                                  sym_op_lower_binary (self, "Mul", far, far), axes,
                                                  n, keeps));
}

static void
lower_expand (SymOpLower *self)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = read_list (self, "shape", sizes);

  if (n < 1)
    refuse_list (self, "shape");
  else
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_binary (self, "Expand", sym_op_lower_input (self, 0),
                                                  sym_op_lower_ints (self, sizes, n)));
}

static void
lower_one_hot (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_dtype (self, "dtype", SYM_DTYPE_FLOAT32);
  SymId levels[] = {
    sym_op_lower_number (self, dtype, sym_op_lower_get_float (self, "off_value", 0)),
    sym_op_lower_number (self, dtype, sym_op_lower_get_float (self, "on_value", 1)),
  };
  gint64 first = 0, depth = sym_op_lower_get_int (self, "depth", 1);

  if (depth < 1 || depth > G_MAXINT32)
    sym_op_lower_refuse (self, "one_hot: its depth makes no sense");
  if (sym_op_lower_has_failed (self))
    return;
  for (int i = 0; i < 2; i++)
    levels[i] = sym_op_foreign_unsqueeze (self, levels[i], &first, 1);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "OneHot",
          SYM_IDS (sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_INT64),
                   sym_op_lower_number (self, SYM_DTYPE_INT64, (double) depth),
                   sym_op_lower_call (self, "Concat", (SymIds){ levels, 2 }, "axis",
                                      sym_value_new_int (0), NULL)),
          "axis", sym_value_new_int (sym_op_lower_get_int (self, "axis", -1)), NULL));
}

/* ---- Constants ---- */

/* Numbers beside the file, of which the shape is in it; those of older files are floats. */
static gboolean
infer_variable (SymRule *rule, GError **error)
{
  SymShape shape = SYM_SHAPE_UNKNOWN;
  SymDType dtype = sym_rule_get_dtype (rule, "type", SYM_DTYPE_FLOAT32);
  int n = sym_rule_get_ints (rule, "shape", shape.dims, SYM_MAX_RANK);

  if (sym_rule_get_bool (rule, "is_scalar", FALSE))
    shape.rank = 0;
  else if (n > 0 && n <= SYM_MAX_RANK)
    shape.rank = n;
  for (int i = 0; i < shape.rank; i++)
    if (shape.dims[i] < 0)
      shape.dims[i] = SYM_DIM_UNKNOWN;
  return sym_op_set_input (rule, 0, shape, error) &&
         sym_rule_set_input_dtype (rule, 0, dtype, error) &&
         sym_op_set_output (rule, 0, shape, dtype, error);
}

/* ---- Table ---- */

static const SymAttributeSpec list_attributes[] = {
  { "shape", SYM_ATTRIBUTE_ANY, "None", "sizes; 0 is that of the data, -1 what is left" },
  { "perm", SYM_ATTRIBUTE_ANY, "None", "the axes in their new order" },
  { "axis_list", SYM_ATTRIBUTE_ANY, "None", "axes that go" },
  { "dim", SYM_ATTRIBUTE_INT, "1", "along which" },
  { "slices", SYM_ATTRIBUTE_ANY, "None", "where later parts begin" },
  { "begin", SYM_ATTRIBUTE_ANY, "None", "where the part begins" },
  { "size", SYM_ATTRIBUTE_ANY, "None", "its sizes" },
  { "keep_dims", SYM_ATTRIBUTE_BOOL, "False", "whether axes stay with size 1" },
  { "padding_value", SYM_ATTRIBUTE_ANY, "None", "added before and after each axis" },
  { "padding_size", SYM_ATTRIBUTE_ANY, "None", "the same, in older files" },
  { "padding_mode", SYM_ATTRIBUTE_STRING, "CONSTANT", "what is added" },
  { "padding_const", SYM_ATTRIBUTE_FLOAT, "0.0", "the number that is added" },
  { "axis", SYM_ATTRIBUTE_INT, "None", "along which" },
  { "batch_dims", SYM_ATTRIBUTE_INT, "0", "axes that data and indices share" },
  { "keepdims", SYM_ATTRIBUTE_BOOL, "False", "the same, of a place" },
  { "output_type", SYM_ATTRIBUTE_STRING, "int32", "of places" },
  { "depth", SYM_ATTRIBUTE_INT, "1", "how many there are to choose from" },
  { "slice_begin", SYM_ATTRIBUTE_ANY, "None", "where the part begins" },
  { "slice_end", SYM_ATTRIBUTE_ANY, "None", "where it ends" },
  { "slice_strides", SYM_ATTRIBUTE_ANY, "None", "which of its elements are taken" },
  { "axes", SYM_ATTRIBUTE_STRING, "None", "NCHW: axes of images are told as Caffe has them" },
  { NULL },
};

static const SymSlotSpec data_slots[] = { { "data", SYM_SLOT_PARAMETER, TRUE }, { NULL } };

static const SymAttributeSpec constant_attributes[] = {
  { "shape", SYM_ATTRIBUTE_INTS, "None", "sizes" },
  { "is_scalar", SYM_ATTRIBUTE_BOOL, "False", "whether there are none" },
  { "type", SYM_ATTRIBUTE_STRING, "float32", "of the numbers" },
  { NULL },
};

#define MOVE(name_, aliases_, summary_, lower_)                                               \
  SYM_OP_ENGINE ("acuity", "Acuity 6", name_, aliases_, summary_, SHAPE, sym_op_foreign_many, \
                 list_attributes, lower_)

#define RULED(name_, summary_, infer_, lower_)                                                  \
  SYM_OP_ENGINE_RULED ("acuity", "Acuity 6", name_, NULL, summary_, SHAPE, sym_op_foreign_many, \
                       list_attributes, infer_, lower_)

const SymOperator sym_op_acuity_move[] = {
  MOVE ("pad", NULL, "Something around the data", lower_pad),
  RULED ("concat", "One after the other along an axis", infer_concat, lower_concat),
  MOVE ("stack", NULL, "One after the other along a new axis", sym_op_foreign_lower_stack),
  MOVE ("flatten", NULL, "All but the batch as one axis", lower_flatten),
  RULED ("stridedslice", "Part of the data, in steps", infer_strided, lower_strided),
  MOVE ("gather", NULL, "What indices choose", lower_gather),
  MOVE ("argmax", "argmin", "Where the greatest number is", lower_argmax),
  MOVE ("moments", NULL, "Mean and variance", lower_moments),
  MOVE ("one_hot", NULL, "1 at the place of each number", lower_one_hot),
  MOVE ("expand_broadcast", NULL, "Copies along axes of size 1", lower_expand),
  MOVE ("reshape", NULL, "Other axes", lower_reshape),
  MOVE ("permute", NULL, "Axes in another order", lower_permute),
  MOVE ("squeeze", NULL, "Without axes of size 1", lower_squeeze),
  MOVE ("split", NULL, "Parts along an axis", lower_split),
  MOVE ("slice", NULL, "Part of the data", lower_slice),
  MOVE ("reducemean",
        "reducemax reducemin reduceprod reducesum reduceany reducel2",
        "One number of axes",
        lower_reduce),
  MOVE ("matmul", NULL, "Product of matrices", lower_matmul),
  { SYM_OP_FOREIGN ("acuity", "variable", NULL, "Numbers that do not change", OTHER),
    .reference = "Acuity 6 variable", .slots = data_slots, .attributes = constant_attributes,
    .infer = infer_variable, .formula = "Identity (a)" },
  { NULL },
};
