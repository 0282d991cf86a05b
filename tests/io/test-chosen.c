/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <string.h>

#include "../count-tensors.h"
#include "core/sym-problem-lack.h"
#include "io/sym-io.h"
#include "store/sym-store-numpy.h"

/* A graph alone in a folder, whose weights the user chooses from elsewhere. */
typedef struct {
  char *folder;
  char *graph;
} Alone;

static void
set_up (Alone *self, gconstpointer data)
{
  g_autofree char *fixture = g_test_build_filename (G_TEST_DIST, "fixtures", data, NULL);
  g_autofree char *text = NULL;
  gsize size;

  self->folder = g_dir_make_tmp ("chosen-XXXXXX", NULL);
  self->graph = g_build_filename (self->folder, "model.json", NULL);
  g_assert_true (g_file_get_contents (fixture, &text, &size, NULL));
  g_assert_true (g_file_set_contents (self->graph, text, (gssize) size, NULL));
}

static void
tear_down (Alone *self, gconstpointer data)
{
  g_autoptr (GDir) folder = g_dir_open (self->folder, 0, NULL);

  for (const char *name = g_dir_read_name (folder); name != NULL; name = g_dir_read_name (folder))
    {
      g_autofree char *path = g_build_filename (self->folder, name, NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->graph);
}

static const char *
get_problem (const SymModel *model, guint i)
{
  return sym_problems_get (sym_model_get_problems (model), i)->message;
}

/* Without them there are none, with them those of @usual. */
static SymModel *
assert_takes (const Alone *self, const char *weights, const SymModel *usual)
{
  g_autoptr (SymModel) bare = sym_io_read (self->graph, NULL, NULL);
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_with_weights (self->graph, weights, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (count_tensors (bare), ==, 0);
  for (SymId value = 0; value < sym_model_get_n_values (usual); value++)
    {
      SymTensor *tensor = sym_model_get_tensor (usual, value);
      SymTensor *own = sym_model_get_tensor (model, value);

      g_assert_true (tensor == NULL ? own == NULL : sym_tensor_equal (tensor, own));
    }
  return model;
}

static void
assert_refuses (const Alone *self, const char *weights, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (sym_io_read_with_weights (self->graph, weights, NULL, &error));
  g_assert_nonnull (error);
  g_assert_cmpstr (error->message, ==, message);
}

static SymModel *
read_fixture (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", name, NULL);
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read (path, NULL, &error);

  g_assert_no_error (error);
  return model;
}

/* ---- torch.export ---- */

#define MLP "torch-export/mlp/models/model.json"
#define N_FILES 5

static const char *const listed[] = { "model_weights_config.json", "weight_0", "weight_1",
                                      "weight_2", "weight_3" };

/* An archive in which the program's weights are told @n times, as those of one in each folder, with
 * the @order of the bytes of one called "model", or NULL. */
static char *
write_ordered (const Alone *self, const char *const *stems, guint n, const char *order)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) blobs = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_blob_unref);
  char *path = g_build_filename (self->folder, "net.pt2", NULL);

  for (guint i = 0; i < n * N_FILES; i++)
    {
      const char *file = listed[i % N_FILES];
      g_autofree char *own =
          g_test_build_filename (G_TEST_DIST, "fixtures/torch-export/mlp/data/weights", file, NULL);
      g_autofree char *list = g_strconcat (stems[i / N_FILES], "_weights_config.json", NULL);

      g_ptr_array_add (names, g_strconcat (stems[i / N_FILES], "/data/weights/",
                                           i % N_FILES == 0 ? list : file, NULL));
      g_ptr_array_add (blobs, sym_store_open_file (own, NULL));
    }
  if (order != NULL)
    {
      g_autofree char *told = g_build_filename (self->folder, "order", NULL);

      g_assert_true (g_file_set_contents (told, order, -1, NULL));
      g_ptr_array_add (names, g_strdup ("model/byteorder"));
      g_ptr_array_add (blobs, sym_store_open_file (told, NULL));
    }
  g_assert_true (sym_store_write_zip (path, (const char *const *) names->pdata,
                                      (SymBlob *const *) blobs->pdata, names->len, NULL));
  return path;
}

