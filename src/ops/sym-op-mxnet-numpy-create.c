/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "ops/sym-op-mxnet-numpy.h"
#include "ops/sym-op-mxnet.h"

/* Tensors made of nothing, as numpy has them.  Without a dtype a program may mean float32 or
 * float64; MXNet 1.x always means float32, and so does 2.0 unless it is told otherwise. */

#define SHAPE_SPEC                                           \
  {                                                          \
    "shape", SYM_ATTRIBUTE_INTS, "()", "shape of the result" \
  }
#define CTX_SPEC                              \
  {                                           \
    "ctx", SYM_ATTRIBUTE_STRING, "", "device" \
  }
#define DTYPE_SPEC                                                 \
  {                                                                \
    "dtype", SYM_ATTRIBUTE_DTYPE, "float32", "dtype of the result" \
  }
#define SIZE_SPEC(name_, fallback_, meaning_)     \
  {                                               \
    name_, SYM_ATTRIBUTE_INT, fallback_, meaning_ \
  }

static SymDim
get_size (SymRule *rule, const char *name)
{
  gint64 size = sym_rule_get_int (rule, name, -1);

  return size >= 0 ? size : SYM_DIM_UNKNOWN;
}

static SymDType
get_dtype (SymRule *rule)
{
  return sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_FLOAT32);
}

/* ---- zeros, ones, full_like ---- */

static const SymAttributeSpec init_attributes[] = { SHAPE_SPEC, CTX_SPEC, DTYPE_SPEC, { NULL } };

static gboolean
infer_init (SymRule *rule, GError **error)
{
  SymShape shape = sym_op_mxnet_get_shape (rule, "shape");

  if (sym_attributes_find (sym_rule_get_attributes (rule), "shape") == NULL)
    shape = SYM_SHAPE ();
  return sym_op_set_output (rule, 0, shape, get_dtype (rule), error);
}

static const SymAttributeSpec full_like_attributes[] = {
  { "fill_value", SYM_ATTRIBUTE_FLOAT, NULL, "value of each element" },
  CTX_SPEC,
  { "dtype", SYM_ATTRIBUTE_DTYPE, "None", "dtype of the result; that of the data when None" },
  { NULL },
};

static const SymSlotSpec a_slots[] = { { "a" }, { NULL } };

static gboolean
infer_full_like (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_UNKNOWN);

  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, dtype, error) &&
         (dtype != SYM_DTYPE_UNKNOWN || sym_op_pass_dtype (rule, 0, 0, error));
}

/* ---- arange, logspace ---- */

static const SymAttributeSpec arange_attributes[] = {
  { "start", SYM_ATTRIBUTE_FLOAT, "0", "first number" },
  { "stop", SYM_ATTRIBUTE_FLOAT, "None", "where the numbers end, not included" },
  { "step", SYM_ATTRIBUTE_FLOAT, "1.0", "distance of the numbers" },
  { "repeat", SYM_ATTRIBUTE_INT, "1", "not used" },
  { "infer_range", SYM_ATTRIBUTE_BOOL, "False", "not used" },
  CTX_SPEC,
  DTYPE_SPEC,
  { NULL },
};

/* max (ceil ((stop - start) / step), 0); a single number given is where the range stops. */
static gboolean
infer_arange (SymRule *rule, GError **error)
{
  double start = sym_rule_get_float (rule, "start", 0);
  double stop = sym_rule_get_float (rule, "stop", (double) NAN);
  double step = sym_rule_get_float (rule, "step", 1), size;

  if (step == 0)
    return sym_rule_fail (error, "step should not be 0");
  if (isnan (stop))
    {
      stop = start;
      start = 0;
    }
  size = MAX (ceil ((stop - start) / step), 0);
  if (!(size <= 0x1p53))
    return sym_rule_fail (error, "Invalid range (start, stop, step) = (%g, %g, %g)", start, stop,
                          step);
  return sym_op_set_output (rule, 0, SYM_SHAPE ((SymDim) size), get_dtype (rule), error);
}

