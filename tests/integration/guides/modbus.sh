# Masters that are not ours, mbpoll and python3-pymodbus, beyond the guide: values, exceptions, many at once; killed, hanging, silent, paced.
source "$source_dir/tests/integration/rows.sh"
source "$source_dir/tests/integration/world.sh"
python=
for candidate in python3 /usr/bin/python3; do # the package is Debian's: it belongs to Debian's Python
    "$candidate" -c 'import pymodbus.client' 2>/dev/null && python=$candidate && break
done
rail=$source_dir/docs/guides/modbus/rail.xml
moves='cart/rail/velocity > 0.0499'
stands='cart/rail/velocity < 0.0001'
begin() { serve sim "$rail" --modbus 0 "$@"; }
poll() { timeout 20 mbpoll -0 -m tcp -p "$port" -q -o 5 -1 "$@" >"$work/said" 2>&1; } # once
master() { timeout 60 "$python" "$source_dir/tests/clients/modbus_master.py" "$port" "$@"; }
pushes() { # a master that moves the cart and feeds the watchdog
    [ -n "$python" ] || skip "python3-pymodbus is not installed"
    start push "$python" "$source_dir/tests/clients/modbus_master.py" "$port" push 50
    until_true 10 grep -q pushes "$work/push.log" || fail "nobody pushes"
}

polled() {
    begin
    poll -t 3:int -B -r 10 -c 1 127.0.0.1 || fail "the time: $(<"$work/said")"
    number "$(sed -n 's/^\[10\]:[ \t]*//p' "$work/said") < 60000" || fail "the time: $(<"$work/said")"
    poll -t 1 -r 0 -c 2 127.0.0.1 || fail "discrete: $(<"$work/said")"
    poll -t 4 -r 3 127.0.0.1 -- 1
    grep -q "Illegal data address" "$work/said" || fail "write to what can only be read: $(<"$work/said")"
    poll -a 7 -t 4 -r 0 127.0.0.1
    grep -q "Target device failed to respond" "$work/said" || fail "unit 7: $(<"$work/said")"
}
row "mbpoll reads a time and bits, and is told what it may not" polled
written() {
    begin
    poll -t 4 -r 2 127.0.0.1 -- 4711 || fail "a write: $(<"$work/said")"
    poll -t 4 -r 0 -c 3 127.0.0.1 && grep -qE '^\[2\]:.*4711' "$work/said" || fail "it does not read back: $(<"$work/said")"
    say pause || fail "pause: $(<"$work/said")"
    poll -t 4 -r 2 127.0.0.1 -- 4712 || fail "a write while time stands still: $(<"$work/said")"
    poll -t 4 -r 2 -c 1 127.0.0.1 && grep -qE '^\[2\]:.*4712' "$work/said" || fail "it does not read back: $(<"$work/said")"
}
row "mbpoll reads back what it has written, also while time stands still" written

judged() {
    [ -n "$python" ] || skip "python3-pymodbus is not installed"
    begin
    head -c 100000 /dev/urandom | timeout 10 python3 -c '
import socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
try:
    s.sendall(sys.stdin.buffer.read())
except OSError:
    pass' "$port"
    say reset
    master judge >"$work/judge.log" 2>&1 || fail "pymodbus sees something else"
    grep "all as they must be" "$work/judge.log" || fail "pymodbus did not come to its end"
}
row "pymodbus judges reads, writes, exceptions and many at once, after garbage" judged

killed() { # what it commanded is released, the world goes on, it can come back
    begin
    for n in 1 2; do
        pushes
        until_world "$moves"
        kill -9 "$last"
        until_world "$stands"
        told() { [ "$(grep -c 'what it commanded is released (1 channels)' "$work/sim.log")" -eq $n ]; }
        until_true 5 told || fail "nobody is told of the loss"
    done
}
row "a master that is killed" killed
hangs() {
    begin
    pushes
    until_world "$moves"
    kill -STOP "$last"
    until_world "$stands"
    until_true 5 grep -q "unit 1 (plc): holding 1 has not changed for 500 ms: what masters commanded is released" "$work/sim.log" || fail "nobody is told"
    say status || fail "status"
    grep -qE "  modbus: 1 masters; [0-9]+ reads, [0-9]+ writes, 0 refused, 0 out of range; 0 lost, 1 watchdogs, 0 waits, 0 of them in vain" "$work/said" ||
        fail "the status: $(<"$work/said")"
}
row "a master that hangs: the watchdog" hangs
restored() {
    begin
    pushes
    until_world "$moves"
    say snapshot a || fail "snapshot: $(<"$work/said")"
    until_world 'cart/rail/position > 0.05'
    say restore a || fail "restore: $(<"$work/said")"
    until_world "$moves"
    until_world 'cart/rail/position > 0.05'
    say status && grep -q "  modbus: 1 masters; .* 0 lost, 0 watchdogs" "$work/said" || fail "the status: $(<"$work/said")"
}
row "a restore with a master at work" restored

silent() { # the world lets one go after 5 s
    begin
    python3 - "$port" <<'PY' || fail "silent masters keep others out"
import socket, struct, sys, time
silent = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(16)]
silent[0].send(b"\0\1\0\0\0\6")  # half a request
for _ in range(62):
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
}
row "masters that say nothing do not keep others out for ever" silent

paced() { # two runs, as fast as both can, see the same
    [ -n "$python" ] || skip "python3-pymodbus is not installed"
    for n in 1 2; do
        begin --modbus-pace 10 --modbus-patience 20
        say rate max || fail "rate: $(<"$work/said")"
        master scan 300 >"$work/scan$n" 2>&1 || fail "scan: $(tail -n 3 "$work/scan$n")"
        kill -INT "$world"
        wait "$world" || fail "the paced world ended with $?"
    done
    [ "$(wc -l <"$work/scan1")" -eq 300 ] || fail "300 scans gave $(wc -l <"$work/scan1") lines"
    awk '$1 != 10 * (NR - 1) { exit 1 }' "$work/scan1" || fail "scans are not 10 ms apart: $(head -n 3 "$work/scan1")"
    [ "$(tail -n 1 "$work/scan1" | cut -d' ' -f2)" -gt 100 ] || fail "the cart has not moved: $(tail -n 1 "$work/scan1")"
    cmp "$work/scan1" "$work/scan2" || fail "two paced runs differ"
}
row "two paced runs see the same" paced
impatient() {
    begin --modbus-pace 10 --modbus-patience 0.2
    until_true 10 grep -q "no master has written holding 1 for 0.2 s: the masters' commands are released, and the world continues" "$work/sim.log" ||
        fail "nobody is told that the world has waited"
    until_world 'time > 0.1'
}
row "a world waits no longer than its patience" impatient

row "port 70000" refused 2 "" "$doppel" sim "$rail" --modbus 70000
row "a pace without masters" refused 2 "" "$doppel" sim "$rail" --modbus-pace 10
in_use() {
    begin
    refused 1 "choose another with --modbus" "$doppel" sim "$rail" --port 0 --modbus "$port"
}
row "a port in use" in_use
row "a world without a unit" refused 1 "no robot of world 'empty' has a <Modbus>" "$doppel" sim empty --port 0 --modbus 0
row "the example fits its schema" xmllint --noout --schema "$build/profiles/schema/mechanism.xsd" "$source_dir/docs/guides/modbus/cart.xml"
rows_end
