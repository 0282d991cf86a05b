/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/sym-problem.h"
#include "core/sym-tensor.h"

G_BEGIN_DECLS

/* Protocol buffers by tables.  One table per kind of message says all that its binary and its JSON
 * form need, for reading and for writing.  A message is a list of entries in the order of its file,
 * those of unknown fields included, so that what was read is written back as it was. */
typedef enum {
  SYM_PROTO_INT32, /* an enumeration as well, when the field has names */
  SYM_PROTO_INT64,
  SYM_PROTO_UINT64,
  SYM_PROTO_FLOAT,
  SYM_PROTO_DOUBLE,
  SYM_PROTO_STRING,
  SYM_PROTO_BYTES,
  SYM_PROTO_MESSAGE,
} SymProtoKind;

enum {
  SYM_PROTO_REPEATED = 1 << 0,
  SYM_PROTO_PACKED = 1 << 1,  /* is written so when it did not come from a binary file */
  SYM_PROTO_IN_FILE = 1 << 2, /* bytes, or packed numbers, that may be many: stay in their file */
  SYM_PROTO_NAMED = 1 << 3,   /* JSON writes the name of the number, where the field has names */
  SYM_PROTO_TRUTH = 1 << 4,   /* JSON writes true or false */
  SYM_PROTO_MAP = 1 << 5,     /* of messages with a key (field 1, text) and a value (field 2): JSON
                                 writes an object.  It is not read there. */
};

typedef struct {
  gint64 number;
  const char *name; /* ends with NULL */
} SymProtoName;

typedef struct _SymProtoType SymProtoType;

typedef struct {
  guint number;     /* ends with 0 */
  const char *name; /* as the .proto has it: elem_type */
  SymProtoKind kind;
  guint flags;
  const SymProtoType *type;  /* of messages; and of bytes that are one which is not taken apart,
                                and which text has in braces: it is passed over there */
  const SymProtoName *names; /* of numbers; may be NULL */
} SymProtoField;

struct _SymProtoType {
  const char *name;
  const SymProtoField *fields;
};

const SymProtoField *sym_proto_type_find (const SymProtoType *self, guint number);

/* Messages deeper than this are refused, as protobuf's own readers do. */
#define SYM_PROTO_MAX_DEPTH 100

typedef enum {
  SYM_PROTO_NUMBER,  /* @value: the varint, or the bits of a fixed number */
  SYM_PROTO_NUMBERS, /* @numbers, @size of them: packed */
  SYM_PROTO_TEXT,    /* @bytes, @size of them, with a NUL behind */
  SYM_PROTO_RANGE,   /* @size bytes of the document's blob from @value on */
  SYM_PROTO_TENSOR,  /* the bytes of @tensor */
  SYM_PROTO_CHILD,   /* @message */
} SymProtoHeld;

typedef struct _SymProtoMessage SymProtoMessage;

typedef struct {
  guint number;
  guint8 held; /* SymProtoHeld */
  guint8 wire; /* of the binary form: 0 varint, 1 eight bytes, 2 length and bytes, 5 four bytes */
  guint8 is_unknown; /* of no field, or not as its field wants it: only to be written back */
  union {
    guint64 value;
    const guint64 *numbers;
    const char *bytes;
    SymTensor *tensor;
    SymProtoMessage *message;
  };
  guint64 size;
} SymProtoEntry;

/* A document owns messages and all that they hold.  While it is made, one thread may use it; then
 * it does not change, and any thread may read it. */
typedef struct _SymProto SymProto;

struct _SymProtoMessage {
  const SymProtoType *type;
  SymProto *document; /* that owns it */
  SymProtoEntry *entries;
  guint n;
  guint room;
  guint line; /* of a text or JSON file; 0 in a binary one */
};

SymProto *sym_proto_new (SymBlob *blob); /* @blob may be NULL */
SymProto *sym_proto_ref (SymProto *self);
void sym_proto_unref (SymProto *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymProto, sym_proto_unref)

SymBlob *sym_proto_get_blob (const SymProto *self); /* NULL for none; borrowed */

/* Makes @self hold @other, so that its messages may be children of those of @self. */
void sym_proto_keep (SymProto *self, SymProto *other);

/* ---- Making messages ---- */

SymProtoMessage *sym_proto_add (SymProto *self, const SymProtoType *type);

/* A copy of @message that has the same entries, in @self. */
SymProtoMessage *sym_proto_copy (SymProto *self, const SymProtoMessage *message);

