/* SPDX-License-Identifier: MIT */
#include "../ops/kernel-case.h"
#include "io/sym-io.h"
#include "run/sym-session.h"

/* Networks that declare types which contradict each other: what is computed is what the layers say,
 * and nothing is read beyond the numbers that there are. */

#define NET(ends, layers) "<ir_version: 8, opset_import: [\"\" : 13]>\nn " ends " {\n" layers "}\n"

static const struct {
  const char *name, *net, *operand, *result;
  gboolean all; /* whether none of it is compiled */
} cases[] = {
  { "of-the-output", NET ("(float[3] x) => (float[4, 50] y)", "  y = Relu (x)\n"),
    "float32 3: -1 2 3", "float32 3: 0 2 3", TRUE },
  { "within",
    NET ("(float[3] x) => (float[3] y) <float[40, 50] a>", "  a = Add (x, x)\n  y = Neg (a)\n"),
    "float32 3: -1 2 3", "float32 3: 2 -4 -6", TRUE },
  { "after-what-fits",
    NET ("(float[3] x) => (float[99] y)", "  a = Exp (x)\n  b = Neg (a)\n  y = Sigmoid (b)\n"),
    "float32 3: 0 0 0", "float32 3: 0.268941421 0.268941421 0.268941421", FALSE },
  { "of-a-batch",
    NET ("(float[\"n\", 2] x) => (float[\"n\", 70] y) <float[2, 2] w = {1, 0, 0, 1}>",
         "  a = MatMul (x, w)\n  y = Relu (a)\n"),
    "float32 1,2: -1 2", "float32 1,2: 0 2", FALSE },
  { "of-a-constant",
    NET ("(float[1] x) => (float[60] y) <float[2] w = {1, 2}, float[60] a>",
         "  a = Neg (w)\n  y = Add (a, x)\n"),
    "float32 1: 3", "float32 2: 2 1", TRUE },
  { "of-a-window",
    NET ("(float[1, 1, 2, 2] x) => (float[1, 9, 8, 8] y)", "  y = GlobalAveragePool (x)\n"),
    "float32 1,1,2,2: 1 2 3 6", "float32 1,1,1,1: 3", TRUE },
};

static void
computes_what_the_layers_say (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  const KernelCase numbers = { cases[i].name, "", cases[i].operand, cases[i].result,
                               .tolerance = 1e-6 };
  g_autoptr (GBytes) bytes = g_bytes_new_static (cases[i].net, strlen (cases[i].net));
  SymDatum *input = kernel_case_read (numbers.operands);
  SymDatum *expected = kernel_case_read (numbers.results);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "net.onnxtxt", &error);
  g_autoptr (SymSession) session = NULL;
  SymPlan *plan;

  g_assert_no_error (error);
  session = sym_session_new (model, &(SymSessionOptions){ .takes_any_type = TRUE });
  sym_session_feed (session, sym_model_get_inputs (model).ids[0], input, &error);
  g_assert_no_error (error);
  sym_session_execute (session, NULL, &error);
  g_assert_no_error (error);
  kernel_case_compare (
      &numbers,
      sym_datum_get_array (sym_session_get (session, sym_model_get_outputs (model).ids[0])),
      sym_datum_get_array (expected));
  plan = sym_run_get_plan (sym_session_get_run (session));
  for (guint j = 0; cases[i].all && j < sym_plan_get_n_steps (plan); j++)
    g_assert_false (sym_plan_is_compiled (plan, j));
  sym_datum_unref (input);
  sym_datum_unref (expected);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/run/doubts/", cases[i].name, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), computes_what_the_layers_say);
    }
  return g_test_run ();
}
