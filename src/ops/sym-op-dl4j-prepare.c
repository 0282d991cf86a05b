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

static const char *const image[] = { "numChannels", "inputHeight", "inputWidth", NULL };

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

/* One that is of the wanted form already stays as it is, as there. */
static SymId
prepare (SymOpLower *self, const char *how, SymId x, int *rank)
{
  const char *const *volume = list_volume (sym_op_dl4j_attributes (self));
  int before = *rank;

  check_format (self, how);
  if (is_called (how, "CnnToFeedForward") || is_called (how, "TensorFlowCnnToFeedForward"))
    {
      *rank = 2;
      if (g_str_has_prefix (how, "TensorFlow") && before == 4)
        x = sym_op_foreign_channels_last (self, x, 4);
      return before == 4 ? flatten (self, x, image) : x;
    }
  if (is_called (how, "Cnn3DToFeedForward"))
    {
      *rank = 2;
      return before == 5 ? flatten (self, x, volume) : x;
    }
  if (is_called (how, "FeedForwardToCnn"))
    {
      *rank = 4;
      return before == 2 ? shape_as (self, x, image, 0) : x;
    }
  if (is_called (how, "FeedForwardToCnn3D"))
    {
      *rank = 5;
      return before == 2 ? shape_as (self, x, volume, 0) : x;
    }
  if (is_called (how, "RnnToCnn"))
    {
      *rank = 4;
      return shape_as (self, order_by_step (self, x), image, -1);
    }
  if (is_called (how, "RnnToFeedForward"))
    {
      *rank = 2;
      return fold_steps (self, x);
    }
  if (is_called (how, "FeedForwardToRnn") || is_called (how, "CnnToRnn"))
    {
      *rank = 3;
      return unfold_steps (self, how, before == 4 ? flatten (self, x, image) : x);
    }
  sym_op_lower_refuse (self, "%s: what “%s” makes of the input is not lowered",
                       sym_op_lower_get_type (self), how);
  return x;
}

SymShape
sym_op_dl4j_get_wanted (const SymAttributes *attributes)
{
  const char *how = sym_op_dl4j_get_class (attributes, "preProcessor");
  const char *const *keys = NULL;
  SymShape shape = SYM_SHAPE (SYM_DIM_UNKNOWN);

  if (how != NULL && (is_called (how, "CnnToFeedForward") ||
                      is_called (how, "TensorFlowCnnToFeedForward") || is_called (how, "CnnToRnn")))
    keys = image;
  else if (how != NULL && is_called (how, "Cnn3DToFeedForward"))
    keys = list_volume (attributes);
  if (keys == NULL)
    return SYM_SHAPE_UNKNOWN;
  for (; *keys != NULL; keys++)
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
