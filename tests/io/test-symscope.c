/* SPDX-License-Identifier: MIT */
#include "ops/sym-op.h"

#include <math.h>

#include "symscope-files.h"

/* ---- Fixtures ---- */

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function) \
  g_test_add ("/io/symscope/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("everything-is-written-and-read-back", test_everything_is_written_and_read_back);
  ADD ("every-truncation-is-refused", test_every_truncation_is_refused);
  ADD ("no-damaged-byte-does-harm", test_no_damaged_byte_does_harm);
#undef ADD
  add_fixtures ();
  return g_test_run ();
}
