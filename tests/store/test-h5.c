/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include <glib/gstdio.h>

#include "store/sym-store-h5.h"

/* tests/fixtures/keras-weights/cnn.h5, as make.py beside it writes it: some arrays lie as they are,
 * others are packed, and some are of another byte order. */
#define FIXTURE "cnn.h5"

static char *
get_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "fixtures", "keras-weights", name, NULL);
}

static SymStoreH5 *
open_path (const char *path, GError **error)
{
  g_autoptr (GError) cause = NULL;
  g_autoptr (SymBlob) blob = sym_store_open_file (path, &cause);

  g_assert_no_error (cause);
  return sym_store_open_h5 (blob, G_MAXUINT64, path, NULL, error);
}

static SymStoreH5 *
open_fixture (void)
{
  g_autofree char *path = get_path (FIXTURE);
  g_autoptr (GError) error = NULL;
  SymStoreH5 *file = open_path (path, &error);

  g_assert_no_error (error);
  return file;
}

static SymTensor *
open_tensor (SymStoreH5 *file, const char *path)
{
  int i = sym_store_h5_find (file, path);
  g_autoptr (GError) error = NULL;
  SymTensor *tensor;

  g_assert_cmpint (i, >=, 0);
  g_assert_cmpstr (sym_store_h5_get_path (file, (guint) i), ==, path);
  tensor = sym_store_h5_open_tensor (file, (guint) i, &error);
  g_assert_no_error (error);
  return tensor;
}

static void
read_floats (SymTensor *tensor, float *numbers, gsize n)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (sym_tensor_get_dtype (tensor), ==, SYM_DTYPE_FLOAT32);
  g_assert_cmpuint (sym_tensor_get_n_bytes (tensor), ==, n * sizeof *numbers);
  sym_tensor_read (tensor, 0, n * sizeof *numbers, numbers, &error);
  g_assert_no_error (error);
}

static void
test_lists (void)
{
  g_autoptr (SymStoreH5) file = open_fixture ();
  const char *const *names = sym_store_h5_get_attribute (file, "model_weights", "layer_names");

  g_assert_cmpuint (sym_store_h5_get_n (file), ==, 9);
  g_assert_cmpint (sym_store_h5_find (file, "model_weights/dense"), ==, -1);
  g_assert_cmpuint (g_strv_length ((char **) names), ==, 4);
  g_assert_cmpstr (names[0], ==, "conv");
  g_assert_cmpstr (names[3], ==, "dense");
  names = sym_store_h5_get_attribute (file, "", "keras_version");
  g_assert_cmpstr (names[0], ==, "2.4.0");
  g_assert_null (sym_store_h5_get_attribute (file, "", "nothing"));
  names = sym_store_h5_get_attribute (file, "", "model_config");
  g_assert_true (g_str_has_prefix (names[0], "{\"class_name\""));
}

/* A bias of the other byte order; numbers are sixteenths. */
static void
test_reads (void)
{
  g_autoptr (SymStoreH5) file = open_fixture ();
  g_autoptr (SymTensor) direct = open_tensor (file, "model_weights/bn/bn/gamma:0");
  g_autoptr (SymTensor) packed = open_tensor (file, "model_weights/conv/conv/kernel:0");
  g_autoptr (SymTensor) turned = open_tensor (file, "model_weights/conv/conv/bias:0");
  g_autoptr (SymTensor) doubles = open_tensor (file, "model_weights/bn/bn/moving_variance:0");
  g_autoptr (SymTensor) halves = open_tensor (file, "model_weights/dense/dense/bias:0");
  float numbers[48], part[2];

  g_assert_cmpint (sym_tensor_get_dtype (doubles), ==, SYM_DTYPE_FLOAT64);
  g_assert_cmpint (sym_tensor_get_dtype (halves), ==, SYM_DTYPE_FLOAT16);
  g_assert_true (sym_shape_equal (sym_tensor_get_shape (packed), &SYM_SHAPE (3, 2, 2, 4)));
  read_floats (direct, numbers, 4);
  read_floats (turned, numbers, 4);
  for (guint i = 0; i < 4; i++)
    {
      g_assert_cmpfloat (numbers[i] * 16, ==, (int) (numbers[i] * 16));
      g_assert_cmpfloat (numbers[i], <, 1);
    }
  read_floats (packed, numbers, 48);
  g_assert_true (sym_tensor_read (packed, 40, 8, part, NULL));
  g_assert_cmpfloat (part[0], ==, numbers[10]);
  g_assert_cmpfloat (part[1], ==, numbers[11]);
}

