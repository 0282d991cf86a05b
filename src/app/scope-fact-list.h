/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/sym-infer.h"

G_BEGIN_DECLS

/* Lists of facts (of ScopeFact), each with a heading of its own. */

#define SCOPE_FACT_LIST_MAX 100 /* rows; more would be neither read nor quick to build */

void scope_fact_list_clear (GtkWidget *list);

/* @subtitle and @text may be NULL. */
GtkWidget *scope_fact_list_add (GtkWidget *list,
                                const char *title,
                                const char *subtitle,
                                const char *text);

/* A link to a value, with its layer and its shape. */
void scope_fact_list_add_link (GtkWidget *list, SymInference *inference, SymId value);

/* Links to the first of the values, and how many more there are. */
void scope_fact_list_add_links (GtkWidget *list, SymInference *inference, SymIds values);

/* "and 12 more" of @n, when that is too many. */
void scope_fact_list_add_rest (GtkWidget *list, guint n);

/* A list without rows has no heading either. */
void scope_fact_list_finish (GtkWidget *list, GtkWidget *heading);

G_END_DECLS
