/* SPDX-License-Identifier: MIT */
#include "app/scope-run-dialog.h"

#include <glib/gi18n.h>

#include "app/scope-access.h"
#include "app/scope-bound.h"
#include "app/scope-chooser.h"
#include "app/scope-input-numbers.h"
#include "app/scope-input-row.h"
#include "app/scope-later.h"
#include "app/scope-row-texts.h"
#include "app/scope-text.h"
#include "run/sym-run-weights.h"

#define FIRST_ROWS 8  /* as many as a window shows; each takes milliseconds to make */
#define ROWS_A_TURN 2 /* of the main loop */
#define MAX_ROWS 64   /* a graph that lost its weights' roles may call thousands of things inputs */

struct _ScopeRunDialog {
  AdwWindow parent_instance;

  ScopeDocument *document;
  SymModel *model;                  /* that is asked about */
  GArray *inputs_shown;             /* of SymId: inputs that have a row, or get one */
  GPtrArray *rows;                  /* of ScopeInputRow, borrowed: of the first of them */
  guint adding;                     /* the idle source that makes the others; 0 for none */
  void (*added) (ScopeRunDialog *); /* what waits for all of them; NULL for nothing */
  GArray *rest;                     /* of SymId: inputs without a row, which are random */
  GCancellable *cancellable;        /* of what is prepared; NULL when nothing is */
  ScopeRunWish *wish;               /* that, to be remembered */
  GtkFileChooserNative *chooser;
  GCancellable *search; /* of inputs in a file; NULL while there is none */
  GFile *file;          /* that */
  GArray *found;        /* of SymId: inputs that it has numbers for, while rows are made */

  GtkWidget *run_button;
  GtkWidget *cancel_button;
  GtkWidget *title;
  GtkWidget *spinner;
  GtkWidget *content;
  GtkWidget *message;
  GtkWidget *inputs;
  GtkWidget *rest_label;
  GtkWidget *file_row;
  GtkWidget *weights_row;
  GtkWidget *choose;
  GtkWidget *weights;
  GtkWidget *seed;
};

G_DEFINE_FINAL_TYPE (ScopeRunDialog, scope_run_dialog, ADW_TYPE_WINDOW)

/* ---- What is shown ---- */

static void
show_message (ScopeRunDialog *self, const char *message)
{
  g_autofree char *sentence = message != NULL ? scope_text_sentence (message) : NULL;

  gtk_label_set_text (GTK_LABEL (self->message), sentence != NULL ? sentence : "");
  gtk_widget_set_visible (self->message, message != NULL);
}

/* With what, or NULL for nothing any more. */
static void
show_busy (ScopeRunDialog *self, const char *with)
{
  gboolean is_busy = with != NULL;

  /* An entry that becomes insensitive would keep the focus, and blink on. */
  if (is_busy)
    gtk_widget_grab_focus (self->cancel_button);
  gtk_widget_set_sensitive (self->content, !is_busy);
  gtk_widget_set_sensitive (self->run_button, !is_busy);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), is_busy);
  adw_window_title_set_subtitle (ADW_WINDOW_TITLE (self->title), is_busy ? with : "");
  if (!is_busy)
    gtk_widget_grab_focus (self->run_button);
}

/* None of a graph that was read again: it may have other inputs, and is not run from here. */
static gboolean
is_outdated (ScopeRunDialog *self)
{
  SymInference *inference = scope_document_get_inference (self->document);

  return inference == NULL || sym_inference_get_model (inference) != self->model;
}

static void
add_rows (ScopeRunDialog *self, guint n)
{
  const ScopeRunWish *wish = scope_document_get_run_wish (self->document);
  guint end = is_outdated (self) ? 0 : MIN (self->rows->len + n, self->inputs_shown->len);

  while (self->rows->len < end)
    {
      SymId value = g_array_index (self->inputs_shown, SymId, self->rows->len);
      GtkWidget *row = scope_input_row_new (self->document, value);
      const ScopeInputWish *last = wish != NULL ? scope_run_wish_find (wish, value) : NULL;

      if (last != NULL)
        scope_input_row_set_wish (SCOPE_INPUT_ROW (row), last);
      gtk_list_box_append (GTK_LIST_BOX (self->inputs), row);
      g_ptr_array_add (self->rows, row);
    }
}

