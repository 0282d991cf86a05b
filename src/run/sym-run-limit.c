/* SPDX-License-Identifier: MIT */
#include "run/sym-run-fill.h"

#include "ops/sym-op-lower.h"

/* Integers that pick elements of something must be below what there is to pick from: of operators
 * of ONNX this is said below, of others by the body that they are made of. */

#define MAX_DEPTH 4

/* ---- What is picked from ---- */

typedef enum {
  ALONG_AXIS, /* of operand 0, by the attribute */
  IN_PLACES,  /* of operand 0, as many axes as the last one of the operand says */
  AMONG_AXES, /* of operand 0: an axis is told */
  ALONG_FIRST,
  ALONG_SECOND,
} Choice;

static const struct {
  const char *op;
  guint slot;
  Choice choice;
} choices[] = {
  { "Gather", 1, ALONG_AXIS },
  { "GatherElements", 1, ALONG_AXIS },
  { "Scatter", 1, ALONG_AXIS },
  { "ScatterElements", 1, ALONG_AXIS },
  { "GatherND", 1, IN_PLACES },
  { "ScatterND", 1, IN_PLACES },
  { "CumSum", 1, AMONG_AXES },
  { "RoiAlign", 2, ALONG_FIRST },
  { "NegativeLogLikelihoodLoss", 1, ALONG_SECOND },
  { "SoftmaxCrossEntropyLoss", 1, ALONG_SECOND },
};

static gint64
get_size (const SymShape *shape, gint64 axis)
{
  axis = axis < 0 ? axis + shape->rank : axis;
  return axis >= 0 && axis < shape->rank ? shape->dims[axis] : 0;
}

/* The shortest of the axes, so that no index is beyond one. */
static gint64
get_shortest (const SymShape *from, const SymShape *places, gint64 first)
{
  gint64 n = places->rank > 0 ? places->dims[places->rank - 1] : 0, shortest = 0;

  for (gint64 i = first; i < first + n && i < from->rank; i++)
    shortest = shortest == 0 ? from->dims[i] : MIN (shortest, from->dims[i]);
  return shortest;
}

/* 0 or less where nobody knows. */
static gint64
count_choices (const SymInference *inference, SymId call, guint slot, Choice choice)
{
  SymModel *model = sym_inference_get_model (inference);
  const SymAttributes *attributes = sym_layer_get_attributes (sym_model_get_layer (model, call));
  SymIds operands = sym_model_get_operands (model, call);
  SymShape from, places;

  if (operands.ids[0] == SYM_NO_ID)
    return 0;
  from = sym_inference_get_type (inference, operands.ids[0]).shape;
  places = sym_inference_get_type (inference, operands.ids[slot]).shape;
  switch (choice)
    {
    case ALONG_AXIS:
      return get_size (&from, sym_attributes_get_int (attributes, "axis", 0));
    case IN_PLACES:
      return get_shortest (&from, &places, sym_attributes_get_int (attributes, "batch_dims", 0));
    case AMONG_AXES:
      return from.rank;
    case ALONG_FIRST:
      return get_size (&from, 0);
    case ALONG_SECOND:
      return get_size (&from, 1);
    }
  return 0;
}

/* ---- Uses ---- */

typedef struct {
  const SymInference *inference;
  guint depth;
  GArray *stack; /* of values that have the numbers, too */
  GHashTable *met;
  guint limit;
} Search;

static void search (Search *self, SymId value);

static void
take_limit (Search *self, gint64 n)
{
  if (n > 0)
    self->limit = (guint) MIN ((gint64) self->limit, n);
}

static void
follow (Search *self, SymId value)
{
  if (value != SYM_NO_ID && g_hash_table_add (self->met, GUINT_TO_POINTER (value)))
    g_array_append_val (self->stack, value);
}

/* What hands on the numbers of its first operand. */
static gboolean
hands_on (const char *name)
{
  static const char *const handing[] = { "Cast",    "Identity", "Reshape",   "Squeeze", "Unsqueeze",
                                         "Flatten", "Expand",   "Transpose", NULL };

  return g_strv_contains (handing, name);
}

static void
look_at_onnx (Search *self, SymId call, const char *name, guint slot)
{
  SymModel *model = sym_inference_get_model (self->inference);

  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    if (choices[i].slot == slot && g_str_equal (choices[i].op, name))
      take_limit (self, count_choices (self->inference, call, slot, choices[i].choice));
  if (slot == 0 && hands_on (name))
    follow (self, sym_model_get_results (model, call).ids[0]);
}

