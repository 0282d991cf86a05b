/* SPDX-License-Identifier: MIT */
#include "run/sym-step-bytes-private.h"

#include <math.h>

/* Numbers that are quantised and used as codes again need not become floats in between: rounding is
 * part of what makes them, and sums of dequantised numbers are made from codes. */

typedef struct {
  SymPlanGraph *graph;
  guint *makers, *n_uses; /* of each tensor the operation that makes it, and how many use it */
} Match;

static const SymPlanTensor *
get (const Match *self, guint tensor)
{
  return sym_plan_graph_get_tensor (self->graph, tensor);
}

static void
count_uses (Match *self)
{
  for (guint i = 0; i < self->graph->tensors->len; i++)
    {
      self->makers[i] = SYM_PLAN_NONE;
      self->n_uses[i] = sym_plan_tensor_is_wanted (get (self, i)) ? 1 : 0;
    }
  for (guint i = 0; i < self->graph->ops->len; i++)
    {
      SymPlanOp *op = sym_plan_graph_get_op (self->graph, i);

      if (op->is_gone)
        continue;
      self->makers[op->y] = i;
      for (guint j = 0; j < SYM_PLAN_N_OPERANDS; j++)
        if (*sym_plan_op_get_operand (op, j) != SYM_PLAN_NONE)
          self->n_uses[*sym_plan_op_get_operand (op, j)]++;
    }
}

static SymPlanOp *
find_maker (const Match *self, guint tensor, SymPlanOpKind kind)
{
  SymPlanOp *op;

  if (tensor == SYM_PLAN_NONE || self->makers[tensor] == SYM_PLAN_NONE)
    return NULL;
  op = sym_plan_graph_get_op (self->graph, self->makers[tensor]);
  return op->is_gone || op->kind != kind ? NULL : op;
}

static SymPlanOp *
find_function (const Match *self, guint tensor, SymVectorFunction function)
{
  SymPlanOp *op = find_maker (self, tensor, SYM_PLAN_ELEMENTWISE);

  return op == NULL || op->function != function ? NULL : op;
}

/* The same where nobody else needs the tensor. */
static SymPlanOp *
find_own (const Match *self, guint tensor, SymVectorFunction function)
{
  return tensor == SYM_PLAN_NONE || self->n_uses[tensor] != 1
             ? NULL
             : find_function (self, tensor, function);
}

/* Whether the operation is one of all of x and one constant number. */
static gboolean
has_number (const Match *self, const SymPlanOp *op, float *number)
{
  const SymPlanTensor *other = op->other == SYM_PLAN_NONE ? NULL : get (self, op->other);

  if (other == NULL || other->constant == NULL || other->n != 1 || op->x_period != 0 ||
      get (self, op->x)->n != get (self, op->y)->n)
    return FALSE;
  *number = *other->constant;
  return TRUE;
}

/* ---- Views ---- */

static void
replace_uses (Match *self, guint from, guint to)
{
  for (guint i = 0; i < self->graph->ops->len; i++)
    for (guint j = 0; j < SYM_PLAN_N_OPERANDS; j++)
      {
        guint *operand = sym_plan_op_get_operand (sym_plan_graph_get_op (self->graph, i), j);

        if (*operand == from)
          *operand = to;
      }
}

/* What is the same in the same shape is nothing to wait for. */
static void
skip_views (Match *self)
{
  for (guint i = 0; i < self->graph->ops->len; i++)
    {
      SymPlanOp *op = sym_plan_graph_get_op (self->graph, i);

      if (op->is_gone || op->kind != SYM_PLAN_VIEW ||
          sym_plan_tensor_is_wanted (get (self, op->y)) ||
          !sym_shape_equal (&get (self, op->x)->shape, &get (self, op->y)->shape))
        continue;
      replace_uses (self, op->y, op->x);
      op->is_gone = TRUE;
    }
}

/* ---- Codes of numbers ---- */

/* What quantises: x by @scale, moved by @zero; the operations are those of rounding and of bounds.
 */
typedef struct {
  guint x;
  float scale, zero;
  SymPlanOp *round, *clip;
} Quantised;

/* Clip (Add (Round (Div (x, scale)), zero)), of which division and sum may be missing. */
static gboolean
read_quantised (const Match *self, guint codes, Quantised *quantised)
{
  const SymPlanOp *op;
  guint x;

  *quantised = (Quantised){ .scale = 1, .clip = find_function (self, codes, sym_vector_clip) };
  if (quantised->clip == NULL)
    return FALSE;
  x = quantised->clip->x;
  op = find_own (self, x, sym_vector_add);
  if (op != NULL && has_number (self, op, &quantised->zero))
    x = op->x;
  quantised->round = find_own (self, x, sym_vector_round);
  if (quantised->round == NULL)
    return FALSE;
  x = quantised->round->x;
  op = find_own (self, x, sym_vector_divide);
  if (op != NULL && has_number (self, op, &quantised->scale))
    x = op->x;
  quantised->x = x;
  return quantised->scale > 0 && quantised->zero == nearbyintf (quantised->zero) &&
         get (self, x)->constant == NULL && get (self, x)->n == get (self, codes)->n;
}

