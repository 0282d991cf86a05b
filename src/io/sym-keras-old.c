/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-weights.h"

#include "ops/sym-op-keras.h"

#include <string.h>

/* What Keras 2 does to weights that Keras 1 wrote, to those of Theano, whose convolutions turn
 * their kernels round, and of cuDNN (keras/engine/saving.py of 2.2:
 * preprocess_weights_for_loading).
 */

static SymTensor *
get (const GPtrArray *tensors, guint i)
{
  return i < tensors->len ? tensors->pdata[i] : NULL;
}

static int
get_rank (const GPtrArray *tensors)
{
  return get (tensors, 0) == NULL ? -1 : sym_tensor_get_shape (get (tensors, 0))->rank;
}

static void
replace (GPtrArray *tensors, guint i, SymTensor *take)
{
  if (take == NULL)
    return;
  sym_tensor_unref (tensors->pdata[i]);
  tensors->pdata[i] = take;
}

/* ---- Gates ---- */

/* Each gate had its own kernel, recurrent kernel and bias: W_i, U_i, b_i, ... */
static void
join_gates (GPtrArray *tensors, const guint *order, guint n_gates)
{
  SymTensor *joined[3] = { NULL };
  gboolean done = TRUE;

  for (guint i = 0; i < 3 * n_gates; i++)
    if (get (tensors, i) == NULL)
      return;
  for (guint k = 0; k < 3; k++)
    {
      SymTensor *gates[4];

      for (guint i = 0; i < n_gates; i++)
        gates[i] = get (tensors, 3 * order[i] + k);
      joined[k] = sym_keras_join (gates, n_gates);
      done = done && joined[k] != NULL;
    }
  if (done)
    g_ptr_array_set_size (tensors, 0);
  for (guint k = 0; k < 3; k++)
    if (done)
      g_ptr_array_add (tensors, joined[k]);
    else
      g_clear_pointer (&joined[k], sym_tensor_unref);
}

static gboolean
renew_recurrent (const char *type, GPtrArray *tensors)
{
  static const guint lstm[] = { 0, 2, 1, 3 }; /* i, c, f, o */
  static const guint gru[] = { 0, 1, 2 };

  if (strcmp (type, "LSTM") == 0 && tensors->len == 12)
    join_gates (tensors, lstm, 4);
  else if (strcmp (type, "GRU") == 0 && tensors->len == 9)
    join_gates (tensors, gru, 3);
  else
    return strcmp (type, "LSTM") == 0 || strcmp (type, "GRU") == 0;
  return TRUE;
}

/* ---- cuDNN ---- */

static SymTensor *
take_reshape (SymTensor *take, SymShape shape)
{
  SymTensor *made = sym_keras_reshape (take, &shape);

  sym_tensor_unref (take);
  return made;
}

static SymTensor *
take_turn (SymTensor *take, const int *axes)
{
  SymTensor *made = sym_keras_turn (take, axes, 0);

  sym_tensor_unref (take);
  return made;
}

/* cuDNN has the kernel of a gate as [units, in], row after row; it is saved in the bytes of the
 * gate's columns of [in, gates * units]. */
static void
turn_gates (GPtrArray *tensors, guint i, gint64 n_gates)
{
  static const int apart[] = { 1, 0, 2 };
  static const int together[] = { 2, 0, 1 };
  SymTensor *kernel = get (tensors, i);
  const SymShape *shape = kernel == NULL ? NULL : sym_tensor_get_shape (kernel);
  gint64 n_in, n_units;

  if (shape == NULL || shape->rank != 2 || shape->dims[1] % n_gates != 0)
    return;
  n_in = shape->dims[0];
  n_units = shape->dims[1] / n_gates;
  kernel = take_reshape (sym_tensor_ref (kernel), SYM_SHAPE (n_in, n_gates, n_units));
  kernel = take_turn (kernel, apart);
  kernel = take_reshape (kernel, SYM_SHAPE (n_gates, n_units, n_in));
  kernel = take_turn (kernel, together);
  replace (tensors, i, take_reshape (kernel, SYM_SHAPE (n_in, n_gates * n_units)));
}

