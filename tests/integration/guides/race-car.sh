# The bench at an Uno's pins drives as they say: forward at nine tenths of the duty, with the servo in its middle.
python3 - out/uno/log.csv <<'PY' || fail "it did not drive as its pins said"
import csv, sys
rows = [[int(v) for v in row[:5]] for row in list(csv.reader(open(sys.argv[1])))[1:]]
late = rows[len(rows) // 2:]
assert all(abs(row[3] - 1001) <= 6 for row in late), late[0]
assert all(abs(row[1] - 500) <= 5 for row in late), late[-1]
PY
[ "$(json out/uno/summary.json Bench.CarPins.refused)" = 0 ] || fail "asking when a pin was driven counts as refused"
[ "$(json out/uno/summary.json Bench.Infrared3.refused)" = 0 ] || fail "the board refused the infrared sensor's PWM"
