/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-onnx-recurrent.h"
#include "ops/sym-op-table.h"

/* GRU.  Gates lie in the order z, r, h.  The reset gate acts on the state before its product with
 * the weights of gate h, or on that product with its bias (`linear_before_reset`). */

static gboolean
is_linear_first (SymOpRecurrent *self)
{
  return sym_kernel_get_bool (self->kernel, "linear_before_reset", FALSE);
}

/* Where the reset gate acts on the product, the bias of that is no part of the sum. */
static gboolean
start (SymOpRecurrent *self, GError **error)
{
  if (is_linear_first (self) && self->biases != NULL)
    memcpy (sym_op_recurrent_row (self, self->bias, 2),
            sym_op_recurrent_row (self, self->biases, 6 * self->direction + 2),
            self->n_hidden * (sym_dtype_get_bits (self->work) / 8));
  return sym_op_recurrent_load (self, &self->hidden[0], 0, 2, error) &&
         sym_op_recurrent_load (self, &self->hidden[1], 2, 1, error);
}

/* Into @next what the reset gate acts on, or what comes of it. */
static void
prepare (SymOpRecurrent *self, gsize b, gboolean linear_first)
{
  gsize length = self->n_hidden * (sym_dtype_get_bits (self->work) / 8);
  void *next = sym_op_recurrent_row (self, self->next[0], b);
  void *reset = sym_op_recurrent_row (self, self->gates, 3 * b + 1);

  sym_op_recurrent_activate (self, 0, sym_op_recurrent_row (self, self->gates, 3 * b));
  sym_op_recurrent_activate (self, 0, reset);
  if (!linear_first)
    sym_op_recurrent_multiply (self, next, reset, sym_op_recurrent_row (self, self->now[0], b));
  else if (self->biases != NULL)
    memcpy (next, sym_op_recurrent_row (self, self->biases, 6 * self->direction + 5), length);
  else
    memset (next, 0, length);
}

static gboolean
step (SymOpRecurrent *self, GError **error)
{
  gboolean linear_first = is_linear_first (self);
  void *hidden = sym_op_recurrent_row (self, self->gates, 2);

  if (!sym_op_panels_multiply (&self->hidden[0], self->now[0], self->n_hidden, self->n_batch,
                               self->gates, 3 * self->n_hidden, TRUE, error))
    return FALSE;
  for (gsize b = 0; b < self->n_batch; b++)
    prepare (self, b, linear_first);
  if (!(linear_first
            ? sym_op_panels_multiply (&self->hidden[1], self->now[0], self->n_hidden, self->n_batch,
                                      self->next[0], self->n_hidden, TRUE, error)
            : sym_op_panels_multiply (&self->hidden[1], self->next[0], self->n_hidden,
                                      self->n_batch, hidden, 3 * self->n_hidden, TRUE, error)))
    return FALSE;
  for (gsize b = 0; b < self->n_batch; b++)
    {
      void *next = sym_op_recurrent_row (self, self->next[0], b);
      void *row = sym_op_recurrent_row (self, self->gates, 3 * b + 2);

      if (linear_first)
        sym_op_recurrent_add_product (self, row,
                                      sym_op_recurrent_row (self, self->gates, 3 * b + 1), next);
      sym_op_recurrent_activate (self, 1, row);
      sym_op_recurrent_blend (self, next, sym_op_recurrent_row (self, self->gates, 3 * b), row,
                              sym_op_recurrent_row (self, self->now[0], b));
    }
  return TRUE;
}

static const SymOpRecurrentClass klass = {
  .n_gates = 3,
  .n_states = 1,
  .n_functions = 2,
  .functions = { "Sigmoid", "Tanh" },
  .start = start,
  .step = step,
};

static gboolean
run (SymKernel *kernel, GError **error)
{
  return sym_op_recurrent_run (&klass, kernel, error);
}

static gboolean
infer (SymRule *rule, GError **error)
{
  return sym_op_recurrent_infer (&klass, rule, error);
}

#define LINEAR                                                       \
  {                                                                  \
    "linear_before_reset", SYM_ATTRIBUTE_INT, "0",                   \
        "1: the reset gate acts on the product of state and weights" \
  }

static const SymAttributeSpec attributes_1[] = { SYM_OP_RECURRENT_ATTRIBUTES,
                                                 SYM_OP_RECURRENT_OUTPUT_SEQUENCE,
                                                 { NULL } };
static const SymAttributeSpec attributes_3[] = { SYM_OP_RECURRENT_ATTRIBUTES,
                                                 LINEAR,
                                                 SYM_OP_RECURRENT_OUTPUT_SEQUENCE,
                                                 { NULL } };
static const SymAttributeSpec attributes_7[] = { SYM_OP_RECURRENT_ATTRIBUTES, LINEAR, { NULL } };
static const SymAttributeSpec attributes_14[] = { SYM_OP_RECURRENT_ATTRIBUTES,
                                                  LINEAR,
                                                  SYM_OP_RECURRENT_LAYOUT,
                                                  { NULL } };

static const SymSlotSpec slots[] = { SYM_OP_RECURRENT_SLOTS, { NULL } };
static const char *const outputs[] = { "Y", "Y_h", NULL };

#define GRU(version_)                                                                          \
  {                                                                                            \
    SYM_OP_ONNX ("GRU", version_),                                                             \
        .summary = "recurrent layer of the kind gated unit", .category = SYM_CATEGORY_WEIGHTS, \
        .attributes = attributes_##version_, .slots = slots,                                   \
        .get_n_outputs = sym_op_onnx_get_any_outputs, .output_names = outputs, .infer = infer, \
        .run = run                                                                             \
  }

const SymOperator sym_op_onnx_gru[] = { GRU (1), GRU (3), GRU (7), GRU (14), { 0 } };
