/* SPDX-License-Identifier: MIT */
#include "core/sym-rule-parts.h"
#include "infer-fixture.h"

/* The layers that a layer of the test is said in. */
static SymRuleParts *parts;

static gboolean
infer_in_parts (SymRule *rule, GError **error)
{
  return sym_rule_infer_parts (rule, parts, error);
}

static const SymOperator in_parts = { .domain = "test", .name = "Whole", .infer = infer_in_parts };

/* [n] -> [n], [n + 1], ... */
static gboolean
infer_longer (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);

  for (guint i = 0; shape.rank == 1 && i < sym_rule_get_n_outputs (rule); i++)
    if (!sym_rule_set_output (rule, i, &SYM_SHAPE (shape.dims[0] + i), error))
      return FALSE;
  return TRUE;
}

static const SymOperator longer = { .domain = "test", .name = "Longer", .infer = infer_longer };

static SymId
add_part (const SymOperator *op, SymId a, SymId b)
{
  g_autoptr (SymLayer) layer = sym_layer_new (op->name, op, NULL);
  const SymId operands[] = { a, b };

  return sym_rule_parts_add_call (parts, layer, (SymIds){ operands, b == SYM_NO_ID ? 1 : 2 });
}

static SymInference *
infer_whole (SymShape a, SymShape b, guint n_outputs)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Whole", &in_parts, NULL);
  const SymId operands[] = { add_tensor (builder, SYM_ROLE_INPUT, a),
                             add_tensor (builder, SYM_ROLE_INPUT, b) };

  sym_model_builder_add_call (builder, "whole", layer, operands, 2, n_outputs);
  return infer (builder);
}

static SymId
get_value (SymInference *inference, guint output)
{
  return sym_model_get_results (sym_inference_get_model (inference), 0).ids[output];
}

/* What a part learns of an operand is learnt of that of the whole. */
static void
test_both_ways (void)
{
  SymId a, b, sum;

  parts = sym_rule_parts_new ();
  a = sym_rule_parts_add_operand (parts);
  b = sym_rule_parts_add_operand (parts);
  sum = sym_rule_parts_get_result (parts, add_part (&same, a, b), 0);
  sym_rule_parts_add_output (
      parts, sym_rule_parts_get_result (parts, add_part (&same, sum, SYM_NO_ID), 0));
  {
    g_autoptr (SymInference) inference =
        infer_whole (SYM_SHAPE (SYM_DIM_UNKNOWN, 3), SYM_SHAPE (2, SYM_DIM_UNKNOWN), 1);

    assert_shape (inference, 0, "2,3");
    assert_shape (inference, 1, "2,3");
    assert_shape (inference, get_value (inference, 0), "2,3");
  }
  sym_rule_parts_free (parts);
}

/* Results may be added to a call when others have been added after it. */
static void
test_several_results (void)
{
  SymId a, first, second;

  parts = sym_rule_parts_new ();
  a = sym_rule_parts_add_operand (parts);
  sym_rule_parts_add_operand (parts);
  first = add_part (&longer, a, SYM_NO_ID);
  second = add_part (&longer, sym_rule_parts_get_result (parts, first, 0), SYM_NO_ID);
  sym_rule_parts_append_result (parts, first);
  sym_rule_parts_add_output (parts, sym_rule_parts_append_result (parts, first));
  sym_rule_parts_add_output (parts, sym_rule_parts_get_result (parts, second, 0));
  {
    g_autoptr (SymInference) inference = infer_whole (SYM_SHAPE (4), SYM_SHAPE_UNKNOWN, 3);

    assert_shape (inference, get_value (inference, 0), "6");
    assert_shape (inference, get_value (inference, 1), "4");
    assert_shape (inference, get_value (inference, 2), "rank ?");
  }
  sym_rule_parts_free (parts);
}

static void
test_constants (void)
{
  float numbers[5] = { 0 };
  const SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (5), numbers };
  g_autoptr (SymTensor) tensor = sym_tensor_new_copy (&array, NULL);
  SymId a, constant;

  parts = sym_rule_parts_new ();
  a = sym_rule_parts_add_operand (parts);
  constant = sym_rule_parts_add_constant (parts, tensor);
  sym_rule_parts_add_output (parts,
                             sym_rule_parts_get_result (parts, add_part (&same, a, constant), 0));
  {
    g_autoptr (SymInference) inference =
        infer_whole (SYM_SHAPE (SYM_DIM_UNKNOWN), SYM_SHAPE_UNKNOWN, 1);

    assert_shape (inference, 0, "5");
    assert_shape (inference, get_value (inference, 0), "5");
  }
  sym_rule_parts_free (parts);
}

static void
test_contradiction (void)
{
  SymId a, b;

  parts = sym_rule_parts_new ();
  a = sym_rule_parts_add_operand (parts);
  b = sym_rule_parts_add_operand (parts);
  sym_rule_parts_add_output (parts, sym_rule_parts_get_result (parts, add_part (&same, a, b), 0));
  {
    g_autoptr (SymInference) inference = infer_whole (SYM_SHAPE (2), SYM_SHAPE (3), 1);
    const SymProblem *problem = sym_problems_get (sym_inference_get_problems (inference), 0);

    g_assert_cmpint (problem->severity, ==, SYM_SEVERITY_ERROR);
    g_assert_cmpuint (problem->call, ==, 0);
  }
  sym_rule_parts_free (parts);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/rule-parts/tell-both-ways", test_both_ways);
  g_test_add_func ("/core/rule-parts/have-several-results", test_several_results);
  g_test_add_func ("/core/rule-parts/have-constants", test_constants);
  g_test_add_func ("/core/rule-parts/name-the-layer-that-contradicts", test_contradiction);
  return g_test_run ();
}
