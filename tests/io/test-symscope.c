/* SPDX-License-Identifier: MIT */
#include "core/sym-model-builder.h"
#include "io/sym-io.h"
#include "ops/sym-op.h"
#include "store/sym-store.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* ---- A folder to write to ---- */

typedef struct {
  char *folder;
  char *path;    /* of a graph */
  char *weights; /* beside it */
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "x.symscope.json", NULL);
  self->weights = g_build_filename (self->folder, "x.safetensors", NULL);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_remove (self->path);
  g_remove (self->weights);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->path);
  g_free (self->weights);
}

static char *
write_model (Fixture *self, SymModel *model)
{
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  sym_io_write (sym_io_find_format ("symscope"), model, NULL, self->path, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (self->path, &text, NULL, NULL));
  return text;
}

static SymModel *
read_text (const char *text, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return sym_io_read_bytes (bytes, "test", error);
}

/* ---- Fixtures ---- */

static char *
load (const char *name, const char *suffix)
{
  g_autofree char *file = g_strconcat (name, suffix, NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "symscope", file, NULL);
  char *text = NULL;

  if (g_file_get_contents (path, &text, NULL, NULL))
    g_strchomp (text);
  return text;
}

static char *
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

/* x.json is refused with the message x.error; or it opens with the problems of x.problems, none
 * when there is no such file, and is written as x.expected, or as it was. */
static void
test_fixture (gconstpointer data)
{
  const char *name = data;
  g_autofree char *text = load (name, ".json");
  g_autofree char *refusal = load (name, ".error");
  g_autofree char *problems = load (name, ".problems");
  g_autofree char *expected = load (name, ".expected");
  g_autofree char *found = NULL;
  g_autofree char *written = NULL;
  g_autoptr (SymModel) model = NULL;
  g_autoptr (GError) error = NULL;
  Fixture fixture;

  model = read_text (text, &error);
  if (refusal != NULL)
    {
      g_assert_null (model);
      g_assert_cmpstr (error->message, ==, refusal);
      return;
    }
  g_assert_no_error (error);
  found = list_problems (model);
  g_assert_cmpstr (found, ==, problems == NULL ? "" : problems);

  set_up (&fixture, NULL);
  written = write_model (&fixture, model);
  tear_down (&fixture, NULL);
  g_assert_cmpstr (g_strchomp (written), ==, expected == NULL ? text : expected);
}

static void
add_fixtures (void)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "fixtures", "symscope", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *file;

  g_assert_nonnull (dir);
  while ((file = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (file, ".json"))
      {
        char *name = g_strndup (file, strlen (file) - strlen (".json"));
        g_autofree char *path = g_strconcat ("/io/symscope/fixture/", name, NULL);

        g_test_add_data_func_full (path, name, test_fixture, g_free);
      }
}

/* ---- A model with everything that there is ---- */

static SymTensor *
make_tensor (SymDType dtype, SymShape shape, gconstpointer contents, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (contents, size);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);
  g_autoptr (GError) error = NULL;
  SymTensor *tensor = sym_tensor_new (dtype, &shape, blob, 0, &error);

  g_assert_no_error (error);
  return tensor;
}

static SymAttributes *
make_attributes (void)
{
  SymAttributes *attributes = sym_attributes_new ();
  const gint64 sizes[] = { 3, -3 };
  SymValue *children[3] = { sym_value_new_none (), sym_value_new_operand (1),
                            sym_value_new_ellipsis () };
  const char *const keys[] = { "a", "a\"b", "c" };

  sym_attributes_set (attributes, "kernel", sym_value_new_ints (SYM_VALUE_TUPLE, sizes, 2),
                      "(3, -3)");
  sym_attributes_set (attributes, "flag", sym_value_new_bool (TRUE), "1");
  sym_attributes_set (attributes, "act", sym_value_new_string ("relu"), "relu");
  sym_attributes_set (attributes, "eps", sym_value_new_float (1e-5), NULL);
  sym_attributes_set (attributes, "whole", sym_value_new_float (3), NULL);
  sym_attributes_set (attributes, "not", sym_value_new_float ((double) NAN), NULL);
  sym_attributes_set (attributes, "low", sym_value_new_float ((double) -INFINITY), NULL);
  sym_attributes_set (attributes, "big", sym_value_new_int (G_MININT64), NULL);
  sym_attributes_set (attributes, "dtype", sym_value_new_dtype (SYM_DTYPE_FLOAT16), NULL);
  sym_attributes_set (attributes, "any", sym_value_new_dtype (SYM_DTYPE_UNKNOWN), NULL);
  sym_attributes_set (attributes, "array", sym_value_new_opaque ("ndarray"), NULL);
  sym_attributes_set (attributes, "tree", sym_value_new_dict (keys, children, 3), NULL);
  sym_attributes_set (
      attributes, "range",
      sym_value_new_slice (sym_value_new_int (1), sym_value_new_none (), sym_value_new_int (-1)),
      NULL);
  sym_attributes_set (attributes, "none", sym_value_new_list (NULL, 0), NULL);
  return attributes;
}