static char *
write_pt2 (const Alone *self, const char *const *stems, guint n)
{
  return write_ordered (self, stems, n, NULL);
}

static void
test_pt2_of_order (Alone *self, gconstpointer data)
{
  static const char *const stems[] = { "model" };
  g_autoptr (SymModel) usual = read_fixture (data);
  g_autofree char *little = write_ordered (self, stems, 1, "little");
  g_autoptr (SymModel) model = assert_takes (self, little, usual);
  g_autofree char *big = write_ordered (self, stems, 1, "big");

  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
  assert_refuses (self, big,
                  "the weights in 'net.pt2' cannot be read: its numbers are big-endian, which is "
                  "not read");
}

static void
test_pt2 (Alone *self, gconstpointer data)
{
  static const char *const stems[] = { "other", "model", "third" };
  g_autoptr (SymModel) usual = read_fixture (data);
  g_autofree char *one = write_pt2 (self, stems, 1);
  g_autoptr (SymModel) only = assert_takes (self, one, usual);
  g_autofree char *three = write_pt2 (self, stems, 3);
  g_autoptr (SymModel) called = assert_takes (self, three, usual);

  g_assert_cmpuint (count_tensors (usual), ==, 4);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (only)), ==, 0);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (called)), ==, 0);
}

static void
test_pt2_of_others (Alone *self, gconstpointer data)
{
  static const char *const stems[] = { "other", "third" };
  g_autofree char *path = write_pt2 (self, stems, 2);

  assert_refuses (self, path,
                  "the weights in 'net.pt2' cannot be read: it has those of 2 programs, none of "
                  "which is called like the graph");
}

/* What its files belong to is not told. */
static void
test_pt2_without_list (Alone *self, gconstpointer data)
{
  static const char *const names[] = { "model/models/model.json", "model/data/weights/weight_0" };
  g_autofree char *path = g_build_filename (self->folder, "net.pt2", NULL);
  g_autofree char *file =
      g_test_build_filename (G_TEST_DIST, "fixtures/torch-export/mlp/data/weights/weight_0", NULL);
  g_autoptr (SymBlob) graph = sym_store_open_file (self->graph, NULL);
  g_autoptr (SymBlob) weight = sym_store_open_file (file, NULL);
  SymBlob *const blobs[] = { graph, weight };
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;
  const char *message = "the numbers of 'fc1.weight' and 3 more are missing: "
                        "'model/data/weights/model_weights_config.json' is not in the archive";

  g_assert_true (sym_store_write_zip (path, names, blobs, G_N_ELEMENTS (names), NULL));
  model = sym_io_read (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 1);
  g_assert_cmpstr (get_problem (model, 0), ==, message);
  g_assert_cmpstr (sym_problems_get_lack (sym_model_get_problems (model)), ==, message);
}

static void
test_list (Alone *self, gconstpointer data)
{
  g_autofree char *list = g_test_build_filename (
      G_TEST_DIST, "fixtures/torch-export/mlp/data/weights/model_weights_config.json", NULL);
  g_autofree char *alone = g_build_filename (self->folder, "model_weights_config.json", NULL);
  g_autoptr (SymModel) usual = read_fixture (data);
  g_autoptr (SymModel) model = assert_takes (self, list, usual);

  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
  g_assert_true (g_file_set_contents (alone, "{}", -1, NULL));
  assert_refuses (self, alone,
                  "the weights in 'model_weights_config.json' cannot be read: an unpacked archive "
                  "has that list, and the files that it lists, in its folder data/weights");
}

/* Both are told as they are called in the folder of the list. */
static void
test_list_from_within (Alone *self, gconstpointer data)
{
  g_autofree char *folder =
      g_test_build_filename (G_TEST_DIST, "fixtures/torch-export/mlp/data/weights", NULL);
  g_autofree char *old = g_get_current_dir ();
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;

  g_assert_cmpint (g_chdir (folder), ==, 0);
  model = sym_io_read_with_weights ("../../models/model.json", "model_weights_config.json", NULL,
                                    &error);
  g_assert_cmpint (g_chdir (old), ==, 0);
  g_assert_no_error (error);
  g_assert_cmpuint (count_tensors (model), ==, 4);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
}