/* Calls @func when all rows can be asked: at once, or in a later turn of the main loop. */
static void
when_added (ScopeRunDialog *self, void (*func) (ScopeRunDialog *))
{
  self->added = self->adding != 0 ? func : NULL;
  if (self->adding == 0 && func != NULL)
    func (self);
}

static gboolean
add_rows_cb (gpointer user_data)
{
  ScopeRunDialog *self = user_data;

  add_rows (self, ROWS_A_TURN);
  if (self->rows->len < self->inputs_shown->len && !is_outdated (self))
    return G_SOURCE_CONTINUE;
  self->adding = 0;
  when_added (self, self->added);
  return G_SOURCE_REMOVE;
}

static void
show_inputs (ScopeRunDialog *self)
{
  g_autoptr (GArray) values = scope_run_list_inputs (self->model);
  guint n = MIN (values->len, MAX_ROWS);

  g_array_append_vals (self->inputs_shown, values->data, n);
  g_array_append_vals (self->rest, values->data + n * sizeof (SymId), values->len - n);
  add_rows (self, FIRST_ROWS);
  if (self->rows->len < n)
    self->adding = g_idle_add_full (G_PRIORITY_LOW, add_rows_cb, self, NULL);
  g_autofree char *text = g_strdup_printf (
      ngettext ("%u more input is random", "%u more inputs are random", self->rest->len),
      self->rest->len);

  gtk_label_set_text (GTK_LABEL (self->rest_label), text);
  gtk_widget_set_visible (self->rest_label, self->rest->len > 0);
  gtk_widget_set_visible (self->inputs, values->len > 0);
  gtk_widget_set_visible (self->file_row, values->len > 0);
}

static void
show_weights (ScopeRunDialog *self)
{
  g_autoptr (GArray) missing =
      sym_run_list_missing_weights (scope_document_get_model (self->document));
  g_autofree char *text = g_strdup_printf (
      ngettext ("The file has no numbers for %u weight; without them layers cannot run",
                "The file has no numbers for %u weights; without them layers cannot run",
                missing->len),
      missing->len);

  gtk_widget_set_visible (self->weights_row, missing->len > 0);
  gtk_widget_set_visible (self->choose, scope_document_can_choose_weights (self->document));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->weights_row), text);
}

static void
stop_search (ScopeRunDialog *self)
{
  if (self->search != NULL)
    g_cancellable_cancel (self->search);
  g_clear_object (&self->search);
  g_clear_pointer (&self->found, g_array_unref);
  self->added = NULL;
}

/* A window that goes is not disposed of while what it began refers to it. */
static void
stop (ScopeRunDialog *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  stop_search (self);
  g_clear_handle_id (&self->adding, g_source_remove);
}

static void
leave (ScopeRunDialog *self)
{
  stop (self);
  scope_later_destroy (GTK_WINDOW (self), GTK_LIST_BOX (self->inputs));
}

/* What is asked here is of the graph as it is now: with other weights it is asked again. */
static void
choose_cb (ScopeRunDialog *self)
{
  g_autoptr (GtkWindow) parent = g_object_ref (gtk_window_get_transient_for (GTK_WINDOW (self)));

  leave (self);
  gtk_widget_activate_action (GTK_WIDGET (parent), "win.choose-weights", NULL);
}

/* What was chosen for the last run is what the next one begins with. */
static void
show_last (ScopeRunDialog *self)
{
  const ScopeRunWish *wish = scope_document_get_run_wish (self->document);

  if (wish == NULL)
    return;
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->seed), (double) wish->seed);
  gtk_switch_set_active (GTK_SWITCH (self->weights), wish->makes_weights);
}

/* ---- Inputs from a file ---- */

static void
take_inputs (ScopeRunDialog *self)
{
  show_busy (self, NULL);
  for (guint i = 0; i < self->rows->len; i++)
    {
      ScopeInputWish wish = scope_input_row_get_wish (self->rows->pdata[i]);

      for (guint k = 0; k < self->found->len; k++)
        if (g_array_index (self->found, SymId, k) == wish.value)
          {
            wish.kind = SCOPE_FEED_NUMPY;
            wish.file = self->file;
            scope_input_row_set_wish (self->rows->pdata[i], &wish);
          }
    }
  g_clear_pointer (&self->found, g_array_unref);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ScopeRunDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *lack = NULL;
  g_autoptr (GArray) found = scope_input_numbers_find_finish (result, &lack, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->search);
  show_message (self, found != NULL ? lack : error->message);
  if (found == NULL)
    {
      show_busy (self, NULL);
      return;
    }
  self->found = g_steal_pointer (&found);
  when_added (self, take_inputs);
}

