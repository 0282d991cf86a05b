/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-body.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Scan, and SequenceMap.  Scan's body takes states and a slice of each scanned operand, and gives
 * states and a slice of each gathered output.  Before version 9 all that was done for each element
 * of a batch. */

#define MAX_SCANS 64

static const SymAttributeSpec attributes_8[] = {
  { "num_scan_inputs", SYM_ATTRIBUTE_INT, NULL, "how many operands are scanned" },
  { "directions", SYM_ATTRIBUTE_INTS, "None", "for each, 1 to go from the end" },
  { NULL },
};

static const SymAttributeSpec attributes_9[] = {
  { "num_scan_inputs", SYM_ATTRIBUTE_INT, NULL, "how many operands are scanned" },
  { "scan_input_axes", SYM_ATTRIBUTE_INTS, "None",
    "axis along which each is scanned; 0 if not given" },
  { "scan_input_directions", SYM_ATTRIBUTE_INTS, "None", "for each, 1 to go from the end" },
  { "scan_output_axes", SYM_ATTRIBUTE_INTS, "None",
    "axis along which each output is gathered; 0 if not given" },
  { "scan_output_directions", SYM_ATTRIBUTE_INTS, "None",
    "for each, 1 to put slices before the others" },
  { NULL },
};

static const SymSlotSpec slots_8[] = { { "sequence_lens", SYM_SLOT_DATA, TRUE },
                                       { "initial_state_and_scan_inputs" },
                                       { NULL } };
static const SymSlotSpec slots_9[] = { { "initial_state_and_scan_inputs" }, { NULL } };

/* ---- Shapes ---- */

static gint64
get_nth (SymRule *rule, const char *name, guint i)
{
  gint64 values[MAX_SCANS];
  int n = sym_rule_get_ints (rule, name, values, MAX_SCANS);

  return n >= 0 && i < (guint) MIN (n, MAX_SCANS) ? values[i] : 0;
}

/* A slice of a scanned operand; *@steps is tied to how many there are. */
static gboolean
slice_type (SymRule *rule, SymType *type, gint64 axis, SymDim *steps, GError **error)
{
  int normal;

  if (type->kind != SYM_KIND_TENSOR || type->shape.rank < 1)
    return TRUE;
  if (!sym_op_normalize_axis (axis, type->shape.rank, &normal, error))
    return FALSE;
  if (*steps == SYM_DIM_UNKNOWN)
    *steps = type->shape.dims[normal];
  else if (!sym_rule_unify (rule, type->shape.dims[normal], *steps, "number of steps", error))
    return FALSE;
  type->shape = sym_op_remove_axis (&type->shape, normal);
  return TRUE;
}

static gboolean
stack_type (SymType *type, gint64 axis, SymDim steps, GError **error)
{
  int normal;

  if (type->kind != SYM_KIND_TENSOR || type->shape.rank < 0 || type->shape.rank >= SYM_MAX_RANK)
    return TRUE;
  if (!sym_op_normalize_axis (axis, type->shape.rank + 1, &normal, error))
    return FALSE;
  type->shape = sym_op_insert_axis (&type->shape, normal, steps);
  return TRUE;
}

