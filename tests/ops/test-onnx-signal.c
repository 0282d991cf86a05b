/* SPDX-License-Identifier: MIT */
#include "kernel-case.h"
#include "rule-case.h"

/* Spectra, and what they are made with. */

static const KernelCase fourier_cases[] = {
  { "DFT", "", "float32 4,1: 1 0 0 0", "float32 4,2: 1 0 1 0 1 0 1 0" },
  { "DFT", "", "float64 4,2: 0 1 0 0 0 -1 0 0", "float64 4,2: 0 0 0 2 0 0 0 2" },
  { "DFT", "inverse=1", "float32 2,2: 3 0 -1 0", "float32 2,2: 1 0 2 0" },
  { "DFT", "onesided=1", "float32 1,4,1: 1 2 3 4", "float32 1,3,2: 10 0 -2 2 -2 0",
    .tolerance = 1e-6 },
  { "DFT", "onesided=1; inverse=1", "float32 3,2: 10 0 -2 2 -2 0", "float32 4,1: 1 2 3 4",
    .tolerance = 1e-6 },
  /* Cut, and with zeros behind. */
  { "DFT", "", "float32 3,1: 1 2 9; int64 : 2", "float32 2,2: 3 0 -1 0" },
  { "DFT", "", "float32 1,1: 1; int64 : 3", "float32 3,2: 1 0 1 0 1 0" },
  { "DFT", "", "float32 2,2,1: 1 2 3 4; -; int64 : 0", "float32 2,2,2: 4 0 6 0 -2 0 -2 0" },
  { "DFT-17", "axis=0", "float32 2,2,1: 1 2 3 4", "float32 2,2,2: 4 0 6 0 -2 0 -2 0" },
  { "DFT-17", "", "float16 2,2,1: 1 2 3 4", "float16 2,2,2: 3 0 -1 0 7 0 -1 0" },
  { "DFT", "", "float32 0,2,1:", "float32 0,2,2:" },
  { "DFT", "", "float32 4: 1 2 3 4", .error = "the last axis of [4] must have 1 or 2 parts" },
  { "DFT", "", "float32 1,3: 1 2 3", .error = "the last axis of [1,3] must have 1 or 2 parts" },
  { "DFT", "", "float32 2,1: 1 2; -; int64 : 1", .error = "the last axis has the parts" },
  { "DFT", "", "float32 2,1: 1 2; -; int64 : 5", .error = "axis 5 is out of range" },
  { "DFT", "", "float32 2,1: 1 2; int64 : 0", .error = "0 numbers cannot be transformed" },
  { "DFT", "onesided=1", "float32 2,2: 1 2 3 4", .error = "no one-sided spectrum" },
  { "DFT", "", "int32 2,1: 1 2", .error = "no kernel for int32" },
  { "STFT", "", "float32 1,4,1: 1 2 3 4; int64 : 2; -; int64 : 2",
    "float32 1,2,2,2: 3 0 -1 0 7 0 -1 0" },
  { "STFT", "onesided=0", "float32 1,3,1: 1 2 3; int64 : 1; float32 2: 1 10",
    "float32 1,2,2,2: 21 0 -19 0 32 0 -28 0" },
  { "STFT", "", "float64 1,3: 1 2 3; int64 : 5; float64 1: 2; int64 : 2",
    "float64 1,1,2,2: 2 0 2 0" },
  { "STFT", "onesided=0", "float32 1,2,2: 1 2 3 4; int32 1: 1", "float32 1,1,2,2: 4 6 -2 -2" },
  { "STFT", "", "float32 1,2,2: 1 2 3 4; int64 : 1", .error = "onesided must be 0" },
  { "STFT", "", "float32 1,2,1: 1 2; int64 : 0", .error = "no frames of 2 numbers, 0 apart, in 2" },
  { "STFT", "", "float32 1,2,1: 1 2; int64 : 1; -; int64 : 3", .error = "no frames of 3 numbers" },
  { NULL },
};

