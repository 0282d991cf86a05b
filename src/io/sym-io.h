/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/sym-infer.h"

G_BEGIN_DECLS

#define SYM_IO_ERROR (sym_io_error_quark ())

typedef enum {
  SYM_IO_ERROR_FILE,   /* cannot be read or written: missing, folder, no permission, changed */
  SYM_IO_ERROR_SYNTAX, /* not what its format's grammar allows; line or byte in the message */
  SYM_IO_ERROR_FORMAT, /* well-formed, but breaks the format's own rules */
  SYM_IO_ERROR_UNRECOGNISED, /* no format takes it; the message says what it looks like */
  SYM_IO_ERROR_UNSUPPORTED,  /* a layer or value that the target format cannot express, named */
  SYM_IO_ERROR_LIMIT,        /* nesting, size */
} SymIoError;

GQuark sym_io_error_quark (void);

/* A saved-graph format: one file in this folder, one line in sym-io-table.c. */
typedef struct _SymIoFormat SymIoFormat;

const SymIoFormat *const *sym_io_get_formats (void);      /* NULL-ended */
const SymIoFormat *sym_io_find_format (const char *name); /* "mxnet", "symscope"; NULL for none */
const char *sym_io_format_get_name (const SymIoFormat *self);
const char *sym_io_format_get_title (const SymIoFormat *self); /* "MXNet symbol JSON" */
const char *sym_io_format_get_versions (const SymIoFormat *self);
const char *sym_io_format_get_limits (const SymIoFormat *self); /* what of it is not read or run */
const char *sym_io_format_get_suffix (const SymIoFormat *self); /* "-symbol.json" */
gboolean sym_io_format_can_read (const SymIoFormat *self);
gboolean sym_io_format_can_write (const SymIoFormat *self);

/* Whether weights can be chosen for it, as sym_io_read_with_weights() does. */
gboolean sym_io_format_takes_weights (const SymIoFormat *self);

/* Whether what was read from this format can be saved into it again: the format holds a model, and
 * not only a view of one. */
gboolean sym_io_format_can_save (const SymIoFormat *self);

/* The one graph among the files of a folder, as TensorFlow saves a model; SYM_IO_ERROR_FILE with
 * their names where there are several.  Folders inside are not looked at. */
char *sym_io_find_in_folder (const char *path, GCancellable *cancellable, GError **error);

/* Opens a graph; "-" is standard input, a folder stands for the one in it.  The format is
 * recognised by content.  Weights beside the graph are found by the format's rule, their bytes stay
 * in their file.  The message of an error says which line or byte, and what was expected there.
 * Problems that leave something to show are in sym_model_get_problems(). */
SymModel *sym_io_read (const char *path, GCancellable *cancellable, GError **error);

/* The same with the weights in the file @weights, which the user chose, in place of those beside
 * the graph; NULL is none.  SYM_IO_ERROR_UNSUPPORTED for a format that takes none; weights that
 * cannot be read are an error here. */
SymModel *sym_io_read_with_weights (const char *path,
                                    const char *weights,
                                    GCancellable *cancellable,
                                    GError **error);
SymModel *sym_io_read_bytes (GBytes *bytes, const char *name, GError **error);

/* The format the model came from, NULL when it was built. */
const SymIoFormat *sym_io_get_model_format (const SymModel *model);

/* What the file tells of the model as a whole, besides its graph: which program made it, for which
 * versions of what, and notes; by the names that the format has for them, in its order.  Nothing of
 * a model that was built, or whose format or file tells nothing.  The texts are the caller's only
 * while @func runs. */
typedef void (*SymIoTellFunc) (const char *name, const char *text, gpointer user_data);
void sym_io_tell (const SymModel *model, SymIoTellFunc func, gpointer user_data);

/* Writes a graph and its weights beside it; "-" is standard output (graph only).  Atomic: a file is
 * replaced when its successor is complete; HDF5 is not, and an archive only by one of its kind,
 * with SYM_IO_ERROR_UNSUPPORTED.  @inference may be NULL: its shapes are used where the format
 * stores shapes.  @notes, when not NULL, receives what could not be expressed but does no harm.
 * While weights are copied, GLib's current cancellable (g_cancellable_push_current) can stop it;
 * then no file has changed. */
gboolean sym_io_write (const SymIoFormat *format,
                       SymModel *model,
                       const SymInference *inference,
                       const char *path,
                       SymProblems *notes,
                       GError **error);

G_END_DECLS
