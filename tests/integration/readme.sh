#!/usr/bin/env bash
# README's examples as they stand: each line of its code blocks that calls build/doppel is run from a root as the reader has
# it, the background ones (the emulators) first. Only the runs' length is cut: 60 s of the real clock become 8 s.
source "$(dirname "$0")/lib.sh"
unset DOPPEL_PROFILE_PATH # as for the reader
mkdir "$work/root"
ln -s "$source_dir/profiles" "$work/root/"
ln -s "$build" "$work/root/build"
cd "$work/root" || exit 1
mapfile -t lines < <(sed -n '/^```/,/^```/p' "$source_dir/README.md" | grep '^build/doppel')
[ ${#lines[@]} -ge 5 ] || fail "README shows ${#lines[@]} commands, expected the three bindings and two emulators"
for line in "${lines[@]}"; do
    [[ $line == *'&' ]] || continue
    read -r -a words <<<"${line%&}"
    for i in "${!words[@]}"; do
        [ "${words[i]}" = --pty ] && tty=${words[i + 1]}
    done
    rm -f "$tty"
    start "emulator${#pids[@]}" "${words[@]}"
    until_true 5 test -e "$tty" || fail "$line: no $tty"
done
ran=()
for line in "${lines[@]}"; do
    [[ $line == *'&' ]] && continue
    line=${line%%#*}
    [[ $line == *"--clock sim"* ]] || line=${line/--duration 60/--duration 8}
    read -r -a words <<<"$line"
    echo "${words[*]}"
    "${words[@]}" >"$work/run.log" 2>&1 || fail "$line"
    out=${words[-1]}
    ran+=("$(basename "$out")")
    [ "$(json "$out/summary.json" faults)" = 0 ] || fail "$line: faults"
    [ "$(json "$out/summary.json" exit)" = 0 ] || fail "$line: exit"
    [ "$(json "$out/summary.json" world.contacts)" = 0 ] || fail "$line: it touched something"
    number "$(json "$out/summary.json" WheelController.distance_m) > 0.3" || fail "$line: it did not move"
done
[ "${ran[*]}" = "sim hw hil" ] || fail "README ran ${ran[*]}, expected sim hw hil"
number "$(json out/hil/summary.json sync.measured_rms_mm) < 30" || fail "the avatar did not follow"
