/* SPDX-License-Identifier: MIT */
#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* DepthToSpace, SpaceToDepth, Trilu and ReverseSequence: elements elsewhere, or blank. */

/* ---- Depth and space ---- */

#define BLOCK                                                         \
  {                                                                   \
    "blocksize", SYM_ATTRIBUTE_INT, NULL, "size of the square blocks" \
  }

static const SymAttributeSpec block_attributes[] = { BLOCK, { NULL } };
static const SymAttributeSpec depth_attributes_11[] = {
  BLOCK,
  { "mode", SYM_ATTRIBUTE_STRING, "DCR", "whether the block or the channel is the outer one",
    "DCR CRD" },
  { NULL },
};

static gboolean
get_block (gint64 block, int rank, GError **error)
{
  if (block < 1 || block > G_MAXINT16)
    return sym_kernel_fail (error, "blocksize %" G_GINT64_FORMAT " is out of range", block);
  return rank == 4 || sym_kernel_fail (error, "the data must have 4 axes, not %d", rank);
}

/* To space the block is multiplied, to depth it divides. */
static gboolean
infer_blocks (SymRule *rule, gboolean to_depth, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  gint64 block = sym_rule_get_int (rule, "blocksize", 0);
  SymShape to = sym_rule_get_input (rule, 0);
  SymDim area;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (to.rank < 0)
    return TRUE;
  if (!get_block (block, to.rank, error))
    return FALSE;
  area = block * block;
  for (int i = 1; i < 4; i++)
    {
      gboolean divides = (i == 1) != to_depth;
      SymDim by = i == 1 ? area : block, size = to.dims[i];

      if (!divides)
        to.dims[i] = sym_terms_multiply (terms, size, by);
      else if (size >= 0 && size % by != 0)
        return sym_rule_fail (error,
                              "axis %d of %" G_GINT64_FORMAT " is no multiple of %" G_GINT64_FORMAT,
                              i, size, by);
      else if (!sym_terms_divide_exactly (terms, size, by, &to.dims[i]))
        to.dims[i] = SYM_DIM_UNKNOWN;
    }
  return sym_rule_set_output (rule, 0, &to, error);
}

static gboolean
infer_to_space (SymRule *rule, GError **error)
{
  return infer_blocks (rule, FALSE, error);
}

static gboolean
infer_to_depth (SymRule *rule, GError **error)
{
  return infer_blocks (rule, TRUE, error);
}

/* Output [N, c, h, block, w, block] or [N, block, block, c, h, w], whose strides are told. */
static gboolean
move_blocks (SymKernel *kernel,
             const SymArray *x,
             const SymShape *to,
             const SymShape *split,
             const gint64 *strides,
             GError **error)
{
  SymArray *y = sym_kernel_new_output (kernel, 0, x->dtype, to, error), view;

  if (y == NULL || sym_array_get_n_elements (y) == 0)
    return y != NULL;
  view = *y;
  view.shape = *split;
  return sym_op_move_strided (kernel, &view, x, 0, strides, error);
}

static gboolean
run_to_space (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gint64 b = sym_kernel_get_int (kernel, "blocksize", 0), c, s[SYM_MAX_RANK];
  gboolean crd = sym_kernel_get_version (kernel) >= 11 &&
                 g_str_equal (sym_kernel_get_string (kernel, "mode", "DCR"), "CRD");
  const gint64 *d;

  if (x == NULL || !get_block (b, x->shape.rank, error))
    return FALSE;
  d = x->shape.dims;
  if (d[1] % (b * b) != 0 || d[2] > G_MAXINT64 / b || d[3] > G_MAXINT64 / b)
    return sym_kernel_fail (
        error, "%" G_GINT64_FORMAT " channels do not make blocks of %" G_GINT64_FORMAT, d[1], b);
  c = d[1] / (b * b);
  sym_op_get_strides (&x->shape, s);
  return move_blocks (kernel, x, &SYM_SHAPE (d[0], c, d[2] * b, d[3] * b),
                      &SYM_SHAPE (d[0], c, d[2], b, d[3], b),
                      (gint64[]){ s[0], (crd ? b * b : 1) * s[1], s[2], (crd ? b : b * c) * s[1],
                                  s[3], (crd ? 1 : c) * s[1] },
                      error);
}

static gboolean
run_to_depth (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gint64 b = sym_kernel_get_int (kernel, "blocksize", 0), s[SYM_MAX_RANK];
  const gint64 *d;

  if (x == NULL || !get_block (b, x->shape.rank, error))
    return FALSE;
  d = x->shape.dims;
  if (d[2] % b != 0 || d[3] % b != 0 || d[1] > G_MAXINT64 / b / b)
    return sym_kernel_fail (error,
                            "%" G_GINT64_FORMAT " by %" G_GINT64_FORMAT
                            " does not divide into blocks of %" G_GINT64_FORMAT,
                            d[2], d[3], b);
  sym_op_get_strides (&x->shape, s);
  return move_blocks (kernel, x, &SYM_SHAPE (d[0], d[1] * b * b, d[2] / b, d[3] / b),
                      &SYM_SHAPE (d[0], b, b, d[1], d[2] / b, d[3] / b),
                      (gint64[]){ s[0], s[2], s[3], s[1], s[2] * b, s[3] * b }, error);
}

/* ---- Trilu ---- */

static const SymAttributeSpec trilu_attributes[] = {
  { "upper", SYM_ATTRIBUTE_INT, "1", "whether the upper rather than the lower triangle stays" },
  { NULL },
};

static const SymSlotSpec trilu_slots[] = { { "input" }, { "k", .optional = TRUE }, { NULL } };

