# shellcheck shell=bash
# Worlds in STAR's format have published digits, press and accelerate as they should, are saved and go on, and repeat.
# the four-bar after 1 s, as two other formulations have it (published digits)
"$doppel" sim star/four_bar.json --run 1 --every 1 --set multibody.integrator=rk4 --out "$work/a" --save "$work/now.json" \
    --snapshot "$work/now.png" 2>"$work/said" || fail "run: $(<"$work/said")"
python3 - "$work/a/channels.csv" <<'PY' || fail "the four-bar is elsewhere"
import csv, sys
row = list(csv.DictReader(open(sys.argv[1])))[-1]
for name, value in {"A/position": 5.547638448, "A/velocity": 5.273003275, "B/position": -4.256954920, "D/velocity": -3.147595275}.items():
    assert abs(float(row["four_bar/" + name]) - value) < 2e-9, (name, row["four_bar/" + name])
PY
[ -s "$work/now.png" ] || fail "no picture"

# the digger's bucket presses on its stone with all four corners of its edge
"$doppel" sim star/digger.json --run 1 --every 1 --put digger/ram1/command/position=0.8 --out "$work/dig" 2>"$work/said" || fail "digger: $(<"$work/said")"
python3 - "$work/dig/channels.csv" <<'PY' || fail "the digger does not press"
import csv, sys
first, last = (list(csv.DictReader(open(sys.argv[1])))[i] for i in (0, -1))
assert first["digger/bucket/contact"] == "0" and last["digger/bucket/contact"] == "4", last["digger/bucket/contact"]
assert 3e4 < float(last["digger/bucket/contact_force[2]"]) < 4e4 and last["digger/arm/stone/on"] == "1"
PY

# an acceleration is what a joint has, while the others hold their places
"$doppel" sim star/arm.json --run 0.5 --every 0.5 --put cell/arm/elbow/command/acceleration=0.4 --out "$work/arm" 2>"$work/said" || fail "arm: $(<"$work/said")"
python3 - "$work/arm/channels.csv" <<'PY' || fail "the elbow has another acceleration"
import csv, sys
last = list(csv.DictReader(open(sys.argv[1])))[-1]
assert abs(float(last["cell/elbow/velocity"]) - 0.2) < 1e-9, last["cell/elbow/velocity"]
assert float(last["cell/arm/elbow/effort"]) < -1, last["cell/arm/elbow/effort"]
PY

# the saved file goes on where the run ended
"$doppel" check --strict "$work/now.json" >/dev/null 2>"$work/said" || fail "check of the saved file: $(<"$work/said")"
"$doppel" sim star/four_bar.json --run 2 --every 1 --out "$work/long" 2>/dev/null || fail "long run"
"$doppel" sim "$work/now.json" --run 1 --every 1 --out "$work/short" 2>/dev/null || fail "run of the saved file"
python3 - "$work/long/channels.csv" "$work/short/channels.csv" <<'PY' || fail "the saved file goes another way"
import csv, sys
long, short = (list(csv.DictReader(open(path)))[-1] for path in sys.argv[1:])
for name in "ABCD":
    for what in "position", "velocity":
        key = "four_bar/%s/%s" % (name, what)
        assert abs(float(long[key]) - float(short[key])) < 1e-9, (key, long[key], short[key])
PY

# twice the same bytes
"$doppel" sim star/delta.json --run 0.3 --out "$work/one" 2>/dev/null || fail "delta"
"$doppel" sim star/delta.json --run 0.3 --out "$work/two" 2>/dev/null || fail "delta again"
cmp "$work/one/channels.csv" "$work/two/channels.csv" || fail "two runs differ"
