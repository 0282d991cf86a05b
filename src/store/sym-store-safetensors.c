/* SPDX-License-Identifier: MIT */
#include "store/sym-store-safetensors-private.h"

#include <stdlib.h>

#define ALIGNMENT 8

/* ---- Reading ---- */

static int
compare_begins (gconstpointer a, gconstpointer b, gpointer entries)
{
  const SymStoreSafetensorsEntry *x =
      &g_array_index ((GArray *) entries, SymStoreSafetensorsEntry, *(const guint *) a);
  const SymStoreSafetensorsEntry *y =
      &g_array_index ((GArray *) entries, SymStoreSafetensorsEntry, *(const guint *) b);

  /* An empty tensor may begin where another one does. */
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  return x->end < y->end ? -1 : x->end > y->end;
}

/* Whether the elements fill their last byte, as the format demands of those of 4 and 6 bits. */
static gboolean
fills_bytes (SymDType dtype, guint64 n_elements)
{
  return n_elements % 8 * sym_dtype_get_bits (dtype) % 8 == 0;
}

static gboolean
check_size (const SymStoreSafetensorsEntry *entry, const char *path, GError **error)
{
  guint64 n = 0, size = 0;

  if (!sym_shape_get_n_elements (&entry->shape, &n) || !sym_dtype_get_size (entry->dtype, n, &size))
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path, "“%s” has too many elements",
                           entry->name);
  if (entry->begin > entry->end || entry->end - entry->begin != size)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                           "“%s” takes %" G_GUINT64_FORMAT
                           " bytes by its shape, but its offsets are [%" G_GUINT64_FORMAT
                           ", %" G_GUINT64_FORMAT "]",
                           entry->name, size, entry->begin, entry->end);
  if (!fills_bytes (entry->dtype, n))
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                           "“%s” has %" G_GUINT64_FORMAT
                           " elements of %u bits, which do not fill their last byte",
                           entry->name, n, sym_dtype_get_bits (entry->dtype));
  return TRUE;
}

/* The tensors must fill the @size bytes of data exactly: a hole could hide anything. */
static gboolean
check_coverage (GArray *entries, guint64 size, const char *path, GError **error)
{
  g_autofree guint *order = g_new (guint, entries->len + 1);
  guint64 filled = 0;

  for (guint i = 0; i < entries->len; i++)
    order[i] = i;
  g_qsort_with_data (order, (int) entries->len, sizeof *order, compare_begins, entries);
  for (guint i = 0; i < entries->len; i++)
    {
      const SymStoreSafetensorsEntry *entry =
          &g_array_index (entries, SymStoreSafetensorsEntry, order[i]);

      if (!check_size (entry, path, error))
        return FALSE;
      if (entry->begin != filled)
        return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                               "“%s” begins at byte %" G_GUINT64_FORMAT
                               " of the data and %s; byte %" G_GUINT64_FORMAT " was expected",
                               entry->name, entry->begin,
                               entry->begin < filled ? "overlaps another tensor" : "leaves a hole",
                               filled);
      filled = entry->end;
    }
  if (filled != size)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                           "has %" G_GUINT64_FORMAT
                           " bytes of data, but its tensors take %" G_GUINT64_FORMAT,
                           size, filled);
  return TRUE;
}

/* The size of the header, checked against the file's. */
static gboolean
read_header_size (SymBlob *blob, const char *path, guint64 *size, GError **error)
{
  guint64 raw;

  if (blob->size < sizeof raw)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                           "ends too early: it has %" G_GUINT64_FORMAT
                           " bytes, and the size of the header takes 8",
                           blob->size);
  if (!sym_blob_read (blob, 0, sizeof raw, &raw, error))
    return FALSE;
  *size = GUINT64_FROM_LE (raw);
  if (*size > blob->size - sizeof raw)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                           "ends too early, or is no safetensors file: its header is to have"
                           " %" G_GUINT64_FORMAT " bytes, but only %" G_GUINT64_FORMAT " follow",
                           *size, blob->size - sizeof raw);
  if (*size > SAFETENSORS_MAX_HEADER)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                           "has a header of %" G_GUINT64_FORMAT " bytes; at most %d are allowed",
                           *size, SAFETENSORS_MAX_HEADER);
  return TRUE;
}

static GArray *
read_header (SymBlob *blob, const char *path, guint64 *data_start, GError **error)
{
  g_autofree char *text = NULL;
  guint64 size = 0;

  if (!read_header_size (blob, path, &size, error))
    return NULL;
  text = g_malloc ((gsize) size + 1);
  if (!sym_blob_read (blob, sizeof size, size, text, error))
    return NULL;
  *data_start = sizeof size + size;
  return sym_store_safetensors_parse (text, (gsize) size, path, error);
}

