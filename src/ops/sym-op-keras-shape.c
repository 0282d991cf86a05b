/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras.h"

#include <string.h>

/* ---- Flatten, Reshape ---- */

/* With the channels first, they are moved to the end before. */
static gboolean
infer_flatten (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  SymTerms *terms = sym_rule_get_terms (rule);
  SymDim features = 1;

  if (shape.rank < 0)
    return sym_op_keras_set_like (rule, SYM_SHAPE (SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN), error);
  if (shape.rank == 0)
    return sym_rule_fail (error, "a number has no batch");
  for (int i = 1; i < shape.rank; i++)
    features = sym_terms_multiply (terms, features, shape.dims[i]);
  return sym_op_keras_set_like (rule, SYM_SHAPE (shape.dims[0], features), error);
}

static void
lower_flatten (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  SymId x = sym_op_lower_input (self, 0);

  if (sym_op_keras_is_channels_first (sym_op_keras_attributes (self)) && shape->rank > 2 &&
      shape->rank <= 5 && sym_attributes_find (sym_op_keras_attributes (self), "data_format"))
    x = sym_op_keras_channels_last (self, x, shape->rank - 2);
  sym_op_lower_finish (self, x);
}

/* target_shape leaves out the batch; one size may be -1. */
static gboolean
infer_reshape (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0), target = { .rank = 1 };
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "target_shape", sizes, SYM_MAX_RANK), open = -1;
  SymTerms *terms = sym_rule_get_terms (rule);
  SymDim features = 1;
  gint64 product = 1;

  if (n < 0 || n >= SYM_MAX_RANK)
    return sym_rule_fail (error, "target_shape must be a list of sizes");
  target.dims[0] = shape.rank > 0 ? shape.dims[0] : SYM_DIM_UNKNOWN;
  for (int i = 0; i < n; i++)
    {
      gboolean is_open = sizes[i] == -1 || sizes[i] == SYM_DIM_UNKNOWN;

      if ((is_open && open >= 0) || (!is_open && sizes[i] < 0))
        return sym_rule_fail (error, "target_shape has a size %" G_GINT64_FORMAT " that cannot be",
                              sizes[i]);
      if (is_open)
        open = i + 1;
      else if (sizes[i] > 0 && product > G_MAXINT64 / sizes[i])
        return sym_rule_fail (error, "target_shape is too large");
      else
        product *= sizes[i];
      target.dims[target.rank++] = is_open ? SYM_DIM_UNKNOWN : sizes[i];
    }
  /* The batch stays: what is after it has as many elements as before. */
  for (int i = 1; i < shape.rank; i++)
    features = sym_terms_multiply (terms, features, shape.dims[i]);
  if (shape.rank > 0 && features >= 0)
    {
      if (open < 0 ? product != features : product == 0 || features % product != 0)
        return sym_rule_fail (error,
                              "total size of new array must be unchanged, but %" G_GINT64_FORMAT
                              " elements do not form target_shape",
                              features);
      if (open > 0)
        target.dims[open] = features / product;
    }
  return sym_op_keras_set_like (rule, target, error);
}

static void
lower_finish (SymOpLower *self)
{
  sym_op_lower_finish (self, sym_op_lower_input (self, 0));
}

/* ---- Permute, RepeatVector ---- */

/* dims counts from 1 and leaves out the batch. */
static gboolean
read_dims (const SymAttributes *attributes, int rank, gint64 *axes, GError **error)
{
  const SymValue *value = sym_op_keras_find (attributes, "dims");
  int n = value == NULL ? -1 : sym_value_get_ints (value, axes + 1, SYM_MAX_RANK - 1);
  guint seen = 0;

  axes[0] = 0;
  for (int i = 1; i <= n && n < SYM_MAX_RANK; i++)
    seen |= axes[i] > 0 && axes[i] <= n ? 1u << axes[i] : 0;
  if (n < 1 || n + 1 != rank || seen != (1u << (n + 1)) - 2)
    return sym_rule_fail (error, "dims must be the %d axes after the batch in some order",
                          rank - 1);
  return TRUE;
}