typedef gboolean (*Write) (const char *path,
                           const char *const *names,
                           SymTensor *const *tensors,
                           guint n,
                           GError **error);

/* The first @n of those of @model. */
static char *
write_named (const Alone *self, const SymModel *model, Write write, guint n)
{
  const char *names[4];
  SymTensor *tensors[4];
  char *path = g_build_filename (self->folder, "named", NULL);
  guint at = 0;

  for (SymId value = 0; value < sym_model_get_n_values (model) && at < n; value++)
    if (sym_model_get_tensor (model, value) != NULL)
      {
        names[at] = sym_model_get_value_name (model, value);
        tensors[at++] = sym_model_get_tensor (model, value);
      }
  g_assert_cmpuint (at, ==, n);
  g_assert_true (write (path, names, tensors, n, NULL));
  return path;
}

static void
test_named (Alone *self, gconstpointer data)
{
  static const Write writes[] = { sym_store_write_safetensors, sym_store_write_npz };
  g_autoptr (SymModel) usual = read_fixture (data);

  for (guint i = 0; i < G_N_ELEMENTS (writes); i++)
    {
      g_autofree char *path = write_named (self, usual, writes[i], 4);
      g_autoptr (SymModel) model = assert_takes (self, path, usual);

      g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
    }
}

/* What torch.save() wrote, and an older archive that has the program and its weights in one. */
static void
test_saved (Alone *self, gconstpointer data)
{
  static const char *const names[] = { "mlp.pt", "older.pt2" };
  g_autoptr (SymModel) usual = read_fixture (data);
  g_autoptr (SymModel) older = read_fixture ("torch-export/older.pt2");

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path =
          g_test_build_filename (G_TEST_DIST, "fixtures/torch-export", names[i], NULL);
      g_autoptr (SymModel) model = assert_takes (self, path, usual);

      g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
    }
  g_assert_cmpuint (count_tensors (older), ==, 4);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (older)), ==, 0);
}

static void
test_some_named (Alone *self, gconstpointer data)
{
  static const char *const messages[] = { "the numbers of 'fc1.bias' and 2 more are not in 'named'",
                                          "the numbers of 'fc2.bias' are not in 'named'" };
  g_autoptr (SymModel) usual = read_fixture (data);

  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    {
      guint n = i == 0 ? 1 : 3;
      g_autofree char *path = write_named (self, usual, sym_store_write_safetensors, n);
      g_autoptr (SymModel) model = sym_io_read_with_weights (self->graph, path, NULL, NULL);

      g_assert_cmpuint (count_tensors (model), ==, n);
      g_assert_cmpstr (get_problem (model, 0), ==, messages[i]);
    }
}

/* "fc1.weight" is [6, 4] in the graph. */
static void
test_named_of_another_shape (Alone *self, gconstpointer data)
{
  static const char *const names[] = { "fc1.weight" };
  static const float numbers[6] = { 0 };
  g_autoptr (GBytes) bytes = g_bytes_new_static (numbers, sizeof numbers);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);
  SymShape shape = { .rank = 1, .dims = { 6 } };
  g_autoptr (SymTensor) tensor = sym_tensor_new (SYM_DTYPE_FLOAT32, &shape, blob, 0, NULL);
  g_autofree char *path = g_build_filename (self->folder, "named", NULL);
  g_autoptr (SymModel) model = NULL;

  g_assert_true (sym_store_write_safetensors (path, names, &tensor, 1, NULL));
  model = sym_io_read_with_weights (self->graph, path, NULL, NULL);
  g_assert_cmpuint (count_tensors (model), ==, 0);
  g_assert_cmpstr (get_problem (model, 0), ==,
                   "'fc1.weight' has another shape or dtype in the weights than in the graph");
}

