#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: make-hubs.py FOLDER

Writes what is hard for a window, as MXNet's symbols: FOLDER/unequal.json, 100,000 layers one after the
other of which no two neighbours are alike, and FOLDER/hub.json, an input that 50,000 layers read, whose
results one layer adds up."""
import json
import os
import sys

KINDS = ("relu", "tanh", "sigmoid", "abs", "exp", "square", "negative", "sign", "floor", "ceil")


def write(folder, name, nodes, last):
    graph = {"nodes": nodes, "arg_nodes": [0], "heads": [[last, 0, 0]],
             "attrs": {"mxnet_version": ["int", 10901]}}
    with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
        json.dump(graph, file)


def node(op, name, *inputs, **attrs):
    return {"op": op, "name": name, "attrs": attrs, "inputs": [[i, 0, 0] for i in inputs]}


def main(folder):
    data = node("null", "data", __shape__="(1, 8)")
    state, chain = 1, [data]
    for i in range(100000):
        state = (state * 1103515245 + 12345) % 2 ** 31
        chain.append(node(KINDS[state // 65536 % len(KINDS)], f"layer{i}", i))
    write(folder, "unequal", chain, 100000)

    spokes = [node(KINDS[i * 7 % 10], f"spoke{i}", 0) for i in range(50000)]
    total = node("add_n", "total", *range(1, 50001), num_args="50000")
    write(folder, "hub", [data] + spokes + [total], 50001)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
