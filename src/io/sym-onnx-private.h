/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model-builder.h"
#include "io/sym-io-private.h"
#include "io/sym-onnx-messages.h"
#include "store/sym-store-external.h"

G_BEGIN_DECLS

/* ONNX (semantics: onnx-ml.proto and the IR specification, IR versions 1 to 14).  Whatever form a
 * file has, its messages are read first (SymProto), then the model is made of them.  Writing
 * starts from the same messages and changes only what the model has changed. */

/* Graphs within nodes, and functions within functions, nested deeper than this are refused. */
#define SYM_ONNX_MAX_BODIES 24

/* What all functions may unfold to, in calls and sixteen for each body; and how many calls may run
 * when a model runs once. */
#define SYM_ONNX_MAX_UNFOLDED 200000
#define SYM_ONNX_MAX_CALLS 50000000

typedef enum {
  SYM_ONNX_BINARY,
  SYM_ONNX_JSON,       /* irVersion */
  SYM_ONNX_JSON_SNAKE, /* ir_version */
  SYM_ONNX_TEXT,
  SYM_ONNX_PBTXT,
} SymOnnxForm;

#define SYM_ONNX_N_FORMS (SYM_ONNX_PBTXT + 1)

/* The name of the format of files of that form. */
const char *sym_onnx_form_get_format (SymOnnxForm form);

/* An attribute of a layer, and what it was read of. */
typedef struct {
  const SymValue *value; /* of the attributes that were read; only to be compared */
  const SymProtoMessage *message;
} SymOnnxRead;

/* What attributes of a value or a call stand for, by identity: they go along through edits and
 * cuts. */
typedef struct {
  const SymProtoMessage *node; /* of a call, or the Constant that a value was */
  SymAttributes *attributes;   /* of the layer, as they were read */
  SymOnnxRead *read; /* in the order of the file; of a name several times the last counts */
  guint n_read;
  const SymProtoMessage *input, *output, *value_info; /* of a value */
  const SymProtoMessage *initializer;                 /* TensorProto or SparseTensorProto */
  SymTensor *tensor;                                  /* as it was read; borrowed from the model */
} SymOnnxPlace;

/* A file, with all graphs in it. */
typedef struct {
  gatomicrefcount ref_count;
  SymProto *document;
  const SymProtoMessage *model;
  SymOnnxForm form;
  char *folder;               /* of external data; NULL for none */
  SymStoreExternal *external; /* only while it is read */
  GHashTable *places;         /* SymAttributes to SymOnnxPlace */
} SymOnnxFile;

SymOnnxFile *sym_onnx_file_new (SymProto *document,
                                const SymProtoMessage *model,
                                SymOnnxForm form,
                                const char *folder);
SymOnnxFile *sym_onnx_file_ref (SymOnnxFile *self);
void sym_onnx_file_unref (SymOnnxFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymOnnxFile, sym_onnx_file_unref)

/* The place of @attributes, which it makes and references when there is none. */
SymOnnxPlace *sym_onnx_file_add_place (SymOnnxFile *self, SymAttributes *attributes);
const SymOnnxPlace *sym_onnx_file_find_place (const SymOnnxFile *self,
                                              const SymAttributes *attributes);

/* What a model keeps: its file and the graph in it. */
typedef struct {
  SymOnnxFile *file;
  const SymProtoMessage *graph; /* GraphProto or FunctionProto */
} SymOnnxOrigin;

const SymOnnxOrigin *sym_onnx_get_origin (const SymModel *model); /* NULL for other formats */

/* As SymIoFormat.tell: what ModelProto says besides the graph. */
void sym_onnx_tell (const SymModel *self, SymIoTellFunc func, gpointer user_data);

/* ---- sym-onnx-type.c ---- */

SymDType sym_onnx_get_dtype (gint64 number); /* of TensorProto.DataType */
gint64 sym_onnx_get_dtype_number (SymDType dtype);

/* @terms may be NULL: then sizes with names are unknown. */
SymType sym_onnx_read_type (const SymProtoMessage *type, SymTerms *terms);

/* Whether @type is what @message says, in terms of @terms. */
gboolean
sym_onnx_type_matches (const SymProtoMessage *message, const SymType *type, const SymTerms *terms);

/* Whether it is a map from labels to numbers, or a sequence of such. */
gboolean sym_onnx_type_is_map (const SymProtoMessage *type);

/* The TypeProto of a map from @key to a @number, or of a sequence of such. */
SymProtoMessage *
sym_onnx_make_map_type (SymProto *document, SymDType key, SymDType number, gboolean is_sequence);

/* A TypeProto; NULL for a type that ONNX has no word for. */
SymProtoMessage *
sym_onnx_make_type (SymProto *document, const SymType *type, const SymTerms *terms);

/* "seq(tensor(float32))"; free it. */
char *sym_onnx_format_type (const SymProtoMessage *type);

/* ---- sym-onnx-tensor.c ---- */

