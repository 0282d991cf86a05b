/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-expand-private.h"

#include "ops/sym-op-lower.h"
#include "ops/sym-op.h"
#include "run/sym-plan-expand-parts-private.h"

/* ---- One call ---- */

static gboolean
find_type (const SymExpand *self, SymId value, SymType *type)
{
  SymTensor *tensor = value == SYM_NO_ID ? NULL : sym_model_get_tensor (self->model, value);

  *type = SYM_TYPE_UNKNOWN;
  if (value == SYM_NO_ID)
    return TRUE;
  if (tensor != NULL)
    *type = sym_type_tensor (sym_tensor_get_dtype (tensor), *sym_tensor_get_shape (tensor));
  else
    *type = sym_inference_get_type (self->inference, value);
  return type->kind == SYM_KIND_TENSOR && type->dtype != SYM_DTYPE_UNKNOWN &&
         type->shape.rank >= 0 && sym_shape_is_known (&type->shape);
}

/* NULL for what cannot be lowered: the run says why, if it comes to it. */
static SymModel *
make_body (const SymExpand *self, SymId call)
{
  SymLayer *layer = sym_model_get_layer (self->model, call);
  SymIds operands = sym_model_get_operands (self->model, call);
  g_autofree SymType *types = g_new (SymType, operands.n + 1);
  g_autofree SymOpKnown *known = g_new0 (SymOpKnown, operands.n + 1);

  for (guint i = 0; i < operands.n; i++)
    if (!find_type (self, operands.ids[i], &types[i]) &&
        sym_op_needs_operand (sym_layer_get_operator (layer), i))
      return NULL;
  sym_op_lower_find_known (self->inference, operands, known);
  return sym_op_lower_known (layer, types, known, operands.n,
                             sym_model_get_results (self->model, call).n, NULL);
}

/* What stands for each value of a body, whose inputs are operands from @first on. */
static void
begin_values (SymExpand *self, SymId call, SymModel *body, guint first, SymId *values)
{
  SymIds formal = sym_model_get_inputs (body);
  SymIds operands = sym_model_get_operands (self->model, call);

  for (SymId value = 0; value < sym_model_get_n_values (body); value++)
    values[value] = SYM_NO_ID;
  for (guint i = 0; i < formal.n; i++)
    values[formal.ids[i]] = operands.ids[first + i];
  for (SymId value = 0; value < sym_model_get_n_values (body); value++)
    if (sym_model_get_tensor (body, value) != NULL)
      values[value] = sym_expand_insert_constant (self, call, sym_model_get_tensor (body, value));
}

/* Whether an inner call makes all results in order: then it takes the place of the call. */
static gboolean
makes_all (const SymModel *body, SymId inner)
{
  SymIds results = sym_model_get_results (body, inner), outputs = sym_model_get_outputs (body);

  for (guint i = 0; i < outputs.n && results.n == outputs.n; i++)
    if (results.ids[i] != outputs.ids[i])
      return FALSE;
  return results.n == outputs.n;
}

/* Puts an inner call where @call is, if it makes its results, so that these stay; else a new one.
 * TRUE for the former. */
static gboolean
put (SymExpand *self, SymId call, SymModel *body, SymId inner, SymId *values)
{
  SymIds operands = sym_model_get_operands (body, inner);
  SymIds results = sym_model_get_results (body, inner);
  g_autofree SymId *mapped = g_new (SymId, operands.n + 1);
  SymLayer *layer = sym_model_get_layer (body, inner);
  SymId made;

  for (guint i = 0; i < operands.n; i++)
    mapped[i] = operands.ids[i] == SYM_NO_ID ? SYM_NO_ID : values[operands.ids[i]];
  if (makes_all (body, inner))
    {
      for (guint i = 0; i < results.n; i++)
        values[results.ids[i]] = sym_model_get_results (self->model, call).ids[i];
      sym_edit_set_call (sym_expand_need_edit (self), call, layer, mapped, operands.n, NULL);
      return TRUE;
    }
  made = sym_expand_insert (self, call, layer, mapped, operands.n, results.n);
  for (guint i = 0; i < results.n; i++)
    values[results.ids[i]] = sym_edit_get_result (sym_expand_need_edit (self), made, i);
  return FALSE;
}

