/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-step-private.h"

/* Elements in one go: a few of them fit into 32 KiB. */
#define TILE 512

/* Slots 0 and 1 hold operands that cannot be read where they are. */
#define FIRST_SLOT 2

typedef struct {
  guint slot;                  /* of an earlier result; SYM_PLAN_NONE for a tensor */
  guint tensor;                /* SYM_PLAN_NONE for no operand */
  gsize period, repeat, block; /* as in SymPlanOp */
  const float *filled;         /* of a single number: as often as a tile needs */
  gboolean is_row; /* the same for each tile: in its slot from the begin of a slice on */
} Operand;

typedef struct {
  SymVectorFunction function;
  float p, q;
  Operand operands[2];
  guint slot;  /* where the result is until its last use */
  guint store; /* the tensor that the result is; SYM_PLAN_NONE for a hidden one */
} Instruction;

typedef struct {
  SymStep step;
  Instruction *instructions;
  guint n;
  guint n_slots;
  guint n_rows; /* operands that are the same for each tile */
  gsize n_elements;
  GPtrArray *tiles; /* of filled floats */
} Chain;

/* ---- Making ---- */

typedef struct {
  Chain *chain;
  const SymPlanGraph *graph;
  GHashTable *slots; /* from tensor + 1 to slot of those that are made here */
  GHashTable *lasts; /* from tensor + 1 to the last operation that uses it, plus 1 */
  GArray *idle;      /* of guint: slots that nobody needs */
} Maker;

static const float *
fill_tile (Maker *self, float number)
{
  float *tile = g_aligned_alloc (TILE, sizeof *tile, 64);

  for (gsize i = 0; i < TILE; i++)
    tile[i] = number;
  g_ptr_array_add (self->chain->tiles, tile);
  return tile;
}

/* So many rows that are the same for each tile stay near. */
#define MAX_ROWS 6

static Operand
make_operand (Maker *self, guint tensor, gsize period, gsize repeat, gsize block)
{
  Operand operand = { SYM_PLAN_NONE, tensor, period, repeat, block, NULL, FALSE };
  const float *constant;
  gpointer slot;

  if (tensor == SYM_PLAN_NONE)
    return operand;
  slot = g_hash_table_lookup (self->slots, GUINT_TO_POINTER (tensor + 1));
  if (slot != NULL)
    operand.slot = GPOINTER_TO_UINT (slot);
  constant = sym_plan_graph_get_tensor (self->graph, tensor)->constant;
  if (period == 1 && constant != NULL)
    operand.filled = fill_tile (self, *constant);
  else if (slot == NULL && block == 0 && period > 1 && repeat == 1 && TILE % period == 0 &&
           self->chain->n_rows < MAX_ROWS)
    {
      operand.slot = self->chain->n_slots++;
      operand.is_row = TRUE;
      self->chain->n_rows++;
    }
  return operand;
}

static guint
take_slot (Maker *self)
{
  guint slot;

  if (self->idle->len == 0)
    return self->chain->n_slots++;
  slot = g_array_index (self->idle, guint, self->idle->len - 1);
  g_array_set_size (self->idle, self->idle->len - 1);
  return slot;
}

/* After the operation: what it used for the last time is idle. */
static void
leave_slot (Maker *self, guint tensor, guint op)
{
  gpointer key = GUINT_TO_POINTER (tensor + 1);
  guint slot;

  if (tensor == SYM_PLAN_NONE || !g_hash_table_contains (self->slots, key) ||
      GPOINTER_TO_UINT (g_hash_table_lookup (self->lasts, key)) != op + 1)
    return;
  slot = GPOINTER_TO_UINT (g_hash_table_lookup (self->slots, key));
  g_hash_table_remove (self->slots, key);
  g_array_append_val (self->idle, slot);
}

