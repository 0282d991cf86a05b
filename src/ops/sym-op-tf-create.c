/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf.h"

#include <string.h>

/* Tensors out of sizes: constants, ranges and what is random. */

/* ---- Constants ---- */

static gboolean
infer_fill (SymRule *rule, GError **error)
{
  SymShape shape;
  gint64 value[1], values[64];
  int open;

  if (!sym_op_tf_get_sizes (rule, 0, &shape, &open, error) ||
      !sym_op_set_output (rule, 0, shape, sym_rule_get_input_dtype (rule, 1), error))
    return FALSE;
  if (shape.rank != 1 || shape.dims[0] < 0 || shape.dims[0] > 64 ||
      sym_rule_get_input_ints (rule, 1, value, 1) != 1)
    return TRUE;
  for (gint64 i = 0; i < shape.dims[0]; i++)
    values[i] = value[0];
  sym_rule_set_output_ints (rule, 0, values, (int) shape.dims[0]);
  return TRUE;
}

static void
lower_fill (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_binary (self, "Expand", sym_op_lower_input (self, 1),
                                                  sym_op_tf_int64 (self, 0)));
}

static void
lower_like (SymOpLower *self)
{
  double number = strcmp (sym_op_lower_get_type (self), "OnesLike") == 0 ? 1 : 0;
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);

  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (
        self, 0, sym_op_lower_fill (self, dtype, sym_op_lower_get_input_shape (self, 0), number));
}

static gboolean
infer_like (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

/* ---- Ranges ---- */

static gboolean
infer_range (SymRule *rule, GError **error)
{
  SymShape shape = sym_shape_new_unknown (1);
  gint64 ends[3], values[64], n;
  gboolean known = TRUE;

  for (guint i = 0; i < 3; i++)
    known &= sym_rule_get_input_ints (rule, i, &ends[i], 1) == 1;
  if (known && ends[2] == 0)
    return sym_rule_fail (error, "the step of a range is 0");
  if (known && ends[0] > -G_MAXINT32 && ends[0] < G_MAXINT32 && ends[1] > -G_MAXINT32 &&
      ends[1] < G_MAXINT32 && ends[2] > -G_MAXINT32 && ends[2] < G_MAXINT32)
    {
      n = ends[2] > 0 ? (ends[1] - ends[0] + ends[2] - 1) / ends[2]
                      : (ends[0] - ends[1] - ends[2] - 1) / -ends[2];
      shape.dims[0] = n = MAX (n, 0);
      for (gint64 i = 0; i < MIN (n, 64); i++)
        values[i] = ends[0] + i * ends[2];
      if (n <= 64)
        sym_rule_set_output_ints (rule, 0, values, (int) n);
    }
  return sym_op_set_output (rule, 0, shape, sym_op_tf_promote (rule, 0, 2), error);
}

static void
lower_range (SymOpLower *self)
{
  SymShape scalar = SYM_SHAPE ();
  SymId ends[3];

  for (guint i = 0; i < 3; i++)
    ends[i] = sym_op_lower_reshape (self, sym_op_tf_input (self, i), &scalar);
  sym_op_lower_set_output (self, 0, sym_op_lower_call (self, "Range", (SymIds){ ends, 3 }, NULL));
}

static gboolean
infer_spaced (SymRule *rule, GError **error)
{
  gboolean known;
  gint64 n;

  return sym_op_tf_get_scalar (rule, 2, &n, &known, error) &&
         sym_op_set_output (rule, 0, SYM_SHAPE (known && n >= 0 ? n : SYM_DIM_UNKNOWN),
                            sym_op_tf_promote (rule, 0, 1), error);
}

/* start + i * (stop - start) / (n - 1) */
static void
lower_spaced (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_output_dtype (self, 0);
  SymId start = sym_op_tf_input (self, 0), stop = sym_op_tf_input (self, 1), step;
  gint64 n[1];

  if (sym_op_lower_read_ints (self, 2, n, 1) != 1)
    return;
  if (n[0] < 1)
    {
      sym_op_lower_fail (self, "LinSpace: %" G_GINT64_FORMAT " numbers make no sense", n[0]);
      return;
    }
  step = sym_op_lower_binary (self, "Div", sym_op_lower_binary (self, "Sub", stop, start),
                              sym_op_lower_number (self, dtype, (double) MAX (n[0] - 1, 1)));
  step = sym_op_lower_binary (self, "Mul", step,
                              sym_op_lower_cast (self, sym_op_lower_count (self, n[0]), dtype));
  sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, "Add", step, start));
}

/* ---- What is random ---- */

static gboolean
infer_random (SymRule *rule, GError **error)
{
  gboolean is_integer = strcmp (sym_rule_get_type (rule), "RandomUniformInt") == 0;
  SymShape shape;
  int open;

  return sym_op_tf_get_sizes (rule, 0, &shape, &open, error) &&
         sym_op_set_output (rule, 0, shape, is_integer ? SYM_DTYPE_INT32 : SYM_DTYPE_FLOAT32,
                            error);
}

/* TensorFlow has its own generator: the numbers are others, of the same distribution.  A seed that
 * is not 0 makes them the same each time. */
