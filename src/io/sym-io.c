/* SPDX-License-Identifier: MIT */
#include "io/sym-io-private.h"

#include <string.h>

#include "core/sym-problem-left-out.h"
#include "core/sym-progress.h"
#include "io/sym-json-private.h"
#include "store/sym-store-archive.h"
#include "store/sym-store-h5.h"
#include "store/sym-store.h"

/* Of a text that is read at once: there are no larger ones that people have written. */
#define MAX_TEXT_SIZE (G_GUINT64_CONSTANT (512) << 20)

G_DEFINE_QUARK (sym - io - error - quark, sym_io_error)

void
sym_io_take_file_error (GError **error, const char *path, GError *take_cause)
{
  g_autofree char *shown =
      g_filename_display_name (strcmp (path, "-") == 0 ? "standard input" : path);
  GError *cause = take_cause;
  const char *message = cause->message;

  if (cause->domain != SYM_STORE_ERROR)
    {
      g_propagate_error (error, cause);
      return;
    }
  if (g_str_has_prefix (message, shown) && g_str_has_prefix (message + strlen (shown), ": "))
    message += strlen (shown) + 2;
  g_set_error_literal (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE, message);
  g_error_free (cause);
}

const SymIoFormat *
sym_io_find_best (const SymJson *json, int *score)
{
  const SymIoFormat *best = NULL;

  *score = 0;

  for (const SymIoFormat *const *format = sym_io_get_formats (); *format != NULL; format++)
    {
      int own = (*format)->score == NULL ? 0 : (*format)->score (json);

      if (own > *score)
        {
          best = *format;
          *score = own;
        }
    }
  return best;
}

const SymIoFormat *
sym_io_find_best_bytes (const guint8 *start, gsize n, guint64 size, int *score)
{
  const SymIoFormat *best = NULL;

  *score = 0;

  for (const SymIoFormat *const *format = sym_io_get_formats (); *format != NULL; format++)
    {
      int own = (*format)->score_bytes == NULL ? 0 : (*format)->score_bytes (start, n, size);

      if (own > *score)
        {
          best = *format;
          *score = own;
        }
    }
  return best;
}

/* "[net]" and "[tool:flake8]" are headings, "[null]" a list. */
static gboolean
is_heading (const guint8 *bytes, gsize size)
{
  static const char *const literals[] = { "null", "true", "false", "NaN", "Infinity" };
  gsize n = 1;

  while (n < size && (g_ascii_isalnum (bytes[n]) || memchr ("._:-", bytes[n], 4) != NULL))
    n++;
  if (n == 1 || !g_ascii_isalpha (bytes[1]) || n == size || bytes[n] != ']')
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (literals); i++)
    if (strncmp ((const char *) bytes + 1, literals[i], n - 1) == 0)
      return FALSE;
  return TRUE;
}

/* Settings often begin with a comment. */
static gsize
skip_comments (const guint8 *bytes, gsize size, gsize at)
{
  while (size - at >= 2 && bytes[at] == '/' && (bytes[at + 1] == '/' || bytes[at + 1] == '*'))
    {
      const char *end = bytes[at + 1] == '/' ? "\n" : "*/";
      const char *found =
          g_strstr_len ((const char *) bytes + at + 2, (gssize) (size - at - 2), end);

      at = found == NULL ? size : (gsize) (found - (const char *) bytes) + strlen (end);
      while (at < size && g_ascii_isspace (bytes[at]))
        at++;
    }
  return at;
}

gboolean
sym_io_looks_like_json (const guint8 *bytes, gsize size)
{
  gsize at = 0;

  if (size >= 3 && memcmp (bytes, "\xef\xbb\xbf", 3) == 0)
    at = 3;
  while (at < size && (g_ascii_isspace (bytes[at]) || (at < 3 && bytes[at] == 0)))
    at++;
  if (at == size)
    return size == 0 || bytes[0] != 0;
  at = skip_comments (bytes, size, at);
  if (at == size)
    return FALSE;
  if (bytes[at] == '{' || bytes[at] == '[')
    return !is_heading (bytes + at, size - at);
  if (bytes[at] == '"' && at + 1 < size)
    return bytes[at + 1] == '{';
  return size >= 2 && (memcmp (bytes, "\xff\xfe", 2) == 0 || memcmp (bytes, "\xfe\xff", 2) == 0);
}

