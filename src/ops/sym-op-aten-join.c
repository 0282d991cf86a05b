/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-aten.h"

#include <string.h>

/* Tensors laid together, and tensors made larger at their edges. */

/* All operands in their common dtype.  An empty tensor of one axis counts as none, as it did before
 * tensors had sizes of 0. */
static guint
read_parts (SymOpLower *self, SymId *parts, int *rank)
{
  guint n = sym_op_lower_get_n_inputs (self), n_parts = 0;
  g_autofree SymOpAtenKind *kinds = g_new (SymOpAtenKind, n + 1);
  SymDType dtype;

  *rank = 0;
  for (guint i = 0; i < n; i++)
    {
      kinds[i] = sym_op_aten_kind (self, i, NULL);
      *rank = MAX (*rank, kinds[i].rank);
    }
  dtype = sym_op_aten_promote (kinds, n);
  for (guint i = 0; i < n; i++)
    {
      const SymShape *shape = sym_op_lower_get_input_shape (self, i);

      if (sym_op_lower_need_tensor (self, i) &&
          !(shape->rank == 1 && shape->dims[0] == 0 && *rank > 1))
        parts[n_parts++] = sym_op_aten_input_as (self, i, dtype);
    }
  if (n_parts == 0)
    sym_op_lower_fail (self, "%s: there is nothing to lay together", sym_op_lower_get_type (self));
  return n_parts;
}

static void
lower_cat (SymOpLower *self)
{
  g_autofree SymId *parts = g_new (SymId, sym_op_lower_get_n_inputs (self) + 1);
  int rank, axis;
  guint n = read_parts (self, parts, &rank);

  if (n > 0 && sym_op_aten_get_axis (self, "dim", 0, rank, &axis))
    sym_op_lower_set_output (self, 0, sym_op_aten_lay (self, parts, n, axis));
}

static void
lower_stack (SymOpLower *self)
{
  g_autofree SymId *parts = g_new (SymId, sym_op_lower_get_n_inputs (self) + 1);
  int rank, axis;
  guint n = read_parts (self, parts, &rank);

  if (n == 0 || !sym_op_aten_get_axis (self, "dim", 0, rank + 1, &axis))
    return;
  for (guint i = 0; i < n; i++)
    parts[i] = sym_op_aten_unsqueeze (self, parts[i], axis);
  sym_op_lower_set_output (self, 0, sym_op_aten_lay (self, parts, n, axis));
}

/* hstack and vstack: columns and rows; of tensors of one axis, too. */
static void
lower_stack_rows (SymOpLower *self)
{
  gboolean is_rows = strstr (sym_op_lower_get_type (self), "vstack") != NULL;
  g_autofree SymId *parts = g_new (SymId, sym_op_lower_get_n_inputs (self) + 1);
  int rank;
  guint n = read_parts (self, parts, &rank);

  for (guint i = 0; i < n && rank < 2; i++)
    {
      gint64 sizes[] = { 1, -1 };

      if (is_rows || rank == 0)
        parts[i] = sym_op_lower_binary (
            self, "Reshape", parts[i], sym_op_lower_ints (self, sizes + !is_rows, is_rows ? 2 : 1));
    }
  if (n > 0)
    sym_op_lower_set_output (self, 0,
                             sym_op_aten_lay (self, parts, n, is_rows || rank < 2 ? 0 : 1));
}

/* ---- pad ---- */

/* ATen tells pads from the last axis on, [before, after] of each; ONNX all before, then all after.
 */
static SymId
order_pads (SymOpLower *self, const char *name, int rank)
{
  gint64 given[2 * SYM_MAX_RANK], pads[2 * SYM_MAX_RANK] = { 0 };
  int n = sym_op_lower_get_ints (self, name, given, 2 * SYM_MAX_RANK);

  if (n < 0 || n % 2 != 0 || n > 2 * rank)
    {
      if (n == -1)
        sym_op_lower_refuse (self, "%s: %s is computed", sym_op_lower_get_type (self), name);
      else
        sym_op_lower_fail (self, "%s: %d pads for rank %d", sym_op_lower_get_type (self), n, rank);
      return SYM_NO_ID;
    }
  for (int i = 0; i < n / 2; i++)
    {
      pads[rank - 1 - i] = given[2 * i];
      pads[2 * rank - 1 - i] = given[2 * i + 1];
    }
  return sym_op_lower_ints (self, pads, 2 * rank);
}

static const char *
get_pad_mode (SymOpLower *self)
{
  const char *mode = sym_op_lower_get_string (self, "mode", NULL);
  const char *type = sym_op_lower_get_type (self);

  if (g_strcmp0 (mode, "reflect") == 0 || strstr (type, "reflection") != NULL)
    return "reflect";
  if (g_strcmp0 (mode, "replicate") == 0 || strstr (type, "replication") != NULL)
    return "edge";
  return g_strcmp0 (mode, "circular") == 0 ? "wrap" : "constant";
}

