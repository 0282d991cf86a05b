/* SPDX-License-Identifier: MIT */
#include "app/scope-inspector.h"

#include <glib/gi18n.h>

#include "app/scope-fact-list.h"
#include "app/scope-fact.h"
#include "app/scope-group-page.h"
#include "app/scope-text.h"

#define MAX_TEXT 600  /* bytes of an attribute's text */

struct _ScopeInspector {
  GtkWidget parent_instance;

  ScopeDocument *document;
  gboolean is_syncing;
  guint shown_group; /* SYM_NO_GROUP while a node is shown */

  GtkWidget *stack;
  GtkWidget *group_page;
  GtkWidget *scroller;
  GtkWidget *title;
  GtkWidget *subtitle;
  GtkWidget *problem;
  GtkWidget *mark_output;
  GtkWidget *mark_input;
  GtkWidget *facts;
  GtkWidget *attributes;
  GtkWidget *parameters;
  GtkWidget *parents;
  GtkWidget *children;
  GtkWidget *attributes_title;
  GtkWidget *parameters_title;
  GtkWidget *parents_title;
  GtkWidget *children_title;
};

G_DEFINE_FINAL_TYPE (ScopeInspector, scope_inspector, GTK_TYPE_WIDGET)

/* ---- What is shown ---- */

static void
show_parents (ScopeInspector *self, SymModel *model, SymId value, SymId call)
{
  SymIds parents = call != SYM_NO_ID ? sym_model_get_data_operands (model, call)
                                     : sym_model_get_parents (model, value);

  scope_fact_list_clear (self->parents);
  scope_fact_list_add_links (self->parents, scope_document_get_inference (self->document), parents);
  scope_fact_list_finish (self->parents, self->parents_title);
}

static void
show_children (ScopeInspector *self, SymModel *model, SymId value)
{
  g_autoptr (GArray) children = g_array_new (FALSE, FALSE, sizeof (SymId));

  scope_fact_list_clear (self->children);
  if (value != SYM_NO_ID)
    sym_model_collect_children (model, value, children);
  scope_fact_list_add_links (self->children, scope_document_get_inference (self->document),
                             (SymIds){ (const SymId *) (gconstpointer) children->data,
                                       children->len });
  scope_fact_list_finish (self->children, self->children_title);
}

static void
add_attributes (ScopeInspector *self, const SymAttributes *attributes)
{
  guint n = sym_attributes_get_n (attributes);

  for (guint i = 0; i < MIN (n, SCOPE_FACT_LIST_MAX); i++) {
    const char *literal = sym_attributes_get_literal (attributes, i);
    g_autofree char *text = literal != NULL
                                ? g_strdup (literal)
                                : sym_value_to_string (sym_attributes_get_value (attributes, i));

    if (strlen (text) > MAX_TEXT) {
      g_autofree char *head = g_utf8_make_valid (text, MAX_TEXT);

      g_free (text);
      text = g_strconcat (head, "…", NULL);
    }
    scope_fact_list_add (self->attributes, sym_attributes_get_name (attributes, i), NULL, text);
  }
  scope_fact_list_add_rest (self->attributes, n);
}

static void
show_attributes (ScopeInspector *self, SymModel *model, SymId value, SymId call)
{
  scope_fact_list_clear (self->attributes);
  if (call != SYM_NO_ID) {
    add_attributes (self, sym_layer_get_attributes (sym_model_get_layer (model, call)));
    add_attributes (self, sym_model_get_call_attributes (model, call));
  } else {
    add_attributes (self, sym_model_get_value_attributes (model, value));
  }
  scope_fact_list_finish (self->attributes, self->attributes_title);
}