static gboolean
infer_scan (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_formal_inputs (rule), n_outputs = sym_rule_get_n_outputs (rule);
  gint64 n_scanned = sym_rule_get_int (rule, "num_scan_inputs", 0);
  int body = sym_rule_find_body (rule, "body");
  g_autofree SymType *inputs = g_new (SymType, n + 1);
  g_autofree SymType *outputs = g_new (SymType, n_outputs + 1);
  SymBodyTypes types = { inputs, outputs, n, n_outputs };
  SymDim steps = SYM_DIM_UNKNOWN;
  guint n_states;

  if (body < 0)
    return sym_rule_fail (error, "there is no body");
  if (n_scanned < 0 || n_scanned > n || n - n_scanned > n_outputs)
    return sym_rule_fail (
        error, "%u operands cannot be %" G_GINT64_FORMAT " scanned ones and states of %u outputs",
        n, n_scanned, n_outputs);
  n_states = n - (guint) n_scanned;
  for (guint i = 0; i < n; i++)
    {
      inputs[i] = sym_rule_get_input_type (rule, i);
      if (i >= n_states &&
          !slice_type (rule, &inputs[i], get_nth (rule, "scan_input_axes", i - n_states), &steps,
                       error))
        return FALSE;
    }
  for (guint i = 0; i < n_outputs; i++)
    outputs[i] = SYM_TYPE_UNKNOWN;
  if (!sym_rule_infer_closure (rule, (guint) body, &types, error))
    return FALSE;
  for (guint i = 0; i < n_outputs; i++)
    {
      if (i >= n_states &&
          !stack_type (&outputs[i], get_nth (rule, "scan_output_axes", i - n_states), steps, error))
        return FALSE;
      if (outputs[i].kind != SYM_KIND_UNKNOWN)
        sym_rule_set_output_type (rule, i, &outputs[i]);
    }
  return TRUE;
}

/* ---- Running ---- */

typedef struct {
  SymKernel *kernel;
  guint body, first, n_states, n_scanned, n_gathered;
  gint64 input_axes[MAX_SCANS], input_directions[MAX_SCANS];
  gint64 output_axes[MAX_SCANS], output_directions[MAX_SCANS];
  GPtrArray *states;   /* of SymDatum */
  GPtrArray *gathered; /* for each output an array of slices in their order */
} Scan;

static void
scan_clear (Scan *self)
{
  g_clear_pointer (&self->states, g_ptr_array_unref);
  g_clear_pointer (&self->gathered, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scan, scan_clear)

static gboolean
start_scan (Scan *self, SymKernel *kernel, guint first, GError **error)
{
  gint64 n_scanned = sym_kernel_get_int (kernel, "num_scan_inputs", 0);
  guint n = sym_kernel_get_n_inputs (kernel), n_outputs = sym_kernel_get_n_outputs (kernel);
  int body = sym_layer_find_body (sym_kernel_get_layer (kernel), "body");

  self->kernel = kernel;
  self->first = first;
  if (body < 0)
    return sym_kernel_fail (error, "there is no body");
  if (n < first || n_scanned < 1 || n_scanned > n - first || n - first - n_scanned > n_outputs ||
      n_scanned > MAX_SCANS || n_outputs > MAX_SCANS)
    return sym_kernel_fail (
        error, "%u operands cannot be %" G_GINT64_FORMAT " scanned ones and states of %u outputs",
        n, n_scanned, n_outputs);
  self->body = (guint) body;
  self->n_scanned = (guint) n_scanned;
  self->n_states = n - first - self->n_scanned;
  self->n_gathered = n_outputs - self->n_states;
  sym_kernel_get_ints (kernel, "scan_input_axes", self->input_axes, MAX_SCANS);
  sym_kernel_get_ints (kernel, first == 0 ? "scan_input_directions" : "directions",
                       self->input_directions, MAX_SCANS);
  sym_kernel_get_ints (kernel, "scan_output_axes", self->output_axes, MAX_SCANS);
  sym_kernel_get_ints (kernel, "scan_output_directions", self->output_directions, MAX_SCANS);
  return TRUE;
}

static void
reset (Scan *self)
{
  g_clear_pointer (&self->states, g_ptr_array_unref);
  g_clear_pointer (&self->gathered, g_ptr_array_unref);
  self->states = sym_op_new_data (self->n_states);
  self->gathered = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < self->n_gathered; i++)
    g_ptr_array_add (self->gathered, sym_op_new_data (0));
}

/* What is left of @x at place @place of @axis. */
static SymDatum *
take_slice (const SymArray *x, int axis, gsize place, GError **error)
{
  SymOpAxis whole = sym_op_split_axis (&x->shape, axis);
  SymShape shape = sym_op_remove_axis (&x->shape, axis);
  SymDatum *slice = sym_datum_new (x->dtype, &shape, error);

  if (slice == NULL)
    return NULL;
  for (gsize i = 0; i < whole.outer; i++)
    sym_op_move ((SymArray *) sym_datum_get_array (slice), i * whole.inner, x,
                 (i * whole.size + place) * whole.inner, whole.inner);
  return slice;
}

