/* SPDX-License-Identifier: MIT */
#include "io/sym-io-private.h"

#include <string.h>

#include "io/sym-json.h"
#include "store/sym-store.h"

/* So many files in an archive are looked at. */
#define MAX_LOOKS 256

/* What is longer than the first and more than so many times the archive is no graph; all that is
 * looked at together is no longer either. */
#define FREE_BYTES (16 << 20)
#define MAX_RATIO 250

/* So many archives in it are kept to be looked into. */
#define MAX_NESTED 8

/* An archive, and the best graph that was found in it so far. */
typedef struct {
  SymStoreArchive *archive;
  SymIoSource source; /* of what is in it */
  const SymIoFormat *format;
  int score;
  guint entry;
  SymJson *json; /* or */
  SymBlob *blob;
  guint n_graphs;       /* that were as good */
  GError *error;        /* of the first file that might have been one */
  char *what;           /* the only file is */
  guint64 archive_size; /* of the outermost */
  guint64 n_bytes;      /* of the files that were read whole, those of archives in it as well */
  SymBlob *nested[MAX_NESTED]; /* the first archives in it, and which they are */
  guint entries[MAX_NESTED];
  guint n_nested;
  guint n_more;   /* archives beyond MAX_NESTED */
  guint n_bombs;  /* gzip files that hold more than what they are in can */
  guint64 n_gzip; /* bytes of those that are gzip */
} Best;

static void
clear_best (Best *best)
{
  g_clear_pointer (&best->json, sym_json_unref);
  g_clear_pointer (&best->blob, sym_blob_unref);
  for (guint i = 0; i < best->n_nested; i++)
    sym_blob_unref (best->nested[i]);
  g_clear_pointer (&best->archive, sym_store_archive_unref);
  g_clear_error (&best->error);
  g_free (best->what);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Best, clear_best)

static void
offer (Best *best, const SymIoFormat *format, int score, guint entry, SymJson *json, SymBlob *blob)
{
  if (format == NULL || score < best->score)
    return;
  best->n_graphs = score == best->score ? best->n_graphs + 1 : 1;
  if (score == best->score)
    return;
  best->format = format;
  best->score = score;
  best->entry = entry;
  g_clear_pointer (&best->json, sym_json_unref);
  g_clear_pointer (&best->blob, sym_blob_unref);
  best->json = json == NULL ? NULL : sym_json_ref (json);
  best->blob = blob == NULL ? NULL : sym_blob_ref (blob);
}

/* The whole of a file, which an archive's directory tells the size of. */
static GBytes *
read_all (Best *best, SymBlob *blob, GError **error)
{
  g_autofree guint8 *bytes = NULL;
  guint64 n = best->n_bytes + MIN (blob->size, SYM_IO_MAX_GRAPH_SIZE);

  if (blob->size > SYM_IO_MAX_GRAPH_SIZE || (n > FREE_BYTES && n / MAX_RATIO > best->archive_size))
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                   "%" G_GUINT64_FORMAT " bytes in an archive of %" G_GUINT64_FORMAT
                   ", after %" G_GUINT64_FORMAT " others, are no graph",
                   blob->size, best->archive_size, best->n_bytes);
      return NULL;
    }
  best->n_bytes = n;
  bytes = g_try_malloc ((gsize) blob->size + 1);
  if (bytes == NULL)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                   "there is no memory for %" G_GUINT64_FORMAT " bytes", blob->size);
      return NULL;
    }
  if (!sym_blob_read (blob, 0, blob->size, bytes, error))
    return NULL;
  return g_bytes_new_take (g_steal_pointer (&bytes), (gsize) blob->size);
}

static SymJson *
parse (GBytes *bytes, const SymIoSource *source, GError **error)
{
  SymIoSource quiet = *source;

  quiet.problems = NULL;
  return sym_io_parse_json (bytes, &quiet, error);
}

/* Downloads are packed again: a zip with a *.keras in it.  What gzip has packed can be packed no
 * further; more of it than what it is in can hold is a bomb. */
