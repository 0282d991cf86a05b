/* SPDX-License-Identifier: MIT */
#include "app/scope-model-page.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/scope-cut.h"
#include "app/scope-elided.h"
#include "app/scope-file-name.h"
#include "app/scope-release.h"
#include "app/scope-section.h"

#define MAX_TEXT 600 /* bytes that are shown of one */
#define MAX_LINKS 12 /* of inputs, and of outputs: the summary has them all */

struct _ScopeModelPage {
  GtkWidget parent_instance;

  ScopeDocument *document;
  SymInference *shown; /* NULL for none */
  GFile *shown_file;   /* NULL for none */
  guint source;        /* to show another; 0 for none */

  GtkWidget *scroller;
  GtkWidget *title;
  ScopeSection *facts;
  ScopeSection *told;
  ScopeSection *inputs;
  ScopeSection *outputs;
};

G_DEFINE_FINAL_TYPE (ScopeModelPage, scope_model_page, GTK_TYPE_WIDGET)

static void
add_count (ScopeSection *list, const char *title, guint n)
{
  g_autofree char *count = scope_format_count (n);

  scope_section_add (list, title, NULL, count);
}

/* Where it is not just the file's, whose name may be any bytes. */
static void
show_name (ScopeModelPage *self, const SymModel *model)
{
  const char *bytes = sym_model_get_name (model);
  g_autofree char *name = bytes != NULL ? g_utf8_make_valid (bytes, -1) : NULL;

  if (name != NULL && *name != '\0' &&
      !g_str_equal (name, scope_document_get_title (self->document)))
    scope_section_add (self->facts, _ ("Name"), NULL, name);
}

static void
show_facts (ScopeModelPage *self, const SymModel *model)
{
  GFile *file = scope_document_get_file (self->document);
  const SymIoFormat *format = scope_document_get_format (self->document);
  g_autoptr (GFile) folder = file != NULL ? g_file_get_parent (file) : NULL;

  scope_section_clear (self->facts);
  if (format != NULL)
    scope_section_add (self->facts, _ ("Format"), NULL, sym_io_format_get_title (format));
  show_name (self, model);
  if (folder != NULL)
    {
      g_autofree char *path = scope_file_address (folder);

      scope_section_add (self->facts, _ ("Folder"), NULL, path);
    }
  add_count (self->facts, _ ("Nodes"), sym_model_get_rows (model).n);
  add_count (self->facts, _ ("Layers"), sym_model_get_execution_order (model).n);
}

/* Notes may be many, and as long as a book. */
typedef struct {
  ScopeSection *list;
  guint n;
} Telling;

static void
tell_cb (const char *name, const char *text, gpointer user_data)
{
  Telling *telling = user_data;

  if (telling->n++ >= SCOPE_SECTION_MAX)
    return;
  g_autofree char *head =
      strlen (text) > MAX_TEXT ? g_utf8_make_valid (text, MAX_TEXT) : g_strdup (text);
  g_autofree char *shown = g_strconcat (head, strlen (text) > MAX_TEXT ? "…" : "", NULL);

  scope_section_add (telling->list, name, NULL, shown);
}

static void
show_told (ScopeModelPage *self, const SymModel *model)
{
  Telling telling = { self->told, 0 };

  scope_section_clear (self->told);
  sym_io_tell (model, tell_cb, &telling);
  scope_section_add_rest (self->told, telling.n);
}

static void
show_links (ScopeSection *list, SymInference *inference, SymIds values)
{
  scope_section_clear (list);
  for (guint i = 0; i < MIN (values.n, MAX_LINKS); i++)
    scope_section_add_link (list, inference, values.ids[i]);
  if (values.n <= MAX_LINKS)
    return;
  g_autofree char *text = g_strdup_printf (
      ngettext ("and %u more", "and %u more", values.n - MAX_LINKS), values.n - MAX_LINKS);

  scope_section_add (list, text, NULL, NULL);
}

static gboolean
show_cb (gpointer user_data)
{
  ScopeModelPage *self = user_data;
  SymInference *inference = scope_document_get_inference (self->document);

  self->source = 0;
  scope_release (g_steal_pointer (&self->shown), (GDestroyNotify) sym_inference_unref);
  if (inference == NULL)
    return G_SOURCE_REMOVE;
  SymModel *model = sym_inference_get_model (inference);

  self->shown = sym_inference_ref (inference);
  g_set_object (&self->shown_file, scope_document_get_file (self->document));
  gtk_label_set_text (GTK_LABEL (self->title), scope_document_get_title (self->document));
  show_facts (self, model);
  show_told (self, model);
  show_links (self->inputs, inference, sym_model_get_inputs (model));
  show_links (self->outputs, inference, sym_model_get_outputs (model));
  return G_SOURCE_REMOVE;
}

static void
row_activated_cb (ScopeModelPage *self, ScopeFact *fact)
{
  if (scope_fact_get_value (fact) != SYM_NO_ID)
    scope_document_select_value (self->document, scope_fact_get_value (fact));
}

static void
scope_model_page_dispose (GObject *object)
{
  ScopeModelPage *self = SCOPE_MODEL_PAGE (object);

  g_clear_handle_id (&self->source, g_source_remove);
  scope_release (g_steal_pointer (&self->shown), (GDestroyNotify) sym_inference_unref);
  g_clear_object (&self->shown_file);
  g_clear_object (&self->document);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_model_page_parent_class)->dispose (object);
}

#define BIND(child) gtk_widget_class_bind_template_child (widget_class, ScopeModelPage, child)

static void
scope_model_page_class_init (ScopeModelPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_model_page_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-model-page.ui");
  BIND (scroller);
  BIND (title);
  BIND (facts);
  BIND (told);
  BIND (inputs);
  BIND (outputs);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
}

static void
scope_model_page_init (ScopeModelPage *self)
{
  g_type_ensure (SCOPE_TYPE_SECTION);
  gtk_widget_init_template (GTK_WIDGET (self));
  scope_elided_tell (self->title);
}

GtkWidget *
scope_model_page_new (ScopeDocument *document)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (document), NULL);

  ScopeModelPage *self = g_object_new (SCOPE_TYPE_MODEL_PAGE, NULL);

  self->document = g_object_ref (document);
  return GTK_WIDGET (self);
}

void
scope_model_page_show (ScopeModelPage *self)
{
  g_return_if_fail (SCOPE_IS_MODEL_PAGE (self));

  if (self->source == 0 && (scope_document_get_inference (self->document) != self->shown ||
                            scope_document_get_file (self->document) != self->shown_file))
    self->source = g_idle_add_full (G_PRIORITY_LOW, show_cb, self, NULL);
}
