/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-cost.h"

#include "ops/sym-op-cost-private.h"
#include "ops/sym-op.h"

#include <math.h>
#include <string.h>

/* ---- What a call has ---- */

gboolean
sym_op_work_multiply (guint64 *n, gint64 factor)
{
  return factor >= 0 && g_uint64_checked_mul (n, *n, (guint64) factor);
}

static const SymShape *
get_known_shape (const SymType *type)
{
  return type->kind == SYM_KIND_TENSOR && sym_shape_is_known (&type->shape) ? &type->shape : NULL;
}

const SymShape *
sym_op_work_get_input (const SymOpWork *self, guint i)
{
  return i < self->n_inputs ? get_known_shape (&self->inputs[i]) : NULL;
}

const SymShape *
sym_op_work_get_output (const SymOpWork *self)
{
  return self->n_outputs > 0 ? get_known_shape (&self->outputs[0]) : NULL;
}

/* The operand in the slot called @name. */
static const SymShape *
get_slot (const SymOpWork *self, const char *name)
{
  const SymSlotSpec *slots = sym_layer_get_operator (self->layer)->slots;

  for (guint i = 0; slots != NULL && slots[i].name != NULL; i++)
    if (g_ascii_strcasecmp (slots[i].name, name) == 0)
      return sym_op_work_get_input (self, i);
  return NULL;
}

static const SymShape *
get_weight (const SymOpWork *self)
{
  const SymShape *weight = get_slot (self, "weight");

  return weight != NULL ? weight : get_slot (self, "w");
}

gint64
sym_op_work_get_int (const SymOpWork *self, const char *name, gint64 fallback)
{
  return sym_attributes_get_int (sym_layer_get_attributes (self->layer), name, fallback);
}

/* ---- Convolutions ---- */

/* Each number of @places meets the weights of one of the first axis: [features, ...]. */
static gboolean
count_weights (const SymShape *places, const SymShape *weight, guint64 *n)
{
  if (places == NULL || weight == NULL || weight->rank < 1 || !sym_shape_get_n_elements (places, n))
    return FALSE;
  for (int i = 1; i < weight->rank; i++)
    if (!sym_op_work_multiply (n, weight->dims[i]))
      return FALSE;
  return TRUE;
}

/* [out, in / groups, kernel...] for each number that comes out. */
static gboolean
count_convolution (const SymOpWork *self, guint64 *n)
{
  return count_weights (sym_op_work_get_output (self), get_weight (self), n);
}

/* The first @n_axes axes of the weight for each number that comes out. */
static gboolean
count_axes (const SymOpWork *self, int n_axes, guint64 *n)
{
  const SymShape *out = sym_op_work_get_output (self), *weight = get_weight (self);

  if (out == NULL || weight == NULL || weight->rank < n_axes || !sym_shape_get_n_elements (out, n))
    return FALSE;
  for (int i = 0; i < n_axes; i++)
    if (!sym_op_work_multiply (n, weight->dims[i]))
      return FALSE;
  return TRUE;
}

/* [kernel..., in / groups, out], and [in, out]. */
static gboolean
count_last_filters (const SymOpWork *self, guint64 *n)
{
  const SymShape *weight = get_weight (self);

  return weight != NULL && weight->rank > 0 && count_axes (self, weight->rank - 1, n);
}

/* [height, width, channels, results of each]. */
static gboolean
count_channel_filters (const SymOpWork *self, guint64 *n)
{
  return count_axes (self, 2, n);
}

/* [steps, channels, results of each]. */
static gboolean
count_step_filters (const SymOpWork *self, guint64 *n)
{
  return count_axes (self, 1, n);
}

/* [height, width, out / groups, in] for each number that goes in. */
static gboolean
count_spread_filters (const SymOpWork *self, guint64 *n)
{
  const SymShape *data = sym_op_work_get_input (self, 0), *weight = get_weight (self);

  if (data == NULL || weight == NULL || weight->rank < 1 || !sym_shape_get_n_elements (data, n))
    return FALSE;
  for (int i = 0; i < weight->rank - 1; i++)
    if (!sym_op_work_multiply (n, weight->dims[i]))
      return FALSE;
  return TRUE;
}

