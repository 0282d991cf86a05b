/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine.h"

#include <string.h>

const SymSlotSpec sym_op_engine_weighted[] = {
  { "input" },
  { "weight", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

/* ---- Numbers ---- */

static gboolean
is_integer (SymOpLower *self, guint i)
{
  return sym_dtype_is_integer (sym_op_lower_get_input_dtype (self, i));
}

SymId
sym_op_engine_real (SymOpLower *self, guint i)
{
  SymId x = sym_op_lower_input (self, i);

  return is_integer (self, i) ? sym_op_lower_cast (self, x, SYM_DTYPE_FLOAT32) : x;
}

static SymDType
get_dtype (SymOpLower *self)
{
  return sym_op_lower_get_dtype (self, "output_dtype", sym_op_lower_get_input_dtype (self, 0));
}

void
sym_op_engine_set (SymOpLower *self, SymId x)
{
  if (!sym_op_lower_is_rule (self) &&
      (is_integer (self, 0) || sym_dtype_is_integer (get_dtype (self))))
    sym_op_lower_refuse (self, "%s: integers with a scale are not lowered",
                         sym_op_lower_get_type (self));
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, x, get_dtype (self)));
}

/* A sum has the shape of all that broadcasts. */
void
sym_op_engine_set_formula (SymOpLower *self, const char *formula)
{
  guint n = sym_op_lower_get_n_inputs (self);
  gboolean is_plain = TRUE;
  SymId x;

  for (guint i = 0; i < n; i++)
    is_plain = is_plain && !is_integer (self, i);
  if (is_plain)
    {
      sym_op_engine_set (self, sym_op_lower_formula (self, formula));
      return;
    }
  x = sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_FLOAT32);
  for (guint i = 1; i < n; i++)
    if (sym_op_lower_has_input (self, i))
      x = sym_op_lower_binary (
          self, "Add", x,
          sym_op_lower_cast (self, sym_op_lower_input (self, i), SYM_DTYPE_FLOAT32));
  sym_op_engine_set (self, x);
}

void
sym_op_engine_lower_formula (SymOpLower *self)
{
  sym_op_engine_set_formula (self, sym_layer_get_operator (sym_op_lower_get_layer (self))->formula);
}

void
sym_op_engine_lower_same (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0))
    sym_op_engine_set (self, sym_op_lower_input (self, 0));
}

/* ---- Movements, which numbers of any kind bear ---- */

void
sym_op_engine_lower_concat (SymOpLower *self)
{
  const char *name = sym_op_foreign_choose (self, "axis", "dim", NULL);

  sym_op_lower_set_output (
      self, 0,
      sym_op_foreign_concat (self, 0, sym_op_lower_get_n_inputs (self),
                             sym_op_foreign_axis (self, name, 0, sym_op_foreign_rank (self, 0))));
}

void
sym_op_engine_transpose (SymOpLower *self, const char *name)
{
  gint64 axes[SYM_MAX_RANK];
  int rank = sym_op_foreign_rank (self, 0), n = sym_op_foreign_list (self, name, axes);

  if (n != rank)
    {
      sym_op_lower_refuse (self, "%s: its order of axes is not told", sym_op_lower_get_type (self));
      return;
    }
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_permute (self, sym_op_lower_input (self, 0), axes, n));
}

void
sym_op_engine_dense (SymOpLower *self)
{
  SymId x;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  x = sym_op_lower_binary (self, "MatMul", sym_op_engine_real (self, 0),
                           sym_op_lower_transpose (self, sym_op_engine_real (self, 1), 2, 1, 0));
  if (sym_op_lower_has_input (self, 2))
    x = sym_op_lower_binary (self, "Add", x, sym_op_engine_real (self, 2));
  sym_op_engine_set (self, x);
}

/* ---- Windows ---- */

