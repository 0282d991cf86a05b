/* SPDX-License-Identifier: MIT */
#include "app/scope-shape-text.h"

#include "core/sym-error.h"

static void
test_reads_what_people_type (void)
{
  static const struct {
    const char *text;
    int rank;
    SymDim dims[4];
    const char *names[4];
  } cases[] = {
    { "1,3,224,224", 4, { 1, 3, 224, 224 }, { NULL } },
    { " ( 1, 3 ,224, 224 ) ", 4, { 1, 3, 224, 224 }, { NULL } },
    { "[1,3]", 2, { 1, 3 }, { NULL } },
    { "1x3x8X8", 4, { 1, 3, 8, 8 }, { NULL } },
    { "1 × 3 × 8 × 8", 4, { 1, 3, 8, 8 }, { NULL } },
    { "batch,10", 2, { SYM_DIM_UNKNOWN, 10 }, { "batch", NULL } },
    { "max_len×3", 2, { SYM_DIM_UNKNOWN, 3 }, { "max_len", NULL } },
    { "2*seq+1", 1, { SYM_DIM_UNKNOWN }, { "2*seq+1" } },
    { "?,None,-1,5", 4, { SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN, 5 }, { NULL } },
    { "(3,)", 1, { 3 }, { NULL } },
    { "0,3", 2, { 0, 3 }, { NULL } },
    { "()", 0, { 0 }, { NULL } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ScopeShapeText) shape = scope_shape_text_parse (cases[i].text, &error);

      g_test_message ("%s", cases[i].text);
      g_assert_no_error (error);
      g_assert_cmpint (shape->shape.rank, ==, cases[i].rank);
      for (int d = 0; d < cases[i].rank; d++)
        {
          g_assert_cmpint (shape->shape.dims[d], ==, cases[i].dims[d]);
          g_assert_cmpstr (shape->names[d], ==, cases[i].names[d]);
        }
    }
}

static void
test_reads_as_elsewhere (void)
{
  static const char *const cases[][2] = {
    { " ( 1, 3 ,224, 0224 ) ", "1×3×224×224" },
    { "1x3X8", "1×3×8" },
    { "1×3", "1×3" },
    { "batch,None,-1,2*seq+1", "batch×?×?×2*seq+1" },
    { "(3,)", "3" },
    { "()", "()" },
    { "a b", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *tidy = scope_shape_text_tidy (cases[i][0]);
      g_autofree char *again = tidy != NULL ? scope_shape_text_tidy (tidy) : NULL;

      g_assert_cmpstr (tidy, ==, cases[i][1]);
      g_assert_cmpstr (again, ==, tidy);
    }
}

static void
test_says_what_is_wrong (void)
{
  static const struct {
    const char *text, *quoted;
  } cases[] = {
    { "1,,3", "Dimension 2" },
    { ",1", "Dimension 1" },
    { "1,3.5", "3.5" },
    { "1,-3", "-3" },
    { "a b,3", "a b" },
    { "99999999999999999999", "99999999999999999999" },
    { "9000000000000000000", "9000000000000000000" },
    { "1,1,1,1,1,1,1,1,1,1,1,1,1", "13" },
    { "1;3", "1;3" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i].text);
      g_assert_null (scope_shape_text_parse (cases[i].text, &error));
      g_assert_nonnull (error);
      g_assert_true (error->domain == SYM_ERROR);
      g_assert_nonnull (strstr (error->message, cases[i].quoted));
    }
}

static void
test_suggests_one_to_begin_with (void)
{
  static const struct {
    SymShape shape;
    const char *text;
  } cases[] = { { { .rank = 3, .dims = { -1, 77, -1 } }, "1,77,1" },
                { { .rank = 1, .dims = { 0 } }, "0" },
                { { .rank = 0 }, "()" },
                { { .rank = -1 }, NULL } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = scope_shape_text_suggest (&cases[i].shape);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/shape-text/reads-what-people-type", test_reads_what_people_type);
  g_test_add_func ("/app/shape-text/reads-as-elsewhere", test_reads_as_elsewhere);
  g_test_add_func ("/app/shape-text/says-what-is-wrong", test_says_what_is_wrong);
  g_test_add_func ("/app/shape-text/suggests-one-to-begin-with", test_suggests_one_to_begin_with);
  return g_test_run ();
}
