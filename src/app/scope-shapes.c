/* SPDX-License-Identifier: MIT */
#include "app/scope-shapes.h"

#include <glib/gi18n.h>

#include "app/scope-direction.h"
#include "app/scope-elided.h"
#include "app/scope-shape-text.h"
#include "app/scope-text.h"
#include "app/scope-wrapped.h"

/* A decoder has two for each layer's past; a graph that lost its weights' roles may call thousands
 * of things inputs. */
#define MAX_ENTRIES 256
#define FEW 4     /* entries that need no scrolling */
#define PAUSE 250 /* milliseconds after the last key until it counts */

struct _ScopeShapes {
  GtkWidget parent_instance;

  ScopeDocument *document;
  guint pause; /* source, 0 for none */
  gboolean is_syncing;
  gboolean is_applying; /* entries show what is not yet in the document */

  GtkWidget *box;
  GtkWidget *grid;
  GtkWidget *scroller;
  GtkWidget *message;
  GPtrArray *entries; /* borrowed; in order of the inputs */
};

G_DEFINE_FINAL_TYPE (ScopeShapes, scope_shapes, GTK_TYPE_WIDGET)

static SymId
get_value (ScopeShapes *self, guint i)
{
  return sym_model_get_inputs (scope_document_get_model (self->document)).ids[i];
}

