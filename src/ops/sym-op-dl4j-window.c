/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-dl4j.h"

#include <string.h>

/* ---- Windows ---- */

/* What the layer says of its window along the axes behind the first two; sequences have a second
 * size that is 1. */
static gboolean
read_list (SymOpLower *self, const char *name, int n, gint64 fallback, gint64 *values)
{
  gint64 found[8];
  int n_found = sym_op_lower_get_ints (self, name, found, 8);

  for (int i = 0; i < n; i++)
    values[i] = n_found < 1 ? fallback : found[MIN (i, MIN (n_found, 8) - 1)];
  for (int i = 0; i < n; i++)
    if (values[i] < 0 || values[i] > G_MAXINT32)
      {
        sym_op_lower_fail (self, "%s: `%s` has a size of %" G_GINT64_FORMAT,
                           sym_op_lower_get_type (self), name, values[i]);
        return FALSE;
      }
  return TRUE;
}

static gboolean
begin (SymOpLower *self, SymOpForeignWindow *window, SymId *x, int rank)
{
  const char *mode = sym_op_lower_get_string (self, "convolutionMode", "Truncate");
  const char *format = sym_op_lower_get_string (self, "cnn2dDataFormat", "NCHW");
  int found;

  *window = (SymOpForeignWindow){ .n = rank - 2, .groups = 1 };
  *x = sym_op_dl4j_input (self, &found);
  if (found != rank)
    sym_op_lower_fail (self, "%s: the input has %d axes, not %d", sym_op_lower_get_type (self),
                       found, rank);
  if (strcmp (format, "NCHW") != 0 ||
      g_str_equal (sym_op_lower_get_string (self, "dataFormat", "NCDHW"), "NDHWC"))
    sym_op_lower_refuse (self, "%s: channels that come last are not lowered",
                         sym_op_lower_get_type (self));
  if (sym_op_lower_has_failed (self) ||
      !read_list (self, "kernelSize", window->n, 1, window->kernel) ||
      !read_list (self, "stride", window->n, 1, window->stride) ||
      !read_list (self, "dilation", window->n, 1, window->dilation) ||
      !read_list (self, "padding", window->n, 0, window->before))
    return FALSE;
  memcpy (window->after, window->before, sizeof window->after);
  if (strcmp (mode, "Same") == 0)
    window->auto_pad = "SAME_UPPER";
  else if (strcmp (mode, "Causal") == 0)
    for (int i = 0; i < window->n; i++)
      {
        window->before[i] =
            sym_op_foreign_multiply (self, window->kernel[i] - 1, window->dilation[i]);
        window->after[i] = 0;
      }
  return !sym_op_lower_has_failed (self);
}

static int
get_rank (SymOpLower *self)
{
  const char *name = sym_layer_get_operator (sym_op_lower_get_layer (self))->name;

  return strstr (name, "1D") != NULL ? 3 : strstr (name, "3D") != NULL ? 5 : 4;
}

/* ---- Convolutions ---- */

/* Of sequences the weights have a second size, which is 1. */
static SymId
get_weight (SymOpLower *self, int rank)
{
  const gint64 last = 3;
  SymId weight = sym_op_lower_input (self, 1);

  return rank == 3 ? sym_op_foreign_squeeze (self, weight, &last, 1) : weight;
}

static void
lower_conv (SymOpLower *self)
{
  int rank = get_rank (self);
  SymOpForeignWindow window;
  SymId x;

  if (begin (self, &window, &x, rank))
    sym_op_lower_set_output (
        self, 0,
        sym_op_dl4j_activate (self, sym_op_foreign_conv (self, &window, x, get_weight (self, rank),
                                                         sym_op_lower_input (self, 2))));
}

static void
lower_deconv (SymOpLower *self)
{
  const gint64 none[3] = { 0 };
  SymOpForeignWindow window;
  SymId x;

  if (begin (self, &window, &x, 4))
    sym_op_lower_set_output (
        self, 0,
        sym_op_dl4j_activate (
            self, sym_op_foreign_conv_transpose (self, &window, x, sym_op_lower_input (self, 1),
                                                 sym_op_lower_input (self, 2), none)));
}

