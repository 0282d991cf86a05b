/* SPDX-License-Identifier: MIT */
#include "app/scope-run-bar.h"

#include <glib/gi18n.h>

#include "app/scope-beside.h"
#include "app/scope-column.h"
#include "app/scope-menu.h"
#include "app/scope-text.h"
#include "app/scope-wrapped.h"
#include "run/sym-run-weights.h"

#define INTERVAL 50 /* milliseconds */

struct _ScopeRunBar {
  GtkWidget parent_instance;

  ScopeDocument *document;
  guint source; /* while a run goes on; 0 for none */

  GtkWidget *box;
  GtkWidget *text;
  GtkWidget *details;
  GtkWidget *bar;
  GtkWidget *failure_box;
  GtkWidget *failure;
  GtkWidget *choose;
  GtkWidget *bad_box;
  GtkWidget *bad;
  GtkWidget *save;
  GtkWidget *again;
  GtkWidget *cancel;
  GtkWidget *close;
};

G_DEFINE_FINAL_TYPE (ScopeRunBar, scope_run_bar, GTK_TYPE_WIDGET)

/* NULL hides the label. */
static void
set_text (GtkWidget *label, const char *text)
{
  scope_wrapped_set_text (label, text != NULL ? text : "");
  gtk_widget_set_visible (label, text != NULL);
}

/* ---- While it runs ---- */

static gboolean
has_weights (ScopeRunBar *self)
{
  SymModel *model = scope_document_get_model (self->document);

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_model_has_value (model, value) && sym_model_get_parameter (model, value) != NULL)
      return TRUE;
  return FALSE;
}

static char *
describe_progress (ScopeRunBar *self, const ScopeRunProgress *progress)
{
  switch (progress->stage)
    {
    case SYM_RECORD_MAKING:
      return g_strdup (_ ("Making random weights…"));
    case SYM_RECORD_LOOKING:
      return g_strdup (_ ("Measuring the inputs…"));
    case SYM_RECORD_RUNNING:
      return g_strdup_printf (_ ("Running… %u of %u layers"), progress->n_done, progress->n_all);
    case SYM_RECORD_TIMING:
      return g_strdup (_ ("Running again, for times that can be relied upon…"));
    case SYM_RECORD_PLANNING:
    default:
      return g_strdup (has_weights (self) ? _ ("Planning and packing weights…") : _ ("Planning…"));
    }
}

/* While the first layers run, the bar only moves. */
static gboolean
look (ScopeRunBar *self)
{
  GtkProgressBar *bar = GTK_PROGRESS_BAR (self->bar);
  ScopeRunProgress progress;

  if (!scope_document_get_run_progress (self->document, &progress))
    return FALSE;
  g_autofree char *text = describe_progress (self, &progress);

  if (progress.n_done == 0)
    gtk_progress_bar_pulse (bar);
  else
    gtk_progress_bar_set_fraction (bar, (double) progress.n_done / progress.n_all);
  set_text (self->text, text);
  return TRUE;
}

static gboolean
look_cb (gpointer user_data)
{
  ScopeRunBar *self = user_data;

  if (look (self))
    return G_SOURCE_CONTINUE;
  self->source = 0;
  return G_SOURCE_REMOVE;
}

/* ---- What came of it ---- */

