/* SPDX-License-Identifier: MIT */
#include "net.h"
#include "questions.h"

#include <string.h>

#include "core/sym-error.h"

/* Compiled plans of what transformers are made of. */

#define INTEGERS(net, ...)                            \
  add_integers (net, (const gint64[]){ __VA_ARGS__ }, \
                (gint64) (sizeof ((const gint64[]){ __VA_ARGS__ }) / sizeof (gint64)))

static SymId
add_reshape (Net *self, SymId x, SymId shape)
{
  return add_binary (self, "Reshape", x, shape);
}

static SymId
add_transpose (Net *self, SymId x, const char *attributes)
{
  return add (self, "Transpose", attributes, &x, 1);
}

/* ---- Broadcasting ---- */

static void
broadcasts_both_operands (void)
{
  const SymShape shapes[] = { SYM_SHAPE (2, 3, 4, 5), SYM_SHAPE (5),
                              SYM_SHAPE (4, 1),       SYM_SHAPE (3, 1, 1),
                              SYM_SHAPE (2, 1, 1, 5), SYM_SHAPE (2, 1, 4, 1),
                              SYM_SHAPE (1, 1, 1),    SYM_SHAPE (1, 3, 1, 5),
                              SYM_SHAPE (2, 3, 1, 1), SYM_SHAPE () };

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (2, 3, 4, 5));
      SymId numbers = add_numbers (&net, shapes[i], 0.5, 1);
      SymId computed = add_binary (&net, "Add", add_numbers (&net, SYM_SHAPE (1, 1, 1, 1), 1, 2),
                                   add (&net, "ReduceMean", "{'axes': [1, 2]}", &net.input, 1));
      SymId a = add_binary (&net, "Div", net.input, numbers);
      SymId b = add_binary (&net, "Sub", computed, a);

      finish (&net, add_binary (&net, "Mul", b, net.input));
      assert_same (&net, 1, 5);
    }
}

/* ---- Rows ---- */

static void
computes_functions_of_rows (void)
{
  const struct {
    const char *type, *attributes;
  } cases[] = {
    { "Softmax", "{'axis': -1}" },
    { "ReduceMean", "{'axes': [-1]}" },
    { "ReduceMean", "{'axes': [1, 2], 'keepdims': 0}" },
    { "ReduceMean", "{'axes': [0]}" },
    { "ReduceMax", "{'axes': [2], 'keepdims': 0}" },
    { "ReduceMax", "{'axes': [1]}" },
    { "ReduceMax", "{'axes': [2, 0], 'keepdims': 0}" },
    { "ReduceMean", "{'axes': [0, -1]}" },
    { "ReduceL2", "{'axes': [0, 2]}" },
    { "ReduceMean", "{}" },
    { "ReduceMin", "{'axes': [1]}" },
    { "ReduceL1", "{'axes': [-1]}" },
    { "ReduceL2", "{'axes': [0, 1]}" },
    { "ReduceSumSquare", "{'axes': [2], 'keepdims': 0}" },
    { "Softmax", "{'axis': 0}" },
    { "Softmax", "{'axis': 1}" },
    { "LogSoftmax", "{'axis': 1}" },
    { "LogSoftmax", "{}" },
  };
  const gint64 sizes[] = { 1, 7, 64, 131 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint j = 0; j < G_N_ELEMENTS (sizes); j++)
      {
        g_auto (Net) net = net_new (SYM_SHAPE (2, 5, sizes[j]));

        finish (&net, add_binary (&net, "Sub", add_numbers (&net, SYM_SHAPE (), 2, 2),
                                  add (&net, cases[i].type, cases[i].attributes, &net.input, 1)));
        assert_same (&net, 1, 2);
      }
}

/* Rows shorter than vectors, and as many as are taken together, fewer or more. */
static void
softens_short_rows (void)
{
  const char *const types[] = { "Softmax", "LogSoftmax" };
  const gint64 rows[] = { 7, 8, 63, 64, 200 }, sizes[] = { 2, 3, 10, 24, 25 };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint j = 0; j < 2 * G_N_ELEMENTS (sizes); j++)
      {
        g_auto (Net) net = net_new (SYM_SHAPE (rows[i], sizes[j / 2]));
        SymId large = add_binary (&net, "Mul", net.input, add_numbers (&net, SYM_SHAPE (), 9, 10));

        finish (&net, add (&net, types[j % 2], "{'axis': -1}", &large, 1));
        assert_same (&net, 1, 2);
      }
}

