/* SPDX-License-Identifier: MIT */
#include "core/sym-summary.h"
#include "ops/sym-layers.h"

#include <string.h>

/* Functions of the host program, and methods of values: P6, P12, P40-P44. */

typedef struct {
  SymGraph *graph;
  GError *error;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->graph = sym_graph_new ();
  self->error = NULL;
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_assert_no_error (self->error);
  sym_graph_unref (self->graph);
}

static void
assert_node (SymNode *node, const char *type, const char *shape)
{
  g_autofree char *text = sym_node_format_shape (node);

  g_assert_nonnull (node);
  g_assert_cmpstr (sym_layer_get_type (sym_node_get_layer (node)), ==, type);
  g_assert_cmpstr (text, ==, shape);
}

/* The argument tree as it is kept for the run, P40, P41: containers stay what they are, dicts keep
 * their order, constants their values. */
static void
test_arguments_are_kept_as_given (Fixture *self, gconstpointer data)
{
  static const char *const keys[] = { "zeta", "alpha" };
  const SymFunction function = { .name = "f", .infer = sym_infer_same };
  SymNode *x = sym_input (self->graph, SYM_SHAPE (3), &self->error);
  SymNode *y = sym_input (self->graph, SYM_SHAPE (3), &self->error);
  SymArguments *arguments = sym_arguments_new ();
  SymValue *values[2], *pair[2];
  SymNode *z;
  g_autoptr (SymModel) model = NULL;
  g_autofree char *text = NULL;

  values[0] = sym_arguments_node (arguments, y);
  values[1] = sym_value_new_float (0.5);
  pair[0] = sym_value_new_dict (keys, values, 2);
  pair[1] = sym_value_new_string ("x");
  sym_arguments_add (arguments, sym_value_new_tuple (pair, 2));
  sym_arguments_add (arguments, sym_arguments_node (arguments, x));
  sym_arguments_set (arguments, "flag", sym_value_new_bool (TRUE));
  z = sym_graph_call_with (self->graph, &function, arguments, NULL, &self->error);
  model = sym_graph_build (self->graph, SYM_NODES (x, y), 2, &z, 1, &self->error);
  g_assert_no_error (self->error);
  text = sym_value_to_string (sym_model_get_arguments (model, 0));
  g_assert_cmpstr (text, ==, "((({'zeta': %0, 'alpha': 0.5}, 'x'), %1), {'flag': True})");
}

/* P43. */
static void
test_a_node_may_occur_twice (Fixture *self, gconstpointer data)
{
  SymNode *x = sym_input (self->graph, SYM_SHAPE (3), &self->error);
  SymArguments *arguments = sym_arguments_new ();
  SymNode *z;

  sym_arguments_add (arguments, sym_arguments_node (arguments, x));
  sym_arguments_add (arguments, sym_arguments_node (arguments, x));
  z = sym_graph_call_with (self->graph, &(SymFunction){ .name = "f", .infer = sym_infer_broadcast },
                           arguments, NULL, &self->error);
  assert_node (z, "wrap(f)", "(None, 3)");
  g_assert_cmpuint (sym_node_get_n_parents (z), ==, 2);
  g_assert_true (sym_node_get_parent (z, 0) == x && sym_node_get_parent (z, 1) == x);
  g_assert_cmpuint (sym_node_get_n_children (x), ==, 2);
}

/* A node that an error made NULL makes no second error, wherever it is in the arguments. */
static void
test_a_missing_node_is_passed_on (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  SymNode *x = sym_input (self->graph, SYM_SHAPE (3), &error);
  SymArguments *arguments = sym_arguments_new ();

  sym_arguments_add (arguments, sym_arguments_node (arguments, sym_linear (x, 0, &error)));
  g_assert_null (sym_graph_call_with (self->graph, &sym_function_sum, arguments, NULL, &error));
  g_assert_nonnull (strstr (error->message, "out_features"));
  g_assert_cmpuint (sym_node_get_n_children (x), ==, 0);
}

static SymNode *
call_sum (SymGraph *graph,
          const SymFunction *function,
          SymNode *x,
          const char *const named[][2],
          guint n,
          GError **error)
{
  SymArguments *arguments = sym_arguments_new ();

  sym_arguments_add (arguments, sym_arguments_node (arguments, x));
  for (guint i = 0; i < n; i++)
    sym_arguments_set (arguments, named[i][0], sym_value_parse (named[i][1]));
  return sym_graph_call_with (graph, function, arguments, NULL, error);
}

