/* SPDX-License-Identifier: MIT */
#include "run/sym-session.h"

#include "core/sym-error.h"
#include "core/sym-object.h"
#include "run/sym-plan-private.h"

#define N_PLANS 4

/* A plan with its run. */
typedef struct {
  char *feeds;         /* their types, in words */
  SymInference *types; /* that were given and hold; NULL: they follow from the feeds */
  gboolean is_compiled;
  SymRun *run;
} Entry;

struct _SymSession {
  SymModel *model;
  SymSessionOptions options;
  GArray *numbers;  /* of SymFeed */
  GArray *feeds;    /* of SymFeed, by value */
  GPtrArray *plans; /* of Entry, the last one that ran first */
  Entry *last;      /* what ran last, or is prepared; NULL for none */
  guint64 seed;
  SymRunWatch watch;
  gpointer user_data;
  SymRunBodyWatch body_watch;
  gboolean any_order;
  SymSessionCost cost;
};

static void
free_entry (gpointer data)
{
  Entry *entry = data;

  sym_run_free (entry->run);
  g_clear_pointer (&entry->types, sym_inference_unref);
  g_free (entry->feeds);
  g_free (entry);
}

static void
clear_feed (gpointer data)
{
  sym_datum_unref (((SymFeed *) data)->datum);
}

static GArray *
new_feeds (void)
{
  GArray *feeds = g_array_new (FALSE, FALSE, sizeof (SymFeed));

  g_array_set_clear_func (feeds, clear_feed);
  return feeds;
}

static const SymFeed *
get_feed (const GArray *feeds, guint i)
{
  return &g_array_index (feeds, SymFeed, i);
}

void
sym_session_set_numbers (SymSession *self, const SymFeed *numbers, guint n)
{
  g_return_if_fail (self != NULL);

  g_array_set_size (self->numbers, 0);
  for (guint i = 0; i < n; i++)
    {
      SymFeed number = { numbers[i].value, sym_datum_ref (numbers[i].datum) };

      g_array_append_val (self->numbers, number);
    }
}

SymSession *
sym_session_new (SymModel *model, const SymSessionOptions *options)
{
  SymSession *self;

  g_return_val_if_fail (model != NULL, NULL);
  g_return_val_if_fail (options == NULL || options->types == NULL ||
                            sym_inference_get_model (options->types) == model,
                        NULL);

  self = g_new0 (SymSession, 1);
  self->model = sym_model_ref (model);
  if (options != NULL)
    self->options = *options;
  if (self->options.types != NULL)
    sym_inference_ref (self->options.types);
  self->numbers = new_feeds ();
  self->feeds = new_feeds ();
  sym_session_set_numbers (self, self->options.numbers, self->options.n_numbers);
  self->options.numbers = NULL;
  self->plans = g_ptr_array_new_with_free_func (free_entry);
  return self;
}

void
sym_session_free (SymSession *self)
{
  g_return_if_fail (self != NULL);

  g_array_unref (self->feeds);
  g_ptr_array_unref (self->plans);
  g_array_unref (self->numbers);
  g_clear_pointer (&self->options.types, sym_inference_unref);
  sym_model_unref (self->model);
  g_free (self);
}

SymModel *
sym_session_get_model (const SymSession *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->model;
}

/* ---- Feeding ---- */

/* Where the value's feed is, or would be. */
static guint
find_feed (const SymSession *self, SymId value)
{
  guint i = 0;

  while (i < self->feeds->len && get_feed (self->feeds, i)->value < value)
    i++;
  return i;
}

static void
set_feed (SymSession *self, SymId value, SymDatum *datum)
{
  guint i = find_feed (self, value);
  SymFeed feed = { value, datum };

  if (datum != NULL)
    sym_datum_ref (datum);
  if (i < self->feeds->len && get_feed (self->feeds, i)->value == value)
    g_array_remove_index (self->feeds, i);
  if (datum != NULL)
    g_array_insert_val (self->feeds, i, feed);
}

/* Lets go of what the last run was fed. */
static void
take_back (SymSession *self)
{
  for (guint i = 0; self->last != NULL && i < self->feeds->len; i++)
    sym_run_feed (self->last->run, get_feed (self->feeds, i)->value, NULL, NULL);
}