gboolean
sym_io_refuse_unrecognised (const char *what, GError **error)
{
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED,
               "this is no saved graph that can be opened: it looks like %s", what);
  return FALSE;
}

static gboolean
look_at_start (const guint8 *start, gsize size, GError **error)
{
  int score;

  return sym_io_looks_like_json (start, size) || sym_store_is_archive (start, size) ||
         sym_io_is_marked (start, size) ||
         sym_io_find_best_bytes (start, size, G_MAXUINT64, &score) != NULL ||
         sym_io_refuse_unrecognised (sym_io_describe_bytes (start, size), error);
}

/* @start has the first @n bytes. */
static SymModel *
read_marked (SymBlob *blob, guint8 *start, gsize n, const SymIoSource *source, GError **error)
{
  g_autoptr (SymBlob) text = sym_io_unmark (blob, start, &n, error);
  const SymIoFormat *format;
  int score;

  if (text == NULL)
    return NULL;
  format = sym_io_find_best_bytes (start, n, text->size, &score);
  if (format != NULL)
    return format->read_bytes (text, source, error);
  if (!sym_io_looks_like_json (start, n))
    sym_io_refuse_unrecognised (sym_io_describe_bytes (start, n), error);
  return NULL;
}

/* What is no JSON by its first bytes; NULL without an error when it is none that a reader of bytes
 * knows. */
static SymModel *
read_blob (SymBlob *blob, const SymIoSource *source, GError **error)
{
  gsize n = (gsize) MIN (blob->size, SYM_IO_LOOK_BYTES);
  g_autofree guint8 *start = g_malloc (SYM_IO_LOOK_BYTES);
  const SymIoFormat *format;
  int score;

  if (!sym_blob_read (blob, 0, n, start, NULL))
    return NULL;
  if (sym_io_is_marked (start, n))
    return read_marked (blob, start, n, source, error);
  format = sym_io_find_best_bytes (start, n, blob->size, &score);
  if (format != NULL)
    return format->read_bytes (blob, source, error);
  return sym_store_is_archive (start, n) ? sym_io_read_archive (blob, source, error) : NULL;
}

/* A regular file that is no JSON is not read into memory: its reader gets it as a blob. */
static SymModel *
read_file (const char *path, const SymIoSource *source, GError **error)
{
  g_autoptr (SymBlob) blob = sym_store_open_file (path, NULL);

  return blob == NULL ? NULL : read_blob (blob, source, error);
}

/* @bytes passed look_at_start(). */
static SymModel *
read_document (GBytes *bytes, SymIoSource *source, GError **error)
{
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);
  GError *cause = NULL;
  SymModel *model = read_blob (blob, source, &cause);

  if (model != NULL || cause != NULL)
    {
      if (cause != NULL)
        sym_io_take_file_error (error, source->path == NULL ? "-" : source->path, cause);
      return model;
    }
  return sym_io_read_json (bytes, source, error);
}

static GBytes *
read_text (const char *path, GCancellable *cancellable, GError **error)
{
  SymProgressPart whole = sym_progress_enter (cancellable, 0, SYM_IO_SHARE_BYTES);
  GBytes *bytes =
      sym_store_read_all (path, SYM_IO_MAX_GRAPH_SIZE, look_at_start, cancellable, error);

  sym_progress_leave (cancellable, whole);
  return bytes;
}

const SymIoFormat *
sym_io_find_format (const char *name)
{
  for (const SymIoFormat *const *format = sym_io_get_formats (); *format != NULL; format++)
    if (g_strcmp0 ((*format)->name, name) == 0)
      return *format;

  return NULL;
}

const char *
sym_io_format_get_name (const SymIoFormat *self)
{
  return self->name;
}

const char *
sym_io_format_get_title (const SymIoFormat *self)
{
  return self->title;
}

const char *
sym_io_format_get_versions (const SymIoFormat *self)
{
  return self->versions;
}

const char *
sym_io_format_get_limits (const SymIoFormat *self)
{
  return self->limits;
}

const char *
sym_io_format_get_suffix (const SymIoFormat *self)
{
  return self->suffix;
}

gboolean
sym_io_format_can_read (const SymIoFormat *self)
{
  return self->read != NULL || self->read_bytes != NULL;
}

gboolean
sym_io_format_can_save (const SymIoFormat *self)
{
  return self->write != NULL && !self->is_view;
}

