#!/usr/bin/env bash
# A served world that answers late and lacks what the devices need: each is lost, with the reason, and comes back when the world is
# started anew and has it.
source "$(dirname "$0")/../lib.sh"
port=$(free_port)
cd "$work" || exit 1
# device NAME PROPERTIES: a component over the served world
device() {
    cat <<XML
    <subcomponent><name>$1</name>
      <execution_semantics><type>periodic-shared</type><period>20</period></execution_semantics>
      <properties>
        <property name="ApiName">avatar</property>
        <property name="ip">127.0.0.1</property>
        <property name="port">$port</property>
        ${2:-}
      </properties>
    </subcomponent>
XML
}
cat >app.xml <<XML
<package_profile>
  <name>Late</name>
  <subcomponents>
$(device WheelController '<property name="L_Motor_Name">LeftWheel</property>')
$(device LaserScanner)
$(device Imu)
$(device PidController '<property name="Measured">enc_left/angle</property><property name="Output">LeftWheel/speed</property>')
  </subcomponents>
</package_profile>
XML
components="WheelController LaserScanner Imu PidController"
# world NAME SED: a robot with everything that the devices need, changed by SED
world() {
    sed -e 's#</robot_model>#<imu name="imu" z="0.1" rate_hz="100"/></robot_model>#' -e "$2" "$profiles/robots/kobuki_urg.xml" >"$1_robot.xml"
    echo "<world name='$1' step_ms='5'><ground/><robot name='avatar' model='$work/$1_robot.xml'/></world>" >"$1.xml"
}
world bare 's/"LeftWheel"/"Other"/; s/"laser"/"eye"/; s/"imu"/"inertia"/'
world whole ''
# tells NAME TEXT...: the run's log has a line of the component with all these texts
tells() {
    local lines
    lines=$(grep -a "$1" run.log)
    shift
    for text in "$@"; do
        lines=$(grep -aF "$text" <<<"$lines") || return 1
    done
}

start run "$doppel" run app.xml --duration 60 --out out
run=$last
until_true 10 tells PidController "no world answers yet" || fail "the run does not wait for the world"
start sim "$doppel" sim bare.xml --port "$port"
sim=$last
until_true 10 tells WheelController "lost: tcp" "avatar/LeftWheel/" || fail "the base does not say what it lacks"
until_true 10 tells LaserScanner "lost: tcp" "avatar/laser/on" || fail "the laser does not say what it lacks"
until_true 10 tells Imu "lost: tcp" "avatar/imu/rate" || fail "the inertial unit does not say what it lacks"
until_true 10 tells PidController "lost: tcp" "avatar/LeftWheel/speed" || fail "the controller does not say what it lacks"

kill "$sim"
wait "$sim"
active() { # NAME: it was last told to be active
    [[ $(grep -a "$1" run.log | tail -n 1) == *"active again"* ]]
}
start sim "$doppel" sim whole.xml --port "$port"
for name in $components; do
    until_true 15 active "$name" || fail "$name does not come back"
done
kill -INT "$run"
wait "$run" || fail "the run ends with $?"