static void
set_error (GtkWidget *entry, gboolean is_wrong)
{
  if (is_wrong)
    gtk_widget_add_css_class (entry, "error");
  else
    gtk_widget_remove_css_class (entry, "error");
  gtk_accessible_update_state (
      GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_STATE_INVALID,
      is_wrong ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}

/* A wrong shape, a wrong text or the first contradiction: one line, in place. */
static void
show_message (ScopeShapes *self, const char *text)
{
  gtk_label_set_text (GTK_LABEL (self->message), text != NULL ? text : "");
  gtk_widget_set_visible (self->message, text != NULL);
}

static void
show_inference_message (ScopeShapes *self)
{
  const GError *error = scope_document_get_shape_error (self->document);
  SymInference *inference = scope_document_get_inference (self->document);
  const SymProblems *problems = inference != NULL ? sym_inference_get_problems (inference) : NULL;

  if (error != NULL)
    show_message (self, error->message);
  else if (problems != NULL && sym_problems_get_n (problems) > 0)
    show_message (self, sym_problems_get (problems, 0)->message);
  else
    show_message (self, NULL);
}

static gboolean
is_same (const char *text, const char *other)
{
  g_autofree char *tidied = *text != '\0' ? scope_shape_text_tidy (text) : NULL;
  g_autofree char *other_tidied = *other != '\0' ? scope_shape_text_tidy (other) : NULL;

  return g_str_equal (text, other) || (tidied != NULL && g_strcmp0 (tidied, other_tidied) == 0);
}

/* Takes over what an entry says that reads otherwise than the document.  FALSE, with what is wrong,
 * when that is no shape. */
static gboolean
apply_entry (ScopeShapes *self, guint i, GError **error)
{
  GtkWidget *entry = g_ptr_array_index (self->entries, i);
  const char *text = gtk_editable_get_text (GTK_EDITABLE (entry));
  const char *known =
      scope_state_get_shape_text (scope_document_get_state (self->document), get_value (self, i));
  gboolean is_shape =
      is_same (text, known != NULL ? known : "") ||
      scope_document_set_shape_text (self->document, get_value (self, i), text, error);

  set_error (entry, !is_shape);
  return is_shape;
}

/* Takes over what the entries say.  FALSE when one of them is no shape.  The document tells of each
 * step at once, while the entries after that one have yet to be read. */
static gboolean
apply (ScopeShapes *self)
{
  gboolean is_right = TRUE;

  self->is_applying = TRUE;
  for (guint i = 0; i < self->entries->len; i++)
    {
      g_autoptr (GError) error = NULL;
      gboolean is_shape = apply_entry (self, i, &error);

      if (!is_shape && is_right)
        show_message (self, error->message);
      is_right = is_right && is_shape;
    }
  self->is_applying = FALSE;
  return is_right;
}

static gboolean
pause_over_cb (gpointer user_data)
{
  ScopeShapes *self = user_data;

  self->pause = 0;
  if (apply (self))
    show_inference_message (self);
  return G_SOURCE_REMOVE;
}

static void
changed_cb (ScopeShapes *self)
{
  if (self->is_syncing)
    return;
  g_clear_handle_id (&self->pause, g_source_remove);
  self->pause = g_timeout_add (PAUSE, pause_over_cb, self);
}

/* What was typed reads as shapes do elsewhere, once nobody types on.  The document keeps what was
 * typed: to write it otherwise is no edit. */
static void
tidy (ScopeShapes *self)
{
  self->is_syncing = TRUE;
  for (guint i = 0; i < self->entries->len; i++)
    {
      GtkEditable *entry = g_ptr_array_index (self->entries, i);
      const char *text = gtk_editable_get_text (entry);
      g_autofree char *tidied = *text != '\0' ? scope_shape_text_tidy (text) : NULL;

      if (tidied == NULL || g_str_equal (tidied, text))
        continue;
      gtk_editable_set_text (entry, tidied);
      gtk_editable_set_position (entry, -1);
    }
  self->is_syncing = FALSE;
}

static void
settle_cb (ScopeShapes *self)
{
  if (self->pause == 0)
    return;
  g_clear_handle_id (&self->pause, g_source_remove);
  pause_over_cb (self);
}

static void
done_cb (ScopeShapes *self)
{
  settle_cb (self);
  tidy (self);
}

/* The shape without the user's word, as the placeholder; what he typed, after undo too. */
static gboolean
has_shape (SymInference *inference, SymId value)
{
  SymType type = sym_inference_get_type (inference, value);

  return type.kind != SYM_KIND_UNKNOWN && (type.kind != SYM_KIND_TENSOR || type.shape.rank >= 0);
}

static gboolean
is_typing (ScopeShapes *self)
{
  for (guint i = 0; i < self->entries->len; i++)
    if (gtk_widget_get_state_flags (g_ptr_array_index (self->entries, i)) &
        GTK_STATE_FLAG_FOCUS_WITHIN)
      return TRUE;
  return FALSE;
}

static void
show_texts (ScopeShapes *self)
{
  ScopeState *state = scope_document_get_state (self->document);
  SymInference *inference = scope_document_get_inference (self->document);

  self->is_syncing = TRUE;
  for (guint i = 0; i < self->entries->len; i++)
    {
      GtkWidget *entry = g_ptr_array_index (self->entries, i);
      const char *text = scope_state_get_shape_text (state, get_value (self, i));
      g_autofree char *shape =
          inference != NULL ? scope_text_shape (inference, get_value (self, i)) : NULL;
      gboolean is_known = shape != NULL && has_shape (inference, get_value (self, i));

      if (!self->is_applying &&
          !is_same (gtk_editable_get_text (GTK_EDITABLE (entry)), text != NULL ? text : ""))
        gtk_editable_set_text (GTK_EDITABLE (entry), text != NULL ? text : "");
      const char *example = is_known ? shape : _ ("shape, such as 1,3,224,224");

      gtk_entry_set_placeholder_text (GTK_ENTRY (entry), example);
      gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                      example, -1);
      if (!self->is_applying)
        set_error (entry, FALSE);
    }
  self->is_syncing = FALSE;
  if (!is_typing (self))
    tidy (self);
}

