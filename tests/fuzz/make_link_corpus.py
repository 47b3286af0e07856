#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seed corpus of fuzz_link: a frame of every kind of avatar_sim/msg/link.proto, and a few
that must be refused. Encodes by hand, so that nothing but Python is needed."""
import pathlib
import struct

FOLDER = pathlib.Path(__file__).parent / "corpus" / "link"


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


def doubles(field, *values):
    return block(field, struct.pack(f"<{len(values)}d", *values))


def floats(field, *values):
    return block(field, struct.pack(f"<{len(values)}f", *values))


def to_server(field, content):
    return number(1, 1) + block(field, content)


def to_client(field, content):
    return number(1, 1) + fixed64(2, 0x1122334455667788) + block(field, content)


POSE = double(1, 1.5) + double(2, -2.0) + double(3, 0.3)
SLOT = number(1, 2) + number(2, 3) + doubles(3, 4.0, -4.0) + number(4, 1) + block(5, POSE) + number(6, 1)
LASER = (block(1, "laser") + number(2, 682) + double(3, -2.08) + double(4, 0.0061) + double(5, 0.02)
         + double(6, 5.6) + double(7, 0.1) + block(8, POSE))
ROBOT = (block(1, "avatar") + block(2, "LeftWheel") + block(2, "RightWheel") + block(3, "enc_left")
         + block(3, "enc_right") + block(4, LASER))
SLOT_STATE = (number(1, 2) + signed(2, 20_000_000) + block(3, POSE) + double(4, 0.2) + double(5, 0.1)
              + number(6, 1) + doubles(7, 1.0, 2.0) + doubles(8, 3.0, 4.0) + number(9, 1) + number(10, 1) + number(11, 2))

FRAMES = {
    "hello": to_server(2, block(1, "doppel[1]") + signed(2, 10_000_000)),
    "bind": to_server(3, number(1, 1) + number(2, 0) + double(3, 14.3)),
    "command": to_server(4, block(1, SLOT)),
    "grant": to_server(4, block(1, SLOT) + number(2, 1) + signed(3, 20_000_000)),
    "ping": to_server(5, signed(1, 123_456_789)),
    "bye": to_server(6, b""),
    "welcome": to_client(3, number(1, 1) + signed(2, 5) + block(3, ROBOT) + block(3, ROBOT)),
    "state": to_client(4, signed(1, 20_000_000) + number(2, 1) + block(3, SLOT_STATE)),
    "scan": to_client(5, number(1, 2) + number(2, 0) + signed(3, 9) + number(4, 7)
                      + floats(5, 0.0, 1.25, 5.5)),
    "pong": to_client(6, signed(1, 1) + signed(2, 2) + block(3, "somebody")),
    "refused": to_client(7, block(1, "unknown client: say hello") + number(2, 1)),
    "bind_taking_over": to_server(3, number(1, 1) + number(2, 0) + number(3, 1)),
    "granted": to_client(8, number(1, 2) + number(2, 1)),
    "denied": to_client(8, number(1, 2) + block(3, "robot 'avatar' is controlled by client 'x'")),
    "bad_control": to_client(8, number(1, 16) + number(2, 1)),
    "bad_place": to_server(4, block(1, number(1, 2) + block(5, double(1, 1e5)))),
    "bad_version": number(1, 2) + block(6, b""),
    "bad_slot": to_server(4, block(1, number(1, 16))),
    "bad_ramp": to_server(3, number(1, 1) + double(3, -1.0)),
    "bad_speed": to_server(4, block(1, number(2, 1) + doubles(3, float("nan")))),
    "bad_count": to_server(4, block(1, number(2, 3) + doubles(3, 1.0))),
    "bad_many": to_server(4, block(1, b"") * 1000),
    "bad_name": to_server(2, block(1, "x" * 48) + signed(2, 10_000_000)),
    "bad_range": to_client(5, floats(5, float("inf"))),
}

FOLDER.mkdir(parents=True, exist_ok=True)
for name, frame in FRAMES.items():
    (FOLDER / name).write_bytes(frame)
