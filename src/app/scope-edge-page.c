/* SPDX-License-Identifier: MIT */
#include "app/scope-edge-page.h"

#include <glib/gi18n.h>

#include "app/scope-elided.h"
#include "app/scope-numbers.h"
#include "app/scope-section.h"
#include "app/scope-text.h"
#include "ops/sym-op.h"

struct _ScopeEdgePage {
  GtkWidget parent_instance;

  ScopeDocument *document;

  GtkWidget *scroller;
  GtkWidget *title;
  GtkWidget *subtitle;
  ScopeSection *facts;
  ScopeSection *from;
  ScopeSection *to;
  ScopeSection *others;
  GtkWidget *numbers;
};

G_DEFINE_FINAL_TYPE (ScopeEdgePage, scope_edge_page, GTK_TYPE_WIDGET)

/* The line, by ids of the graph or of the body that it is in. */
typedef struct {
  SymInference *inference;
  SymModel *model;
  SymId value, to;
} Line;

static gboolean
is_known (ScopeEdgePage *self)
{
  return self->document != NULL &&
         scope_document_knows_line (self->document, scope_document_get_selected (self->document));
}

static Line
get_line (ScopeEdgePage *self)
{
  const ScopeNode *node = scope_document_get_selected (self->document);
  SymInference *inner = scope_document_get_inner_inference (self->document, node);
  Line line = { inner != NULL ? inner : scope_document_get_inference (self->document), NULL,
                inner != NULL ? node->inner_value : node->value, node->to };

  line.model = sym_inference_get_model (line.inference);
  return line;
}

/* ---- What is shown ---- */

static void
show_facts (ScopeEdgePage *self, const Line *line)
{
  const char *variable = sym_model_get_variable (line->model, line->value);
  g_autofree char *shape = scope_text_shape (line->inference, line->value);
  g_autofree char *type = scope_text_type (line->inference, line->value);

  scope_section_clear (self->facts);
  scope_section_add (self->facts, _ ("Tensor"), NULL,
                     sym_model_get_value_name (line->model, line->value));
  if (variable != NULL)
    scope_section_add (self->facts, _ ("Variable"), NULL, variable);
  scope_section_add (self->facts, _ ("Shape"), NULL, shape);
  scope_section_add (self->facts, _ ("Data Type"), NULL, type);
  if (sym_model_is_output (line->model, line->value))
    scope_section_add (self->facts, _ ("Output"), NULL, _ ("of the graph as well"));
}

/* "output", "output1 of 3"; what its operator calls it. */
static char *
format_output (const Line *line, SymId call)
{
  const SymOperator *op = sym_layer_get_operator (sym_model_get_layer (line->model, call));
  guint n = sym_model_get_results (line->model, call).n;
  g_autofree char *name =
      sym_op_format_output_name (op, sym_model_get_output_index (line->model, line->value), n);

  return n > 1 ? g_strdup_printf (_ ("%s of %u"), name, n) : g_steal_pointer (&name);
}

static void
show_from (ScopeEdgePage *self, const Line *line)
{
  SymId call = sym_model_get_producer (line->model, line->value);
  const char *type = call != SYM_NO_ID
                         ? sym_layer_get_type (sym_model_get_layer (line->model, call))
                         : sym_role_to_string (sym_model_get_role (line->model, line->value));
  g_autofree char *output = call != SYM_NO_ID ? format_output (line, call) : NULL;
  ScopeFact *fact;

  scope_section_clear (self->from);
  fact = scope_section_add (self->from, scope_text_name (line->model, line->value), type, output);
  scope_fact_set_target (fact, line->value, SYM_NO_ID);
}

/* "data", "A, B": the operands of a call that are the tensor, as the operator calls them. */
static char *
format_slots (const Line *line, SymId call)
{
  SymIds operands = sym_model_get_operands (line->model, call);
  const SymOperator *op = sym_layer_get_operator (sym_model_get_layer (line->model, call));
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < operands.n; i++)
    {
      const SymSlotSpec *slot = op != NULL ? sym_op_get_slot (op, i) : NULL;

      if (operands.ids[i] != line->value)
        continue;
      if (text->len > 0)
        g_string_append (text, ", ");
      if (slot != NULL)
        g_string_append_printf (text, _ ("%s (operand %u)"), slot->name, i + 1);
      else
        g_string_append_printf (text, _ ("operand %u"), i + 1);
    }
  return g_string_free (text, FALSE);
}

static void
add_consumer (ScopeSection *section, const Line *line, SymId call)
{
  SymId result = sym_model_get_first_result (line->model, call);
  const char *name = sym_model_get_call_name (line->model, call);
  g_autofree char *slots = format_slots (line, call);

  if ((name == NULL || *name == '\0') && result != SYM_NO_ID)
    name = scope_text_name (line->model, result);
  ScopeFact *fact =
      scope_section_add (section, name != NULL && *name != '\0' ? name : "?",
                         sym_layer_get_type (sym_model_get_layer (line->model, call)), slots);

  scope_fact_set_target (fact, result, call);
}

