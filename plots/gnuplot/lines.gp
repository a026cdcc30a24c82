# Draws a CSV of curves as characters in the terminal.
# Arguments: 1 the CSV (x, then value, low and high of each series, the ideal ones last; then the values of
# each series with samples without a steal, at those), 2 the title, 3 the label of y, 4 the series' labels, each ended
# by a newline, 5 and 6 the width and height in characters, 7 "ansi" or "mono", 8 in words: log or linear, bottom, top,
# where the axis is cut (or 0), how many ideal series, how many columns of samples without a steal, and of x: log or
# linear, where it begins and ends, and its step; 9 its label.
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
all = count(ARG4)
series = all - int(word(ARG8, 5))
marked = int(word(ARG8, 6))

# What is so many steps from x, or a part of one.
x_logarithmic = word(ARG8, 7) eq "log"
x_step = real(word(ARG8, 10))
beside(x, steps) = x_logarithmic ? x * x_step ** steps : x + steps * x_step

limit = real(word(ARG8, 4))
leaves(i) = limit > 0 && column(3 * i - 1) > limit
# The values of series that leave at the same place stand below each other.
beyond(i) = i == 0 ? 0 : beyond(i - 1) + leaves(i)
step = 0.1 * limit

set datafile separator ","
set title ARG2
set ylabel ARG3
set xlabel ARG9
set key outside top center horizontal
x_first = int(word(ARG8, 8))
x_last = int(word(ARG8, 9))
if (x_logarithmic) {
    set logscale x
    set format x "%.15g"
}
set xrange [beside(x_first, -0.5):beside(x_last, 0.5)]
if (word(ARG8, 1) eq "log") set logscale y
set yrange [real(word(ARG8, 2)):real(word(ARG8, 3))]
if (!x_logarithmic && x_last - x_first < 16 * x_step) set xtics x_step
plot for [i = 1:series] ARG1 using 1:(column(3 * i - 1)) skip 1 with linespoints lt i title label(ARG4, i), \
    for [i = series + 1:all] ARG1 using 1:(column(3 * i - 1)) skip 1 with linespoints lt i title label(ARG4, i), \
    for [i = 1:series] ARG1 using 1:(column(3 * i - 1)):(column(3 * i)):(column(3 * i + 1)) \
    skip 1 with yerrorbars lt i notitle, \
    for [i = 1:marked] ARG1 using 1:(column(3 * all + 1 + i)):("x") skip 1 with labels notitle, \
    for [i = 1:(limit > 0 ? series : 0)] ARG1 \
    using 1:(leaves(i) ? limit - (beyond(i) - 0.5) * step : NaN):(sprintf("^%.4g", column(3 * i - 1))) skip 1 \
    with labels notitle