/* Inputs beyond the rows stay random: nobody would see what they are fed with. */
static void
search_file (ScopeRunDialog *self, GFile *file)
{
  g_autoptr (GArray) values = scope_run_list_inputs (scope_document_get_model (self->document));

  if (self->cancellable != NULL || values->len == 0)
    return;
  if (values->len > MAX_ROWS)
    g_array_set_size (values, MAX_ROWS);
  stop_search (self);
  g_set_object (&self->file, file);
  show_message (self, NULL);
  show_busy (self, _ ("Looking for inputs…"));
  self->search = g_cancellable_new ();
  scope_input_numbers_find_async (scope_document_get_model (self->document), values, file,
                                  self->search, found_cb, g_object_ref (self));
}

static void
response_cb (GtkNativeDialog *dialog, int response, ScopeRunDialog *self)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));

  scope_chooser_let_go (&self->chooser, self);
  if (response == GTK_RESPONSE_ACCEPT && file != NULL)
    search_file (self, file);
}

static void
choose_file_cb (ScopeRunDialog *self)
{
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  scope_chooser_let_go (&self->chooser, self);
  self->chooser = scope_chooser_new (_ ("Choose Inputs"), GTK_WINDOW (self),
                                     GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"));
  gtk_file_filter_set_name (filter, _ ("Arrays of NumPy"));
  scope_chooser_add_numpy (filter);
  gtk_file_filter_add_pattern (filter, "manifest.json");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (self->chooser), filter);
  g_signal_connect (self->chooser, "response", G_CALLBACK (response_cb), self);
  scope_later_show (GTK_NATIVE_DIALOG (self->chooser));
}

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, ScopeRunDialog *self)
{
  GSList *files = g_value_get_boxed (value);

  if (files == NULL)
    return FALSE;
  search_file (self, files->data);
  return TRUE;
}

/* ---- Running ---- */

static void
prepared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ScopeRunDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  guint which;
  ScopeRunSetup *setup = scope_run_wish_prepare_finish (result, &which, &error);
  gboolean is_closed = g_cancellable_is_cancelled (self->cancellable);

  g_clear_object (&self->cancellable);
  if (is_closed)
    {
      g_clear_pointer (&setup, scope_run_setup_free);
      return;
    }
  show_busy (self, NULL);
  if (setup != NULL && setup->model == scope_document_get_model (self->document))
    {
      scope_document_take_run_wish (self->document, g_steal_pointer (&self->wish));
      scope_document_run (self->document, setup);
      leave (self);
      return;
    }
  g_clear_pointer (&setup, scope_run_setup_free);
  if (error == NULL)
    show_message (self, _ ("The graph was read again meanwhile"));
  else if (which < self->rows->len)
    scope_input_row_set_message (self->rows->pdata[which], error->message);
  else
    show_message (self, error->message);
}

static void
add_wishes (ScopeRunDialog *self, ScopeRunWish *wish)
{
  for (guint i = 0; i < self->rows->len; i++)
    {
      ScopeInputWish input = scope_input_row_get_wish (self->rows->pdata[i]);

      scope_input_row_set_message (self->rows->pdata[i], NULL);
      scope_run_wish_add (wish, &input);
    }
  for (guint i = 0; i < self->rest->len; i++)
    {
      ScopeInputWish input = { .value = g_array_index (self->rest, SymId, i) };

      scope_run_wish_add (wish, &input);
    }
}

static void
prepare (ScopeRunDialog *self)
{
  ScopeRunWish *wish = scope_run_wish_new (scope_document_get_state (self->document));

  wish->seed = (guint64) gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->seed));
  wish->makes_weights = gtk_widget_get_visible (self->weights_row) &&
                        gtk_switch_get_active (GTK_SWITCH (self->weights));
  add_wishes (self, wish);
  g_clear_pointer (&self->wish, scope_run_wish_free);
  self->wish = scope_run_wish_remember (wish);
  scope_run_wish_prepare_async (wish, self->cancellable, prepared_cb, g_object_ref (self));
}

void
scope_run_dialog_run (ScopeRunDialog *self)
{
  g_return_if_fail (SCOPE_IS_RUN_DIALOG (self));

  if (self->cancellable != NULL || self->search != NULL || self->added != NULL)
    return;
  gtk_spin_button_update (GTK_SPIN_BUTTON (self->seed));
  show_message (self, NULL);
  show_busy (self, _ ("Making inputs…"));
  self->cancellable = g_cancellable_new ();
  when_added (self, prepare);
}

