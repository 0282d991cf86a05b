/* SPDX-License-Identifier: MIT */
#include "core/sym-kernel.h"

#include <string.h>

#include "core/sym-element.h"
#include "core/sym-kernel-keep.h"
#include "core/sym-kernel-wait.h"

struct _SymKernel {
  SymLayer *layer;
  const SymOperator *op;
  const SymAttributes *attributes;
  const SymKernelHost *host;
  guint n_captures; /* operands at the end that bodies take from outside */

  /* Of the run that goes on; borrowed. */
  SymDatum *const *inputs;
  SymDatum **outputs;
  const gboolean *wanted;
  guint n_inputs, n_outputs;

  GPtrArray *scratch; /* of SymDatum, NULL for one that is yet to be made */
  guint n_scratch;    /* in use */

  gpointer kept;
  GDestroyNotify free_kept;

  /* Of an operator that sees halves as float32: which kind the operands have (SYM_DTYPE_UNKNOWN for
   * none), and by operand and output what stands for a half, NULL for nothing. */
  SymDType half;
  GPtrArray *wide_inputs, *wide_outputs; /* of SymDatum */
  gboolean *narrow;                      /* by output: whether what stands for it becomes a half */
};

/* ---- The layer ---- */

SymLayer *
sym_kernel_get_layer (SymKernel *self)
{
  return self->layer;
}

int
sym_kernel_get_version (SymKernel *self)
{
  return self->op->since_version;
}

const SymAttributes *
sym_kernel_get_attributes (SymKernel *self)
{
  return self->attributes;
}

gint64
sym_kernel_get_int (SymKernel *self, const char *name, gint64 fallback)
{
  return sym_attributes_get_int (self->attributes, name, fallback);
}

double
sym_kernel_get_float (SymKernel *self, const char *name, double fallback)
{
  return sym_attributes_get_float (self->attributes, name, fallback);
}

gboolean
sym_kernel_get_bool (SymKernel *self, const char *name, gboolean fallback)
{
  return sym_attributes_get_bool (self->attributes, name, fallback);
}

const char *
sym_kernel_get_string (SymKernel *self, const char *name, const char *fallback)
{
  return sym_attributes_get_string (self->attributes, name, fallback);
}

SymDType
sym_kernel_get_dtype (SymKernel *self, const char *name, SymDType fallback)
{
  return sym_attributes_get_dtype (self->attributes, name, fallback);
}

int
sym_kernel_get_ints (SymKernel *self, const char *name, gint64 *values, int max)
{
  return sym_attributes_get_ints (self->attributes, name, values, max);
}

int
sym_kernel_get_floats (SymKernel *self, const char *name, double *values, int max)
{
  const SymValue *value = sym_attributes_find (self->attributes, name);
  int n;

  if (value == NULL)
    return -1;
  if (max > 0 && sym_value_get_float (value, values))
    return 1;
  n = (int) sym_value_get_n_children (value);
  for (int i = 0; i < MIN (n, max); i++)
    if (!sym_value_get_float (sym_value_get_child (value, (guint) i), &values[i]))
      return -1;
  return n;
}

/* ---- Operands ---- */

guint
sym_kernel_get_n_inputs (SymKernel *self)
{
  return self->n_inputs - self->n_captures;
}

SymDatum *
sym_kernel_get_datum (SymKernel *self, guint i)
{
  return i < sym_kernel_get_n_inputs (self) ? self->inputs[i] : NULL;
}

gboolean
sym_kernel_has_input (SymKernel *self, guint i)
{
  return sym_kernel_get_datum (self, i) != NULL;
}

static gboolean
is_half (SymDType dtype)
{
  return dtype == SYM_DTYPE_FLOAT16 || dtype == SYM_DTYPE_BFLOAT16;
}

const SymArray *
sym_kernel_get_input (SymKernel *self, guint i)
{
  const SymDatum *datum = sym_kernel_get_datum (self, i);

  if (datum != NULL && self->half != SYM_DTYPE_UNKNOWN && is_half (sym_datum_get_dtype (datum)) &&
      sym_datum_get_array (datum) != NULL)
    datum = self->wide_inputs->pdata[i];
  return datum == NULL ? NULL : sym_datum_get_array (datum);
}

