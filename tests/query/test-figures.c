/* SPDX-License-Identifier: MIT */
#include "ops/sym-layers.h"
#include "ops/sym-op.h"
#include "query-graphs.h"
#include "query/sym-figures.h"

/* ---- Networks of which the numbers are known ---- */

static SymNode *
new_image (SymGraph *graph, gint64 size)
{
  const SymInputOptions options = { .batch_shape = &SYM_SHAPE (1, 3, size, size) };

  return sym_graph_add_input (graph, &options, NULL);
}

static SymNode *
add_norm (SymNode *x)
{
  return sym_relu (sym_batch_norm2d (x, NULL), NULL);
}

static SymNode *
add_bottleneck (SymNode *x, gint64 n, gint64 stride)
{
  SymNode *start = x;

  x = add_norm (sym_conv2d (x, n, 1, NULL, .no_bias = TRUE));
  x = add_norm (sym_conv2d (x, n, 3, NULL, .stride = stride, .padding = 1, .no_bias = TRUE));
  x = sym_batch_norm2d (sym_conv2d (x, n * 4, 1, NULL, .no_bias = TRUE), NULL);
  if (sym_node_get_channels (start, NULL) != n * 4 || stride != 1)
    start = sym_batch_norm2d (sym_conv2d (start, n * 4, 1, NULL, .stride = stride, .no_bias = TRUE),
                              NULL);
  return sym_relu (sym_add (x, start, NULL), NULL);
}

static SymModel *
build_resnet50 (SymGraph *graph)
{
  static const int n_blocks[] = { 3, 4, 6, 3 };
  SymNode *image = new_image (graph, 224), *x;

  x = add_norm (sym_conv2d (image, 64, 7, NULL, .stride = 2, .padding = 3, .no_bias = TRUE));
  x = sym_max_pool2d (x, 3, NULL, .stride = 2, .padding = 1);
  for (int stage = 0; stage < 4; stage++)
    for (int i = 0; i < n_blocks[stage]; i++)
      x = add_bottleneck (x, 64 << stage, stage > 0 && i == 0 ? 2 : 1);
  x = sym_flatten (sym_adaptive_avg_pool2d (x, 1, 1, NULL), NULL);
  return sym_node_build_model (image, sym_linear (x, 1000, NULL), NULL);
}

static SymModel *
build_vgg16 (SymGraph *graph)
{
  static const int n_convolutions[] = { 2, 2, 3, 3, 3 };
  static const int n_features[] = { 64, 128, 256, 512, 512 };
  SymNode *image = new_image (graph, 224), *x = image;

  for (int stage = 0; stage < 5; stage++)
    {
      for (int i = 0; i < n_convolutions[stage]; i++)
        x = sym_relu (sym_conv2d (x, n_features[stage], 3, NULL, .padding = 1), NULL);
      x = sym_max_pool2d (x, 2, NULL, .stride = 2);
    }
  x = sym_relu (sym_linear (sym_flatten (x, NULL), 4096, NULL), NULL);
  x = sym_relu (sym_linear (x, 4096, NULL), NULL);
  return sym_node_build_model (image, sym_linear (x, 1000, NULL), NULL);
}

static SymNode *
add_inverted (SymNode *x, gint64 expand, gint64 n, gint64 stride)
{
  gint64 n_in = sym_node_get_channels (x, NULL), hidden = n_in * expand;
  SymNode *start = x;

  if (expand != 1)
    x = sym_relu6 (sym_batch_norm2d (sym_conv2d (x, hidden, 1, NULL, .no_bias = TRUE), NULL), NULL);
  x = sym_conv2d (x, hidden, 3, NULL, .stride = stride, .padding = 1, .groups = hidden,
                  .no_bias = TRUE);
  x = sym_relu6 (sym_batch_norm2d (x, NULL), NULL);
  x = sym_batch_norm2d (sym_conv2d (x, n, 1, NULL, .no_bias = TRUE), NULL);
  return stride == 1 && n_in == n ? sym_add (start, x, NULL) : x;
}

