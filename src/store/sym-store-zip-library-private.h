/* SPDX-License-Identifier: MIT */
#pragma once

#include <zip.h>

#include "store/sym-store-private.h"

G_BEGIN_DECLS

/* libzip, which brings a cryptographic library along: loading the two costs more than all the rest
 * of a summary of a graph, so they are loaded when the first archive is opened. */
#define SYM_STORE_ZIP_FUNCTIONS(X)   \
  X (zip_discard)                    \
  X (zip_error_fini)                 \
  X (zip_error_init)                 \
  X (zip_error_set)                  \
  X (zip_error_strerror)             \
  X (zip_error_to_data)              \
  X (zip_fclose)                     \
  X (zip_file_get_error)             \
  X (zip_fopen_index)                \
  X (zip_fread)                      \
  X (zip_fseek)                      \
  X (zip_get_name)                   \
  X (zip_get_num_entries)            \
  X (zip_open_from_source)           \
  X (zip_source_free)                \
  X (zip_source_function_create)     \
  X (zip_source_make_command_bitmap) \
  X (zip_source_seek_compute_offset) \
  X (zip_stat_index)                 \
  X (zip_stat_init)                  \
  X (zip_strerror)

#define SYM_STORE_ZIP_DECLARE(name) __typeof__ (&name) name;
typedef struct {
  SYM_STORE_ZIP_FUNCTIONS (SYM_STORE_ZIP_DECLARE)
} SymStoreZipLibrary;
#undef SYM_STORE_ZIP_DECLARE

/* NULL with SYM_STORE_ERROR_FILE, which says what is to be installed, when it is not there; @path
 * is the file that needs it. */
const SymStoreZipLibrary *sym_store_zip_load (const char *path, GError **error);

G_END_DECLS