SymTensor *
sym_keras_turn_gates_back (SymTensor *kernel, gint64 n_gates)
{
  static const int apart[] = { 1, 2, 0 };
  static const int together[] = { 1, 0, 2 };
  const SymShape *shape = sym_tensor_get_shape (kernel);
  gint64 n_in = shape->rank == 2 ? shape->dims[0] : 0, n_units;

  if (shape->rank != 2 || shape->dims[1] % n_gates != 0)
    return sym_tensor_ref (kernel);
  n_units = shape->dims[1] / n_gates;
  kernel = take_reshape (sym_tensor_ref (kernel), SYM_SHAPE (n_in, n_gates, n_units));
  kernel = take_turn (kernel, apart);
  kernel = take_reshape (kernel, SYM_SHAPE (n_gates, n_in, n_units));
  kernel = take_turn (kernel, together);
  return take_reshape (kernel, SYM_SHAPE (n_in, n_gates * n_units));
}

/* ---- Kernels ---- */

/* A window of one axis was one of two: [length, 1, in, out], or [out, in, length, 1] before that.
 */
static void
renew_line (GPtrArray *tensors, gint64 length, gint64 n_out)
{
  static const int turned[] = { 2, 3, 1, 0 };
  const SymShape *shape = sym_tensor_get_shape (get (tensors, 0));
  SymShape line;

  if (shape->dims[0] != length || shape->dims[1] != 1 || shape->dims[3] != n_out)
    replace (tensors, 0, sym_keras_turn (get (tensors, 0), turned, 0));
  shape = sym_tensor_get_shape (get (tensors, 0));
  if (shape->dims[1] != 1)
    return;
  line = SYM_SHAPE (shape->dims[0], shape->dims[2], shape->dims[3]);
  replace (tensors, 0, sym_keras_reshape (get (tensors, 0), &line));
}

static void
renew_kernel (const char *type, const SymAttributes *attributes, GPtrArray *tensors)
{
  static const int plane[] = { 2, 3, 1, 0 };
  static const int space[] = { 2, 3, 4, 1, 0 };
  static const int back_first[] = { 2, 3, 0, 1 };
  static const int back_last[] = { 0, 1, 3, 2 };
  gboolean first = sym_op_keras_is_channels_first (attributes);
  int rank = get_rank (tensors);
  gint64 length = 0;

  if (strcmp (type, "Conv1D") == 0 && rank == 4)
    {
      if (sym_op_keras_get_ints (attributes, "kernel_size", 1, 1, &length, NULL))
        renew_line (tensors, length, sym_op_keras_get_int (attributes, "filters", 0));
    }
  else if (strcmp (type, "Conv2D") == 0 && rank == 4 && first)
    replace (tensors, 0, sym_keras_turn (get (tensors, 0), plane, 0));
  else if (strcmp (type, "Conv3D") == 0 && rank == 5 && first)
    replace (tensors, 0, sym_keras_turn (get (tensors, 0), space, 0));
  else if (strcmp (type, "Conv2DTranspose") == 0 && rank == 4)
    replace (tensors, 0, sym_keras_turn (get (tensors, 0), first ? back_first : back_last, 0));
}

/* The axes of the window, which come first. */
static void
turn_round (const char *type, GPtrArray *tensors)
{
  static const char *const types[] = { "Conv1D", "Conv2D", "Conv3D", "Conv2DTranspose", NULL };
  static const int axes[] = { 0, 1, 2, 3, 4 };
  int rank = get_rank (tensors);

  if (g_strv_contains (types, type) && rank >= 3 && rank <= 5)
    replace (tensors, 0, sym_keras_turn (get (tensors, 0), axes, (1u << (rank - 2)) - 1));
}

void
sym_keras_renew (const SymKerasWeights *weights, SymLayer *layer, GPtrArray *tensors)
{
  const SymOperator *op = sym_layer_get_operator (layer);

  if (weights->order != SYM_KERAS_BY_LAYER || op == NULL)
    return;
  for (guint i = 0; i < 2 && g_str_has_prefix (sym_layer_get_type (layer), "CuDNN"); i++)
    turn_gates (tensors, i, strcmp (op->name, "LSTM") == 0 ? 4 : 3);
  if (weights->major == 1 && !renew_recurrent (op->name, tensors))
    renew_kernel (op->name, sym_layer_get_attributes (layer), tensors);
  if (weights->is_theano)
    turn_round (op->name, tensors);
}
