/* SPDX-License-Identifier: MIT */
#include "app/scope-group-page.h"

#include <glib/gi18n.h>

#include "app/scope-elided.h"
#include "app/scope-section.h"
#include "app/scope-group-facts.h"
#include "app/scope-group-path.h"
#include "app/scope-tip.h"

#define N_FEW 1000 /* layers; what is to be told of so many is there at once */

struct _ScopeGroupPage {
  GtkWidget parent_instance;

  ScopeDocument *document;
  guint group;
  GCancellable *cancellable; /* of the counting that goes on */
  GArray *shown_inputs;      /* of SymId, of all that is counted; NULL before */
  GArray *shown_outputs;

  GtkWidget *scroller;
  GtkWidget *title;
  GtkWidget *subtitle;
  GtkWidget *fold;
  GtkWidget *cut_out;
  ScopeSection *facts;
  ScopeSection *types;
  ScopeSection *around;
  ScopeSection *inputs;
  ScopeSection *outputs;
};

G_DEFINE_FINAL_TYPE (ScopeGroupPage, scope_group_page, GTK_TYPE_WIDGET)

static const char *
get_kind (SymGroupKind kind)
{
  switch (kind)
    {
    case SYM_GROUP_SCOPE:
      return _ ("Layers whose names begin alike");
    case SYM_GROUP_PIECE:
      return _ ("One of equal pieces in a row");
    case SYM_GROUP_BRANCH:
      return _ ("One of equal branches side by side");
    case SYM_GROUP_STAGE:
      return _ ("Layers that follow each other, taken together as there are too many to see");
    default:
      g_assert_not_reached ();
    }
}

static void
add_count (ScopeSection *list, const char *title, const char *before, guint64 n, const char *after)
{
  g_autofree char *count = scope_format_count (n);
  g_autofree char *text = g_strconcat (before, count, after, NULL);

  scope_section_add (list, title, NULL, text);
}

/* Until all is @counted there is an ellipsis where a number will be. */
static void
show_facts (ScopeGroupPage *self, const ScopeGroupFacts *facts, gboolean counted)
{
  const char *each = facts->n_copies > 1 ? _ (" each") : "";

  scope_section_clear (self->facts);
  if (facts->n_copies > 1)
    add_count (self->facts, _ ("Copies"), "×", facts->n_copies, "");
  if (facts->n_equal > facts->n_copies)
    {
      g_autofree char *text = g_strdup_printf (_ ("%u of %u"), facts->place, facts->n_equal);

      scope_section_add (self->facts, _ ("Place Among Equals"), NULL, text);
    }
  add_count (self->facts, _ ("Layers"), "", facts->n_layers, each);
  if (counted)
    add_count (self->facts, _ ("Parameters"), facts->knows_parameters ? "" : "≥ ",
               facts->n_parameters, each);
  else
    scope_section_add (self->facts, _ ("Parameters"), NULL, "…");
}

static void
show_types (ScopeGroupPage *self, const ScopeGroupFacts *facts)
{
  scope_section_clear (self->types);
  for (guint i = 0; i < MIN (facts->types->len, SCOPE_SECTION_MAX); i++)
    {
      const ScopeTypeCount *count = &g_array_index (facts->types, ScopeTypeCount, i);

      add_count (self->types, count->type, "", count->n, "");
    }
  scope_section_add_rest (self->types, facts->types->len);
}

static SymIds
get_ids (const GArray *values)
{
  return (SymIds){ (const SymId *) (gconstpointer) values->data, values->len };
}

static void
show_links (ScopeGroupPage *self, ScopeSection *list, const GArray *values)
{
  scope_section_clear (list);
  scope_section_add_links (list, scope_document_get_inference (self->document), get_ids (values));
}

static void
keep (GArray **place, GArray *values)
{
  g_clear_pointer (place, g_array_unref);
  *place = values != NULL ? g_array_ref (values) : NULL;
}

/* Nothing is left of a group that nothing uses outside of it. */
static void
show_ends (ScopeGroupPage *self, const ScopeGroupFacts *facts)
{
  keep (&self->shown_inputs, facts != NULL ? facts->inputs : NULL);
  keep (&self->shown_outputs, facts != NULL ? facts->outputs : NULL);
  gtk_widget_set_sensitive (self->cut_out, facts != NULL && facts->outputs->len > 0);
}

static void
show_lists (ScopeGroupPage *self, const ScopeGroupFacts *facts)
{
  show_types (self, facts);
  show_links (self, self->inputs, facts->inputs);
  show_links (self, self->outputs, facts->outputs);
}

/* ---- Counting in a thread ---- */

typedef struct {
  SymInference *inference;
  SymFolding *folding;
  guint group;
} Count;

static void
free_count (gpointer data)
{
  Count *self = data;

  sym_inference_unref (self->inference);
  sym_folding_unref (self->folding);
  g_free (self);
}

static void
count_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Count *count = task_data;

  g_task_return_pointer (task,
                         scope_group_facts_new (count->inference, count->folding, count->group),
                         (GDestroyNotify) scope_group_facts_free);
}

static void
counted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ScopeGroupPage *self = SCOPE_GROUP_PAGE (source);
  ScopeGroupFacts *facts = g_task_propagate_pointer (G_TASK (result), NULL);

  if (facts == NULL) /* another group is shown by now */
    return;
  g_clear_object (&self->cancellable);
  show_facts (self, facts, TRUE);
  show_lists (self, facts);
  show_ends (self, facts);
  scope_group_facts_free (facts);
}

