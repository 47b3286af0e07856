#!/usr/bin/env bash
# The command line as its users meet it: help, errors with places and suggestions, exit codes.
source "$(dirname "$0")/../lib.sh"
expect() { # CODE PATTERN COMMAND...
    local code=$1 pattern=$2 text got
    shift 2
    text=$("$@" 2>&1)
    got=$?
    [ $got -eq "$code" ] || fail "exit $got, expected $code: $* ($text)"
    grep -qE -- "$pattern" <<<"$text" || fail "no '$pattern' in the output of: $*: $text"
}
for command in run check list info graph sim world new emulate report completion version; do
    expect 0 "usage: doppel $command" "$doppel" $command --help
done
expect 0 "commands:" "$doppel" --help
expect 2 "did you mean 'check'" "$doppel" chekc
expect 2 "did you mean '--bind'" "$doppel" run patrol --bnid sim
expect 2 "missing operand" "$doppel" run
expect 2 "expected real, sim" "$doppel" run patrol --clock smi
expect 2 "rate needs --clock sim" "$doppel" run patrol --bind sim --rate 5 --duration 1
expect 1 "cannot be opened|no such" "$doppel" run no_such_app
expect 1 "did you mean" "$doppel" run patrol --bind sim --set WheelControler.ApiName=avatar --clock sim --duration 1
expect 1 "did you mean.*WheelDiameter" "$doppel" run patrol --bind sim --set WheelController.WheelDiametr=0.07 --clock sim --duration 1
expect 1 "did you mean" "$doppel" run patrol --bind sim --set WheelController.WheelDiameter=70 --clock sim --duration 1
expect 1 "avatar.*hil.*kobuki.*mock|drivers" "$doppel" run patrol --bind sim --set WheelController.ApiName=kobuky --clock sim
expect 1 "no-such-tty" "$doppel" run patrol --bind hw --set WheelController.Address=/dev/no-such-tty --duration 1
# a supervisor may close the standard files
quiet_run() { "$doppel" run patrol --bind sim --clock sim --duration 0.2 --quiet --log-level error --out "$work/closed"; }
quiet_run <&- || fail "exit $? with standard input closed"
quiet_run >&- || fail "exit $? with standard output closed"
quiet_run 2>&- || fail "exit $? with standard error closed"
expect 0 "RobotControl" "$doppel" list
expect 0 "WheelDiameter.*m " "$doppel" info wheel_controller/avatar
expect 0 "requires.*WheelControllerService" "$doppel" info RobotControl
for component in $("$doppel" list components | awk '{print $1}'); do
    ! "$doppel" info "$component" | grep -q '(null)' || fail "info $component has a row without a name"
done
expect 1 "did you mean 'RobotControl'" "$doppel" info RobotControll
# the name of something else, a search path that is misspelt
expect 1 "no class, driver or world 'office_truh', did you mean 'office_truth'" "$doppel" info office_truh
expect 1 "'patrol' is an application" "$doppel" info patrol
expect 1 "cannot be opened.*; 'office' is a world" "$doppel" run office --bind sim
expect 1 "choose a binding .--bind NAME." "$doppel" run patrol
expect 0 "doppel list: warning: DOPPEL_PLUGIN_PATH names '$work/no_folder': No such file" \
    env DOPPEL_PLUGIN_PATH="$work/no_folder:$work" "$doppel" list drivers
expect 0 "doppel run: warning: DOPPEL_PROFILE_PATH names '$work/a_file': Not a directory" \
    env DOPPEL_PROFILE_PATH="$profiles:$work/a_file" bash -c 'echo >"$0/a_file"; "$1" run patrol --bind sim --clock sim --duration 0.1 --quiet' "$work" "$doppel"
[ -z "$(DOPPEL_PLUGIN_PATH=$work: "$doppel" list drivers 2>&1 >/dev/null)" ] || fail "a warning about folders that are there"
expect 0 "digraph" "$doppel" graph patrol --bind hil
expect 0 "<svg" "$doppel" graph patrol --bind hil --format svg
expect 0 "complete -o filenames -F _doppel doppel" "$doppel" completion
for word in sensor/laser actuator/steering signal/wire subsystem/planar; do
    expect 0 "^$word\$" "$doppel" completion entries
