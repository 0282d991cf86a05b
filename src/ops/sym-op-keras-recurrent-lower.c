/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras-recurrent.h"

#include <string.h>

typedef SymOpKerasRecurrence Recurrence;

/* ---- Functions ---- */

/* A function by its name, which a file may have wrapped: {'class_name': 'function', 'config':
 * 'relu'}.  None is the identity; NULL is a layer. */
static const char *
get_name (const Recurrence *self, const char *attribute, const char *fallback)
{
  const SymValue *value = sym_op_keras_find (self->attributes, attribute);

  if (value == NULL)
    return sym_op_keras_is_given (self->attributes, attribute) ? "linear" : fallback;
  for (guint i = 0; sym_value_get_kind (value) == SYM_VALUE_DICT; i++)
    {
      if (i == sym_value_get_n_children (value))
        return NULL;
      if (strcmp (sym_value_get_key (value, i), "config") == 0)
        return sym_value_get_string (sym_value_get_child (value, i));
    }
  return sym_value_get_string (value);
}

/* Functions that ONNX's layers have, with what it calls alpha and beta. */
typedef struct {
  const char *keras;
  const char *onnx;
  double alpha, beta;
  gboolean takes_numbers;
} Function;

static const Function functions[] = {
  { "tanh", "Tanh" },
  { "sigmoid", "Sigmoid" },
  { "hard_sigmoid", "HardSigmoid", 0.2, 0.5, TRUE },
  { "relu", "Relu" },
  { "softsign", "Softsign" },
  { "softplus", "Softplus" },
  { "elu", "Elu", 1, 0, TRUE },
  { "leaky_relu", "LeakyRelu", 0.2, 0, TRUE },
  { "linear", "Affine", 1, 0, TRUE },
};

static const Function *
get_function (const Recurrence *self, const char *attribute, const char *fallback)
{
  const char *wanted = get_name (self, attribute, fallback);

  for (guint i = 0; i < G_N_ELEMENTS (functions) && wanted != NULL; i++)
    if (strcmp (functions[i].keras, wanted) == 0)
      return &functions[i];
  return NULL;
}

/* ONNX's, the one of the gates first; 0 where it does not have them. */
static guint
get_functions (const Recurrence *self, const Function *found[3])
{
  const char *type = sym_op_lower_get_type (self->lower);
  const char *gate = g_str_has_prefix (type, "CuDNN") ? "sigmoid" : self->cell->gate_function;
  guint n = 0;

  if (gate != NULL)
    found[n++] = get_function (self, "recurrent_activation", gate);
  do
    found[n++] = get_function (self, "activation", self->cell->function);
  while (gate != NULL && n < self->cell->n_states + 1u);
  for (guint i = 0; i < n; i++)
    if (found[i] == NULL)
      return 0;
  return n;
}

/* Numbers go to the functions that take some, in order. */
static void
list_functions (const Recurrence *self, SymValue **names, SymValue **alphas, SymValue **betas)
{
  gboolean is_new = sym_op_keras_get_int (self->attributes, "keras_version", 2) >= 3;
  const Function *found[3];
  SymValue *name[3], *alpha[3], *beta[3];
  guint n = get_functions (self, found), n_numbers = 0;

  for (guint i = 0; i < n; i++)
    {
      gboolean is_third = is_new && strcmp (found[i]->onnx, "HardSigmoid") == 0;

      name[i] = sym_value_new_string (found[i]->onnx);
      if (!found[i]->takes_numbers)
        continue;
      alpha[n_numbers] = sym_value_new_float (is_third ? 1.0 / 6.0 : found[i]->alpha);
      beta[n_numbers++] = sym_value_new_float (found[i]->beta);
    }
  *names = sym_value_new_list (name, n);
  *alphas = sym_value_new_list (alpha, n_numbers);
  *betas = sym_value_new_list (beta, n_numbers);
}

/* ---- Weights ---- */

