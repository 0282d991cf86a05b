/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-nnvm.h"

#include <string.h>

/* Images: convolutions, pooling, and what makes them larger.  Layouts are texts of letters, a place
 * for each: "NCHW", "NHWC"; those that split the channels, "NCHW16c", are of compiled graphs and
 * not known here. */

/* ---- Layouts ---- */

/* Where each letter of @letters is in a layout; FALSE when one is not there exactly once. */
static gboolean
find_letters (const char *layout, const char *letters, int places[4])
{
  if (strlen (layout) != 4)
    return FALSE;
  for (int i = 0; i < 4; i++)
    {
      const char *at = strchr (layout, letters[i]);

      if (at == NULL)
        return FALSE;
      places[i] = (int) (at - layout);
    }
  return TRUE;
}

/* What an image layer is told. */
typedef struct {
  int data[4];   /* where N, C, H and W are */
  int kernel[4]; /* O, I, H, W */
  gint64 size[2], stride[2], dilation[2], before[2], after[2], more[2];
  gint64 channels, groups;
} Images;

/* Rules and lowerings ask alike. */
typedef struct {
  const SymAttributes *attributes;
  const char *size; /* the attribute that says it; NULL for none */
} Question;

static gboolean
read_pair (const Question *self, const char *name, gint64 fallback, gint64 values[2])
{
  const SymValue *value = sym_attributes_find (self->attributes, name);
  gint64 given[2];
  int n = value == NULL ? 0 : sym_value_get_ints (value, given, 2);

  for (int i = 0; i < 2; i++)
    values[i] = n == 2 ? given[i] : n == 1 ? given[0] : fallback;
  return n >= 0 && n <= 2 && MAX (values[0], values[1]) <= G_MAXINT32 &&
         MIN (values[0], values[1]) >= 0;
}

/* One number for all sides, two for rows and columns, or four: top, left, bottom, right. */
static gboolean
read_padding (const Question *self, Images *images)
{
  const SymValue *value = sym_attributes_find (self->attributes, "padding");
  gint64 given[4];
  int n = value == NULL ? 0 : sym_value_get_ints (value, given, 4);

  if (n != 4)
    {
      memset (images->after, 0, sizeof images->after);
      if (!read_pair (self, "padding", 0, images->before))
        return FALSE;
      memcpy (images->after, images->before, sizeof images->after);
      return TRUE;
    }
  for (int i = 0; i < 4; i++)
    {
      if (given[i] < 0 || given[i] > G_MAXINT32)
        return FALSE;
      *(i < 2 ? &images->before[i] : &images->after[i - 2]) = given[i];
    }
  return TRUE;
}

/* FALSE when nothing is known of such a layout. */
static gboolean
read_layout (const Question *self, Images *images)
{
  const char *layout = sym_attributes_get_string (self->attributes, "layout", "NCHW");
  const char *out = sym_attributes_get_string (self->attributes, "out_layout", "__undef__");
  const char *kernel = sym_attributes_get_string (self->attributes, "kernel_layout", "OIHW");

  return find_letters (layout, "NCHW", images->data) &&
         find_letters (kernel, "OIHW", images->kernel) &&
         (g_str_equal (out, "__undef__") || g_str_equal (out, layout));
}

static gboolean
read_numbers (const Question *self, Images *images)
{
  images->channels = sym_attributes_get_int (self->attributes, "channels", 0);
  images->groups = sym_attributes_get_int (self->attributes, "groups", 1);
  images->size[0] = images->size[1] = 1;
  return read_padding (self, images) && read_pair (self, "strides", 1, images->stride) &&
         read_pair (self, "dilation", 1, images->dilation) &&
         read_pair (self, "output_padding", 0, images->more) &&
         (self->size == NULL || read_pair (self, self->size, 1, images->size)) &&
         images->groups > 0 && images->channels >= 0 && images->channels <= G_MAXINT32 &&
         images->channels % images->groups == 0 && images->groups <= G_MAXINT32 &&
         MIN (images->stride[0], images->stride[1]) > 0 &&
         MIN (images->size[0], images->size[1]) > 0 &&
         MIN (images->dilation[0], images->dilation[1]) > 0;
}

/* ---- Rules ---- */