/* Element @batch of the scanned operands (-1: there is no axis of a batch), step @step of @n. */
static gboolean
add_slices (Scan *self,
            GPtrArray *inputs,
            const SymArray *const *scanned,
            gint64 step,
            gint64 n,
            GError **error)
{
  for (guint i = 0; i < self->n_scanned; i++)
    {
      gint64 place = self->input_directions[i] != 0 ? n - 1 - step : step;
      SymDatum *slice;
      int axis;

      if (!sym_op_find_axis (self->input_axes[i], scanned[i]->shape.rank, &axis, error))
        return FALSE;
      if (scanned[i]->shape.dims[axis] < n)
        return sym_kernel_fail (error,
                                "scanned operand %u has %" G_GINT64_FORMAT
                                " steps, the first has %" G_GINT64_FORMAT,
                                i, scanned[i]->shape.dims[axis], n);
      slice = take_slice (scanned[i], axis, (gsize) place, error);
      if (slice == NULL)
        return FALSE;
      g_ptr_array_add (inputs, slice);
    }
  return TRUE;
}

static gboolean
run_step (Scan *self, const SymArray *const *scanned, gint64 step, gint64 n, GError **error)
{
  g_autoptr (GPtrArray) inputs = sym_op_new_data (0);
  g_autoptr (GPtrArray) outputs = sym_op_new_data (self->n_states + self->n_gathered);

  for (guint i = 0; i < self->n_states; i++)
    g_ptr_array_add (inputs, sym_datum_ref (self->states->pdata[i]));
  if (sym_kernel_is_cancelled (self->kernel, error) ||
      !add_slices (self, inputs, scanned, step, n, error) ||
      !sym_kernel_run_body (self->kernel, self->body, (SymDatum *const *) inputs->pdata,
                            inputs->len, (SymDatum **) outputs->pdata, outputs->len, error))
    return FALSE;
  for (guint i = 0; i < outputs->len; i++)
    {
      SymDatum *kept = sym_datum_keep (outputs->pdata[i], error);

      if (kept == NULL)
        return FALSE;
      if (i < self->n_states)
        {
          sym_datum_unref (self->states->pdata[i]);
          self->states->pdata[i] = kept;
        }
      else if (self->output_directions[i - self->n_states] != 0)
        g_ptr_array_insert (self->gathered->pdata[i - self->n_states], 0, kept);
      else
        g_ptr_array_add (self->gathered->pdata[i - self->n_states], kept);
    }
  return TRUE;
}

/* ---- Version 9 ---- */

static gboolean
collect_scanned (Scan *self, const SymArray **scanned, gint64 *n, GError **error)
{
  int axis;

  for (guint i = 0; i < self->n_scanned; i++)
    {
      scanned[i] = sym_kernel_need_input (self->kernel, self->first + self->n_states + i, error);
      if (scanned[i] == NULL)
        return FALSE;
    }
  if (!sym_op_find_axis (self->input_axes[0], scanned[0]->shape.rank, &axis, error))
    return FALSE;
  *n = scanned[0]->shape.dims[axis];
  return TRUE;
}

/* Output @i of no steps. */
static gboolean
gather_nothing (Scan *self, const SymArray *const *scanned, guint i, GError **error)
{
  g_autofree SymType *types = g_new (SymType, self->n_states + self->n_scanned + 1);

  for (guint k = 0; k < self->n_states; k++)
    types[k] = sym_op_get_type (self->states->pdata[k]);
  for (guint k = 0; k < self->n_scanned; k++)
    {
      SymShape shape = scanned[k]->shape;
      int axis;

      if (!sym_op_find_axis (self->input_axes[k], shape.rank, &axis, error))
        return FALSE;
      types[self->n_states + k] =
          sym_type_tensor (scanned[k]->dtype, sym_op_remove_axis (&shape, axis));
    }
  return sym_op_gather_nothing (self->kernel, self->body, types, self->n_states + self->n_scanned,
                                self->n_states + i, self->n_states + i, self->output_axes[i],
                                error);
}

