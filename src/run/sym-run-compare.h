/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-datum.h"

G_BEGIN_DECLS

/* Whether @actual is @expected: of the same kind, dtype and shape, and each element within
 * @absolute + @relative * |expected|, a NaN where one is expected, infinities and everything that
 * is no float exactly.  FALSE with SYM_ERROR_SHAPE or SYM_ERROR_ARGUMENT, whose message says how
 * many elements differ and which one most. */
gboolean sym_run_compare (const SymDatum *actual,
                          const SymDatum *expected,
                          double relative,
                          double absolute,
                          GError **error);

G_END_DECLS
