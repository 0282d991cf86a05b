/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

#include "io/sym-io.h"

/* Control flow and lists of TensorFlow's graphs, tests/fixtures/tf-control, and of OpenVINO's, with
 * numbers that follow by hand or are numpy's. */

typedef struct {
  const char *file;
  const char *input;
  const char *results; /* of the outputs, in order */
  const char *error;
  gboolean is_written; /* as ONNX, too */
} GraphCase;

static const GraphCase cases[] = {
  /* Options in FlexBuffers: boxes that overlap, and TensorFlow's operators, in TensorFlow Lite. */
  { "../tflite-json/detection.json",
    "float32 1,6,4: -0.97 0.87 -0.83 0.69 -0.26 0.9 -0.2 0.87 0.11 -0.52 0.48 0.35 0.37 -0.07 "
    "-0.56 0.28 -0.79 0.38 0.27 -0.25 0.6 -0.61 -0.22 0.6",
    "float32 1,8,4: 0.5109771 0.2488245 0.7909125 0.7114665 0.5109771 0.2488245 0.7909125 "
    "0.7114665 0.03958341 0.3884141 0.3749335 0.829685 0.03958341 0.3884141 0.3749335 "
    "0.829685 0.4354887 0.1169474 0.9084429 0.3766661 0.4354887 0.1169474 0.9084429 0.3766661 "
    "0.2844303 0.2037211 0.6173612 0.4509409 0.2844303 0.2037211 0.6173612 0.4509409; float32 "
    "1,8: 2 0 0 2 1 0 0 1; float32 1,8: 0.895 0.87 0.799 0.32 0.707 0.019 0.507 0.506; "
    "float32 1: 4",
    NULL },
  { "../tflite-json/detection-by-class.json",
    "float32 1,6,4: -0.97 0.87 -0.83 0.69 -0.26 0.9 -0.2 0.87 0.11 -0.52 0.48 0.35 0.37 -0.07 "
    "-0.56 0.28 -0.79 0.38 0.27 -0.25 0.6 -0.61 -0.22 0.6",
    "float32 1,4,4: 0.5109771 0.2488245 0.7909125 0.7114665 0.5109771 0.2488245 0.7909125 "
    "0.7114665 0.03958341 0.3884141 0.3749335 0.829685 0.4354887 0.1169474 0.9084429 "
    "0.3766661; float32 1,4: 2 0 0 1; float32 1,4: 0.895 0.87 0.799 0.707; float32 1: 4",
    NULL },
  /* A spectrum of what is cut off in one axis and filled up in the other: its length and parts; and
   * MediaPipe's convolution, with both paddings. */
  { "../tflite-json/spectrum.json",
    "float32 2,3,5: -1.25 0.5 -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 "
    "-0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 1 0",
    "float32 2,4,3: 2.25 2.30488611 2.25 1.67705098 2.13600094 5.55090083 0.75 3.57945527 "
    "0.75 1.67705098 2.13600094 5.55090083 2 3.95284708 0.5 1.27475488 2.82842712 2.85043856 "
    "2.5 1.06066017 2 1.27475488 4.03112887 2.85043856; float32 2,4,3: -2.25 -2.25 -2.25 1.5 "
    "-2 -5.5 -0.75 -0.75 -0.75 1.5 2 -5.5 2 3.25 0.5 -1.25 -2 2.75 2.5 -0.75 2 -1.25 -3.5 "
    "2.75; float32 2,4,3: 0 -0.5 0 0.75 0.75 0.75 0 3.5 0 -0.75 -0.75 -0.75 0 2.25 0 0.25 -2 "
    "0.75 0 0.75 0 -0.25 2 -0.75",
    NULL },
  { "../tflite-json/mediapipe.json",
    "float32 1,2,3,2: -1.25 0.5 -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25",
    "float32 1,4,5,2: 1.6875 0.1875 2.3125 0.8125 1.5 0 1.25 -0.25 -0.0625 -1.5625 0 -1.5 "
    "1.1875 -0.3125 -0.75 -2.25 -1.375 -2.875 1.25 -0.25 -1.3125 -2.8125 -0.9375 -2.4375 "
    "0.9375 -0.5625 1.5 0 0.4375 -1.0625 0.5 -1 1.75 0.25 -0.25 -1.75 -1.5 -3 1.75 0.25; "
    "float32 1,5,5,2: 1.875 0.375 2.5 1 2.0625 0.5625 1.125 -0.375 -0.1875 -1.6875 1.3125 "
    "-0.1875 1.375 -0.125 -2.25 -3.75 0.1875 -1.3125 1.125 -0.375 -1.375 -2.875 -1 -2.5 "
    "-0.375 -1.875 1 -0.5 -0.0625 -1.5625 0.25 -1.25 1.5 0 -1.1875 -2.6875 0.9375 -0.5625 "
    "1.375 -0.125 1 -0.5 0.375 -1.125 1.0625 -0.4375 -0.375 -1.875 0.25 -1.25",
    NULL, TRUE },
  /* Windows that overlap and reach out, that lie side by side, and that have gaps between them. */
  { "../tflite-json/mediapipe-pool.json",
    "float32 2,5,4,2: -6.75 6.5 -2 -1 2.25 1.25 3.5 4 -6.25 1 -4 8 5.5 9 -3.75 5.25 -5.75 "
    "2.75 8.25 3.75 -4.75 -3 -4.5 11.5 3.25 7.75 -2.5 6 0.5 -2.25 7 -4.25 0.25 5.75 8.75 -6 "
    "-1.75 10.75 -0.5 1.5 -1.25 -0.75 6.75 2 12.25 -3.25 10.5 8.5 -7 1.75 4.5 -5 -6.5 4.75 "
    "3 -7.5 12 9.5 10 7.25 6.25 -5.25 2.5 11.75 -2.75 5 9.25 10.25 -1.5 -0.25 0.75 11 -7.25 "
    "-5.5 7.5 4.25 -3.5 9.75 11.25 0",
    "float32 2,5,2,2: 5.5 9 5.5 9 8.25 9 5.5 11.5 8.25 7.75 7 11.5 8.75 10.75 7 10.75 8.75 "
    "10.75 -0.5 10.75 12.25 4.75 12.25 8.5 12 9.5 6.25 11.75 12 10.25 6.25 11.75 9.25 10.25 "
    "11.25 11 7.5 9.75 11.25 9.75; float32 2,5,2,2: 5.1 5.1 3.1 3.1 4.1 2.1 0.1 4.1 1.1 3.1 "
    "4.1 1.1 4.1 5.1 1.1 3.1 1.1 2.1 1.1 0.1 2.1 5.1 0.1 1.1 3.1 3.1 3.1 4.1 0.1 4.1 0.1 "
    "1.1 1.1 1.1 4.1 1.1 1.1 2.1 1.1 0.1; float32 2,10,6,2: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
    "5.5 9 0 0 0 0 0 0 0 0 8.25 0 0 0 0 11.5 0 0 0 0 0 7.75 0 0 0 0 7 0 0 0 0 0 0 0 8.75 0 "
    "0 10.75 -0.5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
    "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 12.25 0 0 8.5 0 0 0 0 "
    "0 0 0 0 0 4.75 0 0 0 0 0 0 12 9.5 0 0 6.25 0 0 11.75 0 0 0 0 0 0 9.25 10.25 0 0 0 11 0 "
    "0 0 0 0 0 7.5 0 0 9.75 11.25 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
    "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0; float32 "
    "2,2,2,2: 0 6 5.5 6 6 6 6 6 6 2 6 6 6 6 6 6; float32 2,2,2,2: 1.1 3.1 2.1 2.1 1.1 2.1 "
    "3.1 1.1 1.1 1.1 0.1 1.1 0.1 3.1 0.1 1.1; float32 2,4,4,2: 0 0 0 0 0 0 0 0 0 0 0 6 5.5 "
    "6 0 0 0 0 6 0 0 0 0 6 0 6 0 0 0 0 6 0 0 0 6 2 6 0 0 6 0 0 0 0 0 0 0 0 6 0 0 0 6 0 0 6 "
    "0 0 0 6 0 0 0 0; float32 2,4,4,2: 0 0 0 0 0 0 0 0 0 6 0 0 0 0 0 0 0 0 0 0 0 0 0 0 6 0 "
    "0 0 0 0 0 0 6 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
    NULL, TRUE },
  { "../tflite-json/flex.json", "float32 4: -1 2 -0.5 0", "float32 4: -0.25 2 -0.125 0", NULL },
  /* TensorFlow's own file, with numbers of numpy. */
  { "../tensorflow/frozen.pb", "float32 2,3: 1 2 3 -1 0.5 0.25", "float32 2,2: 27.75 30 4.125 0",
    NULL },
  /* Five turns of 2 x + i: 32 x + 26. */
  { "while", "float32 1,2: 1 -0.5", "float32 1,2: 58 10; int32 : 5", NULL, TRUE },
  { "while", "float32 2,2: 0 1 2 3", "float32 2,2: 26 58 90 122; int32 : 5", NULL, TRUE },
  { "if", "float32 3: 1 5 3", "float32 2: 5 3; int32 2: 1 2", NULL },
  { "if", "float32 3: 1 -5 3", "float32 3: -1 5 -3; int32 1: 3", NULL },
  { "list", "float32 3,2: 1 2 3 4 5 6", "float32 3,2: 1 4 9 16 25 36; int32 : 3", NULL, TRUE },
  { "list", "float32 1,2: 1 2", NULL, "place 1 is out of range for 1 items" },
  { "stack", "float32 2: 3 4",
    "float32 2,2: -3 -4 3 4; float32 4: 3 4 -3 -4; float32 2: -3 -4; int32 : 1", NULL },
  /* A LSTM as Keras 2 saves it for a CPU, and a dense layer; numbers of numpy. */
  { "lstm", "float32 1,3,2: 0 1 2 3 4 5",
    "int32 : 3; int32 : -1; int32 : 3; float32 1,3: 0.16991272 0.31186003 0.51822725; "
    "float32 1,3,2: 0.05778573 -0.04530713 0.10403075 -0.27451353 0.06086149 -0.41656716; "
    "float32 1,2: 0.06086149 -0.41656716",
    NULL },
  /* Loops and lists by the frames, switches and arrays of TensorFlow 1. */
  { "frame", "float32 1,2: 1 -0.5", "float32 1,2: 58 10; int32 : 5", NULL, TRUE },
  { "frame-map", "float32 3,2: 1 2 3 4 5 6", "float32 3,2: 1 4 9 16 25 36; int32 : 3", NULL },
  { "frame-map", "float32 0,2:", "float32 0,2: ; int32 : 0", NULL },
  { "arrays", "float32 4,2: 1 2 3 4 5 6 7 8",
    "float32 3,2: 3 4 5 6 7 8; float32 4,2: 1 2 3 4 5 6 7 8; int64 2: 1 3; "
    "float32 3,2: 3 4 7 8 1 2; float32 1,2: 1 2",
    NULL },
  /* 0, then 10 and 11, then 20 to 22. */
  { "frame-nested", "float32 2: 0 1", "float32 2: 84 85; int32 : 3", NULL, TRUE },
  { "switch", "float32 2: 1 2", "float32 2: 4 6", NULL, TRUE },
  { "switch", "float32 2: 1 6", "float32 2: 108 118", NULL, TRUE },
  { "switch", "float32 2: -7 6", "float32 2: 13 0", NULL },
  /* Branches that are constants, and an assertion. */
  { "switch-constants", "float32 2: 1 2", "float32 2: 110 120", NULL },
  { "switch-constants", "float32 2: -1 -4", "float32 2: 0 2", NULL },
  /* 3 6, 9 18, -1 8, -3 24. */
  { "switch-frame", "float32 2: 1 2", "float32 2: -3 24", NULL },
  /* 12 3, 2 -7, 6 -21, 18 -63. */
  { "switch-frame", "float32 2: 4 1", "float32 2: 18 -63", NULL },
  /* Four turns of three, then four of two. */
  { "switch-frame", "float32 2: 0.01 0.02", "float32 2: 12.96 25.92", NULL },
  { "../openvino/iterate.xml", "float32 2,3,2: 0.1 -0.2 0.3 0.4 -0.5 0.6 1 -1 0.25 0.75 -0.125 0.5",
    "float32 2,3,2: 0.291312635 -0.481549799 0.287332535 0.507402301 -0.105934769 0.896422327 "
    "0.462117195 -0.905148208 0.341737628 0.780803561 0.107946575 0.883259296; float32 2,1,2: "
    "-0.105934769 0.896422327 0.107946575 0.883259296; "
    "float32 2,3,2: 0.1238041 0.0161629543 0.148885041 0.832328737 0 0.791337609 0.498086691 "
    "-0.908652365 0.0935165733 0.960519075 -0.0624187477 0.905148208; float32 2,1,2: 0.1238041 "
    "0.0161629543 0.498086691 -0.908652365",
    NULL },
  { "../openvino/loop.xml", "float32 2: 1 2",
    "float32 2: 58 90; float32 5,2: 2 4 5 9 12 20 27 43 58 90", NULL },
  { "../openvino/loop.xml", "float32 2: 60 70", "float32 2: 120 140; float32 1,2: 120 140", NULL },
  { "../openvino/choose.xml", "float32 3: 1 2 -2", "float32 3: 10 40 -60", NULL },
  { "../openvino/choose.xml", "float32 3: 1 -2 -2", "float32 3: -1 2 2", NULL },
  { "call", "float32 4: 1 2 3 4", "float32 1: 3; float32 1: 4", NULL },
};