static gboolean
infer_permute (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0), turned = shape;
  gint64 axes[SYM_MAX_RANK];

  if (shape.rank >= 0)
    {
      if (!read_dims (sym_rule_get_attributes (rule), shape.rank, axes, error))
        return FALSE;
      for (int i = 0; i < shape.rank; i++)
        turned.dims[i] = shape.dims[axes[i]];
    }
  return sym_op_keras_set_like (rule, turned, error);
}

static void
lower_permute (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank;
  gint64 axes[SYM_MAX_RANK];
  g_autoptr (GError) error = NULL;

  if (!read_dims (sym_op_keras_attributes (self), rank, axes, &error))
    sym_op_lower_fail (self, "%s", error->message);
  else
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_permute (self, sym_op_lower_input (self, 0), axes, rank));
}

static gboolean
infer_repeat (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  gint64 n = sym_rule_get_int (rule, "n", -1);
  gboolean known;

  if (n < 1)
    return sym_rule_fail (error, "n must be at least 1");
  if (!sym_op_keras_check_rank (rule, 2, &known, error))
    return FALSE;
  return sym_op_keras_set_like (rule,
                                SYM_SHAPE (known ? shape.dims[0] : SYM_DIM_UNKNOWN, n,
                                           known ? shape.dims[1] : SYM_DIM_UNKNOWN),
                                error);
}

static void
lower_repeat (SymOpLower *self)
{
  gint64 sizes[3] = { 1, sym_op_lower_get_int (self, "n", 1), 1 }, one = 1;
  SymId x = sym_op_lower_binary (self, "Unsqueeze", sym_op_lower_input (self, 0),
                                 sym_op_lower_ints (self, &one, 1));

  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "Expand", x, sym_op_lower_ints (self, sizes, 3)));
}

/* ---- Cropping, ZeroPadding, UpSampling ---- */

typedef struct {
  int n;
  gboolean channels_first;
  gint64 edges[3][2];
} Edges;

/* 1; (1, 2): both ends of one axis, else each of two axes; ((1, 1), (2, 2)). */
static gboolean
read_edges (const SymAttributes *attributes, const char *type, Edges *self, GError **error)
{
  const char *name = strncmp (type, "Crop", 4) == 0 ? "cropping" : "padding";
  const SymValue *value = sym_op_keras_find (attributes, name);
  gint64 flat[4] = { 1 };
  int n = value == NULL ? 1 : sym_value_get_ints (value, flat, 4);

  self->n = strstr (type, "1D") != NULL ? 1 : strstr (type, "3D") != NULL ? 3 : 2;
  self->channels_first = sym_op_keras_is_channels_first (attributes);
  for (int i = 0; i < self->n; i++)
    {
      const SymValue *pair = n < 0 && (guint) i < sym_value_get_n_children (value)
                                 ? sym_value_get_child (value, (guint) i)
                                 : NULL;
      gint64 *edge = self->edges[i];

      if (pair != NULL && sym_value_get_ints (pair, edge, 2) == 2)
        ;
      else if (n == 1 || (n == self->n && n > 1))
        edge[0] = edge[1] = flat[n == 1 ? 0 : i];
      else if (n == 2 * self->n)
        memcpy (edge, flat + 2 * i, 2 * sizeof *edge);
      else
        return sym_rule_fail (error, "%s must have a number for each edge", name);
      if (edge[0] < 0 || edge[1] < 0 || edge[0] > G_MAXINT32 || edge[1] > G_MAXINT32)
        return sym_rule_fail (error, "%s is out of range", name);
    }
  return TRUE;
}

