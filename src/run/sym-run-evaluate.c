/* SPDX-License-Identifier: MIT */
#include "core/sym-error.h"
#include "core/sym-object.h"
#include "run/sym-session.h"

static SymId
find_value (const SymModel *model, const char *name)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_model_has_value (model, value) &&
        g_strcmp0 (sym_model_get_value_name (model, value), name) == 0)
      return value;
  return SYM_NO_ID;
}

static GPtrArray *
collect_outputs (const SymRun *run, SymModel *model, GError **error)
{
  g_autoptr (GPtrArray) outputs = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_datum_unref);
  SymIds ids = sym_model_get_outputs (model);

  for (guint i = 0; i < ids.n; i++)
    {
      SymDatum *kept = sym_datum_keep (sym_run_get (run, ids.ids[i]), error);

      if (kept == NULL)
        return NULL;
      g_ptr_array_add (outputs, kept);
    }
  return g_steal_pointer (&outputs);
}

/* Numbers of a parameter go into compiled steps; whatever else is fed is fed. */
static gboolean
is_number (const SymModel *model, SymId value)
{
  return sym_model_get_producer (model, value) == SYM_NO_ID &&
         !sym_role_is_data (sym_model_get_role (model, value));
}

static gboolean
find_feeds (SymModel *model,
            const char *const *names,
            SymDatum *const *data,
            guint n,
            GArray *feeds,
            GArray *numbers,
            GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      SymFeed feed = { find_value (model, names[i]), data[i] };
      SymType declared;

      if (feed.value == SYM_NO_ID)
        {
          g_set_error (error, SYM_ERROR, SYM_ERROR_NOT_FOUND, "there is no value “%s”", names[i]);
          return FALSE;
        }
      declared = sym_model_get_declared_type (model, feed.value);
      if (!sym_datum_check_type (data[i], &declared, names[i], error))
        return FALSE;
      g_array_append_val (is_number (model, feed.value) ? numbers : feeds, feed);
    }
  return TRUE;
}

static GPtrArray *
run_once (SymModel *model,
          const GArray *feeds,
          const GArray *numbers,
          GCancellable *cancellable,
          GError **error)
{
  SymSessionOptions options = { .numbers = (const SymFeed *) (gpointer) numbers->data,
                                .n_numbers = numbers->len,
                                .n_plans = 1 };
  g_autoptr (SymSession) session = sym_session_new (model, &options);

  for (guint i = 0; i < feeds->len; i++)
    {
      const SymFeed *feed = &g_array_index (feeds, SymFeed, i);

      if (!sym_session_feed (session, feed->value, feed->datum, error))
        return NULL;
    }
  return sym_session_execute (session, cancellable, error) ? sym_session_collect (session, error)
                                                           : NULL;
}

GPtrArray *
sym_run_evaluate (SymModel *model,
                  const char *const *names,
                  SymDatum *const *data,
                  guint n,
                  GCancellable *cancellable,
                  GError **error)
{
  g_autoptr (GArray) feeds = g_array_new (FALSE, FALSE, sizeof (SymFeed));
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (SymFeed));

  g_return_val_if_fail (model != NULL, NULL);

  if (!find_feeds (model, names, data, n, feeds, numbers, error))
    return NULL;
  return run_once (model, feeds, numbers, cancellable, error);
}

static gboolean
check_number (const SymModel *model, guint n, GError **error)
{
  guint n_inputs = sym_model_get_inputs (model).n;

  if (n == n_inputs)
    return TRUE;
  g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
               "Number of inputs doesn't match! The model takes %u, not %u", n_inputs, n);
  return FALSE;
}

GPtrArray *
sym_run_call (SymRun *self,
              SymDatum *const *inputs,
              guint n,
              GCancellable *cancellable,
              GError **error)
{
  SymModel *model;
  SymIds ids;

  g_return_val_if_fail (self != NULL, NULL);

  model = sym_plan_get_model (sym_run_get_plan (self));
  ids = sym_model_get_inputs (model);
  if (!check_number (model, n, error))
    return NULL;
  for (guint i = 0; i < n; i++)
    if (!sym_run_feed (self, ids.ids[i], inputs[i], error))
      return NULL;
  return sym_run_execute (self, cancellable, error) ? collect_outputs (self, model, error) : NULL;
}

GPtrArray *
sym_model_call (SymModel *model,
                SymDatum *const *inputs,
                guint n,
                GCancellable *cancellable,
                GError **error)
{
  g_autoptr (GArray) feeds = g_array_new (FALSE, FALSE, sizeof (SymFeed));
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (SymFeed));

  g_return_val_if_fail (model != NULL, NULL);

  if (!check_number (model, n, error))
    return NULL;
  for (guint i = 0; i < n; i++)
    {
      SymFeed feed = { sym_model_get_inputs (model).ids[i], inputs[i] };

      g_array_append_val (feeds, feed);
    }
  return run_once (model, feeds, numbers, cancellable, error);
}
