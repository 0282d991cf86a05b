/* SPDX-License-Identifier: MIT */
#include "app/scope-file-name.h"

/* What was dropped as an address may be anything, and GLib takes it for a name as it is. */
char *
scope_file_address (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autofree char *name = g_file_get_parse_name (file);

  return g_utf8_make_valid (name, -1);
}

char *
scope_file_name (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autofree char *name = g_file_get_basename (file);

  if (name != NULL && *name != '\0')
    return g_filename_display_name (name);
  return scope_file_address (file);
}
