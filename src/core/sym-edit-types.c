/* SPDX-License-Identifier: MIT */
#include "core/sym-edit-private.h"
#include "core/sym-infer-private.h"
#include "core/sym-terms-private.h"

/* The type of a value as @inference has it, in the terms of the edit. */
static SymType
translate (SymEdit *self, const SymInference *inference, SymId value, GHashTable *map)
{
  SymType type = sym_inference_get_type (inference, value);

  type.shape = sym_terms_translate_shape (sym_inference_get_terms (inference), &type.shape,
                                          sym_edit_get_terms (self), map);
  return type;
}

/* Dimensions that @inference calls otherwise than the model does: what is declared of other values
 * is told with the new name, too. */
static void
take_names (SymEdit *self, const SymInference *inference)
{
  const SymTerms *terms = sym_inference_get_terms (inference);
  const SymTerms *declared = sym_model_get_terms (self->base);
  guint n = sym_terms_get_size (declared);

  for (guint32 i = 0; i < n; i++)
    {
      SymDim dim = sym_terms_to_dim (i);
      const char *name = sym_terms_get_name (terms, dim);

      if (sym_terms_get_name (declared, dim) != NULL && sym_terms_is_wanted (terms, dim) &&
          !sym_terms_has_name (declared, name))
        sym_terms_take_name (sym_edit_get_terms (self), dim, name);
    }
}

static gboolean
take_type (SymEdit *self,
           const SymInference *inference,
           SymId value,
           GHashTable *map,
           GError **error)
{
  SymType type = translate (self, inference, value, map);

  return sym_edit_set_type (self, value, &type, error);
}

gboolean
sym_edit_take_types (SymEdit *self,
                     const SymInference *inference,
                     const SymId *values,
                     guint n,
                     GError **error)
{
  g_autoptr (GHashTable) map = g_hash_table_new (NULL, NULL);
  SymModel *model = sym_inference_get_model (inference);

  g_return_val_if_fail (self != NULL && inference != NULL, FALSE);
  g_return_val_if_fail (model == self->base, FALSE);

  take_names (self, inference);
  for (guint i = 0; i < n; i++)
    if (!take_type (self, inference, values[i], map, error))
      return FALSE;
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_model_has_value (model, value) && sym_inference_is_other (inference, value) &&
        sym_model_get_declared_type (model, value).kind == SYM_KIND_TENSOR &&
        !take_type (self, inference, value, map, error))
      return FALSE;
  return TRUE;
}