static void
check (const GraphCase *self, SymRun *run, const SymModel *model, const SymInference *inference)
{
  const LowerCase expected = { self->file, "", self->input, self->results, NULL, 1e-6 };
  SymIds outputs = sym_model_get_outputs (model);
  g_auto (GStrv) results = g_strsplit (self->results, ";", -1);

  g_assert_cmpuint (outputs.n, ==, g_strv_length (results));
  for (guint i = 0; i < outputs.n; i++)
    {
      g_autoptr (SymDatum) datum = kernel_case_read (results[i]);
      const SymArray *array = sym_datum_get_array (sym_run_get (run, outputs.ids[i]));

      lower_case_check_type (&expected, inference, outputs.ids[i], array);
      kernel_case_compare (&expected, array, sym_datum_get_array (datum));
    }
}

static void
try (const GraphCase *self, SymModel *model, SymPlanOptions *options, const SymInference *inference)
{
  g_autoptr (SymPlan) plan = sym_plan_new (model, options, NULL, NULL);
  g_autoptr (SymRun) run = sym_run_new (plan);
  g_autoptr (SymDatum) input = kernel_case_read (self->input);
  g_autoptr (GError) error = NULL;
  gboolean done;

  g_assert_true (sym_run_feed (run, sym_model_get_inputs (model).ids[0], input, NULL));
  done = sym_run_execute (run, NULL, &error);
  if (self->error != NULL)
    {
      g_assert_false (done);
      g_assert_nonnull (strstr (error->message, self->error));
      return;
    }
  g_assert_no_error (error);
  check (self, run, model, inference);
}