static char *
describe_run (ScopeRunBar *self, SymRecord *record)
{
  SymRecordCounts counts = sym_record_get_counts (record);
  g_autofree char *time = scope_text_milliseconds (sym_record_get_total (record));
  g_autofree char *seed =
      g_strdup_printf ("%" G_GUINT64_FORMAT, scope_document_get_run_seed (self->document));
  guint n_timed = sym_record_get_counts (record).n_timed;
  g_autoptr (GString) text = g_string_new (NULL);
  const char *taken = scope_document_get_run_taken (self->document);

  if (sym_record_has_run (record))
    g_string_append_printf (text, _ ("Ran in %s, seed %s"), time, seed);
  else
    g_string_append_printf (text, _ ("No layer ran, seed %s"), seed);
  if (n_timed > 1)
    g_string_append_printf (text, _ (" · fastest of %u times"), n_timed);
  if (counts.n_made_weights > 0)
    {
      g_string_append (text, " · ");
      g_string_append_printf (
          text, ngettext ("%u weight at random", "%u weights at random", counts.n_made_weights),
          counts.n_made_weights);
    }
  if (taken != NULL)
    g_string_append_printf (text, _ (" · took 1 for %s"), taken);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* What it cost besides, and why. */
static char *
describe_planning (ScopeRunBar *self, SymRecord *record)
{
  SymRecordPlanning planning = sym_record_get_planning (record);
  g_autofree char *time = scope_text_milliseconds (planning.milliseconds);

  switch (planning.reason)
    {
    case SYM_RECORD_PLAN_FIRST:
      return scope_document_is_run_of_edited (self->document)
                 ? g_strdup_printf (_ ("Planned again in %s, as the graph has changed"), time)
                 : g_strdup_printf (_ ("Planned in %s, as this was the first run"), time);
    case SYM_RECORD_PLAN_TYPES:
      return g_strdup_printf (_ ("Planned again in %s, as shapes have changed"), time);
    case SYM_RECORD_PLAN_WEIGHTS:
      return g_strdup_printf (_ ("Planned again in %s, as weights have changed"), time);
    case SYM_RECORD_PLAN_OPTIONS:
      return g_strdup_printf (_ ("Planned again in %s, as settings are others"), time);
    case SYM_RECORD_PLAN_KEPT:
    default:
      return g_strdup (_ ("Used the plan of an earlier run"));
    }
}

static char *
describe_kept (SymRecord *record)
{
  SymRecordCounts counts = sym_record_get_counts (record);
  g_autofree char *size = scope_text_bytes (counts.n_kept_bytes);

  if (counts.n_kept >= counts.n_values)
    return g_strdup_printf (
        ngettext ("%u value is kept (%s)", "all %u values are kept (%s)", counts.n_values),
        counts.n_values, size);
  return g_strdup_printf (
      _ ("%u of %u values are kept whole (%s), of all there are statistics; the "
         "rest is computed again when it is looked at"),
      counts.n_kept, counts.n_values, size);
}

static char *
describe_failure (SymRecord *record)
{
  SymModel *model = sym_record_get_model (record);
  guint n_failed;
  SymId call = sym_record_get_first_failure (record, &n_failed);

  if (call == SYM_NO_ID)
    return NULL;
  g_autofree char *layer = scope_text_layer (model, SYM_NO_ID, call);
  const char *why = sym_record_get_failure (record, call);

  if (n_failed == 1)
    return g_strdup_printf (_ ("%s did not run: %s"), layer, why);
  return g_strdup_printf (ngettext ("%s did not run, nor did %u other layer: %s",
                                    "%s did not run, nor did %u other layers: %s", n_failed - 1),
                          layer, n_failed - 1, why);
}

static char *
describe_bad (SymRecord *record)
{
  SymModel *model = sym_record_get_model (record);
  SymId value = sym_record_get_first_bad (record);
  SymStatistics statistics;

  if (value == SYM_NO_ID || !sym_record_get_statistics (record, value, &statistics))
    return NULL;
  g_autofree char *layer = scope_text_layer (model, value, sym_model_get_producer (model, value));

  return g_strdup_printf (statistics.n_nan > 0 ? _ ("%s is the first with NaN")
                                               : _ ("%s is the first with infinite numbers"),
                          layer);
}

/* A plan may hold weights in several forms, each ready for a way to multiply, so that it takes more
 * memory than the model tells of.  NULL when it holds none that an earlier one does not. */
static char *
describe_weights (ScopeRunBar *self, SymRecord *record)
{
  SymTotals totals = sym_summary_get_totals (scope_document_get_summary (self->document));
  guint64 n_bytes = sym_record_get_planning (record).n_bytes;
  g_autofree char *size = scope_text_bytes (n_bytes);
  g_autofree char *plain = scope_text_bytes (totals.bytes);

  if (n_bytes == 0)
    return NULL;
  if (totals.bytes == 0 || !totals.bytes_known || n_bytes <= totals.bytes)
    return g_strdup_printf (_ ("weights take %s of memory"), size);
  return g_strdup_printf (_ ("weights of %s take %s of memory, prepared for speed"), plain, size);
}

/* NULL where there is nothing to tell. */
static char *
describe_memory (ScopeRunBar *self, SymRecord *record)
{
  if (!sym_record_has_run (record))
    return NULL;
  g_autofree char *planning = describe_planning (self, record);
  g_autofree char *kept = describe_kept (record);
  g_autofree char *weights = describe_weights (self, record);

  return weights != NULL ? g_strjoin (" · ", planning, weights, kept, NULL)
                         : g_strjoin (" · ", planning, kept, NULL);
}

static gboolean
lacks_weights (ScopeRunBar *self)
{
  g_autoptr (GArray) missing =
      sym_run_list_missing_weights (scope_document_get_model (self->document));

  return missing->len > 0 && scope_document_can_choose_weights (self->document);
}

static void
show_record (ScopeRunBar *self, SymRecord *record)
{
  g_autofree char *text = describe_run (self, record);
  g_autofree char *details = describe_memory (self, record);
  g_autofree char *failure = describe_failure (record);
  g_autofree char *bad = describe_bad (record);

  set_text (self->text, text);
  set_text (self->details, details);
  set_text (self->failure, failure);
  set_text (self->bad, bad);
  gtk_widget_set_visible (self->failure_box, failure != NULL);
  gtk_widget_set_visible (self->choose, failure != NULL && lacks_weights (self));
  gtk_widget_set_visible (self->bad_box, bad != NULL);
}

static void
show_end (ScopeRunBar *self)
{
  SymRecord *record = scope_document_get_record (self->document);
  const GError *error = scope_document_get_run_error (self->document);
  g_autofree char *sentence = error != NULL ? scope_text_sentence (error->message) : NULL;

  if (record != NULL)
    show_record (self, record);
  if (scope_document_is_run_stopped (self->document))
    set_text (self->text, record != NULL ? _ ("Stopped; numbers are still those of the run before")
                                         : _ ("The run was stopped"));
  else if (record != NULL)
    return;
  else if (error != NULL)
    set_text (self->text, sentence);
  else
    set_text (self->text, _ ("The graph or its shapes have changed since the last run: its results "
                             "are gone"));
}

static gboolean
has_end (ScopeDocument *document)
{
  return scope_document_get_record (document) != NULL ||
         scope_document_get_run_error (document) != NULL ||
         scope_document_is_run_stale (document) || scope_document_is_run_stopped (document);
}

gboolean
scope_run_bar_is_wanted (ScopeDocument *document)
{
  ScopeRunProgress progress;

  return scope_document_get_run_progress (document, &progress) ||
         (has_end (document) && !scope_document_is_run_dismissed (document));
}

static void
show_run (ScopeRunBar *self)
{
  SymRecord *record = scope_document_get_record (self->document);
  gboolean runs = look (self);

  set_text (self->details, NULL);
  gtk_widget_set_visible (self->failure_box, FALSE);
  gtk_widget_set_visible (self->bad_box, FALSE);
  gtk_widget_set_visible (self->bar, runs);
  gtk_widget_set_visible (self->cancel, runs);
  gtk_widget_set_visible (self->close, !runs);
  gtk_widget_set_visible (self->again, !runs);
  gtk_widget_set_visible (self->save, !runs && record != NULL && sym_record_has_run (record));
  gtk_widget_set_visible (GTK_WIDGET (self), scope_run_bar_is_wanted (self->document));
  if (!runs && has_end (self->document))
    show_end (self);
  if (runs && self->source == 0)
    self->source = g_timeout_add (INTERVAL, look_cb, self);
}

static void
document_changed_cb (ScopeRunBar *self, guint changes)
{
  if (changes & SCOPE_CHANGE_RUN)
    show_run (self);
}

/* ---- What can be done ---- */

static void
cancel_cb (ScopeRunBar *self)
{
  scope_document_cancel_run (self->document);
}

static void
close_cb (ScopeRunBar *self)
{
  scope_document_dismiss_run (self->document);
}

static void
show_failure_cb (ScopeRunBar *self)
{
  SymRecord *record = scope_document_get_record (self->document);

  if (record != NULL)
    scope_document_select_call (self->document, sym_record_get_first_failure (record, NULL));
}

static void
show_bad_cb (ScopeRunBar *self)
{
  SymRecord *record = scope_document_get_record (self->document);

  if (record != NULL)
    scope_document_select_value (self->document, sym_record_get_first_bad (record));
}

/* ---- Class ---- */

static void
scope_run_bar_dispose (GObject *object)
{
  ScopeRunBar *self = SCOPE_RUN_BAR (object);

  g_clear_handle_id (&self->source, g_source_remove);
  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->document);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_run_bar_parent_class)->dispose (object);
}

