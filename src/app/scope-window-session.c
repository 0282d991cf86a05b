/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

#include "app/scope-application.h"

#define LEAST_SIZE 300 /* pixels; what a file has may be anything */
#define MOST_SIZE 16384
#define MAX_TABS 500

#define SIDE_PANELS (SCOPE_PANEL_SUMMARY | SCOPE_PANEL_INSPECTOR)
#define ALL_PANELS (SIDE_PANELS | SCOPE_PANEL_LEGEND | SCOPE_PANEL_MINIMAP)

void
scope_window_touch (ScopeWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  if (application != NULL)
    scope_application_touch_session (SCOPE_APPLICATION (application));
}

/* ---- To a key file ---- */

/* Of a graph that is still to be looked at as before, or whose groups are being found anew, it is
 * not known how it is looked at, but what was decided about it. */
static void
save_memory (ScopePage *page, GKeyFile *file, const char *group)
{
  ScopeDocument *document = scope_page_get_document (page);
  const ScopeMemory *remembered = scope_document_get_remembered (document);
  ScopeMiddle middle = scope_canvas_get_middle (scope_page_get_canvas (page));
  g_autoptr (ScopeMemory) memory = scope_window_gave_up (document)
                                       ? scope_memory_new_saved (document, &middle)
                                       : scope_memory_new (document, &middle);

  if (remembered != NULL || memory != NULL)
    scope_memory_save (remembered != NULL ? remembered : memory, file, group);
  if (remembered != NULL && memory != NULL)
    scope_memory_save_decisions (memory, file, group);
}

/* FALSE for one that has no file: it cannot be opened again. */
static gboolean
save_page (ScopePage *page, GKeyFile *file, const char *group)
{
  ScopeDocument *document = scope_page_get_document (page);
  GFile *graph = scope_document_get_file (document);

  if (graph == NULL)
    return FALSE;
  g_autofree char *uri = g_file_get_uri (graph);

  g_key_file_set_string (file, group, "uri", uri);
  if (scope_document_get_weights (document) != NULL)
    {
      g_autofree char *weights = g_file_get_uri (scope_document_get_weights (document));

      g_key_file_set_string (file, group, "weights", weights);
    }
  save_memory (page, file, group);
  return TRUE;
}

static void
save_size (ScopeWindow *self, GKeyFile *file, const char *group)
{
  ScopePanels panels = self->panels;
  int width, height;

  if (self->room != SCOPE_ROOM_WIDE)
    panels = (panels & ~SIDE_PANELS) | self->wide_panels;
  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  g_key_file_set_integer (file, group, "width", width);
  g_key_file_set_integer (file, group, "height", height);
  g_key_file_set_boolean (file, group, "maximized", gtk_window_is_maximized (GTK_WINDOW (self)));
  g_key_file_set_integer (file, group, "panels", (int) panels);
}

gboolean
scope_window_save (ScopeWindow *self, GKeyFile *file, const char *group)
{
  g_return_val_if_fail (SCOPE_IS_WINDOW (self), FALSE);

  int n = 0, selected = 0;

  for (guint i = 0; i < scope_window_get_n_tabs (self); i++)
    {
      ScopePage *page = scope_window_get_nth_page (self, i);
      g_autofree char *tab = g_strdup_printf ("%s tab %d", group, n);

      if (page == NULL || !save_page (page, file, tab))
        continue;
      if (page == scope_window_get_page (self))
        selected = n;
      n++;
    }
  if (n == 0)
    return FALSE;
  g_key_file_set_integer (file, group, "tabs", n);
  g_key_file_set_integer (file, group, "selected", selected);
  save_size (self, file, group);
  return TRUE;
}

/* ---- And back ---- */

static void
restore_size (ScopeWindow *self, GKeyFile *file, const char *group)
{
  int width = g_key_file_get_integer (file, group, "width", NULL);
  int height = g_key_file_get_integer (file, group, "height", NULL);

  if (width >= LEAST_SIZE && height >= LEAST_SIZE && width <= MOST_SIZE && height <= MOST_SIZE)
    gtk_window_set_default_size (GTK_WINDOW (self), width, height);
  if (g_key_file_get_boolean (file, group, "maximized", NULL))
    gtk_window_maximize (GTK_WINDOW (self));
}

static void
restore_panels (ScopeWindow *self, GKeyFile *file, const char *group)
{
  ScopePanels panels =
      (ScopePanels) g_key_file_get_integer (file, group, "panels", NULL) & ALL_PANELS;

  if (!g_key_file_has_key (file, group, "panels", NULL))
    return;
  self->wide_panels = panels & SIDE_PANELS;
  self->panels = self->room == SCOPE_ROOM_WIDE ? panels : panels & ~SIDE_PANELS;
}

static AdwTabPage *
restore_tab (ScopeWindow *self, GKeyFile *file, const char *group)
{
  g_autofree char *uri = g_key_file_get_string (file, group, "uri", NULL);
  g_autofree char *weights = g_key_file_get_string (file, group, "weights", NULL);

  if (uri == NULL)
    return NULL;
  g_autoptr (GFile) graph = g_file_new_for_uri (uri);
  g_autoptr (ScopeDocument) document = scope_document_new_for_file (graph);
  AdwTabPage *tab = scope_window_add_document (self, document);
  ScopeCanvas *canvas = scope_page_get_canvas (SCOPE_PAGE (adw_tab_page_get_child (tab)));
  ScopeMemory *memory = scope_memory_load (file, group);
  ScopeMiddle middle = scope_memory_get_middle (memory);

  /* One that was closed before its graph was there has nothing to be brought back. */
  if (g_key_file_has_key (file, group, "drawing", NULL))
    scope_document_remember (document, memory);
  else
    scope_memory_unref (memory);
  scope_canvas_show_middle (canvas, &middle);
  if (weights != NULL && g_file_peek_path (graph) != NULL)
    {
      g_autoptr (GFile) chosen = g_file_new_for_uri (weights);

      scope_document_choose_weights (document, chosen);
    }
  return tab;
}

void
scope_window_restore (ScopeWindow *self, GKeyFile *file, const char *group)
{
  g_return_if_fail (SCOPE_IS_WINDOW (self));

  int n = CLAMP (g_key_file_get_integer (file, group, "tabs", NULL), 0, MAX_TABS);
  int selected = g_key_file_get_integer (file, group, "selected", NULL);
  AdwTabPage *front = NULL;

  restore_size (self, file, group);
  restore_panels (self, file, group);
  for (int i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s tab %d", group, i);
      AdwTabPage *tab = restore_tab (self, file, name);

      if (i == selected && tab != NULL)
        front = tab;
    }
  if (front != NULL)
    adw_tab_view_set_selected_page (self->tabs, front);
  scope_window_show_page (self);
}
