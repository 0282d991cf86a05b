/* SPDX-License-Identifier: MIT */
#include "app/scope-numbers.h"

#include <glib/gi18n.h>

#include "app/scope-access.h"
#include "app/scope-chooser.h"
#include "app/scope-direction.h"
#include "app/scope-histogram.h"
#include "app/scope-later.h"
#include "app/scope-maps.h"
#include "app/scope-number-facts.h"
#include "app/scope-release.h"
#include "app/scope-section.h"
#include "app/scope-table.h"
#include "app/scope-text.h"
#include "app/scope-value.h"
#include "core/sym-problem-lack.h"

#define MAX_PICTURE_BYTES (64 << 20) /* more is turned into pictures only when asked to */
#define MAPS_MARGIN 6                /* pixels */

struct _ScopeNumbers {
  GtkWidget parent_instance;

  SymModel *model;
  SymRecord *record;
  const char *reason; /* why there is no record */
  SymId value, call;
  GArray *values; /* of SymId: those to choose from */
  ScopeValue shown;
  SymStatistics *statistics; /* NULL until they are there */
  GCancellable *cancellable; /* of what is measured or loaded */
  GtkFileChooserNative *chooser;
  gboolean is_syncing;
  gboolean is_made; /* the model is in no file */

  GtkWidget *box;
  GtkWidget *title;
  GtkWidget *which;
  GtkWidget *message;
  GtkWidget *choose;
  GtkWidget *there;
  GtkWidget *spread;
  GtkWidget *histogram;
  GtkWidget *low;
  GtkWidget *high;
  ScopeSection *facts;
  GtkWidget *table;
  GtkWidget *save;
  GtkWidget *load;
  GtkWidget *maps; /* NULL until there are some */
  SymTheme theme;
};

G_DEFINE_FINAL_TYPE (ScopeNumbers, scope_numbers, GTK_TYPE_WIDGET)

static void
show_message (ScopeNumbers *self, const char *text)
{
  g_autofree char *sentence = text != NULL ? scope_text_sentence (text) : NULL;

  gtk_label_set_text (GTK_LABEL (self->message), sentence != NULL ? sentence : "");
  gtk_widget_set_visible (self->message, text != NULL);
}

/* ---- Statistics ---- */

static void
show_statistics (ScopeNumbers *self)
{
  const SymStatistics *statistics = self->statistics;
  gboolean has_finite =
      statistics != NULL && statistics->n_elements > statistics->n_nan + statistics->n_infinite;

  scope_section_clear (self->facts);
  gtk_widget_set_visible (self->spread, has_finite);
  if (statistics != NULL)
    {
      g_autofree char *low = scope_text_number (statistics->first_edge);
      g_autofree char *high = scope_text_number (statistics->last_edge);

      scope_histogram_set_statistics (SCOPE_HISTOGRAM (self->histogram), statistics);
      gtk_label_set_text (GTK_LABEL (self->low), low);
      gtk_label_set_text (GTK_LABEL (self->high), high);
    }
  scope_number_facts_add (self->facts, self->model, self->record, &self->shown, statistics);
}

/* ---- Pictures ---- */

/* A cancelled one was replaced, or its widget is gone. */
/* Below the button that asks for them. */
static void
show_maps (ScopeNumbers *self, SymDatum *datum)
{
  if (self->maps == NULL)
    {
      self->maps = g_object_new (SCOPE_TYPE_MAPS, "margin-top", MAPS_MARGIN, NULL);
      scope_maps_set_theme (SCOPE_MAPS (self->maps), self->theme);
      gtk_box_insert_child_after (GTK_BOX (gtk_widget_get_parent (self->load)), self->maps,
                                  self->load);
    }
  scope_maps_set_datum (SCOPE_MAPS (self->maps), datum, self->statistics->min,
                        self->statistics->max);
}

static void
hide_maps (ScopeNumbers *self)
{
  if (self->maps != NULL)
    scope_maps_set_datum (SCOPE_MAPS (self->maps), NULL, 0, 0);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ScopeNumbers) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (SymDatum) datum = scope_value_load_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  show_message (self, error != NULL ? error->message : NULL);
  gtk_widget_set_sensitive (self->load, TRUE);
  if (datum == NULL || self->statistics == NULL)
    return;
  gtk_widget_set_visible (self->load, FALSE);
  show_maps (self, datum);
}

