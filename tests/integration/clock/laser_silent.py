# SPDX-License-Identifier: Apache-2.0
"""How long a robot goes on when its laser falls silent: laser_silent.py WATCH_LOG LASER_PID TRIES WAY. WAY `freeze` stops
the emulator's process, so that nothing says that it is gone. Prints a line a try: seconds from the loss to standing."""
import os, random, signal, sys, time

watch, laser, tries = open(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
STANDS_M_S, DRIVES_M_S = 0.005, 0.1
random.seed(1)
buffer = ""


def states(until):
    """(time, speed of the base's fastest point at 0.1 m) as they come, until a time."""
    global buffer
    while time.monotonic() < until:
        buffer += watch.read()
        *lines, buffer = buffer.split("\n")
        for line in lines:
            t, v, w = (float(f) for f in line.split()[:3])
            yield t, abs(v) + 0.1 * abs(w)
        time.sleep(0.005)


def wait_until_it_drives():
    since = None
    for t, speed in states(time.monotonic() + 20):
        since = None if speed < DRIVES_M_S else since or t
        if since and t - since > 0.5 + random.random():
            return
    raise SystemExit("the robot does not drive")


for n in range(tries):
    wait_until_it_drives()
    lost = time.monotonic()
    os.kill(laser, signal.SIGSTOP)
    last_moved = lost
    for t, speed in states(lost + 1.5):
        last_moved = t if speed > STANDS_M_S and t > lost else last_moved
    os.kill(laser, signal.SIGCONT)
    print(f"{last_moved - lost:.3f}", flush=True)
