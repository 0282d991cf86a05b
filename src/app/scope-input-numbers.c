/* SPDX-License-Identifier: MIT */
#include "app/scope-input-numbers.h"

#include <glib/gi18n.h>

#include "app/scope-text.h"
#include "io/sym-numbers.h"
#include "run/sym-reference.h"
#include "store/sym-store-numpy.h"

#define MAX_NAMES 8 /* that a message tells */

/* ---- Names ---- */

/* "“a”, “b” and 3 more" */
static char *
list_names (GPtrArray *names)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < MIN (names->len, MAX_NAMES); i++)
    g_string_append_printf (text, "%s“%s”", i > 0 ? ", " : "", (const char *) names->pdata[i]);
  if (names->len > MAX_NAMES)
    {
      g_string_append_c (text, ' ');
      g_string_append_printf (text, ngettext ("and %u more", "and %u more", names->len - MAX_NAMES),
                              names->len - MAX_NAMES);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
list_arrays (const SymNumbers *numbers)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < sym_numbers_get_n (numbers); i++)
    g_ptr_array_add (names, (gpointer) sym_numbers_get_names (numbers)[i]);
  return list_names (names);
}

/* ---- Reading ---- */

static gboolean
is_npy (const char *path)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  return g_str_has_suffix (lower, ".npy");
}

static SymNumbers *
read_numbers (const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (SymNumbers) numbers = sym_numbers_read (path, cancellable, error);

  if (numbers == NULL)
    return NULL;
  if (sym_numbers_get_n (numbers) == 0)
    {
      g_set_error_literal (error, SYM_ERROR, SYM_ERROR_ARGUMENT, _ ("There are no numbers in it"));
      return NULL;
    }
  if (!sym_numbers_has_dtypes (numbers))
    {
      g_set_error_literal (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                           _ ("Its numbers have no data types: it can be compared with, but a run "
                              "needs arrays of NumPy"));
      return NULL;
    }
  return g_steal_pointer (&numbers);
}

/* NULL for none. */
static SymTensor *
find_tensor (SymModel *model, SymId value, guint n_inputs, const SymNumbers *numbers)
{
  guint n = sym_numbers_get_n (numbers);

  if (n == 1 && n_inputs == 1)
    return sym_numbers_get_tensors (numbers)[0];
  g_autoptr (SymReference) reference = sym_reference_new (
      model, sym_numbers_get_names (numbers), sym_numbers_get_tensors (numbers), n, TRUE);

  for (guint i = 0; i < sym_reference_get_n_found (reference); i++)
    {
      const SymReferenceEntry *entry = sym_reference_get (reference, i);

      if (entry->value == value && !entry->is_again)
        return entry->tensor;
    }
  return NULL;
}

static guint
count_inputs (SymModel *model)
{
  SymIds inputs = sym_model_get_inputs (model);
  guint n = 0;

  for (guint i = 0; i < inputs.n; i++)
    n += sym_model_get_tensor (model, inputs.ids[i]) == NULL;
  return n;
}

SymTensor *
scope_input_numbers_open (SymModel *model, SymId value, const char *path, GError **error)
{
  g_return_val_if_fail (model != NULL && path != NULL, NULL);

  if (is_npy (path))
    return sym_store_open_npy (path, error);
  g_autoptr (SymNumbers) numbers = read_numbers (path, NULL, error);

  if (numbers == NULL)
    return NULL;
  SymTensor *tensor = find_tensor (model, value, count_inputs (model), numbers);

  if (tensor != NULL)
    return sym_tensor_ref (tensor);
  g_autofree char *names = list_arrays (numbers);

  g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
               _ ("The file has no array called “%s”, but %s"), scope_text_name (model, value),
               names);
  return NULL;
}

/* ---- Inputs that a file has ---- */

typedef struct {
  SymModel *model;
  GArray *inputs; /* of SymId */
  GFile *file;
  char *lack;
} Search;

static void
search_free (gpointer data)
{
  Search *self = data;

  sym_model_unref (self->model);
  g_array_unref (self->inputs);
  g_object_unref (self->file);
  g_free (self->lack);
  g_free (self);
}

static GArray *
find_inputs (Search *self, const SymNumbers *numbers, GError **error)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autoptr (GPtrArray) missing = g_ptr_array_new ();

  for (guint i = 0; i < self->inputs->len; i++)
    {
      SymId value = g_array_index (self->inputs, SymId, i);

      if (find_tensor (self->model, value, self->inputs->len, numbers) != NULL)
        g_array_append_val (found, value);
      else
        g_ptr_array_add (missing, (gpointer) scope_text_name (self->model, value));
    }
  if (found->len == 0)
    {
      g_autofree char *names = list_arrays (numbers);

      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   _ ("No input is called like an array of the file: it has %s"), names);
      return NULL;
    }
  g_autofree char *names = list_names (missing);

  if (missing->len > 0)
    self->lack = g_strdup_printf (_ ("The file has no numbers for %s"), names);
  return g_steal_pointer (&found);
}

static void
find_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Search *self = task_data;
  const char *path = g_file_peek_path (self->file);
  GError *error = NULL;
  g_autoptr (SymNumbers) numbers = NULL;
  GArray *found;

  if (path == NULL)
    g_set_error_literal (&error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                         _ ("The file is not on this computer"));
  else
    numbers = read_numbers (path, cancellable, &error);
  found = numbers != NULL ? find_inputs (self, numbers, &error) : NULL;
  if (found != NULL)
    g_task_return_pointer (task, found, (GDestroyNotify) g_array_unref);
  else
    g_task_return_error (task, error);
}

void
scope_input_numbers_find_async (SymModel *model,
                                const GArray *inputs,
                                GFile *file,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Search *self = g_new0 (Search, 1);

  self->model = sym_model_ref (model);
  self->inputs = g_array_copy ((GArray *) inputs);
  self->file = g_object_ref (file);
  g_task_set_source_tag (task, scope_input_numbers_find_async);
  g_task_set_task_data (task, self, search_free);
  g_task_run_in_thread (task, find_thread);
}

GArray *
scope_input_numbers_find_finish (GAsyncResult *result, char **lack, GError **error)
{
  Search *self = g_task_get_task_data (G_TASK (result));
  GArray *found = g_task_propagate_pointer (G_TASK (result), error);

  *lack = found != NULL ? g_steal_pointer (&self->lack) : NULL;
  return found;
}
