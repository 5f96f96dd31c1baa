#!/bin/sh
# SPDX-License-Identifier: MIT
# bootstrap configures again when its inputs have changed.  It runs in a tree
# with a fake configure and fakes of Debian's programs.
# shellcheck source=tests/lib/tap.sh
. "$(dirname -- "$0")/../lib/tap.sh"

mkdir -p bin tree
cp "$srcdir/bootstrap" tree/ || exit 99
: > tree/configure.ac

# Records its arguments, and the settings of the build.
cat > tree/configure << 'END'
#!/bin/sh
echo "configure $*" >> "$LOG"
{
    echo "abs_builddir = $PWD"
    echo 'all:; @echo make >> "$$LOG"; touch pmon; chmod +x pmon'
    echo 'clean:; @echo clean >> "$$LOG"'
    echo 'check:; @echo check >> "$$LOG"'
} > Makefile
shift
cat > config.status << STATUS
#!/bin/sh
case \$1 in
--config) echo "$*" ;;
*) pkg-config --modversion cmocka > /dev/null 2>&1 || echo '#' ;;
esac
STATUS
chmod +x config.status
END

# Packages are files in the folder installed; a release knows those in known.
cat > bin/dpkg-query << 'END'
#!/bin/sh
for package; do :; done
[ ! -e "$AT/installed/$package" ] || echo 'install ok installed'
END
cat > bin/apt-cache << 'END'
#!/bin/sh
[ -e "$AT/known/$2" ]
END
cat > bin/apt-get << 'END'
#!/bin/sh
echo "apt-get $1" >> "$LOG"
[ "$1" = install ] || exit 0
for package; do
    case $package in install | -*) continue ;; esac
    : > "$AT/installed/$package"
done
END
cat > bin/pkg-config << 'END'
#!/bin/sh
case $2 in
cmocka) package=libcmocka-dev ;;
*) package=$2 ;;
esac
[ -e "$AT/installed/$package" ] && echo 1.1
END
printf '#!/bin/sh\nexec "$@"\n' > bin/sudo
chmod +x bin/* tree/configure
mkdir installed known
AT=$work
LOG=$work/log
PATH=$work/bin:$PATH
export AT LOG PATH
unset CC CFLAGS CPPFLAGS LDFLAGS LIBS PKG_CONFIG PKG_CONFIG_PATH
unset PKG_CONFIG_LIBDIR

# What a run does, in one line
does() { # TREE WORD
    : > log
    timeout 60 "$1/bootstrap" ${2+"$2"} > out 2>&1
    echo "$? $(tr '\n' ' ' < log)"
}
anew='configure --silent clean make'

is "$(does tree)" "0 apt-get update apt-get install $anew " \
    'first: packages, configure, make'
is "$(does tree)" '0 make ' 'then only make'
is "$(does tree check)" "0 apt-get update apt-get install $anew check " \
    'check brings cmocka, and configures again'
is "$(does tree check)" '0 make check ' 'once'
is "$(CFLAGS=-O0 does tree)" "0 $anew " 'with other CFLAGS it is compiled again'
is "$(does tree)" "0 $anew " 'and without them'
mv tree moved
is "$(does moved)" "0 $anew " 'a folder that was moved is configured again'
is "$(does moved)" '0 make ' 'once, too'

rm -r moved/build
mkdir moved/build
(cd moved/build && ../configure --silent --enable-werror CC=none)
is "$(does moved)" '0 make ' \
    'a build that was configured by hand stays as it is'
mv moved tree
is "$(does tree)" \
    '0 configure --silent --enable-werror CC=none clean make ' \
    'and keeps its options when it is moved'
rm -r tree/build

# A package that is marked installed, but cannot be found
rm installed/libcmocka-dev
printf '#!/bin/sh\necho install ok installed\n' > bin/dpkg-query
is "$(does tree check)" "1 $anew " 'check fails without cmocka'
like "$(cat out)" 'no unit tests; install it' 'and says why'

cat > bin/dpkg-query << 'END'
#!/bin/sh
for package; do :; done
[ "$package" = libproc2-dev ] || echo 'install ok installed'
END
is "$(does tree)" '0 make ' 'a release without libproc2-dev builds without it'
: > known/libproc2-dev
is "$(does tree)" '0 apt-get install make ' 'where it is known, it is installed'

done_testing
