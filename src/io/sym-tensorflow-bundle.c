/* SPDX-License-Identifier: MIT */
#include "io/sym-tensorflow-bundle.h"

#include <string.h>

#include "io/sym-net-constants.h"
#include "io/sym-tensorflow-messages.h"
#include "io/sym-tensorflow-slice.h"
#include "io/sym-tfjs-private.h"
#include "store/sym-store-blobs.h"
#include "store/sym-store-crc32c.h"
#include "store/sym-store-table.h"
#include "store/sym-store-varint.h"

#define MAX_CHECKED (64 << 10)
#define MAX_STRING ((guint64) 256 << 20)
#define MAX_SHARDS 99999
#define MAX_SLICES 65536
#define DT_STRING 7

struct _SymTensorflowBundle {
  const SymIoSource *source; /* borrowed */
  char *name;
  SymStoreTable *table;
  guint n_shards;
  GHashTable *shards; /* number to SymBlob */
};

/* What the index says of a tensor, or of a slice of one. */
typedef struct {
  gint64 dtype;
  SymShape shape;
  guint64 shard, offset, size;
  gboolean has_sum;
  guint32 sum;
  GArray *slices; /* of SymTensorflowSlice: then the numbers are in entries of their own */
} Entry;

static void
entry_clear (Entry *self)
{
  g_clear_pointer (&self->slices, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Entry, entry_clear)

void
sym_tensorflow_bundle_free (SymTensorflowBundle *self)
{
  g_clear_pointer (&self->table, sym_store_table_free);
  g_hash_table_unref (self->shards);
  g_free (self->name);
  g_free (self);
}

/* The error does not name the file, which whoever asks knows. */
static SymBlob *
open_file (const SymTensorflowBundle *self, const char *path, GError **error)
{
  g_autoptr (GError) cause = NULL;
  SymBlob *blob = self->source->weights != NULL ? sym_store_open_file (path, &cause)
                                                : sym_net_open_file (self->source, path, &cause);
  const char *named = blob != NULL ? NULL : g_strrstr (cause->message, path);

  if (blob != NULL)
    return blob;
  if (named != NULL && g_str_has_prefix (named + strlen (path), ": "))
    g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE, "it %s", named + strlen (path) + 2);
  else
    g_propagate_error (error, g_steal_pointer (&cause));
  return NULL;
}

/* ---- The index ---- */

static SymProto *
read_message (const SymTensorflowBundle *self,
              guint i,
              const SymProtoType *type,
              SymProtoMessage **root,
              GError **error)
{
  gsize size;
  const char *value = sym_store_table_get_value (self->table, i, &size);
  g_autoptr (GBytes) bytes = g_bytes_new_static (value, size);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);

  return sym_proto_read (blob, type, root, NULL, error);
}

/* The empty key has what holds for all. */
static gboolean
read_header (SymTensorflowBundle *self, GError **error)
{
  int i = sym_store_table_find (self->table, "", 0);
  SymProtoMessage *header = NULL;
  g_autoptr (SymProto) document =
      i < 0 ? NULL
            : read_message (self, (guint) i, &sym_tensorflow_bundle_header_type, &header, error);
  gint64 n_shards =
      document == NULL ? 0 : sym_proto_get_int (header, TENSORFLOW_BUNDLE_HEADER_SHARDS, 0);

  if (document == NULL && i >= 0)
    return FALSE;
  if (n_shards < 1 || n_shards > MAX_SHARDS)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                   "it does not say in how many files its numbers are: it is no checkpoint");
      return FALSE;
    }
  self->n_shards = (guint) n_shards;
  if (sym_proto_get_int (header, TENSORFLOW_BUNDLE_HEADER_ENDIANNESS, 0) == 0)
    return TRUE;
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
               "its numbers have the high byte first, which is not read");
  return FALSE;
}

