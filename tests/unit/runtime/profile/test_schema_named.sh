#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The schemas that shipped profiles name: they are those of the build, what is shipped is valid by them and
# by `doppel check`, what is broken is refused by both. Arguments: the folder of the schemas, the source tree, doppel, the folders of
# broken profiles and broken worlds.
set -euo pipefail
schemas=$1
root=$2
doppel=$3
declare -A broken=([profiles]=$4 [worlds]=$5)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v xmllint >/dev/null || exit 77
export DOPPEL_PROFILE_PATH="$(dirname "$schemas"):$root/profiles"

fail() {
    echo "$*" >&2
    exit 1
}

"$doppel" schema "$work/again"
diff -r "$work/again" "$schemas" || fail "two runs of doppel schema differ"

# every profile has a licence and names a schema that is there
find "$root/profiles" -name '*.xml' | LC_ALL=C sort >"$work/files"
while read -r file; do
    text=$(<"$file")
    mapfile -n 2 -t first <"$file"
    [[ ${first[*]} = *'<!-- SPDX-License-Identifier: Apache-2.0 -->'* ]] || fail "$file has no SPDX line"
    named=
    [[ $text =~ xsi:noNamespaceSchemaLocation=\"([^\"]*)\" ]] && named=${BASH_REMATCH[1]}
    schema=$(realpath -m "${file%/*}/$named")
    name=${schema#"$root/profiles/schema/"}
    [ "$name" != "$schema" ] && [ -f "$schemas/$name" ] || fail "$file names $named, which is no schema"
    echo "$file" >>"$work/by-${name//\//:}"
done <"$work/files"
[ "$(wc -l <"$work/files")" -ge 100 ] || fail "only $(wc -l <"$work/files") profiles"
for list in "$work"/by-*; do
    name=${list#"$work/by-"}
    xargs xmllint --noout --schema "$schemas/${name//://}" <"$list" 2>"$work/said" || fail "$(grep -v validates "$work/said")"
done
xargs "$doppel" check --format gcc <"$work/files" >"$work/said" || fail "doppel check: $(grep error "$work/said")"
grep -i 'xsi\|xmlns\|schema' "$work/said" && fail "doppel check warns of the schema's name"

# a file of one line must be valid or not, and doppel check must say the same: accepts|refuses SCHEMA TEXT
valid() {
    echo "$2" >"$work/one.xml"
    xmllint --noout --schema "$schemas/$1.xsd" "$work/one.xml" 2>"$work/said"
}
accepts() {
    valid "$@" || fail "$1.xsd refuses $2: $(<"$work/said")"
    "$doppel" check --format gcc --strict "$work/one.xml" >"$work/said" || fail "doppel refuses $2: $(<"$work/said")"
}
refuses() {
    valid "$@" && fail "$1.xsd accepts $2"
    "$doppel" check --format gcc --strict "$work/one.xml" >"$work/said" && fail "doppel accepts $2"
    return 0
}
xsi="xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'"
component() { # PROPERTY
    echo "<component_profile $xsi><name>RobotControl</name><properties>$1</properties></component_profile>"
}
accepts classes/RobotControl "$(component "<property name='RobotRadius'>0.2</property>")"
accepts classes/RobotControl "$(component "<property name='RobotRadius' unit='mm'>200</property>")"
refuses classes/RobotControl "$(component "<property name='RobotRadios'>0.2</property>")"
refuses classes/RobotControl "$(component "<property name='WheelDiameter'>0.07</property>")"
refuses classes/RobotControl "$(component "<property name='RobotRadius' unit='parsec'>0.2</property>")"
refuses classes/RobotControl "$(component "<property naem='RobotRadius'>0.2</property>")"
radius="name='RobotRadius' xsi:type='RobotControl.RobotRadius'"
accepts classes/RobotControl "$(component "<property $radius>0.2</property>")"
accepts classes/RobotControl "$(component "<property $radius>200 mm</property>")"
accepts classes/RobotControl "$(component "<property $radius unit='m'>0.2</property>")"
refuses classes/RobotControl "$(component "<property $radius>200</property>")"
refuses classes/RobotControl "$(component "<property $radius>0.2 s</property>")"
refuses classes/RobotControl "$(component "<property $radius>wide</property>")"
app() { # ATTRIBUTES PROPERTY
    echo "<package_profile $xsi><name>A</name><subcomponents><subcomponent><name>S</name><reference>ScanRecorder.xml</reference><properties $1>$2</properties></subcomponent></subcomponents></package_profile>"
}
refuses classes/application "$(app "" "<property name='Evrey'>1</property>")"
refuses classes/application "$(app "xsi:type='ScanRecorder'" "<property name='RobotRadius'>1</property>")"
binding() { # ATTRIBUTES VALUE
    echo "<binding_profile><name>b</name><properties><property component='WheelController' $1>$2</property></properties></binding_profile>"
}
accepts classes/binding "$(binding "name='hardware.WheelDiameter' unit='mm'" 70)"
accepts classes/binding "$(binding "name='late_limit'" 100)"
valid classes/binding "$(binding "name='WheelDiametre'" 0.07)" && fail "classes/binding.xsd accepts a misspelled property"
valid classes/binding "$(binding "name='hardwear.WheelDiameter'" 0.07)" || fail "a component of a composite may have any name"
valid classes/binding "$(binding "name='hardware.WheelDiametre'" 0.07)" && fail "classes/binding.xsd accepts a misspelled property of a side"

# of each broken file its root and its name
for folder in profiles worlds; do
    for file in "${broken[$folder]}"/*.xml; do
        echo "$(xmllint --xpath 'local-name(/*)' "$file" 2>/dev/null) $file"
    done >"$work/roots-$folder"
done

# What a schema refuses of broken files, by kind: refused FOLDER KIND ROOT...
refused() {
    local folder=$1 kind=$2
    shift 2
    for name in "$@"; do
        sed -n "s/^$name //p" "$work/roots-$folder"
    done >"$work/of-kind"
    [ -s "$work/of-kind" ] || return 0
    { xargs xmllint --noout --schema "$schemas/$kind.xsd" <"$work/of-kind" 2>&1 || true; } | sed -n 's/ fails to validate$//p'
}

# broken worlds: what the schema refuses is what is written here, and doppel check refuses it too
{
    refused worlds world world
    refused worlds robot_model robot_model
} | LC_ALL=C sort >"$work/files"
while read -r file; do
    "$doppel" check --format gcc --strict "$file" >/dev/null && fail "the schema refuses $file, doppel check does not"
    basename "$file" .xml
done <"$work/files" >"$work/refused"
diff "$root/tests/unit/runtime/profile/refused_worlds.txt" "$work/refused" || fail "the schemas refuse other broken worlds"

# broken profiles: their errors are in tests/broken/profiles.txt, which another test checks
{
    refused profiles component component_profile
    refused profiles composite composite_component_profile
    refused profiles application package_profile application_profile
    refused profiles service_type service_port_type_profile
    refused profiles data_type data_type data_type_profile
    refused profiles binding binding_profile
} | LC_ALL=C sort >"$work/files"
while read -r file; do
    grep -q "	$(basename "$file")	" "${broken[profiles]}/expected.txt" || fail "the schema refuses $file, doppel check does not"
    basename "$file" .xml
done <"$work/files" >"$work/refused"
diff "$root/tests/unit/runtime/profile/refused_profiles.txt" "$work/refused" || fail "the schemas refuse other broken profiles"
