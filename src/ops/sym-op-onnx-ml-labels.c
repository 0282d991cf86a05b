/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "core/sym-kernel-keep.h"
#include "ops/sym-op-onnx-ml-table.h"
#include "ops/sym-op-table.h"

/* Tables from one kind of label to another. */

static const SymAttributeSpec one_hot_attributes[] = {
  { "cats_int64s", SYM_ATTRIBUTE_INTS, "None", "the categories, where they are numbers" },
  { "cats_strings", SYM_ATTRIBUTE_ANY, "None", "the categories, where they are strings" },
  { "zeros", SYM_ATTRIBUTE_INT, "1", "whether all is 0 for what is no category; else an error" },
  { NULL },
};

static const SymAttributeSpec classes_attributes[] = {
  { "classes_strings", SYM_ATTRIBUTE_ANY, "None", "the strings; a number is the place of one" },
  { "default_int64", SYM_ATTRIBUTE_INT, "-1", "for a string that is none of them" },
  { "default_string", SYM_ATTRIBUTE_STRING, "_Unused", "for a number that is no place" },
  { NULL },
};

#define KEY_SPECS                                                                       \
  { "keys_floats", SYM_ATTRIBUTE_FLOATS, "None", "what is looked for, as numbers" },    \
      { "keys_int64s", SYM_ATTRIBUTE_INTS, "None", "what is looked for, as integers" }, \
      { "keys_strings", SYM_ATTRIBUTE_ANY, "None", "what is looked for, as strings" },  \
      { "values_floats", SYM_ATTRIBUTE_FLOATS, "None", "what it becomes, as numbers" }, \
      { "values_int64s", SYM_ATTRIBUTE_INTS, "None", "what it becomes, as integers" },  \
      { "values_strings", SYM_ATTRIBUTE_ANY, "None", "what it becomes, as strings" },   \
      { "default_float", SYM_ATTRIBUTE_FLOAT, "-0.0", "for all else, as a number" },    \
      { "default_int64", SYM_ATTRIBUTE_INT, "-1", "for all else, as an integer" },      \
  {                                                                                     \
    "default_string", SYM_ATTRIBUTE_STRING, "_Unused", "for all else, as a string"      \
  }

static const SymAttributeSpec encoder_attributes[] = { KEY_SPECS, { NULL } };

static const SymAttributeSpec tensor_attributes[] = {
  KEY_SPECS,
  { "keys_tensor", SYM_ATTRIBUTE_ANY, "None", "what is looked for, of any dtype" },
  { "values_tensor", SYM_ATTRIBUTE_ANY, "None", "what it becomes, of any dtype" },
  { "default_tensor", SYM_ATTRIBUTE_ANY, "None", "for all else, of any dtype" },
  { NULL },
};

static const SymAttributeSpec mapper_attributes[] = {
  { "cats_int64s", SYM_ATTRIBUTE_INTS, NULL, "the numbers" },
  { "cats_strings", SYM_ATTRIBUTE_ANY, NULL, "the string of each" },
  { "default_int64", SYM_ATTRIBUTE_INT, "-1", "for a string that is none of them" },
  { "default_string", SYM_ATTRIBUTE_STRING, "_Unused", "for a number that is none of them" },
  { NULL },
};

/* ---- Lists as arrays ---- */

static SymDatum *
new_array (SymDType dtype, gsize n, GError **error)
{
  return sym_datum_new (dtype, &SYM_SHAPE ((gint64) n), error);
}

static void
set_text (SymArray *array, gsize i, const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  sym_array_set_string (array, i, bytes);
}

/* A list as an array of @dtype. */
static SymDatum *
read_list (const SymValue *list, SymDType dtype, GError **error)
{
  guint n = sym_value_get_n_children (list);
  g_autoptr (SymDatum) datum = new_array (dtype, n, error);
  SymArray *array = datum == NULL ? NULL : (SymArray *) sym_datum_get_array (datum);

  for (guint i = 0; array != NULL && i < n; i++)
    {
      const SymValue *child = sym_value_get_child (list, i);
      gint64 integer = 0;
      double number = 0;

      if (dtype == SYM_DTYPE_STRING)
        set_text (array, i, sym_op_ml_get_text (list, i));
      else if (dtype == SYM_DTYPE_INT64 ? !sym_value_get_int (child, &integer)
                                        : !sym_value_get_float (child, &number))
        {
          sym_kernel_set_error (error, "a list of %s has something else",
                                sym_dtype_to_string (dtype));
          return NULL;
        }
      else if (dtype == SYM_DTYPE_INT64)
        sym_element_set_int (dtype, array->data, i, integer);
      else
        sym_element_set_double (dtype, array->data, i, number);
    }
  return g_steal_pointer (&datum);
}

