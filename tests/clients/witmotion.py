#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A host of a WitMotion sensor on a serial port, written from the maker's data sheet (WT901 v20-0702, section 5.1) and not from Doppel's
sources; it uses Python's standard library alone. witmotion.py PORT SECONDS: reads for so long and prints, one a line, the packets of each
type, the bytes that belong to none, the time between measurements in s, and the mean values: g, degrees a second, degrees. Ends with 1
when nothing came."""
import os
import select
import struct
import sys
import termios
import time
import tty

NAMES = {0x51: ("acceleration_g", 16), 0x52: ("rate_deg_s", 2000), 0x53: ("angles_deg", 180)}


def open_port(path):
    port = os.open(path, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(port)
    settings = termios.tcgetattr(port)
    settings[4] = settings[5] = termios.B9600
    termios.tcsetattr(port, termios.TCSANOW, settings)
    return port


def listen(port, seconds):
    """All bytes, and for each chunk how many there were before it and when it came."""
    data, arrivals, end = b"", [], time.monotonic() + seconds
    while time.monotonic() < end:
        if select.select([port], [], [], 0.1)[0]:
            arrivals.append((len(data), time.monotonic()))
            data += os.read(port, 4096)
    return data, arrivals


def packets(data):
    """(type, offset, three numbers) of each valid packet, and the bytes in front of the next one."""
    at = lost = 0
    while at + 11 <= len(data):
        body = data[at : at + 10]
        if body[0] == 0x55 and sum(body) & 0xFF == data[at + 10]:
            yield body[1], at, struct.unpack("<3h", body[2:8]), lost
            at, lost = at + 11, 0
        else:
            at, lost = at + 1, lost + 1


def main():
    data, arrivals = listen(open_port(sys.argv[1]), float(sys.argv[2]))
    found = list(packets(data))
    if not found:
        return 1
    for kind, (name, full) in NAMES.items():
        values = [v for k, _, v, _ in found if k == kind]
        means = [sum(v[i] for v in values) / len(values) / 32768 * full for i in range(3)]
        print(f"packets_{kind:02x}", len(values))
        print(name, *(f"{mean:.4f}" for mean in means))
    print("other_types", sum(k not in NAMES for k, *_ in found))
    print("lost_bytes", sum(lost for *_, lost in found))
    begins = [at for k, at, *_ in found if k == 0x51]
    times = [max(t for n, t in arrivals if n <= at) for at in begins]
    print("period_s", f"{(times[-1] - times[0]) / (len(times) - 1):.4f}")
    order = [k for k, *_ in found]
    print("in_order", all(order[i : i + 3] == [0x51, 0x52, 0x53] for i in range(order.index(0x51), len(order) - 2, 3)))
    return 0


sys.exit(main())