gboolean
sym_io_format_can_write (const SymIoFormat *self)
{
  return self->write != NULL;
}

gboolean
sym_io_format_takes_weights (const SymIoFormat *self)
{
  return self->takes_weights;
}

static SymModel *
read_named (const char *path, const char *weights, GCancellable *cancellable, GError **error)
{
  gboolean is_stdin = strcmp (path, "-") == 0;
  g_autofree char *name = is_stdin ? g_strdup ("standard input") : g_path_get_basename (path);
  g_autoptr (SymProblems) problems = sym_problems_new ();
  SymIoSource source = { is_stdin ? NULL : path, name, problems, cancellable, .weights = weights };
  GError *cause = NULL;
  g_autoptr (GBytes) bytes = NULL;

  sym_progress_begin (cancellable, SYM_STAGE_READ);
  if (!is_stdin && g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      SymModel *model = read_file (path, &source, &cause);

      if (model != NULL)
        {
          sym_progress_tell (cancellable, 1, 1);
          return model;
        }
      if (cause != NULL)
        {
          sym_io_take_file_error (error, path, cause);
          return NULL;
        }
    }
  bytes = read_text (path, cancellable, &cause);
  if (bytes == NULL)
    {
      sym_io_take_file_error (error, path, cause);
      return NULL;
    }
  return read_document (bytes, &source, error);
}

static SymModel *
read_path (const char *path, const char *weights, GCancellable *cancellable, GError **error)
{
  g_autofree char *found = NULL;

  if (strcmp (path, "-") == 0 || !g_file_test (path, G_FILE_TEST_IS_DIR))
    return read_named (path, weights, cancellable, error);
  found = sym_io_find_in_folder (path, cancellable, error);
  return found == NULL ? NULL : read_named (found, weights, cancellable, error);
}

SymModel *
sym_io_read (const char *path, GCancellable *cancellable, GError **error)
{
  return read_path (path, NULL, cancellable, error);
}

SymModel *
sym_io_read_with_weights (const char *path,
                          const char *weights,
                          GCancellable *cancellable,
                          GError **error)
{
  g_autoptr (SymModel) model = read_path (path, weights, cancellable, error);
  const SymIoFormat *format = model == NULL ? NULL : sym_io_get_model_format (model);

  if (weights != NULL && format != NULL && !format->takes_weights)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                   "weights cannot be chosen for this format (%s)", format->title);
      return NULL;
    }
  return g_steal_pointer (&model);
}

SymModel *
sym_io_read_bytes (GBytes *bytes, const char *name, GError **error)
{
  g_autoptr (SymProblems) problems = sym_problems_new ();
  SymIoSource source = { NULL, name, problems, NULL, NULL, NULL };
  gsize size;
  const guint8 *start = g_bytes_get_data (bytes, &size);

  return look_at_start (start, MIN (size, SYM_IO_LOOK_BYTES), error)
             ? read_document (bytes, &source, error)
             : NULL;
}

const SymIoFormat *
sym_io_get_model_format (const SymModel *model)
{
  const char *name = sym_model_get_format (model);

  return name == NULL ? NULL : sym_io_find_format (name);
}

void
sym_io_tell (const SymModel *model, SymIoTellFunc func, gpointer user_data)
{
  const SymIoFormat *format = sym_io_get_model_format (model);

  if (format != NULL && format->tell != NULL && sym_model_get_origin (model) != NULL)
    format->tell (model, func, user_data);
}

/* JSON that keeps more than a graph. */
static const struct {
  const char *member, *told;
} keepers[] = {
  { "weightsManifest", "a TensorFlow.js model, which would lose the list of its weights" },
  { "trainable_params", "a frugally-deep model, which would lose its weights" },
};

/* The whole text in UTF-8; NULL where it is too long, or cannot be read. */
static GBytes *
read_plain (SymBlob *blob)
{
  g_autofree char *text = sym_io_read_text (blob, NULL);
  gsize size = (gsize) blob->size;
  const char *encoding =
      text == NULL ? NULL : sym_json_find_wide_encoding ((const guint8 *) text, size);

  if (encoding != NULL)
    return sym_io_recode (text, size, encoding, NULL);
  return text == NULL ? NULL : g_bytes_new_take (g_steal_pointer (&text), size);
}

static gboolean
names_keeper (GBytes *bytes)
{
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);
  gboolean is_named = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (keepers); i++)
    is_named |= memmem (text, size, keepers[i].member, strlen (keepers[i].member)) != NULL;
  return is_named;
}

