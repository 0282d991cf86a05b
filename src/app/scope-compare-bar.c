/* SPDX-License-Identifier: MIT */
#include "app/scope-compare-bar.h"

#include <glib/gi18n.h>

#include "app/scope-beside.h"
#include "app/scope-column.h"
#include "app/scope-differences.h"
#include "app/scope-elided.h"
#include "app/scope-menu.h"
#include "app/scope-text.h"
#include "app/scope-wrapped.h"

struct _ScopeCompareBar {
  GtkWidget parent_instance;

  ScopeDocument *document;
  gboolean is_syncing;

  GtkWidget *box;
  GtkWidget *text;
  GtkWidget *details;
  GtkWidget *spinner;
  GtkWidget *previous;
  GtkWidget *next;
  GtkWidget *list;
  GtkWidget *differences;
  GtkWidget *other;
  GtkWidget *weights;
  GtkWidget *numbers;
};

G_DEFINE_FINAL_TYPE (ScopeCompareBar, scope_compare_bar, GTK_TYPE_WIDGET)

/* ---- What it says ---- */

/* What runs of both have come to; NULL unless there are such. */
static char *
describe_numbers (ScopeDocument *document)
{
  const ScopeDistances *distances = scope_document_get_distances (document);
  const GError *error = scope_document_get_measure_error (document);

  if (scope_document_is_measuring (document))
    return g_strdup (_ ("measuring how far their numbers are apart…"));
  if (error != NULL)
    return g_strdup_printf (_ ("their numbers cannot be compared: %s"), error->message);
  SymId first = distances != NULL ? scope_distances_get_first (distances) : SYM_NO_ID;

  if (distances == NULL || (first == SYM_NO_ID && scope_distances_get_n (distances) == 0))
    return NULL;
  if (first == SYM_NO_ID)
    return g_strdup (_ ("the same numbers within 0.1 %"));
  /* Translators: %s is the name of a value */
  return g_strdup_printf (_ ("other numbers from “%s” on"),
                          scope_text_name (scope_document_get_model (document), first));
}

/* What the last run has come to beside numbers of a file. */
static char *
describe_expected (ScopeDocument *document, const SymReference *expected)
{
  const ScopeDistances *distances = scope_document_get_distances (document);
  g_autofree char *numbers = describe_numbers (document);
  guint n = 0, n_unlike = 0;
  const char *name, *why;

  if (numbers == NULL && distances == NULL)
    return g_strdup (_ ("a run tells how far its own are from them"));
  while (distances != NULL && scope_distances_next_unlike (distances, &n, &name, &why))
    n_unlike++;
  if (numbers == NULL)
    return g_strdup (_ ("none of them can be compared"));
  if (n_unlike == 0)
    return g_steal_pointer (&numbers);
  return g_strdup_printf (g_dngettext (NULL, "%s; %u of %u arrays cannot be compared",
                                       "%s; %u of %u arrays cannot be compared", n_unlike),
                          numbers, n_unlike, sym_reference_get_n (expected));
}

static char *
describe (ScopeDocument *document, const char *title)
{
  ScopeComparison *comparison = scope_document_get_comparison (document);
  SymReference *expected = scope_document_get_expected (document);
  const GError *error = scope_document_get_comparison_error (document);
  g_autofree char *summary = NULL;

  if (error != NULL)
    return g_strdup_printf (_ ("Cannot be compared with “%s”: %s"), title, error->message);
  if (expected != NULL)
    {
      summary = describe_expected (document, expected);
      return g_strdup_printf (_ ("Compared with the numbers of “%s”: %s"), title, summary);
    }
  if (comparison == NULL)
    return g_strdup_printf (_ ("Comparing with “%s”…"), title);
  summary = scope_comparison_summarise (comparison);
  g_autofree char *numbers = describe_numbers (document);

  if (numbers != NULL)
    return g_strdup_printf (_ ("Compared with “%s”: %s; %s"), title, summary, numbers);
  return g_strdup_printf (_ ("Compared with “%s”: %s"), title, summary);
}

/* A value of which a file has other numbers: "2 of 3: Elu “c”, other numbers (is ... and was ...)".
 */
static char *
describe_far (ScopeDocument *document, guint step)
{
  const ScopeDistances *distances = scope_document_get_distances (document);
  guint n;
  SymId value = scope_distances_get_far (distances, &n)[step];
  g_autofree char *what = scope_differences_tell_far (document, value);
  g_autofree char *layer =
      scope_text_layer (scope_document_get_model (document), value,
                        sym_model_get_producer (scope_document_get_model (document), value));

  /* Translators: "2 of 3: conv0 (Convolution), largest difference 0.5" */
  return g_strdup_printf (_ ("%u of %u: %s, %s"), step + 1, n, layer, what);
}

/* The difference that was gone to: "2 of 3: Elu “c”, changed (alpha: 1.5 → 2.5)". */
static char *
describe_step (ScopeDocument *document)
{
  ScopeComparison *comparison = scope_document_get_comparison (document);
  guint step = scope_document_get_difference (document);

  if (step == G_MAXUINT)
    return NULL;
  if (comparison == NULL)
    return describe_far (document, step);
  SymCompareEntry entry = scope_comparison_get_step (comparison, step);
  g_autofree char *what = scope_comparison_tell (comparison, &entry);
  g_autofree char *text = g_strdup_printf (
      _ ("%u of %u: %s “%s”, %s"), step + 1, scope_comparison_get_n_steps (comparison),
      scope_comparison_get_type (comparison, &entry),
      scope_comparison_get_name (comparison, &entry), scope_comparison_tell_kind (entry.kind));

  return *what != '\0' ? g_strdup_printf ("%s (%s)", text, what) : g_steal_pointer (&text);
}

