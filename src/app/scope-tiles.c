/* SPDX-License-Identifier: MIT */
#include "app/scope-tiles.h"
#include "app/scope-release.h"

#include <math.h>

#define SIDE 512    /* pixels; one is painted in a millisecond or two */
#define NEAR 192    /* pixels around the view that are painted ahead */
#define MIN_KEPT 36 /* squares: 36 MB */
#define MAX_STRETCH 1.5
#define SAMPLE 100.0 /* pixels */
#define MAX_THREADS 3

/* Which square: its place in a raster over the whole picture at that scale, from the origin, so
 * that panning does not shift it. */
typedef struct {
  guint generation; /* of the picture */
  double scale;     /* pixels of the screen per point */
  gint64 column, row;
} Place;

typedef struct {
  Place place;
  cairo_surface_t *surface;
  guint64 used; /* number of the last frame that showed it */
} Tile;

/* What the threads share with their owner.  It outlives the owner when a square is still in work.
 */
typedef struct {
  gatomicrefcount ref_count;
  GMainContext *context;
  GMutex mutex;
  ScopeTiles *owner; /* NULL once it is gone; only looked at in its own thread */

  SymPicture *picture;
  SymColor background;
  guint generation;
  int device_scale;
  GArray *wanted;  /* of Place; the last is the next to be painted */
  GArray *taken;   /* of Place: in work, or done */
  GPtrArray *done; /* of Tile */
  guint n_workers;
  gboolean tells; /* the owner will be told */
} Shop;

struct _ScopeTiles {
  GObject parent_instance;

  Shop *shop;
  GPtrArray *tiles; /* of Tile */
  guint64 frame;
  double scale; /* of the squares that are painted now */
  guint oldest; /* generation that may still be shown */
  gboolean is_complete;
};

