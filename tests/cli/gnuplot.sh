#!/bin/sh
# SPDX-License-Identifier: MIT
# gnuplot as a child: its failures, wrappers around it, a machine without fonts,
# and the names of the parts of a picture.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2154  # tap.sh and cli.sh set work, status
# shellcheck disable=SC2016  # scripts are not to expand here
. "$(dirname -- "$0")/../lib/tap.sh"
. "$srcdir/tests/lib/cli.sh"

unset COLUMNS
gnuplot=$(command -v gnuplot)

printf '%s\n' '0 1 100 900' '1 50 200 900' '2 30 100 900' > a.txt

# Makes a gnuplot in folder $1 from the script $2
stand_in() {
    mkdir -p "$1"
    printf '#!/bin/sh\n%s\n' "$2" > "$1/gnuplot"
    chmod +x "$1/gnuplot"
}

plot_with() { # FOLDER FILE
    run env PATH="$work/$1:$PATH" "$PMON" plot a.txt -o "$2"
}

# ---- which line of gnuplot's is shown ----

stand_in nocairo 'cat > script
cat >&2 << END

gnuplot> set terminal pngcairo noenhanced size 1440,654
                      ^
         line 0: unknown or ambiguous terminal type; type just for a list

WARNING: Plotting with an '"'unknown'"' terminal.
No output will be generated. Please select a terminal with '"'set terminal'"'.
END
exit 1'
plot_with nocairo p.png
is "$status: $(cat err)" "1: pmon: p.png: gnuplot failed: unknown or ambiguous terminal type; this gnuplot was built without cairo: draw an .svg, or install gnuplot-nox (Debian)" \
    'without cairo: the line that tells, and the way out'
stand_in odd 'cat >&2 << END

gnuplot> plot nonsense
              ^
         line 7: undefined variable: nonsense

more words
END
exit 1'
plot_with odd p.svg
is "$(cat err)" \
    'pmon: p.svg: gnuplot failed: line 7: undefined variable: nonsense' \
    'the line below the caret'
stand_in loader 'echo "cannot load libpango.so.0: no such file" >&2
echo "try again later" >&2; exit 127'
plot_with loader p.svg
is "$(cat err)" \
    'pmon: p.svg: gnuplot failed: cannot load libpango.so.0: no such file' \
    'the line with the reason, not the last'
stand_in mute 'exit 3'
plot_with mute p.svg
is "$(cat err)" \
    'pmon: p.svg: gnuplot failed without a message, exit status 3' \
    'a failure without a word'

# ---- what is no picture ----

stand_in text 'out=$(sed -n "s/^set output .\(.*proc.*\).$/\1/p")
echo "<html>not a picture</html>" > "$out"'
plot_with text p.svg
is "$status: $(cat err)" \
    '1: pmon: p.svg: gnuplot wrote a file that is not a picture' \
    'the first bytes are looked at'
[ ! -e p.svg ] && ok 'and it is not kept'
stand_in stdout 'echo "<svg></svg>"'
plot_with stdout p.svg
is "$status" 1 'what stands on standard output is no picture'

if [ -z "$gnuplot" ]; then
    skip 'pictures' 'gnuplot is not installed'
    done_testing
fi

# ---- a wrapper that prints ----

stand_in wrapper "echo 'Loading gnuplot/5.4'; exec $gnuplot \"\$@\""
for ending in svg png pdf; do
    plot_with wrapper "w.$ending"
    is "$status: $(cat err)" '0: ' "through a wrapper that prints: $ending"
    case $ending in
    svg) want='<?xml' ;;
    png) want=$(printf '\211PNG') ;;
    pdf) want='%PDF-' ;;
    esac
    size=$(printf %s "$want" | wc -c)
    is "$(head -c "$size" "w.$ending" | od -c)" "$(printf %s "$want" | od -c)" \
        "the $ending begins as one"
done
# A wrapper with Python's subprocess passes only the standard descriptors
stand_in closing "exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; exec $gnuplot \"\$@\""
plot_with closing c.png
is "$status: $(cat err)" '0: ' 'through a wrapper that closes descriptors'

# ---- no fonts ----

mkdir empty
cat > fonts.conf << END
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>$work/empty</dir><cachedir>$work/cache</cachedir></fontconfig>
END
no_font='gnuplot found no font: install one (Debian: fonts-dejavu-core), or draw an .svg, which needs no font'
for ending in png pdf; do
    run env FONTCONFIG_FILE="$work/fonts.conf" "$PMON" plot a.txt \
        -o "f.$ending"
    is "$status: $(cat err)" "1: pmon: f.$ending: $no_font" \
        "no $ending without a letter"
    [ ! -e "f.$ending" ] && ok 'none is kept'
done
run env FONTCONFIG_FILE="$work/fonts.conf" "$PMON" plot a.txt -o f.svg
is "$status: $(cat err)" '0: ' 'an SVG needs none: the advice holds'
run env FONTCONFIG_FILE="$work/fonts.conf" "$PMON" -q --plot g.png \
    --summary g.json -- sh -c 'exit 4'
is "$status: $(cat err): $(summary g.json files plot)" \
    "4: pmon: g.png: $no_font: null" '--plot: the status is that of the step'

