/* SPDX-License-Identifier: MIT */
#include "check-groups.h"
#include "check-shuffled.h"
#include "query-graphs.h"
#include "query/sym-folding.h"
#include "query/sym-groups-private.h"

#include <time.h>

#define N 100000
#define MAX_ITEMS 150

/* ---- Graphs ---- */

typedef SymModel *(*MakeFunc) (guint n);

static SymModel *
make_chain (guint n)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId value = add_input (builder, "x");

  for (guint i = 0; i < n; i++)
    value = add_call (builder, "Relu", NULL, &value, 1);
  return sym_model_builder_end (builder);
}

/* All of one type, each with another number: none is like another. */
static SymModel *
make_unequal (guint n)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId value = add_input (builder, "x");

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (SymAttributes) attributes = sym_attributes_new ();
      g_autoptr (SymLayer) layer = NULL;

      sym_attributes_set (attributes, "slope", sym_value_new_float ((double) i / n), NULL);
      layer = sym_layer_new ("LeakyRelu", NULL, attributes);
      value = sym_model_builder_get_result (
          builder, sym_model_builder_add_call (builder, NULL, layer, &value, 1, 1), 0);
    }
  return sym_model_builder_end (builder);
}

static SymModel *
make_branches (guint n)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autofree SymId *values = g_new (SymId, n);
  SymId value = add_input (builder, "x");

  value = add_call (builder, "Split", NULL, &value, 1);
  for (guint i = 0; i < n; i++)
    values[i] = add_call (builder, "Conv", NULL, &value, 1);
  add_call (builder, "Concat", NULL, values, n);
  return sym_model_builder_end (builder);
}

/* Blocks of a sum behind two layers; every tenth has a layer beside them. */
static SymModel *
make_residual (guint n)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId value = add_input (builder, "x");

  value = add_call (builder, "Embed", NULL, &value, 1);
  for (guint i = 0; i < n / 5; i++)
    {
      SymId first = add_call (builder, "Conv", NULL, &value, 1);
      SymId second = add_call (builder, "Relu", NULL, &first, 1);
      SymId ends[2] = { add_call (builder, "Dense", NULL, &second, 1), value };

      if (i % 10 == 0)
        ends[1] = add_call (builder, "Side", NULL, &value, 1);
      value = add_call (builder, "Add", NULL, ends, 2);
    }
  return sym_model_builder_end (builder);
}

/* Operands at random among the 40 values before. */
static SymModel *
make_random (guint n)
{
  static const char *const types[] = { "Conv", "Pool", "Add", "Relu" };
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autofree SymId *values = g_new (SymId, n + 1);

  values[0] = add_input (builder, "x");
  for (guint i = 1; i <= n; i++)
    {
      SymId operands[2];

      for (guint k = 0; k < 2; k++)
        operands[k] = values[g_rand_int_range (random, MAX ((int) i - 40, 0), (int) i)];
      values[i] = add_call (builder, types[g_rand_int_range (random, 0, 4)], NULL, operands,
                            (guint) g_rand_int_range (random, 1, 3));
    }
  return sym_model_builder_end (builder);
}

/* Words that grow by the word before: more repeats than anything else. */
static SymModel *
make_fibonacci (guint n)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (GString) before = g_string_new ("a");
  g_autoptr (GString) word = g_string_new ("ab");
  SymId value = add_input (builder, "x");

  while (word->len < n)
    {
      g_autofree char *last = g_strdup (word->str);

      g_string_append (word, before->str);
      g_string_assign (before, last);
    }
  for (guint i = 0; i < n; i++)
    value = add_call (builder, word->str[i] == 'a' ? "Relu" : "Conv", NULL, &value, 1);
  return sym_model_builder_end (builder);
}

/* Ten ranks, each of whose calls uses all of the rank before. */
static SymModel *
make_bipartite (guint n)
{
  guint width = n / 1000;
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autofree SymId *values = g_new (SymId, width);
  g_autofree SymId *next = g_new (SymId, width);

  for (guint i = 0; i < width; i++)
    values[i] = add_input (builder, NULL);
  for (guint k = 0; k < 10; k++)
    {
      for (guint i = 0; i < width; i++)
        next[i] = add_call (builder, "Sum", NULL, values, width);
      for (guint i = 0; i < width; i++)
        values[i] = next[i];
    }
  return sym_model_builder_end (builder);
}

/* Loops of three calls, one behind the other. */
static SymModel *
make_cycles (guint n)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) merge = sym_layer_new ("Merge", NULL, NULL);
  SymId value = add_input (builder, "x");

  for (guint i = 0; i < n / 3; i++)
    {
      SymId operands[2] = { value, SYM_NO_ID };
      SymId call = sym_model_builder_add_call (builder, NULL, merge, operands, 2, 1);
      SymId inner = sym_model_builder_get_result (builder, call, 0);

      inner = add_call (builder, "Body", NULL, &inner, 1);
      value = add_call (builder, "Switch", NULL, &inner, 1);
      sym_model_builder_set_operand (builder, call, 1, value);
    }
  return sym_model_builder_end (builder);
}

