/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-numpy.h"
#include "ops/sym-op-mxnet.h"

/* Elements picked, put in, taken out and found, as numpy has it.  How many are found is often only
 * known when it runs. */

static const SymSlotSpec indices_slots[] = { { "data" }, { "indices" }, { NULL } };
static const SymSlotSpec mask_slots[] = { { "data" }, { "mask" }, { NULL } };
static const SymSlotSpec value_slots[] = { { "data" }, { "mask" }, { "value" }, { NULL } };
static const SymSlotSpec modify_slots[] = { { "a" }, { "ind" }, { "val" }, { NULL } };

static gboolean
infer_like_first (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

/* ---- Indexing with a tensor ---- */

/* A mask keeps some rows; indices take rows. */
static gboolean
infer_advanced (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), indices = sym_rule_get_input (rule, 1);
  SymDType dtype = sym_rule_get_input_dtype (rule, 1);
  gboolean is_mask = dtype == SYM_DTYPE_BOOL;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 1 || indices.rank < 0 || dtype == SYM_DTYPE_UNKNOWN)
    return TRUE;
  if (is_mask && indices.rank > data.rank)
    return sym_rule_fail (error, "a mask of %d axes is too large for %d", indices.rank, data.rank);
  for (int i = 0; is_mask && i < indices.rank; i++)
    if (!sym_rule_unify (rule, indices.dims[i], data.dims[i], "axis of the mask", error))
      return FALSE;
  for (int i = is_mask ? indices.rank : 1; i < data.rank; i++)
    {
      int at = is_mask ? 1 + i - indices.rank : indices.rank + i - 1;

      if (at >= SYM_MAX_RANK)
        return sym_rule_fail (error, "the result has more than %d axes", SYM_MAX_RANK);
      indices.dims[at] = data.dims[i];
    }
  if (is_mask)
    indices.dims[0] = SYM_DIM_UNKNOWN;
  indices.rank = is_mask ? 1 + data.rank - indices.rank : indices.rank + data.rank - 1;
  return sym_rule_set_output (rule, 0, &indices, error);
}

/* ---- unique, nonzero, bincount ---- */

static const SymAttributeSpec unique_attributes[] = {
  { "return_index", SYM_ATTRIBUTE_BOOL, "False", "whether the first places are given" },
  { "return_inverse", SYM_ATTRIBUTE_BOOL, "False", "whether it is given which each element is" },
  { "return_counts", SYM_ATTRIBUTE_BOOL, "False", "whether it is given how often each comes" },
  { "axis", SYM_ATTRIBUTE_INT, "None", "axis whose parts are compared; elements when None" },
  { NULL },
};

static int
get_n_unique (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 1 + (sym_op_get_bool (attributes, "return_index", FALSE) ? 1 : 0) +
               (sym_op_get_bool (attributes, "return_inverse", FALSE) ? 1 : 0) +
               (sym_op_get_bool (attributes, "return_counts", FALSE) ? 1 : 0);
  return *n_visible;
}

static gboolean
infer_unique (SymRule *rule, GError **error)
{
  gint64 given = sym_rule_get_int (rule, "axis", G_MAXINT64);
  SymShape out = sym_rule_get_input (rule, 0), vector = SYM_SHAPE (SYM_DIM_UNKNOWN);
  int axis;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  for (guint i = 1; i < sym_rule_get_n_outputs (rule); i++)
    if (!sym_op_set_output (rule, i, vector, SYM_DTYPE_INT64, error))
      return FALSE;
  if (given == G_MAXINT64)
    return sym_rule_set_output (rule, 0, &vector, error);
  if (out.rank < 0)
    return TRUE;
  if (!sym_op_normalize_axis (given, out.rank, &axis, error))
    return FALSE;
  out.dims[axis] = SYM_DIM_UNKNOWN;
  return sym_rule_set_output (rule, 0, &out, error);
}

/* A row of indices for each element found. */
static gboolean
infer_nonzero (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  SymDim rank = data.rank >= 0 ? data.rank : SYM_DIM_UNKNOWN;

  return sym_op_set_output (rule, 0, SYM_SHAPE (SYM_DIM_UNKNOWN, rank), SYM_DTYPE_INT64, error);
}

