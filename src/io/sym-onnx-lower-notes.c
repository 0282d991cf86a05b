/* SPDX-License-Identifier: MIT */
#include "io/sym-io-lost.h"
#include "io/sym-onnx-lower-private.h"

#define MAX_NAMED 3

/* What is told of layers that are written in others. */

void
sym_onnx_lower_add_name (GString *names, guint n, const char *name)
{
  if (n <= MAX_NAMED)
    g_string_append_printf (names, "%s“%s”", names->len == 0 ? "" : ", ", name);
}

static void
end_names (GString *names, guint n)
{
  if (n > MAX_NAMED)
    g_string_append_printf (names, " and %u more", n - MAX_NAMED);
}

static void
tell_taken (const char *taken, SymProblems *notes)
{
  if (taken != NULL)
    sym_problems_add (notes, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                      "the layers are written for one size; those that nobody told are 1: %s",
                      taken);
}

void
sym_onnx_lower_blame_taken (const char *taken, GError **error)
{
  g_autofree char *told = NULL;

  if (taken == NULL || error == NULL || *error == NULL)
    return;
  told = g_strdup_printf ("%s; sizes that nobody told are 1 (%s): give the inputs their shapes",
                          (*error)->message, taken);
  g_free ((*error)->message);
  (*error)->message = g_steal_pointer (&told);
}

static void
tell_unused (const SymOnnxLowering *self, SymProblems *notes)
{
  SymIds inputs = sym_model_get_inputs (self->main);

  for (guint i = 0; i < inputs.n; i++)
    if (g_array_index (self->inputs, SymId, i) == SYM_NO_ID)
      sym_problems_add (notes, SYM_SEVERITY_NOTE, 0, inputs.ids[i], SYM_NO_ID,
                        "the input “%s” is left out: no result needs it",
                        sym_model_get_value_name (self->main, inputs.ids[i]));
}

static void
tell_left_out (const SymOnnxLowering *self, SymProblems *notes)
{
  if (self->n_left_out == 0)
    return;
  end_names (self->left_out, self->n_left_out);
  sym_problems_add (notes, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID,
                    "layers that no output needs are left out: %s", self->left_out->str);
}

static void
tell_unset (const SymOnnxLowering *self, SymProblems *notes)
{
  guint n = self->unset_values->len;

  if (n == 0)
    return;
  end_names (self->unset, n);
  sym_problems_add (notes, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                    "parameters without numbers are inputs: %s", self->unset->str);
}

void
sym_onnx_lower_tell (const SymOnnxLowering *self, const char *taken, SymProblems *notes)
{
  tell_taken (taken, notes);
  tell_unused (self, notes);
  sym_io_note_unused (self->main, notes);
  tell_left_out (self, notes);
  tell_unset (self, notes);
}
