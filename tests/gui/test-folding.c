/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas-private.h"
#include "app/scope-group-page.h"
#include "app/scope-inspector.h"
#include "app/scope-place.h"
#include "robot.h"
#include "toy.h"

#define NEAR 2.5 /* pixels; views lie on whole ones */

/* Three stages of a few layers each, in an MXNet file. */
static char *
write_stages (void)
{
  g_autoptr (GString) json =
      g_string_new ("{\"nodes\": [{\"op\": \"null\", \"name\": \"data\", \"inputs\": []}");

  for (guint i = 0; i < 12; i++)
    g_string_append_printf (json,
                            ", {\"op\": \"%s\", \"name\": \"stage%u/act%u\", \"attrs\": "
                            "{\"act_type\": \"relu\"}, \"inputs\": [[%u, 0, 0]]}",
                            i % 3 == 0 && i != 3 ? "Flatten" : "Activation", i / 3, i, i);
  g_string_append (json, "], \"arg_nodes\": [0], \"heads\": [[12, 0, 0]]}");
  return toy_write ("stages-symbol.json", json->str);
}

static SymLayout *
get_layout (Robot *robot)
{
  return sym_picture_get_layout (scope_document_get_picture (robot_get_document (robot)));
}

static ScopeViewport *
get_viewport (Robot *robot)
{
  return scope_canvas_get_viewport (SCOPE_CANVAS (robot_find_part (robot, SCOPE_TYPE_CANVAS)));
}

/* The group of a call: its frame's title, or its box. */
static SymRect
get_sign (Robot *robot, const char *name)
{
  SymLayout *layout = get_layout (robot);
  SymScene *scene = sym_layout_get_scene (layout);
  SymGroups *groups = sym_folding_get_groups (sym_scene_get_folding (scene));
  SymId value = toy_find (robot_get_document (robot), name);
  SymId call = sym_model_get_producer (sym_groups_get_model (groups), value);
  guint frame = sym_scene_find_frame (scene, sym_groups_find_call (groups, call));
  SymRect rect;

  if (frame != SYM_NO_FRAME)
    return sym_layout_get_frame_title_rect (layout, frame);
  g_assert_true (scope_place_find (layout, value, call, &rect));
  return rect;
}

/* Its corner, in pixels. */
static SymPoint
get_corner (Robot *robot, const char *name)
{
  SymRect rect = get_sign (robot, name);
  SymPoint corner;

  scope_viewport_to_widget (get_viewport (robot), rect.x, rect.y, &corner.x, &corner.y);
  return corner;
}

static void
point_into (Robot *robot, const char *name, double dx, double dy, const char *then)
{
  SymRect rect = get_sign (robot, name);

  robot_point_in_drawing (robot, rect.x + dx, rect.y + dy, then);
  robot_settle (robot);
}

static void
assert_same_place (SymPoint a, SymPoint b)
{
  g_assert_cmpfloat_with_epsilon (a.x, b.x, NEAR);
  g_assert_cmpfloat_with_epsilon (a.y, b.y, NEAR);
}

static void
start_closed (Robot *robot)
{
  g_autofree char *path = write_stages ();

  robot_start (robot, path);
  scope_document_close_all (robot_get_document (robot));
  robot_settle (robot);
  g_assert_false (robot_is_drawn (robot, "stage1/act4"));
}

/* The sign opens by one click and closes again at the same place; the view keeps its scale. */
static void
test_sign_opens_and_title_closes (void)
{
  Robot robot;
  SymPoint before, after;
  double scale;

  start_closed (&robot);
  scale = scope_viewport_get_scale (get_viewport (&robot));
  before = get_corner (&robot, "stage1/act4");
  point_into (&robot, "stage1/act4", 14, 14, "click 1");
  g_assert_true (robot_is_drawn (&robot, "stage1/act4"));
  g_assert_false (robot_is_drawn (&robot, "stage2/act7"));
  after = get_corner (&robot, "stage1/act4");
  assert_same_place (before, after);
  g_assert_cmpfloat_with_epsilon (scope_viewport_get_scale (get_viewport (&robot)), scale, 1e-9);

  point_into (&robot, "stage1/act4", 14, 13, "click 1");
  g_assert_false (robot_is_drawn (&robot, "stage1/act4"));
  assert_same_place (get_corner (&robot, "stage1/act4"), before);
  robot_stop (&robot);
}

