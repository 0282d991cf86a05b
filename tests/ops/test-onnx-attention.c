/* SPDX-License-Identifier: MIT */
#include "kernel-case.h"
#include "rule-case.h"

/* Attention and its kin against their definitions, a number at a time in double. */

#define B 2
#define D 3
#define DV 2

typedef struct {
  const char *op, *attributes, *dtype;
  int q_heads, kv_heads, n_q, n_new, n_past;
  const char *mask;  /* "bool 2,1,4,6" or "number 4,6"; NULL for none */
  const char *valid; /* nonpad_kv_seqlen; NULL for none */
  gboolean by_rows;  /* operands of 3 axes */
} AttentionCase;

static SymDatum *
new_operand (const char *dtype, SymShape shape, GRand *random)
{
  SymDatum *datum;
  SymDType type;

  g_assert_true (sym_dtype_from_string (dtype, &type));
  datum = sym_datum_new (type, &shape, NULL);
  for (gsize i = 0; i < sym_array_get_n_elements (sym_datum_get_array (datum)); i++)
    sym_element_set_double (type, sym_datum_get_array (datum)->data, i,
                            type == SYM_DTYPE_BOOL ? g_rand_boolean (random)
                                                   : g_rand_double_range (random, -2, 2));
  return datum;
}

static SymShape
parse_shape (const char *text)
{
  g_auto (GStrv) dims = g_strsplit (text, ",", -1);
  SymShape shape = SYM_SHAPE ();

  for (guint i = 0; dims[i] != NULL; i++)
    shape.dims[shape.rank++] = g_ascii_strtoll (dims[i], NULL, 10);
  return shape;
}

static double
get (SymDatum *datum, gsize i)
{
  const SymArray *array = sym_datum_get_array (datum);

  return sym_element_get_double (array->dtype, array->data, i);
}

/* The number after "name=" among the attributes. */
static double
find (const AttentionCase *self, const char *name, double fallback)
{
  const char *place = strstr (self->attributes, name);

  return place == NULL ? fallback : g_ascii_strtod (place + strlen (name) + 1, NULL);
}

/* Row @i of head @h of the past and what is new. */
static double
get_row (const AttentionCase *self,
         SymDatum *past,
         SymDatum *now,
         int n_heads,
         int n_now,
         int size,
         int b,
         int h,
         int i,
         int d)
{
  int n_past = past == NULL ? 0 : self->n_past;

  if (i < n_past)
    return get (past, (gsize) (((b * n_heads + h) * n_past + i) * size + d));
  i -= n_past;
  if (self->by_rows)
    return get (now, (gsize) (((b * n_now + i) * n_heads + h) * size + d));
  return get (now, (gsize) (((b * n_heads + h) * n_now + i) * size + d));
}

/* What the mask adds; behind its end all is masked. */
static double
get_mask (const AttentionCase *self, SymDatum *mask, int b, int h, int i, int j)
{
  const SymArray *array = mask == NULL ? NULL : sym_datum_get_array (mask);
  int index[] = { b, h, i, j };
  gsize place = 0;

  if (array == NULL)
    return 0;
  if (j >= array->shape.dims[array->shape.rank - 1] && strstr (self->op, "-23") == NULL)
    return -INFINITY;
  for (int axis = 0; axis < array->shape.rank; axis++)
    {
      gint64 size = array->shape.dims[axis];

      place = place * (gsize) size + (gsize) (size == 1 ? 0 : index[4 - array->shape.rank + axis]);
    }
  if (array->dtype == SYM_DTYPE_BOOL)
    return get (mask, place) != 0 ? 0 : -INFINITY;
  return get (mask, place);
}

static gboolean
is_seen (const AttentionCase *self, SymDatum *valid, int b, int i, int j)
{
  double left = find (self, "left_window_size", -1), right = find (self, "right_window_size", -1);
  double offset = valid == NULL ? self->n_past : get (valid, (gsize) b) - self->n_q;

  return !(find (self, "is_causal", 0) != 0 && j > i + offset) &&
         !(left >= 0 && j < i + offset - left) && !(right >= 0 && j > i + offset + right) &&
         !(valid != NULL && j >= get (valid, (gsize) b));
}