static SymModel *
build_mobilenet2 (SymGraph *graph)
{
  static const int rows[][4] = { { 1, 16, 1, 1 }, { 6, 24, 2, 2 }, { 6, 32, 3, 2 },
                                 { 6, 64, 4, 2 }, { 6, 96, 3, 1 }, { 6, 160, 3, 2 },
                                 { 6, 320, 1, 1 } };
  SymNode *image = new_image (graph, 224), *x;

  x = sym_conv2d (image, 32, 3, NULL, .stride = 2, .padding = 1, .no_bias = TRUE);
  x = sym_relu6 (sym_batch_norm2d (x, NULL), NULL);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    for (int k = 0; k < rows[i][2]; k++)
      x = add_inverted (x, rows[i][0], rows[i][1], k == 0 ? rows[i][3] : 1);
  x = sym_conv2d (x, 1280, 1, NULL, .no_bias = TRUE);
  x = sym_relu6 (sym_batch_norm2d (x, NULL), NULL);
  x = sym_flatten (sym_adaptive_avg_pool2d (x, 1, 1, NULL), NULL);
  return sym_node_build_model (image, sym_linear (x, 1000, NULL), NULL);
}

/* The numbers of torchvision's documentation, "GFLOPS" 4.09, 15.47 and 0.3, and of its parameters;
 * each parameter takes four bytes.  PyTorch does not count the statistics of a batch norm as
 * parameters. */
static void
test_known_networks (void)
{
  static const struct {
    SymModel *(*build) (SymGraph *graph);
    guint64 multiply_adds, n_parameters;
  } cases[] = {
    { build_resnet50, 4089184256, 25557032 },
    { build_vgg16, 15470264320, 138357544 },
    { build_mobilenet2, 300774272, 3504872 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymGraph) graph = sym_graph_new ();
      g_autoptr (SymModel) model = cases[i].build (graph);
      g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
      g_autoptr (SymFigures) figures = sym_figures_new (inference, NULL, NULL);
      SymFigureTotals totals = sym_figures_get_totals (figures);

      g_assert_true (totals.multiply_adds.known && totals.parameter_bytes.known);
      g_assert_true (totals.activation_bytes.known && totals.peak_bytes.known);
      g_assert_cmpuint (totals.multiply_adds.n, ==, cases[i].multiply_adds);
      g_assert_cmpuint (totals.parameter_bytes.n, ==, 4 * cases[i].n_parameters);
      g_assert_cmpuint (totals.input_bytes.n, ==, 4 * 3 * 224 * 224);
      g_assert_cmpuint (totals.peak_bytes.n, <, totals.activation_bytes.n);
    }
}

static void
assert_count (SymCount count, guint64 n)
{
  g_assert_true (count.known);
  g_assert_cmpuint (count.n, ==, n);
}

/* A model of what PyTorch calls x, with a Linear(3, 4) after it. */
static SymInference *
infer_linear (const SymShape *shape, const char *const *names)
{
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (3), NULL);
  g_autoptr (SymModel) model = sym_node_build_model (x, sym_linear (x, 4, NULL), NULL);
  SymOverride override = {
    .value = sym_model_get_inputs (model).ids[0], .has_shape = TRUE, .shape = *shape, .names = names
  };

  return sym_infer (model, &override, 1, NULL, NULL);
}

/* What nobody tells the number of is counted for one, and that is told. */
static void
test_one_sample (void)
{
  static const struct {
    const char *name; /* of the first axis */
    const char *taken;
  } cases[] = {
    { NULL, "axis 0 of “Input_1”" },
    { "batch", "batch" },
    { "N", "N" },
    { "samples", "samples" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymShape shape = { .rank = 2, .dims = { SYM_DIM_UNKNOWN, 3 } };
      const char *names[] = { cases[i].name, NULL };
      g_autoptr (SymInference) inference = infer_linear (&shape, names);
      g_autoptr (SymFigures) figures = sym_figures_new (inference, NULL, NULL);
      SymFigureTotals totals = sym_figures_get_totals (figures);

      g_assert_cmpstr (totals.taken, ==, cases[i].taken);
      g_assert_true (sym_figures_get_inference (figures) == inference);
      assert_count (totals.multiply_adds, 3 * 4);
      assert_count (totals.activation_bytes, 4 * (3 + 4));
      assert_count (totals.input_bytes, 4 * 3);
      assert_count (sym_figures_get_multiply_adds (figures, 0), 3 * 4);
    }
}

/* Of a length nothing is known but the parameters, and nothing counts as 0. */
static void
test_unknown_sizes (void)
{
  SymShape shape = { .rank = 2, .dims = { SYM_DIM_UNKNOWN, 3 } };
  const char *names[] = { "seq_length", NULL };
  g_autoptr (SymInference) inference = infer_linear (&shape, names);
  g_autoptr (SymFigures) figures = sym_figures_new (inference, NULL, NULL);
  SymFigureTotals totals = sym_figures_get_totals (figures);

  g_assert_null (totals.taken);
  g_assert_false (totals.multiply_adds.known);
  g_assert_false (totals.activation_bytes.known);
  g_assert_false (totals.peak_bytes.known);
  g_assert_false (sym_figures_get_multiply_adds (figures, 0).known);
  g_assert_true (totals.parameter_bytes.known);
  g_assert_cmpuint (totals.parameter_bytes.n, ==, 4 * (3 * 4 + 4));
}

static void
measure (SymModel *model, SymFigures **figures)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);

  *figures = sym_figures_new (inference, NULL, NULL);
}

