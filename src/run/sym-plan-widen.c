/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-widen-private.h"

#include <string.h>

#include "ops/sym-op-lower.h"
#include "ops/sym-op.h"

/* Halves are only kept as such: they are computed in float32, and rounded where they are asked for,
 * as all others do it. */

/* These tell themselves what they make, or make other things than tensors. */
static const char left_alone[] =
    " Bernoulli BitCast BlackmanWindow Constant ConstantOfShape DequantizeLinear"
    " DynamicQuantizeLinear EyeLike HammingWindow HannWindow MelWeightMatrix Multinomial Optional"
    " OptionalGetElement OptionalHasElement QuantizeLinear RandomNormal RandomNormalLike"
    " RandomUniform RandomUniformLike ConcatFromSequence SequenceAt SequenceConstruct"
    " SequenceEmpty SequenceErase SequenceInsert SequenceLength SequenceMap SplitToSequence ";

static gboolean
is_half (SymDType dtype)
{
  return dtype == SYM_DTYPE_FLOAT16 || dtype == SYM_DTYPE_BFLOAT16;
}

SymType
sym_widen_get_type (const SymWiden *self, SymId value)
{
  SymTensor *tensor = sym_model_get_tensor (self->model, value);

  if (tensor != NULL)
    return sym_type_tensor (sym_tensor_get_dtype (tensor), *sym_tensor_get_shape (tensor));
  return sym_inference_get_type (self->inference, value);
}

static gboolean
is_half_value (const SymWiden *self, SymId value)
{
  SymType type;

  if (value == SYM_NO_ID)
    return FALSE;
  type = sym_widen_get_type (self, value);
  return type.kind == SYM_KIND_TENSOR && is_half (type.dtype);
}

/* ---- Calls ---- */

static SymEdit *
need_edit (SymWiden *self)
{
  if (self->edit == NULL)
    self->edit = sym_edit_new (self->model);
  return self->edit;
}

static SymId
find_origin (const SymWiden *self, SymId call)
{
  return call < self->n_shown ? call : g_array_index (self->origins, SymId, call - self->n_shown);
}

static SymId
insert (SymWiden *self,
        SymId origin,
        SymLayer *layer,
        const SymId *operands,
        guint n,
        guint n_results)
{
  SymId call = sym_edit_insert_call (need_edit (self), NULL, layer, operands, n, n_results, NULL);

  g_assert (call != SYM_NO_ID);
  origin = find_origin (self, origin);
  g_array_append_val (self->origins, origin);
  return call;
}

static SymLayer *
new_layer (const char *type, SymAttributes *take_attributes)
{
  SymLayer *layer =
      sym_layer_new (type, sym_op_find ("", type, SYM_OP_LOWER_VERSION), take_attributes);

  g_clear_pointer (&take_attributes, sym_attributes_unref);
  return layer;
}

SymId
sym_widen_insert_layer (SymWiden *self,
                        SymId origin,
                        SymLayer *layer,
                        const SymId *operands,
                        guint n)
{
  return sym_edit_get_result (need_edit (self), insert (self, origin, layer, operands, n, 1), 0);
}

SymId
sym_widen_insert (SymWiden *self,
                  SymId origin,
                  const char *type,
                  SymAttributes *take_attributes,
                  const SymId *operands,
                  guint n)
{
  g_autoptr (SymLayer) layer = new_layer (type, take_attributes);

  return sym_widen_insert_layer (self, origin, layer, operands, n);
}

void
sym_widen_set_call (SymWiden *self,
                    SymId call,
                    const char *type,
                    SymAttributes *take_attributes,
                    SymId operand)
{
  g_autoptr (SymLayer) layer = new_layer (type, take_attributes);

  sym_edit_set_call (need_edit (self), call, layer, &operand, 1, NULL);
}

SymAttributes *
sym_widen_new_cast (SymDType dtype)
{
  SymAttributes *attributes = sym_attributes_new ();

  sym_attributes_set (attributes, "to", sym_value_new_dtype (dtype), NULL);
  return attributes;
}

SymId
sym_widen_need_half (SymWiden *self, SymId origin, SymId value)
{
  if (value == SYM_NO_ID || (self->halves[value] == SYM_NO_ID && !is_half_value (self, value)))
    return value;
  if (self->halves[value] == SYM_NO_ID)
    self->halves[value] =
        sym_widen_insert (self, origin, "Cast", sym_widen_new_cast (SYM_DTYPE_FLOAT32), &value, 1);
  return self->halves[value];
}

