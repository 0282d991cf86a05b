/* SPDX-License-Identifier: MIT */
#include "core/sym-opaque.h"

#define MAX_TYPES 16

/* A model, or a body of one, whose layers are looked at. */
typedef struct {
  const SymModel *model;
  SymId call; /* in whose layer it lies, outermost; SYM_NO_ID for the model itself */
} Place;

typedef struct {
  SymId first;
  guint n;
} Opaque;

typedef struct {
  GArray *places;      /* those that are to be looked at */
  GHashTable *met;     /* bodies, each of which is looked at once */
  GHashTable *by_type; /* to Opaque */
  GPtrArray *types;    /* in the order in which they were met */
  gboolean is_any_known;
} Search;

/* Neither an operator nor something else to run by, nor a body to look into. */
static gboolean
is_opaque (const SymLayer *layer)
{
  return sym_layer_get_operator (layer) == NULL && sym_layer_get_function (layer) == NULL &&
         sym_layer_get_n_bodies (layer) == 0;
}

static void
count (Search *self, const char *type, SymId call)
{
  Opaque *opaque = g_hash_table_lookup (self->by_type, type);

  if (opaque == NULL)
    {
      opaque = g_new (Opaque, 1);
      *opaque = (Opaque){ .first = call };
      g_hash_table_insert (self->by_type, (gpointer) type, opaque);
      g_ptr_array_add (self->types, (gpointer) type);
    }
  opaque->n++;
}

static void
add_bodies (Search *self, const SymLayer *layer, SymId call)
{
  for (guint i = 0; i < sym_layer_get_n_bodies (layer); i++)
    {
      Place place = { sym_layer_get_body (layer, i, NULL), call };

      if (g_hash_table_add (self->met, (gpointer) place.model))
        g_array_append_val (self->places, place);
    }
}

static void
look_at (Search *self, const Place *place)
{
  for (SymId call = 0; call < sym_model_get_n_calls (place->model); call++)
    {
      SymId outermost = place->call != SYM_NO_ID ? place->call : call;
      const SymLayer *layer;

      if (!sym_model_has_call (place->model, call))
        continue;
      layer = sym_model_get_layer (place->model, call);
      if (is_opaque (layer))
        count (self, sym_layer_get_type (layer), outermost);
      else
        self->is_any_known = TRUE;
      add_bodies (self, layer, outermost);
    }
}

static void
tell (SymProblems *problems, const char *type, const Opaque *opaque)
{
  if (opaque->n == 1)
    sym_problems_add (problems, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, opaque->first,
                      "nothing is known of the layer type %s: what it makes is as the file says",
                      type);
  else
    sym_problems_add (problems, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, opaque->first,
                      "nothing is known of the layer type %s: what its %u layers make is as the "
                      "file says",
                      type, opaque->n);
}

SymProblems *
sym_model_tell_opaque (const SymModel *model)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (Place));
  g_autoptr (GHashTable) met = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) by_type = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (GPtrArray) types = g_ptr_array_new ();
  Search self = { .places = places, .met = met, .by_type = by_type, .types = types };
  SymProblems *problems = sym_problems_new ();
  Place whole = { model, SYM_NO_ID };

  g_array_append_val (places, whole);
  for (guint i = 0; i < places->len; i++)
    {
      Place place = g_array_index (places, Place, i);

      look_at (&self, &place);
    }
  for (guint i = 0; self.is_any_known && i < MIN (types->len, MAX_TYPES); i++)
    tell (problems, types->pdata[i], g_hash_table_lookup (by_type, types->pdata[i]));
  if (self.is_any_known && types->len > MAX_TYPES)
    sym_problems_add (problems, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID,
                      "nothing is known of %u more layer types", types->len - MAX_TYPES);
  return problems;
}
