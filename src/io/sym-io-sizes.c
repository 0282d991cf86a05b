/* SPDX-License-Identifier: MIT */
#include "io/sym-io-sizes.h"

#include "core/sym-terms.h"

#define MOST_TOLD 5

static void
add_names (const SymModel *model, SymId input, GPtrArray *names)
{
  SymType type = sym_model_get_declared_type (model, input);

  for (int i = 0; i < type.shape.rank; i++)
    {
      g_autofree char *name =
          type.shape.dims[i] >= 0 || type.shape.dims[i] == SYM_DIM_UNKNOWN
              ? NULL
              : sym_terms_format (sym_model_get_terms (model), type.shape.dims[i]);

      if (name != NULL && !g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
        g_ptr_array_add (names, g_steal_pointer (&name));
    }
}

void
sym_io_note_sizes (const SymModel *model, const char *target, SymProblems *notes)
{
  SymIds inputs = sym_model_get_inputs (model);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) told = g_string_new (NULL);

  for (guint i = 0; notes != NULL && i < inputs.n && names->len <= MOST_TOLD; i++)
    add_names (model, inputs.ids[i], names);
  if (names->len == 0)
    return;
  for (guint i = 0; i < MIN (names->len, MOST_TOLD); i++)
    g_string_append_printf (told, "%s%s", i == 0 ? "" : ", ", (char *) names->pdata[i]);
  sym_problems_add (notes, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID,
                    "%s has no names of sizes, so these are lost: %s%s", target, told->str,
                    names->len > MOST_TOLD ? ", ..." : "");
}
