/* SPDX-License-Identifier: MIT */
#include "core/sym-element.h"
#include "net.h"
#include "run/sym-run-shaping.h"
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

/* The sum of integers that nobody knows, each added to that of those before. */
static SymId
add_sums (Net *net, GArray *weights, guint n)
{
  SymId sum = add_missing (net, "w", SCALAR);

  g_array_append_val (weights, sum);
  for (guint i = 0; i < n; i++)
    {
      SymId operands[] = { sum, add_missing (net, "w", SCALAR) };

      g_array_append_val (weights, operands[1]);
      sum = add (net, "Add", "{}", operands, 2);
    }
  return sum;
}

/* How many inferences it takes to ask for all of @weights; each is shaped by @expected. */
static guint
count_inferences (const SymInference *inference, const GArray *weights, SymId expected)
{
  g_autoptr (SymRunShaping) shaping = sym_run_shaping_new (inference);

  for (guint i = 0; i < weights->len; i++)
    {
      SymId call = 0;

      g_assert_true (
          sym_run_shaping_find (shaping, g_array_index (weights, SymId, i), &call, NULL, NULL));
      g_assert_cmpuint (call, ==, expected);
    }
  return sym_run_shaping_get_n_inferences (shaping);
}

/* Each call is looked at once: without numbers, and with each of three. */
static void
test_what_weights_share_is_inferred_once (void)
{
  const struct {
    const char *op; /* that takes the sum of all */
    SymId shaped;
  } cases[] = { { "CumSum", SYM_NO_ID }, { "Expand", 300 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (1, 2, 4));
      g_autoptr (GArray) weights = g_array_new (FALSE, FALSE, sizeof (SymId));
      g_autoptr (SymInference) inference = NULL;
      SymId operands[] = { net.input, add_sums (&net, weights, 300) };

      finish (&net, add (&net, cases[i].op, "{}", operands, 2));
      inference = sym_infer (net.model, NULL, 0, NULL, NULL);
      g_assert_cmpuint (count_inferences (inference, weights, cases[i].shaped), <=, 4 * 301);
    }
}

/* Thousands of operands of one call, the same one and others, cost no more than one. */
static void
test_operands_are_tried_together (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (1, 2, 4));
  g_autoptr (GArray) weights = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autoptr (SymInference) inference = NULL;
  SymId operands[2000];

  for (guint i = 0; i < 1000; i++)
    {
      operands[i] = operands[1000 + i] = add_missing (&net, "w", INT (1));
      g_array_append_val (weights, operands[i]);
    }
  finish (&net, add (&net, "Concat", "{'axis': 0}", operands, G_N_ELEMENTS (operands)));
  inference = sym_infer (net.model, NULL, 0, NULL, NULL);
  g_assert_cmpuint (count_inferences (inference, weights, SYM_NO_ID), <=, 4);
}

/* Of three operands those that decide are told from the one that does not. */
static void
test_operands_are_told_apart (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (1, 2, 4));
  SymId operands[] = { add_missing (&net, "data", INT (4)), add_missing (&net, "starts", INT (1)),
                       add_missing (&net, "ends", INT (1)) };
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymRunShaping) shaping = NULL;

  finish (&net, add_of_version (&net, "Slice", 13, "{}", operands, 3));
  inference = sym_infer (net.model, NULL, 0, NULL, NULL);
  shaping = sym_run_shaping_new (inference);
  for (guint i = 0; i < G_N_ELEMENTS (operands); i++)
    {
      SymId call;

      g_assert_true (sym_run_shaping_find (shaping, operands[i], &call, NULL, NULL));
      g_assert_cmpuint (call, ==, i == 0 ? SYM_NO_ID : 0);
    }
}

static void
test_making_up_can_be_cancelled (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (1, 2, 4));
  SymId operands[] = { net.input, add_missing (&net, "w", FLOAT (4)) };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (GError) error = NULL;

  finish (&net, add (&net, "Add", "{}", operands, 2));
  inference = sym_infer (net.model, NULL, 0, NULL, NULL);
  g_cancellable_cancel (cancellable);
  g_assert_null (sym_run_make_missing_weights (inference, TRUE, 3, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Sizes that are needed stop all; of a branch that leads to no output only what takes them. */
static void
test_needless_sizes_are_left_out (void)
{
  for (guint is_needed = 0; is_needed < 2; is_needed++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (1, 2, 4));
      SymId sizes = add_missing (&net, "sizes", INT (2));
      SymId w = add_missing (&net, "w", FLOAT (4));
      SymId shaped = add (&net, "Reshape", "{}", (SymId[]){ net.input, sizes }, 2);
      SymId sum = add (&net, "Add", "{}", (SymId[]){ net.input, w }, 2);
      g_autoptr (GError) error = NULL;
      g_autoptr (GArray) made = make_weights (&net, is_needed ? shaped : sum, &error);

      if (is_needed)
        g_assert_error (error, SYM_ERROR, SYM_ERROR_UNDECIDED);
      if (is_needed)
        continue;
      g_assert_no_error (error);
      g_assert_cmpuint (made->len, ==, 1);
      g_assert_cmpuint (g_array_index (made, SymFeed, 0).value, ==, w);
    }
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
  g_test_add_func ("/run/made-weights/what-weights-share-is-inferred-once",
                   test_what_weights_share_is_inferred_once);
  g_test_add_func ("/run/made-weights/operands-are-tried-together",
                   test_operands_are_tried_together);
  g_test_add_func ("/run/made-weights/operands-are-told-apart", test_operands_are_told_apart);
  g_test_add_func ("/run/made-weights/making-up-can-be-cancelled", test_making_up_can_be_cancelled);
  g_test_add_func ("/run/made-weights/needless-sizes-are-left-out",
                   test_needless_sizes_are_left_out);
  return g_test_run ();
}
