/* SPDX-License-Identifier: MIT */
#include "app/scope-comparison.h"

#include <glib/gi18n.h>
#include <string.h>

#define NOWHERE G_MAXUINT

/* Where an entry is in the own graph. */
typedef struct {
  SymId value, call;
} Place;

struct _ScopeComparison {
  gatomicrefcount ref_count;
  SymInference *own, *other;
  SymCompare *compare;
  char *title;
  gboolean has_numbers;
  guint n_calls;  /* of the own graph */
  guint8 *kinds;  /* by call */
  guint *entries; /* by call; NOWHERE for none */
  guint8 *is_gap; /* by call */
  GArray *steps;  /* of guint, entries */
  GArray *places; /* of Place, by step */
};

static SymModel *
get_model (const ScopeComparison *self)
{
  return sym_inference_get_model (self->own);
}

static SymModel *
get_other_model (const ScopeComparison *self)
{
  return sym_inference_get_model (self->other);
}

/* ---- Where what was removed would be ---- */

/* By call of the other graph: of what is in both, where it is now; of what was removed, where it
 * was. */
typedef struct {
  ScopeComparison *self;
  GHashTable *inputs; /* of the other graph: value + 1 to place + 1 */
  Place *places;
} Search;

static gboolean
is_nowhere (const Place *place)
{
  return place->value == SYM_NO_ID && place->call == SYM_NO_ID;
}

static Place
get_place_of_call (const ScopeComparison *self, SymId call)
{
  return (Place){ sym_model_get_first_result (get_model (self), call), call };
}

/* Inputs are the same by their places. */
static Place
find_input (const Search *search, SymId value)
{
  SymIds own = sym_model_get_inputs (get_model (search->self));
  guint n =
      GPOINTER_TO_UINT (g_hash_table_lookup (search->inputs, GSIZE_TO_POINTER ((gsize) value + 1)));

  return n > 0 && n <= own.n ? (Place){ own.ids[n - 1], SYM_NO_ID }
                             : (Place){ SYM_NO_ID, SYM_NO_ID };
}

static Place
find_before (const Search *search, SymId call)
{
  SymModel *model = get_other_model (search->self);
  SymIds operands = sym_model_get_data_operands (model, call);
  Place place = { SYM_NO_ID, SYM_NO_ID };

  for (guint i = 0; i < operands.n && is_nowhere (&place); i++)
    {
      SymId producer = operands.ids[i] != SYM_NO_ID
                           ? sym_model_get_producer (model, operands.ids[i])
                           : SYM_NO_ID;

      if (producer != SYM_NO_ID)
        place = search->places[producer];
      else if (operands.ids[i] != SYM_NO_ID)
        place = find_input (search, operands.ids[i]);
    }
  return place;
}

static Place
find_after (const Search *search, SymId call)
{
  SymModel *model = get_other_model (search->self);
  SymIds results = sym_model_get_results (model, call);

  for (guint i = 0; i < results.n; i++)
    {
      SymIds consumers = sym_model_get_consumers (model, results.ids[i]);

      for (guint k = 0; k < consumers.n; k++)
        if (!is_nowhere (&search->places[consumers.ids[k]]))
          return search->places[consumers.ids[k]];
    }
  return (Place){ SYM_NO_ID, SYM_NO_ID };
}

static void
mark_gap (ScopeComparison *self, const Place *place)
{
  if (place->call != SYM_NO_ID)
    self->is_gap[place->call] = TRUE;
}

static void
list_inputs (Search *search)
{
  SymIds inputs = sym_model_get_inputs (get_other_model (search->self));

  search->inputs = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < inputs.n; i++)
    g_hash_table_insert (search->inputs, GSIZE_TO_POINTER ((gsize) inputs.ids[i] + 1),
                         GUINT_TO_POINTER (i + 1));
}

/* Entries come as both graphs may run, so what something is made of has its place before it;
 * backwards, what uses it has. */
static Place *
place_all (ScopeComparison *self)
{
  guint n = sym_compare_get_n (self->compare),
        n_other = sym_model_get_n_calls (get_other_model (self));
  Search search = { self, NULL, g_new (Place, n_other + 1) };

  memset (search.places, 0xff, sizeof (Place) * (n_other + 1));
  G_STATIC_ASSERT (SYM_NO_ID == G_MAXUINT32);
  list_inputs (&search);
  for (guint i = 0; i < n; i++)
    {
      SymCompareEntry entry = sym_compare_get (self->compare, i);

      if (entry.before == SYM_NO_ID)
        continue;
      if (entry.after != SYM_NO_ID)
        {
          search.places[entry.before] = get_place_of_call (self, entry.after);
          continue;
        }
      search.places[entry.before] = find_before (&search, entry.before);
      mark_gap (self, &search.places[entry.before]);
    }
  for (guint i = n; i-- > 0;)
    {
      SymCompareEntry entry = sym_compare_get (self->compare, i);

      if (entry.after == SYM_NO_ID && is_nowhere (&search.places[entry.before]))
        search.places[entry.before] = find_after (&search, entry.before);
    }
  g_hash_table_unref (search.inputs);
  return search.places;
}

