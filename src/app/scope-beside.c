/* SPDX-License-Identifier: MIT */
#include "app/scope-beside.h"

#define SPACING 12       /* pixels between the two */
#define LINE_SPACING 6   /* where one is below the other */
#define LEAST_LETTERS 24 /* of a line beside the second */

struct _ScopeBeside {
  GtkWidget parent_instance;
};

G_DEFINE_FINAL_TYPE (ScopeBeside, scope_beside, GTK_TYPE_WIDGET)

/* Of two children, either of which may be hidden. */
typedef struct {
  GtkWidget *first, *second;
} Pair;

static Pair
get_pair (GtkWidget *widget)
{
  GtkWidget *first = gtk_widget_get_first_child (widget);
  GtkWidget *second = first != NULL ? gtk_widget_get_next_sibling (first) : NULL;

  return (Pair){ first != NULL && gtk_widget_should_layout (first) ? first : NULL,
                 second != NULL && gtk_widget_should_layout (second) ? second : NULL };
}

static void
measure_child (GtkWidget *child,
               GtkOrientation orientation,
               int for_size,
               int *minimum,
               int *natural)
{
  *minimum = *natural = 0;
  if (child != NULL)
    gtk_widget_measure (child, orientation, for_size, minimum, natural, NULL, NULL);
}

/* A shorter text than such a line needs less. */
static int
get_least_width (GtkWidget *first)
{
  PangoContext *context = gtk_widget_get_pango_context (first);
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  int letter = pango_font_metrics_get_approximate_char_width (metrics) / PANGO_SCALE;
  int least, wished;

  pango_font_metrics_unref (metrics);
  measure_child (first, GTK_ORIENTATION_HORIZONTAL, -1, &least, &wished);
  return MAX (least, MIN (wished, LEAST_LETTERS * letter));
}

/* How wide the second is where it has a place beside the first; 0 where it is below, or alone. */
static int
get_width_beside (const Pair *pair, int width)
{
  int least, wished;

  if (pair->first == NULL || pair->second == NULL)
    return 0;
  measure_child (pair->second, GTK_ORIENTATION_HORIZONTAL, -1, &least, &wished);
  return width - wished - SPACING >= get_least_width (pair->first) ? wished : 0;
}

static GtkSizeRequestMode
scope_beside_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
measure_width (const Pair *pair, int *minimum, int *natural)
{
  int least[2], wished[2];

  measure_child (pair->first, GTK_ORIENTATION_HORIZONTAL, -1, &least[0], &wished[0]);
  measure_child (pair->second, GTK_ORIENTATION_HORIZONTAL, -1, &least[1], &wished[1]);
  *minimum = MAX (least[0], least[1]);
  *natural = wished[0] + wished[1] + (pair->first != NULL && pair->second != NULL ? SPACING : 0);
}

static void
measure_height (const Pair *pair, int width, int *minimum, int *natural)
{
  int beside = get_width_beside (pair, width), least[2], wished[2];
  gboolean is_both = pair->first != NULL && pair->second != NULL;

  measure_child (pair->first, GTK_ORIENTATION_VERTICAL,
                 beside > 0 ? width - beside - SPACING : width, &least[0], &wished[0]);
  measure_child (pair->second, GTK_ORIENTATION_VERTICAL, beside > 0 ? beside : width, &least[1],
                 &wished[1]);
  *minimum =
      beside > 0 ? MAX (least[0], least[1]) : least[0] + least[1] + (is_both ? LINE_SPACING : 0);
  *natural = beside > 0 ? MAX (wished[0], wished[1])
                        : wished[0] + wished[1] + (is_both ? LINE_SPACING : 0);
}

static void
scope_beside_measure (GtkWidget *widget,
                      GtkOrientation orientation,
                      int for_size,
                      int *minimum,
                      int *natural,
                      int *minimum_baseline,
                      int *natural_baseline)
{
  Pair pair = get_pair (widget);
  int least, wished;

  measure_width (&pair, &least, &wished);
  *minimum = least;
  *natural = wished;
  if (orientation == GTK_ORIENTATION_VERTICAL)
    measure_height (&pair, for_size < 0 ? wished : for_size, minimum, natural);
}

static void
place (GtkWidget *widget, GtkWidget *child, int x, int y, int width, int height)
{
  gboolean is_rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int left = is_rtl ? gtk_widget_get_width (widget) - x - width : x;

  if (child != NULL)
    gtk_widget_size_allocate (child, &(GtkAllocation){ left, y, width, height }, -1);
}

static void
scope_beside_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  Pair pair = get_pair (widget);
  int beside = get_width_beside (&pair, width), least, wished, high;

  if (beside > 0)
    {
      place (widget, pair.first, 0, 0, width - beside - SPACING, height);
      place (widget, pair.second, width - beside, 0, beside, height);
      return;
    }
  if (pair.first == NULL || pair.second == NULL)
    {
      place (widget, pair.first != NULL ? pair.first : pair.second, 0, 0, width, height);
      return;
    }
  measure_child (pair.second, GTK_ORIENTATION_VERTICAL, width, &high, &wished);
  measure_child (pair.second, GTK_ORIENTATION_HORIZONTAL, -1, &least, &wished);
  place (widget, pair.first, 0, 0, width, MAX (height - high - LINE_SPACING, 0));
  wished = CLAMP (wished, least, MAX (width, least));
  place (widget, pair.second, width - wished, height - high, wished, high);
}

static void
scope_beside_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (scope_beside_parent_class)->dispose (object);
}

static void
scope_beside_class_init (ScopeBesideClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_beside_dispose;
  widget_class->get_request_mode = scope_beside_get_request_mode;
  widget_class->measure = scope_beside_measure;
  widget_class->size_allocate = scope_beside_size_allocate;
}

static void
scope_beside_init (ScopeBeside *self)
{
}