/* [in, out / groups, kernel...] for each number that goes in. */
static gboolean
count_transposed (const SymOpWork *self, guint64 *n)
{
  return count_weights (sym_op_work_get_input (self, 0), get_weight (self), n);
}

/* Weights of which several are packed into one number: told by attributes. */
static gboolean
count_packed_convolution (const SymOpWork *self, guint64 *n)
{
  const SymShape *data = sym_op_work_get_input (self, 0), *out = sym_op_work_get_output (self);
  gint64 n_groups = sym_op_work_get_int (self, "num_group", 1), kernel[SYM_MAX_RANK];
  int n_axes = sym_attributes_get_ints (sym_layer_get_attributes (self->layer), "kernel", kernel,
                                        SYM_MAX_RANK);

  if (data == NULL || out == NULL || data->rank < 2 || n_groups < 1 || n_axes < 1 ||
      n_axes > SYM_MAX_RANK || !sym_shape_get_n_elements (out, n) ||
      !sym_op_work_multiply (n, data->dims[1] / n_groups))
    return FALSE;
  for (int i = 0; i < n_axes; i++)
    if (!sym_op_work_multiply (n, kernel[i]))
      return FALSE;
  return TRUE;
}

/* ---- Products of matrices ---- */

/* A sum of @n_terms products for each number that comes out. */
static gboolean
count_sums (const SymOpWork *self, gint64 n_terms, guint64 *n)
{
  const SymShape *out = sym_op_work_get_output (self);

  return out != NULL && sym_shape_get_n_elements (out, n) && sym_op_work_multiply (n, n_terms);
}

/* [features, inputs] or, prepared, the same laid out anew: all inputs of a row for each feature. */
static gboolean
count_dense (const SymOpWork *self, guint64 *n)
{
  return count_weights (sym_op_work_get_output (self), get_weight (self), n);
}

static gboolean
count_packed_dense (const SymOpWork *self, guint64 *n)
{
  const SymShape *data = sym_op_work_get_input (self, 0);
  guint64 n_inputs = 1;

  if (data == NULL || data->rank < 2)
    return FALSE;
  for (int i = 1; i < data->rank; i++)
    if (!sym_op_work_multiply (&n_inputs, data->dims[i]))
      return FALSE;
  return n_inputs <= G_MAXINT64 && count_sums (self, (gint64) n_inputs, n);
}

static gboolean
count_last_axis (const SymOpWork *self, guint64 *n)
{
  const SymShape *a = sym_op_work_get_input (self, 0);

  return a != NULL && a->rank > 0 && count_sums (self, a->dims[a->rank - 1], n);
}

/* Matrices that an attribute transposes: the sum is along the last axis or the one before. */
static gboolean
count_transposable (const SymOpWork *self, const char *attribute, guint64 *n)
{
  const SymShape *a = sym_op_work_get_input (self, 0);
  int turned = sym_op_work_get_int (self, attribute, 0) != 0;

  return a != NULL && a->rank >= 2 && count_sums (self, a->dims[a->rank - 1 - turned], n);
}

static gboolean
count_gemm (const SymOpWork *self, guint64 *n)
{
  return count_transposable (self, "transA", n);
}

static gboolean
count_batch_dot (const SymOpWork *self, guint64 *n)
{
  return count_transposable (self, "transpose_a", n);
}

/* MXNet's dot: the sum is along one axis, the last or with transpose_a the first. */
static gboolean
count_dot (const SymOpWork *self, guint64 *n)
{
  const SymShape *a = sym_op_work_get_input (self, 0);
  gboolean turned = sym_op_work_get_int (self, "transpose_a", 0) != 0;

  return a != NULL && a->rank > 0 && count_sums (self, a->dims[turned ? 0 : a->rank - 1], n);
}

