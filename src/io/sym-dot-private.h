/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-net.h"

G_BEGIN_DECLS

/* Graphviz' language (2.43 and later). */
typedef enum {
  SYM_DOT_END,
  SYM_DOT_ID,      /* a name, a number, a text */
  SYM_DOT_KEYWORD, /* graph, digraph, subgraph, node, edge, strict; whatever the case */
  SYM_DOT_EDGE,    /* -> or -- */
  SYM_DOT_MARK,    /* one of {}[]=;,: */
} SymDotKind;

typedef struct {
  const char *at, *end;
  guint line;
  gboolean is_line_start;

  /* The word that was read last. */
  SymDotKind kind;
  GString *word;
  guint word_line;
} SymDotLexer;

void sym_dot_lexer_init (SymDotLexer *self, const char *text, gsize size);
void sym_dot_lexer_clear (SymDotLexer *self);
gboolean sym_dot_lexer_next (SymDotLexer *self, GError **error);

/* What the label of a node in a drawing of Keras tells; the shape may be of unknown rank. */
typedef struct {
  char *name, *type;
  SymShape shape;
} SymDotLabel;

/* FALSE, and nothing to be freed, for a label of another kind. */
gboolean sym_dot_label_read (const char *text, SymDotLabel *label);

/* What the write() of the format does. */
gboolean sym_dot_write (SymModel *model,
                        const SymInference *inference,
                        const char *path,
                        SymProblems *notes,
                        GError **error);

G_END_DECLS
