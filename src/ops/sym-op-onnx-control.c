/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-body.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* If and Loop.  What their bodies take from around follows the operands (core/sym-layer.h). */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymBodyTypes, sym_op_types_free)

/* The truth of an operand of one element. */
static gboolean
read_truth (SymKernel *kernel, const SymArray *array, gboolean *truth, GError **error)
{
  if (array == NULL || array->dtype != SYM_DTYPE_BOOL || sym_array_get_n_elements (array) != 1)
    return sym_kernel_fail (error, "the condition of %s must be one bool",
                            sym_layer_get_type (sym_kernel_get_layer (kernel)));
  *truth = *(const guint8 *) array->data != 0;
  return TRUE;
}

/* ---- If ---- */

static const SymSlotSpec if_slots[] = { { "cond" }, { NULL } };

/* Bodies are no attributes here. */
static int
get_n_if_outputs (const SymAttributes *attributes, int *n_visible)
{
  (void) attributes;
  *n_visible = 0;
  return 0;
}

/* The branch that is never taken may contradict what is known: that is often why it is there. */
static gboolean
infer_if (SymRule *rule, GError **error)
{
  static const char *const names[] = { "then_branch", "else_branch" };
  guint n = sym_rule_get_n_outputs (rule);
  g_autoptr (SymBodyTypes) first = sym_op_types_new (0, n);
  g_autoptr (SymBodyTypes) second = sym_op_types_new (0, n);
  SymBodyTypes *branches[] = { first, second };
  int taken = -1;
  gint64 truth;

  if (!sym_rule_set_input_dtype (rule, 0, SYM_DTYPE_BOOL, error))
    return FALSE;
  if (sym_rule_get_input_ints (rule, 0, &truth, 1) == 1)
    taken = truth != 0 ? 0 : 1;
  for (int i = 0; i < 2; i++)
    {
      int body = sym_rule_find_body (rule, names[i]);

      if (body < 0)
        return sym_rule_fail (error, "there is no %s", names[i]);
      if (taken == i ? !sym_rule_infer_closure (rule, (guint) body, branches[i], error)
                     : !sym_rule_infer_branch (rule, (guint) body, branches[i],
                                               taken < 0 ? error : NULL) &&
                           taken < 0)
        return FALSE;
    }
  if (taken >= 0)
    branches[1 - taken] = branches[taken];
  for (guint i = 0; i < n; i++)
    {
      SymType type = sym_op_meet_types (&branches[0]->outputs[i], &branches[1]->outputs[i]);

      if (type.kind != SYM_KIND_UNKNOWN)
        sym_rule_set_output_type (rule, i, &type);
    }
  return TRUE;
}

static gboolean
run_body (SymKernel *kernel,
          const char *name,
          SymDatum *const *inputs,
          guint n_inputs,
          SymDatum **outputs,
          guint n_outputs,
          GError **error)
{
  int body = sym_layer_find_body (sym_kernel_get_layer (kernel), name);

  if (body < 0)
    return sym_kernel_fail (error, "there is no %s", name);
  return sym_kernel_run_body (kernel, (guint) body, inputs, n_inputs, outputs, n_outputs, error);
}

static gboolean
run_if (SymKernel *kernel, GError **error)
{
  guint n = sym_kernel_get_n_outputs (kernel);
  g_autoptr (GPtrArray) outputs = sym_op_new_data (n);
  gboolean truth, done = TRUE;

  if (!read_truth (kernel, sym_kernel_need_input (kernel, 0, error), &truth, error) ||
      !run_body (kernel, truth ? "then_branch" : "else_branch", NULL, 0,
                 (SymDatum **) outputs->pdata, n, error))
    return FALSE;
  for (guint i = 0; done && i < n; i++)
    done = sym_kernel_set_output (kernel, i, outputs->pdata[i], error);
  return done;
}

/* ---- Loop ---- */

static const SymSlotSpec loop_slots[] = {
  { "M", SYM_SLOT_DATA, TRUE },
  { "cond", SYM_SLOT_DATA, TRUE },
  { "v_initial", SYM_SLOT_DATA, TRUE },
  { NULL },
};

/* The body takes the number of the iteration, the condition, and what is carried along. */
static void
get_loop_operands (const SymAttributes *attributes, guint body, int *operands, guint n)
{
  (void) attributes;
  (void) body;
  if (n > 0)
    operands[0] = -1;
}

/* The branches may have no inputs.  Some files give them some all the same: none is the condition.
 */
