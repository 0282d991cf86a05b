/* SPDX-License-Identifier: MIT */
#include "io/sym-json-loose.h"
#include "io/sym-json-private.h"

#include <math.h>
#include <string.h>

static SymJson *
parse_bytes (const char *text, gsize length, SymProblems *problems, GError **error)
{
  /* On the heap and without a NUL, so that a sanitizer sees a read beyond the end. */
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_memdup2 (text, length), length);

  return sym_json_parse (bytes, problems, error);
}

static SymJson *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  SymJson *json = parse_bytes (text, strlen (text), NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (json);
  return json;
}

static void
test_accepts_every_kind_of_value (void)
{
  const struct {
    const char *text;
    SymJsonKind kind;
  } cases[] = {
    { "null", SYM_JSON_NULL },
    { " true ", SYM_JSON_BOOL },
    { "\nfalse\r\n", SYM_JSON_BOOL },
    { "0", SYM_JSON_NUMBER },
    { "-0", SYM_JSON_NUMBER },
    { "-12.50e+07", SYM_JSON_NUMBER },
    { "1E5", SYM_JSON_NUMBER },
    { "NaN", SYM_JSON_NUMBER },
    { "-Infinity", SYM_JSON_NUMBER },
    { "\"\"", SYM_JSON_STRING },
    { "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"", SYM_JSON_STRING },
    { "[]", SYM_JSON_ARRAY },
    { "[ ]", SYM_JSON_ARRAY },
    { "[[],{}]", SYM_JSON_ARRAY },
    { "{}", SYM_JSON_OBJECT },
    { "{\"a\":{\"b\":[1,2]},\"c\":null}", SYM_JSON_OBJECT },
    { "\"\xf0\x9f\x98\x80 \xe0\xa0\x80 \xc2\x80 \x7f\"", SYM_JSON_STRING },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymJson) json = parse (cases[i].text);

      g_assert_cmpint (sym_json_get_kind (json, 0), ==, cases[i].kind);
    }
}

typedef struct {
  const char *text;
  const char *message;
} Refusal;

static const Refusal refusals[] = {
  { "", "the file is empty" },
  { " \n\t", "the file holds nothing but blanks" },
  { "\xef\xbb\xbf", "the file holds nothing but blanks" },
  { "{\n  \"a\": 1,\n}", "line 3, column 1: expected a key in double quotes, found '}'" },
  { "[1, 2,]", "line 1, column 7: expected a value, found ']'" },
  { "[1 2]", "line 1, column 4: expected ',' or ']', found '2'" },
  { "{\"a\" 1}", "line 1, column 6: expected ':' after the key, found '1'" },
  { "{a: 1}", "line 1, column 2: expected a key in double quotes or '}', found 'a'" },
  { "{'a': 1}", "line 1, column 2: expected a key in double quotes or '}', found '''" },
  { "[1}", "line 1, column 3: expected ',' or ']', found '}'" },
  { "]", "line 1, column 1: expected a value, found ']'" },
  { "{} {}", "line 1, column 4: expected the end of the file, found a second document" },
  { "{}\n\n[1]", "line 3, column 1: expected the end of the file, found a second document" },
  { "{} x", "line 1, column 4: expected the end of the file, found text after the document" },
  { "[01]", "line 1, column 3: expected no digit after a leading 0, found '1'" },
  { "[1.]", "line 1, column 4: expected a digit after the decimal point, found ']'" },
  { "[.5]", "line 1, column 2: expected a value or ']', found '.'" },
  { "[+1]", "line 1, column 2: expected a value or ']', found '+'" },
  { "[-]", "line 1, column 3: expected a digit, found ']'" },
  { "[1e]", "line 1, column 4: expected a digit of the exponent, found ']'" },
  { "[-NaN]", "line 1, column 3: expected a digit, found 'N'" },
  { "[Nope]", "line 1, column 2: expected a value or ']', found 'N'" },
  { "[nul]", "line 1, column 2: expected a value or ']', found 'n'" },
  { "[True]", "line 1, column 2: expected a value or ']', found 'T'" },
  { "// c\n{}", "line 1, column 1: expected a value, found a comment, which JSON does not have" },
  { "[1 /2]", "line 1, column 4: expected ',' or ']', found '/'" },
  { "[\"a\nb\"]", "line 1, column 4: expected '\"' at the end of the string (control characters "
                  "must be escaped), "
                  "found the end of the line" },
  { "[\"\\x41\"]",
    "line 1, column 4: expected one of \" \\ / b f n r t u after the backslash, found 'x'" },
  { "[\"\\u12G4\"]", "line 1, column 7: expected four hexadecimal digits after \\u, found 'G'" },
  { "[\"\xff\"]", "line 1, column 3: expected UTF-8 text, found the byte 0xFF" },
  { "[\"\xc0\x80\"]", "line 1, column 3: expected UTF-8 text, found the byte 0xC0" },
  { "[\"\xed\xa0\x80\"]", "line 1, column 3: expected UTF-8 text, found the byte 0xED" },
  { "[\"\xf4\x90\x80\x80\"]", "line 1, column 3: expected UTF-8 text, found the byte 0xF4" },
  { "[\"\xe2\x82\"]", "line 1, column 3: expected UTF-8 text, found the byte 0xE2" },
  { "{\n \"a\": [1,\n",
    "line 3, column 1: expected a value, found the end of the file; the array of line 2 is not "
    "closed: the file is cut off" },
  { "{\"ab", "line 1, column 5: expected '\"' at the end of the string, found the end of the file; "
             "the object "
             "of line 1 is not closed: the file is cut off" },
};

