/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <glib/gstdio.h>

#include "../stand-in.h"
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
  char *program = stand_in_new (script);
  g_autofree char *path = get_path (FIXTURE);
  g_autoptr (GError) error = NULL;
  SymStoreH5 *file;

  g_setenv ("SYMSCOPE_HDF5", program, TRUE);
  file = open_path (path, &error);
  g_unsetenv ("SYMSCOPE_HDF5");
  g_assert_null (file);
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
  if (strstr (error->message, message) == NULL)
    g_error ("'%s' is told, not '%s'", error->message, message);
  stand_in_free (program);
}

/* HDF5's library never ends with a heap whose free space has no size, at byte 0x860 of this one.
 * The process is given less time for so small a file than the client waits for it. */
static void
test_circle (void)
{
  g_autofree char *path = get_path ("theano.hdf5");
  g_autofree char *bytes = NULL;
  g_autoptr (GBytes) whole = NULL;
  g_autoptr (SymBlob) blob = NULL;
  g_autoptr (GError) error = NULL;
  struct rusage before, used;
  gsize size;

  g_assert_cmpint (getrusage (RUSAGE_CHILDREN, &before), ==, 0);
  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  g_assert_cmpmem (bytes + 0x850, 9, "conv_1_W", 9);
  memset (bytes + 0x860, 0, 8);
  whole = g_bytes_new_take (g_steal_pointer (&bytes), size);
  blob = sym_blob_new_bytes (whole);
  g_assert_null (sym_store_open_h5 (blob, G_MAXUINT64, path, NULL, &error));
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "the reader of HDF5 files took too long"));
  g_assert_cmpint (getrusage (RUSAGE_CHILDREN, &used), ==, 0);
  g_assert_cmpint (used.ru_utime.tv_sec - before.ru_utime.tv_sec, <, 6);
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
  check_reader ("#!/bin/sh\nprintf 'smw1\\003\\0\\0\\0\\4\\0\\0\\0\\0\\0\\0\\0abcd'\nsleep 1\n",
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

/* ---- Writing ---- */

static SymTensor *
make_tensor (SymDType dtype, SymShape shape, const void *bytes, gsize n)
{
  g_autoptr (GBytes) all = g_bytes_new (bytes, n);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (all);
  g_autoptr (GError) error = NULL;
  SymTensor *tensor = sym_tensor_new (dtype, &shape, blob, 0, &error);

  g_assert_no_error (error);
  return tensor;
}

typedef struct {
  const char *name;
  SymDType dtype;
  SymShape shape;
} Array;

static const guint8 numbers[64] = { 1, 0, 2, 0x40, 3, 0, 4, 0x41, 0, 1, 1, 0 };

static const Array arrays[] = {
  { "layers/dense/vars/0", SYM_DTYPE_FLOAT32, { 2, { 3, 2 } } },
  { "layers/dense/vars/1", SYM_DTYPE_BFLOAT16, { 1, { 5 } } },
  { "deep/er/than/the/others", SYM_DTYPE_FLOAT64, { 0, { 0 } } },
  { "nothing", SYM_DTYPE_INT64, { 2, { 0, 4 } } },
  { "half", SYM_DTYPE_FLOAT16, { 3, { 1, 2, 1 } } },
  { "bytes", SYM_DTYPE_UINT8, { 1, { 7 } } },
  { "truth", SYM_DTYPE_BOOL, { 1, { 2 } } },
  { "whole", SYM_DTYPE_INT32, { 1, { 3 } } },
};

static gboolean
write_arrays (const char *path, SymDType first, GError **error)
{
  static char *const layers[] = { (char *) "dense", (char *) "a longer one", NULL };
  static char *const version[] = { (char *) "2.15.0", NULL };
  static char *const name[] = { (char *) "dénse", NULL };
  const SymStoreH5Text texts[] = {
    { (char *) "", (char *) "layer_names", SYM_STORE_H5_TEXTS, (char **) layers },
    { (char *) "", (char *) "keras_version", SYM_STORE_H5_BYTES, (char **) version },
    { (char *) "layers/dense/vars", (char *) "name", SYM_STORE_H5_TEXT, (char **) name },
    { (char *) "empty/group", (char *) "name", SYM_STORE_H5_TEXT, (char **) name },
  };
  g_autoptr (GPtrArray) tensors =
      g_ptr_array_new_with_free_func ((GDestroyNotify) sym_tensor_unref);
  const char *names[G_N_ELEMENTS (arrays)];
  g_autoptr (SymBlob) blob = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    {
      names[i] = arrays[i].name;
      g_ptr_array_add (tensors, make_tensor (i == 0 ? first : arrays[i].dtype, arrays[i].shape,
                                             numbers, sizeof numbers));
    }
  blob = sym_store_make_h5 (path, names, (SymTensor *const *) tensors->pdata, tensors->len, texts,
                            G_N_ELEMENTS (texts), error);
  return blob != NULL && sym_store_write_blob (path, blob, error);
}

static void
check_array (SymStoreH5 *file, const Array *array)
{
  g_autoptr (SymTensor) tensor = open_tensor (file, array->name);
  gsize n = (gsize) sym_tensor_get_n_bytes (tensor);
  guint8 bytes[sizeof numbers];

  g_assert_cmpint (sym_tensor_get_dtype (tensor), ==, array->dtype);
  g_assert_true (sym_shape_equal (sym_tensor_get_shape (tensor), &array->shape));
  g_assert_true (sym_tensor_read (tensor, 0, n, bytes, NULL));
  g_assert_cmpmem (bytes, n, numbers, n);
}

static const char *
get_text (SymStoreH5 *file, const char *path, const char *name, guint i)
{
  return sym_store_h5_get_attribute (file, path, name)[i];
}

static void
test_writes (void)
{
  g_autofree char *folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "out.h5", NULL);
  g_autoptr (SymStoreH5) file = NULL;
  g_autoptr (GError) error = NULL;

  write_arrays (path, SYM_DTYPE_FLOAT32, &error);
  g_assert_no_error (error);
  file = open_path (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_store_h5_get_n (file), ==, G_N_ELEMENTS (arrays));
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    check_array (file, &arrays[i]);
  g_assert_cmpstr (get_text (file, "", "layer_names", 1), ==, "a longer one");
  g_assert_cmpstr (get_text (file, "", "keras_version", 0), ==, "2.15.0");
  g_assert_cmpstr (get_text (file, "layers/dense/vars", "name", 0), ==, "dénse");
  g_assert_cmpstr (get_text (file, "empty/group", "name", 0), ==, "dénse");
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* The same numbers make the same bytes, at whatever time. */
static void
test_writes_the_same (void)
{
  g_autofree char *folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "out.h5", NULL);
  g_autofree char *bytes = NULL, *again = NULL;
  gsize n, n_again;

  g_assert_true (write_arrays (path, SYM_DTYPE_FLOAT32, NULL));
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  g_usleep (1100 * 1000);
  g_assert_true (write_arrays (path, SYM_DTYPE_FLOAT32, NULL));
  g_assert_true (g_file_get_contents (path, &again, &n_again, NULL));
  g_assert_cmpmem (bytes, n, again, n_again);
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* What cannot be had is told, and the file is as it was. */
static void
test_refuses_to_write (void)
{
  g_autofree char *folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "out.h5", NULL);
  g_autofree char *text = NULL;
  const char *const names[] = { "a", "a/b" };
  const SymShape shape = { 1, { 4 } };
  g_autoptr (SymTensor) tensor = make_tensor (SYM_DTYPE_FLOAT32, shape, numbers, 16);
  SymTensor *const tensors[] = { tensor, tensor };
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, "as it was", -1, NULL));
  g_assert_false (write_arrays (path, SYM_DTYPE_COMPLEX64, &error));
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
  g_assert_nonnull (
      strstr (error->message, "HDF5 has no dtype complex64, which “layers/dense/vars/0” has"));
  g_clear_error (&error);
  g_assert_null (sym_store_make_h5 (path, names, tensors, 2, NULL, 0, &error));
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "cannot be written: “a/b” cannot be made"));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "as it was");
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
check_writer (const char *script, const char *message)
{
  char *program = stand_in_new (script);
  const char *const names[] = { "a" };
  const SymShape shape = { 1, { 4 } };
  g_autoptr (SymTensor) tensor = make_tensor (SYM_DTYPE_FLOAT32, shape, numbers, 16);
  SymTensor *const tensors[] = { tensor };
  g_autoptr (GError) error = NULL;

  g_setenv ("SYMSCOPE_HDF5", program, TRUE);
  g_assert_null (sym_store_make_h5 ("out.h5", names, tensors, 1, NULL, 0, &error));
  g_unsetenv ("SYMSCOPE_HDF5");
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
  if (strstr (error->message, message) == NULL)
    g_error ("'%s' is told, not '%s'", error->message, message);
  stand_in_free (program);
}

