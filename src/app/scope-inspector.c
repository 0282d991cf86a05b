/* SPDX-License-Identifier: MIT */
#include "app/scope-inspector.h"

#include <glib/gi18n.h>

#include "app/scope-announce.h"
#include "app/scope-attributes.h"
#include "app/scope-changes.h"
#include "app/scope-column.h"
#include "app/scope-edge-page.h"
#include "app/scope-elided.h"
#include "app/scope-group-page.h"
#include "app/scope-group-path.h"
#include "app/scope-model-page.h"
#include "app/scope-naming.h"
#include "app/scope-node-facts.h"
#include "app/scope-node-links.h"
#include "app/scope-numbers.h"
#include "app/scope-section.h"
#include "app/scope-text.h"
#include "app/scope-tip.h"
#include "app/scope-wrapped.h"

struct _ScopeInspector {
  GtkWidget parent_instance;

  ScopeDocument *document;
  gboolean is_syncing;
  gconstpointer shown_overlay;
  guint shown_group; /* SYM_NO_GROUP while a node is shown */

  GtkWidget *stack;
  GtkWidget *nothing;
  GtkWidget *group_page; /* NULL until something is selected that is on it; so those below */
  GtkWidget *edge_page;
  GtkWidget *model_page;
  GtkWidget *scroller;
  GtkWidget *title;
  GtkWidget *sentence;
  GtkWidget *subtitle;
  GtkWidget *problem;
  GtkWidget *inside;
  GtkWidget *fold;
  GtkWidget *mark_output;
  GtkWidget *mark_input;
  ScopeSection *facts;
  ScopeSection *changes;
  ScopeSection *attributes;
  ScopeSection *defaults;
  ScopeSection *parameters;
  ScopeSection *parents;
  ScopeSection *children;
  ScopeSection *uses;
  ScopeSection *around;
  GtkWidget *numbers;
};

G_DEFINE_FINAL_TYPE (ScopeInspector, scope_inspector, GTK_TYPE_WIDGET)

/* ---- What is shown ---- */

static void
show_around (ScopeInspector *self, const ScopeShown *shown)
{
  SymFolding *folding = scope_document_get_folding (self->document);
  gboolean has_groups = folding != NULL && shown->call != SYM_NO_ID && !shown->is_inner;

  if (has_groups)
    scope_group_path_show (self->around, sym_folding_get_groups (folding),
                           sym_folding_get_frame (folding, shown->call));
  else
    scope_section_clear (self->around);
}

static void
show_subtitle (ScopeInspector *self, const ScopeShown *shown)
{
  SymSummary *summary = scope_document_get_summary (self->document);
  guint row = shown->value != SYM_NO_ID && !shown->is_inner
                  ? sym_summary_find_row (summary, shown->value)
                  : 0;
  g_autofree char *text = row > 0
                              ? g_strdup_printf (_ ("Row %u · depth %u"), row,
                                                 sym_model_get_depth (shown->model, shown->value))
                              : NULL;

  gtk_label_set_text (GTK_LABEL (self->subtitle), text != NULL ? text : "");
  gtk_widget_set_visible (self->subtitle, text != NULL);
}

/* Of a node in a body it is said that it is one. */
static void
show_inside (ScopeInspector *self, const ScopeShown *shown)
{
  const char *name =
      shown->is_inner ? sym_model_get_call_name (scope_document_get_model (self->document),
                                                 scope_document_get_selected_call (self->document))
                      : NULL;
  g_autofree char *text = g_strdup_printf (
      _ ("Inside of “%s”, to be looked at: marks, cuts and shapes are of the graph around it"),
      name != NULL ? name : "?");

  gtk_label_set_text (GTK_LABEL (self->inside), text);
  gtk_widget_set_visible (self->inside, shown->is_inner);
}

/* A button to open or close a layer that has bodies. */
static void
show_fold (ScopeInspector *self)
{
  g_autofree char *path = scope_document_get_selected_layer (self->document);
  gboolean is_open =
      path != NULL && sym_open_bodies_has (scope_document_get_open_bodies (self->document), path);

  gtk_widget_set_visible (self->fold, path != NULL);
  gtk_button_set_label (GTK_BUTTON (self->fold), is_open ? _ ("Close Layer") : _ ("Open Layer"));
  scope_tip_set (self->fold, is_open ? _ ("Draw only the layer (Backspace or −)")
                                     : _ ("Draw what is inside of it (Enter or +)"));
}

