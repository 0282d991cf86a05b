/* SPDX-License-Identifier: MIT */
#include "run/sym-region-parts-private.h"
#include "run/sym-step-bytes-private.h"
#include "run/sym-step-matrix-private.h"

/* ---- Making ---- */

/* Whether the operation goes on with the chain that @before is in.  What is watched ends one, so
 * that it has a time of its own. */
static gboolean
continues (const SymPlanGraph *graph, const SymPlanOp *before, const SymPlanOp *op)
{
  const SymPlanTensor *a = sym_plan_graph_get_tensor (graph, before->y);
  const SymPlanTensor *b = sym_plan_graph_get_tensor (graph, op->y);

  return before->kind == SYM_PLAN_ELEMENTWISE && op->kind == SYM_PLAN_ELEMENTWISE && a->n == b->n &&
         a->is_last == b->is_last && !a->is_watched;
}

/* How many use each tensor. */
static guint *
count_uses (const SymPlanGraph *graph)
{
  guint *n_uses = g_new0 (guint, graph->tensors->len + 1);

  for (guint i = 0; i < graph->tensors->len; i++)
    n_uses[i] = sym_plan_tensor_is_wanted (sym_plan_graph_get_tensor (graph, i)) ? 1 : 0;
  for (guint i = 0; i < graph->ops->len; i++)
    for (guint j = 0; j < SYM_PLAN_N_OPERANDS; j++)
      {
        guint tensor = *sym_plan_op_get_operand (sym_plan_graph_get_op (graph, i), j);

        if (tensor != SYM_PLAN_NONE)
          n_uses[tensor]++;
      }
  return n_uses;
}

/* The step of each operation: chains and strips have the same one. */
static guint *
number_steps (const SymPlanGraph *graph)
{
  guint *steps = g_new (guint, graph->ops->len + 1), n = 0;
  g_autofree guint *n_uses = count_uses (graph);

  for (guint i = 0; i < graph->ops->len; i++)
    {
      const SymPlanOp *op = sym_plan_graph_get_op (graph, i), *before;

      before = i == 0 ? op : sym_plan_graph_get_op (graph, i - 1);
      if (i > 0 && !continues (graph, before, op) &&
          (n_uses[before->y] != 1 || !sym_strip_joins (graph, before, op)))
        n++;
      steps[i] = n;
    }
  return steps;
}

static void
show (gboolean *hidden, const guint *makers, guint tensor, guint step)
{
  if (tensor != SYM_PLAN_NONE && makers[tensor] != step)
    hidden[tensor] = FALSE;
}

/* What is made and used in one chain or strip only is never in memory. */
static gboolean *
find_hidden (const SymPlanGraph *graph, const guint *steps)
{
  gboolean *hidden = g_new0 (gboolean, graph->tensors->len + 1);
  g_autofree guint *makers = g_new0 (guint, graph->tensors->len + 1);

  for (guint i = 0; i < graph->ops->len; i++)
    {
      const SymPlanOp *op = sym_plan_graph_get_op (graph, i);

      makers[op->y] = steps[i];
      hidden[op->y] = (op->kind == SYM_PLAN_ELEMENTWISE ||
                       (i + 1 < graph->ops->len && steps[i + 1] == steps[i])) &&
                      !sym_plan_tensor_is_wanted (sym_plan_graph_get_tensor (graph, op->y));
    }
  for (guint i = 0; i < graph->ops->len; i++)
    {
      SymPlanOp *op = sym_plan_graph_get_op (graph, i);

      for (guint j = 0; j < SYM_PLAN_N_OPERANDS; j++)
        show (hidden, makers, *sym_plan_op_get_operand (op, j), steps[i]);
    }
  return hidden;
}

typedef SymStep *(*MakeStep) (const SymPlanGraph *graph, const SymPlanOp *op);

