# What the integration tests share. Each test is a script called with the build folder; it works in a folder of its
# own, and whatever it started is ended when it ends. Sourced, not run.
set -uo pipefail
# the leader of a session would make the first terminal that it opens its own, and be ended with it
if [ "$(ps -o sid= -p $$ | tr -d ' ')" = $$ ]; then
    bash "$0" "$@"
    exit
fi
build=$(cd "${1:?build folder}" && pwd)
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
source "$source_dir/tests/support/python.sh"
doppel=$build/doppel
profiles=$source_dir/profiles
export DOPPEL_PROFILE_PATH=$profiles
work=$(mktemp -d)
mkdir -m 700 "$work/user"
export XDG_RUNTIME_DIR=$work/user # devices user:NAME of this test alone
pids=()
cleanup() {
    for pid in "${pids[@]}"; do
        kill -9 "$pid" 2>/dev/null
        wait "$pid" 2>/dev/null
    done
    rm -rf "$work"
}
trap cleanup EXIT
# killed outright it cleans up nothing: a process apart, in a session of its own, waits for its end and removes the folder
setsid -f bash -c 'while kill -0 "$1" 2>/dev/null; do sleep 0.5; done; rm -rf "$2"' guard $$ "$work" </dev/null >/dev/null 2>&1

fail() {
    echo "FAILED: $*" >&2
    for log in "$work"/*.log; do
        [ -f "$log" ] && echo "--- $log" && tail -n 25 "$log"
    done >&2
    exit 1
}

# COMMAND | piped PATTERN: as grep -q, which alone ends at its first match, so that who still writes is ended by a signal: a failure by pipefail
piped() {
    local all
    all=$(cat)
    [ -n "$all" ] && grep -q "$@" <<<"$all"
}

# skip REASON: for what this machine does not offer
skip() {
    echo "SKIPPED: $*"
    exit 77
}

# start NAME COMMAND...: in the background; its pid is in $last and its output in NAME.log
start() {
    local name=$1
    shift
    : >"$work/$name.log" # before the process: who waits for a line of it must not find that of the one before
    "$@" >"$work/$name.log" 2>&1 &
    last=$!
    pids+=("$last")
}

# until_true SECONDS COMMAND...: waits for a condition, 20 times a second
until_true() {
    local tries=$((${1%.*} * 20))
    shift
    for _ in $(seq "$tries"); do
        "$@" >/dev/null 2>&1 && return 0
        sleep 0.05
    done
    return 1
}

# made_once NAME COMMAND...: what several tests need is made by the first of them, in $build/made/NAME, which is then in $made: nobody changes
# it. The command finds the empty folder in $made. A newer program, plugin or profile makes it anew
made_once() {
    made=$build/made/$1
    local command=("${@:2}") lock
    mkdir -p "$build/made"
    exec {lock}>"$made.lock"
    flock "$lock"
    if [ ! -f "$made.done" ] || [ -n "$(find -L "$doppel" "$build/plugins" "$build/runtime" "$build/avatar_sim" "$profiles" \
        \( -name '*.so' -o -name '*.xml' -o -name doppel \) -newer "$made.done" -print -quit)" ]; then
        rm -rf "$made" "$made.done"
        mkdir -p "$made"
        "${command[@]}" >"$made.log" 2>&1 || { cat "$made.log" >&2; fail "making $1"; }
        touch "$made.done"
    fi
    exec {lock}>&-
}

# json FILE KEY: a value of a summary (null when absent)
json() {
    python3 -S -c 'import json,sys; print(json.dumps(json.load(open(sys.argv[1])).get(sys.argv[2])))' "$1" "$2"
}

# last DIR COLUMN: of the last row of a run's trace
last() {
    python3 -S -c 'import csv,sys; print(list(csv.DictReader(open(sys.argv[1])))[-1][sys.argv[2]])' "$1/trace.csv" "$2"
}

# number CONDITION: an arithmetic condition on floating-point numbers
number() {
    python3 -S -c "import sys; sys.exit(0 if ($1) else 1)"
}

# free_port: a TCP port of the loopback interface that nobody uses. It lies below those that the system gives to clients (32768 and up)
free_port() {
    local port
    while port=$((20000 + RANDOM % 12000)) && (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
    echo "$port"
}

# the real robot: emulators of base and scanner in one world. Sets $base, $laser, and the arguments of `run` in $robot
start_robot() {
    local port=$(free_port)
    start kobuki "$doppel" emulate kobuki --pty "$work/kobuki" --world office_truth.xml --robot robot --serve $port
    base=$last
    until_true 5 test -e "$work/kobuki" || fail "no base"
    world=tcp://127.0.0.1:$port
    start_laser
    robot=(--set "WheelController.Address=$work/kobuki" --set "LaserScanner.Address=$work/urg")
    robot_hil=(--set "WheelController.hardware.Address=$work/kobuki" --set "LaserScanner.hardware.Address=$work/urg")
}
start_laser() {
    start urg "$doppel" emulate urg --pty "$work/urg" --world "$world" --robot robot
    laser=$last
    until_true 5 test -e "$work/urg" || fail "no laser"
}
# drive_with_trouble FILE PROPERTIES [WORLD]: an application that drives straight on at 0.2 m/s; a component Trouble (tests/support/trouble) in
# the executor of its WheelController, which has these properties
drive_with_trouble() {
    local world=
    [ -z "${3:-}" ] || world="<world file=\"$3\"/>"
    cat >"$1" <<XML
<package_profile>
  <name>Drive</name>
  $world
  <subcomponents>
    <subcomponent><name>VelocityScript</name>
      <execution_semantics><type>periodic-shared</type><period>50</period></execution_semantics>
      <properties><property name="Script">0 0.2 0; 12 0 0</property></properties>
    </subcomponent>
    <subcomponent><name>WheelController</name>
      <execution_semantics><type>periodic-shared</type><period>50</period></execution_semantics>
      <properties>$2</properties>
    </subcomponent>
    <subcomponent><name>Trouble</name>
      <execution_semantics><type>periodic-shared</type><period>50</period></execution_semantics>
    </subcomponent>
  </subcomponents>
  <port_connections>
    <port_connection port_type="service">
      <source component_name="VelocityScript" port_name="WheelControllerService"/>
      <target component_name="WheelController" port_name="WheelControllerService"/>
    </port_connection>
    <port_connection port_type="service">
      <source component_name="Trouble" port_name="WheelControllerService"/>
      <target component_name="WheelController" port_name="WheelControllerService"/>
    </port_connection>
  </port_connections>
</package_profile>
XML
}
