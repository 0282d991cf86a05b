/* SPDX-License-Identifier: MIT */
#pragma once

#include <math.h>

#include "core/sym-element.h"
#include "io/sym-io.h"
#include "run/sym-run-fill.h"
#include "run/sym-run.h"

/* Models in ONNX's text, run with random numbers. */

static inline SymModel *
text_net_read (const char *name, const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_bytes (bytes, name, &error);

  g_assert_no_error (error);
  return model;
}

/* A run of the model that was told random numbers. */
static inline SymRun *
text_net_run (SymModel *model, const SymPlanOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymPlan) plan = sym_plan_new (model, options, NULL, &error);
  SymIds inputs = sym_model_get_inputs (model);
  SymRun *run;

  g_assert_no_error (error);
  run = sym_run_new (plan);
  for (guint i = 0; i < inputs.n; i++)
    {
      SymType type = sym_model_get_declared_type (model, inputs.ids[i]);
      g_autoptr (SymDatum) datum =
          sym_run_fill (SYM_RUN_FILL_RANDOM, type.dtype, &type.shape, 5 + i, &error);

      g_assert_no_error (error);
      sym_run_feed (run, inputs.ids[i], datum, &error);
      g_assert_no_error (error);
    }
  sym_run_execute (run, NULL, &error);
  g_assert_no_error (error);
  return run;
}

/* Two tensors of one type, whose numbers differ by so much of the largest at most. */
static inline void
text_net_compare (const SymArray *a, const SymArray *b, double most)
{
  double largest = 0, difference = 0;

  g_assert_true (a->dtype == b->dtype && sym_shape_equal (&a->shape, &b->shape));
  for (gsize i = 0; i < sym_array_get_n_elements (a); i++)
    {
      double x = sym_element_get_double (a->dtype, a->data, i);
      double y = sym_element_get_double (b->dtype, b->data, i);

      largest = fmax (largest, fabs (y));
      difference = fmax (difference, fabs (x - y));
      g_assert_false (isnan (x) || isnan (y));
    }
  g_assert_cmpfloat (difference, <=, most * largest);
}
