/* SPDX-License-Identifier: MIT */
#include "core/sym-edit.h"
#include "core/sym-extract.h"
#include "io/sym-onnx-private.h"
#include "ops/sym-op.h"

#include <glib/gstdio.h>
#include <string.h>

#include "role-names.h"

static char *
get_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "fixtures", "onnx", name, NULL);
}

static SymModel *
open_path (const char *path)
{
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read (path, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (model);
  return model;
}

static SymModel *
open_fixture (const char *name)
{
  g_autofree char *path = get_path (name);

  return open_path (path);
}

static void
write_model (SymModel *model, const char *path, SymProblems *notes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);

  sym_io_write (sym_io_find_format ("onnx"), model, inference, path, notes, &error);
  g_assert_no_error (error);
}

/* A folder of its own for what a test writes. */
typedef struct {
  char *folder;
  char *path;
} Target;

static void
set_up (Target *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "out.onnx", NULL);
}

static void
tear_down (Target *self, gconstpointer data)
{
  g_autofree char *beside = g_strconcat (self->path, ".data", NULL);

  g_unlink (self->path);
  g_unlink (beside);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->path);
}

static SymModel *
write_and_open (Target *self, SymModel *model)
{
  write_model (model, self->path, NULL);
  return open_path (self->path);
}

static SymId
find (const SymModel *model, const char *name)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_model_has_value (model, value) &&
        g_str_equal (sym_model_get_value_name (model, value), name))
      return value;

  g_error ("there is no value %s", name);
}

static void
assert_same_file (const char *a, const char *b)
{
  g_autofree char *x = NULL, *y = NULL;
  gsize n_x, n_y;

  g_assert_true (g_file_get_contents (a, &x, &n_x, NULL));
  g_assert_true (g_file_get_contents (b, &y, &n_y, NULL));
  g_assert_cmpmem (x, n_x, y, n_y);
}

/* Unknown fields, what is damaged, and what is in no order, included. */
static void
test_files_come_back (Target *self, gconstpointer data)
{
  static const char *const names[] = {
    "linear.onnx",    "tensors.onnx", "constants.onnx", "branches.onnx", "functions.onnx",
    "recursion.onnx", "old.onnx",     "problems.onnx",  "cycle.onnx",    "kinds.onnx",
    "unknown.onnx",   "empty.onnx",   "misfit.onnx",    "sparse.onnx",   "maps.onnx",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = get_path (names[i]);
      g_autoptr (SymModel) model = open_path (path);
      g_autoptr (SymProblems) notes = sym_problems_new ();

      write_model (model, self->path, notes);
      assert_same_file (path, self->path);
      g_assert_cmpuint (sym_problems_get_n (notes), ==, 0);
    }
}

static void
test_external_data_move (Target *self, gconstpointer data)
{
  g_autoptr (SymModel) model = open_fixture ("external.onnx");
  g_autoptr (SymProblems) notes = sym_problems_new ();
  g_autoptr (SymModel) moved = NULL;
  float numbers[2];

  write_model (model, self->path, notes);
  moved = open_path (self->path);
  g_assert_true (
      sym_tensor_read (sym_model_get_tensor (moved, find (moved, "second")), 0, 8, numbers, NULL));
  g_assert_cmpfloat (numbers[0], ==, 3.0f);
  g_assert_cmpfloat (numbers[1], ==, 4.0f);
  g_assert_cmpuint (sym_problems_get_n (notes), ==, 2);
  g_assert_true (g_str_has_prefix (sym_problems_get (notes, 1)->message,
                                   "the tensor 'escaping' stays where it was: "));
}