#define BIND(child) gtk_widget_class_bind_template_child (widget_class, ScopeRunBar, child)

static void
scope_run_bar_class_init (ScopeRunBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_run_bar_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  g_type_ensure (SCOPE_TYPE_BESIDE);
  g_type_ensure (SCOPE_TYPE_COLUMN);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-run-bar.ui");
  BIND (box);
  BIND (text);
  BIND (details);
  BIND (bar);
  BIND (failure_box);
  BIND (failure);
  BIND (choose);
  BIND (bad_box);
  BIND (bad);
  BIND (save);
  BIND (again);
  BIND (cancel);
  BIND (close);
  gtk_widget_class_bind_template_callback (widget_class, cancel_cb);
  gtk_widget_class_bind_template_callback (widget_class, close_cb);
  gtk_widget_class_bind_template_callback (widget_class, show_failure_cb);
  gtk_widget_class_bind_template_callback (widget_class, show_bad_cb);
}

static void
scope_run_bar_init (ScopeRunBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  scope_menu_give (self->save, "save_menu");
  scope_menu_hush (self->save);
}

GtkWidget *
scope_run_bar_new (ScopeDocument *document)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (document), NULL);

  ScopeRunBar *self = g_object_new (SCOPE_TYPE_RUN_BAR, NULL);

  self->document = g_object_ref (document);
  g_signal_connect_swapped (document, "changed", G_CALLBACK (document_changed_cb), self);
  show_run (self);
  return GTK_WIDGET (self);
}
