/* SPDX-License-Identifier: MIT */
#include "store/sym-store-private.h"

typedef struct {
  char *name;
  SymTensor *tensor;
} Entry;

struct _SymStoreTensors {
  gatomicrefcount ref_count;
  GArray *entries;     /* of Entry */
  GHashTable *by_name; /* borrowed name to index + 1 of the first entry that has it */
  GPtrArray *skipped;  /* NULL-ended */
};

static void
clear_entry (gpointer data)
{
  Entry *entry = data;

  g_free (entry->name);
  sym_tensor_unref (entry->tensor);
}

SymStoreTensors *
sym_store_tensors_new (void)
{
  SymStoreTensors *self = g_new0 (SymStoreTensors, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (self->entries, clear_entry);
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  self->skipped = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->skipped, NULL);
  return self;
}

SymStoreTensors *
sym_store_tensors_ref (SymStoreTensors *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_store_tensors_unref (SymStoreTensors *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_hash_table_unref (self->by_name);
  g_array_unref (self->entries);
  g_ptr_array_unref (self->skipped);
  g_free (self);
}

void
sym_store_tensors_add (SymStoreTensors *self, char *take_name, SymTensor *take_tensor)
{
  Entry entry = { take_name, take_tensor };

  g_array_append_val (self->entries, entry);
  if (!g_hash_table_contains (self->by_name, take_name))
    g_hash_table_insert (self->by_name, take_name, GUINT_TO_POINTER (self->entries->len));
}

void
sym_store_tensors_tell (SymStoreTensors *self, char *take_sentence)
{
  g_ptr_array_insert (self->skipped, (int) self->skipped->len - 1, take_sentence);
}

void
sym_store_tensors_skip (SymStoreTensors *self, const char *name, const char *reason)
{
  sym_store_tensors_tell (self, g_strdup_printf ("“%s” %s", name, reason));
}

guint
sym_store_tensors_get_n (const SymStoreTensors *self)
{
  return self->entries->len;
}

const char *
sym_store_tensors_get_name (const SymStoreTensors *self, guint i)
{
  g_return_val_if_fail (i < self->entries->len, NULL);

  return g_array_index (self->entries, Entry, i).name;
}

SymTensor *
sym_store_tensors_get (const SymStoreTensors *self, guint i)
{
  g_return_val_if_fail (i < self->entries->len, NULL);

  return g_array_index (self->entries, Entry, i).tensor;
}

SymTensor *
sym_store_tensors_find (const SymStoreTensors *self, const char *name)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_name, name));

  return index == 0 ? NULL : sym_store_tensors_get (self, index - 1);
}

const char *const *
sym_store_tensors_get_skipped (const SymStoreTensors *self)
{
  return (const char *const *) self->skipped->pdata;
}
