/* SPDX-License-Identifier: MIT */
#include "core/sym-summary.h"
#include "ops/sym-layers.h"
#include "ops/sym-op.h"

#include <string.h>

/* Shapes and counts below are those of torch 1.13. */

typedef struct {
  SymGraph *graph;
  GError *error;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->graph = sym_graph_new ();
  self->error = NULL;
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_assert_no_error (self->error);
  sym_graph_unref (self->graph);
}

static void
assert_node (SymNode *node, const char *type, const char *shape)
{
  g_autofree char *text = NULL;

  g_assert_nonnull (node);
  g_assert_cmpstr (sym_layer_get_type (sym_node_get_layer (node)), ==, type);
  text = sym_node_format_shape (node);
  g_assert_cmpstr (text, ==, shape);
}

static guint64
count_parameters (SymNode *node)
{
  SymLayer *layer = sym_node_get_layer (node);
  guint64 total = 0;

  for (guint i = 0; i < sym_layer_get_n_parameters (layer); i++)
    {
      const SymType *type;
      guint64 n = 0;

      if (!sym_parameter_get_trainable (sym_layer_get_parameter (layer, i, NULL, &type)))
        continue;
      g_assert_true (sym_shape_get_n_elements (&type->shape, &n));
      total += n;
    }
  return total;
}

static void
assert_layer (SymNode *node, const char *type, const char *shape, guint64 n_parameters)
{
  assert_node (node, type, shape);
  g_assert_cmpuint (count_parameters (node), ==, n_parameters);
}

static void
test_convolutions (Fixture *self, gconstpointer data)
{
  GError **e = &self->error;
  SymNode *line = sym_input (self->graph, SYM_SHAPE (8, 50), e);
  SymNode *image = sym_input (self->graph, SYM_SHAPE (6, 32, 28), e);
  SymNode *volume = sym_input (self->graph, SYM_SHAPE (2, 8, 9, 10), e);

  assert_layer (sym_conv1d (line, 16, 5, e, .stride = 2), "Conv1d", "(None, 16, 23)", 656);
  assert_layer (sym_conv2d (image, 4, 3, e, .padding = 1), "Conv2d", "(None, 4, 32, 28)", 220);
  assert_layer (sym_conv2d (image, 12, 0, e, .kernels = { 3, 5 }, .strides = { 2, 1 },
                            .paddings = { 1, 0 }, .groups = 3, .no_bias = TRUE),
                "Conv2d", "(None, 12, 16, 24)", 360);
  assert_layer (sym_conv2d (image, 4, 3, e, .dilation = 2), "Conv2d", "(None, 4, 28, 24)", 220);
  assert_layer (sym_conv3d (volume, 3, 3, e), "Conv3d", "(None, 3, 6, 7, 8)", 165);
  assert_layer (
      sym_conv_transpose2d (image, 4, 3, e, .stride = 2, .padding = 1, .output_padding = 1),
      "ConvTranspose2d", "(None, 4, 64, 56)", 220);
  assert_layer (sym_conv_transpose1d (line, 2, 4, e, .stride = 3), "ConvTranspose1d",
                "(None, 2, 151)", 66);
}

static void
test_dense_layers (Fixture *self, gconstpointer data)
{
  GError **e = &self->error;
  SymNode *words = sym_graph_add_input (
      self->graph, &(SymInputOptions){ .shape = SYM_SHAPE (12), .dtype = SYM_DTYPE_INT64 }, e);
  SymNode *x = sym_embedding (words, 1000, 32, e);
  SymNode *parts[2];

  assert_layer (x, "Embedding", "(None, 12, 32)", 32000);
  assert_layer (sym_linear (x, 10, e), "Linear", "(None, 12, 10)", 330);
  assert_layer (sym_linear (x, 10, e, .no_bias = TRUE), "Linear", "(None, 12, 10)", 320);
  assert_layer (sym_lstm (x, 20, e), "LSTM", "tuple", 4320);
  assert_layer (sym_lstm (x, 20, e, .n_layers = 2, .bidirectional = TRUE), "LSTM", "tuple", 18560);
  assert_layer (sym_gru (x, 20, e), "GRU", "tuple", 3240);
  assert_layer (sym_rnn (x, 20, e, .no_bias = TRUE), "RNN", "tuple", 1040);
  g_assert_true (sym_node_unpack (sym_gru (x, 20, e, .batch_first = TRUE), parts, 2, e));
  assert_node (parts[0], "UnpackLayer", "(None, 12, 20)");
  assert_node (parts[1], "UnpackLayer", "(1, None, 20)");
}

