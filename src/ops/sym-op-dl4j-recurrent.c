/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-dl4j.h"

#include <math.h>

/* Recurrent layers: [N, F, T] to [N, units, T].  Their gates are ordered as the new content of the
 * cell, forget, output and input; ONNX's LSTM has input, output, forget, cell. */

typedef struct {
  SymOpLower *lower;
  const SymAttributes *attributes;
  gint64 in, units;
  int gates; /* 4 or 1 */
  gboolean has_peepholes;
} Recurrence;

static const int order[] = { 3, 2, 1, 0 };

/* ---- Functions ---- */

/* Numbers go to those functions that take some, in order. */
typedef struct {
  SymValue *names[3], *alphas[3], *betas[3];
  guint n, n_numbers;
} Functions;

static void
add_function (const Recurrence *self, Functions *functions, const char *key, const char *fallback)
{
  static const struct {
    const char *name, *onnx;
    double alpha, beta; /* NaN where it takes none */
  } rows[] = {
    { "tanh", "Tanh", NAN, NAN },         { "sigmoid", "Sigmoid", NAN, NAN },
    { "relu", "Relu", NAN, NAN },         { "softsign", "Softsign", NAN, NAN },
    { "softplus", "Softplus", NAN, NAN }, { "hardsigmoid", "HardSigmoid", 0.2, 0.5 },
    { "identity", "Affine", 1, 0 },       { "elu", "Elu", 1, 0 },
  };
  g_autofree char *name = sym_op_dl4j_dup_function (self->attributes, key, fallback);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (g_str_equal (rows[i].name, name))
      {
        functions->names[functions->n++] = sym_value_new_string (rows[i].onnx);
        if (isnan (rows[i].alpha))
          return;
        functions->alphas[functions->n_numbers] = sym_value_new_float (rows[i].alpha);
        functions->betas[functions->n_numbers++] = sym_value_new_float (rows[i].beta);
        return;
      }
  functions->names[functions->n++] = sym_value_new_string ("Tanh");
  if (!sym_op_lower_is_rule (self->lower))
    sym_op_lower_refuse (self->lower, "%s: the function “%s” is not lowered",
                         sym_op_lower_get_type (self->lower), name);
}

static SymAttributes *
list_attributes (const Recurrence *self)
{
  SymAttributes *attributes = sym_attributes_new ();
  Functions functions = { .n = 0 };

  if (self->gates == 4)
    add_function (self, &functions, "gateActivationFn", "sigmoid");
  add_function (self, &functions, "activationFn", "tanh");
  if (self->gates == 4)
    add_function (self, &functions, "activationFn", "tanh");
  sym_attributes_set (attributes, "hidden_size", sym_value_new_int (self->units), NULL);
  sym_attributes_set (attributes, "activations", sym_value_new_list (functions.names, functions.n),
                      NULL);
  if (functions.n_numbers > 0)
    {
      sym_attributes_set (attributes, "activation_alpha",
                          sym_value_new_list (functions.alphas, functions.n_numbers), NULL);
      sym_attributes_set (attributes, "activation_beta",
                          sym_value_new_list (functions.betas, functions.n_numbers), NULL);
    }
  return attributes;
}

/* ---- Weights ---- */

/* Columns of a weight, or parts of a bias, in ONNX's order. */
static SymId
order_gates (const Recurrence *self, SymId weight, int axis)
{
  SymId gates[4];

  for (int i = 0; i < self->gates; i++)
    {
      gint64 place = (self->gates == 1 ? 0 : order[i]) * self->units;

      gates[i] = sym_op_lower_slice (self->lower, weight, axis, place, place + self->units, 1);
    }
  return sym_op_lower_call (self->lower, "Concat", (SymIds){ gates, (guint) self->gates }, "axis",
                            sym_value_new_int (axis), NULL);
}

/* [in, gates] to [1, gates, in]. */
static SymId
turn (const Recurrence *self, guint i, gint64 in)
{
  SymId weight = order_gates (self, sym_op_lower_input (self->lower, i), 1);

  return sym_op_lower_reshape (self->lower, sym_op_lower_transpose (self->lower, weight, 2, 1, 0),
                               &SYM_SHAPE (1, self->gates * self->units, in));
}

static SymId
make_bias (const Recurrence *self, guint i)
{
  gint64 n = self->gates * self->units;
  SymId bias = order_gates (self, sym_op_lower_input (self->lower, i), 0);
  SymId zeros = sym_op_lower_fill (self->lower, SYM_DTYPE_FLOAT32, &SYM_SHAPE (n), 0);

  bias = sym_op_lower_call (self->lower, "Concat", SYM_IDS (bias, zeros), "axis",
                            sym_value_new_int (0), NULL);
  return sym_op_lower_reshape (self->lower, bias, &SYM_SHAPE (1, 2 * n));
}

/* Behind the gates' columns those of the forget, the output and the input gate; ONNX has input,
 * output, forget. */
