/* SPDX-License-Identifier: MIT */
#include "core/sym-extract.h"
#include "io/sym-onnx-private.h"

#include <string.h>

#include "role-names.h"

static char *
get_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "fixtures", "onnx", name, NULL);
}

static SymModel *
open_fixture (const char *name)
{
  g_autofree char *path = get_path (name);
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read (path, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (model);
  return model;
}

static SymId
find (const SymModel *model, const char *name)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (g_str_equal (sym_model_get_value_name (model, value), name))
      return value;

  g_assert_not_reached ();
}

static void
assert_problems (const SymModel *model, const char *const *expected)
{
  const SymProblems *problems = sym_model_get_problems (model);

  for (guint i = 0; i < sym_problems_get_n (problems); i++)
    {
      g_assert_nonnull (expected[i]);
      g_assert_cmpstr (sym_problems_get (problems, i)->message, ==, expected[i]);
    }
  g_assert_null (expected[sym_problems_get_n (problems)]);
}

static void
assert_ids (const SymModel *model, SymIds ids, const char *expected)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < ids.n; i++)
    g_string_append_printf (names, "%s%s", i == 0 ? "" : " ",
                            ids.ids[i] == SYM_NO_ID ? "-"
                                                    : sym_model_get_value_name (model, ids.ids[i]));
  g_assert_cmpstr (names->str, ==, expected);
}

static void
assert_bytes (const SymModel *model, const char *name, const void *bytes, gsize size)
{
  SymTensor *tensor = sym_model_get_tensor (model, find (model, name));
  g_autofree char *read = g_malloc (size + 1);

  g_assert_nonnull (tensor);
  g_assert_cmpuint (sym_tensor_get_n_bytes (tensor), ==, size);
  g_assert_true (sym_tensor_read (tensor, 0, size, read, NULL));
  g_assert_cmpmem (read, size, bytes, size);
}

static void
test_layers (void)
{
  g_autoptr (SymModel) model = open_fixture ("linear.onnx");
  SymId h = find (model, "h");
  SymId product = sym_model_get_producer (model, h);
  SymType x = sym_model_get_declared_type (model, find (model, "x"));
  g_autofree char *batch = sym_terms_format (sym_model_get_terms (model), x.shape.dims[0]);
  const SymLayer *last = sym_model_get_layer (model, 2);
  double alpha = 0;

  assert_names (model, SYM_ROLE_INPUT, "x");
  assert_names (model, SYM_ROLE_PARAMETER, "w b");
  assert_ids (model, sym_model_get_outputs (model), "y");
  assert_ids (model, sym_model_get_operands (model, product), "x w");
  g_assert_cmpstr (sym_model_get_call_name (model, product), ==, "product");
  g_assert_cmpstr (sym_value_get_string (sym_attributes_find (
                       sym_model_get_call_attributes (model, product), "doc_string")),
                   ==, "the product");
  g_assert_cmpstr (sym_value_get_string (sym_attributes_find (
                       sym_model_get_call_attributes (model, product), "namespace")),
                   ==, "a/b");
  g_assert_cmpstr (sym_value_get_string (sym_attributes_find (
                       sym_model_get_value_attributes (model, find (model, "x")), "doc_string")),
                   ==, "what goes in");
  g_assert_cmpint (x.dtype, ==, SYM_DTYPE_FLOAT32);
  g_assert_cmpint (x.shape.dims[1], ==, 4);
  g_assert_cmpstr (batch, ==, "batch");
  g_assert_cmpint (sym_model_get_declared_type (model, h).shape.rank, ==, 2);
  g_assert_cmpstr (sym_layer_get_type (last), ==, "LeakyRelu");
  g_assert_cmpstr (sym_attributes_get_literal (sym_layer_get_attributes (last), 0), ==, "0.1");
  g_assert_true (
      sym_value_get_float (sym_attributes_find (sym_layer_get_attributes (last), "alpha"), &alpha));
  g_assert_cmpfloat (alpha, ==, (double) 0.1f);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
  assert_bytes (model, "b", (const float[]){ 0.5f, -1.5f }, 8);
}

