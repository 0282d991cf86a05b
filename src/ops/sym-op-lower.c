/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-lower-private.h"

#include <stdarg.h>
#include <string.h>

#include "core/sym-error.h"
#include "core/sym-infer.h"
#include "ops/sym-op.h"

/* Where a value of the body is from. */
typedef struct {
  SymId call;         /* SYM_NO_ID for none */
  guint index;        /* among the results of that */
  guint n_results;    /* of the call, with its first result */
  gboolean is_output; /* of the body */
} Maker;

struct _SymOpLower {
  SymLayer *layer;
  const SymAttributes *attributes;
  const SymType *types;
  SymOpKnown *known; /* NULL for nothing */
  guint n_inputs, n_outputs;
  SymOpTarget target;
  SymId *inputs;
  SymId *outputs;          /* SYM_NO_ID for one that is not set yet */
  GArray *makers;          /* of Maker, by value */
  SymInference *inference; /* of the call alone; NULL until it is asked for */
  SymShape *shapes;        /* of the results, from it */
  GError *error;           /* the first one */
  gboolean is_rule;        /* it is made for its shapes: sizes may be unknown */
};

static const SymShape no_shape = { .rank = -1 };

/* ---- The call ---- */

SymLayer *
sym_op_lower_get_layer (SymOpLower *self)
{
  return self->layer;
}

const char *
sym_op_lower_get_type (SymOpLower *self)
{
  return sym_layer_get_type (self->layer);
}

gint64
sym_op_lower_get_int (SymOpLower *self, const char *name, gint64 fallback)
{
  return sym_attributes_get_int (self->attributes, name, fallback);
}

double
sym_op_lower_get_float (SymOpLower *self, const char *name, double fallback)
{
  return sym_attributes_get_float (self->attributes, name, fallback);
}

gboolean
sym_op_lower_get_bool (SymOpLower *self, const char *name, gboolean fallback)
{
  return sym_attributes_get_bool (self->attributes, name, fallback);
}

const char *
sym_op_lower_get_string (SymOpLower *self, const char *name, const char *fallback)
{
  return sym_attributes_get_string (self->attributes, name, fallback);
}

gboolean
sym_op_lower_has_string (SymOpLower *self, const char *name, const char *value)
{
  return g_strcmp0 (sym_op_lower_get_string (self, name, NULL), value) == 0;
}

SymDType
sym_op_lower_get_dtype (SymOpLower *self, const char *name, SymDType fallback)
{
  return sym_attributes_get_dtype (self->attributes, name, fallback);
}

int
sym_op_lower_get_ints (SymOpLower *self, const char *name, gint64 *values, int max)
{
  return sym_attributes_get_ints (self->attributes, name, values, max);
}

guint
sym_op_lower_get_n_inputs (SymOpLower *self)
{
  return self->n_inputs;
}

guint
sym_op_lower_get_n_outputs (SymOpLower *self)
{
  return self->n_outputs;
}

gboolean
sym_op_lower_has_input (SymOpLower *self, guint i)
{
  return i < self->n_inputs && self->types[i].kind != SYM_KIND_UNKNOWN;
}

SymId
sym_op_lower_input (SymOpLower *self, guint i)
{
  return sym_op_lower_has_input (self, i) ? self->inputs[i] : SYM_NO_ID;
}

static gboolean
has_tensor (SymOpLower *self, guint i)
{
  return i < self->n_inputs && self->types[i].kind == SYM_KIND_TENSOR;
}

const SymShape *
sym_op_lower_get_input_shape (SymOpLower *self, guint i)
{
  return has_tensor (self, i) ? &self->types[i].shape : &no_shape;
}

SymDType
sym_op_lower_get_input_dtype (SymOpLower *self, guint i)
{
  return has_tensor (self, i) ? self->types[i].dtype : SYM_DTYPE_UNKNOWN;
}

gboolean
sym_op_lower_need_tensor (SymOpLower *self, guint i)
{
  const SymSlotSpec *slot = sym_op_get_slot (sym_layer_get_operator (self->layer), i);

  if (has_tensor (self, i))
    return self->error == NULL;
  sym_op_lower_fail (self, "%s: operand %u (%s) must be a tensor and %s",
                     sym_op_lower_get_type (self), i, slot == NULL ? "operand" : slot->name,
                     sym_op_lower_has_input (self, i) ? "is none" : "is missing");
  return FALSE;
}

/* ---- Errors ---- */

G_GNUC_PRINTF (3, 0)
static void
set_error (SymOpLower *self, SymError code, const char *format, va_list arguments)
{
  if (self->error == NULL)
    self->error = g_error_new_valist (SYM_ERROR, (int) code, format, arguments);
}

