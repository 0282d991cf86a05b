/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas-private.h"

#include <glib/gi18n.h>

#include "app/scope-announce.h"
#include "app/scope-place.h"
#include "app/scope-release.h"
#include "app/scope-start.h"
#include "app/scope-text.h"

G_DEFINE_FINAL_TYPE (ScopeCanvas, scope_canvas, GTK_TYPE_WIDGET)

/* ---- What stands out ---- */

typedef void (*CollectFunc) (ScopeCanvas *self, const SymLayout *layout, ScopeHighlight *light);

static void
collect_values (const SymLayout *layout, ScopeHighlight *light, SymIds values)
{
  for (guint i = 0; i < values.n; i++)
    scope_highlight_add (light, layout, values.ids[i], SYM_NO_ID);
}

static void
add_frame (const SymLayout *layout, ScopeHighlight *light, guint group)
{
  guint frame = group != SYM_NO_GROUP ? sym_scene_find_frame (sym_layout_get_scene (layout), group)
                                      : SYM_NO_FRAME;

  if (frame != SYM_NO_FRAME)
    g_array_append_vals (light->rects, (SymRect[]){ sym_layout_get_frame_rect (layout, frame) }, 1);
}

/* A group that is open by its frame, one that is closed by the box that stands for it. */
static void
collect_hit (ScopeCanvas *self, const SymLayout *layout, ScopeHighlight *light, SymQueryItem item)
{
  guint group = scope_document_get_hit_group (self->document, &item);
  SymFolding *folding = scope_document_get_folding (self->document);

  if (item.kind == SYM_QUERY_LAYER)
    scope_highlight_add (light, layout, SYM_NO_ID, item.call);
  else if (group != SYM_NO_GROUP && sym_folding_is_open (folding, group))
    add_frame (layout, light, group);
  else if (group != SYM_NO_GROUP)
    scope_highlight_add (light, layout, SYM_NO_ID,
                         sym_groups_get_calls (sym_folding_get_groups (folding), group).ids[0]);
}

static void
collect_found (ScopeCanvas *self, const SymLayout *layout, ScopeHighlight *light)
{
  SymIds found = scope_document_get_found (self->document);
  SymQueryResult *hits = scope_document_get_hits (self->document);
  guint n = hits != NULL ? sym_query_result_get_n (hits) : 0;

  collect_values (layout, light, found);
  for (guint i = found.n; i < n; i++)
    collect_hit (self, layout, light, sym_query_result_get (hits, i).item);
}

static void
collect_near (ScopeCanvas *self, const SymLayout *layout, ScopeHighlight *light)
{
  scope_highlight_add_lines (light, layout, scope_document_get_selected (self->document));
}

static void
collect_selected (ScopeCanvas *self, const SymLayout *layout, ScopeHighlight *light)
{
  SymIds several = scope_document_get_selected_values (self->document);
  SymModel *model = scope_document_get_model (self->document);

  add_frame (layout, light, scope_document_get_selected_frame (self->document));
  scope_highlight_add_node (light, layout, scope_document_get_selected (self->document));
  for (guint i = 0; i < several.n; i++)
    scope_highlight_add (light, layout, several.ids[i],
                         sym_model_get_producer (model, several.ids[i]));
}

static void
collect_problems (ScopeCanvas *self, const SymLayout *layout, ScopeHighlight *light)
{
  SymInference *inference = scope_document_get_inference (self->document);
  const SymProblems *problems = sym_inference_get_problems (inference);
  guint n = sym_problems_get_n (problems);

  for (guint i = 0; i < n; i++)
    if (sym_problems_get (problems, i)->call != SYM_NO_ID)
      scope_highlight_add (light, layout, SYM_NO_ID, sym_problems_get (problems, i)->call);
}

static void
collect_foreign (ScopeCanvas *self, const SymLayout *layout, ScopeHighlight *light)
{
  ScopeCut *cut = scope_document_get_cut (self->document);

  if (cut != NULL && scope_cut_get_selection (cut) == NULL)
    collect_values (layout, light, scope_cut_get_foreign (cut));
}

static void
collect_hovered (ScopeCanvas *self, const SymLayout *layout, ScopeHighlight *light)
{
  scope_highlight_add_node (light, layout, &self->hovered);
  scope_highlight_add_lines (light, layout, &self->hovered);
}

