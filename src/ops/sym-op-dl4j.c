/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-dl4j.h"

#include <math.h>
#include <string.h>

const SymAttributes *
sym_op_dl4j_attributes (SymOpLower *self)
{
  return sym_layer_get_attributes (sym_op_lower_get_layer (self));
}

/* ---- Classes among the attributes ---- */

static const SymValue *
find_member (const SymValue *dict, const char *key)
{
  if (dict == NULL || sym_value_get_kind (dict) != SYM_VALUE_DICT)
    return NULL;
  for (guint i = 0; i < sym_value_get_n_children (dict); i++)
    if (g_str_equal (sym_value_get_key (dict, i), key))
      return sym_value_get_child (dict, i);
  return NULL;
}

/* {"@class": "org...ActivationLReLU", "alpha": 0.01}, {"LReLU": {"alpha": 0.01}} or a name. */
const char *
sym_op_dl4j_get_class (const SymAttributes *attributes, const char *name)
{
  const SymValue *value = sym_attributes_find (attributes, name);
  const SymValue *mark = find_member (value, "@class");
  const char *text = mark != NULL    ? sym_value_get_string (mark)
                     : value == NULL ? NULL
                                     : sym_value_get_string (value);
  const char *dot = text == NULL ? NULL : strrchr (text, '.');

  if (text == NULL && value != NULL && sym_value_get_kind (value) == SYM_VALUE_DICT &&
      sym_value_get_n_children (value) == 1)
    return sym_value_get_key (value, 0);
  return dot == NULL ? text : dot + 1;
}

/* Of {"@class": ..., "alpha": 0.01} and of {"LReLU": {"alpha": 0.01}}. */
static const SymValue *
find_within (const SymAttributes *attributes, const char *name, const char *key)
{
  const SymValue *value = sym_attributes_find (attributes, name);
  const SymValue *member = find_member (value, key);

  if (member == NULL && value != NULL && sym_value_get_kind (value) == SYM_VALUE_DICT &&
      sym_value_get_n_children (value) == 1)
    member = find_member (sym_value_get_child (value, 0), key);
  return member;
}

double
sym_op_dl4j_get_number (const SymAttributes *attributes,
                        const char *name,
                        const char *key,
                        double fallback)
{
  const SymValue *member = find_within (attributes, name, key);

  return member == NULL ? fallback : sym_value_as_float (member, fallback);
}

const char *
sym_op_dl4j_get_word (const SymAttributes *attributes, const char *name, const char *key)
{
  const SymValue *member = find_within (attributes, name, key);

  return member == NULL ? NULL : sym_value_get_string (member);
}

/* ---- Functions ---- */

char *
sym_op_dl4j_dup_function (const SymAttributes *attributes, const char *name, const char *fallback)
{
  const char *class = sym_op_dl4j_get_class (attributes, name);

  if (class == NULL && g_str_equal (name, "activationFn")) /* before 0.8 */
    class = sym_attributes_get_string (attributes, "activationFunction",
                                       sym_attributes_get_string (attributes, "activation", NULL));
  if (class == NULL)
    class = fallback;
  if (g_str_has_prefix (class, "Activation"))
    class += strlen ("Activation");
  return g_ascii_strdown (class, -1);
}

static SymId
call_with_alpha (SymOpLower *self, const char *name, SymId x, double alpha)
{
  return sym_op_lower_call (self, name, SYM_IDS (x), "alpha", sym_value_new_float (alpha), NULL);
}

static SymId
cube (SymOpLower *self, SymId x)
{
  return sym_op_lower_binary (self, "Mul", x, sym_op_lower_binary (self, "Mul", x, x));
}