/* A Constant whose numbers are missing is the same node again, and nothing is told beside it. */
static void
test_constants_without_numbers_stay (Target *self, gconstpointer data)
{
  g_autoptr (SymModel) model = open_fixture ("constant-outside.onnxtxt");
  g_autoptr (SymModel) read = write_and_open (self, model);
  const SymProtoMessage *graph =
      sym_proto_get_message (sym_onnx_get_origin (read)->file->model, ONNX_MODEL_GRAPH);
  SymType type = sym_model_get_declared_type (read, find (read, "c"));

  g_assert_cmpuint (sym_proto_count (graph, ONNX_GRAPH_NODE), ==, 3);
  g_assert_cmpuint (sym_proto_count (graph, ONNX_GRAPH_VALUE_INFO), ==, 0);
  g_assert_cmpint (type.shape.rank, ==, 2);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (read)), ==, 1);
  g_assert_true (g_str_has_prefix (sym_problems_get (sym_model_get_problems (read), 0)->message,
                                   "the tensor 'c' cannot be read: its external data: "));
}

/* One that is an output as well: a layer, whose shape is known and which one problem is told of. */
static void
test_outputs_without_numbers_stay (Target *self, gconstpointer data)
{
  g_autoptr (SymModel) model = open_fixture ("constant-output-outside.onnxtxt");
  g_autoptr (SymModel) read = write_and_open (self, model);
  g_autoptr (SymInference) inference = sym_infer (read, NULL, 0, NULL, NULL);
  SymType type = sym_inference_get_type (inference, find (read, "y"));

  g_assert_cmpuint (sym_model_get_n_calls (read), ==, 2);
  g_assert_cmpint (type.shape.rank, ==, 2);
  g_assert_cmpint (type.dtype, ==, SYM_DTYPE_FLOAT32);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (read)), ==, 1);
  g_assert_cmpuint (sym_problems_get_n (sym_inference_get_problems (inference)), ==, 0);
}

static void
test_edits_are_written (Target *self, gconstpointer data)
{
  g_autoptr (SymModel) model = open_fixture ("linear.onnx");
  SymEdit *edit = sym_edit_new (model);
  g_autoptr (SymModel) edited = NULL;
  g_autoptr (SymModel) read = NULL;
  const SymAttributes *attributes;
  double alpha = 0;

  g_assert_true (sym_edit_rename_value (edit, find (model, "h"), "hidden", NULL));
  g_assert_true (sym_edit_rename_value (edit, find (model, "w"), "weight", NULL));
  g_assert_true (sym_edit_rename_call (edit, 2, "last", NULL));
  g_assert_true (sym_edit_set_attribute (edit, 2, "alpha", sym_value_new_float (0.25), NULL));
  edited = sym_edit_end (edit);
  read = write_and_open (self, edited);

  assert_names (read, SYM_ROLE_INTERMEDIATE, "hidden s y");
  assert_names (read, SYM_ROLE_PARAMETER, "weight b");
  g_assert_cmpstr (sym_model_get_call_name (read, 2), ==, "last");
  attributes = sym_layer_get_attributes (sym_model_get_layer (read, 2));
  g_assert_true (sym_value_get_float (sym_attributes_find (attributes, "alpha"), &alpha));
  g_assert_cmpfloat (alpha, ==, 0.25);
  g_assert_cmpint (sym_model_get_declared_type (read, find (read, "hidden")).shape.rank, ==, 2);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (read)), ==, 0);

  /* What nobody touched is as it was. */
  g_assert_cmpstr (sym_value_get_string (
                       sym_attributes_find (sym_model_get_call_attributes (read, 0), "doc_string")),
                   ==, "the product");
}

static void
test_inserted_layers_are_written (Target *self, gconstpointer data)
{
  g_autoptr (SymModel) model = open_fixture ("linear.onnx");
  SymEdit *edit = sym_edit_new (model);
  g_autoptr (SymLayer) layer = sym_layer_new ("Add", sym_op_find ("", "Add", 17), NULL);
  SymId operands[] = { find (model, "h"), find (model, "h") };
  SymId call = sym_edit_insert_call (edit, "double", layer, operands, 2, 1, NULL);
  g_autoptr (SymModel) edited = NULL;
  g_autoptr (SymModel) read = NULL;
  SymId use;

  g_assert_true (
      sym_edit_replace_uses (edit, operands[0], sym_edit_get_result (edit, call, 0), NULL));
  edited = sym_edit_end (edit);
  read = write_and_open (self, edited);
  use = sym_model_get_operands (read, sym_model_get_producer (read, find (read, "s"))).ids[0];
  g_assert_cmpstr (sym_model_get_call_name (read, sym_model_get_producer (read, use)), ==,
                   "double");
  g_assert_true (sym_model_get_operands (read, sym_model_get_producer (read, use)).ids[1] ==
                 find (read, "h"));
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (read)), ==, 0);
}

