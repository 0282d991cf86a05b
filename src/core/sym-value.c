/* SPDX-License-Identifier: MIT */
#include "core/sym-value-private.h"

#include <string.h>

#include "core/sym-text.h"

/* Elements of a list that a hash is made of. */
#define MAX_HASHED 8

struct _SymValue {
  gatomicrefcount ref_count;
  SymValueKind kind;
  guint n_children;
  union {
    gint64 integer; /* bool, int, dtype and operand */
    double number;
    char *string; /* string and opaque: behind the value itself */
    char **keys;  /* dict: n_children of them, not NULL-ended */
    SymTensor *tensor;
  };
  SymValue *children[];
};

/* With room for @n_more bytes behind it. */
static SymValue *
allocate (SymValueKind kind, gsize n_more)
{
  SymValue *self = g_malloc (sizeof *self + n_more);

  g_atomic_ref_count_init (&self->ref_count);
  self->kind = kind;
  self->n_children = 0;
  self->integer = 0;
  return self;
}

static SymValue *
value_new (SymValueKind kind, SymValue *const *children, guint n)
{
  SymValue *self = allocate (kind, n * sizeof (SymValue *));

  self->n_children = n;
  for (guint i = 0; i < n; i++)
    self->children[i] = children[i];
  return self;
}

static SymValue *
new_integer (SymValueKind kind, gint64 integer)
{
  SymValue *self = value_new (kind, NULL, 0);

  self->integer = integer;
  return self;
}

static SymValue *
new_text (SymValueKind kind, const char *text, gsize length)
{
  SymValue *self = allocate (kind, length + 1);

  self->string = (char *) self->children;
  memcpy (self->string, text, length);
  self->string[length] = '\0';
  return self;
}

SymValue *
sym_value_new_none (void)
{
  return value_new (SYM_VALUE_NONE, NULL, 0);
}

SymValue *
sym_value_new_bool (gboolean value)
{
  return new_integer (SYM_VALUE_BOOL, value != FALSE);
}

SymValue *
sym_value_new_int (gint64 value)
{
  return new_integer (SYM_VALUE_INT, value);
}

SymValue *
sym_value_new_float (double value)
{
  SymValue *self = value_new (SYM_VALUE_FLOAT, NULL, 0);

  self->number = value;
  return self;
}

SymValue *
sym_value_new_string (const char *value)
{
  g_return_val_if_fail (value != NULL, NULL);

  return new_text (SYM_VALUE_STRING, value, strlen (value));
}

SymValue *
sym_value_new_string_of (const char *text, gsize length)
{
  g_return_val_if_fail (text != NULL, NULL);

  return new_text (SYM_VALUE_STRING, text, length);
}

SymValue *
sym_value_new_dtype (SymDType value)
{
  return new_integer (SYM_VALUE_DTYPE, value);
}

SymValue *
sym_value_new_ellipsis (void)
{
  return value_new (SYM_VALUE_ELLIPSIS, NULL, 0);
}

SymValue *
sym_value_new_slice (SymValue *take_start, SymValue *take_stop, SymValue *take_step)
{
  SymValue *parts[] = { take_start, take_stop, take_step };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] == NULL)
      parts[i] = sym_value_new_none ();

  return value_new (SYM_VALUE_SLICE, parts, G_N_ELEMENTS (parts));
}

SymValue *
sym_value_new_operand (guint index)
{
  return new_integer (SYM_VALUE_OPERAND, index);
}

SymValue *
sym_value_new_opaque (const char *type_name)
{
  g_return_val_if_fail (type_name != NULL, NULL);

  return new_text (SYM_VALUE_OPAQUE, type_name, strlen (type_name));
}

SymValue *
sym_value_new_tensor (SymTensor *tensor)
{
  SymValue *self;

  g_return_val_if_fail (tensor != NULL, NULL);

  self = value_new (SYM_VALUE_TENSOR, NULL, 0);
  self->tensor = sym_tensor_ref (tensor);
  return self;
}

SymValue *
sym_value_new_list (SymValue *const *children, guint n)
{
  return value_new (SYM_VALUE_LIST, children, n);
}

SymValue *
sym_value_new_tuple (SymValue *const *children, guint n)
{
  return value_new (SYM_VALUE_TUPLE, children, n);
}

SymValue *
sym_value_new_dict (const char *const *keys, SymValue *const *children, guint n)
{
  SymValue *self = value_new (SYM_VALUE_DICT, children, n);

  self->keys = g_new (char *, n);
  for (guint i = 0; i < n; i++)
    self->keys[i] = g_strdup (keys[i]);
  return self;
}

