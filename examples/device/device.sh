#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What the Makefile beside it does, with its variables in the environment.
#
#   device.sh push|enable|disable|get-logs|status|remove
#
# All goes through ssh and what busybox has; on_device.sh is the part that runs
# there.  What the device sends is not trusted: it writes to the folder of today
# and nowhere else.

set -eu
LC_ALL=C # letters and digits are those of ASCII
export LC_ALL
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
python=$here/../python
: "${HOST=}" "${PORT=}" "${SSH_KEY=}" "${PREFIX:=/data/pmon}" "${SERVICE=}"
: "${EXAMPLE=}" "${FILTERS=}" "${INTERVAL=}" "${RESTART=}" "${LOGS:=logs}"
: "${DATA=}" "${ROOT=}" "${BUILD:=$here/../../build}"

say() {
    printf 'device: %s\n' "$*"
}

fail() {
    say "$@" >&2
    exit 1
}

usage() {
    sed -n 's/^#   //p' "$0" >&2
    exit 2
}

# A word as the device's shell reads it back.
quote() {
    printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}

remote() { # SHELL LINE; our stdin goes there
    set -- -o ConnectTimeout=10 "$HOST" "$1"
    [ -z "$PORT" ] || set -- -p "$PORT" "$@"
    [ -z "$SSH_KEY" ] || set -- -i "$SSH_KEY" -o IdentitiesOnly=yes "$@"
    ssh "$@"
}

# Runs a verb of on_device.sh there.
there() { # VERB ARG...
    line="PREFIX=$(quote "$PREFIX") ROOT=$(quote "$ROOT")"
    line="$line SERVICE=$(quote "$SERVICE") sh -s --"
    for each in "$@"; do
        line="$line $(quote "$each")"
    done
    remote "$line" <"$here/on_device.sh"
}

# What is not yes is not taken for it: RESTART=no restarts nothing.
yes_or_no() { # NAME VALUE
    case $2 in
    yes) echo yes ;;
    '' | no) ;;
    *) fail "$1=$2: must be yes or empty" ;;
    esac
}

check_options() {
    [ -n "$HOST" ] || fail "HOST= is missing: make $verb HOST=root@robot"
    case $HOST in
    -*) fail "HOST=$HOST is not the name of a machine" ;;
    esac
    case $PORT in
    *[!0-9]*) fail "PORT=$PORT is not a number" ;;
    esac
    [ -z "$SSH_KEY" ] || [ -r "$SSH_KEY" ] ||
        fail "SSH_KEY=$SSH_KEY cannot be read"
    case $PREFIX in
    *[!A-Za-z0-9/._-]* | */../* | */..) fail "PREFIX=$PREFIX has characters other than A-Z a-z 0-9 / . _ -" ;;
    /*[!/]*) ;;
    *) fail "PREFIX=$PREFIX is not the full path of a folder, such as /data/pmon" ;;
    esac
    case $SERVICE in
    '') ;;
    *[!A-Za-z0-9._@-]* | .*) fail "SERVICE=$SERVICE is not the name of a unit" ;;
    *.service) ;;
    *) SERVICE=$SERVICE.service ;;
    esac
    case $INTERVAL in
    *[!0-9.]* | *.*.*) fail "INTERVAL=$INTERVAL is not a number of seconds" ;;
    esac
    case $INTERVAL/${INTERVAL%%.*} in
    / | */*[1-9]*) ;;
    *) fail "INTERVAL=$INTERVAL: must be 1 second or more" ;;
    esac
    case $FILTERS in
    *'
'*) fail 'FILTERS= must be one line' ;;
    '' | *[!,[:blank:]]*) ;;
    *) fail "FILTERS=$FILTERS has no pattern" ;;
    esac
    EXAMPLE=$(yes_or_no EXAMPLE "$EXAMPLE")
    RESTART=$(yes_or_no RESTART "$RESTART")
    case $DATA in
    '' | delete) ;;
    *) fail "DATA=$DATA: must be delete or empty" ;;
    esac
}