static void
lower_pad (SymOpLower *self)
{
  const char *name = sym_op_aten_has (self, "padding") ? "padding" : "pad";
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  double value = sym_op_lower_get_float (self, "value", 0);

  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_call (
            self, "Pad",
            SYM_IDS (sym_op_lower_input (self, 0),
                     order_pads (self, name, sym_op_lower_get_input_shape (self, 0)->rank),
                     sym_op_aten_number (self, dtype, value)),
            "mode", sym_value_new_string (get_pad_mode (self)), NULL));
}

/* ---- meshgrid ---- */

/* Result i is operand i repeated along all other axes.  Of "xy" the first two axes change places.
 */
static void
lower_meshgrid (SymOpLower *self)
{
  gboolean turned = sym_op_lower_has_string (self, "indexing", "xy");
  guint n = sym_op_lower_get_n_inputs (self);
  SymId sizes[SYM_MAX_RANK], all;
  gint64 shape[SYM_MAX_RANK], minus_one = -1;

  if (n < 1 || n > SYM_MAX_RANK || !sym_op_lower_need_tensor (self, 0))
    {
      sym_op_lower_fail (self, "%s: %u operands", sym_op_lower_get_type (self), n);
      return;
    }
  turned = turned && n >= 2;
  for (guint i = 0; i < n; i++)
    sizes[turned && i < 2 ? 1 - i : i] =
        sym_op_aten_shape (self, sym_op_lower_binary (self, "Reshape", sym_op_lower_input (self, i),
                                                      sym_op_lower_ints (self, &minus_one, 1)));
  all = sym_op_aten_lay (self, sizes, n, 0);
  for (guint i = 0; i < sym_op_lower_get_n_outputs (self) && i < n; i++)
    {
      for (guint k = 0; k < n; k++)
        shape[k] = k == (turned && i < 2 ? 1 - i : i) ? -1 : 1;
      sym_op_lower_set_output (
          self, i,
          sym_op_lower_binary (self, "Expand",
                               sym_op_lower_binary (self, "Reshape", sym_op_lower_input (self, i),
                                                    sym_op_lower_ints (self, shape, (int) n)),
                               all));
    }
}

static const SymAttributeSpec dim_attributes[] = {
  { "dim", SYM_ATTRIBUTE_INT, "0", "the axis" },
  { NULL },
};

static const SymAttributeSpec pad_attributes[] = {
  { "pad", SYM_ATTRIBUTE_INTS, NULL, "elements before and after, from the last axis on" },
  { "mode", SYM_ATTRIBUTE_STRING, "constant", "what they are",
    "constant reflect replicate circular" },
  { "value", SYM_ATTRIBUTE_FLOAT, "0", "the constant" },
  { NULL },
};

static const SymAttributeSpec padding_attributes[] = {
  { "padding", SYM_ATTRIBUTE_INTS, NULL, "elements before and after, from the last axis on" },
  { NULL },
};

static const SymAttributeSpec mesh_attributes[] = {
  { "indexing", SYM_ATTRIBUTE_STRING, "ij", "which axis comes first", "ij xy" },
  { NULL },
};

#define JOIN(name_, aliases_, summary_, category_, attributes_, lower_)                       \
  {                                                                                           \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_,             \
                 .reference = "PyTorch 2 Core ATen IR", .category = SYM_CATEGORY_##category_, \
                 .attributes = attributes_, .slots = sym_op_aten_tensors,                     \
                 .get_n_operands = sym_op_aten_any_number, .infer = sym_op_infer_lowered,     \
                 .lower = lower_,                                                             \
  }

#define PAD(name_, aliases_, summary_, attributes_)                                     \
  {                                                                                     \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_,       \
                 .reference = "PyTorch 2 Core ATen IR", .category = SYM_CATEGORY_SHAPE, \
                 .attributes = attributes_, .slots = sym_op_aten_self,                  \
                 .infer = sym_op_infer_lowered, .lower = lower_pad,                     \
  }

const SymOperator sym_op_aten_join[] = {
  JOIN ("cat",
        "aten.concat aten.concatenate",
        "Lays tensors one after the other",
        MERGE,
        dim_attributes,
        lower_cat),
  JOIN ("stack", NULL, "Lays tensors along a new axis", MERGE, dim_attributes, lower_stack),
  JOIN ("hstack",
        "aten.vstack aten.row_stack",
        "Lays tensors side by side",
        MERGE,
        NULL,
        lower_stack_rows),
  {
      SYM_OP_ATEN,
      .name = "aten.meshgrid",
      .aliases = "aten.meshgrid.indexing",
      .summary = "Coordinates of a grid",
      .reference = "PyTorch 2 ATen",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = mesh_attributes,
      .slots = sym_op_aten_tensors,
      .get_n_operands = sym_op_aten_any_number,
      .get_n_outputs = sym_op_aten_any_outputs,
      .infer = sym_op_infer_lowered,
      .lower = lower_meshgrid,
  },
  PAD ("constant_pad_nd", "aten.pad", "Adds elements at the edges", pad_attributes),
  PAD ("reflection_pad1d",
       "aten.reflection_pad2d aten.reflection_pad3d",
       "Mirrors elements at the edges",
       padding_attributes),
  PAD ("replication_pad1d",
       "aten.replication_pad2d aten.replication_pad3d",
       "Repeats the elements at the edges",
       padding_attributes),
  { NULL },
};
