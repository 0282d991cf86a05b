/* SPDX-License-Identifier: MIT */
#include "io/sym-raise-private.h"

#include <string.h>

#include "io/sym-io-lost.h"
#include "io/sym-onnx-write-private.h"
#include "ops/sym-op-lower.h"

/* ---- What it becomes ---- */

SymModelBuilder *
sym_raise_get_builder (SymRaise *self)
{
  return self->builder;
}

const SymRaiseTarget *
sym_raise_get_target (SymRaise *self)
{
  return self->target;
}

gpointer
sym_raise_get_data (SymRaise *self)
{
  return self->data;
}

gboolean
sym_raise_has_failed (SymRaise *self)
{
  return self->error != NULL;
}

/* Layers of ONNX need no name: what they make has one. */
static const char *
get_name (SymRaise *self)
{
  const char *name = sym_model_get_call_name (self->model, self->call);

  return name != NULL && *name != '\0'
             ? name
             : sym_model_get_value_name (self->model, sym_raise_get_result_value (self, 0));
}

void
sym_raise_fail (SymRaise *self, const char *why)
{
  if (self->error == NULL)
    g_set_error (&self->error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                 "the layer “%s” of type %s has no counterpart in %s%s%s", get_name (self),
                 sym_layer_get_type (sym_model_get_layer (self->model, self->call)),
                 self->target->title, why == NULL ? "" : ": ", why == NULL ? "" : why);
}

void
sym_raise_fail_about (SymRaise *self, SymId value, const char *what)
{
  g_autofree char *why =
      g_strdup_printf ("“%s” %s", sym_model_get_value_name (self->model, value), what);

  sym_raise_fail (self, why);
}

SymValue *
sym_raise_tuple (const gint64 *values, int n)
{
  return sym_value_new_ints (SYM_VALUE_TUPLE, values, (guint) n);
}

const char *
sym_raise_choose_name (SymRaise *self, const char *wanted)
{
  return sym_name_set_choose (self->names, wanted, 1);
}

/* What comes from outside must be of a dtype that the framework has. */
static void
check_dtype (SymRaise *self, SymId value, SymDType dtype)
{
  if (self->error == NULL && dtype != SYM_DTYPE_UNKNOWN && !self->target->has_dtype (dtype))
    g_set_error (&self->error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                 "“%s” is of %s, which %s does not have",
                 sym_model_get_value_name (self->model, value), sym_dtype_to_string (dtype),
                 self->target->title);
}

/* Data that comes from outside. */
static SymId
add_input (SymRaise *self, SymId value)
{
  SymType type = sym_raise_get_value_type (self, value);
  const char *wanted = sym_model_get_value_name (self->model, value);
  g_autofree char *name =
      self->target->make_name == NULL ? g_strdup (wanted) : self->target->make_name (wanted);
  SymId made = sym_model_builder_add_value (self->builder, sym_raise_choose_name (self, name),
                                            SYM_ROLE_INPUT, &type);

  check_dtype (self, value, type.dtype);
  if (self->error == NULL && type.shape.rank < 0 && self->target->needs_axes)
    g_set_error (&self->error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                 "the axes of the input “%s” are not known, which %s needs: give it its shape",
                 sym_model_get_value_name (self->model, value), self->target->title);
  sym_model_builder_add_input (self->builder, made);
  return self->target->begin == NULL ? made : self->target->begin (self, value, made);
}

SymId
sym_raise_find_made (SymRaise *self, SymId value)
{
  return value == SYM_NO_ID ? SYM_NO_ID : self->values[value];
}

static gboolean
find_moved (SymRaise *self, SymId value, SymTensor **tensor)
{
  *tensor = NULL;
  return self->target->find_moved != NULL && self->target->find_moved (self, value, tensor);
}

void
sym_raise_keep_tensor (SymRaise *self, SymId value, SymTensor *take_tensor)
{
  g_hash_table_insert (self->constants, GUINT_TO_POINTER (value + 1), take_tensor);
}

SymTensor *
sym_raise_find_numbers (SymRaise *self, SymId value)
{
  SymTensor *tensor = sym_raise_find_tensor (self, value);

  if (tensor != NULL || !find_moved (self, value, &tensor) || tensor == NULL)
    return tensor;
  sym_raise_keep_tensor (self, value, tensor);
  return tensor;
}

