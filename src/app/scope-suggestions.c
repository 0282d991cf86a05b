/* SPDX-License-Identifier: MIT */
#include "app/scope-suggestions.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/scope-access.h"
#include "app/scope-queries.h"
#include "query/sym-query.h"

#define MAX_HEIGHT 260 /* pixels; more can be scrolled to */
#define MAX_LINES 8    /* that fit in that */
#define LEAST_WIDTH 260
#define N_FRAMES 3 /* until the entry has its width beside the number of hits */
#define MAX_PAST 5 /* of what was searched for before */

struct _ScopeSuggestions {
  GtkPopover parent_instance;

  GtkWidget *entry; /* borrowed */
  GtkWidget *scroller;
  GtkWidget *list;
  GPtrArray *completions; /* of SymQueryCompletion; NULL for none */
  guint n_frames;         /* how long it follows its entry yet */
  guint following;        /* the tick callback that does; 0 for none */
  GCancellable *asking;   /* for what was searched for before; NULL: nobody does */
};

G_DEFINE_FINAL_TYPE (ScopeSuggestions, scope_suggestions, GTK_TYPE_POPOVER)

enum { ACCEPTED, N_SIGNALS };

static guint signals[N_SIGNALS];

/* The list never has the keyboard, so that screen readers do not come to its lines: the entry says
 * what is offered and which line is moved to. */
static void
tell (ScopeSuggestions *self, const char *text)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text, -1);
}

static GtkWidget *
create_row (const SymQueryCompletion *suggestion)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *text = gtk_label_new (suggestion->text);
  GtkWidget *meaning = gtk_label_new (suggestion->meaning);
  g_autofree char *both = g_strdup_printf ("%s, %s", suggestion->text, suggestion->meaning);

  gtk_label_set_ellipsize (GTK_LABEL (text), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (GTK_LABEL (text), 0);
  gtk_label_set_ellipsize (GTK_LABEL (meaning), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (meaning), 1);
  gtk_widget_set_hexpand (meaning, TRUE);
  gtk_widget_add_css_class (meaning, "dim-label");
  gtk_widget_add_css_class (meaning, "caption");
  gtk_box_append (GTK_BOX (box), text);
  gtk_box_append (GTK_BOX (box), meaning);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  *suggestion->meaning != '\0' ? both : suggestion->text, -1);
  return row;
}

static gboolean
has_more_to_come (const char *text)
{
  return g_str_has_suffix (text, ":") || g_str_has_suffix (text, ">");
}

/* Puts a line in place of the word that it completes. */
static void
accept (ScopeSuggestions *self, guint i)
{
  GtkEditable *entry = GTK_EDITABLE (self->entry);
  const char *text = gtk_editable_get_text (entry);
  gsize length = strlen (text);

  if (self->completions == NULL || i >= self->completions->len)
    return;
  const SymQueryCompletion *completion = self->completions->pdata[i];
  gsize start = MIN (completion->start, length);
  g_autofree char *before = g_strndup (text, start);
  g_autofree char *left = g_strconcat (before, completion->text, NULL);
  g_autofree char *changed =
      g_strconcat (left, text + CLAMP (completion->end, start, length), NULL);

  g_signal_emit (self, signals[ACCEPTED], 0, !has_more_to_come (completion->text));
  scope_suggestions_hide (self);
  gtk_editable_set_text (entry, changed);
  gtk_editable_set_position (entry, (int) g_utf8_strlen (left, -1));
}

static void
row_activated_cb (ScopeSuggestions *self, GtkListBoxRow *row)
{
  accept (self, (guint) gtk_list_box_row_get_index (row));
}

static void
stop_asking (ScopeSuggestions *self)
{
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
}

static void
scope_suggestions_dispose (GObject *object)
{
  stop_asking (SCOPE_SUGGESTIONS (object));
  G_OBJECT_CLASS (scope_suggestions_parent_class)->dispose (object);
}

static void
scope_suggestions_finalize (GObject *object)
{
  g_clear_pointer (&SCOPE_SUGGESTIONS (object)->completions, g_ptr_array_unref);
  G_OBJECT_CLASS (scope_suggestions_parent_class)->finalize (object);
}