static void
test_norms (Fixture *self, gconstpointer data)
{
  GError **e = &self->error;
  SymNode *x = sym_input (self->graph, SYM_SHAPE (8, 6, 5), e);
  SymNode *flat = sym_flatten (x, e);

  assert_layer (sym_batch_norm2d (x, e), "BatchNorm2d", "(None, 8, 6, 5)", 16);
  assert_layer (sym_batch_norm2d (x, e, .no_affine = TRUE), "BatchNorm2d", "(None, 8, 6, 5)", 0);
  assert_layer (sym_batch_norm1d (flat, e), "BatchNorm1d", "(None, 240)", 480);
  assert_layer (sym_instance_norm2d (x, e), "InstanceNorm2d", "(None, 8, 6, 5)", 0);
  assert_layer (sym_group_norm (x, 4, e), "GroupNorm", "(None, 8, 6, 5)", 16);
  assert_layer (sym_layer_norm (x, SYM_SHAPE (6, 5), e), "LayerNorm", "(None, 8, 6, 5)", 60);
}

static void
test_buffers_are_no_parameters (Fixture *self, gconstpointer data)
{
  SymNode *x = sym_input (self->graph, SYM_SHAPE (8, 6, 5), &self->error);
  SymNode *y = sym_batch_norm2d (x, &self->error);
  g_autoptr (SymModel) model = sym_node_build_model (x, y, &self->error);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, &self->error);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);
  guint n_auxiliary = 0;

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    n_auxiliary += sym_model_get_role (model, value) == SYM_ROLE_AUXILIARY;
  g_assert_cmpuint (n_auxiliary, ==, 2);
  g_assert_cmpuint (sym_summary_get_totals (summary).total, ==, 16);
  g_assert_cmpuint (sym_summary_get_totals (summary).non_trainable, ==, 0);
}

static void
test_pools (Fixture *self, gconstpointer data)
{
  GError **e = &self->error;
  SymNode *line = sym_input (self->graph, SYM_SHAPE (8, 50), e);
  SymNode *x = sym_input (self->graph, SYM_SHAPE (8, 15, 10), e);

  assert_node (sym_max_pool1d (line, 4, e), "MaxPool1d", "(None, 8, 12)");
  assert_node (sym_max_pool2d (x, 2, e), "MaxPool2d", "(None, 8, 7, 5)");
  assert_node (sym_max_pool2d (x, 2, e, .ceil_mode = TRUE), "MaxPool2d", "(None, 8, 8, 5)");
  assert_node (sym_max_pool2d (x, 3, e, .stride = 2, .padding = 1), "MaxPool2d", "(None, 8, 8, 5)");
  /* The window that would start beyond the input does not count. */
  assert_node (sym_max_pool2d (x, 2, e, .stride = 3, .padding = 1, .ceil_mode = TRUE), "MaxPool2d",
               "(None, 8, 6, 4)");
  assert_node (sym_max_pool2d (x, 3, e, .dilation = 2), "MaxPool2d", "(None, 8, 4, 2)");
  assert_node (sym_avg_pool2d (x, 0, e, .kernels = { 15, 10 }), "AvgPool2d", "(None, 8, 1, 1)");
  assert_node (sym_adaptive_avg_pool2d (x, 4, -1, e), "AdaptiveAvgPool2d", "(None, 8, 4, 10)");
}

static void
test_activations (Fixture *self, gconstpointer data)
{
  GError **e = &self->error;
  SymNode *x = sym_input (self->graph, SYM_SHAPE (8, 6), e);

  assert_node (sym_leaky_relu (x, e, .negative_slope = 0.2), "LeakyReLU", "(None, 8, 6)");
  assert_layer (sym_prelu (x, e), "PReLU", "(None, 8, 6)", 1);
  assert_layer (sym_prelu (x, e, .num_parameters = 8), "PReLU", "(None, 8, 6)", 8);
  assert_node (sym_gelu (x, e, .approximate = "tanh"), "GELU", "(None, 8, 6)");
  assert_node (sym_softmax (x, -1, e), "Softmax", "(None, 8, 6)");
  assert_node (sym_glu (x, -1, e), "GLU", "(None, 8, 3)");
  assert_node (sym_layer_call (sym_nn_hardswish (self->graph), x, e), "Hardswish", "(None, 8, 6)");
}

