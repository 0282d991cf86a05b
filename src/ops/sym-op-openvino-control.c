/* SPDX-License-Identifier: MIT */
#include "core/sym-element.h"
#include "ops/sym-op-body.h"
#include "ops/sym-op-move.h"
#include "ops/sym-op-openvino.h"

/* TensorIterator and Loop.  Their bodies take nothing from around; how they are connected is
 * said by attributes that readers make of the file's port map.  Results of a body are first those
 * of the layer, then what goes round, then Loop's condition. */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymBodyTypes, sym_op_types_free)

#define MAX_PLACES 256

/* Part of a tensor at every turn.  Its first and last place are both included. */
typedef struct {
  gboolean is_part;
  gint64 axis, start, end, stride, size;
} Part;

typedef struct {
  int n_inputs; /* of the body */
  gint64 operands[MAX_PLACES], turns[MAX_PLACES];
  Part inputs[MAX_PLACES], outputs[MAX_PLACES];
  gint64 number, condition; /* -1 for none */
  guint n_results;          /* of the body */
  gboolean is_loop;
} Wiring;

/* ---- Attributes ---- */

static gboolean
read_part (const SymValue *list, guint i, Part *part)
{
  gint64 values[5];

  *part = (Part){ FALSE, 0, 0, -1, 1, 1 };
  if (list == NULL || i >= sym_value_get_n_children (list) ||
      sym_value_get_ints (sym_value_get_child (list, i), values, 5) != 5)
    return TRUE;
  *part = (Part){ TRUE, values[0], values[1], values[2], values[3], values[4] };
  return part->size > 0 && (part->stride == part->size || part->stride == -part->size);
}

static gboolean
read_wiring (const SymLayer *layer, guint n_operands, guint n_outputs, Wiring *self, GError **error)
{
  const SymAttributes *attributes = sym_layer_get_attributes (layer);
  const SymValue *inputs = sym_attributes_find (attributes, "input_parts"),
                 *outputs = sym_attributes_find (attributes, "output_parts");
  int n_turns = sym_attributes_get_ints (attributes, "back_edges", self->turns, MAX_PLACES);
  gboolean is_good = TRUE;

  self->n_inputs =
      sym_attributes_get_ints (attributes, "body_operands", self->operands, MAX_PLACES);
  self->number = sym_attributes_get_int (attributes, "current_iteration", -1);
  self->condition = sym_attributes_get_int (attributes, "execution_condition", -1);
  self->is_loop = g_strcmp0 (sym_layer_get_operator (layer)->name, "Loop") == 0;
  self->n_results = n_outputs;
  if (self->n_inputs < 0 || self->n_inputs > MAX_PLACES || n_turns != self->n_inputs ||
      n_outputs > MAX_PLACES || self->number >= self->n_inputs || self->condition >= MAX_PLACES)
    return sym_rule_fail (error, "its attributes do not tell how its body is connected");
  for (int i = 0; i < self->n_inputs; i++)
    {
      is_good = is_good && read_part (inputs, (guint) i, &self->inputs[i]) &&
                self->operands[i] < n_operands && self->turns[i] < MAX_PLACES;
      self->n_results = MAX (self->n_results, (guint) (self->turns[i] + 1));
    }
  for (guint i = 0; i < n_outputs; i++)
    is_good = is_good && read_part (outputs, i, &self->outputs[i]);
  self->n_results = MAX (self->n_results, (guint) (self->condition + 1));
  return is_good || sym_rule_fail (error, "its parts are not taken one after the other");
}

/* A place from the end is counted from the front. */
static gint64
find_place (gint64 place, gint64 size)
{
  return place < 0 ? place + size : place;
}

/* How many parts an axis of @size has; -1 where they do not fit. */
static gint64
count_parts (const Part *part, gint64 size, gint64 *first)
{
  gint64 start = find_place (part->start, size), end = find_place (part->end, size);

  *first = MIN (start, end);
  if (*first < 0 || MAX (start, end) >= size || (start > end) != (part->stride < 0 && start != end))
    return size == 0 ? 0 : -1;
  return (MAX (start, end) + 1 - *first) / part->size;
}

