/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-onnx.h"
#include "ops/sym-op-panels.h"

G_BEGIN_DECLS

/* What RNN, GRU and LSTM have in common: operands X, W, R, B, sequence_lens, initial_h and perhaps
 * initial_c and P; outputs Y, Y_h and perhaps Y_c; directions, layouts, lengths and activations.  A
 * kind of cell says only how a step is made. */
typedef struct _SymOpRecurrent SymOpRecurrent;

#define SYM_OP_RECURRENT_FUNCTIONS 3
#define SYM_OP_RECURRENT_STATES 2

typedef struct {
  gsize n_gates, n_states;
  int n_functions;
  const char *functions[SYM_OP_RECURRENT_FUNCTIONS]; /* activations by default */

  /* Arranges the weights of a direction, with sym_op_recurrent_load(). */
  gboolean (*start) (SymOpRecurrent *self, GError **error);

  /* Makes @next of @now and @gates, which hold what comes of the inputs, all of them of the whole
   * batch. */
  gboolean (*step) (SymOpRecurrent *self, GError **error);
} SymOpRecurrentClass;

/* An activation and its numbers. */
typedef struct {
  void (*run[2]) (void *x, gsize n, double alpha, double beta); /* float32, float64 */
  double alpha, beta;
} SymOpRecurrentFunction;

/* All numbers are of @work, float32 or float64. */
struct _SymOpRecurrent {
  const SymOpRecurrentClass *klass;
  SymKernel *kernel;
  SymDType work;
  gsize n_steps, n_batch, n_inputs, n_hidden, n_directions;
  gboolean batch_first; /* attribute `layout` */
  double clip;          /* infinite for none */
  const void *x, *w, *r, *biases, *peepholes;
  const void *initial[SYM_OP_RECURRENT_STATES]; /* NULL for 0 */
  gint64 *lengths;                              /* by element of the batch */

  /* Of the direction that goes on. */
  gsize direction;
  gboolean reverse;
  SymOpRecurrentFunction functions[SYM_OP_RECURRENT_FUNCTIONS];
  SymOpPanels input, hidden[2];
  void *bias; /* [n_gates, n_hidden], of inputs and states */

  /* Of the step: [n_batch, n_gates, n_hidden]; [n_batch, n_hidden]. */
  void *gates;
  void *now[SYM_OP_RECURRENT_STATES], *next[SYM_OP_RECURRENT_STATES];
};

/* A row of n_hidden numbers: number @i of those from @base on. */
void *sym_op_recurrent_row (const SymOpRecurrent *self, const void *base, gsize i);

/* Weights of states for gates @first to @first + @n - 1 of this direction, to multiply states by.
 */
gboolean sym_op_recurrent_load (SymOpRecurrent *self,
                                SymOpPanels *panels,
                                gsize first,
                                gsize n,
                                GError **error);

/* Finds the activations of this direction and the numbers that they take, which are told in the
 * order of those that have some (sym-op-onnx-recurrent-functions.c). */
gboolean sym_op_recurrent_find_functions (SymOpRecurrent *self, GError **error);

/* Rows of n_hidden numbers: x becomes f (x), with the clip before; y += a * b; y = a * b;
 * y = (1 - z) * a + z * b. */
void sym_op_recurrent_activate (SymOpRecurrent *self, int function, void *x);
void sym_op_recurrent_add_product (SymOpRecurrent *self, void *y, const void *a, const void *b);
void sym_op_recurrent_multiply (SymOpRecurrent *self, void *y, const void *a, const void *b);
void
sym_op_recurrent_blend (SymOpRecurrent *self, void *y, const void *z, const void *a, const void *b);

/* The kernel and the shape rule of a kind of cell. */
gboolean sym_op_recurrent_run (const SymOpRecurrentClass *klass, SymKernel *kernel, GError **error);
gboolean sym_op_recurrent_infer (const SymOpRecurrentClass *klass, SymRule *rule, GError **error);

/* Entries that the tables of attributes and slots have in common. */
#define SYM_OP_RECURRENT_ATTRIBUTES                                                              \
  { "activation_alpha", SYM_ATTRIBUTE_FLOATS, "None", "numbers of activations that have one" },  \
      { "activation_beta", SYM_ATTRIBUTE_FLOATS, "None", "second numbers of activations" },      \
      { "activations", SYM_ATTRIBUTE_ANY, "None",                                                \
        "names of the activations, for each direction" },                                        \
      { "clip", SYM_ATTRIBUTE_FLOAT, "None", "what goes into activations is kept within this" }, \
      { "direction", SYM_ATTRIBUTE_STRING, "forward", "which way along the sequence",            \
        "forward reverse bidirectional" },                                                       \
  {                                                                                              \
    "hidden_size", SYM_ATTRIBUTE_INT, "None", "number of features of a state"                    \
  }

#define SYM_OP_RECURRENT_LAYOUT                                        \
  {                                                                    \
    "layout", SYM_ATTRIBUTE_INT, "0", "1: the batch is the first axis" \
  }

#define SYM_OP_RECURRENT_OUTPUT_SEQUENCE                                                 \
  {                                                                                      \
    "output_sequence", SYM_ATTRIBUTE_INT, "0", "whether there is an output of all steps" \
  }

#define SYM_OP_RECURRENT_SLOTS                                                              \
  { "X" }, { "W", SYM_SLOT_PARAMETER }, { "R", SYM_SLOT_PARAMETER },                        \
      { "B", SYM_SLOT_PARAMETER, .optional = TRUE }, { "sequence_lens", .optional = TRUE }, \
  {                                                                                         \
    "initial_h", .optional = TRUE                                                           \
  }

G_END_DECLS
