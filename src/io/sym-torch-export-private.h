/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-net.h"
#include "ops/sym-op.h"

G_BEGIN_DECLS

/* TensorMeta: {"dtype": 7, "sizes": [{"as_int": 3}, {"as_expr": {"expr_str": "s0"}}], ...} */
SymType sym_torch_export_read_type (const SymJson *json, guint meta, SymTerms *terms);

/* ScalarType of torch._export.serde.schema, by its number. */
SymDType sym_torch_export_read_dtype (const SymJson *json, guint token);

/* The numbers of a program's parameters, buffers and constants: files of raw bytes that are listed by
 * data/weights/NAME_weights_config.json, in the .pt2 archive or, when it was unpacked, around the
 * graph's folder.  Older archives have one pickle, which is not read. */
typedef struct _SymTorchWeights SymTorchWeights;

/* Never NULL; what is missing or wrong becomes a problem of @source. */
SymTorchWeights *sym_torch_weights_open (const SymIoSource *source);
void sym_torch_weights_free (SymTorchWeights *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymTorchWeights, sym_torch_weights_free)

/* Borrowed; NULL when there are none of that name ("conv1.weight"). */
SymTensor *sym_torch_weights_find (const SymTorchWeights *self, const char *name);

G_END_DECLS
