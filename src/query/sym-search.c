/* SPDX-License-Identifier: MIT */
#include "query/sym-search.h"

#include <string.h>

/* How many values are searched before looking whether that is still wanted. */
#define STRIDE 1024

enum {
  MATCH_WHOLE,
  MATCH_BEGINNING,
  MATCH_WORD,
  MATCH_PART,
  NO_MATCH,
};

#define N_FIELDS (SYM_SEARCH_DATA + 1)
#define NO_RANK G_MAXUINT

typedef struct {
  SymModel *model;
  const SymInference *inference;
  guint fields;
  char **words;  /* in lower case */
  char **shapes; /* the same words with "x" between dimensions */
  guint n_words;
  GString *folded; /* the text that is looked into */
  GCancellable *cancellable;
  GHashTable *models; /* of bodies: which words their own names and types have, a bit each */
  GHashTable *layers; /* with bodies: the same of all within */
} Search;

/* Only the first words are looked for in bodies. */
#define MAX_INNER_WORDS 32

/* ---- Words ---- */

/* The word as shapes are written; empty for one that has nothing but what stands between sizes,
 * which any shape has. */
static char *
unify_separators (const char *word)
{
  GString *text = g_string_new (word);

  g_string_replace (text, "×", "x", 0);
  g_string_replace (text, ",", "x", 0);
  if (text->str[strspn (text->str, "x?")] == '\0')
    g_string_truncate (text, 0);
  return g_string_free (text, FALSE);
}

static void
read_words (Search *self, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *folded = g_utf8_strdown (valid, -1);
  g_auto (GStrv) words = g_strsplit_set (folded, " \t\r\n", -1);
  g_autoptr (GPtrArray) some = g_ptr_array_new ();
  g_autoptr (GPtrArray) shapes = g_ptr_array_new ();

  for (guint i = 0; words[i]; i++)
    if (words[i][0])
      {
        g_ptr_array_add (some, g_strdup (words[i]));
        g_ptr_array_add (shapes, unify_separators (words[i]));
      }
  self->n_words = some->len;
  g_ptr_array_add (some, NULL);
  g_ptr_array_add (shapes, NULL);
  self->words = (char **) g_ptr_array_steal (some, NULL);
  self->shapes = (char **) g_ptr_array_steal (shapes, NULL);
}

/* Most names are plain letters, for which nothing need be allocated. */
static void
fold (Search *self, const char *text)
{
  g_string_assign (self->folded, text);
  if (g_str_is_ascii (text))
    g_string_ascii_down (self->folded);
  else
    {
      g_autofree char *valid = g_utf8_make_valid (text, -1);
      g_autofree char *down = g_utf8_strdown (valid, -1);

      g_string_assign (self->folded, down);
    }
}

/* ---- Matches ---- */

static gboolean
is_start_of_word (const char *at)
{
  return !g_ascii_isalnum (at[-1]) || (g_ascii_isalpha (at[0]) && g_ascii_isdigit (at[-1]));
}

static guint
match_word (const char *text, const char *word)
{
  const char *at = strstr (text, word);

  if (!at)
    return NO_MATCH;
  if (at == text)
    return strlen (text) == strlen (word) ? MATCH_WHOLE : MATCH_BEGINNING;
  for (; at; at = strstr (at + 1, word))
    if (is_start_of_word (at))
      return MATCH_WORD;
  return MATCH_PART;
}

static void
match_text (Search *self,
            const char *text,
            SymSearchField field,
            char *const *words,
            guint *ranks,
            SymSearchField *first)
{
  if (!text || !(self->fields & (1u << field)))
    return;
  fold (self, text);
  for (guint i = 0; i < self->n_words; i++)
    {
      guint match = words[i][0] ? match_word (self->folded->str, words[i]) : NO_MATCH;
      guint rank = match * N_FIELDS + field;

      if (match == NO_MATCH || rank >= ranks[i])
        continue;
      ranks[i] = rank;
      if (i == 0)
        *first = field;
    }
}

/* ---- Values ---- */

static char *
format_shape (const SymTerms *terms, const SymShape *shape)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < shape->rank; i++)
    {
      g_string_append (text, i > 0 ? "x" : "");
      if (!sym_terms_append (terms, shape->dims[i], text))
        g_string_append_c (text, '?');
    }
  return g_string_free (text, FALSE);
}