/* Whether all that a call of a body makes is left out of the drawing. */
static gboolean
is_hidden (ScopeEdgePage *self, const Line *line, SymId call)
{
  const ScopeNode *selected = scope_document_get_selected (self->document);
  SymIds results = sym_model_get_results (line->model, call);

  if (selected->body == NULL)
    return FALSE;
  for (guint i = 0; i < results.n; i++)
    {
      ScopeNode node = scope_node_get_beside (selected, results.ids[i]);

      if (!scope_document_is_hidden (self->document, &node))
        return FALSE;
    }
  return results.n > 0;
}

static void
show_to (ScopeEdgePage *self, const Line *line)
{
  SymIds consumers = sym_model_get_consumers (line->model, line->value);
  guint n = 0;

  scope_section_clear (self->to);
  scope_section_clear (self->others);
  add_consumer (self->to, line, line->to);
  for (guint i = 0; i < consumers.n; i++)
    {
      if (consumers.ids[i] == line->to || (i > 0 && consumers.ids[i] == consumers.ids[i - 1]) ||
          is_hidden (self, line, consumers.ids[i]))
        continue;
      if (n++ < SCOPE_SECTION_MAX)
        add_consumer (self->others, line, consumers.ids[i]);
    }
  scope_section_add_rest (self->others, n);
}

void
scope_edge_page_show_numbers (ScopeEdgePage *self)
{
  g_return_if_fail (SCOPE_IS_EDGE_PAGE (self) && is_known (self));

  const char *reason;
  SymRecord *record = scope_document_find_record (
      self->document, scope_document_get_selected (self->document), &reason);
  Line line = get_line (self);

  scope_numbers_set_theme (SCOPE_NUMBERS (self->numbers),
                           scope_document_get_view (self->document)->theme);
  scope_numbers_set_made (
      SCOPE_NUMBERS (self->numbers),
      scope_document_is_made (self->document, scope_document_get_selected (self->document)));
  scope_numbers_show (SCOPE_NUMBERS (self->numbers), line.model, record, reason, line.value,
                      SYM_NO_ID);
}

void
scope_edge_page_show (ScopeEdgePage *self)
{
  g_return_if_fail (SCOPE_IS_EDGE_PAGE (self) && is_known (self));

  Line line = get_line (self);
  const char *name = scope_text_name (line.model, line.value);

  gtk_label_set_text (GTK_LABEL (self->title), name);
  show_facts (self, &line);
  show_from (self, &line);
  show_to (self, &line);
  scope_edge_page_show_numbers (self);
  gtk_adjustment_set_value (
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller)), 0);
}

/* ---- Class ---- */

static void
row_activated_cb (ScopeEdgePage *self, ScopeFact *fact)
{
  ScopeNode node = *scope_document_get_selected (self->document);
  SymId value = scope_fact_get_value (fact), call = scope_fact_get_call (fact);

  if (value == SYM_NO_ID && call == SYM_NO_ID)
    return;
  node.to = SYM_NO_ID;
  if (scope_document_get_inner_inference (self->document, &node) != NULL)
    {
      node.inner_value = value;
      node.inner_call = value == SYM_NO_ID ? call : SYM_NO_ID;
    }
  else
    {
      node = scope_node_get (value, value == SYM_NO_ID ? call : SYM_NO_ID);
    }
  scope_document_select_node (self->document, &node);
}

static void
scope_edge_page_dispose (GObject *object)
{
  ScopeEdgePage *self = SCOPE_EDGE_PAGE (object);

  g_clear_object (&self->document);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_edge_page_parent_class)->dispose (object);
}

#define BIND(child) gtk_widget_class_bind_template_child (widget_class, ScopeEdgePage, child)

static void
scope_edge_page_class_init (ScopeEdgePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_edge_page_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-edge-page.ui");
  BIND (scroller);
  BIND (title);
  BIND (subtitle);
  BIND (facts);
  BIND (from);
  BIND (to);
  BIND (others);
  BIND (numbers);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
}

static void
scope_edge_page_init (ScopeEdgePage *self)
{
  g_type_ensure (SCOPE_TYPE_NUMBERS);
  g_type_ensure (SCOPE_TYPE_SECTION);
  gtk_widget_init_template (GTK_WIDGET (self));
  scope_elided_tell (self->title);
}

void
scope_edge_page_set_document (ScopeEdgePage *self, ScopeDocument *document)
{
  g_return_if_fail (SCOPE_IS_EDGE_PAGE (self) && self->document == NULL);

  self->document = g_object_ref (document);
}
