/* SPDX-License-Identifier: MIT */
#include "app/scope-colors.h"

#include <glib/gi18n.h>

#include "app/scope-overlay-colors.h"

#define QUERY_LENGTH 40 /* characters of it in the legend */

/* Costs, or classes, by call. */
typedef struct {
  const ScopeColorsSource *source;
  const SymScene *scene;
  SymModel *model;
  guint n_calls;
} Making;

/* ---- Costs ---- */

typedef double (*CostFunc) (const Making *self, SymId call);

static SymHeat *
make_costs (const Making *self, CostFunc get_cost, const char *unit)
{
  g_autofree double *costs = g_new (double, self->n_calls + 1);

  for (SymId call = 0; call < self->n_calls; call++)
    costs[call] = sym_model_has_call (self->model, call) ? get_cost (self, call) : -1;
  return sym_heat_new (self->scene, costs, self->n_calls, unit);
}

static double
count_parameters (const Making *self, SymId call)
{
  SymIds operands = sym_model_get_operands (self->model, call);
  double sum = 0;

  for (guint i = 0; i < operands.n; i++)
    {
      guint64 n;

      if (operands.ids[i] == SYM_NO_ID ||
          sym_role_is_data (sym_model_get_role (self->model, operands.ids[i])))
        continue;
      if (!sym_inference_get_n_elements (self->source->inference, operands.ids[i], &n))
        return -1;
      sum += (double) n;
    }
  return sum;
}

static double
count_bytes (const Making *self, SymId call)
{
  SymIds results = sym_model_get_results (self->model, call);
  SymCount sum = { 0, TRUE };

  for (guint i = 0; i < results.n; i++)
    sym_count_add (&sum, sym_figures_get_bytes (self->source->figures, results.ids[i]));
  return sum.known || sum.n > 0 ? (double) sum.n : -1;
}

static double
count_multiply_adds (const Making *self, SymId call)
{
  SymCount count = sym_figures_get_multiply_adds (self->source->figures, call);

  return count.known || count.n > 0 ? (double) count.n : -1;
}

static double
get_time (const Making *self, SymId call)
{
  return sym_record_get_milliseconds (self->source->record, call);
}

static SymHeat *
make_parameters (const Making *self)
{
  return make_costs (self, count_parameters, "parameters");
}

static SymHeat *
make_bytes (const Making *self)
{
  return self->source->figures != NULL ? make_costs (self, count_bytes, "B") : NULL;
}

static SymHeat *
make_multiply_adds (const Making *self)
{
  return self->source->figures != NULL ? make_costs (self, count_multiply_adds, "multiply-adds")
                                       : NULL;
}

static SymHeat *
make_times (const Making *self)
{
  return self->source->record != NULL ? make_costs (self, get_time, "ms") : NULL;
}

/* ---- Classes ---- */

/* The number of a name, which is added; the last one stands for all that come too late. */
static guint8
find_name (const char **names, const char *name)
{
  guint n = g_strv_length ((char **) names);

  for (guint i = 0; i < n; i++)
    if (g_str_equal (names[i], name))
      return (guint8) i;
  if (n == SYM_N_CLASSES)
    return SYM_N_CLASSES - 1;
  names[n] = n == SYM_N_CLASSES - 1 ? _ ("others") : name;
  return (guint8) n;
}

static SymHeat *
make_dtypes (const Making *self)
{
  const char *names[SYM_N_CLASSES + 1] = { NULL };
  g_autofree guint8 *classes = g_new (guint8, self->n_calls + 1);

  for (SymId call = 0; call < self->n_calls; call++)
    {
      SymId result = sym_model_has_call (self->model, call)
                         ? sym_model_get_first_result (self->model, call)
                         : SYM_NO_ID;
      SymType type = result != SYM_NO_ID ? sym_inference_get_type (self->source->inference, result)
                                         : SYM_TYPE_UNKNOWN;

      classes[call] = type.kind == SYM_KIND_TENSOR && type.dtype != SYM_DTYPE_UNKNOWN
                          ? find_name (names, sym_dtype_to_string (type.dtype))
                          : SYM_NO_CLASS;
    }
  return sym_heat_new_classes (self->scene, classes, self->n_calls, names);
}

/* A picture does not have the search beside it. */
static char *
name_found (const SymQuery *query)
{
  const char *text = query != NULL ? sym_query_get_text (query) : "";
  glong length = g_utf8_strlen (text, -1);
  g_autofree char *start = g_utf8_substring (text, 0, MIN (length, QUERY_LENGTH));

  if (*text == '\0')
    return g_strdup (_ ("Found"));
  return length > QUERY_LENGTH ? g_strdup_printf (_ ("Found by “%s…”"), start)
                               : g_strdup_printf (_ ("Found by “%s”"), start);
}