static void
test_tensors (void)
{
  static const char *const problems[] = {
    "the tensor 'short' cannot be read: its shape takes 12 bytes of float32, but it has 4",
    "the tensor 'lies' cannot be read: its shape takes 8796093022208 bytes of int64, but it has 8",
    "the tensor 'strange' cannot be read: its data type is 99, which is none that is known",
    NULL,
  };
  g_autoptr (SymModel) model = open_fixture ("tensors.onnx");
  SymTensor *strings = sym_model_get_tensor (model, find (model, "string"));

  assert_problems (model, problems);
  assert_bytes (model, "float", (const float[]){ 1.5f, 2.5f }, 8);
  assert_bytes (model, "double", (const double[]){ 1.5, 2.5 }, 16);
  assert_bytes (model, "complex64", (const float[]){ 1.0f, 2.0f }, 8);
  assert_bytes (model, "complex128", (const double[]){ 1.0, 2.0 }, 16);
  assert_bytes (model, "int8", "\x01\xff\x80", 3);
  assert_bytes (model, "uint8", "\x01\xff", 2);
  assert_bytes (model, "int16", "\x01\x00\xfe\xff", 4);
  assert_bytes (model, "uint16", "\x01\x00\xff\xff", 4);
  assert_bytes (model, "int32", (const gint32[]){ 7, -7 }, 8);
  assert_bytes (model, "int64", (const gint64[]){ (gint64) 1 << 40, -1 }, 16);
  assert_bytes (model, "uint32", "\xff\xff\xff\xff", 4);
  assert_bytes (model, "uint64", "\xff\xff\xff\xff\xff\xff\xff\xff", 8);
  assert_bytes (model, "bool", "\x01\x00", 2);
  assert_bytes (model, "float16", "\x00\x3c\x00\xc0", 4);
  assert_bytes (model, "bfloat16", "\x80\x3f", 2);
  assert_bytes (model, "int4", "\x21\x0f", 2);
  assert_bytes (model, "raw", "\x01\x00\xff\xff", 4);
  assert_bytes (model, "scalar", (const float[]){ 3.0f }, 4);
  assert_bytes (model, "none", "", 0);
  assert_bytes (model, "unpacked", (const float[]){ 1.0f, 2.0f }, 8);
  g_assert_cmpstr (sym_tensor_get_string (strings, 0, NULL), ==, "one");
  g_assert_cmpstr (sym_tensor_get_string (strings, 1, NULL), ==, "zwei");
  g_assert_cmpint (sym_model_get_role (model, find (model, "int64")), ==, SYM_ROLE_CONSTANT);
  g_assert_cmpint (sym_model_get_role (model, find (model, "bfloat16")), ==, SYM_ROLE_PARAMETER);
  g_assert_null (sym_model_get_tensor (model, find (model, "short")));
}

/* A packed list of more than 64 KiB. */
static SymTensor *
read_many (guint n_written, gint64 n_said, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GBytes) all = NULL;
  g_autoptr (SymBlob) blob = NULL;
  g_autoptr (SymProto) document = NULL;
  g_autoptr (SymOnnxFile) file = NULL;
  SymProtoMessage *root;
  guint size = 2 * n_written;
  guint8 head[] = { 0x3a, (guint8) (size | 0x80), (guint8) (size >> 7 | 0x80),
                    (guint8) (size >> 14) };

  g_byte_array_append (bytes, head, sizeof head);
  for (guint i = 0; i < n_written; i++)
    g_byte_array_append (bytes, (const guint8 *) "\xac\x02", 2);
  all = g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
  blob = sym_blob_new_bytes (all);
  document = sym_proto_read (blob, &sym_onnx_tensor_type, &root, NULL, NULL);
  sym_proto_append_int (root, ONNX_TENSOR_DIMS, n_said);
  sym_proto_append_int (root, ONNX_TENSOR_DATA_TYPE, 7);
  file = sym_onnx_file_new (document, root, SYM_ONNX_BINARY, NULL);
  return sym_onnx_read_tensor (file, root, error);
}