/* The name of a slot; of a variadic operator's later operands that of its last slot. */
static const char *
get_slot_name (SymKernel *self, guint i)
{
  const SymSlotSpec *slots = self->op->slots;
  guint n = 0;

  while (slots != NULL && slots[n].name != NULL)
    n++;
  return n == 0 ? "operand" : slots[MIN (i, n - 1)].name;
}

const SymArray *
sym_kernel_need_input (SymKernel *self, guint i, GError **error)
{
  const SymArray *array = sym_kernel_get_input (self, i);

  if (array == NULL)
    sym_kernel_fail (error, "operand %u (%s) must be a tensor and %s", i, get_slot_name (self, i),
                     sym_kernel_has_input (self, i) ? "is none" : "is missing");
  return array;
}

gboolean
sym_kernel_read_ints (SymKernel *self, guint i, gint64 *values, int max, int *n, GError **error)
{
  const SymArray *array;
  gsize n_elements;

  *n = -1;
  if (!sym_kernel_has_input (self, i))
    return TRUE;
  array = sym_kernel_need_input (self, i, error);
  if (array == NULL)
    return FALSE;
  n_elements = sym_array_get_n_elements (array);
  if (array->shape.rank > 1)
    return sym_kernel_fail (error, "operand %u (%s) must have one axis and has %d", i,
                            get_slot_name (self, i), array->shape.rank);
  if (n_elements > (gsize) max)
    return sym_kernel_fail (
        error, "operand %u (%s) has %" G_GSIZE_FORMAT " elements; at most %d make sense", i,
        get_slot_name (self, i), n_elements, max);
  if (!sym_dtype_is_integer (array->dtype))
    return sym_kernel_fail (error, "operand %u (%s) must be of integers and is of %s", i,
                            get_slot_name (self, i), sym_dtype_to_string (array->dtype));
  for (gsize j = 0; j < n_elements; j++)
    values[j] = sym_element_get_int (array->dtype, array->data, j);
  *n = (int) n_elements;
  return TRUE;
}

/* ---- Results ---- */

guint
sym_kernel_get_n_outputs (SymKernel *self)
{
  return self->n_outputs;
}

gboolean
sym_kernel_wants_output (SymKernel *self, guint i)
{
  return i < self->n_outputs && (self->wanted == NULL || self->wanted[i]);
}

SymArray *
sym_kernel_new_output (SymKernel *self,
                       guint i,
                       SymDType dtype,
                       const SymShape *shape,
                       GError **error)
{
  SymDatum **slot;

  g_return_val_if_fail (i < self->n_outputs, NULL);

  slot = &self->outputs[i];
  if (self->half != SYM_DTYPE_UNKNOWN && dtype == SYM_DTYPE_FLOAT32)
    {
      slot = (SymDatum **) &self->wide_outputs->pdata[i];
      self->narrow[i] = TRUE;
    }
  if (!sym_datum_prepare (slot, dtype, shape, self->host == NULL ? NULL : self->host->pool, error))
    return NULL;
  return (SymArray *) sym_datum_get_array (*slot);
}

gboolean
sym_kernel_set_output (SymKernel *self, guint i, SymDatum *datum, GError **error)
{
  SymDatum *kept;

  g_return_val_if_fail (i < self->n_outputs, FALSE);

  kept = sym_datum_keep (datum, error);
  if (kept == NULL)
    return FALSE;
  g_clear_pointer (&self->outputs[i], sym_datum_unref);
  self->outputs[i] = kept;
  return TRUE;
}

/* Bytes, or strings, between two questions whether the run was cancelled. */
#define PIECE ((gsize) 1 << 20)

static gboolean
copy_elements (SymKernel *self, const SymArray *from, SymArray *to, GError **error)
{
  gboolean are_strings = from->dtype == SYM_DTYPE_STRING;
  gsize n = are_strings ? sym_array_get_n_elements (from) : sym_array_get_n_bytes (from);

  for (gsize i = 0; i < n; i += PIECE)
    {
      gsize count = MIN (n - i, PIECE);

      if (sym_kernel_is_cancelled (self, error))
        return FALSE;
      if (!are_strings)
        memcpy ((guint8 *) to->data + i, (const guint8 *) from->data + i, count);
      else
        for (gsize j = i; j < i + count; j++)
          sym_array_set_string (to, j, ((GBytes *const *) from->data)[j]);
    }
  return TRUE;
}