/* A body calls what it takes from outside by its name there. */
static void
test_bodies_follow_names_outside (Target *self, gconstpointer data)
{
  g_autoptr (SymModel) model = open_fixture ("branches.onnx");
  SymEdit *edit = sym_edit_new (model);
  g_autoptr (SymModel) edited = NULL;
  g_autoptr (SymModel) read = NULL;
  SymId choice;

  g_assert_true (sym_edit_rename_value (edit, find (model, "h"), "absolute", NULL));
  g_assert_true (sym_edit_rename_value (edit, find (model, "x"), "in", NULL));
  edited = sym_edit_end (edit);
  read = write_and_open (self, edited);
  choice = sym_model_get_producer (read, find (read, "y"));
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (read)), ==, 0);
  g_assert_cmpuint (sym_model_get_operands (read, choice).n, ==, 5);
  g_assert_true (sym_model_get_operands (read, choice).ids[2] == find (read, "absolute"));
  g_assert_true (sym_model_get_operands (read, choice).ids[3] == find (read, "in"));
  g_assert_true (sym_model_get_operands (read, choice).ids[4] == find (read, "absolute"));
}

/* Symscope's own format keeps what bodies take, so that it can be left out again. */
static void
test_bodies_go_through_other_formats (Target *self, gconstpointer data)
{
  g_autoptr (SymModel) model = open_fixture ("branches.onnx");
  g_autofree char *between = g_build_filename (self->folder, "x.symscope.json", NULL);
  g_autofree char *weights = g_build_filename (self->folder, "x.safetensors", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) other = NULL;
  g_autoptr (SymModel) read = NULL;
  SymId choice;

  sym_io_write (sym_io_find_format ("symscope"), model, NULL, between, NULL, &error);
  g_assert_no_error (error);
  other = open_path (between);
  read = write_and_open (self, other);
  choice = sym_model_get_producer (read, find (read, "y"));
  g_assert_cmpuint (sym_layer_get_body_captures (sym_model_get_layer (read, choice), 0), ==, 3);
  g_assert_cmpuint (sym_model_get_operands (read, choice).n, ==, 5);
  g_assert_cmpuint (
      sym_proto_count (sym_onnx_file_find_place (sym_onnx_get_origin (read)->file,
                                                 sym_model_get_call_attributes (read, choice))
                           ->node,
                       ONNX_NODE_INPUT),
      ==, 1);
  g_unlink (between);
  g_unlink (weights);
}

static SymModel *
cut (SymModel *model, const char *input, const char *output)
{
  SymId from = input == NULL ? SYM_NO_ID : find (model, input);
  SymId to = find (model, output);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSelection) selection =
      sym_selection_new (model, &from, input == NULL ? 0 : 1, &to, 1, NULL, &error);

  g_assert_no_error (error);
  return sym_selection_extract (selection, inference);
}

static void
test_a_part_has_its_weights_only (Target *self, gconstpointer data)
{
  g_autoptr (SymModel) model = open_fixture ("linear.onnx");
  g_autoptr (SymModel) part = cut (model, "h", "y");
  g_autoptr (SymModel) read = write_and_open (self, part);
  SymType type = sym_model_get_declared_type (read, find (read, "h"));

  assert_names (read, SYM_ROLE_INPUT, "h");
  assert_names (read, SYM_ROLE_PARAMETER, "b");
  assert_names (read, SYM_ROLE_INTERMEDIATE, "s y");
  g_assert_cmpint (type.dtype, ==, SYM_DTYPE_FLOAT32);
  g_assert_cmpint (type.shape.dims[1], ==, 2);
  g_assert_nonnull (sym_model_get_tensor (read, find (read, "b")));
}

