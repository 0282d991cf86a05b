/* SPDX-License-Identifier: MIT */
#include "../ops/kernel-case.h"
#include "io/sym-io.h"
#include "run/sym-run.h"

/* Small networks with their weights beside them, as other programs save them.  The numbers are
 * those of numpy, or of Python alone, in loops over the definitions. */

static const struct {
  const char *path;
  KernelCase numbers; /* operands and results */
} cases[] = {
  { "espresso/weighted.espresso.net",
    { "espresso", "",
      "float32 1,2,3,4: 1 -0.75 -0.25 -1.25 0.5 1.25 -1.25 0.75 -1.5 0.75 -0.75 0.25 1 0.5 0 1.5 "
      "-0.25 0.25 0.75 0.25 -0.25 -0.5 -0.75 1.5",
      "float32 1,3,1,1: -2.43248791 3.82315708 0.991265026", .tolerance = 1e-5 } },
  { "keras-weights/steps.json",
    { "tfjs-layers", "",
      "float32 2,4,3: 0.25 -0.5 -1 -1.25 0.5 1.5 1.25 1 -1.5 0.75 0 0.25 1 1.25 0.75 1 -1 0.75 "
      "-1.5 0.5 -1.25 -1.5 -1.5 -0.75",
      "float32 2,4,3: 1.5 -1 -1.25 -0.0625 1.34375 -0.46875 -0.6875 2.28125 -0.15625 0.5 0.5 "
      "-0.75 -1.453125 4.03125 0.609375 1.5 -1 -1.25 0.6875 0.21875 -0.84375 1.5 -1 -1.25",
      .tolerance = 1e-5 } },
  { "paddlejs/net.json",
    { "paddlejs", "",
      "float32 1,2,4,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 1 0 "
      "-1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25",
      "float32 1,4: 0.189092681 0.391444921 0.125860363 0.293602109", .tolerance = 1e-5 } },
  { "paddle-pir/net.json",
    { "paddle-pir", "",
      "float32 2,1,4,4: -0.75 0.5 -1.5 -0.25 1 -1 0.25 1.5 -0.5 0.75 -1.25 0 1.25 -0.75 0.5 -1.5 "
      "-0.25 1 -1 0.25 1.5 -0.5 0.75 -1.25 0 1.25 -0.75 0.5 -1.5 -0.25 1 -1",
      "float32 2,4: 0.234375 0.09375 0.234375 0.09375 0.5625 0.078125 0.5625 0.078125",
      .tolerance = 1e-5 } },
  { "openvino/ir2.xml",
    { "openvino IR 2", "",
      "float32 1,2,4,4: -1.25 -0.5 0.25 1 -1 -0.25 0.5 1.25 -0.75 0 0.75 -1.25 -0.5 0.25 1 -1 "
      "-0.25 0.5 1.25 -0.75 0 0.75 -1.25 -0.5 0.25 1 -1 -0.25 0.5 1.25 -0.75 0",
      "float32 1,3: -2.59375 1.5625 -2.53125", .tolerance = 1e-5 } },
  { "openvino/ir5-sizes.xml",
    { "openvino IR 5", "", "float32 1,3,2,2: 1 3 -2 0.5 0 2 4 6 -1 -0.5 0.25 8",
      "float32 1,3,3,3: 0 1 2 2 3 4 4 5 6 -1 -0.75 -0.5 -0.375 1.6875 3.75 0.25 4.125 8 1 2 3 -0.5 "
      "0.625 1.75 -2 -0.75 0.5",
      .tolerance = 1e-5 } },
  { "openvino/ir6.xml",
    { "openvino IR 6", "",
      "float32 1,2,4,4: -1.25 -0.5 0.25 1 -1 -0.25 0.5 1.25 -0.75 0 0.75 -1.25 -0.5 0.25 1 -1 "
      "-0.25 0.5 1.25 -0.75 0 0.75 -1.25 -0.5 0.25 1 -1 -0.25 0.5 1.25 -0.75 0",
      "float32 1,3: 0.639919725 0.587064552 0.518277041", .tolerance = 1e-5 } },
  { "openvino/net.xml",
    { "openvino", "",
      "float32 1,2,4,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 1 0 "
      "-1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25",
      "float32 1,4: 0.191362143 0.226067618 0.267067373 0.315502822", .tolerance = 1e-5 } },
};

static void
gives_the_numbers (gconstpointer data)
{
  const KernelCase *numbers = &cases[GPOINTER_TO_UINT (data)].numbers;
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "fixtures", cases[GPOINTER_TO_UINT (data)].path, NULL);
  SymDatum *input = kernel_case_read (numbers->operands);
  SymDatum *expected = kernel_case_read (numbers->results);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);
  g_autoptr (GPtrArray) outputs = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
  outputs = sym_model_call (model, &input, 1, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (outputs->len, ==, 1);
  kernel_case_compare (numbers, sym_datum_get_array (outputs->pdata[0]),
                       sym_datum_get_array (expected));
  sym_datum_unref (input);
  sym_datum_unref (expected);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/run/foreign-files/", cases[i].path, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), gives_the_numbers);
    }
  return g_test_run ();
}
