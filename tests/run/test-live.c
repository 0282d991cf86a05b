/* SPDX-License-Identifier: MIT */
#include "live-fixture.h"

/* ---- Inputs ---- */

/* P3: the type is that of the value; D6: its batch is known. */
static void
inputs_are_of_any_value (Fixture *self, gconstpointer data)
{
  static const struct {
    const char *value, *shape, *text;
  } cases[] = {
    { "5", "int", "<SymbolicData(int) at" },
    { "'a b'", "str", "<SymbolicData(str) at" },
    { "[5, 6, 7]", "list", "<SymbolicData(list) at" },
    { "(1, 'x')", "tuple", "<SymbolicData(tuple) at" },
    { "{'a': 1}", "dict", "<SymbolicData(dict) at" },
    { "None", "NoneType", "<SymbolicData(NoneType) at" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymNode *node = add_value (self, literal (cases[i].value));
      g_autofree char *shape = sym_node_format_shape (node);
      g_autofree char *text = sym_node_to_string (node);

      g_assert_cmpstr (shape, ==, cases[i].shape);
      g_assert_true (g_str_has_prefix (text, cases[i].text));
      g_assert_true (sym_node_get_batch_size_known (node));
      g_assert_cmpuint (sym_node_get_depth (node), ==, 0);
    }
  {
    SymNode *node = add_value (self, kernel_case_read ("int64 2,3: 1 2 3 4 5 6"));
    g_autofree char *shape = sym_node_format_shape (node);

    g_assert_cmpstr (shape, ==, "(2, 3)");
    assert_datum (sym_node_get_value (node, &self->error), "int64 2,3: 1 2 3 4 5 6");
  }
}

/* P1: random numbers of the range, of the trace shape, the same for the same seed. */
static void
inputs_are_drawn (Fixture *self, gconstpointer data)
{
  const SymInputOptions options = {
    .shape = SYM_SHAPE (50), .batch_size = 4, .min_value = -3, .max_value = 5
  };
  SymNode *x = sym_graph_add_input (self->graph, &options, &self->error);
  SymNode *y = sym_graph_add_input (self->graph, &options, &self->error);
  const SymArray *a = sym_datum_get_array (sym_node_get_value (x, &self->error));
  const SymArray *b = sym_datum_get_array (sym_node_get_value (y, &self->error));
  double least = 9, most = -9;

  g_assert_cmpint (a->shape.dims[0], ==, 4);
  for (guint i = 0; i < 200; i++)
    {
      least = MIN (least, ((const float *) a->data)[i]);
      most = MAX (most, ((const float *) a->data)[i]);
    }
  g_assert_cmpfloat (least, >=, -3);
  g_assert_cmpfloat (least, <, -2);
  g_assert_cmpfloat (most, <, 5);
  g_assert_cmpfloat (most, >, 4);
  g_assert_cmpint (memcmp (a->data, b->data, 800), !=, 0);
}

static void
inputs_can_be_given_values (Fixture *self, gconstpointer data)
{
  SymNode *x = sym_input (self->graph, SYM_SHAPE (2), &self->error);
  SymNode *y = sym_flatten (x, &self->error);
  g_autoptr (SymDatum) good = kernel_case_read ("float32 3,2: 1 2 3 4 5 6");
  g_autoptr (SymDatum) bad = kernel_case_read ("float32 3,3: 1 2 3 4 5 6 7 8 9");
  g_autoptr (GError) error = NULL;

  g_assert_true (sym_node_set_value (x, good, &self->error));
  assert_datum (sym_node_get_value (x, &self->error), "float32 3,2: 1 2 3 4 5 6");
  g_assert_false (sym_node_set_value (x, bad, &error));
  assert_error (&error, SYM_ERROR_SHAPE, "should be float32[?,2], and is float32[3,3]");
  g_assert_false (sym_node_set_value (y, good, &error));
  assert_error (&error, SYM_ERROR_ARGUMENT, "is made by Flatten; only inputs");
}

/* P13. */
static void
lengths_are_pythons (Fixture *self, gconstpointer data)
{
  static const struct {
    const char *value;
    gint64 length;
  } cases[] = {
    { "[5, 6, 7]", 3 }, { "'äb'", 2 }, { "(1, 2)", 2 }, { "{'a': 1}", 1 }, { "5", -1 }
  };
  g_autoptr (GError) error = NULL;
  gint64 length;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymNode *node = add_value (self, literal (cases[i].value));

      if (cases[i].length < 0)
        {
          g_assert_false (sym_node_get_length (node, &length, &error));
          assert_error (&error, SYM_ERROR_ARGUMENT, "object of type 'int' has no len()");
          continue;
        }
      g_assert_true (sym_node_get_length (node, &length, &self->error));
      g_assert_cmpint (length, ==, cases[i].length);
    }
  g_assert_true (sym_node_get_length (sym_input (self->graph, SYM_SHAPE (7), &self->error), &length,
                                      &self->error));
  g_assert_cmpint (length, ==, 1);
}

