#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""targets.py BUILD SUITE...: the files of BUILD that a test of the suites needs, for ninja; the suite "installed" is what is installed.
targets.py BUILD --tests PATTERN...: the names of the tests that match one of the patterns, as meson takes them. A pattern is a part of a name,
or has * and ? as in a shell. One that matches none is an error (exit code 2).
targets.py BUILD --of SUITE PATTERN...: the files that those of the suite ("any": of every suite) need."""
import fnmatch
import json
import os
import sys

build, *words = sys.argv[1:]


def info(name):
    with open(f"{build}/meson-info/intro-{name}.json") as file:
        return json.load(file)


def matches(test, patterns):
    return any(fnmatch.fnmatchcase(test["name"], word if set(word) & set("*?") else f"*{word}*") for word in patterns)


def in_suites(test, suites):
    return not {"any", *(suite.split(":")[-1] for suite in test["suite"])}.isdisjoint(suites)


tests = info("tests")
if words[0] in ("--tests", "--of"):
    form, *words = words
    if form == "--of":
        tests = [test for test in tests if in_suites(test, words[:1])]
        words = words[1:]
    for word in words:
        if not any(matches(test, [word]) for test in tests):
            print(f"found '{word}', expected a part of the name of a test", file=sys.stderr)
            sys.exit(2)
    tests = [test for test in tests if matches(test, words)]
    if form == "--tests":
        print(*(test["name"] for test in tests), sep="\n")
        sys.exit()
    words = []
else:
    tests = [test for test in tests if in_suites(test, words)]
needed = {target for test in tests for target in test["depends"]}
top = os.path.realpath(build)
for target in info("targets"):
    if target["id"] in needed or (target["installed"] and "installed" in words):
        for file in target["filename"]:
            print(os.path.relpath(file, top))
