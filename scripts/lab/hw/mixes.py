# SPDX-License-Identifier: Apache-2.0
"""Random instruction mixes from a seed: CUDA text of kernels with 160 to 224 operations each."""
import random

FLOAT = ("fadd", "ffma", "fmul", "fmax")
INTEGER = ("iadd", "imad", "xor", "shift", "lea", "umin")
SHUFFLE = ("up", "down", "exchange", "lane")
MEMORY = ("load", "store", "wide_load")
KINDS = {
    "arith": (FLOAT, INTEGER),
    "mufu": (("ffma", "fadd"), ("iadd",), ("exp2",), ("up", "down", "exchange")),
    "mixed": (("ffma", "fadd"), ("iadd", "xor"), SHUFFLE, ("load", "store")),
    "mio": (SHUFFLE, MEMORY),
}
SHARE = {"arith": 19, "mufu": 8, "mixed": 15, "mio": 6}
VALUES = 16


def statement(draw, name):
    """An operation on random values of the frame's State."""
    a, b, c, d = (draw.randrange(VALUES) for _ in range(4))
    step = 1 << draw.randrange(5)
    row = 128 * draw.randrange(8)
    return {
        "fadd": f"s.f[{d}] = s.f[{a}] + s.f[{b}];",
        "ffma": f"s.f[{d}] = fmaf(s.f[{a}], s.f[{b}], s.f[{c}]);",
        "fmul": f"s.f[{d}] = s.f[{a}] * s.f[{b}];",
        "fmax": f"s.f[{d}] = fmaxf(s.f[{a}], s.f[{b}]);",
        "iadd": f"s.u[{d}] = s.u[{a}] + s.u[{b}];",
        "imad": f"s.u[{d}] = s.u[{a}] * s.u[{b}] + s.u[{c}];",
        "xor": f"s.u[{d}] = s.u[{a}] ^ s.u[{b}];",
        "shift": f"s.u[{d}] = s.u[{a}] << {1 + draw.randrange(7)};",
        "lea": f"s.u[{d}] = s.u[{a}] + (s.u[{b}] << {1 + draw.randrange(7)});",
        "umin": f"s.u[{d}] = s.u[{a}] < s.u[{b}] ? s.u[{a}] : s.u[{c}];",
        "up": f"s.u[{d}] = from_up(s.u[{a}], {step}u);",
        "down": f"s.f[{d}] = from_down(s.f[{a}], {step}u);",
        "exchange": f"s.f[{d}] = from_xor(s.f[{a}], {step}u);",
        "lane": f"s.u[{d}] = from_lane(s.u[{a}], s.u[{b}]);",
        "load": f"s.u[{d}] = load<{row}>(row);",
        "store": f"store<{row}>(row, s.u[{a}]);",
        "wide_load": f"s.u[{d}] = load<{row // 2}, 2>(wide);",
        "exp2": f"s.f[{d}] = exp2_fast(s.f[{a}]);",
    }[name]


def body(draw, kind):
    """Random operations of a subset of the kind's operations, which have random weights."""
    groups = KINDS[kind]
    if kind == "arith" and draw.random() < 0.4:
        groups = (draw.choice(groups),)
    names = [name for group in groups
             for name in draw.sample(group, draw.randint(max(1, len(group) - 2), len(group)))]
    weights = [draw.choice((1, 1, 2, 4)) for _ in names]
    chosen = draw.choices(names, weights, k=draw.randint(160, 224))
    return [statement(draw, name) for name in chosen]


def source(count, seed):
    """The CUDA text of `count` mixes."""
    draw = random.Random(seed)
    text = ['#include "frame.cuh"', "namespace bodies {"]
    names = []
    for i in range(count):
        kind = draw.choices(list(SHARE), SHARE.values())[0]
        names.append(f"mix{seed}_{i:02d}_{kind}")
        text += [f"BODY({names[-1]}) {{", "[[maybe_unused]] const unsigned row = lane_address(s);",
                 "[[maybe_unused]] const unsigned wide = lane_address<2>(s);",
                 *body(draw, kind), "}", "END_BODY"]
    text.append("}  // namespace bodies")
    text += [f"PLACED({name})" for name in names]
    return "\n".join(text) + "\n"
