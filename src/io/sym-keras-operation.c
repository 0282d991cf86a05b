/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-private.h"

#include <string.h>

#include "core/sym-element.h"

/* Nodes that are functions and no layers: those of keras.ops in Keras 3, and TensorFlow's, which
 * Keras 2 wraps as TFOpLambda and SlicingOpLambda.  What their calls give by place or name, and is
 * no tensor, belongs to the function: numbers for operands become constants, the rest attributes.
 */

static const struct {
  const char *function;
  const char *operation;
  const char *slots; /* how TensorFlow calls its operands, in the order of the operation's */
} functions[] = {
  { "__operators__.add", "Add", "x y" },
  { "__operators__.getitem", "GetItem", "tensor" },
  { "abs", "Absolute", "x" },
  { "add", "Add", "x y" },
  { "cast", "Cast", "x" },
  { "clip_by_value", "Clip", "t" },
  { "compat.v1.gather", "Take", "params indices" },
  { "compat.v1.squeeze", "Squeeze", "input" },
  { "compat.v1.transpose", "Transpose", "a" },
  { "concat", "Concatenate", NULL },
  { "divide", "Divide", "x y" },
  { "equal", "Equal", "x y" },
  { "exp", "Exp", "x" },
  { "expand_dims", "ExpandDims", "input" },
  { "gather", "Take", "params indices" },
  { "greater", "Greater", "x y" },
  { "greater_equal", "GreaterEqual", "x y" },
  { "identity", "Copy", "input" },
  { "image.resize", "Resize", "images" },
  { "less", "Less", "x y" },
  { "less_equal", "LessEqual", "x y" },
  { "linalg.l2_normalize", "Normalize", "x" },
  { "linalg.matmul", "Matmul", "a b" },
  { "matmul", "Matmul", "a b" },
  { "math.abs", "Absolute", "x" },
  { "math.add", "Add", "x y" },
  { "math.argmax", "Argmax", "input" },
  { "math.argmin", "Argmin", "input" },
  { "math.ceil", "Ceil", "x" },
  { "math.cos", "Cos", "x" },
  { "math.cumsum", "Cumsum", "x" },
  { "math.divide", "Divide", "x y" },
  { "math.divide_no_nan", "DivideNoNan", "x y" },
  { "math.equal", "Equal", "x y" },
  { "math.erf", "Erf", "x" },
  { "math.exp", "Exp", "x" },
  { "math.floor", "Floor", "x" },
  { "math.floordiv", "FloorDivide", "x y" },
  { "math.floormod", "Mod", "x y" },
  { "math.greater", "Greater", "x y" },
  { "math.greater_equal", "GreaterEqual", "x y" },
  { "math.l2_normalize", "Normalize", "x" },
  { "math.less", "Less", "x y" },
  { "math.less_equal", "LessEqual", "x y" },
  { "math.log", "Log", "x" },
  { "math.log1p", "Log1p", "x" },
  { "math.log_sigmoid", "LogSigmoid", "x" },
  { "math.logical_and", "LogicalAnd", "x y" },
  { "math.logical_not", "LogicalNot", "x" },
  { "math.logical_or", "LogicalOr", "x y" },
  { "math.maximum", "Maximum", "x y" },
  { "math.minimum", "Minimum", "x y" },
  { "math.multiply", "Multiply", "x y" },
  { "math.negative", "Negative", "x" },
  { "math.not_equal", "NotEqual", "x y" },
  { "math.pow", "Power", "x y" },
  { "math.reduce_all", "All", "input_tensor" },
  { "math.reduce_any", "Any", "input_tensor" },
  { "math.reduce_euclidean_norm", "EuclideanNorm", "input_tensor" },
  { "math.reduce_logsumexp", "Logsumexp", "input_tensor" },
  { "math.reduce_max", "Max", "input_tensor" },
  { "math.reduce_mean", "Mean", "input_tensor" },
  { "math.reduce_min", "Min", "input_tensor" },
  { "math.reduce_prod", "Prod", "input_tensor" },
  { "math.reduce_std", "Std", "input_tensor" },
  { "math.reduce_sum", "Sum", "input_tensor" },
  { "math.reduce_variance", "Var", "input_tensor" },
  { "math.rsqrt", "Rsqrt", "x" },
  { "math.sigmoid", "Sigmoid", "x" },
  { "math.sign", "Sign", "x" },
  { "math.sin", "Sin", "x" },
  { "math.softplus", "Softplus", "features" },
  { "math.sqrt", "Sqrt", "x" },
  { "math.square", "Square", "x" },
  { "math.squared_difference", "SquaredDifference", "x y" },
  { "math.subtract", "Subtract", "x y" },
  { "math.tanh", "Tanh", "x" },
  { "math.top_k", "TopK", "input" },
  { "math.truediv", "Divide", "x y" },
  { "maximum", "Maximum", "x y" },
  { "minimum", "Minimum", "x y" },
  { "multiply", "Multiply", "x y" },
  { "nn.elu", "Elu", "features" },
  { "nn.gelu", "Gelu", "features" },
  { "nn.l2_normalize", "Normalize", "x" },
  { "nn.leaky_relu", "LeakyRelu", "features" },
  { "nn.log_softmax", "LogSoftmax", "logits" },
  { "nn.moments", "Moments", "x" },
  { "nn.relu", "Relu", "features" },
  { "nn.relu6", "Relu6", "features" },
  { "nn.selu", "Selu", "features" },
  { "nn.sigmoid", "Sigmoid", "x" },
  { "nn.silu", "Silu", "features" },
  { "nn.softmax", "Softmax", "logits" },
  { "nn.softplus", "Softplus", "features" },
  { "nn.softsign", "Softsign", "features" },
  { "nn.swish", "Silu", "features" },
  { "nn.tanh", "Tanh", "x" },
  { "not_equal", "NotEqual", "x y" },
  { "one_hot", "OneHot", "indices" },
  { "ones_like", "OnesLike", "input" },
  { "pad", "Pad", "tensor" },
  { "pow", "Power", "x y" },
  { "reduce_max", "Max", "input_tensor" },
  { "reduce_mean", "Mean", "input_tensor" },
  { "reduce_min", "Min", "input_tensor" },
  { "reduce_sum", "Sum", "input_tensor" },
  { "repeat", "Repeat", "input" },
  { "reshape", "Reshape", "tensor" },
  { "reverse", "Flip", "tensor" },
  { "round", "Round", "x" },
  { "sigmoid", "Sigmoid", "x" },
  { "split", "Split", "value" },
  { "sqrt", "Sqrt", "x" },
  { "square", "Square", "x" },
  { "squeeze", "Squeeze", "input" },
  { "stack", "Stack", NULL },
  { "stop_gradient", "Copy", "input" },
  { "subtract", "Subtract", "x y" },
  { "tanh", "Tanh", "x" },
  { "tile", "Tile", "input" },
  { "transpose", "Transpose", "a" },
  { "truediv", "Divide", "x y" },
  { "unstack", "Unstack", "value" },
  { "where", "Where", "condition x y" },
  { "zeros_like", "ZerosLike", "input" },
};

