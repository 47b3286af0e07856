#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A CANopen master written against Debian's python3-can (not ours, not in this repository), which brings the adapter
(slcan) and the frames; NMT, SDO and CiA 402 are written here from the standards, apart from the C code. It judges by
formulas of its own. can_master.py PTY: exercises the emulated drives of client_can.sh, prints what it saw and ends with 1
when something is not as it must be."""
import math
import struct
import sys
import time

import can

PERIOD = 0.01  # s, from SYNC to SYNC
COUNTS = 1e6  # a metre
ENDS = (-0.6, 0.6)  # m, end stops of client_can.sh

STATES = {  # statusword, its bits of the state
    0x40: "switch on disabled",
    0x21: "ready to switch on",
    0x23: "switched on",
    0x27: "operation enabled",
    0x07: "quick stop active",
    0x0F: "fault reaction active",
    0x08: "fault",
}


def check(holds, *what):
    if not holds:
        raise AssertionError(" ".join(str(w) for w in what))


def state_of(word):
    return STATES.get(word & 0x4F if word & 0x4F in (0x40, 0x0F, 0x08) else word & 0x6F, f"unknown {word:04x}")


class Abort(Exception):
    pass


class HeldUp(Exception):
    """This program or the emulator did not run for a while, so that what was seen cannot be judged."""


def undisturbed(attempt, *args):
    for _ in range(6):
        try:
            return attempt(*args)
        except HeldUp as why:
            print("once more:", why)
    raise HeldUp("six times")


class Node:
    """One drive on the bus. What comes while something else is waited for is kept."""

    def __init__(self, bus, number):
        self.bus, self.number = bus, number
        self.beats, self.emergencies, self.answers, self.process = [], [], [], {}

    def hear(self, timeout):
        message = self.bus.recv(timeout)
        if message is None:
            return False
        kind, data = message.arbitration_id - self.number, bytes(message.data)
        if kind == 0x700:
            self.beats.append((time.monotonic(), data[0]))
        elif kind == 0x80:
            self.emergencies.append(struct.unpack("<H", data[:2])[0])
        elif kind == 0x580:
            self.answers.append(data)
        elif kind in (0x180, 0x280):
            self.process[kind] = data
        return True

    def until(self, holds, seconds, what):
        end = time.monotonic() + seconds
        while not holds():
            left = end - time.monotonic()
            check(left > 0, "not within", seconds, "s:", what)
            self.hear(left)

    def drain(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.hear(left)

    def say(self, ident, data=b""):
        self.bus.send(can.Message(arbitration_id=ident, data=data, is_extended_id=False))

    # ---- network management ----

    def nmt(self, command):
        self.say(0, bytes([command, self.number]))

    def reset(self, command=0x81):
        self.beats.clear()
        self.nmt(command)
        self.until(lambda: (any(state == 0 for _, state in self.beats)), 3, "boot-up")

    # ---- SDO ----

    def ask(self, data):
        self.answers.clear()
        self.say(0x600 + self.number, data.ljust(8, b"\0"))
        self.until(lambda: self.answers, 3, f"answer to {data.hex()}")
        answer = self.answers.pop()
        if answer[0] == 0x80:
            raise Abort(struct.unpack("<I", answer[4:])[0])
        return answer

    def head(self, command, index, sub):
        return struct.pack("<BHB", command, index, sub)

    def read(self, index, sub=0):
        """The bytes, and in how many segments they came; 0: expedited."""
        answer = self.ask(self.head(0x40, index, sub))
        check(answer[1:4] == struct.pack("<HB", index, sub), "answer for", answer[1:4].hex())
        if answer[0] & 2:
            return answer[4 : 8 - (answer[0] >> 2 & 3 if answer[0] & 1 else 0)], 0
        length = struct.unpack("<I", answer[4:])[0] if answer[0] & 1 else None
        data, toggle, segments = b"", 0, 0
        while True:
            answer = self.ask(bytes([0x60 | toggle]))
            check(answer[0] & 0xF0 == toggle, "segment", answer.hex())
            data += answer[1 : 8 - (answer[0] >> 1 & 7)]
            toggle ^= 0x10
            segments += 1
            if answer[0] & 1:
                check(length in (None, len(data)), "told", length, "bytes, came", len(data))
                return data, segments

    def number_of(self, index, sub=0, signed=False):
        return int.from_bytes(self.read(index, sub)[0], "little", signed=signed)

    def write(self, index, sub, size, value):
        data = int(value).to_bytes(size, "little", signed=value < 0)
        answer = self.ask(self.head(0x23 | (4 - size) << 2, index, sub) + data)
        check(answer[0] == 0x60, "write is answered by", answer.hex())

    def write_segments(self, index, sub, data, tells_length=True, breaks_toggle=False):
        length = struct.pack("<I", len(data)) if tells_length else b""
        answer = self.ask(self.head(0x21 if tells_length else 0x20, index, sub) + length)
        check(answer[0] == 0x60, "begin is answered by", answer.hex())
        parts = [data[i : i + 7] for i in range(0, len(data), 7)] or [b""]
        for i, part in enumerate(parts):
            toggle = (i + breaks_toggle) % 2 << 4
            answer = self.ask(bytes([toggle | (7 - len(part)) << 1 | (i + 1 == len(parts))]) + part)
            check(answer[0] == 0x20 | toggle, "segment is answered by", answer.hex())
        return len(parts)

    def refuses(self, code, action, *args, **names):
        try:
            action(*args, **names)
        except Abort as abort:
            check(abort.args[0] == code, f"abort {abort.args[0]:08x}, not {code:08x}")
            return
        check(False, "not refused", args)


class Drive(Node):
    """Process data with SYNC, and the state machine."""

    def map_pdo(self, how, ident, objects):
        self.write(how, 1, 4, 0x80000000 | ident + self.number)
        self.write(how, 2, 1, 1)
        self.write(how + 0x200, 0, 1, 0)
        for i, (index, bits) in enumerate(objects):
            self.write(how + 0x200, i + 1, 4, index << 16 | bits)
        self.write(how + 0x200, 0, 1, len(objects))
        self.write(how, 1, 4, ident + self.number)

    def set_up(self, offset):
        self.reset()
        self.map_pdo(0x1400, 0x200, [(0x6040, 16), (0x607A, 32)])
        if offset:
            self.map_pdo(0x1401, 0x300, [(0x60B1, 32)])
        self.map_pdo(0x1800, 0x180, [(0x6041, 16), (0x6064, 32)])
        self.map_pdo(0x1801, 0x280, [(0x606C, 32), (0x60F4, 32)])
        self.write(0x6060, 0, 1, 8)
        self.write(0x60C2, 1, 1, round(PERIOD * 1e3))
        self.write(0x60C2, 2, 1, -3)
        self.write(0x6085, 0, 4, 5 * COUNTS)
        self.write(0x6065, 0, 4, 50000)
        check(self.number_of(0x6061) == 8, "cyclic synchronous position mode")
        self.has_offset, self.hold_ups = offset, 0
        self.emergencies.clear()
        self.nmt(1)
        self.next_at = time.monotonic() + PERIOD
        self.sample()

    def sample(self, word=None, target=0.0, speed=0.0):
        """One period: targets, if there are, then SYNC, then what the drive says of that instant. When the machine held
        this program up whole periods are left out, as a master must: self.skipped of them."""
        left = self.next_at - time.monotonic()
        self.skipped = max(0, math.ceil(-left / PERIOD - 0.5))
        self.next_at += self.skipped * PERIOD
        while (left := self.next_at - time.monotonic()) > 0:
            self.hear(left) if left > 0.002 else time.sleep(left)
        planned, self.next_at = self.next_at, self.next_at + PERIOD
        if word is not None:
            target += speed * self.skipped * PERIOD
            self.say(0x200 + self.number, struct.pack("<Hi", word, round(target * COUNTS)))
            if self.has_offset:
                self.say(0x300 + self.number, struct.pack("<i", round(speed * COUNTS)))
        self.process.clear()
        self.say(0x80)
        self.until(lambda: 0x180 in self.process and 0x280 in self.process, 2, "process data")
        self.late = time.monotonic() - planned  # of whichever of the two programs was held up
        self.hold_ups += self.skipped > 0 or self.late > 0.006
        self.word, position = struct.unpack("<Hi", self.process[0x180])
        velocity, error = struct.unpack("<ii", self.process[0x280])
        self.position, self.velocity, self.error = position / COUNTS, velocity / COUNTS, error / COUNTS
        self.state = state_of(self.word)
        return self

    def enable(self):
        for word, state in ((0x06, "ready to switch on"), (0x07, "switched on"), (0x0F, "operation enabled")):
            self.sample(word, self.position)
            self.sample(word, self.position)
            check(self.state == state, f"{word:02x} leads to {self.state}, not {state}")
        self.target = self.position

    def move(self, speed, seconds, look=lambda: None):
        """At an even speed from the newest target on."""
        for _ in range(round(seconds / PERIOD)):
            self.sample(0x0F, self.target + speed * PERIOD, speed)
            self.target += speed * PERIOD * (1 + self.skipped)
            look()

    def come_to_rest(self, word, seconds=3):
        """The fastest, and the way, from the first sample on, until the axis stands; this host commands no target any more."""
        first = self.position
        still = 0
        for _ in range(round(seconds / PERIOD)):
            self.sample(word, self.target)
            still = still + 1 if abs(self.velocity) < 0.0005 else 0
            if still >= 10:
                return self.position - first
        check(False, f"no rest within {seconds} s, {self.velocity} m/s")


# ---- what is tried ----


def adapter(pty):
    bus = can.Bus(interface="slcan", channel=pty, bitrate=1000000)
    check(bus.get_version(2) == (10, 13), "version of the adapter")
    check(bus.get_serial_number(2) == "DPL1", "serial number of the adapter")
    print("adapter: opened at 1 Mbit/s, version 10.13, serial number DPL1")
    return bus


def timing_registers(pty):
    """The other way to set the bit rate: BTR0 and BTR1 of an SJA1000 at 16 MHz, 1 Mbit/s."""
    bus = can.Bus(interface="slcan", channel=pty, btr="0014", sleep_after_open=0.1)
    drive = Node(bus, 1)
    check(drive.number_of(0x1000) & 0xFFFF == 402, "a drive")
    said = []
    for command in ("C", "s0014", "s0000"):  # the last would be 2.67 Mbit/s
        bus.flush()
        bus._write(command)
        said.append(bus._read(2))
    check(said == ["\r", "\r", "\a"], "close and BTR are answered by", said)
    bus.shutdown()
    print("adapter: bit rate by timing registers")


def management(node):
    node.reset()
    node.write(0x1017, 0, 2, 50)
    for command, state, name in ((None, 0x7F, "pre-operational"), (1, 5, "operational"), (2, 4, "stopped")):
        if command:
            node.nmt(command)
        node.drain(0.12)
        node.beats.clear()
        node.until(lambda: len(node.beats) >= 11, 5, "heartbeats")
        times = [t for t, _ in node.beats]
        mean = (times[-1] - times[0]) / (len(times) - 1)
        check(all(s == state for _, s in node.beats), name, node.beats)
        check(abs(mean - 0.05) < 0.005, "heartbeat every", mean)
    node.answers.clear()
    node.say(0x600 + node.number, node.head(0x40, 0x1000, 0) + bytes(4))
    node.drain(0.3)
    check(not node.answers, "a stopped node answers no SDO")
    node.nmt(0x80)
    node.drain(0.12)
    check(node.beats[-1][1] == 0x7F, "pre-operational again")
    node.reset(0x82)
    check(node.number_of(0x1017) == 0, "a reset of the communication ends the heartbeat")
    print("network: boot-up, heartbeat in all states, start, stop, pre-operational, both resets")


def identity(nodes):
    for node in nodes:
        check(node.number_of(0x1000) & 0xFFFF == 402, "device profile")
        texts = []
        for index in (0x1008, 0x1009, 0x100A):
            data, segments = node.read(index)
            check(segments == math.ceil(len(data) / 7) and len(data) > 4, hex(index), data, segments)
            texts.append(data.decode("ascii"))
        check(node.number_of(0x1018) == 4, "1018h is whole")
        node.numbers = [node.number_of(0x1018, sub) for sub in range(1, 5)]
        print(f"node {node.number}: {texts}, vendor, product, revision, serial {node.numbers}")
    check(nodes[0].numbers[:3] == nodes[1].numbers[:3] and nodes[0].numbers[1] != 0, "drives of one kind")
    check(nodes[0].numbers[3] != nodes[1].numbers[3], "each has its serial number")


def transfers(node):
    for index, size, value in ((0x6060, 1, 8), (0x1017, 2, 1234), (0x6085, 4, 3000000), (0x607D, 4, -250000)):
        sub = 1 if index == 0x607D else 0
        node.write(index, sub, size, value)
        data, segments = node.read(index, sub)
        check(len(data) == size and segments == 0, hex(index), data)
        check(int.from_bytes(data, "little", signed=value < 0) == value, hex(index), data)
    node.write(0x1017, 0, 2, 0)
    for length in (0, 1, 4, 5, 7, 8, 14, 21, 64):
        text = bytes(33 + i for i in range(length))
        count = node.write_segments(0x6404, 0, text, tells_length=length % 2 == 0)
        data, segments = node.read(0x6404)
        check(data == text, "came back as", data)
        check(segments == (0 if 1 <= length <= 4 else max(1, math.ceil(length / 7))), length, segments)
    node.write_segments(0x6085, 0, struct.pack("<I", 4000000))
    check(node.number_of(0x6085) == 4000000, "a number in a segment")
    node.refuses(0x05030000, node.write_segments, 0x6404, 0, b"toggle", breaks_toggle=True)
    node.refuses(0x06070012, node.write_segments, 0x6404, 0, bytes(65 * [65]), tells_length=False)
    node.refuses(0x06070012, node.write_segments, 0x6085, 0, b"12345")
    node.refuses(0x06010002, node.write_segments, 0x1008, 0, b"another name")
    node.refuses(0x05040001, node.ask, b"\x60")
    node.refuses(0x05040001, node.ask, b"\xa0\x08\x10\x00\x20\x00")  # block upload: not offered
    node.refuses(0x06020000, node.read, 0x2345)
    node.refuses(0x06090011, node.read, 0x1018, 9)
    node.refuses(0x06010002, node.write, 0x6041, 0, 2, 0)
    node.refuses(0x06090030, node.write, 0x605A, 0, 2, 9)
    check(node.read(0x6404)[0] == text, "refused transfers have changed nothing")
    print("SDO: expedited 1, 2, 4 bytes; in segments 0 to 64 bytes both ways, with and without length; ten refusals")


def strictly(node, count):
    """One request at a time, the next as soon as the answer is there; each must be answered."""
    begin = time.monotonic()
    for i in range(count):
        check(node.number_of(0x1000) & 0xFFFF == 402, "request", i)
    check(not node.answers, "more answers than requests")
    print(f"{count} SDO requests one by one: {count} answers in {time.monotonic() - begin:.1f} s")


def even_motion(drive, speed, offset):
    drive.set_up(offset)
    drive.enable()
    seen, steady = [], 0

    def look():
        nonlocal steady
        steady = steady + 1 if drive.skipped == 0 and drive.late < 0.005 else 0
        if steady > 30:  # 0.3 s without being held up
            seen.append((drive.velocity, drive.target - drive.position, drive.late))

    direction = 1
    end = time.monotonic() + 20
    while len(seen) < 100:  # there and back until 1 s has been seen undisturbed
        if time.monotonic() > end:
            raise HeldUp(f"in 20 s of CSP only {len(seen)} samples were not")
        steady = 0
        drive.move(direction * speed, 1.5, look)
        drive.move(0.0, 0.1)
        direction = -direction
        seen = [(abs(v), abs(lag), late) for v, lag, late in seen]
    least, most = min(v for v, _, _ in seen), max(v for v, _, _ in seen)
    check(least > 0.98 * speed and most < 1.02 * speed, f"606Ch from {least:.4f} to {most:.4f} m/s, not {speed}")
    lag, late = (sum(s[i] for s in seen) / len(seen) for i in (1, 2))
    # the target of a SYNC is reached one period later; the answer to it is of before. A SYNC that comes late finds the drive further
    check(abs(lag - speed * PERIOD) < speed * (0.1 * PERIOD + late), f"{lag * 1e3:.3f} mm behind the target, SYNC {late * 1e3:.2f} ms late")
    print(f"CSP {'with' if offset else 'without'} 60B1h, {speed} m/s: 606Ch {least * 1e3:.2f} to {most * 1e3:.2f} mm/s in {len(seen)} samples, "
          f"{lag * 1e3:.2f} mm behind the target")


def stops_within(drive, word, deceleration, what):
    """From each sample on the ramp the rest of the way is v^2/2a at most."""
    path = []
    still = 0
    while still < 10 and len(path) < 500:
        path.append((drive.position, drive.velocity))
        drive.sample(word, drive.target)
        still = still + 1 if abs(drive.velocity) < 0.0005 else 0
    check(still == 10, what, "does not come to rest", drive.velocity)
    worst = 0.0
    for position, velocity in path:
        way, most = (drive.position - position) * math.copysign(1, path[0][1]), velocity**2 / (2 * deceleration)
        check(way <= 1.02 * most + 0.0005, f"{what}: {way * 1e3:.2f} mm from {velocity:.3f} m/s, v^2/2a is {most * 1e3:.2f} mm")
        worst = max(worst, way)
    velocity = path[0][1]
    print(f"{what}: {velocity:.3f} m/s to rest in {worst * 1e3:.2f} mm, v^2/2a is {velocity**2 / (2 * deceleration) * 1e3:.2f} mm")
    return worst


def following_error(drive, speed, step, window, option, deceleration):
    drive.set_up(False)
    drive.write(0x6084, 0, 4, 2 * COUNTS)
    drive.write(0x605E, 0, 2, option)
    check(drive.number_of(0x605E) == option, "605Eh")
    drive.write(0x6065, 0, 4, window)
    top = drive.number_of(0x6080) / COUNTS
    drive.enable()
    for share in range(1, 11):  # a ramp that it can follow within the window
        drive.move(speed * share / 10, PERIOD)
    drive.move(speed, 0.4)
    is_even = drive.state == "operation enabled" and abs(drive.velocity - speed) < 0.02
    if drive.hold_ups and not is_even:
        raise HeldUp(f"before the step, {drive.hold_ups} times")
    check(is_even, drive.state, drive.velocity)
    begin, fastest = drive.position, 0.0
    drive.target += step
    for _ in range(5):
        drive.sample(0x0F, drive.target)
        fastest = max(fastest, abs(drive.velocity))
        if drive.state != "operation enabled":
            break
    check(drive.state in ("fault reaction active", "fault"), "a step of", step, "leads to", drive.state)
    what = f"following error, {step * 1e3:g} mm step at {speed} m/s, 605Eh = {option}"
    stops_within(drive, 0x0F, deceleration, what)
    check(drive.state == "fault", drive.state)
    check(drive.emergencies == [0x8611], "emergencies", [hex(e) for e in drive.emergencies])
    check(drive.number_of(0x603F) == 0x8611 and drive.number_of(0x1003, 1) == 0x8611, "603Fh and 1003h")
    check(fastest <= top, "faster than 6080h", fastest)
    # before its fault it followed for a period at most
    whole = drive.position - begin
    most = (fastest + 1.0) ** 2 / (2 * deceleration) + (fastest + 1.0) * 3 * PERIOD
    check(abs(whole) < most, "the whole way", whole, most)
    reset_fault(drive)


def reset_fault(drive):
    drive.emergencies.clear()
    drive.sample(0x0F, drive.position)
    check(drive.state == "fault", "only an edge resets a fault, not", drive.state)
    drive.sample(0x80, drive.position)
    drive.sample(0x00, drive.position)
    check(drive.state == "switch on disabled", "after the reset", drive.state)
    check(drive.emergencies == [0], "the emergency is over", drive.emergencies)
    check(drive.number_of(0x1001) == 0, "error register")
    drive.enable()
    drive.move(0.0, 0.1)
    check(drive.state == "operation enabled" and abs(drive.velocity) < 0.001, "operation again")


def quick_stop(drive, option, deceleration, behind):
    drive.set_up(False)
    drive.write(0x6084, 0, 4, 1 * COUNTS)
    drive.write(0x6085, 0, 4, 2 * COUNTS)
    drive.write(0x605A, 0, 2, option)
    drive.enable()
    drive.move(-0.3 if drive.position > 0 else 0.3, 0.5)
    drive.sample(0x02, drive.target)
    drive.sample(0x02, drive.target)
    check(drive.state == "quick stop active", drive.state)
    way = stops_within(drive, 0x02, deceleration, f"quick stop, 605Ah = {option}")
    check(way > 0.5 * 0.25**2 / (2 * deceleration), "that is no ramp", way)
    drive.sample(0x02, drive.target)
    check(drive.state == behind, drive.state)


def top_speed(drive):
    for index in (0x6080, 0x607F):
        drive.set_up(False)
        drive.write(index, 0, 4, 0.05 * COUNTS)
        drive.write(0x6065, 0, 4, 500000)
        drive.enable()
        seen = []
        drive.move(-0.2 if drive.position > 0 else 0.2, 0.5, lambda: seen.append((abs(drive.velocity), drive.word >> 11 & 1)))
        check(max(v for v, _ in seen) < 0.0515, f"{index:04x} lets it go at", max(v for v, _ in seen))
        check(all(limit for _, limit in seen[3:]), "bit 11 tells the limit")
        drive.come_to_rest(0x02)
        print(f"{index:04X}h = 0.05 m/s: {max(v for v, _ in seen):.4f} m/s at most, bit 11 set")


def end_stop(drive):
    drive.set_up(False)
    drive.enable()
    drive.move(-0.2, max(0.0, drive.position - 0.2) / 0.2)
    drive.move(0.0, 0.1)
    drive.write(0x6065, 0, 4, 5000)
    drive.sample(0x0F, drive.target)
    drive.hold_ups = 0
    for _ in range(800):
        drive.move(0.2, PERIOD)
        if drive.state != "operation enabled":
            break
    drive.come_to_rest(0x0F)
    if drive.hold_ups and abs(drive.position - ENDS[1]) > 0.001:
        raise HeldUp("on the way to the end stop")
    check(drive.emergencies == [0x8611] and drive.state == "fault", drive.state, drive.emergencies)
    check(abs(drive.position - ENDS[1]) < 0.0005, "at", drive.position)
    print(f"end stop: fault 8611h at {drive.position * 1e3:.2f} mm, at rest")


def main():
    bus = adapter(sys.argv[1])
    drive, other = Drive(bus, 1), Drive(bus, 2)
    management(drive)
    identity([drive, other])
    transfers(drive)
    strictly(drive, 6000)
    even_motion(drive, 0.1, False)
    even_motion(drive, 0.1, True)
    even_motion(other, 0.15, False)
    undisturbed(following_error, drive, 0.0, 0.2, 2000, 2, 5)
    undisturbed(following_error, drive, 0.4, 0.2, 2000, 2, 5)
    undisturbed(following_error, drive, -0.4, -0.01, 2000, 1, 2)
    quick_stop(drive, 6, 2, "quick stop active")
    quick_stop(drive, 2, 2, "switch on disabled")
    quick_stop(drive, 5, 1, "quick stop active")
    top_speed(drive)
    undisturbed(end_stop, other)
    bus.shutdown()
    timing_registers(sys.argv[1])
    print("all as it must be")


if __name__ == "__main__":
    try:
        main()
    except HeldUp as why:
        print("held up:", why)
        sys.exit(77)