/* torch.sum (x, dim, keepdim); shapes are those of torch 1.13. */
static void
test_sums_over_what_they_are_told (Fixture *self, gconstpointer data)
{
  static const struct {
    const char *named[2][2];
    guint n;
    const char *shape;
  } cases[] = {
    { { { NULL } }, 0, "()" },
    { { { "dim", "1" } }, 1, "(None, 6, 4)" },
    { { { "dim", "(1, -1)" } }, 1, "(None, 6)" },
    { { { "dim", "(1, -1)" }, { "keepdim", "True" } }, 2, "(None, 1, 6, 1)" },
    { { { "dim", "2" }, { "keepdim", "False" } }, 2, "(None, 8, 4)" },
  };
  SymNode *x = sym_input (self->graph, SYM_SHAPE (8, 6, 4), &self->error);
  SymArguments *positional = sym_arguments_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_node (
        call_sum (self->graph, &sym_function_sum, x, cases[i].named, cases[i].n, &self->error),
        "wrap(sum)", cases[i].shape);
  sym_arguments_add (positional, sym_arguments_node (positional, x));
  sym_arguments_add (positional, sym_value_new_int (1));
  sym_arguments_add (positional, sym_value_new_bool (TRUE));
  assert_node (
      sym_graph_call_with (self->graph, &sym_function_mean, positional, NULL, &self->error),
      "wrap(mean)", "(None, 1, 6, 4)");
}

static void
test_integers_add_up_but_have_no_mean (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  SymNode *x = sym_graph_add_input (
      self->graph, &(SymInputOptions){ .shape = SYM_SHAPE (8), .dtype = SYM_DTYPE_INT32 },
      &self->error);
  SymNode *sum = call_sum (self->graph, &sym_function_sum, x, NULL, 0, &self->error);

  g_assert_cmpint (sym_node_get_type (sum).dtype, ==, SYM_DTYPE_INT64);
  g_assert_null (call_sum (self->graph, &sym_function_mean, x, NULL, 0, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_SHAPE);
  g_assert_nonnull (strstr (error->message, "input dtype must be floating point, got int32"));
}

/* The result that a function declares, of any kind, is the node's type. */
static void
test_results_are_as_declared (Fixture *self, gconstpointer data)
{
  const SymType row = sym_type_tensor (SYM_DTYPE_INT64, SYM_SHAPE (5));
  const SymType elements[] = { row, sym_type_opaque ("dict") };
  const SymFunction function = {
    .name = "split",
    .result = { .kind = SYM_KIND_TUPLE,
                .elements = elements,
                .n_elements = 2,
                .shape = { .rank = -1 } },
  };
  SymNode *x = sym_input (self->graph, SYM_SHAPE (3), &self->error);
  SymNode *both = call_sum (self->graph, &function, x, NULL, 0, &self->error);
  SymNode *parts[2];
  g_autofree char *text = sym_node_to_string (both);

  assert_node (both, "wrap(split)", "tuple");
  g_assert_true (g_str_has_prefix (text, "<SymbolicData(tuple) at 0x"));
  g_assert_true (g_str_has_suffix (text, "; 1 parents; 0 children>"));
  g_assert_true (sym_node_unpack (both, parts, 2, &self->error));
  assert_node (parts[0], "UnpackLayer", "(5,)");
  assert_node (parts[1], "UnpackLayer", "dict");
}

/* The operator table's last row of tensors: x.relu () is two nodes. */
static void
test_methods_are_two_nodes (Fixture *self, gconstpointer data)
{
  const SymType turned = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (3, SYM_DIM_UNKNOWN));
  SymNode *x = sym_input (self->graph, SYM_SHAPE (3), &self->error);
  SymNode *method = sym_node_get_attribute (x, "relu", &self->error);
  SymNode *y = sym_node_call (method, NULL, NULL, &self->error);
  SymNode *z = sym_node_call (sym_node_get_attribute (y, "permute", &self->error), NULL, &turned,
                              &self->error);
  g_autofree char *text = sym_node_to_string (method);

  assert_node (method, "GetAttr", "builtin_function_or_method");
  g_assert_true (g_str_has_prefix (text, "<SymbolicCallable at 0x"));
  assert_node (y, "wrap(relu)", "(None, 3)");
  assert_node (z, "wrap(permute)", "(3, None)");
  g_assert_cmpuint (sym_node_get_depth (y), ==, 2);
  g_assert_cmpuint (sym_node_get_depth (z), ==, 4);
  g_assert_true (sym_node_get_parent (y, 0) == method);
}

static void
test_only_attributes_are_called (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  SymNode *x = sym_input (self->graph, SYM_SHAPE (3), &self->error);

  g_assert_null (sym_node_call (x, sym_arguments_new (), NULL, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT);
  g_assert_true (g_str_has_prefix (error->message, "'Tensor' object is not callable"));
}

#define ADD(path, function) \
  g_test_add ("/graph/function/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("arguments-are-kept-as-given", test_arguments_are_kept_as_given);
  ADD ("a-node-may-occur-twice", test_a_node_may_occur_twice);
  ADD ("a-missing-node-is-passed-on", test_a_missing_node_is_passed_on);
  ADD ("sums-over-what-it-is-told", test_sums_over_what_they_are_told);
  ADD ("integers-add-up-but-have-no-mean", test_integers_add_up_but_have_no_mean);
  ADD ("results-are-as-declared", test_results_are_as_declared);
  ADD ("methods-are-two-nodes", test_methods_are_two_nodes);
  ADD ("only-attributes-are-called", test_only_attributes_are_called);
  return g_test_run ();
}
