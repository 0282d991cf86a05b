/* SPDX-License-Identifier: MIT */
#include "core/sym-infer.h"
#include "core/sym-model-builder.h"
#include "ops/sym-op.h"

/* Layers that are said in others, some of them alike: what was found of one may be told of the
 * next, but only where it holds. */

#define N_EACH 3

typedef struct {
  SymModelBuilder *builder;
  SymId results[2 * N_EACH];
  guint n;
} Net;

static void
begin (Net *net)
{
  net->builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  net->n = 0;
}

static SymId
add_input (Net *net, SymShape shape)
{
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, shape);

  return sym_model_builder_add_value (net->builder, "x", SYM_ROLE_INPUT, &type);
}

static void
add_product (Net *net, SymId a, SymId b, gboolean transposed)
{
  SymAttributes *attributes = sym_attributes_new ();
  const SymOperator *op = sym_op_find ("onednn", "MatMul", 0);
  const SymId operands[] = { a, b };
  SymLayer *layer;
  SymId call;

  g_assert_nonnull (op);
  sym_attributes_set (attributes, "transpose_b", sym_value_new_bool (transposed), NULL);
  layer = sym_layer_new ("MatMul", op, attributes);
  call = sym_model_builder_add_call (net->builder, "y", layer, operands, 2, 1);
  sym_attributes_unref (attributes);
  sym_layer_unref (layer);
  net->results[net->n++] = sym_model_builder_get_result (net->builder, call, 0);
}

static void
multiply (Net *net, SymShape a, SymShape b, gboolean transposed)
{
  SymId left = add_input (net, a);

  add_product (net, left, add_input (net, b), transposed);
}

static SymInference *
infer (Net *net)
{
  SymModel *model = sym_model_builder_end (net->builder);
  SymInference *inference = sym_infer (model, NULL, 0, NULL, NULL);

  sym_model_unref (model);
  return inference;
}

static void
assert_shape (SymInference *inference, SymId value, const char *expected)
{
  SymType type = sym_inference_get_type (inference, value);
  g_autofree char *text = sym_inference_format_shape (inference, &type.shape, ",");

  g_assert_cmpstr (text, ==, expected);
}

static void
test_equal (void)
{
  Net net;
  SymInference *inference;

  begin (&net);
  for (guint i = 0; i < N_EACH; i++)
    {
      SymId a = add_input (&net, SYM_SHAPE (5, 4));
      SymId b = add_input (&net, SYM_SHAPE (4, 4));

      add_product (&net, a, b, FALSE);
      add_product (&net, a, b, TRUE);
    }
  inference = infer (&net);
  for (guint i = 0; i < net.n; i++)
    assert_shape (inference, net.results[i], "5,4");
  sym_inference_unref (inference);
}

static void
test_other_attributes (void)
{
  Net net;
  SymInference *inference;

  begin (&net);
  for (guint i = 0; i < N_EACH; i++)
    multiply (&net, SYM_SHAPE (5, 4), SYM_SHAPE (4, 7), FALSE);
  multiply (&net, SYM_SHAPE (5, 4), SYM_SHAPE (4, 7), TRUE);
  inference = infer (&net);
  for (guint i = 0; i < N_EACH; i++)
    assert_shape (inference, net.results[i], "5,7");
  g_assert_true (sym_problems_has_errors (sym_inference_get_problems (inference)));
  sym_inference_unref (inference);
}

static void
test_other_sizes (void)
{
  Net net;
  SymInference *inference;

  begin (&net);
  multiply (&net, SYM_SHAPE (5, 4), SYM_SHAPE (4, 7), FALSE);
  multiply (&net, SYM_SHAPE (5, 4), SYM_SHAPE (4, 9), FALSE);
  inference = infer (&net);
  assert_shape (inference, net.results[0], "5,7");
  assert_shape (inference, net.results[1], "5,9");
  sym_inference_unref (inference);
}

/* Each has its own name. */
static void
test_names (void)
{
  static const char *const names[] = { "n", "m", "k" };
  Net net;
  SymInference *inference;

  begin (&net);
  for (guint i = 0; i < N_EACH; i++)
    {
      SymDim dim = sym_terms_get_named (sym_model_builder_get_terms (net.builder), names[i]);

      multiply (&net, SYM_SHAPE (dim, 2, 4), SYM_SHAPE (4, 7), FALSE);
    }
  inference = infer (&net);
  assert_shape (inference, net.results[0], "n,2,7");
  assert_shape (inference, net.results[1], "m,2,7");
  assert_shape (inference, net.results[2], "k,2,7");
  sym_inference_unref (inference);
}

