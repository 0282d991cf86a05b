/* SPDX-License-Identifier: MIT */
#include "app/scope-number-facts.h"

#include <glib/gi18n.h>

#include "app/scope-text.h"

static void
add_number (ScopeSection *facts, const char *title, double number)
{
  g_autofree char *text = scope_text_number (number);

  scope_section_add (facts, title, NULL, text);
}

static void
add_count (ScopeSection *facts, const char *title, guint64 n, guint64 n_all)
{
  g_autofree char *count = scope_format_count (n);
  g_autofree char *text =
      n == 0 || n_all == 0
          ? g_strdup (count)
          : g_strdup_printf ("%s · %.3g %%", count, 100 * (double) n / (double) n_all);

  scope_section_add (facts, title, NULL, text);
}

static void
add_shape (ScopeSection *facts, const ScopeValue *shown)
{
  SymType type = scope_value_get_type (shown);
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < type.shape.rank; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "×" : "", type.shape.dims[i]);
  scope_section_add (facts, _ ("Shape"), sym_dtype_to_string (type.dtype),
                     type.shape.rank == 0 ? _ ("scalar") : text->str);
}

/* What has no step is its first operand in memory. */
static char *
name_view (SymModel *model, SymId maker)
{
  SymIds operands = sym_model_get_operands (model, maker);

  if (operands.n == 0 || operands.ids[0] == SYM_NO_ID)
    return g_strdup (_ ("nothing to compute"));
  return g_strdup_printf (_ ("nothing to compute: “%s” in memory, as it is"),
                          scope_text_name (model, operands.ids[0]));
}

static void
add_time (ScopeSection *facts, SymModel *model, SymRecord *record, const ScopeValue *shown)
{
  SymId maker = shown->record != NULL ? sym_model_get_producer (model, shown->value) : SYM_NO_ID;
  SymRecordTime kind =
      maker != SYM_NO_ID ? sym_record_get_time_kind (record, maker) : SYM_RECORD_TIME_NONE;
  g_autofree char *text = NULL, *why = NULL;

  if (kind == SYM_RECORD_TIME_NONE)
    return;
  if (kind == SYM_RECORD_TIME_OWN)
    text = scope_text_milliseconds (sym_record_get_milliseconds (record, maker));
  if (kind == SYM_RECORD_TIME_PLANNED)
    why = g_strdup (_ ("computed once, while planning"));
  if (kind == SYM_RECORD_TIME_VIEW)
    why = name_view (model, maker);
  scope_section_add (facts, _ ("Time"), why, text != NULL ? text : _ ("none"));
}

/* Of what runs again and again only the last time is known. */
static void
add_turn (ScopeSection *facts, SymRecord *record, const ScopeValue *shown)
{
  guint n = shown->record != NULL ? sym_record_get_n_turns (record) : 0;

  if (n > 1)
    {
      /* Translators: of how many turns of a loop these numbers are the last. */
      g_autofree char *text = g_strdup_printf (_ ("last of %u"), n);

      scope_section_add (facts, _ ("Turn"), NULL, text);
    }
}

void
scope_number_facts_add (ScopeSection *self,
                        SymModel *model,
                        SymRecord *record,
                        const ScopeValue *shown,
                        const SymStatistics *statistics)
{
  if (statistics != NULL && statistics->n_elements > statistics->n_nan + statistics->n_infinite)
    {
      add_number (self, _ ("Minimum"), statistics->min);
      add_number (self, _ ("Maximum"), statistics->max);
      add_number (self, _ ("Mean"), statistics->mean);
      add_number (self, _ ("Standard deviation"), statistics->std);
    }
  if (statistics != NULL)
    {
      add_count (self, _ ("Zeros"), statistics->n_zeros, statistics->n_elements);
      add_count (self, _ ("NaN"), statistics->n_nan, statistics->n_elements);
      add_count (self, _ ("Infinite"), statistics->n_infinite, statistics->n_elements);
    }
  add_time (self, model, record, shown);
  add_turn (self, record, shown);
  add_shape (self, shown);
}
