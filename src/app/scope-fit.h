/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-flight.h"
#include "layout/sym-layout.h"

G_BEGIN_DECLS

/* What lies over the drawing in its corner at the bottom left, in pixels; 0 for nothing. */
typedef struct {
  double width, height;
} ScopeCover;

/* The sight on all of @extent, no larger than it is, with room around it; beside what covers the drawing where
 * that makes it little smaller. */
ScopeSight
scope_fit (const SymRect *extent, double width, double height, const ScopeCover *cover);

G_END_DECLS
