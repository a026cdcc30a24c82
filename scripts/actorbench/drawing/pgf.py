"""Figures as PGF, to be typeset by LaTeX in the paper's own fonts; no TeX is needed to write them.

matplotlib asks TeX for the size of every text, though it needs sizes only to place what has no anchor. Here
they are measured with the font that the other formats use, and every text is escaped, since matplotlib
hands texts to TeX as commands.
"""

from typing import IO, Any

from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.backends.backend_mixed import MixedModeRenderer
from matplotlib.backends.backend_pgf import FigureCanvasPgf, RendererPgf
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text

from actorbench.latex import latex_text

HEADER = r"""%% A figure of actorbench. Put into a LaTeX document by \input{NAME.pgf}; needs in its preamble:
%%   \usepackage[T1]{fontenc}
%%   \usepackage{pgf}
\begingroup
\makeatletter
\begin{pgfpicture}
"""
FOOTER = r"""\end{pgfpicture}
\makeatother
\endgroup
"""


def write_pgf(figure: Figure, file: IO[bytes]) -> None:
    """Write a figure as PGF; raises OSError."""
    _Canvas(figure).print_figure(file, format="pgf")


class _Renderer(RendererPgf):
    """Writes PGF with texts measured by matplotlib and escaped."""

    def get_text_width_height_descent(
        self, s: str, prop: FontProperties, _ismath: object
    ) -> tuple[float, float, float]:
        return RendererBase.get_text_width_height_descent(self, s, prop, ismath=False)

    def draw_text(
        self,
        gc: GraphicsContextBase,
        x: float,
        y: float,
        s: str,
        prop: FontProperties,
        angle: float,
        ismath: object = False,  # noqa: ARG002 - never: text.parse_math is off
        mtext: Text | None = None,
    ) -> None:
        super().draw_text(gc, x, y, latex_text(s), prop, angle, False, mtext)  # type: ignore[no-untyped-call]


class _Canvas(FigureCanvasPgf):
    def get_renderer(self) -> RendererPgf:
        return _Renderer(self.figure, None)  # type: ignore[no-untyped-call]

    def _print_pgf_to_fh(self, fh: IO[str], *, bbox_inches_restore: Any = None) -> None:  # noqa: ANN401
        """Write what matplotlib's own writes, without the paths of this machine's fonts."""
        width, height = self.figure.get_figwidth(), self.figure.get_figheight()
        fh.write(HEADER)
        fh.write(
            rf"\pgfpathrectangle{{\pgfpointorigin}}{{\pgfqpoint{{{width:f}in}}{{{height:f}in}}}}%"
            "\n\\pgfusepath{use as bounding box, clip}%\n"
        )
        renderer: Any = MixedModeRenderer(  # type: ignore[no-untyped-call]
            self.figure,
            width,
            height,
            self.figure.dpi,
            _Renderer(self.figure, fh),  # type: ignore[no-untyped-call]
            bbox_inches_restore=bbox_inches_restore,
        )
        self.figure.draw(renderer)
        fh.write(FOOTER)