static gboolean
finish_scan (Scan *self, const SymArray *const *scanned, GError **error)
{
  for (guint i = 0; i < self->n_states; i++)
    if (!sym_kernel_set_output (self->kernel, i, self->states->pdata[i], error))
      return FALSE;
  for (guint i = 0; i < self->n_gathered; i++)
    {
      const GPtrArray *parts = self->gathered->pdata[i];
      const SymArray *first = parts->len == 0 ? NULL : sym_datum_get_array (parts->pdata[0]);
      int axis;

      if (parts->len == 0)
        {
          if (!gather_nothing (self, scanned, i, error))
            return FALSE;
          continue;
        }
      if (first == NULL)
        return sym_kernel_fail (error, "output %u is no tensor", self->n_states + i);
      if (!sym_op_find_axis (self->output_axes[i], first->shape.rank + 1, &axis, error) ||
          !sym_op_stack (self->kernel, self->n_states + i, parts, axis, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
run_scan (SymKernel *kernel, GError **error)
{
  const SymArray *scanned[MAX_SCANS];
  g_auto (Scan) self = { NULL };
  gint64 n;

  if (!start_scan (&self, kernel, 0, error) || !collect_scanned (&self, scanned, &n, error))
    return FALSE;
  reset (&self);
  for (guint i = 0; i < self.n_states; i++)
    {
      if (!sym_kernel_has_input (kernel, i))
        return sym_kernel_fail (error, "state %u is missing", i);
      self.states->pdata[i] = sym_datum_ref (sym_kernel_get_datum (kernel, i));
    }
  for (gint64 step = 0; step < n; step++)
    if (!run_step (&self, scanned, step, n, error))
      return FALSE;
  return finish_scan (&self, scanned, error);
}

/* ---- Version 8 ---- */

/* Element @place of the first axis, lent. */
static gboolean
take_element (const SymArray *x, gsize place, SymArray *element, GError **error)
{
  gsize n;

  if (x->shape.rank < 1 || place >= (gsize) x->shape.dims[0] || x->dtype == SYM_DTYPE_STRING ||
      sym_dtype_get_bits (x->dtype) < 8)
    return sym_kernel_fail (
        error, "a scanned operand has no element %" G_GSIZE_FORMAT " of its batch", place);
  *element = *x;
  element->shape = sym_op_remove_axis (&x->shape, 0);
  n = sym_array_get_n_bytes (element);
  element->data = (guint8 *) x->data + place * n;
  return TRUE;
}

static gboolean
run_element (Scan *self, gsize batch, GPtrArray *all, GError **error)
{
  const SymArray *scanned[MAX_SCANS], *lengths = sym_kernel_get_input (self->kernel, 0);
  SymArray elements[MAX_SCANS];
  gint64 n;

  if (!collect_scanned (self, scanned, &n, error))
    return FALSE;
  for (guint i = 0; i < self->n_scanned; i++)
    {
      if (!take_element (scanned[i], batch, &elements[i], error))
        return FALSE;
      scanned[i] = &elements[i];
    }
  n = elements[0].shape.rank < 1 ? 0 : elements[0].shape.dims[0];
  if (lengths != NULL && lengths->dtype == SYM_DTYPE_INT64 &&
      batch < sym_array_get_n_elements (lengths))
    n = CLAMP (((const gint64 *) lengths->data)[batch], 0, n);
  reset (self);
  for (guint i = 0; i < self->n_states; i++)
    {
      const SymArray *state = sym_kernel_need_input (self->kernel, self->first + i, error);
      SymArray element;

      if (state == NULL || !take_element (state, batch, &element, error) ||
          (self->states->pdata[i] = sym_datum_new_copy (&element, error)) == NULL)
        return FALSE;
    }
  for (gint64 step = 0; step < n; step++)
    if (!run_step (self, scanned, step, n, error))
      return FALSE;
  for (guint i = 0; i < self->n_states; i++)
    g_ptr_array_add (all->pdata[i], sym_datum_ref (self->states->pdata[i]));
  for (guint i = 0; i < self->n_gathered; i++)
    g_ptr_array_add (all->pdata[self->n_states + i], g_ptr_array_ref (self->gathered->pdata[i]));
  return TRUE;
}

/* The slices of each element become a tensor with the axis of the batch, then that of the steps. */
static gboolean
gather_batch (Scan *self, guint output, const GPtrArray *elements, GError **error)
{
  g_autoptr (GPtrArray) flat = sym_op_new_data (0);
  SymShape shape;
  guint n = 0;

  for (guint i = 0; i < elements->len; i++)
    {
      const GPtrArray *parts = elements->pdata[i];

      if (i > 0 && parts->len != n)
        return sym_kernel_fail (error, "elements of the batch have %u and %u steps", n, parts->len);
      n = parts->len;
      for (guint j = 0; j < n; j++)
        g_ptr_array_add (flat, sym_datum_ref (parts->pdata[j]));
    }
  if (flat->len == 0)
    return sym_kernel_fail (error, "output %u of no steps has no type", output);
  if (!sym_op_stack (self->kernel, output, flat, 0, error))
    return FALSE;
  shape = sym_datum_get_array (flat->pdata[0])->shape;
  if (shape.rank + 2 > SYM_MAX_RANK)
    return sym_kernel_fail (error, "output %u has too many axes", output);
  shape = sym_op_insert_axis (&shape, 0, n);
  shape = sym_op_insert_axis (&shape, 0, elements->len);
  return sym_kernel_reshape_output (self->kernel, output, &shape, error);
}

static gboolean
run_batch (SymKernel *kernel, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_auto (Scan) self = { NULL };
  const SymArray *first;
  gboolean done = TRUE;

  if (!start_scan (&self, kernel, 1, error))
    return FALSE;
  first = sym_kernel_need_input (kernel, 1, error);
  if (first == NULL || first->shape.rank < 1)
    return first != NULL && sym_kernel_fail (error, "operand 1 has no axis of a batch");
  for (guint i = 0; i < self.n_states; i++)
    g_ptr_array_add (all, sym_op_new_data (0));
  for (guint i = 0; i < self.n_gathered; i++)
    g_ptr_array_add (all, g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref));
  for (gint64 batch = 0; batch < first->shape.dims[0]; batch++)
    if (!run_element (&self, (gsize) batch, all, error))
      return FALSE;
  if (first->shape.dims[0] == 0)
    return sym_kernel_fail (error, "the batch is empty");
  for (guint i = 0; done && i < all->len; i++)
    done = i < self.n_states ? sym_op_stack (kernel, i, all->pdata[i], 0, error)
                             : gather_batch (&self, i, all->pdata[i], error);
  return done;
}

/* ---- SequenceMap ---- */

static const SymSlotSpec map_slots[] = { { "input_sequence" },
                                         { "additional_inputs", SYM_SLOT_DATA, TRUE },
                                         { NULL } };

static gboolean
infer_map (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_formal_inputs (rule), n_outputs = sym_rule_get_n_outputs (rule);
  int body = sym_rule_find_body (rule, "body");
  g_autofree SymType *inputs = g_new (SymType, n + 1);
  g_autofree SymType *outputs = g_new (SymType, n_outputs + 1);
  SymBodyTypes types = { inputs, outputs, n, n_outputs };

  if (body < 0)
    return sym_rule_fail (error, "there is no body");
  for (guint i = 0; i < n; i++)
    {
      inputs[i] = sym_rule_get_input_type (rule, i);
      if (inputs[i].kind == SYM_KIND_SEQUENCE)
        inputs[i].kind = SYM_KIND_TENSOR;
    }
  for (guint i = 0; i < n_outputs; i++)
    outputs[i] = SYM_TYPE_UNKNOWN;
  if (!sym_rule_infer_closure (rule, (guint) body, &types, error))
    return FALSE;
  for (guint i = 0; i < n_outputs; i++)
    {
      outputs[i].kind = SYM_KIND_SEQUENCE;
      sym_rule_set_output_type (rule, i, &outputs[i]);
    }
  return TRUE;
}

static gboolean
map_item (SymKernel *kernel, guint body, guint place, GPtrArray *all, GError **error)
{
  g_autoptr (GPtrArray) inputs = sym_op_new_data (0);
  g_autoptr (GPtrArray) outputs = sym_op_new_data (all->len);

  for (guint i = 0; i < sym_kernel_get_n_inputs (kernel); i++)
    {
      SymDatum *datum = sym_kernel_get_datum (kernel, i);

      if (datum == NULL)
        return sym_kernel_fail (error, "operand %u is missing", i);
      if (sym_datum_get_kind (datum) == SYM_KIND_SEQUENCE)
        {
          if (place >= sym_datum_get_n_items (datum))
            return sym_kernel_fail (error, "operand %u has only %u items", i,
                                    sym_datum_get_n_items (datum));
          datum = sym_datum_get_item (datum, place);
        }
      g_ptr_array_add (inputs, sym_datum_ref (datum));
    }
  if (sym_kernel_is_cancelled (kernel, error) ||
      !sym_kernel_run_body (kernel, body, (SymDatum *const *) inputs->pdata, inputs->len,
                            (SymDatum **) outputs->pdata, outputs->len, error))
    return FALSE;
  for (guint i = 0; i < all->len; i++)
    {
      SymDatum *kept = sym_datum_keep (outputs->pdata[i], error);

      if (kept == NULL)
        return FALSE;
      g_ptr_array_add (all->pdata[i], kept);
    }
  return TRUE;
}

static gboolean
run_map (SymKernel *kernel, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  SymDatum *sequence = sym_kernel_get_datum (kernel, 0);
  int body = sym_layer_find_body (sym_kernel_get_layer (kernel), "body");

  if (body < 0)
    return sym_kernel_fail (error, "there is no body");
  if (sequence == NULL || sym_datum_get_kind (sequence) != SYM_KIND_SEQUENCE)
    return sym_kernel_fail (error, "operand 0 must be a sequence");
  for (guint i = 0; i < sym_kernel_get_n_outputs (kernel); i++)
    g_ptr_array_add (all, sym_op_new_data (0));
  for (guint place = 0; place < sym_datum_get_n_items (sequence); place++)
    if (!map_item (kernel, (guint) body, place, all, error))
      return FALSE;
  for (guint i = 0; i < all->len; i++)
    {
      const GPtrArray *items = all->pdata[i];
      SymDType dtype = items->len == 0 ? SYM_DTYPE_UNKNOWN : sym_datum_get_dtype (items->pdata[0]);
      g_autoptr (SymDatum) result =
          sym_datum_new_sequence (dtype, (SymDatum *const *) items->pdata, items->len);

      if (!sym_kernel_set_output (kernel, i, result, error))
        return FALSE;
    }
  return TRUE;
}

#define SCAN(name_, version_, summary_)                                                 \
  SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_CONTROL, \
                                 .get_n_operands = sym_op_onnx_get_any_number,          \
                                 .get_n_outputs = sym_op_onnx_get_any_outputs

const SymOperator sym_op_onnx_scan[] = {
  { SCAN ("Scan",
          8,
          "runs its body along the second axis of operands, for each element of a batch"),
    .attributes = attributes_8, .slots = slots_8, .run = run_batch },
  { SCAN ("Scan", 9, "runs its body for the slices of operands, carrying states along"),
    .attributes = attributes_9, .slots = slots_9, .infer = infer_scan, .run = run_scan },
  { SCAN ("SequenceMap", 17, "runs its body for each item of a sequence"), .slots = map_slots,
    .infer = infer_map, .run = run_map },
  { 0 },
};
