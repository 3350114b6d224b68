# SPDX-License-Identifier: Apache-2.0
"""Programs for barriers.py that ask whose turn it is: behind a YIELD, at one barrier whose BSYNCs are at
several places, and when the stack of groups is empty. Sides a, b and c are named in the order of their lanes.
"""
import itertools

PAIRS, TRIPLES = ("ab", "ba"), tuple(map("".join, itertools.permutations("abc")))


def sides(order):
    """The lanes of each side: neighbors, as many for each, and the rest for the last."""
    size = 32 // len(order)
    lanes = {side: (1 << size) - 1 << size * i for i, side in enumerate(order)}
    lanes[order[-1]] |= 0xFFFFFFFF & -(1 << size * len(order))
    return lanes


def among(predicate, lanes):
    return [f"MOV R7, {lanes:#x}", "SHF.R.U32.HI R7, RZ, R0, R7", "LOP3.LUT R7, R7, 0x1, RZ, 0xc0, !PT",
            f"ISETP.NE.U32.AND P{predicate}, PT, R7, RZ, PT"]


def split(order, *before):
    """Goes to b and c with the lanes of these sides; those of a continue."""
    lanes = sides(order)
    tests = [text for i, side in enumerate("bc"[:len(order) - 1]) for text in among(i + 1, lanes[side])]
    jumps = [f"@P{i + 1} BRA {side}" for i, side in enumerate("bc"[:len(order) - 1])]
    return ["MOV R5, 0xffffffff", *tests, *before, "BSSY B1, d", *jumps]


def yields(*numbers):
    """Marks with a YIELD between each."""
    return [text for n in numbers for text in (f"MARK {n}", "YIELD")][:-1]


END = ["m:", "BSYNC B1", "d:", "MARK 0"]
FAR = ["m:", "MARK 7", "BSYNC B1", "d:", "MARK 8"]


def collective(side, same_place):
    return [f"WARPSYNC.COLLECTIVE R5, {side}c", "NOP", "ENDCOLLECTIVE", f"{side}c:"] + same_place


def of_yield():
    for order in PAIRS:
        yield f"yield_{order}", [*split(order), *yields(1, 2, 3), "BRA m", "b:", *yields(5, 6, 7), *END]
    for order in TRIPLES:
        yield f"yield3_{order}", [*split(order), *yields(1, 2, 3), "BRA m", "b:", *yields(4, 5, 6), "BRA m",
                                  "c:", *yields(7, 8, 9), *END]
        start = [text.replace("BRA c", "BRA m") for text in split(order)]
        yield f"yield_beside_{order}", [*start, *yields(1, 2, 3), "BRA m", "b:", *yields(4, 5, 6), *END]
        three = [*split(order), "MARK 1", "BRA y", "b:", "MARK 2", "BRA y", "c:", "MARK 3"]
        yield f"yield_at_one_place_{order}", [*three, "y:", "YIELD", "MARK 4", "YIELD", "MARK 5",
                                              "BSYNC B1", "d:", "MARK 0"]
        leaves = ["BREAK B1", "MARK 8", "BRA f"]
        yield f"break_{order}", [*split(order), "MARK 1", "BRA m", "b:", *yields(2, 4), *leaves, "c:",
                                 *yields(3, 5), *[text.replace("8", "7") for text in leaves], *END, "f:", "NOP"]
        for kind in ("", ".EXCLUSIVE"):
            lanes = 0xFFFFFFFF & ~sides(order)["c"]
            start = [text.replace("0xffffffff", f"{lanes:#x}") for text in split(order)]
            yield f"warpsync{kind[:3].lower().replace('.', '_')}_{order}", [
                *start, "MARK 1", "BRA s", "b:", *yields(3, 4), "s:", f"WARPSYNC{kind} R5", "MARK 5", "BRA m",
                "c:", *yields(6, 7, 8), *END]


