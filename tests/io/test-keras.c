/* SPDX-License-Identifier: MIT */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "core/sym-summary.h"
#include "io/sym-io-private.h"

/* Each tests/fixtures/keras/x.json is either refused with the message of x.error, or has the table
 * of x.expected, bodies included, followed by all problems that are found, by reading and by
 * inference. */

static char *
load (const char *stem, const char *suffix)
{
  g_autofree char *path = g_strconcat (stem, suffix, NULL);
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

static SymModel *
read_text (const char *text, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return sym_io_read_bytes (bytes, "fixture", error);
}

static void
append_problems (const SymProblems *problems, GString *text)
{
  for (guint i = 0; i < sym_problems_get_n (problems); i++)
    {
      const SymProblem *problem = sym_problems_get (problems, i);

      g_string_append_printf (text, "%u: %s: %s\n", problem->line,
                              sym_severity_to_string (problem->severity), problem->message);
    }
}

static char *
describe (SymModel *model)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);
  g_autofree char *table = sym_summary_to_string (summary, SYM_STYLE_KERAS, SYM_FORMAT_CSV, TRUE);
  GString *text = g_string_new (table);

  append_problems (sym_model_get_problems (model), text);
  append_problems (sym_inference_get_problems (inference), text);
  return g_string_free (text, FALSE);
}

static void
test_fixture (gconstpointer data)
{
  const char *stem = data;
  g_autofree char *refusal = load (stem, ".error");
  g_autofree char *expected = load (stem, ".expected");
  g_autofree char *text = load (stem, ".json");
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = read_text (text, &error);
  g_autofree char *found = NULL;

  if (refusal != NULL)
    {
      g_assert_null (model);
      g_assert_cmpint (error->domain, ==, SYM_IO_ERROR);
      g_assert_cmpstr (error->message, ==, g_strchomp (refusal));
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpstr (sym_model_get_format (model), ==, "keras");
  found = describe (model);
  g_assert_cmpstr (found, ==, expected);
}

static void
add_fixtures (void)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "fixtures", "keras", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &error);
  const char *name;

  g_assert_no_error (error);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".json"))
      {
        g_autofree char *stem = g_strndup (name, strlen (name) - 5);
        g_autofree char *path = g_strconcat ("/io/keras/", stem, NULL);

        g_test_add_data_func_full (path, g_build_filename (folder, stem, NULL), test_fixture,
                                   g_free);
      }
}

