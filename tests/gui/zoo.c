/* SPDX-License-Identifier: MIT */
#include "zoo.h"

#include <gio/gio.h>

#include "loop.h"
#include "toy.h"

#define MAX_CORPUS_BYTES (20 * 1024 * 1024)

static void
add (GPtrArray *paths, const char *folder, const char *name, const char *text, gssize length)
{
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (folder, name, NULL);

  g_file_set_contents (path, text, length, &error);
  g_assert_no_error (error);
  g_ptr_array_add (paths, path);
}

static void
take (GPtrArray *paths, const char *folder, const char *name, char *take_text)
{
  add (paths, folder, name, take_text, -1);
  g_free (take_text);
}

/* One value that so many layers use, and one layer that uses all of those. */
static char *
format_fan (guint n)
{
  GString *text = g_string_new ("{\"nodes\":[" TOY_NODE ("null", "data", "", ""));

  for (guint i = 0; i < n; i++)
    g_string_append_printf (
        text, "," TOY_NODE ("clip", "clip%u", "\"a_min\":\"0\",\"a_max\":\"%u\"", "[0,0,0]"), i, i);
  g_string_append_printf (text, ",{\"op\":\"add_n\",\"name\":\"all\",\"inputs\":[");
  for (guint i = 1; i <= n; i++)
    g_string_append_printf (text, "%s[%u,0,0]", i > 1 ? "," : "", i);
  g_string_append_printf (text, "]}],\"arg_nodes\":[0],\"heads\":[[%u,0,0]]}", n + 1);
  return g_string_free (text, FALSE);
}

static void
add_made (GPtrArray *paths, const char *folder)
{
  static const char zeros[4096];

  add (paths, folder, "empty.json", "", 0);
  add (paths, folder, "broken-symbol.json", TOY (""), 200);
  add (paths, folder, "letter.txt", "Dear reader,\nthis is no graph.\n", -1);
  add (paths, folder, "\xe9t\xe9-symbol.json", TOY (""), -1); /* not UTF-8 */
  add (paths, folder, "bris\xe9-symbol.json", "{\"nodes\": [1]}", -1);
  add (paths, folder, "zeros.onnx", zeros, sizeof zeros);
  add (paths, folder, "toy-symbol.json", TOY (""), -1);
  add (paths, folder, "loop-symbol.json", LOOP, -1);
  take (paths, folder, "one-symbol.json", toy_format_chain (0));
  take (paths, folder, "twenty-symbol.json", toy_format_chain (19));
  take (paths, folder, "fan-symbol.json", format_fan (2000));
  take (paths, folder, "equal-20000-symbol.json", toy_format_chain (20000));
  take (paths, folder, "chain-20000-symbol.json", toy_format_unequal_chain (20000));
  take (paths, folder, "chain-100000-symbol.json", toy_format_unequal_chain (100000));
  g_ptr_array_add (paths, g_build_filename (folder, "missing.onnx", NULL));
}

static void
copy (GPtrArray *paths, const char *folder, const char *from)
{
  g_autofree char *name = g_path_get_basename (from);
  g_autofree char *text = NULL;
  gsize length;

  if (g_file_get_contents (from, &text, &length, NULL))
    add (paths, folder, name, text, (gssize) length);
}

/* Graphs that come with the program, among files of other kinds. */
static void
copy_graphs (GPtrArray *paths, const char *folder, const char *subfolder)
{
  g_autofree char *from =
      g_build_filename (g_getenv ("G_TEST_SRCDIR"), "..", "data", subfolder, NULL);
  g_autoptr (GDir) dir = g_dir_open (from, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (from, name, NULL);

      if (g_str_has_suffix (name, ".json") || g_str_has_suffix (name, ".onnxtxt"))
        copy (paths, folder, path);
    }
}

/* Lines of INDEX.tsv: path, format, bytes... */
static void
copy_corpus (GPtrArray *paths, const char *folder, GRand *random, guint n)
{
  const char *corpus = g_getenv ("SYMSCOPE_CORPUS");
  g_autofree char *index = g_build_filename (corpus != NULL ? corpus : "", "INDEX.tsv", NULL);
  g_autofree char *text = NULL;

  if (corpus == NULL || *corpus == '\0' || !g_file_get_contents (index, &text, NULL, NULL))
    return;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n_lines = g_strv_length (lines);

  for (guint i = 0; i < n && n_lines > 2; i++)
    {
      int chosen = g_rand_int_range (random, 1, (int) n_lines - 1);
      g_auto (GStrv) words = g_strsplit (lines[chosen], "\t", 4);

      if (g_strv_length (words) < 3 || g_ascii_strtoll (words[2], NULL, 10) > MAX_CORPUS_BYTES)
        continue;
      g_autofree char *path = g_build_filename (corpus, words[0], NULL);

      copy (paths, folder, path);
    }
}

GPtrArray *
zoo_fill (const char *folder, GRand *random, guint n_of_corpus)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);

  add_made (paths, folder);
  copy_graphs (paths, folder, "samples");
  copy_graphs (paths, folder, "examples");
  copy_corpus (paths, folder, random, n_of_corpus);
  return paths;
}

static void
remove_all (GFile *file)
{
  g_autoptr (GFileEnumerator) children = g_file_enumerate_children (
      file, G_FILE_ATTRIBUTE_STANDARD_NAME, G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL, NULL);
  GFile *child;

  while (children != NULL && g_file_enumerator_iterate (children, NULL, &child, NULL, NULL) &&
         child != NULL)
    remove_all (child);
  g_file_delete (file, NULL, NULL);
}

void
zoo_remove (const char *folder)
{
  g_autoptr (GFile) file = g_file_new_for_path (folder);

  remove_all (file);
}
