/* SPDX-License-Identifier: MIT */
#include "net.h"

/* Compiled plans of what stands around convolutions: norms of instances and groups, other sizes of
 * images, and views between them. */

static SymId
add_convolution (Net *self, SymId x, gint64 n_in, gint64 n_out)
{
  return add (self, "Conv", "{'pads': [1, 1, 1, 1]}",
              (SymId[]){ x, add_numbers (self, SYM_SHAPE (n_out, n_in, 3, 3), -1, 1) }, 2);
}

static SymId
add_reshape (Net *self, SymId x, const gint64 *sizes, gint64 n)
{
  SymType type = sym_type_tensor (SYM_DTYPE_INT64, SYM_SHAPE (n));
  SymId value = sym_model_builder_add_value (self->builder, NULL, SYM_ROLE_CONSTANT, &type);
  g_autoptr (GBytes) bytes = g_bytes_new (sizes, (gsize) n * sizeof *sizes);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);

  sym_model_builder_set_tensor (self->builder, value,
                                sym_tensor_new (SYM_DTYPE_INT64, &type.shape, blob, 0, NULL));
  return add_binary (self, "Reshape", x, value);
}

#define RESHAPE(net, x, ...)                            \
  add_reshape (net, x, (const gint64[]){ __VA_ARGS__ }, \
               (gint64) (sizeof ((const gint64[]){ __VA_ARGS__ }) / sizeof (gint64)))

static SymId
add_instance_norm (Net *self, SymId x, gint64 n)
{
  SymId operands[] = { x, add_numbers (self, SYM_SHAPE (n), 0.5, 1.5),
                       add_numbers (self, SYM_SHAPE (n), -1, 1) };

  return add (self, "InstanceNormalization", "{'epsilon': 1e-4}", operands, 3);
}

/* Of what comes with its channels first, and behind a convolution, which has them last. */
static void
norms_instances (void)
{
  const SymShape shapes[] = { SYM_SHAPE (1, 20, 9, 7), SYM_SHAPE (2, 5, 70, 65),
                              SYM_SHAPE (3, 17, 1, 1), SYM_SHAPE (1, 2, 300, 40) };

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_auto (Net) net = net_new (shapes[i]);
      gint64 n = shapes[i].dims[1];
      SymId moved = add_binary (&net, "Add", net.input, add_numbers (&net, SYM_SHAPE (), 50, 51));
      SymId a = add_instance_norm (&net, moved, n);
      SymId b = add_instance_norm (&net, add_convolution (&net, a, n, 18), 18);

      finish (&net, add_unary (&net, "Relu", b));
      assert_same (&net, 1, 5);
    }
}

/* Written as torch writes them: norms of instances of a view, and the view back. */
static void
norms_groups (void)
{
  for (guint i = 0; i < 6; i++)
    {
      gint64 groups = i % 3 == 0 ? 1 : i % 3 == 1 ? 4 : 24, batch = i < 3 ? 1 : 2;
      g_auto (Net) net = net_new (SYM_SHAPE (batch, 3, 11, 13));
      SymId x = add_convolution (&net, net.input, 3, 24);
      SymId y = add_instance_norm (&net, RESHAPE (&net, x, batch, groups, -1), groups);

      y = RESHAPE (&net, y, batch, 24, 11, 13);
      y = add_binary (&net, "Mul", y, add_numbers (&net, SYM_SHAPE (24, 1, 1), -1, 1));
      y = add_binary (&net, "Add", y, add_numbers (&net, SYM_SHAPE (24, 1, 1), -1, 1));
      y = add_binary (&net, "Mul", y, add_unary (&net, "Sigmoid", y));
      finish (&net, add_binary (&net, "Add", add_convolution (&net, y, 24, 24), x));
      assert_same (&net, 1, 10);
    }
}

/* By the operator that ONNX has for it: numbers for each group, later for each channel. */
static void
norms_groups_by_name (void)
{
  for (gint64 n = 6; n <= 24; n += 18)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (2, 24, 5, 7));
      SymId operands[] = { net.input, add_numbers (&net, SYM_SHAPE (n), 0.5, 1.5),
                           add_numbers (&net, SYM_SHAPE (n), -1, 1) };

      finish (&net, add_of_version (&net, "GroupNormalization", n == 6 ? 18 : 21,
                                    "{'num_groups': 6}", operands, 3));
      assert_same (&net, 1, 1);
    }
}

