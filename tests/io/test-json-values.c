/* SPDX-License-Identifier: MIT */
#include "io/sym-json-members.h"
#include "io/sym-json-private.h"

#include <string.h>

/* What is asked of the values of a document. */

static SymJson *
parse (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_strdup (text), strlen (text));
  g_autoptr (GError) error = NULL;
  SymJson *json = sym_json_parse (bytes, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (json);
  return json;
}

static void
test_reads_integers_exactly (void)
{
  const struct {
    const char *text;
    gboolean fits;
    gint64 number;
  } cases[] = {
    { "9007199254740993", TRUE, G_GINT64_CONSTANT (9007199254740993) },
    { "9223372036854775807", TRUE, G_MAXINT64 },
    { "9223372036854775808", FALSE, 0 },
    { "-9223372036854775808", TRUE, G_MININT64 },
    { "-9223372036854775809", FALSE, 0 },
    { "18446744073709551616", FALSE, 0 },
    { "99999999999999999999999999999999", FALSE, 0 },
    { "-0", TRUE, 0 },
    { "1.0", FALSE, 0 },
    { "1e3", FALSE, 0 },
    { "\"1\"", FALSE, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymJson) json = parse (cases[i].text);
      gint64 number = 42;

      g_assert_cmpint (sym_json_get_int (json, 0, &number), ==, cases[i].fits);
      g_assert_cmpint (number, ==, cases[i].fits ? cases[i].number : 42);
    }
}

/* As many as there are, when all are integers and there is room for them. */
static void
test_reads_integers_of_an_array (void)
{
  const struct {
    const char *text;
    int n;
  } cases[] = {
    { "[7, -1, 9007199254740993]", 3 },
    { "[7]", 1 },
    { "[]", 0 },
    { "[7, -1, 9007199254740993, 4]", -1 },
    { "[7, -1.0]", -1 },
    { "[7, [1]]", -1 },
    { "[7, \"1\"]", -1 },
    { "7", -1 },
    { "{\"a\": 7}", -1 },
  };
  const gint64 expected[] = { 7, -1, G_GINT64_CONSTANT (9007199254740993) };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymJson) json = parse (cases[i].text);
      gint64 numbers[3];

      g_assert_cmpint (sym_json_get_ints (json, 0, numbers, 3), ==, cases[i].n);
      for (int k = 0; k < cases[i].n; k++)
        g_assert_cmpint (numbers[k], ==, expected[k]);
    }
}

/* Digits are gone over eight at a time. */
static void
test_reads_integers_of_every_length (void)
{
  static const char *const followers[] = { "", " ", "\n", ".5", "e1", "E1" };

  for (guint n = 1; n <= 18; n++)
    for (guint i = 0; i < G_N_ELEMENTS (followers); i++)
      {
        g_autofree char *digits = g_strndup ("987654321012345678", n);
        g_autofree char *text =
            g_strdup_printf ("[%s%s, -%s%s]", digits, followers[i], digits, followers[i]);
        g_autoptr (SymJson) json = parse (text);
        gint64 number = 0, expected = g_ascii_strtoll (digits, NULL, 10);
        gboolean is_whole = i < 3;

        g_assert_cmpint (sym_json_get_int (json, 1, &number), ==, is_whole);
        g_assert_cmpint (number, ==, is_whole ? expected : 0);
        g_assert_cmpint (sym_json_get_int (json, 2, &number), ==, is_whole);
        g_assert_cmpint (number, ==, is_whole ? -expected : 0);
      }
}

static void
test_reads_unsigned_integers (void)
{
  g_autoptr (SymJson) json = parse ("[18446744073709551615, -1]");
  guint64 number = 0;

  g_assert_true (sym_json_get_uint (json, 1, &number));
  g_assert_cmpuint (number, ==, G_MAXUINT64);
  g_assert_false (sym_json_get_uint (json, 2, &number));
}

static void
test_reads_a_number_that_ends_the_file (void)
{
  g_autofree char *digits = g_strnfill (300, '1');
  g_autoptr (SymJson) json = parse ("12.5");
  g_autoptr (SymJson) large = parse (digits);
  double number = 0;

  g_assert_true (sym_json_get_double (json, 0, &number));
  g_assert_cmpfloat (number, ==, 12.5);
  g_assert_true (sym_json_get_double (large, 0, &number));
  g_assert_cmpfloat (number, >, 1e299);
}

