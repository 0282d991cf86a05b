/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-net.h"
#include "ops/sym-op.h"

G_BEGIN_DECLS

/* TensorMeta: {"dtype": 7, "sizes": [{"as_int": 3}, {"as_expr": {"expr_str": "s0"}}], ...} */
SymType sym_torch_export_read_type (const SymJson *json, guint meta, SymTerms *terms);

/* ScalarType of torch._export.serde.schema, by its number. */
SymDType sym_torch_export_read_dtype (const SymJson *json, guint token);

/* The only member of an object: what an argument is, and its value. */
char *sym_torch_export_dup_kind (const SymJson *json, guint argument, guint *value);

/* The name of a value of the graph: of tensors "name", of numbers that are computed "as_name". What
 * is in a list may be told once more: [{"as_tensor": {"name": "x"}}, {"as_none": true}]. */
char *sym_torch_export_dup_name (const SymJson *json, guint value);
char *sym_torch_export_dup_item_name (const SymJson *json, guint item);

/* Whether an argument of that kind is one value of the graph, or a list among which some may be. */
gboolean sym_torch_export_is_tensor (const char *kind);
gboolean sym_torch_export_is_list (const char *kind);

/* The arguments of a node of @op, which may be NULL: names of its operands (NULL for empty slots)
 * are appended to @operands, the others to @attributes.  Returns all of them as a tree. */
SymValue *sym_torch_export_use_arguments (const SymJson *json,
                                          guint inputs,
                                          const SymOperator *op,
                                          SymAttributes *attributes,
                                          GPtrArray *operands);

/* The numbers of a program's parameters, buffers and constants: files of raw bytes that are listed
 * by data/weights/NAME_weights_config.json, in the .pt2 archive or, when it was unpacked, around
 * the graph's folder.  Older archives have one pickle, which is not read. */
typedef struct _SymTorchWeights SymTorchWeights;

/* Never NULL; what is missing or wrong becomes a problem of @source. */
SymTorchWeights *sym_torch_weights_open (const SymIoSource *source);
void sym_torch_weights_free (SymTorchWeights *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymTorchWeights, sym_torch_weights_free)

/* Borrowed; NULL when there are none of that name ("conv1.weight"). */
SymTensor *sym_torch_weights_find (const SymTorchWeights *self, const char *name);

G_END_DECLS
