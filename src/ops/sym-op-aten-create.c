/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-aten.h"

#include <math.h>
#include <string.h>

/* Tensors that are made of numbers. */

static gboolean
starts (SymOpLower *self, const char *prefix)
{
  return g_str_has_prefix (sym_op_lower_get_type (self) + strlen ("aten."), prefix);
}

/* Of a number without a dtype: bool, int64 or float32, as the number is. */
static SymDType
get_number_dtype (SymOpLower *self, const char *name)
{
  SymOpAtenKind kind = sym_op_aten_kind (self, G_MAXUINT, name);

  return kind.rank == -2 ? SYM_DTYPE_FLOAT32 : kind.dtype;
}

/* What it is filled with.  The contents of empty ones are left open; 0 is as good as any. */
static SymId
get_fill (SymOpLower *self, SymDType dtype)
{
  if (sym_op_aten_has (self, "fill_value"))
    return sym_op_aten_operand (self, G_MAXUINT, "fill_value", dtype);
  return sym_op_aten_number (self, dtype, strstr (sym_op_lower_get_type (self), "ones") != NULL);
}

static void
lower_full (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_dtype (
      self, "dtype",
      starts (self, "full") ? get_number_dtype (self, "fill_value") : SYM_DTYPE_FLOAT32);

  sym_op_lower_set_output (self, 0,
                           sym_op_lower_binary (self, "Expand", get_fill (self, dtype),
                                                sym_op_aten_sizes (self, "size", 0)));
}

/* The shape of another tensor, and its dtype unless one is told. */
static void
lower_full_like (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_dtype (self, "dtype", sym_op_lower_get_input_dtype (self, 0));

  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_binary (self, "Expand", get_fill (self, dtype),
                             sym_op_aten_shape (self, sym_op_lower_input (self, 0))));
}

/* new_zeros() and its like: only the dtype is that of another tensor. */
static void
lower_new (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_dtype (self, "dtype", sym_op_lower_get_input_dtype (self, 0));

  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_binary (self, "Expand", get_fill (self, dtype),
                                                  sym_op_aten_sizes (self, "size", 0)));
}

/* fill(), zero(): the shape and dtype of what was there. */
static void
lower_fill (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId value = sym_op_aten_operand (self, 1, "value", dtype);

  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_binary (self, "Expand",
                             value != SYM_NO_ID ? value : sym_op_aten_number (self, dtype, 0),
                             sym_op_aten_shape (self, sym_op_lower_input (self, 0))));
}

static void
lower_scalar_tensor (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_dtype (self, "dtype", SYM_DTYPE_FLOAT32);
  SymId number = sym_op_aten_operand (self, G_MAXUINT, "s", dtype);

  if (number == SYM_NO_ID)
    sym_op_lower_fail (self, "%s: it needs a number", sym_op_lower_get_type (self));
  sym_op_lower_set_output (self, 0, number);
}

/* ---- Ranges ---- */

static SymId
get_bound (SymOpLower *self, const char *name, double fallback, SymDType dtype)
{
  SymId bound = sym_op_aten_operand (self, G_MAXUINT, name, dtype);
  gint64 none = 0;

  if (bound == SYM_NO_ID)
    return sym_op_aten_number (self, dtype, fallback);
  return sym_op_lower_binary (self, "Reshape", bound, sym_op_lower_ints (self, &none, 0));
}

/* start + i * step, where all of them are known: of floats only so are there as many as ATen has.
 */
static gboolean
count_range (SymOpLower *self, double *start, double *step, gint64 *n)
{
  double end = sym_op_lower_get_float (self, "end", NAN);

  *start = sym_op_lower_get_float (self, "start", 0);
  *step = sym_op_lower_get_float (self, "step", 1);
  end = ceil ((end - *start) / *step);
  if (!(end < G_MAXINT32))
    return FALSE;
  *n = end < 0 ? 0 : (gint64) end;
  return TRUE;
}

