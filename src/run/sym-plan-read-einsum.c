/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-read-private.h"

#include <string.h>

/* Einsum of two operands as a product of matrices: letters that both operands and the result have
 * count matrices, those that only one operand and the result have count rows or columns, and those
 * that the result has not are summed over.  Dots, a letter twice in a term, and sums of one operand
 * alone are left to the kernel. */

enum { LEFT, RIGHT, RESULT };
enum { BATCH, ROWS, COLUMNS, INNER, N_KINDS };

typedef struct {
  SymPlanCall *call;
  char *terms[3];
  guint tensors[2]; /* of left and right */
  char letters[N_KINDS][SYM_MAX_RANK + 1];
} Sum;

/* ---- The equation ---- */

static gboolean
is_term (const char *term)
{
  for (const char *c = term; *c != '\0'; c++)
    if (!g_ascii_isalpha (*c) || strchr (c + 1, *c) != NULL)
      return FALSE;
  return strlen (term) <= SYM_MAX_RANK;
}

/* "ij,jk->ik" into its three terms. */
static gboolean
split (Sum *self, char *equation)
{
  char *comma = strchr (equation, ','), *arrow = strstr (equation, "->");

  if (comma == NULL || arrow == NULL || arrow < comma)
    return FALSE;
  *comma = *arrow = '\0';
  self->terms[LEFT] = equation;
  self->terms[RIGHT] = comma + 1;
  self->terms[RESULT] = arrow + 2;
  return is_term (self->terms[LEFT]) && is_term (self->terms[RIGHT]) &&
         is_term (self->terms[RESULT]);
}

static char *
remove_spaces (const char *text)
{
  GString *result = g_string_new (NULL);

  for (; *text != '\0'; text++)
    if (!g_ascii_isspace (*text))
      g_string_append_c (result, *text);
  return g_string_free (result, FALSE);
}

static void
note (Sum *self, int kind, char letter)
{
  gsize n = strlen (self->letters[kind]);

  self->letters[kind][n] = letter;
  self->letters[kind][n + 1] = '\0';
}

static gboolean
has (const Sum *self, int term, char letter)
{
  return strchr (self->terms[term], letter) != NULL;
}

/* Each letter to its kind, in the order of the result, and of the left operand for those that it
 * has not. */
static gboolean
sort_letters (Sum *self)
{
  for (const char *c = self->terms[RESULT]; *c != '\0'; c++)
    if (!has (self, LEFT, *c) && !has (self, RIGHT, *c))
      return FALSE;
    else
      note (self, !has (self, LEFT, *c) ? COLUMNS : has (self, RIGHT, *c) ? BATCH : ROWS, *c);
  for (const char *c = self->terms[LEFT]; *c != '\0'; c++)
    if (!has (self, RESULT, *c))
      {
        if (!has (self, RIGHT, *c))
          return FALSE;
        note (self, INNER, *c);
      }
  for (const char *c = self->terms[RIGHT]; *c != '\0'; c++)
    if (!has (self, RESULT, *c) && !has (self, LEFT, *c))
      return FALSE;
  return TRUE;
}

/* ---- Sizes ---- */

static const SymShape *
get_shape (const Sum *self, int term)
{
  return &sym_plan_call_get (self->call, term == RESULT ? self->call->result : self->tensors[term])
              ->shape;
}

static gint64
get_size (const Sum *self, char letter)
{
  int term = has (self, LEFT, letter) ? LEFT : RIGHT;

  return get_shape (self, term)->dims[strchr (self->terms[term], letter) - self->terms[term]];
}

static gint64
count (const Sum *self, int kind)
{
  gint64 n = 1;

  for (const char *c = self->letters[kind]; *c != '\0'; c++)
    n *= get_size (self, *c);
  return n;
}

static gboolean
check_sizes (const Sum *self)
{
  for (int term = LEFT; term <= RESULT; term++)
    {
      const SymShape *shape = get_shape (self, term);

      if ((gsize) shape->rank != strlen (self->terms[term]))
        return FALSE;
      for (int i = 0; i < shape->rank; i++)
        if (shape->dims[i] != get_size (self, self->terms[term][i]))
          return FALSE;
    }
  return TRUE;
}

/* ---- Arrangements ---- */

/* Where the axes of @order are in a tensor that lies in memory as @term. */
static void
find_grid (const Sum *self, SymPlanGrid *grid, const char *term, const char *order)
{
  *grid = (SymPlanGrid){ .rank = (int) strlen (order) };
  for (int i = 0; i < grid->rank; i++)
    {
      const char *place = strchr (term, order[i]);

      grid->sizes[i] = get_size (self, order[i]);
      grid->strides[i] = 1;
      for (const char *c = place + 1; *c != '\0'; c++)
        grid->strides[i] *= get_size (self, *c);
    }
}

/* One axis for each letter of a batch, then one each for all letters of the other kinds. */
static SymShape
make_shape (const Sum *self, int a, int b)
{
  SymShape shape = { .rank = 0 };

  for (const char *c = self->letters[BATCH]; *c != '\0'; c++)
    shape.dims[shape.rank++] = get_size (self, *c);
  shape.dims[shape.rank++] = count (self, a);
  shape.dims[shape.rank++] = count (self, b);
  return shape;
}

