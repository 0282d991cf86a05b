/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-linalg-kernels.h"
#include "ops/sym-op-mxnet.h"

/* Linear algebra as numpy has it: matrices are the last two axes, any others are of batches. */

static const SymSlotSpec a_slots[] = { { "A" }, { NULL } };
static const SymSlotSpec ab_slots[] = { { "A" }, { "B" }, { NULL } };
static const SymSlotSpec rcond_slots[] = { { "A" }, { "rcond" }, { NULL } };
static const SymSlotSpec m_slots[] = { { "M" }, { NULL } };
static const SymSlotSpec tol_slots[] = { { "M" }, { "tol" }, { NULL } };
static const SymSlotSpec tensor_slots[] = { { "a" }, { NULL } };

static const SymAttributeSpec lower_attributes[] = {
  { "lower", SYM_ATTRIBUTE_BOOL, "True", "whether the triangle is the lower one" },
  { NULL },
};

static const SymAttributeSpec uplo_attributes[] = {
  { "UPLO", SYM_ATTRIBUTE_STRING, "L", "L or U: which triangle is read", "L U" },
  { NULL },
};

static const SymAttributeSpec hermitian_attributes[] = {
  { "hermitian", SYM_ATTRIBUTE_BOOL, "False", "whether matrices are symmetric" },
  { NULL },
};

static const SymAttributeSpec rcond_attributes[] = {
  { "rcond", SYM_ATTRIBUTE_FLOAT, "1e-15", "what counts as 0" },
  { "hermitian", SYM_ATTRIBUTE_BOOL, "False", "whether matrices are symmetric" },
  { NULL },
};

static const SymAttributeSpec none_tol_attributes[] = {
  { "hermitian", SYM_ATTRIBUTE_BOOL, "False", "whether matrices are symmetric" },
  { "finfoEps32", SYM_ATTRIBUTE_FLOAT, "0.0", "precision of float32" },
  { "finfoEps64", SYM_ATTRIBUTE_FLOAT, "0.0", "precision of float64" },
  { NULL },
};

static int
get_two (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 2;
  return 2;
}

static int
get_three (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 3;
  return 3;
}

/* Results are float32 when the first @n operands are, else float64: integers count as that. */
static gboolean
promote (SymRule *rule, guint n, GError **error)
{
  SymDType result = SYM_DTYPE_FLOAT32;

  for (guint i = 0; i < n; i++)
    {
      SymDType dtype = sym_rule_get_input_dtype (rule, i);

      if (dtype == SYM_DTYPE_UNKNOWN)
        return TRUE;
      if (dtype == SYM_DTYPE_FLOAT16)
        return sym_rule_fail (error, "array type float16 is unsupported in linalg");
      if (dtype != SYM_DTYPE_FLOAT32)
        result = SYM_DTYPE_FLOAT64;
    }
  for (guint i = 0; i < sym_rule_get_n_outputs (rule); i++)
    if (!sym_rule_set_output_dtype (rule, i, result, error))
      return FALSE;
  return TRUE;
}

/* Operand 0, a matrix; of unknown rank as long as that is not known. */
static gboolean
start (SymRule *rule, gboolean square, SymShape *a, GError **error)
{
  *a = sym_rule_get_input (rule, 0);
  if (a->rank < 0)
    return TRUE;
  if (a->rank < 2)
    return sym_rule_fail (error,
                          "%d-dimensional array given. Array must be at least "
                          "two-dimensional",
                          a->rank);
  if (square && !sym_rule_unify (rule, a->dims[a->rank - 1], a->dims[a->rank - 2],
                                 "sides of a square matrix", error))
    return FALSE;
  *a = sym_rule_get_input (rule, 0);
  return TRUE;
}

static SymShape
replace_last (SymShape shape, SymDim rows, SymDim columns)
{
  shape.dims[shape.rank - 2] = rows;
  shape.dims[shape.rank - 1] = columns;
  return shape;
}

static gboolean
set_output (SymRule *rule, guint i, SymShape shape, GError **error)
{
  return sym_rule_set_output (rule, i, &shape, error);
}

/* The lesser of both sides. */
static SymDim
get_least (const SymShape *a)
{
  SymDim rows = a->dims[a->rank - 2], columns = a->dims[a->rank - 1];

  if (rows == columns)
    return rows;
  return rows >= 0 && columns >= 0 ? MIN (rows, columns) : SYM_DIM_UNKNOWN;
}

static gboolean
infer_cholesky (SymRule *rule, GError **error)
{
  SymShape a;

  return start (rule, TRUE, &a, error) && sym_op_pass (rule, 0, 0, error);
}

