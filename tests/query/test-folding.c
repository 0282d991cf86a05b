/* SPDX-License-Identifier: MIT */
#include "query/sym-folding.h"
#include "query-graphs.h"

typedef struct {
  SymModel *model;
  SymGroups *groups;
} Fixture;

/* Groups: 0 is a, 1 is a/x, 2 is b. */
static void
set_up (Fixture *self, gconstpointer data)
{
  self->model =
      new_chain ((const char *[]){ "stem", "a/x/1", "a/x/2", "a/y", "b/1", "b/2", "head", NULL });
  self->groups = sym_groups_new (self->model);
  g_assert_cmpuint (sym_groups_get_n (self->groups), ==, 3);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  sym_groups_unref (self->groups);
  sym_model_unref (self->model);
}

/* What each call is drawn as: "-" for itself, else the group. */
static char *
print_folding (const SymFolding *folding)
{
  SymModel *model = sym_groups_get_model (sym_folding_get_groups (folding));
  SymIds order = sym_model_get_execution_order (model);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < order.n; i++)
    {
      guint group = sym_folding_find_call (folding, order.ids[i]);

      if (group == SYM_NO_GROUP)
        g_string_append_c (text, '-');
      else
        g_string_append_printf (text, "%u", group);
    }
  return g_string_free (text, FALSE);
}

static void
check (SymFolding *folding, const char *expected, guint n_items)
{
  g_autofree char *text = print_folding (folding);

  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpuint (sym_folding_count_items (folding), ==, n_items);
}

static void
test_changes (Fixture *self, gconstpointer data)
{
  g_autoptr (SymFolding) closed = sym_folding_new_closed (self->groups);
  g_autoptr (SymFolding) inner = sym_folding_open (closed, 1);
  g_autoptr (SymFolding) outer = sym_folding_close (inner, 0);
  g_autoptr (SymFolding) again = sym_folding_open (outer, 0);
  g_autoptr (SymFolding) open = sym_folding_new_open (self->groups);

  check (closed, "-00022-", 4);
  check (inner, "----22-", 6);
  check (outer, "-00022-", 4);
  check (again, "----22-", 6);
  check (open, "-------", 7);
}

static void
test_levels (Fixture *self, gconstpointer data)
{
  static const struct {
    guint n_levels;
    const char *expected;
    guint n_items;
  } cases[] = {
    { 0, "-00022-", 4 }, { 1, "-11----", 6 }, { 2, "-------", 7 }, { 9, "-------", 7 }
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymFolding) folding = sym_folding_new_levels (self->groups, cases[i].n_levels);

      check (folding, cases[i].expected, cases[i].n_items);
    }
}

/* All around what is open is open as well. */
static void
test_flagged (Fixture *self, gconstpointer data)
{
  guint n = sym_groups_get_n (self->groups);
  g_autofree guint8 *none = g_new0 (guint8, n), *inner = g_new0 (guint8, n);
  g_autoptr (SymFolding) closed = sym_folding_new_closed (self->groups);
  g_autoptr (SymFolding) opened = sym_folding_open (closed, 1);

  inner[1] = TRUE;
  g_autoptr (SymFolding) same = sym_folding_new_flagged (self->groups, none);
  g_autoptr (SymFolding) flagged = sym_folding_new_flagged (self->groups, inner);

  check (same, "-00022-", 4);
  check (flagged, "----22-", 6);
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (sym_folding_is_open (flagged, i), ==, sym_folding_is_open (opened, i));
}

/* The ids of calls are the same, but for their names. */
static void
test_as_before (Fixture *self, gconstpointer data)
{
  static const struct {
    const char *names[8];
    const char *closed, *inner, *outer;
    guint n_closed, n_inner;
  } cases[] = {
    { { "stem", "a/x/1", "a/x/2", "a/y", "b/1", "b/2", "head" },
      "-00022-",
      "----22-",
      "-00022-",
      4,
      6 },
    { { "s", "a/x/new", "a/x/2", "a/y", "b/0", "b/2", "h" },
      "-00022-",
      "----22-",
      "-00022-",
      4,
      6 },
    { { "stem", "a/x/1", "a/x/2", "a/y", "c", "b/2", "head" },
      "-000---",
      "-------",
      "-000---",
      5,
      7 },
  };
  g_autoptr (SymFolding) closed = sym_folding_new_closed (self->groups);
  g_autoptr (SymFolding) inner = sym_folding_open (closed, 1);
  g_autoptr (SymFolding) outer = sym_folding_close (inner, 0);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymModel) model = new_chain (cases[i].names);
      g_autoptr (SymGroups) groups = sym_groups_new (model);
      g_autoptr (SymFolding) closed_too = sym_folding_new_as (groups, closed);
      g_autoptr (SymFolding) inner_too = sym_folding_new_as (groups, inner);
      g_autoptr (SymFolding) outer_too = sym_folding_new_as (groups, outer);
      g_autoptr (SymFolding) again = sym_folding_open (outer_too, 0);

      check (closed_too, cases[i].closed, cases[i].n_closed);
      check (inner_too, cases[i].inner, cases[i].n_inner);
      check (outer_too, cases[i].outer, cases[i].n_closed);
      check (again, cases[i].inner, cases[i].n_inner);
    }
}

