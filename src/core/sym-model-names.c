/* SPDX-License-Identifier: MIT */
#include "core/sym-decimal.h"
#include "core/sym-extract.h"
#include "core/sym-model-private.h"
#include "core/sym-text.h"

/* Suggestions look at no more names than this. */
#define MAX_COMPARED 20000
#define MAX_COMPARED_LENGTH 64

/* Names that need not be unique. */
typedef struct {
  GHashTable *calls;     /* name -> call + 1, or MANY */
  GHashTable *variables; /* variable -> value + 1, or MANY */
} OtherNames;

/* Values by their unique names, in a table that is made once, of its final size: with a GHashTable,
 * which grows, a summary of 100,000 rows took a third more time. */
struct _SymNameIndex {
  const SymModel *model; /* whose index it is */
  GStringChunk *strings;
  const char *
      *own; /* per value, NULL where it is the name in the model; NULL when that is so of all */
  guint *hashes; /* per value, of its unique name */
  guint *slots;  /* value + 1, 0 for none; two thirds of them are taken */
  gsize n_slots;
  OtherNames *others; /* made when a node is first looked for */
};

#define MANY GUINT_TO_POINTER (G_MAXUINT)

static void
other_names_free (OtherNames *self)
{
  g_hash_table_unref (self->calls);
  g_hash_table_unref (self->variables);
  g_free (self);
}

void
sym_name_index_free (SymNameIndex *self)
{
  g_free (self->hashes);
  g_free (self->slots);
  g_clear_pointer (&self->others, other_names_free);
  g_string_chunk_free (self->strings);
  g_free (self->own);
  g_free (self);
}

static void
note_name (GHashTable *table, const char *name, guint id)
{
  if (name == NULL || *name == '\0')
    return;
  g_hash_table_insert (table, (gpointer) name,
                       g_hash_table_contains (table, name) ? MANY : GUINT_TO_POINTER (id + 1));
}

static const char *
get_unique (const SymNameIndex *self, SymId value)
{
  const char *own = self->own == NULL ? NULL : self->own[value];

  return own != NULL ? own : sym_model_get_value_name (self->model, value);
}

/* The slot of a name, or the empty one where it would be. */
static guint *
find_slot (const SymNameIndex *self, const char *name, guint hash)
{
  guint i = (guint) ((guint64) (hash * 2654435769u) * self->n_slots >> 32);

  for (;; i = i + 1 < self->n_slots ? i + 1 : 0)
    {
      guint taken = self->slots[i];

      if (taken == 0 ||
          (self->hashes[taken - 1] == hash && strcmp (get_unique (self, taken - 1), name) == 0))
        return &self->slots[i];
    }
}

static guint
hash_name (const char *name)
{
  return sym_text_hash (0, name, strlen (name));
}

static SymId
find_unique (const SymNameIndex *self, const char *name)
{
  guint taken = *find_slot (self, name, hash_name (name));

  return taken == 0 ? SYM_NO_ID : taken - 1;
}

/* @stem with the lowest number from @count that no value has; @count is left at that number. */
static char *
number_name (const SymNameIndex *self, const char *stem, guint *count)
{
  GString *candidate = g_string_new (stem);
  gsize length;

  g_string_append_c (candidate, '~');
  length = candidate->len;
  do
    {
      g_string_truncate (candidate, length);
      sym_decimal_append_unsigned (candidate, ++*count + 1);
    }
  while (find_unique (self, candidate->str) != SYM_NO_ID);
  return g_string_free (candidate, FALSE);
}

/* Gives a value a name that the model does not have for it. */
static const char *
keep_own_name (SymNameIndex *self, SymId value, const char *name)
{
  if (self->own == NULL)
    self->own = g_new0 (const char *, sym_model_get_n_values (self->model));
  self->own[value] = g_string_chunk_insert (self->strings, name);
  self->hashes[value] = hash_name (name);
  return self->own[value];
}

static void
number_value (SymNameIndex *self, GHashTable *counts, SymId value)
{
  const char *stem = get_unique (self, value);
  guint count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, stem));
  g_autofree char *numbered = number_name (self, stem, &count);

  g_hash_table_insert (counts, (gpointer) stem, GUINT_TO_POINTER (count));
  keep_own_name (self, value, numbered);
}

/* The name itself for the first value that has it, then name~2, name~3. */
static void
enter_value (SymNameIndex *self, GHashTable *counts, SymId value)
{
  guint *slot = find_slot (self, get_unique (self, value), self->hashes[value]);

  if (*slot != 0)
    {
      number_value (self, counts, value);
      slot = find_slot (self, self->own[value], self->hashes[value]);
    }
  *slot = value + 1;
}

