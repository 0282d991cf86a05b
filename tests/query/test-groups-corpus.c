/* SPDX-License-Identifier: MIT */
#include "check-groups.h"
#include "check-shuffled.h"
#include "io/sym-io.h"
#include "query/sym-folding.h"

#define MAX_ITEMS 150

/* What is drawn for a call: the group that it is folded into, or the call itself behind all groups.
 */
static guint
get_item (const SymFolding *folding, SymId call)
{
  SymGroups *groups = sym_folding_get_groups (folding);
  guint group = sym_folding_find_call (folding, call);

  return group != SYM_NO_GROUP ? group : sym_groups_get_n (groups) + call;
}

/* Items can be put in an order in which each comes after what it uses, and there are as many as the
 * folding says. */
static void
check_folding (const SymFolding *folding)
{
  SymModel *model = sym_groups_get_model (sym_folding_get_groups (folding));
  guint n = sym_groups_get_n (sym_folding_get_groups (folding)) + sym_model_get_n_calls (model);
  SymIds order = sym_model_get_execution_order (model);
  g_autofree guint *n_before = g_new0 (guint, n + 1);
  g_autofree guint8 *is_item = g_new0 (guint8, n + 1);
  g_autofree GArray **after = g_new0 (GArray *, n + 1);
  g_autoptr (GArray) ready = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n_items = 0;

  for (guint i = 0; i < order.n; i++)
    {
      SymIds operands = sym_model_get_operands (model, order.ids[i]);
      guint item = get_item (folding, order.ids[i]);

      is_item[item] = 1;
      for (guint k = 0; k < operands.n; k++)
        {
          SymId producer = operands.ids[k] == SYM_NO_ID
                               ? SYM_NO_ID
                               : sym_model_get_producer (model, operands.ids[k]);
          guint source = producer == SYM_NO_ID ? item : get_item (folding, producer);

          if (source == item || sym_model_is_back_edge (model, order.ids[i], k))
            continue;
          if (!after[source])
            after[source] = g_array_new (FALSE, FALSE, sizeof (guint));
          g_array_append_val (after[source], item);
          n_before[item]++;
        }
    }
  for (guint i = 0; i < n; i++)
    {
      n_items += is_item[i];
      if (is_item[i] && n_before[i] == 0)
        g_array_append_val (ready, i);
    }
  for (guint i = 0; i < ready->len; i++)
    {
      GArray *next = after[g_array_index (ready, guint, i)];

      for (guint k = 0; next && k < next->len; k++)
        if (--n_before[g_array_index (next, guint, k)] == 0)
          g_array_append_val (ready, g_array_index (next, guint, k));
    }
  g_assert_cmpuint (ready->len, ==, n_items);
  g_assert_cmpuint (sym_folding_count_items (folding), ==, n_items);
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&after[i], g_array_unref);
}

static void
check_foldings (SymGroups *groups)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  g_autoptr (SymFolding) closed = sym_folding_new_closed (groups);
  g_autoptr (SymFolding) usual = sym_folding_new (groups, MAX_ITEMS);
  g_autoptr (SymFolding) some = sym_folding_ref (usual);

  check_folding (closed);
  check_folding (usual);
  for (guint i = 0; i < 20 && sym_groups_get_n (groups) > 0; i++)
    {
      guint group = (guint) g_rand_int_range (random, 0, (int) sym_groups_get_n (groups));
      SymFolding *next = sym_folding_is_open (some, group) ? sym_folding_close (some, group)
                                                           : sym_folding_open (some, group);

      sym_folding_unref (some);
      some = next;
      check_folding (some);
    }
}

static char *
get_folder (void)
{
  const char *corpus = g_getenv ("SYMSCOPE_CORPUS");

  return corpus && corpus[0] ? g_build_filename (corpus, "mxnet", NULL) : NULL;
}

static void
test_files (void)
{
  g_autofree char *folder = get_folder ();
  g_autoptr (GDir) dir = folder ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;

  if (!dir)
    {
      g_test_skip ("there is no corpus");
      return;
    }
  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr (SymModel) model = NULL;
      g_autoptr (SymGroups) groups = NULL;

      if (!g_str_has_suffix (name, ".json"))
        continue;
      g_test_message ("%s", name);
      model = sym_io_read (path, NULL, NULL);
      g_assert_nonnull (model);
      groups = sym_groups_new (model);
      check_groups (groups);
      check_foldings (groups);
      for (guint32 seed = 1; seed <= 3; seed++)
        check_shuffled (groups, seed);
    }
}

/* What a person sees in these networks. */
static const struct {
  const char *file;
  const char *group;
  guint n_calls;
  guint n_equal; /* in its run, itself included */
  guint max_items;
} known[] = {
  { "miraclewkf-resnet-18-symbol.json", "stage2", 15, 1, 150 },
  { "ZHUXUHAN-mxnet_backbone-symbol.json", "unit3", 7, 2, 150 },
  { "ZHUXUHAN-mxnet_backbone-symbol.json", "unit7", 7, 13, 150 },
  { "yeyupiaoling-Age-Gender-MXNET-symbol.json", "conv_8", 6, 5, 150 },
  { "deepjavalibrary-inceptionv3_ucf101-symbol.json", "A2", 23, 2, 150 },
  { "deepjavalibrary-ssd_512_vgg16_atrous-symbol.json", "_plus_scalar", 1, 80, 150 },
  { "deepjavalibrary-ssd_512_vgg16_atrous-symbol.json", "slice_axis, Concat", 3, 80, 150 },
  { "ZHUXUHAN-2730-symbol.json", "stage3", 262, 1, 150 },
};

static gboolean
has_group (const SymGroups *groups, const char *name, guint n_calls, guint n_equal)
{
  for (guint i = 0; i < sym_groups_get_n (groups); i++)
    {
      const SymGroup *group = sym_groups_get (groups, i);
      guint n = 1;

      if (group->run != SYM_NO_GROUP)
        sym_groups_get_run (groups, group->run, &n);
      if (g_str_equal (group->name, name) && group->n_calls == n_calls && n == n_equal)
        return TRUE;
    }
  return FALSE;
}

static void
test_known (void)
{
  g_autofree char *folder = get_folder ();

  if (!folder || !g_file_test (folder, G_FILE_TEST_IS_DIR))
    {
      g_test_skip ("there is no corpus");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_autofree char *path = g_build_filename (folder, known[i].file, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);
      g_autoptr (SymGroups) groups = NULL;
      g_autoptr (SymFolding) folding = NULL;

      g_assert_no_error (error);
      groups = sym_groups_new (model);
      folding = sym_folding_new (groups, MAX_ITEMS);
      g_test_message ("%s: %s", known[i].file, known[i].group);
      g_assert_true (has_group (groups, known[i].group, known[i].n_calls, known[i].n_equal));
      g_assert_cmpuint (sym_folding_count_items (folding), <=, known[i].max_items);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/query/groups/corpus/groups-of-every-file-hold", test_files);
  g_test_add_func ("/query/groups/corpus/blocks-that-people-see", test_known);
  return g_test_run ();
}