/* numpy's dot and tensordot: what is summed over is in both operands and not in the result, so that
 * (m k) (k n) / (m n) is its square. */
static gboolean
count_shared_axes (const SymOpWork *self, guint64 *n)
{
  const SymShape *a = sym_op_work_get_input (self, 0), *b = sym_op_work_get_input (self, 1);
  const SymShape *out = sym_op_work_get_output (self);
  guint64 n_a, n_b, n_out;

  if (a == NULL || b == NULL || out == NULL || !sym_shape_get_n_elements (a, &n_a) ||
      !sym_shape_get_n_elements (b, &n_b) || !sym_shape_get_n_elements (out, &n_out))
    return FALSE;
  if (n_out == 0 || a->rank == 0 || b->rank == 0)
    {
      *n = 0;
      return TRUE;
    }
  return count_sums (self, llround (sqrt ((double) n_a / (double) n_out * (double) n_b)), n);
}

/* ---- The table ---- */

/* How the layers of an operator are counted, whatever its version; NULL: by the body that they are
 * lowered to. */
typedef struct {
  const char *domain;
  const char *name;
  gboolean (*count) (const SymOpWork *self, guint64 *n);
} Row;

#define ONNX(name, count) \
  {                       \
    "", name, count       \
  }
#define MXNET(name, count) \
  {                        \
    "mxnet", name, count   \
  }
#define TORCH(name, count) \
  {                        \
    "torch", name, count   \
  }

