/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/sym-cli-run.h"
#include "io/sym-numbers.h"
#include "run/sym-record.h"
#include "run/sym-run-distance.h"

G_BEGIN_DECLS

/* Parts of `symscope compare`. */

/* A value of the graph that ran, and how far it is from what it should be. */
typedef struct {
  SymId value;
  char *before; /* what it is called on the other side */
  SymDistance distance;
  gboolean is_beyond;
  char *note; /* NULL: nothing is to be said */
} SymCliComparedRow;

typedef struct {
  SymModel *model;      /* that the values are of */
  double tolerances[2]; /* relative, absolute */
  GArray *rows;         /* of SymCliComparedRow, in order of execution */
  GPtrArray *missing;   /* names of the other side that have no value */
  guint n_known, n_beyond, first_beyond;
} SymCliCompared;

SymCliCompared *sym_cli_compared_new (SymModel *model, const double tolerances[2]);
void sym_cli_compared_free (SymCliCompared *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymCliCompared, sym_cli_compared_free)

/* @note is taken. */
void sym_cli_compared_add (SymCliCompared *self,
                           SymId value,
                           const char *before,
                           const SymDistance *distance,
                           gboolean is_beyond,
                           char *note);

/* FALSE when nothing could be compared, or it cannot be written. */
gboolean
sym_cli_compared_print (const SymCliCompared *self, SymCliArguments *arguments, GError **error);

/* Runs a graph; what did not run is told on standard error. */
SymRecord *sym_cli_compare_run (const SymCliArguments *arguments,
                                const SymCliFeeds *wishes,
                                SymInference *types,
                                const GArray *feeds,
                                const char *path,
                                GError **error);

/* Compares @model, operand @place, with numbers of a file, which also feed the inputs that they
 * have and `--input` has not.  NULL with an error. */
SymCliCompared *sym_cli_compare_numbers (SymCliArguments *arguments,
                                         SymModel *model,
                                         guint place,
                                         const SymNumbers *numbers,
                                         const double tolerances[2],
                                         GError **error);

G_END_DECLS