gboolean
sym_kernel_pass (SymKernel *self, guint input, guint i, const SymShape *shape, GError **error)
{
  const SymArray *from = sym_kernel_get_input (self, input);
  SymArray *to;

  if (from == NULL && sym_kernel_has_input (self, input))
    return sym_kernel_set_output (self, i, sym_kernel_get_datum (self, input), error);
  from = sym_kernel_need_input (self, input, error);
  if (from == NULL)
    return FALSE;
  to = sym_kernel_new_output (self, i, from->dtype, shape == NULL ? &from->shape : shape, error);
  if (to == NULL)
    return FALSE;
  g_assert (sym_array_get_n_elements (to) == sym_array_get_n_elements (from));
  return copy_elements (self, from, to, error);
}

gboolean
sym_kernel_reshape_output (SymKernel *self, guint i, const SymShape *shape, GError **error)
{
  SymArray *array = i < self->n_outputs && self->outputs[i] != NULL
                        ? (SymArray *) sym_datum_get_array (self->outputs[i])
                        : NULL;
  SymArray reshaped;

  g_return_val_if_fail (array != NULL, FALSE);

  reshaped = *array;
  reshaped.shape = *shape;
  if (sym_array_get_n_elements (&reshaped) != sym_array_get_n_elements (array))
    return sym_kernel_fail (error, "output %u has another number of elements", i);
  array->shape = *shape;
  return TRUE;
}

/* ---- Around ---- */

void *
sym_kernel_get_scratch (SymKernel *self, gsize n_elements, gsize size, GError **error)
{
  SymShape shape = SYM_SHAPE ((gint64) n_elements, (gint64) size);
  SymDatum **slot;

  if (n_elements > G_MAXSSIZE || size > G_MAXSSIZE)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT, "%" G_GSIZE_FORMAT " elements are too many",
                   n_elements);
      return NULL;
    }
  if (self->n_scratch == self->scratch->len)
    g_ptr_array_add (self->scratch, NULL);
  slot = (SymDatum **) &g_ptr_array_index (self->scratch, self->n_scratch);
  if (!sym_datum_prepare (slot, SYM_DTYPE_UINT8, &shape, NULL, error))
    return NULL;
  self->n_scratch++;
  return sym_datum_get_array (*slot)->data;
}

/* Where the operands begin that body @body takes from outside. */
static guint
find_captures (SymKernel *self, guint body)
{
  guint place = sym_kernel_get_n_inputs (self);

  for (guint i = 0; i < body; i++)
    place += sym_layer_get_body_captures (self->layer, i);
  return place;
}

gpointer
sym_kernel_get_kept (SymKernel *self)
{
  return self->kept;
}

void
sym_kernel_keep (SymKernel *self, gpointer take_data, GDestroyNotify free)
{
  g_assert (self->kept == NULL);
  self->kept = take_data;
  self->free_kept = free;
}

gboolean
sym_kernel_run_body (SymKernel *self,
                     guint body,
                     SymDatum *const *inputs,
                     guint n_inputs,
                     SymDatum **outputs,
                     guint n_outputs,
                     GError **error)
{
  guint n_captures = sym_layer_get_body_captures (self->layer, body);
  guint first = find_captures (self, body);
  g_autofree SymDatum **all = g_new (SymDatum *, n_inputs + n_captures + 1);

  if (self->host == NULL || self->host->run_body == NULL)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED,
                   "%s runs a body, and here is nothing that could", self->op->name);
      return FALSE;
    }
  for (guint i = 0; i < n_inputs; i++)
    all[i] = inputs[i];
  for (guint i = 0; i < n_captures; i++)
    all[n_inputs + i] = self->inputs[first + i];
  return self->host->run_body (self->host->user_data, body, all, n_inputs + n_captures, outputs,
                               n_outputs, error);
}

guint64
sym_kernel_get_seed (SymKernel *self)
{
  return self->host == NULL ? 0 : self->host->seed;
}

gboolean
sym_kernel_is_cancelled (SymKernel *self, GError **error)
{
  return self->host != NULL &&
         g_cancellable_set_error_if_cancelled (self->host->cancellable, error);
}

gboolean
sym_kernel_may_wait (SymKernel *self)
{
  return self->host != NULL;
}

GCancellable *
sym_kernel_get_cancellable (SymKernel *self)
{
  return self->host == NULL ? NULL : self->host->cancellable;
}