static void
assert_near (const AttentionCase *self, SymDatum *datum, gsize i, double expected)
{
  double tolerance = g_str_equal (self->dtype, "float64")   ? 1e-13
                     : g_str_equal (self->dtype, "float32") ? 1e-5
                     : g_str_equal (self->dtype, "float16") ? 5e-3
                                                            : 4e-2;
  double is = get (datum, i);

  if (!(is == expected || fabs (is - expected) <= tolerance * MAX (1, fabs (expected))))
    g_error ("%s (%s): number %" G_GSIZE_FORMAT " is %g, not %g", self->op, self->attributes, i, is,
             expected);
}

/* One query: its output, and its scores as far as output 3 goes. */
static void
check_query (const AttentionCase *self,
             SymDatum *const *in,
             SymDatum *const *out,
             int b,
             int h,
             int i)
{
  int n = self->n_past + self->n_new, shared = h / (self->q_heads / self->kv_heads);
  double cap = find (self, "softcap", 0), scale = find (self, "scale", 1 / sqrt (D));
  double stage = find (self, "qk_matmul_output_mode", 0), sum = 0, y[DV] = { 0 };
  g_autofree double *weights = g_new (double, n), *scores = g_new (double, n);

  for (int j = 0; j < n; j++)
    {
      double raw = 0, biased;

      for (int d = 0; d < D; d++)
        raw += scale * get_row (self, NULL, in[0], self->q_heads, self->n_q, D, b, h, i, d) *
               get_row (self, in[4], in[1], self->kv_heads, self->n_new, D, b, shared, j, d);
      scores[j] = raw;
      if (cap != 0)
        raw = cap * tanh (raw / cap);
      biased = raw + get_mask (self, in[3], b, h, i, j);
      if (!is_seen (self, in[6], b, i, j))
        biased = -INFINITY;
      weights[j] = exp (biased);
      sum += weights[j];
      if (stage >= 1)
        scores[j] = stage == 1 ? raw : biased;
    }
  for (int j = 0; j < n; j++)
    {
      double weight = sum == 0 ? 0 : weights[j] / sum;

      if (out[3] != NULL)
        assert_near (self, out[3], (gsize) (((b * self->q_heads + h) * self->n_q + i) * n + j),
                     stage == 3 ? weight : scores[j]);
      for (int d = 0; d < DV; d++)
        y[d] +=
            weight * get_row (self, in[5], in[2], self->kv_heads, self->n_new, DV, b, shared, j, d);
    }
  for (int d = 0; d < DV; d++)
    assert_near (self, out[0],
                 (gsize) (self->by_rows ? ((b * self->n_q + i) * self->q_heads + h) * DV + d
                                        : ((b * self->q_heads + h) * self->n_q + i) * DV + d),
                 y[d]);
}

static void
check_present (const AttentionCase *self, SymDatum *past, SymDatum *now, SymDatum *out, int size)
{
  int n = self->n_past + self->n_new;

  for (int b = 0; b < B; b++)
    for (int h = 0; h < self->kv_heads; h++)
      for (int i = 0; i < n; i++)
        for (int d = 0; d < size; d++)
          g_assert_cmpfloat (
              get (out, (gsize) (((b * self->kv_heads + h) * n + i) * size + d)), ==,
              get_row (self, past, now, self->kv_heads, self->n_new, size, b, h, i, d));
}

static void
make_operands (const AttentionCase *self, SymDatum *in[7])
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  int q = self->q_heads, kv = self->kv_heads;

  in[0] = new_operand (
      self->dtype, self->by_rows ? SYM_SHAPE (B, self->n_q, q * D) : SYM_SHAPE (B, q, self->n_q, D),
      random);
  in[1] = new_operand (self->dtype,
                       self->by_rows ? SYM_SHAPE (B, self->n_new, kv * D)
                                     : SYM_SHAPE (B, kv, self->n_new, D),
                       random);
  in[2] = new_operand (self->dtype,
                       self->by_rows ? SYM_SHAPE (B, self->n_new, kv * DV)
                                     : SYM_SHAPE (B, kv, self->n_new, DV),
                       random);
  if (self->mask != NULL)
    in[3] = new_operand (g_str_has_prefix (self->mask, "bool") ? "bool" : self->dtype,
                         parse_shape (strchr (self->mask, ' ') + 1), random);
  if (self->n_past > 0)
    {
      in[4] = new_operand (self->dtype, SYM_SHAPE (B, kv, self->n_past, D), random);
      in[5] = new_operand (self->dtype, SYM_SHAPE (B, kv, self->n_past, DV), random);
    }
  if (self->valid != NULL)
    in[6] = kernel_case_read (self->valid);
}