/* Reads what the layer is told, and the data, whose rank is 4.  *@known is FALSE when its layout is
 * not one of images. */
static gboolean
begin (SymRule *rule,
       const char *size,
       Images *images,
       SymShape *data,
       gboolean *known,
       GError **error)
{
  const Question question = { sym_rule_get_attributes (rule), size };

  *known = read_layout (&question, images);
  if (!*known)
    return TRUE;
  if (!read_numbers (&question, images))
    return sym_rule_fail (error, "its sizes, steps or groups make no sense");
  *data = SYM_SHAPE (SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN);
  if (!sym_rule_set_input (rule, 0, data, error))
    return FALSE;
  *data = sym_rule_get_input (rule, 0);
  return sym_rule_tie_dtypes (rule, 0, G_MAXUINT - 1, error);
}

static SymOpWindow
get_window (const Images *images, int i, gboolean up)
{
  return (SymOpWindow){ images->size[i],   images->stride[i], images->dilation[i],
                        images->before[i], images->after[i],  up };
}

/* What comes out is laid out as the data. */
static gboolean
set_output (SymRule *rule,
            const Images *images,
            SymDim batch,
            SymDim channels,
            const SymDim sizes[2],
            GError **error)
{
  SymShape out = SYM_SHAPE (0, 0, 0, 0);

  out.dims[images->data[0]] = batch;
  out.dims[images->data[1]] = channels;
  out.dims[images->data[2]] = sizes[0];
  out.dims[images->data[3]] = sizes[1];
  return sym_rule_set_output (rule, 0, &out, error);
}

static gboolean
set_weights (SymRule *rule, const Images *images, SymDim out, SymDim in, GError **error)
{
  SymShape weight = SYM_SHAPE (0, 0, 0, 0);

  weight.dims[images->kernel[0]] = out;
  weight.dims[images->kernel[1]] = in;
  weight.dims[images->kernel[2]] = images->size[0];
  weight.dims[images->kernel[3]] = images->size[1];
  if (!sym_rule_set_input (rule, 1, &weight, error))
    return FALSE;
  return images->channels < 1 || sym_op_set_input (rule, 2, SYM_SHAPE (images->channels), error);
}

/* A part of the channels for each group. */
static gboolean
divide_channels (SymRule *rule, SymDim channels, gint64 groups, SymDim *part, GError **error)
{
  *part = SYM_DIM_UNKNOWN;
  if (groups == 1)
    *part = channels;
  else if (channels >= 0 && channels % groups != 0)
    return sym_rule_fail (
        error, "%" G_GINT64_FORMAT " channels cannot be parted into %" G_GINT64_FORMAT " groups",
        channels, groups);
  else if (channels >= 0)
    *part = channels / groups;
  return TRUE;
}

/* data [N, C, H, W], weight [channels, C / groups, h, w], bias [channels]. */
static gboolean
infer_conv (SymRule *rule, GError **error)
{
  SymDim sizes[2], part;
  SymShape data;
  Images images;
  gboolean known;

  if (!begin (rule, "kernel_size", &images, &data, &known, error))
    return FALSE;
  if (!known)
    return TRUE;
  for (int i = 0; i < 2; i++)
    {
      SymOpWindow window = get_window (&images, i, FALSE);

      if (!sym_op_slide (rule, data.dims[images.data[2 + i]], &window, &sizes[i], error))
        return FALSE;
    }
  return divide_channels (rule, data.dims[images.data[1]], images.groups, &part, error) &&
         set_weights (rule, &images, images.channels > 0 ? images.channels : SYM_DIM_UNKNOWN, part,
                      error) &&
         set_output (rule, &images, data.dims[images.data[0]],
                     images.channels > 0 ? images.channels : SYM_DIM_UNKNOWN, sizes, error);
}

