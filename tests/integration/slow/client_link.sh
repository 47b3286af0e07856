#!/usr/bin/env bash
# A client in Python on Debian's python3-zmq and python3-protobuf, which knows docs/reference/link.md and link.proto only, drives a robot in a world that
# `doppel sim` serves. Without those packages this test is skipped.
source "$(dirname "$0")/../lib.sh"
python=
for candidate in python3 /usr/bin/python3; do # the packages are Debian's: they belong to Debian's Python
    "$candidate" -c 'import zmq, google.protobuf' 2>/dev/null && python=$candidate && break
done
[ -n "$python" ] || skip "python3-zmq or python3-protobuf is not installed"
protoc --proto_path="$source_dir/avatar_sim/gates/link/wire" --python_out="$work" link.proto || fail "protoc"
start sim "$doppel" sim empty --port 0
world=$last
address() { sed -n 's|^serving .* at \(tcp://[^,]*\),.*|\1|p' "$work/sim.log"; }
until_true 5 grep -q "^serving" "$work/sim.log" || fail "no world"
"$doppel" info "$(address)" >"$work/info" || fail "info of a served world"
diff <("$doppel" info empty | grep avatar/) <(grep avatar/ "$work/info") || fail "the served world has other channels than its file"
PYTHONPATH=$work timeout 60 "$python" "$source_dir/tests/clients/link_client.py" "$(address)" avatar >"$work/client.log" 2>&1 || fail "the client saw something else: exit code $?"
cat "$work/client.log"
grep -q "all as it must be" "$work/client.log" || fail "the client did not come to its end"
kill -INT "$world"
wait "$world" || fail "the world ended with $?"
grep -q "refused: client 'grandfather' speaks version 1" "$work/sim.log" || fail "the world does not tell whom it refused"
grep -q "client 'second' was refused part 'avatar': client 'first' controls it" "$work/sim.log" || fail "the world does not tell who was refused"
