/* SPDX-License-Identifier: MIT */
#include "query/sym-query-private.h"

#include <math.h>
#include <string.h>

struct _SymQueryResult {
  gatomicrefcount ref_count;
  SymQuery *query;
  SymQueryIndex *index;
  GArray *hits;      /* of SymQueryHit */
  guint8 *is_hit;    /* by item */
  GHashTable *calls; /* set of call + 1: those of hits */
};

/* ---- What joins conditions ---- */

/* Arrays of truths by item, the operands of the step to come on top. */
typedef struct {
  SymQueryScan scan;
  GPtrArray *stack; /* of guint8 * */
  guint8 **reasons; /* by condition: what it says, NULL when it is part of a relation */
  guint16 *ranks;   /* by item: the sum of those of all conditions */
} Run;

static void
negate (guint8 *truths, guint n)
{
  static const guint8 opposites[] = { SYM_QUERY_TRUE, SYM_QUERY_FALSE, SYM_QUERY_UNKNOWN };

  for (guint i = 0; i < n; i++)
    truths[i] = opposites[truths[i]];
}

/* What is not known decides nothing, unless the other operand does not let it. */
static void
join (guint8 *truths, const guint8 *others, guint n, SymQueryTruth decisive)
{
  for (guint i = 0; i < n; i++)
    if (truths[i] == decisive || others[i] == decisive)
      truths[i] = (guint8) decisive;
    else if (truths[i] == SYM_QUERY_UNKNOWN || others[i] == SYM_QUERY_UNKNOWN)
      truths[i] = SYM_QUERY_UNKNOWN;
    else
      truths[i] = others[i];
}

static guint8 *
pop (Run *self)
{
  return g_ptr_array_steal_index (self->stack, self->stack->len - 1);
}

/* ---- Steps ---- */

static void
add_ranks (Run *self, const guint8 *truths)
{
  for (guint i = 0; i < self->scan.index->n_items; i++)
    if (truths[i] == SYM_QUERY_TRUE)
      self->ranks[i] = (guint16) MIN (self->ranks[i] + self->scan.ranks[i], G_MAXUINT16);
}

static gboolean
run_condition (Run *self, guint number)
{
  const SymQuery *query = self->scan.query;
  const SymQueryCondition *condition =
      &g_array_index (query->conditions, SymQueryCondition, number);
  guint n = self->scan.index->n_items;
  guint8 *truths = g_new0 (guint8, n + 1);

  g_ptr_array_add (self->stack, truths);
  memset (self->scan.ranks, 0, n * sizeof (guint16));
  if (!condition->field->match (&self->scan, condition, truths))
    return FALSE;
  if (condition->comparison == SYM_QUERY_IS_NOT)
    negate (truths, n);
  if ((query->positive & (G_GUINT64_CONSTANT (1) << number)) != 0)
    {
      add_ranks (self, truths);
      self->reasons[number] = g_memdup2 (truths, n);
    }
  return TRUE;
}

/* A relation is told by its first condition, if at all. */
static void
run_relation (Run *self, const SymQueryStep *step)
{
  const SymQuery *query = self->scan.query;
  guint n = self->scan.index->n_items;
  guint8 *from = pop (self), *truths = g_new0 (guint8, n + 1);

  step->field->relate (&self->scan, from, truths);
  g_free (from);
  g_ptr_array_add (self->stack, truths);
  g_clear_pointer (&self->reasons[step->condition], g_free);
  if ((query->positive & (G_GUINT64_CONSTANT (1) << step->condition)) != 0)
    self->reasons[step->condition] = g_memdup2 (truths, n);
}

static gboolean
run_step (Run *self, const SymQueryStep *step)
{
  guint n = self->scan.index->n_items;
  g_autofree guint8 *others = NULL;

  switch (step->kind)
    {
    case SYM_QUERY_CONDITION:
      return run_condition (self, step->condition);
    case SYM_QUERY_RELATION:
      run_relation (self, step);
      return TRUE;
    case SYM_QUERY_NOT:
      negate (self->stack->pdata[self->stack->len - 1], n);
      return TRUE;
    case SYM_QUERY_AND:
    case SYM_QUERY_OR:
      break;
    }
  others = pop (self);
  join (self->stack->pdata[self->stack->len - 1], others, n,
        step->kind == SYM_QUERY_AND ? SYM_QUERY_FALSE : SYM_QUERY_TRUE);
  return TRUE;
}

