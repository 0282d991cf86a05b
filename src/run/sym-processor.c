/* SPDX-License-Identifier: MIT */
#include "run/sym-processor-private.h"

extern const SymProcessor sym_processor_plain;

#ifdef SYM_HAVE_X86_VECTORS

extern const SymProcessor sym_processor_avx2, sym_processor_avx512;

static gboolean
can_avx2 (void)
{
  return __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma");
}

static gboolean
can_avx512 (void)
{
  return can_avx2 () && __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512vl") &&
         __builtin_cpu_supports ("avx512bw") && __builtin_cpu_supports ("avx512dq") &&
         __builtin_cpu_supports ("avx512cd");
}

#endif

/* From the best to what runs anywhere. */
const SymProcessor *
sym_processor_get_other (guint i)
{
  const SymProcessor *known[4] = { NULL };
  guint n = 0;

#ifdef SYM_HAVE_X86_VECTORS
  if (can_avx512 ())
    known[n++] = &sym_processor_avx512;
  if (can_avx2 ())
    known[n++] = &sym_processor_avx2;
#endif
  known[n++] = &sym_processor_plain;
  return i < n ? known[i] : NULL;
}

const SymProcessor *
sym_processor_get (void)
{
  return sym_processor_get_other (0);
}
