# Draws a CSV of curves as characters in the terminal.
# Arguments: 1 the CSV (workers, then median, low and high of each series), 2 the title, 3 the label of y,
# 4 the series' labels, each ended by a newline, 5 and 6 the width and height in characters, 7 "ansi" or "mono", 8 "log" or "linear".
# The arguments are used as values only: nothing in them is run.
columns = int(ARG5)
lines = int(ARG6)
if (ARG7 eq "ansi") {
    set terminal dumb noenhanced size columns, lines ansi256
} else {
    set terminal dumb noenhanced size columns, lines
}
# The first label, those after it, and label i.
first(text) = text[1:strstrt(text, "\n") - 1]
rest(text) = text[strstrt(text, "\n") + 1:]
label(text, i) = i == 1 ? first(text) : label(rest(text), i - 1)
count(text) = strlen(text) == 0 ? 0 : 1 + count(rest(text))
series = count(ARG4)

set datafile separator ","
stats ARG1 using 1 skip 1 nooutput
set title ARG2
set ylabel ARG3
set xlabel "workers"
set key outside top center horizontal
set xrange [STATS_min - 0.5:STATS_max + 0.5]
if (ARG8 eq "log") set logscale y; else set yrange [0:*]
if (STATS_max <= 16) set xtics 1
plot for [i = 1:series] ARG1 using 1:(column(3 * i - 1)) skip 1 with linespoints lt i title label(ARG4, i), \
    for [i = 1:series] ARG1 using 1:(column(3 * i - 1)):(column(3 * i)):(column(3 * i + 1)) \
    skip 1 with yerrorbars lt i notitle