/* y = x + x, with an operator that the body's own layer has. */
static SymModel *
make_body (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_SYMBOLIC);
  g_autoptr (SymLayer) add = sym_layer_new ("Add", NULL, NULL);
  SymId x = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, NULL);
  const SymId operands[] = { x, x };
  SymId call = sym_model_builder_add_call (builder, "y", add, operands, 2, 1);

  sym_model_builder_add_output (builder, sym_model_builder_get_result (builder, call, 0));
  return sym_model_builder_end (builder);
}

static void
add_inputs (SymModelBuilder *builder, SymId *values)
{
  SymTerms *terms = sym_model_builder_get_terms (builder);
  SymDim tied = sym_terms_new_unknown (terms);
  SymDim odd = sym_terms_get_named (terms, "batch-size");
  SymDim length = sym_terms_add (terms, sym_terms_multiply (terms, 2, tied), 1);
  const SymType elements[] = { sym_type_opaque ("ndarray"), SYM_TYPE_UNKNOWN };
  SymType types[] = {
    sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (tied, 3, SYM_DIM_UNKNOWN)),
    sym_type_tensor (SYM_DTYPE_UNKNOWN, SYM_SHAPE (length, odd, tied)),
    sym_type_tensor (SYM_DTYPE_INT64, SYM_SHAPE_UNKNOWN),
    { .kind = SYM_KIND_TUPLE, .elements = elements, .n_elements = 2, .shape = { .rank = -1 } },
    { .kind = SYM_KIND_SEQUENCE, .dtype = SYM_DTYPE_BOOL, .shape = { .rank = 0 } },
    sym_type_tensor (SYM_DTYPE_FLOAT32,
                     SYM_SHAPE (sym_terms_get_named (terms, "seq"), sym_terms_new_unknown (terms))),
  };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    values[i] = sym_model_builder_add_value (builder,
                                             i == 2   ? "x"
                                             : i == 4 ? ""
                                                      : "x",
                                             SYM_ROLE_INPUT, &types[i]);
  sym_model_builder_set_variable (builder, values[0], "image");
  sym_model_builder_set_value_attributes (builder, values[0], make_attributes ());
}

static void
add_data (SymModelBuilder *builder, SymId *values)
{
  static const float floats[] = { 0.1f, -0.0f, 16777216.0f };
  static const double infinite[] = { (double) INFINITY };
  static const guint8 bytes[] = { 0, 255 };
  static const gint64 integers[] = { G_MININT64, 7 };
  g_autoptr (SymTensor) weights = make_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (3), floats, 12);

  values[0] = sym_model_builder_add_value (builder, "w", SYM_ROLE_PARAMETER, NULL);
  sym_model_builder_set_parameter (builder, values[0], sym_parameter_new (FALSE, weights));
  values[1] = sym_model_builder_add_value (builder, "mean", SYM_ROLE_AUXILIARY, NULL);
  values[2] = sym_model_builder_add_value (builder, "c", SYM_ROLE_CONSTANT, NULL);
  sym_model_builder_set_tensor (builder, values[2],
                                make_tensor (SYM_DTYPE_FLOAT64, SYM_SHAPE (), infinite, 8));
  values[3] = sym_model_builder_add_value (builder, "d", SYM_ROLE_CONSTANT, NULL);
  sym_model_builder_set_tensor (builder, values[3],
                                make_tensor (SYM_DTYPE_UINT8, SYM_SHAPE (2, 1), bytes, 2));
  values[4] = sym_model_builder_add_value (builder, "e", SYM_ROLE_CONSTANT, NULL);
  sym_model_builder_set_tensor (builder, values[4],
                                make_tensor (SYM_DTYPE_INT64, SYM_SHAPE (2), integers, 16));
}

