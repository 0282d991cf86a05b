/* SPDX-License-Identifier: MIT */
#include "app/scope-shapes.h"

#include <glib/gi18n.h>

#include "app/scope-dimensions.h"
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

/* What is typed for one input, or for one dimension of all of them. */
typedef struct {
  GtkWidget *widget;  /* borrowed */
  SymId value;        /* of an input */
  char *dimension;    /* or a name; NULL for none */
  guint place;        /* of that among those of scope_dimensions_read() */
  char *shown;        /* of the document */
  gboolean is_edited; /* since */
  gboolean is_wrong;
} Entry;

struct _ScopeShapes {
  GtkWidget parent_instance;

  ScopeDocument *document;
  guint pause; /* source, 0 for none */
  gboolean is_syncing;

  GtkWidget *box;
  GtkWidget *grid;
  GtkWidget *scroller;
  GtkWidget *message;
  GPtrArray *entries; /* of Entry: of dimensions, then of inputs, in their order */
};

G_DEFINE_FINAL_TYPE (ScopeShapes, scope_shapes, GTK_TYPE_WIDGET)

static void
free_entry (gpointer data)
{
  Entry *entry = data;

  g_free (entry->dimension);
  g_free (entry->shown);
  g_free (entry);
}

static const char *
get_text (const Entry *entry)
{
  return gtk_editable_get_text (GTK_EDITABLE (entry->widget));
}

static void
set_error (Entry *entry, gboolean is_wrong)
{
  entry->is_wrong = is_wrong;
  if (is_wrong)
    gtk_widget_add_css_class (entry->widget, "error");
  else
    gtk_widget_remove_css_class (entry->widget, "error");
  gtk_accessible_update_state (
      GTK_ACCESSIBLE (entry->widget), GTK_ACCESSIBLE_STATE_INVALID,
      is_wrong ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}

/* A wrong shape, a wrong text or the first contradiction: one line, in place. */
static void
show_message (ScopeShapes *self, const char *text)
{
  gtk_label_set_text (GTK_LABEL (self->message), text != NULL ? text : "");
  gtk_widget_set_visible (self->message, text != NULL);
}

static gboolean
has_wrong_entry (ScopeShapes *self)
{
  for (guint i = 0; i < self->entries->len; i++)
    if (((const Entry *) g_ptr_array_index (self->entries, i))->is_wrong)
      return TRUE;
  return FALSE;
}

/* Unless it is told what is wrong with a text. */
static void
show_inference_message (ScopeShapes *self)
{
  const GError *error = scope_document_get_shape_error (self->document);
  SymInference *inference = scope_document_get_inference (self->document);
  const SymProblems *problems = inference != NULL ? sym_inference_get_problems (inference) : NULL;

  if (has_wrong_entry (self))
    return;
  if (error != NULL)
    show_message (self, error->message);
  else if (problems != NULL && sym_problems_get_n (problems) > 0)
    show_message (self, sym_problems_get (problems, 0)->message);
  else
    show_message (self, NULL);
}

/* ---- What is typed ---- */

static gboolean
is_same_size (const char *text, const char *other)
{
  guint64 size, other_size;
  g_autofree char *stripped = g_strstrip (g_strdup (text));

  return g_ascii_string_to_unsigned (stripped, 10, 0, G_MAXUINT64, &size, NULL) &&
         g_ascii_string_to_unsigned (other, 10, 0, G_MAXUINT64, &other_size, NULL) &&
         size == other_size;
}

static gboolean
is_same_shape (const char *text, const char *other)
{
  g_autofree char *tidied = *text != '\0' ? scope_shape_text_tidy (text) : NULL;
  g_autofree char *other_tidied = *other != '\0' ? scope_shape_text_tidy (other) : NULL;

  return tidied != NULL && g_strcmp0 (tidied, other_tidied) == 0;
}

/* However it is written. */
static gboolean
reads_as (const Entry *entry, const char *other)
{
  const char *text = get_text (entry);

  return g_str_equal (text, other) ||
         (entry->dimension != NULL ? is_same_size (text, other) : is_same_shape (text, other));
}

/* Takes over what was typed that reads otherwise than the document.  FALSE, with what is wrong,
 * when that is no shape. */
static gboolean
apply_entry (ScopeShapes *self, Entry *entry, GError **error)
{
  g_autofree char *text = g_strdup (get_text (entry));
  gboolean is_right;

  if (!entry->is_edited)
    return !entry->is_wrong;
  entry->is_edited = FALSE;
  if (reads_as (entry, entry->shown))
    is_right = TRUE;
  else if (entry->dimension != NULL)
    is_right = scope_document_set_dimension_text (self->document, entry->dimension, text, error);
  else
    is_right = scope_document_set_shape_text (self->document, entry->value, text, error);
  set_error (entry, !is_right);
  return is_right;
}

/* Takes over what the entries say.  FALSE when one of them is no shape. */
static gboolean
apply (ScopeShapes *self)
{
  gboolean is_right = TRUE;

  for (guint i = 0; i < self->entries->len; i++)
    {
      g_autoptr (GError) error = NULL;
      gboolean is_shape = apply_entry (self, g_ptr_array_index (self->entries, i), &error);

      if (error != NULL && is_right)
        show_message (self, error->message);
      is_right = is_right && is_shape;
    }
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
changed_cb (ScopeShapes *self, GtkWidget *widget)
{
  if (self->is_syncing)
    return;
  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = g_ptr_array_index (self->entries, i);

      entry->is_edited = entry->is_edited || entry->widget == widget;
    }
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
      const Entry *entry = g_ptr_array_index (self->entries, i);
      const char *text = get_text (entry);
      g_autofree char *tidied = entry->is_wrong || entry->is_edited ? NULL
                                : entry->dimension != NULL          ? g_strdup (entry->shown)
                                : *text != '\0'                     ? scope_shape_text_tidy (text)
                                                                    : NULL;

      if (tidied == NULL || g_str_equal (tidied, text))
        continue;
      gtk_editable_set_text (GTK_EDITABLE (entry->widget), tidied);
      gtk_editable_set_position (GTK_EDITABLE (entry->widget), -1);
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

static gboolean
has_focus (const Entry *entry)
{
  return (gtk_widget_get_state_flags (entry->widget) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0;
}

/* What was typed and is not in the document, be it wrong or not yet taken over, gives way to what
 * is.  FALSE when there is nothing of the kind: the key is another one's then. */
static gboolean
revert_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  ScopeShapes *self = SCOPE_SHAPES (widget);

  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = g_ptr_array_index (self->entries, i);

      if (!has_focus (entry) || (!entry->is_wrong && !entry->is_edited))
        continue;
      self->is_syncing = TRUE;
      gtk_editable_set_text (GTK_EDITABLE (entry->widget), entry->shown);
      gtk_editable_set_position (GTK_EDITABLE (entry->widget), -1);
      self->is_syncing = FALSE;
      entry->is_edited = FALSE;
      set_error (entry, FALSE);
      tidy (self);
      show_inference_message (self);
      return TRUE;
    }
  return FALSE;
}

/* ---- What the document says ---- */

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
    if (has_focus (g_ptr_array_index (self->entries, i)))
      return TRUE;
  return FALSE;
}

