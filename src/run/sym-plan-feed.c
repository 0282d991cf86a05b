/* SPDX-License-Identifier: MIT */
#include "core/sym-error.h"
#include "core/sym-object.h"
#include "run/sym-plan-private.h"

static gboolean
check_type (const SymPlan *self, SymId value, const SymDatum *datum, GError **error)
{
  const SymInference *types = self->types;
  SymType declared = types == NULL ? sym_model_get_declared_type (self->model, value)
                                   : sym_inference_get_type (types, value);

  return sym_datum_check_type (datum, &declared, sym_model_get_value_name (self->model, value),
                               error);
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
