/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-net-constants.h"

G_BEGIN_DECLS

/* The numbers of an OpenVINO network: a file .bin beside it, of which each constant tells its place
 * and size. */
typedef struct _SymOpenvinoWeights SymOpenvinoWeights;

/* NULL with an error when the user chose a file that cannot be opened. */
SymOpenvinoWeights *
sym_openvino_weights_new (SymNet *net, const SymIoSource *source, GError **error);
void sym_openvino_weights_free (SymOpenvinoWeights *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymOpenvinoWeights, sym_openvino_weights_free)

/* The numbers of a constant called @name of @type, @size bytes from @offset on, -1 where that is
 * not told; NULL where they are not there.  What is wrong with this one alone becomes a problem of
 * the model and *@lack, which is NULL before. */
SymTensor *sym_openvino_weights_read (SymOpenvinoWeights *self,
                                      const char *name,
                                      gint64 offset,
                                      gint64 size,
                                      const SymType *type,
                                      guint line,
                                      char **lack);

G_END_DECLS
