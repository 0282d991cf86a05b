/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf-window.h"

#include <math.h>

/* Dilation of images: the largest sum of a pixel and the number of the filter that lies over it. */

#define MAX_PLACES 1024 /* of a filter */

enum { INPUT, FILTER };

static gboolean
read_window (SymOpTfWindow *window,
             const SymAttributes *attributes,
             const SymShape *filter,
             GError **error)
{
  gint64 rates[4];
  int n = sym_attributes_get_ints (attributes, "rates", rates, 4);

  if (!sym_op_tf_window_read (window, attributes, 2, error))
    return FALSE;
  if (n > 0 && n != 4)
    return sym_rule_fail (error, "rates must have 4 numbers, not %d", n);
  for (int i = 0; i < 2; i++)
    {
      window->kernel[i] = filter->rank == 3 ? filter->dims[i] : SYM_DIM_UNKNOWN;
      window->dilation[i] = n == 4 ? rates[i + 1] : 1;
      if (window->dilation[i] < 1 || window->dilation[i] > G_MAXINT32)
        return sym_rule_fail (error, "rate %" G_GINT64_FORMAT " is out of range",
                              window->dilation[i]);
    }
  return TRUE;
}

static gboolean
infer_dilation (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, INPUT), filter = sym_rule_get_input (rule, FILTER);
  SymOpTfWindow window;

  if ((shape.rank >= 0 && shape.rank != 4) || (filter.rank >= 0 && filter.rank != 3))
    return sym_rule_fail (error, "images have 4 axes and filters 3, not %d and %d", shape.rank,
                          filter.rank);
  if (!read_window (&window, sym_rule_get_attributes (rule), &filter, error))
    return FALSE;
  for (int i = 0; i < 2 && shape.rank == 4; i++)
    if (!sym_op_tf_window_slide (&window, rule, i, shape.dims[i + 1], &shape.dims[i + 1], error))
      return FALSE;
  return sym_op_set_output (rule, 0, shape, sym_rule_get_input_dtype (rule, INPUT), error);
}

/* What is added around is never the largest. */
static SymId
add_around (SymOpLower *self, const SymOpTfWindow *window, const SymShape *shape)
{
  gint64 pads[8] = { 0 };
  SymId x = sym_op_lower_input (self, INPUT);

  for (int i = 0; i < 2; i++)
    sym_op_tf_window_pads (window, i, shape->dims[i + 1], &pads[i + 1], &pads[i + 5]);
  return sym_op_lower_call (
      self, "Pad",
      SYM_IDS (x, sym_op_lower_ints (self, pads, 8),
               sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, INPUT), -INFINITY)),
      NULL);
}

/* The sums for the number at (@row, @column) of the filter, wherever it lies. */
static SymId
make_sums (SymOpLower *self,
           const SymOpTfWindow *window,
           SymId x,
           const SymShape *to,
           gint64 row,
           gint64 column)
{
  const gint64 place[2] = { row, column };
  SymId number = sym_op_lower_input (self, FILTER);
  SymShape along = SYM_SHAPE (1, 1, 1, to->dims[3]);

  for (int i = 0; i < 2; i++)
    {
      gint64 first = place[i] * window->dilation[i];

      x = sym_op_lower_slice (self, x, i + 1, first,
                              first + (to->dims[i + 1] - 1) * window->stride[i] + 1,
                              window->stride[i]);
      number = sym_op_lower_slice (self, number, i, place[i], place[i] + 1, 1);
    }
  return sym_op_lower_binary (self, "Add", x, sym_op_lower_reshape (self, number, &along));
}

static void
lower_dilation (SymOpLower *self)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  const SymShape *shape = sym_op_lower_get_input_shape (self, INPUT);
  const SymShape *filter = sym_op_lower_get_input_shape (self, FILTER);
  g_autoptr (GError) error = NULL;
  SymOpTfWindow window;
  SymId x, most = SYM_NO_ID;
  SymShape to;

  if (!sym_op_tf_need_shape (self, 0, &to))
    return;
  if (!read_window (&window, attributes, filter, &error) || shape->dims[3] != filter->dims[2] ||
      filter->dims[0] < 1 || filter->dims[1] < 1)
    {
      sym_op_lower_fail (self, "Dilation2D: %s",
                         error == NULL ? "the filter is of other channels" : error->message);
      return;
    }
  if (filter->dims[0] > MAX_PLACES || filter->dims[0] * filter->dims[1] > MAX_PLACES)
    {
      sym_op_lower_refuse (self, "Dilation2D: a filter of more than %d places", MAX_PLACES);
      return;
    }
  x = add_around (self, &window, shape);
  for (gint64 i = 0; i < filter->dims[0]; i++)
    for (gint64 j = 0; j < filter->dims[1]; j++)
      {
        SymId sums = make_sums (self, &window, x, &to, i, j);

        most = most == SYM_NO_ID ? sums : sym_op_lower_binary (self, "Max", most, sums);
      }
  sym_op_lower_set_output (self, 0, most);
}

static const SymAttributeSpec attributes[] = {
  { "strides", SYM_ATTRIBUTE_INTS, "1", "step of the filter along every axis of the data" },
  { "rates", SYM_ATTRIBUTE_INTS, "1", "how far apart numbers of the filter lie" },
  { "padding", SYM_ATTRIBUTE_STRING, "VALID", "whether the filter may reach out", "VALID SAME" },
  { NULL },
};

static const SymSlotSpec slots[] = { { "input" }, { "filter", SYM_SLOT_PARAMETER }, { NULL } };

const SymOperator sym_op_tf_dilation[] = {
  { SYM_OP_TF ("Dilation2D"), .summary = "largest sum of pixels and the filter over them",
    .category = SYM_CATEGORY_POOLING, .attributes = attributes, .slots = slots,
    .infer = infer_dilation, .lower = lower_dilation },
  { NULL },
};
