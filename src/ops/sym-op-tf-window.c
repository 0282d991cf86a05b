/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf-window.h"

#include <string.h>

/* @name of all axes: those of the window, by default 1.  TensorFlow.js has @single for its Conv1D,
 * which TensorFlow itself has not: of the one axis, without the others. */
static gboolean
read_list (const SymOpTfWindow *self,
           const SymAttributes *attributes,
           const char *name,
           const char *single,
           gint64 *values,
           GError **error)
{
  gint64 all[SYM_MAX_RANK];
  int n = sym_attributes_get_ints (attributes, name, all, SYM_MAX_RANK);

  if (n <= 0 && self->n == 1 && single != NULL)
    {
      n = sym_attributes_get_ints (attributes, single, all, SYM_MAX_RANK);
      name = single;
    }
  if (n > 0 && n != self->n + 2 && n != 1)
    return sym_rule_fail (error, "%s must have %d numbers, not %d", name, self->n + 2, n);
  for (int i = 0; i < self->n; i++)
    {
      values[i] = n <= 0 ? 1 : all[n == 1 ? 0 : sym_op_tf_window_axis (self, i)];
      if (values[i] < 1 || values[i] > G_MAXINT32)
        return sym_rule_fail (error, "%s %" G_GINT64_FORMAT " is out of range", name, values[i]);
    }
  return TRUE;
}

static gboolean
read_explicit (SymOpTfWindow *self, const SymAttributes *attributes, GError **error)
{
  gint64 all[2 * SYM_MAX_RANK];
  int n = sym_attributes_get_ints (attributes, "explicit_paddings", all, G_N_ELEMENTS (all));

  if (strcmp (self->padding, "EXPLICIT") != 0)
    return TRUE;
  if (n != 2 * (self->n + 2))
    return sym_rule_fail (error, "explicit_paddings must have %d numbers, not %d",
                          2 * (self->n + 2), n);
  for (int i = 0; i < self->n; i++)
    {
      self->before[i] = all[2 * sym_op_tf_window_axis (self, i)];
      self->after[i] = all[2 * sym_op_tf_window_axis (self, i) + 1];
      if (self->before[i] < 0 || self->after[i] < 0 || self->before[i] > G_MAXINT32 ||
          self->after[i] > G_MAXINT32)
        return sym_rule_fail (error, "explicit_paddings are out of range");
    }
  return TRUE;
}

gboolean
sym_op_tf_window_read (SymOpTfWindow *self, const SymAttributes *attributes, int n, GError **error)
{
  *self = (SymOpTfWindow){ .n = n };
  self->channels_first = sym_op_tf_is_channels_first (attributes);
  self->padding = sym_attributes_get_string (attributes, "padding", "VALID");
  if (strcmp (self->padding, "VALID") != 0 && strcmp (self->padding, "SAME") != 0 &&
      strcmp (self->padding, "EXPLICIT") != 0)
    return sym_rule_fail (error, "padding “%s” is not known", self->padding);
  return read_list (self, attributes, "strides", "stride", self->stride, error) &&
         read_list (self, attributes, "dilations", "dilation", self->dilation, error) &&
         read_explicit (self, attributes, error);
}

gboolean
sym_op_tf_window_read_size (SymOpTfWindow *self, const SymAttributes *attributes, GError **error)
{
  return read_list (self, attributes, "ksize", NULL, self->kernel, error);
}

int
sym_op_tf_window_axis (const SymOpTfWindow *self, int i)
{
  return i + (self->channels_first ? 2 : 1);
}

int
sym_op_tf_window_channels (const SymOpTfWindow *self)
{
  return self->channels_first ? 1 : self->n + 1;
}

gboolean
sym_op_tf_window_slide (const SymOpTfWindow *self,
                        SymRule *rule,
                        int i,
                        SymDim size,
                        SymDim *result,
                        GError **error)
{
  SymOpWindow window = { self->kernel[i], self->stride[i], self->dilation[i],
                         self->before[i], self->after[i],  FALSE };

  *result = SYM_DIM_UNKNOWN;
  if (strcmp (self->padding, "SAME") == 0)
    window.kernel = window.dilate = 1;
  if (window.kernel < 0)
    return TRUE;
  return sym_op_slide (rule, size, &window, result, error);
}

void
sym_op_tf_window_pads (const SymOpTfWindow *self, int i, gint64 size, gint64 *before, gint64 *after)
{
  gint64 reach = (self->kernel[i] - 1) * self->dilation[i] + 1;
  gint64 places = (size + self->stride[i] - 1) / self->stride[i];
  gint64 all = MAX ((places - 1) * self->stride[i] + reach - size, 0);

  *before = self->before[i];
  *after = self->after[i];
  if (strcmp (self->padding, "SAME") == 0)
    {
      *before = all / 2;
      *after = all - *before;
    }
}

SymValue *
sym_op_tf_window_list_pads (const SymOpTfWindow *self, const SymShape *shape)
{
  gint64 pads[6];

  for (int i = 0; i < self->n; i++)
    sym_op_tf_window_pads (self, i, shape->dims[sym_op_tf_window_axis (self, i)], &pads[i],
                           &pads[i + self->n]);
  return sym_op_lower_list (pads, 2 * self->n);
}

SymId
sym_op_tf_window_enter (const SymOpTfWindow *self, SymOpLower *lower, SymId x)
{
  return self->channels_first ? x : sym_op_tf_channels_first (lower, x, self->n);
}

SymId
sym_op_tf_window_leave (const SymOpTfWindow *self, SymOpLower *lower, SymId x)
{
  return self->channels_first ? x : sym_op_tf_channels_last (lower, x, self->n);
}
