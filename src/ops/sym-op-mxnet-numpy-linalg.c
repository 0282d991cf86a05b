/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet.h"

/* Linear algebra as numpy has it: matrices are the last two axes, any others are of batches. */

static const SymSlotSpec a_slots[] = { { "A" }, { NULL } };
static const SymSlotSpec ab_slots[] = { { "A" }, { "B" }, { NULL } };
static const SymSlotSpec rcond_slots[] = { { "A" }, { "rcond" }, { NULL } };
static const SymSlotSpec tol_slots[] = { { "M" }, { "tol" }, { NULL } };

static const SymAttributeSpec lower_attributes[] = {
  { "lower", SYM_ATTRIBUTE_BOOL, "True", "whether the triangle is the lower one" },
  { NULL },
};

static const SymAttributeSpec uplo_attributes[] = {
  { "UPLO", SYM_ATTRIBUTE_STRING, "L", "L or U: which triangle is read" },
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

/* Operand 0; of unknown rank as long as that is not known.  Floats keep their dtype. */
static gboolean
start (SymRule *rule, gboolean square, SymShape *a, GError **error)
{
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);

  for (guint i = 0; i < sym_rule_get_n_outputs (rule) && sym_dtype_is_floating (dtype); i++)
    if (!sym_rule_set_output_dtype (rule, i, dtype, error))
      return FALSE;
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

/* [..., m, n] -> [..., m, m], [..., m] and [..., m, n]. */
static gboolean
infer_svd (SymRule *rule, GError **error)
{
  SymShape a, values;

  if (!start (rule, FALSE, &a, error))
    return FALSE;
  if (a.rank < 0)
    return TRUE;
  values = a;
  values.rank--;
  return set_output (rule, 0, replace_last (a, a.dims[a.rank - 2], a.dims[a.rank - 2]), error) &&
         set_output (rule, 1, values, error) && set_output (rule, 2, a, error);
}

/* [..., n, n] -> values [..., n] and vectors [..., n, n]. */
static gboolean
infer_eig (SymRule *rule, GError **error)
{
  SymShape a, values;

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

  if (!start (rule, FALSE, &a, error))
    return FALSE;
  if (a.rank < 0)
    return TRUE;
  least = get_least (&a);
  return set_output (rule, 0, replace_last (a, a.dims[a.rank - 2], least), error) &&
         set_output (rule, 1, replace_last (a, least, a.dims[a.rank - 1]), error);
}

/* [..., n, n] and [..., n, k] or [n] -> as the second. */
static gboolean
infer_solve (SymRule *rule, GError **error)
{
  SymShape a, b;

  if (!start (rule, TRUE, &a, error) || !sym_op_pass_shape (rule, 1, 0, error))
    return FALSE;
  b = sym_rule_get_input (rule, 1);
  if (a.rank < 0 || b.rank < 1)
    return TRUE;
  return sym_rule_unify (rule, b.dims[b.rank == 1 ? 0 : b.rank - 2], a.dims[a.rank - 1],
                         "rows of the second", error);
}

static gboolean
infer_pinv (SymRule *rule, GError **error)
{
  SymShape a;

  if (!start (rule, FALSE, &a, error))
    return FALSE;
  return a.rank < 0 ||
         set_output (rule, 0, replace_last (a, a.dims[a.rank - 1], a.dims[a.rank - 2]), error);
}

static gboolean
infer_rank (SymRule *rule, GError **error)
{
  SymShape a = sym_rule_get_input (rule, 0);

  if (!sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_INT64, error))
    return FALSE;
  if (a.rank < 0)
    return TRUE;
  a.rank = MAX (a.rank - 2, 0);
  return sym_rule_set_output (rule, 0, &a, error);
}

/* ---- tensorinv ---- */

static const SymAttributeSpec ind_attributes[] = {
  { "ind", SYM_ATTRIBUTE_INT, "2", "number of first axes that come last in the inverse" },
  { NULL },
};

static gboolean
infer_tensorinv (SymRule *rule, GError **error)
{
  gint64 ind = sym_rule_get_int (rule, "ind", 2);
  SymShape a = sym_rule_get_input (rule, 0), out = { .rank = 0 };

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (a.rank < 0)
    return TRUE;
  if (ind < 1 || ind > a.rank)
    return sym_rule_fail (error, "ind is %" G_GINT64_FORMAT " for %d axes", ind, a.rank);
  for (int i = 0; i < a.rank; i++)
    out.dims[out.rank++] = a.dims[(i + (int) ind) % a.rank];
  return sym_rule_set_output (rule, 0, &out, error);
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
            infer_cholesky) },
  { LINALG ("svd", "singular vectors and values", NULL, a_slots, infer_svd),
    .get_n_outputs = get_three },
  { LINALG ("eig", "eigenvalues and eigenvectors", NULL, a_slots, infer_eig),
    .get_n_outputs = get_two },
  { LINALG ("eigh",
            "eigenvalues and eigenvectors of a symmetric matrix",
            uplo_attributes,
            a_slots,
            infer_eig),
    .get_n_outputs = get_two },
  { LINALG ("eigvals", "eigenvalues", NULL, a_slots, infer_eig) },
  { LINALG ("eigvalsh", "eigenvalues of a symmetric matrix", uplo_attributes, a_slots, infer_eig) },
  { LINALG ("qr", "orthonormal columns and a triangle", NULL, a_slots, infer_qr),
    .get_n_outputs = get_two },
  { LINALG ("solve", "solution of linear equations", NULL, ab_slots, infer_solve) },
  { LINALG ("pinv", "pseudo-inverse", hermitian_attributes, rcond_slots, infer_pinv) },
  { LINALG ("pinv_scalar_rcond", "pseudo-inverse", rcond_attributes, a_slots, infer_pinv) },
  { LINALG ("matrix_rank", "rank of a matrix", hermitian_attributes, tol_slots, infer_rank) },
  { LINALG ("matrix_rank_none_tol",
            "rank of a matrix",
            hermitian_attributes,
            a_slots,
            infer_rank) },
  { LINALG ("tensorinv", "inverse of a tensor", ind_attributes, a_slots, infer_tensorinv) },
  { NULL },
};
