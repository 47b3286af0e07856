#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of FOLDER/{canopen,firmata_board,firmata_host,kobuki,scip_reply,scip_request,slcan} (corpus.py).

Each seed is one byte (how the fuzzer cuts the stream) and the stream. The encoders here are written
apart from the C ones, so that a seed the C parser refuses shows a difference.
"""
import functools
import operator
import pathlib
import struct
import sys

HERE = pathlib.Path(sys.argv[1])


def kobuki(*blocks):
    payload = b"".join(bytes([i, len(d)]) + d for i, d in blocks)
    body = bytes([len(payload)]) + payload
    return b"\xaa\x55" + body + bytes([functools.reduce(operator.xor, body)])


def total(text):
    return bytes([(sum(text) & 0x3F) + 0x30])


def summed(text):
    return text + total(text) + b"\n"


def info(text):
    return text + b";" + total(text) + b"\n"


def number(value, chars):
    return bytes(((value >> (6 * i)) & 0x3F) + 0x30 for i in reversed(range(chars)))


def head(echo, status=b"00"):
    return echo + b"\n" + summed(status)


def scan(echo, data, status=b"00", stamp=123456):
    lines = b"".join(summed(data[i : i + 64]) for i in range(0, len(data), 64))
    return head(echo, status) + summed(number(stamp, 4)) + lines + b"\n"


def kobuki_seeds():
    core = (1, struct.pack("<HBBBHHbbBBBB", 1000, 5, 2, 3, 65530, 10, -10, 10, 4, 22, 167, 2))
    dock, inertia = (3, b"\1\2\3"), (4, struct.pack("<hhBBB", -9000, 300, 0, 0, 0))
    cliff, current = (5, struct.pack("<3H", 1, 2, 3)), (6, b"\x0a\x14")
    gyro = (13, bytes([7, 6]) + struct.pack("<6h", 1, -2, 3, -4, 5, -6))
    inputs = (16, struct.pack("<8H", 15, 1, 2, 3, 4, 0, 0, 0))
    hardware, firmware = (10, b"\4\0\1\0"), (11, b"\0\2\1\0")
    udid = (19, struct.pack("<3I", 0xDEADBEEF, 1, 2))
    gains = struct.pack("<BIII", 1, 100000, 100, 2000)
    stream = [core, dock, inertia, cliff, current, gyro, inputs]
    full = kobuki(*stream)
    yield "feedback_stream", full
    yield "feedback_answers", kobuki(*stream, hardware, firmware, udid, (21, gains))
    yield "feedback_old_firmware", kobuki(core, (10, b"\x68\0"), (11, b"\x7b\0"))
    yield "feedback_two_frames", full + kobuki(core, gyro)
    yield "feedback_garbage_between", full + b"\x00\xaa\xaa\x55\xff" + kobuki(core) * 3
    yield "feedback_bad_check", full[:-1] + bytes([full[-1] ^ 1]) + full
    yield "feedback_bad_length", kobuki((1, b"\0" * 14), core)
    yield "feedback_unknown_block", kobuki((99, b"xyz"), current)
    yield "feedback_gyro_bad_count", kobuki((13, b"\0\3\1\2\3\4"))
    yield "feedback_cut_block", kobuki(core)[:9]
    yield "empty_payload", b"\xaa\x55\0\0" * 3
    yield "longest_payload", kobuki((99, b"\xaa\x55" * 126 + b"\0"))
    yield "command_base", kobuki((1, struct.pack("<hh", -200, 400)))
    yield "command_spin", kobuki((1, struct.pack("<hh", 115, 1)))
    yield "command_sound", kobuki((3, b"\x89\3\xc8")) + kobuki((4, b"\6"))
    yield "command_requests", kobuki((9, b"\x0b\0"), (14, b"\0"))
    yield "command_outputs", kobuki((12, b"\xf3\x09"), (13, gains))
    yield "command_many", kobuki((1, b"\0\0\0\0"), (2, b"?"), (1, b"\0\0"), (4, b"\2"))


def scip_reply_seeds():
    yield "status", head(b"BM", b"02") + b"\n" + head(b"QT") + b"\n"
    yield "unknown", head(b"ZZ", b"0E") + b"\n"
    yield "scip11", b"QT\nE\n\nSCIP2.0\n0\n\n"
    yield "version", head(b"VV") + info(b"VEND:Hokuyo Automatic Co.,Ltd.") + info(
        b"PROT:SCIP 2.0"
    ) + b"\n"
    keys = b"MODL:URG-04LX DMIN:20 DMAX:5600 ARES:1024 AMIN:44 AMAX:725 AFRT:384 SCAN:600"
    yield "parameters", head(b"PP") + b"".join(map(info, keys.split())) + b"\n"
    yield "parameters_short", head(b"PP") + info(b"DMIN:x") + b"\n"
    yield "time", head(b"TM1") + summed(number(0xFFFFFF, 4)) + b"\n"
    three = b"".join(number(i * 37, 3) for i in range(31))
    two = b"".join(number(i * 17, 2) for i in range(33))
    both = b"".join(number(i, 3) + number(i * 9, 3) for i in range(20))
    echoes = b"".join(number(i, 3) + (b"&" + number(i + 5, 3)) * (i % 3) for i in range(20))
    yield "gd", scan(b"GD0000003001", three)
    yield "gs", scan(b"GS0010004201", two)
    yield "ge", scan(b"GE0000001901", both)
    yield "hd", scan(b"HD0000001901", echoes)
    yield "gs_cluster", scan(b"GS0000009803", two)
    stream = head(b"MD0000003001002") + b"\n"
    yield "md", stream + scan(b"MD0000003001001", three, b"99") + scan(
        b"MD0000003001000", three, b"99", 0xFFFFFF
    )
    yield "md_then_quit", stream + scan(b"MD0000003001000", three, b"99") + head(b"QT") + b"\n"
    yield "joined_in_the_middle", scan(b"GD0000003001", three)[40:] + head(b"QT") + b"\n"
    yield "bad_sum", scan(b"GS0010004201", two).replace(b"0", b"1", 1) + head(b"QT") + b"\n"
    yield "too_little", scan(b"GS0010004301", two)
    yield "too_much", scan(b"GS0010004101", two)
    yield "too_long", b"x" * 200 + b"\n\n" + head(b"QT") + b"\n"
    yield "condition", head(b"%ST") + b"004D\n\n" + head(b"%ST") + b"004E\n\n"


def scip_request_seeds():
    rows = """VV|PP|II|BM|QT|RS|RT|RB|TM0|TM1|TM2|SS115200|SS019200|CR05|HS0|%SL|%ST|SCIP2.0|%ST;me|%STX
