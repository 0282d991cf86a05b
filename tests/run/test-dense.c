/* SPDX-License-Identifier: MIT */
#include "run/sym-dense-private.h"
#include "text-net.h"

/* Products of constant matrices with as many rows as there turn out to be. */

#define HEAD "<ir_version: 10, opset_import: [\"\" : 18]>\n"

/* As many of the rows of x as there are numbers above 0 in c. */
#define CHOOSE                                                                              \
  "  zero = Constant <value_float = 0.0> () above = Greater (c, zero) at = NonZero (above)" \
  "  axes = Constant <value_ints = [0]> () i = Squeeze (at, axes) r = Gather (x, i)"

typedef struct {
  const char *name, *text;
} DenseCase;

static const DenseCase cases[] = {
  { "some-rows", HEAD "m (float[5] c, float[5, 3] x) => (float[n, 2] y)"
                      "  <float[3, 2] w = {1, 2, 3, 4, 5, 6}> {" CHOOSE " y = MatMul (r, w) }" },
  { "no-rows",
    HEAD "m (float[5] p, float[5, 3] x) => (float[n, 2] y)"
         "  <float[3, 2] w = {1, 2, 3, 4, 5, 6}> { c = Neg (p)" CHOOSE " y = MatMul (r, w) }" },
  { "rows-of-rows", HEAD "m (float[5] c, float[5, 4, 3] x) => (float[n, 4, 2] y)"
                         "  <float[3, 2] w = {1, 2, 3, 4, 5, 6}> {" CHOOSE " y = MatMul (r, w) }" },
  { "turned-and-with-a-bias",
    HEAD "m (float[5] c, float[5, 3] x) => (float[n, 2] y)"
         "  <float[2, 3] w = {1, 2, 3, 4, 5, 6}, float[2] b = {10, 20}> {" CHOOSE
         " y = Gemm <transB = 1, alpha = 0.5, beta = 2.0> (r, w, b) }" },
  { "one-number-for-all",
    HEAD "m (float[5] c, float[5, 3] x) => (float[n, 2] y)"
         "  <float[3, 2] w = {1, 2, 3, 4, 5, 6}, float b = {7}> {" CHOOSE " y = Gemm (r, w, b) }" },
};

static guint
count_dense (const SymRun *run)
{
  const SymPlan *plan = sym_run_get_plan (run);
  guint n = 0;

  for (guint i = 0; i < plan->n_steps; i++)
    if (plan->steps[i].dense != NULL)
      n++;
  return n;
}

static void
multiplies (gconstpointer data)
{
  const DenseCase *self = data;
  g_autoptr (SymModel) model = text_net_read (self->name, self->text);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymRun) plain = text_net_run (model, NULL);
  SymId output = sym_model_get_outputs (model).ids[0];

  for (guint n_threads = 1; n_threads <= 2; n_threads++)
    {
      SymPlanOptions options = { .inference = inference, .n_threads = n_threads };
      g_autoptr (SymRun) run = text_net_run (model, &options);

      g_assert_cmpuint (count_dense (run), ==, 1);
      text_net_compare (sym_datum_get_array (sym_run_get (run, output)),
                        sym_datum_get_array (sym_run_get (plain, output)), 1e-6);
    }
}

/* So many that they are multiplied in several pieces. */
static void
multiplies_many_rows (void)
{
  g_autoptr (SymModel) model = text_net_read (
      "many", HEAD "m (float[2000] c, float[2000, 64] x) => (float[n, 300] y) {" CHOOSE
                   "  s = Constant <value_ints = [64, 300]> ()"
                   "  f = ConstantOfShape <value = float {0.01}> (s)"
                   "  g = CumSum (f, axes) y = MatMul (r, g) }");
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  SymPlanOptions options = { .inference = inference, .n_threads = 2 };
  g_autoptr (SymRun) plain = text_net_run (model, NULL), run = text_net_run (model, &options);
  SymId output = sym_model_get_outputs (model).ids[0];

  g_assert_cmpuint (count_dense (run), ==, 1);
  text_net_compare (sym_datum_get_array (sym_run_get (run, output)),
                    sym_datum_get_array (sym_run_get (plain, output)), 1e-6);
}

/* Rows of another length, and what is no float. */
static void
refuses_other_rows (void)
{
  const struct {
    SymDType dtype;
    SymShape shape;
  } wrong[] = {
    { SYM_DTYPE_FLOAT32, SYM_SHAPE (2, 4) },
    { SYM_DTYPE_FLOAT32, SYM_SHAPE () },
    { SYM_DTYPE_INT32, SYM_SHAPE (2, 3) },
  };
  g_autoptr (SymModel) model = text_net_read (cases[0].name, cases[0].text);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  SymPlanOptions options = { .inference = inference };
  g_autoptr (SymPlan) plan = sym_plan_new (model, &options, NULL, NULL);
  const SymDense *dense = plan->steps[plan->n_steps - 1].dense;

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (SymDatum) x =
          sym_run_fill (SYM_RUN_FILL_ONES, wrong[i].dtype, &wrong[i].shape, 1, &error);
      SymDatum *y = NULL;

      g_assert_no_error (error);
      g_assert_false (sym_dense_run (dense, x, &y, NULL, NULL, NULL, &error));
      g_assert_nonnull (strstr (error->message, "must be 3 numbers of float32"));
      g_assert_null (y);
    }
}

/* A run that was cancelled ends with that. */
static void
ends_when_cancelled (void)
{
  g_autoptr (SymModel) model = text_net_read (cases[0].name, cases[0].text);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  SymPlanOptions options = { .inference = inference };
  g_autoptr (SymPlan) plan = sym_plan_new (model, &options, NULL, NULL);
  g_autoptr (SymDatum) x =
      sym_run_fill (SYM_RUN_FILL_ONES, SYM_DTYPE_FLOAT32, &SYM_SHAPE (2, 3), 1, NULL);
  g_autoptr (SymDatum) y = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (
      sym_dense_run (plan->steps[plan->n_steps - 1].dense, x, &y, NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/run/dense/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], multiplies);
    }
  g_test_add_func ("/run/dense/multiplies-many-rows", multiplies_many_rows);
  g_test_add_func ("/run/dense/refuses-other-rows", refuses_other_rows);
  g_test_add_func ("/run/dense/ends-when-cancelled", ends_when_cancelled);
  return g_test_run ();
}