void
sym_op_engine_pair (SymOpLower *self,
                    const char *rows,
                    const char *columns,
                    gint64 fallback,
                    gint64 values[3])
{
  const char *names[] = { rows, columns };

  for (int i = 0; i < 2; i++)
    {
      values[i] = sym_op_lower_get_int (self, names[i], fallback);
      if (values[i] >= -G_MAXINT32 && values[i] <= G_MAXINT32)
        continue;
      sym_op_lower_fail (self, "%s: %s of %" G_GINT64_FORMAT " makes no sense",
                         sym_op_lower_get_type (self), names[i], values[i]);
      values[i] = fallback;
    }
}

int
sym_op_engine_numbers (SymOpLower *self, const char *name, gint64 *values, int most)
{
  const char *text = sym_op_lower_get_string (self, name, NULL);
  g_auto (GStrv) parts = text == NULL ? NULL : g_strsplit_set (text, " ,", -1);
  int n = 0;

  if (text == NULL)
    return sym_op_lower_get_ints (self, name, values, most);
  for (guint i = 0; parts[i] != NULL; i++)
    if (parts[i][0] != '\0' && n < most &&
        g_ascii_string_to_signed (parts[i], 10, G_MININT32, G_MAXINT32, &values[n], NULL))
      n++;
  return n;
}

int
sym_op_engine_rows (SymOpLower *self, const char *name, int columns, gint64 *values)
{
  const SymValue *list =
      sym_attributes_find (sym_layer_get_attributes (sym_op_lower_get_layer (self)), name);
  int most = SYM_MAX_RANK * columns;
  int n = list == NULL ? -1 : sym_op_engine_numbers (self, name, values, most);
  gboolean fits = n <= most && (n < 0 || n % columns == 0);

  if (list == NULL)
    return -1;
  if (n < 0)
    {
      guint rows = sym_value_get_n_children (list);

      fits = rows <= SYM_MAX_RANK;
      for (guint i = 0; i < rows && fits; i++)
        fits = sym_value_get_ints (sym_value_get_child (list, i), values + (guint) columns * i,
                                   columns) == columns;
      n = (int) rows * columns;
    }
  if (fits)
    return n / columns;
  sym_op_lower_fail (self, "%s: %s should have %d numbers for each axis",
                     sym_op_lower_get_type (self), name, columns);
  return -1;
}

void
sym_op_engine_margins (SymOpLower *self, const char *name, SymOpForeignWindow *window)
{
  gint64 flat[2 * SYM_MAX_RANK] = { 0 };
  int n = sym_op_engine_rows (self, name, 2, flat);

  if (n > 0 && n < window->n)
    sym_op_lower_fail (self, "%s: %s should have %d pairs, not %d", sym_op_lower_get_type (self),
                       name, window->n, n);
  for (int i = 0; i < window->n; i++)
    {
      window->before[i] = flat[2 * i];
      window->after[i] = flat[2 * i + 1];
      if (MIN (flat[2 * i], flat[2 * i + 1]) < -G_MAXINT32 ||
          MAX (flat[2 * i], flat[2 * i + 1]) > G_MAXINT32)
        sym_op_lower_fail (self, "%s: %s makes no sense", sym_op_lower_get_type (self), name);
    }
}

void
sym_op_engine_conv (SymOpLower *self, const SymOpForeignWindow *window, const gint64 *axes)
{
  SymId weight;

  if (sym_op_lower_has_failed (self) || !sym_op_lower_need_tensor (self, 1))
    return;
  weight = sym_op_engine_real (self, 1);
  if (axes != NULL)
    weight = sym_op_lower_permute (self, weight, axes, window->n + 2);
  sym_op_engine_set (self, sym_op_foreign_conv (self, window, sym_op_engine_real (self, 0), weight,
                                                sym_op_engine_real (self, 2)));
}

void
sym_op_engine_pool (SymOpLower *self, const SymOpForeignWindow *window, gboolean is_max)
{
  if (!sym_op_lower_has_failed (self))
    sym_op_engine_set (self, sym_op_foreign_pool (self, window, is_max ? "MaxPool" : "AveragePool",
                                                  sym_op_engine_real (self, 0)));
}

void
sym_op_engine_pool_all (SymOpLower *self, const SymOpForeignWindow *window, gboolean is_max)
{
  if (!sym_op_lower_has_failed (self))
    sym_op_engine_set (self,
                       sym_op_foreign_pool_all (self, window, is_max ? "ReduceMax" : "ReduceMean",
                                                sym_op_engine_real (self, 0)));
}