static void
test_no_weights (Alone *self, gconstpointer data)
{
  static const struct {
    const char *name, *message;
  } cases[] = {
    { "net/data.pkl", "the weights in 'x.zip' cannot be read: it is no dictionary of tensors, as "
                      "state_dict() makes "
                      "one, and none is in it" },
    { "serialized_state_dict.pt", "the weights in 'x.zip' cannot be read: "
                                  "serialized_state_dict.pt: this is neither zip, gzip nor tar" },
    { "notes.txt", "the weights in 'x.zip' cannot be read: a zip archive has neither "
                   "data/weights/*_weights_config.json, as a .pt2 archive, nor what torch.save() "
                   "writes of a state_dict()" },
    { "data/weights/net_weights_config.json",
      "the weights in 'x.zip' cannot be read: data/weights/net_weights_config.json: line 1, column "
      "1: expected a value, found the byte 0x80" },
  };
  g_autoptr (GBytes) bytes = g_bytes_new_static ("\x80\x02}.", 4);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);
  g_autofree char *path = g_build_filename (self->folder, "x.zip", NULL);
  g_autofree char *missing = g_build_filename (self->folder, "none.pt2", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_true (sym_store_write_zip (path, &cases[i].name, &blob, 1, NULL));
      assert_refuses (self, path, cases[i].message);
    }
  g_assert_true (g_file_set_contents (path, "\x80\x02}.", 4, NULL));
  assert_refuses (self, path,
                  "the weights in 'x.zip' cannot be read: it is of torch.save() before PyTorch "
                  "1.6, which is not "
                  "read: save it again");
  assert_refuses (self, missing,
                  "the weights in 'none.pt2' cannot be read: cannot be opened: there is no such "
                  "file or folder");
}

/* ---- Paddle.js ---- */

#define PADDLE "paddlejs/net.json"

/* By the folder, by either file, and by one that has all of them, under another name. */
static void
test_chunks (Alone *self, gconstpointer data)
{
  static const char *const choices[] = { "", "chunk_1.dat", "chunk_2.dat" };
  g_autoptr (SymModel) usual = read_fixture (data);
  g_autoptr (GString) all = g_string_new (NULL);
  g_autofree char *joined = g_build_filename (self->folder, "all.dat", NULL);
  g_autoptr (SymModel) model = NULL;

  g_assert_cmpuint (count_tensors (usual), ==, 7);
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    {
      g_autofree char *path =
          g_test_build_filename (G_TEST_DIST, "fixtures/paddlejs", choices[i], NULL);
      g_autoptr (SymModel) one = assert_takes (self, path, usual);
      g_autofree char *text = NULL;
      gsize size;

      g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (one)), ==, 0);
      if (i > 0 && g_file_get_contents (path, &text, &size, NULL))
        g_string_append_len (all, text, (gssize) size);
    }
  g_assert_true (g_file_set_contents (joined, all->str, (gssize) all->len, NULL));
  model = assert_takes (self, joined, usual);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
}

static void
test_missing_chunks (Alone *self, gconstpointer data)
{
  g_autofree char *first =
      g_test_build_filename (G_TEST_DIST, "fixtures/paddlejs/chunk_1.dat", NULL);
  g_autofree char *copy = g_build_filename (self->folder, "chunk_1.dat", NULL);
  g_autofree char *other = g_build_filename (self->folder, "chunk_2.dat", NULL);
  g_autofree char *none = g_build_filename (self->folder, "none.bin", NULL);
  g_autofree char *text = NULL;
  g_autoptr (SymModel) model = NULL;
  gsize size;

  assert_refuses (
      self, other,
      "'chunk_1.dat' of the chosen weights: cannot be opened: there is no such file or folder");
  assert_refuses (
      self, self->folder,
      "'chunk_1.dat' of the chosen weights: cannot be opened: there is no such file or folder");
  assert_refuses (self, none,
                  "the weights cannot be read: cannot be opened: there is no such file or folder");
  g_assert_true (g_file_get_contents (first, &text, &size, NULL));
  g_assert_true (g_file_set_contents (copy, text, (gssize) size, NULL));
  model = sym_io_read_with_weights (self->graph, copy, NULL, NULL);
  g_assert_cmpuint (count_tensors (model), ==, 4);
  g_assert_cmpstr (get_problem (model, 0), ==,
                   "weights are missing: 'chunk_2.dat' is not beside the others");
  g_clear_pointer (&model, sym_model_unref);

  /* What it lacks is told once, where it ends between two variables. */
  g_assert_true (g_file_set_contents (copy, text, 48, NULL));
  model = sym_io_read_with_weights (self->graph, copy, NULL, NULL);
  g_assert_cmpuint (count_tensors (model), ==, 4);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 1);
}

