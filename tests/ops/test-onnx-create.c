/* SPDX-License-Identifier: MIT */
#include "kernel-case.h"
#include "rule-case.h"

static const KernelCase casts[] = {
  { "Cast", "to=\"int32\"", "float32 4: 1.9 -1.9 3 0", "int32 4: 1 -1 3 0" },
  { "Cast", "to=7", "bool 2: 1 0", "int64 2: 1 0" },
  { "Cast", "to=2", "int32 3: 256 -1 7", "uint8 3: 0 255 7" },
  { "Cast", "to=9", "float32 3: 0 -0.5 nan", "bool 3: 0 1 1" },
  { "Cast", "to=10", "float32 3: 1 65504 1e6", "float16 3: 1 65504 inf" },
  { "Cast", "to=1", "string 5: 3.5 -INF nan 1e3 7", "float32 5: 3.5 -inf nan 1000 7" },
  { "Cast", "to=7", "string 2: 9223372036854775807 2.7", "int64 2: 9223372036854775807 2" },
  { "Cast", "to=1", "string 1: seven", .error = "element 0, \"seven\", is no number" },
  { "Cast", "to=8", "float32 3: 0.1 1.5 -2.25", "string 3: 0.1 1.5 -2.25" },
  { "Cast", "to=8", "int64 2: -5 12", "string 2: -5 12" },
  { "Cast-1", "to=\"DOUBLE\"", "int8 1: -3", "float64 1: -3" },
  { "Cast", "to=99", "int8 1: -3", .error = "the attribute to is no dtype" },
  { "Cast", "to=1; round_mode=\"even\"", "int8 1: -3", .error = "round_mode is \"even\"" },
  { "Cast", "to=6", "float32 0,3:", "int32 0,3:" },
  { "CastLike", "", "float32 2: 1.5 2.5; int8 1: 0", "int8 2: 1 2" },
  { "CastLike", "", "float32 2: 1.5 2.5", .error = "operand 1 (target_type) must be a tensor" },
  { "BitCast", "to=6", "float32 2: 1 -0", "int32 2: 1065353216 -2147483648" },
  { "BitCast", "to=7", "float32 2: 1 -0", .error = "the bits of float32 are not those of int64" },
  { "BitCast", "to=7", "string 1: a", .error = "the bits of string" },
  { NULL },
};

static const KernelCase numbers[] = {
  { "ConstantOfShape", "", "int64 2: 2 1", "float32 2,1: 0 0" },
  { "ConstantOfShape", "", "int64 0:", "float32 : 0" },
  { "ConstantOfShape", "", "int64 1: 0", "float32 0:" },
  { "ConstantOfShape", "", "int64 1: -1", .error = "a size is negative" },
  { "ConstantOfShape", "", "int64 1: 4611686018427387904", .error = "a float32 tensor of shape" },
  { "ConstantOfShape", "", "float32 1: 1", .error = "must be of integers" },
  { "Constant", "value_int=7", "", "int64 : 7" },
  { "Constant", "value_ints=[7, -8]", "", "int64 2: 7 -8" },
  { "Constant", "value_float=1.5", "", "float32 : 1.5" },
  { "Constant", "value_floats=[1.5, 2]", "", "float32 2: 1.5 2" },
  { "Constant", "value_string=\"a\"", "", "string : a" },
  { "Constant", "value_strings=['a', 'b']", "", "string 2: a b" },
  { "Constant", "value_ints=[7, 1.5]", "", .error = "not of int64" },
  { "Constant", "", "", .error = "a constant without a value" },
  { "Range", "", "int64 : 3; int64 : 9; int64 : 3", "int64 2: 3 6" },
  { "Range", "", "int32 : 10; int32 : 4; int32 : -2", "int32 3: 10 8 6" },
  { "Range", "", "float32 : 1; float32 : 5; float32 : 2", "float32 2: 1 3" },
  { "Range", "", "int16 : 1; int16 : 1; int16 : 2", "int16 0:" },
  { "Range", "",
    "int64 : -9223372036854775808; int64 : 9223372036854775807; int64 : 9223372036854775807",
    "int64 3: -9223372036854775808 -1 9223372036854775806" },
  { "Range", "", "int64 : 0; int64 : 5; int64 : 0", .error = "delta is 0" },
  { "Range", "", "float32 : 0; float32 : inf; float32 : 1", .error = "there is no end" },
  { "Range", "", "float32 : 0; float32 : nan; float32 : 1", .error = "there is no end" },
  { "Range", "", "float32 : 0; int64 : 5; int64 : 1", .error = "one number of one dtype" },
  { "EyeLike", "", "int32 2,3: 0 0 0 0 0 0", "int32 2,3: 1 0 0 0 1 0" },
  { "EyeLike", "k=1; dtype=11", "int32 2,3: 0 0 0 0 0 0", "float64 2,3: 0 1 0 0 0 1" },
  { "EyeLike", "k=-1", "bool 2,2: 0 0 0 0", "bool 2,2: 0 0 1 0" },
  { "EyeLike", "k=9223372036854775807", "int8 1,1: 0", "int8 1,1: 0" },
  { "EyeLike", "k=-9223372036854775808", "int8 1,1: 0", "int8 1,1: 0" },
  { "EyeLike", "", "int32 2: 0 0", .error = "must have 2 axes and has 1" },
  { NULL },
};

