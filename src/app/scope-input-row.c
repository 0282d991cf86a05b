/* SPDX-License-Identifier: MIT */
#include "app/scope-input-row.h"

#include <glib/gi18n.h>

#include "app/scope-access.h"
#include "app/scope-chooser.h"
#include "app/scope-direction.h"
#include "app/scope-elided.h"
#include "app/scope-file-name.h"
#include "app/scope-later.h"
#include "app/scope-shape-text.h"
#include "app/scope-text.h"
#include "app/scope-tip.h"

struct _ScopeInputRow {
  GtkListBoxRow parent_instance;

  SymId value;
  GFile *files[SCOPE_N_FEED_KINDS]; /* chosen for each kind */
  GtkFileChooserNative *chooser;

  GtkWidget *name;
  GtkWidget *type;
  GtkWidget *kind;
  GtkWidget *file_box;
  GtkWidget *file_button;
  GtkWidget *file_name;
  GtkWidget *range;
  GtkWidget *shape_box;
  GtkWidget *shape;
  GtkWidget *message;
};

G_DEFINE_FINAL_TYPE (ScopeInputRow, scope_input_row, GTK_TYPE_LIST_BOX_ROW)

static const char *const kind_titles[] = {
  [SCOPE_FEED_RANDOM] = N_ ("Random"),   [SCOPE_FEED_ZEROS] = N_ ("Zeros"),
  [SCOPE_FEED_ONES] = N_ ("Ones"),       [SCOPE_FEED_NUMPY] = N_ ("NumPy File"),
  [SCOPE_FEED_PICTURE] = N_ ("Picture"),
};

static const char *const range_titles[] = {
  [SYM_PICTURE_UNIT] = N_ ("0 to 1"),
  [SYM_PICTURE_IMAGENET] = N_ ("ImageNet mean and deviation"),
  [SYM_PICTURE_BYTE] = N_ ("0 to 255"),
  [SYM_PICTURE_SIGNED] = N_ ("−1 to 1"),
};

static ScopeFeedKind
get_kind (ScopeInputRow *self)
{
  return (ScopeFeedKind) gtk_drop_down_get_selected (GTK_DROP_DOWN (self->kind));
}

static gboolean
needs_file (ScopeFeedKind kind)
{
  return kind == SCOPE_FEED_NUMPY || kind == SCOPE_FEED_PICTURE;
}

static void
show_file (ScopeInputRow *self)
{
  ScopeFeedKind kind = get_kind (self);
  GFile *file = kind < SCOPE_N_FEED_KINDS ? self->files[kind] : NULL;
  g_autofree char *name = file != NULL ? scope_file_name (file) : NULL;
  g_autofree char *path = file != NULL ? scope_file_address (file) : NULL;

  gtk_label_set_text (GTK_LABEL (self->file_name), name != NULL ? name : _ ("Choose File…"));
  scope_tip_set (self->file_button, path);
}

static void
kind_changed_cb (ScopeInputRow *self)
{
  ScopeFeedKind kind = get_kind (self);

  gtk_widget_set_visible (self->file_box, needs_file (kind));
  gtk_widget_set_visible (self->range, kind == SCOPE_FEED_PICTURE);
  /* The shape of numbers in a file is that of the file. */
  gtk_widget_set_visible (self->shape_box, kind != SCOPE_FEED_NUMPY);
  show_file (self);
  scope_input_row_set_message (self, NULL);
}

static void
shape_changed_cb (ScopeInputRow *self)
{
  scope_input_row_set_message (self, NULL);
}

/* ---- Files ---- */

static void
response_cb (GtkNativeDialog *dialog, int response, ScopeInputRow *self)
{
  ScopeFeedKind kind = get_kind (self);

  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_clear_object (&self->files[kind]);
      self->files[kind] = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
      show_file (self);
      scope_input_row_set_message (self, NULL);
    }
  scope_chooser_let_go (&self->chooser, self);
}

static void
add_filter (GtkFileChooser *chooser, ScopeFeedKind kind)
{
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, _ (kind_titles[kind]));
  if (kind == SCOPE_FEED_PICTURE)
    gtk_file_filter_add_pixbuf_formats (filter);
  else
    scope_chooser_add_numpy (filter);
  gtk_file_chooser_add_filter (chooser, filter);
}

static void
choose_file_cb (ScopeInputRow *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  scope_chooser_let_go (&self->chooser, self);
  self->chooser = scope_chooser_new (_ ("Choose Numbers"), GTK_WINDOW (root),
                                     GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"));
  add_filter (GTK_FILE_CHOOSER (self->chooser), get_kind (self));
  g_signal_connect (self->chooser, "response", G_CALLBACK (response_cb), self);
  scope_later_show (GTK_NATIVE_DIALOG (self->chooser));
}

/* ---- Class ---- */

static void
scope_input_row_dispose (GObject *object)
{
  ScopeInputRow *self = SCOPE_INPUT_ROW (object);

  scope_chooser_let_go (&self->chooser, self);
  for (guint i = 0; i < SCOPE_N_FEED_KINDS; i++)
    g_clear_object (&self->files[i]);
  G_OBJECT_CLASS (scope_input_row_parent_class)->dispose (object);
}

#define BIND(child) gtk_widget_class_bind_template_child (widget_class, ScopeInputRow, child)

static void
scope_input_row_class_init (ScopeInputRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_input_row_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-input-row.ui");
  BIND (name);
  BIND (type);
  BIND (kind);
  BIND (file_box);
  BIND (file_button);
  BIND (file_name);
  BIND (range);
  BIND (shape_box);
  BIND (shape);
  BIND (message);
  gtk_widget_class_bind_template_callback (widget_class, kind_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, shape_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, choose_file_cb);
}

static void
set_titles (GtkWidget *drop_down, const char *const *titles, guint n)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  for (guint i = 0; i < n; i++)
    gtk_string_list_append (list, _ (titles[i]));
  gtk_drop_down_set_model (GTK_DROP_DOWN (drop_down), G_LIST_MODEL (list));
}

