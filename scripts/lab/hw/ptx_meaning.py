# SPDX-License-Identifier: Apache-2.0
"""What kernels of `divergence` compute by the rules of PTX, without a compiler: a lane waits at a
.sync operation until all lanes of its membermask that have not ended wait with the same membermask
at the same operation. Knows what `divergence` writes; calls are inlined."""
import re

ALL = 0xFFFFFFFF
LANES, WARPS, THREADS = 32, 32, 256
SYNC = ("shfl.sync", "vote.sync", "match.", "redux.sync", "bar.warp")


def signed(x):
    return x - (1 << 32) if x & 0x80000000 else x


RESULTS = {"mov": lambda a: a, "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
           "mad": lambda a, b, c: a * b + c, "and": lambda a, b: a & b, "or": lambda a, b: a | b,
           "xor": lambda a, b: a ^ b, "not": lambda a: ~a, "shr": lambda a, b: a >> b if b < 32 else 0,
           "min": min, "max": lambda a, b: max(a, b, key=signed), "selp": lambda a, b, p: a if p else b}
COMPARISONS = {"lt": lambda a, b: a < b, "ge": lambda a, b: a >= b, "eq": lambda a, b: a == b,
               "ne": lambda a, b: a != b}
REDUCTIONS = {"add": lambda a, b: (a + b) & ALL, "and": lambda a, b: a & b, "or": lambda a, b: a | b,
              "xor": lambda a, b: a ^ b, "min": lambda a, b: min(a, b, key=signed), "max": max}


def body_of(text, head):
    start = text.index("{", text.index(head)) + 1
    return [line.strip().rstrip(";") for line in text[start:text.index("\n}", start)].split("\n")]


def inlined(text, call, site):
    """The lines of a function of two parameters with one result, with names of the call's own."""
    result, name, first, second = re.fullmatch(r"call \((.*)\), (\w+), \((.*), (.*)\)", call).groups()
    own = {"result": result, "value": f"%value{site}", "mask": f"%mask{site}"}
    yield f"mov.b32 {own['value']}, {first}"
    yield f"mov.b32 {own['mask']}, {second}"
    for line in body_of(text, f".func (.reg .b32 result) {name}("):
        if line.startswith("."):
            continue
        line = re.sub(r"\b(result|value|mask)\b", lambda each: own[each.group()], line)
        line = re.sub(r"%(p|few|lane)\b", rf"%\1_{site}", line)
        line = re.sub(r"\b(ODD|END)\b", rf"\1_{site}", line)
        yield f"bra RET_{site}" if line == "ret" else line
    yield f"RET_{site}:"


class Kernel:
    """Statements as (guard, operation, operands), the places of labels, and labels of tables."""

    def __init__(self, text, name):
        self.statements, self.labels, self.tables = [], {}, {}
        for number, line in enumerate(body_of(text, f".entry {name}(")):
            for each in inlined(text, line, number) if line.startswith("call ") else [line]:
                self.add(each)

    def add(self, line):
        table = re.fullmatch(r"(\w+): \.branchtargets (.*)", line)
        if table:
            self.tables[table[1]] = table[2].split(", ")
        elif line.endswith(":"):
            self.labels[line[:-1]] = len(self.statements)
        elif line and not line.startswith("."):
            guard, statement = re.fullmatch(r"(?:@(!?%\w+) )?(.*)", line).groups()
            operation, _, operands = statement.partition(" ")
            self.statements.append((guard, operation, [each.strip() for each in operands.split(",")]))