/* [..., m, n] -> [..., m, m], [..., m] and [..., m, n], m not above n. */
static gboolean
infer_svd (SymRule *rule, GError **error)
{
  SymShape a, values;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) || !sym_op_pass_shape (rule, 0, 2, error) ||
      !start (rule, FALSE, &a, error))
    return FALSE;
  if (a.rank < 0)
    return TRUE;
  if (a.dims[a.rank - 1] >= 0 && a.dims[a.rank - 2] > a.dims[a.rank - 1])
    return sym_rule_fail (error, "a matrix should not have more rows than columns");
  values = a;
  values.rank--;
  return set_output (rule, 0, replace_last (a, a.dims[a.rank - 2], a.dims[a.rank - 2]), error) &&
         set_output (rule, 1, values, error) && set_output (rule, 2, a, error);
}

/* [..., n, n] -> values [..., n] and vectors [..., n, n]; the values alone tell the rest. */
static gboolean
infer_eig (SymRule *rule, GError **error)
{
  SymShape a, values = sym_rule_get_output (rule, 0);

  if (!promote (rule, 1, error) ||
      (sym_rule_get_n_outputs (rule) > 1 && !sym_op_pass_shape (rule, 0, 1, error)))
    return FALSE;
  if (values.rank > 0 && values.rank < SYM_MAX_RANK &&
      !sym_op_set_input (
          rule, 0, sym_op_insert_axis (&values, values.rank, values.dims[values.rank - 1]), error))
    return FALSE;
  if (!start (rule, TRUE, &a, error))
    return FALSE;
  if (a.rank < 0)
    return TRUE;
  values = a;
  values.rank--;
  return set_output (rule, 0, values, error) && set_output (rule, 1, a, error);
}

/* [..., m, n] -> [..., m, k] and [..., k, n], k the lesser side. */
static gboolean
infer_qr (SymRule *rule, GError **error)
{
  SymShape a;
  SymDim least;

  if (!promote (rule, 1, error) || !start (rule, FALSE, &a, error))
    return FALSE;
  if (a.rank < 0)
    return TRUE;
  least = get_least (&a);
  return set_output (rule, 0, replace_last (a, a.dims[a.rank - 2], least), error) &&
         set_output (rule, 1, replace_last (a, least, a.dims[a.rank - 1]), error);
}

/* [..., n, n] and [..., n, k], or [..., n] with one axis less -> as the second. */
static gboolean
infer_solve (SymRule *rule, GError **error)
{
  SymShape a, b;
  int rows;

  if (!promote (rule, 2, error) || !start (rule, TRUE, &a, error) ||
      !sym_op_pass_shape (rule, 1, 0, error))
    return FALSE;
  b = sym_rule_get_input (rule, 1);
  if (a.rank < 0 || b.rank < 0)
    return TRUE;
  if (b.rank != a.rank && b.rank != a.rank - 1)
    return sym_rule_fail (error, "A has %d axes, so B should have %d or %d, not %d", a.rank,
                          a.rank - 1, a.rank, b.rank);
  for (int i = 0; i < a.rank - 2; i++)
    if (!sym_rule_unify (rule, b.dims[i], a.dims[i], "batch axis of B", error))
      return FALSE;
  rows = b.rank == a.rank ? b.rank - 2 : b.rank - 1;
  return sym_rule_unify (rule, b.dims[rows], a.dims[a.rank - 1], "rows of B", error);
}

/* [..., m, n] -> [..., n, m], and back. */
static gboolean
infer_pinv (SymRule *rule, GError **error)
{
  SymShape a, out = sym_rule_get_output (rule, 0);

  if (!promote (rule, 1, error) ||
      (out.rank > 1 &&
       !sym_op_set_input (
           rule, 0, replace_last (out, out.dims[out.rank - 1], out.dims[out.rank - 2]), error)) ||
      !start (rule, FALSE, &a, error))
    return FALSE;
  return a.rank < 0 ||
         set_output (rule, 0, replace_last (a, a.dims[a.rank - 1], a.dims[a.rank - 2]), error);
}

/* The rank of each matrix [..., m, n], or of each with each tolerance that broadcasts with it. */
static gboolean
infer_rank (SymRule *rule, GError **error)
{
  SymShape a = sym_rule_get_input (rule, 0), tol = sym_rule_get_input (rule, 1);
  gboolean has_tol = sym_rule_get_n_inputs (rule) > 1;

  if (!sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_INT64, error))
    return FALSE;
  if (a.rank < 0 || (has_tol && tol.rank < 0))
    return TRUE;
  if (a.rank < 2)
    return set_output (rule, 0, SYM_SHAPE (), error);
  a.rank -= 2;
  return (!has_tol || sym_op_mxnet_broadcast (&a, &tol, &a, error)) &&
         sym_rule_set_output (rule, 0, &a, error);
}