static void
match_data (Search *self, SymId value, guint *ranks, SymSearchField *first)
{
  const SymTerms *terms = sym_model_get_terms (self->model);
  SymType type;

  if (!(self->fields & (1u << SYM_SEARCH_DATA)))
    return;
  if (self->inference)
    {
      terms = sym_inference_get_terms (self->inference);
      type = sym_inference_get_type (self->inference, value);
    }
  else
    type = sym_model_get_declared_type (self->model, value);
  if (type.dtype != SYM_DTYPE_UNKNOWN)
    match_text (self, sym_dtype_to_string (type.dtype), SYM_SEARCH_DATA, self->words, ranks, first);
  if (type.shape.rank > 0)
    {
      g_autofree char *shape = format_shape (terms, &type.shape);

      match_text (self, shape, SYM_SEARCH_DATA, self->shapes, ranks, first);
    }
}

/* ---- Bodies ---- */

static void
find_words (Search *self, const char *text, SymSearchField field, guint *bits)
{
  if (!text || !(self->fields & (1u << field)))
    return;
  fold (self, text);
  for (guint i = 0; i < MIN (self->n_words, MAX_INNER_WORDS); i++)
    if (strstr (self->folded->str, self->words[i]))
      *bits |= 1u << i;
}

/* Without those within its own layers. */
static guint
search_model (Search *self, SymModel *model)
{
  SymIds rows = sym_model_get_rows (model), calls = sym_model_get_execution_order (model);
  gpointer known;
  guint bits = 0;

  if (g_hash_table_lookup_extended (self->models, model, NULL, &known))
    return GPOINTER_TO_UINT (known);
  for (guint i = 0; i < rows.n; i++)
    {
      find_words (self, sym_model_get_value_name (model, rows.ids[i]), SYM_SEARCH_NAME, &bits);
      find_words (self, sym_model_get_variable (model, rows.ids[i]), SYM_SEARCH_NAME, &bits);
      if (i % STRIDE == 0 && g_cancellable_is_cancelled (self->cancellable))
        return 0;
    }
  for (guint i = 0; i < calls.n; i++)
    {
      SymLayer *layer = sym_model_get_layer (model, calls.ids[i]);

      find_words (self, sym_model_get_call_name (model, calls.ids[i]), SYM_SEARCH_NAME, &bits);
      find_words (self, sym_layer_get_type (layer), SYM_SEARCH_TYPE, &bits);
      if (i % STRIDE == 0 && g_cancellable_is_cancelled (self->cancellable))
        return 0;
    }
  g_hash_table_insert (self->models, model, GUINT_TO_POINTER (bits));
  return bits;
}

static void
push_bodies (const SymLayer *layer, GPtrArray *stack, GHashTable *seen)
{
  for (guint i = 0; i < sym_layer_get_n_bodies (layer); i++)
    {
      SymModel *body = sym_layer_get_body (layer, i, NULL);

      if (g_hash_table_add (seen, body))
        g_ptr_array_add (stack, body);
    }
}

/* Which words are found in what a layer has inside, and in what that has. */
static guint
search_bodies (Search *self, SymLayer *layer)
{
  g_autoptr (GPtrArray) stack = NULL;
  g_autoptr (GHashTable) seen = NULL;
  gpointer known;
  guint bits = 0;

  if (sym_layer_get_n_bodies (layer) == 0)
    return 0;
  if (g_hash_table_lookup_extended (self->layers, layer, NULL, &known))
    return GPOINTER_TO_UINT (known);
  stack = g_ptr_array_new ();
  seen = g_hash_table_new (NULL, NULL);
  push_bodies (layer, stack, seen);
  while (stack->len > 0 && !g_cancellable_is_cancelled (self->cancellable))
    {
      SymModel *model = g_ptr_array_steal_index_fast (stack, stack->len - 1);
      SymIds calls = sym_model_get_execution_order (model);

      bits |= search_model (self, model);
      for (guint i = 0; i < calls.n; i++)
        push_bodies (sym_model_get_layer (model, calls.ids[i]), stack, seen);
    }
  g_hash_table_insert (self->layers, layer, GUINT_TO_POINTER (bits));
  return bits;
}

