/* SPDX-License-Identifier: MIT */
#include "app/scope-fact.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/scope-column.h"
#include "app/scope-direction.h"
#include "app/scope-elided.h"
#include "app/scope-popup.h"
#include "app/scope-tip.h"

/* What long texts leave each other, so that no row makes the inspector wider than it is when it is
 * empty (scope-inspector.ui). */
#define TITLE_CHARS 13
#define TEXT_CHARS 12

/* A shape is of one line where it is no longer: it takes of the title's room, which is elided. */
#define SHAPE_CHARS 18

struct _ScopeFact {
  GtkListBoxRow parent_instance;
  GtkWidget *title;
  GtkWidget *subtitle;
  GtkWidget *text;
  GtkWidget *pencil;
  SymId value, call;
  guint group;
};

G_DEFINE_FINAL_TYPE (ScopeFact, scope_fact, GTK_TYPE_LIST_BOX_ROW)

static void
copy (ScopeFact *self, GtkWidget *label)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)),
                          gtk_label_get_text (GTK_LABEL (label)));
}

static void
copy_text_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  ScopeFact *self = SCOPE_FACT (widget);
  gboolean has_text = *gtk_label_get_text (GTK_LABEL (self->text)) != '\0';

  copy (self, has_text ? self->text : self->title);
}

static void
copy_title_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  copy (SCOPE_FACT (widget), SCOPE_FACT (widget)->title);
}

static void
activate_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gtk_widget_activate (widget);
}

static gboolean
is_link (ScopeFact *self)
{
  return self->value != SYM_NO_ID || self->call != SYM_NO_ID || self->group != SYM_NO_GROUP;
}

static void
add_item (GMenu *menu, const char *label, const char *action, const char *key)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, action);

  if (key != NULL)
    g_menu_item_set_attribute (item, "accel", "s", key);
  g_menu_item_set_attribute (item, "hidden-when", "s", "action-missing");
  g_menu_append_item (menu, item);
}

static void
open_menu (ScopeFact *self, double x, double y)
{
  g_autoptr (GMenu) items = g_menu_new ();

  add_item (items, _ ("_Copy"), "fact.copy", "<Control>c");
  add_item (items, _ ("Copy _Name"), "fact.copy-name", NULL);
  add_item (items, _ ("Copy _Section"), "section.copy", NULL);
  add_item (items, _ ("Copy _Page"), "page.copy", NULL);
  if (gtk_list_box_row_get_activatable (GTK_LIST_BOX_ROW (self)))
    add_item (items, is_link (self) ? _ ("_Go There") : _ ("_Change…"), "fact.activate", "Return");
  scope_popup_menu (GTK_WIDGET (self), G_MENU_MODEL (items), x, y);
}

static void
pressed_cb (GtkGestureClick *gesture, int n, double x, double y, ScopeFact *self)
{
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  open_menu (self, x, y);
}

static gboolean
menu_key_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  open_menu (SCOPE_FACT (widget), gtk_widget_get_width (widget) / 2.0,
             gtk_widget_get_height (widget));
  return TRUE;
}

static void
scope_fact_class_init (ScopeFactClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (SCOPE_TYPE_COLUMN);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-fact.ui");
  gtk_widget_class_bind_template_child (widget_class, ScopeFact, title);
  gtk_widget_class_bind_template_child (widget_class, ScopeFact, subtitle);
  gtk_widget_class_bind_template_child (widget_class, ScopeFact, text);
  gtk_widget_class_bind_template_child (widget_class, ScopeFact, pencil);
  gtk_widget_class_bind_template_callback (widget_class, pressed_cb);
  gtk_widget_class_install_action (widget_class, "fact.copy", NULL, copy_text_cb);
  gtk_widget_class_install_action (widget_class, "fact.copy-name", NULL, copy_title_cb);
  gtk_widget_class_install_action (widget_class, "fact.activate", NULL, activate_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "fact.copy",
                                       NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Menu, 0, menu_key_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, menu_key_cb, NULL);
}

/* Else what else is known of it. */
static gboolean
query_tooltip_cb (ScopeFact *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  GtkWidget *label = scope_elided_is (self->title) ? self->title : self->text;

  if (!scope_elided_is (label))
    return FALSE;
  gtk_tooltip_set_text (tooltip, gtk_label_get_text (GTK_LABEL (label)));
  return TRUE;
}

