/* SPDX-License-Identifier: MIT */
#include "scene/sym-scene-text.h"

#include "query/sym-window.h"

#include <string.h>

/* Up to four sizes are told; kernels have one per spatial dimension. */
#define MAX_SIZES 4

/* Names that dialects give to the attributes that a label tells. */
static const char *const kernel_names[] = { "kernel", "kernel_size", "kernel_shape", "pool_size",
                                            NULL };
static const char *const stride_names[] = { "stride", "strides", NULL };
static const char *const count_names[] = { "num_filter",  "out_channels", "filters",
                                           "num_hidden",  "out_features", "units",
                                           "n_features",  "output_dim",   "hidden_size",
                                           "num_outputs", "state_size",   NULL };
static const char *const word_names[] = { "act_type", "pool_type", "activation", "mode", NULL };
static const char *const number_names[] = { "p", "rate", "scalar", NULL };
static const char *const factor_names[] = { "alpha", NULL };
static const char *const axis_names[] = { "axis", "dim", NULL };
static const char *const tuple_names[] = { "shape", "target_shape", "newshape", "new_shape",
                                           "axes",  "perm",         NULL };
static const char *const attribute_names[] = { "name", "attr", "attribute", NULL };

/* The attribute's value; one that its file has as a string only ("(7, 7)" of an operator that is
 * not known) is read as a literal.  The caller owns the reference. */
static SymValue *
find (const SymAttributes *attributes, const char *const *names)
{
  const SymValue *value = NULL;
  SymValue *parsed = NULL;
  const char *text;

  for (guint i = 0; names[i] && !value; i++)
    value = sym_attributes_find (attributes, names[i]);
  if (!value || sym_value_get_kind (value) == SYM_VALUE_NONE)
    return NULL;
  text = sym_value_get_kind (value) == SYM_VALUE_STRING ? sym_value_get_string (value) : NULL;
  if (text)
    parsed = sym_value_parse (text);
  return parsed ? parsed : sym_value_ref ((SymValue *) value);
}

/* "7×7", also of [1, 7, 7, 1], which has the batch and the channels, too; "2" instead of "2×2" when
 * @fold.  NULL when the value holds no sizes.  @model is NULL for sizes that are no window's. */
