/* SPDX-License-Identifier: MIT */
#include "io/sym-raise.h"

#include "core/sym-kernel.h"

/* Frameworks whose layers are all applied to data have none for what is made of numbers alone:
 * weights that a file scales first, sizes that it adds up. */

/* All that is made so, in elements: a small file could ask for any amount. */
#define MAX_FOLDED (G_GUINT64_CONSTANT (1) << 26)

#define MAX_OPERANDS 16

static gboolean
is_random (const char *name)
{
  static const char *const others[] = { "Bernoulli", "Dropout", "Multinomial", NULL };

  return g_str_has_prefix (name, "Random") || g_strv_contains (others, name);
}

/* Whether the call can be run: it has one result, of a size that is known. */
static gboolean
can_run (SymRaise *self, SymId call, guint64 *n_left)
{
  SymModel *model = sym_raise_get_model (self);
  SymLayer *layer = sym_model_get_layer (model, call);
  const SymOperator *op = sym_layer_get_operator (layer);
  SymIds results = sym_model_get_results (model, call);
  SymType type;
  guint64 n;

  if (op == NULL || op->run == NULL || *op->domain != '\0' || results.n != 1 ||
      sym_layer_get_n_bodies (layer) > 0 || is_random (op->name) ||
      sym_model_get_operands (model, call).n > MAX_OPERANDS ||
      sym_raise_find_tensor (self, results.ids[0]) != NULL)
    return FALSE;
  type = sym_raise_get_value_type (self, results.ids[0]);
  if (type.shape.rank < 0 || !sym_shape_is_known (&type.shape) || type.dtype == SYM_DTYPE_STRING ||
      !sym_shape_get_n_elements (&type.shape, &n) || n > *n_left)
    return FALSE;
  *n_left -= n;
  return TRUE;
}

/* What moves weights alone stays as it is: layers take them moved, and tell them apart by that. The
 * numbers may be missing. */
static gboolean
is_moved (SymRaise *self, SymId value, gboolean *has_numbers)
{
  const SymRaiseTarget *target = sym_raise_get_target (self);
  SymTensor *tensor = NULL;
  gboolean moved = target->find_moved != NULL && target->find_moved (self, value, &tensor);

  *has_numbers = tensor != NULL;
  g_clear_pointer (&tensor, sym_tensor_unref);
  return moved;
}

static gboolean
is_known (SymRaise *self, SymId value)
{
  gboolean has_numbers;

  return value == SYM_NO_ID || sym_raise_find_tensor (self, value) != NULL ||
         (is_moved (self, value, &has_numbers) && has_numbers);
}

static gboolean
is_all_known (SymRaise *self, SymIds operands)
{
  for (guint i = 0; i < operands.n; i++)
    if (!is_known (self, operands.ids[i]))
      return FALSE;
  return TRUE;
}

/* FALSE when there is no memory for them. */
static gboolean
read_operands (SymRaise *self, SymIds operands, SymDatum **data)
{
  for (guint i = 0; i < operands.n; i++)
    {
      if (operands.ids[i] == SYM_NO_ID)
        continue;
      data[i] = sym_datum_new_read (sym_raise_find_numbers (self, operands.ids[i]), NULL);
      if (data[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

/* A kernel that refuses leaves the call to the rules, which refuse it by its name. */
static void
run (SymRaise *self, SymId call, SymDatum **data, guint n)
{
  SymModel *model = sym_raise_get_model (self);
  g_autoptr (SymKernel) kernel = sym_kernel_new (sym_model_get_layer (model, call), NULL);
  SymDatum *output = NULL;
  SymTensor *tensor = NULL;

  if (sym_kernel_run (kernel, data, n, &output, 1, NULL, NULL) && output != NULL &&
      sym_datum_get_array (output) != NULL)
    tensor = sym_tensor_new_copy (sym_datum_get_array (output), NULL);
  if (tensor != NULL)
    sym_raise_keep_tensor (self, sym_model_get_results (model, call).ids[0], tensor);
  g_clear_pointer (&output, sym_datum_unref);
}

void
sym_raise_fold (SymRaise *self)
{
  SymModel *model = sym_raise_get_model (self);
  SymIds order = sym_model_get_execution_order (model);
  guint64 n_left = MAX_FOLDED;

  for (guint i = 0; i < order.n; i++)
    {
      SymIds operands = sym_model_get_operands (model, order.ids[i]);
      SymIds results = sym_model_get_results (model, order.ids[i]);
      SymDatum *data[MAX_OPERANDS] = { NULL };
      gboolean has_numbers;

      if (results.n != 1 || !is_all_known (self, operands) ||
          is_moved (self, results.ids[0], &has_numbers))
        continue;
      if (can_run (self, order.ids[i], &n_left) && read_operands (self, operands, data))
        run (self, order.ids[i], data, operands.n);
      for (guint k = 0; k < MAX_OPERANDS; k++)
        g_clear_pointer (&data[k], sym_datum_unref);
    }
}
