#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The shipped schemas are what the table of the dialect says, and every shipped profile is valid.
# Arguments: the generator, the source tree.
set -eu
generator=$1
root=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$generator" "$folder"
diff -r "$folder" "$root/profiles/schema" || {
    echo "the schemas are out of date: ninja schema" >&2
    exit 1
}
command -v xmllint >/dev/null || exit 77
validate() {
    kind=$1
    shift
    for file in "$@"; do
        [ ! -e "$file" ] || xmllint --noout --schema "$folder/$kind.xsd" "$file"
    done
}
for base in "$root/profiles" "$root/tests/unit/profiles/data"; do
    for file in "$base"/components/*.xml "$base"/paper/*.xml; do
        kind=component
        if grep -q '<composite_component_profile' "$file" 2>/dev/null; then
            kind=composite
        fi
        validate "$kind" "$file"
    done
    validate application "$base"/apps/*.xml
    validate binding "$base"/bindings/*.xml
    validate service_type "$base"/services/*.xml
    validate data_type "$base"/types/*.xml
done
validate application "$root"/tests/unit/profiles/data/*.xml
