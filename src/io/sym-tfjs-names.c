/* SPDX-License-Identifier: MIT */
#include "io/sym-tfjs-private.h"

#include <string.h>

#include "core/sym-decimal.h"
#include "io/sym-json-private.h"

SymTfjsParts
sym_tfjs_get_parts (const SymJson *json, guint node)
{
  static const char *const names[] = { "name", "op", "input", "attr", NULL };
  guint members[G_N_ELEMENTS (names) - 1];

  sym_json_get_members (json, node, names, members);
  return (SymTfjsParts){ .token = node,
                         .name = members[0],
                         .op = members[1],
                         .inputs = members[2],
                         .attributes = members[3] };
}

/* The number of the first output called @name of node @node, as functions tell it; 0 where the
 * operator has no names for them. */
static guint64
find_output (const SymTfjsWalk *walk, const char *node, const char *name, gsize length)
{
  const SymOperator *op = g_hash_table_lookup (walk->operators, node);

  for (guint i = 0; op != NULL && op->output_names != NULL && op->output_names[i] != NULL; i++)
    if (strlen (op->output_names[i]) == length && strncmp (op->output_names[i], name, length) == 0)
      return i;
  return 0;
}

/* There are tens of thousands in a large graph. */
gboolean
sym_tfjs_parse_output (const char *text, guint64 *output)
{
  const char *at = text;
  guint64 number = 0;

  for (; g_ascii_isdigit (*at) && number < SYM_TFJS_MAX_OUTPUTS; at++)
    number = number * 10 + (guint64) (*at - '0');
  if (at == text || *at != '\0' || number >= SYM_TFJS_MAX_OUTPUTS)
    return FALSE;
  *output = number;
  return TRUE;
}

/* "a/b:0" is "a/b"; within functions "node:output:0" tells the output by its name in the operator,
 * too.
 * *@output is its number. */
static char *
split_use (const SymTfjsWalk *walk, const char *use, guint64 *output)
{
  const char *first = strchr (use, ':'), *last;
  char *node;

  *output = 0;
  if (first == NULL)
    return g_strdup (use);
  last = strrchr (first, ':');
  if (!sym_tfjs_parse_output (last + 1, output))
    return g_strdup (use);
  node = g_strndup (use, (gsize) (first - use));
  if (last > first)
    *output += find_output (walk, node, first + 1, (gsize) (last - first - 1));
  return node;
}

char *
sym_tfjs_name_output (const char *node, guint64 output)
{
  gsize length = strlen (node);
  char *name = g_malloc (length + SYM_DECIMAL_MAX + 2);

  memcpy (name, node, length);
  name[length] = ':';
  *sym_decimal_write_unsigned (name + length + 1, output) = '\0';
  return name;
}

char *
sym_tfjs_make_plain_key (const SymTfjsWalk *walk, const char *use)
{
  guint64 output;
  g_autofree char *node = split_use (walk, use, &output);

  return output == 0 ? g_steal_pointer (&node) : sym_tfjs_name_output (node, output);
}

char *
sym_tfjs_make_key (const SymTfjsWalk *walk, const char *use)
{
  const char *renamed =
      walk->flow == NULL ? NULL : sym_tfjs_flow_rename (walk->flow, use, strlen (use));

  return sym_tfjs_make_plain_key (walk, renamed == NULL ? use : renamed);
}

gboolean
sym_tfjs_is_key (const SymTfjsWalk *walk, const char *use, gsize length)
{
  return length > 0 && *use != '^' && memchr (use, ':', length) == NULL &&
         (walk->flow == NULL || sym_tfjs_flow_rename (walk->flow, use, length) == NULL);
}

/* The operators of nodes whose outputs have names. */
void
sym_tfjs_list_operators (const SymJson *json, guint nodes, GHashTable *operators)
{
  for (SymJsonIter i = sym_json_iterate (json, nodes); sym_json_iter_next (json, &i);)
    {
      g_autofree char *type = sym_json_dup_string (json, sym_json_get_member (json, i.value, "op"));
      char *name = sym_json_dup_string (json, sym_json_get_member (json, i.value, "name"));
      const SymOperator *op = type == NULL || name == NULL ? NULL : sym_op_find ("tf", type, 0);

      if (op != NULL && op->output_names != NULL)
        g_hash_table_insert (operators, name, (gpointer) op);
      else
        g_free (name);
    }
}

void
sym_tfjs_count_output (const SymTfjsWalk *walk, const char *use)
{
  guint64 output = 0;
  g_autofree char *node = use == NULL ? NULL : split_use (walk, use, &output);
  SymNetKey *key = output == 0 ? NULL : sym_net_keys_enter (walk->n_outputs, node, strlen (node));

  if (key != NULL && (key->first == SYM_NO_ID || output >= key->first))
    key->first = (SymId) output + 1;
}

guint
sym_tfjs_get_n_used (const SymTfjsWalk *walk, const char *node)
{
  const SymNetKey *key = sym_net_keys_get_n (walk->n_outputs) == 0
                             ? NULL
                             : sym_net_keys_find (walk->n_outputs, node, strlen (node));

  return key == NULL ? 0 : key->first;
}

static void
count_outputs (const SymJson *json, guint inputs, const SymTfjsWalk *walk)
{
  for (SymJsonIter i = sym_json_iterate (json, inputs); sym_json_iter_next (json, &i);)
    {
      gsize length = 0;
      const char *text = sym_json_peek_string (json, i.value, &length);
      g_autofree char *use = NULL;

      if (text != NULL && memchr (text, ':', length) == NULL)
        continue;
      use = sym_json_dup_string (json, i.value);
      sym_tfjs_count_output (walk, use);
    }
}

/* How many outputs each node has, as far as anybody uses them: mostly one. */
void
sym_tfjs_count_outputs (const SymJson *json, guint nodes, const SymTfjsWalk *walk)
{
  for (SymJsonIter i = sym_json_iterate (json, nodes); sym_json_iter_next (json, &i);)
    {
      guint inputs = sym_json_get_member (json, i.value, "input");

      if (sym_json_may_contain (json, inputs, ':') || sym_json_may_contain (json, inputs, '\\'))
        count_outputs (json, inputs, walk);
    }
}
