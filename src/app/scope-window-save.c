/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

#include <glib/gi18n.h>

#include "app/scope-access.h"
#include "app/scope-save.h"
#include "app/scope-work.h"

#define MAX_LISTED 5 /* names of graphs in one question */

/* One document on its way to a file, and what comes after that. */
typedef struct {
  ScopeWindow *window;
  ScopeDocument *document;
  AdwTabPage *tab; /* to be closed then; NULL: it stays */
  gboolean is_new; /* not the file that it came from */
  GtkWidget *card;
} Saving;

static void
saving_free (Saving *self)
{
  scope_work_end (SCOPE_WORK (self->card));
  g_object_unref (self->card);
  g_object_unref (self->window);
  g_object_unref (self->document);
  g_clear_object (&self->tab);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Saving, saving_free)

static AdwTabPage *
find_tab (ScopeWindow *self, ScopeDocument *document)
{
  for (guint i = 0; i < scope_window_get_n_tabs (self); i++)
    {
      ScopePage *page = scope_window_get_nth_page (self, i);

      if (page != NULL && scope_page_get_document (page) == document)
        return adw_tab_view_get_nth_page (self->tabs, (int) i);
    }
  return NULL;
}

/* ---- Writing ---- */

/* Nothing is asked when this one is closed. */
static void
close_for_good (ScopeWindow *self, AdwTabPage *tab)
{
  g_object_set_data (G_OBJECT (tab), "is-settled", GINT_TO_POINTER (TRUE));
  adw_tab_view_close_page (self->tabs, tab);
}

/* A file that is new is often wanted by another program next. */
static void
tell_saved (Saving *self, SymProblems *notes, const GError *error)
{
  const char *title = scope_document_get_title (self->document);
  GFile *file = scope_document_get_file (self->document);
  g_autofree char *text = NULL;

  if (error != NULL)
    text = g_strdup_printf (_ ("Not saved: %s"), error->message);
  else if (sym_problems_get_n (notes) > 0)
    text = g_strdup_printf (_ ("Saved %s; %s"), title, sym_problems_get (notes, 0)->message);
  else
    text = g_strdup_printf (_ ("Saved %s"), title);
  if (error == NULL && self->is_new)
    scope_window_offer_folder (self->window, text, file);
  else
    scope_window_show_message (self->window, text);
}

/* Of a program that ends, windows do not go one by one: the next session begins with all. */
static void
go_on_closing (ScopeWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  if (self->quits && application != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (application), "quit", NULL);
  else
    gtk_window_close (GTK_WINDOW (self));
}

static void save_as (ScopeWindow *self, AdwTabPage *closed);

/* What cannot be in its own file, as that holds more than can be written or a layer has no
 * counterpart, can be in another: closing goes on after that.  Of several that are saved at once
 * the last one is asked about when all are done, and the others when closing asks again. */
static gboolean
ask_where_instead (ScopeWindow *self, AdwTabPage *closed)
{
  g_autoptr (AdwTabPage) tab = g_steal_pointer (&self->refused_tab);

  if (tab == NULL || !scope_window_has_tab (self, tab))
    return FALSE;
  adw_tab_view_set_selected_page (self->tabs, tab);
  save_as (self, closed == tab ? tab : NULL);
  return TRUE;
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Saving) self = user_data;
  g_autoptr (SymProblems) notes = NULL;
  g_autoptr (GError) error = NULL;
  gboolean is_saved = scope_save_finish (result, &notes, &error);
  gboolean is_refused =
      !self->is_new && g_error_matches (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED);
  AdwTabPage *tab = find_tab (self->window, self->document);

  self->window->n_saving--;
  tell_saved (self, notes, error);
  if (!is_saved && tab != NULL)
    adw_tab_view_set_selected_page (self->window->tabs, tab);
  if (is_refused)
    g_set_object (&self->window->refused_tab, tab);
  else if (!is_saved)
    scope_window_stay (self->window);
  else if (self->tab != NULL && tab == self->tab)
    close_for_good (self->window, self->tab);
  if (self->window->n_saving > 0 || ask_where_instead (self->window, self->tab))
    return;
  /* It asks again for what still has no name. */
  if (self->window->closes_after_saving)
    go_on_closing (self->window);
}

static void
save_to (ScopeWindow *self,
         ScopeDocument *document,
         const SymIoFormat *format,
         GFile *file,
         AdwTabPage *closed)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Saving *saving = g_new0 (Saving, 1);

  self->n_saving++;
  saving->window = g_object_ref (self);
  saving->document = g_object_ref (document);
  g_set_object (&saving->tab, closed);
  saving->is_new = scope_document_get_file (document) == NULL ||
                   !g_file_equal (scope_document_get_file (document), file);
  saving->card = g_object_ref_sink (scope_work_new (_ ("Saving…"), cancellable));
  scope_window_begin_work (self, saving->card);
  scope_save_async (document, format, file, cancellable, saved_cb, saving);
}