static void
show_head (ScopeInspector *self, const ScopeShown *shown)
{
  g_autofree char *sentence =
      scope_announce_node (self->document, scope_document_get_selected (self->document));
  const char *problem =
      shown->is_inner ? NULL : scope_document_get_call_problem (self->document, shown->call);
  const char *title = shown->value != SYM_NO_ID
                          ? scope_text_name (shown->model, shown->value)
                          : sym_model_get_call_name (shown->model, shown->call);

  gtk_label_set_text (GTK_LABEL (self->title), title != NULL ? title : "?");
  scope_wrapped_set_text (self->sentence, sentence != NULL ? sentence : "");
  show_subtitle (self, shown);
  gtk_label_set_text (GTK_LABEL (self->problem), problem != NULL ? problem : "");
  gtk_widget_set_visible (self->problem, problem != NULL);
}

static void
show_marks (ScopeInspector *self)
{
  SymId value = scope_document_get_selected_value (self->document);
  ScopeState *state = scope_document_get_state (self->document);
  gboolean has_value = value != SYM_NO_ID && state != NULL &&
                       scope_document_get_selected (self->document)->body == NULL;

  self->is_syncing = TRUE;
  gtk_widget_set_sensitive (self->mark_output, has_value);
  gtk_widget_set_sensitive (self->mark_input, has_value);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->mark_output),
                                has_value &&
                                    scope_state_has_mark (state, SCOPE_MARK_OUTPUT, value));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->mark_input),
                                has_value && scope_state_has_mark (state, SCOPE_MARK_INPUT, value));
  self->is_syncing = FALSE;
}

/* A selected frame, or the closed group that the selection is drawn as. */
static guint
find_group (ScopeInspector *self)
{
  guint frame = scope_document_get_selected_frame (self->document);

  if (scope_node_is_line (scope_document_get_selected (self->document)))
    return SYM_NO_GROUP;
  g_autofree char *text =
      scope_text_group (self->document, scope_document_get_selected_value (self->document),
                        scope_document_get_selected_call (self->document));

  if (frame != SYM_NO_GROUP || text == NULL)
    return frame;
  return scope_document_get_selected_group (self->document);
}

static ScopeShown
get_shown (ScopeInspector *self)
{
  const ScopeNode *node = scope_document_get_selected (self->document);
  ScopeShown shown = { scope_document_get_inference (self->document), NULL, node->value,
                       node->call };
  SymInference *inner = scope_document_get_inner_inference (self->document, node);

  if (inner != NULL)
    shown = (ScopeShown){ inner, NULL, node->inner_value, node->inner_call, TRUE };
  shown.model = shown.inference != NULL ? sym_inference_get_model (shown.inference) : NULL;
  return shown;
}

/* Before a value is selected, a graph that was opened needs none. */
static void
need_numbers (ScopeInspector *self)
{
  if (self->numbers != NULL)
    return;
  self->numbers = g_object_new (SCOPE_TYPE_NUMBERS, NULL);
  gtk_box_append (GTK_BOX (gtk_widget_get_parent (GTK_WIDGET (self->facts))), self->numbers);
}

static void
show_numbers (ScopeInspector *self, const ScopeShown *shown)
{
  const char *reason;
  SymRecord *record = scope_document_find_record (
      self->document, scope_document_get_selected (self->document), &reason);

  need_numbers (self);

  /* What a run has found is looked for first; else it is one thing among others. */
  gtk_box_reorder_child_after (GTK_BOX (gtk_widget_get_parent (self->numbers)), self->numbers,
                               GTK_WIDGET (record != NULL ? self->facts : self->parameters));
  scope_numbers_set_theme (SCOPE_NUMBERS (self->numbers),
                           scope_document_get_view (self->document)->theme);
  scope_numbers_set_made (
      SCOPE_NUMBERS (self->numbers),
      scope_document_is_made (self->document, scope_document_get_selected (self->document)));
  scope_numbers_show (SCOPE_NUMBERS (self->numbers), shown->model, record, reason, shown->value,
                      shown->call);
}

static void
show_node (ScopeInspector *self, const ScopeShown *shown)
{
  show_head (self, shown);
  show_inside (self, shown);
  show_fold (self);
  scope_node_facts_show (self->facts, self->document, shown);
  scope_changes_show (self->changes, self->document, shown->is_inner ? SYM_NO_ID : shown->call);
  scope_attributes_show (self->attributes, shown->model, shown->value, shown->call,
                         shown->is_inner);
  scope_attributes_show_defaults (self->defaults, shown->model, shown->call, shown->is_inner);
  scope_section_hand_focus (self->defaults, self->attributes);
  scope_section_hand_focus (self->attributes, self->defaults);
  scope_node_links_show_parents (self->parents, self->document, shown);
  scope_node_links_show_children (self->children, self->document, shown);
  scope_node_links_show_uses (self->uses, shown);
  show_around (self, shown);
  scope_node_links_show_parameters (self->parameters, self->document, shown);
  show_marks (self);
  show_numbers (self, shown);
}

