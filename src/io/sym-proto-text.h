/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-proto.h"

G_BEGIN_DECLS

/* Protobuf's text form, as files called .pbtxt, .prototxt, .textproto and, at times, .onnxtxt have
 * it: `name: "relu" dims: 3 attr { key: "T" }`.  Enumerations are told by name or number, comments
 * begin with #. */

/* The message that @blob holds; its lines are those of the text.  What is no field is told in
 * @problems, once for each name, and left out; @problems is NULL where the table has not all
 * fields. */
SymProto *sym_proto_read_text (SymBlob *blob,
                               const SymProtoType *type,
                               SymProtoMessage **root,
                               SymProblems *problems,
                               GCancellable *cancellable,
                               GError **error);

/* The name of the first field in the first bytes of a file that may be such a text; NULL when it
 * cannot be one.  Free it. */
char *sym_proto_text_get_first (const guint8 *start, gsize n);

G_END_DECLS
