"""Runs the calls of a module of `tests/migrator/python2/behaviour`, under Python 2 and 3."""

from __future__ import print_function  # noqa: UP010

import json
import sys


class Output(object):  # noqa: UP004
    """What is printed."""

    def __init__(self):
        self.parts = []

    def write(self, text):
        self.parts.append(text)

    def flush(self):
        pass


def plain(value):
    """A value as JSON has it; bytes and text are one in Python 2."""
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return sorted([plain(key), plain(item)] for key, item in value.items())
    return value


def results(path):
    names = {"__name__": "module"}
    with open(path) as stream:
        exec(compile(stream.read(), path, "exec", 0, True), names)
    found = []
    for call in names["CALLS"]:
        output, before = Output(), (sys.stdout, sys.stderr)
        sys.stdout, sys.stderr = output, Output()
        try:
            value = plain(eval(call, names))
        except Exception as error:
            # their texts differ
            value = ["raises", type(error).__name__]
        finally:
            sys.stdout, sys.stderr = before
        found.append([call, value, "".join(output.parts)])
    return found


if __name__ == "__main__":
    print(json.dumps(results(sys.argv[1]), indent=1, sort_keys=True))
