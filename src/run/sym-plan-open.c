/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op.h"
#include "run/sym-plan-graph-private.h"
#include "run/sym-region-private.h"

/* What lies behind a number of examples that only the run knows, as the heads of a detector do
 * behind the boxes that it found.  Calls that treat each example for itself are compiled for a few
 * of them, and the run goes through all that there are.  So weights are packed once, whatever the
 * number turns out to be, and no run has to wait for a plan. */

/* How a call must be, for each example to become one of its result by itself. */
typedef enum {
  FIRST_ONLY, /* of its first operand; the others are constants */
  TOGETHER,   /* of operands that are examples, or constants for each of them */
  VIEW,       /* all elements of an example stay one */
  AXIS,       /* along one axis, from which on it goes by default */
  TURN,       /* examples stay first */
  SIZES,      /* examples stay as many */
} Manner;

static const struct {
  const char *name;
  Manner manner;
  gboolean begins; /* worth a step of its own */
} known[] = {
  { "Abs", FIRST_ONLY, FALSE },
  { "Add", TOGETHER, FALSE },
  { "AveragePool", FIRST_ONLY, TRUE },
  { "BatchNormalization", FIRST_ONLY, FALSE },
  { "Clip", FIRST_ONLY, FALSE },
  { "Conv", FIRST_ONLY, TRUE },
  { "ConvTranspose", FIRST_ONLY, TRUE },
  { "DepthToSpace", FIRST_ONLY, FALSE },
  { "Div", TOGETHER, FALSE },
  { "Dropout", FIRST_ONLY, FALSE },
  { "Elu", FIRST_ONLY, FALSE },
  { "Erf", FIRST_ONLY, FALSE },
  { "Exp", FIRST_ONLY, FALSE },
  { "Flatten", VIEW, FALSE },
  { "Gelu", FIRST_ONLY, FALSE },
  { "GlobalAveragePool", FIRST_ONLY, TRUE },
  { "GlobalMaxPool", FIRST_ONLY, TRUE },
  { "GroupNormalization", FIRST_ONLY, FALSE },
  { "HardSigmoid", FIRST_ONLY, FALSE },
  { "HardSwish", FIRST_ONLY, FALSE },
  { "Identity", FIRST_ONLY, FALSE },
  { "InstanceNormalization", FIRST_ONLY, FALSE },
  { "LRN", FIRST_ONLY, FALSE },
  { "LeakyRelu", FIRST_ONLY, FALSE },
  { "LogSoftmax", AXIS, FALSE },
  { "MaxPool", FIRST_ONLY, TRUE },
  { "Mish", FIRST_ONLY, FALSE },
  { "Mul", TOGETHER, FALSE },
  { "Neg", FIRST_ONLY, FALSE },
  { "PRelu", TOGETHER, FALSE },
  { "Relu", FIRST_ONLY, FALSE },
  { "Reshape", VIEW, FALSE },
  { "Resize", SIZES, TRUE },
  { "Sigmoid", FIRST_ONLY, FALSE },
  { "Softmax", AXIS, FALSE },
  { "Softplus", FIRST_ONLY, FALSE },
  { "SpaceToDepth", FIRST_ONLY, FALSE },
  { "Sqrt", FIRST_ONLY, FALSE },
  { "Squeeze", VIEW, FALSE },
  { "Sub", TOGETHER, FALSE },
  { "Tanh", FIRST_ONLY, FALSE },
  { "Transpose", TURN, FALSE },
  { "Unsqueeze", VIEW, FALSE },
};

typedef struct {
  SymPlan *plan;
  const SymPlanOptions *options;
  SymPacker *packer;
  guint *heads;     /* of each step the one that it becomes part of, SYM_PLAN_FOREVER for none */
  guint *makers;    /* of each value the head of the step that makes it; else SYM_PLAN_FOREVER */
  SymId input;      /* of what is being collected */
  GArray *together; /* of guint: its steps */
} Open;