/* Reads the names in the order in which they lie in memory, before any is looked up; _ID is that of
 * a value without one. */
static void
hash_names (SymNameIndex *self, guint n)
{
  for (SymId value = 0; value < n; value++)
    {
      const char *name = sym_model_get_value_name (self->model, value);

      if (*name != '\0')
        self->hashes[value] = hash_name (name);
      else
        {
          g_autofree char *own = g_strdup_printf ("_%u", value);

          keep_own_name (self, value, own);
        }
    }
}

static SymNameIndex *
index_new (const SymModel *model)
{
  SymNameIndex *self = g_new0 (SymNameIndex, 1);
  g_autoptr (GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);
  SymIds rows = sym_model_get_rows (model);
  guint n = sym_model_get_n_values (model);

  self->model = model;
  self->strings = g_string_chunk_new (1024);
  self->hashes = g_new (guint, n + 1);
  self->n_slots = (gsize) n * 3 / 2 + 1;
  self->slots = g_new0 (guint, self->n_slots);
  hash_names (self, n);
  for (guint i = 0; i < rows.n; i++)
    enter_value (self, counts, rows.ids[i]);
  for (SymId i = 0; i < n; i++)
    if (sym_model_get_row (model, i) == 0)
      enter_value (self, counts, i);
  return self;
}

static OtherNames *
other_names_new (const SymModel *model)
{
  OtherNames *self = g_new (OtherNames, 1);

  self->calls = g_hash_table_new (g_str_hash, g_str_equal);
  self->variables = g_hash_table_new (g_str_hash, g_str_equal);
  for (SymId i = 0; i < sym_model_get_n_values (model); i++)
    if (sym_model_has_value (model, i))
      note_name (self->variables, sym_model_get_variable (model, i), i);
  for (SymId i = 0; i < sym_model_get_n_calls (model); i++)
    if (sym_model_has_call (model, i))
      note_name (self->calls, sym_model_get_call_name (model, i), i);
  return self;
}

static const SymNameIndex *
get_index (const SymModel *model)
{
  SymModel *self = (SymModel *) model;
  SymNameIndex *index = g_atomic_pointer_get (&self->name_index);

  if (index != NULL)
    return index;
  index = index_new (model);
  if (g_atomic_pointer_compare_and_exchange (&self->name_index, NULL, index))
    return index;
  sym_name_index_free (index);
  return g_atomic_pointer_get (&self->name_index);
}

static const OtherNames *
get_others (const SymModel *model, const SymNameIndex *index)
{
  OtherNames **place = &((SymNameIndex *) index)->others;
  OtherNames *others = g_atomic_pointer_get (place);

  if (others != NULL)
    return others;
  others = other_names_new (model);
  if (g_atomic_pointer_compare_and_exchange (place, NULL, others))
    return others;
  other_names_free (others);
  return g_atomic_pointer_get (place);
}

const char *
sym_model_get_unique_name (const SymModel *self, SymId value)
{
  g_return_val_if_fail (value < sym_model_get_n_values (self), "");

  return get_unique (get_index (self), value);
}

/* ---- Resolving ---- */

static guint
measure_distance (const char *a, const char *b)
{
  guint n = (guint) MIN (strlen (a), MAX_COMPARED_LENGTH);
  guint m = (guint) MIN (strlen (b), MAX_COMPARED_LENGTH);
  guint row[MAX_COMPARED_LENGTH + 1];

  for (guint j = 0; j <= m; j++)
    row[j] = j;
  for (guint i = 1; i <= n; i++)
    {
      guint diagonal = row[0];

      row[0] = i;
      for (guint j = 1; j <= m; j++)
        {
          guint above = row[j];

          row[j] = MIN (MIN (above, row[j - 1]) + 1, diagonal + (a[i - 1] != b[j - 1]));
          diagonal = above;
        }
    }
  return row[m];
}

typedef struct {
  const char *text;
  const char *name;
  guint distance;
} Nearest;

static void
compare_name (Nearest *self, const char *name)
{
  guint distance = measure_distance (self->text, name);

  if (distance < self->distance)
    {
      self->distance = distance;
      self->name = name;
    }
}

