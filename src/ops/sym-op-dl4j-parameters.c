/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-dl4j.h"

#include <string.h>

typedef struct {
  const SymAttributes *attributes;
  SymOpDl4jParameter *list;
  guint n;
  gint64 in, out;
} Listing;

gint64
sym_op_dl4j_get_features (const SymAttributes *attributes, const char *name)
{
  const char *other = g_str_equal (name, "nin") ? "nIn" : "nOut";
  gint64 n = sym_attributes_get_int (attributes, name, 0);

  if (n == 0)
    n = sym_attributes_get_int (attributes, other, 0);
  return n > 0 && n <= G_MAXINT32 ? n : 0;
}

/* ---- Pieces ---- */

static void
add_tracked (Listing *self, const char *name, SymShape shape, gboolean is_auxiliary)
{
  SymOpDl4jParameter *parameter = &self->list[self->n];

  g_return_if_fail (self->n < SYM_OP_DL4J_MAX_PARAMETERS);
  self->n++;
  *parameter = (SymOpDl4jParameter){ .shape = shape, .is_auxiliary = is_auxiliary };
  g_strlcpy (parameter->name, name, sizeof parameter->name);
  for (int i = 0; i < shape.rank; i++)
    if (shape.dims[i] <= 0)
      parameter->shape.dims[i] = SYM_DIM_UNKNOWN;
}

static void
add (Listing *self, const char *name, SymShape shape)
{
  add_tracked (self, name, shape, FALSE);
}

static void
add_bias (Listing *self, gint64 n)
{
  if (sym_attributes_get_bool (self->attributes, "hasBias", TRUE))
    add (self, "b", SYM_SHAPE (n));
}

/* Sizes of the window along @n axes; unknown where they are not told. */
static void
get_kernel (const Listing *self, int n, gint64 kernel[3])
{
  gint64 sizes[3];
  int found = sym_attributes_get_ints (self->attributes, "kernelSize", sizes, 3);

  for (int i = 0; i < n; i++)
    kernel[i] = found >= 1 && found <= 3 ? sizes[MIN (i, found - 1)] : 0;
}

/* ---- Layers ---- */

static void
list_dense (Listing *self)
{
  add (self, "W", SYM_SHAPE (self->in, self->out));
  add_bias (self, self->out);
}

/* The bias of what is seen, too. */
static void
list_auto_encoder (Listing *self)
{
  list_dense (self);
  add (self, "vb", SYM_SHAPE (self->in));
}

static void
list_rbm (Listing *self)
{
  add (self, "W", SYM_SHAPE (self->in, self->out));
  add (self, "b", SYM_SHAPE (self->out));
  add (self, "vb", SYM_SHAPE (self->in));
}

static void
list_embedding_sequence (Listing *self)
{
  add (self, "W", SYM_SHAPE (self->in, self->out));
  if (sym_attributes_get_bool (self->attributes, "hasBias", FALSE))
    add (self, "b", SYM_SHAPE (self->out));
}

static void
list_conv_1d (Listing *self)
{
  gint64 kernel[3];

  get_kernel (self, 1, kernel);
  add (self, "W", SYM_SHAPE (self->out, self->in, kernel[0], 1));
  add_bias (self, self->out);
}

static void
list_conv_2d (Listing *self)
{
  gint64 kernel[3];

  get_kernel (self, 2, kernel);
  add (self, "W", SYM_SHAPE (self->out, self->in, kernel[0], kernel[1]));
  add_bias (self, self->out);
}

static void
list_conv_3d (Listing *self)
{
  gint64 kernel[3];

  get_kernel (self, 3, kernel);
  add (self, "W", SYM_SHAPE (self->out, self->in, kernel[0], kernel[1], kernel[2]));
  add_bias (self, self->out);
}

static void
list_deconv_2d (Listing *self)
{
  gint64 kernel[3];

  get_kernel (self, 2, kernel);
  add (self, "W", SYM_SHAPE (self->in, self->out, kernel[0], kernel[1]));
  add_bias (self, self->out);
}

static gint64
get_depth (const Listing *self)
{
  gint64 depth = sym_attributes_get_int (self->attributes, "depthMultiplier", 1);

  return depth > 0 && depth <= G_MAXINT16 ? depth : 0;
}

static void
list_depthwise (Listing *self)
{
  gint64 depth = get_depth (self), kernel[3];

  get_kernel (self, 2, kernel);
  add (self, "W", SYM_SHAPE (kernel[0], kernel[1], self->in, depth));
  add_bias (self, self->in * depth);
}