SymStoreTensors *
sym_store_open_safetensors (const char *path, GError **error)
{
  g_autoptr (SymStoreTensors) tensors = NULL;
  g_autoptr (SymBlob) blob = NULL;
  g_autoptr (GArray) entries = NULL;
  guint64 start = 0;

  blob = sym_store_open_file (path, error);
  if (blob == NULL)
    return NULL;
  entries = read_header (blob, path, &start, error);
  if (entries == NULL || !check_coverage (entries, blob->size - start, path, error))
    return NULL;

  tensors = sym_store_tensors_new ();
  for (guint i = 0; i < entries->len; i++)
    {
      SymStoreSafetensorsEntry *entry = &g_array_index (entries, SymStoreSafetensorsEntry, i);
      SymTensor *tensor =
          sym_tensor_new (entry->dtype, &entry->shape, blob, start + entry->begin, error);

      if (tensor == NULL)
        return NULL;
      sym_store_tensors_add (tensors, g_steal_pointer (&entry->name), tensor);
    }
  return g_steal_pointer (&tensors);
}

/* ---- Writing ---- */

typedef struct {
  guint index;
  guint bits;
} Place;

/* Wide elements first, else as given: with no holes allowed, that alone keeps each one aligned. */
static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *x = a;
  const Place *y = b;

  if (x->bits != y->bits)
    return x->bits > y->bits ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static Place *
order_tensors (SymTensor *const *tensors, guint n)
{
  Place *places = g_new (Place, n + 1);

  for (guint i = 0; i < n; i++)
    places[i] = (Place){ i, sym_dtype_get_bits (sym_tensor_get_dtype (tensors[i])) };
  qsort (places, n, sizeof *places, compare_places);
  return places;
}

static void
append_string (GString *text, const char *string)
{
  g_string_append_c (text, '"');
  for (const char *c = string; *c != '\0'; c++)
    if (*c == '"' || *c == '\\')
      g_string_append_printf (text, "\\%c", *c);
    else if ((guint8) *c < 0x20)
      g_string_append_printf (text, "\\u%04x", *c);
    else
      g_string_append_c (text, *c);
  g_string_append_c (text, '"');
}

static void
append_entry (GString *text, const char *name, SymTensor *tensor, guint64 begin)
{
  const SymShape *shape = sym_tensor_get_shape (tensor);

  append_string (text, name);
  g_string_append_printf (text, ":{\"dtype\":\"%s\",\"shape\":[",
                          sym_store_safetensors_get_dtype_name (sym_tensor_get_dtype (tensor)));
  for (int i = 0; i < shape->rank; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i == 0 ? "" : ",", shape->dims[i]);
  g_string_append_printf (text, "],\"data_offsets\":[%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT "]}",
                          begin, begin + sym_tensor_get_n_bytes (tensor));
}

/* The tensors in the order that they were given in, wherever their bytes are. */
static GString *
format_header (const char *const *names, SymTensor *const *tensors, guint n, const Place *places)
{
  g_autofree guint64 *begins = g_new (guint64, n + 1);
  GString *text = g_string_new ("{");
  guint64 offset = 0;

  for (guint i = 0; i < n; i++)
    {
      begins[places[i].index] = offset;
      offset += sym_tensor_get_n_bytes (tensors[places[i].index]);
    }
  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (text, ',');
      append_entry (text, names[i], tensors[i], begins[i]);
    }
  g_string_append_c (text, '}');
  while (text->len % ALIGNMENT != 0)
    g_string_append_c (text, ' ');
  return text;
}

gboolean
sym_store_safetensors_takes (SymTensor *tensor)
{
  SymDType dtype = sym_tensor_get_dtype (tensor);
  guint64 n = 0;

  return sym_shape_get_n_elements (sym_tensor_get_shape (tensor), &n) &&
         sym_store_safetensors_get_dtype_name (dtype) != NULL && fills_bytes (dtype, n);
}

static gboolean
check_writable (const char *path,
                const char *const *names,
                SymTensor *const *tensors,
                guint n,
                GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < n; i++)
    {
      SymDType dtype = sym_tensor_get_dtype (tensors[i]);

      if (sym_store_safetensors_get_dtype_name (dtype) == NULL)
        return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                               "cannot be written: safetensors has no dtype %s, which “%s” has",
                               sym_dtype_to_string (dtype), names[i]);
      if (!sym_store_safetensors_takes (tensors[i]))
        return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                               "cannot be written: the elements of “%s”, of %u bits, do not fill"
                               " their last byte",
                               names[i], sym_dtype_get_bits (dtype));
      if (!g_hash_table_add (seen, (gpointer) names[i]) ||
          g_str_equal (names[i], SAFETENSORS_METADATA))
        return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                               "cannot be written: the name “%s” is taken; names must differ",
                               names[i]);
    }
  return TRUE;
}

gboolean
sym_store_write_safetensors (const char *path,
                             const char *const *names,
                             SymTensor *const *tensors,
                             guint n,
                             GError **error)
{
  g_autoptr (SymStoreWriter) writer = NULL;
  g_autoptr (GString) header = NULL;
  g_autofree Place *places = order_tensors (tensors, n);
  guint64 size;

  if (!check_writable (path, names, tensors, n, error))
    return FALSE;
  writer = sym_store_writer_new (path, error);
  if (writer == NULL)
    return FALSE;

  header = format_header (names, tensors, n, places);
  size = GUINT64_TO_LE ((guint64) header->len);
  if (!sym_store_writer_write (writer, &size, sizeof size, error) ||
      !sym_store_writer_write (writer, header->str, header->len, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!sym_store_writer_write_tensor (writer, tensors[places[i].index], error))
      return FALSE;

  return sym_store_writer_commit (writer, error);
}