/* ---- Calls ---- */

static SymNode *
call (Fixture *self, SymNode *node, const char *method, const char *argument)
{
  SymArguments *arguments = sym_arguments_new ();

  if (argument != NULL)
    sym_arguments_add (arguments, sym_value_parse (argument));
  return sym_node_call (sym_node_get_attribute (node, method, &self->error), arguments, NULL,
                        &self->error);
}

/* The operators of Python's numbers, texts and lists, by themselves. */
static void
literals_have_pythons_operators (Fixture *self, gconstpointer data)
{
  static const struct {
    const char *value, *method, *argument, *expected;
  } cases[] = {
    { "5", "__add__", "14", "19" },
    { "5", "__radd__", "14", "19" },
    { "5", "__rsub__", "14", "9" },
    { "-7", "__floordiv__", "2", "-4" },
    { "-7", "__mod__", "3", "2" },
    { "7", "__mod__", "-3", "-2" },
    { "7", "__truediv__", "2", "3.5" },
    { "2", "__pow__", "10", "1024" },
    { "2", "__pow__", "-1", "0.5" },
    { "2", "__rpow__", "3", "9" },
    { "6", "__and__", "3", "2" },
    { "6", "__xor__", "3", "5" },
    { "6", "__ror__", "1", "7" },
    { "1.5", "__mul__", "2", "3.0" },
    { "-7.5", "__mod__", "2", "0.5" },
    { "-4", "__abs__", NULL, "4" },
    { "2.5", "__neg__", NULL, "-2.5" },
    { "'ab'", "__add__", "'cd'", "'abcd'" },
    { "[1]", "__radd__", "['x']", "['x', 1]" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymNode *node = call (self, add_value (self, literal (cases[i].value)), cases[i].method,
                            cases[i].argument);

      g_assert_no_error (self->error);
      assert_datum (sym_node_get_value (node, &self->error), cases[i].expected);
    }
}

/* P6 and P24: what goes wrong is an error at the line that makes it, and the graph is as before. */
static void
errors_come_at_once (Fixture *self, gconstpointer data)
{
  static const struct {
    const char *value, *method, *argument, *message;
    int code;
  } cases[] = {
    { "[1]", "__add__", "5", "Operation on [] returned NonImplemented object!",
      SYM_ERROR_UNSUPPORTED },
    { "5", "append", "5", "returned NonImplemented object!", SYM_ERROR_UNSUPPORTED },
    { "5", "__truediv__", "0", "division by zero", SYM_ERROR_ARGUMENT },
    { "5", "__mod__", "0", "division by zero", SYM_ERROR_ARGUMENT },
    { "9223372036854775807", "__add__", "1", "does not fit into 64 bits", SYM_ERROR_LIMIT },
    { "3", "__pow__", "100", "does not fit into 64 bits", SYM_ERROR_LIMIT },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymNode *node = add_value (self, literal (cases[i].value));
      SymNode *method = sym_node_get_attribute (node, cases[i].method, &self->error);
      SymArguments *arguments = sym_arguments_new ();
      g_autoptr (GError) error = NULL;

      sym_arguments_add (arguments, sym_value_parse (cases[i].argument));
      g_assert_null (sym_node_call (method, arguments, NULL, &error));
      assert_error (&error, cases[i].code, cases[i].message);
      g_assert_cmpuint (sym_node_get_n_children (method), ==, 0);
    }
}

/* T-P15: x=5, y=1; x+14, 14+x, x+y of (22, 21) are (36, 36, 43). */
static void
numbers_are_traced_and_run_again (Fixture *self, gconstpointer data)
{
  SymNode *x = add_value (self, literal ("5")), *y = add_value (self, literal ("1"));
  SymNode *outputs[] = { sym_add (x, 14, &self->error), sym_add (14, x, &self->error),
                         sym_add (x, y, &self->error) };
  g_autoptr (SymModel) model =
      sym_graph_build (self->graph, SYM_NODES (x, y), 2, outputs, 3, &self->error);
  g_autoptr (SymDatum) a = literal ("22"), b = literal ("21");
  g_autoptr (GPtrArray) results = NULL;

  g_assert_no_error (self->error);
  assert_datum (sym_node_get_value (outputs[0], &self->error), "19");
  assert_datum (sym_node_get_value (outputs[2], &self->error), "6");
  results = sym_model_call (model, (SymDatum *const[]){ a, b }, 2, NULL, &self->error);
  g_assert_no_error (self->error);
  assert_datum (results->pdata[0], "36");
  assert_datum (results->pdata[1], "36");
  assert_datum (results->pdata[2], "43");
}

/* T-P15: a list unpacked; the model of it takes another one. */
static void
lists_are_unpacked (Fixture *self, gconstpointer data)
{
  SymNode *x = add_value (self, literal ("[5, 6, 7]")), *parts[3];
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymDatum) other = literal ("[9, 0, 1]"), two = literal ("[9, 0]");
  g_autoptr (GPtrArray) results = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *shape = NULL;

  g_assert_true (sym_node_unpack (x, parts, 3, &self->error));
  shape = sym_node_format_shape (parts[0]);
  g_assert_cmpstr (shape, ==, "int");
  assert_datum (sym_node_get_value (parts[2], &self->error), "7");
  g_assert_false (sym_node_unpack (x, parts, 2, &error));
  assert_error (&error, SYM_ERROR_SHAPE, "too many values to unpack");
  model = sym_graph_build (self->graph, &x, 1, parts, 3, &self->error);
  results = sym_model_call (model, &other, 1, NULL, &self->error);
  g_assert_no_error (self->error);
  assert_datum (results->pdata[0], "9");
  assert_datum (results->pdata[2], "1");
  g_assert_null (sym_model_call (model, &two, 1, NULL, &error));
  assert_error (&error, SYM_ERROR_SHAPE, "not enough values to unpack");
}