static guint
count_functions (const SymModel *model)
{
  return sym_proto_count (sym_onnx_get_origin (model)->file->model, ONNX_MODEL_FUNCTIONS);
}

static void
test_a_part_has_its_functions_only (Target *self, gconstpointer data)
{
  g_autoptr (SymModel) model = open_fixture ("functions.onnx");
  g_autoptr (SymModel) one = cut (model, NULL, "h1");
  g_autoptr (SymModel) three = cut (model, NULL, "h2");
  g_autoptr (SymModel) read_one = write_and_open (self, one);
  g_autoptr (SymModel) read_three = write_and_open (self, three);

  g_assert_cmpuint (count_functions (model), ==, 4);
  g_assert_cmpuint (count_functions (read_one), ==, 1);
  g_assert_cmpuint (count_functions (read_three), ==, 2);
  g_assert_nonnull (sym_layer_get_running_body (sym_model_get_layer (read_three, 1)));
}

/* Parts are sorted, whatever the file was. */
static void
test_a_part_is_sorted (Target *self, gconstpointer data)
{
  g_autoptr (SymModel) model = open_fixture ("problems.onnx");
  g_autoptr (SymModel) part = cut (model, NULL, "y");
  g_autoptr (SymModel) read = write_and_open (self, part);

  g_assert_cmpuint (sym_model_get_n_calls (read), ==, 2);
  g_assert_cmpstr (sym_layer_get_type (sym_model_get_layer (read, 0)), ==, "Abs");
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (read)), ==, 0);
}

/* What has been a file of another format has no types of ONNX left. */
static void
test_maps_are_made_anew (Target *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->folder, "maps.json", NULL);
  g_autoptr (SymModel) model = open_fixture ("maps.onnx"), ours = NULL, read = NULL;
  g_autoptr (GError) error = NULL;
  const SymOnnxOrigin *origin;

  sym_io_write (sym_io_find_format ("symscope"), model, NULL, path, NULL, &error);
  g_assert_no_error (error);
  ours = open_path (path);
  g_unlink (path);
  read = write_and_open (self, ours);
  origin = sym_onnx_get_origin (read);
  g_assert_cmpuint (sym_proto_count (origin->file->model, ONNX_MODEL_OPSET_IMPORT), ==, 2);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 2);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (read)), ==, 2);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpstr (sym_problems_get (sym_model_get_problems (read), i)->message, ==,
                     sym_problems_get (sym_model_get_problems (model), i)->message);
}

/* A layer of another framework is refused when nothing is known of it, or of what it is used with.
 */
static void
assert_text_refused (Target *self, const char *text, const char *message)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "net", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (
      sym_io_write (sym_io_find_format ("onnx"), model, NULL, self->path, NULL, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED);
  g_assert_cmpstr (error->message, ==, message);
  g_assert_false (g_file_test (self->path, G_FILE_TEST_EXISTS));
}

static void
assert_refused (Target *self, const char *type, const char *message)
{
  g_autofree char *text = g_strdup_printf (
      "{\"nodes\": [{\"op\": \"null\", \"name\": \"data\", \"inputs\": []}, {\"op\": \"%s\", "
      "\"name\": \"act\", \"attrs\": {\"act_type\": \"relu\"}, \"inputs\": [[0, 0, 0]]}], "
      "\"arg_nodes\": [0], \"heads\": [[1, 0, 0]]}",
      type);

  assert_text_refused (self, text, message);
}

static void
test_other_formats_are_refused_by_layer (Target *self, gconstpointer data)
{
  assert_refused (self, "Swirl",
                  "the layer “act” of type Swirl has no counterpart in ONNX that is known here");
  assert_refused (
      self, "Activation",
      "the layer “act” of type Activation has no counterpart in ONNX that is known here: the "
      "shapes that it is used with are not known; those of the inputs have to be told");
}

