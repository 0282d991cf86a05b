/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-control.h"
#include "ops/sym-op-mxnet.h"

/* Loops and branches.  Their bodies take operands of the call by number, so each is inferred for
 * the operands that it takes, and what follows inside is told to the call's operands and outputs.
 */

static void
types_init (SymBodyTypes *self, guint n_inputs, guint n_outputs)
{
  self->n_inputs = n_inputs;
  self->n_outputs = n_outputs;
  self->inputs = g_new (SymType, n_inputs + 1);
  self->outputs = g_new (SymType, n_outputs + 1);
  for (guint i = 0; i < n_inputs; i++)
    self->inputs[i] = SYM_TYPE_UNKNOWN;
  for (guint i = 0; i < n_outputs; i++)
    self->outputs[i] = SYM_TYPE_UNKNOWN;
}

static void
types_clear (SymBodyTypes *self)
{
  g_free (self->inputs);
  g_free (self->outputs);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SymBodyTypes, types_clear)

/* The numbers of an attribute, each below @limit, in an array of its own. */
static gboolean
get_places (SymRule *rule, const char *name, guint limit, GArray **places, GError **error)
{
  int n = MAX (sym_rule_get_ints (rule, name, NULL, 0), 0);

  *places = g_array_sized_new (FALSE, TRUE, sizeof (gint64), (guint) n);
  g_array_set_size (*places, (guint) n);
  sym_rule_get_ints (rule, name, (gint64 *) (gpointer) (*places)->data, n);
  for (int i = 0; i < n; i++)
    {
      gint64 place = g_array_index (*places, gint64, i);

      if (place < 0 || place >= limit)
        return sym_rule_fail (error, "%s has %" G_GINT64_FORMAT "; there are %u to choose from",
                              name, place, limit);
    }
  return TRUE;
}

static guint
get_place (const GArray *places, guint i)
{
  return (guint) g_array_index (places, gint64, i);
}

static SymType
get_output_type (SymRule *rule, guint i)
{
  return sym_type_tensor (sym_rule_get_output_dtype (rule, i), sym_rule_get_output (rule, i));
}

static gboolean
tell_input (SymRule *rule, guint i, const SymType *type, GError **error)
{
  return sym_rule_set_input (rule, i, &type->shape, error) &&
         sym_rule_set_input_dtype (rule, i, type->dtype, error);
}

static gboolean
tell_output (SymRule *rule, guint i, const SymType *type, GError **error)
{
  return sym_rule_set_output (rule, i, &type->shape, error) &&
         sym_rule_set_output_dtype (rule, i, type->dtype, error);
}

/* What a loop carries along has one type before, inside and behind. */
static gboolean
tie_state (SymRule *rule, guint input, guint output, GError **error)
{
  return sym_op_pass (rule, input, output, error);
}

/* One step of a tensor: its first axis is that of the steps. */
static SymType
get_step (SymType type)
{
  if (type.shape.rank == 1)
    type.shape = SYM_SHAPE (1);
  else if (type.shape.rank > 1)
    type.shape = sym_op_remove_axis (&type.shape, 0);
  return type;
}

static SymType
get_steps (SymType type, SymDim n)
{
  if (type.shape.rank >= SYM_MAX_RANK)
    type.shape = SYM_SHAPE_UNKNOWN;
  if (type.shape.rank >= 0)
    type.shape = sym_op_insert_axis (&type.shape, 0, n);
  return type;
}

/* ---- _foreach ---- */

static const SymAttributeSpec foreach_attributes[] = {
  { "num_args", SYM_ATTRIBUTE_INT, NULL, "number of operands" },
  { "num_outputs", SYM_ATTRIBUTE_INT, NULL, "number of outputs" },
  { "num_out_data", SYM_ATTRIBUTE_INT, NULL, "outputs that are stacked" },
  { "in_state_locs", SYM_ATTRIBUTE_INTS, NULL, "which operands of the body are states" },
  { "in_data_locs", SYM_ATTRIBUTE_INTS, NULL, "which operands of the body are data" },
  { "remain_locs", SYM_ATTRIBUTE_INTS, NULL, "which operands of the body stay the same" },
  { "in_state_index", SYM_ATTRIBUTE_INTS, "()", "which state each state behind the loop is" },
  { NULL },
};

/* The operands of the call are data, then states, then what stays the same; where each is among
 * those of the body. */
typedef struct {
  GArray *places;
  guint n_data, n_states;
  SymDim n_steps;
} Loop;

