/* SPDX-License-Identifier: MIT */
#include "kernel-case.h"
#include "ops/sym-op-regular.h"
#include "rule-case.h"

/* Strings of these tables hold no blanks; what needs some is tested below. */
static const KernelCase strings[] = {
  { "StringConcat", "", "string 2: ab c; string 2: d ef", "string 2: abd cef" },
  { "StringConcat", "", "string 2,1: a b; string 2: x y", "string 2,2: ax ay bx by" },
  { "StringConcat", "", "string : a; string : b", "string : ab" },
  { "StringConcat", "", "string 0:; string 1: b", "string 0:" },
  { "StringConcat", "", "int32 1: 1; int32 1: 1", .error = "StringConcat has no kernel for int32" },
  { "StringConcat", "", "string 2: a b; string 3: a b c", .error = "do not broadcast" },
  { "StringSplit", "delimiter='.'", "string 2: a.b c.d", "string 2,2: a b c d; int64 2: 2 2" },
  { "StringSplit", "delimiter='--'; maxsplit=1", "string 1: a--b--c",
    "string 1,2: a b--c; int64 1: 2" },
  { "StringSplit", "delimiter='.'; maxsplit=0", "string 1: a.b", "string 1,1: a.b; int64 1: 1" },
  { "StringSplit", "", "string 0:", "string 0,0:; int64 0:" },
  { "StringSplit", "", "string : abc", "string 1: abc; int64 : 1" },
  { "StringSplit", "", "int64 1: 1", .error = "StringSplit has no kernel for int64" },
  { "StringNormalizer", "case_change_action='UPPER'", "string 2: äbc École",
    "string 2: ÄBC ÉCOLE" },
  { "StringNormalizer", "case_change_action='LOWER'; stopwords=['ÄB']", "string 1,3: äb Äb CD",
    "string 1,1: cd" },
  { "StringNormalizer", "is_case_sensitive=1; stopwords=['a', 'b']", "string 3: A b c",
    "string 2: A c" },
  { "StringNormalizer", "case_change_action='SIDEWAYS'", "string 1: a",
    .error = "there is no case_change_action SIDEWAYS" },
  { "StringNormalizer", "", "string 2,1: a b",
    .error = "X has shape [2,1]; it should be [C] or [1,C]" },
  { "StringNormalizer", "", "float32 1: 1", .error = "StringNormalizer has no kernel for float32" },
  { "RegexFullMatch", "pattern='[a-z]+[0-9]*'", "string 3: abc1 abc1x A", "bool 3: 1 0 0" },
  { "RegexFullMatch", "pattern='(a'", "string 1: a",
    .error = "“(a” is no regular expression of RE2: there is a ( without ) at byte 2" },
  { "RegexFullMatch", "pattern='a'", "int32 1: 1",
    .error = "RegexFullMatch has no kernel for int32" },
  { NULL },
};

#define POOL "ngram_counts=[0, 2]; ngram_indexes=[0, 1, 2, 3]; pool_int64s=[1, 2, 1, 2, 2, 3]; "
#define TO(shortest, longest, skip) \
  "min_gram_length=" #shortest "; max_gram_length=" #longest "; max_skip_count=" #skip "; "

