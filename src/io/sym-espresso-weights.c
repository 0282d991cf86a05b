/* SPDX-License-Identifier: MIT */
#include "io/sym-espresso-weights.h"

#include "core/sym-problem-lack.h"

#define ENTRY_SIZE 16 /* number and size */
#define MAX_BLOBS (1 << 20)

typedef struct {
  guint64 offset, size;
} Place;

struct _SymEspressoWeights {
  SymNet *net;        /* borrowed */
  SymBlob *blob;      /* NULL when there is none */
  GHashTable *places; /* number to Place, both owned */
};

#define fail(error, ...) \
  (g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT, __VA_ARGS__), FALSE)

static guint64
get_number (const guint8 *bytes)
{
  guint64 number = 0;

  for (int i = 7; i >= 0; i--)
    number = number << 8 | bytes[i];
  return number;
}

static void
add_place (SymEspressoWeights *self, guint64 number, guint64 offset, guint64 size)
{
  guint64 *key = g_new (guint64, 1);
  Place *place = g_new (Place, 1);

  *key = number;
  *place = (Place){ offset, size };
  g_hash_table_insert (self->places, key, place);
}

/* Sets @error when the file is none of blobs, or is cut off. */
static gboolean
read_places (SymEspressoWeights *self, GError **error)
{
  g_autofree guint8 *table = NULL;
  guint8 first[8];
  guint64 n, offset;

  if (!sym_blob_read (self->blob, 0, sizeof first, first, error))
    return FALSE;
  n = get_number (first);
  if (n > MAX_BLOBS || n * ENTRY_SIZE > self->blob->size - sizeof first)
    return fail (error, "it cannot have %" G_GUINT64_FORMAT " blobs", n);
  table = g_malloc (n * ENTRY_SIZE);
  if (!sym_blob_read (self->blob, sizeof first, n * ENTRY_SIZE, table, error))
    return FALSE;
  offset = sizeof first + n * ENTRY_SIZE;
  for (guint64 i = 0; i < n; i++)
    {
      guint64 number = get_number (table + i * ENTRY_SIZE);
      guint64 size = get_number (table + i * ENTRY_SIZE + 8);

      if (size > self->blob->size - offset)
        return fail (error, "its blob %" G_GUINT64_FORMAT " goes beyond its end", number);
      add_place (self, number, offset, size);
      offset += size;
    }
  return TRUE;
}

/* What is beside the graph is a problem where it cannot be read. */
static void
open_beside (SymEspressoWeights *self, const SymIoSource *source, const char *path)
{
  g_autoptr (GError) error = NULL;

  self->blob = sym_net_open_file (source, path, NULL);
  if (self->blob == NULL)
    sym_problems_add_lack (sym_model_builder_get_problems (sym_net_get_builder (self->net)),
                           SYM_SEVERITY_NOTE, 0,
                           "there are no weights: '%s' is not beside the graph", path);
  else if (!read_places (self, &error))
    {
      sym_net_warn_of_lack (self->net, SYM_JSON_NONE, "the weights in '%s' cannot be read: %s",
                            path, error->message);
      g_clear_pointer (&self->blob, sym_blob_unref);
    }
}

static gboolean
open_chosen (SymEspressoWeights *self, const SymIoSource *source, GError **error)
{
  return sym_net_open_weights (source, "", &self->blob, error) && read_places (self, error);
}

SymEspressoWeights *
sym_espresso_weights_new (SymNet *net, const SymIoSource *source, GError **error)
{
  g_autoptr (SymEspressoWeights) self = g_new0 (SymEspressoWeights, 1);
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *path = sym_json_dup_string (json, sym_json_get_member (json, 0, "storage"));

  self->net = net;
  self->places = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  if (source->weights != NULL && !open_chosen (self, source, error))
    return NULL;
  if (source->weights == NULL && path != NULL)
    open_beside (self, source, path);
  return g_steal_pointer (&self);
}

void
sym_espresso_weights_free (SymEspressoWeights *self)
{
  g_hash_table_unref (self->places);
  g_clear_pointer (&self->blob, sym_blob_unref);
  g_free (self);
}

SymTensor *
sym_espresso_weights_read (const SymEspressoWeights *self,
                           const char *name,
                           guint64 number,
                           const SymType *type,
                           guint token,
                           char **lack)
{
  g_autoptr (SymTensor) tensor = NULL;
  g_autoptr (GError) error = NULL;
  const Place *place;

  if (self->blob == NULL || !sym_shape_is_known (&type->shape))
    return NULL;
  place = g_hash_table_lookup (self->places, &number);
  if (place != NULL)
    tensor = sym_tensor_new (type->dtype, &type->shape, self->blob, place->offset, &error);
  if (place == NULL)
    *lack = g_strdup_printf ("the numbers of '%s' are missing: there is no blob %" G_GUINT64_FORMAT,
                             name, number);
  else if (tensor == NULL || sym_tensor_get_n_bytes (tensor) > place->size)
    *lack = g_strdup_printf ("the numbers of '%s' are missing: blob %" G_GUINT64_FORMAT
                             " has %" G_GUINT64_FORMAT " bytes",
                             name, number, place->size);
  if (*lack == NULL)
    return g_steal_pointer (&tensor);
  sym_net_warn_of_lack (self->net, token, "%s", *lack);
  return NULL;
}
