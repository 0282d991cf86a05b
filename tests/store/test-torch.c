/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "store/sym-store-pickle-private.h"
#include "store/sym-store-torch.h"

/* The fixtures are as torch.save() writes them, made by Python's pickle with classes that are
 * called like PyTorch's. */

static SymStoreTensors *
read_fixture (const char *name, GError **error)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "torch", name, NULL);
  g_autoptr (SymBlob) blob = sym_store_open_file (path, NULL);
  g_autoptr (SymStoreArchive) archive = sym_store_archive_open (blob, name, NULL, NULL);

  g_assert_nonnull (archive);
  g_assert_true (sym_store_is_torch (archive));
  return sym_store_read_torch (archive, name, NULL, error);
}

static void
assert_floats (SymTensor *tensor, const float *expected, guint n)
{
  float numbers[8];

  g_assert_nonnull (tensor);
  g_assert_cmpint (sym_tensor_get_dtype (tensor), ==, SYM_DTYPE_FLOAT32);
  g_assert_cmpuint (sym_tensor_get_n_bytes (tensor), ==, n * sizeof *numbers);
  g_assert_true (sym_tensor_read (tensor, 0, n * sizeof *numbers, numbers, NULL));
  for (guint i = 0; i < n; i++)
    g_assert_cmpfloat (numbers[i], ==, expected[i]);
}

static void
assert_is_state (SymStoreTensors *tensors)
{
  static const float weight[] = { 1, 2, 3, 4, 5, 6 }, bias[] = { 0.5f, -1 };
  static const float turned[] = { 1, 4, 2, 5, 3, 6 };
  SymShape shape = { .rank = 2, .dims = { 2, 3 } };
  SymTensor *number = sym_store_tensors_find (tensors, "n");
  gint64 n;

  g_assert_cmpuint (sym_store_tensors_get_n (tensors), ==, 5);
  assert_floats (sym_store_tensors_find (tensors, "turned"), turned, 6);
  assert_floats (sym_store_tensors_find (tensors, "fc.weight"), weight, 6);
  assert_floats (sym_store_tensors_find (tensors, "fc.bias"), bias, 2);
  assert_floats (sym_store_tensors_find (tensors, "one"), bias + 1, 1);
  g_assert_true (sym_shape_equal (
      sym_tensor_get_shape (sym_store_tensors_find (tensors, "fc.weight")), &shape));
  g_assert_cmpint (sym_tensor_get_dtype (number), ==, SYM_DTYPE_INT64);
  g_assert_cmpint (sym_tensor_get_shape (number)->rank, ==, 0);
  g_assert_true (sym_tensor_read (number, 0, sizeof n, &n, NULL));
  g_assert_cmpint (n, ==, G_GINT64_CONSTANT (1) << 40);
  g_assert_null (sym_store_tensors_get_skipped (tensors)[0]);
}

static void
test_state (gconstpointer name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymStoreTensors) tensors = read_fixture (name, &error);

  g_assert_no_error (error);
  assert_is_state (tensors);
}

/* A parameter is a tensor in a call; bytes without a type are told one beside, and begin with the
 * second number. */
static void
test_parameters (void)
{
  static const float weight[] = { 1, 2, 3, 4, 5, 6 };
  g_autoptr (SymStoreTensors) tensors = read_fixture ("parameters.pt", NULL);
  SymTensor *u = sym_store_tensors_find (tensors, "u");
  guint16 numbers[3];

  assert_floats (sym_store_tensors_find (tensors, "w"), weight, 6);
  g_assert_cmpint (sym_tensor_get_dtype (u), ==, SYM_DTYPE_UINT16);
  g_assert_true (sym_tensor_read (u, 0, sizeof numbers, numbers, NULL));
  g_assert_cmpuint (numbers[0], ==, 0);
  g_assert_cmpuint (numbers[1], ==, 1 << 8);
}

/* What would have Python run a command is passed over. */
static void
test_program (void)
{
  g_autoptr (SymStoreTensors) tensors = read_fixture ("program.pt", NULL);

  g_assert_cmpuint (sym_store_tensors_get_n (tensors), ==, 1);
  g_assert_cmpstr (sym_store_tensors_get_name (tensors, 0), ==, "fc.bias");
}