static void
add_instruction (Maker *self, guint i, const gboolean *hidden)
{
  const SymPlanOp *op = sym_plan_graph_get_op (self->graph, i);
  Instruction *instruction = &self->chain->instructions[self->chain->n++];

  instruction->function = op->function;
  instruction->p = op->p;
  instruction->q = op->q;
  instruction->operands[0] = make_operand (self, op->x, op->x_period, op->x_repeat, op->x_block);
  instruction->operands[1] =
      make_operand (self, op->other, op->other_period, op->other_repeat, op->other_block);
  instruction->slot = take_slot (self);
  instruction->store = hidden[op->y] ? SYM_PLAN_NONE : op->y;
  g_hash_table_insert (self->slots, GUINT_TO_POINTER (op->y + 1),
                       GUINT_TO_POINTER (instruction->slot));
  leave_slot (self, op->x, i);
  leave_slot (self, op->other, i);
}

static void
note_use (Maker *self, guint tensor, guint op)
{
  if (tensor != SYM_PLAN_NONE)
    g_hash_table_insert (self->lasts, GUINT_TO_POINTER (tensor + 1), GUINT_TO_POINTER (op + 1));
}

/* ---- Running ---- */

/* The elements of one tile: @n of them from @offset on. */
typedef struct {
  const Chain *chain;
  float *const *places;
  float *scratch;
  const float **results; /* of each slot */
  gsize offset, n;
  gboolean is_whole; /* functions may then read and write where the tensors are */
} Tile;

/* The row again and again, from @offset on: what is there is copied once more as long as there is
 * room. */
static void
copy_row (float *to, const float *row, gsize period, gsize offset, gsize n)
{
  gsize begin = offset % period, first = MIN (period - begin, n), filled = MIN (period, n);

  memcpy (to, row + begin, first * sizeof *to);
  memcpy (to + first, row, (filled - first) * sizeof *to);
  for (; filled < n; filled *= 2)
    memcpy (to + filled, to, MIN (filled, n - filled) * sizeof *to);
}

/* Each number of the row @repeat times, and the row again and again. */
static void
copy_numbers (float *to, const float *row, const Operand *operand, gsize offset, gsize n)
{
  gsize repeat = operand->repeat;

  if (repeat == 1)
    {
      copy_row (to, row, operand->period, offset, n);
      return;
    }
  while (n > 0)
    {
      gsize piece = MIN (repeat - offset % repeat, n);
      float number = row[offset / repeat % operand->period];

      for (gsize i = 0; i < piece; i++)
        to[i] = number;
      to += piece;
      offset += piece;
      n -= piece;
    }
}

/* Numbers of each block in turn. */
static void
copy_blocks (float *to, const float *rows, const Operand *operand, gsize offset, gsize n)
{
  while (n > 0)
    {
      gsize place = offset % operand->block, piece = MIN (operand->block - place, n);

      copy_numbers (to, rows + offset / operand->block * operand->period, operand, place, piece);
      to += piece;
      offset += piece;
      n -= piece;
    }
}

/* Functions run over whole vectors: what is behind the last element is 0, or made of that. */
static gsize
round_up (gsize n)
{
  return (n + SYM_VECTOR_UNIT - 1) / SYM_VECTOR_UNIT * SYM_VECTOR_UNIT;
}

/* Where the operand's elements of this tile are; @i is its own slot. */
static const float *
find_operand (const Tile *self, const Operand *operand, guint i)
{
  float *own = self->scratch + i * TILE;
  const float *from;

  if (operand->tensor == SYM_PLAN_NONE)
    return NULL;
  if (operand->slot != SYM_PLAN_NONE)
    return self->results[operand->slot];
  if (operand->filled != NULL)
    return operand->filled;
  from = self->places[operand->tensor];
  if (operand->block > 0)
    copy_blocks (own, from, operand, self->offset, self->n);
  else if (operand->period > 0)
    copy_numbers (own, from, operand, self->offset, self->n);
  else if (self->is_whole)
    return from + self->offset;
  else
    memcpy (own, from + self->offset, self->n * sizeof *own);
  memset (own + self->n, 0, (round_up (self->n) - self->n) * sizeof *own);
  return own;
}