# ---- titles in an SVG ----

titles() { # FILE
    sed -n 's/.*<title>\(.*\)<\/title>.*/\1/p' "$1" | uniq | tr '\n' ';'
}
run "$PMON" plot a.txt --title 'a <b> & c' -o t.svg
is "$(titles t.svg)" 'a &lt;b&gt; &amp; c;RSS;CPU;axes;' \
    "the title is the picture's, and tooltips name the curves"
cp a.txt b.txt
run "$PMON" plot a.txt b.txt -o t.svg
is "$(titles t.svg)" \
    'a.txt, b.txt;a.txt: RSS;b.txt: RSS;axes;a.txt: CPU;b.txt: CPU;axes;' \
    'of several runs they name the run too'
run "$PMON" -q --plot t.svg --step train -- true
is "$(titles t.svg | cut -d ';' -f 1-2)" 'train;RSS' 'the same of --plot'

printf 'echo "$1"\n' > work.sh
run "$PMON" --plot t.svg -- sh ./work.sh secret
is "$(head -n 1 err | cut -d : -f 1-2)" 'pmon: sh work.sh' \
    'the closing words name the script'
is "$(titles t.svg | cut -d ';' -f 1)" 'sh work.sh' 'the picture too'
is "$(grep -c secret err t.svg | tr '\n' ' ')" 'err:0 t.svg:0 ' \
    'neither shows its arguments'

# ---- what curves look like ----

run "$PMON" plot a.txt -o s.svg --script s.gp
like "$(cat s.gp)" 'with filledcurves .*with steps .*with fsteps' \
    'memory stands until the next row, CPU is that of the time before'
for n in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15; do
    awk -v n="$n" 'BEGIN { for (i = 0; i < 100; i++)
        printf "%.1f %d %d 900\n", i / 10, i * 7 % 90, n * 10 + i / 10 }' \
        > "run$n.txt"
done
run "$PMON" plot run*.txt -o many.svg --script many.gp
is "$status: $(cat err)" '0: ' '15 runs overlaid'
is "$(grep -c "^set label 'run[01].*largest row" many.gp) $(
    grep -c "^set label 'run0[1-8]" many.gp)" '7 0' \
    'those with the largest peaks have a colour and a name'
like "$(cat many.gp)" "^set label '8 other runs, with smaller peaks'" \
    'the number of grey ones is printed'
unlike "$(cat many.gp)" 'filledcurves' 'and nothing is filled'
like "$(cat many.gp)" "^set label 'CPU \(%, mean\)'" \
    'CPU is a mean, and its label says so'
# Regions that are shorter than a dot, far too many, or too deep
awk 'BEGIN { for (i = 0; i <= 100; i++) print i / 10, i % 90, 100 + i, 900 }' \
    > ten.txt
regions() { # FOLDER, rows on standard input: NAME START-IN-MS DURATION-IN-MS
    mkdir "$1"
    printf 'state,func_start,duration' > "$1/regions_headers"
    awk '{ printf "\"%s\",\"1%018.0f\",\"%.0f\"\r\n", $1, $2 * 1e6,
        $3 * 1e6 }' > "$1/regions"
}
show() { # FOLDER: picture and terminal
    run "$PMON" plot ten.txt --regions "$1" --start 1000000000 \
        -o "$1.svg" --script "$1.gp"
    COLUMNS=80 run "$PMON" plot ten.txt --regions "$1" --start 1000000000
}
awk 'BEGIN { for (i = 0; i < 1000; i++) {
    print "parse", i * 10, 3; print "solve", i * 10 + 3, 5
    print "write", i * 10 + 8, 2 } }' | regions turns
show turns
like "$(cat out)" '├─*solve, parse, write: 3000 regions─*┤' \
    'three in turn, shorter than a column: all are named, by their time'
like "$(cat turns.gp)" "^set label 'solve, parse, write: 3000 regions'" \
    'and in the picture'
awk 'BEGIN { for (i = 0; i < 300; i++)
    print "step" i, i * 33.3, 20 }' | regions many
show many
like "$(cat many.gp)" "^set label 'step[0-9]*, step[0-9]*, step[0-9]*, .*: 300 regions'" \
    '300 regions are one box'
is_true "$(grep -c '^set object rectangle' many.gp) < 5" 'and no barcode'
regions deep << END
outer 0 9000
mid 1000 7000
inner 2000 1000
innermost 2200 100
deepest 2220 10
END
show deep
like "$(cat out)" '^ +3 regions inside others not shown$' \
    'lanes that a chart has no room for are mentioned'
like "$(cat deep.gp)" "^set label '1 region inside others not shown'" \
    'and in a picture'

printf '%s\n' '0 1 100 900' '1 25600 200 900' '2 30 100 900' > cores.txt
run "$PMON" plot cores.txt -o cores.svg --script cores.gp
right=$(sed -n 's/^set rmargin at screen //p' cores.gp)
# 32000 in type of 14 dots, behind a tick, before an upright title of 14
is_true "(1 - $right) * 960 > 5 * 0.6 * 14 + 12 + 21" \
    'five-digit labels do not reach the title of the axis'

done_testing
