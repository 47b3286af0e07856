#!/usr/bin/env bash
# A laser that is told to turn: while the robot turns on the spot, early beams are behind and late ones ahead of those of one instant. A scan is recorded
# when it is asked for, and not before there is one.
source "$(dirname "$0")/../lib.sh"
for turns in 0 1; do
    "$doppel" sim office --run 2.045 --every 2.045 --record 'avatar/laser/ranges' --record avatar/twist --put avatar/LeftWheel/speed=-8 \
        --put avatar/RightWheel/speed=8 --put avatar/laser/turns=$turns --put avatar/laser/on=1 --out "$work/turns$turns" 2>"$work/said" ||
        fail "turns=$turns: $(<"$work/said")"
done
python3 - "$work"/turns[01]/channels.csv <<'PY' || fail "the laser does not turn as asked"
import csv, math, sys
def scan(file):
    row = list(csv.DictReader(open(file)))[-1]
    return [float(row[f"avatar/laser/ranges[{i}]"]) for i in range(682)], float(row["avatar/twist[1]"])
(still, rate), (turning, _) = map(scan, sys.argv[1:])
def shift(first):  # in beams, of 150 beams of the turning scan against the other
    def cost(k):
        return sum(min(abs(turning[i] - still[i + k]), 0.2) for i in range(first, first + 150))
    return min(range(-20, 21), key=cost)
for first in (30, 500):
    expected = rate * (first + 75 - 341) / 1024 * 0.1 * 1024 / (2 * math.pi)
    print(f"beams from {first}: shifted by {shift(first)}, expected {expected:.1f} at {rate:.2f} rad/s")
    if abs(rate) < 1.5 or abs(shift(first) - expected) > 1.5:
        sys.exit(1)
PY
"$doppel" sim office --run 0.3 --every 0.05 --record avatar/laser/ranges --out "$work/scan" 2>/dev/null || fail "scan"
python3 - "$work/scan/channels.csv" <<'PY' || fail "scan: $(cut -c1-80 "$work/scan/channels.csv")"
import csv, sys
head, first, *rest = csv.reader(open(sys.argv[1]))
beams = [float(v) for v in rest[-1][1:]]
sys.exit(not (len(head) == len(beams) + 1 == 683 and set(first[1:]) == {""} and sum(0.2 < b < 5.6 for b in beams) > 300))
PY
