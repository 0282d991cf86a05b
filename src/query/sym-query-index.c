/* SPDX-License-Identifier: MIT */
#include "core/sym-extract.h"
#include "query/sym-query-private.h"

#include <string.h>

char *
sym_query_fold (const char *text)
{
  g_autofree char *valid = NULL;

  if (g_str_is_ascii (text))
    return g_ascii_strdown (text, -1);
  valid = g_utf8_make_valid (text, -1);
  return g_utf8_strdown (valid, -1);
}

/* ---- Texts of which few are different ---- */

typedef struct {
  SymQueryTexts *texts;
  GHashTable *known; /* text to number + 1 */
} Collector;

static void
collector_init (Collector *self, SymQueryTexts *texts, guint n_items)
{
  texts->texts = g_ptr_array_new_with_free_func (g_free);
  texts->folded = g_ptr_array_new_with_free_func (g_free);
  texts->ids = g_new (guint, n_items + 1);
  for (guint i = 0; i < n_items; i++)
    texts->ids[i] = SYM_QUERY_NO_TEXT;
  self->texts = texts;
  self->known = g_hash_table_new (g_str_hash, g_str_equal);
}

/* @folded may be NULL: what folding makes of it. */
static void
collect (Collector *self, guint item, const char *text, const char *folded)
{
  guint id = GPOINTER_TO_UINT (g_hash_table_lookup (self->known, text));

  if (id == 0)
    {
      char *kept = g_strdup (text);

      g_ptr_array_add (self->texts->texts, kept);
      g_ptr_array_add (self->texts->folded,
                       folded != NULL ? sym_query_fold (folded) : sym_query_fold (text));
      id = self->texts->texts->len;
      g_hash_table_insert (self->known, kept, GUINT_TO_POINTER (id));
    }
  self->texts->ids[item] = id - 1;
}

static void
texts_clear (SymQueryTexts *self)
{
  g_ptr_array_unref (self->texts);
  g_ptr_array_unref (self->folded);
  g_free (self->ids);
}

/* "1x64x?x56" of the mark "x"; "" for a scalar. */
static void
append_shape (const SymTerms *terms, const SymShape *shape, const char *mark, GString *text)
{
  for (int i = 0; i < shape->rank; i++)
    {
      g_string_append (text, i > 0 ? mark : "");
      if (!sym_terms_append (terms, shape->dims[i], text))
        g_string_append_c (text, '?');
    }
}

/* ---- Items ---- */

static gboolean
has_row (const SymModel *model, SymId call)
{
  SymIds results = sym_model_get_results (model, call);

  for (guint i = 0; i < results.n; i++)
    if (sym_model_get_row (model, results.ids[i]) != 0)
      return TRUE;
  return FALSE;
}

static void
find_items (SymQueryIndex *self)
{
  SymIds order = sym_model_get_execution_order (self->model);

  self->n_nodes = sym_model_get_rows (self->model).n;
  self->calls = g_array_new (FALSE, FALSE, sizeof (SymId));
  self->places = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < order.n; i++)
    if (!has_row (self->model, order.ids[i]))
      {
        g_array_append_val (self->calls, order.ids[i]);
        g_hash_table_insert (self->places, GUINT_TO_POINTER (order.ids[i] + 1),
                             GUINT_TO_POINTER (self->n_nodes + self->calls->len));
      }
  self->n_calls = self->calls->len;
  self->n_items = self->n_nodes + self->n_calls;
  if (self->groups != NULL)
    self->n_items += sym_groups_get_n (self->groups);
}

static void
append_folded (GString *names, const char *name)
{
  if (g_str_is_ascii (name))
    {
      gsize start = names->len;

      g_string_append (names, name);
      for (gsize i = start; i < names->len; i++)
        names->str[i] = g_ascii_tolower (names->str[i]);
    }
  else
    {
      g_autofree char *folded = sym_query_fold (name);

      g_string_append (names, folded);
    }
  g_string_append_c (names, '\0');
}

guint
sym_query_index_list_names (const SymQueryIndex *self, const SymQueryItem *item, const char **names)
{
  const char *name = NULL, *variable = NULL, *layer = NULL;
  guint n = 0;

  if (item->kind == SYM_QUERY_GROUP)
    name = sym_groups_get (self->groups, item->group)->name;
  if (item->value != SYM_NO_ID)
    {
      name = sym_model_get_value_name (self->model, item->value);
      variable = sym_model_get_variable (self->model, item->value);
    }
  if (item->call != SYM_NO_ID)
    layer = sym_model_get_call_name (self->model, item->call);
  if (name != NULL)
    names[n++] = name;
  if (layer != NULL && *layer != '\0' && g_strcmp0 (layer, name) != 0)
    names[n++] = layer;
  if (variable != NULL && g_strcmp0 (variable, name) != 0 && g_strcmp0 (variable, layer) != 0)
    names[n++] = variable;
  return n;
}

