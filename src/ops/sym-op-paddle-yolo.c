/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-paddle.h"

/* yolo_box: from what a network says of each place and anchor to boxes in pixels. */

#define MAX_ANCHORS 64
#define MAX_SIZE (1 << 24)

/* Channels are, for each anchor, the middle, the sizes, whether there is anything, and the classes;
 * those of the overlaps that are to be expected, where there are any, come before them all. */
typedef struct {
  SymOpLower *lower;
  SymDType dtype;
  gint64 batch, n_anchors, n_classes, height, width;
  gint64 anchors[2 * MAX_ANCHORS];
  SymId image[2]; /* height and width of each, [batch, 1, 1, 1, 1] */
  SymId parts;    /* [batch, anchors, 5 + classes, height, width] */
  SymId overlap;  /* [batch, anchors, 1, height, width], SYM_NO_ID for none */
} Yolo;

static gint64
get_yolo_channels (const SymAttributes *attributes, gint64 *n_anchors, gint64 *n_classes)
{
  gint64 each;

  *n_anchors = sym_attributes_get_ints (attributes, "anchors", NULL, 0) / 2;
  *n_classes = sym_attributes_get_int (attributes, "class_num", 0);
  if (*n_anchors < 1 || *n_anchors > MAX_ANCHORS || *n_classes < 1 || *n_classes > G_MAXINT32)
    return -1;
  each = *n_classes + (sym_attributes_get_bool (attributes, "iou_aware", FALSE) ? 6 : 5);
  return *n_anchors * each;
}

gboolean
sym_op_paddle_infer_yolo (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape x = sym_rule_get_input (rule, 0);
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);
  gint64 n_anchors, n_classes;
  gint64 channels = get_yolo_channels (sym_rule_get_attributes (rule), &n_anchors, &n_classes);
  SymDim n;

  if (channels < 0)
    return sym_rule_fail (error, "anchors and class_num do not fit");
  if (!sym_op_set_input (rule, 0,
                         SYM_SHAPE (SYM_DIM_UNKNOWN, channels, SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN),
                         error) ||
      !sym_op_set_input (rule, 1, SYM_SHAPE (x.rank == 4 ? x.dims[0] : SYM_DIM_UNKNOWN, 2), error))
    return FALSE;
  x = sym_rule_get_input (rule, 0);
  n = sym_terms_multiply (terms, sym_terms_multiply (terms, x.dims[2], x.dims[3]), n_anchors);
  return sym_op_set_output (rule, 0, SYM_SHAPE (x.dims[0], n, 4), dtype, error) &&
         sym_op_set_output (rule, 1, SYM_SHAPE (x.dims[0], n, n_classes), dtype, error);
}

static SymId
yolo_number (const Yolo *self, double number)
{
  return sym_op_lower_number (self->lower, self->dtype, number);
}

/* Numbers along one of five axes. */
static SymId
yolo_list (const Yolo *self, const float *numbers, int axis, gint64 n)
{
  SymArray array = { .dtype = SYM_DTYPE_FLOAT32, .shape = SYM_SHAPE (1, 1, 1, 1, 1) };

  array.shape.dims[axis] = n;
  array.data = (gpointer) numbers;
  return sym_op_lower_cast_from (self->lower, sym_op_lower_array (self->lower, &array),
                                 SYM_DTYPE_FLOAT32, self->dtype);
}

static SymId
yolo_part (const Yolo *self, gint64 first, gint64 end)
{
  return sym_op_lower_slice (self->lower, self->parts, 2, first, end, 1);
}

static SymId
mix (const Yolo *self, const char *name, SymId a, SymId b)
{
  return sym_op_lower_binary (self->lower, name, a, b);
}