static const Row rows[] = {
  ONNX ("Attention", sym_op_count_attention),
  ONNX ("CausalConvWithState", count_convolution),
  ONNX ("Conv", count_convolution),
  ONNX ("ConvInteger", count_convolution),
  ONNX ("ConvTranspose", count_transposed),
  ONNX ("DeformConv", count_convolution),
  ONNX ("Einsum", sym_op_count_einsum),
  { "ai.onnx.preview", "FlexAttention", sym_op_count_attention },
  ONNX ("GRU", sym_op_count_recurrent_weights),
  ONNX ("Gemm", count_gemm),
  ONNX ("LSTM", sym_op_count_recurrent_weights),
  ONNX ("LinearAttention", sym_op_count_linear_attention),
  ONNX ("MatMul", count_last_axis),
  ONNX ("MatMulInteger", count_last_axis),
  ONNX ("QLinearConv", count_convolution),
  ONNX ("QLinearMatMul", count_last_axis),
  ONNX ("RNN", sym_op_count_recurrent_weights),
  { "acuity", "conv1d", count_last_filters },
  { "acuity", "convolution", count_last_filters },
  { "acuity", "deconvolution", count_spread_filters },
  { "acuity", "depthwise_conv1d", count_step_filters },
  { "acuity", "depthwise_convolution", count_channel_filters },
  { "acuity", "fullconnect", count_last_filters },
  { "acuity", "group_conv1d", count_last_filters },
  { "acuity", "gru", sym_op_count_kernels },
  { "acuity", "lstm", sym_op_count_kernels },
  { "armnn", "Convolution2d", count_convolution },
  { "armnn", "DepthwiseConvolution2d", count_last_filters },
  { "espresso", "convolution", count_convolution },
  { "espresso", "deconvolution", count_transposed },
  { "espresso", "inner_product", count_convolution },
  { "keras", "Dot", NULL },
  { "mnn", "Convolution", count_convolution },
  { "mnn", "Deconvolution", count_transposed },
  { "mnn", "InnerProduct", count_convolution },
  { "qnn", "Conv2d", count_last_filters },
  { "qnn", "DepthWiseConv2d", count_last_filters },
  { "qnn", "FullyConnected", count_convolution },
  { "tosa", "CONV2D", count_convolution },
  { "tosa", "DEPTHWISE_CONV2D", count_channel_filters },
  { "tosa", "FULLY_CONNECTED", count_convolution },
  MXNET ("Convolution", count_convolution),
  MXNET ("Deconvolution", count_transposed),
  MXNET ("FullyConnected", count_dense),
  MXNET ("QConvolution", count_packed_convolution),
  MXNET ("QFullyConnected", count_packed_dense),
  MXNET ("RNN", sym_op_count_recurrent_layers),
  MXNET ("_contrib_DeformableConvolution", count_convolution),
  MXNET ("_contrib_ModulatedDeformableConvolution", count_convolution),
  MXNET ("_contrib_interleaved_matmul_encdec_qk", NULL),
  MXNET ("_contrib_interleaved_matmul_encdec_valatt", NULL),
  MXNET ("_contrib_interleaved_matmul_selfatt_qk", NULL),
  MXNET ("_contrib_interleaved_matmul_selfatt_valatt", NULL),
  MXNET ("_contrib_intgemm_fully_connected", count_last_axis),
  MXNET ("_contrib_quantized_conv", count_convolution),
  MXNET ("_contrib_quantized_fully_connected", count_dense),
  MXNET ("_contrib_quantized_rnn", sym_op_count_recurrent_layers),
  MXNET ("_linalg_gemm", NULL),
  MXNET ("_linalg_gemm2", NULL),
  MXNET ("_npi_dot", count_shared_axes),
  MXNET ("_npi_einsum", sym_op_count_einsum),
  MXNET ("_npi_matmul", count_last_axis),
  MXNET ("_npi_tensordot", count_shared_axes),
  MXNET ("_npi_tensordot_int_axes", count_shared_axes),
  MXNET ("_sg_mkldnn_conv", count_convolution),
  MXNET ("_sg_mkldnn_fully_connected", count_dense),
  MXNET ("_sg_onednn_batch_dot", count_batch_dot),
  MXNET ("batch_dot", count_batch_dot),
  MXNET ("dot", count_dot),
  TORCH ("Conv1d", count_convolution),
  TORCH ("Conv2d", count_convolution),
  TORCH ("Conv3d", count_convolution),
  TORCH ("ConvTranspose1d", count_transposed),
  TORCH ("ConvTranspose2d", count_transposed),
  TORCH ("ConvTranspose3d", count_transposed),
  TORCH ("GRU", sym_op_count_recurrent_layers),
  TORCH ("LSTM", sym_op_count_recurrent_layers),
  TORCH ("Linear", count_dense),
  TORCH ("MatmulOpLayer", count_last_axis),
  TORCH ("RNN", sym_op_count_recurrent_layers),
};

/* What looks numbers up, though it has weights. */
static const Row lookups[] = {
  MXNET ("Embedding", NULL),
  MXNET ("_contrib_quantized_embedding", NULL),
  MXNET ("_contrib_sldwin_atten_mask_like", NULL),
  TORCH ("Embedding", NULL),
  { "keras", "Embedding", NULL },
  { "ngraph", "EmbeddingLookup", NULL },
  { "paddle", "lookup_table_v2", NULL },
  { "torch.export", "aten.embedding", NULL },
};

/* What has no number of products that everybody agrees on, as transforms and factorisations, or may
 * do anything.  So has what has weights and neither a row above nor a body that it is lowered to.
 */
