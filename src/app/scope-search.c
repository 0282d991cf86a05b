/* SPDX-License-Identifier: MIT */
#include "app/scope-search.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/scope-cut.h"
#include "app/scope-elided.h"
#include "app/scope-hits.h"
#include "app/scope-queries.h"
#include "app/scope-release.h"
#include "app/scope-search-help.h"
#include "app/scope-search-job.h"
#include "app/scope-suggestions.h"
#include "app/scope-text.h"
#include "app/scope-wrapped.h"

#define MAX_TYPED 6  /* suggestions while one types, which hide what is found */
#define MAX_ASKED 50 /* and when they are asked for */
#define NO_PLACE G_MAXUINT

struct _ScopeSearch {
  GtkWidget parent_instance;

  ScopeDocument *document;
  GCancellable *cancellable; /* of the search that goes on; NULL for none */
  guint best;                /* of the hits; G_MAXUINT for none */
  guint place;               /* the hit that was gone to, while it is selected; else NO_PLACE */
  gboolean is_fresh;         /* nobody has gone through it yet */
  char *searched;            /* the text of the last search; NULL for none */
  gboolean goes_later;       /* Enter came before the result... */
  gboolean goes_forward;     /* ...and this way */
  gboolean tells;            /* the document is being told: nothing new for this widget */
  gboolean asks;             /* for suggestions, whatever was typed */
  gboolean is_quiet;         /* nobody has typed the text, and it needs no suggestions */

  SymQueryIndex *index; /* of what there is now; NULL until something was searched for */

  GtkWidget *box;
  GtkWidget *entry;
  GtkWidget *problem;
  GtkWidget *reason;
  GtkWidget *others;
  GtkWidget *count;
  GtkWidget *previous;
  GtkWidget *next;
  GtkWidget *help;
  GtkWidget *help_popover;
  ScopeSuggestions *suggestions;
};

G_DEFINE_FINAL_TYPE (ScopeSearch, scope_search, GTK_TYPE_WIDGET)

static const char *
get_text (ScopeSearch *self)
{
  return gtk_editable_get_text (GTK_EDITABLE (self->entry));
}

static gboolean
has_words (const char *text)
{
  return text[strspn (text, " \t")] != '\0';
}

/* ---- What was found ---- */

/* All hits, as far as it is known what they are. */
static guint
count_hits (ScopeSearch *self)
{
  SymQueryResult *hits = scope_document_get_hits (self->document);

  return hits != NULL ? sym_query_result_get_n (hits) : 0;
}

/* The hit that was gone to, or the one that is selected. */
static gboolean
find_place (ScopeSearch *self, guint *place)
{
  *place = self->place;
  return self->place < count_hits (self) ||
         scope_document_find_selected_hit (self->document, place);
}

static void
show_text (GtkWidget *label, const char *text)
{
  gtk_label_set_text (GTK_LABEL (label), text != NULL ? text : "");
  gtk_widget_set_visible (label, text != NULL);
}

/* Why the selected one is among what was found. */
static void
show_reason (ScopeSearch *self, gboolean is_there, guint place)
{
  SymQueryResult *hits = scope_document_get_hits (self->document);
  g_autofree char *reason = is_there ? sym_query_result_explain (hits, place) : NULL;
  gboolean has_reason = reason != NULL && *reason != '\0';
  g_autofree char *text = has_reason ? g_strdup_printf (_ ("Found by %s"), reason) : NULL;

  show_text (self->reason, text);
}

static void
show_count (ScopeSearch *self)
{
  gboolean is_searched = scope_document_has_search (self->document);
  guint place = 0, n = count_hits (self);
  gboolean is_there = is_searched && find_place (self, &place);
  g_autofree char *text = NULL;

  gtk_widget_set_visible (self->count, is_searched);
  gtk_widget_set_visible (self->previous, n > 0);
  gtk_widget_set_visible (self->next, n > 0);
  gtk_widget_set_visible (self->help, n == 0); /* room for these; F1 leads to it as well */
  show_reason (self, is_there, place);
  if (!is_searched)
    return;
  g_autofree char *count = scope_format_count (n), *nth = scope_format_count (place + 1);

  if (is_there)
    text = g_strdup_printf (_ ("%s of %s"), nth, count);
  else
    text = g_steal_pointer (&count);
  gtk_label_set_text (GTK_LABEL (self->count), text);
}

/* ---- Going to hits ---- */

