/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-net.h"

G_BEGIN_DECLS

/* What the file says besides its graph, for sym_io_tell(): strings, numbers and truths at @paths of
 * the document, NULL-ended, in this order.  "versions.producer" is a member of a member, "opset.*"
 * are all members; what is not there, empty or no single word is not told.  To be called once, for
 * the model of the whole file.  @format is the one of the net. */
void sym_net_note_origin (SymNet *self, const char *format, const char *const *paths);

/* To be the tell() of such a format. */
void sym_net_tell (const SymModel *model, SymIoTellFunc func, gpointer user_data);

G_END_DECLS