/* What is found only inside comes after all else. */
static void
match_bodies (Search *self, SymLayer *layer, guint *ranks)
{
  guint bits = search_bodies (self, layer);

  for (guint i = 0; i < MIN (self->n_words, MAX_INNER_WORDS); i++)
    if ((bits & (1u << i)) != 0)
      ranks[i] = MIN (ranks[i], NO_MATCH * N_FIELDS - 1);
}

/* The sum of the ranks of all words, or NO_RANK when one is not found. */
static guint
rank_value (Search *self, SymId value, guint *ranks, SymSearchField *first)
{
  SymId call = sym_model_get_producer (self->model, value);
  guint sum = 0;

  for (guint i = 0; i < self->n_words; i++)
    ranks[i] = NO_RANK;
  match_text (self, sym_model_get_value_name (self->model, value), SYM_SEARCH_NAME, self->words,
              ranks, first);
  match_text (self, sym_model_get_variable (self->model, value), SYM_SEARCH_NAME, self->words,
              ranks, first);
  if (call != SYM_NO_ID)
    {
      match_text (self, sym_model_get_call_name (self->model, call), SYM_SEARCH_NAME, self->words,
                  ranks, first);
      match_text (self, sym_layer_get_type (sym_model_get_layer (self->model, call)),
                  SYM_SEARCH_TYPE, self->words, ranks, first);
      match_bodies (self, sym_model_get_layer (self->model, call), ranks);
    }
  match_data (self, value, ranks, first);
  for (guint i = 0; i < self->n_words; i++)
    {
      if (ranks[i] == NO_RANK)
        return NO_RANK;
      sum += ranks[i];
    }
  return sum;
}

/* Sorts by rank and keeps the order within: there are few ranks. */
static GArray *
sort_hits (const GArray *hits, guint n_ranks)
{
  GArray *sorted = g_array_sized_new (FALSE, TRUE, sizeof (SymSearchHit), hits->len);
  g_autofree guint *starts = g_new0 (guint, n_ranks + 2);

  g_array_set_size (sorted, hits->len);
  for (guint i = 0; i < hits->len; i++)
    starts[g_array_index (hits, SymSearchHit, i).rank + 1]++;
  for (guint i = 0; i < n_ranks; i++)
    starts[i + 1] += starts[i];
  for (guint i = 0; i < hits->len; i++)
    {
      SymSearchHit hit = g_array_index (hits, SymSearchHit, i);

      g_array_index (sorted, SymSearchHit, starts[hit.rank]++) = hit;
    }
  return sorted;
}

static GArray *
list_hits (Search *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) hits = g_array_new (FALSE, FALSE, sizeof (SymSearchHit));
  g_autofree guint *ranks = g_new (guint, self->n_words + 1);
  SymIds rows = sym_model_get_rows (self->model);

  for (guint i = 0; i < rows.n && self->n_words > 0; i++)
    {
      SymSearchHit hit = { rows.ids[i], SYM_SEARCH_NAME, 0 };

      if (i % STRIDE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      hit.rank = rank_value (self, hit.value, ranks, &hit.field);
      if (hit.rank != NO_RANK)
        g_array_append_val (hits, hit);
    }
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return sort_hits (hits, self->n_words * NO_MATCH * N_FIELDS);
}

GArray *
sym_search (SymModel *model,
            const SymInference *inference,
            const char *text,
            guint fields,
            GCancellable *cancellable,
            GError **error)
{
  Search self = { .model = model, .inference = inference, .fields = fields,
                  .cancellable = cancellable };
  GArray *hits;

  g_return_val_if_fail (model != NULL && text != NULL, NULL);

  read_words (&self, text);
  self.folded = g_string_new (NULL);
  self.models = g_hash_table_new (NULL, NULL);
  self.layers = g_hash_table_new (NULL, NULL);
  hits = list_hits (&self, cancellable, error);
  g_string_free (self.folded, TRUE);
  g_hash_table_unref (self.models);
  g_hash_table_unref (self.layers);
  g_strfreev (self.words);
  g_strfreev (self.shapes);
  return hits;
}
