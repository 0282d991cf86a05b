/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli.h"
#include "ops/sym-op.h"

#include <stdio.h>

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  printf ("%-8s %-36s %-5s %-4s %-14s %s\n", "DOMAIN", "NAME", "SINCE", "RUNS", "CATEGORY",
          "SUMMARY");
  for (guint i = 0; i < sym_op_get_n (); i++)
    {
      const SymOperator *op = sym_op_get (i);

      printf ("%-8s %-36s %-5d %-4s %-14s %s\n", *op->domain ? op->domain : "onnx", op->name,
              op->since_version, op->run != NULL ? "yes" : "no",
              sym_category_to_string (op->category), op->summary);
    }
  return TRUE;
}

const SymCliCommand sym_cli_operators = {
  .name = "operators",
  .operands = "",
  .details =
      "A layer of another type is opaque: it is drawn and counted, and its shapes are those\n"
      "that the file tells.  Operators that `symscope run` can run are marked; a model with\n"
      "others runs as far as it does not need them.",
  .run = run,
};