class Lane:
    def __init__(self, kernel, lane, warp, given, out):
        self.kernel, self.given, self.out = kernel, given, out
        self.place, self.ended, self.waits = 0, False, None  # waits: operation and membermask
        thread = warp % (THREADS // LANES) * LANES + lane
        self.index = warp // (THREADS // LANES) * THREADS + thread
        self.values = {"%laneid": lane, "%tid.x": thread, "%ctaid.x": warp * LANES // THREADS}

    def value(self, operand):
        return self.values[operand] if operand[0] == "%" else int(operand, 0) & ALL

    def operands(self):
        return self.kernel.statements[self.place][2]

    def holds(self, guard):
        return guard is None or bool(self.values[guard.lstrip("!")]) != guard.startswith("!")

    def run(self):
        """Up to the next .sync operation, or the end."""
        self.waits = None
        while not self.ended and self.waits is None:
            guard, operation, operands = self.kernel.statements[self.place]
            if self.holds(guard) and operation.startswith(SYNC):
                self.waits = operation, self.value(operands[-1])
                return
            self.place += 1
            if self.holds(guard):
                self.execute(operation.split("."), operands)

    def execute(self, words, operands):
        if words[0] == "ret":
            self.ended = True
        elif words[0] == "bra":
            self.place = self.kernel.labels[operands[0]]
        elif words[0] == "brx":
            self.place = self.kernel.labels[self.kernel.tables[operands[1]][self.value(operands[0])]]
        elif words[0] == "st":
            self.out[self.index] = self.value(operands[1])
        elif words[:2] == ["ld", "global"]:
            self.values[operands[0]] = self.given[self.index]
        elif words[-1] != "u64" and words[1] != "wide":  # not of an address
            sources = [self.value(each) for each in operands[1:]]
            if words[0] == "setp":
                kind = signed if words[2] == "s32" else int
                result = COMPARISONS[words[1]](*map(kind, sources))
            else:
                result = RESULTS[words[0]](*sources)
            self.values[operands[0]] = int(result) & ALL


def shuffled(mode, lane, other, limits):
    """The lane that is read, and whether it is in range."""
    segment, clamp = limits >> 8 & 31, limits & 31
    first, last = lane & segment, (lane & segment) | (clamp & ~segment)
    source = {"up": lane - other, "down": lane + other, "bfly": lane ^ other,
              "idx": first | (other & ~segment)}[mode]
    inside = source >= last if mode == "up" else source <= last
    return (source, inside) if inside else (lane, inside)


def results(operation, members):
    """What the operation gives each member, as pairs of a register and a value."""
    words = operation.split(".")
    sources = {lane: [each.value(x) for x in each.operands()[1:]] for lane, each in members.items()}
    first = {lane: each[0] for lane, each in sources.items()} if words[0] != "bar" else {}
    target = {lane: each.operands()[0] for lane, each in members.items()}
    if words[0] == "shfl":
        for lane, (_, other, limits, _) in sources.items():
            source, inside = shuffled(words[2], lane, other & 31, limits)
            register, _, predicate = target[lane].partition("|")
            yield lane, register, first.get(source, 0)
            yield lane, predicate, int(inside)
        return
    if words[0] == "vote":
        true = sum(1 << lane for lane, value in first.items() if value)
        every = all(first.values())
        common = {"ballot": true, "any": int(true != 0), "all": int(every), "uni": int(every or true == 0)}[words[2]]
    elif words[0] == "redux":
        common = None
        for value in first.values():
            common = value if common is None else REDUCTIONS[words[2]](common, value)
    for lane, value in first.items():
        if words[0] == "match":
            common = sum(1 << other for other, its in first.items() if its == value)
            common = 0 if words[1] == "all" and len(set(first.values())) > 1 else common
        yield lane, target[lane], common


def run_warp(lanes):
    """False where lanes wait for ever."""
    for each in lanes:
        each.run()
    while any(not each.ended for each in lanes):
        moved = False
        for each in lanes:
            if each.ended:
                continue
            operation, mask = each.waits
            members = {i: other for i, other in enumerate(lanes) if mask >> i & 1 and not other.ended}
            if any(other.waits != each.waits for other in members.values()):
                continue
            for lane, register, value in list(results(operation, members)):
                lanes[lane].values[register] = value
            for other in members.values():
                other.place += 1
                other.run()
            moved = True
        if not moved:
            return False
    return True


def words_of(text, name, given):
    """The output of the kernel, or None where lanes wait for ever."""
    kernel, out = Kernel(text, name), [0xCDCDCDCD] * (WARPS * LANES)
    for warp in range(WARPS):
        if not run_warp([Lane(kernel, lane, warp, given, out) for lane in range(LANES)]):
            return None
    return out
