/* SPDX-License-Identifier: MIT */
#include "io/sym-net.h"

#include "core/sym-problem-lack.h"
#include "io/sym-told.h"

void
sym_net_warn (SymNet *self, guint token, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  sym_problems_add (sym_model_builder_get_problems (sym_net_get_builder (self)),
                    SYM_SEVERITY_WARNING, sym_net_get_line (self, token), SYM_NO_ID, SYM_NO_ID,
                    "%s", message);
}

void
sym_net_warn_of_lack (SymNet *self, guint token, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  sym_problems_add_lack (sym_model_builder_get_problems (sym_net_get_builder (self)),
                         SYM_SEVERITY_WARNING, sym_net_get_line (self, token), "%s", message);
}

void
sym_net_compare_types (SymNet *self,
                       guint token,
                       const char *key,
                       const SymType *here,
                       const SymType *other,
                       gboolean made)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  if (other == NULL || sym_told_agree (here, other))
    return;
  first = sym_told_format (here);
  second = sym_told_format (other);
  sym_net_warn (self, token, "the tensor “%s” is %s here, but %s where it is %s", key, first,
                second, made ? "made" : "used first");
}
