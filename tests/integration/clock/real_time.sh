#!/usr/bin/env bash
# The six-axis machine with its avatar in real time, with busy programs beside it: the world's thread is in real time as the
# executors are, so that the platform's pose is known in every tick. The real clock: who is late is measured.
source "$(dirname "$0")/../lib.sh"
source "$(dirname "$0")/../stalls.sh"
for _ in $(seq $(($(nproc) * 2))); do
    start busy bash -c 'while :; do :; done'
done
machine() {
    "$doppel" run hexafloat --bind sim --duration 5 --quiet --out "$work/out" \
        --set "MachineControl.Requests=0.1 enable; 0.2 home; 2.4 admittance" --set "ForceSensor.RandomForce=20 1" >"$work/run.log" 2>&1
    PYTHONPATH=$source_dir/tests/support python3 - "$work/out" "$stalls" $? <<'PY' || fail "see above"
import csv, json, stalls, sys
out, noted, code = sys.argv[1:]
summary = json.load(open(out + "/summary.json"))
timing = json.load(open(out + "/timing.json"))
executor = summary["executors"]["rate group motion 0.625 ms"]
world, control = summary["threads"]["world hexafloat"], summary["threads"]["control"]
for name, thread in (("executor", executor), ("world", world), ("control", control)):
    assert thread["policy"] == "SCHED_FIFO", f"{name}: {thread['policy']}"
assert executor["priority"] > control["priority"] > world["priority"] > 0, "who goes first"
assert world["wakes"] > 5 / 0.0003125 * 0.8, f"the world woke {world['wakes']} times in 5 s"
assert timing["threads"]["world hexafloat"]["wake_up"]["count"] == world["wakes"]
rows = [(float(r["t"]), r["Hexaslide.valid"]) for r in csv.DictReader(open(out + "/trace.csv"))]
invalid = [t for t, valid in rows if valid in ("0", "false")]
# A pose is lost when readings are 20 ms old: the machine has stood still for half of it in the time before, or it is our fault.
stood, epoch = stalls.read(noted), timing["epoch"] * 1e-9
ours = [t for t in invalid if stalls.stood(stood, epoch + t - 0.03, epoch + t) < 0.01]
print(f"{len(rows)} ticks, {len(invalid)} without a pose, {len(ours)} of them while the machine ran; {len(stood)} stalls, "
      f"world late by {world['late_p99_us']:.0f} us (p99), {world['late_max_us']:.0f} us at worst", file=sys.stderr)
assert not ours, f"no pose at {ours[0]} s, and the machine ran"
assert code == "0", f"exit code {code}"
PY
}
unless_stalled 10 machine
