/* SPDX-License-Identifier: MIT */
#include "query/sym-groups-private.h"

#include "core/sym-progress.h"

#include <math.h>
#include <string.h>

/* How many operands a call takes, its own name and how it is to be run tell nothing of what it
 * does. Which slice it takes and which number it adds are what copies differ in: 80 classes of a
 * detector are 80 equal branches. */
static gboolean
matters (const char *attribute)
{
  static const char *const others[] = {
    "num_args",        "num_inputs",      "name",  "workspace",
    "cudnn_tune",      "cudnn_off",       "begin", "end",
    "index",           "starts",          "ends",  "scalar",
    "min_calib_range", "max_calib_range",
  };

  if (attribute[0] == '_' && attribute[1] == '_')
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (attribute[0] == others[i][0] && g_str_equal (attribute, others[i]))
      return FALSE;
  return TRUE;
}

#define N_HASHED 4 /* numbers of a list */

/* Equal numbers have equal hashes: 0 and -0 are, and so is what is not a number.  (g_double_hash()
 * leaves out what is behind the point.) */
static guint
hash_number (const SymValue *value)
{
  double number;
  guint64 bits;

  if (!sym_value_get_float (value, &number))
    return 0;
  if (isnan (number))
    return 1;
  number += 0.0; /* of -0 makes 0 */
  memcpy (&bits, &number, sizeof bits);
  return (guint) (bits ^ bits >> 32);
}

/* Equal values have equal hashes; what is deep in a tree is left to the comparison. */
static guint
hash_value (const SymValue *value)
{
  guint n = sym_value_get_n_children (value);
  guint hash = sym_value_get_kind (value) + 31 * n;

  if (sym_value_get_string (value))
    return hash * 31 + g_str_hash (sym_value_get_string (value));
  hash = hash * 31 + hash_number (value);
  for (guint i = 0; i < MIN (n, N_HASHED); i++)
    hash = hash * 31 + hash_number (sym_value_get_child (value, i));
  return hash;
}

/* Layers of one type have attributes of the same names: two letters of one are enough. */
static guint
hash_name (const char *name)
{
  return name[0] == '\0' ? 1 : (guchar) name[0] * 64u + (guchar) name[1] * 2u + 1;
}

static guint
hash_layer (gconstpointer key)
{
  const SymLayer *layer = key;
  const SymAttributes *attributes = sym_layer_get_attributes (layer);
  guint hash = g_str_hash (sym_layer_get_type (layer));

  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    if (matters (sym_attributes_get_name (attributes, i)))
      hash += hash_name (sym_attributes_get_name (attributes, i)) *
              (hash_value (sym_attributes_get_value (attributes, i)) | 1);
  return hash;
}

static guint
count_attributes (const SymAttributes *attributes)
{
  guint n = 0;

  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    n += matters (sym_attributes_get_name (attributes, i));
  return n;
}

/* Whether two lists have the same names in the same order, and equal values where these matter. */
static gboolean
is_equal_in_order (const SymAttributes *a, const SymAttributes *b)
{
  if (sym_attributes_get_n (a) != sym_attributes_get_n (b))
    return FALSE;
  for (guint i = 0; i < sym_attributes_get_n (a); i++)
    if (!g_str_equal (sym_attributes_get_name (a, i), sym_attributes_get_name (b, i)) ||
        (!sym_value_equal (sym_attributes_get_value (a, i), sym_attributes_get_value (b, i)) &&
         matters (sym_attributes_get_name (a, i))))
      return FALSE;
  return TRUE;
}

static gboolean
has_equal_attributes (const SymLayer *a, const SymLayer *b)
{
  const SymAttributes *of_a = sym_layer_get_attributes (a);
  const SymAttributes *of_b = sym_layer_get_attributes (b);

  if (of_a == of_b || is_equal_in_order (of_a, of_b))
    return TRUE;
  if (count_attributes (of_a) != count_attributes (of_b))
    return FALSE;
  for (guint i = 0; i < sym_attributes_get_n (of_a); i++)
    {
      const char *name = sym_attributes_get_name (of_a, i);
      const SymValue *other;

      if (!matters (name))
        continue;
      other = sym_attributes_find (of_b, name);
      if (!other || !sym_value_equal (sym_attributes_get_value (of_a, i), other))
        return FALSE;
    }
  return TRUE;
}

/* Bodies that were read apart count as equal when they have the same layers in the same order. */
static gboolean
has_equal_body (SymModel *a, SymModel *b)
{
  SymIds of_a = sym_model_get_execution_order (a);
  SymIds of_b = sym_model_get_execution_order (b);

  if (a == b)
    return TRUE;
  if (of_a.n != of_b.n)
    return FALSE;
  for (guint i = 0; i < of_a.n; i++)
    {
      const SymLayer *layer = sym_model_get_layer (a, of_a.ids[i]);
      const SymLayer *other = sym_model_get_layer (b, of_b.ids[i]);

      if (!g_str_equal (sym_layer_get_type (layer), sym_layer_get_type (other)) ||
          !has_equal_attributes (layer, other))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_equal_layer (gconstpointer first, gconstpointer second)
{
  const SymLayer *a = first;
  const SymLayer *b = second;

  if (a == b)
    return TRUE;
  if (!g_str_equal (sym_layer_get_type (a), sym_layer_get_type (b)) ||
      sym_layer_get_n_bodies (a) != sym_layer_get_n_bodies (b) || !has_equal_attributes (a, b))
    return FALSE;
  for (guint i = 0; i < sym_layer_get_n_bodies (a); i++)
    if (!has_equal_body (sym_layer_get_body (a, i, NULL), sym_layer_get_body (b, i, NULL)))
      return FALSE;
  return TRUE;
}

static guint
count_data (const SymGroupDraft *self, guint position)
{
  guint n = 0;

  for (guint i = self->use_starts[position]; i < self->use_starts[position + 1]; i++)
    n += self->uses[i].source < self->n || self->uses[i].source == SYM_GROUP_USE_INPUT;
  return n;
}

static void
find_variadic (SymGroupDraft *self, guint n_classes)
{
  g_autofree guint *counts = g_new (guint, n_classes + 1);
  g_autofree guint8 *differ = g_new0 (guint8, n_classes + 1);

  for (guint i = 0; i < n_classes; i++)
    counts[i] = G_MAXUINT;
  for (guint i = 0; i < self->n; i++)
    {
      guint n = count_data (self, i);

      differ[self->classes[i]] |=
          counts[self->classes[i]] != G_MAXUINT && counts[self->classes[i]] != n;
      counts[self->classes[i]] = n;
    }
  for (guint i = 0; i < self->n; i++)
    self->is_variadic[i] = differ[self->classes[i]];
}

void
sym_group_draft_classify (SymGroupDraft *self)
{
  g_autoptr (GHashTable) classes = g_hash_table_new (hash_layer, is_equal_layer);

  for (guint i = 0; i < self->n; i++)
    {
      SymLayer *layer = sym_model_get_layer (self->model, self->order[i]);
      gpointer found = g_hash_table_lookup (classes, layer);

      if (sym_progress_step (self->cancellable, i, self->n))
        return;
      if (!found)
        {
          found = GUINT_TO_POINTER (g_hash_table_size (classes) + 1);
          g_hash_table_insert (classes, layer, found);
        }
      self->classes[i] = GPOINTER_TO_UINT (found) - 1;
    }
  find_variadic (self, g_hash_table_size (classes));
}