static void
test_missing_storage (void)
{
  g_autoptr (SymStoreTensors) missing = read_fixture ("missing-storage.pt", NULL);
  g_autoptr (SymStoreTensors) cut = read_fixture ("short-storage.pt", NULL);

  g_assert_cmpuint (sym_store_tensors_get_n (missing), ==, 1);
  g_assert_cmpstr (sym_store_tensors_get_skipped (missing)[0], ==,
                   "“fc.weight” is not read: there is no file 'weights/data/0'");
  g_assert_cmpuint (sym_store_tensors_get_n (cut), ==, 1);
  g_assert_cmpstr (sym_store_tensors_get_skipped (cut)[0], ==,
                   "“fc.weight” is not read: the tensor takes 24 bytes from byte 0 on, but there "
                   "are 20 bytes in all");
}

static void
test_refused (void)
{
  static const struct {
    const char *name, *message;
  } cases[] = {
    { "big-endian.pt", "big-endian.pt: its numbers are big-endian, which is not read" },
    { "crash-text.pt", "crash-text.pt: byte 2: instruction 0x49 of a pickle is not read" },
    { "cut.pt", "cut.pt: byte 422: the pickle ends within an instruction" },
    { "module.pt", "module.pt: it is no dictionary of tensors, as state_dict() makes one, and none "
                   "is in it" },
    { "two.pt", "two.pt: it is no dictionary of tensors, as state_dict() makes one, and several "
                "with as many tensors are in it" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (read_fixture (cases[i].name, &error));
      g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

/* ---- Archives that are made here ---- */

static void
append (GByteArray *out, const void *bytes, gsize n)
{
  g_byte_array_append (out, bytes, (guint) n);
}

#define APPEND(out_, text_) append (out_, "" text_, sizeof (text_) - 1)

static void
append_text (GByteArray *out, const char *text, gsize n)
{
  guint32 size = GUINT32_TO_LE ((guint32) n);

  APPEND (out, "X");
  append (out, &size, sizeof size);
  append (out, text, n);
}

/* What each tensor has is remembered as 0 to 2, and a dictionary is begun. */
static GByteArray *
begin_pickle (void)
{
  GByteArray *out = g_byte_array_new ();

  APPEND (out, "\x80\x02"
               "ctorch._utils\n_rebuild_tensor_v2\nq\0000"
               "ctorch\nFloatStorage\nq\0010"
               "U\007storageq\0020"
               "}(");
  return out;
}

/* A number in the file data/@key. */
static void
append_tensor (GByteArray *out, const char *key, gsize n)
{
  APPEND (out, "h\0((h\2h\1");
  append_text (out, key, n);
  APPEND (out, "h\2K\1tQK\0))\x89NtR");
}

static void
append_file (GByteArray *tar, const char *name, const void *bytes, gsize size)
{
  static const guint8 zeros[512];
  char header[512] = { 0 };

  g_strlcpy (header, name, 100);
  g_snprintf (header + 124, 12, "%011o", (guint) size);
  header[156] = '0';
  memcpy (header + 257, "ustar", 6);
  append (tar, header, sizeof header);
  append (tar, bytes, size);
  append (tar, zeros, (512 - size % 512) % 512);
}

/* Ends the dictionary.  Of the files data/0 and so on there are @n_files. */
static SymStoreTensors *
read_pickle (GByteArray *pickle, guint n_files, GCancellable *cancellable, GError **error)
{
  GByteArray *tar = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (SymBlob) blob = NULL;
  g_autoptr (SymStoreArchive) archive = NULL;

  APPEND (pickle, "u.");
  append_file (tar, "data.pkl", pickle->data, pickle->len);
  for (guint i = 0; i < n_files; i++)
    {
      g_autofree char *name = g_strdup_printf ("data/%u", i);

      append_file (tar, name, "1234", 4);
    }
  bytes = g_byte_array_free_to_bytes (tar);
  blob = sym_blob_new_bytes (bytes);
  archive = sym_store_archive_open (blob, "p", NULL, NULL);
  g_assert_nonnull (archive);
  return sym_store_read_torch (archive, "p", cancellable, error);
}

/* Each is looked up at once: 150,000 in a list of 90,000 take more than a minute. */
static void
test_many_storages (void)
{
  g_autoptr (GByteArray) pickle = begin_pickle ();
  g_autoptr (SymStoreTensors) tensors = NULL;
  const guint n = 150000, n_files = 90000;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *key = g_strdup_printf ("%u", i % 2 == 0 ? n_files - 1 - i / 2 : n + i);

      append_text (pickle, key, strlen (key));
      append_tensor (pickle, key, strlen (key));
    }
  tensors = read_pickle (pickle, n_files, NULL, NULL);
  g_assert_cmpuint (sym_store_tensors_get_n (tensors), ==, n / 2);
  g_assert_cmpstr (sym_store_tensors_get_name (tensors, 0), ==, "89999");
  g_assert_cmpstr (sym_store_tensors_get_skipped (tensors)[0], ==,
                   "“150001” is not read: there is no file 'data/150001'");
}

/* A name of @n_name and a tensor in a storage of @n_key bytes, often; a few bytes each. */
static SymStoreTensors *
read_copies (gsize n_name, gsize n_key)
{
  g_autoptr (GByteArray) pickle = begin_pickle ();
  g_autofree char *name = g_strnfill (n_name, 'n'), *key = g_strnfill (n_key, '0');

  append_text (pickle, name, n_name);
  APPEND (pickle, "q\3");
  append_tensor (pickle, key, n_key);
  APPEND (pickle, "q\4");
  for (guint i = 0; i < 2000; i++)
    APPEND (pickle, "h\3h\4");
  return read_pickle (pickle, 1, NULL, NULL);
}

/* Whether those that are not read are told by a few short sentences. */
static void
assert_told (SymStoreTensors *tensors, const char *first, const char *last)
{
  const char *const *skipped = sym_store_tensors_get_skipped (tensors);

  g_assert_cmpuint (g_strv_length ((char **) skipped), ==, 17);
  g_assert_cmpstr (skipped[0], ==, first);
  g_assert_cmpstr (skipped[16], ==, last);
}

static void
test_copies (void)
{
  g_autoptr (SymStoreTensors) short_names = read_copies (1, 1);
  g_autoptr (SymStoreTensors) long_names = read_copies (4097, 1);
  g_autoptr (SymStoreTensors) long_keys = read_copies (1, 256);

  g_assert_cmpuint (sym_store_tensors_get_n (short_names), ==, 1);
  assert_told (short_names, "“n” is not read: its name has come before",
               "1984 more tensors are not read");
  g_assert_cmpuint (sym_store_tensors_get_n (long_names), ==, 0);
  assert_told (long_names, "a tensor is not read: its name has more than 4096 bytes",
               "1985 more tensors are not read");
  g_assert_cmpuint (sym_store_tensors_get_n (long_keys), ==, 0);
  assert_told (long_keys,
               "“n” is not read: the name of its storage has 256 bytes, and may have no more than "
               "255",
               "1985 more tensors are not read");
}

/* A dictionary that has @n_inside dictionaries, which have 2, 3, ... tensors, among @n others. */
static SymStoreTensors *
read_nested (guint n, guint n_inside, GCancellable *cancellable, GError **error)
{
  g_autoptr (GByteArray) pickle = begin_pickle ();

  for (guint i = 0; i < MAX (n, n_inside); i++)
    {
      if (i < n)
        {
          append_text (pickle, i == 0 ? "loss" : "gain", 4);
          append_tensor (pickle, "0", 1);
        }
      if (i >= n_inside)
        continue;
      append_text (pickle, i == 0 ? "state" : "other", 5);
      APPEND (pickle, "}(");
      for (guint k = 0; k < 2 + i; k++)
        {
          append_text (pickle, &"abc"[k], 1);
          append_tensor (pickle, "0", 1);
        }
      APPEND (pickle, "u");
    }
  return read_pickle (pickle, 1, cancellable, error);
}

/* A number beside a state_dict is not what is looked for; in a draw it is the outermost. */
static void
test_most_tensors (void)
{
  static const struct {
    guint n, n_inside, n_taken;
    const char *told;
  } cases[] = {
    { 1, 1, 2, "“state” has the most tensors, 2, which are read: 1 in other dictionaries is not" },
    { 0, 2, 3, "“other” has the most tensors, 3, which are read: 2 in other dictionaries are not" },
    { 2, 1, 2,
      "the outermost dictionary has the most tensors, 2, which are read: 2 in other dictionaries "
      "are not" },
    { 0, 1, 2, NULL },
    { 2, 0, 2, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (SymStoreTensors) tensors =
          read_nested (cases[i].n, cases[i].n_inside, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (sym_store_tensors_get_n (tensors), ==, cases[i].n_taken);
      g_assert_cmpstr (sym_store_tensors_get_skipped (tensors)[0], ==, cases[i].told);
    }
}

/* Half a million times one of 100,000 values: counted each time, they would take minutes. */
static void
test_one_dictionary_often (void)
{
  g_autoptr (GByteArray) pickle = begin_pickle ();
  g_autofree char *copies = g_strnfill (199998, '2');
  g_autoptr (GError) error = NULL;

  APPEND (pickle, "U\001d}q\3(U\001xN");
  append (pickle, copies, strlen (copies));
  APPEND (pickle, "u");
  for (guint i = 0; i < 1000000; i++)
    APPEND (pickle, "h\3");
  g_assert_null (read_pickle (pickle, 0, NULL, &error));
  g_assert_cmpstr (error->message, ==,
                   "p: it is no dictionary of tensors, as state_dict() makes one, and none is in "
                   "it");
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_cancellable_cancel (cancellable);
  for (guint n = 0; n < 2; n++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (read_nested (1 - n, n, cancellable, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
}

/* ---- Pickles by themselves ---- */

#define READ(text_, error_) \
  sym_pickle_read ((const guint8 *) (text_), sizeof (text_) - 1, "p", error_)

static void
test_numbers (void)
{
  g_autoptr (SymPickle) pickle =
      READ ("\x80\x02(K\xffM\xff\xffJ\xfe\xff\xff\xff\x8a\x01\x80\x8a\x00"
            "\x8a\x09"
            "123456789"
            "\x88Nt.",
            NULL);
  const SymPickleValue *list = sym_pickle_get_value (pickle);
  static const gint64 expected[] = { 255, 65535, -2, -128, 0 };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpint (sym_pickle_get_item (list, SYM_PICKLE_LIST, i)->number, ==, expected[i]);
  g_assert_cmpint (sym_pickle_get_item (list, SYM_PICKLE_LIST, 5)->kind, ==, SYM_PICKLE_NONE);
  g_assert_cmpint (sym_pickle_get_item (list, SYM_PICKLE_LIST, 6)->number, ==, 1);
  g_assert_null (sym_pickle_get_item (list, SYM_PICKLE_LIST, 8));
  g_assert_null (sym_pickle_get_item (list, SYM_PICKLE_DICT, 0));
}

/* What is in itself is no more than any other. */
static void
test_within_itself (void)
{
  g_autoptr (SymPickle) pickle = READ ("\x80\x02]q\x00h\x00"
                                       "a.",
                                       NULL);
  const SymPickleValue *list = sym_pickle_get_value (pickle);

  g_assert_true (sym_pickle_get_item (list, SYM_PICKLE_LIST, 0) == list);
}

static void
test_faulty_pickles (void)
{
  static const struct {
    const char *text, *message;
  } cases[] = {
    { "", "p: byte 0: the pickle ends within an instruction" },
    { ".", "p: byte 0: an instruction takes more values than there are" },
    { "Kat.", "p: byte 2: there is no mark that it goes back to" },
    { "Ka(s.", "p: byte 3: an instruction takes more values than there are" },
    { "ha.", "p: byte 0: nothing was remembered as 97" },
    { "cos\nsystem", "p: byte 0: the name of an object is no line of text" },
    { "NN\x93.", "p: byte 2: the name of an object is no text" },
    { "X\xff\xff\xff\xff"
      "a.",
      "p: byte 0: the pickle ends within an instruction" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (
          sym_pickle_read ((const guint8 *) cases[i].text, strlen (cases[i].text), "p", &error));
      g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

static void
test_too_many_values (void)
{
  static const char codes[] = { 'N', '(' };

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      g_autofree char *text = g_strnfill (2000001, codes[i]);
      g_autoptr (GError) error = NULL;

      g_assert_null (sym_pickle_read ((const guint8 *) text, 2000001, "p", &error));
      g_assert_cmpstr (error->message, ==,
                       "p: byte 2000000: a pickle of more than 2000000 values is not read");
    }
}

/* A text that was remembered, for the names of ever more objects. */
static void
test_too_much_text (void)
{
  static const char start[] = "\x80\x02X\x00\x00\x02\x00", name[] = "h\0h\0\x93";
  const gsize n = 128 << 10;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree char *text = g_strnfill (n, 'a');
  g_autoptr (GError) error = NULL;

  g_byte_array_append (bytes, (const guint8 *) start, sizeof start - 1);
  g_byte_array_append (bytes, (const guint8 *) text, (guint) n);
  g_byte_array_append (bytes, (const guint8 *) "q\0", 2);
  g_byte_array_append (bytes, (const guint8 *) name, sizeof name - 1);
  g_assert_null (sym_pickle_read (bytes->data, bytes->len, "p", &error));
  g_assert_cmpstr (error->message, ==,
                   "p: byte 131085: more than twice the bytes of the pickle would be text, which "
                   "is not read");
}

/* What was remembered, in ever more lists: on the stack there are few at any time. */
static void
test_too_many_places (void)
{
  g_autoptr (GString) text = g_string_new ("]");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *copies = g_strnfill (1000000, '2');

      g_string_append_printf (text, "(N%se", copies);
    }
  g_assert_null (sym_pickle_read ((const guint8 *) text->str, text->len, "p", &error));
  g_assert_cmpstr (error->message, ==,
                   "p: byte 4000012: lists of more than 4000000 places in all are not read");
}

/* A frozen set, and bytes that can be changed. */
static void
test_newer_kinds (void)
{
  static const char text[] = "\x80\x05(K\x07\x96\x02\0\0\0\0\0\0\0hi\x91.";
  g_autoptr (GError) error = NULL;
  g_autoptr (SymPickle) pickle = READ (text, &error);
  const SymPickleValue *set;

  g_assert_no_error (error);
  set = sym_pickle_get_value (pickle);
  g_assert_cmpint (sym_pickle_get_item (set, SYM_PICKLE_LIST, 0)->number, ==, 7);
  g_assert_cmpstr (sym_pickle_get_item (set, SYM_PICKLE_LIST, 1)->text, ==, "hi");
  g_assert_null (sym_pickle_get_item (set, SYM_PICKLE_LIST, 2));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/torch/state", "state.pt", test_state);
  g_test_add_data_func ("/torch/state-of-protocol-4", "state-protocol-4.pt", test_state);
  g_test_add_data_func ("/torch/checkpoint", "checkpoint.pt", test_state);
  g_test_add_func ("/torch/parameters", test_parameters);
  g_test_add_func ("/torch/program", test_program);
  g_test_add_func ("/torch/missing-storage", test_missing_storage);
  g_test_add_func ("/torch/refused", test_refused);
  g_test_add_func ("/torch/many-storages", test_many_storages);
  g_test_add_func ("/torch/copies", test_copies);
  g_test_add_func ("/torch/most-tensors", test_most_tensors);
  g_test_add_func ("/torch/one-dictionary-often", test_one_dictionary_often);
  g_test_add_func ("/torch/cancelled", test_cancelled);
  g_test_add_func ("/torch/pickle/numbers", test_numbers);
  g_test_add_func ("/torch/pickle/within-itself", test_within_itself);
  g_test_add_func ("/torch/pickle/faulty", test_faulty_pickles);
  g_test_add_func ("/torch/pickle/too-many-values", test_too_many_values);
  g_test_add_func ("/torch/pickle/too-many-places", test_too_many_places);
  g_test_add_func ("/torch/pickle/too-much-text", test_too_much_text);
  g_test_add_func ("/torch/pickle/newer-kinds", test_newer_kinds);
  return g_test_run ();
}
