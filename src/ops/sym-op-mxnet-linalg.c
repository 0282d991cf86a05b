/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-linalg-kernels.h"
#include "ops/sym-op-mxnet.h"

/* Linear algebra on matrices: the last two axes, any others are of batches. */

/* ---- Shapes of matrices ---- */

/* The shape of operand @i, which has at least two axes, the last two equal when @square; of unknown
 * rank as long as that is not known. */
static gboolean
get_matrices (SymRule *rule, guint i, gboolean square, SymShape *data, GError **error)
{
  *data = sym_rule_get_input (rule, i);
  if (data->rank < 0)
    return TRUE;
  if (data->rank < 2)
    return sym_rule_fail (error, "operand %u has %d axes; matrices have at least 2", i, data->rank);
  if (square && !sym_rule_unify (rule, data->dims[data->rank - 1], data->dims[data->rank - 2],
                                 "sides of a square matrix", error))
    return FALSE;
  *data = sym_rule_get_input (rule, i);
  return TRUE;
}

static SymShape
replace_last (SymShape shape, SymDim rows, SymDim columns)
{
  shape.dims[shape.rank - 2] = rows;
  shape.dims[shape.rank - 1] = columns;
  return shape;
}

static SymShape
cut_last (SymShape shape, int n)
{
  shape.rank -= n;
  return shape;
}

/* ---- Square matrices to square matrices ---- */

static const SymAttributeSpec lower_attributes[] = {
  { "lower", SYM_ATTRIBUTE_BOOL, "True", "whether the triangle is the lower one" },
  { NULL },
};

static const SymSlotSpec a_slots[] = { { "A" }, { NULL } };
static const SymSlotSpec ab_slots[] = { { "A" }, { "B" }, { NULL } };

static gboolean
infer_square (SymRule *rule, GError **error)
{
  SymShape data;

  return sym_op_pass (rule, 0, 0, error) && get_matrices (rule, 0, TRUE, &data, error) &&
         sym_op_pass_shape (rule, 0, 0, error);
}

/* ---- trmm, trsm ---- */

static const SymAttributeSpec triangle_attributes[] = {
  { "transpose", SYM_ATTRIBUTE_BOOL, "False", "whether the triangle is transposed" },
  { "rightside", SYM_ATTRIBUTE_BOOL, "False", "whether the triangle is the second factor" },
  { "lower", SYM_ATTRIBUTE_BOOL, "True", "whether the triangle is the lower one" },
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the product" },
  { NULL },
};

/* The result has the shape of B; A is square, of as many rows, or columns from the right. */
static gboolean
infer_triangle (SymRule *rule, GError **error)
{
  gboolean right = sym_rule_get_bool (rule, "rightside", FALSE);
  SymShape a, b;
  SymDim side;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) || !sym_op_pass_shape (rule, 1, 0, error) ||
      !get_matrices (rule, 0, TRUE, &a, error) || !get_matrices (rule, 1, FALSE, &b, error))
    return FALSE;
  if (b.rank < 0)
    return TRUE;
  side = b.dims[right ? b.rank - 1 : b.rank - 2];
  a = replace_last (b, side, side);
  return sym_rule_set_input (rule, 0, &a, error);
}

/* ---- syrk ---- */

static const SymAttributeSpec syrk_attributes[] = {
  { "transpose", SYM_ATTRIBUTE_BOOL, "False", "whether the first factor is the transposed one" },
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the product" },
  { NULL },
};

static gboolean
infer_syrk (SymRule *rule, GError **error)
{
  SymShape a;
  SymDim side;

  if (!sym_op_pass_dtype (rule, 0, 0, error) || !get_matrices (rule, 0, FALSE, &a, error))
    return FALSE;
  if (a.rank < 0)
    return TRUE;
  side = a.dims[sym_rule_get_bool (rule, "transpose", FALSE) ? a.rank - 1 : a.rank - 2];
  return sym_op_set_output (rule, 0, replace_last (a, side, side), SYM_DTYPE_UNKNOWN, error);
}

/* ---- gelqf, syevd ---- */

static int
get_two (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 2;
  return 2;
}

/* [..., m, n] -> Q [..., m, n] and L [..., m, m]. */
static gboolean
infer_gelqf (SymRule *rule, GError **error)
{
  SymShape a;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) || !sym_op_pass_shape (rule, 0, 0, error) ||
      !get_matrices (rule, 0, FALSE, &a, error))
    return FALSE;
  return a.rank < 0 ||
         sym_op_set_output (rule, 1, replace_last (a, a.dims[a.rank - 2], a.dims[a.rank - 2]),
                            SYM_DTYPE_UNKNOWN, error);
}

