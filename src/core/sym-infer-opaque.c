/* SPDX-License-Identifier: MIT */
#include "core/sym-infer-private.h"

/* Layers that nobody here knows: what they make is what the file says of it.  One note tells of all
 * those of one type. */

#define MAX_TYPES 16

typedef struct {
  SymId first;
  guint n;
} Opaque;

/* Neither an operator nor something else to run by, nor a body to look into. */
static gboolean
is_opaque (const SymLayer *layer)
{
  return sym_layer_get_operator (layer) == NULL && sym_layer_get_function (layer) == NULL &&
         sym_layer_get_n_bodies (layer) == 0;
}

/* By type, in the order of their first calls; FALSE where nothing at all is known, as of a drawing,
 * of which there is nothing to tell. */
static gboolean
collect (const SymModel *model, GHashTable *by_type, GPtrArray *types)
{
  gboolean is_any_known = FALSE;

  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    {
      const SymLayer *layer =
          sym_model_has_call (model, call) ? sym_model_get_layer (model, call) : NULL;
      const char *type = layer == NULL ? NULL : sym_layer_get_type (layer);
      Opaque *opaque;

      if (layer == NULL || !is_opaque (layer))
        {
          is_any_known = is_any_known || layer != NULL;
          continue;
        }
      opaque = g_hash_table_lookup (by_type, type);
      if (opaque == NULL)
        {
          opaque = g_new (Opaque, 1);
          *opaque = (Opaque){ .first = call };
          g_hash_table_insert (by_type, (gpointer) type, opaque);
          g_ptr_array_add (types, (gpointer) type);
        }
      opaque->n++;
    }
  return is_any_known;
}

static void
tell (SymInference *self, const char *type, const Opaque *opaque)
{
  if (opaque->n == 1)
    sym_problems_add (self->problems, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, opaque->first,
                      "nothing is known of layers of type %s: what it makes is as the file says",
                      type);
  else
    sym_problems_add (self->problems, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, opaque->first,
                      "nothing is known of layers of type %s: what the %u of them make is as the "
                      "file says",
                      type, opaque->n);
}

void
sym_inference_tell_opaque (SymInference *self)
{
  g_autoptr (GHashTable) by_type = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (GPtrArray) types = g_ptr_array_new ();

  if (!collect (self->model, by_type, types))
    return;
  for (guint i = 0; i < MIN (types->len, MAX_TYPES); i++)
    tell (self, types->pdata[i], g_hash_table_lookup (by_type, types->pdata[i]));
  if (types->len > MAX_TYPES)
    sym_problems_add (self->problems, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID,
                      "nothing is known of layers of %u more types", types->len - MAX_TYPES);
}
