/* SPDX-License-Identifier: MIT */
#include "io/sym-io.h"

#include <string.h>

#include "role-names.h"

static SymModel *
open_text (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_bytes (bytes, "text", &error);

  g_assert_no_error (error);
  return model;
}

#define VARIABLE(name) "{\"op\": \"null\", \"name\": \"" name "\", \"inputs\": []}"

/* A body whose second and fourth inputs are the weight and the mean of its layers. */
#define NORMED                                                                                    \
  "{\"nodes\": [" VARIABLE ("x") ", " VARIABLE ("w") ", " VARIABLE ("g") ", " VARIABLE (          \
      "m") ", " VARIABLE ("v") ", {\"op\": \"FullyConnected\", \"name\": \"f\", \"attrs\": "      \
                               "{\"num_hidden\": \"4\", "                                         \
                               "\"no_bias\": \"True\"}, \"inputs\": [[0, 0, 0], [1, 0, 0]]}, "    \
                               "{\"op\": \"BatchNorm\", \"name\": "                               \
                               "\"n\", \"inputs\": [[5, 0, 0], [2, 0, 0], [2, 0, 0], [3, 0, 0], " \
                               "[4, 0, 0]]}], \"arg_nodes\": [0, "                                \
                               "1, 2, 3, 4], \"heads\": [[6, 0, 0]]}"

/* The first call's bodies, by the names that the layer has for them. */
static void
assert_body_names (const SymModel *model, const char *expected)
{
  SymLayer *layer = sym_model_get_layer (model, sym_model_get_execution_order (model).ids[0]);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < sym_layer_get_n_bodies (layer); i++)
    {
      const char *name;

      sym_layer_get_body (layer, i, &name);
      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", name);
    }
  g_assert_cmpstr (text->str, ==, expected);
}

/* The body of a loop takes its operands by number: that the weight is called k does not matter. */
static void
test_bodies_tell_the_roles_of_what_they_take (void)
{
  g_autoptr (SymModel) model = open_text (
      "{\"nodes\": [" VARIABLE ("data") ", " VARIABLE ("k") ", " VARIABLE ("a") ", " VARIABLE (
          "b") ", " VARIABLE ("c") ", {\"op\": \"_foreach\", \"name\": \"loop\", \"attrs\": "
                                   "{\"num_args\": \"6\", "
                                   "\"num_outputs\": \"1\", \"num_out_data\": \"1\", "
                                   "\"in_data_locs\": \"(0,)\", \"in_state_locs\": "
                                   "\"()\", \"remain_locs\": \"(4, 3, 2, 1)\"}, \"inputs\": [[0, "
                                   "0, 0], [4, 0, 0], [3, 0, 0], "
                                   "[2, 0, 0], [1, 0, 0]], \"subgraphs\": [" NORMED
                                   "]}], \"arg_nodes\": [0, 1, 2, 3, 4], "
                                   "\"heads\": [[5, 0, 0]]}");

  assert_names (model, SYM_ROLE_INPUT, "data");
  assert_names (model, SYM_ROLE_PARAMETER, "k a");
  assert_names (model, SYM_ROLE_AUXILIARY, "b c");
  assert_body_names (model, "body");
}

/* The same for a branch, where each list has operands instead of places. */
static void
test_branches_tell_the_roles_of_what_they_take (void)
{
  g_autoptr (SymModel) model =
      open_text ("{\"nodes\": [" VARIABLE ("p") ", " VARIABLE ("data") ", " VARIABLE (
          "k") ", {\"op\": \"_cond\", "
               "\"name\": \"if\", \"attrs\": {\"num_args\": \"6\", \"num_outputs\": \"1\", "
               "\"cond_input_locs\": "
               "\"(0,)\", \"then_input_locs\": \"(1,)\", \"else_input_locs\": \"(1, 2)\"}, "
               "\"inputs\": "
               "[[0, 0, 0], [1, 0, 0], [2, 0, 0]], \"subgraphs\": [{\"nodes\": [" VARIABLE (
                   "q") "], "
                        "\"arg_nodes\": [0], \"heads\": [[0, 0, 0]]}, {\"nodes\": [" VARIABLE (
                            "x") "], "
                                 "\"arg_nodes\": [0], \"heads\": [[0, 0, 0]]}, {\"nodes\": "
                                 "[" VARIABLE ("x") ", " VARIABLE (
                                     "w") ", {\"op\": \"FullyConnected\", \"name\": \"f\", "
                                          "\"attrs\": {\"num_hidden\": \"4\", \"no_bias\": "
                                          "\"True\"}, \"inputs\": [[0, 0, 0], [1, 0, 0]]}], "
                                          "\"arg_nodes\": [0, 1], \"heads\": [[2, 0, 0]]}]}], "
                                          "\"arg_nodes\": [0, 1, 2], \"heads\": [[3, 0, 0]]}");

  assert_names (model, SYM_ROLE_INPUT, "p data");
  assert_names (model, SYM_ROLE_PARAMETER, "k");
  assert_body_names (model, "condition then else");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/mxnet-bodies/tell-the-roles-of-what-they-take",
                   test_bodies_tell_the_roles_of_what_they_take);
  g_test_add_func ("/io/mxnet-bodies/of-branches-tell-the-roles-of-what-they-take",
                   test_branches_tell_the_roles_of_what_they_take);
  return g_test_run ();
}
