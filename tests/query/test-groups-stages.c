/* SPDX-License-Identifier: MIT */
#include "check-groups.h"
#include "check-shuffled.h"
#include "query-graphs.h"
#include "query/sym-folding.h"

#define MAX_ITEMS 150

/* ---- Graphs ---- */

typedef struct {
  SymModelBuilder *builder;
  GRand *random;
  const char *scope; /* "" for none */
  guint n_calls;
} Wiring;

static SymId
wire (Wiring *self, const char *type, const SymId *operands, guint n)
{
  g_autofree char *name = g_strdup_printf ("%sn%u", self->scope, self->n_calls++);

  return add_call (self->builder, type, name, operands, n);
}

/* @n calls, each of which uses some of the 10 values before it from @value on; what nothing uses is
 * joined at their end to one value. */
static SymId
wire_at_random (Wiring *self, SymId value, guint n)
{
  static const char *const types[] = { "Conv", "Pool", "Relu", "Tanh", "Exp" };
  g_autofree SymId *values = g_new (SymId, n + 1);
  g_autofree guint8 *is_used = g_new0 (guint8, n + 1);
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (SymId));

  values[0] = value;
  for (guint i = 1; i <= n; i++)
    {
      SymId operands[2];

      for (guint k = 0; k < 2; k++)
        {
          int from = g_rand_int_range (self->random, MAX ((int) i - 10, 0), (int) i);

          operands[k] = values[from];
          is_used[from] = 1;
        }
      values[i] = wire (self, types[g_rand_int_range (self->random, 0, 5)], operands, 2);
    }
  for (guint i = 1; i <= n; i++)
    if (!is_used[i])
      g_array_append_val (ends, values[i]);
  return wire (self, "Concat", (const SymId *) (gconstpointer) ends->data, ends->len);
}

static SymModel *
make_blobs (guint n_blobs, guint size, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  Wiring wiring = { sym_model_builder_new (SYM_DIALECT_PLAIN), random, "", 0 };
  SymId value = add_input (wiring.builder, "x");

  for (guint i = 0; i < n_blobs; i++)
    value = wire_at_random (&wiring, value, size);
  sym_model_builder_add_output (wiring.builder, value);
  return sym_model_builder_end (wiring.builder);
}

/* Scopes with the same wiring, one behind the other. */
static SymModel *
make_equal_scopes (guint n_scopes, guint size)
{
  Wiring wiring = { sym_model_builder_new (SYM_DIALECT_PLAIN), NULL, "", 0 };
  SymId value = add_input (wiring.builder, "x");

  for (guint i = 0; i < n_scopes; i++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (5);
      g_autofree char *scope = g_strdup_printf ("s%u/", i);

      wiring.random = random;
      wiring.scope = scope;
      value = wire_at_random (&wiring, value, size);
    }
  wiring.scope = "";
  value = wire (&wiring, "Softmax", &value, 1);
  sym_model_builder_add_output (wiring.builder, value);
  return sym_model_builder_end (wiring.builder);
}

/* ---- Checks ---- */

/* What is seen in each open group, and at the top: own calls and groups, of runs the first. */
static guint
count_most_seen (const SymGroups *groups)
{
  guint n = sym_groups_get_n (groups);
  g_autofree guint *seen = g_new0 (guint, n + 1);
  SymIds order = sym_groups_get_order (groups);
  guint most = 0;

  for (guint i = 0; i < order.n; i++)
    seen[MIN (sym_groups_find_call (groups, order.ids[i]), n)]++;
  for (guint i = 0; i < n; i++)
    if (sym_groups_get (groups, i)->place == 0)
      seen[MIN (sym_groups_get (groups, i)->parent, n)]++;
  for (guint i = 0; i <= n; i++)
    most = MAX (most, seen[i]);
  return most;
}

/* Calls outside of a group whose results it uses. */
static guint
count_sources (const SymGroups *groups, guint group)
{
  SymModel *model = sym_groups_get_model (groups);
  SymIds calls = sym_groups_get_calls (groups, group);
  g_autoptr (GHashTable) inner = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) sources = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < calls.n; i++)
    {
      SymIds operands = sym_model_get_operands (model, calls.ids[i]);

      g_hash_table_add (inner, GUINT_TO_POINTER (calls.ids[i]));
      for (guint k = 0; k < operands.n; k++)
        {
          SymId producer = sym_model_get_producer (model, operands.ids[k]);

          if (producer != SYM_NO_ID && !g_hash_table_contains (inner, GUINT_TO_POINTER (producer)))
            g_hash_table_add (sources, GUINT_TO_POINTER (producer));
        }
    }
  return g_hash_table_size (sources);
}

