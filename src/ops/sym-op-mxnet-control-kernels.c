/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-body.h"
#include "ops/sym-op-mxnet-control.h"
#include "ops/sym-op-rules.h"

/* The numbers of an attribute, each below @limit. */
typedef struct {
  gint64 *places;
  guint n;
} Places;

static void
places_clear (Places *self)
{
  g_clear_pointer (&self->places, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Places, places_clear)

static gboolean
read_places (Places *self, SymKernel *kernel, const char *name, guint limit, GError **error)
{
  int n = MAX (sym_kernel_get_ints (kernel, name, NULL, 0), 0);

  self->places = g_new0 (gint64, n + 1);
  self->n = (guint) n;
  sym_kernel_get_ints (kernel, name, self->places, n);
  for (guint i = 0; i < self->n; i++)
    if (self->places[i] < 0 || self->places[i] >= limit)
      return sym_kernel_fail (error, "%s has %" G_GINT64_FORMAT "; there are %u to choose from",
                              name, self->places[i], limit);
  return TRUE;
}

/* The body's results, which outlive the next turn. */
static gboolean
run_body (SymKernel *kernel,
          guint body,
          const GPtrArray *inputs,
          GPtrArray *outputs,
          GError **error)
{
  if (sym_kernel_is_cancelled (kernel, error) ||
      !sym_kernel_run_body (kernel, body, (SymDatum *const *) inputs->pdata, inputs->len,
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

static void
replace (gpointer *slot, SymDatum *datum)
{
  sym_datum_ref (datum);
  if (*slot != NULL)
    sym_datum_unref (*slot);
  *slot = datum;
}

/* The operands of the call, to be changed from turn to turn. */
static gboolean
collect_operands (SymKernel *kernel, GPtrArray *operands, GError **error)
{
  for (guint i = 0; i < operands->len; i++)
    {
      if (sym_kernel_need_input (kernel, i, error) == NULL)
        return FALSE;
      replace (&operands->pdata[i], sym_kernel_get_datum (kernel, i));
    }
  return TRUE;
}

/* Stacked results: for each an array of its parts. */
static GPtrArray *
new_stacks (guint n)
{
  GPtrArray *stacks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (stacks, sym_op_new_data (0));
  return stacks;
}

static guint
get_n_stacked (SymKernel *kernel)
{
  return (guint) CLAMP (sym_kernel_get_int (kernel, "num_out_data", 0), 0,
                        sym_kernel_get_n_outputs (kernel));
}

/* ---- _foreach ---- */

/* Operands are data, then states, then what stays the same. */
typedef struct {
  SymKernel *kernel;
  Places data, states, same, order;
  gint64 n_steps;
  guint n_stacked;
  GPtrArray *now; /* states */
  GPtrArray *stacks;
} Foreach;

static void
foreach_clear (Foreach *self)
{
  places_clear (&self->data);
  places_clear (&self->states);
  places_clear (&self->same);
  places_clear (&self->order);
  g_clear_pointer (&self->now, g_ptr_array_unref);
  g_clear_pointer (&self->stacks, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Foreach, foreach_clear)

static gboolean
count_steps (Foreach *self, GError **error)
{
  for (guint i = 0; i < self->data.n; i++)
    {
      const SymArray *x = sym_kernel_need_input (self->kernel, i, error);

      if (x == NULL)
        return FALSE;
      if (x->shape.rank < 1 || (i > 0 && x->shape.dims[0] != self->n_steps))
        return sym_kernel_fail (error, "operand %u has not as many steps as the first", i);
      self->n_steps = x->shape.dims[0];
    }
  return TRUE;
}

static gboolean
start_foreach (Foreach *self, SymKernel *kernel, GError **error)
{
  guint n = sym_kernel_get_n_inputs (kernel), n_outputs = sym_kernel_get_n_outputs (kernel);

  self->kernel = kernel;
  self->n_stacked = get_n_stacked (kernel);
  if (!read_places (&self->data, kernel, "in_data_locs", n, error) ||
      !read_places (&self->states, kernel, "in_state_locs", n, error) ||
      !read_places (&self->same, kernel, "remain_locs", n, error) ||
      !read_places (&self->order, kernel, "in_state_index", MAX (self->states.n, 1), error))
    return FALSE;
  if (self->data.n + self->states.n + self->same.n != n || self->data.n == 0)
    return sym_kernel_fail (error, "the body takes %u operands, %u of them data; there are %u",
                            self->data.n + self->states.n + self->same.n, self->data.n, n);
  if (n_outputs - self->n_stacked > self->states.n)
    return sym_kernel_fail (error, "%u states cannot be %u results", self->states.n,
                            n_outputs - self->n_stacked);
  self->now = sym_op_new_data (self->states.n);
  self->stacks = new_stacks (self->n_stacked);
  for (guint i = 0; i < self->states.n; i++)
    {
      if (sym_kernel_need_input (kernel, self->data.n + i, error) == NULL)
        return FALSE;
      replace (&self->now->pdata[i], sym_kernel_get_datum (kernel, self->data.n + i));
    }
  return count_steps (self, error);
}

/* One step of @x; that of a vector is a vector of one. */
static SymDatum *
take_step (const SymArray *x, gint64 step, GError **error)
{
  SymShape shape = x->shape.rank == 1 ? SYM_SHAPE (1) : sym_op_remove_axis (&x->shape, 0);
  SymDatum *datum = sym_datum_new (x->dtype, &shape, error);
  gsize n;

  if (datum == NULL)
    return NULL;
  n = sym_array_get_n_elements (sym_datum_get_array (datum));
  sym_op_move ((SymArray *) sym_datum_get_array (datum), 0, x, (gsize) step * n, n);
  return datum;
}

static guint
get_state (const Foreach *self, guint i)
{
  return i < self->order.n ? (guint) self->order.places[i] : i;
}

static gboolean
run_step (Foreach *self, gint64 step, GError **error)
{
  guint n = self->data.n + self->states.n + self->same.n;
  guint n_outputs = sym_kernel_get_n_outputs (self->kernel);
  g_autoptr (GPtrArray) inputs = sym_op_new_data (n), outputs = sym_op_new_data (n_outputs);

  for (guint i = 0; i < self->data.n; i++)
    {
      SymDatum *slice = take_step (sym_kernel_get_input (self->kernel, i), step, error);

      if (slice == NULL)
        return FALSE;
      g_clear_pointer ((SymDatum **) &inputs->pdata[self->data.places[i]], sym_datum_unref);
      inputs->pdata[self->data.places[i]] = slice;
    }
  for (guint i = 0; i < self->states.n; i++)
    replace (&inputs->pdata[self->states.places[i]], self->now->pdata[i]);
  for (guint i = 0; i < self->same.n; i++)
    {
      guint operand = self->data.n + self->states.n + i;

      if (sym_kernel_need_input (self->kernel, operand, error) == NULL)
        return FALSE;
      replace (&inputs->pdata[self->same.places[i]], sym_kernel_get_datum (self->kernel, operand));
    }
  if (!run_body (self->kernel, 0, inputs, outputs, error))
    return FALSE;
  for (guint i = 0; i < self->n_stacked; i++)
    g_ptr_array_add (self->stacks->pdata[i], sym_datum_ref (outputs->pdata[i]));
  for (guint i = self->n_stacked; i < n_outputs; i++)
    replace (&self->now->pdata[get_state (self, i - self->n_stacked)], outputs->pdata[i]);
  return TRUE;
}

gboolean
sym_op_mxnet_run_foreach (SymKernel *kernel, GError **error)
{
  g_auto (Foreach) self = { NULL };

  if (!start_foreach (&self, kernel, error))
    return FALSE;
  if (self.n_steps == 0 && self.n_stacked > 0)
    return sym_kernel_fail (error, "there is no step, so what is stacked has no shape");
  for (gint64 step = 0; step < self.n_steps; step++)
    if (!run_step (&self, step, error))
      return FALSE;
  for (guint i = 0; i < self.n_stacked; i++)
    if (!sym_op_stack (kernel, i, self.stacks->pdata[i], 0, error))
      return FALSE;
  for (guint i = self.n_stacked; i < sym_kernel_get_n_outputs (kernel); i++)
    if (!sym_kernel_set_output (kernel, i, self.now->pdata[get_state (&self, i - self.n_stacked)],
                                error))
      return FALSE;
  return TRUE;
}

/* ---- Bodies that take operands by number ---- */

static gboolean
run_places (SymKernel *kernel,
            guint body,
            const GPtrArray *operands,
            const Places *places,
            GPtrArray *outputs,
            GError **error)
{
  g_autoptr (GPtrArray) inputs = sym_op_new_data (places->n);

  for (guint i = 0; i < places->n; i++)
    replace (&inputs->pdata[i], operands->pdata[places->places[i]]);
  return run_body (kernel, body, inputs, outputs, error);
}

/* Whether body 0 gives a number that is not 0. */
static gboolean
ask (SymKernel *kernel,
     const GPtrArray *operands,
     const Places *places,
     gboolean *answer,
     GError **error)
{
  g_autoptr (GPtrArray) outputs = sym_op_new_data (1);

  return run_places (kernel, 0, operands, places, outputs, error) &&
         sym_op_read_truth (kernel, sym_datum_get_array (outputs->pdata[0]), answer, error);
}

/* ---- _while_loop ---- */

typedef struct {
  SymKernel *kernel;
  Places condition, body, variables;
  guint n_stacked;
  GPtrArray *operands, *stacks;
} While;

static void
while_clear (While *self)
{
  places_clear (&self->condition);
  places_clear (&self->body);
  places_clear (&self->variables);
  g_clear_pointer (&self->operands, g_ptr_array_unref);
  g_clear_pointer (&self->stacks, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (While, while_clear)

static gboolean
start_while (While *self, SymKernel *kernel, GError **error)
{
  guint n = sym_kernel_get_n_inputs (kernel), n_outputs = sym_kernel_get_n_outputs (kernel);

  self->kernel = kernel;
  self->n_stacked = get_n_stacked (kernel);
  self->operands = sym_op_new_data (n);
  self->stacks = new_stacks (self->n_stacked);
  if (!read_places (&self->condition, kernel, "cond_input_locs", n, error) ||
      !read_places (&self->body, kernel, "func_input_locs", n, error) ||
      !read_places (&self->variables, kernel, "func_var_locs", self->body.n, error))
    return FALSE;
  if (n_outputs - self->n_stacked != self->variables.n)
    return sym_kernel_fail (error, "%u states cannot be %u results", self->variables.n,
                            n_outputs - self->n_stacked);
  return collect_operands (kernel, self->operands, error);
}

static guint
get_variable (const While *self, guint i)
{
  return (guint) self->body.places[self->variables.places[i]];
}

static gboolean
run_turn (While *self, GError **error)
{
  g_autoptr (GPtrArray) outputs = sym_op_new_data (sym_kernel_get_n_outputs (self->kernel));

  if (!run_places (self->kernel, 1, self->operands, &self->body, outputs, error))
    return FALSE;
  for (guint i = 0; i < self->n_stacked; i++)
    g_ptr_array_add (self->stacks->pdata[i], sym_datum_ref (outputs->pdata[i]));
  for (guint i = 0; i < self->variables.n; i++)
    replace (&self->operands->pdata[get_variable (self, i)], outputs->pdata[self->n_stacked + i]);
  return TRUE;
}

/* Room for @most steps, those that there were first, the others 0. */
static gboolean
put_stack (While *self, guint i, gint64 most, GError **error)
{
  const GPtrArray *parts = self->stacks->pdata[i];
  const SymArray *first = parts->len == 0 ? NULL : sym_datum_get_array (parts->pdata[0]);
  SymShape shape;
  SymArray *y;
  gsize n;

  if (first == NULL || first->shape.rank == SYM_MAX_RANK)
    return sym_kernel_fail (error, "result %u has no shape: there is no step", i);
  shape = sym_op_insert_axis (&first->shape, 0, most);
  y = sym_kernel_new_output (self->kernel, i, first->dtype, &shape, error);
  if (y == NULL || !sym_op_clear (self->kernel, y, error))
    return FALSE;
  n = sym_array_get_n_elements (first);
  for (guint k = 0; k < parts->len; k++)
    {
      const SymArray *part = sym_datum_get_array (parts->pdata[k]);

      if (part == NULL || part->dtype != first->dtype ||
          !sym_shape_equal (&part->shape, &first->shape))
        return sym_kernel_fail (error, "result %u changes its type from step to step", i);
      sym_op_move (y, k * n, part, 0, n);
    }
  return TRUE;
}

gboolean
sym_op_mxnet_run_while (SymKernel *kernel, GError **error)
{
  gint64 most = sym_kernel_get_int (kernel, "max_iterations", 0);
  gboolean goes_on = TRUE;
  g_auto (While) self = { NULL };

  if (!start_while (&self, kernel, error))
    return FALSE;
  for (gint64 turn = 0; turn < most && goes_on; turn++)
    if (!ask (kernel, self.operands, &self.condition, &goes_on, error) ||
        (goes_on && !run_turn (&self, error)))
      return FALSE;
  for (guint i = 0; i < self.n_stacked; i++)
    if (!put_stack (&self, i, most, error))
      return FALSE;
  for (guint i = 0; i < self.variables.n; i++)
    if (!sym_kernel_set_output (kernel, self.n_stacked + i,
                                self.operands->pdata[get_variable (&self, i)], error))
      return FALSE;
  return TRUE;
}

/* ---- _cond ---- */

gboolean
sym_op_mxnet_run_cond (SymKernel *kernel, GError **error)
{
  guint n = sym_kernel_get_n_inputs (kernel), n_outputs = sym_kernel_get_n_outputs (kernel);
  g_autoptr (GPtrArray) operands = sym_op_new_data (n), outputs = sym_op_new_data (n_outputs);
  g_auto (Places) condition = { NULL }, branch = { NULL };
  gboolean yes = FALSE;

  if (!collect_operands (kernel, operands, error) ||
      !read_places (&condition, kernel, "cond_input_locs", n, error) ||
      !ask (kernel, operands, &condition, &yes, error) ||
      !read_places (&branch, kernel, yes ? "then_input_locs" : "else_input_locs", n, error) ||
      !run_places (kernel, yes ? 1 : 2, operands, &branch, outputs, error))
    return FALSE;
  for (guint i = 0; i < n_outputs; i++)
    if (!sym_kernel_set_output (kernel, i, outputs->pdata[i], error))
      return FALSE;
  return TRUE;
}
