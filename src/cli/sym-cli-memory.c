/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-memory.h"

#include <glib/gstdio.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

/* Pieces of 64 MiB would save more, but small graphs would hold three megabytes more. */
#define PIECE (1 << 20)

/* The least file for which it pays, and what a graph needs for each of its bytes. */
#define LARGE_FILE ((goffset) 1 << 20)
#define BYTES_FOR_EACH 12

#define MEDIUM_FILE ((goffset) 256 << 10)

/* Of a medium one the text, what is told of its values and other such blocks go back as soon as
 * they are done with: between small ones that stay they would be holes that the next does not fit
 * in. */
#define MEDIUM_BLOCK (256 << 10)

/* At most; what is not touched takes no memory. */
#define MOST ((goffset) 512 << 20)

#define LARGE_PAGE ((guintptr) 2 << 20)
#define LARGE_BLOCK (32 << 20)
#define MOST_BLOCKS 65536 /* that lie outside the heap, as it is without a word of ours */

/* Of memory in large pages.  Small ones are mostly such as another process has just left; where
 * memory is a virtual machine's, large ones that nobody had before take ten times as long. */
#define MOST_LARGE ((guintptr) 160 << 20)

static inline guintptr
round_up (guintptr address)
{
  return (address + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
}

#ifdef M_TOP_PAD

void
sym_cli_memory_begin (void)
{
  mallopt (M_TOP_PAD, PIECE);
}

static void
expect_some (void)
{
  mallopt (M_MMAP_THRESHOLD, MEDIUM_BLOCK);
  mallopt (M_TRIM_THRESHOLD, G_MAXINT);
}

/* Kept, so that nobody who looks for lost blocks finds one. */
static char *volatile untouched;

/* Large pages are given where none has been touched: what the heap writes beside a block lies
 * before the first of them and behind the last.  Up to the first a block stays that nobody touches.
 */
static void
use_large_pages (gsize n_bytes)
{
  char *volatile block = malloc (n_bytes);
  guintptr begin = round_up ((guintptr) block);
  guintptr end = ((guintptr) block + n_bytes) / LARGE_PAGE * LARGE_PAGE;
  gsize before = begin - (guintptr) block;

  if (block != NULL && begin < end)
    madvise ((void *) begin, MIN (end - begin, MOST_LARGE), MADV_HUGEPAGE);
  free (block);
  if (block != NULL && before > 0)
    untouched = malloc (before);
}

static void
expect_many (goffset size)
{
  mallopt (M_TRIM_THRESHOLD, G_MAXINT);
  mallopt (M_TOP_PAD, LARGE_PAGE);
  mallopt (M_MMAP_MAX, 0);
  use_large_pages ((gsize) MIN (size * BYTES_FOR_EACH, MOST));
  mallopt (M_MMAP_MAX, MOST_BLOCKS);
  mallopt (M_MMAP_THRESHOLD, LARGE_BLOCK);
  mallopt (M_TOP_PAD, LARGE_BLOCK);
}

void
sym_cli_memory_expect (const char *path)
{
  GStatBuf file;

  if (g_stat (path, &file) != 0 || !S_ISREG (file.st_mode) || file.st_size < MEDIUM_FILE)
    return;

  if (file.st_size < LARGE_FILE)
    expect_some ();
  else
    expect_many (file.st_size);
}

#else

void
sym_cli_memory_begin (void)
{
}

void
sym_cli_memory_expect (G_GNUC_UNUSED const char *path)
{
}

#endif