/* What ONNX's operators make of it is the same. */
static void
try_written (const GraphCase *self, SymModel *model)
{
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *path = g_build_filename (folder, "written.onnx", NULL);
  g_autoptr (SymDatum) input = kernel_case_read (self->input);
  SymOverride given = { .value = sym_model_get_inputs (model).ids[0],
                        .has_shape = TRUE,
                        .shape = sym_datum_get_array (input)->shape };
  g_autoptr (SymInference) told = sym_infer (model, &given, 1, NULL, NULL);
  g_autoptr (SymModel) written = NULL;
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (GError) error = NULL;

  sym_io_write (sym_io_find_format ("onnx"), model, told, path, NULL, &error);
  g_assert_no_error (error);
  written = sym_io_read (path, NULL, &error);
  g_assert_no_error (error);
  inference = sym_infer (written, NULL, 0, NULL, NULL);
  try (self, written, NULL, inference);
  try (self, written, &(SymPlanOptions){ .inference = inference }, inference);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_graph (gconstpointer data)
{
  const GraphCase *self = data;
  g_autofree char *name =
      g_strconcat (self->file, g_str_has_prefix (self->file, "../") ? "" : ".json", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "tf-control", name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);
  g_autoptr (SymInference) inference = NULL;

  g_assert_no_error (error);
  inference = sym_infer (model, NULL, 0, NULL, NULL);
  try (self, model, NULL, inference);
  try (self, model, &(SymPlanOptions){ .inference = inference }, inference);
  if (self->is_written)
    try_written (self, model);
}

/* What TensorFlow stores of an array: a handle of two elements, and a flow that is a scalar. */
static void
stored_shapes_of_arrays_agree (void)
{
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "fixtures", "tensorflow", "arrays.pbtxt", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);
  g_autoptr (SymInference) inference = NULL;

  g_assert_no_error (error);
  inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_assert_cmpuint (sym_problems_get_n (sym_inference_get_problems (inference)), ==, 0);
}

