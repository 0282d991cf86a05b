/* SPDX-License-Identifier: MIT */
#include "io/sym-io-lost.h"

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

static gboolean
is_unused_parameter (const SymModel *model, SymId value)
{
  return sym_model_has_value (model, value) && sym_model_get_producer (model, value) == SYM_NO_ID &&
         !sym_role_is_data (sym_model_get_role (model, value)) &&
         sym_model_get_consumers (model, value).n == 0;
}

void
sym_io_note_unused (const SymModel *model, SymProblems *notes)
{
  SymIds outputs = sym_model_get_outputs (model);
  g_autoptr (GHashTable) given = g_hash_table_new (NULL, NULL);
  g_autoptr (GString) told = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < outputs.n; i++)
    g_hash_table_add (given, GUINT_TO_POINTER (outputs.ids[i]));
  for (SymId value = 0; notes != NULL && value < sym_model_get_n_values (model); value++)
    if (is_unused_parameter (model, value) &&
        !g_hash_table_contains (given, GUINT_TO_POINTER (value)) && n++ < MOST_TOLD)
      g_string_append_printf (told, "%s“%s”", n == 1 ? "" : ", ",
                              sym_model_get_value_name (model, value));
  if (n > MOST_TOLD)
    g_string_append_printf (told, " and %u more", n - MOST_TOLD);
  if (n > 0)
    sym_problems_add (notes, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID,
                      "parameters that no layer uses are left out: %s", told->str);
}

void
sym_io_note_tensors (guint n_tensors, SymProblems *notes)
{
  if (n_tensors > 0 && notes != NULL)
    sym_problems_add (notes, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID,
                      "%u tensors are left out: standard output has no place for weights",
                      n_tensors);
}