static SymId
make_peepholes (const Recurrence *self, guint i)
{
  SymId columns[3], weight = sym_op_lower_input (self->lower, i);

  if (!self->has_peepholes)
    return SYM_NO_ID;
  for (int k = 0; k < 3; k++)
    {
      gint64 place = 4 * self->units + 2 - k;

      columns[k] = sym_op_lower_slice (self->lower, weight, 1, place, place + 1, 1);
    }
  weight = sym_op_lower_call (self->lower, "Concat", (SymIds){ columns, 3 }, "axis",
                              sym_value_new_int (0), NULL);
  return sym_op_lower_reshape (self->lower, weight, &SYM_SHAPE (1, 3 * self->units));
}

/* ---- Layers ---- */

static gboolean
begin (SymOpLower *self, Recurrence *recurrence, SymId *x)
{
  const SymAttributes *attributes = sym_op_dl4j_attributes (self);
  const char *name = sym_layer_get_operator (sym_op_lower_get_layer (self))->name;
  int rank;

  *recurrence = (Recurrence){ self,
                              attributes,
                              sym_op_dl4j_get_features (attributes, "nin"),
                              sym_op_dl4j_get_features (attributes, "nout"),
                              g_str_equal (name, "SimpleRnn") ? 1 : 4,
                              g_str_has_prefix (name, "Graves") };
  *x = sym_op_dl4j_input (self, &rank);
  if (rank != 3)
    sym_op_lower_fail (self, "%s: a sequence has 3 axes, not %d", name, rank);
  if (recurrence->in == 0 || recurrence->units == 0)
    sym_op_lower_refuse (self, "%s: nin and nout are not told", name);
  if (g_str_equal (sym_op_lower_get_string (self, "rnnDataFormat", "NCW"), "NWC"))
    sym_op_lower_refuse (self, "%s: features that come last are not lowered", name);
  return !sym_op_lower_has_failed (self);
}

/* Whose parameters are operand @first and the ones behind it; @x is [T, N, F], as is the result. */
static SymId
run (const Recurrence *self, SymId x, guint first, const char *direction)
{
  const SymOperator *op = sym_op_find ("", self->gates == 4 ? "LSTM" : "RNN", SYM_OP_LOWER_VERSION);
  g_autoptr (SymAttributes) attributes = list_attributes (self);
  SymId w = turn (self, first, self->in), r = turn (self, first + 1, self->units);
  SymId b = make_bias (self, first + 2), p = make_peepholes (self, first + 1), y;
  const gint64 one = 1;

  sym_attributes_set (attributes, "direction", sym_value_new_string (direction), NULL);
  y = sym_op_lower_apply (self->lower, op,
                          self->has_peepholes
                              ? SYM_IDS (x, w, r, b, SYM_NO_ID, SYM_NO_ID, SYM_NO_ID, p)
                              : SYM_IDS (x, w, r, b),
                          attributes);
  return sym_op_foreign_squeeze (self->lower, y, &one, 1);
}

static void
lower_recurrent (SymOpLower *self)
{
  Recurrence recurrence;
  SymId x, y;

  if (!begin (self, &recurrence, &x))
    return;
  y = run (&recurrence, sym_op_lower_transpose (self, x, 3, 2, 0, 1), 1, "forward");
  sym_op_lower_set_output (self, 0, sym_op_lower_transpose (self, y, 3, 1, 2, 0));
}

/* Both directions are added. */
static void
lower_graves_bidirectional (SymOpLower *self)
{
  Recurrence recurrence;
  SymId x, y;

  if (!begin (self, &recurrence, &x))
    return;
  x = sym_op_lower_transpose (self, x, 3, 2, 0, 1);
  y = sym_op_lower_binary (self, "Add", run (&recurrence, x, 1, "forward"),
                           run (&recurrence, x, 4, "reverse"));
  sym_op_lower_set_output (self, 0, sym_op_lower_transpose (self, y, 3, 1, 2, 0));
}

/* ---- Layers around them ---- */

/* What the layer inside, whose parameters begin at operand @first, makes of @x. */
static SymId
apply_inner (SymOpLower *self, SymId x, guint first)
{
  const SymAttributes *attributes = sym_op_dl4j_attributes (self);
  const char *name = sym_attributes_get_string (attributes, "layer", "");
  const SymOperator *op = sym_op_find ("dl4j", name, 0);
  SymOpDl4jParameter list[SYM_OP_DL4J_MAX_PARAMETERS];
  SymId operands[SYM_OP_DL4J_MAX_PARAMETERS + 1] = { x };
  guint n;

  if (op == NULL || sym_layer_get_operator (sym_op_lower_get_layer (self)) == op ||
      sym_op_find_attribute (op, "layer") != NULL)
    {
      sym_op_lower_refuse (self, "%s: a layer of type “%s” inside is not lowered",
                           sym_op_lower_get_type (self), name);
      return SYM_NO_ID;
    }
  n = sym_op_dl4j_list_parameters (op, attributes, list);
  for (guint i = 0; i < n; i++)
    operands[i + 1] = sym_op_lower_input (self, first + i);
  return sym_op_lower_apply (self, op, (SymIds){ operands, n + 1 }, (SymAttributes *) attributes);
}

static SymId
reverse (SymOpLower *self, SymId x)
{
  const gint64 axis = 2, start = -1, stop = G_MININT64, step = -1;

  return sym_op_foreign_slice (self, x, &start, &stop, &axis, &step, 1);
}