/* ---- Shapes ---- */

static void
forget_names (SymShape *shape)
{
  for (int i = 0; i < shape->rank; i++)
    if (shape->dims[i] < 0)
      shape->dims[i] = SYM_DIM_UNKNOWN;
}

static gboolean
is_axis (const SymType *type, const Part *part, int *axis, GError **error)
{
  return type->kind != SYM_KIND_TENSOR || type->shape.rank < 0 ||
         sym_op_normalize_axis (part->axis, type->shape.rank, axis, error);
}

/* The type of input @i of the body, and what is known of the number of turns. */
static gboolean
infer_input (SymRule *rule, const Wiring *wiring, int i, SymType *type, gint64 *n, GError **error)
{
  const Part *part = &wiring->inputs[i];
  gint64 first;
  int axis = -1;

  if (wiring->operands[i] < 0)
    return TRUE;
  *type = sym_rule_get_input_type (rule, (guint) wiring->operands[i]);
  /* What goes round in a Loop may change its shape. */
  if (wiring->turns[i] >= 0 && wiring->is_loop)
    type->shape = SYM_SHAPE_UNKNOWN;
  if (!part->is_part || type->kind != SYM_KIND_TENSOR || type->shape.rank < 0)
    return TRUE;
  if (!is_axis (type, part, &axis, error))
    return FALSE;
  if (type->shape.dims[axis] >= 0)
    {
      *n = count_parts (part, type->shape.dims[axis], &first);
      if (*n < 0)
        return sym_rule_fail (error, "its parts do not fit to the axis of operand %d",
                              (int) wiring->operands[i]);
    }
  type->shape.dims[axis] = part->size;
  return TRUE;
}

static gboolean
tell_output (SymRule *rule, const Part *part, guint i, SymType type, gint64 n, GError **error)
{
  int axis = -1;

  if (type.kind == SYM_KIND_UNKNOWN)
    return TRUE;
  forget_names (&type.shape);
  if (part->is_part && type.kind == SYM_KIND_TENSOR && type.shape.rank >= 0)
    {
      if (!is_axis (&type, part, &axis, error))
        return FALSE;
      type.shape.dims[axis] = n >= 0 && type.shape.dims[axis] >= 0 &&
                                      type.shape.dims[axis] <= G_MAXINT32 && n <= G_MAXINT32
                                  ? type.shape.dims[axis] * n
                                  : SYM_DIM_UNKNOWN;
    }
  sym_rule_set_output_type (rule, i, &type);
  return TRUE;
}

static gboolean
infer_loop (SymRule *rule, GError **error)
{
  guint n_outputs = sym_rule_get_n_outputs (rule);
  int body = sym_rule_find_body (rule, "body");
  g_autofree Wiring *wiring = g_new0 (Wiring, 1);
  g_autoptr (SymBodyTypes) types = NULL;
  g_autofree int *operands = NULL;
  gint64 n = -1;

  if (body < 0)
    return sym_rule_fail (error, "there is no body");
  if (!read_wiring (sym_rule_get_layer (rule), sym_rule_get_n_inputs (rule), n_outputs, wiring,
                    error))
    return FALSE;
  types = sym_op_types_new ((guint) wiring->n_inputs, wiring->n_results);
  operands = g_new (int, wiring->n_inputs + 1);
  for (int i = 0; i < wiring->n_inputs; i++)
    {
      gboolean is_same = wiring->turns[i] < 0 && !wiring->inputs[i].is_part;

      operands[i] = is_same ? (int) wiring->operands[i] : -1;
      if (!infer_input (rule, wiring, i, &types->inputs[i], &n, error))
        return FALSE;
    }
  types->operands = operands;
  if (!sym_rule_infer_types (rule, (guint) body, types, error))
    return FALSE;
  /* Loop may end before. */
  for (guint i = 0; i < n_outputs; i++)
    if (!tell_output (rule, &wiring->outputs[i], i, types->outputs[i], wiring->is_loop ? -1 : n,
                      error))
      return FALSE;
  return TRUE;
}

/* ---- Running ---- */