# The folder of static/ whose programs run on a machine, by its `uname -m`.
choose_static() {
    case $1 in
    x86_64 | aarch64) echo "$1" ;;
    arm64) echo aarch64 ;;
    armv7* | armv8l) echo armv7l ;;
    *) fail "$HOST has processor type $1; pmon is built for x86_64, aarch64 and armv7l" ;;
    esac
}

push() {
    there have >"$work/have" || fail "$HOST does not answer, see above"
    static=$BUILD/static/$(choose_static "$(head -n 1 "$work/have")")
    modules=
    for module in pmon_regions.py pmon_regions_off.py; do
        is_there "$python/$module" || modules="$modules $module"
    done
    set --
    for program in pmon pmon-watch ${EXAMPLE:+example-server}; do
        [ -x "$static/$program" ] || fail "$static/$program is missing:" \
            "make -C $BUILD static-all"
        is_there "$static/$program" || set -- "$@" "$program"
    done
    if [ $# -gt 0 ]; then
        say "sending $* of ${static##*/} to $HOST:$PREFIX"
    else
        say 'programs: as they were'
    fi
    [ -z "$modules" ] || say "sending$modules to $HOST:$PREFIX/python"
    if [ $# -gt 0 ] || [ -n "$modules" ]; then
        new=$(quote "$PREFIX/new")
        # shellcheck disable=SC2086 # a word a module
        tar -cf - -C "$static" "$@" -C "$python" $modules | remote \
            "rm -rf $new && mkdir -p $new && tar -xof - -C $new" ||
            fail "$HOST:$PREFIX cannot be written, see above"
    fi
    there install
}

# Whether the device has the file, as it is here.
is_there() { # FILE
    grep -Fqx "$(md5sum <"$1") ${1##*/}" "$work/have"
}

# ---- get-logs ----

# Whether it is the name of a data file: the device decides what is in a file,
# not where it is written.  on_device.sh sends no others.
is_data_name() { # NAME
    case $1 in
    *[!A-Za-z0-9._-]*) return 1 ;;
    memory_log*.txt | summary*.json | profile*.csv) return 0 ;;
    esac
    without=${1%_headers}
    case $without in
    system_resource_data | robot_activity_data) ;;
    system_resource_data.[1-9]* | robot_activity_data.[1-9]*)
        case ${without#*.} in
        *[!0-9]*) return 1 ;;
        esac
        ;;
    *) return 1 ;;
    esac
}

# A decimal number that every shell can hold; a leading 0 would make it octal.
is_number() { # TEXT
    case $1 in
    0) ;;
    '' | 0* | *[!0-9]* | ???????????????????*) return 1 ;;
    esac
}

is_checksum() { # TEXT
    case $1 in
    -) ;;
    *[!0-9a-f]*) return 1 ;;
    *) [ ${#1} -eq 32 ] ;;
    esac
}

# The device's list on stdin, checked as a whole before anything is done.
check_list() {
    while read -r name inode size known one two; do
        is_data_name "$name" ||
            refuse_list "$name" 'is not the name of a data file'
        for each in "$inode" "$size"; do
            is_number "$each" || refuse_list "$each" 'is not a size or an inode'
        done
        [ "$known" = - ] || is_data_name "$known" ||
            refuse_list "$known" 'is not the name of a data file'
        for each in "$one" "$two"; do
            is_checksum "$each" || refuse_list "$each" 'is not a checksum'
        done
        echo "$name $inode $size $known $one $two"
    done
}

refuse_list() { # TEXT WHY; without what could change the terminal
    fail "$HOST: '$(printf '%.80s' "$1" | tr -c '[:print:]' '?')' $2;" \
        'nothing was fetched'
}

is_before() { # NAME DATE: a dated folder
    case $1 in
    [0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]) [ "$1" != "$2" ] ;;
    *) return 1 ;;
    esac
}

# Today's folder, which begins as a copy of the one before: each is whole.
make_folder() { # of this machine
    today=$(date +%Y-%m-%d)
    newest=
    for each in "$1"/*; do
        ! is_before "${each##*/}" "$today" || newest=$each
    done
    folder=$1/$today
    [ -d "$folder" ] && return
    mkdir -p "$1"
    if [ -n "$newest" ]; then
        rm -rf "$folder.new"
        cp -R "$newest" "$folder.new"
        mv "$folder.new" "$folder"
    else
        mkdir "$folder"
    fi
}