gboolean
sym_session_feed (SymSession *self, SymId value, SymDatum *datum, GError **error)
{
  SymType declared;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (sym_model_has_value (self->model, value), FALSE);

  declared = sym_model_get_declared_type (self->model, value);
  if (self->options.takes_any_type)
    {
      declared.shape = SYM_SHAPE_UNKNOWN;
      declared.dtype = SYM_DTYPE_UNKNOWN;
    }
  if (datum != NULL && !sym_datum_check_type (datum, &declared,
                                              sym_model_get_value_name (self->model, value), error))
    return FALSE;
  set_feed (self, value, datum);
  return TRUE;
}

void
sym_session_clear_feeds (SymSession *self)
{
  g_return_if_fail (self != NULL);

  take_back (self);
  g_array_set_size (self->feeds, 0);
}

void
sym_session_set_types (SymSession *self, SymInference *types)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (types == NULL || sym_inference_get_model (types) == self->model);

  if (types != NULL)
    sym_inference_ref (types);
  g_clear_pointer (&self->options.types, sym_inference_unref);
  self->options.types = types;
}

void
sym_session_set_seed (SymSession *self, guint64 seed)
{
  g_return_if_fail (self != NULL);

  self->seed = seed;
}

void
sym_session_set_watch (SymSession *self, SymRunWatch watch, gpointer user_data)
{
  g_return_if_fail (self != NULL);

  self->watch = watch;
  self->user_data = user_data;
}

void
sym_session_set_body_watch (SymSession *self, const SymRunBodyWatch *watch)
{
  g_return_if_fail (self != NULL);

  self->body_watch = watch == NULL ? (SymRunBodyWatch){ NULL } : *watch;
}

void
sym_session_set_any_order (SymSession *self, gboolean any_order)
{
  g_return_if_fail (self != NULL);

  self->any_order = any_order;
}

/* ---- Types ---- */

static void
describe (GString *text, const SymFeed *feed)
{
  const SymArray *array = sym_datum_get_array (feed->datum);

  g_string_append_printf (text, "%u %u %u", feed->value, sym_datum_get_kind (feed->datum),
                          sym_datum_get_dtype (feed->datum));
  for (int i = 0; array != NULL && i < array->shape.rank; i++)
    g_string_append_printf (text, " %" G_GINT64_FORMAT, array->shape.dims[i]);
  g_string_append_c (text, '\n');
}

static char *
describe_feeds (const SymSession *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->feeds->len; i++)
    describe (text, get_feed (self->feeds, i));
  return g_string_free (text, FALSE);
}

static gboolean
agrees (const SymInference *types, const SymFeed *feed)
{
  const SymArray *array = sym_datum_get_array (feed->datum);
  SymType type = sym_inference_get_type (types, feed->value);

  return array == NULL ||
         (array->dtype == type.dtype && sym_shape_equal (&array->shape, &type.shape));
}

/* The types that were given, as long as what is fed has these; else NULL. */
static SymInference *
find_types (const SymSession *self)
{
  SymInference *types = self->options.types;

  for (guint i = 0; types != NULL && i < self->feeds->len; i++)
    if (!agrees (types, get_feed (self->feeds, i)))
      return NULL;
  return types;
}

/* By what is fed. */
static SymInference *
infer (const SymSession *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) overrides = g_array_new (FALSE, TRUE, sizeof (SymOverride));

  for (guint i = 0; i < self->feeds->len; i++)
    {
      const SymFeed *feed = get_feed (self->feeds, i);
      const SymArray *array = sym_datum_get_array (feed->datum);
      SymOverride override = { .value = feed->value, .has_shape = TRUE, .has_dtype = TRUE };

      if (array == NULL || sym_model_get_producer (self->model, feed->value) != SYM_NO_ID)
        continue;
      override.shape = array->shape;
      override.dtype = array->dtype;
      g_array_append_val (overrides, override);
    }
  return sym_infer (self->model, (const SymOverride *) (gpointer) overrides->data, overrides->len,
                    cancellable, error);
}

