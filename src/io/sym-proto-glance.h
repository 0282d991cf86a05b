/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-proto.h"

G_BEGIN_DECLS

/* Messages have no mark by which they are known: a look at the first bytes tells whether they read
 * as one without a doubt, every field known and of the right kind.
 *
 *   glance = sym_proto_glance (start, n, size, &type);
 *   while (sym_proto_glance_take (&glance, &field))
 *     ...
 *   return !glance.is_wrong;
 */
typedef struct {
  const SymProtoType *type;
  const guint8 *at;
  const guint8 *end; /* of what can be looked at */
  guint64 left;      /* bytes of the message, which may go on behind @end */
  guint max_known; /* fields of higher numbers, but the first, are those of versions to come; 0 for
                      none: then an unknown field is wrong */
  guint n_fields;
  gboolean is_wrong;
} SymProtoGlance;

/* A field, and where its bytes are as far as they can be looked at. */
typedef struct {
  const SymProtoField *field;
  guint64 value; /* the number, or how many bytes it has */
  const guint8 *start;
  const guint8 *end;
} SymProtoGlimpse;

/* @n bytes at @start begin a message of @size. */
SymProtoGlance
sym_proto_glance (const guint8 *start, gsize n, guint64 size, const SymProtoType *type);
SymProtoGlance sym_proto_glance_within (const SymProtoGlance *self,
                                        const SymProtoGlimpse *message,
                                        const SymProtoType *type);

/* FALSE where no more fields can be looked at, or what follows is none. */
gboolean sym_proto_glance_take (SymProtoGlance *self, SymProtoGlimpse *field);

/* Text has no control characters: they would be bytes of something else. */
gboolean sym_proto_glimpse_is_text (const SymProtoGlimpse *self);

G_END_DECLS