static char *
format_sizes (const SymModel *model, SymId call, const SymValue *value, gboolean fold)
{
  gint64 sizes[MAX_SIZES];
  int n = value ? sym_value_get_ints (value, sizes, MAX_SIZES) : -1;
  gboolean equal = TRUE;
  g_autoptr (GString) text = NULL;

  if (n <= 0 || n > MAX_SIZES)
    return NULL;
  n = model != NULL ? sym_window_drop_ones (model, call, sizes, n) : n;
  for (int i = 0; i < n; i++)
    {
      if (sizes[i] == SYM_DIM_UNKNOWN)
        return NULL;
      equal = equal && sizes[i] == sizes[0];
    }
  text = g_string_new (NULL);
  for (int i = 0; i < (fold && equal ? 1 : n); i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i ? "×" : "", sizes[i]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
is_global_pool (const SymAttributes *attributes)
{
  const SymValue *value = sym_attributes_find (attributes, "global_pool");
  gboolean global = FALSE;

  return value && sym_value_get_bool (value, &global) && global;
}

static void
append_word (GString *label, const SymAttributes *attributes)
{
  g_autoptr (SymValue) value = find (attributes, word_names);
  const char *word = NULL;

  if (value && sym_value_get_kind (value) == SYM_VALUE_STRING)
    word = sym_value_get_string (value);
  if (word && *word && strlen (word) <= 16)
    g_string_append_printf (label, " %s", word);
}

/* Returns whether there was a kernel. */
static gboolean
append_kernel (GString *label, const SymModel *model, SymId call, const SymAttributes *attributes)
{
  g_autoptr (SymValue) kernel_value = find (attributes, kernel_names);
  g_autoptr (SymValue) stride_value = find (attributes, stride_names);
  g_autofree char *kernel = kernel_value != NULL ? format_sizes (model, call, kernel_value, FALSE)
                                                 : sym_window_format (model, call, "×");
  g_autofree char *stride = format_sizes (model, call, stride_value, TRUE);

  if (is_global_pool (attributes))
    {
      g_string_append (label, " global");
      return TRUE;
    }
  if (!kernel)
    return FALSE;
  g_string_append_printf (label, " %s", kernel);
  if (stride && !g_str_equal (stride, "1"))
    g_string_append_printf (label, "/%s", stride);
  return TRUE;
}

static gboolean
append_count (GString *label, const SymAttributes *attributes, gboolean after_kernel)
{
  g_autoptr (SymValue) value = find (attributes, count_names);
  g_autofree char *count = format_sizes (NULL, SYM_NO_ID, value, TRUE);

  if (!count)
    return FALSE;
  g_string_append_printf (label, "%s%s", after_kernel ? ", " : " ", count);
  return TRUE;
}

/* A factor of 1 tells nothing. */
static char *
format_number (const SymAttributes *attributes)
{
  g_autoptr (SymValue) number = find (attributes, number_names);
  g_autoptr (SymValue) factor = number == NULL ? find (attributes, factor_names) : NULL;
  const SymValue *told = number != NULL ? number : factor;
  double n;

  if (told == NULL || sym_value_get_kind (told) == SYM_VALUE_BOOL ||
      !sym_value_get_float (told, &n) || (told == factor && n == 1))
    return NULL;
  return sym_value_to_string (told);
}

/* What tells layers apart that have neither kernel nor count: a number, an axis, a shape. */
static void
append_detail (GString *label, const SymAttributes *attributes, SymCategory category)
{
  g_autoptr (SymValue) axis = find (attributes, axis_names);
  g_autoptr (SymValue) tuple = find (attributes, tuple_names);
  g_autofree char *text = format_number (attributes);
  gint64 axis_number;

  if (!text && axis && category != SYM_CATEGORY_NORMALIZATION &&
      sym_value_get_kind (axis) == SYM_VALUE_INT && sym_value_get_int (axis, &axis_number))
    text = g_strdup_printf ("axis %" G_GINT64_FORMAT, axis_number);
  else if (!text && tuple && sym_value_get_n_children (tuple) <= 6)
    text = sym_value_to_string (tuple);
  if (text && strlen (text) <= 24)
    g_string_append_printf (label, " %s", text);
}

static char *
format_attribute_access (const SymAttributes *attributes)
{
  g_autoptr (SymValue) value = find (attributes, attribute_names);
  const char *name = value ? sym_value_get_string (value) : NULL;

  return name ? g_strdup_printf (".%s", name) : NULL;
}

/* What the layer looks at. */
static SymAttributes *
list_used (const SymLayer *layer)
{
  const SymAttributes *attributes = sym_layer_get_attributes (layer);
  const SymOperator *op = sym_layer_get_operator (layer);
  SymAttributes *used = sym_attributes_new ();

  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    if (sym_operator_has_attribute (op, sym_attributes_get_name (attributes, i)))
      sym_attributes_set_same (used, attributes, i);
  return used;
}

char *
sym_scene_format_call (const SymModel *model, SymId call)
{
  SymLayer *layer = sym_model_get_layer (model, call);
  const char *type = sym_layer_get_type (layer);
  g_autoptr (SymAttributes) attributes = list_used (layer);
  GString *label;
  gboolean has_kernel;

  if (g_str_equal (type, "GetAttr"))
    {
      char *access = format_attribute_access (attributes);

      if (access)
        return access;
    }
  label = g_string_new (type);
  append_word (label, attributes);
  has_kernel = append_kernel (label, model, call, attributes);
  if (!append_count (label, attributes, has_kernel) && !has_kernel)
    append_detail (label, attributes, sym_layer_get_category (layer));
  return g_string_free (label, FALSE);
}
