/* SPDX-License-Identifier: MIT */
#include "io/sym-tfjs-private.h"

#include <string.h>

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

/* "a/b:0" is "a/b"; within functions "node:output:0" tells the output by its name in the operator,
 * too.
 * *@output is its number. */
static char *
split_use (const SymTfjsWalk *walk, const char *use, guint64 *output)
{
  const char *first = strchr (use, ':');
  const char *last = strrchr (use, ':');
  char *node;

  *output = 0;
  if (first == NULL)
    return g_strdup (use);
  if (!g_ascii_string_to_unsigned (last + 1, 10, 0, SYM_TFJS_MAX_OUTPUTS - 1, output, NULL))
    return g_strdup (use);
  node = g_strndup (use, (gsize) (first - use));
  if (last > first)
    *output += find_output (walk, node, first + 1, (gsize) (last - first - 1));
  return node;
}

char *
sym_tfjs_make_key (const SymTfjsWalk *walk, const char *use)
{
  const char *renamed =
      walk->flow == NULL ? NULL : sym_tfjs_flow_rename (walk->flow, use, strlen (use));
  guint64 output;
  g_autofree char *node = split_use (walk, renamed == NULL ? use : renamed, &output);

  return output == 0 ? g_steal_pointer (&node)
                     : g_strdup_printf ("%s:%" G_GUINT64_FORMAT, node, output);
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

  if (output > 0 && output + 1 > GPOINTER_TO_UINT (g_hash_table_lookup (walk->n_outputs, node)))
    g_hash_table_insert (walk->n_outputs, g_steal_pointer (&node),
                         GUINT_TO_POINTER ((guint) output + 1));
}

/* How many outputs each node has, as far as anybody uses them. */
void
sym_tfjs_count_outputs (const SymJson *json, guint nodes, const SymTfjsWalk *walk)
{
  for (SymJsonIter i = sym_json_iterate (json, nodes); sym_json_iter_next (json, &i);)
    for (SymJsonIter j = sym_json_iterate (json, sym_json_get_member (json, i.value, "input"));
         sym_json_iter_next (json, &j);)
      {
        gsize length = 0;
        const char *text = sym_json_peek_string (json, j.value, &length);
        g_autofree char *use = NULL;

        if (text != NULL && memchr (text, ':', length) == NULL)
          continue;
        use = sym_json_dup_string (json, j.value);
        sym_tfjs_count_output (walk, use);
      }
}
