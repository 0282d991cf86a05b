/* SPDX-License-Identifier: MIT */
#include "store/sym-store-pickle-private.h"

#include <string.h>

#include "store/sym-store-private.h"

/* Of values, and of those remembered: 100,000 tensors have as many, in 20 MB. */
#define MAX_VALUES 2000000

/* Of all lists together: that of 100,000 tensors has 1.3 times as many as there are values. */
#define MAX_PLACES (2 * MAX_VALUES)

/* Of all text together, beside twice the size of the pickle. */
#define MORE_TEXT (64 << 10)

struct _SymPickle {
  GPtrArray *values; /* all, owned */
  const SymPickleValue *value;
};

/* The machine that a pickle is a program for: a stack with marks in it, and a memory.  Both counts
 * bound what is remembered and used again, as a few bytes of a pickle can. */
typedef struct {
  SymPickle *pickle;
  const guint8 *bytes;
  gsize size, at, begin; /* of the instruction */
  const char *path;
  GPtrArray *stack;
  GArray *marks;    /* of guint: places in the stack */
  GHashTable *memo; /* number to value */
  gsize n_text;     /* bytes of all values */
  guint n_places;   /* in all lists */
} Machine;

static void
free_value (gpointer data)
{
  SymPickleValue *value = data;

  g_free (value->text);
  g_clear_pointer (&value->items, g_ptr_array_unref);
  g_free (value);
}

/* ---- Bytes ---- */

G_GNUC_PRINTF (3, 4)
static gboolean
fail (Machine *self, GError **error, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path, "byte %" G_GSIZE_FORMAT ": %s",
                         self->begin, text);
}

static const guint8 *
take (Machine *self, guint64 n, GError **error)
{
  gsize at = self->at;

  if (n > self->size - at)
    {
      fail (self, error, "the pickle ends within an instruction");
      return NULL;
    }
  self->at += (gsize) n;
  return self->bytes + at; /* which are NULL where there are none */
}

/* @n bytes, little-endian. */
static gboolean
take_number (Machine *self, guint n, guint64 *number, GError **error)
{
  const guint8 *place = take (self, n, error);

  *number = 0;
  if (place == NULL)
    return FALSE;
  for (guint i = n; i-- > 0;)
    *number = *number << 8 | place[i];
  return TRUE;
}

/* ---- The stack ---- */

static SymPickleValue *
push (Machine *self, SymPickleKind kind)
{
  SymPickleValue *value = g_new0 (SymPickleValue, 1);

  value->kind = kind;
  if (kind >= SYM_PICKLE_LIST && kind != SYM_PICKLE_GLOBAL)
    value->items = g_ptr_array_new ();
  g_ptr_array_add (self->pickle->values, value);
  g_ptr_array_add (self->stack, value);
  return value;
}

/* How many values lie above the last mark. */
static guint
count_free (const Machine *self)
{
  guint mark = self->marks->len == 0 ? 0 : g_array_index (self->marks, guint, self->marks->len - 1);

  return self->stack->len - mark;
}

static SymPickleValue *
peek (Machine *self, guint depth, GError **error)
{
  if (count_free (self) > depth)
    return self->stack->pdata[self->stack->len - 1 - depth];
  fail (self, error, "an instruction takes more values than there are");
  return NULL;
}

static SymPickleValue *
pop (Machine *self, GError **error)
{
  SymPickleValue *value = peek (self, 0, error);

  if (value != NULL)
    g_ptr_array_set_size (self->stack, (int) self->stack->len - 1);
  return value;
}

/* How many values lie above the last mark, which goes. */
static gboolean
pop_mark (Machine *self, guint *n, GError **error)
{
  *n = count_free (self);
  if (self->marks->len == 0)
    return fail (self, error, "there is no mark that it goes back to");
  g_array_set_size (self->marks, self->marks->len - 1);
  return TRUE;
}