static gboolean
is_needed (const SymExpand *self, SymId value)
{
  return sym_ids_contain (sym_model_get_outputs (self->model), value) || self->keeps_all ||
         sym_model_get_consumers (self->model, value).n > 0;
}

void
sym_expand_pass_on (SymExpand *self, SymId call, const SymId *values)
{
  SymIds results = sym_model_get_results (self->model, call);
  g_autofree SymId *passed = g_new (SymId, results.n + 1);

  for (guint i = 0; i < results.n; i++)
    passed[i] = i == 0 || is_needed (self, results.ids[i]) ? values[i] : SYM_NO_ID;
  sym_edit_set_call (sym_expand_need_edit (self), call,
                     results.n == 1 ? self->identity : self->several, passed, results.n, NULL);
}

/* Values of the body in place of the results. */
static void
pass_on (SymExpand *self, SymId call, const SymModel *body, const SymId *values)
{
  SymIds outputs = sym_model_get_outputs (body);
  g_autofree SymId *passed = g_new (SymId, outputs.n + 1);

  for (guint i = 0; i < outputs.n; i++)
    passed[i] = values[outputs.ids[i]];
  sym_expand_pass_on (self, call, passed);
}

static void
expand_as (SymExpand *self, SymId call, SymModel *body, guint first)
{
  g_autofree SymId *values = NULL;
  gboolean is_put = FALSE;
  SymIds order;

  if (sym_model_get_outputs (body).n != sym_model_get_results (self->model, call).n)
    return;
  values = g_new (SymId, sym_model_get_n_values (body) + 1);
  begin_values (self, call, body, first, values);
  order = sym_model_get_execution_order (body);
  for (guint i = 0; i < order.n; i++)
    if (put (self, call, body, order.ids[i], values))
      is_put = TRUE;
  if (!is_put)
    pass_on (self, call, body, values);
}

static void
expand_call (SymExpand *self, SymId call)
{
  g_autoptr (SymModel) body = make_body (self, call);

  if (body != NULL)
    expand_as (self, call, body, 0);
}

/* ---- Branches ---- */

gboolean
sym_expand_is_plain (const SymModel *body)
{
  for (SymId call = 0; call < sym_model_get_n_calls (body); call++)
    if (sym_model_has_call (body, call) &&
        (sym_layer_get_n_bodies (sym_model_get_layer (body, call)) > 0 ||
         sym_layer_get_operator (sym_model_get_layer (body, call)) == NULL ||
         sym_model_get_controls (body, call).n > 0))
      return FALSE;
  return !sym_model_has_cycle (body);
}

/* What a condition may be computed from. */
#define MOST_SOURCES 64

gboolean
sym_expand_is_settled (const SymExpand *self, SymId value)
{
  SymId values[MOST_SOURCES] = { value };
  guint n = 1;

  for (guint i = 0; i < n; i++)
    {
      SymId call = sym_model_get_producer (self->model, values[i]);
      const SymOperator *op;
      SymIds operands;

      if (call == SYM_NO_ID && sym_model_get_role (self->model, values[i]) != SYM_ROLE_CONSTANT)
        return FALSE;
      if (call == SYM_NO_ID)
        continue;
      op = sym_layer_get_operator (sym_model_get_layer (self->model, call));
      operands = sym_model_get_operands (self->model, call);
      if (op != NULL && *op->domain == '\0' &&
          (g_str_equal (op->name, "Shape") || g_str_equal (op->name, "Size")))
        continue;
      for (guint j = 0; j < operands.n; j++)
        {
          if (operands.ids[j] == SYM_NO_ID)
            continue;
          if (n == MOST_SOURCES)
            return FALSE;
          values[n++] = operands.ids[j];
        }
    }
  return TRUE;
}

