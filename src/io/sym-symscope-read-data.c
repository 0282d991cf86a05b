/* SPDX-License-Identifier: MIT */
#include "io/sym-symscope-private.h"

/* Parameters and tensors: inline, or by name in the file of weights. */

static void
note_missing (SymSymscopeReader *self, const char *name)
{
  if (self->n_missing == 0)
    self->first_missing = g_strdup (name);
  self->n_missing++;
}

static gboolean
read_tensor (SymSymscopeReader *self, guint token, SymTensor **tensor, GError **error)
{
  g_autofree char *name = sym_json_dup_string (self->json, token);
  SymTensor *found;

  if (sym_json_get_kind (self->json, token) == SYM_JSON_OBJECT)
    {
      *tensor = sym_symscope_read_tensor (self->json, token, error);
      return *tensor != NULL;
    }
  if (name == NULL)
    return sym_json_fail (self->json, token, error,
                          "'tensor' must be a name in the weights, or an object");

  found = self->weights == NULL ? NULL : sym_store_tensors_find (self->weights, name);
  if (found != NULL)
    *tensor = sym_tensor_ref (found);
  else
    note_missing (self, name);
  return TRUE;
}

static gboolean
read_shared (SymSymscopeReader *self,
             guint token,
             SymParameter **parameter,
             SymProblems *problems,
             GError **error)
{
  g_autofree char *key = sym_json_dup_string (self->json, token);
  SymParameter *found;

  if (key == NULL)
    return sym_json_expect (self->json, token, SYM_JSON_STRING, "parameter", error);
  found = g_hash_table_lookup (self->parameters, key);
  if (found == NULL)
    sym_problems_add (problems, SYM_SEVERITY_ERROR, sym_json_get_line (self->json, token),
                      SYM_NO_ID, SYM_NO_ID, "'%s' is not among the parameters", key);
  else
    *parameter = sym_parameter_ref (found);
  return TRUE;
}

gboolean
sym_symscope_read_data (SymSymscopeReader *self,
                        guint object,
                        gboolean is_trainable,
                        SymParameter **parameter,
                        SymTensor **tensor,
                        SymProblems *problems,
                        GError **error)
{
  guint shared = sym_json_get_member (self->json, object, "parameter");
  guint trainable = sym_json_get_member (self->json, object, "trainable");
  guint token = sym_json_get_member (self->json, object, "tensor");

  if (shared != SYM_JSON_NONE)
    return read_shared (self, shared, parameter, problems, error);
  if (trainable != SYM_JSON_NONE && !sym_json_get_bool (self->json, trainable, &is_trainable))
    return sym_json_fail (self->json, trainable, error, "'trainable' must be true or false");
  if (token != SYM_JSON_NONE && !read_tensor (self, token, tensor, error))
    return FALSE;

  if (trainable != SYM_JSON_NONE)
    *parameter = sym_parameter_new (is_trainable, *tensor);
  return TRUE;
}

gboolean
sym_symscope_read_parameters (SymSymscopeReader *self, GError **error)
{
  guint table = sym_json_get_member (self->json, 0, "parameters");

  if (table != SYM_JSON_NONE &&
      !sym_json_expect (self->json, table, SYM_JSON_OBJECT, "parameters", error))
    return FALSE;
  for (SymJsonIter i = sym_json_iterate (self->json, table); sym_json_iter_next (self->json, &i);)
    {
      SymParameter *parameter = NULL;
      g_autoptr (SymTensor) tensor = NULL;
      guint n_missing = self->n_missing;

      if (!sym_json_expect (self->json, i.value, SYM_JSON_OBJECT, "parameter", error) ||
          !sym_symscope_read_data (self, i.value, TRUE, &parameter, &tensor, self->problems, error))
        return FALSE;
      if (parameter == NULL)
        parameter = sym_parameter_new (TRUE, tensor);
      if (self->n_missing > n_missing)
        g_hash_table_add (self->without, sym_parameter_ref (parameter));
      g_hash_table_replace (self->parameters, sym_json_dup_string (self->json, i.key), parameter);
    }
  return TRUE;
}