static void
remembered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ScopeSearch) self = user_data;
  g_autoptr (GError) error = NULL;

  if (scope_queries_add_finish (result, &error))
    return;
  g_autofree char *text = g_strdup_printf (_ ("The search cannot be kept: %s"), error->message);

  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-message", "s", text);
}

/* What was searched for on purpose is offered again. */
static void
remember (ScopeSearch *self)
{
  scope_queries_add_async (get_text (self), remembered_cb, g_object_ref (self));
}

static void
go_to (ScopeSearch *self, guint place)
{
  self->tells = TRUE;
  scope_document_select_hit (self->document, place);
  self->tells = FALSE;
  self->place = place;
  self->is_fresh = FALSE;
  show_count (self);
}

static void
go (ScopeSearch *self, gboolean forward)
{
  guint place, n = count_hits (self);

  if (n == 0)
    return;
  remember (self);
  gboolean is_there = find_place (self, &place);

  if (self->is_fresh && forward && self->best < n)
    place = self->best;
  else if (forward)
    place = (is_there ? place + 1 : place) % n;
  else
    place = (place + n - 1) % n;
  go_to (self, place);
}

/* ---- The search ---- */

static void
search_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (scope_search_job_run (task_data, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* What is wrong with the text; while one types most texts are wrong for a moment. */
static void
show_problem (ScopeSearch *self, const GError *error)
{
  g_autofree char *sentence = error != NULL ? scope_text_sentence (error->message) : NULL;

  show_text (self->problem, sentence);
}

static void
take_found (ScopeSearch *self, GArray *found, SymQueryResult *result)
{
  self->tells = TRUE;
  scope_document_take_found (self->document, found, result);
  self->tells = FALSE;
  self->place = NO_PLACE;
  scope_hits_show (SCOPE_HITS (self->others), self->document);
  show_count (self);
}

/* Only where somebody types. */
static void
show_suggestions (ScopeSearch *self, ScopeSearchJob *job)
{
  GtkStateFlags state = gtk_widget_get_state_flags (self->entry);

  if (job->completions != NULL && (state & GTK_STATE_FLAG_FOCUS_WITHIN) != 0)
    scope_suggestions_show (self->suggestions, job->completions);
}

static void
take_result (ScopeSearch *self, ScopeSearchJob *job)
{
  self->best = job->best;
  self->is_fresh = TRUE;
  take_found (self, g_steal_pointer (&job->found), g_steal_pointer (&job->result));
  if (self->goes_later)
    go (self, self->goes_forward);
  self->goes_later = FALSE;
}

static void
search_done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ScopeSearch *self = SCOPE_SEARCH (source);
  ScopeSearchJob *job = g_task_get_task_data (G_TASK (result));

  g_autoptr (GError) error = NULL;
  gboolean is_done = g_task_propagate_boolean (G_TASK (result), &error);

  /* Cancelled: another search has taken its place. */
  if (self->document == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->cancellable);
  if (job->query != NULL)
    show_problem (self, error);
  if (self->index == NULL && job->index != NULL &&
      job->summary == scope_document_get_summary (self->document))
    self->index = sym_query_index_ref (job->index);
  show_suggestions (self, job);
  if (is_done && job->result != NULL)
    take_result (self, job);
}

static void
stop (ScopeSearch *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->goes_later = FALSE;
}

static gsize
get_cursor (ScopeSearch *self)
{
  const char *text = get_text (self);
  int position = gtk_editable_get_position (GTK_EDITABLE (self->entry));

  return (gsize) (g_utf8_offset_to_pointer (text, position) - text);
}

/* While one types, what the word may become; not after a word, which would hide what was found. */
static guint
count_wanted (ScopeSearch *self, const char *text, gsize cursor)
{
  if (self->asks)
    return MAX_ASKED;
  return !self->is_quiet && cursor > 0 && text[cursor - 1] != ' ' ? MAX_TYPED : 0;
}

static void
start (ScopeSearch *self, SymQuery *query, const char *text)
{
  SymSummary *summary = scope_document_get_summary (self->document);
  SymFolding *folding = scope_document_get_folding (self->document);
  double *times = self->index == NULL ? scope_document_list_times (self->document) : NULL;
  guint8 *changes = self->index == NULL ? scope_document_list_changes (self->document) : NULL;
  ScopeSearchJob *job =
      scope_search_job_new (summary, folding != NULL ? sym_folding_get_groups (folding) : NULL,
                            self->index, query, times, changes, text);

  job->cursor = get_cursor (self);
  job->n_completions = count_wanted (self, text, job->cursor);
  self->cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, search_done_cb, NULL);

  g_task_set_source_tag (task, start);
  g_task_set_task_data (task, job, (GDestroyNotify) scope_search_job_free);
  g_task_run_in_thread (task, search_thread);
}

