#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the corpus of fuzz_elevator: tables as an elevator gives them, scan by scan (fuzz_elevator.c has the layout)."""
import pathlib
import struct
import sys

OUT = pathlib.Path(sys.argv[1]) / "elevator"
OUT.mkdir(parents=True, exist_ok=True)
IDLE = {0, 1, 3, 6, 15}  # safe, closed, curtain clear, in the zone, locked


def scan(bits, position=0.0, speed=0.0, load=75, door=0.0, force=0, ms=10):
    word = sum(1 << bit for bit in bits)
    return word.to_bytes(14, "little") + struct.pack(">hhBBBB", round(2e3 * position), round(1e3 * speed), load // 4, round(500 * door), force, ms)


def rest(n=55):
    return [scan(IDLE)] * n


def travel(bits=frozenset(), drop=frozenset()):
    scans = [scan(IDLE | {17})] * 3
    for i in range(480):
        p = min(3.2, 3.2 * i / 450)
        inside = {6} if min(p, 3.2 - p) < 0.1 else set()
        scans.append(scan((IDLE - {6} - (drop if i > 200 else set())) | {11, 17} | inside | bits, p, 0.7 if p < 3.2 else 0.0))
    return scans


def door(opening=140, dwell=320, closing=200, position=3.2, extra=frozenset(), force=0, load=75):
    scans = [scan({0, 3, 6}, position, door=0.45 * i / opening) for i in range(opening)]
    scans += [scan({0, 2, 3, 6} | extra, position, door=0.45, load=load)] * dwell
    scans += [scan({0, 3, 6}, position, door=0.45 * (1 - i / closing), force=force) for i in range(closing)]
    return scans + [scan(IDLE, position)] * 5


def write(name, *parts, floors=12):
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / name).write_bytes(bytes([floors - 2]) + b"".join(s for part in parts for s in part))


write("one_floor", rest(), travel(), door())
write("two_floors_only", rest(), travel(), door(), floors=2)
write("trip_and_reset", rest(), travel(drop={0}), [scan(IDLE | {12})] * 5, rest())
write("contact_lost", rest(), travel(drop={1}))
write("no_zone", rest(), travel(drop={6}), [scan(IDLE - {6} | {11, 17}, 3.2)] * 100)
write("overload", rest(), travel(), door(load=700))
write("blocked", rest(), travel(), door(force=130), door(force=130), door(force=130))
write("relevel", rest(), travel(), door(position=3.22, extra={11}))
write("no_brake", rest(), [scan(IDLE | {17})] * 120)
write("calls", rest(), [scan(IDLE | {19, 24, 50, 85, 111})] * 5, travel({19, 24, 50, 85, 111}), door(extra={24, 85}))
write("late", rest(4), [scan(IDLE | {17}, ms=250)] * 20)
