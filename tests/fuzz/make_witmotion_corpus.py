#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of FOLDER/witmotion (corpus.py).

Each seed is one byte (how the fuzzer cuts the stream) and the stream. The encoder here is written
apart from the C one, so that a seed the C parser refuses shows a difference.
"""
import pathlib
import struct
import sys

FOLDER = pathlib.Path(sys.argv[1]) / "witmotion"


def packet(kind, *words):
    body = struct.pack("<BB4h", 0x55, kind, *words)
    return body + bytes([sum(body) & 0xFF])


ACCELERATION = packet(0x51, 12, -7, 2048, 2650)
RATE = packet(0x52, 3, -1475, 1475, 2650)
ANGLES = packet(0x53, -32768, 8192, 32767, 2)
MAGNETIC = packet(0x54, 100, 200, 300, 0)
TIME = packet(0x50, 0x0719, 0x1008, 0x2A1E, 500)

SEEDS = {
    "measurement": ACCELERATION + RATE + ANGLES,
    "as_delivered": (ACCELERATION + RATE + ANGLES + MAGNETIC) * 3,
    "with_time": TIME + ACCELERATION + RATE + ANGLES,
    "wrong_check": ACCELERATION[:-1] + b"\0" + RATE,
    "false_header": b"\x55\x51\x55" + ANGLES + RATE,
    "all_headers": b"\x55" * 40,
    "header_in_packet": packet(0x51, 0x5555, 0x5155, 0x5255, 0x5355) * 2,
    "cut": ACCELERATION + RATE[:6],
    "garbage": bytes(range(256)),
}

FOLDER.mkdir(parents=True, exist_ok=True)
for number, (name, stream) in enumerate(sorted(SEEDS.items())):
    (FOLDER / name).write_bytes(bytes([number * 3]) + stream)
