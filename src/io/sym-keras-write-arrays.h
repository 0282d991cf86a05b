/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-name-set.h"
#include "io/sym-keras-raise-private.h"

G_BEGIN_DECLS

/* The weights of a model as a file beside its config has them. */

/* Why those of a layer are not among them. */
typedef enum {
  SYM_KERAS_LOSS_MISSING, /* it has no numbers for all of them */
  SYM_KERAS_LOSS_DTYPE,   /* HDF5 has no such numbers */
  SYM_KERAS_LOSS_UNKNOWN, /* a class of somebody else's, which may keep them in any way */
  SYM_KERAS_LOSS_PART,    /* a vector of SpectralNormalization, which is not read */
  SYM_KERAS_N_LOSSES,
} SymKerasLoss;

/* Arrays of one layer of the model: @n of them from @first on. */
typedef struct {
  char *path; /* Keras 3: of its variables; else "" */
  char *layer;
  guint first, n;
} SymKerasGroup;

typedef struct {
  gboolean by_class; /* as Keras 3 has them; else by the names of layers */
  GPtrArray *names;  /* of arrays within the file, or within their group when not @by_class */
  GPtrArray *tensors;
  GArray *groups;    /* of SymKerasGroup */
  SymNameSet *taken; /* names of the group */
  SymKerasNames lost[SYM_KERAS_N_LOSSES];
} SymKerasArrays;

SymKerasArrays *sym_keras_arrays_new (SymModel *model, int major);
void sym_keras_arrays_free (SymKerasArrays *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymKerasArrays, sym_keras_arrays_free)

/* ---- sym-keras-write-weights.c ---- */

/* The file of them, with names beside; NULL with an error. */
SymBlob *sym_keras_arrays_make_file (const SymKerasArrays *self,
                                     const SymKerasOrigin *origin,
                                     const char *path,
                                     GError **error);
void sym_keras_arrays_tell_lost (SymKerasArrays *self, SymProblems *notes);

G_END_DECLS