/* (x - mean (x)) / sqrt (mean ((x - mean (x))^2) + epsilon) * factors + terms. */
static SymId
add_norm (Net *self, SymId x, gint64 n, gboolean is_written_out)
{
  SymId factors = add_numbers (self, SYM_SHAPE (n), 0.5, 1.5);
  SymId terms = add_numbers (self, SYM_SHAPE (n), -1, 1), centered, variance, root;

  if (!is_written_out)
    return add (self, "LayerNormalization", "{'axis': -1, 'epsilon': 1e-4}",
                (SymId[]){ x, factors, terms }, 3);
  centered = add_binary (self, "Sub", x, add (self, "ReduceMean", "{'axes': [-1]}", &x, 1));
  variance = add_binary (self, "Pow", centered, add_numbers (self, SYM_SHAPE (), 2, 2));
  variance = add (self, "ReduceMean", "{'axes': [-1]}", &variance, 1);
  root =
      add_unary (self, "Sqrt",
                 add_binary (self, "Add", variance, add_numbers (self, SYM_SHAPE (), 1e-4, 1e-4)));
  return add_binary (self, "Add", terms,
                     add_binary (self, "Mul", add_binary (self, "Div", centered, root), factors));
}

static void
computes_norms (void)
{
  for (guint i = 0; i < 4; i++)
    {
      g_auto (Net) net = net_new (i < 2 ? SYM_SHAPE (2, 3, 40) : SYM_SHAPE (1, 1, 129));

      finish (&net, add_norm (&net, net.input, i < 2 ? 40 : 129, i % 2 == 1));
      assert_same (&net, 1, i % 2 == 1 ? 9 : 1);
    }
}

/* ---- Moves ---- */

static void
moves_elements (void)
{
  const char *const orders[] = { "{'perm': [0, 2, 1, 3]}", "{'perm': [3, 2, 1, 0]}",
                                 "{'perm': [2, 0, 3, 1]}", "{'perm': [0, 1, 3, 2]}",
                                 "{'perm': [0, 1, 2, 3]}", "{}" };

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (2, 9, 17, 6));
      SymId turned = add_transpose (&net, net.input, orders[i]);

      sym_model_builder_add_output (net.builder, add_transpose (&net, turned, orders[i]));
      finish (&net, add_unary (&net, "Neg", turned));
      assert_same (&net, 1, 3);
    }
}

static void
takes_and_joins_parts (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (4, 10, 6));
  SymId a = add (&net, "Slice", "{}",
                 (SymId[]){ net.input, INTEGERS (&net, 1, -8), INTEGERS (&net, 3, 1000),
                            INTEGERS (&net, 0, 1), INTEGERS (&net, 1, 3) },
                 5);
  SymId b =
      add (&net, "Gather", "{'axis': 1}", (SymId[]){ net.input, INTEGERS (&net, 2, 3, 4) }, 2);
  SymId c = add (&net, "Slice", "{}",
                 (SymId[]){ b, INTEGERS (&net, 0), INTEGERS (&net, 2), INTEGERS (&net, 0) }, 4);
  SymId d = add (&net, "Gather", "{'axis': 0}", (SymId[]){ net.input, INTEGERS (&net, 3, 0) }, 2);

  sym_model_builder_add_output (net.builder,
                                add (&net, "Concat", "{'axis': 1}", (SymId[]){ a, c, a }, 3));
  sym_model_builder_add_output (net.builder, add_binary (&net, "Expand", add_unary (&net, "Neg", d),
                                                         INTEGERS (&net, 3, 2, 10, 6)));
  finish (&net, add (&net, "Concat", "{'axis': -1}", (SymId[]){ d, d }, 2));
  assert_same (&net, 1, 8);
}

/* What has no elements is no part of what is joined. */
static void
joins_nothing_too (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (2, 5, 3));
  SymId empty =
      add (&net, "Slice", "{}",
           (SymId[]){ net.input, INTEGERS (&net, 2), INTEGERS (&net, 2), INTEGERS (&net, 1) }, 4);

  finish (&net,
          add_unary (&net, "Neg",
                     add (&net, "Concat", "{'axis': 1}", (SymId[]){ empty, net.input, empty }, 3)));
  assert_same (&net, 2, 2);
}