static void
load_cb (ScopeNumbers *self)
{
  if (!scope_value_is_at_hand (&self->shown))
    show_message (self, _ ("Computing it again…"));
  gtk_widget_set_sensitive (self->load, FALSE);
  scope_value_load_async (&self->shown, self->cancellable, loaded_cb, g_object_ref (self));
}

static void
show_pictures (ScopeNumbers *self)
{
  SymType type = scope_value_get_type (&self->shown);
  guint64 n = 0, n_bytes = 0;
  gboolean has_maps = self->statistics != NULL && type.kind == SYM_KIND_TENSOR &&
                      scope_maps_has (&type.shape) && sym_shape_get_n_elements (&type.shape, &n) &&
                      sym_dtype_get_size (type.dtype, n, &n_bytes);

  hide_maps (self);
  gtk_widget_set_visible (self->load, has_maps);
  gtk_widget_set_sensitive (self->load, TRUE);
  if (has_maps && n_bytes <= MAX_PICTURE_BYTES && scope_value_is_at_hand (&self->shown))
    load_cb (self);
}

/* ---- The value ---- */

static void
measured_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ScopeNumbers) self = user_data;
  g_autoptr (GError) error = NULL;
  SymStatistics *statistics = scope_value_measure_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_pointer (&self->statistics, g_free);
  self->statistics = statistics;
  show_message (self, error != NULL ? error->message : NULL);
  show_statistics (self);
  show_pictures (self);
}

static void
stop (ScopeNumbers *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

static gboolean
is_missing_weight (ScopeNumbers *self, SymId value)
{
  const SymIoFormat *format = sym_io_get_model_format (self->model);

  return value != SYM_NO_ID && format != NULL && sym_io_format_takes_weights (format) &&
         !scope_value_is_there (&self->shown) &&
         !sym_role_is_data (sym_model_get_role (self->model, value));
}

static char *
explain_lack (ScopeNumbers *self, SymId value)
{
  const char *own = sym_model_get_lack (self->model, value);
  const char *lack =
      own != NULL ? own : sym_problems_get_lack (sym_model_get_problems (self->model));

  return lack == NULL ? g_strdup (_ ("The file has no numbers for it"))
                      : g_strdup_printf (_ ("The file has no numbers for it: %s"), lack);
}

static char *
explain_nothing (ScopeNumbers *self, SymId value)
{
  SymId maker = value != SYM_NO_ID ? sym_model_get_producer (self->model, value) : self->call;
  const char *failure = self->record != NULL && maker != SYM_NO_ID
                            ? sym_record_get_failure (self->record, maker)
                            : NULL;

  if (failure != NULL)
    return g_strdup (failure);
  if (value != SYM_NO_ID && !sym_role_is_data (sym_model_get_role (self->model, value)))
    return explain_lack (self, value);
  if (self->record == NULL && self->reason != NULL)
    return g_strdup (self->reason);
  return g_strdup (self->record != NULL ? _ ("It was not computed in the last run")
                                        : _ ("Run the graph (F5) to see its numbers"));
}

static void
show_title (ScopeNumbers *self)
{
  const char *text = _ ("Numbers");

  if (self->shown.tensor != NULL)
    text = self->is_made ? _ ("Numbers Made for the Layer") : _ ("Numbers in the File");
  else if (self->shown.record != NULL)
    text = _ ("Numbers of the Last Run");
  gtk_label_set_text (GTK_LABEL (self->title), text);
}

static SymId
get_chosen (ScopeNumbers *self)
{
  guint i = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->which));

  return i < self->values->len ? g_array_index (self->values, SymId, i) : SYM_NO_ID;
}

