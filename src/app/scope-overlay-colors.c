/* SPDX-License-Identifier: MIT */
#include "app/scope-overlay-colors.h"

#include <glib/gi18n.h>
#include <math.h>

#include "draw/sym-rgb.h"

#define N_STEPS 24 /* of a gradient: no more than an eye tells apart side by side */
#define MAX_ROWS 8 /* of the legend */

/* A colour, and what has it. */
typedef struct {
  SymHeatColor color;
  int stop; /* of thresholds; -1 of all others */
  guint n;  /* layers */
  double lowest, highest;
  char *word;   /* of what has no number */
  gboolean etc; /* there are other words */
  guint8 place; /* in the palette */
} Entry;

typedef struct {
  const SymOverlay *overlay;
  const SymOverlayColors *colors;
  guint n_calls;
  GArray *entries;  /* of Entry */
  GHashTable *seen; /* colour, text and stop -> entry + 1 */
  guint *of_calls;  /* numbers of entries; G_MAXUINT */
} Making;

/* ---- One colour ---- */

static const char *
get_text (const SymOverlayStop *stop, gboolean is_text)
{
  return is_text ? stop->text : stop->fill;
}

/* Stops may have one of the two colours only. */
static gboolean
mix_stops (const SymOverlayScale *scale, double at, gboolean is_text, SymRgb *rgb)
{
  g_autoptr (GArray) stops = g_array_new (FALSE, FALSE, sizeof (SymRgbStop));

  for (guint i = 0; i < scale->n_stops; i++)
    {
      SymRgbStop stop = { .place = scale->stops[i].number };

      if (sym_rgb_parse (get_text (&scale->stops[i], is_text), &stop.rgb))
        g_array_append_val (stops, stop);
    }
  return sym_rgb_mix_stops ((const SymRgbStop *) (gconstpointer) stops->data, stops->len, at, rgb);
}

static gboolean
find_in_gradient (const SymOverlayScale *scale, double number, SymHeatColor *color)
{
  /* Halves: the whole of it may be more than numbers reach. */
  double reach = scale->highest / 2 - scale->lowest / 2;
  double part = reach > 0 ? (number / 2 - scale->lowest / 2) / reach : 0;
  double at = floor (part * N_STEPS + 0.5) / N_STEPS;

  color->has_text = mix_stops (scale, at, TRUE, &color->text);
  return mix_stops (scale, at, FALSE, &color->fill);
}

/* The first whose number is not less; none beyond the last. */
static gboolean
find_in_thresholds (const SymOverlayScale *scale, double number, SymHeatColor *color, int *stop)
{
  for (guint i = 0; i < scale->n_stops; i++)
    if (number <= scale->stops[i].number)
      {
        *stop = (int) i;
        color->has_text = sym_rgb_parse (scale->stops[i].text, &color->text);
        return sym_rgb_parse (scale->stops[i].fill, &color->fill);
      }
  return FALSE;
}

static gboolean
find_color (const Making *self, SymId call, SymHeatColor *color, int *stop)
{
  SymOverlayScale scale;
  double number;

  *color = (SymHeatColor){ 0 };
  *stop = -1;
  if (sym_rgb_parse (sym_overlay_colors_get_fill (self->colors, call), &color->fill))
    {
      color->has_text =
          sym_rgb_parse (sym_overlay_colors_get_text (self->colors, call), &color->text);
      return TRUE;
    }
  if (!sym_overlay_get_number (self->overlay, call, &number) ||
      !sym_overlay_colors_get_scale (self->colors, call, &scale))
    return FALSE;
  return scale.is_gradient ? find_in_gradient (&scale, number, color)
                           : find_in_thresholds (&scale, number, color, stop);
}

/* ---- All of them ---- */

static void
clear_entry (gpointer data)
{
  Entry *entry = data;

  g_free (entry->word);
}

static Entry *
get_entry (const Making *self, guint i)
{
  return &g_array_index (self->entries, Entry, i);
}

static guint
add_entry (Making *self, const SymHeatColor *color, int stop)
{
  g_autofree char *key =
      g_strdup_printf ("%x %x %d %d", color->fill, color->text, color->has_text, stop);
  gsize found = GPOINTER_TO_SIZE (g_hash_table_lookup (self->seen, key));
  Entry entry = { .color = *color, .stop = stop, .lowest = INFINITY, .highest = -INFINITY };

  if (found > 0)
    return (guint) (found - 1);
  g_array_append_val (self->entries, entry);
  g_hash_table_insert (self->seen, g_steal_pointer (&key), GSIZE_TO_POINTER (self->entries->len));
  return self->entries->len - 1;
}

