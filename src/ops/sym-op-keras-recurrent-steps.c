/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras-recurrent.h"

#include <string.h>

#define MAX_STEPS 1024

/* Gates stand side by side along the last axis, in Keras' order. */
typedef struct {
  const SymOpKerasRecurrence *layer;
  SymOpLower *lower;
  SymId data;      /* [batch, time, gates]: what the data does, with its bias */
  SymId recurrent; /* [units, gates] */
  SymId bias;      /* of the state, [gates]; NO_ID for none */
  SymId states[SYM_OP_KERAS_MAX_STATES]; /* [batch, units] */
} Steps;

static SymId
multiply (const Steps *self, SymId a, SymId b)
{
  return sym_op_lower_binary (self->lower, "Mul", a, b);
}

static SymId
add (const Steps *self, SymId a, SymId b)
{
  return b == SYM_NO_ID ? a : sym_op_lower_binary (self->lower, "Add", a, b);
}

/* Gates @first to @last of @x. */
static SymId
pick (const Steps *self, SymId x, int axis, int first, int last)
{
  gint64 units = self->layer->units;

  return sym_op_lower_slice (self->lower, x, axis, first * units, last * units, 1);
}

static SymId
apply (const Steps *self, const char *attribute, const char *fallback, SymId x)
{
  return sym_op_keras_is_given (self->layer->attributes, attribute)
             ? sym_op_keras_activate (self->lower, attribute, x)
             : sym_op_keras_activate_by (self->lower, fallback, x);
}

static SymId
activate (const Steps *self, SymId x)
{
  return apply (self, "activation", self->layer->cell->function, x);
}

static SymId
open_gate (const Steps *self, SymId x, int i)
{
  return apply (self, "recurrent_activation", self->layer->cell->gate_function,
                pick (self, x, 1, i, i + 1));
}

static SymId
apply_state (const Steps *self, SymId state, SymId kernel, SymId bias)
{
  return add (self, sym_op_lower_binary (self->lower, "MatMul", state, kernel), bias);
}

/* c = f c + i activation (g), h = o activation (c) */
static void
step_lstm (const Steps *self, SymId z, SymId *next)
{
  z = add (self, z, apply_state (self, self->states[0], self->recurrent, SYM_NO_ID));
  next[1] = multiply (self, open_gate (self, z, 1), self->states[1]);
  next[1] = add (self, next[1],
                 multiply (self, open_gate (self, z, 0), activate (self, pick (self, z, 1, 2, 3))));
  next[0] = multiply (self, open_gate (self, z, 3), activate (self, next[1]));
}

/* h = z h + (1 - z) activation (...): the state is reset behind its product, or before it. */
static void
step_gru (const Steps *self, SymId x, SymId *next)
{
  const SymOpKerasRecurrence *layer = self->layer;
  gboolean after =
      sym_op_keras_resets_after (layer->attributes, sym_op_lower_get_type (self->lower));
  SymId h = self->states[0], update, reset, state, one;
  SymId kernel = after ? self->recurrent : pick (self, self->recurrent, 1, 0, 2);
  SymId z = apply_state (self, h, kernel, after ? self->bias : SYM_NO_ID);
  SymId gates = add (self, pick (self, x, 1, 0, 2), after ? pick (self, z, 1, 0, 2) : z);

  update = open_gate (self, gates, 0);
  reset = open_gate (self, gates, 1);
  state = after ? multiply (self, reset, pick (self, z, 1, 2, 3))
                : apply_state (self, multiply (self, reset, h),
                               pick (self, self->recurrent, 1, 2, 3), SYM_NO_ID);
  state = activate (self, add (self, pick (self, x, 1, 2, 3), state));
  one = sym_op_lower_number (self->lower, layer->dtype, 1);
  next[0] = add (self, multiply (self, update, h),
                 multiply (self, sym_op_lower_binary (self->lower, "Sub", one, update), state));
}

static void
step_plain (const Steps *self, SymId x, SymId *next)
{
  next[0] = activate (
      self, add (self, x, apply_state (self, self->states[0], self->recurrent, SYM_NO_ID)));
}

/* ---- All steps ---- */

/* The bias, or the half of it that goes with the state. */
static SymId
read_bias (const Steps *self, gboolean of_state)
{
  const SymOpKerasRecurrence *layer = self->layer;
  gint64 width = layer->cell->n_gates * layer->units;
  const SymShape *shape = sym_op_lower_get_input_shape (self->lower, SYM_OP_KERAS_BIAS);
  SymId bias = sym_op_keras_input (self->lower, SYM_OP_KERAS_BIAS);
  gboolean has_both = shape->rank == 2 || (shape->rank == 1 && shape->dims[0] == 2 * width);

  if (bias == SYM_NO_ID || (of_state && !has_both))
    return SYM_NO_ID;
  bias = sym_op_lower_reshape (self->lower, bias, &SYM_SHAPE (has_both ? 2 * width : width));
  return has_both ? sym_op_lower_slice (self->lower, bias, 0, of_state ? width : 0,
                                        of_state ? 2 * width : width, 1)
                  : bias;
}

