/* SPDX-License-Identifier: MIT */
#include "app/scope-tiles.h"

#include <math.h>

#include "toy.h"

#define WIDTH 700
#define HEIGHT 600

static const SymColor paper = { 1, 1, 1 };

/* An open toy network, its squares and what shows them. */
typedef struct {
  ScopeDocument *document;
  SymPicture *picture;
  ScopeTiles *tiles;
  cairo_surface_t *surface;
  guint n_changes;
} Fixture;

static void
count_cb (guint *n)
{
  (*n)++;
}

static void
set_up (Fixture *self)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));

  self->document = toy_open (path);
  self->picture = scope_document_get_picture (self->document);
  self->tiles = scope_tiles_new ();
  self->surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  self->n_changes = 0;
  g_signal_connect_swapped (self->tiles, "changed", G_CALLBACK (count_cb), &self->n_changes);
  scope_tiles_set_picture (self->tiles, self->picture, &paper, FALSE);
}

static void
tear_down (Fixture *self)
{
  cairo_surface_destroy (self->surface);
  g_assert_finalize_object (self->tiles);
  g_object_unref (self->document);
}

static ScopeTilesView
get_view (double left, double top, double scale)
{
  return (ScopeTilesView){ left, top, WIDTH, HEIGHT, scale, TRUE, 1 };
}

static gboolean
paint_with_holes (Fixture *self, const ScopeTilesView *view, gboolean allowed)
{
  cairo_t *cr = cairo_create (self->surface);
  gboolean is_there;

  cairo_set_source_rgb (cr, paper.red, paper.green, paper.blue);
  cairo_paint (cr);
  is_there = scope_tiles_paint (self->tiles, cr, view, allowed);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (self->surface);
  return is_there;
}

static gboolean
paint (Fixture *self, const ScopeTilesView *view)
{
  return paint_with_holes (self, view, FALSE);
}

static void
wait_until_complete (Fixture *self, const ScopeTilesView *view)
{
  while (!paint (self, view) || !scope_tiles_is_complete (self->tiles))
    g_main_context_iteration (NULL, TRUE);
}

/* The picture as it is without squares. */
static cairo_surface_t *
paint_directly (Fixture *self, const ScopeTilesView *view)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cairo_translate (cr, -view->left, -view->top);
  cairo_scale (cr, view->scale, view->scale);
  sym_picture_paint (self->picture, cr, NULL, view->scale);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

/* Antialiasing may round once more or less; nothing else may differ. */
static guint
count_differences (cairo_surface_t *a, cairo_surface_t *b)
{
  const guint8 *p = cairo_image_surface_get_data (a), *q = cairo_image_surface_get_data (b);
  int stride = cairo_image_surface_get_stride (a);
  guint n = 0;

  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < 4 * WIDTH; x++)
      n += x % 4 != 3 && ABS (p[y * stride + x] - q[y * stride + x]) > 16;
  return n;
}

static void
test_shows_what_the_picture_does (void)
{
  static const double scales[] = { 1, 0.45, 0.3, 0.2 };
  Fixture self;

  set_up (&self);
  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      SymRect extent = sym_picture_get_extent (self.picture);
      ScopeTilesView view = get_view (round (extent.x * scales[i]) - 37,
                                      round (extent.y * scales[i]) - 21, scales[i]);

      wait_until_complete (&self, &view);
      cairo_surface_t *direct = paint_directly (&self, &view);
      cairo_t *cr = cairo_create (direct);

      g_assert_cmpuint (count_differences (self.surface, direct), <, 200);
      cairo_paint (cr);
      cairo_destroy (cr);
      cairo_surface_flush (direct);
      g_assert_cmpuint (count_differences (self.surface, direct), >, 2000);
      cairo_surface_destroy (direct);
    }
  tear_down (&self);
}

static void
test_nothing_is_there_at_first (void)
{
  ScopeTilesView view = get_view (0, 0, 0.4);
  Fixture self;

  set_up (&self);
  g_assert_false (paint (&self, &view));
  g_assert_false (scope_tiles_is_complete (self.tiles));
  while (self.n_changes == 0)
    g_main_context_iteration (NULL, TRUE);
  wait_until_complete (&self, &view);
  tear_down (&self);
}

static guint
count_painted (Fixture *self)
{
  const guint8 *pixels = cairo_image_surface_get_data (self->surface);
  int stride = cairo_image_surface_get_stride (self->surface);
  guint n = 0;

  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < 4 * WIDTH; x += 4)
      n += pixels[y * stride + x] != 0xff;
  return n;
}

/* Shows the next view down, that has just been asked for.  It is asked for once, as its squares may
 * be there the second time. */
