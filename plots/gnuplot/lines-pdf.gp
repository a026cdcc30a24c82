# Draws a CSV of curves as PDF, with the intervals as error bars.
# Arguments: 1 the CSV (x, then value, low and high of each series, the ideal ones last; then the values of
# each series with samples without a steal, at those), 2 the title, 3 the label of y, 4 the series' labels, each ended
# by a newline, 5 the PDF to write, 6 in words: log or linear, bottom, top, where the axis is cut (or 0), how many
# ideal series, how many columns of samples without a steal, and of x: log or linear, where it begins and ends, and
# its step; 7 its label.
# The arguments are used as values only: nothing in them is run.
set terminal pdfcairo noenhanced font "DejaVu Sans,10" size 5.6in,3.7in
set output ARG5

# The first label, those after it, and label i.
first(text) = text[1:strstrt(text, "\n") - 1]
rest(text) = text[strstrt(text, "\n") + 1:]
label(text, i) = i == 1 ? first(text) : label(rest(text), i - 1)
count(text) = strlen(text) == 0 ? 0 : 1 + count(rest(text))
all = count(ARG4)
series = all - int(word(ARG6, 5))
marked = int(word(ARG6, 6))

# Okabe and Ito's colours twice, and a marker for each of the fourteen, as in the other figures.
colours = "0x0072B2 0xD55E00 0x009E73 0xCC79A7 0xE69F00 0x56B4E9 0x000000"
markers = "6 4 8 12 10 2 1 7 5 9 13 11 3 15"
do for [i = 1:series] {
    colour = int(word(colours, (i - 1) % 7 + 1))
    marker = int(word(markers, (i - 1) % 14 + 1))
    set linetype i linecolor rgb colour pointtype marker pointsize 0.6 linewidth 1.5
}
# What is so many steps from x, or a part of one.
x_logarithmic = word(ARG6, 7) eq "log"
x_step = real(word(ARG6, 10))
beside(x, steps) = x_logarithmic ? x * x_step ** steps : x + steps * x_step
# Neighbouring series stand a little apart, so that their error bars show.
place(x, i) = beside(x, (i - (series + 1) / 2.0) * 0.05)

limit = real(word(ARG6, 4))
leaves(i) = limit > 0 && column(3 * i - 1) > limit
# The values of series that leave at the same place stand below each other.
beyond(i) = i == 0 ? 0 : beyond(i - 1) + leaves(i)
step = 0.09 * limit

set datafile separator ","
set title ARG2
set ylabel ARG3
set xlabel ARG7
set key outside top center horizontal
set border 3
set tics nomirror
set grid ytics
x_first = int(word(ARG6, 8))
x_last = int(word(ARG6, 9))
if (x_logarithmic) {
    set logscale x
    set format x "%.15g"
}
set xrange [beside(x_first, -0.5):beside(x_last, 0.5)]
if (word(ARG6, 1) eq "log") set logscale y
set yrange [real(word(ARG6, 2)):real(word(ARG6, 3))]
if (!x_logarithmic && x_last - x_first < 16 * x_step) set xtics x_step
plot for [i = 1:series] ARG1 using (place($1, i)):(column(3 * i - 1)) skip 1 \
    with linespoints linetype i title label(ARG4, i), \
    for [i = series + 1:all] ARG1 using 1:(column(3 * i - 1)) skip 1 \
    with lines linecolor rgb 0x777777 dashtype 2 linewidth 1.2 title label(ARG4, i), \
    for [i = 1:series] ARG1 using (place($1, i)):(column(3 * i - 1)):(column(3 * i)):(column(3 * i + 1)) skip 1 \
    with yerrorbars linetype i notitle, \
    for [i = 1:marked] ARG1 using 1:(column(3 * all + 1 + i)) skip 1 \
    with points pointtype 2 pointsize 1 linecolor rgb 0x000000 title (i == 1 ? "a sample without a steal" : ""), \
    for [i = 1:(limit > 0 ? series : 0)] ARG1 \
    using (place($1, i)):(leaves(i) ? limit - (beyond(i) - 0.5) * step : NaN):(sprintf("^%.4g", column(3 * i - 1))) skip 1 \
    with labels textcolor linetype i font ",8" notitle
