/* SPDX-License-Identifier: MIT */
#include "query/sym-query-private.h"

#include <string.h>

/* The steps of a query, postfix: conditions as they stand, & | - and relations by name with an @.
 */
static char *
print_steps (const SymQuery *query)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < query->steps->len; i++)
    {
      const SymQueryStep *step = &g_array_index (query->steps, SymQueryStep, i);
      const SymQueryCondition *condition;

      g_string_append (text, i > 0 ? " " : "");
      switch (step->kind)
        {
        case SYM_QUERY_CONDITION:
          condition = &g_array_index (query->conditions, SymQueryCondition, step->condition);
          g_string_append_printf (text, "%s=%s",
                                  condition->name != NULL ? condition->name
                                                          : condition->field->info.name,
                                  condition->text);
          break;
        case SYM_QUERY_NOT:
          g_string_append_c (text, '-');
          break;
        case SYM_QUERY_AND:
          g_string_append_c (text, '&');
          break;
        case SYM_QUERY_OR:
          g_string_append_c (text, '|');
          break;
        case SYM_QUERY_RELATION:
          g_string_append_printf (text, "@%s", step->field->info.name);
          break;
        }
    }
  return g_string_free (text, FALSE);
}

static void
test_structure (void)
{
  static const struct {
    const char *text, *steps;
  } cases[] = {
    { "", "" },
    { " \t ", "" },
    { "\f", "" },
    { "a\fb\f", "text=a text=b &" },
    { "Relu", "text=relu" },
    { "a b", "text=a text=b &" },
    { "a AND b", "text=a text=b &" },
    { "a b c", "text=a text=b & text=c &" },
    { "a OR b", "text=a text=b |" },
    { "a | b c", "text=a text=b text=c & |" },
    { "(a OR b) c", "text=a text=b | text=c &" },
    { "-a", "text=a -" },
    { "NOT a b", "text=a - text=b &" },
    { "--a", "text=a - -" },
    { "-(a b)", "text=a text=b & -" },
    { "a-b", "text=a-b" },
    { "- a", "text=- text=a &" },
    { "and or", "text=and text=or &" },
    { "\"a b\"", "text=a b" },
    { "\"say \\\"x\\\"\"", "text=say \"x\"" },
    { "/a b/", "text=a b" },
    { "/a\\/b/", "text=a\\/b" },
    { "/layer1/conv", "text=/layer1/conv" },
    { "/layer1/conv x/", "text=/layer1/conv text=x/ &" },
    { "//", "text=//" },
    { "type:Conv", "type=conv" },
    { "TYPE:Conv", "type=conv" },
    { "name:\"a b\"", "name=a b" },
    { "type:/^conv$/", "type=^conv$" },
    { "kernel:3 stride>1", "kernel=3 stride=1 &" },
    { "name:a:b", "name=a:b" },
    { "3:4", "text=3:4" },
    { "params>1M", "params=1m" },
    { "params:1k..2k", "params=1k..2k" },
    { "time<10us", "time=10us" },
    { "parent:relu", "parent=relu @parent" },
    { "-parent:relu a", "parent=relu @parent - text=a &" },
    { "parent:(type:Relu depth>3) a", "type=relu depth=3 & @parent text=a &" },
    { "child:(parent:(a))", "text=a @parent @child" },
    { "shape:[1,64]", "shape=[1,64]" },
    { "(a)", "text=a" },
    { "((a)(b))", "text=a text=b &" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (SymQuery) query = sym_query_parse (cases[i].text, NULL, &error);
      g_autofree char *steps = NULL;

      g_assert_no_error (error);
      steps = print_steps (query);
      g_assert_cmpstr (steps, ==, cases[i].steps);
      g_assert_cmpint (sym_query_is_empty (query), ==, *cases[i].steps == '\0');
    }
}

static void
test_errors (void)
{
  static const struct {
    const char *text, *message;
    gsize place;
  } cases[] = {
    { "(", "column 2: expected a condition, such as a name or type:Conv", 1 },
    { "(a", "column 1: expected another parenthesis to close this one", 0 },
    { "a)", "column 2: no parenthesis was opened before this one", 1 },
    { "()", "column 2: expected a condition, such as a name or type:Conv", 1 },
    { "a OR", "column 5: expected a condition, such as a name or type:Conv", 4 },
    { "OR a", "column 1: expected a condition, such as a name or type:Conv", 0 },
    { "a AND OR b", "column 7: expected a condition, such as a name or type:Conv", 6 },
    { "NOT", "column 4: expected a condition, such as a name or type:Conv", 3 },
    { "\"a", "column 1: expected another quotation mark to close this one", 0 },
    { "größe \"a", "column 7: expected another quotation mark to close this one", 8 },
    { "type:\"a", "column 6: expected another quotation mark to close this one", 5 },
    { "type:", "column 6: expected a text after “type:”, as in type:Conv", 5 },
    { "a type: b", "column 8: expected a text after “type:”, as in type:Conv", 7 },
    { "params>", "column 8: expected a number after “params>”, as in params>1M", 7 },
    { "params>x", "column 8: expected a number after “params>”, as in params>1M", 7 },
    { "params>1X", "column 8: expected a number after “params>”, as in params>1M", 7 },
    { "params>1..2", "column 8: expected a number after “params>”, as in params>1M", 7 },
    { "time>1k", "column 6: expected a number after “time>”, as in time>1ms", 5 },
    { "unused:maybe", "column 8: expected yes or no after “unused:”, as in unused:yes", 7 },
    { "type>Conv", "column 5: “type” has no order: expected a colon, as in type:Conv", 4 },
    { "shape:1,,2", "column 7: expected a shape after “shape:”, as in shape:*x64x*", 6 },
    { "kernel>big", "column 8: expected a number after “kernel>”, as in kernel:3", 7 },
    { "kernel:(3,3)", "column 8: expected a text after “kernel:”, as in kernel:3", 7 },
    { "parent:",
      "column 8: expected a text or a query in parentheses after “parent:”, "
      "as in parent:relu",
      7 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gsize place = G_MAXSIZE;

      g_assert_null (sym_query_parse (cases[i].text, &place, &error));
      g_assert_error (error, SYM_QUERY_ERROR, SYM_QUERY_ERROR_SYNTAX);
      g_assert_cmpstr (error->message, ==, cases[i].message);
      g_assert_cmpuint (place, ==, cases[i].place);
    }
}

/* What is wrong with it the library says in its own words. */
static void
test_bad_expressions (void)
{
  static const struct {
    const char *text, *beginning;
    gsize place;
  } cases[] = {
    { "/(/", "column 1: this is no regular expression: ", 0 },
    { "name:/[/", "column 6: this is no regular expression: ", 5 },
    { "/a/ /*/", "column 5: this is no regular expression: ", 4 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gsize place = G_MAXSIZE;

      g_assert_null (sym_query_parse (cases[i].text, &place, &error));
      g_assert_true (g_str_has_prefix (error->message, cases[i].beginning));
      g_assert_cmpuint (strlen (error->message), >, strlen (cases[i].beginning));
      g_assert_cmpuint (place, ==, cases[i].place);
    }
}

static void
test_numbers (void)
{
  static const struct {
    const char *text;
    double low, high;
  } cases[] = {
    { "params>1M", 1e6, 1e6 },   { "params>1.5k", 1500, 1500 },
    { "bytes>1Ki", 1024, 1024 }, { "bytes>1KiB", 1024, 1024 },
    { "bytes>2MB", 2e6, 2e6 },   { "bytes>7B", 7, 7 },
    { "params:10..20", 10, 20 }, { "macs=4G", 4e9, 4e9 },
    { "time>2s", 2000, 2000 },   { "time<5us", 0.005, 0.005 },
    { "time<5", 5, 5 },          { "depth>=-1", -1, -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymQuery) query = sym_query_parse (cases[i].text, NULL, NULL);
      const SymQueryCondition *condition;

      g_assert_nonnull (query);
      condition = &g_array_index (query->conditions, SymQueryCondition, 0);
      g_assert_cmpfloat_with_epsilon (condition->low, cases[i].low, 1e-9);
      g_assert_cmpfloat_with_epsilon (condition->high, cases[i].high, 1e-9);
    }
}

/* As many as there may be, and one more; parentheses that never end. */
static void
test_limits (void)
{
  g_autoptr (GString) many = g_string_new (NULL);
  g_autofree char *deep = g_strnfill (100000, '(');
  g_autofree char *signs = g_strnfill (100000, '-');
  g_autoptr (GError) error = NULL;
  SymQuery *query;

  for (guint i = 0; i < SYM_QUERY_MAX_CONDITIONS; i++)
    g_string_append (many, "a ");
  query = sym_query_parse (many->str, NULL, &error);
  g_assert_no_error (error);
  sym_query_unref (query);
  g_string_append (many, "a");
  g_assert_null (sym_query_parse (many->str, NULL, &error));
  g_assert_cmpstr (error->message, ==, "column 129: a query has at most 64 conditions");
  g_clear_error (&error);
  g_assert_null (sym_query_parse (deep, NULL, &error));
  g_assert_cmpstr (error->message, ==, "column 257: this is nested too deep");
  g_clear_error (&error);
  memcpy (signs + 99998, "a", 2);
  g_assert_null (sym_query_parse (signs, NULL, &error));
  g_assert_cmpstr (error->message, ==, "column 257: this is nested too deep");
}

/* What the manual shows of each field can be asked. */
static void
test_examples (void)
{
  guint n;
  const SymQueryFieldInfo *fields = sym_query_get_fields (&n);

  g_assert_cmpuint (n, >, 25);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (SymQuery) query = sym_query_parse (fields[i].example, NULL, &error);

      g_assert_no_error (error);
      g_assert_nonnull (query);
      g_assert_true (g_str_has_prefix (fields[i].example, fields[i].name));
      g_assert_cmpint (i == 0 || strcmp (fields[i - 1].name, fields[i].name) < 0, ==, TRUE);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query/parse/structure", test_structure);
  g_test_add_func ("/query/parse/errors", test_errors);
  g_test_add_func ("/query/parse/bad-expressions", test_bad_expressions);
  g_test_add_func ("/query/parse/numbers", test_numbers);
  g_test_add_func ("/query/parse/limits", test_limits);
  g_test_add_func ("/query/parse/examples", test_examples);
  return g_test_run ();
}
