/* SPDX-License-Identifier: MIT */
#include "store/sym-store-table.h"

#include <string.h>

#include "store/sym-store-crc32c.h"
#include "store/sym-store-private.h"
#include "store/sym-store-snappy.h"
#include "store/sym-store-varint.h"

/* LevelDB's table (doc/table_format.md): blocks, each with a byte for how it is packed and a sum
 * behind it; at the end the places of a block that says more and of the one that lists the others,
 * padding and a mark.  In a block each key is told by what it has other than the one before. */

#define MAGIC G_GUINT64_CONSTANT (0xdb4775248b80fb57)
#define MAX_BYTES ((guint64) 256 << 20)
#define MAX_GROWTH 64 /* of keys and values, by what keys share and by packing */
#define TRAILER_BYTES 5

typedef struct {
  gsize key, key_size, value, value_size;
} Entry;

struct _SymStoreTable {
  GArray *entries; /* of Entry: places in bytes */
  GByteArray *bytes;
};

typedef struct {
  SymBlob *blob;
  const char *path;
  guint64 end; /* of the last block that was read */
} Reader;

void
sym_store_table_free (SymStoreTable *self)
{
  g_array_unref (self->entries);
  g_byte_array_unref (self->bytes);
  g_free (self);
}

static guint32
get_u32 (const guint8 *at)
{
  guint32 number;

  memcpy (&number, at, sizeof number);
  return GUINT32_FROM_LE (number);
}

gboolean
sym_store_is_table (const guint8 *end, gsize n)
{
  guint64 mark;

  if (n < SYM_STORE_TABLE_END_BYTES)
    return FALSE;
  memcpy (&mark, end + n - sizeof mark, sizeof mark);
  return GUINT64_FROM_LE (mark) == MAGIC;
}

/* ---- Blocks ---- */

typedef struct {
  guint64 offset, size;
} Place;

static gboolean
take_place (const guint8 **at, const guint8 *end, Place *place)
{
  return sym_store_take_varint (at, end, &place->offset) &&
         sym_store_take_varint (at, end, &place->size);
}

static GBytes *
unpack (const Reader *self, const Place *place, guint8 kind, GBytes *packed, GError **error)
{
  gsize size;
  const guint8 *bytes = g_bytes_get_data (packed, &size);
  GBytes *plain = NULL;

  if (kind == 0)
    return g_bytes_ref (packed);
  if (kind == 1)
    plain = sym_store_snappy_unpack (bytes, size, MAX_BYTES);
  if (plain == NULL)
    sym_store_set_error (error, SYM_STORE_ERROR_FORMAT, self->path,
                         "the block at byte %" G_GUINT64_FORMAT " is packed %s", place->offset,
                         kind == 1 ? "with Snappy, and damaged" : "in a way that is not known");
  return plain;
}

/* Blocks follow each other: none is read twice. */
static GBytes *
read_block (Reader *self, const Place *place, GError **error)
{
  g_autofree guint8 *bytes = NULL;
  g_autoptr (GBytes) packed = NULL;
  gsize size = (gsize) place->size;
  guint8 kind;

  if (place->offset < self->end || place->offset > self->blob->size ||
      self->blob->size - place->offset < TRAILER_BYTES ||
      place->size > MIN (MAX_BYTES, self->blob->size - place->offset - TRAILER_BYTES))
    {
      sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                      "a block of %" G_GUINT64_FORMAT " bytes cannot be at byte %" G_GUINT64_FORMAT,
                      place->size, place->offset);
      return NULL;
    }
  bytes = g_malloc (size + TRAILER_BYTES);
  if (!sym_blob_read (self->blob, place->offset, place->size + TRAILER_BYTES, bytes, error))
    return NULL;
  self->end = place->offset + place->size + TRAILER_BYTES;
  kind = bytes[size];
  if (sym_store_crc32c_mask (sym_store_crc32c (0, bytes, size + 1)) != get_u32 (bytes + size + 1))
    {
      sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                      "the block at byte %" G_GUINT64_FORMAT " is damaged: its sum is another one",
                      place->offset);
      return NULL;
    }
  packed = g_bytes_new_take (g_steal_pointer (&bytes), size);
  return unpack (self, place, kind, packed, error);
}

/* ---- Entries ---- */

typedef gboolean (*Visit) (Reader *self,
                           const GByteArray *key,
                           const guint8 *value,
                           gsize size,
                           gpointer user_data,
                           GError **error);

/* Where the entries of a block end: the places at which keys are told whole follow, and their
 * number. */
static const guint8 *
find_end (const guint8 *bytes, gsize size)
{
  guint64 n_restarts = size < 4 ? G_MAXUINT32 : get_u32 (bytes + size - 4);

  return 4 * (n_restarts + 1) > size ? NULL : bytes + size - 4 * (n_restarts + 1);
}

static gboolean
visit_block (Reader *self, GBytes *block, Visit visit, gpointer user_data, GError **error)
{
  gsize size;
  const guint8 *at = g_bytes_get_data (block, &size);
  const guint8 *end = find_end (at, size);
  g_autoptr (GByteArray) key = g_byte_array_new ();
  guint64 n_shared, n_own, n_value;
  gboolean good = end != NULL;

  while (good && at < end)
    {
      good = sym_store_take_varint (&at, end, &n_shared) &&
             sym_store_take_varint (&at, end, &n_own) &&
             sym_store_take_varint (&at, end, &n_value) && n_shared <= key->len &&
             n_own <= (guint64) (end - at) && n_value <= (guint64) (end - at) - n_own;
      if (!good)
        break;
      g_byte_array_set_size (key, (guint) n_shared);
      g_byte_array_append (key, at, (guint) n_own);
      at += n_own;
      if (!visit (self, key, at, (gsize) n_value, user_data, error))
        return FALSE;
      at += n_value;
    }
  return good ||
         sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                         "the block before byte %" G_GUINT64_FORMAT " cannot be read", self->end);
}