/* ---- One call ---- */

/* Examples of float32, as many as only the run knows, each of a size that is known. */
static gboolean
find_type (const Open *self, SymId value, SymShape *shape)
{
  SymType type = sym_inference_get_type (self->options->inference, value);

  *shape = type.shape;
  if (self->plan->constants[value] != NULL || type.kind != SYM_KIND_TENSOR ||
      type.dtype != SYM_DTYPE_FLOAT32 || type.shape.rank < 1 || type.shape.dims[0] >= 0)
    return FALSE;
  for (int i = 1; i < type.shape.rank; i++)
    if (type.shape.dims[i] <= 0)
      return FALSE;
  return TRUE;
}

static gint64
count_rest (const SymShape *shape)
{
  double n = 1;

  for (int i = 1; i < shape->rank; i++)
    n *= (double) shape->dims[i];
  return n > G_MAXINT32 ? -1 : (gint64) n;
}

static const SymArray *
find_constant (const Open *self, SymId value)
{
  SymDatum *datum = self->plan->constants[value];

  return datum == NULL ? NULL : sym_datum_get_array (datum);
}

static gboolean
is_inside (const Open *self, guint head, SymId value)
{
  return value != SYM_NO_ID && (value == self->input || self->makers[value] == head);
}

static gboolean
are_constants (const Open *self, SymIds operands, guint first)
{
  for (guint i = first; i < operands.n; i++)
    if (operands.ids[i] != SYM_NO_ID && find_constant (self, operands.ids[i]) == NULL)
      return FALSE;
  return TRUE;
}

/* Whether no operand is spread over the examples, or has others for each of them. */
static gboolean
are_alike (const Open *self, guint head, SymIds operands, const SymShape *to)
{
  for (guint i = 0; i < operands.n; i++)
    {
      const SymArray *array =
          operands.ids[i] == SYM_NO_ID ? NULL : find_constant (self, operands.ids[i]);
      SymShape shape;

      if (array != NULL ? array->shape.rank >= to->rank && array->shape.dims[0] != 1
                        : !is_inside (self, head, operands.ids[i]) ||
                              !find_type (self, operands.ids[i], &shape) || shape.rank != to->rank)
        return FALSE;
    }
  return TRUE;
}

static gboolean
keeps_first (const SymLayer *layer)
{
  const SymValue *turn = sym_attributes_find (sym_layer_get_attributes (layer), "perm");
  gint64 first = -1;

  return turn != NULL && sym_value_get_n_children (turn) > 0 &&
         sym_value_get_int (sym_value_get_child (turn, 0), &first) && first == 0;
}

static gboolean
goes_along_another (SymLayer *layer, int rank)
{
  gint64 fallback = sym_layer_get_operator (layer)->since_version < 13 ? 1 : -1;
  gint64 axis = sym_attributes_get_int (sym_layer_get_attributes (layer), "axis", fallback);

  return axis < 0 ? axis + rank > 0 : axis > 0;
}

static gboolean
is_in_manner (const Open *self, Manner manner, guint head, const SymPlanStep *step)
{
  SymShape from, to;

  if (!find_type (self, step->results.ids[0], &to))
    return FALSE;
  if (manner == TOGETHER)
    return are_alike (self, head, step->operands, &to);
  if (!is_inside (self, head, step->operands.ids[0]) ||
      !find_type (self, step->operands.ids[0], &from))
    return FALSE;
  switch (manner)
    {
    case VIEW:
      return count_rest (&from) > 0 && count_rest (&from) == count_rest (&to);
    case AXIS:
      return goes_along_another (step->layer, from.rank);
    case TURN:
      return keeps_first (step->layer);
    case SIZES:
      return from.dims[0] == to.dims[0];
    case FIRST_ONLY:
    case TOGETHER:
    default:
      return are_constants (self, step->operands, 1);
    }
}

