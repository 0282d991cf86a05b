/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-tensor.h"

G_BEGIN_DECLS

/* Whether there is one reference to it. */
gboolean sym_parameter_has_one_holder (const SymParameter *self);

G_END_DECLS
