# Draws a CSV of curves as characters in the terminal.
# Arguments: 1 the CSV (workers, then median, low and high of each series), 2 the title, 3 the label of y,
# 4 how many series, 5 and 6 the width and height in characters, 7 "ansi" for colours or "mono".
# The arguments are used as values only: nothing in them is run.
columns = int(ARG5)
lines = int(ARG6)
if (ARG7 eq "ansi") {
    set terminal dumb noenhanced size columns, lines ansi256
} else {
    set terminal dumb noenhanced size columns, lines
}
set datafile separator ","
set title ARG2
set xlabel "workers"
set ylabel ARG3
set key outside bottom center horizontal
set xtics 1
set offsets graph 0.1, graph 0.1, 0, 0
set yrange [0:*]
stats ARG1 using 1 nooutput
if (STATS_max > 16) set xtics autofreq
plot for [i = 1:int(ARG4)] ARG1 using 1:(column(3 * i - 1)):(column(3 * i)):(column(3 * i + 1)) \
    with yerrorlines title columnheader(3 * i - 1)