/* Backwards too, from before the first to behind the last. */
static void
takes_parts_backwards (void)
{
  const gint64 cases[][3] = {
    { -1, G_MININT64, -1 }, { 8, 1, -3 }, { 100, -100, -2 }, { -2, 3, -1 }, { 0, -100, -1 }
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (3, 10, 6));
      SymId part = add (&net, "Slice", "{}",
                        (SymId[]){ net.input, add_integers (&net, &cases[i][0], 1),
                                   add_integers (&net, &cases[i][1], 1), INTEGERS (&net, 1),
                                   add_integers (&net, &cases[i][2], 1) },
                        5);
      SymId turned = add_transpose (&net, part, "{'perm': [0, 2, 1]}");
      SymId last = add (&net, "Slice", "{}",
                        (SymId[]){ turned, INTEGERS (&net, -1), INTEGERS (&net, -100),
                                   INTEGERS (&net, 1), INTEGERS (&net, -1) },
                        5);

      sym_model_builder_add_output (net.builder, last);
      finish (&net, add_binary (&net, "MatMul", last, part));
      assert_same (&net, 1, 4);
    }
}

static void
adds_margins_and_repeats (void)
{
  const gint64 pads[][6] = { { 0, 0, 0, 0, 0, 0 }, { 1, 0, 2, 0, 3, 0 }, { 0, 1, 0, 2, 0, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (pads); i++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (2, 3, 5));
      SymId around = add_numbers (&net, SYM_SHAPE (), 5, 6);
      SymId sizes = add_integers (&net, pads[i], 6);
      SymId padded = add (&net, "Pad", "{}", (SymId[]){ net.input, sizes, around }, 3);

      sym_model_builder_add_output (net.builder, add_binary (&net, "Pad", net.input, sizes));
      finish (&net,
              add_unary (&net, "Neg", add_binary (&net, "Tile", padded, INTEGERS (&net, 2, 1, 3))));
      assert_same (&net, 1, 4);
    }
}

/* ---- Matrices ---- */

static void
multiplies_computed_matrices (void)
{
  const struct {
    SymShape left, right;
  } cases[] = {
    { SYM_SHAPE (7, 5), SYM_SHAPE (5, 9) },
    { SYM_SHAPE (3, 7, 5), SYM_SHAPE (5, 9) },
    { SYM_SHAPE (3, 1, 5), SYM_SHAPE (3, 5, 40) },
    { SYM_SHAPE (2, 1, 7, 5), SYM_SHAPE (3, 5, 9) },
    { SYM_SHAPE (1, 300, 70), SYM_SHAPE (70, 300) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Net) net = net_new (cases[i].left);
      SymId factor = add_binary (&net, "Mul", net.input, add_numbers (&net, SYM_SHAPE (), 2, 3));
      SymId right = add_binary (&net, "Mul", add_numbers (&net, cases[i].right, -1, 1),
                                add (&net, "ReduceMax", "{'keepdims': 0}", &net.input, 1));
      SymId product = add_binary (&net, "MatMul", factor, right);

      finish (&net, add_binary (&net, "Div", product, add_numbers (&net, SYM_SHAPE (1), 2, 3)));
      assert_same (&net, 1, 5);
    }
}

/* softmax (q . k^T / scale + mask) . v of heads that are parts of one product. */
static SymId
add_attention (Net *self, SymId x, gint64 rows, gint64 heads, gint64 size, const SymShape *mask)
{
  SymId parts[3], scores, answer;

  for (guint i = 0; i < 3; i++)
    {
      SymId weights = add_numbers (self, SYM_SHAPE (heads * size, heads * size), -0.3, 0.3);
      SymId part = add_binary (self, "MatMul", x, weights);

      part = add_reshape (self, part, INTEGERS (self, 1, -1, heads, size));
      parts[i] =
          add_transpose (self, part, i == 1 ? "{'perm': [0, 2, 3, 1]}" : "{'perm': [0, 2, 1, 3]}");
    }
  scores = add_binary (self, "MatMul", parts[0], parts[1]);
  scores = add_binary (self, "Div", scores, add_numbers (self, SYM_SHAPE (), 4, 4));
  if (mask != NULL)
    scores = add_binary (self, "Add", scores, add_numbers (self, *mask, -3, 0));
  answer = add_binary (self, "MatMul", add (self, "Softmax", "{'axis': -1}", &scores, 1), parts[2]);
  answer = add_transpose (self, answer, "{'perm': [0, 2, 1, 3]}");
  return add_reshape (self, answer, INTEGERS (self, 1, rows, heads * size));
}