/* Of sizes that have to be equal each layer learns so itself. */
static void
test_ties (void)
{
  Net net;
  SymInference *inference;
  SymId rows[2];

  begin (&net);
  for (guint i = 0; i < 2; i++)
    {
      SymId a = add_input (&net, SYM_SHAPE (5, 4));

      rows[i] = add_input (&net, SYM_SHAPE (SYM_DIM_UNKNOWN, 7));
      add_product (&net, a, rows[i], FALSE);
    }
  inference = infer (&net);
  for (guint i = 0; i < 2; i++)
    {
      assert_shape (inference, rows[i], "4,7");
      assert_shape (inference, net.results[i], "5,7");
    }
  sym_inference_unref (inference);
}

/* What a file says of one is not what is found of the others. */
static void
test_declared (void)
{
  Net net;
  SymInference *inference;
  SymType wrong = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (5, 8));

  begin (&net);
  for (guint i = 0; i < N_EACH; i++)
    multiply (&net, SYM_SHAPE (5, 4), SYM_SHAPE (4, 7), FALSE);
  sym_model_builder_set_type (net.builder, net.results[1], &wrong);
  inference = infer (&net);
  assert_shape (inference, net.results[0], "5,7");
  assert_shape (inference, net.results[1], "5,8");
  assert_shape (inference, net.results[2], "5,7");
  g_assert_cmpuint (sym_problems_get_n (sym_inference_get_problems (inference)), ==, 1);
  sym_inference_unref (inference);
}

static void
add_layer (Net *net,
           const char *type,
           SymAttributes *take_attributes,
           const SymId *operands,
           guint n)
{
  const SymOperator *op = sym_op_find ("", type, 17);
  SymLayer *layer = sym_layer_new (type, op, take_attributes);
  SymId call;

  g_assert_nonnull (op);
  call = sym_model_builder_add_call (net->builder, "y", layer, operands, n, 1);
  sym_attributes_unref (take_attributes);
  sym_layer_unref (layer);
  net->results[net->n++] = sym_model_builder_get_result (net->builder, call, 0);
}

static SymAttributes *
new_convolution (int size)
{
  SymAttributes *attributes = sym_attributes_new ();
  g_autofree char *kernel = g_strdup_printf ("[%d, %d]", size, size);

  sym_attributes_set (attributes, "kernel_shape", sym_value_parse (kernel), NULL);
  return attributes;
}

/* What is not known of an operand is learnt of each, too. */
static void
test_learnt_operands (void)
{
  Net net;
  SymInference *inference;
  SymId weights[4];

  begin (&net);
  for (guint i = 0; i < 4; i++)
    {
      SymId data = add_input (&net, SYM_SHAPE (1, i == 2 ? 3 : 8, 9, 9));

      weights[i] =
          add_input (&net, SYM_SHAPE (16, SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN));
      add_layer (&net, "Conv", new_convolution (i == 3 ? 5 : 3), (SymId[]){ data, weights[i] }, 2);
    }
  inference = infer (&net);
  assert_shape (inference, weights[0], "16,8,3,3");
  assert_shape (inference, weights[1], "16,8,3,3");
  assert_shape (inference, weights[2], "16,3,3,3");
  assert_shape (inference, weights[3], "16,8,5,5");
  assert_shape (inference, net.results[1], "1,16,7,7");
  assert_shape (inference, net.results[2], "1,16,7,7");
  assert_shape (inference, net.results[3], "1,16,5,5");
  sym_inference_unref (inference);
}

/* Two sizes that are one in this layer were two in the one before. */
static void
test_one_operand_twice (void)
{
  Net net;
  SymInference *inference;
  SymId alone;

  begin (&net);
  multiply (&net, SYM_SHAPE (SYM_DIM_UNKNOWN, 4), SYM_SHAPE (4, SYM_DIM_UNKNOWN), FALSE);
  alone = add_input (&net, SYM_SHAPE (SYM_DIM_UNKNOWN, 4));
  add_product (&net, alone, alone, FALSE);
  inference = infer (&net);
  assert_shape (inference, alone, "4,4");
  assert_shape (inference, net.results[0], "?,?");
  assert_shape (inference, net.results[1], "4,4");
  sym_inference_unref (inference);
}

/* A size without a name gives way to one with a name, wherever they come. */
static void
test_names_and_none (void)
{
  Net net;
  SymInference *inference;
  SymId sides[4];

  begin (&net);
  for (guint i = 0; i < 4; i += 2)
    {
      SymDim name = sym_terms_get_named (sym_model_builder_get_terms (net.builder), "n");

      sides[i] = add_input (&net, SYM_SHAPE (5, i == 0 ? SYM_DIM_UNKNOWN : name));
      sides[i + 1] = add_input (&net, SYM_SHAPE (i == 0 ? name : SYM_DIM_UNKNOWN, 7));
      add_product (&net, sides[i], sides[i + 1], FALSE);
    }
  inference = infer (&net);
  for (guint i = 0; i < 4; i++)
    assert_shape (inference, sides[i], i % 2 == 0 ? "5,n" : "n,7");
  sym_inference_unref (inference);
}