/* ---- As another file ---- */

static void
save_as_cb (ScopeWindow *self, GFile *file, const SymIoFormat *format)
{
  if (self->document != NULL)
    save_to (self, self->document, format, file, self->saved_tab);
}

static void
save_as (ScopeWindow *self, AdwTabPage *closed)
{
  g_set_object (&self->saved_tab, closed);
  scope_window_choose_save (self, save_as_cb);
}

static void
save_or_ask_where (ScopeWindow *self, ScopeDocument *document, AdwTabPage *closed)
{
  if (scope_save_is_possible (document))
    {
      save_to (self, document, scope_document_get_format (document),
               scope_document_get_file (document), closed);
      return;
    }
  adw_tab_view_set_selected_page (self->tabs, find_tab (self, document));
  save_as (self, closed);
}

/* ---- Before something is lost ---- */

/* A tab, or the window, that is closed once more while it is asked about. */
static gboolean
is_asked (gpointer about)
{
  GtkWindow *question = g_object_get_data (G_OBJECT (about), "question");

  if (question != NULL)
    gtk_window_present (question);
  return question != NULL;
}

static void
forget_question (gpointer about)
{
  g_object_set_data (G_OBJECT (about), "question", NULL);
}

/* With two answers besides that nothing is to be done, which is the first. */
static GtkWidget *
create_question (ScopeWindow *self,
                 gpointer about,
                 const char *heading,
                 const char *body,
                 const char *const answers[4])
{
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), heading, body);

  g_object_set_data (G_OBJECT (about), "question", dialog);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (dialog), TRUE);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"),
                                    answers[0], answers[1], answers[2], answers[3], NULL);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  scope_access_name_answers (dialog);
  return dialog;
}

/* Where saving loses what somebody else has written, nobody does it by a mere Enter. */
static GtkWidget *
create_question_of_edits (ScopeWindow *self,
                          gpointer about,
                          const char *heading,
                          const char *body,
                          gboolean loses)
{
  const char *const answers[] = { "discard", _ ("_Discard"), "save", _ ("_Save") };
  GtkWidget *dialog = create_question (self, about, heading, body, answers);

  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "discard",
                                              ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "save",
                                              loses ? ADW_RESPONSE_DESTRUCTIVE
                                                    : ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), loses ? "cancel" : "save");
  return dialog;
}

static ScopeDocument *
get_document (AdwTabPage *tab)
{
  return scope_page_get_document (SCOPE_PAGE (adw_tab_page_get_child (tab)));
}

static void
tab_answered_cb (ScopeWindow *self, const char *response, GtkWidget *dialog)
{
  AdwTabPage *tab = g_object_get_data (G_OBJECT (dialog), "tab");

  forget_question (tab);
  scope_window_stay (self); /* what was asked for then was called off */
  if (!scope_window_has_tab (self, tab))
    return;
  if (g_str_equal (response, "discard"))
    close_for_good (self, tab);
  else if (g_str_equal (response, "save"))
    save_or_ask_where (self, get_document (tab), tab);
}

static const char *
tell_what_is_unsaved (ScopeDocument *document)
{
  if (scope_document_was_made (document))
    return _ ("It is in no file yet.");
  if (scope_document_get_disk (document) == SCOPE_DISK_CHANGED)
    return _ ("Names, attributes, outputs or shapes were edited, and the file has changed since it "
              "was read. Saving loses what it holds now.");
  return _ ("Names, attributes, outputs or shapes were edited since it was saved.");
}

/* About one graph. */
static GtkWidget *
create_question_of_one (ScopeWindow *self, gpointer asked, ScopeDocument *document)
{
  g_autofree char *heading = g_strdup_printf (
      scope_document_was_made (document) ? _ ("Save “%s”?") : _ ("Save Changes to “%s”?"),
      scope_document_get_title (document));

  return create_question_of_edits (self, asked, heading, tell_what_is_unsaved (document),
                                   scope_document_get_disk (document) == SCOPE_DISK_CHANGED);
}