static SymShape
read_shape (const SymProtoMessage *message)
{
  SymShape shape = { .rank = 0 };
  const SymProtoEntry *dim;

  for (guint at = 0; (dim = sym_proto_next (message, TENSORFLOW_SHAPE_DIM, &at)) != NULL;)
    {
      gint64 size = sym_proto_get_int (dim->message, TENSORFLOW_DIM_SIZE, 0);

      if (shape.rank == SYM_MAX_RANK || size < 0)
        return SYM_SHAPE_UNKNOWN;
      shape.dims[shape.rank++] = size;
    }
  return shape;
}

/* NULL, with an error, for slices that make no sense. */
static GArray *
read_slices (const SymProtoMessage *message, const SymShape *whole, GError **error)
{
  guint n = sym_proto_count (message, TENSORFLOW_BUNDLE_ENTRY_SLICES);
  g_autoptr (GArray) slices = g_array_new (FALSE, FALSE, sizeof (SymTensorflowSlice));
  const SymProtoEntry *entry;

  if (n > MAX_SLICES)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT, "it is in %u slices; at most %d", n,
                   MAX_SLICES);
      return NULL;
    }
  for (guint at = 0;
       (entry = sym_proto_next (message, TENSORFLOW_BUNDLE_ENTRY_SLICES, &at)) != NULL;)
    {
      SymTensorflowSlice slice;
      SymShape shape;

      if (!sym_tensorflow_slice_read (&slice, entry->message) ||
          !sym_tensorflow_slice_get_shape (&slice, whole, &shape))
        {
          g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                       "slice %u of it does not lie within it", slices->len);
          return NULL;
        }
      g_array_append_val (slices, slice);
    }
  return g_steal_pointer (&slices);
}

static gboolean
read_entry (const SymTensorflowBundle *self,
            const char *key,
            gsize key_size,
            Entry *entry,
            GError **error)
{
  int i = sym_store_table_find (self->table, key, key_size);
  g_autoptr (SymProto) document = NULL;
  const SymProtoEntry *sum;
  SymProtoMessage *root;

  if (i < 0)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT, "it is not there");
      return FALSE;
    }
  document = read_message (self, (guint) i, &sym_tensorflow_bundle_entry_type, &root, error);
  if (document == NULL)
    return FALSE;
  entry->dtype = sym_proto_get_int (root, TENSORFLOW_BUNDLE_ENTRY_DTYPE, 0);
  entry->shape = read_shape (sym_proto_get_message (root, TENSORFLOW_BUNDLE_ENTRY_SHAPE));
  entry->shard = (guint64) sym_proto_get_int (root, TENSORFLOW_BUNDLE_ENTRY_SHARD, 0);
  entry->offset = (guint64) sym_proto_get_int (root, TENSORFLOW_BUNDLE_ENTRY_OFFSET, 0);
  entry->size = (guint64) sym_proto_get_int (root, TENSORFLOW_BUNDLE_ENTRY_SIZE, 0);
  sum = sym_proto_find (root, TENSORFLOW_BUNDLE_ENTRY_SUM);
  entry->has_sum = sum != NULL;
  entry->sum = sum == NULL ? 0 : (guint32) sum->value;
  entry->slices = read_slices (root, &entry->shape, error);
  return entry->slices != NULL;
}

/* ---- The numbers ---- */

/* Borrowed. */
static SymBlob *
get_shard (SymTensorflowBundle *self, guint64 number, GError **error)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) cause = NULL;
  SymBlob *blob = number >= self->n_shards
                      ? NULL
                      : g_hash_table_lookup (self->shards, GUINT_TO_POINTER ((guint) number));

  if (blob != NULL)
    return blob;
  if (number >= self->n_shards)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                   "it should be in file %" G_GUINT64_FORMAT " of %u", number, self->n_shards);
      return NULL;
    }
  path = g_strdup_printf ("%s.data-%05u-of-%05u", self->name, (guint) number, self->n_shards);
  blob = open_file (self, path, &cause);
  if (blob != NULL)
    {
      g_hash_table_insert (self->shards, GUINT_TO_POINTER ((guint) number), blob);
      return blob;
    }
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE, "'%s' cannot be read: %s", path,
               cause->message);
  return NULL;
}

