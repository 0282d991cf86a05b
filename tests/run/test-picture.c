/* SPDX-License-Identifier: MIT */
#include "run/sym-run-picture.h"

/* Two by two pixels: red, green; blue, white. */
static const guint8 small[] = { 255, 0, 0, 0, 255, 0, 9, 9, 0, 0, 255, 255, 255, 255, 9, 9 };
static const SymPixels four = { small, 2, 2, 8, 3 };

static void
finds_the_axes (void)
{
  static const struct {
    SymShape shape;
    gboolean fits;
    SymPictureAxes axes;
  } cases[] = {
    { { 4, { 1, 3, 8, 8 } }, TRUE, { 1, 2, 3 } },
    { { 4, { SYM_DIM_UNKNOWN, 3, SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN } }, TRUE, { 1, 2, 3 } },
    { { 4, { 1, 8, 8, 3 } }, TRUE, { 3, 1, 2 } },
    { { 4, { 1, 8, 8, 1 } }, TRUE, { 3, 1, 2 } },
    { { 3, { 3, 8, 8 } }, TRUE, { 0, 1, 2 } },
    { { 3, { 8, 8, 4 } }, TRUE, { 2, 0, 1 } },
    { { 2, { 8, 9 } }, TRUE, { -1, 0, 1 } },
    { { 4, { 1, 16, 8, 8 } }, FALSE, { 0 } },
    { { 4, { 1, SYM_DIM_UNKNOWN, 8, 8 } }, FALSE, { 0 } },
    { { 1, { 8 } }, FALSE, { 0 } },
    { { 5, { 1, 3, 8, 8, 8 } }, FALSE, { 0 } },
    { { -1 }, FALSE, { 0 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymPictureAxes axes = { 0 };

      g_assert_cmpint (sym_run_picture_fits (&cases[i].shape, &axes), ==, cases[i].fits);
      if (cases[i].fits)
        g_assert_cmpmem (&axes, sizeof axes, &cases[i].axes, sizeof axes);
    }
}

static void
assert_filled (SymPictureRange range, SymShape shape, const float *numbers, gsize n, float off)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymDatum) datum =
      sym_run_fill_picture (&four, range, SYM_DTYPE_FLOAT32, &shape, &error);
  const float *data;

  g_assert_no_error (error);
  data = sym_datum_get_array (datum)->data;
  g_assert_cmpuint (sym_array_get_n_elements (sym_datum_get_array (datum)), ==, n);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (data[i], numbers[i], off);
}

static void
pixels_go_where_they_belong (void)
{
  static const float first[] = { 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1 };
  static const float last[] = { 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1 };
  static const float signs[] = { 1, -1, -1, 1, -1, 1, -1, 1, -1, -1, 1, 1 };
  static const float bytes[] = { 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255 };
  static const float grey[] = { 0.299f, 0.587f, 0.114f, 1 };
  static const float opaque[] = { 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1 };
  static const float imagenet[] = { 2.2489f,  -2.1179f, -2.1179f, 2.2489f,  -2.0357f, 2.4286f,
                                    -2.0357f, 2.4286f,  -1.8044f, -1.8044f, 2.64f,    2.64f };

  assert_filled (SYM_PICTURE_UNIT, SYM_SHAPE (1, 3, 2, 2), first, 12, 1e-6f);
  assert_filled (SYM_PICTURE_UNIT, SYM_SHAPE (2, 2, 3), last, 12, 1e-6f);
  assert_filled (SYM_PICTURE_BYTE, SYM_SHAPE (3, 2, 2), bytes, 12, 1e-4f);
  assert_filled (SYM_PICTURE_SIGNED, SYM_SHAPE (3, 2, 2), signs, 12, 1e-6f);
  assert_filled (SYM_PICTURE_UNIT, SYM_SHAPE (2, 2), grey, 4, 1e-6f);
  assert_filled (SYM_PICTURE_UNIT, SYM_SHAPE (4, 2, 2), opaque, 16, 1e-6f);
  assert_filled (SYM_PICTURE_IMAGENET, SYM_SHAPE (1, 3, 2, 2), imagenet, 12, 1e-3f);
}

static void
a_batch_is_of_the_same (void)
{
  static const float twice[] = { 0.299f, 0.587f, 0.114f, 1, 0.299f, 0.587f, 0.114f, 1 };

  assert_filled (SYM_PICTURE_UNIT, SYM_SHAPE (2, 1, 2, 2), twice, 8, 1e-6f);
  assert_filled (SYM_PICTURE_UNIT, SYM_SHAPE (2, 2, 2, 1), twice, 8, 1e-6f);
}

/* Made smaller all pixels count the same; made larger there is a straight line between two. */
static void
pictures_are_scaled (void)
{
  static const float one[] = { 0.5f };
  static const float wide[] = { 0, 0.25f, 0.75f, 1 };
  const guint8 grey[] = { 0, 0, 0, 255, 255, 255 };
  const SymPixels two = { grey, 2, 1, 6, 3 };
  SymShape shape = SYM_SHAPE (1, 4);
  g_autoptr (SymDatum) datum =
      sym_run_fill_picture (&two, SYM_PICTURE_UNIT, SYM_DTYPE_FLOAT32, &shape, NULL);
  const float *data = sym_datum_get_array (datum)->data;

  assert_filled (SYM_PICTURE_UNIT, SYM_SHAPE (1, 1), one, 1, 1e-6f);
  for (guint i = 0; i < G_N_ELEMENTS (wide); i++)
    g_assert_cmpfloat_with_epsilon (data[i], wide[i], 1e-6);
}

static void
integers_take_bytes_only (void)
{
  static const guint8 bytes[] = { 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255 };
  SymShape shape = SYM_SHAPE (3, 2, 2);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymDatum) datum =
      sym_run_fill_picture (&four, SYM_PICTURE_BYTE, SYM_DTYPE_UINT8, &shape, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (sym_datum_get_array (datum)->data, 12, bytes, 12);
  g_assert_null (sym_run_fill_picture (&four, SYM_PICTURE_UNIT, SYM_DTYPE_UINT8, &shape, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT);
}

static void
refuses_what_takes_no_picture (void)
{
  static const SymShape shapes[] = { { 1, { 4 } },
                                     { 3, { 5, 6, 7 } },
                                     { 3, { 3, SYM_DIM_UNKNOWN, 2 } } };

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (
          sym_run_fill_picture (&four, SYM_PICTURE_UNIT, SYM_DTYPE_FLOAT32, &shapes[i], &error));
      g_assert_error (error, SYM_ERROR, SYM_ERROR_SHAPE);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/picture/finds-the-axes", finds_the_axes);
  g_test_add_func ("/run/picture/pixels-go-where-they-belong", pixels_go_where_they_belong);
  g_test_add_func ("/run/picture/a-batch-is-of-the-same", a_batch_is_of_the_same);
  g_test_add_func ("/run/picture/pictures-are-scaled", pictures_are_scaled);
  g_test_add_func ("/run/picture/integers-take-bytes-only", integers_take_bytes_only);
  g_test_add_func ("/run/picture/refuses-what-takes-no-picture", refuses_what_takes_no_picture);
  return g_test_run ();
}
