/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-dl4j.h"

#include <string.h>

/* What prepares the input of a layer: `preProcessor`. */

static gint64
find_size (const SymAttributes *attributes, const char *key)
{
  double n = sym_op_dl4j_get_number (attributes, "preProcessor", key, 0);

  return n >= 1 && n <= G_MAXINT32 ? (gint64) n : SYM_DIM_UNKNOWN;
}

static gint64
get_size (SymOpLower *self, const char *key)
{
  gint64 n = find_size (sym_op_dl4j_attributes (self), key);

  return n == SYM_DIM_UNKNOWN ? -1 : n;
}

/* [N, ...] of sizes told by @keys, -1 for one that is not. */
static SymId
shape_as (SymOpLower *self, SymId x, const char *const *keys, gint64 first)
{
  gint64 sizes[SYM_MAX_RANK] = { first };
  int n = 1;

  for (guint i = 0; keys[i] != NULL; i++)
    sizes[n++] = get_size (self, keys[i]);
  return sym_op_foreign_reshape (self, x, sizes, n, TRUE);
}

static SymId
flatten (SymOpLower *self, SymId x, const char *const *keys)
{
  gint64 sizes[] = { 0, 1 };

  for (guint i = 0; keys[i] != NULL; i++)
    {
      gint64 size = get_size (self, keys[i]);

      sizes[1] = size < 0 || sizes[1] < 0 ? -1 : sym_op_foreign_multiply (self, sizes[1], size);
    }
  return sym_op_foreign_reshape (self, x, sizes, 2, TRUE);
}

static const char *const *
list_image (const SymAttributes *attributes)
{
  static const char *const image[] = { "numChannels", "inputHeight", "inputWidth", NULL };

  return image;
}

/* Channels are first where the file does not say otherwise. */
static const char *const *
list_volume (const SymAttributes *attributes)
{
  static const char *const channels_first[] = { "numChannels", "inputDepth", "inputHeight",
                                                "inputWidth", NULL };
  static const char *const channels_last[] = { "inputDepth", "inputHeight", "inputWidth",
                                               "numChannels", NULL };
  double is_first = sym_op_dl4j_get_number (attributes, "preProcessor", "ncdhw", 1);

  is_first = sym_op_dl4j_get_number (attributes, "preProcessor", "isNCDHW", is_first);
  return is_first != 0 ? channels_first : channels_last;
}

/* "CnnToFeedForwardPreProcessor", "cnnToFeedForward" */
static gboolean
is_called (const char *how, const char *name)
{
  gsize n = strlen (name);

  return g_ascii_strncasecmp (how, name, n) == 0 &&
         (how[n] == '\0' || g_str_equal (how + n, "PreProcessor"));
}

/* [N, F, T] as [T, N, F]: step by step, each of all examples, as there. */
static SymId
order_by_step (SymOpLower *self, SymId x)
{
  return sym_op_lower_transpose (self, x, 3, 2, 0, 1);
}

/* [N, F, T] as [T * N, F]. */
static SymId
fold_steps (SymOpLower *self, SymId x)
{
  gint64 sizes[] = { -1, sym_op_foreign_size (self, 0, 1) };

  return sym_op_foreign_reshape (self, order_by_step (self, x), sizes, 2, FALSE);
}

/* [T * N, F] as [N, F, T].  There the examples of a batch are counted at the input of the whole
 * network: what both sizes are cannot be told of their product.  What the rule makes is only of
 * that shape. */
static SymId
unfold_steps (SymOpLower *self, const char *how, SymId x)
{
  const gint64 last = 2;
  SymId unknown;

  if (!sym_op_lower_is_rule (self))
    sym_op_lower_refuse (self,
                         "%s: how many of the rows that “%s” parts are steps of one example is not "
                         "in the file",
                         sym_op_lower_get_type (self), how);
  unknown = sym_op_lower_fill (self, SYM_DTYPE_BOOL, &SYM_SHAPE (1), 1);
  x = sym_op_foreign_unsqueeze (self, x, &last, 1);
  for (gint64 axis = 0; axis <= last; axis += last)
    x = sym_op_lower_call (self, "Compress", SYM_IDS (x, unknown), "axis", sym_value_new_int (axis),
                           NULL);
  return x;
}

/* Sequences have their features before their steps here. */
static void
check_format (SymOpLower *self, const char *how)
{
  const char *format =
      sym_op_dl4j_get_word (sym_op_dl4j_attributes (self), "preProcessor", "rnnDataFormat");

  if (g_strcmp0 (format, "NWC") == 0)
    sym_op_lower_refuse (self, "%s: features that come last are not lowered (“%s”)",
                         sym_op_lower_get_type (self), how);
}

