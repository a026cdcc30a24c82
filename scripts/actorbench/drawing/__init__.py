"""Figures: as files by matplotlib (`figure_files`, `pgf`), in the terminal and as PDF by `gnuplot`."""
