/* SPDX-License-Identifier: MIT */
#include "io/sym-io-private.h"

static const SymIoFormat *const formats[] = {
  NULL,
};

const SymIoFormat *const *
sym_io_get_formats (void)
{
  return formats;
}