static gboolean
push_tuple (Machine *self, guint n, GError **error)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();
  SymPickleValue *tuple;

  if (n > 0 && peek (self, n - 1, error) == NULL)
    return FALSE;
  for (guint i = self->stack->len - n; i < self->stack->len; i++)
    g_ptr_array_add (items, self->stack->pdata[i]);
  g_ptr_array_set_size (self->stack, (int) (self->stack->len - n));
  self->n_places += n;
  tuple = push (self, SYM_PICKLE_LIST);
  g_ptr_array_unref (tuple->items);
  tuple->items = g_steal_pointer (&items);
  return TRUE;
}

/* ---- Instructions: each with a number of its own ---- */

static gboolean
push_empty (Machine *self, guint kind, GError **error)
{
  return push (self, (SymPickleKind) kind) != NULL;
}

static gboolean
push_truth (Machine *self, guint truth, GError **error)
{
  push (self, SYM_PICKLE_NUMBER)->number = truth;
  return TRUE;
}

/* Of @n bytes; what is longer than all others is none. */
static gboolean
push_signed (Machine *self, guint n, GError **error)
{
  guint64 number;

  if (n > 8)
    return take (self, n, error) != NULL && push (self, SYM_PICKLE_NONE) != NULL;
  if (!take_number (self, n, &number, error))
    return FALSE;
  if (n > 0 && n < 8 && (number >> (8 * n - 1)) != 0)
    number |= ~(guint64) 0 << (8 * n);
  push (self, SYM_PICKLE_NUMBER)->number = (gint64) number;
  return TRUE;
}

static gboolean
push_unsigned (Machine *self, guint n, GError **error)
{
  guint64 number;

  if (!take_number (self, n, &number, error))
    return FALSE;
  push (self, SYM_PICKLE_NUMBER)->number = (gint64) number;
  return TRUE;
}

static gboolean
push_long (Machine *self, guint n_length, GError **error)
{
  guint64 n;

  if (!take_number (self, n_length, &n, error))
    return FALSE;
  if (n > G_MAXINT32)
    return fail (self, error, "an integer of %" G_GUINT64_FORMAT " bytes", n);
  return push_signed (self, (guint) n, error);
}

static gboolean
skip (Machine *self, guint n, GError **error)
{
  return take (self, n, error) != NULL;
}

/* Numbers with a point are not looked at. */
static gboolean
push_float (Machine *self, guint n, GError **error)
{
  return skip (self, n, error) && push (self, SYM_PICKLE_NONE) != NULL;
}

/* Room for @n bytes, and a NUL; NULL where all values together would have too many. */
static char *
push_room (Machine *self, SymPickleKind kind, gsize n, GError **error)
{
  SymPickleValue *value;

  if (self->n_text + n > 2 * self->size + MORE_TEXT)
    {
      fail (self, error,
            "more than twice the bytes of the pickle would be text, which is not read");
      return NULL;
    }
  self->n_text += n;
  value = push (self, kind);
  value->number = (gint64) n;
  value->text = g_malloc (n + 1);
  value->text[n] = '\0';
  return value->text;
}

/* Behind a length of @n_length bytes; what is no text is none. */
static gboolean
push_text (Machine *self, guint n_length, GError **error)
{
  const guint8 *place;
  char *text;
  guint64 n;

  if (!take_number (self, n_length, &n, error) || (place = take (self, n, error)) == NULL)
    return FALSE;
  if (!g_utf8_validate_len ((const char *) place, (gsize) n, NULL))
    return push (self, SYM_PICKLE_NONE) != NULL;
  text = push_room (self, SYM_PICKLE_TEXT, (gsize) n, error);
  if (text != NULL)
    memcpy (text, place, (gsize) n);
  return text != NULL;
}

static const char *
take_line (Machine *self, gsize *n, GError **error)
{
  const char *line = (const char *) self->bytes + self->at;
  const char *end = memchr (line, '\n', self->size - self->at);

  if (end == NULL || !g_utf8_validate_len (line, (gsize) (end - line), NULL))
    {
      fail (self, error, "the name of an object is no line of text");
      return NULL;
    }
  *n = (gsize) (end - line);
  self->at += *n + 1;
  return line;
}