/* Codes are made where numbers were rounded, floats from them where these had their bounds. */
static void
quantise (Match *self, SymPlanOp made, const Quantised *quantised)
{
  float moved = made.bytes->is_signed ? 128 : 0;
  SymPlanOp *clip = quantised->clip, expanded = made;

  made.x = quantised->x;
  made.bytes->makes_codes = TRUE;
  made.bytes->codes =
      (SymPlanCodes){ quantised->scale, quantised->zero + moved, CLAMP (clip->p + moved, 0, 255),
                      CLAMP (clip->q + moved, 0, 255) };
  expanded.kind = SYM_PLAN_EXPAND;
  expanded.x = made.y;
  expanded.y = clip->y;
  expanded.other = SYM_PLAN_NONE;
  *quantised->round = made;
  *clip = expanded;
  count_uses (self);
}

/* ---- Sums ---- */

/* A dequantised operand: Mul (Sub (codes, zero), scale), of which the difference may be missing. */
typedef struct {
  guint codes;
  float scale, zero; /* of codes as they are in memory */
} Operand;

static guint
add_codes_tensor (Match *self, const SymPlanBytes *like)
{
  gsize n = sym_code_rows_get_n_floats (like->rows, like->inner);
  SymPlanTensor tensor = { .value = SYM_NO_ID,
                           .dtype = SYM_DTYPE_FLOAT32,
                           .shape = SYM_SHAPE ((SymDim) n),
                           .n = n,
                           .is_made = TRUE,
                           .twin = SYM_PLAN_NONE,
                           .root = self->graph->tensors->len };

  g_array_append_val (self->graph->tensors, tensor);
  return self->graph->tensors->len - 1;
}

static gboolean
lie_alike (const SymPlanBytes *a, const SymPlanBytes *b)
{
  return a->rows == b->rows && a->inner == b->inner && a->is_image == b->is_image;
}

/* Codes, that lie as those in @like do, of numbers that are quantised at @codes and then made
 * floats again; FALSE where they are not. */
static gboolean
make_codes (Match *self, guint codes, const SymPlanBytes *like)
{
  Quantised quantised;
  SymPlanOp made = { .kind = SYM_PLAN_QUANTIZE,
                     .other = SYM_PLAN_NONE,
                     .third = SYM_PLAN_NONE,
                     .addend = SYM_PLAN_NONE,
                     .fourth = SYM_PLAN_NONE };

  if (!read_quantised (self, codes, &quantised) || get (self, codes)->n != like->rows * like->inner)
    return FALSE;
  made.bytes = g_new0 (SymPlanBytes, 1);
  g_ptr_array_add (self->graph->blocks, made.bytes);
  made.bytes->rows = like->rows;
  made.bytes->inner = like->inner;
  made.bytes->is_image = like->is_image;
  made.bytes->is_signed = quantised.clip->p < 0;
  made.y = add_codes_tensor (self, like);
  quantise (self, made, &quantised);
  return TRUE;
}

static gboolean
read_operand (Match *self, guint x, const SymPlanBytes *like, Operand *operand)
{
  const SymPlanOp *op = find_function (self, x, sym_vector_multiply);
  float zero = 0;

  if (op == NULL || !has_number (self, op, &operand->scale))
    return FALSE;
  x = op->x;
  op = find_function (self, x, sym_vector_subtract);
  if (op != NULL && has_number (self, op, &zero))
    x = op->x;
  op = find_maker (self, x, SYM_PLAN_EXPAND);
  if (op == NULL && make_codes (self, x, like))
    op = find_maker (self, x, SYM_PLAN_EXPAND);
  if (op == NULL)
    return FALSE;
  operand->codes = op->x;
  operand->zero = zero + (op->bytes->is_signed ? 128 : 0);
  return lie_alike (op->bytes, like);
}

/* Whether who uses the codes takes them to be moved as who makes them does: files may say
 * otherwise, and what is told with the codes is only the one or the other. */
static gboolean
are_moved_alike (const Match *self, const SymPlanOp *op)
{
  const SymPlanTensor *zero = op->other == SYM_PLAN_NONE ? NULL : get (self, op->other);
  float moved = op->bytes->is_signed ? 128 : 0;

  if (zero == NULL)
    return op->bytes->codes.zero == moved;
  return zero->constant != NULL && op->bytes->codes.zero == *zero->constant + moved;
}

/* Bounds of the numbers that become codes; returns what has none yet. */
static guint
take_bounds (const Match *self, guint x, SymPlanCodes *codes)
{
  const SymPlanOp *op = find_own (self, x, sym_vector_relu);
  float low = 0, high = INFINITY;

  if (op == NULL)
    {
      op = find_own (self, x, sym_vector_clip);
      if (op == NULL)
        return x;
      low = op->p;
      high = op->q;
    }
  low = CLAMP (nearbyintf (low / codes->scale) + codes->zero, codes->low, codes->high);
  high = CLAMP (nearbyintf (high / codes->scale) + codes->zero, low, codes->high);
  codes->low = low;
  codes->high = high;
  return op->x;
}

