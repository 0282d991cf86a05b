/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras.h"

#include <string.h>

/* The last axis of the data becomes @units. */
static gboolean
infer_dense (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  SymShape shape = sym_rule_get_input (rule, 0);
  gint64 units = sym_op_keras_get_int (attributes, "units", -1);
  SymDim features = SYM_DIM_UNKNOWN;

  if (units < 1 || units > G_MAXINT32)
    return sym_rule_fail (error, "units must be a number from 1 on");
  if (shape.rank == 0)
    return sym_rule_fail (error, "a number has no features");
  if (shape.rank > 0)
    {
      features = shape.dims[shape.rank - 1];
      shape.dims[shape.rank - 1] = units;
    }
  return sym_op_set_input (rule, 1, SYM_SHAPE (features, units), error) &&
         sym_op_set_input (rule, 2, SYM_SHAPE (units), error) &&
         sym_op_keras_set (rule, shape, error);
}

static void
lower_dense (SymOpLower *self)
{
  SymId y = sym_op_lower_binary (self, "MatMul", sym_op_keras_input (self, 0),
                                 sym_op_keras_input (self, 1));

  y = sym_op_keras_add_bias (self, y, sym_op_keras_input (self, 2), 0, FALSE);
  sym_op_lower_set_output (self, 0, sym_op_keras_activate (self, "activation", y));
}

/* Rows of a table of [input_dim, output_dim], by number. */
static gboolean
infer_embedding (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  SymShape shape = sym_rule_get_input (rule, 0);
  gint64 rows = sym_op_keras_get_int (attributes, "input_dim", -1);
  gint64 features = sym_op_keras_get_int (attributes, "output_dim", -1);

  if (rows < 1 || features < 1)
    return sym_rule_fail (error, "input_dim and output_dim must be numbers from 1 on");
  if (shape.rank >= SYM_MAX_RANK)
    return sym_rule_fail (error, "the data has %d axes already", shape.rank);
  if (!sym_op_set_input (rule, 1, SYM_SHAPE (rows, features), error))
    return FALSE;
  if (sym_rule_get_n_outputs (rule) > 1 &&
      !sym_op_set_output (rule, 1, shape, SYM_DTYPE_BOOL, error))
    return FALSE;
  if (shape.rank >= 0)
    shape = sym_op_insert_axis (&shape, shape.rank, features);
  return sym_op_keras_set (rule, shape, error);
}

/* The mask says where the number is not 0 as it comes: 0.5 is not, although it is row 0. */
static void
lower_embedding (SymOpLower *self)
{
  SymId x = sym_op_lower_input (self, 0), rows = sym_op_lower_cast (self, x, SYM_DTYPE_INT64);

  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "Gather", sym_op_keras_input (self, 1), rows));
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (self, 1, sym_op_lower_cast (self, x, SYM_DTYPE_BOOL));
}

static int
count_embedding (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 1;
  return sym_op_keras_get_bool (attributes, "mask_zero", FALSE) ? 2 : 1;
}

static const char *const embedding_outputs[] = { "output", "mask", NULL };

/* ---- EinsumDense ---- */

/* The shape of the weights: a letter of the second term has its size from the data or, where the
 * result has it, from `output_shape`, which leaves out the batch. */
typedef struct {
  char terms[3][SYM_MAX_RANK + 1]; /* data, kernel, result; dots left out */
  int dots;                        /* which end of the terms they stand for: -1 none, 0 front */
} Equation;

static gboolean
read_equation (const SymAttributes *attributes, Equation *self, GError **error)
{
  const char *text = sym_op_keras_get_string (attributes, "equation", "");
  int term = 0, n = 0;

  memset (self, 0, sizeof *self);
  self->dots = -1;
  for (const char *c = text; *c != '\0'; c++)
    {
      gboolean ends = (term == 0 && *c == ',') || (term == 1 && c[0] == '-' && c[1] == '>');

      if (ends)
        {
          c += term;
          term++;
          n = 0;
        }
      else if (*c == '.')
        self->dots = 0;
      else if (g_ascii_isalpha (*c) && n < SYM_MAX_RANK)
        self->terms[term][n++] = *c;
      else if (*c != ' ')
        return sym_rule_fail (error, "equation “%s” is not understood", text);
    }
  return term == 2 || sym_rule_fail (error, "equation “%s” is not understood", text);
}

/* Letters are counted from the end where dots may stand for axes before them. */
static SymDim
find_size (const char *term, char letter, const SymShape *shape)
{
  const char *at = strchr (term, letter);
  int i;

  if (at == NULL || shape->rank < 0)
    return SYM_DIM_UNKNOWN;
  i = shape->rank - (int) strlen (at);
  return i < 0 ? SYM_DIM_UNKNOWN : shape->dims[i];
}

static SymShape
get_output_shape (const SymAttributes *attributes)
{
  const SymValue *value = sym_op_keras_find (attributes, "output_shape");
  SymShape shape = SYM_SHAPE_UNKNOWN;

  if (value != NULL)
    shape.rank = sym_value_get_ints (value, shape.dims, SYM_MAX_RANK);
  return shape.rank > SYM_MAX_RANK ? SYM_SHAPE_UNKNOWN : shape;
}

