/* SPDX-License-Identifier: MIT */
#include "app/scope-search-help.h"

#include <glib/gi18n.h>

#include "query/sym-query.h"

#define WIDTH 380
#define HEIGHT 420

struct _ScopeSearchHelp {
  GtkPopover parent_instance;
};

G_DEFINE_FINAL_TYPE (ScopeSearchHelp, scope_search_help, GTK_TYPE_POPOVER)

enum { CHOSEN, N_SIGNALS };

static guint signals[N_SIGNALS];

static const struct {
  const char *example, *meaning;
} questions[] = {
  { "conv 64", N_ ("both words, in names, types, shapes or what a layer has inside") },
  { "\"layer 1\"", N_ ("the words as they stand") },
  { "/^conv[0-9]+$/", N_ ("a regular expression") },
  { "relu OR gelu", N_ ("one or the other") },
  { "conv -relu", N_ ("the first without the second") },
  { "(add OR mul) -group:head", N_ ("parentheses join") },
  { "type:conv*d", N_ ("a star stands for anything, a question mark for one character") },
  { "type=Conv", N_ ("after = the whole text, not a part of it") },
  { "params:1M..20M", N_ ("from one number to another; k, M, G, Ki, Mi and Gi are known") },
  { "kernel:3", N_ ("any attribute of a layer is a field, too") },
};

static void
add_row (GtkListBox *list, const char *example, const char *meaning)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *title = gtk_label_new (example);
  GtkWidget *subtitle = gtk_label_new (meaning);
  g_autofree char *both = g_strdup_printf ("%s, %s", example, meaning);

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_xalign (GTK_LABEL (subtitle), 0);
  gtk_label_set_wrap (GTK_LABEL (subtitle), TRUE);
  gtk_widget_add_css_class (title, "monospace");
  gtk_widget_add_css_class (subtitle, "caption");
  gtk_widget_add_css_class (subtitle, "dim-label");
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), subtitle);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, both, -1);
  g_object_set_data_full (G_OBJECT (row), "example", g_strdup (example), g_free);
  gtk_list_box_append (list, row);
}

static void
row_activated_cb (ScopeSearchHelp *self, GtkListBoxRow *row)
{
  gtk_popover_popdown (GTK_POPOVER (self));
  g_signal_emit (self, signals[CHOSEN], 0, g_object_get_data (G_OBJECT (row), "example"));
}

static GtkListBox *
add_list (ScopeSearchHelp *self, GtkWidget *box, const char *title)
{
  GtkWidget *heading = gtk_label_new (title);
  GtkWidget *list = gtk_list_box_new ();

  gtk_label_set_xalign (GTK_LABEL (heading), 0);
  gtk_widget_add_css_class (heading, "heading");
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_widget_add_css_class (list, "examples");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  g_signal_connect_swapped (list, "row-activated", G_CALLBACK (row_activated_cb), self);
  gtk_box_append (GTK_BOX (box), heading);
  gtk_box_append (GTK_BOX (box), list);
  return GTK_LIST_BOX (list);
}

/* Its many rows are made when it is first looked at. */
static void
fill (ScopeSearchHelp *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  guint n;
  const SymQueryFieldInfo *fields = sym_query_get_fields (&n);

  if (gtk_popover_get_child (GTK_POPOVER (self)) != NULL)
    return;
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_top (box, 12);
  gtk_widget_set_margin_bottom (box, 12);
  GtkListBox *list = add_list (self, box, _ ("Questions"));

  for (guint i = 0; i < G_N_ELEMENTS (questions); i++)
    add_row (list, questions[i].example, _ (questions[i].meaning));
  list = add_list (self, box, _ ("Fields"));
  for (guint i = 0; i < n; i++)
    add_row (list, fields[i].example, fields[i].meaning);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_size_request (scroller, WIDTH, HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), box);
  gtk_popover_set_child (GTK_POPOVER (self), scroller);
}

static void
scope_search_help_show (GtkWidget *widget)
{
  fill (SCOPE_SEARCH_HELP (widget));
  GTK_WIDGET_CLASS (scope_search_help_parent_class)->show (widget);
}

static void
scope_search_help_class_init (ScopeSearchHelpClass *klass)
{
  GTK_WIDGET_CLASS (klass)->show = scope_search_help_show;
  signals[CHOSEN] = g_signal_new ("chosen", SCOPE_TYPE_SEARCH_HELP, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static gboolean
go_to_end_cb (gpointer self)
{
  GtkRoot *root = gtk_widget_get_root (self);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (GTK_IS_EDITABLE (focus))
    gtk_editable_set_position (GTK_EDITABLE (focus), -1);
  return G_SOURCE_REMOVE;
}

/* GTK selects all that the entry has when it gives the keyboard back, as the popover goes: what is
 * typed next would replace it. */
static void
closed_cb (ScopeSearchHelp *self)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, go_to_end_cb, g_object_ref (self), g_object_unref);
}

static void
scope_search_help_init (ScopeSearchHelp *self)
{
  gtk_widget_add_css_class (GTK_WIDGET (self), "search-help");
  g_signal_connect (self, "closed", G_CALLBACK (closed_cb), NULL);
}

void
scope_search_help_open (ScopeSearchHelp *self, GtkWidget *below)
{
  g_return_if_fail (SCOPE_IS_SEARCH_HELP (self) && GTK_IS_WIDGET (below));

  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (self));
  int width = gtk_widget_get_width (below), height = gtk_widget_get_height (below);
  double x, y;

  if (gtk_widget_translate_coordinates (below, parent, 0, 0, &x, &y))
    gtk_popover_set_pointing_to (GTK_POPOVER (self),
                                 &(GdkRectangle){ (int) x, (int) y, width, height });
  gtk_popover_popup (GTK_POPOVER (self));
}
