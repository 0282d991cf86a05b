/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-document.h"

G_BEGIN_DECLS

/* "64×30×30", "sequence of 3×4", "ndarray"; "rank ?" when nothing is known. */
char *scope_text_shape (SymInference *inference, SymId value);

/* The same for screen readers, which not all have a word for ×: "64x30x30". */
char *scope_text_spoken_shape (SymInference *inference, SymId value);

/* "float32 · 25.0 KiB" when the shape is known, else "float32", or that it is not known. */
char *scope_text_type (SymInference *inference, SymId value);

/* "float32"; NULL when it is not known. */
const char *scope_text_dtype (SymInference *inference, SymId value);

/* The name to show for a value: its variable, else its own name, else "?". */
const char *scope_text_name (SymModel *model, SymId value);

/* "stage1 ×3 · 24 layers, 1.2 M parameters": the closed group that hides the node in the picture;
 * NULL for none. */
char *scope_text_group (ScopeDocument *document, SymId value, SymId call);

/* "stage1 · open group of 24 layers": the selected frame; NULL for none. */
char *scope_text_frame (ScopeDocument *document);

/* "conv0 · 64×30×30 · Convolution", and the problem of its layer on a second line; NULL for
 * nothing.
 * @value or @call may be SYM_NO_ID. */
char *scope_text_describe (ScopeDocument *document, SymId value, SymId call);

/* The same of a node, which may be in a body: then what its layer is called comes first.  Of a
 * line, which tensor it carries from where to where. */
char *scope_text_describe_node (ScopeDocument *document, const ScopeNode *node);

/* What the overlay tells of a call of the graph; NULL for nothing. */
char *scope_text_overlay (ScopeDocument *document, SymId call);

/* What a message says, as a sentence of its own: with a capital at the beginning, unless that is a
 * symbol of a formula. */
char *scope_text_sentence (const char *message);

/* "42 µs", "12.3 ms", "1.23 s". */
char *scope_text_milliseconds (double milliseconds);

/* A number as short as people read it, with a true minus sign. */
char *scope_text_number (double number);

/* "29.1 M", "864 MiB" of bytes; "≥ 29.1 M" for a lower bound, "?" when nothing is known. */
char *scope_text_count (SymCount count, gboolean is_bytes);

/* "864 MiB", in the same digits wherever it is told, and on one line. */
char *scope_text_bytes (guint64 n);

/* "conv0 (Convolution)" of a call, or of a value that none made. */
char *scope_text_layer (SymModel *model, SymId value, SymId call);

G_END_DECLS
