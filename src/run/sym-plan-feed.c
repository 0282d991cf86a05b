/* SPDX-License-Identifier: MIT */
#include "core/sym-error.h"
#include "run/sym-plan-private.h"

static char *
format_type (SymDType dtype, const SymShape *shape)
{
  GString *text = g_string_new (sym_dtype_to_string (dtype));

  g_string_append_c (text, '[');
  for (int i = 0; i < shape->rank; i++)
    if (shape->dims[i] < 0)
      g_string_append (text, i > 0 ? ",?" : "?");
    else
      g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "", shape->dims[i]);
  g_string_append (text, shape->rank < 0 ? "rank ?]" : "]");
  return g_string_free (text, FALSE);
}

static gboolean
fits (const SymType *declared, const SymDatum *datum)
{
  const SymArray *array = sym_datum_get_array (datum);

  if (declared->kind != SYM_KIND_TENSOR)
    return declared->kind == SYM_KIND_UNKNOWN || declared->kind == sym_datum_get_kind (datum);
  if (array == NULL)
    return FALSE;
  if (declared->dtype != SYM_DTYPE_UNKNOWN && declared->dtype != array->dtype)
    return FALSE;
  if (declared->shape.rank < 0)
    return TRUE;
  if (declared->shape.rank != array->shape.rank)
    return FALSE;
  for (int i = 0; i < array->shape.rank; i++)
    if (declared->shape.dims[i] >= 0 && declared->shape.dims[i] != array->shape.dims[i])
      return FALSE;
  return TRUE;
}

static gboolean
check_type (const SymPlan *self, SymId value, const SymDatum *datum, GError **error)
{
  const SymInference *types = self->types;
  SymType declared = types == NULL ? sym_model_get_declared_type (self->model, value)
                                   : sym_inference_get_type (types, value);
  const SymArray *array = sym_datum_get_array (datum);
  g_autofree char *need = NULL, *given = NULL;

  if (fits (&declared, datum))
    return TRUE;
  need = declared.kind == SYM_KIND_TENSOR ? format_type (declared.dtype, &declared.shape)
                                          : g_strdup ("another kind of value");
  given = array == NULL ? g_strdup ("no tensor") : format_type (array->dtype, &array->shape);
  g_set_error (error, SYM_ERROR, SYM_ERROR_SHAPE, "“%s” should be %s, and is %s",
               sym_model_get_value_name (self->model, value), need, given);
  return FALSE;
}

/* Compiled steps ask nobody for what they were made from, or make. */
static gboolean
check_free (const SymPlan *self, SymId value, GError **error)
{
  guint maker = self->makers[value];

  if (!self->fixed[value] && (maker == SYM_PLAN_FOREVER || self->steps[maker].region == NULL))
    return TRUE;
  g_set_error (
      error, SYM_ERROR, SYM_ERROR_ARGUMENT,
      "“%s” is part of a compiled step and cannot be fed; a plan made without types lets it",
      sym_model_get_value_name (self->model, value));
  return FALSE;
}

gboolean
sym_plan_check_feed (const SymPlan *self, SymId value, const SymDatum *datum, GError **error)
{
  return check_free (self, value, error) && check_type (self, value, datum, error);
}
