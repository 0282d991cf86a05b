/* SPDX-License-Identifier: MIT */
#include "live-fixture.h"

/* Host functions: P40-P45. */

/* ---- Functions of the host ---- */

typedef struct {
  guint n_calls, n_destroyed;
} Count;

static void
count_end (gpointer user_data)
{
  ((Count *) user_data)->n_destroyed++;
}

/* data["x"] * data["factors"][i] for all i, and the constant; T-P5's shape of arguments. */
static SymDatum *
scale (const SymHostCall *call, gpointer user_data, GError **error)
{
  const SymValue *dict = sym_host_call_find (call, 0, "data");
  g_autoptr (SymDatum) x = NULL, factors = NULL, result = NULL;
  SymArray *array;
  gint64 n;

  ((Count *) user_data)->n_calls++;
  x = sym_host_call_resolve (call, sym_value_get_child (dict, 0), error);
  factors = sym_host_call_resolve (call, sym_value_get_child (dict, 1), error);
  if (x == NULL || factors == NULL || !sym_datum_get_length (factors, &n, error))
    return NULL;
  result = sym_datum_new_copy (sym_datum_get_array (x), error);
  array = (SymArray *) sym_datum_get_array (result);
  for (gint64 i = 0; i < n; i++)
    {
      const SymArray *factor = sym_datum_get_array (sym_datum_get_item (factors, (guint) i));

      if (factor == NULL)
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "factor %d is no tensor",
                       (int) i);
          return NULL;
        }
      for (gsize j = 0; j < sym_array_get_n_elements (array); j++)
        ((float *) array->data)[j] *= ((const float *) factor->data)[0];
    }
  return sym_datum_new_tuple ((SymDatum *const[]){ result, x }, 2);
}

static SymNode *
call_scale (Fixture *self, Count *count, SymNode *x, SymNode *a, SymNode *b, GError **error)
{
  static const char *const keys[] = { "x", "factors" };
  const SymFunction function = { .name = "scale",
                                 .result = SYM_TYPE_UNKNOWN,
                                 .run = scale,
                                 .user_data = count,
                                 .destroy = count_end };
  SymArguments *arguments = sym_arguments_new ();
  SymValue *factors[] = { sym_arguments_node (arguments, a), sym_arguments_node (arguments, b) };
  SymValue *values[] = { sym_arguments_node (arguments, x), sym_value_new_list (factors, 2) };

  sym_arguments_add (arguments, sym_value_new_dict (keys, values, 2));
  return sym_graph_call_with (self->graph, &function, arguments, NULL, error);
}

/* P45: once at registration; then once in each run, with the values of that run in the tree. */
static void
functions_are_called_when_traced_and_when_run (Fixture *self, gconstpointer data)
{
  Count count = { 0 };
  SymNode *x = sym_input (self->graph, SYM_SHAPE (2), &self->error), *parts[2];
  SymNode *a = add_value (self, kernel_case_read ("float32 1: 2"));
  SymNode *b = add_value (self, kernel_case_read ("float32 1: 3"));
  SymNode *both = call_scale (self, &count, x, a, b, &self->error);
  g_autoptr (SymDatum) two = kernel_case_read ("float32 1,2: 1 2");
  g_autoptr (SymDatum) factor = kernel_case_read ("float32 1: 10");
  g_autoptr (GPtrArray) results = NULL;
  SymModel *model;

  g_assert_no_error (self->error);
  g_assert_cmpuint (count.n_calls, ==, 1);
  g_assert_true (sym_node_unpack (both, parts, 2, &self->error));
  model = sym_graph_build (self->graph, SYM_NODES (x, a, b), 3, parts, 2, &self->error);
  results =
      sym_model_call (model, (SymDatum *const[]){ two, factor, factor }, 3, NULL, &self->error);
  g_assert_no_error (self->error);
  g_assert_cmpuint (count.n_calls, ==, 2);
  assert_datum (results->pdata[0], "float32 1,2: 100 200");
  assert_datum (results->pdata[1], "float32 1,2: 1 2");

  /* B4: values that a function made are not made again. */
  g_assert_nonnull (sym_node_get_value (parts[0], &self->error));
  g_assert_cmpuint (count.n_calls, ==, 2);
  sym_graph_unref (self->graph);
  self->graph = sym_graph_new ();
  g_assert_cmpuint (count.n_destroyed, ==, 0);
  sym_model_unref (model);
  g_assert_cmpuint (count.n_destroyed, ==, 1);
}

