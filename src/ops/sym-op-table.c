/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-table.h"

#include <string.h>

#include "core/sym-text.h"
#include "ops/sym-op-tvm.h"
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

  return sym_text_hash (0, self->text, self->length);
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

/* There are few, so that looking through them is the fastest way to find one. */
static Domain *
find_domain (const GPtrArray *domains, const char *name)
{
  for (guint i = 0; i < domains->len; i++)
    {
      Domain *domain = g_ptr_array_index (domains, i);

      if (*domain->name == *name && strcmp (domain->name, name) == 0)
        return domain;
    }
  return NULL;
}

static GPtrArray *
make_domains (void)
{
  GPtrArray *domains = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    for (const SymOperator *op = files[i]; op->name != NULL; op++)
      if (find_domain (domains, op->domain) == NULL)
        {
          Domain *domain = g_new0 (Domain, 1);

          domain->name = op->domain;
          g_ptr_array_add (domains, domain);
        }
  return domains;
}

/* NULL for a domain that has no operators.  A file asks for one again and again. */
static GHashTable *
get_names (const char *name)
{
  static GPtrArray *domains;
  static Domain *latest;
  Domain *domain = g_atomic_pointer_get (&latest);

  if (domain != NULL && strcmp (domain->name, name) == 0)
    return domain->names;

  if (g_once_init_enter (&domains))
    g_once_init_leave (&domains, make_domains ());
  domain = find_domain (domains, name);
  if (domain != NULL && g_once_init_enter (&domain->names))
    g_once_init_leave (&domain->names, make_names (domain->name));
  if (domain != NULL)
    g_atomic_pointer_set (&latest, domain);
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
  return found == NULL && strcmp (domain, "tvm") == 0 ? sym_op_tvm_find (name) : found;
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
