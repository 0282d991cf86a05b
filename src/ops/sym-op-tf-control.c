/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-body.h"
#include "ops/sym-op-move.h"
#include "ops/sym-op-tf.h"

/* If and While, whose bodies are functions of the file: they take nothing from around. */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymBodyTypes, sym_op_types_free)

static gboolean
find_body (SymRule *rule, const char *name, guint *body, GError **error)
{
  int found = sym_rule_find_body (rule, name);

  *body = (guint) MAX (found, 0);
  return found >= 0 || sym_rule_fail (error, "there is no %s", name);
}

static void
tell_types (SymRule *rule, const SymType *types, guint n)
{
  for (guint i = 0; i < n; i++)
    if (types[i].kind != SYM_KIND_UNKNOWN)
      sym_rule_set_output_type (rule, i, &types[i]);
}

/* ---- If ---- */

static gboolean
infer_branch (SymRule *rule, const char *name, SymBodyTypes *types, GError **error)
{
  g_autofree int *operands = g_new (int, types->n_inputs + 1);
  guint body;

  if (!find_body (rule, name, &body, error))
    return FALSE;
  for (guint i = 0; i < types->n_inputs; i++)
    {
      operands[i] = (int) i + 1;
      types->inputs[i] = sym_rule_get_input_type (rule, i + 1);
    }
  types->operands = operands;
  if (!sym_rule_infer_types (rule, body, types, error))
    return FALSE;
  types->operands = NULL;
  return TRUE;
}

static gboolean
infer_if (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule), n_outputs = sym_rule_get_n_outputs (rule);
  g_autoptr (SymBodyTypes) first = sym_op_types_new (n > 0 ? n - 1 : 0, n_outputs);
  g_autoptr (SymBodyTypes) second = sym_op_types_new (n > 0 ? n - 1 : 0, n_outputs);

  if (!infer_branch (rule, "then_branch", first, error) ||
      !infer_branch (rule, "else_branch", second, error))
    return FALSE;
  for (guint i = 0; i < n_outputs; i++)
    first->outputs[i] = sym_op_meet_types (&first->outputs[i], &second->outputs[i]);
  tell_types (rule, first->outputs, n_outputs);
  sym_rule_note_forward (rule);
  return TRUE;
}

/* The condition is after the branch's operands. */
static void
get_branch_operands (const SymAttributes *attributes, guint body, int *operands, guint n)
{
  (void) attributes;
  (void) body;
  for (guint i = 0; i < n; i++)
    operands[i] = (int) i + 1;
}

static gboolean
run_body (SymKernel *kernel,
          const char *name,
          const GPtrArray *inputs,
          GPtrArray *outputs,
          GError **error)
{
  int body = sym_layer_find_body (sym_kernel_get_layer (kernel), name);

  if (body < 0)
    return sym_kernel_fail (error, "there is no %s", name);
  if (sym_kernel_is_cancelled (kernel, error) ||
      !sym_kernel_run_body (kernel, (guint) body, (SymDatum *const *) inputs->pdata, inputs->len,
                            (SymDatum **) outputs->pdata, outputs->len, error))
    return FALSE;
  for (guint i = 0; i < outputs->len; i++)
    {
      SymDatum *kept = sym_datum_keep (outputs->pdata[i], error);

      if (kept == NULL)
        return FALSE;
      sym_datum_unref (outputs->pdata[i]);
      outputs->pdata[i] = kept;
    }
  return TRUE;
}

/* Operands from @first on. */
static gboolean
collect (SymKernel *kernel, guint first, GPtrArray *inputs, GError **error)
{
  for (guint i = 0; i < inputs->len; i++)
    {
      SymDatum *datum = sym_kernel_get_datum (kernel, first + i);

      if (datum == NULL)
        return sym_kernel_fail (error, "operand %u is missing", first + i);
      inputs->pdata[i] = sym_datum_ref (datum);
    }
  return TRUE;
}

