/* SPDX-License-Identifier: MIT */
#include <time.h>

#include "core/sym-terms-private.h"

static SymDim
parse (SymTerms *terms, const char *text)
{
  SymDim dim = SYM_DIM_UNKNOWN;

  g_assert_true (sym_terms_parse (terms, text, &dim));
  return dim;
}

static void
assert_reads (const SymTerms *terms, SymDim dim, const char *expected)
{
  g_autofree char *text = sym_terms_format (terms, dim);

  g_assert_cmpstr (text, ==, expected);
}

static void
text_comes_back_in_its_simplest_form (void)
{
  static const struct {
    const char *text, *expected;
  } cases[] = {
    { "7", "7" },
    { "0", "0" },
    { "batch", "batch" },
    { "2*seq+1", "2*seq+1" },
    { "seq*2 + 1", "2*seq+1" },
    { " 1 + seq + seq ", "2*seq+1" },
    { "5-seq", "5-seq" },
    { "-seq+5", "5-seq" },
    { "seq-past-3", "seq-past-3" },
    { "seq-seq+4", "4" },
    { "0*seq", "0" },
    { "2*3*n", "6*n" },
    { "-2*n+m", "m-2*n" },
    { "h.0:in", "h.0:in" },
    { "9223372036854775807", "9223372036854775807" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymTerms) terms = sym_terms_new ();

      assert_reads (terms, parse (terms, cases[i].text), cases[i].expected);
    }
}

static void
malformed_text_is_refused_and_names_nothing (void)
{
  static const char *const cases[] = {
    "",
    " ",
    "+",
    "-",
    "-1",
    "2*",
    "*2",
    "a b",
    "a*b",
    "2+",
    "a-",
    "3seq",
    "a/2",
    "(a)",
    "1-2",
    "-1-a",
    "9223372036854775808",
    "9223372036854775807+1",
    "9223372036854775807*2*a",
    "??",
    "?+1",
    "a-9223372036854775807-2",
    "a+b+c+d+e+f+g+h+i",
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymTerms) terms = sym_terms_new ();
      SymDim dim = 42;

      g_test_message ("%s", cases[i]);
      g_assert_false (sym_terms_parse (terms, cases[i], &dim));
      g_assert_cmpint (dim, ==, 42);
      g_assert_cmpuint (sym_terms_get_size (terms), ==, 0);
    }
}

static void
equal_forms_are_one_dimension (void)
{
  g_autoptr (SymTerms) terms = sym_terms_new ();
  SymDim n = sym_terms_get_named (terms, "n"), m = sym_terms_get_named (terms, "m");
  SymDim unknown = sym_terms_new_unknown (terms);

  g_assert_cmpint (sym_terms_get_named (terms, "n"), ==, n);
  g_assert_cmpint (sym_terms_add (terms, n, 1), ==, sym_terms_add (terms, 1, n));
  g_assert_cmpint (sym_terms_multiply (terms, n, 2), ==, sym_terms_add (terms, n, n));
  g_assert_cmpint (sym_terms_subtract (terms, sym_terms_add (terms, n, m), m), ==, n);
  g_assert_cmpint (sym_terms_multiply (terms, n, m), ==, sym_terms_multiply (terms, m, n));
  g_assert_cmpint (sym_terms_multiply (terms, unknown, 1), ==, unknown);
  g_assert_cmpint (sym_terms_add (terms, unknown, 0), ==, unknown);
  g_assert_cmpint (sym_terms_new_unknown (terms), !=, unknown);
  g_assert_cmpint (parse (terms, "?"), !=, parse (terms, "?"));
}

typedef struct {
  const char *equations[6]; /* "left = right", ended by NULL; "!" before one that must be refused */
  const char *dim, *expected;
} UnifyCase;