static void
get_if_operands (const SymAttributes *attributes, guint body, int *operands, guint n)
{
  (void) attributes;
  (void) body;
  for (guint i = 0; i < n; i++)
    operands[i] = -1;
}

static SymType
drop_shape (SymType type)
{
  type.shape = SYM_SHAPE_UNKNOWN;
  return type;
}

/* A carried value may change its shape from step to step: known is only what holds when the body is
 * asked for any shape, unless the body gives back the shape that it was given. */
static gboolean
infer_loop (SymRule *rule, GError **error)
{
  guint n_formal = sym_rule_get_n_formal_inputs (rule), n_outputs = sym_rule_get_n_outputs (rule);
  guint n_carried = n_formal > 2 ? n_formal - 2 : 0;
  int body = sym_rule_find_body (rule, "body");
  g_autoptr (SymBodyTypes) types = sym_op_types_new (n_carried + 2, n_outputs + 1);

  if (body < 0)
    return sym_rule_fail (error, "there is no body");
  if (n_outputs < n_carried)
    return sym_rule_fail (error, "%u values are carried along, %u come out", n_carried, n_outputs);
  types->inputs[0] = sym_type_tensor (SYM_DTYPE_INT64, SYM_SHAPE_UNKNOWN);
  types->inputs[1] = sym_type_tensor (SYM_DTYPE_BOOL, SYM_SHAPE_UNKNOWN);
  for (guint i = 0; i < n_carried; i++)
    types->inputs[2 + i] = drop_shape (sym_rule_get_input_type (rule, 2 + i));
  if (!sym_rule_infer_closure (rule, (guint) body, types, error))
    return FALSE;
  for (guint i = 0; i < n_outputs; i++)
    {
      SymType type = types->outputs[1 + i];

      if (i >= n_carried && type.kind == SYM_KIND_TENSOR && type.shape.rank >= 0 &&
          type.shape.rank < SYM_MAX_RANK)
        type.shape = sym_op_insert_axis (&type.shape, 0, SYM_DIM_UNKNOWN);
      for (int j = 0; j < type.shape.rank; j++)
        if (type.shape.dims[j] < 0)
          type.shape.dims[j] = SYM_DIM_UNKNOWN;
      if (type.kind != SYM_KIND_UNKNOWN)
        sym_rule_set_output_type (rule, i, &type);
    }
  return TRUE;
}

typedef struct {
  SymKernel *kernel;
  guint n_carried, n_scans;
  GPtrArray *inputs;  /* of the body: number, condition, what is carried */
  GPtrArray *outputs; /* of the body: condition, what is carried, what is gathered */
  GPtrArray *scans;   /* for each gathered output an array of what came */
} Loop;

static void
loop_clear (Loop *self)
{
  g_clear_pointer (&self->inputs, g_ptr_array_unref);
  g_clear_pointer (&self->outputs, g_ptr_array_unref);
  g_clear_pointer (&self->scans, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Loop, loop_clear)

static SymDatum *
new_scalar (SymDType dtype, gint64 value, GError **error)
{
  SymShape shape = SYM_SHAPE ();
  SymDatum *datum = sym_datum_new (dtype, &shape, error);

  if (datum != NULL && dtype == SYM_DTYPE_INT64)
    *(gint64 *) sym_datum_get_array (datum)->data = value;
  else if (datum != NULL)
    *(guint8 *) sym_datum_get_array (datum)->data = value != 0;
  return datum;
}

static gboolean
start_loop (Loop *self, SymKernel *kernel, gint64 *most, gboolean *go, GError **error)
{
  guint n = sym_kernel_get_n_inputs (kernel), n_outputs = sym_kernel_get_n_outputs (kernel);
  gint64 limit[1];
  int n_limits;

  self->kernel = kernel;
  self->n_carried = n > 2 ? n - 2 : 0;
  if (n_outputs < self->n_carried)
    return sym_kernel_fail (error, "%u values are carried along, %u come out", self->n_carried,
                            n_outputs);
  self->n_scans = n_outputs - self->n_carried;
  self->inputs = sym_op_new_data (2 + self->n_carried);
  self->outputs = sym_op_new_data (1 + n_outputs);
  self->scans = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < self->n_scans; i++)
    g_ptr_array_add (self->scans, sym_op_new_data (0));
  if (!sym_kernel_read_ints (kernel, 0, limit, 1, &n_limits, error))
    return FALSE;
  *most = n_limits == 1 ? limit[0] : G_MAXINT64;
  *go = TRUE;
  if (sym_kernel_has_input (kernel, 1) &&
      !read_truth (kernel, sym_kernel_get_input (kernel, 1), go, error))
    return FALSE;
  for (guint i = 0; i < self->n_carried; i++)
    if (sym_kernel_has_input (kernel, 2 + i))
      self->inputs->pdata[2 + i] = sym_datum_ref (sym_kernel_get_datum (kernel, 2 + i));
  self->inputs->pdata[1] = new_scalar (SYM_DTYPE_BOOL, *go, error);
  return self->inputs->pdata[1] != NULL;
}

