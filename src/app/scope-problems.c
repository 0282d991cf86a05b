/* SPDX-License-Identifier: MIT */
#include "app/scope-problems.h"

#include <glib/gi18n.h>

#include "app/scope-menu.h"
#include "app/scope-text.h"
#include "core/sym-opaque.h"

#define MAX_ROWS 200
#define WIDTH 460       /* pixels, as the list has */
#define MOST_HEIGHT 400 /* that are seen without scrolling */

struct _ScopeProblems {
  GtkWidget parent_instance;

  ScopeDocument *document;
  SymModel *model;      /* that these are of; NULL without a graph */
  SymProblems *of_file; /* rows borrow theirs from it */
  guint n_rows;

  GtkWidget *button;
  GtkWidget *popover;
  GtkWidget *content;
  GtkWidget *scroller;
  GtkWidget *list;
  GtkWidget *rest;
};

G_DEFINE_FINAL_TYPE (ScopeProblems, scope_problems, GTK_TYPE_WIDGET)

static GtkWidget *
create_label (const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  return label;
}

static void
add_row (ScopeProblems *self, const SymProblem *problem)
{
  const char *severity = sym_severity_to_string (problem->severity);
  g_autofree char *where = problem->line > 0
                               ? g_strdup_printf (_ ("%s, line %u"), severity, problem->line)
                               : g_strdup (severity);
  g_autofree char *message = scope_text_sentence (problem->message);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *row = gtk_list_box_row_new ();
  gboolean leads = problem->value != SYM_NO_ID || problem->call != SYM_NO_ID;

  gtk_box_append (GTK_BOX (box), create_label (message, NULL));
  gtk_box_append (GTK_BOX (box), create_label (where, "dim-label"));
  gtk_widget_add_css_class (box, "problem");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), leads);
  g_object_set_data (G_OBJECT (row), "problem", (gpointer) problem);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

static void
add_rows (ScopeProblems *self, const SymProblems *problems, SymSeverity severity)
{
  guint n = sym_problems_get_n (problems);

  for (guint i = 0; i < n && self->n_rows < MAX_ROWS; i++)
    {
      const SymProblem *problem = sym_problems_get (problems, i);

      if (problem->severity != severity)
        continue;
      add_row (self, problem);
      self->n_rows++;
    }
}

/* What is only worth knowing is no problem. */
static guint
count (const SymProblems *problems, gboolean with_notes)
{
  guint n = sym_problems_get_n (problems), found = 0;

  for (guint i = 0; i < n; i++)
    if (with_notes || sym_problems_get (problems, i)->severity != SYM_SEVERITY_NOTE)
      found++;
  return found + sym_problems_get_n_dropped (problems) -
         (with_notes ? 0 : sym_problems_count_dropped (problems, SYM_SEVERITY_NOTE));
}

/* That there are more than rows. */
static void
show_rest (ScopeProblems *self, guint n_all)
{
  g_autofree char *number = scope_format_count (n_all);
  g_autofree char *text = g_strdup_printf (
      _ ("These are the first %u of %s. “symscope check” lists more."), self->n_rows, number);

  gtk_label_set_text (GTK_LABEL (self->rest), text);
  gtk_widget_set_visible (self->rest, n_all > self->n_rows);
}

/* A popover takes what it has to, not what it would like to.  Before it opens, as measuring many
 * rows takes time that typing a shape is not to wait for. */
static void
make_room_cb (GtkMenuButton *button, gpointer user_data)
{
  ScopeProblems *self = user_data;
  int height = 0;

  gtk_widget_measure (self->list, GTK_ORIENTATION_VERTICAL, WIDTH, NULL, &height, NULL, NULL);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (self->scroller),
                                              MIN (height, MOST_HEIGHT));
}