static SymHeat *
make_found (const Making *self)
{
  g_autofree char *name = name_found (self->source->query);
  const char *names[] = { name, NULL };
  const GArray *found = self->source->found;
  g_autofree guint8 *classes = g_new (guint8, self->n_calls + 1);

  if (found == NULL)
    return NULL;
  memset (classes, SYM_NO_CLASS, self->n_calls + 1);
  for (guint i = 0; i < found->len; i++)
    {
      SymId value = g_array_index (found, SymId, i);
      SymId call = sym_model_has_value (self->model, value)
                       ? sym_model_get_producer (self->model, value)
                       : SYM_NO_ID;

      if (call != SYM_NO_ID)
        classes[call] = 0;
    }
  return sym_heat_new_classes (self->scene, classes, self->n_calls, names);
}

static SymHeat *
make_overlay (const Making *self)
{
  SymOverlay *overlay = self->source->overlay;

  if (overlay == NULL)
    return NULL;
  SymHeat *own = scope_overlay_colors_create_heat (overlay, self->scene);

  if (own != NULL)
    return own;
  guint n = MIN (self->n_calls, sym_model_get_n_calls (sym_overlay_get_model (overlay)));

  if (sym_overlay_get_classes (overlay) != NULL)
    return sym_heat_new_classes (self->scene, sym_overlay_get_classes (overlay), n,
                                 sym_overlay_get_class_names (overlay));
  return sym_heat_new_moved (self->scene, sym_overlay_get_numbers (overlay), n,
                             sym_overlay_get_unit (overlay), sym_overlay_get_lowest (overlay));
}

/* ---- What differs ---- */

/* The palette's blue, green, yellow and red. */
enum {
  CLASS_RESHAPED = 0,
  CLASS_ADDED = 3,
  CLASS_CHANGED = 4,
  CLASS_GAP = 5,
};

static guint8
get_class (const ScopeComparison *comparison, SymId call)
{
  SymCompareKind kind = (SymCompareKind) scope_comparison_get_kinds (comparison)[call];

  if (kind == SYM_COMPARE_ADDED)
    return CLASS_ADDED;
  if (kind == SYM_COMPARE_CHANGED)
    return CLASS_CHANGED;
  if (scope_comparison_is_gap (comparison, call))
    return CLASS_GAP;
  return kind == SYM_COMPARE_RESHAPED ? CLASS_RESHAPED : SYM_NO_CLASS;
}

/* A closed group has changed where only some of it is new, or is no longer followed by what it was.
 */
static guint8
join_classes (guint8 a, guint8 b)
{
  if (a == b)
    return a;
  return (a == CLASS_RESHAPED || a == SYM_NO_CLASS) && (b == CLASS_RESHAPED || b == SYM_NO_CLASS)
             ? CLASS_RESHAPED
             : CLASS_CHANGED;
}

/* What is in a body is told of its layer. */
static guint8
find_item_class (const Making *self, guint item, GArray *calls)
{
  guint8 class = SYM_NO_CLASS;

  if (sym_scene_get_item (self->scene, item)->body > 0)
    return SYM_NO_CLASS;
  g_array_set_size (calls, 0);
  sym_scene_collect_calls (self->scene, item, calls);
  for (guint i = 0; i < calls->len; i++)
    {
      guint8 own = get_class (self->source->comparison, g_array_index (calls, SymId, i));

      class = i == 0 ? own : join_classes (class, own);
    }
  return class;
}

static SymHeat *
make_comparison (const Making *self)
{
  const char *names[] = { _ ("Reshaped"),         "",  "", _ ("Added"), _ ("Changed"),
                          _ ("Removed after it"), NULL };
  guint n = sym_scene_get_n_items (self->scene);

  if (self->source->comparison == NULL ||
      sym_inference_get_model (scope_comparison_get_own (self->source->comparison)) != self->model)
    return NULL;
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autofree guint8 *classes = g_new (guint8, n + 1);
  guint used = 0;

  for (guint i = 0; i < n; i++)
    {
      classes[i] = find_item_class (self, i, calls);
      if (classes[i] != SYM_NO_CLASS)
        used |= 1u << classes[i];
    }
  /* What has no name is not in the legend: it tells of no difference that is not there. */
  for (guint i = 0; names[i] != NULL; i++)
    if ((used & 1u << i) == 0)
      names[i] = "";
  return sym_heat_new_item_classes (self->scene, classes, names);
}

/* ---- How far numbers are apart, by the largest of each value ---- */

/* The palette's colours from cold to hot, and below what distance each is had; the last one also
 * by what is no number in one run only, or of another shape. */
