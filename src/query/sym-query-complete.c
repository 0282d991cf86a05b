/* SPDX-License-Identifier: MIT */
#include "query/sym-query-private.h"

#include <string.h>

const SymQueryFieldInfo *
sym_query_get_fields (guint *n)
{
  static gsize made;
  static SymQueryFieldInfo *infos;
  static guint n_infos;

  if (g_once_init_enter (&made))
    {
      while (sym_query_get_field (n_infos) != NULL)
        n_infos++;
      infos = g_new (SymQueryFieldInfo, n_infos);
      for (guint i = 0; i < n_infos; i++)
        infos[i] = sym_query_get_field (i)->info;
      g_once_init_leave (&made, 1);
    }
  *n = n_infos;
  return infos;
}

void
sym_query_completion_free (SymQueryCompletion *self)
{
  g_free (self->text);
  g_free (self->meaning);
  g_free (self);
}

/* ---- Candidates ---- */

typedef struct {
  GPtrArray *completions;
  gsize start, end;
  char *typed; /* folded */
  guint max;
} Completer;

/* @key is what must begin as what was typed. */
static void
offer (Completer *self, const char *key, char *take_text, char *take_meaning)
{
  SymQueryCompletion *completion;
  g_autofree char *folded = sym_query_fold (key);

  if (self->completions->len >= self->max || !g_str_has_prefix (folded, self->typed) ||
      strcmp (take_text, self->typed) == 0)
    {
      g_free (take_text);
      g_free (take_meaning);
      return;
    }
  completion = g_new (SymQueryCompletion, 1);
  *completion = (SymQueryCompletion){ take_text, take_meaning, self->start, self->end };
  g_ptr_array_add (self->completions, completion);
}

static char
get_mark (const SymQueryField *field)
{
  return field->takes == SYM_QUERY_TAKES_NUMBER || field->takes == SYM_QUERY_TAKES_TIME ? '>' : ':';
}

/* A number and what it counts, greatest first; of equal ones by name. */
typedef struct {
  const char *text;
  guint n;
} Counted;

static int
compare_counted (gconstpointer a, gconstpointer b)
{
  const Counted *x = a, *y = b;

  return x->n != y->n ? (x->n < y->n) - (x->n > y->n) : strcmp (x->text, y->text);
}

static void
offer_counted (Completer *self,
               GArray *counted,
               gboolean is_value,
               const char *before,
               const char *mark)
{
  g_array_sort (counted, compare_counted);
  for (guint i = 0; i < counted->len; i++)
    {
      Counted *one = &g_array_index (counted, Counted, i);
      /* What has a space or a mark in it is no word. */
      gboolean quotes = *mark == '\0' && strpbrk (one->text, " ()\"") != NULL;

      g_autofree char *key = g_strconcat (is_value ? before : "", one->text, NULL);

      offer (self, key,
             g_strdup_printf ("%s%s%s%s%s", before, quotes ? "\"" : "", one->text,
                              quotes ? "\"" : "", mark),
             g_strdup_printf ("%u %s", one->n, one->n == 1 ? "node" : "nodes"));
    }
}

static void
offer_fields (Completer *self)
{
  const SymQueryField *field;

  for (guint i = 0; (field = sym_query_get_field (i)) != NULL; i++)
    offer (self, field->info.name, g_strdup_printf ("%s%c", field->info.name, get_mark (field)),
           g_strdup (field->info.meaning));
}

static void
offer_attributes (Completer *self, SymQueryIndex *index)
{
  g_autoptr (GArray) counted = g_array_new (FALSE, FALSE, sizeof (Counted));
  GHashTableIter iter;
  gpointer name, n;

  g_hash_table_iter_init (&iter, sym_query_index_get_attributes (index));
  while (g_hash_table_iter_next (&iter, &name, &n))
    if (sym_query_find_field (name, strlen (name)) == NULL)
      {
        Counted one = { name, GPOINTER_TO_UINT (n) };

        g_array_append_val (counted, one);
      }
  offer_counted (self, counted, FALSE, "", ":");
}

static void
offer_texts (Completer *self,
             const SymQueryTexts *texts,
             guint n_items,
             gboolean is_value,
             const char *before)
{
  g_autoptr (GArray) counted = g_array_new (FALSE, TRUE, sizeof (Counted));

  g_array_set_size (counted, texts->texts->len);
  for (guint i = 0; i < texts->texts->len; i++)
    g_array_index (counted, Counted, i).text = texts->texts->pdata[i];
  for (guint i = 0; i < n_items; i++)
    if (texts->ids[i] != SYM_QUERY_NO_TEXT)
      g_array_index (counted, Counted, texts->ids[i]).n++;
  offer_counted (self, counted, is_value, before, "");
}

static void
offer_truths (Completer *self, const char *before)
{
  static const char *const words[] = { "yes", "no" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autofree char *text = g_strconcat (before, words[i], NULL);

      offer (self, text, g_strdup (text), g_strdup (""));
    }
}

static void
offer_values (Completer *self, SymQueryIndex *index, const SymQueryField *field, const char *before)
{
  if (field == NULL)
    return;
  if (field->takes == SYM_QUERY_TAKES_YES)
    offer_truths (self, before);
  else if (field->get_texts != NULL)
    offer_texts (self, field->get_texts (index), index->n_items, TRUE, before);
  else if (field->takes == SYM_QUERY_TAKES_QUERY)
    offer_texts (self, &index->types, index->n_items, TRUE, before);
}

/* ---- What is being typed ---- */

/* The byte where the last word before @cursor begins: after a space, sign or parenthesis that no
 * quotation marks are around. */
static gsize
find_start (const char *text, gsize cursor)
{
  gboolean quoted = FALSE;
  gsize start = 0;

  for (gsize i = 0; i < cursor; i++)
    if (text[i] == '"')
      quoted = !quoted;
    else if (!quoted && (g_ascii_isspace (text[i]) || text[i] == '(' || text[i] == ')'))
      start = i + 1;
  if (start < cursor && text[start] == '-')
    start++;
  return start;
}

GPtrArray *
sym_query_complete (SymQueryIndex *index, const char *text, gsize cursor, guint max)
{
  gsize length = strlen (text), start = find_start (text, MIN (cursor, length));
  g_autofree char *word = g_strndup (text + start, MIN (cursor, length) - start);
  gsize name = strcspn (word, ":=<>!"), mark = name + strspn (word + name, ":=<>!");
  g_autofree char *before = g_strndup (word, mark);
  g_autofree char *typed = sym_query_fold (word);
  Completer self = { g_ptr_array_new_with_free_func ((GDestroyNotify) sym_query_completion_free),
                     start, MIN (cursor, length), typed, max };

  g_return_val_if_fail (index != NULL, self.completions);

  if (mark > name)
    offer_values (&self, index, sym_query_find_field (word, name), before);
  else if (*word != '\0')
    {
      offer_fields (&self);
      offer_texts (&self, &index->types, index->n_items, FALSE, "type:");
      offer_attributes (&self, index);
    }
  else
    offer_fields (&self);
  return self.completions;
}
