#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Parts that symscope cuts out of ONNX models, and what it makes of models of others, are models by ONNX's own
checker, and its JSON is protobuf's, both ways.  Skipped where Python's onnx is not installed."""
import os
import subprocess
import sys
import tempfile

try:
    import onnx
    import onnx.checker
    from google.protobuf import json_format
except ImportError:
    print("1..0 # SKIP Python's onnx is not installed")
    sys.exit(0)

CUTS = [
    ("linear.onnx", ["--outputs", "h"]),
    ("linear.onnx", ["--inputs", "h", "--outputs", "y"]),
    ("linear.onnx", ["--inputs", "x", "--outputs", "y,h"]),
    ("branches.onnx", ["--inputs", "c,h,x", "--outputs", "y"]),
    ("branches.onnx", ["--outputs", "y"]),
    ("constants.onnx", ["--outputs", "y"]),
    ("maps.onnx", ["--inputs", "v", "--outputs", "y"]),
    ("maps.onnx", ["--outputs", "v"]),
]

CONVERTED = ["linear.onnx", "constants.onnx", "branches.onnx", "old.onnx", "problems.onnx", "kinds.onnx",
             "maps.onnx"]

AVERAGE = """{"nodes": [
  {"op": "null", "name": "data", "attrs": {"__shape__": "(1, 2, 6, 6)"}, "inputs": []},
  {"op": "Pooling", "name": "pool", "attrs": {"kernel": "(3, 3)", "pool_type": "avg", "stride": "(3, 3)"},
   "inputs": [[0, 0, 0]]}],
  "arg_nodes": [0], "node_row_ptr": [0, 1, 2], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10700]}}
"""

LOWERED = [
    "keras/first.json",
    "keras/states.json",
    "keras/branches.json",
    "keras/resizing.json",
    "dl4j/around.json",
    "../../data/examples/toy-resnet-symbol.json",
    "../../data/samples/u-net-symbol.json",
    "tf-control/while.json",
    "tf-control/frame-nested.json",
    "tf-control/list.json",
    "tf-control/stack.json",
    "tf-control/switch.json",
    "tensorflow-checkpoints/old/model.ckpt-7.meta",
    "tensorflow-checkpoints/restored/saved_model.pb",
    "openvino/net.xml",
]


def load(path):
    model = onnx.load(path, load_external_data=False)
    model.DiscardUnknownFields()  # of versions that this onnx does not know
    return model


def convert(program, source, folder):
    """To JSON by us, read by protobuf; to JSON by protobuf, read by us."""
    text = os.path.join(folder, "ours.onnx.json")
    back = os.path.join(folder, "back.onnx")
    expected = load(source)
    subprocess.run([program, "convert", source, "-o", text], check=True, stderr=subprocess.DEVNULL)
    with open(text) as file:
        read = json_format.Parse(file.read(), onnx.ModelProto(), ignore_unknown_fields=True)
    if read != expected:
        return "protobuf reads something else"
    for snake_case in (False, True):
        with open(text, "w") as file:
            file.write(json_format.MessageToJson(expected, preserving_proto_field_name=snake_case))
        subprocess.run([program, "convert", text, "-o", back], check=True, stderr=subprocess.DEVNULL)
        if load(back) != expected:
            return "symscope reads something else, snake_case=%s" % snake_case
    return None


def cut(program, source, arguments, target):
    done = subprocess.run([program, "extract", source, *arguments, "-o", target],
                          capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr.strip()
    try:
        model = onnx.load(target)
        onnx.checker.check_model(model)
    except Exception as error:  # whatever the checker or protobuf says
        return "%s %s" % (done.stderr.strip(), error)
    return None


def lower(program, source, target):
    """Layers of others: their shapes follow, too, and all of them are in the old operator set."""
    done = subprocess.run([program, "convert", source, "-o", target], capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr.strip()
    try:
        model = onnx.load(target)
        onnx.checker.check_model(model, full_check=True)
    except Exception as error:  # whatever the checker or protobuf says
        return "%s %s" % (done.stderr.strip(), error)
    if model.opset_import[0].version != 17:
        return "operator set %d" % model.opset_import[0].version
    return None


def main():
    program, fixtures = sys.argv[1:]
    number = 0
    print("1..%d" % (len(CUTS) + len(CONVERTED) + len(LOWERED) + 1))

    def tell(wrong, what):
        nonlocal number
        number += 1
        print("%s %d %s" % ("not ok" if wrong else "ok", number, what))
        if wrong:
            print("# " + wrong.replace("\n", "\n# "))

    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in CUTS:
            target = os.path.join(folder, "part.onnx")
            tell(cut(program, os.path.join(fixtures, name), arguments, target),
                 "%s %s" % (name, " ".join(arguments)))
        for name in CONVERTED:
            tell(convert(program, os.path.join(fixtures, name), folder), name + " as JSON")
        for name in LOWERED:
            target = os.path.join(folder, "lowered.onnx")
            source = os.path.join(fixtures, os.pardir, name)
            tell(lower(program, source, target), name + " as ONNX")
        source = os.path.join(folder, "average-symbol.json")
        with open(source, "w") as file:
            file.write(AVERAGE)
        tell(lower(program, source, target), "an average of MXNet as ONNX")


if __name__ == "__main__":
    main()
