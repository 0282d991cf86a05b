/* SPDX-License-Identifier: MIT */
#include "query/sym-window.h"

#include <string.h>

/* ---- Told by attributes ---- */

/* Names that dialects have for all sizes at once. */
static const char *const list_names[] = { "kernel_shape", "kernel_size",   "kernel",
                                          "pool_size",    "filter_length", "pool_length" };

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
get_told (const SymAttributes *attributes, gint64 *sizes)
{
  for (guint i = 0; i < G_N_ELEMENTS (list_names); i++)
    {
      int n = sym_attributes_get_ints (attributes, list_names[i], sizes, SYM_MAX_RANK);

      if (n > 0 && n <= SYM_MAX_RANK)
        return n;
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

/* Where the sizes lie: after [outputs, inputs], or before [inputs, outputs]. */
static const struct {
  const char *domain;
  gboolean is_before;
} layouts[] = {
  { "", FALSE },
  { "paddle", FALSE },
  { "tf", TRUE },
  { "torch.export", FALSE },
};

static gboolean
is_convolution (const SymOperator *op)
{
  if (op == NULL || op->category != SYM_CATEGORY_WEIGHTS)
    return FALSE;
  g_autofree char *name = g_ascii_strdown (op->name, -1);

  return strstr (name, "conv") != NULL;
}

/* The first operand that is no data and has two more axes than the window: a bias has one in all.
 */
static SymShape
find_weights (const SymModel *model, SymId call)
{
  SymIds operands = sym_model_get_operands (model, call);

  for (guint i = 0; i < operands.n; i++)
    {
      SymId value = operands.ids[i];

      if (value == SYM_NO_ID || sym_role_is_data (sym_model_get_role (model, value)))
        continue;
      SymShape shape = sym_model_get_declared_type (model, value).shape;

      if (shape.rank > 2)
        return shape;
    }
  return SYM_SHAPE_UNKNOWN;
}

static int
get_of_weights (const SymModel *model, SymId call, gint64 *sizes)
{
  const SymOperator *op = sym_layer_get_operator (sym_model_get_layer (model, call));

  if (!is_convolution (op))
    return 0;
  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
    {
      if (strcmp (op->domain, layouts[i].domain) != 0)
        continue;
      SymShape shape = find_weights (model, call);

      for (int k = 0; k < shape.rank - 2; k++)
        {
          SymDim size = shape.dims[k + (layouts[i].is_before ? 0 : 2)];

          sizes[k] = size < 0 ? SYM_DIM_UNKNOWN : size;
        }
      return MAX (shape.rank - 2, 0);
    }
  return 0;
}

int
sym_window_get_sizes (const SymModel *model, SymId call, gint64 *sizes)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_model_get_layer (model, call));
  int n = get_told (attributes, sizes);

  return n > 0 ? n : get_of_weights (model, call, sizes);
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
