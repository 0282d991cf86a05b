/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli.h"
#include "ops/sym-op-lower.h"
#include "ops/sym-op.h"

#include <stdio.h>

static const char *
tell_run (const SymOperator *op)
{
  if (op->run != NULL)
    return "yes";
  return sym_op_is_lowered (op) ? "lowered" : "no";
}

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  printf ("%-8s %-36s %-5s %-7s %-14s %s\n", "DOMAIN", "NAME", "SINCE", "RUNS", "CATEGORY",
          "SUMMARY");
  for (guint i = 0; i < sym_op_get_n (); i++)
    {
      const SymOperator *op = sym_op_get (i);

      printf ("%-8s %-36s %-5d %-7s %-14s %s\n", *op->domain ? op->domain : "onnx", op->name,
              op->since_version, tell_run (op), sym_category_to_string (op->category), op->summary);
    }
  return TRUE;
}

const SymCliCommand sym_cli_operators = {
  .name = "operators",
  .operands = "",
  .details =
      "A layer of another type is opaque: it is drawn and counted, and its shapes are those\n"
      "that the file tells.  Operators that `symscope run` can run are marked, those that it runs\n"
      "as several of ONNX as lowered; a model with others runs as far as it does not need them.",
  .run = run,
};
