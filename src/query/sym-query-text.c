/* SPDX-License-Identifier: MIT */
#include "query/sym-query-private.h"

#include <string.h>

/* How well a text is found: less is better. */
enum {
  FOUND_WHOLE,
  FOUND_BEGINNING,
  FOUND_WORD,
  FOUND_PART,
  NOT_FOUND,
};

/* In what it is found; less is better when it is found as well. */
enum {
  IN_NAME,
  IN_TYPE,
  IN_DATA,
  IN_BODY,
  N_PLACES,
};

#define RANK(found, place) ((guint16) ((found) *N_PLACES + (place)))

/* ---- One text ---- */

/* @text as it stands: in lower case the humps of CamelCase are gone. */
static gboolean
is_start_of_word (const char *text, gsize at)
{
  if (at == 0 || !g_ascii_isalnum (text[at - 1]))
    return TRUE;
  if (g_ascii_isdigit (text[at - 1]) != g_ascii_isdigit (text[at]))
    return TRUE;
  return g_ascii_isupper (text[at]) && g_ascii_islower (text[at - 1]);
}

static guint
find_part (const SymQueryCondition *self, const char *text, const char *folded, gsize length)
{
  gsize wanted = strlen (self->text);
  const char *at = memmem (folded, length, self->text, wanted);

  if (at == NULL)
    return NOT_FOUND;
  if (at == folded)
    return length == wanted ? FOUND_WHOLE : FOUND_BEGINNING;
  for (; at != NULL; at = memmem (at + 1, length - (gsize) (at + 1 - folded), self->text, wanted))
    if (is_start_of_word (text, (gsize) (at - folded)))
      return FOUND_WORD;
  return FOUND_PART;
}

static guint
find_expression (const SymQueryCondition *self, const char *folded, gsize length, gboolean *hard)
{
  g_autoptr (GError) problem = NULL;

  if (g_regex_match_full (self->expression, folded, (gssize) length, 0, 0, NULL, &problem))
    return FOUND_WORD;
  *hard |= problem != NULL;
  return NOT_FOUND;
}

/* @text may be @folded where nobody asks for words. */
static guint
find (const SymQueryCondition *self,
      const char *text,
      const char *folded,
      gsize length,
      gboolean *hard)
{
  switch (self->matching)
    {
    case SYM_QUERY_WHOLE:
      return strlen (self->text) == length && memcmp (self->text, folded, length) == 0 ? FOUND_WHOLE
                                                                                       : NOT_FOUND;
    case SYM_QUERY_GLOB:
      return g_pattern_spec_match_string (self->glob, folded) ? FOUND_WHOLE : NOT_FOUND;
    case SYM_QUERY_EXPRESSION:
      return find_expression (self, folded, length, hard);
    case SYM_QUERY_PART:
      break;
    }
  return find_part (self, text, folded, length);
}

gboolean
sym_query_match_text (const SymQueryCondition *condition,
                      const char *text,
                      const char *folded,
                      gboolean at_words,
                      gboolean *hard)
{
  guint found = find (condition, text, folded, strlen (folded), hard);

  return found != NOT_FOUND && (found != FOUND_PART || !at_words);
}

gboolean
sym_query_fail_hard (SymQueryScan *scan, const SymQueryCondition *condition)
{
  sym_query_set_error (scan->error, SYM_QUERY_ERROR_TOO_HARD, scan->query->text, condition->start,
                       "this regular expression takes too long: it can match in too many ways");
  return FALSE;
}

gboolean
sym_query_goes_on (SymQueryScan *scan, guint item)
{
  return item % SYM_QUERY_STRIDE != 0 ||
         !g_cancellable_set_error_if_cancelled (scan->cancellable, scan->error);
}

/* ---- Names ---- */

static void
note (SymQueryScan *scan, guint item, guint found, guint place, guint8 *truths)
{
  if (found == NOT_FOUND)
    return;
  if (truths[item] != SYM_QUERY_TRUE || RANK (found, place) < scan->ranks[item])
    scan->ranks[item] = RANK (found, place);
  truths[item] = SYM_QUERY_TRUE;
}

static guint
find_names (const SymQueryCondition *self, const SymQueryIndex *index, guint item, gboolean *hard)
{
  gsize length;
  const char *name = sym_query_index_get_names (index, item, &length), *end = name + length;
  guint best = NOT_FOUND;

  for (; name < end; name += strlen (name) + 1)
    best = MIN (best, find (self, name, name, strlen (name), hard));
  return best;
}

/* All names lie in one text, which is gone through in one go. */
static void
match_parts (SymQueryScan *scan, const SymQueryCondition *self, guint8 *truths)
{
  const SymQueryIndex *index = scan->index;
  const gsize *starts = (const gsize *) (gconstpointer) index->starts->data;
  const char *names = index->names->str, *at = names, *end = names + index->names->len;
  gsize wanted = strlen (self->text);
  gboolean hard = FALSE;
  guint item = 0;

  while ((at = memmem (at, (gsize) (end - at), self->text, wanted)) != NULL)
    {
      while (starts[item + 1] <= (gsize) (at - names))
        item++;
      note (scan, item, find_names (self, index, item, &hard), IN_NAME, truths);
      at = names + starts[item + 1];
    }
}