static const UnifyCase unify_cases[] = {
  { { "n = 3" }, "n", "3" },
  { { "n = m", "m = 4" }, "n", "4" },
  { { "n = 3", "!n = 4" }, "n", "3" },
  { { "n = m", "n = 3", "!m = 4" }, "m", "3" },
  { { "n + 1 = 5" }, "n", "4" },
  { { "2*n = 10" }, "n", "5" },
  { { "!2*n = 9" }, "n", "n" },
  { { "!n + 5 = 3" }, "n", "n" },
  { { "!n = n + 1" }, "n", "n" },
  { { "!n + 1 = n" }, "n", "n" },
  { { "n = 2*n" }, "n", "0" },
  { { "n = m + 1", "!m = n + 1" }, "2*m-n+1", "m" },
  { { "n = m + 1", "m = k + 1", "!k = n + 1", "k = 0" }, "n", "2" },
  { { "!2*a = 2*b + 1" }, "a", "a" },
  { { "2*a = 2*b" }, "a-b", "0" },
  { { "2*a = 3*b" }, "a", "a" },
  { { "2*a = 3*b", "b = 2", "2*a = 3*b" }, "a", "3" },
  { { "!a + b + 1 = 0" }, "a", "a" },
  { { "a + b = 0" }, "a", "a" },
  { { "a + b = 5", "a = 2" }, "b", "3" },
  { { "a + b = 5", "!a = 6" }, "a+b", "5" },
  { { "a - 1 = c", "!a = 0" }, "a-c", "1" },
  { { "a = 2*b + 1", "b = 4" }, "a", "9" },
  { { "a = 2*b + 1", "a = 9" }, "b", "4" },
  { { "a = 2*b + 1", "!a = 8" }, "a", "2*b+1" },
  { { "a = b + c", "b = c + d", "c = 1", "d = 2" }, "a", "4" },
  { { "a = b + c", "b = 2*c", "c = a - 4" }, "a", "6" },
  { { "9223372036854775807*n = 0" }, "n", "0" },
  { { "!n = -1*m - 1 + 0*k" }, NULL, NULL },
};

static gboolean
apply_equation (SymTerms *terms, const char *equation)
{
  g_auto (GStrv) sides = NULL;
  gboolean refused = equation[0] == '!';
  SymDim left, right;

  g_test_message ("%s", equation);
  sides = g_strsplit (equation + refused, " = ", 2);
  left = parse (terms, sides[0]);
  if (!sym_terms_parse (terms, sides[1], &right))
    return refused;
  return sym_terms_unify (terms, left, right) != refused;
}

static void
unification_decides_what_follows_and_refuses_the_rest (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (unify_cases); i++)
    {
      g_autoptr (SymTerms) terms = sym_terms_new ();
      const UnifyCase *c = &unify_cases[i];

      for (guint j = 0; c->equations[j] != NULL; j++)
        g_assert_true (apply_equation (terms, c->equations[j]));
      if (c->dim != NULL)
        assert_reads (terms, parse (terms, c->dim), c->expected);
    }
}

static void
a_refused_unification_changes_nothing (void)
{
  g_autoptr (SymTerms) terms = sym_terms_new ();
  SymDim n = sym_terms_get_named (terms, "n");
  SymDim less = sym_terms_subtract (terms, n, 3);
  guint64 generation = sym_terms_get_generation (terms);

  g_assert_false (sym_terms_unify (terms, n, 2));
  g_assert_cmpuint (sym_terms_get_generation (terms), ==, generation);
  assert_reads (terms, n, "n");
  assert_reads (terms, less, "n-3");
  g_assert_true (sym_terms_unify (terms, n, 3));
  g_assert_cmpuint (sym_terms_get_generation (terms), ==, generation + 1);
  g_assert_cmpint (sym_terms_resolve (terms, less), ==, 0);
  g_assert_true (sym_terms_unify (terms, n, 3));
  g_assert_cmpuint (sym_terms_get_generation (terms), ==, generation + 1);
}

static void
a_name_outlives_an_unknown (void)
{
  g_autoptr (SymTerms) terms = sym_terms_new ();
  SymDim unknown = sym_terms_new_unknown (terms), other = sym_terms_new_unknown (terms);
  SymDim batch = sym_terms_get_named (terms, "batch");

  for (int i = 1; i < 20; i++)
    sym_terms_add (terms, unknown, i);
  g_assert_true (sym_terms_unify (terms, batch, unknown));
  assert_reads (terms, unknown, "batch");
  assert_reads (terms, sym_terms_add (terms, unknown, 3), "batch+3");
  g_assert_true (sym_terms_unify (terms, batch, sym_terms_multiply (terms, other, 2)));
  assert_reads (terms, batch, "batch");
  assert_reads (terms, other, NULL);
  assert_reads (terms, sym_terms_add (terms, other, 1), NULL);
}