void
sym_op_lower_refuse (SymOpLower *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  set_error (self, SYM_ERROR_UNSUPPORTED, format, arguments);
  va_end (arguments);
}

void
sym_op_lower_fail (SymOpLower *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  set_error (self, SYM_ERROR_SHAPE, format, arguments);
  va_end (arguments);
}

gboolean
sym_op_lower_has_failed (SymOpLower *self)
{
  return self->error != NULL;
}

gboolean
sym_op_lower_is_rule (SymOpLower *self)
{
  return self->is_rule;
}

/* ---- What is known beforehand ---- */

/* What is known of operand @i, on which the body depends then; NULL and an error for nothing. */
static SymOpKnown *
need_known (SymOpLower *self, guint i, gboolean is_number)
{
  const SymSlotSpec *slot = sym_op_get_slot (sym_layer_get_operator (self->layer), i);
  SymOpKnown *known = self->known == NULL || i >= self->n_inputs ? NULL : &self->known[i];

  if (known == NULL || (is_number ? !known->has_number : known->n < 0))
    sym_op_lower_refuse (self, "%s: operand %u (%s) must be known beforehand",
                         sym_op_lower_get_type (self), i, slot == NULL ? "operand" : slot->name);
  if (self->error != NULL)
    return NULL;
  known->is_read = TRUE;
  return known;
}

int
sym_op_lower_read_ints (SymOpLower *self, guint i, gint64 *values, int max)
{
  const SymOpKnown *known = need_known (self, i, FALSE);

  if (known == NULL)
    return -1;
  if (known->n > max)
    {
      sym_op_lower_fail (self, "%s: operand %u has %d numbers; at most %d make sense",
                         sym_op_lower_get_type (self), i, known->n, max);
      return -1;
    }
  memcpy (values, known->values, (gsize) known->n * sizeof *values);
  return known->n;
}

gboolean
sym_op_lower_read_number (SymOpLower *self, guint i, double *number)
{
  const SymOpKnown *known = need_known (self, i, TRUE);

  if (known == NULL)
    return FALSE;
  *number = known->number;
  return TRUE;
}

/* ---- What the shape rule says ---- */

/* What the body depends on already is known to the rule, too. */
static SymId
add_operand (SymOpLower *self, SymModelBuilder *builder, guint i)
{
  const SymOpKnown *known = self->known == NULL ? NULL : &self->known[i];
  gboolean is_constant = known != NULL && known->n >= 0 && known->is_read;
  gint32 narrow[SYM_OP_MAX_KNOWN];
  SymArray array;
  SymId value;

  if (!sym_op_lower_has_input (self, i))
    return SYM_NO_ID;
  value = sym_model_builder_add_value (
      builder, NULL, is_constant ? SYM_ROLE_CONSTANT : SYM_ROLE_INPUT, &self->types[i]);
  if (!is_constant)
    return value;
  array = (SymArray){ self->types[i].dtype, self->types[i].shape, (void *) known->values };
  for (int j = 0; j < known->n; j++)
    narrow[j] = (gint32) known->values[j];
  if (array.dtype == SYM_DTYPE_INT32)
    array.data = narrow;
  sym_model_builder_set_tensor (builder, value, sym_tensor_new_copy (&array, NULL));
  return value;
}

static SymModel *
new_call_alone (SymOpLower *self)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autofree SymId *operands = g_new (SymId, self->n_inputs + 1);

  for (guint i = 0; i < self->n_inputs; i++)
    operands[i] = add_operand (self, builder, i);
  sym_model_builder_add_call (builder, NULL, self->layer, operands, self->n_inputs,
                              self->n_outputs);
  return sym_model_builder_end (builder);
}

static void
infer (SymOpLower *self)
{
  g_autoptr (SymModel) model = new_call_alone (self);
  const SymProblems *problems;

  self->inference = sym_infer (model, NULL, 0, NULL, &self->error);
  self->shapes = g_new (SymShape, self->n_outputs + 1);
  for (guint i = 0; i < self->n_outputs; i++)
    self->shapes[i] = no_shape;
  if (self->inference == NULL)
    return;
  problems = sym_inference_get_problems (self->inference);
  if (sym_problems_get_n (problems) > 0)
    sym_op_lower_fail (self, "%s", sym_problems_get (problems, 0)->message);
  for (guint i = 0; i < self->n_outputs; i++)
    self->shapes[i] =
        sym_inference_get_type (self->inference, sym_model_get_results (model, 0).ids[i]).shape;
}