static const SymAttributeSpec logspace_attributes[] = {
  { "start", SYM_ATTRIBUTE_FLOAT, NULL, "exponent of the first number" },
  { "stop", SYM_ATTRIBUTE_FLOAT, NULL, "exponent of the last number, or where they end" },
  SIZE_SPEC ("num", NULL, "how many numbers"),
  { "endpoint", SYM_ATTRIBUTE_BOOL, "True", "whether stop is the last exponent" },
  { "base", SYM_ATTRIBUTE_FLOAT, "10.0", "what is raised to the exponents" },
  CTX_SPEC,
  DTYPE_SPEC,
  { NULL },
};

static gboolean
infer_logspace (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, SYM_SHAPE (get_size (rule, "num")), get_dtype (rule), error);
}

/* ---- eye, identity, tri ---- */

static const SymAttributeSpec eye_attributes[] = {
  SIZE_SPEC ("N", NULL, "number of rows"),
  SIZE_SPEC ("M", "None", "number of columns; as many as rows when None"),
  SIZE_SPEC ("k", "0", "which diagonal"),
  CTX_SPEC,
  DTYPE_SPEC,
  { NULL },
};

static gboolean
infer_eye (SymRule *rule, GError **error)
{
  SymDim rows = get_size (rule, "N"), columns = get_size (rule, "M");

  return sym_op_set_output (rule, 0, SYM_SHAPE (rows, columns >= 0 ? columns : rows),
                            get_dtype (rule), error);
}

static gboolean
infer_identity (SymRule *rule, GError **error)
{
  SymShape shape = sym_op_mxnet_get_shape (rule, "shape");

  if (shape.rank >= 0 && shape.rank != 2)
    return sym_rule_fail (error, "shape has %d axes; it should have 2", shape.rank);
  return sym_op_set_output (rule, 0, shape, get_dtype (rule), error);
}

/* ---- indices, tril_indices, diag_indices_from ---- */

static const SymAttributeSpec indices_attributes[] = {
  { "dimensions", SYM_ATTRIBUTE_INTS, NULL, "shape whose indices are given" },
  { "dtype", SYM_ATTRIBUTE_DTYPE, "int32", "dtype of the result" },
  CTX_SPEC,
  { NULL },
};

/* An array of indices for each axis. */
static gboolean
infer_indices (SymRule *rule, GError **error)
{
  SymShape shape = sym_op_mxnet_get_shape (rule, "dimensions");

  if (shape.rank >= SYM_MAX_RANK)
    return sym_rule_fail (error, "dimensions has more than %d axes", SYM_MAX_RANK - 1);
  if (shape.rank >= 0)
    shape = sym_op_insert_axis (&shape, 0, shape.rank);
  return sym_op_set_output (rule, 0, shape, sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_INT32),
                            error);
}

static const SymAttributeSpec tril_indices_attributes[] = {
  SIZE_SPEC ("n", NULL, "number of rows"),
  SIZE_SPEC ("k", "0", "diagonal that the triangle ends at"),
  SIZE_SPEC ("m", NULL, "number of columns"),
  { NULL },
};

static int
get_two (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 2;
  return 2;
}

/* The rows and the columns of all elements up to diagonal k. */
static gboolean
infer_tril_indices (SymRule *rule, GError **error)
{
  gint64 rows = sym_rule_get_int (rule, "n", -1), columns = sym_rule_get_int (rule, "m", rows);
  gint64 k = sym_rule_get_int (rule, "k", 0);
  SymDim n = SYM_DIM_UNKNOWN;

  if (rows >= 0 && rows <= G_MAXUINT16 && columns >= 0 && columns <= G_MAXINT32 &&
      ABS (k) <= G_MAXINT32)
    {
      n = 0;
      for (gint64 i = 0; i < rows; i++)
        n += CLAMP (i + k + 1, 0, columns);
    }
  return sym_op_set_output (rule, 0, SYM_SHAPE (n), SYM_DTYPE_INT64, error) &&
         sym_op_set_output (rule, 1, SYM_SHAPE (n), SYM_DTYPE_INT64, error);
}

