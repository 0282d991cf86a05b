/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-compare.h"
#include "run/sym-reference.h"

#include <stdio.h>

/* ---- Feeding ---- */

static gboolean
is_fed (const SymCliFeeds *feeds, SymId value)
{
  for (guint i = 0; i < feeds->feeds->len; i++)
    if (g_array_index (feeds->feeds, SymCliFeed, i).value == value)
      return TRUE;
  return FALSE;
}

static gboolean
is_input (SymModel *model, SymId value)
{
  return sym_ids_contain (sym_model_get_inputs (model), value);
}

/* What the numbers have of the inputs, unless something else was asked for. */
static gboolean
feed_inputs (SymCliFeeds *feeds, const SymReference *reference, GError **error)
{
  for (guint i = 0; i < sym_reference_get_n_found (reference); i++)
    {
      const SymReferenceEntry *entry = sym_reference_get (reference, i);
      SymCliFeed feed = { .value = entry->value };

      if (entry->is_again || !is_input (sym_reference_get_model (reference), entry->value) ||
          is_fed (feeds, entry->value))
        continue;
      feed.datum = sym_datum_new_read (entry->tensor, error);
      if (feed.datum == NULL)
        return FALSE;
      g_array_append_val (feeds->feeds, feed);
    }
  return TRUE;
}

static SymRecord *
run (SymCliArguments *arguments,
     SymModel *model,
     guint place,
     const SymReference *reference,
     gboolean feeds_inputs,
     GError **error)
{
  g_autoptr (SymCliFeeds) wishes = sym_cli_feeds_new (arguments, model, error);
  g_autoptr (SymInference) types = NULL;
  g_autoptr (GArray) feeds = NULL;

  if (wishes == NULL || (feeds_inputs && !feed_inputs (wishes, reference, error)))
    return NULL;
  types = sym_cli_feeds_infer (wishes, arguments, model, error);
  feeds = types != NULL ? sym_cli_feeds_make (wishes, types, TRUE, error) : NULL;
  return feeds != NULL
             ? sym_cli_compare_run (arguments, wishes, types, feeds,
                                    sym_cli_arguments_get_operand (arguments, place), error)
             : NULL;
}

/* ---- Telling ---- */

/* NULL where there is nothing to be said. */
static char *
make_note (const SymReference *reference,
           guint i,
           const SymFinding *finding,
           const SymRecord *record)
{
  g_autofree char *expected = sym_reference_format_expected (reference, i);
  g_autofree char *actual = sym_reference_format_actual (reference, i, record);

  switch (finding->kind)
    {
    case SYM_FINDING_DTYPE:
    case SYM_FINDING_SHAPE:
    case SYM_FINDING_NO_NUMBERS:
      return g_strdup_printf ("is %s and was %s", actual != NULL ? actual : "no tensor", expected);
    case SYM_FINDING_NOT_COMPUTED:
      return g_strdup ("is nothing that the run computed");
    case SYM_FINDING_AGAIN:
      return g_strdup_printf ("as “%s” once more, which does not count",
                              sym_reference_get (reference, i)->name);
    case SYM_FINDING_MEASURED:
    case SYM_FINDING_UNKNOWN:
      break;
    }
  return NULL;
}

static void
take (SymCliCompared *self,
      const SymReference *reference,
      const SymRecord *record,
      const SymFinding *findings)
{
  for (guint i = 0; i < sym_reference_get_n (reference); i++)
    {
      const SymReferenceEntry *entry = sym_reference_get (reference, i);

      if (findings[i].kind == SYM_FINDING_UNKNOWN)
        g_ptr_array_add (self->missing, g_strdup (entry->name));
      else
        sym_cli_compared_add (
            self, entry->value, entry->name, &findings[i].distance,
            sym_finding_exceeds (&findings[i], self->tolerances[0], self->tolerances[1]),
            make_note (reference, i, &findings[i], record));
    }
}

SymCliCompared *
sym_cli_compare_numbers (SymCliArguments *arguments,
                         SymModel *model,
                         guint place,
                         const SymNumbers *numbers,
                         const double tolerances[2],
                         GError **error)
{
  g_autoptr (SymReference) reference =
      sym_reference_new (model, sym_numbers_get_names (numbers), sym_numbers_get_tensors (numbers),
                         sym_numbers_get_n (numbers), sym_numbers_has_dtypes (numbers));
  g_autofree SymFinding *findings = g_new0 (SymFinding, sym_numbers_get_n (numbers) + 1);
  g_autoptr (SymRecord) record =
      run (arguments, model, place, reference, sym_numbers_has_dtypes (numbers), error);
  SymCliCompared *self;

  if (record == NULL || !sym_reference_measure (reference, record, findings, NULL, error))
    return NULL;
  for (const char *const *text = sym_numbers_get_skipped (numbers); *text != NULL; text++)
    fprintf (stderr, "symscope: %s: note: %s\n",
             sym_cli_arguments_get_operand (arguments, 1 - place), *text);
  self = sym_cli_compared_new (model, tolerances);
  take (self, reference, record, findings);
  return self;
}