static void
computes_attention (void)
{
  const struct {
    gint64 rows, heads, size;
    gboolean has_mask;
    SymShape mask;
  } cases[] = {
    { 1, 2, 8, FALSE, SYM_SHAPE () },
    { 17, 3, 5, FALSE, SYM_SHAPE () },
    { 64, 4, 16, TRUE, SYM_SHAPE (1, 1, 64, 64) },
    { 21, 2, 12, TRUE, SYM_SHAPE (1, 1, 1, 21) },
    { 21, 2, 12, TRUE, SYM_SHAPE (2, 21, 1) },
    { 700, 2, 4, TRUE, SYM_SHAPE (700, 700) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gint64 width = cases[i].heads * cases[i].size;
      g_auto (Net) net = net_new (SYM_SHAPE (1, cases[i].rows, width));
      SymId answer = add_attention (&net, net.input, cases[i].rows, cases[i].heads, cases[i].size,
                                    cases[i].has_mask ? &cases[i].mask : NULL);
      SymId product =
          add_binary (&net, "MatMul", answer, add_numbers (&net, SYM_SHAPE (width, width), -1, 1));
      SymId sum = add_binary (&net, "Add", net.input, product);

      finish (&net, add_norm (&net, sum, width, i % 2 == 0));
      assert_same (&net, 1, 17 + (cases[i].has_mask ? 1 : 0) + (i % 2 == 0 ? 9 : 1));
    }
}

/* What attention is made of is there when others need it. */
static void
leaves_weights_that_others_need (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (2, 9, 6));
      SymId turned = add_transpose (&net, net.input, "{'perm': [0, 2, 1]}");
      SymId scores = add_binary (&net, "MatMul", net.input, turned);
      SymId weights = add (&net, "Softmax", "{'axis': -1}", &scores, 1);

      sym_model_builder_add_output (net.builder, i == 0 ? scores : weights);
      sym_model_builder_add_output (net.builder, turned);
      finish (&net, add_binary (&net, "MatMul", weights, net.input));
      assert_same (&net, 1, 4);
    }
}

/* ---- Embeddings ---- */

static SymDatum *
new_indices (gint64 n, gint64 step)
{
  SymDatum *datum = sym_datum_new (SYM_DTYPE_INT64, &SYM_SHAPE (n), NULL);

  for (gint64 i = 0; i < n; i++)
    ((gint64 *) sym_datum_get_array (datum)->data)[i] = i * step - 2;
  return datum;
}

static void
gathers_rows_by_number (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (1));
  SymType type = sym_type_tensor (SYM_DTYPE_INT64, SYM_SHAPE (5));
  SymId indices = sym_model_builder_add_value (net.builder, "i", SYM_ROLE_INPUT, &type);
  SymId table = add_numbers (&net, SYM_SHAPE (9, 33), -1, 1);
  g_autoptr (SymDatum) one = new_indices (5, 1), far = new_indices (5, 3);
  g_autoptr (GError) error = NULL;
  SymId rows;

  sym_model_builder_add_input (net.builder, indices);
  rows = add_binary (&net, "Gather", table, indices);
  finish (&net, add_binary (&net, "Mul", rows, net.input));
  {
    g_autoptr (SymPlan) plan = new_plan (net.model, 2), reference = new_plan (net.model, 0);
    g_autoptr (SymRun) run = sym_run_new (plan), oracle = sym_run_new (reference);
    g_autoptr (SymDatum) datum = new_input (&net);
    SymId output = sym_model_get_outputs (net.model).ids[0];

    g_assert_cmpuint (sym_plan_get_n_steps (plan), ==, 1);
    sym_run_feed (run, indices, one, NULL);
    sym_run_feed (oracle, indices, one, NULL);
    execute (run, net.input, datum);
    execute (oracle, net.input, datum);
    assert_near (sym_run_get (run, output), sym_run_get (oracle, output), 1e-6);
    sym_run_feed (run, indices, far, NULL);
    g_assert_false (sym_run_execute (run, NULL, &error));
    g_assert_error (error, SYM_ERROR, SYM_ERROR_SHAPE);
    g_assert_nonnull (strstr (error->message, "index 10"));
  }
}

/* ---- Around ---- */

/* Shapes that are known are numbers while planning; what is left is one step. */
static void
computes_shapes_while_planning (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (2, 6, 4));
  SymId shape = add_unary (&net, "Shape", net.input);
  SymId first = add (&net, "Gather", "{'axis': 0}", (SymId[]){ shape, INTEGERS (&net, 0) }, 2);
  SymId product = add_binary (&net, "Mul", first, INTEGERS (&net, 3));
  SymId wanted = add (&net, "Concat", "{'axis': 0}", (SymId[]){ product, INTEGERS (&net, -1) }, 2);

  finish (&net, add_unary (&net, "Neg", add_reshape (&net, net.input, wanted)));
  assert_same (&net, 1, 2);
}

