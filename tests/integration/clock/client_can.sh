#!/usr/bin/env bash
# A CANopen master on Debian's python3-can (its slcan interface, over a pty) takes the emulated drives through everything that
# a master does; it judges by formulas of its own. Needs the clock: it sends a SYNC every 10 ms. Skipped without that package.
source "$(dirname "$0")/../lib.sh"
python=
for candidate in python3 /usr/bin/python3; do # the package is Debian's: it belongs to Debian's Python
    "$candidate" -c 'import can, serial' 2>/dev/null && python=$candidate && break
done
[ -n "$python" ] || skip "python3-can is not installed"
drives=$work/drives
start drives "$doppel" emulate cia402 --pty "$drives" --axes 2 --start "0 0" --ends "-0.6 0.6"
until_true 5 test -e "$drives" || fail "no drives"
client=$work/client.log
timeout 110 "$python" "$source_dir/tests/clients/can_master.py" "$drives" >"$client" 2>&1
code=$?
[ $code -eq 77 ] && skip "the machine is too busy to judge a motion by: $(tail -n 1 "$client")"
[ $code -eq 0 ] || fail "the client saw something else: exit code $code"
cat "$client"
grep -q "all as it must be" "$client" || fail "the client did not come to its end"
kill -INT "$last"
wait "$last" || fail "the emulator ended with $?"
grep -q " 0 lost by a full bus, 0 invalid bytes" "$work/drives.log" || fail "the drives did not understand their master"
