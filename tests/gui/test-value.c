/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "app/scope-value.h"
#include "store/sym-store-numpy.h"
#include "toy.h"

/* s = x + w, y = -s; of x = [1, 2]. */
#define SMALL                                                      \
  "<ir_version: 8, opset_import: [\"\" : 13]>\n"                   \
  "small (float[2] x) => (float[2] y) <float[2] w = {10, 20}> {\n" \
  "  s = Add (x, w)\n y = Neg (s)\n}\n"

typedef struct {
  ScopeDocument *document;
  SymRecord *record;
} Fixture;

/* Of the values only the output and what was fed are kept. */
static void
set_up (Fixture *self)
{
  g_autofree char *path = toy_write ("small.onnxtxt", SMALL);
  float numbers[] = { 1, 2 };
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (2), numbers };
  g_autoptr (SymDatum) datum = sym_datum_new_copy (&array, NULL);

  self->document = toy_open (path);
  SymFeed feed = { toy_find (self->document, "x"), datum };

  self->record =
      sym_record_new (scope_document_get_model (self->document), &feed, 1, NULL, NULL, NULL);
  g_assert_nonnull (self->record);
}

static void
tear_down (Fixture *self)
{
  sym_record_unref (self->record);
  toy_finalize (self->document);
}

static ScopeValue
find (Fixture *self, const char *name)
{
  return scope_value_find (scope_document_get_model (self->document), self->record,
                           toy_find (self->document, name));
}

static void
take_result_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static GAsyncResult *
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *result;
}

static const struct {
  const char *name;
  gboolean is_in_file, is_at_hand;
  float numbers[2];
} cases[] = {
  { "w", TRUE, TRUE, { 10, 20 } },
  { "x", FALSE, TRUE, { 1, 2 } },
  { "s", FALSE, FALSE, { 11, 22 } },
  { "y", FALSE, TRUE, { -11, -22 } },
};

static void
test_numbers_are_found (void)
{
  Fixture fixture;

  set_up (&fixture);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      ScopeValue value = find (&fixture, cases[i].name);

      g_assert_true (scope_value_is_there (&value));
      g_assert_cmpint (value.tensor != NULL, ==, cases[i].is_in_file);
      g_assert_cmpint (scope_value_is_at_hand (&value), ==, cases[i].is_at_hand);
      g_assert_cmpint (scope_value_get_type (&value).shape.dims[0], ==, 2);
      scope_value_clear (&value);
      g_assert_false (scope_value_is_there (&value));
    }
  tear_down (&fixture);
}

static void
test_numbers_are_measured_and_loaded (void)
{
  Fixture fixture;

  set_up (&fixture);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      ScopeValue value = find (&fixture, cases[i].name);
      g_autoptr (GAsyncResult) measured = NULL;
      g_autoptr (GAsyncResult) loaded = NULL;

      scope_value_measure_async (&value, NULL, take_result_cb, &measured);
      g_autofree SymStatistics *statistics =
          scope_value_measure_finish (wait_for (&measured), NULL);

      g_assert_cmpfloat (statistics->mean, ==, (cases[i].numbers[0] + cases[i].numbers[1]) / 2);
      scope_value_load_async (&value, NULL, take_result_cb, &loaded);
      g_autoptr (SymDatum) datum = scope_value_load_finish (wait_for (&loaded), NULL);

      g_assert_cmpmem (sym_datum_get_array (datum)->data, 8, cases[i].numbers, 8);
      scope_value_clear (&value);
    }
  tear_down (&fixture);
}

static void
test_numbers_are_saved (void)
{
  Fixture fixture;

  set_up (&fixture);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      ScopeValue value = find (&fixture, cases[i].name);
      g_autofree char *path = toy_write ("saved.npy", "");
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autoptr (GAsyncResult) saved = NULL;
      g_autoptr (GError) error = NULL;
      float numbers[2];

      scope_value_save_async (&value, file, NULL, take_result_cb, &saved);
      g_assert_true (scope_value_save_finish (wait_for (&saved), &error));
      g_assert_no_error (error);
      g_autoptr (SymTensor) tensor = sym_store_open_npy (path, &error);

      g_assert_no_error (error);
      g_assert_true (sym_tensor_read (tensor, 0, sizeof numbers, numbers, NULL));
      g_assert_cmpmem (numbers, 8, cases[i].numbers, 8);
      scope_value_clear (&value);
    }
  tear_down (&fixture);
}

static void
test_a_folder_that_is_not_there_is_named (void)
{
  Fixture fixture;
  g_autoptr (GFile) file = g_file_new_for_path ("/nonexistent/folder/x.npy");
  g_autoptr (GAsyncResult) saved = NULL;
  g_autoptr (GError) error = NULL;

  set_up (&fixture);
  ScopeValue value = find (&fixture, "y");

  scope_value_save_async (&value, file, NULL, take_result_cb, &saved);
  g_assert_false (scope_value_save_finish (wait_for (&saved), &error));
  g_assert_nonnull (strstr (error->message, "/nonexistent/folder"));
  scope_value_clear (&value);
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/value/numbers-are-found", test_numbers_are_found);
  g_test_add_func ("/app/value/numbers-are-measured-and-loaded",
                   test_numbers_are_measured_and_loaded);
  g_test_add_func ("/app/value/numbers-are-saved", test_numbers_are_saved);
  g_test_add_func ("/app/value/a-folder-that-is-not-there-is-named",
                   test_a_folder_that_is_not_there_is_named);
  return g_test_run ();
}
