/* SPDX-License-Identifier: MIT */
#include "io/sym-flatbuffer.h"

#include <string.h>

#include "io/sym-json.h"

#define MARK_AT 4
#define MARK_SIZE 4
#define MAX_DEPTH 64

/* The tables lie between weights that are not read: pages of the file, each at its place of a few.
 */
#define PAGE_BYTES (4 << 10)
#define N_PAGES 64

/* What the tables may take together is the file's size so many times, as strings may be shared. */
#define MAX_TIMES 2
#define FREE_BYTES 1024

typedef struct {
  guint64 number; /* of the page, from 1 */
  guint8 bytes[PAGE_BYTES];
} Page;

typedef struct {
  SymBlob *blob;
  const SymFlatEntry *schema;
  GCancellable *cancellable;
  GString *out;
  Page *pages[N_PAGES];
  guint64 left; /* bytes that may still be read */
  guint depth;
} Reader;

/* A name, or a type, within the text of an entry. */
typedef struct {
  const char *start;
  gsize n;
} Word;

static gboolean fail (guint64 at, SymIoError code, GError **error, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

static gboolean
fail (guint64 at, SymIoError code, GError **error, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, SYM_IO_ERROR, code, "byte %" G_GUINT64_FORMAT ": %s", at, message);
  return FALSE;
}

/* ---- Bytes ---- */

static const Page *
get_page (Reader *self, guint64 i, GError **error)
{
  Page **page = &self->pages[i % N_PAGES];
  guint64 start = i * PAGE_BYTES;

  if (*page == NULL)
    *page = g_new0 (Page, 1);
  if ((*page)->number == i + 1)
    return *page;
  (*page)->number = 0;
  if (!sym_blob_read (self->blob, start, MIN (PAGE_BYTES, self->blob->size - start), (*page)->bytes,
                      error))
    return NULL;
  (*page)->number = i + 1;
  return *page;
}

/* Copies @n bytes, which have to be in the file. */
static gboolean
fetch (Reader *self, guint64 at, gsize n, guint8 *bytes, GError **error)
{
  if (at > self->blob->size || n > self->blob->size - at)
    return fail (at, SYM_IO_ERROR_FORMAT, error,
                 "expected %" G_GSIZE_FORMAT " bytes, but the file ends at byte %" G_GUINT64_FORMAT,
                 n, self->blob->size);
  while (n > 0)
    {
      const Page *page = get_page (self, at / PAGE_BYTES, error);
      gsize offset = at % PAGE_BYTES;
      gsize count = MIN (n, PAGE_BYTES - offset);

      if (page == NULL)
        return FALSE;
      memcpy (bytes, page->bytes + offset, count);
      bytes += count;
      at += count;
      n -= count;
    }
  return TRUE;
}

/* A little-endian number of @n bytes. */
static gboolean
fetch_uint (Reader *self, guint64 at, gsize n, guint64 *number, GError **error)
{
  guint8 bytes[8];

  if (!fetch (self, at, n, bytes, error))
    return FALSE;
  *number = 0;
  for (gsize i = n; i-- > 0;)
    *number = *number << 8 | bytes[i];
  return TRUE;
}

/* Where an offset that is stored at @at leads: forward from itself. */
static gboolean
follow (Reader *self, guint64 at, guint64 *to, GError **error)
{
  guint64 offset;

  if (!fetch_uint (self, at, 4, &offset, error))
    return FALSE;
  *to = at + offset;
  if (offset == 0 || *to >= self->blob->size)
    return fail (at, SYM_IO_ERROR_FORMAT, error,
                 "an offset leads to byte %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT, *to,
                 self->blob->size);
  return TRUE;
}

static gboolean
spend (Reader *self, guint64 at, guint64 n, GError **error)
{
  if (n > self->left)
    return fail (at, SYM_IO_ERROR_LIMIT, error,
                 "the same bytes are part of more tables than a file of %" G_GUINT64_FORMAT
                 " bytes can mean",
                 self->blob->size);
  self->left -= n;
  return TRUE;
}

/* The elements of the list that the offset at @at leads to; each takes @size bytes. */
static gboolean
enter_list (Reader *self, guint64 at, gsize size, guint64 *first, guint64 *count, GError **error)
{
  guint64 start;

  if (!follow (self, at, &start, error) || !fetch_uint (self, start, 4, count, error))
    return FALSE;
  *first = start + 4;
  if (*count > (self->blob->size - *first) / size)
    return fail (start, SYM_IO_ERROR_FORMAT, error,
                 "a list of %" G_GUINT64_FORMAT
                 " elements does not fit a file of %" G_GUINT64_FORMAT " bytes",
                 *count, self->blob->size);
  return TRUE;
}