/* A kernel whose operands are there does not part steps that can be compiled into one. */
static void
brings_steps_together (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (3, 4));
  SymId a = add_unary (&net, "Relu", net.input);
  SymId b = add (&net, "Hardmax", "{'axis': 1}", &net.input, 1);
  SymId c = add_unary (&net, "Tanh", a);
  SymId d = add (&net, "Hardmax", "{'axis': 0}", &b, 1);

  finish (&net, add_binary (&net, "Add", add_binary (&net, "Add", c, b), d));
  assert_same (&net, 3, 4);
}

/* The multiplications between two questions are no more than a slow processor does in 50 ms, and
 * the first question that is answered yes is the last. */
static void
stops_within_long_steps (void)
{
  static const double n_products[] = { 128. * 64 * 25 * 96 * 96, 1000. * 2000 * 2000,
                                       1000. * 2000 * 1000 };

  for (guint i = 0; i < 3; i++)
    {
      g_auto (Net) net = net_new (i == 0 ? SYM_SHAPE (1, 64, 100, 100) : SYM_SHAPE (1000, 2000));
      SymId numbers = i == 0 ? add_numbers (&net, SYM_SHAPE (128, 64, 5, 5), -1, 1)
                             : add_numbers (&net, SYM_SHAPE (2000, 2000), -1, 1);
      SymId other = i < 2 ? numbers : add_transpose (&net, net.input, "{}");

      finish (&net, add_binary (&net, i == 0 ? "Conv" : "MatMul", net.input, other));
      {
        g_autoptr (GCancellable) cancellable = g_cancellable_new ();
        g_autoptr (SymPlan) plan = new_plan (net.model, 1);
        g_autoptr (SymRun) run = sym_run_new (plan);
        g_autoptr (SymDatum) datum = new_input (&net);
        guint n;

        g_assert_true (sym_plan_is_compiled (plan, 0));
        sym_run_feed (run, net.input, datum, NULL);
        questions_start (G_MAXINT);
        g_assert_true (sym_run_execute (run, cancellable, NULL));
        n = questions_end ();
        g_test_message ("case %u: %u questions", i, n);
        g_assert_cmpfloat (n_products[i] / n, <, 1e9);
        for (guint j = 0; j < n; j += MAX (n / 3, 1))
          {
            g_autoptr (GError) error = NULL;

            questions_start (j);
            g_assert_false (sym_run_execute (run, cancellable, &error));
            g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
            g_assert_cmpuint (questions_end (), ==, j + 1);
          }
      }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/compile-matrix/broadcasts-both-operands", broadcasts_both_operands);
  g_test_add_func ("/run/compile-matrix/computes-functions-of-rows", computes_functions_of_rows);
  g_test_add_func ("/run/compile-matrix/softens-short-rows", softens_short_rows);
  g_test_add_func ("/run/compile-matrix/computes-norms", computes_norms);
  g_test_add_func ("/run/compile-matrix/moves-elements", moves_elements);
  g_test_add_func ("/run/compile-matrix/takes-and-joins-parts", takes_and_joins_parts);
  g_test_add_func ("/run/compile-matrix/joins-nothing-too", joins_nothing_too);
  g_test_add_func ("/run/compile-matrix/takes-parts-backwards", takes_parts_backwards);
  g_test_add_func ("/run/compile-matrix/adds-margins-and-repeats", adds_margins_and_repeats);
  g_test_add_func ("/run/compile-matrix/multiplies-computed-matrices",
                   multiplies_computed_matrices);
  g_test_add_func ("/run/compile-matrix/computes-attention", computes_attention);
  g_test_add_func ("/run/compile-matrix/leaves-weights-that-others-need",
                   leaves_weights_that_others_need);
  g_test_add_func ("/run/compile-matrix/gathers-rows-by-number", gathers_rows_by_number);
  g_test_add_func ("/run/compile-matrix/computes-shapes-while-planning",
                   computes_shapes_while_planning);
  g_test_add_func ("/run/compile-matrix/brings-steps-together", brings_steps_together);
  g_test_add_func ("/run/compile-matrix/stops-within-long-steps", stops_within_long_steps);
  return g_test_run ();
}
