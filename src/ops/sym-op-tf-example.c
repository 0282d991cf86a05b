/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf.h"

#include <string.h>

/* Records of features that are strings of protocol buffers: what comes out of them is what the
 * attributes say of each feature.  Sparse ones come first, all places, all values, all shapes; then
 * dense ones, then ragged ones. */

typedef struct {
  SymRule *rule;
  SymShape batch; /* of the strings */
  guint next;     /* output */
} Told;

static gboolean
tell (Told *self, const SymShape *shape, SymDType dtype, GError **error)
{
  return sym_op_set_output (self->rule, self->next++, *shape, dtype, error);
}

/* Entry @i of a list of dtypes. */
static SymDType
get_dtype (const SymAttributes *attributes, const char *name, guint i)
{
  const SymValue *list = sym_attributes_find (attributes, name);
  const char *text = list != NULL && i < sym_value_get_n_children (list)
                         ? sym_value_get_string (sym_value_get_child (list, i))
                         : NULL;
  SymDType dtype;

  return text != NULL && sym_dtype_from_string (text, &dtype) ? dtype : SYM_DTYPE_UNKNOWN;
}

static guint
count (const SymAttributes *attributes, const char *name)
{
  const SymValue *list = sym_attributes_find (attributes, name);

  return list == NULL ? 0 : sym_value_get_n_children (list);
}

static gboolean
tell_sparse (Told *self, const SymAttributes *attributes, GError **error)
{
  guint n = count (attributes, "sparse_types");
  SymDim rank = self->batch.rank < 0 ? SYM_DIM_UNKNOWN : self->batch.rank + 1;
  SymShape places = SYM_SHAPE (SYM_DIM_UNKNOWN, rank), values = SYM_SHAPE (SYM_DIM_UNKNOWN);
  SymShape shape = SYM_SHAPE (rank);

  for (guint i = 0; i < n; i++)
    if (!tell (self, &places, SYM_DTYPE_INT64, error))
      return FALSE;
  for (guint i = 0; i < n; i++)
    if (!tell (self, &values, get_dtype (attributes, "sparse_types", i), error))
      return FALSE;
  for (guint i = 0; i < n; i++)
    if (!tell (self, &shape, SYM_DTYPE_INT64, error))
      return FALSE;
  return TRUE;
}

/* One of these for each string; a size of -1 goes by the longest. */
static gboolean
tell_dense (Told *self, const SymAttributes *attributes, GError **error)
{
  const SymValue *shapes = sym_attributes_find (attributes, "dense_shapes");

  for (guint i = 0; i < count (attributes, "Tdense"); i++)
    {
      SymDType dtype = get_dtype (attributes, "Tdense", i);
      gint64 sizes[SYM_MAX_RANK];
      int n = i < count (attributes, "dense_shapes")
                  ? sym_value_get_ints (sym_value_get_child (shapes, i), sizes, SYM_MAX_RANK)
                  : -1;
      SymShape shape = self->batch;

      if (n < 0 || shape.rank < 0 || n + shape.rank > SYM_MAX_RANK)
        shape = SYM_SHAPE_UNKNOWN;
      for (int k = 0; shape.rank >= 0 && k < n; k++)
        shape.dims[self->batch.rank + k] = sizes[k] < 0 ? SYM_DIM_UNKNOWN : sizes[k];
      if (shape.rank >= 0)
        shape.rank += n;
      if (!tell (self, &shape, dtype, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
tell_ragged (Told *self, const SymAttributes *attributes, const char *name, GError **error)
{
  SymShape values = SYM_SHAPE (SYM_DIM_UNKNOWN);

  for (guint i = 0; i < count (attributes, name); i++)
    if (!tell (self, &values, get_dtype (attributes, name, i), error))
      return FALSE;
  return TRUE;
}

/* ParseExample takes a list of strings, whatever old files say of it: without a shape they have
 * none. */
static gboolean
infer (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  Told self = { rule, sym_rule_get_input (rule, 0), 0 };
  gboolean is_list = strcmp (sym_rule_get_type (rule), "ParseExample") == 0;

  if (is_list && self.batch.rank != 1)
    self.batch = SYM_SHAPE (SYM_DIM_UNKNOWN);
  if (self.batch.rank > 1)
    return sym_rule_fail (error, "strings must be one or a list, not of %d axes", self.batch.rank);
  return tell_sparse (&self, attributes, error) && tell_dense (&self, attributes, error) &&
         tell_ragged (&self, attributes, "ragged_value_types", error) &&
         tell_ragged (&self, attributes, "ragged_split_types", error);
}

static const SymAttributeSpec attributes[] = {
  { "sparse_types", SYM_ATTRIBUTE_ANY, "[]", "dtypes of sparse features" },
  { "Tdense", SYM_ATTRIBUTE_ANY, "[]", "dtypes of dense features" },
  { "dense_shapes", SYM_ATTRIBUTE_ANY, "[]", "shapes of dense features" },
  { "ragged_value_types", SYM_ATTRIBUTE_ANY, "[]", "dtypes of ragged features" },
  { "ragged_split_types", SYM_ATTRIBUTE_ANY, "[]", "dtypes of where their rows begin" },
  { NULL },
};

#define PARSE(name_)                                                                     \
  {                                                                                      \
    SYM_OP_TF (name_), .summary = "features of records", .category = SYM_CATEGORY_OTHER, \
                       .attributes = attributes, .slots = sym_op_tf_many,                \
                       .get_n_operands = sym_op_tf_any_number,                           \
                       .get_n_outputs = sym_op_tf_any_outputs, .infer = infer            \
  }

const SymOperator sym_op_tf_example[] = {
  PARSE ("ParseExample"),
  PARSE ("ParseExampleV2"),
  { NULL },
};
