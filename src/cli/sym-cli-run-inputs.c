/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-run.h"
#include "core/sym-error.h"
#include "run/sym-run-fill.h"
#include "store/sym-store-numpy.h"

#include <stdlib.h>

static gboolean
get_seed (const SymCliArguments *arguments, guint64 *seed, GError **error)
{
  const char *text = sym_cli_arguments_get (arguments, "seed");

  *seed = 0;
  if (text == NULL || g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, seed, NULL))
    return TRUE;
  g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
               "--seed takes a number from 0 on, not “%s”", text);
  return FALSE;
}

/* The type of an input, all of it a number: what a made-up input needs. */
static gboolean
get_shape (const SymInference *inference, SymId value, SymType *type, GError **error)
{
  const char *name = sym_model_get_unique_name (sym_inference_get_model (inference), value);
  g_autofree char *shape = NULL;

  *type = sym_inference_get_type (inference, value);
  if (type->kind == SYM_KIND_TENSOR && type->dtype == SYM_DTYPE_UNKNOWN)
    type->dtype = SYM_DTYPE_FLOAT32;
  if (type->kind == SYM_KIND_TENSOR && type->shape.rank >= 0 && sym_shape_is_known (&type->shape))
    return TRUE;
  shape = sym_cli_format_shape (inference, value);
  g_set_error (
      error, SYM_ERROR, SYM_ERROR_UNDECIDED,
      "the shape of input “%s” is %s; give it with --shape %s=D,D,..., or its numbers with "
      "--input %s=FILE.npy",
      name, shape, name, name);
  return FALSE;
}

static gboolean
fill (SymRun *run,
      const SymInference *inference,
      SymId value,
      SymRunFill how,
      guint64 seed,
      GError **error)
{
  g_autoptr (SymDatum) datum = NULL;
  SymType type;

  if (!get_shape (inference, value, &type, error))
    return FALSE;
  datum = sym_run_fill (how, type.dtype, &type.shape, seed + value, error);
  return datum != NULL && sym_run_feed (run, value, datum, error);
}

static gboolean
feed_file (SymRun *run, SymId value, const char *path, GError **error)
{
  g_autoptr (SymTensor) tensor = sym_store_open_npy (path, error);
  g_autoptr (SymDatum) datum = tensor == NULL ? NULL : sym_datum_new_read (tensor, error);

  return datum != NULL && sym_run_feed (run, value, datum, error);
}

/* One `NAME=...`. */
static gboolean
feed_given (SymRun *run,
            const SymInference *inference,
            const char *text,
            guint64 seed,
            GError **error)
{
  SymModel *model = sym_inference_get_model (inference);
  g_autofree char *name = NULL;
  const char *source;
  SymRunFill how;
  SymId value;

  if (!sym_cli_split_assignment (text, "input", &name, &source, error) ||
      !sym_cli_resolve (model, name, &value, error))
    return FALSE;
  if (sym_run_fill_from_string (source, &how))
    return fill (run, inference, value, how, seed, error);
  return feed_file (run, value, source, error);
}

gboolean
sym_cli_feed_inputs (SymCliArguments *arguments,
                     SymRun *run,
                     const SymInference *inference,
                     GError **error)
{
  SymIds inputs = sym_plan_get_inputs (sym_run_get_plan (run));
  const char *folder = sym_cli_arguments_get (arguments, "data"), *text;
  guint64 seed;

  if (!get_seed (arguments, &seed, error))
    return FALSE;
  sym_run_set_seed (run, seed);
  for (guint i = 0; (text = sym_cli_arguments_get_nth (arguments, "input", i)) != NULL; i++)
    if (!feed_given (run, inference, text, seed, error))
      return FALSE;
  if (folder != NULL && !sym_cli_feed_data (folder, run, inference, error))
    return FALSE;
  for (guint i = 0; i < inputs.n; i++)
    if (sym_run_get (run, inputs.ids[i]) == NULL &&
        !fill (run, inference, inputs.ids[i], SYM_RUN_FILL_RANDOM, seed, error))
      return FALSE;
  return TRUE;
}
