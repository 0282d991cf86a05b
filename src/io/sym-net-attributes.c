/* SPDX-License-Identifier: MIT */
#include "io/sym-net-attributes.h"

#include <string.h>

#include "core/sym-rows.h"
#include "core/sym-text.h"
#include "io/sym-json-private.h"

/* Bytes of a value: an initialiser of Keras has 150. */
#define MAX_TEXT 256

#define MAX_KNOWN 4096
#define MAX_NAMES 4096

/* A name that was asked for so often, and whose values were known in so few cases, is one of which
 * each layer has a value of its own. */
#define OFTEN 64
#define FEW(asked) ((asked) / 4)

typedef struct _Name Name;

/* A value by its text.  What is looked up points into the file. */
typedef struct {
  const Name *name;
  const char *text;
  gsize length;
  SymAttributes *attribute; /* of this one */
  guint number;             /* of those that are known: places by it are the same in each run */
} Known;

struct _Name {
  char *text;
  gsize length;
  SymAttributes *first; /* the attribute that it was seen with first, alone */
  const Known *last;    /* NULL for none */
  Name *next;           /* the one that came after it the last time */
  guint n_asked, n_known;
};

/* Of values that are all known. */
typedef struct {
  SymRows *members; /* of const Known * */
  SymAttributes *attributes;
} List;

/* A network has few kinds of layers: lists that were read last, each in the place of its hash. */
#define N_LISTS 64

/* An object of the file whose list is shared: one with the same text has the same, as most have.
 * Those that were read last, each in the place of its hash. */
typedef struct {
  guint object;
  const char *const *except;
  SymAttributes *attributes; /* NULL for none */
} Seen;

#define N_SEEN 128
#define MAX_OBJECT 1024 /* bytes */

struct _SymNetAttributes {
  GHashTable *names; /* of Name */
  GHashTable *known; /* of Known */
  Name *latest;      /* NULL for none */
  SymRows *found;    /* of const Known *: what a list has, while it is read */
  List lists[N_LISTS];
  Seen *seen; /* N_SEEN; NULL until one is shared */
  SymNetReadValue read;
  gpointer user_data;
};

static inline gboolean
is_same (const char *a, gsize a_length, const char *b, gsize b_length)
{
  return a_length == b_length && memcmp (a, b, a_length) == 0;
}

static guint
name_hash (gconstpointer key)
{
  const Name *self = key;

  return sym_text_hash (0, self->text, self->length);
}

static gboolean
name_equal (gconstpointer a, gconstpointer b)
{
  const Name *left = a, *right = b;

  return is_same (left->text, left->length, right->text, right->length);
}

static void
name_free (gpointer data)
{
  Name *self = data;

  sym_attributes_unref (self->first);
  g_free (self->text);
  g_free (self);
}

static guint
known_hash (gconstpointer key)
{
  const Known *self = key;

  return sym_text_hash (g_direct_hash (self->name), self->text, self->length);
}

static gboolean
known_equal (gconstpointer a, gconstpointer b)
{
  const Known *left = a, *right = b;

  return left->name == right->name &&
         is_same (left->text, left->length, right->text, right->length);
}

static void
known_free (gpointer data)
{
  Known *self = data;

  sym_attributes_unref (self->attribute);
  g_free ((char *) self->text);
  g_free (self);
}

SymNetAttributes *
sym_net_attributes_new (SymNetReadValue read, gpointer user_data)
{
  SymNetAttributes *self = g_new0 (SymNetAttributes, 1);

  self->names = g_hash_table_new_full (name_hash, name_equal, name_free, NULL);
  self->known = g_hash_table_new_full (known_hash, known_equal, known_free, NULL);
  self->found = sym_rows_new (sizeof (const Known *));
  self->read = read;
  self->user_data = user_data;
  return self;
}

void
sym_net_attributes_free (SymNetAttributes *self)
{
  for (guint i = 0; i < N_LISTS; i++)
    {
      g_clear_pointer (&self->lists[i].members, sym_rows_free);
      g_clear_pointer (&self->lists[i].attributes, sym_attributes_unref);
    }
  for (guint i = 0; self->seen != NULL && i < N_SEEN; i++)
    g_clear_pointer (&self->seen[i].attributes, sym_attributes_unref);
  g_free (self->seen);
  sym_rows_free (self->found);
  g_hash_table_unref (self->known);
  g_hash_table_unref (self->names);
  g_free (self);
}

