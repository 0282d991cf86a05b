/* SPDX-License-Identifier: MIT */
#include "store/sym-store-strided.h"

/* A storage of the numbers 0, 1, ... */
static SymBlob *
make_storage (guint n)
{
  g_autofree float *numbers = g_new (float, n);
  g_autoptr (GBytes) bytes = NULL;

  for (guint i = 0; i < n; i++)
    numbers[i] = (float) i;
  bytes = g_bytes_new (numbers, n * sizeof (float));
  return sym_blob_new_bytes (bytes);
}

typedef struct {
  const char *name;
  SymShape shape;
  gint64 strides[4], offset;
  guint n_storage;
  const char *message; /* NULL: it is read */
} Case;

/* One number after the other, as the definition has it. */
static void
assert_numbers (SymTensor *tensor, const Case *c)
{
  guint64 n;

  g_assert_true (sym_shape_get_n_elements (&c->shape, &n));
  g_assert_cmpuint (sym_tensor_get_n_bytes (tensor), ==, n * sizeof (float));
  for (guint64 i = 0; i < n; i++)
    {
      guint64 rest = i, expected = (guint64) c->offset;
      float number;

      for (int axis = c->shape.rank; axis-- > 0; rest /= (guint64) c->shape.dims[axis])
        expected += rest % (guint64) c->shape.dims[axis] * (guint64) c->strides[axis];
      g_assert_true (sym_tensor_read (tensor, i * sizeof number, sizeof number, &number, NULL));
      g_assert_cmpfloat (number, ==, (float) expected);
    }
}

/* Within elements, and all at once. */
static void
assert_parts (SymTensor *tensor)
{
  gsize n = (gsize) sym_tensor_get_n_bytes (tensor);
  g_autofree guint8 *all = g_malloc (n + 1), *parts = g_malloc (n + 1);

  g_assert_true (sym_tensor_read (tensor, 0, n, all, NULL));
  for (gsize at = 0; at < n; at += 3)
    g_assert_true (sym_tensor_read (tensor, at, MIN (3, n - at), parts + at, NULL));
  g_assert_cmpmem (all, n, parts, n);
}

static void
test_case (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (SymBlob) storage = make_storage (c->n_storage);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymTensor) tensor =
      sym_store_open_strided (SYM_DTYPE_FLOAT32, &c->shape, c->strides, c->offset, storage, &error);

  if (c->message != NULL)
    {
      g_assert_error (error, SYM_ERROR, SYM_ERROR_LIMIT);
      g_assert_cmpstr (error->message, ==, c->message);
      g_assert_null (tensor);
      return;
    }
  g_assert_no_error (error);
  assert_numbers (tensor, c);
  assert_parts (tensor);
}

int
main (int argc, char **argv)
{
  static const Case cases[] = {
    { "packed", SYM_SHAPE (2, 3), { 3, 1 }, 0, 6, NULL },
    { "at-an-offset", SYM_SHAPE (2, 3), { 3, 1 }, 5, 11, NULL },
    { "transposed", SYM_SHAPE (3, 4), { 1, 3 }, 0, 12, NULL },
    { "channels-last", SYM_SHAPE (2, 3, 2, 2), { 12, 1, 6, 3 }, 0, 24, NULL },
    { "a-column-of-three", SYM_SHAPE (4, 2), { 6, 1 }, 2, 24, NULL },
    { "expanded", SYM_SHAPE (3, 4), { 0, 1 }, 1, 5, NULL },
    { "one-number", SYM_SHAPE (3), { 0 }, 0, 1, NULL },
    { "scalar", SYM_SHAPE (), { 0 }, 3, 4, NULL },
    { "one-element-of-any-stride", SYM_SHAPE (1, 2), { -7, 1 }, 0, 2, NULL },
    { "none", SYM_SHAPE (0, 5), { G_MAXINT64, -1 }, 0, 0, NULL },
    { "negative-stride", SYM_SHAPE (2, 3), { 3, -1 }, 3, 6, "a stride is negative" },
    { "negative-offset", SYM_SHAPE (2), { 1 }, -1, 6, "its offset is negative" },
    { "huge-offset", SYM_SHAPE (2), { 1 }, G_MAXINT64, 6, "its offset is too large" },
    { "huge-stride",
      SYM_SHAPE (3, 3),
      { G_MAXINT64, G_MAXINT64 },
      0,
      6,
      "its strides are too large" },
    { "huge-bytes", SYM_SHAPE (2), { G_MAXINT64 }, 0, 6, "it is too large" },
    { "beyond-the-end",
      SYM_SHAPE (3, 4),
      { 1, 3 },
      1,
      12,
      "it takes 48 bytes from byte 4 on, but there are 48 bytes in all" },
    { "repeated-too-often",
      SYM_SHAPE (1 << 20, 1 << 20),
      { 0, 0 },
      0,
      1,
      "it repeats a small storage too often" },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/strided/%s", cases[i].name);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  return g_test_run ();
}
