/* SPDX-License-Identifier: MIT */
#include "core/sym-error.h"

G_DEFINE_QUARK (sym - error - quark, sym_error)