/* Beside an input of which nothing is known, what another takes tells nothing; half of the results
 * do. */
static void
test_peak_of_little (void)
{
  for (guint is_used = 0; is_used < 2; is_used++)
    {
      g_autoptr (SymGraph) graph = sym_graph_new ();
      const SymInputOptions open = { .batch_shape = &SYM_SHAPE (8, SYM_DIM_UNKNOWN) };
      const SymInputOptions small = { .batch_shape = &SYM_SHAPE (1, 1) };
      SymNode *inputs[] = { sym_graph_add_input (graph, &open, NULL),
                            sym_graph_add_input (graph, &small, NULL) };
      SymNode *outputs[] = { sym_add (inputs[0], inputs[1], NULL), sym_relu (inputs[1], NULL) };
      g_autoptr (SymModel) model = sym_graph_build (graph, inputs, 2, outputs, 1 + is_used, NULL);
      g_autoptr (SymFigures) figures = NULL;

      measure (model, &figures);
      g_assert_false (sym_figures_get_totals (figures).peak_bytes.known);
      g_assert_cmpuint (sym_figures_get_totals (figures).peak_bytes.n, ==, is_used * 2 * 4);
    }
}

/* ---- Bodies ---- */

/* A nested model that is used twice takes its products twice, and has its parameters once. */
static void
test_nested_models (void)
{
  g_autoptr (SymGraph) graph = sym_graph_new ();
  const SymInputOptions options = { .batch_shape = &SYM_SHAPE (2, 3) };
  SymNode *x = sym_graph_add_input (graph, &options, NULL);
  g_autoptr (SymModel) inner = sym_node_build_model (x, sym_linear (x, 3, NULL), NULL);
  SymLayer *layer = sym_graph_keep_layer (graph, sym_layer_new_model (inner), NULL);
  SymNode *y = sym_graph_add_input (graph, &options, NULL);
  g_autoptr (SymModel) model =
      sym_node_build_model (y, sym_layer_call (layer, sym_layer_call (layer, y, NULL), NULL), NULL);
  g_autoptr (SymFigures) figures = NULL;

  measure (model, &figures);
  assert_count (sym_figures_get_multiply_adds (figures, 0), 2 * 3 * 3);
  assert_count (sym_figures_get_totals (figures).multiply_adds, 2 * 2 * 3 * 3);
  assert_count (sym_figures_get_totals (figures).parameter_bytes, 4 * 12);
}

/* A body of products of [4,4] and [4,4]. */
static SymModel *
new_product_body (guint n_products)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (4, 4));
  g_autoptr (SymLayer) layer = sym_layer_new ("MatMul", sym_op_find ("", "MatMul", 0), NULL);
  SymId x = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, &type);

  for (guint i = 0; i < n_products; i++)
    {
      SymId operands[] = { x, x };

      x = sym_model_builder_get_result (
          builder, sym_model_builder_add_call (builder, NULL, layer, operands, 2, 1), 0);
    }
  sym_model_builder_add_output (builder, x);
  return sym_model_builder_end (builder);
}

/* A call of an operator of ONNX or MXNet with bodies, of @type operands. */
static SymModel *
new_control (const SymOperator *op,
             SymAttributes *attributes,
             const guint *bodies,
             guint n_bodies,
             const SymType *types,
             guint n_operands)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new (op->name, op, attributes);
  static const char *const branches[] = { "then_branch", "else_branch" };
  gboolean is_if = g_str_equal (op->name, "If");
  SymId operands[4];
  SymId call;

  for (guint i = 0; i < n_bodies; i++)
    {
      g_autoptr (SymModel) body = new_product_body (bodies[i]);

      sym_layer_add_body (layer, is_if ? branches[i] : "body", body, TRUE);
      if (is_if)
        sym_layer_set_body_captures (layer, i, 1);
    }
  for (guint i = 0; i < n_operands; i++)
    operands[i] = sym_model_builder_add_value (builder, NULL, SYM_ROLE_INPUT, &types[i]);
  call = sym_model_builder_add_call (builder, "control", layer, operands, n_operands, 1);
  sym_model_builder_add_output (builder, sym_model_builder_get_result (builder, call, 0));
  return sym_model_builder_end (builder);
}

