/* SPDX-License-Identifier: MIT */
#include "query/sym-groups.h"
#include "query-graphs.h"

/* Scopes as text, each with its number of calls. */
static char *
print_groups (const SymGroups *groups)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < sym_groups_get_n (groups); i++)
    {
      const SymGroup *group = sym_groups_get (groups, i);

      if (group->kind != SYM_GROUP_SCOPE)
        continue;
      g_string_append_printf (text, "%s%s(%u)", text->len > 0 ? " " : "", group->name,
                              group->n_calls);
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
  { "by-slashes",
    { "stem", "a/x/conv", "a/x/bn", "a/relu", "b/conv", "b/bn" },
    "a(3) x(2)<0 b(2)" },
  { "by-dots", { "stem", "net.0", "net.1", "head" }, "net(2)" },
  { "slashes-before-dots", { "stem", "a/v1.0", "a/v1.1" }, "a(2)" },
  { "a-leading-separator-is-none", { "stem", "/a/conv", "/a/bn" }, "a(2)" },
  { "not-of-one-call", { "a/conv", "b/bn" }, "" },
  { "not-of-everything", { "net/conv", "net/bn" }, "" },
  { "joins-levels-with-nothing-of-their-own", { "stem", "a/b/c/x", "a/b/c/y" }, "a/b/c(2)" },
  { "by-underscores-after-digits",
    { "conv0", "stage1_unit1_conv1", "stage1_unit1_bn", "stage1_unit2_conv1", "stage1_unit2_bn",
      "stage2_unit1_conv1", "stage2_unit1_bn", "fc" },
    "stage1(4) unit1(2)<0 unit2(2)<0 stage2_unit1(2)" },
  { "below-what-all-share",
    { "net0_s1_conv", "net0_s1_bn", "net0_s2_conv", "net0_s2_bn" },
    "s1(2) s2(2)" },
  { "parts-may-be-numbers",
    { "x", "conv_8_conv2d", "conv_8_batchnorm", "conv_8_relu" },
    "conv_8(3)" },
  { "not-at-underscores-after-letters", { "x", "batch_norm_1", "batch_norm_2" }, "" },
  { "not-of-guessed-parts-that-interleave",
    { "conv1_1", "relu1_1", "conv1_2", "relu1_2", "pool1" },
    "" },
  { "adopts-what-has-no-scope", { "x", "s1_conv", "_plus0", "s1_relu", "y" }, "s1(3)" },
  { "does-not-adopt-much", { "s1_conv", "a", "b", "c", "d", "e", "s1_relu", "y" }, "" },
  { "paths-may-be-in-parts",
    { "a/1", "a/2", "a/3", "b/1", "b/2", "b/3", "a/4", "a/5", "a/6" },
    "a(3) b(3) a(3)" },
  { "but-not-in-crumbs", { "a/1", "b/1", "a/2", "b/2", "a/3", "b/3" }, "" },
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
  g_autoptr (SymModel) model =
      new_chain ((const char *[]){ "stem", "a/x/1", "a/x/2", "a/y", NULL });
  g_autoptr (SymGroups) groups = sym_groups_new (model);
  SymIds order = sym_model_get_execution_order (model);
  SymIds calls = sym_groups_get_calls (groups, 0);

  g_assert_cmpuint (sym_groups_find_call (groups, order.ids[0]), ==, SYM_NO_GROUP);
  g_assert_cmpuint (sym_groups_find_call (groups, order.ids[1]), ==, 1);
  g_assert_cmpuint (sym_groups_find_call (groups, order.ids[3]), ==, 0);
  g_assert_cmpmem (calls.ids, calls.n * sizeof (SymId), order.ids + 1, 3 * sizeof (SymId));
}

/* The sum that has no scope ends the block before it. */
static void
test_sums (void)
{
  g_autoptr (SymModel) model = new_graph (
      "c=Conv x; s1_u1_a=Conv c; s1_u1_b=Tanh s1_u1_a; p0=Add s1_u1_b c; s1_u2_a=Conv:2 p0;"
      "s1_u2_b=Relu s1_u2_a; p1=Add s1_u2_b p0; s2_a=Pool p1; s2_b=Exp s2_a; p3=Add x y");
  g_autoptr (SymGroups) groups = sym_groups_new (model);
  g_autofree char *text = print_groups (groups);

  g_assert_cmpstr (text, ==, "s1(6) u1(3)<0 u2(3)<0 s2(2)");
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

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/query/groups/scopes/", cases[i].what, NULL);

      g_test_add_data_func (path, &cases[i], test_scopes);
    }
  g_test_add_func ("/query/groups/lists-calls-with-those-of-groups-within", test_calls);
  g_test_add_func ("/query/groups/scopes/end-with-a-sum-that-has-none", test_sums);
  g_test_add_func ("/query/groups/bounds-the-depth-of-names", test_deep_names);
  return g_test_run ();
}