static void
show_value (ScopeNumbers *self)
{
  SymId value = get_chosen (self);

  stop (self);
  g_clear_pointer (&self->statistics, g_free);
  scope_value_clear (&self->shown);
  self->shown = scope_value_find (self->model, self->record, value);
  show_title (self);
  gtk_widget_set_visible (self->there, scope_value_is_there (&self->shown));
  gtk_widget_set_visible (self->choose, is_missing_weight (self, value));
  if (!scope_value_is_there (&self->shown))
    {
      g_autofree char *why = explain_nothing (self, value);

      show_message (self, why);
      return;
    }
  gboolean is_tensor = scope_value_get_type (&self->shown).kind == SYM_KIND_TENSOR;

  gtk_widget_set_sensitive (self->table, is_tensor);
  gtk_widget_set_sensitive (self->save, is_tensor);
  self->cancellable = g_cancellable_new ();
  show_message (self, self->shown.tensor != NULL ? _ ("Reading…") : NULL);
  gtk_widget_set_visible (self->spread, FALSE);
  gtk_widget_set_visible (self->load, FALSE);
  hide_maps (self);
  scope_section_clear (self->facts);
  scope_value_measure_async (&self->shown, self->cancellable, measured_cb, g_object_ref (self));
}

static void
which_changed_cb (ScopeNumbers *self)
{
  if (!self->is_syncing)
    show_value (self);
}

/* ---- Table and file ---- */

static char *
get_name (ScopeNumbers *self)
{
  return g_strdup (scope_text_name (self->model, self->shown.value));
}

static void
table_cb (ScopeNumbers *self)
{
  g_autofree char *name = get_name (self);

  gtk_window_present (GTK_WINDOW (
      scope_table_new (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), &self->shown, name)));
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ScopeNumbers) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean is_done = scope_value_save_finish (result, &error);
  g_autofree char *text =
      is_done ? g_strdup (_ ("Saved")) : g_strdup_printf (_ ("Not saved: %s"), error->message);

  if (self->box == NULL)
    return;
  gtk_widget_set_sensitive (self->save, TRUE);
  show_message (self, text);
}

static void
save_response_cb (GtkNativeDialog *dialog, int response, ScopeNumbers *self)
{
  g_autoptr (GFile) file = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  if (file != NULL && scope_value_is_there (&self->shown))
    {
      gtk_widget_set_sensitive (self->save, FALSE);
      show_message (self, _ ("Saving…"));
      scope_value_save_async (&self->shown, file, NULL, saved_cb, g_object_ref (self));
    }
  scope_chooser_let_go (&self->chooser, self);
}

/* Names of values are often paths. */
static char *
suggest_name (ScopeNumbers *self)
{
  g_autofree char *name = get_name (self);

  g_strdelimit (name, "/\\:", '_');
  return g_strconcat (name, ".npy", NULL);
}

static void
save_cb (ScopeNumbers *self)
{
  g_autofree char *name = suggest_name (self);

  scope_chooser_let_go (&self->chooser, self);
  self->chooser = scope_chooser_new (_ ("Save Numbers as .npy"),
                                     GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))),
                                     GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"));
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (self->chooser), name);
  g_signal_connect (self->chooser, "response", G_CALLBACK (save_response_cb), self);
  scope_later_show (GTK_NATIVE_DIALOG (self->chooser));
}

/* ---- Class ---- */

static void
scope_numbers_dispose (GObject *object)
{
  ScopeNumbers *self = SCOPE_NUMBERS (object);

  stop (self);
  scope_chooser_let_go (&self->chooser, self);
  g_clear_pointer (&self->statistics, g_free);
  scope_value_clear (&self->shown);
  scope_release (g_steal_pointer (&self->model), (GDestroyNotify) sym_model_unref);
  scope_release (g_steal_pointer (&self->record), (GDestroyNotify) sym_record_unref);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_numbers_parent_class)->dispose (object);
}

static void
scope_numbers_finalize (GObject *object)
{
  g_array_unref (SCOPE_NUMBERS (object)->values);
  G_OBJECT_CLASS (scope_numbers_parent_class)->finalize (object);
}

#define BIND(child) gtk_widget_class_bind_template_child (widget_class, ScopeNumbers, child)

static void
scope_numbers_class_init (ScopeNumbersClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (SCOPE_TYPE_HISTOGRAM);
  G_OBJECT_CLASS (klass)->dispose = scope_numbers_dispose;
  G_OBJECT_CLASS (klass)->finalize = scope_numbers_finalize;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-numbers.ui");
  BIND (box);
  BIND (title);
  BIND (which);
  BIND (message);
  BIND (choose);
  BIND (there);
  BIND (spread);
  BIND (histogram);
  BIND (low);
  BIND (high);
  BIND (facts);
  BIND (table);
  BIND (save);
  BIND (load);
  gtk_widget_class_bind_template_callback (widget_class, which_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, table_cb);
  gtk_widget_class_bind_template_callback (widget_class, save_cb);
  gtk_widget_class_bind_template_callback (widget_class, load_cb);
}

