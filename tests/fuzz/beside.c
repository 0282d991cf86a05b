/* SPDX-License-Identifier: MIT */
#include "beside.h"

#include <glib/gstdio.h>
#include <string.h>

#define MAX_FILES 8
#define MAX_NAME 64

static const char mark[] = "--- ";

#define N_MARK (sizeof mark - 1)

/* A file of the seed; its name is the caller's, its bytes are within the seed. */
typedef struct {
  char *name;
  const char *bytes;
  gsize size;
} Part;

/* The name in the line at @at, and where the next line begins; NULL where none is told. */
static char *
take_name (const char *at, const char *end, const char **next)
{
  const char *stop;

  if ((gsize) (end - at) <= N_MARK || memcmp (at, mark, N_MARK) != 0)
    return NULL;
  at += N_MARK;
  stop = memchr (at, '\n', (gsize) (end - at));
  if (stop == NULL || stop == at || stop - at > MAX_NAME || *at == '.')
    return NULL;
  for (const char *c = at; c < stop; c++)
    if (!g_ascii_isalnum (*c) && memchr ("._-", *c, 3) == NULL)
      return NULL;
  *next = stop + 1;
  return g_strndup (at, (gsize) (stop - at));
}

/* The line break before the next file, or the end. */
static const char *
find_end (const char *at, const char *end)
{
  const char *next;

  for (const char *c = at; (c = memchr (c, '\n', (gsize) (end - c))) != NULL; c++)
    {
      g_autofree char *name = take_name (c + 1, end, &next);

      if (name != NULL)
        return c;
    }
  return end;
}

static guint
split (const char *bytes, gsize size, Part *parts)
{
  const char *end = bytes + size, *at = bytes;
  guint n = 0;

  while (n < MAX_FILES && at < end)
    {
      const char *next;
      char *name = take_name (at, end, &next);

      if (name == NULL)
        break;
      at = find_end (next, end);
      parts[n++] = (Part){ name, next, (gsize) (at - next) };
      at += at < end;
    }
  return n;
}

/* Of two files of one name the second replaces the first. */
static char *
write_part (Beside *self, const char *folder, const Part *part)
{
  char *path = g_build_filename (folder, part->name, NULL);

  g_assert_true (g_file_set_contents_full (path, part->bytes, (gssize) part->size,
                                           G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  g_ptr_array_add (self->files, g_strdup (path));
  return path;
}

Beside *
beside_new (const char *bytes, gsize size)
{
  Part parts[MAX_FILES];
  guint n = size == 0 ? 0 : split (bytes, size, parts);
  g_autofree char *all = NULL;
  Beside *self;

  if (n == 0)
    return NULL;
  self = g_new0 (Beside, 1);
  self->files = g_ptr_array_new_with_free_func (g_free);
  self->folder = g_dir_make_tmp ("beside-XXXXXX", NULL);
  all = g_build_filename (self->folder, "all", NULL);
  g_assert_cmpint (g_mkdir (all, 0700), ==, 0);
  self->alone = write_part (self, self->folder, &parts[0]);
  for (guint i = 0; i < n; i++)
    {
      char *path = write_part (self, all, &parts[i]);

      if (i == 0)
        self->beside = path;
      else if (i == 1)
        self->weights = path;
      else
        g_free (path);
    }
  for (guint i = 0; i < n; i++)
    g_free (parts[i].name);
  return self;
}

void
beside_free (Beside *self)
{
  g_autofree char *all = g_path_get_dirname (self->beside);

  for (guint i = 0; i < self->files->len; i++)
    g_unlink (self->files->pdata[i]);
  g_assert_cmpint (g_rmdir (all), ==, 0);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_ptr_array_unref (self->files);
  g_free (self->alone);
  g_free (self->beside);
  g_free (self->weights);
  g_free (self->folder);
  g_free (self);
}