/* P54-P56: of siblings that are not used nothing is made; tensors come apart along their first
 * axis.
 */
static void
tensors_and_tuples_are_unpacked (Fixture *self, gconstpointer data)
{
  SymNode *x = add_value (self, kernel_case_read ("float32 2,2: 1 2 3 4")), *rows[2];
  SymNode *pair = add_value (self, literal ("(3, 'b')")), *parts[2];
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymDatum) other = kernel_case_read ("float32 2,2: 5 6 7 8");
  g_autoptr (GPtrArray) results = NULL;

  g_assert_true (sym_node_unpack (x, rows, 2, &self->error));
  g_assert_true (sym_node_unpack (pair, parts, 2, &self->error));
  assert_datum (sym_node_get_value (rows[1], &self->error), "float32 2: 3 4");
  assert_datum (sym_node_get_value (parts[1], &self->error), "'b'");
  model = sym_node_build_model (x, rows[1], &self->error);
  results = sym_model_call (model, &other, 1, NULL, &self->error);
  g_assert_no_error (self->error);
  assert_datum (results->pdata[0], "float32 2: 7 8");
}

/* ---- Objects of the host ---- */

static void
free_set (gpointer object)
{
  g_hash_table_unref (object);
}

static SymDatum *
call_set (gpointer object, const char *method, const SymHostCall *call, GError **error);

static const SymObjectClass set_class = { .name = "set", .free = free_set, .call = call_set };

static SymDatum *
new_set (const char *letters)
{
  GHashTable *set = g_hash_table_new (NULL, NULL);

  for (const char *p = letters; *p != '\0'; p++)
    g_hash_table_add (set, GINT_TO_POINTER ((int) *p));
  return sym_datum_new_object (&set_class, set);
}

/* Python's sets have &, |, ^ and -. */
static SymDatum *
call_set (gpointer object, const char *method, const SymHostCall *call, GError **error)
{
  g_autoptr (SymDatum) other = sym_host_call_get (call, 1, NULL, error);
  GHashTable *a = object, *b = other == NULL ? NULL : sym_datum_get_object (other, &set_class);
  g_autoptr (GString) letters = g_string_new (NULL);

  if (b == NULL)
    return NULL;
  for (int c = 'a'; c <= 'z'; c++)
    {
      gboolean in_a = g_hash_table_contains (a, GINT_TO_POINTER (c));
      gboolean in_b = g_hash_table_contains (b, GINT_TO_POINTER (c));
      gboolean is_in = g_str_equal (method, "__and__")   ? in_a && in_b
                       : g_str_equal (method, "__or__")  ? in_a || in_b
                       : g_str_equal (method, "__xor__") ? in_a != in_b
                                                         : in_a && !in_b;

      if (is_in)
        g_string_append_c (letters, (char) c);
    }
  return new_set (letters->str);
}

