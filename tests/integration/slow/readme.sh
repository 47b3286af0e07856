#!/usr/bin/env bash
# README's examples as they stand: each line of its code blocks that calls build/doppel is run from a root as the reader has it, the background ones (the
# emulators) first. Only the runs' length is cut, 60 s of the real clock become 5 s, and ports are such that are free. The bindings of one application
# run the same component plugins, byte for byte.
source "$(dirname "$0")/../lib.sh"
[ "$(dirname "$build")" = "$source_dir" ] && unset DOPPEL_PROFILE_PATH # as for the reader, if the build folder is the reader's
mkdir "$work/root"
ln -s "$source_dir/profiles" "$work/root/"
ln -s "$build" "$work/root/build"
cd "$work/root" || exit 1
port=$(free_port)
plugins() { sha256sum "$build"/plugins/component-*.so | sha256sum; }
before=$(plugins)
mapfile -t lines < <(sed -n '/^```/,/^```/p' "$source_dir/README.md" | grep '^build/doppel')
[ ${#lines[@]} -ge 7 ] || fail "README shows ${#lines[@]} commands, expected three bindings, two emulators, a machine and its benches"
for line in "${lines[@]}"; do
    [[ $line == *'&' ]] || continue
    line=${line//5600/$port}
    read -r -a words <<<"${line%&}"
    for i in "${!words[@]}"; do
        [ "${words[i]}" = --pty ] && tty=$XDG_RUNTIME_DIR/doppel/${words[i + 1]#user:}
    done
    rm -f "$tty"
    start "emulator${#pids[@]}" "${words[@]}"
    until_true 5 test -e "$tty" || fail "$line: no $tty"
done
ran=()
for line in "${lines[@]}"; do
    [[ $line == *'&' ]] && continue
    line=${line%%#*}
    [[ $line == *"--clock sim"* ]] || line=${line/--duration 60/--duration 5}
    read -r -a words <<<"$line"
    if [ "${words[-1]}" = --view ]; then # until Ctrl-C, for a browser
        "${words[@]}" 0 --duration 2 >"$work/run.log" 2>&1 && grep -q "^view: http" "$work/run.log" || fail "$line"
        continue
    fi
    echo "${words[*]}"
    "${words[@]}" >"$work/run.log" 2>&1 || fail "$line"
    cp "$work/run.log" "$work/${words[-1]##*/}.log"
    out=${words[-1]}
    ran+=("$(basename "$out")")
    if [[ $line == *" bench "* ]]; then
        [ "$(grep -c '^ok ' "$work/run.log")" = 2 ] || fail "$line: not two verdicts as expected"
        continue
    fi
    [[ $line == *" test "* ]] || [ "$(json "$out/summary.json" faults)" = 0 ] || fail "$line: faults"
    [ "$(json "$out/summary.json" exit)" = 0 ] || fail "$line: exit"
    if [[ $line == *" test "* ]]; then
        [ "$(grep -c '^ok ' "$work/run.log")" = 82 ] || fail "$line: not 82 steps as expected"
        continue
    fi
    if [[ $line == *hexafloat* ]]; then
        [ "$(json "$out/summary.json" MachineControl.fault)" = '"none"' ] || fail "$line: a fault of the machine"
        number "$(json "$out/summary.json" MachineControl.s_run) > 10" || fail "$line: it did not feel anything"
        continue
    fi
    [ "$(json "$out/summary.json" world.contacts)" = 0 ] || fail "$line: it touched something"
    number "$(json "$out/summary.json" WheelController.distance_m) > 0.3" || fail "$line: it did not move"
done
[ "${ran[*]}" = "sim hw hil hexafloat faults elevator" ] || fail "README ran ${ran[*]}, expected sim hw hil hexafloat faults elevator"
number "$(last out/hil sync.distance_mm) < 20" || fail "the avatar did not follow"
number "$(json out/hil/summary.json sync.fidelity) > 0.5" || fail "the avatar did not follow the robot that it found"
grep -q "the avatar was placed at the real robot's pose" "$work/hil.log" || fail "the robot, which has left its start with hw, was not found"
[ "$before" = "$(plugins)" ] || fail "a run changed a plugin"
