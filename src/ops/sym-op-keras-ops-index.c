/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras-ops.h"

#include <string.h>

/* ---- x[key] ---- */

static const SymValue *
find_member (const SymValue *dict, const char *name)
{
  for (guint i = 0; i < sym_value_get_n_children (dict); i++)
    if (strcmp (sym_value_get_key (dict, i), name) == 0)
      return sym_value_get_child (dict, i);
  return NULL;
}

typedef enum { PLACE, RANGE, NEW_AXIS, REST, UNKNOWN } Kind;

/* {"class_name": "__slice__", "config": {"start": ..., "stop": ..., "step": ...}} of Keras 3, the
 * inner dict alone of Keras 2; {"class_name": "__ellipsis__"}. */
static Kind
classify (const SymValue *entry, const SymValue **range)
{
  SymValueKind kind = sym_value_get_kind (entry);
  const SymValue *name, *config;

  if (kind == SYM_VALUE_INT)
    return PLACE;
  if (kind == SYM_VALUE_NONE)
    return NEW_AXIS;
  if (kind != SYM_VALUE_DICT)
    return UNKNOWN;
  name = find_member (entry, "class_name");
  config = find_member (entry, "config");
  if (name != NULL && g_strcmp0 (sym_value_get_string (name), "__ellipsis__") == 0)
    return REST;
  *range = config != NULL && sym_value_get_kind (config) == SYM_VALUE_DICT ? config : entry;
  return find_member (*range, "start") != NULL || find_member (*range, "stop") != NULL ? RANGE
                                                                                       : UNKNOWN;
}

static gint64
get_end (const SymValue *range, const char *name, gint64 fallback)
{
  return sym_value_as_int (find_member (range, name), fallback);
}

/* What is known of the key before axes are counted. */
typedef struct {
  const SymValue *key;
  guint n;          /* entries */
  int n_axes;       /* that entries are for */
  gboolean is_list; /* or the key is its only entry */
} Key;

static const SymValue *
get_entry (const Key *self, guint i)
{
  return self->is_list ? sym_value_get_child (self->key, i) : self->key;
}

static gboolean
read_key (SymOpLower *self, Key *key)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  const SymValue *range;

  key->key =
      sym_attributes_find (attributes, sym_op_foreign_choose (self, "key", "slice_spec", NULL));
  if (key->key == NULL)
    return FALSE;
  key->is_list = sym_value_get_kind (key->key) == SYM_VALUE_LIST ||
                 sym_value_get_kind (key->key) == SYM_VALUE_TUPLE;
  key->n = key->is_list ? sym_value_get_n_children (key->key) : 1;
  key->n_axes = 0;
  for (guint i = 0; i < key->n; i++)
    {
      Kind kind = classify (get_entry (key, i), &range);

      if (kind == UNKNOWN)
        return FALSE;
      key->n_axes += kind == PLACE || kind == RANGE;
    }
  return key->n <= 2 * SYM_MAX_RANK;
}

static SymId
take_range (SymOpLower *self, SymId x, int axis, const SymValue *range)
{
  gint64 step = get_end (range, "step", 1);
  gint64 start = get_end (range, "start", step < 0 ? G_MAXINT64 : 0);
  gint64 stop = get_end (range, "stop", step < 0 ? G_MININT64 : G_MAXINT64);

  if (step == 1 && start == 0 && stop == G_MAXINT64)
    return x;
  if (step == 0)
    sym_op_lower_fail (self, "GetItem: a step of 0 leads nowhere");
  return sym_op_lower_slice (self, x, axis, start, stop, step);
}

