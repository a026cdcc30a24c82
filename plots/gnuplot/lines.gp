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
stats ARG1 using 1 skip 1 nooutput
set title ARG2
set ylabel ARG3
set xlabel "workers"
set key outside top center horizontal
set xrange [STATS_min - 0.5:STATS_max + 0.5]
set yrange [0:*]
if (STATS_max <= 16) set xtics 1
plot for [i = 1:int(ARG4)] ARG1 using 1:(column(3 * i - 1)) with linespoints lt i title columnheader(3 * i - 1), \
    for [i = 1:int(ARG4)] ARG1 using 1:(column(3 * i - 1)):(column(3 * i)):(column(3 * i + 1)) \
    skip 1 with yerrorbars lt i notitle
