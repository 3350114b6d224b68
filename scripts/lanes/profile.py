# SPDX-License-Identifier: Apache-2.0
"""Reads and writes lane profiles (docs/traffic.md), to join them."""
from collections import Counter


def moves_of(profile):
    """The moves with their counts of a profile of one family, such as the view `lanes` writes."""
    moves = Counter()
    for line in profile.splitlines():
        count, _, text = line.partition(" ")
        if count.isdigit():
            moves[text] += int(count)
    return moves


def profile_text(title, hashes, arch, counted, families):
    """The text of a profile; each family is (name, kernels, moves)."""
    lines = ["lanes 1", f"source {title}", *(f"hash {each}" for each in hashes)]
    lines += [f"arch {arch}"] if arch else []
    lines += [f"counted {counted}", "width 32"]
    total = 0
    for name, kernels, moves in families:
        lines.append(f"family {name} {kernels}")
        lines += [f"{count} {text}" for text, count in sorted(moves.items(), key=lambda item: (-item[1], item[0]))]
        total += sum(moves.values())
    return "\n".join([*lines, f"total {total}"]) + "\n"