static void
check_attention (gconstpointer data)
{
  const AttentionCase *self = data;
  const KernelCase named = { self->op, self->attributes };
  g_autoptr (SymLayer) layer = kernel_case_new_layer (&named);
  g_autoptr (SymKernel) kernel = sym_kernel_new (layer, NULL);
  gboolean has_all = strstr (self->attributes, "few=1") == NULL;
  SymDatum *in[7] = { NULL }, *out[4] = { NULL };
  GError *error = NULL;

  make_operands (self, in);
  for (int round = 0; round < 2; round++)
    {
      g_assert_true (sym_kernel_run (kernel, in, 7, out, has_all ? 4 : 1, NULL, &error));
      g_assert_no_error (error);
      for (int b = 0; b < B; b++)
        for (int h = 0; h < self->q_heads; h++)
          for (int i = 0; i < self->n_q; i++)
            check_query (self, in, out, b, h, i);
      if (has_all)
        {
          check_present (self, in[4], in[1], out[1], D);
          check_present (self, in[5], in[2], out[2], DV);
        }
    }
  for (int i = 0; i < 7; i++)
    g_clear_pointer (&in[i], sym_datum_unref);
  for (int i = 0; i < 4; i++)
    g_clear_pointer (&out[i], sym_datum_unref);
}

#define ROWS(q, kv) "q_num_heads=" #q "; kv_num_heads=" #kv "; "

static const AttentionCase attentions[] = {
  { "Attention-23", "", "float64", 2, 2, 4, 6, 0 },
  { "Attention-23", "few=1", "float32", 4, 2, 70, 90, 0 },
  { "Attention-23", "is_causal=1", "float64", 2, 2, 4, 6, 0 },
  { "Attention-23", "is_causal=1; qk_matmul_output_mode=2", "float64", 2, 1, 4, 3, 5 },
  { "Attention-23", "scale=0.25; softcap=0.5; qk_matmul_output_mode=1", "float64", 4, 2, 4, 6, 0,
    "number 4,6" },
  { "Attention-23", "softcap=0.5", "float32", 2, 2, 1, 6, 0, "number 2,1,1,6" },
  { "Attention-23", "qk_matmul_output_mode=3", "float64", 2, 2, 4, 6, 0, "bool 2,4,6" },
  { "Attention-23", "qk_matmul_output_mode=3", "float16", 2, 2, 4, 6, 0, "bool 1,6" },
  { "Attention-23", "softmax_precision=10", "bfloat16", 2, 2, 4, 6, 0 },
  { "Attention-23", "softmax_precision=11", "float32", 2, 2, 4, 6, 0 },
  { "Attention-23", ROWS (4, 2) "is_causal=1", "float64", 4, 2, 3, 3, 2, "number 4,3,5", NULL,
    TRUE },
  { "Attention-24", "is_causal=1", "float64", 2, 2, 4, 6, 0, NULL, "int64 2: 4 6" },
  { "Attention-24", "is_causal=1; qk_matmul_output_mode=3", "float64", 2, 2, 4, 6, 0, NULL,
    "int64 2: 2 0" },
  { "Attention-24", "", "float64", 2, 2, 4, 6, 0, "bool 4,5", "int64 2: 3 5" },
  { "Attention-24", ROWS (2, 2), "float32", 2, 2, 4, 6, 0, "number 1", NULL, TRUE },
  { "Attention", "left_window_size=2; right_window_size=1; qk_matmul_output_mode=3", "float64", 2,
    2, 4, 6, 0 },
  { "Attention", "left_window_size=1; is_causal=1", "float64", 2, 2, 4, 6, 3 },
  { "Attention", "right_window_size=0", "float64", 2, 2, 4, 6, 0, NULL, "int64 2: 4 6" },
};

#define QKV "float64 1,1,1,1: 1; float64 1,1,2,1: 0 0; float64 1,1,2,1: 1 3"