/* Names of many parts, each with a scope of its own within scopes that all share. */
static SymModel *
make_names (guint n)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId value = add_input (builder, "x");

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf (
          "net/%u/%u/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/%u", i / 1000, i / 2, i);

      value = add_call (builder, "Relu", name, &value, 1);
    }
  return sym_model_builder_end (builder);
}

static SymModel *
make_nothing (guint n)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);

  for (guint i = 0; i < n / 1000; i++)
    add_input (builder, NULL);
  return sym_model_builder_end (builder);
}

static const struct {
  const char *what;
  MakeFunc make;
  guint max_items; /* that it opens with */
} graphs[] = {
  { "chain-of-equal-calls", make_chain, MAX_ITEMS },
  { "chain-of-unequal-calls", make_unequal, N },
  { "equal-branches", make_branches, MAX_ITEMS },
  { "residual-blocks", make_residual, MAX_ITEMS },
  { "at-random", make_random, MAX_ITEMS },
  { "fibonacci-word", make_fibonacci, MAX_ITEMS },
  { "complete-bipartite", make_bipartite, MAX_ITEMS },
  { "cycles", make_cycles, MAX_ITEMS },
  { "names-of-many-parts", make_names, MAX_ITEMS },
  { "no-calls", make_nothing, 0 },
};

/* ---- Tests ---- */

static void
test_properties (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (SymModel) model = graphs[i].make (N);
  g_autoptr (SymGroups) groups = sym_groups_new (model);
  g_autoptr (SymFolding) folding = sym_folding_new (groups, MAX_ITEMS);

  check_groups (groups);
  g_assert_cmpuint (sym_folding_count_items (folding), <=, graphs[i].max_items);
}

/* Where in the file calls are does not matter.  (What leads to no output would: these have none.)
 */
static void
test_shuffled (void)
{
  static const MakeFunc makes[] = { make_chain, make_branches, make_residual, make_fibonacci,
                                    make_names };

  for (guint i = 0; i < G_N_ELEMENTS (makes); i++)
    {
      g_autoptr (SymModel) model = makes[i](3000);
      g_autoptr (SymGroups) groups = sym_groups_new (model);

      check_shuffled (groups, i + 1);
    }
}

static double
measure (MakeFunc make, guint n)
{
  g_autoptr (SymModel) model = make (n);
  double best = G_MAXDOUBLE;

  for (guint i = 0; i < 3; i++)
    {
      clock_t begun = clock ();
      g_autoptr (SymGroups) groups = sym_groups_new (model);

      g_assert_nonnull (groups);
      best = MIN (best, (double) (clock () - begun) + 1);
    }
  return best;
}

/* Ten times the calls take about 12 times as long; 100 times would be quadratic. */
static void
test_growth (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  double ratio = measure (graphs[i].make, N) / measure (graphs[i].make, N / 10);

  g_test_message ("%s: %.1f", graphs[i].what, ratio);
  g_assert_cmpfloat (ratio, <, 30);
}

static gboolean
is_repeat (const guint *elements, guint start, guint end, guint period)
{
  for (guint i = start; i + period < end; i++)
    if (elements[i] != elements[i + period])
      return FALSE;
  return TRUE;
}

/* All repeats as they are defined, the shortest period of each: start, end and period as text. */
static char *
find_slowly (const guint *elements, guint n)
{
  GString *text = g_string_new (NULL);

  for (guint start = 0; start < n; start++)
    for (guint end = start + 2; end <= n; end++)
      for (guint period = 1; 2 * period <= end - start; period++)
        {
          if (!is_repeat (elements, start, end, period))
            continue;
          if ((start == 0 || elements[start - 1] != elements[start - 1 + period]) &&
              (end == n || elements[end] != elements[end - period]))
            g_string_append_printf (text, "%u-%u/%u ", start, end, period);
          break;
        }
  return g_string_free (text, FALSE);
}

static void
test_repeats (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint i = 0; i < 2000; i++)
    {
      guint elements[24];
      guint n = (guint) g_rand_int_range (random, 0, G_N_ELEMENTS (elements) + 1);
      g_autoptr (GArray) found = NULL;
      g_autoptr (GString) text = g_string_new (NULL);
      g_autofree char *expected = NULL;

      for (guint k = 0; k < n; k++)
        elements[k] = (guint) g_rand_int_range (random, 0, i % 3 + 2);
      found = sym_find_repeats (elements, n);
      for (guint k = 0; k < found->len; k++)
        {
          const SymRepeat *repeat = &g_array_index (found, SymRepeat, k);

          g_string_append_printf (text, "%u-%u/%u ", repeat->start, repeat->end, repeat->period);
        }
      expected = find_slowly (elements, n);
      g_assert_cmpstr (text->str, ==, expected);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/query/groups/large/repeats-are-all-there-are", test_repeats);
  g_test_add_func ("/query/groups/large/do-not-depend-on-the-order-in-the-file", test_shuffled);
  for (guint i = 0; i < G_N_ELEMENTS (graphs); i++)
    {
      g_autofree char *path = g_strconcat ("/query/groups/large/", graphs[i].what, NULL);
      g_autofree char *growth = g_strconcat (path, "-linear", NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_properties);
      if (graphs[i].make != make_nothing && graphs[i].make != make_bipartite)
        g_test_add_data_func (growth, GUINT_TO_POINTER (i), test_growth);
    }
  return g_test_run ();
}