/* ---- Rules ---- */

gboolean
sym_op_engine_read_from (const SymAttributes *attributes,
                         const char *name,
                         gint64 fallback,
                         gint64 least,
                         gint64 *value,
                         GError **error)
{
  *value = sym_attributes_get_int (attributes, name, fallback);
  if (*value >= least && *value <= G_MAXINT32)
    return TRUE;
  return sym_rule_fail (error, "%s of %" G_GINT64_FORMAT " makes no sense", name, *value);
}

gboolean
sym_op_engine_read (SymRule *rule,
                    const char *name,
                    gint64 fallback,
                    gint64 least,
                    gint64 *value,
                    GError **error)
{
  return sym_op_engine_read_from (sym_rule_get_attributes (rule), name, fallback, least, value,
                                  error);
}

SymDim
sym_op_engine_get_count (SymRule *rule, const char *name)
{
  gint64 n = sym_rule_get_int (rule, name, 0);

  return n > 0 && n <= G_MAXINT32 ? n : SYM_DIM_UNKNOWN;
}

/* Images have four axes.  *@known is FALSE while nothing is known of them. */
static gboolean
begin (SymRule *rule, SymShape *data, gboolean *known, GError **error)
{
  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  *data = sym_rule_get_input (rule, 0);
  *known = data->rank >= 0;
  return !*known || data->rank == 4 ||
         sym_rule_fail (error, "images have 4 axes, not %d", data->rank);
}

SymDim
sym_op_engine_get_channels (SymRule *rule, gboolean channels_last)
{
  SymShape data = sym_rule_get_input (rule, 0);

  return data.rank != 4 ? SYM_DIM_UNKNOWN : data.dims[channels_last ? 3 : 1];
}

static gboolean
slide (SymRule *rule,
       const SymOpEngineWindow *window,
       int i,
       SymDim size,
       SymDim *result,
       GError **error)
{
  SymOpWindow own = { window->kernel[i], window->stride[i], window->dilation[i],
                      window->before[i], window->after[i],  window->up };

  if (!window->is_same)
    return sym_op_slide (rule, size, &own, result, error);
  *result = sym_terms_ceil_divide (sym_rule_get_terms (rule), size, window->stride[i]);
  return TRUE;
}

gboolean
sym_op_engine_slide (SymRule *rule,
                     const SymOpEngineWindow *window,
                     SymDim channels,
                     GError **error)
{
  int first = window->channels_last ? 1 : 2;
  gboolean known;
  SymShape data;

  if (!begin (rule, &data, &known, error))
    return FALSE;
  if (!known)
    return TRUE;
  for (int i = 0; i < 2; i++)
    if (!slide (rule, window, i, data.dims[first + i], &data.dims[first + i], error))
      return FALSE;
  if (channels != SYM_DIM_UNKNOWN)
    data.dims[window->channels_last ? 3 : 1] = channels;
  return sym_rule_set_output (rule, 0, &data, error);
}

gboolean
sym_op_engine_unslide (SymRule *rule,
                       const SymOpEngineWindow *window,
                       const gint64 extra[2],
                       SymDim channels,
                       GError **error)
{
  int first = window->channels_last ? 1 : 2;
  gboolean known;
  SymShape data;

  if (!begin (rule, &data, &known, error))
    return FALSE;
  if (!known)
    return TRUE;
  for (int i = 0; i < 2; i++)
    {
      SymOpWindow own = { window->kernel[i], window->stride[i], window->dilation[i],
                          window->before[i], window->after[i],  FALSE };
      SymDim *dim = &data.dims[first + i];

      if (window->is_same)
        *dim = sym_terms_multiply (sym_rule_get_terms (rule), *dim, window->stride[i]);
      else if (!sym_op_unslide (rule, *dim, &own, extra[i], dim, error))
        return FALSE;
    }
  data.dims[window->channels_last ? 3 : 1] = channels;
  return sym_rule_set_output (rule, 0, &data, error);
}
