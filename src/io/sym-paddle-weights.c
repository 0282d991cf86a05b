/* SPDX-License-Identifier: MIT */
#include "io/sym-paddle-weights.h"

#include <string.h>

#include "core/sym-problem-lack.h"
#include "io/sym-net-constants.h"
#include "store/sym-store-varint.h"

/* A tensor of the file, little-endian: uint32 0; uint64 number of levels of detail, each a uint64
 * size and as many bytes; uint32 0; int32 size of what tells the type, a protobuf message (1:
 * dtype, 2: each size); the elements. */

#define MAX_TYPE_BYTES 4096

typedef struct {
  char *name;
  SymId value;
  SymType type;
  gboolean is_trained;
} Weight;

struct _SymPaddleWeights {
  GArray *weights; /* of Weight */
};

static void
clear_weight (gpointer data)
{
  g_free (((Weight *) data)->name);
}

SymPaddleWeights *
sym_paddle_weights_new (void)
{
  SymPaddleWeights *self = g_new0 (SymPaddleWeights, 1);

  self->weights = g_array_new (FALSE, FALSE, sizeof (Weight));
  g_array_set_clear_func (self->weights, clear_weight);
  return self;
}

void
sym_paddle_weights_free (SymPaddleWeights *self)
{
  g_array_unref (self->weights);
  g_free (self);
}

void
sym_paddle_weights_want (SymPaddleWeights *self,
                         const char *name,
                         SymId value,
                         const SymType *type,
                         gboolean is_trained)
{
  Weight weight = { g_strdup (name), value, *type, is_trained };

  if (name != NULL)
    g_array_append_val (self->weights, weight);
}

SymDType
sym_paddle_get_dtype (guint64 number)
{
  static const SymDType numbers[] = {
    [0] = SYM_DTYPE_BOOL,      [1] = SYM_DTYPE_INT16,   [2] = SYM_DTYPE_INT32,
    [3] = SYM_DTYPE_INT64,     [4] = SYM_DTYPE_FLOAT16, [5] = SYM_DTYPE_FLOAT32,
    [6] = SYM_DTYPE_FLOAT64,   [20] = SYM_DTYPE_UINT8,  [21] = SYM_DTYPE_INT8,
    [22] = SYM_DTYPE_BFLOAT16,
  };

  if (number >= G_N_ELEMENTS (numbers) || (number > 6 && number < 20))
    return SYM_DTYPE_UNKNOWN;
  return numbers[number];
}

/* ---- One tensor ---- */

typedef struct {
  SymBlob *blob;
  guint64 at;
} Cursor;

static gboolean
read_number (Cursor *self, guint size, guint64 *number, GError **error)
{
  guint8 bytes[8] = { 0 };
  guint64 little;

  if (!sym_blob_read (self->blob, self->at, size, bytes, error))
    return FALSE;
  memcpy (&little, bytes, sizeof little);
  *number = GUINT64_FROM_LE (little);
  self->at += size;
  return TRUE;
}

static gboolean
fail (const Cursor *self, const char *what, GError **error)
{
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT, "byte %" G_GUINT64_FORMAT ": %s", self->at,
               what);
  return FALSE;
}

static gboolean
skip_levels (Cursor *self, GError **error)
{
  guint64 version, n, size;

  if (!read_number (self, 4, &version, error) || !read_number (self, 8, &n, error))
    return FALSE;
  if (version != 0)
    return fail (self, "a tensor of an unknown version", error);
  for (guint64 i = 0; i < n; i++)
    {
      if (!read_number (self, 8, &size, error))
        return FALSE;
      if (size > self->blob->size - self->at)
        return fail (self, "a level of detail reaches beyond the file", error);
      self->at += size;
    }
  return TRUE;
}

static gboolean
add_size (SymShape *shape, guint64 size)
{
  if (shape->rank == SYM_MAX_RANK || size > G_MAXINT64)
    return FALSE;
  shape->dims[shape->rank++] = (gint64) size;
  return TRUE;
}

/* The sizes that @n_bytes hold. */
static gboolean
add_packed (SymShape *shape, const guint8 **at, const guint8 *end, guint64 n_bytes)
{
  const guint8 *stop;
  guint64 size;

  if (n_bytes > (guint64) (end - *at))
    return FALSE;
  stop = *at + n_bytes;
  while (*at < stop)
    if (!sym_store_take_varint (at, stop, &size) || !add_size (shape, size))
      return FALSE;
  return TRUE;
}