/* The entry of @known for a step that may be compiled so; -1 for none. */
static int
find_known (const Open *self, guint i)
{
  const SymPlanStep *step = &self->plan->steps[i];
  const SymOperator *op = sym_layer_get_operator (step->layer);

  if (self->heads[i] != SYM_PLAN_FOREVER || step->region != NULL || step->n_bodies > 0 ||
      op == NULL || *op->domain != '\0' || step->operands.n == 0 || step->results.n != 1 ||
      step->operands.ids[0] == SYM_NO_ID || self->plan->watched[step->results.ids[0]] ||
      self->plan->doubted[step->results.ids[0]] ||
      sym_model_get_controls (self->plan->model, step->call).n > 0)
    return -1;
  for (guint k = 0; k < G_N_ELEMENTS (known); k++)
    if (strcmp (op->name, known[k].name) == 0)
      return (int) k;
  return -1;
}

/* ---- Together ---- */

/* Appends to the graph what can be made of the examples alone, from step @first on.  Steps between
 * that are something else need not be waited for. */
static void
collect (Open *self, SymPlanGraph *graph, guint first)
{
  g_array_set_size (self->together, 0);
  self->input = self->plan->steps[first].operands.ids[0];
  for (guint i = first; i < self->plan->n_steps && !sym_packer_is_cancelled (self->packer); i++)
    {
      const SymPlanStep *step = &self->plan->steps[i];
      int k = find_known (self, i);

      if (k >= 0 && is_in_manner (self, known[k].manner, first, step) &&
          sym_plan_graph_read_call (graph, step->call))
        {
          self->makers[step->results.ids[0]] = first;
          g_array_append_val (self->together, i);
        }
      else if (i == first)
        return;
    }
}

static void
forget (Open *self)
{
  for (guint i = 0; i < self->together->len; i++)
    {
      guint step = g_array_index (self->together, guint, i);

      self->makers[self->plan->steps[step].results.ids[0]] = SYM_PLAN_FOREVER;
    }
}

/* Few pixels are too few for all registers and threads: then several examples go together. */
#define PIXELS 192
#define MOST_EXAMPLES 16

static gsize
choose_examples (const SymPlanGraph *graph)
{
  gsize least = PIXELS;

  for (guint i = 0; i < graph->ops->len; i++)
    {
      const SymPlanOp *op = sym_plan_graph_get_op (graph, i);
      const SymPlanTensor *y = sym_plan_graph_get_tensor (graph, op->y);

      if (sym_plan_op_is_heavy (op) && y->shape.rank > 1)
        least = MIN (least, y->n / (gsize) y->shape.dims[1]);
    }
  return MIN ((PIXELS + least - 1) / MAX (least, 1), MOST_EXAMPLES);
}

static void
mark_outputs (const Open *self, SymPlanGraph *graph)
{
  SymPlan *plan = self->plan;
  g_autofree gboolean *needed = g_new0 (gboolean, sym_model_get_n_values (plan->model) + 1);

  for (guint i = 0, next = 0; i < plan->n_steps; i++)
    {
      if (next < self->together->len && g_array_index (self->together, guint, next) == i)
        {
          next++;
          continue;
        }
      for (guint j = 0; j < plan->steps[i].operands.n; j++)
        if (plan->steps[i].operands.ids[j] != SYM_NO_ID)
          needed[plan->steps[i].operands.ids[j]] = TRUE;
    }
  for (guint i = 0; i < graph->tensors->len; i++)
    {
      SymPlanTensor *tensor = sym_plan_graph_get_tensor (graph, i);

      if (tensor->is_made && tensor->value != SYM_NO_ID)
        tensor->is_output =
            needed[tensor->value] || plan->last_uses[tensor->value] == SYM_PLAN_FOREVER;
    }
}

