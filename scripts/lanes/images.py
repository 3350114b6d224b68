# SPDX-License-Identifier: Apache-2.0
"""The images of a fat binary: the code of a program or library for each architecture and source file."""
import ctypes
import mmap
import struct
from collections import namedtuple

MAGIC = b"\x50\xed\x55\xba\x01\x00"  # 0xba55ed50, version 1
KINDS = {1: "compute", 2: "sm"}
LZ4, ZSTD = 0x2000, 0x8000  # flags of an entry

# `source` counts the fat binaries of the file, one per source file; `arch` as --arch takes it
Image = namedtuple("Image", "source arch data")


def unpacked(flags, data, size):
    """The decompressed bytes of an entry."""
    out = ctypes.create_string_buffer(size)
    if flags & LZ4:
        made = ctypes.CDLL("liblz4.so.1").LZ4_decompress_safe(data, out, len(data), size)
    else:
        library = ctypes.CDLL("libzstd.so.1")
        library.ZSTD_decompress.restype = ctypes.c_size_t
        made = library.ZSTD_decompress(out, ctypes.c_size_t(size), data, ctypes.c_size_t(len(data)))
    if made != size:
        raise ValueError(f"compressed code that is damaged; expected {size} bytes of it")
    return out.raw


def entries(text, at, end, source, arch):
    while at + 64 <= end:
        kind, _, header, padded, packed = struct.unpack_from("<HHIQI", text, at)
        sm, flags, size = *struct.unpack_from("<I", text, at + 28), *struct.unpack_from("<Q8xQ", text, at + 40)
        name = f"{KINDS.get(kind)}_{sm}"
        if kind in KINDS and arch in ("", name):
            first = at + header
            if flags & (LZ4 | ZSTD):
                data = unpacked(flags, text[first:first + packed], size)
            else:
                data = text[first:first + padded]
            yield Image(source, name, data.rstrip(b"\0") if kind == 1 else data)
        at += header + padded


def images_of(path, arch=""):
    """All images of the file, or those of one architecture; none for a file without a fat binary."""
    if path.stat().st_size < 64:
        return
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as text:
        at, source = text.find(MAGIC), 0
        while at >= 0:
            header, body = struct.unpack_from("<HQ", text, at + 6)
            first = at + header
            if first + body <= len(text):
                yield from entries(text, first, first + body, source, arch)
                source += 1
                at = text.find(MAGIC, first + body)
            else:
                at = text.find(MAGIC, at + 1)


def launch_bounds(cubin):
    """Most threads of a block, by kernel, for kernels with __launch_bounds__."""
    if cubin[:4] != b"\x7fELF":
        return {}
    table, = struct.unpack_from("<Q", cubin, 40)
    size, count, names = struct.unpack_from("<HHH", cubin, 58)
    sections = [struct.unpack_from("<II8xQQQ", cubin, table + place * size) for place in range(count)]
    found = {}
    for name, _, _, at, length in sections:
        first = sections[names][3] + name
        title = cubin[first:cubin.index(b"\0", first)].decode()
        if title.startswith(".nv.info."):
            threads = most_threads(cubin[at:at + length])
            if threads:
                found[title.removeprefix(".nv.info.")] = threads
    return found


def most_threads(info):
    """EIATTR_MAX_THREADS of a kernel's attributes, the product of three words."""
    at = 0
    while at + 4 <= len(info):
        form, attribute, size = struct.unpack_from("<BBH", info, at)
        if (form, attribute, size) == (4, 5, 12):
            x, y, z = struct.unpack_from("<III", info, at + 4)
            return x * y * z
        at += 4 + (size if form == 4 else 0)
    return 0
