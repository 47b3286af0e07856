#!/usr/bin/env bash
# A table of commands and what they say. `messages.sh BUILD NAME` runs all rows of messages/NAME.txt in an empty folder and speaks TAP: each row is one
# check, and a row that fails hides no other. A row is an exit code and a command of bash; below it, indented, what is in its output:
#
#   1 doppel chekc
#       did you mean 'check'              (an extended regular expression that matches within a line)
#       2> ^doppel: unknown               (within what it prints to standard error; 1>: to standard output)
#       ! Segmentation                    (is in no line of both)
#       1> -                              (prints nothing there)
#
#   each run check info                   the next row once for each of these words, which stand for % in it
#   + cp $docs/reference/mechanisms/box.xml .  preparation, in the shell of the table: variables and functions stay. It must succeed
#   file box.xml                          a file; its lines are those that follow and begin with "| "
#   # words                               a comment
source "$(dirname "$0")/lib.sh"
name=${2:?name of a table}
table=$source_dir/tests/integration/messages/$name.txt
[ -f "$table" ] || fail "no table $table"
PATH=$build:$PATH
docs=$source_dir/docs
data=$source_dir/tests/integration
mkdir "$work/table"
cd "$work/table" || exit 1
checks=0
words=()
skip() {
    echo "1..0 # SKIP $*"
    exit 0
}

# found FAULTS WORDS: a line of TAP, with what is wrong below it
found() {
    checks=$((checks + 1))
    if [ -z "$1" ]; then
        echo "ok $checks - ${2//#/}"
    else
        echo "not ok $checks - ${2//#/}"
        sed 's/^/# /' <<<"$1"
    fi
}

# ask PATTERN: adds to $faults what the output of the row lacks
ask() {
    local pattern=$1 stream=$work/both
    case $pattern in
        '1> '*) stream=$work/stdout pattern=${1:3} ;;
        '2> '*) stream=$work/stderr pattern=${1:3} ;;
        '! '*)
            ! grep -qE -e "${1:2}" "$stream" || faults+="there is: ${1:2}"$'\n'
            return
            ;;
    esac
    if [ "$stream" != "$work/both" ] && [ "$pattern" = - ]; then
        [ ! -s "$stream" ] || faults+="not nothing: $1"$'\n'
    else
        grep -qE -e "$pattern" "$stream" || faults+="there is no: $1"$'\n'
    fi
}

# row CODE COMMAND PATTERN...
row() {
    local code=$1 command=$2 got pattern faults=
    (eval "$command") >"$work/stdout" 2>"$work/stderr" </dev/null
    got=$?
    cat "$work/stdout" "$work/stderr" >"$work/both"
    [ "$got" = "$code" ] || faults="exit code $got, expected $code"$'\n'
    for pattern in "${@:3}"; do
        ask "$pattern"
    done
    [ -z "$faults" ] || faults+=$(head -c 2000 "$work/both" | tr -d '\0')
    found "$faults" "$command"
}

mapfile -t lines <"$table"
at=0
while [ $at -lt ${#lines[@]} ]; do
    line=${lines[at++]}
    while [[ $line == *'\' ]]; do # goes on in the next line
        read -r more <<<"${lines[at++]}"
        line=${line%'\'}$more
    done
    case $line in
        '' | '#'*) ;;
        'each '*) read -r -a words <<<"${line#each }" ;;
        'file '*)
            for (( ; at < ${#lines[@]}; at++)); do
                [[ ${lines[at]} == '|'* ]] || break
                line+=$'\n'${lines[at]#'|'}
            done
            sed '1d; s/^ //' <<<"$line" >"$(sed '1!d; s/^file //' <<<"$line")"
            ;;
        '+ '*)
            eval "${line#+ }" >"$work/stdout" 2>"$work/stderr" </dev/null || found "$(tail -n 20 "$work/stdout" "$work/stderr")" "$line"
            ;;
        [0-9]*' '?*)
            command=${line#* }
            patterns=()
            while [[ ${lines[at]:-} == '    '* ]]; do
                patterns+=("${lines[at++]#    }")
            done
            for word in "${words[@]:-%}"; do
                row "${line%% *}" "${command//\%/$word}" "${patterns[@]//\%/$word}"
            done
            words=()
            ;;
        *) found "$table:$at: neither a row nor a preparation" "$line" ;;
    esac
done
echo "1..$checks"