static void
test_many_numbers (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymTensor) tensor = read_many (40000, 40000, &error);
  g_autoptr (SymTensor) wrong = NULL;
  gint64 numbers[2];

  g_assert_no_error (error);
  g_assert_cmpuint (sym_tensor_get_n_bytes (tensor), ==, 320000);
  g_assert_true (sym_tensor_read (tensor, 8, 16, numbers, &error));
  g_assert_cmpint (numbers[0], ==, 300);
  g_assert_cmpint (numbers[1], ==, 300);

  wrong = read_many (40000, 40001, &error);
  g_assert_no_error (error);
  g_assert_false (sym_tensor_read (wrong, 0, 8, numbers, &error));
  g_assert_cmpstr (error->message, ==,
                   "a tensor is to have 320008 bytes, but its numbers give 320000");
  g_clear_error (&error);
  g_assert_null (read_many (40000, 90000, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT);
}

static void
test_constants (void)
{
  g_autoptr (SymModel) model = open_fixture ("constants.onnx");
  SymId call = sym_model_get_producer (model, find (model, "h"));

  g_assert_cmpuint (sym_model_get_n_calls (model), ==, 2);
  assert_names (model, SYM_ROLE_CONSTANT, "t f fs i is s ss");
  assert_ids (model, sym_model_get_operands (model, call), "x t f fs i is s ss");
  g_assert_cmpstr (sym_layer_get_type (sym_model_get_layer (model, call)), ==, "our.own.Use");
  assert_bytes (model, "t", (const float[]){ 1.0f, 2.0f }, 8);
  assert_bytes (model, "f", (const float[]){ 0.5f }, 4);
  assert_bytes (model, "fs", (const float[]){ 0.5f, 1.5f }, 8);
  assert_bytes (model, "i", (const gint64[]){ 3 }, 8);
  assert_bytes (model, "is", (const gint64[]){ 3, 4, 5 }, 24);
  g_assert_cmpint (sym_tensor_get_shape (sym_model_get_tensor (model, find (model, "i")))->rank, ==,
                   0);
  g_assert_cmpstr (
      sym_tensor_get_string (sym_model_get_tensor (model, find (model, "ss")), 1, NULL), ==, "b");

  /* What is an output of the graph stays a layer. */
  call = sym_model_get_producer (model, find (model, "y"));
  g_assert_cmpstr (sym_layer_get_type (sym_model_get_layer (model, call)), ==, "Constant");
}

/* The branches take h; the loop within one takes x, which passes through it. */
static void
test_bodies_take_values_from_outside (void)
{
  g_autoptr (SymModel) model = open_fixture ("branches.onnx");
  SymId choice = sym_model_get_producer (model, find (model, "y"));
  const SymLayer *layer = sym_model_get_layer (model, choice);
  const SymLayer *loop;
  const char *names[2];
  SymModel *yes, *no, *inner;
  SymId call;

  assert_ids (model, sym_model_get_operands (model, choice), "c c h x h");
  g_assert_cmpuint (sym_layer_get_n_bodies (layer), ==, 2);
  yes = sym_layer_get_body (layer, 0, &names[0]);
  no = sym_layer_get_body (layer, 1, &names[1]);
  g_assert_cmpstr (names[0], ==, "then_branch");
  g_assert_cmpstr (names[1], ==, "else_branch");
  g_assert_cmpuint (sym_layer_get_body_captures (layer, 0), ==, 3);
  g_assert_cmpuint (sym_layer_get_body_captures (layer, 1), ==, 1);
  g_assert_false (sym_layer_get_body_runs (layer, 0));
  assert_ids (yes, sym_model_get_inputs (yes), "c h x");
  assert_ids (no, sym_model_get_inputs (no), "h");

  call = sym_model_get_producer (yes, find (yes, "looped"));
  loop = sym_model_get_layer (yes, call);
  inner = sym_layer_get_body (loop, 0, NULL);
  assert_ids (yes, sym_model_get_operands (yes, call), "trips c h x");
  assert_ids (inner, sym_model_get_inputs (inner), "count more carried x");
  g_assert_cmpuint (sym_layer_get_body_captures (loop, 0), ==, 1);
}

