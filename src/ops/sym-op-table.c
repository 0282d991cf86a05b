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
  Name *next; /* of the same name: another version */
};

/* A file is of one domain or few, so that only their names are ever looked at. */
typedef struct {
  const char *name;
  GHashTable *names; /* set of Name; NULL until one is asked for */
} Domain;

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

  return left->length == right->length && memcmp (left->text, right->text, left->length) == 0;
}

static void
add_name (GHashTable *names, const SymOperator *op, const char *text, gsize length)
{
  Name *name = g_new (Name, 1);
  Name *first;

  *name = (Name){ text, length, op, NULL };
  first = g_hash_table_lookup (names, name);
  if (first == NULL)
    {
      g_hash_table_add (names, name);
      return;
    }
  name->next = first->next;
  first->next = name;
}

static void
add_names (GHashTable *names, const SymOperator *op)
{
  const char *alias = op->aliases;

  add_name (names, op, op->name, strlen (op->name));
  while (alias != NULL && *alias != '\0')
    {
      gsize length = strcspn (alias, " ");

      add_name (names, op, alias, length);
      alias += length + strspn (alias + length, " ");
    }
}

static GHashTable *
make_names (const char *domain)
{
  GHashTable *names = g_hash_table_new (name_hash, name_equal);

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    for (const SymOperator *op = files[i]; op->name != NULL; op++)
      if (strcmp (op->domain, domain) == 0)
        add_names (names, op);
  return names;
}

/* By name. */
static GHashTable *
make_domains (void)
{
  GHashTable *domains = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    for (const SymOperator *op = files[i]; op->name != NULL; op++)
      if (!g_hash_table_contains (domains, op->domain))
        {
          Domain *domain = g_new0 (Domain, 1);

          domain->name = op->domain;
          g_hash_table_insert (domains, (gpointer) op->domain, domain);
        }
  return domains;
}

/* NULL for a domain that has no operators. */
static GHashTable *
get_names (const char *name)
{
  static GHashTable *domains;
  Domain *domain;

  if (g_once_init_enter (&domains))
    g_once_init_leave (&domains, make_domains ());
  domain = g_hash_table_lookup (domains, name);
  if (domain != NULL && g_once_init_enter (&domain->names))
    g_once_init_leave (&domain->names, make_names (domain->name));
  return domain == NULL ? NULL : domain->names;
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

static GPtrArray *
make_list (void)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    for (const SymOperator *op = files[i]; op->name != NULL; op++)
      g_ptr_array_add (list, (gpointer) op);
  g_ptr_array_sort (list, compare_operators);
  return list;
}

/* Sorted by domain, name and version. */
static const GPtrArray *
get_operators (void)
{
  static GPtrArray *list;

  if (g_once_init_enter (&list))
    g_once_init_leave (&list, make_list ());
  return list;
}

const SymOperator *
sym_op_find (const char *domain, const char *name, int version)
{
  const Name question = { name, strlen (name), NULL, NULL };
  GHashTable *names = get_names (domain);
  const SymOperator *found = NULL;

  if (names == NULL)
    return NULL;
  for (const Name *i = g_hash_table_lookup (names, &question); i != NULL; i = i->next)
    if ((version == 0 || i->op->since_version <= version) &&
        (found == NULL || i->op->since_version > found->since_version))
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
