/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-sort.h"
#include "ops/sym-op-table.h"

/* Unique: elements, or slices along an axis, each once. */

static const SymAttributeSpec attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "None", "the axis that slices lie along; elements by default" },
  { "sorted", SYM_ATTRIBUTE_INT, "1", "whether the result is sorted, not in the order of X" },
  { NULL },
};

static const char *const outputs[] = { "Y", "indices", "inverse_indices", "counts", NULL };

/* ---- Rule ---- */

static gboolean
infer_vector (SymRule *rule, guint i, SymDim size, GError **error)
{
  return sym_rule_get_n_outputs (rule) <= i ||
         sym_op_set_output (rule, i, SYM_SHAPE (size), SYM_DTYPE_INT64, error);
}

static gboolean
infer (SymRule *rule, GError **error)
{
  gint64 given = sym_rule_get_int (rule, "axis", G_MININT64);
  SymShape x = sym_rule_get_input (rule, 0), y = SYM_SHAPE (SYM_DIM_UNKNOWN);
  SymDim n_items = x.rank < 0 ? SYM_DIM_UNKNOWN : 1;
  int axis;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (given != G_MININT64 && x.rank >= 0)
    {
      if (!sym_op_normalize_axis (given, x.rank, &axis, error))
        return FALSE;
      y = x;
      n_items = x.dims[axis];
      y.dims[axis] = SYM_DIM_UNKNOWN;
    }
  for (int i = 0; given == G_MININT64 && i < x.rank; i++)
    n_items = sym_terms_multiply (sym_rule_get_terms (rule), n_items, x.dims[i]);
  return ((given != G_MININT64 && x.rank < 0) || sym_rule_set_output (rule, 0, &y, error)) &&
         infer_vector (rule, 1, SYM_DIM_UNKNOWN, error) && infer_vector (rule, 2, n_items, error) &&
         infer_vector (rule, 3, SYM_DIM_UNKNOWN, error);
}

/* ---- Kernel ---- */

typedef struct {
  SymKernel *kernel;
  const SymArray *x;
  SymOpAxis all; /* items are [outer, inner] elements each */
  gsize parts;   /* keys of an element */
  guint64 *keys; /* of each element; NULL for strings */
  gsize *order;  /* the items, sorted */
  gsize *buffer;
  gsize *group; /* of each item */
  gsize *first; /* the first item of each group */
  gsize *rank;  /* where a group is in the result */
  gsize n_groups;
} Items;

static int
compare_elements (const Items *self, gsize a, gsize b)
{
  if (self->keys == NULL)
    return g_bytes_compare (((GBytes *const *) self->x->data)[a],
                            ((GBytes *const *) self->x->data)[b]);
  for (gsize part = 0; part < self->parts; part++)
    {
      guint64 left = self->keys[a * self->parts + part], right = self->keys[b * self->parts + part];

      if (left != right)
        return left < right ? -1 : 1;
    }
  return 0;
}

static int
compare_items (gconstpointer data, gsize a, gsize b)
{
  const Items *self = data;

  for (gsize o = 0; o < self->all.outer; o++)
    for (gsize k = 0; k < self->all.inner; k++)
      {
        gsize row = o * self->all.size;
        int order = compare_elements (self, (row + a) * self->all.inner + k,
                                      (row + b) * self->all.inner + k);

        if (order != 0)
          return order;
      }
  return 0;
}

static int
compare_first (gconstpointer data, gsize a, gsize b)
{
  const Items *self = data;

  return self->first[a] < self->first[b] ? -1 : self->first[a] > self->first[b];
}

static gboolean
make_keys (Items *self, GError **error)
{
  gsize n = sym_array_get_n_elements (self->x), asked = 0;
  gboolean is_complex =
      self->x->dtype == SYM_DTYPE_COMPLEX64 || self->x->dtype == SYM_DTYPE_COMPLEX128;

  self->parts = is_complex ? 2 : 1;
  if (self->x->dtype == SYM_DTYPE_STRING)
    return TRUE;
  if (!sym_dtype_is_numeric (self->x->dtype))
    return sym_op_refuse_dtype (self->kernel, self->x->dtype, error);
  self->keys = sym_kernel_get_scratch (self->kernel, n, self->parts * sizeof *self->keys, error);
  if (self->keys == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      if (!sym_op_go_on (self->kernel, &asked, 4, error))
        return FALSE;
      self->keys[i * self->parts] = sym_op_get_key (self->x, i);
      if (is_complex)
        self->keys[i * 2 + 1] =
            sym_op_get_float_key (sym_element_get_imaginary (self->x->dtype, self->x->data, i));
    }
  return TRUE;
}

static gsize *
new_list (const Items *self, GError **error)
{
  return sym_kernel_get_scratch (self->kernel, self->all.size, sizeof (gsize), error);
}

static gboolean
make_lists (Items *self, GError **error)
{
  gsize **const lists[] = { &self->order, &self->buffer, &self->group, &self->first, &self->rank };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    if ((*lists[i] = new_list (self, error)) == NULL)
      return FALSE;
  return TRUE;
}

