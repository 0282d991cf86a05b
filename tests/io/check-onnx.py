#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Parts that symscope cuts out of ONNX models are models by ONNX's own checker.  Skipped where Python's
onnx is not installed."""
import os
import subprocess
import sys
import tempfile

try:
    import onnx
    import onnx.checker
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
]


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


def main():
    program, fixtures = sys.argv[1:]
    print("1..%d" % len(CUTS))
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, arguments) in enumerate(CUTS, 1):
            target = os.path.join(folder, "part.onnx")
            wrong = cut(program, os.path.join(fixtures, name), arguments, target)
            print("%s %d %s %s" % ("not ok" if wrong else "ok", number, name, " ".join(arguments)))
            if wrong:
                print("# " + wrong.replace("\n", "\n# "))


if __name__ == "__main__":
    main()