static void
test_double_click_opens (void)
{
  Robot robot;
  SymPoint before;
  double scale;

  start_closed (&robot);
  before = get_corner (&robot, "stage2/act7");
  scale = scope_viewport_get_scale (get_viewport (&robot));
  robot_double_click (robot_find_part (&robot, SCOPE_TYPE_CANVAS), before.x + 60 * scale,
                      before.y + 20 * scale);
  robot_settle (&robot);
  g_assert_true (robot_is_drawn (&robot, "stage2/act7"));
  assert_same_place (get_corner (&robot, "stage2/act7"), before);
  robot_stop (&robot);
}

static void
test_keys_open_and_close (void)
{
  static const char *const keys[][2] = { { "Return", "BackSpace" },
                                         { "plus", "minus" },
                                         { "KP_Add", "KP_Subtract" } };
  Robot robot;
  double scale;

  start_closed (&robot);
  point_into (&robot, "stage1/act4", 60, 20, "click 1");
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_assert_cmpuint (scope_document_get_selected_group (robot_get_document (&robot)), !=,
                        SYM_NO_GROUP);
      robot_do ("key %s", keys[i][0]);
      robot_settle (&robot);
      g_assert_true (robot_is_drawn (&robot, "stage1/act4"));
      robot_do ("key %s", keys[i][1]);
      robot_settle (&robot);
      g_assert_false (robot_is_drawn (&robot, "stage1/act4"));
    }
  robot_do ("key Escape");
  scale = scope_viewport_get_scale (get_viewport (&robot));
  robot_do ("key minus");
  robot_settle (&robot);
  g_assert_cmpfloat (scope_viewport_get_scale (get_viewport (&robot)), <, scale);
  robot_stop (&robot);
}

/* A click into a frame selects it; closing it leaves its group selected, and closed. */
static void
test_frame_is_selected_and_closed (void)
{
  Robot robot;
  ScopeDocument *document;
  guint group;

  start_closed (&robot);
  document = robot_get_document (&robot);
  point_into (&robot, "stage1/act4", 14, 14, "click 1");
  point_into (&robot, "stage1/act4", 6, 40, "click 1");
  group = scope_document_get_selected_frame (document);
  g_assert_cmpuint (group, !=, SYM_NO_GROUP);
  g_assert_cmpuint (scope_document_get_selected_value (document), ==, SYM_NO_ID);
  robot_do ("key minus");
  robot_settle (&robot);
  g_assert_false (robot_is_drawn (&robot, "stage1/act4"));
  g_assert_cmpuint (scope_document_get_selected_frame (document), ==, SYM_NO_GROUP);
  g_assert_cmpuint (scope_document_get_selected_group (document), ==, group);
  robot_stop (&robot);
}

/* The button of the inspector's page opens and closes, and stays there. */
static void
test_inspector_opens_and_closes (void)
{
  Robot robot;
  GtkWidget *page;

  start_closed (&robot);
  point_into (&robot, "stage1/act4", 60, 20, "click 1");
  page = robot_find_part (&robot, SCOPE_TYPE_GROUP_PAGE);
  g_assert_nonnull (robot_find (page, GTK_TYPE_LABEL, "stage1"));
  robot_click (robot_find (page, GTK_TYPE_BUTTON, "Open Group"));
  robot_settle (&robot);
  g_assert_true (robot_is_drawn (&robot, "stage1/act4"));
  robot_click (robot_find (page, GTK_TYPE_BUTTON, "Close Group"));
  robot_settle (&robot);
  g_assert_false (robot_is_drawn (&robot, "stage1/act4"));
  g_assert_nonnull (robot_find (page, GTK_TYPE_BUTTON, "Open Group"));
  robot_stop (&robot);
}

