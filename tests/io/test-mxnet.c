/* SPDX-License-Identifier: MIT */
#include "core/sym-edit.h"
#include "core/sym-extract.h"
#include "core/sym-model-builder.h"
#include "io/sym-io.h"

#include <glib/gstdio.h>
#include <string.h>

#include "role-names.h"

#include "store/sym-store.h"

static SymModel *
open_text (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_bytes (bytes, "text", &error);

  g_assert_no_error (error);
  return model;
}

static SymModel *
open_fixture (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "mxnet", name, NULL);
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read (path, NULL, &error);

  g_assert_no_error (error);
  return model;
}

static SymId
find_value (const SymModel *model, const char *name)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_model_has_value (model, value) &&
        strcmp (sym_model_get_value_name (model, value), name) == 0)
      return value;

  return SYM_NO_ID;
}

/* ---- Reading ---- */

static void
test_slots_tell_the_roles (void)
{
  g_autoptr (SymModel) model = open_fixture ("small-net.json");

  assert_names (model, SYM_ROLE_INPUT, "data softmax_label");
  assert_names (model, SYM_ROLE_PARAMETER,
                "conv0_weight conv0_bias bn0_gamma bn0_beta fc0_weight fc0_bias");
  assert_names (model, SYM_ROLE_AUXILIARY, "bn0_moving_mean bn0_moving_var");
}

/* M8. */
static void
test_outputs_are_named_after_their_node (void)
{
  g_autoptr (SymModel) model = open_fixture ("small-net.json");

  assert_names (
      model, SYM_ROLE_INTERMEDIATE,
      "conv0_output bn0_output split0_output0 split0_output1 _mul0_output flatten0_output "
      "fc0_output softmax_output");
}

static void
test_names_tell_the_roles_of_unknown_operators (void)
{
  g_autoptr (SymModel) model =
      open_text ("{\"nodes\": [{\"op\": \"null\", \"name\": \"x\", \"inputs\": []},"
                 "{\"op\": \"null\", \"name\": \"q_weight\", \"inputs\": []},"
                 "{\"op\": \"null\", \"name\": \"q_moving_mean\", \"inputs\": []},"
                 "{\"op\": \"null\", \"name\": \"scale\", \"attrs\": {\"__init__\": "
                 "\"Constant_1\"}, \"inputs\": []},"
                 "{\"op\": \"Quux\", \"name\": \"q\", \"inputs\": [[0,0],[1,0],[2,0],[3,0]]}],"
                 "\"arg_nodes\": [0, 1, 2, 3], \"heads\": [[4, 0]]}");

  assert_names (model, SYM_ROLE_INPUT, "x");
  assert_names (model, SYM_ROLE_PARAMETER, "q_weight scale");
  assert_names (model, SYM_ROLE_AUXILIARY, "q_moving_mean");
  g_assert_true (sym_parameter_get_trainable (
      sym_model_get_parameter (model, find_value (model, "q_weight"))));
  g_assert_false (
      sym_parameter_get_trainable (sym_model_get_parameter (model, find_value (model, "scale"))));
  g_assert_false (sym_parameter_get_trainable (
      sym_model_get_parameter (model, find_value (model, "q_moving_mean"))));
}

static void
test_attributes_are_typed_and_keep_their_text (void)
{
  g_autoptr (SymModel) model = open_fixture ("small-net.json");
  SymId call = sym_model_get_producer (model, find_value (model, "bn0_output"));
  const SymAttributes *attributes = sym_layer_get_attributes (sym_model_get_layer (model, call));
  double eps = 0;
  gboolean fix_gamma = TRUE;

  g_assert_true (sym_value_get_float (sym_attributes_find (attributes, "eps"), &eps));
  g_assert_cmpfloat (eps, ==, 1e-5);
  g_assert_cmpstr (sym_attributes_get_literal (attributes, 0), ==, "1e-05");
  g_assert_true (sym_value_get_bool (sym_attributes_find (attributes, "fix_gamma"), &fix_gamma));
  g_assert_false (fix_gamma);
}