/* Of operations whose steps need no options; NULL for others. */
static MakeStep
find_maker (SymPlanOpKind kind)
{
  static const struct {
    SymPlanOpKind kind;
    MakeStep make;
  } makers[] = { { SYM_PLAN_APPEND, sym_append_new },     { SYM_PLAN_ATTENTION, sym_attention_new },
                 { SYM_PLAN_CODE_SUM, sym_code_sum_new }, { SYM_PLAN_CONVERT, sym_convert_new },
                 { SYM_PLAN_COPY, sym_copy_new },         { SYM_PLAN_EXPAND, sym_expand_new },
                 { SYM_PLAN_GATHER, sym_gather_new },     { SYM_PLAN_MATRIX, sym_matrix_new },
                 { SYM_PLAN_MOVE, sym_move_new },         { SYM_PLAN_QUANTIZE, sym_quantize_new },
                 { SYM_PLAN_ROTATE, sym_rotate_new },     { SYM_PLAN_ROWS, sym_rows_new } };

  for (guint i = 0; i < G_N_ELEMENTS (makers); i++)
    if (makers[i].kind == kind)
      return makers[i].make;
  return NULL;
}

static SymStep *
make_volume (const SymRegion *self, const SymPlanOp *op, const SymStepOptions *options)
{
  if (!op->packs_weights && sym_plan_op_is_depthwise (op))
    return sym_volume_window_new (self->graph, op, options);
  if (sym_scatter_is_better (op, options))
    return sym_scatter_new (self->graph, op, options);
  return sym_volume_new (self->graph, op, options);
}

static SymStep *
make_bytes (const SymRegion *self, const SymPlanOp *op, const SymStepOptions *options)
{
  if (!op->bytes->is_image)
    return sym_byte_product_new (self->graph, op, options);
  if (sym_plan_op_is_depthwise (op))
    return sym_byte_window_new (self->graph, op, options);
  return sym_byte_convolution_new (self->graph, op, options);
}

static SymStep *
make_step (const SymRegion *self, const SymPlanOp *op, const SymStepOptions *options)
{
  MakeStep make = find_maker (op->kind);

  if (make != NULL)
    return make (self->graph, op);
  if (sym_halves_are_better (self->graph, op, options))
    return sym_halves_new (self->graph, op, options);
  if (op->kind == SYM_PLAN_PRODUCT)
    return sym_product_new (self->graph, op, options);
  if (op->kind == SYM_PLAN_BYTES)
    return make_bytes (self, op, options);
  if (op->kind == SYM_PLAN_RECURRENT)
    return sym_recurrent_new (self->graph, op, options);
  if (op->kind == SYM_PLAN_FACTORS)
    return sym_factors_new (self->graph, op, options);
  if (op->kind == SYM_PLAN_RESIZE)
    return sym_resize_new (self->graph, op, options);
  if (op->kind == SYM_PLAN_SAMPLE)
    return sym_sample_new (self->graph, op, options);
  if (op->kind == SYM_PLAN_LOCAL_NORM)
    return sym_local_norm_new (self->graph, op, options);
  if (op->kind == SYM_PLAN_VOLUME)
    return make_volume (self, op, options);
  return sym_step_new_image (self->graph, op, options);
}

/* Of @n operations from @first on that have the same step. */
static SymStep *
make_steps (const SymRegion *self,
            guint first,
            guint n,
            const gboolean *hidden,
            const SymStepOptions *options)
{
  const SymPlanOp *op = sym_plan_graph_get_op (self->graph, first);

  if (op->kind == SYM_PLAN_ELEMENTWISE)
    return sym_chain_new (self->graph, first, n, hidden, options);
  return n > 1 ? sym_strip_new (self->graph, first, n, options) : make_step (self, op, options);
}

/* The value of the model that an operation makes. */
static SymId
find_value (const SymRegion *self, guint op)
{
  return sym_plan_graph_get_tensor (self->graph, sym_plan_graph_get_op (self->graph, op)->y)->value;
}

