/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/sym-statistics.h"

G_BEGIN_DECLS

/* How numbers are spread, as bars in the theme's colours; what they say is told in words, too. */
#define SCOPE_TYPE_HISTOGRAM (scope_histogram_get_type ())
G_DECLARE_FINAL_TYPE (ScopeHistogram, scope_histogram, SCOPE, HISTOGRAM, GtkWidget)

/* NULL: nothing.  The statistics are copied. */
void scope_histogram_set_statistics (ScopeHistogram *self, const SymStatistics *statistics);

/* "40 bars from −2.1 to 5.8; the most, 31 % of the numbers, from 0.1 to 0.3"; the caller's. */
char *scope_histogram_describe (const SymStatistics *statistics);

G_END_DECLS