static void
scope_fact_init (ScopeFact *self)
{
  self->value = self->call = SYM_NO_ID;
  self->group = SYM_NO_GROUP;
  gtk_widget_init_template (GTK_WIDGET (self));
  scope_direction_keep (self->text);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
}

/* Letters may be wider than most are. */
static glong
count_chars (const char *text)
{
  return g_utf8_strlen (text, -1) * 4 / 3;
}

/* A long text beside it leaves a label this much room. */
static void
show (GtkWidget *label, const char *text, glong most)
{
  GtkWidget *column = gtk_widget_get_ancestor (label, SCOPE_TYPE_COLUMN);

  gtk_label_set_text (GTK_LABEL (label), text);
  scope_column_set_least_chars (SCOPE_COLUMN (column), (int) MIN (count_chars (text), most));
}

static gboolean
is_short_shape (const char *text)
{
  return strstr (text, "×") != NULL && strchr (text, ' ') == NULL &&
         count_chars (text) <= SHAPE_CHARS;
}

/* What it says comes before what that means, for those who only hear it. */
static void
tell (ScopeFact *self, const char *about)
{
  const char *text = gtk_label_get_text (GTK_LABEL (self->text));
  gboolean is_both = *text != '\0' && about != NULL;
  g_autofree char *told = is_both ? g_strdup_printf ("%s, %s", text, about) : NULL;

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  is_both         ? told
                                  : about != NULL ? about
                                                  : text,
                                  -1);
}

GtkWidget *
scope_fact_new (const char *title, const char *subtitle, const char *text)
{
  ScopeFact *self = g_object_new (SCOPE_TYPE_FACT, NULL);

  glong n =
      text != NULL && is_short_shape (text) ? MAX (count_chars (text), TEXT_CHARS) : TEXT_CHARS;

  gtk_label_set_ellipsize (GTK_LABEL (self->title), scope_elided_choose (title));
  show (self->title, title, TITLE_CHARS + TEXT_CHARS - n);
  gtk_label_set_text (GTK_LABEL (self->subtitle), subtitle != NULL ? subtitle : "");
  gtk_widget_set_visible (self->subtitle, subtitle != NULL);
  show (self->text, text != NULL ? text : "", n);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  tell (self, subtitle);
  return GTK_WIDGET (self);
}

void
scope_fact_set_about (ScopeFact *self, const char *about)
{
  g_return_if_fail (SCOPE_IS_FACT (self));

  scope_tip_set (GTK_WIDGET (self), about);
  tell (self, about);
}

static void
make_link (ScopeFact *self)
{
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), TRUE);
  gtk_label_set_selectable (GTK_LABEL (self->text), FALSE);
  gtk_widget_remove_css_class (self->title, "dim-label");
  gtk_widget_add_css_class (self->title, "link");
}

void
scope_fact_set_target (ScopeFact *self, SymId value, SymId call)
{
  g_return_if_fail (SCOPE_IS_FACT (self));

  self->value = value;
  self->call = call;
  make_link (self);
}

void
scope_fact_set_group (ScopeFact *self, guint group)
{
  g_return_if_fail (SCOPE_IS_FACT (self));

  self->group = group;
  make_link (self);
}

void
scope_fact_set_editable (ScopeFact *self)
{
  g_return_if_fail (SCOPE_IS_FACT (self));

  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), TRUE);
  gtk_label_set_selectable (GTK_LABEL (self->text), FALSE);
  gtk_widget_set_visible (self->pencil, TRUE);
}

void
scope_fact_set_dim (ScopeFact *self)
{
  g_return_if_fail (SCOPE_IS_FACT (self));

  gtk_widget_add_css_class (self->text, "dim-label");
}

const char *
scope_fact_get_title (ScopeFact *self)
{
  g_return_val_if_fail (SCOPE_IS_FACT (self), NULL);

  return gtk_label_get_text (GTK_LABEL (self->title));
}

SymId
scope_fact_get_value (ScopeFact *self)
{
  return self->value;
}

SymId
scope_fact_get_call (ScopeFact *self)
{
  return self->call;
}

guint
scope_fact_get_group (ScopeFact *self)
{
  return self->group;
}

char *
scope_fact_to_string (ScopeFact *self)
{
  g_return_val_if_fail (SCOPE_IS_FACT (self), NULL);

  const char *text = gtk_label_get_text (GTK_LABEL (self->text));

  return *text != '\0' ? g_strdup_printf ("%s\t%s", scope_fact_get_title (self), text)
                       : g_strdup (scope_fact_get_title (self));
}
