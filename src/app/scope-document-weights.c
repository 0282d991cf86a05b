/* SPDX-License-Identifier: MIT */
#include "app/scope-document-private.h"

#include "run/sym-run-weights.h"

/* Weights that the user chose, in place of those that the format's rule finds.  The graph is read
 * again with them, as it is when its file changes; when they cannot be read, all stays as it was.
 */

GFile *
scope_document_get_weights (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), NULL);

  return self->weights;
}

gboolean
scope_document_can_choose_weights (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), FALSE);

  if (self->file == NULL || self->state == NULL || g_file_peek_path (self->file) == NULL)
    return FALSE;
  const SymIoFormat *format = sym_io_get_model_format (scope_state_get_model (self->saved));

  return format != NULL && sym_io_format_takes_weights (format);
}

void
scope_document_choose_weights (ScopeDocument *self, GFile *weights)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self) && self->file != NULL);

  if (!self->awaits_weights)
    {
      g_clear_object (&self->weights_before);
      self->weights_before = g_steal_pointer (&self->weights);
    }
  g_set_object (&self->weights, weights);
  g_clear_error (&self->weights_error);
  self->awaits_weights = TRUE;
  self->has_weights_news = FALSE;
  scope_document_reload (self);
}

void
scope_document_take_weights (ScopeDocument *self)
{
  if (!self->awaits_weights)
    return;
  self->awaits_weights = FALSE;
  self->has_weights_news = TRUE;
  g_clear_object (&self->weights_before);
}

gboolean
scope_document_refuse_weights (ScopeDocument *self, const GError *error)
{
  if (!self->awaits_weights)
    return FALSE;
  g_clear_object (&self->weights);
  self->weights = g_steal_pointer (&self->weights_before);
  self->awaits_weights = FALSE;
  self->has_weights_news = TRUE;
  g_clear_error (&self->weights_error);
  self->weights_error = g_error_copy (error);
  return TRUE;
}

gboolean
scope_document_take_weights_news (ScopeDocument *self, guint *n_missing, GError **error)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), FALSE);

  if (!self->has_weights_news)
    return FALSE;
  self->has_weights_news = FALSE;
  *n_missing = 0;
  if (self->weights_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->weights_error));
      return TRUE;
    }
  g_autoptr (GArray) missing = sym_run_list_missing_weights (scope_state_get_model (self->state));

  *n_missing = missing->len;
  return TRUE;
}
