# SPDX-License-Identifier: Apache-2.0
"""The memory of the tensors of random tensor maps."""
import ctypes

DATA = 1 << 22  # bytes


def data_words():
    """The memory of the tensor: word i is a hash of i."""
    words = (ctypes.c_uint32 * (DATA // 4))()
    state = 1
    for i in range(len(words)):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        words[i] = state ^ state >> 15
    return words
