/* SPDX-License-Identifier: MIT */
#include "app/scope-page.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/scope-back-forward.h"
#include "app/scope-column.h"
#include "app/scope-compare-bar.h"
#include "app/scope-cut-bar.h"
#include "app/scope-direction.h"
#include "app/scope-disk-bar.h"
#include "app/scope-empty.h"
#include "app/scope-float.h"
#include "app/scope-focus-bar.h"
#include "app/scope-inspector.h"
#include "app/scope-legend.h"
#include "app/scope-lift.h"
#include "app/scope-minimap.h"
#include "app/scope-notice.h"
#include "app/scope-overlays.h"
#include "app/scope-panes.h"
#include "app/scope-problems.h"
#include "app/scope-progress.h"
#include "app/scope-run-bar.h"
#include "app/scope-shapes.h"
#include "app/scope-summary.h"
#include "app/scope-text.h"
#include "app/scope-zoom.h"

#define LEAST_DRAWING 360 /* pixels, where there is room for all */

/* What is only there while it has something to tell, in the order that it is shown in. */
enum { DISK_BAR, RUN_BAR, COMPARE_BAR, FOCUS_BAR, CUT_BAR, N_BARS };

static const struct {
  gboolean (*is_wanted) (ScopeDocument *document);
  GtkWidget *(*make) (ScopeDocument *document);
} bar_kinds[N_BARS] = {
  [DISK_BAR] = { scope_disk_bar_is_wanted, scope_disk_bar_new },
  [RUN_BAR] = { scope_run_bar_is_wanted, scope_run_bar_new },
  [COMPARE_BAR] = { scope_compare_bar_is_wanted, scope_compare_bar_new },
  [FOCUS_BAR] = { scope_focus_bar_is_wanted, scope_focus_bar_new },
  [CUT_BAR] = { scope_cut_bar_is_wanted, scope_cut_bar_new },
};

struct _ScopePage {
  GtkWidget parent_instance;

  ScopeDocument *document;
  ScopeRoom room;
  guint following;         /* the idle source that follows the drawing's width; 0 for none */
  guint arriving;          /* that which gives the drawing the keyboard */
  gboolean is_seen;        /* its graph has been on the screen */
  GtkWidget *bars[N_BARS]; /* NULL for those that nobody needed yet */

  GtkWidget *stack;
  GtkWidget *reading;
  GtkWidget *failure;
  GtkWidget *panes;
  GtkWidget *sidebar;
  GtkWidget *graph;
  GtkWidget *drawing;
  GtkWidget *shapes;
  GtkWidget *summary;
  GtkWidget *canvas;
  GtkWidget *nothing; /* NULL until it was needed */
  GtkWidget *bottom;  /* with these, and the bar below them: */
  GtkWidget *corners; /* legend and overview */
  GtkWidget *corner;
  GtkWidget *legend;
  GtkWidget *minimap;
  GtkWidget *problems;
  GtkWidget *inspector;
  GtkWidget *notice;
  GtkWidget *back; /* with forward */
  GtkWidget *zoom;
  GtkWidget *head;  /* for bars above all */
  GtkWidget *crown; /* for those at the top of the drawing */
  GtkWidget *foot;  /* for those at its foot */
};

G_DEFINE_FINAL_TYPE (ScopePage, scope_page, GTK_TYPE_WIDGET)

/* To have cancelled is no mistake of the file's. */
static void
show_failure (ScopePage *self, const GError *error)
{
  gboolean is_cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_autofree char *title =
      g_strdup_printf (is_cancelled ? _ ("“%s” Was Not Opened") : _ ("“%s” Cannot Be Shown"),
                       scope_document_get_title (self->document));
  g_autofree char *title_markup = g_markup_escape_text (title, -1);
  g_autofree char *sentence =
      is_cancelled ? g_strdup (_ ("Reading was cancelled")) : scope_text_sentence (error->message);
  g_autofree char *markup = g_markup_escape_text (sentence, -1);

  adw_status_page_set_icon_name (ADW_STATUS_PAGE (self->failure),
                                 is_cancelled ? "process-stop-symbolic" : "dialog-error-symbolic");
  adw_status_page_set_title (ADW_STATUS_PAGE (self->failure), title_markup);
  adw_status_page_set_description (ADW_STATUS_PAGE (self->failure), markup);
}

