#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of FOLDER/range_line (corpus.py).

Each seed is one byte (how the fuzzer cuts the stream) and the stream. The encoder here is written
apart from the C one, so that a seed the C parser refuses shows a difference.
"""
import functools
import operator
import pathlib
import sys

FOLDER = pathlib.Path(sys.argv[1]) / "range_line"


def line(text, end=b"\n"):
    return text + b"*%02X" % functools.reduce(operator.xor, text, 0) + end


SEEDS = {
    "ranges": line(b"R front 0.532") + line(b"R left 1.25") + line(b"R right -") + line(b"B bumper 1"),
    "carriage_returns": line(b"R 0 2", b"\r\n") * 3,
    "lower_case_check": line(b"R front 0.5").lower().replace(b"r", b"R", 1),
    "wrong_check": b"R front 0.532*00\n" + line(b"B b 0"),
    "cut": line(b"R front 0.532")[:9],
    "begun_within": b"nt 0.532*19\n" + line(b"R front 0.532"),
    "long": b"R " + b"a" * 100 + b"\n" + line(b"R a 1"),
    "many_digits": line(b"R f 123456789.12345") + line(b"R f 99999999999999999999"),
    "points": line(b"R f .") + line(b"R f .5") + line(b"R f 5.") + line(b"R f 1.2.3"),
    "garbage": bytes(range(256)),
}

FOLDER.mkdir(parents=True, exist_ok=True)
for number, (name, stream) in enumerate(sorted(SEEDS.items())):
    (FOLDER / name).write_bytes(bytes([number * 3]) + stream)