static void
list_separable (Listing *self)
{
  gint64 depth = get_depth (self), kernel[3];

  get_kernel (self, 2, kernel);
  add (self, "W", SYM_SHAPE (depth, self->in, kernel[0], kernel[1]));
  add (self, "pW", SYM_SHAPE (self->out, self->in * depth, 1, 1));
  add_bias (self, self->out);
}

static void
list_batch_norm (Listing *self)
{
  gint64 n = self->out > 0 ? self->out : self->in;
  const char *spread =
      sym_attributes_get_bool (self->attributes, "useLogStd", FALSE) ? "log10stdev" : "var";

  if (!sym_attributes_get_bool (self->attributes, "lockGammaBeta", FALSE))
    {
      add (self, "gamma", SYM_SHAPE (n));
      add (self, "beta", SYM_SHAPE (n));
    }
  add_tracked (self, "mean", SYM_SHAPE (n), TRUE);
  add_tracked (self, spread, SYM_SHAPE (n), TRUE);
}

static void
list_prelu (Listing *self)
{
  gint64 sizes[SYM_MAX_RANK];
  SymShape shape = SYM_SHAPE_UNKNOWN;
  int n = sym_attributes_get_ints (self->attributes, "inputShape", sizes, SYM_MAX_RANK);

  if (n >= 1 && n <= SYM_MAX_RANK)
    {
      shape.rank = n;
      memcpy (shape.dims, sizes, (gsize) n * sizeof *sizes);
    }
  add (self, "W", shape);
}

static void
list_lstm (Listing *self)
{
  add (self, "W", SYM_SHAPE (self->in, 4 * self->out));
  add (self, "RW", SYM_SHAPE (self->out, 4 * self->out));
  add (self, "b", SYM_SHAPE (4 * self->out));
}

/* Behind the weights of the gates, those by which three of them see the cell. */
static void
list_graves_lstm (Listing *self)
{
  add (self, "W", SYM_SHAPE (self->in, 4 * self->out));
  add (self, "RW", SYM_SHAPE (self->out, self->out > 0 ? 4 * self->out + 3 : 0));
  add (self, "b", SYM_SHAPE (4 * self->out));
}

static void
list_simple_rnn (Listing *self)
{
  add (self, "W", SYM_SHAPE (self->in, self->out));
  add (self, "RW", SYM_SHAPE (self->out, self->out));
  add (self, "b", SYM_SHAPE (self->out));
}

/* How many numbers the distribution of one element has. */
static gint64
count_distribution (const SymAttributes *attributes)
{
  const char *name = sym_op_dl4j_get_class (attributes, "outputDistribution");

  return name != NULL && g_str_has_prefix (name, "Gaussian") ? 2 : 1;
}

/* Dense layers of the sizes of a list, from @from features on; how many come out of them. */
static gint64
add_chain (Listing *self, const char *sizes_name, char side, gint64 from)
{
  gint64 sizes[16];
  int n = sym_attributes_get_ints (self->attributes, sizes_name, sizes, 16);

  for (int i = 0; i < MIN (n, 8); i++)
    {
      char name[16];

      g_snprintf (name, sizeof name, "%c%dW", side, i);
      add (self, name, SYM_SHAPE (from, sizes[i]));
      g_snprintf (name, sizeof name, "%c%db", side, i);
      add (self, name, SYM_SHAPE (sizes[i]));
      from = sizes[i];
    }
  return from;
}

static void
list_variational (Listing *self)
{
  gint64 n_visible = self->in * count_distribution (self->attributes);
  gint64 n = add_chain (self, "encoderLayerSizes", 'e', self->in);

  add (self, "pZXMeanW", SYM_SHAPE (n, self->out));
  add (self, "pZXMeanb", SYM_SHAPE (self->out));
  add (self, "pZXLogStd2W", SYM_SHAPE (n, self->out));
  add (self, "pZXLogStd2b", SYM_SHAPE (self->out));
  n = add_chain (self, "decoderLayerSizes", 'd', self->out);
  add (self, "pXZW", SYM_SHAPE (n, n_visible));
  add (self, "pXZb", SYM_SHAPE (n_visible));
}

/* ---- Layers around layers ---- */

