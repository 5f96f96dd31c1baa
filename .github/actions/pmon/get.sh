#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Puts a pmon on the path of the steps that follow: the binary of a release
# where a version was asked for, else what is installed, else the release of
# the tag that the action is used by, else one built from the action's commit.
#
#   VERSION SHA256 REPOSITORY REF SERVER ACTION

set -eu

fail() {
    printf '::error::pmon: %s\n' "$*" >&2
    exit 1
}

download() { # NAME
    curl -fsSL --retry 3 -o "$into/$1" \
        "$SERVER/$REPOSITORY/releases/download/$VERSION/$1"
}

fail_fetch() { # NAME
    fail "$1 of $VERSION cannot be fetched from $REPOSITORY"
}

# Fetches the binary; false if the release has no such binary.
fetch_release() {
    name=pmon-${VERSION#v}-linux-$(uname -m)
    into=$RUNNER_TEMP/pmon-release
    rm -rf "$into"
    mkdir -p "$into/bin"
    download "$name"
}

# Uses what was fetched, when it is what was published.
use_release() {
    if [ -z "$SHA256" ]; then
        download SHA256SUMS || fail_fetch SHA256SUMS
        SHA256=$(awk -v name="$name" '$2 == name || $2 == "*" name {
            print $1 }' "$into/SHA256SUMS")
        [ -n "$SHA256" ] || fail "SHA256SUMS of $VERSION does not name $name"
    fi
    printf '%s  %s\n' "$SHA256" "$into/$name" | sha256sum --check --quiet ||
        fail "$name is not the file with the checksum $SHA256"
    chmod +x "$into/$name"
    mv "$into/$name" "$into/bin/pmon"
    pmon=$into/bin/pmon
}

build() {
    source=$(CDPATH='' cd -- "$ACTION/../../.." && pwd)
    [ -x "$source/bootstrap" ] ||
        fail "$source has no bootstrap: name a release as version"
    "$source/bootstrap"
    # A folder of its own: the folder of the build has other programs, too.
    mkdir -p "$RUNNER_TEMP/pmon-bin"
    ln -sf "$source/build/pmon" "$RUNNER_TEMP/pmon-bin/pmon"
    pmon=$RUNNER_TEMP/pmon-bin/pmon
}

is_release_tag() { # REF
    case $1 in
    v[0-9]*.[0-9]*.[0-9]*) ;;
    *) return 1 ;;
    esac
}

if [ -n "$VERSION" ]; then
    fetch_release || fail_fetch "$name"
    use_release
elif ! pmon=$(command -v pmon); then
    VERSION=${REF-}
    if is_release_tag "$VERSION" && fetch_release; then
        use_release
    else
        build
    fi
fi
version=$("$pmon" --version) || fail "$pmon does not run here"
dirname -- "$pmon" >> "$GITHUB_PATH"
printf 'pmon=%s\n' "$pmon" >> "$GITHUB_OUTPUT"
printf '%s: %s\n' "$version" "$pmon"
