/* SPDX-License-Identifier: MIT */
#include "query/sym-parts.h"

#include "core/sym-infer-general.h"
#include "ops/sym-op-lower.h"

/* Sizes of operands that nobody told, each different one once. */
#define MAX_SIZES 64

typedef struct {
  SymStandIn sizes[MAX_SIZES];
  guint n;
  gboolean is_full;
} Sizes;

/* Two numbers for each size, both beyond what kernels and strides have, so that none of them is
 * too small, or divided to the same; no two alike. */
static void
add_size (Sizes *self, SymDim dim)
{
  gint64 n = 2 * (gint64) self->n;

  for (guint i = 0; i < self->n; i++)
    if (self->sizes[i].dim == dim)
      return;
  if (self->n < MAX_SIZES)
    self->sizes[self->n] = (SymStandIn){ .dim = dim, .one = 61 + n, .other = 257 + n };
  self->is_full |= self->n == MAX_SIZES;
  self->n = MIN (self->n + 1, MAX_SIZES);
}

/* What stands for sizes that nobody told. */
typedef enum { ONES, SMALL_SIZES, LARGE_SIZES } StandFor;

static gint64
get_size (const Sizes *self, StandFor which, SymDim dim)
{
  for (guint i = 0; which != ONES && i < self->n; i++)
    if (self->sizes[i].dim == dim)
      return which == SMALL_SIZES ? self->sizes[i].one : self->sizes[i].other;
  return 1;
}

/* An operand's type with all that making a body asks for; FALSE where its rank is not known. */
static gboolean
settle (const SymInference *inference,
        SymId operand,
        const Sizes *sizes,
        StandFor which,
        SymType *type)
{
  *type = operand == SYM_NO_ID ? SYM_TYPE_UNKNOWN : sym_inference_get_type (inference, operand);
  if (operand == SYM_NO_ID || (type->kind != SYM_KIND_TENSOR && type->kind != SYM_KIND_UNKNOWN))
    return TRUE;
  if (type->kind == SYM_KIND_UNKNOWN || type->shape.rank < 0)
    return FALSE;
  for (int i = 0; i < type->shape.rank; i++)
    if (type->shape.dims[i] < 0)
      type->shape.dims[i] = get_size (sizes, which, type->shape.dims[i]);
  if (type->dtype == SYM_DTYPE_UNKNOWN)
    type->dtype = SYM_DTYPE_FLOAT32;
  return TRUE;
}

gboolean
sym_parts_can_make (const SymInference *inference, SymId call)
{
  const SymModel *model = sym_inference_get_model (inference);
  const SymLayer *layer = sym_model_get_layer (model, call);
  SymIds operands = sym_model_get_operands (model, call);
  SymType type;

  if (sym_layer_get_n_bodies (layer) > 0 || !sym_op_is_composite (layer))
    return FALSE;
  for (guint i = 0; i < operands.n; i++)
    if (!settle (inference, operands.ids[i], NULL, ONES, &type))
      return FALSE;
  return TRUE;
}

static SymModel *
make (const SymInference *inference, SymId call, const Sizes *sizes, StandFor which)
{
  const SymModel *model = sym_inference_get_model (inference);
  SymIds operands = sym_model_get_operands (model, call);
  g_autofree SymType *types = g_new (SymType, operands.n + 1);
  g_autofree SymOpKnown *known = g_new0 (SymOpKnown, operands.n + 1);

  for (guint i = 0; i < operands.n; i++)
    settle (inference, operands.ids[i], sizes, which, &types[i]);
  sym_op_lower_find_known (inference, operands, known);
  return sym_op_lower_known (sym_model_get_layer (model, call), types, known, operands.n,
                             sym_model_get_results (model, call).n, NULL);
}

SymModel *
sym_parts_make (const SymInference *inference, SymId call)
{
  g_return_val_if_fail (sym_parts_can_make (inference, call), NULL);

  return make (inference, call, NULL, ONES);
}

static void
find_sizes (const SymInference *inference, SymId call, Sizes *sizes)
{
  SymIds operands = sym_model_get_operands (sym_inference_get_model (inference), call);

  for (guint i = 0; i < operands.n; i++)
    if (operands.ids[i] != SYM_NO_ID)
      {
        SymType type = sym_inference_get_type (inference, operands.ids[i]);

        for (int k = 0; k < type.shape.rank; k++)
          if (type.shape.dims[k] < 0)
            add_size (sizes, type.shape.dims[k]);
      }
}

static SymInference *
infer_for (const SymInference *inference, SymId call, const Sizes *sizes, StandFor which)
{
  g_autoptr (SymModel) made = make (inference, call, sizes, which);

  return made == NULL ? NULL : sym_infer (made, NULL, 0, NULL, NULL);
}

/* Two bodies for other sizes tell which sizes within follow from those. */
SymInference *
sym_parts_infer (const SymInference *inference, SymId call, SymModel *made)
{
  g_autoptr (SymInference) one = NULL, other = NULL;
  SymInference *general = NULL;
  Sizes sizes = { .n = 0 };

  find_sizes (inference, call, &sizes);
  if (sizes.n > 0 && !sizes.is_full)
    {
      one = infer_for (inference, call, &sizes, SMALL_SIZES);
      other = infer_for (inference, call, &sizes, LARGE_SIZES);
    }
  if (one != NULL && other != NULL)
    general = sym_inference_generalize (made, one, other, sym_inference_get_terms (inference),
                                        sizes.sizes, sizes.n);
  return general != NULL ? general : sym_infer (made, NULL, 0, NULL, NULL);
}