static gboolean
infer_edges (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  SymTerms *terms = sym_rule_get_terms (rule);
  gboolean known, crops = strncmp (sym_rule_get_type (rule), "Crop", 4) == 0;
  Edges self;

  if (!read_edges (sym_rule_get_attributes (rule), sym_rule_get_type (rule), &self, error) ||
      !sym_op_keras_check_rank (rule, self.n + 2, &known, error))
    return FALSE;
  for (int i = 0; i < self.n && known; i++)
    {
      SymDim *dim = &shape.dims[i + (self.channels_first ? 2 : 1)];
      gint64 both = self.edges[i][0] + self.edges[i][1];

      if (crops && *dim >= 0 && *dim < both)
        return sym_rule_fail (
            error, "%" G_GINT64_FORMAT " elements cannot be cut off %" G_GINT64_FORMAT, both, *dim);
      *dim = crops ? sym_terms_subtract (terms, *dim, both) : sym_terms_add (terms, *dim, both);
    }
  return sym_op_keras_set_like (rule, shape, error);
}

static void
lower_edges (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  gboolean crops = strncmp (sym_op_lower_get_type (self), "Crop", 4) == 0;
  gint64 pads[2 * SYM_MAX_RANK] = { 0 };
  SymId x = sym_op_lower_input (self, 0);
  g_autoptr (GError) error = NULL;
  Edges edges;

  if (!read_edges (sym_op_keras_attributes (self), sym_op_lower_get_type (self), &edges, &error))
    {
      sym_op_lower_fail (self, "%s", error->message);
      return;
    }
  for (int i = 0; i < edges.n; i++)
    {
      int axis = i + (edges.channels_first ? 2 : 1);

      pads[axis] = edges.edges[i][0];
      pads[axis + shape->rank] = edges.edges[i][1];
      if (crops)
        x = sym_op_lower_slice (self, x, axis, edges.edges[i][0],
                                shape->dims[axis] - edges.edges[i][1], 1);
    }
  if (!crops)
    x = sym_op_lower_binary (self, "Pad", x, sym_op_lower_ints (self, pads, 2 * shape->rank));
  sym_op_lower_set_output (self, 0, x);
}

typedef struct {
  int n;
  gboolean channels_first;
  gint64 size[3];
} UpSampling;

static gboolean
read_up (const SymAttributes *attributes, const char *type, UpSampling *self, GError **error)
{
  self->n = strstr (type, "1D") != NULL ? 1 : strstr (type, "3D") != NULL ? 3 : 2;
  self->channels_first = sym_op_keras_is_channels_first (attributes);
  return sym_op_keras_get_ints (attributes, "size", self->n, 2, self->size, error);
}

static gboolean
infer_up (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  UpSampling self;
  gboolean known;

  if (!read_up (sym_rule_get_attributes (rule), sym_rule_get_type (rule), &self, error) ||
      !sym_op_keras_check_rank (rule, self.n + 2, &known, error))
    return FALSE;
  for (int i = 0; i < self.n && known; i++)
    {
      SymDim *dim = &shape.dims[i + (self.channels_first ? 2 : 1)];

      *dim = sym_terms_multiply (sym_rule_get_terms (rule), *dim, self.size[i]);
    }
  return sym_op_keras_set_like (rule, shape, error);
}

/* Pixels have their centre in their middle, as in TensorFlow 2. */
static void
lower_up (SymOpLower *self)
{
  const SymAttributes *attributes = sym_op_keras_attributes (self);
  const char *how = sym_op_keras_get_string (attributes, "interpolation", "nearest");
  gboolean is_centred = strcmp (how, "nearest") != 0 &&
                        sym_attributes_get_bool (attributes, "half_pixel_centers", TRUE);
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  g_autoptr (GError) error = NULL;
  SymShape target = *shape;
  UpSampling up;

  if (!read_up (attributes, sym_op_lower_get_type (self), &up, &error))
    {
      sym_op_lower_fail (self, "%s", error->message);
      return;
    }
  for (int i = 0; i < up.n; i++)
    target.dims[i + (up.channels_first ? 2 : 1)] *= up.size[i];
  sym_op_lower_set_output (self, 0,
                           sym_op_keras_resize (self, sym_op_lower_input (self, 0), shape, &target,
                                                how, is_centred ? "half_pixel" : "asymmetric",
                                                "floor", FALSE));
}

