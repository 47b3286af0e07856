#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""When this machine stood still: what is late then is no fault of a run.
stalls.py FILE           notes it until it is killed. On each processor a process of a higher priority than any thread of a run sleeps 1 ms at a
                         time; if it wakes more than 3 ms late, FILE gets a line "CPU FROM TO", in s of CLOCK_MONOTONIC
stalls.py FILE --worst   prints the longest of them, in ms
stalls.read(FILE)        for tests: the list of (FROM, TO)"""
import ctypes
import os
import signal
import sys
import time

PRIORITY, SLEEP, LATE = 90, 1e-3, 3e-3
PR_SET_PDEATHSIG, MCL_CURRENT, MCL_FUTURE = 1, 1, 2


def read(path):
    with open(path, encoding="ascii") as file:
        words = [line.split() for line in file]
    return [(float(w[1]), float(w[2])) for w in words if w[1] != "begins"]


def stood(stalls, begin, end):
    """How long, in s, between two times; where processors stood together, for each of them."""
    return sum(max(0.0, min(end, b) - max(begin, a)) for a, b in stalls)


def watch(cpu, file):
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    libc.mlockall(MCL_CURRENT | MCL_FUTURE)
    os.sched_setaffinity(0, {cpu})
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))  # last: nobody shall wait for what came before
    os.write(file, f"{cpu} begins {time.monotonic():.6f}\n".encode())
    while True:
        due = time.monotonic() + SLEEP
        time.sleep(SLEEP)
        now = time.monotonic()
        if now - due > LATE:
            os.write(file, f"{cpu} {due:.6f} {now:.6f}\n".encode())


def watch_all(path):
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o644)
    for cpu in sorted(os.sched_getaffinity(0)):
        if os.fork() == 0:
            watch(cpu, file)
    signal.pause()


if __name__ == "__main__":
    if sys.argv[2:] == ["--worst"]:
        print(f"{1e3 * max((b - a for a, b in read(sys.argv[1])), default=0.0):.0f}")
    else:
        watch_all(sys.argv[1])
