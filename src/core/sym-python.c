/* SPDX-License-Identifier: MIT */
#include "core/sym-python.h"

#include "core/sym-text.h"

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

void
sym_type_append_symbolic (const SymType *self, const SymTerms *terms, GString *out)
{
  if (self->kind != SYM_KIND_TENSOR || self->shape.rank < 0)
    {
      g_string_append (out, self->kind != SYM_KIND_TENSOR ? sym_type_get_python_name (self) : "?");
      return;
    }

  g_string_append_c (out, '(');
  for (int i = 0; i < self->shape.rank; i++)
    {
      if (i > 0)
        sym_text_append (out, ", ", 2);
      if (!sym_terms_append (terms, self->shape.dims[i], out))
        g_string_append (out, "None");
    }
  if (self->shape.rank == 1)
    g_string_append_c (out, ',');
  g_string_append_c (out, ')');
}

char *
sym_type_format_symbolic (const SymType *self, const SymTerms *terms)
{
  GString *text = g_string_new (NULL);

  sym_type_append_symbolic (self, terms, text);
  return g_string_free (text, FALSE);
}
