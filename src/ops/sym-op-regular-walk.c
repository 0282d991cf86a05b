/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-regular-private.h"

gsize
sym_op_next_character (const char *place, gsize n, gunichar *character)
{
  gunichar c = (guchar) *place;

  *character = c;
  if (c < 0x80)
    return 1;
  c = g_utf8_get_char_validated (place, (gssize) MIN (n, 6));
  *character = c >= 0x80000000 ? 0xfffd : c;
  return c >= 0x80000000 ? 1 : (gsize) g_unichar_to_utf8 (c, NULL);
}

/* No character: before the text and behind it. */
#define NONE ((gunichar) -1)

static gboolean
is_word (gunichar c)
{
  return c < 0x80 && (g_ascii_isalnum ((char) c) || c == '_');
}

static gboolean
is_at (SymOpPlace place, gunichar before, gunichar after)
{
  switch (place)
    {
    case SYM_OP_AT_TEXT_START:
      return before == NONE;
    case SYM_OP_AT_TEXT_END:
      return after == NONE;
    case SYM_OP_AT_LINE_START:
      return before == NONE || before == '\n';
    case SYM_OP_AT_LINE_END:
      return after == NONE || after == '\n';
    case SYM_OP_AT_WORD_EDGE:
      return is_word (before) != is_word (after);
    case SYM_OP_AT_NO_WORD_EDGE:
      return is_word (before) == is_word (after);
    }
  g_assert_not_reached ();
}

/* Adds the steps that wait for a character, or for the end, and can be reached from @step between
 * these two characters. */
static void
reach (SymOpRegular *self, guint step, gunichar before, gunichar after, guint *reached, guint *n)
{
  guint n_open = 0;

  self->open[n_open++] = step;
  while (n_open > 0)
    {
      guint i = self->open[--n_open];
      const SymOpStep *at = &g_array_index (self->steps, SymOpStep, i);

      if (self->marks[i] == self->mark)
        continue;
      self->marks[i] = self->mark;
      if (at->kind == SYM_OP_STEP_SET || at->kind == SYM_OP_STEP_END)
        reached[(*n)++] = i;
      if (at->kind == SYM_OP_STEP_SPLIT ||
          (at->kind == SYM_OP_STEP_AT && is_at ((SymOpPlace) at->value, before, after)))
        self->open[n_open++] = i + 1;
      if (at->kind == SYM_OP_STEP_SPLIT || at->kind == SYM_OP_STEP_JUMP)
        self->open[n_open++] = (guint) ((int) i + at->value);
    }
}

/* Each round has its own mark. */
static void
begin_round (SymOpRegular *self)
{
  if (++self->mark == 0)
    {
      memset (self->marks, 0, self->steps->len * sizeof *self->marks);
      self->mark = 1;
    }
}

static gunichar
look (const char *text, gsize place, gsize length, gsize *size)
{
  gunichar c = NONE;

  *size = place == length ? 0 : sym_op_next_character (text + place, length - place, &c);
  return c;
}

gboolean
sym_op_regular_match (SymOpRegular *self,
                      SymKernel *kernel,
                      const char *text,
                      gsize length,
                      gboolean *matches,
                      GError **error)
{
  guint n = 0, n_next;
  gsize size, done = 0, place;
  gunichar c = look (text, 0, length, &size), after;

  begin_round (self);
  reach (self, 0, NONE, c, self->now, &n);
  for (place = size; c != NONE && n > 0; place += size)
    {
      guint *swap = self->now;

      after = look (text, place, length, &size);
      begin_round (self);
      n_next = 0;
      for (guint i = 0; i < n; i++)
        {
          const SymOpStep *at = &g_array_index (self->steps, SymOpStep, self->now[i]);

          if (at->kind == SYM_OP_STEP_SET && sym_op_regular_has (self, (guint) at->value, c))
            reach (self, self->now[i] + 1, c, after, self->next, &n_next);
        }
      if (!sym_op_go_on (kernel, &done, 4 * n, error))
        return FALSE;
      self->now = self->next;
      self->next = swap;
      n = n_next;
      c = after;
    }
  *matches = FALSE;
  for (guint i = 0; c == NONE && i < n; i++)
    if (g_array_index (self->steps, SymOpStep, self->now[i]).kind == SYM_OP_STEP_END)
      *matches = TRUE;
  return TRUE;
}
