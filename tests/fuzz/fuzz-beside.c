/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <string.h>

#include "beside.h"
#include "core/sym-summary.h"
#include "io/sym-io.h"
#include "run/sym-session.h"

/* A graph and its weights (see beside.h), which are found by the rule of its format, and chosen by
 * the user: all numbers of what was read can be read or tell why not, and a small model is run. */

#define MAX_TENSOR_BYTES (1 << 20)
#define MAX_ELEMENTS 4096

/* ---- Weights ---- */

/* Of large ones the last byte. */
static void
read_tensor (SymTensor *tensor)
{
  guint64 n = sym_tensor_get_n_bytes (tensor), part = n > MAX_TENSOR_BYTES ? 1 : n;
  g_autofree guint8 *numbers = g_malloc (part + 1);
  g_autoptr (GError) error = NULL;

  g_assert_true (sym_tensor_read (tensor, n - part, part, numbers, &error) == (error == NULL));
}

static void
read_weights (const SymModel *model)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    {
      SymTensor *tensor = sym_model_get_tensor (model, value);

      if (tensor != NULL && sym_tensor_get_dtype (tensor) != SYM_DTYPE_STRING)
        read_tensor (tensor);
    }
}

/* ---- Running ---- */

/* Loops may take any time, and so may layers of many numbers. */
static gboolean
is_small (const SymModel *model, const SymInference *inference)
{
  guint64 all = 0;

  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    if (sym_layer_get_n_bodies (sym_model_get_layer (model, call)) > 0)
      return FALSE;
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    {
      SymType type = sym_inference_get_type (inference, value);
      guint64 n;

      if (type.kind != SYM_KIND_TENSOR || !sym_shape_get_n_elements (&type.shape, &n) ||
          n > MAX_ELEMENTS || (all += n) > MAX_ELEMENTS)
        return FALSE;
    }
  return sym_problems_get_n (sym_inference_get_problems (inference)) == 0;
}

static gboolean
feed_zeros (SymSession *session, const SymInference *inference, SymId input)
{
  SymType type = sym_inference_get_type (inference, input);
  g_autoptr (SymDatum) datum = NULL;
  const SymArray *array;

  if (sym_dtype_get_bits (type.dtype) == 0)
    return FALSE;
  datum = sym_datum_new (type.dtype, &type.shape, NULL);
  g_assert_nonnull (datum);
  array = sym_datum_get_array (datum);
  memset (array->data, 0, sym_array_get_n_bytes (array));
  return sym_session_feed (session, input, datum, NULL);
}

static void
run_once (SymModel *model, const SymInference *inference)
{
  g_autoptr (SymSession) session = NULL;
  SymIds inputs = sym_model_get_inputs (model);
  g_autoptr (GError) error = NULL;

  if (!is_small (model, inference))
    return;
  session = sym_session_new (model, NULL);
  for (guint i = 0; i < inputs.n; i++)
    if (!feed_zeros (session, inference, inputs.ids[i]))
      return;
  g_assert_true (sym_session_execute (session, NULL, &error) == (error == NULL));
}

/* ---- Reading ---- */

static void
look_at (SymModel *model)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSummary) summary = NULL;
  g_autofree char *table = NULL;

  g_assert_nonnull (inference);
  read_weights (model);
  summary = sym_summary_new (inference);
  table = sym_summary_to_string (summary, SYM_STYLE_KERAS, SYM_FORMAT_TEXT, FALSE);
  g_assert_true (g_utf8_validate (table, -1, NULL));
  run_once (model, inference);
}

static void
read_graph (const char *path, const char *weights)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_with_weights (path, weights, NULL, &error);

  g_assert_true ((model == NULL) == (error != NULL));
  if (model != NULL)
    look_at (model);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (Beside) files = beside_new ((const char *) bytes, size);

  if (files == NULL)
    return 0;
  read_graph (files->beside, NULL);
  if (files->weights != NULL)
    read_graph (files->alone, files->weights);
  return 0;
}
