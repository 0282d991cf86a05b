/* SPDX-License-Identifier: MIT */
#include "io/sym-net-attributes.h"

#include <string.h>

#include "core/sym-text.h"

/* Bytes of a name and a value together: an initialiser of Keras has 150. */
#define MAX_TEXT 256

#define MAX_KNOWN 4096

/* An attribute by its name and the text of its value.  What is looked up points into the file. */
typedef struct {
  const char *name, *text;
  gsize name_length, text_length;
  SymAttributes *attribute; /* of this one */
} Known;

struct _SymNetAttributes {
  GHashTable *known; /* of Known */
  SymNetReadValue read;
  gpointer user_data;
};

static guint
known_hash (gconstpointer key)
{
  const Known *self = key;

  return sym_text_hash (sym_text_hash (0, self->name, self->name_length), self->text,
                        self->text_length);
}

static gboolean
known_equal (gconstpointer a, gconstpointer b)
{
  const Known *left = a, *right = b;

  return left->name_length == right->name_length && left->text_length == right->text_length &&
         memcmp (left->name, right->name, left->name_length) == 0 &&
         memcmp (left->text, right->text, left->text_length) == 0;
}

static void
known_free (gpointer data)
{
  Known *self = data;

  sym_attributes_unref (self->attribute);
  g_free ((char *) self->name);
  g_free ((char *) self->text);
  g_free (self);
}

SymNetAttributes *
sym_net_attributes_new (SymNetReadValue read, gpointer user_data)
{
  SymNetAttributes *self = g_new0 (SymNetAttributes, 1);

  self->known = g_hash_table_new_full (known_hash, known_equal, known_free, NULL);
  self->read = read;
  self->user_data = user_data;
  return self;
}

void
sym_net_attributes_free (SymNetAttributes *self)
{
  g_hash_table_unref (self->known);
  g_free (self);
}

/* Only of numbers is the text worth keeping: 1e-05 and 0.00001 are the same value. */
static void
read_attribute (const SymNetAttributes *self,
                SymAttributes *attributes,
                const Known *wanted,
                const SymJson *json,
                guint token)
{
  g_autofree char *name = g_strndup (wanted->name, wanted->name_length);
  g_autofree char *literal =
      sym_json_get_kind (json, token) == SYM_JSON_NUMBER ? sym_json_dup_text (json, token) : NULL;

  sym_attributes_set (attributes, name, self->read (json, token, self->user_data), literal);
}

static const Known *
learn (SymNetAttributes *self, const Known *wanted, const SymJson *json, guint token)
{
  Known *known = g_memdup2 (wanted, sizeof *wanted);

  known->name = g_strndup (wanted->name, wanted->name_length);
  known->text = g_strndup (wanted->text, wanted->text_length);
  known->attribute = sym_attributes_new_sized (1);
  read_attribute (self, known->attribute, wanted, json, token);
  g_hash_table_add (self->known, known);
  return known;
}

void
sym_net_attributes_set (SymNetAttributes *self,
                        SymAttributes *attributes,
                        const char *name,
                        gsize length,
                        const SymJson *json,
                        guint token)
{
  Known wanted = { .name = name, .name_length = length };
  const Known *known;

  wanted.text = sym_json_get_text (json, token, &wanted.text_length);
  if (wanted.text == NULL || length + wanted.text_length > MAX_TEXT)
    {
      read_attribute (self, attributes, &wanted, json, token);
      return;
    }
  known = g_hash_table_lookup (self->known, &wanted);
  if (known == NULL && g_hash_table_size (self->known) < MAX_KNOWN)
    known = learn (self, &wanted, json, token);
  if (known != NULL)
    sym_attributes_set_same (attributes, known->attribute, 0);
  else
    read_attribute (self, attributes, &wanted, json, token);
}
