/* SPDX-License-Identifier: MIT */
#pragma once

#include <cjson/cJSON.h>
#include <gio/gio.h>

G_BEGIN_DECLS

/* What `symscope` did with some words. */
typedef struct {
  int status; /* of its exit; -1 when a signal ended it */
  char *out;
  gsize n_out;
  char *err;
} Ending;

/* Runs the program of the environment's SYMSCOPE in the folder @folder (NULL: this one) with the
 * words of @line, split as a shell would, and @input as its standard input (NULL: none). */
Ending *run_in (const char *folder, const char *input, const char *line);
Ending *run_line (const char *format, ...) G_GNUC_PRINTF (1, 2);
void ending_free (Ending *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Ending, ending_free)

/* The output as JSON, which it must be, after an exit with @status. */
cJSON *ending_parse (const Ending *self, int status);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (cJSON, cJSON_Delete)

/* Asserts the exit status, and that output (or messages) hold @part. */
void assert_status (const Ending *self, int status);
void assert_out (const Ending *self, const char *part);
void assert_err (const Ending *self, const char *part);

/* Asserts that there is one message, that it is @status's, and that it holds @part. */
void assert_refused (const Ending *self, int status, const char *part);

/* The path of a fixture of tests/fixtures/cli; a path in a folder that lives as long as the test.
 */
const char *fixture (const char *name);
const char *scratch (const char *name);
void clear_scratch (void);

/* Member of an object, or element of an array, that must be there. */
const cJSON *member (const cJSON *object, const char *name);
const cJSON *find_named (const cJSON *array, const char *name);

/* A value as compact JSON text, for comparison. */
void assert_json (const cJSON *value, const char *expected);

G_END_DECLS