static const RuleCase rules[] = {
  { "Cast", "to=int64", "2,?:float32", NULL, "2,?:int64", .domain = "" },
  { "CastLike", "", "2:float32 3,4:int8", NULL, "2:int8", .domain = "" },
  { "ConstantOfShape", "", "3:int64", NULL, "?,?,?:float32", .domain = "" },
  { "Constant", "value_ints=[1, 2, 3]", "", NULL, "3:int64", .domain = "" },
  { "Clip", "", "2:int8 1:int8", NULL, "2:int8", .domain = "" },
  { "Range", "", "():int64 () ()", NULL, "?:int64", .domain = "" },
  { "EyeLike", "dtype=int64", "2,3:float32", NULL, "2,3:int64", .domain = "" },
  { NULL },
};

static void
shapes_follow (gconstpointer data)
{
  rule_case_run (data);
}

/* A layer whose attribute `value` is a tensor of the two bytes -3 and 5, or of the first alone. */
static SymLayer *
new_layer (const char *type, gint64 n)
{
  static const gint8 numbers_of_tensor[] = { -3, 5 };
  g_autoptr (GBytes) bytes = g_bytes_new_static (numbers_of_tensor, (gsize) n);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  g_autoptr (SymTensor) tensor = sym_tensor_new (SYM_DTYPE_INT8, &SYM_SHAPE (n), blob, 0, NULL);

  sym_attributes_set (attributes, "value", sym_value_new_tensor (tensor), NULL);
  return sym_layer_new (type, sym_op_find ("", type, 0), attributes);
}

static void
run_layer (SymLayer *layer, const char *operand, const char *expected, const char *message)
{
  g_autoptr (SymKernel) kernel = sym_kernel_new (layer, NULL);
  SymDatum *input = kernel_case_read (operand), *output = NULL;
  g_autoptr (GError) error = NULL;
  gboolean done = sym_kernel_run (kernel, &input, input == NULL ? 0 : 1, &output, 1, NULL, &error);

  if (message == NULL)
    {
      g_autoptr (SymDatum) right = kernel_case_read (expected);

      g_assert_no_error (error);
      kernel_case_compare (&(KernelCase){ .op = "" }, sym_datum_get_array (output),
                           sym_datum_get_array (right));
    }
  else
    {
      g_assert_false (done);
      g_assert_nonnull (strstr (error->message, message));
    }
  g_clear_pointer (&input, sym_datum_unref);
  g_clear_pointer (&output, sym_datum_unref);
}

static void
tensors_among_attributes_are_values (void)
{
  g_autoptr (SymLayer) constant = new_layer ("Constant", 2);
  g_autoptr (SymLayer) filled = new_layer ("ConstantOfShape", 1);
  g_autoptr (SymLayer) wrong = new_layer ("ConstantOfShape", 2);

  run_layer (constant, "-", "int8 2: -3 5", NULL);
  run_layer (filled, "int64 2: 2 3", "int8 2,3: -3 -3 -3 -3 -3 -3", NULL);
  run_layer (wrong, "int64 1: 2", NULL, "must be a tensor of one number");
}

