#!/usr/bin/env bash
# The six-axis machine with its avatar in real time, with busy programs beside it: the world's thread is in real time as the
# executors are, so that the platform's pose is known in every tick. The real clock: who is late is measured.
source "$(dirname "$0")/../lib.sh"
"$doppel" run hexafloat --bind sim --policy fifo --duration 0.1 --quiet >"$work/may.log" 2>&1
grep -q refused "$work/may.log" && skip "SCHED_FIFO is refused here"
for _ in $(seq $(($(nproc) * 2))); do
    start busy bash -c 'while :; do :; done'
done
"$doppel" run hexafloat --bind sim --policy fifo --duration 5 --quiet --out "$work/out" \
    --set "MachineControl.Requests=0.1 enable; 0.2 home; 2.4 admittance" --set "ForceSensor.RandomForce=20 1" >"$work/run.log" 2>&1
code=$?
python3 - "$work/out" <<'PY' || fail "see above"
import csv, json, sys
summary = json.load(open(sys.argv[1] + "/summary.json"))
timing = json.load(open(sys.argv[1] + "/timing.json"))
executor = summary["executors"]["rate group motion 0.625 ms"]
world, control = summary["threads"]["world hexafloat"], summary["threads"]["control"]
for name, thread in (("executor", executor), ("world", world), ("control", control)):
    assert thread["policy"] == "SCHED_FIFO", f"{name}: {thread['policy']}"
assert executor["priority"] > control["priority"] > world["priority"] > 0, "who goes first"
assert world["wakes"] > 5 / 0.0003125 * 0.8, f"the world woke {world['wakes']} times in 5 s"
assert timing["threads"]["world hexafloat"]["wake_up"]["count"] == world["wakes"]
rows = list(csv.DictReader(open(sys.argv[1] + "/trace.csv")))
invalid = [r["t"] for r in rows if r["Hexaslide.valid"] in ("0", "false")]
print(f"{len(rows)} ticks, {len(invalid)} without a pose, world late by {world['late_p99_us']:.0f} us (p99), {world['late_max_us']:.0f} us at worst", file=sys.stderr)
assert not invalid, f"no pose in {len(invalid)} of {len(rows)} ticks, first at {invalid[0]} s"
PY
[ $code -eq 0 ] || fail "exit code $code"