static void
test_walks_containers (void)
{
  g_autoptr (SymJson) json = parse ("{\"a\": [1, [2, 3], {}],\n \"b\": {\"c\": 4}, \"a\": 5}");
  SymJsonIter iter = sym_json_iterate (json, 0);
  guint array;

  g_assert_cmpuint (sym_json_count (json, 0), ==, 3);
  g_assert_true (sym_json_iter_next (json, &iter));
  g_assert_true (sym_json_string_equals (json, iter.key, "a"));
  array = iter.value;
  g_assert_cmpuint (sym_json_count (json, array), ==, 3);
  g_assert_cmpuint (sym_json_count (json, sym_json_get_element (json, array, 1)), ==, 2);
  g_assert_cmpuint (sym_json_get_element (json, array, 3), ==, SYM_JSON_NONE);
  g_assert_true (sym_json_iter_next (json, &iter));
  g_assert_cmpuint (sym_json_get_line (json, iter.value), ==, 2);
  g_assert_cmpuint (sym_json_get_end (json, array), ==, iter.key);
}

static void
test_the_last_of_equal_members_wins (void)
{
  g_autoptr (SymJson) json = parse ("{\"a\": 1, \"\\u0061\": 2, \"b\": 3}");
  gint64 number = 0;

  g_assert_true (sym_json_get_int (json, sym_json_get_member (json, 0, "a"), &number));
  g_assert_cmpint (number, ==, 2);
  g_assert_cmpuint (sym_json_get_member (json, 0, "c"), ==, SYM_JSON_NONE);
}

/* One pass finds what a search for each would, in whatever order the members come. */
static void
test_finds_members_at_once (void)
{
  static const char *const texts[] = {
    "{\"op\": 1, \"name\": 2, \"inputs\": 3}",
    "{\"x\": 0, \"inputs\": [3, {\"op\": 0}], \"name\": 2, \"na\": 0, \"names\": 0, \"op\": 1}",
    "{\"op\": 9, \"n\\u0061me\": 2, \"op\": 1, \"\": 0}",
    "{\"\": 4}",
    "{}",
    "[1, 2]",
  };
  static const char *const names[] = { "op", "name", "", "inputs", NULL };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (SymJson) json = parse (texts[i]);
      guint members[4];

      sym_json_get_members (json, 0, names, members);
      for (guint k = 0; names[k] != NULL; k++)
        g_assert_cmpuint (members[k], ==, sym_json_get_member (json, 0, names[k]));
    }
}

/* What is known of the object before is a help and no more: objects of a list may be of any kind
 * and have any number of keys. */
static void
test_matches_members_of_a_list (void)
{
  static const char *const names[] = { "op", "name", "", "inputs", NULL };
  g_autoptr (SymJson) json = parse (
      "[{\"op\": 1, \"name\": 2, \"a-long-key-of-a-layer\": 3, \"inputs\": {\"x\": 0}, \"k\": 0},"
      " {\"op\": 1, \"name\": 2, \"a-long-key-of-a-paper\": 3, \"inputs\": 4, \"k\": 0},"
      " {\"name\": 1, \"op\": 2}, {\"op\": 9, \"n\\u0061me\": 2, \"op\": 1, \"\": 0}, {}, [1], 2,"
      " {\"a\":0,\"b\":0,\"c\":0,\"d\":0,\"e\":0,\"f\":0,\"g\":0,\"h\":0,\"i\":0,\"j\":0,\"k\":0,"
      "\"l\":0,\"m\":0,\"n\":0,\"o\":0,\"p\":0,\"name\":1},"
      " {\"op\": 1, \"name\": 2, \"a-long-key-of-a-layer\": 3, \"inputs\": 4, \"k\": 0}]");
  static const guint n_others[] = { 2, 2, 0, 0, 0, 0, 0, SYM_JSON_NONE, 2 };
  SymJsonMembers known = { 0 };
  guint n = 0;

  for (SymJsonIter i = sym_json_iterate (json, 0); sym_json_iter_next (json, &i); n++)
    {
      guint members[4];

      sym_json_match_members (json, i.value, names, &known, members);
      for (guint k = 0; names[k] != NULL; k++)
        g_assert_cmpuint (members[k], ==, sym_json_get_member (json, i.value, names[k]));
      g_assert_cmpuint (known.n_others, ==, n_others[n]);
    }
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (n_others));
}

