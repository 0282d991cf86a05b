/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-name-set.h"
#include "io/sym-raise.h"

G_BEGIN_DECLS

struct _SymRaise {
  const SymRaiseTarget *target;
  gpointer data;
  SymModelBuilder *builder;
  SymModel *model; /* of ONNX */
  const SymInference *inference;
  SymId *values;         /* in the builder, by the model's; SYM_NO_ID for none yet */
  SymNameSet *names;     /* that inputs and layers have */
  GHashTable *constants; /* tensors that no file holds as they are, by the value + 1 */
  SymId call;            /* at hand */
  GError *error;
};

G_END_DECLS