static const KernelCase grams[] = {
  { "TfIdfVectorizer", POOL TO (1, 2, 0) "mode='TF'", "int64 5: 1 2 3 1 2", "float32 4: 2 2 2 1" },
  { "TfIdfVectorizer", POOL TO (1, 1, 3) "mode='TF'", "int32 2,3: 1 2 1 7 2 2",
    "float32 2,4: 2 1 0 0 0 2 0 0" },
  { "TfIdfVectorizer", POOL TO (2, 2, 1) "mode='TF'", "int64 4: 1 9 2 3", "float32 4: 0 0 1 1" },
  { "TfIdfVectorizer", POOL TO (1, 2, 0) "mode='IDF'; weights=[0.5, 2.0, 4.0, 8.0]",
    "int64 5: 1 2 3 1 2", "float32 4: 0.5 2 4 8" },
  { "TfIdfVectorizer", POOL TO (1, 2, 0) "mode='TFIDF'; weights=[0.5, 2.0, 4.0, 8.0]",
    "int64 5: 1 2 3 1 2", "float32 4: 1 4 8 8" },
  { "TfIdfVectorizer",
    "ngram_counts=[0, 1]; ngram_indexes=[3, 0]; pool_strings=['a', 'b', 'c']; " TO (1,
                                                                                    2,
                                                                                    0) "mode='IDF'",
    "string 4: a b c a", "float32 4: 1 0 0 1" },
  { "TfIdfVectorizer",
    "ngram_counts=[0, 0]; ngram_indexes=[0]; pool_int64s=[5, 6]; " TO (1, 2, 0) "mode='TF'",
    "int64 0:", "float32 1: 0" },
  { "TfIdfVectorizer", POOL TO (1, 2, 0) "mode='WORDS'", "int64 1: 1",
    .error = "there is no mode WORDS" },
  { "TfIdfVectorizer", POOL TO (2, 1, 0) "mode='TF'", "int64 1: 1",
    .error = "sequences of 2 to 1 items with up to 0 skipped make no sense" },
  { "TfIdfVectorizer", POOL TO (1, 2, 0) "mode='TF'", "string 1: a",
    .error = "X is of string, the pool of integers" },
  { "TfIdfVectorizer", POOL TO (1, 2, 0) "mode='TF'", "int64 1,1,1: 1",
    .error = "X must have 1 axis or 2 and has 3" },
  { "TfIdfVectorizer", POOL TO (1, 2, 0) "mode='IDF'; weights=[1.0]", "int64 1: 1",
    .error = "there are 1 weights for 4 sequences" },
  { "TfIdfVectorizer",
    "ngram_counts=[0, 1]; ngram_indexes=[0, 1]; pool_int64s=[1, 2]; " TO (1, 1, 0) "mode='TF'",
    "int64 1: 1", .error = "sequences of 2 items cannot lie from 1 up to 2 in a pool of 2" },
  { "TfIdfVectorizer",
    "ngram_counts=[0]; ngram_indexes=[0]; pool_int64s=[1, 2]; " TO (1, 1, 0) "mode='TF'",
    "int64 1: 1", .error = "ngram_indexes must have a place for each of 2 sequences" },
  { "TfIdfVectorizer",
    "ngram_counts=[0]; ngram_indexes=[0, -1]; pool_int64s=[1, 2]; " TO (1, 1, 0) "mode='TF'",
    "int64 1: 1", .error = "there is no place -1" },
  { "TfIdfVectorizer",
    "ngram_counts=[0]; ngram_indexes=[0, 2000000000]; pool_int64s=[1, 2]; " TO (1,
                                                                                1,
                                                                                0) "mode='TF'",
    "int64 1: 1", .error = "there is no place 2000000000" },
  { "TfIdfVectorizer",
    "ngram_counts=[0]; ngram_indexes=[0, 1]; pool_int64s=[1, 1]; " TO (1, 1, 0) "mode='TF'",
    "int64 1: 1", .error = "a sequence of 1 items is twice in the pool" },
  { "TfIdfVectorizer", "ngram_counts=[0]; ngram_indexes=[0]; " TO (1, 1, 0) "mode='TF'",
    "int64 1: 1", .error = "one of pool_strings and pool_int64s" },
  { NULL },
};

static const RuleCase rules[] = {
  { "StringConcat", "", "2,1 3", NULL, "2,3:string", .domain = "" },
  { "StringSplit", "", "2,3:string", "* *", "2,3,?:string 2,3:int64", .domain = "" },
  { "StringNormalizer", "", "1,7:string", NULL, "1,7:string", .domain = "" },
  { "StringNormalizer", "", "0:string", NULL, "?:string", .domain = "" },
  { "StringNormalizer", "stopwords=['a']", "1,7:string", NULL, "1,?:string", .domain = "" },
  { "RegexFullMatch", "pattern=a", "2,3:string", NULL, "2,3:bool", .domain = "" },
  { "TfIdfVectorizer", "ngram_indexes=[0, 6]", "2,3:int32", NULL, "2,7:float32", .domain = "" },
  { NULL },
};