/* [..., n, n] -> vectors [..., n, n] and values [..., n]. */
static gboolean
infer_syevd (SymRule *rule, GError **error)
{
  SymShape a;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) || !infer_square (rule, error) ||
      !get_matrices (rule, 0, TRUE, &a, error))
    return FALSE;
  return a.rank < 0 || sym_op_set_output (rule, 1, cut_last (a, 1), SYM_DTYPE_UNKNOWN, error);
}

/* ---- sumlogdiag, det, slogdet ---- */

static gboolean
set_numbers (SymRule *rule, guint n, const SymShape *a, GError **error)
{
  SymShape out = sym_op_mxnet_finish_shape (rule, cut_last (*a, 2));

  for (guint i = 0; i < n; i++)
    if (!sym_rule_set_output (rule, i, &out, error) ||
        !sym_rule_set_output_dtype (rule, i, sym_rule_get_input_dtype (rule, 0), error))
      return FALSE;
  return TRUE;
}

static gboolean
infer_sumlogdiag (SymRule *rule, GError **error)
{
  SymShape a;

  return sym_op_pass_dtype (rule, 0, 0, error) && get_matrices (rule, 0, TRUE, &a, error) &&
         (a.rank < 0 || set_numbers (rule, 1, &a, error));
}

static int
get_n_det (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 1;
  return 3;
}

static int
get_n_slogdet (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 2;
  return 4;
}

/* Behind what is shown: the factors of the matrix, and how rows were exchanged. */
static gboolean
infer_det (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_outputs (rule);
  SymShape a, pivot;

  if (!sym_op_pass_dtype (rule, 0, 0, error) || !get_matrices (rule, 0, TRUE, &a, error))
    return FALSE;
  if (a.rank < 0 || n < 3)
    return TRUE;
  pivot = cut_last (a, 1);
  return set_numbers (rule, n - 2, &a, error) &&
         sym_op_set_output (rule, n - 2, a, sym_rule_get_input_dtype (rule, 0), error) &&
         sym_op_set_output (rule, n - 1, pivot, SYM_DTYPE_INT32, error);
}

/* ---- Diagonals and triangles ---- */

static const SymAttributeSpec offset_attributes[] = {
  { "offset", SYM_ATTRIBUTE_INT, "0", "which diagonal" },
  { NULL },
};

static const SymAttributeSpec trian_attributes[] = {
  { "offset", SYM_ATTRIBUTE_INT, "0", "which diagonal the triangle ends at" },
  { "lower", SYM_ATTRIBUTE_BOOL, "True", "whether the triangle is the lower one, at offset 0" },
  { NULL },
};

static gint64
get_offset (SymRule *rule)
{
  gint64 offset = sym_rule_get_int (rule, "offset", 0);

  return MIN (ABS (CLAMP (offset, -G_MAXINT32, G_MAXINT32)), G_MAXINT32);
}

static gboolean
infer_extractdiag (SymRule *rule, GError **error)
{
  SymShape a, out;

  if (!sym_op_pass_dtype (rule, 0, 0, error) || !get_matrices (rule, 0, TRUE, &a, error))
    return FALSE;
  if (a.rank < 0)
    return TRUE;
  out = cut_last (a, 1);
  if (out.dims[out.rank - 1] >= 0 && out.dims[out.rank - 1] <= get_offset (rule))
    return sym_rule_fail (error, "there is no diagonal so far off");
  out.dims[out.rank - 1] =
      sym_terms_subtract (sym_rule_get_terms (rule), out.dims[out.rank - 1], get_offset (rule));
  return sym_rule_set_output (rule, 0, &out, error);
}

static gboolean
infer_makediag (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  SymDim side;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 1 || data.rank == SYM_MAX_RANK)
    return TRUE;
  side = sym_terms_add (sym_rule_get_terms (rule), data.dims[data.rank - 1], get_offset (rule));
  data = sym_op_insert_axis (&data, data.rank, side);
  return sym_op_set_output (rule, 0, replace_last (data, side, side), SYM_DTYPE_UNKNOWN, error);
}

/* n less the offset is the side of the triangle: side * (side + 1) / 2 elements in a row. */
static gboolean
infer_extracttrian (SymRule *rule, GError **error)
{
  SymShape a, out;
  gint64 side;

  if (!sym_op_pass_dtype (rule, 0, 0, error) || !get_matrices (rule, 0, TRUE, &a, error))
    return FALSE;
  if (a.rank < 0)
    return TRUE;
  out = cut_last (a, 1);
  side = out.dims[out.rank - 1] - get_offset (rule);
  if (out.dims[out.rank - 1] < 0 || side > G_MAXINT32)
    out.dims[out.rank - 1] = SYM_DIM_UNKNOWN;
  else if (side < 1)
    return sym_rule_fail (error, "there is no diagonal so far off");
  else
    out.dims[out.rank - 1] = side * (side + 1) / 2;
  return sym_rule_set_output (rule, 0, &out, error);
}

