# SPDX-License-Identifier: MIT
# Sourced by the targets that make a Debian: make bare-check, make vm-check.
# shellcheck shell=sh

# Where the apt of this machine gets Debian from
mirror() {
    # shellcheck disable=SC2016 # apt's own variables
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
        'Origin: Debian' 'Label: Debian' 2> /dev/null | head -n 1
}
