#!/usr/bin/env python3
"""Writes the corpus of fuzz_modbus: FOLDER/modbus."""
import pathlib
import struct
import sys

folder = pathlib.Path(sys.argv[1]) / "modbus"
folder.mkdir(parents=True, exist_ok=True)


def ask(form, *values, more=b"", unit=1, transaction=1):
    body = struct.pack(form, *values) + more
    return struct.pack(">HHHB", transaction, 0, len(body) + 1, unit) + body


def words(*values):
    return struct.pack(f">{len(values)}H", *values)


corpus = {
    "reads": [
        ask(">BHH", 1, 0, 22),
        ask(">BHH", 2, 3, 17),
        ask(">BHH", 3, 0, 4, transaction=9),
        ask(">BHH", 4, 0, 4),
        ask(">BHH", 4, 65535, 1),
    ],
    "writes": [
        ask(">BHH", 5, 0, 0xFF00),
        ask(">BHH", 6, 0, 0xFE0C),
        ask(">BHHB", 15, 0, 10, 2, more=b"\xff\x03"),
        ask(">BHHB", 16, 0, 4, 8, more=words(1500, 1, 2, 3)),
        ask(">BHHHHB", 23, 1, 3, 0, 2, 4, more=words(7, 8)),
    ],
    "far": [
        ask(">BHHHHB", 23, 65535, 1, 65535, 1, 2, more=words(7)),
        ask(">BHH", 6, 65535, 1),
        ask(">BHH", 3, 65535, 2),
        ask(">BHH", 3, 65535, 1),
    ],
    "exceptions": [
        ask(">BHH", 3, 0, 5),
        ask(">BHH", 3, 0, 0),
        ask(">BHH", 4, 4, 1),
        ask(">BHH", 6, 2, 1),
        ask(">BHH", 22, 0, 0),
        ask(">BHH", 3, 0, 1, unit=7),
        ask(">BBBB", 0x2B, 0x0E, 1, 0),
        ask(">B", 0x85),
    ],
    "counts": [
        ask(">BHHB", 16, 0, 123, 246, more=bytes(246)),
        ask(">BHHB", 15, 0, 1968, 246, more=bytes(246)),
        ask(">BHHB", 16, 0, 2, 3, more=bytes(4)),
        ask(">BHH", 1, 0, 2000),
    ],
    "garbage": [b"GET / HTTP/1.1\r\n\r\n"],
    "cut": [ask(">BHH", 6, 0, 1000), ask(">BHH", 3, 0, 4)[:9]],
    "edges": [ask(">BHH", 5, address, on) for address, on in
              [(1, 0xFF00), (1, 0), (1, 0xFF00), (0, 0xFF00), (0, 0xFF00), (0, 0)]],
    "watchdog": [*(ask(">BHH", 6, 0, 100 + i) for i in range(8)), ask(">BHH", 6, 1, 1)],
}
for name, parts in corpus.items():
    (folder / name).write_bytes(b"".join(parts))