static int
compare (const char *a, gsize a_size, const char *b, gsize b_size)
{
  gsize n = MIN (a_size, b_size);
  int order = n > 0 ? memcmp (a, b, n) : 0; /* an empty one may be NULL */

  return order != 0 ? order : (a_size > b_size) - (a_size < b_size);
}

/* Keys that share long beginnings make much of little. */
static guint64
get_max (const Reader *self)
{
  return MIN (self->blob->size, MAX_BYTES / MAX_GROWTH) * MAX_GROWTH;
}

static gsize
append (SymStoreTable *self, const guint8 *bytes, gsize size)
{
  static const guint8 nul = 0;
  gsize place = self->bytes->len;

  g_byte_array_append (self->bytes, bytes, (guint) size);
  g_byte_array_append (self->bytes, &nul, 1);
  return place;
}

static gboolean
add_entry (Reader *self,
           const GByteArray *key,
           const guint8 *value,
           gsize size,
           gpointer user_data,
           GError **error)
{
  SymStoreTable *table = user_data;
  Entry entry = { .key_size = key->len, .value_size = size };
  gsize last_size = 0;
  const char *last = table->entries->len == 0
                         ? NULL
                         : sym_store_table_get_key (table, table->entries->len - 1, &last_size);

  if (last != NULL && compare (last, last_size, (const char *) key->data, key->len) >= 0)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                           "the keys before byte %" G_GUINT64_FORMAT " are not in order",
                           self->end);
  if ((guint64) table->bytes->len + key->len + size > get_max (self))
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                           "what it lists takes more than %" G_GUINT64_FORMAT " bytes",
                           get_max (self));
  entry.key = append (table, key->data, key->len);
  entry.value = append (table, value, size);
  g_array_append_val (table->entries, entry);
  return TRUE;
}

/* Of the block that lists the others. */
static gboolean
add_place (Reader *self,
           const GByteArray *key,
           const guint8 *value,
           gsize size,
           gpointer user_data,
           GError **error)
{
  GArray *places = user_data;
  Place place;

  (void) key;
  if (!take_place (&value, value + size, &place))
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                           "its list of blocks cannot be read");
  g_array_append_val (places, place);
  return TRUE;
}

/* ---- The table ---- */

static gboolean
read_end (const Reader *self, Place *list, GError **error)
{
  guint8 end[SYM_STORE_TABLE_END_BYTES];
  const guint8 *at = end;
  Place more;

  if (self->blob->size < sizeof end)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                           "it is too short for a table of LevelDB");
  if (!sym_blob_read (self->blob, self->blob->size - sizeof end, sizeof end, end, error))
    return FALSE;
  return (sym_store_is_table (end, sizeof end) && take_place (&at, end + sizeof end, &more) &&
          take_place (&at, end + sizeof end, list)) ||
         sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                         "it does not end as a table of LevelDB does");
}

SymStoreTable *
sym_store_table_read (SymBlob *blob, const char *path, GError **error)
{
  g_autoptr (SymStoreTable) self = g_new0 (SymStoreTable, 1);
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (Place));
  g_autoptr (GBytes) list = NULL;
  Reader reader = { blob, path, 0 };
  Place place;

  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->bytes = g_byte_array_new ();
  if (!read_end (&reader, &place, error))
    return NULL;
  list = read_block (&reader, &place, error);
  if (list == NULL || !visit_block (&reader, list, add_place, places, error))
    return NULL;
  reader.end = 0;
  for (guint i = 0; i < places->len; i++)
    {
      g_autoptr (GBytes) block = read_block (&reader, &g_array_index (places, Place, i), error);

      if (block == NULL || !visit_block (&reader, block, add_entry, self, error))
        return NULL;
    }
  return g_steal_pointer (&self);
}

guint
sym_store_table_get_n (const SymStoreTable *self)
{
  return self->entries->len;
}

const char *
sym_store_table_get_key (const SymStoreTable *self, guint i, gsize *size)
{
  const Entry *entry = &g_array_index (self->entries, Entry, i);

  *size = entry->key_size;
  return (const char *) self->bytes->data + entry->key;
}

const char *
sym_store_table_get_value (const SymStoreTable *self, guint i, gsize *size)
{
  const Entry *entry = &g_array_index (self->entries, Entry, i);

  *size = entry->value_size;
  return (const char *) self->bytes->data + entry->value;
}

int
sym_store_table_find (const SymStoreTable *self, const char *key, gsize size)
{
  guint from = 0, to = self->entries->len;

  while (from < to)
    {
      guint middle = from + (to - from) / 2;
      gsize its_size;
      const char *its = sym_store_table_get_key (self, middle, &its_size);
      int order = compare (its, its_size, key, size);

      if (order == 0)
        return (int) middle;
      if (order < 0)
        from = middle + 1;
      else
        to = middle;
    }
  return -1;
}