/* Strings are read several bytes at a time: what ends one, or must not be in it, is found wherever
 * it lies among them. */
static void
test_finds_every_byte_at_every_place (void)
{
  for (guint place = 0; place < 20; place++)
    for (guint byte = 1; byte < 256; byte++)
      {
        g_autofree char *before = g_strnfill (place, 'a');
        g_autofree char *text = g_strdup_printf ("\"%s%cbcdefghijk\"", before, (char) byte);
        gsize length = strlen (text);
        gboolean is_good = byte >= 0x20 && byte < 0x80 && byte != '"'; /* \b is an escape */
        g_autoptr (GError) error = NULL;
        g_autoptr (SymJson) json = parse_bytes (text, length, NULL, &error);

        g_assert_true ((json != NULL) == is_good);
        if (json != NULL)
          g_assert_cmpuint (sym_json_get_end (json, 0), ==, 1);
        else
          g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX);
      }
}

/* Lines are counted and indents skipped however deep, with what is no space among the spaces. */
static void
test_skips_indents_of_any_depth (void)
{
  for (guint depth = 0; depth < 20; depth++)
    {
      g_autofree char *indent = g_strnfill (depth, ' ');
      g_autofree char *text = g_strdup_printf ("[\n%s1,\r\n%s\t2\n%s]", indent, indent, indent);
      g_autoptr (SymJson) json = parse (text);

      g_assert_cmpuint (sym_json_count (json, 0), ==, 2);
      g_assert_cmpuint (sym_json_get_line (json, 1), ==, 2);
      g_assert_cmpuint (sym_json_get_line (json, 2), ==, 3);
    }
}

static void
test_says_what_was_expected (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (parse_bytes (refusals[i].text, strlen (refusals[i].text), NULL, &error));
      g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX);
      g_assert_cmpstr (error->message, ==, refusals[i].message);
    }
}

/* Close to the end of the file every step is a careful one; before, what is plain is gone through
 * at once.  Both find the same mistakes, and what is no mistake. */
static void
test_says_the_same_far_from_the_end (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++)
    {
      g_autofree char *text = g_strdup_printf ("%s%40s", refusals[i].text, "");
      g_autoptr (GError) error = NULL;

      if (strstr (refusals[i].message, "found the end of the file") != NULL ||
          strstr (refusals[i].message, "the file ") == refusals[i].message)
        continue;
      g_assert_null (parse_bytes (text, strlen (text), NULL, &error));
      g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX);
      g_assert_cmpstr (error->message, ==, refusals[i].message);
    }
}

