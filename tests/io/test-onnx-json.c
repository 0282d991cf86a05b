/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-private.h"
#include "io/sym-proto-json.h"

#include <glib/gstdio.h>
#include <string.h>

static SymModel *
open_fixture (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "onnx", name, NULL);
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read (path, NULL, &error);

  g_assert_no_error (error);
  return model;
}

static SymModel *
open_text (const char *text, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  return sym_io_read_bytes (bytes, "text", error);
}

static const SymProtoMessage *
get_message (const SymModel *model)
{
  return sym_onnx_get_origin (model)->file->model;
}

static gboolean
add_bytes (gpointer out, const void *bytes, gsize size, GError **error)
{
  g_string_append_len (out, bytes, (gssize) size);
  return TRUE;
}

static char *
write_json (const SymProtoMessage *message, gboolean snake_case, guint *n_left_out)
{
  g_autoptr (GString) out = g_string_new (NULL);

  g_assert_true (sym_proto_write_json (message, snake_case ? SYM_PROTO_JSON_SNAKE_CASE : 0,
                                       add_bytes, out, n_left_out, NULL));
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static GString *
write_binary (const SymProtoMessage *message)
{
  GString *out = g_string_new (NULL);

  g_assert_true (sym_proto_write (message, add_bytes, out, NULL));
  return out;
}

static void
assert_small (const SymModel *model)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_model_get_layer (model, 1));
  const SymProblems *problems = sym_model_get_problems (model);
  g_autofree char *bounds = sym_value_to_string (sym_attributes_find (attributes, "bounds"));
  g_autofree char *words = sym_value_to_string (sym_attributes_find (attributes, "words"));
  g_autofree char *sizes = sym_value_to_string (sym_attributes_find (attributes, "sizes"));

  g_assert_cmpuint (sym_model_get_n_calls (model), ==, 2);
  g_assert_cmpstr (sym_model_get_call_name (model, 0), ==, "scale");
  g_assert_cmpstr (words, ==, "['a', 'b']");
  g_assert_cmpstr (sizes, ==, "[9223372036854775807, -1, 2]");
  g_assert_nonnull (strstr (bounds, "nan"));
  g_assert_cmpuint (sym_problems_get_n (problems), ==,
                    3); /* those three, which LeakyRelu has not */
  for (guint i = 0; i < 3; i++)
    g_assert_nonnull (strstr (sym_problems_get (problems, i)->message, "does not have"));
}

static void
test_camel_case (void)
{
  g_autoptr (SymModel) model = open_fixture ("small.json");
  float numbers[2];

  g_assert_cmpstr (sym_model_get_format (model), ==, "onnx-json");
  assert_small (model);
  g_assert_cmpuint (sym_model_get_call_line (model, 0), ==, 8);
  g_assert_true (sym_tensor_read (sym_model_get_tensor (model, 1), 0, 8, numbers, NULL));
  g_assert_cmpfloat (numbers[1], ==, 2.0f);
}

static void
test_snake_case (void)
{
  g_autoptr (SymModel) model = open_fixture ("snake.json");
  const SymProblems *problems = sym_model_get_problems (model);
  float numbers[2];

  g_assert_cmpint (sym_onnx_get_origin (model)->file->form, ==, SYM_ONNX_JSON_SNAKE);
  g_assert_cmpuint (sym_model_get_n_calls (model), ==, 1);
  g_assert_true (sym_tensor_read (sym_model_get_tensor (model, 1), 0, 8, numbers, NULL));
  g_assert_cmpfloat (numbers[0], ==, 1.0f);
  g_assert_cmpuint (sym_problems_get_n (problems), ==, 1);
  g_assert_cmpstr (sym_problems_get (problems, 0)->message, ==,
                   "GraphProto has no field 'colour'; it is left out");
  g_assert_cmpuint (sym_problems_get (problems, 0)->line, ==, 11);
}

/* Keys and words are known by those that were met before, whatever comes between. */
static void
test_spellings_may_change (void)
{
  static const char text[] =
      "{\"irVersion\": 8, \"graph\": {\"node\": ["
      "{\"opType\": \"A\", \"attribute\": [{\"name\": \"a\", \"type\": \"INTS\"}]},"
      "{\"op_type\": \"B\", \"attribute\": [{\"name\": \"b\", \"type\": \"FLOAT\"}]},"
      "{\"opType\": \"C\", \"attribute\": [{\"type\": \"ints\", \"name\": \"c\"}]},"
      "{\"op_type\": \"D\", \"attribute\": [{\"\\u006eame\": \"d\", \"type\": \"7\"}]},"
      "{\"opType\": \"E\", \"attribute\": [{\"name\": \"e\", \"type\": \"FLOAT\"}]}]}}";
  static const gint64 kinds[] = { ONNX_INTS, ONNX_FLOAT, ONNX_INTS, ONNX_INTS, ONNX_FLOAT };
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = open_text (text, &error);
  const SymProtoMessage *graph;
  const SymProtoEntry *entry;
  guint i = 0;

  g_assert_no_error (error);
  graph = sym_proto_get_message (get_message (model), ONNX_MODEL_GRAPH);
  for (guint at = 0; (entry = sym_proto_next (graph, ONNX_GRAPH_NODE, &at)) != NULL; i++)
    {
      const SymProtoMessage *attribute =
          sym_proto_get_message (entry->message, ONNX_NODE_ATTRIBUTE);
      const char type[] = { (char) ('A' + i), '\0' }, name[] = { (char) ('a' + i), '\0' };

      g_assert_cmpstr (sym_proto_get_text (entry->message, ONNX_NODE_OP_TYPE), ==, type);
      g_assert_cmpstr (sym_proto_get_text (attribute, ONNX_ATTRIBUTE_NAME), ==, name);
      g_assert_cmpint (sym_proto_get_int (attribute, ONNX_ATTRIBUTE_TYPE, 0), ==, kinds[i]);
    }
  g_assert_cmpuint (i, ==, G_N_ELEMENTS (kinds));
}

