/* SPDX-License-Identifier: MIT */
#include "io/sym-proto.h"

#include <string.h>

#define N_FIRST 4 /* entries: most messages have no more */
#define N_CELLS 128

/* A message with room for its first entries. */
typedef struct {
  SymProtoMessage message;
  SymProtoEntry first[N_FIRST];
} Cell;

struct _SymProto {
  gatomicrefcount ref_count;
  SymBlob *blob;
  GPtrArray *cells; /* blocks of N_CELLS, in which the messages are */
  guint n_messages;
  GStringChunk *strings;
  GPtrArray *memory; /* blocks of numbers */
  GPtrArray *tensors;
  GPtrArray *kept;   /* of SymProto */
  GHashTable *texts; /* bytes that are no text to what is shown of them; NULL for none */
};

/* ---- Documents ---- */

static gboolean
are_first (const SymProtoMessage *self)
{
  return self->entries == ((const Cell *) self)->first;
}

static SymProtoMessage *
get_message (const SymProto *self, guint i)
{
  Cell *block = g_ptr_array_index (self->cells, i / N_CELLS);

  return &block[i % N_CELLS].message;
}

static void
free_messages (SymProto *self)
{
  for (guint i = 0; i < self->n_messages; i++)
    {
      SymProtoMessage *message = get_message (self, i);

      if (!are_first (message))
        g_free (message->entries);
    }
  g_ptr_array_unref (self->cells);
}

SymProto *
sym_proto_new (SymBlob *blob)
{
  SymProto *self = g_new0 (SymProto, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->blob = blob == NULL ? NULL : sym_blob_ref (blob);
  self->cells = g_ptr_array_new_with_free_func (g_free);
  self->strings = g_string_chunk_new (4096);
  self->memory = g_ptr_array_new_with_free_func (g_free);
  self->tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_tensor_unref);
  self->kept = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_proto_unref);
  return self;
}