static const struct {
  guint8 class;
  double below;
} distances[] = {
  { 0, 1e-6 },
  { 3, 1e-5 },
  { 4, SCOPE_DISTANCE_RELATIVE },
  { 5, G_MAXDOUBLE },
};

static int
rank_distance (const SymDistance *distance)
{
  int rank = 0;

  if (distance == NULL)
    return -1;
  if (distance->n_odd > 0)
    return G_N_ELEMENTS (distances) - 1;
  while (rank + 1 < (int) G_N_ELEMENTS (distances) && distance->relative >= distances[rank].below)
    rank++;
  return rank;
}

static int
rank_value (const ScopeDistances *self, SymId value)
{
  return scope_distances_has_other_shape (self, value)
             ? (int) G_N_ELEMENTS (distances) - 1
             : rank_distance (scope_distances_get (self, value));
}

/* An item has the colour of what is farthest away in it. */
static int
rank_item (const Making *self, guint item, GArray *calls)
{
  int most = -1;

  if (sym_scene_get_item (self->scene, item)->body > 0)
    return -1;
  g_array_set_size (calls, 0);
  sym_scene_collect_calls (self->scene, item, calls);
  for (guint i = 0; i < calls->len; i++)
    {
      SymIds results = sym_model_get_results (self->model, g_array_index (calls, SymId, i));

      for (guint k = 0; k < results.n; k++)
        most = MAX (most, rank_value (self->source->distances, results.ids[k]));
    }
  return most;
}

static SymHeat *
make_distances (const Making *self)
{
  const char *names[] = { _ ("Below 1e-6"),    "",  "", _ ("Below 1e-5"), _ ("Below 0.001"),
                          _ ("Farther apart"), NULL };
  guint n = sym_scene_get_n_items (self->scene);

  if (self->source->distances == NULL)
    return NULL;
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autofree guint8 *classes = g_new (guint8, n + 1);

  for (guint i = 0; i < n; i++)
    {
      int rank = rank_item (self, i, calls);

      classes[i] = rank >= 0 ? distances[rank].class : SYM_NO_CLASS;
    }
  return sym_heat_new_item_classes (self->scene, classes, names);
}

/* ---- The table ---- */

static const struct {
  const char *name, *title;
  SymHeat *(*make) (const Making *self);
} kinds[] = {
  [SCOPE_COLORS_CATEGORY] = { "category", N_ ("Category"), NULL },
  [SCOPE_COLORS_PARAMETERS] = { "parameters", N_ ("Parameters"), make_parameters },
  [SCOPE_COLORS_BYTES] = { "bytes", N_ ("Bytes of Results"), make_bytes },
  [SCOPE_COLORS_MULTIPLY_ADDS] = { "multiply-adds", N_ ("Multiply-Adds"), make_multiply_adds },
  [SCOPE_COLORS_DTYPE] = { "dtype", N_ ("Data Type"), make_dtypes },
  [SCOPE_COLORS_TIME] = { "time", N_ ("Time of the Last Run"), make_times },
  [SCOPE_COLORS_FOUND] = { "found", N_ ("What Is Found"), make_found },
  [SCOPE_COLORS_OVERLAY] = { "overlay", N_ ("Overlay from a File"), make_overlay },
  [SCOPE_COLORS_COMPARISON] = { "comparison", N_ ("Comparison"), make_comparison },
  [SCOPE_COLORS_DISTANCE] = { "distance", N_ ("Distance of Two Runs"), make_distances },
};

G_STATIC_ASSERT (G_N_ELEMENTS (kinds) == SCOPE_N_COLORS);
G_STATIC_ASSERT (SYM_OVERLAY_MAX_CLASSES == SYM_N_CLASSES);
G_STATIC_ASSERT (SYM_OVERLAY_NO_CLASS == SYM_NO_CLASS);

const char *
scope_colors_to_string (ScopeColors colors)
{
  return kinds[colors].name;
}

const char *
scope_colors_get_title (ScopeColors colors)
{
  return _ (kinds[colors].title);
}

gboolean
scope_colors_from_string (const char *name, ScopeColors *colors)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i].name, name))
      {
        *colors = (ScopeColors) i;
        return TRUE;
      }
  return FALSE;
}

SymHeat *
scope_colors_create_heat (ScopeColors colors,
                          const ScopeColorsSource *source,
                          const SymLayout *layout)
{
  g_return_val_if_fail (source != NULL && layout != NULL, NULL);

  if (kinds[colors].make == NULL || source->inference == NULL)
    return NULL;
  SymModel *model = sym_inference_get_model (source->inference);
  Making making = { source, sym_layout_get_scene (layout), model, sym_model_get_n_calls (model) };

  return kinds[colors].make (&making);
}
