/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-lower-private.h"

#include <string.h>

/* What a model becomes for two numbers of samples, side by side: where both are the same but for
 * sizes, it does for any. */

typedef struct {
  SymModel *few, *more;
  GArray *changes; /* of SymOnnxChange */
} Comparison;

static void
clear_change (gpointer data)
{
  g_clear_pointer (&((SymOnnxChange *) data)->tensor, sym_tensor_unref);
}

/* ---- Numbers ---- */

#define MOST_SIZES SYM_MAX_RANK

/* How many sizes a tensor lists; -1 for what is no list of sizes. */
static int
read_sizes (SymTensor *tensor, gint64 sizes[MOST_SIZES])
{
  const SymShape *shape = sym_tensor_get_shape (tensor);

  if (sym_tensor_get_dtype (tensor) != SYM_DTYPE_INT64 || shape->rank != 1 ||
      shape->dims[0] > MOST_SIZES ||
      !sym_tensor_read (tensor, 0, (guint64) shape->dims[0] * sizeof *sizes, sizes, NULL))
    return -1;
  return (int) shape->dims[0];
}

static SymTensor *
make_sizes (const gint64 *sizes, int n)
{
  const SymShape shape = { 1, { n } };
  g_autoptr (GBytes) bytes = g_bytes_new (sizes, (gsize) n * sizeof *sizes);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);

  return sym_tensor_new (SYM_DTYPE_INT64, &shape, blob, 0, NULL);
}

/* Whether nothing but layers that reshape take sizes from it: these leave one of them open. */
static gboolean
only_reshapes (const SymModel *model, SymId value)
{
  SymIds consumers = sym_model_get_consumers (model, value);

  for (guint i = 0; i < consumers.n; i++)
    {
      SymLayer *layer = sym_model_get_layer (model, consumers.ids[i]);
      SymIds operands = sym_model_get_operands (model, consumers.ids[i]);

      if (strcmp (sym_layer_get_type (layer), "Reshape") != 0 || operands.n != 2 ||
          operands.ids[1] != value || operands.ids[0] == value)
        return FALSE;
    }
  return consumers.n > 0 && !sym_ids_contain (sym_model_get_outputs (model), value);
}

/* The sizes with the one that grows with the samples left open; NULL where more than one differs.
 */
static SymTensor *
open_size (SymTensor *few, SymTensor *more)
{
  gint64 sizes[MOST_SIZES], others[MOST_SIZES];
  int n = read_sizes (few, sizes), n_open = 0;

  if (n < 0 || read_sizes (more, others) != n)
    return NULL;
  for (int i = 0; i < n; i++)
    if (sizes[i] != others[i])
      {
        if (sizes[i] * SYM_ONNX_MORE_SAMPLES != others[i] * SYM_ONNX_FEW_SAMPLES)
          return NULL;
        sizes[i] = -1;
        n_open++;
      }
    else if (sizes[i] <= 0) /* one that is open already, or counts nothing */
      n_open += sizes[i] == 0 ? 0 : 1;
  if (n_open != 1)
    return NULL;
  return make_sizes (sizes, n);
}

static gboolean
compare_tensors (const Comparison *self, SymId value, SymOnnxChange *change)
{
  SymTensor *few = sym_model_get_tensor (self->few, value);
  SymTensor *more = sym_model_get_tensor (self->more, value);

  if (few == more)
    return TRUE;
  if (few == NULL || more == NULL)
    return FALSE;
  if (sym_tensor_equal (few, more))
    return TRUE;
  change->tensor = only_reshapes (self->few, value) ? open_size (few, more) : NULL;
  return change->tensor != NULL;
}

/* ---- Values ---- */