/* Equal items are a group; these are numbered in their order. */
static gboolean
find_groups (Items *self, GError **error)
{
  gsize asked = 0;

  for (gsize i = 0; i < self->all.size; i++)
    self->order[i] = i;
  if (!sym_op_sort (self->kernel, self->order, self->buffer, self->all.size, compare_items, self,
                    self->all.outer * self->all.inner * 4 + 4, error))
    return FALSE;
  for (gsize i = 0; i < self->all.size; i++)
    {
      if (!sym_op_go_on (self->kernel, &asked, self->all.outer * self->all.inner + 4, error))
        return FALSE;
      if (i == 0 || compare_items (self, self->order[i - 1], self->order[i]) != 0)
        self->first[self->n_groups++] = self->order[i];
      self->group[self->order[i]] = self->n_groups - 1;
    }
  return TRUE;
}

/* In the order of X a group lies where its first item does. */
static gboolean
rank_groups (Items *self, GError **error)
{
  for (gsize i = 0; i < self->n_groups; i++)
    self->order[i] = i;
  if (!sym_kernel_get_bool (self->kernel, "sorted", TRUE) &&
      !sym_op_sort (self->kernel, self->order, self->buffer, self->n_groups, compare_first, self, 4,
                    error))
    return FALSE;
  for (gsize i = 0; i < self->n_groups; i++)
    self->rank[self->order[i]] = i;
  return TRUE;
}

/* ---- Results ---- */

static gboolean
store_items (const Items *self, SymShape to, int axis, GError **error)
{
  gsize asked = 0, inner = self->all.inner;
  SymArray *y;

  to.dims[axis] = (gint64) self->n_groups;
  y = sym_kernel_new_output (self->kernel, 0, self->x->dtype, &to, error);
  if (y == NULL)
    return FALSE;
  for (gsize o = 0; o < self->all.outer; o++)
    for (gsize i = 0; i < self->n_groups; i++)
      {
        if (!sym_op_go_on (self->kernel, &asked, 1, error) ||
            !sym_op_move_on (self->kernel, &asked, y, (o * self->n_groups + self->rank[i]) * inner,
                             self->x, (o * self->all.size + self->first[i]) * inner, inner, error))
          return FALSE;
      }
  return TRUE;
}

/* The numbers of output @i, or NULL; that is an error where there is one. */
static gint64 *
new_vector (const Items *self, guint i, gsize n, GError **error)
{
  SymArray *y;

  if (sym_kernel_get_n_outputs (self->kernel) <= i || !sym_kernel_wants_output (self->kernel, i))
    return NULL;
  y = sym_kernel_new_output (self->kernel, i, SYM_DTYPE_INT64, &SYM_SHAPE ((gint64) n), error);
  return y == NULL ? NULL : y->data;
}

static gboolean
store_vectors (const Items *self, GError **error)
{
  g_autoptr (GError) own = NULL;
  gint64 *indices = new_vector (self, 1, self->n_groups, &own);
  gint64 *inverse = own != NULL ? NULL : new_vector (self, 2, self->all.size, &own);
  gint64 *counts = own != NULL ? NULL : new_vector (self, 3, self->n_groups, &own);

  if (own != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&own));
      return FALSE;
    }
  for (gsize i = 0; i < self->n_groups && indices != NULL; i++)
    indices[self->rank[i]] = (gint64) self->first[i];
  if (counts != NULL && self->n_groups > 0)
    memset (counts, 0, self->n_groups * sizeof *counts);
  for (gsize i = 0; i < self->all.size; i++)
    {
      gsize rank = self->rank[self->group[i]];

      if (inverse != NULL)
        inverse[i] = (gint64) rank;
      if (counts != NULL)
        counts[rank]++;
    }
  return TRUE;
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  Items self = { .kernel = kernel, .x = sym_kernel_need_input (kernel, 0, error) };
  gint64 given = sym_kernel_get_int (kernel, "axis", G_MININT64);
  SymShape shape;
  int axis = 0;

  if (self.x == NULL)
    return FALSE;
  shape = self.x->shape;
  if (given == G_MININT64)
    shape = SYM_SHAPE ((gint64) sym_array_get_n_elements (self.x));
  else if (!sym_op_find_axis (given, shape.rank, &axis, error))
    return FALSE;
  self.all = sym_op_split_axis (&shape, axis);
  return make_keys (&self, error) && make_lists (&self, error) && find_groups (&self, error) &&
         rank_groups (&self, error) && store_items (&self, shape, axis, error) &&
         store_vectors (&self, error);
}

const SymOperator sym_op_onnx_unique[] = {
  { SYM_OP_ONNX ("Unique", 11), .summary = "elements, or slices along an axis, each once",
    .category = SYM_CATEGORY_SHAPE, .attributes = attributes, .slots = sym_op_onnx_x,
    .get_n_outputs = sym_op_onnx_get_any_outputs, .output_names = outputs, .infer = infer,
    .run = run },
  { 0 },
};
