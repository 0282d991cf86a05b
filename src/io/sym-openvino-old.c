/* SPDX-License-Identifier: MIT */
#include "io/sym-openvino-private.h"

#include <string.h>

/* Layers before IR 10. */

/* The sizes of the parts, unless they are equal. */
static void
tell_parts (const SymOpenvinoLayer *layer)
{
  guint n = layer->outputs->len;
  g_autofree gint64 *sizes = g_new0 (gint64, n);
  gint64 axis = sym_attributes_get_int (layer->attributes, "axis", 1);
  gboolean is_even = TRUE;

  for (guint i = 0; i < n; i++)
    {
      const SymShape *shape = &g_array_index (layer->outputs, SymOpenvinoPort, i).shape;

      if (axis < -shape->rank || axis >= shape->rank)
        return;
      sizes[i] = shape->dims[axis < 0 ? axis + shape->rank : axis];
      if (sizes[i] < 0)
        return;
      is_even = is_even && sizes[i] == sizes[0];
    }
  if (!is_even)
    sym_attributes_set (layer->attributes, "sizes", sym_value_new_ints (SYM_VALUE_LIST, sizes, n),
                        NULL);
}

/* Rows and columns, where no attributes tell them. */
static void
tell_sizes (const SymOpenvinoLayer *layer)
{
  const SymShape *shape =
      layer->outputs->len == 0 ? NULL : &g_array_index (layer->outputs, SymOpenvinoPort, 0).shape;

  if (shape != NULL && shape->rank == 4 && shape->dims[2] > 0 && shape->dims[3] > 0 &&
      (sym_attributes_get_int (layer->attributes, "height", 0) < 1 ||
       sym_attributes_get_int (layer->attributes, "width", 0) < 1))
    sym_attributes_set (layer->attributes, "sizes",
                        sym_value_new_ints (SYM_VALUE_LIST, &shape->dims[2], 2), NULL);
}

void
sym_openvino_tell_results (const SymOpenvinoLayer *layer, const SymOperator *op)
{
  if (op == NULL || strcmp (op->domain, "openvino-old") != 0)
    return;
  if (strcmp (op->name, "Split") == 0)
    tell_parts (layer);
  else if (strcmp (op->name, "Interp") == 0)
    tell_sizes (layer);
}