static gboolean
is_somebody_typing (ScopePage *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return GTK_IS_EDITABLE (focus) && gtk_widget_get_mapped (focus);
}

static gboolean
shows_graph (ScopePage *self)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (self->stack)), "graph") == 0;
}

/* Who has opened a graph wants to look at it, unless they are typing elsewhere by now.  The stack
 * would give the keyboard to the first entry that it comes by. */
static void
show_graph (ScopePage *self)
{
  gboolean is_mapped = gtk_widget_get_mapped (GTK_WIDGET (self));
  gboolean takes_focus = is_mapped && !is_somebody_typing (self) && !shows_graph (self);

  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "graph");
  self->is_seen = self->is_seen || is_mapped;
  if (takes_focus)
    gtk_widget_grab_focus (self->canvas);
}

static gboolean
arrive_cb (gpointer user_data)
{
  ScopePage *self = user_data;

  self->arriving = 0;
  if (gtk_widget_get_mapped (self->canvas))
    gtk_widget_grab_focus (self->canvas);
  return G_SOURCE_REMOVE;
}

/* Of a graph that was opened behind others, the tabs would give the keyboard to the first entry,
 * too. */
static void
scope_page_map (GtkWidget *widget)
{
  ScopePage *self = SCOPE_PAGE (widget);

  gtk_widget_set_visible (self->stack, TRUE);
  GTK_WIDGET_CLASS (scope_page_parent_class)->map (widget);
  if (!self->is_seen && shows_graph (self) && self->arriving == 0)
    self->arriving = g_idle_add (arrive_cb, self);
  self->is_seen = self->is_seen || shows_graph (self);
}

/* GTK styles what is visible, even behind other tabs: with six of them a change of colours took a
 * fifth of a second. */
static void
scope_page_unmap (GtkWidget *widget)
{
  ScopePage *self = SCOPE_PAGE (widget);

  GTK_WIDGET_CLASS (scope_page_parent_class)->unmap (widget);
  gtk_widget_set_visible (self->stack, FALSE);
}

/* Below what else is over the drawing. */
static void
show_emptiness (ScopePage *self, gboolean is_empty)
{
  if (self->nothing == NULL && is_empty)
    {
      self->nothing = scope_empty_new ("emblem-documents-symbolic", _ ("The Graph Has No Nodes"),
                                       _ ("There is nothing in the file to draw"),
                                       _ ("Open Another…"), "win.open");
      gtk_widget_insert_after (self->nothing, self->drawing, self->canvas);
    }
  if (self->nothing != NULL)
    gtk_widget_set_visible (self->nothing, is_empty);
}

static void
show_state (ScopePage *self)
{
  const GError *error = scope_document_get_error (self->document);
  gboolean has_graph = scope_document_get_inference (self->document) != NULL;

  show_emptiness (self, scope_document_is_empty (self->document));
  if (has_graph)
    {
      show_graph (self);
    }
  else if (error != NULL)
    {
      gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "failure");
      show_failure (self, error);
    }
  else
    {
      gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "reading");
    }
}

/* ---- Room ---- */

/* What lies over the drawing is as narrow as that is. */
static gboolean
follow_width_cb (gpointer user_data)
{
  ScopePage *self = user_data;

  self->following = 0;
  if (self->bars[CUT_BAR] != NULL)
    scope_cut_bar_set_room (SCOPE_CUT_BAR (self->bars[CUT_BAR]),
                            gtk_widget_get_width (self->drawing));
  return G_SOURCE_REMOVE;
}

/* Widths change while GTK gives places to widgets, when none may ask for another one. */
static void
width_changed_cb (ScopePage *self)
{
  if (self->following == 0)
    self->following = g_idle_add (follow_width_cb, self);
}

