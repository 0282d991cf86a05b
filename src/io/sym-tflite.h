/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-flatbuffer.h"
#include "io/sym-net.h"

G_BEGIN_DECLS

/* TensorFlow Lite's models and Circle's, which are FlatBuffers: as files, and as the JSON of flatc.
 */
extern const SymFlatEntry sym_tflite_schema[];

/* Reads what flatc writes.  @blob is what buffers with an offset and a size mean places of, NULL
 * where that is not at hand; @format is the format's name. */
SymModel *sym_tflite_read_document (const SymJson *json,
                                    SymBlob *blob,
                                    const SymIoSource *source,
                                    const char *format,
                                    GError **error);

SymType sym_tflite_read_type (SymNet *net, guint tensor);

/* The numbers of a tensor, in a buffer of the document or at a place of @file (may be NULL); NULL
 * for one without.  @is_stored tells one whose buffer has bytes, so that it is no value of a run
 * whether they can be read or not. */
SymTensor *sym_tflite_read_numbers (SymNet *net,
                                    guint tensor,
                                    guint buffer,
                                    SymBlob *file,
                                    const SymType *type,
                                    gboolean *is_stored);

/* Zeros for a tensor that keeps its numbers from one run to the next ("is_variable"); NULL for
 * others. */
SymTensor *sym_tflite_make_state (const SymJson *json, guint tensor, const SymType *type);

/* Whether a tensor stands for other numbers: then it is a weight, a bias of integers too. */
gboolean sym_tflite_has_scale (const SymJson *json, guint tensor);

/* A dict of what the integers of a tensor stand for, see sym-op-tflite.h; None for a tensor whose
 * numbers are its own. */
SymValue *sym_tflite_read_scales (SymNet *net, guint tensor);

/* ---- sym-tflite-custom.c ---- */

/* Whether a layer is one of TensorFlow's, "FlexErf", and its operator; NULL for none. */
gboolean sym_tflite_is_flex (const char *type);
const SymOperator *sym_tflite_find_operator (const char *type);

/* Adds the options of an operator that is not built in to its attributes.  FALSE, with a problem of
 * the model, where they cannot be read: then nobody knows what it does. */
gboolean
sym_tflite_read_custom (SymNet *net, guint op, const char *type, SymAttributes *attributes);

G_END_DECLS
