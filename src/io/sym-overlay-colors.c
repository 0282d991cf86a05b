/* SPDX-License-Identifier: MIT */
#include "io/sym-overlay-colors.h"

#include <math.h>

#define NO_SCALE G_MAXUINT

typedef struct {
  gboolean is_gradient;
  GArray *stops; /* of SymOverlayStop */
  double lowest, highest;
} Scale;

struct _SymOverlayColors {
  guint n_calls;
  GPtrArray *scales; /* of Scale */
  guint current;     /* of the graph that is read */
  guint *of_calls;   /* numbers of scales */
  char **fills;      /* by call */
  char **texts;
  gboolean is_any;
};

static void
clear_stop (gpointer data)
{
  SymOverlayStop *stop = data;

  g_free (stop->fill);
  g_free (stop->text);
}

static void
free_scale (gpointer data)
{
  Scale *self = data;

  g_array_unref (self->stops);
  g_free (self);
}

static void
add_stop (Scale *self, const SymJson *json, guint stop, const char *key)
{
  SymOverlayStop made = { 0 };

  if (!sym_json_get_double (json, sym_json_get_member (json, stop, key), &made.number) ||
      !isfinite (made.number))
    return;
  made.fill = sym_json_dup_string (json, sym_json_get_member (json, stop, "bgColor"));
  made.text = sym_json_dup_string (json, sym_json_get_member (json, stop, "textColor"));
  g_array_append_val (self->stops, made);
}

static int
compare_stops (gconstpointer a, gconstpointer b)
{
  double first = ((const SymOverlayStop *) a)->number;
  double second = ((const SymOverlayStop *) b)->number;

  return first < second ? -1 : first > second;
}

/* NULL when there is none of it. */
static Scale *
read_scale (const SymJson *json, guint list, gboolean is_gradient)
{
  Scale *self = g_new0 (Scale, 1);

  self->is_gradient = is_gradient;
  self->lowest = INFINITY;
  self->highest = -INFINITY;
  self->stops = g_array_new (FALSE, FALSE, sizeof (SymOverlayStop));
  g_array_set_clear_func (self->stops, clear_stop);
  if (sym_json_get_kind (json, list) == SYM_JSON_ARRAY)
    for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i);)
      add_stop (self, json, i.value, is_gradient ? "stop" : "value");
  if (self->stops->len == 0)
    g_clear_pointer (&self, free_scale);
  else
    g_array_sort (self->stops, compare_stops);
  return self;
}

SymOverlayColors *
sym_overlay_colors_new (guint n_calls)
{
  SymOverlayColors *self = g_new0 (SymOverlayColors, 1);

  self->n_calls = n_calls;
  self->scales = g_ptr_array_new_with_free_func (free_scale);
  self->current = NO_SCALE;
  self->of_calls = g_new (guint, n_calls + 1);
  for (guint i = 0; i < n_calls; i++)
    self->of_calls[i] = NO_SCALE;
  self->fills = g_new0 (char *, n_calls + 1);
  self->texts = g_new0 (char *, n_calls + 1);
  return self;
}

void
sym_overlay_colors_free (SymOverlayColors *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_calls; i++)
    {
      g_free (self->fills[i]);
      g_free (self->texts[i]);
    }
  g_free (self->fills);
  g_free (self->texts);
  g_free (self->of_calls);
  g_ptr_array_unref (self->scales);
  g_free (self);
}

void
sym_overlay_colors_start (SymOverlayColors *self, const SymJson *json, guint graph)
{
  Scale *scale = read_scale (json, sym_json_get_member (json, graph, "gradient"), TRUE);

  if (scale == NULL)
    scale = read_scale (json, sym_json_get_member (json, graph, "thresholds"), FALSE);
  self->current = scale != NULL ? self->scales->len : NO_SCALE;
  if (scale == NULL)
    return;
  g_ptr_array_add (self->scales, scale);
  self->is_any = TRUE;
}

static void
take_text (char **place, char *take_text)
{
  if (take_text == NULL)
    return;
  g_free (*place);
  *place = take_text;
}

void
sym_overlay_colors_add (SymOverlayColors *self, SymId call, const SymJson *json, guint result)
{
  g_return_if_fail (call < self->n_calls);

  self->of_calls[call] = self->current;
  take_text (&self->fills[call],
             sym_json_dup_string (json, sym_json_get_member (json, result, "bgColor")));
  take_text (&self->texts[call],
             sym_json_dup_string (json, sym_json_get_member (json, result, "textColor")));
  self->is_any = self->is_any || self->fills[call] != NULL;
}

void
sym_overlay_colors_reach (SymOverlayColors *self, SymId call, double number)
{
  g_return_if_fail (call < self->n_calls);

  if (self->of_calls[call] == NO_SCALE)
    return;
  Scale *scale = self->scales->pdata[self->of_calls[call]];

  scale->lowest = MIN (scale->lowest, number);
  scale->highest = MAX (scale->highest, number);
}

gboolean
sym_overlay_colors_is_any (const SymOverlayColors *self)
{
  return self->is_any;
}

const char *
sym_overlay_colors_get_fill (const SymOverlayColors *self, SymId call)
{
  return call < self->n_calls ? self->fills[call] : NULL;
}

const char *
sym_overlay_colors_get_text (const SymOverlayColors *self, SymId call)
{
  return call < self->n_calls ? self->texts[call] : NULL;
}

gboolean
sym_overlay_colors_get_scale (const SymOverlayColors *self, SymId call, SymOverlayScale *scale)
{
  if (call >= self->n_calls || self->of_calls[call] == NO_SCALE)
    return FALSE;
  const Scale *own = self->scales->pdata[self->of_calls[call]];

  *scale = (SymOverlayScale){ own->is_gradient, (const SymOverlayStop *) own->stops->data,
                              own->stops->len, own->lowest, own->highest };
  return TRUE;
}