/* weight [C, channels / groups, h, w] */
static gboolean
infer_conv_transpose (SymRule *rule, GError **error)
{
  SymDim sizes[2], channels;
  SymShape data;
  Images images;
  gboolean known;

  if (!begin (rule, "kernel_size", &images, &data, &known, error))
    return FALSE;
  if (!known)
    return TRUE;
  for (int i = 0; i < 2; i++)
    {
      SymOpWindow window = get_window (&images, i, FALSE);

      if (!sym_op_unslide (rule, data.dims[images.data[2 + i]], &window, images.more[i], &sizes[i],
                           error))
        return FALSE;
    }
  channels = images.channels > 0 ? images.channels : SYM_DIM_UNKNOWN;
  return set_weights (rule, &images, data.dims[images.data[1]],
                      channels > 0 ? channels / images.groups : SYM_DIM_UNKNOWN, error) &&
         set_output (rule, &images, data.dims[images.data[0]], channels, sizes, error);
}

static gboolean
infer_pool (SymRule *rule, GError **error)
{
  gboolean up = sym_rule_get_bool (rule, "ceil_mode", FALSE), known;
  SymDim sizes[2];
  SymShape data;
  Images images;

  if (!begin (rule, "pool_size", &images, &data, &known, error))
    return FALSE;
  if (!known)
    return TRUE;
  for (int i = 0; i < 2; i++)
    {
      SymOpWindow window = get_window (&images, i, up);

      if (!sym_op_slide (rule, data.dims[images.data[2 + i]], &window, &sizes[i], error))
        return FALSE;
    }
  return set_output (rule, &images, data.dims[images.data[0]], data.dims[images.data[1]], sizes,
                     error);
}

static gboolean
infer_pool_all (SymRule *rule, GError **error)
{
  const SymDim ones[2] = { 1, 1 };
  SymShape data;
  Images images;
  gboolean known;

  return begin (rule, NULL, &images, &data, &known, error) &&
         (!known || set_output (rule, &images, data.dims[images.data[0]], data.dims[images.data[1]],
                                ones, error));
}

/* `scale` times as large, or of the given `size`. */
static gboolean
infer_resize (SymRule *rule, GError **error)
{
  const Question question = { sym_rule_get_attributes (rule), NULL };
  gint64 scale = sym_rule_get_int (rule, "scale", 0), given[2];
  gboolean is_given = sym_attributes_find (question.attributes, "size") != NULL, known;
  SymDim sizes[2];
  SymShape data;
  Images images;

  if (!begin (rule, NULL, &images, &data, &known, error))
    return FALSE;
  if (!known)
    return TRUE;
  if (is_given ? !read_pair (&question, "size", 0, given) : scale < 1 || scale > G_MAXINT32)
    return sym_rule_fail (error, "its size or scale makes no sense");
  for (int i = 0; i < 2; i++)
    sizes[i] = is_given ? given[i]
                        : sym_terms_multiply (sym_rule_get_terms (rule),
                                              data.dims[images.data[2 + i]], scale);
  return set_output (rule, &images, data.dims[images.data[0]], data.dims[images.data[1]], sizes,
                     error);
}

/* ---- Lowering ---- */

static gboolean
begin_lowering (SymOpLower *self, const char *size, Images *images, SymOpForeignWindow *window)
{
  const Question question = { sym_layer_get_attributes (sym_op_lower_get_layer (self)), size };

  if (!read_layout (&question, images) || !read_numbers (&question, images))
    {
      sym_op_lower_refuse (self, "%s: its layout is not lowered", sym_op_lower_get_type (self));
      return FALSE;
    }
  if (!sym_op_foreign_begin (self, 0, window) || window->n != 2)
    return FALSE;
  window->groups = images->groups;
  window->up = sym_op_lower_get_bool (self, "ceil_mode", FALSE);
  window->counts_pads = sym_op_lower_get_bool (self, "count_include_pad", FALSE);
  for (int i = 0; i < 2; i++)
    {
      window->kernel[i] = images->size[i];
      window->stride[i] = images->stride[i];
      window->dilation[i] = images->dilation[i];
      window->before[i] = images->before[i];
      window->after[i] = images->after[i];
    }
  return TRUE;
}

/* @x with axes in the order of @places. */
static SymId
arrange (SymOpLower *self, SymId x, const int places[4])
{
  const gint64 axes[4] = { places[0], places[1], places[2], places[3] };

  if (axes[0] == 0 && axes[1] == 1 && axes[2] == 2)
    return x;
  return sym_op_lower_permute (self, x, axes, 4);
}

