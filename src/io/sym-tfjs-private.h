/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-net.h"
#include "ops/sym-op.h"
#include "io/sym-tfjs-weights.h"

G_BEGIN_DECLS

/* TensorFlow's GraphDef as JSON, as TensorFlow.js has it. */

/* ---- sym-tfjs-attribute.c ---- */

/* {"T": {"type": "DT_FLOAT"}, "strides": {"list": {"i": ["1", "2"]}}, "padding": {"s": "U0FNRQ=="}} */
SymAttributes *sym_tfjs_read_attributes (const SymJson *json, guint map);

/* {"dim": [{"size": "-1"}, {"size": "3"}]}, {"unknownRank": true} */
SymShape sym_tfjs_read_shape (const SymJson *json, guint token);

/* "DT_FLOAT", or its number 1. */
SymDType sym_tfjs_read_dtype (const SymJson *json, guint token);

/* A TensorProto with its numbers: NULL when it has none, or they cannot be read. */
SymTensor *sym_tfjs_read_tensor (const SymJson *json, guint token);

G_END_DECLS
