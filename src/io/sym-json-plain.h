/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include <glib.h>

#ifdef __SSE2__
#  include <emmintrin.h>
#endif

G_BEGIN_DECLS

/* What most of a document of JSON is: text without escapes, and whole numbers.  Here rather than
 * behind a call, since a large file has a million of each. */

#ifdef __SSE2__

#  define SYM_JSON_WIDTH 16

/* A bit for each of the bytes at @at that does not stand for itself in a string: controls, the
 * quote, the backslash, and what is not ASCII, which is negative here. */
static inline guint64
sym_json_mark_special (const guint8 *at)
{
  __m128i bytes = _mm_loadu_si128 ((const __m128i *) at);
  __m128i special = _mm_cmplt_epi8 (bytes, _mm_set1_epi8 (0x20));

  special = _mm_or_si128 (special, _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('"')));
  special = _mm_or_si128 (special, _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('\\')));
  return (guint) _mm_movemask_epi8 (special);
}

static inline guint
sym_json_find_mark (guint64 marks)
{
  return (guint) __builtin_ctzll (marks);
}

#else

#  define SYM_JSON_WIDTH 8

#  define SYM_JSON_EACH(byte) (G_GUINT64_CONSTANT (0x0101010101010101) * (byte))

/* Of the bytes that are below @limit the highest bit, and of some above such a one.  Those beyond
 * ASCII do not count. */
static inline guint64
sym_json_mark_below (guint64 eight, guint8 limit)
{
  return (eight - SYM_JSON_EACH (limit)) & ~eight;
}

/* The highest bit of each of the bytes at @at that does not stand for itself in a string: controls,
 * the quote, the backslash, and what is not ASCII.  The lowest mark is always a true one. */
static inline guint64
sym_json_mark_special (const guint8 *at)
{
  guint64 eight;

  memcpy (&eight, at, sizeof eight);
  eight = GUINT64_FROM_LE (eight);
  return (sym_json_mark_below (eight, 0x20) | sym_json_mark_below (eight ^ SYM_JSON_EACH ('"'), 1) |
          sym_json_mark_below (eight ^ SYM_JSON_EACH ('\\'), 1) | eight) &
         SYM_JSON_EACH (0x80);
}

static inline guint
sym_json_find_mark (guint64 marks)
{
  return (guint) __builtin_ctzll (marks) / 8;
}

#endif

static inline gboolean
sym_json_is_plain (guint8 byte)
{
  return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/* Many bytes at a time: most names are longer. */
static inline const guint8 *
sym_json_skip_plain (const guint8 *at, const guint8 *end)
{
  for (; end - at >= SYM_JSON_WIDTH; at += SYM_JSON_WIDTH)
    {
      guint64 marks = sym_json_mark_special (at);

      if (marks != 0)
        return at + sym_json_find_mark (marks);
    }
  while (at < end && sym_json_is_plain (*at))
    at++;
  return at;
}

#define SYM_JSON_EIGHT_SPACES G_GUINT64_CONSTANT (0x2020202020202020)

/* Over what a line is indented by, eight spaces at a time. */
static inline const guint8 *
sym_json_skip_spaces (const guint8 *at, const guint8 *end)
{
  guint64 eight;

  for (; end - at >= 8; at += 8)
    {
      memcpy (&eight, at, sizeof eight);
      if (eight != SYM_JSON_EIGHT_SPACES)
        break;
    }
  while (at < end && *at == ' ')
    at++;
  return at;
}

#define SYM_JSON_EIGHT_ZEROS G_GUINT64_CONSTANT (0x3030303030303030)
#define SYM_JSON_HIGHEST_BITS G_GUINT64_CONSTANT (0x8080808080808080)

/* Digits are 0 to 9 where '0' is taken away, and what is more has its highest bit set when so much
 * is added that ten has.  The lowest mark is always a true one. */
#define SYM_JSON_BEYOND_NINE G_GUINT64_CONSTANT (0x7676767676767676)

/* Over digits, eight at a time: most numbers have fewer. */
static inline const guint8 *
sym_json_skip_digits (const guint8 *at, const guint8 *end)
{
  guint64 eight, marks;

  for (; end - at >= 8; at += 8)
    {
      memcpy (&eight, at, sizeof eight);
      eight = GUINT64_FROM_LE (eight) ^ SYM_JSON_EIGHT_ZEROS;
      marks = (eight | (eight + SYM_JSON_BEYOND_NINE)) & SYM_JSON_HIGHEST_BITS;
      if (marks != 0)
        return at + __builtin_ctzll (marks) / 8;
    }
  while (at < end && *at >= '0' && *at <= '9')
    at++;
  return at;
}

/* Over the digits of a whole number, which most are; @at where none stands, but maybe another. */
static inline const guint8 *
sym_json_skip_whole (const guint8 *at, const guint8 *end)
{
  const guint8 *first = at;

  at = sym_json_skip_digits (at, end);
  if (at == end || *at == '.' || (*at | 0x20) == 'e' || (at > first + 1 && *first == '0'))
    return first;
  return at;
}

G_END_DECLS