/* The list of @what, in whichever of its attributes it is, and what its elements are; NULL for
 * none. */
static const SymValue *
find_labels (const SymAttributes *attributes, const char *what, SymDType *dtype)
{
  static const struct {
    const char *suffix;
    SymDType dtype;
  } kinds[] = { { "_strings", SYM_DTYPE_STRING },
                { "_int64s", SYM_DTYPE_INT64 },
                { "_floats", SYM_DTYPE_FLOAT32 },
                { "_tensor", SYM_DTYPE_UNKNOWN } };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *name = g_strconcat (what, kinds[i].suffix, NULL);
      const SymValue *value = sym_attributes_find (attributes, name);
      SymTensor *tensor = value == NULL ? NULL : sym_value_get_tensor (value);

      if (tensor == NULL && (value == NULL || sym_value_get_n_children (value) == 0))
        continue;
      *dtype = tensor == NULL ? kinds[i].dtype : sym_tensor_get_dtype (tensor);
      return value;
    }
  return NULL;
}

static SymDatum *
read_labels (SymKernel *kernel, const char *what, GError **error)
{
  SymDType dtype;
  const SymValue *value = find_labels (sym_kernel_get_attributes (kernel), what, &dtype);

  if (value == NULL)
    {
      sym_kernel_set_error (error, "there are no %s", what);
      return NULL;
    }
  return sym_value_get_tensor (value) != NULL
             ? sym_datum_new_read (sym_value_get_tensor (value), error)
             : read_list (value, dtype, error);
}

/* What becomes of anything else: one element of @dtype. */
static SymDatum *
read_default (SymKernel *kernel, SymDType dtype, GError **error)
{
  const SymValue *value =
      sym_attributes_find (sym_kernel_get_attributes (kernel), "default_tensor");
  SymTensor *tensor = value == NULL ? NULL : sym_value_get_tensor (value);
  g_autoptr (SymDatum) datum =
      tensor != NULL ? sym_datum_new_read (tensor, error) : new_array (dtype, 1, error);
  SymArray *array = datum == NULL ? NULL : (SymArray *) sym_datum_get_array (datum);

  if (array == NULL)
    return NULL;
  if (array->dtype != dtype || sym_array_get_n_elements (array) != 1)
    {
      sym_kernel_set_error (error, "default_tensor is %s; one element of %s is needed",
                            sym_dtype_to_string (array->dtype), sym_dtype_to_string (dtype));
      return NULL;
    }
  if (tensor == NULL && dtype == SYM_DTYPE_STRING)
    set_text (array, 0, sym_kernel_get_string (kernel, "default_string", "_Unused"));
  else if (tensor == NULL && sym_dtype_is_integer (dtype))
    sym_element_set_int (dtype, array->data, 0, sym_kernel_get_int (kernel, "default_int64", -1));
  else if (tensor == NULL)
    sym_element_set_double (dtype, array->data, 0,
                            sym_kernel_get_float (kernel, "default_float", -0.0));
  return g_steal_pointer (&datum);
}

/* ---- Translation ---- */

/* What elements become, made in the first run. */
typedef struct {
  SymDatum *keys;
  SymDatum *values; /* first that of all else */
  SymOpMlTable table;
} Translator;

static void
translator_free (gpointer data)
{
  Translator *self = data;

  sym_op_ml_table_clear (&self->table);
  g_clear_pointer (&self->keys, sym_datum_unref);
  g_clear_pointer (&self->values, sym_datum_unref);
  g_free (self);
}

