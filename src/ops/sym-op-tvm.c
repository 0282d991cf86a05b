/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tvm.h"

#include <string.h>

#include "ops/sym-op-table.h"

/* ---- Chains of parts ---- */

gint64
sym_op_tvm_count (const SymShape *shape)
{
  guint64 n;

  if (shape->rank < 0)
    return -1;
  for (int i = 0; i < shape->rank; i++)
    if (shape->dims[i] < 0)
      return -1;
  return sym_shape_get_n_elements (shape, &n) && n <= G_MAXINT64 ? (gint64) n : -1;
}

void
sym_op_tvm_give_up (SymTvmChain *chain, const SymTvmPart *part, gboolean is_wrong)
{
  const char *type = sym_op_lower_get_type (chain->body);

  if (is_wrong)
    sym_op_lower_fail (chain->body, "%s: the shapes of operands and result do not fit %s", type,
                       part->name);
  else
    sym_op_lower_refuse (chain->body, "%s: name and shapes do not settle what %s does", type,
                         part->name);
}

gboolean
sym_op_tvm_take_operand (SymTvmChain *chain, SymId *value, SymShape *shape)
{
  guint slot = chain->n_used;

  if (slot >= sym_op_lower_get_n_inputs (chain->body))
    {
      sym_op_lower_refuse (chain->body, "%s: its %u operands do not tell what each is for",
                           sym_op_lower_get_type (chain->body), slot);
      return FALSE;
    }
  if (!sym_op_lower_need_tensor (chain->body, slot))
    return FALSE;
  *value = sym_op_lower_input (chain->body, slot);
  *shape = *sym_op_lower_get_input_shape (chain->body, slot);
  chain->n_used++;
  return shape->rank >= 0;
}

/* The attributes that the reader gives to a function whose result settles what it does. */
static void
read_result (SymTvmChain *chain)
{
  gint64 dims[SYM_MAX_RANK];
  int n = sym_op_lower_get_ints (chain->body, "shape", dims, SYM_MAX_RANK);

  chain->result = SYM_SHAPE_UNKNOWN;
  chain->result_dtype = sym_op_lower_get_dtype (chain->body, "dtype", SYM_DTYPE_UNKNOWN);
  if (n < 0 || n > SYM_MAX_RANK)
    return;
  chain->result.rank = n;
  for (int i = 0; i < n; i++)
    chain->result.dims[i] = dims[i];
}

static void
lower (SymOpLower *self)
{
  SymTvmChain chain = { .body = self, .rest = sym_op_lower_get_type (self) };

  read_result (&chain);
  chain.dtype = sym_op_lower_get_input_dtype (self, 0);
  if (!sym_op_tvm_take_operand (&chain, &chain.x, &chain.shape))
    return;
  while (*chain.rest != '\0' && !sym_op_lower_has_failed (self))
    {
      const SymTvmPart *part = sym_op_tvm_take_part (&chain.rest);

      part->apply (&chain, part);
    }
  if (chain.n_used != sym_op_lower_get_n_inputs (self))
    sym_op_lower_refuse (self, "%s: its %u operands do not tell what each is for",
                         sym_op_lower_get_type (self), sym_op_lower_get_n_inputs (self));
  sym_op_lower_set_output (self, 0, chain.x);
}

/* ---- Operators ---- */

static int
count_operands (const SymAttributes *attributes)
{
  return -1;
}

static const SymSlotSpec slots[] = { { "p0" }, { NULL } };

static const SymAttributeSpec of_result[] = {
  { "shape", SYM_ATTRIBUTE_INTS, "None", "shape of the result" },
  { "dtype", SYM_ATTRIBUTE_DTYPE, "None", "type of the result" },
  { NULL },
};

#define FUNCTION(name_, attributes_, summary_, category_)                                       \
  {                                                                                             \
    .domain = "tvm", .name = name_, .since_version = 1, .summary = summary_,                    \
    .reference = "TVM 0.15 Relay", .category = SYM_CATEGORY_##category_, .slots = slots,        \
    .attributes = attributes_, .get_n_operands = count_operands, .infer = sym_op_infer_lowered, \
    .lower = lower,                                                                             \
  }

/* One for each kind of functions, by the name of one of them; those with attributes are of a
 * meaning that the result settles. */
const SymOperator sym_op_tvm[] = {
  FUNCTION ("nn_dense", NULL, "Fully connected layer, and what follows it", WEIGHTS),
  FUNCTION ("nn_batch_matmul", of_result, "Product of matrices, and what follows it", WEIGHTS),
  FUNCTION ("nn_relu", NULL, "An activation", ACTIVATION),
  FUNCTION ("nn_softmax", of_result, "An activation along an axis", ACTIVATION),
  FUNCTION ("add", NULL, "Arithmetic by elements", ELEMENTWISE),
  FUNCTION ("nn_bias_add", of_result, "Arithmetic by channels", ELEMENTWISE),
  FUNCTION ("nn_batch_flatten", NULL, "What moves numbers by its name alone", SHAPE),
  FUNCTION ("reshape", of_result, "What moves numbers to where the result has them", SHAPE),
  FUNCTION ("concatenate", of_result, "What joins tensors", MERGE),
  FUNCTION ("nn_global_avg_pool2d", of_result, "What reduces axes", POOLING),
  { NULL },
};

static const SymOperator *
find_kind (SymCategory category, gboolean needs_result)
{
  for (const SymOperator *op = sym_op_tvm; op->name != NULL; op++)
    if (op->category == category && (op->attributes != NULL || !needs_result))
      return op;
  return NULL;
}

/* A layer is what its heaviest part is, else its first. */
static gboolean
is_heavier (SymCategory a, SymCategory b)
{
  return a != b &&
         (a == SYM_CATEGORY_WEIGHTS || (a == SYM_CATEGORY_POOLING && b != SYM_CATEGORY_WEIGHTS));
}

const SymOperator *
sym_op_tvm_find (const char *name)
{
  const char *at = name;
  SymCategory category = SYM_CATEGORY_OTHER;
  gboolean needs_result = FALSE;

  while (*at != '\0')
    {
      gboolean is_first = at == name;
      const SymTvmPart *part = sym_op_tvm_take_part (&at);

      if (part == NULL || (part->apply == sym_op_tvm_apply_gates && !is_first))
        return NULL;
      needs_result = needs_result || part->needs_result;
      if (is_first || is_heavier (part->category, category))
        category = part->category;
    }
  return *name == '\0' ? NULL : find_kind (category, needs_result);
}

gboolean
sym_op_tvm_takes (const char *name, guint n)
{
  guint n_needed = 1 + sym_op_tvm_count_operands (name);

  return n == n_needed || (n > n_needed && strstr (name, "concatenate") != NULL) ||
         (n == n_needed + 1 && g_str_has_prefix (name, "dense"));
}