static void
test_shape_layers (Fixture *self, gconstpointer data)
{
  GError **e = &self->error;
  SymNode *x = sym_input (self->graph, SYM_SHAPE (8, 6, 4), e);
  SymNode *flat = sym_input (self->graph, SYM_SHAPE (10), e);

  assert_node (sym_flatten (x, e), "Flatten", "(None, 192)");
  assert_node (sym_flatten_dims (x, 2, 3, e), "Flatten", "(None, 8, 24)");
  assert_node (sym_reshape (x, SYM_SHAPE (-1, 48, 4), e), "ReshapeLayer", "(None, 48, 4)");
  assert_node (sym_view (x, SYM_SHAPE (-1, 192), e), "ViewCopyLayer", "(None, 192)");
  assert_node (sym_layer_call (sym_nn_reshape (self->graph, SYM_SHAPE (4, 48)), x, e),
               "ReshapeLayer", "(None, 4, 48)");
  assert_node (sym_transpose (flat, e), "LambdaOpLayer", "(10, None)");
  assert_node (sym_permute (x, SYM_SHAPE (0, 2, 3, 1), e), "permute", "(None, 6, 4, 8)");
  assert_node (sym_concat (1, e, x, x, x), "ConcatLayer", "(None, 24, 6, 4)");
  assert_node (sym_stack (1, e, x, x), "StackLayer", "(None, 2, 8, 6, 4)");
  assert_node (sym_call (sym_nn_concat (self->graph, -1), e, x, x), "ConcatLayer",
               "(None, 8, 6, 8)");
  assert_node (sym_upsample (x, 3, "bilinear", e), "Upsample", "(None, 8, 18, 12)");
  assert_node (sym_upsample_to (x, SYM_SHAPE (7, 9), NULL, e), "Upsample", "(None, 8, 7, 9)");
}

static void
test_slices (Fixture *self, gconstpointer data)
{
  static const struct {
    const char *index;
    const char *shape;
  } cases[] = {
    { "0", "(8, 6, 4)" },
    { ":, 1:-1", "(None, 6, 6, 4)" },
    { ":, -1", "(None, 6, 4)" },
    { "..., 0", "(None, 8, 6)" },
    { ":, None", "(None, 1, 8, 6, 4)" },
    { ":, ::3, 1, 2:100", "(None, 3, 2)" },
    { ":, ...", "(None, 8, 6, 4)" },
    { "..., None", "(None, 8, 6, 4, 1)" },
    { "(slice(None), 3)", "(None, 6, 4)" },
    { ":, 5:2", "(None, 0, 6, 4)" },
  };
  SymNode *x = sym_input (self->graph, SYM_SHAPE (8, 6, 4), &self->error);
  SymNode *index = sym_graph_add_input (
      self->graph, &(SymInputOptions){ .batch_shape = &SYM_SHAPE (5), .dtype = SYM_DTYPE_INT64 },
      &self->error);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_node (sym_slice (x, cases[i].index, &self->error), "SliceLayer", cases[i].shape);
  index = sym_slice_by (x, index, &self->error);
  assert_node (index, "SliceLayerSymbolicIdx", "(5, 8, 6, 4)");
  g_assert_cmpuint (sym_node_get_n_parents (index), ==, 2);
  g_assert_true (sym_node_get_parent (index, 0) == x);
}