static gboolean
close_page_cb (ScopeWindow *self, AdwTabPage *tab)
{
  GtkWidget *child = adw_tab_page_get_child (tab);
  ScopeDocument *document =
      SCOPE_IS_PAGE (child) ? scope_page_get_document (SCOPE_PAGE (child)) : NULL;

  if (document == NULL || !scope_document_is_modified (document) ||
      g_object_get_data (G_OBJECT (tab), "is-settled") != NULL)
    return GDK_EVENT_PROPAGATE;
  adw_tab_view_close_page_finish (self->tabs, tab, FALSE);
  if (is_asked (tab))
    return GDK_EVENT_STOP;
  GtkWidget *dialog = create_question_of_one (self, tab, document);

  g_object_set_data_full (G_OBJECT (dialog), "tab", g_object_ref (tab), g_object_unref);
  g_signal_connect_swapped (dialog, "response", G_CALLBACK (tab_answered_cb), self);
  gtk_window_present (GTK_WINDOW (dialog));
  return GDK_EVENT_STOP;
}

/* Tabs with documents whose edits are neither saved nor given up; the caller's. */
static GPtrArray *
list_modified (ScopeWindow *self)
{
  GPtrArray *tabs = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < scope_window_get_n_tabs (self); i++)
    {
      ScopePage *page = scope_window_get_nth_page (self, i);
      AdwTabPage *tab = adw_tab_view_get_nth_page (self->tabs, (int) i);

      if (page != NULL && scope_document_is_modified (scope_page_get_document (page)) &&
          !scope_window_gave_up (scope_page_get_document (page)))
        g_ptr_array_add (tabs, g_object_ref (tab));
    }
  return tabs;
}

gboolean
scope_window_is_modified (ScopeWindow *self)
{
  g_return_val_if_fail (SCOPE_IS_WINDOW (self), FALSE);

  g_autoptr (GPtrArray) tabs = list_modified (self);

  return tabs->len > 0;
}

gboolean
scope_window_keeps_edits (ScopeWindow *self)
{
  g_return_val_if_fail (SCOPE_IS_WINDOW (self), FALSE);

  g_autoptr (GPtrArray) tabs = list_modified (self);

  for (guint i = 0; i < tabs->len; i++)
    {
      ScopeDocument *document = get_document (tabs->pdata[i]);

      if (scope_document_is_edited (document) &&
          (scope_document_get_file (document) == NULL ||
           scope_document_get_disk (document) == SCOPE_DISK_GONE))
        return FALSE;
    }
  return TRUE;
}

/* Those that have a file; when closing asks again, the first that needs a name. */
static void
save_all (ScopeWindow *self, GPtrArray *tabs)
{
  AdwTabPage *nameless = NULL;

  self->closes_after_saving = TRUE;
  for (guint i = 0; i < tabs->len; i++)
    if (scope_save_is_possible (get_document (tabs->pdata[i])))
      save_or_ask_where (self, get_document (tabs->pdata[i]), NULL);
    else if (nameless == NULL)
      nameless = tabs->pdata[i];
  if (nameless != NULL && self->n_saving == 0)
    save_or_ask_where (self, get_document (nameless), NULL);
}

static void
window_answered_cb (ScopeWindow *self, const char *response, GtkWidget *dialog)
{
  g_autoptr (GPtrArray) tabs = list_modified (self);

  forget_question (self);
  if (g_str_equal (response, "discard"))
    {
      /* The click of a screen reader holds the dialog until it is over, and the dialog would then
       * look for the window that it belonged to. */
      gtk_window_set_transient_for (GTK_WINDOW (dialog), NULL);
      for (guint i = 0; i < tabs->len; i++)
        scope_window_give_up (get_document (tabs->pdata[i]));
      go_on_closing (self);
    }
  else if (g_str_equal (response, "save"))
    {
      save_all (self, tabs);
    }
  else
    {
      scope_window_stay (self);
    }
}

static gboolean
has_changed_on_disk (AdwTabPage *tab)
{
  return scope_document_get_disk (get_document (tab)) == SCOPE_DISK_CHANGED;
}

/* Those whose files another program has written since come first: they are what saving loses. */
static int
compare_tabs (gconstpointer a, gconstpointer b)
{
  AdwTabPage *const *left = a, *const *right = b;

  return has_changed_on_disk (*right) - has_changed_on_disk (*left);
}

static char *
list_titles (GPtrArray *tabs)
{
  GString *text = g_string_new (NULL);

  g_ptr_array_sort (tabs, compare_tabs);
  for (guint i = 0; i < MIN (tabs->len, MAX_LISTED); i++)
    {
      ScopeDocument *document = get_document (tabs->pdata[i]);
      g_autofree char *title = g_strdup_printf (
          has_changed_on_disk (tabs->pdata[i])
              ? _ ("“%s”, whose file has changed: saving loses what it holds now")
          : scope_document_was_made (document) ? _ ("“%s”, which is in no file yet")
                                               : _ ("“%s”"),
          scope_document_get_title (document));

      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", title);
    }
  if (tabs->len > MAX_LISTED)
    g_string_append_printf (text,
                            ngettext ("\nand %u more", "\nand %u more", tabs->len - MAX_LISTED),
                            tabs->len - MAX_LISTED);
  return g_string_free (text, FALSE);
}

