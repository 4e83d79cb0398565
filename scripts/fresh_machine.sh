#!/usr/bin/env bash
# Makes a machine that has nothing but what the README asks for, and runs its commands there.
#
#   fresh_machine.sh [--keep FOLDER] [--install] [TARGET ...]
#
# The machine is a Debian 13 (Python 3.13, Java 21, git and make) in a folder of its own, with a
# fresh clone of HEAD and a user who is not root. TARGETs are targets of make: `demo test` without
# any, as in the README. The exit code is 0 if all of them pass, 1 if one does not, 2 if there is no
# machine, and 3 if there cannot be one, since this user or this system may not mount anything.
#
#   --keep FOLDER   make the machine in FOLDER, which must not exist, and leave it there
#   --install       install debootstrap with apt-get where it is missing, as is done if CI is set
#
# Packages come from where this machine gets them: the sources and proxies of apt, the settings of
# pip, Maven and Ivy, the certificates and the proxies of the environment are taken over.
set -uo pipefail

release=trixie
packages=python3,python3-venv,openjdk-21-jre-headless,git,make,ca-certificates
user=dev
home=/home/$user
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd) || exit 2
# In here all mounts and processes of the machine are, and with it they go, whatever ends it.
inside=(unshare --mount --propagation private --pid --fork --kill-child)

say_error() {
    printf 'error: %s\n' "$1" >&2
    [ $# -lt 2 ] || printf '       %s\n' "${@:2}" >&2
}

fail() {
    say_error "$@"
    exit 2
}

refuse() {
    say_error "$@"
    exit 3
}

usage() {
    printf 'error: %s\n' "$1" >&2
    sed -n '/^# *fresh_machine/s/^# */usage: /p' "${BASH_SOURCE[0]}" >&2
    exit 2
}

folder='' install=${CI:-} targets=()
while [ $# -gt 0 ]; do
    case $1 in
    --keep)
        [ -n "${2:-}" ] || usage "--keep needs a folder"
        folder=$(realpath -m -- "$2")
        shift
        ;;
    --install) install=yes ;;
    -h | --help)
        sed -n '2,/^set/{s/^# \{0,1\}//p;}' "${BASH_SOURCE[0]}"
        exit 0
        ;;
    -*) usage "there is no option $1" ;;
    *)
        grep -q "^$1:" "$project/Makefile" || usage "the Makefile has no target $1"
        targets+=("$1")
        ;;
    esac
    shift
