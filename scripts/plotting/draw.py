# SPDX-License-Identifier: Apache-2.0
"""Draws the computed data, for readers in black and white and with all kinds of colour vision."""
import math
import os
import textwrap

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import LogLocator
from matplotlib.transforms import Bbox

from plotting.results import STATES, UNITS, Wrong

MOST_LABELS = 24  # most designs for which those off the frontier are labelled too
WIDEST = 14.0     # inches; most width of a row of bars
LETTER = 0.08     # inches; approximate width of a letter
LONGEST = 40      # most letters of a name
NARROW = 5.0      # inches; below this, letters are smaller, and only the frontier is labelled
PAD = 0.02        # inches around a picture that fits a column
FAR_APART = 20    # ratio of most to least value from which on a scale is logarithmic
MEAN = "geometric mean"
COLUMN = None     # width in inches of a picture without a title; None: as wide as needed
# Okabe and Ito's colours, distinguishable with all kinds of colour vision.
COLOURS = ("#56B4E9", "#E69F00", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#999999",
           "#FFFFFF", "#DDDDDD")
HATCHES = ("", "///", "...", "\\\\\\", "xxx", "---", "ooo", "|||", "+++", "**")


def with_unit(metric, remark=""):
    unit = UNITS.get(metric, "")
    inside = "; ".join(each for each in (unit if unit != metric else "", remark) if each)
    return f"{metric} ({inside})" if inside else metric


def short(number):
    return f"{number:.3g}" if abs(number) < 1000 else f"{number:,.0f}"


def new_figure(width, height, panels=(1,), rows=1):
    """A figure and its axes, in rows with a common y axis. The user's own style does not apply."""
    if COLUMN:
        width, height = COLUMN, height * min(1, max(0.6, COLUMN / width))
    matplotlib.rcdefaults()
    matplotlib.rcParams.update({
        "font.size": 7 if COLUMN and COLUMN < NARROW else 9, "axes.axisbelow": True, "axes.spines.top": False,
        "axes.spines.right": False, "hatch.linewidth": 0.6, "svg.fonttype": "none", "pdf.fonttype": 42,
        "svg.hashsalt": "shflsim", "legend.frameon": False, "grid.color": "0.85",
        "text.parse_math": False})
    figure = Figure(figsize=(width, height), dpi=150)
    FigureCanvasAgg(figure)  # needs no display
    axes = figure.subplots(rows, len(panels), sharey=True, squeeze=False, gridspec_kw={
        "width_ratios": panels, "wspace": 0.08, "hspace": 0.55})
    return figure, list(axes.flat)


def head(axes, title, remarks):
    """Draws the title, with the remarks on it in smaller letters below."""
    width = int(axes.figure.get_size_inches()[0] * 15)
    lines = [line for remark in remarks for line in textwrap.wrap(remark, width)]
    axes.annotate("\n".join(lines), (0, 1), (0, 8), xycoords="axes fraction",
                  textcoords="offset points", fontsize=8, color="0.25", va="bottom")
    axes.annotate(title, (0, 1), (0, 13 + 9.6 * len(lines)), xycoords="axes fraction",
                  textcoords="offset points", fontsize=12, fontweight="bold", va="bottom")


def legend(axes, title, *names):
    """Draws the legend beside the data, or above them if the picture is for a column."""
    if not COLUMN:
        axes.legend(*names, title=title, loc="upper left", bbox_to_anchor=(1.01, 1.02))
        return
    _, labels = axes.get_legend_handles_labels()
    longest = max(len(str(label)) for label in [*labels, ""])
    across = max(1, int(COLUMN / (LETTER * 0.8 * longest + 0.45)))
    axes.legend(*names, title=title, loc="lower left", bbox_to_anchor=(0, 1.01), ncols=across,
                fontsize=7, title_fontsize=7, columnspacing=1, handlelength=1.5)


def fit(figure):
    """Scales the figure to the width of the column, including what is beside the axes."""
    for _ in range(8):
        box = figure.get_tightbbox(figure.canvas.get_renderer())
        width, height = figure.get_size_inches()
        figure.set_size_inches(max(1.0, width + COLUMN - box.width - 2 * PAD), height)


def cut(name):
    """Shortens a long name, such as a mangled one."""
    name = str(name)
    return name if len(name) <= LONGEST else f"{name[:LONGEST // 2]}…{name[1 - LONGEST // 2:]}"


def name_ticks(axes, names):
    """Writes names below the axes; aslant if they would overlap."""
    names = [cut(name) for name in names]
    axes.set_xticks(range(len(names)), names)
    inches = axes.get_position().width * axes.figure.get_size_inches()[0]
    room = inches / (axes.get_xlim()[1] - axes.get_xlim()[0])
    if any(LETTER * (len(name) + 1) > room for name in names):
        for label in axes.get_xticklabels():
            label.set(rotation=40, ha="right", rotation_mode="anchor")


def look(place):
    """The colour and the hatch of one of several words."""
    again = place // len(COLOURS)
    return COLOURS[place % len(COLOURS)], HATCHES[(place + again) % len(HATCHES)]