done
bash -n <("$doppel" completion) || fail "the completion script is not bash"
expect 0 "0 errors, 0 warnings" "$doppel" check --strict "$profiles"/*/*.xml
expect 0 "0 errors, 0 warnings" "$doppel" check --resolve --strict --bind hil "$profiles"/apps/{patrol,follow}.xml
# a mechanism: what it has; with --quiet nothing; a warning counts with --strict; a wrong root
expect 0 "1 body .1 moves, 1 kg in all., 0 joints" "$doppel" check "$source_dir/docs/mechanisms/box.xml"
[ -z "$("$doppel" check --quiet "$source_dir/docs/mechanisms/box.xml" 2>&1)" ] || fail "check --quiet says something"
sed 's/static/statik/' "$source_dir/docs/mechanisms/box.xml" >"$work/object.xml"
expect 0 "object.xml:2:[0-9]+: warning: unknown attribute 'statik', did you mean 'static'" "$doppel" check "$work/object.xml"
expect 1 "1 file: 0 errors, 1 warning" "$doppel" check --strict "$work/object.xml"
expect 0 "chain: 12 bodies .12 move, 2.4 kg in all., 12 joints" "$doppel" check "$source_dir/docs/mechanisms/chain.xml" --param LINKS=12
expect 1 "this file has no parameter 'LINK', did you mean 'LINKS'" "$doppel" check "$source_dir/docs/mechanisms/chain.xml" --param LINK=12
echo "<mechanisn/>" >"$work/object.xml"
expect 1 "a mechanism or a test plan, did you mean <mechanism>" "$doppel" check "$work/object.xml"
expect 1 "needs the property ApiName" "$doppel" check --resolve "$profiles"/apps/patrol.xml
expect 1 "RobotControl: SafeRadius \\(0.1 m\\) must not be smaller" \
    "$doppel" check --resolve --bind sim patrol --set RobotControl.SafeRadius=0.1
[ "$("$doppel" check hexafloat/sim 2>&1)" = "1 file: 0 errors, 0 warnings" ] || fail "check of a binding by name"
# by name, as run takes it; an unknown driver is one error, whatever is set of the drivers
expect 0 "1 file: 0 errors" "$doppel" check --resolve --bind sim hexafloat
expect 1 "1 file: 1 error, " "$doppel" check --resolve --bind sim hexafloat --set Servo.ApiName=avatr --set Servo.Kp=1
# check --resolve loads the worlds and robots that run would: a truncated one, none, a robot that is not in it
mkdir -p "$work/broken/worlds" "$work/broken/robots"
head -c 250 "$profiles/worlds/office.xml" >"$work/broken/worlds/office.xml"
sed "s#office.xml#$work/broken/worlds/office.xml#" "$profiles/apps/patrol.xml" >"$work/broken/cut.xml"
sed '/<world /d' "$profiles/apps/patrol.xml" >"$work/broken/no_world.xml"
for how in check\ --resolve "run --clock sim --duration 1"; do
    expect 1 "broken/worlds/office.xml:[0-9]+:[0-9]+: error: .*" "$doppel" $how --bind sim "$work/broken/cut.xml"
    expect 1 "error: WheelController: the application has no <world>" "$doppel" $how --bind sim "$work/broken/no_world.xml"
    expect 1 "error: WheelController: world .*has no robot 'nobody'; it has: avatar" \
        "$doppel" $how --bind sim patrol --set WheelController.RobotName=nobody
done
expect 1 "the application has no <world>" "$doppel" check --resolve --bind hil "$work/broken/no_world.xml" # hardware is left alone
expect 0 "0 errors" "$doppel" check "$work/broken/cut.xml" # without --resolve only the profile is asked
# a finding in a file that a world includes has that file's place in front
sed 's/<wheel /<whel /' "$profiles/robots/kobuki_urg.xml" >"$work/broken/robots/kobuki_urg.xml"
cp "$profiles/worlds/office.xml" "$work/broken/worlds/whole.xml"
sed "s#office.xml#$work/broken/worlds/whole.xml#" "$profiles/apps/patrol.xml" >"$work/broken/includes.xml"
for how in check\ --resolve "run --clock sim --duration 1"; do
    expect 1 "^[^ ]*broken/[a-z/.]*robots/kobuki_urg.xml:[0-9]+:[0-9]+: error: " "$doppel" $how --bind sim "$work/broken/includes.xml"
done
expect 1 "^[^ ]*broken/[a-z/.]*robots/kobuki_urg.xml:[0-9]+:[0-9]+: error: " "$doppel" sim "$work/broken/worlds/whole.xml"
# an unknown encoding is refused however long its name is
for length in 3 300; do
    printf '<?xml version="1.0" encoding="%s"?>\n<world><name>w</name></world>\n' "$(printf 'x%.0s' $(seq $length))" >"$work/encoding.xml"
    expect 1 "encoding.xml:1:31: error: unknown encoding 'xxx" "$doppel" check "$work/encoding.xml"
done
# what only the start can judge is bad input all the same
expect 1 "Cutoff \(900 Hz\) must be below half the rate" "$doppel" run hexafloat --bind sim --clock sim --set ForceFilter.Cutoff=900
# what a text holds is checked where it stands: a bad row, too few numbers, a row in a binding
sed '/<reference>DynamicModel.xml/a <properties><property name="Stiffness">5000 200 3</property></properties>' \
    "$profiles/apps/hexafloat.xml" | sed "s#\.\./worlds#$profiles/worlds#" >"$work/hexafloat.xml"
expect 1 "hexafloat.xml:29:40: error: Stiffness: character 1 .*expected one number, two" \
    "$doppel" check --resolve --bind hexafloat/sim "$work/hexafloat.xml"
sed 's/15 x 60 15/15 w 60 15/' "$profiles/bindings/hexafloat/sim.xml" >"$work/bad_rows.xml"
expect 1 "bad_rows.xml:10:55: error: Impulses: character 4 .*AXIS" "$doppel" run hexafloat --bind "$work/bad_rows.xml" --clock sim
expect 1 "hexafloat.xml:[0-9]+:[0-9]+: error: Hexaslide.*no robot model 'hx_b'" \
    "$doppel" run hexafloat --bind sim --clock sim --set Hexaslide.Robot=hx_b
# an application that cannot run does not pass: a bad script, none, two, a file that is not there
experiment=(--resolve "$profiles/apps/sync_experiment.xml")
expect 1 "error: Script: character 4 .*expected three numbers" "$doppel" check "${experiment[@]}" --set "VelocityScript.Script=0 1"
expect 1 "sync_experiment.xml:10:5: error: VelocityScript: neither Script nor File" \
    "$doppel" check "${experiment[@]}" --set VelocityScript.Script=
expect 1 "both Script and File.*--set VelocityScript.Script=" "$doppel" check "${experiment[@]}" --set VelocityScript.File=/dev/null
expect 1 "error: File: there is no file 'missing.txt'" "$doppel" check "${experiment[@]}" --set VelocityScript.File=missing.txt
expect 1 "error: Waypoints: character 7 .*expected" "$doppel" check --resolve --bind sim patrol --set "RobotControl.Waypoints=1 2; 3"
# a file is named as seen from the profile that names it, wherever the command is given
mkdir "$work/beside"
sed 's#"Script">.*</property>#"File">way.txt</property>#' "$profiles/apps/sync_experiment.xml" >"$work/beside/app.xml"
absent="beside/app.xml:16:31: error: File: there is no file '.*/beside/way.txt'"
expect 1 "$absent" "$doppel" check --resolve "$work/beside/app.xml"
expect 1 "$absent" "$doppel" run "$work/beside/app.xml" --clock sim
expect 0 "warning: File: there is no file" "$doppel" check "$work/beside/app.xml"
echo "0 0.1 0" >"$work/other.txt"
expect 0 "0 errors, 0 warnings" "$doppel" check --resolve "$work/beside/app.xml" --set VelocityScript.File="$work/other.txt"
echo "0 0.1 0; 1 0 0" >"$work/beside/way.txt"
expect 0 "0 errors, 0 warnings" "$doppel" check --resolve --strict "$work/beside/app.xml"
expect 0 "results:" "$doppel" run "$work/beside/app.xml" --clock sim --quiet --out "$work/beside/out"
(cd "$work/beside" && expect 0 "results:" "$doppel" run "$profiles/apps/sync_experiment.xml" --clock sim --quiet \
    --set VelocityScript.Script= --set VelocityScript.File=way.txt --out out) || exit 1