static SymId
activate (SymOpLower *self, const char *key, SymId x)
{
  const SymAttributes *attributes = sym_op_dl4j_attributes (self);
  g_autofree char *name = sym_op_dl4j_dup_function (attributes, key, "identity");
  double l = sym_op_dl4j_get_number (attributes, key, "l", 1 / 8.0);
  double u = sym_op_dl4j_get_number (attributes, key, "u", 1 / 3.0);

  if (g_str_equal (name, "softmax"))
    return sym_op_foreign_with (self, "Softmax", x, "axis", 1);
  if (g_str_equal (name, "logsoftmax"))
    return sym_op_foreign_with (self, "LogSoftmax", x, "axis", 1);
  if (g_str_equal (name, "lrelu") || g_str_equal (name, "leakyrelu"))
    return call_with_alpha (self, "LeakyRelu", x,
                            sym_op_dl4j_get_number (attributes, key, "alpha", 0.01));
  if (g_str_equal (name, "rrelu")) /* its mean, outside training */
    return call_with_alpha (self, "LeakyRelu", x, (l + u) / 2);
  if (g_str_equal (name, "elu"))
    return call_with_alpha (self, "Elu", x, sym_op_dl4j_get_number (attributes, key, "alpha", 1));
  if (g_str_equal (name, "thresholdedrelu"))
    return call_with_alpha (self, "ThresholdedRelu", x,
                            sym_op_dl4j_get_number (attributes, key, "theta", 1));
  if (g_str_equal (name, "selu"))
    return sym_op_lower_unary (self, "Selu", x);
  if (g_str_equal (name, "softsign"))
    return sym_op_lower_unary (self, "Softsign", x);
  if (g_str_equal (name, "hardtanh"))
    return sym_op_foreign_activate (self, "relu_n1_to_1", 0, x);
  if (g_str_equal (name, "hardsigmoid"))
    return call_with_alpha (self, "HardSigmoid", x, 0.2);
  if (g_str_equal (name, "rectifiedtanh"))
    return sym_op_lower_unary (self, "Relu", sym_op_lower_unary (self, "Tanh", x));
  if (g_str_equal (name, "cube"))
    return cube (self, x);
  return sym_op_foreign_activate (self, name, 0, x);
}

SymId
sym_op_dl4j_activate (SymOpLower *self, SymId x)
{
  return activate (self, "activationFn", x);
}

/* ---- What prepares the input, as a vertex of its own ---- */

static void
lower_preprocessor (SymOpLower *self)
{
  int rank;

  sym_op_lower_set_output (self, 0, sym_op_dl4j_input (self, &rank));
}

/* ---- Dense layers ---- */

/* Features are behind the batch, of sequences as well. */
static void
lower_dense (SymOpLower *self)
{
  int rank;
  SymId x = sym_op_dl4j_input (self, &rank);

  if (rank == 3)
    x = sym_op_lower_transpose (self, x, 3, 0, 2, 1);
  x = sym_op_lower_binary (self, "MatMul", x, sym_op_lower_input (self, 1));
  if (sym_op_lower_has_input (self, 2))
    x = sym_op_lower_binary (self, "Add", x, sym_op_lower_input (self, 2));
  if (rank == 3)
    x = sym_op_lower_transpose (self, x, 3, 0, 2, 1);
  sym_op_lower_set_output (self, 0, sym_op_dl4j_activate (self, x));
}

static void
lower_activation (SymOpLower *self)
{
  int rank;
  SymId x = sym_op_dl4j_input (self, &rank);

  sym_op_lower_set_output (self, 0, sym_op_dl4j_activate (self, x));
}

static void
lower_prelu (SymOpLower *self)
{
  int rank;
  SymId x = sym_op_dl4j_input (self, &rank);

  sym_op_lower_set_output (self, 0,
                           sym_op_lower_binary (self, "PRelu", x, sym_op_lower_input (self, 1)));
}

/* What is hidden, as it is expected: a layer that draws it does not run. */
static void
lower_rbm (SymOpLower *self)
{
  const char *unit = sym_op_lower_get_string (self, "hiddenUnit", "BINARY");
  int rank;
  SymId x = sym_op_lower_binary (self, "MatMul", sym_op_dl4j_input (self, &rank),
                                 sym_op_lower_input (self, 1));

  x = sym_op_lower_binary (self, "Add", x, sym_op_lower_input (self, 2));
  if (g_str_equal (unit, "BINARY"))
    x = sym_op_lower_unary (self, "Sigmoid", x);
  else if (g_str_equal (unit, "RECTIFIED"))
    x = sym_op_lower_unary (self, "Relu", x);
  else if (g_str_equal (unit, "SOFTMAX"))
    x = sym_op_foreign_with (self, "Softmax", x, "axis", 1);
  else if (!g_str_equal (unit, "IDENTITY") && !g_str_equal (unit, "LINEAR"))
    sym_op_lower_refuse (self, "RBM: hidden units that are “%s” are drawn at random", unit);
  sym_op_lower_set_output (self, 0, x);
}