/* Ranges first, which leave axes where they are; then axes go and come, from the front. */
static void
lower_item (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), axis = 0;
  SymId x = sym_op_lower_input (self, 0);
  gint64 gone[SYM_MAX_RANK], made[2 * SYM_MAX_RANK];
  int n_gone = 0, n_made = 0, place = 0;
  Key key;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (!read_key (self, &key))
    {
      sym_op_lower_refuse (self, "GetItem: its key is more than numbers and ranges");
      return;
    }
  if (key.n_axes > rank || rank + (int) key.n > SYM_MAX_RANK)
    {
      sym_op_lower_fail (self, "GetItem: the key has %d axes, the data %d", key.n_axes, rank);
      return;
    }
  for (guint i = 0; i < key.n; i++)
    {
      const SymValue *entry = get_entry (&key, i), *range = NULL;
      gint64 number = 0;

      switch (classify (entry, &range))
        {
        case PLACE:
          sym_value_get_int (entry, &number);
          x = sym_op_lower_slice (self, x, axis, number, number == -1 ? G_MAXINT64 : number + 1, 1);
          gone[n_gone++] = axis++;
          break;
        case RANGE:
          x = take_range (self, x, axis++, range);
          place++;
          break;
        case NEW_AXIS:
          made[n_made++] = place++;
          break;
        case REST:
          place += rank - key.n_axes;
          axis += rank - key.n_axes;
          break;
        case UNKNOWN:
        default:
          g_assert_not_reached ();
        }
    }
  if (n_gone > 0)
    x = sym_op_foreign_squeeze (self, x, gone, n_gone);
  if (n_made > 0)
    x = sym_op_foreign_unsqueeze (self, x, made, n_made);
  sym_op_lower_set_output (self, 0, x);
}

/* ---- Elements by their places ---- */

static SymId
get_places (SymOpLower *self, guint i)
{
  return sym_op_keras_ops_input (self, i, SYM_DTYPE_INT64);
}

/* Keras takes of all elements unless there is an axis; TensorFlow of the first axis. */
static void
lower_take (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  const SymValue *given =
      sym_attributes_find (sym_layer_get_attributes (sym_op_lower_get_layer (self)), "axis");
  gboolean is_flat = (given == NULL || sym_value_get_kind (given) == SYM_VALUE_NONE) &&
                     !sym_op_keras_ops_is_tf (self);
  SymId x = sym_op_lower_input (self, 0);
  gint64 flat = -1;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (sym_op_lower_get_int (self, "batch_dims", 0) != 0)
    sym_op_lower_refuse (self, "Take: batch_dims are not lowered");
  if (is_flat)
    x = sym_op_foreign_reshape (self, x, &flat, 1, FALSE);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "Gather", SYM_IDS (x, get_places (self, 1)), "axis",
          sym_value_new_int (is_flat ? 0 : sym_op_foreign_axis (self, "axis", 0, rank)), NULL));
}

static void
lower_take_along (SymOpLower *self)
{
  int axis = sym_op_foreign_axis (self, "axis", -1, sym_op_foreign_rank (self, 0));

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "GatherElements",
                         SYM_IDS (sym_op_lower_input (self, 0), get_places (self, 1)), "axis",
                         sym_value_new_int (axis), NULL));
}

/* ---- Choices ---- */

static void
lower_where (SymOpLower *self)
{
  SymDType dtype = sym_op_keras_ops_promote (self, 1, 2);

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Where",
                         SYM_IDS (sym_op_keras_ops_input (self, 0, SYM_DTYPE_BOOL),
                                  sym_op_keras_ops_input (self, 1, dtype),
                                  sym_op_keras_ops_input (self, 2, dtype)),
                         NULL));
}

static void
lower_clip (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  const char *least = sym_op_foreign_choose (self, "x_min", "clip_value_min", NULL);
  const char *most = sym_op_foreign_choose (self, "x_max", "clip_value_max", NULL);
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  SymId x = sym_op_keras_ops_input (self, 0, dtype);
  double number;

  for (guint i = 0; i < 2; i++)
    {
      const SymValue *value = sym_attributes_find (attributes, i == 0 ? least : most);

      if (value == NULL || sym_value_get_kind (value) == SYM_VALUE_NONE)
        continue;
      if (!sym_value_get_float (value, &number))
        sym_op_lower_refuse (self, "Clip: its bounds are no numbers");
      x = sym_op_lower_binary (self, i == 0 ? "Max" : "Min", x,
                               sym_op_lower_number (self, dtype, number));
    }
  sym_op_lower_set_output (self, 0, x);
}

static void
lower_cast (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_dtype (self, "dtype", SYM_DTYPE_UNKNOWN);

  if (dtype == SYM_DTYPE_UNKNOWN)
    sym_op_lower_refuse (self, "Cast: its dtype is not known");
  else
    sym_op_lower_set_output (self, 0, sym_op_keras_ops_input (self, 0, dtype));
}