static void
paint_below (gboolean allowed)
{
  ScopeTilesView view = get_view (0, 0, 4);
  Fixture self;

  set_up (&self);
  SymRect extent = sym_picture_get_extent (self.picture);

  view.top = round (extent.y * view.scale);
  wait_until_complete (&self, &view);
  g_assert_cmpuint (count_painted (&self), >, 0);
  view.top += HEIGHT; /* more than is painted ahead */
  g_assert_cmpfloat (view.top + HEIGHT, <, (extent.y + extent.height) * view.scale);
  g_assert_false (paint_with_holes (&self, &view, allowed));
  if (allowed)
    g_assert_cmpuint (count_painted (&self), >, 0);
  else
    g_assert_cmpuint (count_painted (&self), ==, 0);
  tear_down (&self);
}

/* Of a view that is too wide for what is there, that is put down when it may be. */
static void
test_holes_are_left_only_where_allowed (void)
{
  paint_below (FALSE);
  paint_below (TRUE);
}

static void
test_panning_asks_for_no_square_twice (void)
{
  Fixture self;
  ScopeTilesView view = get_view (0, 0, 0.4);

  set_up (&self);
  wait_until_complete (&self, &view);
  for (int i = 0; i < 20; i++)
    {
      view.left += 1;
      g_assert_true (paint (&self, &view));
      g_assert_true (scope_tiles_is_complete (self.tiles));
    }
  tear_down (&self);
}

/* While the scale changes, squares of the last one stand in; at rest there are right ones. */
static void
test_zoom_shows_stretched_squares (void)
{
  Fixture self;
  ScopeTilesView view = get_view (0, 0, 0.4);

  set_up (&self);
  wait_until_complete (&self, &view);
  view.scale = 0.44;
  view.rests = FALSE;
  g_assert_true (paint (&self, &view));
  g_assert_true (scope_tiles_is_complete (self.tiles));
  view.rests = TRUE;
  g_assert_true (paint (&self, &view));
  g_assert_false (scope_tiles_is_complete (self.tiles));
  wait_until_complete (&self, &view);
  cairo_surface_t *direct = paint_directly (&self, &view);

  g_assert_cmpuint (count_differences (self.surface, direct), <, 200);
  cairo_surface_destroy (direct);
  tear_down (&self);
}

/* Squares that cover a part of the view only would leave holes. */
static void
test_holes_are_not_shown (void)
{
  Fixture self;
  ScopeTilesView view = get_view (0, 0, 2), far = get_view (0, 0, 0.5);
  cairo_surface_t *empty;

  set_up (&self);
  wait_until_complete (&self, &view);
  far.rests = FALSE;
  g_assert_false (paint (&self, &far));
  empty = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (empty);

  cairo_set_source_rgb (cr, paper.red, paper.green, paper.blue);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_flush (empty);
  g_assert_cmpuint (count_differences (self.surface, empty), ==, 0);
  cairo_surface_destroy (empty);
  wait_until_complete (&self, &far);
  tear_down (&self);
}

static void
test_another_picture_replaces_all (void)
{
  Fixture self;
  ScopeTilesView view = get_view (0, 0, 0.4);

  set_up (&self);
  wait_until_complete (&self, &view);
  scope_tiles_set_picture (self.tiles, self.picture, &paper, TRUE);
  g_assert_true (paint (&self, &view));
  g_assert_false (scope_tiles_is_complete (self.tiles));
  scope_tiles_set_picture (self.tiles, self.picture, &paper, FALSE);
  g_assert_false (paint (&self, &view));
  scope_tiles_set_picture (self.tiles, NULL, &paper, FALSE);
  g_assert_false (paint (&self, &view));
  tear_down (&self);
}

/* The owner may leave while threads still paint for it. */
static void
test_can_be_left_while_it_works (void)
{
  for (guint i = 0; i < 20; i++)
    {
      Fixture self;
      ScopeTilesView view = get_view (0, 0, 0.1 + 0.01 * i);

      set_up (&self);
      paint (&self, &view);
      if (i % 2 == 0)
        g_main_context_iteration (NULL, FALSE);
      tear_down (&self);
    }
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/tiles/shows-what-the-picture-does", test_shows_what_the_picture_does);
  g_test_add_func ("/app/tiles/nothing-is-there-at-first", test_nothing_is_there_at_first);
  g_test_add_func ("/app/tiles/holes-are-left-only-where-allowed",
                   test_holes_are_left_only_where_allowed);
  g_test_add_func ("/app/tiles/panning-asks-for-no-square-twice",
                   test_panning_asks_for_no_square_twice);
  g_test_add_func ("/app/tiles/zoom-shows-stretched-squares", test_zoom_shows_stretched_squares);
  g_test_add_func ("/app/tiles/holes-are-not-shown", test_holes_are_not_shown);
  g_test_add_func ("/app/tiles/another-picture-replaces-all", test_another_picture_replaces_all);
  g_test_add_func ("/app/tiles/can-be-left-while-it-works", test_can_be_left_while_it_works);
  return g_test_run ();
}