static SymId
join (const Recurrence *self, const SymId *parts, guint n, int axis)
{
  return n == 1 ? parts[0]
                : sym_op_lower_call (self->lower, "Concat", (SymIds){ parts, n }, "axis",
                                     sym_value_new_int (axis), NULL);
}

/* The gates of a kernel or bias along @axis, in ONNX's order, from place @start on. */
static SymId
order_gates (const Recurrence *self, SymId weight, int axis, gint64 start)
{
  SymId gates[4];

  for (int i = 0; i < self->cell->n_gates; i++)
    {
      gint64 place = start + self->cell->order[i] * self->units;

      gates[i] = sym_op_lower_slice (self->lower, weight, axis, place, place + self->units, 1);
    }
  return join (self, gates, (guint) self->cell->n_gates, axis);
}

/* [in, gates] to [1, gates, in]. */
static SymId
turn_kernel (const Recurrence *self, guint i, gint64 in)
{
  SymId kernel = order_gates (self, sym_op_keras_input (self->lower, i), 1, 0);

  kernel = sym_op_lower_transpose (self->lower, kernel, 2, 1, 0);
  return sym_op_lower_reshape (self->lower, kernel,
                               &SYM_SHAPE (1, self->cell->n_gates * self->units, in));
}

/* [1, gates of the data, gates of the state]; Keras mostly has one bias for both. */
static SymId
make_bias (const Recurrence *self)
{
  gint64 width = self->cell->n_gates * self->units;
  const SymShape *shape = sym_op_lower_get_input_shape (self->lower, SYM_OP_KERAS_BIAS);
  SymId bias = sym_op_keras_input (self->lower, SYM_OP_KERAS_BIAS), parts[2];
  gboolean has_both = shape->rank == 2 || (shape->rank == 1 && shape->dims[0] == 2 * width);

  if (bias == SYM_NO_ID)
    return bias;
  bias = sym_op_lower_reshape (self->lower, bias, &SYM_SHAPE (has_both ? 2 * width : width));
  parts[0] = order_gates (self, bias, 0, 0);
  parts[1] = has_both ? order_gates (self, bias, 0, width)
                      : sym_op_lower_fill (self->lower, self->dtype, &SYM_SHAPE (width), 0);
  return sym_op_lower_reshape (self->lower, join (self, parts, 2, 0), &SYM_SHAPE (1, 2 * width));
}

/* [batch, units] to [1, batch, units]. */
static SymId
get_state (const Recurrence *self, guint i)
{
  SymId state = i < self->cell->n_states ? sym_op_keras_input (self->lower, SYM_OP_KERAS_STATES + i)
                                         : SYM_NO_ID;

  return state == SYM_NO_ID
             ? state
             : sym_op_lower_reshape (self->lower, state, &SYM_SHAPE (1, self->batch, self->units));
}

/* ---- Masks ----
 *
 * A step that is masked leaves the state alone and repeats the output before it.  So the steps that
 * are not are moved to the front, in their order, the layer runs over those, and each step takes
 * the output of the last one that ran. */

/* Elements [batch, index, :] of [batch, time, @n]. */
static SymId
pick_steps (const Recurrence *self, SymId x, SymId index, gint64 n)
{
  SymOpLower *lower = self->lower;
  gint64 last = 2;

  index = sym_op_lower_binary (lower, "Unsqueeze", index, sym_op_lower_ints (lower, &last, 1));
  index =
      sym_op_lower_binary (lower, "Expand", index,
                           sym_op_lower_ints (lower, (gint64[]){ self->batch, self->time, n }, 3));
  return sym_op_lower_call (lower, "GatherElements", SYM_IDS (x, index), "axis",
                            sym_value_new_int (1), NULL);
}

static SymId
integer (const Recurrence *self, gint64 number)
{
  return sym_op_lower_number (self->lower, SYM_DTYPE_INT64, (double) number);
}

