/* SPDX-License-Identifier: MIT */
#pragma once

#include "scene-graphs.h"

#include <string.h>

/* Models whose names make groups, folded. */

/* The whole name of a group, "a/x". */
static inline char *
graph_get_path (const SymGroups *groups, guint group)
{
  GString *path = g_string_new (sym_groups_get (groups, group)->name);

  for (guint i = sym_groups_get (groups, group)->parent; i != SYM_NO_GROUP;
       i = sym_groups_get (groups, i)->parent)
    {
      g_string_prepend_c (path, '/');
      g_string_prepend (path, sym_groups_get (groups, i)->name);
    }
  return g_string_free (path, FALSE);
}

static inline guint
graph_find_group (const SymGroups *groups, const char *path)
{
  for (guint i = 0; i < sym_groups_get_n (groups); i++)
    {
      g_autofree char *other = graph_get_path (groups, i);

      if (g_str_equal (other, path))
        return i;
    }
  g_error ("there is no group %s", path);
}

/* With the groups open that are called (a list with commas), and those around them; all with "*".
 */
static inline SymFolding *
graph_fold (SymModel *model, const char *open)
{
  g_autoptr (SymGroups) groups = sym_groups_new (model);
  g_auto (GStrv) paths = g_strsplit (open, ",", -1);
  SymFolding *folding;

  if (g_str_equal (open, "*"))
    return sym_folding_new_open (groups);
  folding = sym_folding_new_closed (groups);
  for (guint i = 0; paths[i] && *paths[i]; i++)
    {
      SymFolding *next = sym_folding_open (folding, graph_find_group (groups, paths[i]));

      sym_folding_unref (folding);
      folding = next;
    }
  return folding;
}

static inline SymScene *
graph_folded_scene (SymModel *model, const SymSceneOptions *options, const char *open)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, &error);
  g_autoptr (SymFolding) folding = graph_fold (model, open);
  SymSceneOptions with_folding = options ? *options : (SymSceneOptions){ 0 };

  g_assert_no_error (error);
  with_folding.folding = folding;
  return sym_scene_new (inference, &with_folding);
}

/* A model from lines like "b/1 a/2 x", each a call and what it uses; what is only used is an input,
 * and what is not used is an output. */
static inline SymModel *
graph_read (const char *const *lines)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (GHashTable) values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) used = g_hash_table_new (NULL, NULL);

  for (guint i = 0; lines[i]; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", -1);
      SymId operands[8];
      guint n = 0;
      SymId result;

      for (n = 0; words[n + 1]; n++)
        {
          gpointer known = NULL;

          if (!g_hash_table_lookup_extended (values, words[n + 1], NULL, &known))
            {
              known = GUINT_TO_POINTER (graph_input (builder, words[n + 1]));
              g_hash_table_insert (values, g_strdup (words[n + 1]), known);
            }
          operands[n] = GPOINTER_TO_UINT (known);
          g_hash_table_add (used, known);
        }
      result = graph_call (builder, "Thing", words[0], operands, n);
      g_hash_table_insert (values, g_strdup (words[0]), GUINT_TO_POINTER (result));
    }
  for (guint i = 0; lines[i]; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", 2);
      gpointer value = g_hash_table_lookup (values, words[0]);

      if (!g_hash_table_contains (used, value))
        sym_model_builder_add_output (builder, GPOINTER_TO_UINT (value));
    }
  return sym_model_builder_end (builder);
}
