/* SPDX-License-Identifier: MIT */
#include "toy.h"

#include <glib/gstdio.h>
#include <stdlib.h>

#define PATIENCE (120 * G_USEC_PER_SEC) /* until another thread lets a document go */

/* Folders to be gone when the test ends. */
static GPtrArray *folders;

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
}

static void
remove_folders (void)
{
  for (guint i = 0; i < folders->len; i++)
    remove_folder (folders->pdata[i]);
  g_clear_pointer (&folders, g_ptr_array_unref);
}

static void
remove_at_end (const char *folder)
{
  if (folders == NULL)
    {
      folders = g_ptr_array_new_with_free_func (g_free);
      atexit (remove_folders);
    }
  g_ptr_array_add (folders, g_strdup (folder));
}

char *
toy_write (const char *name, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("symscope-XXXXXX", &error);

  g_assert_no_error (error);
  remove_at_end (folder);
  char *path = g_build_filename (folder, name, NULL);

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  return path;
}

char *
toy_copy_fixture (const char *folder, const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", folder, name, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return toy_write (name, text);
}

char *
toy_format_chain (guint n)
{
  g_autoptr (GString) text = g_string_new ("{\"nodes\":[" TOY_NODE ("null", "data", "", ""));

  for (guint i = 0; i < n; i++)
    g_string_append_printf (
        text, "," TOY_NODE ("Activation", "relu%u", "\"act_type\":\"relu\"", "[%u,0,0]"), i, i);
  g_string_append_printf (text, "],\"arg_nodes\":[0],\"heads\":[[%u,0,0]]}", n);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
toy_format_unequal_chain (guint n)
{
  g_autoptr (GString) text = g_string_new ("{\"nodes\":[" TOY_NODE ("null", "data", "", ""));

  for (guint i = 0; i < n; i++)
    g_string_append_printf (
        text, "," TOY_NODE ("clip", "clip%u", "\"a_min\":\"0\",\"a_max\":\"%u\"", "[%u,0,0]"), i,
        i + 1, i);
  g_string_append_printf (text, "],\"arg_nodes\":[0],\"heads\":[[%u,0,0]]}", n);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

ScopeDocument *
toy_open (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  ScopeDocument *document = scope_document_new_for_file (file);

  toy_wait (document);
  return document;
}

void
toy_wait (ScopeDocument *document)
{
  while (scope_document_get_progress (document) != NULL)
    g_main_context_iteration (NULL, TRUE);
}

SymId
toy_find (ScopeDocument *document, const char *name)
{
  g_autoptr (GError) error = NULL;
  SymId value = SYM_NO_ID;

  sym_model_resolve (scope_document_get_model (document), name, &value, &error);
  g_assert_no_error (error);
  return value;
}

void
toy_finalize (ScopeDocument *document)
{
  gpointer weak = document;

  g_object_add_weak_pointer (G_OBJECT (document), &weak);
  g_object_unref (document);
  for (gint64 end = g_get_monotonic_time () + PATIENCE;
       g_atomic_pointer_get (&weak) != NULL && g_get_monotonic_time () < end;)
    g_usleep (1000);
  g_assert_null (g_atomic_pointer_get (&weak));
}

char *
toy_write_stages (void)
{
  g_autoptr (GString) json = g_string_new ("{\"nodes\": [" TOY_NODE ("null", "data", "", ""));

  for (guint i = 0; i < 12; i++)
    g_string_append_printf (
        json, "," TOY_NODE ("%s", "stage%u/act%u", "\"act_type\":\"relu\"", "[%u,0,0]"),
        i % 3 == 0 ? "Flatten" : "Activation", i / 3, i, i);
  g_string_append (json, "], \"arg_nodes\": [0], \"heads\": [[12, 0, 0]]}");
  return toy_write ("stages-symbol.json", json->str);
}