static void
add_entry (ScopeShapes *self, int row)
{
  SymModel *model = scope_document_get_model (self->document);
  const char *name = scope_text_name (model, get_value (self, (guint) row));
  GtkWidget *label = gtk_label_new (name);
  GtkWidget *entry = gtk_entry_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_autofree char *accessible_name = g_strdup_printf (_ ("Shape of %s"), name);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 18);
  scope_elided_tell (label);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_set_hexpand (entry, TRUE);
  scope_direction_keep_entry (GTK_ENTRY (entry));
  /* Each shape is a step of the document: the entry's own steps would undo what was undone. */
  g_object_set (entry, "enable-undo", FALSE, NULL);
  gtk_widget_add_css_class (entry, "shape");
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  accessible_name, -1);
  g_signal_connect_swapped (entry, "changed", G_CALLBACK (changed_cb), self);
  g_signal_connect_swapped (entry, "activate", G_CALLBACK (done_cb), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (done_cb), self);
  gtk_widget_add_controller (entry, focus);
  gtk_grid_attach (GTK_GRID (self->grid), label, 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), entry, 1, row, 1, 1);
  g_ptr_array_add (self->entries, entry);
}

/* Of those that have no entry. */
static void
add_rest (ScopeShapes *self, guint n)
{
  g_autofree char *text =
      g_strdup_printf (ngettext ("%u more input has the shape of the file",
                                 "%u more inputs have the shapes of the file", n),
                       n);
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "caption");
  gtk_grid_attach (GTK_GRID (self->grid), label, 0, MAX_ENTRIES, 2, 1);
}

static void
rebuild (ScopeShapes *self)
{
  SymModel *model = scope_document_get_model (self->document);
  guint n = model != NULL ? sym_model_get_inputs (model).n : 0;
  GtkWidget *child;

  g_clear_handle_id (&self->pause, g_source_remove);
  g_ptr_array_set_size (self->entries, 0);
  while ((child = gtk_widget_get_first_child (self->grid)) != NULL)
    gtk_grid_remove (GTK_GRID (self->grid), child);
  for (guint i = 0; i < MIN (n, MAX_ENTRIES); i++)
    add_entry (self, (int) i);
  if (n > MAX_ENTRIES)
    add_rest (self, n - MAX_ENTRIES);
  gtk_widget_set_visible (self->scroller, n > 0);
  /* A scrollbar that might come keeps its least height free, which is more than that of an entry.
   */
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER,
                                  n > FEW ? GTK_POLICY_AUTOMATIC : GTK_POLICY_NEVER);
}

static void
document_changed_cb (ScopeShapes *self, guint changes)
{
  if (changes & (SCOPE_CHANGE_MODEL | SCOPE_CHANGE_EDIT))
    rebuild (self);
  if (scope_document_get_model (self->document) == NULL || self->pause != 0)
    return;
  if (changes & (SCOPE_CHANGE_MODEL | SCOPE_CHANGE_TYPES))
    show_inference_message (self);
  if (changes & (SCOPE_CHANGE_MODEL | SCOPE_CHANGE_EDIT | SCOPE_CHANGE_TYPES | SCOPE_CHANGE_STATE))
    show_texts (self);
}

static void
scope_shapes_dispose (GObject *object)
{
  ScopeShapes *self = SCOPE_SHAPES (object);

  g_clear_handle_id (&self->pause, g_source_remove);
  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->document);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  G_OBJECT_CLASS (scope_shapes_parent_class)->dispose (object);
}

static void
scope_shapes_class_init (ScopeShapesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_shapes_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-shapes.ui");
  gtk_widget_class_bind_template_child (widget_class, ScopeShapes, box);
  gtk_widget_class_bind_template_child (widget_class, ScopeShapes, scroller);
  gtk_widget_class_bind_template_child (widget_class, ScopeShapes, grid);
  gtk_widget_class_bind_template_child (widget_class, ScopeShapes, message);
}

static void
scope_shapes_init (ScopeShapes *self)
{
  self->entries = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  scope_wrapped_reserve (self->message);
}

void
scope_shapes_set_document (ScopeShapes *self, ScopeDocument *document)
{
  g_return_if_fail (SCOPE_IS_SHAPES (self) && self->document == NULL);

  self->document = g_object_ref (document);
  g_signal_connect_swapped (document, "changed", G_CALLBACK (document_changed_cb), self);
  g_signal_connect_swapped (document, "settle", G_CALLBACK (settle_cb), self);
  document_changed_cb (self, SCOPE_CHANGE_MODEL);
}
