#!/usr/bin/env bash
# The shipped unit under what does as systemd does: no base, a base that is plugged in later, pulled and put back, a mistake in the profile, an
# executor that hangs. The base is the emulator, on a pty.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"
unit=$source_dir/packaging/debian/doppel.doppel@.service

# serve INSTANCE OPTIONS [LINE...]: the unit's service, with these DOPPEL_OPTIONS and further lines; what happens is in service.log
serve() {
    local lines=() line
    for line in "${@:3}"; do lines+=(--set "$line"); done
    start service python3 -S "$source_dir/tests/integration/slow/service_manager.py" "$unit" "$1" --map "/usr/bin/doppel=$doppel" \
        --map "/var/lib/doppel=$work/state" --set "Environment=\"DOPPEL_OPTIONS=$2\"" "${lines[@]}"
    manager=$last
}
# on_robot: the options of a run on the emulated robot of this row
on_robot() {
    echo "--bind hw_emulated --set WheelController.Address=$work/kobuki --set LaserScanner.Address=$work/urg"
}
# happens SECONDS LINE: the service's log has the line, or comes to it
happens() {
    until_true "$1" grep -Eq "^$2" "$work/service.log" || fail "no '$2'"
}
end_service() {
    kill "$manager" && wait "$manager"
    tail -n 1 "$work/service.log" | piped "^stays down" || fail "it does not stay down"
}
never() { # LINE
    ! grep -Eq "^$1" "$work/service.log" || fail "'$1'"
}

absent() { # tries again and again
    serve patrol "$(on_robot) --wait 0.5" RestartSec=0.2
    happens 10 "status waits: cannot open '$work/kobuki': No such file or directory"
    happens 10 "exited 5"
    until_true 10 grep -q '"exit": 5' "$work/state/patrol/last/summary.json" || fail "no summary of it" # each start removes it
    happens 5 "restart"
    start_robot
    happens 15 "ready"
    end_service
}
times_it_runs() { # N
    [ "$(grep -c "^status runs" "$work/service.log")" -ge "$1" ]
}
plugged() { # later; pulled and back; stopped
    serve patrol "$(on_robot)" WatchdogSec=2
    happens 10 "status waits"
    start_robot
    happens 10 "ready"
    happens 5 "status runs"
    kill -USR1 "$base"
    happens 5 "status halts: WheelController"
    sleep 2.5 # longer than the watchdog's patience
    kill -USR1 "$base"
    until_true 10 times_it_runs 2 || fail "it does not run again"
    sleep 2
    end_service
    never "watchdog"
    never "restart"
    happens 1 "stopping"
    happens 1 "exited 0"
    [ "$(json "$work/state/patrol/last/summary.json" exit)" = 0 ] || fail "the summary's exit"
    python3 -S - "$work/state/patrol/last/trace.csv" <<'PY' || fail "the trace has not a row a second"
import csv, sys
times = [float(row["t"]) for row in csv.DictReader(open(sys.argv[1]))]
sys.exit(not (len(times) >= 4 and all(0.8 < b - a < 1.3 for a, b in zip(times, times[1:]))))
PY
}
stopped() { # while it waits
    serve patrol "$(on_robot)"
    happens 10 "status waits"
    end_service
    happens 1 "exited 0"
    grep -q "note: .*stopped while the run waited for it: cannot open '$work/kobuki'" "$work/service.log" || fail "the reason"
    grep -q '"faults": 0' "$work/state/patrol/last/summary.json" || fail "summary: $(<"$work/state/patrol/last/summary.json")"
}
mistake() { # is not repeated
    serve patrol "$(on_robot) --set WheelController.Nope=1"
    happens 10 "exited 1"
    happens 5 "stays down"
    never "restart"
    serve my-robot "$(on_robot)"
    happens 10 "my-robot: error: cannot be opened"
    serve patrol "--nope"
    happens 10 "exited 2"
    happens 5 "stays down"
    never "restart"
}
hangs() { # an executor: the watchdog ends the run, and it begins anew
    export DOPPEL_PLUGIN_PATH=$build/tests/support/trouble
    drive_with_trouble "$work/drive.xml" '<property name="ApiName">mock</property>'
    DOPPEL_PROFILE_PATH=$work:$profiles serve "$work/drive.xml" "--set Trouble.What=sleep --set Trouble.For=60 --set Trouble.At=0.5" WatchdogSec=2 \
        "WorkingDirectory=$work"
    happens 10 "ready"
    happens 10 "watchdog"
    happens 10 "killed 6"
    happens 5 "restart"
    grep -q "Trouble: execute is stuck" "$work/service.log" || fail "who hangs is not told"
    kill "$manager"
}
hardened() { # as systemd reads it
    type systemd-analyze >/dev/null 2>&1 || skip "systemd-analyze is not installed"
    sed "s,/usr/bin/doppel,/bin/true,; s,^Documentation=.*,," "$unit" >"$work/doppel@patrol.service"
    systemd-analyze verify "$work/doppel@patrol.service" >"$work/said" 2>&1 || fail "$(<"$work/said")"
    [ ! -s "$work/said" ] || fail "$(<"$work/said")"
    systemd-analyze security --offline=true --threshold=25 --no-pager "$work/doppel@patrol.service" >"$work/said" 2>&1 || fail "$(tail -n 1 "$work/said")"
    # these would hide serial ports
    ! grep -E "^(PrivateDevices|ProtectClock|DeviceAllow|DevicePolicy)=" "$unit" || fail "no serial port"
}
check "no base" absent
check "a base plugged in later, pulled and back" plugged
check "stopped while it waits" stopped
check "a mistake" mistake
check "an executor that hangs" hangs
check "systemd's own look" hardened
rows_end
