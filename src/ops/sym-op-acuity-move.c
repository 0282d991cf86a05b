/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine.h"

/* Acuity's movements, reductions and products, whose lists are in the file. */

/* Lists are written as lists, or as texts: "0 -1 4". */
static int
read_list (SymOpLower *self, const char *name, gint64 values[SYM_MAX_RANK])
{
  const char *text = sym_op_lower_get_string (self, name, NULL);
  g_auto (GStrv) parts = text == NULL ? NULL : g_strsplit_set (text, " ,", -1);
  int n = 0;

  if (text == NULL)
    return sym_op_foreign_list (self, name, values);
  for (guint i = 0; parts[i] != NULL; i++)
    if (parts[i][0] != '\0' && n < SYM_MAX_RANK &&
        g_ascii_string_to_signed (parts[i], 10, G_MININT32, G_MAXINT32, &values[n], NULL))
      n++;
  return n;
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
    sym_op_lower_set_output (
        self, 0, sym_op_foreign_reshape (self, sym_op_lower_input (self, 0), sizes, n, TRUE));
}

static void
lower_permute (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK];
  int n = read_list (self, "perm", axes);

  if (n != sym_op_foreign_rank (self, 0))
    refuse_list (self, "perm");
  else
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_permute (self, sym_op_lower_input (self, 0), axes, n));
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
  };
  gint64 axes[SYM_MAX_RANK];
  int n = read_list (self, "axis_list", axes);

  if (n < 1)
    refuse_list (self, "axis_list");
  for (guint i = 0; n > 0 && i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i][0], sym_op_lower_get_type (self)))
      sym_op_lower_set_output (
          self, 0,
          sym_op_lower_reduce (self, kinds[i][1], sym_op_lower_input (self, 0), axes, n,
                               sym_op_lower_get_bool (self, "keep_dims", FALSE)));
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
  int rank = sym_op_foreign_rank (self, 0), axis = sym_op_foreign_axis (self, "dim", 0, rank);
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

/* What is added before and after each axis: pairs. */
static void
lower_pad (SymOpLower *self)
{
  const char *mode = sym_op_lower_get_string (self, "padding_mode", "CONSTANT");

  sym_op_engine_set_padded (self, "padding_value",
                            g_str_equal (mode, "SYMMETRIC") ? NULL
                            : g_str_equal (mode, "REFLECT") ? "reflect"
                                                            : "constant",
                            sym_op_lower_get_float (self, "padding_const", 0));
}

/* ---- Table ---- */

static const SymAttributeSpec list_attributes[] = {
  { "shape", SYM_ATTRIBUTE_ANY, "None", "sizes; 0 is that of the data, -1 what is left" },
  { "perm", SYM_ATTRIBUTE_ANY, "None", "the axes in their new order" },
  { "axis_list", SYM_ATTRIBUTE_ANY, "None", "axes that go" },
  { "dim", SYM_ATTRIBUTE_INT, "0", "along which" },
  { "slices", SYM_ATTRIBUTE_ANY, "None", "where later parts begin" },
  { "begin", SYM_ATTRIBUTE_ANY, "None", "where the part begins" },
  { "size", SYM_ATTRIBUTE_ANY, "None", "its sizes" },
  { "keep_dims", SYM_ATTRIBUTE_BOOL, "False", "whether axes stay with size 1" },
  { "padding_value", SYM_ATTRIBUTE_ANY, "None", "added before and after each axis" },
  { "padding_mode", SYM_ATTRIBUTE_STRING, "CONSTANT", "what is added" },
  { "padding_const", SYM_ATTRIBUTE_FLOAT, "0.0", "the number that is added" },
  { NULL },
};

#define MOVE(name_, aliases_, summary_, lower_)                                               \
  SYM_OP_ENGINE ("acuity", "Acuity 6", name_, aliases_, summary_, SHAPE, sym_op_foreign_many, \
                 list_attributes, lower_)

const SymOperator sym_op_acuity_move[] = {
  MOVE ("pad", NULL, "Something around the data", lower_pad),
  MOVE ("concat", NULL, "One after the other along an axis", sym_op_engine_lower_concat),
  MOVE ("reshape", NULL, "Other axes", lower_reshape),
  MOVE ("permute", NULL, "Axes in another order", lower_permute),
  MOVE ("squeeze", NULL, "Without axes of size 1", lower_squeeze),
  MOVE ("split", NULL, "Parts along an axis", lower_split),
  MOVE ("slice", NULL, "Part of the data", lower_slice),
  MOVE ("reducemean",
        "reducemax reducemin reduceprod reducesum reduceany",
        "One number of axes",
        lower_reduce),
  MOVE ("matmul", NULL, "Product of matrices", lower_matmul),
  { NULL },
};