static void
arithmetic_stays_in_range (void)
{
  g_autoptr (SymTerms) terms = sym_terms_new ();
  SymDim n = sym_terms_get_named (terms, "n"), big, sum;

  sum = sym_terms_add (terms, G_MAXINT64, 1);
  g_assert_cmpint (sum, <, 0);
  g_assert_cmpint (sum, ==, sym_terms_add (terms, 1, G_MAXINT64));
  g_assert_cmpint (sym_terms_multiply (terms, G_MAXINT64, 2), <, 0);
  g_assert_cmpint (sym_terms_multiply (terms, G_MAXINT64, 0), ==, 0);
  g_assert_cmpint (sym_terms_subtract (terms, 3, 5), <, 0);
  g_assert_cmpint (sym_terms_subtract (terms, 5, 3), ==, 2);
  big = sym_terms_multiply (terms, n, G_MAXINT64);
  g_assert_cmpint (sym_terms_add (terms, big, n), !=, big);
  assert_reads (terms, sym_terms_add (terms, big, n), NULL);
  /* A form that no longer fits once its variable is known is some dimension, not a wrong one. */
  g_assert_true (sym_terms_unify (terms, n, G_MAXINT64));
  g_assert_cmpint (sym_terms_resolve (terms, big), <, 0);
  g_assert_cmpint (sym_terms_add (terms, SYM_DIM_UNKNOWN, 1), ==, SYM_DIM_UNKNOWN);
  g_assert_cmpint (sym_terms_multiply (terms, SYM_DIM_UNKNOWN, 0), ==, 0);
  g_assert_cmpint (sym_terms_multiply (terms, -2, 3), ==, SYM_DIM_UNKNOWN);
  g_assert_cmpint (sym_terms_multiply (terms, n, G_MININT64), ==, SYM_DIM_UNKNOWN);
  g_assert_true (sym_terms_unify (terms, SYM_DIM_UNKNOWN, 4));
}

static void
division_is_linear_where_every_part_divides (void)
{
  static const struct {
    const char *dim;
    gint64 by;
    const char *floor, *ceil;
  } cases[] = {
    { "7", 2, "3", "4" },       { "8", 2, "4", "4" },       { "n", 1, "n", "n" },
    { "2*n+1", 2, "n", "n+1" }, { "2*n-1", 2, "n-1", "n" }, { "4*n+6*m", 2, "3*m+2*n", "3*m+2*n" },
    { "n", 2, NULL, NULL },     { "0", 5, "0", "0" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymTerms) terms = sym_terms_new ();
      SymDim dim = parse (terms, cases[i].dim);
      SymDim quotient = sym_terms_floor_divide (terms, dim, cases[i].by);

      assert_reads (terms, quotient, cases[i].floor);
      assert_reads (terms, sym_terms_ceil_divide (terms, dim, cases[i].by), cases[i].ceil);
      g_assert_cmpint (quotient, ==, sym_terms_floor_divide (terms, dim, cases[i].by));
    }
}

static void
exact_division_tells_what_is_sure (void)
{
  static const struct {
    const char *a, *b, *expected; /* NULL: cannot be told */
  } cases[] = {
    { "12", "4", "3" },    { "12", "5", NULL },       { "6*n", "2*n", "3" }, { "6*n", "n", "6" },
    { "6*n", "3", "2*n" }, { "6*n+3", "3", "2*n+1" }, { "n", "2", NULL },    { "2*n", "4*n", NULL },
    { "n+1", "n", NULL },  { "4*n+4", "2*n+2", "2" }, { "n", "0", NULL },    { "0", "7", "0" },
    { "12", "n", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymTerms) terms = sym_terms_new ();
      SymDim a = parse (terms, cases[i].a), b = parse (terms, cases[i].b), quotient = 77;
      gboolean told = sym_terms_divide_exactly (terms, a, b, &quotient);

      g_test_message ("%s / %s", cases[i].a, cases[i].b);
      g_assert_cmpint (told, ==, cases[i].expected != NULL);
      if (told)
        assert_reads (terms, quotient, cases[i].expected);
      else
        g_assert_cmpint (quotient, ==, 77);
    }
}