static gboolean
check_place (const Entry *entry, const SymBlob *blob, GError **error)
{
  if (entry->offset <= blob->size && entry->size <= blob->size - entry->offset)
    return TRUE;
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
               "its %" G_GUINT64_FORMAT " bytes from byte %" G_GUINT64_FORMAT
               " on reach beyond the file of %" G_GUINT64_FORMAT,
               entry->size, entry->offset, blob->size);
  return FALSE;
}

static gboolean
check_sum (const Entry *entry, guint32 sum, GError **error)
{
  if (!entry->has_sum || entry->sum == sym_store_crc32c_mask (sum))
    return TRUE;
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
               "its bytes are damaged: their sum is another one");
  return FALSE;
}

static gboolean
check_bytes (const Entry *entry, SymBlob *blob, GError **error)
{
  g_autofree guint8 *bytes = NULL;

  if (entry->size > MAX_CHECKED)
    return TRUE;
  bytes = g_malloc ((gsize) entry->size + 1);
  return sym_blob_read (blob, entry->offset, entry->size, bytes, error) &&
         check_sum (entry, sym_store_crc32c (0, bytes, (gsize) entry->size), error);
}

static gboolean
check_type (const Entry *entry, SymDType *dtype, GError **error)
{
  guint64 n, size;

  *dtype = sym_tfjs_get_dtype (entry->dtype);
  if (*dtype == SYM_DTYPE_UNKNOWN || *dtype == SYM_DTYPE_STRING)
    g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                 "its elements are of a type that is not read (%" G_GINT64_FORMAT ")",
                 entry->dtype);
  else if (!sym_shape_get_n_elements (&entry->shape, &n) ||
           !sym_dtype_get_size (*dtype, n, &size) || size != entry->size)
    g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                 "its %" G_GUINT64_FORMAT " bytes do not fit its shape", entry->size);
  else
    return TRUE;
  return FALSE;
}

/* The numbers that are in one place. */
static SymTensor *
open_entry (SymTensorflowBundle *self, const Entry *entry, GError **error)
{
  SymDType dtype;
  SymBlob *blob;

  if (!check_type (entry, &dtype, error))
    return NULL;
  blob = get_shard (self, entry->shard, error);
  if (blob == NULL || !check_place (entry, blob, error) || !check_bytes (entry, blob, error))
    return NULL;
  return sym_tensor_new (dtype, &entry->shape, blob, entry->offset, error);
}

/* ---- Slices ---- */

/* The entry of slice @slice of the tensor @key, whose own entry is @whole. */
static gboolean
read_slice (SymTensorflowBundle *self,
            const char *key,
            const Entry *whole,
            const SymTensorflowSlice *slice,
            Entry *entry,
            GError **error)
{
  g_autoptr (GByteArray) name = sym_tensorflow_slice_make_key (slice, key);
  SymShape shape;

  if (!read_entry (self, (const char *) name->data, name->len, entry, error))
    return FALSE;
  if (entry->slices->len == 0 && entry->dtype == whole->dtype &&
      sym_tensorflow_slice_get_shape (slice, &whole->shape, &shape) &&
      sym_shape_equal (&shape, &entry->shape))
    return TRUE;
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
               "one of its slices has another shape or dtype");
  return FALSE;
}

static int
compare_slices (gconstpointer a, gconstpointer b)
{
  const SymTensorflowSlice *left = a, *right = b;

  return (left->start[0] > right->start[0]) - (left->start[0] < right->start[0]);
}