static void
lower_bidirectional (SymOpLower *self)
{
  const char *mode = sym_op_lower_get_string (self, "mode", "CONCAT");
  guint n = (sym_op_lower_get_n_inputs (self) - 1) / 2;
  SymId x = sym_op_lower_input (self, 0);
  SymId front = apply_inner (self, x, 1), back = SYM_NO_ID, y;

  if (!sym_op_lower_has_failed (self))
    back = reverse (self, apply_inner (self, reverse (self, x), 1 + n));
  if (g_str_equal (mode, "CONCAT"))
    y = sym_op_lower_call (self, "Concat", SYM_IDS (front, back), "axis", sym_value_new_int (1),
                           NULL);
  else if (g_str_equal (mode, "MUL"))
    y = sym_op_lower_binary (self, "Mul", front, back);
  else
    y = sym_op_lower_binary (self, "Add", front, back);
  if (g_str_equal (mode, "AVERAGE"))
    y = sym_op_lower_binary (self, "Mul", y, sym_op_lower_number (self, SYM_DTYPE_FLOAT32, 0.5));
  sym_op_lower_set_output (self, 0, y);
}

static SymId
take_last (SymOpLower *self, SymId x)
{
  const gint64 axis = 2, start = -1, stop = G_MAXINT64;

  x = sym_op_foreign_slice (self, x, &start, &stop, &axis, NULL, 1);
  return sym_op_foreign_squeeze (self, x, &axis, 1);
}

static void
lower_last_step (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0,
                           take_last (self, apply_inner (self, sym_op_lower_input (self, 0), 1)));
}

static void
lower_last_step_vertex (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0, take_last (self, sym_op_lower_input (self, 0)));
}

/* ---- Tables ---- */

static const SymSlotSpec one[] = { { "input" }, { NULL } };
static const SymSlotSpec slots[] = {
  { "input" },
  { "W", SYM_SLOT_PARAMETER },
  { "RW", SYM_SLOT_PARAMETER },
  { "b", SYM_SLOT_PARAMETER },
  { NULL },
};
static const SymSlotSpec double_slots[] = {
  { "input" },
  { "WF", SYM_SLOT_PARAMETER },
  { "RWF", SYM_SLOT_PARAMETER },
  { "bF", SYM_SLOT_PARAMETER },
  { "WB", SYM_SLOT_PARAMETER },
  { "RWB", SYM_SLOT_PARAMETER },
  { "bB", SYM_SLOT_PARAMETER },
  { NULL },
};
static const SymSlotSpec many_slots[] = {
  { "input" },
  { "parameter", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymAttributeSpec attributes[] = {
  { "nin", SYM_ATTRIBUTE_INT, "0", "features of the input" },
  { "nout", SYM_ATTRIBUTE_INT, "0", "features of the output" },
  { "activationFn", SYM_ATTRIBUTE_ANY, "ActivationTanH", "the function of the cell" },
  { "gateActivationFn", SYM_ATTRIBUTE_ANY, "ActivationSigmoid", "the function of the gates" },
  { "forgetGateBiasInit", SYM_ATTRIBUTE_FLOAT, "1.0", "the bias of the forget gate at first" },
  { "preProcessor", SYM_ATTRIBUTE_ANY, "None", "what turns the input into the form wanted" },
  { NULL },
};
static const SymAttributeSpec around_attributes[] = {
  { "layer", SYM_ATTRIBUTE_STRING, NULL, "the layer inside" },
  { "mode", SYM_ATTRIBUTE_STRING, "CONCAT", "how both directions are joined",
    "CONCAT ADD MUL AVERAGE" },
  { NULL },
};
static const SymAttributeSpec none[] = { { NULL } };

const SymOperator sym_op_dl4j_recurrent[] = {
  DL4J_COMPOSITE ("LSTM", NULL, "Long short-term memory", slots, attributes, lower_recurrent),
  DL4J_COMPOSITE ("GravesLSTM",
                  "gravesLSTM",
                  "Long short-term memory whose gates see the cell",
                  slots,
                  attributes,
                  lower_recurrent),
  DL4J_COMPOSITE ("SimpleRnn",
                  NULL,
                  "Recurrent layer without gates",
                  slots,
                  attributes,
                  lower_recurrent),
  DL4J_COMPOSITE ("GravesBidirectionalLSTM",
                  "gravesBidirectionalLSTM",
                  "Long short-term memory, forward and backward, added",
                  double_slots,
                  attributes,
                  lower_graves_bidirectional),
  DL4J_COMPOSITE ("Bidirectional",
                  NULL,
                  "A recurrent layer, forward and backward",
                  many_slots,
                  around_attributes,
                  lower_bidirectional),
  DL4J ("LastTimeStep",
        NULL,
        "The last step of a recurrent layer",
        WEIGHTS,
        many_slots,
        around_attributes,
        lower_last_step),
  DL4J ("LastTimeStepVertex",
        NULL,
        "The last step of a sequence",
        SHAPE,
        one,
        none,
        lower_last_step_vertex),
  { NULL },
};