/* The table is not to leave less than a telephone's width. */
static void
update_room (ScopePage *self)
{
  gtk_widget_set_size_request (self->drawing, self->room == SCOPE_ROOM_WIDE ? LEAST_DRAWING : -1,
                               -1);
  width_changed_cb (self);
}

/* Whenever anything over the drawing changes, GTK asks where it is to be. */
static gboolean
place_cb (ScopePage *self, GtkWidget *widget, GdkRectangle *place)
{
  GtkWidget *focus_bar = self->bars[FOCUS_BAR];
  ScopeOverlays overlays = {
    .drawing = self->drawing,
    .back = self->back,
    .zoom = self->zoom,
    .crown = self->crown,
    .has_crown = focus_bar != NULL && gtk_widget_get_visible (focus_bar),
    .foot = self->bars[CUT_BAR],
    .corner = self->corner,
    .problems = self->problems,
    .legend = self->legend,
    .minimap = self->minimap,
  };
  ScopeCover cover = scope_overlays_place (&overlays);

  scope_canvas_set_cover (SCOPE_CANVAS (self->canvas), &cover);
  if (widget != self->bottom)
    return FALSE; /* where GTK has it */
  *place = scope_overlays_place_bottom (&overlays, self->bottom);
  return TRUE;
}

/* ---- Bars ---- */

/* Each bar is made when it is needed first: together they are a quarter of what it takes to make a
 * page. */
static void
make_bars (ScopePage *self)
{
  GtkWidget *places[N_BARS] = {
    [DISK_BAR] = self->head,   [RUN_BAR] = self->head, [COMPARE_BAR] = self->head,
    [FOCUS_BAR] = self->crown, [CUT_BAR] = self->foot,
  };
  GtkWidget *before = NULL;

  for (guint i = 0; i < N_BARS; i++)
    {
      before = i > 0 && places[i] == places[i - 1] ? before : NULL;
      if (self->bars[i] == NULL && bar_kinds[i].is_wanted (self->document))
        {
          self->bars[i] = bar_kinds[i].make (self->document);
          gtk_widget_insert_after (self->bars[i], places[i], before);
          width_changed_cb (self);
        }
      before = self->bars[i] != NULL ? self->bars[i] : before;
    }
}

static gboolean
has_focus (GtkWidget *panel)
{
  GtkRoot *root = gtk_widget_get_root (panel);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && (focus == panel || gtk_widget_is_ancestor (focus, panel));
}

/* A bar that goes away, as after its own button, would leave the keyboard to the panes, whose
 * arrows move the borders. */
static void
leave_bars (ScopePage *self)
{
  for (guint i = 0; i < N_BARS; i++)
    if (self->bars[i] != NULL && !bar_kinds[i].is_wanted (self->document) &&
        has_focus (self->bars[i]))
      gtk_widget_grab_focus (self->canvas);
}

static void
document_changed_cb (ScopePage *self, guint changes)
{
  leave_bars (self);
  make_bars (self);
  show_state (self);
}

static void
cancel_cb (ScopePage *self)
{
  scope_document_cancel (self->document);
}

static void
retry_cb (ScopePage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.reload", NULL);
}

/* ---- From panel to panel ---- */

static gboolean
enter (ScopePage *self, GtkWidget *panel)
{
  if (!gtk_widget_get_mapped (panel))
    return FALSE;
  return panel == self->drawing ? gtk_widget_grab_focus (self->canvas)
                                : gtk_widget_child_focus (panel, GTK_DIR_TAB_FORWARD);
}

/* GTK's own way from pane to pane leads to the first button over the drawing, not to that.  From
 * outside of all, the drawing comes first. */
static gboolean
step_panel (ScopePage *self, guint step)
{
  GtkWidget *panels[] = { self->sidebar, self->drawing, self->inspector };
  guint n = G_N_ELEMENTS (panels), at = n;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self))) /* of a tab behind */
    return GDK_EVENT_PROPAGATE;
  for (guint i = 0; i < n; i++)
    if (has_focus (panels[i]))
      at = i;
  if (at == n && enter (self, self->drawing))
    return GDK_EVENT_STOP;
  for (guint i = 1; i < n; i++)
    if (enter (self, panels[(at + i * step) % n]))
      break;
  return GDK_EVENT_STOP;
}

