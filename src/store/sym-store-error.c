/* SPDX-License-Identifier: MIT */
#include "store/sym-store-private.h"

#include <errno.h>

G_DEFINE_QUARK (sym - store - error - quark, sym_store_error)

void
sym_store_set_error (GError **error, SymStoreError code, const char *path, const char *format, ...)
{
  g_autofree char *shown = g_filename_display_name (path);
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, SYM_STORE_ERROR, code, "%s: %s", shown, message);
}

gboolean
sym_store_fail_errno (GError **error, const char *path, const char *what, int number)
{
  const char *cause = g_strerror (number);

  switch (number)
    {
    case ENOENT:
      cause = "there is no such file or folder";
      break;
    case EACCES:
    case EPERM:
      cause = "there is no permission";
      break;
    case EISDIR:
      cause = "it is a folder, not a file";
      break;
    case ENOSPC:
    case EDQUOT:
      cause = "the disk is full";
      break;
    case EROFS:
      cause = "the file system is read-only";
      break;
    default:
      break;
    }
  return sym_store_fail (error, SYM_STORE_ERROR_FILE, path, "%s: %s", what, cause);
}
