#!/usr/bin/env bash
# Masters that are not ours, mbpoll and python3-pymodbus, work with a served world: values, exceptions, many at once; killed, hanging, paced.
# Without these packages this test is skipped.
source "$(dirname "$0")/../lib.sh"
python=
for candidate in python3 /usr/bin/python3; do # the package is Debian's: it belongs to Debian's Python
    "$candidate" -c 'import pymodbus.client' 2>/dev/null && python=$candidate && break
done
[ -n "$python" ] || skip "python3-pymodbus is not installed"
command -v mbpoll >/dev/null || skip "mbpoll is not installed"
export PYTHONDONTWRITEBYTECODE=1
rail=$source_dir/docs/modbus/rail.xml

# serve NAME ARGUMENTS...: a world; sets $world, $address, $port
serve() {
    local name=$1
    shift
    start "$name" "$doppel" sim "$rail" --port 0 --modbus 0 "$@"
    world=$last
    until_true 10 grep -q "^modbus masters at" "$work/$name.log" || fail "no world"
    address=$(sed -n 's|^serving .* at \(tcp://[^,]*\),.*|\1|p' "$work/$name.log")
    port=$(sed -n 's|^modbus masters at tcp://.*:||p' "$work/$name.log")
}
master() { timeout 60 "$python" "$source_dir/tests/clients/modbus_master.py" "$port" "$@"; }
# poll ARGUMENTS...: mbpoll once, its output in $work/said
poll() { timeout 20 mbpoll -0 -m tcp -p "$port" -q -o 5 -1 "$@" >"$work/said" 2>&1; }
say() { timeout 60 "$doppel" world "$address" "$@" >"$work/said" 2>&1; }
# until_world CONDITION: it holds within 20 s; then the world goes on
until_world() {
    say until "$1" --timeout 20 || fail "until $1: $(<"$work/said")"
    say run || fail "run: $(<"$work/said")"
}
moves='cart/rail/velocity > 0.0499'
stands='cart/rail/velocity < 0.0001'
serve sim

# ---- mbpoll ----
poll -t 3 -r 0 -c 4 127.0.0.1 || fail "inputs: $(<"$work/said")"
[ "$(sed -n 's/^\[\([0-9]*\)\]:[ \t]*/\1=/p' "$work/said" | tr -d ' \t' | xargs)" = "0=0 1=0 2=0 3=2" ] || fail "inputs: $(<"$work/said")"
poll -t 3:int -B -r 10 -c 1 127.0.0.1 || fail "the time: $(<"$work/said")"
number "$(sed -n 's/^\[10\]:[ \t]*//p' "$work/said") < 60000" || fail "the time: $(<"$work/said")"
poll -t 4 -r 2 127.0.0.1 -- 4711 || fail "a write: $(<"$work/said")"
poll -t 4 -r 0 -c 3 127.0.0.1 || fail "holding: $(<"$work/said")"
grep -qE '^\[2\]:.*4711' "$work/said" || fail "holding registers do not read back: $(<"$work/said")"
poll -t 1 -r 0 -c 2 127.0.0.1 || fail "discrete: $(<"$work/said")"
poll -t 3 -r 4 -c 1 127.0.0.1
grep -q "Illegal data address" "$work/said" || fail "unmapped: $(<"$work/said")"
poll -t 4 -r 3 127.0.0.1 -- 1
grep -q "Illegal data address" "$work/said" || fail "write to what can only be read: $(<"$work/said")"
poll -a 7 -t 4 -r 0 127.0.0.1
grep -q "Target device failed to respond" "$work/said" || fail "unit 7: $(<"$work/said")"

say pause || fail "pause: $(<"$work/said")"
poll -t 4 -r 2 127.0.0.1 -- 4712 || fail "a write while time stands still: $(<"$work/said")"
poll -t 4 -r 2 -c 1 127.0.0.1 && grep -qE '^\[2\]:.*4712' "$work/said" || fail "it does not read back: $(<"$work/said")"
say run || fail "run: $(<"$work/said")"

# ---- pymodbus; garbage beside it ----
head -c 100000 /dev/urandom | timeout 10 "$python" -c '
import socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
try:
    s.sendall(sys.stdin.buffer.read())
except OSError:
    pass' "$port"
say reset
master judge >"$work/judge.log" 2>&1 || fail "pymodbus sees something else"
cat "$work/judge.log"
grep -q "all as they must be" "$work/judge.log" || fail "pymodbus did not come to its end"

# ---- killed: what it commanded is released, the world goes on, it can come back ----
for n in 1 2; do
    say reset
    start "push$n" "$python" "$source_dir/tests/clients/modbus_master.py" "$port" push 50
    pushes=$last
    until_true 10 grep -q pushes "$work/push$n.log" || fail "nobody pushes"
    until_world "$moves"
    kill -9 "$pushes"
    until_world "$stands"
