/* SPDX-License-Identifier: MIT */
#include "core/sym-value.h"

#include <string.h>

/* Up to here looking through all names is the fastest way to find one. */
#define INDEX_FROM 24

typedef struct {
  GRefString *name; /* interned: the same few names occur in every layer */
  SymValue *value;
  GRefString *literal; /* NULL for none */
} Attribute;

struct _SymAttributes {
  gatomicrefcount ref_count;
  guint n, capacity;
  gboolean is_sealed; /* several have it: nobody may add to it */
  Attribute *items;   /* @first, or larger ones elsewhere */
  GHashTable *index;  /* name to position, of long lists only */
  Attribute first[];
};

/* GLib 2.74 hands out an interned string that another thread is just about to free, so nobody
 * interns while one is released. */
static GMutex interning;

static GRefString *
intern (const char *name)
{
  GRefString *interned;

  g_mutex_lock (&interning);
  interned = g_ref_string_new_intern (name);
  g_mutex_unlock (&interning);
  return interned;
}

static void
release_interned (GRefString *name)
{
  g_mutex_lock (&interning);
  g_ref_string_release (name);
  g_mutex_unlock (&interning);
}

static void
clear_attribute (Attribute *attribute)
{
  release_interned (attribute->name);
  sym_value_unref (attribute->value);
  g_clear_pointer (&attribute->literal, g_ref_string_release);
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

  /* Few names begin alike, so that few are compared. */
  for (guint i = 0; i < n; i++)
    if (*self->items[i].name == *name && strcmp (self->items[i].name, name) == 0)
      return i;

  return n;
}

static void
index_from (SymAttributes *self, guint first)
{
  if (self->index == NULL)
    {
      self->index = g_hash_table_new (g_str_hash, g_str_equal);
      first = 0;
    }
  for (guint i = first; i < self->n; i++)
    g_hash_table_insert (self->index, self->items[i].name, GUINT_TO_POINTER (i));
}

static void
grow (SymAttributes *self)
{
  self->capacity = MAX (1, self->capacity * 2);
  if (self->items != self->first)
    {
      self->items = g_renew (Attribute, self->items, self->capacity);
      return;
    }
  self->items = g_new (Attribute, self->capacity);
  memcpy (self->items, self->first, self->n * sizeof (Attribute));
}

/* Takes the parts of @attribute, whose name is not there yet. */
static void
append (SymAttributes *self, Attribute attribute)
{
  if (self->n == self->capacity)
    grow (self);
  self->items[self->n++] = attribute;
  if (self->n > INDEX_FROM)
    index_from (self, self->n - 1);
}

static Attribute
share (const Attribute *attribute)
{
  return (Attribute){ g_ref_string_acquire (attribute->name), sym_value_ref (attribute->value),
                      attribute->literal == NULL ? NULL
                                                 : g_ref_string_acquire (attribute->literal) };
}

/* The same of a name that is interned, as all are in a list. */
static guint
find_interned (const SymAttributes *self, const GRefString *name)
{
  guint i = 0;

  if (self->n > INDEX_FROM)
    return find_index (self, name);
  while (i < self->n && self->items[i].name != name)
    i++;
  return i;
}

/* Takes the parts of @attribute. */
static void
replace_or_append (SymAttributes *self, Attribute attribute)
{
  g_return_if_fail (!self->is_sealed);

  guint i = find_interned (self, attribute.name);

  if (i == self->n)
    {
      append (self, attribute);
      return;
    }
  clear_attribute (&self->items[i]);
  self->items[i] = attribute;
}

SymAttributes *
sym_attributes_new_sized (guint n)
{
  SymAttributes *self = g_malloc (sizeof *self + n * sizeof (Attribute));

  g_atomic_ref_count_init (&self->ref_count);
  self->n = 0;
  self->capacity = n;
  self->is_sealed = FALSE;
  self->items = self->first;
  self->index = NULL;
  return self;
}

SymAttributes *
sym_attributes_new (void)
{
  return sym_attributes_new_sized (0);
}

