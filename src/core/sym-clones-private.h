/* SPDX-License-Identifier: MIT */
#pragma once

/* Before a function with loops that are worth turning into vector instructions: it is compiled for
 * several kinds of processor, and the program chooses one when it starts.  That choice is made
 * before the thread sanitizer is ready for it. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#  define SYM_CLONES __attribute__ ((target_clones ("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#  define SYM_CLONES
#endif
