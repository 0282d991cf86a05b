/* SPDX-License-Identifier: MIT */
#include "core/sym-tensor.h"

#include <string.h>

static SymBlob *
make_blob (gsize size)
{
  g_autofree guint8 *data = g_malloc (size + 1);
  g_autoptr (GBytes) bytes = NULL;

  for (gsize i = 0; i < size; i++)
    data[i] = (guint8) i;
  bytes = g_bytes_new (data, size);
  return sym_blob_new_bytes (bytes);
}

static void
test_a_blob_reads_ranges (void)
{
  g_autoptr (SymBlob) blob = make_blob (10);
  g_autoptr (GError) error = NULL;
  guint8 buffer[3] = { 0 };

  g_assert_true (sym_blob_read (blob, 7, 3, buffer, &error));
  g_assert_no_error (error);
  g_assert_cmpmem (buffer, 3, ((guint8[]){ 7, 8, 9 }), 3);
  g_assert_true (sym_blob_read (blob, 10, 0, NULL, &error));
}

static void
test_a_blob_refuses_what_lies_beyond (void)
{
  const guint64 ranges[][2] = {
    { 8, 3 }, { 11, 0 }, { G_MAXUINT64, 1 }, { 1, G_MAXUINT64 }, { G_MAXUINT64, G_MAXUINT64 },
  };
  g_autoptr (SymBlob) blob = make_blob (10);
  guint8 buffer[3] = { 42, 42, 42 };

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (sym_blob_read (blob, ranges[i][0], ranges[i][1], buffer, &error));
      g_assert_error (error, SYM_ERROR, SYM_ERROR_LIMIT);
    }
  g_assert_cmpmem (buffer, 3, ((guint8[]){ 42, 42, 42 }), 3);
}

static void
test_reads_at_its_offset (void)
{
  g_autoptr (SymBlob) blob = make_blob (40);
  SymShape shape = SYM_SHAPE (2, 3);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymTensor) tensor = sym_tensor_new (SYM_DTYPE_FLOAT32, &shape, blob, 16, &error);
  guint8 byte = 0;

  g_assert_no_error (error);
  g_assert_cmpint (sym_tensor_get_dtype (tensor), ==, SYM_DTYPE_FLOAT32);
  g_assert_true (sym_shape_equal (sym_tensor_get_shape (tensor), &shape));
  g_assert_cmpuint (sym_tensor_get_n_bytes (tensor), ==, 24);
  g_assert_true (sym_tensor_read (tensor, 23, 1, &byte, &error));
  g_assert_cmpuint (byte, ==, 39);
}

