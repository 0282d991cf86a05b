/* SPDX-License-Identifier: MIT */
#include "app/scope-document-private.h"

#include <glib/gi18n.h>

/* Milliseconds without another change: who writes a file does so in pieces, or puts another in its
 * place. */
#define QUIET 300

/* Documents may go while something is asked: nobody is told then. */
static GWeakRef *
refer_to (ScopeDocument *self)
{
  GWeakRef *reference = g_new0 (GWeakRef, 1);

  g_weak_ref_init (reference, self);
  return reference;
}

static void
free_reference (gpointer data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

/* ---- What the disk has ---- */

static void
set_disk (ScopeDocument *self, ScopeDisk disk)
{
  if (self->disk == disk)
    return;
  self->disk = disk;
  scope_document_emit_changed (self, SCOPE_CHANGE_PROGRESS);
}

/* What was edited would be lost, which is for the user to say. */
static void
take_etag (ScopeDocument *self, const char *etag)
{
  gboolean is_first = self->etag == NULL;

  if (g_strcmp0 (self->etag, etag) == 0)
    {
      set_disk (self, self->disk == SCOPE_DISK_GONE ? SCOPE_DISK_SAME : self->disk);
      return;
    }
  g_free (self->etag);
  self->etag = g_strdup (etag);
  if (is_first)
    return;
  self->is_newer_on_disk = TRUE;
  if (scope_document_is_modified (self))
    set_disk (self, SCOPE_DISK_CHANGED);
  else
    scope_document_reload (self);
}

static void
asked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GWeakRef *reference = user_data;
  g_autoptr (ScopeDocument) self = g_weak_ref_get (reference);
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (source), result, &error);

  free_reference (reference);
  if (self == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (info != NULL)
    take_etag (self, g_file_info_get_etag (info));
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND) && self->etag != NULL)
    set_disk (self, SCOPE_DISK_GONE);
}

static void
ask (ScopeDocument *self)
{
  g_file_query_info_async (self->file, G_FILE_ATTRIBUTE_ETAG_VALUE, G_FILE_QUERY_INFO_NONE,
                           G_PRIORITY_DEFAULT, self->asking, asked_cb, refer_to (self));
}

/* ---- Reading it again ---- */

void
scope_document_reload (ScopeDocument *self)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  if (self->file == NULL)
    return;
  self->disk = SCOPE_DISK_SAME;
  scope_document_request (self, BIT (SCOPE_STAGE_READ));
  scope_document_emit_changed (self, SCOPE_CHANGE_PROGRESS);
}

void
scope_document_drop_reading (ScopeDocument *self)
{
  gboolean is_reading = self->runs && self->stage == SCOPE_STAGE_READ;

  if (!is_reading && (self->dirty & BIT (SCOPE_STAGE_READ)) == 0)
    return;
  if (self->awaits_weights)
    {
      scope_document_request (self, BIT (SCOPE_STAGE_READ));
      return;
    }
  self->dirty &= ~BIT (SCOPE_STAGE_READ);
  self->is_outdated |= is_reading;
  if (is_reading)
    g_cancellable_cancel (self->cancellable);
}

/* Weights come with the model that was read. */
gboolean
scope_document_keep_edits (ScopeDocument *self, SymModel *edited)
{
  g_autoptr (GError) error = NULL;

  if (edited == NULL || scope_state_get_model (self->state) == edited ||
      scope_state_get_model (self->state) == scope_state_get_model (self->saved))
    return FALSE;
  g_set_error (&error, G_IO_ERROR, G_IO_ERROR_BUSY, "%s",
               _ ("the graph was edited while it was read again"));
  if (self->is_newer_on_disk)
    self->disk = SCOPE_DISK_CHANGED;
  if (scope_document_refuse_weights (self, error) || self->is_newer_on_disk)
    return TRUE;
  g_prefix_error (&error, "%s", _ ("Not read again, so this is how it was before: "));
  g_clear_error (&self->error);
  self->error = g_steal_pointer (&error);
  return TRUE;
}

/* ---- When to ask ---- */

static gboolean
quiet_cb (gpointer user_data)
{
  g_autoptr (ScopeDocument) self = g_weak_ref_get (user_data);

  if (self != NULL)
    {
      self->quiet = 0;
      ask (self);
    }
  return G_SOURCE_REMOVE;
}

static void
disk_changed_cb (ScopeDocument *self)
{
  g_clear_handle_id (&self->quiet, g_source_remove);
  self->quiet =
      g_timeout_add_full (G_PRIORITY_DEFAULT, QUIET, quiet_cb, refer_to (self), free_reference);
}

void
scope_document_end_watch (ScopeDocument *self)
{
  g_clear_handle_id (&self->quiet, g_source_remove);
  if (self->monitor != NULL)
    g_signal_handlers_disconnect_by_data (self->monitor, self);
  g_clear_object (&self->monitor);
  g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
  g_clear_pointer (&self->etag, g_free);
}

/* Where a file system cannot tell of changes, Ctrl+R is left. */
void
scope_document_begin_watch (ScopeDocument *self)
{
  scope_document_end_watch (self);
  self->disk = SCOPE_DISK_SAME;
  self->is_newer_on_disk = FALSE;
  if (g_file_has_uri_scheme (self->file, "resource"))
    return;
  self->monitor = g_file_monitor_file (self->file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (self->monitor == NULL)
    return;
  self->asking = g_cancellable_new ();
  g_signal_connect_object (self->monitor, "changed", G_CALLBACK (disk_changed_cb), self,
                           G_CONNECT_SWAPPED);
  ask (self);
}

ScopeDisk
scope_document_get_disk (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), SCOPE_DISK_SAME);

  return self->disk;
}

void
scope_document_dismiss_disk (ScopeDocument *self)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  set_disk (self, SCOPE_DISK_SAME);
}