/* The element @other and behind it all @values, of the same dtype. */
static SymDatum *
join (SymDatum *other, SymDatum *values, GError **error)
{
  gsize n = sym_array_get_n_elements (sym_datum_get_array (values));
  SymDatum *all = new_array (sym_datum_get_dtype (values), n + 1, error);

  if (all == NULL)
    return NULL;
  sym_op_move ((SymArray *) sym_datum_get_array (all), 0, sym_datum_get_array (other), 0, 1);
  sym_op_move ((SymArray *) sym_datum_get_array (all), 1, sym_datum_get_array (values), 0, n);
  return all;
}

/* NULL, with an error, for keys that are not as many as values. */
static const Translator *
keep_translator (SymKernel *kernel,
                 SymDatum *keys,
                 SymDatum *values,
                 SymDatum *other,
                 GError **error)
{
  gsize n_keys = sym_array_get_n_elements (sym_datum_get_array (keys));
  gsize n_values = sym_array_get_n_elements (sym_datum_get_array (values));
  SymDatum *all;
  Translator *self;

  if (n_keys != n_values || n_keys >= G_MAXINT32)
    {
      sym_kernel_set_error (error,
                            "%" G_GSIZE_FORMAT " keys do not fit to %" G_GSIZE_FORMAT " values",
                            n_keys, n_values);
      return NULL;
    }
  all = join (other, values, error);
  if (all == NULL)
    return NULL;
  self = g_new0 (Translator, 1);
  self->keys = sym_datum_ref (keys);
  self->values = all;
  sym_op_ml_table_init (&self->table, sym_datum_get_array (keys));
  sym_kernel_keep (kernel, self, translator_free);
  return self;
}

static void
copy_elements (SymArray *y, gsize first, gsize n, const SymArray *from, const guint32 *places)
{
  if (y->dtype == SYM_DTYPE_INT64)
    for (gsize i = 0; i < n; i++)
      ((gint64 *) y->data)[first + i] = ((const gint64 *) from->data)[places[i]];
  else if (y->dtype == SYM_DTYPE_FLOAT32)
    for (gsize i = 0; i < n; i++)
      ((float *) y->data)[first + i] = ((const float *) from->data)[places[i]];
  else
    for (gsize i = 0; i < n; i++)
      sym_op_move (y, first + i, from, places[i], 1);
}

/* Elements of operand 0 that are one of the keys become the value at the same place. */
static gboolean
translate (SymKernel *kernel, const Translator *self, GError **error)
{
  const SymArray *x = self == NULL ? NULL : sym_kernel_need_input (kernel, 0, error), *to;
  guint32 places[SYM_OP_ML_TABLE_BLOCK];
  gsize asked = 0, n;
  SymArray *y;

  if (x == NULL)
    return FALSE;
  if (x->dtype != sym_datum_get_dtype (self->keys))
    return sym_kernel_fail (error, "keys of %s do not fit to data of %s",
                            sym_dtype_to_string (sym_datum_get_dtype (self->keys)),
                            sym_dtype_to_string (x->dtype));
  to = sym_datum_get_array (self->values);
  y = sym_kernel_new_output (kernel, 0, to->dtype, &x->shape, error);
  for (gsize i = 0; y != NULL && i < sym_array_get_n_elements (x); i += n)
    {
      n = MIN (sym_array_get_n_elements (x) - i, SYM_OP_ML_TABLE_BLOCK);
      sym_op_ml_table_find (&self->table, x, i, n, places);
      copy_elements (y, i, n, to, places);
      if (!sym_op_go_on (kernel, &asked, n, error))
        return FALSE;
    }
  return y != NULL;
}

/* ---- LabelEncoder ---- */

static gboolean
infer_labels (SymRule *rule, GError **error)
{
  SymDType dtype;

  return sym_op_pass_shape (rule, 0, 0, error) &&
         (find_labels (sym_rule_get_attributes (rule), "values", &dtype) == NULL ||
          sym_rule_set_output_dtype (rule, 0, dtype, error));
}

static const Translator *
read_encoder (SymKernel *kernel, GError **error)
{
  g_autoptr (SymDatum) keys = read_labels (kernel, "keys", error);
  g_autoptr (SymDatum) values = keys == NULL ? NULL : read_labels (kernel, "values", error);
  g_autoptr (SymDatum) other =
      values == NULL ? NULL : read_default (kernel, sym_datum_get_dtype (values), error);

  if (other == NULL)
    return NULL;
  return keep_translator (kernel, keys, values, other, error);
}

