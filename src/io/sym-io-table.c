/* SPDX-License-Identifier: MIT */
#include "io/sym-io-private.h"

/* SYM_IO_FORMATS (X): the list in meson.build */
#include "io/sym-io-formats.h"

#define DECLARE(name_) extern const SymIoFormat sym_##name_##_format;
SYM_IO_FORMATS (DECLARE)

#define ENTER(name_) &sym_##name_##_format,
static const SymIoFormat *const formats[] = { SYM_IO_FORMATS (ENTER) NULL };

const SymIoFormat *const *
sym_io_get_formats (void)
{
  return formats;
}
