#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""targets.py BUILD SUITE...: the files of BUILD that a test of the suites needs, for ninja; the suite "installed" is what is installed.
targets.py BUILD --tests PATTERN...: the names of the tests that match one of the patterns, as meson takes them. A pattern is a part of a name,
or has * and ? as in a shell.
targets.py BUILD --of SUITE PATTERN: the files that the tests of the suite need which match."""
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


tests = info("tests")
if words[0] == "--tests":
    print(*(test["name"] for test in tests if matches(test, words[1:])), sep="\n")
    sys.exit()
if words[0] == "--of":
    tests = [test for test in tests if matches(test, words[2:])]
    words = words[1:2]
needed = {target for test in tests if set(words) & {suite.split(":")[-1] for suite in test["suite"]} for target in test["depends"]}
top = os.path.realpath(build)
for target in info("targets"):
    if target["id"] in needed or (target["installed"] and "installed" in words):
        for file in target["filename"]:
            print(os.path.relpath(file, top))
