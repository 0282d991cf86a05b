/* SPDX-License-Identifier: MIT */
#include "symscope-files.h"

/* MXNet's files as Symscope's: nothing is lost. */

static void
assert_same_values (const SymModel *a, const SymModel *b)
{
  g_assert_cmpuint (sym_model_get_n_values (a), ==, sym_model_get_n_values (b));
  for (SymId value = 0; value < sym_model_get_n_values (a); value++)
    {
      SymType x = sym_model_get_declared_type (a, value);
      SymType y = sym_model_get_declared_type (b, value);

      g_assert_cmpstr (sym_model_get_value_name (a, value), ==,
                       sym_model_get_value_name (b, value));
      g_assert_cmpint (sym_model_get_role (a, value), ==, sym_model_get_role (b, value));
      g_assert_cmpint (x.dtype, ==, y.dtype);
      g_assert_cmpint (x.shape.rank, ==, y.shape.rank);
      g_assert_cmpuint (sym_attributes_get_n (sym_model_get_value_attributes (a, value)), ==,
                        sym_attributes_get_n (sym_model_get_value_attributes (b, value)));
    }
}

static void
assert_same_attributes (const SymAttributes *a, const SymAttributes *b)
{
  g_assert_cmpuint (sym_attributes_get_n (a), ==, sym_attributes_get_n (b));
  for (guint i = 0; i < sym_attributes_get_n (a); i++)
    {
      g_assert_cmpstr (sym_attributes_get_name (a, i), ==, sym_attributes_get_name (b, i));
      g_assert_cmpstr (sym_attributes_get_literal (a, i), ==, sym_attributes_get_literal (b, i));
      g_assert_true (
          sym_value_equal (sym_attributes_get_value (a, i), sym_attributes_get_value (b, i)));
    }
}

static void
assert_same_calls (const SymModel *a, const SymModel *b)
{
  g_assert_cmpuint (sym_model_get_n_calls (a), ==, sym_model_get_n_calls (b));
  for (SymId call = 0; call < sym_model_get_n_calls (a); call++)
    {
      SymLayer *x = sym_model_get_layer (a, call);
      SymLayer *y = sym_model_get_layer (b, call);
      SymIds p = sym_model_get_operands (a, call);
      SymIds q = sym_model_get_operands (b, call);

      g_assert_cmpstr (sym_model_get_call_name (a, call), ==, sym_model_get_call_name (b, call));
      g_assert_true (sym_layer_get_operator (x) == sym_layer_get_operator (y));
      g_assert_cmpstr (sym_layer_get_type (x), ==, sym_layer_get_type (y));
      g_assert_cmpuint (sym_layer_get_n_bodies (x), ==, sym_layer_get_n_bodies (y));
      assert_same_attributes (sym_layer_get_attributes (x), sym_layer_get_attributes (y));
      g_assert_cmpmem (p.ids, p.n * sizeof (SymId), q.ids, q.n * sizeof (SymId));
      p = sym_model_get_results (a, call);
      q = sym_model_get_results (b, call);
      g_assert_cmpmem (p.ids, p.n * sizeof (SymId), q.ids, q.n * sizeof (SymId));
    }
}

static void
assert_same_model (const SymModel *a, const SymModel *b)
{
  SymIds p = sym_model_get_outputs (a);
  SymIds q = sym_model_get_outputs (b);

  assert_same_values (a, b);
  assert_same_calls (a, b);
  g_assert_cmpmem (p.ids, p.n * sizeof (SymId), q.ids, q.n * sizeof (SymId));
  p = sym_model_get_inputs (a);
  q = sym_model_get_inputs (b);
  g_assert_cmpmem (p.ids, p.n * sizeof (SymId), q.ids, q.n * sizeof (SymId));
  g_assert_cmpint (sym_model_get_dialect (a), ==, sym_model_get_dialect (b));
}

static void
test_every_mxnet_file_survives (Fixture *self, gconstpointer data)
{
  const char *corpus = g_getenv ("SYMSCOPE_CORPUS");
  g_autofree char *folder = g_build_filename (corpus == NULL ? "" : corpus, "mxnet", NULL);
  g_autoptr (GDir) dir = corpus == NULL || *corpus == '\0' ? NULL : g_dir_open (folder, 0, NULL);
  const char *file;

  if (dir == NULL)
    {
      g_test_skip ("no corpus");
      return;
    }
  while ((file = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, file, NULL);
      g_autofree char *written = NULL;
      g_autofree char *again = NULL;
      g_autoptr (SymModel) model = NULL;
      g_autoptr (SymModel) read = NULL;
      g_autoptr (GError) error = NULL;

      if (!g_str_has_suffix (file, ".json"))
        continue;
      g_test_message ("%s", file);
      model = sym_io_read (path, NULL, &error);
      g_assert_no_error (error);
      written = write_model (self, model);
      read = sym_io_read (self->path, NULL, &error);
      g_assert_no_error (error);
      assert_same_model (model, read);
      again = write_model (self, read);
      g_assert_cmpstr (again, ==, written);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function) \
  g_test_add ("/io/symscope-mxnet/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("every-mxnet-file-survives", test_every_mxnet_file_survives);
  return g_test_run ();
}