static void
stop_counting (ScopeGroupPage *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

static void
start_counting (ScopeGroupPage *self)
{
  g_autoptr (GTask) task = NULL;
  Count *count = g_new0 (Count, 1);

  count->inference = sym_inference_ref (scope_document_get_inference (self->document));
  count->folding = sym_folding_ref (scope_document_get_folding (self->document));
  count->group = self->group;
  self->cancellable = g_cancellable_new ();
  task = g_task_new (self, self->cancellable, counted_cb, NULL);
  g_task_set_source_tag (task, start_counting);
  g_task_set_task_data (task, count, free_count);
  g_task_run_in_thread (task, count_thread);
}

/* ---- What is shown ---- */

static void
show_head (ScopeGroupPage *self, const ScopeGroupFacts *facts)
{
  gboolean is_open = sym_folding_is_open (scope_document_get_folding (self->document), self->group);

  gtk_label_set_text (GTK_LABEL (self->title), facts->title);
  gtk_label_set_text (GTK_LABEL (self->subtitle), get_kind (facts->kind));
  gtk_button_set_label (GTK_BUTTON (self->fold), is_open ? _ ("Close Group") : _ ("Open Group"));
  scope_tip_set (self->fold, is_open ? _ ("Draw it as one box (Backspace or −)")
                                     : _ ("Draw what is in it (Enter or +)"));
}

static void
show_around (ScopeGroupPage *self)
{
  SymGroups *groups = sym_folding_get_groups (scope_document_get_folding (self->document));

  scope_group_path_show (self->around, groups, sym_groups_get (groups, self->group)->parent);
}

static void
show_all (ScopeGroupPage *self)
{
  g_autoptr (ScopeGroupFacts) facts =
      scope_group_facts_new (scope_document_get_inference (self->document),
                             scope_document_get_folding (self->document), self->group);

  show_facts (self, facts, TRUE);
  show_lists (self, facts);
  show_ends (self, facts);
}

void
scope_group_page_show (ScopeGroupPage *self, guint group)
{
  g_return_if_fail (SCOPE_IS_GROUP_PAGE (self) && self->document != NULL);

  g_autoptr (ScopeGroupFacts) head =
      scope_group_facts_new_head (scope_document_get_folding (self->document), group);

  stop_counting (self);
  self->group = group;
  show_head (self, head);
  show_around (self);
  if ((guint64) head->n_layers * head->n_copies <= N_FEW)
    {
      show_all (self);
      return;
    }
  show_facts (self, head, FALSE);
  show_lists (self, head);
  show_ends (self, NULL);
  start_counting (self);
}

/* The group stays selected, as its frame, so that the button can be used again. */
static void
fold_cb (ScopeGroupPage *self)
{
  guint group = self->group;

  if (sym_folding_is_open (scope_document_get_folding (self->document), group))
    {
      scope_document_select_frame (self->document, group);
      scope_document_close_group (self->document, group);
    }
  else
    {
      scope_document_open_group (self->document, group);
      scope_document_select_frame (self->document, group);
    }
}

static void
cut_out_cb (ScopeGroupPage *self)
{
  if (self->shown_outputs != NULL)
    scope_document_mark_part (self->document, get_ids (self->shown_inputs),
                              get_ids (self->shown_outputs));
}

static void
row_activated_cb (ScopeGroupPage *self, ScopeFact *fact)
{
  if (scope_fact_get_value (fact) != SYM_NO_ID)
    scope_document_select_value (self->document, scope_fact_get_value (fact));
}

static void
group_activated_cb (ScopeGroupPage *self, ScopeFact *fact)
{
  scope_document_select_group (self->document, scope_fact_get_group (fact));
}

static void
scope_group_page_dispose (GObject *object)
{
  ScopeGroupPage *self = SCOPE_GROUP_PAGE (object);

  stop_counting (self);
  keep (&self->shown_inputs, NULL);
  keep (&self->shown_outputs, NULL);
  g_clear_object (&self->document);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_group_page_parent_class)->dispose (object);
}

#define BIND(child) gtk_widget_class_bind_template_child (widget_class, ScopeGroupPage, child)

static void
scope_group_page_class_init (ScopeGroupPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_group_page_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-group-page.ui");
  BIND (scroller);
  BIND (title);
  BIND (subtitle);
  BIND (fold);
  BIND (cut_out);
  BIND (facts);
  BIND (types);
  BIND (around);
  BIND (inputs);
  BIND (outputs);
  gtk_widget_class_bind_template_callback (widget_class, fold_cb);
  gtk_widget_class_bind_template_callback (widget_class, cut_out_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, group_activated_cb);
}

static void
scope_group_page_init (ScopeGroupPage *self)
{
  self->group = SYM_NO_GROUP;
  g_type_ensure (SCOPE_TYPE_SECTION);
  gtk_widget_init_template (GTK_WIDGET (self));
  scope_elided_tell (self->title);
}

void
scope_group_page_set_document (ScopeGroupPage *self, ScopeDocument *document)
{
  g_return_if_fail (SCOPE_IS_GROUP_PAGE (self) && self->document == NULL);

  self->document = g_object_ref (document);
}
