/* SPDX-License-Identifier: MIT */
#include "app/scope-search.h"

#include <glib/gi18n.h>

#include "app/scope-text.h"
#include "query/sym-query.h"

struct _ScopeSearch {
  GtkWidget parent_instance;

  ScopeDocument *document;
  GCancellable *cancellable; /* of the search that goes on; NULL for none */
  SymId best;                /* of what was found last; SYM_NO_ID for nothing */
  gboolean is_fresh;         /* nobody has gone through it yet */
  gboolean goes_later;       /* Enter came before the result */
  gboolean tells;            /* the document is being told: nothing new for this widget */

  SymQueryIndex *index;      /* of what there is now; NULL until something was searched for */

  GtkWidget *box;
  GtkWidget *entry;
  GtkWidget *problem;
  GtkWidget *count;
  GtkWidget *previous;
  GtkWidget *next;
};

G_DEFINE_FINAL_TYPE (ScopeSearch, scope_search, GTK_TYPE_WIDGET)

/* ---- What was found ---- */

/* The place of the selection among what was found, which is in the order of the table; how many lie
 * before it when it is not there. */
static gboolean
find_place (ScopeSearch *self, guint *place)
{
  SymIds found = scope_document_get_found (self->document);
  SymSummary *summary = scope_document_get_summary (self->document);
  SymId selected = scope_document_get_selected_value (self->document);
  guint row = selected != SYM_NO_ID && summary != NULL ? sym_summary_find_row (summary, selected) : 0;

  for (*place = 0; *place < found.n; ++*place) {
    if (found.ids[*place] == selected)
      return TRUE;
    if (sym_summary_find_row (summary, found.ids[*place]) > row)
      return FALSE;
  }
  return FALSE;
}

static void
show_count (ScopeSearch *self)
{
  gboolean is_searched = scope_document_has_search (self->document);
  guint place, n = scope_document_get_found (self->document).n;
  g_autofree char *text = NULL;

  gtk_widget_set_visible (self->count, is_searched);
  gtk_widget_set_visible (self->previous, is_searched);
  gtk_widget_set_visible (self->next, is_searched);
  gtk_widget_set_sensitive (self->previous, n > 0);
  gtk_widget_set_sensitive (self->next, n > 0);
  if (!is_searched)
    return;
  if (find_place (self, &place))
    text = g_strdup_printf (_("%u of %u"), place + 1, n);
  else
    text = g_strdup_printf ("%u", n);
  gtk_label_set_text (GTK_LABEL (self->count), text);
}

static void
go (ScopeSearch *self, gboolean forward)
{
  SymIds found = scope_document_get_found (self->document);
  guint place;

  if (found.n == 0)
    return;
  gboolean is_there = find_place (self, &place);

  if (forward)
    place = (is_there ? place + 1 : place) % found.n;
  else
    place = (place + found.n - 1) % found.n;
  scope_document_select_value (self->document,
                               self->is_fresh && forward ? self->best : found.ids[place]);
  self->is_fresh = FALSE;
}

/* ---- The search ---- */

typedef struct {
  SymSummary *summary;
  SymGroups *groups;    /* NULL for none */
  double *times;        /* by call; NULL for none */
  SymQueryIndex *index; /* NULL: to be made */
  SymQuery *query;
  SymQueryResult *result;
  GArray *found; /* of SymId, in the order of the table */
  SymId best;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_clear_pointer (&job->found, g_array_unref);
  g_clear_pointer (&job->result, sym_query_result_unref);
  g_clear_pointer (&job->index, sym_query_index_unref);
  g_clear_pointer (&job->groups, sym_groups_unref);
  g_free (job->times);
  sym_query_unref (job->query);
  sym_summary_unref (job->summary);
  g_free (job);
}

/* Nodes; groups, and layers without a row, cannot be listed. */
static void
list_found (Job *job)
{
  guint n = sym_query_result_get_n (job->result);
  guint best = sym_query_result_get_best (job->result);

  job->best = SYM_NO_ID;
  job->found = g_array_new (FALSE, FALSE, sizeof (SymId));
  for (guint i = 0; i < n; i++) {
    SymId value = sym_query_result_get (job->result, i).item.value;

    if (value == SYM_NO_ID)
      continue;
    g_array_append_val (job->found, value);
    if (i == best || job->best == SYM_NO_ID)
      job->best = value;
  }
}

static void
search_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  GError *error = NULL;

  if (job->index == NULL) {
    job->index = sym_query_index_new (job->summary, job->groups);
    if (job->times != NULL)
      sym_query_index_set_times (job->index, job->times);
  }
  job->result = sym_query_run (job->query, job->index, cancellable, &error);
  if (job->result == NULL) {
    g_task_return_error (task, error);
    return;
  }
  list_found (job);
  g_task_return_boolean (task, TRUE);
}