static gboolean
push_name (Machine *self,
           const char *module,
           gsize n_module,
           const char *name,
           gsize n_name,
           GError **error)
{
  char *text = push_room (self, SYM_PICKLE_GLOBAL, n_module + 1 + n_name, error);

  if (text == NULL)
    return FALSE;
  memcpy (text, module, n_module);
  text[n_module] = ' ';
  memcpy (text + n_module + 1, name, n_name);
  return TRUE;
}

static gboolean
push_global (Machine *self, guint unused, GError **error)
{
  gsize n_module = 0, n_name = 0;
  const char *module = take_line (self, &n_module, error);
  const char *name = module == NULL ? NULL : take_line (self, &n_name, error);

  return name != NULL && push_name (self, module, n_module, name, n_name, error);
}

static gboolean
push_stack_global (Machine *self, guint unused, GError **error)
{
  const SymPickleValue *name = pop (self, error);
  const SymPickleValue *module = name == NULL ? NULL : pop (self, error);

  if (module == NULL)
    return FALSE;
  if (name->text == NULL || module->text == NULL)
    return fail (self, error, "the name of an object is no text");
  return push_name (self, module->text, (gsize) module->number, name->text, (gsize) name->number,
                    error);
}

static gboolean
push_pair (Machine *self, SymPickleKind kind, SymPickleValue *first, SymPickleValue *second)
{
  SymPickleValue *value = push (self, kind);

  g_ptr_array_add (value->items, first);
  if (second != NULL)
    g_ptr_array_add (value->items, second);
  self->n_places += value->items->len;
  return TRUE;
}

static gboolean
drop (Machine *self, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (pop (self, error) == NULL)
      return FALSE;
  return TRUE;
}

/* With so many values above the arguments.  Ordered dictionaries are made empty: filled later. */
static gboolean
call (Machine *self, guint n_more, GError **error)
{
  SymPickleValue *arguments = drop (self, n_more, error) ? pop (self, error) : NULL;
  SymPickleValue *callee = arguments == NULL ? NULL : pop (self, error);

  if (callee == NULL)
    return FALSE;
  if (sym_pickle_is_global (callee, "collections OrderedDict"))
    return push (self, SYM_PICKLE_DICT) != NULL;
  return push_pair (self, SYM_PICKLE_CALL, callee, arguments);
}

static gboolean
push_persistent (Machine *self, guint unused, GError **error)
{
  SymPickleValue *key = pop (self, error);

  return key != NULL && push_pair (self, SYM_PICKLE_PERSISTENT, key, NULL);
}

static gboolean
put (Machine *self, guint64 number, GError **error)
{
  SymPickleValue *value = peek (self, 0, error);

  if (value == NULL)
    return FALSE;
  g_hash_table_replace (self->memo, GSIZE_TO_POINTER ((gsize) number + 1), value);
  return TRUE;
}

static gboolean
put_next (Machine *self, guint unused, GError **error)
{
  return put (self, g_hash_table_size (self->memo), error);
}

static gboolean
put_at (Machine *self, guint n, GError **error)
{
  guint64 number;

  return take_number (self, n, &number, error) && put (self, number, error);
}

static gboolean
get_at (Machine *self, guint n, GError **error)
{
  guint64 number;
  gpointer value;

  if (!take_number (self, n, &number, error))
    return FALSE;
  value = g_hash_table_lookup (self->memo, GSIZE_TO_POINTER ((gsize) number + 1));
  if (value == NULL)
    return fail (self, error, "nothing was remembered as %" G_GUINT64_FORMAT, number);
  g_ptr_array_add (self->stack, value);
  return TRUE;
}

