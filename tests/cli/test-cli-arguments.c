/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli.h"

static const SymCliOption options[] = {
  { "style", 0, "keras|mxnet", "a choice" },
  { "shape", 0, "NAME=D", "repeatable" },
  { "out", 'o', "OUT", "a text" },
  { "expand", 0, NULL, "a switch" },
  { NULL },
};

static const SymCliCommand command = {
  .name = "probe",
  .operands = "FILE NODE",
  .options = options,
};

static SymCliArguments *
parse (GError **error, const char *line)
{
  static char **words = NULL;

  g_strfreev (words);
  words = g_strsplit (line, " ", -1);
  return sym_cli_arguments_parse (&command, (const char *const *) words, error);
}

static void
test_spellings (void)
{
  static const char *const lines[] = {
    "f n --style=mxnet --shape a=1 --shape=b=2 -o x --expand",
    "--style mxnet -ox --expand f --shape a=1 --shape b=2 n",
    "--style keras --style mxnet --out x --shape a=1 --shape b=2 --expand -- f n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (SymCliArguments) self = parse (&error, lines[i]);

      g_assert_no_error (error);
      g_assert_cmpstr (sym_cli_arguments_get_operand (self, 0), ==, "f");
      g_assert_cmpstr (sym_cli_arguments_get_operand (self, 1), ==, "n");
      g_assert_null (sym_cli_arguments_get_operand (self, 2));
      g_assert_cmpstr (sym_cli_arguments_get (self, "style"), ==, "mxnet");
      g_assert_cmpstr (sym_cli_arguments_get (self, "out"), ==, "x");
      g_assert_true (sym_cli_arguments_has (self, "expand"));
      g_assert_cmpstr (sym_cli_arguments_get_nth (self, "shape", 0), ==, "a=1");
      g_assert_cmpstr (sym_cli_arguments_get_nth (self, "shape", 1), ==, "b=2");
      g_assert_null (sym_cli_arguments_get_nth (self, "shape", 2));
      g_assert_null (sym_cli_arguments_get (self, "dtype"));
    }
}

static void
test_dashes (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymCliArguments) self = parse (&error, "- -o - -- --expand");

  g_assert_no_error (error);
  g_assert_cmpstr (sym_cli_arguments_get_operand (self, 0), ==, "-");
  g_assert_cmpstr (sym_cli_arguments_get_operand (self, 1), ==, "--expand");
  g_assert_cmpstr (sym_cli_arguments_get (self, "out"), ==, "-");
  g_assert_false (sym_cli_arguments_has (self, "expand"));
}

static void
test_subject (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymCliArguments) self = parse (&error, "f n");

  g_assert_cmpstr (sym_cli_arguments_get_subject (self), ==, "f");
  sym_cli_arguments_set_subject (self, "g");
  g_assert_cmpstr (sym_cli_arguments_get_subject (self), ==, "g");
  g_assert_null (sym_cli_arguments_require (self, "out", &error));
  g_assert_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE);
  g_assert_cmpstr (error->message, ==, "probe needs -o OUT");
}

static void
test_refusals (void)
{
  static const struct {
    const char *line, *message;
  } cases[] = {
    { "f", "probe also needs NODE" },
    { "f n m", "probe: “m” is one operand too many" },
    { "f n --styel keras", "probe has no option --styel; did you mean --style?" },
    { "f n --qqqq=1", "probe has no option --qqqq" },
    { "f n -x", "probe has no option -x" },
    { "f n --style torch", "--style cannot be “torch”; it is one of keras|mxnet" },
    { "f n --style", "--style needs a value: keras|mxnet" },
    { "f n --expand=1", "--expand takes no value" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (parse (&error, cases[i].line));
      g_assert_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/arguments/takes-every-spelling-in-any-order", test_spellings);
  g_test_add_func ("/cli/arguments/tells-dashes-apart", test_dashes);
  g_test_add_func ("/cli/arguments/knows-what-messages-are-about", test_subject);
  g_test_add_func ("/cli/arguments/refuses-with-a-hint", test_refusals);
  return g_test_run ();
}
