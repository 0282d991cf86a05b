/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-body.h"

#include "core/sym-element.h"
#include "core/sym-infer.h"
#include "ops/sym-op-rules.h"

SymType
sym_op_get_type (SymDatum *datum)
{
  const SymArray *array = datum == NULL ? NULL : sym_datum_get_array (datum);

  return array == NULL ? SYM_TYPE_UNKNOWN : sym_type_tensor (array->dtype, array->shape);
}

gboolean
sym_op_read_truth (SymKernel *kernel, const SymArray *array, gboolean *truth, GError **error)
{
  if (array == NULL || !sym_dtype_is_numeric (array->dtype) ||
      sym_array_get_n_elements (array) != 1)
    return sym_kernel_fail (error, "the condition of %s must be one number",
                            sym_layer_get_type (sym_kernel_get_layer (kernel)));
  *truth = sym_element_get_double (array->dtype, array->data, 0) != 0;
  return TRUE;
}

/* ---- Types of bodies ---- */

SymBodyTypes *
sym_op_types_new (guint n_inputs, guint n_outputs)
{
  SymBodyTypes *self = g_new0 (SymBodyTypes, 1);

  self->n_inputs = n_inputs;
  self->n_outputs = n_outputs;
  self->inputs = g_new (SymType, n_inputs + 1);
  self->outputs = g_new (SymType, n_outputs + 1);
  for (guint i = 0; i < n_inputs; i++)
    self->inputs[i] = SYM_TYPE_UNKNOWN;
  for (guint i = 0; i < n_outputs; i++)
    self->outputs[i] = SYM_TYPE_UNKNOWN;
  return self;
}

void
sym_op_types_free (SymBodyTypes *self)
{
  g_free (self->inputs);
  g_free (self->outputs);
  g_free (self);
}

SymType
sym_op_meet_types (const SymType *a, const SymType *b)
{
  SymType type = *a;

  if (a->kind != b->kind)
    return SYM_TYPE_UNKNOWN;
  if (a->dtype != b->dtype)
    type.dtype = SYM_DTYPE_UNKNOWN;
  if (a->shape.rank != b->shape.rank)
    type.shape = SYM_SHAPE_UNKNOWN;
  for (int i = 0; i < type.shape.rank; i++)
    if (a->shape.dims[i] != b->shape.dims[i])
      type.shape.dims[i] = SYM_DIM_UNKNOWN;
  return type;
}

/* ---- Outputs of loops that did not run ---- */

/* What is told of the inputs. */
static guint
fill_overrides (SymIds ids, const SymType *inputs, guint n, SymOverride *overrides)
{
  guint n_overrides = 0;

  for (guint i = 0; i < MIN (n, ids.n); i++)
    if (inputs[i].kind == SYM_KIND_TENSOR)
      overrides[n_overrides++] = (SymOverride){
        .value = ids.ids[i],
        .has_shape = inputs[i].shape.rank >= 0,
        .shape = inputs[i].shape,
        .has_dtype = inputs[i].dtype != SYM_DTYPE_UNKNOWN,
        .dtype = inputs[i].dtype,
      };
  return n_overrides;
}

/* The type of output @output for such inputs; what the body declares, where that is all. */
static gboolean
infer_output (SymModel *body,
              const SymType *inputs,
              guint n,
              guint output,
              SymType *type,
              GError **error)
{
  SymIds outputs = sym_model_get_outputs (body);
  g_autofree SymOverride *overrides = g_new0 (SymOverride, n + 1);
  guint n_overrides = fill_overrides (sym_model_get_inputs (body), inputs, n, overrides);
  g_autoptr (SymInference) inference = sym_infer (body, overrides, n_overrides, NULL, error);

  if (inference == NULL)
    return FALSE;
  *type = output < outputs.n ? sym_inference_get_type (inference, outputs.ids[output])
                             : SYM_TYPE_UNKNOWN;
  return TRUE;
}

gboolean
sym_op_gather_nothing (SymKernel *kernel,
                       guint body,
                       const SymType *inputs,
                       guint n,
                       guint output,
                       guint i,
                       gint64 axis,
                       GError **error)
{
  SymModel *model = sym_layer_get_body (sym_kernel_get_layer (kernel), body, NULL);
  SymShape shape;
  SymType type;
  int normal;

  if (!infer_output (model, inputs, n, output, &type, error))
    return FALSE;
  shape = type.shape;
  if (type.dtype == SYM_DTYPE_UNKNOWN || shape.rank >= SYM_MAX_RANK)
    return sym_kernel_fail (error, "output %u of no steps has no type", i);
  shape.rank = MAX (shape.rank, 0);
  for (int k = 0; k < shape.rank; k++)
    shape.dims[k] = MAX (shape.dims[k], 0);
  if (!sym_op_find_axis (axis, shape.rank + 1, &normal, error))
    return FALSE;
  shape = sym_op_insert_axis (&shape, normal, 0);
  return sym_kernel_new_output (kernel, i, type.dtype, &shape, error) != NULL;
}
