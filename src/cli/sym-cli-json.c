/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECE (64 * 1024)

/* Numbers below are exact to the thousandth in 64 bits, with room for their sign. */
#define MAX_FIXED 1e12

/* An open object or array. */
typedef struct {
  char closing;
  gboolean rows;
  gboolean empty;
} Level;

struct _SymCliJson {
  GString *text;
  GArray *levels;
  gboolean after_key;
  SymCliJsonWrite write;
  gpointer target;
  GError *error;
};

static gboolean
write_stdout (gpointer target, const void *bytes, gsize size, GError **error)
{
  int code;

  if (fwrite (bytes, 1, size, stdout) == size)
    return TRUE;
  code = errno;
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "standard output: %s",
               g_strerror (code));
  return FALSE;
}

static void
hand_over (SymCliJson *self)
{
  if (self->error == NULL)
    self->write (self->target, self->text->str, self->text->len, &self->error);
  g_string_truncate (self->text, 0);
}

static void
start_line (SymCliJson *self)
{
  g_string_append_c (self->text, '\n');
  for (guint i = 0; i < self->levels->len; i++)
    if (g_array_index (self->levels, Level, i).rows)
      g_string_append (self->text, "  ");
}

/* What goes between a value and the one before it. */
static void
separate (SymCliJson *self)
{
  Level *level;

  if (self->text->len >= PIECE)
    hand_over (self);
  if (self->after_key || self->levels->len == 0)
    {
      self->after_key = FALSE;
      return;
    }
  level = &g_array_index (self->levels, Level, self->levels->len - 1);
  if (!level->empty)
    g_string_append (self->text, level->rows ? "," : ", ");
  level->empty = FALSE;
  if (level->rows)
    start_line (self);
}

static void
begin (SymCliJson *self, char opening, char closing, gboolean rows)
{
  Level level = { closing, rows, TRUE };

  separate (self);
  g_string_append_c (self->text, opening);
  g_array_append_val (self->levels, level);
}

static void
end (SymCliJson *self, char closing)
{
  Level level;

  g_assert (self->levels->len > 0);
  level = g_array_index (self->levels, Level, self->levels->len - 1);
  g_assert (level.closing == closing);
  g_array_set_size (self->levels, self->levels->len - 1);
  if (level.rows && !level.empty)
    start_line (self);
  g_string_append_c (self->text, closing);
}

static void
append_character (GString *text, gunichar character)
{
  switch (character)
    {
    case '"':
      g_string_append (text, "\\\"");
      break;
    case '\\':
      g_string_append (text, "\\\\");
      break;
    case '\n':
      g_string_append (text, "\\n");
      break;
    case '\t':
      g_string_append (text, "\\t");
      break;
    default:
      if (character < 0x20 || character == 0x7f)
        g_string_append_printf (text, "\\u%04x", character);
      else
        g_string_append_unichar (text, character);
    }
}

/* How many bytes from here on stand for themselves. */
static gsize
count_plain (const char *p)
{
  gsize n = 0;

  while (p[n] >= 0x20 && p[n] < 0x7f && p[n] != '"' && p[n] != '\\')
    n++;
  return n;
}

static void
append_quoted (GString *text, const char *string)
{
  g_autofree char *valid =
      g_utf8_validate (string, -1, NULL) ? NULL : g_utf8_make_valid (string, -1);

  g_string_append_c (text, '"');
  for (const char *p = valid ? valid : string; *p;)
    {
      gsize n_plain = count_plain (p);

      g_string_append_len (text, p, (gssize) n_plain);
      p += n_plain;
      if (*p)
        {
          append_character (text, g_utf8_get_char (p));
          p = g_utf8_next_char (p);
        }
    }
  g_string_append_c (text, '"');
}

SymCliJson *
sym_cli_json_new (SymCliJsonWrite write, gpointer target)
{
  SymCliJson *self = g_new0 (SymCliJson, 1);

  self->text = g_string_sized_new (PIECE + 1024);
  self->levels = g_array_new (FALSE, FALSE, sizeof (Level));
  self->write = write;
  self->target = target;
  return self;
}