SymProto *
sym_proto_ref (SymProto *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_proto_unref (SymProto *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_clear_pointer (&self->blob, sym_blob_unref);
  free_messages (self);
  g_string_chunk_free (self->strings);
  g_ptr_array_unref (self->memory);
  g_ptr_array_unref (self->tensors);
  g_ptr_array_unref (self->kept);
  g_clear_pointer (&self->texts, g_hash_table_unref);
  g_free (self);
}

SymBlob *
sym_proto_get_blob (const SymProto *self)
{
  return self->blob;
}

void
sym_proto_keep (SymProto *self, SymProto *other)
{
  if (other != self)
    g_ptr_array_add (self->kept, sym_proto_ref (other));
}

/* ---- Types ---- */

const SymProtoField *
sym_proto_type_find (const SymProtoType *self, guint number)
{
  for (const SymProtoField *field = self->fields; field->number != 0; field++)
    if (field->number == number)
      return field;

  return NULL;
}

static guint8
get_wire (const SymProtoMessage *self, guint number)
{
  const SymProtoField *field = sym_proto_type_find (self->type, number);

  g_assert (field != NULL);
  switch (field->kind)
    {
    case SYM_PROTO_INT32:
    case SYM_PROTO_INT64:
    case SYM_PROTO_UINT64:
      return 0;
    case SYM_PROTO_DOUBLE:
      return 1;
    case SYM_PROTO_FLOAT:
      return 5;
    case SYM_PROTO_STRING:
    case SYM_PROTO_BYTES:
    case SYM_PROTO_MESSAGE:
    default:
      return 2;
    }
}

/* ---- Making messages ---- */

SymProtoMessage *
sym_proto_add (SymProto *self, const SymProtoType *type)
{
  Cell *cell;

  g_assert (self->n_messages < G_MAXUINT);
  if (self->n_messages % N_CELLS == 0)
    g_ptr_array_add (self->cells, g_new (Cell, N_CELLS));
  cell = (Cell *) get_message (self, self->n_messages++);
  cell->message =
      (SymProtoMessage){ .type = type, .document = self, .entries = cell->first, .room = N_FIRST };
  return &cell->message;
}

SymProtoMessage *
sym_proto_copy (SymProto *self, const SymProtoMessage *message)
{
  SymProtoMessage *copy = sym_proto_add (self, message->type);

  sym_proto_keep (self, message->document);
  for (guint i = 0; i < message->n; i++)
    sym_proto_append (copy, &message->entries[i]);
  copy->line = message->line;
  if (self->blob == NULL && message->document->blob != NULL)
    self->blob = sym_blob_ref (message->document->blob);
  return copy;
}

static void
make_room (SymProtoMessage *self)
{
  SymProtoEntry *first = are_first (self) ? self->entries : NULL;

  self->room = MAX (self->room + self->room / 2, N_FIRST);
  self->entries = g_renew (SymProtoEntry, first != NULL ? NULL : self->entries, self->room);
  if (first != NULL)
    memcpy (self->entries, first, N_FIRST * sizeof *first);
}

void
sym_proto_append (SymProtoMessage *self, const SymProtoEntry *entry)
{
  if (self->n == self->room)
    make_room (self);
  self->entries[self->n++] = *entry;
}

void
sym_proto_append_int (SymProtoMessage *self, guint number, gint64 value)
{
  sym_proto_append (
      self,
      &(SymProtoEntry){ .number = number, .held = SYM_PROTO_NUMBER, .value = (guint64) value });
}

void
sym_proto_append_float (SymProtoMessage *self, guint number, float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  sym_proto_append (
      self,
      &(SymProtoEntry){ .number = number, .held = SYM_PROTO_NUMBER, .wire = 5, .value = bits });
}

void
sym_proto_append_double (SymProtoMessage *self, guint number, double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  sym_proto_append (
      self,
      &(SymProtoEntry){ .number = number, .held = SYM_PROTO_NUMBER, .wire = 1, .value = bits });
}

void
sym_proto_append_bytes (SymProtoMessage *self, guint number, const char *bytes, gsize size)
{
  const char *copy = g_string_chunk_insert_len (self->document->strings, bytes, (gssize) size);

  sym_proto_append (
      self, &(SymProtoEntry){
                .number = number, .held = SYM_PROTO_TEXT, .wire = 2, .bytes = copy, .size = size });
}

void
sym_proto_append_string (SymProtoMessage *self, guint number, const char *text)
{
  sym_proto_append_bytes (self, number, text, strlen (text));
}

void
sym_proto_append_message (SymProtoMessage *self, guint number, const SymProtoMessage *child)
{
  sym_proto_append (self, &(SymProtoEntry){ .number = number,
                                            .held = SYM_PROTO_CHILD,
                                            .wire = 2,
                                            .message = (SymProtoMessage *) child });
}

void
sym_proto_append_tensor (SymProtoMessage *self, guint number, SymTensor *tensor)
{
  g_ptr_array_add (self->document->tensors, sym_tensor_ref (tensor));
  sym_proto_append (self, &(SymProtoEntry){ .number = number,
                                            .held = SYM_PROTO_TENSOR,
                                            .wire = 2,
                                            .tensor = tensor,
                                            .size = sym_tensor_get_n_bytes (tensor) });
}

void
sym_proto_append_numbers (SymProtoMessage *self, guint number, const guint64 *numbers, guint64 n)
{
  guint64 *copy = g_memdup2 (numbers, n * sizeof *numbers);

  g_ptr_array_add (self->document->memory, copy);
  sym_proto_append (self, &(SymProtoEntry){ .number = number,
                                            .held = SYM_PROTO_NUMBERS,
                                            .wire = get_wire (self, number),
                                            .numbers = copy,
                                            .size = n });
}

static gboolean
is_of (const SymProtoEntry *entry, guint number)
{
  return entry->number == number && !entry->is_unknown;
}

void
sym_proto_remove (SymProtoMessage *self, guint number)
{
  guint n = 0;

  for (guint i = 0; i < self->n; i++)
    if (!is_of (&self->entries[i], number))
      self->entries[n++] = self->entries[i];
  self->n = n;
}

/* Where the first entries of a field belong that the message has none of yet. */
static guint
find_place (const SymProtoMessage *self, guint number)
{
  guint place = 0;

  for (guint i = 0; i < self->n; i++)
    if (self->entries[i].number <= number)
      place = i + 1;
  return place;
}

void
sym_proto_replace (SymProtoMessage *self, guint number, const GArray *entries)
{
  SymProtoMessage old = *self;
  gboolean were_first = are_first (self);
  guint n_old = sym_proto_count (self, number);
  guint place = n_old == 0 ? find_place (self, number) : G_MAXUINT;
  guint next = 0, seen = 0;

  self->entries = NULL;
  self->n = self->room = 0;
  for (guint i = 0; i <= old.n; i++)
    {
      gboolean is_old = i < old.n && is_of (&old.entries[i], number);
      gboolean is_last = (is_old && ++seen == n_old) || i == place;

      for (guint k = 0; next < entries->len && (is_last || (is_old && k < 1)); k++)
        sym_proto_append (self, &g_array_index (entries, SymProtoEntry, next++));
      if (i < old.n && !is_old)
        sym_proto_append (self, &old.entries[i]);
    }
  if (!were_first)
    g_free (old.entries);
}

/* Entries of one field stay in their order. */
static int
compare_entries (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const SymProtoEntry *x = a, *y = b;

  return (x->number > y->number) - (x->number < y->number);
}

void
sym_proto_sort (SymProto *self)
{
  for (guint i = 0; i < self->n_messages; i++)
    {
      SymProtoMessage *message = get_message (self, i);

      if (message->n > 1)
        g_qsort_with_data (message->entries, (gint) message->n, sizeof (SymProtoEntry),
                           compare_entries, NULL);
    }
}

/* ---- Looking ---- */

const SymProtoEntry *
sym_proto_next (const SymProtoMessage *self, guint number, guint *at)
{
  while (self != NULL && *at < self->n)
    {
      const SymProtoEntry *entry = &self->entries[(*at)++];

      if (is_of (entry, number))
        return entry;
    }
  return NULL;
}

guint
sym_proto_count (const SymProtoMessage *self, guint number)
{
  guint n = 0;

  for (guint at = 0; sym_proto_next (self, number, &at) != NULL;)
    n++;
  return n;
}

const SymProtoEntry *
sym_proto_find (const SymProtoMessage *self, guint number)
{
  for (guint i = self == NULL ? 0 : self->n; i > 0; i--)
    if (is_of (&self->entries[i - 1], number))
      return &self->entries[i - 1];

  return NULL;
}

const SymProtoMessage *
sym_proto_get_message (const SymProtoMessage *self, guint number)
{
  const SymProtoEntry *entry = sym_proto_find (self, number);

  return entry != NULL && entry->held == SYM_PROTO_CHILD ? entry->message : NULL;
}

/* The last number of a field; a packed list counts as its last. */
static gboolean
get_bits (const SymProtoMessage *self, guint number, guint64 *bits)
{
  const SymProtoEntry *entry = sym_proto_find (self, number);

  if (entry == NULL)
    return FALSE;
  if (entry->held == SYM_PROTO_NUMBER)
    *bits = entry->value;
  else if (entry->held == SYM_PROTO_NUMBERS && entry->size > 0)
    *bits = entry->numbers[entry->size - 1];
  else
    return FALSE;
  return TRUE;
}

gint64
sym_proto_get_int (const SymProtoMessage *self, guint number, gint64 fallback)
{
  guint64 bits;

  return get_bits (self, number, &bits) ? (gint64) bits : fallback;
}

float
sym_proto_get_float (const SymProtoMessage *self, guint number, float fallback)
{
  guint64 bits;

  return get_bits (self, number, &bits) ? sym_proto_to_float (bits) : fallback;
}

float
sym_proto_to_float (guint64 bits)
{
  guint32 low = (guint32) bits;
  float value;

  memcpy (&value, &low, sizeof value);
  return value;
}

double
sym_proto_to_double (guint64 bits)
{
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

GArray *
sym_proto_get_numbers (const SymProtoMessage *self, guint number)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint64));
  const SymProtoEntry *entry;

  for (guint at = 0; (entry = sym_proto_next (self, number, &at)) != NULL;)
    if (entry->held == SYM_PROTO_NUMBER)
      g_array_append_val (numbers, entry->value);
    else if (entry->held == SYM_PROTO_NUMBERS)
      g_array_append_vals (numbers, entry->numbers, (guint) entry->size);
  return numbers;
}

