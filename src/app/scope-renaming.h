/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"

G_BEGIN_DECLS

/* A name for a value or a call. */
typedef struct {
  SymId id;
  const char *name;
  gboolean is_lost; /* found to be impossible */
} ScopeRenaming;

/* @model, which the caller gets a reference of, with all these names given at once: they may be
 * exchanged or passed on.  Names that somebody else keeps cannot be given, nor can those of ones
 * that keep theirs therefore; nothing is renamed for these.  Results follow their calls, as always
 * (core/sym-edit.h). */
SymModel *
scope_renaming_do_all (SymModel *model, gboolean is_call, ScopeRenaming *renamings, guint n);

G_END_DECLS