/* The operand as matrices of kinds @a and @b. */
static guint
arrange (const Sum *self, int term, int a, int b)
{
  g_autofree char *order =
      g_strconcat (self->letters[BATCH], self->letters[a], self->letters[b], NULL);
  SymShape shape = make_shape (self, a, b);
  SymPlanGrid from;

  if (strcmp (order, self->terms[term]) == 0)
    return self->tensors[term];
  find_grid (self, &from, self->terms[term], order);
  return sym_plan_call_append_move (self->call, self->tensors[term], &from, &shape);
}

/* Where the product goes, and from there to the result. */
static guint
make_target (const Sum *self, char **order)
{
  SymShape shape = make_shape (self, ROWS, COLUMNS);

  *order = g_strconcat (self->letters[BATCH], self->letters[ROWS], self->letters[COLUMNS], NULL);
  return strcmp (*order, self->terms[RESULT]) == 0 ? self->call->result
                                                   : sym_plan_call_add_tensor (self->call, &shape);
}

static gboolean
bring_back (const Sum *self, guint target, const char *order)
{
  SymPlanOp op = sym_plan_call_new_op (self->call, SYM_PLAN_MOVE, target);

  if (target == self->call->result)
    return TRUE;
  op.grids = sym_plan_graph_add_grids (self->call->graph, 2);
  find_grid (self, &op.grids[0], order, self->terms[RESULT]);
  sym_plan_grid_init_sizes (&op.grids[1], op.grids[0].rank, op.grids[0].sizes);
  return sym_plan_call_append (self->call, &op);
}

/* ---- Products ---- */

/* The constant operand as [inner, columns]. */
static float *
arrange_constant (const Sum *self)
{
  const SymPlanTensor *tensor = sym_plan_call_get (self->call, self->tensors[RIGHT]);
  g_autofree char *order = g_strconcat (self->letters[INNER], self->letters[COLUMNS], NULL);
  float *block = sym_plan_graph_add_block (self->call->graph, tensor->n);
  SymPlanGrid grid;

  find_grid (self, &grid, self->terms[RIGHT], order);
  for (gsize i = 0; i < tensor->n; i++)
    {
      gsize rest = i;
      gint64 place = 0;

      for (int j = grid.rank - 1; j >= 0; j--)
        {
          place += (gint64) (rest % (gsize) grid.sizes[j]) * grid.strides[j];
          rest /= (gsize) grid.sizes[j];
        }
      block[i] = tensor->constant[place];
    }
  return block;
}

static gboolean
append_product (const Sum *self)
{
  g_autofree char *order = NULL;
  SymPlanCallProduct product = { .from = self->tensors[RIGHT],
                                 .inner = (gsize) count (self, INNER),
                                 .outer = (gsize) count (self, COLUMNS),
                                 .factor = 1 };

  product.weights = arrange_constant (self);
  product.x = arrange (self, LEFT, ROWS, INNER);
  product.y = make_target (self, &order);
  return sym_plan_call_append_product (self->call, &product) && bring_back (self, product.y, order);
}

static gboolean
append_matrix (const Sum *self)
{
  SymPlanOp op = sym_plan_call_new_op (self->call, SYM_PLAN_MATRIX, SYM_PLAN_NONE);
  SymShape shapes[] = { make_shape (self, ROWS, INNER), make_shape (self, INNER, COLUMNS),
                        make_shape (self, ROWS, COLUMNS) };
  g_autofree char *order = NULL;

  op.x = arrange (self, LEFT, ROWS, INNER);
  op.other = arrange (self, RIGHT, INNER, COLUMNS);
  op.y = make_target (self, &order);
  op.p = 1;
  op.grids = sym_plan_graph_add_grids (self->call->graph, 3);
  for (guint i = 0; i < 3; i++)
    sym_plan_grid_init (&op.grids[i], &shapes[i]);
  return sym_plan_call_append (self->call, &op) && bring_back (self, op.y, order);
}

static gboolean
is_constant (const Sum *self, int term)
{
  return sym_plan_call_get (self->call, self->tensors[term])->constant != NULL;
}

gboolean
sym_plan_call_read_einsum (SymPlanCall *call, SymVectorFunction function)
{
  const char *text = sym_attributes_get_string (call->attributes, "equation", NULL);
  g_autofree char *equation = text == NULL ? NULL : remove_spaces (text);
  Sum self = { .call = call };

  if (equation == NULL || call->operands.n != 2 || !split (&self, equation))
    return FALSE;
  for (guint i = 0; i < 2; i++)
    {
      self.tensors[i] = sym_plan_call_need_operand (call, i);
      if (self.tensors[i] == SYM_PLAN_NONE)
        return FALSE;
    }
  /* A constant one is to the right. */
  if (is_constant (&self, LEFT))
    {
      char *term = self.terms[LEFT];
      guint tensor = self.tensors[LEFT];

      self.terms[LEFT] = self.terms[RIGHT];
      self.tensors[LEFT] = self.tensors[RIGHT];
      self.terms[RIGHT] = term;
      self.tensors[RIGHT] = tensor;
    }
  if (is_constant (&self, LEFT) || !sort_letters (&self) || !check_sizes (&self))
    return FALSE;
  return is_constant (&self, RIGHT) && *self.letters[BATCH] == '\0' ? append_product (&self)
                                                                    : append_matrix (&self);
}