/* Each number, in a column, becomes a row of the table. */
static void
lower_embedding (SymOpLower *self)
{
  gint64 all = -1;
  int rank;
  SymId x = sym_op_lower_cast (self, sym_op_dl4j_input (self, &rank), SYM_DTYPE_INT64);

  x = sym_op_foreign_reshape (self, x, &all, 1, FALSE);
  x = sym_op_lower_binary (self, "Gather", sym_op_lower_input (self, 1), x);
  if (sym_op_lower_has_input (self, 2))
    x = sym_op_lower_binary (self, "Add", x, sym_op_lower_input (self, 2));
  sym_op_lower_set_output (self, 0, sym_op_dl4j_activate (self, x));
}

/* [N, T] or [N, 1, T] to [N, F, T]. */
static void
lower_embedding_sequence (SymOpLower *self)
{
  const gint64 one = 1;
  int rank;
  SymId x = sym_op_lower_cast (self, sym_op_dl4j_input (self, &rank), SYM_DTYPE_INT64);

  if (rank == 3)
    x = sym_op_foreign_squeeze (self, x, &one, 1);
  x = sym_op_lower_binary (self, "Gather", sym_op_lower_input (self, 1), x);
  if (sym_op_lower_has_input (self, 2))
    x = sym_op_lower_binary (self, "Add", x, sym_op_lower_input (self, 2));
  sym_op_lower_set_output (
      self, 0, sym_op_dl4j_activate (self, sym_op_lower_transpose (self, x, 3, 0, 2, 1)));
}

/* The means of what is hidden; the function of the layer is that of the encoder's layers. */
static void
lower_variational (SymOpLower *self)
{
  gint64 sizes[16];
  int rank, n = sym_op_lower_get_ints (self, "encoderLayerSizes", sizes, 16);
  SymId x = sym_op_dl4j_input (self, &rank);
  guint at = 1;

  for (int i = 0; i < CLAMP (n, 0, 8) + 1; i++, at += 2)
    {
      x = sym_op_lower_binary (self, "MatMul", x, sym_op_lower_input (self, at));
      x = sym_op_lower_binary (self, "Add", x, sym_op_lower_input (self, at + 1));
      if (i < n)
        x = sym_op_dl4j_activate (self, x);
    }
  sym_op_lower_set_output (self, 0, activate (self, "pzxActivationFn", x));
}

/* The function that its files tell is not used there. */
static void
lower_batch_norm (SymOpLower *self)
{
  double gamma = sym_op_lower_get_float (self, "gamma", 1);
  double beta = sym_op_lower_get_float (self, "beta", 0);
  gboolean is_locked = sym_op_lower_get_bool (self, "lockGammaBeta", FALSE);
  guint at = is_locked ? 1 : 3;
  int rank;
  SymId x = sym_op_dl4j_input (self, &rank), scale, shift, spread;
  gint64 n = sym_op_foreign_size (self, at, 0);

  scale = is_locked ? sym_op_lower_fill (self, SYM_DTYPE_FLOAT32, &SYM_SHAPE (n), gamma)
                    : sym_op_lower_input (self, 1);
  shift = is_locked ? sym_op_lower_fill (self, SYM_DTYPE_FLOAT32, &SYM_SHAPE (n), beta)
                    : sym_op_lower_input (self, 2);
  spread = sym_op_lower_input (self, at + 1);
  if (sym_op_lower_get_bool (self, "useLogStd", FALSE)) /* var = 100 ^ log10 (stdev) */
    spread = sym_op_lower_binary (self, "Pow", sym_op_lower_number (self, SYM_DTYPE_FLOAT32, 100),
                                  spread);
  x = sym_op_lower_call (
      self, "BatchNormalization", SYM_IDS (x, scale, shift, sym_op_lower_input (self, at), spread),
      "epsilon", sym_value_new_float (sym_op_lower_get_float (self, "eps", 1e-5)), NULL);
  sym_op_lower_set_output (self, 0, x);
}

