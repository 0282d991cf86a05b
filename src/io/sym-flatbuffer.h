/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/sym-tensor.h"

G_BEGIN_DECLS

/* FlatBuffers (flatbuffers.dev/internals) by a schema of text.  An entry of a table lists its
 * fields in the order of their slots, "padding:Padding strides:[int] -:int", where "-" is one that
 * is no longer used; of an enumeration its names, "SAME VALID RELU6=6"; of a union its tables, the
 * first of which is 1.  Types are bool, byte, ubyte, short, ushort, int, uint, long, ulong, float,
 * double, string, entries of the schema, [lists] of these, and place: a list of bytes that stays in
 * its file, of which the JSON has where it begins and how long it is, "offset" and "size". */
typedef enum {
  SYM_FLAT_TABLE,
  SYM_FLAT_ENUM,
  SYM_FLAT_UNION,
} SymFlatKind;

typedef struct {
  const char *name; /* the last entry has none */
  SymFlatKind kind;
  const char *base; /* of an enumeration: the type of its numbers */
  const char *text;
} SymFlatEntry;

/* Whether @start begins a file with these four characters as its mark. */
gboolean sym_flatbuffer_has_mark (const guint8 *start, gsize n, const char *mark);

/* The whole document as JSON, as flatc writes it: fields that the file leaves out are left out,
 * numbers of enumerations are names.  Reads what the tables need of @blob and no more.  Errors
 * (SYM_IO_ERROR_FORMAT, _LIMIT) say the byte; a table that many others share more often than the
 * size of the file allows for is SYM_IO_ERROR_LIMIT. */
GBytes *sym_flatbuffer_to_json (SymBlob *blob,
                                const SymFlatEntry *schema,
                                const char *root,
                                GCancellable *cancellable,
                                GError **error);

G_END_DECLS