/* Notes the values of the model that @n operations make, which @first and later steps are for. */
static void
note_made (SymRegion *self, guint i, guint n, guint first)
{
  guint n_values = 0;

  for (guint j = i; j < i + n; j++)
    if (find_value (self, j) != SYM_NO_ID)
      n_values++;
  for (guint j = i; j < i + n; j++)
    {
      SymRegionMade made = { find_value (self, j), first, self->steps->len, 1.0 / n_values };

      if (made.value != SYM_NO_ID)
        g_array_append_val (self->made, made);
    }
}

/* Notes when the results of @n operations are there; some are made by several. */
static void
note_shown (SymRegion *self, guint i, guint n, guint *afters)
{
  for (guint j = i; j < i + n; j++)
    afters[sym_plan_graph_get_op (self->graph, j)->y] = self->steps->len;
}

static int
compare_shown (gconstpointer a, gconstpointer b)
{
  const SymRegionShown *left = a, *right = b;

  if (left->after != right->after)
    return left->after < right->after ? -1 : 1;
  return left->tensor < right->tensor ? -1 : left->tensor > right->tensor;
}

static void
list_shown (SymRegion *self, const guint *afters)
{
  for (guint i = 0; i < self->graph->tensors->len; i++)
    {
      SymRegionShown shown = { afters[i], i };

      if (sym_plan_graph_get_tensor (self->graph, i)->is_watched && afters[i] != SYM_PLAN_NONE)
        g_array_append_val (self->shown, shown);
    }
  g_array_sort (self->shown, compare_shown);
}

/* A step for @n operations from @i on; views need none. */
static void
add_step (SymRegion *self, guint i, guint n, const gboolean *hidden, const SymStepOptions *options)
{
  SymPlanOp *op = sym_plan_graph_get_op (self->graph, i);
  SymStep *step;

  if (op->kind == SYM_PLAN_VIEW)
    return;
  for (guint j = 0; j < n; j++)
    sym_plan_graph_bring (self->graph, &op[j], options->packer->cancellable);
  for (guint j = 0; j < n; j++)
    op[j].shares_weights = sym_plan_graph_shares_weights (self->graph, &op[j]);
  step = make_steps (self, i, n, hidden, options);
  for (guint j = 0; j < n; j++)
    sym_plan_graph_let_weights_go (self->graph, sym_plan_graph_get_op (self->graph, i + j));
  sym_plan_late_forget (self->graph->plan);
  self->scratch = MAX (self->scratch, step->n_scratch);
  self->n_weight_bytes += step->n_bytes;
  g_ptr_array_add (self->steps, step);
}

static void
add_steps (SymRegion *self,
           const guint *steps,
           const gboolean *hidden,
           const SymStepOptions *options)
{
  g_autofree guint *afters = g_new (guint, self->graph->tensors->len + 1);
  guint n, first = 0;

  for (guint i = 0; i < self->graph->tensors->len; i++)
    afters[i] = SYM_PLAN_NONE;
  for (guint i = 0; i < self->graph->ops->len && !sym_packer_is_cancelled (options->packer); i += n)
    {
      for (n = 1; i + n < self->graph->ops->len && steps[i + n] == steps[i];)
        n++;
      add_step (self, i, n, hidden, options);
      note_shown (self, i, n, afters);
      note_made (self, i, n, first);
      /* What makes no value of the model is for the sake of the next one that does. */
      if (find_value (self, i + n - 1) != SYM_NO_ID)
        first = self->steps->len;
    }
  list_shown (self, afters);
}

/* Constants of the model that are read as they are. */
static void
keep_constant (SymRegion *self, guint tensor)
{
  const SymPlanTensor *kept;
  SymDatum *datum;

  if (tensor == SYM_PLAN_NONE)
    return;
  kept = sym_plan_graph_get_tensor (self->graph, tensor);
  if (kept->constant == NULL)
    return;
  self->n_weight_bytes += kept->n * sym_dtype_get_bits (kept->dtype) / 8;
  if (kept->value == SYM_NO_ID)
    return;
  datum = self->graph->plan->constants[kept->value];
  g_ptr_array_add (self->kept, sym_datum_ref (datum));
}

