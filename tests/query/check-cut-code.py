#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: check-cut-code.py WRITE-CUT-CODE

Python's onnx does what the code of a cut tells it, whatever IR version the file has: before 4 weights are inputs
as well, of a file and of a part of it.  Skipped where it is not installed."""
import os
import subprocess
import sys
import tempfile

try:
    import onnx
    import onnx.checker
    from onnx import TensorProto, helper
except ImportError:
    print("1..0 # SKIP Python's onnx is not installed")
    sys.exit(0)

# IR version, whether weights are listed among the inputs, then of each cut: output, inputs, and what the part
# must have: inputs, weights, operators.
FILES = [(3, True), (4, True), (8, False)]
CUTS = [
    ("r", [], ["x"], ["w", "b"], ["MatMul", "Add", "Relu"]),
    ("y", ["r"], ["r"], ["shape", "w2"], ["Constant", "Mul", "Reshape", "MatMul"]),
    ("y", [], ["x"], ["w", "b", "shape", "w2"], ["MatMul", "Add", "Relu", "Constant", "Mul", "Reshape", "MatMul"]),
]


def make_file(path, ir_version, lists_weights):
    def info(name, dims, kind=TensorProto.FLOAT):
        return helper.make_tensor_value_info(name, kind, dims)

    shapes = {"w": [4, 4], "b": [4], "w2": [2, 3]}
    weights = [helper.make_tensor(name, TensorProto.FLOAT, dims, [0.5] * (dims[0] * (dims + [1])[1]))
               for name, dims in shapes.items()]
    weights.append(helper.make_tensor("shape", TensorProto.INT64, [2], [2, 2]))
    inputs = [info("x", [1, 4])]
    if lists_weights:
        inputs += [info(name, dims) for name, dims in shapes.items()]
        inputs.append(info("shape", [2], TensorProto.INT64))
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["h"]),
         helper.make_node("Add", ["h", "b"], ["a"]),
         helper.make_node("Relu", ["a"], ["r"]),
         helper.make_node("Constant", [], ["c"], value=helper.make_tensor("c", TensorProto.FLOAT, [1], [2.0])),
         helper.make_node("Mul", ["r", "c"], ["m"]),
         helper.make_node("Reshape", ["m", "shape"], ["s"]),
         helper.make_node("MatMul", ["s", "w2"], ["y"])],
        "graph", inputs, [info("y", [2, 3])], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 8)])
    model.ir_version = ir_version
    onnx.checker.check_model(model)
    onnx.save(model, path)


def check(program, path, output, inputs, lists_weights, expected):
    written = subprocess.run([program, "onnx", path, output, *inputs], capture_output=True, text=True)
    if written.returncode != 0:
        return written.stderr
    try:
        exec(written.stdout, {})
        part = onnx.load("net-part.onnx")
        onnx.checker.check_model(part)
    except Exception as error:  # whatever onnx says
        return "%s%r" % (written.stdout, error)
    found = ([value.name for value in part.graph.input], [weight.name for weight in part.graph.initializer],
             [node.op_type for node in part.graph.node])
    names, weights, operators = expected
    if lists_weights:
        names = names + weights
    if (sorted(found[0]), sorted(found[1]), found[2]) != (sorted(names), sorted(weights), operators):
        return "%s%s" % (written.stdout, found)
    return None


def main():
    program = os.path.abspath(sys.argv[1])
    number = 0
    print("1..%d" % (len(FILES) * len(CUTS)))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for ir_version, lists_weights in FILES:
            make_file("net.onnx", ir_version, lists_weights)
            for output, inputs, *expected in CUTS:
                number += 1
                wrong = check(program, "net.onnx", output, inputs, ir_version < 4, expected)
                print("%s %d IR version %d to %s from %s" % ("not ok" if wrong else "ok", number, ir_version, output,
                                                            ", ".join(inputs) or "the beginning"))
                if wrong:
                    print("# " + wrong.replace("\n", "\n# "))
        os.chdir(os.sep)


if __name__ == "__main__":
    main()
