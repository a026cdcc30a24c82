"""Heat maps: the ratios of a grid as colours, for people who look rather than read.

The colours diverge from white, at 1, in the logarithm of the ratio: blue is better, vermilion worse, which
readers with any colour vision tell apart. They say how far, never whether: what was not told apart is
hatched. A grid whose columns are in groups is turned: they stand below each other, each group with its means.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from actorbench.grid import UNDECIDED, by_group, short_ratio
from actorbench.groups import GEOMETRIC_MEAN, Mean
from actorbench.ratios import Row
from actorbench.wording import short_number

BETTER_COLOUR, MIDDLE_COLOUR, WORSE_COLOUR = "#0072b2", "#ffffff", "#d55e00"
LEAST_REACH, MOST_REACH = 1.25, 4.0  # ratios that have the full colour
DARK, LIGHT = "#000000", "#ffffff"


@dataclass(frozen=True)
class Spot:
    """A cell of a heat map; `shade` is from -1, far better, to 1, far worse, None where there is no ratio.

    `row` is None where the grid compares nothing, and where it has a `mean`.
    """

    row: Row | None
    text: str
    shade: float | None
    mean: Mean | None = None

    @property
    def is_undecided(self) -> bool:
        """Whether it has a ratio, or mean, that does not show a difference."""
        if self.mean is not None:
            return self.mean.is_undecided
        return self.row is not None and self.row.ratio is not None and self.row.verdict in UNDECIDED

    @property
    def colour(self) -> str:
        """The colour as #rrggbb; that of 1 where there is no ratio."""
        return colour_of(self.shade or 0.0)

    @property
    def ink(self) -> str:
        """Black or white, whichever is easier to read on the colour."""
        return ink_on(self.colour)


@dataclass(frozen=True)
class HeatMap:
    """Candidates down, what they are compared on across; `reach` is the ratio that has the full colour.

    Where `groups`, one for each line, are not empty it is the other way round.
    """

    headings: tuple[str, ...]
    labels: tuple[str, ...]
    spots: tuple[tuple[Spot, ...], ...]
    reach: float
    groups: tuple[str, ...]

    @property
    def begun(self) -> tuple[str, ...]:
        """For each line the name of the group that begins there, empty if none does."""
        before = ("", *self.groups[:-1])
        return tuple("" if group == last else group for last, group in zip(before, self.groups, strict=True))

    @property
    def is_cut(self) -> bool:
        """Whether a ratio is beyond the reach."""
        ratios = [spot.row.ratio.ratio for line in self.spots for spot in line if spot.row and spot.row.ratio]
        return any(not 1 / self.reach <= ratio <= self.reach for ratio in ratios)

    @property
    def has_undecided(self) -> bool:
        """Whether a cell is hatched."""
        return any(spot.is_undecided for line in self.spots for spot in line)


def heat_map(rows: Sequence[Row], means: Sequence[Mean] = ()) -> HeatMap:
    """Make the heat map of a grid's rows, with its groups' means, in the order of the file."""
    headings = tuple(dict.fromkeys(row.reading.column for row in rows))
    labels = tuple(dict.fromkeys(row.reading.label for row in rows))
    cells = {(row.reading.label, row.reading.column): row for row in rows}
    ratios = [max(row.ratio.ratio, 1 / row.ratio.ratio) for row in rows if row.ratio]
    reach = min(MOST_REACH, max([LEAST_REACH, *ratios]))
    if means:
        return _turned(rows, means, labels, reach)
    spots = tuple(
        tuple(_spot(cells.get((label, heading)), reach) for heading in headings) for label in labels
    )
    return HeatMap(headings, labels, spots, reach, ("",) * len(labels))


def _turned(rows: Sequence[Row], means: Sequence[Mean], headings: tuple[str, ...], reach: float) -> HeatMap:
    lines = [
        (group, label, tuple(_spot(row, reach) for row in line))
        for group, label, line in by_group(rows, headings)
    ]
    at = {(mean.group, mean.label): _spot_of_mean(mean, reach) for mean in means}
    made = []
    for group in dict.fromkeys(group for group, _, _ in lines):
        made += [one for one in lines if one[0] == group]
        made.append((group, GEOMETRIC_MEAN, tuple(at[group, heading] for heading in headings)))
    groups, labels, spots = zip(*made, strict=True)
    return HeatMap(headings, labels, spots, reach, groups)


def colour_of(shade: float) -> str:
    """Mix a colour, from -1, better, over 0, white, to 1, worse."""
    end = WORSE_COLOUR if shade > 0 else BETTER_COLOUR
    parts = zip(_parts(MIDDLE_COLOUR), _parts(end), strict=True)
    return "#" + "".join(f"{round(middle + abs(shade) * (far - middle)):02x}" for middle, far in parts)


def ink_on(colour: str) -> str:
    """Give black or white, whichever has more contrast (WCAG 2.2, "relative luminance")."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (one / 255 for one in _parts(colour))
    ]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return DARK if (luminance + 0.05) ** 2 >= 0.05 * 1.05 else LIGHT


def _spot(row: Row | None, reach: float) -> Spot:
    if row is None or row.ratio is None:
        return Spot(row, "" if row is None else row.verdict, None)
    return Spot(row, short_number(row.ratio.ratio), _shade(row.ratio.ratio, reach))


def _spot_of_mean(mean: Mean, reach: float) -> Spot:
    if mean.ratio is None:
        return Spot(None, mean.trouble, None, mean)
    return Spot(None, short_ratio(mean.ratio), _shade(mean.ratio.ratio, reach), mean)


def _shade(ratio: float, reach: float) -> float:
    return max(-1.0, min(1.0, log(ratio) / log(reach)))


def _parts(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return red, green, blue