static void
shapes_follow (gconstpointer data)
{
  rule_case_run (data);
}

/* ---- White space ---- */

static void
strings_are_split_at_white_space (void)
{
  static const struct {
    const char *text, *attributes;
    const char *parts; /* separated by "|" */
  } cases[] = {
    { "  a  b ", "", "a|b" },
    { "", "", "" },
    { " \t\n", "", "" },
    { " 1  2   3  ", "maxsplit=1", "1|2   3  " },
    { "a b", "maxsplit=0", "a b" },
    { "a\302\240b", "", "a|b" },
    { "a b", "delimiter=' '", "a|b" },
    { "", "delimiter='x'", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const KernelCase named = { "StringSplit", cases[i].attributes };
      g_autoptr (SymLayer) layer = kernel_case_new_layer (&named);
      g_autoptr (SymKernel) kernel = sym_kernel_new (layer, NULL);
      g_autoptr (SymDatum) x = kernel_case_read ("string 1: a");
      g_autoptr (GBytes) bytes = g_bytes_new (cases[i].text, strlen (cases[i].text));
      g_auto (GStrv) parts = g_strsplit (cases[i].parts, "|", -1);
      SymDatum *y[2] = { NULL };
      gint64 n;

      sym_array_set_string ((SymArray *) sym_datum_get_array (x), 0, bytes);
      g_assert_true (sym_kernel_run (kernel, &x, 1, y, 2, NULL, NULL));
      n = sym_datum_get_array (y[0])->shape.dims[1];
      g_assert_cmpint (n, ==, *(gint64 *) sym_datum_get_array (y[1])->data);
      /* An empty string has one part at a delimiter, none at white space. */
      g_assert_cmpint (n, ==, strstr (cases[i].attributes, "'x'") ? 1 : g_strv_length (parts));
      for (guint j = 0; parts[j] != NULL; j++)
        {
          gsize length;
          const char *part =
              g_bytes_get_data (((GBytes **) sym_datum_get_array (y[0])->data)[j], &length);

          g_assert_cmpmem (part, length, parts[j], strlen (parts[j]));
        }
      sym_datum_unref (y[0]);
      sym_datum_unref (y[1]);
    }
}

static void
nothing_left_is_an_empty_string (void)
{
  const KernelCase named = { "StringNormalizer", "stopwords=['a']" };
  g_autoptr (SymLayer) layer = kernel_case_new_layer (&named);
  g_autoptr (SymKernel) kernel = sym_kernel_new (layer, NULL);
  g_autoptr (SymDatum) x = kernel_case_read ("string 1,2: a A");
  g_autoptr (SymDatum) y = NULL;

  g_assert_true (sym_kernel_run (kernel, &x, 1, &y, 1, NULL, NULL));
  g_assert_cmpint (sym_datum_get_array (y)->shape.rank, ==, 2);
  g_assert_cmpint (sym_datum_get_array (y)->shape.dims[1], ==, 1);
  g_assert_cmpuint (g_bytes_get_size (*(GBytes **) sym_datum_get_array (y)->data), ==, 0);
}

/* ---- Regular expressions ---- */

static gboolean
match (SymOpRegular *regular, const char *text)
{
  const KernelCase named = { "RegexFullMatch", "" };
  g_autoptr (SymLayer) layer = kernel_case_new_layer (&named);
  g_autoptr (SymKernel) kernel = sym_kernel_new (layer, NULL);
  gboolean matches;

  g_assert_true (sym_op_regular_match (regular, kernel, text, strlen (text), &matches, NULL));
  return matches;
}

static void
expressions_match_as_in_re2 (void)
{
  static const struct {
    const char *pattern;
    const char *yes[4], *no[4];
  } cases[] = {
    { "", { "" }, { "a" } },
    { "abc", { "abc" }, { "ab", "abcd", "xabc" } },
    { "a|bc|", { "a", "bc", "" }, { "b", "abc" } },
    { "(a|b)*c", { "c", "abbac" }, { "ab", "cc" } },
    { "a+?b??", { "a", "aab" }, { "b", "abb" } },
    { "(ab){2}", { "abab" }, { "ab", "ababab" } },
    { "a{2,}", { "aa", "aaaa" }, { "a" } },
    { "a{1,3}b", { "ab", "aaab" }, { "b", "aaaab" } },
    { "a{0}b", { "b" }, { "ab" } },
    { "a{,2}", { "a{,2}" }, { "aa" } },
    { "x{", { "x{" }, { "x" } },
    { "(a*)*", { "", "aaa" }, { "b" } },
    { "(a?){3}", { "", "aaa" }, { "aaaa" } },
    { "(|a)+b", { "b", "aab" }, { "a" } },
    { ".", { "x", "é", "漢" }, { "\n", "ab" } },
    { "(?s).", { "\n" }, { "" } },
    { "[abc-e]", { "a", "d" }, { "f", "-" } },
    { "[^abc]", { "d", "\n" }, { "a" } },
    { "[]a]+", { "]a" }, { "b" } },
    { "[a-]+", { "a-a" }, { "b" } },
    { "[\\]x\\-]", { "]", "x", "-" }, { "\\" } },
    { "[[:alpha:]_]+", { "aZ_" }, { "1", "é" } },
    { "[[:^digit:]]", { "a", "é" }, { "5" } },
    { "\\d+", { "059" }, { "a", "\331\240" } },
    { "\\w\\W\\s\\S", { "a- x" }, { "--  " } },
    { "[\\d\\s]+", { "1 2" }, { "a" } },
    { "[^\\D5]", { "4" }, { "5", "x" } },
    { "\\pL\\p{Lu}\\p{Greek}", { "aBγ" }, { "abγ", "aBc" } },
    { "\\PN\\p{^Lu}", { "ab" }, { "1b", "aB" } },
    { "[\\p{Nd}x]", { "7", "x", "\331\240" }, { "y" } },
    { "\\.\\*\\\\", { ".*\\" }, { "a" } },
    { "\\Qa.*\\E+", { "a.*", "a.***" }, { "ab" } },
    { "\\x41\\x{e9}\\101\\n", { "AéA\n" }, { "A" } },
    { "\\0", { NULL }, { "0", "" } },
    { "^a$", { "a" }, { "a\n", "\na" } },
    { "a$\nb", { NULL }, { "a\nb" } },
    { "(?m)a$\n^b", { "a\nb" }, { "ab" } },
    { "\\Aa\\z", { "a" }, { "b" } },
    { "\\ba\\b.\\Bb", { NULL }, { "a b", "aab" } },
    { "a\\b \\bb\\b", { "a b" }, { "a  b" } },
    { "a\\Bb", { "ab" }, { "a b" } },
    { "(?i)aé[x-z]", { "AÉY", "aéz" }, { "bÉY" } },
    { "a(?i)b(?-i)c", { "aBc", "abc" }, { "ABc", "aBC" } },
    { "(?i:a)b", { "Ab" }, { "AB" } },
    { "(?P<name>a)(?<other>b)(?:c)", { "abc" }, { "ab" } },
    { "(?U)a+", { "aa" }, { "b" } },
    { "(?i)[^k]", { "a" }, { "K", "k" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (SymOpRegular) regular = sym_op_regular_new (cases[i].pattern, &error);

      g_assert_no_error (error);
      for (guint j = 0; j < 4 && cases[i].yes[j] != NULL; j++)
        if (!match (regular, cases[i].yes[j]))
          g_error ("“%s” does not match “%s”", cases[i].pattern, cases[i].yes[j]);
      for (guint j = 0; j < 4 && cases[i].no[j] != NULL; j++)
        if (match (regular, cases[i].no[j]))
          g_error ("“%s” matches “%s”", cases[i].pattern, cases[i].no[j]);
    }
}

static void
what_re2_has_not_is_refused (void)
{
  static const struct {
    const char *pattern, *error;
  } cases[] = {
    { "(a", "a ( without ) at byte 2" },
    { "a)", "a ) without ( at byte 1" },
    { "*a", "nothing to repeat at byte 1" },
    { "a|*", "nothing to repeat" },
    { "a**", "a repetition of a repetition at byte 2" },
    { "a{2}{3}", "a repetition of a repetition" },
    { "a{1001}", "a count out of order" },
    { "a{3,2}", "a count out of order" },
    { "((a{1000}){1000}){1000}", "too large" },
    { "[a", "there is no ]" },
    { "[b-a]", "a range without end" },
    { "[a-\\d]", "a range without end" },
    { "[[:nothing:]]", "no such class" },
    { "\\p{Klingon}", "no such category or script is known here" },
    { "\\p{Lu", "no end of a name" },
    { "(a)\\1", "no such escape at byte 4" },
    { "\\C", "no such escape" },
    { "\\", "no such escape at byte 1" },
    { "\\xg", "no hexadecimal number" },
    { "\\x{110000}", "no hexadecimal number" },
    { "(?=a)", "no such group" },
    { "(?<=a)", "no such group" },
    { "(?P=n)", "no such group" },
    { "(?>a)", "no such group" },
    { "(?q)", "no such group" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (sym_op_regular_new (cases[i].pattern, &error));
      if (strstr (error->message, cases[i].error) == NULL)
        g_error ("%s: %s", cases[i].pattern, error->message);
    }
}

/* What makes a search that goes back take for ever takes a moment here. */
static void
an_expression_takes_no_longer_than_its_size (void)
{
  g_autoptr (SymOpRegular) regular = sym_op_regular_new ("(a|a?)*(a*)*b", NULL);
  g_autofree char *text = g_strnfill (100000, 'a');
  g_autoptr (GString) deep = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (match (regular, text));
  for (guint i = 0; i < 1002; i++)
    g_string_append_c (deep, '(');
  g_assert_null (sym_op_regular_new (deep->str, &error));
  g_assert_nonnull (strstr (error->message, "too many groups in groups"));
}

/* A byte that is no character counts as one. */
static void
bytes_that_are_no_text_are_walked_over (void)
{
  g_autoptr (SymOpRegular) regular = sym_op_regular_new ("a..\\x{fffd}", NULL);

  g_assert_true (match (regular, "axx\377"));
  g_assert_true (match (regular, "a\377\377\377"));
  g_assert_false (match (regular, "a\377\377"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  kernel_case_add_all ("strings", strings);
  kernel_case_add_all ("grams", grams);
  for (guint i = 0; rules[i].op != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/ops/rules/strings/%02u-%s", i, rules[i].op);

      g_test_add_data_func (path, &rules[i], shapes_follow);
    }
  g_test_add_func ("/ops/strings/are-split-at-white-space", strings_are_split_at_white_space);
  g_test_add_func ("/ops/strings/nothing-left-is-an-empty-string", nothing_left_is_an_empty_string);
  g_test_add_func ("/ops/regular/expressions-match-as-in-re2", expressions_match_as_in_re2);
  g_test_add_func ("/ops/regular/what-re2-has-not-is-refused", what_re2_has_not_is_refused);
  g_test_add_func ("/ops/regular/an-expression-takes-no-longer-than-its-size",
                   an_expression_takes_no_longer_than_its_size);
  g_test_add_func ("/ops/regular/bytes-that-are-no-text-are-walked-over",
                   bytes_that_are_no_text_are_walked_over);
  return g_test_run ();
}
