/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-cost-private.h"

#include <string.h>

static gboolean
multiply (guint64 *n, guint64 factor)
{
  return g_uint64_checked_mul (n, *n, factor);
}

/* ---- Recurrent layers ---- */

/* Steps of all sequences: a last axis of features, whatever comes before. */
static gboolean
count_steps (const SymShape *data, guint64 *n)
{
  *n = 1;
  if (data == NULL || data->rank < 2)
    return FALSE;
  for (int i = 0; i < data->rank - 1; i++)
    if (!sym_op_work_multiply (n, data->dims[i]))
      return FALSE;
  return TRUE;
}

gboolean
sym_op_count_recurrent_weights (const SymOpWork *self, guint64 *n)
{
  const SymShape *input = sym_op_work_get_input (self, 1), *state = sym_op_work_get_input (self, 2);
  guint64 n_input, n_state, n_weights;

  return input != NULL && state != NULL && sym_shape_get_n_elements (input, &n_input) &&
         sym_shape_get_n_elements (state, &n_state) &&
         g_uint64_checked_add (&n_weights, n_input, n_state) &&
         count_steps (sym_op_work_get_input (self, 0), n) && multiply (n, n_weights);
}

/* Of Caffe's four axes sequences are the last one. */
gboolean
sym_op_count_kernels (const SymOpWork *self, guint64 *n)
{
  const SymShape *data = sym_op_work_get_input (self, 0), *kernel = sym_op_work_get_input (self, 1);
  guint64 n_all = 0;

  for (guint i = 1; kernel != NULL; i += 2, kernel = sym_op_work_get_input (self, i))
    {
      guint64 n_weights;

      if (!sym_shape_get_n_elements (kernel, &n_weights) ||
          !g_uint64_checked_add (&n_all, n_all, n_weights))
        return FALSE;
    }
  if (data == NULL || data->rank < 2 || n_all == 0)
    return FALSE;
  *n = n_all;
  return sym_op_work_multiply (n, data->dims[0]) &&
         sym_op_work_multiply (n, data->dims[data->rank == 4 ? 3 : 1]);
}

static guint64
get_n_gates (const SymOpWork *self)
{
  const char *mode = sym_attributes_get_string (sym_layer_get_attributes (self->layer), "mode",
                                                sym_layer_get_operator (self->layer)->name);

  if (g_ascii_strcasecmp (mode, "lstm") == 0)
    return 4;
  return g_ascii_strcasecmp (mode, "gru") == 0 ? 3 : 1;
}

/* [gates * hidden, inputs] and [gates * hidden, out] of each layer and direction, where out is the
 * size of the state, or of its projection, [out, hidden]. */
static gboolean
count_layer (guint64 n_gates, guint64 n_hidden, guint64 n_projected, guint64 n_inputs, guint64 *n)
{
  guint64 out = n_projected > 0 ? n_projected : n_hidden, projection = n_projected;

  return g_uint64_checked_add (n, n_inputs, out) && multiply (n, n_gates) &&
         multiply (n, n_hidden) && multiply (&projection, n_hidden) &&
         g_uint64_checked_add (n, *n, projection);
}

gboolean
sym_op_count_recurrent_layers (const SymOpWork *self, guint64 *n)
{
  const SymShape *data = sym_op_work_get_input (self, 0);
  gint64 hidden =
      sym_op_work_get_int (self, "hidden_size", sym_op_work_get_int (self, "state_size", 0));
  gint64 n_layers = sym_op_work_get_int (self, "num_layers", 1);
  gint64 projected = sym_op_work_get_int (self, "projection_size", 0);
  guint64 n_directions = sym_op_work_get_int (self, "bidirectional", 0) != 0 ? 2 : 1;
  guint64 between, first, others;

  if (!count_steps (data, n) || hidden < 1 || n_layers < 1 || projected < 0)
    return FALSE;
  between = (guint64) (projected > 0 ? projected : hidden);
  if (!multiply (&between, n_directions) ||
      !count_layer (get_n_gates (self), (guint64) hidden, (guint64) projected,
                    (guint64) data->dims[data->rank - 1], &first) ||
      !count_layer (get_n_gates (self), (guint64) hidden, (guint64) projected, between, &others))
    return FALSE;
  return multiply (&others, (guint64) n_layers - 1) &&
         g_uint64_checked_add (&first, first, others) && multiply (&first, n_directions) &&
         multiply (n, first);
}

/* ---- Attention ---- */

/* [batch, length, features] or [batch, heads, length, features]; of a query's features with each
 * key comes a score, and of each score with a value's features the output. */
gboolean
sym_op_count_attention (const SymOpWork *self, guint64 *n)
{
  const SymShape *query = sym_op_work_get_input (self, 0), *key = sym_op_work_get_input (self, 1);
  const SymShape *past = NULL, *out = sym_op_work_get_output (self);
  guint64 n_query, n_out, n_keys;

  if (query == NULL || key == NULL || out == NULL || key->rank < 3 ||
      !sym_shape_get_n_elements (query, &n_query) || !sym_shape_get_n_elements (out, &n_out))
    return FALSE;
  n_keys = (guint64) key->dims[key->rank - 2];
  if (self->n_inputs > 4 && self->inputs[4].kind != SYM_KIND_UNKNOWN)
    {
      past = sym_op_work_get_input (self, 4);
      if (past == NULL || past->rank != 4 ||
          !g_uint64_checked_add (&n_keys, n_keys, (guint64) past->dims[2]))
        return FALSE;
    }
  return g_uint64_checked_add (n, n_query, n_out) && multiply (n, n_keys);
}

