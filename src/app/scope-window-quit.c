/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

/* To end the program, each of its windows is answered for, one after the other: until the last one
 * is, nothing has gone, and any of them can still call it off. */

#define GIVEN_UP "given-up" /* of a document: its state then; what is edited later is not */

/* ---- What is given up ---- */

void
scope_window_give_up (ScopeDocument *document)
{
  g_object_set_data_full (G_OBJECT (document), GIVEN_UP,
                          scope_state_ref (scope_document_get_state (document)),
                          (GDestroyNotify) scope_state_unref);
}

gboolean
scope_window_gave_up (ScopeDocument *document)
{
  ScopeState *state = g_object_get_data (G_OBJECT (document), GIVEN_UP);

  return state != NULL && state == scope_document_get_state (document);
}

static void
take_up_again (ScopeWindow *self)
{
  for (guint i = 0; i < scope_window_get_n_tabs (self); i++)
    {
      ScopePage *page = scope_window_get_nth_page (self, i);

      if (page != NULL)
        g_object_set_data (G_OBJECT (scope_page_get_document (page)), GIVEN_UP, NULL);
    }
}

/* One that is still there would close its window alone. */
static void
close_question (ScopeWindow *self)
{
  GtkWindow *question = g_object_get_data (G_OBJECT (self), "question");

  g_object_set_data (G_OBJECT (self), "question", NULL);
  if (question == NULL)
    return;
  g_signal_handlers_disconnect_by_data (question, self);
  gtk_window_destroy (question);
}

static void
call_off (ScopeWindow *self)
{
  self->quits = self->closes_after_saving = FALSE;
  take_up_again (self);
  close_question (self);
  scope_window_touch (self); /* it may have been kept without those edits */
}

/* Who does not want one window to go wants none to. */
void
scope_window_stay (ScopeWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  self->closes_after_saving = FALSE;
  if (!self->quits || application == NULL)
    return;
  /* The list is another one when a question goes. */
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (application));

  for (GList *l = windows; l != NULL; l = l->next)
    if (SCOPE_IS_WINDOW (l->data) && SCOPE_WINDOW (l->data)->quits)
      call_off (l->data);
}

/* ---- Quitting ---- */

void
scope_window_ask_to_quit (ScopeWindow *self)
{
  g_return_if_fail (SCOPE_IS_WINDOW (self));

  self->quits = self->is_asked_to_quit = TRUE;
  gtk_window_close (GTK_WINDOW (self));
  self->is_asked_to_quit = FALSE;
}
