#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seed corpus of fuzz_hil: what controllers and worlds say (docs/guides/controllers.md), and some of it wrong."""
import pathlib
import struct
import sys

FOLDER = pathlib.Path(sys.argv[1]) / "hil"


def message(kind, body, size=None):
    return struct.pack("<IHH", len(body) + 8 if size is None else size, kind, 0) + body


def hello(version=1, mode=1, every=1, timeout=100000, name=b"arm", magic=b"DPLHIL\r\n", length=None):
    return message(1, magic + struct.pack("<HHIIHH", version, mode, every, timeout, len(name) if length is None else length, 0) + name)


def channels(n_sensors, n_commands, *wants):
    texts = b"".join(struct.pack("<HH", len(path), len(unit)) + path + unit for path, unit in wants)
    return message(2, struct.pack("<HHI", n_sensors, n_commands, 0) + texts)


def command(frame, *values):
    return message(3, struct.pack("<Q%dd" % len(values), frame, *values))


def welcome(name=b"office"):
    return message(129, struct.pack("<HHIQ", 1, len(name), 0, 1000000) + name)


def resolved(*entries):
    body = b"".join(struct.pack("<HHIdd", kind, len(unit), n, -1.0, 1.0) + unit for kind, unit, n in entries)
    return message(130, struct.pack("<HHI", 2, 1, 0) + body)


def sensors(frame, *cells):
    return message(131, struct.pack("<QQqIIII", frame, 5, 5000000, 0, 0, 0, 0) + struct.pack("<%dd" % len(cells), *cells))


def refusal(text=b"no", length=None):
    return message(132, struct.pack("<HHIQ", 3, len(text) if length is None else length, 0, 7) + text)


THREE = resolved((1, b"rad", 1), (2, b"", 1), (1, b"rad/s", 1))
WANTS = (b"a/angle", b"rad"), (b"a/speed", b"rad/s")
WORLD = {
    "whole": hello() + channels(1, 1, *WANTS) + command(1, 0.5, 0.0) + message(4, b""),
    "two_commands": command(1, 0.5, 1.0) + command(2, float("nan"), 3.0),
    "short_command": command(1, 0.5),
    "version": hello(version=2),
    "magic": hello(magic=b"DPLHIL\n\n"),
    "mode": hello(mode=2),
    "every": hello(every=0),
    "timeout": hello(timeout=1),
    "name": hello(length=200),
    "name_zero": hello(name=b"a\0b"),
    "cut": channels(1, 1, WANTS[0]),
    "more": channels(1, 0, *WANTS),
    "many": channels(600, 0),
    "long_path": channels(1, 0, (b"p" * 300, b"")),
    "long_unit": channels(1, 0, (b"p", b"u" * 40)),
    "size": message(3, b"", size=70000),
    "small": message(1, b"", size=4),
    "kind": message(131, b"12345678"),
    "http": b"GET / HTTP/1.1\r\n\r\n",
    "part": hello()[:5],
}
CLIENT = {
    "whole": welcome() + THREE + sensors(1, 0.25, 0.0) + sensors(2, 0.5, 0.0),
    "ended": welcome() + THREE + sensors(1, 0.25, 0.0) + refusal(b"the world ends"),
    "refused": welcome() + refusal(b"there is no channel 'a/angle'"),
    "wide": welcome() + resolved((4, b"", 9000), (2, b"", 1), (1, b"", 1)),
    "huge": welcome() + resolved((4, b"", 0xFFFFFFFF), (2, b"", 0xFFFFFFFF), (1, b"", 2)),
    "vectors": welcome() + resolved((5, b"m", 7), (3, b"", 1), (1, b"", 1)) + sensors(1, *range(8)),
    "none": welcome() + resolved((4, b"", 0), (4, b"", 0), (4, b"", 0)) + sensors(1),
    "long_unit": welcome() + resolved((1, b"u" * 40, 1), (2, b"", 1), (1, b"", 1)),
    "cut": welcome() + resolved((1, b"rad", 1)),
    "error_length": refusal(length=900),
    "error_without_text": refusal(b"\0\0"),
    "error_without_code": message(132, struct.pack("<HHIQ", 0, 2, 0, 7) + b"no"),
    "welcome_length": message(129, struct.pack("<HHIQ", 1, 60000, 0, 1)),
    "frame_size": welcome() + THREE + sensors(1, 0.25),
    "kind": hello(),
    "size": message(131, b"", size=1),
}

FOLDER.mkdir(parents=True, exist_ok=True)
for prefix, side, cases in (("world", b"\0", WORLD), ("client", b"\1", CLIENT)):
    for name, data in cases.items():
        (FOLDER / f"{prefix}_{name}").write_bytes(side + data)