/* ---- The schema ---- */

/* The next word of a list; FALSE at its end. */
static gboolean
next_word (const char **text, Word *word)
{
  *text += strspn (*text, " ");
  word->start = *text;
  word->n = strcspn (*text, " ");
  *text += word->n;
  return word->n > 0;
}

static gboolean
word_is (Word word, const char *string)
{
  return strlen (string) == word.n && memcmp (word.start, string, word.n) == 0;
}

/* Cuts what follows @mark off; nothing, and FALSE, without one. */
static gboolean
cut_word (Word *word, char mark, Word *rest)
{
  const char *at = memchr (word->start, mark, word->n);

  *rest = (Word){ word->start + word->n, 0 };
  if (at == NULL)
    return FALSE;
  rest->start = at + 1;
  rest->n = word->n - (gsize) (at + 1 - word->start);
  word->n = (gsize) (at - word->start);
  return TRUE;
}

/* Their names begin with a capital, those of other types do not. */
static const SymFlatEntry *
find_entry (const Reader *self, Word type)
{
  if (!g_ascii_isupper (type.start[0]))
    return NULL;
  for (const SymFlatEntry *entry = self->schema; entry->name != NULL; entry++)
    if (word_is (type, entry->name))
      return entry;
  return NULL;
}

/* The name of a number of an enumeration or union, where names count from @first on. */
static gboolean
find_name (const SymFlatEntry *entry, gint64 first, gint64 number, Word *name)
{
  const char *text = entry->text;

  for (gint64 i = first; next_word (&text, name); i++)
    {
      Word value;

      if (cut_word (name, '=', &value))
        i = g_ascii_strtoll (value.start, NULL, 10);
      if (i == number)
        return TRUE;
    }
  return FALSE;
}

/* ---- Values ---- */

static const struct {
  const char *name;
  guint size;
  gboolean is_signed;
} numbers[] = {
  { "byte", 1, TRUE }, { "ubyte", 1, FALSE }, { "short", 2, TRUE }, { "ushort", 2, FALSE },
  { "int", 4, TRUE },  { "uint", 4, FALSE },  { "long", 8, TRUE },  { "ulong", 8, FALSE },
};

static gboolean
fetch_number (Reader *self,
              Word type,
              guint64 at,
              gint64 *number,
              gboolean *is_signed,
              GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (word_is (type, numbers[i].name))
      {
        guint unused = 64 - 8 * numbers[i].size;
        guint64 bits;

        if (!fetch_uint (self, at, numbers[i].size, &bits, error))
          return FALSE;
        *is_signed = numbers[i].is_signed;
        *number = numbers[i].is_signed ? (gint64) (bits << unused) >> unused : (gint64) bits;
        return TRUE;
      }
  g_return_val_if_reached (FALSE);
}

/* What a value takes where it stands: tables, strings and lists an offset. */
static guint
get_size (const Reader *self, Word type)
{
  const SymFlatEntry *entry = find_entry (self, type);

  if (entry != NULL && entry->kind == SYM_FLAT_ENUM)
    return get_size (self, (Word){ entry->base, strlen (entry->base) });
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (word_is (type, numbers[i].name))
      return numbers[i].size;
  if (word_is (type, "bool"))
    return 1;
  return word_is (type, "double") ? 8 : 4;
}

static gboolean write_table (Reader *self, const SymFlatEntry *entry, guint64 at, GError **error);

static gboolean
write_number (Reader *self, const SymFlatEntry *entry, Word type, guint64 at, GError **error)
{
  gboolean is_signed;
  gint64 number;
  Word name;

  if (!fetch_number (self, type, at, &number, &is_signed, error))
    return FALSE;
  if (entry != NULL && find_name (entry, 0, number, &name))
    g_string_append_printf (self->out, "\"%.*s\"", (int) name.n, name.start);
  else if (is_signed)
    g_string_append_printf (self->out, "%" G_GINT64_FORMAT, number);
  else
    g_string_append_printf (self->out, "%" G_GUINT64_FORMAT, (guint64) number);
  return TRUE;
}

