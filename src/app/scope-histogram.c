/* SPDX-License-Identifier: MIT */
#include "app/scope-histogram.h"

#include <glib/gi18n.h>

#include "app/scope-text.h"
#include "app/scope-tip.h"

#define WIDTH 240
#define HEIGHT 84
#define GAP 1.0       /* between bars */
#define LEAST_BAR 1.0 /* of a bin that is not empty, however much larger others are */

struct _ScopeHistogram {
  GtkWidget parent_instance;
  SymStatistics statistics; /* without bins: nothing is drawn */
};

G_DEFINE_FINAL_TYPE (ScopeHistogram, scope_histogram, GTK_TYPE_WIDGET)

static guint
find_highest (const SymStatistics *statistics, guint64 *sum)
{
  guint highest = 0;

  *sum = 0;
  for (guint i = 0; i < statistics->n_bins; i++)
    {
      *sum += statistics->bins[i];
      if (statistics->bins[i] > statistics->bins[highest])
        highest = i;
    }
  return highest;
}

static void
scope_histogram_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  ScopeHistogram *self = SCOPE_HISTOGRAM (widget);
  const SymStatistics *statistics = &self->statistics;
  guint64 sum;
  guint highest = find_highest (statistics, &sum);
  float width = (float) gtk_widget_get_width (widget);
  float height = (float) gtk_widget_get_height (widget);
  GdkRGBA bars, line;

  if (sum == 0)
    return;
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &line);
  if (!gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), "accent_bg_color",
                                       &bars))
    bars = line;
  line.alpha *= 0.3f;
  for (guint i = 0; i < statistics->n_bins; i++)
    {
      double share = (double) statistics->bins[i] / (double) statistics->bins[highest];
      double left = width * i / statistics->n_bins;
      double bar = share > 0 ? MAX (share * (height - 1), LEAST_BAR) : 0;
      graphene_rect_t rect =
          GRAPHENE_RECT_INIT ((float) left, height - 1 - (float) bar,
                              (float) MAX (width / statistics->n_bins - GAP, 1), (float) bar);

      gtk_snapshot_append_color (snapshot, &bars, &rect);
    }
  gtk_snapshot_append_color (snapshot, &line, &GRAPHENE_RECT_INIT (0, height - 1, width, 1));
}

static void
scope_histogram_measure (GtkWidget *widget,
                         GtkOrientation orientation,
                         int for_size,
                         int *minimum,
                         int *natural,
                         int *minimum_baseline,
                         int *natural_baseline)
{
  gboolean is_width = orientation == GTK_ORIENTATION_HORIZONTAL;

  *minimum = is_width ? SYM_STATISTICS_MAX_BINS / 16 : HEIGHT;
  *natural = is_width ? WIDTH : HEIGHT;
}

static void
scope_histogram_class_init (ScopeHistogramClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->snapshot = scope_histogram_snapshot;
  widget_class->measure = scope_histogram_measure;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget_class, "histogram");
}

static void
scope_histogram_init (ScopeHistogram *self)
{
}

char *
scope_histogram_describe (const SymStatistics *statistics)
{
  guint64 sum;
  guint highest = find_highest (statistics, &sum);
  double width = statistics->n_bins > 0 ? statistics->last_edge / statistics->n_bins -
                                              statistics->first_edge / statistics->n_bins
                                        : 0;

  if (sum == 0)
    return g_strdup (_ ("No finite numbers"));
  g_autofree char *first = scope_text_number (statistics->first_edge);
  g_autofree char *last = scope_text_number (statistics->last_edge);
  g_autofree char *low = scope_text_number (statistics->first_edge + width * highest);
  g_autofree char *high = scope_text_number (statistics->first_edge + width * (highest + 1));

  return g_strdup_printf (
      _ ("Histogram of %u bars from %s to %s; the highest, %.3g %% of the numbers, from %s to %s"),
      statistics->n_bins, first, last, 100 * (double) statistics->bins[highest] / (double) sum, low,
      high);
}

void
scope_histogram_set_statistics (ScopeHistogram *self, const SymStatistics *statistics)
{
  g_return_if_fail (SCOPE_IS_HISTOGRAM (self));

  self->statistics = statistics != NULL ? *statistics : (SymStatistics){ 0 };
  g_autofree char *text = scope_histogram_describe (&self->statistics);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  scope_tip_set (GTK_WIDGET (self), text);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