static void
count (const Making *self, Entry *entry, SymId call)
{
  double number;

  entry->n++;
  if (sym_overlay_get_number (self->overlay, call, &number))
    {
      entry->lowest = MIN (entry->lowest, number);
      entry->highest = MAX (entry->highest, number);
      return;
    }
  g_autofree char *told = sym_overlay_tell (self->overlay, call);
  const char *word = told != NULL ? told : sym_overlay_colors_get_fill (self->colors, call);

  if (entry->word == NULL)
    entry->word = g_strdup (word);
  else if (word != NULL && !g_str_equal (entry->word, word))
    entry->etc = TRUE;
}

static void
gather (Making *self)
{
  for (SymId call = 0; call < self->n_calls; call++)
    {
      SymHeatColor color;
      int stop;

      self->of_calls[call] = G_MAXUINT;
      if (!find_color (self, call, &color, &stop))
        continue;
      self->of_calls[call] = add_entry (self, &color, stop);
      count (self, get_entry (self, self->of_calls[call]), call);
    }
}

/* ---- As many as a picture has ---- */

static int
compare_frequent (gconstpointer a, gconstpointer b)
{
  const Entry *first = *(Entry *const *) a, *second = *(Entry *const *) b;

  return first->n > second->n ? -1 : first->n < second->n;
}

/* The largest number first, as in the other legends; what has none behind, as it comes. */
static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const Entry *first = *(Entry *const *) a, *second = *(Entry *const *) b;

  return first->highest > second->highest ? -1 : first->highest < second->highest;
}

static Entry *
find_nearest (const GPtrArray *kept, const Entry *entry)
{
  Entry *nearest = kept->pdata[0];

  for (guint i = 1; i < kept->len; i++)
    {
      Entry *other = kept->pdata[i];

      if (sym_rgb_get_distance (other->color.fill, entry->color.fill) <
          sym_rgb_get_distance (nearest->color.fill, entry->color.fill))
        nearest = other;
    }
  return nearest;
}

/* Rare colours that are too many are those that come nearest to them. */
static GPtrArray *
pick (const Making *self)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  GPtrArray *kept = g_ptr_array_new ();

  for (guint i = 0; i < self->entries->len; i++)
    g_ptr_array_add (all, get_entry (self, i));
  if (all->len > SYM_N_OWN_COLORS)
    g_ptr_array_sort (all, compare_frequent);
  for (guint i = 0; i < MIN (all->len, SYM_N_OWN_COLORS); i++)
    g_ptr_array_add (kept, all->pdata[i]);
  for (guint i = kept->len; i < all->len; i++)
    {
      Entry *entry = all->pdata[i], *nearest = find_nearest (kept, entry);

      nearest->lowest = MIN (nearest->lowest, entry->lowest);
      nearest->highest = MAX (nearest->highest, entry->highest);
      nearest->etc = nearest->etc || g_strcmp0 (nearest->word, entry->word) != 0;
    }
  g_ptr_array_sort (kept, compare_numbers);
  for (guint i = 0; i < kept->len; i++)
    ((Entry *) kept->pdata[i])->place = (guint8) i;
  for (guint i = SYM_N_OWN_COLORS; i < all->len; i++)
    ((Entry *) all->pdata[i])->place = find_nearest (kept, all->pdata[i])->place;
  return kept;
}

/* ---- The legend ---- */

/* Of what is between two numbers four digits tell enough, unless they would round whole ones. */
static char *
name_range (double lowest, double highest)
{
  int digits = MAX (fabs (lowest), fabs (highest)) < 1e4 ? 4 : 6;

  return lowest < highest ? g_strdup_printf (_ ("%.*g to %.*g"), digits, lowest, digits, highest)
                          : g_strdup_printf ("%.6g", lowest);
}

/* Where all thresholds are of one graph their own bounds tell more than what happens to be there.
 */
static char *
name_threshold (const Making *self, int stop)
{
  SymOverlayScale scale = { 0 };

  for (SymId call = 0; call < self->n_calls; call++)
    if (self->of_calls[call] != G_MAXUINT && get_entry (self, self->of_calls[call])->stop == stop &&
        sym_overlay_colors_get_scale (self->colors, call, &scale))
      break;
  if (stop == 0)
    return g_strdup_printf (_ ("Up to %.6g"), scale.stops[0].number);
  return name_range (scale.stops[stop - 1].number, scale.stops[stop].number);
}

static char *
name_entry (const Making *self, const Entry *entry)
{
  if (entry->stop >= 0)
    return name_threshold (self, entry->stop);
  if (entry->highest >= entry->lowest)
    return name_range (entry->lowest, entry->highest);
  if (entry->word == NULL)
    return g_strdup ("");
  return entry->etc ? g_strdup_printf (_ ("%s and others"), entry->word) : g_strdup (entry->word);
}

