# shellcheck shell=bash
# Projects of `doppel new`, written outside of the tree, against an installed Doppel in a folder with a space in its name ($installed, the folder of its
# doppel.pc, and $doppel_installed) or against the folder of the build. Sourced after lib.sh, not run.
unset DOPPEL_PROFILE_PATH DOPPEL_PLUGIN_PATH LD_LIBRARY_PATH # meson names libraries of the build there
command -v meson >/dev/null || skip "no meson"
mkdir "$work/projects"
install_doppel() { meson install -C "$build" --no-rebuild --quiet --destdir "$made"; }
made_once 'an installation' install_doppel
installed=$(dirname "$(find "$made" -name doppel.pc)")
[ "$installed" != . ] || fail "no doppel.pc"
doppel_installed=$(PKG_CONFIG_PATH=$installed pkg-config --variable=doppel doppel)
doppel_installed=${doppel_installed//\\ / } # pkg-config writes a space as "\ "
[ -x "$doppel_installed" ] || fail "doppel.pc names no program: $doppel_installed"

# project FOLDER_OF_PC DOPPEL KIND NAME [--class C]: generated, built with warnings as errors, tested
project() {
    local pc=$1 program=$2 kind=$3 name=$4
    shift 4
    local folder="$work/projects/$name"
    (cd "$work/projects" && "$program" new "$kind" "$name" "$@") >"$work/$name.log" 2>&1 || fail "doppel new $kind $name"
    ! grep -rqi 'template_\(name\|class\)\|TemplateName' "$folder" || fail "$name: a word of the template is left"
    PKG_CONFIG_PATH=$pc meson setup --werror "$folder/build" "$folder" >"$work/$name.log" 2>&1 || fail "$name: meson setup"
    meson test -C "$folder/build" --print-errorlogs >"$work/$name.log" 2>&1 || fail "$name: its tests"
    ! grep -q "to catch up" "$folder/build/meson-logs/testlog.txt" || fail "$name: the avatar is slower than the Synchronizer needs"
    echo "$kind $name $*: $(sed -n 's/^Ok: *//p' "$work/$name.log") tests passed"
}