/* The key that opened it goes on. */
static gboolean
key_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  scope_run_dialog_run (SCOPE_RUN_DIALOG (widget));
  return GDK_EVENT_STOP;
}

static void
run_cb (ScopeRunDialog *self)
{
  scope_run_dialog_run (self);
}

static void
cancel_cb (ScopeRunDialog *self)
{
  gtk_window_close (GTK_WINDOW (self));
}

/* ---- Class ---- */

static gboolean
scope_run_dialog_close_request (GtkWindow *window)
{
  leave (SCOPE_RUN_DIALOG (window));
  return TRUE;
}

/* GTK 4.8 would not know when its parent is gone before it. */
static void
scope_run_dialog_unrealize (GtkWidget *widget)
{
  stop (SCOPE_RUN_DIALOG (widget));
  GTK_WIDGET_CLASS (scope_run_dialog_parent_class)->unrealize (widget);
  gtk_window_set_transient_for (GTK_WINDOW (widget), NULL);
}

static void
scope_run_dialog_dispose (GObject *object)
{
  ScopeRunDialog *self = SCOPE_RUN_DIALOG (object);

  g_clear_handle_id (&self->adding, g_source_remove);
  scope_chooser_let_go (&self->chooser, self);
  G_OBJECT_CLASS (scope_run_dialog_parent_class)->dispose (object);
}

static void
scope_run_dialog_finalize (GObject *object)
{
  ScopeRunDialog *self = SCOPE_RUN_DIALOG (object);

  g_clear_object (&self->cancellable);
  g_clear_object (&self->document);
  g_clear_object (&self->file);
  g_clear_pointer (&self->found, g_array_unref);
  g_clear_pointer (&self->wish, scope_run_wish_free);
  g_clear_pointer (&self->model, sym_model_unref);
  g_array_unref (self->inputs_shown);
  g_ptr_array_unref (self->rows);
  g_array_unref (self->rest);
  G_OBJECT_CLASS (scope_run_dialog_parent_class)->finalize (object);
}

#define BIND(child) gtk_widget_class_bind_template_child (widget_class, ScopeRunDialog, child)

static void
scope_run_dialog_class_init (ScopeRunDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->unrealize = scope_run_dialog_unrealize;
  GTK_WINDOW_CLASS (klass)->close_request = scope_run_dialog_close_request;
  G_OBJECT_CLASS (klass)->dispose = scope_run_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = scope_run_dialog_finalize;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-run-dialog.ui");
  BIND (run_button);
  BIND (cancel_button);
  BIND (title);
  BIND (spinner);
  BIND (content);
  BIND (message);
  BIND (inputs);
  BIND (file_row);
  BIND (weights_row);
  BIND (choose);
  BIND (weights);
  BIND (seed);
  gtk_widget_class_bind_template_child_full (widget_class, "rest", FALSE,
                                             G_STRUCT_OFFSET (ScopeRunDialog, rest_label));
  gtk_widget_class_bind_template_callback (widget_class, choose_cb);
  gtk_widget_class_bind_template_callback (widget_class, choose_file_cb);
  gtk_widget_class_bind_template_callback (widget_class, run_cb);
  gtk_widget_class_bind_template_callback (widget_class, cancel_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_F5, 0, key_cb, NULL);
}

static void
scope_run_dialog_init (ScopeRunDialog *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  self->inputs_shown = g_array_new (FALSE, FALSE, sizeof (SymId));
  self->rows = g_ptr_array_new ();
  self->rest = g_array_new (FALSE, FALSE, sizeof (SymId));
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (target, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
  gtk_widget_add_css_class (GTK_WIDGET (self), "takes-files");
}

ScopeRunDialog *
scope_run_dialog_new (GtkWindow *parent, ScopeDocument *document)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (document), NULL);

  ScopeRunDialog *self = g_object_new (SCOPE_TYPE_RUN_DIALOG, "transient-for", parent, NULL);

  scope_bound (GTK_WINDOW (self), parent);
  self->document = g_object_ref (document);
  self->model = sym_model_ref (scope_document_get_model (document));
  show_inputs (self);
  show_weights (self);
  show_last (self);
  scope_access_tell_rows (self->content);
  scope_row_texts_lay_out (self->content);
  gtk_widget_grab_focus (self->run_button);
  return self;
}
