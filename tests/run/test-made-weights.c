/* SPDX-License-Identifier: MIT */
#include "core/sym-element.h"
#include "net.h"
#include "run/sym-run-weights.h"

/* Weights that are made up: where their numbers decide about shapes, the file's own are needed. */

#define INT(...) sym_type_tensor (SYM_DTYPE_INT64, SYM_SHAPE (__VA_ARGS__))
#define FLOAT(...) sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (__VA_ARGS__))
#define SCALAR sym_type_tensor (SYM_DTYPE_INT64, ((SymShape){ 0, { 0 } }))

static SymId
add_missing (Net *net, const char *name, SymType type)
{
  return sym_model_builder_add_value (net->builder, name, SYM_ROLE_CONSTANT, &type);
}

static GArray *
make_weights (Net *net, SymId output, GError **error)
{
  g_autoptr (SymInference) inference = NULL;

  finish (net, output);
  inference = sym_infer (net->model, NULL, 0, NULL, NULL);
  return sym_run_make_missing_weights (inference, TRUE, 3, NULL, error);
}

/* Of x [1,2,4] and w, and of another missing one where the operator takes a third. */
static GArray *
make_for (const char *op, int version, const char *attributes, SymType w, SymType v, GError **error)
{
  g_auto (Net) net = net_new (SYM_SHAPE (1, 2, 4));
  SymId operands[3] = { net.input, add_missing (&net, "w", w) };
  gboolean has_third = v.shape.rank >= 0;
  SymId y;

  if (has_third)
    operands[2] = add_missing (&net, "v", v);
  y = add_of_version (&net, op, version, attributes, operands, has_third ? 3 : 2);
  sym_model_builder_set_value_name (net.builder, y, "y");
  return make_weights (&net, y, error);
}

static void
test_shapes_are_not_made_up (void)
{
  const struct {
    const char *op;
    int version;
    const char *attributes;
    SymType w, v;
  } cases[] = {
    { "Reshape", 14, "{}", INT (2), SYM_TYPE_UNKNOWN },
    { "Squeeze", 13, "{}", INT (1), SYM_TYPE_UNKNOWN },
    { "Unsqueeze", 13, "{}", INT (1), SYM_TYPE_UNKNOWN },
    { "ReduceSum", 13, "{'keepdims': 0}", INT (1), SYM_TYPE_UNKNOWN },
    { "Expand", 13, "{}", INT (3), SYM_TYPE_UNKNOWN },
    { "Tile", 13, "{}", INT (3), SYM_TYPE_UNKNOWN },
    { "Pad", 13, "{}", INT (6), SYM_TYPE_UNKNOWN },
    { "TopK", 11, "{}", INT (1), SYM_TYPE_UNKNOWN },
    { "Slice", 13, "{}", INT (1), INT (1) },
    { "Upsample", 9, "{}", FLOAT (3), SYM_TYPE_UNKNOWN },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GArray) made = make_for (cases[i].op, cases[i].version, cases[i].attributes,
                                          cases[i].w, cases[i].v, &error);
      g_autofree char *message =
          g_strdup_printf ("“w” cannot be made up: its numbers decide the shape of what “y” (%s) "
                           "makes, so the file must have them",
                           cases[i].op);

      if (made != NULL)
        g_error ("%s: made up", cases[i].op);
      g_assert_error (error, SYM_ERROR, SYM_ERROR_UNDECIDED);
      g_assert_cmpstr (error->message, ==, message);
    }
}

/* Indices and axes pick from what there is: 1 along the first axis, 3 axes. */
static void
test_picks_are_made_up_within_what_there_is (void)
{
  const struct {
    const char *op;
    int version;
    const char *attributes;
    SymType w;
    gint64 limit;
  } cases[] = {
    { "Gather", 13, "{}", INT (20), 1 },     { "Gather", 13, "{'axis': 2}", INT (20), 4 },
    { "GatherND", 13, "{}", INT (9, 2), 1 }, { "CumSum", 14, "{}", SCALAR, 3 },
    { "Add", 14, "{}", FLOAT (4), 10 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GArray) made = make_for (cases[i].op, cases[i].version, cases[i].attributes,
                                          cases[i].w, SYM_TYPE_UNKNOWN, &error);
      const SymArray *array;

      g_assert_no_error (error);
      g_assert_cmpuint (made->len, ==, 1);
      array = sym_datum_get_array (g_array_index (made, SymFeed, 0).datum);
      for (gsize k = 0; k < sym_array_get_n_elements (array); k++)
        g_assert_cmpfloat (sym_element_get_double (array->dtype, array->data, k), <,
                           cases[i].limit);
    }
}

/* Sizes that are computed from a weight first; the shape that the file declares says nothing. */
static void
test_small_integers_are_followed (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (1, 2, 4));
  const SymType declared = FLOAT (2, 4);
  g_autoptr (GError) error = NULL;
  SymId sizes, y;

  sizes = add (
      &net, "Cast", "{'to': 7}",
      (SymId[]){ add_missing (&net, "w", sym_type_tensor (SYM_DTYPE_INT32, SYM_SHAPE (1))) }, 1);
  sizes = add (&net, "Concat", "{'axis': 0}",
               (SymId[]){ add_integers (&net, (const gint64[]){ 2 }, 1), sizes }, 2);
  y = add (&net, "Reshape", "{}", (SymId[]){ net.input, sizes }, 2);
  sym_model_builder_set_type (net.builder, y, &declared);
  g_assert_null (make_weights (&net, y, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_UNDECIDED);
  g_assert_nonnull (strstr (error->message, "“w” cannot be made up"));
  g_assert_nonnull (strstr (error->message, "(Reshape)"));
}

/* Of other dialects, what a layer is made of is asked for. */
static void
test_orders_of_axes_are_not_made_up (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (1, 2, 4));
  SymId operands[] = { net.input, add_missing (&net, "perm",
                                               sym_type_tensor (SYM_DTYPE_INT32, SYM_SHAPE (3))) };
  const SymOperator *op = sym_op_find ("tf", "Transpose", 1);
  g_autoptr (SymLayer) layer = sym_layer_new ("Transpose", op, NULL);
  SymId call = sym_model_builder_add_call (net.builder, "t", layer, operands, 2, 1);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (op);
  g_assert_null (make_weights (&net, sym_model_builder_get_result (net.builder, call, 0), &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_UNDECIDED);
  g_assert_nonnull (strstr (error->message, "“perm” cannot be made up"));
  g_assert_nonnull (strstr (error->message, "“t” (Transpose)"));
}

/* What is reshaped is no shape. */
static void
test_data_is_made_up (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (1, 2, 4));
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) made = NULL;
  SymId operands[] = { add_missing (&net, "w", INT (4)),
                       add_integers (&net, (const gint64[]){ 2, 2 }, 2) };

  made = make_weights (&net, add (&net, "Reshape", "{}", operands, 2), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (made->len, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/made-weights/shapes-are-not-made-up", test_shapes_are_not_made_up);
  g_test_add_func ("/run/made-weights/picks-are-made-up-within-what-there-is",
                   test_picks_are_made_up_within_what_there_is);
  g_test_add_func ("/run/made-weights/small-integers-are-followed",
                   test_small_integers_are_followed);
  g_test_add_func ("/run/made-weights/orders-of-axes-are-not-made-up",
                   test_orders_of_axes_are_not_made_up);
  g_test_add_func ("/run/made-weights/data-is-made-up", test_data_is_made_up);
  return g_test_run ();
}