done
until_true 5 test "$(grep -c 'what it commanded is released (1 channels)' "$work/sim.log")" -ge 2 || fail "nobody is told of the loss"

# ---- hanging: the watchdog ----
say reset
start hangs "$python" "$source_dir/tests/clients/modbus_master.py" "$port" push 50
hangs=$last
until_world "$moves"
kill -STOP "$hangs"
until_world "$stands"
until_true 5 grep -q "unit 1 (plc): holding 1 has not changed for 500 ms: what masters commanded is released" "$work/sim.log" || fail "nobody is told of the watchdog"
kill -9 "$hangs"

# ---- a restore with a master at work ----
say reset
start restores "$python" "$source_dir/tests/clients/modbus_master.py" "$port" push 50
until_world "$moves"
say snapshot a || fail "snapshot: $(<"$work/said")"
until_world 'cart/rail/position > 0.05'
say restore a || fail "restore: $(<"$work/said")"
until_world "$moves"
until_world 'cart/rail/position > 0.05'
say status || fail "status"
grep -qE "  modbus: 1 masters; [0-9]+ reads, [0-9]+ writes, [0-9]+ refused, 0 out of range; [0-9]+ lost, 1 watchdogs, 0 waits, 0 of them in vain" "$work/said" ||
    fail "the status: $(<"$work/said")"

# ---- usage ----
timeout 20 "$doppel" sim "$rail" --modbus 70000 >"$work/said" 2>&1
[ $? -eq 2 ] || fail "port 70000: $(<"$work/said")"
timeout 20 "$doppel" sim "$rail" --modbus-pace 10 >"$work/said" 2>&1
[ $? -eq 2 ] || fail "a pace without masters: $(<"$work/said")"
timeout 20 "$doppel" sim "$rail" --port 0 --modbus "$port" >"$work/said" 2>&1
[ $? -eq 1 ] || fail "a port in use: $(<"$work/said")"
grep -q "choose another with --modbus" "$work/said" || fail "a port in use: $(<"$work/said")"
timeout 20 "$doppel" sim empty --port 0 --modbus 0 >"$work/said" 2>&1
[ $? -eq 1 ] || fail "a world without a unit: $(<"$work/said")"
grep -q "no robot of world 'empty' has a <Modbus>" "$work/said" || fail "a world without a unit: $(<"$work/said")"
kill -INT "$world"
wait "$world" || fail "the world ended with $?"

# ---- masters that say nothing do not keep others out for ever ----
serve silent
python3 - "$port" <<'PY' || fail "silent masters keep others out"
import socket, struct, sys, time
silent = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(16)]
silent[0].send(b"\0\1\0\0\0\6")  # half a request
time.sleep(5.2)
for _ in range(10):
    with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=1) as master:
        try:
            master.send(struct.pack(">HHHBBHH", 1, 0, 6, 1, 4, 0, 1))
            if len(master.recv(100)) == 11:
                sys.exit(0)
        except OSError:
            pass
    time.sleep(0.1)
sys.exit(1)
PY
# ---- paced: two runs, as fast as both can, see the same; a master that stops is not waited for ----
for n in 1 2; do
    serve "paced$n" --modbus-pace 10 --modbus-patience 20
    say rate max || fail "rate: $(<"$work/said")"
    master scan 300 >"$work/scan$n" 2>&1 || fail "scan: $(tail -n 3 "$work/scan$n")"
    kill -INT "$world"
    wait "$world" || fail "the paced world ended with $?"
done
[ "$(wc -l <"$work/scan1")" -eq 300 ] || fail "300 scans gave $(wc -l <"$work/scan1") lines"
awk '$1 != 10 * (NR - 1) { exit 1 }' "$work/scan1" || fail "scans are not 10 ms apart: $(head -n 3 "$work/scan1")"
[ "$(tail -n 1 "$work/scan1" | cut -d' ' -f2)" -gt 100 ] || fail "the cart has not moved: $(tail -n 1 "$work/scan1")"
cmp "$work/scan1" "$work/scan2" || fail "two paced runs differ"
serve impatient --modbus-pace 10 --modbus-patience 0.2
until_true 10 grep -q "no master has written holding 1 for 0.2 s: the masters' commands are released, and the world continues" "$work/impatient.log" ||
    fail "nobody is told that the world has waited"
until_world 'time > 0.1'
xmllint --noout --schema "$build/profiles/schema/mechanism.xsd" "$source_dir/docs/modbus/cart.xml" >"$work/said" 2>&1 || fail "the schema: $(<"$work/said")"
