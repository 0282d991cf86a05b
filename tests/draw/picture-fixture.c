/* SPDX-License-Identifier: MIT */
#include "picture-fixture.h"

#include <glib/gstdio.h>

static char *folder;

static const SymOperator conv = {
  .domain = "test",
  .name = "Conv2d",
  .category = SYM_CATEGORY_WEIGHTS,
};
static const SymOperator relu = {
  .domain = "test",
  .name = "ReLU",
  .category = SYM_CATEGORY_ACTIVATION,
};
static const SymOperator pool = {
  .domain = "test",
  .name = "MaxPool2d",
  .category = SYM_CATEGORY_POOLING,
};
static const SymOperator add = {
  .domain = "test",
  .name = "Add",
  .category = SYM_CATEGORY_MERGE,
};
static const SymOperator flatten = {
  .domain = "test",
  .name = "Flatten",
  .category = SYM_CATEGORY_SHAPE,
};
static const SymOperator norm = {
  .domain = "test",
  .name = "BatchNorm2d",
  .category = SYM_CATEGORY_NORMALIZATION,
};

static SymId
add_input (SymModelBuilder *builder, const char *name, SymShape shape)
{
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, shape);

  return sym_model_builder_add_value (builder, name, SYM_ROLE_INPUT, &type);
}

static SymId
add_layer (SymModelBuilder *builder,
           const SymOperator *op,
           const char *name,
           const SymId *operands,
           guint n,
           SymShape shape)
{
  g_autoptr (SymLayer) layer = sym_layer_new (op->name, op, NULL);
  SymId call = sym_model_builder_add_call (builder, name, layer, operands, n, 1);
  SymId result = sym_model_builder_get_result (builder, call, 0);
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, shape);

  sym_model_builder_set_value_name (builder, result, name);
  sym_model_builder_set_type (builder, result, &type);
  return result;
}

SymModel *
fixture_residual (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId x = add_input (builder, "inputs", SYM_SHAPE (1, 3, 32, 32));
  SymId skip, sum;

  sym_model_builder_set_name (builder, "toy_resnet");
  x = add_layer (builder, &conv, "stem_conv", &x, 1, SYM_SHAPE (1, 64, 30, 30));
  x = add_layer (builder, &norm, "stem_norm", &x, 1, SYM_SHAPE (1, 64, 30, 30));
  x = add_layer (builder, &relu, "stem_relu", &x, 1, SYM_SHAPE (1, 64, 30, 30));
  skip = x = add_layer (builder, &pool, "block_1_output", &x, 1, SYM_SHAPE (1, 64, 10, 10));
  x = add_layer (builder, &conv, "conv_2", &x, 1, SYM_SHAPE (1, 64, 10, 10));
  x = add_layer (builder, &conv, "conv_3", &x, 1, SYM_SHAPE (1, 64, 10, 10));
  sum = add_layer (builder, &add, "block_2_output", (SymId[]){ x, skip }, 2,
                   SYM_SHAPE (1, 64, 10, 10));
  x = add_layer (builder, &flatten, "flat", &sum, 1, SYM_SHAPE (1, 6400));
  x = add_layer (builder, &conv, "outputs", &x, 1, SYM_SHAPE (1, 10));
  sym_model_builder_add_output (builder, sum);
  sym_model_builder_add_output (builder, x);
  return sym_model_builder_end (builder);
}

SymModel *
fixture_chain (guint n)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new (relu.name, &relu, NULL);
  SymId x = add_input (builder, "data", SYM_SHAPE (1, 8));

  for (guint i = 0; i < n; i++)
    x = sym_model_builder_get_result (
        builder, sym_model_builder_add_call (builder, NULL, layer, &x, 1, 1), 0);
  sym_model_builder_add_output (builder, x);
  return sym_model_builder_end (builder);
}

SymModel *
fixture_empty (void)
{
  return sym_model_builder_end (sym_model_builder_new (SYM_DIALECT_PLAIN));
}

SymModel *
fixture_named (const char *const *names)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);

  for (guint i = 0; names[i] != NULL; i++)
    sym_model_builder_add_output (builder, add_input (builder, names[i], SYM_SHAPE (2, 3)));
  return sym_model_builder_end (builder);
}

SymModel *
fixture_cycle (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new (add.name, &add, NULL);
  SymId x = add_input (builder, "x", SYM_SHAPE (2));
  SymId first = sym_model_builder_add_call (builder, "first", layer, (SymId[]){ x, x }, 2, 1);
  SymId a = sym_model_builder_get_result (builder, first, 0);
  SymId second = sym_model_builder_add_call (builder, "second", layer, (SymId[]){ a, x }, 2, 1);
  SymId b = sym_model_builder_get_result (builder, second, 0);
  SymId third = sym_model_builder_add_call (builder, "third", layer, (SymId[]){ x, x }, 2, 1);

  sym_model_builder_set_operand (builder, first, 1, b);
  sym_model_builder_set_operand (builder, second, 1, b);
  sym_model_builder_add_control (builder, third, second);
  sym_model_builder_add_output (builder, b);
  sym_model_builder_add_output (builder, sym_model_builder_get_result (builder, third, 0));
  return sym_model_builder_end (builder);
}

