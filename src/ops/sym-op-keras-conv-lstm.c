/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-foreign.h"
#include "ops/sym-op-keras.h"

#include <string.h>

/* An LSTM whose products are convolutions: data [batch, time, window..., channels].  What the gates
 * see of the data is convolved at once for all steps; what they see of the state, step by step. */

#define MAX_STEPS 1024

enum { KERNEL = 1, RECURRENT, BIAS, STATES, N_STATES = 2 };

typedef struct {
  SymOpKerasWindow window;
  gint64 filters;
} Layer;

static gboolean
read_layer (const SymAttributes *attributes, const char *type, Layer *self, GError **error)
{
  SymOpKerasWindow *window = &self->window;

  window->n = strstr (type, "1D") != NULL ? 1 : strstr (type, "3D") != NULL ? 3 : 2;
  window->channels_first = sym_op_keras_is_channels_first (attributes);
  window->padding = sym_op_keras_get_string (attributes, "padding", "valid");
  self->filters = sym_op_keras_get_int (attributes, "filters", 0);
  if (!sym_op_keras_get_ints (attributes, "kernel_size", window->n, 0, window->kernel, error) ||
      !sym_op_keras_get_ints (attributes, "strides", window->n, 1, window->stride, error) ||
      !sym_op_keras_get_ints (attributes, "dilation_rate", window->n, 1, window->dilation, error))
    return FALSE;
  for (int i = 0; i < window->n; i++)
    if (window->kernel[i] < 1 || window->stride[i] < 1 || window->dilation[i] < 1)
      return sym_rule_fail (error, "kernel_size, strides and dilation_rate must be at least 1");
  return (self->filters > 0 && self->filters <= G_MAXINT32 / 4) ||
         sym_rule_fail (error, "filters must be at least 1");
}

static SymShape
make_kernel (const Layer *self, SymDim channels)
{
  SymShape shape = { .rank = self->window.n + 2 };

  for (int i = 0; i < self->window.n; i++)
    shape.dims[i] = self->window.kernel[i];
  shape.dims[self->window.n] = channels;
  shape.dims[self->window.n + 1] = 4 * self->filters;
  return shape;
}

