/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-value.h"
#include "io/sym-json.h"

G_BEGIN_DECLS

/* What is no container as a constant: null (and nothing at all), true, numbers, strings; NULL for
 * an array and an object. */
SymValue *sym_json_read_scalar (const SymJson *json, guint token);

G_END_DECLS
