/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-viewport.h"

/* A drawing from (0, 0) on, seen in 800 by 600 pixels. */
static inline ScopeViewport *
sight_new (double width, double height)
{
  ScopeViewport *viewport = scope_viewport_new ();
  SymRect extent = { 0, 0, width, height };

  scope_viewport_set_size (viewport, 800, 600);
  scope_viewport_set_extent (viewport, &extent);
  return viewport;
}

/* Where a part of it is, in pixels: its left, top, right and bottom. */
typedef struct {
  double left, top, right, bottom;
} Sight;

static inline Sight
sight_find (ScopeViewport *viewport, const SymRect *part)
{
  Sight self;

  scope_viewport_to_widget (viewport, part->x, part->y, &self.left, &self.top);
  scope_viewport_to_widget (viewport, part->x + part->width, part->y + part->height, &self.right,
                            &self.bottom);
  return self;
}
