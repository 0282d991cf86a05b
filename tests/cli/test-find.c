/* SPDX-License-Identifier: MIT */
#include "query/sym-summary-view.h"
#include "spawn.h"

#include <string.h>

#define SMALL fixture ("small-symbol.json")
#define SHAPE "--shape data=2,3,8,8 --dtype data=float32"

static void
test_text (void)
{
  g_autoptr (Ending) ending = run_line ("find %s 'type:Conv params>100' %s", SMALL, SHAPE);

  assert_status (ending, 0);
  g_assert_cmpstr (ending->out, ==,
                   "#3  conv0_output  Convolution  [2,8,8,8]  type Convolution, params 224\n");
}

/* Columns line up, whatever is in them. */
static void
test_columns (void)
{
  g_autoptr (Ending) ending = run_line ("find %s 'parent:conv OR fc0' %s", SMALL, SHAPE);

  assert_status (ending, 0);
  g_assert_cmpstr (ending->out, ==,
                   "#4   bn0_output  BatchNorm       [2,8,8,8]  parent:conv\n"
                   "#11  fc0_output  FullyConnected  [2,10]     name fc0_output\n");
}

static void
test_json (void)
{
  g_autoptr (Ending) ending = run_line ("find %s macs>1000 --format json %s", SMALL, SHAPE);
  g_autoptr (cJSON) json = ending_parse (ending, 0);
  const cJSON *hits = member (json, "hits");

  assert_json (member (json, "query"), "\"macs>1000\"");
  g_assert_cmpint (cJSON_GetArraySize (hits), ==, 1);
  assert_json (hits->child, "{\"kind\":\"node\",\"name\":\"conv0_output\",\"index\":3,"
                            "\"output_shape\":[2,8,8,8],\"dtype\":\"float32\","
                            "\"type\":\"Convolution\",\"reason\":\"macs 27648\"}");
}

static void
test_nothing (void)
{
  g_autoptr (Ending) ending = run_line ("find %s nowhere", SMALL);
  g_autoptr (Ending) count = run_line ("find %s nowhere --count", SMALL);
  g_autoptr (Ending) some = run_line ("find %s type:FullyConnected --count", SMALL);

  assert_status (ending, 0);
  g_assert_cmpstr (ending->out, ==, "");
  g_assert_cmpstr (count->out, ==, "0\n");
  g_assert_cmpstr (some->out, ==, "1\n");
}

static void
test_errors (void)
{
  g_autoptr (Ending) malformed = run_line ("find %s 'params>'", SMALL);
  g_autoptr (Ending) misspelt = run_line ("find %s 'kernal:3'", SMALL);

  assert_refused (malformed, 2, "query “params>”: column 8: expected a number after “params>”");
  assert_refused (misspelt, 1, "column 1: there is no field “kernal”");
}

/* The manual has a paragraph for each field that completion offers, and for none besides. */
static void
test_manual (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "symscope.1", NULL);
  g_autofree char *text = NULL;
  const char *fields, *end;
  guint n_fields, n = 0;
  const SymQueryFieldInfo *infos = sym_query_get_fields (&n_fields);

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  fields = strstr (text, "The fields:\n");
  g_assert_nonnull (fields);
  end = strstr (fields, ".SH ");
  for (guint i = 0; i < n_fields; i++)
    {
      g_autofree char *paragraph = g_strdup_printf ("\n.TP\n.B %s\n", infos[i].name);
      const char *at = strstr (fields, paragraph);

      if (at == NULL || at > end)
        g_error ("the manual does not tell of the field %s", infos[i].name);
    }
  for (const char *at = strstr (fields, "\n.TP\n"); at != NULL && at < end;
       at = strstr (at + 1, "\n.TP\n"))
    n++;
  g_assert_cmpuint (n, ==, n_fields);
}

/* So have the columns of the summary, in its help as well. */
static void
test_manual_of_columns (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "symscope.1", NULL);
  g_autofree char *text = NULL;
  g_autoptr (Ending) help = run_line ("help summary");
  const char *manual;
  guint n;
  const SymColumnInfo *columns = sym_columns_get (&n);

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  manual = strstr (text, "\n.BI \\-\\-columns ");
  g_assert_nonnull (manual);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *in_manual = g_strdup_printf (" %s ", columns[i].name);
      g_autofree char *pattern = g_strdup_printf ("[ \n]%s[ ,.]", columns[i].name);

      if (columns[i].needs_times || columns[i].needs_changes || columns[i].needs_differences)
        continue;
      if (strstr (manual, in_manual) == NULL)
        g_error ("the manual does not tell of the column %s", columns[i].name);
      if (!g_regex_match_simple (pattern, strstr (help->out, "Columns: "), 0, 0))
        g_error ("the help does not tell of the column %s", columns[i].name);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/find/prints-lines", test_text);
  g_test_add_func ("/cli/find/lines-columns-up", test_columns);
  g_test_add_func ("/cli/find/prints-json", test_json);
  g_test_add_func ("/cli/find/nothing-is-no-error", test_nothing);
  g_test_add_func ("/cli/find/points-at-errors", test_errors);
  g_test_add_func ("/cli/find/manual-has-all-fields", test_manual);
  g_test_add_func ("/cli/find/manual-has-all-columns", test_manual_of_columns);
  return g_test_run ();
}