# so is a world that a property names; those of the profile path are known everywhere
sed 's/>office_truth.xml</>other.xml</' "$profiles/bindings/twin.xml" >"$work/beside/two.xml"
absent="beside/two.xml:10:65: error: World: there is no world 'other.xml'"
expect 1 "$absent" "$doppel" run patrol --bind "$work/beside/two.xml" --clock sim
expect 1 "$absent" "$doppel" check --resolve patrol --bind "$work/beside/two.xml"
expect 0 "two.xml:22:62: warning: World: there is no world 'other.xml'" "$doppel" check patrol --bind "$work/beside/two.xml"
expect 1 "set LaserScanner.World=other.xml: error: World: there is no world 'other.xml'" \
    "$doppel" run patrol --bind sim --clock sim --set LaserScanner.World=other.xml
cp "$profiles/worlds/office_truth.xml" "$work/beside/other.xml"
cp "$profiles/worlds/office_rooms.xml" "$work/beside"
expect 0 "results:" "$doppel" run patrol --bind "$work/beside/two.xml" --clock sim --quiet --duration 0.5 --out "$work/beside/out"
expect 2 "expected --chart FILE or --table" "$doppel" report "$work" "$work"
# a run without a way or a laser has no map
expect 0 "results:" "$doppel" run hexafloat --bind sim --clock sim --quiet --duration 0.5 --out "$work/machine"
expect 0 "" "$doppel" report "$work/machine" --output "$work/machine.html"
grep -q "Timing of the executors" "$work/machine.html" || fail "report: no page of a machine"
grep -q "Map:" "$work/machine.html" && fail "report: an empty map"
# Ctrl-C stops in order
start interrupted "$doppel" run patrol --bind sim --duration 60 --out "$work/interrupted"
sleep 1
kill -INT "$last"
wait "$last"
[ $? -eq 0 ] || fail "Ctrl-C does not end in order"
number "$(json "$work/interrupted/summary.json" duration_s) < 10" || fail "no summary after Ctrl-C"
[ "$(json "$work/interrupted/summary.json" interrupted)" = true ] || fail "the summary does not say that the run was interrupted"
grep -Eq "^interrupted after [0-9.]+ s of 60.0 s" "$work/interrupted.log" || fail "nobody printed that the run was interrupted"
# a run that never began names no results, and leaves none of a run before
expect 0 "results:" "$doppel" run sync_experiment --clock sim --quiet --out "$work/refused"
refused=$("$doppel" run sync_experiment --clock sim --quiet --set "VelocityScript.Script=0 0.2 0; 5 x 0" --out "$work/refused" 2>&1)
[ $? -eq 1 ] || fail "a bad script does not end with 1"
[ "$(json "$work/refused/summary.json" exit)" = 1 ] || fail "no summary that says that the run failed"
grep -q '"error": ".*Script: character 12' "$work/refused/summary.json" || fail "a summary without the reason"
[ ! -e "$work/refused/trace.csv" ] || fail "the trace of an earlier run beside a failure"
grep -q "character 12" <<<"$refused" || fail "no place in: $refused"
! grep -q "results:" <<<"$refused" || fail "results of a run that never began: $refused"
# a channel that a world does not have is an error of the profile
cat >"$work/pid.xml" <<XML
<package_profile><name>Pid</name><world file="corridor.xml"/><subcomponents><subcomponent><name>PidController</name>
<execution_semantics><type>periodic-shared</type><period>10</period></execution_semantics><properties>
<property name="ApiName">avatar</property><property name="Measured">enc_left/angle</property>
<property name="Output">LeftWheeel/speed</property></properties></subcomponent></subcomponents></package_profile>
XML
for command in "check --resolve" "run --quiet --duration 1" "run --quiet --duration 1 --clock sim"; do
    # shellcheck disable=SC2086
    expect 1 "pid.xml:1:.*Output: there is no channel 'LeftWheeel/speed' that can be written" "$doppel" $command "$work/pid.xml"
