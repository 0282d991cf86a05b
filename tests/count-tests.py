# SPDX-License-Identifier: MIT
"""usage: count-tests.py LOG...   Adds up meson's testlog.json files, subtest by subtest.

Tells what failed, prints `N passed, N failed, N skipped` and fails when anything failed.  A program that crashed, timed
out or bailed out after its last subtest counts as one more failure; one that says nothing in TAP
counts as one test.  A log that is missing is a failure: its programs did not even run.
"""

import json
import os
import re
import sys

TAIL = 25  # lines that are shown of what a program said that failed
SUBTEST = re.compile(r"^(not )?ok\b(?:(?!(?<!\\)#).)*(?:# *(skip|todo))?", re.IGNORECASE)


def count_subtests(output):
    passed = failed = skipped = 0
    for line in output.splitlines():
        found = SUBTEST.match(line)
        if not found:
            continue
        if found[2]:
            skipped += 1
        elif found[1]:
            failed += 1
        else:
            passed += 1
    return passed, failed, skipped


def count_program(test):
    passed, failed, skipped = count_subtests(test.get("stdout") or "")
    result = test["result"]
    if result == "SKIP":
        skipped = max(skipped, 1)
    elif result not in ("OK", "EXPECTEDFAIL"):
        failed = max(failed, 1)
    elif passed + failed + skipped == 0:
        passed = 1
    return passed, failed, skipped


def tell_failure(log, test):
    """Which subtests, with what they said before, and the end of what went to standard error."""
    print(f"==== {os.path.basename(os.path.dirname(os.path.dirname(log)))}: {test['name']}: {test['result']}")
    said = []
    for line in (test.get("stdout") or "").splitlines():
        if not SUBTEST.match(line):
            said.append(line)
            continue
        if line.startswith("not ok") and "# TODO" not in line:
            print("\n".join(said[-TAIL:] + [line]))
        said = []
    print("\n".join(said[-TAIL:] + (test.get("stderr") or "").splitlines()[-TAIL:]))


def main(paths):
    totals = [0, 0, 0]
    for path in paths:
        programs = []
        try:
            with open(path, encoding="utf-8") as log:
                for line in filter(str.strip, log):
                    test = json.loads(line)
                    programs.append(count_program(test))
                    if programs[-1][1]:
                        tell_failure(path, test)
        except (OSError, ValueError) as error:
            print(f"==== {path}: {error}")
            programs.append((0, 1, 0))
        totals = [sum(column) for column in zip(totals, *programs)]
    print("%d passed, %d failed, %d skipped" % tuple(totals))
    return 1 if totals[1] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