static const KernelCase signal_cases[] = {
  { "HannWindow", "", "int32 : 4", "float32 4: 0 0.5 1 0.5", .tolerance = 1e-6 },
  { "HannWindow", "periodic=0; output_datatype=11", "int64 : 3", "float64 3: 0 1 0" },
  { "HannWindow", "periodic=0", "int64 : 1", "float32 1: 1" },
  { "HannWindow", "", "int64 : 0", "float32 0:" },
  { "HannWindow", "output_datatype=7", "int64 1: 2", "int64 2: 0 1" },
  { "HammingWindow", "output_datatype=11", "int64 : 2", "float64 2: 0.08695652173913043 1",
    .tolerance = 1e-14 },
  { "BlackmanWindow", "output_datatype=11", "int64 : 4", "float64 4: 0 0.34 1 0.34",
    .tolerance = 1e-12 },
  { "HannWindow", "", "int64 : -1", .error = "operand 0 must be at least 0, not -1" },
  { "HannWindow", "output_datatype=8", "int64 : 1", .error = "no kernel for string" },
  { "HannWindow", "", "int64 2: 1 2", .error = "operand 0 must be one number" },
  { "MelWeightMatrix", "", "int64 : 2; int64 : 8; int64 : 8000; float32 : 0; float32 : 4000",
    "float32 5,2: 1 0 0 1 0 0 0 0 0 0" },
  { "MelWeightMatrix", "output_datatype=11",
    "int64 : 2; int64 : 32; int64 : 8000; float32 : 0; float32 : 4000",
    "float64 17,2: 0 0 1 0 0.6666666666666666 0.3333333333333333 0.3333333333333333 "
    "0.6666666666666666 0 1 0 0.8 0 0.6 0 0.4 0 0.2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0" },
  { "MelWeightMatrix", "", "int64 : 2; int64 : 8; int64 : 8000; float32 : 0; float32 : 40000",
    .error = "does not reach to 40000 Hz" },
  { "MelWeightMatrix", "", "int64 : 2; int64 : 8; int64 : 8000; float32 : 10; float32 : 4",
    .error = "from 10 to 4 Hz" },
  { "MelWeightMatrix", "", "int64 : 2; int64 : 8; int64 : 0; float32 : 10; float32 : 4",
    .error = "operand 2 must be at least 1" },
  { NULL },
};

static const RuleCase rules[] = {
  { "DFT", "", "2,5,1:float32 - -", NULL, "2,5,2:float32", .domain = "" },
  { "DFT", "onesided=1", "2,5,1:float32 - -", NULL, "2,3,2:float32", .domain = "" },
  { "DFT", "onesided=1; inverse=1", "2,5,2:float64 - -", NULL, "2,8,1:float64", .domain = "" },
  { "DFT", "", "2,5,1:float32 - ()", NULL, "2,5,2:float32", .domain = "" },
  { "DFT", "onesided=1", "2,5,1:float32 - ()", NULL, "?,?,2:float32", .domain = "" },
  { "DFT", "", "2,5,1:float32 () ()", NULL, "?,?,2:float32", .domain = "" },
  { "STFT", "", "2,9,1:float32 () 4 -", NULL, "2,?,3,2:float32", .domain = "" },
  { "STFT", "", "2:float32 () - -", NULL, .error = "the signal must have 3 axes, not 1",
    .domain = "" },
  { "HannWindow", "output_datatype=float64", "()", NULL, "?:float64", .domain = "" },
  { "MelWeightMatrix", "", "() () () () ()", NULL, "?,?:float32", .domain = "" },
  { NULL },
};

static void
shapes_follow (gconstpointer data)
{
  rule_case_run (data);
}

/* Numbers that look like noise, the same every time. */
static double
make_noise (gsize i)
{
  return (double) ((i * 2654435761u + 12345) % 1000003) / 1000003 - 0.5;
}

