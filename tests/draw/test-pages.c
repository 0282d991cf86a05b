/* SPDX-License-Identifier: MIT */
#include "draw/sym-pages.h"

#define WIDTH 500.0
#define HEIGHT 700.0

static SymPages
cut_for_print (double width, double height)
{
  SymPages pages = { .extent = { 10, 20, width, height } };

  sym_pages_cut_for_print (&pages, WIDTH, HEIGHT);
  return pages;
}

static void
test_small_picture_is_no_larger_than_life (void)
{
  SymPages pages = cut_for_print (100, 50);
  SymRect part = sym_pages_get_part (&pages, 0, 0);

  g_assert_cmpuint (sym_pages_count (&pages), ==, 1);
  g_assert_cmpfloat (pages.scale, ==, 1);
  g_assert_cmpfloat (part.x, ==, 10);
  g_assert_cmpfloat (part.y, ==, 20);
  g_assert_cmpfloat (part.width, ==, 100);
  g_assert_cmpfloat (part.height, ==, 50);
}

static void
test_what_can_be_read_fits_one_page (void)
{
  SymPages pages = cut_for_print (1000, 1000);

  g_assert_cmpuint (sym_pages_count (&pages), ==, 1);
  g_assert_cmpfloat (pages.scale, ==, 0.5);
}

/* Every place is on a page, and what one cuts is whole on the next unless it is larger than what
 * they share. */
static void
test_long_picture_takes_several_pages (void)
{
  SymPages pages = cut_for_print (600, 20000);
  double end = pages.extent.y;

  g_assert_cmpuint (pages.n_columns, ==, 1);
  g_assert_cmpuint (pages.n_rows, >, 10);
  for (guint row = 0; row < pages.n_rows; row++)
    {
      SymRect part = sym_pages_get_part (&pages, 0, row);

      g_assert_cmpfloat (part.height * pages.scale, <=, HEIGHT + 1e-9);
      if (row > 0)
        g_assert_cmpfloat_with_epsilon (end - part.y, sym_pages_get_overlap_y (&pages), 1e-9);
      end = part.y + part.height;
    }
  g_assert_cmpfloat_with_epsilon (end, pages.extent.y + pages.extent.height, 1e-9);
}

static void
test_margins_are_left_free (void)
{
  SymPages pages = { .extent = { 0, 0, 800, 800 }, .scale = 1, .margin_pt = 50 };

  sym_pages_cut (&pages, WIDTH, WIDTH);
  g_assert_cmpfloat (pages.part_width, ==, WIDTH - 100);
  g_assert_cmpuint (pages.n_columns, ==, 3);
  g_assert_cmpuint (sym_pages_count (&pages), ==, 9);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/pages/small-picture-is-no-larger-than-life",
                   test_small_picture_is_no_larger_than_life);
  g_test_add_func ("/draw/pages/what-can-be-read-fits-one-page",
                   test_what_can_be_read_fits_one_page);
  g_test_add_func ("/draw/pages/long-picture-takes-several-pages",
                   test_long_picture_takes_several_pages);
  g_test_add_func ("/draw/pages/margins-are-left-free", test_margins_are_left_free);
  return g_test_run ();
}