/* Weights that have the channels of the input at @in and how many come of each at @depth. */
static SymId
convolve_channels (SymOpLower *self,
                   SymOpForeignWindow *window,
                   SymId x,
                   const gint64 *axes,
                   SymId b)
{
  gint64 sizes[] = { -1, 1, window->kernel[0], window->kernel[1] };
  SymId weight = sym_op_lower_permute (self, sym_op_lower_input (self, 1), axes, 4);

  weight = sym_op_foreign_reshape (self, weight, sizes, 4, FALSE);
  window->groups = MAX (1, sym_op_dl4j_get_features (sym_op_dl4j_attributes (self), "nin"));
  return sym_op_foreign_conv (self, window, x, weight, b);
}

/* [kH, kW, C, depth] */
static void
lower_depthwise (SymOpLower *self)
{
  SymOpForeignWindow window;
  SymId x;

  if (begin (self, &window, &x, 4))
    sym_op_lower_set_output (
        self, 0,
        sym_op_dl4j_activate (self,
                              convolve_channels (self, &window, x, (const gint64[]){ 2, 3, 0, 1 },
                                                 sym_op_lower_input (self, 2))));
}

/* [depth, C, kH, kW], then weights of single pixels. */
static void
lower_separable (SymOpLower *self)
{
  const SymOpForeignWindow pixel = {
    .n = 2, .groups = 1, .kernel = { 1, 1 }, .stride = { 1, 1 }, .dilation = { 1, 1 }
  };
  SymOpForeignWindow window;
  SymId x;

  if (!begin (self, &window, &x, 4))
    return;
  x = convolve_channels (self, &window, x, (const gint64[]){ 1, 0, 2, 3 }, SYM_NO_ID);
  x = sym_op_foreign_conv (self, &pixel, x, sym_op_lower_input (self, 2),
                           sym_op_lower_input (self, 3));
  sym_op_lower_set_output (self, 0, sym_op_dl4j_activate (self, x));
}

/* ---- Pooling ---- */

/* For a rule all kinds are alike. */
static const char *
get_pooling (SymOpLower *self)
{
  const char *kind = sym_op_lower_get_string (self, "poolingType", "MAX");

  if (g_str_equal (kind, "AVG"))
    return "AveragePool";
  if (!g_str_equal (kind, "MAX") && !sym_op_lower_is_rule (self))
    sym_op_lower_refuse (self, "%s: pooling of type %s is not lowered",
                         sym_op_lower_get_type (self), kind);
  return "MaxPool";
}

static void
lower_pool (SymOpLower *self)
{
  SymOpForeignWindow window;
  SymId x;

  if (!begin (self, &window, &x, get_rank (self)))
    return;
  window.counts_pads = sym_op_lower_get_bool (self, "avgPoolIncludePadInDivisor", FALSE);
  sym_op_lower_set_output (self, 0, sym_op_foreign_pool (self, &window, get_pooling (self), x));
}

static void
lower_global_pool (SymOpLower *self)
{
  const char *kind = sym_op_lower_get_string (self, "poolingType", "MAX");
  gint64 axes[SYM_MAX_RANK];
  int rank;
  SymId x = sym_op_dl4j_input (self, &rank);

  for (int i = 0; i < MAX (rank - 2, 0); i++)
    axes[i] = i + 2;
  if (g_str_equal (kind, "PNORM") && sym_op_lower_get_int (self, "pnorm", 2) != 2)
    sym_op_lower_refuse (self, "%s: only the second norm is lowered", sym_op_lower_get_type (self));
  x = sym_op_foreign_reduce (self,
                             g_str_equal (kind, "AVG")     ? "ReduceMean"
                             : g_str_equal (kind, "SUM")   ? "ReduceSum"
                             : g_str_equal (kind, "PNORM") ? "ReduceL2"
                                                           : "ReduceMax",
                             x, rank, axes, MAX (rank - 2, 0),
                             !sym_op_lower_get_bool (self, "collapseDimensions", TRUE));
  sym_op_lower_set_output (self, 0, x);
}

/* ---- Edges ---- */

/* Before and after each axis behind the first two: [2 * n] numbers, or one for all. */
static gboolean
read_edges (SymOpLower *self, const char *name, int n, gint64 *before, gint64 *after)
{
  gint64 edges[6];

  if (!read_list (self, name, 2 * n, 0, edges))
    return FALSE;
  for (int i = 0; i < n; i++)
    {
      before[i] = edges[2 * i];
      after[i] = edges[2 * i + 1];
    }
  return TRUE;
}