static void
test_zero_is_an_unknown_dimension (void)
{
  g_autoptr (SymModel) legacy = open_fixture ("small-net.json");
  g_autoptr (SymModel) numpy = open_fixture ("numpy-shapes.json");
  SymType type = sym_model_get_declared_type (legacy, find_value (legacy, "data"));

  g_assert_cmpint (type.dtype, ==, SYM_DTYPE_FLOAT32);
  g_assert_cmpint (type.shape.rank, ==, 4);
  g_assert_cmpint (type.shape.dims[0], <, 0);
  g_assert_cmpint (type.shape.dims[1], ==, 3);

  type = sym_model_get_declared_type (numpy, find_value (numpy, "a"));
  g_assert_cmpint (type.shape.rank, ==, 3);
  g_assert_cmpint (type.shape.dims[0], <, 0);
  g_assert_cmpint (type.shape.dims[1], ==, 0);
}

/* T-M23: what MXNet adds to files from before 0.9. */
static void
test_legacy_files_get_what_they_leave_out (void)
{
  g_autoptr (SymModel) model = open_fixture ("legacy.json");
  SymId weight = find_value (model, "fc1_weight");
  SymId fc1 = sym_model_get_producer (model, find_value (model, "fc1_output"));
  SymId top = sym_model_get_producer (model, find_value (model, "top_output"));
  const SymAttributes *layer = sym_layer_get_attributes (sym_model_get_layer (model, top));

  assert_names (model, SYM_ROLE_AUXILIARY, "bn_moving_mean bn_moving_var");
  g_assert_cmpstr (sym_value_get_string (sym_attributes_find (
                       sym_model_get_value_attributes (model, weight), "__lr_mult__")),
                   ==, "1.2");
  g_assert_cmpstr (sym_value_get_string (sym_attributes_find (
                       sym_model_get_call_attributes (model, fc1), "__wd_mult__")),
                   ==, "0.3");
  g_assert_cmpint (sym_value_get_kind (sym_attributes_find (layer, "axis")), ==, SYM_VALUE_NONE);
}

static void
test_graphs_in_nodes_are_bodies (void)
{
  g_autoptr (SymModel) model = open_fixture ("subgraph.json");
  SymLayer *layer = sym_model_get_layer (model, sym_model_get_execution_order (model).ids[0]);
  const char *name;
  SymModel *body;

  g_assert_cmpuint (sym_layer_get_n_bodies (layer), ==, 1);
  body = sym_layer_get_body (layer, 0, &name);
  g_assert_cmpstr (name, ==, "subgraph0");
  g_assert_cmpuint (sym_model_get_n_calls (body), ==, 2);
  assert_names (body, SYM_ROLE_INPUT, "x w b");
  g_assert_cmpuint (sym_model_get_call_line (body, 0), >, sym_model_get_call_line (model, 0));
}

static void
test_control_dependencies_are_kept (void)
{
  g_autoptr (SymModel) model = open_fixture ("control.json");
  SymId call = sym_model_get_producer (model, find_value (model, "s_output"));
  SymIds controls = sym_model_get_controls (model, call);

  g_assert_cmpuint (controls.n, ==, 1);
  g_assert_cmpuint (controls.ids[0], ==,
                    sym_model_get_producer (model, find_value (model, "e_output")));
}

static void
test_a_claim_of_outputs_is_bounded (void)
{
  g_autoptr (SymModel) model = open_fixture ("odd-huge-split.json");

  g_assert_cmpuint (sym_model_get_n_values (model), <, 5000);
}

/* ---- Weights ---- */

typedef struct {
  char *folder;
  char *graph;
} Folder;

static Folder
make_folder (void)
{
  Folder folder = { g_dir_make_tmp ("symscope-XXXXXX", NULL), NULL };

  folder.graph = g_build_filename (folder.folder, "net-symbol.json", NULL);
  return folder;
}

