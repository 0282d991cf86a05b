#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: check-schema.py SCHEMA FOLDER.  Every x.json of the folder that Symscope opens is valid by
the schema, and so is every x.expected; those that it refuses for their structure (x.error) are not."""

import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print('1..0 # SKIP python3-jsonschema is not installed')
    sys.exit(0)

# Refused for what a schema cannot tell: that is, for more than the form of single members.
BEYOND_A_SCHEMA = {
    'bad-bad-base64', 'bad-bad-dimension', 'bad-captures', 'bad-deep-constant', 'bad-doubling',
    'bad-huge-tensor', 'bad-numbers-out-of-range', 'bad-self-containing',
    'bad-strings-of-no-base64', 'bad-too-deep', 'bad-too-few-numbers', 'bad-too-few-strings',
}


def is_valid(validator, path):
    try:
        document = json.loads(path.read_text(), parse_constant=lambda name: [][0])
    except (ValueError, IndexError):
        return False
    return validator.is_valid(document)


def main():
    schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
    folder = pathlib.Path(sys.argv[2])
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    paths = sorted([*folder.glob('*.json'), *folder.glob('*.expected')])
    print(f'1..{len(paths)}')
    for number, path in enumerate(paths, 1):
        is_refused = path.with_suffix('.error').exists() and path.stem not in BEYOND_A_SCHEMA
        result = 'ok' if is_valid(validator, path) != is_refused else 'not ok'
        print(f'{result} {number} {path.name} is {"refused" if is_refused else "valid"}')


if __name__ == '__main__':
    main()
