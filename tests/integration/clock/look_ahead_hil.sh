#!/usr/bin/env bash
# Looking ahead for a real robot, in real time: emulators of base and laser in a hall whose benches stand 10 mm off and whose robot has wheels
# that are 3 % smaller. By its laser alone the robot touches a bench, with the look-ahead it touches nothing; the report shows the fan. On a
# machine too busy to look ahead in time nothing is told.
source "$(dirname "$0")/../lib.sh"
seed=7 # touches a bench after 9 s

# patrol NAME SECONDS OPTION...: beside emulators of its own; then $touched is how often the emulated robot has touched something
patrol() {
    local name=$1 seconds=$2 port=$(free_port)
    shift 2
    start "kobuki_$name" "$doppel" emulate kobuki --pty "$work/$name.kobuki" --world unseen_benches_truth.xml --robot robot --serve $port --seed $seed
    local base=$last
    until_true 10 test -e "$work/$name.kobuki" || fail "$name: no base"
    start "urg_$name" "$doppel" emulate urg --pty "$work/$name.urg" --world "tcp://127.0.0.1:$port" --robot robot
    local laser=$last
    until_true 10 test -e "$work/$name.urg" || fail "$name: no laser"
    "$doppel" run patrol --bind hil --set "WheelController.hardware.Address=$work/$name.kobuki" --set "LaserScanner.hardware.Address=$work/$name.urg" \
        --seed $seed --duration "$seconds" --quiet --out "$work/$name" "$@" >"$work/$name.log" 2>&1 ||
        fail "$name: exit code $?"
    touched=$("$doppel" world "tcp://127.0.0.1:$port" get robot/contacts | awk '{print $2}')
    [ -n "$touched" ] || fail "$name: nobody says what was touched"
    kill "$base" "$laser"
}
# share_ok: of the run's cycles in which there was a look to go by
share_ok() {
    python3 -c 'import csv,sys; states=[r["look.state"] for r in csv.DictReader(open(sys.argv[1]))]; print(states.count("ok")/len(states))' "$work/with/trace.csv"
}

hall=() # of the avatar, as binding hil_look_ahead has it
for property in WheelController.simulation LaserScanner.simulation Localizer; do
    hall+=(--set "$property.World=unseen_benches.xml")
done
patrol without 16 "${hall[@]}"
driven=$(json "$work/without/summary.json" WheelController.distance_m)
[ "$touched" -gt 0 ] || number "$driven > 2.2" || skip "the machine is too busy: the robot drove only $driven m"
[ "$touched" -gt 0 ] || fail "by its laser alone the robot touched nothing: the test tells nothing"
patrol with 25 --bind look_ahead_hil --bind hil_look_ahead
ok=$(share_ok)
[ "$touched" -eq 0 ] || number "$ok > 0.95" || skip "the machine is too busy: a look to go by in only $ok of the cycles"
[ "$touched" -eq 0 ] || fail "with the look-ahead the robot touched something $touched times"
driven=$(json "$work/with/summary.json" WheelController.distance_m)
number "$driven > 2.2 and $ok > 0.95" || skip "the machine is too busy: $driven m driven, a look to go by in $ok of the cycles"
number "$(json "$work/with/summary.json" look.predicted) > 0" || fail "no contact was predicted"
"$doppel" report "$work/with" --output "$work/with.html" >"$work/report.log" 2>&1 || fail "report"
grep -q "looks ahead that end in a contact" "$work/with.html" || fail "the report does not show the fan"
grep -q '^[0-9.]*,[0-9]*,1,' "$work/with/looks.csv" || fail "no path that ends in a contact"
echo "with the look-ahead: no touch in $driven m, a look to go by in $ok of the cycles"