/* ---- Halves ---- */

/* A cast to a half is one to float32. */
static SymLayer *
widen_layer (SymLayer *layer)
{
  const SymAttributes *attributes = sym_layer_get_attributes (layer);
  g_autoptr (SymAttributes) changed = NULL;

  if (!g_str_equal (sym_layer_get_operator (layer)->name, "Cast"))
    return sym_layer_ref (layer);
  changed = sym_attributes_with (attributes, "to", sym_value_new_dtype (SYM_DTYPE_FLOAT32), NULL);
  return sym_layer_with_attributes (layer, changed);
}

/* All types must be known. */
static gboolean
can_widen (const SymWiden *self, SymId call)
{
  SymLayer *layer = sym_model_get_layer (self->model, call);
  const SymOperator *op = sym_layer_get_operator (layer);
  SymIds results = sym_model_get_results (self->model, call);
  g_autofree char *word = NULL;

  if (op == NULL || *op->domain != '\0' || sym_layer_get_n_bodies (layer) > 0 ||
      sym_op_is_lowered (op))
    return FALSE;
  word = g_strconcat (" ", op->name, " ", NULL);
  if (strstr (left_alone, word) != NULL)
    return FALSE;
  for (guint i = 0; i < results.n; i++)
    if (sym_widen_get_type (self, results.ids[i]).kind != SYM_KIND_TENSOR)
      return FALSE;
  return TRUE;
}

static gboolean
makes_half (const SymWiden *self, SymIds results)
{
  for (guint i = 0; i < results.n; i++)
    if (is_half_value (self, results.ids[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_touched (const SymWiden *self, SymIds operands, SymIds results)
{
  for (guint i = 0; i < operands.n; i++)
    if (operands.ids[i] != SYM_NO_ID &&
        (self->halves[operands.ids[i]] != SYM_NO_ID || is_half_value (self, operands.ids[i])))
      return TRUE;
  return makes_half (self, results);
}

/* What makes a half is put beside the call, which rounds that if anybody asks for it; where there
 * are several results it stays as it was for them. */
static void
widen_call (SymWiden *self, SymId call)
{
  SymIds operands = sym_model_get_operands (self->model, call);
  SymIds results = sym_model_get_results (self->model, call);
  g_autofree SymId *mapped = g_new (SymId, operands.n + 1);
  g_autoptr (SymLayer) layer = NULL;
  SymId made;

  if (!is_touched (self, operands, results))
    return;
  for (guint i = 0; i < operands.n; i++)
    mapped[i] = sym_widen_need_half (self, call, operands.ids[i]);
  if (!makes_half (self, results))
    {
      sym_edit_set_call (need_edit (self), call, sym_model_get_layer (self->model, call), mapped,
                         operands.n, NULL);
      return;
    }
  layer = widen_layer (sym_model_get_layer (self->model, call));
  made = insert (self, call, layer, mapped, operands.n, results.n);
  for (guint i = 0; i < results.n; i++)
    self->halves[results.ids[i]] = sym_edit_get_result (self->edit, made, i);
  if (results.n == 1)
    sym_widen_set_call (self, call, "Cast",
                        sym_widen_new_cast (sym_widen_get_type (self, results.ids[0]).dtype),
                        self->halves[results.ids[0]]);
}

/* ---- The model ---- */

static SymId *
new_ids (guint n)
{
  SymId *ids = g_new (SymId, n + 1);

  for (guint i = 0; i < n; i++)
    ids[i] = SYM_NO_ID;
  return ids;
}

SymModel *
sym_plan_widen (SymModel *model, const SymInference *inference, guint n_shown, GArray *origins)
{
  g_autofree SymId *halves = new_ids (sym_model_get_n_values (model));
  g_autofree SymId *integers = new_ids (sym_model_get_n_values (model));
  SymWiden self = { inference, model, NULL, origins, n_shown, halves, integers };
  SymIds order = sym_model_get_execution_order (model);

  for (guint i = 0; i < order.n; i++)
    if (!sym_widen_integers (&self, order.ids[i]) && can_widen (&self, order.ids[i]))
      widen_call (&self, order.ids[i]);
  return self.edit == NULL ? NULL : sym_edit_end (self.edit);
}