/* The same model, told as TensorFlow.js does it, and as Keras writes it into other files. */
static void
test_wrappings (void)
{
  static const char model[] = "{\"class_name\": \"Sequential\", \"config\": {\"name\": \"s\", "
                              "\"layers\": [{\"class_name\": "
                              "\"Dense\", \"config\": {\"name\": \"d\", \"units\": 2, "
                              "\"batch_input_shape\": [null, 3]}}]}}";
  static const char *const formats[] = {
    "%s",
    "{\"model_config\": %s, \"keras_version\": \"2.1.0\"}",
    "{\"modelTopology\": %s, \"format\": \"layers-model\"}",
    "{\"modelTopology\": {\"model_config\": %s}, \"weightsManifest\": []}",
    "{\"architecture\": %s, \"hash\": \"0\", \"trainable_params\": {}}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_auto (GStrv) parts = g_strsplit (formats[i], "%s", 2);
      g_autofree char *text = g_strconcat (parts[0], model, parts[1], NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (SymModel) read = read_text (text, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (sym_model_get_format (read), ==, "keras");
      g_assert_cmpstr (sym_model_get_name (read), ==, "s");
      g_assert_cmpuint (sym_model_get_n_calls (read), ==, 1);
    }
}

/* One layer in a model that needs itself, and two within another that need each other. */
static void
test_cycles (void)
{
  static const char text[] =
      "{\"class_name\": \"Functional\", \"config\": {\"name\": \"m\", \"layers\": ["
      "{\"class_name\": \"InputLayer\", \"config\": {\"name\": \"x\", \"batch_input_shape\": "
      "[null, 2]}, \"name\": \"x\", \"inbound_nodes\": []}, {\"class_name\": \"Functional\", "
      "\"config\": {\"name\": \"w\", \"layers\": [{\"class_name\": \"InputLayer\", \"config\": "
      "{\"name\": \"i\"}, \"name\": \"i\", \"inbound_nodes\": []}, {\"class_name\": \"Add\", "
      "\"config\": {\"name\": \"a\"}, \"name\": \"a\", \"inbound_nodes\": [[[\"i\", 0, 0, {}], "
      "[\"b\", 0, 0, {}]]]}, {\"class_name\": \"ReLU\", \"config\": {\"name\": \"b\"}, \"name\": "
      "\"b\", \"inbound_nodes\": [[[\"a\", 0, 0, {}]]]}], \"input_layers\": [[\"i\", 0, 0]], "
      "\"output_layers\": [[\"b\", 0, 0]]}, \"name\": \"w\", \"inbound_nodes\": "
      "[[[\"x\", 0, 0, {}]]]}, {\"class_name\": \"ReLU\", \"config\": {\"name\": \"o\"}, "
      "\"name\": \"o\", \"inbound_nodes\": [[[\"o\", 0, 0, {}]]]}], \"input_layers\": "
      "[[\"x\", 0, 0]], \"output_layers\": [[\"o\", 0, 0], [\"w\", 0, 0]]}}";
  static const char *const names[] = { "a", "o" };
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = read_text (text, &error);
  const SymProblems *problems;

  g_assert_no_error (error);
  problems = sym_model_get_problems (model);
  g_assert_cmpuint (sym_problems_get_n (problems), ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *message =
          g_strdup_printf ("“%s” needs its own results: a cycle cannot be run", names[i]);

      g_assert_cmpstr (sym_problems_get (problems, i)->message, ==, message);
      g_assert_cmpint (sym_problems_get (problems, i)->severity, ==, SYM_SEVERITY_ERROR);
      g_assert_cmpuint (sym_problems_get (problems, i)->line, ==, 1);
    }
}

/* Keras 3 also says for which shape each layer was built; that has no dtype, and an input keeps the
 * one that it tells itself. */
static void
test_built_for_input (void)
{
  static const char text[] =
      "{\"class_name\": \"Sequential\", \"config\": {\"name\": \"s\", \"layers\": "
      "[{\"class_name\": "
      "\"InputLayer\", \"config\": {\"name\": \"i\", \"batch_shape\": [null, 12], \"dtype\": "
      "\"float16\"}}, {\"class_name\": \"Dense\", \"config\": {\"name\": \"d\", \"units\": 2}, "
      "\"build_config\": {\"input_shape\": [null, 12]}}]}}";
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = read_text (text, &error);
  SymType type;

  g_assert_no_error (error);
  type = sym_model_get_declared_type (model, sym_model_get_inputs (model).ids[0]);
  g_assert_cmpint (type.dtype, ==, SYM_DTYPE_FLOAT16);
  g_assert_cmpint (type.shape.rank, ==, 2);
  g_assert_cmpint (type.shape.dims[1], ==, 12);
}

/* Weights are of the policy's dtype, those of a mixed one of float32. */
static void
test_policies (void)
{
  static const char *const policies[] = { "float16", "mixed_float16" };
  static const SymDType expected[] = { SYM_DTYPE_FLOAT16, SYM_DTYPE_FLOAT32 };

  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "{\"class_name\": \"Sequential\", \"config\": {\"name\": \"s\", \"layers\": "
          "[{\"class_name\": \"Dense\", \"config\": {\"name\": \"d\", \"units\": 2, "
          "\"batch_input_shape\": [null, 3], \"dtype\": \"%s\"}}]}}",
          policies[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (SymModel) model = read_text (text, &error);
      SymId kernel;

      g_assert_no_error (error);
      kernel = sym_model_get_operands (model, 0).ids[1];
      g_assert_cmpint (sym_model_get_declared_type (model, kernel).dtype, ==, expected[i]);
    }
}

/* The same model in an archive of Keras 3. */
static void
test_archive (void)
{
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "fixtures", "keras", "third.keras", NULL);
  g_autofree char *stem = g_test_build_filename (G_TEST_DIST, "fixtures", "keras", "third", NULL);
  g_autofree char *expected = load (stem, ".expected");
  g_autofree char *found = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);

  g_assert_no_error (error);
  found = describe (model);
  g_assert_cmpstr (found, ==, expected);
}

/* Cut anywhere, it is refused. */
static void
test_cut_archive (void)
{
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "fixtures", "keras", "third.keras", NULL);
  g_autofree char *bytes = NULL;
  gsize size = 0;

  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  for (gsize n = 40; n < size; n += 7)
    {
      g_autoptr (GBytes) part = g_bytes_new (bytes, n);
      g_autoptr (GError) error = NULL;

      g_assert_null (sym_io_read_bytes (part, "part", &error));
      g_assert_nonnull (error);
    }
}

/* A graph of TensorFlow, and one layer alone, are no models of layers. */
static void
test_others_are_named (void)
{
  static const struct {
    const char *text;
    const char *what;
  } cases[] = {
    { "{\"modelTopology\": {}}", "TensorFlow.js model without its nodes" },
    { "{\"class_name\": \"Dense\", \"config\": {\"units\": 2}}", "one Keras object" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (SymModel) model = read_text (cases[i].text, &error);

      g_assert_null (model);
      g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED);
      g_assert_nonnull (strstr (error->message, cases[i].what));
    }
}