static void
collect_inputs (ScopeCanvas *self, const SymLayout *layout, ScopeHighlight *light)
{
  ScopeState *state = scope_document_get_state (self->document);

  collect_values (layout, light, scope_state_get_marks (state, SCOPE_MARK_INPUT));
}

static void
collect_outputs (ScopeCanvas *self, const SymLayout *layout, ScopeHighlight *light)
{
  ScopeState *state = scope_document_get_state (self->document);

  collect_values (layout, light, scope_state_get_marks (state, SCOPE_MARK_OUTPUT));
}

/* What belongs to each, and the changes after which that is to be looked at again, besides those of
 * the model and the picture. */
static const struct {
  CollectFunc collect;
  guint changes;
} sources[SCOPE_N_LIGHTS] = {
  [SCOPE_LIGHT_FOUND] = { collect_found, SCOPE_CHANGE_FOUND },
  [SCOPE_LIGHT_TRACE] = { scope_canvas_collect_trace, SCOPE_CHANGE_FOCUS },
  [SCOPE_LIGHT_NEAR] = { collect_near, SCOPE_CHANGE_SELECTION },
  [SCOPE_LIGHT_PROBLEM] = { collect_problems, SCOPE_CHANGE_TYPES },
  [SCOPE_LIGHT_BAD] = { scope_canvas_collect_bad, SCOPE_CHANGE_RUN },
  [SCOPE_LIGHT_FIRST_BAD] = { scope_canvas_collect_first_bad, SCOPE_CHANGE_RUN },
  [SCOPE_LIGHT_FAILED] = { scope_canvas_collect_failed, SCOPE_CHANGE_RUN },
  [SCOPE_LIGHT_FOREIGN] = { collect_foreign, SCOPE_CHANGE_CUT },
  [SCOPE_LIGHT_HOVER] = { collect_hovered, 0 },
  [SCOPE_LIGHT_INPUT] = { collect_inputs, SCOPE_CHANGE_STATE },
  [SCOPE_LIGHT_OUTPUT] = { collect_outputs, SCOPE_CHANGE_STATE },
  [SCOPE_LIGHT_SELECTED] = { collect_selected, SCOPE_CHANGE_SELECTION },
};