/* The norm of a view is there when it is needed itself. */
static void
leaves_views_that_others_need (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (1, 3, 6, 5));
  SymId x = add_convolution (&net, net.input, 3, 8);
  SymId view = RESHAPE (&net, x, 1, 2, -1), y = add_instance_norm (&net, view, 2);

  sym_model_builder_add_output (net.builder, view);
  sym_model_builder_add_output (net.builder, y);
  sym_model_builder_add_output (net.builder, RESHAPE (&net, x, 1, 8, 30));
  finish (&net, RESHAPE (&net, y, 1, 8, 6, 5));
  assert_same (&net, 1, 5);
}

/* What has its channels last, but repeats along a result that has not. */
static void
repeats_what_convolutions_make (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (1, 3, 6, 5));
  SymId x = add_convolution (&net, net.input, 3, 4);
  SymId pair = RESHAPE (&net, add_convolution (&net, x, 4, 8), 2, 4, 6, 5);

  finish (&net, add_binary (&net, "Mul", pair, x));
  assert_same (&net, 1, 4);
}

/* More rows of channels than are kept, computed and constant, whole in a tile and not. */
static void
repeats_rows_of_channels (void)
{
  for (gint64 n = 16; n <= 20; n += 4)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (1, 3, 13, 11));
      SymId x = add_convolution (&net, net.input, 3, n), row = add_unary (&net, "GlobalMaxPool", x);
      SymId y = add_unary (&net, "Tanh", x);

      for (guint i = 0; i < 9; i++)
        y = i % 3 == 0
                ? add_binary (&net, "Mul", y, row)
                : add_binary (&net, "Sub", add_numbers (&net, SYM_SHAPE (n, 1, 1), -1, 1), y);
      finish (&net, y);
      assert_same (&net, 1, 12);
    }
}

/* ---- Sizes ---- */

static SymId
add_resize (Net *self, SymId x, const float *scales, gint64 n, const char *attributes)
{
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (n));
  SymId value = sym_model_builder_add_value (self->builder, NULL, SYM_ROLE_CONSTANT, &type);
  g_autoptr (GBytes) bytes = g_bytes_new (scales, (gsize) n * sizeof *scales);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);

  sym_model_builder_set_tensor (self->builder, value,
                                sym_tensor_new (SYM_DTYPE_FLOAT32, &type.shape, blob, 0, NULL));
  return add (self, "Resize", attributes, (SymId[]){ x, SYM_NO_ID, value }, 3);
}

static void
resizes_images (void)
{
  const char *const attributes[] = {
    "{}",
    "{'coordinate_transformation_mode': 'asymmetric', 'nearest_mode': 'floor'}",
    "{'nearest_mode': 'ceil'}",
    "{'mode': 'linear'}",
    "{'mode': 'linear', 'coordinate_transformation_mode': 'align_corners'}",
    "{'mode': 'linear', 'coordinate_transformation_mode': 'pytorch_half_pixel'}",
    "{'mode': 'linear', 'exclude_outside': 1}",
    "{'mode': 'cubic'}",
    "{'mode': 'cubic', 'cubic_coeff_a': -0.5, 'exclude_outside': 1}",
  };
  const float scales[][4] = {
    { 1, 1, 2, 2 }, { 1, 1, 1, 3 }, { 1, 1, 2.5f, 1 }, { 1, 1, 0.5f, 0.7f }
  };
  const gint64 channels[] = { 1, 3, 18 };

  for (guint i = 0; i < G_N_ELEMENTS (attributes); i++)
    for (guint j = 0; j < G_N_ELEMENTS (scales); j++)
      {
        g_auto (Net) net = net_new (SYM_SHAPE (2, channels[(i + j) % 3], 9, 8));
        SymId x = add_unary (&net, "Tanh", net.input);

        finish (&net, add_resize (&net, x, scales[j], 4, attributes[i]));
        assert_same (&net, 1, 2);
      }
}