G_DEFINE_FINAL_TYPE (ScopeTiles, scope_tiles, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

static void
tile_free (gpointer data)
{
  Tile *self = data;

  cairo_surface_destroy (self->surface);
  g_free (self);
}

static gboolean
is_same_place (const Place *a, const Place *b)
{
  return a->column == b->column && a->row == b->row && a->scale == b->scale &&
         a->generation == b->generation;
}

static gboolean
remove_place (GArray *places, const Place *place)
{
  for (guint i = 0; i < places->len; i++)
    if (is_same_place (&g_array_index (places, Place, i), place))
      {
        g_array_remove_index (places, i);
        return TRUE;
      }
  return FALSE;
}

static gboolean
has_place (const GArray *places, const Place *place)
{
  for (guint i = 0; i < places->len; i++)
    if (is_same_place (&g_array_index (places, Place, i), place))
      return TRUE;
  return FALSE;
}

/* ---- In threads ---- */

static void
shop_unref (Shop *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  scope_release (g_steal_pointer (&self->picture), (GDestroyNotify) sym_picture_unref);
  g_array_unref (self->wanted);
  g_array_unref (self->taken);
  g_ptr_array_unref (self->done);
  g_main_context_unref (self->context);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

/* The corner is subtracted in doubles before cairo sees a number: its own hold 24 bits. */
static cairo_surface_t *
paint_tile (const Place *place, SymPicture *picture, const SymColor *background, int device_scale)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, SIDE, SIDE);
  cairo_t *cr = cairo_create (surface);
  double side = SIDE / place->scale;
  SymRect clip = { (double) place->column * side, (double) place->row * side, side, side };

  cairo_set_source_rgb (cr, background->red, background->green, background->blue);
  cairo_paint (cr);
  cairo_translate (cr, -(double) place->column * SIDE, -(double) place->row * SIDE);
  cairo_scale (cr, place->scale, place->scale);
  sym_picture_paint (picture, cr, &clip, place->scale / device_scale);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static gboolean
shop_tell_cb (gpointer data)
{
  Shop *self = data;

  g_mutex_lock (&self->mutex);
  self->tells = FALSE;
  g_mutex_unlock (&self->mutex);
  if (self->owner != NULL)
    g_signal_emit (self->owner, signals[CHANGED], 0);
  return G_SOURCE_REMOVE;
}

static void
shop_tell (Shop *self)
{
  if (self->tells)
    return;
  g_autoptr (GSource) source = g_idle_source_new ();

  self->tells = TRUE;
  g_atomic_ref_count_inc (&self->ref_count);
  g_source_set_callback (source, shop_tell_cb, self, (GDestroyNotify) shop_unref);
  g_source_attach (source, self->context);
}

/* Paints what is wanted until nothing is; the lock is held whenever the shop is looked at. */
static void
shop_work (gpointer data, gpointer user_data)
{
  Shop *self = data;

  g_mutex_lock (&self->mutex);
  while (self->wanted->len > 0)
    {
      Tile *tile = g_new0 (Tile, 1);
      g_autoptr (SymPicture) picture = sym_picture_ref (self->picture);
      SymColor background = self->background;
      int device_scale = self->device_scale;

      tile->place = g_array_index (self->wanted, Place, self->wanted->len - 1);
      g_array_set_size (self->wanted, self->wanted->len - 1);
      g_array_append_val (self->taken, tile->place);
      g_mutex_unlock (&self->mutex);
      tile->surface = paint_tile (&tile->place, picture, &background, device_scale);
      g_mutex_lock (&self->mutex);
      g_ptr_array_add (self->done, tile);
      shop_tell (self);
    }
  self->n_workers--;
  g_mutex_unlock (&self->mutex);
  shop_unref (self);
}

/* One pool for all drawings: one processor is left for the window. */
static GThreadPool *
get_pool (void)
{
  static gsize pool = 0;

  if (g_once_init_enter (&pool))
    {
      int n = CLAMP ((int) g_get_num_processors () - 1, 1, MAX_THREADS);

      g_once_init_leave (&pool, (gsize) g_thread_pool_new (shop_work, NULL, n, FALSE, NULL));
    }
  return (GThreadPool *) pool;
}

/* ---- In the owner's thread ---- */

static void
take_done (ScopeTiles *self)
{
  g_autoptr (GPtrArray) done = NULL;

  g_mutex_lock (&self->shop->mutex);
  done = self->shop->done;
  self->shop->done = g_ptr_array_new_with_free_func (tile_free);
  for (guint i = 0; i < done->len; i++)
    remove_place (self->shop->taken, &((const Tile *) done->pdata[i])->place);
  g_mutex_unlock (&self->shop->mutex);
  while (done->len > 0)
    {
      Tile *tile = g_ptr_array_steal_index (done, done->len - 1);

      if (tile->place.generation >= self->oldest)
        g_ptr_array_add (self->tiles, tile);
      else
        tile_free (tile);
    }
}

static Tile *
find_tile (ScopeTiles *self, const Place *place)
{
  for (guint i = 0; i < self->tiles->len; i++)
    {
      Tile *tile = self->tiles->pdata[i];

      if (is_same_place (&tile->place, place))
        return tile;
    }
  return NULL;
}

/* What is wanted by this frame, and no longer by those before: what is in sight is painted first.
 */
static void
request (ScopeTiles *self, const GArray *missing, const GArray *in_sight, int device_scale)
{
  Shop *shop = self->shop;
  const GArray *lists[] = { missing, in_sight };
  guint n_new = 0, most = (guint) g_thread_pool_get_max_threads (get_pool ());

  g_mutex_lock (&shop->mutex);
  shop->device_scale = device_scale;
  g_array_set_size (shop->wanted, 0);
  for (guint list = 0; list < G_N_ELEMENTS (lists); list++)
    for (guint i = 0; i < lists[list]->len; i++)
      {
        const Place *place = &g_array_index (lists[list], Place, i);

        remove_place (shop->wanted, place);
        if (!has_place (shop->taken, place))
          g_array_append_val (shop->wanted, *place);
      }
  if (shop->wanted->len > 0 && shop->n_workers < most)
    n_new = MIN (most - shop->n_workers, shop->wanted->len);
  shop->n_workers += n_new;
  g_mutex_unlock (&shop->mutex);
  for (guint i = 0; i < n_new; i++)
    {
      g_atomic_ref_count_inc (&shop->ref_count);
      g_thread_pool_push (get_pool (), shop, NULL);
    }
}

static int
compare_use (gconstpointer a, gconstpointer b)
{
  const Tile *first = *(const Tile *const *) a, *second = *(const Tile *const *) b;

  return (first->used > second->used) - (first->used < second->used);
}

/* The squares that were shown last stay, and twice as many as one view needs. */
static void
forget_old (ScopeTiles *self, guint n_seen)
{
  guint most = MAX (MIN_KEPT, 2 * n_seen);

  if (self->tiles->len <= most)
    return;
  g_ptr_array_sort (self->tiles, compare_use);
  g_ptr_array_remove_range (self->tiles, 0, self->tiles->len - most);
}

static void
put (cairo_t *cr, const Tile *tile, const ScopeTilesView *view)
{
  double factor = view->scale / tile->place.scale;

  cairo_save (cr);
  cairo_translate (cr, (double) tile->place.column * SIDE * factor - view->left,
                   (double) tile->place.row * SIDE * factor - view->top);
  cairo_scale (cr, factor, factor);
  cairo_set_source_surface (cr, tile->surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr),
                            factor == 1 ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_BILINEAR);
  cairo_rectangle (cr, 0, 0, SIDE, SIDE);
  cairo_fill (cr);
  cairo_restore (cr);
}