static SymId
make_range (SymOpLower *self, double start, double step, gint64 n, SymDType dtype)
{
  SymId y = sym_op_lower_cast (self, sym_op_lower_count (self, n), SYM_DTYPE_FLOAT64);

  y = sym_op_lower_binary (self, "Mul", y, sym_op_aten_number (self, SYM_DTYPE_FLOAT64, step));
  y = sym_op_lower_binary (self, "Add", y, sym_op_aten_number (self, SYM_DTYPE_FLOAT64, start));
  return sym_op_lower_cast (self, y, dtype);
}

/* int64 when all three numbers are integers. */
static void
lower_arange (SymOpLower *self)
{
  SymOpAtenKind kinds[] = { sym_op_aten_kind (self, G_MAXUINT, "start"),
                            sym_op_aten_kind (self, G_MAXUINT, "end"),
                            sym_op_aten_kind (self, G_MAXUINT, "step") };
  SymDType own = sym_op_aten_promote (kinds, 3);
  SymDType dtype = sym_op_lower_get_dtype (self, "dtype", own);
  double start, step;
  gint64 n;
  SymId y;

  if (sym_dtype_is_floating (own) && count_range (self, &start, &step, &n))
    {
      sym_op_lower_set_output (self, 0, make_range (self, start, step, n, dtype));
      return;
    }
  if (own == SYM_DTYPE_BOOL)
    own = SYM_DTYPE_INT64;
  y = sym_op_lower_call (self, "Range",
                         SYM_IDS (get_bound (self, "start", 0, own),
                                  get_bound (self, "end", 0, own),
                                  get_bound (self, "step", 1, own)),
                         NULL);
  sym_op_lower_set_output (self, 0, sym_op_lower_cast_from (self, y, own, dtype));
}

/* The second half is counted from the end, so that both ends are met. */
static void
lower_linspace (SymOpLower *self)
{
  gint64 n = sym_op_lower_get_int (self, "steps", 100);
  double start = sym_op_lower_get_float (self, "start", 0);
  double end = sym_op_lower_get_float (self, "end", 1);
  double step = n > 1 ? (end - start) / (double) (n - 1) : 0;
  SymDType dtype = sym_op_lower_get_dtype (self, "dtype", SYM_DTYPE_FLOAT32);
  SymId place, up, down;

  if (n < 0 || n > G_MAXINT32)
    {
      sym_op_lower_fail (self, "%s: %" G_GINT64_FORMAT " steps", sym_op_lower_get_type (self), n);
      return;
    }
  place = sym_op_lower_cast (self, sym_op_lower_count (self, n), SYM_DTYPE_FLOAT64);
  up = sym_op_lower_binary (
      self, "Add",
      sym_op_lower_binary (self, "Mul", place, sym_op_aten_number (self, SYM_DTYPE_FLOAT64, step)),
      sym_op_aten_number (self, SYM_DTYPE_FLOAT64, start));
  down = sym_op_lower_binary (
      self, "Sub", sym_op_aten_number (self, SYM_DTYPE_FLOAT64, (double) (n - 1)), place);
  down = sym_op_lower_binary (
      self, "Sub", sym_op_aten_number (self, SYM_DTYPE_FLOAT64, end),
      sym_op_lower_binary (self, "Mul", down, sym_op_aten_number (self, SYM_DTYPE_FLOAT64, step)));
  up = sym_op_lower_call (
      self, "Where",
      SYM_IDS (sym_op_lower_binary (self, "Less", place,
                                    sym_op_aten_number (self, SYM_DTYPE_FLOAT64, (double) (n / 2))),
               up, down),
      NULL);
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, up, dtype));
}

static void
lower_eye (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_dtype (self, "dtype", SYM_DTYPE_FLOAT32);
  gint64 n = sym_op_lower_get_int (self, "n", -1), m = sym_op_lower_get_int (self, "m", n);
  SymId rows, columns;

  if (n < 0 || m < 0)
    {
      sym_op_lower_refuse (self, "%s: its sizes are computed", sym_op_lower_get_type (self));
      return;
    }
  rows = sym_op_aten_unsqueeze (self, sym_op_lower_count (self, n), 1);
  columns = sym_op_lower_count (self, m);
  sym_op_lower_set_output (
      self, 0, sym_op_lower_cast (self, sym_op_lower_binary (self, "Equal", rows, columns), dtype));
}

