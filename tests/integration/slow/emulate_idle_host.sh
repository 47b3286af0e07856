#!/usr/bin/env bash
# A host that connects to an emulated device by TCP and says nothing gives way to the next one after 5 s. A host of a device that talks
# without being asked may only listen, and is not idle.
source "$(dirname "$0")/../lib.sh"
port=$(free_port) other=$(free_port)
start urg "$doppel" emulate urg --tcp $port --world corridor --robot avatar
start imu "$doppel" emulate imu --tcp $other --world imu --robot avatar
for name in urg imu; do
    until_true 5 grep -q "at tcp" "$work/$name.log" || fail "no $name"
done
python3 - "$port" "$other" <<'PY' || fail "hosts that say nothing"
import socket, sys, time

def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=3)

def is_refused(port, request):
    try:
        with connect(port) as host:
            host.sendall(request)
            return host.recv(1) == b""
    except ConnectionError:
        return True

urg, imu = map(int, sys.argv[1:])
silent = connect(urg)
listener = connect(imu)
assert listener.recv(1), "the sensor does not talk"
listener.settimeout(0.1)
assert is_refused(urg, b"VV\n"), "the first host loses its place at once"
end = time.monotonic() + 6
while time.monotonic() < end:
    try:
        listener.recv(65536)
    except TimeoutError:
        pass
with connect(urg) as speaker:
    speaker.sendall(b"VV\n")
    assert speaker.recv(2) == b"VV", "the next host is not served"
    assert is_refused(urg, b"VV\n"), "a host that speaks loses its place"
try:
    assert silent.recv(1) == b"", "the silent host is still connected"
except ConnectionError:
    pass
assert is_refused(imu, b""), "a host that only listens loses its place"
PY
grep -q "the host has said nothing: it gives way to another one" "$work/urg.log" || fail "the reason is not told"
