/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-keras-mentions.h"
#include "io/sym-keras-private.h"
#include "store/sym-store-h5.h"

G_BEGIN_DECLS

/* The weights of a Keras model, and which layer each belongs to.  There are three ways:
 *
 * - Keras 1 and 2 (`.h5`): each layer of the model is a group, whose `weight_names` tell its arrays
 * in the order of layer.weights; a model within has those of all its layers (legacy_h5_format.py).
 * - Keras 3 (`.weights.h5`): groups are nested like the objects of Python, layers are called by
 * their class and counted, "layers/dense_1/vars/0" (saving_lib.py).  They may be parted among
 * several files, which `.weights.json` lists.
 * - TensorFlow.js, and an `.npz` or safetensors that the user chose: arrays have the names of
 * weights, "lstm_1/kernel".
 *
 * A shelf is what belongs to one layer or model of these; layers within ask for their part of it.
 */

typedef enum {
  SYM_KERAS_BY_LAYER,
  SYM_KERAS_BY_CLASS,
  SYM_KERAS_BY_NAME,
} SymKerasOrder;

/* An array of the file. */
typedef struct {
  char *name;       /* "dense_1/kernel:0", "layers/dense_1/vars/0" */
  guint token;      /* of the manifest of TensorFlow.js; else SYM_JSON_NONE */
  SymStoreH5 *file; /* borrowed; NULL without one */
  int place;        /* in it, or among the tensors of an .npz or of safetensors; else -1 */
  gboolean is_used;
  GRefString *lack; /* why its numbers could not be had, interned; NULL before and where they can */
} SymKerasArray;

typedef struct _SymKerasWeights {
  SymKerasOrder order;
  const SymIoSource *source;
  char *title;        /* of the file, for messages: "'model.h5'" */
  char *prefix;       /* path of what holds the layers, "" or "model_weights" */
  int major;          /* of the Keras that wrote it: 1, 2 or 3 */
  gboolean is_theano; /* its kernels are turned round */
  SymStoreH5 *file;   /* the first of them */
  GPtrArray *shards;  /* of SymStoreH5: the others */
  GArray *lost;       /* of what is in files that cannot be read; NULL for nothing */
  struct _SymTfjsWeights *manifest;
  SymStoreTensors *tensors; /* of an .npz, or of safetensors */
  GPtrArray *arrays;        /* of SymKerasArray, sorted by name unless BY_NAME */
  GString *bare;            /* the first layers without arrays */
  guint n_bare;
} SymKerasWeights;

typedef struct _SymKerasShelf {
  SymKerasWeights *weights;
  char *path;        /* of its group; NULL for those BY_NAME */
  GPtrArray *arrays; /* borrowed, in their order; NULL BY_CLASS and for the whole of BY_LAYER */
  const SymKerasGraph *of;    /* whose layers the next two are of */
  GPtrArray *parts;           /* of char *: paths or names of groups, NULL for none */
  GPtrArray *paired;          /* of GPtrArray: those of @arrays by order, NULL for none */
  SymKerasMentions *mentions; /* of layers in the names of @arrays; NULL until asked */
} SymKerasShelf;

/* ---- sym-keras-weights.c ---- */

/* A message without the path that it begins with, which is told already. */
const char *sym_keras_skip_path (const char *message, const char *path);

/* The weights beside @json, by the rules of the formats.  *@weights is NULL when there are none,
 * also when they cannot be read, which then is a problem of @source.  FALSE when the user chose
 * some, and these cannot be read. */
gboolean sym_keras_weights_find (const SymJson *json,
                                 const SymIoSource *source,
                                 SymKerasWeights **weights,
                                 GError **error);

/* Tells that a file has none that can be read, and returns how it is told. */
char *sym_keras_weights_tell_file (const SymIoSource *source, const char *name, const char *why);

/* A file beside the model, or in its archive.  NULL without an error where it is not there. */
SymBlob *sym_keras_weights_find_blob (const SymIoSource *source,
                                      const char *name,
                                      gboolean *exists,
                                      GError **error);
SymStoreH5 *sym_keras_weights_open_file (const SymIoSource *source,
                                         const char *name,
                                         gboolean *exists,
                                         GError **error);

/* All arrays of one more file, which is borrowed. */
void sym_keras_weights_add_file (SymKerasWeights *self, SymStoreH5 *file);

/* What the weights of a config called @file are called, in the order in which they are looked for.
 */
GPtrArray *sym_keras_weights_list_names (const char *file);

/* Those of a file that holds the model as well. */
SymKerasWeights *sym_keras_weights_take (SymStoreH5 *take_file, const SymIoSource *source);

/* ---- sym-keras-parted.c ---- */

/* Those in files that a list of them names; NULL where there is none. */
SymKerasWeights *sym_keras_weights_find_parted (const SymIoSource *source);

/* Why arrays below a group are missing that the list puts into one of the files; NULL when none
 * is. */
const char *sym_keras_weights_get_lost (const SymKerasWeights *self, const char *group);
void sym_keras_weights_free_lost (SymKerasWeights *self);

