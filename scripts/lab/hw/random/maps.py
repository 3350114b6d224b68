# SPDX-License-Identifier: Apache-2.0
"""Random tensor maps: the driver's arguments, and the same as `shflsim run --arg map:` takes them."""
import ctypes
import random
import struct

# The driver's types, in its order, and their bytes.
TYPES = ("u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f64", "bf16", "f32ftz", "tf32", "tf32ftz")
BYTES = (1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4)
FIRST_FLOAT = 6
SWIZZLES = (0, 32, 64, 128)
PROMOTIONS = (0, 64, 128, 256)
MOST_SIZE = 1 << 32
MOST_STRIDE = 1 << 40


def any_number(draw, most):
    """A number from 1 to `most`: small and large ones equally often, and powers of two."""
    bits = draw.randint(0, most.bit_length() - 1)
    return min(most, draw.choice((1 << bits, draw.randint(1, most >> bits))))


class RandomMap:
    """The arguments of cuTensorMapEncodeTiled or Im2col, of a tensor of any size."""

    def __init__(self, draw):
        self.bent = []
        self.im2col = draw.random() < 0.3
        self.interleave = draw.choice((0, 0, 0, 1, 2))
        self.type = draw.randrange(len(TYPES))
        self.swizzle = 1 if self.interleave == 2 else draw.randrange(4)
        self.promotion = draw.randrange(4)
        self.fill = int(self.type >= FIRST_FLOAT and draw.random() < 0.4)
        self.rank = draw.randint(3 if self.im2col or self.interleave else 1, 5)
        self.draw_sizes(draw)

    @property
    def size(self):
        return BYTES[self.type]

    @property
    def unit(self):
        """What addresses and strides are multiples of, bytes."""
        return 32 if self.interleave == 2 else 16

    def inner(self, draw):
        """Elements of a row of a box."""
        if self.interleave:
            return draw.randint(1, 256)
        pieces = min(256 * self.size, SWIZZLES[self.swizzle] or 4096) // 16
        return min(256, draw.randint(1, pieces) * 16 // self.size)

    def draw_sizes(self, draw):
        rank, spatial = self.rank, self.rank - 2
        self.address = any_number(draw, (1 << 48) // self.unit - 1) * self.unit
        self.sizes = [any_number(draw, MOST_SIZE) for _ in range(rank)]
        self.strides = [any_number(draw, MOST_STRIDE // self.unit - 1) * self.unit for _ in range(rank - 1)]
        self.steps = [draw.choice((1, 1, draw.randint(1, 8))) for _ in range(rank)]
        self.box = [self.inner(draw)] + [draw.choice((draw.randint(1, 8), draw.randint(1, 256))) for _ in range(rank - 1)]
        self.channels, self.pixels = self.box[0], any_number(draw, 1024)
        if self.im2col:
            limit = 1 << (16 // spatial - 1)
            self.lower = [draw.randint(-limit, limit - 1) for _ in range(spatial)]
            self.upper = [draw.randint(-limit, limit - 1) for _ in range(spatial)]

    def bend(self, draw):
        """Moves one argument to a limit or beyond it."""
        bends = [self.bend_address, self.bend_size, self.bend_box, self.bend_step, self.bend_swizzle, self.bend_layout,
                 self.bend_fill, self.bend_rank]
        bends += [self.bend_stride] * (self.rank > 1) + [self.bend_corner] * 2 * self.im2col
        bend = draw.choice(bends)
        self.bent.append(bend.__name__[5:])
        bend(draw)

    def bend_address(self, draw):
        self.address = draw.choice((self.address + draw.choice((1, 2, 4, 8)), self.address + 16, 0,
                                    draw.choice((47, 48, 49, 56, 57, 63)), (1 << 64) - 64))
        if self.address in (47, 48, 49, 56, 57, 63):
            self.address = 1 << self.address

    def bend_size(self, draw):
        self.sizes[draw.randrange(self.rank)] = draw.choice((0, 1, MOST_SIZE - 1, MOST_SIZE, MOST_SIZE + 1, MOST_SIZE << 8))

    def bend_stride(self, draw):
        at = draw.randrange(self.rank - 1)
        self.strides[at] = draw.choice((0, 16, 32, 48, self.strides[at] + 8, self.strides[at] + 16, MOST_STRIDE - 16,
                                        MOST_STRIDE - 32, MOST_STRIDE, 3 * MOST_STRIDE))

    def bend_box(self, draw):
        if self.im2col and draw.random() < 0.5:
            self.pixels = draw.choice((0, 1, 255, 256, 257, 1023, 1024, 1025, 4096, 65536, 65537))
        elif self.im2col:
            self.channels = draw.choice((0, 1, 8, 255, 256, 257, self.channels + 1, self.channels + 16))
        elif draw.random() < 0.5:
            self.box[0] = draw.choice((0, 1, 4, 8, 255, 256, 257, self.box[0] + 1, self.box[0] + 16))
        else:
            self.box = [self.box[0]] + [draw.choice((0, 1, 255, 256, 257, 256, 256)) for _ in self.box[1:]]

    def bend_step(self, draw):
        self.steps[draw.randrange(self.rank)] = draw.choice((0, 7, 8, 9, 16))

    def bend_swizzle(self, draw):
        self.swizzle = draw.randrange(4)

    def bend_layout(self, draw):
        self.interleave = draw.randrange(3)

    def bend_fill(self, draw):
        self.fill, self.type = draw.choice(((1, self.type), (1, draw.randrange(len(TYPES))), (0, draw.randrange(len(TYPES)))))

    def bend_rank(self, draw):
        """One dimension less, or more."""
        rank = self.rank + draw.choice((-1, 1))
        spatial = rank - 2
        if rank < 1 or (self.im2col and rank < 2):
            return
        self.rank = rank
        for values in (self.sizes, self.steps, self.box):
            values[:] = (values + [1])[:rank]
        self.strides = (self.strides + [MOST_STRIDE // 2])[:rank - 1]
        if self.im2col:
            self.lower, self.upper = (self.lower + [0])[:spatial], (self.upper + [0])[:spatial]

    def bend_corner(self, draw):
        limit = 1 << (16 // (self.rank - 2) - 1) if self.rank > 2 else 1
        for values in (self.lower, self.upper):
            if values:
                values[draw.randrange(len(values))] = draw.choice((-limit - 1, -limit, 0, limit - 1, limit, limit + 1, 2 * limit))

    def encode(self, library):
        """The 128 bytes that the driver makes, or None where it refuses."""
        room = (ctypes.c_ubyte * 192)()
        at = -ctypes.addressof(room) % 64
        numbers = lambda kind, values: (kind * 8)(*values)
        common = (ctypes.byref(room, at), self.type, self.rank, ctypes.c_uint64(self.address),
                  numbers(ctypes.c_uint64, self.sizes), numbers(ctypes.c_uint64, self.strides))
        steps = numbers(ctypes.c_uint32, self.steps)
        rest = (self.interleave, self.swizzle, self.promotion, self.fill)
        if self.im2col:
            done = library.cuTensorMapEncodeIm2col(*common, numbers(ctypes.c_int, self.lower), numbers(ctypes.c_int, self.upper),
                                                   self.channels, self.pixels, steps, *rest)
        else:
            done = library.cuTensorMapEncodeTiled(*common, numbers(ctypes.c_uint32, self.box), steps, *rest)
        return None if done else bytes(room[at:at + 128])

    def option(self):
        """The argument of `shflsim run` that makes the same map."""
        text = lambda numbers: "x".join(map(str, numbers))
        box = (self.channels, self.pixels) if self.im2col else self.box
        parts = [f"map:0x{self.address:x}", TYPES[self.type], text(self.sizes), text(self.strides) or "packed", text(box),
                 SWIZZLES[self.swizzle], f"steps={text(self.steps)}", f"interleave={16 * self.interleave}",
                 f"fill={'nan' if self.fill else 'zero'}", f"promotion={PROMOTIONS[self.promotion]}"]
        if self.im2col:
            parts.append(f"im2col={text(self.lower)}:{text(self.upper)}")
        return ";".join(map(str, parts))


class Box:
    """Where a load or a store begins, and how many bytes it has."""

    def __init__(self, draw, a_map, least):
        """`least`: the smallest coordinate that may occur, 0 for stores."""
        m = a_map
        first = 1 if m.interleave == 0 else 0  # of the dimensions along which rows go
        row = 16 // m.size
        if m.im2col:
            self.at = [0] * first + [draw.randint(max(least, low), max(least, low, n - 1 + up))
                                     for low, up, n in zip(m.lower, m.upper, m.sizes[first:])]
            self.at += [draw.randint(max(least, -1), n) for n in m.sizes[-2:-1] if m.interleave] + [draw.randrange(m.sizes[-1])]
            rows = m.pixels
        else:
            self.at = [draw.randint(max(least, -3), n + 1) for n in m.sizes]
            rows = 1
            for place, (n, step) in enumerate(zip(m.box, m.steps)):
                if place >= first and not (m.interleave and place == m.rank - 2):
                    rows *= (n + step - 1) // step
        if first == 1:
            self.at[0] = row * draw.randint(0 if m.im2col or least == 0 else -1, max(0, m.sizes[0] // row))
        self.offsets = [draw.randint(0, 2) for _ in range(m.rank - 2)] if m.im2col else []
        pixel = 16 * m.interleave
        bytes_of_row = pixel or m.box[0] * m.size
        self.bytes = rows * bytes_of_row
        self.span = rows * (pixel or max(bytes_of_row, SWIZZLES[m.swizzle]))


class SmallMap(RandomMap):
    """A map of a tensor in a buffer at `base`, with a box of at most 16 KiB."""

    def __init__(self, draw, base, room, most):
        """The tensor stays below `room` bytes; `most`: of its sizes but the first."""
        self.base, self.room, self.most = base, room, most
        super().__init__(draw)

    def draw_sizes(self, draw):
        rank, spatial, pixel = self.rank, self.rank - 2, 16 * self.interleave
        inner = self.inner(draw) if draw.random() < 0.7 else 16 // self.size * draw.randint(1, 2)
        if self.swizzle and not self.interleave:
            inner = min(inner, SWIZZLES[self.swizzle] // self.size)
        self.sizes = [draw.randint(1, 3 * inner)] + [draw.randint(1, self.most) for _ in range(rank - 1)]
        stride, self.strides = (pixel or self.size) * self.sizes[0], []
        for n in self.sizes[1:]:
            stride = (stride + self.unit - 1) // self.unit * self.unit + self.unit * draw.choice((0, 0, 0, 1, 2))
            self.strides.append(stride)
            stride *= n
        self.end = stride
        self.offset = self.unit * draw.randrange(64)
        self.address = self.base + self.offset
        self.steps = [draw.choice((1, 1, 1, 2, 3)) if self.interleave else 1]
        self.steps += [draw.choice((1, 1, 1, 1, 2, 3)) for _ in range(rank - 1)]
        self.box = [inner] + [draw.randint(1, 7) for _ in range(rank - 1)]
        self.channels, self.pixels = inner, draw.randint(1, 60)
        if self.im2col:
            self.lower = [draw.randint(-2, 2) for _ in range(spatial)]
            self.upper = [draw.randint(-2, 2) for _ in range(spatial)]
            self.steps[-1] = 1

    def fits(self):
        # Boxes may reach a little beyond the tensor, where stores fill 16 bytes.
        return self.offset + self.end + 64 <= self.room


SHARED = 16384  # bytes of a box
OPERATIONS = ("store", "add", "min", "max", "inc", "dec", "and", "or", "xor")


def operations_of(type_):
    """What reductions of this type are defined."""
    kind = TYPES[type_]
    if kind in ("u8", "u16"):
        return ()
    if kind in ("f32", "f64", "f32ftz", "tf32", "tf32ftz"):
        return (1,)
    if kind in ("f16", "bf16"):
        return (1, 2, 3)
    if kind == "s64":  # an H200 stops at the others with "illegal instruction"
        return (2, 3)
    return (1, 2, 3, 4, 5, 6, 7, 8) if kind == "u32" else (1, 2, 3, 6, 7, 8)


def place_of(a_map, box, operation=0):
    """As the kernels of boxes.cu read it."""
    offsets = sum(o << (8 * i) for i, o in enumerate(box.offsets))
    kind = a_map.rank | int(a_map.im2col) << 8 | operation << 12
    return struct.pack("<8i", kind, box.bytes, *(box.at + [0] * (5 - a_map.rank)), offsets)


def drawing(seed, what, index):
    return random.Random(f"{seed} {what} {index}")


def load(seed, index, base, room):
    """A map and the box that is loaded through it."""
    draw = drawing(seed, "load", index)
    while True:
        a_map = SmallMap(draw, base, room, 14)
        box = Box(draw, a_map, -3)
        if a_map.fits() and box.span <= SHARED:
            return a_map, box


def is_target(a_map):
    """False for maps at which an H200 stops with "illegal instruction"."""
    return not a_map.im2col or min(a_map.lower) >= 0 >= max(a_map.upper)


def store(seed, index, base, room):
    """A map, the box that is stored or added through it, and the operation."""
    draw = drawing(seed, "store", index)
    while True:
        a_map = SmallMap(draw, base, room, 6)
        box = Box(draw, a_map, 0)
        if a_map.fits() and is_target(a_map) and box.span <= SHARED:
            return a_map, box, draw.choice((0, *operations_of(a_map.type)))


def any_map(seed, index):
    """A map of any sizes, of which three of four are bent."""
    draw = drawing(seed, "any", index)
    a_map = RandomMap(draw)
    for _ in range((0, 1, 1, 2)[index % 4]):
        a_map.bend(draw)
    return a_map