/* The function's own error comes with the layer's name, and nothing was added. */
static void
functions_fail_by_name (Fixture *self, gconstpointer data)
{
  static Count count; /* the graph's until it is torn down */
  SymNode *x = sym_input (self->graph, SYM_SHAPE (2), &self->error), *y;
  SymNode *a = add_value (self, kernel_case_read ("float32 1: 2"));
  SymNode *b = add_value (self, literal ("3"));
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymDatum) datum = kernel_case_read ("float32 1,2: 1 2");
  g_autoptr (SymDatum) number = literal ("4");

  g_assert_null (call_scale (self, &count, x, a, b, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  g_assert_nonnull (strstr (error->message, "wrap(scale): "));
  g_assert_nonnull (strstr (error->message, "factor 1 is no tensor"));
  g_clear_error (&error);
  g_assert_cmpuint (sym_node_get_n_children (x), ==, 0);
  g_assert_cmpuint (count.n_destroyed, ==, 1);

  sym_live_disable (self->graph);
  y = call_scale (self, &count, x, a, b, &self->error);
  g_assert_cmpuint (count.n_calls, ==, 1);
  model = sym_graph_build (self->graph, SYM_NODES (x, a, b), 3, &y, 1, &self->error);
  g_assert_null (
      sym_model_call (model, (SymDatum *const[]){ datum, datum, number }, 3, NULL, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_SHAPE);
}

static SymDatum *
return_text (const SymHostCall *call, gpointer user_data, GError **error)
{
  g_autoptr (SymValue) value = sym_value_new_string ("text");

  return user_data == NULL ? sym_datum_new_value (value, error) : NULL;
}

static void
functions_keep_what_they_declare (Fixture *self, gconstpointer data)
{
  SymNode *x = sym_input (self->graph, SYM_SHAPE (2), &self->error);
  SymFunction function = { .name = "f",
                           .run = return_text,
                           .result = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (2)) };
  g_autoptr (GError) error = NULL;

  g_assert_null (sym_graph_call_function (self->graph, &function, NULL, &x, 1, NULL, &error));
  assert_error (&error, SYM_ERROR_SHAPE, "should be float32[2], and is no tensor but of type str");
  function.user_data = self;
  g_assert_null (sym_graph_call_function (self->graph, &function, NULL, &x, 1, NULL, &error));
  assert_error (&error, SYM_ERROR_ARGUMENT, "f returned neither a result nor an error");
}

static SymNode *
call_named (Fixture *self,
            const SymFunction *function,
            SymNode *x,
            const char *dim,
            const char *keep)
{
  SymArguments *arguments = sym_arguments_new ();

  sym_arguments_add (arguments, sym_arguments_node (arguments, x));
  if (dim != NULL)
    sym_arguments_set (arguments, "dim", sym_value_parse (dim));
  if (keep != NULL)
    sym_arguments_set (arguments, "keepdim", sym_value_parse (keep));
  return sym_graph_call_with (self->graph, function, arguments, NULL, &self->error);
}

/* torch.sum, torch.mean and torch.cat, which graphs in C have by name. */
static void
functions_of_torch_compute (Fixture *self, gconstpointer data)
{
  static const struct {
    const SymFunction *function;
    const char *dim, *keep, *expected;
  } cases[] = {
    { &sym_function_sum, NULL, NULL, "float32 : 21" },
    { &sym_function_sum, "(0, 1)", NULL, "float32 : 21" },
    { &sym_function_sum, "-1", "True", "float32 2,1: 6 15" },
    { &sym_function_mean, "0", NULL, "float32 3: 2.5 3.5 4.5" },
  };
  SymNode *x = add_value (self, kernel_case_read ("float32 2,3: 1 2 3 4 5 6"));
  SymNode *flags = add_value (self, kernel_case_read ("bool 3: 1 0 1"));
  SymArguments *arguments = sym_arguments_new ();
  SymValue *pair[2];

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_datum (
        sym_node_get_value (call_named (self, cases[i].function, x, cases[i].dim, cases[i].keep),
                            &self->error),
        cases[i].expected);
  assert_datum (
      sym_node_get_value (call_named (self, &sym_function_sum, flags, NULL, NULL), &self->error),
      "int64 : 2");
  pair[0] = sym_arguments_node (arguments, x);
  pair[1] = sym_arguments_node (arguments, x);
  sym_arguments_add (arguments, sym_value_new_tuple (pair, 2));
  sym_arguments_set (arguments, "dim", sym_value_new_int (1));
  assert_datum (sym_node_get_value (sym_graph_call_with (self->graph, &sym_function_cat, arguments,
                                                         NULL, &self->error),
                                    &self->error),
                "float32 2,6: 1 2 3 1 2 3 4 5 6 4 5 6");
}

#define ADD(path, function) \
  g_test_add ("/run/live/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("functions-are-called-when-traced-and-when-run",
       functions_are_called_when_traced_and_when_run);
  ADD ("functions-fail-by-name", functions_fail_by_name);
  ADD ("functions-keep-what-they-declare", functions_keep_what_they_declare);
  ADD ("functions-of-torch-compute", functions_of_torch_compute);
  return g_test_run ();
}