/* ---- Text ---- */

#define EACH_BYTE(byte) (G_GUINT64_CONSTANT (0x0101010101010101) * (byte))

/* ASCII without a NUL, eight bytes at a time, as nearly all names are. */
static gboolean
is_plain (const char *bytes, guint64 n)
{
  guint64 eight;

  for (; n >= sizeof eight; bytes += sizeof eight, n -= sizeof eight)
    {
      memcpy (&eight, bytes, sizeof eight);
      if (((eight | (eight - EACH_BYTE (1))) & EACH_BYTE (0x80)) != 0)
        return FALSE;
    }
  for (; n > 0; n--)
    if ((guint8) (*bytes++ - 1) >= 0x7f)
      return FALSE;
  return TRUE;
}

static gboolean
is_text (const SymProtoEntry *entry)
{
  if (is_plain (entry->bytes, entry->size))
    return TRUE;
  return g_utf8_validate_len (entry->bytes, entry->size, NULL) &&
         memchr (entry->bytes, '\0', entry->size) == NULL;
}

static char *
make_text (const SymProtoEntry *entry)
{
  g_autofree char *bytes = g_memdup2 (entry->bytes, entry->size + 1);

  for (guint64 i = 0; i < entry->size; i++)
    if (bytes[i] == '\0')
      bytes[i] = '\xff';
  return g_utf8_make_valid (bytes, (gssize) entry->size);
}