static void
test_branches (void)
{
  const SymType types[] = { sym_type_tensor (SYM_DTYPE_BOOL, SYM_SHAPE ()),
                            sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (4, 4)),
                            sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (4, 4)) };
  const guint equal[] = { 2, 2 }, different[] = { 1, 3 };
  const SymOperator *op = sym_op_find ("", "If", 0);
  g_autoptr (SymModel) same = new_control (op, NULL, equal, 2, types, 3);
  g_autoptr (SymModel) other = new_control (op, NULL, different, 2, types, 3);
  g_autoptr (SymFigures) figures = NULL;
  SymCount count;

  measure (same, &figures);
  assert_count (sym_figures_get_totals (figures).multiply_adds, 2 * 64);
  g_clear_pointer (&figures, sym_figures_unref);
  measure (other, &figures);
  count = sym_figures_get_totals (figures).multiply_adds;
  g_assert_false (count.known);
  g_assert_cmpuint (count.n, ==, 64);
}

static void
test_steps (void)
{
  const SymType types[] = { sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (5, 4, 4)) };
  const guint one[] = { 1 };
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  g_autoptr (SymModel) scan = NULL;
  g_autoptr (SymModel) loop = NULL;
  g_autoptr (SymFigures) figures = NULL;

  sym_attributes_set (attributes, "num_scan_inputs", sym_value_new_int (1), NULL);
  scan = new_control (sym_op_find ("", "Scan", 0), attributes, one, 1, types, 1);
  measure (scan, &figures);
  assert_count (sym_figures_get_totals (figures).multiply_adds, 5 * 64);
  g_clear_pointer (&figures, sym_figures_unref);
  loop = new_control (sym_op_find ("", "Loop", 0), NULL, one, 1, types, 1);
  measure (loop, &figures);
  g_assert_false (sym_figures_get_totals (figures).multiply_adds.known);
  g_assert_cmpuint (sym_figures_get_totals (figures).multiply_adds.n, ==, 0);
}

/* Counted by the product that it is lowered to. */
static void
test_lowered (void)
{
  const SymType types[] = { sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (2, 3)),
                            sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (3, 4)) };
  g_autoptr (SymModel) model =
      new_control (sym_op_find ("mxnet", "_linalg_gemm2", 0), NULL, NULL, 0, types, 2);
  g_autoptr (SymFigures) figures = NULL;

  measure (model, &figures);
  assert_count (sym_figures_get_totals (figures).multiply_adds, 24);
}

/* Layers that are alike are counted once, and others of the same types apart. */
static void
test_lowered_alike (void)
{
  static const gboolean are_transposed[] = { FALSE, TRUE, FALSE, TRUE };
  const SymType types[] = { sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (2, 3)),
                            sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (3, 2)) };
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymFigures) figures = NULL;
  SymId operands[2];

  for (guint i = 0; i < 2; i++)
    operands[i] = sym_model_builder_add_value (builder, NULL, SYM_ROLE_INPUT, &types[i]);
  for (guint i = 0; i < G_N_ELEMENTS (are_transposed); i++)
    {
      g_autoptr (SymAttributes) attributes = sym_attributes_new ();
      g_autoptr (SymLayer) layer = NULL;
      SymId call;

      sym_attributes_set (attributes, "transpose_a", sym_value_new_bool (are_transposed[i]), NULL);
      sym_attributes_set (attributes, "transpose_b", sym_value_new_bool (are_transposed[i]), NULL);
      layer =
          sym_layer_new ("_linalg_gemm2", sym_op_find ("mxnet", "_linalg_gemm2", 0), attributes);
      call = sym_model_builder_add_call (builder, NULL, layer, operands, 2, 1);
      sym_model_builder_add_output (builder, sym_model_builder_get_result (builder, call, 0));
    }
  model = sym_model_builder_end (builder);
  measure (model, &figures);
  for (guint i = 0; i < G_N_ELEMENTS (are_transposed); i++)
    assert_count (sym_figures_get_multiply_adds (figures, i),
                  are_transposed[i] ? 3 * 2 * 3 : 2 * 3 * 2);
}