static gboolean
run_steps (Run *self)
{
  GArray *steps = self->scan.query->steps;

  for (guint i = 0; i < steps->len; i++)
    {
      if (g_cancellable_set_error_if_cancelled (self->scan.cancellable, self->scan.error) ||
          !run_step (self, &g_array_index (steps, SymQueryStep, i)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
prepare (Run *self)
{
  GArray *conditions = self->scan.query->conditions;

  for (guint i = 0; i < conditions->len && self->scan.figures == NULL; i++)
    if (sym_query_field_needs_figures (g_array_index (conditions, SymQueryCondition, i).field))
      {
        self->scan.figures = sym_query_index_get_figures (self->scan.index, self->scan.cancellable,
                                                          self->scan.error);
        if (self->scan.figures == NULL)
          return FALSE;
      }
  return TRUE;
}

/* ---- Names that are pasted (sym-query-pasted.c) ---- */

static gboolean
has_hits (const Run *self)
{
  const guint8 *truths = self->stack->len == 0 ? NULL : self->stack->pdata[0];

  for (guint i = 0; i < self->scan.index->n_items && truths != NULL; i++)
    if (truths[i] == SYM_QUERY_TRUE)
      return TRUE;
  return FALSE;
}

/* What is typed of a long name may be a query that nothing answers. */
static gboolean
find_pasted (const Run *self, guint8 *is_pasted)
{
  const SymQuery *query = self->scan.query;
  gboolean has_failed = *self->scan.error != NULL;

  return sym_query_find_pasted (query, self->scan.index, FALSE, is_pasted) ||
         ((has_failed || !has_hits (self)) &&
          sym_query_find_pasted (query, self->scan.index, TRUE, is_pasted));
}

/* They are better than any other hit. */
static void
rank_pasted (Run *self, const guint8 *is_pasted)
{
  for (guint i = 0; i < self->scan.index->n_items; i++)
    self->ranks[i] = is_pasted[i] ? 0 : (guint16) MIN (self->ranks[i] + 1, G_MAXUINT16);
}

/* What is no query of this model may be a name in it. */
static gboolean
forgive (Run *self, gboolean is_name)
{
  if (!is_name || !g_error_matches (*self->scan.error, SYM_QUERY_ERROR, SYM_QUERY_ERROR_NAME))
    return FALSE;
  g_clear_error (self->scan.error);
  g_ptr_array_set_size (self->stack, 0);
  return TRUE;
}

/* ---- Hits ---- */

static guint64
find_reasons (const Run *self, guint item)
{
  guint64 reasons = 0;

  for (guint i = 0; i < self->scan.query->conditions->len; i++)
    if (self->reasons[i] != NULL && self->reasons[i][item] == SYM_QUERY_TRUE)
      reasons |= G_GUINT64_CONSTANT (1) << i;
  return reasons;
}

static void
collect (const Run *self, const guint8 *is_pasted, SymQueryResult *result)
{
  const guint8 *truths = self->stack->len == 0 ? NULL : self->stack->pdata[0];

  for (guint i = 0; i < self->scan.index->n_items; i++)
    {
      SymQueryHit hit;

      if (!is_pasted[i] && (truths == NULL || truths[i] != SYM_QUERY_TRUE))
        continue;
      hit.item = sym_query_index_get_item (self->scan.index, i);
      hit.rank = self->ranks[i];
      hit.reasons = find_reasons (self, i);
      g_array_append_val (result->hits, hit);
      result->is_hit[i] = TRUE;
      if (hit.item.call != SYM_NO_ID)
        g_hash_table_add (result->calls, GUINT_TO_POINTER (hit.item.call + 1));
    }
}

SymQueryResult *
sym_query_run (SymQuery *self, SymQueryIndex *index, GCancellable *cancellable, GError **error)
{
  SymQueryResult *result = g_new0 (SymQueryResult, 1);
  Run run = { .scan = { .query = self, .index = index, .cancellable = cancellable } };
  g_autofree guint8 *is_pasted = g_new0 (guint8, index->n_items + 1);
  GError *problem = NULL;
  gboolean done, is_name;

  g_atomic_ref_count_init (&result->ref_count);
  result->query = sym_query_ref (self);
  result->index = sym_query_index_ref (index);
  result->hits = g_array_new (FALSE, FALSE, sizeof (SymQueryHit));
  result->is_hit = g_new0 (guint8, index->n_items + 1);
  result->calls = g_hash_table_new (NULL, NULL);
  run.scan.error = &problem;
  run.scan.ranks = g_new0 (guint16, index->n_items + 1);
  run.ranks = g_new0 (guint16, index->n_items + 1);
  run.stack = g_ptr_array_new_with_free_func (g_free);
  run.reasons = g_new0 (guint8 *, self->conditions->len + 1);
  done = prepare (&run) && run_steps (&run);
  is_name = find_pasted (&run, is_pasted);
  if (is_name)
    rank_pasted (&run, is_pasted);
  if (done || forgive (&run, is_name))
    collect (&run, is_pasted, result);
  else
    g_clear_pointer (&result, sym_query_result_unref);
  for (guint i = 0; i < self->conditions->len; i++)
    g_free (run.reasons[i]);
  g_free (run.reasons);
  g_free (run.ranks);
  g_free (run.scan.ranks);
  g_ptr_array_unref (run.stack);
  if (problem != NULL)
    g_propagate_error (error, problem);
  return result;
}

SymQueryResult *
sym_query_result_ref (SymQueryResult *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_query_result_unref (SymQueryResult *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  sym_query_unref (self->query);
  sym_query_index_unref (self->index);
  g_array_unref (self->hits);
  g_hash_table_unref (self->calls);
  g_free (self->is_hit);
  g_free (self);
}

SymQuery *
sym_query_result_get_query (const SymQueryResult *self)
{
  return self->query;
}

SymQueryIndex *
sym_query_result_get_index (const SymQueryResult *self)
{
  return self->index;
}

guint
sym_query_result_get_n (const SymQueryResult *self)
{
  return self->hits->len;
}

SymQueryHit
sym_query_result_get (const SymQueryResult *self, guint i)
{
  g_return_val_if_fail (i < self->hits->len,
                        ((SymQueryHit){ { SYM_QUERY_NODE, SYM_NO_ID, SYM_NO_ID, SYM_NO_GROUP } }));

  return g_array_index (self->hits, SymQueryHit, i);
}

guint
sym_query_result_get_best (const SymQueryResult *self)
{
  guint best = G_MAXUINT;

  for (guint i = 0; i < self->hits->len; i++)
    if (best == G_MAXUINT || g_array_index (self->hits, SymQueryHit, i).rank <
                                 g_array_index (self->hits, SymQueryHit, best).rank)
      best = i;
  return best;
}

gboolean
sym_query_result_has_value (const SymQueryResult *self, SymId value)
{
  guint item = sym_query_index_find_value (self->index, value);

  return item != G_MAXUINT && self->is_hit[item];
}

gboolean
sym_query_result_has_call (const SymQueryResult *self, SymId call)
{
  return g_hash_table_contains (self->calls, GUINT_TO_POINTER (call + 1));
}

gboolean
sym_query_result_has_group (const SymQueryResult *self, guint group)
{
  const SymQueryIndex *index = self->index;
  guint first = index->n_nodes + index->n_calls;

  return group < index->n_items - first && self->is_hit[first + group];
}

/* ---- Why ---- */

static guint
find_item (const SymQueryIndex *index, const SymQueryItem *item)
{
  if (item->kind == SYM_QUERY_NODE)
    return sym_query_index_find_value (index, item->value);
  if (item->kind == SYM_QUERY_GROUP)
    return index->n_nodes + index->n_calls + item->group;
  return GPOINTER_TO_UINT (g_hash_table_lookup (index->places, GUINT_TO_POINTER (item->call + 1))) -
         1;
}

static gboolean
holds (const SymQueryCondition *condition, const SymQueryTexts *texts, guint item)
{
  guint id = texts->ids[item];
  gboolean hard = FALSE;

  return id != SYM_QUERY_NO_TEXT && sym_query_match_text (condition, texts->texts->pdata[id],
                                                          texts->folded->pdata[id], FALSE, &hard);
}

/* The name in which a text was found, as it is written; NULL for none. */
static const char *
find_name (const SymQueryIndex *index, const SymQueryCondition *condition, guint item)
{
  const char *names[SYM_QUERY_MAX_NAMES];
  SymQueryItem what = sym_query_index_get_item (index, item);
  guint n = sym_query_index_list_names (index, &what, names);
  gsize length;
  const char *folded = sym_query_index_get_names (index, item, &length);
  gboolean hard = FALSE;

  for (guint i = 0; i < n; i++, folded += strlen (folded) + 1)
    if (sym_query_match_text (condition, folded, folded, FALSE, &hard))
      return names[i];
  return NULL;
}

/* Where a text that is looked for anywhere was found. */
static char *
tell_any (const SymQueryScan *scan, const SymQueryCondition *condition, guint item)
{
  const SymQueryIndex *index = scan->index;
  const char *name = find_name (index, condition, item);

  if (name != NULL)
    return g_strdup_printf ("name %s", name);
  if (holds (condition, &index->types, item))
    return g_strdup_printf ("type %s", (char *) index->types.texts->pdata[index->types.ids[item]]);
  if (holds (condition, &index->dtypes, item))
    return g_strdup_printf ("dtype %s",
                            (char *) index->dtypes.texts->pdata[index->dtypes.ids[item]]);
  if (sym_query_index_get_layer (index, item) != NULL &&
      sym_layer_get_n_bodies (sym_query_index_get_layer (index, item)) > 0)
    return g_strdup ("inside of it");
  return index->shapes.ids[item] == SYM_QUERY_NO_TEXT
             ? NULL
             : g_strdup_printf ("shape %s",
                                (char *) index->shapes.texts->pdata[index->shapes.ids[item]]);
}

static char *
tell_number (SymQueryScan *scan, const SymQueryCondition *condition, guint item)
{
  double number;
  gboolean known = condition->field->get_number (scan, item, &number);

  if (condition->field->takes == SYM_QUERY_TAKES_YES)
    return g_strdup_printf ("%s %s", condition->field->info.name, number != 0 ? "yes" : "no");
  return known ? g_strdup_printf ("%s %.15g", condition->field->info.name, number)
               : g_strdup_printf ("%s not known", condition->field->info.name);
}

static char *
tell (SymQueryScan *scan, const SymQueryCondition *condition, guint item)
{
  if (condition->field == &sym_query_any_field)
    return tell_any (scan, condition, item);
  if (condition->field->tell != NULL)
    return condition->field->tell (scan, condition, item);
  if (condition->field->get_number != NULL)
    return tell_number (scan, condition, item);
  return NULL;
}

char *
sym_query_result_explain (const SymQueryResult *self, guint i)
{
  SymQueryHit hit = sym_query_result_get (self, i);
  guint item = find_item (self->index, &hit.item);
  GArray *conditions = self->query->conditions;
  SymQueryScan scan = { .query = self->query,
                        .index = self->index,
                        .figures = self->index->figures };

  g_autofree char *pasted = sym_query_tell_pasted (self->query, self->index, item);

  if (pasted != NULL)
    return g_steal_pointer (&pasted);
  GString *text = g_string_new (NULL);

  for (guint k = 0; k < conditions->len; k++)
    {
      const SymQueryCondition *condition = &g_array_index (conditions, SymQueryCondition, k);
      g_autofree char *reason = NULL;

      if ((hit.reasons & (G_GUINT64_CONSTANT (1) << k)) == 0)
        continue;
      if (!condition->is_relation)
        reason = tell (&scan, condition, item);
      if (reason == NULL)
        reason =
            g_strndup (self->query->text + condition->start, condition->end - condition->start);
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", reason);
    }
  return g_string_free (text, FALSE);
}
