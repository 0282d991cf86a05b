/* SPDX-License-Identifier: MIT */
#include "core/sym-infer.h"
#include "io/sym-io.h"

#include <string.h>

/* Sizes that TensorFlow's graphs work out from shapes: what a reshape by them makes. */

#define LIST(name, n, numbers)                                                                   \
  "node { name: \"" name "\" op: \"Const\" "                                                     \
  "attr { key: \"dtype\" value { type: DT_INT32 } } "                                            \
  "attr { key: \"value\" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: " n " } } " \
  "int_val: [" numbers "] } } } } "
#define NUMBER(name, number)                                                                 \
  "node { name: \"" name "\" op: \"Const\" "                                                 \
  "attr { key: \"dtype\" value { type: DT_INT32 } } "                                        \
  "attr { key: \"value\" value { tensor { dtype: DT_INT32 tensor_shape { } int_val: " number \
  " } } } } "
#define INPUT                                                                                     \
  "node { name: \"x\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_FLOAT } } "      \
  "attr { key: \"shape\" value { shape { dim { size: -1 } dim { size: 4 } dim { size: 6 } } } } " \
  "} "                                                                                            \
  "node { name: \"shape\" op: \"Shape\" input: \"x\" "                                            \
  "attr { key: \"out_type\" value { type: DT_INT32 } } } "
#define BATCH                                                                                    \
  LIST ("zero", "1", "0")                                                                        \
  LIST ("one", "1", "1")                                                                         \
  "node { name: \"batch\" op: \"StridedSlice\" input: \"shape\" input: \"zero\" input: \"one\" " \
  "input: \"one\" attr { key: \"shrink_axis_mask\" value { i: 1 } } } "
#define RESHAPE                                                       \
  "node { name: \"y\" op: \"Reshape\" input: \"x\" input: \"sizes\" " \
  "attr { key: \"T\" value { type: DT_FLOAT } } }"

static const struct {
  const char *what, *text, *shape;
} cases[] = {
  { "Pack of the batch, -1 and a number",
    INPUT BATCH NUMBER ("rest", "-1")
        NUMBER ("two", "2") "node { name: \"sizes\" op: \"Pack\" input: \"batch\" input: \"rest\" "
                            "input: \"two\" } " RESHAPE,
    "?,12,2" },
  { "ConcatV2 of the batch and -1",
    INPUT LIST ("zero", "1", "0") LIST ("rest", "1", "-1")
        NUMBER ("axis",
                "0") "node { name: \"batch\" op: \"GatherV2\" input: \"shape\" input: \"zero\" "
                     "input: \"axis\" } node { name: \"sizes\" op: \"ConcatV2\" input: \"batch\" "
                     "input: \"rest\" input: \"axis\" } " RESHAPE,
    "?,24" },
  { "Pack of what Unpack takes apart",
    INPUT "node { name: \"part\" op: \"Unpack\" input: \"shape\" attr { key: \"num\" value { i: 3 "
          "} } } node { name: \"sizes\" op: \"Pack\" input: \"part\" input: \"part:2\" "
          "input: \"part:1\" } " RESHAPE,
    "?,6,4" },
  { "SparseToDense of no places",
    INPUT
    "node { name: \"no\" op: \"Const\" attr { key: \"dtype\" value { type: DT_INT32 } } "
    "attr { key: \"value\" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 0 } "
    "dim { size: 1 } } } } } } " LIST ("n", "1", "2") LIST ("plus", "2", "-1, 24")
        LIST ("none", "0", "")
            NUMBER ("nought", "0") "node { name: \"zeros\" op: \"SparseToDense\" input: \"no\" "
                                   "input: \"n\" input: \"none\" input: \"nought\" } "
                                   "node { name: \"sizes\" op: \"AddV2\" input: \"zeros\" "
                                   "input: \"plus\" } " RESHAPE,
    "?,24" },
  { "SparseToDense of a number for all places",
    INPUT LIST ("places", "2", "0, 2") LIST ("n", "1", "3") NUMBER ("twice", "2")
        NUMBER ("rest", "-1") "node { name: \"sizes\" op: \"SparseToDense\" input: \"places\" "
                              "input: \"n\" input: \"twice\" input: \"rest\" } " RESHAPE,
    "2,?,2" },
};

static void
sizes_flow_into_reshapes (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (cases[i].text, strlen (cases[i].text));
      g_autoptr (GError) error = NULL;
      g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "sizes.pbtxt", &error);
      g_autoptr (SymInference) inference = NULL;
      g_autofree char *shape = NULL;
      SymIds outputs;
      SymType type;

      g_assert_no_error (error);
      outputs = sym_model_get_outputs (model);
      inference = sym_infer (model, NULL, 0, NULL, NULL);
      g_assert_cmpuint (sym_problems_get_n (sym_inference_get_problems (inference)), ==, 0);
      type = sym_inference_get_type (inference, outputs.ids[outputs.n - 1]);
      shape = sym_inference_format_shape (inference, &type.shape, ",");
      g_test_message ("%s: %s", cases[i].what, shape);
      g_assert_cmpstr (shape, ==, cases[i].shape);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tensorflow/sizes-flow-into-reshapes", sizes_flow_into_reshapes);
  return g_test_run ();
}
