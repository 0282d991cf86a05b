/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"

G_BEGIN_DECLS

/* A note for each type of layers that are opaque: nobody here knows them, and what they make is as
 * the file says.  Each sits at the first call of such a layer, or of the one in whose body it lies;
 * those of types beyond the first 16 are counted.  There is no note where nothing at all is known,
 * as of a drawing. */
SymProblems *sym_model_tell_opaque (const SymModel *model);

G_END_DECLS
