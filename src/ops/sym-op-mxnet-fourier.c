/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-fourier.h"

#include "ops/sym-op-mxnet.h"

/* Transforms of the last axis of [rows, n] or [a, b, c, n]. */

static const SymAttributeSpec fft_attributes[] = {
  { "compute_size", SYM_ATTRIBUTE_INT, "128", "rows transformed in one go" },
  { NULL },
};

static const SymAttributeSpec sketch_attributes[] = {
  { "out_dim", SYM_ATTRIBUTE_INT, NULL, "size of the result" },
  { "processing_batch_size", SYM_ATTRIBUTE_INT, "32", "rows done in one go" },
  { NULL },
};

static const SymSlotSpec sketch_slots[] = { { "data" }, { "h" }, { "s" }, { NULL } };

static gboolean
check_rank (const SymShape *data, GError **error)
{
  if (data->rank < 0 || data->rank == 2 || data->rank == 4)
    return TRUE;
  return sym_rule_fail (error, "data has %d axes; it should have 2 or 4", data->rank);
}

/* Real and imaginary parts lie side by side: n numbers become 2 * n. */
static gboolean
infer_fft (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), back = sym_rule_get_output (rule, 0);
  SymDim half;

  if (!sym_op_pass_dtype (rule, 0, 0, error) || !check_rank (&data, error))
    return FALSE;
  if (data.rank < 0 && back.rank > 0)
    {
      back.dims[back.rank - 1] =
          sym_terms_divide_exactly (sym_rule_get_terms (rule), back.dims[back.rank - 1], 2, &half)
              ? half
              : SYM_DIM_UNKNOWN;
      if (!sym_rule_set_input (rule, 0, &back, error))
        return FALSE;
      data = sym_rule_get_input (rule, 0);
    }
  if (data.rank < 0)
    return TRUE;
  data.dims[data.rank - 1] =
      sym_terms_multiply (sym_rule_get_terms (rule), data.dims[data.rank - 1], 2);
  return sym_rule_set_output (rule, 0, &data, error);
}

static gboolean
infer_ifft (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);

  if (!sym_op_pass_dtype (rule, 0, 0, error) || !check_rank (&data, error))
    return FALSE;
  if (data.rank < 0)
    return TRUE;
  data.dims[data.rank - 1] =
      sym_terms_floor_divide (sym_rule_get_terms (rule), data.dims[data.rank - 1], 2);
  return sym_rule_set_output (rule, 0, &data, error);
}

/* h and s are [1, n]: where each number goes, and its sign. */
static gboolean
infer_sketch (SymRule *rule, GError **error)
{
  gint64 size = sym_rule_get_int (rule, "out_dim", 0);
  SymShape data = sym_rule_get_input (rule, 0);

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) || !check_rank (&data, error))
    return FALSE;
  if (data.rank < 0)
    return TRUE;
  for (guint i = 1; i < 3; i++)
    if (!sym_op_set_input (rule, i, SYM_SHAPE (SYM_DIM_UNKNOWN, data.dims[data.rank - 1]), error))
      return FALSE;
  data.dims[data.rank - 1] = size > 0 ? size : SYM_DIM_UNKNOWN;
  return sym_rule_set_output (rule, 0, &data, error);
}

#define FOURIER(name_, summary_, attributes_, slots_, infer_, run_)                \
  {                                                                                \
    SYM_OP_MXNET, .name = "_contrib_" name_, .summary = summary_,                  \
                  .reference = "MXNet 1.9.1 _contrib_" name_,                      \
                  .category = SYM_CATEGORY_ELEMENTWISE, .attributes = attributes_, \
                  .slots = slots_, .infer = infer_, .run = run_                    \
  }

const SymOperator sym_op_mxnet_fourier[] = {
  FOURIER ("fft",
           "Fourier transform",
           fft_attributes,
           sym_op_mxnet_data,
           infer_fft,
           sym_op_mxnet_run_fft),
  FOURIER ("ifft",
           "inverse Fourier transform",
           fft_attributes,
           sym_op_mxnet_data,
           infer_ifft,
           sym_op_mxnet_run_ifft),
  FOURIER ("count_sketch",
           "numbers added up at random places",
           sketch_attributes,
           sketch_slots,
           infer_sketch,
           sym_op_mxnet_run_sketch),
  { NULL },
};
