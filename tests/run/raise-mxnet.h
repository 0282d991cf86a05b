/* SPDX-License-Identifier: MIT */
#pragma once

#include "../quick-folder.h"
#include "raise-case.h"

/* Models of ONNX that are written as MXNet's symbols: what tests of that share. */

typedef struct {
  char *folder, *path, *weights;
} RaiseMxnetFiles;

static inline void
raise_mxnet_make_files (RaiseMxnetFiles *self)
{
  self->folder = quick_folder_new ();
  self->path = g_build_filename (self->folder, "net-symbol.json", NULL);
  self->weights = g_build_filename (self->folder, "net-0000.params", NULL);
}

static inline void
raise_mxnet_remove_files (RaiseMxnetFiles *self)
{
  g_remove (self->path);
  g_remove (self->weights);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->path);
  g_free (self->weights);
}

static inline SymModel *
raise_mxnet_write_and_read (const RaiseMxnetFiles *files, SymModel *model)
{
  g_autoptr (GError) error = NULL;
  SymModel *again;

  sym_io_write (sym_io_find_format ("mxnet"), model, NULL, files->path, NULL, &error);
  g_assert_no_error (error);
  again = sym_io_read (files->path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (sym_model_get_dialect (again), ==, SYM_DIALECT_MXNET);
  return again;
}

/* The written file makes the same numbers. */
static inline void
raise_mxnet_compare (SymModel *model)
{
  g_autoptr (SymDatum) input = raise_case_fill (model);
  g_autoptr (SymModel) again = NULL;
  g_autoptr (GPtrArray) before = NULL;
  g_autoptr (GPtrArray) after = NULL;
  RaiseMxnetFiles files;

  raise_mxnet_make_files (&files);
  again = raise_mxnet_write_and_read (&files, model);
  before = raise_case_run (model, input);
  after = raise_case_run (again, input);
  g_assert_cmpuint (after->len, ==, 1);
  text_net_compare (sym_datum_get_array (after->pdata[0]), sym_datum_get_array (before->pdata[0]),
                    1e-5);
  raise_mxnet_remove_files (&files);
}