static gboolean
any_has_changed (GPtrArray *tabs)
{
  for (guint i = 0; i < tabs->len; i++)
    if (scope_document_get_disk (get_document (tabs->pdata[i])) == SCOPE_DISK_CHANGED)
      return TRUE;
  return FALSE;
}

static GtkWidget *
create_question_of_all (ScopeWindow *self, GPtrArray *tabs)
{
  if (tabs->len == 1)
    return create_question_of_one (self, self, get_document (tabs->pdata[0]));
  g_autofree char *heading =
      g_strdup_printf (ngettext ("Save %u Graph?", "Save %u Graphs?", tabs->len), tabs->len);
  g_autofree char *titles = list_titles (tabs);

  return create_question_of_edits (self, self, heading, titles, any_has_changed (tabs));
}

/* TRUE: not yet. */
static gboolean
close_request_cb (ScopeWindow *self)
{
  if (is_asked (self))
    return GDK_EVENT_STOP;
  /* Who closes one window while the program ends wants that no more. */
  if (!self->is_asked_to_quit)
    scope_window_stay (self);
  self->closes_after_saving = FALSE;
  g_autoptr (GPtrArray) tabs = list_modified (self);

  if (tabs->len == 0)
    return GDK_EVENT_PROPAGATE;
  GtkWidget *dialog = create_question_of_all (self, tabs);

  g_signal_connect_swapped (dialog, "response", G_CALLBACK (window_answered_cb), self);
  gtk_window_present (GTK_WINDOW (dialog));
  return GDK_EVENT_STOP;
}

/* ---- Before what another has written is lost ---- */

static void
replace_answered_cb (ScopeWindow *self, const char *response, GtkWidget *dialog)
{
  ScopeDocument *document = g_object_get_data (G_OBJECT (dialog), "document");
  AdwTabPage *tab = find_tab (self, document);

  forget_question (document);
  if (tab == NULL)
    return;
  if (g_str_equal (response, "replace"))
    {
      save_or_ask_where (self, document, NULL);
    }
  else if (g_str_equal (response, "as"))
    {
      adw_tab_view_set_selected_page (self->tabs, tab);
      save_as (self, NULL);
    }
}

static void
ask_whether_to_replace (ScopeWindow *self, ScopeDocument *document)
{
  g_autofree char *heading =
      g_strdup_printf (_ ("Replace “%s”?"), scope_document_get_title (document));
  const char *const answers[] = { "as", _ ("Save _As…"), "replace", _ ("_Replace") };
  GtkWidget *dialog = create_question (
      self, document, heading,
      _ ("The file has changed since it was read. Saving loses what it holds now."), answers);

  g_object_set_data_full (G_OBJECT (dialog), "document", g_object_ref (document), g_object_unref);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "replace",
                                              ADW_RESPONSE_DESTRUCTIVE);
  g_signal_connect_swapped (dialog, "response", G_CALLBACK (replace_answered_cb), self);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
save_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;

  scope_window_stay (self);
  if (is_asked (self->document))
    return;
  if (scope_save_is_possible (self->document) &&
      scope_document_get_disk (self->document) == SCOPE_DISK_CHANGED)
    ask_whether_to_replace (self, self->document);
  else
    save_or_ask_where (self, self->document, NULL);
}

static void
save_as_action_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;

  scope_window_stay (self);
  save_as (self, NULL);
}

/* ---- The window's ---- */

void
scope_window_update_save_actions (ScopeWindow *self)
{
  gboolean has_types =
      self->document != NULL && scope_document_get_inference (self->document) != NULL;

  gboolean is_on_disk = has_types && scope_document_get_file (self->document) != NULL &&
                        scope_document_get_disk (self->document) != SCOPE_DISK_GONE;

  scope_window_set_enabled (
      self, "save", has_types && (!is_on_disk || scope_document_is_modified (self->document)));
  scope_window_set_enabled (self, "save-as", has_types);
}

void
scope_window_add_save_actions (ScopeWindow *self)
{
  static const GActionEntry entries[] = {
    { "save", save_cb },
    { "save-as", save_as_action_cb },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_swapped (self->tabs, "close-page", G_CALLBACK (close_page_cb), self);
  g_signal_connect (self, "close-request", G_CALLBACK (close_request_cb), NULL);
}