static SymModel *
get_function (const SymModel *model, const char *call)
{
  for (SymId id = 0; id < sym_model_get_n_calls (model); id++)
    if (g_str_equal (sym_model_get_call_name (model, id), call))
      return sym_layer_get_running_body (sym_model_get_layer (model, id));

  g_assert_not_reached ();
}

static void
test_functions (void)
{
  g_autoptr (SymModel) model = open_fixture ("functions.onnx");
  SymModel *first = get_function (model, "s1");
  SymModel *twice = get_function (model, "t1");
  SymModel *five = get_function (model, "t2");

  /* One body for each set of attributes. */
  g_assert_true (get_function (model, "s3") == first);
  g_assert_true (twice != five);
  assert_bytes (first, "k", (const float[]){ 3.0f }, 4);
  assert_bytes (sym_layer_get_running_body (sym_model_get_layer (twice, 0)), "k",
                (const float[]){ 2.0f }, 4);
  assert_bytes (sym_layer_get_running_body (sym_model_get_layer (five, 0)), "k",
                (const float[]){ 5.0f }, 4);
  g_assert_true (sym_layer_get_running_body (sym_model_get_layer (five, 1)) == first);
  g_assert_cmpstr (sym_layer_get_type (sym_model_get_layer (get_function (model, "s2"), 0)), ==,
                   "Neg");
}

static void
test_weights_among_inputs (void)
{
  g_autoptr (SymModel) model = open_fixture ("old.onnx");
  const SymAttributes *attributes = sym_layer_get_attributes (sym_model_get_layer (model, 0));
  gint64 sizes[3];

  assert_names (model, SYM_ROLE_INPUT, "x");
  assert_ids (model, sym_model_get_inputs (model), "x");
  g_assert_cmpint (sym_value_get_ints (sym_attributes_find (attributes, "kernel_shape"), sizes, 3),
                   ==, 2);
}

static void
test_external_data (void)
{
  g_autoptr (SymModel) model = open_fixture ("external.onnx");
  const SymProblems *problems = sym_model_get_problems (model);

  assert_bytes (model, "first", (const float[]){ 1.0f, 2.0f }, 8);
  assert_bytes (model, "second", (const float[]){ 3.0f, 4.0f }, 8);
  g_assert_cmpuint (sym_problems_get_n (problems), ==, 2);
  g_assert_true (g_str_has_suffix (sym_problems_get (problems, 0)->message,
                                   "nowhere.bin: cannot be opened: there is no such file or "
                                   "folder"));
  g_assert_cmpstr (
      sym_problems_get (problems, 1)->message, ==,
      "the tensor 'escaping' cannot be read: its external data “../x.bin” lies outside "
      "of the folder of the model, where it is not looked for");
}

static void
test_types_told_twice (void)
{
  static const char *const told[] = {
    "“v” is declared as int32[2], but is float32[2]",
    "“c” is declared as float32[5,7], but is float32[2]",
    "“w” is declared as float32[3], but is float32[2]",
    "“x” is declared as float32[?,2], but is float32[2]",
    NULL,
  };
  static const guint lines[] = { 18, 24, 25, 26 };
  g_autoptr (SymModel) model = open_fixture ("told-otherwise.json");

  assert_problems (model, told);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    g_assert_cmpuint (sym_problems_get (sym_model_get_problems (model), i)->line, ==, lines[i]);
}

