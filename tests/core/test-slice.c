/* SPDX-License-Identifier: MIT */
#include "core/sym-slice.h"

#include <string.h>

static void
the_last_axes_are_rows_and_columns (void)
{
  static const struct {
    SymShape shape;
    int n_leading;
    guint64 n_rows, n_columns;
  } cases[] = {
    { { 0, { 0 } }, 0, 1, 1 },          { { 1, { 7 } }, 0, 7, 1 },
    { { 1, { 0 } }, 0, 0, 1 },          { { 2, { 2, 3 } }, 0, 2, 3 },
    { { 4, { 2, 3, 4, 5 } }, 2, 4, 5 }, { { 3, { 1, 100000, 100000 } }, 1, 100000, 100000 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymSlice slice;

      sym_slice_init (&slice, &cases[i].shape);
      g_assert_cmpint (slice.n_leading, ==, cases[i].n_leading);
      g_assert_cmpuint (slice.n_rows, ==, cases[i].n_rows);
      g_assert_cmpuint (slice.n_columns, ==, cases[i].n_columns);
    }
}

static void
cells_are_elements (void)
{
  SymShape shape = SYM_SHAPE (2, 3, 4, 5);
  SymSlice slice;

  sym_slice_init (&slice, &shape);
  g_assert_cmpuint (sym_slice_get_index (&slice, 0, 0), ==, 0);
  g_assert_cmpuint (sym_slice_get_index (&slice, 3, 4), ==, 19);
  slice.at[0] = 1;
  slice.at[1] = 2;
  g_assert_cmpuint (sym_slice_get_index (&slice, 0, 0), ==, 100);
  g_assert_cmpuint (sym_slice_get_index (&slice, 3, 4), ==, 119);
}

static void
elements_have_texts (void)
{
  float floats[] = { 0.1f, -3, 1e20f };
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (3), floats };
  g_autofree char *first = sym_array_format_element (&array, 0);
  g_autofree char *second = sym_array_format_element (&array, 1);
  g_autofree char *third = sym_array_format_element (&array, 2);

  g_assert_cmpstr (first, ==, "0.1");
  g_assert_cmpstr (second, ==, "-3");
  g_assert_cmpstr (third, ==, "1e+20");
}

static void
strings_are_made_fit_to_be_shown (void)
{
  g_autofree char *longer = g_strnfill (300, 'x');
  const char *const strings[] = { "plain", "two\nlines", "\xff", longer, "" };
  static const char *const texts[] = { "“plain”", "“two lines”", "“\xef\xbf\xbd”", NULL, "“”" };
  SymShape shape = SYM_SHAPE (G_N_ELEMENTS (strings));
  g_autoptr (SymDatum) datum = sym_datum_new (SYM_DTYPE_STRING, &shape, NULL);
  SymArray *array = (SymArray *) sym_datum_get_array (datum);

  for (guint i = 0; i < G_N_ELEMENTS (strings); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (strings[i], strlen (strings[i]));

      sym_array_set_string (array, i, bytes);
    }
  for (guint i = 0; i < G_N_ELEMENTS (strings); i++)
    {
      g_autofree char *text = sym_array_format_element (array, i);

      if (texts[i] != NULL)
        g_assert_cmpstr (text, ==, texts[i]);
      else
        g_assert_cmpint (g_utf8_strlen (text, -1), ==, 203);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/slice/the-last-axes-are-rows-and-columns",
                   the_last_axes_are_rows_and_columns);
  g_test_add_func ("/core/slice/cells-are-elements", cells_are_elements);
  g_test_add_func ("/core/slice/elements-have-texts", elements_have_texts);
  g_test_add_func ("/core/slice/strings-are-made-fit-to-be-shown",
                   strings_are_made_fit_to_be_shown);
  return g_test_run ();
}