static gboolean
has_frame (gpointer document)
{
  return scope_document_get_selected_frame (document) != SYM_NO_GROUP;
}

/* Where one is can be read where no title of a group is in sight, and leads there and back. */
static void
test_inspector_leads_to_the_group_around (void)
{
  g_autofree char *path = write_stages ();
  Robot robot;

  robot_start (&robot, path);
  scope_document_open_all (robot_get_document (&robot));
  robot_settle (&robot);
  robot_point_at_node (&robot, "stage1/act4", "click 1");
  robot_wait_selected (&robot, "stage1/act4");
  GtkWidget *inspector = robot_find_part (&robot, SCOPE_TYPE_INSPECTOR);

  g_assert_nonnull (robot_find (inspector, GTK_TYPE_LABEL, "Within"));
  robot_click (robot_wait_for (inspector, GTK_TYPE_LABEL, "stage1"));
  robot_wait_until (has_frame, robot_get_document (&robot));
  robot_settle (&robot);
  GtkWidget *page = robot_find_part (&robot, SCOPE_TYPE_GROUP_PAGE);

  g_assert_nonnull (robot_find (page, GTK_TYPE_LABEL, "stage1"));
  g_assert_nonnull (robot_find (page, GTK_TYPE_BUTTON, "Close Group"));
  robot_press (&robot, "alt+Left");
  robot_wait_selected (&robot, "stage1/act4");
  robot_point_at_node (&robot, "data", "click 1");
  robot_wait_selected (&robot, "data");
  g_assert_null (robot_find (inspector, GTK_TYPE_LABEL, "Within")); /* nothing */
  robot_stop (&robot);
}

/* What comes into a group and what leaves it are marked in one step, whatever was marked before. */
static void
test_inspector_cuts_a_group_out (void)
{
  Robot robot;

  start_closed (&robot);
  ScopeDocument *document = robot_get_document (&robot);

  scope_document_toggle_mark (document, SCOPE_MARK_OUTPUT, toy_find (document, "stage3/act11"));
  robot_settle (&robot);
  point_into (&robot, "stage1/act4", 60, 20, "click 1");
  robot_click (
      robot_find (robot_find_part (&robot, SCOPE_TYPE_GROUP_PAGE), GTK_TYPE_BUTTON, "Cut Out"));
  robot_settle (&robot);
  ScopeCut *cut = scope_document_get_cut (document);

  g_assert_no_error (scope_cut_get_error (cut));
  SymIds inputs = sym_selection_get_inputs (scope_cut_get_selection (cut));
  SymIds outputs = scope_state_get_marks (scope_document_get_state (document), SCOPE_MARK_OUTPUT);

  g_assert_cmpuint (inputs.n, ==, 1);
  g_assert_cmpuint (inputs.ids[0], ==, toy_find (document, "stage0/act2"));
  g_assert_cmpuint (outputs.n, ==, 1);
  g_assert_cmpuint (outputs.ids[0], ==, toy_find (document, "stage1/act5"));
  scope_document_undo (document);
  robot_settle (&robot);
  outputs = scope_state_get_marks (scope_document_get_state (document), SCOPE_MARK_OUTPUT);
  g_assert_cmpuint (outputs.n, ==, 1);
  g_assert_cmpuint (outputs.ids[0], ==, toy_find (document, "stage3/act11"));
  robot_stop (&robot);
}

static gboolean
tells_input (gpointer page)
{
  return robot_find (page, GTK_TYPE_LABEL, "data") != NULL;
}

