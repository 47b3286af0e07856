#!/usr/bin/env bash
# Parts of worlds that are built outside of the tree from the installed files: checked, listed, described, in schemas and pictures like
# built-in ones (the tests of each project), and told when they cannot be used.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/new_project.sh"
for kind in sensor actuator subsystem; do
    project "$installed" "$doppel_installed" "$kind" "own_$kind"
    cp "$work/projects/own_$kind/build/$kind-own_$kind.so" "$work/"
done
export DOPPEL_PLUGIN_PATH=$work
doppel() { "$doppel_installed" "$@"; }
world() { echo "$work/projects/own_$1/profiles/worlds/own_$1_world.xml"; }
doppel schema "$work/schemas" || fail "doppel schema"
grep -q 'own_sensor' "$work/schemas/mechanism.xsd" || fail "the schema of mechanisms lacks the sensor"
grep -q 'own_actuator' "$work/schemas/mechanism.xsd" || fail "the schema of mechanisms lacks the actuator"
grep -q 'element name="own_subsystem"' "$work/schemas/robot_model.xsd" || fail "the schema of robots lacks the subsystem"

# says COMMAND... TEXT: it fails and says so
says() {
    local text=${*: -1}
    ! doppel "${@:1:$#-1}" >"$work/said" 2>&1 || fail "doppel ${*:1:$#-1} succeeds"
    grep -q -- "$text" "$work/said" || fail "doppel ${*:1:$#-1} does not say '$text': $(cat "$work/said")"
}
says new sensor own_sensor "$work/again" "there is a sensor own_sensor already"
for kind in sensor subsystem; do
    head -c 4000 "$work/$kind-own_$kind.so" >"$work/cut" && mv "$work/cut" "$work/$kind-own_$kind.so"
    says check "$(world $kind)" "$kind-own_$kind.so: error: the plugin is cut off"
    says list "${kind}s" "$kind-own_$kind.so: error: the plugin is cut off"
done
eval "flags=($(PKG_CONFIG_PATH=$installed pkg-config --cflags --libs doppel-avatar))" # pkg-config writes a space as "\ "
# plugin NAME SED_COMMAND: the sensor's source, changed
plugin() {
    sed "$2" "$work/projects/own_sensor/own_sensor.c" >"$work/projects/own_sensor/changed.c"
    ${CC:-cc} -std=c17 -D_GNU_SOURCE -fPIC -shared -o "$work/sensor-$1.so" "$work/projects/own_sensor/changed.c" "${flags[@]}" || fail "cc $1"
}
plugin own_sensor 's/= DPL_PART(.*)/= {.abi = 1, .table = \&own_sensor_class}/'
says check "$(world sensor)" "the plugin has ABI 1, this runtime has"
plugin own_sensor 's/= DPL_PART(.*)/= {.abi = DPL_PLUGIN_ABI, .table_size = 8, .field_size = sizeof(struct dpl_field), .table = \&own_sensor_class}/'
says check "$(world sensor)" "the plugin's sensor table has 8 bytes, this runtime's"
plugin own_sensor 's/DPL_SIM_SENSOR,/DPL_SIM_SIGNAL,/'
says check "$(world sensor)" "sensor 'own_sensor': no summary, or another phase"
plugin own_sensor 's/sizeof(struct settings)/1/'
says check "$(world sensor)" "'zero': its member is outside of the struct"
plugin own_sensor 's/&channels,/\&(const struct dpl_channel_table){NULL, 1},/'
says check "$(world sensor)" "sensor 'own_sensor': channel: there is a number of rows, but no table"
says sim "$(world sensor)" --run 1 --out "$work/never" "sensor 'own_sensor': channel: there is a number of rows, but no table"
plugin own_sensor 's/\.state_size/.n_children = 1, .state_size/'
says check "$(world sensor)" "sensor 'own_sensor': child: there is a number of rows, but no table"
plugin own_sensor 's/get_lean, NULL/NULL, NULL/'
says check "$(world sensor)" "channel 'lean': an output without get"
plugin own_sensor 's/\.type = "own_sensor"/.type = "own|sensor"/'
says list "type 'own|sensor': expected a name of letters"
for code in -ENOENT 1; do
    plugin own_sensor "/^static int build/,/^}/s/return 0/return $code/"
    says sim "$(world sensor)" --run 1 --out "$work/never" "(own_sensor) of robot '.*': build gives"
