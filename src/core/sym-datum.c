/* SPDX-License-Identifier: MIT */
#include "core/sym-datum-private.h"
#include "core/sym-datum-within.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/sym-object.h"
#include "core/sym-python.h"

#define ALIGNMENT 64

/* Beyond this the machine is asked how much memory it has before any is taken. */
#define LARGE ((gsize) 1 << 30)

struct _SymDatum {
  gatomicrefcount ref_count;
  SymKind kind;
  gboolean lent;
  gsize capacity; /* bytes at array.data; of strings their number times the size of a pointer */
  SymArray array; /* of the other kinds only the dtype */
  SymDatum **items;
  guint n_items;

  /* Of an opaque one. */
  const char *name;
  gconstpointer klass;

  /* Of an opaque one, or what array.data is within. */
  gpointer object;
  GDestroyNotify free_object;
};

gsize
sym_array_get_n_elements (const SymArray *self)
{
  gsize n = 1;

  for (int i = 0; i < self->shape.rank; i++)
    n *= (gsize) self->shape.dims[i];
  return n;
}

gsize
sym_array_get_n_bytes (const SymArray *self)
{
  gsize n = sym_array_get_n_elements (self);

  if (self->dtype == SYM_DTYPE_STRING)
    return n * sizeof (GBytes *);
  return (n * sym_dtype_get_bits (self->dtype) + 7) / 8;
}

/* ---- Memory ---- */

static gboolean
refuse (GError **error, SymDType dtype, const SymShape *shape, const char *why)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < shape->rank; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "", shape->dims[i]);
  g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT, "a %s tensor of shape [%s] %s",
               sym_dtype_to_string (dtype), text->str, why);
  return FALSE;
}

/* Bytes of an array of that kind.  They, and each product of some of the dimensions, fit. */
static gboolean
measure (SymDType dtype, const SymShape *shape, gsize *n_bytes, GError **error)
{
  guint bits = dtype == SYM_DTYPE_STRING ? 8 * sizeof (GBytes *) : sym_dtype_get_bits (dtype);
  guint64 n_bits = bits, n_elements;

  if (bits == 0)
    return refuse (error, dtype, shape, "cannot be held: its dtype is not known");
  if (shape->rank < 0)
    return refuse (error, dtype, shape, "cannot be held: its rank is not known");
  for (int i = 0; i < shape->rank; i++)
    {
      if (shape->dims[i] < 0)
        return refuse (error, dtype, shape, "cannot be held: a size is negative or not known");
      if (!g_uint64_checked_mul (&n_bits, n_bits, (guint64) MAX (shape->dims[i], 1)))
        return refuse (error, dtype, shape, "is too large");
    }
  if (n_bits / 8 > G_MAXSSIZE)
    return refuse (error, dtype, shape, "is too large");
  n_elements = 0;
  sym_shape_get_n_elements (shape, &n_elements);
  *n_bytes = (n_elements * bits + 7) / 8;
  return TRUE;
}

static gboolean
exceeds_machine (gsize n_bytes)
{
  long pages = sysconf (_SC_PHYS_PAGES), page = sysconf (_SC_PAGESIZE);

  return n_bytes > LARGE && pages > 0 && page > 0 && n_bytes / (gsize) page >= (gsize) pages;
}

static void
clear_strings (SymDatum *self)
{
  GBytes **strings = self->array.data;
  gsize n = self->array.dtype == SYM_DTYPE_STRING ? sym_array_get_n_elements (&self->array) : 0;

  for (gsize i = 0; i < n; i++)
    g_bytes_unref (strings[i]);
}

static void
fill_strings (SymDatum *self)
{
  GBytes **strings = self->array.data;
  gsize n = self->array.dtype == SYM_DTYPE_STRING ? sym_array_get_n_elements (&self->array) : 0;

  for (gsize i = 0; i < n; i++)
    strings[i] = g_bytes_new_static ("", 0);
}

