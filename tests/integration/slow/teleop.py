#!/usr/bin/env python3
"""Drives the application teleop over ptys. Usage: teleop.py DOPPEL FOLDER TEST..., names of functions. Keys come from a terminal of a session's own; a gamepad's
events (struct input_event) from a pty. The kernel's uinput is used as well where this machine offers it."""
import csv
import fcntl
import os
import pathlib
import pty
import select
import signal
import struct
import sys
import termios
import time

DOPPEL, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
EV_SYN, EV_KEY, EV_ABS = 0, 1, 3
ABS_X, ABS_Y, BTN_SOUTH, BTN_TL = 0, 1, 0x130, 0x136
FIRST_S, REPEAT_S = 0.7, 0.2  # FirstTimeout, RepeatTimeout
CYCLES_S = 0.25  # reading, a cycle each of Teleop and WheelController, a busy machine


def settings(fd):
    return termios.tcgetattr(fd)


class Run:
    """doppel in a terminal of its own. A shell is the leader of the session, so that its end does not hang the terminal up."""

    def __init__(self, name, *args):
        self.out = FOLDER / name
        self.text = b""
        self.master, self.slave = pty.openpty()
        self.before = settings(self.slave)
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for fd in (0, 1, 2):
                os.dup2(self.slave, fd)
            os.closerange(3, 64)
            command = [DOPPEL, "run", "teleop", "--bind", "teleop/sim", "--out", str(self.out), "--duration", "30", *args]
            child = os.fork()
            if child == 0:
                os.execv(DOPPEL, command)
            pathlib.Path(str(self.out) + ".pid").write_text(f"{child}\n")
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for doppel
            os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 0xff)

    def child(self):
        return int(pathlib.Path(str(self.out) + ".pid").read_text())

    def type(self, keys):
        os.write(self.master, keys)

    def read(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.master], [], [], left)[0]:
                self.text += os.read(self.master, 65536)

    def until(self, what, seconds=10):
        end = time.monotonic() + seconds
        while what not in self.text:
            assert time.monotonic() < end, (what, self.text.decode(errors="replace"))
            self.read(0.05)

    def end(self, number=None):
        """Waits for the end of doppel, after a signal if a number is given. Returns its exit code, or 256 - the signal."""
        if number:
            os.kill(self.child(), number)
        end = time.monotonic() + 20
        while (answer := os.waitpid(self.pid, os.WNOHANG))[0] == 0:
            assert time.monotonic() < end, "doppel does not end"
            self.read(0.05)
        return os.waitstatus_to_exitcode(answer[1])

    def is_restored(self, seconds=5):
        end = time.monotonic() + seconds
        while settings(self.slave) != self.before:
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
        return True

    def rows(self):
        with open(self.out / "trace.csv") as file:
            return [{k: float(v) for k, v in row.items() if k in ("t", "Teleop.v", "Teleop.w", "WheelController.v", "WheelController.x")}
                    for row in csv.DictReader(file)]


def intervals(rows, moves):
    """[first, last] times of the rows for which `moves` holds, without interruption."""
    found, open_ = [], False
    for row in rows:
        if moves(row):
            if not open_:
                found.append([row["t"], row["t"]])
            found[-1][1] = row["t"]
        open_ = moves(row)
    return found


def keyboard():
    run = Run("keyboard", "--set", "Teleop.Acceleration=20")
    run.until(b"hold w s a d")
    assert not settings(run.slave)[3] & (termios.ICANON | termios.ECHO), "the terminal still waits for lines"
    run.type(b"w")  # pressed once: it counts for FirstTimeout
    run.read(1.6)
    for _ in range(20):  # held: it repeats, for 1 s
        run.type(b"\x1b[A")
        run.read(0.05)
    run.read(0.8)
    run.type(b"a")
    run.read(0.2)
    run.type(b" ")  # stops at once
    run.read(0.6)
    run.type(b"\x1b[")  # an arrow whose bytes come apart, then one that is never finished
    run.type(b"D")
    run.read(0.2)
    run.type(b"\x1b")
    run.read(0.6)
    run.type(b"\x03")  # Ctrl-C
    code = run.end()
    assert code == 0, (code, run.text.decode())
    assert run.is_restored(), "the terminal's settings are not restored"
    rows = run.rows()
    drives = intervals(rows, lambda row: row["Teleop.v"] > 0)
    turns = intervals(rows, lambda row: row["Teleop.w"] > 0)
    assert len(drives) == 2 and len(turns) == 2, (drives, turns)
    once, held = (b - a for a, b in drives)
    assert FIRST_S - 0.15 < once < FIRST_S + CYCLES_S, once
    # The first of the repetitions counts for FirstTimeout, the last one for RepeatTimeout.
    assert 1.0 < held < 1.0 + REPEAT_S + 2 * CYCLES_S, held
    assert all(b - a < 0.2 + CYCLES_S for a, b in turns), turns
    assert max(row["WheelController.v"] for row in rows) > 0.2, "the robot did not move"
    for a, b in drives:  # the robot stands soon after its command is zero
        later = [row for row in rows if b + 0.5 < row["t"] < b + 0.7]
        assert later and all(abs(row["WheelController.v"]) < 0.01 for row in later), (b, later[:3])
    assert rows[-1]["Teleop.v"] == 0.0 and abs(rows[-1]["WheelController.v"]) < 0.01


