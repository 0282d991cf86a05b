/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-value.h"

G_BEGIN_DECLS

/* A FlexBuffer (flatbuffers.dev/flexbuffers), which tells its own types: numbers, strings, lists,
 * and maps as dicts.  Text that is no UTF-8, and bytes, are lists of numbers, or told by their
 * length where they are more than 4096.  NULL with SYM_IO_ERROR_FORMAT where a place lies outside
 * of @size bytes, or SYM_IO_ERROR_LIMIT. */
SymValue *sym_flexbuffer_read (const guint8 *bytes, gsize size, GError **error);

G_END_DECLS
