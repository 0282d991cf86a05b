/* SPDX-License-Identifier: MIT */
#include "app/scope-cut-bar.h"

#include <glib/gi18n.h>

#include "app/scope-column.h"
#include "app/scope-elided.h"
#include "app/scope-menu.h"
#include "app/scope-text.h"
#include "app/scope-wrapped.h"
#include "query/sym-cut-code.h"

#define NARROW 560     /* pixels in which the numbers of a cut have room beside the buttons */
#define ADD_CHARS 40   /* of what a button says at most, where there is room */
#define NARROW_WHY 760 /* in which the reason has why there is none */

struct _ScopeCutBar {
  GtkWidget parent_instance;

  ScopeDocument *document;
  int room; /* 0 while it is not known */

  GtkWidget *revealer;
  GtkWidget *box;
  GtkWidget *title;
  GtkWidget *text;
  GtkWidget *add_input;
  GtkWidget *clear;
  GtkWidget *open_in_tab;
  GtkWidget *extract;
  GtkWidget *more;
};

G_DEFINE_FINAL_TYPE (ScopeCutBar, scope_cut_bar, GTK_TYPE_WIDGET)

/* A name may be longer than the window is wide. */
static void
elide (GtkWidget *label)
{
  if (gtk_label_get_ellipsize (GTK_LABEL (label)) != PANGO_ELLIPSIZE_NONE)
    return;
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), ADD_CHARS);
  scope_elided_tell (label);
}

static void
show_foreign (ScopeCutBar *self, ScopeCut *cut)
{
  SymIds foreign = scope_cut_get_foreign (cut);
  SymModel *model = scope_document_get_model (self->document);
  g_autofree char *label = NULL;

  gtk_widget_set_visible (self->add_input, foreign.n > 0);
  if (foreign.n == 1)
    label = g_strdup_printf (_ ("Add “%s” as Input"), scope_text_name (model, foreign.ids[0]));
  else
    label = g_strdup_printf (_ ("Add %u Inputs"), foreign.n);
  gtk_button_set_label (GTK_BUTTON (self->add_input), label);
  elide (gtk_button_get_child (GTK_BUTTON (self->add_input)));
}

static void
add_input_cb (ScopeCutBar *self)
{
  scope_document_mark_foreign (self->document);
}

static void
clear_cb (ScopeCutBar *self)
{
  scope_document_clear_marks (self->document);
}

/* ---- More that can be done with the cut ---- */

static void
tell (ScopeCutBar *self, const char *text)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-message", "s", text);
}

static void
copy_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  ScopeCutBar *self = SCOPE_CUT_BAR (widget);
  const SymCutLanguage *language = sym_cut_find_language (g_variant_get_string (parameter, NULL));
  ScopeCut *cut = scope_document_get_cut (self->document);
  GFile *file = scope_document_get_file (self->document);
  g_autofree char *text = NULL;

  if (language == NULL || cut == NULL || scope_cut_get_selection (cut) == NULL)
    return;
  g_autofree char *code = sym_cut_write_code (language, scope_cut_get_selection (cut),
                                              scope_document_get_model (self->document),
                                              file != NULL ? g_file_peek_path (file) : NULL);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), code);
  text = g_strdup_printf (_ ("Copied for %s"), language->title);
  tell (self, text);
}

static void
add_outputs_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  ScopeCutBar *self = SCOPE_CUT_BAR (widget);
  g_autoptr (GError) error = NULL;

  if (!scope_document_add_outputs (self->document, &error))
    tell (self, error->message);
}

static GMenu *
create_menu (gconstpointer data)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) copies = g_menu_new ();

  for (const SymCutLanguage *l = sym_cut_get_languages (); l->name != NULL; l++)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new (l->title, NULL);

      g_menu_item_set_action_and_target (item, "cut.copy", "s", l->name);
      g_menu_append_item (copies, item);
    }
  g_menu_append (menu, _ ("Make Outputs of the Graph"), "cut.add-outputs");
  g_menu_append_section (menu, _ ("Copy the Call That Does the Same"), G_MENU_MODEL (copies));
  return menu;
}

/* A menu is made of many widgets, and often nobody opens it. */
static void
create_menu_cb (GtkMenuButton *button, gpointer user_data)
{
  if (gtk_menu_button_get_menu_model (button) == NULL)
    gtk_menu_button_set_menu_model (button, scope_menu_keep ("cut", create_menu, NULL));
}