/* Why nothing is known of a value. */
static void
fail_operand (SymRaise *self, SymId value)
{
  SymTensor *none;

  if (find_moved (self, value, &none))
    sym_raise_fail_about (self, value, "is a weight whose numbers are missing");
  else
    sym_raise_fail (self, "what it is applied to is not known");
}

SymId
sym_raise_operand_as (SymRaise *self, guint slot, SymRole role)
{
  SymId value = sym_raise_get_value (self, slot);
  SymTensor *tensor;

  if (value == SYM_NO_ID || self->error != NULL)
    return SYM_NO_ID;
  tensor = self->values[value] == SYM_NO_ID ? sym_raise_find_numbers (self, value) : NULL;
  if (tensor != NULL)
    {
      self->values[value] = self->target->add_tensor (self, value, tensor, role);
      check_dtype (self, value, sym_tensor_get_dtype (tensor));
    }
  if (self->values[value] == SYM_NO_ID)
    fail_operand (self, value);
  return self->values[value];
}

SymId
sym_raise_operand (SymRaise *self, guint slot)
{
  return sym_raise_operand_as (self, slot, SYM_ROLE_PARAMETER);
}

SymAttributes *
sym_raise_read_attributes (va_list list)
{
  SymAttributes *attributes = sym_attributes_new ();

  for (const char *name = va_arg (list, const char *); name != NULL;
       name = va_arg (list, const char *))
    sym_attributes_set (attributes, name, va_arg (list, SymValue *), NULL);
  return attributes;
}

void
sym_raise_set_made (SymRaise *self, SymId value, SymId made)
{
  if (self->error == NULL)
    self->values[value] = made;
}

void
sym_raise_set_result (SymRaise *self, guint i, SymId value)
{
  if (i < sym_raise_count_results (self))
    sym_raise_set_made (self, sym_raise_get_result_value (self, i), value);
}

/* ---- The model ---- */

static const SymRaiseRule *
find_rule (SymRaise *self, SymId call)
{
  const SymOperator *op = sym_layer_get_operator (sym_model_get_layer (self->model, call));

  if (op == NULL || *op->domain != '\0')
    return NULL;
  for (const SymRaiseRule *const *table = self->target->tables; *table != NULL; table++)
    for (const SymRaiseRule *rule = *table; rule->name != NULL; rule++)
      if (strcmp (rule->name, op->name) == 0)
        return rule;
  return NULL;
}

/* Values that outputs are made of; numbers that are known beforehand become attributes. */
static gboolean *
mark_needed (SymRaise *self)
{
  SymIds order = sym_model_get_execution_order (self->model);
  SymIds outputs = sym_model_get_outputs (self->model);
  gboolean *needed = g_new0 (gboolean, sym_model_get_n_values (self->model) + 1);

  for (guint i = 0; i < outputs.n; i++)
    if (outputs.ids[i] != SYM_NO_ID)
      needed[outputs.ids[i]] = TRUE;
  for (guint i = order.n; i-- > 0;)
    {
      SymIds operands = sym_model_get_operands (self->model, order.ids[i]);
      const SymRaiseRule *rule = find_rule (self, order.ids[i]);

      for (guint k = 0; rule != NULL && sym_onnx_makes_needed (self->model, order.ids[i], needed) &&
                        k < MIN (operands.n, rule->n_data);
           k++)
        if (operands.ids[k] != SYM_NO_ID && sym_raise_find_tensor (self, operands.ids[k]) == NULL)
          needed[operands.ids[k]] = TRUE;
    }
  return needed;
}

/* Whether the call makes what is known beforehand, so that nobody has to make it. */
static gboolean
is_constant (SymRaise *self, SymId call)
{
  SymId result = sym_model_get_results (self->model, call).ids[0];
  SymTensor *moved = NULL;
  gboolean found =
      sym_raise_find_tensor (self, result) != NULL || find_moved (self, result, &moved);

  g_clear_pointer (&moved, sym_tensor_unref);
  return found;
}

static gboolean
is_made (SymRaise *self, SymId call)
{
  return self->values[sym_model_get_results (self->model, call).ids[0]] != SYM_NO_ID;
}