gboolean
sym_query_match_names (SymQueryScan *scan, const SymQueryCondition *condition, guint8 *truths)
{
  gboolean hard = FALSE;

  if (condition->matching == SYM_QUERY_PART)
    {
      match_parts (scan, condition, truths);
      return TRUE;
    }
  for (guint i = 0; i < scan->index->n_items; i++)
    {
      if (!sym_query_goes_on (scan, i))
        return FALSE;
      note (scan, i, find_names (condition, scan->index, i, &hard), IN_NAME, truths);
      if (hard)
        return sym_query_fail_hard (scan, condition);
    }
  return TRUE;
}

/* ---- Texts of which few are different ---- */

/* Nodes that have no text. */
static gboolean
match_without (SymQueryScan *scan, const SymQueryTexts *texts, guint8 *truths)
{
  const SymQueryIndex *index = scan->index;

  for (guint i = 0; i < index->n_items; i++)
    truths[i] = i < index->n_nodes ? texts->ids[i] == SYM_QUERY_NO_TEXT : SYM_QUERY_UNKNOWN;
  return TRUE;
}

gboolean
sym_query_match_texts (SymQueryScan *scan,
                       const SymQueryCondition *condition,
                       const SymQueryTexts *texts,
                       gboolean at_words,
                       guint8 *truths)
{
  g_autofree guint8 *matches = g_new0 (guint8, texts->texts->len + 1);
  gboolean hard = FALSE;

  if (condition->asks_unknown)
    return match_without (scan, texts, truths);
  for (guint i = 0; i < texts->texts->len; i++)
    matches[i] = sym_query_match_text (condition, texts->texts->pdata[i], texts->folded->pdata[i],
                                       at_words, &hard);
  if (hard)
    return sym_query_fail_hard (scan, condition);
  for (guint i = 0; i < scan->index->n_items; i++)
    truths[i] = texts->ids[i] == SYM_QUERY_NO_TEXT ? SYM_QUERY_UNKNOWN : matches[texts->ids[i]];
  return TRUE;
}

/* The same, added to what is found elsewhere. */
static gboolean
add_texts (SymQueryScan *scan,
           const SymQueryCondition *condition,
           const SymQueryTexts *texts,
           guint place,
           guint8 *truths)
{
  g_autofree guint8 *found = g_new (guint8, texts->texts->len + 1);
  gboolean hard = FALSE;

  for (guint i = 0; i < texts->texts->len; i++)
    found[i] = (guint8) find (condition, texts->texts->pdata[i], texts->folded->pdata[i],
                              strlen (texts->folded->pdata[i]), &hard);
  if (hard)
    return sym_query_fail_hard (scan, condition);
  for (guint i = 0; i < scan->index->n_items; i++)
    if (texts->ids[i] != SYM_QUERY_NO_TEXT)
      note (scan, i, found[texts->ids[i]], place, truths);
  return TRUE;
}

/* ---- Shapes, as words write them ---- */

/* With "x" between sizes; what has nothing but marks would be found in every shape. */
static char *
write_as_shape (const char *text)
{
  GString *shape = g_string_new (text);

  g_string_replace (shape, "×", "x", 0);
  g_string_replace (shape, ",", "x", 0);
  if (shape->str[strspn (shape->str, "x?*")] == '\0')
    g_string_truncate (shape, 0);
  return g_string_free (shape, FALSE);
}

/* A part is found from the beginning of a size on, so that one can type it. */
static guint
find_shape (const SymQueryCondition *self, const char *wanted, const char *shape, gboolean *hard)
{
  g_autofree char *text = sym_query_fold (shape);
  const char *at;

  if (self->matching == SYM_QUERY_EXPRESSION)
    return find_expression (self, text, strlen (text), hard);
  if (self->matching == SYM_QUERY_GLOB)
    return g_pattern_spec_match_string (self->glob, text) ? FOUND_WORD : NOT_FOUND;
  for (at = strstr (text, wanted); at != NULL && at != text && at[-1] != 'x';)
    at = strstr (at + 1, wanted);
  return at != NULL ? FOUND_WORD : NOT_FOUND;
}

static gboolean
add_shapes (SymQueryScan *scan, const SymQueryCondition *condition, guint8 *truths)
{
  const SymQueryTexts *shapes = &scan->index->shapes;
  g_autofree char *wanted = write_as_shape (condition->text);
  g_autofree guint8 *found = g_new (guint8, shapes->texts->len + 1);
  gboolean hard = FALSE;

  if (*wanted == '\0')
    return TRUE;
  for (guint i = 0; i < shapes->texts->len; i++)
    found[i] = (guint8) find_shape (condition, wanted, shapes->texts->pdata[i], &hard);
  if (hard)
    return sym_query_fail_hard (scan, condition);
  for (guint i = 0; i < scan->index->n_nodes; i++)
    if (shapes->ids[i] != SYM_QUERY_NO_TEXT)
      note (scan, i, found[shapes->ids[i]], IN_DATA, truths);
  return TRUE;
}

