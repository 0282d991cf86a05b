/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-extract.h"

G_BEGIN_DECLS

struct _SymSelection {
  SymModel *model;
  guint8 *values; /* per value: selected */
  guint8 *calls;  /* per call: selected */
  guint8 *chosen; /* per value: an input of the cut */
  GArray *inputs, *outputs;
  guint n_values, n_calls;
};

/* Selects nothing yet. */
SymSelection *sym_selection_new_empty (SymModel *model);

/* Selects a value, once. */
void sym_selection_add_value (SymSelection *self, SymId value);

G_END_DECLS