/* Digits of a whole number that every integer type holds. */
#define MAX_DIGITS 18

/* Of which there is one text only. */
static gboolean
is_whole (const char *text, gsize length)
{
  if (length > MAX_DIGITS || (length > 1 && *text == '0'))
    return FALSE;
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isdigit (text[i]))
      return FALSE;
  return TRUE;
}

/* Of numbers alone is the text worth keeping: 1e-05 and 0.00001 are the same value. */
static const char *
peek_literal (const SymJson *json, guint token, gsize *length)
{
  gsize n = 0;
  const char *text = sym_json_get_kind (json, token) == SYM_JSON_NUMBER
                         ? sym_json_peek_text (json, token, &n)
                         : NULL;

  if (text == NULL || is_whole (text, n))
    return NULL;
  *length = n;
  return text;
}

static void
read_attribute (const SymNetAttributes *self,
                SymAttributes *attributes,
                const char *text,
                gsize length,
                const SymJson *json,
                guint token)
{
  g_autofree char *name = g_strndup (text, length);
  gsize literal_length = 0;
  const char *peeked = peek_literal (json, token, &literal_length);
  g_autofree char *literal = peeked == NULL ? NULL : g_strndup (peeked, literal_length);

  sym_attributes_set (attributes, name, self->read (json, token, self->user_data), literal);
}

/* The same of a name that is known. */
static void
read_value (const SymNetAttributes *self,
            SymAttributes *attributes,
            const Name *name,
            const SymJson *json,
            guint token)
{
  gsize length = 0;
  const char *literal = peek_literal (json, token, &length);

  sym_attributes_set_like (attributes, name->first, 0, self->read (json, token, self->user_data),
                           literal, length);
}

static Name *
learn_name (SymNetAttributes *self, const Name *wanted, const SymJson *json, guint token)
{
  Name *name = g_memdup2 (wanted, sizeof *wanted);

  name->text = g_strndup (wanted->text, wanted->length);
  name->first = sym_attributes_new_sized (1);
  read_attribute (self, name->first, wanted->text, wanted->length, json, token);
  g_hash_table_add (self->names, name);
  return name;
}

/* Names come in the same order in layer after layer, so that the one which came next the last time
 * is tried first.  NULL when there are too many. */
static Name *
find_name (SymNetAttributes *self, const char *text, gsize length, const SymJson *json, guint token)
{
  Name wanted = { .text = (char *) text, .length = length };
  Name *name = self->latest == NULL ? NULL : self->latest->next;

  if (name == NULL || !name_equal (name, &wanted))
    {
      name = g_hash_table_lookup (self->names, &wanted);
      if (name == NULL && g_hash_table_size (self->names) < MAX_NAMES)
        name = learn_name (self, &wanted, json, token);
      if (self->latest != NULL)
        self->latest->next = name;
    }
  self->latest = name;
  return name;
}

static const Known *
learn (SymNetAttributes *self, const Known *wanted, const SymJson *json, guint token)
{
  Known *known = g_memdup2 (wanted, sizeof *wanted);

  known->text = g_strndup (wanted->text, wanted->length);
  known->number = g_hash_table_size (self->known);
  known->attribute = sym_attributes_new_sized (1);
  read_value (self, known->attribute, wanted->name, json, token);
  g_hash_table_add (self->known, known);
  return known;
}

/* NULL for a value that is not shared. */
static const Known *
find_known (SymNetAttributes *self, Name *name, const SymJson *json, guint token)
{
  Known wanted = { .name = name };
  const Known *known = name->last;

  wanted.text = sym_json_peek_text (json, token, &wanted.length);
  if (known != NULL && known_equal (known, &wanted))
    return known;
  if (wanted.text == NULL || wanted.length > MAX_TEXT ||
      (name->n_asked > OFTEN && name->n_known < FEW (name->n_asked)))
    return NULL;

  known = g_hash_table_lookup (self->known, &wanted);
  name->n_asked++;
  name->n_known += known != NULL;
  if (known == NULL && g_hash_table_size (self->known) < MAX_KNOWN)
    known = learn (self, &wanted, json, token);
  if (known != NULL)
    name->last = known;
  return known;
}