static gboolean
write_real (Reader *self, gsize size, guint64 at, GError **error)
{
  guint64 bits;

  if (!fetch_uint (self, at, size, &bits, error))
    return FALSE;
  if (size == 8)
    {
      double number;

      memcpy (&number, &bits, sizeof number);
      sym_json_append_double (self->out, number);
    }
  else
    {
      guint32 half = (guint32) bits;
      float number;
      char text[G_ASCII_DTOSTR_BUF_SIZE];

      /* The shortest that is the same float. */
      memcpy (&number, &half, sizeof number);
      for (int digits = 6; digits <= 9; digits++)
        {
          g_autofree char *format = g_strdup_printf ("%%.%dg", digits);

          g_ascii_formatd (text, sizeof text, format, number);
          if ((float) g_ascii_strtod (text, NULL) == number)
            break;
        }
      sym_json_append_double (self->out, g_ascii_strtod (text, NULL));
    }
  return TRUE;
}

static gboolean
write_string (Reader *self, guint64 at, GError **error)
{
  g_autofree char *text = NULL;
  guint64 first, n;

  if (!enter_list (self, at, 1, &first, &n, error) || !spend (self, first, n, error))
    return FALSE;
  text = g_malloc (n + 1);
  if (!fetch (self, first, n, (guint8 *) text, error))
    return FALSE;
  text[n] = '\0';
  sym_json_append_string (self->out, text);
  return TRUE;
}

static gboolean
write_value (Reader *self, Word type, guint64 at, GError **error)
{
  const SymFlatEntry *entry = find_entry (self, type);
  guint64 to;

  if (entry != NULL && entry->kind == SYM_FLAT_TABLE)
    return follow (self, at, &to, error) && write_table (self, entry, to, error);
  if (entry != NULL)
    return write_number (self, entry, (Word){ entry->base, strlen (entry->base) }, at, error);
  if (word_is (type, "string"))
    return write_string (self, at, error);
  if (word_is (type, "float") || word_is (type, "double"))
    return write_real (self, get_size (self, type), at, error);
  if (word_is (type, "bool"))
    {
      if (!fetch_uint (self, at, 1, &to, error))
        return FALSE;
      g_string_append (self->out, to != 0 ? "true" : "false");
      return TRUE;
    }
  return write_number (self, NULL, type, at, error);
}

static gboolean
write_list (Reader *self, Word type, guint64 at, GError **error)
{
  guint size = get_size (self, type);
  guint64 first, n;

  if (!enter_list (self, at, size, &first, &n, error) || !spend (self, first, n * size, error))
    return FALSE;
  g_string_append_c (self->out, '[');
  for (guint64 i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (self->out, ',');
      if (!write_value (self, type, first + i * size, error))
        return FALSE;
    }
  g_string_append_c (self->out, ']');
  return TRUE;
}

/* ---- Tables ---- */

static void
begin_member (Reader *self, Word name, const char *suffix)
{
  if (self->out->str[self->out->len - 1] != '{')
    g_string_append_c (self->out, ',');
  g_string_append_printf (self->out, "\"%.*s%s\":", (int) name.n, name.start, suffix);
}

static gboolean
write_place (Reader *self, guint64 at, GError **error)
{
  guint64 first, n;

  if (!enter_list (self, at, 1, &first, &n, error))
    return FALSE;
  if (n == 0)
    return TRUE;
  begin_member (self, (Word){ "offset", 6 }, "");
  g_string_append_printf (self->out, "%" G_GUINT64_FORMAT, first);
  begin_member (self, (Word){ "size", 4 }, "");
  g_string_append_printf (self->out, "%" G_GUINT64_FORMAT, n);
  return TRUE;
}

static gboolean
write_field (Reader *self, Word name, Word type, guint64 at, GError **error)
{
  if (word_is (name, "-"))
    return TRUE;
  if (word_is (type, "place"))
    return write_place (self, at, error);
  begin_member (self, name, "");
  if (type.start[0] == '[')
    return write_list (self, (Word){ type.start + 1, type.n - 2 }, at, error);
  return write_value (self, type, at, error);
}

