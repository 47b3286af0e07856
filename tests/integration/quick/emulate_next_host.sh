#!/usr/bin/env bash
# A host that goes away with answers unread leaves nothing of them to the next one that opens the port of an emulated
# device.
source "$(dirname "$0")/../lib.sh"

check() { # NAME REQUEST ARGS...
    local name=$1 request=$2
    shift 2
    start "$name" "$doppel" emulate "$name" --pty "$work/$name" "$@"
    until_true 5 test -e "$work/$name" || fail "$name: no port"
    python3 - "$work/$name" "$request" "$work/$name.log" <<'PY' || fail "$name: the next host got what the one before left"
import os, sys, time, tty
link, request, log = sys.argv[1], sys.argv[2].encode(), sys.argv[3]

def wait_for(text):
    end = time.monotonic() + 5
    while text not in open(log).read():
        assert time.monotonic() < end, text
        time.sleep(0.02)

fd = os.open(link, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
tty.setraw(fd)
wait_for("a host has connected")
os.write(fd, request)
time.sleep(0.2)
os.close(fd)
wait_for("the host has disconnected")
fd = os.open(link, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
try:
    left = os.read(fd, 65536)
except BlockingIOError:
    left = b""
sys.exit(f"{len(left)} bytes: {left[:20]}" if left else 0)
PY
}
check kobuki "" --world empty --robot avatar # talks without being asked
check urg $'VV\n' --world corridor --robot avatar
