/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "io/sym-tvm-private.h"

/* ---- Functions ---- */

/* Longer names are cut, and have a hash of the whole. */
#define MAX_NAME 80
#define MIN_HASH 8

/* Where the hash of what is cut off begins, with the "_" before it: "..._1234567890_"; @end where
 * there is none, or where nothing can have been cut off. */
static const char *
find_hash (const char *function, const char *end)
{
  const char *last = end > function && end[-1] == '_' ? end - 1 : end, *at = last;
  gboolean has_digit = FALSE;

  for (; at > function && g_ascii_isxdigit (at[-1]); at--)
    has_digit = has_digit || g_ascii_isdigit (at[-1]);
  if (last - at < MIN_HASH || !has_digit || at == function || at[-1] != '_')
    return end;
  return at - 1 - function < MAX_NAME ? at - 1 : end;
}

static const char *
find_number (const char *function, const char *end)
{
  const char *at = end;

  while (at > function && g_ascii_isdigit (at[-1]))
    at--;
  return end - at < MIN_HASH && at < end && at > function + 1 && at[-1] == '_' ? at - 1 : end;
}

const char *
sym_tvm_find_type (const char *function, gsize *length)
{
  static const char *const prefixes[] = { "tvmgen_default_", "fused_", "fuse_" };
  const char *end = function + *length, *named = function;

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    {
      gsize n = strlen (prefixes[i]);

      if ((gsize) (end - function) > n && memcmp (function, prefixes[i], n) == 0)
        function += n;
      named = i == 0 ? function : named;
    }
  end = find_number (function, end);
  end = find_hash (named, end);
  *length = (gsize) (end - function);
  return function;
}

/* ---- Weights ---- */

static gboolean
is_numbered (const char *name, const char *prefix)
{
  const char *at = name;

  if (!g_str_has_prefix (name, prefix) || name[strlen (prefix)] == '\0')
    return FALSE;
  for (at += strlen (prefix); g_ascii_isdigit (*at);)
    at++;
  return *at == '\0';
}

gboolean
sym_tvm_is_weight_name (const char *name)
{
  return is_numbered (name, "p");
}

gboolean
sym_tvm_is_nnvm_weight_name (const char *name)
{
  static const char *const ends[] = { "_weight",     "_bias",        "_gamma",
                                      "_beta",       "_moving_mean", "_running_mean",
                                      "_moving_var", "_running_var", "_sc",
                                      "_expand" };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (g_str_has_suffix (name, ends[i]))
      return TRUE;
  return is_numbered (name, "_param_");
}
