/* SPDX-License-Identifier: MIT */
#include "core/sym-summary-private.h"
#include "core/sym-text.h"

#include <string.h>

SymTable *
sym_table_new (const char *const *headers)
{
  SymTable *self = g_new0 (SymTable, 1);

  self->headers = headers;
  self->n_columns = g_strv_length ((char **) headers);
  self->text = g_string_new (NULL);
  self->shape = SYM_SHAPE_UNKNOWN;
  self->ends = g_array_new (FALSE, FALSE, sizeof (gsize));
  self->levels = sym_rows_new (sizeof (guint));
  self->layers = g_hash_table_new (NULL, NULL);
  self->calls = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
  return self;
}

void
sym_table_free (SymTable *self)
{
  g_string_free (self->text, TRUE);
  g_array_unref (self->ends);
  sym_rows_free (self->levels);
  g_hash_table_unref (self->layers);
  g_hash_table_unref (self->calls);
  g_free (self);
}

static GHashTable *
sort_calls (const SymModel *model)
{
  GHashTable *calls = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);

  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    {
      SymLayer *layer;
      GArray *list;

      if (!sym_model_has_call (model, call))
        continue;
      layer = sym_model_get_layer (model, call);
      list = g_hash_table_lookup (calls, layer);
      if (list == NULL)
        {
          list = g_array_new (FALSE, FALSE, sizeof (SymId));
          g_hash_table_insert (calls, layer, list);
        }
      g_array_append_val (list, call);
    }
  return calls;
}

const GArray *
sym_table_get_calls (SymTable *self, const SymModel *model, SymLayer *layer)
{
  GHashTable *calls = g_hash_table_lookup (self->calls, model);

  if (calls == NULL)
    {
      calls = sort_calls (model);
      g_hash_table_insert (self->calls, (gpointer) model, calls);
    }
  return g_hash_table_lookup (calls, layer);
}

void
sym_table_make_room (SymTable *self)
{
  guint n = self->ends->len;

  g_array_set_size (self->ends, n + SYM_TABLE_CELLS_AT_ONCE);
  self->ends->len = n;
}

void
sym_table_take_cell (SymTable *self, char *take_text)
{
  g_string_append (self->text, take_text);
  sym_table_end_cell (self);
  g_free (take_text);
}

guint
sym_table_get_n_cells (const SymTable *self)
{
  return self->ends->len;
}

guint
sym_table_get_n_rows (const SymTable *self)
{
  return self->ends->len / self->n_columns;
}

static gsize
get_start (const SymTable *self, guint cell)
{
  return cell == 0 ? 0 : g_array_index (self->ends, gsize, cell - 1) + 1;
}

const char *
sym_table_get_text (const SymTable *self, guint cell, gsize *length)
{
  gsize start = get_start (self, cell);

  *length = g_array_index (self->ends, gsize, cell) - start;
  return self->text->str + start;
}

void
sym_table_pass_on (const SymTable *self, GString *out, gsize piece)
{
  if (self->take == NULL || out->len < piece)
    return;
  self->take (out->str, out->len, self->user_data);
  g_string_truncate (out, 0);
}

const char *
sym_table_get_cell (const SymTable *self, guint row, guint column)
{
  return self->text->str + get_start (self, row * self->n_columns + column);
}

/* ---- Text in columns ---- */

/* Of eight bytes those that are no characters of ASCII. */
#define BEYOND_ASCII G_GUINT64_CONSTANT (0x8080808080808080)

/* Characters begin with the bytes that continue none. */
static gsize
count_characters (const char *text, gsize length)
{
  const char *end = text + length;
  gsize n = length;
  guint64 eight;

  for (; end - text >= 8; text += 8)
    {
      memcpy (&eight, text, sizeof eight);
      if ((eight & BEYOND_ASCII) != 0)
        break;
    }
  for (; text < end; text++)
    n -= (*text & 0xc0) == 0x80;
  return n;
}

void
sym_table_measure (const SymTable *self, gsize *widths)
{
  const gsize *ends = (const gsize *) (gpointer) self->ends->data;
  gsize start = 0;

  for (guint c = 0; c < self->n_columns; c++)
    widths[c] = count_characters (self->headers[c], strlen (self->headers[c]));
  for (guint i = 0; i < self->ends->len; i += self->n_columns)
    for (guint c = 0; c < self->n_columns; c++)
      {
        gsize length = ends[i + c] - start;

        if (length > widths[c])
          widths[c] = MAX (widths[c], count_characters (self->text->str + start, length));
        start = ends[i + c] + 1;
      }
  for (guint c = 0; c < self->n_columns; c++)
    widths[c] = MIN (widths[c], SYM_TABLE_MAX_WIDTH);
}

/* The place behind a cell and the spaces up to its width, at least one. */
static inline char *
write_padded (char *place, const char *text, gsize length, gsize n_characters, gsize width)
{
  gsize n_spaces = n_characters < width ? width - n_characters : 1;

  memcpy (place, text, length);
  memset (place + length, ' ', n_spaces);
  return place + length + n_spaces;
}

static gsize
add_widths (const SymTable *self, const gsize *widths)
{
  gsize sum = 0;

  for (guint c = 0; c < self->n_columns; c++)
    sum += widths[c] + 1;
  return sum;
}

void
sym_table_append_headers (const SymTable *self, const gsize *widths, GString *out)
{
  for (guint c = 0; c < self->n_columns; c++)
    {
      const char *text = self->headers[c];
      gsize length = strlen (text);

      sym_text_reserve (out, length + widths[c] + 1);
      out->len = (gsize) (write_padded (out->str + out->len, text, length,
                                        count_characters (text, length), widths[c]) -
                          out->str);
    }
  g_string_append_c (out, '\n');
}

void
sym_table_append_rows (const SymTable *self, const gsize *widths, GString *out)
{
  const gsize *ends = (const gsize *) (gpointer) self->ends->data;
  const char *text = self->text->str;
  gboolean is_ascii = count_characters (text, self->text->len) == self->text->len;
  gsize start = 0, width = add_widths (self, widths);

  for (guint i = 0; i < self->ends->len; i += self->n_columns)
    {
      gsize most = ends[i + self->n_columns - 1] - start + width;
      char *place;

      sym_text_reserve (out, most);
      place = memset (out->str + out->len, ' ', most);
      for (guint c = 0; c < self->n_columns; c++)
        {
          gsize length = ends[i + c] - start;
          gsize n = is_ascii ? length : count_characters (text + start, length);

          memcpy (place, text + start, length);
          place += length + (n < widths[c] ? widths[c] - n : 1);
          start = ends[i + c] + 1;
        }
      *place++ = '\n';
      out->len = (gsize) (place - out->str);
      sym_table_pass_on (self, out, SYM_TABLE_PIECE);
    }
  out->str[out->len] = '\0';
}