static const SymAttributeSpec bincount_attributes[] = {
  { "minlength", SYM_ATTRIBUTE_INT, "0", "least number of counts" },
  { "has_weights", SYM_ATTRIBUTE_BOOL, "False", "whether elements have weights" },
  { NULL },
};

static const SymSlotSpec bincount_slots[] = { { "data" },
                                              { "weights", SYM_SLOT_DATA, TRUE },
                                              { NULL } };

static int
get_n_bincount (const SymAttributes *attributes)
{
  return sym_op_get_bool (attributes, "has_weights", FALSE) ? 2 : 1;
}

static gboolean
infer_bincount (SymRule *rule, GError **error)
{
  gboolean weighted = get_n_bincount (sym_rule_get_attributes (rule)) == 2;
  SymShape data = sym_rule_get_input (rule, 0);

  return (!weighted || sym_rule_set_input (rule, 1, &data, error)) &&
         sym_op_set_output (rule, 0, SYM_SHAPE (SYM_DIM_UNKNOWN),
                            sym_rule_get_input_dtype (rule, weighted ? 1 : 0), error);
}

/* ---- delete, insert ---- */

#define PLACE_SPECS                                                       \
  { "start", SYM_ATTRIBUTE_INT, "None", "where a slice begins" },         \
      { "stop", SYM_ATTRIBUTE_INT, "None", "where a slice ends" },        \
      { "step", SYM_ATTRIBUTE_INT, "None", "step of a slice" },           \
      { "int_ind", SYM_ATTRIBUTE_INT, "None", "a single place" },         \
  {                                                                       \
    "axis", SYM_ATTRIBUTE_INT, "None", "axis along which; flat when None" \
  }

static const SymAttributeSpec delete_attributes[] = { PLACE_SPECS, { NULL } };
static const SymAttributeSpec insert_attributes[] = {
  { "val", SYM_ATTRIBUTE_FLOAT, "None", "what is put in, when it is no tensor" },
  PLACE_SPECS,
  { NULL },
};

static const SymSlotSpec delete_slots[] = { { "arr" }, { "obj", SYM_SLOT_DATA, TRUE }, { NULL } };
static const SymSlotSpec insert_slots[] = { { "arr" },
                                            { "values", SYM_SLOT_DATA, TRUE },
                                            { "obj", SYM_SLOT_DATA, TRUE },
                                            { NULL } };

static gboolean
is_number (const SymAttributes *attributes, const char *name)
{
  const SymValue *value = sym_attributes_find (attributes, name);
  double number;

  return value != NULL && sym_value_get_float (value, &number);
}

/* Without a slice or a place a tensor tells the places. */
static int
get_n_delete (const SymAttributes *attributes)
{
  return is_number (attributes, "step") || is_number (attributes, "int_ind") ? 1 : 2;
}

static int
get_n_insert (const SymAttributes *attributes)
{
  return is_number (attributes, "val") ? 1 : 2;
}

static int
get_n_insert_tensor (const SymAttributes *attributes)
{
  return is_number (attributes, "val") ? 2 : 3;
}

/* Everything but the size along the axis stays; a single place takes away one. */
static gboolean
change_axis (SymRule *rule, gint64 removed, GError **error)
{
  gint64 given = sym_rule_get_int (rule, "axis", G_MAXINT64);
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape out = sym_rule_get_input (rule, 0);
  int axis = 0;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (out.rank < 0)
    return TRUE;
  if (given == G_MAXINT64)
    out = SYM_SHAPE (sym_terms_product (terms, out.dims, out.rank));
  else if (!sym_op_normalize_axis (given, out.rank, &axis, error))
    return FALSE;
  if (removed == 0)
    out.dims[axis] = SYM_DIM_UNKNOWN;
  else
    out.dims[axis] = sym_terms_subtract (terms, out.dims[axis], removed);
  return sym_rule_set_output (rule, 0, &out, error);
}