/* The step takes the place of the first one of those that it is made of. */
static void
replace (Open *self, guint first, SymRegion *region)
{
  SymPlan *plan = self->plan;
  guint n = self->together->len;
  SymId *calls = g_new (SymId, n);

  for (guint i = 0; i < n; i++)
    {
      guint step = g_array_index (self->together, guint, i);

      calls[i] = plan->steps[step].call;
      self->heads[step] = first;
      g_free (plan->steps[step].bodies);
      g_free (plan->steps[step].obstacle);
    }
  plan->steps[first] = (SymPlanStep){
    .call = calls[n - 1],
    .layer = sym_model_get_layer (plan->model, calls[n - 1]),
    .running_body = -1,
    .region = region,
    .calls = calls,
    .n_calls = n,
    .operands = sym_region_get_inputs (region),
    .results = sym_region_get_outputs (region),
    .bodies = g_new0 (SymPlan *, 1),
  };
  plan->n_weight_bytes += sym_region_get_n_weight_bytes (region);
}

static SymPlanGraph *
new_graph (const Open *self, gsize n_examples)
{
  SymPlanGraph *graph = sym_plan_graph_new (self->plan, self->options->inference);

  graph->n_examples = n_examples;
  return graph;
}

static void
compile (Open *self, guint first)
{
  g_autoptr (SymPlanGraph) single = new_graph (self, 1);
  SymStepOptions options = { .processor = sym_processor_get (),
                             .n_threads = self->plan->n_threads,
                             .is_exact = self->options->is_exact,
                             .packer = self->packer };
  SymPlanGraph *graph;
  SymRegion *region;

  collect (self, single, first);
  if (self->together->len == 0)
    return;
  forget (self);
  graph = new_graph (self, choose_examples (single));
  collect (self, graph, first);
  mark_outputs (self, graph);
  region = sym_region_new (graph, &options);
  sym_plan_fix_constants (self->plan, graph);
  replace (self, first, region);
}

/* ---- The plan ---- */

/* Leaves out the steps that became part of others. */
static void
close_gaps (Open *self)
{
  SymPlan *plan = self->plan;
  guint n = 0;

  for (guint i = 0; i < plan->n_steps; i++)
    if (self->heads[i] == SYM_PLAN_FOREVER || self->heads[i] == i)
      plan->steps[n++] = plan->steps[i];
  plan->n_steps = n;
}

/* Steps are in another order now. */
static void
count_uses (SymPlan *plan)
{
  for (guint i = 0; i < plan->n_steps; i++)
    {
      SymIds operands = plan->steps[i].operands, results = plan->steps[i].results;

      for (guint j = 0; j < results.n; j++)
        {
          plan->makers[results.ids[j]] = i;
          if (plan->last_uses[results.ids[j]] != SYM_PLAN_FOREVER)
            plan->last_uses[results.ids[j]] = i;
        }
      for (guint j = 0; j < operands.n; j++)
        if (operands.ids[j] != SYM_NO_ID && plan->last_uses[operands.ids[j]] != SYM_PLAN_FOREVER)
          plan->last_uses[operands.ids[j]] = i;
    }
}

void
sym_plan_compile_open (SymPlan *plan, const SymPlanOptions *options, SymPacker *packer)
{
  guint n_values = sym_model_get_n_values (plan->model), n_steps = plan->n_steps;
  g_autofree guint *heads = g_new (guint, n_steps + 1), *makers = g_new (guint, n_values + 1);
  g_autoptr (GArray) together = g_array_new (FALSE, FALSE, sizeof (guint));
  Open self = { plan, options, packer, heads, makers, SYM_NO_ID, together };
  gboolean is_any = FALSE;

  for (guint i = 0; i < n_steps; i++)
    heads[i] = SYM_PLAN_FOREVER;
  for (SymId value = 0; value < n_values; value++)
    makers[value] = SYM_PLAN_FOREVER;
  for (guint i = 0; i < n_steps; i++)
    {
      int k = find_known (&self, i);

      if (k < 0 || !known[k].begins)
        continue;
      compile (&self, i);
      is_any = is_any || heads[i] == i;
    }
  if (!is_any)
    return;
  close_gaps (&self);
  count_uses (plan);
}