static void
remove_folder (Folder *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder->folder, name, NULL);

      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder->folder), ==, 0);
  g_free (folder->folder);
  g_free (folder->graph);
}

static void
copy_fixture (const char *name, const char *target)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "mxnet", name, NULL);
  g_autofree char *text = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  g_assert_true (g_file_set_contents (target, text, (gssize) length, NULL));
}

/* Weights of one float each dimension of 1, but for @name with 2. */
static void
write_weights (const Folder *folder,
               const char *file,
               const char *const *names,
               guint n,
               float first)
{
  g_autofree char *path = g_build_filename (folder->folder, file, NULL);
  float numbers[2] = { first, 2 };
  g_autoptr (GBytes) bytes = g_bytes_new (numbers, sizeof numbers);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);
  SymShape shape = SYM_SHAPE (2);
  g_autoptr (SymTensor) tensor = sym_tensor_new (SYM_DTYPE_FLOAT32, &shape, blob, 0, NULL);
  g_autofree SymTensor **tensors = g_new (SymTensor *, n);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    tensors[i] = tensor;
  sym_store_write_params (path, names, tensors, n, &error);
  g_assert_no_error (error);
}

static SymModel *
open_path (const char *path)
{
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read (path, NULL, &error);

  g_assert_no_error (error);
  return model;
}

static float
read_first (const SymModel *model, const char *name)
{
  SymParameter *parameter = sym_model_get_parameter (model, find_value (model, name));
  float number = 0;

  g_assert_nonnull (parameter);
  g_assert_nonnull (sym_parameter_get_tensor (parameter));
  g_assert_true (
      sym_tensor_read (sym_parameter_get_tensor (parameter), 0, sizeof number, &number, NULL));
  return number;
}

static const char *const fc_names[] = { "arg:fc_weight", "arg:fc_bias" };

static void
test_the_highest_epoch_counts (void)
{
  Folder folder = make_folder ();
  g_autoptr (SymModel) model = NULL;

  copy_fixture ("version-0.9.json", folder.graph);
  write_weights (&folder, "net-0002.params", fc_names, 2, 2);
  write_weights (&folder, "net-0010.params", fc_names, 2, 10);
  write_weights (&folder, "net.params", fc_names, 2, 1);
  write_weights (&folder, "net-late-0099.params", fc_names, 2, 99);

  model = open_path (folder.graph);
  g_assert_cmpfloat (read_first (model, "fc_weight"), ==, 10);
  g_assert_cmpint (sym_model_get_declared_type (model, find_value (model, "fc_bias")).shape.dims[0],
                   ==, 2);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
  remove_folder (&folder);
}

static gboolean
has_problem (const SymModel *model, SymSeverity severity, const char *part)
{
  const SymProblems *problems = sym_model_get_problems (model);

  for (guint i = 0; i < sym_problems_get_n (problems); i++)
    if (sym_problems_get (problems, i)->severity == severity &&
        strstr (sym_problems_get (problems, i)->message, part) != NULL)
      return TRUE;

  return FALSE;
}

static void
test_weights_that_do_not_fit_are_problems (void)
{
  const char *const names[] = { "arg:fc_weight", "arg:other", "aux:more" };
  Folder folder = make_folder ();
  g_autoptr (SymModel) model = NULL;

  copy_fixture ("version-0.9.json", folder.graph);
  write_weights (&folder, "net-0000.params", names, 3, 1);
  model = open_path (folder.graph);
  g_assert_true (has_problem (model, SYM_SEVERITY_WARNING, "lacks the parameter 'fc_bias'"));
  g_assert_true (has_problem (model, SYM_SEVERITY_WARNING, "does not use: 'arg:other' and 1 more"));
  remove_folder (&folder);
}

