#!/usr/bin/env bash
# Looking ahead for a real robot: emulators of base and laser in a hall whose benches stand 10 mm off and whose robot has wheels that are 3 % smaller. By
# its laser alone the robot touches a bench, with the look-ahead it touches nothing; the report shows the fan. The real clock: looks must come in time. On
# a machine too busy for that nothing is told.
source "$(dirname "$0")/../lib.sh"
seed=30 # touches a bench after 3 s and 0.6 m

# robot NAME: emulators of its own, and the arguments of the run in $patrol
robot() {
    port=$(free_port)
    start "kobuki_$1" "$doppel" emulate kobuki --pty "$work/$1.kobuki" --world unseen_benches_truth.xml --robot robot --serve $port --seed $seed
    until_true 10 test -e "$work/$1.kobuki" || fail "$1: no base"
    start "urg_$1" "$doppel" emulate urg --pty "$work/$1.urg" --world "tcp://127.0.0.1:$port" --robot robot
    until_true 10 test -e "$work/$1.urg" || fail "$1: no laser"
    patrol=(run patrol --bind hil --set "WheelController.hardware.Address=$work/$1.kobuki" --set "LaserScanner.hardware.Address=$work/$1.urg"
        --seed $seed --quiet --out "$work/$1")
}
# touches: whether the emulated robot has touched something, in $touched how often
touches() {
    touched=$("$doppel" world "tcp://127.0.0.1:$port" get robot/contacts | awk '{print $2}')
    [ "${touched:-0}" -gt 0 ]
}
driven() { json "$work/$1/summary.json" WheelController.distance_m; }
# share_ok: of the cycles after the first second in which there was a look to go by
share_ok() {
    python3 -c 'import csv,sys; states=[r["look.state"] for r in csv.DictReader(open(sys.argv[1])) if float(r["t"]) > 1]; print(states.count("ok")/len(states))' "$work/with/trace.csv"
}

hall=() # of the avatar, as binding hil_look_ahead has it
for property in WheelController.simulation LaserScanner.simulation Localizer; do
    hall+=(--set "$property.World=unseen_benches.xml")
done
robot without
start without "$doppel" "${patrol[@]}" "${hall[@]}"
until_true 8 touches
kill "$last"
wait "$last" || fail "without: exit code $?"
[ "$touched" -gt 0 ] || number "$(driven without) > 0.75" || skip "the machine is too busy: the robot drove only $(driven without) m"
[ "$touched" -gt 0 ] || fail "by its laser alone the robot touched nothing: the test tells nothing"

robot with
"$doppel" "${patrol[@]}" --duration 9 --bind look_ahead_hil --bind hil_look_ahead >"$work/with.log" 2>&1 || fail "with: exit code $?"
ok=$(share_ok)
touches && { number "$ok > 0.95" || skip "the machine is too busy: a look to go by in only $ok of the cycles"; }
[ -n "$touched" ] || fail "nobody says what was touched"
[ "$touched" -eq 0 ] || fail "with the look-ahead the robot touched something $touched times"
number "$(driven with) > 0.75 and $ok > 0.95" || skip "the machine is too busy: $(driven with) m driven, a look to go by in $ok of the cycles"
number "$(json "$work/with/summary.json" look.predicted) > 0" || fail "no contact was predicted"
"$doppel" report "$work/with" --output "$work/with.html" >"$work/report.log" 2>&1 || fail "report"
grep -q "looks ahead that end in a contact" "$work/with.html" || fail "the report does not show the fan"
grep -q '^[0-9.]*,[0-9]*,1,' "$work/with/looks.csv" || fail "no path that ends in a contact"
echo "with the look-ahead: no touch in $(driven with) m, a look to go by in $ok of the cycles"