static void
append_names (SymQueryIndex *self, const SymQueryItem *item)
{
  const char *names[SYM_QUERY_MAX_NAMES];
  guint n = sym_query_index_list_names (self, item, names);

  for (guint i = 0; i < n; i++)
    append_folded (self->names, names[i]);
}

typedef struct {
  SymQueryIndex *index;
  Collector types, shapes, dtypes;
  GString *text, *folded; /* of a shape */
} Filler;

static void
fill_value (Filler *self, guint i, SymId value)
{
  const SymTerms *terms = sym_inference_get_terms (self->index->inference);
  SymType type = sym_inference_get_type (self->index->inference, value);

  if (type.dtype != SYM_DTYPE_UNKNOWN)
    collect (&self->dtypes, i, sym_dtype_to_string (type.dtype), NULL);
  if (type.kind != SYM_KIND_TENSOR || type.shape.rank < 0)
    return;
  g_string_truncate (self->text, 0);
  g_string_truncate (self->folded, 0);
  append_shape (terms, &type.shape, "x", self->text);
  append_shape (terms, &type.shape, SYM_QUERY_TIMES, self->folded);
  collect (&self->shapes, i, self->text->str, self->folded->str);
}

static void
fill (SymQueryIndex *self)
{
  Filler filler = { .index = self, .text = g_string_new (NULL), .folded = g_string_new (NULL) };

  collector_init (&filler.types, &self->types, self->n_items);
  collector_init (&filler.shapes, &self->shapes, self->n_items);
  collector_init (&filler.dtypes, &self->dtypes, self->n_items);
  for (guint i = 0; i < self->n_items; i++)
    {
      SymQueryItem item = sym_query_index_get_item (self, i);
      SymLayer *layer = sym_query_index_get_layer (self, i);

      g_array_append_val (self->starts, self->names->len);
      append_names (self, &item);
      if (layer != NULL)
        collect (&filler.types, i, sym_layer_get_type (layer), NULL);
      else if (item.kind == SYM_QUERY_NODE)
        collect (&filler.types, i, "Input", NULL);
      if (item.value != SYM_NO_ID)
        fill_value (&filler, i, item.value);
    }
  g_array_append_val (self->starts, self->names->len);
  g_hash_table_unref (filler.types.known);
  g_hash_table_unref (filler.shapes.known);
  g_hash_table_unref (filler.dtypes.known);
  g_string_free (filler.text, TRUE);
  g_string_free (filler.folded, TRUE);
}

SymQueryIndex *
sym_query_index_new (SymSummary *summary, SymGroups *groups)
{
  SymQueryIndex *self = g_new0 (SymQueryIndex, 1);

  g_return_val_if_fail (summary != NULL, NULL);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->lock);
  g_mutex_init (&self->figures_lock);
  self->summary = sym_summary_ref (summary);
  self->inference = sym_summary_get_inference (summary);
  self->model = sym_inference_get_model (self->inference);
  self->groups = groups == NULL ? NULL : sym_groups_ref (groups);
  self->names = g_string_new (NULL);
  self->starts = g_array_new (FALSE, FALSE, sizeof (gsize));
  find_items (self);
  fill (self);
  return self;
}