static void
show_parameters (ScopeInspector *self, SymModel *model, SymId call)
{
  SymInference *inference = scope_document_get_inference (self->document);
  SymIds operands = { NULL, 0 };

  scope_fact_list_clear (self->parameters);
  if (call != SYM_NO_ID)
    operands = sym_model_get_operands (model, call);
  for (guint i = 0; i < MIN (operands.n, SCOPE_FACT_LIST_MAX); i++) {
    SymId value = operands.ids[i];

    if (value == SYM_NO_ID || sym_role_is_data (sym_model_get_role (model, value)))
      continue;
    g_autofree char *shape = scope_text_shape (inference, value);
    g_autofree char *kind =
        g_strdup_printf ("%s · %s", sym_role_to_string (sym_model_get_role (model, value)),
                         scope_text_dtype (inference, value));

    scope_fact_list_add (self->parameters, scope_text_name (model, value), kind, shape);
  }
  scope_fact_list_finish (self->parameters, self->parameters_title);
}

/* "float32 · 25.0 KiB" when the shape is known. */
static char *
get_type_text (SymInference *inference, SymId value)
{
  SymType type = sym_inference_get_type (inference, value);
  const char *dtype = sym_dtype_to_string (type.dtype);
  guint64 n, n_bytes;

  if (type.kind != SYM_KIND_TENSOR || !sym_shape_get_n_elements (&type.shape, &n) ||
      !sym_dtype_get_size (type.dtype, n, &n_bytes))
    return g_strdup (dtype);
  g_autofree char *size = g_format_size_full (n_bytes, G_FORMAT_SIZE_IEC_UNITS);

  return g_strdup_printf ("%s · %s", dtype, size);
}

static void
show_value_facts (ScopeInspector *self, SymModel *model, SymId value)
{
  SymInference *inference = scope_document_get_inference (self->document);
  const char *variable = sym_model_get_variable (model, value);
  g_autofree char *shape = scope_text_shape (inference, value);
  g_autofree char *type = get_type_text (inference, value);

  scope_fact_list_add (self->facts, _("Name"), NULL, sym_model_get_value_name (model, value));
  scope_fact_list_add (self->facts, _("Variable"), NULL, variable != NULL ? variable : "?");
  scope_fact_list_add (self->facts, _("Shape"), NULL, shape);
  scope_fact_list_add (self->facts, _("Type"), NULL, type);
}

static void
show_layer_facts (ScopeInspector *self, SymModel *model, SymId call)
{
  SymLayer *layer = sym_model_get_layer (model, call);
  const char *name = sym_model_get_call_name (model, call);
  guint line = sym_model_get_call_line (model, call);

  scope_fact_list_add (self->facts, _("Layer"), name, sym_layer_get_type (layer));
  if (line > 0) {
    g_autofree char *text = g_strdup_printf ("%u", line);

    scope_fact_list_add (self->facts, _("Line"), NULL, text);
  }
}

static char *
get_subtitle (ScopeInspector *self, SymModel *model, SymId value, SymId call)
{
  SymSummary *summary = scope_document_get_summary (self->document);
  guint row = value != SYM_NO_ID ? sym_summary_find_row (summary, value) : 0;
  const char *kind = call != SYM_NO_ID
                         ? sym_layer_get_type (sym_model_get_layer (model, call))
                         : sym_role_to_string (sym_model_get_role (model, value));

  if (row == 0)
    return g_strdup (kind);
  return g_strdup_printf (_("%s · row %u · depth %u"), kind, row,
                          sym_model_get_depth (model, value));
}

static void
show_head (ScopeInspector *self, SymModel *model, SymId value, SymId call)
{
  g_autofree char *subtitle = get_subtitle (self, model, value, call);
  const char *problem = scope_document_get_call_problem (self->document, call);
  const char *title = value != SYM_NO_ID ? scope_text_name (model, value)
                                         : sym_model_get_call_name (model, call);

  gtk_label_set_text (GTK_LABEL (self->title), title != NULL ? title : "?");
  gtk_widget_set_tooltip_text (self->title, title);
  gtk_label_set_text (GTK_LABEL (self->subtitle), subtitle);
  gtk_label_set_text (GTK_LABEL (self->problem), problem != NULL ? problem : "");
  gtk_widget_set_visible (self->problem, problem != NULL);
}