/* What is to be told of so many layers is counted in a thread. */
static void
test_inspector_counts_a_large_group (void)
{
  g_autofree char *text = toy_format_chain (20000);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  Robot robot;

  robot_start (&robot, path);
  scope_document_close_all (robot_get_document (&robot));
  robot_settle (&robot);
  point_into (&robot, "relu9_output", 60, 20, "click 1");
  GtkWidget *page = robot_find_part (&robot, SCOPE_TYPE_GROUP_PAGE);

  robot_wait_until (tells_input, page);
  g_assert_nonnull (robot_find (page, GTK_TYPE_LABEL, "×10,000"));
  g_assert_nonnull (robot_find (page, GTK_TYPE_LABEL, "relu19999_output"));
  robot_stop (&robot);
}

/* Groups that were closed since are open again in the view that is gone back to. */
static void
test_back_opens_again (void)
{
  g_autofree char *path = write_stages ();
  Robot robot;

  robot_start (&robot, path);
  robot_point_at_node (&robot, "stage1/act4", "click 1");
  robot_do ("key End");
  robot_settle (&robot);
  scope_document_close_all (robot_get_document (&robot));
  robot_settle (&robot);
  g_assert_false (robot_is_drawn (&robot, "stage1/act4"));
  robot_do ("key alt+Left");
  robot_settle (&robot);
  robot_wait_selected (&robot, "stage1/act4");
  g_assert_true (robot_is_drawn (&robot, "stage1/act4"));
  robot_point_at_node (&robot, "stage1/act4", "click 1");
  robot_wait_selected (&robot, "stage1/act4");
  robot_do ("key alt+Right");
  robot_settle (&robot);
  g_assert_false (robot_is_drawn (&robot, "stage1/act4"));
  robot_stop (&robot);
}

static gboolean
is_drawn_open (gpointer robot)
{
  return robot_is_drawn (robot, "stage1/act4");
}

static gboolean
rests (gpointer canvas)
{
  return !scope_canvas_is_morphing (canvas);
}

static gboolean has_moved;

/* As soon as there is another picture: a busy machine may not look again until it has come to rest.
 */
static void
changed_cb (ScopeDocument *document, guint changes, ScopeCanvas *canvas)
{
  if ((changes & SCOPE_CHANGE_PICTURE) && scope_canvas_is_morphing (canvas))
    has_moved = TRUE;
}

/* Groups open before one's eyes, and at once for who wants less motion. */
static void
test_moves_only_when_wanted (gconstpointer wants)
{
  Robot robot;
  ScopeCanvas *canvas;
  ScopeDocument *document;

  has_moved = FALSE;
  start_closed (&robot);
  document = robot_get_document (&robot);
  canvas = SCOPE_CANVAS (robot_find_part (&robot, SCOPE_TYPE_CANVAS));
  g_object_set (gtk_widget_get_settings (GTK_WIDGET (canvas)), "gtk-enable-animations",
                GPOINTER_TO_INT (wants), NULL);
  point_into (&robot, "stage1/act4", 60, 20, "click 1");
  g_signal_connect_data (document, "changed", G_CALLBACK (changed_cb), canvas, NULL,
                         G_CONNECT_AFTER);
  scope_document_open_group (document, scope_document_get_selected_group (document));
  robot_wait_until (is_drawn_open, &robot);
  g_assert_cmpint (has_moved, ==, GPOINTER_TO_INT (wants));
  g_signal_handlers_disconnect_by_func (document, changed_cb, canvas);
  robot_wait_until (rests, canvas);
  g_object_set (gtk_widget_get_settings (GTK_WIDGET (canvas)), "gtk-enable-animations", TRUE, NULL);
  robot_stop (&robot);
}

#define SHORTLY_BEFORE 219999 /* microseconds: the last but one frame of opening */

