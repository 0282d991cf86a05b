/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Writes JSON as it is told, in that order: same calls, same bytes.  An array opened as rows has
 * each element on a line of its own; all else stays on one line.  What it has is handed to @write
 * in large pieces; after a failed write it is silent, and sym_cli_json_end() tells.  Keys and
 * strings are UTF-8; bytes that are not become U+FFFD. */
typedef struct _SymCliJson SymCliJson;

typedef gboolean (*SymCliJsonWrite) (gpointer target,
                                     const void *bytes,
                                     gsize size,
                                     GError **error);

SymCliJson *sym_cli_json_new (SymCliJsonWrite write, gpointer target);

/* To standard output. */
SymCliJson *sym_cli_json_new_stdout (void);

/* Ends the text with a newline and hands over the rest.  Frees @self. */
gboolean sym_cli_json_end (SymCliJson *self, GError **error);
void sym_cli_json_free (SymCliJson *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymCliJson, sym_cli_json_free)

void sym_cli_json_begin_object (SymCliJson *self);
void sym_cli_json_end_object (SymCliJson *self);
void sym_cli_json_begin_array (SymCliJson *self);
void sym_cli_json_begin_rows (SymCliJson *self);
void sym_cli_json_end_array (SymCliJson *self);

/* Before each value of an object. */
void sym_cli_json_add_key (SymCliJson *self, const char *key);

void sym_cli_json_add_null (SymCliJson *self);
void sym_cli_json_add_bool (SymCliJson *self, gboolean value);
void sym_cli_json_add_int (SymCliJson *self, gint64 value);
void sym_cli_json_add_uint (SymCliJson *self, guint64 value);

/* The shortest literal that reads back as @value; null when it is not finite. */
void sym_cli_json_add_double (SymCliJson *self, double value);

/* Rounded to three decimals, of which trailing zeros are left out: a place on paper.  Cheap. */
void sym_cli_json_add_thousandths (SymCliJson *self, double value);

/* NULL is null. */
void sym_cli_json_add_string (SymCliJson *self, const char *value);

G_END_DECLS
