/* SPDX-License-Identifier: MIT */
#include "core/sym-python.h"

const char *
sym_type_get_python_name (const SymType *self)
{
  switch (self->kind)
    {
    case SYM_KIND_TENSOR:
      return "Tensor";
    case SYM_KIND_SEQUENCE:
      return "list";
    case SYM_KIND_OPTIONAL:
      return "Optional";
    case SYM_KIND_TUPLE:
      return "tuple";
    case SYM_KIND_OPAQUE:
      return self->name == NULL ? "object" : self->name;
    case SYM_KIND_UNKNOWN:
    default:
      return "?";
    }
}

char *
sym_type_format_symbolic (const SymType *self, const SymTerms *terms)
{
  GString *text;

  if (self->kind != SYM_KIND_TENSOR)
    return g_strdup (sym_type_get_python_name (self));
  if (self->shape.rank < 0)
    return g_strdup ("?");

  text = g_string_new ("(");
  for (int i = 0; i < self->shape.rank; i++)
    {
      SymDim dim = self->shape.dims[i];
      g_autofree char *name = dim == SYM_DIM_UNKNOWN ? NULL : sym_terms_format (terms, dim);

      g_string_append_printf (text, "%s%s", i == 0 ? "" : ", ", name == NULL ? "None" : name);
    }
  g_string_append (text, self->shape.rank == 1 ? ",)" : ")");
  return g_string_free (text, FALSE);
}