/* A 1 where the number of the class is; the classes must be told. */
static void
lower_one_hot (SymOpLower *self)
{
  gint64 n = sym_op_lower_get_int (self, "num_classes", -1);
  SymId classes;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (n < 1 || n > G_MAXINT32)
    {
      sym_op_lower_refuse (self, "%s: the number of classes depends on the data",
                           sym_op_lower_get_type (self));
      return;
    }
  classes = sym_op_lower_binary (
      self, "Equal",
      sym_op_aten_unsqueeze (self, sym_op_aten_input_as (self, 0, SYM_DTYPE_INT64), -1),
      sym_op_lower_count (self, n));
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, classes, SYM_DTYPE_INT64));
}

/* ---- Random numbers ---- */

static SymId
draw (SymOpLower *self, SymDType dtype, SymId sizes)
{
  gboolean is_normal = starts (self, "randn");
  SymDType work = sym_dtype_is_floating (dtype) ? dtype : SYM_DTYPE_FLOAT32;
  SymId zeros = sym_op_lower_binary (self, "Expand", sym_op_aten_number (self, work, 0), sizes);

  return sym_op_lower_unary (self, is_normal ? "RandomNormalLike" : "RandomUniformLike", zeros);
}

static void
lower_random (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_dtype (self, "dtype", SYM_DTYPE_FLOAT32);

  sym_op_lower_set_output (self, 0, draw (self, dtype, sym_op_aten_sizes (self, "size", 0)));
}

static void
lower_random_like (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_dtype (self, "dtype", sym_op_lower_get_input_dtype (self, 0));

  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (
        self, 0, draw (self, dtype, sym_op_aten_shape (self, sym_op_lower_input (self, 0))));
}

static void
lower_randperm (SymOpLower *self)
{
  gint64 n = sym_op_lower_get_int (self, "n", -1);
  SymDType dtype = sym_op_lower_get_dtype (self, "dtype", SYM_DTYPE_INT64);
  SymId keys;

  if (n < 0)
    {
      sym_op_lower_refuse (self, "%s: its size is computed", sym_op_lower_get_type (self));
      return;
    }
  keys = sym_op_lower_unary (self, "RandomUniformLike",
                             sym_op_lower_binary (self, "Expand",
                                                  sym_op_aten_number (self, SYM_DTYPE_FLOAT32, 0),
                                                  sym_op_lower_ints (self, &n, 1)));
  keys = sym_op_lower_binary (self, "TopK", keys, sym_op_lower_ints (self, &n, 1));
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_cast_from (self, sym_op_lower_get_result (self, keys, 1),
                                                   SYM_DTYPE_INT64, dtype));
}

static void
lower_bernoulli (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId x = sym_op_lower_input (self, 0);

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (sym_op_aten_has (self, "p"))
    x = sym_op_lower_binary (
        self, "Expand", sym_op_aten_number (self, dtype, sym_op_lower_get_float (self, "p", 0.5)),
        sym_op_aten_shape (self, x));
  sym_op_lower_set_output (self, 0, sym_op_lower_unary (self, "Bernoulli", x));
}

static const SymSlotSpec none[] = { { NULL } };
static const SymSlotSpec fill_slots[] = { { "self" }, { "value", SYM_SLOT_DATA, TRUE }, { NULL } };

#define DTYPE                                                   \
  {                                                             \
    "dtype", SYM_ATTRIBUTE_DTYPE, "None", "dtype of the result" \
  }

static const SymAttributeSpec full_attributes[] = {
  { "size", SYM_ATTRIBUTE_ANY, NULL, "the sizes" },
  { "fill_value", SYM_ATTRIBUTE_ANY, "None", "the number" },
  DTYPE,
  { NULL },
};

static const SymAttributeSpec like_attributes[] = {
  { "fill_value", SYM_ATTRIBUTE_ANY, "None", "the number" },
  DTYPE,
  { NULL },
};

static const SymAttributeSpec number_attributes[] = {
  { "s", SYM_ATTRIBUTE_ANY, NULL, "the number" },
  DTYPE,
  { NULL },
};

