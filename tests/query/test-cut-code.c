/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-edit.h"
#include "query-graphs.h"
#include "query/sym-cut-code.h"

static SymId
resolve (SymModel *model, const char *name)
{
  SymId value = SYM_NO_ID;
  g_autoptr (GError) error = NULL;

  sym_model_resolve (model, name, &value, &error);
  g_assert_no_error (error);
  return value;
}

/* The code for what lies between two nodes, or before one when @from is NULL. */
static char *
write_code (SymModel *model, const char *language, const char *from, const char *to)
{
  SymId inputs[] = { from != NULL ? resolve (model, from) : SYM_NO_ID };
  SymId outputs[] = { resolve (model, to) };
  g_autoptr (GError) error = NULL;
  g_autoptr (SymSelection) selection =
      sym_selection_new (model, inputs, from != NULL, outputs, 1, NULL, &error);

  g_assert_no_error (error);
  return sym_cut_write_code (sym_cut_find_language (language), selection, model, "dir/net.onnx");
}

static const struct {
  const char *language, *from, *to, *code;
} cases[] = {
  { "c", NULL, "b",
    "static SymModel *\ncut (SymModel *model, GError **error)\n{\n"
    "  SymId outputs[1];\n\n"
    "  if (!sym_model_resolve (model, \"b\", &outputs[0], error))\n    return NULL;\n"
    "  g_autoptr (SymSelection) part =\n"
    "      sym_selection_new (model, NULL, 0, outputs, 1, NULL, error);\n\n"
    "  return part != NULL ? sym_selection_extract (part, NULL) : NULL;\n}\n" },
  { "c", "a", "d",
    "static SymModel *\ncut (SymModel *model, GError **error)\n{\n"
    "  SymId inputs[1];\n  SymId outputs[1];\n\n"
    "  if (!sym_model_resolve (model, \"a\", &inputs[0], error) ||\n"
    "      !sym_model_resolve (model, \"d\", &outputs[0], error))\n    return NULL;\n"
    "  g_autoptr (SymSelection) part =\n"
    "      sym_selection_new (model, inputs, 1, outputs, 1, NULL, error);\n\n"
    "  return part != NULL ? sym_selection_extract (part, NULL) : NULL;\n}\n" },
  { "torch", "a", "d",
    "from pytorch_symbolic import SymbolicModel\n\npart = SymbolicModel(inputs=a, outputs=d)\n" },
  { "onnx", "a", "d",
    "import onnx.utils\n\nonnx.utils.extract_model(\"dir/net.onnx\", \"net-part.onnx\",\n"
    "                         [\"a\"], [\"d\"])\n" },
  { "onnx", NULL, "b",
    "import onnx.utils\n\nonnx.utils.extract_model(\"dir/net.onnx\", \"net-part.onnx\",\n"
    "                         [\"x\"], [\"b\"])\n" },
  { "mxnet", NULL, "b",
    "# First: symscope convert 'dir/net.onnx' --to mxnet --out 'net-symbol.json'\n"
    "import mxnet as mx\n\ninternals = mx.sym.load(\"net-symbol.json\").get_internals()\n"
    "part = internals[\"b_output\"]\npart.save(\"net-part.json\")\n" },
  { "mxnet", "a", "d",
    "# First: symscope convert 'dir/net.onnx' --to mxnet --out 'net-symbol.json'\n"
    "# MXNet keeps all that the outputs need: inputs cannot be chosen.\n"
    "import mxnet as mx\n\ninternals = mx.sym.load(\"net-symbol.json\").get_internals()\n"
    "part = internals[\"d_output\"]\npart.save(\"net-part.json\")\n" },
  { "shell", NULL, "b", "symscope extract 'dir/net.onnx' --outputs 'b' --out 'net-part.onnx'\n" },
  { "shell", "a", "d",
    "symscope extract 'dir/net.onnx' --outputs 'd' --inputs 'a' --out 'net-part.onnx'\n" },
};

static void
test_every_language_says_the_cut (void)
{
  g_autoptr (SymModel) model = new_graph ("a=Conv x; b=Relu a; c=Tanh a; d=Add b c; e=Relu d");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *code = write_code (model, cases[i].language, cases[i].from, cases[i].to);

      g_assert_cmpstr (code, ==, cases[i].code);
    }
}

