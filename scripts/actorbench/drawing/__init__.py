"""Figures: as files by matplotlib (`figure_files`), and at once in the terminal by gnuplot (`terminal`)."""
