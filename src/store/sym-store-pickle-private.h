/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a pickle says (protocols 2 to 5, as CPython's pickletools tells them), as data: objects that
 * it would have Python import, call or make are only named.  Nothing is ever run. */
typedef struct _SymPickle SymPickle;

typedef enum {
  SYM_PICKLE_NONE,
  SYM_PICKLE_NUMBER, /* an integer or a truth; other numbers are none */
  SYM_PICKLE_TEXT,
  SYM_PICKLE_LIST,      /* or a tuple, or a set */
  SYM_PICKLE_DICT,      /* ordered ones as well: keys and values by turns */
  SYM_PICKLE_GLOBAL,    /* text: "torch._utils _rebuild_tensor_v2" */
  SYM_PICKLE_CALL,      /* of item 0 with item 1, the arguments */
  SYM_PICKLE_PERSISTENT /* what stands elsewhere, by the key that is item 0 */
} SymPickleKind;

/* Owned by the pickle; one may be in several others. */
typedef struct {
  SymPickleKind kind;
  gint64 number; /* where there is a text, how many bytes it has */
  char *text;
  GPtrArray *items; /* of SymPickleValue; NULL where the kind has none */
} SymPickleValue;

/* Takes time in proportion to @size, and memory for at most two million values, for four million
 * places in their lists, and for text of twice as many bytes as @size and 64 KiB.  @path is for
 * messages: SYM_STORE_ERROR_FORMAT with the byte. */
SymPickle *sym_pickle_read (const guint8 *bytes, gsize size, const char *path, GError **error);
void sym_pickle_free (SymPickle *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymPickle, sym_pickle_free)

const SymPickleValue *sym_pickle_get_value (const SymPickle *self);

/* Item @i of a value that is of @kind, which may be NULL; NULL for none. */
const SymPickleValue *
sym_pickle_get_item (const SymPickleValue *value, SymPickleKind kind, guint i);

/* Whether it is a call of, or is itself, what is called @name; NULL is not. */
gboolean sym_pickle_is_call (const SymPickleValue *value, const char *name);
gboolean sym_pickle_is_global (const SymPickleValue *value, const char *name);

G_END_DECLS
