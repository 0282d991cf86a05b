/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-net.h"

G_BEGIN_DECLS

/* Whether the operators among @nodes are TVM's, which are all called tvm_op: the first one tells.
 * Where there is none, as in a part of a graph that was cut at its inputs, the places that values
 * are stored at tell. */
gboolean sym_tvm_has_operators (const SymJson *json, guint nodes);

/* "tvmgen_default_fused_nn_conv2d_add_nn_relu_3" is number 3 of its kind, which is the part of it
 * that is returned, of *@length bytes. */
const char *sym_tvm_find_type (const char *function, gsize *length);

/* Relay calls weights p0, p1, ... where it bound them. */
gboolean sym_tvm_is_weight_name (const char *name);

/* nnvm, before Relay, kept the names of a network's own weights, put "_sc" behind those that it had
 * scaled for a batch normalisation, called what it folded after the operators that it folded, the
 * last of them expand_dims, and numbered what had no name. */
gboolean sym_tvm_is_nnvm_weight_name (const char *name);

/* The parameters that the user chose, or those that lie beside a graph, by name: NULL when there
 * are none.  What lies beside and cannot be read becomes a problem of @source; FALSE for what was
 * chosen. */
gboolean
sym_tvm_open_weights (const SymIoSource *source, SymStoreTensors **weights, GError **error);

/* Gives @value, which the graph says is of @type, the numbers of @tensor; warns when they do
 * not fit. */
void sym_tvm_give_weight (SymNet *net,
                          SymId value,
                          const char *name,
                          const SymType *type,
                          SymTensor *tensor,
                          guint token);

G_END_DECLS