static void
show_count (ScopeProblems *self, const SymProblems *of_file, const SymProblems *of_types)
{
  guint n = count (of_file, FALSE) + count (of_types, FALSE);
  guint n_all = count (of_file, TRUE) + count (of_types, TRUE);
  g_autofree char *number = scope_format_count (n > 0 ? n : n_all);
  g_autofree char *text = n > 0
                              ? g_strdup_printf (ngettext ("%s problem", "%s problems", n), number)
                              : g_strdup_printf (ngettext ("%s note", "%s notes", n_all), number);

  g_object_set (self->content, "label", text, "icon-name",
                n > 0 ? "dialog-warning-symbolic" : "dialog-information-symbolic", NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  text, -1);
  gtk_widget_set_visible (GTK_WIDGET (self), n_all > 0);
  show_rest (self, n_all);
}

static void
forget_file (ScopeProblems *self)
{
  g_clear_pointer (&self->of_file, sym_problems_unref);
  g_clear_pointer (&self->model, sym_model_unref);
}

/* What was wrong when it was read, and what nobody here knows of it: the same at all shapes. */
static const SymProblems *
list_of_file (ScopeProblems *self, SymModel *model)
{
  g_autoptr (SymProblems) opaque = NULL;

  if (self->model == model)
    return self->of_file;
  forget_file (self);
  opaque = sym_model_tell_opaque (model);
  self->model = sym_model_ref (model);
  self->of_file = sym_problems_new ();
  sym_problems_append (self->of_file, sym_model_get_problems (model));
  sym_problems_append (self->of_file, opaque);
  return self->of_file;
}

/* The worst first. */
static void
show_problems (ScopeProblems *self)
{
  static const SymSeverity severities[] = { SYM_SEVERITY_ERROR, SYM_SEVERITY_WARNING,
                                            SYM_SEVERITY_NOTE };
  SymInference *inference = scope_document_get_inference (self->document);
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), row);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  self->n_rows = 0;
  if (inference == NULL)
    {
      forget_file (self);
      return;
    }
  const SymProblems *of_file = list_of_file (self, sym_inference_get_model (inference));
  const SymProblems *of_types = sym_inference_get_problems (inference);

  for (guint i = 0; i < G_N_ELEMENTS (severities); i++)
    {
      add_rows (self, of_types, severities[i]);
      add_rows (self, of_file, severities[i]);
    }
  show_count (self, of_file, of_types);
}

static void
row_activated_cb (ScopeProblems *self, GtkListBoxRow *row)
{
  const SymProblem *problem = g_object_get_data (G_OBJECT (row), "problem");

  if (problem->value != SYM_NO_ID)
    scope_document_select_value (self->document, problem->value);
  else
    scope_document_select_call (self->document, problem->call);
  gtk_popover_popdown (GTK_POPOVER (self->popover));
}

static void
document_changed_cb (ScopeProblems *self, guint changes)
{
  if (changes & SCOPE_CHANGE_MODEL)
    forget_file (self);
  if (changes & (SCOPE_CHANGE_MODEL | SCOPE_CHANGE_TYPES))
    show_problems (self);
}

static void
scope_problems_dispose (GObject *object)
{
  ScopeProblems *self = SCOPE_PROBLEMS (object);

  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->document);
  g_clear_pointer (&self->button, gtk_widget_unparent);
  forget_file (self);
  G_OBJECT_CLASS (scope_problems_parent_class)->dispose (object);
}

static void
scope_problems_class_init (ScopeProblemsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_problems_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-problems.ui");
  gtk_widget_class_bind_template_child (widget_class, ScopeProblems, button);
  gtk_widget_class_bind_template_child (widget_class, ScopeProblems, popover);
  gtk_widget_class_bind_template_child (widget_class, ScopeProblems, content);
  gtk_widget_class_bind_template_child (widget_class, ScopeProblems, scroller);
  gtk_widget_class_bind_template_child (widget_class, ScopeProblems, list);
  gtk_widget_class_bind_template_child (widget_class, ScopeProblems, rest);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
}

static void
scope_problems_init (ScopeProblems *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  scope_menu_hush (self->button);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->button), make_room_cb, self, NULL);
}

void
scope_problems_set_document (ScopeProblems *self, ScopeDocument *document)
{
  g_return_if_fail (SCOPE_IS_PROBLEMS (self) && self->document == NULL);

  self->document = g_object_ref (document);
  g_signal_connect_swapped (document, "changed", G_CALLBACK (document_changed_cb), self);
  show_problems (self);
}
