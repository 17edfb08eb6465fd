#!/bin/sh
# Sets up what the project needs, then plays, tests or measures. What it makes lies in .venv, .ci/node_modules and
# .ci/kernel beside it; Debian packages are installed only as root, or where sudo asks for no password.
set -eu

root=$(dirname -- "$(readlink -f -- "$0")")
venv=$root/.venv
marker=$venv/.complete # written last, so that a venv without it is half-made
tools=$root/.ci/node_modules
stand=$root/.ci/kernel

help() {
    cat <<'HELP'
usage: ./uno COMMAND [ARGUMENTS]

  play [ARGUMENTS]          start a table on this machine (./uno play --help)
  test [--all] [ARGUMENTS]  set up what the tests need and run them; --all adds the slow ones and every other check;
                            further arguments go to pytest
  bench [NAME...]           measure: rules, press, lid, idle, count, bridge, fanout, start (all when none is named), soak
  help                      this text

Anything else is a command of the project itself: ./uno case FILE..., ./uno --help
HELP
}

say() { printf 'uno: %s\n' "$*" >&2; }

die() {
    say "$@"
    exit 1
}

# quietly LABEL COMMAND...: run COMMAND with a dot a second; its output is shown only when it fails.
quietly() {
    label=$1
    shift
    log=$(mktemp)
    printf 'uno: %s ' "$label" >&2
    "$@" >"$log" 2>&1 &
    job=$!
    trap 'kill "$job" 2>/dev/null; rm -f -- "$log"; echo >&2; exit 130' HUP INT TERM
    while kill -0 "$job" 2>/dev/null; do
        printf '.' >&2
        sleep 1
    done
    code=0
    wait "$job" || code=$?
    trap - HUP INT TERM
    if [ "$code" -eq 0 ]; then
        echo >&2
    else
        printf ' failed:\n' >&2
        tail -n 25 -- "$log" >&2
    fi
    rm -f -- "$log"
    return "$code"
}

# as_root COMMAND...: run it as root without asking anybody; fails where that is not possible.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo -n "$@"
    fi
}

may_apt() { command -v apt-get >/dev/null && as_root true >/dev/null 2>&1; }

apt_install() {
    # An old list of packages may still do; whether it does, the install says.
    as_root apt-get -q update || true
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install "$@"
}

# need WHAT PACKAGE...: get PACKAGEs from Debian for WHAT, or name the line to type.
need() {
    what=$1
    shift
    if may_apt && quietly "$what: installing $*" apt_install "$@"; then
        return
    fi
    say "$what is missing. Type this, then start again:"
    say "    sudo apt install $*"
    exit 1
}

# The first Python of 3.11 or newer anywhere on the PATH or under pyenv: the first python3 may be an older one, and the
# first python3.12 a shim that only says where others are. 3.11 and 3.12 before any other: from 3.13 on there is no lgpio
# to install, with which the pins of a Pi and the kernel's simulated ones are reached.
find_python() {
    python_below 13 || python_below 99
}

python_below() {
    fits="import sys; sys.exit(sys.version_info < (3, 11) or sys.version_info >= (3, $1))"
    separators=$IFS
    IFS=:
    for name in python3 python3.13 python3.12 python3.11 python3.14; do
        for folder in $PATH "${PYENV_ROOT:-${HOME:-/root}/.pyenv}"/versions/3.1[1-9]*/bin; do
            python=$folder/$name
            if [ -x "$python" ] && "$python" -c "$fits" >/dev/null 2>&1; then
                IFS=$separators
                return 0
            fi
        done
    done
    IFS=$separators
    return 1
}

make_venv() {
    if ! find_python; then
        need "Python 3.11 or newer" python3 python3-venv
        find_python || die "Debian's Python here is older than 3.11: Debian 12 or a newer Raspberry Pi OS has one that will do"
    fi
    if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        need "Python's venv module" "$("$python" -c 'import sys
print("python%d.%d-venv" % sys.version_info[:2])')"
    fi
    rm -rf -- "$venv"
    quietly "making .venv with $("$python" --version)" "$python" -m venv "$venv" || exit 1
}

# What the marker says: where .venv was made (its scripts hold that path), and what was installed.
stamp() {
    printf '%s\n' "$root"
    { printf '%s\n' "$1" && cat -- "$root/pyproject.toml" "$root/constraints.txt"; } | cksum
}

marked() { [ "$(cat -- "$marker")" = "$(stamp "$1")" ]; }

made_here() {
    [ -f "$marker" ] && [ "$(head -n 1 -- "$marker")" = "$root" ] && "$venv/bin/python" -c '' >/dev/null 2>&1
}

install_project() {
    cd -- "$root"
    "$venv/bin/python" -m pip install --disable-pip-version-check --no-input --progress-bar off \
        --constraint constraints.txt --editable "$1"
}

# set_up [dev]: a complete .venv; nothing is fetched when there is one already.
set_up() {
    if ! made_here; then
        make_venv
    elif marked dev || { [ -z "$1" ] && marked ""; }; then
        return
    fi
    quietly "installing the project and what it needs" install_project ".${1:+[$1]}" ||
        die "the project could not be installed; the first start, and one after an update, needs a network"
    stamp "$1" >"$marker"
}