/* And back. */
static void
finish (SymOpLower *self, const Images *images, SymId x)
{
  gint64 axes[4];

  for (int i = 0; i < 4; i++)
    axes[images->data[i]] = i;
  if (axes[1] != 1 || axes[2] != 2 || axes[0] != 0)
    x = sym_op_lower_permute (self, x, axes, 4);
  sym_op_lower_set_output (self, 0, x);
}

static SymId
take_data (SymOpLower *self, const Images *images)
{
  return arrange (self, sym_op_lower_input (self, 0), images->data);
}

static void
lower_conv (SymOpLower *self)
{
  SymOpForeignWindow window;
  Images images;
  SymId weight;

  if (!begin_lowering (self, "kernel_size", &images, &window) ||
      !sym_op_lower_need_tensor (self, 1))
    return;
  weight = arrange (self, sym_op_lower_input (self, 1), images.kernel);
  finish (self, &images,
          sym_op_foreign_conv (self, &window, take_data (self, &images), weight,
                               sym_op_lower_input (self, 2)));
}

static void
lower_conv_transpose (SymOpLower *self)
{
  SymOpForeignWindow window;
  Images images;
  SymId weight;

  if (!begin_lowering (self, "kernel_size", &images, &window) ||
      !sym_op_lower_need_tensor (self, 1))
    return;
  weight = arrange (self, sym_op_lower_input (self, 1), images.kernel);
  finish (self, &images,
          sym_op_foreign_conv_transpose (self, &window, take_data (self, &images), weight,
                                         sym_op_lower_input (self, 2), images.more));
}

static gboolean
is_of_max (SymOpLower *self)
{
  return strstr (sym_op_lower_get_type (self), "max") != NULL;
}

static void
lower_pool (SymOpLower *self)
{
  SymOpForeignWindow window;
  Images images;

  if (begin_lowering (self, "pool_size", &images, &window))
    finish (self, &images,
            sym_op_foreign_pool (self, &window, is_of_max (self) ? "MaxPool" : "AveragePool",
                                 take_data (self, &images)));
}

static void
lower_pool_all (SymOpLower *self)
{
  SymOpForeignWindow window;
  Images images;

  if (begin_lowering (self, NULL, &images, &window))
    finish (self, &images,
            sym_op_foreign_pool_all (self, &window, is_of_max (self) ? "ReduceMax" : "ReduceMean",
                                     take_data (self, &images)));
}

/* Where no method is told, upsampling repeats and resizing interpolates. */
static void
lower_resize (SymOpLower *self)
{
  const char *method = sym_op_lower_get_string (
      self, "method",
      g_str_equal (sym_op_lower_get_type (self), "resize") ? "BILINEAR" : "NEAREST_NEIGHBOR");
  gboolean is_near = g_str_equal (method, "NEAREST_NEIGHBOR");
  gboolean is_aligned = !is_near && sym_op_lower_get_bool (self, "align_corners", FALSE);
  const SymShape *out = sym_op_lower_get_output_shape (self, 0);
  SymOpForeignWindow window;
  Images images;
  gint64 sizes[2];
  SymShape shape;

  if (!begin_lowering (self, NULL, &images, &window))
    return;
  shape = SYM_SHAPE (0, 0, 0, 0);
  for (int i = 0; i < 4; i++)
    shape.dims[i] = sym_op_lower_get_input_shape (self, 0)->dims[images.data[i]];
  for (int i = 0; i < 2; i++)
    sizes[i] = out->rank == 4 ? out->dims[images.data[2 + i]] : -1;
  finish (self, &images,
          sym_op_foreign_resize (self, take_data (self, &images), &shape, FALSE, sizes, NULL,
                                 is_near ? "nearest" : "linear",
                                 is_aligned ? "align_corners" : "asymmetric"));
}

/* ---- Table ---- */

#define LAYOUT                                                             \
  {                                                                        \
    "layout", SYM_ATTRIBUTE_STRING, "NCHW", "the order of the data's axes" \
  }