SymQueryIndex *
sym_query_index_ref (SymQueryIndex *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_query_index_unref (SymQueryIndex *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_clear_pointer (&self->figures, sym_figures_unref);
  g_clear_pointer (&self->groups, sym_groups_unref);
  g_clear_pointer (&self->attributes, g_hash_table_unref);
  g_clear_pointer (&self->bodies, g_hash_table_unref);
  g_hash_table_unref (self->places);
  g_array_unref (self->calls);
  g_array_unref (self->starts);
  g_string_free (self->names, TRUE);
  texts_clear (&self->types);
  texts_clear (&self->shapes);
  texts_clear (&self->dtypes);
  g_mutex_clear (&self->lock);
  g_mutex_clear (&self->figures_lock);
  g_free (self->milliseconds);
  g_free (self->changes);
  sym_summary_unref (self->summary);
  g_free (self);
}

void
sym_query_index_set_figures (SymQueryIndex *self, SymFigures *figures)
{
  g_return_if_fail (figures == NULL || sym_figures_get_inference (figures) == self->inference);

  g_clear_pointer (&self->figures, sym_figures_unref);
  self->figures = figures == NULL ? NULL : sym_figures_ref (figures);
}

void
sym_query_index_set_times (SymQueryIndex *self, const double *milliseconds)
{
  gsize n = sym_model_get_n_calls (self->model);

  g_free (self->milliseconds);
  self->milliseconds = milliseconds == NULL ? NULL : g_memdup2 (milliseconds, n * sizeof (double));
}

void
sym_query_index_set_changes (SymQueryIndex *self, const guint8 *kinds)
{
  g_free (self->changes);
  self->changes = kinds == NULL ? NULL : g_memdup2 (kinds, sym_model_get_n_calls (self->model));
}

SymSummary *
sym_query_index_get_summary (const SymQueryIndex *self)
{
  return self->summary;
}

SymGroups *
sym_query_index_get_groups (const SymQueryIndex *self)
{
  return self->groups;
}

guint
sym_query_index_get_n_items (const SymQueryIndex *self)
{
  return self->n_items;
}

SymQueryItem
sym_query_index_get_item (const SymQueryIndex *self, guint i)
{
  SymQueryItem item = { SYM_QUERY_NODE, SYM_NO_ID, SYM_NO_ID, SYM_NO_GROUP };

  g_return_val_if_fail (i < self->n_items, item);

  if (i < self->n_nodes)
    {
      item.value = sym_model_get_rows (self->model).ids[i];
      item.call = sym_model_get_producer (self->model, item.value);
    }
  else if (i < self->n_nodes + self->n_calls)
    {
      item.kind = SYM_QUERY_LAYER;
      item.call = g_array_index (self->calls, SymId, i - self->n_nodes);
    }
  else
    {
      item.kind = SYM_QUERY_GROUP;
      item.group = i - self->n_nodes - self->n_calls;
    }
  return item;
}

const char *
sym_query_index_get_name (const SymQueryIndex *self, guint i)
{
  SymQueryItem item = sym_query_index_get_item (self, i);
  const char *name;

  if (item.kind == SYM_QUERY_GROUP)
    return sym_groups_get (self->groups, item.group)->name;
  if (item.kind == SYM_QUERY_NODE)
    return sym_model_get_unique_name (self->model, item.value);
  name = sym_model_get_call_name (self->model, item.call);
  return name != NULL && *name != '\0'
             ? name
             : sym_layer_get_type (sym_model_get_layer (self->model, item.call));
}

/* ---- For queries ---- */

guint
sym_query_index_find_value (const SymQueryIndex *self, SymId value)
{
  guint row = sym_summary_find_row (self->summary, value);

  return row == 0 ? G_MAXUINT : row - 1;
}

SymLayer *
sym_query_index_get_layer (const SymQueryIndex *self, guint item)
{
  SymId call = sym_query_index_get_item (self, item).call;

  return call == SYM_NO_ID ? NULL : sym_model_get_layer (self->model, call);
}

const char *
sym_query_index_get_names (const SymQueryIndex *self, guint item, gsize *length)
{
  gsize start = g_array_index (self->starts, gsize, item);

  *length = g_array_index (self->starts, gsize, item + 1) - start;
  return self->names->str + start;
}

SymFigures *
sym_query_index_get_figures (SymQueryIndex *self, GCancellable *cancellable, GError **error)
{
  SymFigures *figures;

  g_mutex_lock (&self->figures_lock);
  if (self->figures == NULL)
    self->figures = sym_figures_new (self->inference, cancellable, error);
  figures = self->figures;
  g_mutex_unlock (&self->figures_lock);
  return figures;
}

static void
count_attributes (SymQueryIndex *self, const SymAttributes *attributes)
{
  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    {
      gpointer name = (gpointer) sym_attributes_get_name (attributes, i);
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (self->attributes, name));

      g_hash_table_insert (self->attributes, name, GUINT_TO_POINTER (n + 1));
    }
}

GHashTable *
sym_query_index_get_attributes (SymQueryIndex *self)
{
  g_mutex_lock (&self->lock);
  if (self->attributes == NULL)
    {
      self->attributes = g_hash_table_new (g_str_hash, g_str_equal);
      for (guint i = 0; i < self->n_nodes + self->n_calls; i++)
        {
          SymLayer *layer = sym_query_index_get_layer (self, i);

          if (layer != NULL)
            count_attributes (self, sym_layer_get_attributes (layer));
        }
    }
  g_mutex_unlock (&self->lock);
  return self->attributes;
}

static void
free_text (gpointer data)
{
  g_string_free (data, TRUE);
}

static GString *
read_body (SymModel *body)
{
  SymIds rows = sym_model_get_rows (body), calls = sym_model_get_execution_order (body);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < rows.n; i++)
    {
      const char *variable = sym_model_get_variable (body, rows.ids[i]);

      append_folded (text, sym_model_get_value_name (body, rows.ids[i]));
      if (variable != NULL)
        append_folded (text, variable);
    }
  for (guint i = 0; i < calls.n; i++)
    {
      const char *name = sym_model_get_call_name (body, calls.ids[i]);

      if (name != NULL)
        append_folded (text, name);
      append_folded (text, sym_layer_get_type (sym_model_get_layer (body, calls.ids[i])));
    }
  return text;
}

const GString *
sym_query_index_get_body (SymQueryIndex *self, SymModel *body)
{
  GString *text;

  g_mutex_lock (&self->lock);
  if (self->bodies == NULL)
    self->bodies = g_hash_table_new_full (NULL, NULL, NULL, free_text);
  text = g_hash_table_lookup (self->bodies, body);
  if (text == NULL)
    {
      text = read_body (body);
      g_hash_table_insert (self->bodies, body, text);
    }
  g_mutex_unlock (&self->lock);
  return text;
}