/* The row of a lambda's function; -1 for what is none, or not known. */
static int
find_function (const SymJson *json, guint token)
{
  guint config = sym_json_get_member (json, token, "config");
  g_autofree char *name =
      sym_json_dup_string (json, sym_json_get_member (json, config, "function"));

  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (functions); i++)
    if (strcmp (functions[i].function, name) == 0)
      return (int) i;
  return -1;
}

gboolean
sym_keras_is_lambda (const char *type)
{
  return strcmp (type, "TFOpLambda") == 0 || strcmp (type, "SlicingOpLambda") == 0;
}

/* ---- Calls ---- */

static guint
get_first_node (const SymJson *json, guint token)
{
  return sym_json_get_element (json, sym_json_get_member (json, token, "inbound_nodes"), 0);
}

/* What a call gives by place: Keras 3 alone keeps that. */
static guint
get_positional (const SymJson *json, guint node, guint i)
{
  return sym_json_get_element (json, sym_json_get_member (json, node, "args"), i);
}

/* What it gives by name: Keras 2 keeps it with the first tensor. */
static guint
get_named (const SymJson *json, guint node)
{
  guint first = sym_json_get_element (json, node, 0);

  if (sym_json_get_kind (json, node) == SYM_JSON_OBJECT)
    return sym_json_get_member (json, node, "kwargs");
  return sym_json_get_element (
      json, sym_json_get_kind (json, first) == SYM_JSON_STRING ? node : first, 3);
}

/* Whether a list that is joined has only tensors. */
static gboolean
joins_tensors (SymKerasReader *reader, guint token)
{
  const SymJson *json = reader->json;
  guint list = get_positional (json, get_first_node (json, token), 0);

  if (sym_json_get_kind (json, list) != SYM_JSON_ARRAY)
    return TRUE;
  for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i);)
    if (!sym_keras_is_tensor (json, i.value))
      return FALSE;
  return TRUE;
}

const SymOperator *
sym_keras_find_operation (SymKerasReader *reader, guint token, const char *type)
{
  int function = sym_keras_is_lambda (type) ? find_function (reader->json, token) : -1;
  const SymOperator *op =
      sym_keras_is_lambda (type)
          ? function < 0 ? NULL : sym_op_find ("keras.ops", functions[function].operation, 0)
          : sym_op_find ("keras.ops", type, 0);

  return op != NULL && op->get_n_operands != NULL && !joins_tensors (reader, token) ? NULL : op;
}