static void
products_do_not_care_for_order (void)
{
  g_autoptr (SymTerms) terms = sym_terms_new ();
  SymDim n = sym_terms_get_named (terms, "n"), m = sym_terms_get_named (terms, "m");
  SymDim unknown = sym_terms_new_unknown (terms), quotient;
  SymDim a[] = { n, 3, m, unknown, 4 }, b[] = { 4, unknown, m, n, 3 };
  SymDim with_zero[] = { n, 0, m };

  g_assert_cmpint (sym_terms_product (terms, a, 5), ==, sym_terms_product (terms, b, 5));
  g_assert_cmpint (sym_terms_product (terms, NULL, 0), ==, 1);
  g_assert_cmpint (sym_terms_product (terms, with_zero, 3), ==, 0);
  g_assert_cmpint (sym_terms_multiply (terms, sym_terms_multiply (terms, n, 2), m), ==,
                   sym_terms_multiply (terms, sym_terms_multiply (terms, m, 2), n));
  g_assert_true (sym_terms_divide_exactly (terms,
                                           sym_terms_product (terms, (SymDim[]){ n, 12, m }, 3),
                                           sym_terms_multiply (terms, m, 3), &quotient));
  assert_reads (terms, quotient, "4*n");
  g_assert_true (sym_terms_unify (terms, n, 2));
  g_assert_true (sym_terms_unify (terms, m, 5));
  g_assert_true (sym_terms_unify (terms, unknown, 1));
  g_assert_cmpint (sym_terms_product (terms, a, 5), ==, 120);
}

/* Seconds of the processor that @n unknowns take, tied one to the next by @step, either from the
 * first or from the last on. */
static double
time_chain (int n, gint64 step, gboolean backwards)
{
  g_autoptr (SymTerms) terms = sym_terms_new ();
  g_autofree SymDim *chain = g_new (SymDim, n);
  clock_t start = clock ();

  for (int i = 0; i < n; i++)
    chain[i] = sym_terms_new_unknown (terms);
  for (int i = 0; i + 1 < n; i++)
    {
      int j = backwards ? n - 2 - i : i;

      g_assert_true (sym_terms_unify (terms, chain[j + 1], sym_terms_add (terms, chain[j], step)));
    }
  g_assert_true (sym_terms_unify (terms, chain[0], 8));
  for (int i = 0; i < n; i++)
    g_assert_cmpint (sym_terms_resolve (terms, chain[i]), ==, 8 + step * i);
  return (double) (clock () - start) / CLOCKS_PER_SEC;
}

static void
a_chain_of_100000_takes_linear_time (void)
{
  for (int i = 0; i < 4; i++)
    {
      double small = time_chain (10000, i & 1, i & 2), large = time_chain (100000, i & 1, i & 2);

      g_test_message ("10,000: %.4f s, 100,000: %.4f s", small, large);
      g_assert_cmpfloat (large, <, 40 * small + 0.5);
    }
}

static void
a_table_moves_to_another_with_its_ties (void)
{
  g_autoptr (SymTerms) from = sym_terms_new ();
  g_autoptr (SymTerms) to = sym_terms_new ();
  g_autoptr (GHashTable) map = g_hash_table_new (NULL, NULL);
  SymDim unknown = sym_terms_new_unknown (from), n = parse (from, "2*n-m+1");
  SymShape shape = SYM_SHAPE (4, n, unknown, sym_terms_add (from, unknown, 2), SYM_DIM_UNKNOWN);
  SymShape moved;

  sym_terms_get_named (to, "other");
  moved = sym_terms_translate_shape (from, &shape, to, map);
  g_assert_cmpint (moved.dims[0], ==, 4);
  assert_reads (to, moved.dims[1], "2*n-m+1");
  g_assert_cmpint (sym_terms_add (to, moved.dims[2], 2), ==, moved.dims[3]);
  g_assert_cmpint (moved.dims[4], ==, SYM_DIM_UNKNOWN);
  g_assert_cmpint (sym_terms_translate (from, unknown, to, map), ==, moved.dims[2]);
  g_assert_true (sym_terms_unify (to, moved.dims[2], 7));
  g_assert_cmpint (sym_terms_translate (from, unknown, to, map), ==, 7);
  g_assert_cmpint (sym_terms_resolve (from, unknown), ==, unknown);
}