static gboolean
infer_same (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

static gboolean
run_trilu (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gboolean upper = sym_kernel_get_bool (kernel, "upper", TRUE);
  g_autoptr (SymDatum) zero = NULL;
  gint64 k = 0, rows, columns;
  gsize asked = 0;
  SymArray *y;
  int n;

  if (x == NULL || !sym_kernel_read_ints (kernel, 1, &k, 1, &n, error))
    return FALSE;
  if (x->shape.rank < 2)
    return sym_kernel_fail (error, "the data must have 2 axes or more, not %d", x->shape.rank);
  if (!sym_dtype_is_numeric (x->dtype))
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  y = sym_kernel_new_output (kernel, 0, x->dtype, &x->shape, error);
  if (y == NULL || sym_array_get_n_elements (x) == 0)
    return y != NULL;
  zero = sym_datum_new (x->dtype, &SYM_SHAPE (), error);
  if (zero == NULL)
    return FALSE;
  sym_element_set_double (x->dtype, sym_datum_get_array (zero)->data, 0, 0);
  rows = x->shape.dims[x->shape.rank - 2];
  columns = x->shape.dims[x->shape.rank - 1];
  k = CLAMP (k, -rows, columns);
  if (!sym_op_move_on (kernel, &asked, y, 0, x, 0, sym_array_get_n_elements (x), error))
    return FALSE;
  for (gsize i = 0; i < sym_array_get_n_elements (x) / (gsize) columns; i++)
    {
      gint64 cut = CLAMP ((gint64) i % rows + k + (upper ? 0 : 1), 0, columns);

      if (!sym_op_go_on (kernel, &asked, (gsize) columns, error))
        return FALSE;
      for (gint64 j = upper ? 0 : cut; j < (upper ? cut : columns); j++)
        sym_op_move (y, i * (gsize) columns + (gsize) j, sym_datum_get_array (zero), 0, 1);
    }
  return TRUE;
}

/* ---- ReverseSequence ---- */

static const SymAttributeSpec reverse_attributes[] = {
  { "batch_axis", SYM_ATTRIBUTE_INT, "1", "the axis of examples" },
  { "time_axis", SYM_ATTRIBUTE_INT, "0", "the axis that is turned around" },
  { NULL },
};

static const SymSlotSpec reverse_slots[] = { { "input" }, { "sequence_lens" }, { NULL } };

static gboolean
run_reverse (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error), *lens;
  gint64 batch = sym_kernel_get_int (kernel, "batch_axis", 1);
  gint64 time = sym_kernel_get_int (kernel, "time_axis", 0);
  gsize inner = 1, asked = 0, steps, examples;
  gboolean is_time_first = time == 0;
  SymArray *y;

  if (x == NULL || (lens = sym_kernel_need_input (kernel, 1, error)) == NULL)
    return FALSE;
  if (x->shape.rank < 2 || !(time == 0 || time == 1) || batch != 1 - time ||
      lens->dtype != SYM_DTYPE_INT64 || lens->shape.rank != 1 ||
      lens->shape.dims[0] != x->shape.dims[batch])
    return sym_kernel_fail (error, "time and batch must be the first two axes, and sequence_lens "
                                   "one int64 for each example");
  for (int i = 2; i < x->shape.rank; i++)
    inner *= (gsize) x->shape.dims[i];
  steps = (gsize) x->shape.dims[time];
  examples = (gsize) x->shape.dims[batch];
  y = sym_kernel_new_output (kernel, 0, x->dtype, &x->shape, error);
  if (y == NULL)
    return FALSE;
  for (gsize i = 0; i < examples; i++)
    {
      gint64 length = ((const gint64 *) lens->data)[i];

      if (length < 0 || length > (gint64) steps)
        return sym_kernel_fail (
            error, "a sequence of %" G_GINT64_FORMAT " steps has %" G_GSIZE_FORMAT " at most",
            length, steps);
      for (gsize t = 0; t < steps; t++)
        {
          gsize from = t < (gsize) length ? (gsize) length - 1 - t : t;

          if (!sym_op_move_on (
                  kernel, &asked, y, (is_time_first ? t * examples + i : i * steps + t) * inner, x,
                  (is_time_first ? from * examples + i : i * steps + from) * inner, inner, error))
            return FALSE;
        }
    }
  return TRUE;
}

#define ENTRY(name_, version_, summary_, attributes_, slots_, infer_, run_)                     \
  {                                                                                             \
    SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_SHAPE,         \
                                   .attributes = attributes_, .slots = slots_, .infer = infer_, \
                                   .run = run_                                                  \
  }

const SymOperator sym_op_onnx_arrange[] = {
  ENTRY ("DepthToSpace",
         1,
         "channels laid out as blocks",
         block_attributes,
         sym_op_onnx_input,
         infer_to_space,
         run_to_space),
  ENTRY ("DepthToSpace",
         11,
         "channels laid out as blocks",
         depth_attributes_11,
         sym_op_onnx_input,
         infer_to_space,
         run_to_space),
  ENTRY ("SpaceToDepth",
         1,
         "blocks taken apart to channels",
         block_attributes,
         sym_op_onnx_input,
         infer_to_depth,
         run_to_depth),
  ENTRY ("Trilu",
         14,
         "one triangle of each matrix, zeros elsewhere",
         trilu_attributes,
         trilu_slots,
         infer_same,
         run_trilu),
  ENTRY ("ReverseSequence",
         10,
         "the first steps of each example turned around",
         reverse_attributes,
         reverse_slots,
         infer_same,
         run_reverse),
  { 0 },
};