typedef struct {
  SymKernel *kernel;
  guint body;
  Wiring wiring;
  GPtrArray *inputs;  /* of the body */
  GPtrArray *outputs; /* of the body */
  GPtrArray *parts;   /* for each output of the layer what is joined */
} Turns;

static void
turns_free (Turns *self)
{
  g_clear_pointer (&self->inputs, g_ptr_array_unref);
  g_clear_pointer (&self->outputs, g_ptr_array_unref);
  g_clear_pointer (&self->parts, g_ptr_array_unref);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Turns, turns_free)

static void
put (GPtrArray *data, guint i, SymDatum *take_datum)
{
  if (data->pdata[i] != NULL)
    sym_datum_unref (data->pdata[i]);
  data->pdata[i] = take_datum;
}

/* What a turn is given of @x. */
static SymDatum *
take_part (const SymArray *x, const Part *part, gint64 turn, GError **error)
{
  SymShape shape = x->shape;
  SymOpAxis whole;
  SymDatum *datum;
  gint64 n, first;
  int axis;

  if (!sym_op_find_axis (part->axis, shape.rank, &axis, error))
    return NULL;
  n = count_parts (part, shape.dims[axis], &first);
  if (turn >= n)
    {
      sym_kernel_set_error (error, "turn %" G_GINT64_FORMAT " has no part of its own", turn);
      return NULL;
    }
  whole = sym_op_split_axis (&x->shape, axis);
  shape.dims[axis] = part->size;
  datum = sym_datum_new (x->dtype, &shape, error);
  first += (part->stride < 0 ? n - 1 - turn : turn) * part->size;
  for (gsize i = 0; datum != NULL && i < whole.outer; i++)
    sym_op_move ((SymArray *) sym_datum_get_array (datum), i * (gsize) part->size * whole.inner, x,
                 (i * whole.size + (gsize) first) * whole.inner, (gsize) part->size * whole.inner);
  return datum;
}

static SymDatum *
make_number (Turns *self, gint64 turn, GError **error)
{
  SymModel *model = sym_layer_get_body (sym_kernel_get_layer (self->kernel), self->body, NULL);
  SymId input = sym_model_get_inputs (model).ids[self->wiring.number];
  SymType type = sym_model_get_declared_type (model, input);
  SymShape shape = type.shape.rank == 1 ? (SymShape) SYM_SHAPE (1) : (SymShape) SYM_SHAPE ();
  SymDType dtype = type.dtype == SYM_DTYPE_INT32 ? SYM_DTYPE_INT32 : SYM_DTYPE_INT64;
  SymDatum *datum = sym_datum_new (dtype, &shape, error);

  if (datum != NULL)
    sym_element_set_int (dtype, sym_datum_get_array (datum)->data, 0, turn);
  return datum;
}

/* What a turn is given besides what went round. */
static gboolean
start_turn (Turns *self, gint64 turn, GError **error)
{
  const Wiring *wiring = &self->wiring;

  for (int i = 0; i < wiring->n_inputs; i++)
    {
      const SymArray *x;
      SymDatum *part;

      if (!wiring->inputs[i].is_part && i != wiring->number)
        continue;
      if (i == wiring->number)
        part = make_number (self, turn, error);
      else
        {
          x = sym_kernel_need_input (self->kernel, (guint) wiring->operands[i], error);
          part = x == NULL ? NULL : take_part (x, &wiring->inputs[i], turn, error);
        }
      if (part == NULL)
        return FALSE;
      put (self->inputs, (guint) i, part);
    }
  return TRUE;
}

static gboolean
keep_outputs (Turns *self, GError **error)
{
  for (guint i = 0; i < self->outputs->len; i++)
    {
      SymDatum *kept = sym_datum_keep (self->outputs->pdata[i], error);

      if (kept == NULL)
        return FALSE;
      put (self->outputs, i, kept);
    }
  for (guint i = 0; i < self->parts->len; i++)
    if (self->wiring.outputs[i].is_part)
      g_ptr_array_insert (self->parts->pdata[i], self->wiring.outputs[i].stride < 0 ? 0 : -1,
                          sym_datum_ref (self->outputs->pdata[i]));
  for (int i = 0; i < self->wiring.n_inputs; i++)
    if (self->wiring.turns[i] >= 0)
      put (self->inputs, (guint) i, sym_datum_ref (self->outputs->pdata[self->wiring.turns[i]]));
  return TRUE;
}