static const KernelCase refusals[] = {
  { "Attention", "", QKV, "float64 1,1,1,1: 2; -; -; -" },
  { "Attention", "", "float32 1,1,0,1:; float32 1,1,2,1: 0 0; float32 1,1,2,1: 1 3",
    "float32 1,1,0,1:" },
  { "Attention", "",
    "float32 1,1,1,1: 1; float32 1,1,0,1:; float32 1,1,0,1:", "float32 1,1,1,1: 0" },
  { "Attention", "", "float64 1,1: 1; float64 1,1: 1; float64 1,1: 1",
    .error = "of shape [1,1] should have 3 or 4 axes" },
  { "Attention", "", "float32 1,1,4: 1 1 1 1; float32 1,1,4: 1 1 1 1; float32 1,1,4: 1 1 1 1",
    .error = "4 features cannot be parted into 0 heads" },
  { "Attention", "", "float64 1,1,1,2: 1 1; float64 1,1,2,1: 0 0; float64 1,1,2,1: 1 3",
    .error = "a query has 2 features, a key 1" },
  { "Attention", "", "float64 1,1,1,1: 1; float64 1,2,1,1: 0 0; float64 1,2,1,1: 1 3",
    .error = "1 heads of queries cannot share 2 of keys" },
  { "Attention", "", "float64 1,1,1,1: 1; float64 1,1,2,1: 0 0; float64 1,1,1,1: 1",
    .error = "1 heads of 2 keys have 1 heads of 1 values" },
  { "Attention", "", "float64 2,1,1,1: 1 1; float64 1,1,2,1: 0 0; float64 1,1,2,1: 1 1",
    .error = "batches of 2, 1 and 1" },
  { "Attention", "", QKV "; float64 3: 1 1 1",
    .error = "a mask of shape [3] does not broadcast to [1,1,1,2]" },
  { "Attention-23", "",
    "float64 1,1,1,1: 1; float64 1,1,3,1: 0 0 0; float64 1,1,3,1: 1 3 5; float64 2: 1 1",
    .error = "a mask of shape [2] does not broadcast to [1,1,1,3]" },
  { "Attention", "", QKV "; -; float64 1,1,1,1: 1",
    .error = "past_key and past_value belong together" },
  { "Attention", "", QKV "; -; float64 1,1,1,2: 1 1; float64 1,1,1,1: 1",
    .error = "of shape [1,1,1,2] is no past" },
  { "Attention", "", QKV "; -; float64 1,1,1,1: 1; float64 1,1,1,1: 1; int64 1: 1",
    .error = "is not for attention with a past" },
  { "Attention", "", QKV "; -; -; -; int64 2: 1 1",
    .error = "nonpad_kv_seqlen must be 1 integers" },
  { "Attention", "qk_matmul_output_mode=4", QKV, .error = "qk_matmul_output_mode is 4" },
  { "Attention", "left_window_size=-2", QKV, .error = "the size of a window is below -1" },
  { "Attention", "softmax_precision=7", QKV, .error = "softmax_precision is int64" },
  { "Attention", "", "int32 1,1,1,1: 1; int32 1,1,1,1: 1; int32 1,1,1,1: 1",
    .error = "Attention has no kernel for int32" },
  { NULL },
};

#define ANGLES "float64 2,1: 1 0; float64 2,1: 0 1"