def looks(values):
    """The colours and hatches of values. Numbers go from dark to light, also in grey."""
    if not all(isinstance(value, (int, float)) for value in values):
        return [look(i) for i in range(len(values))]
    return [(matplotlib.colormaps["cividis"](0.2 + 0.8 * i / max(1, len(values) - 1)),
             HATCHES[i % len(HATCHES)]) for i in range(len(values))]


def speedup_row(axes, bars, values, room):
    across = 0.84 / len(values)
    for i, (value, (colour, hatch)) in enumerate(zip(values, looks(values))):
        places = {kernel: k + (i - (len(values) - 1) / 2) * across
                  for k, kernel in enumerate(bars) if value in bars[kernel]}
        axes.bar(places.values(), [bars[kernel][value] for kernel in places], across,
                 label=str(value), color=colour, hatch=hatch, edgecolor="black", linewidth=0.5)
        if MEAN in places:
            axes.annotate(f"{bars[MEAN][value]:.2f}", (places[MEAN], bars[MEAN][value]), (0, 3),
                          textcoords="offset points", rotation=90, ha="center",
                          fontsize=7 if len(values) <= 8 else 6)
    if MEAN in bars:
        axes.axvline(len(bars) - 1.5, color="0.4", linewidth=0.8, linestyle=":")
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_xlim(-0.6, room - 0.4)
    axes.grid(axis="y")
    name_ticks(axes, bars)


def speedup(bars, values, by):
    """`bars`: {kernel: {value: speedup}}, with the mean as MEAN."""
    widest = max(1, int(WIDEST / (0.13 * (len(values) + 1.5))))
    rows = math.ceil(len(bars) / widest)
    room = math.ceil(len(bars) / rows)
    figure, panels = new_figure(max(5.0, 0.13 * room * (len(values) + 1.5)), 0.8 + 2.8 * rows,
                                rows=rows)
    for i, axes in enumerate(panels):
        speedup_row(axes, dict(list(bars.items())[i * room:(i + 1) * room]), values, room)
        axes.set_ylabel("speedup")
    panels[0].margins(y=0.14)  # for the numbers above the means
    legend(panels[0], by)
    return figure, panels[0]


def name_numbers(axis):
    """Writes 1,000 instead of a power of 10, and labels more ticks of a logarithmic axis."""
    if axis.get_scale() == "log":
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(lambda value, _: short(value))
    axis.set_minor_formatter(lambda value, _: "")


def lie_far_apart(values):
    return min(values) > 0 and max(values) > FAR_APART * min(values)


def place_labels(axes, labelled, spots):
    """Places each label where it covers the fewest points and earlier labels."""
    renderer = axes.figure.canvas.get_renderer()
    taken = [Bbox.from_bounds(x - 8, y - 8, 16, 16) for x, y in axes.transData.transform(spots)]
    for name, x, y in labelled:
        tried = []
        for far in (7, 18, 30, 45, 62, 80, 100):
            for right, up in ((1, 1), (1, -1), (-1, 1), (-1, -1), (0.4, 1), (-0.4, 1), (0.4, -1)):
                text = axes.annotate(
                    name, (x, y), (right * far, up * far), textcoords="offset points", fontsize=7,
                    ha="left" if right > 0 else "right", va="center",
                    bbox={"facecolor": "white", "alpha": 0.7, "linewidth": 0, "pad": 0.5},
                    arrowprops={"arrowstyle": "-", "linewidth": 0.4} if far > 7 else None)
                text.update_positions(renderer)
                box = Text.get_window_extent(text, renderer)  # without its arrow
                covered = sum((min(box.x1, other.x1) - max(box.x0, other.x0)) *
                              (min(box.y1, other.y1) - max(box.y0, other.y0))
                              for other in taken if box.overlaps(other))
                within = all(axes.bbox.contains(*corner) for corner in (box.min, box.max))
                tried.append((covered + (0 if within else 1e4), len(tried), text, box))
        best = min(tried, key=lambda each: each[:2])
        for each in tried:
            if each is not best:
                each[2].remove()
        taken.append(best[3])


def at_one_spot(found):
    """Groups designs with equal figures, which share a label."""
    spots = {}
    for name, x, y in found:
        spots.setdefault((x, y), []).append(name)
    return [(names[0] + (f" (and {len(names) - 1} more)" if len(names) > 1 else ""), *spot)
            for spot, names in spots.items()]