static gboolean
infer_diag_indices (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);

  if (!sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_INT64, error))
    return FALSE;
  if (data.rank < 0)
    return TRUE;
  if (data.rank < 2)
    return sym_rule_fail (error, "input array should be at least 2d, but has %d axes", data.rank);
  for (int i = 1; i < data.rank; i++)
    if (!sym_rule_unify (rule, data.dims[i], data.dims[0], "all dimensions should be equal", error))
      return FALSE;
  return sym_op_set_output (rule, 0, SYM_SHAPE (data.rank, data.dims[0]), SYM_DTYPE_UNKNOWN, error);
}

/* ---- Windows ---- */

static const SymAttributeSpec window_attributes[] = {
  SIZE_SPEC ("M", NULL, "how many numbers"),
  CTX_SPEC,
  DTYPE_SPEC,
  { NULL },
};

static gboolean
infer_window (SymRule *rule, GError **error)
{
  gint64 size = sym_rule_get_int (rule, "M", -1);

  return sym_op_set_output (rule, 0, SYM_SHAPE (MAX (size, 0)), get_dtype (rule), error);
}

#define CREATE(name_, summary_, attributes_, slots_, infer_, lower_)                 \
  SYM_OP_MXNET, .name = name_, .summary = summary_, .reference = "MXNet 2.0 " name_, \
                .attributes = attributes_, .slots = slots_, .infer = infer_, .lower = lower_

#define MAKE(name_, summary_, attributes_, infer_, lower_)                   \
  {                                                                          \
    CREATE (name_, summary_, attributes_, sym_op_mxnet_none, infer_, lower_) \
  }

const SymOperator sym_op_mxnet_numpy_create[] = {
  MAKE ("_npi_zeros", "zeros", init_attributes, infer_init, sym_op_mxnet_lower_filled),
  MAKE ("_npi_ones", "ones", init_attributes, infer_init, sym_op_mxnet_lower_filled),
  MAKE ("_npi_identity",
        "ones on the diagonal",
        init_attributes,
        infer_identity,
        sym_op_mxnet_lower_triangle),
  MAKE ("_npi_eye", "ones on a diagonal", eye_attributes, infer_eye, sym_op_mxnet_lower_triangle),
  MAKE ("_npi_tri",
        "ones up to a diagonal",
        eye_attributes,
        infer_eye,
        sym_op_mxnet_lower_triangle),
  MAKE ("_npi_arange",
        "numbers at even distance",
        arange_attributes,
        infer_arange,
        sym_op_mxnet_lower_range),
  MAKE ("_npi_logspace",
        "powers at even distance",
        logspace_attributes,
        infer_logspace,
        sym_op_mxnet_lower_spaced),
  MAKE ("_npi_indices",
        "the indices of each element",
        indices_attributes,
        infer_indices,
        sym_op_mxnet_lower_indices),
  MAKE ("_npi_hanning",
        "Hanning window",
        window_attributes,
        infer_window,
        sym_op_mxnet_lower_window),
  MAKE ("_npi_hamming",
        "Hamming window",
        window_attributes,
        infer_window,
        sym_op_mxnet_lower_window),
  MAKE ("_npi_blackman",
        "Blackman window",
        window_attributes,
        infer_window,
        sym_op_mxnet_lower_window),
  {
      CREATE ("_npi_tril_indices",
              "where the elements of a triangle are",
              tril_indices_attributes,
              sym_op_mxnet_none,
              infer_tril_indices,
              sym_op_mxnet_lower_triangle_indices),
      .get_n_outputs = get_two,
  },
  { CREATE ("_npi_full_like",
            "one value everywhere, in the shape of another tensor",
            full_like_attributes,
            a_slots,
            infer_full_like,
            sym_op_mxnet_lower_filled) },
  { CREATE ("_npi_diag_indices_from",
            "where the elements of the diagonal are",
            NULL,
            sym_op_mxnet_data,
            infer_diag_indices,
            sym_op_mxnet_lower_diagonal_indices) },
  { NULL },
};
