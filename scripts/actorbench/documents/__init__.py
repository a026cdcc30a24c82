"""Documents that stay true: their tables and figures are written from stored runs, and their age is told."""
