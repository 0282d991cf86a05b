/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-graph-live.h"

G_BEGIN_DECLS

/* Makes a graph live (core/sym-graph-live.h): calls are run by their reference kernels, bodies and
 * host functions as they are made.  Inputs made from now on are traced with random numbers of their
 * range and trace sizes (P1), the same for the same @seed; sym_node_set_value() gives them others.
 */
void sym_live_enable (SymGraph *graph, guint64 seed);

/* Ends it: calls are only inferred, as in a graph that was never live. */
void sym_live_disable (SymGraph *graph);

G_END_DECLS