static gboolean
begin_edges (SymOpLower *self, const char *name, SymId *x, gint64 *before, gint64 *after)
{
  int rank = get_rank (self), found;

  *x = sym_op_dl4j_input (self, &found);
  if (found != rank)
    sym_op_lower_fail (self, "%s: the input has %d axes, not %d", sym_op_lower_get_type (self),
                       found, rank);
  return !sym_op_lower_has_failed (self) && read_edges (self, name, rank - 2, before, after);
}

static void
lower_padding (SymOpLower *self)
{
  gint64 before[3], after[3], pads[10] = { 0 };
  int rank = get_rank (self);
  SymId x;

  if (!begin_edges (self, "padding", &x, before, after))
    return;
  for (int i = 0; i < rank - 2; i++)
    {
      pads[i + 2] = before[i];
      pads[rank + i + 2] = after[i];
    }
  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "Pad", x, sym_op_lower_ints (self, pads, 2 * rank)));
}

static void
lower_cropping (SymOpLower *self)
{
  const gint64 axes[] = { 2, 3, 4 };
  gint64 before[3], after[3];
  int n = get_rank (self) - 2;
  SymId x;

  if (!begin_edges (self, "cropping", &x, before, after))
    return;
  for (int i = 0; i < n; i++)
    after[i] = after[i] == 0 ? G_MAXINT64 : -after[i];
  sym_op_lower_set_output (self, 0, sym_op_foreign_slice (self, x, before, after, axes, NULL, n));
}

static void
lower_upsampling (SymOpLower *self)
{
  SymOpForeignWindow window;
  gint64 sizes[3];
  double scales[3];
  SymShape shape = { .rank = get_rank (self) };
  SymId x;

  if (!begin (self, &window, &x, shape.rank) || !read_list (self, "size", window.n, 1, sizes))
    return;
  for (int i = 0; i < window.n; i++)
    scales[i] = (double) sizes[i];
  sym_op_lower_set_output (
      self, 0,
      sym_op_foreign_resize (self, x, &shape, FALSE, NULL, scales, "nearest", "asymmetric"));
}

/* ---- Tables ---- */

