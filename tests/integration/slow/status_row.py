"""Runs a command on a terminal of its own and looks at the screen: status_row.py COLUMNS CHECK COMMAND...

Each time that the command has written, the bytes go to a terminal emulator of 24 rows; the bottom rows are looked at. CHECK names
what must be true (below); behind "=" it has an expression that must match what was said at the end. Prints why it is not, and ends with 1."""
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time

import pyte

ROWS = 24
SHARE = re.compile(r"^ *(\d+) %  +(-|\d+(:\d+)?):(\d\d|--) left  ")


def set_size(fd, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, columns, 0, 0))


def watch(columns, command, resize_to=None):
    """The screens that were seen, each a list of lines without their blanks at the end, and the exit code."""
    master, slave = pty.openpty()
    set_size(master, columns)
    screen = pyte.Screen(columns, ROWS)
    stream = pyte.ByteStream(screen)
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
                             env=dict(os.environ, TERM="xterm", NO_COLOR="1"))
    os.close(slave)
    screens = []
    raw = b""
    resized = None
    while True:
        try:
            data = os.read(master, 65536)
        except OSError:  # the last writer is gone
            break
        if not data:
            break
        raw += data
        for piece in re.split(rb"(?=\r\x1b\[K)", data):  # each row is seen, however fast the next one comes
            row = piece[4:].split(b"\n")[0].decode(errors="replace")
            if resized and SHARE.match(row) and len(row) >= resized:
                continue  # it was on its way when the size changed
            stream.feed(piece)
            screens.append([line.rstrip() for line in screen.display])
        if resize_to and len(screens) >= 8:
            set_size(master, resize_to)
            screen.resize(ROWS, resize_to)
            child.send_signal(signal.SIGWINCH)
            resized, resize_to = resize_to, None
    return screens, child.wait(), raw


def status_rows(screens):
    """The row with the share, of each screen that has one."""
    found = []
    for lines in screens:
        rows = [line for line in lines if SHARE.match(line)]
        if len(rows) > 1:
            sys.exit(f"{len(rows)} status rows at once:\n" + "\n".join(lines))
        found += rows
    return found


def check_rows(screens, columns, least):
    rows = status_rows(screens)
    if len(rows) < least:
        sys.exit(f"{len(rows)} status rows were seen, expected {least} or more; the last screen:\n" + "\n".join(screens[-1]))
    shares = [int(SHARE.match(row).group(1)) for row in rows]
    if shares != sorted(shares) or shares[-1] > 100:
        sys.exit(f"the shares do not grow: {shares}")
    widest = max(len(row) for row in rows)
    if widest > columns - 1:
        sys.exit(f"a row of {widest} columns on a terminal of {columns}")
    last = [line for line in screens[-1] if SHARE.match(line)]
    if last:
        sys.exit(f"the row is still there at the end: {last[0]}")
    return rows


def check_figures(rows):
    """What stands behind the figures does not move."""
    places = {row.index(" left") for row in rows}
    if len(places) > 1:
        sys.exit("the figures change their width:\n" + "\n".join(rows))


def check_under_log(screens):
    """While the run lasts, the row is the last line, under those of the log."""
    for lines in screens:
        written = [i for i, line in enumerate(lines) if line]
        at = [i for i in written if SHARE.match(lines[i])]
        if at and at[0] != written[-1]:
            sys.exit("the row is not the last line:\n" + "\n".join(lines))


def main():
    columns, (check, _, end), command = int(sys.argv[1]), sys.argv[2].partition("="), sys.argv[3:]
    begun = time.monotonic()
    screens, code, raw = watch(columns, command, resize_to=40 if check == "resize" else None)
    if code != 0:
        sys.exit(f"ended with {code} after {time.monotonic() - begun:.1f} s:\n" + "\n".join(screens[-1]))
    if check == "none":
        if re.search(rb"\d %  ", raw):
            sys.exit(f"a status row was not expected: {raw[:200]!r}")
        return
    said = raw.decode(errors="replace").replace("\r", "")
    if end and not re.search(end + r"\n$", said):
        sys.exit(f"at the end is not '{end}':\n{said[-600:]}")
    check_under_log(screens)
    if check == "resize":
        rows = status_rows(screens)
        if max(len(row) for row in rows) < 60 or len(rows[-1]) > 39:
            sys.exit("the rows do not follow the width:\n" + "\n".join(rows))
        return
    check_figures(check_rows(screens, columns, 1 if check == "brief" else 2))


main()