static gboolean
infer_einsum_dense (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  const char *bias_axes = sym_op_keras_get_string (attributes, "bias_axes", "");
  SymShape data = sym_rule_get_input (rule, 0), told = get_output_shape (attributes);
  SymShape kernel = { 0 }, bias = { 0 }, result;
  Equation equation;

  if (!read_equation (attributes, &equation, error))
    return FALSE;
  kernel.rank = (int) strlen (equation.terms[1]);
  for (int i = 0; i < kernel.rank; i++)
    {
      kernel.dims[i] = find_size (equation.terms[0], equation.terms[1][i], &data);
      if (kernel.dims[i] == SYM_DIM_UNKNOWN)
        kernel.dims[i] = find_size (equation.terms[2], equation.terms[1][i], &told);
    }
  if (!sym_op_set_input (rule, 1, kernel, error) ||
      !sym_op_infer_einsum (rule, sym_op_keras_get_string (attributes, "equation", ""), error))
    return FALSE;
  result = sym_rule_get_output (rule, 0);
  for (const char *c = equation.terms[2]; *c != '\0' && result.rank >= 0; c++)
    if (strchr (bias_axes, *c) != NULL)
      bias.dims[bias.rank++] = find_size (equation.terms[2], *c, &result);
    else if (bias.rank > 0)
      bias.dims[bias.rank++] = 1;
  if (result.rank >= 0 && !sym_op_set_input (rule, 2, bias, error))
    return FALSE;
  return sym_rule_set_output_dtype (rule, 0, sym_op_keras_get_dtype (attributes), error);
}

static void
lower_einsum_dense (SymOpLower *self)
{
  const char *equation = sym_op_keras_get_string (sym_op_keras_attributes (self), "equation", "");
  SymId y = sym_op_lower_call (self, "Einsum",
                               SYM_IDS (sym_op_keras_input (self, 0), sym_op_keras_input (self, 1)),
                               "equation", sym_value_new_string (equation), NULL);

  y = sym_op_keras_add_bias (self, y, sym_op_keras_input (self, 2), 0, FALSE);
  sym_op_lower_set_output (self, 0, sym_op_keras_activate (self, "activation", y));
}

/* ---- Tables ---- */

static const SymSlotSpec einsum_weighted[] = {
  { "input" },
  { "kernel", SYM_SLOT_PARAMETER },
  { "einsum_bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

const SymSlotSpec sym_op_keras_table[] = {
  { "input" },
  { "embeddings", SYM_SLOT_PARAMETER },
  { NULL },
};

static const SymAttributeSpec dense_attributes[] = {
  { "units", SYM_ATTRIBUTE_INT, NULL, "features of the output" },
  { "activation", SYM_ATTRIBUTE_ANY, "None", "a function of the result" },
  { "use_bias", SYM_ATTRIBUTE_BOOL, "True", "whether a bias is added" },
  { NULL },
};

static const SymAttributeSpec einsum_attributes[] = {
  { "equation", SYM_ATTRIBUTE_STRING, NULL, "a letter for each axis: “ab,bc->ac”" },
  { "output_shape", SYM_ATTRIBUTE_ANY, NULL, "sizes of the output without the batch" },
  { "activation", SYM_ATTRIBUTE_ANY, "None", "a function of the result" },
  { "bias_axes", SYM_ATTRIBUTE_STRING, "None", "letters of the axes that a bias has" },
  { NULL },
};

static const SymAttributeSpec embedding_attributes[] = {
  { "input_dim", SYM_ATTRIBUTE_INT, NULL, "rows of the table" },
  { "output_dim", SYM_ATTRIBUTE_INT, NULL, "features of a row" },
  { "mask_zero", SYM_ATTRIBUTE_BOOL, "False", "whether 0 stands for no element" },
  { NULL },
};

const SymOperator sym_op_keras_dense[] = {
  {
      SYM_OP_KERAS,
      .name = "Dense",
      .aliases = "TimeDistributedDense",
      .summary = "Fully connected layer over the last axis",
      .reference = "keras.layers.Dense",
      .category = SYM_CATEGORY_WEIGHTS,
      .attributes = dense_attributes,
      .slots = sym_op_keras_weighted,
      .infer = infer_dense,
      .lower = lower_dense,
  },
  {
      SYM_OP_KERAS,
      .name = "EinsumDense",
      .summary = "A sum of products with a trained tensor",
      .reference = "keras.layers.EinsumDense",
      .category = SYM_CATEGORY_WEIGHTS,
      .attributes = einsum_attributes,
      .slots = einsum_weighted,
      .infer = infer_einsum_dense,
      .lower = lower_einsum_dense,
  },
  {
      SYM_OP_KERAS,
      .name = "Embedding",
      .summary = "Rows of a table, by number",
      .reference = "keras.layers.Embedding",
      .category = SYM_CATEGORY_WEIGHTS,
      .attributes = embedding_attributes,
      .slots = sym_op_keras_table,
      .get_n_outputs = count_embedding,
      .output_names = embedding_outputs,
      .infer = infer_embedding,
      .lower = lower_embedding,
  },
  { NULL },
};