static gboolean
is_in_view (const Place *place, const ScopeTilesView *view)
{
  double side = SIDE * view->scale / place->scale;
  double x = (double) place->column * side - view->left, y = (double) place->row * side - view->top;

  return x < view->width && y < view->height && x + side > 0 && y + side > 0;
}

static gboolean
is_present (ScopeTiles *self, const Place *place)
{
  return place->scale == self->scale && place->generation == self->shop->generation;
}

static gboolean
has_at (ScopeTiles *self, const ScopeTilesView *view, double x, double y)
{
  for (guint i = self->tiles->len; i-- > 0;)
    {
      const Place *place = &((const Tile *) self->tiles->pdata[i])->place;
      double side = SIDE * view->scale / place->scale;

      if (floor ((view->left + x) / side) == (double) place->column &&
          floor ((view->top + y) / side) == (double) place->row)
        return TRUE;
    }
  return FALSE;
}

/* Whether there is something to put down, old or new, wherever the picture is in sight; looked at
 * in a raster that is finer than any square that is put down. */
static gboolean
covers (ScopeTiles *self, const ScopeTilesView *view)
{
  SymRect extent = sym_picture_get_extent (self->shop->picture);
  double left = MAX (extent.x * view->scale - view->left, 0);
  double top = MAX (extent.y * view->scale - view->top, 0);
  double right = MIN ((extent.x + extent.width) * view->scale - view->left, view->width);
  double bottom = MIN ((extent.y + extent.height) * view->scale - view->top, view->height);

  for (double y = top; y < bottom + SAMPLE; y += SAMPLE)
    for (double x = left; x < right + SAMPLE; x += SAMPLE)
      if (left < right && top < bottom &&
          !has_at (self, view, MIN (x, right - 1), MIN (y, bottom - 1)))
        return FALSE;
  return TRUE;
}

/* Squares of other scales and of the last picture, the newest uppermost; over them those that are
 * meant to be seen. */
static void
put_all (ScopeTiles *self, cairo_t *cr, const ScopeTilesView *view)
{
  g_ptr_array_sort (self->tiles, compare_use);
  for (guint layer = self->is_complete ? 1 : 0; layer < 2; layer++)
    for (guint i = 0; i < self->tiles->len; i++)
      {
        const Tile *tile = self->tiles->pdata[i];

        if (is_present (self, &tile->place) == (layer == 1) && is_in_view (&tile->place, view))
          put (cr, tile, view);
      }
}

/* The squares within @room pixels of the view that are missing; those that are there are needed. */
static guint
find_missing (ScopeTiles *self, const ScopeTilesView *view, double room, GArray *missing)
{
  double side = SIDE * view->scale / self->scale;
  gint64 left = (gint64) floor ((view->left - room) / side);
  gint64 right = (gint64) ceil ((view->left + view->width + room) / side);
  gint64 top = (gint64) floor ((view->top - room) / side);
  gint64 bottom = (gint64) ceil ((view->top + view->height + room) / side);
  guint n_there = 0;

  for (gint64 row = top; row < bottom; row++)
    for (gint64 column = left; column < right; column++)
      {
        Place place = { self->shop->generation, self->scale, column, row };
        Tile *tile = find_tile (self, &place);

        if (tile == NULL)
          {
            g_array_append_val (missing, place);
            continue;
          }
        n_there++;
        tile->used = self->frame;
      }
  return n_there;
}