static void
add_calls (SymModelBuilder *builder, const SymId *inputs, const SymId *data)
{
  const SymOperator *op = sym_op_find ("mxnet", "FullyConnected", 0);
  const SymFunction function = { .name = "torch.relu", .result = sym_type_opaque ("Thing") };
  g_autoptr (SymAttributes) attributes = make_attributes ();
  g_autoptr (SymLayer) layer = sym_layer_new ("Dense", op, attributes);
  g_autoptr (SymLayer) nested = sym_layer_new ("Nested", NULL, NULL);
  g_autoptr (SymLayer) host = sym_layer_new_function ("Relu", &function);
  g_autoptr (SymParameter) shared = sym_parameter_new (TRUE, NULL);
  g_autoptr (SymModel) body = make_body ();
  const SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (3));
  const SymId operands[] = { inputs[0], SYM_NO_ID, data[0], inputs[0] };
  SymId first, second, third;

  sym_layer_add_body (nested, "then", body, FALSE);
  sym_layer_add_body (nested, "else", body, TRUE);
  sym_layer_add_parameter (nested, "bias", &type, shared);
  sym_layer_set_name (layer, "dense");
  first = sym_model_builder_add_call (builder, "fc", layer, operands, 4, 1);
  second = sym_model_builder_add_call (builder, "fc", layer, operands, 1, 0);
  third = sym_model_builder_add_call (builder, "", nested, operands + 3, 1, 2);
  sym_model_builder_set_parameter (builder, data[1], g_steal_pointer (&shared));
  sym_model_builder_add_control (builder, third, second);
  sym_model_builder_set_call_attributes (builder, third, make_attributes ());
  sym_model_builder_set_role (builder, sym_model_builder_get_result (builder, third, 1),
                              SYM_ROLE_CONSTANT);
  sym_model_builder_set_arguments (
      builder, sym_model_builder_add_call (builder, "host", host, operands, 1, 1),
      sym_value_parse ("([1, {'a': None}],)"));
  sym_model_builder_add_output (builder, sym_model_builder_get_result (builder, first, 0));
  sym_model_builder_add_output (builder, sym_model_builder_get_result (builder, first, 0));
  sym_model_builder_add_output (builder, data[4]);
}

static SymModel *
make_everything (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId inputs[6], data[5];

  sym_model_builder_set_name (builder, "everything");
  add_inputs (builder, inputs);
  add_data (builder, data);
  add_calls (builder, inputs, data);
  sym_model_builder_add_input (builder, inputs[1]);
  sym_model_builder_add_input (builder, inputs[0]);
  return sym_model_builder_end (builder);
}

static void
test_everything_is_written_and_read_back (Fixture *self, gconstpointer data)
{
  g_autoptr (SymModel) model = make_everything ();
  G_GNUC_UNUSED g_autofree char *written = write_model (self, model);
  g_autofree char *expected = load ("everything", ".json");
  g_autofree char *again = NULL;
  g_autoptr (SymModel) read = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (g_strchomp (written), ==, expected);
  read = sym_io_read (self->path, NULL, &error);
  g_assert_no_error (error);
  again = write_model (self, read);
  g_assert_cmpstr (g_strchomp (again), ==, expected);
  g_assert_false (g_file_test (self->weights, G_FILE_TEST_EXISTS));
}

/* ---- Weights ---- */

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

/* ---- MXNet's files ---- */

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

/* ---- Damage ---- */

static void
test_every_truncation_is_refused (Fixture *self, gconstpointer data)
{
  g_autofree char *text = load ("everything", ".json");
  gsize size = strlen (text);

  for (gsize n = 0; n < size; n++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (text, n);
      g_autoptr (GError) error = NULL;

      g_assert_null (sym_io_read_bytes (bytes, "test", &error));
      g_assert_nonnull (error);
    }
}

static void
test_no_damaged_byte_does_harm (Fixture *self, gconstpointer data)
{
  g_autofree char *text = load ("everything", ".json");
  static const char bytes[] = { '"', '}', '0', ',', '-', 'n' };

  for (gsize i = 0; text[i] != '\0'; i++)
    {
      char old = text[i];
      g_autoptr (SymModel) model = NULL;
      g_autoptr (GError) error = NULL;

      text[i] = bytes[i % sizeof bytes];
      model = read_text (text, &error);
      g_assert_true ((model == NULL) == (error != NULL));
      text[i] = old;
    }
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
  g_test_add ("/io/symscope/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("everything-is-written-and-read-back", test_everything_is_written_and_read_back);
  ADD ("weights-go-beside-the-graph", test_weights_go_beside_the_graph);
  ADD ("weights-that-went-are-a-problem", test_weights_that_went_are_a_problem);
  ADD ("weights-that-lack-a-tensor-are-a-problem", test_weights_that_lack_a_tensor_are_a_problem);
  ADD ("what-safetensors-cannot-hold-is-inline", test_what_safetensors_cannot_hold_is_inline);
  ADD ("every-mxnet-file-survives", test_every_mxnet_file_survives);
  ADD ("every-truncation-is-refused", test_every_truncation_is_refused);
  ADD ("no-damaged-byte-does-harm", test_no_damaged_byte_does_harm);
  ADD ("a-failed-write-changes-nothing", test_a_failed_write_changes_nothing);
#undef ADD
  add_fixtures ();
  return g_test_run ();
}