/* What goes through JSON, in either spelling, is the same message. */
static void
test_round_trip (void)
{
  static const char *const names[] = { "linear.onnx",    "constants.onnx", "branches.onnx",
                                       "functions.onnx", "old.onnx",       "problems.onnx",
                                       "kinds.onnx",     "external.onnx",  "empty.onnx" };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (names); i++)
    {
      g_autoptr (SymModel) model = open_fixture (names[i / 2]);
      guint n_left_out = 0;
      g_autofree char *text = write_json (get_message (model), i % 2, &n_left_out);
      g_autoptr (GError) error = NULL;
      g_autoptr (SymModel) again = open_text (text, &error);
      g_autoptr (GString) before = write_binary (get_message (model));
      g_autoptr (GString) after = NULL;

      g_assert_no_error (error);
      g_assert_cmpuint (n_left_out, ==, 0);
      after = write_binary (get_message (again));
      g_assert_cmpmem (after->str, after->len, before->str, before->len);
    }
}

/* Tensors whose numbers are not packed as usual, and sizes that lie, as they are. */
static void
test_tensors (void)
{
  g_autoptr (SymModel) model = open_fixture ("tensors.onnx");
  g_autofree char *first = write_json (get_message (model), FALSE, NULL);
  g_autoptr (SymModel) again = open_text (first, NULL);
  g_autofree char *second = write_json (get_message (again), FALSE, NULL);

  g_assert_cmpstr (first, ==, second);
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    {
      SymTensor *a = sym_model_get_tensor (model, value);
      SymTensor *b = sym_model_get_tensor (again, value);

      g_assert_true ((a == NULL) == (b == NULL));
      g_assert_true (a == NULL || sym_tensor_equal (a, b));
    }
}

static void
test_unknown_fields_are_counted (void)
{
  g_autoptr (SymModel) model = open_fixture ("unknown.onnx");
  guint n_left_out = 0;
  g_autofree char *text = write_json (get_message (model), FALSE, &n_left_out);

  g_assert_nonnull (text);
  g_assert_cmpuint (n_left_out, ==, 6);
}

static void
test_floats_are_short_and_exact (void)
{
  static const struct {
    float number;
    const char *text;
  } cases[] = {
    { 0.1f, "0.1" },
    { 1.0f, "1.0" },
    { 1e-5f, "1e-05" },
    { 16777216.0f, "16777216.0" },
    { G_MAXFLOAT, "3.4028234663852886e+38" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);

      sym_proto_append_float_text (out, cases[i].number);
      g_assert_cmpstr (out->str, ==, cases[i].text);
    }
}

static void
test_refuses (void)
{
  static const char *const cases[][2] = {
    { "{\"irVersion\": \"x\", \"graph\": {}}", "line 1: 'ir_version' must be a number, not \"x\"" },
    { "{\"irVersion\": 8,\n\"graph\": {\"name\": 5}}",
      "line 2: 'name' must be a string, not a number" },
    { "{\"irVersion\": 8, \"graph\": {\"node\": {}}}",
      "line 1: 'node' must be an array, not an object" },
    { "{\"irVersion\": 8, \"graph\": {\"node\": [3]}}",
      "line 1: 'node' must be an object, not a number" },
    { "{\"irVersion\": 8, \"irVersion\": 9, \"graph\": {}}",
      "line 1: 'ir_version' is given twice" },
    { "{\"irVersion\": 8, \"graph\": {\"initializer\": [{\"rawData\": \"%\"}]}}",
      "line 1: 'raw_data' must be bytes, written in base64" },
    { "{\"irVersion\": 8, \"graph\": {\"initializer\": [{\"int32Data\": [true]}]}}",
      "line 1: 'int32_data' must hold numbers" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (open_text (cases[i][0], &error));
      g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT);
      g_assert_cmpstr (error->message, ==, cases[i][1]);
    }
}

static void
test_limits_depth (void)
{
  g_autoptr (GString) text = g_string_new ("{\"irVersion\": 8, \"graph\": ");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 40; i++)
    g_string_append (text, "{\"node\": [{\"attribute\": [{\"g\": ");
  g_string_append (text, "{}");
  for (guint i = 0; i < 40; i++)
    g_string_append (text, "}]}]}");
  g_string_append_c (text, '}');
  g_assert_null (open_text (text->str, &error));
  g_assert_nonnull (strstr (error->message, "messages are nested deeper than 100"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/io/onnx-json/reads-camel-case", test_camel_case);
  g_test_add_func ("/io/onnx-json/reads-snake-case", test_snake_case);
  g_test_add_func ("/io/onnx-json/spellings-may-change", test_spellings_may_change);
  g_test_add_func ("/io/onnx-json/messages-go-through-unchanged", test_round_trip);
  g_test_add_func ("/io/onnx-json/tensors-keep-their-numbers", test_tensors);
  g_test_add_func ("/io/onnx-json/unknown-fields-are-counted", test_unknown_fields_are_counted);
  g_test_add_func ("/io/onnx-json/floats-are-short-and-exact", test_floats_are_short_and_exact);
  g_test_add_func ("/io/onnx-json/refuses-what-is-wrong-by-line", test_refuses);
  g_test_add_func ("/io/onnx-json/limits-the-depth", test_limits_depth);
  return g_test_run ();
}
