/* SPDX-License-Identifier: MIT */
#include "worker/sym-hdf5.h"

#include "worker/sym-worker-limits.h"
#include "worker/sym-worker-stream.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

/* symscope-hdf5: reads one HDF5 file, its descriptor 3, in a process of its own, as HDF5's library
 * may be overcome by a file that was made for that; and lays out others, in memory.  See
 * sym-hdf5-protocol.h for what it reads and writes. */

#define MAX_MEMORY (G_GUINT64_CONSTANT (1) << 30)
#define MAX_SECONDS 300

/* What a request may take of the processor's time: HDF5's library goes round in circles where an
 * object of a heap has no size, and here for as long as the client waits. */
#define FREE_SECONDS 3
#define BYTES_PER_SECOND (1 << 20)

static herr_t
note_first (unsigned n, const H5E_error2_t *error, void *data)
{
  char **found = data;

  if (n == 0 && error->desc)
    *found = g_strdup (error->desc);
  return 0;
}

char *
sym_hdf5_explain (const char *what)
{
  g_autofree char *found = NULL;

  H5Ewalk2 (H5E_DEFAULT, H5E_WALK_UPWARD, note_first, &found);
  return found ? g_strdup_printf ("%s: %s", what, found) : g_strdup (what);
}

gboolean
sym_hdf5_fail (const char *what)
{
  g_autofree char *message = sym_hdf5_explain (what);

  return sym_worker_fail ("%s", message);
}

/* From now on, for what has to do with @n_bytes; then it is killed. */
static void
allow (guint64 n_bytes)
{
  guint64 most = MIN (FREE_SECONDS + n_bytes / BYTES_PER_SECOND, MAX_SECONDS);
  struct timespec used = { .tv_sec = 0 };
  struct rlimit both = { MAX_SECONDS, MAX_SECONDS };

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &used);
  both.rlim_cur = MIN ((rlim_t) used.tv_sec + most, MAX_SECONDS);
  setrlimit (RLIMIT_CPU, &both);
}

static gboolean
answer_list (hid_t file, guint64 file_size)
{
  g_autoptr (GVariant) catalogue = NULL;
  g_autofree char *message = NULL;

  catalogue = sym_hdf5_list (file, file_size, &message);
  if (!catalogue)
    return sym_worker_fail ("%s", message);
  return sym_worker_answer (SYM_HDF5_CATALOGUE, g_variant_get_data (catalogue),
                            g_variant_get_size (catalogue));
}

static gboolean
answer_outline (gsize size)
{
  void *content = sym_worker_read_content (size);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GVariant) outline = NULL;

  if (!content)
    return FALSE;
  bytes = g_bytes_new_take (content, size);
  outline = g_variant_ref_sink (
      g_variant_new_from_bytes (G_VARIANT_TYPE (SYM_HDF5_OUTLINE_TYPE), bytes, FALSE));
  return g_variant_is_normal_form (outline) ? sym_hdf5_send_image (outline)
                                            : sym_worker_fail ("this is no outline of a file");
}

/* The file, or why it is none. */
typedef struct {
  hid_t file;
  guint64 size;
  char *message;
} Opened;

/* Whether there was a request that was answered; *@at_end tells a proper end of the input. */
static gboolean
serve_one (const Opened *opened, gboolean *at_end)
{
  SymWorkerFrame frame = { 0 };
  SymHdf5Read request = { .n_bytes = 0 };
  gboolean is_list, is_read, is_outline;

  *at_end = !sym_worker_read_frame (&frame);
  if (*at_end)
    return FALSE;
  is_list = frame.kind == SYM_HDF5_LIST && frame.size == 0;
  is_read = frame.kind == SYM_HDF5_READ && frame.size == sizeof request;
  is_outline = frame.kind == SYM_HDF5_OUTLINE && frame.size <= SYM_HDF5_MAX_OUTLINE;
  if ((!is_list && !is_read && !is_outline) ||
      (is_read && sym_worker_read (&request, sizeof request) < sizeof request))
    {
      sym_worker_fail ("this is no request");
      return FALSE;
    }
  allow (is_list ? opened->size : is_read ? request.n_bytes : G_MAXUINT64);
  if (is_outline)
    return answer_outline ((gsize) frame.size);
  request.type[sizeof request.type - 1] = '\0';
  if (opened->file < 0)
    return sym_worker_fail ("%s", opened->message);
  return is_list ? answer_list (opened->file, opened->size)
                 : sym_hdf5_send_array (opened->file, &request);
}

int
main (void)
{
  struct stat info = { .st_size = 0 };
  Opened opened = { .message = NULL };
  gboolean at_end = FALSE;

  /* A client that is gone shows as a failed write. */
  signal (SIGPIPE, SIG_IGN);
  sym_worker_give_up_rights (SYM_HDF5_FD + 1, MAX_MEMORY, MAX_SECONDS);
  fstat (SYM_HDF5_FD, &info);
  opened.size = (guint64) info.st_size;
  allow (opened.size);
  H5Eset_auto2 (H5E_DEFAULT, NULL, NULL);
  H5PLset_loading_state (0);
  opened.file = sym_hdf5_open (&opened.message);
  while (serve_one (&opened, &at_end))
    continue;
  if (opened.file >= 0)
    H5Fclose (opened.file);
  g_free (opened.message);
  return at_end ? 0 : 1;
}