static gboolean
begin_yolo (Yolo *self, SymOpLower *lower)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (lower));
  const SymShape *x = sym_op_lower_get_input_shape (lower, 0);
  gint64 channels = get_yolo_channels (attributes, &self->n_anchors, &self->n_classes);
  SymId all, image;
  gint64 before;

  self->lower = lower;
  if (!sym_op_lower_need_tensor (lower, 0) || !sym_op_lower_need_tensor (lower, 1))
    return FALSE;
  if (channels < 0 || x->rank != 4 || x->dims[1] != channels || x->dims[2] < 1 || x->dims[3] < 1 ||
      x->dims[2] > MAX_SIZE || x->dims[3] > MAX_SIZE)
    {
      sym_op_lower_fail (lower, "yolo_box: data, anchors and class_num do not fit");
      return FALSE;
    }
  self->dtype = sym_op_lower_get_input_dtype (lower, 0);
  self->batch = x->dims[0];
  self->height = x->dims[2];
  self->width = x->dims[3];
  sym_attributes_get_ints (attributes, "anchors", self->anchors, 2 * MAX_ANCHORS);
  image = sym_op_lower_cast (lower, sym_op_lower_input (lower, 1), self->dtype);
  for (int i = 0; i < 2; i++)
    self->image[i] = sym_op_lower_reshape (lower, sym_op_lower_slice (lower, image, 1, i, i + 1, 1),
                                           &SYM_SHAPE (self->batch, 1, 1, 1, 1));
  all = sym_op_lower_input (lower, 0);
  before = sym_op_lower_get_bool (lower, "iou_aware", FALSE) ? self->n_anchors : 0;
  self->parts = sym_op_lower_reshape (
      lower, sym_op_lower_slice (lower, all, 1, before, channels, 1),
      &SYM_SHAPE (self->batch, self->n_anchors, 5 + self->n_classes, self->height, self->width));
  self->overlap =
      before == 0
          ? SYM_NO_ID
          : sym_op_lower_reshape (lower, sym_op_lower_slice (lower, all, 1, 0, before, 1),
                                  &SYM_SHAPE (self->batch, before, 1, self->height, self->width));
  return TRUE;
}

/* Middles along one axis, in pixels: (place + sigmoid (x) * scale - (scale - 1) / 2) * step. */
static SymId
find_middles (const Yolo *self, gboolean is_row)
{
  gint64 n = is_row ? self->height : self->width;
  double scale = sym_op_lower_get_float (self->lower, "scale_x_y", 1);
  g_autofree float *places = g_new (float, n);
  SymId middles =
      sym_op_lower_unary (self->lower, "Sigmoid", yolo_part (self, is_row ? 1 : 0, is_row ? 2 : 1));

  for (gint64 i = 0; i < n; i++)
    places[i] = (float) i;
  middles = mix (self, "Mul", middles, yolo_number (self, scale));
  middles = mix (self, "Add", middles, yolo_number (self, -0.5 * (scale - 1)));
  middles = mix (self, "Add", middles, yolo_list (self, places, is_row ? 3 : 4, n));
  middles = mix (self, "Mul", middles, self->image[is_row ? 0 : 1]);
  return mix (self, "Div", middles, yolo_number (self, (double) n));
}

/* Anchors are in pixels of what the network saw. */
static SymId
find_halves (const Yolo *self, gboolean is_row)
{
  gint64 ratio = sym_op_lower_get_int (self->lower, "downsample_ratio", 1);
  gint64 n = is_row ? self->height : self->width;
  float anchors[MAX_ANCHORS];
  SymId halves =
      sym_op_lower_unary (self->lower, "Exp", yolo_part (self, is_row ? 3 : 2, is_row ? 4 : 3));

  for (gint64 i = 0; i < self->n_anchors; i++)
    anchors[i] = (float) self->anchors[2 * i + is_row];
  halves = mix (self, "Mul", halves, yolo_list (self, anchors, 1, self->n_anchors));
  halves = mix (self, "Mul", halves, self->image[is_row ? 0 : 1]);
  return mix (self, "Div", halves, yolo_number (self, 2.0 * (double) ratio * (double) n));
}

