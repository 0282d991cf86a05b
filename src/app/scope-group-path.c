/* SPDX-License-Identifier: MIT */
#include "app/scope-group-path.h"

#include <glib/gi18n.h>

#include "app/scope-cut.h"

static void
add (ScopeSection *section, const SymGroup *what, guint group)
{
  g_autofree char *count = scope_format_count (what->n_calls);
  /* Translators: %s is a number, such as 1,234 */
  g_autofree char *text =
      g_strdup_printf (ngettext ("%s layer", "%s layers", what->n_calls), count);

  scope_fact_set_group (scope_section_add (section, what->name, NULL, text), group);
}

void
scope_group_path_show (ScopeSection *section, SymGroups *groups, guint innermost)
{
  guint n = 0;

  g_return_if_fail (SCOPE_IS_SECTION (section));
  g_return_if_fail (groups != NULL || innermost == SYM_NO_GROUP);

  scope_section_clear (section);
  for (guint group = innermost; group != SYM_NO_GROUP; n++)
    {
      const SymGroup *what = sym_groups_get (groups, group);

      if (n < SCOPE_SECTION_MAX)
        add (section, what, group);
      group = what->parent;
    }
  scope_section_add_rest (section, n);
}
