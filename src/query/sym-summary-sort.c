/* SPDX-License-Identifier: MIT */
#include "query/sym-summary-view-private.h"

#include <string.h>

#define ROWS_PER_LOOK 1024 /* whether it was cancelled */

/* What a row is sorted by. */
typedef struct {
  guint place;  /* among the rows before */
  guint parent; /* its place, G_MAXUINT at the top */
  gboolean known;
  double number;
  char *text; /* NULL: by number */
} Key;

typedef struct {
  gboolean descends;
} Order;

static void
read_key (SymSummaryView *view, guint column, guint i, Key *key)
{
  const SymSummaryViewRow *row = &g_array_index (view->rows, SymSummaryViewRow, i);
  SymCell cell;

  sym_column_fill (view, column, row, &cell);
  key->known = cell.kind != SYM_CELL_EMPTY;
  switch (cell.kind)
    {
    case SYM_CELL_COUNT:
    case SYM_CELL_BYTES:
      key->known = cell.count.known || cell.count.n > 0;
      key->number = (double) cell.count.n;
      break;
    case SYM_CELL_NUMBER:
      key->number = cell.number;
      break;
    case SYM_CELL_TEXT:
    case SYM_CELL_SHAPE:
    case SYM_CELL_LIST:
      key->text = g_utf8_collate_key_for_filename (cell.text, -1);
      key->known = strcmp (cell.text, "?") != 0 && *cell.text != '\0';
      break;
    case SYM_CELL_EMPTY:
      break;
    }
  sym_cell_clear (&cell);
}

/* By parents; then what is known first; then by value, and rows of the same value as they stood. */
static int
compare (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Key *x = a, *y = b;
  const Order *order = user_data;
  int result;

  if (x->parent != y->parent)
    return x->parent < y->parent ? -1 : 1;
  if (x->known != y->known)
    return x->known ? -1 : 1;
  if (x->text != NULL && y->text != NULL)
    result = strcmp (x->text, y->text);
  else
    result = (x->number > y->number) - (x->number < y->number);
  if (order->descends)
    result = -result;
  return result != 0 ? result : x->place < y->place ? -1 : x->place > y->place;
}

/* When it is cancelled, fewer than there are rows. */
static GArray *
read_keys (SymSummaryView *self, guint column, GCancellable *cancellable)
{
  GArray *keys = g_array_sized_new (FALSE, TRUE, sizeof (Key), self->rows->len);
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint));

  g_array_set_size (keys, self->rows->len);
  for (guint i = 0; i < self->rows->len; i++)
    {
      const SymSummaryViewRow *row = &g_array_index (self->rows, SymSummaryViewRow, i);
      Key *key = &g_array_index (keys, Key, i);

      if (i % ROWS_PER_LOOK == 0 && g_cancellable_is_cancelled (cancellable))
        {
          g_array_set_size (keys, i);
          break;
        }
      g_array_set_size (open, row->level);
      key->place = i;
      key->parent = row->level > 0 ? g_array_index (open, guint, row->level - 1) : G_MAXUINT;
      if (row->group != SYM_NO_GROUP)
        g_array_append_val (open, i);
      read_key (self, column, i, key);
    }
  return keys;
}

/* The sorted children of a parent are neighbours among the keys: those of row i begin at starts[i +
 * 1], those of none at the end. */
static guint *
find_children (const GArray *keys)
{
  guint *starts = g_new (guint, keys->len + 1);

  for (guint i = 0; i <= keys->len; i++)
    starts[i] = G_MAXUINT;
  for (guint i = keys->len; i-- > 0;)
    {
      guint parent = g_array_index (keys, Key, i).parent;

      starts[parent == G_MAXUINT ? keys->len : parent] = i;
    }
  return starts;
}

/* From the top down, each row before those within it. */
static GArray *
walk (const SymSummaryView *self, const GArray *keys, const guint *starts)
{
  GArray *rows = g_array_sized_new (FALSE, TRUE, sizeof (SymSummaryViewRow), keys->len);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint));
  guint next = starts[keys->len];

  while (next != G_MAXUINT)
    {
      const Key *key = &g_array_index (keys, Key, next);

      g_array_append_val (rows, g_array_index (self->rows, SymSummaryViewRow, key->place));
      g_array_append_val (stack, next);
      next = starts[key->place];
      while (next == G_MAXUINT && stack->len > 0)
        {
          guint last = g_array_index (stack, guint, stack->len - 1);

          g_array_set_size (stack, stack->len - 1);
          if (last + 1 < keys->len &&
              g_array_index (keys, Key, last + 1).parent == g_array_index (keys, Key, last).parent)
            next = last + 1;
        }
    }
  return rows;
}

static void
sort_rows (SymSummaryView *self, GArray *keys, gboolean descends)
{
  g_autofree guint *starts = NULL;
  Order order = { descends };
  GArray *rows;

  g_array_sort_with_data (keys, compare, &order);
  starts = find_children (keys);
  rows = walk (self, keys, starts);
  g_array_unref (self->rows);
  self->rows = rows;
}

void
sym_summary_view_sort (SymSummaryView *self,
                       guint column,
                       gboolean descends,
                       GCancellable *cancellable)
{
  GArray *keys = read_keys (self, column, cancellable);

  if (keys->len == self->rows->len)
    sort_rows (self, keys, descends);
  for (guint i = 0; i < keys->len; i++)
    g_free (g_array_index (keys, Key, i).text);
  g_array_unref (keys);
}