static void
test_reductions (Fixture *self, gconstpointer data)
{
  GError **e = &self->error;
  SymNode *x = sym_input (self->graph, SYM_SHAPE (8, 6, 4), e);
  SymNode *parts[2];

  assert_node (sym_mean (x, e), "AggregateLayer", "()");
  assert_node (sym_sum (x, e, .keepdim = TRUE), "AggregateLayer", "()");
  assert_node (sym_mean (x, e, .dim = SYM_SHAPE (2, 3)), "AggregateLayer", "(None, 8)");
  assert_node (sym_sum (x, e, .dim = SYM_SHAPE (-1), .keepdim = TRUE), "AggregateLayer",
               "(None, 8, 6, 1)");
  assert_node (sym_argmax (x, e, .dim = SYM_SHAPE (1)), "AggregateLayer", "(None, 6, 4)");
  g_assert_cmpint (sym_node_get_type (sym_argmin (x, e)).dtype, ==, SYM_DTYPE_INT64);
  g_assert_true (sym_node_unpack (sym_median (x, e, .dim = SYM_SHAPE (3)), parts, 2, e));
  assert_node (parts[1], "UnpackLayer", "(None, 8, 6)");
}

/* The operator table of PyTorch Symbolic, with a node or a constant on either side. */
static void
test_operators (Fixture *self, gconstpointer data)
{
  GError **e = &self->error;
  SymNode *x = sym_input (self->graph, SYM_SHAPE (4, 6), e);
  SymNode *y = sym_input (self->graph, SYM_SHAPE (6, 3), e);
  SymNode *row =
      sym_graph_add_input (self->graph, &(SymInputOptions){ .batch_shape = &SYM_SHAPE (6) }, e);

  assert_node (sym_add (x, x, e), "AddOpLayer", "(None, 4, 6)");
  assert_node (sym_sub (x, row, e), "SubOpLayer", "(None, 4, 6)");
  assert_node (sym_mul (row, x, e), "MulOpLayer", "(None, 4, 6)");
  assert_node (sym_mod (x, x, e), "ModOpLayer", "(None, 4, 6)");
  assert_node (sym_matmul (x, y, e), "MatmulOpLayer", "(None, 4, 3)");
  assert_node (sym_matmul (x, row, e), "MatmulOpLayer", "(None, 4)");
  assert_node (sym_div (x, x, e), "LambdaOpLayer", "(None, 4, 6)");
  assert_node (sym_pow (x, row, e), "LambdaOpLayer", "(None, 4, 6)");
  assert_node (sym_floor_div (x, 2, e), "LambdaOpLayer", "(None, 4, 6)");
  assert_node (sym_add (x, 1, e), "LambdaOpLayer", "(None, 4, 6)");
  assert_node (sym_add (1, x, e), "LambdaOpLayer", "(None, 4, 6)");
  assert_node (sym_sub (0.5, x, e), "LambdaOpLayer", "(None, 4, 6)");
  assert_node (sym_div (1, x, e), "LambdaOpLayer", "(None, 4, 6)");
  assert_node (sym_mod (7, x, e), "LambdaOpLayer", "(None, 4, 6)");
  assert_node (sym_pow (2, x, e), "LambdaOpLayer", "(None, 4, 6)");
  assert_node (sym_mul (x, sym_value_parse ("[[1], [2], [3], [4]]"), e), "LambdaOpLayer",
               "(None, 4, 6)");
  assert_node (sym_matmul (sym_value_parse ("[[1, 2, 3, 4]]"), x, e), "LambdaOpLayer",
               "(None, 1, 6)");
  assert_node (sym_neg (x, e), "LambdaOpLayer", "(None, 4, 6)");
  assert_node (sym_abs (x, e), "LambdaOpLayer", "(None, 4, 6)");
  g_assert_cmpuint (sym_node_get_n_parents (sym_add (1, x, e)), ==, 1);
}

static void
test_integers_are_promoted (Fixture *self, gconstpointer data)
{
  GError **e = &self->error;
  SymNode *i = sym_graph_add_input (
      self->graph, &(SymInputOptions){ .shape = SYM_SHAPE (3), .dtype = SYM_DTYPE_INT32 }, e);
  SymNode *f = sym_input (self->graph, SYM_SHAPE (3), e);

  g_assert_cmpint (sym_node_get_type (sym_add (i, f, e)).dtype, ==, SYM_DTYPE_FLOAT32);
  g_assert_cmpint (sym_node_get_type (sym_add (i, 1, e)).dtype, ==, SYM_DTYPE_INT32);
  g_assert_cmpint (sym_node_get_type (sym_add (i, 1.5, e)).dtype, ==, SYM_DTYPE_FLOAT32);
  g_assert_cmpint (sym_node_get_type (sym_div (i, 2, e)).dtype, ==, SYM_DTYPE_FLOAT32);
  g_assert_cmpint (sym_node_get_type (sym_sum (i, e)).dtype, ==, SYM_DTYPE_INT64);
}

