/* SPDX-License-Identifier: MIT */
#include "ops/sym-op.h"
#include "query/sym-query-private.h"
#include "query/sym-window.h"

#include <math.h>
#include <string.h>

/* ---- Names: "kernel" is kernel_shape and kernel_size, too ---- */

/* Words of several dialects for one thing. */
static const char *const synonyms[][4] = {
  { "dilation", "dilations", "dilate" },
  { "features", "num_hidden", "out_features" },
  { "filters", "num_filter", "out_channels" },
  { "groups", "num_group", "group" },
  { "pad", "pads", "padding" },
  { "padding", "pads", "pad" },
  { "stride", "strides" },
};

/* @wanted is in lower case. */
static gboolean
is_called (const char *name, const char *wanted)
{
  gsize length = strlen (wanted);

  if (g_ascii_strncasecmp (name, wanted, length) == 0 &&
      (name[length] == '\0' || name[length] == '_'))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (synonyms); i++)
    if (strcmp (synonyms[i][0], wanted) == 0)
      for (guint k = 1; k < G_N_ELEMENTS (synonyms[i]) && synonyms[i][k] != NULL; k++)
        if (g_ascii_strcasecmp (name, synonyms[i][k]) == 0)
          return TRUE;
  return FALSE;
}

static gboolean
is_window (const SymQueryCondition *self)
{
  return g_strcmp0 (self->name, "kernel") == 0;
}

/* ---- Values ---- */

#define MAX_NUMBERS 64

/* The numbers of a number, a truth value or a list of these; -1 when it is something else or
 * longer. */
static int
get_numbers (const SymValue *value, double *numbers)
{
  guint n = sym_value_get_n_children (value);

  if (sym_value_get_float (value, numbers))
    return 1;
  if ((sym_value_get_kind (value) != SYM_VALUE_LIST &&
       sym_value_get_kind (value) != SYM_VALUE_TUPLE) ||
      n == 0 || n > MAX_NUMBERS)
    return -1;
  for (guint i = 0; i < n; i++)
    if (!sym_value_get_float (sym_value_get_child (value, i), &numbers[i]))
      return -1;
  return (int) n;
}

/* "3x5", "3,5", "[3, 5]": number for number. */
static gboolean
is_list (const char *text, const double *numbers, int n)
{
  const char *at = text + (*text == '[');

  for (int i = 0; i < n; i++)
    {
      char *end;

      if (g_ascii_strtod (at, &end) != numbers[i] || end == at)
        return FALSE;
      at = end;
      if (g_str_has_prefix (at, SYM_QUERY_TIMES))
        at += strlen (SYM_QUERY_TIMES);
      else if (*at == 'x' || *at == ',')
        at++;
      else if (i + 1 < n)
        return FALSE;
    }
  return *at == '\0' || (*text == '[' && strcmp (at, "]") == 0);
}

static gboolean
match_yes (const SymQueryCondition *self, const SymValue *value)
{
  gboolean truth;

  if (sym_value_get_kind (value) != SYM_VALUE_BOOL || !sym_value_get_bool (value, &truth))
    return FALSE;
  return strcmp (self->text, truth ? "yes" : "no") == 0;
}

static gboolean
match_text (const SymQueryCondition *self, const SymValue *value, gboolean *hard)
{
  const char *string = sym_value_get_string (value);
  g_autofree char *text = string != NULL ? g_strdup (string) : sym_value_to_string (value);
  g_autofree char *folded = sym_query_fold (text);

  return sym_query_match_text (self, text, folded, FALSE, hard);
}

/* A number is the whole of a value: 3 is no part of 32.  Numbers as large tensors have are not
 * looked through. */