/* A square outside of the picture needs no thread to be known: it is empty. */
static void
drop_empty (ScopeTiles *self, GArray *wanted)
{
  SymRect extent = sym_picture_get_extent (self->shop->picture);
  double left = extent.x * self->scale, right = (extent.x + extent.width) * self->scale;
  double top = extent.y * self->scale, bottom = (extent.y + extent.height) * self->scale;

  for (guint i = wanted->len; i-- > 0;)
    {
      const Place *place = &g_array_index (wanted, Place, i);
      double x = (double) place->column * SIDE, y = (double) place->row * SIDE;

      if (x >= right || y >= bottom || x + SIDE <= left || y + SIDE <= top)
        g_array_remove_index (wanted, i);
    }
}

static void
choose_scale (ScopeTiles *self, const ScopeTilesView *view)
{
  double factor = self->scale > 0 ? view->scale / self->scale : 0;

  if (view->rests || factor > MAX_STRETCH || factor < 1 / MAX_STRETCH)
    self->scale = view->scale;
}

/* ---- Class ---- */

static void
scope_tiles_finalize (GObject *object)
{
  ScopeTiles *self = SCOPE_TILES (object);

  self->shop->owner = NULL;
  g_mutex_lock (&self->shop->mutex);
  g_array_set_size (self->shop->wanted, 0);
  g_mutex_unlock (&self->shop->mutex);
  shop_unref (self->shop);
  g_ptr_array_unref (self->tiles);
  G_OBJECT_CLASS (scope_tiles_parent_class)->finalize (object);
}

static void
scope_tiles_class_init (ScopeTilesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = scope_tiles_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
scope_tiles_init (ScopeTiles *self)
{
  self->shop = g_new0 (Shop, 1);
  g_atomic_ref_count_init (&self->shop->ref_count);
  g_mutex_init (&self->shop->mutex);
  self->shop->context = g_main_context_ref_thread_default ();
  self->shop->owner = self;
  self->shop->wanted = g_array_new (FALSE, FALSE, sizeof (Place));
  self->shop->taken = g_array_new (FALSE, FALSE, sizeof (Place));
  self->shop->done = g_ptr_array_new_with_free_func (tile_free);
  self->tiles = g_ptr_array_new_with_free_func (tile_free);
}

ScopeTiles *
scope_tiles_new (void)
{
  return g_object_new (SCOPE_TYPE_TILES, NULL);
}

void
scope_tiles_set_picture (ScopeTiles *self,
                         SymPicture *picture,
                         const SymColor *background,
                         gboolean keeps)
{
  g_return_if_fail (SCOPE_IS_TILES (self));

  Shop *shop = self->shop;

  take_done (self);
  if (!keeps)
    g_ptr_array_set_size (self->tiles, 0);
  g_mutex_lock (&shop->mutex);
  g_array_set_size (shop->wanted, 0);
  scope_release (g_steal_pointer (&shop->picture), (GDestroyNotify) sym_picture_unref);
  shop->picture = picture != NULL ? sym_picture_ref (picture) : NULL;
  shop->background = *background;
  shop->generation++;
  if (!keeps)
    self->oldest = shop->generation;
  g_mutex_unlock (&shop->mutex);
}

gboolean
scope_tiles_paint (ScopeTiles *self, cairo_t *cr, const ScopeTilesView *view, gboolean allowed)
{
  g_return_val_if_fail (SCOPE_IS_TILES (self) && cr != NULL, FALSE);

  g_autoptr (GArray) missing = g_array_new (FALSE, FALSE, sizeof (Place));
  g_autoptr (GArray) in_sight = g_array_new (FALSE, FALSE, sizeof (Place));

  if (self->shop->picture == NULL)
    return FALSE;
  self->frame++;
  take_done (self);
  choose_scale (self, view);
  find_missing (self, view, NEAR, missing);
  guint n_there = find_missing (self, view, 0, in_sight);

  drop_empty (self, in_sight);
  drop_empty (self, missing);
  self->is_complete = in_sight->len == 0;
  request (self, missing, in_sight, view->device_scale);
  forget_old (self, n_there + in_sight->len);
  gboolean is_whole = self->is_complete || covers (self, view);

  if (is_whole || allowed)
    put_all (self, cr, view);
  return is_whole;
}

gboolean
scope_tiles_is_complete (ScopeTiles *self)
{
  g_return_val_if_fail (SCOPE_IS_TILES (self), FALSE);

  return self->is_complete;
}