/* Which slot of @op an argument called @name is for; SYM_JSON_NONE for none. */
guint
sym_keras_find_argument (SymKerasReader *reader,
                         guint token,
                         const SymOperator *op,
                         const char *name)
{
  int function = find_function (reader->json, token);
  g_auto (GStrv) names = function < 0 || functions[function].slots == NULL
                             ? NULL
                             : g_strsplit (functions[function].slots, " ", -1);

  if (op->get_n_operands != NULL)
    return SYM_JSON_NONE;
  for (guint i = 0; op->slots[i].name != NULL; i++)
    if (strcmp (op->slots[i].name, name) == 0 ||
        (names != NULL && i < g_strv_length (names) && strcmp (names[i], name) == 0))
      return i;
  return SYM_JSON_NONE;
}

static guint
count_slots (const SymOperator *op)
{
  guint n = 0;

  while (op->slots[n].name != NULL)
    n++;
  return n;
}

/* ---- Attributes ---- */

/* The names of attributes that the call has given, and not the config. */
#define MARK "given_by_call"

static void
set (SymKerasReader *reader,
     GPtrArray *given,
     SymAttributes *attributes,
     const char *name,
     guint token)
{
  if (sym_json_get_kind (reader->json, token) == SYM_JSON_NULL ||
      sym_attributes_find (attributes, name) != NULL)
    return;
  sym_attributes_set (attributes, name, sym_keras_read_value (reader, token), NULL);
  g_ptr_array_add (given, sym_value_new_string (name));
}

void
sym_keras_add_arguments (SymKerasReader *reader,
                         guint token,
                         const SymOperator *op,
                         SymAttributes *attributes)
{
  const SymJson *json = reader->json;
  guint node = get_first_node (json, token), n = count_slots (op);
  guint named = get_named (json, node);
  g_autoptr (GPtrArray) given = g_ptr_array_new ();

  if (op->get_n_operands != NULL)
    n = 1;
  for (guint i = n; op->attributes != NULL; i++)
    {
      guint value = get_positional (json, node, i);

      if (value == SYM_JSON_NONE || op->attributes[i - n].name == NULL)
        break;
      set (reader, given, attributes, op->attributes[i - n].name, value);
    }
  for (SymJsonIter i = sym_json_iterate (json, named); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = sym_json_dup_string (json, i.key);

      if (name != NULL && strcmp (name, "name") != 0 &&
          sym_keras_find_argument (reader, token, op, name) == SYM_JSON_NONE &&
          !sym_keras_holds_tensors (reader, i.value))
        set (reader, given, attributes, name, i.value);
    }
  if (given->len > 0)
    sym_attributes_set (attributes, MARK,
                        sym_value_new_list ((SymValue *const *) given->pdata, given->len), NULL);
}

void
sym_keras_mark_given (SymAttributes *attributes, const char *name)
{
  SymValue *value = sym_value_new_string (name);

  sym_attributes_set (attributes, MARK, sym_value_new_list (&value, 1), NULL);
}

gboolean
sym_keras_is_given (const SymAttributes *attributes, const char *name)
{
  const SymValue *given = sym_attributes_find (attributes, MARK);

  for (guint i = 0; given != NULL && i < sym_value_get_n_children (given); i++)
    if (g_strcmp0 (sym_value_get_string (sym_value_get_child (given, i)), name) == 0)
      return TRUE;
  return strcmp (name, MARK) == 0;
}

/* ---- Constants ---- */

/* {"class_name": "__numpy__", "config": {"value": [...], "dtype": "float32"}} */
static guint
unwrap (const SymJson *json, guint token, SymDType *dtype)
{
  guint config = sym_json_get_member (json, token, "config");
  g_autofree char *name = NULL;

  if (sym_json_get_kind (json, token) != SYM_JSON_OBJECT)
    return token;
  if (!sym_json_string_equals (json, sym_json_get_member (json, token, "class_name"),
                               "__numpy__") &&
      !sym_json_string_equals (json, sym_json_get_member (json, token, "class_name"), "__tensor__"))
    return SYM_JSON_NONE;
  name = sym_json_dup_string (json, sym_json_get_member (json, config, "dtype"));
  if (name == NULL || !sym_dtype_from_string (name, dtype) ||
      (!sym_dtype_is_floating (*dtype) && !sym_dtype_is_integer (*dtype) &&
       *dtype != SYM_DTYPE_BOOL) ||
      sym_dtype_get_bits (*dtype) % 8 != 0)
    return SYM_JSON_NONE;
  return sym_json_get_member (json, config, "value");
}