/* The slices that are the rows @wanted, one after the other; NULL when whole slices are not. */
static GArray *
list_rows (const Entry *entry, const SymTensorflowSlice *wanted, const SymShape *shape)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (SymTensorflowSlice));
  gint64 at = wanted->start[0], end = at + shape->dims[0];

  for (guint i = 0; i < entry->slices->len; i++)
    {
      SymTensorflowSlice slice = g_array_index (entry->slices, SymTensorflowSlice, i);

      if (sym_tensorflow_slice_is_rows (&slice, &entry->shape) && slice.start[0] >= at &&
          slice.start[0] < end && slice.length[0] != 0)
        g_array_append_val (rows, slice);
    }
  g_array_sort (rows, compare_slices);
  for (guint i = 0; i < rows->len; i++)
    {
      const SymTensorflowSlice *slice = &g_array_index (rows, SymTensorflowSlice, i);

      if (slice->start[0] != at)
        return NULL;
      at += slice->length[0] < 0 ? entry->shape.dims[0] : slice->length[0];
    }
  return at == end ? g_steal_pointer (&rows) : NULL;
}

/* Each slice stays in its file. */
static SymTensor *
join_rows (SymTensorflowBundle *self,
           const char *key,
           const Entry *whole,
           const GArray *rows,
           const SymShape *shape,
           GError **error)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_blob_unref);
  g_autoptr (SymBlob) joined = NULL;

  for (guint i = 0; i < rows->len; i++)
    {
      g_auto (Entry) entry = { 0 };
      g_autoptr (SymTensor) tensor = NULL;

      if (!read_slice (self, key, whole, &g_array_index (rows, SymTensorflowSlice, i), &entry,
                       error))
        return NULL;
      tensor = open_entry (self, &entry, error);
      if (tensor == NULL)
        return NULL;
      g_ptr_array_add (parts, sym_store_blob_new_part (get_shard (self, entry.shard, NULL),
                                                       entry.offset, entry.size));
    }
  joined = sym_store_join_blobs ((SymBlob *const *) parts->pdata, parts->len);
  return sym_tensor_new (sym_tfjs_get_dtype (whole->dtype), shape, joined, 0, error);
}

static SymTensor *
open_slices (SymTensorflowBundle *self,
             const char *key,
             const Entry *whole,
             const SymTensorflowSlice *wanted,
             const SymShape *shape,
             GError **error)
{
  g_autoptr (GArray) rows = NULL;

  for (guint i = 0; i < whole->slices->len; i++)
    {
      const SymTensorflowSlice *slice = &g_array_index (whole->slices, SymTensorflowSlice, i);
      g_auto (Entry) entry = { 0 };

      if (!sym_tensorflow_slice_equal (slice, wanted, &whole->shape))
        continue;
      return read_slice (self, key, whole, slice, &entry, error) ? open_entry (self, &entry, error)
                                                                 : NULL;
    }
  if (sym_tensorflow_slice_is_rows (wanted, &whole->shape))
    rows = list_rows (whole, wanted, shape);
  if (rows != NULL)
    return join_rows (self, key, whole, rows, shape, error);
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
               "it is in %u slices, which are no rows of it one after the other",
               whole->slices->len);
  return NULL;
}

/* Rows of a tensor that was saved as a whole. */
static SymTensor *
open_part (SymTensorflowBundle *self,
           const Entry *whole,
           const SymTensorflowSlice *wanted,
           const SymShape *shape,
           GError **error)
{
  g_autoptr (SymTensor) tensor = open_entry (self, whole, error);
  guint64 row;

  if (tensor == NULL || sym_shape_equal (shape, &whole->shape))
    return g_steal_pointer (&tensor);
  if (!sym_tensorflow_slice_is_rows (wanted, &whole->shape))
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                   "what is restored of it are no rows of it");
      return NULL;
    }
  row = whole->shape.dims[0] == 0 ? 0 : whole->size / (guint64) whole->shape.dims[0];
  return sym_tensor_new (sym_tensor_get_dtype (tensor), shape, get_shard (self, whole->shard, NULL),
                         whole->offset + row * (guint64) wanted->start[0], error);
}

