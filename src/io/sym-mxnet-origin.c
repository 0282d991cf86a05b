/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-private.h"

typedef struct {
  SymAttributes *attributes;
  guint place;
} Placed;

void
sym_mxnet_origin_free (gpointer data)
{
  SymMxnetOrigin *self = data;

  sym_mxnet_graph_unref (self->graph);
  for (guint i = 0; i < self->placed->len; i++)
    sym_attributes_unref (g_array_index (self->placed, Placed, i).attributes);
  sym_rows_free (self->placed);
  g_clear_pointer (&self->places, g_hash_table_unref);
  g_free (self);
}

/* Editors end a file in a line end, MXNet does not. */
static gboolean
ends_with_newline (const SymMxnetGraph *graph)
{
  gsize size;
  const char *text = g_bytes_get_data (sym_json_get_bytes (graph->json), &size);

  return size > 0 && text[size - 1] == '\n';
}

SymMxnetOrigin *
sym_mxnet_origin_new (SymMxnetGraph *graph, guint epoch)
{
  SymMxnetOrigin *self = g_new0 (SymMxnetOrigin, 1);

  self->graph = sym_mxnet_graph_ref (graph);
  self->placed = sym_rows_new (sizeof (Placed));
  sym_rows_reserve (self->placed, graph->nodes->len);
  self->epoch = epoch;
  self->ends_with_newline = ends_with_newline (graph);
  return self;
}

void
sym_mxnet_origin_place (SymMxnetOrigin *self, SymAttributes *attributes, guint place)
{
  Placed placed = { sym_attributes_ref (attributes), place };

  sym_rows_append (self->placed, placed);
}

static GHashTable *
index_places (const SymMxnetOrigin *self)
{
  GHashTable *places = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->placed->len; i++)
    {
      const Placed *placed = &g_array_index (self->placed, Placed, i);

      g_hash_table_insert (places, placed->attributes, GUINT_TO_POINTER (placed->place));
    }
  return places;
}

/* Only who writes the file again asks. */
static GHashTable *
get_places (const SymMxnetOrigin *origin)
{
  SymMxnetOrigin *self = (SymMxnetOrigin *) origin;
  GHashTable *places = g_atomic_pointer_get (&self->places);

  if (places != NULL)
    return places;
  places = index_places (self);
  if (g_atomic_pointer_compare_and_exchange (&self->places, NULL, places))
    return places;
  g_hash_table_unref (places);
  return g_atomic_pointer_get (&self->places);
}

guint
sym_mxnet_origin_find (const SymMxnetOrigin *self, const SymAttributes *attributes)
{
  guint place = attributes == NULL
                    ? 0
                    : GPOINTER_TO_UINT (g_hash_table_lookup (get_places (self), attributes));

  return place == 0 ? SYM_JSON_NONE : place == SYM_MXNET_IMPLIED ? SYM_MXNET_IMPLIED : place - 1;
}
