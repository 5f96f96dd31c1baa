#!/bin/sh
# SPDX-License-Identifier: MIT
# The disk of a virtual machine: a Debian with systemd, its own kernel, and
# pmon, built there from the sources as they are distributed.  Without root
# rights where mmdebstrap needs none.  What it prints is for the log.
#
#   image.sh SUITE FOLDER SOURCES MIRROR
#
# SUITE is a release, or RELEASE+backports for the kernel of its backports.
# In FOLDER: disk, vmlinuz, initrd.
set -eu
suite=$1 folder=$2 sources=$3 mirror=$4
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
release=${suite%+backports}
kernel=linux-image-cloud-amd64
packages='systemd,systemd-sysv,dbus,dbus-user-session,libpam-systemd,udev,
    kmod,initramfs-tools,procps,util-linux,mount,python3,
    gcc,libc6-dev,make,pkg-config,libjansson-dev'

set -- "deb $mirror $release main"
[ "$suite" = "$release" ] || {
    set -- "$@" "deb $mirror $release-backports main"
    kernel=$kernel/$release-backports
}

# Runs in the new system's folder, as its root.
cat > "$folder/hook.sh" <<'HOOK'
set -eu
root=$1 folder=$2 sources=$3 here=$4
echo pmon-vm > "$root/etc/hostname"
echo '/dev/vda / ext4 rw 0 1' > "$root/etc/fstab"
chroot "$root" useradd -m -s /bin/sh -u 1000 user
# Of the user's own systemd, without a login.
mkdir -p "$root/var/lib/systemd/linger"
: > "$root/var/lib/systemd/linger/user"
# Nothing starts by itself: the machine may be slow.
for each in apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer \
    e2scrub_all.timer fstrim.timer; do
    ln -sf /dev/null "$root/etc/systemd/system/$each"
done
cp "$here/vm-check.service" "$root/etc/systemd/system/"
ln -s ../vm-check.service \
    "$root/etc/systemd/system/multi-user.target.wants/vm-check.service"
mkdir -p "$root/srv/pmon/build"
cp -R --preserve=mode,timestamps "$sources" "$root/srv/pmon/src"
chroot "$root" apt-get install -y --no-install-recommends libproc2-dev ||
    echo 'no libproc2-dev here'
chroot "$root" sh -euc 'cd /srv/pmon/build
    ../src/configure --silent --prefix=/usr \
        --with-systemdsystemunitdir=/lib/systemd/system
    make -s -j "$(nproc)"
    make -s -j "$(nproc)" check TESTS=
    make -s install
    chmod -R a+rX /srv/pmon'
cp "$root"/boot/vmlinuz-* "$folder/vmlinuz"
cp "$root"/boot/initrd.img-* "$folder/initrd"
rm -rf "$root"/boot/* "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/*
PATH=$PATH:/usr/sbin:/sbin
# Without what is mounted in it.
mkdir "$folder/plain"
unshare --mount --propagation private sh -euc '
    mount --bind "$1" "$2/plain"
    mke2fs -q -t ext4 -E root_owner=0:0 -d "$2/plain" "$2/disk.new" 3G' \
    sh "$root" "$folder"
rmdir "$folder/plain"
HOOK

TMPDIR=$folder mmdebstrap --variant=minbase --format=null \
    --components=main --include="$(echo "$packages" | tr -d ' \n'),$kernel" \
    --aptopt='Acquire::Check-Valid-Until "false"' \
    --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/man/*' \
    --customize-hook="sh '$folder/hook.sh' \"\$1\" '$folder' '$sources' '$here'" \
    "$release" /dev/null "$@"
mv "$folder/disk.new" "$folder/disk"
rm -f "$folder/hook.sh"
