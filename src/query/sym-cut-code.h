/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-extract.h"

G_BEGIN_DECLS

/* A language in which a cut can be told: one line in the table of sym-cut-code.c. */
typedef struct {
  const char *name;  /* "onnx" */
  const char *title; /* "Python, ONNX": to be shown */
  void (*write) (const SymSelection *selection, SymModel *model, const char *path, GString *code);
} SymCutLanguage;

/* Ends with a NULL name. */
const SymCutLanguage *sym_cut_get_languages (void);

/* NULL when there is none called so. */
const SymCutLanguage *sym_cut_find_language (const char *name);

/* The lines that cut @selection out of @model, which was read from the file @path (NULL: it has
 * none).  In all but C they are complete; those need the model, and an `error`.  Names are those
 * that sym_model_resolve() and the frameworks know.  What a language cannot say is said in a
 * comment of it.  The caller's. */
char *sym_cut_write_code (const SymCutLanguage *language,
                          const SymSelection *selection,
                          SymModel *model,
                          const char *path);

G_END_DECLS