/* Layers that are the same one share their weights, which count once. */
static void
test_sharing (void)
{
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "fixtures", "keras", "twins.json", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);
  SymId first = SYM_NO_ID, second = SYM_NO_ID;

  g_assert_no_error (error);
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    if (g_str_equal (sym_layer_get_type (sym_model_get_layer (model, call)), "Dense"))
      {
        first = first == SYM_NO_ID ? call : first;
        second = call;
      }
  g_assert_cmpuint (first, !=, second);
  g_assert_true (sym_model_get_layer (model, first) == sym_model_get_layer (model, second));
  g_assert_cmpuint (sym_model_get_operands (model, first).ids[1], ==,
                    sym_model_get_operands (model, second).ids[1]);
}

/* What nobody knows is not counted as nothing, in any table. */
static void
test_unknown_class (void)
{
  static const struct {
    SymStyle style;
    SymFormat format;
    const char *row, *total;
  } tables[] = {
    { SYM_STYLE_SYMBOLIC, SYM_FORMAT_CSV, "3,mine,?,?,2", NULL },
    { SYM_STYLE_SYMBOLIC, SYM_FORMAT_MARKDOWN, "| 3 | mine | ? | ? | 2 |", "params: >=18" },
    { SYM_STYLE_MXNET, SYM_FORMAT_MARKDOWN, "| ? | dense |", "params: >=18" },
    { SYM_STYLE_KERAS, SYM_FORMAT_TEXT, "?           dense[0][0]", "params: >=18" },
    { SYM_STYLE_TORCHINFO, SYM_FORMAT_TEXT, "MyLayer: 1-2", "params: >=18" },
  };
  g_autofree char *stem =
      g_test_build_filename (G_TEST_DIST, "fixtures", "keras", "unknown-class", NULL);
  g_autofree char *text = load (stem, ".json");
  g_autoptr (SymModel) model = read_text (text, NULL);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);

  g_assert_false (sym_summary_get_totals (summary).known);
  g_assert_cmpuint (sym_summary_get_totals (summary).total, ==, 18);
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autofree char *table =
          sym_summary_to_string (summary, tables[i].style, tables[i].format, FALSE);

      g_assert_nonnull (strstr (table, tables[i].row));
      g_assert_true (tables[i].total == NULL || strstr (table, tables[i].total) != NULL);
    }
}

/* Layers that are alike share attributes, also those that others lie between, and so do their
 * calls.  What is marked is none of these: Keras 3 has another hard_sigmoid. */
static void
test_equal_layers (void)
{
  static const char *const kinds[] = { "relu", "linear", "relu", "hard_sigmoid", "hard_sigmoid" };
  g_autoptr (GString) text = g_string_new (
      "{\"module\": \"keras\", \"class_name\": \"Sequential\", \"config\": {\"name\": "
      "\"s\", \"layers\": [");
  const SymAttributes *attributes[G_N_ELEMENTS (kinds)], *extras[G_N_ELEMENTS (kinds)];
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    g_string_append_printf (text,
                            "%s{\"module\": \"keras.layers\", \"class_name\": \"Dense\", "
                            "\"config\": {\"name\": \"d%u\", \"units\": 4, "
                            "\"activation\": \"%s\"}}",
                            i > 0 ? ", " : "", i, kinds[i]);
  g_string_append (text, "]}}");
  model = read_text (text->str, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_model_get_n_calls (model), ==, G_N_ELEMENTS (kinds));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      attributes[i] = sym_layer_get_attributes (sym_model_get_layer (model, i));
      extras[i] = sym_model_get_call_attributes (model, i);
      g_assert_cmpstr (sym_attributes_get_string (attributes[i], "activation", NULL), ==, kinds[i]);
      g_assert_cmpint (sym_attributes_get_int (attributes[i], "keras_version", 0), ==,
                       i < 3 ? 0 : 3);
    }
  g_assert_true (attributes[0] == attributes[2]);
  g_assert_true (attributes[0] != attributes[1]);
  g_assert_true (extras[0] == extras[3]);
}