static void
keep_constants (SymRegion *self)
{
  for (guint i = 0; i < self->graph->ops->len; i++)
    {
      SymPlanOp *op = sym_plan_graph_get_op (self->graph, i);

      for (guint j = 0; j < SYM_PLAN_N_OPERANDS; j++)
        keep_constant (self, *sym_plan_op_get_operand (op, j));
    }
}

static void
find_ends (SymRegion *self)
{
  for (guint i = 0; i < self->graph->tensors->len; i++)
    {
      const SymPlanTensor *tensor = sym_plan_graph_get_tensor (self->graph, i);

      if (tensor->is_input)
        {
          g_array_append_val (self->inputs, tensor->value);
          g_array_append_val (self->froms, i);
        }
      if (tensor->is_output)
        {
          g_array_append_val (self->outputs, tensor->value);
          g_array_append_val (self->tos, i);
        }
    }
}

static void
free_step (gpointer data)
{
  SymStep *step = data;

  step->class->free (step);
}

SymRegion *
sym_region_new (SymPlanGraph *graph, const SymStepOptions *options)
{
  SymRegion *self = g_new0 (SymRegion, 1);
  SymStepOptions own = *options;
  g_autoptr (GHashTable) packed = sym_product_new_table ();
  g_autofree guint *steps = NULL;
  g_autofree gboolean *hidden = NULL;

  self->graph = graph;
  self->steps = g_ptr_array_new_with_free_func (free_step);
  self->n_threads = options->n_threads;
  self->pool = sym_memory_pool_new (graph->plan->area);
  self->inputs = g_array_new (FALSE, FALSE, sizeof (SymId));
  self->outputs = g_array_new (FALSE, FALSE, sizeof (SymId));
  self->froms = g_array_new (FALSE, FALSE, sizeof (guint));
  self->tos = g_array_new (FALSE, FALSE, sizeof (guint));
  self->kept = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_datum_unref);
  self->made = g_array_new (FALSE, FALSE, sizeof (SymRegionMade));
  self->shown = g_array_new (FALSE, FALSE, sizeof (SymRegionShown));
  sym_plan_graph_match_bytes (graph);
  sym_plan_graph_match (graph);
  sym_plan_graph_match_activations (graph);
  sym_plan_graph_match_moves (graph);
  sym_plan_graph_fuse (graph);
  sym_plan_graph_fuse_bytes (graph);
  sym_plan_graph_lay_out (graph);
  steps = number_steps (graph);
  hidden = find_hidden (graph, steps);
  sym_plan_graph_place (graph, steps, hidden);
  own.pool = self->pool;
  own.packed = packed;
  add_steps (self, steps, hidden, &own);
  keep_constants (self);
  find_ends (self);
  g_array_set_size (graph->ops, 0);
  return self;
}

void
sym_region_free (SymRegion *self)
{
  g_ptr_array_unref (self->steps);
  g_array_unref (self->inputs);
  g_array_unref (self->outputs);
  g_array_unref (self->froms);
  g_array_unref (self->tos);
  g_ptr_array_unref (self->kept);
  g_array_unref (self->made);
  g_array_unref (self->shown);
  sym_memory_pool_free (self->pool);
  sym_plan_graph_free (self->graph);
  g_free (self);
}

gsize
sym_region_get_scratch (const SymRegion *self)
{
  return (self->scratch + 63) / 64 * 64;
}

SymIds
sym_region_get_inputs (const SymRegion *self)
{
  return (SymIds){ (const SymId *) (gpointer) self->inputs->data, self->inputs->len };
}

SymIds
sym_region_get_outputs (const SymRegion *self)
{
  return (SymIds){ (const SymId *) (gpointer) self->outputs->data, self->outputs->len };
}

guint64
sym_region_get_n_weight_bytes (const SymRegion *self)
{
  return self->n_weight_bytes;
}

gsize
sym_region_get_n_arena_bytes (const SymRegion *self)
{
  return self->graph->arena * sizeof (float) + sym_region_get_scratch (self) * self->n_threads;
}
