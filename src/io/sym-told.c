/* SPDX-License-Identifier: MIT */
#include "io/sym-told.h"

static gboolean
shapes_agree (const SymShape *a, const SymShape *b)
{
  if (a->rank < 0 || b->rank < 0)
    return TRUE;
  if (a->rank != b->rank)
    return FALSE;
  for (int i = 0; i < a->rank; i++)
    if (a->dims[i] != b->dims[i] && a->dims[i] >= 0 && b->dims[i] >= 0)
      return FALSE;
  return TRUE;
}

gboolean
sym_told_agree (const SymType *a, const SymType *b)
{
  if (a->kind != SYM_KIND_TENSOR || b->kind != SYM_KIND_TENSOR)
    return TRUE;
  return (a->dtype == b->dtype || a->dtype == SYM_DTYPE_UNKNOWN || b->dtype == SYM_DTYPE_UNKNOWN) &&
         shapes_agree (&a->shape, &b->shape);
}

char *
sym_told_format_shape (const SymShape *shape)
{
  GString *text;

  if (shape->rank < 0)
    return g_strdup ("[...]");
  text = g_string_new ("[");
  for (int i = 0; i < shape->rank; i++)
    {
      g_string_append (text, i > 0 ? "," : "");
      if (shape->dims[i] < 0)
        g_string_append_c (text, '?');
      else
        g_string_append_printf (text, "%" G_GINT64_FORMAT, shape->dims[i]);
    }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

char *
sym_told_format (const SymType *type)
{
  g_autofree char *shape = sym_told_format_shape (&type->shape);

  return g_strconcat (type->dtype == SYM_DTYPE_UNKNOWN ? "" : sym_dtype_to_string (type->dtype),
                      shape, NULL);
}
