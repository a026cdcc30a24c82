"""Figures of a campaign of gates: the noise that an A/A campaign saw, the power that a self-test showed."""

from collections.abc import Sequence
from math import log1p
from pathlib import Path
from statistics import median

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from actorbench.drawing.figure_files import STYLE, drawn_as
from actorbench.errors import UserError
from actorbench.gate.aa import Shares
from actorbench.gate.deciding import GATED
from actorbench.gate.power import most_contrary
from actorbench.measure import MEASURES
from actorbench.store import write_whole
from gate_study.store import Campaign, GateEntry, Kind
from gate_study.tables import TIME, CellLines, is_found, series_of

FORMATS = ("svg", "png")
NULL_COLOUR, CANDIDATE_COLOUR, DELTA_COLOUR = "#0072B2", "#D55E00", "#000000"
TRIES = 4000  # of each point of the predicted power
MOST_SHOWN = 0.25  # slow-down at the right end of the power figure


def write_campaign_figures(campaign: Campaign, entries: Sequence[GateEntry]) -> list[Path]:
    """Draw the campaign's figure into its folder, in each format; raises UserError."""
    if not series_of(entries):
        return []
    with mpl.rc_context(fname=STYLE):
        if campaign.kind is Kind.SELF_TEST:
            name, figure = "power", draw_power(campaign, entries)
        else:
            name, figure = "noise", draw_noise(campaign, entries)
        paths = [campaign.folder / f"{name}.{suffix}" for suffix in FORMATS]
        for path in paths:
            # The time of drawing would make the same figure another file each time.
            dated = {"Date": None} if path.suffix == ".svg" else {}
            try:
                write_whole(path, drawn_as(figure, path.suffix, dated))
            except OSError as error:
                raise UserError(
                    f"{campaign.shown}/{path.name}: cannot be written: {error.strerror}"
                ) from error
    return paths


