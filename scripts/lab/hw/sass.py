# SPDX-License-Identifier: Apache-2.0
"""Facts about the kernels of a listing: whether a region is straight, its jumps, its patterns."""
import re

FUNCTION = re.compile(r"Function : (\S+)")
LINE = re.compile(r"\s+/\*[0-9a-f]{4,5}\*/\s+(.*?)\s*;")
WORDS = re.compile(r"\s+/\*[0-9a-f]{4,5}\*/\s+(.*?)\s*;\s+/\* 0x([0-9a-f]{16}) \*/\n"
                   r"\s+/\* 0x([0-9a-f]{16}) \*/")
GUARDED_JUMP = re.compile(r"@!?P\d BRA 0x[0-9a-f]+$")
GUARD = 0x7000  # guard of the first word; all bits set: PT, always
ADDRESS = re.compile(r"\b(?:LDS|STS)\S* .*?\[(R\d+)?[^\]]*?(?:0x([0-9a-f]+))?\]")
JUMPS = ("BRA ", "CALL", "RET", "BRX", "JMP", "WARPSYNC.COLLECTIVE")
PAGE = 4096  # as in frame.cuh


def regions(text):
    """The instructions between the two clock reads of each kernel."""
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
    jumps = [text for text in region if any(jump in text for jump in JUMPS)]
    return all(text.startswith("BRA 0x") for text in jumps)


def unguarded(image, text, kernels):
    """The image, with unconditional jumps in the regions of `kernels`."""
    parts = FUNCTION.split(text)
    for name, body in zip(parts[1::2], parts[2::2]):
        if name not in kernels:
            continue
        code = [(words[1], bytes.fromhex(words[2])[::-1], bytes.fromhex(words[3])[::-1])
                for words in WORDS.finditer(body)]
        clocks = [i for i, line in enumerate(code) if "SR_CLOCKLO" in line[0]]
        at = image.index(b"".join(low + high for _, low, high in code))
        for i in range(clocks[0], clocks[1]):
            if GUARDED_JUMP.match(code[i][0]):
                low = int.from_bytes(code[i][1], "little") & ~0x8000 | GUARD
                image = image[:at + 16 * i] + low.to_bytes(8, "little") + image[at + 16 * i + 8:]
    return image


def ended(image, text):
    """The image, with an EXIT in place of the first store behind the regions' loop in each kernel."""
    parts = FUNCTION.split(text)
    for body in parts[2::2]:
        code = [(words[1], bytes.fromhex(words[2])[::-1] + bytes.fromhex(words[3])[::-1]) for words in WORDS.finditer(body)]
        at = image.index(b"".join(word for _, word in code))
        end = next(i for i, (line, _) in enumerate(code) if line == "EXIT")
        loop = max(i for i, (line, _) in enumerate(code[:end]) if "BRA" in line)
        first = at + 16 * next(i for i in range(loop, end) if code[i][0].startswith("STG"))
        image = image[:first] + code[end][1] + image[first + 16:]
    return image


def patterns(region):
    """The pattern of each address register: the page of the immediate gives its stride."""
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