/* What is found under a name; either may be NULL. */
typedef struct {
  Name *name;
  const Known *known;
} Found;

static inline Found
find (SymNetAttributes *self, const char *name, gsize length, const SymJson *json, guint token)
{
  Found found = { find_name (self, name, length, json, token), NULL };

  if (found.name != NULL)
    found.known = find_known (self, found.name, json, token);
  return found;
}

static inline void
set (SymNetAttributes *self,
     SymAttributes *attributes,
     Found found,
     const char *name,
     gsize length,
     const SymJson *json,
     guint token)
{
  if (found.known != NULL)
    sym_attributes_set_same (attributes, found.known->attribute, 0);
  else if (found.name != NULL)
    read_value (self, attributes, found.name, json, token);
  else
    read_attribute (self, attributes, name, length, json, token);
}

void
sym_net_attributes_set (SymNetAttributes *self,
                        SymAttributes *attributes,
                        const char *name,
                        gsize length,
                        const SymJson *json,
                        guint token)
{
  set (self, attributes, find (self, name, length, json, token), name, length, json, token);
}

/* ---- Lists ---- */

static inline gboolean
is_text (const char *name, const char *text, gsize length)
{
  return length > 0 && *name == *text && strncmp (name, text, length) == 0 && name[length] == '\0';
}

/* Whether the text of @length bytes is one of the NULL-ended @list.  Most come in its order: the
 * one at *@next, which is behind the last that was there, is tried first. */
static gboolean
contains (const char *const *list, const char *text, gsize length, guint *next)
{
  guint first = list[*next] == NULL ? 0 : *next;

  for (guint i = first; list[i] != NULL; i++)
    if (is_text (list[i], text, length))
      {
        *next = i + 1;
        return TRUE;
      }
  for (guint i = 0; i < first; i++)
    if (is_text (list[i], text, length))
      {
        *next = i + 1;
        return TRUE;
      }
  return FALSE;
}

/* A list of what was found so far, with room for @n. */
static SymAttributes *
make_list (const SymRows *found, guint n)
{
  SymAttributes *list = sym_attributes_new_sized (n);

  for (guint i = 0; i < found->len; i++)
    {
      const Known *known = g_array_index (found, const Known *, i);

      sym_attributes_set_same (list, known->attribute, 0);
    }
  return list;
}

static gboolean
has_members (const List *self, const SymRows *found)
{
  return self->attributes != NULL && self->members->len == found->len &&
         (found->len == 0 ||
          memcmp (self->members->data, found->data, found->len * found->row_size) == 0);
}

static guint
find_place (const SymRows *found)
{
  guint64 hash = found->len;

  for (guint i = 0; i < found->len; i++)
    hash = sym_hash_mix (hash, g_array_index (found, const Known *, i)->number);
  return (guint) (hash % N_LISTS);
}

/* A list that is there where one is of the same values, else one of those that were found. */
static SymAttributes *
share_list (SymNetAttributes *self)
{
  List *list = &self->lists[find_place (self->found)];

  if (!has_members (list, self->found))
    {
      SymRows *members =
          list->members != NULL ? list->members : sym_rows_new (sizeof (const Known *));

      g_clear_pointer (&list->attributes, sym_attributes_unref);
      *list = (List){ self->found, make_list (self->found, self->found->len) };
      self->found = members;
    }
  return sym_attributes_ref (list->attributes);
}

/* Adds what was found of a member to @own, or to what is found where that is NULL. */
static inline void
add_found (SymNetAttributes *self,
           SymAttributes *own,
           Found found,
           const char *name,
           gsize length,
           const SymJson *json,
           guint token)
{
  if (own == NULL)
    sym_rows_append (self->found, found.known);
  else
    set (self, own, found, name, length, json, token);
}

