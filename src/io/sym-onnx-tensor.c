/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-private.h"

#include <string.h>

/* Numbers that take at most this many bytes in the file are decoded when it is opened, so that
 * what is wrong with them is told then. */
#define EAGER_BYTES (64 << 10)

/* How the numbers of a dtype stand in the fields that are no raw bytes. */
typedef struct {
  guint field;
  guint width; /* bytes that each number gives */
  gboolean is_varint;
} Layout;

static Layout
get_layout (SymDType dtype)
{
  guint bits = sym_dtype_get_bits (dtype);

  switch ((int) dtype)
    {
    case SYM_DTYPE_FLOAT32:
    case SYM_DTYPE_COMPLEX64:
      return (Layout){ ONNX_TENSOR_FLOAT_DATA, 4, FALSE };
    case SYM_DTYPE_FLOAT64:
    case SYM_DTYPE_COMPLEX128:
      return (Layout){ ONNX_TENSOR_DOUBLE_DATA, 8, FALSE };
    case SYM_DTYPE_INT64:
      return (Layout){ ONNX_TENSOR_INT64_DATA, 8, TRUE };
    case SYM_DTYPE_UINT32:
    case SYM_DTYPE_UINT64:
      return (Layout){ ONNX_TENSOR_UINT64_DATA, bits / 8, TRUE };
    case SYM_DTYPE_STRING:
      return (Layout){ ONNX_TENSOR_STRING_DATA, 0, FALSE };
    default: /* elements of less than a byte: as many as fit one stand in a number */
      return (Layout){ ONNX_TENSOR_INT32_DATA, MAX (bits, 8) / 8, TRUE };
    }
}

/* ---- Decoding ---- */

static gboolean
fail_format (GError **error, const char *message)
{
  g_set_error_literal (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT, message);
  return FALSE;
}

static void
append_number (GByteArray *out, guint64 number, guint width)
{
  guint64 bytes = GUINT64_TO_LE (number);

  g_byte_array_append (out, (const guint8 *) &bytes, width);
}

static gboolean
append_varints (GByteArray *out, const guint8 *bytes, gsize size, guint width, GError **error)
{
  while (size > 0)
    {
      guint64 number;
      int n = sym_proto_parse_varint (bytes, size, &number);

      if (n <= 0)
        return fail_format (error, "its numbers end within one, or one is too long");
      append_number (out, number, width);
      bytes += n;
      size -= (guint) n;
    }
  return TRUE;
}

static gboolean
append_range (GByteArray *out,
              SymBlob *blob,
              guint64 offset,
              guint64 size,
              const Layout *layout,
              GError **error)
{
  g_autofree guint8 *bytes = g_try_malloc (size + 1);

  if (bytes == NULL || size > G_MAXUINT / 8)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                   "there is no memory for its %" G_GUINT64_FORMAT " bytes of numbers", size);
      return FALSE;
    }
  if (!sym_blob_read (blob, offset, size, bytes, error))
    return FALSE;
  if (layout->is_varint)
    return append_varints (out, bytes, (gsize) size, layout->width, error);
  g_byte_array_append (out, bytes, (guint) size);
  return TRUE;
}

static gboolean
append_entry (GByteArray *out,
              const SymProtoMessage *message,
              const SymProtoEntry *entry,
              const Layout *layout,
              GError **error)
{
  switch ((SymProtoHeld) entry->held)
    {
    case SYM_PROTO_NUMBER:
      append_number (out, entry->value, layout->width);
      return TRUE;
    case SYM_PROTO_NUMBERS:
      for (guint64 i = 0; i < entry->size; i++)
        append_number (out, entry->numbers[i], layout->width);
      return TRUE;
    case SYM_PROTO_RANGE:
      return append_range (out, sym_proto_get_blob (message->document), entry->value, entry->size,
                           layout, error);
    case SYM_PROTO_TEXT:
    case SYM_PROTO_TENSOR:
    case SYM_PROTO_CHILD:
    default:
      return fail_format (error, "its numbers are no numbers");
    }
}

/* ---- Numbers that are decoded when they are asked for ---- */

typedef struct {
  SymBlob parent;
  SymBlob *blob;
  guint64 offset, size; /* of the varints */
  Layout layout;
  GMutex mutex;
  GByteArray *decoded; /* NULL until then */
} VarintBlob;