static void
test_reads_the_same_far_from_the_end (void)
{
  static const char text[] = "{\"a\": [1, -2, 30 ,\n  4.5, null,true , false, \"b\\n\", \"c\"],\n"
                             "\t\"d\" :{ }, \"e\":[ ],\"f\":{\"g\":[[],{},0]}\n}";
  g_autofree char *padded = g_strdup_printf ("%s%40s", text, "");
  g_autoptr (SymJson) far_away = parse (padded);
  guint end = sym_json_get_end (far_away, 0);

  for (gsize n = 0; n < 40; n++)
    {
      g_autoptr (SymJson) json = parse_bytes (padded, strlen (text) + n, NULL, NULL);

      g_assert_cmpuint (sym_json_get_end (json, 0), ==, end);
      for (guint i = 0; i < end; i++)
        {
          g_autofree char *is = sym_json_dup_text (json, i);
          g_autofree char *wanted = sym_json_dup_text (far_away, i);

          g_assert_cmpstr (is, ==, wanted);
          g_assert_cmpint (sym_json_get_kind (json, i), ==, sym_json_get_kind (far_away, i));
          g_assert_cmpuint (sym_json_get_line (json, i), ==, sym_json_get_line (far_away, i));
          g_assert_cmpuint (sym_json_get_end (json, i), ==, sym_json_get_end (far_away, i));
        }
    }
}