static void
scope_input_row_init (ScopeInputRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  scope_direction_keep (self->type);
  scope_direction_keep_entry (GTK_ENTRY (self->shape));
  scope_elided_tell (self->name);
  set_titles (self->range, range_titles, SYM_N_PICTURE_RANGES);
  scope_access_name_choice (self->range, _ ("What colours become"));
}

static void
show_input (ScopeInputRow *self, ScopeDocument *document)
{
  SymInference *inference = scope_document_get_inference (document);
  const char *name = scope_text_name (sym_inference_get_model (inference), self->value);
  SymShape shape = sym_inference_get_type (inference, self->value).shape;
  g_autofree char *shape_text = scope_text_shape (inference, self->value);
  const char *dtype = scope_text_dtype (inference, self->value);
  g_autofree char *type =
      dtype != NULL ? g_strdup_printf ("%s · %s", dtype, shape_text) : g_strdup (shape_text);
  g_autofree char *suggestion = scope_shape_text_suggest (&shape);
  g_autofree char *accessible_name = g_strdup_printf (_ ("Shape of %s"), name);
  g_autofree char *numbers_name = g_strdup_printf (_ ("Numbers of %s"), name);
  const char *example = suggestion != NULL ? suggestion : _ ("shape, such as 1,3,224,224");
  SymPictureAxes axes;
  gboolean takes_picture = sym_run_picture_fits (&shape, &axes);

  gtk_label_set_text (GTK_LABEL (self->name), name);
  gtk_label_set_text (GTK_LABEL (self->type), type);
  set_titles (self->kind, kind_titles,
              takes_picture ? SCOPE_N_FEED_KINDS : (guint) SCOPE_FEED_PICTURE);
  /* Integers hold nothing below 1. */
  if (!sym_dtype_is_floating (sym_inference_get_type (inference, self->value).dtype))
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->range), SYM_PICTURE_BYTE);
  /* What a run takes unless it is told otherwise. */
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->shape), example);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->shape), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  accessible_name, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, example,
                                  -1);
  scope_access_name (GTK_WIDGET (self), name);
  scope_access_name_choice (self->kind, numbers_name);
}

GtkWidget *
scope_input_row_new (ScopeDocument *document, SymId value)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (document), NULL);

  ScopeInputRow *self = g_object_new (SCOPE_TYPE_INPUT_ROW, NULL);

  self->value = value;
  show_input (self, document);
  return GTK_WIDGET (self);
}

ScopeInputWish
scope_input_row_get_wish (ScopeInputRow *self)
{
  ScopeInputWish wish = { .value = SYM_NO_ID };

  g_return_val_if_fail (SCOPE_IS_INPUT_ROW (self), wish);

  wish.value = self->value;
  wish.kind = get_kind (self);
  wish.file = self->files[wish.kind];
  wish.range = (SymPictureRange) gtk_drop_down_get_selected (GTK_DROP_DOWN (self->range));
  if (wish.kind != SCOPE_FEED_NUMPY)
    wish.shape = (char *) gtk_editable_get_text (GTK_EDITABLE (self->shape));
  return wish;
}

void
scope_input_row_set_wish (ScopeInputRow *self, const ScopeInputWish *wish)
{
  GListModel *kinds;

  g_return_if_fail (SCOPE_IS_INPUT_ROW (self) && wish != NULL);

  kinds = gtk_drop_down_get_model (GTK_DROP_DOWN (self->kind));
  if (wish->kind >= g_list_model_get_n_items (kinds))
    return;
  g_set_object (&self->files[wish->kind], wish->file);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->range), wish->range);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->kind), wish->kind);
  gtk_editable_set_text (GTK_EDITABLE (self->shape), wish->shape != NULL ? wish->shape : "");
  show_file (self);
}

void
scope_input_row_set_message (ScopeInputRow *self, const char *message)
{
  g_return_if_fail (SCOPE_IS_INPUT_ROW (self));

  g_autofree char *sentence = message != NULL ? scope_text_sentence (message) : NULL;

  gtk_label_set_text (GTK_LABEL (self->message), sentence != NULL ? sentence : "");
  gtk_widget_set_visible (self->message, message != NULL);
  gtk_accessible_update_state (
      GTK_ACCESSIBLE (self->kind), GTK_ACCESSIBLE_STATE_INVALID,
      message != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}
