# SPDX-License-Identifier: Apache-2.0
"""Arguments and shapes of launches, made by rule for kernels that nobody launches here.

By the types that the name of a C++ kernel says: a pointer is a buffer, a whole number is N, a float is 1, a structure of
three words is a divider by N (multiplier 1, shift log2 N, N), as ggml has them, and any other structure is zeros.
Without types, 8 bytes are a pointer and 4 a whole number. Buffers have `values` that are small and not zero, read as
halves, as floats or as bytes of quantised blocks, but those of whole numbers, which may be places, have zeros.
"""
import random
from collections import namedtuple

# of a launch: blocks, threads per block, N, whether buffers have values, and a factor for the instruction limit
Shape = namedtuple("Shape", "grid block number values patience")
WHOLE = ("int", "unsigned int", "long", "unsigned long", "long long", "unsigned long long", "short", "unsigned short")


def shapes(bound):
    """Shapes to try in turn for a kernel of at most `bound` threads; 0: unknown."""
    blocks = ["32,4", "256", "32"]
    if bound:
        blocks = list(dict.fromkeys([f"32,{bound // 32}" if bound % 32 == 0 and bound > 32 else str(bound), str(bound)]))
    small = [Shape("2", block, number, values, patience) for number, patience in ((256, 1), (32, 1), (16, 40))
             for block in blocks for values in (True, False)]
    return [*small, *(Shape("2,32", block, 32, True, 1) for block in blocks)]  # kernels that divide dimension 2 by N


def contents(size):
    """Bytes that are 0.125 to 2 in size as halves, of both signs, and at most 2 as floats."""
    repeat = lambda bits: int.from_bytes(bits.to_bytes(2, "little") * (size // 2), "little")
    bits = int.from_bytes(random.Random(1).randbytes(size // 2 * 2), "little") & repeat(0x8FFF) | repeat(0x3000)
    return bits.to_bytes(size // 2 * 2, "little")


def types_of(demangled):
    """The types of a kernel's arguments, from its name; none if the name does not say."""
    if not demangled.endswith(")"):
        return []
    depth = 0
    for first in range(len(demangled) - 1, -1, -1):  # the parenthesis that the last one closes
        depth += (demangled[first] == ")") - (demangled[first] == "(")
        if depth == 0:
            break
    types, inner = [""], demangled[first + 1:-1]
    for letter in inner:
        depth += (letter in "<([") - (letter in ">])")
        if letter == "," and depth == 0:
            types.append("")
        else:
            types[-1] += letter
    return [its.strip() for its in types]


def is_pointer(its):
    return its.endswith(("*", "&"))


def arguments(demangled, sizes, shape, size_of_buffer):
    """Each argument in the form of `run --arg`, but with bytes:HEX instead of a file, and values:SIZE for a buffer of
    `contents`; and the indices of the buffers that the kernel may write."""
    types = types_of(demangled)
    typed = len(types) == len(sizes)
    if not typed:
        types = ["*" if size == 8 else "" for size in sizes]
    made, written = [], []
    for place, (its, size) in enumerate(zip(types, sizes)):
        if is_pointer(its):
            pointed = its[:-1].strip().removesuffix(" const")
            values = shape.values and pointed not in WHOLE and not is_pointer(pointed)
            made.append(f"values:{size_of_buffer}" if values else f"fill:{size_of_buffer}:00")
            written += [place] if typed and not its[:-1].rstrip().endswith("const") else []
        elif its == "float" and size == 4:
            made.append("f32:1.0")
        elif size in (4, 8):
            made.append(f"u{8 * size}:{shape.number}")
        elif size == 12:
            words = (1, shape.number.bit_length() - 1, shape.number)
            made.append("bytes:" + b"".join(word.to_bytes(4, "little") for word in words).hex())
        else:
            made.append("bytes:" + bytes(size).hex())
    return made, written
