/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-json.h"
#include "io/sym-proto.h"

G_BEGIN_DECLS

/* Protobuf's JSON form: 64-bit numbers as strings, bytes in base64, enumerations by name, members
 * in camelCase, or as in the .proto (snake_case).  Both spellings are read, and numbers where a
 * name or a string is usual. */

/* The message that @value, an object, stands for; its lines are those of the text.  What is no
 * field is told in @problems and left out. */
SymProto *sym_proto_read_json (const SymJson *json,
                               guint value,
                               const SymProtoType *type,
                               SymProtoMessage **root,
                               SymProblems *problems,
                               GError **error);

typedef enum {
  SYM_PROTO_JSON_SNAKE_CASE = 1 << 0,
  SYM_PROTO_JSON_PLACES = 1 << 1, /* of bytes that stay in their file {"offset": 1, "size": 2} */
} SymProtoJsonFlags;

/* @n_left_out, when not NULL, is how many entries JSON has no name for. */
gboolean sym_proto_write_json (const SymProtoMessage *self,
                               SymProtoJsonFlags flags,
                               SymProtoWrite write,
                               gpointer out,
                               guint *n_left_out,
                               GError **error);

/* Appends as few digits as give the same float, with a point or an exponent: 0.1, 3.0. */
void sym_proto_append_float_text (GString *out, float number);

/* The name in camelCase; free it. */
char *sym_proto_make_camel_case (const char *name);

G_END_DECLS
