/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli.h"

#include <string.h>

/* Every subcommand, in the order of `symscope help`: its name, which is that of its file and of the
 * SymCliCommand there, and its purpose. */
#define COMMANDS(COMMAND)                                                            \
  COMMAND (summary, "print the table of a graph: nodes, layers, shapes, parameters") \
  COMMAND (show, "tell everything about one node")                                   \
  COMMAND (list, "list inputs, outputs, parameters, nodes, layers or metadata")      \
  COMMAND (find, "find nodes, layers and groups by a query")                         \
  COMMAND (infer, "infer the shapes and dtypes of all nodes and parameters")         \
  COMMAND (check, "list every problem of a graph, one a line")                       \
  COMMAND (diff, "tell what differs between two graphs, by structure")               \
  COMMAND (compare, "run two graphs, and tell how far their numbers are apart")      \
  COMMAND (extract, "cut the part between chosen inputs and outputs into a file")    \
  COMMAND (convert, "write a graph in another format")                               \
  COMMAND (code, "write the forward function of a graph as Python")                  \
  COMMAND (layout, "compute the places of nodes and the courses of edges")           \
  COMMAND (draw, "draw a graph as SVG, PNG, PDF or DOT")                             \
  COMMAND (thumbnail, "draw a small picture of a graph for a file manager")          \
  COMMAND (run, "run a graph and show or save its outputs")                          \
  COMMAND (bench, "tell how long a graph takes to run")                              \
  COMMAND (formats, "list the formats of saved graphs")                              \
  COMMAND (operators, "list the operators: whose shapes are inferred, and which can run")

/* Weak: those that draw need Pango and cairo, whose loading would cost all others two milliseconds,
 * so meson.build links them into symscope-draw only.  Here their address is NULL then. */
#define DECLARE(name, purpose) extern const SymCliCommand sym_cli_##name __attribute__ ((weak));
#define ENTER(name, purpose) { #name, purpose, &sym_cli_##name },

COMMANDS (DECLARE)

const SymCliEntry sym_cli_table[] = {
  COMMANDS (ENTER){ NULL, NULL, NULL },
};

const SymCliEntry *
sym_cli_find_command (const char *name)
{
  for (const SymCliEntry *entry = sym_cli_table; entry->name; entry++)
    if (strcmp (entry->name, name) == 0)
      return entry;
  return NULL;
}
