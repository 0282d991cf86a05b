/* SPDX-License-Identifier: MIT */
#include "run/sym-executor-private.h"

#include <string.h>

#include "core/sym-element.h"
#include "core/sym-error.h"

/* ---- Making ---- */

static gboolean
is_bound (const SymModel *model, SymId value)
{
  return sym_model_has_value (model, value) && sym_model_get_producer (model, value) == SYM_NO_ID &&
         sym_model_get_role (model, value) != SYM_ROLE_CONSTANT && sym_model_is_live (model, value);
}

static void
add_places (SymExecutor *self)
{
  for (guint i = 0; i < sym_model_get_n_entries (self->model); i++)
    {
      SymEntry entry = sym_model_get_entry (self->model, i);
      SymBound bound = { .value = entry.id };

      if (entry.is_call || !is_bound (self->model, entry.id))
        continue;
      if (sym_model_get_role (self->model, entry.id) == SYM_ROLE_AUXILIARY)
        g_array_append_val (self->auxiliary, bound);
      else
        g_array_append_val (self->arguments, bound);
    }
}

static void
index_places (SymExecutor *self, GArray *places)
{
  for (guint i = 0; i < places->len; i++)
    {
      SymBound *bound = &g_array_index (places, SymBound, i);
      const char *name = sym_executor_get_bound_name (self, bound);

      if (name != NULL && !g_hash_table_contains (self->places, name))
        g_hash_table_insert (self->places, (gpointer) name, bound);
    }
}

static void
clear_bound (gpointer data)
{
  SymBound *bound = data;

  g_clear_pointer (&bound->array, sym_datum_unref);
  g_clear_pointer (&bound->owner, sym_datum_unref);
}

SymExecutor *
sym_executor_new (SymModel *model)
{
  SymExecutor *self = g_new0 (SymExecutor, 1);

  self->model = sym_model_ref (model);
  self->arguments = g_array_new (FALSE, TRUE, sizeof (SymBound));
  self->auxiliary = g_array_new (FALSE, TRUE, sizeof (SymBound));
  g_array_set_clear_func (self->arguments, clear_bound);
  g_array_set_clear_func (self->auxiliary, clear_bound);
  add_places (self);
  self->places = g_hash_table_new (g_str_hash, g_str_equal);
  index_places (self, self->arguments);
  index_places (self, self->auxiliary);
  return self;
}

void
sym_executor_free (SymExecutor *self)
{
  g_return_if_fail (self != NULL);

  g_clear_pointer (&self->layers, sym_run_free);
  g_clear_pointer (&self->compiled, sym_run_free);
  g_clear_pointer (&self->inference, sym_inference_unref);
  g_hash_table_unref (self->places);
  g_array_unref (self->arguments);
  g_array_unref (self->auxiliary);
  sym_model_unref (self->model);
  g_free (self);
}

SymBound *
sym_executor_find_bound (const SymExecutor *self, const char *name)
{
  return g_hash_table_lookup (self->places, name);
}

const char *
sym_executor_get_bound_name (const SymExecutor *self, const SymBound *bound)
{
  return sym_model_get_value_name (self->model, bound->value);
}

char *
sym_executor_format_shape (const SymShape *shape)
{
  GString *text = g_string_new ("(");

  for (int i = 0; i < shape->rank; i++)
    if (shape->dims[i] < 0)
      g_string_append (text, i > 0 ? ", -1" : "-1");
    else
      g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", shape->dims[i]);
  g_string_append (text, shape->rank == 1 ? ",)" : ")");
  return g_string_free (text, FALSE);
}

static gboolean
watch (SymId value, SymDatum *datum, gpointer user_data, GError **error)
{
  SymExecutor *self = user_data;

  self->monitor (sym_model_get_value_name (self->model, value), datum, self->monitor_data);
  return TRUE;
}

/* ---- Copying in ---- */

/* Says that no place is called so. */
typedef void (*Refuse) (const char *name, GError **error);

static void
refuse_argument (const char *name, GError **error)
{
  g_set_error (error, SYM_ERROR, SYM_ERROR_NOT_FOUND, "Unknown argument %s", name);
}