static void
scope_numbers_init (ScopeNumbers *self)
{
  self->value = self->call = SYM_NO_ID;
  self->values = g_array_new (FALSE, FALSE, sizeof (SymId));
  self->is_syncing = TRUE;
  g_type_ensure (SCOPE_TYPE_SECTION);
  gtk_widget_init_template (GTK_WIDGET (self));
  scope_direction_keep_all (self->spread);
  scope_access_name_choice (self->which, _ ("Whose numbers"));
  self->is_syncing = FALSE;
}

/* ---- What there is to choose from ---- */

/* The value, and the weights of its layer. */
static void
collect_values (ScopeNumbers *self)
{
  SymIds operands = { NULL, 0 };

  g_array_set_size (self->values, 0);
  if (self->value != SYM_NO_ID)
    g_array_append_val (self->values, self->value);
  if (self->call != SYM_NO_ID)
    operands = sym_model_get_operands (self->model, self->call);
  for (guint i = 0; i < MIN (operands.n, SCOPE_SECTION_MAX); i++)
    if (operands.ids[i] != SYM_NO_ID &&
        !sym_role_is_data (sym_model_get_role (self->model, operands.ids[i])))
      g_array_append_val (self->values, operands.ids[i]);
}

static guint
find_choice (ScopeNumbers *self, SymId value)
{
  for (guint i = 0; i < self->values->len; i++)
    if (g_array_index (self->values, SymId, i) == value)
      return i;
  return G_MAXUINT;
}

/* What has numbers goes before what has none. */
static guint
choose_first (ScopeNumbers *self)
{
  for (guint i = 0; i < self->values->len; i++)
    {
      ScopeValue value =
          scope_value_find (self->model, self->record, g_array_index (self->values, SymId, i));
      gboolean is_there = scope_value_is_there (&value);

      scope_value_clear (&value);
      if (is_there)
        return i;
    }
  return 0;
}

static void
set_titles (ScopeNumbers *self)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  for (guint i = 0; i < self->values->len; i++)
    gtk_string_list_append (titles,
                            scope_text_name (self->model, g_array_index (self->values, SymId, i)));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->which), G_LIST_MODEL (titles));
  gtk_widget_set_visible (self->which, self->values->len > 1);
}

void
scope_numbers_show (ScopeNumbers *self,
                    SymModel *model,
                    SymRecord *record,
                    const char *reason,
                    SymId value,
                    SymId call)
{
  g_return_if_fail (SCOPE_IS_NUMBERS (self) && model != NULL);

  gboolean is_same = model == self->model && value == self->value && call == self->call &&
                     record == self->record && g_strcmp0 (reason, self->reason) == 0;

  if (is_same && get_chosen (self) != SYM_NO_ID)
    return;
  sym_model_ref (model);
  scope_release (g_steal_pointer (&self->model), (GDestroyNotify) sym_model_unref);
  self->model = model;
  if (record != NULL)
    sym_record_ref (record);
  scope_release (g_steal_pointer (&self->record), (GDestroyNotify) sym_record_unref);
  self->record = record;
  self->reason = reason;
  self->value = value;
  self->call = call;
  collect_values (self);
  self->is_syncing = TRUE;
  set_titles (self);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->which), choose_first (self));
  self->is_syncing = FALSE;
  gtk_widget_set_visible (GTK_WIDGET (self), self->values->len > 0);
  show_value (self);
}

void
scope_numbers_choose (ScopeNumbers *self, SymId value)
{
  g_return_if_fail (SCOPE_IS_NUMBERS (self));

  guint choice = find_choice (self, value);

  if (choice != G_MAXUINT)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->which), choice);
}

void
scope_numbers_set_theme (ScopeNumbers *self, SymTheme theme)
{
  g_return_if_fail (SCOPE_IS_NUMBERS (self));

  self->theme = theme;
  if (self->maps != NULL)
    scope_maps_set_theme (SCOPE_MAPS (self->maps), theme);
}

void
scope_numbers_set_made (ScopeNumbers *self, gboolean is_made)
{
  g_return_if_fail (SCOPE_IS_NUMBERS (self));

  self->is_made = is_made;
}
