/* SPDX-License-Identifier: MIT */
#include "core/sym-shape.h"

SymShape
sym_shape_new (const SymDim *dims, int rank)
{
  SymShape shape = { .rank = rank };

  g_return_val_if_fail (rank >= 0 && rank <= SYM_MAX_RANK, SYM_SHAPE_UNKNOWN);

  for (int i = 0; i < rank; i++)
    shape.dims[i] = dims[i];
  return shape;
}

SymShape
sym_shape_new_unknown (int rank)
{
  SymShape shape = { .rank = rank };

  g_return_val_if_fail (rank >= 0 && rank <= SYM_MAX_RANK, SYM_SHAPE_UNKNOWN);

  for (int i = 0; i < rank; i++)
    shape.dims[i] = SYM_DIM_UNKNOWN;
  return shape;
}

gboolean
sym_shape_is_known (const SymShape *self)
{
  for (int i = 0; i < self->rank; i++)
    if (self->dims[i] < 0)
      return FALSE;

  return self->rank >= 0;
}

gboolean
sym_shape_equal (const SymShape *a, const SymShape *b)
{
  if (a->rank != b->rank)
    return FALSE;
  for (int i = 0; i < a->rank; i++)
    if (a->dims[i] != b->dims[i])
      return FALSE;

  return TRUE;
}

gboolean
sym_shape_get_n_elements (const SymShape *self, guint64 *n)
{
  guint64 product = 1;
  gboolean is_empty = FALSE;
  gboolean is_finite = TRUE;

  if (!sym_shape_is_known (self))
    return FALSE;
  for (int i = 0; i < self->rank; i++)
    {
      is_empty = is_empty || self->dims[i] == 0;
      is_finite = is_finite && g_uint64_checked_mul (&product, product, (guint64) self->dims[i]);
    }
  if (!is_empty && !is_finite)
    return FALSE;

  *n = is_empty ? 0 : product;
  return TRUE;
}

SymType
sym_type_tensor (SymDType dtype, SymShape shape)
{
  return (SymType){ .kind = SYM_KIND_TENSOR, .dtype = dtype, .shape = shape };
}

SymType
sym_type_opaque (const char *name)
{
  return (SymType){
    .kind = SYM_KIND_OPAQUE,
    .name = g_intern_string (name),
    .shape = SYM_SHAPE_UNKNOWN,
  };
}

void
sym_type_copy_elements (SymType *self, GPtrArray *arena)
{
  g_autoptr (GPtrArray) open = NULL;

  if (self->n_elements == 0)
    return;

  open = g_ptr_array_new ();
  g_ptr_array_add (open, self);
  while (open->len > 0)
    {
      SymType *tuple = g_ptr_array_steal_index_fast (open, open->len - 1);
      SymType *elements = g_memdup2 (tuple->elements, tuple->n_elements * sizeof (SymType));

      g_ptr_array_add (arena, elements);
      tuple->elements = elements;
      for (guint i = 0; i < tuple->n_elements; i++)
        if (elements[i].n_elements > 0)
          g_ptr_array_add (open, &elements[i]);
    }
}