/* Of values and of layers; the value where both are as near. */
static const char *
find_nearest (const SymModel *model, const SymNameIndex *index, const char *text)
{
  Nearest nearest = { text, NULL, (guint) strlen (text) / 2 + 1 };

  for (SymId i = 0; i < MIN (sym_model_get_n_values (model), MAX_COMPARED); i++)
    if (sym_model_has_value (model, i))
      compare_name (&nearest, get_unique (index, i));
  for (SymId i = 0; i < MIN (sym_model_get_n_calls (model), MAX_COMPARED); i++)
    if (sym_model_has_call (model, i) && *sym_model_get_call_name (model, i) != '\0')
      compare_name (&nearest, sym_model_get_call_name (model, i));
  return nearest.name;
}

/* To look for what may have been meant takes as long as all names are, and one asks for many names
 * of another model to find what both have. */
static gboolean
fail_unknown (const SymModel *model, const SymNameIndex *index, const char *text, GError **error)
{
  const char *nearest = error != NULL ? find_nearest (model, index, text) : NULL;

  if (nearest != NULL)
    g_set_error (error, SYM_ERROR, SYM_ERROR_NOT_FOUND,
                 "There is no node called “%s”; did you mean “%s”?", text, nearest);
  else
    g_set_error (error, SYM_ERROR, SYM_ERROR_NOT_FOUND, "There is no node called “%s”", text);
  return FALSE;
}

static void
list_name (GString *list, const SymNameIndex *index, SymId value)
{
  if (list->len < 200)
    g_string_append_printf (list, "%s%s", list->len == 0 ? "" : ", ", get_unique (index, value));
  else if (!g_str_has_suffix (list->str, "..."))
    g_string_append (list, ", ...");
}

static gboolean
fail_ambiguous (const SymModel *model,
                const SymNameIndex *index,
                const char *text,
                gboolean is_layer,
                GError **error)
{
  g_autoptr (GString) list = g_string_new (NULL);
  guint n = error != NULL ? sym_model_get_n_values (model) : 0;

  for (SymId i = 0; i < n; i++)
    {
      SymId producer = sym_model_get_producer (model, i);
      const char *name = is_layer ? NULL : sym_model_get_variable (model, i);

      if (is_layer && producer != SYM_NO_ID)
        name = sym_model_get_call_name (model, producer);
      if (sym_model_has_value (model, i) && g_strcmp0 (name, text) == 0)
        list_name (list, index, i);
    }
  g_set_error (error, SYM_ERROR, SYM_ERROR_AMBIGUOUS,
               "“%s” could be any of %s: name one of these, or a row of the summary as #N", text,
               list->str);
  return FALSE;
}

static gboolean
resolve_call (const SymModel *model,
              const SymNameIndex *index,
              const char *text,
              gpointer found,
              SymId *value,
              GError **error)
{
  guint n;

  if (found == MANY)
    return fail_ambiguous (model, index, text, TRUE, error);
  n = sym_model_count_results (model, GPOINTER_TO_UINT (found) - 1);
  if (n == 0)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_NOT_FOUND, "The layer “%s” has no output", text);
      return FALSE;
    }
  if (n > 1)
    return fail_ambiguous (model, index, text, TRUE, error);

  *value = sym_model_get_first_result (model, GPOINTER_TO_UINT (found) - 1);
  return TRUE;
}

static gboolean
resolve_row (const SymModel *model, const char *text, SymId *value, GError **error)
{
  SymIds rows = sym_model_get_rows (model);
  guint64 row;

  if (!g_ascii_string_to_unsigned (text + 1, 10, 1, MAX (rows.n, 1), &row, NULL) || rows.n == 0)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_NOT_FOUND,
                   "There is no row %s: the summary has rows #1 to #%u", text, rows.n);
      return FALSE;
    }
  *value = rows.ids[row - 1];
  return TRUE;
}

gboolean
sym_model_resolve (const SymModel *self, const char *text, SymId *value, GError **error)
{
  const SymNameIndex *index;
  const OtherNames *others;
  gpointer found;
  SymId unique;

  g_return_val_if_fail (text != NULL && value != NULL, FALSE);

  index = get_index (self);
  unique = find_unique (index, text);
  if (unique != SYM_NO_ID && sym_model_has_value (self, unique))
    {
      *value = unique;
      return TRUE;
    }
  others = get_others (self, index);
  found = g_hash_table_lookup (others->calls, text);
  if (found != NULL)
    return resolve_call (self, index, text, found, value, error);
  found = g_hash_table_lookup (others->variables, text);
  if (found == MANY)
    return fail_ambiguous (self, index, text, FALSE, error);
  if (found != NULL)
    {
      *value = GPOINTER_TO_UINT (found) - 1;
      return TRUE;
    }
  if (text[0] == '#')
    return resolve_row (self, text, value, error);
  return fail_unknown (self, index, text, error);
}