static gboolean
decode (VarintBlob *self, GError **error)
{
  g_autoptr (GByteArray) out = NULL;

  if (self->decoded != NULL)
    return TRUE;
  out = g_byte_array_new ();
  if (!append_range (out, self->blob, self->offset, self->size, &self->layout, error))
    return FALSE;
  if (out->len != self->parent.size)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                   "a tensor is to have %" G_GUINT64_FORMAT " bytes, but its numbers give %u",
                   self->parent.size, out->len);
      return FALSE;
    }
  self->decoded = g_steal_pointer (&out);
  return TRUE;
}

static gboolean
varint_blob_read (SymBlob *blob, guint64 offset, guint64 size, void *buffer, GError **error)
{
  VarintBlob *self = (VarintBlob *) blob;
  gboolean good;

  g_mutex_lock (&self->mutex);
  good = decode (self, error);
  if (good)
    memcpy (buffer, self->decoded->data + offset, size);
  g_mutex_unlock (&self->mutex);
  return good;
}

static void
varint_blob_free (SymBlob *blob)
{
  VarintBlob *self = (VarintBlob *) blob;

  sym_blob_unref (self->blob);
  g_mutex_clear (&self->mutex);
  g_clear_pointer (&self->decoded, g_byte_array_unref);
  g_free (self);
}

static const SymBlobClass varint_blob_class = {
  .read = varint_blob_read,
  .free = varint_blob_free,
};

static SymBlob *
new_varint_blob (SymBlob *blob, const SymProtoEntry *entry, const Layout *layout, guint64 n_bytes)
{
  VarintBlob *self = g_new0 (VarintBlob, 1);

  self->parent.klass = &varint_blob_class;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->parent.size = n_bytes;
  self->blob = sym_blob_ref (blob);
  self->offset = entry->value;
  self->size = entry->size;
  self->layout = *layout;
  g_mutex_init (&self->mutex);
  return &self->parent;
}

/* ---- The tensor ---- */

typedef struct {
  const SymProtoMessage *message;
  SymDType dtype;
  SymShape shape;
  guint64 n_elements, n_bytes;
} Draft;

static gboolean
check_size (const Draft *self, guint64 found, GError **error)
{
  if (found == self->n_bytes)
    return TRUE;
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
               "its shape takes %" G_GUINT64_FORMAT " bytes of %s, but it has %" G_GUINT64_FORMAT,
               self->n_bytes, sym_dtype_to_string (self->dtype), found);
  return FALSE;
}

static SymTensor *
take_bytes (const Draft *self, GBytes *take_bytes, GError **error)
{
  g_autoptr (GBytes) bytes = take_bytes;
  g_autoptr (SymBlob) blob = NULL;

  if (!check_size (self, g_bytes_get_size (bytes), error))
    return NULL;
  blob = sym_blob_new_bytes (bytes);
  return sym_tensor_new (self->dtype, &self->shape, blob, 0, error);
}

static SymTensor *
take_range (const Draft *self, const SymProtoEntry *entry, GError **error)
{
  return check_size (self, entry->size, error)
             ? sym_tensor_new (self->dtype, &self->shape,
                               sym_proto_get_blob (self->message->document), entry->value, error)
             : NULL;
}

/* Raw bytes of a text form lie in the document. */
static SymTensor *
take_raw (const Draft *self, const SymProtoEntry *entry, GError **error)
{
  SymProto *document = self->message->document;

  if (entry->held == SYM_PROTO_RANGE)
    return take_range (self, entry, error);
  if (entry->held == SYM_PROTO_TENSOR) /* of a message that is being written */
    return check_size (self, entry->size, error) ? sym_tensor_ref (entry->tensor) : NULL;
  if (entry->held != SYM_PROTO_TEXT)
    {
      fail_format (error, "its raw data are no bytes");
      return NULL;
    }
  return take_bytes (self,
                     g_bytes_new_with_free_func (entry->bytes, entry->size,
                                                 (GDestroyNotify) sym_proto_unref,
                                                 sym_proto_ref (document)),
                     error);
}

static SymTensor *
take_lazily (const Draft *self, const SymProtoEntry *entry, const Layout *layout, GError **error)
{
  g_autoptr (SymBlob) blob = NULL;

  if (self->n_bytes / layout->width > entry->size)
    {
      check_size (self, entry->size * layout->width, error);
      return NULL;
    }
  blob =
      new_varint_blob (sym_proto_get_blob (self->message->document), entry, layout, self->n_bytes);
  return sym_tensor_new (self->dtype, &self->shape, blob, 0, error);
}