/* What was typed, after undo too; a text that is none, and so not in the document, stays until that
 * has another one. */
static void
show_text (Entry *entry, const char *text)
{
  if (g_str_equal (text, entry->shown))
    return;
  g_free (entry->shown);
  entry->shown = g_strdup (text);
  if (!reads_as (entry, text))
    gtk_editable_set_text (GTK_EDITABLE (entry->widget), text);
  entry->is_edited = FALSE;
  set_error (entry, FALSE);
}

/* What goes without the user's word, as the placeholder. */
static void
show_example (Entry *entry, const char *example)
{
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry->widget), example);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry->widget),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, example, -1);
}

static void
show_shape (ScopeShapes *self, Entry *entry)
{
  SymInference *inference = scope_document_get_inference (self->document);
  const char *text =
      scope_state_get_shape_text (scope_document_get_state (self->document), entry->value);
  g_autofree char *shape = inference != NULL ? scope_text_shape (inference, entry->value) : NULL;
  gboolean is_known = shape != NULL && has_shape (inference, entry->value);

  show_text (entry, text != NULL ? text : "");
  show_example (entry, is_known ? shape : _ ("shape, such as 1,3,224,224"));
}

static void
show_dimension (Entry *entry, const ScopeDimension *dimension)
{
  g_autofree char *text =
      dimension->size >= 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, dimension->size) : g_strdup ("");

  show_text (entry, text);
  show_example (entry, dimension->is_mixed ? _ ("several sizes") : _ ("any size"));
}

static void
show_texts (ScopeShapes *self)
{
  gboolean has_dimensions =
      self->entries->len > 0 &&
      ((const Entry *) g_ptr_array_index (self->entries, 0))->dimension != NULL;
  g_autoptr (GArray) dimensions =
      has_dimensions ? scope_dimensions_read (scope_document_get_state (self->document)) : NULL;

  self->is_syncing = TRUE;
  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = g_ptr_array_index (self->entries, i);

      if (entry->dimension == NULL)
        show_shape (self, entry);
      else if (entry->place < dimensions->len)
        show_dimension (entry, &g_array_index (dimensions, ScopeDimension, entry->place));
    }
  self->is_syncing = FALSE;
  if (!is_typing (self))
    tidy (self);
}