static const KernelCase others[] = {
  { "RotaryEmbedding", "", "float64 1,1,2,2: 1 2 3 4; float64 1,2,1: 0 1; float64 1,2,1: 1 0",
    "float64 1,1,2,2: -2 1 3 4" },
  { "RotaryEmbedding", "", "float64 1,1,2,2: 1 2 3 4; " ANGLES "; int64 1,2: 1 0",
    "float64 1,1,2,2: -2 1 3 4" },
  { "RotaryEmbedding", "",
    "float64 1,2,1,4: 1 2 3 4 5 6 7 8; float64 1,1,2: 0 1; float64 1,1,2: 1 0",
    "float64 1,2,1,4: -3 2 1 4 -7 6 5 8" },
  { "RotaryEmbedding", "interleaved=1",
    "float64 1,1,1,4: 1 2 3 4; float64 1,1,2: 0 1; float64 1,1,2: 1 0",
    "float64 1,1,1,4: -2 1 3 4" },
  { "RotaryEmbedding", "num_heads=2; rotary_embedding_dim=2",
    "float32 1,1,6: 1 2 3 4 5 6; float32 1,1,1: 0; float32 1,1,1: 1",
    "float32 1,1,6: -2 1 3 -5 4 6" },
  { "RotaryEmbedding", "", "float16 1,1,1,2: 1 2; float16 1,1,1: 0.5; float16 1,1,1: 0.25",
    "float16 1,1,1,2: 0 1.25" },
  { "RotaryEmbedding", "", "float64 1,1,1,2: 1 2; " ANGLES "; int64 1,1: 2",
    .error = "there is no position 2 among 2" },
  { "RotaryEmbedding", "", "float64 1,1,1,2: 1 2; " ANGLES "; int64 1: 1",
    .error = "position_ids must be integers of shape [1,1]" },
  { "RotaryEmbedding", "", "float64 1,1,1,2: 1 2; " ANGLES,
    .error = "the angles have shape [2,1]; it should be [1,1,1]" },
  { "RotaryEmbedding", "", "float64 1,1,1,3: 1 2 3; " ANGLES,
    .error = "3 of 3 features cannot be turned in pairs" },
  { "RotaryEmbedding", "", "float64 1,1,4: 1 2 3 4; " ANGLES,
    .error = "4 features cannot be parted into 0 heads" },
  { "RotaryEmbedding", "", "float32 1,1,1,2: 1 2; " ANGLES "; int64 1,1: 1",
    .error = "X is of float32, its angles are of float64" },
  { "TensorScatter", "", "int32 2,3,1: 1 2 3 4 5 6; int32 2,1,1: 7 8; int64 2: 1 2",
    "int32 2,3,1: 1 7 3 4 5 8" },
  { "TensorScatter", "", "string 1,2,1: a b; string 1,1,1: c", "string 1,2,1: c b" },
  { "TensorScatter", "mode='circular'", "float16 1,3,1: 1 2 3; float16 1,2,1: 7 8; int64 1: 5",
    "float16 1,3,1: 8 2 7" },
  { "TensorScatter", "axis=1; mode='circular'", "uint8 2,2: 1 2 3 4; uint8 2,1: 5 6; int64 2: -1 0",
    "uint8 2,2: 1 5 6 4" },
  { "TensorScatter", "axis=2", "int8 1,2,3: 1 2 3 4 5 6; int8 1,2,2: 7 8 9 0; int64 1: 1",
    "int8 1,2,3: 1 7 8 4 9 0" },
  { "TensorScatter", "", "int8 1,3,1: 1 2 3; int8 1,0,1:; int64 1: 9", "int8 1,3,1: 1 2 3" },
  { "TensorScatter", "", "int8 1,3,1: 1 2 3; int8 1,2,1: 1 2; int64 1: 2",
    .error = "2 places from 2 on are not within 3" },
  { "TensorScatter", "", "int8 1,3,1: 1 2 3; int8 1,1,1: 1; int64 1: -1",
    .error = "1 places from -1 on are not within 3" },
  { "TensorScatter", "", "int8 1,1,1: 1; int8 1,2,1: 1 2",
    .error = "an update of int8[1,2,1] does not fit a cache of int8[1,1,1] along axis 1" },
  { "TensorScatter", "", "int8 1,1,1: 1; int16 1,1,1: 1", .error = "an update of int16" },
  { "TensorScatter", "axis=0", "int8 1,1: 1; int8 1,1: 1",
    .error = "the axis must not be that of the batch" },
  { "TensorScatter", "mode='zigzag'", "int8 1,1,1: 1; int8 1,1,1: 1",
    .error = "there is no mode zigzag" },
  { "TensorScatter", "", "int8 1,1,1: 1; int8 1,1,1: 1; int64 2: 0 0",
    .error = "write_indices must be 1 integers" },
  { "CausalConvWithState", "", "float64 1,2,3: 1 2 3 4 5 6; float64 2,1,2: 1 10 0 1",
    "float64 1,2,3: 10 21 32 4 5 6; float64 1,2,1: 3 6" },
  { "CausalConvWithState", "",
    "float32 1,1,1: 1; float32 1,1,3: 1 10 100; float32 1: 5; float32 1,1,2: 3 4",
    "float32 1,1,1: 148; float32 1,1,2: 4 1" },
  { "CausalConvWithState", "", "float16 1,1,1: 3; float16 1,1,3: 1 1 1",
    "float16 1,1,1: 3; float16 1,1,2: 0 3" },
  { "CausalConvWithState", "activation='silu'", "float64 1,1,2: 0 1; float64 1,1,1: 1",
    "float64 1,1,2: 0 0.7310585786300049; float64 1,1,0:", .tolerance = 1e-15 },
  { "CausalConvWithState", "activation='swish'",
    "bfloat16 1,1,1: 0; bfloat16 1,1,1: 1; bfloat16 1: 2", "bfloat16 1,1,1: 1.7578125" },
  { "CausalConvWithState", "", "float32 1,1,0:; float32 1,1,2: 1 1; -; float32 1,1,1: 7",
    "float32 1,1,0:; float32 1,1,1: 7" },
  { "CausalConvWithState", "activation='relu'", "float32 1,1,1: 1; float32 1,1,1: 1",
    .error = "there is no activation relu" },
  { "CausalConvWithState", "", "float32 1,1,1: 1; float32 2,1,1: 1 1",
    .error = "operand 1 has shape [2,1,1]; it should be [1,1,1]" },
  { "CausalConvWithState", "", "float32 1,1,1: 1; float32 1,1,2: 1 1; float32 2: 1 1",
    .error = "operand 2 has shape [2]; it should be [1]" },
  { "CausalConvWithState", "", "float32 1,1,1: 1; float32 1,1,2: 1 1; -; float32 1,1,2: 1 1",
    .error = "operand 3 has shape [1,1,2]; it should be [1,1,1]" },
  { "CausalConvWithState", "", "float32 1,1: 1; float32 1,1,2: 1 1",
    .error = "must have 3 axes and have 2 and 3" },
  { "CausalConvWithState", "", "float32 1,1,1: 1; float64 1,1,1: 1",
    .error = "operand 1 is of float64, operand 0 of float32" },
  { NULL },
};

