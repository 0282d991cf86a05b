/* SPDX-License-Identifier: MIT */
#include "app/scope-changes.h"

#include <glib/gi18n.h>

#include "app/scope-text.h"

static void
add_differences (ScopeSection *section,
                 const ScopeComparison *comparison,
                 const SymCompareEntry *entry)
{
  const SymCompare *compare = scope_comparison_get_compare (comparison);

  for (guint i = 0; i < MIN (entry->n, SCOPE_SECTION_MAX); i++)
    {
      const SymDifference *difference = sym_compare_get_difference (compare, entry->first + i);
      g_autofree char *text =
          g_strdup_printf ("%s → %s", difference->before != NULL ? difference->before : _ ("none"),
                           difference->after != NULL ? difference->after : _ ("none"));

      scope_section_add (section, difference->what, NULL, text);
    }
  scope_section_add_rest (section, entry->n);
}

/* The name that it has had, where that is another one. */
static void
add_name (ScopeSection *section, const ScopeComparison *comparison, const SymCompareEntry *entry)
{
  SymModel *other = sym_inference_get_model (scope_comparison_get_other (comparison));
  const char *before =
      entry->before != SYM_NO_ID ? sym_compare_name_call (other, entry->before) : NULL;

  if (before != NULL && !g_str_equal (before, scope_comparison_get_name (comparison, entry)))
    scope_section_add (section, _ ("Name before"), NULL, before);
}

static void
add_removed (ScopeSection *section, const ScopeComparison *comparison, SymId call)
{
  guint n = scope_comparison_get_n_steps (comparison), n_added = 0;

  if (!scope_comparison_is_gap (comparison, call))
    return;
  for (guint i = 0; i < n; i++)
    {
      SymCompareEntry entry = scope_comparison_get_step (comparison, i);
      SymId value, place;

      scope_comparison_get_place (comparison, i, &value, &place);
      if (entry.kind != SYM_COMPARE_REMOVED || place != call || n_added++ >= SCOPE_SECTION_MAX)
        continue;
      scope_section_add (section, _ ("Removed after it"),
                         scope_comparison_get_type (comparison, &entry),
                         scope_comparison_get_name (comparison, &entry));
    }
  scope_section_add_rest (section, n_added);
}

static const char *
tell_distance (ScopeDocument *document, SymId value, const SymDistance *distance)
{
  if (scope_distances_get_first (scope_document_get_distances (document)) == value)
    return _ ("the first that differ");
  return sym_distance_exceeds (distance, SCOPE_DISTANCE_RELATIVE, SCOPE_DISTANCE_ABSOLUTE)
             ? _ ("differ")
             : _ ("the same within 0.1 %");
}

/* Of the first result, once both graphs have run. */
static void
add_distance (ScopeSection *section, ScopeDocument *document, SymId call)
{
  const ScopeDistances *distances = scope_document_get_distances (document);
  SymId result = sym_model_get_first_result (scope_document_get_model (document), call);
  gboolean is_known = distances != NULL && result != SYM_NO_ID;
  const SymDistance *distance = is_known ? scope_distances_get (distances, result) : NULL;
  const char *note = is_known ? scope_distances_get_note (distances, result) : NULL;

  if (note != NULL)
    scope_section_add (section, _ ("Expected"), NULL, note);
  if (distance == NULL)
    return;
  g_autofree char *largest = scope_text_number (distance->max);
  g_autofree char *relative = scope_text_number (distance->relative * 100);
  g_autofree char *most =
      g_strdup_printf (_ ("%s, %s %% of the largest number"), largest, relative);
  g_autofree char *mean = scope_text_number (distance->mean);
  g_autofree char *cosine = scope_text_number (distance->cosine);

  scope_section_add (section, _ ("Numbers"), NULL, tell_distance (document, result, distance));
  scope_section_add (section, _ ("Largest difference"), NULL, most);
  scope_section_add (section, _ ("Mean difference"), NULL, mean);
  scope_section_add (section, _ ("Cosine similarity"), NULL, cosine);
  if (distance->n_odd > 0)
    {
      g_autofree char *odd = g_strdup_printf ("%" G_GUINT64_FORMAT, distance->n_odd);

      scope_section_add (section, _ ("NaN or infinite on one side"), NULL, odd);
    }
}

void
scope_changes_show (ScopeSection *section, ScopeDocument *document, SymId call)
{
  ScopeComparison *comparison = scope_document_get_comparison (document);
  SymCompareEntry entry;

  scope_section_clear (section);
  if (call != SYM_NO_ID && scope_document_get_expected (document) != NULL)
    add_distance (section, document, call);
  if (comparison == NULL || !scope_comparison_find (comparison, call, &entry))
    return;
  if (entry.kind != SYM_COMPARE_SAME)
    scope_section_add (section, _ ("Change"), NULL, scope_comparison_tell_kind (entry.kind));
  add_name (section, comparison, &entry);
  add_differences (section, comparison, &entry);
  add_removed (section, comparison, call);
  add_distance (section, document, call);
}
