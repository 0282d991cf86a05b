/* SPDX-License-Identifier: MIT */
#include "query/sym-groups.h"
#include "query-graphs.h"

/* Groups as text, each with its calls in braces. */
static char *
print_groups (const SymGroups *groups)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < sym_groups_get_n (groups); i++) {
    const SymGroup *group = sym_groups_get (groups, i);

    g_string_append_printf (text, "%s%s(%u)", i > 0 ? " " : "", group->name, group->n_calls);
    if (group->parent != SYM_NO_GROUP)
      g_string_append_printf (text, "<%u", group->parent);
  }
  return g_string_free (text, FALSE);
}

typedef struct {
  const char *what;
  const char *names[12];
  const char *groups;
} Case;

static const Case cases[] = {
  { "none-in-an-empty-model", { NULL }, "" },
  { "none-without-paths", { "conv", "bn", "relu" }, "" },
  { "by-slashes", { "stem", "a/x/conv", "a/x/bn", "a/relu", "b/conv", "b/bn" }, "a(3) x(2)<0 b(2)" },
  { "by-dots", { "stem", "net.0", "net.1", "head" }, "net(2)" },
  { "slashes-before-dots", { "stem", "a/v1.0", "a/v1.1" }, "a(2)" },
  { "a-leading-separator-is-none", { "stem", "/a/conv", "/a/bn" }, "/a(2)" },
  { "not-of-one-call", { "a/conv", "b/bn" }, "" },
  { "not-of-everything", { "net/conv", "net/bn" }, "" },
  { "skips-levels-with-nothing-of-their-own", { "stem", "a/b/c/x", "a/b/c/y" }, "a(2)" },
};

static void
test_scopes (gconstpointer data)
{
  const Case *item = data;
  g_autoptr (SymModel) model = new_chain (item->names);
  g_autoptr (SymGroups) groups = sym_groups_new (model);
  g_autofree char *text = print_groups (groups);

  g_assert_cmpstr (text, ==, item->groups);
}

static void
test_calls (void)
{
  g_autoptr (SymModel) model = new_chain ((const char *[]){ "stem", "a/x/1", "a/x/2", "a/y", NULL });
  g_autoptr (SymGroups) groups = sym_groups_new (model);
  SymIds order = sym_model_get_execution_order (model);
  SymIds calls = sym_groups_get_calls (groups, 0);

  g_assert_cmpuint (sym_groups_find_call (groups, order.ids[0]), ==, SYM_NO_GROUP);
  g_assert_cmpuint (sym_groups_find_call (groups, order.ids[1]), ==, 1);
  g_assert_cmpuint (sym_groups_find_call (groups, order.ids[3]), ==, 0);
  g_assert_cmpmem (calls.ids, calls.n * sizeof (SymId), order.ids + 1, 3 * sizeof (SymId));
}

static void
test_deep_names (void)
{
  g_autoptr (GString) deep = g_string_new ("top");
  g_autofree char *one = NULL;
  g_autofree char *two = NULL;
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymGroups) groups = NULL;

  for (guint i = 0; i < 100000; i++)
    g_string_append (deep, "/a");
  one = g_strconcat (deep->str, "/1", NULL);
  two = g_strconcat (deep->str, "/2", NULL);
  model = new_chain ((const char *[]){ "stem", one, two, "top/x", NULL });
  groups = sym_groups_new (model);
  g_assert_cmpuint (sym_groups_get_n (groups), ==, 2);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_strconcat ("/query/groups/scopes/", cases[i].what, NULL);

    g_test_add_data_func (path, &cases[i], test_scopes);
  }
  g_test_add_func ("/query/groups/lists-calls-with-those-of-groups-within", test_calls);
  g_test_add_func ("/query/groups/bounds-the-depth-of-names", test_deep_names);
  return g_test_run ();
}