static void
resizes_one_axis_or_three (void)
{
  const float line[] = { 1, 1, 4 }, volume[] = { 1, 1, 2, 1, 3 };
  const char *const modes[] = { "{'mode': 'nearest'}", "{'mode': 'linear'}" };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_auto (Net) lines = net_new (SYM_SHAPE (1, 5, 13)),
                   volumes = net_new (SYM_SHAPE (2, 3, 4, 5, 6));

      finish (&lines, add_resize (&lines, lines.input, line, 3, modes[i]));
      assert_same (&lines, 1, 1);
      finish (&volumes, add_resize (&volumes, volumes.input, volume, 5, modes[i]));
      assert_same (&volumes, 1, 1);
    }
}

/* ---- Blocks and margins ---- */

static void
moves_channels_to_blocks (void)
{
  const char *const modes[] = { "{'blocksize': 2}", "{'blocksize': 3, 'mode': 'CRD'}",
                                "{'blocksize': 2, 'mode': 'DCR'}" };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (2, 3, 6, 12));
      SymId x = add_convolution (&net, net.input, 3, 36), y;

      y = add (&net, "DepthToSpace", modes[i], &x, 1);
      sym_model_builder_add_output (net.builder,
                                    add (&net, "SpaceToDepth", "{'blocksize': 3}", &net.input, 1));
      finish (&net, add (&net, "SpaceToDepth", "{'blocksize': 2}", &y, 1));
      assert_same (&net, 1, 4);
    }
}

static void
pads_with_what_is_inside (void)
{
  const char *const modes[] = { "{'mode': 'reflect'}", "{'mode': 'edge'}", "{'mode': 'wrap'}" };
  const gint64 pads[] = { 0, 0, 2, 3, 0, 0, 1, 4 };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (2, 3, 6, 5));
      SymType type = sym_type_tensor (SYM_DTYPE_INT64, SYM_SHAPE (8));
      SymId value = sym_model_builder_add_value (net.builder, NULL, SYM_ROLE_CONSTANT, &type);
      g_autoptr (GBytes) bytes = g_bytes_new (pads, sizeof pads);
      g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);

      sym_model_builder_set_tensor (net.builder, value,
                                    sym_tensor_new (SYM_DTYPE_INT64, &type.shape, blob, 0, NULL));
      finish (&net, add_convolution (&net,
                                     add_of_version (&net, "Pad", 19, modes[i],
                                                     (SymId[]){ net.input, value }, 2),
                                     3, 7));
      assert_same (&net, 1, 2);
    }
}

/* Convolutions of one kernel at several sizes of the picture hold its weights once, in whichever
 * way they compute them. */
static void
packs_kernels_once (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (1, 128, 48, 40));
  SymId weights = add_numbers (&net, SYM_SHAPE (128, 128, 3, 3), -0.05, 0.05), x = net.input;
  g_autoptr (SymPlan) plan = NULL;

  for (guint i = 0; i < 4; i++)
    {
      x = add (&net, "Conv", "{'pads': [1, 1, 1, 1]}", (SymId[]){ x, weights }, 2);
      x = add (&net, "MaxPool", "{'kernel_shape': [2, 1], 'strides': [2, 1]}", &x, 1);
    }
  finish (&net, x);
  assert_same (&net, 1, 8);
  plan = new_plan (net.model, 2);
  g_assert_cmpuint (sym_plan_get_n_weight_bytes (plan), <, 2 * 36 * 128 * 128 * sizeof (float));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/compile-images/norms-instances", norms_instances);
  g_test_add_func ("/run/compile-images/norms-groups", norms_groups);
  g_test_add_func ("/run/compile-images/norms-groups-by-name", norms_groups_by_name);
  g_test_add_func ("/run/compile-images/leaves-views-that-others-need",
                   leaves_views_that_others_need);
  g_test_add_func ("/run/compile-images/repeats-what-convolutions-make",
                   repeats_what_convolutions_make);
  g_test_add_func ("/run/compile-images/repeats-rows-of-channels", repeats_rows_of_channels);
  g_test_add_func ("/run/compile-images/resizes-images", resizes_images);
  g_test_add_func ("/run/compile-images/resizes-one-axis-or-three", resizes_one_axis_or_three);
  g_test_add_func ("/run/compile-images/moves-channels-to-blocks", moves_channels_to_blocks);
  g_test_add_func ("/run/compile-images/packs-kernels-once", packs_kernels_once);
  g_test_add_func ("/run/compile-images/pads-with-what-is-inside", pads_with_what_is_inside);
  return g_test_run ();
}
