# SPDX-License-Identifier: Apache-2.0
"""Computes the data of the pictures from the points of a sweep: dicts of keys and metrics."""
import math

SMALL_SHARE = 0.01  # a state below this in every bar is shown as "other"
HIGHER_IS_BETTER = {"ipc", "issue_active"}


def rounded(value):
    """Rounds to 12 digits: equal means of equal values are equal however they were computed."""
    return float(f"{value:.12g}")


def geometric_mean(values):
    return rounded(values[0] if len(values) == 1 else
                   math.exp(math.fsum(map(math.log, values)) / len(values)))


def arithmetic_mean(values):
    return rounded(math.fsum(values) / len(values))


def mean_for(values):
    """A mean that exists for all of these values, and its name: the geometric mean if none is 0."""
    if min(values) > 0:
        return geometric_mean, "geometric mean"
    return arithmetic_mean, "arithmetic mean"


def values_of(points, key):
    """The distinct values of a key, in the order of the grid."""
    return list(dict.fromkeys(point[key] for point in points))


def grouped(points, keys):
    groups = {}
    for point in points:
        groups.setdefault(tuple(point[key] for key in keys), []).append(point)
    return groups


def goes_along(points, varied, key):
    """True if a key changes, and only together with the varied keys, as in a [zip]."""
    return len(values_of(points, key)) > 1 and all(
        len(values_of(group, key)) == 1 for group in grouped(points, varied).values())


def others(points, keys, varied):
    """The keys that must be equal if only the varied keys may differ."""
    return [key for key in keys if key not in varied
            and (key == "kernel" or not goes_along(points, varied, key))]


def balanced(points, varied, rest):
    """By value of `varied`: the points that all these values have, with equal `rest`."""
    groups = {value: {tuple(point[key] for key in rest): point for point in group}
              for value, group in grouped(points, varied).items()}
    common = [like for like in next(iter(groups.values()))
              if all(like in group for group in groups.values())]
    return {value: [group[like] for like in common] for value, group in groups.items()}


def ratios(base, points, metric):
    return [point[metric] / first[metric] for first, point in zip(base, points)]


def speedups(points, rest, by, base):
    """{kernel: {value: speedup}}, {value: mean over the kernels that have all values}, and the
    number of points used."""
    kernels, used = {}, 0
    for (kernel,), own in grouped(points, ["kernel"]).items():
        groups = balanced(own, [by], rest)
        if len(groups) > 1 and groups.get((base,)):
            kernels[kernel] = {value: geometric_mean(ratios(group, groups[(base,)], "cycles"))
                               for (value,), group in groups.items()}
            used += sum(map(len, groups.values()))
    values = values_of(points, by)
    whole = [bars for bars in kernels.values() if len(bars) == len(values)]
    means = {value: geometric_mean([bars[value] for bars in whole]) for value in values if whole}
    return kernels, means, used


def designs(points, keys, x, y):
    """[(name, x, y)] of the designs that have all kernels, each a mean over the kernels; the keys
    whose values name them; the names of the means of x and y; and the number of points used. As in
    report/compare/design_means.cc."""
    named = [key for key in keys if key != "kernel" and len(values_of(points, key)) > 1]
    kernels = len(values_of(points, "kernel"))
    groups = [group for group in grouped(points, [key for key in keys if key != "kernel"]).values()
              if len(group) == kernels]
    used = [point for group in groups for point in group]
    if not used:
        return [], named, [], 0
    means = [(metric, *mean_for([point[metric] for point in used])) for metric in (x, y)]
    found = [(", ".join(str(group[0][key]) for key in named),
              *(mean([point[metric] for point in group]) for metric, mean, _ in means))
             for group in groups]
    return found, named, [name for _, _, name in means], len(used)


def frontier(found, x, y):
    """The designs that none dominates (as good in both metrics, better in one), best x first."""
    sign_x, sign_y = (-1 if metric in HIGHER_IS_BETTER else 1 for metric in (x, y))
    best = []
    for design in sorted(found, key=lambda design: (sign_x * design[1], sign_y * design[2])):
        if not best or sign_y * design[2] < sign_y * best[-1][2] or design[1:] == best[-1][1:]:
            best.append(design)
    return best


def heat_cells(points, rest, rows, columns, metric):
    """{(row, column): mean}, the name of the mean, and the number of points used."""
    groups = balanced(points, [rows, columns], rest)
    used = [point[metric] for group in groups.values() for point in group]
    if not used:
        return {}, "", 0
    mean, name = mean_for(used)
    return {cell: mean([point[metric] for point in group])
            for cell, group in groups.items()}, name, len(used)


def sensitivity(points, keys, metric):
    """[(keys that change together, [(their values, mean ratio to the first values)])]. Pairs with a
    0 have no ratio and are left out."""
    lines, seen = [], {"kernel"}
    for key in keys:
        if key in seen or len(values_of(points, key)) < 2:
            continue
        rest = others(points, keys, [key])
        together = [each for each in keys if each not in rest]
        groups = balanced(points, together, rest)
        likes = [like for like in zip(*groups.values()) if all(each[metric] > 0 for each in like)]
        if likes:
            seen.update(together)
            first = [like[0] for like in likes]
            lines.append((together, [
                (value, geometric_mean(ratios(first, [like[i] for like in likes], metric)))
                for i, value in enumerate(groups)]))
    return lines


def stall_shares(points, rest, by, states):
    """{value: {state: fraction of its points' warp-cycles}}, and the number of points used."""
    shares, used = {}, 0
    for (value,), group in balanced(points, [by], rest).items():
        sums = {state: sum(point[state] for point in group) for state in states}
        if sum(sums.values()) > 0:
            shares[value] = {state: each / sum(sums.values()) for state, each in sums.items()}
            used += len(group)
    return shares, used


def without_small(shares):
    """Merges the states that are small in every bar into one, "other"."""
    states = list(next(iter(shares.values())))
    shown = [state for state in states
             if any(each[state] >= SMALL_SHARE for each in shares.values())]
    return {value: {**{state: each[state] for state in shown},
                    "other": math.fsum(each[state] for state in states if state not in shown)}
            for value, each in shares.items()}
