/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-json.h"

G_BEGIN_DECLS

/* Text in the layout of MXNet's own JSON writer (dmlc-core): two spaces a level, items parted by a
 * comma and a space, also before a line end; a container is set over several lines or in one. */
typedef struct _SymMxnetLayout SymMxnetLayout;

SymMxnetLayout *sym_mxnet_layout_new (void);
void sym_mxnet_layout_free (SymMxnetLayout *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymMxnetLayout, sym_mxnet_layout_free)

/* The text so far; borrowed. */
const GString *sym_mxnet_layout_get_text (const SymMxnetLayout *self);
void sym_mxnet_layout_end_line (SymMxnetLayout *self);

/* Arrays of numbers and of entries are set in one line up to that many items. */
#define SYM_MXNET_SHORT_ARRAY 10

void sym_mxnet_layout_begin (SymMxnetLayout *self, char bracket, gboolean is_multi_line);
void sym_mxnet_layout_end (SymMxnetLayout *self, char bracket);

/* Before each element; before each member. */
void sym_mxnet_layout_item (SymMxnetLayout *self);
void sym_mxnet_layout_key (SymMxnetLayout *self, const char *key);

void sym_mxnet_layout_int (SymMxnetLayout *self, gint64 number);
void sym_mxnet_layout_string (SymMxnetLayout *self, const char *text);

/* A value of a document, all within it included, as MXNet would lay it out. */
void sym_mxnet_layout_value (SymMxnetLayout *self, const SymJson *json, guint value);

G_END_DECLS