static void
assert_set (SymDatum *datum, const char *letters)
{
  GHashTable *set = sym_datum_get_object (datum, &set_class);

  g_assert_cmpuint (g_hash_table_size (set), ==, strlen (letters));
  for (const char *p = letters; *p != '\0'; p++)
    g_assert_true (g_hash_table_contains (set, GINT_TO_POINTER ((int) *p)));
}

/* T-P15: ((x & y ^ z) | (x ^ z - y)) & u, with Python's precedence. */
static void
objects_are_traced_and_run_again (Fixture *self, gconstpointer data)
{
  SymNode *x = add_value (self, new_set ("abcd")), *y = add_value (self, new_set ("bcx"));
  SymNode *z = add_value (self, new_set ("cdy")), *u = add_value (self, new_set ("abdxy"));
  GError **error = &self->error;
  SymNode *left = sym_xor (sym_and (x, y, error), z, error);
  SymNode *right = sym_xor (x, sym_sub (z, y, error), error);
  SymNode *output = sym_and (sym_or (left, right, error), u, error);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymDatum) a = new_set ("pq"), b = new_set ("qr"), c = new_set ("rs"),
                       d = new_set ("prs");
  g_autoptr (GPtrArray) results = NULL;

  g_assert_no_error (self->error);
  assert_set (sym_node_get_value (output, error), "abdy");
  model = sym_graph_build (self->graph, SYM_NODES (x, y, z, u), 4, &output, 1, error);
  results = sym_model_call (model, (SymDatum *const[]){ a, b, c, d }, 4, NULL, error);
  g_assert_no_error (self->error);
  assert_set (results->pdata[0], "prs");
}

/* P57. */
static void
models_are_called_with_as_many_values (Fixture *self, gconstpointer data)
{
  SymNode *x = add_value (self, literal ("5")), *y = add_value (self, literal ("1"));
  SymNode *sum = sym_add (x, 1, &self->error);
  g_autoptr (SymModel) model =
      sym_graph_build (self->graph, SYM_NODES (x, y), 2, SYM_NODES (sum, sum), 2, &self->error);
  g_autoptr (SymDatum) datum = literal ("2"), text = literal ("'2'");
  g_autoptr (GPtrArray) results = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (sym_model_call (model, &datum, 1, NULL, &error));
  assert_error (&error, SYM_ERROR_ARGUMENT, "Number of inputs doesn't match!");
  g_assert_null (sym_model_call (model, (SymDatum *const[]){ text, datum }, 2, NULL, &error));
  assert_error (&error, SYM_ERROR_SHAPE, "should be a value of type int");
  results = sym_model_call (model, (SymDatum *const[]){ datum, datum }, 2, NULL, &self->error);
  g_assert_cmpuint (results->len, ==, 2);
  assert_datum (results->pdata[1], "3");
}

/* P60: inner values are let go, and come back when they are asked for. */
static void
values_are_computed_again (Fixture *self, gconstpointer data)
{
  SymNode *x = add_value (self, kernel_case_read ("float32 2,2: 1 2 3 4")), *rows[2];
  g_autoptr (SymModel) model = NULL;
  g_autoptr (GError) error = NULL;
  SymNode *lone;

  g_assert_true (sym_node_unpack (x, rows, 2, &self->error));
  model = sym_graph_build (self->graph, &x, 1, rows, 2, &self->error);
  assert_datum (sym_node_get_value (rows[0], &self->error), "float32 2: 1 2");
  sym_live_disable (self->graph);
  lone = sym_input (self->graph, SYM_SHAPE (2), &self->error);
  g_assert_null (sym_node_get_value (lone, &error));
  assert_error (&error, SYM_ERROR_UNDECIDED, "it is an input that was given none");
}

#define ADD(path, function) \
  g_test_add ("/run/live/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("inputs-are-of-any-value", inputs_are_of_any_value);
  ADD ("inputs-are-drawn", inputs_are_drawn);
  ADD ("inputs-can-be-given-values", inputs_can_be_given_values);
  ADD ("lengths-are-pythons", lengths_are_pythons);
  ADD ("literals-have-pythons-operators", literals_have_pythons_operators);
  ADD ("errors-come-at-once", errors_come_at_once);
  ADD ("numbers-are-traced-and-run-again", numbers_are_traced_and_run_again);
  ADD ("lists-are-unpacked", lists_are_unpacked);
  ADD ("tensors-and-tuples-are-unpacked", tensors_and_tuples_are_unpacked);
  ADD ("objects-are-traced-and-run-again", objects_are_traced_and_run_again);
  ADD ("models-are-called-with-as-many-values", models_are_called_with_as_many_values);
  ADD ("values-are-computed-again", values_are_computed_again);
  return g_test_run ();
}