static gboolean
duplicate (Machine *self, guint unused, GError **error)
{
  SymPickleValue *value = peek (self, 0, error);

  if (value != NULL)
    g_ptr_array_add (self->stack, value);
  return value != NULL;
}

static gboolean
mark (Machine *self, guint unused, GError **error)
{
  g_array_append_val (self->marks, self->stack->len);
  return TRUE;
}

static gboolean
drop_marked (Machine *self, guint unused, GError **error)
{
  guint n;

  return pop_mark (self, &n, error) && drop (self, n, error);
}

static gboolean
push_marked_tuple (Machine *self, guint unused, GError **error)
{
  guint n;

  return pop_mark (self, &n, error) && push_tuple (self, n, error);
}

/* The upper @n values go into what lies below them, where that takes any. */
static gboolean
fill (Machine *self, guint n, GError **error)
{
  SymPickleValue *to = peek (self, n, error);
  guint first = self->stack->len - n;

  if (to == NULL)
    return FALSE;
  if (to->kind == SYM_PICKLE_LIST || to->kind == SYM_PICKLE_DICT)
    {
      for (guint i = first; i < self->stack->len; i++)
        g_ptr_array_add (to->items, self->stack->pdata[i]);
      self->n_places += n;
    }
  g_ptr_array_set_size (self->stack, (int) first);
  return TRUE;
}

static gboolean
fill_marked (Machine *self, guint unused, GError **error)
{
  guint n;

  return pop_mark (self, &n, error) && fill (self, n, error);
}

/* Those of protocols 0 and 1 that write numbers as lines are not among them. */
static const struct {
  gboolean (*step) (Machine *self, guint number, GError **error);
  guint number;
} steps[256] = {
  [0x80] = { skip, 1 },                     /* PROTO */
  [0x95] = { skip, 8 },                     /* FRAME */
  ['('] = { mark, 0 },                      /* MARK */
  ['0'] = { drop, 1 },                      /* POP */
  ['1'] = { drop_marked, 0 },               /* POP_MARK */
  ['2'] = { duplicate, 0 },                 /* DUP */
  ['N'] = { push_empty, SYM_PICKLE_NONE },  /* NONE */
  [0x88] = { push_truth, 1 },               /* NEWTRUE */
  [0x89] = { push_truth, 0 },               /* NEWFALSE */
  ['J'] = { push_signed, 4 },               /* BININT */
  ['K'] = { push_unsigned, 1 },             /* BININT1 */
  ['M'] = { push_unsigned, 2 },             /* BININT2 */
  [0x8a] = { push_long, 1 },                /* LONG1 */
  [0x8b] = { push_long, 4 },                /* LONG4 */
  ['G'] = { push_float, 8 },                /* BINFLOAT */
  ['U'] = { push_text, 1 },                 /* SHORT_BINSTRING */
  ['C'] = { push_text, 1 },                 /* SHORT_BINBYTES */
  [0x8c] = { push_text, 1 },                /* SHORT_BINUNICODE */
  ['T'] = { push_text, 4 },                 /* BINSTRING */
  ['B'] = { push_text, 4 },                 /* BINBYTES */
  ['X'] = { push_text, 4 },                 /* BINUNICODE */
  [0x8d] = { push_text, 8 },                /* BINUNICODE8 */
  [0x8e] = { push_text, 8 },                /* BINBYTES8 */
  [0x96] = { push_text, 8 },                /* BYTEARRAY8 */
  [')'] = { push_empty, SYM_PICKLE_LIST },  /* EMPTY_TUPLE */
  [']'] = { push_empty, SYM_PICKLE_LIST },  /* EMPTY_LIST */
  [0x8f] = { push_empty, SYM_PICKLE_LIST }, /* EMPTY_SET */
  ['}'] = { push_empty, SYM_PICKLE_DICT },  /* EMPTY_DICT */
  [0x85] = { push_tuple, 1 },               /* TUPLE1 */
  [0x86] = { push_tuple, 2 },               /* TUPLE2 */
  [0x87] = { push_tuple, 3 },               /* TUPLE3 */
  ['t'] = { push_marked_tuple, 0 },         /* TUPLE */
  [0x91] = { push_marked_tuple, 0 },        /* FROZENSET */
  ['a'] = { fill, 1 },                      /* APPEND */
  ['s'] = { fill, 2 },                      /* SETITEM */
  ['e'] = { fill_marked, 0 },               /* APPENDS */
  ['u'] = { fill_marked, 0 },               /* SETITEMS */
  [0x90] = { fill_marked, 0 },              /* ADDITEMS */
  ['c'] = { push_global, 0 },               /* GLOBAL */
  [0x93] = { push_stack_global, 0 },        /* STACK_GLOBAL */
  ['R'] = { call, 0 },                      /* REDUCE */
  [0x81] = { call, 0 },                     /* NEWOBJ */
  [0x92] = { call, 1 },                     /* NEWOBJ_EX */
  ['b'] = { drop, 1 },                      /* BUILD */
  ['Q'] = { push_persistent, 0 },           /* BINPERSID */
  ['q'] = { put_at, 1 },                    /* BINPUT */
  ['r'] = { put_at, 4 },                    /* LONG_BINPUT */
  [0x94] = { put_next, 0 },                 /* MEMOIZE */
  ['h'] = { get_at, 1 },                    /* BINGET */
  ['j'] = { get_at, 4 },                    /* LONG_BINGET */
};