static SymId
move_to_front (const Recurrence *self, SymId x)
{
  SymOpLower *lower = self->lower;
  SymId key = sym_op_lower_binary (lower, "Sub", integer (self, 1), self->mask), values;

  key = sym_op_lower_binary (lower, "Mul", key, integer (self, self->time));
  key = sym_op_lower_binary (lower, "Add", key, sym_op_lower_count (lower, self->time));
  values =
      sym_op_lower_call (lower, "TopK", SYM_IDS (key, sym_op_lower_ints (lower, &self->time, 1)),
                         "axis", sym_value_new_int (1), "largest", sym_value_new_int (0), NULL);
  return pick_steps (self, x, sym_op_lower_get_result (lower, values, 1), self->features);
}

static SymId
count_steps (const Recurrence *self)
{
  gint64 axis = 1;

  return sym_op_lower_cast (
      self->lower, sym_op_lower_reduce (self->lower, "ReduceSum", self->mask, &axis, 1, FALSE),
      SYM_DTYPE_INT32);
}

static SymId
spread_outputs (const Recurrence *self, SymId y)
{
  SymOpLower *lower = self->lower;
  gint64 last = 2;
  SymId count = sym_op_lower_binary (lower, "CumSum", self->mask, integer (self, 1));
  SymId place = sym_op_lower_binary (lower, "Sub", count, integer (self, 1)), ran;

  y = pick_steps (self, y, sym_op_lower_binary (lower, "Max", place, integer (self, 0)),
                  self->units);
  ran = sym_op_lower_binary (lower, "Unsqueeze",
                             sym_op_lower_binary (lower, "Min", count, integer (self, 1)),
                             sym_op_lower_ints (lower, &last, 1));
  return sym_op_lower_binary (lower, "Mul", y, sym_op_lower_cast (lower, ran, self->dtype));
}

/* ---- The layer ---- */

/* The last step first. */
static SymId
reverse (const Recurrence *self, SymId x)
{
  return sym_op_lower_slice (self->lower, x, 1, -1, -self->time - 1, -1);
}

static SymId
call_layer (const Recurrence *self, SymId x)
{
  SymOpLower *lower = self->lower;
  gboolean is_gru = strcmp (self->cell->onnx, "GRU") == 0;
  SymValue *names, *alphas, *betas;

  list_functions (self, &names, &alphas, &betas);
  return sym_op_lower_call (
      lower, self->cell->onnx,
      SYM_IDS (sym_op_lower_transpose (lower, x, 3, 1, 0, 2),
               turn_kernel (self, SYM_OP_KERAS_KERNEL, self->features),
               turn_kernel (self, SYM_OP_KERAS_RECURRENT, self->units), make_bias (self),
               self->mask == SYM_NO_ID ? SYM_NO_ID : count_steps (self), get_state (self, 0),
               get_state (self, 1)),
      "hidden_size", sym_value_new_int (self->units), "activations", names, "activation_alpha",
      alphas, "activation_beta", betas, is_gru ? "linear_before_reset" : NULL,
      is_gru ? sym_value_new_int (
                   sym_op_keras_resets_after (self->attributes, sym_op_lower_get_type (lower)))
             : NULL,
      NULL);
}

/* Whether masked steps put out zeros, and not once more what was before. */
static gboolean
puts_zeros (const Recurrence *self)
{
  return self->mask != SYM_NO_ID &&
         sym_op_keras_get_bool (self->attributes, "zero_output_for_mask", FALSE);
}

/* @y of [batch, time, units] without what masked steps put out. */
static SymId
clear_masked (const Recurrence *self, SymId y)
{
  gint64 last = 2;
  SymId mask = sym_op_lower_cast (self->lower, self->mask, self->dtype);

  return sym_op_lower_binary (self->lower, "Mul", y,
                              sym_op_lower_binary (self->lower, "Unsqueeze", mask,
                                                   sym_op_lower_ints (self->lower, &last, 1)));
}

static SymId
get_last (const Recurrence *self, SymId y)
{
  return sym_op_lower_reshape (
      self->lower, sym_op_lower_slice (self->lower, y, 1, self->time - 1, self->time, 1),
      &SYM_SHAPE (self->batch, self->units));
}