/* [m, n] and [m, k] or [m] -> [n, k] or [n], residuals, rank, and as many singular values as the
 * lesser side.  Residuals are there only when the rank is full. */
static gboolean
infer_lstsq (SymRule *rule, GError **error)
{
  SymShape a, b = sym_rule_get_input (rule, 1), scalar = SYM_SHAPE ();
  SymDType dtype;

  if (!start (rule, FALSE, &a, error) || !sym_rule_set_output (rule, 2, &scalar, error))
    return FALSE;
  dtype = sym_rule_get_input_dtype (rule, 0);
  if (dtype != SYM_DTYPE_FLOAT64)
    dtype = sym_rule_get_input_dtype (rule, 1) == dtype ? dtype : SYM_DTYPE_UNKNOWN;
  if (sym_rule_get_input_dtype (rule, 1) == SYM_DTYPE_FLOAT64)
    dtype = SYM_DTYPE_FLOAT64;
  for (guint i = 0; i < 4; i++)
    if (i != 2 && !sym_rule_set_output_dtype (rule, i, dtype, error))
      return FALSE;
  if (a.rank < 0 || b.rank < 0)
    return TRUE;
  if (a.rank != 2 || b.rank < 1 || b.rank > 2)
    return sym_rule_fail (error, "A should have 2 axes and B 1 or 2, not %d and %d", a.rank,
                          b.rank);
  if (!sym_rule_unify (rule, b.dims[0], a.dims[0], "rows of B", error))
    return FALSE;
  b.dims[0] = a.dims[1];
  return set_output (rule, 0, b, error) &&
         sym_op_set_output (rule, 1, SYM_SHAPE (SYM_DIM_UNKNOWN), SYM_DTYPE_UNKNOWN, error) &&
         sym_op_set_output (rule, 3, SYM_SHAPE (get_least (&a)), SYM_DTYPE_UNKNOWN, error);
}

/* ---- tensorinv ---- */

static const SymAttributeSpec ind_attributes[] = {
  { "ind", SYM_ATTRIBUTE_INT, "2", "number of first axes that come last in the inverse" },
  { NULL },
};