static void
test_several_values_are_lists (void)
{
  g_autoptr (SymModel) model = new_graph ("a=Conv x; b=Relu a; c=Tanh y; d=Add b c");
  SymId outputs[] = { resolve (model, "b"), resolve (model, "d") };
  g_autoptr (SymSelection) selection = sym_selection_new (model, NULL, 0, outputs, 2, NULL, NULL);
  g_autofree char *torch =
      sym_cut_write_code (sym_cut_find_language ("torch"), selection, model, NULL);
  g_autofree char *shell =
      sym_cut_write_code (sym_cut_find_language ("shell"), selection, model, NULL);
  g_autofree char *mxnet =
      sym_cut_write_code (sym_cut_find_language ("mxnet"), selection, model, NULL);

  g_assert_nonnull (strstr (torch, "inputs=(x, y), outputs=(b, d)"));
  g_assert_nonnull (strstr (shell, "symscope extract 'model' --outputs 'b,d' --out 'model-part'"));
  g_assert_nonnull (
      strstr (mxnet, "mx.sym.Group([internals[\"b_output\"], internals[\"d_output\"]])"));
}

/* MXNet counts results where a layer has several, unless it becomes several layers. */
static void
test_results_are_called_as_once_converted (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId x = add_input (builder, "x");
  g_autoptr (SymLayer) split = sym_layer_new ("Split", NULL, NULL);
  SymId call = sym_model_builder_add_call (builder, "s", split, &x, 1, 2);

  sym_model_builder_set_value_name (builder, sym_model_builder_get_result (builder, call, 0), "l");
  sym_model_builder_set_value_name (builder, sym_model_builder_get_result (builder, call, 1), "r");
  g_autoptr (SymModel) model = sym_model_builder_end (builder);
  g_autofree char *left = write_code (model, "mxnet", NULL, "l");
  g_autofree char *right = write_code (model, "mxnet", NULL, "r");
  g_autofree char *input = write_code (model, "mxnet", NULL, "x");

  g_assert_nonnull (strstr (left, "internals[\"l_output0\"]"));
  g_assert_nonnull (strstr (left, "# Names of one of several results may differ there: "
                                  "symscope list 'net-symbol.json' nodes\n"));
  g_assert_nonnull (strstr (right, "internals[\"l_output1\"]"));
  g_assert_nonnull (strstr (input, "internals[\"x\"]"));
  g_assert_null (strstr (input, "differ"));
}

/* What other programs cannot read is converted first, which is said in one line. */
static void
test_other_formats_are_converted_first (void)
{
  g_autoptr (SymModel) model = new_graph ("a=Conv x; b=Relu a");
  SymId output = resolve (model, "b");
  g_autoptr (SymSelection) selection = sym_selection_new (model, NULL, 0, &output, 1, NULL, NULL);
  g_autofree char *code =
      sym_cut_write_code (sym_cut_find_language ("onnx"), selection, model, "dir/it's\nmine.json");

  g_assert_cmpstr (code, ==,
                   "# First: symscope convert 'dir/it'\\''s mine.json' --to onnx --out "
                   "'it'\\''s mine.onnx'\n"
                   "import onnx.utils\n\n"
                   "onnx.utils.extract_model(\"it's\\nmine.onnx\", \"it's\\nmine-part.onnx\",\n"
                   "                         [\"x\"], [\"b\"])\n");
}

static gboolean
is_bias (gconstpointer origin, const SymModel *model, SymId value)
{
  return g_str_equal (sym_model_get_value_name (model, value), "b");
}