/* Everything else follows from the types of what no layer makes. */
static gboolean
are_same (const SymModel *model, const SymInference *a, const SymInference *b)
{
  if (a == b || a == NULL || b == NULL)
    return a == b;
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    {
      SymType one, other;

      if (!sym_model_has_value (model, value) || sym_model_get_producer (model, value) != SYM_NO_ID)
        continue;
      one = sym_inference_get_type (a, value);
      other = sym_inference_get_type (b, value);
      if (one.kind != other.kind || one.dtype != other.dtype ||
          !sym_shape_equal (&one.shape, &other.shape))
        return FALSE;
    }
  return TRUE;
}

/* A compiled step takes nothing in place of what it makes, or was made from. */
static gboolean
can_compile (const SymSession *self)
{
  for (guint i = 0; i < self->feeds->len; i++)
    {
      SymId value = get_feed (self->feeds, i)->value;

      if (sym_model_get_producer (self->model, value) != SYM_NO_ID ||
          sym_model_get_tensor (self->model, value) != NULL)
        return FALSE;
    }
  return !self->options.by_layers;
}

/* ---- Plans ---- */

static guint64
get_n_bytes (const SymDatum *datum)
{
  const SymArray *array = sym_datum_get_array (datum);

  return array == NULL ? 0 : sym_array_get_n_bytes (array);
}

/* Numbers that a plan of the session has in memory need not be read again. */
static void
share (const SymSession *self, const SymPlan *other, GArray *numbers)
{
  for (SymId value = 0; value < sym_model_get_n_values (self->model); value++)
    {
      SymFeed number = { value, other->constants[value] };

      if (number.datum != NULL && sym_model_has_value (self->model, value) &&
          sym_model_get_producer (self->model, value) == SYM_NO_ID)
        g_array_append_val (numbers, number);
    }
}

static guint64
count_shared (const SymPlan *plan, const GArray *numbers)
{
  guint64 n = 0;

  for (guint i = 0; i < numbers->len; i++)
    {
      const SymFeed *number = get_feed (numbers, i);

      if (plan->constants[number->value] == number->datum)
        n += get_n_bytes (number->datum);
    }
  return n;
}

static SymPlan *
new_plan (const SymSession *self,
          SymInference *given,
          gboolean compiles,
          guint64 *n_shared,
          GCancellable *cancellable,
          GError **error)
{
  g_autoptr (SymInference) types =
      given != NULL ? sym_inference_ref (given) : infer (self, cancellable, error);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (SymFeed));
  SymPlanOptions options = { .everything = self->options.everything,
                             .is_exact = self->options.is_exact,
                             .n_threads = self->options.n_threads };
  SymPlan *plan;

  if (types == NULL)
    return NULL;
  if (self->plans->len > 0)
    share (self, sym_run_get_plan (((Entry *) self->plans->pdata[0])->run), numbers);
  g_array_append_vals (numbers, self->numbers->data, self->numbers->len);
  options.types = types;
  options.inference = compiles ? types : NULL;
  options.numbers = (const SymFeed *) (gpointer) numbers->data;
  options.n_numbers = numbers->len;
  plan = sym_plan_new (self->model, &options, cancellable, error);
  *n_shared = plan == NULL || self->plans->len == 0 ? 0 : count_shared (plan, numbers);
  return plan;
}

/* The entry comes first; those that ran longest ago go. */
static void
put_first (SymSession *self, guint i)
{
  guint most = self->options.n_plans == 0 ? N_PLANS : self->options.n_plans;
  Entry *entry = g_ptr_array_steal_index (self->plans, i);

  g_ptr_array_insert (self->plans, 0, entry);
  if (self->plans->len > most)
    g_ptr_array_set_size (self->plans, (int) most);
}

