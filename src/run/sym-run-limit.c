/* SPDX-License-Identifier: MIT */
#include "run/sym-run-fill.h"

#include "ops/sym-op-lower.h"

/* Integers that pick elements of something must be below what there is to pick from: of operators
 * of ONNX this is said below, of others by the body that they are made of. */

#define MAX_DEPTH 4     /* of bodies within each other */
#define MAX_MADE 64     /* bodies */
#define MAX_OPERANDS 16 /* of layers for which one is made: those that pick have few */

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
  if (axis < -shape->rank)
    return 0;
  axis = axis < 0 ? axis + shape->rank : axis;
  return axis >= 0 && axis < shape->rank ? shape->dims[axis] : 0;
}

/* The shortest of the axes, so that no index is beyond one. */
static gint64
get_shortest (const SymShape *from, const SymShape *places, gint64 first)
{
  gint64 n = places->rank > 0 ? places->dims[places->rank - 1] : 0, shortest = 0;

  if (first < 0 || first >= from->rank)
    return 0;
  n = MIN (n, from->rank - first);
  for (gint64 i = first; i < first + n; i++)
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

/* The model, or the body of a call in another scope. */
typedef struct _Scope Scope;

struct _Scope {
  const SymInference *inference;
  SymInference *made; /* of a body that was made for this; NULL for others */
  GHashTable *met;    /* values that have the numbers, too */
  Scope *outer;       /* NULL for the model */
  SymId call;         /* whose body it is */
  guint depth;
};

typedef struct {
  Scope *scope;
  SymId value;
} Item;

typedef struct {
  GPtrArray *scopes;
  GArray *items; /* that are to be looked at */
  guint n_made;
  guint limit;
} Search;

static void
scope_free (gpointer data)
{
  Scope *self = data;

  g_clear_pointer (&self->made, sym_inference_unref);
  g_hash_table_unref (self->met);
  g_free (self);
}

static Scope *
add_scope (Search *self, const SymInference *inference, Scope *outer, SymId call)
{
  Scope *scope = g_new0 (Scope, 1);

  scope->inference = inference;
  scope->met = g_hash_table_new (NULL, NULL);
  scope->outer = outer;
  scope->call = call;
  scope->depth = outer == NULL ? 0 : outer->depth + 1;
  g_ptr_array_add (self->scopes, scope);
  return scope;
}

static void
follow (Search *self, Scope *scope, SymId value)
{
  Item item = { scope, value };

  if (value != SYM_NO_ID && g_hash_table_add (scope->met, GUINT_TO_POINTER (value)))
    g_array_append_val (self->items, item);
}

static void
follow_result (Search *self, Scope *scope, SymId call, guint i)
{
  SymIds results = sym_model_get_results (sym_inference_get_model (scope->inference), call);

  if (i < results.n)
    follow (self, scope, results.ids[i]);
}

static void
take_limit (Search *self, gint64 n)
{
  if (n > 0)
    self->limit = (guint) MIN ((gint64) self->limit, n);
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
look_at_onnx (Search *self, Scope *scope, SymId call, const char *name, guint slot)
{
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    if (choices[i].slot == slot && g_str_equal (choices[i].op, name))
      take_limit (self, count_choices (scope->inference, call, slot, choices[i].choice));
  if (slot == 0 && hands_on (name))
    follow_result (self, scope, call, 0);
}

/* The body of a layer of another dialect; NULL where its operands are not known well enough. */
static SymInference *
lower (const SymInference *inference, SymId call)
{
  SymModel *model = sym_inference_get_model (inference);
  SymIds operands = sym_model_get_operands (model, call);
  SymOpKnown known[MAX_OPERANDS] = { 0 };
  SymType types[MAX_OPERANDS];
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

/* What a call runs by, its operands in their order; NULL for none, or where enough was made. */
static Scope *
open_call (Search *self, Scope *scope, SymId call)
{
  SymModel *model = sym_inference_get_model (scope->inference);
  SymLayer *layer = sym_model_get_layer (model, call);
  const SymOperator *op = sym_layer_get_operator (layer);
  const SymInference *body = NULL;
  SymInference *made = NULL;
  Scope *inner;

  if (scope->depth == MAX_DEPTH)
    return NULL;
  if (op == NULL && sym_layer_get_running_body (layer) != NULL)
    body = sym_inference_get_body (scope->inference, call, 0);
  else if (op != NULL && sym_op_is_lowered (op) && self->n_made < MAX_MADE &&
           sym_model_get_operands (model, call).n <= MAX_OPERANDS)
    {
      self->n_made++;
      body = made = lower (scope->inference, call);
    }
  if (body == NULL)
    return NULL;
  inner = add_scope (self, body, scope, call);
  inner->made = made;
  return inner;
}

/* A call that uses a value once or more often. */
static void
look_at_use (Search *self, Scope *scope, SymId call, SymId value)
{
  SymModel *model = sym_inference_get_model (scope->inference);
  const SymOperator *op = sym_layer_get_operator (sym_model_get_layer (model, call));
  gboolean is_onnx = op != NULL && *op->domain == '\0';
  Scope *inner = is_onnx ? NULL : open_call (self, scope, call);
  SymIds operands = sym_model_get_operands (model, call);
  SymIds inputs = { NULL, 0 };

  if (inner != NULL)
    inputs = sym_model_get_inputs (sym_inference_get_model (inner->inference));
  for (guint slot = 0; slot < operands.n; slot++)
    if (operands.ids[slot] == value && is_onnx)
      look_at_onnx (self, scope, call, op->name, slot);
    else if (operands.ids[slot] == value && slot < inputs.n)
      follow (self, inner, inputs.ids[slot]);
}

static void
look_at (Search *self, const Item *item)
{
  Scope *scope = item->scope;
  SymModel *model = sym_inference_get_model (scope->inference);
  SymIds users = sym_model_get_consumers (model, item->value);
  SymIds outputs = sym_model_get_outputs (model);

  for (guint i = 0; i < users.n; i++)
    if (i == 0 || users.ids[i] != users.ids[i - 1]) /* one entry for each use */
      look_at_use (self, scope, users.ids[i], item->value);
  for (guint i = 0; scope->outer != NULL && i < outputs.n; i++)
    if (outputs.ids[i] == item->value)
      follow_result (self, scope->outer, scope->call, i);
}

guint
sym_run_fill_find_limit (const SymInference *inference, SymId value)
{
  g_autoptr (GPtrArray) scopes = g_ptr_array_new_with_free_func (scope_free);
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (Item));
  Search self = { .scopes = scopes, .items = items, .limit = SYM_RUN_FILL_LIMIT };

  if (sym_dtype_is_integer (sym_inference_get_type (inference, value).dtype))
    follow (&self, add_scope (&self, inference, NULL, SYM_NO_ID), value);
  while (items->len > 0)
    {
      Item item = g_array_index (items, Item, items->len - 1);

      g_array_set_size (items, items->len - 1);
      look_at (&self, &item);
    }
  return self.limit;
}