SymModel *
fixture_split (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Split", &flatten, NULL);
  SymId x = add_input (builder, "x", SYM_SHAPE (6, 4));
  SymId call = sym_model_builder_add_call (builder, "split", layer, &x, 1, 3);
  SymId last;

  sym_model_builder_add_output (builder, sym_model_builder_get_result (builder, call, 0));
  sym_model_builder_add_output (builder, sym_model_builder_get_result (builder, call, 1));
  last = sym_model_builder_get_result (builder, call, 2);
  add_layer (builder, &relu, "used", &last, 1, SYM_SHAPE (2, 4));
  return sym_model_builder_end (builder);
}

/* Groups are found in names. */
static SymModel *
make_groups (void)
{
  static const char *const names[] = { "stem", "a/1", "a/2", "b/c/1", "b/c/2", "b/3", "head" };
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Thing", NULL, NULL);
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (1, 8));
  SymId value = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, &type);

  sym_model_builder_add_input (builder, value);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      SymId call = sym_model_builder_add_call (builder, names[i], layer, &value, 1, 1);

      value = sym_model_builder_get_result (builder, call, 0);
      sym_model_builder_set_value_name (builder, value, names[i]);
    }
  sym_model_builder_add_output (builder, value);
  return sym_model_builder_end (builder);
}

SymPicture *
fixture_folded_picture (gboolean open)
{
  g_autoptr (SymModel) model = make_groups ();
  g_autoptr (SymGroups) groups = sym_groups_new (model);
  g_autoptr (SymFolding) folding =
      open ? sym_folding_new_open (groups) : sym_folding_new_closed (groups);
  SymSceneOptions scene_options = { .folding = folding };
  SymPictureOptions options = { .legend = TRUE };

  return fixture_picture (sym_model_ref (model), &scene_options, &options);
}

SymPicture *
fixture_picture (SymModel *take_model,
                 const SymSceneOptions *scene_options,
                 const SymPictureOptions *options)
{
  static const SymSceneOptions plain_scene = { 0 };
  g_autoptr (SymModel) model = take_model;
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymScene) scene = NULL;
  g_autoptr (SymLayout) layout = NULL;
  g_autoptr (GError) error = NULL;
  SymLayoutOptions layout_options = { 0 };

  inference = sym_infer (model, NULL, 0, NULL, &error);
  g_assert_no_error (error);
  scene = sym_scene_new (inference, scene_options != NULL ? scene_options : &plain_scene);
  if (sym_scene_get_sideways (scene))
    layout_options.direction = SYM_DIRECTION_RIGHT;
  layout = sym_layout_new (scene, &layout_options, NULL, &error);
  g_assert_no_error (error);
  return sym_picture_new (layout, options);
}

SymPicture *
fixture_plain_picture (SymModel *take_model)
{
  return fixture_picture (take_model, NULL, NULL);
}

SymPoint
fixture_get_center (const SymPicture *picture)
{
  SymRect extent = sym_picture_get_extent (picture);

  return (SymPoint){ extent.x + extent.width / 2, extent.y + extent.height / 2 };
}

cairo_surface_t *
fixture_paint_view (const SymPicture *picture,
                    SymPoint center,
                    double scale,
                    int side,
                    SymPaintCounts *counts)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, side, side);
  cairo_t *cr = cairo_create (surface);
  double width = side / scale;
  SymRect clip = { center.x - width / 2, center.y - width / 2, width, width };

  cairo_scale (cr, scale, scale);
  cairo_translate (cr, -clip.x, -clip.y);
  sym_picture_paint_counted (picture, cr, &clip, scale, counts);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

SymRgb
fixture_get_pixel (cairo_surface_t *surface, guint x, guint y)
{
  const guint8 *pixels = cairo_image_surface_get_data (surface);
  gsize stride = (gsize) cairo_image_surface_get_stride (surface);

  return ((const guint32 *) (const void *) (pixels + y * stride))[x] & 0xffffff;
}

char *
fixture_path (const char *name)
{
  g_autoptr (GError) error = NULL;

  if (folder == NULL)
    folder = g_dir_make_tmp ("symscope-draw-XXXXXX", &error);
  g_assert_no_error (error);
  return g_build_filename (folder, name, NULL);
}

void
fixture_remove (void)
{
  g_autoptr (GDir) dir = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  if (folder != NULL)
    g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_clear_pointer (&folder, g_free);
}

GBytes *
fixture_read (const char *path)
{
  g_autoptr (GError) error = NULL;
  char *contents = NULL;
  gsize size = 0;

  g_assert_true (g_file_get_contents (path, &contents, &size, &error));
  g_assert_no_error (error);
  return g_bytes_new_take (contents, size);
}
