/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/sym-cli-model.h"
#include "core/sym-extract.h"
#include "run/sym-run.h"

G_BEGIN_DECLS

/* Parts of `symscope run`. */

/* Feeds every input that @run needs (sym-cli-run-inputs.c): what `--input` says, a file or numbers
 * made up, and random numbers otherwise.  Shapes are those that were inferred. */
gboolean sym_cli_feed_inputs (SymCliArguments *arguments,
                              SymRun *run,
                              const SymInference *inference,
                              GError **error);

/* Test data (sym-cli-run-data.c): the files input_0, input_1, ... of @folder, .pb or .npy, are fed
 * to the inputs in order; the outputs must be those of output_0, ... in the folder of `--data`. */
gboolean
sym_cli_feed_data (const char *folder, SymRun *run, const SymInference *inference, GError **error);
gboolean sym_cli_compare_data (SymCliArguments *arguments,
                               const SymRun *run,
                               const SymInference *inference,
                               GError **error);

/* Statistics of values as they are computed (sym-cli-run-statistics.c), printed as one JSON array.
 */
typedef struct _SymCliStatistics SymCliStatistics;

SymCliStatistics *sym_cli_statistics_new (SymRun *run);
void sym_cli_statistics_free (SymCliStatistics *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymCliStatistics, sym_cli_statistics_free)

/* Prints what was gathered in the runs since. */
gboolean sym_cli_statistics_print (SymCliStatistics *self, GError **error);

/* Writes the outputs as `.npy` into the folder @path, which is made if need be, and a manifest.json
 * from their names to the files (sym-cli-run-write.c). */
gboolean sym_cli_write_outputs (const SymRun *run, const char *path, GError **error);

G_END_DECLS
