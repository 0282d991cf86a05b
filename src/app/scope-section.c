/* SPDX-License-Identifier: MIT */
#include "app/scope-section.h"

#include <glib/gi18n.h>

#include "app/scope-release.h"
#include "app/scope-text.h"

#define LINKS_A_TURN 12 /* of the main loop: each takes a millisecond to make */

struct _ScopeSection {
  GtkWidget parent_instance;

  char *title;
  gboolean is_plain;
  GtkWidget *heading;
  GtkWidget *list;
  char *focused; /* title of the row that had the keyboard, or whose editor had; NULL for none */

  SymInference *inference; /* of links that are not there yet; NULL for none */
  GArray *values;          /* of SymId, likewise: of all links */
  guint n_linked;          /* of those, how many there are */
  guint linking;           /* the idle source that adds the others; 0 for none */
};

enum { PROPERTY_TITLE = 1, PROPERTY_PLAIN, N_PROPERTIES };

enum { ROW_ACTIVATED, N_SIGNALS };

static GParamSpec *properties[N_PROPERTIES];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ScopeSection, scope_section, GTK_TYPE_WIDGET)

static void
show_title (ScopeSection *self)
{
  gtk_label_set_text (GTK_LABEL (self->heading), self->title != NULL ? self->title : "");
  gtk_widget_set_visible (self->heading, self->title != NULL && !self->is_plain);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  self->title != NULL ? self->title : "", -1);
}

static void
row_activated_cb (ScopeSection *self, GtkListBoxRow *row)
{
  g_signal_emit (self, signals[ROW_ACTIVATED], 0, row);
}

static void
scope_section_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  ScopeSection *self = SCOPE_SECTION (object);

  switch (id)
    {
    case PROPERTY_TITLE:
      g_free (self->title);
      self->title = g_value_dup_string (value);
      break;
    case PROPERTY_PLAIN:
      self->is_plain = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
  show_title (self);
}