/* The first ind axes come last; all of them stay in their order. */
static gboolean
infer_tensorinv (SymRule *rule, GError **error)
{
  gint64 ind = sym_rule_get_int (rule, "ind", 2);
  SymShape a = sym_rule_get_input (rule, 0), out = { .rank = 0 };
  int first;

  if (!promote (rule, 1, error))
    return FALSE;
  if (ind < 1 || a.rank == 0)
    return sym_rule_fail (error, "ind is %" G_GINT64_FORMAT " for %d axes", ind, a.rank);
  if (a.rank < 0)
    return TRUE;
  first = ind < a.rank ? (int) ind : 0;
  for (int i = 0; i < a.rank; i++)
    out.dims[out.rank++] = a.dims[(i + first) % a.rank];
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- tensorsolve ---- */

static const SymAttributeSpec axes_attributes[] = {
  { "a_axes", SYM_ATTRIBUTE_INTS, "()", "axes that are moved to the end before" },
  { NULL },
};

static const SymSlotSpec tensors_slots[] = { { "a" }, { "b" }, { NULL } };

/* Marks the axes that move and counts them. */
static gboolean
get_moved (SymRule *rule, int rank, int *moved, int *n_moved, GError **error)
{
  gint64 axes[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "a_axes", axes, SYM_MAX_RANK);
  guint seen = 0;

  if (n > rank)
    return sym_rule_fail (error, "a_axes has %d axes of %d", n, rank);
  *n_moved = MAX (n, 0);
  for (int i = 0; i < n; i++)
    {
      if (!sym_op_normalize_axis (axes[i], rank, &moved[i], error))
        return FALSE;
      if (seen & 1u << moved[i])
        return sym_rule_fail (error, "a_axes has axis %d twice", moved[i]);
      seen |= 1u << moved[i];
    }
  return TRUE;
}

/* The shape of a with the axes of a_axes last. */
static gboolean
reorder (SymRule *rule, SymShape *a, GError **error)
{
  SymShape from = *a;
  int moved[SYM_MAX_RANK], n_moved, n = 0;

  if (!get_moved (rule, from.rank, moved, &n_moved, error))
    return FALSE;
  for (int i = 0; i < from.rank; i++)
    {
      gboolean stays = TRUE;

      for (int k = 0; k < n_moved; k++)
        stays = stays && moved[k] != i;
      if (stays)
        a->dims[n++] = from.dims[i];
    }
  for (int k = 0; k < n_moved; k++)
    a->dims[n++] = from.dims[moved[k]];
  return TRUE;
}

/* a [b..., x...] and b -> x: what a has beyond the axes of b. */
static gboolean
infer_tensorsolve (SymRule *rule, GError **error)
{
  SymShape a = sym_rule_get_input (rule, 0), b = sym_rule_get_input (rule, 1), out = { .rank = 0 };
  int n_first;

  if (!promote (rule, 2, error))
    return FALSE;
  if (a.rank < 0 || b.rank < 0)
    return TRUE;
  if (a.rank == 0 || b.rank == 0)
    return sym_rule_set_output (rule, 0, &a, error);
  if (!reorder (rule, &a, error))
    return FALSE;
  n_first = a.rank > b.rank ? b.rank : b.rank - a.rank;
  for (int i = n_first; i < a.rank; i++)
    out.dims[out.rank++] = a.dims[i];
  return sym_rule_set_output (rule, 0, &out, error);
}

static const SymAttributeSpec lstsq_attributes[] = {
  { "rcond", SYM_ATTRIBUTE_FLOAT, "-1.0", "what counts as 0" },
  { "finfoEps32", SYM_ATTRIBUTE_FLOAT, "0.0", "precision of float32" },
  { "finfoEps64", SYM_ATTRIBUTE_FLOAT, "0.0", "precision of float64" },
  { "new_default", SYM_ATTRIBUTE_BOOL, "False", "whether rcond is that of the precision" },
  { NULL },
};

static int
get_four (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 4;
  return 4;
}

#define LINALG(name_, summary_, attributes_, slots_, infer_)                                      \
  SYM_OP_MXNET, .name = "_npi_" name_, .summary = summary_, .reference = "MXNet 2.0 _npi_" name_, \
                .category = SYM_CATEGORY_ELEMENTWISE, .attributes = attributes_, .slots = slots_, \
                .infer = infer_

const SymOperator sym_op_mxnet_numpy_linalg[] = {
  { LINALG ("cholesky",
            "triangle whose square is a matrix",
            lower_attributes,
            a_slots,
            infer_cholesky),
    .run = sym_op_mxnet_run_cholesky },
  { LINALG ("svd", "singular vectors and values", NULL, a_slots, infer_svd),
    .run = sym_op_mxnet_run_singular, .get_n_outputs = get_three },
  { LINALG ("eig", "eigenvalues and eigenvectors", NULL, a_slots, infer_eig),
    .get_n_outputs = get_two },
  { LINALG ("eigh",
            "eigenvalues and eigenvectors of a symmetric matrix",
            uplo_attributes,
            a_slots,
            infer_eig),
    .run = sym_op_mxnet_run_eigen, .get_n_outputs = get_two },
  { LINALG ("eigvals", "eigenvalues", NULL, a_slots, infer_eig) },
  { LINALG ("eigvalsh", "eigenvalues of a symmetric matrix", uplo_attributes, a_slots, infer_eig),
    .run = sym_op_mxnet_run_eigen },
  { LINALG ("qr", "orthonormal columns and a triangle", NULL, a_slots, infer_qr),
    .run = sym_op_mxnet_run_orthonormal, .get_n_outputs = get_two },
  { LINALG ("solve", "solution of linear equations", NULL, ab_slots, infer_solve),
    .run = sym_op_mxnet_run_solve },
  { LINALG ("pinv", "pseudo-inverse", hermitian_attributes, rcond_slots, infer_pinv),
    .run = sym_op_mxnet_run_pseudo_inverse },
  { LINALG ("pinv_scalar_rcond", "pseudo-inverse", rcond_attributes, a_slots, infer_pinv),
    .run = sym_op_mxnet_run_pseudo_inverse },
  { LINALG ("matrix_rank", "rank of a matrix", hermitian_attributes, tol_slots, infer_rank),
    .run = sym_op_mxnet_run_rank },
  { LINALG ("matrix_rank_none_tol", "rank of a matrix", none_tol_attributes, m_slots, infer_rank),
    .run = sym_op_mxnet_run_rank },
  { LINALG ("tensorinv", "inverse of a tensor", ind_attributes, tensor_slots, infer_tensorinv),
    .lower = sym_op_mxnet_lower_tensor_inverse },
  { LINALG ("tensorsolve",
            "solution of linear equations of tensors",
            axes_attributes,
            tensors_slots,
            infer_tensorsolve) },
  { LINALG ("lstsq",
            "solution of linear equations with the least squares",
            lstsq_attributes,
            ab_slots,
            infer_lstsq),
    .get_n_outputs = get_four },
  { NULL },
};
