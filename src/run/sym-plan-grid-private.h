/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-shape.h"

G_BEGIN_DECLS

/* Where the elements of a tensor, or of a part or an arrangement of it, are in memory: the element
 * of some coordinates is at the offset plus each coordinate times its stride.  Counts floats. */
typedef struct {
  int rank;
  gint64 sizes[SYM_MAX_RANK];
  gint64 offset, strides[SYM_MAX_RANK];
} SymPlanGrid;

/* One after the other. */
void sym_plan_grid_init (SymPlanGrid *self, const SymShape *shape);
void sym_plan_grid_init_sizes (SymPlanGrid *self, int rank, const gint64 *sizes);

/* A tensor of @from as it is broadcast to @to. */
void sym_plan_grid_spread (SymPlanGrid *self, const SymShape *from, const SymShape *to);

/* @self tells where elements are in a tensor that @move, of another one, would make one after the
 * other: makes it tell where they are in the other one.  FALSE, leaving it alone, when strides
 * cannot tell. */
gboolean sym_plan_grid_compose (SymPlanGrid *self, const SymPlanGrid *move);

/* Of a move of @n elements that leaves none out, and none twice, the one back; else FALSE. */
gboolean sym_plan_grid_invert (const SymPlanGrid *move, gsize n, SymPlanGrid *back);

/* Without axes of one element, and with those as one that can be. */
void sym_plan_grid_join (SymPlanGrid *self);

/* Whether it is of a tensor of @n numbers as that lies in memory. */
gboolean sym_plan_grid_is_plain (const SymPlanGrid *self, gsize n);

G_END_DECLS
