/* SPDX-License-Identifier: MIT */
#include "core/sym-summary-private.h"

#include "core/sym-model-private.h"

#include <math.h>
#include <string.h>

/* What torchinfo tells below its table when it knows the sizes of the inputs.  Its multiply-adds
 * are not those of ops/sym-op-cost.h: each parameter counts, a bias too, once for each image and,
 * of a convolution, for each place; what has no parameters counts nothing.  Outputs of layers with
 * parameters count twice, for their gradients. */

#define MAX_LEVELS 32

typedef struct {
  guint64 n_multiply_adds, n_bytes;
  gboolean known;
} Foot;

static void
add (Foot *self, guint64 *sum, guint64 n)
{
  self->known &= g_uint64_checked_add (sum, *sum, n);
}

static gboolean
multiply (guint64 *n, const SymShape *shape, int from, int to)
{
  for (int i = from; i < to; i++)
    if (shape->dims[i] < 0 || !g_uint64_checked_mul (n, *n, (guint64) shape->dims[i]))
      return FALSE;
  return TRUE;
}

/* How often each parameter counts. */
static gboolean
count_uses (const char *type, const SymShape *shape, guint64 *n)
{
  static const char *const recurrent[] = { "RNN", "LSTM", "GRU", NULL };
  g_autofree char *name = g_ascii_strdown (type, -1);

  *n = 1;
  if (shape->rank < 1)
    return shape->rank == 0;
  if (g_strv_contains (recurrent, type))
    return multiply (n, shape, 0, MIN (shape->rank, 2));
  return multiply (n, shape, 0, 1) &&
         (strstr (name, "conv") == NULL || multiply (n, shape, 2, shape->rank));
}

/* Of several outputs, or a tuple of them, the first. */
static void
count_call (Foot *self, const SymInference *inference, SymId call, guint64 n_parameters)
{
  const SymModel *model = sym_inference_get_model (inference);
  SymId result = sym_model_get_first_result (model, call);
  SymType type =
      result == SYM_NO_ID ? SYM_TYPE_UNKNOWN : sym_inference_get_type (inference, result);
  guint64 n_uses, n_elements, n_bytes;

  while (type.kind == SYM_KIND_TUPLE && type.n_elements > 0)
    type = type.elements[0];
  if (type.kind != SYM_KIND_TENSOR || !sym_shape_get_n_elements (&type.shape, &n_elements) ||
      !sym_dtype_get_size (sym_summary_get_dtype (model, type.dtype), n_elements, &n_bytes) ||
      n_bytes > G_MAXUINT64 / 2 ||
      !count_uses (sym_layer_get_type (sym_model_get_layer (model, call)), &type.shape, &n_uses) ||
      !g_uint64_checked_mul (&n_uses, n_uses, n_parameters))
    {
      self->known = FALSE;
      return;
    }
  add (self, &self->n_multiply_adds, n_uses);
  add (self, &self->n_bytes, 2 * n_bytes);
}

static void
count_model (Foot *self, const SymInference *inference, guint level)
{
  const SymModel *model = sym_inference_get_model (inference);
  SymIds calls = sym_model_get_execution_order (model);

  for (guint i = 0; i < calls.n && self->known; i++)
    {
      SymIds operands = sym_model_get_operands (model, calls.ids[i]);
      g_autoptr (SymCounter) counter = NULL;
      SymTotals totals;

      if (sym_model_has_bodies (model, calls.ids[i]))
        {
          const SymInference *body = sym_inference_get_body (inference, calls.ids[i], 0);

          self->known &= body != NULL && level < MAX_LEVELS;
          if (self->known)
            count_model (self, body, level + 1);
          continue;
        }
      self->known &= !sym_model_hides_parameters (model, calls.ids[i]);
      if (operands.n == sym_model_get_data_operands (model, calls.ids[i]).n)
        continue;
      counter = sym_counter_new ();
      for (guint k = 0; k < operands.n; k++)
        sym_counter_add_value (counter, model, inference, operands.ids[k]);
      totals = sym_counter_get_totals (counter);
      self->known &= totals.known;
      if (totals.total > 0)
        count_call (self, inference, calls.ids[i], totals.total);
    }
}

static gboolean
count_inputs (const SymInference *inference, guint64 *n)
{
  const SymModel *model = sym_inference_get_model (inference);
  SymIds inputs = sym_model_get_inputs (model);

  *n = 0;
  for (guint i = 0; i < inputs.n; i++)
    {
      SymType type = sym_inference_get_type (inference, inputs.ids[i]);
      guint64 n_elements, n_bytes;

      if (type.kind != SYM_KIND_TENSOR || !sym_shape_get_n_elements (&type.shape, &n_elements) ||
          !sym_dtype_get_size (sym_summary_get_dtype (model, type.dtype), n_elements, &n_bytes) ||
          !g_uint64_checked_add (n, *n, n_bytes))
        return FALSE;
    }
  return inputs.n > 0;
}

/* ---- Text ---- */

/* " (G): 4.09", ": 576": in the unit that leaves a number before the point. */
static void
append_readable (GString *out, guint64 n)
{
  static const char *const units[] = { "", " (K)", " (M)", " (G)", " (T)" };
  double value = (double) n;
  char digits[32];
  guint unit = 0;

  for (; unit + 1 < G_N_ELEMENTS (units) && value >= 1000; unit++)
    value /= 1000;
  g_ascii_formatd (digits, sizeof digits, trunc (value) == value ? "%.0f" : "%.2f", value);
  g_string_append_printf (out, "Total mult-adds%s: %s\n", units[unit], digits);
}

static void
append_megabytes (GString *out, const char *what, double n_bytes)
{
  char digits[32];

  g_ascii_formatd (digits, sizeof digits, "%.2f", n_bytes / 1e6);
  g_string_append_printf (out, "%s (MB): %s\n", what, digits);
}

void
sym_summary_append_torchinfo_foot (const SymSummary *self, guint width, GString *out)
{
  const SymInference *inference = sym_summary_get_inference (self);
  SymTotals totals = sym_summary_get_totals (self);
  Foot foot = { .known = TRUE };
  guint64 n_input;

  if (!count_inputs (inference, &n_input) || !totals.bytes_known)
    return;
  count_model (&foot, inference, 0);
  if (!foot.known)
    return;
  append_readable (out, foot.n_multiply_adds);
  sym_summary_append_rule (out, '=', width);
  append_megabytes (out, "Input size", (double) n_input);
  append_megabytes (out, "Forward/backward pass size", (double) foot.n_bytes);
  append_megabytes (out, "Params size", (double) totals.bytes);
  append_megabytes (out, "Estimated Total Size",
                    (double) n_input + (double) foot.n_bytes + (double) totals.bytes);
}
