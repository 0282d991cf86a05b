/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-plan-private.h"

/* Calls that are computed at once: what exporters put between numbers and their use, and between
 * shapes that are known and theirs. */

/* Of these all results are known when the operands are, and are the same each time. */
static const char foldable[] =
    " Abs Add AffineGrid And ArgMax ArgMin Cast CastLike Ceil Clip Concat Constant"
    " ConstantOfShape Cos CumSum DepthToSpace DequantizeLinear Div Elu Equal Erf Exp Expand"
    " EyeLike Flatten Floor Gather GatherElements GatherND Gemm GlobalAveragePool Greater"
    " GreaterOrEqual HardSigmoid HardSwish Identity IsInf IsNaN LeakyRelu Less LessOrEqual"
    " Log LogSoftmax MatMul Max Mean Min Mod Mul Neg Not OneHot Or Pad Pow QuantizeLinear"
    " Range Reciprocal ReduceL1 ReduceL2 ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum"
    " ReduceSumSquare Relu Reshape Resize Round ScatterElements ScatterND Sigmoid Sign Sin"
    " Size Slice Softmax Softplus SpaceToDepth Split Sqrt Squeeze Sub Sum Tan Tanh Tile"
    " Transpose Trilu Unsqueeze Upsample Where Xor ";

/* Results may be as large as this, or as some times what they are made of.  The product of the
 * bytes of two matrices may be as large as that, as their own product takes long. */
#define MOST_BYTES 1000000
#define MOST_TIMES 4
#define MOST_MATRIX_BYTES 2e11

static gboolean
is_foldable (const SymOperator *op)
{
  g_autofree char *word = g_strconcat (" ", op->name, " ", NULL);

  return strstr (foldable, word) != NULL;
}

static guint64
get_n_bytes (const SymDatum *datum)
{
  const SymArray *array = datum == NULL ? NULL : sym_datum_get_array (datum);

  return array == NULL ? 0 : sym_array_get_n_bytes (array);
}

static gboolean
is_short (const SymPlan *plan, const SymPlanStep *step)
{
  const char *name = sym_layer_get_operator (step->layer)->name;
  double n_bytes = 1;

  if (strcmp (name, "MatMul") != 0 && strcmp (name, "Gemm") != 0)
    return TRUE;
  for (guint i = 0; i < MIN (step->operands.n, 2); i++)
    if (step->operands.ids[i] != SYM_NO_ID)
      n_bytes *= (double) get_n_bytes (plan->constants[step->operands.ids[i]]);
  return n_bytes <= MOST_MATRIX_BYTES;
}

/* A list of numbers is no reason to make a table of any size. */
static gboolean
is_small (const SymPlan *plan, const SymInference *inference, const SymPlanStep *step)
{
  guint64 known = 0, needed = 0;

  for (guint i = 0; i < step->operands.n; i++)
    if (step->operands.ids[i] != SYM_NO_ID)
      known += get_n_bytes (plan->constants[step->operands.ids[i]]);
  for (guint i = 0; i < step->results.n; i++)
    {
      SymType type = sym_inference_get_type (inference, step->results.ids[i]);
      guint64 n, n_bytes;

      if (type.kind != SYM_KIND_TENSOR || type.shape.rank < 0 ||
          !sym_shape_get_n_elements (&type.shape, &n) ||
          !sym_dtype_get_size (type.dtype, n, &n_bytes) || n_bytes > G_MAXINT64 - needed)
        return FALSE;
      needed += n_bytes;
    }
  return is_short (plan, step) && needed <= MAX (known * MOST_TIMES, MOST_BYTES);
}

static gboolean
can_fold (SymPlan *plan, const SymInference *inference, const SymPlanStep *step)
{
  const SymOperator *op = sym_layer_get_operator (step->layer);

  if (op == NULL || op->run == NULL || *op->domain != '\0' || step->n_bodies > 0 ||
      !is_foldable (op))
    return FALSE;
  if (step->operands.n > 1 && step->operands.ids[0] != SYM_NO_ID &&
      plan->constants[step->operands.ids[0]] != NULL && step->operands.ids[1] != SYM_NO_ID)
    sym_plan_late_settle (plan, step->operands.ids[1], NULL);
  for (guint i = 0; i < step->operands.n; i++)
    if (step->operands.ids[i] != SYM_NO_ID && plan->constants[step->operands.ids[i]] == NULL)
      return FALSE;
  return is_small (plan, inference, step);
}