/* MXNet takes for float32 what no file tells; elsewhere it is not known. */
static void
test_unknown_dtypes (void)
{
  static const SymDialect dialects[] = { SYM_DIALECT_MXNET, SYM_DIALECT_PLAIN };

  for (guint i = 0; i < G_N_ELEMENTS (dialects); i++)
    {
      SymModelBuilder *builder = sym_model_builder_new (dialects[i]);
      SymType type = sym_type_tensor (SYM_DTYPE_UNKNOWN, SYM_SHAPE (2, 3));
      SymId x = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, &type);
      g_autoptr (SymModel) model = NULL;
      g_autoptr (SymInference) inference = NULL;
      SymCount bytes;

      sym_model_builder_add_output (builder, x);
      model = sym_model_builder_end (builder);
      inference = sym_infer (model, NULL, 0, NULL, NULL);
      bytes = sym_figures_count_bytes (inference, x);
      g_assert_cmpint (bytes.known, ==, dialects[i] == SYM_DIALECT_MXNET);
      g_assert_cmpuint (bytes.n, ==, bytes.known ? 24 : 0);
    }
}

/* A layer that nobody knows. */
static void
test_opaque_layers (void)
{
  g_autoptr (SymModel) model = new_graph ("a=Thing x");
  g_autoptr (SymFigures) figures = NULL;

  measure (model, &figures);
  g_assert_false (sym_figures_get_multiply_adds (figures, 0).known);
  g_assert_false (sym_figures_get_totals (figures).multiply_adds.known);
}

/* ---- Memory ---- */

/* Like new_graph(), of ONNX's operators on float32 [1,8], 32 bytes each. */
static SymModel *
new_known_graph (const char *text, const char *outputs)
{
  static const char *const inputs[] = { "x", "y" };
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (GHashTable) values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto (GStrv) calls = g_strsplit (text, "; ", -1);
  g_auto (GStrv) ends = g_strsplit (outputs, " ", -1);

  for (guint i = 0; i < G_N_ELEMENTS (inputs); i++)
    g_hash_table_insert (values, g_strdup (inputs[i]),
                         GUINT_TO_POINTER (add_input (builder, inputs[i])));
  for (guint i = 0; calls[i] != NULL && calls[i][0] != '\0'; i++)
    {
      g_auto (GStrv) words = g_strsplit_set (calls[i], "= ", -1);
      g_autoptr (SymLayer) layer = sym_layer_new (words[1], sym_op_find ("", words[1], 0), NULL);
      SymId operands[2];
      guint n = 0;
      SymId call;

      for (; words[2 + n] != NULL; n++)
        operands[n] = find_value (values, words[2 + n]);
      call = sym_model_builder_add_call (builder, words[0], layer, operands, n, 1);
      g_hash_table_insert (values, g_strdup (words[0]),
                           GUINT_TO_POINTER (sym_model_builder_get_result (builder, call, 0)));
    }
  for (guint i = 0; ends[i] != NULL; i++)
    sym_model_builder_add_output (builder, find_value (values, ends[i]));
  return sym_model_builder_end (builder);
}

static void
test_peak (void)
{
  static const struct {
    const char *graph, *outputs;
    guint n_values, n_peak; /* all there are, and at a time */
  } cases[] = {
    { "", "x", 2, 1 },
    { "a=Relu x", "a", 3, 2 },
    { "a=Relu x; b=Relu a; c=Relu b; d=Relu c", "d", 6, 2 },
    { "a=Relu x; b=Relu a; c=Relu b; d=Relu c", "d a", 6, 3 },
    { "a=Relu x; b=Relu a; c=Relu b; d=Add c x", "d", 6, 3 }, /* x stays until d */
    { "a=Relu x; b=Relu x; c=Relu x; d=Add a b; e=Add d c", "e", 7, 4 },
    { "a=Add x y; b=Relu a", "b", 4, 3 },
    { "a=Relu x; b=Relu a; c=Relu b", "a", 5, 3 }, /* c, which nobody wants, comes beside a and b */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymModel) model = new_known_graph (cases[i].graph, cases[i].outputs);
      g_autoptr (SymFigures) figures = NULL;

      measure (model, &figures);
      assert_count (sym_figures_get_totals (figures).activation_bytes, 32 * cases[i].n_values);
      assert_count (sym_figures_get_totals (figures).peak_bytes, 32 * cases[i].n_peak);
    }
}