/* As in TensorFlow.js, with weights of a layer that does not say what it is; fuzzed. */
static void
test_both_directions_of_nothing (void)
{
  static const char text[] =
      "{\"modelTopology\": {\"model_config\": {\"class_name\": \"Sequential\", \"config\": "
      "{\"layers\": [{\"class_name\": \"Bidirectional\", \"config\": {\"name\": \"both\", "
      "\"layer\": {}}}]}}}, \"weightsManifest\": [{\"weights\": ["
      "{\"name\": \"both/forward_gru/gru_cell_1/kernel\", \"shape\": [2, 12], \"dtype\": "
      "\"float32\"}, {\"name\": \"both/forward_gru/gru_cell_1/bias\", \"shape\": [2, 12], "
      "\"dtype\": \"float32\"}, {\"name\": \"both/backward_gru/gru_cell_2/kernel\", "
      "\"shape\": [2, 12], \"dtype\": \"float32\"}, {\"name\": "
      "\"both/backward_gru/gru_cell_2/bias\", \"shape\": [2, 12], \"dtype\": \"float32\"}]}]}";
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = read_text (text, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (sym_model_get_rows (model).n, ==, 2);
}

/* ---- What is frozen ---- */

static void
check_trained (SymModel *model)
{
  static const struct {
    const char *name;
    guint n, n_trained;
  } rows[] = {
    { "rnn", 48, 0 },     /* an RNN, not its cell */
    { "stack", 46, 0 },   /* what stacks cells */
    { "partly", 20, 10 }, /* one of the cells */
    { "both", 80, 0 },    /* a Bidirectional */
    { "around", 28, 0 },  /* an RNN within one */
    { "each", 15, 0 },    /* a TimeDistributed */
    { "steps", 8, 0 },    /* one around a model */
    { "spectral", 6, 0 }, /* another wrapper */
    { "frozen", 12, 0 },  /* a model, in which another is not */
    { "free", 12, 6 },    /* a layer of a model */
  };
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);

  g_assert_cmpuint (sym_summary_get_n_rows (summary), ==, G_N_ELEMENTS (rows) + 1);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      SymSummaryRow row = sym_summary_get_row (summary, i + 1);

      g_assert_cmpstr (row.name, ==, rows[i].name);
      g_assert_cmpuint (row.n_parameters, ==, rows[i].n);
      g_assert_cmpuint (row.n_trainable, ==, rows[i].n_trained);
    }
  g_assert_cmpuint (sym_summary_get_totals (summary).trainable, ==, 16);
  g_assert_cmpuint (sym_summary_get_totals (summary).non_trainable, ==, 259);
}

/* What is frozen freezes all that is within, whatever that says itself. */
static void
test_frozen (void)
{
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "fixtures", "keras", "frozen.json", NULL);
  g_autofree char *folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  g_autofree char *copy = g_build_filename (folder, "copy.keras.json", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);
  g_autoptr (SymModel) again = NULL;

  g_assert_no_error (error);
  check_trained (model);
  sym_io_write (sym_io_find_format ("keras"), model, NULL, copy, NULL, &error);
  g_assert_no_error (error);
  again = sym_io_read (copy, NULL, &error);
  g_assert_no_error (error);
  check_trained (again);
  g_unlink (copy);
  g_rmdir (folder);
}

static void
test_all_frozen (void)
{
  static const char last[] = "\"trainable\": true}, \"keras_version\"";
  g_autofree char *stem = g_test_build_filename (G_TEST_DIST, "fixtures", "keras", "frozen", NULL);
  g_autofree char *text = load (stem, ".json");
  char *found = strstr (text, last);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymSummary) summary = NULL;

  g_assert_nonnull (found);
  memcpy (strchr (found, ':'), ":false", 6);
  model = read_text (text, NULL);
  inference = sym_infer (model, NULL, 0, NULL, NULL);
  summary = sym_summary_new (inference);
  g_assert_cmpuint (sym_summary_get_totals (summary).trainable, ==, 0);
  g_assert_cmpuint (sym_summary_get_totals (summary).total, ==, 275);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_fixtures ();
  g_test_add_func ("/io/keras/weights-are-of-the-policy", test_policies);
  g_test_add_func ("/io/keras/reads-other-wrappings", test_wrappings);
  g_test_add_func ("/io/keras/cycles-are-told", test_cycles);
  g_test_add_func ("/io/keras/an-input-keeps-its-dtype", test_built_for_input);
  g_test_add_func ("/io/keras/reads-archives", test_archive);
  g_test_add_func ("/io/keras/refuses-archives-that-are-cut", test_cut_archive);
  g_test_add_func ("/io/keras/names-what-is-no-model", test_others_are_named);
  g_test_add_func ("/io/keras/shares-layers", test_sharing);
  g_test_add_func ("/io/keras/shares-attributes-of-layers-alike", test_equal_layers);
  g_test_add_func ("/io/keras/a-class-that-nobody-knows-is-not-counted", test_unknown_class);
  g_test_add_func ("/io/keras/both-directions-of-nothing", test_both_directions_of_nothing);
  g_test_add_func ("/io/keras/what-is-frozen-freezes-what-is-within", test_frozen);
  g_test_add_func ("/io/keras/a-model-may-be-frozen", test_all_frozen);
  return g_test_run ();
}
