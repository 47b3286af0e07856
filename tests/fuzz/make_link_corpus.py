#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seed corpus of fuzz_link: a frame of every kind of avatar_sim/gates/link/wire/link.proto, and a few
that must be refused. Encodes by hand, so that nothing but Python is needed."""
import pathlib
import struct
import sys

FOLDER = pathlib.Path(sys.argv[1]) / "link"


def varint(value):
    value &= (1 << 64) - 1
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def signed(field, value):
    return number(field, (value << 1) ^ (value >> 63))


def double(field, value):
    return varint(field << 3 | 1) + struct.pack("<d", value)


def fixed64(field, value):
    return varint(field << 3 | 1) + struct.pack("<Q", value)


def block(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


VERSION = 2


def to_server(field, content):
    return number(1, VERSION) + block(field, content)


def to_client(field, content):
    return number(1, VERSION) + fixed64(2, 0x1122334455667788) + block(field, content)


def flag(value):
    return bytes([value])


def put(index, value, request=0):
    return number(1, index) + block(2, value) + (number(3, request) if request else b"")


def channel(path, kind, direction, unit, size, low=0.0, high=0.0, value=b"", silence=0):
    return (block(1, path) + block(2, kind) + number(3, direction) + block(4, unit) + number(5, size) + double(6, low)
            + double(7, high) + block(8, "what it is") + (block(9, value) if value else b"") + signed(10, silence))


def numbers(*values):
    return struct.pack(f"<{len(values)}d", *values)


def values(*items):
    return struct.pack(f"<{len(items)}f", *items)


IN, SHARED, REQUEST, OUT, CONSTANT = range(5)
SPEED = channel("robot/left/speed", "number", IN, "rad/s", 1, -22.0, 22.0)
EFFORT = channel("machine/x/effort", "number", IN, "N", 1, silence=20_000_000)
SCAN = channel("robot/laser/ranges", "block", OUT, "m", 3, 0.0, 5.6)
FAN = channel("robot/laser/fan", "vector", CONSTANT, "", 2, value=numbers(-1.0, 0.1))
SLOT = number(1, 2) + number(2, 3) + block(3, put(0, numbers(4.0))) + block(3, put(1, flag(1)))
VALUE = number(1, 4) + block(2, numbers(1.5)) + signed(3, 5_000_000)
ANSWER = number(1, 5) + number(2, 7) + number(3, 1)
SLOT_FRAME = number(1, 2) + number(2, 3) + signed(3, 20_000_000) + block(4, VALUE) + block(5, ANSWER)

LOOP_STATUS = (number(1, 1200) + signed(2, 1_200_000_000) + number(3, 1) + double(5, 0.5) + number(6, 2) + signed(7, 5_000_000)
               + number(11, 1) + number(12, 9))

FRAMES = {
    "hello": to_server(2, block(1, "doppel[1]") + signed(2, 10_000_000)),
    "list": to_server(3, number(1, 40)),
    "subscribe": to_server(4, number(1, 1) + number(2, 3) + block(3, varint(0) + varint(300))),
    "subscribe_taking_over": to_server(4, number(1, 1) + number(2, 4) + block(3, varint(7)) + number(4, 1)),
    "command": to_server(5, block(1, SLOT)),
    "grant": to_server(5, block(1, SLOT) + number(2, 1) + signed(3, 20_000_000)),
    "release": to_server(5, block(1, number(1, 2) + number(2, 3) + number(4, 1))),
    "request": to_server(5, block(1, number(1, 2) + number(2, 3) + block(3, put(5, numbers(1.0, 2.0, 0.0), 7)))),
    "ping": to_server(6, signed(1, 123_456_789)),
    "bye": to_server(7, b""),
    "loop_command": to_server(8, number(1, 3) + block(2, "until robot/left/velocity > 3")),
    "welcome": to_client(3, number(1, 1) + signed(2, 5) + block(3, "office") + number(4, 90) + fixed64(5, 1234567)),
    "channels": to_client(4, number(1, 2) + block(2, SPEED) + block(2, SCAN) + block(2, FAN) + block(2, EFFORT)),
    "frame": to_client(5, signed(1, 20_000_000) + number(2, 1) + block(3, SLOT_FRAME) + number(4, 1)),
    "block": to_client(6, number(1, 2) + number(2, 3) + number(3, 6) + signed(4, 9) + number(5, 7)
                       + block(6, values(0.0, 1.25, 5.5))),
    "refused": to_client(7, block(1, "unknown client: say hello") + number(2, 1)),
    "granted": to_client(8, number(1, 2) + number(2, 1)),
    "denied": to_client(8, number(1, 2) + block(3, "part 'robot' is controlled by client 'x'")),
    "pong": to_client(9, signed(1, 1) + signed(2, 2) + block(3, "somebody")),
    "loop_answer": to_client(10, number(1, 3) + number(2, 1) + block(3, "no") + block(4, LOOP_STATUS)),
    "hello_of_version_1": number(1, 1) + block(2, block(1, "older") + signed(2, 10_000_000)),
    "bad_version": number(1, 3) + block(7, b""),
    "bad_control": to_client(8, number(1, 16) + number(2, 1)),
    "bad_slot": to_server(5, block(1, number(1, 16))),
    "bad_index": to_server(5, block(1, block(3, put(1024, numbers(1.0))))),
    "bad_flag": to_server(5, block(1, block(3, put(1, flag(2))))),
    "bad_subscription": to_server(4, number(1, 1) + block(3, varint(65536))),
    "bad_many": to_server(5, block(1, b"") * 1000),
    "bad_name": to_server(2, block(1, "x" * 48) + signed(2, 10_000_000)),
    "bad_type": to_client(4, block(2, channel("a", "song", OUT, "", 1))),
    "bad_direction": to_client(4, block(2, channel("a", "number", 5, "", 1))),
    "bad_constant": to_client(4, block(2, channel("a", "number", CONSTANT, "", 1, value=numbers(1.0, 2.0)))),
    "bad_page": to_client(4, number(1, 65536) + block(2, SPEED)),
    "bad_loop_command": to_server(8, block(2, "x" * 501)),
    "bad_loop_answer": to_client(10, number(1, 3)),
    "bad_loop_rate": to_client(10, block(4, double(5, float("nan")))),
    "bad_number": to_client(5, block(3, block(4, number(1, 4) + block(2, numbers(float("inf")))))),
}

FOLDER.mkdir(parents=True, exist_ok=True)
for name, frame in FRAMES.items():
    (FOLDER / name).write_bytes(frame)