static void
lower_one_hot (SymOpLower *self)
{
  gint64 depth =
      sym_op_lower_get_int (self, sym_op_foreign_choose (self, "num_classes", "depth", NULL), -1);
  SymDType dtype = sym_op_lower_get_dtype (self, "dtype", SYM_DTYPE_FLOAT32);
  SymId range[2];

  if (depth < 1 || depth > G_MAXINT32)
    {
      sym_op_lower_fail (self, "OneHot: there must be at least one class");
      return;
    }
  for (guint i = 0; i < 2; i++)
    range[i] = sym_op_lower_fill (self, dtype, &SYM_SHAPE (1), i);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "OneHot",
                         SYM_IDS (get_places (self, 0), sym_op_lower_ints (self, &depth, 1),
                                  sym_op_lower_call (self, "Concat", (SymIds){ range, 2 }, "axis",
                                                     sym_value_new_int (0), NULL)),
                         "axis", sym_value_new_int (sym_op_lower_get_int (self, "axis", -1)),
                         NULL));
}

/* ---- Products ---- */

static void
lower_matmul (SymOpLower *self)
{
  SymDType dtype = sym_op_keras_ops_promote (self, 0, 1);
  SymId a = sym_op_lower_exchange_if (self, sym_op_keras_ops_input (self, 0, dtype),
                                      sym_op_foreign_rank (self, 0), "transpose_a");
  SymId b = sym_op_lower_exchange_if (self, sym_op_keras_ops_input (self, 1, dtype),
                                      sym_op_foreign_rank (self, 1), "transpose_b");

  sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, "MatMul", a, b));
}

static void
lower_einsum (SymOpLower *self)
{
  guint n = sym_op_lower_get_n_inputs (self);
  const char *equation = sym_op_lower_get_string (self, "subscripts", NULL);
  g_autofree SymId *operands = g_new (SymId, n + 1);
  SymDType dtype;

  if (equation == NULL || n == 0)
    {
      sym_op_lower_fail (self, "Einsum: it has no equation, or no operands");
      return;
    }
  dtype = sym_op_keras_ops_promote (self, 0, n - 1);
  for (guint i = 0; i < n; i++)
    operands[i] = sym_op_keras_ops_input (self, i, dtype);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Einsum", (SymIds){ operands, n }, "equation",
                                              sym_value_new_string (equation), NULL));
}

/* ---- Images ---- */

static void
lower_resize (SymOpLower *self)
{
  const char *how = sym_op_lower_get_string (
      self, sym_op_foreign_choose (self, "interpolation", "method", NULL), "bilinear");
  gboolean is_nearest = strcmp (how, "nearest") == 0;
  const char *format = sym_op_lower_get_string (self, "data_format", "channels_last");
  int rank = sym_op_foreign_rank (self, 0);
  SymDType dtype = sym_op_keras_ops_to_float (sym_op_lower_get_input_dtype (self, 0));
  SymShape target = *sym_op_lower_get_input_shape (self, 0);

  if ((!is_nearest && strcmp (how, "bilinear") != 0) || rank != 4 ||
      sym_op_lower_get_bool (self, "antialias", FALSE) ||
      sym_op_lower_get_bool (self, "crop_to_aspect_ratio", FALSE) ||
      sym_op_lower_get_bool (self, "pad_to_aspect_ratio", FALSE))
    {
      sym_op_lower_refuse (self, "Resize: only batches, nearest and bilinear, are lowered");
      return;
    }
  sym_op_foreign_ints (self, "size", 2, 1,
                       &target.dims[strcmp (format, "channels_first") == 0 ? 2 : 1]);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Resize",
                         SYM_IDS (sym_op_keras_ops_input (self, 0, dtype), SYM_NO_ID, SYM_NO_ID,
                                  sym_op_lower_ints (self, target.dims, target.rank)),
                         "mode", sym_value_new_string (is_nearest ? "nearest" : "linear"),
                         "coordinate_transformation_mode", sym_value_new_string ("half_pixel"),
                         "nearest_mode", sym_value_new_string ("round_prefer_ceil"), NULL));
}

/* ---- Tables ---- */

