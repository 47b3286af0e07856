#!/usr/bin/env bash
# Controllers outside of a served world: killed, hanging, two that want the same channel, garbage; and what docs/controllers.md shows.
source "$(dirname "$0")/../lib.sh"
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$source_dir/clients/python
start sim "$doppel" sim empty --port 0 --controllers 0
world=$last
until_true 5 grep -q "^controllers at" "$work/sim.log" || fail "no world"
address=$(sed -n 's|^serving .* at \(tcp://[^,]*\),.*|\1|p' "$work/sim.log")
port=$(sed -n 's|^controllers at tcp://.*:||p' "$work/sim.log")

# until_world CONDITION: it holds within 20 s; then the world goes on
until_world() {
    timeout 60 "$doppel" world "$address" until "$1" --timeout 20 >"$work/said" 2>&1 || fail "until $1: $(<"$work/said")"
    timeout 60 "$doppel" world "$address" run >"$work/said" 2>&1 || fail "run: $(<"$work/said")"
}
spin() { # NAME ARGUMENTS...: joins
    start "$1" python3 "$source_dir/tests/clients/spin.py" "$port" "${@:2}"
    until_true 10 grep -q joined "$work/$1.log" || fail "$1 did not join"
}
told_of_loss() { # MODE: of one, and then of two
    local n
    n=$(grep -c "controller 'spin $left' is out: the connection is lost: what it commanded is released" "$work/sim.log")
    [ "$n" -eq $([ "$1" = lock ] && echo 1 || echo 2) ]
}
left=avatar/LeftWheel/speed
turns='avatar/enc_left/velocity > 3.9'
stands='avatar/enc_left/velocity < 0.01'

# ---- killed: what it commanded is released at once, the world goes on, it can come back ----
for mode in lock free; do
    spin "killed_$mode" $left 5 $mode
    killed=$last
    until_world "$turns"
    kill -9 "$killed"
    until_world "$stands"
    until_true 5 told_of_loss "$mode" || fail "nobody is told that the controller is lost"
done

# ---- hanging: released within its time-out, and told why when it goes on ----
for mode in lock free; do
    spin "hangs_$mode" $left 0.2 $mode
    hangs=$last
    until_world "$turns"
    kill -STOP "$hangs"
    until_world "$stands"
    kill -CONT "$hangs"
    wait "$hangs"
    [ $? -eq 1 ] || fail "who was given up ends with $?"
    grep -q "spin: code 5: no command came within 200 ms" "$work/hangs_$mode.log" || fail "it is not told why"
done
timeout 60 "$doppel" world "$address" status >"$work/said" || fail "status"
grep -qE "controllers: 0 joined; [0-9]+ frames, .* 2 time-outs" "$work/said" || fail "the status does not count: $(<"$work/said")"

# ---- two want the same channel; one wants another ----
spin first $left 5
first=$last
timeout 20 python3 "$source_dir/tests/clients/spin.py" "$port" $left 5 >"$work/said" 2>&1 && fail "two controllers command one channel"
grep -q "spin: code 4: channel '$left' is commanded by controller 'spin $left'" "$work/said" || fail "second: $(<"$work/said")"
spin second avatar/RightWheel/speed 5
until_world 'avatar/linear > 0.13'
timeout 20 python3 "$source_dir/tests/clients/spin.py" "$port" avatar/LeftWhel/speed 5 >"$work/said" 2>&1 && fail "a channel that is not there"
grep -q "did you mean '$left'" "$work/said" || fail "no suggestion: $(<"$work/said")"

# ---- garbage: an answer with its place, and the others are not disturbed ----
head -c 100000 /dev/urandom | timeout 10 python3 -c '
import socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
try:
    s.sendall(sys.stdin.buffer.read())
except OSError:
    pass
print(s.recv(4096)[24:])' "$port" >"$work/said" 2>&1
for text in "GET / HTTP/1.0" "quit"; do
    printf '%s\r\n\r\n' "$text" | timeout 10 python3 -c '
import socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
s.sendall(sys.stdin.buffer.read())
print(s.recv(4096)[24:].decode())' "$port" >"$work/said" 2>&1 || fail "garbage: $(<"$work/said")"
    grep -q "not a message of this protocol" "$work/said" || fail "garbage '$text': $(<"$work/said")"
done
until_world 'avatar/linear > 0.13'
kill -0 "$first" || fail "the first controller has ended"

# ---- usage; the end ----
timeout 20 "$doppel" sim office --controllers 70000 >"$work/said" 2>&1
[ $? -eq 2 ] || fail "port 70000: $(<"$work/said")"
timeout 20 "$doppel" sim office --port 0 --controllers "$port" >"$work/said" 2>&1
[ $? -eq 1 ] || fail "a port in use: $(<"$work/said")"
grep -q "choose another with --controllers" "$work/said" || fail "a port in use: $(<"$work/said")"
kill -INT "$world"
wait "$world" || fail "the world ended with $?"
wait "$first"
grep -q "spin: code 6: the world ends" "$work/first.log" || fail "the controller is not told that the world ends"
