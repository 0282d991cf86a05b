/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-datum-within.h"
#include "run/sym-memory-private.h"

#define MB ((gsize) 1 << 20)

static void
gives_memory_that_is_zero (void)
{
  const gsize sizes[] = { 0, 1, 1000, 100000, 524288, 524289, 3000000 };
  SymMemoryPool *pool = sym_memory_pool_new (NULL);
  float *pieces[3 * G_N_ELEMENTS (sizes)];

  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      gsize n = sizes[i % G_N_ELEMENTS (sizes)];

      pieces[i] = sym_memory_pool_take (pool, n);
      g_assert_cmpuint ((gsize) pieces[i] % 64, ==, 0);
      for (gsize j = 0; j < n; j++)
        {
          g_assert_true (pieces[i][j] == 0);
          pieces[i][j] = (float) i;
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    for (gsize j = 0; j < sizes[i % G_N_ELEMENTS (sizes)]; j++)
      g_assert_true (pieces[i][j] == (float) i);
  sym_memory_pool_free (pool);
  g_assert_null (sym_memory_new (G_MAXSIZE - 100));
}

static void
gives_pieces_of_an_area (void)
{
  SymMemoryArea *area = sym_memory_area_new (3 * MB);
  char *a = sym_memory_area_take (area, MB - 1), *b = sym_memory_area_take (area, 1);
  char *c = sym_memory_area_take (area, 2 * MB);

  g_assert_cmpuint ((gsize) a % 64, ==, 0);
  g_assert_true (b == a + MB && c == b + 64);
  a[MB - 2] = b[0] = c[2 * MB - 1] = 1;
  g_assert_null (sym_memory_area_take (area, 2 * MB));
  g_assert_null (sym_memory_area_take (area, G_MAXSIZE));
  sym_memory_area_unref (area);
}

static void
joins_what_comes_back_to_an_area (void)
{
  SymMemoryArea *area = sym_memory_area_new (4 * MB);
  char *pieces[4];

  for (guint i = 0; i < 4; i++)
    pieces[i] = sym_memory_area_take (area, MB);
  sym_memory_area_give (area, pieces[1], MB);
  sym_memory_area_give (area, pieces[3], MB);
  sym_memory_area_give (area, pieces[2], MB);
  g_assert_true (sym_memory_area_take (area, 3 * MB) == pieces[1]);
  sym_memory_area_give (area, pieces[1], 3 * MB);
  sym_memory_area_give (area, pieces[0], MB);
  g_assert_true (sym_memory_area_take (area, 4 * MB) == pieces[0]);
  sym_memory_area_unref (area);
}

/* The smallest gap that suffices, and first of all one whose pages are there. */
static void
fills_the_gaps_of_an_area (void)
{
  SymMemoryArea *area = sym_memory_area_new (8 * MB);
  char *pieces[6];

  for (guint i = 0; i < 6; i++)
    pieces[i] = sym_memory_area_take (area, i == 1 ? 2 * MB : MB);
  sym_memory_area_give (area, pieces[1], 2 * MB);
  sym_memory_area_give (area, pieces[3], MB);
  g_assert_true (sym_memory_area_take (area, MB) == pieces[3]);
  g_assert_true (sym_memory_area_take (area, MB) == pieces[1]);
  sym_memory_area_unref (area);
}

static void
forgets_what_nobody_has_of_an_area (void)
{
  SymMemoryArea *area = sym_memory_area_new (2 * MB);
  char *free = sym_memory_area_take (area, MB), *used = sym_memory_area_take (area, MB);

  free[5000] = used[5000] = 1;
  sym_memory_area_give (area, free, MB);
  sym_memory_area_trim (area);
  g_assert_cmpint (free[5000], ==, 0);
  g_assert_cmpint (used[5000], ==, 1);
  g_assert_true (sym_memory_area_take (area, MB) == free);
  sym_memory_area_unref (area);
}

static void
takes_a_pool_of_an_area (void)
{
  SymMemoryArea *area = sym_memory_area_new (2 * MB);
  char *all = sym_memory_area_take (area, 2 * MB);
  SymMemoryPool *pool = sym_memory_pool_new (area);
  float *zeros;

  memset (all, 1, 2 * MB);
  sym_memory_area_give (area, all, 2 * MB);
  zeros = sym_memory_pool_take (pool, 100000);
  g_assert_true ((char *) zeros == all);
  for (gsize i = 0; i < 100000; i++)
    g_assert_true (zeros[i] == 0);
  g_assert_true (sym_memory_pool_take_any (pool, 10000) > zeros);
  sym_memory_pool_free (pool);
  g_assert_true (sym_memory_area_take (area, 2 * MB) == all);
  sym_memory_area_unref (area);
}

static void
goes_beyond_an_area_that_has_no_more (void)
{
  SymMemoryArea *area = sym_memory_area_new (2 * MB);
  SymMemoryPool *pool = sym_memory_pool_new (area);
  float *numbers = sym_memory_pool_take_any (pool, 1000000);

  numbers[999999] = 1;
  g_assert_nonnull (sym_memory_area_take (area, 2 * MB));
  sym_memory_pool_free (pool);
  sym_memory_area_unref (area);
}

static void
note (gpointer data)
{
  ++*(guint *) data;
}

static void
tells_whose_memory_a_datum_has (void)
{
  float numbers[2] = { 1, 2 };
  guint n_told = 0;
  SymShape shape = { 1, { 2 } };
  SymDatum *datum =
      sym_datum_new_within (SYM_DTYPE_FLOAT32, &shape, numbers, sizeof numbers, &n_told, note);
  SymDatum *kept = sym_datum_keep (datum, NULL);

  g_assert_true (kept == datum);
  g_assert_true (sym_datum_get_array (datum)->data == numbers);
  sym_datum_unref (kept);
  g_assert_cmpuint (n_told, ==, 0);
  sym_datum_unref (datum);
  g_assert_cmpuint (n_told, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/memory/gives-memory-that-is-zero", gives_memory_that_is_zero);
  g_test_add_func ("/run/memory/gives-pieces-of-an-area", gives_pieces_of_an_area);
  g_test_add_func ("/run/memory/joins-what-comes-back-to-an-area",
                   joins_what_comes_back_to_an_area);
  g_test_add_func ("/run/memory/fills-the-gaps-of-an-area", fills_the_gaps_of_an_area);
  g_test_add_func ("/run/memory/forgets-what-nobody-has-of-an-area",
                   forgets_what_nobody_has_of_an_area);
  g_test_add_func ("/run/memory/takes-a-pool-of-an-area", takes_a_pool_of_an_area);
  g_test_add_func ("/run/memory/goes-beyond-an-area-that-has-no-more",
                   goes_beyond_an_area_that_has_no_more);
  g_test_add_func ("/run/memory/tells-whose-memory-a-datum-has", tells_whose_memory_a_datum_has);
  return g_test_run ();
}