static GMutex texts_mutex;

/* Asked for by any thread, so what is made for the few that are no text is made under a lock. */
static const char *
find_text (SymProto *document, const SymProtoEntry *entry)
{
  const char *text;

  g_mutex_lock (&texts_mutex);
  if (document->texts == NULL)
    document->texts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  text = g_hash_table_lookup (document->texts, entry->bytes);
  if (text == NULL)
    {
      text = make_text (entry);
      g_hash_table_insert (document->texts, (gpointer) entry->bytes, (gpointer) text);
    }
  g_mutex_unlock (&texts_mutex);
  return text;
}

const char *
sym_proto_entry_get_text (const SymProtoMessage *self, const SymProtoEntry *entry)
{
  if (entry->held != SYM_PROTO_TEXT)
    return NULL;
  return is_text (entry) ? entry->bytes : find_text (self->document, entry);
}

const char *
sym_proto_get_text (const SymProtoMessage *self, guint number)
{
  const SymProtoEntry *entry = sym_proto_find (self, number);

  return entry == NULL ? NULL : sym_proto_entry_get_text (self, entry);
}

/* ---- Comparing ---- */

static gboolean
is_same_entry (const SymProtoEntry *a, const SymProtoEntry *b)
{
  if (a->number != b->number || a->held != b->held || a->wire != b->wire ||
      a->is_unknown != b->is_unknown)
    return FALSE;
  switch ((SymProtoHeld) a->held)
    {
    case SYM_PROTO_NUMBER:
      return a->value == b->value;
    case SYM_PROTO_NUMBERS:
      return a->size == b->size &&
             (a->size == 0 || memcmp (a->numbers, b->numbers, a->size * sizeof *a->numbers) == 0);
    case SYM_PROTO_TEXT:
      return a->size == b->size && memcmp (a->bytes, b->bytes, a->size) == 0;
    case SYM_PROTO_RANGE:
      return a->size == b->size && a->value == b->value;
    case SYM_PROTO_TENSOR:
      return a->tensor == b->tensor;
    case SYM_PROTO_CHILD:
    default:
      return a->message->n == b->message->n;
    }
}

/* Children that have to be compared are added to @open, which is made when there is one. */
static gboolean
has_same_entries (const SymProtoMessage *a, const SymProtoMessage *b, GPtrArray **open)
{
  if (a->n != b->n)
    return FALSE;
  for (guint i = 0; i < a->n; i++)
    {
      if (!is_same_entry (&a->entries[i], &b->entries[i]))
        return FALSE;
      if (a->entries[i].held != SYM_PROTO_CHILD || a->entries[i].message == b->entries[i].message)
        continue;
      if (*open == NULL)
        *open = g_ptr_array_new ();
      g_ptr_array_add (*open, a->entries[i].message);
      g_ptr_array_add (*open, b->entries[i].message);
    }
  return TRUE;
}

gboolean
sym_proto_equal (const SymProtoMessage *a, const SymProtoMessage *b)
{
  g_autoptr (GPtrArray) open = NULL;

  if (!has_same_entries (a, b, &open))
    return FALSE;
  while (open != NULL && open->len > 0)
    {
      b = g_ptr_array_steal_index_fast (open, open->len - 1);
      a = g_ptr_array_steal_index_fast (open, open->len - 1);
      if (!has_same_entries (a, b, &open))
        return FALSE;
    }
  return TRUE;
}
