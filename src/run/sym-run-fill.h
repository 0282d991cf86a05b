/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-datum.h"
#include "core/sym-infer.h"

G_BEGIN_DECLS

/* What an input can be fed with when there is no file for it. */
typedef enum {
  SYM_RUN_FILL_ZEROS,
  SYM_RUN_FILL_ONES,
  SYM_RUN_FILL_RANDOM, /* floats from 0 to 1, integers from 0 on, either bool */
  SYM_RUN_FILL_ARANGE, /* 0, 1, 2, ... in row major order; wrapped around where the dtype ends */
} SymRunFill;

/* Finds the one called "zeros", "ones", "random" or "arange"; FALSE when there is none. */
gboolean sym_run_fill_from_string (const char *name, SymRunFill *fill);

/* Random integers are below this. */
#define SYM_RUN_FILL_LIMIT 10

/* Below what random integers for @value must be: the limit above, or less where they pick from
 * something shorter, as those of a Gather or an embedding of any dialect do, perhaps cast, reshaped
 * or handed to the model that a layer is. */
guint sym_run_fill_find_limit (const SymInference *inference, SymId value);

/* The same @seed gives the same numbers on every machine.  Strings are empty, whatever @fill is.
 * Random integers are below @limit, or the one above.  NULL with SYM_ERROR_LIMIT when it cannot be
 * held. */
SymDatum *sym_run_fill_below (SymRunFill fill,
                              SymDType dtype,
                              const SymShape *shape,
                              guint64 seed,
                              guint limit,
                              GError **error);

/* The same for a value of @type, whose dtype is float32 when nobody knows it.  A sequence gets two
 * such tensors, an optional one; sizes of theirs that nobody knows are 1.  SYM_ERROR_UNDECIDED when
 * the shape is not known, SYM_ERROR_UNSUPPORTED for what is no tensor and holds none. */
SymDatum *
sym_run_fill_type (SymRunFill fill, const SymType *type, guint64 seed, guint limit, GError **error);
SymDatum *
sym_run_fill (SymRunFill fill, SymDType dtype, const SymShape *shape, guint64 seed, GError **error);

G_END_DECLS
