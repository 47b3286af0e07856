#!/usr/bin/env bash
# The shell's verbs on a run that is viewed: topics by path, parameters, services, the time of the run, a recording of a part; what is refused.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
says() { # says TEXT CODE COMMAND...: it ends with the code, and says so
    local text=$1 code=$2
    shift 2
    "$doppel" "$@" >said 2>&1
    local got=$?
    [ $got -eq "$code" ] && grep -q -- "$text" said || fail "doppel $*: exit code $got, $(<said)"
}
says "no run can be viewed" 1 topic list
start run "$doppel" run patrol --bind sim --clock sim --rate 4 --quiet --view 0
run=$last
until_true 10 grep -q "^view: ws:" run.log || fail "no address"
says '^/WheelController/odometry  *doppel.Odometry$' 0 topic list
says '^  double theta\|double theta' 0 topic info /WheelController/odometry
says '^ranges: \[[0-9.]*, ' 0 topic echo /LaserScanner/scan --once
says '^[0-9.]*$' 0 topic echo '/LaserScanner/scan.ranges[3]' --once
says "there is no topic '/nothing'" 1 topic echo /nothing --once
says "^10.000 Hz, period 0.100000 to 0.100000 s" 0 topic hz /LaserScanner/scan --count 1
says '^0.07$' 0 param get WheelController.WheelDiameter
says "cannot be changed during the run" 1 param set WheelController.WheelDiameter 0.08
says . 0 param set WheelController.CommandTimeout 321
says '^321$' 0 param get WheelController.CommandTimeout
says "there is no parameter 'Base.Speed'" 1 param get Base.Speed
says '^ok: true' 0 service call /run/pause '{}'
at() { sed -n 's/^time_s: //p' said; }
before=$(at)
says '^ok: true' 0 service call /run/step '{"cycles":4}'
[ "$(python3 -c "print(round($(at) - $before, 9))")" = 0.2 ] || fail "4 cycles: $before to $(at)"
says "cycles" 1 service call /run/step '{"cycles":0}'
says '^/run/step  *{"cycles": integer}$' 0 service list
says '^/run/rate  *{"rate": number}$' 0 service list
says '^ok: true' 0 service call /run/resume '{}'
says '^RobotControl  *ACTIVE ' 0 component list
says '^recorded [0-9]* messages of 1 topics' 0 record /WheelController/odometry --output part.mcap --for 1
says '^ *[1-9][0-9]* .* /WheelController/odometry ' 0 bag info part.mcap
says "doppel.Odometry" 0 bag info part.mcap
says '^  *true_x: \|^true_x: ' 0 topic echo /WheelController/device/values --once
"$doppel" log --for 3 >log.said &
pids+=($!)
until_true 3 eval '"$doppel" param set WheelController.CommandTimeout 400 && grep -q "set WheelController.CommandTimeout" log.said' || fail "log: $(<log.said)"
says "CommandTimeout: -5 ms is out of range" 1 param set WheelController.CommandTimeout -5
"$doppel" param save saved || fail "save"
grep -qx "^--set 'WheelController.CommandTimeout=400'$" saved || fail "saved: $(<saved)"
xargs -a saved "$doppel" run patrol --bind sim --clock sim --duration 1 --quiet >again.log 2>&1 || fail "what was saved is no command line"
says "there is no input port '/RobotControl/odometri', did you mean" 1 topic pub /RobotControl/odometri '{}' --once
says "has no field 'pos', did you mean pose" 1 topic pub /RobotControl/odometry '{"pos":1}' --once
"$doppel" topic pub /RobotControl/odometry '{"pose":{"x":1}}' --once || fail "pub"
until_true 5 grep -q "RobotControl.odometry: 127.0.0.1#[0-9]* publishes to it" run.log || fail "nothing is published: $(<run.log)"
says "there is no component 'Nobody'" 1 component stop Nobody
"$doppel" component stop ScanRecorder || fail "stop"
says '^ScanRecorder  *INACTIVE ' 0 component list
"$doppel" component start ScanRecorder || fail "start"
words() { "$doppel" completion "$@" 2>&1; }
[ "$(words run-names --)" = Patrol ] || fail "completion of runs: $(words run-names)"
[ "$(words run-services -- | tr '\n' ' ')" = "list call " ] || fail "completion of verbs: $(words run-services)"
words run-topics -- echo | piped -x /LaserScanner/scan || fail "completion of topics"
words run-parameters -- --run Patrol get | piped -x WheelController.AxleDistance || fail "completion of parameters"
words run-components -- stop | piped -x RobotControl || fail "completion of components"
for candidate in python3 /usr/bin/python3; do # on a terminal of 24 rows and 80 columns
    "$candidate" -c 'import pyte' 2>/dev/null || continue
    "$candidate" - "$doppel" >screen 2>&1 <<'PY' || fail "top: $(<screen)"
import fcntl, os, pty, pyte, struct, sys, termios, time
pid, master = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    os.execv(sys.argv[1], ["doppel", "top"])
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
screen = pyte.Screen(80, 24)
stream = pyte.ByteStream(screen)
def read_until(found, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end and not found():
        stream.feed(os.read(master, 65536))
    print("\n".join(screen.display))
    assert found()
read_until(lambda: any(line.startswith("Patrol  ") and " running  sim clock x " in line for line in screen.display)
           and any(line.startswith("EXECUTOR ") and line.rstrip().endswith("MAX ms") for line in screen.display)
           and any(line.startswith("/LaserScanner/scan ") for line in screen.display))
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 12, 80, 0, 0))
screen.resize(12, 80)
read_until(lambda: screen.display[0].startswith("Patrol  ") and "lines more: arrow keys" in screen.display[10])
first = screen.display[1]
os.write(master, b"\x1b[B")
read_until(lambda: screen.display[0] == first)
os.write(master, b"q")
while True:
    try:
        if not os.read(master, 65536):
            break
    except OSError:
        break
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
PY
    break
done
kill -INT "$run"
wait "$run" || fail "the run ended with $?"
says "no run can be viewed" 1 top
"$doppel" doctor >said 2>&1
grep -q "^ok    versions " said || fail "doctor: $(<said)"
