/* SPDX-License-Identifier: MIT */
#include <gio/gio.h>

#include "net.h"

/* Weights are read when they are packed: once each, with the same numbers, and when they cannot be
 * read the plan says so as it does of all others. */

#define CHANNELS 48
#define SIDE 6

/* Bytes of random floats that count how often the first of them is read, and may fail. */
typedef struct {
  SymBlob blob;
  GBytes *bytes;
  guint *n_reads; /* the test's own */
  gboolean fails;
} Watched;

static gboolean
read_watched (SymBlob *blob, guint64 offset, guint64 size, void *buffer, GError **error)
{
  Watched *self = (Watched *) blob;

  *self->n_reads += offset == 0 ? 1 : 0;
  memcpy (buffer, (const guint8 *) g_bytes_get_data (self->bytes, NULL) + offset, size);
  if (self->fails)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "the disk is gone");
  return !self->fails;
}

static void
free_watched (SymBlob *blob)
{
  g_bytes_unref (((Watched *) blob)->bytes);
  g_free (blob);
}

static const SymBlobClass watched_class = { .read = read_watched, .free = free_watched };

static SymId
add_watched (Net *self, const char *name, SymShape shape, guint *n_reads, gboolean fails)
{
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, shape);
  SymId value = sym_model_builder_add_value (self->builder, name, SYM_ROLE_PARAMETER, &type);
  Watched *watched = g_new0 (Watched, 1);
  g_autoptr (SymBlob) blob = &watched->blob;
  guint64 n;
  float *numbers;

  g_assert_true (sym_shape_get_n_elements (&shape, &n));
  numbers = g_new (float, n);
  for (guint64 i = 0; i < n; i++)
    numbers[i] = (float) g_rand_double_range (self->random, -0.1, 0.1);
  watched->bytes = g_bytes_new_take (numbers, n * sizeof *numbers);
  watched->n_reads = n_reads;
  watched->fails = fails;
  blob->klass = &watched_class;
  g_atomic_ref_count_init (&blob->ref_count);
  blob->size = n * sizeof *numbers;
  sym_model_builder_set_tensor (self->builder, value,
                                sym_tensor_new (SYM_DTYPE_FLOAT32, &shape, blob, 0, NULL));
  return value;
}

static SymId
add_convolution (Net *self, SymId x, SymId weights)
{
  return add (self, "Conv", "{'pads': [1, 1, 1, 1]}", (SymId[]){ x, weights }, 2);
}

static SymId
add_rows (Net *self, SymId x)
{
  return add (self, "Flatten", "{'axis': 1}", &x, 1);
}

/* Convolutions, whose weights have the same size and so the same place one after the other, and
 * products: one as it lies, one turned. */
static void
reads_each_once (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (1, CHANNELS, SIDE, SIDE));
  SymShape kernel = SYM_SHAPE (CHANNELS, CHANNELS, 3, 3);
  guint n_reads[4] = { 0 };
  SymId x = net.input, weights;

  for (guint i = 0; i < 2; i++)
    x = add_convolution (&net, x, add_watched (&net, NULL, kernel, &n_reads[i], FALSE));
  weights = add_watched (&net, NULL, SYM_SHAPE (CHANNELS * SIDE * SIDE, 100), &n_reads[2], FALSE);
  x = add_binary (&net, "MatMul", add_rows (&net, x), weights);
  weights = add_watched (&net, NULL, SYM_SHAPE (300, 100), &n_reads[3], FALSE);
  x = add (&net, "Gemm", "{'transB': 1}", (SymId[]){ x, weights }, 2);
  finish (&net, x);
  for (guint n_threads = 1; n_threads <= 3; n_threads++)
    {
      g_autoptr (SymPlan) plan = NULL;

      memset (n_reads, 0, sizeof n_reads);
      plan = new_plan (net.model, n_threads);
      for (guint i = 0; i < G_N_ELEMENTS (n_reads); i++)
        g_assert_cmpuint (n_reads[i], ==, 1);
    }
  assert_same (&net, 1, 5);
}

/* Weights of two calls, that are an output, or that are the other operand of a product of two
 * constants, which is computed while planning, stay. */
static void
reads_what_others_need (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (1, CHANNELS, SIDE, SIDE));
  SymShape kernel = SYM_SHAPE (CHANNELS, CHANNELS, 3, 3), square = SYM_SHAPE (200, 200);
  SymId rows, shown, both, constant, product;
  guint n_reads = 0;

  both = add_watched (&net, NULL, kernel, &n_reads, FALSE);
  shown = add_watched (&net, NULL, SYM_SHAPE (CHANNELS * SIDE * SIDE, 200), &n_reads, FALSE);
  constant = add_watched (&net, NULL, square, &n_reads, FALSE);
  product = add_binary (&net, "MatMul", add_numbers (&net, square, -1, 1), constant);
  rows = add_rows (&net, add_convolution (&net, add_convolution (&net, net.input, both), both));
  rows = add_binary (&net, "MatMul", add_binary (&net, "MatMul", rows, shown), product);
  sym_model_builder_add_output (net.builder, shown);
  finish (&net, rows);
  assert_same_in_threads (&net, 1, 1, 5);
  assert_same_in_threads (&net, 2, 1, 5);
}

/* What else there is runs, and what is missing is told as without compiling. */
static void
tells_what_cannot_be_read (void)
{
  for (guint n_threads = 0; n_threads <= 2; n_threads++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (2, 200));
      SymShape square = SYM_SHAPE (200, 200);
      guint n_reads = 0;
      SymId good = add_watched (&net, "good", square, &n_reads, FALSE);
      SymId gone = add_watched (&net, "gone", square, &n_reads, TRUE);
      SymId fine = add_binary (&net, "MatMul", net.input, good);
      g_autoptr (SymPlan) plan = NULL;
      g_autoptr (SymRun) run = NULL;
      g_autoptr (SymDatum) datum = NULL;
      g_autoptr (GError) error = NULL;

      sym_model_builder_add_output (net.builder, fine);
      finish (&net, add_binary (&net, "MatMul", net.input, gone));
      datum = new_input (&net);
      plan = new_plan (net.model, n_threads);
      run = sym_run_new (plan);
      g_assert_true (sym_run_feed (run, net.input, datum, NULL));
      g_assert_false (sym_run_execute (run, NULL, &error));
      g_assert_nonnull (
          strstr (error->message, "the numbers of “gone” cannot be read: the disk is gone"));
      g_assert_nonnull (sym_run_get (run, fine));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/run/late/reads-each-once", reads_each_once);
  g_test_add_func ("/run/late/reads-what-others-need", reads_what_others_need);
  g_test_add_func ("/run/late/tells-what-cannot-be-read", tells_what_cannot_be_read);

  return g_test_run ();
}