def of_places():
    """BSYNCs of one barrier at several places."""
    for order in PAIRS:
        yield f"places_{order}", [*split(order), "MARK 1", "BSYNC B1", "MARK 2", "BRA d", "b:", "MARK 5",
                                  "BSYNC B1", "MARK 6", "d:", "MARK 0"]
        sets = {"once": ([], []), "again": (["BSSY B3, x"], ["BSSY B3, x"]), "again_a": (["BSSY B3, m"], []),
                "again_b": ([], ["BSSY B3, bd"]), "other": (["BSSY B5, ad"], ["BSSY B5, bd"]),
                "moved": ([], ["BMOV.32.CLEAR R9, B3", "BMOV.32 B3, R9"])}
        for name, of_side in sets.items():
            a, b = ([*more, f"MARK {n}", "BSYNC B3", f"MARK {n + 1}", f"{side}d:", f"MARK {n + 2}"]
                    for side, more, n in zip("ab", of_side, (1, 4)))
            yield f"set_{name}_{order}", [*split(order, "BSSY B3, m"), *a, "BRA m", "b:", *b, "x:", *FAR]
        for name, first, own in (("each", [], True), ("once", ["BSSY B3, m"], False)):
            a, b = ([*([f"BSSY B3, {side}d"] if own else []),
                     *collective(side, [f"MARK {n}", "BSYNC B3", f"MARK {n + 1}", f"{side}d:", f"MARK {n + 2}"])]
                    for side, n in zip("ab", (1, 4)))
            yield f"collective_{name}_{order}", [*split(order, *first), *a, "BRA m", "b:", *b, *FAR]
    for order in TRIPLES:
        start = [*split(order), "MARK 1", "BSYNC B1", "MARK 2", "BRA d", "b:", "MARK 3", "BSYNC B1", "MARK 4"]
        yield f"places3_{order}", [*start, "BRA d", "c:", "MARK 5", "BSYNC B1", "MARK 6", "d:", "MARK 0"]
        yield f"turn_at_places_{order}", [*start, "BRA d", "c:", *yields(5, 6, 7, 8), "BSYNC B1", "MARK 9",
                                          "d:", "MARK 0"]
        yield f"turn_at_place_{order}", [*split(order), "MARK 1", "BRA m", "b:", "MARK 2", "BRA m", "c:",
                                         *yields(3, 6, 7, 8), *END]
        yield f"collective3_{order}", [
            *split(order), "MARK 1", *collective("a", ["MARK 4"]), "BRA m", "b:", "MARK 2",
            *collective("b", ["MARK 5"]), "BRA m", "c:", "MARK 3", *collective("c", ["MARK 6"]), *END]
    halves = [16, 8, 4, 2, 1]
    yield "halves", [*(f"ISETP.LT.U32.AND P{i}, PT, R0, {n:#x}, PT" for i, n in enumerate(halves)), "BSSY B1, d",
                     *(text for i in range(5) for text in (f"@!P{i} BRA m", f"MARK {i + 1}")), "m:", "MARK 6",
                     "BSYNC B1", "d:", "MARK 0"]


def of_four():
    """x and y meet in a collective operation while u waits at B2 and w at B4."""
    for order in map("".join, itertools.permutations("uwxy")):
        lanes = sides(order)
        x, y = (["BSSY B3, " + n + "d", *collective(n, ["BSYNC B3", n + "d:", f"MARK {mark}"])]
                for n, mark in (("a", 1), ("b", 2)))
        yield f"four_{order}", [
            *among(0, lanes["u"]), *among(1, lanes["w"]), *among(2, lanes["y"]),
            f"MOV R5, {lanes['x'] | lanes['y']:#x}", "BSSY B2, f", "@P0 BRA u", "BSSY B4, g", "@P1 BRA w",
            "BSSY B1, d", "@P2 BRA b", *x, "BRA m", "b:", *y, "m:", "BSYNC B1", "d:", "MARK 3", "w:", "BSYNC B4",
            "g:", "MARK 4", "u:", "BSYNC B2", "f:", "MARK 0"]


def jump(lanes, guard=""):
    """Lanes of the sides a, b and c jump to places 0x40 bytes apart; other lanes continue."""
    of_side = [text for i, side in enumerate("bc") if side in lanes
               for text in (*among(i + 1, lanes[side]), f"@P{i + 1} MOV R8, {0x40 * (i + 1):#x}")]
    return ["MOV R8, RZ", "MOV R9, RZ", *of_side, "BSSY B1, d", f"{guard}BRX R8 0x40", "MARK 4", "BRA m",
            *(text for n in (1, 2, 3) for text in (f"MARK {n}", "BRA m")), *END]


def neighbors(sizes):
    starts = itertools.accumulate(sizes, initial=0)
    return {side: (1 << size) - 1 << start for side, size, start in zip("abc", sizes, starts)}


def of_jumps():
    for order in PAIRS + TRIPLES:
        yield f"jump_{order}", jump(sides(order))
    for sizes in ((20, 6, 6), (6, 20, 6), (6, 6, 20), (16, 8, 8), (8, 16, 8), (8, 8, 16), (17, 15), (15, 17)):
        yield f"jump_{'_'.join(map(str, sizes))}", jump(neighbors(sizes))
    for sizes in ((8,), (16,), (24,), (8, 8), (4, 12), (12, 4), (12, 12), (4, 20), (20, 4)):
        lanes = neighbors(sizes)
        low = (1 << sum(sizes)) - 1
        name = "_".join(map(str, sizes))
        yield f"jump_below_{name}", [*among(3, low), *jump(lanes, "@P3 ")]
        above = {side: mask << 32 - sum(sizes) for side, mask in lanes.items()}
        yield f"jump_above_{name}", [*among(3, low << 32 - sum(sizes)), *jump(above, "@P3 ")]


def programs():
    yield from of_yield()
    yield from of_jumps()
    yield from of_places()
    yield from of_four()