/* ---- Entries ---- */

static void
add_label (ScopeShapes *self, const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 18);
  scope_elided_tell (label);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_grid_attach (GTK_GRID (self->grid), label, 0, (int) self->entries->len, 1, 1);
}

static Entry *
add_entry (ScopeShapes *self, const char *label, const char *accessible_name)
{
  Entry *entry = g_new0 (Entry, 1);
  GtkWidget *widget = gtk_entry_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  add_label (self, label);
  gtk_widget_set_hexpand (widget, TRUE);
  scope_direction_keep_entry (GTK_ENTRY (widget));
  /* Each shape is a step of the document: the entry's own steps would undo what was undone. */
  g_object_set (widget, "enable-undo", FALSE, NULL);
  gtk_widget_add_css_class (widget, "shape");
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  accessible_name, -1);
  g_signal_connect_swapped (widget, "changed", G_CALLBACK (changed_cb), self);
  g_signal_connect_swapped (widget, "activate", G_CALLBACK (done_cb), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (done_cb), self);
  gtk_widget_add_controller (widget, focus);
  gtk_grid_attach (GTK_GRID (self->grid), widget, 1, (int) self->entries->len, 1, 1);
  entry->widget = widget;
  entry->shown = g_strdup ("");
  entry->value = SYM_NO_ID;
  g_ptr_array_add (self->entries, entry);
  return entry;
}

static void
add_dimension (ScopeShapes *self, const char *name, guint place)
{
  g_autofree char *label = g_strdup_printf ("%s =", name);
  g_autofree char *accessible_name = g_strdup_printf (_ ("Size of %s"), name);
  Entry *entry = add_entry (self, label, accessible_name);

  entry->dimension = g_strdup (name);
  entry->place = place;
}

static void
add_shape (ScopeShapes *self, SymId value)
{
  const char *name = scope_text_name (scope_document_get_model (self->document), value);
  g_autofree char *accessible_name = g_strdup_printf (_ ("Shape of %s"), name);
  Entry *entry = add_entry (self, name, accessible_name);

  entry->value = value;
}

/* Of those that have no entry. */
static void
add_rest (ScopeShapes *self, guint n)
{
  g_autofree char *text = g_strdup_printf (
      ngettext ("%u more input has no entry", "%u more inputs have no entry", n), n);
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "caption");
  gtk_grid_attach (GTK_GRID (self->grid), label, 0, (int) self->entries->len, 2, 1);
}

/* Where each of many inputs has names of its own, these are typed there as well. */
static gboolean
has_entry (const ScopeDimension *dimension, guint n_inputs)
{
  return n_inputs <= FEW || dimension->n_places > 1;
}

static void
add_entries (ScopeShapes *self, SymIds inputs)
{
  g_autoptr (GArray) dimensions = scope_dimensions_read (scope_document_get_state (self->document));

  for (guint i = 0; i < dimensions->len && self->entries->len < MAX_ENTRIES; i++)
    {
      const ScopeDimension *dimension = &g_array_index (dimensions, ScopeDimension, i);

      if (has_entry (dimension, inputs.n))
        add_dimension (self, dimension->name, i);
    }
  for (guint i = 0; i < MIN (inputs.n, MAX_ENTRIES); i++)
    add_shape (self, inputs.ids[i]);
  if (inputs.n > MAX_ENTRIES)
    add_rest (self, inputs.n - MAX_ENTRIES);
}

static void
rebuild (ScopeShapes *self)
{
  SymModel *model = scope_document_get_model (self->document);
  GtkWidget *child;
  guint n;

  g_clear_handle_id (&self->pause, g_source_remove);
  g_ptr_array_set_size (self->entries, 0);
  while ((child = gtk_widget_get_first_child (self->grid)) != NULL)
    gtk_grid_remove (GTK_GRID (self->grid), child);
  if (model != NULL)
    add_entries (self, sym_model_get_inputs (model));
  n = self->entries->len;
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
  if (changes & (SCOPE_CHANGE_MODEL | SCOPE_CHANGE_EDIT | SCOPE_CHANGE_TYPES | SCOPE_CHANGE_STATE))
    show_texts (self);
  if (changes & (SCOPE_CHANGE_MODEL | SCOPE_CHANGE_TYPES))
    show_inference_message (self);
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
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, revert_cb, NULL);
}

static void
scope_shapes_init (ScopeShapes *self)
{
  self->entries = g_ptr_array_new_with_free_func (free_entry);
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