static void
scope_section_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  ScopeSection *self = SCOPE_SECTION (object);

  switch (id)
    {
    case PROPERTY_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROPERTY_PLAIN:
      g_value_set_boolean (value, self->is_plain);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

/* ---- Links ---- */

static void
stop_linking (ScopeSection *self)
{
  g_clear_handle_id (&self->linking, g_source_remove);
  scope_release (g_steal_pointer (&self->inference), (GDestroyNotify) sym_inference_unref);
  g_clear_pointer (&self->values, g_array_unref);
}

static void
add_links (ScopeSection *self, guint n)
{
  guint n_all = MIN (self->values->len, SCOPE_SECTION_MAX), end = MIN (self->n_linked + n, n_all);

  for (; self->n_linked < end; self->n_linked++)
    scope_section_add_link (self, self->inference,
                            g_array_index (self->values, SymId, self->n_linked));
  if (end < n_all)
    return;
  scope_section_add_rest (self, self->values->len);
  stop_linking (self);
}

static gboolean
link_cb (gpointer user_data)
{
  ScopeSection *self = user_data;

  add_links (self, LINKS_A_TURN);
  return self->linking != 0 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

/* Whoever asks for all of it is told all of it. */
static void
finish_linking (ScopeSection *self)
{
  if (self->values != NULL)
    add_links (self, SCOPE_SECTION_MAX);
}

static void
copy_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  g_autofree char *text = scope_section_to_string (SCOPE_SECTION (widget));

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

static void
scope_section_dispose (GObject *object)
{
  ScopeSection *self = SCOPE_SECTION (object);

  stop_linking (self);
  g_clear_pointer (&self->heading, gtk_widget_unparent);
  g_clear_pointer (&self->list, gtk_widget_unparent);
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->focused, g_free);
  G_OBJECT_CLASS (scope_section_parent_class)->dispose (object);
}

static void
scope_section_class_init (ScopeSectionClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->set_property = scope_section_set_property;
  object_class->get_property = scope_section_get_property;
  object_class->dispose = scope_section_dispose;
  properties[PROPERTY_TITLE] =
      g_param_spec_string ("title", NULL, NULL, NULL, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROPERTY_PLAIN] =
      g_param_spec_boolean ("plain", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  signals[ROW_ACTIVATED] = g_signal_new ("row-activated", SCOPE_TYPE_SECTION, G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 1, SCOPE_TYPE_FACT);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (class), "section.copy", NULL, copy_cb);
}

static void
scope_section_init (ScopeSection *self)
{
  GtkBoxLayout *layout = GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self)));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (layout, 6);
  self->heading = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->heading), 0);
  gtk_widget_set_margin_top (self->heading, 10);
  gtk_widget_add_css_class (self->heading, "heading");
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->list, "boxed-list");
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (row_activated_cb), self);
  gtk_widget_set_parent (self->heading, GTK_WIDGET (self));
  gtk_widget_set_parent (self->list, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

/* Or is in its editor. */
static ScopeFact *
find_focused (ScopeSection *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  GtkWidget *fact = focus != NULL ? gtk_widget_get_ancestor (focus, SCOPE_TYPE_FACT) : NULL;

  return fact != NULL && gtk_widget_get_parent (fact) == self->list ? SCOPE_FACT (fact) : NULL;
}

/* The keyboard goes on from there when the section is filled again, as after an edit. */
static void
remember_focused (ScopeSection *self)
{
  ScopeFact *fact = find_focused (self);

  g_free (self->focused);
  self->focused = fact != NULL ? g_strdup (scope_fact_get_title (fact)) : NULL;
}

static void
give_focus_back (ScopeSection *self, GtkWidget *fact)
{
  if (g_strcmp0 (scope_fact_get_title (SCOPE_FACT (fact)), self->focused) != 0)
    return;
  g_clear_pointer (&self->focused, g_free);
  gtk_widget_grab_focus (fact);
}

void
scope_section_clear (ScopeSection *self)
{
  g_return_if_fail (SCOPE_IS_SECTION (self));

  GtkWidget *row;

  stop_linking (self);
  remember_focused (self);
  while ((row = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), row);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

ScopeFact *
scope_section_add (ScopeSection *self, const char *title, const char *subtitle, const char *text)
{
  g_return_val_if_fail (SCOPE_IS_SECTION (self), NULL);

  GtkWidget *fact = scope_fact_new (title, subtitle, text);

  gtk_list_box_append (GTK_LIST_BOX (self->list), fact);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  if (self->focused != NULL)
    give_focus_back (self, fact);
  return SCOPE_FACT (fact);
}

void
scope_section_hand_focus (ScopeSection *self, ScopeSection *other)
{
  g_return_if_fail (SCOPE_IS_SECTION (self) && SCOPE_IS_SECTION (other));

  if (self->focused == NULL)
    return;
  g_free (other->focused);
  other->focused = g_steal_pointer (&self->focused);
  for (GtkWidget *fact = gtk_widget_get_first_child (other->list);
       fact != NULL && other->focused != NULL; fact = gtk_widget_get_next_sibling (fact))
    give_focus_back (other, fact);
}

ScopeFact *
scope_section_get_first (ScopeSection *self)
{
  g_return_val_if_fail (SCOPE_IS_SECTION (self), NULL);

  GtkWidget *row = gtk_widget_get_first_child (self->list);

  return row != NULL ? SCOPE_FACT (row) : NULL;
}

void
scope_section_add_link (ScopeSection *self, SymInference *inference, SymId value)
{
  SymModel *model = sym_inference_get_model (inference);
  SymId call = sym_model_get_producer (model, value);
  g_autofree char *shape = scope_text_shape (inference, value);
  const char *layer =
      call != SYM_NO_ID ? sym_layer_get_type (sym_model_get_layer (model, call)) : _ ("Input");
  ScopeFact *fact = scope_section_add (self, scope_text_name (model, value), layer, shape);

  scope_fact_set_target (fact, value, SYM_NO_ID);
}

void
scope_section_add_links (ScopeSection *self, SymInference *inference, SymIds values)
{
  g_return_if_fail (SCOPE_IS_SECTION (self));

  finish_linking (self);
  self->inference = sym_inference_ref (inference);
  self->values = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_array_append_vals (self->values, values.ids, values.n);
  self->n_linked = 0;
  add_links (self, LINKS_A_TURN);
  if (self->values != NULL)
    self->linking = g_idle_add (link_cb, self);
}

void
scope_section_add_rest (ScopeSection *self, guint n)
{
  if (n <= SCOPE_SECTION_MAX)
    return;
  g_autofree char *text = g_strdup_printf (
      ngettext ("and %u more", "and %u more", n - SCOPE_SECTION_MAX), n - SCOPE_SECTION_MAX);

  scope_section_add (self, text, NULL, NULL);
}

char *
scope_section_to_string (ScopeSection *self)
{
  g_return_val_if_fail (SCOPE_IS_SECTION (self), NULL);

  GString *text = g_string_new (NULL);

  finish_linking (self);
  if (self->title != NULL && !self->is_plain)
    g_string_append_printf (text, "%s\n", self->title);
  for (GtkWidget *row = gtk_widget_get_first_child (self->list); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    {
      g_autofree char *line = scope_fact_to_string (SCOPE_FACT (row));

      g_string_append_printf (text, "%s\n", line);
    }
  return g_string_free (text, FALSE);
}

char *
scope_section_join_all (GtkWidget *root)
{
  g_autoptr (GQueue) widgets = g_queue_new ();
  GString *text = g_string_new (NULL);

  g_queue_push_head (widgets, root);
  while (!g_queue_is_empty (widgets))
    {
      GtkWidget *widget = g_queue_pop_head (widgets);

      if (SCOPE_IS_SECTION (widget) && gtk_widget_get_visible (widget))
        {
          g_autofree char *section = scope_section_to_string (SCOPE_SECTION (widget));

          g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", section);
          continue;
        }
      for (GtkWidget *child = gtk_widget_get_last_child (widget); child != NULL;
           child = gtk_widget_get_prev_sibling (child))
        g_queue_push_head (widgets, child);
    }
  return g_string_free (text, FALSE);
}