#define HEADS "q_num_heads=1; kv_num_heads=1; "
#define TOKENS "float64 1,2,1: 2 3; float64 1,2,1: 1 2; float64 1,2,1: 5 7"

/* Of one feature all sums are products: the state is a number s. */
static const KernelCase linears[] = {
  /* s = 5, then 5 + 2 * 7 = 19; y = q * s. */
  { "LinearAttention", HEADS "update_rule='linear'", TOKENS,
    "float64 1,2,1: 10 57; float64 1,1,1,1: 19" },
  { "LinearAttention", HEADS "update_rule='linear'; scale=0.5", TOKENS "; float64 1,1,1,1: 1",
    "float64 1,2,1: 6 30; float64 1,1,1,1: 20" },
  /* s = 5, then 5 * 0.5 + 14. */
  { "LinearAttention", HEADS "update_rule='gated'",
    TOKENS "; -; float64 1,2,1: 0 -0.6931471805599453",
    "float64 1,2,1: 10 49.5; float64 1,1,1,1: 16.5", .tolerance = 1e-15 },
  /* s = 0.5 * 5 = 2.5, then 2.5 + 1 * 2 * (7 - 2 * 2.5) = 6.5. */
  { "LinearAttention", HEADS "update_rule='delta'", TOKENS "; -; -; float64 1,2,1: 0.5 1",
    "float64 1,2,1: 5 19.5; float64 1,1,1,1: 6.5" },
  /* s = 5, then 2.5 + 2 * (7 - 2 * 2.5) = 6.5. */
  { "LinearAttention", HEADS,
    TOKENS "; -; float64 1,2,1: 0 -0.6931471805599453; float64 1,2,1: 1 1",
    "float64 1,2,1: 10 19.5; float64 1,1,1,1: 6.5", .tolerance = 1e-15 },
  /* Two heads of queries share one of keys [2] and values [1]: s = [1, 2] * 3. */
  { "LinearAttention", "q_num_heads=2; kv_num_heads=1; update_rule='linear'; scale=1.0",
    "float32 1,1,4: 1 0 0 1; float32 1,1,2: 1 2; float32 1,1,1: 3",
    "float32 1,1,2: 3 6; float32 1,1,2,1: 3 6" },
  /* A decay for each feature, and one of its own for each head. */
  { "LinearAttention", "q_num_heads=1; kv_num_heads=1; update_rule='gated'; scale=1.0",
    "float64 1,1,2: 1 1; float64 1,1,2: 0 0; float64 1,1,1: 0; float64 1,1,2,1: 8 8; float64 "
    "1,1,2: -0.6931471805599453 -1.3862943611198906",
    "float64 1,1,1: 6; float64 1,1,2,1: 4 2", .tolerance = 1e-15 },
  { "LinearAttention", "q_num_heads=2; kv_num_heads=2; update_rule='gated'; scale=1.0",
    "float64 1,1,2: 1 1; float64 1,1,2: 0 0; float64 1,1,2: 0 0; float64 1,2,1,1: 8 8; float64 "
    "1,1,2: -0.6931471805599453 -1.3862943611198906",
    "float64 1,1,2: 4 2; float64 1,2,1,1: 4 2", .tolerance = 1e-15 },
  { "LinearAttention", "q_num_heads=2; kv_num_heads=2; update_rule='delta'; scale=1.0",
    "float64 1,1,2: 1 1; float64 1,1,2: 1 1; float64 1,1,2: 4 4; -; -; float64 1,1,1: 0.5",
    "float64 1,1,2: 2 2; float64 1,2,1,1: 2 2" },
  { "LinearAttention", "q_num_heads=2; kv_num_heads=2; update_rule='delta'; scale=1.0",
    "float64 1,1,2: 1 1; float64 1,1,2: 1 1; float64 1,1,2: 4 4; -; -; float64 1,1,2: 0.5 1",
    "float64 1,1,2: 2 4; float64 1,2,1,1: 2 4" },
  { "LinearAttention", HEADS "update_rule='linear'",
    "float16 1,1,1: 1; float16 1,1,1: 1; float16 1,1,1: 3; float32 1,1,1,1: 0.0001",
    "float16 1,1,1: 3; float32 1,1,1,1: 3.0001" },
  { "LinearAttention", HEADS "update_rule='cubic'", TOKENS,
    .error = "there is no update_rule cubic" },
  { "LinearAttention", HEADS, TOKENS, .error = "the update_rule gated_delta needs decay" },
  { "LinearAttention", HEADS "update_rule='linear'", TOKENS "; -; -; float64 1,2,1: 1 1",
    .error = "the update_rule linear has no beta" },
  { "LinearAttention", HEADS "update_rule='gated'", TOKENS "; -; float64 1,2,2: 1 1 1 1",
    .error = "operand 4 has shape [1,2,2]; it should be [1,2,1 or 1]" },
  { "LinearAttention", HEADS "update_rule='linear'", TOKENS "; float64 1,1,1,2: 1 1",
    .error = "the past state has shape [1,1,1,2]; it should be [1,1,1,1]" },
  { "LinearAttention", "q_num_heads=1; kv_num_heads=2; update_rule='linear'",
    "float64 1,1,1: 1; float64 1,1,2: 1 1; float64 1,1,2: 1 1",
    .error = "1 heads of queries cannot share 2 of keys" },
  { "LinearAttention", "update_rule='linear'", TOKENS,
    .error = "1 features cannot be parted into 0 heads" },
  { NULL },
};

