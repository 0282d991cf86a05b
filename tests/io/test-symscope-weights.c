/* SPDX-License-Identifier: MIT */
#include "symscope-files.h"

static SymModel *
make_weighted (guint n_elements)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autofree float *numbers = g_new (float, n_elements);
  SymTensor *tensor;
  SymId values[3];

  for (guint i = 0; i < n_elements; i++)
    numbers[i] = (float) i / 3;
  tensor =
      make_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (n_elements), numbers, n_elements * sizeof (float));
  for (guint i = 0; i < 3; i++)
    values[i] = sym_model_builder_add_value (builder, "w", SYM_ROLE_PARAMETER, NULL);
  sym_model_builder_set_parameter (builder, values[0], sym_parameter_new (TRUE, tensor));
  sym_model_builder_set_parameter (builder, values[1], sym_parameter_new (FALSE, tensor));
  sym_model_builder_set_role (builder, values[2], SYM_ROLE_CONSTANT);
  sym_model_builder_set_tensor (builder, values[2], tensor);
  return sym_model_builder_end (builder);
}

static void
assert_same_numbers (SymTensor *a, SymTensor *b)
{
  gsize size = (gsize) sym_tensor_get_n_bytes (a);
  g_autofree char *x = g_malloc (size);
  g_autofree char *y = g_malloc (size);

  g_assert_cmpuint (sym_tensor_get_n_bytes (b), ==, size);
  g_assert_true (sym_tensor_read (a, 0, size, x, NULL));
  g_assert_true (sym_tensor_read (b, 0, size, y, NULL));
  g_assert_cmpmem (x, size, y, size);
}

/* Up to 4096 bytes of weights stand in the document. */
static void
test_weights_go_beside_the_graph (Fixture *self, gconstpointer data)
{
  static const struct {
    guint n_elements;
    gboolean is_inline;
  } cases[] = { { 60, TRUE }, { 340, TRUE }, { 1025, FALSE }, { 100000, FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymModel) model = make_weighted (cases[i].n_elements);
      g_autofree char *written = write_model (self, model);
      g_autofree char *again = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (SymModel) read = sym_io_read (self->path, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (read)), ==, 0);
      g_assert_true (g_file_test (self->weights, G_FILE_TEST_EXISTS) != cases[i].is_inline);
      for (SymId value = 0; value < 3; value++)
        assert_same_numbers (sym_model_get_tensor (model, value),
                             sym_model_get_tensor (read, value));
      g_assert_false (sym_parameter_get_trainable (sym_model_get_parameter (read, 1)));
      again = write_model (self, read); /* over the weights that it reads */
      g_assert_cmpstr (again, ==, written);
      assert_same_numbers (sym_model_get_tensor (model, 0), sym_model_get_tensor (read, 0));
    }
}

static void
test_weights_that_went_are_a_problem (Fixture *self, gconstpointer data)
{
  g_autoptr (SymModel) model = make_weighted (2000);
  G_GNUC_UNUSED g_autofree char *written = write_model (self, model);
  g_autofree char *again = NULL;
  g_autofree char *problems = NULL;
  g_autoptr (SymModel) read = NULL;

  g_assert_cmpint (g_remove (self->weights), ==, 0);
  read = sym_io_read (self->path, NULL, NULL);
  problems = list_problems (read);
  g_assert_true (g_str_has_prefix (problems, "error, line 4: the weights cannot be read: "));
  g_assert_null (sym_model_get_tensor (read, 0));
  again = write_model (self, read);
  g_assert_cmpstr (again, ==, written);
}

static void
test_weights_that_lack_a_tensor_are_a_problem (Fixture *self, gconstpointer data)
{
  g_autoptr (SymModel) model = make_weighted (2000);
  G_GNUC_UNUSED g_autofree char *written = write_model (self, model);
  g_autofree char *problems = NULL;
  g_autoptr (SymModel) read = NULL;

  g_assert_true (sym_store_write_safetensors (self->weights, NULL, NULL, 0, NULL));
  read = sym_io_read (self->path, NULL, NULL);
  problems = list_problems (read);
  g_assert_cmpstr (problems, ==,
                   "warning, line 0: the weights lack 3 of the tensors of the graph, the first is "
                   "'w'");
}