static const SymAttributeSpec range_attributes[] = {
  { "start", SYM_ATTRIBUTE_ANY, "0", "the first number" },
  { "end", SYM_ATTRIBUTE_ANY, NULL, "the number behind the last" },
  { "step", SYM_ATTRIBUTE_ANY, "1", "how far it is to the next" },
  DTYPE,
  { NULL },
};

static const SymAttributeSpec space_attributes[] = {
  { "start", SYM_ATTRIBUTE_FLOAT, NULL, "the first number" },
  { "end", SYM_ATTRIBUTE_FLOAT, NULL, "the last number" },
  { "steps", SYM_ATTRIBUTE_INT, "100", "how many numbers" },
  DTYPE,
  { NULL },
};

static const SymAttributeSpec eye_attributes[] = {
  { "n", SYM_ATTRIBUTE_INT, NULL, "rows" },
  { "m", SYM_ATTRIBUTE_INT, "None", "columns; as many as rows" },
  DTYPE,
  { NULL },
};

static const SymAttributeSpec hot_attributes[] = {
  { "num_classes", SYM_ATTRIBUTE_INT, "-1", "how many classes" },
  { NULL },
};

static const SymAttributeSpec perm_attributes[] = {
  { "n", SYM_ATTRIBUTE_INT, NULL, "how many numbers" },
  DTYPE,
  { NULL },
};

static const SymAttributeSpec chance_attributes[] = {
  { "p", SYM_ATTRIBUTE_FLOAT, "None", "how likely a 1 is; else what the operand says" },
  { NULL },
};

#define CREATE(name_, aliases_, summary_, attributes_, slots_, lower_)                      \
  {                                                                                         \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_,           \
                 .reference = "PyTorch 2 Core ATen IR", .category = SYM_CATEGORY_OTHER,     \
                 .attributes = attributes_, .slots = slots_, .infer = sym_op_infer_lowered, \
                 .lower = lower_,                                                           \
  }

const SymOperator sym_op_aten_create[] = {
  CREATE ("full",
          "aten.zeros aten.ones aten.empty.memory_format aten.empty_strided aten.empty_permuted",
          "A tensor of one number",
          full_attributes,
          none,
          lower_full),
  CREATE ("full_like",
          "aten.zeros_like aten.ones_like aten.empty_like",
          "One number in the shape of another tensor",
          like_attributes,
          sym_op_aten_self,
          lower_full_like),
  CREATE ("new_full",
          "aten.new_zeros aten.new_ones aten.new_empty aten.new_empty_strided",
          "One number in the dtype of another tensor",
          full_attributes,
          sym_op_aten_self,
          lower_new),
  CREATE ("fill.Scalar",
          "aten.fill.Tensor aten.fill_.Scalar aten.fill_.Tensor aten.zero aten.zero_",
          "One number in place of all",
          NULL,
          fill_slots,
          lower_fill),
  CREATE ("scalar_tensor",
          NULL,
          "A number as a tensor",
          number_attributes,
          none,
          lower_scalar_tensor),
  CREATE ("arange.start_step",
          "aten.arange aten.arange.start",
          "Numbers one after the other",
          range_attributes,
          none,
          lower_arange),
  CREATE ("linspace", NULL, "Numbers of equal distance", space_attributes, none, lower_linspace),
  CREATE ("eye", "aten.eye.m", "The unit matrix", eye_attributes, none, lower_eye),
  CREATE ("one_hot",
          NULL,
          "A 1 at the place of a class",
          hot_attributes,
          sym_op_aten_self,
          lower_one_hot),
  CREATE ("rand", "aten.randn", "Random numbers", full_attributes, none, lower_random),
  CREATE ("rand_like",
          "aten.randn_like",
          "Random numbers in the shape of another tensor",
          like_attributes,
          sym_op_aten_self,
          lower_random_like),
  CREATE ("randperm", NULL, "Numbers in random order", perm_attributes, none, lower_randperm),
  CREATE ("bernoulli",
          "aten.bernoulli.p",
          "1 or 0 by chance",
          chance_attributes,
          sym_op_aten_self,
          lower_bernoulli),
  { NULL },
};