/* A state: what a convolution makes of one step. */
static gboolean
find_state (SymRule *rule, const Layer *self, const SymShape *data, SymShape *state, GError **error)
{
  const SymOpKerasWindow *window = &self->window;

  *state = sym_op_remove_axis (data, 1);
  state->dims[sym_op_keras_window_channels (window)] = self->filters;
  for (int i = 0; i < window->n; i++)
    {
      int axis = sym_op_keras_window_axis (window, i);

      if (!sym_op_keras_slide (rule, window, i, data->dims[axis + 1], &state->dims[axis], error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
infer (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  SymDType dtype = sym_op_keras_get_dtype (attributes);
  SymShape shape = sym_rule_get_input (rule, 0), state;
  SymDim channels = SYM_DIM_UNKNOWN;
  gboolean known;
  Layer self;

  if (!read_layer (attributes, sym_rule_get_type (rule), &self, error) ||
      !sym_op_keras_check_rank (rule, self.window.n + 3, &known, error))
    return FALSE;
  if (known)
    channels = shape.dims[sym_op_keras_window_channels (&self.window) + 1];
  if (!sym_op_set_input (rule, KERNEL, make_kernel (&self, channels), error) ||
      !sym_op_set_input (rule, RECURRENT, make_kernel (&self, self.filters), error) ||
      !sym_op_set_input (rule, BIAS, SYM_SHAPE (4 * self.filters), error))
    return FALSE;
  if (!known)
    return TRUE;
  if (!find_state (rule, &self, &shape, &state, error))
    return FALSE;
  for (guint i = 0; i < N_STATES; i++)
    if (!sym_op_set_input (rule, STATES + i, state, error) ||
        !sym_op_set_output (rule, 1 + i, state, dtype, error))
      return FALSE;
  if (sym_op_keras_get_bool (attributes, "return_sequences", FALSE))
    state = sym_op_insert_axis (&state, 1, shape.dims[1]);
  return sym_op_keras_set (rule, state, error);
}

/* ---- Lowering ---- */

typedef struct {
  SymOpLower *lower;
  Layer layer;
  SymShape state; /* [batch, filters, window...] */
  SymId recurrent;
  gint64 time;
  SymId h, c;
} Recurrence;

/* [window..., in, out] to [out, in, window...]. */
static SymId
turn_kernel (const Recurrence *self, guint slot)
{
  int n = self->layer.window.n;
  gint64 axes[5] = { n + 1, n };

  for (int i = 0; i < n; i++)
    axes[i + 2] = i;
  return sym_op_lower_permute (self->lower, sym_op_keras_input (self->lower, slot), axes, n + 2);
}

static SymId
convolve (const Recurrence *self, SymId x, SymId kernel, SymId bias, gboolean is_state)
{
  const SymOpKerasWindow *window = &self->layer.window;
  SymOpForeignWindow at = { .n = window->n, .groups = 1 };

  for (int i = 0; i < window->n; i++)
    {
      at.kernel[i] = window->kernel[i];
      at.stride[i] = is_state ? 1 : window->stride[i];
      at.dilation[i] = is_state ? 1 : window->dilation[i];
    }
  at.auto_pad = is_state || strcmp (window->padding, "same") == 0 ? "SAME_UPPER" : "VALID";
  return sym_op_foreign_conv (self->lower, &at, x, kernel, bias);
}

/* Gates of the data: [batch, time, 4 * filters, window...]. */
static SymId
convolve_data (const Recurrence *self)
{
  SymOpLower *lower = self->lower;
  SymShape shape = *sym_op_lower_get_input_shape (lower, 0),
           folded = sym_op_remove_axis (&shape, 0);
  SymId x;

  folded.dims[0] = shape.dims[0] * shape.dims[1];
  x = sym_op_lower_reshape (lower, sym_op_keras_input (lower, 0), &folded);
  if (!self->layer.window.channels_first)
    x = sym_op_keras_channels_first (lower, x, self->layer.window.n);
  x = convolve (self, x, turn_kernel (self, KERNEL), sym_op_keras_input (lower, BIAS), FALSE);
  shape = sym_op_insert_axis (&self->state, 1, self->time);
  shape.dims[2] *= 4;
  return sym_op_lower_reshape (lower, x, &shape);
}

static SymId
activate (const Recurrence *self, const char *name, SymId x)
{
  return sym_op_keras_activate (self->lower, name, x);
}

/* i, f, c and o side by side. */
static void
step (Recurrence *self, SymId data, gint64 t)
{
  SymOpLower *lower = self->lower;
  SymId gates[4], z = sym_op_lower_slice (lower, data, 1, t, t + 1, 1);
  gint64 axis = 1;

  z = sym_op_lower_binary (lower, "Squeeze", z, sym_op_lower_ints (lower, &axis, 1));
  if (self->h != SYM_NO_ID)
    z = sym_op_lower_binary (lower, "Add", z,
                             convolve (self, self->h, self->recurrent, SYM_NO_ID, TRUE));
  for (int i = 0; i < 4; i++)
    gates[i] = activate (self, i == 2 ? "activation" : "recurrent_activation",
                         sym_op_lower_slice (lower, z, 1, i * self->layer.filters,
                                             (i + 1) * self->layer.filters, 1));
  z = sym_op_lower_binary (lower, "Mul", gates[0], gates[2]);
  if (self->c != SYM_NO_ID)
    z = sym_op_lower_binary (lower, "Add", sym_op_lower_binary (lower, "Mul", gates[1], self->c),
                             z);
  self->c = z;
  self->h = sym_op_lower_binary (lower, "Mul", gates[3], activate (self, "activation", z));
}

static SymId
move_channels (const Recurrence *self, SymId x, gboolean to_front)
{
  if (x == SYM_NO_ID || self->layer.window.channels_first)
    return x;
  return to_front ? sym_op_keras_channels_first (self->lower, x, self->layer.window.n)
                  : sym_op_keras_channels_last (self->lower, x, self->layer.window.n);
}

static gboolean
begin (Recurrence *self)
{
  SymOpLower *lower = self->lower;
  const SymShape *shape = sym_op_lower_get_input_shape (lower, 0);
  const SymOpKerasWindow *window = &self->layer.window;
  g_autoptr (GError) error = NULL;

  if (!sym_op_lower_need_tensor (lower, 0))
    return FALSE;
  if (!read_layer (sym_op_keras_attributes (lower), sym_op_lower_get_type (lower), &self->layer,
                   &error) ||
      shape->rank != window->n + 3)
    {
      sym_op_lower_fail (lower, "%s", error == NULL ? "the data has no steps" : error->message);
      return FALSE;
    }
  self->time = shape->dims[1];
  if (!sym_shape_is_known (shape) || self->time < 1 || self->time > MAX_STEPS)
    {
      sym_op_lower_refuse (lower, "%s: only 1 to %d steps, known beforehand, are lowered",
                           sym_op_lower_get_type (lower), MAX_STEPS);
      return FALSE;
    }
  self->state =
      (SymShape){ .rank = window->n + 2, .dims = { shape->dims[0], self->layer.filters } };
  for (int i = 0; i < window->n; i++)
    {
      gint64 size = shape->dims[sym_op_keras_window_axis (window, i) + 1];
      gint64 reach = (window->kernel[i] - 1) * window->dilation[i];

      if (strcmp (window->padding, "same") != 0)
        size -= reach;
      self->state.dims[i + 2] = size < 1 ? 0 : (size - 1) / window->stride[i] + 1;
    }
  return TRUE;
}

static void
lower (SymOpLower *lower)
{
  const SymAttributes *attributes = sym_op_keras_attributes (lower);
  gboolean backwards = sym_op_keras_get_bool (attributes, "go_backwards", FALSE);
  gboolean returns_all = sym_op_keras_get_bool (attributes, "return_sequences", FALSE);
  Recurrence self = { .lower = lower };
  g_autofree SymId *steps = NULL;
  gint64 axis = 1;
  SymId data;

  if (!begin (&self))
    return;
  data = convolve_data (&self);
  self.recurrent = turn_kernel (&self, RECURRENT);
  self.h = move_channels (&self, sym_op_keras_input (lower, STATES), TRUE);
  self.c = move_channels (&self, sym_op_keras_input (lower, STATES + 1), TRUE);
  steps = g_new (SymId, self.time);
  for (gint64 t = 0; t < self.time && !sym_op_lower_has_failed (lower); t++)
    {
      step (&self, data, backwards ? self.time - 1 - t : t);
      if (!returns_all)
        continue;
      steps[t] = move_channels (&self, self.h, FALSE);
      steps[t] =
          sym_op_lower_binary (lower, "Unsqueeze", steps[t], sym_op_lower_ints (lower, &axis, 1));
    }
  if (sym_op_lower_has_failed (lower))
    return;
  if (returns_all)
    sym_op_lower_set_output (lower, 0,
                             sym_op_lower_call (lower, "Concat",
                                                (SymIds){ steps, (guint) self.time }, "axis",
                                                sym_value_new_int (1), NULL));
  else
    sym_op_lower_set_output (lower, 0, move_channels (&self, self.h, FALSE));
  if (sym_op_lower_get_n_outputs (lower) > 1)
    sym_op_lower_set_output (lower, 1, move_channels (&self, self.h, FALSE));
  if (sym_op_lower_get_n_outputs (lower) > 2)
    sym_op_lower_set_output (lower, 2, move_channels (&self, self.c, FALSE));
}

/* ---- Tables ---- */

static int
count_outputs (const SymAttributes *attributes, int *n_visible)
{
  int n = sym_op_keras_get_bool (attributes, "return_state", FALSE) ? 3 : 1;

  if (n_visible != NULL)
    *n_visible = n;
  return n;
}

static const SymSlotSpec slots[] = {
  { "input" },
  { "kernel", SYM_SLOT_PARAMETER },
  { "recurrent_kernel", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { "initial_h", SYM_SLOT_DATA, TRUE },
  { "initial_c", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const char *const outputs[] = { "output", "state_h", "state_c", NULL };

static const SymAttributeSpec attributes[] = {
  { "filters", SYM_ATTRIBUTE_INT, NULL, "channels of the state" },
  { "kernel_size", SYM_ATTRIBUTE_INTS, NULL, "size of the window" },
  { "strides", SYM_ATTRIBUTE_INTS, "1", "steps of the window over the data" },
  { "padding", SYM_ATTRIBUTE_STRING, "valid", "what is added around the data", "valid same" },
  { "data_format", SYM_ATTRIBUTE_STRING, "channels_last", "where the channels are",
    "channels_first channels_last" },
  { "dilation_rate", SYM_ATTRIBUTE_INTS, "1", "distance of the window's elements" },
  { "activation", SYM_ATTRIBUTE_ANY, "tanh", "function of the state" },
  { "recurrent_activation", SYM_ATTRIBUTE_ANY, "hard_sigmoid", "function of the gates" },
  { "use_bias", SYM_ATTRIBUTE_BOOL, "True", "whether a bias is added" },
  { "return_sequences", SYM_ATTRIBUTE_BOOL, "False", "whether each step has an output" },
  { "return_state", SYM_ATTRIBUTE_BOOL, "False", "whether the last state is an output, too" },
  { "go_backwards", SYM_ATTRIBUTE_BOOL, "False", "whether the last step comes first" },
  { NULL },
};

#define CONV_LSTM(name_, summary_)                                                            \
  {                                                                                           \
    SYM_OP_KERAS, .name = name_, .summary = summary_, .reference = "keras.layers." name_,     \
                  .category = SYM_CATEGORY_WEIGHTS, .attributes = attributes, .slots = slots, \
                  .get_n_outputs = count_outputs, .output_names = outputs, .infer = infer,    \
                  .lower = lower, .is_composite = TRUE,                                       \
  }

const SymOperator sym_op_keras_conv_lstm[] = {
  CONV_LSTM ("ConvLSTM1D", "LSTM of convolved sequences"),
  CONV_LSTM ("ConvLSTM2D", "LSTM of convolved images"),
  CONV_LSTM ("ConvLSTM3D", "LSTM of convolved volumes"),
  { NULL },
};
