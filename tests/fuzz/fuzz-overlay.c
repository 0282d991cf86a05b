/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <math.h>

#include "io/sym-io.h"
#include "io/sym-overlay.h"

#define GRAPH                                    \
  "<ir_version: 8, opset_import: [\"\" : 13]>\n" \
  "g (float[2] x) => (float[2] z) {\n"           \
  "  [a] t = Relu (x)\n  [b] u = Tanh (t)\n  [c] z = Abs (u)\n}\n"

/* A scale ascends, and each node of its graph is on it. */
static void
check_scale (const SymOverlay *overlay, SymId call, const SymOverlayScale *scale)
{
  double number;

  g_assert_cmpuint (scale->n_stops, >, 0);
  for (guint i = 0; i < scale->n_stops; i++)
    {
      g_assert_true (isfinite (scale->stops[i].number));
      g_assert_true (i == 0 || scale->stops[i - 1].number <= scale->stops[i].number);
    }
  if (sym_overlay_get_number (overlay, call, &number))
    g_assert_true (scale->lowest <= number && number <= scale->highest);
}

static void
check_colors (const SymOverlay *overlay, SymId call)
{
  const SymOverlayColors *colors = sym_overlay_get_colors (overlay);
  SymOverlayScale scale;

  if (colors == NULL)
    return;
  sym_overlay_colors_get_fill (colors, call);
  sym_overlay_colors_get_text (colors, call);
  if (sym_overlay_colors_get_scale (colors, call, &scale))
    check_scale (overlay, call, &scale);
}

/* Node data are laid over one model; what they tell of its calls can be shown. */
int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (GBytes) graph = g_bytes_new_static (GRAPH, sizeof GRAPH - 1);
  g_autoptr (GBytes) input = g_bytes_new (bytes, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (graph, "g.onnxtxt", NULL);
  g_autoptr (SymOverlay) overlay = sym_overlay_new_from_bytes (model, input, "fuzz", &error);
  const double *numbers;

  g_assert_true ((overlay == NULL) == (error != NULL));
  if (overlay == NULL)
    return 0;
  g_assert_cmpuint (sym_overlay_get_n_found (overlay), >, 0);
  numbers = sym_overlay_get_numbers (overlay);
  g_assert_true ((numbers == NULL) == (sym_overlay_get_classes (overlay) != NULL));
  for (guint i = 0; i < sym_model_get_n_calls (model); i++)
    {
      g_autofree char *text = sym_overlay_tell (overlay, i);

      g_assert_true (text == NULL || g_utf8_validate (text, -1, NULL));
      g_assert_true (numbers == NULL || (isfinite (numbers[i]) && numbers[i] >= -1));
      check_colors (overlay, i);
    }
  return 0;
}
