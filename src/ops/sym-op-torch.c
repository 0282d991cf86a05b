/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-torch.h"

#include "core/sym-structural.h"

const SymSlotSpec sym_op_torch_one[] = { { "input" }, { NULL } };

const SymSlotSpec sym_op_torch_pair[] = { { "input" }, { "other" }, { NULL } };

const SymSlotSpec sym_op_torch_weighted[] = {
  { "input" },
  { "weight", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static int
get_class (SymDType dtype)
{
  return sym_dtype_is_floating (dtype)  ? 3
         : sym_dtype_is_integer (dtype) ? 2
         : dtype == SYM_DTYPE_BOOL      ? 1
                                        : 4;
}

SymDType
sym_op_torch_promote (SymRule *rule, guint first, guint last)
{
  SymDType result = SYM_DTYPE_UNKNOWN;

  for (guint i = first; i <= last && i < sym_rule_get_n_inputs (rule); i++)
    {
      SymDType dtype = sym_rule_get_input_dtype (rule, i);

      if (dtype == SYM_DTYPE_UNKNOWN)
        return SYM_DTYPE_UNKNOWN;
      if (i == first || get_class (dtype) > get_class (result) ||
          (get_class (dtype) == get_class (result) &&
           sym_dtype_get_bits (dtype) > sym_dtype_get_bits (result)))
        result = dtype;
    }
  return result;
}

gboolean
sym_op_torch_same (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

char *
sym_op_torch_format (SymRule *rule, const SymShape *shape, const char *separator)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < shape->rank; i++)
    {
      g_autofree char *dim = shape->dims[i] == SYM_DIM_UNKNOWN
                                 ? NULL
                                 : sym_terms_format (sym_rule_get_terms (rule), shape->dims[i]);

      g_string_append_printf (text, "%s%s", i == 0 ? "" : separator, dim == NULL ? "?" : dim);
    }
  return g_string_free (text, FALSE);
}

gboolean
sym_op_torch_check_rank (SymRule *rule, int least, int most, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  g_autofree char *text = NULL;

  if (shape.rank < 0 || (shape.rank >= least && shape.rank <= most))
    return TRUE;

  text = sym_op_torch_format (rule, &shape, ", ");
  if (least == most)
    return sym_rule_fail (error, "expected %dD input (got %dD input [%s])", least, shape.rank,
                          text);
  return sym_rule_fail (error, "expected %dD or %dD input (got %dD input [%s])", least, most,
                        shape.rank, text);
}

/* ---- In ONNX's layers ---- */

SymId
sym_op_torch_lower_batch (SymOpLower *self, int rank)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  SymShape batched = { .rank = rank, .dims = { 1 } };

  if (shape->rank != rank - 1)
    return sym_op_lower_input (self, 0);
  for (int i = 1; i < rank; i++)
    batched.dims[i] = shape->dims[i - 1];
  return sym_op_lower_reshape (self, sym_op_lower_input (self, 0), &batched);
}

void
sym_op_torch_lower_finish (SymOpLower *self, SymId x, int rank)
{
  if (sym_op_lower_get_input_shape (self, 0)->rank == rank)
    sym_op_lower_set_output (self, 0, x);
  else
    sym_op_lower_finish (self, x);
}

SymId
sym_op_torch_lower_tuple (SymOpLower *self, const SymId *parts, guint n)
{
  return sym_op_lower_apply (self, SYM_OPERATOR_TUPLE, (SymIds){ parts, n }, NULL);
}