/* The tensor of a TensorProto, whose bytes stay where they are.  @file tells where external data
 * lies. NULL with SYM_IO_ERROR_FORMAT when it contradicts itself, or its external data is not
 * there. */
SymTensor *sym_onnx_read_tensor (SymOnnxFile *file, const SymProtoMessage *message, GError **error);

/* Its dtype and shape alone. */
SymType sym_onnx_read_tensor_type (const SymProtoMessage *message);

/* ---- sym-onnx-sparse.c ---- */

/* The dense tensor of a SparseTensorProto, in memory. */
SymTensor *sym_onnx_read_sparse (SymOnnxFile *file, const SymProtoMessage *message, GError **error);

/* ---- sym-onnx-external.c ---- */

gboolean sym_onnx_is_external (const SymProtoMessage *tensor);

/* The bytes of a tensor that lie in another file. */
SymTensor *sym_onnx_open_external (SymOnnxFile *file,
                                   const SymProtoMessage *message,
                                   SymDType dtype,
                                   const SymShape *shape,
                                   GError **error);

/* ---- sym-onnx-attribute.c ---- */

/* The kind of an AttributeProto, also of one that does not tell. */
guint sym_onnx_get_attribute_kind (const SymProtoMessage *attribute);

/* Its value; NULL for graphs.  What cannot be read is told in @problems. */
SymValue *sym_onnx_read_attribute (SymOnnxFile *file,
                                   const SymProtoMessage *attribute,
                                   SymProblems *problems,
                                   SymId call);

/* The value's text where that is shorter than that of its double: 0.1; NULL for none.  Free it. */
char *sym_onnx_format_literal (const SymProtoMessage *attribute);

/* The tensor of a Constant's attribute; NULL when it has no such. */
SymTensor *
sym_onnx_read_constant (SymOnnxFile *file, const SymProtoMessage *attribute, GError **error);

/* ---- sym-onnx-read.c ---- */

typedef struct {
  SymOnnxFile *file;
  const SymIoSource *source;
  SymProblems *problems;
  GHashTable *functions; /* "domain\nname\noverload" to FunctionProto */
  GHashTable *unfolded;  /* function and attributes, as text, to SymModel */
  GHashTable *open;      /* FunctionProtos that are being unfolded */
  GHashTable *n_calls;   /* SymModel to how many calls it runs */
  GHashTable *latest;    /* names of attributes to what each was the last time: sym-onnx-node.c */
  guint depth;
  guint n_unfolded;
} SymOnnxReader;

SymModel *sym_onnx_read_model (SymProto *document,
                               const SymProtoMessage *model,
                               SymOnnxForm form,
                               const SymIoSource *source,
                               GError **error);

/* "" for "ai.onnx". */
const char *sym_onnx_normalize_domain (const char *domain);

/* ---- sym-onnx-graph.c ---- */

/* What the nodes of a graph need to know of where they are. */
typedef struct {
  const SymProtoMessage *opsets; /* the ModelProto or FunctionProto */
  GHashTable *bound;             /* in a function: names to AttributeProtos; NULL elsewhere */
  gboolean is_body;
  gboolean is_branch; /* a body of If, which is handed nothing */
} SymOnnxContext;

/* The model of a GraphProto or FunctionProto.  @captured, when not NULL, receives the names,
 * borrowed, that it takes from outside: they are its last inputs. */
SymModel *sym_onnx_build_graph (SymOnnxReader *reader,
                                const SymProtoMessage *graph,
                                const char *name,
                                const SymOnnxContext *context,
                                GPtrArray *captured,
                                GError **error);

/* ---- sym-onnx-node.c ---- */

/* The layer of a NodeProto.  @captured receives the names that its bodies take from outside, in
 * order.  @place gets the attributes. */
SymLayer *sym_onnx_make_layer (SymOnnxReader *reader,
                               const SymProtoMessage *node,
                               const SymOnnxContext *context,
                               SymProblems *problems,
                               SymId call,
                               GPtrArray *captured,
                               SymOnnxPlace *place,
                               GError **error);

GHashTable *sym_onnx_new_latest (void);

/* The AttributeProto that counts, with references of functions resolved; NULL where it has none. */
const SymProtoMessage *sym_onnx_resolve_attribute (const SymOnnxContext *context,
                                                   const SymProtoMessage *attribute);

/* ---- sym-onnx-function.c ---- */

/* NULL for none. */
const SymProtoMessage *sym_onnx_find_function (SymOnnxReader *reader, const SymProtoMessage *node);

/* The body of @function for the attributes of @node: the same for the same attributes.  NULL
 * without an error when it has none, because it is called from within itself. */
SymModel *sym_onnx_unfold_function (SymOnnxReader *reader,
                                    const SymProtoMessage *function,
                                    const SymProtoMessage *node,
                                    const SymOnnxContext *context,
                                    GError **error);

G_END_DECLS
