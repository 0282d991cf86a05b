/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/sym-cli-model.h"
#include "query/sym-summary-view.h"

G_BEGIN_DECLS

/* What `summary` was told of columns, order, filter and tree. */
typedef struct _SymCliView SymCliView;

/* In *@view, or NULL there when nothing of that was told.  FALSE with SYM_CLI_ERROR_USAGE. */
gboolean sym_cli_view_read (const SymCliArguments *arguments, SymCliView **view, GError **error);
void sym_cli_view_free (SymCliView *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymCliView, sym_cli_view_free)

gboolean sym_cli_view_print (SymCliView *self, SymSummary *summary, GError **error);

G_END_DECLS
