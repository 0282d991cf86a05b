/* SPDX-License-Identifier: MIT */
#include "core/sym-datum-within.h"
#include "run/sym-plan-private.h"

/* The numbers that are in the model's files. */

/* Bytes of weights that are read in one go. */
#define PIECE (8u << 20)

/* What is as large as this is read into one area, if it is as much as that in all. */
#define LARGE ((gsize) 16 << 10)
#define MUCH ((gsize) 4 << 20)

/* Packed numbers take a little more than those in the file. */
#define MORE ((gsize) 64)

/* ---- Memory ---- */

typedef struct {
  SymMemoryArea *area;
  void *memory;
  gsize n_bytes;
} Taken;

static void
give_back (gpointer data)
{
  Taken *self = data;

  sym_memory_area_give (self->area, self->memory, self->n_bytes);
  sym_memory_area_unref (self->area);
  g_free (self);
}

static gboolean
is_large (SymTensor *tensor)
{
  return tensor != NULL && sym_tensor_get_dtype (tensor) != SYM_DTYPE_STRING &&
         sym_tensor_get_n_bytes (tensor) >= LARGE;
}

/* Where nothing is packed, or there is no memory in one piece, each tensor has its own. */
static void
make_area (SymPlan *self, const gboolean *needed)
{
  gsize n_bytes = 0;

  for (SymId value = 0; value < sym_model_get_n_values (self->model); value++)
    if (needed[value] && self->constants[value] == NULL &&
        is_large (sym_model_get_tensor (self->model, value)) &&
        !g_size_checked_add (
            &n_bytes, n_bytes,
            (gsize) sym_tensor_get_n_bytes (sym_model_get_tensor (self->model, value)) / 64 * 64 +
                64 + MORE))
      return;
  if (n_bytes >= MUCH)
    self->area = sym_memory_area_new (n_bytes);
}

static SymDatum *
new_datum (const SymPlan *self, SymTensor *tensor, GError **error)
{
  gsize n_bytes = (gsize) sym_tensor_get_n_bytes (tensor) + MORE;
  void *memory =
      self->area != NULL && is_large (tensor) ? sym_memory_area_take (self->area, n_bytes) : NULL;
  Taken *taken;

  if (memory == NULL)
    return sym_datum_new (sym_tensor_get_dtype (tensor), sym_tensor_get_shape (tensor), error);
  taken = g_new (Taken, 1);
  *taken = (Taken){ sym_memory_area_ref (self->area), memory, n_bytes };
  return sym_datum_new_within (sym_tensor_get_dtype (tensor), sym_tensor_get_shape (tensor), memory,
                               n_bytes, taken, give_back);
}

/* ---- Reading ---- */

/* Each piece is soon read. */
gboolean
sym_plan_read_numbers (SymTensor *tensor, void *buffer, GCancellable *cancellable, GError **error)
{
  guint64 n_bytes = sym_tensor_get_n_bytes (tensor);

  for (guint64 offset = 0; offset < n_bytes; offset += PIECE)
    if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
        !sym_tensor_read (tensor, offset, MIN (n_bytes - offset, PIECE), (guint8 *) buffer + offset,
                          error))
      return FALSE;
  return TRUE;
}

/* Strings are made one by one. */
static SymDatum *
read_tensor (const SymPlan *self, SymTensor *tensor, GCancellable *cancellable, GError **error)
{
  g_autoptr (SymDatum) datum = NULL;

  if (!is_large (tensor))
    return sym_datum_new_read (tensor, error);
  datum = new_datum (self, tensor, error);
  if (datum == NULL ||
      !sym_plan_read_numbers (tensor, sym_datum_get_array (datum)->data, cancellable, error))
    return NULL;
  return g_steal_pointer (&datum);
}

void
sym_plan_read_constant (SymPlan *self, SymId value, GCancellable *cancellable)
{
  SymTensor *tensor = sym_model_get_tensor (self->model, value);
  g_autoptr (GError) error = NULL;

  if (tensor == NULL)
    {
      if (sym_model_get_role (self->model, value) == SYM_ROLE_INPUT)
        g_array_append_val (self->inputs, value);
      return;
    }
  self->constants[value] = read_tensor (self, tensor, cancellable, &error);
  if (self->constants[value] == NULL)
    self->obstacles[value] = g_strdup (error->message);
  else
    self->n_weight_bytes += sym_tensor_get_n_bytes (tensor);
}

static void
take_constant (SymPlan *self, const SymFeed *number)
{
  const SymArray *array = sym_datum_get_array (number->datum);

  g_clear_pointer (&self->constants[number->value], sym_datum_unref);
  self->constants[number->value] = sym_datum_ref (number->datum);
  self->n_weight_bytes += array == NULL ? 0 : sym_array_get_n_bytes (array);
}

gboolean
sym_plan_read_constants (SymPlan *self,
                         const gboolean *needed,
                         const SymPlanOptions *options,
                         gboolean reads_late,
                         GCancellable *cancellable,
                         GError **error)
{
  for (guint i = 0; i < options->n_numbers; i++)
    if (needed[options->numbers[i].value])
      take_constant (self, &options->numbers[i]);
  if (reads_late)
    sym_plan_late_find (self);
  if (self->is_compiled)
    make_area (self, needed);
  for (SymId value = 0; value < sym_model_get_n_values (self->model); value++)
    {
      if (!needed[value] || self->constants[value] != NULL || sym_plan_late_waits (self, value) ||
          sym_model_get_producer (self->model, value) != SYM_NO_ID)
        continue;
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      sym_plan_read_constant (self, value, cancellable);
    }
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}
