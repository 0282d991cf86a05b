/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"
#include "core/sym-tensor.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Numbers of a file for the inputs of a run: of a `.npy` for one, of a `.npz` or of a folder (see
 * io/sym-numbers.h) for each input the array with its name.  The only array of the only input is
 * its numbers whatever it is called. */

/* Those for @value; only what stands before the numbers is read. */
SymTensor *
scope_input_numbers_open (SymModel *model, SymId value, const char *path, GError **error);

/* Which of @inputs (of SymId) a file has numbers for; found in a thread. */
void scope_input_numbers_find_async (SymModel *model,
                                     const GArray *inputs,
                                     GFile *file,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);

/* Of SymId, the caller's.  *@lack says for which there are none, NULL when there are for all.  NULL
 * with an error when the file cannot be read, or has numbers for none. */
GArray *scope_input_numbers_find_finish (GAsyncResult *result, char **lack, GError **error);

G_END_DECLS