static cairo_surface_t *
paint_canvas (ScopeCanvas *canvas)
{
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_RGB24, gtk_widget_get_width (GTK_WIDGET (canvas)),
                                  gtk_widget_get_height (GTK_WIDGET (canvas)));
  cairo_t *cr = cairo_create (surface);

  scope_canvas_paint (canvas, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static int
find_largest_difference (cairo_surface_t *a, cairo_surface_t *b)
{
  const guint8 *first = cairo_image_surface_get_data (a);
  const guint8 *second = cairo_image_surface_get_data (b);
  int n = cairo_image_surface_get_stride (a) * cairo_image_surface_get_height (a), largest = 0;

  for (int i = 0; i < n; i++)
    if (i % 4 != 3)
      largest = MAX (largest, ABS (first[i] - second[i]));
  return largest;
}

static int last_step = -1;

/* How much the last frame changes. */
static void
measure_last_step_cb (ScopeDocument *document, guint changes, ScopeCanvas *canvas)
{
  cairo_surface_t *before, *after;

  if ((changes & SCOPE_CHANGE_PICTURE) == 0 || !scope_canvas_is_morphing (canvas))
    return;
  scope_canvas_advance_morph (canvas, 1);
  scope_canvas_advance_morph (canvas, 1 + SHORTLY_BEFORE);
  g_assert_true (scope_canvas_is_morphing (canvas));
  before = paint_canvas (canvas);
  scope_canvas_end_morph (canvas);
  after = paint_canvas (canvas);
  last_step = find_largest_difference (before, after);
  cairo_surface_destroy (before);
  cairo_surface_destroy (after);
}

/* What stands out, a hit and its tint as well, comes to rest without a jump. */
static void
test_ends_without_a_jump (void)
{
  Robot robot;
  ScopeCanvas *canvas;
  ScopeDocument *document;

  start_closed (&robot);
  document = robot_get_document (&robot);
  canvas = SCOPE_CANVAS (robot_find_part (&robot, SCOPE_TYPE_CANVAS));
  robot_do ("key ctrl+f");
  robot_do ("type --delay 30 Activation");
  robot_idle (500);
  point_into (&robot, "stage1/act4", 60, 20, "click 1");
  g_signal_connect_data (document, "changed", G_CALLBACK (measure_last_step_cb), canvas, NULL,
                         G_CONNECT_AFTER);
  scope_document_open_group (document, scope_document_get_selected_group (document));
  robot_wait_until (is_drawn_open, &robot);
  g_signal_handlers_disconnect_by_func (document, measure_last_step_cb, canvas);
  g_assert_cmpint (last_step, >=, 0);
  g_assert_cmpint (last_step, <=, 8);
  robot_stop (&robot);
}

int
main (int argc, char **argv)
{
  if (!robot_is_possible ())
    {
      g_print ("1..0 # SKIP there is no X display, or no xdotool\n");
      return 77;
    }
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/folding/sign-opens-and-title-closes-in-place",
                   test_sign_opens_and_title_closes);
  g_test_add_func ("/gui/folding/double-click-opens-in-place", test_double_click_opens);
  g_test_add_func ("/gui/folding/keys-open-and-close", test_keys_open_and_close);
  g_test_add_func ("/gui/folding/frame-is-selected-and-closed", test_frame_is_selected_and_closed);
  g_test_add_func ("/gui/folding/inspector-opens-and-closes", test_inspector_opens_and_closes);
  g_test_add_func ("/gui/folding/inspector-leads-to-the-group-around",
                   test_inspector_leads_to_the_group_around);
  g_test_add_func ("/gui/folding/inspector-cuts-a-group-out", test_inspector_cuts_a_group_out);
  g_test_add_func ("/gui/folding/inspector-counts-a-large-group",
                   test_inspector_counts_a_large_group);
  g_test_add_func ("/gui/folding/back-opens-again", test_back_opens_again);
  g_test_add_data_func ("/gui/folding/moves-when-wanted", GINT_TO_POINTER (TRUE),
                        test_moves_only_when_wanted);
  g_test_add_data_func ("/gui/folding/moves-not-when-unwanted", GINT_TO_POINTER (FALSE),
                        test_moves_only_when_wanted);
  g_test_add_func ("/gui/folding/ends-without-a-jump", test_ends_without_a_jump);
  return g_test_run ();
}
