/* SPDX-License-Identifier: MIT */
#include "io/sym-json-value.h"

static SymValue *
read_number (const SymJson *json, guint token)
{
  gint64 integer;
  double number = 0;

  if (sym_json_get_int (json, token, &integer))
    return sym_value_new_int (integer);
  sym_json_get_double (json, token, &number);
  return sym_value_new_float (number);
}

static SymValue *
read_string (const SymJson *json, guint token)
{
  gsize length;
  const char *text = sym_json_peek_string (json, token, &length);
  g_autofree char *decoded = text == NULL ? sym_json_dup_string (json, token) : NULL;

  return text == NULL ? sym_value_new_string (decoded) : sym_value_new_string_of (text, length);
}

SymValue *
sym_json_read_scalar (const SymJson *json, guint token)
{
  gboolean boolean = FALSE;

  switch (sym_json_get_kind (json, token))
    {
    case SYM_JSON_BOOL:
      sym_json_get_bool (json, token, &boolean);
      return sym_value_new_bool (boolean);
    case SYM_JSON_NUMBER:
      return read_number (json, token);
    case SYM_JSON_STRING:
      return read_string (json, token);
    case SYM_JSON_ARRAY:
    case SYM_JSON_OBJECT:
      return NULL;
    case SYM_JSON_ABSENT:
    case SYM_JSON_NULL:
    default:
      return sym_value_new_none ();
    }
}