static gboolean
infer_delete (SymRule *rule, GError **error)
{
  return change_axis (rule, is_number (sym_rule_get_attributes (rule), "int_ind") ? 1 : 0, error);
}

static gboolean
infer_insert (SymRule *rule, GError **error)
{
  return change_axis (rule, 0, error);
}

/* ---- diff, ediff1d ---- */

static const SymAttributeSpec diff_attributes[] = {
  { "n", SYM_ATTRIBUTE_INT, "1", "how often differences are taken" },
  { "axis", SYM_ATTRIBUTE_INT, "-1", "axis along which" },
  { NULL },
};

static gboolean
infer_diff (SymRule *rule, GError **error)
{
  gint64 n = sym_rule_get_int (rule, "n", 1);
  SymShape data = sym_rule_get_input (rule, 0);
  int axis;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 0)
    return TRUE;
  if (n < 0 || n > G_MAXINT32)
    return sym_rule_fail (error, "n should not be negative");
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", -1), data.rank, &axis, error))
    return FALSE;
  if (data.dims[axis] >= 0)
    data.dims[axis] = MAX (data.dims[axis] - n, 0);
  else
    data.dims[axis] = sym_terms_subtract (sym_rule_get_terms (rule), data.dims[axis], n);
  return sym_rule_set_output (rule, 0, &data, error);
}

static const SymAttributeSpec ediff_attributes[] = {
  { "to_begin_arr_given", SYM_ATTRIBUTE_BOOL, "False", "whether a tensor is put before" },
  { "to_end_arr_given", SYM_ATTRIBUTE_BOOL, "False", "whether a tensor is put behind" },
  { "to_begin_scalar", SYM_ATTRIBUTE_FLOAT, "None", "a number put before" },
  { "to_end_scalar", SYM_ATTRIBUTE_FLOAT, "None", "a number put behind" },
  { NULL },
};

static const SymSlotSpec ediff_slots[] = { { "input1" },
                                           { "input2", SYM_SLOT_DATA, TRUE },
                                           { "input3", SYM_SLOT_DATA, TRUE },
                                           { NULL } };

static int
get_n_ediff (const SymAttributes *attributes)
{
  return 1 + (sym_op_get_bool (attributes, "to_begin_arr_given", FALSE) ? 1 : 0) +
         (sym_op_get_bool (attributes, "to_end_arr_given", FALSE) ? 1 : 0);
}

/* One less than there are elements, and what is put before and behind. */
static gboolean
infer_ediff (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  SymTerms *terms = sym_rule_get_terms (rule);
  gint64 added = (is_number (attributes, "to_begin_scalar") ? 1 : 0) +
                 (is_number (attributes, "to_end_scalar") ? 1 : 0);
  SymDim sum = added;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error))
    return FALSE;
  for (guint i = 0; i < sym_rule_get_n_inputs (rule); i++)
    {
      SymShape own = sym_rule_get_input (rule, i);
      SymDim size;

      if (own.rank < 0)
        return sym_op_set_output (rule, 0, SYM_SHAPE (SYM_DIM_UNKNOWN), SYM_DTYPE_UNKNOWN, error);
      size = sym_terms_product (terms, own.dims, own.rank);
      if (i == 0 && size != 0)
        size = sym_terms_subtract (terms, size, 1);
      sum = sym_terms_add (terms, sum, size);
    }
  return sym_op_set_output (rule, 0, SYM_SHAPE (sum), SYM_DTYPE_UNKNOWN, error);
}

/* ---- interp ---- */

static const SymAttributeSpec interp_attributes[] = {
  { "left", SYM_ATTRIBUTE_FLOAT, "None", "value below the first place" },
  { "right", SYM_ATTRIBUTE_FLOAT, "None", "value above the last place" },
  { "period", SYM_ATTRIBUTE_FLOAT, "None", "period of the places" },
  { "x_scalar", SYM_ATTRIBUTE_FLOAT, "0.0", "the place asked for, when it is a number" },
  { "x_is_scalar", SYM_ATTRIBUTE_BOOL, "False", "whether it is a number" },
  { NULL },
};