/* What is in the file that cannot be written again; NULL for nothing.  What cannot be looked into
 * may be anything. */
static const char *
find_kept (SymBlob *blob)
{
  g_autoptr (GBytes) bytes = read_plain (blob);
  g_autoptr (SymProblems) problems = sym_problems_new ();
  SymIoSource source = { .problems = problems };

  if (bytes == NULL)
    return blob->size > MAX_TEXT_SIZE ? "JSON of more than 512 MiB, which may hold weights"
                                      : "JSON that cannot be read, which may hold weights";
  if (!names_keeper (bytes))
    return NULL;
  g_autoptr (SymJson) json = sym_io_parse_json (bytes, &source, NULL);

  if (json == NULL)
    return "JSON that cannot be read, which may hold weights";
  for (guint i = 0; i < G_N_ELEMENTS (keepers); i++)
    if (sym_json_get_kind (json, 0) == SYM_JSON_OBJECT &&
        sym_json_get_member (json, 0, keepers[i].member) != SYM_JSON_NONE)
      return keepers[i].told;
  return NULL;
}

/* What an archive or HDF5 holds besides the graph, weights above all, would be gone, and what is
 * beside it in some JSON. */
static gboolean
may_replace (const SymIoFormat *format, const char *path, GError **error)
{
  g_autoptr (SymBlob) blob = strcmp (path, "-") == 0 ? NULL : sym_store_open_file (path, NULL);
  g_autofree guint8 *start = g_malloc0 (SYM_IO_LOOK_BYTES);
  gsize n = blob == NULL ? 0 : (gsize) MIN (blob->size, SYM_IO_LOOK_BYTES);

  if (n == 0 || !sym_blob_read (blob, 0, n, start, NULL))
    return TRUE;
  const char *kept = sym_io_looks_like_json (start, n) ? find_kept (blob) : NULL;

  if (kept != NULL)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                   "the file there is %s: it is not written over; choose another name", kept);
      return FALSE;
    }
  if ((!sym_store_is_archive (start, n) && !sym_store_is_h5 (start, n)) ||
      (format->is_archive && g_str_has_suffix (path, format->suffix)))
    return TRUE;
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
               "the file there is %s, which may hold more than the graph: it is not written over; "
               "choose another name",
               sym_store_is_h5 (start, n) ? "HDF5" : "an archive");
  return FALSE;
}

gboolean
sym_io_write (const SymIoFormat *format,
              SymModel *model,
              const SymInference *inference,
              const char *path,
              SymProblems *notes,
              GError **error)
{
  if (format->write == NULL)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED, "%s is read, but not written",
                   format->title);
      return FALSE;
    }
  if (!may_replace (format, path, error) || !format->write (model, inference, path, notes, error))
    return FALSE;
  if (notes != NULL)
    sym_problems_append_left_out (notes, sym_model_get_problems (model));
  return TRUE;
}

gboolean
sym_io_write_text (const char *path, const char *text, gsize length, GError **error)
{
  GError *cause = NULL;
  g_autoptr (SymStoreWriter) writer = sym_store_writer_new (path, &cause);

  if (writer != NULL && sym_store_writer_write (writer, text, length, &cause) &&
      sym_store_writer_commit (writer, &cause))
    return TRUE;

  sym_io_take_file_error (error, path, cause);
  return FALSE;
}

char *
sym_io_read_text (SymBlob *blob, GError **error)
{
  g_autofree char *text = NULL;

  if (blob->size > MAX_TEXT_SIZE)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                   "a text of %" G_GUINT64_FORMAT " bytes is not read; at most %" G_GUINT64_FORMAT
                   " are",
                   blob->size, MAX_TEXT_SIZE);
      return NULL;
    }
  text = g_malloc (blob->size + 1);
  return sym_blob_read (blob, 0, blob->size, text, error) ? g_steal_pointer (&text) : NULL;
}

void
sym_io_set_place_error (GError **error,
                        const char *start,
                        const char *at,
                        guint line,
                        const char *format,
                        va_list arguments)
{
  g_autofree char *message = g_strdup_vprintf (format, arguments);
  const char *line_start = at;

  while (line_start > start && line_start[-1] != '\n')
    line_start--;
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX, "line %u, column %u: %s", line,
               (guint) (at - line_start) + 1, message);
}
