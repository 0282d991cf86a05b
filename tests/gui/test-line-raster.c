/* SPDX-License-Identifier: MIT */
#include "app/scope-line-raster.h"

#include "toy.h"

#define N_LAYERS 2000
#define SIDE 800 /* pixels */
#define NEAR 3   /* pixels; a place is two */

typedef struct {
  ScopeDocument *document;
  SymPicture *picture;
  SymLayout *layout;
  GArray *edges; /* all that there are */
} Fixture;

static void
set_up (Fixture *self)
{
  g_autofree char *text = toy_format_unequal_chain (N_LAYERS);
  g_autofree char *path = toy_write ("chain-symbol.json", text);

  self->document = toy_open (path);
  scope_document_open_all (self->document);
  toy_wait (self->document);
  self->picture = scope_document_get_picture (self->document);
  self->layout = sym_picture_get_layout (self->picture);
  self->edges = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < sym_scene_get_n_edges (sym_layout_get_scene (self->layout)); i++)
    g_array_append_val (self->edges, i);
  g_assert_cmpuint (self->edges->len, >=, N_LAYERS);
}

static void
tear_down (Fixture *self)
{
  g_array_unref (self->edges);
  toy_finalize (self->document);
}

static cairo_t *
start (const SymRect *visible, double scale)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, SIDE, SIDE);
  cairo_t *cr = cairo_create (surface);

  cairo_surface_destroy (surface);
  cairo_scale (cr, scale, scale);
  cairo_translate (cr, -visible->x, -visible->y);
  cairo_set_source_rgb (cr, 0, 0, 0);
  return cr;
}

static void
stroke_all (const Fixture *self, cairo_t *cr, double scale)
{
  cairo_set_line_width (cr, 1.5 / scale);
  for (guint i = 0; i < self->edges->len; i++)
    {
      guint n;
      const SymPoint *p = sym_layout_get_course (self->layout, i, &n);

      cairo_move_to (cr, p[0].x, p[0].y);
      for (guint k = 0; k + 3 < n; k += 3)
        cairo_curve_to (cr, p[k + 1].x, p[k + 1].y, p[k + 2].x, p[k + 2].y, p[k + 3].x, p[k + 3].y);
    }
  cairo_stroke (cr);
}

static gboolean
has_near (const guint8 *pixels, int stride, int x, int y)
{
  for (int row = MAX (y - NEAR, 0); row <= MIN (y + NEAR, SIDE - 1); row++)
    for (int column = MAX (x - NEAR, 0); column <= MIN (x + NEAR, SIDE - 1); column++)
      if (pixels[row * stride + column] > 0)
        return TRUE;
  return FALSE;
}

/* Wherever one of both is dark, the other is near; how many pixels that were looked at. */
static guint
assert_near (cairo_t *dark, cairo_t *other)
{
  cairo_surface_t *a = cairo_get_target (dark), *b = cairo_get_target (other);
  int stride = cairo_image_surface_get_stride (a);
  guint n = 0;

  cairo_surface_flush (a);
  cairo_surface_flush (b);
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++)
      if (cairo_image_surface_get_data (a)[y * stride + x] > 40)
        {
          g_assert_true (has_near (cairo_image_surface_get_data (b), stride, x, y));
          n++;
        }
  return n;
}

/* What many lines leave is where strokes of them would be. */
static void
test_places_are_where_lines_are (void)
{
  Fixture self;

  set_up (&self);
  SymRect extent = sym_picture_get_extent (self.picture);
  double scale = SIDE / MAX (extent.width, extent.height) * 2;
  SymRect visible = { extent.x, extent.y + extent.height / 4, SIDE / scale, SIDE / scale };
  g_autoptr (ScopeLineRaster) raster =
      scope_line_raster_new (self.layout, self.edges, &visible, scale);
  cairo_t *places = start (&visible, scale), *strokes = start (&visible, scale);

  g_assert_null (scope_line_raster_get_edges (raster));
  scope_line_raster_paint (raster, places);
  stroke_all (&self, strokes, scale);
  g_assert_cmpuint (assert_near (places, strokes), >, SIDE / 2);
  g_assert_cmpuint (assert_near (strokes, places), >, SIDE / 2);
  cairo_destroy (places);
  cairo_destroy (strokes);
  tear_down (&self);
}

/* The few that come through a small view can be told apart. */
static void
test_few_are_strokes (void)
{
  Fixture self;
  guint n;

  set_up (&self);
  const SymPoint *p = sym_layout_get_course (self.layout, N_LAYERS / 2, &n);
  SymRect visible = { p[0].x - 300, p[0].y - 300, 600, 600 };
  g_autoptr (ScopeLineRaster) raster = scope_line_raster_new (self.layout, self.edges, &visible, 1);
  const GArray *edges = scope_line_raster_get_edges (raster);
  gboolean is_there = FALSE;

  g_assert_nonnull (edges);
  g_assert_cmpuint (edges->len, >=, 3);
  g_assert_cmpuint (edges->len, <, 100);
  for (guint i = 0; i < edges->len; i++)
    is_there = is_there || g_array_index (edges, guint, i) == N_LAYERS / 2;
  g_assert_true (is_there);

  visible.x += 1e6;
  g_autoptr (ScopeLineRaster) beside = scope_line_raster_new (self.layout, self.edges, &visible, 1);

  g_assert_cmpuint (scope_line_raster_get_edges (beside)->len, ==, 0);
  tear_down (&self);
}

static void
test_is_of_one_view (void)
{
  SymRect visible = { 0, 0, 600, 400 }, other = { 1, 0, 600, 400 };
  Fixture self;

  set_up (&self);
  g_autoptr (ScopeLineRaster) raster =
      scope_line_raster_new (self.layout, self.edges, &visible, 0.5);

  g_assert_true (scope_line_raster_is_of (raster, &visible, 0.5));
  g_assert_false (scope_line_raster_is_of (raster, &visible, 0.6));
  g_assert_false (scope_line_raster_is_of (raster, &other, 0.5));
  tear_down (&self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/line-raster/places-are-where-lines-are", test_places_are_where_lines_are);
  g_test_add_func ("/app/line-raster/few-are-strokes", test_few_are_strokes);
  g_test_add_func ("/app/line-raster/is-of-one-view", test_is_of_one_view);
  return g_test_run ();
}