static void
loop_clear (Loop *self)
{
  g_clear_pointer (&self->places, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Loop, loop_clear)

static gboolean
add_places (SymRule *rule, Loop *self, const char *name, guint *n, GError **error)
{
  g_autoptr (GArray) places = NULL;

  if (!get_places (rule, name, sym_rule_get_n_inputs (rule), &places, error))
    return FALSE;
  if (places->len > 0)
    g_array_append_vals (self->places, places->data, places->len);
  *n = places->len;
  return TRUE;
}

static gboolean
read_loop (SymRule *rule, Loop *self, GError **error)
{
  guint n_same;

  self->places = g_array_new (FALSE, FALSE, sizeof (gint64));
  if (!add_places (rule, self, "in_data_locs", &self->n_data, error) ||
      !add_places (rule, self, "in_state_locs", &self->n_states, error) ||
      !add_places (rule, self, "remain_locs", &n_same, error))
    return FALSE;
  if (self->places->len != sym_rule_get_n_inputs (rule))
    return sym_rule_fail (error, "the body takes %u operands, there are %u", self->places->len,
                          sym_rule_get_n_inputs (rule));
  self->n_steps = SYM_DIM_UNKNOWN;
  for (guint i = 0; i < self->n_data; i++)
    {
      SymShape data = sym_rule_get_input (rule, i);

      if (data.rank == 0)
        return sym_rule_fail (error, "operand %u is a scalar; it should have an axis of steps", i);
      if (data.rank > 0 &&
          !sym_rule_unify (rule, data.dims[0], self->n_steps, "number of steps", error))
        return FALSE;
      if (data.rank > 0)
        self->n_steps = data.dims[0];
    }
  return TRUE;
}

static gboolean
tie_states (SymRule *rule, const Loop *loop, guint n_stacked, GError **error)
{
  g_autoptr (GArray) order = NULL;

  if (!get_places (rule, "in_state_index", MAX (loop->n_states, 1), &order, error))
    return FALSE;
  for (guint i = n_stacked; i < sym_rule_get_n_outputs (rule); i++)
    {
      guint state = i - n_stacked < order->len ? get_place (order, i - n_stacked) : i - n_stacked;

      if (state < loop->n_states && !tie_state (rule, loop->n_data + state, i, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
tell_loop (SymRule *rule,
           const Loop *loop,
           const SymBodyTypes *types,
           guint n_stacked,
           GError **error)
{
  for (guint i = 0; i < loop->places->len; i++)
    {
      SymType type = types->inputs[get_place (loop->places, i)];

      if (i < loop->n_data && sym_rule_get_input (rule, i).rank == 1)
        type.shape = SYM_SHAPE_UNKNOWN;
      else if (i < loop->n_data)
        type = get_steps (type, loop->n_steps);
      if (!tell_input (rule, i, &type, error))
        return FALSE;
    }
  for (guint i = 0; i < types->n_outputs; i++)
    {
      SymType type = types->outputs[i];

      if (i < n_stacked)
        type = get_steps (type, loop->n_steps);
      if (!tell_output (rule, i, &type, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
infer_foreach (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule), n_outputs = sym_rule_get_n_outputs (rule);
  guint n_stacked = (guint) CLAMP (sym_rule_get_int (rule, "num_out_data", 0), 0, n_outputs);
  g_autofree int *operands = g_new (int, n + 1);
  g_auto (SymBodyTypes) types = { NULL };
  g_auto (Loop) loop = { NULL };

  types_init (&types, n, n_outputs);
  types.operands = operands;
  if (!read_loop (rule, &loop, error) || !tie_states (rule, &loop, n_stacked, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    operands[i] = -1;
  for (guint i = 0; i < n; i++)
    {
      SymType type = sym_rule_get_input_type (rule, i);

      types.inputs[get_place (loop.places, i)] = i < loop.n_data ? get_step (type) : type;
      operands[get_place (loop.places, i)] = i < loop.n_data + loop.n_states ? -1 : (int) i;
    }
  for (guint i = n_stacked; i < n_outputs; i++)
    types.outputs[i] = get_output_type (rule, i);
  return sym_rule_infer_types (rule, 0, &types, error) &&
         tell_loop (rule, &loop, &types, n_stacked, error) &&
         tie_states (rule, &loop, n_stacked, error);
}

/* ---- _while_loop, _cond ---- */

/* Infers body @body, which takes the operands at @places. */
static gboolean
infer_places (SymRule *rule, guint body, const GArray *places, SymBodyTypes *types, GError **error)
{
  for (guint i = 0; i < places->len; i++)
    types->inputs[i] = sym_rule_get_input_type (rule, get_place (places, i));
  if (!sym_rule_infer_types (rule, body, types, error))
    return FALSE;
  for (guint i = 0; i < places->len; i++)
    if (!tell_input (rule, get_place (places, i), &types->inputs[i], error))
      return FALSE;
  return TRUE;
}

/* A branch takes its operands as they are, a loop may change them from turn to turn. */
static gboolean
infer_branch_places (SymRule *rule,
                     guint body,
                     const GArray *places,
                     SymBodyTypes *types,
                     GError **error)
{
  g_autofree int *operands = g_new (int, places->len + 1);
  gboolean done;

  for (guint i = 0; i < places->len; i++)
    operands[i] = (int) get_place (places, i);
  types->operands = operands;
  done = infer_places (rule, body, places, types, error);
  types->operands = NULL;
  return done;
}

/* The condition: its result is a number of its own. */
static gboolean
infer_condition (SymRule *rule, gboolean is_of_loop, GError **error)
{
  g_autoptr (GArray) places = NULL;
  g_auto (SymBodyTypes) types = { NULL };

  if (!get_places (rule, "cond_input_locs", sym_rule_get_n_inputs (rule), &places, error))
    return FALSE;
  types_init (&types, places->len, 0);
  return is_of_loop ? infer_places (rule, 0, places, &types, error)
                    : infer_branch_places (rule, 0, places, &types, error);
}

static const SymAttributeSpec while_attributes[] = {
  { "num_args", SYM_ATTRIBUTE_INT, NULL, "number of operands" },
  { "num_outputs", SYM_ATTRIBUTE_INT, NULL, "number of outputs" },
  { "num_out_data", SYM_ATTRIBUTE_INT, NULL, "outputs that are stacked" },
  { "max_iterations", SYM_ATTRIBUTE_INT, NULL, "most iterations" },
  { "cond_input_locs", SYM_ATTRIBUTE_INTS, NULL, "operands of the condition" },
  { "func_input_locs", SYM_ATTRIBUTE_INTS, NULL, "operands of the body" },
  { "func_var_locs", SYM_ATTRIBUTE_INTS, NULL, "which operands of the body are states" },
  { NULL },
};

static gboolean
tie_variables (SymRule *rule, const GArray *places, guint n_stacked, GError **error)
{
  g_autoptr (GArray) variables = NULL;

  if (!get_places (rule, "func_var_locs", places->len, &variables, error))
    return FALSE;
  for (guint i = 0; i < variables->len; i++)
    if (!tie_state (rule, get_place (places, get_place (variables, i)), n_stacked + i, error))
      return FALSE;
  return TRUE;
}

/* Stacked outputs have room for as many steps as there may be. */
static gboolean
infer_while (SymRule *rule, GError **error)
{
  guint n_outputs = sym_rule_get_n_outputs (rule);
  guint n_stacked = (guint) CLAMP (sym_rule_get_int (rule, "num_out_data", 0), 0, n_outputs);
  gint64 most = sym_rule_get_int (rule, "max_iterations", 0);
  g_autoptr (GArray) places = NULL;
  g_auto (SymBodyTypes) types = { NULL };

  if (!infer_condition (rule, TRUE, error) ||
      !get_places (rule, "func_input_locs", sym_rule_get_n_inputs (rule), &places, error) ||
      !tie_variables (rule, places, n_stacked, error))
    return FALSE;
  types_init (&types, places->len, n_outputs);
  for (guint i = n_stacked; i < n_outputs; i++)
    types.outputs[i] = get_output_type (rule, i);
  if (!infer_places (rule, 1, places, &types, error))
    return FALSE;
  for (guint i = 0; i < n_outputs; i++)
    {
      SymType type = types.outputs[i];

      if (i < n_stacked)
        type = get_steps (type, most > 0 ? most : SYM_DIM_UNKNOWN);
      if (!tell_output (rule, i, &type, error))
        return FALSE;
    }
  return tie_variables (rule, places, n_stacked, error);
}

static const SymAttributeSpec cond_attributes[] = {
  { "num_args", SYM_ATTRIBUTE_INT, NULL, "number of operands" },
  { "num_outputs", SYM_ATTRIBUTE_INT, NULL, "number of outputs" },
  { "cond_input_locs", SYM_ATTRIBUTE_INTS, NULL, "operands of the condition" },
  { "then_input_locs", SYM_ATTRIBUTE_INTS, NULL, "operands of the first branch" },
  { "else_input_locs", SYM_ATTRIBUTE_INTS, NULL, "operands of the second branch" },
  { NULL },
};

static gboolean
infer_branch (SymRule *rule, guint body, const char *name, GError **error)
{
  guint n_outputs = sym_rule_get_n_outputs (rule);
  g_autoptr (GArray) places = NULL;
  g_auto (SymBodyTypes) types = { NULL };

  if (!get_places (rule, name, sym_rule_get_n_inputs (rule), &places, error))
    return FALSE;
  types_init (&types, places->len, n_outputs);
  for (guint i = 0; i < n_outputs; i++)
    types.outputs[i] = get_output_type (rule, i);
  if (!infer_branch_places (rule, body, places, &types, error))
    return FALSE;
  for (guint i = 0; i < n_outputs; i++)
    if (!tell_output (rule, i, &types.outputs[i], error))
      return FALSE;
  return TRUE;
}

/* Both branches give the same types. */
static gboolean
infer_cond (SymRule *rule, GError **error)
{
  return infer_condition (rule, FALSE, error) && infer_branch (rule, 1, "then_input_locs", error) &&
         infer_branch (rule, 2, "else_input_locs", error);
}

/* ---- Which operands the bodies take ---- */

/* The numbers of an attribute and how many there are, 0 without it.  Free them. */
static gint64 *
dup_numbers (const SymAttributes *attributes, const char *name, int *n)
{
  const SymValue *value = sym_attributes_find (attributes, name);
  gint64 *numbers;

  *n = value != NULL ? MAX (sym_value_get_ints (value, NULL, 0), 0) : 0;
  numbers = g_new0 (gint64, *n + 1);
  if (*n > 0)
    sym_value_get_ints (value, numbers, *n);
  return numbers;
}

/* Operands are data, then states, then what stays the same; each list tells where they are among
 * the inputs of the body. */
static void
get_foreach_operands (const SymAttributes *attributes, guint body, int *operands, guint n)
{
  static const char *const names[] = { "in_data_locs", "in_state_locs", "remain_locs" };
  int before = 0;

  for (guint i = 0; i < n; i++)
    operands[i] = -1;
  for (guint k = 0; k < G_N_ELEMENTS (names); k++)
    {
      int n_numbers;
      g_autofree gint64 *numbers = dup_numbers (attributes, names[k], &n_numbers);

      for (int i = 0; i < n_numbers; i++)
        if (numbers[i] >= 0 && numbers[i] < n)
          operands[numbers[i]] = before + i;
      before += n_numbers;
    }
}

/* The list @name has the operand of each input. */
static void
read_operands (const SymAttributes *attributes, const char *name, int *operands, guint n)
{
  int n_numbers;
  g_autofree gint64 *numbers = dup_numbers (attributes, name, &n_numbers);

  for (guint i = 0; i < n; i++)
    operands[i] =
        i < (guint) n_numbers && numbers[i] >= 0 && numbers[i] <= G_MAXINT ? (int) numbers[i] : -1;
}

static void
get_while_operands (const SymAttributes *attributes, guint body, int *operands, guint n)
{
  read_operands (attributes, body == 0 ? "cond_input_locs" : "func_input_locs", operands, n);
}

static void
get_cond_operands (const SymAttributes *attributes, guint body, int *operands, guint n)
{
  static const char *const names[] = { "cond_input_locs", "then_input_locs", "else_input_locs" };

  read_operands (attributes, names[MIN (body, 2)], operands, n);
}

static int
get_any_number (const SymAttributes *attributes)
{
  return -1;
}

static int
get_num_outputs (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = (int) CLAMP (sym_op_get_int (attributes, "num_outputs", 1), 1, G_MAXINT16);
  return *n_visible;
}

static const char *const foreach_bodies[] = { "body", NULL };
static const char *const while_bodies[] = { "condition", "body", NULL };
static const char *const cond_bodies[] = { "condition", "then", "else", NULL };

#define CONTROL(name_, alias_, summary_, attributes_, operand_, bodies_, infer_, run_)            \
  {                                                                                               \
    SYM_OP_MXNET,                                                                                 \
        .name = name_, .aliases = alias_, .summary = summary_, .reference = "MXNet 1.9.1 " name_, \
        .category = SYM_CATEGORY_CONTROL, .attributes = attributes_, .slots = sym_op_mxnet_many,  \
        .get_n_operands = get_any_number, .get_n_outputs = get_num_outputs,                       \
        .get_body_operands = operand_, .body_names = bodies_, .infer = infer_, .run = run_        \
  }

const SymOperator sym_op_mxnet_control[] = {
  CONTROL ("_foreach",
           "_npx_foreach",
           "runs its body for each element",
           foreach_attributes,
           get_foreach_operands,
           foreach_bodies,
           infer_foreach,
           sym_op_mxnet_run_foreach),
  CONTROL ("_while_loop",
           "_npx_while_loop",
           "runs its body while a condition holds",
           while_attributes,
           get_while_operands,
           while_bodies,
           infer_while,
           sym_op_mxnet_run_while),
  CONTROL ("_cond",
           "_npx_cond",
           "runs one of its branches",
           cond_attributes,
           get_cond_operands,
           cond_bodies,
           infer_cond,
           sym_op_mxnet_run_cond),
  { NULL },
};
