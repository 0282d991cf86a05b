/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/sym-cli-model.h"
#include "core/sym-extract.h"
#include "run/sym-run-fill.h"
#include "run/sym-session.h"

G_BEGIN_DECLS

/* Parts of `symscope run`. */

/* What one value is fed with: numbers of a file, or else made up as @fill says. */
typedef struct {
  SymId value;
  SymDatum *datum; /* or NULL */
  SymRunFill fill;
} SymCliFeed;

/* What `--input`, `--data` and `--seed` say (sym-cli-run-inputs.c).  Files are read at once. */
typedef struct {
  GArray *feeds; /* of SymCliFeed */
  guint64 seed;
} SymCliFeeds;

SymCliFeeds *sym_cli_feeds_new (SymCliArguments *arguments, SymModel *model, GError **error);
void sym_cli_feeds_free (SymCliFeeds *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymCliFeeds, sym_cli_feeds_free)

/* What `--threads` says, 1 when it says nothing. */
gboolean sym_cli_get_threads (const SymCliArguments *arguments, guint *n_threads, GError **error);

/* Types of all values with what is given, `--shape` and `--dtype` included.  Sizes of inputs that
 * are not told are 1, which a note on standard error says. */
SymInference *sym_cli_feeds_infer (const SymCliFeeds *self,
                                   SymCliArguments *arguments,
                                   SymModel *model,
                                   GError **error);

/* What is given, and random numbers for other inputs that an output needs, or all of them with
 * @everything: an array of SymFeed, which holds its numbers; the caller's. */
GArray *sym_cli_feeds_make (const SymCliFeeds *self,
                            const SymInference *inference,
                            gboolean everything,
                            GError **error);

/* Feeds what is given, and random numbers to other inputs that an output needs, or all of them with
 * @everything. */
gboolean sym_cli_feeds_apply (const SymCliFeeds *self,
                              SymSession *session,
                              const SymInference *inference,
                              gboolean everything,
                              GError **error);

/* Test data (sym-cli-run-data.c): the files input_0, input_1, ... of @folder, .pb or .npy, feed the
 * inputs in order, or those that they name where all name one; the outputs must be those of
 * output_0, ... in the folder of `--data`. */
gboolean sym_cli_read_data (const char *folder, SymModel *model, GArray *feeds, GError **error);
/* What `--rtol` and `--atol` say, 1e-3 and 1e-7 when they say nothing. */
gboolean
sym_cli_get_tolerances (const SymCliArguments *arguments, double tolerances[2], GError **error);

/* What can be told of `--data`, `--rtol` and `--atol` before anything runs. */
gboolean sym_cli_check_data (SymCliArguments *arguments, const SymModel *model, GError **error);
gboolean sym_cli_compare_data (SymCliArguments *arguments,
                               const SymRun *run,
                               const SymInference *inference,
                               GError **error);

/* Statistics of values as they are computed (sym-cli-run-statistics.c), printed as one JSON array.
 */
typedef struct _SymCliStatistics SymCliStatistics;

SymCliStatistics *sym_cli_statistics_new (SymSession *session);
void sym_cli_statistics_free (SymCliStatistics *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymCliStatistics, sym_cli_statistics_free)

/* Prints what was gathered in the runs since. */
gboolean sym_cli_statistics_print (SymCliStatistics *self, GError **error);

/* Writes the outputs as `.npy` into the folder @path, which is made if need be, and a manifest.json
 * from their names to the files (sym-cli-run-write.c). */
gboolean sym_cli_write_outputs (const SymRun *run, const char *path, GError **error);

G_END_DECLS