const SymShape *
sym_op_lower_get_output_shape (SymOpLower *self, guint i)
{
  if (self->inference == NULL && self->error == NULL && !self->is_rule)
    infer (self);
  return self->inference == NULL || i >= self->n_outputs ? &no_shape : &self->shapes[i];
}

SymDType
sym_op_lower_get_output_dtype (SymOpLower *self, guint i)
{
  if (self->inference == NULL && self->error == NULL && !self->is_rule)
    infer (self);
  if (self->inference == NULL || i >= self->n_outputs)
    return SYM_DTYPE_UNKNOWN;
  return sym_inference_get_type (
             self->inference,
             sym_model_get_results (sym_inference_get_model (self->inference), 0).ids[i])
      .dtype;
}

/* ---- The body ---- */

static Maker *
get_maker (const SymOpLower *self, SymId value)
{
  return &g_array_index (self->makers, Maker, value);
}

static SymId
note_value (SymOpLower *self, SymId value, SymId call, guint index)
{
  Maker maker = { call, index, 1, FALSE };

  g_assert (value == self->makers->len);
  g_array_append_val (self->makers, maker);
  return value;
}

SymId
sym_op_lower_apply_layer (SymOpLower *self, SymLayer *layer, SymIds operands)
{
  SymId call;

  if (self->error != NULL)
    return SYM_NO_ID;
  call = sym_op_target_add_call (&self->target, layer, operands);
  return note_value (self, sym_op_target_get_result (&self->target, call, 0), call, 0);
}

static SymId
add_call (SymOpLower *self,
          const char *type,
          const SymOperator *op,
          SymIds operands,
          SymAttributes *attributes)
{
  g_autoptr (SymLayer) layer = sym_layer_new (type, op, attributes);

  return sym_op_lower_apply_layer (self, layer, operands);
}

SymId
sym_op_lower_apply (SymOpLower *self,
                    const SymOperator *op,
                    SymIds operands,
                    SymAttributes *attributes)
{
  return add_call (self, op->name, op, operands, attributes);
}

SymId
sym_op_lower_apply_as (SymOpLower *self, const char *name, SymIds operands)
{
  const SymOperator *own = sym_layer_get_operator (self->layer);
  const SymOperator *op = sym_op_find (own->domain, name, 0);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();

  g_return_val_if_fail (op != NULL, SYM_NO_ID);
  for (guint i = 0; i < sym_attributes_get_n (self->attributes); i++)
    sym_attributes_set_same (attributes, self->attributes, i);
  return sym_op_lower_apply (self, op, operands, attributes);
}

SymId
sym_op_lower_call (SymOpLower *self, const char *name, SymIds operands, ...)
{
  const SymOperator *op = sym_op_find ("", name, SYM_OP_LOWER_VERSION);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  const char *attribute;
  va_list arguments;

  g_return_val_if_fail (op != NULL, SYM_NO_ID);

  va_start (arguments, operands);
  while ((attribute = va_arg (arguments, const char *)) != NULL)
    sym_attributes_set (attributes, attribute, va_arg (arguments, SymValue *), NULL);
  va_end (arguments);
  return add_call (self, name, op, operands, attributes);
}

SymId
sym_op_lower_get_result (SymOpLower *self, SymId first, guint i)
{
  SymId call;

  if (self->error != NULL || first == SYM_NO_ID)
    return SYM_NO_ID;
  call = get_maker (self, first)->call;
  g_return_val_if_fail (call != SYM_NO_ID && get_maker (self, first)->index == 0, SYM_NO_ID);
  for (guint n = get_maker (self, first)->n_results; n <= i; n++)
    {
      note_value (self, sym_op_target_append_result (&self->target, call), call, n);
      get_maker (self, first)->n_results++;
    }
  return sym_op_target_get_result (&self->target, call, i);
}

SymId
sym_op_lower_tensor (SymOpLower *self, SymTensor *tensor)
{
  if (self->error != NULL)
    return SYM_NO_ID;
  return note_value (self, sym_op_target_add_constant (&self->target, tensor), SYM_NO_ID, 0);
}

SymId
sym_op_lower_array (SymOpLower *self, const SymArray *array)
{
  g_autoptr (SymTensor) tensor = NULL;

  if (self->error != NULL)
    return SYM_NO_ID;
  tensor = sym_tensor_new_copy (array, &self->error);
  return tensor == NULL ? SYM_NO_ID : sym_op_lower_tensor (self, tensor);
}