static void
keep_nested (Best *best, SymBlob *blob, guint entry, const guint8 *start, gsize n)
{
  gboolean is_gzip = n >= 2 && memcmp (start, "\x1f\x8b", 2) == 0;

  if (!sym_store_is_archive (start, n))
    return;
  if (is_gzip && (best->n_gzip + blob->size) / 2 > best->archive_size)
    {
      best->n_bombs++;
      return;
    }
  if (best->n_nested == MAX_NESTED)
    {
      best->n_more++;
      return;
    }
  if (is_gzip)
    best->n_gzip += blob->size;
  best->entries[best->n_nested] = entry;
  best->nested[best->n_nested++] = sym_blob_ref (blob);
}

/* A text with a mark, all of which is in @whole, without it, as sym_io_unmark(). */
static SymBlob *
unmark (GBytes *whole, guint8 *start, gsize *n, GError **error)
{
  g_autoptr (SymBlob) marked = sym_blob_new_bytes (whole);

  return sym_io_unmark (marked, start, n, error);
}

/* @whole is read if it is NULL. */
static gboolean
look_at_json (Best *best,
              guint i,
              SymBlob *blob,
              GBytes *whole,
              const SymIoSource *source,
              GError **error)
{
  g_autoptr (GBytes) bytes = whole != NULL ? g_bytes_ref (whole) : read_all (best, blob, error);
  g_autoptr (SymJson) json = bytes == NULL ? NULL : parse (bytes, source, error);
  const SymIoFormat *format;
  int score;

  if (json == NULL)
    return FALSE;
  format = sym_io_find_best (json, &score);
  offer (best, format, score, i, json, NULL);
  if (format == NULL && sym_store_archive_get_n (source->archive) == 1)
    best->what = sym_io_describe_json (json);
  return TRUE;
}

static gboolean
look_at_entry (Best *best, guint i, const SymIoSource *source, GError **error)
{
  g_autoptr (SymBlob) blob = sym_store_archive_open_entry (source->archive, i, error);
  g_autoptr (GBytes) whole = NULL;
  g_autofree guint8 *start = g_malloc (SYM_IO_LOOK_BYTES);
  const SymIoFormat *format;
  gsize n;
  int score;

  if (blob == NULL)
    return FALSE;
  n = (gsize) MIN (blob->size, SYM_IO_LOOK_BYTES);
  if (!sym_blob_read (blob, 0, n, start, error))
    return FALSE;
  if (sym_io_is_marked (start, n))
    {
      SymBlob *text;

      whole = read_all (best, blob, error);
      text = whole == NULL ? NULL : unmark (whole, start, &n, error);
      if (text == NULL)
        return FALSE;
      sym_blob_unref (blob);
      blob = text;
    }
  format = sym_io_find_best_bytes (start, n, blob->size, &score);
  if (format != NULL)
    offer (best, format, score, i, NULL, blob);
  else if (n > 0 && sym_io_looks_like_json (start, n))
    return look_at_json (best, i, blob, whole, source, error);
  else if (n > 0 && sym_store_archive_get_n (source->archive) == 1)
    best->what = g_strdup (sym_io_describe_bytes (start, n));
  if (format == NULL)
    keep_nested (best, blob, i, start, n);
  return TRUE;
}

static gboolean
look_at_all (Best *best, GError **error)
{
  const SymIoSource *source = &best->source;
  guint n = MIN (sym_store_archive_get_n (source->archive), MAX_LOOKS);

  for (guint i = 0; i < n; i++)
    {
      const char *name = sym_store_archive_get_name (source->archive, i);
      g_autoptr (GError) cause = NULL;

      if (g_cancellable_set_error_if_cancelled (source->cancellable, error))
        return FALSE;
      if (!look_at_entry (best, i, source, &cause) && best->error == NULL)
        {
          g_prefix_error (&cause, "%s: ", name);
          best->error = g_steal_pointer (&cause);
        }
    }
  return TRUE;
}

