# SPDX-License-Identifier: Apache-2.0
"""What `measure` and `compare` have in common: the kernels, and the memory of the tensors."""
import ctypes
import re

DATA = 1 << 22  # bytes that the tensors of loads are in
STORED, ROOM = 12288, 16384  # bytes that the tensor of a store is in; these and what is behind it


def data_words():
    """The memory of the tensors: word i is a hash of i."""
    words = (ctypes.c_uint32 * (DATA // 4))()
    state = 1
    for i in range(len(words)):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        words[i] = state ^ state >> 15
    return words


def kernels_of(source):
    """The kernels that a file's macros make, in the order of its text."""
    return re.findall(r"^(?:PRODUCTS|OF_WARP|OF_DOUBLES)\((?!NAME)(\w+)", source.read_text(encoding="utf-8"), re.MULTILINE)