static gboolean
match_value (const SymQueryCondition *self, const SymValue *value, gboolean *hard)
{
  double numbers[MAX_NUMBERS];
  int n = sym_value_get_kind (value) == SYM_VALUE_TENSOR ? -1 : get_numbers (value, numbers);

  if (sym_value_get_kind (value) == SYM_VALUE_TENSOR)
    return FALSE;
  if (!isnan (self->low))
    {
      for (int i = 0; i < n; i++)
        if (!sym_query_compare (self, numbers[i]))
          return FALSE;
      if (n > 0)
        return TRUE;
      return self->comparison <= SYM_QUERY_IS_NOT && sym_value_get_string (value) != NULL &&
             match_text (self, value, hard);
    }
  if (n > 0 && self->matching != SYM_QUERY_EXPRESSION && self->matching != SYM_QUERY_GLOB)
    return is_list (self->text, numbers, n) || match_yes (self, value) ||
           (sym_value_get_kind (value) == SYM_VALUE_BOOL && match_text (self, value, hard));
  return match_text (self, value, hard);
}

/* ---- Items ---- */

/* The first that matches, -1 for none; *@is_there tells whether one has the name at all. */
static int
find_attribute (const SymQueryCondition *self,
                const SymAttributes *attributes,
                gboolean *is_there,
                gboolean *hard)
{
  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    if (is_called (sym_attributes_get_name (attributes, i), self->name))
      {
        *is_there = TRUE;
        if (match_value (self, sym_attributes_get_value (attributes, i), hard))
          return (int) i;
      }
  return -1;
}

/* "attr:auto_pad", "attr:same_upper": a name or a value. */
static int
find_any_attribute (const SymQueryCondition *self,
                    const SymAttributes *attributes,
                    gboolean *is_there,
                    gboolean *hard)
{
  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    {
      g_autofree char *name = sym_query_fold (sym_attributes_get_name (attributes, i));

      *is_there = TRUE;
      if (sym_query_match_text (self, name, name, FALSE, hard) ||
          match_value (self, sym_attributes_get_value (attributes, i), hard))
        return (int) i;
    }
  return -1;
}

typedef int (*Find) (const SymQueryCondition *self,
                     const SymAttributes *attributes,
                     gboolean *is_there,
                     gboolean *hard);

/* What a file leaves out has its default: NULL when that does not match either. */
static const SymAttributeSpec *
find_default (const SymQueryCondition *self, const SymOperator *op, gboolean *hard)
{
  for (const SymAttributeSpec *spec = op == NULL ? NULL : op->attributes;
       spec != NULL && spec->name != NULL; spec++)
    if (spec->fallback != NULL && is_called (spec->name, self->name))
      {
        g_autoptr (SymValue) value = sym_op_type_literal (spec->kind, spec->fallback);

        if (value != NULL && sym_value_get_kind (value) != SYM_VALUE_NONE &&
            match_value (self, value, hard))
          return spec;
      }
  return NULL;
}

/* "kernel" of a layer that has no attribute like it: of what its dialect has instead. */
static gboolean
match_window (const SymQueryCondition *self, const SymModel *model, SymId call, gboolean *hard)
{
  g_autofree char *text = is_window (self) ? sym_window_format (model, call, ", ") : NULL;
  g_autofree char *list = text != NULL ? g_strdup_printf ("[%s]", text) : NULL;
  g_autoptr (SymValue) value = list != NULL ? sym_value_parse (list) : NULL;

  return value != NULL && match_value (self, value, hard);
}

static gboolean
match_item (const SymQueryCondition *self,
            const SymQueryIndex *index,
            guint item,
            Find find,
            gboolean *hard)
{
  SymLayer *layer = sym_query_index_get_layer (index, item);
  gboolean is_there = FALSE;

  if (find (self, sym_layer_get_attributes (layer), &is_there, hard) >= 0)
    return TRUE;
  if (is_there || self->name == NULL)
    return FALSE;
  return find_default (self, sym_layer_get_operator (layer), hard) != NULL ||
         match_window (self, index->model, sym_query_index_get_item (index, item).call, hard);
}