/* The fixture stores the right shape; a 7 in place of a 3 is a contradiction. */
static void
stored_shapes_that_differ_are_told (void)
{
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "fixtures", "tfjs-graph", "stored-shapes.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  char *place;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  place = strstr (text, "\"_output_shapes\"");
  g_assert_nonnull (place);
  place = strstr (place, "\"3\"");
  g_assert_nonnull (place);

  for (int round = 0; round < 2; round++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
      g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "stored", &error);
      g_autoptr (SymInference) inference = NULL;
      const SymProblems *problems;

      g_assert_no_error (error);
      inference = sym_infer (model, NULL, 0, NULL, NULL);
      problems = sym_inference_get_problems (inference);
      g_assert_true ((sym_problems_get_n (problems) > 0) == (round == 1));
      if (round == 1)
        g_assert_nonnull (strstr (sym_problems_get (problems, 0)->message, "[?,7,3,4]"));
      place[1] = '7';
    }
}

/* Each of them calls the next ten times: all together they are 10^14. */
static void
functions_that_would_be_too_many_are_told (void)
{
  g_autoptr (GString) text = g_string_new (
      "{\"node\": [{\"name\": \"x\", \"op\": \"Placeholder\"}, {\"name\": \"y\", \"op\": "
      "\"PartitionedCall\", \"input\": [\"x\"], \"attr\": {\"f\": {\"func\": {\"name\": "
      "\"f0\"}}}}], \"library\": {\"function\": [");
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;
  gboolean is_told = FALSE;

  for (int k = 0; k < 14; k++)
    {
      g_string_append_printf (text, "%s{\"signature\": {\"name\": \"f%d\"}, \"nodeDef\": [",
                              k == 0 ? "" : ", ", k);
      for (int i = 0; i < 10; i++)
        g_string_append_printf (text,
                                "%s{\"name\": \"n%d\", \"op\": \"PartitionedCall\", \"attr\": "
                                "{\"f\": {\"func\": {\"name\": \"f%d\"}}}}",
                                i == 0 ? "" : ", ", i, k + 1);
      g_string_append (text, "]}");
    }
  g_string_append (text, "]}}");
  bytes = g_bytes_new (text->str, text->len);
  model = sym_io_read_bytes (bytes, "functions", &error);
  g_assert_no_error (error);
  for (guint i = 0; i < sym_problems_get_n (sym_model_get_problems (model)); i++)
    is_told = is_told || strstr (sym_problems_get (sym_model_get_problems (model), i)->message,
                                 "would be too large") != NULL;
  g_assert_true (is_told);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/run/tf-control/%u-%s", i, cases[i].file);

      g_test_add_data_func (path, &cases[i], test_graph);
    }
  g_test_add_func ("/run/tf-control/stored-shapes-of-arrays-agree", stored_shapes_of_arrays_agree);
  g_test_add_func ("/run/tf-control/stored-shapes-that-differ-are-told",
                   stored_shapes_that_differ_are_told);
  g_test_add_func ("/run/tf-control/functions-that-would-be-too-many-are-told",
                   functions_that_would_be_too_many_are_told);
  return g_test_run ();
}
