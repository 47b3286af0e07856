# SPDX-License-Identifier: Apache-2.0
"""How long a robot goes on when its laser is lost: laser_lost.py WATCH_LOG LASER_PID SIGNAL TRIES. STOP freezes the emulator's process, so that nothing
says that it is gone, and lets it go on after each try; KILL ends it. Prints a line a try: seconds from the loss to standing."""
import os, signal, sys, time

watch, laser, tries = open(sys.argv[1]), int(sys.argv[2]), int(sys.argv[4])
loss = getattr(signal, "SIG" + sys.argv[3])
STANDS_M_S, DRIVES_M_S, SCAN_S = 0.005, 0.1, 0.1
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


def wait_until_it_drives(seconds):
    since, begin = None, time.monotonic()
    for t, speed in states(begin + 20):
        since = None if speed < DRIVES_M_S or t < begin else since or t
        if since and t - since > seconds:
            return
    raise SystemExit("the robot does not drive")


for n in range(tries):
    wait_until_it_drives(0.3 + SCAN_S * n / tries)  # a scan makes it drive: the loss comes at each phase of the scans
    lost = time.monotonic()
    os.kill(laser, loss)
    last_moved = lost
    for t, speed in states(lost + 1.3):
        last_moved = t if speed > STANDS_M_S and t > lost else last_moved
    if loss == signal.SIGSTOP:
        os.kill(laser, signal.SIGCONT)
    print(f"{last_moved - lost:.3f}", flush=True)