static void
test_problems (void)
{
  static const char *const of_problems[] = {
    "there are two values called 'twice'",
    "nothing makes 'nothing', which is used",
    "nothing makes 'unmade', which is used",
    "1 inputs of nodes are made by nodes that come later in the file; ONNX asks for an order of "
    "execution",
    NULL,
  };
  static const char *const of_cycle[] = {
    "the graph has a cycle: some nodes need what follows from them", NULL
  };
  static const char *const of_recursion[] = {
    "the function of 'our.own.Again': 'our.own.Again' calls the function our.own.Again from "
    "within itself",
    NULL
  };
  g_autoptr (SymModel) problems = open_fixture ("problems.onnx");
  g_autoptr (SymModel) cycle = open_fixture ("cycle.onnx");
  g_autoptr (SymModel) recursion = open_fixture ("recursion.onnx");
  SymId last = sym_model_get_producer (problems, find (problems, "z"));

  assert_problems (problems, of_problems);
  assert_problems (cycle, of_cycle);
  assert_problems (recursion, of_recursion);

  /* What was called so last is what is meant. */
  g_assert_cmpstr (sym_layer_get_type (sym_model_get_layer (
                       problems, sym_model_get_producer (
                                     problems, sym_model_get_operands (problems, last).ids[0]))),
                   ==, "Exp");
}

static void
test_sparse_tensors (void)
{
  static const char *const problems[] = {
    "the sparse tensor 'outside' cannot be read: one of its indices lies outside of its shape",
    "the sparse tensor 'huge' cannot be read: it is too sparse to be made dense",
    NULL,
  };
  g_autoptr (SymModel) model = open_fixture ("sparse.onnx");

  assert_problems (model, problems);
  assert_bytes (model, "linear", (const float[]){ 0, 6, 0, 5 }, 16);
  assert_bytes (model, "places", (const float[]){ 0, 0, 7, 0 }, 16);
  assert_bytes (model, "c", (const float[]){ 0, 0, 8 }, 12);
}

static void
test_kinds_and_empty_slots (void)
{
  g_autoptr (SymModel) model = open_fixture ("kinds.onnx");
  SymType sequence = sym_model_get_declared_type (model, find (model, "sequence"));
  SymType optional = sym_model_get_declared_type (model, find (model, "optional"));

  g_assert_cmpint (sequence.kind, ==, SYM_KIND_SEQUENCE);
  g_assert_cmpint (sequence.shape.dims[0], ==, 3);
  g_assert_cmpint (optional.kind, ==, SYM_KIND_OPTIONAL);
  g_assert_cmpint (optional.dtype, ==, SYM_DTYPE_INT64);
  g_assert_cmpint (sym_model_get_declared_type (model, find (model, "nested")).kind, ==,
                   SYM_KIND_OPTIONAL);
  g_assert_cmpint (sym_model_get_declared_type (model, find (model, "mapping")).kind, ==,
                   SYM_KIND_TENSOR);
  assert_ids (model, sym_model_get_operands (model, 0),
              "sequence optional nested mapping sparse opaque -");
  assert_ids (model, sym_model_get_operands (model, 1), "y - z - -");
  g_assert_cmpuint (sym_model_get_results (model, 0).n, ==, 3);
  g_assert_cmpuint (sym_model_get_results (model, 1).n, ==, 2);
  g_assert_cmpstr (sym_value_get_string (sym_attributes_get_value (
                       sym_layer_get_attributes (sym_model_get_layer (model, 0)), 0)),
                   ==, "seq(tensor(float32, (3)))");
}

