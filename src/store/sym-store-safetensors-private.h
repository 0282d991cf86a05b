/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/sym-store-private.h"

/* The safetensors format (huggingface/safetensors, "Format"), little-endian:
 *
 *   u64 size of the header | header, JSON, may end in spaces | data
 *   header: {"__metadata__": {name: text, ...}, name: {"dtype": text, "shape": [...],
 *            "data_offsets": [begin, end]}, ...}
 *
 * Offsets count from the start of the data, which the tensors fill without overlaps and holes. */
#define SAFETENSORS_MAX_HEADER 100000000
#define SAFETENSORS_METADATA "__metadata__"

/* The name that the format has for a dtype, NULL for none; and back. */
const char *sym_store_safetensors_get_dtype_name (SymDType dtype);
gboolean sym_store_safetensors_find_dtype (const char *name, SymDType *dtype);

typedef struct {
  char *name;
  SymDType dtype;
  SymShape shape;
  guint64 begin, end;
} SymStoreSafetensorsEntry;

/* Parses the JSON text of a header, which starts at byte 8 of the file called @path.  An array of
 * SymStoreSafetensorsEntry, in the order of the text. */
GArray *
sym_store_safetensors_parse (const char *text, gsize size, const char *path, GError **error);
