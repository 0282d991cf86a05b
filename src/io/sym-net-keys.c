/* SPDX-License-Identifier: MIT */
#include "io/sym-net-keys.h"

#include <string.h>

#include "core/sym-text.h"
#include "io/sym-json-private.h"

#define FIRST_ROWS 64
#define MAX_FIRST_ROWS (1 << 20)
#define FEW_ROWS 8192
#define FIRST_BLOCK 1024
#define MAX_BLOCK (256 * 1024)

/* The hash is kept, so that a row of another text is passed by without a look at it.  A place takes
 * half of what a pointer does: rows are looked at in no order, and most of the time goes by until
 * the memory has them. */
typedef struct {
  guint hash;
  guint place; /* of its key, see get_key(); 0 for a free row */
} Row;

/* A place is that of a block, times this, and that in it in steps of a key's alignment, plus 1. */
#define STEP G_ALIGNOF (SymNetKey)
#define N_STEPS (MAX_BLOCK / STEP)

/* A layer mostly uses what the one before it makes, which is the key entered last but one. */
#define N_RECENT 2

/* Open addressing: a key lies in the row of its hash, or in the next that was free.  At most half
 * of the rows are taken. */
struct _SymNetKeys {
  SymNetKey *recent[N_RECENT]; /* NULL for none */
  guint n_recent;              /* the place of the oldest */
  Row *rows;
  guint n, n_rows; /* a power of two */
  GPtrArray *blocks;
  char *free; /* in the last block */
  gsize n_free, n_next;
};

SymNetKeys *
sym_net_keys_new (void)
{
  SymNetKeys *self = g_new0 (SymNetKeys, 1);

  self->n_rows = FIRST_ROWS;
  self->rows = g_new0 (Row, self->n_rows);
  self->blocks = g_ptr_array_new_with_free_func (g_free);
  self->n_next = FIRST_BLOCK;
  return self;
}

void
sym_net_keys_expect (SymNetKeys *self, guint n)
{
  g_return_if_fail (self->n == 0);

  while (self->n_rows / 2 < n && self->n_rows < MAX_FIRST_ROWS)
    self->n_rows *= 2;
  g_free (self->rows);
  self->rows = g_new0 (Row, self->n_rows);
  self->n_next = MAX_BLOCK;
}

void
sym_net_keys_free (SymNetKeys *self)
{
  g_ptr_array_unref (self->blocks);
  g_free (self->rows);
  g_free (self);
}

static inline SymNetKey *
get_key (const SymNetKeys *self, guint place)
{
  const char *block = self->blocks->pdata[(place - 1) / N_STEPS];

  return (SymNetKey *) (block + (place - 1) % N_STEPS * STEP);
}

static inline gboolean
is_text (const SymNetKey *key, const char *text, gsize length)
{
  return key->length == length && memcmp (key->text, text, length) == 0;
}

/* The row of the text, or the free one where it would lie. */
static inline Row *
look_up (const SymNetKeys *self, const char *text, gsize length, guint hash)
{
  guint i = hash & (self->n_rows - 1);

  while (self->rows[i].place != 0 && (self->rows[i].hash != hash ||
                                      !is_text (get_key (self, self->rows[i].place), text, length)))
    i = (i + 1) & (self->n_rows - 1);
  return &self->rows[i];
}

SymNetKey *
sym_net_keys_find (const SymNetKeys *self, const char *text, gsize length)
{
  const Row *row = look_up (self, text, length, sym_text_hash (0, text, length));

  return row->place == 0 ? NULL : get_key (self, row->place);
}

static void
grow (SymNetKeys *self)
{
  g_autofree Row *old = self->rows;
  guint n_old = self->n_rows;

  self->n_rows = n_old * (n_old < FEW_ROWS ? 4 : 2);
  self->rows = g_new0 (Row, self->n_rows);
  for (guint i = 0; i < n_old; i++)
    if (old[i].place != 0)
      {
        guint at = old[i].hash & (self->n_rows - 1);

        while (self->rows[at].place != 0)
          at = (at + 1) & (self->n_rows - 1);
        self->rows[at] = old[i];
      }
}

/* The place of so many bytes.  One that is larger than a block has one of its own, so that none
 * begins after N_STEPS; 65,536 blocks are more than 8 GB of texts, which no file has. */
static guint
allocate (SymNetKeys *self, gsize n)
{
  gsize whole = (n + STEP - 1) / STEP * STEP;
  gsize at;

  if (whole > self->n_free)
    {
      self->n_free = MAX (self->n_next, whole);
      self->free = g_malloc (self->n_free);
      self->n_next = MIN (self->n_next * 2, MAX_BLOCK);
      g_ptr_array_add (self->blocks, self->free);
      g_assert (self->blocks->len <= G_MAXUINT / N_STEPS);
    }
  at = (gsize) (self->free - (char *) g_ptr_array_index (self->blocks, self->blocks->len - 1));
  self->free += whole;
  self->n_free -= whole;
  return (self->blocks->len - 1) * N_STEPS + (guint) (at / STEP) + 1;
}

static inline SymNetKey *
find_recent (const SymNetKeys *self, const char *text, gsize length)
{
  for (guint i = 0; i < N_RECENT; i++)
    if (self->recent[i] != NULL && is_text (self->recent[i], text, length))
      return self->recent[i];
  return NULL;
}

static SymNetKey *
enter (SymNetKeys *self, const char *text, gsize length)
{
  guint hash = sym_text_hash (0, text, length);
  Row *row = look_up (self, text, length, hash);
  SymNetKey *key;

  if (row->place != 0)
    return get_key (self, row->place);
  *row = (Row){ hash, allocate (self, sizeof *key + length + 1) };
  key = get_key (self, row->place);
  key->first = key->last = SYM_NO_ID;
  key->declared = 0;
  key->length = (guint) length;
  memcpy (key->text, text, length);
  key->text[length] = '\0';
  if (++self->n > self->n_rows / 2)
    grow (self);
  return key;
}

SymNetKey *
sym_net_keys_enter (SymNetKeys *self, const char *text, gsize length)
{
  SymNetKey *key = find_recent (self, text, length);

  if (key != NULL)
    return key;
  key = enter (self, text, length);
  self->recent[self->n_recent] = key;
  self->n_recent = (self->n_recent + 1) % N_RECENT;
  return key;
}

SymNetKey *
sym_net_keys_enter_string (SymNetKeys *self, const SymJson *json, guint token)
{
  g_autofree char *decoded = NULL;
  gsize length;
  const char *text = sym_json_peek_characters (json, token, &length);

  if (text != NULL)
    return sym_net_keys_enter (self, text, length);
  decoded = sym_json_dup_string (json, token);
  return decoded == NULL ? NULL : sym_net_keys_enter (self, decoded, strlen (decoded));
}

guint
sym_net_keys_get_n (const SymNetKeys *self)
{
  return self->n;
}
