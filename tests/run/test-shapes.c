/* SPDX-License-Identifier: MIT */
#include "core/sym-settle.h"
#include "io/sym-io.h"
#include "run/sym-run-fill.h"

/* Models in ONNX's text.  Sizes that nobody tells, and how far random indices may go. */

#define HEAD "<ir_version: 10, opset_import: [\"\" : 18]>\n"

static SymModel *
read_text (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_bytes (bytes, "m.onnxtxt", &error);

  g_assert_no_error (error);
  return model;
}

/* The inputs of @text after settling, "2,3 1", with @shape given for the first one. */
static char *
settle (const char *text, const SymShape *shape, char **taken)
{
  g_autoptr (SymModel) model = read_text (text);
  SymIds inputs = sym_model_get_inputs (model);
  SymOverride given = { .value = inputs.ids[0], .has_shape = TRUE };
  guint n = shape == NULL ? 0 : 1;
  g_autoptr (SymInference) first = NULL, second = NULL;
  g_autoptr (GArray) overrides = NULL;
  GString *shapes = g_string_new (NULL);

  if (shape != NULL)
    given.shape = *shape;
  first = sym_infer (model, &given, n, NULL, NULL);
  overrides = sym_settle_shapes (first, &given, n, taken);
  second = sym_infer (model, (const SymOverride *) overrides->data, overrides->len, NULL, NULL);
  for (guint i = 0; i < inputs.n; i++)
    {
      SymType type = sym_inference_get_type (second, inputs.ids[i]);
      g_autofree char *one = sym_inference_format_shape (second, &type.shape, ",");

      g_string_append_printf (shapes, "%s%s", i > 0 ? " " : "", one);
    }
  return g_string_free (shapes, FALSE);
}

static void
assert_settled (const char *text, const SymShape *shape, const char *shapes, const char *taken)
{
  g_autofree char *told = NULL;
  g_autofree char *found = settle (text, shape, &told);

  g_assert_cmpstr (found, ==, shapes);
  g_assert_cmpstr (told, ==, taken);
}

static void
untold_sizes_are_one (void)
{
  assert_settled (HEAD "m (float[N, 3] x, float[N, ?] y) => (float[N, 3] z) { z = Relu (x) }", NULL,
                  "1,3 1,1", "N and axis 1 of “y”");
  assert_settled (HEAD "m (float[2, 3] x) => (float[2, 3] z) { z = Relu (x) }", NULL, "2,3", NULL);
}

/* ONNX's text has no sums. */
#define INPUT(name, size)                                                 \
  "{\"name\": \"" name "\", \"type\": {\"tensorType\": {\"elemType\": 1," \
  " \"shape\": {\"dim\": [{\"dimParam\": \"" size "\"}]}}}}"

static void
sums_follow_their_names (void)
{
  assert_settled ("{\"irVersion\": \"8\", \"opsetImport\": [{\"version\": \"17\"}],"
                  " \"graph\": {\"name\": \"m\","
                  "  \"node\": [{\"input\": [\"x\"], \"output\": [\"z\"], \"opType\": \"Relu\"}],"
                  "  \"input\": [" INPUT ("x", "past") ", " INPUT (
                      "y", "past + now") "],"
                                         "  \"output\": [" INPUT ("z", "past") "]}}",
                  NULL, "1 2", "past and now");
}

static void
a_name_has_one_size (void)
{
  assert_settled (HEAD "m (float[N, 3] x, float[N, k] y) => (float[N, 3] z) { z = Relu (x) }",
                  &SYM_SHAPE (4, 3), "4,3 4,1", "k");
}

static void
what_layers_tell_is_no_guess (void)
{
  assert_settled (HEAD "m (float[?, k] x) => (float[?, 2] z) <float[3, 2] w = {1, 2, 3, 4, 5, 6}>"
                       "{ z = MatMul (x, w) }",
                  NULL, "1,3", "axis 0 of “x”");
}

/* ---- Indices ---- */

static guint
find_limit (const char *text)
{
  g_autoptr (SymModel) model = read_text (text);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);

  return sym_run_fill_find_limit (inference, sym_model_get_inputs (model).ids[0]);
}