static gboolean
infer_maketrian (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  SymDim n, side = SYM_DIM_UNKNOWN;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 1 || data.rank == SYM_MAX_RANK)
    return TRUE;
  n = data.dims[data.rank - 1];
  if (n >= 0 && n <= G_MAXINT32)
    {
      for (side = 1; side * (side + 1) / 2 < n;)
        side++;
      if (side * (side + 1) / 2 != n)
        return sym_rule_fail (error, "%" G_GINT64_FORMAT " elements do not fill a triangle", n);
      side += get_offset (rule);
    }
  data = sym_op_insert_axis (&data, data.rank, side);
  return sym_op_set_output (rule, 0, replace_last (data, side, side), SYM_DTYPE_UNKNOWN, error);
}

#define LINALG(name_, aliases_, summary_, attributes_, slots_, infer_)                            \
  SYM_OP_MXNET, .name = "_linalg_" name_, .aliases = "linalg_" name_ aliases_,                    \
                .summary = summary_, .reference = "MXNet 1.9.1 _linalg_" name_,                   \
                .category = SYM_CATEGORY_ELEMENTWISE, .attributes = attributes_, .slots = slots_, \
                .infer = infer_

const SymOperator sym_op_mxnet_linalg[] = {
  { LINALG ("potrf",
            "",
            "triangle whose square is a matrix",
            lower_attributes,
            a_slots,
            infer_square),
    .run = sym_op_mxnet_run_cholesky },
  { LINALG ("potri",
            "",
            "inverse of the square of a triangle",
            lower_attributes,
            a_slots,
            infer_square),
    .run = sym_op_mxnet_run_cholesky_inverse },
  { LINALG ("inverse", " _npi_inv", "inverse of a matrix", NULL, a_slots, infer_square),
    .run = sym_op_mxnet_run_inverse },
  { LINALG ("trmm", "", "product with a triangle", triangle_attributes, ab_slots, infer_triangle),
    .lower = sym_op_mxnet_lower_triangle_product },
  { LINALG ("trsm", "", "solution for a triangle", triangle_attributes, ab_slots, infer_triangle),
    .lower = sym_op_mxnet_lower_triangle_solution },
  { LINALG ("syrk", "", "product with itself transposed", syrk_attributes, a_slots, infer_syrk),
    .lower = sym_op_mxnet_lower_syrk },
  {
      LINALG ("gelqf", "", "orthonormal rows and a triangle", NULL, a_slots, infer_gelqf),
      .run = sym_op_mxnet_run_orthonormal,
      .get_n_outputs = get_two,
  },
  {
      LINALG ("syevd", "", "eigenvectors and eigenvalues", NULL, a_slots, infer_syevd),
      .run = sym_op_mxnet_run_eigen,
      .get_n_outputs = get_two,
  },
  { LINALG ("sumlogdiag",
            "",
            "sum of the logarithms of a diagonal",
            NULL,
            a_slots,
            infer_sumlogdiag),
    .lower = sym_op_mxnet_lower_sum_log_diagonal },
  {
      LINALG ("det", " _npi_det", "determinant", NULL, a_slots, infer_det),
      .run = sym_op_mxnet_run_determinant,
      .get_n_outputs = get_n_det,
  },
  {
      LINALG ("slogdet",
              " _npi_slogdet",
              "sign and logarithm of the determinant",
              NULL,
              a_slots,
              infer_det),
      .run = sym_op_mxnet_run_determinant,
      .get_n_outputs = get_n_slogdet,
  },
  { LINALG ("extractdiag",
            "",
            "diagonal of a matrix",
            offset_attributes,
            a_slots,
            infer_extractdiag),
    .lower = sym_op_mxnet_lower_extract_diagonal },
  { LINALG ("makediag", "", "matrix with a diagonal", offset_attributes, a_slots, infer_makediag),
    .lower = sym_op_mxnet_lower_make_diagonal },
  { LINALG ("extracttrian",
            "",
            "triangle of a matrix, in a row",
            trian_attributes,
            a_slots,
            infer_extracttrian),
    .lower = sym_op_mxnet_lower_extract_triangle },
  { LINALG ("maketrian", "", "matrix with a triangle", trian_attributes, a_slots, infer_maketrian),
    .lower = sym_op_mxnet_lower_make_triangle },
  { NULL },
};