/* Two values with one parameter, and one with its own: each tells why it has no numbers. */
static void
test_each_value_tells_what_it_lacks (Fixture *self, gconstpointer data)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autofree float *numbers = g_new0 (float, 2000);
  g_autoptr (SymTensor) tensor = make_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (2000), numbers, 8000);
  SymParameter *shared = sym_parameter_new (TRUE, tensor);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymModel) read = NULL;

  for (guint i = 0; i < 4; i++)
    sym_model_builder_add_value (builder, "w", SYM_ROLE_PARAMETER, NULL);
  sym_model_builder_set_parameter (builder, 0, sym_parameter_ref (shared));
  sym_model_builder_set_parameter (builder, 1, shared);
  sym_model_builder_set_parameter (builder, 2, sym_parameter_new (TRUE, tensor));
  model = sym_model_builder_end (builder);
  g_free (write_model (self, model));
  g_assert_true (sym_store_write_safetensors (self->weights, NULL, NULL, 0, NULL));
  read = sym_io_read (self->path, NULL, NULL);
  g_assert_true (sym_model_get_parameter (read, 0) == sym_model_get_parameter (read, 1));
  for (SymId value = 0; value < 3; value++)
    g_assert_cmpstr (sym_model_get_lack (read, value), ==, "the weights have none of that name");
  g_assert_null (sym_model_get_lack (read, 3));
}

/* Integers of 4 bits in the document, however many; the others beside it. */
static void
test_what_safetensors_cannot_hold_is_inline (Fixture *self, gconstpointer data)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autofree guint8 *bytes = g_malloc0 (8000);
  SymTensor *tensors[] = { make_tensor (SYM_DTYPE_INT4, SYM_SHAPE (15999), bytes, 8000),
                           make_tensor (SYM_DTYPE_INT8, SYM_SHAPE (8000), bytes, 8000) };
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymModel) read = NULL;
  g_autoptr (SymStoreTensors) weights = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (tensors); i++)
    {
      SymId value = sym_model_builder_add_value (builder, "w", SYM_ROLE_PARAMETER, NULL);

      sym_model_builder_set_parameter (builder, value, sym_parameter_new (TRUE, tensors[i]));
      sym_tensor_unref (tensors[i]);
    }
  model = sym_model_builder_end (builder);
  g_free (write_model (self, model));
  read = sym_io_read (self->path, NULL, &error);
  g_assert_no_error (error);
  for (SymId value = 0; value < 2; value++)
    assert_same_numbers (sym_model_get_tensor (model, value), sym_model_get_tensor (read, value));
  weights = sym_store_open_safetensors (self->weights, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_store_tensors_get_n (weights), ==, 1);
}

/* A graph may not be half written: neither file changes when one cannot be. */
static void
test_a_failed_write_changes_nothing (Fixture *self, gconstpointer data)
{
  g_autoptr (SymModel) model = make_weighted (2000);
  g_autofree char *before = write_model (self, model);
  g_autofree char *after = NULL;
  G_GNUC_UNUSED g_autoptr (SymStoreTensors) weights =
      sym_store_open_safetensors (self->weights, NULL);
  g_autoptr (SymModel) read = sym_io_read (self->path, NULL, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (self->weights, "changed", -1, NULL));
  g_assert_false (
      sym_io_write (sym_io_find_format ("symscope"), read, NULL, self->path, NULL, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE);
  g_assert_true (g_file_get_contents (self->path, &after, NULL, NULL));
  g_assert_cmpstr (after, ==, before);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function) \
  g_test_add ("/io/symscope-weights/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("weights-go-beside-the-graph", test_weights_go_beside_the_graph);
  ADD ("weights-that-went-are-a-problem", test_weights_that_went_are_a_problem);
  ADD ("weights-that-lack-a-tensor-are-a-problem", test_weights_that_lack_a_tensor_are_a_problem);
  ADD ("each-value-tells-what-it-lacks", test_each_value_tells_what_it_lacks);
  ADD ("what-safetensors-cannot-hold-is-inline", test_what_safetensors_cannot_hold_is_inline);
  ADD ("a-failed-write-changes-nothing", test_a_failed_write_changes_nothing);
  return g_test_run ();
}