static gboolean
next_panel_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  return step_panel (SCOPE_PAGE (widget), 1);
}

static gboolean
previous_panel_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  return step_panel (SCOPE_PAGE (widget), 2); /* of three */
}

/* Before the panes get them, and from header and bars, too. */
static void
add_panel_keys (ScopePage *self)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  gtk_shortcut_controller_set_scope (GTK_SHORTCUT_CONTROLLER (keys), GTK_SHORTCUT_SCOPE_GLOBAL);
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_F6, 0),
                        gtk_callback_action_new (next_panel_cb, NULL, NULL)));
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_F6, GDK_SHIFT_MASK),
                        gtk_callback_action_new (previous_panel_cb, NULL, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

/* ---- Class ---- */

static void
scope_page_dispose (GObject *object)
{
  ScopePage *self = SCOPE_PAGE (object);

  if (self->document != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->document, self);
      scope_document_cancel (self->document);
      scope_document_cancel_run (self->document);
    }
  g_clear_object (&self->document);
  g_clear_handle_id (&self->following, g_source_remove);
  g_clear_handle_id (&self->arriving, g_source_remove);
  g_clear_pointer (&self->stack, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_page_parent_class)->dispose (object);
}

static void
ensure_types (void)
{
  g_type_ensure (SCOPE_TYPE_BACK_FORWARD);
  g_type_ensure (SCOPE_TYPE_CANVAS);
  g_type_ensure (SCOPE_TYPE_COLUMN);
  g_type_ensure (SCOPE_TYPE_FLOAT);
  g_type_ensure (SCOPE_TYPE_INSPECTOR);
  g_type_ensure (SCOPE_TYPE_LEGEND);
  g_type_ensure (SCOPE_TYPE_MINIMAP);
  g_type_ensure (SCOPE_TYPE_NOTICE);
  g_type_ensure (SCOPE_TYPE_PROBLEMS);
  g_type_ensure (SCOPE_TYPE_PROGRESS);
  g_type_ensure (SCOPE_TYPE_SHAPES);
  g_type_ensure (SCOPE_TYPE_SUMMARY);
  g_type_ensure (SCOPE_TYPE_ZOOM);
}

#define BIND(child) gtk_widget_class_bind_template_child (widget_class, ScopePage, child)

static void
scope_page_class_init (ScopePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  ensure_types ();
  G_OBJECT_CLASS (klass)->dispose = scope_page_dispose;
  widget_class->map = scope_page_map;
  widget_class->unmap = scope_page_unmap;
  gtk_widget_class_set_layout_manager_type (widget_class, SCOPE_TYPE_COLUMN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-page.ui");
  BIND (stack);
  BIND (reading);
  BIND (failure);
  BIND (panes);
  BIND (sidebar);
  BIND (graph);
  BIND (drawing);
  BIND (shapes);
  BIND (summary);
  BIND (canvas);
  BIND (bottom);
  BIND (corners);
  BIND (corner);
  BIND (legend);
  BIND (minimap);
  BIND (problems);
  BIND (inspector);
  BIND (notice);
  BIND (back);
  BIND (zoom);
  BIND (head);
  BIND (crown);
  BIND (foot);
  gtk_widget_class_bind_template_callback (widget_class, cancel_cb);
  gtk_widget_class_bind_template_callback (widget_class, retry_cb);
  gtk_widget_class_bind_template_callback (widget_class, place_cb);
}

static void
scope_page_init (ScopePage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  for (GtkWidget *child = gtk_widget_get_first_child (self->drawing); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    scope_direction_keep (child);
  scope_direction_keep_all (self->corners);
  add_panel_keys (self);
  scope_lift_above_toasts (self->corners);
}

GtkWidget *
scope_page_new (ScopeDocument *document, ScopeSettings *settings)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (document), NULL);

  ScopePage *self = g_object_new (SCOPE_TYPE_PAGE, NULL);

  self->document = g_object_ref (document);
  scope_progress_set_document (SCOPE_PROGRESS (self->reading), document);
  scope_shapes_set_document (SCOPE_SHAPES (self->shapes), document);
  scope_summary_set_document (SCOPE_SUMMARY (self->summary), document, settings);
  scope_canvas_set_document (SCOPE_CANVAS (self->canvas), document);
  scope_legend_set_document (SCOPE_LEGEND (self->legend), document);
  scope_minimap_set_document (SCOPE_MINIMAP (self->minimap), document,
                              scope_canvas_get_viewport (SCOPE_CANVAS (self->canvas)));
  scope_problems_set_document (SCOPE_PROBLEMS (self->problems), document);
  scope_notice_set_document (SCOPE_NOTICE (self->notice), document);
  scope_inspector_set_document (SCOPE_INSPECTOR (self->inspector), document);
  g_signal_connect_swapped (document, "changed", G_CALLBACK (document_changed_cb), self);
  g_signal_connect_object (scope_page_get_viewport (self), "changed", G_CALLBACK (width_changed_cb),
                           self, G_CONNECT_SWAPPED);
  scope_panes_keep (GTK_WIDGET (self), GTK_PANED (self->panes), GTK_PANED (self->graph), settings);
  update_room (self);
  make_bars (self);
  show_state (self);
  return GTK_WIDGET (self);
}