static guint
count_stages (const SymGroups *groups)
{
  guint n = 0;

  for (guint i = 0; i < sym_groups_get_n (groups); i++)
    n += sym_groups_get (groups, i)->kind == SYM_GROUP_STAGE;
  return n;
}

/* ---- Tests ---- */

static void
test_sizes (void)
{
  static const guint sizes[] = { 151, 152, 300, 1000, 5000, 30000 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (SymModel) model = make_blobs (1, sizes[i], i);
      g_autoptr (SymGroups) groups = sym_groups_new (model);
      g_autoptr (SymFolding) folding = sym_folding_new (groups, MAX_ITEMS);

      check_groups (groups);
      check_shuffled (groups, i);
      g_assert_cmpuint (count_stages (groups), >=, 2);
      g_assert_cmpuint (count_most_seen (groups), <=, MAX_ITEMS);
      g_assert_cmpuint (sym_folding_count_items (folding), <=, MAX_ITEMS);
    }
}

static void
test_little (void)
{
  g_autoptr (SymModel) model = make_blobs (1, 140, 3);
  g_autoptr (SymGroups) groups = sym_groups_new (model);

  g_assert_cmpuint (count_stages (groups), ==, 0);
}

/* Blobs of 40 are joined by one value each: no stage uses more than one from before. */
static void
test_waists (void)
{
  g_autoptr (SymModel) model = make_blobs (50, 40, 11);
  g_autoptr (SymGroups) groups = sym_groups_new (model);

  check_groups (groups);
  g_assert_cmpuint (count_stages (groups), >=, 10);
  for (guint i = 0; i < sym_groups_get_n (groups); i++)
    if (sym_groups_get (groups, i)->kind == SYM_GROUP_STAGE)
      g_assert_cmpuint (count_sources (groups, i), <=, 1);
}

static void
test_equal_groups (void)
{
  g_autoptr (SymModel) model = make_equal_scopes (3, 400);
  g_autoptr (SymGroups) groups = sym_groups_new (model);
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n;

  check_groups (groups);
  g_assert_cmpuint (sym_groups_get (groups, 0)->run, !=, SYM_NO_GROUP);
  sym_groups_get_run (groups, sym_groups_get (groups, 0)->run, &n);
  g_assert_cmpuint (n, ==, 3);
  for (guint i = 0; i < sym_groups_get_n (groups); i++)
    if (sym_groups_get (groups, i)->kind == SYM_GROUP_STAGE)
      g_array_append_val (sizes, sym_groups_get (groups, i)->n_calls);
  g_assert_cmpuint (sizes->len, >=, 6);
  g_assert_cmpuint (sizes->len % 3, ==, 0);
  for (guint i = sizes->len / 3; i < sizes->len; i++)
    g_assert_cmpuint (g_array_index (sizes, guint, i), ==,
                      g_array_index (sizes, guint, i - sizes->len / 3));
}

/* The name tells which part it is, and how many calls of which types there are. */
static void
test_names (void)
{
  g_autoptr (SymModel) model = make_blobs (1, 300, 2);
  g_autoptr (SymGroups) groups = sym_groups_new (model);

  for (guint i = 0; i < sym_groups_get_n (groups); i++)
    {
      const SymGroup *group = sym_groups_get (groups, i);
      SymIds calls = sym_groups_get_calls (groups, i);
      g_autofree char *first = NULL;
      g_auto (GStrv) words = NULL;
      guint n = 0;

      if (group->kind != SYM_GROUP_STAGE)
        continue;
      words = g_strsplit (group->name, " ", -1);
      first = g_strdelimit (g_strdup (words[3]), ",", '\0');
      for (guint k = 0; k < calls.n; k++)
        n += g_str_equal (sym_layer_get_type (sym_model_get_layer (model, calls.ids[k])), first);
      g_assert_cmpstr (words[0], ==, "Part");
      g_assert_cmpuint (n, ==, g_ascii_strtoull (words[2], NULL, 10));
      g_assert_cmpuint (n, >, 0);
    }
}