/* ---- Tables ---- */

#define FORMAT                                                                      \
  {                                                                                 \
    "data_format", SYM_ATTRIBUTE_STRING, "channels_last", "where the channels are", \
        "channels_first channels_last"                                              \
  }

static const SymAttributeSpec flatten_attributes[] = { FORMAT, { NULL } };

static const SymAttributeSpec reshape_attributes[] = {
  { "target_shape", SYM_ATTRIBUTE_INTS, NULL, "sizes after the batch; -1 is what is left over" },
  { NULL },
};

static const SymAttributeSpec permute_attributes[] = {
  { "dims", SYM_ATTRIBUTE_INTS, NULL, "the axes after the batch, from 1, in their new order" },
  { NULL },
};

static const SymAttributeSpec repeat_attributes[] = {
  { "n", SYM_ATTRIBUTE_INT, NULL, "how many times" },
  { NULL },
};

static const SymAttributeSpec crop_attributes[] = {
  { "cropping", SYM_ATTRIBUTE_ANY, "1", "what is cut off each edge" },
  FORMAT,
  { NULL },
};

static const SymAttributeSpec pad_attributes[] = {
  { "padding", SYM_ATTRIBUTE_ANY, "1", "zeros added at each edge" },
  FORMAT,
  { NULL },
};

static const SymAttributeSpec up_attributes[] = {
  { "size", SYM_ATTRIBUTE_INTS, "2", "how many times larger" },
  { "interpolation", SYM_ATTRIBUTE_STRING, "nearest", "what is put between" },
  { "half_pixel_centers", SYM_ATTRIBUTE_BOOL, "True", "whether samples are at centres of pixels" },
  FORMAT,
  { NULL },
};

#define SHAPE(name_, summary_, attributes_, infer_, lower_)                               \
  {                                                                                       \
    SYM_OP_KERAS, .name = name_, .summary = summary_, .reference = "keras.layers." name_, \
                  .category = SYM_CATEGORY_SHAPE, .attributes = attributes_,              \
                  .slots = sym_op_keras_one, .infer = infer_, .lower = lower_,            \
  }

const SymOperator sym_op_keras_shape[] = {
  SHAPE ("Cropping1D", "Without the ends", crop_attributes, infer_edges, lower_edges),
  SHAPE ("Cropping2D", "Images without their edges", crop_attributes, infer_edges, lower_edges),
  SHAPE ("Cropping3D", "Volumes without their sides", crop_attributes, infer_edges, lower_edges),
  SHAPE ("Flatten",
         "All axes after the batch as one",
         flatten_attributes,
         infer_flatten,
         lower_flatten),
  SHAPE ("Permute", "Axes in another order", permute_attributes, infer_permute, lower_permute),
  SHAPE ("RepeatVector",
         "A vector several times, as a sequence",
         repeat_attributes,
         infer_repeat,
         lower_repeat),
  SHAPE ("Reshape",
         "The same numbers in another shape",
         reshape_attributes,
         infer_reshape,
         lower_finish),
  SHAPE ("UpSampling1D", "Each step several times", up_attributes, infer_up, lower_up),
  SHAPE ("UpSampling2D", "Larger images", up_attributes, infer_up, lower_up),
  SHAPE ("UpSampling3D", "Larger volumes", up_attributes, infer_up, lower_up),
  SHAPE ("ZeroPadding1D", "Zeros at both ends", pad_attributes, infer_edges, lower_edges),
  SHAPE ("ZeroPadding2D", "Images with zeros around", pad_attributes, infer_edges, lower_edges),
  SHAPE ("ZeroPadding3D", "Volumes with zeros around", pad_attributes, infer_edges, lower_edges),
  { NULL },
};
