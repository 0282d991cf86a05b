/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-onnx-write-private.h"

G_BEGIN_DECLS

/* ONNX's own text (onnx.parser, onnx.printer):
 *
 *   <ir_version: 8, opset_import: ["" : 17]>
 *   agraph (float[N, 4] x) => (float[N, 2] y) <float[4, 2] w = {1, 2, 3, 4, 5, 6, 7, 8}>
 *   { y = MatMul (x, w) }
 */

/* Graphs in attributes of nodes, and types in types, nested deeper than this are refused. */
#define SYM_ONNX_TEXT_MAX_DEPTH SYM_PROTO_MAX_DEPTH

/* A place in the text. */
typedef struct {
  const char *at;
  const char *start;
  const char *end;
  SymProto *document; /* of what is read */
  guint depth;
  const char *line_at; /* the place whose line is @line */
  guint line;
} SymOnnxText;

/* ---- sym-onnx-text-lex.c ---- */

/* Sets SYM_IO_ERROR_SYNTAX, "line 3, column 5: ...", and returns FALSE. */
gboolean sym_onnx_text_fail (SymOnnxText *self, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
guint sym_onnx_text_get_line (SymOnnxText *self);

/* Passes over spaces and comments; the byte that follows, 0 at the end. */
char sym_onnx_text_peek (SymOnnxText *self);

/* Whether the next byte is @byte: then it is passed over. */
gboolean sym_onnx_text_take (SymOnnxText *self, char byte);
gboolean sym_onnx_text_expect (SymOnnxText *self, char byte, GError **error);

/* A name of letters, digits and underscores; NULL when none follows.  Free it. */
char *sym_onnx_text_take_id (SymOnnxText *self);
char *sym_onnx_text_peek_id (SymOnnxText *self);
char *sym_onnx_text_expect_id (SymOnnxText *self, GError **error);

/* Names and strings with any bytes in them. */
gboolean sym_onnx_text_is_name_next (SymOnnxText *self);
GString *sym_onnx_text_expect_string (SymOnnxText *self, GError **error); /* "quoted" */
GString *sym_onnx_text_expect_name (SymOnnxText *self, GError **error);   /* either */

typedef enum {
  SYM_ONNX_TEXT_INT,
  SYM_ONNX_TEXT_FLOAT,
} SymOnnxTextNumber;

/* The text of a number: -1, 0.5, 1e-05, inf, nan. */
GString *sym_onnx_text_expect_number (SymOnnxText *self, SymOnnxTextNumber *kind, GError **error);
gboolean sym_onnx_text_is_number_word (const char *word); /* inf, nan */
gboolean sym_onnx_text_expect_int (SymOnnxText *self, gint64 *number, GError **error);

/* ---- sym-onnx-text-type.c ---- */

/* The number of "float"; 0 for none. */
gint64 sym_onnx_text_get_dtype (const char *name);
const char *sym_onnx_text_get_dtype_name (gint64 dtype); /* NULL for none */

gboolean sym_onnx_text_is_type_word (const char *word);
gboolean sym_onnx_text_is_type_next (SymOnnxText *self);

/* A new TypeProto. */
SymProtoMessage *sym_onnx_text_read_type (SymOnnxText *self, GError **error);

/* The numbers of a tensor whose type was read: {1, 2} or ["location": "x", ...]. */
gboolean sym_onnx_text_read_tensor (SymOnnxText *self,
                                    const SymProtoMessage *type,
                                    SymProtoMessage *tensor,
                                    GError **error);

/* Pairs of strings, up to @close: "a": "b", ... */
gboolean sym_onnx_text_read_pairs (SymOnnxText *self,
                                   SymProtoMessage *message,
                                   guint number,
                                   char close,
                                   GError **error);

/* ---- sym-onnx-text-attribute.c ---- */

/* What follows the name of an attribute: [: type] = value. */
gboolean
sym_onnx_text_read_attribute (SymOnnxText *self, SymProtoMessage *attribute, GError **error);

/* ---- sym-onnx-text-read.c ---- */

SymProtoMessage *sym_onnx_text_read_graph (SymOnnxText *self, GError **error);
SymProtoMessage *sym_onnx_text_read_model (SymOnnxText *self, GError **error);

/* ---- sym-onnx-text-write.c ---- */

typedef struct {
  GString *out;
  SymOnnxFile *file; /* of external data and of tensors; may be NULL */
  guint indent;
  guint n_left_out; /* what the text has no words for */
} SymOnnxPrinter;

gboolean
sym_onnx_text_print_model (SymOnnxPrinter *self, const SymProtoMessage *model, GError **error);
gboolean
sym_onnx_text_print_graph (SymOnnxPrinter *self, const SymProtoMessage *graph, GError **error);

/* ---- sym-onnx-text-print.c ---- */

void sym_onnx_text_print_name (SymOnnxPrinter *self, const char *name);
void sym_onnx_text_print_string (SymOnnxPrinter *self, const char *bytes, gsize size);
void sym_onnx_text_print_type (SymOnnxPrinter *self, const SymProtoMessage *type);
gboolean sym_onnx_text_print_tensor (SymOnnxPrinter *self,
                                     const SymProtoMessage *tensor,
                                     gboolean is_initializer,
                                     GError **error);
gboolean sym_onnx_text_print_attribute (SymOnnxPrinter *self,
                                        const SymProtoMessage *attribute,
                                        GError **error);
void sym_onnx_text_print_pairs (SymOnnxPrinter *self, const SymProtoMessage *message, guint number);

G_END_DECLS