static SymDim
parse (Net *net, const char *text)
{
  SymDim dim;

  g_assert_true (sym_terms_parse (sym_model_builder_get_terms (net->builder), text, &dim));
  return dim;
}

/* The third of a kind is told what the second was: the first tells that it pays. */
static void
test_forms (void)
{
  static const char *const sizes[] = { "n+1", "n+1", "n+1", "n+2", "m+1", "2*n" };
  static const char *const expected[] = { "n+1,7", "n+1,7", "n+1,7", "n+2,7", "m+1,7", "2*n,7" };
  Net net;
  SymInference *inference;
  SymId left[G_N_ELEMENTS (sizes)];

  begin (&net);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      left[i] = add_input (&net, SYM_SHAPE (parse (&net, sizes[i]), SYM_DIM_UNKNOWN));
      add_product (&net, left[i], add_input (&net, SYM_SHAPE (4, 7)), FALSE);
    }
  inference = infer (&net);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *operand = g_strdup_printf ("%s,4", sizes[i]);

      assert_shape (inference, net.results[i], expected[i]);
      assert_shape (inference, left[i], operand);
    }
  sym_inference_unref (inference);
}

/* A size that the form is made of is another thing than any other size. */
static void
test_forms_and_their_variables (void)
{
  static const char *const sizes[] = { "k", "m", "l", "n", "n", "m" };
  Net net;
  SymInference *inference;

  begin (&net);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    multiply (&net, SYM_SHAPE (parse (&net, "n+1"), 4), SYM_SHAPE (4, parse (&net, sizes[i])),
              FALSE);
  inference = infer (&net);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *expected = g_strdup_printf ("n+1,%s", sizes[i]);

      assert_shape (inference, net.results[i], expected);
    }
  sym_inference_unref (inference);
}

/* Sizes that come of a variable which only has a place are not told of the next one's. */
static void
test_sizes_made_of_places (void)
{
  static const char *const sizes[] = { "k", "k", "k", "m", "l", "n" };
  static const char *const doubled[] = { "n+1,2*k", "n+1,2*k", "n+1,2*k",
                                         "n+1,2*m", "n+1,2*l", "n+1,2*n" };
  const SymOperator *op = sym_op_find ("onednn", "Concat", 0);
  Net net;
  SymInference *inference;

  g_assert_nonnull (op);
  begin (&net);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      SymAttributes *attributes = sym_attributes_new ();
      SymShape shape = SYM_SHAPE (parse (&net, "n+1"), parse (&net, sizes[i]));
      SymId x = add_input (&net, shape);
      SymLayer *layer;
      SymId call;

      sym_attributes_set (attributes, "axis", sym_value_new_int (1), NULL);
      layer = sym_layer_new ("Concat", op, attributes);
      call = sym_model_builder_add_call (net.builder, "y", layer, (SymId[]){ x, x }, 2, 1);
      sym_attributes_unref (attributes);
      sym_layer_unref (layer);
      net.results[net.n++] = sym_model_builder_get_result (net.builder, call, 0);
    }
  inference = infer (&net);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    assert_shape (inference, net.results[i], doubled[i]);
  sym_inference_unref (inference);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ops/alike/equal-layers-have-equal-results", test_equal);
  g_test_add_func ("/ops/alike/tells-attributes-apart", test_other_attributes);
  g_test_add_func ("/ops/alike/tells-sizes-apart", test_other_sizes);
  g_test_add_func ("/ops/alike/keeps-each-name", test_names);
  g_test_add_func ("/ops/alike/learns-ties-each-time", test_ties);
  g_test_add_func ("/ops/alike/refuses-only-what-is-declared-wrong", test_declared);
  g_test_add_func ("/ops/alike/learns-operands-each-time", test_learnt_operands);
  g_test_add_func ("/ops/alike/takes-one-operand-twice", test_one_operand_twice);
  g_test_add_func ("/ops/alike/tells-names-from-none", test_names_and_none);
  g_test_add_func ("/ops/alike/tells-forms", test_forms);
  g_test_add_func ("/ops/alike/tells-variables-of-forms", test_forms_and_their_variables);
  g_test_add_func ("/ops/alike/makes-sizes-each-time", test_sizes_made_of_places);
  return g_test_run ();
}