/* Range (0, the third number of [2, 5, 7], 1): the numbers go through Cast, Max and Range. */
static void
small_integers_are_followed (void)
{
  static const char *const operands[] = { "value_int=0", "value_int=7", "value_int=1" };
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_MXNET);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymInference) inference = NULL;
  SymType type;
  SymId ids[3], call;

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (SymLayer) constant =
          kernel_case_new_layer (&(KernelCase){ .op = "Constant", .attributes = operands[i] });
      g_autoptr (SymLayer) cast =
          kernel_case_new_layer (&(KernelCase){ .op = "Cast", .attributes = "to=6" });

      call = sym_model_builder_add_call (builder, "c", constant, NULL, 0, 1);
      ids[i] = sym_model_builder_get_result (builder, call, 0);
      call = sym_model_builder_add_call (builder, "t", cast, &ids[i], 1, 1);
      ids[i] = sym_model_builder_get_result (builder, call, 0);
    }
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (SymLayer) layer =
          kernel_case_new_layer (&(KernelCase){ .op = i == 0 ? "Range" : "ConstantOfShape" });

      call = sym_model_builder_add_call (builder, "r", layer, ids, i == 0 ? 3 : 1, 1);
      ids[0] = sym_model_builder_get_result (builder, call, 0);
    }
  sym_model_builder_add_output (builder, ids[0]);
  model = sym_model_builder_end (builder);
  inference = sym_infer (model, NULL, 0, NULL, NULL);
  type = sym_inference_get_type (inference, ids[0]);
  g_assert_true (sym_shape_equal (&type.shape, &SYM_SHAPE (0, 1, 2, 3, 4, 5, 6)));
}

/* The shape of the last result of lines "name|operator|attributes|operands". */
static char *
follow (const char *const *lines)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_MXNET);
  g_autoptr (GHashTable) values = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymInference) inference = NULL;
  SymId last = 0;
  SymType type;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char **parts = g_strsplit (lines[i], "|", -1);
      g_autoptr (SymLayer) layer =
          kernel_case_new_layer (&(KernelCase){ .op = parts[1], .attributes = parts[2] });
      g_auto (GStrv) names = g_strsplit (parts[3], " ", -1);
      SymId ids[3];
      guint n = 0;

      g_ptr_array_add (texts, parts);
      for (; names[n] != NULL; n++)
        ids[n] = GPOINTER_TO_UINT (g_hash_table_lookup (values, names[n]));
      last = sym_model_builder_get_result (
          builder, sym_model_builder_add_call (builder, parts[0], layer, ids, n, 1), 0);
      g_hash_table_insert (values, parts[0], GUINT_TO_POINTER (last));
    }
  sym_model_builder_add_output (builder, last);
  model = sym_model_builder_end (builder);
  inference = sym_infer (model, NULL, 0, NULL, NULL);
  type = sym_inference_get_type (inference, last);
  return sym_inference_format_shape (inference, &type.shape, ",");
}

static void
values_go_through_arithmetic (void)
{
#define START                                                               \
  "a|Constant|value_ints=[2, 7, 12]|", "b|Constant|value_ints=[1, 2, -3]|", \
      "two|Constant|value_int=2|"
#define END "y|ConstantOfShape||r"
  static const struct {
    const char *lines[9], *shape;
  } cases[] = {
    { { START, "r|Add||a two", END }, "4,9,14" },
    { { START, "d|Sub||a b", "r|Identity||d", END }, "1,5,15" },
    { { START, "d|Mul||b two", "r|Mul||d b", END }, "2,8,18" },
    { { START, "r|Div||a two", END }, "1,3,6" },
    { { START, "r|Max||a two", END }, "2,7,12" },
    { { START, "r|ReduceProd||a", END }, "168" },
    { { START, "r|ReduceSum-11|axes=[0]|a", END }, "21" },
    { { START, "l|Less||b two", "r|Where||l a two", END }, "2,2,12" },
    { { START, "l|Equal||a two", "n|Not||l", "r|Where||n a b", END }, "1,7,12" },
    { { START, "l|Greater||b two", "n|Cast|to=7|l", "r|Add||a n", END }, "2,7,12" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *shape = follow (cases[i].lines);

      g_test_message ("%s", cases[i].lines[3]);
      g_assert_cmpstr (shape, ==, cases[i].shape);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  kernel_case_add_all ("casts", casts);
  kernel_case_add_all ("numbers", numbers);
  for (guint i = 0; rules[i].op != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/ops/onnx-create/%02u-%s", i, rules[i].op);

      g_test_add_data_func (path, &rules[i], shapes_follow);
    }
  g_test_add_func ("/ops/onnx-create/tensors-among-attributes-are-values",
                   tensors_among_attributes_are_values);
  g_test_add_func ("/ops/onnx-create/small-integers-are-followed", small_integers_are_followed);
  g_test_add_func ("/ops/onnx-create/values-go-through-arithmetic", values_go_through_arithmetic);
  return g_test_run ();
}