static void
search (ScopeSearch *self)
{
  const char *text = get_text (self);
  gboolean asks = scope_document_get_summary (self->document) != NULL && has_words (text);
  g_autoptr (GError) error = NULL;
  SymQuery *query = asks ? sym_query_parse (text, NULL, &error) : NULL;

  stop (self);
  g_free (self->searched);
  self->searched = g_strdup (text);
  scope_suggestions_hide (self->suggestions);
  show_problem (self, error);
  if (query == NULL)
    take_found (self, NULL, NULL);
  if (asks)
    start (self, query, text);
  self->asks = self->is_quiet = FALSE;
}

/* ---- What the user does ---- */

/* The entry tells of what is typed a little later, and perhaps not yet before Enter. */
static gboolean
is_searched_for (ScopeSearch *self)
{
  return g_strcmp0 (self->searched, get_text (self)) == 0;
}

static void
typed_cb (ScopeSearch *self)
{
  if (!is_searched_for (self))
    search (self);
}

static void
step (ScopeSearch *self, gboolean forward)
{
  scope_suggestions_hide (self->suggestions);
  if (!is_searched_for (self))
    search (self);
  self->goes_later = self->cancellable != NULL;
  self->goes_forward = forward;
  if (!self->goes_later)
    go (self, forward);
}

static void
next_cb (ScopeSearch *self)
{
  step (self, TRUE);
}

static void
previous_cb (ScopeSearch *self)
{
  step (self, FALSE);
}

static void
hit_chosen_cb (ScopeSearch *self, guint hit)
{
  if (hit < count_hits (self))
    go_to (self, hit);
}

/* A field's value is still to come, and has suggestions of its own. */
static void
accepted_cb (ScopeSearch *self, gboolean is_complete)
{
  self->is_quiet = is_complete;
}

static void
ask (ScopeSearch *self)
{
  if (!has_words (get_text (self)))
    {
      scope_suggestions_show_beginnings (self->suggestions);
      return;
    }
  self->asks = TRUE;
  search (self);
}

static void
help_cb (ScopeSearch *self)
{
  scope_search_help_open (SCOPE_SEARCH_HELP (self->help_popover),
                          gtk_widget_get_visible (self->help) ? self->help : self->entry);
}

static gboolean
key_cb (ScopeSearch *self, guint key, guint code, GdkModifierType state)
{
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();
  gboolean is_enter = key == GDK_KEY_Return || key == GDK_KEY_KP_Enter;

  if (modifiers == 0 && scope_suggestions_use_key (self->suggestions, key))
    return GDK_EVENT_STOP;
  if (is_enter && (state & GDK_SHIFT_MASK) != 0)
    previous_cb (self);
  else if ((modifiers == 0 && (key == GDK_KEY_Down || key == GDK_KEY_KP_Down)) ||
           (modifiers == GDK_CONTROL_MASK && key == GDK_KEY_space))
    ask (self);
  else if (modifiers == 0 && key == GDK_KEY_F1)
    help_cb (self);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static void
left_cb (ScopeSearch *self)
{
  scope_suggestions_hide (self->suggestions);
}

/* An example to try, which can be changed at its end. */
static void
example_cb (ScopeSearch *self, const char *example)
{
  self->is_quiet = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (self->entry), example);
  gtk_editable_set_position (GTK_EDITABLE (self->entry), -1);
}

/* An empty entry says by itself that nothing is searched for. */
static void
stop_cb (ScopeSearch *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  search (self);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.focus-drawing", NULL);
}

/* Other types are found by other words; who ends the search elsewhere ends it here. */
static void
document_changed_cb (ScopeSearch *self, guint changes)
{
  if ((changes & SCOPE_CHANGE_FOUND) && !self->tells && !scope_document_has_search (self->document))
    {
      gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
      stop (self);
      g_clear_pointer (&self->searched, g_free);
      scope_hits_show (SCOPE_HITS (self->others), self->document);
      show_count (self);
    }
  if (changes &
      (SCOPE_CHANGE_TYPES | SCOPE_CHANGE_MODEL | SCOPE_CHANGE_RUN | SCOPE_CHANGE_COMPARISON))
    scope_release (g_steal_pointer (&self->index), (GDestroyNotify) sym_query_index_unref);
  if (changes & SCOPE_CHANGE_MODEL)
    scope_hits_show (SCOPE_HITS (self->others), self->document);
  if ((changes & (SCOPE_CHANGE_TYPES | SCOPE_CHANGE_COMPARISON)) && has_words (get_text (self)))
    {
      self->is_quiet = TRUE;
      search (self);
    }
  if ((changes & SCOPE_CHANGE_SELECTION) && !self->tells)
    {
      self->place = NO_PLACE;
      show_count (self);
    }
}