static void
test_maps_are_tensors_of_their_numbers (void)
{
  const char *const problems[] = {
    "“words” maps labels to numbers: here it is the tensor of the numbers, in the order of the "
    "labels of its layer",
    "“y” maps labels to numbers: here it is the tensor of the numbers, in the order of the labels "
    "of its layer",
    NULL,
  };
  g_autoptr (SymModel) model = open_fixture ("maps.onnx");
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  SymType words = sym_inference_get_type (inference, find (model, "words"));
  SymType y = sym_inference_get_type (inference, find (model, "y"));

  assert_problems (model, problems);
  g_assert_cmpint (words.kind, ==, SYM_KIND_TENSOR);
  g_assert_true (sym_shape_equal (&words.shape, &SYM_SHAPE (3)));
  g_assert_cmpint (y.dtype, ==, SYM_DTYPE_FLOAT32);
  g_assert_true (sym_shape_equal (&y.shape, &SYM_SHAPE (1, 3)));
}

static void
test_an_empty_graph (void)
{
  g_autoptr (SymModel) model = open_fixture ("empty.onnx");

  g_assert_cmpuint (sym_model_get_n_values (model), ==, 0);
  g_assert_cmpuint (sym_model_get_n_calls (model), ==, 0);
}

/* ---- Recognition ---- */

static void
assert_refused (const void *bytes, gsize size, const char *what)
{
  g_autoptr (GBytes) all = g_bytes_new (bytes, size);
  g_autoptr (GError) error = NULL;

  g_assert_null (sym_io_read_bytes (all, "bytes", &error));
  g_assert_nonnull (error);
  if (what != NULL)
    g_assert_nonnull (strstr (error->message, what));
}

static void
test_other_bytes_are_no_model (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  guint8 bytes[200];

  for (guint i = 0; i < 20000; i++)
    {
      for (guint k = 0; k < sizeof bytes; k++)
        bytes[k] = (guint8) g_rand_int (rand);
      bytes[0] = 0x08;
      assert_refused (bytes, sizeof bytes, NULL);
    }
  assert_refused ("\x08\x01", 2, "a protocol buffer");
  assert_refused ("\x08\x02\x10\x01\x22\x04"
                  "1234",
                  10, "a protocol buffer");
}

static void
test_a_model_cut_short_is_told (void)
{
  g_autofree char *path = get_path ("linear.onnx");
  g_autofree char *bytes = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  assert_refused (bytes, size / 2, "the file may be cut short");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/io/onnx/layers-have-names-and-attributes", test_layers);
  g_test_add_func ("/io/onnx/tensors-of-all-kinds-are-read", test_tensors);
  g_test_add_func ("/io/onnx/many-numbers-are-decoded-when-asked-for", test_many_numbers);
  g_test_add_func ("/io/onnx/constants-are-values", test_constants);
  g_test_add_func ("/io/onnx/bodies-take-values-from-outside",
                   test_bodies_take_values_from_outside);
  g_test_add_func ("/io/onnx/functions-have-a-body-for-each-set-of-attributes", test_functions);
  g_test_add_func ("/io/onnx/weights-among-the-inputs-are-none", test_weights_among_inputs);
  g_test_add_func ("/io/onnx/external-data-stay-where-they-are", test_external_data);
  g_test_add_func ("/io/onnx/types-that-are-told-twice-are-compared", test_types_told_twice);
  g_test_add_func ("/io/onnx/problems-are-told", test_problems);
  g_test_add_func ("/io/onnx/sparse-tensors-are-made-dense", test_sparse_tensors);
  g_test_add_func ("/io/onnx/kinds-and-empty-slots-are-kept", test_kinds_and_empty_slots);
  g_test_add_func ("/io/onnx/maps-are-tensors-of-their-numbers",
                   test_maps_are_tensors_of_their_numbers);
  g_test_add_func ("/io/onnx/a-graph-may-be-empty", test_an_empty_graph);
  g_test_add_func ("/io/onnx/other-bytes-are-no-model", test_other_bytes_are_no_model);
  g_test_add_func ("/io/onnx/a-model-cut-short-is-told", test_a_model_cut_short_is_told);
  return g_test_run ();
}
