/* SPDX-License-Identifier: MIT */
#include "io/sym-execution-trace-private.h"

#include <string.h>

SymTracePassed
sym_execution_trace_get_passed (const SymJson *json, guint node, gboolean is_result)
{
  guint member = sym_json_get_member (json, node, is_result ? "outputs" : "inputs");

  if (sym_json_get_kind (json, member) == SYM_JSON_OBJECT)
    return (SymTracePassed){ sym_json_get_member (json, member, "values"),
                             sym_json_get_member (json, member, "shapes"),
                             sym_json_get_member (json, member, "types") };
  return (SymTracePassed){
    member, sym_json_get_member (json, node, is_result ? "output_shapes" : "input_shapes"),
    sym_json_get_member (json, node, is_result ? "output_types" : "input_types")
  };
}

static guint
step (const SymJson *json, SymJsonIter *iter)
{
  return sym_json_iter_next (json, iter) ? iter->value : SYM_JSON_NONE;
}

/* The names of the arguments by "aten::add.Tensor(Tensor self, *, Scalar alpha=1) -> Tensor". */
static GStrv
parse_schema (const char *schema)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  const char *start = schema == NULL ? NULL : strchr (schema, '(');
  guint depth = 0;

  if (start == NULL)
    return g_strv_builder_end (names);
  for (const char *at = ++start;; at++)
    {
      gboolean ends = *at == '\0' || (depth == 0 && (*at == ',' || *at == ')'));

      if (ends)
        {
          g_autofree char *text = g_strndup (start, (gsize) (at - start));
          char *name;

          text[strcspn (text, "=")] = '\0';
          name = strrchr (g_strstrip (text), ' ');
          if (strcmp (text, "*") != 0 && text[0] != '\0')
            g_strv_builder_add (names, name == NULL ? text : name + 1);
          start = at + 1;
        }
      if (*at == '\0' || (depth == 0 && *at == ')'))
        break;
      depth += *at == '(' || *at == '[';
      depth -= depth > 0 && (*at == ')' || *at == ']');
    }
  return g_strv_builder_end (names);
}

static char **
get_argument_names (GHashTable *schemas, const char *schema)
{
  char **names = g_hash_table_lookup (schemas, schema);

  if (names == NULL)
    {
      names = parse_schema (schema);
      g_hash_table_insert (schemas, g_strdup (schema), names);
    }
  return names;
}

static void
add_arguments (SymNet *net, GHashTable *schemas, guint node, SymAttributes *attributes)
{
  const SymJson *json = sym_net_get_json (net);
  SymTracePassed passed = sym_execution_trace_get_passed (json, node, FALSE);
  SymJsonIter types = sym_json_iterate (json, passed.types);
  char **names =
      get_argument_names (schemas, sym_attributes_get_string (attributes, "op_schema", ""));
  guint n_names = g_strv_length (names), at = 0;

  for (SymJsonIter i = sym_json_iterate (json, passed.values); sym_json_iter_next (json, &i); at++)
    {
      g_autofree char *type = sym_json_dup_string (json, step (json, &types));
      char made_up[32];

      if (type == NULL || strstr (type, "Tensor(") != NULL ||
          sym_json_string_equals (json, i.value, "<None>"))
        continue;
      g_snprintf (made_up, sizeof made_up, "input%u", at);
      sym_net_set_attribute (net, attributes, at < n_names ? names[at] : made_up, i.value);
    }
}

/* The value of {"name": "rf_id", "type": "uint64", "value": 2}; of what protocol buffers write,
 * {"name": "rf_id", "int64Val": "2"}; and of {"name": "sizes", "int64List": {"values": ["2"]}}. */
static guint
get_listed (const SymJson *json, guint entry)
{
  guint value = sym_json_get_member (json, entry, "value");

  for (SymJsonIter i = sym_json_iterate (json, entry);
       value == SYM_JSON_NONE && sym_json_iter_next (json, &i);)
    if (!sym_json_string_equals (json, i.key, "name") &&
        !sym_json_string_equals (json, i.key, "docString"))
      value = i.value;
  return sym_json_get_kind (json, value) == SYM_JSON_OBJECT
             ? sym_json_get_member (json, value, "values")
             : value;
}

static void
add_listed (SymNet *net, guint list, SymAttributes *attributes)
{
  const SymJson *json = sym_net_get_json (net);

  for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name =
          sym_json_dup_string (json, sym_json_get_member (json, i.value, "name"));
      guint value = get_listed (json, i.value);

      if (name != NULL && value != SYM_JSON_NONE)
        sym_net_set_attribute (net, attributes, name, value);
    }
}

SymAttributes *
sym_execution_trace_read_attributes (SymNet *net, GHashTable *schemas, guint node)
{
  static const char *const own[] = { "id",       "Id",          "name",          "Name",
                                     "inputs",   "outputs",     "parent",        "ctrl_deps",
                                     "ctrlDeps", "data_deps",   "dataDeps",      "input_shapes",
                                     "attrs",    "input_types", "output_shapes", "output_types",
                                     "attr",     NULL };
  SymAttributes *attributes = sym_net_read_attributes (net, node, own);

  add_listed (net, sym_json_get_member (sym_net_get_json (net), node, "attrs"), attributes);
  add_listed (net, sym_json_get_member (sym_net_get_json (net), node, "attr"), attributes);
  add_arguments (net, schemas, node, attributes);
  return attributes;
}