/* Adds to @own, which becomes a list of its own where it is NULL and a value is not known. */
static SymAttributes *
read_members (SymNetAttributes *self,
              const SymJson *json,
              guint object,
              const char *const *except,
              SymAttributes *own)
{
  guint next = 0; /* of @except */

  self->found->len = 0;
  for (SymJsonIter i = sym_json_begin (json, object); sym_json_step (json, &i);)
    {
      gsize length = 0;
      const char *name = sym_json_peek_characters (json, i.key, &length);
      g_autofree char *decoded = name == NULL ? sym_json_dup_string (json, i.key) : NULL;
      Found found;

      if (decoded != NULL)
        {
          name = decoded;
          length = strlen (decoded);
        }
      if (name == NULL || (except != NULL && contains (except, name, length, &next)))
        continue;
      found = find (self, name, length, json, i.value);
      if (own == NULL && found.known == NULL)
        own = make_list (self->found, sym_json_count (json, object));
      add_found (self, own, found, name, length, json, i.value);
    }
  return own;
}

/* Who asks for a list of its own adds one or two. */
#define MORE 1

SymAttributes *
sym_net_attributes_read (SymNetAttributes *self,
                         const SymJson *json,
                         guint object,
                         const char *const *except)
{
  return read_members (self, json, object, except,
                       sym_attributes_new_sized (sym_json_count (json, object) + MORE));
}

/* The bytes of an object up to the end of the last value within: behind it come but brackets, which
 * those before tell. */
static gsize
measure_object (const SymJson *json, guint object)
{
  guint last = json->tokens[object].extent - 1;
  gsize length = sym_json_is_container (&json->tokens[last]) ? 1 : sym_json_measure (json, last);

  return json->tokens[last].start + length - json->tokens[object].start;
}

static gboolean
is_seen (const Seen *seen,
         const SymJson *json,
         guint object,
         gsize length,
         const char *const *except)
{
  const SymJsonToken *token = &json->tokens[object], *other = &json->tokens[seen->object];

  return seen->attributes != NULL && seen->except == except &&
         token->extent - object == other->extent - seen->object &&
         measure_object (json, seen->object) == length &&
         memcmp (json->text + token->start, json->text + other->start, length) == 0;
}

SymAttributes *
sym_net_attributes_share (SymNetAttributes *self,
                          const SymJson *json,
                          guint object,
                          const char *const *except)
{
  gsize length =
      sym_json_get_kind (json, object) == SYM_JSON_OBJECT ? measure_object (json, object) : 0;
  SymAttributes *own, *list;
  Seen *seen = NULL;

  if (length > 0 && length <= MAX_OBJECT)
    {
      if (self->seen == NULL)
        self->seen = g_new0 (Seen, N_SEEN);
      seen =
          &self->seen[sym_text_hash (0, json->text + json->tokens[object].start, length) % N_SEEN];
      if (is_seen (seen, json, object, length, except))
        return sym_attributes_ref (seen->attributes);
    }
  own = read_members (self, json, object, except, NULL);
  list = own != NULL ? own : share_list (self);
  sym_attributes_seal (list);
  if (own == NULL && seen != NULL)
    {
      g_clear_pointer (&seen->attributes, sym_attributes_unref);
      *seen = (Seen){ object, except, sym_attributes_ref (list) };
    }
  return list;
}

SymAttributes *
sym_net_attributes_share_keys (SymNetAttributes *self,
                               const SymJson *json,
                               const guint *keys,
                               guint n)
{
  SymAttributes *own = NULL, *list;

  self->found->len = 0;
  for (guint i = 0; i < n; i++)
    {
      gsize length = 0;
      const char *name = sym_json_peek_characters (json, keys[i], &length);
      g_autofree char *decoded = name == NULL ? sym_json_dup_string (json, keys[i]) : NULL;
      Found found;

      if (name == NULL)
        length = strlen (name = decoded);
      found = find (self, name, length, json, keys[i] + 1);
      if (own == NULL && found.known == NULL)
        own = make_list (self->found, n);
      add_found (self, own, found, name, length, json, keys[i] + 1);
    }
  list = own != NULL ? own : share_list (self);
  sym_attributes_seal (list);
  return list;
}
