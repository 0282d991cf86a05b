/* SPDX-License-Identifier: MIT */
#include "worker/sym-worker-limits.h"

#include <sys/prctl.h>
#include <sys/resource.h>

/* AddressSanitizer takes more addresses than any limit. */
#if defined(__SANITIZE_ADDRESS__)
#  define SYM_HAS_SHADOW_MEMORY
#elif defined(__has_feature)
#  if __has_feature(address_sanitizer)
#    define SYM_HAS_SHADOW_MEMORY
#  endif
#endif

static void
limit (__rlimit_resource_t resource, rlim_t most)
{
  struct rlimit both = { most, most };

  setrlimit (resource, &both);
}

void
sym_worker_give_up_rights (guint n_files, guint64 max_memory, guint max_seconds)
{
  limit (RLIMIT_FSIZE, 0);
  limit (RLIMIT_CORE, 0);
  limit (RLIMIT_NPROC, 0);
  limit (RLIMIT_NOFILE, n_files);
  limit (RLIMIT_CPU, max_seconds);
#ifndef SYM_HAS_SHADOW_MEMORY
  limit (RLIMIT_AS, max_memory);
#else
  (void) max_memory;
#endif
  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}