SymAttributes *
sym_attributes_ref (SymAttributes *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_attributes_seal (SymAttributes *self)
{
  self->is_sealed = TRUE;
}

void
sym_attributes_unref (SymAttributes *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_clear_pointer (&self->index, g_hash_table_unref);
  for (guint i = 0; i < self->n; i++)
    clear_attribute (&self->items[i]);
  if (self->items != self->first)
    g_free (self->items);
  g_free (self);
}

void
sym_attributes_set (SymAttributes *self,
                    const char *name,
                    SymValue *take_value,
                    const char *literal)
{
  g_return_if_fail (name != NULL && take_value != NULL);

  replace_or_append (self, (Attribute){ intern (name), take_value,
                                        literal == NULL ? NULL : g_ref_string_new (literal) });
}

void
sym_attributes_set_same (SymAttributes *self, const SymAttributes *other, guint i)
{
  g_return_if_fail (i < sym_attributes_get_n (other));

  replace_or_append (self, share (&other->items[i]));
}

void
sym_attributes_set_like (SymAttributes *self,
                         const SymAttributes *other,
                         guint i,
                         SymValue *take_value,
                         const char *literal,
                         gsize length)
{
  g_return_if_fail (i < sym_attributes_get_n (other) && take_value != NULL);

  replace_or_append (
      self,
      (Attribute){ g_ref_string_acquire (other->items[i].name), take_value,
                   literal == NULL ? NULL : g_ref_string_new_len (literal, (gssize) length) });
}

SymAttributes *
sym_attributes_with (const SymAttributes *self,
                     const char *name,
                     SymValue *take_value,
                     const char *literal)
{
  SymAttributes *copy = sym_attributes_new ();

  for (guint i = 0; i < sym_attributes_get_n (self); i++)
    if (take_value != NULL || strcmp (self->items[i].name, name) != 0)
      append (copy, share (&self->items[i]));
  if (take_value != NULL)
    sym_attributes_set (copy, name, take_value, literal);
  return copy;
}

guint
sym_attributes_get_n (const SymAttributes *self)
{
  return self == NULL ? 0 : self->n;
}

const char *
sym_attributes_get_name (const SymAttributes *self, guint i)
{
  g_return_val_if_fail (i < sym_attributes_get_n (self), NULL);

  return self->items[i].name;
}

const SymValue *
sym_attributes_get_value (const SymAttributes *self, guint i)
{
  g_return_val_if_fail (i < sym_attributes_get_n (self), NULL);

  return self->items[i].value;
}

const char *
sym_attributes_get_literal (const SymAttributes *self, guint i)
{
  g_return_val_if_fail (i < sym_attributes_get_n (self), NULL);

  return self->items[i].literal;
}

const SymValue *
sym_attributes_find (const SymAttributes *self, const char *name)
{
  guint i = find_index (self, name);

  return i < sym_attributes_get_n (self) ? self->items[i].value : NULL;
}

gint64
sym_attributes_get_int (const SymAttributes *self, const char *name, gint64 fallback)
{
  return sym_value_as_int (sym_attributes_find (self, name), fallback);
}

double
sym_attributes_get_float (const SymAttributes *self, const char *name, double fallback)
{
  return sym_value_as_float (sym_attributes_find (self, name), fallback);
}

gboolean
sym_attributes_get_bool (const SymAttributes *self, const char *name, gboolean fallback)
{
  return sym_attributes_get_int (self, name, fallback) != 0;
}

const char *
sym_attributes_get_string (const SymAttributes *self, const char *name, const char *fallback)
{
  return sym_value_as_string (sym_attributes_find (self, name), fallback);
}

SymDType
sym_attributes_get_dtype (const SymAttributes *self, const char *name, SymDType fallback)
{
  const char *text = sym_attributes_get_string (self, name, NULL);
  SymDType dtype;

  return text != NULL && sym_dtype_from_string (text, &dtype) ? dtype : fallback;
}

int
sym_attributes_get_ints (const SymAttributes *self, const char *name, gint64 *values, int max)
{
  const SymValue *value = sym_attributes_find (self, name);

  return value == NULL ? -1 : sym_value_get_ints (value, values, max);
}

/* ---- Work ---- */

/* What says where a layer came from or what it is called, and nothing of what it does: each layer
 * has another one. */
static const char *const idle_names[] = {
  "struct_name", /* PaddlePaddle */
  "layerName",   /* Deeplearning4j */
};

/* The same, interned. */
static const GRefString *const *
get_idle_names (void)
{
  static GRefString *names[G_N_ELEMENTS (idle_names)];
  static gsize are_there = 0;

  if (g_once_init_enter (&are_there))
    {
      for (guint i = 0; i < G_N_ELEMENTS (idle_names); i++)
        names[i] = intern (idle_names[i]);
      g_once_init_leave (&are_there, 1);
    }
  return (const GRefString *const *) names;
}

/* The next one from @i on that is not idle. */
static guint
find_work (const SymAttributes *self, guint i, const GRefString *const *idle)
{
  while (i < self->n && (self->items[i].name == idle[0] || self->items[i].name == idle[1]))
    i++;
  return i;
}

gboolean
sym_attributes_work_equal (const SymAttributes *a, const SymAttributes *b)
{
  const GRefString *const *idle = get_idle_names ();
  guint n = sym_attributes_get_n (a), m = sym_attributes_get_n (b);
  guint i = 0, k = 0;

  if (a == b)
    return TRUE;
  for (;; i++, k++)
    {
      i = n == 0 ? 0 : find_work (a, i, idle);
      k = m == 0 ? 0 : find_work (b, k, idle);
      if (i == n || k == m)
        return i == n && k == m;
      if (a->items[i].name != b->items[k].name || /* they are interned */
          !sym_value_equal (a->items[i].value, b->items[k].value))
        return FALSE;
    }
}

guint64
sym_attributes_work_hash (guint64 start, const SymAttributes *self)
{
  const GRefString *const *idle = get_idle_names ();
  guint n = sym_attributes_get_n (self);
  guint64 hash = start;

  for (guint i = 0; i < n; i++)
    if (self->items[i].name != idle[0] && self->items[i].name != idle[1])
      hash = sym_value_hash (hash, self->items[i].value);
  return hash;
}