static void
raise_calls (SymRaise *self, const gboolean *needed)
{
  SymIds order = sym_model_get_execution_order (self->model);

  for (guint i = 0; i < order.n && self->error == NULL; i++)
    {
      const SymRaiseRule *rule = find_rule (self, order.ids[i]);

      self->call = order.ids[i];
      if (!sym_onnx_makes_needed (self->model, order.ids[i], needed) ||
          is_constant (self, order.ids[i]) || is_made (self, order.ids[i]))
        continue;
      if (rule == NULL)
        sym_raise_fail (self, NULL);
      else
        rule->raise (self);
    }
}

static gboolean
is_weight (const SymRaise *self, SymId value)
{
  return sym_model_get_tensor (self->model, value) != NULL ||
         (self->target->keeps_parameters &&
          !sym_role_is_data (sym_model_get_role (self->model, value)));
}

static void
add_needed_input (SymRaise *self, SymId value, const gboolean *needed)
{
  if (sym_model_has_value (self->model, value) && needed[value] &&
      self->values[value] == SYM_NO_ID &&
      sym_model_get_producer (self->model, value) == SYM_NO_ID && !is_weight (self, value))
    self->values[value] = add_input (self, value);
}

/* Inputs in the model's order, then what else comes from outside. */
static void
add_inputs (SymRaise *self, const gboolean *needed)
{
  SymIds inputs = sym_model_get_inputs (self->model);

  for (guint i = 0; i < inputs.n; i++)
    add_needed_input (self, inputs.ids[i], needed);
  for (SymId value = 0; value < sym_model_get_n_values (self->model); value++)
    add_needed_input (self, value, needed);
}

static void
tell_unused (const SymRaise *self, SymProblems *notes)
{
  SymIds inputs = sym_model_get_inputs (self->model);

  for (guint i = 0; i < inputs.n && notes != NULL; i++)
    if (self->values[inputs.ids[i]] == SYM_NO_ID && !is_weight (self, inputs.ids[i]))
      sym_problems_add (notes, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID,
                        "the input “%s” is left out: no result needs it",
                        sym_model_get_value_name (self->model, inputs.ids[i]));
}

static SymId
end_output (SymRaise *self, SymId value)
{
  SymId made = self->values[value];

  return self->target->end == NULL ? made : self->target->end (self, value, made);
}

static void
add_outputs (SymRaise *self)
{
  SymIds outputs = sym_model_get_outputs (self->model);

  for (guint i = 0; i < outputs.n && self->error == NULL; i++)
    if (outputs.ids[i] == SYM_NO_ID)
      continue;
    else if (self->values[outputs.ids[i]] != SYM_NO_ID)
      sym_model_builder_add_output (self->builder, end_output (self, outputs.ids[i]));
    else
      g_set_error (&self->error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                   "the output “%s” is a constant, which %s cannot say",
                   sym_model_get_value_name (self->model, outputs.ids[i]), self->target->title);
}

