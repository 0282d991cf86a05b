/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-expand-parts-private.h"

#include <string.h>

#include "core/sym-datum.h"
#include "ops/sym-op-lower.h"
#include "ops/sym-op.h"

/* What a round of expanding puts into the model. */

const char *
sym_expand_get_name (const SymExpand *self, SymId call)
{
  const SymOperator *op = sym_layer_get_operator (sym_model_get_layer (self->model, call));

  return op != NULL && (*op->domain == '\0' || strcmp (op->domain, "symscope") == 0) ? op->name
                                                                                     : NULL;
}

SymEdit *
sym_expand_need_edit (SymExpand *self)
{
  if (self->edit == NULL)
    self->edit = sym_edit_new (self->model);
  return self->edit;
}

SymId
sym_expand_insert (SymExpand *self,
                   SymId call,
                   SymLayer *layer,
                   const SymId *operands,
                   guint n,
                   guint n_results)
{
  SymId origin =
      call < self->n_shown ? call : g_array_index (self->origins, SymId, call - self->n_shown);
  SymId inserted =
      sym_edit_insert_call (sym_expand_need_edit (self), NULL, layer, operands, n, n_results, NULL);

  g_assert (inserted != SYM_NO_ID);
  g_array_append_val (self->origins, origin);
  return inserted;
}

/* Constants of a body become calls, which compiling folds. */
SymId
sym_expand_insert_constant (SymExpand *self, SymId origin, SymTensor *tensor)
{
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  g_autoptr (SymLayer) layer = NULL;
  SymId call;

  sym_attributes_set (attributes, "value", sym_value_new_tensor (tensor), NULL);
  layer = sym_layer_with_attributes (self->constant, attributes);
  call = sym_expand_insert (self, origin, layer, NULL, 0, 1);
  return sym_edit_get_result (sym_expand_need_edit (self), call, 0);
}

SymId
sym_expand_insert_scalar (SymExpand *self, SymId call, SymDType dtype, gint64 number)
{
  g_autoptr (SymDatum) datum = sym_datum_new (dtype, &SYM_SHAPE (), NULL);
  g_autoptr (SymTensor) tensor = NULL;
  const SymArray *array = sym_datum_get_array (datum);

  if (dtype == SYM_DTYPE_INT64)
    *(gint64 *) array->data = number;
  else
    *(guint8 *) array->data = number != 0;
  tensor = sym_tensor_new_copy (array, NULL);
  return sym_expand_insert_constant (self, call, tensor);
}

SymId
sym_expand_insert_ints (SymExpand *self, SymId call, const gint64 *numbers, guint n)
{
  g_autoptr (SymDatum) datum = sym_datum_new (SYM_DTYPE_INT64, &SYM_SHAPE (n), NULL);
  g_autoptr (SymTensor) tensor = NULL;
  const SymArray *array = sym_datum_get_array (datum);

  memcpy (array->data, numbers, n * sizeof *numbers);
  tensor = sym_tensor_new_copy (array, NULL);
  return sym_expand_insert_constant (self, call, tensor);
}

SymId
sym_expand_insert_op (SymExpand *self,
                      SymId call,
                      const char *type,
                      SymAttributes *take_attributes,
                      const SymId *operands,
                      guint n)
{
  g_autoptr (SymAttributes) attributes = take_attributes;
  g_autoptr (SymLayer) layer =
      sym_layer_new (type, sym_op_find ("", type, SYM_OP_LOWER_VERSION), attributes);
  SymId inserted = sym_expand_insert (self, call, layer, operands, n, 1);

  return sym_edit_get_result (sym_expand_need_edit (self), inserted, 0);
}

SymId
sym_expand_insert_join (SymExpand *self,
                        SymId call,
                        const SymId *values,
                        guint n,
                        gint64 axis,
                        gboolean is_new)
{
  SymAttributes *attributes = sym_attributes_new ();
  g_autofree SymId *parts = g_new (SymId, n + 1);
  SymId axes = SYM_NO_ID;

  if (is_new)
    axes = sym_expand_insert_ints (self, call, &axis, 1);
  for (guint i = 0; i < n; i++)
    parts[i] = is_new ? sym_expand_insert_op (self, call, "Unsqueeze", NULL,
                                              (SymId[]){ values[i], axes }, 2)
                      : values[i];
  sym_attributes_set (attributes, "axis", sym_value_new_int (axis), NULL);
  return sym_expand_insert_op (self, call, "Concat", attributes, parts, n);
}