/* A few of many, the first and the last among them; the others have no row. */
static GStrv
name_entries (const Making *self, const GPtrArray *kept)
{
  GPtrArray *names = g_ptr_array_new ();
  guint n_rows = MIN (kept->len, MAX_ROWS), next = 0;

  for (guint i = 0; i < kept->len; i++)
    {
      gboolean has_row = n_rows < 2 || i == next * (kept->len - 1) / (n_rows - 1);

      next += has_row;
      g_ptr_array_add (names, has_row ? name_entry (self, kept->pdata[i]) : g_strdup (""));
    }
  g_ptr_array_add (names, NULL);
  return (GStrv) g_ptr_array_free (names, FALSE);
}

/* ---- By item ---- */

static guint8
find_item_class (const Making *self, const SymScene *scene, guint item, GArray *calls)
{
  guint8 class = SYM_NO_CLASS;
  double highest = -INFINITY;

  if (sym_scene_get_item (scene, item)->body > 0)
    return SYM_NO_CLASS;
  g_array_set_size (calls, 0);
  sym_scene_collect_calls (scene, item, calls);
  for (guint i = 0; i < calls->len; i++)
    {
      SymId call = g_array_index (calls, SymId, i);
      guint entry = call < self->n_calls ? self->of_calls[call] : G_MAXUINT;
      double number;

      if (sym_overlay_get_number (self->overlay, call, &number))
        {
          if (number > highest)
            class = entry != G_MAXUINT ? get_entry (self, entry)->place : SYM_NO_CLASS;
          highest = MAX (highest, number);
        }
      else if (isinf (highest))
        {
          if (entry == G_MAXUINT || (i > 0 && class != get_entry (self, entry)->place))
            return SYM_NO_CLASS;
          class = get_entry (self, entry)->place;
        }
    }
  return class;
}

static SymHeat *
make_heat (const Making *self, const SymScene *scene)
{
  g_autoptr (GPtrArray) kept = pick (self);
  g_auto (GStrv) names = name_entries (self, kept);
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (SymId));
  guint n = sym_scene_get_n_items (scene);
  g_autofree guint8 *classes = g_new (guint8, n + 1);
  SymHeatColor colors[SYM_N_OWN_COLORS];

  for (guint i = 0; i < kept->len; i++)
    colors[i] = ((const Entry *) kept->pdata[i])->color;
  for (guint i = 0; i < n; i++)
    classes[i] = find_item_class (self, scene, i, calls);
  return sym_heat_new_item_colors (scene, classes, (const char *const *) names, colors);
}

SymHeat *
scope_overlay_colors_create_heat (const SymOverlay *overlay, const SymScene *scene)
{
  const SymOverlayColors *colors = sym_overlay_get_colors (overlay);

  if (colors == NULL)
    return NULL;
  guint n_calls = sym_model_get_n_calls (sym_overlay_get_model (overlay));
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree guint *of_calls = g_new (guint, n_calls + 1);
  Making making = { overlay, colors, n_calls, entries, seen, of_calls };

  g_array_set_clear_func (entries, clear_entry);
  gather (&making);
  return entries->len > 0 ? make_heat (&making, scene) : NULL;
}

/* ---- What is none ---- */

static const char *
check (const char *text)
{
  SymRgb rgb;

  return text != NULL && !g_str_equal (text, "transparent") && !sym_rgb_parse (text, &rgb) ? text
                                                                                           : NULL;
}

const char *
scope_overlay_colors_find_unreadable (const SymOverlay *overlay)
{
  const SymOverlayColors *colors = sym_overlay_get_colors (overlay);
  guint n = colors != NULL ? sym_model_get_n_calls (sym_overlay_get_model (overlay)) : 0;

  for (SymId call = 0; call < n; call++)
    {
      const char *fill = check (sym_overlay_colors_get_fill (colors, call));
      const char *text = check (sym_overlay_colors_get_text (colors, call));
      SymOverlayScale scale = { 0 };

      if (fill != NULL || text != NULL)
        return fill != NULL ? fill : text;
      if (!sym_overlay_colors_get_scale (colors, call, &scale))
        continue;
      for (guint i = 0; i < scale.n_stops; i++)
        if (check (scale.stops[i].fill) != NULL || check (scale.stops[i].text) != NULL)
          return check (scale.stops[i].fill) != NULL ? scale.stops[i].fill : scale.stops[i].text;
    }
  return NULL;
}
