/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "io/sym-onnx-write-private.h"
#include "lower-case.h"

/* What ONNX took back, by its formulas: log (1 + e) is 1.3132617, tanh 1 is 0.76159416. */
static const LowerCase cases[] = {
  { ":Affine", "alpha=2.0; beta=-1.0", "float32 2: 3 0.5", "float32 2: 5 0" },
  { ":Affine", "", "float32 2: 3 0.5", "float32 2: 3 0.5" },
  { ":Scale", "scale=0.5", "float32 2: 3 -4", "float32 2: 1.5 -2" },
  { ":ParametricSoftplus", "alpha=2.0; beta=0.5", "float32 1: 2", "float32 1: 2.6265234",
    .tolerance = 1e-6 },
  { ":ScaledTanh", "alpha=3.0; beta=0.5", "float32 2: 2 0", "float32 2: 2.2847825 0",
    .tolerance = 1e-6 },
  { ":ThresholdedRelu", "alpha=2.0", "float32 3: 1 2 3", "float32 3: 0 0 3" },
  /* Two channels of one row. */
  { ":ImageScaler", "scale=2.0; bias=[10.0, -1.0]", "float32 1,2,1,2: 1 2 3 4",
    "float32 1,2,1,2: 12 14 5 7" },
  { ":ImageScaler", "scale=2.0", "float32 1,1,1,2: 1 2", "float32 1,1,1,2: 2 4" },
  { ":ImageScaler", "bias=[1.0, 2.0]", "float32 1,1,1,1: 0", .error = "2 biases for 1 channels" },
  { ":ImageScaler", "bias=[1.0]", "float32 1,1: 0", .error = "should have 4 axes, and has 2" },
  /* 3 by 4 pixels from 0 to 11: the left column and the lower row go. */
  { ":Crop", "border=[1, 0, 0, 1]", "float32 1,1,3,4: 0 1 2 3 4 5 6 7 8 9 10 11",
    "float32 1,1,2,3: 1 2 3 5 6 7" },
  /* The upper row and the left column go, then one row and two columns stay. */
  { ":Crop", "border=[1, 1, 0, 0]; scale=[1, 2]", "float32 1,1,3,4: 0 1 2 3 4 5 6 7 8 9 10 11",
    "float32 1,1,1,2: 5 6" },
  { ":Crop", "border=[1, 0]", "float32 1,1,1,1: 0", .error = "should have 4 numbers" },
  { ":DynamicSlice", "", "float32 2,3: 0 1 2 3 4 5; int64 2: 0 1; int64 2: 1 3",
    "float32 1,2: 1 2" },
  { ":DynamicSlice", "", "float32 2,3: 0 1 2 3 4 5; int64 1: -1; int64 1: 100; int64 1: 1",
    "float32 2,1: 2 5" },
  { NULL },
};

/* What came into ONNX later, by what it had before. */
static const LowerCase older_cases[] = {
  { "onnx-older:Gelu", "", "float32 4: -2 -0.5 0 1.5",
    "float32 4: -0.0455002639 -0.154268769 0 1.3997892", .tolerance = 1e-6 },
  { "onnx-older:Gelu", "approximate=tanh", "float32 4: -2 -0.5 0 1.5",
    "float32 4: -0.0454023059 -0.15428599 0 1.39957158", .tolerance = 1e-6 },
  { "onnx-older:Mish", "", "float32 4: -2 -0.5 0 1.5",
    "float32 4: -0.252501483 -0.220743775 0 1.40337827", .tolerance = 1e-6 },
  { "onnx-older:GroupNormalization", "num_groups=2; epsilon=0.0009765625",
    "float32 1,4,2,2: 1 2 4 -1 0 3 -2 5 2 2 1 0 -3 1 4 4; float32 4: 1.5 -2 0.5 1; float32 4: 0.25 "
    "0 -1 2",
    "float32 1,4,2,2: -0.0772963963 0.577296396 1.88648198 -1.38648198 1.30918559 -1.30918559 "
    "3.05476637 -3.05476637 -0.852445732 -0.852445732 -1.08853256 -1.32461939 -0.0657597583 "
    "1.82293488 3.23945585 3.23945585",
    .tolerance = 1e-5 },
  { "onnx-older:GroupNormalization", "num_groups=1",
    "float32 4: 1 2 3 4; float32 4: 1 1 1 1; "
    "float32 4: 0 0 0 0",
    .error = "there are no groups" },
  { NULL },
};

/* Layers of other frameworks are written for tools that know operator set 17. */
static void
writes_what_set_17_has (void)
{
  static const char keras[] =
      "{\"class_name\": \"Sequential\", \"config\": {\"name\": \"m\", \"layers\": ["
      "{\"class_name\": \"GroupNormalization\", \"config\": {\"name\": \"norm\", \"groups\": 2,"
      " \"batch_input_shape\": [1, 4, 4, 8]}},"
      "{\"class_name\": \"Activation\", \"config\": {\"name\": \"a\", \"activation\": \"gelu\"}},"
      "{\"class_name\": \"Activation\", \"config\": {\"name\": \"b\", \"activation\": "
      "\"mish\"}}]}, \"keras_version\": \"3.4.0\"}";
  g_autoptr (GBytes) bytes = g_bytes_new_static (keras, strlen (keras));
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *path = g_build_filename (folder, "net.onnx", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "net.json", &error);
  g_autoptr (SymModel) written = NULL;

  g_assert_no_error (error);
  sym_io_write (sym_io_find_format ("onnx"), model, NULL, path, NULL, &error);
  g_assert_no_error (error);
  written = sym_io_read (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_model_get_n_calls (written), >, 3);
  for (SymId call = 0; call < sym_model_get_n_calls (written); call++)
    {
      const SymOperator *op = sym_layer_get_operator (sym_model_get_layer (written, call));

      g_assert_true (op == sym_op_find ("", op->name, 17));
    }
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static gboolean
has_older (int version)
{
  const SymOperator *op = sym_op_find ("", "GroupNormalization", version);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  g_autoptr (SymLayer) layer = sym_layer_new ("norm", op, attributes);
  g_autoptr (SymLayer) older = sym_onnx_find_older (layer);

  return older != NULL;
}

/* Of version 18 the scales are of groups, not of channels. */
static void
older_is_of_the_newest_meaning (void)
{
  g_assert_true (has_older (21));
  g_assert_false (has_older (18));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("onnx-early", cases);
  lower_case_add_all ("onnx-older", older_cases);
  g_test_add_func ("/run/lower/onnx-older/is-what-other-frameworks-are-written-in",
                   writes_what_set_17_has);
  g_test_add_func ("/run/lower/onnx-older/is-of-the-newest-meaning",
                   older_is_of_the_newest_meaning);
  return g_test_run ();
}