done
[ ${#targets[@]} -gt 0 ] || targets=(demo test)
[ -z "$folder" ] || [ ! -e "$folder" ] || fail "$folder exists already" "Name a folder that does not."

[ "$(id -u)" -eq 0 ] ||
    refuse "user $(id -un) cannot make a machine: it takes mount and chroot" "Run this as root."
git -C "$project" rev-parse --verify --quiet HEAD >/dev/null ||
    fail "git finds no commit in $project" "A machine gets a clone: run this in a clone."
# Mounts what the kernel gives to a machine, as the one in the folder that is named.
mount_kernel='mount -t proc proc "$1/proc" && mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm" &&
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts" || exit 1'
"${inside[@]}" sh -c "mount -t tmpfs tmpfs /mnt && mkdir -p /mnt/proc /mnt/dev/shm /mnt/dev/pts || exit 1
    $mount_kernel" sh /mnt 2>/dev/null ||
    refuse "root may not mount anything here" "Run this where it may, such as in a privileged container."
if ! command -v debootstrap >/dev/null 2>&1; then
    [ -n "$install" ] ||
        fail "debootstrap is missing" "Install it with apt-get install debootstrap, or give --install."
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends debootstrap; } >/dev/null ||
        fail "apt-get could not install debootstrap" "Install it as this system does."
fi

log=$(mktemp)
running=
clean_up() {
    # The machine's first process goes with it, and so all the others.
    [ -z "$running" ] || { kill -KILL "$running" && wait "$running"; } 2>/dev/null
    rm -f "$log"
    if [ -n "$keep" ]; then
        [ ! -e "$folder/enter" ] ||
            echo "the machine is kept: ${inside[*]} bash $folder/enter $folder runuser -l $user"
    else
        rm -rf --one-file-system "$folder"
    fi
}
keep=$folder
[ -n "$folder" ] || folder=$(mktemp -d) || exit 2
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Runs a command where its mounts go with it; a signal to this script ends it at once. It is a job,
# since bash lets other commands in the background, and so the tests there, ignore SIGINT.
apart() {
    set -m
    "${inside[@]}" "$@" &
    running=$!
    set +m
    wait "$running"
    local code=$?
    running=
    return "$code"
}

# --- what is taken over

if command -v apt-config >/dev/null 2>&1; then
    eval "$(apt-config shell http Acquire::http::Proxy https Acquire::https::Proxy)"
    [ -z "${http:-}" ] || export http_proxy=${http_proxy:-$http}
    [ -z "${https:-}" ] || export https_proxy=${https_proxy:-$https}
fi

# The first source of this machine's packages that has that release, too: debootstrap knows one of
# its own if there is none.
find_mirror() {
    local uri
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | sort -u |
        while read -r uri; do
            if /usr/lib/apt/apt-helper download-file "${uri%/}/dists/$release/Release" "$log" \
                >/dev/null 2>&1; then
                echo "$uri"
                break
            fi
        done
}

# Copies what this machine has at a path to the same path of the new one, if it has nothing there.
take_over() {
    local path
    for path in "$@"; do
        if [ -e "$path" ] && [ ! -e "$folder$path" ]; then
            mkdir -p "$folder$(dirname "$path")" && cp -aL "$path" "$folder$path"
        fi
    done
}

# Settings that say where packages are and how they are reached, as the lines of a file. CI is not
# among them: a test may say there that it needs something else. Files that they name are taken over
# if the commands read them; what names other files, such as a cache of pip, is of this machine only.
settings=() files=()
while IFS= read -r name; do
    case ${name^^} in
    *_CERT | *_CERT_FILE | *_CERT_DIR | *_CA_BUNDLE | PIP_CONFIG_FILE) files+=("${!name}") ;;
    PIP_FIND_LINKS | PIP_CONSTRAINT)
        read -r -d '' -a paths <<<"${!name}"
        files+=("${paths[@]}")
        ;;
    *) [[ ${!name} != /* ]] || continue ;;
    esac
    settings+=("$name=${!name}")
done < <(compgen -e | grep -iE \
    '^(pip_.*|(https?|ftp|all|no)_proxy|ssl_cert_(file|dir)|(requests|curl)_ca_bundle|java_tool_options)$')

# --- the machine

now() { date +%s; }
results=()
began=$(now)
echo "making Debian ($release) in $folder"
mirror=$(find_mirror)
apart debootstrap --variant=minbase --include="$packages" "$release" "$folder" \
    ${mirror:+"$mirror"} >"$log" 2>&1 </dev/null || {
    tail -n 20 "$log" "$folder/debootstrap/debootstrap.log" 2>/dev/null >&2
    fail "debootstrap could not make it${mirror:+ from $mirror}" "Its last lines stand above."
}
chmod 755 "$folder"  # what mktemp makes is closed to the user of the machine
rm -f "$folder/etc/resolv.conf" "$folder/etc/hosts"
rmdir "$folder/usr/local/share/ca-certificates" 2>/dev/null  # the new one is empty
take_over /etc/resolv.conf /etc/hosts /usr/local/share/ca-certificates /etc/pip.conf
# as Debian's installer writes; Java does not start Spark where the machine's own name is unknown
grep -qsw -- "$(hostname)" "$folder/etc/hosts" || printf '127.0.1.1\t%s\n' "$(hostname)" >>"$folder/etc/hosts"
enter() { apart bash "$folder/enter" "$folder" "$@"; }
cat >"$folder/enter" <<END
# Starts a command in the machine, with what the kernel gives and nothing of the environment; reaps
# what loses its parent.
$mount_kernel
END
cat >>"$folder/enter" <<'END'
env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 chroot "$@"
exit
END
enter update-ca-certificates >"$log" 2>&1 && enter useradd -m -s /bin/bash "$user" ||
    fail "the new machine does not work" "$(tail -n 5 "$log")"
for path in "${files[@]}"; do
    [[ $path == /* && -e $path ]] || continue
    # links such as /var/run lead to other places from in there
    target=$(chroot "$folder" realpath -m -- "$path") && [ ! -e "$folder$target" ] || continue
    mkdir -p "$folder${target%/*}" && cp -aL "$path" "$folder$target" &&
        chroot "$folder" chown -R "$user:" "$target" || fail "$path cannot be taken over"
    # a folder on the way may be that of root, which is closed
    while target=${target%/*} && [ -n "$target" ]; do chmod a+x "$folder$target"; done
done
apt-config dump 2>/dev/null | grep -E '^Acquire::https?::' >"$folder/etc/apt/apt.conf.d/99taken-over"
for path in .m2/settings.xml .ivy2/ivysettings.xml .config/pip/pip.conf .pip/pip.conf; do
    [ ! -e "$HOME/$path" ] || install -D -m 644 "$HOME/$path" "$folder$home/$path"
done
# What is not committed stays here.
clone=$folder$home/project
git init -q "$clone" && git -C "$clone" fetch -q --depth 1 "file://$project" HEAD &&
    git -C "$clone" checkout -q FETCH_HEAD || fail "HEAD of $project cannot be cloned"
chroot "$folder" chown -R "$user:$user" "$home"
as_user() {
    enter runuser -u "$user" -- env --default-signal=INT,QUIT HOME="$home" USER="$user" PATH=/usr/local/bin:/usr/bin:/bin \
        "${settings[@]}" bash -c 'cd "$HOME/project" && "$@"' bash "$@"
}
versions=$(as_user bash -c 'cat /etc/debian_version; python3 --version; java -version 2>&1 | head -n 1' </dev/null) ||
    fail "the new machine does not work" "$versions"
results+=("machine    Debian ${versions//$'\n'/, }; made in $(($(now) - began)) s")

# --- the commands

status=0
for target in "${targets[@]}"; do
    printf '\n--- make %s\n' "$target"
    began=$(now)
    exec 3> >(tee "$log")
    writer=$!
    if as_user make "$target" </dev/null >&3 2>&1; then
        verdict=passed
    else
        verdict=FAILED status=1
    fi
    exec 3>&-
    wait "$writer"
    # the last line of pytest, where there is one
    summary=$(sed -nE 's/^=*( ?.*(passed|failed|error|skipped).* in [0-9.]+s.*[^=])=*$/; pytest:\1/p' "$log" | tail -n 1)
    results+=("make $target    $verdict in $(($(now) - began)) s$summary")
done

printf '\n--- result\n'
printf '%s\n' "${results[@]}"
exit "$status"