/* An output of the body is the result of a layer, and of no other output. */
static gboolean
is_free (const SymOpLower *self, SymId value)
{
  return get_maker (self, value)->call != SYM_NO_ID && !get_maker (self, value)->is_output;
}

void
sym_op_lower_set_output (SymOpLower *self, guint i, SymId value)
{
  if (self->error != NULL || i >= self->n_outputs)
    return;
  if (value == SYM_NO_ID)
    {
      sym_op_lower_fail (self, "%s: an operand is missing", sym_op_lower_get_type (self));
      return;
    }
  g_return_if_fail (value < self->makers->len);
  if (!is_free (self, value))
    value = sym_op_lower_unary (self, "Identity", value);
  if (value == SYM_NO_ID)
    return;
  get_maker (self, value)->is_output = TRUE;
  if (self->outputs[i] != SYM_NO_ID)
    get_maker (self, self->outputs[i])->is_output = FALSE;
  self->outputs[i] = value;
}

/* ---- From outside ---- */

static void
begin (SymOpLower *self)
{
  self->attributes = sym_layer_get_attributes (self->layer);
  self->inputs = g_new (SymId, self->n_inputs + 1);
  self->outputs = g_new (SymId, self->n_outputs + 1);
  self->makers = g_array_new (FALSE, FALSE, sizeof (Maker));
  for (guint i = 0; i < self->n_outputs; i++)
    self->outputs[i] = SYM_NO_ID;
  for (guint i = 0; i < self->n_inputs; i++)
    self->inputs[i] = note_value (
        self, sym_op_target_add_operand (&self->target, i, &self->types[i]), SYM_NO_ID, 0);
}

/* A rule tells of the results up to the first that is not lowered. */
static void
add_outputs (SymOpLower *self)
{
  guint n = 0;

  while (n < self->n_outputs && self->outputs[n] != SYM_NO_ID)
    n++;
  if (self->error == NULL && n < self->n_outputs && (n == 0 || !self->is_rule))
    sym_op_lower_refuse (self, "%s: result %u is not lowered", sym_op_lower_get_type (self), n);
  for (guint i = 0; self->error == NULL && i < n; i++)
    sym_op_target_add_output (&self->target, self->outputs[i]);
}

static gboolean
end (SymOpLower *self, GError **error)
{
  add_outputs (self);
  g_free (self->inputs);
  g_free (self->outputs);
  g_array_unref (self->makers);
  g_free (self->shapes);
  g_clear_pointer (&self->inference, sym_inference_unref);
  if (self->error == NULL)
    return TRUE;
  sym_op_target_free (&self->target);
  g_propagate_error (error, self->error);
  return FALSE;
}

/* Where the body is the rule, nothing else has told that the operands do not fit. */
static void
check_shapes (SymOpLower *self, const SymOperator *op)
{
  if (op->infer == sym_op_infer_lowered)
    sym_op_lower_get_output_shape (self, 0);
}

static gboolean
make_body (SymOpLower *self, GError **error)
{
  const SymOperator *op = sym_layer_get_operator (self->layer);

  begin (self);
  if (op->lower != NULL)
    op->lower (self);
  else
    sym_op_lower_set_output (self, 0, sym_op_lower_formula (self, op->formula));
  check_shapes (self, op);
  return end (self, error);
}

SymRuleParts *
sym_op_lower_for_rule (SymLayer *layer,
                       const SymType *types,
                       guint n_inputs,
                       guint n_outputs,
                       GError **error)
{
  SymOpLower self = {
    .layer = layer, .types = types, .n_inputs = n_inputs, .n_outputs = n_outputs, .is_rule = TRUE
  };

  self.target.parts = sym_rule_parts_new ();
  return make_body (&self, error) ? self.target.parts : NULL;
}

SymModel *
sym_op_lower_known (SymLayer *layer,
                    const SymType *types,
                    SymOpKnown *known,
                    guint n_inputs,
                    guint n_outputs,
                    GError **error)
{
  SymOpLower self = {
    .layer = layer, .types = types, .known = known, .n_inputs = n_inputs, .n_outputs = n_outputs
  };
  const SymOperator *op = sym_layer_get_operator (layer);

  g_return_val_if_fail (sym_op_has_lowering (op), NULL);

  self.target.builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  return make_body (&self, error) ? sym_model_builder_end (self.target.builder) : NULL;
}

SymModel *
sym_op_lower (SymLayer *layer,
              const SymType *types,
              guint n_inputs,
              guint n_outputs,
              GError **error)
{
  return sym_op_lower_known (layer, types, NULL, n_inputs, n_outputs, error);
}
