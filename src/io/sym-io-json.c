/* SPDX-License-Identifier: MIT */
#include "io/sym-io-private.h"

#include <string.h>

#include "core/sym-progress.h"
#include "io/sym-json-loose.h"
#include "io/sym-json-private.h"

/* Documents of JSON, and those that programs and people take for some. */

/* A reader that does not tell how far it is leaves that unknown. */
static SymModel *
read_values (const SymIoFormat *format, SymJson *json, SymIoSource *source, GError **error)
{
  SymProgressPart whole = sym_progress_enter (source->cancellable, SYM_IO_SHARE_VALUES, 1);
  SymModel *model;

  sym_progress_tell_unknown (source->cancellable);
  model = format->read (json, source, error);
  sym_progress_leave (source->cancellable, whole);
  return model;
}

static SymJson *
parse (GBytes *bytes, const SymIoSource *source, GError **error)
{
  return sym_json_parse_bounded (bytes, SYM_JSON_MAX_VALUES, source->problems, source->cancellable,
                                 error);
}

/* A document that was written as JSON once more: json.dump (model.to_json (), file) makes a string
 * of what is one already. */
static SymJson *
parse_wrapped (GBytes *bytes, const SymIoSource *source, GError **error)
{
  g_autoptr (SymJson) json = parse (bytes, source, error);
  g_autoptr (GBytes) inner = NULL;
  char *text;

  if (json == NULL || sym_json_get_kind (json, 0) != SYM_JSON_STRING)
    return g_steal_pointer (&json);
  text = sym_json_dup_string (json, 0);
  inner = g_bytes_new_take (text, strlen (text));
  if (source->problems != NULL)
    sym_problems_add (source->problems, SYM_SEVERITY_NOTE, 1, SYM_NO_ID, SYM_NO_ID,
                      "the file is a string that holds JSON: lines are those of what it holds");
  return parse (inner, source, error);
}

/* Whether the first key has no quotes: then none has, as flatc writes them; else one was lost. */
static gboolean
begins_bare (GBytes *bytes)
{
  gsize size, at = 0;
  const char *text = g_bytes_get_data (bytes, &size);

  while (at < size && (g_ascii_isspace (text[at]) || text[at] == '{' || text[at] == '['))
    at++;
  return at < size && (g_ascii_isalpha (text[at]) || text[at] == '_');
}

/* Whether each of several documents is in a line of its own. */
static gboolean
is_lines (GBytes *bytes)
{
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);
  const char *end = memchr (text, '\n', size);

  while (end != NULL && end > text && g_ascii_isspace (end[-1]))
    end--;
  return end != NULL && end > text && (end[-1] == '}' || end[-1] == ']') && end - text > 2;
}

/* Whether the documents of a list have all the same text. */
static gboolean
are_equal (const SymJson *json)
{
  SymJsonIter documents = sym_json_iterate (json, 0);
  gsize length, n;
  const char *first, *text;

  if (!sym_json_iter_next (json, &documents))
    return FALSE;
  first = sym_json_peek_text (json, documents.value, &length);
  while (sym_json_iter_next (json, &documents))
    {
      text = sym_json_peek_text (json, documents.value, &n);
      if (n != length || memcmp (text, first, n) != 0)
        return FALSE;
    }
  return TRUE;
}

/* A document that was appended to itself is read once, as its own reader stops after it:
 * Deeplearning4j's tests have such.  @json is the list of all, of the text in @tight.  NULL where
 * the documents differ, or are no graph. */
static SymJson *
parse_repeated (GBytes *tight, const SymJson *json, const SymIoSource *source)
{
  gsize length;
  const char *first = sym_json_peek_text (json, 1, &length);
  guint n = sym_json_count (json, 0);
  g_autoptr (GBytes) once = NULL;
  g_autoptr (SymJson) graph = NULL;
  int score;

  if (first == NULL || !are_equal (json))
    return NULL;
  once = g_bytes_new_from_bytes (
      tight, 1, (gsize) (first - json->text) + length - 1); /* behind the bracket of the list */
  graph = sym_json_parse_bounded (once, SYM_JSON_MAX_VALUES, NULL, source->cancellable, NULL);
  if (graph == NULL || sym_io_find_best (graph, &score) == NULL)
    return NULL;
  if (source->problems != NULL)
    sym_problems_add (source->problems, SYM_SEVERITY_NOTE, 1, SYM_NO_ID, SYM_NO_ID,
                      "the file has the same JSON document %u times: it is read once", n);
  return g_steal_pointer (&graph);
}

/* What people write by hand is only told what it is.  A graph that is a test case may have its
 * command above and what is to come of it below: onnx-mlir has such. */