/* A model without layers has no output. */
static void
test_bodies_without_outputs_are_refused (Target *self, gconstpointer data)
{
  assert_text_refused (
      self,
      "{\"class_name\": \"Sequential\", \"config\": {\"name\": \"a\", \"layers\": "
      "[{\"class_name\": "
      "\"Dense\", \"config\": {\"name\": \"d\", \"units\": 3, \"batch_input_shape\": [2, 3]}}, "
      "{\"class_name\": \"Sequential\", \"config\": {\"name\": \"b\", \"layers\": []}}]}}",
      "the layer “b” of type Sequential has no counterpart in ONNX that is known here: what it "
      "holds has fewer outputs than it has");
}

/* The axes of this one would be in a file of weights, which is not there. */
static void
test_missing_numbers_are_told (Target *self, gconstpointer data)
{
  assert_text_refused (
      self,
      "{\"format\": \"graph-model\", \"modelTopology\": {\"node\": ["
      "{\"name\": \"x\", \"op\": \"Placeholder\", \"attr\": {\"dtype\": {\"type\": \"DT_FLOAT\"}, "
      "\"shape\": {\"shape\": {\"dim\": [{\"size\": \"-1\"}, {\"size\": \"4\"}]}}}}, "
      "{\"name\": \"axes\", \"op\": \"Const\", \"attr\": {\"dtype\": {\"type\": \"DT_INT32\"}}}, "
      "{\"name\": \"y\", \"op\": \"Mean\", \"input\": [\"x\", \"axes\"], \"attr\": {\"T\": "
      "{\"type\": "
      "\"DT_FLOAT\"}}}], \"versions\": {}}, \"weightsManifest\": [{\"paths\": [\"none.bin\"], "
      "\"weights\": [{\"name\": \"axes\", \"shape\": [1], \"dtype\": \"int32\"}]}]}",
      "the layer “y” of type Mean has no counterpart in ONNX that is known here: Mean: operand 1 "
      "(reduction_indices) must be known beforehand, but the numbers of “axes” are missing");
}

/* A mean along axes whose numbers are in a file that is not there.  Unref it. */
static SymModel *
read_mean (const char *shape, const char *before, const char *after, const char *keeps)
{
  g_autofree char *text = g_strdup_printf (
      "<net name='mean' version='11'><layers>"
      "<layer id='0' name='x' type='Parameter' version='opset1'>"
      "<data element_type='f32' shape='%s'/>"
      "<output><port id='0' precision='FP32'>%s</port></output></layer>"
      "<layer id='1' name='axes' type='Const' version='opset1'>"
      "<data element_type='i64' offset='0' shape='2' size='16'/>"
      "<output><port id='0' precision='I64'><dim>2</dim></port></output></layer>"
      "<layer id='2' name='y' type='ReduceMean' version='opset1'><data keep_dims='%s'/>"
      "<input><port id='0'/><port id='1'/></input>"
      "<output><port id='2' precision='FP32'>%s</port></output></layer>"
      "<layer id='3' name='out' type='Result' version='opset1'>"
      "<input><port id='0'/></input></layer></layers><edges>"
      "<edge from-layer='0' from-port='0' to-layer='2' to-port='0'/>"
      "<edge from-layer='1' from-port='0' to-layer='2' to-port='1'/>"
      "<edge from-layer='2' from-port='2' to-layer='3' to-port='0'/></edges></net>",
      shape, before, keeps, after);
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_bytes (bytes, "net", &error);

  g_assert_no_error (error);
  return model;
}

/* Shapes tell along which axes it goes, where there is one answer. */
static void
test_axes_are_seen (Target *self, gconstpointer data)
{
#define D(n) "<dim>" #n "</dim>"
  static const struct {
    const char *shape, *before, *after, *keeps, *axes;
  } cases[] = {
    { "1,8,7,7", D (1) D (8) D (7) D (7), D (1) D (8) D (1) D (1), "true", "[2, 3]" },
    { "1,8,7,7", D (1) D (8) D (7) D (7), D (1) D (8), "false", "[2, 3]" },
    { "5,7,7", D (5) D (7) D (7), D (7), "false", NULL },
    { "1,8,1", D (1) D (8) D (1), D (1) D (8), "false", "[2]" },
  };
#undef D

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymModel) model =
          read_mean (cases[i].shape, cases[i].before, cases[i].after, cases[i].keeps);
      g_autoptr (SymModel) read = write_and_open (self, model);
      SymId mean = sym_model_get_producer (read, sym_model_get_outputs (read).ids[0]);
      const SymValue *axes =
          sym_attributes_find (sym_layer_get_attributes (sym_model_get_layer (read, mean)), "axes");
      g_autofree char *text = axes == NULL ? NULL : sym_value_to_string (axes);

      g_assert_cmpstr (sym_layer_get_type (sym_model_get_layer (read, mean)), ==, "ReduceMean");
      g_assert_cmpstr (text, ==, cases[i].axes);
    }
}