static void
show_details (ScopeCompareBar *self)
{
  g_autofree char *text = describe_step (self->document);

  gtk_label_set_text (GTK_LABEL (self->details), text != NULL ? text : "");
  gtk_widget_set_visible (self->details, text != NULL);
}

gboolean
scope_compare_bar_is_wanted (ScopeDocument *document)
{
  return scope_document_get_compared_title (document) != NULL;
}

static void
show_comparison (ScopeCompareBar *self)
{
  const char *title = scope_document_get_compared_title (self->document);
  gboolean has_steps = scope_document_get_n_differences (self->document) > 0;
  gboolean has_numbers = scope_document_get_expected (self->document) != NULL;
  gboolean is_comparing = scope_document_is_comparing (self->document);
  g_autofree char *text = title != NULL ? describe (self->document, title) : NULL;

  gtk_widget_set_visible (GTK_WIDGET (self), scope_compare_bar_is_wanted (self->document));
  scope_wrapped_set_text (self->text, text != NULL ? text : "");
  gtk_widget_set_visible (self->spinner, is_comparing);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), is_comparing);
  gtk_widget_set_sensitive (self->previous, has_steps);
  gtk_widget_set_sensitive (self->next, has_steps);
  gtk_widget_set_sensitive (self->list,
                            has_numbers || scope_document_get_comparison (self->document) != NULL);
  gtk_widget_set_visible (self->weights, !has_numbers);
  gtk_widget_set_visible (self->other, !has_numbers);
  self->is_syncing = TRUE;
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->numbers),
                               scope_document_get_compares_numbers (self->document));
  self->is_syncing = FALSE;
  if (gtk_widget_get_mapped (self->differences))
    scope_differences_show (SCOPE_DIFFERENCES (self->differences), self->document);
  show_details (self);
}

/* ---- Events ---- */

static void
document_changed_cb (ScopeCompareBar *self, guint changes)
{
  if (changes & (SCOPE_CHANGE_COMPARISON | SCOPE_CHANGE_MODEL))
    show_comparison (self);
  else if (changes & (SCOPE_CHANGE_COMPARISON_STEP | SCOPE_CHANGE_SELECTION))
    show_details (self);
}

static void
previous_cb (ScopeCompareBar *self)
{
  scope_document_step_difference (self->document, FALSE);
}

static void
next_cb (ScopeCompareBar *self)
{
  scope_document_step_difference (self->document, TRUE);
}

static void
listed_cb (ScopeCompareBar *self)
{
  scope_differences_show (SCOPE_DIFFERENCES (self->differences), self->document);
}

static void
chosen_cb (ScopeCompareBar *self, guint step)
{
  gtk_menu_button_popdown (GTK_MENU_BUTTON (self->list));
  scope_document_select_difference (self->document, step);
}

static void
numbers_cb (ScopeCompareBar *self)
{
  if (!self->is_syncing)
    scope_document_set_compares_numbers (
        self->document, gtk_check_button_get_active (GTK_CHECK_BUTTON (self->numbers)));
}

/* ---- Class ---- */

static void
scope_compare_bar_dispose (GObject *object)
{
  ScopeCompareBar *self = SCOPE_COMPARE_BAR (object);

  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->document);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_compare_bar_parent_class)->dispose (object);
}

#define BIND(child) gtk_widget_class_bind_template_child (widget_class, ScopeCompareBar, child)

static void
scope_compare_bar_class_init (ScopeCompareBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_compare_bar_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  g_type_ensure (SCOPE_TYPE_BESIDE);
  g_type_ensure (SCOPE_TYPE_COLUMN);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-compare-bar.ui");
  BIND (box);
  BIND (text);
  BIND (details);
  BIND (spinner);
  BIND (previous);
  BIND (next);
  BIND (list);
  BIND (differences);
  BIND (other);
  BIND (weights);
  BIND (numbers);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "win.end-comparison", NULL);
  gtk_widget_class_bind_template_callback (widget_class, previous_cb);
  gtk_widget_class_bind_template_callback (widget_class, next_cb);
  gtk_widget_class_bind_template_callback (widget_class, listed_cb);
  gtk_widget_class_bind_template_callback (widget_class, chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, numbers_cb);
}

static void
scope_compare_bar_init (ScopeCompareBar *self)
{
  g_type_ensure (SCOPE_TYPE_DIFFERENCES);
  gtk_widget_init_template (GTK_WIDGET (self));
  scope_elided_tell (self->details);
  scope_menu_hush (self->list);
}

GtkWidget *
scope_compare_bar_new (ScopeDocument *document)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (document), NULL);

  ScopeCompareBar *self = g_object_new (SCOPE_TYPE_COMPARE_BAR, NULL);

  self->document = g_object_ref (document);
  g_signal_connect_swapped (document, "changed", G_CALLBACK (document_changed_cb), self);
  show_comparison (self);
  return GTK_WIDGET (self);
}