/* Sizes that differ are left open. */
static gboolean
compare_types (const Comparison *self, SymId value, SymOnnxChange *change, gboolean *differ)
{
  SymType few = sym_model_get_declared_type (self->few, value);
  SymType more = sym_model_get_declared_type (self->more, value);

  if (few.kind != more.kind || few.dtype != more.dtype || few.shape.rank != more.shape.rank)
    return FALSE;
  change->type = few;
  *differ = FALSE;
  for (int i = 0; i < few.shape.rank; i++)
    if (few.shape.dims[i] != more.shape.dims[i])
      {
        change->type.shape.dims[i] = SYM_DIM_UNKNOWN;
        *differ = TRUE;
      }
  return !*differ || few.kind == SYM_KIND_TENSOR;
}

static gboolean
compare_values (Comparison *self)
{
  guint n = sym_model_get_n_values (self->few);

  if (n != sym_model_get_n_values (self->more))
    return FALSE;
  for (SymId value = 0; value < n; value++)
    {
      SymOnnxChange change = { value, SYM_TYPE_UNKNOWN, NULL };
      gboolean differ;

      if (sym_model_get_role (self->few, value) != sym_model_get_role (self->more, value) ||
          g_strcmp0 (sym_model_get_value_name (self->few, value),
                     sym_model_get_value_name (self->more, value)) != 0 ||
          !compare_types (self, value, &change, &differ) || !compare_tensors (self, value, &change))
        return FALSE;
      if (differ || change.tensor != NULL)
        g_array_append_val (self->changes, change);
    }
  return TRUE;
}

/* ---- Calls ---- */

static gboolean
are_same_ids (SymIds a, SymIds b)
{
  return a.n == b.n && (a.n == 0 || memcmp (a.ids, b.ids, a.n * sizeof *a.ids) == 0);
}

static gboolean compare_models (Comparison *self);

/* What is within is the same to the last size. */
static gboolean
compare_bodies (const SymLayer *few, const SymLayer *more)
{
  gboolean same = sym_layer_get_n_bodies (few) == sym_layer_get_n_bodies (more);

  for (guint i = 0; same && i < sym_layer_get_n_bodies (few); i++)
    {
      Comparison inner = { sym_layer_get_body (few, i, NULL), sym_layer_get_body (more, i, NULL) };

      inner.changes = g_array_new (FALSE, FALSE, sizeof (SymOnnxChange));
      g_array_set_clear_func (inner.changes, clear_change);
      same = compare_models (&inner) && inner.changes->len == 0;
      g_array_unref (inner.changes);
    }
  return same;
}

static gboolean
compare_calls (const Comparison *self)
{
  guint n = sym_model_get_n_calls (self->few);

  if (n != sym_model_get_n_calls (self->more))
    return FALSE;
  for (SymId call = 0; call < n; call++)
    {
      const SymLayer *few = sym_model_get_layer (self->few, call);
      const SymLayer *more = sym_model_get_layer (self->more, call);

      if (sym_layer_get_operator (few) != sym_layer_get_operator (more) ||
          strcmp (sym_layer_get_type (few), sym_layer_get_type (more)) != 0 ||
          !sym_attributes_work_equal (sym_layer_get_attributes (few),
                                      sym_layer_get_attributes (more)) ||
          !are_same_ids (sym_model_get_operands (self->few, call),
                         sym_model_get_operands (self->more, call)) ||
          !are_same_ids (sym_model_get_results (self->few, call),
                         sym_model_get_results (self->more, call)) ||
          !compare_bodies (few, more))
        return FALSE;
    }
  return TRUE;
}

static gboolean
compare_models (Comparison *self)
{
  return are_same_ids (sym_model_get_inputs (self->few), sym_model_get_inputs (self->more)) &&
         are_same_ids (sym_model_get_outputs (self->few), sym_model_get_outputs (self->more)) &&
         compare_calls (self) && compare_values (self);
}

GArray *
sym_onnx_lower_compare (SymModel *few, SymModel *more)
{
  Comparison self = { few, more, g_array_new (FALSE, FALSE, sizeof (SymOnnxChange)) };

  g_array_set_clear_func (self.changes, clear_change);
  if (compare_models (&self))
    return self.changes;
  g_array_unref (self.changes);
  return NULL;
}
