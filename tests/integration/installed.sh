# shellcheck shell=bash
# What `meson install` puts down, below a folder with a space in its name that nothing knows ($prefix), used as a user who may write nothing there and
# sees neither the build nor the sources (`installed COMMAND...`, in $home). Sourced after lib.sh, not run.
# Who looks at the files alone sets files_only.
for tool in pkg-config unshare setpriv; do
    command -v $tool >/dev/null || skip "no $tool"
done
unset DOPPEL_PROFILE_PATH LD_LIBRARY_PATH
chmod 755 "$work" # for another user
meson install -C "$build" --no-rebuild --destdir "$work/a robot's place" >"$work/install.log" 2>&1 || fail "meson install"
# the prefix itself is moved, too: nothing may know it
prefix="$work/any where"
bin=$(find "$work/a robot's place" -name doppel -path '*/bin/*')
mv "${bin%/bin/doppel}" "$prefix"
libdir=$(dirname "$(find "$prefix" -name libdoppel.so)")
share=$prefix/share/doppel
apart=(unshare --mount --map-root-user)
as_nobody=()
if [ "$(id -u)" -eq 0 ]; then
    apart=(unshare --mount)
    as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
[ -n "${files_only:-}" ] || "${apart[@]}" true 2>/dev/null || skip "no mount namespaces"
home=$work/home
mkdir "$home" && chmod 1777 "$home"
chmod -R a-w,a+rX "$prefix"
# installed COMMAND...: with an empty folder in place of build and sources
installed() {
    "${apart[@]}" bash -c 'mount -t tmpfs none "$1" && { [ ! -e "$2" ] || mount -t tmpfs none "$2"; } && cd "$3" && shift 3 && exec "$@"' - \
        "$source_dir" "$build" "$home" "${as_nobody[@]}" env -i PATH="$prefix/bin:/usr/bin:/bin" HOME="$home" \
        PKG_CONFIG_PATH="$libdir/pkgconfig" LC_ALL=C.UTF-8 "$@"
}
[ -n "${files_only:-}" ] || installed test ! -e "$source_dir/README.md" || fail "the sources are still seen"
