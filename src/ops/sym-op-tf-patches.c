/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf-window.h"

/* Patches of images: the pixels of each, row by row, side by side as channels. */

#define MAX_PLACES 1024 /* of a patch */

static gboolean
read_four (const SymAttributes *attributes, const char *name, gint64 values[2], GError **error)
{
  gint64 four[4];
  int n = sym_attributes_get_ints (attributes, name, four, 4);

  if (n != 4)
    return sym_rule_fail (error, "%s must have 4 numbers", name);
  for (int i = 0; i < 2; i++)
    {
      if (four[i + 1] < 1 || four[i + 1] > G_MAXINT32)
        return sym_rule_fail (error, "%s: %" G_GINT64_FORMAT " is out of range", name, four[i + 1]);
      values[i] = four[i + 1];
    }
  return TRUE;
}

static gboolean
read_window (SymOpTfWindow *window, const SymAttributes *attributes, GError **error)
{
  return sym_op_tf_window_read (window, attributes, 2, error) &&
         read_four (attributes, "ksizes", window->kernel, error) &&
         read_four (attributes, "rates", window->dilation, error);
}

static gboolean
infer_patches (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  SymOpTfWindow window;

  if (shape.rank >= 0 && shape.rank != 4)
    return sym_rule_fail (error, "images have 4 axes, not %d", shape.rank);
  if (!read_window (&window, sym_rule_get_attributes (rule), error))
    return FALSE;
  for (int i = 0; i < 2 && shape.rank == 4; i++)
    if (!sym_op_tf_window_slide (&window, rule, i, shape.dims[i + 1], &shape.dims[i + 1], error))
      return FALSE;
  for (int i = 0; i < 2 && shape.rank == 4; i++)
    shape.dims[3] = sym_terms_multiply (sym_rule_get_terms (rule), shape.dims[3], window.kernel[i]);
  return sym_op_set_output (rule, 0, shape, sym_rule_get_input_dtype (rule, 0), error);
}

/* Pixel (@row, @column) of all patches. */
static SymId
pick (SymOpLower *self,
      const SymOpTfWindow *window,
      SymId x,
      const SymShape *to,
      gint64 row,
      gint64 column)
{
  const gint64 place[2] = { row, column };

  for (int i = 0; i < 2; i++)
    {
      gint64 first = place[i] * window->dilation[i];

      x = sym_op_lower_slice (self, x, i + 1, first,
                              first + (to->dims[i + 1] - 1) * window->stride[i] + 1,
                              window->stride[i]);
    }
  return x;
}

static void
lower_patches (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  g_autoptr (GError) error = NULL;
  g_autofree SymId *parts = NULL;
  gint64 pads[8] = { 0 };
  SymOpTfWindow window;
  SymShape to;
  guint n = 0;
  SymId x;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_tf_need_shape (self, 0, &to))
    return;
  if (!read_window (&window, sym_layer_get_attributes (sym_op_lower_get_layer (self)), &error))
    sym_op_lower_fail (self, "ExtractImagePatches: %s", error->message);
  else if (window.kernel[0] > MAX_PLACES || window.kernel[0] * window.kernel[1] > MAX_PLACES)
    sym_op_lower_refuse (self, "ExtractImagePatches: a patch of more than %d pixels", MAX_PLACES);
  if (sym_op_lower_has_failed (self))
    return;
  for (int i = 0; i < 2; i++)
    sym_op_tf_window_pads (&window, i, shape->dims[i + 1], &pads[i + 1], &pads[i + 5]);
  x = sym_op_lower_binary (self, "Pad", sym_op_lower_input (self, 0),
                           sym_op_lower_ints (self, pads, 8));
  parts = g_new (SymId, (gsize) (window.kernel[0] * window.kernel[1]));
  for (gint64 i = 0; i < window.kernel[0]; i++)
    for (gint64 j = 0; j < window.kernel[1]; j++)
      parts[n++] = pick (self, &window, x, &to, i, j);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Concat", (SymIds){ parts, n }, "axis",
                                              sym_value_new_int (3), NULL));
}

static const SymAttributeSpec attributes[] = {
  { "ksizes", SYM_ATTRIBUTE_INTS, NULL, "size of a patch along every axis of the data" },
  { "strides", SYM_ATTRIBUTE_INTS, "1", "step of the patches along every axis of the data" },
  { "rates", SYM_ATTRIBUTE_INTS, NULL, "how far apart pixels of a patch lie" },
  { "padding", SYM_ATTRIBUTE_STRING, "VALID", "whether a patch may reach out", "VALID SAME" },
  { NULL },
};

static const SymSlotSpec slots[] = { { "images" }, { NULL } };

const SymOperator sym_op_tf_patches[] = {
  { SYM_OP_TF ("ExtractImagePatches"), .summary = "patches of images, side by side as channels",
    .category = SYM_CATEGORY_SHAPE, .attributes = attributes, .slots = slots,
    .infer = infer_patches, .lower = lower_patches },
  { NULL },
};