/* ---- All entries ---- */

static gboolean
is_step (SymCompareKind kind)
{
  return kind != SYM_COMPARE_SAME && kind != SYM_COMPARE_RESHAPED;
}

static void
read_entries (ScopeComparison *self)
{
  g_autofree Place *others = NULL;
  guint n = sym_compare_get_n (self->compare);

  self->n_calls = sym_model_get_n_calls (get_model (self));
  self->kinds = g_new0 (guint8, self->n_calls + 1);
  self->is_gap = g_new0 (guint8, self->n_calls + 1);
  self->entries = g_new (guint, self->n_calls + 1);
  memset (self->entries, 0xff, sizeof (guint) * (self->n_calls + 1));
  self->steps = g_array_new (FALSE, FALSE, sizeof (guint));
  self->places = g_array_new (FALSE, FALSE, sizeof (Place));
  others = place_all (self);
  for (guint i = 0; i < n; i++)
    {
      SymCompareEntry entry = sym_compare_get (self->compare, i);
      Place place =
          entry.after != SYM_NO_ID ? get_place_of_call (self, entry.after) : others[entry.before];

      if (entry.after != SYM_NO_ID)
        {
          self->kinds[entry.after] = (guint8) entry.kind;
          self->entries[entry.after] = i;
        }
      if (is_step (entry.kind))
        {
          g_array_append_val (self->steps, i);
          g_array_append_val (self->places, place);
        }
    }
}

