/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onnx-ml.h"
#include "ops/sym-op-table.h"

/* Maps from labels to numbers.  A map is the tensor of its numbers, in the order in which the layer
 * lists the labels; a sequence of maps is one row for each. */

static const SymAttributeSpec zip_attributes[] = {
  { "classlabels_int64s", SYM_ATTRIBUTE_INTS, "None", "what each column is, where it is a number" },
  { "classlabels_strings", SYM_ATTRIBUTE_ANY, "None", "what each column is, where it is a string" },
  { NULL },
};

static const SymAttributeSpec vectorizer_attributes[] = {
  { "int64_vocabulary", SYM_ATTRIBUTE_INTS, "None", "what each column is, where it is a number" },
  { "string_vocabulary", SYM_ATTRIBUTE_ANY, "None", "what each column is, where it is a string" },
  { NULL },
};

static const SymSlotSpec vectorizer_slots[] = { { "X" }, { NULL } };

static guint
count_labels (const SymAttributes *attributes, const char *ints, const char *strings)
{
  return MAX (sym_op_ml_count (attributes, ints), sym_op_ml_count (attributes, strings));
}

static gboolean
fail (gint64 n, guint n_labels, GError **error)
{
  return sym_kernel_fail (error, "%" G_GINT64_FORMAT " numbers do not fit to %u labels", n,
                          n_labels);
}

/* ---- ZipMap ---- */

static guint
count_classes (const SymAttributes *attributes)
{
  return count_labels (attributes, "classlabels_int64s", "classlabels_strings");
}

/* A vector is one sample. */
static gboolean
infer_zip (SymRule *rule, GError **error)
{
  guint n = count_classes (sym_rule_get_attributes (rule));
  SymShape x = sym_rule_get_input (rule, 0);
  SymShape y = SYM_SHAPE (x.rank == 2 ? x.dims[0] : x.rank == 1 ? 1 : SYM_DIM_UNKNOWN, n);

  return sym_op_set_output (rule, 0, y, SYM_DTYPE_UNKNOWN, error) &&
         sym_op_pass_dtype (rule, 0, 0, error);
}

static gboolean
run_zip (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  guint n = count_classes (sym_kernel_get_attributes (kernel));
  gint64 n_rows, width;

  if (x == NULL)
    return FALSE;
  if (x->shape.rank != 1 && x->shape.rank != 2)
    return sym_kernel_fail (error, "scores of %d axes are neither one sample nor several",
                            x->shape.rank);
  n_rows = x->shape.rank == 2 ? x->shape.dims[0] : 1;
  width = x->shape.dims[x->shape.rank - 1];
  if (width != n)
    return fail (width, n, error);
  return sym_kernel_pass (kernel, 0, 0, &SYM_SHAPE (n_rows, width), error);
}

/* ---- DictVectorizer ---- */

static guint
count_words (const SymAttributes *attributes)
{
  return count_labels (attributes, "int64_vocabulary", "string_vocabulary");
}

static gboolean
infer_vectorizer (SymRule *rule, GError **error)
{
  guint n = count_words (sym_rule_get_attributes (rule));

  return sym_op_set_input (rule, 0, SYM_SHAPE (n), error) &&
         sym_op_set_output (rule, 0, SYM_SHAPE (1, n), SYM_DTYPE_UNKNOWN, error) &&
         sym_op_pass_dtype (rule, 0, 0, error);
}

static gboolean
run_vectorizer (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  guint n = count_words (sym_kernel_get_attributes (kernel));

  if (x == NULL)
    return FALSE;
  if (x->shape.rank != 1 || x->shape.dims[0] != n)
    return fail ((gint64) sym_array_get_n_elements (x), n, error);
  return sym_kernel_pass (kernel, 0, 0, &SYM_SHAPE (1, n), error);
}

#define MAPS(name_) SYM_OP_ML (name_, 1), .category = SYM_CATEGORY_OTHER

const SymOperator sym_op_onnx_ml_maps[] = {
  { MAPS ("DictVectorizer"),
    .summary = "a map from words to numbers, fed as the numbers in the order of the vocabulary",
    .attributes = vectorizer_attributes, .slots = vectorizer_slots, .infer = infer_vectorizer,
    .run = run_vectorizer },
  { MAPS ("ZipMap"),
    .summary = "a map from labels to scores for each sample, here a column for each label",
    .attributes = zip_attributes, .slots = sym_op_ml_x, .infer = infer_zip, .run = run_zip },
  { NULL },
};