/* The table that a number at @kind says; nothing for one that the schema does not have. */
static gboolean
write_union (Reader *self,
             Word name,
             const SymFlatEntry *entry,
             guint64 kind,
             guint64 at,
             GError **error)
{
  guint64 number, to;
  const SymFlatEntry *table;
  Word member;

  if (!fetch_uint (self, kind, 1, &number, error))
    return FALSE;
  if (number == 0)
    return TRUE;
  begin_member (self, name, "_type");
  if (!find_name (entry, 1, (gint64) number, &member))
    {
      g_string_append_printf (self->out, "%" G_GUINT64_FORMAT, number);
      return TRUE;
    }
  g_string_append_printf (self->out, "\"%.*s\"", (int) member.n, member.start);
  table = find_entry (self, member);
  if (table == NULL || at == 0)
    return TRUE;
  begin_member (self, name, "");
  return follow (self, at, &to, error) && write_table (self, table, to, error);
}

/* Where the table at @at has the field of a slot; 0 for one that it leaves out. */
typedef struct {
  guint64 table;
  guint64 fields; /* offsets, two bytes each */
  guint64 n;
} Slots;

static gboolean
find_field (Reader *self, const Slots *slots, guint slot, guint64 *at, GError **error)
{
  guint64 offset = 0;

  if (slot < slots->n && !fetch_uint (self, slots->fields + 2 * slot, 2, &offset, error))
    return FALSE;
  *at = offset == 0 ? 0 : slots->table + offset;
  return TRUE;
}

static gboolean
enter_table (Reader *self, guint64 at, Slots *slots, GError **error)
{
  guint64 back, size, own;
  gint64 start;

  if (!fetch_uint (self, at, 4, &back, error))
    return FALSE;
  start = (gint64) at - (gint32) (guint32) back;
  if (start < 0 || !fetch_uint (self, (guint64) start, 2, &size, error) ||
      !fetch_uint (self, (guint64) start + 2, 2, &own, error) || size < 4 || size % 2 != 0)
    {
      g_clear_error (error);
      return fail (at, SYM_IO_ERROR_FORMAT, error,
                   "expected a table, but what lists its fields is none");
    }
  *slots = (Slots){ at, (guint64) start + 4, (size - 4) / 2 };
  return spend (self, at, MAX (own, 4), error);
}

static gboolean
write_fields (Reader *self, const SymFlatEntry *entry, const Slots *slots, GError **error)
{
  const char *text = entry->text;
  Word name, type;

  for (guint slot = 0; slot < slots->n && next_word (&text, &name); slot++)
    {
      const SymFlatEntry *inner;
      guint64 at, kind;

      cut_word (&name, ':', &type);
      inner = find_entry (self, type);
      if (!find_field (self, slots, slot, &at, error))
        return FALSE;
      if (inner != NULL && inner->kind == SYM_FLAT_UNION)
        {
          kind = at;
          slot++;
          if (!find_field (self, slots, slot, &at, error) ||
              (kind != 0 && !write_union (self, name, inner, kind, at, error)))
            return FALSE;
        }
      else if (at != 0 && !write_field (self, name, type, at, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
write_table (Reader *self, const SymFlatEntry *entry, guint64 at, GError **error)
{
  Slots slots = { 0 };
  gboolean done;

  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  if (self->depth == MAX_DEPTH)
    return fail (at, SYM_IO_ERROR_LIMIT, error, "tables lie more than %d deep", MAX_DEPTH);
  if (!enter_table (self, at, &slots, error))
    return FALSE;
  self->depth++;
  g_string_append_c (self->out, '{');
  done = write_fields (self, entry, &slots, error);
  g_string_append_c (self->out, '}');
  self->depth--;
  return done;
}

gboolean
sym_flatbuffer_has_mark (const guint8 *start, gsize n, const char *mark)
{
  return n >= MARK_AT + MARK_SIZE && memcmp (start + MARK_AT, mark, MARK_SIZE) == 0;
}

GBytes *
sym_flatbuffer_to_json (SymBlob *blob,
                        const SymFlatEntry *schema,
                        const char *root,
                        GCancellable *cancellable,
                        GError **error)
{
  Reader self = { .blob = blob, .schema = schema, .cancellable = cancellable };
  guint64 at;
  gboolean done;

  self.out = g_string_new (NULL);
  self.left = MAX_TIMES * blob->size + FREE_BYTES;
  done = follow (&self, 0, &at, error) &&
         write_table (&self, find_entry (&self, (Word){ root, strlen (root) }), at, error);
  for (guint i = 0; i < N_PAGES; i++)
    g_free (self.pages[i]);
  if (!done)
    {
      g_string_free (self.out, TRUE);
      return NULL;
    }
  return g_string_free_to_bytes (self.out);
}