static void
test_compares_what_is_written (void)
{
  g_autoptr (SymJson) json = parse ("[[1, 2], [1, 2], [1,2], [1], {\"a\": [1]}]");
  guint first = sym_json_get_element (json, 0, 0);

  g_assert_true (sym_json_texts_equal (json, first, sym_json_get_element (json, 0, 1)));
  g_assert_false (sym_json_texts_equal (json, first, sym_json_get_element (json, 0, 2)));
  g_assert_true (
      sym_json_texts_equal (json, sym_json_get_element (json, 0, 3),
                            sym_json_get_member (json, sym_json_get_element (json, 0, 4), "a")));
  g_assert_false (sym_json_texts_equal (json, first, SYM_JSON_NONE));
  g_assert_true (sym_json_texts_equal (json, SYM_JSON_NONE, SYM_JSON_NONE));
}

/* Where the container that begins at @at ends, by its brackets. */
static gsize
find_end (const char *text, gsize at)
{
  guint depth = 0;
  gboolean is_in_string = FALSE;

  for (;; at++)
    {
      if (is_in_string && text[at] == '\\')
        at++;
      else if (text[at] == '"')
        is_in_string = !is_in_string;
      else if (!is_in_string && strchr ("[{", text[at]) != NULL)
        depth++;
      else if (!is_in_string && strchr ("]}", text[at]) != NULL && --depth == 0)
        return at + 1;
    }
}

/* An end is not kept of a container, nor a line of each value. */
static void
test_places_are_exact (void)
{
  static const char text[] =
      "{\"a\": [1, [2, [ ] ]\n ,\n\n{\"b\" : {\"c\": \"]}\\\"\"\n}}, [[[{}]]\n]\n ]\r\n"
      ",\n\"d\":{\"e\":[[3,\"x\"],[\"\"\n]], \"f\":{\n\n}}\n}\n";
  g_autoptr (SymJson) json = parse (text);
  guint value = 0, n_containers = 0;

  for (; sym_json_get_kind (json, value) != SYM_JSON_ABSENT; value++)
    {
      gsize length;
      const char *first = sym_json_get_text (json, value, &length);
      gsize start = (gsize) (first - sym_json_get_text (json, 0, &(gsize){ 0 }));
      guint line = 1;

      for (gsize i = 0; i < start; i++)
        line += text[i] == '\n';
      g_assert_cmpuint (sym_json_get_line (json, value), ==, line);
      if (*first != '{' && *first != '[')
        continue;
      g_assert_cmpuint (start + length, ==, find_end (text, start));
      n_containers++;
    }
  g_assert_cmpuint (value, ==, 27);
  g_assert_cmpuint (n_containers, ==, 15);
}

/* Lines are counted from places that are known, wherever these lie. */
static void
test_lines_are_exact_behind_many_ends (void)
{
  for (guint n = 1; n < 4 * SYM_JSON_LINE_BLOCK; n = n < 300 ? n + 1 : n * 2)
    {
      g_autofree char *ends = g_strnfill (n, '\n');
      g_autofree char *blanks = g_strnfill (n, ' ');
      g_autofree char *text =
          g_strconcat ("[1,", ends, "2,", blanks, "3", ends, ",[\n", "4]]", NULL);
      g_autoptr (SymJson) json = parse (text);

      g_assert_cmpuint (sym_json_get_line (json, 1), ==, 1);
      g_assert_cmpuint (sym_json_get_line (json, 2), ==, n + 1);
      g_assert_cmpuint (sym_json_get_line (json, 3), ==, n + 1);
      g_assert_cmpuint (sym_json_get_line (json, 4), ==, 2 * n + 1);
      g_assert_cmpuint (sym_json_get_line (json, 5), ==, 2 * n + 2);
    }
}