/* ---- What layers have inside ---- */

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

static gboolean
match_body (SymQueryScan *scan, const SymQueryCondition *condition, SymModel *body, gboolean *hard)
{
  const GString *text = sym_query_index_get_body (scan->index, body);
  const char *name = text->str, *end = name + text->len;

  if (condition->matching == SYM_QUERY_PART)
    return memmem (name, text->len, condition->text, strlen (condition->text)) != NULL;
  for (; name < end; name += strlen (name) + 1)
    if (find (condition, name, name, strlen (name), hard) != NOT_FOUND)
      return TRUE;
  return FALSE;
}

static gboolean
match_layer (SymQueryScan *scan,
             const SymQueryCondition *condition,
             SymLayer *layer,
             gboolean *hard)
{
  g_autoptr (GPtrArray) stack = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  push_bodies (layer, stack, seen);
  while (stack->len > 0)
    {
      SymModel *body = g_ptr_array_steal_index_fast (stack, stack->len - 1);
      SymIds calls = sym_model_get_execution_order (body);

      if (g_cancellable_is_cancelled (scan->cancellable))
        return FALSE;
      if (match_body (scan, condition, body, hard))
        return TRUE;
      for (guint i = 0; i < calls.n; i++)
        if (sym_model_has_bodies (body, calls.ids[i]))
          push_bodies (sym_model_get_layer (body, calls.ids[i]), stack, seen);
    }
  return FALSE;
}

/* Each layer is looked into once, whatever uses it. */
static gboolean
look_into_bodies (SymQueryScan *scan,
                  const SymQueryCondition *condition,
                  gboolean tells_no,
                  guint8 *truths)
{
  const SymQueryIndex *index = scan->index;
  g_autoptr (GHashTable) layers = g_hash_table_new (NULL, NULL);
  gboolean hard = FALSE;

  for (guint i = 0; i < index->n_nodes + index->n_calls; i++)
    {
      SymId call = sym_query_index_get_item (index, i).call;
      SymLayer *layer;
      gpointer known;

      if (!sym_query_goes_on (scan, i))
        return FALSE;
      if (call == SYM_NO_ID || !sym_model_has_bodies (index->model, call))
        continue;
      layer = sym_model_get_layer (index->model, call);
      if (!g_hash_table_lookup_extended (layers, layer, NULL, &known))
        {
          known = GUINT_TO_POINTER (match_layer (scan, condition, layer, &hard));
          g_hash_table_insert (layers, layer, known);
        }
      if (hard)
        return sym_query_fail_hard (scan, condition);
      if (GPOINTER_TO_UINT (known))
        note (scan, i, NOT_FOUND - 1, IN_BODY, truths);
      else if (tells_no)
        truths[i] = SYM_QUERY_FALSE;
    }
  return TRUE;
}

gboolean
sym_query_match_bodies (SymQueryScan *scan, const SymQueryCondition *condition, guint8 *truths)
{
  memset (truths, SYM_QUERY_UNKNOWN, scan->index->n_items);
  return look_into_bodies (scan, condition, TRUE, truths);
}

/* ---- Anywhere ---- */

gboolean
sym_query_match_any (SymQueryScan *scan, const SymQueryCondition *condition, guint8 *truths)
{
  return sym_query_match_names (scan, condition, truths) &&
         add_texts (scan, condition, &scan->index->types, IN_TYPE, truths) &&
         add_texts (scan, condition, &scan->index->dtypes, IN_DATA, truths) &&
         add_shapes (scan, condition, truths) && look_into_bodies (scan, condition, FALSE, truths);
}

/* ---- Groups ---- */

/* Those called so and all within. */
gboolean
sym_query_match_groups (SymQueryScan *scan, const SymQueryCondition *condition, guint8 *truths)
{
  const SymQueryIndex *index = scan->index;
  guint first = index->n_nodes + index->n_calls, n = index->n_items - first;
  g_autofree guint8 *matches = g_new0 (guint8, n + 1);
  gboolean hard = FALSE;

  if (index->groups == NULL)
    {
      memset (truths, SYM_QUERY_UNKNOWN, index->n_items);
      return TRUE;
    }
  for (guint i = 0; i < n; i++)
    {
      guint parent = sym_groups_get (index->groups, i)->parent;

      matches[i] = (parent != SYM_NO_GROUP && matches[parent]) ||
                   find_names (condition, index, first + i, &hard) != NOT_FOUND;
      truths[first + i] = matches[i];
    }
  if (hard)
    return sym_query_fail_hard (scan, condition);
  for (guint i = 0; i < first; i++)
    {
      SymId call = sym_query_index_get_item (index, i).call;
      guint group = call == SYM_NO_ID ? SYM_NO_GROUP : sym_groups_find_call (index->groups, call);

      truths[i] = group != SYM_NO_GROUP && matches[group];
    }
  return TRUE;
}