/* None that has one itself. */
static const SymOperator *
find_inner (const SymAttributes *attributes)
{
  const char *name = sym_attributes_get_string (attributes, "layer", "");
  const SymOperator *op = sym_op_find ("dl4j", name, 0);

  return op == NULL || g_str_equal (op->name, "LastTimeStep") ||
                 g_str_equal (op->name, "Bidirectional")
             ? NULL
             : op;
}

static void
list_last_step (Listing *self)
{
  self->n =
      sym_op_dl4j_list_parameters (find_inner (self->attributes), self->attributes, self->list);
}

/* Those of the layer that goes forward, then those of the other one. */
static void
double_list (Listing *self, const char *front, const char *back)
{
  guint n = MIN (self->n, SYM_OP_DL4J_MAX_PARAMETERS / 2);

  for (guint i = 0; i < n; i++)
    {
      SymOpDl4jParameter *first = &self->list[i], *second = &self->list[n + i];
      g_autofree char *name = g_strdup (first->name);

      *second = *first;
      g_snprintf (first->name, sizeof first->name, "%s%s%s", front[0] == 'f' ? front : "", name,
                  front[0] == 'f' ? "" : front);
      g_snprintf (second->name, sizeof second->name, "%s%s%s", back[0] == 'b' ? back : "", name,
                  back[0] == 'b' ? "" : back);
    }
  self->n = 2 * n;
}

static void
list_bidirectional (Listing *self)
{
  list_last_step (self);
  double_list (self, "f", "b");
}

static void
list_graves_bidirectional (Listing *self)
{
  list_graves_lstm (self);
  double_list (self, "F", "B");
}

/* ---- All ---- */

static const struct {
  const char *name;
  void (*list) (Listing *self);
} rows[] = {
  { "AutoEncoder", list_auto_encoder },
  { "BatchNormalization", list_batch_norm },
  { "Bidirectional", list_bidirectional },
  { "CenterLossOutputLayer", list_dense },
  { "Convolution1DLayer", list_conv_1d },
  { "Convolution3D", list_conv_3d },
  { "ConvolutionLayer", list_conv_2d },
  { "Deconvolution2D", list_deconv_2d },
  { "DenseLayer", list_dense },
  { "DepthwiseConvolution2D", list_depthwise },
  { "EmbeddingLayer", list_dense },
  { "EmbeddingSequenceLayer", list_embedding_sequence },
  { "GravesBidirectionalLSTM", list_graves_bidirectional },
  { "GravesLSTM", list_graves_lstm },
  { "LSTM", list_lstm },
  { "LastTimeStep", list_last_step },
  { "OutputLayer", list_dense },
  { "PReLULayer", list_prelu },
  { "RBM", list_rbm },
  { "RnnOutputLayer", list_dense },
  { "SeparableConvolution2D", list_separable },
  { "SimpleRnn", list_simple_rnn },
  { "VariationalAutoencoder", list_variational },
};

guint
sym_op_dl4j_list_parameters (const SymOperator *op,
                             const SymAttributes *attributes,
                             SymOpDl4jParameter list[SYM_OP_DL4J_MAX_PARAMETERS])
{
  Listing self = { attributes, list, 0, sym_op_dl4j_get_features (attributes, "nin"),
                   sym_op_dl4j_get_features (attributes, "nout") };

  for (guint i = 0; op != NULL && i < G_N_ELEMENTS (rows); i++)
    if (g_str_equal (rows[i].name, op->name))
      rows[i].list (&self);
  return self.n;
}

/* What is of as many axes has the sizes for which the preprocessor was made; anything else it lets
 * pass, as there. */
static gboolean
set_wanted (SymRule *rule, GError **error)
{
  SymShape wanted = sym_op_dl4j_get_wanted (sym_rule_get_attributes (rule));
  SymType input = sym_rule_get_input_type (rule, 0);

  return wanted.rank < 0 || input.shape.rank != wanted.rank ||
         sym_op_set_input (rule, 0, wanted, error);
}

gboolean
sym_op_dl4j_infer (SymRule *rule, GError **error)
{
  const SymLayer *layer = sym_rule_get_layer (rule);
  SymOpDl4jParameter list[SYM_OP_DL4J_MAX_PARAMETERS];
  guint n = layer == NULL ? 0
                          : sym_op_dl4j_list_parameters (sym_layer_get_operator (layer),
                                                         sym_rule_get_attributes (rule), list);

  if (!set_wanted (rule, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!sym_op_set_input (rule, i + 1, list[i].shape, error))
      return FALSE;
  return sym_op_infer_lowered (rule, error);
}