/* The branch of an If whose condition is known before any run, as that of one that asks for a size;
 * -1 for none. */
static int
find_branch (const SymExpand *self, SymId call)
{
  const SymLayer *layer = sym_model_get_layer (self->model, call);
  const SymOperator *op = sym_layer_get_operator (layer);
  SymIds operands = sym_model_get_operands (self->model, call);
  gint64 truth;
  int branch;

  if (op == NULL || *op->domain != '\0' || !g_str_equal (op->name, "If") || operands.n == 0 ||
      operands.ids[0] == SYM_NO_ID || sym_model_get_results (self->model, call).n == 0 ||
      sym_inference_get_ints (self->inference, operands.ids[0], &truth, 1) != 1 ||
      !sym_expand_is_settled (self, operands.ids[0]))
    return -1;
  branch = sym_layer_find_body (layer, truth != 0 ? "then_branch" : "else_branch");
  return branch >= 0 && sym_expand_is_plain (sym_layer_get_body (layer, (guint) branch, NULL))
             ? branch
             : -1;
}

static void
expand_branch (SymExpand *self, SymId call, guint branch)
{
  const SymLayer *layer = sym_model_get_layer (self->model, call);
  SymModel *body = sym_layer_get_body (layer, branch, NULL);
  guint first = sym_model_get_operands (self->model, call).n - sym_layer_get_n_captures (layer);

  for (guint i = 0; i < branch; i++)
    first += sym_layer_get_body_captures (layer, i);
  if (sym_model_get_inputs (body).n == sym_layer_get_body_captures (layer, branch))
    expand_as (self, call, body, first);
}

/* ---- The model ---- */

static gboolean
can_expand (const SymModel *model, SymId call)
{
  SymLayer *layer = sym_model_get_layer (model, call);

  return sym_op_is_lowered (sym_layer_get_operator (layer)) &&
         sym_model_get_results (model, call).n > 0 && sym_layer_get_n_bodies (layer) == 0;
}

static SymLayer *
new_layer (const char *domain, const char *type, int version)
{
  return sym_layer_new (type, sym_op_find (domain, type, version), NULL);
}

/* TRUE for a call that may have let more be known of others. */
static gboolean
expand_any (SymExpand *self, SymId call)
{
  /* Where all results are kept somebody may look into bodies, too. */
  int branch = self->keeps_all ? -1 : find_branch (self, call);

  if (branch >= 0)
    expand_branch (self, call, (guint) branch);
  else if (can_expand (self->model, call))
    expand_call (self, call);
  else
    return !self->keeps_all && (sym_expand_loop (self, call) || sym_expand_sequence (self, call));
  return branch >= 0;
}

/* NULL where there is nothing to expand. */
static SymModel *
expand (SymExpand *self, SymModel *model, const SymInference *inference, gboolean *again)
{
  g_autoptr (GHashTable) items = sym_expand_items_new ();
  SymIds order = sym_model_get_execution_order (model);

  self->model = model;
  self->inference = inference;
  self->items = items;
  self->edit = NULL;
  *again = FALSE;
  for (guint i = 0; i < order.n; i++)
    *again = expand_any (self, order.ids[i]) || *again;
  return self->edit == NULL ? NULL : sym_edit_end (self->edit);
}

/* What was inferred of values that no call makes holds for the new model, too.  Constants have
 * their numbers, which an override would take from them. */
static SymInference *
infer_again (SymModel *model, const SymInference *before, GCancellable *cancellable, GError **error)
{
  SymModel *old = sym_inference_get_model (before);
  g_autoptr (GArray) overrides = g_array_new (FALSE, TRUE, sizeof (SymOverride));

  for (SymId value = 0; value < sym_model_get_n_values (old); value++)
    {
      SymType type;

      if (!sym_model_has_value (old, value) || sym_model_get_producer (old, value) != SYM_NO_ID ||
          sym_model_get_tensor (old, value) != NULL)
        continue;
      type = sym_inference_get_type (before, value);
      if (type.kind == SYM_KIND_TENSOR && type.shape.rank >= 0 && sym_shape_is_known (&type.shape))
        {
          SymOverride override = { .value = value,
                                   .has_shape = TRUE,
                                   .shape = type.shape,
                                   .has_dtype = type.dtype != SYM_DTYPE_UNKNOWN,
                                   .dtype = type.dtype };

          g_array_append_val (overrides, override);
        }
    }
  return sym_infer (model, (const SymOverride *) (gpointer) overrides->data, overrides->len,
                    cancellable, error);
}

