/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-tensor.h"
#include "io/sym-io.h"
#include "io/sym-json.h"
#include "store/sym-store-archive.h"

G_BEGIN_DECLS

/* Where a graph came from. */
typedef struct {
  const char *path;      /* NULL for standard input, for bytes and within an archive */
  const char *name;      /* for people, and the model's name */
  SymProblems *problems; /* found so far: belong among the model's */
  GCancellable *cancellable;
  SymStoreArchive *archive; /* NULL, or what it is in, borrowed, */
  const char *entry;        /* and the name that it has there */
  guint64 archive_size;     /* in bytes; 0 outside of one */
  const char *weights;      /* a file that the user chose; NULL: by the format's rule */
} SymIoSource;

/* A graph without its weights.  The largest known one has 24 MB. */
#define SYM_IO_MAX_GRAPH_SIZE (G_GUINT64_CONSTANT (512) << 20)

/* By so many bytes a format is recognised. */
#define SYM_IO_LOOK_BYTES (64 << 10)

/* A format: a `const` table in one file of this folder and one line in sym-io-table.c. */
struct _SymIoFormat {
  const char *name;
  const char *title;
  const char *versions;
  const char *limits; /* what of it is not read, run or written */
  const char *suffix;
  gboolean has_nan;       /* its writers make NaN and Infinity */
  gboolean has_bare_keys; /* its writers leave out the quotes of some keys, not of the first */
  gboolean takes_weights; /* its reader looks at SymIoSource.weights */
  gboolean is_archive;    /* its writer makes archives, and so may replace one */
  gboolean is_view;       /* what is written is to be looked at, and is less than the model */

  /* How sure it is that the document is of this format: 0 not at all, 100 by a mark of its own.
   * Looks at keys only; a document of this format with wrong values in it is still of this format.
   */
  int (*score) (const SymJson *json);

  /* Reads a document that scored best.  SYM_IO_ERROR_FORMAT or _LIMIT with the line. */
  SymModel *(*read) (SymJson *json, const SymIoSource *source, GError **error);

  /* The same of documents that are no JSON, by the first bytes of @size: how sure it is that
   * @start, at most 64 KiB, begins one, and its reader.  @size is G_MAXUINT64 while it is not
   * known.  NULL for formats that are JSON; those that are not have no score() and read(). */
  int (*score_bytes) (const guint8 *start, gsize n, guint64 size);
  SymModel *(*read_bytes) (SymBlob *blob, const SymIoSource *source, GError **error);

  /* Writes graph and weights; NULL for a format that is only read.  As sym_io_write().  A format
   * that is only written has none of the above. */
  gboolean (*write) (SymModel *model,
                     const SymInference *inference,
                     const char *path,
                     SymProblems *notes,
                     GError **error);

  /* As sym_io_tell(), of a model that has an origin of this format; NULL for a format whose files
   * tell nothing. */
  void (*tell) (const SymModel *model, SymIoTellFunc func, gpointer user_data);
};

/* The format that scores best, NULL for none, and its score. */
const SymIoFormat *sym_io_find_best (const SymJson *json, int *score);
const SymIoFormat *sym_io_find_best_bytes (const guint8 *start, gsize n, guint64 size, int *score);

/* Whether the text may be JSON by its first bytes, marks and wide encodings included, which the
 * JSON front end names. */
gboolean sym_io_looks_like_json (const guint8 *bytes, gsize size);

/* What of the time to open a document of JSON its bytes take, and then its values; making a model
 * of them takes the rest. */
#define SYM_IO_SHARE_BYTES 0.05
#define SYM_IO_SHARE_VALUES 0.25

/* A document of JSON; one that is in a string; and what programs write for JSON (flatc leaves out
 * the quotes of keys, Chakra writes several documents), if a graph is in it.  An error is that of
 * the syntax, or SYM_IO_ERROR_UNRECOGNISED with what the file is: settings with comments. */
SymJson *sym_io_parse_json (GBytes *bytes, const SymIoSource *source, GError **error);

/* Reads the graph that a document of JSON holds. */
SymModel *sym_io_read_json (GBytes *bytes, SymIoSource *source, GError **error);

/* Sets SYM_IO_ERROR_UNRECOGNISED, which says @what the file looks like; returns FALSE. */
gboolean sym_io_refuse_unrecognised (const char *what, GError **error);

/* Reads the graph that is in an archive: the one that is recognised best. */
SymModel *sym_io_read_archive (SymBlob *blob, const SymIoSource *source, GError **error);
gboolean sym_io_archive_has_graph (SymBlob *blob, const SymIoSource *source);

#define SYM_IO_SAVED_MODEL "a TensorFlow SavedModel in which no graph is found"

/* One sentence's end that says what bytes, or a well-formed document, look like: "a PNG picture".
 */
const char *sym_io_describe_bytes (const guint8 *bytes, gsize size);
char *sym_io_describe_json (const SymJson *json);

/* The same where its kind is known, else NULL. */
const char *sym_io_find_json_kind (const SymJson *json);

/* The same of an archive, by the names of its files; NULL when they tell nothing. */
const char *sym_io_describe_archive (const SymStoreArchive *archive);

/* An error of the store in the domain of this layer, without the path before it, which whoever
 * shows the message knows. */
void sym_io_take_file_error (GError **error, const char *path, GError *take_cause);

/* Replaces the file at @path by @text; "-" is standard output.  Errors are SYM_IO_ERROR_FILE. */
gboolean sym_io_write_text (const char *path, const char *text, gsize length, GError **error);

/* All of a text that is read at once, of @blob->size bytes; free it.  NULL with SYM_IO_ERROR_LIMIT
 * for one that is larger than what people write. */
char *sym_io_read_text (SymBlob *blob, GError **error);

/* ---- sym-io-marked.c ---- */

/* @text as UTF-8, without a mark.  NULL with SYM_IO_ERROR_SYNTAX. */
GBytes *sym_io_recode (const char *text, gsize size, const char *encoding, GError **error);

/* Whether a text begins with a byte order mark. */
gboolean sym_io_is_marked (const guint8 *start, gsize n);

/* The text of one that does, as UTF-8 without it.  @start, of SYM_IO_LOOK_BYTES, has the first *@n
 * bytes of @blob, and then of the text.  What is UTF-8 by its mark is not looked at: its reader
 * tells the place of what is none.  JSON's front end knows marks itself, the readers of other texts
 * meet none. */
SymBlob *sym_io_unmark (SymBlob *blob, guint8 *start, gsize *n, GError **error);

/* Sets SYM_IO_ERROR_SYNTAX, "line 3, column 5: ...", for the place @at, which is in line @line of
 * the text that begins at @start. */
void sym_io_set_place_error (GError **error,
                             const char *start,
                             const char *at,
                             guint line,
                             const char *format,
                             va_list arguments) G_GNUC_PRINTF (5, 0);

G_END_DECLS
