/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model-builder.h"
#include "io/sym-io.h"
#include "store/sym-store.h"

#include <glib/gstdio.h>
#include <string.h>

/* What tests of Symscope's own files have in common. */

/* ---- A folder to write to ---- */

typedef struct {
  char *folder;
  char *path;    /* of a graph */
  char *weights; /* beside it */
} Fixture;

static inline void
set_up (Fixture *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "x.symscope.json", NULL);
  self->weights = g_build_filename (self->folder, "x.safetensors", NULL);
}

static inline void
tear_down (Fixture *self, gconstpointer data)
{
  g_remove (self->path);
  g_remove (self->weights);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->path);
  g_free (self->weights);
}

static inline char *
write_model (Fixture *self, SymModel *model)
{
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  sym_io_write (sym_io_find_format ("symscope"), model, NULL, self->path, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (self->path, &text, NULL, NULL));
  return text;
}

static inline SymModel *
read_text (const char *text, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return sym_io_read_bytes (bytes, "test", error);
}

/* ---- What is in it ---- */

static inline char *
load (const char *name, const char *suffix)
{
  g_autofree char *file = g_strconcat (name, suffix, NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "symscope", file, NULL);
  char *text = NULL;

  if (g_file_get_contents (path, &text, NULL, NULL))
    g_strchomp (text);
  return text;
}

static inline char *
list_problems (const SymModel *model)
{
  const SymProblems *problems = sym_model_get_problems (model);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < sym_problems_get_n (problems); i++)
    {
      const SymProblem *problem = sym_problems_get (problems, i);

      g_string_append_printf (text, "%s%s, line %u: %s", i == 0 ? "" : "\n",
                              sym_severity_to_string (problem->severity), problem->line,
                              problem->message);
    }
  return g_string_free (text, FALSE);
}

static inline SymTensor *
make_tensor (SymDType dtype, SymShape shape, gconstpointer contents, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (contents, size);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);
  g_autoptr (GError) error = NULL;
  SymTensor *tensor = sym_tensor_new (dtype, &shape, blob, 0, &error);

  g_assert_no_error (error);
  return tensor;
}
