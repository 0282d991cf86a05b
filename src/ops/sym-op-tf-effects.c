/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf.h"

/* What TensorFlow's graphs keep beside the data: layers that check, set and store variables, which
 * no output needs, and what makes up the names of the files. */

/* Layers without results: what stands for them is waited for, and is no data. */
static gboolean
infer_effect (SymRule *rule, GError **error)
{
  (void) rule;
  (void) error;
  return TRUE;
}

gboolean
sym_op_tf_is_effect (const SymOperator *op)
{
  return op != NULL && op->infer == infer_effect;
}

/* One string, or whether a variable has a value. */
static gboolean
infer_scalar (SymRule *rule, GError **error)
{
  gboolean is_test = g_str_has_suffix (sym_rule_get_type (rule), "Initialized") ||
                     g_str_has_suffix (sym_rule_get_type (rule), "InitializedOp");
  SymShape shape = { .rank = 0 };

  return sym_op_set_output (rule, 0, shape, is_test ? SYM_DTYPE_BOOL : SYM_DTYPE_STRING, error);
}

/* The variable as it is then. */
static gboolean
infer_assign (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 1, 0, error);
}

/* The variable that is trained. */
static gboolean
infer_apply (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

/* What the file says of each that is read. */
static gboolean
infer_restore (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  const SymValue *dtypes = sym_attributes_find (attributes, "dtypes");
  guint n = dtypes == NULL ? 0 : sym_value_get_n_children (dtypes);
  SymDType dtype;

  for (guint i = 0; i < MIN (n, sym_rule_get_n_outputs (rule)); i++)
    {
      const char *name = sym_value_get_string (sym_value_get_child (dtypes, i));

      if (name != NULL && sym_dtype_from_string (name, &dtype) &&
          !sym_rule_set_output_dtype (rule, i, dtype, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- Strings ---- */

static gboolean
infer_join (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule);

  return sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_STRING, error) &&
         (n == 0 || sym_op_broadcast_shapes (rule, 0, n - 1, error));
}

static void
lower_join (SymOpLower *self)
{
  const char *separator = sym_op_lower_get_string (self, "separator", "");
  SymId joined = sym_op_lower_input (self, 0), between = SYM_NO_ID;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (*separator != '\0')
    between = sym_op_lower_call (self, "Constant", (SymIds){ NULL, 0 }, "value_string",
                                 sym_value_new_string (separator), NULL);
  for (guint i = 1; i < sym_op_lower_get_n_inputs (self); i++)
    {
      if (between != SYM_NO_ID)
        joined = sym_op_lower_binary (self, "StringConcat", joined, between);
      joined = sym_op_lower_binary (self, "StringConcat", joined, sym_op_lower_input (self, i));
    }
  sym_op_lower_set_output (self, 0, joined);
}

static gboolean
infer_match (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_BOOL, error);
}

static void
lower_match (SymOpLower *self)
{
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "RegexFullMatch", SYM_IDS (sym_op_lower_input (self, 0)), "pattern",
                         sym_value_new_string (sym_op_lower_get_string (self, "pattern", "")),
                         NULL));
}

/* ---- Tables ---- */

static const SymAttributeSpec join_attributes[] = {
  { "separator", SYM_ATTRIBUTE_STRING, "", "what stands between the strings" },
  { NULL },
};

static const SymAttributeSpec match_attributes[] = {
  { "pattern", SYM_ATTRIBUTE_STRING, NULL, "regular expression of RE2" },
  { NULL },
};

static const SymAttributeSpec restore_attributes[] = {
  { "dtypes", SYM_ATTRIBUTE_ANY, NULL, "dtypes of what is read" },
  { NULL },
};

static const SymSlotSpec restore_slots[] = {
  { "prefix" },
  { "tensor_names" },
  { "shape_and_slices" },
  { NULL },
};
static const SymSlotSpec assign_slots[] = { { "ref" }, { "value" }, { NULL } };
static const SymSlotSpec match_slots[] = { { "input" }, { NULL } };

#define EFFECT(name_, summary_)                                                         \
  {                                                                                     \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_OTHER,             \
                       .slots = sym_op_tf_many, .get_n_operands = sym_op_tf_any_number, \
                       .infer = infer_effect                                            \
  }

#define SCALAR(name_, summary_)                                                         \
  {                                                                                     \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_OTHER,             \
                       .slots = sym_op_tf_many, .get_n_operands = sym_op_tf_any_number, \
                       .infer = infer_scalar                                            \
  }

#define ASSIGN(name_, summary_)                                                                    \
  {                                                                                                \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_OTHER, .slots = assign_slots, \
                       .infer = infer_assign                                                       \
  }

#define APPLY(name_)                                                                \
  {                                                                                 \
    SYM_OP_TF (name_), .summary = "a variable, trained by a gradient",              \
                       .category = SYM_CATEGORY_OTHER, .slots = sym_op_tf_many,     \
                       .get_n_operands = sym_op_tf_any_number, .infer = infer_apply \
  }

const SymOperator sym_op_tf_effects[] = {
  APPLY ("ApplyAdagrad"),
  APPLY ("ApplyAdam"),
  APPLY ("ApplyGradientDescent"),
  APPLY ("ApplyMomentum"),
  APPLY ("ApplyRMSProp"),
  EFFECT ("Assert", "stops where a condition does not hold"),
  ASSIGN ("Assign", "a variable, set to a value"),
  ASSIGN ("AssignAdd", "a variable, a value added to it"),
  EFFECT ("AssignAddVariableOp", "adds a value to a variable"),
  ASSIGN ("AssignSub", "a variable, a value taken off it"),
  EFFECT ("AssignSubVariableOp", "takes a value off a variable"),
  EFFECT ("AssignVariableOp", "sets a variable to a value"),
  EFFECT ("DisableCopyOnRead", "lets a variable be read without a copy"),
  SCALAR ("HistogramSummary", "how a tensor is distributed, for a log"),
  SCALAR ("ImageSummary", "pictures, for a log"),
  SCALAR ("IsVariableInitialized", "whether a variable has a value"),
  EFFECT ("MergeV2Checkpoints", "makes one checkpoint of several"),
  SCALAR ("MergeSummary", "several entries of a log in one"),
  EFFECT ("NoOp", "nothing, after what it waits for"),
  { SYM_OP_TF ("RestoreV2"), .summary = "variables of a checkpoint", .category = SYM_CATEGORY_OTHER,
    .attributes = restore_attributes, .slots = restore_slots,
    .get_n_outputs = sym_op_tf_any_outputs, .infer = infer_restore },
  EFFECT ("Save", "stores variables in a checkpoint"),
  EFFECT ("SaveV2", "stores variables in a checkpoint"),
  SCALAR ("ScalarSummary", "numbers, for a log"),
  SCALAR ("ShardedFilename", "name of one file of a checkpoint"),
  { SYM_OP_TF ("StaticRegexFullMatch"), .summary = "whether strings match a regular expression",
    .category = SYM_CATEGORY_OTHER, .attributes = match_attributes, .slots = match_slots,
    .infer = infer_match, .lower = lower_match },
  { SYM_OP_TF ("StringJoin"), .summary = "strings one behind the other",
    .category = SYM_CATEGORY_OTHER, .attributes = join_attributes, .slots = sym_op_tf_many,
    .get_n_operands = sym_op_tf_any_number, .infer = infer_join, .lower = lower_join },
  SCALAR ("VarIsInitializedOp", "whether a variable has a value"),
  { NULL },
};
