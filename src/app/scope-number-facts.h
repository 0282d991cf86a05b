/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-section.h"
#include "app/scope-value.h"

G_BEGIN_DECLS

/* Adds what is told of the numbers of a value: statistics (NULL: not there yet), time of its layer,
 * turn of its loop, shape. */
void scope_number_facts_add (ScopeSection *self,
                             SymModel *model,
                             SymRecord *record,
                             const ScopeValue *shown,
                             const SymStatistics *statistics);

G_END_DECLS
