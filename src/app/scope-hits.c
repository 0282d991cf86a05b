/* SPDX-License-Identifier: MIT */
#include "app/scope-hits.h"

#include <glib/gi18n.h>

#include "app/scope-access.h"
#include "app/scope-cut.h"
#include "app/scope-elided.h"
#include "app/scope-tip.h"

#define MAX_HEIGHT 112 /* pixels: four of them */

struct _ScopeHits {
  GtkWidget parent_instance;

  GtkWidget *scroller;
  GtkWidget *list;
};

G_DEFINE_FINAL_TYPE (ScopeHits, scope_hits, GTK_TYPE_WIDGET)

enum { CHOSEN, N_SIGNALS };

static guint signals[N_SIGNALS];

static void
row_activated_cb (ScopeHits *self, GtkListBoxRow *row)
{
  g_signal_emit (self, signals[CHOSEN], 0,
                 GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "hit")));
}

static void
scope_hits_dispose (GObject *object)
{
  g_clear_pointer (&SCOPE_HITS (object)->scroller, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_hits_parent_class)->dispose (object);
}

static void
scope_hits_class_init (ScopeHitsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_hits_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  signals[CHOSEN] = g_signal_new ("chosen", SCOPE_TYPE_HITS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
scope_hits_init (ScopeHits *self)
{
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->list, "hits");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Groups and layers found"), -1);
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (row_activated_cb), self);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scroller), MAX_HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->list);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

/* Of a scope with those around it: many are called alike. */
static char *
format_group (SymGroups *groups, guint group)
{
  const SymGroup *what = sym_groups_get (groups, group);
  GString *text = g_string_new (what->name);

  while (what->kind == SYM_GROUP_SCOPE && what->parent != SYM_NO_GROUP)
    {
      what = sym_groups_get (groups, what->parent);
      if (what->kind != SYM_GROUP_SCOPE)
        break;
      g_string_prepend_c (text, '/');
      g_string_prepend (text, what->name);
    }
  return g_string_free (text, FALSE);
}

static char *
format_name (ScopeDocument *document, const SymQueryItem *item)
{
  SymQueryIndex *index = sym_query_result_get_index (scope_document_get_hits (document));
  const char *name;

  if (item->kind == SYM_QUERY_GROUP)
    return format_group (sym_query_index_get_groups (index), item->group);
  name = sym_model_get_call_name (scope_document_get_model (document), item->call);
  return g_strdup (name != NULL ? name : "?");
}

static char *
format_kind (ScopeDocument *document, const SymQueryItem *item)
{
  SymQueryIndex *index = sym_query_result_get_index (scope_document_get_hits (document));
  SymModel *model = scope_document_get_model (document);

  if (item->kind != SYM_QUERY_GROUP)
    return g_strdup (sym_layer_get_type (sym_model_get_layer (model, item->call)));
  guint n = sym_groups_get (sym_query_index_get_groups (index), item->group)->n_calls;

  g_autofree char *count = scope_format_count (n);

  return g_strdup_printf (ngettext ("group of %s layer", "group of %s layers", n), count);
}

static GtkWidget *
create_row (ScopeDocument *document, guint hit)
{
  SymQueryItem item = sym_query_result_get (scope_document_get_hits (document), hit).item;
  g_autofree char *name = format_name (document, &item);
  g_autofree char *text = format_kind (document, &item);
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *title = gtk_label_new (name), *kind = gtk_label_new (text);
  g_autofree char *reason = sym_query_result_explain (scope_document_get_hits (document), hit);
  g_autofree char *sentence = NULL;

  gtk_label_set_ellipsize (GTK_LABEL (title), scope_elided_choose (name));
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_add_css_class (kind, "dim-label");
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), kind);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  scope_tip_set (row, reason);
  sentence = g_strdup_printf ("%s, %s", name, text);
  scope_access_name (row, sentence);
  g_object_set_data (G_OBJECT (row), "hit", GUINT_TO_POINTER (hit));
  return row;
}

void
scope_hits_show (ScopeHits *self, ScopeDocument *document)
{
  g_return_if_fail (SCOPE_IS_HITS (self));

  SymQueryResult *hits = scope_document_get_hits (document);
  guint first = scope_document_get_found (document).n;
  guint n = hits != NULL ? sym_query_result_get_n (hits) : 0;
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), row);
  for (guint i = first; i < n && i < first + SCOPE_HITS_MAX; i++)
    gtk_list_box_append (GTK_LIST_BOX (self->list), create_row (document, i));
  gtk_widget_set_visible (GTK_WIDGET (self), n > first);
}