gboolean
sym_op_count_linear_attention (const SymOpWork *self, guint64 *n)
{
  const SymShape *query = sym_op_work_get_input (self, 0), *value = sym_op_work_get_input (self, 2);
  const char *rule = sym_attributes_get_string (sym_layer_get_attributes (self->layer),
                                                "update_rule", "gated_delta");
  gint64 n_query_heads = sym_op_work_get_int (self, "q_num_heads", 0);
  gint64 n_heads = sym_op_work_get_int (self, "kv_num_heads", 0);
  gint64 n_matrices;

  if (query == NULL || value == NULL || query->rank != 3 || value->rank != 3 || n_heads < 1 ||
      n_query_heads < 1 || n_heads > G_MAXINT32 || n_query_heads > G_MAXINT32)
    return FALSE;
  n_matrices = n_query_heads + n_heads * (g_str_has_suffix (rule, "delta") ? 2 : 1);
  *n = 1;
  return sym_op_work_multiply (n, query->dims[0]) && sym_op_work_multiply (n, query->dims[1]) &&
         sym_op_work_multiply (n, query->dims[2] / n_query_heads) &&
         sym_op_work_multiply (n, value->dims[2] / n_heads) && sym_op_work_multiply (n, n_matrices);
}

/* ---- einsum ---- */

typedef struct {
  gint64 letters[128];           /* size of each index, -1 for none */
  gint64 ellipsis[SYM_MAX_RANK]; /* sizes of what "..." stands for, from the back */
  guint n_seen[128];             /* in operands */
  int n_ellipsis;
} Indices;

/* The sizes of one term's indices; 1 gives way to what it is broadcast to. */
static gboolean
read_term (Indices *self, const char *term, gsize length, const SymShape *shape)
{
  int axis = 0, n_letters = 0, n_dots;

  for (gsize i = 0; i < length; i++)
    n_letters += g_ascii_isalpha (term[i]) != 0;
  n_dots = shape->rank - n_letters;
  for (gsize i = 0; i < length; i++)
    {
      guchar letter = (guchar) term[i];

      if (letter == '.' && i + 2 < length && n_dots >= 0)
        {
          for (int k = 0; k < n_dots; k++)
            self->ellipsis[n_dots - 1 - k] =
                MAX (self->ellipsis[n_dots - 1 - k], shape->dims[axis + k]);
          self->n_ellipsis = MAX (self->n_ellipsis, n_dots);
          axis += n_dots;
          i += 2;
        }
      else if (g_ascii_isalpha (letter) && axis < shape->rank)
        {
          self->letters[letter] = MAX (self->letters[letter], shape->dims[axis]);
          axis++;
          self->n_seen[letter]++;
        }
      else if (letter != ' ')
        return FALSE;
    }
  return axis == shape->rank;
}

static gboolean
read_terms (Indices *self, const SymOpWork *work, const char *equation, gsize length)
{
  const char *term = equation, *end = equation + length;

  for (guint i = 0; i < work->n_inputs; i++)
    {
      const SymShape *shape = sym_op_work_get_input (work, i);
      const char *comma = term > end ? NULL : memchr (term, ',', (gsize) (end - term));

      if (term > end || shape == NULL ||
          !read_term (self, term, (gsize) ((comma != NULL ? comma : end) - term), shape))
        return FALSE;
      term = (comma != NULL ? comma : end) + 1;
    }
  return term == end + 1;
}

/* Without "->" the indices that occur once are those of the result. */
static gboolean
is_summed (const Indices *self, guchar letter, const char *result)
{
  if (self->letters[letter] < 0)
    return FALSE;
  return result != NULL ? strchr (result, letter) == NULL : self->n_seen[letter] > 1;
}

gboolean
sym_op_count_einsum (const SymOpWork *self, guint64 *n)
{
  const SymAttributes *attributes = sym_layer_get_attributes (self->layer);
  const char *equation = sym_attributes_get_string (
      attributes, "equation", sym_attributes_get_string (attributes, "subscripts", ""));
  const char *arrow = strstr (equation, "->");
  Indices indices = { .n_ellipsis = 0 };
  gboolean sums = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (indices.letters); i++)
    indices.letters[i] = -1;
  if (self->n_inputs == 0 ||
      !read_terms (&indices, self, equation,
                   arrow != NULL ? (gsize) (arrow - equation) : strlen (equation)))
    return FALSE;
  *n = self->n_inputs - 1;
  for (guchar letter = 0; letter < G_N_ELEMENTS (indices.letters); letter++)
    {
      sums |= is_summed (&indices, letter, arrow);
      if (indices.letters[letter] >= 0 && !sym_op_work_multiply (n, indices.letters[letter]))
        return FALSE;
    }
  for (int i = 0; i < indices.n_ellipsis; i++)
    if (!sym_op_work_multiply (n, indices.ellipsis[i]))
      return FALSE;
  if (!sums)
    *n = 0;
  return TRUE;
}