/* Codes of a sum of two operands that have codes, or of one alone that has others. */
static void
add_codes (Match *self, SymPlanOp *op)
{
  SymPlanCodes codes = op->bytes->codes;
  guint x = take_bounds (self, op->x, &codes);
  const SymPlanOp *sum = find_own (self, x, sym_vector_add);
  Operand a, b;

  if (op->bytes->needs_sums || !are_moved_alike (self, op) ||
      (sum != NULL && (sum->x_period != 0 || sum->other_period != 0)) ||
      !read_operand (self, sum == NULL ? x : sum->x, op->bytes, &a))
    return;
  b = (Operand){ .codes = a.codes };
  if (sum != NULL && !read_operand (self, sum->other, op->bytes, &b))
    return;
  op->kind = SYM_PLAN_CODE_SUM;
  op->x = a.codes;
  op->other = b.codes;
  op->bytes->codes = codes;
  op->bytes->factors[0] = a.scale / codes.scale;
  op->bytes->factors[1] = b.scale / codes.scale;
  op->bytes->term = -op->bytes->factors[0] * a.zero - op->bytes->factors[1] * b.zero;
  count_uses (self);
}

/* ---- What nobody needs any more ---- */

static void
drop_unused (Match *self)
{
  for (guint i = self->graph->ops->len; i > 0; i--)
    {
      SymPlanOp *op = sym_plan_graph_get_op (self->graph, i - 1);

      if (op->is_gone || (op->kind != SYM_PLAN_ELEMENTWISE && op->kind != SYM_PLAN_EXPAND) ||
          self->n_uses[op->y] > 0)
        continue;
      op->is_gone = TRUE;
      for (guint j = 0; j < SYM_PLAN_N_OPERANDS; j++)
        if (*sym_plan_op_get_operand (op, j) != SYM_PLAN_NONE)
          self->n_uses[*sym_plan_op_get_operand (op, j)]--;
    }
}

/* ---- All ---- */

static gboolean
has_bytes (const SymPlanGraph *graph)
{
  for (guint i = 0; i < graph->ops->len; i++)
    if (sym_plan_graph_get_op (graph, i)->kind == SYM_PLAN_QUANTIZE)
      return TRUE;
  return FALSE;
}

void
sym_plan_graph_match_bytes (SymPlanGraph *self)
{
  guint n = self->tensors->len + self->ops->len; /* each operation may get codes */
  g_autofree guint *makers = g_new (guint, n + 1);
  g_autofree guint *n_uses = g_new (guint, n + 1);
  Match match = { self, makers, n_uses };

  if (!has_bytes (self))
    return;
  skip_views (&match);
  count_uses (&match);
  for (guint i = 0; i < self->ops->len; i++)
    {
      SymPlanOp *op = sym_plan_graph_get_op (self, i);
      SymPlanOp made;
      Quantised quantised;

      if (op->kind == SYM_PLAN_QUANTIZE && !op->is_gone && !op->bytes->is_dynamic &&
          !op->bytes->makes_codes && read_quantised (&match, op->x, &quantised))
        {
          op->is_gone = TRUE;
          made = *op;
          made.is_gone = FALSE;
          quantise (&match, made, &quantised);
        }
    }
  drop_unused (&match);
  for (guint i = 0; i < self->ops->len; i++)
    {
      SymPlanOp *op = sym_plan_graph_get_op (self, i);

      if (op->kind == SYM_PLAN_QUANTIZE && !op->is_gone && op->bytes->makes_codes)
        add_codes (&match, op);
    }
  drop_unused (&match);
}

/* A product whose result only becomes codes makes these. */
static void
join (Match *self, SymPlanOp *op)
{
  SymPlanOp *product = self->n_uses[op->x] == 1 ? find_maker (self, op->x, SYM_PLAN_BYTES) : NULL;

  if (product == NULL || product->addend != SYM_PLAN_NONE || op->bytes->needs_sums ||
      !are_moved_alike (self, op) || product->outer != op->bytes->inner ||
      product->bytes->is_image != op->bytes->is_image)
    return;
  product->bytes->makes_codes = TRUE;
  product->bytes->codes = op->bytes->codes;
  product->y = op->y;
  op->is_gone = TRUE;
}

void
sym_plan_graph_fuse_bytes (SymPlanGraph *self)
{
  g_autofree guint *makers = g_new (guint, self->tensors->len + 1);
  g_autofree guint *n_uses = g_new (guint, self->tensors->len + 1);
  Match match = { self, makers, n_uses };

  if (!has_bytes (self))
    return;
  count_uses (&match);
  for (guint i = 0; i < self->ops->len; i++)
    {
      SymPlanOp *op = sym_plan_graph_get_op (self, i);

      if (op->kind == SYM_PLAN_QUANTIZE && !op->is_gone && op->bytes->makes_codes)
        join (&match, op);
    }
}
