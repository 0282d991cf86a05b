/* SPDX-License-Identifier: MIT */
#include "net.h"

/* Sizes that follow from scales. */

static SymId
add_scales (Net *self, const float *scales, gint64 n)
{
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (n));
  SymId value = sym_model_builder_add_value (self->builder, NULL, SYM_ROLE_CONSTANT, &type);
  g_autoptr (GBytes) bytes = g_bytes_new (scales, (gsize) n * sizeof *scales);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);

  sym_model_builder_set_tensor (self->builder, value,
                                sym_tensor_new (SYM_DTYPE_FLOAT32, &type.shape, blob, 0, NULL));
  return value;
}

static void
assert_shape (Net *self, SymId output, SymShape expected)
{
  g_autoptr (SymInference) inference = NULL;
  SymType type;

  finish (self, output);
  inference = sym_infer (self->model, NULL, 0, NULL, NULL);
  type = sym_inference_get_type (inference, output);
  g_assert_true (sym_shape_equal (&type.shape, &expected));
}

static void
knows_results_of_scales (void)
{
  const float scales[] = { 1, 1, 2, 2.5f };
  g_auto (Net) net = net_new (SYM_SHAPE (1, 4, 20, 7));
  SymId operands[] = { net.input, SYM_NO_ID, add_scales (&net, scales, 4) };

  assert_shape (&net, add (&net, "Resize", "{'mode': 'linear'}", operands, 3),
                SYM_SHAPE (1, 4, 40, 17));
}

static void
knows_scales_that_are_computed (void)
{
  const float scales[] = { 1, 1, 2, 2 };
  g_auto (Net) net = net_new (SYM_SHAPE (1, 4, 20, 7));
  SymId parts[] = { add_scales (&net, scales, 2), add_scales (&net, scales + 2, 2) };
  SymId operands[] = { net.input, SYM_NO_ID, add (&net, "Concat", "{'axis': 0}", parts, 2) };

  assert_shape (&net, add (&net, "Resize", "{}", operands, 3), SYM_SHAPE (1, 4, 40, 14));
}

/* Of what is not known, only the axes that keep their size. */
static void
leaves_unknown_sizes_unknown (void)
{
  const float scales[] = { 1, 1, 2, 2.5f };
  g_auto (Net) net = net_new (SYM_SHAPE (1, 4, SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN));
  SymId operands[] = { net.input, SYM_NO_ID, add_scales (&net, scales, 4) };
  SymId output = add (&net, "Resize", "{}", operands, 3);
  g_autoptr (SymInference) inference = NULL;
  SymType type;

  finish (&net, output);
  inference = sym_infer (net.model, NULL, 0, NULL, NULL);
  type = sym_inference_get_type (inference, output);
  g_assert_cmpint (type.shape.rank, ==, 4);
  g_assert_cmpint (type.shape.dims[1], ==, 4);
  g_assert_cmpint (type.shape.dims[2], <, 0);
  g_assert_cmpint (type.shape.dims[3], <, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/infer-sizes/knows-results-of-scales", knows_results_of_scales);
  g_test_add_func ("/run/infer-sizes/knows-scales-that-are-computed",
                   knows_scales_that_are_computed);
  g_test_add_func ("/run/infer-sizes/leaves-unknown-sizes-unknown", leaves_unknown_sizes_unknown);
  return g_test_run ();
}
