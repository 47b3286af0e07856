#!/usr/bin/env bash
# The loop of an emulated base hangs while the world of the same process goes on, as when the kernel holds a call on the pty: the base stops
# for silence by the world's time, and says so. One thread alone is held by ptrace.
source "$(dirname "$0")/../lib.sh"
start kobuki "$doppel" emulate kobuki --pty "$work/kobuki" --world empty_truth.xml --robot robot --silence 350
base=$last
until_true 5 test -e "$work/kobuki" || fail "no base"
code=0
python3 - "$work/kobuki" "$base" >"$work/gaps" <<'PY' || code=$?
import ctypes, os, select, struct, sys, time, tty
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
ATTACH, DETACH, WALL = 16, 17, 0x40000000
port = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
tty.setraw(port)
loop = int(sys.argv[2])  # the first thread has the number of its process
data = b""

def command():
    body = bytes([6, 1, 4]) + struct.pack("<hh", 200, 0)
    check = 0
    for byte in body:
        check ^= byte
    os.write(port, b"\xaa\x55" + body + bytes([check]))

def left_encoder():  # of the newest frame
    global data
    try:
        data = (data + os.read(port, 65536))[-1000:]
    except BlockingIOError:
        pass
    at = data.rfind(b"\xaa\x55", 0, len(data) - 20)
    return struct.unpack("<H", data[at + 10:at + 12])[0] if at >= 0 else 0

gaps, said = 0, time.monotonic()  # of this script, which a busy machine holds, too
for _ in range(75):
    gaps, said = gaps + (time.monotonic() - said > 0.3), time.monotonic()
    command()
    left_encoder()
    time.sleep(0.02)
before = left_encoder()
if libc.ptrace(ATTACH, loop, None, None) < 0:
    sys.exit(77)
os.waitpid(loop, WALL)
time.sleep(2)
libc.ptrace(DETACH, loop, None, None)
time.sleep(0.2)
mm = (left_encoder() - before) % 65536 * 2 * 3.14159265 * 35 / 2578.33
assert 50 < mm < 150, f"{mm:.0f} mm without a command"
print(gaps)
PY
[ $code -eq 77 ] && skip "this machine lets nobody trace"
[ $code -eq 0 ] || fail "a hung loop does not stop the base"
kill "$base"
until_true 5 grep -qE "stopped [1-$((1 + $(<"$work/gaps")))] times for silence" "$work/kobuki.log" || fail "silence is not counted"
echo "a base stops while its loop hangs"