/* What comes to the layer, and how it is to be prepared. */
typedef struct {
  const char *how;
  const char *const *sizes; /* of images or volumes, there or in what is made; NULL for neither */
  SymId x;
  int rank;
} Input;

static SymId
make_rows (SymOpLower *self, const Input *input)
{
  return flatten (self, input->x, input->sizes);
}

static SymId
make_rows_of_channels_last (SymOpLower *self, const Input *input)
{
  return flatten (self, sym_op_foreign_channels_last (self, input->x, 4), input->sizes);
}

static SymId
make_rows_of_steps (SymOpLower *self, const Input *input)
{
  return fold_steps (self, input->x);
}

static SymId
make_grids (SymOpLower *self, const Input *input)
{
  return shape_as (self, input->x, input->sizes, 0);
}

static SymId
make_grids_of_steps (SymOpLower *self, const Input *input)
{
  return shape_as (self, order_by_step (self, input->x), input->sizes, -1);
}

static SymId
make_steps (SymOpLower *self, const Input *input)
{
  return unfold_steps (self, input->how, input->rank == 4 ? make_rows (self, input) : input->x);
}

/* What has another number of axes than @from stays as it is, as there: it is of the wanted form
 * already. */
typedef struct {
  const char *name;
  int from; /* 0 for any */
  int to;
  const char *const *(*list) (const SymAttributes *attributes); /* the sizes */
  SymId (*make) (SymOpLower *self, const Input *input);
  gboolean wants_sizes; /* of its input */
} Preparation;

static const Preparation preparations[] = {
  { "CnnToFeedForward", 4, 2, list_image, make_rows, TRUE },
  { "TensorFlowCnnToFeedForward", 4, 2, list_image, make_rows_of_channels_last, TRUE },
  { "Cnn3DToFeedForward", 5, 2, list_volume, make_rows, TRUE },
  { "RnnToFeedForward", 0, 2, NULL, make_rows_of_steps, FALSE },
  { "FeedForwardToCnn", 2, 4, list_image, make_grids, FALSE },
  { "FeedForwardToCnn3D", 2, 5, list_volume, make_grids, FALSE },
  { "RnnToCnn", 0, 4, list_image, make_grids_of_steps, FALSE },
  { "CnnToRnn", 0, 3, list_image, make_steps, TRUE },
  { "FeedForwardToRnn", 0, 3, list_image, make_steps, FALSE },
};

static const Preparation *
find_preparation (const char *how)
{
  for (guint i = 0; how != NULL && i < G_N_ELEMENTS (preparations); i++)
    if (is_called (how, preparations[i].name))
      return &preparations[i];
  return NULL;
}

static SymId
prepare (SymOpLower *self, const char *how, SymId x, int *rank)
{
  const Preparation *preparation = find_preparation (how);
  const SymAttributes *attributes = sym_op_dl4j_attributes (self);
  Input input = { how, NULL, x, *rank };

  check_format (self, how);
  if (preparation == NULL)
    {
      sym_op_lower_refuse (self, "%s: what “%s” makes of the input is not lowered",
                           sym_op_lower_get_type (self), how);
      return x;
    }
  if (preparation->list != NULL)
    input.sizes = preparation->list (attributes);
  *rank = preparation->to;
  return preparation->from == 0 || preparation->from == input.rank
             ? preparation->make (self, &input)
             : x;
}

SymShape
sym_op_dl4j_get_wanted (const SymAttributes *attributes)
{
  const Preparation *preparation =
      find_preparation (sym_op_dl4j_get_class (attributes, "preProcessor"));
  SymShape shape = SYM_SHAPE (SYM_DIM_UNKNOWN);

  if (preparation == NULL || !preparation->wants_sizes)
    return SYM_SHAPE_UNKNOWN;
  for (const char *const *keys = preparation->list (attributes); *keys != NULL; keys++)
    shape.dims[shape.rank++] = find_size (attributes, *keys);
  return shape;
}

SymId
sym_op_dl4j_input (SymOpLower *self, int *rank)
{
  const char *how = sym_op_dl4j_get_class (sym_op_dl4j_attributes (self), "preProcessor");
  SymId x = sym_op_lower_input (self, 0);

  *rank = sym_op_foreign_rank (self, 0);
  return how == NULL ? x : prepare (self, how, x, rank);
}
