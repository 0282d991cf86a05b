/* SPDX-License-Identifier: MIT */
#pragma once

/* PyTorch's layers, each in two spellings.  Applied at once, its input sizes are those of the node:
 *
 *   x = sym_relu (sym_conv2d (x, 64, 3, &error, .padding = 1), &error);
 *
 * As an object, which can be applied several times and then shares its weights; the graph owns it:
 *
 *   SymLayer *conv = sym_nn_conv2d (graph, 64, 64, 3, &error, .padding = 1);
 *   y = sym_layer_call (conv, x, &error);
 *   z = sym_node_apply (y, conv, &error);
 *
 * What follows the error are options by name.  A NULL node, a NULL layer, or an error that is set
 * already makes all of them return NULL, so that the error may be looked at once, at the end.
 * Messages name the layer, the shapes, and what would be right.  C computes the arguments of a call
 * in any order: where the order of rows matters, give calls that stand side by side lines of their
 * own.  Without a name option a layer is named by its type and number: Conv2d_1. */
#include "ops/sym-arithmetic.h"
#include "ops/sym-functions.h"
#include "ops/sym-layers-activation.h"
#include "ops/sym-layers-initialise.h"
#include "ops/sym-layers-norm.h"
#include "ops/sym-layers-pool.h"
#include "ops/sym-layers-shape.h"
#include "ops/sym-layers-weights.h"