typedef struct {
  const SymJson *json;
  SymShape shape;
  GArray *numbers; /* of double */
  gboolean has_fractions;
  gboolean is_bool;
} Array;

static gboolean
add_number (Array *self, guint token)
{
  double number;
  gboolean truth;
  gint64 integer;

  if (sym_json_get_bool (self->json, token, &truth))
    {
      number = truth;
      self->is_bool = self->is_bool || self->numbers->len == 0;
    }
  else if (!sym_json_get_double (self->json, token, &number))
    return FALSE;
  else if (!sym_json_get_int (self->json, token, &integer) || integer != (gint32) integer)
    self->has_fractions = TRUE;
  g_array_append_val (self->numbers, number);
  return TRUE;
}

/* Lists in lists, as deep as there are axes. */
static gboolean
add_numbers (Array *self, guint token, int depth)
{
  gint64 n = 0;

  if (sym_json_get_kind (self->json, token) != SYM_JSON_ARRAY)
    return depth == self->shape.rank && add_number (self, token);
  if (depth == self->shape.rank)
    return FALSE;
  for (SymJsonIter i = sym_json_iterate (self->json, token); sym_json_iter_next (self->json, &i);
       n++)
    if (!add_numbers (self, i.value, depth + 1))
      return FALSE;
  return n == self->shape.dims[depth];
}

static void
measure (Array *self, guint token)
{
  while (sym_json_get_kind (self->json, token) == SYM_JSON_ARRAY && self->shape.rank < SYM_MAX_RANK)
    {
      self->shape.dims[self->shape.rank++] = sym_json_count (self->json, token);
      token = sym_json_get_element (self->json, token, 0);
    }
}

static SymTensor *
make_tensor (const Array *self, SymDType dtype)
{
  gsize size = sym_dtype_get_bits (dtype) / 8;
  guint8 *numbers = g_malloc0 (MAX (self->numbers->len * size, 1));
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (SymBlob) blob = NULL;

  for (guint i = 0; i < self->numbers->len; i++)
    if (dtype == SYM_DTYPE_BOOL)
      numbers[i] = g_array_index (self->numbers, double, i) != 0;
    else
      sym_element_set_double (dtype, numbers, i, g_array_index (self->numbers, double, i));
  bytes = g_bytes_new_take (numbers, self->numbers->len * size);
  blob = sym_blob_new_bytes (bytes);
  return sym_tensor_new (dtype, &self->shape, blob, 0, NULL);
}

SymId
sym_keras_add_constant (SymKerasReader *reader,
                        SymModelBuilder *builder,
                        guint token,
                        SymDType integers)
{
  SymDType dtype = SYM_DTYPE_UNKNOWN;
  Array self = { .json = reader->json };
  guint inner = token == SYM_JSON_NONE ? token : unwrap (reader->json, token, &dtype);
  SymId value = SYM_NO_ID;
  SymType type;

  if (inner == SYM_JSON_NONE)
    return SYM_NO_ID;
  self.numbers = g_array_new (FALSE, FALSE, sizeof (double));
  measure (&self, inner);
  if (add_numbers (&self, inner, 0))
    {
      if (dtype == SYM_DTYPE_UNKNOWN)
        dtype = self.has_fractions ? SYM_DTYPE_FLOAT32 : self.is_bool ? SYM_DTYPE_BOOL : integers;
      type = sym_type_tensor (dtype, self.shape);
      value = sym_model_builder_add_value (builder, "constant", SYM_ROLE_CONSTANT, &type);
      sym_model_builder_set_tensor (builder, value, make_tensor (&self, dtype));
    }
  g_array_unref (self.numbers);
  return value;
}

/* The literal matters: 2.0 is a float. */
SymId
sym_keras_add_operand (SymKerasReader *reader,
                       SymModelBuilder *builder,
                       guint token,
                       const SymOperator *op,
                       guint slot)
{
  const SymJson *json = reader->json;
  guint node = get_first_node (json, token), named = get_named (json, node);
  guint value = get_positional (json, node, slot);

  for (SymJsonIter i = sym_json_iterate (json, named);
       value == SYM_JSON_NONE && sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = sym_json_dup_string (json, i.key);

      if (name != NULL && sym_keras_find_argument (reader, token, op, name) == slot)
        value = i.value;
    }
  if (value == SYM_JSON_NONE || sym_json_get_kind (json, value) == SYM_JSON_NULL)
    return SYM_NO_ID;
  return sym_keras_add_constant (reader, builder, value, SYM_DTYPE_INT32);
}
