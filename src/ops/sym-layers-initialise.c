/* SPDX-License-Identifier: MIT */
#include "ops/sym-layers-initialise.h"

#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "core/sym-error.h"
#include "ops/sym-op-random.h"

/* ---- What layers begin with ---- */

typedef enum { FILL, UNIFORM, NORMAL } Kind;

typedef struct {
  Kind kind;
  double number; /* all of them, or the bound, or the deviation */
} Start;

/* What one element of the result is a sum of: [out, in / groups, kernel...], and of transposed ones
 * the same axes, as torch has it. */
static double
get_fan_in (const SymLayer *layer)
{
  double fan_in = 1;

  for (guint i = 0; i < sym_layer_get_n_parameters (layer); i++)
    {
      const char *name;
      const SymType *type;

      sym_layer_get_parameter (layer, i, &name, &type);
      if (strcmp (name, "weight") == 0)
        for (int k = 1; k < type->shape.rank; k++)
          fan_in *= (double) type->shape.dims[k];
    }
  return fan_in;
}

static gboolean
is_one_of (const char *type, const char *const *types)
{
  return g_strv_contains (types, type);
}

static gboolean
find_start (const SymLayer *layer, const char *parameter, Start *start)
{
  static const char *const sums[] = { "Linear",          "Conv1d",
                                      "Conv2d",          "Conv3d",
                                      "ConvTranspose1d", "ConvTranspose2d",
                                      "ConvTranspose3d", NULL };
  static const char *const recurrent[] = { "LSTM", "GRU", "RNN", NULL };
  static const char *const norms[] = {
    "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "InstanceNorm2d", "GroupNorm", "LayerNorm", NULL
  };
  const SymOperator *op = sym_layer_get_operator (layer);

  if (op == NULL || strcmp (op->domain, "torch") != 0)
    return FALSE;
  if (is_one_of (op->name, sums))
    *start = (Start){ UNIFORM, 1 / sqrt (MAX (get_fan_in (layer), 1)) };
  else if (is_one_of (op->name, recurrent))
    *start = (Start){
      UNIFORM,
      1 / sqrt ((double) MAX (
              sym_attributes_get_int (sym_layer_get_attributes (layer), "hidden_size", 1), 1))
    };
  else if (is_one_of (op->name, norms))
    *start = (Start){ FILL,
                      g_str_equal (parameter, "weight") || g_str_equal (parameter, "running_var") };
  else if (strcmp (op->name, "Embedding") == 0)
    *start = (Start){ NORMAL, 1 };
  else if (strcmp (op->name, "PReLU") == 0)
    *start = (Start){ FILL, 0.25 };
  else
    return FALSE;
  return TRUE;
}

static double
draw (SymOpRandom *random, const Start *start)
{
  switch (start->kind)
    {
    case UNIFORM:
      return (2 * sym_op_random_uniform (random) - 1) * start->number;
    case NORMAL:
      return sym_op_random_normal (random) * start->number;
    case FILL:
    default:
      return start->number;
    }
}

/* Rows of an embedding that are never trained are zeros. */
static void
clear_padding (const SymLayer *layer, SymArray *array)
{
  gint64 row = sym_attributes_get_int (sym_layer_get_attributes (layer), "padding_idx", -1);
  gsize n = array->shape.rank == 2 ? (gsize) array->shape.dims[1] : 0;

  if (row < 0 || n == 0 || row >= array->shape.dims[0])
    return;
  for (gsize i = 0; i < n; i++)
    sym_element_set_double (array->dtype, array->data, (gsize) row * n + i, 0);
}

static SymTensor *
make_tensor (const SymLayer *layer,
             const SymType *type,
             const Start *start,
             guint64 seed,
             GError **error)
{
  g_autoptr (SymDatum) datum = sym_datum_new (type->dtype, &type->shape, error);
  SymOpRandom random = { seed };
  SymArray *array;
  gsize n;

  if (datum == NULL)
    return NULL;
  array = (SymArray *) sym_datum_get_array (datum);
  n = sym_array_get_n_elements (array);
  for (gsize i = 0; i < n; i++)
    sym_element_set_double (array->dtype, array->data, i, draw (&random, start));
  clear_padding (layer, array);
  return sym_tensor_new_copy (array, error);
}

static guint64
mix (guint64 seed, guint64 i)
{
  SymOpRandom random = { seed + i * 0x9e3779b97f4a7c15u };

  return sym_op_random_next (&random);
}

gboolean
sym_layer_initialise (SymLayer *self, guint64 seed, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  for (guint i = 0; i < sym_layer_get_n_parameters (self); i++)
    {
      const char *name;
      const SymType *type;
      SymParameter *parameter = sym_layer_get_parameter (self, i, &name, &type);
      g_autoptr (SymTensor) tensor = NULL;
      Start start;

      if (sym_parameter_get_tensor (parameter) != NULL)
        continue;
      if (!find_start (self, name, &start))
        {
          g_set_error (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED,
                       "nobody knows with which numbers %s begins; its %s must be set",
                       sym_layer_get_type (self), name);
          return FALSE;
        }
      tensor = make_tensor (self, type, &start, mix (seed, i), error);
      if (tensor == NULL)
        return FALSE;
      sym_parameter_set_tensor (parameter, tensor);
    }
  return TRUE;
}

