# SPDX-License-Identifier: Apache-2.0
"""What a listing says of each kernel: that its region is straight, and its shared patterns."""
import re

FUNCTION = re.compile(r"Function : (\S+)")
LINE = re.compile(r"\s+/\*[0-9a-f]{4,5}\*/\s+(.*?)\s*;")
ADDRESS = re.compile(r"\b(?:LDS|STS)\S* .*?\[(R\d+)?[^\]]*?(?:0x([0-9a-f]+))?\]")
JUMPS = ("BRA ", "CALL", "RET", "BRX", "JMP", "WARPSYNC.COLLECTIVE")
PAGE = 4096  # as frame.cuh has it


def regions(text):
    """The instructions between the two clock reads of each kernel, by kernel."""
    kernels, clocks, name = {}, 0, None
    for line in text.splitlines():
        function = FUNCTION.search(line)
        if function:
            name, clocks = function[1], 0
            kernels[name] = []
            continue
        found = LINE.match(line)
        if not found or name is None:
            continue
        clocks += "SR_CLOCKLO" in found[1]
        if clocks == 1:
            kernels[name].append(found[1])
    return kernels


def is_straight(region):
    return not any(jump in text for text in region for jump in JUMPS)


def patterns(region):
    """Pattern of each address register: its stride is in the page of the immediate."""
    result = {}
    for text in region:
        found = ADDRESS.search(text)
        if not found or found[1] is None:
            continue
        stride = 1 << (int(found[2] or "0", 16) // PAGE)
        if result.setdefault(found[1], stride) != stride:
            raise ValueError(f"{found[1]} holds addresses of two patterns")
    return {register: "row" if stride == 1 else f"stride{stride}"
            for register, stride in sorted(result.items())}