static void
test_no_weights_are_a_note (void)
{
  g_autoptr (SymModel) model = open_fixture ("version-0.9.json");

  g_assert_true (has_problem (model, SYM_SEVERITY_NOTE, "no weights lie beside the graph"));
}

static void
test_weights_that_cannot_be_read_leave_the_graph (void)
{
  Folder folder = make_folder ();
  g_autofree char *path = g_build_filename (folder.folder, "net-0000.params", NULL);
  g_autoptr (SymModel) model = NULL;

  copy_fixture ("version-0.9.json", folder.graph);
  g_assert_true (g_file_set_contents (path, "no weights at all", -1, NULL));
  model = open_path (folder.graph);
  g_assert_true (has_problem (model, SYM_SEVERITY_ERROR, "cannot be read"));
  g_assert_cmpuint (sym_model_get_n_calls (model), ==, 1);
  remove_folder (&folder);
}

/* ---- Writing ---- */

static char *
write_model (SymModel *model, const Folder *folder)
{
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  sym_io_write (sym_io_find_format ("mxnet"), model, NULL, folder->graph, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (folder->graph, &text, NULL, NULL));
  return text;
}

static SymModel *
cut (SymModel *model, const char *input, const char *output)
{
  SymId from = input == NULL ? SYM_NO_ID : find_value (model, input);
  SymId to = find_value (model, output);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymSelection) selection =
      sym_selection_new (model, &from, input != NULL, &to, 1, NULL, &error);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);

  g_assert_no_error (error);
  return sym_selection_extract (selection, inference);
}

static void
test_a_cut_is_renumbered (void)
{
  g_autoptr (SymModel) model = open_fixture ("small-net.json");
  g_autoptr (SymModel) part = cut (model, "bn0_output", "_mul0_output");
  Folder folder = make_folder ();
  g_autofree char *text = write_model (part, &folder);

  g_assert_cmpstr (text, ==,
                   "{\n"
                   "  \"nodes\": [\n"
                   "    {\n"
                   "      \"op\": \"null\", \n"
                   "      \"name\": \"bn0_output\", \n"
                   "      \"attrs\": {\n"
                   "        \"__dtype__\": \"0\", \n"
                   "        \"__shape__\": \"(0, 4, 8, 8)\"\n"
                   "      }, \n"
                   "      \"inputs\": []\n"
                   "    }, \n"
                   "    {\n"
                   "      \"op\": \"SliceChannel\", \n"
                   "      \"name\": \"split0\", \n"
                   "      \"attrs\": {\"num_outputs\": \"2\"}, \n"
                   "      \"inputs\": [[0, 0, 0]]\n"
                   "    }, \n"
                   "    {\n"
                   "      \"op\": \"elemwise_mul\", \n"
                   "      \"name\": \"_mul0\", \n"
                   "      \"inputs\": [[1, 0, 0], [1, 1, 0]]\n"
                   "    }\n"
                   "  ], \n"
                   "  \"arg_nodes\": [0], \n"
                   "  \"node_row_ptr\": [0, 1, 3, 4], \n"
                   "  \"heads\": [[2, 0, 0]], \n"
                   "  \"attrs\": {\"mxnet_version\": [\"int\", 10901]}\n"
                   "}");
  remove_folder (&folder);
}

/* The pooling is cut away, which alone tells how many dimensions there are: that is declared of the
 * first value that has lost it, and comes back in each format. */
static void
test_a_cut_keeps_what_was_told_behind_it (void)
{
  static const char *const formats[] = { "mxnet", "symscope" };
  g_autoptr (SymModel) model = open_fixture ("told-behind.json");
  g_autoptr (SymModel) part = cut (model, NULL, "relu0_output");

  g_assert_cmpint (sym_model_get_declared_type (part, find_value (part, "mul0_output")).shape.rank,
                   ==, 4);
  g_assert_cmpint (sym_model_get_declared_type (part, find_value (part, "relu0_output")).shape.rank,
                   <, 0);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      Folder folder = make_folder ();
      g_autoptr (GError) error = NULL;
      g_autoptr (SymModel) again = NULL;
      g_autoptr (SymInference) known = NULL;

      sym_io_write (sym_io_find_format (formats[i]), part, NULL, folder.graph, NULL, &error);
      g_assert_no_error (error);
      again = sym_io_read (folder.graph, NULL, &error);
      g_assert_no_error (error);
      known = sym_infer (again, NULL, 0, NULL, NULL);
      g_assert_cmpint (
          sym_inference_get_type (known, find_value (again, "relu0_output")).shape.rank, ==, 4);
      remove_folder (&folder);
    }
}

