/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-model.h"
#include "core/sym-forward.h"
#include "store/sym-store.h"

#include <string.h>

static const SymCliOption options[] = {
  { "style", 0, "symbolic|fx", "how it is written (symbolic)" },
  { "loop", 0, "N", "chains of at least N layers become loops (50); symbolic only" },
  { "out", 'o', "OUT", "the file to write (standard output)" },
  { NULL },
};

static gboolean
get_length (const SymCliArguments *arguments, guint *length, GError **error)
{
  const char *text = sym_cli_arguments_get (arguments, "loop");
  guint64 n = SYM_FORWARD_LOOP_LENGTH;

  if (text != NULL && !g_ascii_string_to_unsigned (text, 10, 2, G_MAXUINT, &n, NULL))
    {
      g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
                   "--loop takes a number from 2 on, not “%s”", text);
      return FALSE;
    }
  *length = (guint) n;
  return TRUE;
}

static gboolean
write_text (SymCliArguments *arguments, const char *text, GError **error)
{
  const char *path = sym_cli_arguments_get (arguments, "out");
  g_autoptr (SymStoreWriter) writer = NULL;

  sym_cli_arguments_set_subject (arguments, path == NULL ? "-" : path);
  writer = sym_store_writer_new (path == NULL ? "-" : path, error);
  return writer != NULL && sym_store_writer_write (writer, text, strlen (text), error) &&
         sym_store_writer_commit (writer, error);
}

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  g_autoptr (SymModel) model = NULL;
  g_autofree char *code = NULL;
  SymForwardStyle style = g_strcmp0 (sym_cli_arguments_get (arguments, "style"), "fx") == 0
                              ? SYM_FORWARD_NAMED
                              : SYM_FORWARD_INDEXED;
  guint length;

  if (!get_length (arguments, &length, error))
    return FALSE;
  model = sym_cli_open_model (arguments, error);
  if (model == NULL)
    return FALSE;
  code = sym_model_write_forward (model, style, length, error);
  return code != NULL && write_text (arguments, code, error);
}

const SymCliCommand sym_cli_code = {
  .name = "code",
  .operands = "FILE",
  .options = options,
  .details =
      "The calls that outputs need, in order of execution; parameters belong to layers.  As\n"
      "PyTorch Symbolic writes it, layers are those of a list, and long chains are loops; as\n"
      "torch.fx does, layers and results go by their names.",
  .run = run,
};
