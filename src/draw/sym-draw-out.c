/* SPDX-License-Identifier: MIT */
#include "draw/sym-draw-out.h"

#include <math.h>
#include <string.h>

#include "store/sym-store.h"

#define BUFFER_BYTES (64 << 10)

struct _SymDrawOut {
  SymStoreWriter *writer;
  GString *buffer;
  GError *error;
};

SymDrawOut *
sym_draw_out_new (const char *path, GError **error)
{
  SymStoreWriter *writer = sym_store_writer_new (path, error);
  SymDrawOut *self;

  if (writer == NULL)
    return NULL;
  self = g_new0 (SymDrawOut, 1);
  self->writer = writer;
  self->buffer = g_string_sized_new (BUFFER_BYTES);
  return self;
}

void
sym_draw_out_free (SymDrawOut *self)
{
  if (self == NULL)
    return;
  sym_store_writer_free (self->writer);
  g_string_free (self->buffer, TRUE);
  g_clear_error (&self->error);
  g_free (self);
}

gboolean
sym_draw_out_has_failed (const SymDrawOut *self)
{
  return self->error != NULL;
}

static void
flush (SymDrawOut *self)
{
  if (self->error == NULL)
    sym_store_writer_write (self->writer, self->buffer->str, self->buffer->len, &self->error);
  g_string_truncate (self->buffer, 0);
}

gboolean
sym_draw_out_close (SymDrawOut *self, GError **error)
{
  flush (self);
  if (self->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->error));
      return FALSE;
    }
  return sym_store_writer_commit (self->writer, error);
}

void
sym_draw_out_add_bytes (SymDrawOut *self, const void *bytes, gsize size)
{
  g_string_append_len (self->buffer, bytes, (gssize) size);
  if (self->buffer->len >= BUFFER_BYTES)
    flush (self);
}

void
sym_draw_out_add (SymDrawOut *self, const char *text)
{
  sym_draw_out_add_bytes (self, text, strlen (text));
}

void
sym_draw_out_addf (SymDrawOut *self, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_string_append_vprintf (self->buffer, format, args);
  va_end (args);
  if (self->buffer->len >= BUFFER_BYTES)
    flush (self);
}

/* By hand: a large picture has millions of numbers, and printf() knows locales. */
void
sym_draw_out_add_number (SymDrawOut *self, double number)
{
  char text[32];
  char *p = text + sizeof text - 1;
  gint64 hundredths = (gint64) llround (CLAMP (number, -1e12, 1e12) * 100);
  guint64 rest = (guint64) ABS (hundredths);
  gboolean has_digit = FALSE;

  *p = '\0';
  for (guint place = 0; place < 3 || rest > 0; place++, rest /= 10)
    {
      has_digit = has_digit || place == 2 || rest % 10 > 0;
      if (place == 2 && p[0] != '\0')
        *--p = '.';
      if (has_digit)
        *--p = (char) ('0' + rest % 10);
    }
  if (hundredths < 0)
    *--p = '-';
  sym_draw_out_add (self, p);
}

void
sym_draw_out_add_point (SymDrawOut *self, double x, double y)
{
  sym_draw_out_add_number (self, x);
  sym_draw_out_add (self, " ");
  sym_draw_out_add_number (self, y);
}

void
sym_draw_out_add_attribute (SymDrawOut *self, const char *name, double number)
{
  sym_draw_out_addf (self, " %s=\"", name);
  sym_draw_out_add_number (self, number);
  sym_draw_out_add (self, "\"");
}

void
sym_draw_out_add_color (SymDrawOut *self, SymRgb color)
{
  sym_draw_out_addf (self, "#%06x", color);
}

/* Char of XML 1.0, section 2.2, without U+FFFE and U+FFFF, which it leaves out as well. */
static gboolean
is_xml (gunichar c)
{
  if (c < 0x20)
    return c == '\t' || c == '\n' || c == '\r';
  return c != 0xfffe && c != 0xffff && (c < 0xd800 || c > 0xdfff) && (c < 0x7f || c > 0x9f);
}

static void
add_character (SymDrawOut *self, const char *at, gunichar c)
{
  switch (c)
    {
    case '&':
      sym_draw_out_add (self, "&amp;");
      break;
    case '<':
      sym_draw_out_add (self, "&lt;");
      break;
    case '>':
      sym_draw_out_add (self, "&gt;");
      break;
    case '"':
      sym_draw_out_add (self, "&quot;");
      break;
    case '\t':
    case '\n':
    case '\r':
      sym_draw_out_addf (self, "&#%u;", c);
      break;
    default:
      if (is_xml (c))
        sym_draw_out_add_bytes (self, at, (gsize) (g_utf8_next_char (at) - at));
      else
        sym_draw_out_add (self, "\357\277\275");
      break;
    }
}

void
sym_draw_out_add_xml (SymDrawOut *self, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    add_character (self, p, g_utf8_get_char (p));
}