/* Sizes are one field each, or packed in one. */
static gboolean
parse_type (const guint8 *at, const guint8 *end, SymType *type)
{
  guint64 tag, number;

  *type = sym_type_tensor (SYM_DTYPE_UNKNOWN, (SymShape){ .rank = 0 });
  while (at < end)
    {
      if (!sym_store_take_varint (&at, end, &tag) || !sym_store_take_varint (&at, end, &number))
        return FALSE;
      if (tag == (1 << 3))
        type->dtype = sym_paddle_get_dtype (number);
      else if (tag == (2 << 3))
        {
          if (!add_size (&type->shape, number))
            return FALSE;
        }
      else if (tag == ((2 << 3) | 2))
        {
          if (!add_packed (&type->shape, &at, end, number))
            return FALSE;
        }
      else
        return FALSE;
    }
  return type->dtype != SYM_DTYPE_UNKNOWN;
}

static gboolean
read_type (Cursor *self, SymType *type, GError **error)
{
  guint8 bytes[MAX_TYPE_BYTES];
  guint64 version, size;

  if (!read_number (self, 4, &version, error) || !read_number (self, 4, &size, error))
    return FALSE;
  if (version != 0 || size > sizeof bytes)
    return fail (self, "no type of a tensor", error);
  if (!sym_blob_read (self->blob, self->at, size, bytes, error))
    return FALSE;
  if (!parse_type (bytes, bytes + size, type))
    return fail (self, "the type of a tensor cannot be read", error);
  self->at += size;
  return TRUE;
}

static SymTensor *
read_tensor (Cursor *self, GError **error)
{
  g_autoptr (SymTensor) tensor = NULL;
  SymType type;

  if (!skip_levels (self, error) || !read_type (self, &type, error))
    return NULL;
  tensor = sym_tensor_new (type.dtype, &type.shape, self->blob, self->at, error);
  if (tensor != NULL)
    self->at += sym_tensor_get_n_bytes (tensor);
  return g_steal_pointer (&tensor);
}

/* ---- All ---- */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (((const Weight *) a)->name, ((const Weight *) b)->name);
}

/* Where one does not fit, nobody knows what the others are. */
static void
give_up (const SymPaddleWeights *self, SymNet *net, guint first, const char *path, const char *why)
{
  const char *name = g_array_index (self->weights, Weight, first).name;
  g_autofree char *message = g_strdup_printf (
      "the numbers of '%s' and of what follows are not in '%s': %s", name, path, why);

  sym_net_warn_of_lack (net, SYM_JSON_NONE, "%s", message);
  for (guint i = first; i < self->weights->len; i++)
    sym_model_builder_set_lack (sym_net_get_builder (net),
                                g_array_index (self->weights, Weight, i).value, message);
}

static void
give_all (SymPaddleWeights *self, SymNet *net, SymBlob *blob, const char *path)
{
  Cursor cursor = { blob, 0 };

  for (guint i = 0; i < self->weights->len; i++)
    {
      const Weight *weight = &g_array_index (self->weights, Weight, i);
      g_autoptr (GError) error = NULL;
      g_autoptr (SymTensor) tensor = read_tensor (&cursor, &error);

      if (tensor == NULL || !sym_tensor_fits (tensor, &weight->type))
        {
          give_up (self, net, i, path,
                   tensor == NULL ? error->message : "another tensor is in its place");
          return;
        }
      sym_model_builder_set_parameter (sym_net_get_builder (net), weight->value,
                                       sym_parameter_new (weight->is_trained, tensor));
    }
  if (cursor.at < blob->size)
    sym_net_warn (net, SYM_JSON_NONE, "'%s' is longer than the weights", path);
}

gboolean
sym_paddle_weights_find (SymPaddleWeights *self,
                         SymNet *net,
                         const SymIoSource *source,
                         GError **error)
{
  g_autofree char *path = sym_net_dup_name_beside (source, ".pdiparams");
  g_autoptr (SymBlob) blob = NULL;

  if (self->weights->len == 0 || (path == NULL && source->weights == NULL))
    return TRUE;
  if (!sym_net_open_weights (source, path, &blob, error))
    return FALSE;
  if (blob == NULL)
    {
      sym_problems_add_lack (sym_model_builder_get_problems (sym_net_get_builder (net)),
                             SYM_SEVERITY_NOTE, 0,
                             "there are no weights: '%s' is not beside the graph", path);
      return TRUE;
    }
  g_array_sort (self->weights, compare_names);
  give_all (self, net, blob, source->weights != NULL ? source->weights : path);
  return TRUE;
}
