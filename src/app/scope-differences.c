/* SPDX-License-Identifier: MIT */
#include "app/scope-differences.h"

#include <glib/gi18n.h>

#include "app/scope-access.h"
#include "app/scope-text.h"

struct _ScopeDifferences {
  GtkWidget parent_instance;

  GtkWidget *scroller;
  GtkWidget *list;
};

G_DEFINE_FINAL_TYPE (ScopeDifferences, scope_differences, GTK_TYPE_WIDGET)

enum { CHOSEN, N_SIGNALS };

static guint signals[N_SIGNALS];

#define WIDTH 320      /* pixels */
#define MAX_HEIGHT 320 /* likewise */
#define NO_STEP G_MAXUINT

static void
row_activated_cb (ScopeDifferences *self, GtkListBoxRow *row)
{
  guint step = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "step"));

  if (step != NO_STEP)
    g_signal_emit (self, signals[CHOSEN], 0, step);
}

static void
scope_differences_dispose (GObject *object)
{
  g_clear_pointer (&SCOPE_DIFFERENCES (object)->scroller, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_differences_parent_class)->dispose (object);
}

static void
scope_differences_class_init (ScopeDifferencesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_differences_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  signals[CHOSEN] = g_signal_new ("chosen", SCOPE_TYPE_DIFFERENCES, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
scope_differences_init (ScopeDifferences *self)
{
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->list, "hits");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Differences"), -1);
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (row_activated_cb), self);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scroller), MAX_HEIGHT);
  gtk_widget_set_size_request (self->scroller, WIDTH, -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->list);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}

/* ---- Rows ---- */

static GtkWidget *
create_label (const char *text, const char *class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (class != NULL)
    gtk_widget_add_css_class (label, class);
  return label;
}

static GtkWidget *
create_row (const char *name, const char *kind, const char *details, guint step)
{
  GtkWidget *row = gtk_list_box_row_new (), *lines = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *title = create_label (name, NULL);
  g_autofree char *sentence = g_strjoin (", ", name, kind, *details != '\0' ? details : NULL, NULL);

  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_box_append (GTK_BOX (line), title);
  gtk_box_append (GTK_BOX (line), create_label (kind, "dim-label"));
  gtk_box_append (GTK_BOX (lines), line);
  if (*details != '\0')
    {
      GtkWidget *label = create_label (details, "caption");

      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
      gtk_label_set_lines (GTK_LABEL (label), 3);
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_box_append (GTK_BOX (lines), label);
    }
  gtk_widget_set_valign (lines, GTK_ALIGN_CENTER);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), lines);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), step != NO_STEP);
  scope_access_name (row, sentence);
  g_object_set_data (G_OBJECT (row), "step", GUINT_TO_POINTER (step));
  return row;
}

static void
add_step (ScopeDifferences *self, const ScopeComparison *comparison, guint step)
{
  SymCompareEntry entry = scope_comparison_get_step (comparison, step);
  g_autofree char *details = scope_comparison_tell (comparison, &entry);
  g_autofree char *name =
      g_strdup_printf ("%s · %s", scope_comparison_get_name (comparison, &entry),
                       scope_comparison_get_type (comparison, &entry));

  gtk_list_box_append (GTK_LIST_BOX (self->list),
                       create_row (name, scope_comparison_tell_kind (entry.kind), details, step));
}

/* Inputs and outputs of the graph as a whole, which are at no layer. */
static void
add_models (ScopeDifferences *self, const ScopeComparison *comparison)
{
  g_autofree char *details = scope_comparison_tell_models (comparison);

  if (*details != '\0')
    gtk_list_box_append (GTK_LIST_BOX (self->list),
                         create_row (_ ("The graph"),
                                     scope_comparison_tell_kind (SYM_COMPARE_CHANGED), details,
                                     NO_STEP));
}

static void
add_note (ScopeDifferences *self, const char *text)
{
  GtkWidget *row = create_row (text, "", "", NO_STEP);

  gtk_widget_add_css_class (row, "dim-label");
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

static void
add_rest (ScopeDifferences *self, guint n)
{
  g_autofree char *rest = NULL;

  if (n <= SCOPE_DIFFERENCES_MAX)
    return;
  rest = g_strdup_printf (ngettext ("and %u more", "and %u more", n - SCOPE_DIFFERENCES_MAX),
                          n - SCOPE_DIFFERENCES_MAX);
  add_note (self, rest);
}

static void
show_comparison (ScopeDifferences *self, const ScopeComparison *comparison)
{
  guint n = scope_comparison_get_n_steps (comparison);

  add_models (self, comparison);
  for (guint i = 0; i < MIN (n, SCOPE_DIFFERENCES_MAX); i++)
    add_step (self, comparison, i);
  add_rest (self, n);
  if (gtk_widget_get_first_child (self->list) == NULL)
    add_note (self, _ ("No layer differs"));
}

/* ---- Numbers of a file ---- */

char *
scope_differences_tell_far (ScopeDocument *document, SymId value)
{
  const ScopeDistances *distances = scope_document_get_distances (document);
  const SymDistance *distance = scope_distances_get (distances, value);
  const char *note = scope_distances_get_note (distances, value);
  g_autofree char *largest = distance != NULL ? scope_text_number (distance->max) : NULL;
  g_autofree char *text =
      largest != NULL ? g_strdup_printf (_ ("largest difference %s"), largest) : NULL;

  return text != NULL && note != NULL ? g_strjoin (", ", text, note, NULL)
                                      : g_strdup (text != NULL ? text : note);
}

static void
add_far (ScopeDifferences *self, ScopeDocument *document, SymId value, guint step)
{
  SymModel *model = scope_document_get_model (document);
  g_autofree char *name = scope_text_layer (model, value, sym_model_get_producer (model, value));
  g_autofree char *details = scope_differences_tell_far (document, value);

  gtk_list_box_append (GTK_LIST_BOX (self->list),
                       create_row (name, _ ("other numbers"), details, step));
}

static void
show_numbers (ScopeDifferences *self, ScopeDocument *document, const ScopeDistances *distances)
{
  guint n_far, n = 0, next = 0;
  const SymId *far = scope_distances_get_far (distances, &n_far);
  const char *name, *why;

  for (guint i = 0; i < MIN (n_far, SCOPE_DIFFERENCES_MAX); i++)
    add_far (self, document, far[i], i);
  add_rest (self, n_far);
  while (scope_distances_next_unlike (distances, &next, &name, &why))
    if (n++ < SCOPE_DIFFERENCES_MAX)
      gtk_list_box_append (GTK_LIST_BOX (self->list),
                           create_row (name, _ ("not compared"), why, NO_STEP));
  add_rest (self, n);
  if (gtk_widget_get_first_child (self->list) == NULL)
    add_note (self, _ ("All numbers are the same within 0.1 %"));
}

void
scope_differences_show (ScopeDifferences *self, ScopeDocument *document)
{
  g_return_if_fail (SCOPE_IS_DIFFERENCES (self));

  const ScopeComparison *comparison = scope_document_get_comparison (document);
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), row);
  if (comparison != NULL)
    show_comparison (self, comparison);
  else if (scope_document_get_expected (document) == NULL)
    return;
  else if (scope_document_get_distances (document) != NULL)
    show_numbers (self, document, scope_document_get_distances (document));
  else
    add_note (self, _ ("Nothing has been run yet"));
}
