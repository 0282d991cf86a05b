/* SPDX-License-Identifier: MIT */
#include "app/scope-file-name.h"

char *
scope_file_name (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autofree char *name = g_file_get_basename (file);

  if (name != NULL && *name != '\0')
    return g_filename_display_name (name);
  return g_file_get_parse_name (file);
}