static void
test_a_cut_of_a_legacy_file_is_legacy (void)
{
  g_autoptr (SymModel) model = open_fixture ("legacy.json");
  g_autoptr (SymModel) part = cut (model, "fc1_output", "bn_output");
  Folder folder = make_folder ();
  g_autofree char *text = write_model (part, &folder);
  g_autoptr (SymModel) again = open_path (folder.graph);

  g_assert_nonnull (strstr (text, "\"heads\": [[3, 0]]"));
  g_assert_nonnull (strstr (text, "\"inputs\": [[0, 0], [1, 0], [2, 0]]"));
  g_assert_null (strstr (text, "moving"));
  g_assert_null (strstr (text, "mxnet_version"));
  assert_names (again, SYM_ROLE_AUXILIARY, "bn_moving_mean bn_moving_var");
  remove_folder (&folder);
}

static void
test_an_edit_changes_that_alone (void)
{
  g_autoptr (SymModel) model = open_fixture ("small-net.json");
  SymEdit *edit = sym_edit_new (model);
  SymId call = sym_model_get_producer (model, find_value (model, "fc0_output"));
  g_autoptr (SymModel) edited = NULL;
  Folder folder = make_folder ();
  g_autofree char *before = write_model (model, &folder);
  g_autofree char *after = NULL;
  g_autoptr (GString) expected = g_string_new (before);

  g_assert_true (sym_edit_set_attribute (edit, call, "num_hidden", sym_value_new_int (7), NULL));
  edited = sym_edit_end (edit);
  after = write_model (edited, &folder);
  g_string_replace (expected, "\"num_hidden\": \"10\"", "\"num_hidden\": \"7\"", 0);
  g_assert_cmpstr (after, ==, expected->str);
  remove_folder (&folder);
}

static void
test_weights_go_with_the_cut (void)
{
  Folder folder = make_folder (), other = make_folder ();
  g_autofree char *weights = g_build_filename (other.folder, "net-0003.params", NULL);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymModel) again = NULL;
  g_autofree char *text = NULL;

  copy_fixture ("version-0.9.json", folder.graph);
  write_weights (&folder, "net-0003.params", fc_names, 2, 5);
  model = open_path (folder.graph);
  text = write_model (model, &other);
  g_assert_true (g_file_test (weights, G_FILE_TEST_EXISTS));
  again = open_path (other.graph);
  g_assert_cmpfloat (read_first (again, "fc_bias"), ==, 5);
  g_assert_null (strstr (text, "__shape__"));
  remove_folder (&folder);
  remove_folder (&other);
}

/* Weights of an earlier model are those of one that is written without, to whoever reads it. */
static void
test_weights_that_lie_there_are_told (void)
{
  Folder folder = make_folder (), other = make_folder ();
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymProblems) notes = sym_problems_new ();
  g_autoptr (SymProblems) none = sym_problems_new ();
  g_autoptr (GError) error = NULL;

  copy_fixture ("version-0.9.json", folder.graph);
  model = open_path (folder.graph);
  sym_io_write (sym_io_find_format ("mxnet"), model, NULL, other.graph, none, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_problems_get_n (none), ==, 0);

  write_weights (&other, "net-0003.params", fc_names, 2, 5);
  sym_io_write (sym_io_find_format ("mxnet"), model, NULL, other.graph, notes, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_problems_get_n (notes), ==, 1);
  g_assert_cmpint (sym_problems_get (notes, 0)->severity, ==, SYM_SEVERITY_WARNING);
  g_assert_true (
      g_str_has_suffix (sym_problems_get (notes, 0)->message,
                        "net-0003.params lies beside it and will be taken for its weights"));
  remove_folder (&folder);
  remove_folder (&other);
}

