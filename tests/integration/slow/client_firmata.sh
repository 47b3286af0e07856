#!/usr/bin/env bash
# The npm packages `firmata`, over TCP, and `firmata-io`, over a terminal, unmodified, talk to the emulated board. Versions and
# checksums of the packages and what they need are in tests/clients/package-lock.json; without npm or its registry this test is skipped.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
command -v node >/dev/null || skip "node is not installed"
command -v npm >/dev/null || skip "npm is not installed"
cp "$source_dir"/tests/clients/{firmata.js,firmata_io.js,package.json,package-lock.json} .
timeout 90 npm ci --silent --ignore-scripts --omit=optional >npm.txt 2>&1 ||
    skip "npm does not give the packages of tests/clients/package-lock.json: $(tail -n 1 npm.txt)"

# talk BOARD OPTION...: the client of that board against an emulator with these options
talk() {
    local board=$1 port=$(free_port)
    shift
    start "$board" "$doppel" emulate firmata --board "$board" --tcp "$port" "$@"
    until_true 5 grep -q "at tcp" "$board.log" || fail "no board"
    timeout 40 node firmata.js "$board" "$port" >"$board-client.log" 2>&1 || fail "$board: the client saw something else"
    grep -q "all as it must be" "$board-client.log" || fail "$board: the client did not come to its end"
    kill -INT "$last"
    wait "$last" || fail "$board: the emulator ended with $?"
    grep -q " 0 invalid bytes" "$board.log" || fail "$board: the board did not understand its host"
}
talk uno --wire 8=7 --wire 9=A0 --wire 10=A1 --input A2=0.25 --echo 6=5800
grep -q 'the host says "gr\\xc3\\xbc\\xc3\\x9fe from the package' uno.log || fail "the board did not get the text"
talk mega --wire 44=A15 --wire 41=40

# the same protocol without its transport: a host of its own on a terminal, which asks for what this board does not have
start io "$doppel" emulate firmata --pty "$work/uno" --wire 8=7 --wire 10=11 --wire 9=A0 --input A2=0.25 --echo 6=5800
until_true 5 test -e "$work/uno" || fail "no board at a terminal"
timeout 40 node firmata_io.js "$work/uno" >io-client.log 2>&1 || fail "firmata-io saw something else"
grep -q "all as it must be" io-client.log || fail "firmata-io did not come to its end"
kill -INT "$last"
wait "$last" || fail "the emulator ended with $?"
grep -q " messages received, 8 refused, 3 invalid bytes" io.log || fail "the board understood its host otherwise"

# the package as the controller of an application whose pins it drives; killed, it is missed
cat >pins.xml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<package_profile>
  <name>Pins</name>
  <version>1.0</version>
  <subcomponents>
    <subcomponent>
      <name>CarPins</name>
      <type>original</type>
      <reference>PinBoard.xml</reference>
      <execution_semantics><type>periodic-shared</type><period>10</period></execution_semantics>
      <properties>
        <property name="ApiName">firmata_board</property>
        <property name="Pins">BUTTON SERVO PING0</property>
        <property name="SilentAfter" unit="ms">500</property>
      </properties>
    </subcomponent>
  </subcomponents>
</package_profile>
XML
port=$(free_port)
start run "$doppel" run pins.xml --set "CarPins.Address=listen:$port" --duration 4 --out out
run=$last
until_true 5 bash -c "ss -ltn 2>/dev/null | grep -q ':$port ' || grep -qi ':$(printf %04X "$port") ' /proc/net/tcp" ||
    fail "nobody listens"
start controller node firmata.js controller "$port"
until_true 5 grep -q "all as it must be" controller.log || fail "the controller saw something else"
sleep 0.6 # longer than SilentAfter: it goes on talking
grep -q "no message from the controller" run.log && fail "a controller that lives was missed"
kill -9 "$last"
until_true 5 grep -q "the controller has disconnected" run.log || fail "nobody missed the controller"
wait "$run" 2>/dev/null
python3 - <<'PY' || fail "the run counted otherwise"
import json
pins = json.load(open("out/summary.json"))["devices"]["CarPins"]
print(pins)
assert pins["losses"] == 1 and pins["connections"] == 1 and pins["dropped_bytes"] == 0 and pins["messages"] > 15
PY
