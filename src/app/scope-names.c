/* SPDX-License-Identifier: MIT */
#include "app/scope-names.h"

#include "core/sym-extract.h"

/* What else may name a value, such as its layer, is not meant. */
SymId
scope_names_find_value (SymModel *model, const char *name)
{
  SymId value = SYM_NO_ID;

  if (name == NULL || *name == '\0' || !sym_model_resolve (model, name, &value, NULL) ||
      g_strcmp0 (sym_model_get_unique_name (model, value), name) != 0)
    return SYM_NO_ID;
  return value;
}

SymId
scope_names_find_call (SymModel *model, const char *name)
{
  SymId value = scope_names_find_value (model, name);

  return value != SYM_NO_ID ? sym_model_get_producer (model, value) : SYM_NO_ID;
}

const char *
scope_names_get_call (SymModel *model, SymId call)
{
  SymId result = sym_model_get_first_result (model, call);

  return result != SYM_NO_ID ? sym_model_get_unique_name (model, result) : NULL;
}
