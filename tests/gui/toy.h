/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-document.h"

/* A perceptron with a skip, as MXNet saves it: data -> fc1 -> relu1 -> fc2 -> sum (with relu1) ->
 * out. 104 parameters once data is known to have three features. */
#define TOY_NODE(op, name, attrs, inputs) \
  "{\"op\":\"" op "\",\"name\":\"" name "\",\"attrs\":{" attrs "},\"inputs\":[" inputs "]}"

/* clang-format off */
#define TOY(weight_attrs) \
  "{\"nodes\":[" TOY_NODE ("null", "data", "", "") "," \
  TOY_NODE ("null", "fc1_weight", weight_attrs, "") "," \
  TOY_NODE ("null", "fc1_bias", "", "") "," \
  TOY_NODE ("FullyConnected", "fc1", "\"num_hidden\":\"8\"", "[0,0,0],[1,0,0],[2,0,0]") "," \
  TOY_NODE ("Activation", "relu1", "\"act_type\":\"relu\"", "[3,0,0]") "," \
  TOY_NODE ("null", "fc2_weight", "", "") "," \
  TOY_NODE ("null", "fc2_bias", "", "") "," \
  TOY_NODE ("FullyConnected", "fc2", "\"num_hidden\":\"8\"", "[4,0,0],[5,0,0],[6,0,0]") "," \
  TOY_NODE ("elemwise_add", "sum", "", "[7,0,0],[4,0,0]") "," \
  TOY_NODE ("Activation", "out", "\"act_type\":\"tanh\"", "[8,0,0]") \
  "],\"arg_nodes\":[0,1,2,5,6],\"node_row_ptr\":[0,1,2,3,4,5,6,7,8,9,10]," \
  "\"heads\":[[9,0,0]],\"attrs\":{\"mxnet_version\":[\"int\",10901]}}"
/* clang-format on */

/* Writes a text to a file of that name in a folder of its own; the path. */
char *toy_write (const char *name, const char *text);

/* The same of a text in tests/fixtures, away from what lies beside it there. */
char *toy_copy_fixture (const char *folder, const char *name);

/* So many activations one after the other, as MXNet saves them: relu0, relu1... */
char *toy_format_chain (guint n);

/* The same of calls that differ from each other, so that nothing can be folded. */
char *toy_format_unequal_chain (guint n);

/* Writes a graph of four stages of three layers each; the path. */
char *toy_write_stages (void);

/* A document on that path, with everything made. */
ScopeDocument *toy_open (const char *path);

/* Runs the main loop until the document has nothing to do. */
void toy_wait (ScopeDocument *document);

/* The value that is called so; it must be there. */
SymId toy_find (ScopeDocument *document, const char *name);

/* Drops the last reference, and asserts that it was: a thread may hold its own for a moment longer.
 */
void toy_finalize (ScopeDocument *document);