static void
show_line (ScopeInspector *self)
{
  if (self->edge_page == NULL)
    {
      self->edge_page = g_object_new (SCOPE_TYPE_EDGE_PAGE, NULL);
      scope_edge_page_set_document (SCOPE_EDGE_PAGE (self->edge_page), self->document);
      gtk_stack_add_named (GTK_STACK (self->stack), self->edge_page, "edge");
    }
  scope_edge_page_show (SCOPE_EDGE_PAGE (self->edge_page));
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "edge");
}

static void
show_group (ScopeInspector *self, guint group)
{
  if (self->group_page == NULL)
    {
      self->group_page = g_object_new (SCOPE_TYPE_GROUP_PAGE, NULL);
      scope_group_page_set_document (SCOPE_GROUP_PAGE (self->group_page), self->document);
      gtk_stack_add_named (GTK_STACK (self->stack), self->group_page, "group");
    }
  scope_group_page_show (SCOPE_GROUP_PAGE (self->group_page), group);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "group");
}

static void
show_model (ScopeInspector *self)
{
  if (self->model_page == NULL)
    {
      self->model_page = scope_model_page_new (self->document);
      gtk_stack_add_named (GTK_STACK (self->stack), self->model_page, "model");
    }
  scope_model_page_show (SCOPE_MODEL_PAGE (self->model_page));
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "model");
}

/* Nothing is selected, or there is nothing yet. */
static void
show_nothing (ScopeInspector *self)
{
  if (scope_document_is_empty (self->document))
    gtk_label_set_text (GTK_LABEL (self->nothing), _ ("There is nothing to select"));
  else if (scope_document_get_inference (self->document) != NULL)
    {
      show_model (self);
      return;
    }
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "nothing");
}

static void
show_selected (ScopeInspector *self)
{
  ScopeShown shown = get_shown (self);
  gboolean shows = shown.inference != NULL && (shown.value != SYM_NO_ID || shown.call != SYM_NO_ID);
  guint group = shown.inference != NULL ? find_group (self) : SYM_NO_GROUP;

  self->shown_group = group;
  self->shown_overlay = scope_document_get_overlay (self->document);
  if (scope_document_knows_line (self->document, scope_document_get_selected (self->document)))
    {
      show_line (self);
      return;
    }
  if (group != SYM_NO_GROUP)
    {
      show_group (self, group);
      return;
    }
  if (!shows)
    {
      show_nothing (self);
      return;
    }
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "node");
  show_node (self, &shown);
}

/* ---- Events ---- */

static void
row_activated_cb (ScopeInspector *self, ScopeFact *fact)
{
  ScopeNode node = *scope_document_get_selected (self->document);
  SymId value = scope_fact_get_value (fact);

  if (value == SYM_NO_ID)
    return;
  if (scope_document_get_inner_inference (self->document, &node) == NULL)
    {
      scope_document_select_value (self->document, value);
      return;
    }
  node.inner_value = value;
  node.inner_call = SYM_NO_ID;
  scope_document_select_node (self->document, &node);
}

static void
group_activated_cb (ScopeInspector *self, ScopeFact *fact)
{
  scope_document_select_group (self->document, scope_fact_get_group (fact));
}

/* The first row of a value is its name, the row of a layer that of the layer. */
static void
fact_activated_cb (ScopeInspector *self, ScopeFact *fact)
{
  if (g_str_equal (scope_fact_get_title (fact), _ ("Layer")))
    scope_naming_edit_layer (self->document, fact);
  else
    scope_naming_edit_value (self->document, fact);
}

static void
attribute_activated_cb (ScopeInspector *self, ScopeFact *fact)
{
  scope_attributes_edit (self->document, scope_document_get_selected_call (self->document), fact);
}

/* A weight's row leads to its numbers. */
static void
parameter_activated_cb (ScopeInspector *self, ScopeFact *fact)
{
  SymId value = scope_fact_get_value (fact);

  double x, y;

  if (value == SYM_NO_ID)
    return;
  scope_numbers_choose (SCOPE_NUMBERS (self->numbers), value);
  if (gtk_widget_translate_coordinates (self->numbers, gtk_widget_get_parent (self->numbers), 0, 0,
                                        &x, &y))
    gtk_adjustment_set_value (
        gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller)), y);
}

static void
run_changed (ScopeInspector *self)
{
  ScopeShown shown = get_shown (self);

  if (shown.inference == NULL)
    return;
  if (scope_document_knows_line (self->document, scope_document_get_selected (self->document)))
    scope_edge_page_show_numbers (SCOPE_EDGE_PAGE (self->edge_page));
  else if (shown.value != SYM_NO_ID || shown.call != SYM_NO_ID)
    show_numbers (self, &shown);
}