/* Numbers that come out as they are, of a model of another framework. */
static gboolean
gives_constants (const SymModel *model, const SymRaiseTarget *target)
{
  SymIds outputs = sym_model_get_outputs (model);

  for (guint i = 0; i < outputs.n && sym_model_get_dialect (model) != target->dialect; i++)
    if (outputs.ids[i] != SYM_NO_ID && sym_model_get_tensor (model, outputs.ids[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* Whether a call of @model is of the target's own; else adds to @open what its layers consist of,
 * each once, and says in *@found whether there are operators of others. */
static gboolean
has_own (const SymModel *model,
         const SymRaiseTarget *target,
         GPtrArray *open,
         GHashTable *seen,
         gboolean *found)
{
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    {
      SymLayer *layer = sym_model_has_call (model, call) ? sym_model_get_layer (model, call) : NULL;
      const SymOperator *op = layer == NULL ? NULL : sym_layer_get_operator (layer);
      SymModel *body = layer == NULL || op != NULL ? NULL : sym_layer_get_running_body (layer);

      if (op != NULL && g_str_has_prefix (op->domain, target->domain))
        return TRUE;
      *found = *found || op != NULL;
      if (body != NULL && g_hash_table_add (seen, body))
        g_ptr_array_add (open, body);
    }
  return FALSE;
}

gboolean
sym_raise_is_needed (const SymModel *model, const SymRaiseTarget *target)
{
  g_autoptr (GPtrArray) open = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  gboolean found = FALSE;

  if (has_own (model, target, open, seen, &found))
    return FALSE;
  for (guint i = 0; i < open->len; i++)
    if (has_own (open->pdata[i], target, open, seen, &found))
      return FALSE;
  return found || gives_constants (model, target);
}

static void
set_name (SymRaise *self)
{
  const char *name = sym_model_get_name (self->model);
  g_autofree char *fit = self->target->make_name == NULL || name == NULL
                             ? g_strdup (name)
                             : self->target->make_name (name);

  sym_model_builder_set_name (self->builder, fit);
}

static void
unref_tensor (gpointer tensor)
{
  sym_tensor_unref (tensor);
}

static SymModel *
raise_model (SymModel *model,
             const SymInference *inference,
             const SymRaiseTarget *target,
             gpointer data,
             SymProblems *notes,
             GError **error)
{
  g_autoptr (SymModelBuilder) builder = sym_model_builder_new (target->dialect);
  g_autoptr (SymNameSet) names = sym_name_set_new ();
  g_autoptr (GHashTable) constants = g_hash_table_new_full (NULL, NULL, NULL, unref_tensor);
  g_autofree SymId *values = g_new (SymId, sym_model_get_n_values (model) + 1);
  g_autofree gboolean *needed = NULL;
  SymRaise self = { target, data,  builder,   model,     inference,
                    values, names, constants, SYM_NO_ID, NULL };

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    values[value] = SYM_NO_ID;
  if (target->folds)
    sym_raise_fold (&self);
  needed = mark_needed (&self);
  add_inputs (&self, needed);
  raise_calls (&self, needed);
  add_outputs (&self);
  if (self.error != NULL)
    {
      g_propagate_error (error, self.error);
      return NULL;
    }
  tell_unused (&self, notes);
  set_name (&self);
  return sym_model_builder_end (g_steal_pointer (&builder));
}

/* Files of ONNX may have operators of others, too, which are written to ONNX as they are. */
static gboolean
needs_lowering (const SymModel *model)
{
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    if (sym_model_has_call (model, call) &&
        sym_op_has_lowering (sym_layer_get_operator (sym_model_get_layer (model, call))))
      return TRUE;
  return sym_onnx_needs_lowering (model);
}

/* By way of ONNX. */
static SymModel *
raise_lowered (SymModel *model,
               const SymInference *inference,
               const SymRaiseTarget *target,
               gpointer data,
               SymOnnxLowerFlags flags,
               SymProblems *notes,
               GError **error)
{
  g_autoptr (SymModel) lowered = sym_onnx_lower (model, inference, flags, notes, error);
  g_autoptr (SymInference) own = NULL;

  if (lowered == NULL)
    {
      g_prefix_error (error, "to %s by way of ONNX: ", target->title);
      return NULL;
    }
  own = sym_infer (lowered, NULL, 0, NULL, error);
  return own == NULL ? NULL : raise_model (lowered, own, target, data, notes, error);
}

/* The same for any number of samples, where the target's layers do not need it; else NULL. */
static SymModel *
raise_open (SymModel *model,
            const SymInference *inference,
            const SymRaiseTarget *target,
            SymOnnxLowerFlags flags,
            SymProblems *notes)
{
  g_autoptr (SymProblems) own_notes = sym_problems_new ();
  SymModel *raised =
      raise_lowered (model, inference, target, NULL, flags | SYM_ONNX_LOWER_OPEN, own_notes, NULL);

  if (raised != NULL && notes != NULL)
    sym_problems_append (notes, own_notes);
  return raised;
}

SymModel *
sym_raise_model (SymModel *model,
                 const SymInference *inference,
                 const SymRaiseTarget *target,
                 gpointer data,
                 SymProblems *notes,
                 GError **error)
{
  SymOnnxLowerFlags flags =
      SYM_ONNX_LOWER_OLDER | (target->keeps_parameters ? SYM_ONNX_LOWER_KEEP_PARAMETERS : 0);
  g_autoptr (SymInference) own = NULL;

  if (needs_lowering (model))
    {
      SymModel *open =
          target->may_stay_open ? raise_open (model, inference, target, flags, notes) : NULL;

      return open != NULL ? open
                          : raise_lowered (model, inference, target, data, flags, notes, error);
    }
  sym_io_note_unused (model, notes);
  if (inference == NULL)
    inference = own = sym_infer (model, NULL, 0, NULL, error);
  return inference == NULL ? NULL : raise_model (model, inference, target, data, notes, error);
}
