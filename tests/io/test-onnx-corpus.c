/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-write-private.h"

#include <string.h>

/* All .onnx files below a folder of the corpus. */
static GPtrArray *
list_models (void)
{
  const char *corpus = g_getenv ("SYMSCOPE_CORPUS");
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_free);

  if (corpus != NULL && *corpus != '\0')
    g_ptr_array_add (folders, g_build_filename (corpus, "onnx", NULL));
  while (folders->len > 0)
    {
      g_autofree char *folder = g_ptr_array_steal_index_fast (folders, folders->len - 1);
      g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
      const char *name;

      while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *path = g_build_filename (folder, name, NULL);

          if (g_str_has_suffix (name, ".onnx"))
            g_ptr_array_add (paths, g_steal_pointer (&path));
          else if (g_file_test (path, G_FILE_TEST_IS_DIR))
            g_ptr_array_add (folders, g_steal_pointer (&path));
        }
    }
  if (paths->len == 0)
    g_test_skip ("there is no corpus");
  return paths;
}

static gboolean
add_bytes (gpointer out, const void *bytes, gsize size, GError **error)
{
  g_byte_array_append (out, bytes, (guint) size);
  return TRUE;
}

static SymModel *
open_model (const char *path)
{
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read (path, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (model);
  return model;
}

/* Every file opens, and is written as it was. */
static void
test_files_come_back (void)
{
  g_autoptr (GPtrArray) paths = list_models ();

  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = g_ptr_array_index (paths, i);
      g_autoptr (SymModel) model = open_model (path);
      g_autoptr (GByteArray) out = g_byte_array_new ();
      g_autoptr (SymProto) document = NULL;
      g_autoptr (GError) error = NULL;
      const SymProtoMessage *message = sym_onnx_make_model (model, NULL, NULL, &document, &error);
      g_autofree char *bytes = NULL;
      gsize size;

      g_assert_no_error (error);
      g_assert_true (sym_proto_write (message, add_bytes, out, NULL));
      g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
      if (size != out->len || memcmp (bytes, out->data, size) != 0)
        g_error ("%s is written in another way", path);
    }
}

/* A Constant is a value, but where it is an output of its graph. */
static void
test_constants_are_values (void)
{
  g_autoptr (GPtrArray) paths = list_models ();

  for (guint i = 0; i < paths->len; i++)
    {
      g_autoptr (SymModel) model = open_model (g_ptr_array_index (paths, i));

      for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
        if (g_str_equal (sym_layer_get_type (sym_model_get_layer (model, call)), "Constant"))
          g_assert_true (sym_model_is_output (model, sym_model_get_results (model, call).ids[0]));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/io/onnx-corpus/files-are-written-back-as-they-were", test_files_come_back);
  g_test_add_func ("/io/onnx-corpus/constants-are-values", test_constants_are_values);
  return g_test_run ();
}
