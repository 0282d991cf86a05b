/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx-ml.h"
#include "ops/sym-op-sort.h"
#include "ops/sym-op-table.h"

/* Tables from one kind of label to another. */

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

/* The attribute "keys_..." or "values_..." that is there; NULL, with an error, for none. */
static SymDatum *
read_labels (SymKernel *kernel, const char *what, GError **error)
{
  static const struct {
    const char *suffix;
    SymDType dtype;
  } kinds[] = { { "_strings", SYM_DTYPE_STRING },
                { "_int64s", SYM_DTYPE_INT64 },
                { "_floats", SYM_DTYPE_FLOAT32 },
                { "_tensor", SYM_DTYPE_UNKNOWN } };
  const SymAttributes *attributes = sym_kernel_get_attributes (kernel);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *name = g_strconcat (what, kinds[i].suffix, NULL);
      const SymValue *value = sym_attributes_find (attributes, name);

      if (value == NULL || sym_value_get_kind (value) == SYM_VALUE_NONE)
        continue;
      if (sym_value_get_tensor (value) != NULL)
        return sym_datum_new_read (sym_value_get_tensor (value), error);
      if (sym_value_get_n_children (value) > 0)
        return read_list (value, kinds[i].dtype, error);
    }
  sym_kernel_set_error (error, "there are no %s", what);
  return NULL;
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

/* ---- Tables ---- */

/* From elements of an array to their places.  The first of equal ones counts. */
typedef struct {
  GHashTable *places;
  guint64 *numbers; /* keys of what is no string */
} Table;

static void
table_clear (Table *self)
{
  g_clear_pointer (&self->places, g_hash_table_unref);
  g_clear_pointer (&self->numbers, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Table, table_clear)

static void
table_init (Table *self, const SymArray *keys)
{
  gboolean strings = keys->dtype == SYM_DTYPE_STRING;
  gsize n = sym_array_get_n_elements (keys);

  self->numbers = strings ? NULL : g_new (guint64, n + 1);
  self->places = strings ? g_hash_table_new (g_bytes_hash, g_bytes_equal)
                         : g_hash_table_new (g_int64_hash, g_int64_equal);
  for (gsize i = n; i > 0; i--)
    {
      gpointer key;

      if (!strings)
        self->numbers[i - 1] = sym_op_get_key (keys, i - 1);
      key = strings ? (gpointer) ((GBytes **) keys->data)[i - 1] : &self->numbers[i - 1];
      g_hash_table_replace (self->places, key, GSIZE_TO_POINTER (i));
    }
}

/* The place of element @i of @x, plus 1; 0 for none. */
static gsize
table_find (const Table *self, const SymArray *x, gsize i)
{
  guint64 number;

  if (x->dtype == SYM_DTYPE_STRING)
    return GPOINTER_TO_SIZE (g_hash_table_lookup (self->places, ((GBytes *const *) x->data)[i]));
  number = sym_op_get_key (x, i);
  return GPOINTER_TO_SIZE (g_hash_table_lookup (self->places, &number));
}

/* Elements of operand 0 that are one of @keys become the one of @values at the same place. */
static gboolean
translate (SymKernel *kernel, SymDatum *keys, SymDatum *values, SymDatum *other, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  const SymArray *from = sym_datum_get_array (keys), *to = sym_datum_get_array (values);
  g_auto (Table) table = { NULL };
  gsize asked = 0;
  SymArray *y;

  if (x == NULL)
    return FALSE;
  if (x->dtype != from->dtype || sym_array_get_n_elements (from) != sym_array_get_n_elements (to))
    return sym_kernel_fail (error,
                            "%" G_GSIZE_FORMAT " keys of %s and %" G_GSIZE_FORMAT
                            " values do not fit to data of %s",
                            sym_array_get_n_elements (from), sym_dtype_to_string (from->dtype),
                            sym_array_get_n_elements (to), sym_dtype_to_string (x->dtype));
  table_init (&table, from);
  y = sym_kernel_new_output (kernel, 0, to->dtype, &x->shape, error);
  for (gsize i = 0; y != NULL && i < sym_array_get_n_elements (x); i++)
    {
      gsize place = table_find (&table, x, i);

      sym_op_move (y, i, place > 0 ? to : sym_datum_get_array (other), place > 0 ? place - 1 : 0,
                   1);
      if (!sym_op_go_on (kernel, &asked, 1, error))
        return FALSE;
    }
  return y != NULL;
}

/* ---- LabelEncoder ---- */

static gboolean
infer_labels (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error);
}

static gboolean
run_encoder (SymKernel *kernel, GError **error)
{
  g_autoptr (SymDatum) keys = read_labels (kernel, "keys", error);
  g_autoptr (SymDatum) values = keys == NULL ? NULL : read_labels (kernel, "values", error);
  g_autoptr (SymDatum) other =
      values == NULL ? NULL : read_default (kernel, sym_datum_get_dtype (values), error);

  return other != NULL && translate (kernel, keys, values, other, error);
}

/* Between strings, the list @strings, and integers: the list @numbers, or places when it is NULL;
 * whichever the data is not. */
static gboolean
run_both_ways (SymKernel *kernel, const char *strings, const char *numbers, GError **error)
{
  const SymAttributes *attributes = sym_kernel_get_attributes (kernel);
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  const SymValue *list = sym_attributes_find (attributes, strings);
  const SymValue *places = numbers == NULL ? NULL : sym_attributes_find (attributes, numbers);
  g_autoptr (SymDatum) texts = NULL, integers = NULL, other = NULL;
  gboolean from_text;

  if (x == NULL)
    return FALSE;
  if (list == NULL || (numbers != NULL && places == NULL))
    return sym_kernel_fail (error, "there are no labels");
  texts = read_list (list, SYM_DTYPE_STRING, error);
  integers = places != NULL ? read_list (places, SYM_DTYPE_INT64, error)
                            : new_array (SYM_DTYPE_INT64, sym_value_get_n_children (list), error);
  if (texts == NULL || integers == NULL)
    return FALSE;
  for (guint i = 0; places == NULL && i < sym_value_get_n_children (list); i++)
    ((gint64 *) sym_datum_get_array (integers)->data)[i] = i;
  from_text = x->dtype == SYM_DTYPE_STRING;
  other = read_default (kernel, from_text ? SYM_DTYPE_INT64 : SYM_DTYPE_STRING, error);
  return other != NULL && translate (kernel, from_text ? texts : integers,
                                     from_text ? integers : texts, other, error);
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

#define LABELS(name_, version_, attributes_, infer_, run_)                                \
  SYM_OP_ML (name_, version_), .summary = "labels as other ones, by a table",             \
                               .category = SYM_CATEGORY_OTHER, .attributes = attributes_, \
                               .slots = sym_op_ml_x, .infer = infer_, .run = run_

const SymOperator sym_op_onnx_ml_labels[] = {
  { LABELS ("LabelEncoder", 1, classes_attributes, infer_both_ways, run_classes) },
  { LABELS ("LabelEncoder", 2, encoder_attributes, infer_labels, run_encoder) },
  { LABELS ("LabelEncoder", 4, tensor_attributes, infer_labels, run_encoder) },
  { LABELS ("CategoryMapper", 1, mapper_attributes, infer_both_ways, run_mapper) },
  { NULL },
};