done
plugin own_sensor '/^static int build/,/^}/s/return 0/return -EINVAL/'
says sim "$(world sensor)" --run 1 --out "$work/never" "(own_sensor) of robot '.*' refuses, and gives no reason"
plugin own_sensor 's/->lean = .*/->lean = tick->now > DPL_S ? 0.0 \/ 0.0 : 0.0;/'
steps="<step name='a'><watch name='most' of='[mast/tilt/lean]' take='max'/><wait for='2'/></step>"
echo "<test_plan name='p'><world file='$(world sensor)'/>$steps</test_plan>" >"$work/p.xml"
says test "$work/p.xml" --out "$work/never" '\[mast/tilt/lean\] is not a number'
plugin own_sensor 's/^$//'
doppel check "$(world sensor)" >"$work/said" || fail "the sensor again"
plugin other 's/\.name = "own_sensor"/.name = "other"/'
says list "sensor-own_sensor.so: error: the sensor 'other' ($work/sensor-other.so) has the same"
rm "$work/sensor-other.so"
plugin imu 's/"own_sensor"/"imu"/'
says list "sensor-imu.so: error: the sensor 'imu' (built in) has the same name"
plugin other 's/^$//'
says list "sensor-other.so: error: the file is named for sensor 'other', but the plugin contains 'own_sensor'"
sed 's/draft_size = .*,/draft_size = 4,/' "$work/projects/own_subsystem/own_subsystem.c" >"$work/projects/own_subsystem/changed.c"
${CC:-cc} -std=c17 -D_GNU_SOURCE -fPIC -shared -o "$work/subsystem-own_subsystem.so" "$work/projects/own_subsystem/changed.c" "${flags[@]}" || fail "cc own_subsystem"
says check "$(world subsystem)" "beyond the 4 bytes of its draft"
rm "$work"/{sensor,subsystem}-*.so

# a format: robots as lines of text
${CC:-cc} -std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror -fPIC -shared -o "$work/format-lines.so" "$source_dir/tests/integration/outside/lines.c" \
    "${flags[@]}" || fail "cc format-lines.so"
printf 'low 1 0 0 0.1 0.2\nhigh 1 0 0 1 0.2\n' >"$work/two.lines"
printf 'low 1 0 0 0.1 0.2\nhigh 1\n' >"$work/bad.lines"
echo '<world name="w"><robot name="two" lines="two.lines" x="1" scale="0.5"/></world>' >"$work/lines.xml"
echo '<world name="w"><robot name="two" lines="bad.lines"/></world>' >"$work/bad.xml"
echo '<world name="w"><robot name="two" lnes="two.lines"/></world>' >"$work/none.xml"
doppel check "$work/two.lines" "$work/lines.xml" >"$work/said" || fail "doppel check two.lines lines.xml"
grep -q '2 bodies (2 move, 2 kg in all)' "$work/said" || fail "doppel check describes no lines"
doppel list formats | piped '^format/lines ' || fail "the format is not listed"
doppel info format/lines | piped 'scale .* of the edges' || fail "doppel info format/lines"
doppel schema "$work/schemas" && grep -q 'attribute name="lines"' "$work/schemas/world.xsd" || fail "the schema of worlds lacks the format"
doppel sim "$work/lines.xml" --snapshot "$work/lines.svg" || fail "a picture of lines"
doppel sim "$work/lines.xml" --set two.scale=1 --run 2 --record 'two/*/pose' --out "$work/ran" || fail "a run of lines"
tail -1 "$work/ran/channels.csv" | piped ',0\.[23]' || fail "the cubes do not lie on each other: $(tail -1 "$work/ran/channels.csv")"
says check "$work/bad.lines" "bad.lines:2:1: error: expected a name and 5 numbers"
says check "$work/bad.xml" "bad.lines:2:1: error: expected a name and 5 numbers"
says check "$work/none.xml" "needs one of the attributes 'model', 'urdf', 'sdf', 'star' and 'lines'"
for word in solver name 'a b' crates; do
    sed "s/\.attribute = \"lines\"/.attribute = \"$word\"/" "$source_dir/tests/integration/outside/lines.c" >"$work/changed.c"
    ${CC:-cc} -std=c17 -D_GNU_SOURCE -fPIC -shared -o "$work/format-lines.so" "$work/changed.c" "${flags[@]}" || fail "cc format-lines.so"
    says list formats "format 'lines': .*'$word'"
done
rm "$work/format-lines.so"

# a gate: a diary that commands a channel of the actuator's world
${CC:-cc} -std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror -fPIC -shared -o "$work/gate-diary.so" "$source_dir/tests/integration/outside/diary.c" \
    "${flags[@]}" || fail "cc gate-diary.so"
doppel list gates | piped '^gate/diary ' || fail "the gate is not listed"
doppel info gate/diary | piped 'every .* boundaries a line' || fail "doppel info gate/diary"
diary="diary:file=$work/diary,channel=shaft/rail/command"
doppel sim "$(world actuator)" --port 0 --gate "$diary,every=100" --duration 1 >"$work/said" 2>&1 || fail "doppel sim --gate: $(cat "$work/said")"
[ "$(wc -l <"$work/diary")" -ge 5 ] || fail "the diary has no lines"
says sim "$(world actuator)" --port 0 --gate "$diary,evry=2" "there is no setting 'evry', did you mean 'every'?"
says sim "$(world actuator)" --port 0 --gate "diary" "diary lacks the setting 'file' (that it writes)"
says sim "$(world actuator)" --port 0 --gate "dairy" "there is no gate 'dairy', did you mean 'diary'?"
says sim "$(world actuator)" --port 0 --gate "$diary" --gate "$diary" "diary: cannot command 'shaft/rail/command'"
head -c 4000 "$work/gate-diary.so" >"$work/cut" && mv "$work/cut" "$work/gate-diary.so"
says sim "$(world actuator)" --port 0 --gate "diary" "gate-diary.so: error: the plugin is cut off"