void
sym_kernel_set_error (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL)
    *error = g_error_new_valist (SYM_ERROR, SYM_ERROR_SHAPE, format, arguments);
  va_end (arguments);
}

/* ---- From outside ---- */

static void
free_datum (gpointer datum)
{
  if (datum != NULL)
    sym_datum_unref (datum);
}

/* Arrays of data that stand for something, NULL where they do not. */
static GPtrArray *
new_stand_ins (void)
{
  return g_ptr_array_new_with_free_func (free_datum);
}

SymKernel *
sym_kernel_new (SymLayer *layer, const SymKernelHost *host)
{
  const SymOperator *op = sym_layer_get_operator (layer);
  SymKernel *self;

  g_return_val_if_fail (op != NULL && op->run != NULL, NULL);

  self = g_new0 (SymKernel, 1);
  self->layer = sym_layer_ref (layer);
  self->op = op;
  self->attributes = sym_layer_get_attributes (layer);
  self->host = host;
  self->scratch = new_stand_ins ();
  self->wide_inputs = new_stand_ins ();
  self->wide_outputs = new_stand_ins ();
  self->n_captures = sym_layer_get_n_captures (layer);
  return self;
}

void
sym_kernel_free (SymKernel *self)
{
  if (self->free_kept != NULL)
    self->free_kept (self->kept);
  sym_layer_unref (self->layer);
  g_ptr_array_unref (self->scratch);
  g_ptr_array_unref (self->wide_inputs);
  g_ptr_array_unref (self->wide_outputs);
  g_free (self->narrow);
  g_free (self);
}

static gboolean
convert (SymDatum **slot, const SymArray *from, SymDType dtype, SymDatumPool *pool, GError **error)
{
  if (!sym_datum_prepare (slot, dtype, &from->shape, pool, error))
    return FALSE;
  sym_convert_elements (from->dtype, from->data, dtype, sym_datum_get_array (*slot)->data,
                        sym_array_get_n_elements (from));
  return TRUE;
}

/* Puts float32 beside the operands that are halves, if the operator wants to see them so. */
static gboolean
widen (SymKernel *self, GError **error)
{
  self->half = SYM_DTYPE_UNKNOWN;
  for (guint i = 0; self->op->half_as_float && i < sym_kernel_get_n_inputs (self); i++)
    {
      const SymArray *array =
          self->inputs[i] == NULL ? NULL : sym_datum_get_array (self->inputs[i]);

      if (array == NULL || !is_half (array->dtype))
        continue;
      if (self->wide_inputs->len <= i)
        g_ptr_array_set_size (self->wide_inputs, (int) self->n_inputs);
      if (!convert ((SymDatum **) &self->wide_inputs->pdata[i], array, SYM_DTYPE_FLOAT32, NULL,
                    error))
        return FALSE;
      if (self->half == SYM_DTYPE_UNKNOWN)
        self->half = array->dtype;
    }
  if (self->half != SYM_DTYPE_UNKNOWN)
    {
      if (self->wide_outputs->len < self->n_outputs)
        g_ptr_array_set_size (self->wide_outputs, (int) self->n_outputs);
      g_free (self->narrow);
      self->narrow = g_new0 (gboolean, self->n_outputs + 1);
    }
  return TRUE;
}

static gboolean
narrow (SymKernel *self, GError **error)
{
  SymDatumPool *pool = self->host == NULL ? NULL : self->host->pool;

  for (guint i = 0; self->half != SYM_DTYPE_UNKNOWN && i < self->n_outputs; i++)
    if (self->narrow[i] &&
        !convert (&self->outputs[i], sym_datum_get_array (self->wide_outputs->pdata[i]), self->half,
                  pool, error))
      return FALSE;
  return TRUE;
}

gboolean
sym_kernel_run (SymKernel *self,
                SymDatum *const *inputs,
                guint n_inputs,
                SymDatum **outputs,
                guint n_outputs,
                const gboolean *wanted,
                GError **error)
{
  g_return_val_if_fail (n_inputs >= self->n_captures, FALSE);

  self->inputs = inputs;
  self->n_inputs = n_inputs;
  self->outputs = outputs;
  self->n_outputs = n_outputs;
  self->wanted = wanted;
  self->n_scratch = 0;
  return widen (self, error) && self->op->run (self, error) && narrow (self, error);
}