/* One that ends where a variable would begin, or has nothing, lacks numbers as any other does. */
static void
test_short_file (Alone *self, gconstpointer data)
{
  static const struct {
    gsize size;
    guint n;
    const char *name;
  } cases[] = {
    { 0, 0, "bn.b_0" },        { 12, 1, "bn.w_0" },  { 48, 4, "conv2d_0.w_0" },
    { 50, 4, "conv2d_0.w_0" }, { 280, 6, "fc.w_0" },
  };
  static const char zeros[280] = { 0 };
  g_autofree char *path = g_build_filename (self->folder, "all.dat", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *start =
          g_strdup_printf ("the numbers of '%s' and of what follows are missing: ", cases[i].name);
      g_autoptr (SymModel) model = NULL;

      g_assert_true (g_file_set_contents (path, zeros, (gssize) cases[i].size, NULL));
      model = sym_io_read_with_weights (self->graph, path, NULL, NULL);
      g_assert_cmpuint (count_tensors (model), ==, cases[i].n);
      g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 1);
      g_assert_true (g_str_has_prefix (get_problem (model, 0), start));
    }
}

static void
test_needs_no_chunks (Alone *self, gconstpointer data)
{
  static const char text[] =
      "{\"ops\": [{\"type\": \"elementwise_add\", \"inputs\": {\"X\": [\"x\"], \"Y\": [\"a.b_0\"]},"
      " \"outputs\": {\"Out\": [\"y\"]}, \"attrs\": {\"axis\": 1}}],"
      " \"vars\": [{\"name\": \"x\", \"shape\": [1, 2]},"
      " {\"name\": \"a.b_0\", \"shape\": [2], \"persistable\": true, \"data\": [1, 2]}]}";
  g_autoptr (SymModel) model = NULL;

  g_assert_true (g_file_set_contents (self->graph, text, -1, NULL));
  model = sym_io_read_with_weights (self->graph, self->graph, NULL, NULL);
  g_assert_cmpuint (count_tensors (model), ==, 1);
  g_assert_cmpstr (get_problem (model, 0), ==,
                   "the chosen weights are not used: no variable of the graph has its numbers in a "
                   "file");
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *path, *graph;
    void (*test) (Alone *, gconstpointer);
  } tests[] = {
    { "/chosen/torch-export/pt2", MLP, test_pt2 },
    { "/chosen/torch-export/pt2-of-others", MLP, test_pt2_of_others },
    { "/chosen/torch-export/pt2-without-list", MLP, test_pt2_without_list },
    { "/chosen/torch-export/pt2-of-either-order", MLP, test_pt2_of_order },
    { "/chosen/torch-export/list", MLP, test_list },
    { "/chosen/torch-export/list-from-within", MLP, test_list_from_within },
    { "/chosen/torch-export/named", MLP, test_named },
    { "/chosen/torch-export/saved", MLP, test_saved },
    { "/chosen/torch-export/some-named", MLP, test_some_named },
    { "/chosen/torch-export/named-of-another-shape", MLP, test_named_of_another_shape },
    { "/chosen/torch-export/no-weights", MLP, test_no_weights },
    { "/chosen/paddlejs/chunks", PADDLE, test_chunks },
    { "/chosen/paddlejs/missing-chunks", PADDLE, test_missing_chunks },
    { "/chosen/paddlejs/short-file", PADDLE, test_short_file },
    { "/chosen/paddlejs/needs-no-chunks", PADDLE, test_needs_no_chunks },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Alone, tests[i].graph, set_up, tests[i].test, tear_down);
  return g_test_run ();
}
