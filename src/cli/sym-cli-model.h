/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/sym-cli-json.h"
#include "cli/sym-cli.h"
#include "core/sym-summary.h"
#include "io/sym-io.h"
#include "query/sym-query.h"

G_BEGIN_DECLS

/* What subcommands have in common that look at a model. */

/* The options of all that infer types. */
#define SYM_CLI_TYPE_OPTIONS                                                   \
  { "shape", 0, "NAME=D,D,...",                                                \
    "shape of an input or parameter: numbers, names or ?; repeatable" },       \
      { "dtype", 0, "NAME=DTYPE",                                              \
        "dtype of an input or parameter: float32, int64, ...; repeatable" },   \
  {                                                                            \
    "weights", 0, "FILE", "weights to take in place of those beside the graph" \
  }

#define SYM_CLI_FORMAT_OPTION                                            \
  {                                                                      \
    "format", 0, "text|json", "for people (the default) or for programs" \
  }

/* ---- Reading (sym-cli-model.c) ---- */

/* Opens the operand FILE, with the weights that `--weights` names. */
SymModel *sym_cli_open_model (SymCliArguments *arguments, GError **error);

/* What `--shape` and `--dtype` say, with the texts that the overrides borrow. */
typedef struct {
  const SymModel *model;
  GArray *overrides; /* of SymOverride */
  GPtrArray *texts;  /* of char ** */
} SymCliWishes;

SymCliWishes *
sym_cli_wishes_new (const SymCliArguments *arguments, const SymModel *model, GError **error);
void sym_cli_wishes_free (SymCliWishes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymCliWishes, sym_cli_wishes_free)

/* Infers the types of a model from what `--shape` and `--dtype` say. */
SymInference *sym_cli_infer_model (SymCliArguments *arguments, SymModel *model, GError **error);

/* Both. */
SymInference *sym_cli_open_and_infer (SymCliArguments *arguments, GError **error);

/* The same for a command that writes no model: see sym_model_forget_origin(). */
SymInference *sym_cli_open_to_look (SymCliArguments *arguments, GError **error);

/* The same for what is written: a model that declares itself what was said. */
SymInference *sym_cli_open_and_declare (SymCliArguments *arguments, GError **error);

/* Keeps @inference until the process ends, and returns it.  NULL is allowed. */
SymInference *sym_cli_keep (SymInference *inference);

/* The value that a NODE names.  A name is taken as it stands, or else as one of a list. */
gboolean sym_cli_resolve (const SymModel *model, const char *text, SymId *value, GError **error);

/* The values that a list like `a,b\,c` names, appended to @values. */
gboolean
sym_cli_resolve_list (const SymModel *model, const char *list, GArray *values, GError **error);

/* Parameters and auxiliary values, in file order, as SymIds. */
GArray *sym_cli_collect_parameters (const SymModel *model);

/* A query that was given as a word: NULL with SYM_CLI_ERROR_USAGE, naming the column
 * (sym-cli-find.c). */
SymQuery *sym_cli_parse_query (const char *text, GError **error);

/* ---- Telling problems (sym-cli-problem.c) ---- */

/* A text on one line: control characters are blanks. */
char *sym_cli_fold_line (const char *message);

/* "SEVERITY: MESSAGE" on one line, whatever the names in it hold. */
char *sym_cli_format_problem (const SymProblem *problem);

/* Warns on standard error of errors that were found in FILE: for commands that make another file of
 * what could be read of it, without the rest. */
void sym_cli_warn_of_errors (const SymCliArguments *arguments, const SymModel *model);

/* ---- Writing (sym-cli-write.c) ---- */

/* The format that `--to` names, in *@format; NULL when it was not given.  FALSE with a usage error
 * when there is no such format that can be written. */
gboolean sym_cli_get_target_format (const SymCliArguments *arguments,
                                    const SymIoFormat **format,
                                    GError **error);

/* Writes @model to the file of `-o`, and tells on standard error what was lost. */
gboolean sym_cli_write (SymCliArguments *arguments,
                        const SymIoFormat *format,
                        SymModel *model,
                        const SymInference *inference,
                        GError **error);

/* ---- Showing types (sym-cli-types.c) ---- */

/* "[1,3,?,batch]", "[]" for a scalar, "?" when not even the rank is known; the kind of what is no
 * tensor. */
char *sym_cli_format_shape (const SymInference *inference, SymId value);

/* Whether every dimension is a number or a name; TRUE of what is no tensor. */
gboolean sym_cli_is_decided (const SymInference *inference, SymId value);

/* [1, 3, null, "batch"]; null when the rank is unknown or the value is no tensor. */
void sym_cli_json_add_shape (SymCliJson *json, const SymInference *inference, SymId value);

/* "float32"; null when unknown. */
void sym_cli_json_add_dtype (SymCliJson *json, const SymInference *inference, SymId value);

/* {"name", "shape", "dtype"} */
void sym_cli_json_add_typed (SymCliJson *json, const SymInference *inference, SymId value);

/* Whether `--format json` was given. */
gboolean sym_cli_wants_json (const SymCliArguments *arguments);

/* The members of a row as DESIGN.md's `summary --format json` has them, into the open object. */
void sym_cli_json_add_row (SymCliJson *json, const SymSummary *summary, const SymSummaryRow *row);

G_END_DECLS