/* ---- sym-keras-chosen.c ---- */

/* Whether the user chose a file that has arrays itself, and not one that a manifest names. */
gboolean sym_keras_weights_is_own_file (const SymIoSource *source);

/* What the user chose: HDF5, a `.keras` with one in it, NumPy's `.npz` or safetensors.  NULL with
 * an error when it cannot be read. */
SymKerasWeights *sym_keras_weights_open_chosen (const SymIoSource *source, GError **error);

/* ---- sym-keras-weights.c ---- */

/* Without arrays; and one more of them. */
SymKerasWeights *
sym_keras_weights_new (SymKerasOrder order, const SymIoSource *source, const char *title);
void sym_keras_weights_add (SymKerasWeights *self,
                            const char *name,
                            guint token,
                            SymStoreH5 *file,
                            int place);

/* The file of HDF5 that @blob is, called @name; within an archive if @is_packed. */
SymStoreH5 *sym_keras_weights_open_h5 (const SymIoSource *source,
                                       SymBlob *blob,
                                       const char *name,
                                       gboolean is_packed,
                                       GError **error);

/* Tells which layers have no arrays, and which arrays no layer. */
void sym_keras_weights_end (SymKerasWeights *self);

/* NULL, with a problem of @source and the array's @lack, when its numbers cannot be had. */
SymTensor *sym_keras_weights_open (SymKerasWeights *self, SymKerasArray *array);

/* The array called @path, and all those below a group; NULL for none. */
SymKerasArray *sym_keras_weights_lookup (SymKerasWeights *self, const char *path);
GPtrArray *sym_keras_weights_list (SymKerasWeights *self, const char *group);

/* ---- sym-keras-shelf.c ---- */

/* All of these take NULL, which they return. */
SymKerasShelf *sym_keras_shelf_new (SymKerasWeights *weights);
SymKerasShelf *
sym_keras_shelf_open_layer (SymKerasShelf *self, const SymKerasGraph *graph, guint layer);

/* What a wrapper applies: its attribute "layer", "forward_layer" or "backward_layer". */
SymKerasShelf *sym_keras_shelf_open_part (SymKerasShelf *self, const char *attribute);

/* What the cell of an RNN has: @n arrays from @first on.  Of stacked cells those of one @class are
 * counted; it is NULL for a cell alone. */
SymKerasShelf *sym_keras_shelf_open_cell (SymKerasShelf *self,
                                          const char *class,
                                          guint number,
                                          guint first,
                                          guint n);
void sym_keras_shelf_free (SymKerasShelf *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymKerasShelf, sym_keras_shelf_free)

/* What Keras 3 calls a group for a layer of that class: "BatchNormalization" is
 * batch_normalization, "Conv2DTranspose" conv2d_transpose. */
char *sym_keras_name_class (const char *type);

/* ---- sym-keras-leaves.c ---- */

/* Whether a layer may have a group of its own: models may, and wrappers, and what has weights. */
gboolean sym_keras_may_have_weights (const SymKerasGraph *graph, const SymKerasLayer *layer);

/* ---- sym-keras-among.c ---- */

/* Which of the arrays of a shelf are those of a layer. */
GPtrArray *sym_keras_shelf_pick (SymKerasShelf *self, const SymKerasGraph *graph, guint layer);

/* ---- sym-keras-fill.c ---- */

/* Gives the arrays of a layer to its parameters, @ids by slot of its operator.  @is_trained:
 * neither the layer nor what is around it is frozen. */
void sym_keras_shelf_fill (SymKerasShelf *self,
                           SymModelBuilder *builder,
                           SymLayer *layer,
                           gboolean is_trained,
                           const GArray *ids);

/* Makes a parameter of each array of a layer of unknown class, and adds it to @ids. */
void sym_keras_shelf_add_all (SymKerasShelf *self,
                              SymModelBuilder *builder,
                              SymLayer *layer,
                              gboolean is_trained,
                              GArray *ids);

/* ---- sym-keras-old.c ---- */

/* Arrays of Keras 1, and of its Theano, as those of today.  @tensors (owned, some NULL) are
 * replaced. */
void sym_keras_renew (const SymKerasWeights *weights, SymLayer *layer, GPtrArray *tensors);

/* A kernel of today as cuDNN's layers save it. */
SymTensor *sym_keras_turn_gates_back (SymTensor *kernel, gint64 n_gates);

/* ---- sym-keras-arrange.c ---- */

/* @n tensors of one dtype and of shapes alike but for the last axis, one after the other along
 * that. */
SymTensor *sym_keras_join (SymTensor *const *tensors, guint n);

/* The axes in the order of @axes; those whose bits are in @flips from their ends. */
SymTensor *sym_keras_turn (SymTensor *tensor, const int *axes, guint flips);

/* The same elements in another shape of as many, or as another dtype. */
SymTensor *sym_keras_reshape (SymTensor *tensor, const SymShape *shape);
SymTensor *sym_keras_cast (SymTensor *tensor, SymDType dtype);

G_END_DECLS
