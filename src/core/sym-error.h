/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What went wrong in core, by what a caller can do about it.  The message names the node, the layer
 * and the shapes, and says what would be right. */
#define SYM_ERROR (sym_error_quark ())

typedef enum {
  SYM_ERROR_ARGUMENT,       /* the request itself is wrong */
  SYM_ERROR_SHAPE,          /* shapes or dtypes contradict each other */
  SYM_ERROR_FOREIGN_PARENT, /* a sub-model needs a value from outside of it */
  SYM_ERROR_CYCLE,          /* the selected part of the graph is no DAG */
  SYM_ERROR_NOT_FOUND,      /* no such node, layer or attribute */
  SYM_ERROR_AMBIGUOUS,      /* several things have that name */
  SYM_ERROR_NAME,           /* a name that is empty, taken or badly spelled */
  SYM_ERROR_UNSUPPORTED,    /* known to be missing here, and named */
  SYM_ERROR_LIMIT,          /* a size, depth or rank beyond what is accepted */
  SYM_ERROR_UNDECIDED,      /* shapes are still unknown where they were asked for */
} SymError;

GQuark sym_error_quark (void);

/* FALSE, as what a function that fails returns.  Messages with arguments are set by functions that
 * the compiler cannot look into, so it would doubt what they return, and warn of all that the
 * caller has not set then; macros such as sym_rule_fail() tell it. */
static inline gboolean
sym_failed (void)
{
  return FALSE;
}

G_END_DECLS