static SymTensor *
take_numbers (const Draft *self, GError **error)
{
  Layout layout = get_layout (self->dtype);
  const SymProtoEntry *last = sym_proto_find (self->message, layout.field);
  g_autoptr (GByteArray) out = NULL;
  const SymProtoEntry *entry;

  if (last != NULL && last->held == SYM_PROTO_RANGE &&
      sym_proto_count (self->message, layout.field) == 1)
    {
      if (!layout.is_varint)
        return take_range (self, last, error);
      if (last->size > EAGER_BYTES)
        return take_lazily (self, last, &layout, error);
    }
  out = g_byte_array_new ();
  for (guint at = 0; (entry = sym_proto_next (self->message, layout.field, &at)) != NULL;)
    if (!append_entry (out, self->message, entry, &layout, error))
      return NULL;
  return take_bytes (self, g_byte_array_free_to_bytes (g_steal_pointer (&out)), error);
}

static SymTensor *
take_strings (const Draft *self, GError **error)
{
  guint n = sym_proto_count (self->message, ONNX_TENSOR_STRING_DATA);
  g_autofree const char **strings = g_new (const char *, n + 1);
  g_autofree gsize *lengths = g_new (gsize, n + 1);
  const SymProtoEntry *entry;
  guint i = 0;

  if (n != self->n_elements)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                   "its shape has %" G_GUINT64_FORMAT " strings, but it has %u", self->n_elements,
                   n);
      return NULL;
    }
  for (guint at = 0; (entry = sym_proto_next (self->message, ONNX_TENSOR_STRING_DATA, &at)) != NULL;
       i++)
    {
      gboolean is_text = entry->held == SYM_PROTO_TEXT;

      strings[i] = is_text ? entry->bytes : "";
      lengths[i] = is_text ? (gsize) entry->size : 0;
    }
  return sym_tensor_new_strings (&self->shape, strings, lengths, error);
}

static gboolean
read_dims (const SymProtoMessage *message, SymShape *shape, GError **error)
{
  g_autoptr (GArray) dims = sym_proto_get_numbers (message, ONNX_TENSOR_DIMS);

  if (dims->len > SYM_MAX_RANK)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                   "it has %u dimensions; at most %d are read", dims->len, SYM_MAX_RANK);
      return FALSE;
    }
  shape->rank = (int) dims->len;
  for (guint i = 0; i < dims->len; i++)
    {
      shape->dims[i] = g_array_index (dims, gint64, i);
      if (shape->dims[i] < 0)
        {
          g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                       "its dimension %u is %" G_GINT64_FORMAT, i, shape->dims[i]);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
measure (Draft *self, GError **error)
{
  self->n_bytes = 0;
  if (!sym_shape_get_n_elements (&self->shape, &self->n_elements) ||
      (self->dtype != SYM_DTYPE_STRING &&
       !sym_dtype_get_size (self->dtype, self->n_elements, &self->n_bytes)))
    return fail_format (error, "it has more elements than there are bytes anywhere");
  return TRUE;
}

SymType
sym_onnx_read_tensor_type (const SymProtoMessage *message)
{
  SymShape shape = SYM_SHAPE_UNKNOWN;

  if (!read_dims (message, &shape, NULL))
    shape = SYM_SHAPE_UNKNOWN;
  return sym_type_tensor (
      sym_onnx_get_dtype (sym_proto_get_int (message, ONNX_TENSOR_DATA_TYPE, 0)), shape);
}

SymTensor *
sym_onnx_read_tensor (SymOnnxFile *file, const SymProtoMessage *message, GError **error)
{
  gint64 number = sym_proto_get_int (message, ONNX_TENSOR_DATA_TYPE, 0);
  Draft draft = { .message = message, .dtype = sym_onnx_get_dtype (number) };
  const SymProtoEntry *raw = sym_proto_find (message, ONNX_TENSOR_RAW_DATA);

  if (draft.dtype == SYM_DTYPE_UNKNOWN)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                   "its data type is %" G_GINT64_FORMAT ", which is none that is known", number);
      return NULL;
    }
  if (sym_proto_get_message (message, ONNX_TENSOR_SEGMENT) != NULL)
    {
      fail_format (error, "it is one segment of a larger tensor, which is not read");
      return NULL;
    }
  if (!read_dims (message, &draft.shape, error) || !measure (&draft, error))
    return NULL;
  if (sym_onnx_is_external (message))
    return sym_onnx_open_external (file, message, draft.dtype, &draft.shape, error);
  if (draft.dtype == SYM_DTYPE_STRING)
    return take_strings (&draft, error);
  if (raw != NULL && (raw->size > 0 || draft.n_bytes == 0))
    return take_raw (&draft, raw, error);
  return take_numbers (&draft, error);
}
