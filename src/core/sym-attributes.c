/* SPDX-License-Identifier: MIT */
#include "core/sym-value.h"

#include <string.h>

/* Up to here looking through all names is the fastest way to find one. */
#define INDEX_FROM 24

typedef struct {
  GRefString *name; /* interned: the same few names occur in every layer */
  SymValue *value;
  char *literal;
} Attribute;

struct _SymAttributes {
  gatomicrefcount ref_count;
  GArray *items;     /* of Attribute; NULL while there are none */
  GHashTable *index; /* name to position, of long lists only */
};

static void
clear_attribute (gpointer data)
{
  Attribute *attribute = data;

  g_ref_string_release (attribute->name);
  sym_value_unref (attribute->value);
  g_free (attribute->literal);
}

static guint
find_index (const SymAttributes *self, const char *name)
{
  guint n = sym_attributes_get_n (self);
  gpointer position;

  if (n > INDEX_FROM)
    return g_hash_table_lookup_extended (self->index, name, NULL, &position)
               ? GPOINTER_TO_UINT (position)
               : n;

  for (guint i = 0; i < n; i++)
    if (strcmp (g_array_index (self->items, Attribute, i).name, name) == 0)
      return i;

  return n;
}

static void
append (SymAttributes *self, Attribute attribute)
{
  guint first;

  if (self->items == NULL)
    {
      self->items = g_array_new (FALSE, FALSE, sizeof (Attribute));
      g_array_set_clear_func (self->items, clear_attribute);
    }
  first = self->items->len;
  g_array_append_val (self->items, attribute);
  if (self->items->len <= INDEX_FROM)
    return;

  if (self->index == NULL)
    {
      self->index = g_hash_table_new (g_str_hash, g_str_equal);
      first = 0;
    }
  for (guint i = first; i < self->items->len; i++)
    g_hash_table_insert (self->index, g_array_index (self->items, Attribute, i).name,
                         GUINT_TO_POINTER (i));
}

SymAttributes *
sym_attributes_new (void)
{
  SymAttributes *self = g_new0 (SymAttributes, 1);

  g_atomic_ref_count_init (&self->ref_count);
  return self;
}

SymAttributes *
sym_attributes_ref (SymAttributes *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_attributes_unref (SymAttributes *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_clear_pointer (&self->index, g_hash_table_unref);
  g_clear_pointer (&self->items, g_array_unref);
  g_free (self);
}

void
sym_attributes_set (SymAttributes *self,
                    const char *name,
                    SymValue *take_value,
                    const char *literal)
{
  guint i;

  g_return_if_fail (name != NULL && take_value != NULL);

  i = find_index (self, name);
  if (i < sym_attributes_get_n (self))
    {
      Attribute *attribute = &g_array_index (self->items, Attribute, i);

      sym_value_unref (attribute->value);
      g_free (attribute->literal);
      attribute->value = take_value;
      attribute->literal = g_strdup (literal);
      return;
    }
  append (self, (Attribute){ g_ref_string_new_intern (name), take_value, g_strdup (literal) });
}

SymAttributes *
sym_attributes_with (const SymAttributes *self,
                     const char *name,
                     SymValue *take_value,
                     const char *literal)
{
  SymAttributes *copy = sym_attributes_new ();

  for (guint i = 0; i < sym_attributes_get_n (self); i++)
    {
      const Attribute *old = &g_array_index (self->items, Attribute, i);

      if (take_value == NULL && strcmp (old->name, name) == 0)
        continue;
      append (copy, (Attribute){ g_ref_string_acquire (old->name), sym_value_ref (old->value),
                                 g_strdup (old->literal) });
    }
  if (take_value != NULL)
    sym_attributes_set (copy, name, take_value, literal);
  return copy;
}

guint
sym_attributes_get_n (const SymAttributes *self)
{
  return self == NULL || self->items == NULL ? 0 : self->items->len;
}

const char *
sym_attributes_get_name (const SymAttributes *self, guint i)
{
  g_return_val_if_fail (i < sym_attributes_get_n (self), NULL);

  return g_array_index (self->items, Attribute, i).name;
}

const SymValue *
sym_attributes_get_value (const SymAttributes *self, guint i)
{
  g_return_val_if_fail (i < sym_attributes_get_n (self), NULL);

  return g_array_index (self->items, Attribute, i).value;
}

const char *
sym_attributes_get_literal (const SymAttributes *self, guint i)
{
  g_return_val_if_fail (i < sym_attributes_get_n (self), NULL);

  return g_array_index (self->items, Attribute, i).literal;
}

const SymValue *
sym_attributes_find (const SymAttributes *self, const char *name)
{
  guint i = find_index (self, name);

  return i < sym_attributes_get_n (self) ? g_array_index (self->items, Attribute, i).value : NULL;
}