static gboolean
run_encoder (SymKernel *kernel, GError **error)
{
  const Translator *kept = sym_kernel_get_kept (kernel);

  return translate (kernel, kept == NULL ? read_encoder (kernel, error) : kept, error);
}

/* Between strings, the list @strings, and integers: the list @numbers, or places when it is NULL;
 * whichever the data is not. */
static const Translator *
read_both_ways (SymKernel *kernel, const char *strings, const char *numbers, GError **error)
{
  const SymAttributes *attributes = sym_kernel_get_attributes (kernel);
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  const SymValue *list = sym_attributes_find (attributes, strings);
  const SymValue *places = numbers == NULL ? NULL : sym_attributes_find (attributes, numbers);
  g_autoptr (SymDatum) texts = NULL, integers = NULL, other = NULL;
  gboolean from_text;

  if (x == NULL)
    return NULL;
  if (list == NULL || (numbers != NULL && places == NULL))
    {
      sym_kernel_set_error (error, "there are no labels");
      return NULL;
    }
  texts = read_list (list, SYM_DTYPE_STRING, error);
  integers = places != NULL ? read_list (places, SYM_DTYPE_INT64, error)
                            : new_array (SYM_DTYPE_INT64, sym_value_get_n_children (list), error);
  if (texts == NULL || integers == NULL)
    return NULL;
  for (guint i = 0; places == NULL && i < sym_value_get_n_children (list); i++)
    ((gint64 *) sym_datum_get_array (integers)->data)[i] = i;
  from_text = x->dtype == SYM_DTYPE_STRING;
  other = read_default (kernel, from_text ? SYM_DTYPE_INT64 : SYM_DTYPE_STRING, error);
  if (other == NULL)
    return NULL;
  return from_text ? keep_translator (kernel, texts, integers, other, error)
                   : keep_translator (kernel, integers, texts, other, error);
}

static gboolean
run_both_ways (SymKernel *kernel, const char *strings, const char *numbers, GError **error)
{
  const Translator *kept = sym_kernel_get_kept (kernel);

  return translate (kernel, kept == NULL ? read_both_ways (kernel, strings, numbers, error) : kept,
                    error);
}

static gboolean
infer_both_ways (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);

  return sym_op_pass_shape (rule, 0, 0, error) &&
         (dtype == SYM_DTYPE_UNKNOWN ||
          sym_rule_set_output_dtype (
              rule, 0, dtype == SYM_DTYPE_STRING ? SYM_DTYPE_INT64 : SYM_DTYPE_STRING, error));
}

static gboolean
run_classes (SymKernel *kernel, GError **error)
{
  return run_both_ways (kernel, "classes_strings", NULL, error);
}

static gboolean
run_mapper (SymKernel *kernel, GError **error)
{
  return run_both_ways (kernel, "cats_strings", "cats_int64s", error);
}

/* ---- OneHotEncoder ---- */

static gboolean
infer_one_hot (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  guint n = MAX (sym_op_ml_count (attributes, "cats_int64s"),
                 sym_op_ml_count (attributes, "cats_strings"));
  SymShape x = sym_rule_get_input (rule, 0);

  if (!sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_FLOAT32, error))
    return FALSE;
  if (x.rank < 0 || x.rank == SYM_MAX_RANK)
    return TRUE;
  return sym_op_set_output (rule, 0, sym_op_insert_axis (&x, x.rank, n), SYM_DTYPE_UNKNOWN, error);
}

/* The categories, made in the first run. */
typedef struct {
  SymDatum *keys;
  SymOpMlTable table;
  gsize n;
} Categories;

static void
categories_free (gpointer data)
{
  Categories *self = data;

  sym_op_ml_table_clear (&self->table);
  sym_datum_unref (self->keys);
  g_free (self);
}

static SymDatum *
read_categories (const SymOpMlLabels *labels, GError **error)
{
  SymDatum *datum;

  if (labels->strings != NULL)
    return read_list (labels->strings, SYM_DTYPE_STRING, error);
  datum = new_array (SYM_DTYPE_INT64, labels->n, error);
  if (datum != NULL && labels->n > 0)
    memcpy (sym_datum_get_array (datum)->data, labels->ints, labels->n * sizeof *labels->ints);
  return datum;
}