static gboolean
match_items (SymQueryScan *scan, const SymQueryCondition *condition, Find find, guint8 *truths)
{
  const SymQueryIndex *index = scan->index;
  gboolean hard = FALSE;

  memset (truths, SYM_QUERY_UNKNOWN, index->n_items);
  for (guint i = 0; i < index->n_nodes + index->n_calls; i++)
    {
      if (!sym_query_goes_on (scan, i))
        return FALSE;
      if (sym_query_index_get_layer (index, i) != NULL)
        truths[i] = match_item (condition, index, i, find, &hard);
      if (hard)
        return sym_query_fail_hard (scan, condition);
    }
  return TRUE;
}

static gboolean
has_window (const SymModel *model)
{
  gint64 sizes[SYM_MAX_RANK];

  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    if (sym_model_has_call (model, call) && sym_window_get_sizes (model, call, sizes) > 0)
      return TRUE;
  return FALSE;
}

/* A name that no layer has is likely misspelt, or was meant as a text. */
static gboolean
check_name (SymQueryScan *scan, const SymQueryCondition *condition)
{
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, sym_query_index_get_attributes (scan->index));
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (is_called (name, condition->name))
      return TRUE;
  if (is_window (condition) && has_window (scan->index->model))
    return TRUE;
  sym_query_set_error (
      scan->error, SYM_QUERY_ERROR_NAME, scan->query->text, condition->start,
      "there is no field “%s”, nor has a layer here such an attribute; to look for "
      "the text, put it between quotation marks",
      condition->name);
  return FALSE;
}

gboolean
sym_query_match_attribute (SymQueryScan *scan, const SymQueryCondition *condition, guint8 *truths)
{
  return check_name (scan, condition) && match_items (scan, condition, find_attribute, truths);
}

gboolean
sym_query_match_any_attribute (SymQueryScan *scan,
                               const SymQueryCondition *condition,
                               guint8 *truths)
{
  return match_items (scan, condition, find_any_attribute, truths);
}

static char *
tell_window (SymQueryScan *scan, const SymQueryCondition *condition, guint item)
{
  SymId call = sym_query_index_get_item (scan->index, item).call;
  g_autofree char *text = NULL;
  gboolean hard = FALSE;

  if (!match_window (condition, scan->index->model, call, &hard))
    return NULL;
  text = sym_window_format (scan->index->model, call, "x");
  return g_strdup_printf ("kernel %s", text);
}

static char *
tell_default (SymQueryScan *scan, const SymQueryCondition *condition, guint item)
{
  SymLayer *layer = sym_query_index_get_layer (scan->index, item);
  gboolean hard = FALSE;
  const SymAttributeSpec *spec = find_default (condition, sym_layer_get_operator (layer), &hard);

  return spec == NULL ? tell_window (scan, condition, item)
                      : g_strdup_printf ("%s %s by default", spec->name, spec->fallback);
}

static char *
tell (SymQueryScan *scan, const SymQueryCondition *condition, guint item, Find find)
{
  const SymAttributes *attributes =
      sym_layer_get_attributes (sym_query_index_get_layer (scan->index, item));
  gboolean is_there = FALSE, hard = FALSE;
  int found = find (condition, attributes, &is_there, &hard);
  g_autofree char *value = NULL;

  if (found < 0 && condition->name != NULL)
    return tell_default (scan, condition, item);
  if (found < 0)
    return NULL;
  value = sym_value_to_string (sym_attributes_get_value (attributes, (guint) found));
  return g_strdup_printf ("%s %s", sym_attributes_get_name (attributes, (guint) found), value);
}

char *
sym_query_tell_attribute (SymQueryScan *scan, const SymQueryCondition *condition, guint item)
{
  return tell (scan, condition, item, find_attribute);
}

char *
sym_query_tell_any_attribute (SymQueryScan *scan, const SymQueryCondition *condition, guint item)
{
  return tell (scan, condition, item, find_any_attribute);
}