done
# a robot that starts inside something: told at its place in the world, by all that load it
cat >"$work/inside.xml" <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<world name="inside">
  <ground/>
  <wall name="north" x1="-5" y1="0.1" x2="5" y2="0.1" thickness="0.2"/>
  <robot name="avatar" model="kobuki_urg.xml"/>
</world>
XML
sed "s#office.xml#$work/inside.xml#; s#\.\./worlds/##" "$profiles/apps/patrol.xml" >"$work/inside_app.xml"
inside="inside.xml:5:3: (error: )?(.*: )?robot 'avatar' starts at \\(0, 0\\) inside the obstacle 'north'"
expect 1 "$inside" "$doppel" check "$work/inside.xml"
expect 1 "$inside" "$doppel" check --resolve --bind sim "$work/inside_app.xml"
expect 1 "$inside" "$doppel" run --bind sim --clock sim --duration 1 "$work/inside_app.xml"
expect 1 "$inside" "$doppel" sim "$work/inside.xml" --port 0 --duration 1
expect 1 "$inside" "$doppel" emulate kobuki --pty "$work/kobuki" --world "$work/inside.xml" --robot avatar
expect 1 "emulate urg: error: .*/corridor.xml: there is no channel 'avatar/lasr/on', did you mean 'avatar/laser/on'" \
    "$doppel" emulate urg --pty "$work/urg" --world corridor --robot avatar --laser lasr
