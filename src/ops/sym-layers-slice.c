/* SPDX-License-Identifier: MIT */
#include "ops/sym-layers-shape.h"

#include "core/sym-error.h"
#include "ops/sym-layers-private.h"

#include <string.h>

/* "1:-1" as a slice, anything else as a literal; NULL when it is neither. */
static SymValue *
parse_part (const char *text)
{
  g_auto (GStrv) bounds = NULL;
  SymValue *parts[3] = { NULL, NULL, NULL };
  guint n;

  if (strchr (text, ':') == NULL)
    return sym_value_parse (text);

  bounds = g_strsplit (text, ":", -1);
  n = g_strv_length (bounds);
  if (n > 3)
    return NULL;
  for (guint i = 0; i < n; i++)
    {
      if (*g_strstrip (bounds[i]) == '\0')
        continue;
      parts[i] = sym_value_parse (bounds[i]);
      if (parts[i] != NULL && sym_value_get_kind (parts[i]) == SYM_VALUE_INT)
        continue;
      for (guint k = 0; k <= i; k++)
        g_clear_pointer (&parts[k], sym_value_unref);
      return NULL;
    }
  return sym_value_new_slice (parts[0], parts[1], parts[2]);
}

/* Splits at the commas that stand outside of brackets. */
static GPtrArray *
split_parts (const char *text)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func (g_free);
  const char *start = text;
  int depth = 0;

  for (const char *p = text;; p++)
    {
      if (*p == '(' || *p == '[')
        depth++;
      if (*p == ')' || *p == ']')
        depth--;
      if (*p != '\0' && (*p != ',' || depth > 0))
        continue;
      g_ptr_array_add (parts, g_strstrip (g_strndup (start, (gsize) (p - start))));
      if (*p == '\0')
        return parts;
      start = p + 1;
    }
}

static SymValue *
parse_index (const char *text)
{
  g_autoptr (GPtrArray) texts = split_parts (text);
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_value_unref);
  guint n = texts->len;

  if (n > 1 && *(const char *) g_ptr_array_index (texts, n - 1) == '\0')
    n--;
  for (guint i = 0; i < n; i++)
    {
      SymValue *part = parse_part (g_ptr_array_index (texts, i));

      if (part == NULL)
        return NULL;
      g_ptr_array_add (parts, part);
    }
  if (texts->len == 1)
    return sym_value_ref (g_ptr_array_index (parts, 0));
  g_ptr_array_set_free_func (parts, NULL);
  return sym_value_new_tuple ((SymValue *const *) parts->pdata, n);
}

SymNode *
sym_slice_value (SymNode *input, SymValue *take_index, GError **error)
{
  SymAttributes *attributes = sym_attributes_new ();

  sym_attributes_set (attributes, "idx", take_index, NULL);
  return sym_torch_call (input, sym_torch_new ("SliceLayer", attributes), NULL, error);
}

SymNode *
sym_slice (SymNode *input, const char *index, GError **error)
{
  SymValue *value;

  g_return_val_if_fail (index != NULL, NULL);

  if (input == NULL || (error != NULL && *error != NULL))
    return NULL;
  value = parse_index (index);
  if (value == NULL)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   "[%s] is no index: expected numbers, slices such as 1:-1, None and ... between "
                   "commas",
                   index);
      return NULL;
    }
  return sym_slice_value (input, value, error);
}

SymNode *
sym_slice_by (SymNode *input, SymNode *index, GError **error)
{
  g_autoptr (SymLayer) layer = sym_torch_new ("SliceLayerSymbolicIdx", NULL);

  return sym_call (layer, error, input, index);
}