/* Once around; *@go is what the body's condition says then. */
static gboolean
step_loop (Loop *self, gint64 i, gboolean *go, GError **error)
{
  g_clear_pointer ((SymDatum **) &self->inputs->pdata[0], sym_datum_unref);
  self->inputs->pdata[0] = new_scalar (SYM_DTYPE_INT64, i, error);
  if (self->inputs->pdata[0] == NULL ||
      !run_body (self->kernel, "body", (SymDatum **) self->inputs->pdata, self->inputs->len,
                 (SymDatum **) self->outputs->pdata, self->outputs->len, error))
    return FALSE;
  for (guint j = 0; j < self->n_scans; j++)
    {
      SymDatum *kept = sym_datum_keep (self->outputs->pdata[1 + self->n_carried + j], error);

      if (kept == NULL)
        return FALSE;
      g_ptr_array_add (self->scans->pdata[j], kept);
      g_clear_pointer ((SymDatum **) &self->outputs->pdata[1 + self->n_carried + j],
                       sym_datum_unref);
    }
  for (guint j = 0; j <= self->n_carried; j++)
    {
      g_clear_pointer ((SymDatum **) &self->inputs->pdata[1 + j], sym_datum_unref);
      self->inputs->pdata[1 + j] = g_steal_pointer ((SymDatum **) &self->outputs->pdata[j]);
    }
  return read_truth (self->kernel, sym_datum_get_array (self->inputs->pdata[1]), go, error);
}

static gboolean
finish_empty (Loop *self, guint i, guint output, GError **error)
{
  int body = sym_layer_find_body (sym_kernel_get_layer (self->kernel), "body");
  g_autofree SymType *types = g_new (SymType, self->inputs->len);

  types[0] = sym_type_tensor (SYM_DTYPE_INT64, SYM_SHAPE ());
  for (guint j = 1; j < self->inputs->len; j++)
    types[j] = sym_op_get_type (self->inputs->pdata[j]);
  return sym_op_gather_nothing (self->kernel, (guint) body, types, self->inputs->len,
                                1 + self->n_carried + i, output, 0, error);
}

static gboolean
finish_loop (Loop *self, GError **error)
{
  for (guint i = 0; i < self->n_carried; i++)
    if (self->inputs->pdata[2 + i] != NULL &&
        !sym_kernel_set_output (self->kernel, i, self->inputs->pdata[2 + i], error))
      return FALSE;
  for (guint i = 0; i < self->n_scans; i++)
    {
      GPtrArray *parts = self->scans->pdata[i];

      if (!(parts->len == 0 ? finish_empty (self, i, self->n_carried + i, error)
                            : sym_op_stack (self->kernel, self->n_carried + i, parts, 0, error)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
run_loop (SymKernel *kernel, GError **error)
{
  g_auto (Loop) loop = { NULL };
  gboolean go;
  gint64 most = 0;

  if (!start_loop (&loop, kernel, &most, &go, error))
    return FALSE;
  if (sym_layer_find_body (sym_kernel_get_layer (kernel), "body") < 0)
    return sym_kernel_fail (error, "there is no body");
  for (gint64 i = 0; go && i < most; i++)
    if (sym_kernel_is_cancelled (kernel, error) || !step_loop (&loop, i, &go, error))
      return FALSE;
  return finish_loop (&loop, error);
}

#define CONTROL(name_, version_, summary_)                                              \
  SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_CONTROL, \
                                 .get_n_outputs = get_n_if_outputs

const SymOperator sym_op_onnx_control[] = {
  { CONTROL ("If", 1, "runs one of two bodies"), .slots = if_slots,
    .get_body_operands = get_if_operands, .infer = infer_if, .run = run_if },
  { CONTROL ("Loop",
             1,
             "runs its body again and again, for a number of times or while a condition holds"),
    .slots = loop_slots, .get_n_operands = sym_op_onnx_get_any_number,
    .get_body_operands = get_loop_operands, .infer = infer_loop, .run = run_loop },
  { 0 },
};