static SymId
draw (SymOpLower *self, const char *name, const SymShape *shape)
{
  gint64 seed = sym_op_lower_get_int (self, "seed", 0) ^ sym_op_lower_get_int (self, "seed2", 0);
  SymValue *sizes = sym_op_lower_list (shape->dims, shape->rank);

  if (seed != 0)
    return sym_op_lower_call (self, name, (SymIds){ NULL, 0 }, "shape", sizes, "seed",
                              sym_value_new_float ((double) seed), NULL);
  return sym_op_lower_call (self, name, (SymIds){ NULL, 0 }, "shape", sizes, NULL);
}

/* Numbers from operand 1 up to operand 2 without it. */
static SymId
spread (SymOpLower *self, SymId x)
{
  SymId low = sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_FLOAT32);
  SymId high = sym_op_lower_cast (self, sym_op_lower_input (self, 2), SYM_DTYPE_FLOAT32);

  if (!sym_op_lower_need_tensor (self, 1) || !sym_op_lower_need_tensor (self, 2))
    return SYM_NO_ID;
  x = sym_op_lower_binary (self, "Mul", x, sym_op_lower_binary (self, "Sub", high, low));
  x = sym_op_lower_unary (self, "Floor", sym_op_lower_binary (self, "Add", x, low));
  return sym_op_lower_cast (self, x, SYM_DTYPE_INT32);
}

static void
lower_random (SymOpLower *self)
{
  const char *type = sym_op_lower_get_type (self);
  gint64 sizes[SYM_MAX_RANK];
  SymShape shape;
  SymId x;

  if (sym_op_lower_read_ints (self, 0, sizes, SYM_MAX_RANK) < 0 ||
      !sym_op_tf_need_shape (self, 0, &shape))
    return;
  x = draw (self, strcmp (type, "RandomStandardNormal") == 0 ? "RandomNormal" : "RandomUniform",
            &shape);
  if (strcmp (type, "RandomUniformInt") == 0)
    x = spread (self, x);
  sym_op_lower_set_output (self, 0, x);
}

static gboolean
infer_drawn (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  gboolean known;
  gint64 n;

  if (!sym_op_tf_get_scalar (rule, 1, &n, &known, error))
    return FALSE;
  return sym_op_set_output (rule, 0,
                            SYM_SHAPE (shape.rank == 2 ? shape.dims[0] : SYM_DIM_UNKNOWN,
                                       known && n >= 0 ? n : SYM_DIM_UNKNOWN),
                            SYM_DTYPE_INT32, error);
}

static void
lower_drawn (SymOpLower *self)
{
  gint64 n[1];

  if (sym_op_lower_read_ints (self, 1, n, 1) != 1 || !sym_op_lower_need_tensor (self, 0))
    return;
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Multinomial",
                                              SYM_IDS (sym_op_lower_input (self, 0)), "sample_size",
                                              sym_value_new_int (n[0]), "dtype",
                                              sym_value_new_dtype (SYM_DTYPE_INT32), NULL));
}

/* ---- Tables ---- */

static const SymAttributeSpec random_attributes[] = {
  { "seed", SYM_ATTRIBUTE_INT, "0", "the same numbers each time, unless it is 0" },
  { "seed2", SYM_ATTRIBUTE_INT, "0", "the same numbers each time, unless it is 0" },
  { NULL },
};

static const SymSlotSpec fill_slots[] = { { "dims" }, { "value" }, { NULL } };
static const SymSlotSpec range_slots[] = { { "start" }, { "limit" }, { "delta" }, { NULL } };
static const SymSlotSpec spaced_slots[] = { { "start" }, { "stop" }, { "num" }, { NULL } };
static const SymSlotSpec random_slots[] = { { "shape" }, { NULL } };
static const SymSlotSpec integer_slots[] = { { "shape" }, { "minval" }, { "maxval" }, { NULL } };
static const SymSlotSpec drawn_slots[] = { { "logits" }, { "num_samples" }, { NULL } };

#define CREATE(name_, summary_, attributes_, slots_, infer_, lower_)                \
  {                                                                                 \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_OTHER,         \
                       .attributes = attributes_, .slots = slots_, .infer = infer_, \
                       .lower = lower_                                              \
  }

const SymOperator sym_op_tf_create[] = {
  CREATE ("Fill", "one number in a shape", NULL, fill_slots, infer_fill, lower_fill),
  CREATE ("LinSpace", "numbers at equal distances", NULL, spaced_slots, infer_spaced, lower_spaced),
  CREATE ("Multinomial",
          "places drawn by their logarithms of odds",
          random_attributes,
          drawn_slots,
          infer_drawn,
          lower_drawn),
  CREATE ("OnesLike", "ones in the shape of a tensor", NULL, sym_op_tf_one, infer_like, lower_like),
  CREATE ("RandomStandardNormal",
          "random numbers around 0",
          random_attributes,
          random_slots,
          infer_random,
          lower_random),
  CREATE ("RandomUniform",
          "random numbers from 0 to 1",
          random_attributes,
          random_slots,
          infer_random,
          lower_random),
  CREATE ("RandomUniformInt",
          "random integers between two",
          random_attributes,
          integer_slots,
          infer_random,
          lower_random),
  CREATE ("Range",
          "numbers from one to another in steps",
          NULL,
          range_slots,
          infer_range,
          lower_range),
  { SYM_OP_TF ("TruncatedNormal"), .summary = "random numbers around 0, none far from it",
    .category = SYM_CATEGORY_OTHER, .attributes = random_attributes, .slots = random_slots,
    .infer = infer_random },
  CREATE ("ZerosLike",
          "zeros in the shape of a tensor",
          NULL,
          sym_op_tf_one,
          infer_like,
          lower_like),
  { NULL },
};