static SymDatum *
new_datum (SymKind kind, SymDType dtype)
{
  SymDatum *self = g_new0 (SymDatum, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->kind = kind;
  self->array.dtype = dtype;
  return self;
}

/* ---- Making ---- */

SymDatum *
sym_datum_new (SymDType dtype, const SymShape *shape, GError **error)
{
  SymDatum *self;
  gsize n_bytes;
  void *data = NULL;

  g_return_val_if_fail (shape != NULL, NULL);

  if (!measure (dtype, shape, &n_bytes, error))
    return NULL;
  if (exceeds_machine (n_bytes) || posix_memalign (&data, ALIGNMENT, MAX (n_bytes, ALIGNMENT)) != 0)
    {
      refuse (error, dtype, shape, "does not fit into this machine's memory");
      return NULL;
    }
  self = new_datum (SYM_KIND_TENSOR, dtype);
  self->capacity = MAX (n_bytes, ALIGNMENT);
  self->array.shape = *shape;
  self->array.data = data;
  fill_strings (self);
  return self;
}

SymDatum *
sym_datum_new_copy (const SymArray *array, GError **error)
{
  SymDatum *self;
  GBytes *const *strings = array->data;

  g_return_val_if_fail (array != NULL, NULL);

  self = sym_datum_new (array->dtype, &array->shape, error);
  if (self == NULL)
    return NULL;
  if (array->dtype != SYM_DTYPE_STRING)
    memcpy (self->array.data, array->data, sym_array_get_n_bytes (array));
  else
    for (gsize i = 0; i < sym_array_get_n_elements (array); i++)
      sym_array_set_string (&self->array, i, strings[i]);
  return self;
}

static void
read_strings (SymArray *array, const SymTensor *tensor)
{
  for (gsize i = 0; i < sym_array_get_n_elements (array); i++)
    {
      gsize length;
      const char *text = sym_tensor_get_string (tensor, i, &length);
      g_autoptr (GBytes) bytes = g_bytes_new (text, length);

      sym_array_set_string (array, i, bytes);
    }
}

SymDatum *
sym_datum_new_read (SymTensor *tensor, GError **error)
{
  g_autoptr (SymDatum) self = NULL;

  g_return_val_if_fail (tensor != NULL, NULL);

  self = sym_datum_new (sym_tensor_get_dtype (tensor), sym_tensor_get_shape (tensor), error);
  if (self == NULL)
    return NULL;
  if (self->array.dtype == SYM_DTYPE_STRING)
    read_strings (&self->array, tensor);
  else if (!sym_tensor_read (tensor, 0, sym_tensor_get_n_bytes (tensor), self->array.data, error))
    return NULL;
  return g_steal_pointer (&self);
}

SymDatum *
sym_datum_new_lent (SymDType dtype, const SymShape *shape, void *data, gsize n_bytes)
{
  SymDatum *self;

  g_return_val_if_fail (shape != NULL && dtype != SYM_DTYPE_STRING, NULL);

  self = new_datum (SYM_KIND_TENSOR, dtype);
  self->lent = TRUE;
  self->capacity = n_bytes;
  self->array.shape = *shape;
  self->array.data = data;
  g_assert (sym_array_get_n_bytes (&self->array) <= n_bytes);
  return self;
}

SymDatum *
sym_datum_new_within (SymDType dtype,
                      const SymShape *shape,
                      void *data,
                      gsize n_bytes,
                      gpointer take_owner,
                      GDestroyNotify free_owner)
{
  SymDatum *self = sym_datum_new_lent (dtype, shape, data, n_bytes);

  self->lent = FALSE;
  self->object = take_owner;
  self->free_object = free_owner;
  return self;
}

static SymDatum *
new_holder (SymKind kind, SymDType dtype, SymDatum *const *items, guint n_items)
{
  SymDatum *self = new_datum (kind, dtype);

  self->items = g_new (SymDatum *, MAX (n_items, 1));
  self->n_items = n_items;
  for (guint i = 0; i < n_items; i++)
    self->items[i] = sym_datum_ref (items[i]);
  return self;
}

SymDatum *
sym_datum_new_sequence (SymDType dtype, SymDatum *const *items, guint n_items)
{
  g_return_val_if_fail (items != NULL || n_items == 0, NULL);

  return new_holder (SYM_KIND_SEQUENCE, dtype, items, n_items);
}

SymDatum *
sym_datum_new_optional (SymDType dtype, SymDatum *item)
{
  return new_holder (SYM_KIND_OPTIONAL, dtype, &item, item == NULL ? 0 : 1);
}

SymDatum *
sym_datum_new_tuple (SymDatum *const *items, guint n_items)
{
  g_return_val_if_fail (items != NULL || n_items == 0, NULL);

  return new_holder (SYM_KIND_TUPLE, SYM_DTYPE_UNKNOWN, items, n_items);
}

SymDatum *
sym_datum_new_opaque (const char *name,
                      gconstpointer klass,
                      gpointer take_object,
                      GDestroyNotify free)
{
  SymDatum *self = new_datum (SYM_KIND_OPAQUE, SYM_DTYPE_UNKNOWN);

  self->name = name;
  self->klass = klass;
  self->object = take_object;
  self->free_object = free;
  return self;
}

static SymTensor *
copy_strings (const SymArray *array, GError **error)
{
  gsize n = sym_array_get_n_elements (array);
  g_autofree const char **strings = g_new (const char *, n + 1);
  g_autofree gsize *lengths = g_new (gsize, n + 1);

  for (gsize i = 0; i < n; i++)
    strings[i] = g_bytes_get_data (((GBytes *const *) array->data)[i], &lengths[i]);
  return sym_tensor_new_strings (&array->shape, strings, lengths, error);
}

SymTensor *
sym_tensor_new_copy (const SymArray *array, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (SymBlob) blob = NULL;

  g_return_val_if_fail (array != NULL, NULL);

  if (array->dtype == SYM_DTYPE_STRING)
    return copy_strings (array, error);
  bytes = g_bytes_new (array->data, sym_array_get_n_bytes (array));
  blob = sym_blob_new_bytes (bytes);
  return sym_tensor_new (array->dtype, &array->shape, blob, 0, error);
}

SymDatum *
sym_datum_ref (SymDatum *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_datum_unref (SymDatum *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  if (self->kind == SYM_KIND_TENSOR)
    clear_strings (self);
  if (!self->lent && self->free_object == NULL)
    free (self->array.data);
  for (guint i = 0; i < self->n_items; i++)
    sym_datum_unref (self->items[i]);
  g_free (self->items);
  if (self->free_object != NULL)
    self->free_object (self->object);
  g_free (self);
}

/* ---- Looking ---- */

gconstpointer
sym_datum_get_class (const SymDatum *self)
{
  return self->klass;
}

gpointer
sym_datum_get_opaque (const SymDatum *self)
{
  return self->object;
}

const char *
sym_datum_get_type_name (const SymDatum *self)
{
  SymType type = { .kind = self->kind, .name = self->name };

  return sym_type_get_python_name (&type);
}

SymKind
sym_datum_get_kind (const SymDatum *self)
{
  g_return_val_if_fail (self != NULL, SYM_KIND_UNKNOWN);

  return self->kind;
}

SymDType
sym_datum_get_dtype (const SymDatum *self)
{
  g_return_val_if_fail (self != NULL, SYM_DTYPE_UNKNOWN);

  return self->array.dtype;
}

const SymArray *
sym_datum_get_array (const SymDatum *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->kind == SYM_KIND_TENSOR ? &self->array : NULL;
}

guint
sym_datum_get_n_items (const SymDatum *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_items;
}

SymDatum *
sym_datum_get_item (const SymDatum *self, guint i)
{
  g_return_val_if_fail (self != NULL && i < self->n_items, NULL);

  return self->items[i];
}

/* ---- Using again ---- */

SymDatum *
sym_datum_keep (SymDatum *self, GError **error)
{
  g_return_val_if_fail (self != NULL, NULL);

  /* Items were kept when they went in. */
  return self->lent ? sym_datum_new_copy (&self->array, error) : sym_datum_ref (self);
}

struct _SymDatumPool {
  GPtrArray *data; /* of SymDatum, the smallest first */
};

SymDatumPool *
sym_datum_pool_new (void)
{
  SymDatumPool *self = g_new0 (SymDatumPool, 1);

  self->data = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_datum_unref);
  return self;
}

void
sym_datum_pool_free (SymDatumPool *self)
{
  g_ptr_array_unref (self->data);
  g_free (self);
}

gsize
sym_datum_get_n_bytes (const SymDatum *self)
{
  gsize n = self->lent ? 0 : self->capacity;

  for (guint i = 0; i < self->n_items; i++)
    n += sym_datum_get_n_bytes (self->items[i]);
  return n;
}

gsize
sym_datum_pool_get_n_bytes (const SymDatumPool *self)
{
  gsize n = 0;

  for (guint i = 0; i < self->data->len; i++)
    n += sym_datum_get_n_bytes (self->data->pdata[i]);
  return n;
}

/* The first one that has as much memory. */
static guint
find_place (const SymDatumPool *self, gsize n_bytes)
{
  guint low = 0, high = self->data->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (((const SymDatum *) self->data->pdata[middle])->capacity < n_bytes)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

void
sym_datum_pool_give (SymDatumPool *self, SymDatum **slot)
{
  SymDatum *datum = g_steal_pointer (slot);

  if (datum == NULL)
    return;
  if (datum->kind != SYM_KIND_TENSOR || datum->lent || datum->array.dtype == SYM_DTYPE_STRING ||
      g_atomic_int_get (&datum->ref_count) != 1)
    sym_datum_unref (datum);
  else
    g_ptr_array_insert (self->data, (int) find_place (self, datum->capacity), datum);
}

/* One with not much more memory than is asked for, NULL for none. */
static SymDatum *
take (SymDatumPool *self, gsize n_bytes)
{
  guint place = find_place (self, n_bytes);

  if (place == self->data->len ||
      ((const SymDatum *) self->data->pdata[place])->capacity / 2 > MAX (n_bytes, 4096))
    return NULL;
  return g_ptr_array_steal_index (self->data, place);
}

static gboolean
is_free (const SymDatum *self, gsize n_bytes, SymDType dtype)
{
  return self != NULL && self->kind == SYM_KIND_TENSOR && self->capacity >= n_bytes &&
         g_atomic_int_get (&self->ref_count) == 1 && !(self->lent && dtype == SYM_DTYPE_STRING);
}

gboolean
sym_datum_prepare (SymDatum **slot,
                   SymDType dtype,
                   const SymShape *shape,
                   SymDatumPool *pool,
                   GError **error)
{
  SymDatum *self = *slot;
  gsize n_bytes;

  if (!measure (dtype, shape, &n_bytes, error))
    return FALSE;
  if (!is_free (self, n_bytes, dtype))
    self = pool == NULL ? NULL : take (pool, n_bytes);
  if (self == NULL)
    self = sym_datum_new (dtype, shape, error);
  else
    {
      clear_strings (self);
      self->array.dtype = dtype;
      self->array.shape = *shape;
      fill_strings (self);
    }
  if (self == NULL)
    return FALSE;
  if (self != *slot)
    {
      g_clear_pointer (slot, sym_datum_unref);
      *slot = self;
    }
  return TRUE;
}

void
sym_array_set_string (SymArray *self, gsize i, GBytes *bytes)
{
  GBytes **strings = self->data;
  GBytes *old;

  g_return_if_fail (self->dtype == SYM_DTYPE_STRING && bytes != NULL);

  old = strings[i];
  strings[i] = g_bytes_ref (bytes);
  g_bytes_unref (old);
}