SymTensor *
sym_tensorflow_bundle_get (SymTensorflowBundle *self,
                           const char *key,
                           const char *part,
                           GError **error)
{
  g_auto (Entry) entry = { 0 };
  SymTensorflowSlice wanted;
  SymShape whole, shape;

  if (!read_entry (self, key, strlen (key), &entry, error))
    return NULL;
  if (entry.shape.rank < 0 || ((part == NULL || *part == '\0') && entry.slices->len == 0))
    return open_entry (self, &entry, error);
  wanted = sym_tensorflow_slice_new (entry.shape.rank);
  if (part != NULL && *part != '\0' &&
      (!sym_tensorflow_slice_parse (&wanted, &whole, part) ||
       !sym_shape_equal (&whole, &entry.shape)))
    wanted.rank = -1;
  if (!sym_tensorflow_slice_get_shape (&wanted, &entry.shape, &shape))
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                   "the graph restores a part of it that it has not: %s", part);
      return NULL;
    }
  return entry.slices->len > 0 ? open_slices (self, key, &entry, &wanted, &shape, error)
                               : open_part (self, &entry, &wanted, &shape, error);
}

/* ---- Strings ---- */

/* The length as a varint, a sum of the length as four bytes, and the bytes.  The sum of all takes
 * the length as four bytes, too. */
static GBytes *
parse_string (const Entry *entry, const guint8 *bytes, GError **error)
{
  const guint8 *at = bytes, *end = bytes + entry->size;
  guint64 length;
  guint32 little, sum;

  if (!sym_store_take_varint (&at, end, &length) || end - at < 4 ||
      length != (guint64) (end - at) - 4)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT, "it is not one string");
      return NULL;
    }
  little = GUINT32_TO_LE ((guint32) length);
  sum = sym_store_crc32c (0, &little, sizeof little);
  sum = sym_store_crc32c (sum, at, (gsize) (end - at));
  return check_sum (entry, sum, error) ? g_bytes_new (at + 4, (gsize) length) : NULL;
}

GBytes *
sym_tensorflow_bundle_get_string (SymTensorflowBundle *self, const char *key, GError **error)
{
  g_autofree guint8 *bytes = NULL;
  g_auto (Entry) entry = { 0 };
  SymBlob *blob;

  if (!read_entry (self, key, strlen (key), &entry, error))
    return NULL;
  if (entry.dtype != DT_STRING || entry.slices->len > 0 || entry.size > MAX_STRING)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT, "it is not one string");
      return NULL;
    }
  blob = get_shard (self, entry.shard, error);
  if (blob == NULL || !check_place (&entry, blob, error))
    return NULL;
  bytes = g_malloc ((gsize) entry.size + 1);
  if (!sym_blob_read (blob, entry.offset, entry.size, bytes, error))
    return NULL;
  return parse_string (&entry, bytes, error);
}

/* ---- Opening ---- */

SymTensorflowBundle *
sym_tensorflow_bundle_open (const SymIoSource *source, const char *name, GError **error)
{
  g_autoptr (SymTensorflowBundle) self = g_new0 (SymTensorflowBundle, 1);
  g_autofree char *path = g_strconcat (name, ".index", NULL);
  g_autoptr (SymBlob) blob = NULL;

  self->source = source;
  self->name = g_strdup (name);
  self->shards = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) sym_blob_unref);
  blob = open_file (self, path, error);
  if (blob == NULL)
    return NULL;
  self->table = sym_store_table_read (blob, path, error);
  if (self->table == NULL || !read_header (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

const char *
sym_tensorflow_bundle_get_name (const SymTensorflowBundle *self)
{
  return self->name;
}

gboolean
sym_tensorflow_bundle_has (const SymTensorflowBundle *self, const char *key)
{
  return sym_store_table_find (self->table, key, strlen (key)) >= 0;
}