def draw_noise(campaign: Campaign, entries: Sequence[GateEntry]) -> Figure:
    """Draw what all gates found where nothing was to be found: a row a cell, a point a gate and arm."""
    by_measure = {
        measure: [series for series in series_of(entries) if series.measure == measure] for measure in GATED
    }
    rows = max(len(series) for series in by_measure.values())
    height = 1.5 + 0.48 * rows  # inches
    figure = Figure(figsize=(8.4, height))
    panels = figure.subplots(1, len(GATED), sharey=True, squeeze=False)[0]
    for axes, measure in zip(panels, GATED, strict=True):
        _draw_noise_panel(axes, by_measure[measure])
        axes.set_title(MEASURES[measure].label)
        axes.set_xlabel("difference from the base (%)")
    panels[0].set_yticks(range(rows), [series.cell for series in by_measure[TIME]])
    panels[0].set_ylim(rows - 0.4, -0.6)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.subplots_adjust(wspace=0.08, top=1 - 0.35 / height, bottom=0.6 / height)
    figure.legend(handles, labels, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
    loaded = ", one CPU loaded by turns" if campaign.kind is Kind.LOADED else ""
    figure.suptitle(
        f"{len(entries)} gates of a commit against itself{loaded}", y=1 + 0.35 / height, va="bottom"
    )
    return figure


def _draw_noise_panel(axes: Axes, rows: Sequence[CellLines]) -> None:
    axes.axvline(0, color="#555555", linewidth=0.8)
    for row, series in enumerate(rows):
        first = row == 0
        for arm, shift, colour, marker, label in (
            ("null", -0.17, NULL_COLOUR, "o", "base, built again"),
            ("candidate", 0.17, CANDIDATE_COLOUR, "^", "candidate (the same commit)"),
        ):
            values = [100 * (ratio - 1) for ratio in series.ratios(arm)]
            # Spread evenly, in the order of the gates, so that points don't hide each other.
            places = row + shift + np.linspace(-0.11, 0.11, len(values))
            axes.plot(
                values,
                places,
                linestyle="none",
                marker=marker,
                markersize=3,
                markerfacecolor="none",
                markeredgewidth=0.8,
                color=colour,
                label=label if first else None,
            )
        delta = 100 * (series.median("delta") or 0.0)
        axes.plot(
            [delta, delta],
            [row - 0.4, row + 0.4],
            color=DELTA_COLOUR,
            linestyle="-",
            marker="",
            label="delta (median): over it a cell is flagged" if first else None,
        )
    axes.grid(axis="x")
    axes.grid(visible=False, axis="y")


def draw_power(campaign: Campaign, entries: Sequence[GateEntry]) -> Figure:
    """Draw the share of tries that found each slow-down, and what the noise seen predicts."""
    assert campaign.calibration is not None
    figure = Figure()
    axes = figure.add_subplot()
    _draw_prediction(axes, campaign.slowed, entries)
    for place, slowdown in enumerate(campaign.calibration.slowdowns):
        tries = [entry for entry in entries if entry.asked == slowdown.asked]
        if not tries:
            continue
        shares, point = Shares.of(is_found(one, campaign.slowed) for one in tries), slowdown.achieved
        low, high = shares.interval
        axes.errorbar(
            [100 * (point.ratio - 1)],
            [100 * shares.share],
            xerr=[[100 * (point.ratio - point.low)], [100 * (point.high - point.ratio)]],
            yerr=[[100 * (shares.share - low)], [100 * (high - shares.share)]],
            color=CANDIDATE_COLOUR,
            marker="o",
            linestyle="none",
            label="found, 95 % interval" if place == 0 else None,
        )
        axes.annotate(
            f"{shares.hits} of {shares.count}",
            (100 * (point.ratio - 1), 100 * shares.share),
            textcoords="offset points",
            xytext=(9, -14),
        )
    axes.set_xlim(0, 100 * MOST_SHOWN)
    axes.set_ylim(-2, 104)
    axes.set_xlabel(f"slow-down of {campaign.slowed} (%)")
    axes.set_ylabel("gates that found it (%)")
    axes.set_title(f"Power of a gate with a budget of {campaign.settings.budget_s:g} s", pad=26)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
    return figure


def _draw_prediction(axes: Axes, slowed: str, entries: Sequence[GateEntry]) -> None:
    found = [one for one in series_of(entries) if (one.cell, one.measure) == (slowed, TIME)]
    if not found:
        return
    delta = found[0].median("delta") or 0.0
    axes.axvline(100 * delta, color=DELTA_COLOUR, linestyle="--", linewidth=1, label="delta (median)")
    spreads = [entry.spreads[slowed][TIME] for entry in entries if slowed in entry.spreads]
    slowdowns = np.linspace(0, MOST_SHOWN, 101)
    shares = predicted_shares(
        slowdowns,
        spread=median(spreads),
        pairs=int(found[0].pairs()),
        delta=delta,
        tests=len(series_of(entries)),
    )
    axes.plot(
        100 * slowdowns,
        [100 * share for share in shares],
        color=NULL_COLOUR,
        marker="",
        linestyle="-",
        label="predicted by the scatter of pairs",
    )


def predicted_shares(
    slowdowns: Sequence[float] | np.ndarray[tuple[int], np.dtype[np.float64]],
    *,
    spread: float,
    pairs: int,
    delta: float,
    tests: int,
) -> list[float]:
    """Say in which share of gates each slow-down is flagged twice running, at normal noise of the pairs.

    `spread` is of one pair's log-ratio, `pairs` those of a batch, `tests` the comparisons corrected together.
    """
    rank = most_contrary(pairs, tests)
    if rank < 0:
        return [0.0 for _ in slowdowns]
    drawn = np.sort(np.random.default_rng(0).normal(0.0, spread, size=(TRIES, pairs)), axis=1)
    needed = np.maximum(log1p(delta) - np.median(drawn, axis=1), -drawn[:, rank])
    return [float((needed < log1p(slowdown)).mean()) ** 2 for slowdown in slowdowns]
