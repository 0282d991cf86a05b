/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-infer.h"

G_BEGIN_DECLS

/* What of a node a text was found in. */
typedef enum {
  SYM_SEARCH_NAME, /* of the value, of the call or of the variable */
  SYM_SEARCH_TYPE, /* of the layer */
  SYM_SEARCH_DATA, /* shape or dtype */
} SymSearchField;

#define SYM_SEARCH_ANY ((1u << SYM_SEARCH_NAME) | (1u << SYM_SEARCH_TYPE) | (1u << SYM_SEARCH_DATA))

/* One value that was found: a row of the summary. */
typedef struct {
  SymId value;
  SymSearchField field; /* where the first word was found */
  guint rank;           /* 0 is best */
} SymSearchHit;

/* Finds the values in which each word of @text occurs, whatever the case: best first, those of
 * equal rank in the order of the summary.  A whole name is better than its beginning, that better
 * than the beginning of a word within ("conv" in "stage1_conv"), that better than another part of
 * it; and a name is better than a layer's type, and that better than a shape or dtype.  Shapes are
 * written as "1x3x224x224", with any of "x", "×", "," between.  What a layer has inside is found with
 * the layer: names and types, after all else.  @fields has a bit for each field to look into.
 * @inference may be NULL: then types are those that are declared.
 *
 * Returns an array of SymSearchHit, empty for a text without words; NULL only with an error, when
 * @cancellable was cancelled.  Linear in the size of all names. */
GArray *sym_search (SymModel *model,
                    const SymInference *inference,
                    const char *text,
                    guint fields,
                    GCancellable *cancellable,
                    GError **error);

G_END_DECLS
