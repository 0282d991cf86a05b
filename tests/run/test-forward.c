/* SPDX-License-Identifier: MIT */
#include "core/sym-forward.h"
#include "io/sym-io.h"
#include "live-fixture.h"

/* The forward function of a model as Python code: row P63 of PyTorch Symbolic. */

#define HEAD "<ir_version: 8, opset_import: [\"\": 17]> g "

static SymModel *
read_model (const char *text)
{
  g_autofree char *whole = g_strconcat (HEAD, text, NULL);
  g_autoptr (GBytes) bytes = g_bytes_new (whole, strlen (whole));
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_bytes (bytes, "test", &error);

  g_assert_no_error (error);
  return model;
}

static void
assert_code (const SymModel *model, SymForwardStyle style, guint length, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *code = sym_model_write_forward (model, style, length, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (code, ==, expected);
}

/* A value with two uses, one listed as an output twice, and an input that nothing takes. */
static void
numbers_follow_the_order_of_execution (void)
{
  g_autoptr (SymModel) model =
      read_model ("(float[2] a, float[2] b) => (float[2] c, float[2] c) <float[2] w = {1, 2}>"
                  " { d = Mul (a, w) e = Relu (d) unused = Neg (d) c = Add (e, d) }");

  assert_code (model, SYM_FORWARD_INDEXED, 50,
               "def forward(self,i0, i1):\n"
               "    l = self._execution_order_layers\n"
               "    x0 = l[0](i0)\n"
               "    x1 = l[1](x0)\n"
               "    o1 = l[2](x1, x0)\n"
               "    return o1, o1\n");
}

/* Chains as long as is asked for; a value with another use ends one. */
static void
chains_become_loops (void)
{
  g_autoptr (SymModel) model =
      read_model ("(float[2] x) => (float[2] y)"
                  " { a = Relu (x) b = Neg (a) c = Abs (b) d = Exp (c) y = Add (c, d) }");

  assert_code (model, SYM_FORWARD_INDEXED, 3,
               "def forward(self,i0):\n"
               "    l = self._execution_order_layers\n"
               "    x2 = i0\n"
               "    for layer in l[0:3]:\n"
               "        x2 = layer(x2)\n"
               "    x3 = l[3](x2)\n"
               "    o0 = l[4](x2, x3)\n"
               "    return o0\n");
  assert_code (model, SYM_FORWARD_INDEXED, 4,
               "def forward(self,i0):\n"
               "    l = self._execution_order_layers\n"
               "    x0 = l[0](i0)\n"
               "    x1 = l[1](x0)\n"
               "    x2 = l[2](x1)\n"
               "    x3 = l[3](x2)\n"
               "    o0 = l[4](x2, x3)\n"
               "    return o0\n");
}

/* The numbers of the example: sixty layers, all numbers of two digits. */
static void
sixty_layers_are_one_loop (void)
{
  g_autoptr (GString) text = g_string_new ("(float[2] v0) => (float[2] y) { ");
  g_autoptr (SymModel) model = NULL;

  for (guint i = 0; i < 60; i++)
    g_string_append_printf (text, "v%u = Relu (v%u) ", i + 1, i);
  g_string_append (text, "y = Add (v60, v60) }");
  model = read_model (text->str);
  assert_code (model, SYM_FORWARD_INDEXED, SYM_FORWARD_LOOP_LENGTH,
               "def forward(self,i00):\n"
               "    l = self._execution_order_layers\n"
               "    x59 = i00\n"
               "    for layer in l[0:60]:\n"
               "        x59 = layer(x59)\n"
               "    o00 = l[60](x59, x59)\n"
               "    return o00\n");
}

static void
siblings_are_unpacked (Fixture *self, gconstpointer data)
{
  SymNode *x = add_value (self, literal ("[5, 6, 7]")), *parts[3];
  g_autoptr (SymModel) model = NULL;

  g_assert_true (sym_node_unpack (x, parts, 3, &self->error));
  model = sym_graph_build (self->graph, &x, 1, parts, 3, &self->error);
  g_assert_no_error (self->error);
  assert_code (model, SYM_FORWARD_INDEXED, 50,
               "def forward(self,i0):\n"
               "    l = self._execution_order_layers\n"
               "    o0, o1, o2 = l[0](*i0)\n"
               "    return o0, o1, o2\n");
}

/* The first result that is used counts as the call's, others are siblings. */
static void
results_that_nobody_needs_have_no_name (void)
{
  g_autoptr (SymModel) model =
      read_model ("(float[6] x) => (float[2] y)"
                  " { unused, b, c = Split <num_outputs = 3> (x) y = Add (b, c) }");

  assert_code (model, SYM_FORWARD_INDEXED, 50,
               "def forward(self,i0):\n"
               "    l = self._execution_order_layers\n"
               "    _, x0, y0 = l[0](i0)\n"
               "    o0 = l[1](x0, y0)\n"
               "    return o0\n");
}

/* Names are made words of Python, each used once. */
static void
names_are_those_of_layers (void)
{
  g_autoptr (SymModel) model =
      read_model ("(float[2] x, float[2] lambda) => (float[2] y)"
                  " { [features_0] a = Relu (x) [features_1] b = Add (a, lambda) y = Relu (b) }");

  assert_code (model, SYM_FORWARD_NAMED, 50,
               "def forward(self, x, lambda_1):\n"
               "    features_0 = self.features_0(x)  # Relu\n"
               "    features_1 = self.features_1(features_0, lambda_1)  # Add\n"
               "    Relu = self.Relu(features_1)  # Relu\n"
               "    return Relu\n");
}

static void
loops_have_two_turns_at_least (void)
{
  g_autoptr (SymModel) model = read_model ("(float[2] x) => (float[2] y) { y = Relu (x) }");
  g_autoptr (GError) error = NULL;

  g_assert_null (sym_model_write_forward (model, SYM_FORWARD_INDEXED, 1, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT);
  g_assert_cmpstr (error->message, ==, "Loop length cannot be smaller than 2!");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/run/forward/numbers-follow-the-order-of-execution",
                   numbers_follow_the_order_of_execution);
  g_test_add_func ("/run/forward/chains-become-loops", chains_become_loops);
  g_test_add_func ("/run/forward/sixty-layers-are-one-loop", sixty_layers_are_one_loop);
  g_test_add ("/run/forward/siblings-are-unpacked", Fixture, NULL, set_up, siblings_are_unpacked,
              tear_down);
  g_test_add_func ("/run/forward/results-that-nobody-needs-have-no-name",
                   results_that_nobody_needs_have_no_name);
  g_test_add_func ("/run/forward/names-are-those-of-layers", names_are_those_of_layers);
  g_test_add_func ("/run/forward/loops-have-two-turns-at-least", loops_have_two_turns_at_least);

  return g_test_run ();
}