static SymDatum *
transform (SymDatum *input, const char *attributes)
{
  g_autoptr (SymLayer) layer =
      kernel_case_new_layer (&(KernelCase){ .op = "DFT", .attributes = attributes });
  g_autoptr (SymKernel) kernel = sym_kernel_new (layer, NULL);
  g_autoptr (GError) error = NULL;
  SymDatum *result = NULL;

  sym_kernel_run (kernel, &input, 1, &result, 1, NULL, &error);
  g_assert_no_error (error);
  return result;
}

static SymDatum *
new_signal (gint64 n)
{
  SymDatum *signal = sym_datum_new (SYM_DTYPE_FLOAT64, &SYM_SHAPE (n, 2), NULL);
  double *numbers = sym_datum_get_array (signal)->data;

  for (gsize i = 0; i < 2 * (gsize) n; i++)
    numbers[i] = make_noise (i);
  return signal;
}

/* The sum by definition, of each number. */
static void
assert_spectrum (const double *x, const double *y, gsize n)
{
  for (gsize k = 0; k < n; k++)
    {
      double re = 0, im = 0;

      for (gsize i = 0; i < n; i++)
        {
          double angle = -2 * G_PI * (double) (i * k % n) / (double) n;

          re += x[2 * i] * cos (angle) - x[2 * i + 1] * sin (angle);
          im += x[2 * i] * sin (angle) + x[2 * i + 1] * cos (angle);
        }
      g_assert_cmpfloat_with_epsilon (y[2 * k], re, 1e-12 * (double) n);
      g_assert_cmpfloat_with_epsilon (y[2 * k + 1], im, 1e-12 * (double) n);
    }
}

static void
spectra_of_every_length_are_the_sums (void)
{
  static const gint64 more[] = { 74, 97, 101, 127, 128, 210, 243, 256, 509, 625, 961, 1009 };

  for (gint64 i = 1; i < 64 + (gint64) G_N_ELEMENTS (more); i++)
    {
      gint64 n = i < 64 ? i : more[i - 64];
      SymDatum *signal = new_signal (n), *spectrum = transform (signal, ""), *back;
      const double *x = sym_datum_get_array (signal)->data;

      assert_spectrum (x, sym_datum_get_array (spectrum)->data, (gsize) n);
      back = transform (spectrum, "inverse=1");
      for (gsize k = 0; k < 2 * (gsize) n; k++)
        g_assert_cmpfloat_with_epsilon (x[k], ((double *) sym_datum_get_array (back)->data)[k],
                                        1e-13);
      sym_datum_unref (signal);
      sym_datum_unref (spectrum);
      sym_datum_unref (back);
    }
}

/* A prime and a number with a large factor: sums by definition would take minutes. */
static void
long_signals_come_back (void)
{
  static const gint64 lengths[] = { 1000003, 2 * 500009, 1 << 20 };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      SymDatum *signal = new_signal (lengths[i]), *spectrum = transform (signal, "");
      SymDatum *back = transform (spectrum, "inverse=1");
      const double *x = sym_datum_get_array (signal)->data;
      const double *y = sym_datum_get_array (back)->data;

      for (gsize k = 0; k < 2 * (gsize) lengths[i]; k++)
        g_assert_cmpfloat_with_epsilon (x[k], y[k], 1e-11);
      sym_datum_unref (signal);
      sym_datum_unref (spectrum);
      sym_datum_unref (back);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  kernel_case_add_all ("fourier", fourier_cases);
  kernel_case_add_all ("signal", signal_cases);
  for (guint i = 0; rules[i].op != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/ops/onnx-signal/%02u-%s", i, rules[i].op);

      g_test_add_data_func (path, &rules[i], shapes_follow);
    }
  g_test_add_func ("/ops/onnx-signal/spectra-of-every-length-are-the-sums",
                   spectra_of_every_length_are_the_sums);
  g_test_add_func ("/ops/onnx-signal/long-signals-come-back", long_signals_come_back);
  return g_test_run ();
}
