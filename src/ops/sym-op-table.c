/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-table.h"

#include <string.h>

#include "ops/sym-op.h"

#define SYM_OP_ENTRY(name) sym_op_##name,

static const SymOperator *const files[] = { SYM_OP_FILES (SYM_OP_ENTRY) };

/* A name or alias of an operator, which need not end in a NUL; each is its own key. */
typedef struct _Name Name;
struct _Name {
  const char *text;
  gsize length;
  const SymOperator *op;
  Name *next; /* of the same name in the same domain: another version */
};

typedef struct {
  GHashTable *names;    /* set of Name */
  GPtrArray *operators; /* sorted by domain, name, version */
} Index;

static guint
name_hash (gconstpointer key)
{
  const Name *self = key;
  guint hash = 5381;

  for (gsize i = 0; i < self->length; i++)
    hash = hash * 33 + (guchar) self->text[i];
  return hash;
}

static gboolean
name_equal (gconstpointer a, gconstpointer b)
{
  const Name *left = a, *right = b;

  return left->length == right->length && memcmp (left->text, right->text, left->length) == 0
         && strcmp (left->op->domain, right->op->domain) == 0;
}

static void
add_name (Index *self, const SymOperator *op, const char *text, gsize length)
{
  Name *name = g_new (Name, 1);
  Name *first;

  *name = (Name){ text, length, op, NULL };
  first = g_hash_table_lookup (self->names, name);
  if (first == NULL)
    {
      g_hash_table_add (self->names, name);
      return;
    }
  name->next = first->next;
  first->next = name;
}

static void
add_names (Index *self, const SymOperator *op)
{
  const char *alias = op->aliases;

  add_name (self, op, op->name, strlen (op->name));
  while (alias != NULL && *alias != '\0')
    {
      gsize length = strcspn (alias, " ");

      add_name (self, op, alias, length);
      alias += length + strspn (alias + length, " ");
    }
}

static int
compare_operators (gconstpointer a, gconstpointer b)
{
  const SymOperator *left = *(const SymOperator *const *) a;
  const SymOperator *right = *(const SymOperator *const *) b;
  int order = strcmp (left->domain, right->domain);

  if (order == 0)
    order = strcmp (left->name, right->name);
  return order != 0 ? order : left->since_version - right->since_version;
}

static Index *
index_new (void)
{
  Index *self = g_new0 (Index, 1);

  self->names = g_hash_table_new (name_hash, name_equal);
  self->operators = g_ptr_array_new ();
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    for (const SymOperator *op = files[i]; op->name != NULL; op++)
      {
        g_ptr_array_add (self->operators, (gpointer) op);
        add_names (self, op);
      }
  return self;
}

static const Index *
get_index (void)
{
  static Index *index;

  if (g_once_init_enter (&index))
    g_once_init_leave (&index, index_new ());
  return index;
}

/* Only lists of operators need their order. */
static const GPtrArray *
get_operators (void)
{
  static gsize is_sorted;

  if (g_once_init_enter (&is_sorted))
    {
      g_ptr_array_sort (get_index ()->operators, compare_operators);
      g_once_init_leave (&is_sorted, 1);
    }
  return get_index ()->operators;
}

const SymOperator *
sym_op_find (const char *domain, const char *name, int version)
{
  const SymOperator asked = { .domain = domain };
  const Name question = { name, strlen (name), &asked, NULL };
  const SymOperator *found = NULL;

  for (const Name *i = g_hash_table_lookup (get_index ()->names, &question); i != NULL; i = i->next)
    if ((version == 0 || i->op->since_version <= version)
        && (found == NULL || i->op->since_version > found->since_version))
      found = i->op;
  return found;
}

guint
sym_op_get_n (void)
{
  return get_operators ()->len;
}

const SymOperator *
sym_op_get (guint i)
{
  g_return_val_if_fail (i < sym_op_get_n (), NULL);
  return g_ptr_array_index (get_operators (), i);
}