static void
run_instruction (const Tile *self, const Instruction *instruction)
{
  const float *a = find_operand (self, &instruction->operands[0], 0);
  const float *b = find_operand (self, &instruction->operands[1], 1);
  float *own = self->scratch + instruction->slot * TILE, *y = own;
  gsize n = round_up (self->n);

  if (instruction->store != SYM_PLAN_NONE && self->is_whole)
    y = self->places[instruction->store] + self->offset;
  instruction->function (y, a, b, n, instruction->p, instruction->q);
  self->results[instruction->slot] = y;
  if (instruction->store != SYM_PLAN_NONE && y == own)
    memcpy (self->places[instruction->store] + self->offset, own, self->n * sizeof *own);
}

static void
begin_rows (const Tile *self)
{
  for (guint i = 0; self->chain->n_rows > 0 && i < self->chain->n; i++)
    for (guint j = 0; j < 2; j++)
      {
        const Operand *operand = &self->chain->instructions[i].operands[j];
        float *own;

        if (!operand->is_row)
          continue;
        own = self->scratch + operand->slot * TILE;
        copy_row (own, self->places[operand->tensor], operand->period, 0, TILE);
        self->results[operand->slot] = own;
      }
}

static gboolean
run_chain (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Chain *self = (const Chain *) step;
  float *scratch = run->scratch;
  const float **results = (const float **) (gpointer) (scratch + self->n_slots * TILE);
  Tile tile = { self, run->places, run->scratch, results };
  gsize n_tiles = (self->n_elements + TILE - 1) / TILE, first, end;

  begin_rows (&tile);
  sym_step_get_slice (slice, step->n_slices, n_tiles, &first, &end);
  for (tile.offset = first * TILE; tile.offset < MIN (end * TILE, self->n_elements);
       tile.offset += TILE)
    {
      tile.n = MIN (TILE, self->n_elements - tile.offset);
      tile.is_whole = tile.n % SYM_VECTOR_UNIT == 0;
      for (guint i = 0; i < self->n; i++)
        run_instruction (&tile, &self->instructions[i]);
    }
  return TRUE;
}

static void
free_chain (SymStep *step)
{
  Chain *self = (Chain *) step;

  g_free (self->instructions);
  g_ptr_array_unref (self->tiles);
  g_free (self);
}

static const SymStepClass chain_class = { run_chain, free_chain };

SymStep *
sym_chain_new (const SymPlanGraph *graph,
               guint first,
               guint n,
               const gboolean *hidden,
               const SymStepOptions *options)
{
  g_autoptr (GHashTable) slots = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) lasts = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) idle = g_array_new (FALSE, FALSE, sizeof (guint));
  Chain *self = g_new0 (Chain, 1);
  Maker maker = { self, graph, slots, lasts, idle };
  guint y = sym_plan_graph_get_op (graph, first)->y;

  self->step.class = &chain_class;
  self->instructions = g_new0 (Instruction, n);
  self->n_slots = FIRST_SLOT;
  self->n_elements = sym_plan_graph_get_tensor (graph, y)->n;
  self->tiles = g_ptr_array_new_with_free_func (g_aligned_free);
  for (guint i = first; i < first + n; i++)
    {
      note_use (&maker, sym_plan_graph_get_op (graph, i)->x, i);
      note_use (&maker, sym_plan_graph_get_op (graph, i)->other, i);
    }
  for (guint i = first; i < first + n; i++)
    add_instruction (&maker, i, hidden);
  self->step.n_scratch = self->n_slots * (TILE * sizeof (float) + sizeof (float *));
  self->step.n_slices = sym_step_count_slices (options, (double) self->n_elements * n / 4,
                                               (self->n_elements + TILE - 1) / TILE);
  return &self->step;
}
