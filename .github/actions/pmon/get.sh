#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Puts a pmon on the path of the steps that follow: the binary of a release
# where a version was asked for, else what is installed, else one built from
# the commit that this action is of.
#
#   VERSION SHA256 REPOSITORY SERVER ACTION

set -eu

fail() {
    printf '::error::pmon: %s\n' "$*" >&2
    exit 1
}

download() { # NAME
    curl -fsSL --retry 3 -o "$into/$1" \
        "$SERVER/$REPOSITORY/releases/download/$VERSION/$1" ||
        fail "$1 of $VERSION cannot be fetched from $REPOSITORY"
}

get_release() {
    name=pmon-${VERSION#v}-linux-$(uname -m)
    into=$RUNNER_TEMP/pmon-release
    rm -rf "$into"
    mkdir -p "$into/bin"
    download "$name"
    if [ -z "$SHA256" ]; then
        download SHA256SUMS
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
    pmon=$source/build/pmon
}

if [ -n "$VERSION" ]; then
    get_release
elif ! pmon=$(command -v pmon); then
    build
fi
version=$("$pmon" --version) || fail "$pmon does not run here"
dirname -- "$pmon" >> "$GITHUB_PATH"
printf 'pmon=%s\n' "$pmon" >> "$GITHUB_OUTPUT"
printf '%s: %s\n' "$version" "$pmon"