/* What an archive holds has no file of its own. */
static void
test_reads_bytes (void)
{
  g_autofree char *path = get_path (FIXTURE);
  g_autoptr (GError) error = NULL;
  char *text;
  gsize length;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (SymBlob) blob = NULL;
  g_autoptr (SymStoreH5) file = NULL;
  g_autoptr (SymStoreH5) beside = open_fixture ();
  g_autoptr (SymTensor) tensor = NULL;
  g_autoptr (SymTensor) other = NULL;

  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  bytes = g_bytes_new_take (text, length);
  blob = sym_blob_new_bytes (bytes);
  file = sym_store_open_h5 (blob, G_MAXUINT64, "bytes", NULL, &error);
  g_assert_no_error (error);
  tensor = open_tensor (file, "model_weights/dense/dense/kernel:0");
  other = open_tensor (beside, "model_weights/dense/dense/kernel:0");
  g_assert_true (sym_tensor_equal (tensor, other));
}

/* ---- What goes wrong ---- */

static void
check_error (const char *bytes, gsize size, const char *message)
{
  g_autofree char *folder = g_dir_make_tmp ("h5-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "file.h5", NULL);
  g_autoptr (GError) error = NULL;
  SymStoreH5 *file;

  g_assert_true (g_file_set_contents (path, bytes, (gssize) size, NULL));
  file = open_path (path, &error);
  g_assert_null (file);
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
  g_assert_true (g_str_has_prefix (error->message, path));
  if (strstr (error->message, message) == NULL)
    g_error ("'%s' is told, not '%s'", error->message, message);
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_truncated (void)
{
  g_autofree char *path = get_path (FIXTURE);
  g_autofree char *bytes = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  check_error (bytes, 8, "file.h5: it cannot be opened: ");
  check_error (bytes, 1000, "truncated file");
  check_error (bytes, length - 1, "truncated file");
  check_error ("\x89HDF\r\n\x1a\nnonsense, and more of it", 33, "it cannot be opened");
  check_error ("{}", 2, "it cannot be opened");
}

/* Each byte of the head is damaged in turn: what is read is read, what is not is told. */
static void
test_damaged (void)
{
  g_autofree char *path = get_path ("mlp.h5");
  g_autofree char *folder = g_dir_make_tmp ("h5-XXXXXX", NULL);
  g_autofree char *copy = g_build_filename (folder, "file.h5", NULL);
  g_autofree char *bytes = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  for (gsize at = 0; at < length; at += 211)
    {
      char kept = bytes[at];
      g_autoptr (GError) error = NULL;
      g_autoptr (SymStoreH5) file = NULL;

      bytes[at] = (char) (kept ^ 0x55);
      g_assert_true (g_file_set_contents (copy, bytes, (gssize) length, NULL));
      file = open_path (copy, &error);
      g_assert_true ((file == NULL) == (error != NULL));
      for (guint i = 0; file != NULL && i < sym_store_h5_get_n (file); i++)
        {
          g_autoptr (GError) cause = NULL;
          SymTensor *tensor = sym_store_h5_open_tensor (file, i, &cause);

          g_assert_true ((tensor == NULL) == (cause != NULL));
          g_clear_pointer (&tensor, sym_tensor_unref);
        }
      bytes[at] = kept;
    }
  g_unlink (copy);
  g_rmdir (folder);
}

/* A file that claims more than it has is told so before anything is allocated for it. */
static void
test_claims (void)
{
  g_autofree char *path = get_path ("claims.h5");
  g_autoptr (GError) error = NULL;
  g_autoptr (SymStoreH5) file = open_path (path, &error);
  static const struct {
    const char *path;
    const char *message;
  } cases[] = {
    { "huge", "it claims 4398046511104 bytes, of which the file has 0" },
    { "beyond", "it claims more than 2^64 bytes" },
    { "elsewhere", "its numbers lie in other files" },
    { "text", "it holds no numbers" },
    { "axes", "it has more than 12 axes" },
  };

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) cause = NULL;
      int place = sym_store_h5_find (file, cases[i].path);
      SymTensor *tensor;

      g_assert_cmpint (place, >=, 0);
      tensor = sym_store_h5_open_tensor (file, (guint) place, &cause);
      g_assert_null (tensor);
      g_assert_error (cause, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
      if (strstr (cause->message, cases[i].message) == NULL)
        g_error ("'%s' is told, not '%s'", cause->message, cases[i].message);
    }
  g_assert_cmpint (sym_store_h5_find (file, "link"), ==, -1);
}

/* ---- The process ---- */

/* Children of this process that run symscope-hdf5, other than @others. */
static GPid
find_process (void)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/task/%d/children", (int) getpid ());
  g_autofree char *children = NULL;

  if (!g_file_get_contents (path, &children, NULL, NULL))
    return 0;
  return (GPid) g_ascii_strtoll (children, NULL, 10);
}