void
scope_canvas_update_light (ScopeCanvas *self, ScopeLight light)
{
  SymLayout *layout = scope_canvas_get_layout (self);

  scope_highlight_clear (self->lights[light]);
  g_clear_pointer (&self->rasters[light], scope_line_raster_free);
  if (layout != NULL)
    sources[light].collect (self, layout, self->lights[light]);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
update_lights (ScopeCanvas *self, guint changes)
{
  for (guint i = 0; i < SCOPE_N_LIGHTS; i++)
    if (changes & (sources[i].changes | SCOPE_CHANGE_MODEL | SCOPE_CHANGE_PICTURE))
      scope_canvas_update_light (self, (ScopeLight) i);
}

/* ---- What the document says ---- */

/* GTK 4.8 cannot expose what a widget paints, so the widget itself says what is selected; readers
 * say aloud how the description of what has the keyboard changes. */
static void
update_description (ScopeCanvas *self)
{
  g_autofree char *text = scope_announce_selected (self->document);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Graph"),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text != NULL ? text : _ ("Nothing is selected"), -1);
}

/* The squares painted of another picture of the same layout are right in their places; but light
 * ones among dark ones would hurt. */
static void
update_tiles (ScopeCanvas *self)
{
  SymLayout *layout = scope_canvas_get_layout (self);
  SymTheme theme = scope_document_get_view (self->document)->theme;
  SymColor background = sym_theme_get_background (theme);

  scope_tiles_set_picture (self->tiles, scope_document_get_picture (self->document), &background,
                           layout != NULL && layout == self->shown_layout &&
                               theme == self->shown_theme);
  self->shown_theme = theme;
}

/* Ids of another model would select something else in the layout that is shown. */
ScopeGaze
scope_canvas_get_gaze (ScopeCanvas *self)
{
  SymInference *shown = sym_scene_get_inference (sym_layout_get_scene (self->shown_layout));
  ScopeGaze gaze = { scope_viewport_get_visible (self->viewport), 0, 0, scope_node_get_none () };

  if (sym_inference_get_model (shown) == scope_document_get_model (self->document))
    gaze.node = *scope_document_get_selected (self->document);
  gaze.x = gaze.visible.x + gaze.visible.width / 2;
  gaze.y = gaze.visible.y + gaze.visible.height / 2;
  if (self->has_pointer)
    scope_viewport_to_content (self->viewport, self->pointer_x, self->pointer_y, &gaze.x, &gaze.y);
  return gaze;
}

/* What is looked at stays where it is seen.  A view of all remains one, unless it was of the part
 * that came first. */
static void
move_with_layout (ScopeCanvas *self, SymLayout *layout, const SymRect *extent)
{
  double dx, dy;

  if (scope_canvas_keep_folded (self, layout, extent))
    return;
  if (self->shown_layout != NULL &&
      (!scope_viewport_is_fitted (self->viewport) || self->shows_preview))
    {
      ScopeGaze gaze = scope_canvas_get_gaze (self);

      if (scope_anchor_find (self->shown_layout, layout, &gaze, &dx, &dy))
        {
          scope_viewport_change_extent (self->viewport, extent, dx, dy);
          return;
        }
    }
  scope_viewport_set_extent (self->viewport, extent);
}

/* A view that is gone back to counts more than what is looked at now. */
static void
show_changed (ScopeCanvas *self, SymLayout *layout, const SymRect *extent)
{
  if (self->comes)
    scope_viewport_set_extent (self->viewport, extent);
  if (!scope_canvas_come_back (self))
    move_with_layout (self, layout, extent);
}

static void
take_picture (ScopeCanvas *self, SymPicture *picture)
{
  sym_picture_ref (picture);
  scope_release (g_steal_pointer (&self->shown_picture), (GDestroyNotify) sym_picture_unref);
  self->shown_picture = picture;
  self->shown_layout = sym_picture_get_layout (picture);
}

/* Turning the drawing moves everything: the view starts again, at what is selected if anything is.
 */
static void
show_picture (ScopeCanvas *self)
{
  SymLayout *layout = scope_canvas_get_layout (self);
  SymPicture *picture = scope_document_get_picture (self->document);
  SymRect extent = sym_picture_get_extent (picture);
  ScopeCanvasSight sight = { scope_viewport_get_visible (self->viewport),
                             scope_viewport_get_scale (self->viewport) };
  SymDirection direction = sym_layout_get_direction (layout);
  SymDrawing drawing = sym_scene_get_drawing (sym_layout_get_scene (layout));
  SymRect start;
  SymId around = scope_document_get_focus (self->document)->around;
  gboolean is_turned = direction != self->shown_direction || drawing != self->shown_drawing ||
                       (around != self->shown_around && layout != self->shown_layout);

  if (layout != self->shown_layout &&
      scope_start_find (layout, scope_document_get_summary (self->document), &start))
    scope_viewport_set_start (self->viewport, &start, direction);
  if (is_turned)
    {
      scope_viewport_set_extent (self->viewport, &extent);
      if (!scope_canvas_come_back (self))
        {
          scope_viewport_show_start (self->viewport);
          scope_canvas_reveal_selection (self);
        }
      self->shown_around = around;
    }
  else if (layout != self->shown_layout)
    {
      show_changed (self, layout, &extent);
    }
  if (layout != self->shown_layout || picture != self->shown_picture)
    scope_canvas_begin_morph (self, self->shown_picture, &sight);
  take_picture (self, picture);
  self->shown_direction = direction;
  self->shown_drawing = drawing;
  self->shows_preview = scope_document_is_preview (self->document);
  if (self->reveals_later)
    scope_canvas_reveal_selection (self);
  self->reveals_later = FALSE;
  scope_canvas_grant_wish (self);
}

/* A group that has just been opened has no frame before the next layout. */
static gboolean
lacks_frame (ScopeCanvas *self)
{
  SymLayout *layout = scope_canvas_get_layout (self);
  guint group = scope_document_get_selected_frame (self->document);

  return group != SYM_NO_GROUP && layout != NULL &&
         sym_scene_find_frame (sym_layout_get_scene (layout), group) == SYM_NO_FRAME;
}

/* What somebody else selected is opened first when a group hides it; what is not in the part that
 * is shown has a part of its own. */
static void
show_selection (ScopeCanvas *self)
{
  if (scope_document_follow_selection (self->document))
    return;
  self->reveals_later = scope_document_open_around (self->document) || lacks_frame (self);
  if (!self->reveals_later)
    scope_canvas_reveal_selection (self);
}

static void
document_changed_cb (ScopeCanvas *self, guint changes)
{
  if (changes & SCOPE_CHANGE_MODEL)
    self->hovered = scope_node_get_none ();
  if (changes & (SCOPE_CHANGE_MODEL | SCOPE_CHANGE_STATE | SCOPE_CHANGE_TYPES))
    scope_canvas_hide_tip (self); /* it told of what was */
  scope_canvas_keep_view (self, changes);
  if (changes & (SCOPE_CHANGE_PICTURE | SCOPE_CHANGE_MODEL))
    update_tiles (self);
  if (changes & SCOPE_CHANGE_PICTURE)
    show_picture (self);
  update_lights (self, changes);
  if (changes & (SCOPE_CHANGE_SELECTION | SCOPE_CHANGE_TYPES | SCOPE_CHANGE_STATE |
                 SCOPE_CHANGE_MODEL | SCOPE_CHANGE_PICTURE))
    update_description (self);
  if (changes & SCOPE_CHANGE_SELECTION)
    {
      /* What came to be selected by folding is not to be opened again. */
      if (!self->selects_here && !self->goes_back && (changes & SCOPE_CHANGE_VIEW) == 0)
        show_selection (self);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* ---- Frames ---- */

static gboolean
is_moving (ScopeCanvas *self)
{
  return scope_viewport_is_moving (self->viewport) || scope_canvas_is_morphing (self);
}

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  ScopeCanvas *self = SCOPE_CANVAS (widget);

  scope_viewport_advance (self->viewport, gdk_frame_clock_get_frame_time (clock));
  scope_canvas_advance_morph (self, gdk_frame_clock_get_frame_time (clock));
  if (is_moving (self))
    return G_SOURCE_CONTINUE;
  self->tick = 0;
  return G_SOURCE_REMOVE;
}

void
scope_canvas_animate (ScopeCanvas *self)
{
  if (self->tick == 0 && is_moving (self))
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
}

static void
viewport_changed_cb (ScopeCanvas *self)
{
  scope_canvas_hide_tip (self);
  scope_canvas_animate (self);
  if (!scope_viewport_is_moving (self->viewport))
    scope_canvas_update_hover (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Who has asked for less motion gets none.  A widget that nobody sees has no frames to move by. */
static void
update_animated (ScopeCanvas *self)
{
  gboolean is_wanted = FALSE;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-enable-animations", &is_wanted,
                NULL);
  self->is_animated = is_wanted && gtk_widget_get_mapped (GTK_WIDGET (self));
  scope_viewport_set_animated (self->viewport, self->is_animated);
  if (!self->is_animated)
    scope_canvas_end_morph (self);
}

static void
scope_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  ScopeCanvas *self = SCOPE_CANVAS (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height);

  if (self->document == NULL || width <= 0 || height <= 0)
    return;
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);

  scope_canvas_paint (self, cr);
  cairo_destroy (cr);
  scope_canvas_snapshot_tip (self, snapshot);
}

static gboolean
find_selection (ScopeCanvas *self, SymRect *rect)
{
  SymLayout *layout = self->document != NULL ? scope_canvas_get_layout (self) : NULL;

  return layout != NULL &&
         scope_place_find_node (layout, scope_document_get_selected (self->document), rect);
}

/* A panel that comes beside the drawing does not hide the node that it tells of. */
static void
scope_canvas_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  ScopeCanvas *self = SCOPE_CANVAS (widget);
  SymRect rect;

  if (find_selection (self, &rect))
    scope_viewport_set_size_around (self->viewport, width, height, &rect);
  else
    scope_viewport_set_size (self->viewport, width, height);
  scope_canvas_grant_wish (self);
}