static void
fold_cb (ScopeInspector *self)
{
  if (!scope_document_open_selected_layer (self->document))
    scope_document_close_layer_around (self->document);
}

static void
mark_output_cb (ScopeInspector *self)
{
  if (!self->is_syncing)
    scope_document_toggle_mark (self->document, SCOPE_MARK_OUTPUT,
                                scope_document_get_selected_value (self->document));
}

static void
mark_input_cb (ScopeInspector *self)
{
  if (!self->is_syncing)
    scope_document_toggle_mark (self->document, SCOPE_MARK_INPUT,
                                scope_document_get_selected_value (self->document));
}

static void
copy_page_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  ScopeInspector *self = SCOPE_INSPECTOR (widget);
  g_autofree char *text =
      scope_section_join_all (gtk_stack_get_visible_child (GTK_STACK (self->stack)));

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

static void
document_changed_cb (ScopeInspector *self, guint changes)
{
  if (changes &
      (SCOPE_CHANGE_SELECTION | SCOPE_CHANGE_TYPES | SCOPE_CHANGE_MODEL | SCOPE_CHANGE_COMPARISON))
    show_selected (self);
  else if ((changes & SCOPE_CHANGE_PICTURE) &&
           (find_group (self) != self->shown_group ||
            scope_document_get_overlay (self->document) != self->shown_overlay ||
            scope_document_get_selected (self->document)->body != NULL))
    show_selected (self);
  else if (changes & SCOPE_CHANGE_STATE)
    show_marks (self);
  if (changes & (SCOPE_CHANGE_PICTURE | SCOPE_CHANGE_VIEW))
    show_fold (self);
  if (changes & (SCOPE_CHANGE_RUN | SCOPE_CHANGE_VIEW))
    run_changed (self);
  if ((changes & SCOPE_CHANGE_PROGRESS) && self->model_page != NULL)
    scope_model_page_show (SCOPE_MODEL_PAGE (self->model_page));
  if (changes & SCOPE_CHANGE_SELECTION)
    gtk_adjustment_set_value (
        gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller)), 0);
}

static void
scope_inspector_dispose (GObject *object)
{
  ScopeInspector *self = SCOPE_INSPECTOR (object);

  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->document);
  g_clear_pointer (&self->stack, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_inspector_parent_class)->dispose (object);
}

#define BIND(child) gtk_widget_class_bind_template_child (widget_class, ScopeInspector, child)

static void
scope_inspector_class_init (ScopeInspectorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_inspector_dispose;
  gtk_widget_class_install_action (widget_class, "page.copy", NULL, copy_page_cb);
  gtk_widget_class_set_layout_manager_type (widget_class, SCOPE_TYPE_COLUMN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-inspector.ui");
  BIND (stack);
  BIND (nothing);
  BIND (scroller);
  BIND (title);
  BIND (sentence);
  BIND (subtitle);
  BIND (problem);
  BIND (inside);
  BIND (fold);
  BIND (mark_output);
  BIND (mark_input);
  BIND (facts);
  BIND (changes);
  BIND (attributes);
  BIND (defaults);
  BIND (parameters);
  BIND (parents);
  BIND (children);
  BIND (uses);
  BIND (around);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, group_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, fact_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, attribute_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, parameter_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, fold_cb);
  gtk_widget_class_bind_template_callback (widget_class, mark_output_cb);
  gtk_widget_class_bind_template_callback (widget_class, mark_input_cb);
}

static void
scope_inspector_init (ScopeInspector *self)
{
  self->shown_group = SYM_NO_GROUP;
  g_type_ensure (SCOPE_TYPE_SECTION);
  gtk_widget_init_template (GTK_WIDGET (self));
  scope_elided_tell (self->title);
}

void
scope_inspector_set_document (ScopeInspector *self, ScopeDocument *document)
{
  g_return_if_fail (SCOPE_IS_INSPECTOR (self) && self->document == NULL);

  self->document = g_object_ref (document);
  g_signal_connect_swapped (document, "changed", G_CALLBACK (document_changed_cb), self);
  show_selected (self);
}

void
scope_inspector_rename (ScopeInspector *self)
{
  g_return_if_fail (SCOPE_IS_INSPECTOR (self));

  if (scope_document_get_selected (self->document)->body == NULL &&
      g_str_equal (gtk_stack_get_visible_child_name (GTK_STACK (self->stack)), "node"))
    fact_activated_cb (self, scope_section_get_first (self->facts));
}