/* ONNX divides alpha by the number of channels that are looked at. */
static void
lower_lrn (SymOpLower *self)
{
  gint64 n =
      2 * ((gint64) fmax (1, fmin (sym_op_lower_get_float (self, "n", 5), G_MAXINT16)) / 2) + 1;
  double alpha = sym_op_lower_get_float (self, "alpha", 1e-4) * (double) n;
  int rank;
  SymId x = sym_op_dl4j_input (self, &rank);

  x = sym_op_lower_call (self, "LRN", SYM_IDS (x), "size", sym_value_new_int (n), "alpha",
                         sym_value_new_float (alpha), "beta",
                         sym_value_new_float (sym_op_lower_get_float (self, "beta", 0.75)), "bias",
                         sym_value_new_float (sym_op_lower_get_float (self, "k", 2)), NULL);
  sym_op_lower_set_output (self, 0, x);
}

/* ---- Tables ---- */

static const SymSlotSpec one[] = { { "input" }, { NULL } };
static const SymSlotSpec dense_slots[] = {
  { "input" },
  { "W", SYM_SLOT_PARAMETER },
  { "b", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};
static const SymSlotSpec encoder_slots[] = {
  { "input" },
  { "W", SYM_SLOT_PARAMETER },
  { "b", SYM_SLOT_PARAMETER },
  { "vb", SYM_SLOT_PARAMETER },
  { NULL },
};
static const SymSlotSpec slope_slots[] = {
  { "input" },
  { "W", SYM_SLOT_PARAMETER },
  { NULL },
};
static const SymSlotSpec many_slots[] = {
  { "input" },
  { "parameter", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};
static const SymSlotSpec norm_slots[] = {
  { "input" },
  { "gamma", SYM_SLOT_PARAMETER },
  { "beta", SYM_SLOT_PARAMETER },
  { "mean", SYM_SLOT_AUXILIARY },
  { "var", SYM_SLOT_AUXILIARY },
  { NULL },
};

#define FUNCTION                                                                        \
  {                                                                                     \
    "activationFn", SYM_ATTRIBUTE_ANY, "ActivationIdentity", "a function of the result" \
  }
#define PREPARED                                                                           \
  {                                                                                        \
    "preProcessor", SYM_ATTRIBUTE_ANY, "None", "what turns the input into the form wanted" \
  }
#define FEATURES                                                          \
  { "nin", SYM_ATTRIBUTE_INT, "0", "features or channels of the input" }, \
  {                                                                       \
    "nout", SYM_ATTRIBUTE_INT, "0", "features or channels of the output"  \
  }
#define BIAS                                                         \
  {                                                                  \
    "hasBias", SYM_ATTRIBUTE_BOOL, "True", "whether a bias is added" \
  }

static const SymAttributeSpec dense_attributes[] = { FEATURES, BIAS, FUNCTION, PREPARED, { NULL } };
static const SymAttributeSpec rbm_attributes[] = {
  FEATURES,
  { "hiddenUnit", SYM_ATTRIBUTE_STRING, "BINARY", "how what is hidden is distributed",
    "BINARY GAUSSIAN IDENTITY LINEAR RECTIFIED SOFTMAX" },
  { "visibleUnit", SYM_ATTRIBUTE_STRING, "BINARY", "how what is seen is distributed" },
  { "k", SYM_ATTRIBUTE_INT, "1", "steps of contrastive divergence in training" },
  PREPARED,
  { NULL },
};
static const SymAttributeSpec rows_attributes[] = {
  FEATURES, { "hasBias", SYM_ATTRIBUTE_BOOL, "False", "whether a bias is added" },
  FUNCTION, PREPARED,
  { NULL },
};
static const SymAttributeSpec variational_attributes[] = {
  FEATURES,
  { "encoderLayerSizes", SYM_ATTRIBUTE_INTS, NULL, "features of the encoder's layers" },
  { "decoderLayerSizes", SYM_ATTRIBUTE_INTS, NULL, "features of the decoder's layers" },
  { "pzxActivationFn", SYM_ATTRIBUTE_ANY, "ActivationIdentity", "a function of the means" },
  { "outputDistribution", SYM_ATTRIBUTE_ANY, "None", "how what is seen is distributed" },
  FUNCTION,
  PREPARED,
  { NULL },
};
static const SymAttributeSpec function_attributes[] = { FUNCTION, PREPARED, { NULL } };
static const SymAttributeSpec slope_attributes[] = {
  { "inputShape", SYM_ATTRIBUTE_INTS, "()", "sizes of the input without the batch" },
  PREPARED,
  { NULL },
};
static const SymAttributeSpec prepared_attributes[] = { PREPARED, { NULL } };
static const SymAttributeSpec norm_attributes[] = {
  FEATURES,
  { "eps", SYM_ATTRIBUTE_FLOAT, "1e-05", "added to the variance" },
  { "decay", SYM_ATTRIBUTE_FLOAT, "0.9", "what training keeps of mean and variance" },
  { "lockGammaBeta", SYM_ATTRIBUTE_BOOL, "False", "whether gamma and beta are numbers" },
  { "gamma", SYM_ATTRIBUTE_FLOAT, "1.0", "the factor, where it is locked or at first" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "0.0", "what is added, where it is locked or at first" },
  { "useLogStd", SYM_ATTRIBUTE_BOOL, "False", "whether log10 of the deviation is kept" },
  PREPARED,
  { NULL },
};
static const SymAttributeSpec lrn_attributes[] = {
  { "k", SYM_ATTRIBUTE_FLOAT, "2.0", "added to the sum" },
  { "n", SYM_ATTRIBUTE_FLOAT, "5.0", "channels that are looked at" },
  { "alpha", SYM_ATTRIBUTE_FLOAT, "0.0001", "factor of the sum" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "0.75", "exponent" },
  PREPARED,
  { NULL },
};

const SymOperator sym_op_dl4j[] = {
  DL4J ("DenseLayer",
        "dense",
        "Fully connected layer",
        WEIGHTS,
        dense_slots,
        dense_attributes,
        lower_dense),
  DL4J ("OutputLayer",
        "output",
        "Fully connected layer with a loss",
        WEIGHTS,
        dense_slots,
        dense_attributes,
        lower_dense),
  DL4J ("CenterLossOutputLayer",
        NULL,
        "Fully connected layer with a loss by centres",
        WEIGHTS,
        dense_slots,
        dense_attributes,
        lower_dense),
  DL4J ("RnnOutputLayer",
        "rnnoutput",
        "Fully connected layer of each step, with a loss",
        WEIGHTS,
        dense_slots,
        dense_attributes,
        lower_dense),
  DL4J ("AutoEncoder",
        "autoEncoder",
        "Fully connected layer that learns to restore its input",
        WEIGHTS,
        encoder_slots,
        dense_attributes,
        lower_dense),
  DL4J ("RBM",
        NULL,
        "Restricted Boltzmann machine: what is hidden, by what is seen",
        WEIGHTS,
        encoder_slots,
        rbm_attributes,
        lower_rbm),
  DL4J ("VariationalAutoencoder",
        NULL,
        "Means of hidden variables",
        WEIGHTS,
        many_slots,
        variational_attributes,
        lower_variational),
  DL4J ("EmbeddingLayer",
        "embedding",
        "Rows of a table, by number",
        WEIGHTS,
        dense_slots,
        dense_attributes,
        lower_embedding),
  DL4J ("EmbeddingSequenceLayer",
        NULL,
        "Rows of a table for each step, by number",
        WEIGHTS,
        dense_slots,
        rows_attributes,
        lower_embedding_sequence),
  DL4J ("ActivationLayer",
        "activation",
        "A function",
        ACTIVATION,
        one,
        function_attributes,
        lower_activation),
  DL4J ("LossLayer",
        "loss RnnLossLayer CnnLossLayer Cnn3DLossLayer",
        "A function with a loss",
        ACTIVATION,
        one,
        function_attributes,
        lower_activation),
  DL4J ("DropoutLayer",
        "dropout",
        "Nothing outside training",
        NORMALIZATION,
        one,
        prepared_attributes,
        lower_preprocessor),
  DL4J ("PReLULayer",
        NULL,
        "Negative elements times a slope that is learned",
        ACTIVATION,
        slope_slots,
        slope_attributes,
        lower_prelu),
  DL4J ("BatchNormalization",
        "batchNormalization",
        "Normalization by mean and variance",
        NORMALIZATION,
        norm_slots,
        norm_attributes,
        lower_batch_norm),
  DL4J ("LocalResponseNormalization",
        "localResponseNormalization",
        "Normalization by neighbouring channels",
        NORMALIZATION,
        one,
        lrn_attributes,
        lower_lrn),
  DL4J ("PreprocessorVertex",
        NULL,
        "The input in another form",
        SHAPE,
        one,
        prepared_attributes,
        lower_preprocessor),
  { NULL },
};