static const SymSlotSpec take_slots[] = { { "x" }, { "indices" }, { NULL } };
static const SymSlotSpec where_slots[] = { { "condition" }, { "x1" }, { "x2" }, { NULL } };

static const SymAttributeSpec item_attributes[] = {
  { "key", SYM_ATTRIBUTE_ANY, NULL, "numbers and ranges, one for each axis" },
  { NULL },
};

static const SymAttributeSpec axis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "None", "the axis; all elements in their order" },
  { NULL },
};

static const SymAttributeSpec clip_attributes[] = {
  { "x_min", SYM_ATTRIBUTE_FLOAT, "None", "the least value" },
  { "x_max", SYM_ATTRIBUTE_FLOAT, "None", "the greatest value" },
  { NULL },
};

static const SymAttributeSpec cast_attributes[] = {
  { "dtype", SYM_ATTRIBUTE_DTYPE, NULL, "the dtype of the result" },
  { NULL },
};

static const SymAttributeSpec hot_attributes[] = {
  { "num_classes", SYM_ATTRIBUTE_INT, NULL, "how many classes there are" },
  { "axis", SYM_ATTRIBUTE_INT, "-1", "where the axis of the classes is" },
  { "dtype", SYM_ATTRIBUTE_DTYPE, "float32", "the dtype of the result" },
  { NULL },
};

static const SymAttributeSpec einsum_attributes[] = {
  { "subscripts", SYM_ATTRIBUTE_STRING, NULL, "a letter for each axis: \"ij,jk->ik\"" },
  { NULL },
};

static const SymAttributeSpec resize_attributes[] = {
  { "size", SYM_ATTRIBUTE_INTS, NULL, "height and width of the result" },
  { "interpolation", SYM_ATTRIBUTE_STRING, "bilinear", "what is put between" },
  { "data_format", SYM_ATTRIBUTE_STRING, "channels_last", "where the channels are" },
  { NULL },
};

static const SymAttributeSpec no_attributes[] = { { NULL } };

#define INDEX(name_, aliases_, summary_, category_, slots_, attributes_, lower_)                   \
  {                                                                                                \
    SYM_OP_KERAS_OPS (name_, summary_, category_), .aliases = aliases_, .slots = slots_,           \
                                                   .attributes = attributes_,                      \
                                                   .infer = sym_op_infer_lowered, .lower = lower_, \
  }

const SymOperator sym_op_keras_ops_index[] = {
  INDEX ("Cast",
         "SaturateCast",
         "Another dtype",
         SHAPE,
         sym_op_keras_ops_one,
         cast_attributes,
         lower_cast),
  INDEX ("Clip",
         NULL,
         "Cut off at two bounds",
         ELEMENTWISE,
         sym_op_keras_ops_one,
         clip_attributes,
         lower_clip),
  { SYM_OP_KERAS_OPS ("Einsum", "Sums of products, by letters", WEIGHTS),
    .slots = sym_op_foreign_many, .get_n_operands = sym_op_foreign_any,
    .attributes = einsum_attributes, .infer = sym_op_infer_lowered, .lower = lower_einsum },
  INDEX ("GetItem",
         NULL,
         "Parts of the data",
         SHAPE,
         sym_op_keras_ops_one,
         item_attributes,
         lower_item),
  INDEX ("Matmul",
         NULL,
         "Products of matrices",
         WEIGHTS,
         sym_op_keras_ops_two,
         no_attributes,
         lower_matmul),
  INDEX ("OneHot",
         NULL,
         "1 at the place of each class",
         SHAPE,
         sym_op_keras_ops_one,
         hot_attributes,
         lower_one_hot),
  INDEX ("Resize",
         NULL,
         "Images of another size",
         SHAPE,
         sym_op_keras_ops_one,
         resize_attributes,
         lower_resize),
  INDEX ("Take", NULL, "Elements by their places", SHAPE, take_slots, axis_attributes, lower_take),
  INDEX ("TakeAlongAxis",
         NULL,
         "Elements of each line by their places",
         SHAPE,
         take_slots,
         axis_attributes,
         lower_take_along),
  INDEX ("Where", NULL, "One or the other", ELEMENTWISE, where_slots, no_attributes, lower_where),
  { NULL },
};
