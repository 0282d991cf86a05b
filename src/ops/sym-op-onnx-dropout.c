/* SPDX-License-Identifier: MIT */
#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-random.h"
#include "ops/sym-op-table.h"

/* Dropout, which leaves its operand alone unless it is told to train.  The mask is of the operand's
 * dtype before version 10, then bool. */

/* How much is dropped: 0 unless this is training. */
static gboolean
read_ratio (SymKernel *kernel, double *ratio, GError **error)
{
  int version = sym_kernel_get_version (kernel);
  double training = 0;

  *ratio = version < 12 ? sym_kernel_get_float (kernel, "ratio", 0.5) : 0.5;
  if (version >= 12 && (!sym_op_get_number (kernel, 1, ratio, error) ||
                        !sym_op_get_number (kernel, 2, &training, error)))
    return FALSE;
  if (!(*ratio >= 0 && *ratio < 1))
    return sym_kernel_fail (error, "the ratio is %g; it should be at least 0 and below 1", *ratio);
  if (version < 7)
    training = !sym_kernel_get_bool (kernel, "is_test", FALSE);
  if (training == 0)
    *ratio = 0;
  return TRUE;
}

static SymArray *
new_mask (SymKernel *kernel, const SymArray *x, GError **error)
{
  return sym_kernel_new_output (kernel, 1,
                                sym_kernel_get_version (kernel) < 10 ? x->dtype : SYM_DTYPE_BOOL,
                                &x->shape, error);
}

static gboolean
drop (SymKernel *kernel, const SymArray *x, double ratio, SymArray *mask, GError **error)
{
  SymArray *y = sym_kernel_new_output (kernel, 0, x->dtype, &x->shape, error);
  SymOpRandom random = sym_op_random_new (kernel);
  gsize done = 0;

  if (y == NULL)
    return FALSE;
  for (gsize i = 0; i < sym_array_get_n_elements (x); i++)
    {
      gboolean stays = ratio == 0 || sym_op_random_uniform (&random) >= ratio;
      double number = sym_element_get_double (x->dtype, x->data, i) / (1 - ratio);

      sym_element_set_double (y->dtype, y->data, i, stays ? number : 0);
      if (mask != NULL)
        sym_element_set_int (mask->dtype, mask->data, i, stays);
      if (!sym_op_go_on (kernel, &done, 1, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  SymArray *mask = NULL;
  double ratio;

  if (x == NULL || !read_ratio (kernel, &ratio, error))
    return FALSE;
  if (!sym_dtype_is_floating (x->dtype))
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  if (sym_kernel_wants_output (kernel, 1))
    {
      mask = new_mask (kernel, x, error);
      if (mask == NULL)
        return FALSE;
    }
  if (ratio == 0 && mask == NULL)
    return sym_kernel_pass (kernel, 0, 0, NULL, error);
  return drop (kernel, x, ratio, mask, error);
}

static gboolean
infer (SymRule *rule, GError **error)
{
  if (!sym_op_pass (rule, 0, 0, error))
    return FALSE;
  if (sym_rule_get_n_outputs (rule) < 2)
    return TRUE;
  if (!sym_op_pass_shape (rule, 0, 1, error))
    return FALSE;
  return sym_rule_get_version (rule) < 10
             ? sym_op_pass_dtype (rule, 0, 1, error)
             : sym_rule_set_output_dtype (rule, 1, SYM_DTYPE_BOOL, error);
}

#define RATIO                                                                     \
  {                                                                               \
    "ratio", SYM_ATTRIBUTE_FLOAT, "0.5", "share of the elements that are dropped" \
  }
#define IS_TEST                                                     \
  {                                                                 \
    "is_test", SYM_ATTRIBUTE_INT, "0", "whether nothing is dropped" \
  }
#define CONSUMED                                                  \
  {                                                               \
    "consumed_inputs", SYM_ATTRIBUTE_INTS, "None", "of no effect" \
  }
#define SEED                                                            \
  {                                                                     \
    "seed", SYM_ATTRIBUTE_INT, "None", "what random numbers begin with" \
  }
#define ATTRIBUTES(...)      \
  (const SymAttributeSpec[]) \
  {                          \
    __VA_ARGS__, { NULL }    \
  }

static const SymSlotSpec old_slots[] = { { "data" }, { NULL } };
static const SymSlotSpec slots[] = {
  { "data" },
  { "ratio", .optional = TRUE },
  { "training_mode", .optional = TRUE },
  { NULL },
};

#define DROPOUT(version_, slots_, ...)                                                           \
  {                                                                                              \
    SYM_OP_ONNX ("Dropout", version_),                                                           \
        .summary = "random elements made 0 in training", .category = SYM_CATEGORY_NORMALIZATION, \
        .attributes = ATTRIBUTES (__VA_ARGS__), .slots = slots_,                                 \
        .get_n_outputs = sym_op_onnx_get_any_outputs, .output_names = output_names,              \
        .infer = infer, .run = run                                                               \
  }

static const char *const output_names[] = { "output", "mask", NULL };

const SymOperator sym_op_onnx_dropout[] = {
  DROPOUT (1, old_slots, RATIO, IS_TEST, CONSUMED),
  DROPOUT (6, old_slots, RATIO, IS_TEST),
  DROPOUT (7, old_slots, RATIO),
  DROPOUT (10, old_slots, RATIO),
  DROPOUT (12, slots, SEED),
  { 0 },
};