# installed PACKAGE: whether Debian has it; elsewhere nobody can say, and nothing is missing.
installed() {
    ! command -v dpkg-query >/dev/null || dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

# What the tests need beside Python; more of it with --all.
set_up_tests() {
    missing=
    command -v git >/dev/null || missing="$missing git"
    command -v chromium >/dev/null || missing="$missing chromium"
    command -v systemd-analyze >/dev/null || missing="$missing systemd"
    # What Playwright's own program is linked with, and what a page is written with.
    for package in libatomic1 fonts-dejavu-core fonts-noto-cjk fonts-noto-color-emoji; do
        installed "$package" || missing="$missing $package"
    done
    if [ -n "$1" ]; then
        command -v shellcheck >/dev/null || missing="$missing shellcheck"
        command -v node >/dev/null || missing="$missing nodejs"
        command -v npm >/dev/null || missing="$missing npm"
        # The browsers besides Chromium; WebKit's wants a screen.
        command -v firefox-esr >/dev/null || command -v firefox >/dev/null || missing="$missing firefox-esr"
        command -v WebKitWebDriver >/dev/null || missing="$missing webkit2gtk-driver"
        command -v Xvfb >/dev/null || missing="$missing xvfb"
        # The firmware, its portable part for this machine, and the chip that runs it here.
        for package in gcc libc6-dev make gcc-avr avr-libc libsimavr-dev libelf-dev; do
            installed "$package" || missing="$missing $package"
        done
    fi
    # shellcheck disable=SC2086 # a list of package names
    [ -z "$missing" ] || need "what the tests need" $missing
}

install_tools() {
    cd -- "$root/.ci"
    npm install --no-package-lock --no-audit --no-fund
}

set_up_tools() {
    wanted=$(cksum <"$root/.ci/package.json")
    if ! [ -f "$tools/.complete" ] || [ "$(cat -- "$tools/.complete")" != "$wanted" ]; then
        rm -rf -- "$tools"
        quietly "installing what checks the pages and their scripts" install_tools || exit 1
        printf '%s\n' "$wanted" >"$tools/.complete"
    fi
}

# can_simulate: whether the simulated GPIO chip can be had here, and lgpio to reach it with.
can_simulate() {
    [ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ] && grep -qx 'VERSION_CODENAME=bookworm' /etc/os-release &&
        "$venv/bin/python" -c 'import sys; sys.exit(sys.version_info >= (3, 13))'
}

# The kernel and the build, as far as they change what is built.
stand_stamp() {
    dpkg-query -W -f '${Depends}\n' linux-headers-amd64
    cat -- "$root/tests/kernel/build" "$root/tests/kernel/init" | cksum
}

set_up_stand() {
    if [ -f "$stand/.complete" ] && command -v qemu-system-x86_64 >/dev/null &&
        [ "$(cat -- "$stand/.complete")" = "$(stand_stamp)" ]; then
        return
    fi
    missing=
    for package in qemu-system-x86 busybox-static make linux-headers-amd64 linux-source-6.1; do
        # Where that is allowed, also those that are there: old ones may be of a kernel that Debian has no longer.
        if may_apt || ! installed "$package"; then missing="$missing $package"; fi
    done
    # shellcheck disable=SC2086 # a list of package names
    [ -z "$missing" ] || need "the simulated GPIO chip" $missing
    rm -rf -- "$stand"
    quietly "building the simulated GPIO chip" "$root/tests/kernel/build" "$stand" || exit 1
    stand_stamp >"$stand/.complete"
}

failed=
check() {
    name=$1
    shift
    printf '\n== %s\n' "$name"
    "$@" || failed="$failed, $name"
}

check_all() {
    cd -- "$root"
    bin=$venv/bin
    check "shellcheck" shellcheck uno .ci/run tests/kernel/build tests/kernel/init
    check "ruff" "$bin/ruff" check .
    check "ruff format" "$bin/ruff" format --check .
    check "mypy" "$bin/mypy"
    check "import-linter" "$bin/lint-imports"
    check "tsc" "$tools/.bin/tsc" --project .ci/tsconfig.json
    excluded=
    for left in $without; do excluded="$excluded and not $left"; done
    check "pytest" "$bin/python" -m pytest --numprocesses auto --dist worksteal \
        -m "not pi$excluded" "$@"
    echo
    [ -z "$failed" ] || die "did not pass: ${failed#, }"
    say "all checks passed${without:+, but for those left out:$without}"
}

# can_nest: whether systemd can be run in namespaces of its own.
can_nest() { [ "$(id -u)" -eq 0 ] && unshare --pid --mount --cgroup --fork true >/dev/null 2>&1; }

# leave_out MARKER WHY: do without the tests of a marker.
leave_out() {
    without="$without $1"
    say "tests marked $1 are left out: $2"
}

test_it() {
    all=
    if [ "${1:-}" = --all ]; then
        all=yes
        shift
    fi
    set_up dev
    set_up_tests "$all"
    if [ -n "$all" ]; then
        set_up_tools
        without=
        if can_simulate; then
            set_up_stand
        else
            leave_out kernel "it needs Debian 12 on an amd64 machine, and Python 3.11 or 3.12"
        fi
        can_nest || leave_out systemd "to run systemd in a nest needs root, and a machine that allows it"
        check_all "$@"
    else
        cd -- "$root"
        exec "$venv/bin/python" -m pytest --numprocesses auto --dist worksteal "$@"
    fi
}

case ${1:-help} in
help | -h)
    help
    ;;
test)
    shift
    test_it "$@"
    ;;
bench)
    shift
    set_up dev
    cd -- "$root"
    exec "$venv/bin/python" -m tests.bench "$@"
    ;;
*)
    set_up ""
    exec "$venv/bin/uno-attack" "$@"
    ;;
esac