/* There is nothing to copy of a cut that is impossible, and no output where only inputs are marked.
 */
static void
update_menu (ScopeCutBar *self, ScopeCut *cut)
{
  SymIds outputs =
      scope_state_get_marks (scope_document_get_state (self->document), SCOPE_MARK_OUTPUT);

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "cut.copy",
                                 scope_cut_get_selection (cut) != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "cut.add-outputs", outputs.n > 0);
}

gboolean
scope_cut_bar_is_wanted (ScopeDocument *document)
{
  return scope_document_get_cut (document) != NULL;
}

static void
arrange (ScopeCutBar *self)
{
  int least = gtk_widget_get_visible (self->add_input) ? NARROW_WHY : NARROW;
  gboolean is_narrow = self->room > 0 && self->room < least;

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->box), is_narrow
                                                                  ? GTK_ORIENTATION_VERTICAL
                                                                  : GTK_ORIENTATION_HORIZONTAL);
}

static void
show_cut (ScopeCutBar *self)
{
  ScopeCut *cut = scope_document_get_cut (self->document);

  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), cut != NULL);
  gtk_widget_set_can_target (GTK_WIDGET (self), cut != NULL);
  if (cut == NULL)
    return;
  gboolean is_possible = scope_cut_get_selection (cut) != NULL;
  g_autofree char *text = scope_cut_to_string (cut);

  gtk_label_set_text (GTK_LABEL (self->title),
                      is_possible ? _ ("Sub-model") : _ ("Impossible Cut"));
  scope_wrapped_set_text (self->text, text);
  if (is_possible)
    gtk_widget_remove_css_class (self->title, "error");
  else
    gtk_widget_add_css_class (self->title, "error");
  gtk_widget_set_visible (self->extract, is_possible);
  gtk_widget_set_visible (self->open_in_tab, is_possible);
  show_foreign (self, cut);
  arrange (self);
  update_menu (self, cut);
}

static void
document_changed_cb (ScopeCutBar *self, guint changes)
{
  if (changes & (SCOPE_CHANGE_CUT | SCOPE_CHANGE_MODEL))
    show_cut (self);
}

static void
scope_cut_bar_dispose (GObject *object)
{
  ScopeCutBar *self = SCOPE_CUT_BAR (object);

  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->document);
  g_clear_pointer (&self->revealer, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_cut_bar_parent_class)->dispose (object);
}

static void
scope_cut_bar_class_init (ScopeCutBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_cut_bar_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  g_type_ensure (SCOPE_TYPE_COLUMN);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-cut-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, ScopeCutBar, revealer);
  gtk_widget_class_bind_template_child (widget_class, ScopeCutBar, box);
  gtk_widget_class_bind_template_child (widget_class, ScopeCutBar, title);
  gtk_widget_class_bind_template_child (widget_class, ScopeCutBar, text);
  gtk_widget_class_bind_template_child (widget_class, ScopeCutBar, add_input);
  gtk_widget_class_bind_template_child (widget_class, ScopeCutBar, clear);
  gtk_widget_class_bind_template_child (widget_class, ScopeCutBar, open_in_tab);
  gtk_widget_class_bind_template_child (widget_class, ScopeCutBar, extract);
  gtk_widget_class_bind_template_child (widget_class, ScopeCutBar, more);
  gtk_widget_class_install_action (widget_class, "cut.copy", "s", copy_cb);
  gtk_widget_class_install_action (widget_class, "cut.add-outputs", NULL, add_outputs_cb);
  gtk_widget_class_bind_template_callback (widget_class, add_input_cb);
  gtk_widget_class_bind_template_callback (widget_class, clear_cb);
}

static void
scope_cut_bar_init (ScopeCutBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  scope_elided_tell (self->text);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->more), create_menu_cb, NULL, NULL);
  scope_menu_hush (self->more);
}

GtkWidget *
scope_cut_bar_new (ScopeDocument *document)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (document), NULL);

  ScopeCutBar *self = g_object_new (SCOPE_TYPE_CUT_BAR, NULL);

  self->document = g_object_ref (document);
  g_signal_connect_swapped (document, "changed", G_CALLBACK (document_changed_cb), self);
  show_cut (self);
  return GTK_WIDGET (self);
}

void
scope_cut_bar_set_room (ScopeCutBar *self, int width)
{
  g_return_if_fail (SCOPE_IS_CUT_BAR (self));

  self->room = width;
  arrange (self);
}
