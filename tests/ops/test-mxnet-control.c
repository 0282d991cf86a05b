/* SPDX-License-Identifier: MIT */
#include "rule-case.h"

#define FOREACH(data, states, same, stacked, outputs)                              \
  "num_args=9; in_data_locs=" data "; in_state_locs=" states "; remain_locs=" same \
  "; num_out_data=" stacked "; num_outputs=" outputs

/* A cell: y = tanh (x W + h U), which is what comes out and the next state. */
#define CELL                                                \
  "x: *\nw: *\nh: *\nu: *\n"                                \
  "i2h = FullyConnected {num_hidden=4; no_bias=True} x w\n" \
  "h2h = FullyConnected {num_hidden=4; no_bias=True} h u\n" \
  "y = elemwise_add {} i2h h2h\n-> y y"

#define CELL_PLACES FOREACH ("(0,)", "(2,)", "(1, 3)", "1", "2")

#define DENSE "x: *\nw: *\ny = FullyConnected {num_hidden=4; no_bias=True} x w\n-> y"
#define ADD_ONE "x: *\ny = _plus_scalar {scalar=1} x\n-> y"
#define TEST_SUM "x: *\ny = sum {} x\n-> y"

static const RuleCase cases[] = {
  /* Each step gets [batch, features] of [steps, batch, features]; the state comes back. */
  { "_foreach",
    CELL_PLACES,
    "7,2,3 * * *",
    NULL,
    "7,2,3 2,4 4,3 4,4 -> 7,2,4 2,4",
    NULL,
    { CELL } },
  { "_npx_foreach",
    CELL_PLACES,
    "7,2,3 * * *",
    NULL,
    "7,2,3 2,4 4,3 4,4 -> 7,2,4 2,4",
    NULL,
    { CELL } },
  { "_foreach",
    CELL_PLACES,
    "7,?,3:float16 2,4 * *",
    NULL,
    "7,2,3:float16 2,4:float16 4,3:float16 4,4:float16 -> 7,2,4:float16 2,4:float16",
    NULL,
    { CELL } },
  { "_foreach",
    CELL_PLACES,
    "?,2,3 * * *",
    "7,?,? *",
    "7,2,3 2,4 4,3 4,4 -> 7,2,4 2,4",
    NULL,
    { CELL } },
  { "_foreach",
    CELL_PLACES,
    "7,2,3 5,4 * *",
    NULL,
    NULL,
    "Error in operator y: Incompatible attr at 1-th input",
    { CELL } },
  { "_foreach", CELL_PLACES, "7,2,3 2,5 * *", NULL, NULL, "Shape inconsistent", { CELL } },
  { "_foreach", CELL_PLACES, "() * * *", NULL, NULL, "should have an axis of steps", { CELL } },
  { "_foreach",
    FOREACH ("(0,)", "()", "(1, 3)", "1", "1"),
    "7,2 * *",
    NULL,
    NULL,
    "remain_locs has 3; there are 3 to choose from",
    { DENSE } },
  { "_foreach",
    FOREACH ("(0,)", "()", "()", "1", "1"),
    "7,2 *",
    NULL,
    NULL,
    "the body takes 1 operands, there are 2",
    { DENSE } },
  { "_foreach",
    FOREACH ("(0, 1)", "()", "()", "1", "1"),
    "7,2 5,2",
    NULL,
    NULL,
    "number of steps",
    { "x: *\nw: *\ny = elemwise_add {} x w\n-> y" } },
  { "_foreach", FOREACH ("(0,)", "()", "()", "1", "1"), "7", NULL, "7,1", NULL, { ADD_ONE } },
  { "_foreach", FOREACH ("(0,)", "()", "()", "1", "1"), "*", NULL, "*", NULL, { ADD_ONE } },
  /* Without the body in the file only the states are known. */
  { "_foreach", FOREACH ("(0,)", "(1,)", "()", "1", "2"), "7,2 3", NULL, "* 3" },

  /* Stacked outputs have room for all steps that there may be. */
  { "_while_loop",
    "num_args=4; num_outputs=2; num_out_data=1; max_iterations=9; cond_input_locs=(0,); "
    "func_input_locs=(0, 1); func_var_locs=(0,)",
    "2,4 *",
    NULL,
    "2,4 4,4 -> 9,2,4 2,4",
    NULL,
    { TEST_SUM, "x: *\nw: *\ny = FullyConnected {num_hidden=4; no_bias=True} x w\n-> y y" } },
  { "_npx_while_loop",
    "num_args=3; num_outputs=1; num_out_data=0; max_iterations=9; cond_input_locs=(0,); "
    "func_input_locs=(0,); func_var_locs=(0,)",
    "*",
    "2,3",
    "2,3 -> 2,3",
    NULL,
    { TEST_SUM, ADD_ONE } },
  { "_while_loop",
    "num_args=4; num_outputs=1; num_out_data=0; max_iterations=9; cond_input_locs=(0,); "
    "func_input_locs=(0, 1); func_var_locs=(0,)",
    "2,3 *",
    NULL,
    NULL,
    "Shape inconsistent",
    { TEST_SUM, DENSE } },

  { "_cond",
    "num_args=6; num_outputs=1; cond_input_locs=(0,); then_input_locs=(1, 2); "
    "else_input_locs=(1,)",
    "1 ?,4 *",
    "2,?",
    "1 2,4 4,4 -> 2,4",
    NULL,
    { TEST_SUM, DENSE, ADD_ONE } },
  { "_npx_cond",
    "num_args=6; num_outputs=1; cond_input_locs=(0,); then_input_locs=(1, 2); "
    "else_input_locs=(1,)",
    "1 2,5 *",
    NULL,
    NULL,
    "Shape inconsistent",
    { TEST_SUM, DENSE, ADD_ONE } },
};

static void
bodies_are_inferred_through (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    rule_case_run (&cases[i]);
}

/* What is known inside a body can be asked for, for each of several bodies. */
static void
bodies_can_be_looked_into (void)
{
  static const RuleCase loop = {
    "_while_loop",
    "num_args=4; num_outputs=2; num_out_data=1; max_iterations=9; cond_input_locs=(0,); "
    "func_input_locs=(0, 1); func_var_locs=(0,)",
    "2,4 *",
    NULL,
    NULL,
    NULL,
    { TEST_SUM, "x: *\nw: *\ny = FullyConnected {num_hidden=4; no_bias=True} x w\n-> y y" }
  };
  g_autoptr (SymModel) model = rule_case_build (&loop);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  static const char *const expected[] = { "2,4 1", "2,4 4,4 2,4" };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      const SymInference *body = sym_inference_get_body (inference, 0, i);
      g_autoptr (GString) text = g_string_new (NULL);

      g_assert_nonnull (body);
      for (SymId value = 0; value < sym_model_get_n_values (sym_inference_get_model (body));
           value++)
        rule_case_append (text, body, value, FALSE);
      g_assert_cmpstr (text->str, ==, expected[i]);
    }
  g_assert_null (sym_inference_get_body (inference, 0, 2));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ops/mxnet-control/bodies-are-inferred-through", bodies_are_inferred_through);
  g_test_add_func ("/ops/mxnet-control/bodies-can-be-looked-into", bodies_can_be_looked_into);
  return g_test_run ();
}