ScopeDocument *
scope_page_get_document (ScopePage *self)
{
  return self->document;
}

ScopeViewport *
scope_page_get_viewport (ScopePage *self)
{
  return scope_canvas_get_viewport (SCOPE_CANVAS (self->canvas));
}

ScopeCanvas *
scope_page_get_canvas (ScopePage *self)
{
  return SCOPE_CANVAS (self->canvas);
}

void
scope_page_focus_search (ScopePage *self)
{
  scope_search_focus (scope_summary_get_search (SCOPE_SUMMARY (self->summary)));
}

void
scope_page_leave_bars (ScopePage *self)
{
  g_return_if_fail (SCOPE_IS_PAGE (self));

  for (guint i = 0; i < N_BARS; i++)
    if (self->bars[i] != NULL && has_focus (self->bars[i]))
      gtk_widget_grab_focus (self->canvas);
}

void
scope_page_prepare_move (ScopePage *self)
{
  self->is_seen = FALSE; /* it arrives in the other window, too */
  scope_summary_prepare_move (SCOPE_SUMMARY (self->summary));
}

void
scope_page_rename (ScopePage *self)
{
  scope_inspector_rename (SCOPE_INSPECTOR (self->inspector));
}

void
scope_page_step_search (ScopePage *self, gboolean forward)
{
  scope_search_go (scope_summary_get_search (SCOPE_SUMMARY (self->summary)), forward);
}

void
scope_page_show_panels (ScopePage *self, ScopePanels panels)
{
  gboolean summary = (panels & SCOPE_PANEL_SUMMARY) != 0;
  gboolean inspector = (panels & SCOPE_PANEL_INSPECTOR) != 0;
  ScopePanels over = self->room != SCOPE_ROOM_LEAST ? panels : 0;

  gtk_widget_set_visible (self->sidebar, summary);
  gtk_widget_set_visible (self->graph, !summary || self->room == SCOPE_ROOM_WIDE);
  gtk_widget_set_visible (self->drawing, !inspector || self->room != SCOPE_ROOM_LEAST);
  gtk_widget_set_visible (self->inspector, inspector);
  scope_legend_set_wanted (SCOPE_LEGEND (self->legend), (over & SCOPE_PANEL_LEGEND) != 0);
  scope_minimap_set_wanted (SCOPE_MINIMAP (self->minimap), (over & SCOPE_PANEL_MINIMAP) != 0);
}

void
scope_page_set_room (ScopePage *self, ScopeRoom room)
{
  g_return_if_fail (SCOPE_IS_PAGE (self));

  self->room = room;
  update_room (self);
}
