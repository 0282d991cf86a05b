/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-net.h"
#include "ops/sym-op.h"

G_BEGIN_DECLS

/* TensorMeta: {"dtype": 7, "sizes": [{"as_int": 3}, {"as_expr": {"expr_str": "s0"}}], ...} */
SymType sym_torch_export_read_type (const SymJson *json, guint meta, SymTerms *terms);

/* ScalarType of torch._export.serde.schema, by its number. */
SymDType sym_torch_export_read_dtype (const SymJson *json, guint token);

/* The only member of an object: what an argument is, and its value. */
char *sym_torch_export_dup_kind (const SymJson *json, guint argument, guint *value);

/* The name of a value of the graph: of tensors "name", of numbers that are computed "as_name". What
 * is in a list may be told once more: [{"as_tensor": {"name": "x"}}, {"as_none": true}]. */
char *sym_torch_export_dup_name (const SymJson *json, guint value);
char *sym_torch_export_dup_item_name (const SymJson *json, guint item);

/* Whether an argument of that kind is one value of the graph, or a list among which some may be. */
gboolean sym_torch_export_is_tensor (const char *kind);
gboolean sym_torch_export_is_list (const char *kind);

/* The arguments of a node of @op, which may be NULL: names of its operands (NULL for empty slots)
 * are appended to @operands, the others to @attributes.  Returns all of them as a tree. */
SymValue *sym_torch_export_use_arguments (const SymJson *json,
                                          guint inputs,
                                          const SymOperator *op,
                                          SymAttributes *attributes,
                                          GPtrArray *operands);

/* ---- sym-torch-export-weights.c ---- */

/* The numbers of a program's parameters, buffers and constants: files of raw bytes that are listed
 * by data/weights/NAME_weights_config.json, in the .pt2 archive or, when it was unpacked, around
 * the graph's folder.  Older archives have one file of torch.save(). */
typedef struct {
  const SymIoSource *source;
  SymStoreArchive *archive; /* in which the files are; NULL: on disk */
  char *folder;             /* around "models" and "data"; within the archive, or on disk */
  char *stem;               /* of models/STEM.json */
  GHashTable *tensors;      /* name to SymTensor */
  GHashTable *lacks;        /* name to why there is none of that name */
  char *not_chosen;         /* why what is in neither has none; NULL where the user chose no file */
  guint n_missing;          /* of those asked for */
  char *missing;            /* the first of them */
  char *list, *not_listed; /* the list that was read, and why what is not in it has none; or NULL */
  char *no_list;           /* why there is no list of weights where one is expected; else NULL */
} SymTorchWeights;

/* What is missing or wrong becomes a problem of @source.  NULL with an error when the user chose
 * weights that cannot be read. */
SymTorchWeights *sym_torch_weights_open (const SymIoSource *source, GError **error);
void sym_torch_weights_free (SymTorchWeights *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymTorchWeights, sym_torch_weights_free)

/* Borrowed; NULL when there are none of that name ("conv1.weight"). */
SymTensor *sym_torch_weights_find (SymTorchWeights *self, const char *name);

/* Why there are none of that name; NULL where there are some, or nobody expects them. */
const char *sym_torch_weights_get_lack (const SymTorchWeights *self, const char *name);

/* Tells which of those that were asked for are not in the file that the user chose or in the
 * list, or that there is no list of them. */
void sym_torch_weights_tell_missing (const SymTorchWeights *self, SymProblems *problems);

/* Where the graph itself lies; FALSE when that is no folder "models". */
gboolean sym_torch_weights_find_place (SymTorchWeights *self);

/* Adds what data/weights/STEM_weights_config.json lists, or the same of @what, "constants".  There
 * may be none.  FALSE with an error when it cannot be read. */
gboolean sym_torch_weights_add_listed (SymTorchWeights *self, const char *what, GError **error);

/* Adds tensors that are called like the parameters, and tells what of them is not read. */
void sym_torch_weights_add_named (SymTorchWeights *self, const SymStoreTensors *tensors);

/* Of an older archive, which has the graph as serialized_exported_program.json: the weights, and
 * the constants.  FALSE with an error when the weights cannot be read. */
gboolean sym_torch_weights_has_pickle (const SymStoreArchive *archive);
gboolean
sym_torch_weights_add_pickle (SymTorchWeights *self, SymStoreArchive *archive, GError **error);

/* ---- sym-torch-export-chosen.c ---- */

/* Fills @self with what the user chose: a .pt2 archive, the list in an unpacked one, or
 * safetensors, an `.npz` or a file of torch.save() with tensors that are called like the
 * parameters.  What is no parameter, a constant, is still taken from around the graph where the
 * chosen file has none. */
gboolean sym_torch_weights_choose (SymTorchWeights *self, GError **error);

G_END_DECLS