static const SymSlotSpec interp_slots[] = { { "xp" },
                                            { "fp" },
                                            { "x", SYM_SLOT_DATA, TRUE },
                                            { NULL } };

static int
get_n_interp (const SymAttributes *attributes)
{
  return sym_op_get_bool (attributes, "x_is_scalar", FALSE) ? 2 : 3;
}

/* A value for each place asked for; places and values are vectors of one length. */
static gboolean
infer_interp (SymRule *rule, GError **error)
{
  SymShape vector = SYM_SHAPE (SYM_DIM_UNKNOWN), scalar = SYM_SHAPE ();

  if (!sym_rule_set_input (rule, 0, &vector, error))
    return FALSE;
  vector = sym_rule_get_input (rule, 0);
  if (!sym_rule_set_input (rule, 1, &vector, error) ||
      !sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_FLOAT64, error))
    return FALSE;
  if (get_n_interp (sym_rule_get_attributes (rule)) == 2)
    return sym_rule_set_output (rule, 0, &scalar, error);
  return sym_op_pass_shape (rule, 2, 0, error);
}

/* ---- polyval, constraint_check, fill_diagonal, repeats ---- */

static const SymSlotSpec polyval_slots[] = { { "p" }, { "x" }, { NULL } };

static gboolean
infer_polyval (SymRule *rule, GError **error)
{
  return sym_op_mxnet_tie_all_dtypes (rule, error) && sym_op_pass_shape (rule, 1, 0, error);
}

static const SymAttributeSpec check_attributes[] = {
  { "msg", SYM_ATTRIBUTE_STRING, "Constraint violated.", "what is said when it is not so" },
  { NULL },
};

static gboolean
infer_check (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, SYM_SHAPE (), SYM_DTYPE_BOOL, error);
}

static const SymAttributeSpec fill_attributes[] = {
  { "val", SYM_ATTRIBUTE_FLOATS, NULL, "what is put on the diagonal" },
  { "wrap", SYM_ATTRIBUTE_BOOL, "False", "whether the diagonal begins again below" },
  { NULL },
};

static const SymAttributeSpec repeats_attributes[] = {
  { "repeats", SYM_ATTRIBUTE_INTS, NULL, "how often each part comes, or all" },
  { "axis", SYM_ATTRIBUTE_INT, "None", "axis along which; flat when None" },
  { NULL },
};

static gboolean
infer_repeats (SymRule *rule, GError **error)
{
  const SymValue *repeats = sym_attributes_find (sym_rule_get_attributes (rule), "repeats");
  int n = repeats != NULL ? sym_value_get_ints (repeats, NULL, 0) : -1, axis = 0;
  g_autofree gint64 *counts = g_new0 (gint64, MAX (n, 0) + 1);
  gint64 given = sym_rule_get_int (rule, "axis", G_MAXINT64);
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape out = sym_rule_get_input (rule, 0);
  SymDim sum = 0;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (out.rank < 0 || n < 1)
    return TRUE;
  sym_value_get_ints (repeats, counts, n);
  if (given == G_MAXINT64)
    out = SYM_SHAPE (sym_terms_product (terms, out.dims, out.rank));
  else if (!sym_op_normalize_axis (given, out.rank, &axis, error))
    return FALSE;
  for (int i = 0; i < n; i++)
    {
      if (counts[i] < 0)
        return sym_rule_fail (error, "repeats should not be negative");
      sum = sym_terms_add (terms, sum, counts[i]);
    }
  if (n > 1 && !sym_rule_unify (rule, out.dims[axis], n, "number of repeats", error))
    return FALSE;
  out.dims[axis] = n > 1 ? sum : sym_terms_multiply (terms, out.dims[axis], counts[0]);
  return sym_rule_set_output (rule, 0, &out, error);
}

#define INDEX(name_, summary_, attributes_, slots_, infer_)                                 \
  SYM_OP_MXNET, .name = name_, .summary = summary_, .reference = "MXNet 2.0 " name_,        \
                .category = SYM_CATEGORY_SHAPE, .attributes = attributes_, .slots = slots_, \
                .infer = infer_