static gboolean
read_packed (SymStoreH5 *file, const char *path, GError **error)
{
  g_autoptr (SymTensor) tensor = open_tensor (file, path);
  float number;

  return sym_tensor_read (tensor, 0, sizeof number, &number, error);
}

/* A process that was killed between two requests is noticed by the next, and the one after that
 * starts another. */
static void
test_killed (void)
{
  g_autoptr (SymStoreH5) file = open_fixture ();
  g_autoptr (GError) error = NULL;
  GPid pid;

  g_assert_cmpint (find_process (), ==, 0);
  g_assert_true (read_packed (file, "model_weights/conv/conv/kernel:0", NULL));
  pid = find_process ();
  g_assert_cmpint (pid, !=, 0);
  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
  while (kill (pid, 0) == 0 && read_packed (file, "model_weights/conv/conv/kernel:0", NULL))
    {
      g_autofree char *path = g_strdup_printf ("/proc/%d/stat", (int) pid);
      g_autofree char *state = NULL;

      if (!g_file_get_contents (path, &state, NULL, NULL) || strstr (state, ") Z ") != NULL)
        break;
    }
  g_assert_false (read_packed (file, "model_weights/conv/conv/bias:0", &error));
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "the reader of HDF5 files has died"));
  g_assert_true (read_packed (file, "model_weights/conv/conv/bias:0", NULL));
  g_clear_pointer (&file, sym_store_h5_unref);
  g_assert_cmpint (find_process (), ==, 0);
}

static void
check_reader (const char *script, const char *message)
{
  g_autofree char *folder = g_dir_make_tmp ("h5-XXXXXX", NULL);
  g_autofree char *program = g_build_filename (folder, "reader", NULL);
  g_autofree char *path = get_path (FIXTURE);
  g_autoptr (GError) error = NULL;
  SymStoreH5 *file;

  g_assert_true (g_file_set_contents (program, script, -1, NULL));
  g_assert_cmpint (g_chmod (program, 0700), ==, 0);
  g_setenv ("SYMSCOPE_HDF5", program, TRUE);
  file = open_path (path, &error);
  g_unsetenv ("SYMSCOPE_HDF5");
  g_assert_null (file);
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
  if (strstr (error->message, message) == NULL)
    g_error ("'%s' is told, not '%s'", error->message, message);
  g_unlink (program);
  g_rmdir (folder);
}

/* What the process says is checked, whatever has become of it. */
static void
test_hostile_reader (void)
{
  check_reader ("#!/bin/sh\nkill -9 $$\n", "has died");
  check_reader ("#!/bin/sh\nkill -STOP $$\n", "was stopped");
  check_reader ("#!/bin/sh\nprintf 'nonsense, of which there is enough'\nsleep 1\n",
                "does not speak its protocol");
  /* A frame of a catalogue: of 2^40 bytes, and of 4 that are none. */
  check_reader ("#!/bin/sh\nprintf 'smw1\\021\\0\\0\\0\\0\\0\\0\\0\\0\\1\\0\\0'\nsleep 1\n",
                "does not speak its protocol");
  check_reader ("#!/bin/sh\nprintf 'smw1\\021\\0\\0\\0\\4\\0\\0\\0\\0\\0\\0\\0abcd'\nsleep 1\n",
                "makes no sense");
  check_reader ("#!/bin/sh\nprintf 'smw1\\024\\0\\0\\0\\4\\0\\0\\0\\0\\0\\0\\0abcd'\nsleep 1\n",
                ": abcd");
}

static void
test_cancelled (void)
{
  g_autofree char *path = get_path (FIXTURE);
  g_autoptr (SymBlob) blob = sym_store_open_file (path, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (sym_store_open_h5 (blob, G_MAXUINT64, path, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/h5/lists-what-there-is", test_lists);
  g_test_add_func ("/store/h5/reads-arrays-in-place-and-packed", test_reads);
  g_test_add_func ("/store/h5/reads-bytes-that-are-no-file", test_reads_bytes);
  g_test_add_func ("/store/h5/tells-a-truncated-file", test_truncated);
  g_test_add_func ("/store/h5/survives-damage", test_damaged);
  g_test_add_func ("/store/h5/refuses-what-a-file-cannot-hold", test_claims);
  g_test_add_func ("/store/h5/survives-the-end-of-its-process", test_killed);
  g_test_add_func ("/store/h5/believes-nothing-that-the-process-says", test_hostile_reader);
  g_test_add_func ("/store/h5/is-cancelled", test_cancelled);
  return g_test_run ();
}