static const Row mysteries[] = {
  ONNX ("DFT", NULL),
  ONNX ("Det", NULL),
  ONNX ("STFT", NULL),
  MXNET ("CTCLoss", NULL),
  MXNET ("Correlation", NULL),
  MXNET ("Custom", NULL),
  MXNET ("_Native", NULL),
  MXNET ("_TensorRT", NULL),
  MXNET ("_contrib_fft", NULL),
  MXNET ("_contrib_hawkesll", NULL),
  MXNET ("_contrib_ifft", NULL),
  MXNET ("_contrib_tvm_dot", NULL),
  MXNET ("_linalg_det", NULL),
  MXNET ("_linalg_gelqf", NULL),
  MXNET ("_linalg_inverse", NULL),
  MXNET ("_linalg_potrf", NULL),
  MXNET ("_linalg_potri", NULL),
  MXNET ("_linalg_slogdet", NULL),
  MXNET ("_linalg_syevd", NULL),
  MXNET ("_linalg_syrk", NULL),
  MXNET ("_linalg_trmm", NULL),
  MXNET ("_linalg_trsm", NULL),
  MXNET ("_npi_cholesky", NULL),
  MXNET ("_npi_eig", NULL),
  MXNET ("_npi_eigh", NULL),
  MXNET ("_npi_eigvals", NULL),
  MXNET ("_npi_eigvalsh", NULL),
  MXNET ("_npi_lstsq", NULL),
  MXNET ("_npi_pinv", NULL),
  MXNET ("_npi_pinv_scalar_rcond", NULL),
  MXNET ("_npi_qr", NULL),
  MXNET ("_npi_solve", NULL),
  MXNET ("_npi_svd", NULL),
  MXNET ("_npi_tensorinv", NULL),
  MXNET ("_npi_tensorsolve", NULL),
};

/* ---- Which row an operator has ---- */

typedef struct {
  gboolean (*count) (const SymOpWork *self, guint64 *n);
  SymOpCost cost; /* of what has no @count */
} Entry;

static const Row *
find_row (const Row *table, gsize n, const SymOperator *op)
{
  for (gsize i = 0; i < n; i++)
    if (strcmp (table[i].name, op->name) == 0 && strcmp (table[i].domain, op->domain) == 0)
      return &table[i];
  return NULL;
}

static Entry
find_entry (const SymOperator *op)
{
  const Row *row = find_row (rows, G_N_ELEMENTS (rows), op);

  if (row != NULL)
    return (Entry){ row->count, SYM_OP_COST_LOWERED };
  if (find_row (mysteries, G_N_ELEMENTS (mysteries), op) != NULL)
    return (Entry){ NULL, SYM_OP_COST_UNKNOWN };
  if (op->category != SYM_CATEGORY_WEIGHTS ||
      find_row (lookups, G_N_ELEMENTS (lookups), op) != NULL)
    return (Entry){ NULL, SYM_OP_COST_KNOWN };
  return (Entry){ NULL, op->lower != NULL ? SYM_OP_COST_LOWERED : SYM_OP_COST_UNKNOWN };
}

/* Made at the first question, as there are many operators and few of them in the tables. */
static const Entry *
get_entry (const SymOperator *op)
{
  static gsize made;

  if (g_once_init_enter (&made))
    {
      GHashTable *entries = g_hash_table_new (NULL, NULL);

      for (guint i = 0; i < sym_op_get_n (); i++)
        {
          Entry entry = find_entry (sym_op_get (i));

          g_hash_table_insert (entries, (gpointer) sym_op_get (i),
                               g_memdup2 (&entry, sizeof (Entry)));
        }
      g_once_init_leave (&made, (gsize) entries);
    }
  return g_hash_table_lookup ((GHashTable *) made, op);
}

SymOpCost
sym_op_count_multiply_adds (const SymLayer *layer,
                            const SymType *inputs,
                            guint n_inputs,
                            const SymType *outputs,
                            guint n_outputs,
                            guint64 *n)
{
  const SymOpWork work = { layer, inputs, n_inputs, outputs, n_outputs };
  const SymOperator *op = sym_layer_get_operator (layer);
  const Entry *entry = op == NULL ? NULL : get_entry (op);
  guint64 count = 0;

  if (entry == NULL)
    return SYM_OP_COST_UNKNOWN;
  if (entry->count == NULL && entry->cost != SYM_OP_COST_KNOWN)
    return entry->cost;
  if (entry->count != NULL && !entry->count (&work, &count))
    return SYM_OP_COST_UNKNOWN;
  *n = count;
  return SYM_OP_COST_KNOWN;
}