static void
test_does_not_read_its_neighbour (void)
{
  g_autoptr (SymBlob) blob = make_blob (40);
  SymShape shape = SYM_SHAPE (4);
  g_autoptr (SymTensor) tensor = sym_tensor_new (SYM_DTYPE_UINT8, &shape, blob, 0, NULL);
  g_autoptr (GError) error = NULL;
  guint8 bytes[5];

  g_assert_false (sym_tensor_read (tensor, 0, 5, bytes, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_LIMIT);
  g_assert_nonnull (strstr (error->message, "4 bytes"));
}

typedef struct {
  SymDType dtype;
  SymShape shape;
  guint64 offset;
} Misfit;

static void
test_refuses_what_does_not_fit (void)
{
  const Misfit misfits[] = {
    { SYM_DTYPE_FLOAT32, SYM_SHAPE (11), 0 },
    { SYM_DTYPE_FLOAT32, SYM_SHAPE (10), 1 },
    { SYM_DTYPE_UINT8, SYM_SHAPE (0), 41 },
    { SYM_DTYPE_FLOAT64, SYM_SHAPE (G_MAXINT64), 0 },
    { SYM_DTYPE_UINT8, SYM_SHAPE (G_MAXINT64, G_MAXINT64), 0 },
    { SYM_DTYPE_UINT8, SYM_SHAPE (SYM_DIM_UNKNOWN), 0 },
    { SYM_DTYPE_UINT8, SYM_SHAPE_UNKNOWN, 0 },
    { SYM_DTYPE_STRING, SYM_SHAPE (1), 0 },
    { SYM_DTYPE_UNKNOWN, SYM_SHAPE (1), 0 },
  };
  g_autoptr (SymBlob) blob = make_blob (40);

  for (guint i = 0; i < G_N_ELEMENTS (misfits); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (sym_tensor_new (misfits[i].dtype, &misfits[i].shape, blob, misfits[i].offset,
                                     &error));
      g_assert_error (error, SYM_ERROR, SYM_ERROR_LIMIT);
    }
}

static void
test_the_message_has_both_sizes (void)
{
  g_autoptr (SymBlob) blob = make_blob (40);
  SymShape shape = SYM_SHAPE (11);
  g_autoptr (GError) error = NULL;

  g_assert_null (sym_tensor_new (SYM_DTYPE_FLOAT32, &shape, blob, 0, &error));
  g_assert_nonnull (strstr (error->message, "44 bytes"));
  g_assert_nonnull (strstr (error->message, "40 bytes"));
}

static void
test_may_be_empty (void)
{
  g_autoptr (SymBlob) blob = make_blob (0);
  SymShape shape = SYM_SHAPE (0, 3);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymTensor) tensor = sym_tensor_new (SYM_DTYPE_INT64, &shape, blob, 0, &error);

  g_assert_no_error (error);
  g_assert_true (sym_tensor_read (tensor, 0, 0, NULL, &error));
}

static void
test_a_scalar_is_one_element (void)
{
  g_autoptr (SymBlob) blob = make_blob (8);
  SymShape shape = SYM_SHAPE ();
  g_autoptr (SymTensor) tensor = sym_tensor_new (SYM_DTYPE_INT64, &shape, blob, 0, NULL);

  g_assert_cmpuint (sym_tensor_get_n_bytes (tensor), ==, 8);
}

static void
test_a_parameter_holds_its_tensor (void)
{
  SymShape shape = SYM_SHAPE (2);
  g_autoptr (SymBlob) blob = make_blob (8);
  SymTensor *tensor = sym_tensor_new (SYM_DTYPE_FLOAT32, &shape, blob, 0, NULL);
  g_autoptr (SymParameter) parameter = sym_parameter_new (TRUE, tensor);
  g_autoptr (SymParameter) bare = sym_parameter_new (FALSE, NULL);

  sym_tensor_unref (tensor);
  g_assert_cmpuint (sym_tensor_get_n_bytes (sym_parameter_get_tensor (parameter)), ==, 8);
  g_assert_true (sym_parameter_get_trainable (parameter));
  g_assert_null (sym_parameter_get_tensor (bare));
  g_assert_false (sym_parameter_get_trainable (bare));

  sym_parameter_set_trainable (parameter, FALSE);
  g_assert_false (sym_parameter_get_trainable (parameter));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core/tensor/a-blob-reads-ranges", test_a_blob_reads_ranges);
  g_test_add_func ("/core/tensor/a-blob-refuses-what-lies-beyond",
                   test_a_blob_refuses_what_lies_beyond);
  g_test_add_func ("/core/tensor/reads-at-its-offset", test_reads_at_its_offset);
  g_test_add_func ("/core/tensor/does-not-read-its-neighbour", test_does_not_read_its_neighbour);
  g_test_add_func ("/core/tensor/refuses-what-does-not-fit", test_refuses_what_does_not_fit);
  g_test_add_func ("/core/tensor/the-message-has-both-sizes", test_the_message_has_both_sizes);
  g_test_add_func ("/core/tensor/may-be-empty", test_may_be_empty);
  g_test_add_func ("/core/tensor/a-scalar-is-one-element", test_a_scalar_is_one_element);
  g_test_add_func ("/core/tensor/a-parameter-holds-its-tensor", test_a_parameter_holds_its_tensor);

  return g_test_run ();
}