/* Nested models come after the one that they are in, once, however often they are called. */
gboolean
sym_model_initialise (SymModel *self, guint64 seed, GError **error)
{
  g_autoptr (GPtrArray) open = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  guint64 n = 0;

  g_return_val_if_fail (self != NULL, FALSE);

  g_hash_table_add (seen, self);
  g_ptr_array_add (open, self);
  for (guint i = 0; i < open->len; i++)
    {
      SymModel *model = open->pdata[i];
      SymIds order = sym_model_get_execution_order (model);

      for (guint k = 0; k < order.n; k++)
        {
          SymLayer *layer = sym_model_get_layer (model, order.ids[k]);

          if (!sym_layer_initialise (layer, mix (seed, ++n), error))
            return FALSE;
          for (guint b = 0; b < sym_layer_get_n_bodies (layer); b++)
            if (g_hash_table_add (seen, sym_layer_get_body (layer, b, NULL)))
              g_ptr_array_add (open, sym_layer_get_body (layer, b, NULL));
        }
    }
  return TRUE;
}

/* ---- By name ---- */

static SymParameter *
find_parameter (const SymLayer *self, const char *name, const SymType **type)
{
  for (guint i = 0; i < sym_layer_get_n_parameters (self); i++)
    {
      const char *own;
      SymParameter *parameter = sym_layer_get_parameter (self, i, &own, type);

      if (g_str_equal (own, name))
        return parameter;
    }
  return NULL;
}

SymTensor *
sym_layer_get_weight (const SymLayer *self, const char *name)
{
  const SymType *type;
  SymParameter *parameter;

  g_return_val_if_fail (self != NULL && name != NULL, NULL);

  parameter = find_parameter (self, name, &type);
  return parameter == NULL ? NULL : sym_parameter_get_tensor (parameter);
}

static char *
format_shape (const SymShape *shape)
{
  GString *text = g_string_new ("[");

  for (int i = 0; i < shape->rank; i++)
    if (shape->dims[i] < 0)
      g_string_append (text, i == 0 ? "?" : ",?");
    else
      g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i == 0 ? "" : ",", shape->dims[i]);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

static gboolean
check_tensor (const char *name, const SymType *type, SymTensor *tensor, GError **error)
{
  const SymShape *shape = sym_tensor_get_shape (tensor);
  g_autofree char *need = NULL, *given = NULL;

  if (type->kind != SYM_KIND_TENSOR ||
      ((type->dtype == SYM_DTYPE_UNKNOWN || type->dtype == sym_tensor_get_dtype (tensor)) &&
       (type->shape.rank < 0 || !sym_shape_is_known (&type->shape) ||
        sym_shape_equal (&type->shape, shape))))
    return TRUE;
  need = format_shape (&type->shape);
  given = format_shape (shape);
  g_set_error (error, SYM_ERROR, SYM_ERROR_SHAPE, "“%s” should be %s%s, and is %s%s", name,
               sym_dtype_to_string (type->dtype), need,
               sym_dtype_to_string (sym_tensor_get_dtype (tensor)), given);
  return FALSE;
}

gboolean
sym_layer_set_weight (SymLayer *self, const char *name, SymTensor *tensor, GError **error)
{
  const SymType *type;
  SymParameter *parameter;

  g_return_val_if_fail (self != NULL && name != NULL && tensor != NULL, FALSE);

  parameter = find_parameter (self, name, &type);
  if (parameter == NULL)
    {
      g_autoptr (GString) names = g_string_new (NULL);

      for (guint i = 0; i < sym_layer_get_n_parameters (self); i++)
        {
          const char *own;

          sym_layer_get_parameter (self, i, &own, NULL);
          g_string_append_printf (names, "%s%s", i == 0 ? "" : ", ", own);
        }
      g_set_error (error, SYM_ERROR, SYM_ERROR_NOT_FOUND, "%s has no parameter “%s”, only %s",
                   sym_layer_get_type (self), name, names->len == 0 ? "none" : names->str);
      return FALSE;
    }
  if (!check_tensor (name, type, tensor, error))
    return FALSE;
  sym_parameter_set_tensor (parameter, tensor);
  return TRUE;
}

static SymId
find_value (const SymModel *self, const char *name)
{
  for (SymId value = 0; value < sym_model_get_n_values (self); value++)
    if (sym_model_has_value (self, value) && sym_model_get_parameter (self, value) != NULL &&
        g_strcmp0 (sym_model_get_value_name (self, value), name) == 0)
      return value;
  return SYM_NO_ID;
}

SymTensor *
sym_model_get_weight (const SymModel *self, const char *name)
{
  SymId value;

  g_return_val_if_fail (self != NULL && name != NULL, NULL);

  value = find_value (self, name);
  return value == SYM_NO_ID ? NULL : sym_model_get_tensor (self, value);
}

gboolean
sym_model_set_weight (SymModel *self, const char *name, SymTensor *tensor, GError **error)
{
  SymParameter *parameter;
  SymType type;
  SymId value;

  g_return_val_if_fail (self != NULL && name != NULL && tensor != NULL, FALSE);

  value = find_value (self, name);
  if (value == SYM_NO_ID)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_NOT_FOUND, "the model has no parameter “%s”", name);
      return FALSE;
    }
  parameter = sym_model_get_parameter (self, value);
  type = sym_model_get_declared_type (self, value);
  if (sym_model_get_tensor (self, value) != sym_parameter_get_tensor (parameter))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED,
                   "the numbers of “%s” are those of the model's file; an edit changes them", name);
      return FALSE;
    }
  if (!check_tensor (name, &type, tensor, error))
    return FALSE;
  sym_parameter_set_tensor (parameter, tensor);
  return TRUE;
}