static void
test_a_foreign_layer_is_refused_by_name (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_SYMBOLIC);
  g_autoptr (SymLayer) layer = sym_layer_new ("Mystery", NULL, NULL);
  SymId input = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, NULL);
  SymId call = sym_model_builder_add_call (builder, "mystery_1", layer, &input, 1, 1);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (GError) error = NULL;
  Folder folder = make_folder ();

  sym_model_builder_add_output (builder, sym_model_builder_get_result (builder, call, 0));
  model = sym_model_builder_end (builder);
  g_assert_false (
      sym_io_write (sym_io_find_format ("mxnet"), model, NULL, folder.graph, NULL, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "'mystery_1' is a Mystery"));
  g_assert_false (g_file_test (folder.graph, G_FILE_TEST_EXISTS));
  remove_folder (&folder);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/io/mxnet/slots-tell-the-roles", test_slots_tell_the_roles);
  g_test_add_func ("/io/mxnet/outputs-are-named-after-their-node",
                   test_outputs_are_named_after_their_node);
  g_test_add_func ("/io/mxnet/names-tell-the-roles-of-unknown-operators",
                   test_names_tell_the_roles_of_unknown_operators);
  g_test_add_func ("/io/mxnet/attributes-are-typed-and-keep-their-text",
                   test_attributes_are_typed_and_keep_their_text);
  g_test_add_func ("/io/mxnet/zero-is-an-unknown-dimension", test_zero_is_an_unknown_dimension);
  g_test_add_func ("/io/mxnet/legacy-files-get-what-they-leave-out",
                   test_legacy_files_get_what_they_leave_out);
  g_test_add_func ("/io/mxnet/graphs-in-nodes-are-bodies", test_graphs_in_nodes_are_bodies);
  g_test_add_func ("/io/mxnet/control-dependencies-are-kept", test_control_dependencies_are_kept);
  g_test_add_func ("/io/mxnet/a-claim-of-outputs-is-bounded", test_a_claim_of_outputs_is_bounded);
  g_test_add_func ("/io/mxnet/the-highest-epoch-counts", test_the_highest_epoch_counts);
  g_test_add_func ("/io/mxnet/weights-that-do-not-fit-are-problems",
                   test_weights_that_do_not_fit_are_problems);
  g_test_add_func ("/io/mxnet/no-weights-are-a-note", test_no_weights_are_a_note);
  g_test_add_func ("/io/mxnet/weights-that-cannot-be-read-leave-the-graph",
                   test_weights_that_cannot_be_read_leave_the_graph);
  g_test_add_func ("/io/mxnet/a-cut-is-renumbered", test_a_cut_is_renumbered);
  g_test_add_func ("/io/mxnet/a-cut-keeps-what-was-told-behind-it",
                   test_a_cut_keeps_what_was_told_behind_it);
  g_test_add_func ("/io/mxnet/a-cut-of-a-legacy-file-is-legacy",
                   test_a_cut_of_a_legacy_file_is_legacy);
  g_test_add_func ("/io/mxnet/an-edit-changes-that-alone", test_an_edit_changes_that_alone);
  g_test_add_func ("/io/mxnet/weights-go-with-the-cut", test_weights_go_with_the_cut);
  g_test_add_func ("/io/mxnet/weights-that-lie-there-are-told",
                   test_weights_that_lie_there_are_told);
  g_test_add_func ("/io/mxnet/a-foreign-layer-is-refused-by-name",
                   test_a_foreign_layer_is_refused_by_name);

  return g_test_run ();
}
