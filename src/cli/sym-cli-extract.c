/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-model.h"
#include "core/sym-extract.h"

#include <stdio.h>

static const SymCliOption options[] = {
  { "outputs", 0, "A[,B...]", "nodes that the part is to give; \\, is a comma in a name" },
  { "inputs", 0, "C[,D...]", "nodes that it starts from; the graph's own inputs if not given" },
  { "out", 'o', "OUT", "the file to write; - is standard output" },
  { "to", 0, "FORMAT", "its format (see `symscope formats`); that of FILE if not given" },
  SYM_CLI_TYPE_OPTIONS,
  { NULL },
};

/* That of the file, where it can be written, else our own: then that is told. */
static const SymIoFormat *
choose_format (SymCliArguments *arguments, const SymModel *model)
{
  const SymIoFormat *own = sym_io_get_model_format (model);

  if (own && sym_io_format_can_save (own))
    return own;
  fprintf (stderr, "symscope: %s: note: %s cannot be written; this is Symscope's own format\n",
           sym_cli_arguments_get (arguments, "out"),
           own ? sym_io_format_get_title (own) : "the format of the graph");
  return sym_io_find_format ("symscope");
}

static SymModel *
extract (const SymInference *inference, SymCliArguments *arguments, GError **error)
{
  SymModel *model = sym_inference_get_model (inference);
  const char *input_list = sym_cli_arguments_get (arguments, "inputs");
  g_autoptr (GArray) inputs = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autoptr (GArray) outputs = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autoptr (SymSelection) selection = NULL;

  if (!sym_cli_resolve_list (model, sym_cli_arguments_get (arguments, "outputs"), outputs, error) ||
      (input_list && !sym_cli_resolve_list (model, input_list, inputs, error)))
    return NULL;
  selection = sym_selection_new (model, (const SymId *) inputs->data, inputs->len,
                                 (const SymId *) outputs->data, outputs->len, NULL, error);
  return selection ? sym_selection_extract (selection, inference) : NULL;
}

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  const SymIoFormat *format;
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymInference) part_inference = NULL;
  g_autoptr (SymModel) part = NULL;

  if (!sym_cli_get_target_format (arguments, &format, error) ||
      !sym_cli_arguments_require (arguments, "outputs", error) ||
      !sym_cli_arguments_require (arguments, "out", error))
    return FALSE;
  inference = sym_cli_open_and_declare (arguments, error);
  if (inference == NULL)
    return FALSE;
  part = extract (inference, arguments, error);
  if (part == NULL)
    return FALSE;
  part_inference = sym_infer (part, NULL, 0, NULL, error);
  if (part_inference == NULL)
    return FALSE;
  sym_cli_warn_of_errors (arguments, sym_inference_get_model (inference));
  if (format == NULL)
    format = choose_format (arguments, sym_inference_get_model (inference));
  return sym_cli_write (arguments, format, part, part_inference, error);
}

const SymCliCommand sym_cli_extract = {
  .name = "extract",
  .operands = "FILE",
  .options = options,
  .details = "A NODE is named by its name; by the layer that makes it, if that has one output; by\n"
             "its variable; or by #N, its row in the summary.  Weights that the part uses are\n"
             "written beside it.  What OUT cannot express is told on standard error.",
  .run = run,
};