static gboolean
set_outputs (SymKernel *kernel, const GPtrArray *outputs, GError **error)
{
  for (guint i = 0; i < outputs->len; i++)
    if (!sym_kernel_set_output (kernel, i, outputs->pdata[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
run_if (SymKernel *kernel, GError **error)
{
  guint n = sym_kernel_get_n_inputs (kernel);
  g_autoptr (GPtrArray) inputs = sym_op_new_data (n > 0 ? n - 1 : 0);
  g_autoptr (GPtrArray) outputs = sym_op_new_data (sym_kernel_get_n_outputs (kernel));
  gboolean truth;

  return sym_op_read_truth (kernel, sym_kernel_need_input (kernel, 0, error), &truth, error) &&
         collect (kernel, 1, inputs, error) &&
         run_body (kernel, truth ? "then_branch" : "else_branch", inputs, outputs, error) &&
         set_outputs (kernel, outputs, error);
}

/* ---- While ---- */

/* What the file says holds at every turn: `output_shapes` lists a shape for each, None where it may
 * be any; without it nothing is known of shapes. */
static SymShape
get_invariant (SymRule *rule, guint i)
{
  const SymValue *list = sym_attributes_find (sym_rule_get_attributes (rule), "output_shapes");
  SymShape shape;

  if (list == NULL || i >= sym_value_get_n_children (list))
    return SYM_SHAPE_UNKNOWN;
  shape.rank = sym_value_get_ints (sym_value_get_child (list, i), shape.dims, SYM_MAX_RANK);
  if (shape.rank < 0 || shape.rank > SYM_MAX_RANK)
    return SYM_SHAPE_UNKNOWN;
  for (int k = 0; k < shape.rank; k++)
    if (shape.dims[k] < 0)
      shape.dims[k] = SYM_DIM_UNKNOWN;
  return shape;
}

/* The handle of a variable is the same at every turn: `T` has a name for what is no dtype. */
static gboolean
is_handle (SymRule *rule, guint i)
{
  const SymValue *types = sym_attributes_find (sym_rule_get_attributes (rule), "T");

  return types != NULL && i < sym_value_get_n_children (types) &&
         g_strcmp0 (sym_value_get_string (sym_value_get_child (types, i)), "DT_RESOURCE") == 0;
}

static gboolean
is_constant (SymRule *rule, guint i)
{
  return (gint64) (sym_rule_get_n_inputs (rule) - i) <= sym_rule_get_int (rule, "n_constant", 0) ||
         is_handle (rule, i);
}

/* Gives the shapes that go in; FALSE where one is not known to the last size.  Where all are,
 * nothing that is tried with them tells others what they are. */
static gboolean
get_shapes (SymRule *rule, SymShape *shapes)
{
  for (guint i = 0; i < sym_rule_get_n_inputs (rule); i++)
    {
      SymType type = sym_rule_get_input_type (rule, i);

      if (type.kind == SYM_KIND_TENSOR && !sym_shape_is_known (&type.shape))
        return FALSE;
      shapes[i] = type.shape;
    }
  return TRUE;
}

/* Whether a turn that begins with these shapes ends with them. */
static gboolean
keeps_shapes (const SymBodyTypes *turn, const SymShape *shapes)
{
  for (guint i = 0; i < turn->n_inputs; i++)
    if (turn->outputs[i].kind != SYM_KIND_UNKNOWN &&
        !sym_shape_equal (&turn->outputs[i].shape, &shapes[i]))
      return FALSE;
  return TRUE;
}

/* One turn, of the shapes that go in or of those that are said to hold. */
static gboolean
infer_turn (SymRule *rule, guint body, SymBodyTypes *turn, gboolean first, GError **error)
{
  for (guint i = 0; i < turn->n_inputs; i++)
    {
      turn->inputs[i] = sym_rule_get_input_type (rule, i);
      turn->outputs[i] = SYM_TYPE_UNKNOWN;
      if (!first && !is_constant (rule, i))
        turn->inputs[i].shape =
            turn->inputs[i].kind == SYM_KIND_SEQUENCE ? SYM_SHAPE_UNKNOWN : get_invariant (rule, i);
    }
  return sym_rule_infer_types (rule, body, turn, error);
}

static gboolean
holds_at_first (SymRule *rule, guint body, SymBodyTypes *turn)
{
  g_autofree SymShape *shapes = g_new (SymShape, turn->n_inputs + 1);

  return get_shapes (rule, shapes) && infer_turn (rule, body, turn, TRUE, NULL) &&
         keeps_shapes (turn, shapes);
}

static gboolean
infer_while (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule), n_outputs = sym_rule_get_n_outputs (rule), cond, body;
  g_autoptr (SymBodyTypes) test = sym_op_types_new (n, 1);
  g_autoptr (SymBodyTypes) turn = sym_op_types_new (n, n);
  g_autofree int *operands = g_new (int, n + 1);

  if (n_outputs > n)
    return sym_rule_fail (error, "%u values are carried along, %u come out", n, n_outputs);
  if (!find_body (rule, "cond", &cond, error) || !find_body (rule, "body", &body, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    operands[i] = is_constant (rule, i) ? (int) i : -1;
  test->operands = turn->operands = operands;
  if (!holds_at_first (rule, body, turn) && !infer_turn (rule, body, turn, FALSE, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    test->inputs[i] = turn->inputs[i];
  if (!sym_rule_infer_types (rule, cond, test, error))
    return FALSE;
  for (guint i = 0; i < n_outputs; i++)
    {
      SymType before = sym_rule_get_input_type (rule, i);

      turn->outputs[i] = sym_op_meet_types (&turn->outputs[i], &before);
    }
  tell_types (rule, turn->outputs, n_outputs);
  sym_rule_note_forward (rule);
  return TRUE;
}

static gboolean
check_condition (SymKernel *kernel, const GPtrArray *now, gboolean *go, GError **error)
{
  g_autoptr (GPtrArray) truth = sym_op_new_data (1);

  return run_body (kernel, "cond", now, truth, error) &&
         sym_op_read_truth (kernel, sym_datum_get_array (truth->pdata[0]), go, error);
}

static gboolean
run_while (SymKernel *kernel, GError **error)
{
  guint n = sym_kernel_get_n_inputs (kernel), n_outputs = sym_kernel_get_n_outputs (kernel);
  g_autoptr (GPtrArray) now = sym_op_new_data (n);
  gboolean go = FALSE;

  if (n_outputs > n)
    return sym_kernel_fail (error, "%u values are carried along, %u come out", n, n_outputs);
  if (!collect (kernel, 0, now, error) || !check_condition (kernel, now, &go, error))
    return FALSE;
  while (go)
    {
      g_autoptr (GPtrArray) next = sym_op_new_data (n);
      GPtrArray *before = now;

      if (!run_body (kernel, "body", now, next, error))
        return FALSE;
      now = g_steal_pointer (&next);
      g_ptr_array_unref (before);
      if (!check_condition (kernel, now, &go, error))
        return FALSE;
    }
  for (guint i = 0; i < n_outputs; i++)
    if (!sym_kernel_set_output (kernel, i, now->pdata[i], error))
      return FALSE;
  return TRUE;
}

/* ---- Tables ---- */

static const SymAttributeSpec while_attributes[] = {
  { "output_shapes", SYM_ATTRIBUTE_ANY, "[]", "shapes that hold at every turn" },
  { "n_constant", SYM_ATTRIBUTE_INT, "0", "how many of the last operands stay as they are" },
  { "parallel_iterations", SYM_ATTRIBUTE_INT, "10", "of no effect" },
  { NULL },
};

static const SymSlotSpec if_slots[] = { { "cond" }, { "input", .optional = TRUE }, { NULL } };
static const SymSlotSpec while_slots[] = { { "input" }, { NULL } };
static const char *const if_bodies[] = { "then_branch", "else_branch", NULL };
static const char *const while_bodies[] = { "cond", "body", NULL };

const SymOperator sym_op_tf_control[] = {
  { SYM_OP_TF ("If"), .aliases = "StatelessIf", .summary = "runs one of two functions",
    .category = SYM_CATEGORY_CONTROL, .slots = if_slots, .get_n_operands = sym_op_tf_any_number,
    .get_n_outputs = sym_op_tf_any_outputs, .get_body_operands = get_branch_operands,
    .body_names = if_bodies, .infer = infer_if, .run = run_if },
  { SYM_OP_TF ("While"), .aliases = "StatelessWhile",
    .summary = "runs a function as long as another one says so", .category = SYM_CATEGORY_CONTROL,
    .attributes = while_attributes, .slots = while_slots, .get_n_operands = sym_op_tf_any_number,
    .get_n_outputs = sym_op_tf_any_outputs, .body_names = while_bodies, .infer = infer_while,
    .run = run_while },
  { NULL },
};
