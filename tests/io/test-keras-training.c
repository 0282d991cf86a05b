/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <string.h>

#include "../quick-folder.h"
#include "core/sym-summary.h"
#include "io/sym-io.h"

/* Weights that say whether they are trained, written for Keras, where layers say it. */

static SymModel *
read_text (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_bytes (bytes, "weights", &error);

  g_assert_no_error (error);
  return model;
}

/* Written and read again. */
static SymModel *
pass (SymModel *model, SymProblems *notes)
{
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *path = g_build_filename (folder, "out.json", NULL);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  sym_io_write (sym_io_find_format ("keras"), model, inference, path, notes, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  return read_text (text);
}

static guint64
count_trained (SymModel *model)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);

  return sym_summary_get_totals (summary).trainable;
}

/* Two layers of which none says that it is frozen: 15 weights, of which @first is added to each,
 * and 12, of which the 3 of the bias are frozen as @second says. */
static SymModel *
make_trained (const char *first, const char *second)
{
  g_autofree char *text = g_strdup_printf (
      "{\"format\": \"symscope\", \"version\": 1, \"layers\": {\"a\": {\"type\": \"Dense\", "
      "\"domain\": \"keras\", \"operator\": \"Dense\", \"attributes\": {\"units\": 3}}, "
      "\"b\": {\"type\": \"Dense\", \"domain\": \"keras\", \"operator\": \"Dense\", "
      "\"attributes\": {\"units\": 3}}}, \"models\": {\"main\": {\"dialect\": \"plain\", "
      "\"nodes\": [{\"value\": \"x\", \"role\": \"input\", \"type\": {\"dtype\": \"float32\", "
      "\"shape\": [1, 4]}}, {\"value\": \"a/kernel\", \"role\": \"parameter\"%s}, "
      "{\"value\": \"a/bias\", \"role\": \"parameter\"%s}, "
      "{\"call\": \"a\", \"layer\": \"a\", \"operands\": [\"x\", \"a/kernel\", \"a/bias\"], "
      "\"results\": [\"a\"]}, {\"value\": \"b/kernel\", \"role\": \"parameter\"}, "
      "{\"value\": \"b/bias\", \"role\": \"parameter\"%s}, "
      "{\"call\": \"b\", \"layer\": \"b\", \"operands\": [\"a\", \"b/kernel\", \"b/bias\"], "
      "\"results\": [\"b\"]}], \"inputs\": [\"x\"], \"outputs\": [\"b\"]}}}",
      first, first, second);

  return read_text (text);
}

/* Frozen layers among trained ones say that they are; what Keras cannot say is told by name. */
static void
test_frozen_among_trained (void)
{
  static const char frozen[] = ", \"trainable\": false";
  static const struct {
    const char *first, *second;
    guint64 n_trained;
    const char *told;
  } cases[] = {
    { "", "", 27, NULL },
    { frozen, "", 12, NULL },
    { frozen, frozen, 12,
      "Keras trains layers as a whole or not at all, whatever single weights of them say: “b”" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymModel) model = make_trained (cases[i].first, cases[i].second);
      g_autoptr (SymProblems) notes = sym_problems_new ();
      g_autoptr (SymModel) again = pass (model, notes);

      g_assert_cmpuint (count_trained (again), ==, cases[i].n_trained);
      g_assert_cmpuint (sym_problems_get_n (notes), ==, cases[i].told != NULL);
      if (cases[i].told != NULL)
        g_assert_cmpstr (sym_problems_get (notes, 0)->message, ==, cases[i].told);
    }
}

/* A layer that is made of a MatMul is frozen when its kernel is. */
static void
test_frozen_elsewhere (void)
{
  static const char text[] =
      "{\"format\": \"symscope\", \"version\": 1, \"layers\": {\"m\": {\"type\": \"MatMul\", "
      "\"operator\": \"MatMul\"}}, \"models\": {\"main\": {\"dialect\": \"plain\", \"nodes\": ["
      "{\"value\": \"x\", \"role\": \"input\", \"type\": {\"dtype\": \"float32\", "
      "\"shape\": [1, 4]}}, {\"value\": \"w\", \"role\": \"parameter\", \"trainable\": false, "
      "\"type\": {\"dtype\": \"float32\", \"shape\": [4, 3]}}, "
      "{\"call\": \"y\", \"layer\": \"m\", \"operands\": [\"x\", \"w\"], \"results\": [\"y\"]}], "
      "\"inputs\": [\"x\"], \"outputs\": [\"y\"]}}}";
  g_autoptr (SymModel) model = read_text (text);
  g_autoptr (SymModel) again = pass (model, NULL);

  g_assert_cmpuint (count_trained (model), ==, 0);
  g_assert_cmpuint (count_trained (again), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/keras-training/layers-are-frozen-as-their-weights-are",
                   test_frozen_among_trained);
  g_test_add_func ("/io/keras-training/weights-of-others-stay-frozen", test_frozen_elsewhere);
  return g_test_run ();
}
