/* SPDX-License-Identifier: MIT */
#include "core/sym-slice.h"

#include "core/sym-element.h"

#define MAX_TEXT 200 /* bytes of a string */

void
sym_slice_init (SymSlice *self, const SymShape *shape)
{
  g_return_if_fail (shape->rank >= 0 && sym_shape_is_known (shape));

  *self = (SymSlice){
    .shape = *shape, .n_leading = MAX (shape->rank - 2, 0), .n_rows = 1, .n_columns = 1
  };
  if (shape->rank > 0)
    self->n_rows = (guint64) shape->dims[self->n_leading];
  if (shape->rank > 1)
    self->n_columns = (guint64) shape->dims[shape->rank - 1];
}

guint64
sym_slice_get_index (const SymSlice *self, guint64 row, guint64 column)
{
  guint64 index = 0;

  g_return_val_if_fail (row < self->n_rows && column < self->n_columns, 0);

  for (int i = 0; i < self->n_leading; i++)
    index = index * (guint64) self->shape.dims[i] + (guint64) self->at[i];
  return (index * self->n_rows + row) * self->n_columns + column;
}

static char *
format_string (GBytes *bytes)
{
  gsize n;
  const char *data = g_bytes_get_data (bytes, &n);
  g_autofree char *text = g_utf8_make_valid (n > 0 ? data : "", (gssize) MIN (n, MAX_TEXT));

  for (char *byte = text; *byte != '\0'; byte++)
    if (g_ascii_iscntrl (*byte))
      *byte = ' ';
  return g_strdup_printf ("“%s%s”", text, n > MAX_TEXT ? "…" : "");
}

char *
sym_array_format_element (const SymArray *array, gsize i)
{
  GString *text;

  g_return_val_if_fail (i < sym_array_get_n_elements (array), NULL);

  if (array->dtype == SYM_DTYPE_STRING)
    return format_string (((GBytes **) array->data)[i]);
  text = g_string_new (NULL);
  sym_element_append_text (text, array->dtype, array->data, i);
  return g_string_free (text, FALSE);
}