SymCliJson *
sym_cli_json_new_stdout (void)
{
  return sym_cli_json_new (write_stdout, NULL);
}

gboolean
sym_cli_json_end (SymCliJson *self, GError **error)
{
  gboolean done;

  g_assert (self->levels->len == 0);
  g_string_append_c (self->text, '\n');
  hand_over (self);
  done = self->error == NULL;
  if (!done)
    g_propagate_error (error, g_steal_pointer (&self->error));
  sym_cli_json_free (self);
  return done;
}

void
sym_cli_json_free (SymCliJson *self)
{
  g_string_free (self->text, TRUE);
  g_array_unref (self->levels);
  g_clear_error (&self->error);
  g_free (self);
}

void
sym_cli_json_begin_object (SymCliJson *self)
{
  begin (self, '{', '}', FALSE);
}

void
sym_cli_json_end_object (SymCliJson *self)
{
  end (self, '}');
}

void
sym_cli_json_begin_array (SymCliJson *self)
{
  begin (self, '[', ']', FALSE);
}

void
sym_cli_json_begin_rows (SymCliJson *self)
{
  begin (self, '[', ']', TRUE);
}

void
sym_cli_json_end_array (SymCliJson *self)
{
  end (self, ']');
}

void
sym_cli_json_add_key (SymCliJson *self, const char *key)
{
  sym_cli_json_add_string (self, key);
  g_string_append (self->text, ": ");
  self->after_key = TRUE;
}

void
sym_cli_json_add_null (SymCliJson *self)
{
  separate (self);
  g_string_append (self->text, "null");
}

void
sym_cli_json_add_bool (SymCliJson *self, gboolean value)
{
  separate (self);
  g_string_append (self->text, value ? "true" : "false");
}

void
sym_cli_json_add_int (SymCliJson *self, gint64 value)
{
  separate (self);
  g_string_append_printf (self->text, "%" G_GINT64_FORMAT, value);
}

void
sym_cli_json_add_uint (SymCliJson *self, guint64 value)
{
  separate (self);
  g_string_append_printf (self->text, "%" G_GUINT64_FORMAT, value);
}

void
sym_cli_json_add_double (SymCliJson *self, double value)
{
  char literal[G_ASCII_DTOSTR_BUF_SIZE];
  static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };

  if (!isfinite (value))
    {
      sym_cli_json_add_null (self);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_ascii_formatd (literal, sizeof literal, formats[i], value);
      if (g_ascii_strtod (literal, NULL) <= value && g_ascii_strtod (literal, NULL) >= value)
        break;
    }
  separate (self);
  g_string_append (self->text, literal);
}

/* Puts the digits of |value| before @end, from the last to the first.  printf and the search for
 * the shortest literal would take longer than the layout of what is written. */
static char *
put_thousandths (char *end, double value)
{
  guint64 rest = (guint64) (fabs (value) * 1000 + 0.5);
  gboolean is_negative = value < 0 && rest > 0;
  char *p = end;

  for (guint i = 0; i < 3; i++, rest /= 10)
    if (rest % 10 > 0 || p < end)
      *--p = (char) ('0' + rest % 10);
  if (p < end)
    *--p = '.';
  do
    *--p = (char) ('0' + rest % 10);
  while ((rest /= 10) > 0);
  if (is_negative)
    *--p = '-';
  return p;
}

void
sym_cli_json_add_thousandths (SymCliJson *self, double value)
{
  char literal[24];
  char *end = literal + sizeof literal;
  char *p;

  if (!(fabs (value) < MAX_FIXED))
    {
      sym_cli_json_add_double (self, value);
      return;
    }
  p = put_thousandths (end, value);
  separate (self);
  g_string_append_len (self->text, p, end - p);
}

void
sym_cli_json_add_string (SymCliJson *self, const char *value)
{
  if (value == NULL)
    {
      sym_cli_json_add_null (self);
      return;
    }
  separate (self);
  append_quoted (self->text, value);
}