SymValue *
sym_value_new_ints (SymValueKind list_or_tuple, const gint64 *values, guint n)
{
  SymValue *self;

  g_return_val_if_fail (list_or_tuple == SYM_VALUE_LIST || list_or_tuple == SYM_VALUE_TUPLE, NULL);

  self = allocate (list_or_tuple, n * sizeof (SymValue *));
  self->n_children = n;
  for (guint i = 0; i < n; i++)
    self->children[i] = sym_value_new_int (values[i]);
  return self;
}

SymValue *
sym_value_ref (SymValue *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static void
free_own (SymValue *self)
{
  if (self->kind == SYM_VALUE_TENSOR)
    sym_tensor_unref (self->tensor);
  if (self->kind == SYM_VALUE_DICT)
    {
      for (guint i = 0; i < self->n_children; i++)
        g_free (self->keys[i]);
      g_free (self->keys);
    }
  g_free (self);
}

void
sym_value_unref (SymValue *self)
{
  g_autoptr (GPtrArray) last = NULL;

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  if (self->n_children == 0)
    {
      free_own (self);
      return;
    }

  /* A tree may be deeper than the stack of the thread that drops it. */
  last = g_ptr_array_new ();
  g_ptr_array_add (last, self);
  while (last->len > 0)
    {
      SymValue *value = g_ptr_array_steal_index_fast (last, last->len - 1);

      for (guint i = 0; i < value->n_children; i++)
        if (g_atomic_ref_count_dec (&value->children[i]->ref_count))
          g_ptr_array_add (last, value->children[i]);
      free_own (value);
    }
}

void
sym_value_set_operand (SymValue *self, guint index)
{
  g_assert (self->kind == SYM_VALUE_OPERAND);

  self->integer = index;
}

SymValueKind
sym_value_get_kind (const SymValue *self)
{
  return self->kind;
}

guint
sym_value_get_n_children (const SymValue *self)
{
  return self->n_children;
}

const SymValue *
sym_value_get_child (const SymValue *self, guint i)
{
  g_return_val_if_fail (i < self->n_children, NULL);

  return self->children[i];
}

const char *
sym_value_get_key (const SymValue *self, guint i)
{
  g_return_val_if_fail (self->kind == SYM_VALUE_DICT && i < self->n_children, NULL);

  return self->keys[i];
}

gboolean
sym_value_get_bool (const SymValue *self, gboolean *value)
{
  if (self->kind != SYM_VALUE_BOOL)
    return FALSE;

  *value = self->integer != 0;
  return TRUE;
}

gboolean
sym_value_get_int (const SymValue *self, gint64 *value)
{
  if (self->kind != SYM_VALUE_INT && self->kind != SYM_VALUE_BOOL &&
      self->kind != SYM_VALUE_OPERAND)
    return FALSE;

  *value = self->integer;
  return TRUE;
}

gboolean
sym_value_get_float (const SymValue *self, double *value)
{
  if (self->kind == SYM_VALUE_FLOAT)
    *value = self->number;
  else if (self->kind == SYM_VALUE_INT || self->kind == SYM_VALUE_BOOL)
    *value = (double) self->integer;
  else
    return FALSE;

  return TRUE;
}

const char *
sym_value_get_string (const SymValue *self)
{
  if (self->kind == SYM_VALUE_STRING || self->kind == SYM_VALUE_OPAQUE)
    return self->string;
  if (self->kind == SYM_VALUE_DTYPE)
    return sym_dtype_to_string ((SymDType) self->integer);

  return NULL;
}

gint64
sym_value_as_int (const SymValue *self, gint64 fallback)
{
  gint64 number;

  return self != NULL && sym_value_get_int (self, &number) ? number : fallback;
}

double
sym_value_as_float (const SymValue *self, double fallback)
{
  double number;

  return self != NULL && sym_value_get_float (self, &number) ? number : fallback;
}

const char *
sym_value_as_string (const SymValue *self, const char *fallback)
{
  const char *text = self == NULL ? NULL : sym_value_get_string (self);

  return text == NULL ? fallback : text;
}

SymTensor *
sym_value_get_tensor (const SymValue *self)
{
  return self->kind == SYM_VALUE_TENSOR ? self->tensor : NULL;
}

/* One integer of a shape-like list. */
static gboolean
get_dim (const SymValue *self, gint64 *dim)
{
  if (self->kind == SYM_VALUE_NONE)
    {
      *dim = SYM_DIM_UNKNOWN;
      return TRUE;
    }
  return self->kind != SYM_VALUE_OPERAND && sym_value_get_int (self, dim);
}

int
sym_value_get_ints (const SymValue *self, gint64 *values, int max)
{
  const SymValue *single[] = { self };
  const SymValue *const *items = single;
  guint n = 1;
  gint64 item;

  if (self->kind == SYM_VALUE_LIST || self->kind == SYM_VALUE_TUPLE)
    {
      items = (const SymValue *const *) self->children;
      n = self->n_children;
    }
  else if (self->kind != SYM_VALUE_INT && self->kind != SYM_VALUE_BOOL)
    {
      return -1;
    }

  for (guint i = 0; i < n; i++)
    if (!get_dim (items[i], &item))
      return -1;
  for (guint i = 0; i < n && (int) i < max; i++)
    get_dim (items[i], &values[i]);
  return (int) n;
}

/* Whether the nodes themselves are equal, children aside. */
static gboolean
equal_own (const SymValue *a, const SymValue *b)
{
  if (a->kind != b->kind || a->n_children != b->n_children)
    return FALSE;

  switch (a->kind)
    {
    case SYM_VALUE_FLOAT:
      return a->number == b->number || (a->number != a->number && b->number != b->number);
    case SYM_VALUE_STRING:
    case SYM_VALUE_OPAQUE:
      return strcmp (a->string, b->string) == 0;
    case SYM_VALUE_TENSOR:
      return sym_tensor_equal (a->tensor, b->tensor);
    case SYM_VALUE_BOOL:
    case SYM_VALUE_INT:
    case SYM_VALUE_DTYPE:
    case SYM_VALUE_OPERAND:
      return a->integer == b->integer;
    case SYM_VALUE_DICT:
      for (guint i = 0; i < a->n_children; i++)
        if (strcmp (a->keys[i], b->keys[i]) != 0)
          return FALSE;
      return TRUE;
    case SYM_VALUE_NONE:
    case SYM_VALUE_ELLIPSIS:
    case SYM_VALUE_SLICE:
    case SYM_VALUE_LIST:
    case SYM_VALUE_TUPLE:
    default:
      return TRUE;
    }
}

gboolean
sym_value_equal (const SymValue *a, const SymValue *b)
{
  g_autoptr (GPtrArray) pairs = NULL;

  if (a == b)
    return TRUE;
  if (!equal_own (a, b) || a->n_children == 0)
    return equal_own (a, b);

  pairs = g_ptr_array_new ();
  g_ptr_array_add (pairs, (gpointer) a);
  g_ptr_array_add (pairs, (gpointer) b);
  while (pairs->len > 0)
    {
      const SymValue *right = g_ptr_array_steal_index_fast (pairs, pairs->len - 1);
      const SymValue *left = g_ptr_array_steal_index_fast (pairs, pairs->len - 1);

      if (left == right)
        continue;
      if (!equal_own (left, right))
        return FALSE;
      for (guint i = 0; i < left->n_children; i++)
        {
          g_ptr_array_add (pairs, left->children[i]);
          g_ptr_array_add (pairs, right->children[i]);
        }
    }

  return TRUE;
}

static guint64
hash_own (guint64 hash, const SymValue *self)
{
  double number = 0;
  guint64 bits;

  switch (self->kind)
    {
    case SYM_VALUE_FLOAT:
      if (self->number == self->number)
        number = self->number + 0.0; /* of both zeros the same */
      memcpy (&bits, &number, sizeof bits);
      return sym_hash_mix (hash, bits);
    case SYM_VALUE_STRING:
    case SYM_VALUE_OPAQUE:
      return sym_hash_mix (hash, sym_text_hash (0, self->string, strlen (self->string)));
    case SYM_VALUE_BOOL:
    case SYM_VALUE_INT:
    case SYM_VALUE_DTYPE:
    case SYM_VALUE_OPERAND:
      return sym_hash_mix (hash, (guint64) self->integer);
    case SYM_VALUE_TENSOR:
    case SYM_VALUE_DICT:
    case SYM_VALUE_NONE:
    case SYM_VALUE_ELLIPSIS:
    case SYM_VALUE_SLICE:
    case SYM_VALUE_LIST:
    case SYM_VALUE_TUPLE:
    default:
      return sym_hash_mix (hash, self->n_children);
    }
}

guint64
sym_value_hash (guint64 start, const SymValue *self)
{
  guint64 hash = hash_own (sym_hash_mix (start, self->kind), self);

  for (guint i = 0; i < MIN (self->n_children, MAX_HASHED); i++)
    hash = hash_own (hash, self->children[i]);
  return hash;
}