/* Fills @best with what is in the archive @blob.  TRUE does not mean that a graph is. */
static gboolean
look_into (Best *best, SymBlob *blob, const SymIoSource *source, GError **error)
{
  const char *path = source->path == NULL ? source->name : source->path;

  best->archive = sym_store_archive_open (blob, path, source->cancellable, error);
  if (best->archive == NULL)
    return FALSE;
  best->source = *source;
  best->source.archive = best->archive;
  best->source.archive_size = best->archive_size;
  return look_at_all (best, error);
}

static const char *
get_nested_name (const Best *best, guint i)
{
  return sym_store_archive_get_name (best->archive, best->entries[i]);
}

/* The same of the @i-th archive in @outer, which is read into memory as any other file of it is,
 * and called @name.  Both may take no more than one would. */
static gboolean
look_into_nested (Best *outer, guint i, const char *name, Best *inner, GError **error)
{
  g_autoptr (GBytes) bytes = read_all (outer, outer->nested[i], error);
  g_autoptr (SymBlob) blob = bytes == NULL ? NULL : sym_blob_new_bytes (bytes);
  SymIoSource source = outer->source;
  gboolean is_read;

  if (blob == NULL)
    return FALSE;
  source.path = NULL;
  source.name = name;
  inner->archive_size = outer->archive_size;
  inner->n_bytes = outer->n_bytes;
  is_read = look_into (inner, blob, &source, error);
  outer->n_bytes = inner->n_bytes;
  return is_read;
}

static void
set_refusal (Best *best, GError **error)
{
  const SymIoSource *source = &best->source;
  guint n = sym_store_archive_get_n (source->archive);
  const char *title = sym_store_archive_get_title (source->archive);
  const char *what = sym_io_describe_archive (source->archive);

  if (best->error != NULL)
    {
      GError *cause = g_steal_pointer (&best->error);

      sym_io_take_file_error (error, source->path == NULL ? "-" : source->path, cause);
    }
  else if (what != NULL)
    sym_io_refuse_unrecognised (what, error);
  else if (best->what != NULL)
    g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED,
                 "this is no saved graph that can be opened: it looks like %s, in which '%s' is %s",
                 title, sym_store_archive_get_name (source->archive, 0), best->what);
  else if (n == 0)
    g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED,
                 "this is no saved graph that can be opened: it looks like %s %s", title,
                 sym_store_archive_get_n_refused (source->archive) == 0
                     ? "without files"
                     : "whose files have names that lead out of it: they are not looked at");
  else
    g_set_error (
        error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED,
        "this is no saved graph that can be opened: it looks like %s, and none of what is in "
        "it ('%s'%s) is one",
        title, sym_store_archive_get_name (source->archive, 0), n > 1 ? ", ..." : "");
}

/* What was not looked at, behind a semicolon each; nothing where all was, or where what the archive
 * is leaves no question. */
static char *
describe_rest (const Best *best)
{
  GString *rest = g_string_new (NULL);
  guint n = sym_store_archive_get_n (best->archive);

  if (best->error == NULL && sym_io_describe_archive (best->archive) != NULL)
    return g_string_free (rest, FALSE);
  if (n > MAX_LOOKS)
    g_string_append_printf (rest, "; of %u files in it only the first %d are looked at", n,
                            MAX_LOOKS);
  if (best->n_more > 0)
    g_string_append_printf (rest, "; of %u archives in it only the first %d are looked into",
                            best->n_nested + best->n_more, MAX_NESTED);
  if (best->n_bombs > 0)
    g_string_append_printf (rest,
                            "; %u gzip %s not looked into: all of them would have more than twice "
                            "the bytes of what they are in",
                            best->n_bombs, best->n_bombs == 1 ? "file is" : "files are");
  return g_string_free (rest, FALSE);
}

/* Why none of the files is a graph: what is wrong with the one that might have been, else what they
 * are. */
static void
refuse (Best *best, GError **error)
{
  g_autofree char *rest = describe_rest (best);
  g_autoptr (GError) cause = NULL;

  set_refusal (best, &cause);
  g_set_error (error, cause->domain, cause->code, "%s%s", cause->message, rest);
}