static void
scope_suggestions_class_init (ScopeSuggestionsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = scope_suggestions_dispose;
  G_OBJECT_CLASS (klass)->finalize = scope_suggestions_finalize;
  signals[ACCEPTED] = g_signal_new ("accepted", SCOPE_TYPE_SUGGESTIONS, G_SIGNAL_RUN_LAST, 0, NULL,
                                    NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
}

static void
scope_suggestions_init (ScopeSuggestions *self)
{
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_BROWSE);
  scope_access_name (self->list, _ ("Suggestions"));
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (row_activated_cb), self);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scroller), MAX_HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->list);
  gtk_popover_set_child (GTK_POPOVER (self), self->scroller);
  gtk_popover_set_autohide (GTK_POPOVER (self), FALSE);
  gtk_popover_set_has_arrow (GTK_POPOVER (self), FALSE);
  gtk_popover_set_position (GTK_POPOVER (self), GTK_POS_BOTTOM);
  gtk_widget_set_halign (GTK_WIDGET (self), GTK_ALIGN_START);
  gtk_widget_set_can_focus (GTK_WIDGET (self), FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self), "suggestions");
}

ScopeSuggestions *
scope_suggestions_new (GtkWidget *parent, GtkWidget *entry)
{
  ScopeSuggestions *self = g_object_new (SCOPE_TYPE_SUGGESTIONS, NULL);

  self->entry = entry;
  gtk_widget_set_parent (GTK_WIDGET (self), parent);
  return self;
}

static void
clear (ScopeSuggestions *self)
{
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), row);
}

/* Below the entry and as wide as it. */
static void
place (ScopeSuggestions *self)
{
  int width = gtk_widget_get_width (self->entry), height = gtk_widget_get_height (self->entry);
  double x, y;

  if (!gtk_widget_translate_coordinates (self->entry, gtk_widget_get_parent (GTK_WIDGET (self)), 0,
                                         0, &x, &y))
    return;
  gtk_popover_set_pointing_to (GTK_POPOVER (self),
                               &(GdkRectangle){ (int) x, (int) y, width, height });
  gtk_widget_set_size_request (self->scroller, MAX (width, LEAST_WIDTH), -1);
}

static gboolean
follow_cb (GtkWidget *entry, GdkFrameClock *clock, gpointer data)
{
  ScopeSuggestions *self = data;
  gboolean is_there = gtk_widget_get_parent (GTK_WIDGET (self)) != NULL;
  int width;

  gtk_widget_get_size_request (self->scroller, &width, NULL);
  if (is_there && width != MAX (gtk_widget_get_width (entry), LEAST_WIDTH))
    place (self);
  if (is_there && --self->n_frames > 0)
    return G_SOURCE_CONTINUE;
  self->following = 0;
  return G_SOURCE_REMOVE;
}

static void
follow (ScopeSuggestions *self)
{
  self->n_frames = N_FRAMES;
  if (self->following == 0)
    self->following =
        gtk_widget_add_tick_callback (self->entry, follow_cb, g_object_ref (self), g_object_unref);
}

void
scope_suggestions_show (ScopeSuggestions *self, GPtrArray *completions)
{
  g_return_if_fail (SCOPE_IS_SUGGESTIONS (self) && completions != NULL);

  guint n = completions->len;

  stop_asking (self);
  clear (self);
  g_clear_pointer (&self->completions, g_ptr_array_unref);
  self->completions = g_ptr_array_ref (completions);
  if (n == 0)
    {
      scope_suggestions_hide (self);
      return;
    }
  for (guint i = 0; i < n; i++)
    gtk_list_box_append (GTK_LIST_BOX (self->list), create_row (completions->pdata[i]));
  gtk_list_box_unselect_all (GTK_LIST_BOX (self->list));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER,
                                  n > MAX_LINES ? GTK_POLICY_AUTOMATIC : GTK_POLICY_NEVER);
  g_autofree char *text = g_strdup_printf (
      ngettext ("%u suggestion, Down leads to it", "%u suggestions, Down leads to them", n), n);

  tell (self, text);
  place (self);
  gtk_popover_popup (GTK_POPOVER (self));
  follow (self);
}