/* Longer than a token tells. */
static void
test_reads_strings_and_numbers_of_any_length (void)
{
  gsize n = (gsize) 1 << 27, length;
  g_autoptr (GString) text = g_string_sized_new (2 * n + 64);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (SymJson) json = NULL;

  g_string_append (text, "[\"");
  g_string_set_size (text, n);
  memset (text->str + 2, 'a', n - 2);
  g_string_append (text, "\\\"\", 1");
  length = text->len - 1;
  g_string_set_size (text, length + n);
  memset (text->str + length, '5', n);
  g_string_append (text, ", \"b\"]");
  bytes = g_bytes_new_static (text->str, text->len);
  json = sym_json_parse (bytes, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_json_count (json, 0), ==, 3);
  sym_json_get_text (json, 1, &length);
  g_assert_cmpuint (length, ==, n + 2);
  sym_json_get_text (json, 2, &length);
  g_assert_cmpuint (length, ==, n);
  sym_json_get_text (json, 0, &length);
  g_assert_cmpuint (length, ==, text->len);
  g_assert_true (sym_json_string_equals (json, 3, "b"));
  g_assert_false (sym_json_texts_equal (json, 1, 2));
  g_assert_true (sym_json_texts_equal (json, 2, 2));
}

static void
test_no_value_is_an_answer (void)
{
  g_autoptr (SymJson) json = parse ("[1]");
  gint64 number;

  g_assert_cmpint (sym_json_get_kind (json, SYM_JSON_NONE), ==, SYM_JSON_ABSENT);
  g_assert_cmpuint (sym_json_get_line (json, SYM_JSON_NONE), ==, 0);
  g_assert_cmpuint (sym_json_count (json, SYM_JSON_NONE), ==, 0);
  g_assert_cmpuint (sym_json_get_member (json, SYM_JSON_NONE, "a"), ==, SYM_JSON_NONE);
  g_assert_cmpuint (sym_json_get_member (json, 0, "a"), ==, SYM_JSON_NONE);
  g_assert_null (sym_json_dup_string (json, SYM_JSON_NONE));
  g_assert_null (sym_json_dup_text (json, SYM_JSON_NONE));
  g_assert_false (sym_json_get_int (json, SYM_JSON_NONE, &number));
  g_assert_cmpint (sym_json_get_ints (json, SYM_JSON_NONE, &number, 1), ==, -1);
}

static void
test_expectations_name_line_and_kinds (void)
{
  g_autoptr (SymJson) json = parse ("{\n\"nodes\": \"x\"}");
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) missing = NULL;

  g_assert_true (sym_json_expect (json, 0, SYM_JSON_OBJECT, "root", NULL));
  g_assert_false (sym_json_expect (json, 2, SYM_JSON_ARRAY, "nodes", &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT);
  g_assert_cmpstr (error->message, ==, "line 2: 'nodes' must be an array, not a string");
  g_assert_false (sym_json_expect (json, SYM_JSON_NONE, SYM_JSON_ARRAY, "heads", &missing));
  g_assert_cmpstr (missing->message, ==, "'heads' must be an array, but is missing");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/json-values/reads-integers-exactly", test_reads_integers_exactly);
  g_test_add_func ("/io/json-values/reads-integers-of-an-array", test_reads_integers_of_an_array);
  g_test_add_func ("/io/json-values/reads-integers-of-every-length",
                   test_reads_integers_of_every_length);
  g_test_add_func ("/io/json-values/reads-unsigned-integers", test_reads_unsigned_integers);
  g_test_add_func ("/io/json-values/reads-a-number-that-ends-the-file",
                   test_reads_a_number_that_ends_the_file);
  g_test_add_func ("/io/json-values/walks-containers", test_walks_containers);
  g_test_add_func ("/io/json-values/the-last-of-equal-members-wins",
                   test_the_last_of_equal_members_wins);
  g_test_add_func ("/io/json-values/finds-members-at-once", test_finds_members_at_once);
  g_test_add_func ("/io/json-values/matches-members-of-a-list", test_matches_members_of_a_list);
  g_test_add_func ("/io/json-values/compares-what-is-written", test_compares_what_is_written);
  g_test_add_func ("/io/json-values/places-are-exact", test_places_are_exact);
  g_test_add_func ("/io/json-values/lines-are-exact-behind-many-ends",
                   test_lines_are_exact_behind_many_ends);
  g_test_add_func ("/io/json-values/reads-strings-and-numbers-of-any-length",
                   test_reads_strings_and_numbers_of_any_length);
  g_test_add_func ("/io/json-values/no-value-is-an-answer", test_no_value_is_an_answer);
  g_test_add_func ("/io/json-values/expectations-name-line-and-kinds",
                   test_expectations_name_line_and_kinds);
  return g_test_run ();
}