static const RuleCase rules[] = {
  { "Attention", "", "2,4,5,8:float32 2,2,6,8:float32 2,2,6,3:float32", "* * * *",
    "2,4,5,3:float32 2,2,6,8:float32 2,2,6,3:float32 2,4,5,6:float32", .domain = "" },
  { "Attention", "q_num_heads=4; kv_num_heads=2", "2,5,32:float16 2,6,16:float16 2,6,6:float16",
    NULL, "2,5,12:float16", .domain = "" },
  { "Attention", "", "2,4,5,8:float32 2,2,1,8:float32 2,2,1,3:float32 - 2,2,6,8:float32 *:float32",
    "* * *", "2,4,5,3:float32 2,2,7,8:float32 2,2,?,3:float32", .domain = "" },
  { "Attention", "", "2,5,32:float16 * *",
    .error = "of operands of 3 axes q_num_heads must be told", .domain = "" },
  { "Attention", "", "2,4,5,8:float32 2,2,6,7:float32 *", .error = "features of a key",
    .domain = "" },
  { "RotaryEmbedding", "", "2,4,5,8:float32 * *", NULL,
    "2,4,5,8:float32 *:float32 *:float32 -> 2,4,5,8:float32", .domain = "" },
  { "TensorScatter", "", "2,4,9,8:float32 * *", NULL,
    "2,4,9,8:float32 2,4,?,8:float32 2 -> 2,4,9,8:float32", .domain = "" },
  { "CausalConvWithState", "", "2,4,9:float32 ?,1,3 - *", "* *", "2,4,9:float32 2,4,2:float32",
    .domain = "" },
  { "LinearAttention", "q_num_heads=4; kv_num_heads=2",
    "2,9,32:float16 * 2,9,6:float16 *:float32 * *", "* *", "2,9,12:float16 2,2,8,3:float32",
    .domain = "" },
  { "FlexAttention", "", "2,4,5,8:float32 2,2,6,8 2,2,6,3", NULL, "2,4,5,3:float32",
    .domain = "ai.onnx.preview" },
  { "FlexAttention", "", "2,4,5:float32 * *", .error = "Q must have 4 axes and has 3",
    .domain = "ai.onnx.preview" },
  { NULL },
};