/* sum ([S1, S2, S3]) starts with 0 + S1. */
static void
test_a_sum_of_nodes (Fixture *self, gconstpointer data)
{
  SymNode *nodes[3];
  SymNode *sum;

  for (guint i = 0; i < 3; i++)
    nodes[i] = sym_input (self->graph, SYM_SHAPE (5), &self->error);
  sum = sym_sum_all (nodes, 3, &self->error);
  assert_node (sum, "AddOpLayer", "(None, 5)");
  g_assert_cmpuint (sym_node_get_depth (sum), ==, 3);
  assert_node (sym_node_get_parent (sum, 0), "AddOpLayer", "(None, 5)");
  assert_node (sym_node_get_parent (sym_node_get_parent (sum, 0), 0), "LambdaOpLayer", "(None, 5)");
}

/* Values that are no tensors: T-P15's expression on sets. */
static void
test_operators_of_other_values_are_methods (Fixture *self, gconstpointer data)
{
  GError **e = &self->error;
  const SymType set = sym_type_opaque ("set");
  SymNode *x = sym_graph_add_custom_input (self->graph, &set, e);
  SymNode *y = sym_graph_add_custom_input (self->graph, &set, e);
  SymNode *z = sym_and (x, sym_or (x, y, e), e);

  assert_node (z, "wrap(__and__)", "set");
  g_assert_cmpstr (sym_layer_get_type (sym_node_get_layer (sym_node_get_parent (z, 0))), ==,
                   "GetAttr");
  assert_node (sym_sub (3, x, e), "wrap(__rsub__)", "set");
  assert_node (sym_neg (x, e), "wrap(__neg__)", "set");
}

static void
test_useful_layers (Fixture *self, gconstpointer data)
{
  GError **e = &self->error;
  SymNode *x = sym_input (self->graph, SYM_SHAPE (5), e);
  const SymFunction print = { .name = "print" };
  const SymFunction same = { .name = "clamp", .infer = sym_infer_same };
  const SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (2, 3));

  assert_node (sym_layer_call (sym_nn_callback (self->graph, &print), x, e), "CallbackLayer",
               "(None, 5)");
  assert_node (sym_layer_call (sym_nn_lambda (self->graph, &same), x, e), "LambdaOpLayer",
               "(None, 5)");
  assert_node (sym_layer_call (sym_nn_named_lambda (self->graph, &same, "Clamp"), x, e), "Clamp",
               "(None, 5)");
  assert_node (sym_layer_call (sym_nn_method_call (self->graph, "foo", &type), x, e), "MethodCall",
               "(2, 3)");
}

/* ---- What is refused ---- */

typedef SymNode *(*Attempt) (SymNode *x, GError **error);

#define ATTEMPT(name, expression) \
  static SymNode *name (SymNode *x, GError **error) { return expression; }

ATTEMPT (attempt_wrong_channels,
         sym_layer_call (sym_nn_conv2d (sym_node_get_graph (x), 4, 8, 3, error), x, error))
ATTEMPT (attempt_large_kernel, sym_conv2d (x, 8, 9, error))
ATTEMPT (attempt_groups, sym_conv2d (x, 8, 3, error, .groups = 2))
ATTEMPT (attempt_rank, sym_conv3d (sym_flatten (x, error), 8, 3, error))
ATTEMPT (attempt_padding, sym_max_pool2d (x, 2, error, .padding = 2))
ATTEMPT (attempt_broadcast, sym_add (x, sym_value_parse ("[1, 2]"), error))
ATTEMPT (attempt_reshape, sym_reshape (x, SYM_SHAPE (-1, 7, 5), error))
ATTEMPT (attempt_two_open, sym_reshape (x, SYM_SHAPE (-1, -1), error))
ATTEMPT (attempt_index, sym_slice (x, ":, 3", error))
ATTEMPT (attempt_indices, sym_slice (x, "0, 0, 0, 0, 0", error))
ATTEMPT (attempt_syntax, sym_slice (x, "a:b", error))
ATTEMPT (attempt_axis, sym_mean (x, error, .dim = SYM_SHAPE (4)))
ATTEMPT (attempt_permute, sym_permute (x, SYM_SHAPE (0, 1, 1, 2), error))
ATTEMPT (attempt_dropout, sym_dropout (x, 1.5, error))
ATTEMPT (attempt_embedding, sym_embedding (x, 10, 10, error))
ATTEMPT (attempt_norm, sym_group_norm (x, 2, error))
ATTEMPT (attempt_and, sym_and (x, 1, error))
ATTEMPT (attempt_lstm, sym_lstm (x, 4, error))
ATTEMPT (attempt_axes, sym_mean (x, error, .dim = SYM_SHAPE (1, -3)))
ATTEMPT (attempt_constants, sym_add (1, 2.5, error))

