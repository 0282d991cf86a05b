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

static void
test_strings_hold_any_bytes (void)
{
  const char *const strings[] = { "one", "", "a\0b", "\xff\xfe" };
  const gsize lengths[] = { 3, 0, 3, 2 };
  SymShape shape = SYM_SHAPE (2, 2);
  g_autoptr (SymTensor) tensor = sym_tensor_new_strings (&shape, strings, lengths, NULL);

  g_assert_cmpint (sym_tensor_get_dtype (tensor), ==, SYM_DTYPE_STRING);
  g_assert_cmpuint (sym_tensor_get_n_bytes (tensor), ==, 8);
  for (guint i = 0; i < G_N_ELEMENTS (strings); i++)
    {
      gsize length;
      const char *string = sym_tensor_get_string (tensor, i, &length);

      g_assert_cmpmem (string, length, strings[i], lengths[i]);
      g_assert_cmpint (string[length], ==, '\0');
    }
}

static void
test_strings_are_not_read_as_bytes (void)
{
  SymShape shape = SYM_SHAPE (1), none = SYM_SHAPE (0), unknown = SYM_SHAPE (SYM_DIM_UNKNOWN);
  const char *const strings[] = { "text" };
  g_autoptr (SymTensor) tensor = sym_tensor_new_strings (&shape, strings, NULL, NULL);
  g_autoptr (SymTensor) empty = sym_tensor_new_strings (&none, NULL, NULL, NULL);
  g_autoptr (GError) error = NULL;
  char byte;

  g_assert_cmpstr (sym_tensor_get_string (tensor, 0, NULL), ==, "text");
  g_assert_cmpuint (sym_tensor_get_n_bytes (empty), ==, 0);
  g_assert_false (sym_tensor_read (tensor, 0, 1, &byte, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED);
  g_clear_error (&error);
  g_assert_null (sym_tensor_new_strings (&unknown, strings, NULL, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_LIMIT);
}

static SymTensor *
make_bytes (SymDType dtype, SymShape shape, const void *bytes, gsize size)
{
  g_autoptr (GBytes) contents = g_bytes_new (bytes, size);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (contents);
  g_autoptr (GError) error = NULL;
  SymTensor *tensor = sym_tensor_new (dtype, &shape, blob, 0, &error);

  g_assert_no_error (error);
  return tensor;
}

static void
test_equal_is_equal_in_all (void)
{
  const guint8 bytes[] = { 1, 2, 3, 4 }, other[] = { 1, 2, 3, 5 };
  const char *const ab[] = { "a", "b" }, *const joined[] = { "ab", "" };
  SymShape pair = SYM_SHAPE (2);
  g_autoptr (SymTensor) a = make_bytes (SYM_DTYPE_UINT8, SYM_SHAPE (4), bytes, 4);
  g_autoptr (SymTensor) same = make_bytes (SYM_DTYPE_UINT8, SYM_SHAPE (4), bytes, 4);
  g_autoptr (SymTensor) bent = make_bytes (SYM_DTYPE_UINT8, SYM_SHAPE (2, 2), bytes, 4);
  g_autoptr (SymTensor) signs = make_bytes (SYM_DTYPE_INT8, SYM_SHAPE (4), bytes, 4);
  g_autoptr (SymTensor) last = make_bytes (SYM_DTYPE_UINT8, SYM_SHAPE (4), other, 4);
  g_autoptr (SymTensor) strings = sym_tensor_new_strings (&pair, ab, NULL, NULL);
  g_autoptr (SymTensor) again = sym_tensor_new_strings (&pair, ab, NULL, NULL);
  g_autoptr (SymTensor) split = sym_tensor_new_strings (&pair, joined, NULL, NULL);

  g_assert_true (sym_tensor_equal (a, a));
  g_assert_true (sym_tensor_equal (a, same));
  g_assert_false (sym_tensor_equal (a, bent));
  g_assert_false (sym_tensor_equal (a, signs));
  g_assert_false (sym_tensor_equal (a, last));
  g_assert_true (sym_tensor_equal (strings, again));
  g_assert_false (sym_tensor_equal (strings, split));
  g_assert_false (sym_tensor_equal (strings, a));
}

static void
check_text (SymTensor *take_tensor, const char *wanted)
{
  g_autoptr (SymTensor) tensor = take_tensor;
  g_autofree char *text = sym_tensor_to_string (tensor);

  g_assert_cmpstr (text, ==, wanted);
}

static void
test_prints_its_elements (void)
{
  const float floats[] = { 1, 2.5, -3 };
  const guint8 bytes[20] = { 0, 1, 2, 3, 4, 5, 6 };
  const char *const strings[] = { "it's", "\n" };
  SymShape pair = SYM_SHAPE (2);

  check_text (make_bytes (SYM_DTYPE_FLOAT32, SYM_SHAPE (3), floats, sizeof floats),
              "tensor(float32, [3], [1, 2.5, -3])");
  check_text (make_bytes (SYM_DTYPE_UINT8, SYM_SHAPE (2, 1, 2), bytes, 4),
              "tensor(uint8, [2, 1, 2], [[[0, 1]], [[2, 3]]])");
  check_text (make_bytes (SYM_DTYPE_UINT8, SYM_SHAPE (), bytes + 6, 1), "tensor(uint8, [], 6)");
  check_text (make_bytes (SYM_DTYPE_UINT8, SYM_SHAPE (0, 3), bytes, 0),
              "tensor(uint8, [0, 3], [])");
  check_text (make_bytes (SYM_DTYPE_UINT8, SYM_SHAPE (4, 5), bytes, 20),
              "tensor(uint8, [4, 5], [0, 1, 2, 3, 4, 5, ...])");
  check_text (sym_tensor_new_strings (&pair, strings, NULL, NULL),
              "tensor(string, [2], [\"it's\", '\\n'])");
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

      g_assert_null (
          sym_tensor_new (misfits[i].dtype, &misfits[i].shape, blob, misfits[i].offset, &error));
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

/* What a type does not tell is any. */
static void
test_fits_what_is_declared (void)
{
  static const struct {
    SymDType dtype;
    SymShape shape;
    gboolean fits;
  } cases[] = {
    { SYM_DTYPE_FLOAT32, { .rank = 2, .dims = { 2, 3 } }, TRUE },
    { SYM_DTYPE_UNKNOWN, { .rank = -1 }, TRUE },
    { SYM_DTYPE_FLOAT32, { .rank = 2, .dims = { SYM_DIM_UNKNOWN, 3 } }, TRUE },
    { SYM_DTYPE_INT32, { .rank = 2, .dims = { 2, 3 } }, FALSE },
    { SYM_DTYPE_FLOAT32, { .rank = 2, .dims = { 3, 2 } }, FALSE },
    { SYM_DTYPE_FLOAT32, { .rank = 1, .dims = { 6 } }, FALSE },
  };
  g_autoptr (SymBlob) blob = make_blob (24);
  SymShape shape = SYM_SHAPE (2, 3);
  g_autoptr (SymTensor) tensor = sym_tensor_new (SYM_DTYPE_FLOAT32, &shape, blob, 0, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymType declared = sym_type_tensor (cases[i].dtype, cases[i].shape);

      g_assert_cmpint (sym_tensor_fits (tensor, &declared), ==, cases[i].fits);
    }
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
  g_test_add_func ("/core/tensor/fits-what-is-declared", test_fits_what_is_declared);
  g_test_add_func ("/core/tensor/a-scalar-is-one-element", test_a_scalar_is_one_element);
  g_test_add_func ("/core/tensor/a-parameter-holds-its-tensor", test_a_parameter_holds_its_tensor);

  g_test_add_func ("/core/tensor/strings-hold-any-bytes", test_strings_hold_any_bytes);
  g_test_add_func ("/core/tensor/strings-are-not-read-as-bytes",
                   test_strings_are_not_read_as_bytes);
  g_test_add_func ("/core/tensor/equal-is-equal-in-all", test_equal_is_equal_in_all);
  g_test_add_func ("/core/tensor/prints-its-elements", test_prints_its_elements);
  return g_test_run ();
}