static void
refuse_parameter (const char *name, GError **error)
{
  g_set_error (error, SYM_ERROR, SYM_ERROR_NOT_FOUND,
               "Find name \"%s\" that is not in the arguments", name);
}

/* Without @refuse a name without a place is passed over. */
static gboolean
check_copy (const SymExecutor *self,
            const char *name,
            const SymDatum *from,
            Refuse refuse,
            GError **error)
{
  const SymBound *bound = sym_executor_find_bound (self, name);
  const SymArray *array = sym_datum_get_array (from), *place;
  g_autofree char *need = NULL, *received = NULL;

  if (bound == NULL)
    {
      if (refuse != NULL)
        refuse (name, error);
      return refuse == NULL;
    }
  place = sym_datum_get_array (bound->array);
  if (array != NULL && sym_shape_equal (&array->shape, &place->shape) &&
      (array->dtype == SYM_DTYPE_STRING) == (place->dtype == SYM_DTYPE_STRING))
    return TRUE;
  need = sym_executor_format_shape (&place->shape);
  received = array == NULL ? g_strdup ("no tensor") : sym_executor_format_shape (&array->shape);
  g_set_error (error, SYM_ERROR, SYM_ERROR_SHAPE,
               "Shape not match! Argument %s, need: %s, received: %s", name, need, received);
  return FALSE;
}

/* What is copied may be the array itself. */
static void
copy (const SymArray *from, SymArray *to)
{
  gsize n = sym_array_get_n_elements (from);

  if (from->data == to->data)
    return;
  if (from->dtype == SYM_DTYPE_STRING)
    for (gsize i = 0; i < n; i++)
      sym_array_set_string (to, i, ((GBytes *const *) from->data)[i]);
  else if (from->dtype == to->dtype)
    memmove (to->data, from->data, sym_array_get_n_bytes (from));
  else
    sym_convert_elements (from->dtype, from->data, to->dtype, to->data, n);
}

static gboolean
copy_all (SymExecutor *self,
          const char *const *names,
          SymDatum *const *arrays,
          guint n,
          Refuse refuse,
          GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!check_copy (self, names[i], arrays[i], refuse, error))
      return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const SymBound *bound = sym_executor_find_bound (self, names[i]);

      if (bound != NULL)
        copy (sym_datum_get_array (arrays[i]), (SymArray *) sym_datum_get_array (bound->array));
    }
  return TRUE;
}

gboolean
sym_executor_copy_params_from (SymExecutor *self,
                               const char *const *names,
                               SymDatum *const *arrays,
                               guint n,
                               gboolean allow_extra,
                               GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return copy_all (self, names, arrays, n, allow_extra ? NULL : refuse_parameter, error);
}

/* ---- Running ---- */

static void
show_inputs (SymExecutor *self, GArray *places)
{
  for (guint i = 0; i < places->len; i++)
    {
      const SymBound *bound = &g_array_index (places, SymBound, i);

      self->monitor (sym_executor_get_bound_name (self, bound), bound->array, self->monitor_data);
    }
}

gboolean
sym_executor_forward (SymExecutor *self, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (self->monitor != NULL && self->monitors_all)
    {
      show_inputs (self, self->arguments);
      show_inputs (self, self->auxiliary);
    }
  self->has_run = sym_executor_run (self, cancellable, error);
  return self->has_run;
}

gboolean
sym_executor_forward_with (SymExecutor *self,
                           const char *const *names,
                           SymDatum *const *arrays,
                           guint n,
                           GCancellable *cancellable,
                           GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return copy_all (self, names, arrays, n, refuse_argument, error) &&
         sym_executor_forward (self, cancellable, error);
}

void
sym_executor_set_monitor (SymExecutor *self, SymMonitor monitor, gboolean all, gpointer user_data)
{
  g_return_if_fail (self != NULL);

  self->monitor = monitor;
  self->monitors_all = all;
  self->monitor_data = user_data;
  sym_run_set_watch (self->layers, monitor == NULL ? NULL : watch, self);
}

void
sym_executor_set_seed (SymExecutor *self, guint64 seed)
{
  g_return_if_fail (self != NULL);

  self->seed = seed;
}

void
sym_executor_set_exact (SymExecutor *self, gboolean is_exact)
{
  g_return_if_fail (self != NULL);

  self->is_exact = is_exact;
}

