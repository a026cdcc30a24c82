"""Contests, by matplotlib: each option's ratio to one of them with its interval, in a row, the best first."""

from math import log

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, NullFormatter, StrMethodFormatter

from actorbench.best import Contest, Option
from actorbench.estimates import Ratio
from actorbench.wording import number_text

LINE_HEIGHT = 0.3  # inches an option
IN = "best or not told apart from the best"
OUT = "another was found better"
YARDSTICK = "what all are set against"
_LOOKS = {
    IN: {"color": "#0072B2", "marker": "o", "markerfacecolor": "#0072B2"},
    OUT: {"color": "#D55E00", "marker": "s", "markerfacecolor": "#ffffff"},
}
_LEAST_REACH = 1.02  # a picture of less would be one of nothing
_ROOM = 1.08  # beside the outermost end, in the logarithm


def draw_contest(axes: Axes, contest: Contest, yardstick: str, name: str) -> None:
    """Draw a contest's ratios to the option `yardstick`, on a logarithmic axis that says `name` of it."""
    places = range(len(contest.options), 0, -1)
    axes.axvline(1, color="#777777", linestyle=(0, (5, 3)), linewidth=1)
    ends = [1.0]
    for place, option in zip(places, contest.options, strict=True):
        ratio = contest.ratio(option.label, yardstick)
        if option.label == yardstick and option.estimate:
            axes.plot(1, place, label=YARDSTICK, color="#000000", marker="D", linestyle="")
        elif ratio is None:
            axes.text(0.01, place, option.trouble or "-", va="center", transform=axes.get_yaxis_transform())
        else:
            ends += _draw_ratio(axes, ratio, place, IN if option in contest.best else OUT)
        _write_median(axes, contest, option, place)
    axes.set_yticks(places, [option.label for option in contest.options])
    axes.set_ylim(0.4, len(contest.options) + 0.6)
    _set_scale(axes, min(ends), max(ends))
    axes.set_xlabel(f"{contest.measure.label} over that of {name}, logarithmic")
    axes.set_title(contest.label, fontsize=9.5)


def _draw_ratio(axes: Axes, ratio: Ratio, place: int, standing: str) -> list[float]:
    low, high = ratio.low or ratio.ratio, ratio.high or ratio.ratio
    axes.errorbar(
        ratio.ratio,
        place,
        xerr=[[ratio.ratio - low], [high - ratio.ratio]],
        label=standing,
        linestyle="",
        markeredgewidth=1.5,
        **_LOOKS[standing],  # type: ignore[arg-type]
    )
    return [low, high]


def _write_median(axes: Axes, contest: Contest, option: Option, place: int) -> None:
    if option.estimate:
        text = f"{number_text(option.estimate.value)} {contest.measure.unit}".strip()
        axes.text(1.02, place, text, va="center", fontsize=8.5, transform=axes.get_yaxis_transform())


def _set_scale(axes: Axes, low: float, high: float) -> None:
    room = max(log(_LEAST_REACH), (log(high) - log(low)) * (_ROOM - 1))
    axes.set_xscale("log")
    axes.set_xlim(low * (1 - room), high * (1 + room))
    axes.xaxis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(visible=True, axis="x")
    axes.grid(visible=False, axis="y")