static gboolean
run_turn (Turns *self, gint64 turn, gboolean *go, GError **error)
{
  for (guint i = 0; i < self->outputs->len; i++)
    put (self->outputs, i, NULL);
  if (sym_kernel_is_cancelled (self->kernel, error) || !start_turn (self, turn, error) ||
      !sym_kernel_run_body (self->kernel, self->body, (SymDatum *const *) self->inputs->pdata,
                            self->inputs->len, (SymDatum **) self->outputs->pdata,
                            self->outputs->len, error) ||
      !keep_outputs (self, error))
    return FALSE;
  return self->wiring.condition < 0 ||
         sym_op_read_truth (self->kernel,
                            sym_datum_get_array (self->outputs->pdata[self->wiring.condition]), go,
                            error);
}

/* Loop says how often at most (-1: as long as the condition holds); TensorIterator goes as far as
 * its parts do. */
static gboolean
count_turns (Turns *self, gint64 *n, gboolean *go, GError **error)
{
  gint64 limit[1] = { -1 }, first;
  int n_limits = 0, axis;

  *n = -1;
  *go = TRUE;
  if (self->wiring.is_loop &&
      (!sym_kernel_read_ints (self->kernel, 0, limit, 1, &n_limits, error) ||
       !sym_op_read_truth (self->kernel, sym_kernel_need_input (self->kernel, 1, error), go,
                           error)))
    return FALSE;
  if (limit[0] >= 0 && n_limits == 1)
    *n = limit[0];
  for (int i = 0; i < self->wiring.n_inputs; i++)
    if (self->wiring.inputs[i].is_part)
      {
        const SymArray *x =
            sym_kernel_need_input (self->kernel, (guint) self->wiring.operands[i], error);
        gint64 parts;

        if (x == NULL ||
            !sym_op_find_axis (self->wiring.inputs[i].axis, x->shape.rank, &axis, error))
          return FALSE;
        parts = count_parts (&self->wiring.inputs[i], x->shape.dims[axis], &first);
        if (parts < 0)
          return sym_kernel_fail (error, "its parts do not fit to the axis of operand %d",
                                  (int) self->wiring.operands[i]);
        *n = *n < 0 ? parts : MIN (*n, parts);
      }
  return *n >= 0 || self->wiring.is_loop ||
         sym_kernel_fail (error, "none of its operands is taken in parts");
}

static gboolean
start (Turns *self, SymKernel *kernel, GError **error)
{
  guint n_outputs = sym_kernel_get_n_outputs (kernel);
  int body = sym_layer_find_body (sym_kernel_get_layer (kernel), "body");

  self->kernel = kernel;
  if (body < 0)
    return sym_kernel_fail (error, "there is no body");
  self->body = (guint) body;
  if (!read_wiring (sym_kernel_get_layer (kernel), sym_kernel_get_n_inputs (kernel), n_outputs,
                    &self->wiring, error))
    return FALSE;
  self->inputs = sym_op_new_data ((guint) self->wiring.n_inputs);
  self->outputs = sym_op_new_data (self->wiring.n_results);
  self->parts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < n_outputs; i++)
    g_ptr_array_add (self->parts, sym_op_new_data (0));
  for (int i = 0; i < self->wiring.n_inputs; i++)
    if (self->wiring.operands[i] >= 0 && !self->wiring.inputs[i].is_part)
      {
        SymDatum *datum = sym_kernel_get_datum (kernel, (guint) self->wiring.operands[i]);

        if (datum == NULL)
          return sym_kernel_fail (error, "operand %d is missing", (int) self->wiring.operands[i]);
        put (self->inputs, (guint) i, sym_datum_ref (datum));
      }
  return TRUE;
}

