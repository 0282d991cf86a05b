/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-json.h"

#include <math.h>
#include <string.h>

#include "cli/sym-cli.h"

static gboolean
collect (gpointer target, const void *bytes, gsize size, GError **error)
{
  g_string_append_len (target, bytes, (gssize) size);
  return TRUE;
}

static gboolean
refuse (gpointer target, const void *bytes, gsize size, GError **error)
{
  g_set_error_literal (error, SYM_CLI_ERROR, SYM_CLI_ERROR_REQUEST, "full");
  return FALSE;
}

static void
assert_text (SymCliJson *json, GString *text, const char *expected)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (sym_cli_json_end (json, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_shapes (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  SymCliJson *json = sym_cli_json_new (collect, text);

  sym_cli_json_begin_object (json);
  sym_cli_json_add_key (json, "a");
  sym_cli_json_begin_rows (json);
  for (int i = 0; i < 2; i++)
    {
      sym_cli_json_begin_object (json);
      sym_cli_json_add_key (json, "n");
      sym_cli_json_add_int (json, i - 1);
      sym_cli_json_add_key (json, "t");
      sym_cli_json_add_bool (json, i == 0);
      sym_cli_json_end_object (json);
    }
  sym_cli_json_end_array (json);
  sym_cli_json_add_key (json, "b");
  sym_cli_json_begin_array (json);
  sym_cli_json_add_null (json);
  sym_cli_json_add_uint (json, G_MAXUINT64);
  sym_cli_json_begin_array (json);
  sym_cli_json_end_array (json);
  sym_cli_json_end_array (json);
  sym_cli_json_add_key (json, "c");
  sym_cli_json_begin_rows (json);
  sym_cli_json_end_array (json);
  sym_cli_json_end_object (json);
  assert_text (json, text,
               "{\"a\": [\n  {\"n\": -1, \"t\": true},\n  {\"n\": 0, \"t\": false}\n], "
               "\"b\": [null, 18446744073709551615, []], \"c\": []}\n");
}

static void
test_strings (void)
{
  static const struct {
    const char *string, *literal;
  } cases[] = {
    { NULL, "null\n" },
    { "", "\"\"\n" },
    { "a\"b\\c/d", "\"a\\\"b\\\\c/d\"\n" },
    { "\n\t\x01\x7f", "\"\\n\\t\\u0001\\u007f\"\n" },
    { "é😀", "\"é😀\"\n" },
    { "a\xff"
      "b",
      "\"a\xef\xbf\xbd"
      "b\"\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      SymCliJson *json = sym_cli_json_new (collect, text);

      sym_cli_json_add_string (json, cases[i].string);
      assert_text (json, text, cases[i].literal);
    }
}

static void
test_doubles (void)
{
  static const double cases[] = {
    0.1, 1.0 / 3, 1e300, 5e-324, -2.5, 12, 1e22, 123456789.123456789
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      SymCliJson *json = sym_cli_json_new (collect, text);

      sym_cli_json_add_double (json, cases[i]);
      g_assert_true (sym_cli_json_end (json, NULL));
      g_assert_cmpfloat (g_ascii_strtod (text->str, NULL), ==, cases[i]);
    }
}

static void
test_short_doubles (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  SymCliJson *json = sym_cli_json_new (collect, text);

  sym_cli_json_begin_array (json);
  sym_cli_json_add_double (json, 0.1);
  sym_cli_json_add_double (json, 12);
  sym_cli_json_add_double (json, (double) NAN);
  sym_cli_json_add_double (json, -(double) INFINITY);
  sym_cli_json_end_array (json);
  assert_text (json, text, "[0.1, 12, null, null]\n");
}

static void
test_thousandths (void)
{
  static const struct {
    double number;
    const char *literal;
  } cases[] = {
    { 0, "0\n" },
    { 12, "12\n" },
    { -12.5, "-12.5\n" },
    { 0.001, "0.001\n" },
    { -0.0004, "0\n" },
    { 0.0006, "0.001\n" },
    { 100.25, "100.25\n" },
    { 1900.999, "1900.999\n" },
    { 0.9999, "1\n" },
    { 3.05, "3.05\n" },
    { 2063648, "2063648\n" },
    { 1e13, "10000000000000\n" },
    { (double) NAN, "null\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      SymCliJson *json = sym_cli_json_new (collect, text);

      sym_cli_json_add_thousandths (json, cases[i].number);
      assert_text (json, text, cases[i].literal);
    }
}

static void
test_pieces (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  SymCliJson *json = sym_cli_json_new (collect, text);

  sym_cli_json_begin_rows (json);
  for (guint i = 0; i < 100000; i++)
    {
      sym_cli_json_add_uint (json, i);
      if (i == 50000)
        g_assert_cmpuint (text->len, >, 100000);
    }
  sym_cli_json_end_array (json);
  g_assert_true (sym_cli_json_end (json, NULL));
  g_assert_true (g_str_has_suffix (text->str, "\n  99998,\n  99999\n]\n"));
}

static void
test_full (void)
{
  g_autoptr (GError) error = NULL;
  SymCliJson *json = sym_cli_json_new (refuse, NULL);

  sym_cli_json_begin_array (json);
  for (guint i = 0; i < 100000; i++)
    sym_cli_json_add_uint (json, i);
  sym_cli_json_end_array (json);
  g_assert_false (sym_cli_json_end (json, &error));
  g_assert_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_REQUEST);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/json/nests-and-separates", test_shapes);
  g_test_add_func ("/cli/json/quotes-strings", test_strings);
  g_test_add_func ("/cli/json/keeps-doubles-exact", test_doubles);
  g_test_add_func ("/cli/json/keeps-doubles-short", test_short_doubles);
  g_test_add_func ("/cli/json/rounds-places-to-thousandths", test_thousandths);
  g_test_add_func ("/cli/json/writes-in-pieces", test_pieces);
  g_test_add_func ("/cli/json/tells-when-it-cannot-write", test_full);
  return g_test_run ();
}