/* What is wrong with the text; while one types most texts are wrong for a moment. */
static void
show_problem (ScopeSearch *self, const GError *error)
{
  g_autofree char *sentence = error != NULL ? scope_text_sentence (error->message) : NULL;

  gtk_label_set_text (GTK_LABEL (self->problem), sentence != NULL ? sentence : "");
  gtk_widget_set_visible (self->problem, sentence != NULL);
}

static void
take_found (ScopeSearch *self, GArray *found)
{
  self->tells = TRUE;
  scope_document_take_found (self->document, found);
  self->tells = FALSE;
  show_count (self);
}

static void
search_done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ScopeSearch *self = SCOPE_SEARCH (source);
  Job *job = g_task_get_task_data (G_TASK (result));

  g_autoptr (GError) error = NULL;
  gboolean is_done = g_task_propagate_boolean (G_TASK (result), &error);

  /* Cancelled: another search has taken its place. */
  if (self->document == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->cancellable);
  show_problem (self, error);
  if (!is_done)
    return;
  if (self->index == NULL && job->summary == scope_document_get_summary (self->document))
    self->index = sym_query_index_ref (job->index);
  self->best = job->best;
  self->is_fresh = TRUE;
  take_found (self, g_steal_pointer (&job->found));
  if (self->goes_later)
    go (self, TRUE);
  self->goes_later = FALSE;
}

static void
stop (ScopeSearch *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->goes_later = FALSE;
}

static gboolean
has_words (const char *text)
{
  return text[strspn (text, " \t")] != '\0';
}

static void
search (ScopeSearch *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  SymSummary *summary = scope_document_get_summary (self->document);
  SymFolding *folding = scope_document_get_folding (self->document);
  g_autoptr (GError) error = NULL;

  stop (self);
  if (summary == NULL || !has_words (text)) {
    show_problem (self, NULL);
    take_found (self, NULL);
    return;
  }
  SymQuery *query = sym_query_parse (text, NULL, &error);

  show_problem (self, error);
  if (query == NULL)
    return;
  Job *job = g_new0 (Job, 1);
  job->query = query;
  job->summary = sym_summary_ref (summary);
  job->groups = folding != NULL ? sym_groups_ref (sym_folding_get_groups (folding)) : NULL;
  job->index = self->index != NULL ? sym_query_index_ref (self->index) : NULL;
  job->times = job->index == NULL ? scope_document_list_times (self->document) : NULL;
  self->cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, search_done_cb, NULL);

  g_task_set_source_tag (task, search);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, search_thread);
}

/* ---- What the user does ---- */

static void
next_cb (ScopeSearch *self)
{
  if (self->cancellable != NULL)
    self->goes_later = TRUE;
  else
    go (self, TRUE);
}

static void
previous_cb (ScopeSearch *self)
{
  go (self, FALSE);
}

static gboolean
key_cb (ScopeSearch *self, guint key, guint code, GdkModifierType state)
{
  if ((key != GDK_KEY_Return && key != GDK_KEY_KP_Enter) || (state & GDK_SHIFT_MASK) == 0)
    return GDK_EVENT_PROPAGATE;
  previous_cb (self);
  return GDK_EVENT_STOP;
}

/* An empty entry says by itself that nothing is searched for. */
static void
stop_cb (ScopeSearch *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  search (self);
  gtk_widget_child_focus (GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (self))), GTK_DIR_TAB_FORWARD);
}

/* Other types are found by other words; who ends the search elsewhere ends it here. */
static void
document_changed_cb (ScopeSearch *self, guint changes)
{
  if ((changes & SCOPE_CHANGE_FOUND) && !self->tells &&
      !scope_document_has_search (self->document)) {
    gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
    stop (self);
    show_count (self);
  }
  if (changes & (SCOPE_CHANGE_TYPES | SCOPE_CHANGE_MODEL | SCOPE_CHANGE_RUN))
    g_clear_pointer (&self->index, sym_query_index_unref);
  if ((changes & SCOPE_CHANGE_TYPES) &&
      has_words (gtk_editable_get_text (GTK_EDITABLE (self->entry))))
    search (self);
  if (changes & SCOPE_CHANGE_SELECTION)
    show_count (self);
}

/* ---- Class ---- */

static void
scope_search_dispose (GObject *object)
{
  ScopeSearch *self = SCOPE_SEARCH (object);

  stop (self);
  g_clear_pointer (&self->index, sym_query_index_unref);
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

  G_OBJECT_CLASS (klass)->dispose = scope_search_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-search.ui");
  BIND (box);
  BIND (entry);
  BIND (problem);
  BIND (count);
  BIND (previous);
  BIND (next);
  gtk_widget_class_bind_template_callback_full (widget_class, "search_cb", G_CALLBACK (search));
  gtk_widget_class_bind_template_callback (widget_class, next_cb);
  gtk_widget_class_bind_template_callback (widget_class, previous_cb);
  gtk_widget_class_bind_template_callback (widget_class, stop_cb);
}

static void
scope_search_init (ScopeSearch *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->best = SYM_NO_ID;
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (self->entry, keys);
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
