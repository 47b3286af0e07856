#!/usr/bin/env bash
# A field that no profile can describe is an error that names it, and nothing is written.
set -euo pipefail
python=$1 generate=$2 here=$3
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
if "$python" "$generate" --proto_path="$here" --headers="$out/headers" "$here/unsupported.proto" 2>"$out/said"; then
    echo "accepted" >&2
    exit 1
fi
grep -q 'data: there is no type of a profile for it' "$out/said"
[ ! -e "$out/headers" ]