static const struct {
  Attempt attempt;
  const char *message;
} attempts[] = {
  { attempt_wrong_channels,
    "Given groups=1, weight of size [8, 4, 3, 3], expected input[1, 3, 8, 6] "
    "to have 4 channels, but got 3 channels instead" },
  { attempt_large_kernel, "kernel size" },
  { attempt_groups, "divisible by groups=2" },
  { attempt_rank, "expected 4D or 5D input, but its shape is (None, 144)" },
  { attempt_padding, "at most half of kernel size" },
  { attempt_broadcast, "must match the size" },
  { attempt_reshape, "reshape" },
  { attempt_two_open, "only one dimension can be inferred" },
  { attempt_index, "index 3 is out of bounds for dimension 1 with size 3" },
  { attempt_indices, "too many indices for tensor of dimension 4" },
  { attempt_syntax, "[a:b] is no index" },
  { attempt_axis, "out of range" },
  { attempt_permute, "repeated dim" },
  { attempt_dropout, "between 0 and 1" },
  { attempt_embedding, "int64" },
  { attempt_norm, "divisible by num_groups" },
  { attempt_and, "__and__" },
  { attempt_lstm, "expected 2D or 3D input" },
  { attempt_axes, "dim appears multiple times in the list of dims" },
  { attempt_constants, "__add__ of two constants: one of them must be a node" },
};

static void
test_messages_say_what_is_wrong (Fixture *self, gconstpointer data)
{
  SymNode *x = sym_input (self->graph, SYM_SHAPE (3, 8, 6), &self->error);

  for (guint i = 0; i < G_N_ELEMENTS (attempts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (attempts[i].attempt (x, &error));
      g_assert_nonnull (error);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, attempts[i].message));
    }
}

/* Every layer of the table says what it is. */
static void
test_the_table_is_complete (Fixture *self, gconstpointer data)
{
  guint n = 0;

  for (guint i = 0; i < sym_op_get_n (); i++)
    {
      const SymOperator *op = sym_op_get (i);

      if (strcmp (op->domain, "torch") != 0)
        continue;
      n++;
      g_assert_nonnull (op->summary);
      g_assert_nonnull (op->reference);
      g_assert_nonnull (op->infer);
      g_assert_true (sym_op_find ("torch", op->name, 0) == op);
    }
  g_assert_cmpuint (n, >=, 70);
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/torch/layers/convolutions", test_convolutions);
  ADD ("/torch/layers/dense-and-recurrent", test_dense_layers);
  ADD ("/torch/layers/norms", test_norms);
  ADD ("/torch/layers/buffers-are-no-parameters", test_buffers_are_no_parameters);
  ADD ("/torch/layers/pools", test_pools);
  ADD ("/torch/layers/activations", test_activations);
  ADD ("/torch/layers/shapes", test_shape_layers);
  ADD ("/torch/layers/slices", test_slices);
  ADD ("/torch/layers/reductions", test_reductions);
  ADD ("/torch/operators/with-a-constant-on-either-side", test_operators);
  ADD ("/torch/operators/integers-are-promoted", test_integers_are_promoted);
  ADD ("/torch/operators/a-sum-of-nodes", test_a_sum_of_nodes);
  ADD ("/torch/operators/of-other-values-are-methods", test_operators_of_other_values_are_methods);
  ADD ("/torch/layers/useful-ones", test_useful_layers);
  ADD ("/torch/errors/messages-say-what-is-wrong", test_messages_say_what_is_wrong);
  ADD ("/torch/table/is-complete", test_the_table_is_complete);
  return g_test_run ();
}