static gboolean
find_entry (const SymSession *self, const char *feeds, gboolean compiles, guint *found)
{
  const SymInference *types = find_types (self);

  for (guint i = 0; i < self->plans->len; i++)
    {
      const Entry *entry = self->plans->pdata[i];

      if (entry->is_compiled == compiles && g_str_equal (entry->feeds, feeds) &&
          are_same (self->model, entry->types, types))
        {
          *found = i;
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
hand_over (SymSession *self, GError **error)
{
  SymRun *run = self->last->run;

  sym_run_set_seed (run, self->seed);
  sym_run_set_watch (run, self->watch, self->user_data);
  sym_run_set_body_watch (run, &self->body_watch);
  sym_run_set_any_order (run, self->any_order);
  for (guint i = 0; i < self->feeds->len; i++)
    if (!sym_run_feed (run, get_feed (self->feeds, i)->value, get_feed (self->feeds, i)->datum,
                       error))
      return FALSE;
  return TRUE;
}

/* Adds the plan for what is fed. */
static gboolean
add_plan (SymSession *self,
          const char *feeds,
          gboolean compiles,
          GCancellable *cancellable,
          GError **error)
{
  gint64 start = g_get_monotonic_time ();
  guint64 n_shared = 0;
  SymInference *types = find_types (self);
  g_autoptr (SymPlan) plan = new_plan (self, types, compiles, &n_shared, cancellable, error);
  Entry *entry;

  if (plan == NULL)
    return FALSE;
  entry = g_new0 (Entry, 1);
  entry->feeds = g_strdup (feeds);
  entry->types = types == NULL ? NULL : sym_inference_ref (types);
  entry->is_compiled = compiles;
  entry->run = sym_run_new (plan);
  g_ptr_array_add (self->plans, entry);
  self->cost.is_planned = TRUE;
  self->cost.milliseconds += (double) (g_get_monotonic_time () - start) / 1000;
  self->cost.n_bytes += sym_plan_get_n_weight_bytes (plan) - n_shared;
  return TRUE;
}

static gboolean
prepare (SymSession *self, gboolean compiles, GCancellable *cancellable, GError **error)
{
  g_autofree char *feeds = describe_feeds (self);
  guint found;

  if (!find_entry (self, feeds, compiles, &found))
    {
      if (!add_plan (self, feeds, compiles, cancellable, error))
        return FALSE;
      found = self->plans->len - 1;
    }
  if (self->last != NULL && self->last != self->plans->pdata[found])
    take_back (self);
  put_first (self, found);
  self->last = self->plans->pdata[0];
  self->cost.n_plans = self->plans->len;
  return hand_over (self, error);
}

/* ---- Running ---- */

gboolean
sym_session_prepare (SymSession *self, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  self->cost = (SymSessionCost){ .n_plans = self->plans->len };
  return prepare (self, can_compile (self), cancellable, error);
}

gboolean
sym_session_is_prepared (const SymSession *self)
{
  g_autofree char *feeds = NULL;
  guint found;

  g_return_val_if_fail (self != NULL, FALSE);

  feeds = describe_feeds (self);
  return find_entry (self, feeds, can_compile (self), &found);
}

gboolean
sym_session_prepare_layers (SymSession *self, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return prepare (self, FALSE, cancellable, error);
}

static gboolean
is_for_layers (const Entry *entry, const GError *error)
{
  return entry->is_compiled && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) &&
         !g_error_matches (error, SYM_ERROR, SYM_ERROR_LIMIT);
}

gboolean
sym_session_execute (SymSession *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) local = NULL;

  g_return_val_if_fail (self != NULL, FALSE);

  if (!sym_session_prepare (self, cancellable, error))
    return FALSE;
  if (sym_run_execute (self->last->run, cancellable, &local))
    return TRUE;
  if (is_for_layers (self->last, local))
    return prepare (self, FALSE, cancellable, error) &&
           sym_run_execute (self->last->run, cancellable, error);
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

SymSessionCost
sym_session_get_cost (const SymSession *self)
{
  g_return_val_if_fail (self != NULL, (SymSessionCost){ 0 });

  return self->cost;
}

SymRun *
sym_session_get_run (const SymSession *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->last == NULL ? NULL : self->last->run;
}

SymDatum *
sym_session_get (const SymSession *self, SymId value)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->last == NULL ? NULL : sym_run_get (self->last->run, value);
}

GPtrArray *
sym_session_collect (const SymSession *self, GError **error)
{
  g_autoptr (GPtrArray) outputs = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_datum_unref);
  SymIds ids;

  g_return_val_if_fail (self != NULL && self->last != NULL, NULL);

  ids = sym_model_get_outputs (self->model);
  for (guint i = 0; i < ids.n; i++)
    {
      SymDatum *kept = sym_datum_keep (sym_run_get (self->last->run, ids.ids[i]), error);

      if (kept == NULL)
        return NULL;
      g_ptr_array_add (outputs, kept);
    }
  return g_steal_pointer (&outputs);
}