/* What an output is without a single turn: what its body was to be given first. */
static SymDatum *
find_initial (const Turns *self, guint output)
{
  SymModel *model = sym_layer_get_body (sym_kernel_get_layer (self->kernel), self->body, NULL);
  SymIds results = sym_model_get_outputs (model);

  for (int i = 0; i < self->wiring.n_inputs; i++)
    if (self->wiring.turns[i] >= 0 && output < results.n &&
        results.ids[self->wiring.turns[i]] == results.ids[output])
      return self->inputs->pdata[i];
  return NULL;
}

static gboolean
finish (Turns *self, GError **error)
{
  for (guint i = 0; i < self->parts->len; i++)
    {
      const GPtrArray *parts = self->parts->pdata[i];
      SymDatum *last = self->outputs->pdata[i];
      const SymArray *first = parts->len == 0 ? NULL : sym_datum_get_array (parts->pdata[0]);
      int axis;

      if (last == NULL)
        last = find_initial (self, i);
      if (!self->wiring.outputs[i].is_part && last != NULL)
        {
          if (!sym_kernel_set_output (self->kernel, i, last, error))
            return FALSE;
          continue;
        }
      if (first == NULL)
        return sym_kernel_fail (error, "there was no turn, so there is no output %u", i);
      if (!sym_op_find_axis (self->wiring.outputs[i].axis, first->shape.rank, &axis, error) ||
          !sym_op_join (self->kernel, i, parts, axis, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
run_loop (SymKernel *kernel, GError **error)
{
  g_autoptr (Turns) self = g_new0 (Turns, 1);
  gint64 n = 0;
  gboolean go = FALSE;

  if (!start (self, kernel, error) || !count_turns (self, &n, &go, error))
    return FALSE;
  for (gint64 turn = 0; go && (n < 0 || turn < n); turn++)
    if (!run_turn (self, turn, &go, error))
      return FALSE;
  return finish (self, error);
}

/* ---- Tables ---- */

static void
get_body_operands (const SymAttributes *attributes, guint body, int *operands, guint n)
{
  g_autofree gint64 *places = g_new (gint64, MAX_PLACES);
  int n_places = sym_attributes_get_ints (attributes, "body_operands", places, MAX_PLACES);

  (void) body;
  for (guint i = 0; i < n; i++)
    operands[i] = (int) i < MIN (n_places, MAX_PLACES) ? (int) places[i] : -1;
}

static const SymAttributeSpec loop_attributes[] = {
  { "body_operands", SYM_ATTRIBUTE_INTS, NULL, "operand that each input of the body is" },
  { "input_parts", SYM_ATTRIBUTE_ANY, "[]",
    "axis, first, last, step and size of what it is of it" },
  { "output_parts", SYM_ATTRIBUTE_ANY, "[]", "the same of outputs, which are joined" },
  { "back_edges", SYM_ATTRIBUTE_INTS, NULL, "result that each input is at the next turn" },
  { "current_iteration", SYM_ATTRIBUTE_INT, "-1", "input that is the number of the turn" },
  { "execution_condition", SYM_ATTRIBUTE_INT, "-1", "result that tells whether to go on" },
  { NULL },
};

static const SymSlotSpec iterator_slots[] = { { "input" }, { NULL } };
static const SymSlotSpec loop_slots[] = {
  { "trip_count" },
  { "execution_condition" },
  { "input", .optional = TRUE },
  { NULL },
};
static const char *const bodies[] = { "body", NULL };

#define LOOP(name_, summary_, slots_)                                                         \
  {                                                                                           \
    OPENVINO (name_, NULL, summary_, CONTROL),                                                \
        .slots = slots_, .attributes = loop_attributes, .get_n_operands = sym_op_foreign_any, \
        .get_n_outputs = sym_op_foreign_first, .get_body_operands = get_body_operands,        \
        .body_names = bodies, .infer = infer_loop, .run = run_loop                            \
  }

const SymOperator sym_op_openvino_control[] = {
  LOOP ("Loop", "Runs its body again and again", loop_slots),
  LOOP ("TensorIterator", "Runs its body for each part of its operands", iterator_slots),
  { NULL },
};