/* ---- Programs ---- */

static gboolean
run (Machine *self, GError **error)
{
  for (;;)
    {
      const guint8 *code;

      self->begin = self->at;
      code = take (self, 1, error);
      if (code == NULL)
        return FALSE;
      if (*code == '.')
        break;
      if (steps[*code].step == NULL)
        return fail (self, error, "instruction 0x%02x of a pickle is not read", *code);
      if (!steps[*code].step (self, steps[*code].number, error))
        return FALSE;
      if (self->pickle->values->len > MAX_VALUES || g_hash_table_size (self->memo) > MAX_VALUES ||
          self->stack->len > MAX_VALUES || self->marks->len > MAX_VALUES)
        return fail (self, error, "a pickle of more than %d values is not read", MAX_VALUES);
      if (self->n_places > MAX_PLACES)
        return fail (self, error, "lists of more than %d places in all are not read", MAX_PLACES);
    }
  self->pickle->value = pop (self, error);
  return self->pickle->value != NULL;
}

SymPickle *
sym_pickle_read (const guint8 *bytes, gsize size, const char *path, GError **error)
{
  g_autoptr (SymPickle) self = g_new0 (SymPickle, 1);
  g_autoptr (GPtrArray) stack = g_ptr_array_new ();
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GHashTable) memo = g_hash_table_new (NULL, NULL);
  Machine machine = { self, bytes, size, 0, 0, path, stack, marks, memo, 0, 0 };

  self->values = g_ptr_array_new_with_free_func (free_value);
  return run (&machine, error) ? g_steal_pointer (&self) : NULL;
}

void
sym_pickle_free (SymPickle *self)
{
  g_ptr_array_unref (self->values);
  g_free (self);
}

/* ---- Values ---- */

const SymPickleValue *
sym_pickle_get_value (const SymPickle *self)
{
  return self->value;
}

const SymPickleValue *
sym_pickle_get_item (const SymPickleValue *value, SymPickleKind kind, guint i)
{
  return value == NULL || value->kind != kind || i >= value->items->len ? NULL
                                                                        : value->items->pdata[i];
}

gboolean
sym_pickle_is_global (const SymPickleValue *value, const char *name)
{
  return value != NULL && value->kind == SYM_PICKLE_GLOBAL && g_str_equal (value->text, name);
}

gboolean
sym_pickle_is_call (const SymPickleValue *value, const char *name)
{
  return sym_pickle_is_global (sym_pickle_get_item (value, SYM_PICKLE_CALL, 0), name);
}
