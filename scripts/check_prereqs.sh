#!/bin/sh
# Finds what the project needs and cannot install by itself.
#
#   check_prereqs.sh python   prints a Python that can make the virtual environment
#   check_prereqs.sh java     checks the Java that Spark will start
#
# PYTHON=/path/to/python and JAVA_HOME=/path/to/jdk are used when set, and nothing else is tried.
set -u

min_python=3.11
min_java=17

say() {
    printf '%s\n' "$@" >&2
}

# A command that is on the PATH need not work: version managers put stubs there that fail.
python_is_new() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

python_makes_venvs() {
    "$1" -c 'import ensurepip, venv' >/dev/null 2>&1
}

find_python() {
    without_venv=
    if [ -n "${PYTHON:-}" ]; then
        candidates=$PYTHON
    else
        candidates="python3.13 python3.12 python3.11 python3 python"
    fi
    for candidate in $candidates; do
        python_is_new "$candidate" || continue
        if python_makes_venvs "$candidate"; then
            "$candidate" -c 'import sys; print(sys.executable)'
            return 0
        fi
        without_venv=${without_venv:-$candidate}
    done

    if [ -n "$without_venv" ]; then
        version=$("$without_venv" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        say "error: $without_venv (Python $version) has no venv or ensurepip module, which" \
            "       Debian and Ubuntu keep in a package of its own. Install it:" \
            "         sudo apt-get install python$version-venv"
    elif [ -n "${PYTHON:-}" ]; then
        say "error: PYTHON=$PYTHON does not run, or is older than Python $min_python."
    else
        say "error: Python $min_python or newer is needed, and none of these is one:" \
            "         $candidates" \
            "       Install one, or name one with  make PYTHON=/path/to/python ..." \
            "         Debian 12+, Ubuntu 24.04+:  sudo apt-get install python3 python3-venv" \
            "         Fedora, RHEL:               sudo dnf install python3.12" \
            "         macOS:                      brew install python@3.12" \
            "         anywhere, with pyenv:       pyenv install 3.12 && pyenv global 3.12"
    fi
    return 1
}

# 17.0.15 -> 17, 21-ea -> 21, 1.8.0_392 -> 8
java_major() {
    "$1" -version 2>&1 |
        sed -n 's/^.* version "\([^"]*\)".*$/\1/p' |
        sed -n '1{s/^1\.//;s/[^0-9].*$//;p;}'
}

check_java() {
    if [ -n "${JAVA_HOME:-}" ]; then
        java=$JAVA_HOME/bin/java
        where="JAVA_HOME=$JAVA_HOME"
    else
        java=java
        where="the PATH"
    fi
    if ! command -v "$java" >/dev/null 2>&1; then
        say "error: Spark needs Java $min_java or newer, and there is no java in $where."
    else
        major=$(java_major "$java")
        case $major in
        '' | *[!0-9]*)
            say "error: Spark needs Java $min_java or newer; the java in $where does not tell its" \
                "       version ($java -version)."
            ;;
        *)
            [ "$major" -ge "$min_java" ] && return 0
            say "error: Spark needs Java $min_java or newer; the java in $where is version $major."
            ;;
        esac
    fi
    say "       Install one, or name one with  JAVA_HOME=/path/to/jdk make ..." \
        "         Debian, Ubuntu:  sudo apt-get install openjdk-17-jre-headless" \
        "                          (or openjdk-21-jre-headless)" \
        "         Fedora, RHEL:    sudo dnf install java-21-openjdk-headless" \
        "         macOS:           brew install openjdk@17"
    return 1
}

case ${1:-} in
python) find_python ;;
java) check_java ;;
*)
    say "Usage: check_prereqs.sh python|java"
    exit 2
    ;;
esac