/* As in ONNX before IR version 4: check-cut-code.py tries those files. */
static void
test_named_weights_are_inputs (void)
{
  static const char *const names[] = { "w", "b" };
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId operands[3] = { add_input (builder, "x") };

  sym_model_builder_set_origin (builder, "onnx", NULL, NULL);
  sym_model_builder_set_named_inputs (builder, is_bias);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    operands[i + 1] = sym_model_builder_add_value (builder, names[i], SYM_ROLE_PARAMETER, NULL);
  SymId y = add_call (builder, "Gemm", "y", operands, 3);

  add_call (builder, "Add", "z", (SymId[]){ y, operands[2] }, 2);
  g_autoptr (SymModel) model = sym_model_builder_end (builder);
  g_autofree char *whole = write_code (model, "onnx", NULL, "y");
  g_autofree char *chosen = write_code (model, "onnx", "b", "b");
  g_autofree char *shell = write_code (model, "shell", NULL, "y");

  g_assert_nonnull (strstr (whole, "[\"x\", \"b\"], [\"y\"])"));
  g_assert_nonnull (strstr (chosen, "[\"b\"], [\"b\"])"));
  g_assert_null (strstr (shell, "--inputs"));
}

/* A graph that is in no file yet must be saved before another program can read it. */
static void
test_graph_in_no_file_is_saved_first (void)
{
  g_autoptr (SymModel) model = new_graph ("a=Conv x; b=Relu a");
  SymId output = resolve (model, "b");
  g_autoptr (SymSelection) selection = sym_selection_new (model, NULL, 0, &output, 1, NULL, NULL);
  g_autofree char *code =
      sym_cut_write_code (sym_cut_find_language ("mxnet"), selection, model, NULL);

  g_assert_true (
      g_str_has_prefix (code, "# First: save the graph in MXNet's format, as model-symbol.json\n"));
  g_assert_nonnull (strstr (code, "internals[\"b_output\"]"));
}

/* Whatever a name has in it, code stays code. */
static void
test_strange_names_are_quoted (void)
{
  static const char *const names[] = { "it's", "a,b\\c", "say \"no\"", "for", "1 2" };
  static const char *const shells[] = { "'it'\\''s'", "'a\\,b\\\\c'", "'say \"no\"'", "'for'",
                                        "'1 2'" };
  static const char *const pythons[] = { "it_s", "a_b_c", "say__no_", "for_", "_1_2" };
  static const char *const strings[] = { "\"it's\"", "\"a,b\\\\c\"", "\"say \\\"no\\\"\"",
                                         "\"for\"", "\"1 2\"" };
  g_autoptr (SymModel) base = new_graph ("a=Conv x; b=Relu a");

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      SymEdit *edit = sym_edit_new (base);
      g_autoptr (GError) error = NULL;

      sym_edit_rename_value (edit, resolve (base, "a"), names[i], &error);
      g_assert_no_error (error);
      g_autoptr (SymModel) model = sym_edit_end (edit);
      g_autofree char *shell = write_code (model, "shell", NULL, names[i]);
      g_autofree char *torch = write_code (model, "torch", NULL, names[i]);
      g_autofree char *onnx = write_code (model, "onnx", NULL, names[i]);

      g_assert_nonnull (strstr (shell, shells[i]));
      g_assert_nonnull (strstr (torch, pythons[i]));
      g_assert_nonnull (strstr (onnx, strings[i]));
    }
}

static void
test_every_language_is_found (void)
{
  guint n = 0;

  for (const SymCutLanguage *l = sym_cut_get_languages (); l->name != NULL; l++, n++)
    g_assert_true (sym_cut_find_language (l->name) == l);
  g_assert_cmpuint (n, ==, 5);
  g_assert_null (sym_cut_find_language ("cobol"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query/cut-code/every-language-says-the-cut", test_every_language_says_the_cut);
  g_test_add_func ("/query/cut-code/several-values-are-lists", test_several_values_are_lists);
  g_test_add_func ("/query/cut-code/other-formats-are-converted-first",
                   test_other_formats_are_converted_first);
  g_test_add_func ("/query/cut-code/results-are-called-as-once-converted",
                   test_results_are_called_as_once_converted);
  g_test_add_func ("/query/cut-code/named-weights-are-inputs", test_named_weights_are_inputs);
  g_test_add_func ("/query/cut-code/graph-in-no-file-is-saved-first",
                   test_graph_in_no_file_is_saved_first);
  g_test_add_func ("/query/cut-code/strange-names-are-quoted", test_strange_names_are_quoted);
  g_test_add_func ("/query/cut-code/every-language-is-found", test_every_language_is_found);
  return g_test_run ();
}