void sym_proto_append (SymProtoMessage *self, const SymProtoEntry *entry);
void sym_proto_append_int (SymProtoMessage *self, guint number, gint64 value);
void sym_proto_append_float (SymProtoMessage *self, guint number, float value);
void sym_proto_append_double (SymProtoMessage *self, guint number, double value);
void sym_proto_append_bytes (SymProtoMessage *self, guint number, const char *bytes, gsize size);
void sym_proto_append_string (SymProtoMessage *self, guint number, const char *text);
void sym_proto_append_message (SymProtoMessage *self, guint number, const SymProtoMessage *child);
void sym_proto_append_tensor (SymProtoMessage *self, guint number, SymTensor *tensor);

/* Packed, as the table says: @numbers, copied. */
void
sym_proto_append_numbers (SymProtoMessage *self, guint number, const guint64 *numbers, guint64 n);

/* Removes all entries of a field but unknown ones; puts @entries in place of them, in their places
 * as far as there are, the others behind the last, or else where the order of numbers has them. */
void sym_proto_remove (SymProtoMessage *self, guint number);
void sym_proto_replace (SymProtoMessage *self, guint number, const GArray *entries);

/* Puts the entries of all messages of @self in the order of their numbers, which is the
 * usual one. */
void sym_proto_sort (SymProto *self);

/* ---- Looking ---- */

/* Every function below takes a @self of NULL for an empty message, and passes over unknown
 * entries. */

/* The next entry of a field from *@at, which starts at 0; NULL behind the last. */
const SymProtoEntry *sym_proto_next (const SymProtoMessage *self, guint number, guint *at);
guint sym_proto_count (const SymProtoMessage *self, guint number);

/* The last entry of a field, which is the one that counts; NULL for none. */
const SymProtoEntry *sym_proto_find (const SymProtoMessage *self, guint number);

/* Of a field that has one value: NULL, or @fallback, for none. */
const SymProtoMessage *sym_proto_get_message (const SymProtoMessage *self, guint number);
gint64 sym_proto_get_int (const SymProtoMessage *self, guint number, gint64 fallback);
float sym_proto_get_float (const SymProtoMessage *self, guint number, float fallback);

/* Text without a NUL and in UTF-8, whatever the bytes are; NULL for none.  Borrowed. */
const char *sym_proto_get_text (const SymProtoMessage *self, guint number);
const char *sym_proto_entry_get_text (const SymProtoMessage *self, const SymProtoEntry *entry);

/* All numbers of a repeated field, packed or not, that are held in memory: guint64 each.
 * Free it. */
GArray *sym_proto_get_numbers (const SymProtoMessage *self, guint number);

float sym_proto_to_float (guint64 bits);
double sym_proto_to_double (guint64 bits);

/* Whether both have the same entries, however they are held; bytes in files count by place. */
gboolean sym_proto_equal (const SymProtoMessage *a, const SymProtoMessage *b);

/* ---- sym-proto-read.c, sym-proto-write.c: the binary form ---- */

/* Reads the whole of @blob as one message of @type, in *@root.  Strings and small things are
 * copied, fields that may be many bytes stay where they are.  Errors (SYM_IO_ERROR_SYNTAX, _LIMIT)
 * say which byte. */
SymProto *sym_proto_read (SymBlob *blob,
                          const SymProtoType *type,
                          SymProtoMessage **root,
                          GCancellable *cancellable,
                          GError **error);

/* Where written bytes go. */
typedef gboolean (*SymProtoWrite) (gpointer out, const void *bytes, gsize size, GError **error);

gboolean
sym_proto_write (const SymProtoMessage *self, SymProtoWrite write, gpointer out, GError **error);

/* Passes the bytes of an entry that holds text, a range or a tensor to @write, in pieces. */
gboolean sym_proto_entry_write (const SymProtoMessage *self,
                                const SymProtoEntry *entry,
                                SymProtoWrite write,
                                gpointer out,
                                GError **error);

/* Whether a field of that kind may be written so; if not it counts as unknown. */
gboolean sym_proto_field_fits (const SymProtoField *field, guint wire);

/* ---- Bytes in reach of a window ---- */

/* One varint from @bytes; how many bytes it takes, 0 when it does not end within @size of them, -1
 * when it is longer than a varint may be. */
int sym_proto_parse_varint (const guint8 *bytes, gsize size, guint64 *value);

G_END_DECLS