/* Looks into a body, and goes on from its outputs that have the numbers. */
static void
look_inside (Search *self, SymId call, const SymInference *inside, guint input)
{
  SymModel *body = sym_inference_get_model (inside);
  SymIds inputs = sym_model_get_inputs (body), outputs = sym_model_get_outputs (body);
  SymIds results = sym_model_get_results (sym_inference_get_model (self->inference), call);
  Search own = { .inference = inside, .depth = self->depth + 1, .limit = self->limit };

  if (input >= inputs.n)
    return;
  own.met = g_hash_table_new (NULL, NULL);
  own.stack = g_array_new (FALSE, FALSE, sizeof (SymId));
  search (&own, inputs.ids[input]);
  self->limit = own.limit;
  for (guint i = 0; i < MIN (outputs.n, results.n); i++)
    if (g_hash_table_contains (own.met, GUINT_TO_POINTER (outputs.ids[i])))
      follow (self, results.ids[i]);
  g_array_unref (own.stack);
  g_hash_table_unref (own.met);
}

/* The body of a layer of another dialect; NULL where its operands are not known well enough. */
static SymInference *
lower (const SymInference *inference, SymId call)
{
  SymModel *model = sym_inference_get_model (inference);
  SymIds operands = sym_model_get_operands (model, call);
  g_autofree SymOpKnown *known = g_new0 (SymOpKnown, operands.n + 1);
  g_autofree SymType *types = g_new (SymType, operands.n + 1);
  g_autoptr (SymModel) body = NULL;

  for (guint i = 0; i < operands.n; i++)
    {
      types[i] = operands.ids[i] == SYM_NO_ID ? SYM_TYPE_UNKNOWN
                                              : sym_inference_get_type (inference, operands.ids[i]);
      if (operands.ids[i] != SYM_NO_ID && types[i].kind == SYM_KIND_TENSOR &&
          (types[i].dtype == SYM_DTYPE_UNKNOWN || types[i].shape.rank < 0 ||
           !sym_shape_is_known (&types[i].shape)))
        return NULL;
    }
  sym_op_lower_find_known (inference, operands, known);
  body = sym_op_lower_known (sym_model_get_layer (model, call), types, known, operands.n,
                             sym_model_get_results (model, call).n, NULL);
  return body == NULL ? NULL : sym_infer (body, NULL, 0, NULL, NULL);
}

/* A model that is a layer takes its operands in their order. */
static void
look_at_use (Search *self, SymId call, guint slot)
{
  SymLayer *layer = sym_model_get_layer (sym_inference_get_model (self->inference), call);
  const SymOperator *op = sym_layer_get_operator (layer);
  g_autoptr (SymInference) made = NULL;
  const SymInference *inside;

  if (op != NULL && *op->domain == '\0')
    look_at_onnx (self, call, op->name, slot);
  else if (op != NULL && self->depth < MAX_DEPTH && sym_op_is_lowered (op))
    {
      made = lower (self->inference, call);
      if (made != NULL)
        look_inside (self, call, made, slot);
    }
  else if (op == NULL && self->depth < MAX_DEPTH && sym_layer_get_running_body (layer) != NULL)
    {
      inside = sym_inference_get_body (self->inference, call, 0);
      if (inside != NULL)
        look_inside (self, call, inside, slot);
    }
}

static void
search (Search *self, SymId value)
{
  SymModel *model = sym_inference_get_model (self->inference);

  follow (self, value);
  while (self->stack->len > 0)
    {
      SymId next = g_array_index (self->stack, SymId, self->stack->len - 1);
      SymIds users = sym_model_get_consumers (model, next);

      g_array_set_size (self->stack, self->stack->len - 1);
      for (guint i = 0; i < users.n; i++)
        {
          SymIds operands = sym_model_get_operands (model, users.ids[i]);

          for (guint slot = 0; slot < operands.n; slot++)
            if (operands.ids[slot] == next)
              look_at_use (self, users.ids[i], slot);
        }
    }
}

guint
sym_run_fill_find_limit (const SymInference *inference, SymId value)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autoptr (GHashTable) met = g_hash_table_new (NULL, NULL);
  Search self = { .inference = inference, .stack = stack, .met = met, .limit = SYM_RUN_FILL_LIMIT };

  if (sym_dtype_is_integer (sym_inference_get_type (inference, value).dtype))
    search (&self, value);
  return self.limit;
}
