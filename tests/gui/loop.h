/* SPDX-License-Identifier: MIT */
#pragma once

#include "toy.h"

/* A loop as MXNet saves it, in whose body is a loop: data and begin go into "loop", whose result
 * goes into "out".  The body of "loop" takes x and h, adds them ("sum"), and hands that to "again",
 * whose body is one activation ("inner"). */
#define LOOP_NODE(name, inputs, body)                                                            \
  "{\"op\":\"_foreach\",\"name\":\"" name                                                        \
  "\",\"attrs\":{\"num_args\":\"3\",\"num_outputs\":\"2\","                                      \
  "\"num_out_data\":\"1\",\"in_data_locs\":\"(0,)\",\"in_state_locs\":\"(1,)\",\"remain_locs\":" \
  "\"()\"},"                                                                                     \
  "\"inputs\":[" inputs "],\"subgraphs\":[" body "]}"

#define LOOP_INNER                                                                                \
  "{\"nodes\":[" TOY_NODE ("null", "u", "", "") "," TOY_NODE ("null", "v", "", "") "," TOY_NODE ( \
      "Activation", "inner", "\"act_type\":\"relu\"",                                             \
      "[0,0,0]") "],\"arg_nodes\":[0,1],\"heads\":[[2,0,0],[1,0,0]]}"

#define LOOP_BODY                                                                                  \
  "{\"nodes\":[" TOY_NODE ("null", "x", "", "") "," TOY_NODE ("null", "h", "", "") "," TOY_NODE (  \
      "elemwise_add", "sum", "",                                                                   \
      "[0,0,0],[1,0,0]") "," LOOP_NODE ("again", "[2,0,0],[1,0,0]",                                \
                                        LOOP_INNER) "],\"arg_nodes\":[0,1],\"heads\":[[3,0,0],[2," \
                                                    "0,0]]}"

#define LOOP                                                                                      \
  "{\"nodes\":[" TOY_NODE ("null", "data", "", "") "," TOY_NODE (                                 \
      "null", "begin", "",                                                                        \
      "") "," LOOP_NODE ("loop", "[0,0,0],[1,0,0]",                                               \
                         LOOP_BODY) "," TOY_NODE ("Activation", "out", "\"act_type\":\"tanh\"",   \
                                                  "[2,0,0]") "],\"arg_nodes\":[0,1],\"heads\":[[" \
                                                             "3,0,0]],\"attrs\":{\"mxnet_"        \
                                                             "version\":[\"int\",10901]}}"
