"""A panel of boxes, by matplotlib: lying, so that long labels can be read."""

from matplotlib.axes import Axes
from matplotlib.ticker import StrMethodFormatter

from actorbench.boxes import Box
from actorbench.drawing.panels import Panel

COLOUR = "#0072B2"


def draw_boxes(axes: Axes, panel: Panel) -> None:
    """Draw a panel's boxes, the first at the top; a cell without a value says why."""
    places = list(range(len(panel.boxes), 0, -1))
    drawn = [(box, place) for box, place in zip(panel.boxes, places, strict=True) if box.count]
    if drawn:
        axes.bxp(
            [_statistics(box) for box, _ in drawn],
            positions=[place for _, place in drawn],
            orientation="horizontal",
            widths=0.55,
            showfliers=False,
            manage_ticks=False,
            patch_artist=True,
            boxprops={"facecolor": "#cfe3f1", "edgecolor": COLOUR, "linewidth": 1.2},
            medianprops={"color": "#000000", "linewidth": 1.8},
            whiskerprops={"color": COLOUR, "linewidth": 1.2},
            capprops={"color": COLOUR, "linewidth": 1.2},
        )
    axes.set_yticks(places, [box.label for box in panel.boxes])
    if panel.axis.logarithmic:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.set_xlim(panel.axis.bottom, panel.axis.top)
    axes.set_ylim(0.4, len(panel.boxes) + 0.6)
    axes.grid(visible=True, axis="x")
    axes.grid(visible=False, axis="y")
    for box, place in zip(panel.boxes, places, strict=True):
        if not box.count:
            axes.text(0.01, place, box.trouble, va="center", transform=axes.get_yaxis_transform())


def _statistics(box: Box) -> dict[str, object]:
    low, lower, middle, upper, high = box.quartiles
    return {"whislo": low, "q1": lower, "med": middle, "q3": upper, "whishi": high}