/* No bracket is open there that it could be taken for. */
static void
test_a_nul_behind_the_document_closes_nothing (void)
{
  static const char text[] = "{\"a\": [1]}\0                                        ";
  g_autoptr (GError) error = NULL;

  g_assert_null (parse_bytes (text, sizeof text - 1, NULL, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX);
}

static void
test_names_wide_encodings (void)
{
  const struct {
    const char *bytes;
    gsize n;
    const char *name;
  } cases[] = {
    { "\xff\xfe{\0}\0", 6, "UTF-16LE" },
    { "\xfe\xff\0{\0}", 6, "UTF-16BE" },
    { "{\0}\0", 4, "UTF-16LE" },
    { "\0{\0}", 4, "UTF-16BE" },
    { "\xff\xfe\0\0{\0\0\0", 8, "UTF-32LE" },
    { "\0\0\xfe\xff\0\0\0{", 8, "UTF-32BE" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (parse_bytes (cases[i].bytes, cases[i].n, NULL, &error));
      g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX);
      g_assert_nonnull (strstr (error->message, cases[i].name));
    }
}

static char *
nest (guint depth)
{
  char *text = g_malloc (2 * depth + 1);

  memset (text, '[', depth);
  memset (text + depth, ']', depth);
  text[2 * depth] = '\0';
  return text;
}

static void
test_limits_nesting (void)
{
  g_autofree char *allowed = nest (SYM_JSON_MAX_DEPTH);
  g_autofree char *deep = nest (SYM_JSON_MAX_DEPTH + 1);
  G_GNUC_UNUSED g_autoptr (SymJson) json = parse (allowed);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (sym_json_get_end (json, 0), ==, SYM_JSON_MAX_DEPTH);
  g_assert_null (parse_bytes (deep, strlen (deep), NULL, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT);
  g_assert_cmpstr (error->message, ==, "line 1, column 1001: nested deeper than 1000 levels");
}

static void
test_limits_keys_and_values (void)
{
  static const char text[] = "[1,\n{\"a\": 2}]";
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GError) error = NULL;
  g_autoptr (SymJson) json = sym_json_parse_bounded (bytes, 5, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (json);
  g_assert_null (sym_json_parse_bounded (bytes, 4, NULL, NULL, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT);
  g_assert_cmpstr (error->message, ==, "line 2, column 8: more than 4 keys and values");
}

/* Numbers and members are read several at a time; the first that is too many is still told. */
static void
test_limits_what_is_read_at_once (void)
{
  static const struct {
    const char *text;
    const char *message;
  } cases[] = {
    { "[1, 22, 333, 4]", "line 1, column 12: more than 3 keys and values" },
    { "[[[1]]]", "line 1, column 5: more than 3 keys and values" },
    { "{\"a\": 1, \"b\": 2}", "line 1, column 13: more than 3 keys and values" },
    { "{\"a\": 1,\n \"b\" : 2}", "line 2, column 5: more than 3 keys and values" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (cases[i].text, strlen (cases[i].text));
      g_autoptr (GError) error = NULL;

      g_assert_null (sym_json_parse_bounded (bytes, 3, NULL, NULL, &error));
      g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

static void
test_notes_a_byte_order_mark (void)
{
  g_autoptr (SymProblems) problems = sym_problems_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (SymJson) json = parse_bytes ("\xef\xbb\xbf[1]", 6, problems, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (sym_json_count (json, 0), ==, 1);
  g_assert_cmpuint (sym_problems_get_n (problems), ==, 1);
  g_assert_cmpuint (sym_problems_get (problems, 0)->line, ==, 1);
}

static void
test_notes_escapes_that_are_no_text (void)
{
  const char *text = "[\"a\\u0000b\",\n\"\\ud800\",\n\"\\udc00x\",\"\\ud800\\ud83d\\ude00\"]";
  g_autoptr (SymProblems) problems = sym_problems_new ();
  g_autoptr (SymJson) json = parse_bytes (text, strlen (text), problems, NULL);
  const char *const decoded[] = { "a\357\277\275b", "\xef\xbf\xbd", "\xef\xbf\xbdx",
                                  "\xef\xbf\xbd\xf0\x9f\x98\x80" };

  g_assert_cmpuint (sym_problems_get_n (problems), ==, 3); /* one for each line */
  g_assert_cmpuint (sym_problems_get (problems, 1)->line, ==, 2);
  for (guint i = 0; i < G_N_ELEMENTS (decoded); i++)
    {
      g_autofree char *string = sym_json_dup_string (json, sym_json_get_element (json, 0, i));

      g_assert_cmpstr (string, ==, decoded[i]);
    }
}

static void
test_refuses_nan_on_request (void)
{
  g_autoptr (SymJson) clean = parse ("[1]");
  g_autoptr (SymJson) json = parse ("[1,\n-Infinity, NaN]");
  g_autoptr (GError) error = NULL;
  double number;

  g_assert_true (sym_json_refuse_nan (clean, &error));
  g_assert_false (sym_json_refuse_nan (json, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX);
  g_assert_true (g_str_has_prefix (error->message, "line 2: expected a value, found -Infinity"));
  g_assert_true (sym_json_get_double (json, sym_json_get_element (json, 0, 1), &number));
  g_assert_true (isinf (number) && number < 0);
  g_assert_true (sym_json_get_double (json, sym_json_get_element (json, 0, 2), &number));
  g_assert_true (isnan (number));
}

static void
test_keeps_literals (void)
{
  const char *const literals[] = { "1.0", "1e-05", "12345678901234567890",
                                   "-0",  "0.10",  "9007199254740993" };
  g_autofree char *list = g_strjoin (", ", "[0", literals[0], literals[1], literals[2], literals[3],
                                     literals[4], literals[5], NULL);
  g_autofree char *text = g_strconcat (list, "]", NULL);
  g_autoptr (SymJson) json = parse (text);

  for (guint i = 0; i < G_N_ELEMENTS (literals); i++)
    {
      g_autofree char *literal = sym_json_dup_text (json, sym_json_get_element (json, 0, i + 1));

      g_assert_cmpstr (literal, ==, literals[i]);
    }
}

static void
test_excerpts_are_one_short_line (void)
{
  static const struct {
    const char *text, *excerpt;
  } cases[] = {
    { "[\n  999,\n  0\n]", "[999, 0]" },
    { "[ 1,2 ,3 ]", "[1,2,3]" },
    { "{ \"a  b\" :\r\n\t[ ] }", "{\"a  b\": []}" },
    { "\"\\\"  [\\\\\"", "\"\\\"  [\\\\\"" },
    { "1234567890123456789012345678901234567890123456789012345678901",
      "123456789012345678901234567890123456789012345678901234567890..." },
    { "\"é345678901234567890123456789012345678901234567890123456789\"",
      "\"é345678901234567890123456789012345678901234567890123456789\"" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (cases[i].text, strlen (cases[i].text));
      g_autoptr (SymJson) json = sym_json_parse (bytes, NULL, NULL);
      g_autofree char *excerpt = sym_json_dup_excerpt (json, 0);

      g_assert_cmpstr (excerpt, ==, cases[i].excerpt);
    }
}

static void
test_escapes_what_must_be (void)
{
  g_autoptr (GString) out = g_string_new (NULL);

  sym_json_append_string (out, "a\"b\\c\n\r\t\b\f\x01/\xc3\xa9");
  g_assert_cmpstr (out->str, ==, "\"a\\\"b\\\\c\\n\\r\\t\\b\\f\\u0001/\xc3\xa9\"");

  g_string_truncate (out, 0);
  sym_json_append_string (out, "a\xff");
  g_assert_cmpstr (out->str, ==, "\"a\xef\xbf\xbd\"");
}

static void
test_writes_the_shortest_number (void)
{
  const struct {
    double number;
    const char *literal;
  } cases[] = {
    { 0.1, "0.1" },
    { 1e-5, "1e-05" },
    { 3, "3.0" },
    { -0.0, "-0.0" },
    { 1.0 / 3, "0.3333333333333333" },
    { 1e300, "1e+300" },
    { (double) INFINITY, "Infinity" },
    { -(double) INFINITY, "-Infinity" },
    { (double) NAN, "NaN" },
    { 0.1 + 0.2, "0.30000000000000004" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);

      sym_json_append_double (out, cases[i].number);
      g_assert_cmpstr (out->str, ==, cases[i].literal);
    }
}

/* Cut anywhere, a document is refused, or (a bare number) is still one; nothing is read beyond it.
 */
static void
test_survives_being_cut_anywhere (void)
{
  const char *text =
      "\xef\xbb\xbf{\"a\\u00e9\\ud83d\\ude00\": [1.5e-3, -2, true, null, {\"\xc3\xa9\": "
      "[]}, Infinity], \"b\": \"\\n\"}";

  for (gsize length = 0; length < strlen (text); length++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (parse_bytes (text, length, NULL, &error));
      g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX);
    }
}

static void
test_survives_any_bytes (void)
{
  static const char alphabet[] = "{}[]\",:\\u0d8 1-.eE\ntrufalsnNIy\xc3\xa9\xff\xed\xa0";
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint i = 0; i < 20000; i++)
    {
      char text[24];
      gsize length = (gsize) g_rand_int_range (random, 0, sizeof text);
      g_autoptr (SymJson) json = NULL;

      for (gsize k = 0; k < length; k++)
        text[k] = alphabet[g_rand_int_range (random, 0, sizeof alphabet)];
      json = parse_bytes (text, length, NULL, NULL);
      g_assert_cmpuint (json == NULL ? 1 : sym_json_get_end (json, 0), >, 0);
    }
}

static void
test_tightens_what_programs_write (void)
{
  const struct {
    const char *loose, *tight;
    guint liberties;
  } cases[] = {
    { "{a: 1}", " {\"a\": 1}", SYM_JSON_BARE_WORDS },
    { "{a_1 : ADD, b: [nan, -inf, inf]}", " {\"a_1\" : \"ADD\", \"b\": [NaN, -Infinity, Infinity]}",
      SYM_JSON_BARE_WORDS },
    { "{true: true, null :null}", " {\"true\": true, \"null\" :null}", SYM_JSON_BARE_WORDS },
    { "{a: -1.5e-05, b: 1E5, c: 1e+7}", " {\"a\": -1.5e-05, \"b\": 1E5, \"c\": 1e+7}",
      SYM_JSON_BARE_WORDS },
    { "{\"a\": 1}{\"b\": 2}\n[3]", "[{\"a\": 1},{\"b\": 2}\n,[3]]", SYM_JSON_DOCUMENTS },
    { "{\"a\": [1, 2, ], }", " {\"a\": [1, 2  ]  }", SYM_JSON_LAST_COMMAS },
    { "[1, // one, {\n/* a\nb */ 2]", " [1, \n\n 2]", SYM_JSON_COMMENTS },
    { "[1, /**/ ]", " [1   ]", SYM_JSON_COMMENTS | SYM_JSON_LAST_COMMAS },
    { "[\"// a, ] \\\" {b: 1}\",]", " [\"// a, ] \\\" {b: 1}\" ]", SYM_JSON_LAST_COMMAS },
    { "{\"a\": [-1.5e-05, true, NaN, \"\\\\\"], \"b\": null} ", NULL, 0 },
    { "", NULL, 0 },
    { "\"a", NULL, 0 },
    { "]}", NULL, 0 },
    { "/*", " ", SYM_JSON_REMARKS },
    { "// {\n{\"a\": 1} // ]\n", " \n{\"a\": 1} \n", SYM_JSON_REMARKS },
    { "// b\n[/* a */ 1]", " \n[ 1]", SYM_JSON_REMARKS | SYM_JSON_COMMENTS },
    { "{a", " {\"a\"", SYM_JSON_BARE_WORDS },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gsize length = strlen (cases[i].loose);
      g_autoptr (GBytes) bytes = g_bytes_new_take (g_memdup2 (cases[i].loose, length), length);
      guint liberties;
      g_autoptr (GBytes) tight = sym_json_tighten (bytes, &liberties);
      gsize size = 0;
      const char *text = tight == NULL ? NULL : g_bytes_get_data (tight, &size);
      g_autofree char *copy = g_strndup (text, size);

      g_assert_cmpstr (copy, ==, cases[i].tight);
      g_assert_cmphex (liberties, ==, cases[i].liberties);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/io/json/accepts-every-kind-of-value", test_accepts_every_kind_of_value);
  g_test_add_func ("/io/json/finds-every-byte-at-every-place",
                   test_finds_every_byte_at_every_place);
  g_test_add_func ("/io/json/skips-indents-of-any-depth", test_skips_indents_of_any_depth);
  g_test_add_func ("/io/json/says-what-was-expected", test_says_what_was_expected);
  g_test_add_func ("/io/json/says-the-same-far-from-the-end", test_says_the_same_far_from_the_end);
  g_test_add_func ("/io/json/reads-the-same-far-from-the-end",
                   test_reads_the_same_far_from_the_end);
  g_test_add_func ("/io/json/a-nul-behind-the-document-closes-nothing",
                   test_a_nul_behind_the_document_closes_nothing);
  g_test_add_func ("/io/json/names-wide-encodings", test_names_wide_encodings);
  g_test_add_func ("/io/json/limits-nesting", test_limits_nesting);
  g_test_add_func ("/io/json/limits-keys-and-values", test_limits_keys_and_values);
  g_test_add_func ("/io/json/limits-what-is-read-at-once", test_limits_what_is_read_at_once);
  g_test_add_func ("/io/json/notes-a-byte-order-mark", test_notes_a_byte_order_mark);
  g_test_add_func ("/io/json/notes-escapes-that-are-no-text", test_notes_escapes_that_are_no_text);
  g_test_add_func ("/io/json/refuses-nan-on-request", test_refuses_nan_on_request);
  g_test_add_func ("/io/json/keeps-literals", test_keeps_literals);
  g_test_add_func ("/io/json/excerpts-are-one-short-line", test_excerpts_are_one_short_line);
  g_test_add_func ("/io/json/escapes-what-must-be", test_escapes_what_must_be);
  g_test_add_func ("/io/json/writes-the-shortest-number", test_writes_the_shortest_number);
  g_test_add_func ("/io/json/tightens-what-programs-write", test_tightens_what_programs_write);
  g_test_add_func ("/io/json/survives-being-cut-anywhere", test_survives_being_cut_anywhere);
  g_test_add_func ("/io/json/survives-any-bytes", test_survives_any_bytes);

  return g_test_run ();
}