def ends():
    """However doppel ends, the terminal is restored."""
    for number, wanted in ((signal.SIGINT, 0), (signal.SIGTERM, 0), (signal.SIGHUP, 0), (signal.SIGSEGV, None), (signal.SIGKILL, None)):
        run = Run(f"end{int(number)}")
        run.until(b"hold w s a d")
        run.type(b"w")
        run.read(0.3)
        code = run.end(number)
        assert wanted is None or code == wanted, (number, code, run.text.decode())
        assert run.is_restored(), f"after signal {number} the terminal's settings are not restored"


def hang_up():
    """The terminal goes away while the robot drives: the run ends, and the last command is zero."""
    run = Run("gone", "--set", "Teleop.FirstTimeout=5000")
    run.until(b"hold w s a d")
    run.type(b"w")
    run.read(0.8)
    os.close(run.slave)
    os.close(run.master)
    os.waitpid(run.pid, 0)  # the shell: the hang-up ends it
    end = time.monotonic() + 20
    while not (run.out / "summary.json").exists():
        assert time.monotonic() < end, "doppel does not end"
        time.sleep(0.05)
    rows = run.rows()
    assert max(row["Teleop.v"] for row in rows) > 0.1
    assert rows[-1]["Teleop.v"] == 0.0, rows[-1]


def event(kind, code, value):
    return struct.pack("llHHi", 0, 0, kind, code, value) + struct.pack("llHHi", 0, 0, EV_SYN, 0, 0)


def drive_pad(send, run):
    send(event(EV_ABS, ABS_Y, -32768))  # a stick alone does nothing
    run.read(0.5)
    send(event(EV_KEY, BTN_TL, 1))
    run.read(1.0)
    send(event(EV_KEY, BTN_TL, 0))
    run.read(0.8)
    send(event(EV_KEY, BTN_TL, 1))
    run.read(0.6)


def judge_pad(run, n):
    rows = run.rows()
    drives = intervals(rows, lambda row: row["Teleop.v"] > 0)
    assert len(drives) == n, drives
    assert 0.8 < drives[0][1] - drives[0][0] < 1.0 + CYCLES_S, drives
    assert max(row["WheelController.v"] for row in rows) > 0.2, "the robot did not move"
    assert rows[-1]["Teleop.v"] == 0.0 and abs(rows[-1]["WheelController.v"]) < 0.01


def gamepad_on_pty():
    path = FOLDER / "pad-events"
    run = Run("pad", "--bind", "teleop/gamepad", "--set", f"Teleop.Port=pty:{path}", "--set", "Teleop.Acceleration=20")
    end = time.monotonic() + 10
    while not path.exists():
        assert time.monotonic() < end, run.text.decode()
        run.read(0.05)
    fd = os.open(path, os.O_RDWR | os.O_NOCTTY)
    run.read(0.3)
    drive_pad(lambda data: os.write(fd, data), run)
    os.close(fd)  # unplugged with the button pressed: the robot stops
    run.read(1.0)
    assert b"Teleop: lost" in run.text, run.text.decode()
    fd = os.open(path, os.O_RDWR | os.O_NOCTTY)
    run.read(0.3)
    assert b"answers again" in run.text, run.text.decode()
    os.write(fd, event(EV_ABS, ABS_Y, -32768))  # the button was pressed before: it does not count until it is pressed again
    run.read(0.5)
    code = run.end(signal.SIGINT)
    assert code == 0, (code, run.text.decode())
    os.close(fd)
    judge_pad(run, 2)


UI_DEV_CREATE, UI_DEV_DESTROY = 0x5501, 0x5502
UI_SET_EVBIT, UI_SET_KEYBIT, UI_SET_ABSBIT = 0x40045564, 0x40045565, 0x40045567


def gamepad_by_uinput():
    try:
        fd = os.open("/dev/uinput", os.O_WRONLY | os.O_NONBLOCK)
    except OSError as error:
        print(f"SKIPPED: a gamepad of the kernel: {error}")
        return
    for request, values in ((UI_SET_EVBIT, (EV_KEY, EV_ABS)), (UI_SET_KEYBIT, (BTN_SOUTH, BTN_TL)), (UI_SET_ABSBIT, (ABS_X, ABS_Y))):
        for value in values:
            fcntl.ioctl(fd, request, value)
    high, low = [0] * 64, [0] * 64
    high[ABS_X] = high[ABS_Y] = 32767
    low[ABS_X] = low[ABS_Y] = -32768
    os.write(fd, struct.pack("80sHHHHi", b"doppel test pad", 3, 1, 1, 1, 0) + struct.pack("256i", *high, *low, *([0] * 128)))
    fcntl.ioctl(fd, UI_DEV_CREATE)
    time.sleep(1.0)
    try:
        run = Run("uinput", "--bind", "teleop/gamepad", "--set", "Teleop.Acceleration=20")
        run.read(1.0)
        drive_pad(lambda data: os.write(fd, data), run)
        assert run.end(signal.SIGINT) == 0, run.text.decode()
    finally:
        fcntl.ioctl(fd, UI_DEV_DESTROY)
        os.close(fd)
    judge_pad(run, 2)


for test in sys.argv[3:]:
    globals()[test]()
    print(f"{test}: passed")
