# Controllers outside of a served world beyond the guide: killed, hanging, two that want the same channel, garbage, and the world's end.
source "$source_dir/tests/integration/rows.sh"
source "$source_dir/tests/integration/world.sh"
export PYTHONPATH=$source_dir/clients/python
spin=$source_dir/tests/clients/spin.py
left=avatar/LeftWheel/speed
turns='avatar/enc_left/velocity > 3.9'
stands='avatar/enc_left/velocity < 0.01'
begin() { serve sim empty --controllers 0; }
spin() { # NAME ARGUMENTS...: joins
    start "$1" python3 "$spin" "$port" "${@:2}"
    until_true 10 grep -q joined "$work/$1.log" || fail "$1 did not join"
}

killed() { # MODE: what it commanded is released at once, the world goes on, it can come back
    begin
    for n in 1 2; do
        spin killed $left 5 "$1"
        until_world "$turns"
        kill -9 "$last"
        until_world "$stands"
        told() { [ "$(grep -c "controller 'spin $left' is out: the connection is lost: what it commanded is released" "$work/sim.log")" -eq $n ]; }
        until_true 5 told || fail "nobody is told that the controller is lost"
    done
}
row "one in lock-step is killed" killed lock
row "one that is free-running is killed" killed free

hangs() { # MODE: released within its time-out, and told why when it goes on
    begin
    spin hangs $left 0.2 "$1"
    until_world "$turns"
    kill -STOP "$last"
    until_world "$stands"
    kill -CONT "$last"
    wait "$last"
    [ $? -eq 1 ] || fail "who was given up ends with another code"
    grep -q "spin: code 5: no command came within 200 ms" "$work/hangs.log" || fail "it is not told why"
    say status || fail "status"
    grep -qE "controllers: 0 joined; [0-9]+ frames, .* 1 time-outs" "$work/said" || fail "the status does not count: $(<"$work/said")"
}
row "one in lock-step hangs" hangs lock
row "one that is free-running hangs" hangs free

owners() {
    begin
    spin first $left 5
    refused 1 "spin: code 4: channel '$left' is commanded by controller 'spin $left'" python3 "$spin" "$port" $left 5
    spin second avatar/RightWheel/speed 5
    until_world 'avatar/linear > 0.13'
    refused 1 "did you mean '$left'" python3 "$spin" "$port" avatar/LeftWhel/speed 5
}
row "a channel has one controller, another channel another one" owners

sends() { # COMMAND...: what it prints goes to the port of controllers; what the world says to that
    "$@" | timeout 10 python3 -c '
import socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
try:
    s.sendall(sys.stdin.buffer.read())
    print(s.recv(4096)[24:])
except OSError:
    pass' "$port" 2>&1
}
garbage() {
    begin
    spin first $left 5
    sends head -c 100000 /dev/urandom
    for text in "GET / HTTP/1.0" "quit"; do
        sends printf '%s\r\n\r\n' "$text" | grep "not a message of this protocol" || fail "no answer to '$text'"
    done
    until_world "$turns"
    kill -0 "$last" || fail "the controller has ended"
}
row "garbage is answered and disturbs nobody" garbage

row "port 70000" refused 2 "" "$doppel" sim office --controllers 70000
in_use() {
    begin
    refused 1 "choose another with --controllers" "$doppel" sim office --port 0 --controllers "$port"
}
row "a port in use" in_use
ends() {
    begin
    spin first $left 5
    kill -INT "$world"
    wait "$world" || fail "the world ended with $?"
    wait "$last"
    grep -q "spin: code 6: the world ends" "$work/first.log" || fail "the controller is not told"
}
row "a world that ends tells its controllers" ends
rows_end
