# shellcheck shell=bash disable=SC2034
# Clean Debian roots for config/package-test and config/repository-test, which source this file. It needs root and
# debootstrap; roots of another architecture run by qemu-user (config/setup --cross, and binfmt_misc in the kernel).
# The untouched roots are kept in BLUEFLEET_ROOTS, by default .build/roots; each test gets a copy.

cache=${BLUEFLEET_ROOTS:-$(dirname "$(dirname "$(realpath "${BASH_SOURCE[0]}")")")/.build/roots}
work=$(mktemp -d)
root=
suite=
on_exit=()
clean_up() {
    local action
    for action in "${on_exit[@]}"; do $action || true; done
    [ -z "$root" ] || umount "$root/proc" "$root/dev" 2> /dev/null || true
    rm -rf --one-file-system "$work"
}
trap clean_up EXIT

fail() {
    echo "${suite:+$suite: }$*" >&2
    exit 1
}

# Runs a command in the root.
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }

# Runs a command in the root, with its output in $work/log. Prints the end of the log if the command fails.
quietly() {
    local failure=$1
    shift
    inside "$@" >> "$work/log" 2>&1 || { tail "$work/log" >&2; fail "$failure"; }
}

# Makes $root, a copy of the clean root of $suite: open_root ARCHITECTURE
open_root() {
    local tree=$cache/$suite-$1 mirror
    if [ ! -d "$tree" ]; then
        mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -v security | head -n 1)
        rm -rf --one-file-system "$tree.new"
        debootstrap --arch "$1" --variant=minbase "$suite" "$tree.new" "$mirror" > "$work/debootstrap" 2>&1 || {
            tail -n 5 "$work/debootstrap" >&2
            fail "debootstrap cannot make a root for $1: see its output above"
        }
        mv "$tree.new" "$tree"
    fi
    root=$work/$suite-$1
    cp -a "$tree" "$root"
    mount -t proc proc "$root/proc"
    mount --bind /dev "$root/dev"
    : > "$work/log"
    quietly "apt-get update failed" apt-get update -q
}

close_root() {
    umount "$root/proc" "$root/dev"
    rm -rf --one-file-system "$root"
    root=
}
