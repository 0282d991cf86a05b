/* SPDX-License-Identifier: MIT */
#include "io/sym-symscope-private.h"

#include "ops/sym-op.h"

/* "kernel": {"tuple": [3, 3]} is a value, "kernel": {"literal": "(3, 3)"} one with the text that
 * another format had for it, and {"literal": "1", "value": true} one that the text alone does not
 * tell. */

/* The value that a literal stands for by itself. */
static SymValue *
type_literal (const SymOperator *op, const char *name, const char *literal)
{
  const SymAttributeSpec *spec = op == NULL ? NULL : sym_op_find_attribute (op, name);
  SymValue *value =
      spec == NULL ? sym_value_parse (literal) : sym_op_type_literal (spec->kind, literal);

  return value != NULL ? value : sym_value_new_string (literal);
}

static gboolean
append_attribute (GString *out,
                  const SymAttributes *attributes,
                  guint i,
                  const SymOperator *op,
                  GError **error)
{
  const char *name = sym_attributes_get_name (attributes, i);
  const SymValue *value = sym_attributes_get_value (attributes, i);
  const char *literal = sym_attributes_get_literal (attributes, i);
  g_autoptr (SymValue) implied = literal == NULL ? NULL : type_literal (op, name, literal);

  sym_json_append_string (out, name);
  g_string_append (out, ": ");
  if (literal == NULL)
    return sym_symscope_append_value (out, value, error);

  g_string_append (out, "{\"literal\": ");
  sym_json_append_string (out, literal);
  if (!sym_value_equal (implied, value))
    {
      g_string_append (out, ", \"value\": ");
      if (!sym_symscope_append_value (out, value, error))
        return FALSE;
    }
  g_string_append_c (out, '}');
  return TRUE;
}

gboolean
sym_symscope_append_attributes (GString *out,
                                const SymAttributes *attributes,
                                const SymOperator *op,
                                GError **error)
{
  g_string_append_c (out, '{');
  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    {
      g_string_append (out, i == 0 ? "" : ", ");
      if (!append_attribute (out, attributes, i, op, error))
        return FALSE;
    }
  g_string_append_c (out, '}');
  return TRUE;
}

static SymValue *
read_attribute (const SymJson *json,
                guint token,
                const SymOperator *op,
                const char *name,
                char **literal,
                GError **error)
{
  guint text = sym_json_get_kind (json, token) == SYM_JSON_OBJECT
                   ? sym_json_get_member (json, token, "literal")
                   : SYM_JSON_NONE;
  guint value;

  if (text == SYM_JSON_NONE)
    return sym_symscope_read_value (json, token, error);
  if (!sym_json_expect (json, text, SYM_JSON_STRING, "literal", error))
    return NULL;

  *literal = sym_json_dup_string (json, text);
  value = sym_json_get_member (json, token, "value");
  return value == SYM_JSON_NONE ? type_literal (op, name, *literal)
                                : sym_symscope_read_value (json, value, error);
}

SymAttributes *
sym_symscope_read_attributes (const SymJson *json,
                              guint object,
                              const SymOperator *op,
                              GError **error)
{
  g_autoptr (SymAttributes) attributes = NULL;

  if (!sym_json_expect (json, object, SYM_JSON_OBJECT, "attributes", error))
    return NULL;

  attributes = sym_attributes_new ();
  for (SymJsonIter i = sym_json_iterate (json, object); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = sym_json_dup_string (json, i.key);
      g_autofree char *literal = NULL;
      SymValue *value = read_attribute (json, i.value, op, name, &literal, error);

      if (value == NULL)
        return NULL;
      sym_attributes_set (attributes, name, value, literal);
    }
  return g_steal_pointer (&attributes);
}