static const SymSlotSpec one[] = { { "input" }, { NULL } };
static const SymSlotSpec weighted[] = {
  { "input" },
  { "W", SYM_SLOT_PARAMETER },
  { "b", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};
static const SymSlotSpec separable_slots[] = {
  { "input" },
  { "W", SYM_SLOT_PARAMETER },
  { "pW", SYM_SLOT_PARAMETER },
  { "b", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

#define PREPARED                                                                           \
  {                                                                                        \
    "preProcessor", SYM_ATTRIBUTE_ANY, "None", "what turns the input into the form wanted" \
  }
#define WINDOW                                                                             \
  { "kernelSize", SYM_ATTRIBUTE_INTS, "()", "size of the window" },                        \
      { "stride", SYM_ATTRIBUTE_INTS, "()", "distance of windows; 1 when empty" },         \
      { "dilation", SYM_ATTRIBUTE_INTS, "()", "distance of the places in a window" },      \
      { "padding", SYM_ATTRIBUTE_INTS, "()", "zeros put around the data, unless Same" },   \
      { "convolutionMode", SYM_ATTRIBUTE_STRING, "Truncate", "how windows meet the edges", \
        "Strict Truncate Same Causal" },                                                   \
      PREPARED

static const SymAttributeSpec conv_attributes[] = {
  { "nin", SYM_ATTRIBUTE_INT, "0", "channels of the input" },
  { "nout", SYM_ATTRIBUTE_INT, "0", "channels of the output" },
  { "hasBias", SYM_ATTRIBUTE_BOOL, "True", "whether a bias is added" },
  { "activationFn", SYM_ATTRIBUTE_ANY, "ActivationIdentity", "a function of the result" },
  { "depthMultiplier", SYM_ATTRIBUTE_INT, "1", "channels that are made of each" },
  WINDOW,
  { NULL },
};
static const SymAttributeSpec pool_attributes[] = {
  { "poolingType", SYM_ATTRIBUTE_STRING, "MAX", "what is taken of a window", "MAX AVG SUM PNORM" },
  { "pnorm", SYM_ATTRIBUTE_INT, "0", "which norm, for PNORM" },
  { "avgPoolIncludePadInDivisor", SYM_ATTRIBUTE_BOOL, "False", "whether zeros around count" },
  WINDOW,
  { NULL },
};
static const SymAttributeSpec global_attributes[] = {
  { "poolingType", SYM_ATTRIBUTE_STRING, "MAX", "what is taken of all places",
    "MAX AVG SUM PNORM" },
  { "pnorm", SYM_ATTRIBUTE_INT, "2", "which norm, for PNORM" },
  { "collapseDimensions", SYM_ATTRIBUTE_BOOL, "True", "whether the axes go" },
  PREPARED,
  { NULL },
};
static const SymAttributeSpec padding_attributes[] = {
  { "padding", SYM_ATTRIBUTE_INTS, "()", "zeros before and after each axis" },
  PREPARED,
  { NULL },
};
static const SymAttributeSpec cropping_attributes[] = {
  { "cropping", SYM_ATTRIBUTE_INTS, "()", "what goes before and after each axis" },
  PREPARED,
  { NULL },
};
static const SymAttributeSpec up_attributes[] = {
  { "size", SYM_ATTRIBUTE_INTS, "1", "how often each element is repeated" },
  PREPARED,
  { NULL },
};

const SymOperator sym_op_dl4j_window[] = {
  DL4J ("ConvolutionLayer",
        "convolution Convolution2D",
        "Convolution of images",
        WEIGHTS,
        weighted,
        conv_attributes,
        lower_conv),
  DL4J ("Convolution1DLayer",
        "convolution1d Convolution1D",
        "Convolution of sequences",
        WEIGHTS,
        weighted,
        conv_attributes,
        lower_conv),
  DL4J ("Convolution3D",
        NULL,
        "Convolution of volumes",
        WEIGHTS,
        weighted,
        conv_attributes,
        lower_conv),
  DL4J ("Deconvolution2D",
        NULL,
        "Transposed convolution of images",
        WEIGHTS,
        weighted,
        conv_attributes,
        lower_deconv),
  DL4J ("DepthwiseConvolution2D",
        NULL,
        "Convolution of each channel",
        WEIGHTS,
        weighted,
        conv_attributes,
        lower_depthwise),
  DL4J_COMPOSITE ("SeparableConvolution2D",
                  NULL,
                  "Convolution of each channel, then of each pixel",
                  separable_slots,
                  conv_attributes,
                  lower_separable),
  DL4J ("SubsamplingLayer",
        "subsampling Pooling2D",
        "Pooling of images",
        POOLING,
        one,
        pool_attributes,
        lower_pool),
  DL4J ("Subsampling1DLayer",
        "subsampling1d Pooling1D",
        "Pooling of sequences",
        POOLING,
        one,
        pool_attributes,
        lower_pool),
  DL4J ("Subsampling3DLayer",
        "Pooling3D",
        "Pooling of volumes",
        POOLING,
        one,
        pool_attributes,
        lower_pool),
  DL4J ("GlobalPoolingLayer",
        "GlobalPooling",
        "Pooling of all places",
        POOLING,
        one,
        global_attributes,
        lower_global_pool),
  DL4J ("ZeroPaddingLayer",
        "zeroPadding",
        "Zeros around images",
        SHAPE,
        one,
        padding_attributes,
        lower_padding),
  DL4J ("ZeroPadding1DLayer",
        "zeroPadding1d",
        "Zeros around sequences",
        SHAPE,
        one,
        padding_attributes,
        lower_padding),
  DL4J ("ZeroPadding3DLayer",
        NULL,
        "Zeros around volumes",
        SHAPE,
        one,
        padding_attributes,
        lower_padding),
  DL4J ("Cropping2D",
        "cropping2d",
        "Images without their edges",
        SHAPE,
        one,
        cropping_attributes,
        lower_cropping),
  DL4J ("Cropping1D",
        "cropping1d",
        "Sequences without their ends",
        SHAPE,
        one,
        cropping_attributes,
        lower_cropping),
  DL4J ("Cropping3D",
        NULL,
        "Volumes without their edges",
        SHAPE,
        one,
        cropping_attributes,
        lower_cropping),
  DL4J ("Upsampling2D",
        NULL,
        "Images made larger by repeating",
        SHAPE,
        one,
        up_attributes,
        lower_upsampling),
  DL4J ("Upsampling1D",
        NULL,
        "Sequences made longer by repeating",
        SHAPE,
        one,
        up_attributes,
        lower_upsampling),
  DL4J ("Upsampling3D",
        NULL,
        "Volumes made larger by repeating",
        SHAPE,
        one,
        up_attributes,
        lower_upsampling),
  { NULL },
};
