#!/usr/bin/env bash
# doppel new driver --class: a driver of every device class but those that have a template of their own (new_driver.sh), compiled without
# a build system, then its test as it stands.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/new_project.sh"
mapfile -t classes < <("$doppel" new driver fresh --class nix 2>&1 | sed -n 's/.* only: \(.*\); for a class.*/\1/p' | tr -d ' ' | tr ',' '\n')
[ "${#classes[@]}" -ge 11 ] || fail "doppel new names these classes: ${classes[*]}"
help=$("$doppel" new --help | tr -s ' \n' '  ')
for class in "${classes[@]}"; do
    grep -q "one of: .*\b$class\b" <<<"$help" || fail "doppel new --help does not name the class $class"
done
read -r -a flags < <(PKG_CONFIG_PATH=$build/meson-uninstalled pkg-config --cflags --libs doppel)
for class in "${classes[@]}"; do
    [ "$class" != wheel_controller ] && [ "$class" != imu ] || continue # have their own
    folder=$work/projects/any_$class
    (cd "$work/projects" && "$doppel" new driver "any_$class" --class "$class") >"$work/$class.log" 2>&1 || fail "doppel new driver --class $class"
    ! grep -rqi 'template_\|TemplateName' "$folder" || fail "$class: a word of the template is left"
    mkdir "$folder/build"
    for plugin in "driver-$class-any_$class:any_$class.c" "component-any_${class}_probe:any_${class}_probe.c"; do
        ${CC:-cc} -std=c17 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter -Werror -O1 -fPIC -shared -o "$folder/build/${plugin%%:*}.so" "$folder/${plugin##*:}" \
            "${flags[@]}" >"$work/$class.log" 2>&1 || fail "$class: ${plugin##*:}"
    done
    "$folder/tests/run.sh" "$doppel" "$folder/build" "$folder/profiles" >"$work/$class.log" 2>&1 || fail "$class: its test"
    echo "driver of $class: $(tail -1 "$work/$class.log")"
done
