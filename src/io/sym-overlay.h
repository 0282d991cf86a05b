/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"
#include "io/sym-overlay-colors.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* What another program found out about the nodes of a model, to be laid over its picture: numbers,
 * or one of a few words, by call.  Immutable; reference-counted. */
typedef struct _SymOverlay SymOverlay;

#define SYM_OVERLAY_MAX_CLASSES 8 /* further words are the last one, "others" */
#define SYM_OVERLAY_NO_CLASS G_MAXUINT8

/* Reads a file that is one of these, told by its contents:
 *
 * - Model Explorer's node data: `{GRAPH: {"results": {NODE: {"value": 1.5}}}}`, or with the results
 *   at the top.  NODE is a node's id, or the name of a layer or tensor.  The file may bring colours
 *   of its own.
 * - ONNX Runtime's profile: a list of events, of which those of `"cat": "Node"` that end in
 *   "_kernel_time" count; a node that ran several times has the mean of its times.
 *
 * Nodes are found by name.  SYM_IO_ERROR_UNRECOGNISED for what is neither, SYM_IO_ERROR_FORMAT when
 * none of the names is one of @model's. */
SymOverlay *
sym_overlay_read (SymModel *model, const char *path, GCancellable *cancellable, GError **error);
SymOverlay *
sym_overlay_new_from_bytes (SymModel *model, GBytes *bytes, const char *path, GError **error);
SymOverlay *sym_overlay_ref (SymOverlay *self);
void sym_overlay_unref (SymOverlay *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymOverlay, sym_overlay_unref)

SymModel *sym_overlay_get_model (const SymOverlay *self);
const char *sym_overlay_get_title (const SymOverlay *self); /* the name of the file */

/* How many names of the file there are in the model, and how many are not. */
guint sym_overlay_get_n_found (const SymOverlay *self);
guint sym_overlay_get_n_missed (const SymOverlay *self);

/* "ms" of a profile, else "". */
const char *sym_overlay_get_unit (const SymOverlay *self);

/* By call, negative numbers moved up so that the smallest is 0, -1 where nothing is known; NULL
 * when there are words instead.  Borrowed. */
const double *sym_overlay_get_numbers (const SymOverlay *self);

/* What 0 among these was in the file: its smallest number when that is negative, else 0. */
double sym_overlay_get_lowest (const SymOverlay *self);

/* By call, numbers of the words; NULL when there are numbers. */
const guint8 *sym_overlay_get_classes (const SymOverlay *self);
const char *const *sym_overlay_get_class_names (const SymOverlay *self);

/* What the file tells of a call as a number, before it is moved; FALSE for none, or a word. */
gboolean sym_overlay_get_number (const SymOverlay *self, SymId call, double *number);

/* What the file wants to be painted how; NULL when it leaves that to us.  Borrowed. */
const SymOverlayColors *sym_overlay_get_colors (const SymOverlay *self);

/* What the file tells of a call: "1.5", "12 ms", a word; NULL for nothing.  The caller's. */
char *sym_overlay_tell (const SymOverlay *self, SymId call);

G_END_DECLS