static guint
count_problems (const SymInference *inference)
{
  return sym_problems_get_n (sym_inference_get_problems (inference));
}

/* A model whose types do not fit together any more is not taken. */
static gboolean
widen (SymExpansion *self,
       SymModel *shown,
       const SymInference *inference,
       GCancellable *cancellable,
       GError **error)
{
  guint n_origins = self->origins->len;
  g_autoptr (SymModel) wide = NULL;
  g_autoptr (SymInference) found = NULL;

  wide = sym_plan_widen (self->model == NULL ? shown : self->model, inference,
                         sym_model_get_n_calls (shown), self->origins);
  if (wide == NULL)
    return TRUE;
  found = infer_again (wide, inference, cancellable, error);
  if (found == NULL)
    return FALSE;
  if (count_problems (found) > count_problems (inference))
    {
      g_array_set_size (self->origins, n_origins);
      return TRUE;
    }
  g_clear_pointer (&self->model, sym_model_unref);
  g_clear_pointer (&self->inference, sym_inference_unref);
  self->model = g_steal_pointer (&wide);
  self->inference = g_steal_pointer (&found);
  return TRUE;
}

/* What is known of branches, loops and sequences may tell of others. */
#define MOST_ROUNDS 6

static gboolean
expand_rounds (SymExpansion *self,
               SymExpand *round,
               SymModel *model,
               const SymInference *inference,
               GCancellable *cancellable,
               GError **error)
{
  gboolean again = TRUE;

  for (guint i = 0; again && i < MOST_ROUNDS; i++)
    {
      SymModel *next = expand (round, self->model == NULL ? model : self->model,
                               self->inference == NULL ? inference : self->inference, &again);
      SymInference *found;

      self->is_settled = self->is_settled || again;
      if (next == NULL)
        return TRUE;
      found = infer_again (next, self->inference == NULL ? inference : self->inference, cancellable,
                           error);
      g_clear_pointer (&self->model, sym_model_unref);
      g_clear_pointer (&self->inference, sym_inference_unref);
      self->model = next;
      self->inference = found;
      if (found == NULL)
        return FALSE;
    }
  return TRUE;
}

gboolean
sym_plan_expand (SymModel *model,
                 const SymInference *inference,
                 gboolean widens,
                 gboolean keeps_all,
                 SymExpansion *expansion,
                 GCancellable *cancellable,
                 GError **error)
{
  g_autoptr (SymLayer) constant = new_layer ("", "Constant", SYM_OP_LOWER_VERSION);
  g_autoptr (SymLayer) identity = new_layer ("", "Identity", SYM_OP_LOWER_VERSION);
  g_autoptr (SymLayer) several = new_layer ("symscope", "Several", 0);
  SymExpand rounds = { .n_shown = sym_model_get_n_calls (model),
                       .constant = constant,
                       .identity = identity,
                       .several = several,
                       .keeps_all = keeps_all };

  *expansion = (SymExpansion){ NULL };
  expansion->origins = g_array_new (FALSE, FALSE, sizeof (SymId));
  rounds.origins = expansion->origins;
  if (!expand_rounds (expansion, &rounds, model, inference, cancellable, error))
    return FALSE;
  return !widens ||
         widen (expansion, model, expansion->inference == NULL ? inference : expansion->inference,
                cancellable, error);
}

void
sym_expansion_clear (SymExpansion *self)
{
  g_clear_pointer (&self->model, sym_model_unref);
  g_clear_pointer (&self->inference, sym_inference_unref);
  g_clear_pointer (&self->origins, g_array_unref);
}