static void
show_marks (ScopeInspector *self)
{
  SymId value = scope_document_get_selected_value (self->document);
  ScopeState *state = scope_document_get_state (self->document);
  gboolean has_value = value != SYM_NO_ID && state != NULL;

  self->is_syncing = TRUE;
  gtk_widget_set_sensitive (self->mark_output, has_value);
  gtk_widget_set_sensitive (self->mark_input, has_value);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->mark_output),
                                has_value && scope_state_has_mark (state, SCOPE_MARK_OUTPUT, value));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->mark_input),
                                has_value && scope_state_has_mark (state, SCOPE_MARK_INPUT, value));
  self->is_syncing = FALSE;
}

/* A selected frame, or the closed group that the selection is drawn as. */
static guint
find_group (ScopeInspector *self)
{
  guint frame = scope_document_get_selected_frame (self->document);
  g_autofree char *text =
      scope_text_group (self->document, scope_document_get_selected_value (self->document),
                        scope_document_get_selected_call (self->document));

  if (frame != SYM_NO_GROUP || text == NULL)
    return frame;
  return scope_document_get_selected_group (self->document);
}

static void
show_selected (ScopeInspector *self)
{
  SymId value = scope_document_get_selected_value (self->document);
  SymId call = scope_document_get_selected_call (self->document);
  SymInference *inference = scope_document_get_inference (self->document);
  gboolean shows = inference != NULL && (value != SYM_NO_ID || call != SYM_NO_ID);
  guint group = inference != NULL ? find_group (self) : SYM_NO_GROUP;

  self->shown_group = group;
  if (group != SYM_NO_GROUP) {
    scope_group_page_show (SCOPE_GROUP_PAGE (self->group_page), group);
    gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "group");
    return;
  }
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), shows ? "node" : "nothing");
  if (!shows)
    return;
  SymModel *model = sym_inference_get_model (inference);

  show_head (self, model, value, call);
  scope_fact_list_clear (self->facts);
  if (value != SYM_NO_ID)
    show_value_facts (self, model, value);
  if (call != SYM_NO_ID)
    show_layer_facts (self, model, call);
  show_attributes (self, model, value, call);
  show_parents (self, model, value, call);
  show_children (self, model, value);
  show_parameters (self, model, call);
  show_marks (self);
}

/* ---- Events ---- */

static void
row_activated_cb (ScopeInspector *self, GtkListBoxRow *row)
{
  if (scope_fact_get_value (SCOPE_FACT (row)) != SYM_NO_ID)
    scope_document_select_value (self->document, scope_fact_get_value (SCOPE_FACT (row)));
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
document_changed_cb (ScopeInspector *self, guint changes)
{
  if (changes & (SCOPE_CHANGE_SELECTION | SCOPE_CHANGE_TYPES | SCOPE_CHANGE_MODEL))
    show_selected (self);
  else if ((changes & SCOPE_CHANGE_PICTURE) && find_group (self) != self->shown_group)
    show_selected (self);
  else if (changes & SCOPE_CHANGE_STATE)
    show_marks (self);
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
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-inspector.ui");
  BIND (stack);
  BIND (group_page);
  BIND (scroller);
  BIND (title);
  BIND (subtitle);
  BIND (problem);
  BIND (mark_output);
  BIND (mark_input);
  BIND (facts);
  BIND (attributes);
  BIND (parameters);
  BIND (parents);
  BIND (children);
  BIND (attributes_title);
  BIND (parameters_title);
  BIND (parents_title);
  BIND (children_title);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, mark_output_cb);
  gtk_widget_class_bind_template_callback (widget_class, mark_input_cb);
}

static void
scope_inspector_init (ScopeInspector *self)
{
  self->shown_group = SYM_NO_GROUP;
  g_type_ensure (SCOPE_TYPE_GROUP_PAGE);
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
scope_inspector_set_document (ScopeInspector *self, ScopeDocument *document)
{
  g_return_if_fail (SCOPE_IS_INSPECTOR (self) && self->document == NULL);

  self->document = g_object_ref (document);
  scope_group_page_set_document (SCOPE_GROUP_PAGE (self->group_page), document);
  g_signal_connect_swapped (document, "changed", G_CALLBACK (document_changed_cb), self);
  show_selected (self);
}