const SymOperator sym_op_mxnet_numpy_index[] = {
  { INDEX ("_npi_advanced_indexing",
           "rows at indices or under a mask",
           NULL,
           indices_slots,
           infer_advanced),
    .lower = sym_op_mxnet_lower_advanced },
  { INDEX ("_npi_boolean_mask_assign_scalar",
           "the data with a number under a mask",
           NULL,
           mask_slots,
           infer_like_first),
    .lower = sym_op_mxnet_lower_assign_number },
  { INDEX ("_npi_boolean_mask_assign_tensor",
           "the data with values under a mask",
           NULL,
           value_slots,
           infer_like_first),
    .lower = sym_op_mxnet_lower_assign_tensor },
  { INDEX ("_npx_index_add",
           "the data with values added at indices",
           NULL,
           modify_slots,
           infer_like_first),
    .lower = sym_op_mxnet_lower_index_change },
  { INDEX ("_npx_index_update",
           "the data with values put in at indices",
           NULL,
           modify_slots,
           infer_like_first),
    .lower = sym_op_mxnet_lower_index_change },
  {
      INDEX ("_npi_unique",
             "each element once",
             unique_attributes,
             sym_op_mxnet_data,
             infer_unique),
      .lower = sym_op_mxnet_lower_unique,
      .get_n_outputs = get_n_unique,
  },
  { INDEX ("_npx_nonzero", "where elements are not 0", NULL, sym_op_mxnet_data, infer_nonzero),
    .lower = sym_op_mxnet_lower_nonzero, .aliases = "_npi_nonzero" },
  {
      INDEX ("_npi_bincount",
             "how often each number comes",
             bincount_attributes,
             bincount_slots,
             infer_bincount),
      .run = sym_op_mxnet_run_bincount,
      .get_n_operands = get_n_bincount,
  },
  {
      INDEX ("_npi_delete", "parts taken out", delete_attributes, delete_slots, infer_delete),
      .get_n_operands = get_n_delete,
  },
  {
      INDEX ("_npi_insert_scalar",
             "parts put in at a place",
             insert_attributes,
             insert_slots,
             infer_insert),
      .get_n_operands = get_n_insert,
  },
  {
      INDEX ("_npi_insert_slice",
             "parts put in at a slice",
             insert_attributes,
             insert_slots,
             infer_insert),
      .get_n_operands = get_n_insert,
  },
  {
      INDEX ("_npi_insert_tensor",
             "parts put in at places",
             insert_attributes,
             insert_slots,
             infer_insert),
      .get_n_operands = get_n_insert_tensor,
  },
  { INDEX ("_npi_diff",
           "differences of neighbours",
           diff_attributes,
           sym_op_mxnet_data,
           infer_diff),
    .lower = sym_op_mxnet_lower_diff },
  {
      INDEX ("_npi_ediff1d",
             "differences of all elements in a row",
             ediff_attributes,
             ediff_slots,
             infer_ediff),
      .lower = sym_op_mxnet_lower_ediff,
      .get_n_operands = get_n_ediff,
  },
  {
      INDEX ("_npi_interp",
             "values between given places",
             interp_attributes,
             interp_slots,
             infer_interp),
      .run = sym_op_mxnet_run_interp,
      .get_n_operands = get_n_interp,
  },
  { INDEX ("_npi_polyval", "values of a polynomial", NULL, polyval_slots, infer_polyval),
    .lower = sym_op_mxnet_lower_polyval },
  { INDEX ("_npx_constraint_check",
           "stops when an element is 0",
           check_attributes,
           sym_op_mxnet_data,
           infer_check),
    .run = sym_op_mxnet_run_check },
  { INDEX ("_npi_fill_diagonal",
           "the data with another diagonal",
           fill_attributes,
           sym_op_mxnet_data,
           infer_like_first),
    .lower = sym_op_mxnet_lower_fill_diagonal },
  { INDEX ("_npi_repeats",
           "each part several times",
           repeats_attributes,
           sym_op_mxnet_data,
           infer_repeats),
    .lower = sym_op_mxnet_lower_repeats },
  { NULL },
};
