/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-foreign.h"

gboolean
sym_op_foreign_begin (SymOpLower *self, guint i, SymOpForeignWindow *window)
{
  int n = sym_op_foreign_rank (self, i) - 2;

  *window = (SymOpForeignWindow){ .n = CLAMP (n, 1, 3), .groups = 1 };
  for (int k = 0; k < 3; k++)
    window->kernel[k] = window->stride[k] = window->dilation[k] = 1;
  if (n >= 1 && n <= 3)
    return TRUE;
  sym_op_lower_fail (self, "%s: windows slide over data of 3 to 5 axes, not of %d",
                     sym_op_lower_get_type (self), n + 2);
  return FALSE;
}

/* What all windows have in common.  Pads are there only where nothing finds them. */
static SymAttributes *
list_attributes (const SymOpForeignWindow *window)
{
  SymAttributes *attributes = sym_attributes_new ();
  gint64 pads[6];

  for (int i = 0; i < window->n; i++)
    {
      pads[i] = window->before[i];
      pads[i + window->n] = window->after[i];
    }
  sym_attributes_set (attributes, "strides", sym_op_lower_list (window->stride, window->n), NULL);
  sym_attributes_set (attributes, "dilations", sym_op_lower_list (window->dilation, window->n),
                      NULL);
  if (window->auto_pad != NULL)
    sym_attributes_set (attributes, "auto_pad", sym_value_new_string (window->auto_pad), NULL);
  else
    sym_attributes_set (attributes, "pads", sym_op_lower_list (pads, 2 * window->n), NULL);
  return attributes;
}

/* Sizes of windows and steps come from files. */
static gboolean
check (SymOpLower *self, const SymOpForeignWindow *window)
{
  for (int i = 0; i < window->n; i++)
    if (window->kernel[i] < 1 || window->stride[i] < 1 || window->dilation[i] < 1 ||
        MAX (window->stride[i], window->dilation[i]) > G_MAXINT32)
      sym_op_lower_fail (self, "%s: windows, steps and dilations must be at least 1, and small",
                         sym_op_lower_get_type (self));
  return !sym_op_lower_has_failed (self);
}

static SymId
apply (SymOpLower *self,
       const SymOpForeignWindow *window,
       const char *name,
       SymIds operands,
       SymAttributes *attributes)
{
  const SymOperator *op = sym_op_find ("", name, SYM_OP_LOWER_VERSION);
  SymId y, moved[3] = { SYM_NO_ID, SYM_NO_ID, SYM_NO_ID };

  if (!check (self, window))
    return SYM_NO_ID;
  for (guint i = 0; i < operands.n; i++)
    moved[i] = operands.ids[i];
  if (window->channels_last)
    moved[0] = sym_op_foreign_channels_first (self, moved[0], window->n + 2);
  y = sym_op_lower_apply (self, op, (SymIds){ moved, operands.n }, attributes);
  return window->channels_last ? sym_op_foreign_channels_last (self, y, window->n + 2) : y;
}

SymId
sym_op_foreign_conv (SymOpLower *self,
                     const SymOpForeignWindow *window,
                     SymId x,
                     SymId weight,
                     SymId bias)
{
  g_autoptr (SymAttributes) attributes = list_attributes (window);

  sym_attributes_set (attributes, "group", sym_value_new_int (window->groups), NULL);
  return apply (self, window, "Conv", SYM_IDS (x, weight, bias), attributes);
}

SymId
sym_op_foreign_conv_transpose (SymOpLower *self,
                               const SymOpForeignWindow *window,
                               SymId x,
                               SymId weight,
                               SymId bias,
                               const gint64 *output_padding)
{
  g_autoptr (SymAttributes) attributes = list_attributes (window);

  sym_attributes_set (attributes, "group", sym_value_new_int (window->groups), NULL);
  sym_attributes_set (attributes, "output_padding", sym_op_lower_list (output_padding, window->n),
                      NULL);
  return apply (self, window, "ConvTranspose", SYM_IDS (x, weight, bias), attributes);
}

SymId
sym_op_foreign_pool (SymOpLower *self, const SymOpForeignWindow *window, const char *name, SymId x)
{
  g_autoptr (SymAttributes) attributes = list_attributes (window);

  sym_attributes_set (attributes, "kernel_shape", sym_op_lower_list (window->kernel, window->n),
                      NULL);
  sym_attributes_set (attributes, "ceil_mode", sym_value_new_int (window->up), NULL);
  if (g_str_equal (name, "AveragePool"))
    sym_attributes_set (attributes, "count_include_pad", sym_value_new_int (window->counts_pads),
                        NULL);
  return apply (self, window, name, SYM_IDS (x), attributes);
}

SymId
sym_op_foreign_pool_all (SymOpLower *self,
                         const SymOpForeignWindow *window,
                         const char *name,
                         SymId x)
{
  gint64 axes[3];

  for (int i = 0; i < window->n; i++)
    axes[i] = i + (window->channels_last ? 1 : 2);
  return sym_op_lower_reduce (self, name, x, axes, window->n, TRUE);
}

SymId
sym_op_foreign_pool_to (SymOpLower *self,
                        const SymOpForeignWindow *window,
                        gboolean is_max,
                        const gint64 *sizes,
                        SymId x)
{
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  g_autofree char *name = g_strdup_printf ("Adaptive%sPool%dd", is_max ? "Max" : "Avg", window->n);
  const SymOperator *op;
  gboolean is_one = TRUE;
  SymId y;

  for (int i = 0; i < window->n; i++)
    {
      is_one = is_one && sizes[i] == 1;
      if (sizes[i] < 1)
        sym_op_lower_fail (self, "%s: there must be at least 1 result along each axis",
                           sym_op_lower_get_type (self));
    }
  if (is_one)
    return sym_op_foreign_pool_all (self, window, is_max ? "ReduceMax" : "ReduceMean", x);
  op = sym_op_find ("torch", name, 0);
  if (op == NULL)
    {
      sym_op_lower_refuse (self, "%s: %s is not lowered", sym_op_lower_get_type (self), name);
      return SYM_NO_ID;
    }
  sym_attributes_set (attributes, "output_size", sym_op_lower_list (sizes, window->n), NULL);
  if (window->channels_last)
    x = sym_op_foreign_channels_first (self, x, window->n + 2);
  y = sym_op_lower_apply (self, op, SYM_IDS (x), attributes);
  return window->channels_last ? sym_op_foreign_channels_last (self, y, window->n + 2) : y;
}
