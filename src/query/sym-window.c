/* SPDX-License-Identifier: MIT */
#include "query/sym-window.h"

#include <string.h>

/* ---- Told by attributes ---- */

/* Names that dialects have for all sizes at once. */
static const char *const list_names[] = { "kernel_shape", "kernel_size",   "kernel",
                                          "pool_size",    "filter_length", "pool_length",
                                          "filter_size",  "ksize" };

/* Keras 1 has one for each axis. */
static const char *const axis_names[][3] = { { "nb_row", "nb_col" },
                                             { "kernel_dim1", "kernel_dim2", "kernel_dim3" } };

static int
get_axes (const SymAttributes *attributes, const char *const names[3], gint64 *sizes)
{
  int n = 0;

  while (n < 3 && names[n] != NULL &&
         sym_attributes_get_ints (attributes, names[n], &sizes[n], 1) == 1)
    n++;
  return n;
}

static int
drop_ones (gint64 *sizes, int n)
{
  gboolean is_first = n > 3 && sizes[0] == 1 && sizes[1] == 1;
  gboolean is_around = n > 3 && sizes[0] == 1 && sizes[n - 1] == 1;

  if (!is_first && !is_around)
    return n;
  memmove (sizes, sizes + (is_around ? 1 : 2), sizeof *sizes * (gsize) (n - 2));
  return n - 2;
}

/* A layer of TensorFlow has a size for each axis of its data, and so has any other that has as many
 * as there are axes: a window has fewer. */
static gboolean
has_all_axes (const SymModel *model, SymId call, int n)
{
  const SymOperator *op = sym_layer_get_operator (sym_model_get_layer (model, call));
  SymIds operands = sym_model_get_operands (model, call);

  if (op != NULL && strcmp (op->domain, "tf") == 0)
    return TRUE;
  return operands.n > 0 && operands.ids[0] != SYM_NO_ID &&
         sym_model_get_declared_type (model, operands.ids[0]).shape.rank == n;
}

static int
get_told (const SymModel *model, SymId call, gint64 *sizes)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_model_get_layer (model, call));

  for (guint i = 0; i < G_N_ELEMENTS (list_names); i++)
    {
      int n = sym_attributes_get_ints (attributes, list_names[i], sizes, SYM_MAX_RANK);

      if (n > 0 && n <= SYM_MAX_RANK)
        return has_all_axes (model, call, n) ? drop_ones (sizes, n) : n;
    }
  for (guint i = 0; i < G_N_ELEMENTS (axis_names); i++)
    {
      int n = get_axes (attributes, axis_names[i], sizes);

      if (n > 0)
        return n;
    }
  return 0;
}

/* ---- Told by weights ---- */

/* How many axes the weights have before the window's and behind: [outputs, inputs] before, or
 * [inputs, outputs] behind. */
typedef struct {
  const char *domain;
  const char *beginning; /* of the layer's type; NULL for the rest of the dialect */
  int n_before, n_behind;
} Layout;

static const Layout layouts[] = {
  { "", NULL, 2, 0 },
  { "openvino", "Group", 3, 0 },
  { "openvino", NULL, 2, 0 },
  { "paddle", NULL, 2, 0 },
  { "qnn", NULL, 0, 2 },
  { "tf", NULL, 0, 2 },
  { "torch.export", NULL, 2, 0 },
  { "tosa", "DEPTHWISE", 0, 2 },
  { "tosa", NULL, 1, 1 },
};

static const Layout *
find_layout (const char *domain, const char *type)
{
  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
    if (strcmp (domain, layouts[i].domain) == 0 &&
        (layouts[i].beginning == NULL || g_str_has_prefix (type, layouts[i].beginning)))
      return &layouts[i];
  return NULL;
}

static gboolean
is_convolution (const SymOperator *op)
{
  if (op == NULL || op->category != SYM_CATEGORY_WEIGHTS)
    return FALSE;
  g_autofree char *name = g_ascii_strdown (op->name, -1);

  return strstr (name, "conv") != NULL;
}

/* The first operand that is no data and has more than @n_other axes: a bias has one in all.  Where
 * there is none, the weights are made by layers, say from integers: all dialects above have them as
 * operand 1. */
static SymShape
find_weights (const SymModel *model, SymId call, int n_other)
{
  SymIds operands = sym_model_get_operands (model, call);

  for (guint i = 0; i < operands.n; i++)
    {
      SymId value = operands.ids[i];

      if (value == SYM_NO_ID || sym_role_is_data (sym_model_get_role (model, value)))
        continue;
      SymShape shape = sym_model_get_declared_type (model, value).shape;

      if (shape.rank > n_other)
        return shape;
    }
  return operands.n > 1 && operands.ids[1] != SYM_NO_ID
             ? sym_model_get_declared_type (model, operands.ids[1]).shape
             : SYM_SHAPE_UNKNOWN;
}

static int
get_of_weights (const SymModel *model, SymId call, gint64 *sizes)
{
  SymLayer *layer = sym_model_get_layer (model, call);
  const SymOperator *op = sym_layer_get_operator (layer);
  const Layout *layout =
      is_convolution (op) ? find_layout (op->domain, sym_layer_get_type (layer)) : NULL;

  if (layout == NULL)
    return 0;
  int n_other = layout->n_before + layout->n_behind;
  SymShape shape = find_weights (model, call, n_other);

  for (int k = 0; k < shape.rank - n_other; k++)
    {
      SymDim size = shape.dims[k + layout->n_before];

      sizes[k] = size < 0 ? SYM_DIM_UNKNOWN : size;
    }
  return MAX (shape.rank - n_other, 0);
}

int
sym_window_get_sizes (const SymModel *model, SymId call, gint64 *sizes)
{
  int n = get_told (model, call, sizes);

  return n > 0 ? n : get_of_weights (model, call, sizes);
}

int
sym_window_drop_ones (const SymModel *model, SymId call, gint64 *sizes, int n)
{
  gint64 window[SYM_MAX_RANK];

  return has_all_axes (model, call, n) || n == sym_window_get_sizes (model, call, window) + 2
             ? drop_ones (sizes, n)
             : n;
}

char *
sym_window_format (const SymModel *model, SymId call, const char *separator)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_window_get_sizes (model, call, sizes);
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < n; i++)
    {
      if (sizes[i] == SYM_DIM_UNKNOWN)
        return NULL;
      g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? separator : "", sizes[i]);
    }
  return n > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}