#define ADD(path, function) g_test_add (path, Target, NULL, set_up, function, tear_down)

/* What a layer is said in has parts that nothing needs, too; people never saw these. */
static void
test_layers_left_out_are_named (Target *self, gconstpointer data)
{
  static const char text[] =
      "{\"class_name\": \"Functional\", \"keras_version\": \"2.12.0\", \"config\": {\"layers\": ["
      "{\"class_name\": \"InputLayer\", \"name\": \"x\", \"inbound_nodes\": [],"
      " \"config\": {\"name\": \"x\", \"batch_input_shape\": [1, 5, 3]}},"
      "{\"class_name\": \"GRU\", \"name\": \"gru\", \"config\": {\"name\": \"gru\", \"units\": 2},"
      " \"inbound_nodes\": [[[\"x\", 0, 0, {}]]]},"
      "{\"class_name\": \"Dense\", \"name\": \"spare\","
      " \"config\": {\"name\": \"spare\", \"units\": 2},"
      " \"inbound_nodes\": [[[\"gru\", 0, 0, {}]]]}],"
      "\"input_layers\": [[\"x\", 0, 0]], \"output_layers\": [[\"gru\", 0, 0]]}}";
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "net", &error);
  g_autoptr (SymProblems) notes = sym_problems_new ();
  gboolean is_told = FALSE;

  g_assert_no_error (error);
  write_model (model, self->path, notes);
  for (guint i = 0; i < sym_problems_get_n (notes); i++)
    {
      const char *message = sym_problems_get (notes, i)->message;

      is_told |= g_str_equal (message, "layers that no output needs are left out: “spare”");
      g_test_message ("%s", message);
    }
  g_assert_true (is_told);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/io/onnx-write/files-come-back-to-the-byte", test_files_come_back);
  ADD ("/io/onnx-write/external-data-move-along", test_external_data_move);
  ADD ("/io/onnx-write/constants-without-numbers-stay", test_constants_without_numbers_stay);
  ADD ("/io/onnx-write/outputs-without-numbers-stay", test_outputs_without_numbers_stay);
  ADD ("/io/onnx-write/edits-are-written", test_edits_are_written);
  ADD ("/io/onnx-write/inserted-layers-are-written", test_inserted_layers_are_written);
  ADD ("/io/onnx-write/bodies-follow-names-outside", test_bodies_follow_names_outside);
  ADD ("/io/onnx-write/bodies-go-through-other-formats", test_bodies_go_through_other_formats);
  ADD ("/io/onnx-write/a-part-has-its-weights-only", test_a_part_has_its_weights_only);
  ADD ("/io/onnx-write/a-part-has-its-functions-only", test_a_part_has_its_functions_only);
  ADD ("/io/onnx-write/a-part-is-sorted", test_a_part_is_sorted);
  ADD ("/io/onnx-write/other-formats-are-refused-by-layer",
       test_other_formats_are_refused_by_layer);
  ADD ("/io/onnx-write/bodies-without-outputs-are-refused",
       test_bodies_without_outputs_are_refused);
  ADD ("/io/onnx-write/missing-numbers-are-told", test_missing_numbers_are_told);
  ADD ("/io/onnx-write/axes-are-seen-from-shapes", test_axes_are_seen);
  ADD ("/io/onnx-write/maps-are-made-anew", test_maps_are_made_anew);
  ADD ("/io/onnx-write/layers-left-out-are-named", test_layers_left_out_are_named);
  return g_test_run ();
}