/* A file of 100 bytes without the array; one that begins behind its end; one that begins in it, and
 * nothing around it. */
static void
test_hostile_writer (void)
{
#define SIZE "d\\0\\0\\0\\0\\0\\0\\0"
  check_writer ("#!/bin/sh\nkill -9 $$\n", "has died");
  check_writer ("#!/bin/sh\nprintf 'smw1\\026\\0\\0\\0\\011\\0\\0\\0\\0\\0\\0\\0" SIZE
                "\\010'\nsleep 1\n",
                "makes no sense");
  check_writer ("#!/bin/sh\nprintf 'smw1\\026\\0\\0\\0\\021\\0\\0\\0\\0\\0\\0\\0" SIZE
                "\\0\\0\\0\\0\\0\\1\\0\\0\\020'\nsleep 1\n",
                "makes no sense");
  check_writer ("#!/bin/sh\nprintf 'smw1\\026\\0\\0\\0\\021\\0\\0\\0\\0\\0\\0\\0" SIZE
                "\\011\\0\\0\\0\\0\\0\\0\\0\\020'\nsleep 1\n",
                "makes no sense");
#undef SIZE
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
  g_test_add_func ("/store/h5/does-not-wait-for-a-circle", test_circle);
  g_test_add_func ("/store/h5/believes-nothing-that-the-process-says", test_hostile_reader);
  g_test_add_func ("/store/h5/is-cancelled", test_cancelled);
  g_test_add_func ("/store/h5/writes-what-is-read-again", test_writes);
  g_test_add_func ("/store/h5/writes-the-same-again", test_writes_the_same);
  g_test_add_func ("/store/h5/refuses-to-write-what-it-cannot", test_refuses_to_write);
  g_test_add_func ("/store/h5/believes-nothing-of-what-is-to-be-written", test_hostile_writer);
  return g_test_run ();
}
