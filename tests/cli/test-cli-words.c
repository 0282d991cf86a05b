/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli.h"

static void
test_lists (void)
{
  static const struct {
    const char *text;
    const char *words[4];
  } cases[] = {
    { "a", { "a" } },
    { "a,b,c", { "a", "b", "c" } },
    { "a\\,b,c", { "a,b", "c" } },
    { "a\\\\,b", { "a\\", "b" } },
    { "a\\b", { "a\\b" } },
    { "", { "" } },
    { "a,,b", { "a", "", "b" } },
    { "a,", { "a", "" } },
    { "tail\\", { "tail\\" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GStrv) words = sym_cli_split_list (cases[i].text);

      g_test_message ("“%s”", cases[i].text);
      g_assert_cmpstrv (words, cases[i].words);
    }
}

static void
test_assignments (void)
{
  static const struct {
    const char *text, *name, *value;
  } cases[] = {
    { "data=1,3", "data", "1,3" }, { "a=b=2", "a=b", "2" }, { "scalar=", "scalar", "" },
    { "=3", NULL, NULL },          { "data", NULL, NULL },  { "", NULL, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *name = NULL;
      const char *value = NULL;
      gboolean split = sym_cli_split_assignment (cases[i].text, "shape", &name, &value, &error);

      g_test_message ("“%s”", cases[i].text);
      g_assert_cmpint (split, ==, cases[i].name != NULL);
      g_assert_cmpstr (name, ==, cases[i].name);
      g_assert_cmpstr (value, ==, cases[i].value);
      if (!split)
        g_assert_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE);
    }
}

static void
test_nearest (void)
{
  static const char *const words[] = { "summary", "show", "list", "infer", "extract" };
  static const struct {
    const char *word, *nearest;
  } cases[] = {
    { "sumary", "summary" }, { "infre", "infer" }, { "extrakt", "extract" },
    { "shwo", "show" },      { "zzz", NULL },      { "", NULL },
    { "x", NULL },           { "listing", NULL },  { "lists", "list" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (sym_cli_nearest (cases[i].word, words, G_N_ELEMENTS (words)), ==,
                     cases[i].nearest);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/words/splits-lists-at-commas", test_lists);
  g_test_add_func ("/cli/words/splits-assignments-at-the-last-sign", test_assignments);
  g_test_add_func ("/cli/words/finds-what-was-meant", test_nearest);
  return g_test_run ();
}
