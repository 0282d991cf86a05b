/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-onnx-recurrent.h"
#include "ops/sym-op-table.h"

/* LSTM: a hidden state h and a cell c.  Gates lie in the order i, o, f, c. */

static gboolean
start (SymOpRecurrent *self, GError **error)
{
  return sym_op_recurrent_load (self, &self->hidden[0], 0, 4, error);
}

/* Peepholes lie in the order i, o, f. */
static void
peep (SymOpRecurrent *self, void *gate, gsize i, const void *cell)
{
  if (self->peepholes != NULL)
    sym_op_recurrent_add_product (
        self, gate, sym_op_recurrent_row (self, self->peepholes, 3 * self->direction + i), cell);
}

/* c' = f (.) c + i (.) g; h' = o (.) h (c').  Gates that are coupled have f = 1 - i. */
static void
step_element (SymOpRecurrent *self, gsize b, gboolean is_coupled)
{
  void *gates[4], *cell = sym_op_recurrent_row (self, self->now[1], b);
  void *next_cell = sym_op_recurrent_row (self, self->next[1], b);
  void *next = sym_op_recurrent_row (self, self->next[0], b);

  for (gsize i = 0; i < 4; i++)
    gates[i] = sym_op_recurrent_row (self, self->gates, 4 * b + i);
  peep (self, gates[0], 0, cell);
  sym_op_recurrent_activate (self, 0, gates[0]);
  sym_op_recurrent_activate (self, 1, gates[3]);
  if (is_coupled)
    sym_op_recurrent_blend (self, next_cell, gates[0], cell, gates[3]);
  else
    {
      peep (self, gates[2], 2, cell);
      sym_op_recurrent_activate (self, 0, gates[2]);
      sym_op_recurrent_multiply (self, next_cell, gates[2], cell);
      sym_op_recurrent_add_product (self, next_cell, gates[0], gates[3]);
    }
  peep (self, gates[1], 1, next_cell);
  sym_op_recurrent_activate (self, 0, gates[1]);
  memcpy (next, next_cell, self->n_hidden * (sym_dtype_get_bits (self->work) / 8));
  sym_op_recurrent_activate (self, 2, next);
  sym_op_recurrent_multiply (self, next, next, gates[1]);
}

static gboolean
step (SymOpRecurrent *self, GError **error)
{
  gboolean is_coupled = sym_kernel_get_bool (self->kernel, "input_forget", FALSE);

  if (!sym_op_panels_multiply (&self->hidden[0], self->now[0], self->n_hidden, self->n_batch,
                               self->gates, 4 * self->n_hidden, TRUE, error))
    return FALSE;
  for (gsize b = 0; b < self->n_batch; b++)
    step_element (self, b, is_coupled);
  return TRUE;
}

static const SymOpRecurrentClass klass = {
  .n_gates = 4,
  .n_states = 2,
  .n_functions = 3,
  .functions = { "Sigmoid", "Tanh", "Tanh" },
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

#define COUPLED                                                                           \
  {                                                                                       \
    "input_forget", SYM_ATTRIBUTE_INT, "0", "1: the forget gate is 1 less the input gate" \
  }

static const SymAttributeSpec attributes_1[] = { SYM_OP_RECURRENT_ATTRIBUTES,
                                                 COUPLED,
                                                 SYM_OP_RECURRENT_OUTPUT_SEQUENCE,
                                                 { NULL } };
static const SymAttributeSpec attributes_7[] = { SYM_OP_RECURRENT_ATTRIBUTES, COUPLED, { NULL } };
static const SymAttributeSpec attributes_14[] = { SYM_OP_RECURRENT_ATTRIBUTES,
                                                  COUPLED,
                                                  SYM_OP_RECURRENT_LAYOUT,
                                                  { NULL } };

static const SymSlotSpec slots[] = {
  SYM_OP_RECURRENT_SLOTS,
  { "initial_c", .optional = TRUE },
  { "P", SYM_SLOT_PARAMETER, .optional = TRUE },
  { NULL },
};

static const char *const outputs[] = { "Y", "Y_h", "Y_c", NULL };

#define LSTM(version_)                                                                         \
  {                                                                                            \
    SYM_OP_ONNX ("LSTM", version_),                                                            \
        .summary = "recurrent layer of the kind long short-term memory",                       \
        .category = SYM_CATEGORY_WEIGHTS, .attributes = attributes_##version_, .slots = slots, \
        .get_n_outputs = sym_op_onnx_get_any_outputs, .output_names = outputs, .infer = infer, \
        .run = run                                                                             \
  }

const SymOperator sym_op_onnx_lstm[] = { LSTM (1), LSTM (7), LSTM (14), { 0 } };