static void
a_copy_goes_its_own_way (void)
{
  g_autoptr (SymTerms) terms = sym_terms_new ();
  g_autoptr (SymTerms) copy = NULL;
  SymDim n = sym_terms_get_named (terms, "n"), more = sym_terms_add (terms, n, 1);
  SymDim half = sym_terms_floor_divide (terms, n, 2);

  copy = sym_terms_copy (terms);
  g_assert_cmpint (sym_terms_get_named (copy, "n"), ==, n);
  g_assert_cmpint (sym_terms_add (copy, n, 1), ==, more);
  g_assert_cmpint (sym_terms_floor_divide (copy, n, 2), ==, half);
  g_assert_true (sym_terms_unify (copy, n, 4));
  g_assert_cmpint (sym_terms_resolve (copy, more), ==, 5);
  g_assert_cmpint (sym_terms_resolve (terms, more), ==, more);
}

static void
assert_told (SymTerms *terms, SymDim dim, const char *expected)
{
  g_autofree char *text = sym_terms_format (terms, dim);

  g_assert_cmpstr (text, ==, expected);
}

static void
a_renamed_dimension_is_told_by_its_new_name (void)
{
  g_autoptr (SymTerms) terms = sym_terms_new ();
  SymDim batch = sym_terms_get_named (terms, "batch"), more = parse (terms, "2*batch+1");

  sym_terms_get_named (terms, "seq");
  g_assert_false (sym_terms_rename (terms, batch, "seq"));
  g_assert_false (sym_terms_rename (terms, sym_terms_new_unknown (terms), "n"));
  g_assert_false (sym_terms_rename (terms, 7, "n"));
  assert_told (terms, batch, "batch");
  g_assert_true (sym_terms_rename (terms, batch, "n"));
  assert_told (terms, batch, "n");
  assert_told (terms, more, "2*n+1");
  g_assert_cmpint (sym_terms_get_named (terms, "batch"), ==, batch);
  g_autoptr (SymTerms) copy = sym_terms_copy (terms);

  assert_told (copy, sym_terms_get_named (copy, "batch"), "n");
  g_assert_cmpint (sym_terms_get_named (copy, "n"), ==, batch);
}

static void
of_equal_names_the_wanted_one_is_told (void)
{
  g_autoptr (SymTerms) terms = sym_terms_new ();
  SymDim batch = sym_terms_get_named (terms, "batch"), used = parse (terms, "2*batch");
  SymDim n = sym_terms_get_named (terms, "n");

  g_assert_false (sym_terms_is_wanted (terms, n));
  sym_terms_want_name (terms, "n");
  g_assert_true (sym_terms_is_wanted (terms, n));
  g_assert_true (sym_terms_unify (terms, n, batch));
  assert_told (terms, batch, "n");
  assert_told (terms, used, "2*n");
}

static void
a_name_is_no_form (void)
{
  static const char *const others[] = { "", "7", "2*n", "1*n", "n+1", " n", "n ", "?", "-n" };

  g_assert_true (sym_terms_is_name ("n"));
  g_assert_true (sym_terms_is_name ("past_seq.2"));
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (sym_terms_is_name (others[i]));
}

static void
a_form_is_told_by_its_parts (void)
{
  g_autoptr (SymTerms) terms = sym_terms_new ();
  SymDim dim = parse (terms, "2*n-m+1"), variables[1];
  gint64 constant, coefficients[1];

  g_assert_cmpuint (sym_terms_get_form (terms, dim, &constant, variables, coefficients, 1), ==, 2);
  g_assert_cmpint (constant, ==, 1);
  g_assert_cmpint (variables[0], ==, sym_terms_get_named (terms, "n"));
  g_assert_cmpint (coefficients[0], ==, 2);
  g_assert_cmpuint (sym_terms_get_form (terms, 9, &constant, variables, coefficients, 1), ==, 0);
  g_assert_cmpint (constant, ==, 9);
}

