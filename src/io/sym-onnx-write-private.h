/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-name-set.h"
#include "io/sym-onnx-private.h"

G_BEGIN_DECLS

/* What is written of a model: messages of its file wherever they still say what the model says, new
 * ones elsewhere. */
typedef struct {
  SymProto *document;            /* of the new messages */
  const SymOnnxFile *file;       /* that the model came from; NULL for other formats */
  const SymInference *inference; /* may be NULL */
  SymProblems *notes;            /* may be NULL */
  gint64 ir_version;
  gboolean is_cut; /* nodes of the main graph are gone */
} SymOnnxWriter;

/* One graph. */
typedef struct {
  SymOnnxWriter *writer;
  SymModel *model;
  const SymProtoMessage *graph; /* that it was; NULL for a new one */
  const char **names;           /* per value, as it is written; "" for a result that has none */
  SymNameSet *used;             /* those names */
  GHashTable *inputs;           /* of the model, plus one */
  GHashTable *infos;            /* ValueInfoProtos of its file to values, plus one */
  gboolean is_main;
} SymOnnxDraft;

/* The GraphProto of @model.  @names, when not NULL, are what the inputs at the end are called
 * outside: those that a body takes; the first @n_formal inputs are its own. */
const SymProtoMessage *sym_onnx_make_graph (SymOnnxWriter *writer,
                                            SymModel *model,
                                            gboolean is_main,
                                            guint n_formal,
                                            const char *const *names,
                                            GError **error);

/* ---- sym-onnx-write-node.c ---- */

const SymProtoMessage *sym_onnx_make_node (SymOnnxDraft *draft, SymId call, GError **error);

/* The node of a Constant whose value is a constant of the model. */
const SymProtoMessage *sym_onnx_make_constant (SymOnnxDraft *draft, SymId value);

const SymOnnxPlace *sym_onnx_draft_find_place (const SymOnnxDraft *draft, SymId value);

/* ---- sym-onnx-write-attribute.c ---- */

/* A new AttributeProto; NULL with SYM_IO_ERROR_UNSUPPORTED for a value that ONNX has no
 * kind for. */
SymProtoMessage *sym_onnx_make_attribute (SymProto *document,
                                          const char *name,
                                          const SymValue *value,
                                          GError **error);

/* A TensorProto; @name may be NULL. */
SymProtoMessage *sym_onnx_make_tensor (SymProto *document, const char *name, SymTensor *tensor);

/* ---- sym-onnx-write-values.c ---- */

/* The entries of a GraphProto that are about values, but for the nodes. */
void sym_onnx_write_values (SymOnnxDraft *draft, SymProtoMessage *graph, guint n_formal);

/* Whether it is one of the weights that stand apart from nodes. */
gboolean sym_onnx_is_initializer (const SymOnnxDraft *draft, SymId value);

/* ---- sym-onnx-write.c ---- */

/* The ModelProto, in *@document. */
const SymProtoMessage *sym_onnx_make_model (SymModel *model,
                                            const SymInference *inference,
                                            SymProblems *notes,
                                            SymProto **document,
                                            GError **error);

gboolean sym_onnx_write (SymModel *model,
                         const SymInference *inference,
                         const char *path,
                         SymProblems *notes,
                         GError **error);

/* ---- sym-onnx-lower.c, sym-onnx-lower-sizes.c ---- */

/* Whether layers of the model are ONNX's only by what they are lowered to. */
gboolean sym_onnx_needs_lowering (const SymModel *model);

typedef enum {
  SYM_ONNX_LOWER_OLDER = 1 << 0,           /* versions, where they mean the same */
  SYM_ONNX_LOWER_KEEP_PARAMETERS = 1 << 1, /* without numbers: they are inputs otherwise */
  SYM_ONNX_LOWER_OPEN = 1 << 2,            /* how many samples there are, where nothing needs it */
} SymOnnxLowerFlags;

/* The model in ONNX's operators.  SYM_IO_ERROR_UNSUPPORTED names the layer that has no
 * counterpart. */
SymModel *sym_onnx_lower (SymModel *model,
                          const SymInference *inference,
                          SymOnnxLowerFlags flags,
                          SymProblems *notes,
                          GError **error);

/* Whether a call has one of the @needed values, by their ids, as a result. */
gboolean sym_onnx_makes_needed (const SymModel *model, SymId call, const gboolean *needed);

/* ---- sym-onnx-lower-layer.c ---- */

/* Of a layer of ONNX that came after operator set 17 one that says it by those of that set; NULL
 * for none. */
SymLayer *sym_onnx_find_older (const SymLayer *layer);

/* What a call is used with. */
typedef struct {
  SymType operand, result; /* the first ones */
  SymTensor *numbers;      /* of operand 1, borrowed; NULL where they are not known */
} SymOnnxKnown;

/* The layer of a call of ONNX as it is written, in older words where it says the same in them, and
 * how many operands it takes then.  Unref it. */
SymLayer *sym_onnx_lower_layer (const SymModel *model,
                                SymId call,
                                const SymOnnxKnown *known,
                                gboolean older,
                                guint *n_operands);

/* ---- sym-onnx-write-external.c ---- */

/* @model with external data where it is found from @path: as it is in the same folder, else
 * gathered in one file beside @path, or within the model where that is standard output. */
const SymProtoMessage *sym_onnx_move_external (SymProto *document,
                                               const SymOnnxFile *file,
                                               const SymProtoMessage *model,
                                               const char *path,
                                               SymProblems *notes,
                                               GError **error);

G_END_DECLS