/* Boxes from x, y to x, y, [batch, anchors, 4, height, width]. */
static SymId
find_corners (const Yolo *self)
{
  gboolean clips = sym_op_lower_get_bool (self->lower, "clip_bbox", TRUE);
  SymId corners[4];

  for (int is_row = 0; is_row < 2; is_row++)
    {
      SymId middle = find_middles (self, is_row != 0), half = find_halves (self, is_row != 0);
      SymId last = mix (self, "Sub", self->image[1 - is_row], yolo_number (self, 1));

      corners[is_row] = mix (self, "Sub", middle, half);
      corners[is_row + 2] = mix (self, "Add", middle, half);
      if (!clips)
        continue;
      corners[is_row] = mix (self, "Max", corners[is_row], yolo_number (self, 0));
      corners[is_row + 2] = mix (self, "Min", corners[is_row + 2], last);
    }
  return sym_op_lower_call (self->lower, "Concat", (SymIds){ corners, 4 }, "axis",
                            sym_value_new_int (2), NULL);
}

/* How sure it is that there is anything, [batch, anchors, 1, height, width]. */
static SymId
find_trust (const Yolo *self)
{
  double share = sym_op_lower_get_float (self->lower, "iou_aware_factor", 0.5);
  SymId trust = sym_op_lower_unary (self->lower, "Sigmoid", yolo_part (self, 4, 5));

  if (self->overlap == SYM_NO_ID)
    return trust;
  return mix (self, "Mul", mix (self, "Pow", trust, yolo_number (self, 1 - share)),
              mix (self, "Pow", sym_op_lower_unary (self->lower, "Sigmoid", self->overlap),
                   yolo_number (self, share)));
}

/* Output @i, 0 where there is nothing. */
static void
set_yolo_output (const Yolo *self, guint i, SymId is_there, SymId x, gint64 n)
{
  SymShape shape = SYM_SHAPE (self->batch, self->n_anchors * self->height * self->width, n);

  x = sym_op_lower_call (self->lower, "Where", SYM_IDS (is_there, x, yolo_number (self, 0)), NULL);
  x = sym_op_lower_transpose (self->lower, x, 5, 0, 1, 3, 4, 2);
  sym_op_lower_set_output (self->lower, i, sym_op_lower_reshape (self->lower, x, &shape));
}

void
sym_op_paddle_lower_yolo (SymOpLower *lower)
{
  Yolo self;
  SymId trust, is_there;

  if (!begin_yolo (&self, lower))
    return;
  trust = find_trust (&self);
  is_there =
      sym_op_lower_binary (lower, "GreaterOrEqual", trust,
                           yolo_number (&self, sym_op_lower_get_float (lower, "conf_thresh", 0)));
  set_yolo_output (&self, 0, is_there, find_corners (&self), 4);
  if (sym_op_lower_get_n_outputs (lower) > 1)
    set_yolo_output (
        &self, 1, is_there,
        mix (&self, "Mul", trust,
             sym_op_lower_unary (lower, "Sigmoid", yolo_part (&self, 5, 5 + self.n_classes))),
        self.n_classes);
}

const SymAttributeSpec sym_op_paddle_yolo_attributes[] = {
  { "anchors", SYM_ATTRIBUTE_INTS, NULL, "widths and heights of the anchors, in pixels" },
  { "class_num", SYM_ATTRIBUTE_INT, NULL, "number of classes" },
  { "conf_thresh", SYM_ATTRIBUTE_FLOAT, NULL, "boxes that are less sure are 0" },
  { "downsample_ratio", SYM_ATTRIBUTE_INT, NULL, "pixels of the network's input to a place" },
  { "clip_bbox", SYM_ATTRIBUTE_BOOL, "True", "whether boxes end with the image" },
  { "scale_x_y", SYM_ATTRIBUTE_FLOAT, "1.0", "how far middles may be from their place" },
  { "iou_aware", SYM_ATTRIBUTE_BOOL, "False", "whether the overlap is among the data" },
  { "iou_aware_factor", SYM_ATTRIBUTE_FLOAT, "0.5", "how much it counts" },
  { NULL },
};