void
sym_executor_set_threads (SymExecutor *self, guint n_threads)
{
  g_return_if_fail (self != NULL);

  self->n_threads = n_threads;
  g_clear_pointer (&self->compiled, sym_run_free);
  self->has_sum = self->has_run = FALSE;
}

/* ---- Arrays ---- */

SymModel *
sym_executor_get_model (const SymExecutor *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->model;
}

static GArray *
get_places (const SymExecutor *self, SymArrays which)
{
  return which == SYM_ARRAYS_ARGUMENTS ? self->arguments : self->auxiliary;
}

guint
sym_executor_get_n (const SymExecutor *self, SymArrays which)
{
  g_return_val_if_fail (self != NULL, 0);

  return which == SYM_ARRAYS_OUTPUTS ? sym_model_get_outputs (self->model).n
                                     : get_places (self, which)->len;
}

const char *
sym_executor_get_name (const SymExecutor *self, SymArrays which, guint i)
{
  g_return_val_if_fail (self != NULL && i < sym_executor_get_n (self, which), NULL);

  if (which == SYM_ARRAYS_OUTPUTS)
    return sym_model_get_value_name (self->model, sym_model_get_outputs (self->model).ids[i]);
  return sym_executor_get_bound_name (self, &g_array_index (get_places (self, which), SymBound, i));
}

SymDatum *
sym_executor_get (const SymExecutor *self, SymArrays which, guint i)
{
  g_return_val_if_fail (self != NULL && i < sym_executor_get_n (self, which), NULL);

  if (which != SYM_ARRAYS_OUTPUTS)
    return g_array_index (get_places (self, which), SymBound, i).array;
  return self->has_run ? sym_run_get (self->run, sym_model_get_outputs (self->model).ids[i]) : NULL;
}

/* One value may be two outputs: that is no double. */
static gboolean
is_other_value (const SymExecutor *self, SymArrays which, guint i, guint j)
{
  SymIds outputs = sym_model_get_outputs (self->model);

  return which != SYM_ARRAYS_OUTPUTS || outputs.ids[i] != outputs.ids[j];
}

SymDatum *
sym_executor_find (const SymExecutor *self, SymArrays which, const char *name, GError **error)
{
  guint n, found = G_MAXUINT;
  SymDatum *datum;

  g_return_val_if_fail (self != NULL && name != NULL, NULL);

  n = sym_executor_get_n (self, which);
  for (guint i = 0; i < n; i++)
    {
      if (g_strcmp0 (sym_executor_get_name (self, which, i), name) != 0)
        continue;
      if (found != G_MAXUINT && is_other_value (self, which, found, i))
        {
          g_set_error (error, SYM_ERROR, SYM_ERROR_AMBIGUOUS, "Duplicate names detected, [%s, %s]",
                       name, name);
          return NULL;
        }
      found = i;
    }
  if (found == G_MAXUINT)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_NOT_FOUND, "there is no %s called “%s”",
                   which == SYM_ARRAYS_OUTPUTS     ? "output"
                   : which == SYM_ARRAYS_ARGUMENTS ? "argument"
                                                   : "auxiliary state",
                   name);
      return NULL;
    }
  datum = sym_executor_get (self, which, found);
  if (datum == NULL)
    g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT, "“%s” has not been computed yet", name);
  return datum;
}

/* ---- All in one ---- */

GPtrArray *
sym_eval (SymModel *model,
          const char *const *names,
          SymDatum *const *arrays,
          guint n,
          GCancellable *cancellable,
          GError **error)
{
  g_autoptr (SymExecutor) self = sym_model_bind (model, names, arrays, n, error);
  g_autoptr (GPtrArray) outputs = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_datum_unref);

  if (self == NULL || !sym_executor_forward (self, cancellable, error))
    return NULL;
  for (guint i = 0; i < sym_executor_get_n (self, SYM_ARRAYS_OUTPUTS); i++)
    {
      SymDatum *kept = sym_datum_keep (sym_executor_get (self, SYM_ARRAYS_OUTPUTS, i), error);

      if (kept == NULL)
        return NULL;
      g_ptr_array_add (outputs, kept);
    }
  return g_steal_pointer (&outputs);
}
