/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-body.h"
#include "ops/sym-op-openvino.h"

/* If: the bodies take nothing from around; which operands their inputs are is said by attributes
 * that readers make of the file's port maps. */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymBodyTypes, sym_op_types_free)

#define MAX_PLACES 256

static const char *const branches[] = { "then_body", "else_body", NULL };

/* Operands of branch @k; -1 where the attributes do not tell. */
static int
read_branch (const SymAttributes *attributes, int k, gint64 operands[MAX_PLACES])
{
  int n = sym_attributes_get_ints (attributes, k == 0 ? "then_body_operands" : "else_body_operands",
                                   operands, MAX_PLACES);

  return n > MAX_PLACES ? -1 : n;
}

static gboolean
infer_branch (SymRule *rule, int k, guint n_outputs, SymBodyTypes **types, GError **error)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_rule_get_layer (rule));
  g_autofree gint64 *operands = g_new (gint64, MAX_PLACES);
  int n = read_branch (attributes, k, operands);
  g_autofree int *places = g_new (int, MAX (n, 0) + 1);
  int body = sym_rule_find_body (rule, branches[k]);

  if (body < 0 || n < 0)
    return sym_rule_fail (error, "there is no %s, or nothing tells its operands", branches[k]);
  *types = sym_op_types_new ((guint) n, n_outputs);
  for (int i = 0; i < n; i++)
    {
      places[i] = operands[i] < sym_rule_get_n_inputs (rule) ? (int) operands[i] : -1;
      if (places[i] >= 0)
        (*types)->inputs[i] = sym_rule_get_input_type (rule, (guint) places[i]);
    }
  (*types)->operands = places;
  if (!sym_rule_infer_types (rule, (guint) body, *types, error))
    return FALSE;
  (*types)->operands = NULL;
  return TRUE;
}

static gboolean
infer_if (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_outputs (rule);
  g_autoptr (SymBodyTypes) first = NULL;
  g_autoptr (SymBodyTypes) second = NULL;

  if (!infer_branch (rule, 0, n, &first, error) || !infer_branch (rule, 1, n, &second, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      SymType type = sym_op_meet_types (&first->outputs[i], &second->outputs[i]);

      if (type.kind != SYM_KIND_UNKNOWN)
        sym_rule_set_output_type (rule, i, &type);
    }
  return TRUE;
}

static gboolean
run_if (SymKernel *kernel, GError **error)
{
  SymLayer *layer = sym_kernel_get_layer (kernel);
  g_autofree gint64 *operands = g_new (gint64, MAX_PLACES);
  g_autoptr (GPtrArray) inputs = NULL;
  g_autoptr (GPtrArray) outputs = sym_op_new_data (sym_kernel_get_n_outputs (kernel));
  gboolean truth;
  int n, body;

  if (!sym_op_read_truth (kernel, sym_kernel_need_input (kernel, 0, error), &truth, error))
    return FALSE;
  n = read_branch (sym_layer_get_attributes (layer), truth ? 0 : 1, operands);
  body = sym_layer_find_body (layer, branches[truth ? 0 : 1]);
  if (n < 0 || body < 0)
    return sym_kernel_fail (error, "there is no %s, or nothing tells its operands",
                            branches[truth ? 0 : 1]);
  inputs = sym_op_new_data ((guint) n);
  for (int i = 0; i < n; i++)
    {
      SymDatum *datum = operands[i] < 0 ? NULL : sym_kernel_get_datum (kernel, (guint) operands[i]);

      if (datum == NULL)
        return sym_kernel_fail (error, "input %d of the branch is no operand", i);
      inputs->pdata[i] = sym_datum_ref (datum);
    }
  if (!sym_kernel_run_body (kernel, (guint) body, (SymDatum *const *) inputs->pdata, inputs->len,
                            (SymDatum **) outputs->pdata, outputs->len, error))
    return FALSE;
  for (guint i = 0; i < outputs->len; i++)
    if (!sym_kernel_set_output (kernel, i, outputs->pdata[i], error))
      return FALSE;
  return TRUE;
}

static void
get_body_operands (const SymAttributes *attributes, guint body, int *operands, guint n)
{
  g_autofree gint64 *places = g_new (gint64, MAX_PLACES);
  int n_places = read_branch (attributes, body == 0 ? 0 : 1, places);

  for (guint i = 0; i < n; i++)
    operands[i] = (int) i < n_places ? (int) places[i] : -1;
}

static const SymAttributeSpec attributes[] = {
  { "then_body_operands", SYM_ATTRIBUTE_INTS, NULL, "operand that each input of then_body is" },
  { "else_body_operands", SYM_ATTRIBUTE_INTS, NULL, "operand that each input of else_body is" },
  { NULL },
};

static const SymSlotSpec slots[] = { { "cond" }, { "input", .optional = TRUE }, { NULL } };

const SymOperator sym_op_openvino_if[] = {
  { OPENVINO ("If", NULL, "Runs one of two bodies", CONTROL), .slots = slots,
    .attributes = attributes, .get_n_operands = sym_op_foreign_any,
    .get_n_outputs = sym_op_foreign_first, .get_body_operands = get_body_operands,
    .body_names = branches, .infer = infer_if, .run = run_if },
  { NULL },
};