static void
test_frames (Fixture *self, gconstpointer data)
{
  SymIds order = sym_model_get_execution_order (self->model);
  g_autoptr (SymFolding) closed = sym_folding_new_closed (self->groups);
  g_autoptr (SymFolding) half = sym_folding_open (closed, 0);

  g_assert_cmpuint (sym_folding_get_frame (closed, order.ids[1]), ==, SYM_NO_GROUP);
  g_assert_cmpuint (sym_folding_get_frame (half, order.ids[1]), ==, 0);
  g_assert_cmpuint (sym_folding_get_frame (half, order.ids[3]), ==, 0);
  g_assert_cmpuint (sym_folding_get_frame (half, order.ids[0]), ==, SYM_NO_GROUP);
}

static void
test_budget (Fixture *self, gconstpointer data)
{
  static const struct {
    guint max_items;
    const char *expected;
    guint n_items;
  } cases[] = {
    { 0, "-00022-", 4 }, { 4, "-00022-", 4 }, { 5, "-11-22-", 5 },
    { 6, "-11----", 6 }, { 7, "-------", 7 }, { 100, "-------", 7 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymFolding) folding = sym_folding_new (self->groups, cases[i].max_items);

      check (folding, cases[i].expected, cases[i].n_items);
    }
}

/* Five equal blocks of three calls between a stem and a head. */
static SymGroups *
new_run (void)
{
  g_autoptr (SymModel) model = new_graph (
      "s=Embed x; a=Conv s; b=Norm a; c=Relu b; d=Conv c; e=Norm d; f=Relu e; g=Conv f; h=Norm g;"
      "i=Relu h; j=Conv i; k=Norm j; l=Relu k; m=Conv l; n=Norm m; o=Relu n; p=Softmax o");
  SymGroups *groups = sym_groups_new (model);

  g_assert_cmpuint (sym_groups_get_n (groups), ==, 5);
  return groups;
}

/* Neighbours that are closed are one item, before and after one that is open. */
static void
test_merged (void)
{
  g_autoptr (SymGroups) groups = new_run ();
  g_autoptr (SymFolding) closed = sym_folding_new_closed (groups);
  g_autoptr (SymFolding) middle = sym_folding_open (closed, 2);
  g_autoptr (SymFolding) last = sym_folding_open (closed, 4);

  check (closed, "-000000000000000-", 3);
  g_assert_cmpuint (sym_folding_get_n_merged (closed, 0), ==, 5);
  check (middle, "-000000---333333-", 7);
  g_assert_cmpuint (sym_folding_get_n_merged (middle, 0), ==, 2);
  g_assert_cmpuint (sym_folding_get_n_merged (middle, 3), ==, 2);
  check (last, "-000000000000----", 6);
  g_assert_cmpuint (sym_folding_get_n_merged (last, 0), ==, 4);
}

/* Of a run the first is opened where that fits, and the rest stays one item. */
static void
test_run_within_budget (void)
{
  static const struct {
    guint max_items;
    const char *expected;
    guint n_items;
  } budgets[] = {
    { 3, "-000000000000000-", 3 },  { 5, "-000000000000000-", 3 },   { 6, "----111111111111-", 6 },
    { 16, "----111111111111-", 6 }, { 17, "-----------------", 17 },
  };
  g_autoptr (SymGroups) groups = new_run ();

  for (guint i = 0; i < G_N_ELEMENTS (budgets); i++)
    {
      g_autoptr (SymFolding) folding = sym_folding_new (groups, budgets[i].max_items);

      check (folding, budgets[i].expected, budgets[i].n_items);
    }
}

static guint
count_beside (const SymFolding *folding, guint position)
{
  SymGroups *groups = sym_folding_get_groups (folding);
  SymModel *model = sym_groups_get_model (groups);
  SymId call = sym_groups_get_order (groups).ids[position];
  SymId value = sym_model_get_results (model, call).ids[0];
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (SymId));

  sym_folding_collect_beside (folding, value, values);
  if (values->len == 1)
    g_assert_cmpuint (g_array_index (values, SymId, 0), ==, value);
  return values->len;
}

/* A value stands for all that is drawn as one item with it. */
static void
test_beside (void)
{
  g_autoptr (SymGroups) groups = new_run ();
  g_autoptr (SymFolding) closed = sym_folding_new_closed (groups);
  g_autoptr (SymFolding) middle = sym_folding_open (closed, 2);

  g_assert_cmpuint (count_beside (closed, 0), ==, 1);
  g_assert_cmpuint (count_beside (closed, 5), ==, 15);
  g_assert_cmpuint (count_beside (middle, 1), ==, 6);
  g_assert_cmpuint (count_beside (middle, 8), ==, 1);
  g_assert_cmpuint (count_beside (middle, 12), ==, 6);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/query/folding/opens-and-closes", Fixture, NULL, set_up, test_changes, tear_down);
  g_test_add ("/query/folding/opens-so-many-levels", Fixture, NULL, set_up, test_levels, tear_down);
  g_test_add ("/query/folding/opens-what-is-flagged", Fixture, NULL, set_up, test_flagged,
              tear_down);
  g_test_add ("/query/folding/opens-as-before-an-edit", Fixture, NULL, set_up, test_as_before,
              tear_down);
  g_test_add ("/query/folding/tells-frames", Fixture, NULL, set_up, test_frames, tear_down);
  g_test_add ("/query/folding/opens-within-a-budget", Fixture, NULL, set_up, test_budget,
              tear_down);
  g_test_add_func ("/query/folding/merges-closed-neighbours-of-a-run", test_merged);
  g_test_add_func ("/query/folding/opens-the-first-of-a-run", test_run_within_budget);
  g_test_add_func ("/query/folding/tells-what-is-drawn-as-one", test_beside);
  return g_test_run ();
}