static gboolean
may_be_graph (const SymJson *json, guint liberties, gboolean is_bare)
{
  int score;
  const SymIoFormat *format = sym_io_find_best (json, &score);

  return format != NULL &&
         (liberties == SYM_JSON_DOCUMENTS || liberties == SYM_JSON_REMARKS ||
          (liberties == SYM_JSON_BARE_WORDS && (is_bare || format->has_bare_keys)));
}

static const char *
describe_liberties (guint liberties)
{
  if (liberties == SYM_JSON_DOCUMENTS)
    return "the file is several JSON documents, one after another";
  if (liberties == SYM_JSON_REMARKS)
    return "comments are around the document, which JSON does not have: they are left out";
  return "keys have no quotes, which JSON demands";
}

/* Takes what is wrong with @bytes as JSON. */
static SymJson *
parse_loosely (GBytes *bytes, const SymIoSource *source, GError *take_cause, GError **error)
{
  guint liberties;
  g_autoptr (GBytes) tight = sym_json_tighten (bytes, &liberties);
  g_autoptr (GError) cause = take_cause;
  g_autoptr (GError) other = NULL;
  gboolean is_bare = begins_bare (bytes), is_graph;
  const char *what = NULL;
  int score;
  g_autoptr (SymJson) json =
      tight == NULL
          ? NULL
          : sym_json_parse_bounded (tight, SYM_JSON_MAX_VALUES, NULL, source->cancellable, &other);

  if (json != NULL && may_be_graph (json, liberties, is_bare))
    {
      if (source->problems != NULL)
        sym_problems_add (source->problems, SYM_SEVERITY_NOTE, 1, SYM_NO_ID, SYM_NO_ID, "%s",
                          describe_liberties (liberties));
      return g_steal_pointer (&json);
    }
  if (json != NULL && liberties == SYM_JSON_DOCUMENTS)
    {
      SymJson *once = parse_repeated (tight, json, source);

      if (once != NULL)
        return once;
    }
  is_graph =
      json != NULL && liberties != SYM_JSON_DOCUMENTS && sym_io_find_best (json, &score) != NULL;
  if (json != NULL && !is_graph) /* of a graph only what is wrong with it matters */
    what = sym_io_find_json_kind (json);
  if (json != NULL && what == NULL && liberties == SYM_JSON_DOCUMENTS && is_lines (bytes))
    what = "a list of JSON documents, one a line (JSON Lines)";
  if (json != NULL && what == NULL && (liberties & (SYM_JSON_COMMENTS | SYM_JSON_REMARKS)) != 0 &&
      !is_graph)
    what = "settings, or other JSON with comments";
  if (what != NULL)
    sym_io_refuse_unrecognised (what, error);
  else
    g_propagate_error (error, is_bare && other != NULL ? g_steal_pointer (&other)
                                                       : g_steal_pointer (&cause));
  return NULL;
}

static SymJson *
parse_text (GBytes *bytes, const SymIoSource *source, GError **error)
{
  GError *cause = NULL;
  SymJson *json = parse_wrapped (bytes, source, &cause);

  if (json != NULL)
    return json;
  if (g_error_matches (cause, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX))
    return parse_loosely (bytes, source, cause, error);
  g_propagate_error (error, cause);
  return NULL;
}

SymJson *
sym_io_parse_json (GBytes *bytes, const SymIoSource *source, GError **error)
{
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);
  const char *encoding = sym_json_find_wide_encoding ((const guint8 *) text, size);
  g_autoptr (GBytes) recoded =
      encoding == NULL ? NULL : sym_io_recode (text, size, encoding, error);
  SymJson *json;

  if (encoding == NULL)
    return parse_text (bytes, source, error);
  json = recoded == NULL ? NULL : parse_text (recoded, source, error);
  if (json != NULL && source->problems != NULL)
    sym_problems_add (source->problems, SYM_SEVERITY_NOTE, 1, SYM_NO_ID, SYM_NO_ID,
                      "the text is %s, where JSON demands UTF-8", encoding);
  return json;
}

SymModel *
sym_io_read_json (GBytes *bytes, SymIoSource *source, GError **error)
{
  g_autoptr (SymJson) json = NULL;
  SymProgressPart whole =
      sym_progress_enter (source->cancellable, SYM_IO_SHARE_BYTES, SYM_IO_SHARE_VALUES);
  const SymIoFormat *format;
  int score;

  json = sym_io_parse_json (bytes, source, error);
  sym_progress_leave (source->cancellable, whole);
  if (json == NULL || g_cancellable_set_error_if_cancelled (source->cancellable, error))
    return NULL;

  format = sym_io_find_best (json, &score);
  if (format == NULL)
    {
      g_autofree char *what = sym_io_describe_json (json);

      sym_io_refuse_unrecognised (what, error);
      return NULL;
    }
  if (!format->has_nan && !sym_json_refuse_nan (json, error))
    return NULL;
  return read_values (format, json, source, error);
}