/* [batch, time, units], and the states behind the last step. */
static SymId
run_layer (const Recurrence *self, SymId x, SymId *states)
{
  SymOpLower *lower = self->lower;
  SymShape state = SYM_SHAPE (self->batch, self->units);
  SymId y = call_layer (self, self->mask == SYM_NO_ID ? x : move_to_front (self, x)), all;

  for (guint i = 0; i < self->cell->n_states; i++)
    states[i] = sym_op_lower_reshape (lower, sym_op_lower_get_result (lower, y, i + 1), &state);
  all = sym_op_lower_reshape (lower, y, &SYM_SHAPE (self->time, self->batch, self->units));
  all = sym_op_lower_transpose (lower, all, 3, 1, 0, 2);
  return self->mask == SYM_NO_ID ? all : spread_outputs (self, all);
}

static SymId
exchange (const Recurrence *self, SymId x, int rank)
{
  return rank == 2 ? sym_op_lower_transpose (self->lower, x, 2, 1, 0)
                   : sym_op_lower_transpose (self->lower, x, 3, 1, 0, 2);
}

static void
set_outputs (const Recurrence *self, SymId all, const SymId *states)
{
  SymOpLower *lower = self->lower;

  for (guint i = 1; i < sym_op_lower_get_n_outputs (lower); i++)
    sym_op_lower_set_output (lower, i, states[i - 1]);
  if (puts_zeros (self))
    all = clear_masked (self, all);
  if (!sym_op_keras_get_bool (self->attributes, "return_sequences", FALSE))
    sym_op_lower_set_output (lower, 0, puts_zeros (self) ? get_last (self, all) : states[0]);
  else
    sym_op_lower_set_output (
        lower, 0, sym_op_keras_is_time_major (self->attributes) ? exchange (self, all, 3) : all);
}

/* The data and their mask, [batch, time, ...], in the order that the steps go. */
static SymId
read_data (Recurrence *self)
{
  SymOpLower *lower = self->lower;
  const SymShape *shape = sym_op_lower_get_input_shape (lower, 0);
  gboolean time_major = sym_op_keras_is_time_major (self->attributes);
  SymId x = sym_op_keras_input (lower, 0);

  self->batch = shape->dims[time_major];
  self->time = shape->dims[!time_major];
  self->features = shape->dims[2];
  self->units = sym_op_keras_get_int (self->attributes, "units", 1);
  if (sym_op_lower_has_input (lower, self->cell->mask))
    self->mask =
        sym_op_lower_cast (lower, sym_op_lower_input (lower, self->cell->mask), SYM_DTYPE_INT64);
  if (time_major)
    {
      x = exchange (self, x, 3);
      self->mask = self->mask == SYM_NO_ID ? SYM_NO_ID : exchange (self, self->mask, 2);
    }
  if (sym_op_keras_get_bool (self->attributes, "go_backwards", FALSE))
    {
      x = reverse (self, x);
      self->mask = self->mask == SYM_NO_ID ? SYM_NO_ID : reverse (self, self->mask);
    }
  return x;
}

void
sym_op_keras_lower_recurrent (SymOpLower *lower)
{
  Recurrence self = {
    lower,
    sym_op_keras_attributes (lower),
    sym_op_keras_find_cell (sym_op_lower_get_type (lower)),
    sym_op_keras_get_dtype (sym_op_keras_attributes (lower)),
    .mask = SYM_NO_ID,
  };
  SymId states[SYM_OP_KERAS_MAX_STATES], x, all;
  const Function *found[3];

  if (!sym_op_lower_need_tensor (lower, 0) || sym_op_lower_get_input_shape (lower, 0)->rank != 3)
    {
      sym_op_lower_fail (lower, "the data must be [batch, time, features]");
      return;
    }
  x = read_data (&self);
  all = get_functions (&self, found) > 0 ? run_layer (&self, x, states)
                                         : sym_op_keras_unroll (&self, x, states);
  if (!sym_op_lower_has_failed (lower))
    set_outputs (&self, all, states);
}
