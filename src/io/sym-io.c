/* SPDX-License-Identifier: MIT */
#include "io/sym-io.h"

G_DEFINE_QUARK (sym-io-error-quark, sym_io_error)