static void
tell_others (const Best *best)
{
  const SymIoSource *source = &best->source;
  guint n_refused = sym_store_archive_get_n_refused (source->archive);

  if (best->n_graphs > 1)
    sym_problems_add (source->problems, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                      "%s has %u graphs; the first, '%s', is shown",
                      sym_store_archive_get_title (source->archive), best->n_graphs,
                      sym_store_archive_get_name (source->archive, best->entry));
  if (n_refused > 0)
    sym_problems_add (source->problems, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                      "%u files are left out: their names lead out of the archive", n_refused);
}

gboolean
sym_io_archive_has_graph (SymBlob *blob, const SymIoSource *source)
{
  g_auto (Best) best = { .archive_size = blob->size };

  if (!look_into (&best, blob, source, NULL))
    return FALSE;
  for (guint i = 0; i < best.n_nested && best.format == NULL; i++)
    {
      g_auto (Best) inner = { 0 };

      if (look_into_nested (&best, i, get_nested_name (&best, i), &inner, NULL) &&
          inner.format != NULL)
        return TRUE;
    }
  return best.format != NULL;
}

static SymModel *
read_best (Best *best, GError **error)
{
  SymIoSource source = best->source;

  tell_others (best);
  source.path = NULL;
  source.entry = sym_store_archive_get_name (best->archive, best->entry);
  if (best->json == NULL)
    return best->format->read_bytes (best->blob, &source, error);
  if (!best->format->has_nan && !sym_json_refuse_nan (best->json, error))
    return NULL;
  return best->format->read (best->json, &source, error);
}

static void
tell_more_nested (const Best *best, guint i)
{
  guint n = best->n_nested - i - 1 + best->n_more + best->n_bombs;

  if (n > 0)
    sym_problems_add (best->source.problems, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID,
                      "the graph in '%s' is shown; %u more %s not looked into",
                      get_nested_name (best, i), n, n == 1 ? "archive is" : "archives are");
}

/* The graph of the @i-th archive in @outer.  *@is_last: it has one, which may be faulty, or nobody
 * waits for any. */
static SymModel *
read_nested (Best *outer, guint i, gboolean *is_last, GError **error)
{
  g_auto (Best) inner = { 0 };
  g_autofree char *name = g_path_get_basename (get_nested_name (outer, i));
  GError *cause = NULL;
  SymModel *model = NULL;

  *is_last = FALSE;
  if (!look_into_nested (outer, i, name, &inner, &cause))
    *is_last = g_cancellable_is_cancelled (outer->source.cancellable);
  else if (inner.format == NULL)
    refuse (&inner, &cause);
  else
    {
      *is_last = TRUE;
      tell_more_nested (outer, i);
      model = read_best (&inner, &cause);
    }
  if (cause != NULL)
    {
      sym_io_take_file_error (error, name, cause);
      g_prefix_error (error, "%s: ", get_nested_name (outer, i));
    }
  return model;
}

/* What might be a graph says more than what is none. */
static gboolean
says_more (const GError *error, const GError *other)
{
  return other == NULL || (g_error_matches (other, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED) &&
                           !g_error_matches (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED));
}

/* The graph of the first archive in @outer that has one. */
static SymModel *
read_first_nested (Best *outer, GError **error)
{
  for (guint i = 0; i < outer->n_nested; i++)
    {
      g_autoptr (GError) cause = NULL;
      gboolean is_last;
      SymModel *model = read_nested (outer, i, &is_last, &cause);

      if (model != NULL)
        return model;
      if (is_last)
        {
          g_propagate_error (error, g_steal_pointer (&cause));
          return NULL;
        }
      if (says_more (cause, outer->error))
        {
          g_clear_error (&outer->error);
          outer->error = g_steal_pointer (&cause);
        }
    }
  refuse (outer, error);
  return NULL;
}

SymModel *
sym_io_read_archive (SymBlob *blob, const SymIoSource *source, GError **error)
{
  g_auto (Best) best = { .archive_size = blob->size };

  if (!look_into (&best, blob, source, error))
    return NULL;
  return best.format != NULL ? read_best (&best, error) : read_first_nested (&best, error);
}