static void
begin (Steps *self, SymId x)
{
  const SymOpKerasRecurrence *layer = self->layer;
  SymShape state = SYM_SHAPE (layer->batch, layer->units);
  SymId bias = read_bias (self, FALSE);

  self->bias = read_bias (self, TRUE);
  if (self->bias != SYM_NO_ID && strcmp (layer->cell->onnx, "GRU") != 0)
    {
      bias = add (self, bias, self->bias);
      self->bias = SYM_NO_ID;
    }
  self->recurrent = sym_op_keras_input (self->lower, SYM_OP_KERAS_RECURRENT);
  self->data = add (self,
                    sym_op_lower_binary (self->lower, "MatMul", x,
                                         sym_op_keras_input (self->lower, SYM_OP_KERAS_KERNEL)),
                    bias);
  for (guint i = 0; i < layer->cell->n_states; i++)
    {
      self->states[i] = sym_op_keras_input (self->lower, SYM_OP_KERAS_STATES + i);
      if (self->states[i] == SYM_NO_ID)
        self->states[i] = sym_op_lower_fill (self->lower, layer->dtype, &state, 0);
    }
}

/* [batch, ...] of [batch, time, ...] */
static SymId
pick_step (const Steps *self, SymId x, gint64 t)
{
  gint64 axis = 1;

  return sym_op_lower_binary (self->lower, "Squeeze",
                              sym_op_lower_slice (self->lower, x, 1, t, t + 1, 1),
                              sym_op_lower_ints (self->lower, &axis, 1));
}

/* The output of step @t, where @before is that of the step before it. */
static SymId
step (Steps *self, gint64 t, SymId before)
{
  const SymOpKerasRecurrence *layer = self->layer;
  SymId x = pick_step (self, self->data, t), next[SYM_OP_KERAS_MAX_STATES], mask, output;

  if (strcmp (layer->cell->onnx, "LSTM") == 0)
    step_lstm (self, x, next);
  else if (strcmp (layer->cell->onnx, "GRU") == 0)
    step_gru (self, x, next);
  else
    step_plain (self, x, next);
  output = next[0];
  if (layer->mask != SYM_NO_ID)
    {
      mask = sym_op_lower_slice (self->lower, layer->mask, 1, t, t + 1, 1);
      mask = sym_op_lower_cast (self->lower, mask, SYM_DTYPE_BOOL);
      output = sym_op_lower_call (self->lower, "Where", SYM_IDS (mask, output, before), NULL);
      for (guint i = 0; i < layer->cell->n_states; i++)
        next[i] = sym_op_lower_call (self->lower, "Where", SYM_IDS (mask, next[i], self->states[i]),
                                     NULL);
    }
  memcpy (self->states, next, layer->cell->n_states * sizeof *next);
  return output;
}

SymId
sym_op_keras_unroll (const SymOpKerasRecurrence *layer, SymId x, SymId *states)
{
  SymOpLower *lower = layer->lower;
  Steps self = { layer, lower };
  g_autofree SymId *outputs = NULL;
  SymId before;
  gint64 axis = 1;

  if (layer->time < 1 || layer->time > MAX_STEPS || layer->batch < 0)
    {
      sym_op_lower_refuse (lower,
                           "%s: with this activation only 1 to %d steps, known beforehand, are "
                           "lowered",
                           sym_op_lower_get_type (lower), MAX_STEPS);
      return SYM_NO_ID;
    }
  begin (&self, x);
  before = sym_op_lower_fill (lower, layer->dtype, &SYM_SHAPE (layer->batch, layer->units), 0);
  outputs = g_new (SymId, layer->time);
  for (gint64 t = 0; t < layer->time && !sym_op_lower_has_failed (lower); t++)
    {
      before = step (&self, t, before);
      outputs[t] =
          sym_op_lower_binary (lower, "Unsqueeze", before, sym_op_lower_ints (lower, &axis, 1));
    }
  if (sym_op_lower_has_failed (lower))
    return SYM_NO_ID;
  memcpy (states, self.states, sizeof self.states);
  return sym_op_lower_call (lower, "Concat", (SymIds){ outputs, (guint) layer->time }, "axis",
                            sym_value_new_int (1), NULL);
}