static void
shapes_follow (gconstpointer data)
{
  rule_case_run (data);
}

/* The body that is run in flexible_attention_is_attention_of_its_bodies(): scores become the half,
 * probabilities the double. */
static gboolean
run_body (gpointer user_data,
          guint body,
          SymDatum *const *inputs,
          guint n_inputs,
          SymDatum **outputs,
          guint n_outputs,
          GError **error)
{
  const SymArray *x = sym_datum_get_array (inputs[0]);
  guint *n_runs = user_data;

  g_assert_cmpuint (n_inputs, ==, 1);
  g_assert_cmpuint (n_outputs, ==, 1);
  outputs[0] = sym_datum_new (x->dtype, &x->shape, error);
  for (gsize i = 0; i < sym_array_get_n_elements (x); i++)
    sym_element_set_double (x->dtype, sym_datum_get_array (outputs[0])->data, i,
                            sym_element_get_double (x->dtype, x->data, i) * (body == 0 ? 0.5 : 2));
  n_runs[body]++;
  return TRUE;
}

/* With bodies, twice what Attention gives at half the scale. */
static void
flexible_attention_is_attention_of_its_bodies (void)
{
  static const char *const names[] = { "score_mod", "prob_mod" };
  const AttentionCase plain = { "Attention", "scale=0.25", "float64", 4, 2, 5, 6 };
  const KernelCase named = { "Attention", "scale=0.25" };
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  g_autoptr (SymLayer) attention = kernel_case_new_layer (&named);
  g_autoptr (SymLayer) flex = NULL;
  g_autoptr (SymKernel) first = sym_kernel_new (attention, NULL);
  g_autoptr (SymKernel) second = NULL;
  SymDatum *in[7] = { NULL }, *out[2] = { NULL };
  guint n_runs[2] = { 0 };
  const SymKernelHost host = { .run_body = run_body, .user_data = n_runs };

  make_operands (&plain, in);
  sym_attributes_set (attributes, "scale", sym_value_new_float (0.5), NULL);
  flex = sym_layer_new ("FlexAttention", sym_op_find ("ai.onnx.preview", "FlexAttention", 0),
                        attributes);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (SymModel) body = sym_model_builder_end (sym_model_builder_new (SYM_DIALECT_PLAIN));

      sym_layer_add_body (flex, names[i], body, FALSE);
    }
  second = sym_kernel_new (flex, &host);
  g_assert_true (sym_kernel_run (first, in, 3, &out[0], 1, NULL, NULL));
  g_assert_true (sym_kernel_run (second, in, 3, &out[1], 1, NULL, NULL));
  g_assert_cmpuint (n_runs[0], ==, 1);
  g_assert_cmpuint (n_runs[1], ==, 1);
  for (gsize i = 0; i < sym_array_get_n_elements (sym_datum_get_array (out[0])); i++)
    assert_near (&plain, out[1], i, 2 * get (out[0], i));
  for (int i = 0; i < 7; i++)
    g_clear_pointer (&in[i], sym_datum_unref);
  for (int i = 0; i < 2; i++)
    g_clear_pointer (&out[i], sym_datum_unref);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (attentions); i++)
    {
      g_autofree char *path = g_strdup_printf ("/ops/attention/%02u-%s", i, attentions[i].op);

      g_test_add_data_func (path, &attentions[i], check_attention);
    }
  kernel_case_add_all ("attention", refusals);
  kernel_case_add_all ("tokens", others);
  kernel_case_add_all ("linear-attention", linears);
  for (guint i = 0; rules[i].op != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/ops/rules/attention/%02u-%s", i, rules[i].op);

      g_test_add_data_func (path, &rules[i], shapes_follow);
    }
  g_test_add_func ("/ops/flex-attention/is-attention-of-its-bodies",
                   flexible_attention_is_attention_of_its_bodies);
  return g_test_run ();
}