/* Within the call there are its operand and what the body has: two of its values at a time. */
static void
test_peak_of_bodies (void)
{
  g_autoptr (SymGraph) graph = sym_graph_new ();
  const SymInputOptions options = { .batch_shape = &SYM_SHAPE (1, 8) };
  SymNode *x = sym_graph_add_input (graph, &options, NULL);
  SymNode *inside = sym_relu (sym_relu (sym_relu (x, NULL), NULL), NULL);
  g_autoptr (SymModel) inner = sym_node_build_model (x, inside, NULL);
  SymLayer *layer = sym_graph_keep_layer (graph, sym_layer_new_model (inner), NULL);
  SymNode *y = sym_graph_add_input (graph, &options, NULL);
  g_autoptr (SymModel) model = sym_node_build_model (y, sym_layer_call (layer, y, NULL), NULL);
  g_autoptr (SymFigures) figures = NULL;

  measure (model, &figures);
  assert_count (sym_figures_get_totals (figures).activation_bytes, 2 * 32);
  assert_count (sym_figures_get_totals (figures).peak_bytes, 3 * 32);
}

static void
test_empty (void)
{
  g_autoptr (SymModel) model = sym_model_builder_end (sym_model_builder_new (SYM_DIALECT_PLAIN));
  g_autoptr (SymFigures) figures = NULL;

  measure (model, &figures);
  assert_count (sym_figures_get_totals (figures).multiply_adds, 0);
  assert_count (sym_figures_get_totals (figures).peak_bytes, 0);
}

static void
test_cancelled (void)
{
  g_autoptr (SymModel) model = new_graph ("a=Thing x");
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (sym_figures_new (inference, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* ---- Texts ---- */

static void
test_texts (void)
{
  static const struct {
    SymCount count;
    const char *text, *brief, *bytes;
  } cases[] = {
    { { 0, TRUE }, "0", "0", "0 B" },
    { { 0, FALSE }, "?", "?", "?" },
    { { 576, TRUE }, "576", "576", "576 B" },
    { { 576, FALSE }, ">=576", ">=576", ">=576 B" },
    { { 1000, TRUE }, "1000", "1 k", "1000 B" },
    { { 1024, TRUE }, "1024", "1.02 k", "1 KiB" },
    { { 999999, TRUE }, "999999", "1 M", "976.56 KiB" },
    { { 4089184256, TRUE }, "4089184256", "4.09 G", "3.81 GiB" },
    { { G_MAXUINT64, TRUE }, "18446744073709551615", "18.45 E", "16 EiB" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = sym_count_to_string (cases[i].count);
      g_autofree char *brief = sym_count_to_short_string (cases[i].count);
      g_autofree char *bytes = sym_count_to_bytes_string (cases[i].count);

      g_assert_cmpstr (text, ==, cases[i].text);
      g_assert_cmpstr (brief, ==, cases[i].brief);
      g_assert_cmpstr (bytes, ==, cases[i].bytes);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query/figures/known-networks", test_known_networks);
  g_test_add_func ("/query/figures/one-sample", test_one_sample);
  g_test_add_func ("/query/figures/unknown-sizes", test_unknown_sizes);
  g_test_add_func ("/query/figures/nested-models", test_nested_models);
  g_test_add_func ("/query/figures/branches", test_branches);
  g_test_add_func ("/query/figures/steps", test_steps);
  g_test_add_func ("/query/figures/lowered", test_lowered);
  g_test_add_func ("/query/figures/lowered-alike", test_lowered_alike);
  g_test_add_func ("/query/figures/unknown-dtypes", test_unknown_dtypes);
  g_test_add_func ("/query/figures/opaque-layers", test_opaque_layers);
  g_test_add_func ("/query/figures/peak", test_peak);
  g_test_add_func ("/query/figures/peak-of-little", test_peak_of_little);
  g_test_add_func ("/query/figures/peak-of-bodies", test_peak_of_bodies);
  g_test_add_func ("/query/figures/empty", test_empty);
  g_test_add_func ("/query/figures/cancelled", test_cancelled);
  g_test_add_func ("/query/figures/texts", test_texts);
  return g_test_run ();
}