static const Categories *
need_categories (SymKernel *kernel, GError **error)
{
  Categories *self = sym_kernel_get_kept (kernel);
  SymOpMlLabels labels;
  SymDatum *keys;

  if (self != NULL)
    return self;
  if (!sym_op_ml_get_labels (&labels, kernel, "cats_int64s", "cats_strings", error))
    return NULL;
  keys = read_categories (&labels, error);
  if (keys == NULL)
    return NULL;
  self = g_new0 (Categories, 1);
  self->keys = keys;
  self->n = labels.n;
  sym_op_ml_table_init (&self->table, sym_datum_get_array (keys));
  sym_kernel_keep (kernel, self, categories_free);
  return self;
}

/* Numbers of any dtype are looked for as integers. */
static void
find_categories (const Categories *self, const SymArray *x, gsize first, gsize n, guint32 *places)
{
  gint64 numbers[SYM_OP_ML_TABLE_BLOCK];
  SymArray block = { SYM_DTYPE_INT64, SYM_SHAPE ((gint64) n), numbers };

  if (x->dtype == SYM_DTYPE_STRING || x->dtype == SYM_DTYPE_INT64)
    {
      sym_op_ml_table_find (&self->table, x, first, n, places);
      return;
    }
  for (gsize i = 0; i < n; i++)
    numbers[i] = sym_element_get_int (x->dtype, x->data, first + i);
  sym_op_ml_table_find (&self->table, &block, 0, n, places);
}

static gboolean
run_one_hot (SymKernel *kernel, GError **error)
{
  gboolean zeros = sym_kernel_get_int (kernel, "zeros", 1) != 0;
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  const Categories *categories = x == NULL ? NULL : need_categories (kernel, error);
  guint32 places[SYM_OP_ML_TABLE_BLOCK];
  gsize asked = 0, n;
  SymArray *y;

  if (categories == NULL)
    return FALSE;
  if ((x->dtype == SYM_DTYPE_STRING) != (categories->table.places != NULL) ||
      x->shape.rank == SYM_MAX_RANK)
    return sym_kernel_fail (error, "data of %s does not fit to the categories",
                            sym_dtype_to_string (x->dtype));
  y = sym_kernel_new_output (
      kernel, 0, SYM_DTYPE_FLOAT32,
      (SymShape[]){ sym_op_insert_axis (&x->shape, x->shape.rank, (gint64) categories->n) }, error);
  for (gsize i = 0; y != NULL && i < sym_array_get_n_elements (x); i += n)
    {
      float *to = (float *) y->data + i * categories->n;

      n = MIN (sym_array_get_n_elements (x) - i, SYM_OP_ML_TABLE_BLOCK);
      find_categories (categories, x, i, n, places);
      memset (to, 0, n * categories->n * sizeof *to);
      for (gsize k = 0; k < n; k++)
        if (places[k] > 0)
          to[k * categories->n + places[k] - 1] = 1;
        else if (!zeros)
          return sym_kernel_fail (error, "element %" G_GSIZE_FORMAT " is none of the categories",
                                  i + k);
      if (!sym_op_go_on (kernel, &asked, n * categories->n, error))
        return FALSE;
    }
  return y != NULL;
}

#define LABELS(name_, version_, attributes_, infer_, run_)                                \
  SYM_OP_ML (name_, version_), .summary = "labels as other ones, by a table",             \
                               .category = SYM_CATEGORY_OTHER, .attributes = attributes_, \
                               .slots = sym_op_ml_x, .infer = infer_, .run = run_

const SymOperator sym_op_onnx_ml_labels[] = {
  { LABELS ("LabelEncoder", 1, classes_attributes, infer_both_ways, run_classes) },
  { LABELS ("LabelEncoder", 2, encoder_attributes, infer_labels, run_encoder) },
  { LABELS ("LabelEncoder", 4, tensor_attributes, infer_labels, run_encoder) },
  { LABELS ("CategoryMapper", 1, mapper_attributes, infer_both_ways, run_mapper) },
  { SYM_OP_ML ("OneHotEncoder", 1), .summary = "1 at the place of each category, else 0",
    .category = SYM_CATEGORY_OTHER, .attributes = one_hot_attributes, .slots = sym_op_ml_x,
    .infer = infer_one_hot, .run = run_one_hot },
  { NULL },
};