static const SymAttributeSpec conv_attributes[] = {
  { "channels", SYM_ATTRIBUTE_INT, NULL, "channels of the result" },
  { "kernel_size", SYM_ATTRIBUTE_INTS, NULL, "size of the window" },
  { "strides", SYM_ATTRIBUTE_INTS, "(1, 1)", "steps of the window" },
  { "padding", SYM_ATTRIBUTE_INTS, "(0, 0)", "zeros around the data" },
  { "output_padding", SYM_ATTRIBUTE_INTS, "(0, 0)", "added to the end of the result" },
  { "dilation", SYM_ATTRIBUTE_INTS, "(1, 1)", "distance of the places in a window" },
  { "groups", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  LAYOUT,
  { "kernel_layout", SYM_ATTRIBUTE_STRING, "OIHW", "the order of the weight's axes" },
  { "out_layout", SYM_ATTRIBUTE_STRING, "__undef__", "that of the result's" },
  { "out_dtype", SYM_ATTRIBUTE_STRING, "same", "dtype of the result" },
  { "use_bias", SYM_ATTRIBUTE_BOOL, "True", "whether there is a bias" },
  { NULL },
};

static const SymAttributeSpec pool_attributes[] = {
  { "pool_size", SYM_ATTRIBUTE_INTS, NULL, "size of the window" },
  { "strides", SYM_ATTRIBUTE_INTS, "(1, 1)", "steps of the window" },
  { "padding", SYM_ATTRIBUTE_INTS, "(0, 0)",
    "what is added around: rows and columns, or top, left, bottom, right" },
  LAYOUT,
  { "ceil_mode", SYM_ATTRIBUTE_BOOL, "False", "whether a last, partly filled place counts" },
  { "count_include_pad", SYM_ATTRIBUTE_BOOL, "False", "whether what is added counts in means" },
  { NULL },
};

static const SymAttributeSpec layout_attributes[] = { LAYOUT, { NULL } };

static const SymAttributeSpec resize_attributes[] = {
  { "scale", SYM_ATTRIBUTE_INT, "None", "how many times as large" },
  { "size", SYM_ATTRIBUTE_INTS, "None", "rows and columns of the result" },
  LAYOUT,
  { "method", SYM_ATTRIBUTE_STRING, "None", "how places between are filled",
    "NEAREST_NEIGHBOR BILINEAR" },
  { "align_corners", SYM_ATTRIBUTE_BOOL, "False", "whether the corners meet" },
  { NULL },
};

#define WINDOW(name_, summary_, category_, slots_, attributes_, infer_, lower_)    \
  {                                                                                \
    NNVM (name_, summary_, category_), .slots = slots_, .attributes = attributes_, \
                                       .infer = infer_, .lower = lower_            \
  }
#define POOL(name_, summary_) \
  WINDOW (name_, summary_, POOLING, sym_op_nnvm_data, pool_attributes, infer_pool, lower_pool)
#define POOL_ALL(name_, summary_)                                                        \
  WINDOW (name_, summary_, POOLING, sym_op_nnvm_data, layout_attributes, infer_pool_all, \
          lower_pool_all)

const SymOperator sym_op_nnvm_window[] = {
  { NNVM ("conv2d", "Slides filters over images", WEIGHTS), .slots = sym_op_nnvm_weighted,
    .attributes = conv_attributes, .get_n_operands = sym_op_nnvm_get_n_with_bias,
    .infer = infer_conv, .lower = lower_conv },
  { NNVM ("conv2d_transpose", "Spreads each element over a window", WEIGHTS),
    .slots = sym_op_nnvm_weighted, .attributes = conv_attributes,
    .get_n_operands = sym_op_nnvm_get_n_with_bias, .infer = infer_conv_transpose,
    .lower = lower_conv_transpose },
  POOL ("max_pool2d", "Greatest element of each window"),
  POOL ("avg_pool2d", "Mean of each window"),
  POOL_ALL ("global_max_pool2d", "Greatest element of each channel"),
  POOL_ALL ("global_avg_pool2d", "Mean of each channel"),
  WINDOW ("upsampling",
          "Larger images",
          SHAPE,
          sym_op_nnvm_data,
          resize_attributes,
          infer_resize,
          lower_resize),
  WINDOW ("resize",
          "Images of another size",
          SHAPE,
          sym_op_nnvm_data,
          resize_attributes,
          infer_resize,
          lower_resize),
  { NULL },
};