static void
add (GPtrArray *completions, char *take_text, const char *meaning, gsize end)
{
  SymQueryCompletion *completion = g_new (SymQueryCompletion, 1);

  *completion = (SymQueryCompletion){ take_text, g_strdup (meaning), 0, end };
  g_ptr_array_add (completions, completion);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ScopeSuggestions) self = user_data;
  g_auto (GStrv) past = scope_queries_list_finish (result, NULL);

  if (past == NULL)
    return; /* nobody waits for it any more */
  g_autoptr (GPtrArray) completions =
      g_ptr_array_new_with_free_func ((GDestroyNotify) sym_query_completion_free);
  gsize length = strlen (gtk_editable_get_text (GTK_EDITABLE (self->entry)));
  guint n;
  const SymQueryFieldInfo *fields = sym_query_get_fields (&n);

  for (guint i = 0; i < MAX_PAST && past[i] != NULL; i++)
    add (completions, g_strdup (past[i]), _ ("searched for before"), length);
  for (guint i = 0; i < n; i++)
    {
      gsize name = strcspn (fields[i].example, ":=<>");

      add (completions, g_strndup (fields[i].example, name + 1), fields[i].meaning, length);
    }
  scope_suggestions_show (self, completions);
}

void
scope_suggestions_show_beginnings (ScopeSuggestions *self)
{
  g_return_if_fail (SCOPE_IS_SUGGESTIONS (self));

  stop_asking (self);
  self->asking = g_cancellable_new ();
  scope_queries_list_async (self->asking, listed_cb, g_object_ref (self));
}

void
scope_suggestions_hide (ScopeSuggestions *self)
{
  g_return_if_fail (SCOPE_IS_SUGGESTIONS (self));

  stop_asking (self);
  if (!scope_suggestions_is_shown (self))
    return;
  gtk_accessible_reset_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
  gtk_popover_popdown (GTK_POPOVER (self));
}

gboolean
scope_suggestions_is_shown (ScopeSuggestions *self)
{
  return gtk_widget_get_visible (GTK_WIDGET (self));
}

/* The list scrolls by itself only to what has the keyboard. */
static void
scroll_to (ScopeSuggestions *self, GtkWidget *row)
{
  GtkAdjustment *adjustment =
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  double x, y;

  if (gtk_widget_translate_coordinates (row, self->list, 0, 0, &x, &y))
    gtk_adjustment_clamp_page (adjustment, y, y + gtk_widget_get_height (row));
}

/* The line that was moved to; G_MAXUINT for none. */
static guint
get_selected (ScopeSuggestions *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list));

  return row != NULL ? (guint) gtk_list_box_row_get_index (row) : G_MAXUINT;
}

/* To the next line or the one before, around the ends; tells people who do not see. */
static void
step (ScopeSuggestions *self, gboolean forward)
{
  guint now = get_selected (self);
  guint n = self->completions != NULL ? self->completions->len : 0;

  if (n == 0)
    return;
  if (now == G_MAXUINT)
    now = forward ? 0 : n - 1;
  else
    now = (now + (forward ? 1 : n - 1)) % n;
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) now);
  GtkWidget *text = gtk_widget_get_first_child (gtk_list_box_row_get_child (row));
  GtkWidget *meaning = gtk_widget_get_next_sibling (text);

  g_autofree char *told =
      g_strdup_printf (_ ("%s, %s, %u of %u"), gtk_label_get_text (GTK_LABEL (text)),
                       gtk_label_get_text (GTK_LABEL (meaning)), now + 1, n);

  gtk_list_box_select_row (GTK_LIST_BOX (self->list), row);
  scroll_to (self, GTK_WIDGET (row));
  tell (self, told);
}

gboolean
scope_suggestions_use_key (ScopeSuggestions *self, guint key)
{
  g_return_val_if_fail (SCOPE_IS_SUGGESTIONS (self), FALSE);

  guint selected = get_selected (self);

  if (!scope_suggestions_is_shown (self))
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      step (self, key == GDK_KEY_Down || key == GDK_KEY_KP_Down);
      return TRUE;
    case GDK_KEY_Tab:
      accept (self, selected != G_MAXUINT ? selected : 0);
      return TRUE;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      if (selected != G_MAXUINT)
        accept (self, selected);
      return selected != G_MAXUINT;
    case GDK_KEY_Escape:
      scope_suggestions_hide (self);
      return TRUE;
    default:
      return FALSE;
    }
}