size_of() {
    if [ -f "$1" ]; then
        echo $(($(wc -c <"$1")))
    else
        echo 0
    fi
}

ends_of() { # FILE
    one=$(head -c 4096 "$1" | md5sum)
    two=$(tail -c 4096 "$1" | md5sum)
    echo "${one%% *} ${two%% *}"
}

# Keeps what the device no longer has, as NAME.old1, NAME.old2...
keep_old() { # NAME
    number=1
    while [ -e "$folder/$1.old$number" ]; do
        number=$((number + 1))
    done
    mv "$folder/$1" "$folder/$1.old$number"
    [ ! -f "$folder/$1_headers" ] ||
        cp "$folder/$1_headers" "$folder/$1.old${number}_headers"
    say "$1: was started again on the device; its earlier rows are in $1.old$number"
}

# What the device has renamed, to NAME.1, gets its new name here, too; what
# is no longer its beginning is put aside.
follow_names() {
    mkdir -p "$folder/.moving"
    while read -r name inode size known one two; do
        if [ "$known" = - ] || [ "$(ends_of "$folder/$known")" != "$one $two" ]
        then
            echo "$name" >>"$work/changed"
        elif [ "$known" != "$name" ]; then
            mv "$folder/$known" "$folder/.moving/$name"
        fi
    done <"$work/list"
    while read -r name; do
        [ -f "$folder/$name" ] || continue
        case $name in
        *_headers) rm "$folder/$name" ;;
        *) keep_old "$name" ;;
        esac
    done <"$work/changed"
    for file in "$folder/.moving"/*; do
        [ -f "$file" ] || continue
        [ ! -f "$folder/${file##*/}" ] || keep_old "${file##*/}"
        mv "$file" "$folder/"
    done
    rmdir "$folder/.moving"
}

# What is new of one file is added to what is here, up to the size that was
# announced.
get_file() { # NAME SIZE INODE
    from=$(size_of "$folder/$1")
    [ "$from" -lt "$2" ] || [ ! -f "$folder/$1" ] || return 0
    wanted=$(($2 - from))
    there part "$1" "$from" "$wanted" "$3" | head -c "$wanted" >>"$folder/$1"
    got=$(($(size_of "$folder/$1") - from))
    [ "$got" -eq "$wanted" ] ||
        fail "$1: is incomplete; make get-logs again to get the rest"
    say "$1: $got new bytes"
    bytes=$((bytes + got))
}

# .inodes has a line for each file: its inode on the device, its name.
get_logs() {
    make_folder "$LOGS/$(printf '%s' "${HOST#*@}" | tr -c 'A-Za-z0-9._\n-' _)"
    set --
    for file in "$folder"/*; do
        [ -f "$file" ] || continue
        name=${file##*/}
        is_data_name "$name" || continue
        inode=$(sed -n "s/^\([0-9]*\) $name\$/\1/p" "$folder/.inodes" || :)
        set -- "$@" "${inode:-0}:$name=$(size_of "$file")"
    done 2>/dev/null
    there list "$@" >"$work/sent" || fail "$HOST has no data, see above"
    check_list <"$work/sent" >"$work/list"
    : >"$work/changed"
    follow_names
    # At once: it has to be true, too, when not all bytes come.
    sed 's/^\([^ ]*\) \([^ ]*\) .*/\2 \1/' "$work/list" >"$folder/.inodes"
    bytes=0
    while read -r name inode size known one two; do
        get_file "$name" "$size" "$inode"
    done <"$work/list"
    say "$folder: $bytes new bytes"
}

[ $# -eq 1 ] || usage
verb=$1
check_options
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
case $verb in
push) push ;;
enable) there enable "$FILTERS" "$INTERVAL" "$RESTART" ;;
disable) there disable "$RESTART" ;;
get-logs) get_logs ;;
status) there status ;;
remove) there remove "$DATA" ;;
*) usage ;;
esac