static void
scope_canvas_measure (GtkWidget *widget,
                      GtkOrientation orientation,
                      int for_size,
                      int *minimum,
                      int *natural,
                      int *minimum_baseline,
                      int *natural_baseline)
{
  *minimum = 120;
  *natural = 600;
}

static void
scope_canvas_dispose (GObject *object)
{
  ScopeCanvas *self = SCOPE_CANVAS (object);

  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->document);
  scope_canvas_hide_tip (self);
  G_OBJECT_CLASS (scope_canvas_parent_class)->dispose (object);
}

static void
scope_canvas_finalize (GObject *object)
{
  ScopeCanvas *self = SCOPE_CANVAS (object);

  g_clear_object (&self->viewport);
  g_clear_object (&self->tiles);
  scope_history_free (self->history);
  scope_canvas_end_morph (self);
  scope_release (g_steal_pointer (&self->shown_picture), (GDestroyNotify) sym_picture_unref);
  for (guint i = 0; i < SCOPE_N_LIGHTS; i++)
    {
      scope_highlight_free (self->lights[i]);
      g_clear_pointer (&self->rasters[i], scope_line_raster_free);
    }
  G_OBJECT_CLASS (scope_canvas_parent_class)->finalize (object);
}

static void
scope_canvas_class_init (ScopeCanvasClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = scope_canvas_dispose;
  object_class->finalize = scope_canvas_finalize;
  widget_class->snapshot = scope_canvas_snapshot;
  widget_class->size_allocate = scope_canvas_size_allocate;
  widget_class->measure = scope_canvas_measure;
  gtk_widget_class_set_css_name (widget_class, "scopecanvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  scope_canvas_add_bindings (widget_class);
}

static void
scope_canvas_init (ScopeCanvas *self)
{
  self->hovered = scope_node_get_none ();
  self->shown_around = SYM_NO_ID;
  self->history = scope_history_new ();
  for (guint i = 0; i < SCOPE_N_LIGHTS; i++)
    self->lights[i] = scope_highlight_new ();
  self->viewport = scope_viewport_new ();
  self->tiles = scope_tiles_new ();
  g_signal_connect_object (self->viewport, "changed", G_CALLBACK (viewport_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->tiles, "changed", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_widget_get_settings (GTK_WIDGET (self)),
                           "notify::gtk-enable-animations", G_CALLBACK (update_animated), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect (self, "state-flags-changed", G_CALLBACK (gtk_widget_queue_draw),
                    NULL); /* focus */
  g_signal_connect (self, "map", G_CALLBACK (update_animated), NULL);
  g_signal_connect_after (self, "unmap", G_CALLBACK (update_animated), NULL);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  scope_canvas_add_controllers (self);
}

GtkWidget *
scope_canvas_new (void)
{
  return g_object_new (SCOPE_TYPE_CANVAS, NULL);
}

void
scope_canvas_set_document (ScopeCanvas *self, ScopeDocument *document)
{
  g_return_if_fail (SCOPE_IS_CANVAS (self) && self->document == NULL);

  self->document = g_object_ref (document);
  g_signal_connect_swapped (document, "changed", G_CALLBACK (document_changed_cb), self);
  scope_canvas_keep_view (self, SCOPE_CHANGE_MODEL); /* one that is there already tells of none */
  update_description (self);
}

ScopeViewport *
scope_canvas_get_viewport (ScopeCanvas *self)
{
  return self->viewport;
}

void
scope_canvas_set_cover (ScopeCanvas *self, const ScopeCover *cover)
{
  g_return_if_fail (SCOPE_IS_CANVAS (self) && cover != NULL);
  SymRect rect;

  scope_viewport_set_cover (self->viewport, cover, find_selection (self, &rect) ? &rect : NULL);
}

void
scope_canvas_reveal_selection (ScopeCanvas *self)
{
  g_return_if_fail (SCOPE_IS_CANVAS (self));

  SymLayout *layout = scope_canvas_get_layout (self);
  guint group = scope_document_get_selected_frame (self->document);
  SymRect rect;

  if (layout == NULL)
    return;
  guint frame = group != SYM_NO_GROUP ? sym_scene_find_frame (sym_layout_get_scene (layout), group)
                                      : SYM_NO_FRAME;

  if (frame != SYM_NO_FRAME)
    rect = sym_layout_get_frame_title_rect (layout, frame);
  else if (!scope_place_find_node (layout, scope_document_get_selected (self->document), &rect))
    return;
  scope_viewport_reveal (self->viewport, &rect);
}

SymLayout *
scope_canvas_get_layout (ScopeCanvas *self)
{
  SymPicture *picture = scope_document_get_picture (self->document);

  return picture != NULL ? sym_picture_get_layout (picture) : NULL;
}