/* The datum is taken over. */
static void
keep_constant (SymPlan *plan, SymId value, SymDatum *datum)
{
  plan->constants[value] = datum;
  plan->fixed[value] = TRUE;
  plan->makers[value] = SYM_PLAN_FOREVER;
  plan->n_weight_bytes += get_n_bytes (datum);
  if (plan->watched[value])
    g_array_append_val (plan->folded, value);
}

/* FALSE when the kernel fails: the call then stays, and its run will say why. */
static gboolean
fold (SymPlan *plan, const SymPlanStep *step)
{
  g_autoptr (SymKernel) kernel = sym_kernel_new (step->layer, NULL);
  g_autofree SymDatum **inputs = g_new0 (SymDatum *, step->operands.n + 1);
  g_autofree SymDatum **outputs = g_new0 (SymDatum *, step->results.n + 1);
  gboolean done;

  for (guint i = 0; i < step->operands.n; i++)
    if (step->operands.ids[i] != SYM_NO_ID)
      inputs[i] = plan->constants[step->operands.ids[i]];
  done = sym_kernel_run (kernel, inputs, step->operands.n, outputs, step->results.n, NULL, NULL);
  for (guint i = 0; i < step->results.n; i++)
    {
      SymDatum *kept = done && outputs[i] != NULL ? sym_datum_keep (outputs[i], NULL) : NULL;

      done = done && kept != NULL;
      g_clear_pointer (&outputs[i], sym_datum_unref);
      outputs[i] = kept;
    }
  for (guint i = 0; i < step->results.n; i++)
    if (done)
      keep_constant (plan, step->results.ids[i], outputs[i]);
    else
      g_clear_pointer (&outputs[i], sym_datum_unref);
  for (guint i = 0; done && i < step->operands.n; i++)
    if (step->operands.ids[i] != SYM_NO_ID)
      plan->fixed[step->operands.ids[i]] = TRUE;
  return done;
}

/* ---- Shapes ---- */

static gint64
get_bound (const SymLayer *layer, const char *name, int rank, gint64 fallback)
{
  const SymValue *value = sym_attributes_find (sym_layer_get_attributes (layer), name);

  if (value == NULL || !sym_value_get_int (value, &fallback))
    return fallback;
  return CLAMP (fallback < 0 ? fallback + rank : fallback, 0, rank);
}

/* The shape of a value whose sizes are all known needs no run; but then the plan is for these sizes
 * only. */
static gboolean
fold_shape (SymPlan *plan, SymInference *inference, const SymPlanStep *step)
{
  const SymOperator *op = sym_layer_get_operator (step->layer);
  SymDatum *datum;
  gint64 begin, end;
  SymType type;

  if (op == NULL || *op->domain != '\0' || strcmp (op->name, "Shape") != 0 ||
      step->operands.n != 1 || step->results.n != 1 || step->operands.ids[0] == SYM_NO_ID)
    return FALSE;
  type = sym_inference_get_type (inference, step->operands.ids[0]);
  if (type.kind != SYM_KIND_TENSOR || type.shape.rank < 0 || !sym_shape_is_known (&type.shape))
    return FALSE;
  begin = get_bound (step->layer, "start", type.shape.rank, 0);
  end = MAX (get_bound (step->layer, "end", type.shape.rank, type.shape.rank), begin);
  datum = sym_datum_new (SYM_DTYPE_INT64, &SYM_SHAPE (end - begin), NULL);
  if (datum == NULL)
    return FALSE;
  memcpy (sym_datum_get_array (datum)->data, type.shape.dims + begin,
          (gsize) (end - begin) * sizeof (gint64));
  keep_constant (plan, step->results.ids[0], datum);
  if (plan->types == NULL)
    plan->types = sym_inference_ref (inference);
  return TRUE;
}

gboolean
sym_plan_fold_step (SymPlan *plan, SymInference *inference, const SymPlanStep *step)
{
  return fold_shape (plan, inference, step) ||
         (can_fold (plan, inference, step) && fold (plan, step));
}
