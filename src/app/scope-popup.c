/* SPDX-License-Identifier: MIT */
#include "app/scope-popup.h"

#define KEY "scope-popup"
#define FOCUS "scope-popup-focus"   /* of the menu: what had the keyboard before it */
#define BESIDE "scope-popup-beside" /* and what was next to that */

static void
let_go (gpointer data)
{
  GtkWidget *popover = data;

  gtk_widget_unparent (popover);
  g_object_unref (popover);
}

static void
destroy_cb (GtkWidget *widget, const char *key)
{
  g_object_set_data (G_OBJECT (widget), key, NULL);
}

void
scope_popup_keep (GtkWidget *widget, const char *key, GtkWidget *popover)
{
  g_return_if_fail (GTK_IS_WIDGET (widget) && key != NULL && GTK_IS_POPOVER (popover));
  g_return_if_fail (scope_popup_get (widget, key) == NULL);

  gtk_widget_set_parent (popover, widget);
  g_object_set_data_full (G_OBJECT (widget), key, g_object_ref (popover), let_go);
  g_signal_connect (widget, "destroy", G_CALLBACK (destroy_cb), (gpointer) key);
}

GtkWidget *
scope_popup_get (GtkWidget *widget, const char *key)
{
  g_return_val_if_fail (GTK_IS_WIDGET (widget) && key != NULL, NULL);

  return g_object_get_data (G_OBJECT (widget), key);
}

/* What was chosen may have taken away what had the keyboard, as a heading that hides its column. */
static GtkWidget *
choose_focus (GtkWidget *before, GtkWidget *beside)
{
  if (before != NULL && gtk_widget_get_mapped (before))
    return before;
  return beside != NULL && gtk_widget_get_mapped (beside) ? beside : NULL;
}

/* GTK 4.8 gives the keyboard to the parent of a menu that closes, and where that takes none to what
 * is around it.  Who opened a menu over a row goes on in that row, unless what was chosen has taken
 * the keyboard elsewhere. */
static gboolean
focus_cb (gpointer user_data)
{
  GtkWidget *menu = user_data;
  g_autoptr (GtkWidget) before = g_object_steal_data (G_OBJECT (menu), FOCUS);
  g_autoptr (GtkWidget) beside = g_object_steal_data (G_OBJECT (menu), BESIDE);
  GtkWidget *next = choose_focus (before, beside);
  GtkWidget *now = next != NULL ? gtk_root_get_focus (gtk_widget_get_root (next)) : NULL;

  if (next != NULL && next != now &&
      (now == NULL || gtk_widget_is_ancestor (next, now) || gtk_widget_is_ancestor (now, menu)))
    gtk_widget_grab_focus (next);
  return G_SOURCE_REMOVE;
}

/* Before the next key. */
static void
closed_cb (GtkWidget *menu)
{
  g_idle_add_full (G_PRIORITY_HIGH, focus_cb, g_object_ref (menu), g_object_unref);
}

static GtkWidget *
find_beside (GtkWidget *widget)
{
  GtkWidget *next = gtk_widget_get_next_sibling (widget);

  return next != NULL && gtk_widget_get_mapped (next) ? next : gtk_widget_get_prev_sibling (widget);
}

static void
remember_focus (GtkWidget *widget, GtkWidget *menu)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus == NULL || gtk_widget_is_ancestor (focus, menu))
    return;
  GtkWidget *beside = find_beside (focus);

  g_object_set_data_full (G_OBJECT (menu), FOCUS, g_object_ref (focus), g_object_unref);
  g_object_set_data_full (G_OBJECT (menu), BESIDE, beside != NULL ? g_object_ref (beside) : NULL,
                          g_object_unref);
}

static GtkWidget *
need_menu (GtkWidget *widget)
{
  GtkWidget *popover = scope_popup_get (widget, KEY);

  if (popover != NULL)
    return popover;
  popover = gtk_popover_menu_new_from_model (NULL);
  scope_popup_keep (widget, KEY, popover);
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  g_signal_connect (popover, "closed", G_CALLBACK (closed_cb), NULL);
  return popover;
}

static gboolean
present_cb (gpointer user_data)
{
  GtkPopover *popover = user_data;

  if (gtk_widget_get_mapped (GTK_WIDGET (popover)) &&
      gtk_native_get_surface (GTK_NATIVE (popover)) != NULL)
    gtk_popover_present (popover);
  return G_SOURCE_REMOVE;
}

/* GTK 4.8 draws lines between the parts of a menu once the actions in them are known, which makes
 * it higher, and keeps the height that it had: it is asked again before it is drawn.  One that is
 * going has no surface any more. */
static void
measure_again (GtkWidget *popover)
{
  g_idle_add_full (GTK_PRIORITY_RESIZE - 1, present_cb, g_object_ref (popover), g_object_unref);
}

void
scope_popup_menu (GtkWidget *widget, GMenuModel *menu, double x, double y)
{
  g_return_if_fail (GTK_IS_WIDGET (widget) && G_IS_MENU_MODEL (menu));

  GtkWidget *popover = need_menu (widget);

  remember_focus (widget, popover);
  gtk_popover_menu_set_menu_model (GTK_POPOVER_MENU (popover), menu);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &(GdkRectangle){ (int) x, (int) y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (popover));
  measure_again (popover);
}