GD0044072501|GS0000076801|GE0000108001|GD0000108001;hello|HD0000108001|HE0000108000
MD0000108001000|MS0044072503510|ME0000108001001|ND0000108001000|NE0000108001299
GD0725004401|GD0000999901|GD|GD00x0108001|GD0000x08001|GD000010800x|MD0000108001x00|MD00001080010x0
XX|G|GX|TM3|TM|SS1152|HS2|PPP|SCIP2.1|VV;0123456789abcdefg|GF0000108001|MG0000108001000"""
    for row, texts in enumerate(rows.split("\n")):
        for i, group in enumerate(zip(*[iter(texts.split("|"))] * 4)):
            yield f"group_{row}_{i}", b"".join(t.encode() + b"\n" for t in group)
    yield "line_ends", b"\nVV\rPP\r\nII\n\rBM\n\n"
    yield "too_long", b"V" * 300 + b"\nVV\n"
    yield "binary", bytes(range(256)) + b"\nQT;\x7f\n"


def sysex(ident, *data):
    return bytes([0xF0, ident, *data, 0xF7])


def pairs(text):
    return [b for c in text for b in (c & 0x7F, c >> 7)]


def firmata_board_seeds():
    hello = b"\xf9" + sysex(0x79) + sysex(0x6B) + sysex(0x69)
    long = [b >> s & 0x7F for b in (0, 0, 0, 5, 0, 0x0F, 0x42, 0x40) for s in (0, 7)]
    yield "hello", hello
    yield "digital", b"\xf4\x01\x01\xf4\x05\x00\xd0\x01\x90\x22\x00\xf5\x01\x01\xf5\x01\x00\xd0\x00"
    yield "pull_up_by_value", b"\xf4\x05\x00\x90\x20\x00\xf4\x05\x0b" + sysex(0x6D, 5)
    yield "pwm", b"\xf4\x02\x03\xe2\x7f\x00\xe2\x00\x01\xe2\x7f\x7f" + sysex(0x6D, 2)
    yield "servo", sysex(0x70, 4, 0x68, 7, 0x50, 0x0F) + b"\xe4\x5a\x00\xe4\x62\x09" + sysex(0x6D, 4)
    yield "servo_backwards", sysex(0x70, 4, 0x50, 0x0F, 0x68, 7) + b"\xf4\x04\x04\xe4\x7f\x7f"
    yield "extended", b"\xf4\x13\x03" + sysex(0x6F, 19, 1, 2, 3, 4, 5) + sysex(0x6F, 19) + sysex(0x6D, 19)
    yield "analog", b"\xc0\x01\xc7\x01\xcf\x01\xf4\x0a\x02" + sysex(0x7A, 5, 0) + sysex(0x7A, 0, 0) + sysex(0x7A, 1)
    yield "ping", b"".join(sysex(0x75, pin, 1, *long) for pin in range(24)) + sysex(0x75, 1)
    yield "text", sysex(0x71, *pairs("gr\u00fc\u00dfe".encode())) + sysex(0x71, 1) + sysex(0x71, *[65, 0] * 200)
    yield "bad_modes", b"\xf4\x01\x10\xf4\x7f\x01\xf4\x01\x05\xf5\x01\x02\xf5\x7f\x01"
    yield "reset", hello + b"\xf4\x01\x01\xf5\x01\x01\xff" + hello
    yield "cut_off", b"\xf4\x01\xf0\x79\xf9\xf0\xf7\xf7\x01\x80\xf1\x90"
    yield "overlong", bytes([0xF0, 0x71]) + b"A\0" * 1300 + b"\xf7" + hello


def firmata_host_seeds():
    uno = [0x7F] * 2 + [0, 1, 0x0B, 1, 1, 1, 3, 8, 4, 14, 0x7F] * 12 + [0, 1, 11, 1, 1, 1, 2, 10, 0x7F] * 6
    hello = b"\xf9\2\5" + sysex(0x79, 2, 5, *pairs(b"StandardFirmata.ino"))
    ready = hello + sysex(0x6C, *uno) + sysex(0x6A, *[0x7F] * 14, 0, 1, 2, 3, 4, 5)
    yield "ready", ready
    yield "reports", ready + b"\x90\x08\x00\x90\x00\x00\x91\x7f\x01\xe0\x7f\x07\xe5\x00\x02\xef\x7f\x7f"
    yield "older", ready.replace(b"\xf9\2\5", b"\xf9\2\3") + b"\x90\x7f\x01"
    yield "restart", ready + hello + ready
    yield "analog_elsewhere", hello + sysex(0x6C, *uno) + sysex(0x6A, 0, 1)
    yield "no_mapping", hello + sysex(0x6C, *uno) + sysex(0x6A) + b"\x90\x08\x00"
    yield "many_pins", hello + sysex(0x6C, *[0, 1, 2, 16, 3, 0, 0x7F] * 128) + sysex(0x6A, *[3] * 128) + b"\xe3\x7f\x7f"
    yield "odd_capabilities", hello + sysex(0x6C, 0, 0x7F, 3, 32, 0x75, 1, 0x7F, 4) + sysex(0x6A, 0x7F, 0)
    yield "text", ready + sysex(0x71, *pairs(b"Unknown pin mode")) + sysex(0x71)
    yield "wrong_order", sysex(0x6A, 0) + sysex(0x6C, 0, 1) + b"\x90\1\1" + hello
    yield "short_firmware", b"\xf9\2\5" + sysex(0x79) + sysex(0x79, 2) + sysex(0x79, 2, 5)
    yield "cut_off", hello[:-3] + ready[:40] + ready + b"\xe0\x01\xe1\x02\x03\xf9\xf7"


def can(ident, data=b""):
    return b"t%03X%d" % (ident, len(data)) + data.hex().upper().encode() + b"\r"


def sdo_write(node, index, sub, size, value):
    return can(0x600 + node, struct.pack("<BHBI", 0x23 | (4 - size) << 2, index, sub, value))


def sdo_read(node, index, sub=0):
    return can(0x600 + node, struct.pack("<BHBI", 0x40, index, sub, 0))


def pdo_setup(node, how, ident, *objects):
    what = how + 0x200
    text = sdo_write(node, how, 1, 4, 1 << 31 | ident + node) + sdo_write(node, how, 2, 1, 1)
    text += sdo_write(node, what, 0, 1, 0)
    for i, (index, bits) in enumerate(objects):
        text += sdo_write(node, what, i + 1, 4, index << 16 | bits)
    return text + sdo_write(node, what, 0, 1, len(objects)) + sdo_write(node, how, 1, 4, ident + node)


def slcan_seeds():
    yield "open", b"\r\rC\rS8\rO\r"
    yield "questions", b"V\rN\rF\rZ1\rZ0\r"
    yield "answers", b"V1013\rNA123\rF8C\rz\rZ\r\a\r"
    yield "frames", can(0x80) + can(0x201, bytes(6)) + b"T1ABCDEF02BEEF\rr7FF8\rR000000010\r"
    yield "stamps", b"t1812ABCDEA5F\rt0800EA60\rt18100000\r"
    yield "timing", b"C\rs0014\rs031c\rs00\rs0014F\rsxyzz\rO\rs0000\r"
    yield "bad", b"t8000\rt1819\rS9\rT20000000\rt18g0\rOO\rZ2\r\n\rx\a" + b"0" * 80 + b"\rO\r"


def canopen_seeds():
    begin = b"C\rS8\rO\r" + can(0, b"\x81\0")
    setup = pdo_setup(1, 0x1400, 0x200, (0x6040, 16), (0x607A, 32))
    setup += pdo_setup(1, 0x1800, 0x180, (0x6041, 16), (0x6064, 32)) + sdo_write(1, 0x6060, 0, 1, 8)
    words = b"".join(can(0x201, struct.pack("<Hi", w, 0)) + can(0x80) for w in (0x80, 0, 6, 7, 15, 15, 2, 15, 0))
    yield "bring_up", begin + setup + can(0, b"\1\1") + words
    yield "watchdog", begin + setup + sdo_write(1, 0x1400, 5, 2, 20) + can(0, b"\1\0") + words[:-60] + can(0x80) * 20
    yield "reads", begin + b"".join(sdo_read(1, i) for i in (0x1000, 0x6041, 0x6064, 0x6502, 0x60C2, 0x7000, 0x1018))
    yield "bad_maps", begin + pdo_setup(1, 0x1400, 0x200, *[(0x607A, 32)] * 4) + pdo_setup(2, 0x1801, 0x280, (0x6040, 16))
    yield "bad_sdo", begin + can(0x601, b"\x21\0\x10\0\4\0\0\0") + can(0x601, b"\x40") + can(0x601, b"\xa0" * 8)
    text = b"another motor of the same make"
    parts = [text[i : i + 7] for i in range(0, len(text), 7)]
    segments = [bytes([i % 2 << 4 | (7 - len(p)) << 1 | (p is parts[-1])]) + p.ljust(7, b"\0") for i, p in enumerate(parts)]
    down = can(0x601, struct.pack("<BHBI", 0x21, 0x6404, 0, len(text))) + b"".join(can(0x601, s) for s in segments)
    polls = b"".join(can(0x601, bytes([0x60 | i % 2 << 4]) + bytes(7)) for i in range(5))
    wrong = can(0x601, struct.pack("<BHBI", 0x20, 0x6404, 0, 0)) + can(0x601, segments[1]) + can(0x601, segments[0])
    long = can(0x601, struct.pack("<BHBI", 0x20, 0x6404, 0, 0)) + b"".join(can(0x601, bytes([i % 2 << 4]) + b"abcdefg") for i in range(12))
    ends = can(0x601, struct.pack("<BHBI", 0x80, 0x1008, 0, 0x08000000))
    yield "nmt", begin + b"".join(can(0, bytes([c, 1])) for c in (1, 2, 0x80, 0x82, 1, 0x81, 7))
    boots = b"".join(can(0x700 + n, b"\0") for n in range(1, 7))
    done = b"".join(can(0x581, struct.pack("<BHBI", 0x4F, i, 0, v)) for i, v in ((0x1000, 0x192), (0x6502, 0x80)))
    yield "drives_say", boots + done + can(0x581, struct.pack("<BHBI", 0x80, 0x1400, 1, 0x06020000)) + boots
    yield "drives_die", boots + can(0x701, b"\5") + can(0x81, b"\x11\x86\x21\0\0\0\0\0") + can(0x181, bytes(6)) + can(0x281, bytes(6))
    yield "segments", begin + sdo_read(1, 0x1008) + polls + down + sdo_read(1, 0x6404) + polls + sdo_read(1, 0x100A) + polls
    yield "bad_segments", begin + wrong + long + sdo_read(1, 0x1008) + polls[:19] + ends + polls + sdo_write(1, 0x1017, 0, 2, 40)
    def pdo(how):
        rows = [(how, 1), (how, 2)] + [(how, 5)] * (how == 0x1400) + [(how + 0x200, i) for i in (0, 1, 2, 0)]
        return rows + [(how, 1)]
    rows = [(0x1006, 0)] + [r for how in (0x1400, 0x1800, 0x1401, 0x1801) for r in pdo(how)]
    rows += [(0x6060, 0), (0x60C2, 1), (0x60C2, 2), (0x605A, 0), (0x6007, 0), (0x6085, 0)]
    ready = done + b"".join(can(0x581, struct.pack("<BHBI", 0x60, i, s, 0)) for i, s in rows)
    ready += can(0x581, struct.pack("<BHBI", 0x4F, 0x6061, 0, 8)) + can(0x581, struct.pack("<BHBI", 0x60, 0x1017, 0, 0))
    told = can(0x581, struct.pack("<BHBI", 0x41, 0x1008, 0, len(text))) + b"".join(can(0x581, s) for s in segments)
    yield "drives_say_names", boots + ready + told + can(0x581, struct.pack("<BHBI", 0x43, 0x1018, 4, 402001)) + told[:-40] + told


def main():
    makers = {
        "canopen": canopen_seeds,
        "firmata_board": firmata_board_seeds,
        "firmata_host": firmata_host_seeds,
        "kobuki": kobuki_seeds,
        "scip_reply": scip_reply_seeds,
        "scip_request": scip_request_seeds,
        "slcan": slcan_seeds,
    }
    for name, seeds in makers.items():
        folder = HERE / name
        folder.mkdir(parents=True, exist_ok=True)
        for i, (seed, stream) in enumerate(seeds()):
            (folder / seed).write_bytes(bytes([i * 5 % 64]) + stream)


if __name__ == "__main__":
    main()