/* Thousands are set apart, as wherever people read how many there are. */
static void
test_thousands (void)
{
  g_autoptr (GString) text = g_string_new ("c0=Clip:0 x");
  guint n_grouped = 0;

  for (guint i = 1; i < 60000; i++)
    g_string_append_printf (text, ";c%u=Clip:%u c%u", i, i, i - 1);
  g_autoptr (SymModel) model = new_graph (text->str);
  g_autoptr (SymGroups) groups = sym_groups_new (model);

  for (guint i = 0; i < sym_groups_get_n (groups); i++)
    {
      const SymGroup *group = sym_groups_get (groups, i);

      if (group->kind != SYM_GROUP_STAGE)
        continue;
      g_assert_false (g_regex_match_simple (":.*[0-9]{4}", group->name, 0, 0));
      n_grouped += g_regex_match_simple ("^Part [0-9.]+: [0-9],[0-9]{3} Clip$", group->name, 0, 0);
    }
  g_assert_cmpuint (n_grouped, >, 0);
}

/* Numbers count the parts of each part: "1", "2", "2.1", "2.2". */
static void
test_numbers (void)
{
  g_autoptr (SymModel) model = make_blobs (1, 5000, 4);
  g_autoptr (SymGroups) groups = sym_groups_new (model);
  guint n = sym_groups_get_n (groups), n_inner = 0;
  g_autofree guint *n_parts = g_new0 (guint, n + 1);
  g_autoptr (GPtrArray) numbers = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < n; i++)
    {
      const SymGroup *group = sym_groups_get (groups, i);
      const char *outer =
          group->parent != SYM_NO_GROUP ? g_ptr_array_index (numbers, group->parent) : "";
      gboolean is_inner = *outer != '\0';
      g_autofree char *expected = NULL;

      if (group->kind != SYM_GROUP_STAGE)
        {
          g_ptr_array_add (numbers, g_strdup (""));
          continue;
        }
      g_ptr_array_add (numbers, g_strdup_printf ("%s%s%u", outer, is_inner ? "." : "",
                                                 ++n_parts[MIN (group->parent, n)]));
      expected = g_strdup_printf ("Part %s: ", (char *) g_ptr_array_index (numbers, i));
      g_assert_true (g_str_has_prefix (group->name, expected));
      n_inner += is_inner;
    }
  g_assert_cmpuint (n_inner, >, 1);
}

/* Names are short enough to be read whole in a line. */
static void
test_lengths (void)
{
  g_autoptr (SymModel) model = make_blobs (1, 5000, 4);
  g_autoptr (SymGroups) groups = sym_groups_new (model);

  for (guint i = 0; i < sym_groups_get_n (groups); i++)
    if (sym_groups_get (groups, i)->kind == SYM_GROUP_STAGE)
      g_assert_cmpint (g_utf8_strlen (sym_groups_get (groups, i)->name, -1), <=, 32);
}

/* Either all stages of one group are open or none. */
static void
test_folding (void)
{
  g_autoptr (SymModel) model = make_blobs (1, 5000, 4);
  g_autoptr (SymGroups) groups = sym_groups_new (model);

  for (guint max_items = 10; max_items < 5000; max_items += 331)
    {
      g_autoptr (SymFolding) folding = sym_folding_new (groups, max_items);
      g_autofree guint8 *states = g_new0 (guint8, sym_groups_get_n (groups) + 1);
      guint n_top = 0;

      for (guint i = 0; i < sym_groups_get_n (groups); i++)
        {
          const SymGroup *group = sym_groups_get (groups, i);

          n_top += group->parent == SYM_NO_GROUP;
          if (group->kind == SYM_GROUP_STAGE)
            states[MIN (group->parent, sym_groups_get_n (groups))] |=
                sym_folding_is_open (folding, i) ? 1 : 2;
        }
      for (guint i = 0; i <= sym_groups_get_n (groups); i++)
        g_assert_cmpuint (states[i], !=, 3);
      g_assert_cmpuint (sym_folding_count_items (folding), <=, MAX (max_items, n_top));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/query/groups/stages/never-are-too-many-to-see", test_sizes);
  g_test_add_func ("/query/groups/stages/none-where-all-can-be-seen", test_little);
  g_test_add_func ("/query/groups/stages/begin-where-little-crosses", test_waists);
  g_test_add_func ("/query/groups/stages/of-equal-groups-are-equal", test_equal_groups);
  g_test_add_func ("/query/groups/stages/tell-what-they-hold", test_names);
  g_test_add_func ("/query/groups/stages/set-thousands-apart", test_thousands);
  g_test_add_func ("/query/groups/stages/are-numbered", test_numbers);
  g_test_add_func ("/query/groups/stages/have-names-that-fit-a-line", test_lengths);
  g_test_add_func ("/query/groups/stages/open-together", test_folding);
  return g_test_run ();
}