ScopeComparison *
scope_comparison_new (SymInference *other,
                      SymInference *own,
                      const char *title,
                      gboolean numbers,
                      GCancellable *cancellable,
                      GError **error)
{
  g_return_val_if_fail (other != NULL && own != NULL && title != NULL, NULL);

  SymCompare *compare = sym_compare_new (other, own, numbers, cancellable, error);

  if (compare == NULL)
    return NULL;
  ScopeComparison *self = g_new0 (ScopeComparison, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->own = sym_inference_ref (own);
  self->other = sym_inference_ref (other);
  self->compare = compare;
  self->title = g_strdup (title);
  self->has_numbers = numbers;
  read_entries (self);
  return self;
}

ScopeComparison *
scope_comparison_ref (ScopeComparison *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
scope_comparison_unref (ScopeComparison *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_array_unref (self->places);
  g_array_unref (self->steps);
  g_free (self->is_gap);
  g_free (self->entries);
  g_free (self->kinds);
  g_free (self->title);
  sym_compare_unref (self->compare);
  sym_inference_unref (self->other);
  sym_inference_unref (self->own);
  g_free (self);
}

SymInference *
scope_comparison_get_own (const ScopeComparison *self)
{
  return self->own;
}

SymInference *
scope_comparison_get_other (const ScopeComparison *self)
{
  return self->other;
}

const SymCompare *
scope_comparison_get_compare (const ScopeComparison *self)
{
  return self->compare;
}

const char *
scope_comparison_get_title (const ScopeComparison *self)
{
  return self->title;
}

gboolean
scope_comparison_has_numbers (const ScopeComparison *self)
{
  return self->has_numbers;
}

const guint8 *
scope_comparison_get_kinds (const ScopeComparison *self)
{
  return self->kinds;
}

gboolean
scope_comparison_find (const ScopeComparison *self, SymId call, SymCompareEntry *entry)
{
  if (call == SYM_NO_ID || call >= self->n_calls || self->entries[call] == NOWHERE)
    return FALSE;
  *entry = sym_compare_get (self->compare, self->entries[call]);
  return TRUE;
}

gboolean
scope_comparison_is_gap (const ScopeComparison *self, SymId call)
{
  return call != SYM_NO_ID && call < self->n_calls && self->is_gap[call];
}

/* ---- Steps ---- */

guint
scope_comparison_get_n_steps (const ScopeComparison *self)
{
  return self->steps->len;
}

SymCompareEntry
scope_comparison_get_step (const ScopeComparison *self, guint step)
{
  return sym_compare_get (self->compare, g_array_index (self->steps, guint, step));
}

void
scope_comparison_get_place (const ScopeComparison *self, guint step, SymId *value, SymId *call)
{
  Place place = g_array_index (self->places, Place, step);

  *value = place.value;
  *call = place.call;
}

guint
scope_comparison_find_step (const ScopeComparison *self, SymId call, gboolean forward)
{
  guint n = self->steps->len, before = 0, entry = 0;
  gboolean is_there = call != SYM_NO_ID && call < self->n_calls && self->entries[call] != NOWHERE;

  if (n == 0)
    return NOWHERE;
  if (is_there)
    entry = self->entries[call];
  while (is_there && before < n && g_array_index (self->steps, guint, before) < entry)
    before++;
  if (!forward)
    return (before + n - 1) % n;
  if (is_there && before < n && g_array_index (self->steps, guint, before) == entry)
    before++;
  return before % n;
}

/* ---- For people ---- */

const char *
scope_comparison_get_name (const ScopeComparison *self, const SymCompareEntry *entry)
{
  return entry->after != SYM_NO_ID ? sym_compare_name_call (get_model (self), entry->after)
                                   : sym_compare_name_call (get_other_model (self), entry->before);
}

const char *
scope_comparison_get_type (const ScopeComparison *self, const SymCompareEntry *entry)
{
  SymLayer *layer = entry->after != SYM_NO_ID
                        ? sym_model_get_layer (get_model (self), entry->after)
                        : sym_model_get_layer (get_other_model (self), entry->before);

  return sym_layer_get_type (layer);
}

static char *
join_differences (const ScopeComparison *self, guint first, guint n)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      const SymDifference *difference = sym_compare_get_difference (self->compare, first + i);

      g_string_append_printf (text, "%s%s: %s → %s", i > 0 ? ", " : "", difference->what,
                              difference->before != NULL ? difference->before : _ ("none"),
                              difference->after != NULL ? difference->after : _ ("none"));
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
scope_comparison_tell (const ScopeComparison *self, const SymCompareEntry *entry)
{
  return join_differences (self, entry->first, entry->n);
}

static void
add_words (GString *text, const char *words)
{
  g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", words);
}

static void
add_removed (const ScopeComparison *self, SymId call, GString *text)
{
  for (guint i = 0; i < self->steps->len; i++)
    {
      SymCompareEntry entry = scope_comparison_get_step (self, i);

      if (entry.kind != SYM_COMPARE_REMOVED || g_array_index (self->places, Place, i).call != call)
        continue;
      /* Translators: a type and a name: Convolution “conv1” */
      g_autofree char *words =
          g_strdup_printf (_ ("%s “%s” removed after it"), scope_comparison_get_type (self, &entry),
                           scope_comparison_get_name (self, &entry));

      add_words (text, words);
    }
}

char *
scope_comparison_describe (const ScopeComparison *self, SymId call)
{
  g_autoptr (GString) text = g_string_new (NULL);
  SymCompareEntry entry;

  if (scope_comparison_find (self, call, &entry) && entry.kind != SYM_COMPARE_SAME)
    {
      g_autofree char *what = scope_comparison_tell (self, &entry);

      add_words (text, scope_comparison_tell_kind (entry.kind));
      if (*what != '\0')
        g_string_append_printf (text, " (%s)", what);
    }
  if (scope_comparison_is_gap (self, call))
    add_removed (self, call, text);
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static guint
count_model_differences (const ScopeComparison *self)
{
  return sym_compare_get_n_differences (self->compare) -
         sym_compare_get_first_of_models (self->compare);
}

char *
scope_comparison_tell_models (const ScopeComparison *self)
{
  return join_differences (self, sym_compare_get_first_of_models (self->compare),
                           count_model_differences (self));
}

const char *
scope_comparison_tell_kind (SymCompareKind kind)
{
  static const char *const words[] = {
    [SYM_COMPARE_SAME] = N_ ("the same"),   [SYM_COMPARE_RESHAPED] = N_ ("reshaped"),
    [SYM_COMPARE_CHANGED] = N_ ("changed"), [SYM_COMPARE_REMOVED] = N_ ("removed"),
    [SYM_COMPARE_ADDED] = N_ ("added"),
  };

  g_return_val_if_fail (kind < G_N_ELEMENTS (words), NULL);

  return _ (words[kind]);
}

char *
scope_comparison_summarise (const ScopeComparison *self)
{
  static const SymCompareKind kinds[] = { SYM_COMPARE_ADDED, SYM_COMPARE_REMOVED,
                                          SYM_COMPARE_CHANGED, SYM_COMPARE_RESHAPED };
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      guint n = sym_compare_count (self->compare, kinds[i]);

      if (n > 0)
        g_string_append_printf (text, "%s%u %s", text->len > 0 ? ", " : "", n,
                                scope_comparison_tell_kind (kinds[i]));
    }
  if (count_model_differences (self) > 0)
    {
      g_string_append (text, text->len > 0 ? ", " : "");
      g_string_append (text, _ ("other inputs or outputs"));
    }
  if (text->len == 0)
    g_string_append (text, self->has_numbers ? _ ("no difference")
                                             : _ ("no difference but perhaps in numbers"));
  return g_string_free (g_steal_pointer (&text), FALSE);
}
