"""A table as LaTeX, in the style of the booktabs package, to be put into a paper as it is."""

from collections.abc import Sequence

from actorbench.table import Table
from actorbench.text import one_line

_SIGNS = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "[": "{[}",
    "]": "{]}",
    "-": "{-}",
}

_KNOWN = range(0x20, 0x180)  # what LaTeX sets without more packages


def latex_text(text: str) -> str:
    """Write text so that LaTeX shows it as it is: no sign of it is a command, nor joined to a dash."""
    escaped = "".join(
        _SIGNS.get(sign, sign if ord(sign) in _KNOWN else _code(sign)) for sign in one_line(text)
    )
    return escaped.replace("{-}", "-") if "--" not in text else escaped


def _code(sign: str) -> str:
    return "$-$" if sign == "\u2212" else f"\\texttt{{U+{ord(sign):04X}}}"


def _row(row: Sequence[str]) -> str:
    """Write a row; one with a first cell only is a heading over all columns, an empty one a little space."""
    if not any(row):
        return r"\addlinespace"
    if not any(row[1:]):
        return rf"\multicolumn{{{len(row)}}}{{l}}{{{latex_text(row[0])}}} \\"
    indent = r"\quad " if row[0].startswith(" ") else ""
    return indent + " & ".join(latex_text(cell) for cell in row) + r" \\"


def latex_table(table: Table) -> str:
    """Write a table as a `table` environment, with the title as its caption and the notes below."""
    layout = "".join("r" if column.numeric else "l" for column in table.columns)
    heads = " & ".join(latex_text(column.heading) for column in table.columns)
    body = [_row(row) for row in table.rows]
    notes = [rf"\par\footnotesize {latex_text(note)}" for note in table.notes]
    lines = [
        r"% needs \usepackage{booktabs} and \usepackage[T1]{fontenc}",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{latex_text(table.title)}}}",
        rf"\begin{{tabular}}{{{layout}}}",
        r"\toprule",
        heads + r" \\",
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        *notes,
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"