static void
only_its_own_terms_are_dimensions (void)
{
  g_autoptr (SymTerms) terms = sym_terms_new ();
  SymDim first = sym_terms_new_unknown (terms), second = sym_terms_get_named (terms, "n");
  const SymDim none[] = {
    -1, -2, -3, -1000, 2 * second - first, first - second + first, SYM_DIM_UNKNOWN + 1
  };

  g_assert_true (sym_terms_has (terms, first));
  g_assert_true (sym_terms_has (terms, second));
  g_assert_true (sym_terms_has (terms, 0));
  g_assert_true (sym_terms_has (terms, SYM_DIM_UNKNOWN));
  for (gsize i = 0; i < G_N_ELEMENTS (none); i++)
    g_assert_false (sym_terms_has (terms, none[i]));
}

/* Sizes that a file says may be any are nothing else, until sizes are given. */
static void
any_size_is_nothing_else (void)
{
  static const char *const others[] = { "7", "2*s", "s+1", "t", "s+t", "3*s+2*t" };
  g_autoptr (SymTerms) terms = sym_terms_new ();
  SymDim s = parse (terms, "s"), unknown = sym_terms_new_unknown (terms);
  g_autoptr (SymTerms) copy = NULL;

  sym_terms_keep_any (terms, "s");
  sym_terms_keep_any (terms, "t");
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (sym_terms_unify (terms, s, parse (terms, others[i])));
  assert_reads (terms, s, "s");
  g_assert_true (sym_terms_unify (terms, unknown, parse (terms, "2*s")));
  assert_reads (terms, unknown, "2*s");
  g_assert_true (sym_terms_unify (terms, s, parse (terms, "free")));
  assert_reads (terms, parse (terms, "free"), "s");
  copy = sym_terms_copy (terms);
  g_assert_false (sym_terms_unify (copy, s, 7));
  sym_terms_let_be (copy);
  g_assert_true (sym_terms_unify (copy, s, 7));
  assert_reads (copy, unknown, "14");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/terms/only-its-own-terms-are-dimensions",
                   only_its_own_terms_are_dimensions);
  g_test_add_func ("/core/terms/text-comes-back-in-its-simplest-form",
                   text_comes_back_in_its_simplest_form);
  g_test_add_func ("/core/terms/malformed-text-is-refused-and-names-nothing",
                   malformed_text_is_refused_and_names_nothing);
  g_test_add_func ("/core/terms/equal-forms-are-one-dimension", equal_forms_are_one_dimension);
  g_test_add_func ("/core/terms/unification-decides-what-follows-and-refuses-the-rest",
                   unification_decides_what_follows_and_refuses_the_rest);
  g_test_add_func ("/core/terms/a-refused-unification-changes-nothing",
                   a_refused_unification_changes_nothing);
  g_test_add_func ("/core/terms/a-name-outlives-an-unknown", a_name_outlives_an_unknown);
  g_test_add_func ("/core/terms/arithmetic-stays-in-range", arithmetic_stays_in_range);
  g_test_add_func ("/core/terms/division-is-linear-where-every-part-divides",
                   division_is_linear_where_every_part_divides);
  g_test_add_func ("/core/terms/exact-division-tells-what-is-sure",
                   exact_division_tells_what_is_sure);
  g_test_add_func ("/core/terms/products-do-not-care-for-order", products_do_not_care_for_order);
  g_test_add_func ("/core/terms/a-chain-of-100000-takes-linear-time",
                   a_chain_of_100000_takes_linear_time);
  g_test_add_func ("/core/terms/a-table-moves-to-another-with-its-ties",
                   a_table_moves_to_another_with_its_ties);
  g_test_add_func ("/core/terms/a-copy-goes-its-own-way", a_copy_goes_its_own_way);
  g_test_add_func ("/core/terms/a-form-is-told-by-its-parts", a_form_is_told_by_its_parts);
  g_test_add_func ("/core/terms/a-renamed-dimension-is-told-by-its-new-name",
                   a_renamed_dimension_is_told_by_its_new_name);
  g_test_add_func ("/core/terms/of-equal-names-the-wanted-one-is-told",
                   of_equal_names_the_wanted_one_is_told);
  g_test_add_func ("/core/terms/any-size-is-nothing-else", any_size_is_nothing_else);
  g_test_add_func ("/core/terms/a-name-is-no-form", a_name_is_no_form);
  return g_test_run ();
}
