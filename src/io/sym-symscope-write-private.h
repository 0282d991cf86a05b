/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-symscope-private.h"

G_BEGIN_DECLS

/* Keys of one table: a name as it is, or, when that is taken, with ~2, ~3. */
typedef struct {
  GHashTable *taken; /* key to the number that was tried last */
} SymSymscopeKeys;

void sym_symscope_keys_init (SymSymscopeKeys *self);
void sym_symscope_keys_clear (SymSymscopeKeys *self);
char *sym_symscope_keys_make (SymSymscopeKeys *self, const char *name, const char *fallback);

/* A layer, where it is first applied. */
typedef struct {
  SymLayer *layer;
  char *key;
  SymModel *model;
  SymId call;
} SymSymscopePlace;

/* What is in a document: all that a model needs, each thing once, in order of first use. */
typedef struct {
  GPtrArray *models;       /* of SymModel, borrowed; the main one first */
  GHashTable *model_keys;  /* SymModel to its key */
  GPtrArray *layers;       /* of SymSymscopePlace */
  GHashTable *layer_keys;  /* SymLayer to its key, borrowed */
  GHashTable *owners;      /* SymParameter to how many values and layers have it */
  GPtrArray *shared;       /* of SymParameter, borrowed: those with several owners */
  GHashTable *shared_keys; /* SymParameter to its key */
  gboolean is_small;       /* all tensors together are: they stand in the document */

  /* Tensors that do not stand in the document. */
  gboolean has_weights_file;
  GPtrArray *weight_names;
  GPtrArray *weights;       /* of SymTensor, borrowed */
  GHashTable *tensor_names; /* SymTensor to its name, borrowed */
  SymSymscopeKeys weight_keys;
  guint n_omitted;
} SymSymscopeContents;

/* FALSE with SYM_IO_ERROR_UNSUPPORTED when models are nested too deep. */
gboolean sym_symscope_contents_init (SymSymscopeContents *self,
                                     SymModel *model,
                                     gboolean has_weights_file,
                                     GError **error);
void sym_symscope_contents_clear (SymSymscopeContents *self);

/* Appends members of what is written so far: `"name": `, with a comma before all but the first. */
void sym_symscope_begin_member (GString *out, const char *name);
void sym_symscope_append_member (GString *out, const char *name, const char *text);

/* Members "trainable" and "tensor".  @name is what the tensor is called among the weights. */
gboolean sym_symscope_append_data (GString *out,
                                   SymSymscopeContents *contents,
                                   const char *name,
                                   SymTensor *tensor,
                                   gboolean is_constant,
                                   GError **error);

gboolean sym_symscope_append_layer (GString *out,
                                    SymSymscopeContents *contents,
                                    const SymSymscopePlace *place,
                                    SymProblems *notes,
                                    GError **error);
gboolean sym_symscope_append_model (GString *out,
                                    SymSymscopeContents *contents,
                                    SymModel *model,
                                    GError **error);

/* The whole text.  Fills in the weights that have to be written to @weights_path. */
GString *sym_symscope_format_document (SymModel *model,
                                       SymSymscopeContents *contents,
                                       const char *weights_path,
                                       SymProblems *notes,
                                       GError **error);

G_END_DECLS