static void
indices_stay_below_what_they_pick_from (void)
{
  g_assert_cmpuint (find_limit (HEAD "m (int64[2] i) => (float[2] z) <float[2] w = {1, 2}>"
                                     "{ z = Gather (w, i) }"),
                    ==, 2);
  g_assert_cmpuint (find_limit (HEAD "m (int32[2] i) => (float[2, 1] z) <float[3] w = {1, 2, 3}>"
                                     "{ j = Cast <to = 7> (i) a = Constant <value_ints = [1]> ()"
                                     "  k = Unsqueeze (j, a) z = Gather <axis = -1> (w, k) }"),
                    ==, 3);
  g_assert_cmpuint (find_limit (HEAD "m (int64[2] i) => (int64[2] z) { z = Add (i, i) }"), ==,
                    SYM_RUN_FILL_LIMIT);
}

static void
places_stay_within_what_they_name (void)
{
  g_assert_cmpuint (find_limit (HEAD
                                "m (int64[1, 2] i, float[3, 4] x, float[1, 2] u) => (float[3, 4] z)"
                                "{ z = ScatterElements <axis = 1> (x, i, u) }"),
                    ==, 4);
  g_assert_cmpuint (find_limit (HEAD "m (int64[5, 2] i, float[7, 3, 4] x) => (float[5, 4] z)"
                                     "{ z = GatherND (x, i) }"),
                    ==, 3);
  g_assert_cmpuint (find_limit (HEAD "m (int64 i, float[7, 3] x) => (float[7, 3] z)"
                                     "{ z = CumSum (x, i) }"),
                    ==, 2);
  g_assert_cmpuint (find_limit (HEAD "m (int64[2] i, float[1, 1, 8, 8] x, float[2, 4] r)"
                                     "=> (float[2, 1, 1, 1] z) { z = RoiAlign (x, r, i) }"),
                    ==, 1);
}

/* Whatever the file says of its axes. */
static void
wrong_axes_are_no_places (void)
{
  static const char *const wrong[] = { "-100000000000", "9223372036854775807", "2", "-1" };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *text = g_strdup_printf (
          HEAD "m (int64[5, 2] i, float[7, 3] x) => (float[5] z)"
               "{ z = GatherND <batch_dims = %s> (x, i) y = Gather <axis = %s> (x, i) }",
          wrong[i], wrong[i]);

      g_assert_cmpuint (find_limit (text), ==, i < 3 ? SYM_RUN_FILL_LIMIT : 3);
    }
}

/* One that makes nothing, before one whose result is of another value. */
static void
layers_without_results_hand_nothing_on (void)
{
  g_assert_cmpuint (find_limit (HEAD "m (int64[2] i, int64[2] j) => (float[2] z)"
                                     "<float[2] w = {1, 2}>"
                                     "{ = Identity (i) p = Identity (j) z = Gather (w, p) }"),
                    ==, SYM_RUN_FILL_LIMIT);
}

#define WITHIN "<ir_version: 8, opset_import: [\"\" : 17, \"f\" : 1]>\n"

static void
indices_are_followed_into_layers (void)
{
  g_assert_cmpuint (find_limit (WITHIN
                                "m (int64[2] i) => (float[2] z) <float[3] w = {1, 2, 3}>"
                                "{ j = f.again (i) z = f.pick (w, j) }"
                                "<opset_import: [\"\" : 17], domain: \"f\"> again (a) => (b)"
                                "{ b = Identity (a) }"
                                "<opset_import: [\"\" : 17], domain: \"f\"> pick (t, a) => (b)"
                                "{ b = Gather (t, a) }"),
                    ==, 3);
  g_assert_cmpuint (
      find_limit ("{\"class_name\": \"Sequential\", \"config\": {\"name\": \"s\","
                  " \"layers\": [{\"class_name\": \"InputLayer\", \"config\": {\"name\": \"i\","
                  " \"batch_input_shape\": [1, 5], \"dtype\": \"int32\"}},"
                  " {\"class_name\": \"Embedding\", \"config\": {\"name\": \"e\","
                  " \"input_dim\": 6, \"output_dim\": 2}}]},"
                  " \"keras_version\": \"2.4.0\", \"backend\": \"tensorflow\"}"),
      ==, 6);
}