def pareto(found, best, metrics, remarks):
    """`metrics`, `remarks`: for x and y."""
    figure, (axes,) = new_figure(7.5, 5)
    rest = [design for design in found if design not in best]
    are_few = len(found) <= MOST_LABELS and not (COLUMN and COLUMN < NARROW)
    axes.plot([x for _, x, _ in best], [y for _, _, y in best], "o-", color="#D55E00",
              drawstyle="steps-post", markeredgecolor="black", label=f"frontier ({len(best)})")
    axes.plot([x for _, x, _ in rest], [y for _, _, y in rest], "s", color="white", markersize=5,
              markeredgecolor="0.4", zorder=1.5,
              label=f"dominated ({len(rest)})" + ("" if are_few else ",\nnot labelled"))
    if lie_far_apart([x for _, x, _ in found]):
        axes.set_xscale("log")
    if lie_far_apart([y for _, _, y in found]):
        axes.set_yscale("log")
    name_numbers(axes.xaxis)
    name_numbers(axes.yaxis)
    axes.margins(0.15)
    axes.grid()
    axes.set_xlabel(with_unit(metrics[0], remarks[0]))
    axes.set_ylabel(with_unit(metrics[1], remarks[1]))
    legend(axes, None)
    labelled = at_one_spot(best) + (at_one_spot(rest) if are_few else [])
    if COLUMN:
        fit(figure)
    figure.draw_without_rendering()
    place_labels(axes, labelled, [design[1:] for design in found])
    return figure, axes


def heat(cells, keys, metric):
    """`keys`: the keys of rows and of columns."""
    rows, columns = (list(dict.fromkeys(cell[i] for cell in cells)) for i in (0, 1))
    figure, (axes,) = new_figure(2.2 + 0.62 * len(columns), 1 + 0.3 * len(rows))
    shown = [[cells.get((row, column), math.nan) for column in columns] for row in rows]
    image = axes.imshow(shown, cmap="cividis", aspect="auto",
                        norm=LogNorm() if lie_far_apart(cells.values()) else None)
    for (row, column), value in cells.items():
        dark = image.norm(value) < 0.5
        axes.text(columns.index(column), rows.index(row), short(value), fontsize=8, ha="center",
                  va="center", color="white" if dark else "black")
    name_ticks(axes, columns)
    axes.set_yticks(range(len(rows)), [cut(row) for row in rows])
    axes.set_ylabel(keys[0])
    axes.set_xlabel(keys[1])
    beside = axes.inset_axes((1 + 0.1 / len(columns), 0, 0.25 / len(columns), 1))
    bar = figure.colorbar(image, cax=beside, label=with_unit(metric))
    name_numbers(bar.ax.yaxis)
    return figure, axes


def sensitivity(lines, metric):
    """One panel for each axis, so that each has its own values below it."""
    widths = [max(0.4 * (len(line) + 0.6), *(0.08 * len(key) for key in keys), 1.0)
              for keys, line in lines]
    figure, panels = new_figure(max(4.5, sum(widths)), 3.2, widths)
    for i, (axes, (keys, line)) in enumerate(zip(panels, lines)):
        axes.plot([ratio for _, ratio in line], marker="osD^v<>p"[i % 8], color="#0072B2",
                  markeredgecolor="black", linestyle=("-", "--", "-.", ":")[i % 4])
        axes.axhline(1, color="black", linewidth=0.8)
        axes.set_xlim(-0.8, len(line) - 0.2)
        axes.grid(axis="y")
        name_ticks(axes, [", ".join(map(str, value)) for value, _ in line])
        axes.set_xlabel("\n".join(keys))
    figure.align_xlabels(panels)
    panels[0].set_ylabel(f"{metric}, relative to the first value")
    return figure, panels[0]


def stalls(shares, by):
    figure, (axes,) = new_figure(max(4.0, 1 + 0.55 * len(shares)), 4)
    floor = [0.0] * len(shares)
    for state in next(iter(shares.values())):
        parts = [each[state] for each in shares.values()]
        colour, hatch = look(STATES.index(state)) if state in STATES else ("#444444", "")
        axes.bar(range(len(shares)), parts, 0.8, bottom=floor, label=state.replace("stall_", ""),
                 color=colour, hatch=hatch, edgecolor="black", linewidth=0.5)
        for i, part in enumerate(parts):
            if part >= 0.06:
                axes.text(i, floor[i] + part / 2, f"{100 * part:.0f}", fontsize=7, ha="center",
                          va="center", bbox={"facecolor": "white", "linewidth": 0, "pad": 0.8})
        floor = [low + part for low, part in zip(floor, parts)]
    axes.set(xlim=(-0.6, len(shares) - 0.4), ylim=(0, 1))
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}")
    name_ticks(axes, shares)
    axes.set_xlabel(by)
    axes.set_ylabel("share of the warp-cycles (%)")
    handles, labels = axes.get_legend_handles_labels()
    legend(axes, "state", handles[::-1], labels[::-1])
    return figure, axes


def save(figure, path):
    """Writes a temporary file and renames it, so that no incomplete picture is visible."""
    form = path.suffix[1:].lower()
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(form, {"Software": None})
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        figure.savefig(beside, format=form, metadata=metadata, bbox_inches="tight",
                       pad_inches=PAD if COLUMN else 0.1)
        os.replace(beside, path)
    except ValueError as error:  # beyond the limits of an image
        raise Wrong(f"{path}: {error}; expected fewer values, chosen by --where") from error
    except OSError as error:
        raise Wrong(f"{path}: {error.strerror}; expected a folder that can be written "
                    "to") from error
    finally:
        beside.unlink(missing_ok=True)
