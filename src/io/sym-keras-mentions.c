/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-mentions.h"

#include <string.h>

typedef struct {
  const char *text;
  gsize length;
  SymKerasMention mention;
} Part;

struct _SymKerasMentions {
  GArray *groups; /* of Part: all but the last of each name */
  GArray *leaves; /* of Part: the last of each */
  gboolean is_sorted;
};

SymKerasMentions *
sym_keras_mentions_new (void)
{
  SymKerasMentions *self = g_new0 (SymKerasMentions, 1);

  self->groups = g_array_new (FALSE, FALSE, sizeof (Part));
  self->leaves = g_array_new (FALSE, FALSE, sizeof (Part));
  return self;
}

void
sym_keras_mentions_free (SymKerasMentions *self)
{
  g_array_unref (self->groups);
  g_array_unref (self->leaves);
  g_free (self);
}

static void
add_part (GArray *parts, const char *text, gsize length, guint array, int number)
{
  Part part = { text, length, { array, number } };

  g_array_append_val (parts, part);
}

void
sym_keras_mentions_add (SymKerasMentions *self, const char *name, guint array)
{
  const char *slash;
  int part = 0;

  for (; (slash = strchr (name, '/')) != NULL; name = slash + 1)
    add_part (self->groups, name, (gsize) (slash - name), array, part++);
  add_part (self->leaves, name, strlen (name), array, part);
  self->is_sorted = FALSE;
}

/* ---- Looking up ---- */

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const Part *left = a, *right = b;
  int order = memcmp (left->text, right->text, MIN (left->length, right->length));

  return order != 0 ? order : (left->length > right->length) - (left->length < right->length);
}

/* The first of @parts that is not before @text. */
static guint
find_first (const GArray *parts, const char *text, gsize length)
{
  const Part wanted = { text, length, { 0, 0 } };
  guint low = 0, high = parts->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (compare_parts (&g_array_index (parts, Part, middle), &wanted) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
find_groups (const GArray *groups, const char *layer, GArray *found)
{
  gsize n = strlen (layer);

  for (guint i = find_first (groups, layer, n); i < groups->len; i++)
    {
      const Part *part = &g_array_index (groups, Part, i);

      if (part->length != n || memcmp (part->text, layer, n) != 0)
        return;
      g_array_append_val (found, part->mention);
    }
}

/* Of dense_1_W dense_1, but not dense. */
static void
find_leaves (const GArray *leaves, const char *layer, GArray *found)
{
  g_autofree char *start = g_strconcat (layer, "_", NULL);
  gsize n = strlen (start);

  for (guint i = find_first (leaves, start, n); i < leaves->len; i++)
    {
      const Part *part = &g_array_index (leaves, Part, i);

      if (part->length < n || memcmp (part->text, start, n) != 0)
        return;
      if (part->length == n || !g_ascii_isdigit (part->text[n]))
        g_array_append_val (found, part->mention);
    }
}

static int
compare_mentions (gconstpointer a, gconstpointer b)
{
  const SymKerasMention *left = a, *right = b;

  if (left->array != right->array)
    return left->array < right->array ? -1 : 1;
  return (left->part > right->part) - (left->part < right->part);
}

static void
keep_first_of_each (GArray *mentions)
{
  guint n = 0;

  for (guint i = 0; i < mentions->len; i++)
    {
      SymKerasMention one = g_array_index (mentions, SymKerasMention, i);

      if (n == 0 || g_array_index (mentions, SymKerasMention, n - 1).array != one.array)
        g_array_index (mentions, SymKerasMention, n++) = one;
    }
  g_array_set_size (mentions, n);
}

GArray *
sym_keras_mentions_find (SymKerasMentions *self, const char *layer)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (SymKerasMention));

  if (!self->is_sorted)
    {
      g_array_sort (self->groups, compare_parts);
      g_array_sort (self->leaves, compare_parts);
      self->is_sorted = TRUE;
    }
  find_groups (self->groups, layer, found);
  find_leaves (self->leaves, layer, found);
  g_array_sort (found, compare_mentions);
  keep_first_of_each (found);
  return found;
}
