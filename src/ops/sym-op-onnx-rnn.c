/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-onnx-recurrent.h"
#include "ops/sym-op-table.h"

/* RNN: h' = f (W x + R h + Wb + Rb). */

static gboolean
start (SymOpRecurrent *self, GError **error)
{
  return sym_op_recurrent_load (self, &self->hidden[0], 0, 1, error);
}

static gboolean
step (SymOpRecurrent *self, GError **error)
{
  if (!sym_op_panels_multiply (&self->hidden[0], self->now[0], self->n_hidden, self->n_batch,
                               self->gates, self->n_hidden, TRUE, error))
    return FALSE;
  for (gsize b = 0; b < self->n_batch; b++)
    sym_op_recurrent_activate (self, 0, sym_op_recurrent_row (self, self->gates, b));
  memcpy (self->next[0], self->gates,
          self->n_batch * self->n_hidden * (sym_dtype_get_bits (self->work) / 8));
  return TRUE;
}

static const SymOpRecurrentClass klass = {
  .n_gates = 1,
  .n_states = 1,
  .n_functions = 1,
  .functions = { "Tanh" },
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

static const SymAttributeSpec attributes_1[] = { SYM_OP_RECURRENT_ATTRIBUTES,
                                                 SYM_OP_RECURRENT_OUTPUT_SEQUENCE,
                                                 { NULL } };
static const SymAttributeSpec attributes_7[] = { SYM_OP_RECURRENT_ATTRIBUTES, { NULL } };
static const SymAttributeSpec attributes_14[] = { SYM_OP_RECURRENT_ATTRIBUTES,
                                                  SYM_OP_RECURRENT_LAYOUT,
                                                  { NULL } };

static const SymSlotSpec slots[] = { SYM_OP_RECURRENT_SLOTS, { NULL } };
static const char *const outputs[] = { "Y", "Y_h", NULL };

#define RNN(version_)                                                                          \
  {                                                                                            \
    SYM_OP_ONNX ("RNN", version_),                                                             \
        .summary = "recurrent layer: an activation of both sums",                              \
        .category = SYM_CATEGORY_WEIGHTS, .attributes = attributes_##version_, .slots = slots, \
        .get_n_outputs = sym_op_onnx_get_any_outputs, .output_names = outputs, .infer = infer, \
        .run = run                                                                             \
  }

const SymOperator sym_op_onnx_rnn[] = { RNN (1), RNN (7), RNN (14), { 0 } };