/* ---- Class ---- */

/* GTK 4.8 gives the keyboard to the parent of a popover that closes; who tabs back goes on. */
static gboolean
scope_search_grab_focus (GtkWidget *widget)
{
  GtkEditable *text = gtk_editable_get_delegate (GTK_EDITABLE (SCOPE_SEARCH (widget)->entry));

  return !gtk_widget_has_focus (GTK_WIDGET (text)) &&
         gtk_text_grab_focus_without_selecting (GTK_TEXT (text));
}

static void
scope_search_dispose (GObject *object)
{
  ScopeSearch *self = SCOPE_SEARCH (object);

  stop (self);
  g_clear_pointer (&self->searched, g_free);
  scope_release (g_steal_pointer (&self->index), (GDestroyNotify) sym_query_index_unref);
  if (self->suggestions != NULL)
    gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->suggestions)));
  g_clear_pointer (&self->help_popover, gtk_widget_unparent);
  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->document);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_search_parent_class)->dispose (object);
}

#define BIND(child) gtk_widget_class_bind_template_child (widget_class, ScopeSearch, child)

static void
scope_search_class_init (ScopeSearchClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (SCOPE_TYPE_HITS);
  G_OBJECT_CLASS (klass)->dispose = scope_search_dispose;
  widget_class->grab_focus = scope_search_grab_focus;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-search.ui");
  BIND (box);
  BIND (entry);
  BIND (problem);
  BIND (reason);
  BIND (others);
  BIND (help);
  BIND (count);
  BIND (previous);
  BIND (next);
  gtk_widget_class_bind_template_callback (widget_class, typed_cb);
  gtk_widget_class_bind_template_callback (widget_class, next_cb);
  gtk_widget_class_bind_template_callback (widget_class, previous_cb);
  gtk_widget_class_bind_template_callback (widget_class, stop_cb);
  gtk_widget_class_bind_template_callback (widget_class, help_cb);
  gtk_widget_class_bind_template_callback (widget_class, hit_chosen_cb);
}

static void
scope_search_init (ScopeSearch *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  self->best = G_MAXUINT;
  self->place = NO_PLACE;
  gtk_widget_init_template (GTK_WIDGET (self));
  scope_wrapped_reserve (self->problem);
  scope_elided_tell (self->reason);
  self->suggestions = scope_suggestions_new (GTK_WIDGET (self), self->entry);
  g_signal_connect_swapped (self->suggestions, "accepted", G_CALLBACK (accepted_cb), self);
  self->help_popover = g_object_new (SCOPE_TYPE_SEARCH_HELP, NULL);
  gtk_widget_set_parent (self->help_popover, GTK_WIDGET (self));
  /* What the button is for would be told over what it opened. */
  g_object_bind_property (self->help_popover, "visible", self->help, "has-tooltip",
                          G_BINDING_INVERT_BOOLEAN);
  g_signal_connect_swapped (self->help_popover, "chosen", G_CALLBACK (example_cb), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (self->entry, keys);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (left_cb), self);
  gtk_widget_add_controller (self->entry, focus);
}

void
scope_search_set_document (ScopeSearch *self, ScopeDocument *document)
{
  g_return_if_fail (SCOPE_IS_SEARCH (self) && self->document == NULL);

  self->document = g_object_ref (document);
  g_signal_connect_swapped (document, "changed", G_CALLBACK (document_changed_cb), self);
  show_count (self);
}

void
scope_search_focus (ScopeSearch *self)
{
  g_return_if_fail (SCOPE_IS_SEARCH (self));

  gtk_widget_grab_focus (self->entry);
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
}

void
scope_search_clear (ScopeSearch *self)
{
  g_return_if_fail (SCOPE_IS_SEARCH (self));

  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  search (self);
  gtk_widget_grab_focus (self->entry);
}

void
scope_search_go (ScopeSearch *self, gboolean forward)
{
  g_return_if_fail (SCOPE_IS_SEARCH (self));

  gboolean has_search = scope_document_has_search (self->document);

  (!has_search ? scope_search_focus : forward ? next_cb : previous_cb) (self);
}
