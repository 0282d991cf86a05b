/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-write-private.h"

static void
write_children (GString *text, const SymValue *value)
{
  gboolean is_dict = sym_value_get_kind (value) == SYM_VALUE_DICT;

  g_string_append_c (text, is_dict ? '{' : '[');
  for (guint i = 0; i < sym_value_get_n_children (value); i++)
    {
      if (i > 0)
        g_string_append (text, ", ");
      if (is_dict)
        {
          sym_json_append_string (text, sym_value_get_key (value, i));
          g_string_append (text, ": ");
        }
      sym_keras_write_value (text, sym_value_get_child (value, i), NULL);
    }
  g_string_append_c (text, is_dict ? '}' : ']');
}

/* Values are no deeper than the reader, or who sets attributes, makes them. */
void
sym_keras_write_value (GString *text, const SymValue *value, const char *literal)
{
  gboolean truth;
  gint64 integer;
  double number;

  switch ((int) sym_value_get_kind (value))
    {
    case SYM_VALUE_BOOL:
      sym_value_get_bool (value, &truth);
      g_string_append (text, truth ? "true" : "false");
      break;
    case SYM_VALUE_INT:
      sym_value_get_int (value, &integer);
      g_string_append_printf (text, "%" G_GINT64_FORMAT, integer);
      break;
    case SYM_VALUE_FLOAT:
      sym_value_get_float (value, &number);
      if (literal != NULL)
        g_string_append (text, literal);
      else
        sym_json_append_double (text, number);
      break;
    case SYM_VALUE_STRING:
    case SYM_VALUE_DTYPE:
      sym_json_append_string (text, sym_value_get_string (value));
      break;
    case SYM_VALUE_TUPLE:
      g_string_append (text, "{\"class_name\": \"__tuple__\", \"items\": ");
      write_children (text, value);
      g_string_append_c (text, '}');
      break;
    case SYM_VALUE_LIST:
    case SYM_VALUE_DICT:
      write_children (text, value);
      break;
    default:
      g_string_append (text, "null");
    }
}

void
sym_keras_write_members (GString *text, const SymAttributes *attributes, gboolean is_first)
{
  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    {
      const char *name = sym_attributes_get_name (attributes, i);

      if (!is_first)
        g_string_append (text, ", ");
      is_first = FALSE;
      sym_json_append_string (text, name);
      g_string_append (text, ": ");
      sym_keras_write_value (text, sym_attributes_get_value (attributes, i),
                             sym_attributes_get_literal (attributes, i));
    }
}

void
sym_keras_write_shape (GString *text, const SymShape *shape)
{
  if (shape->rank < 0)
    {
      g_string_append (text, "null");
      return;
    }
  g_string_append_c (text, '[');
  for (int i = 0; i < shape->rank; i++)
    if (shape->dims[i] < 0)
      g_string_append (text, i == 0 ? "null" : ", null");
    else
      g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i == 0 ? "" : ", ", shape->dims[i]);
  g_string_append_c (text, ']');
}
