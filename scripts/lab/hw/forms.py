#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Forms of instructions out of libraries' code, as `shflsim verify` takes them.

    scripts/lab/hw/forms.py FOLDER SECONDS LIBRARY...

Takes cubins of the libraries at random until the time is over, and writes FOLDER/words.smXX.tsv.gz: how often a form
was met, address, low and high 64 bits of the word and cuobjdump's text, two examples a form. Needs CUDA's cuobjdump.
"""
import collections
import concurrent.futures
import gzip
import os
import random
import re
import subprocess
import sys
import tempfile
import time

ARCHES = ("75", "80", "86", "89", "90", "100", "120")
FIRST = re.compile(r"^\s+/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;\s+/\* 0x([0-9a-f]{16}) \*/")
SECOND = re.compile(r"^\s+/\* 0x([0-9a-f]{16}) \*/")
NUMBERS = re.compile(r"0x[0-9a-f]+|\b(UR|UP|SR|SB|gsb|R|P|B)\d+\b|-?\b\d+(\.\d+)?(e[+-]?\d+)?\b")


def form_of(text):
    return NUMBERS.sub(lambda found: found.group(1) or "#", text)


def cubins_of(library):
    listed = subprocess.run(["cuobjdump", "--list-elf", library], capture_output=True, text=True)
    names = [line.split(": ", 1)[1].strip() for line in listed.stdout.splitlines() if ": " in line]
    return [(library, name) for name in names]


def instructions_of(listing):
    first = None
    for line in listing:
        found = FIRST.match(line)
        if found:
            first = found.groups()
            continue
        found = SECOND.match(line)
        if found and first:
            yield first[0], first[1], first[2], found.group(1)
        first = None


def forms_of(cubin):
    """{form: (count, [example])} of a cubin."""
    library, name = cubin
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cuobjdump", "-xelf", name, library], cwd=folder, capture_output=True)
        forms = {}
        for file in os.listdir(folder):
            shown = subprocess.Popen(["cuobjdump", "-sass", os.path.join(folder, file)], text=True,
                                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            for pc, text, low, high in instructions_of(shown.stdout):
                seen = forms.setdefault(form_of(text), [0, (pc, low, high, text)])
                seen[0] += 1
            shown.wait()
    return name, forms


def chosen(libraries, seed=1):
    """Cubins of all libraries and architectures in turn, in random order."""
    draw = random.Random(seed)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        lists = list(pool.map(cubins_of, libraries))
    queues = []
    for cubins in lists:
        for arch in ARCHES:
            queue = [each for each in cubins if re.search(rf"\.sm_{arch}[af]?\.", each[1])]
            draw.shuffle(queue)
            queues.append(queue)
    while any(queues):
        for queue in queues:
            if queue:
                yield queue.pop()


def main():
    folder, seconds, libraries = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
    end = time.monotonic() + seconds
    found = collections.defaultdict(dict)
    done = 0
    with concurrent.futures.ProcessPoolExecutor() as pool:
        waiting, cubins = set(), chosen(libraries)
        while time.monotonic() < end:
            while len(waiting) < 2 * (os.cpu_count() or 1):
                cubin = next(cubins, None)
                if cubin is None:
                    break
                waiting.add(pool.submit(forms_of, cubin))
            if not waiting:
                break
            ready, waiting = concurrent.futures.wait(waiting, 1, concurrent.futures.FIRST_COMPLETED)
            for name, forms in (each.result() for each in ready):
                done += 1
                arch = re.search(r"\.sm_(\d+)", name).group(1)
                for form, (count, example) in forms.items():
                    known = found[arch].setdefault(form, [0])
                    known[0] += count
                    if len(known) < 3:
                        known.append(example)
        for each in waiting:
            each.cancel()
        print(f"{done} cubins", flush=True)
        for arch, forms in found.items():
            with gzip.open(f"{folder}/words.sm{arch}.tsv.gz", "wt") as out:
                for form, (count, *examples) in sorted(forms.items()):
                    for example in examples:
                        print(count, *example, sep="\t", file=out)
            print(f"sm_{arch}: {len(forms)} forms", flush=True)
        for process in list(pool._processes.values()):
            process.kill()


if __name__ == "__main__":
    main()