static void
random_integers_keep_to_the_limit (void)
{
  g_autoptr (SymDatum) datum =
      sym_run_fill_below (SYM_RUN_FILL_RANDOM, SYM_DTYPE_INT64, &SYM_SHAPE (100), 7, 3, NULL);
  const gint64 *numbers = sym_datum_get_array (datum)->data;
  guint met[3] = { 0 };

  for (guint i = 0; i < 100; i++)
    {
      g_assert_cmpint (numbers[i], >=, 0);
      g_assert_cmpint (numbers[i], <, 3);
      met[numbers[i]]++;
    }
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (met[i], >, 0);
}

/* What holds tensors gets some, of a size that nobody need tell. */
static void
what_holds_tensors_gets_some (void)
{
  static const struct {
    SymKind kind;
    SymShape shape;
    guint n_items, n_elements; /* 0: refused */
  } cases[] = {
    { SYM_KIND_SEQUENCE, { 2, { 3, SYM_DIM_UNKNOWN } }, 2, 3 },
    { SYM_KIND_OPTIONAL, { 1, { 4 } }, 1, 4 },
    { SYM_KIND_SEQUENCE, { -1 }, 0, 0 },
    { SYM_KIND_TUPLE, { 1, { 4 } }, 0, 0 },
    { SYM_KIND_OPAQUE, { 1, { 4 } }, 0, 0 },
    { SYM_KIND_TENSOR, { 1, { SYM_DIM_UNKNOWN } }, 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymType type = { .kind = cases[i].kind, .shape = cases[i].shape };
      g_autoptr (GError) error = NULL;
      g_autoptr (SymDatum) datum = sym_run_fill_type (SYM_RUN_FILL_RANDOM, &type, 1, 10, &error);

      g_assert_true ((datum == NULL) == (cases[i].n_items == 0));
      g_assert_true ((datum == NULL) == (error != NULL));
      if (datum == NULL)
        continue;
      g_assert_cmpint (sym_datum_get_kind (datum), ==, cases[i].kind);
      g_assert_cmpint (sym_datum_get_dtype (datum), ==, SYM_DTYPE_FLOAT32);
      g_assert_cmpuint (sym_datum_get_n_items (datum), ==, cases[i].n_items);
      for (guint j = 0; j < cases[i].n_items; j++)
        g_assert_cmpuint (
            sym_array_get_n_elements (sym_datum_get_array (sym_datum_get_item (datum, j))), ==,
            cases[i].n_elements);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/shapes/untold-sizes-are-one", untold_sizes_are_one);
  g_test_add_func ("/run/shapes/sums-follow-their-names", sums_follow_their_names);
  g_test_add_func ("/run/shapes/a-name-has-one-size", a_name_has_one_size);
  g_test_add_func ("/run/shapes/what-layers-tell-is-no-guess", what_layers_tell_is_no_guess);
  g_test_add_func ("/run/shapes/indices-stay-below-what-they-pick-from",
                   indices_stay_below_what_they_pick_from);
  g_test_add_func ("/run/shapes/wrong-axes-are-no-places", wrong_axes_are_no_places);
  g_test_add_func ("/run/shapes/layers-without-results-hand-nothing-on",
                   layers_without_results_hand_nothing_on);
  g_test_add_func ("/run/shapes/places-stay-within-what-they-name",
                   places_stay_within_what_they_name);
  g_test_add_func ("/run/shapes/indices-are-followed-into-layers",
                   indices_are_followed_into_layers);
  g_test_add_func ("/run/shapes/random-integers-keep-to-the-limit",
                   random_integers_keep_to_the_limit);
  g_test_add_func ("/run/shapes/what-holds-tensors-gets-some", what_holds_tensors_gets_some);
  return g_test_run ();
}
