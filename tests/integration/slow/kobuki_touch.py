# SPDX-License-Identifier: Apache-2.0
"""A Kobuki's host that drives into things: kobuki_touch.py PTY SPEED_MM_S SIDES SECONDS. It drives until the bumper
is pressed in, pushes on for a second, and backs off. Written against the wire, without Doppel's codecs."""
import os, select, struct, sys, termios, time, tty

pty, speed, sides, patience = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
line = os.open(pty, os.O_RDWR | os.O_NOCTTY)
tty.setraw(line, termios.TCSANOW)


def drive(mm_s):
    payload = struct.pack("<BBhh", 1, 4, mm_s, 0)
    check = len(payload)
    for byte in payload:
        check ^= byte
    os.write(line, bytes([0xAA, 0x55, len(payload)]) + payload + bytes([check]))


def frames():
    """(stamp, bumper) of each feedback frame; ends after a second of silence."""
    data = b""
    while select.select([line], [], [], 1.0)[0]:
        data += os.read(line, 4096)
        while len(data) >= 4 and len(data) >= data[2] + 4:
            size = data[2]
            assert data[:2] == b"\xaa\x55", data[:8]
            payload, data = data[3 : size + 3], data[size + 4 :]
            assert payload[0] == 1 and payload[1] == 15, payload[:4]
            yield struct.unpack_from("<HB", payload, 2)
    raise SystemExit("the base has fallen silent")


stream, before = frames(), None


def follow(mm_s, seconds, until=None):
    """The bumpers of the frames of so many seconds of the base's clock."""
    global before
    bumpers, passed = [], 0
    for stamp, bumper in stream:
        if before is not None:
            step = (stamp - before) & 0xFFFF
            assert step == 20, f"stamps step by {step} ms"
            passed += step
        before = stamp
        drive(mm_s)
        bumpers.append(bumper)
        if passed >= seconds * 1000 or (until and until(bumper)):
            return bumpers


way = follow(speed, patience, lambda bumper: bumper != 0)
assert way[-1] != 0, f"no touch in {patience} s at {speed} mm/s"
assert way[-1] & sides, f"bumper {way[-1]}, expected one of {sides}"
pushed = follow(speed, 1.0)
assert all(pushed), f"let go while it pushes at {speed} mm/s: {pushed}"
off = follow(-speed // 2, 1.0)
assert off[-1] == 0, f"still pressed after backing off: {off}"
print(f"{speed} mm/s: bumper {way[-1]} after {len(way)} frames, {len(pushed)} pushing, free after {off.index(0)}")
