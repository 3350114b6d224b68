#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels by the Triton compiler: triton_kernels.py FOLDER compiles them (on a machine with an H100, PyTorch and Triton)
and writes FOLDER/NAME.cubin, NAME.json and triton.launches, the lines from which inputs.py makes launch files."""
import json
import sys
from pathlib import Path

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def tile_product(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        total = tl.dot(a.load([m, k]), b.load([n, k]).T, total)
    c.store([m, n], total.to(tl.float16))


@triton.jit
def persistent_product(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    da = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    db = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    dc = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    across = tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), tl.cdiv(M, BM) * across, tl.num_programs(0)):
        m, n = tile // across * BM, tile % across * BN
        total = tl.zeros((BM, BN), dtype=tl.float32)
        for k in range(0, K, BK):
            total = tl.dot(da.load([m, k]), db.load([n, k]).T, total)
        dc.store([m, n], total.to(tl.bfloat16))


@triton.jit
def pointer_product(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, KIND: tl.constexpr):
    rows, columns, ks = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN), tl.arange(0, BK)
    pa, pb = a + rows[:, None] * K + ks[None, :], b + columns[None, :] * K + ks[:, None]
    total = tl.zeros((BM, BN), dtype=KIND)
    for k in range(0, K, BK):
        total = tl.dot(tl.load(pa), tl.load(pb), total, out_dtype=KIND)
        pa += BK
        pb += BK
    tl.store(c + rows[:, None] * N + columns[None, :], total)


@triton.jit
def attention(q, k, v, o, keys, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    head, first = tl.program_id(1), tl.program_id(0) * BM
    queries = tl.num_programs(0) * BM
    here = q.load([head * queries + first, 0])
    most = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    result = tl.zeros((BM, D), tl.float32)
    for at in range(0, keys, BN):
        s = tl.dot(here, k.load([head * keys + at, 0]).T) * scale
        top = tl.maximum(most, tl.max(s, 1))
        p = tl.exp2(s - top[:, None])
        before = tl.exp2(most - top)
        total = total * before + tl.sum(p, 1)
        result = tl.dot(p.to(tl.float16), v.load([head * keys + at, 0]), result * before[:, None])
        most = top
    o.store([head * queries + first, 0], (result / total[:, None]).to(tl.float16))


@triton.jit
def grouped_product(a, b, c, rows, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    group = tl.program_id(1)
    M = tl.load(rows + group)
    da = tl.make_tensor_descriptor(a + group * 256 * K, [M, K], [K, 1], [BM, BK])
    db = tl.make_tensor_descriptor(b + group * N * K, [K, N], [N, 1], [BK, BN])
    dc = tl.make_tensor_descriptor(c + group * 256 * N, [M, N], [N, 1], [BM, BN])
    for m in range(0, M, BM):
        total = tl.zeros((BM, BN), dtype=tl.float32)
        for k in range(0, K, BK):
            total = tl.dot(da.load([m, k]), db.load([k, tl.program_id(0) * BN]), total)
        dc.store([m, tl.program_id(0) * BN], (total * tl.sigmoid(total)).to(tl.float16))


@triton.jit
def rows_by_boxes(x, w, y, columns, BM: tl.constexpr, BN: tl.constexpr):
    row = tl.program_id(0) * BM
    at = tl.arange(0, BN)
    values = x.load([row, 0]).to(tl.float32)
    mean = tl.sum(values, 1) / columns
    centred = values - mean[:, None]
    variance = tl.sum(centred * centred, 1) / columns
    y.store([row, 0], (centred / tl.sqrt(variance + 1e-5)[:, None] * tl.load(w + at)[None, :]).to(tl.float16))


FORMS = {torch.float16: "halves", torch.bfloat16: "bfloats", torch.float32: "floats", torch.int8: "bytes",
         torch.float8_e4m3fn: "bytes"}
KINDS = {torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32"}
SWIZZLES = (0, 32, 64, 128)


def random_(dtype, *shape):
    if dtype in (torch.int8, torch.float8_e4m3fn):
        return torch.randint(-60, 60, shape, device="cuda", dtype=torch.int8).view(dtype)
    return torch.randn(*shape, device="cuda", dtype=torch.float32).to(dtype)


def buffer_of(tensor, is_result):
    count, size = tensor.numel(), tensor.element_size()
    if is_result:
        return f"zeros:{count * size}"
    form = FORMS[tensor.dtype]
    return f"words:{count // 4}" if form == "bytes" else f"{form}:{count}"


def add(folder, lines, name, kernel, grid, arguments, results, constants, **options):
    """`arguments`: tensors, descriptors, whole numbers and floats, in the order of the kernel."""
    scratch = []
    triton.set_allocator(lambda size, align, stream: scratch.append(size) or torch.empty(size, device="cuda", dtype=torch.int8))
    compiled = kernel[grid](*arguments, *constants, **options)
    torch.cuda.synchronize()
    metadata = compiled.metadata
    (folder / f"{name}.cubin").write_bytes(compiled.asm["cubin"])
    fields = {k: v for k, v in metadata._asdict().items() if isinstance(v, (int, str, list, tuple, bool, type(None)))}
    (folder / f"{name}.json").write_text(json.dumps(fields, default=str, indent=1) + "\n")
    buffers, words, maps = [], [], iter(getattr(metadata, "tensordesc_meta", None) or [])
    for place, one in enumerate(arguments):
        if isinstance(one, TensorDescriptor):
            meta, letter = next(maps), f"t{place}"
            buffers.append(f"{letter}={buffer_of(one.base, place in results)}")
            sizes, strides = list(reversed(one.shape)), list(reversed(one.strides))[1:]
            box = list(reversed(meta["block_size"]))
            size = one.base.element_size()
            by = lambda numbers: "x".join(map(str, numbers))
            words.append(f"map:{letter};{KINDS[one.base.dtype]};{by(sizes)};{by(s * size for s in strides)};{by(box)};{SWIZZLES[meta['swizzle']]}")
            words += [f"u32:{n}" for n in one.shape] + [f"u64:{n}" for n in one.strides]
        elif isinstance(one, torch.Tensor):
            is_list = one.dtype == torch.int32 and place not in results
            words.append("these:" + ":".join(map(str, one.tolist())) if is_list else buffer_of(one, place in results))
        elif isinstance(one, float):
            words.append(f"f32:{one}")
        elif one != 1:
            words.append(f"u32:{one}")
    words.append(f"zeros:{max(16, sum(scratch))}")  # scratch of all blocks, for tensor maps
    words.append("zeros:16")  # for the profiler
    lines.append(f"#@ {name}={metadata.name} grid={",".join(map(str, grid))} block={32 * metadata.num_warps} shared={metadata.shared}"
                 + (f" buffers: {', '.join(buffers)}" if buffers else "") + f" args: {', '.join(words)}")
    print(name, compiled.metadata.name, metadata.num_warps, metadata.shared, scratch, getattr(metadata, "cluster_dims", None),
          getattr(metadata, "tensordesc_meta", None), flush=True)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    f16, bf16, f32 = torch.float16, torch.bfloat16, torch.float32

    def described(tensor, block):
        return TensorDescriptor.from_tensor(tensor, block)

    def product(name, m, n, k, bm, bn, bk, **options):
        a, b, c = random_(f16, m, k), random_(f16, n, k), random_(f16, m, n)
        add(folder, lines, name, tile_product, (m // bm, n // bn),
            [described(a, [bm, bk]), described(b, [bn, bk]), described(c, [bm, bn]), m, n, k], {2}, (bm, bn, bk), **options)

    def persistent(name, m, n, k, bm, bn, bk, blocks, **options):
        a, b, c = random_(bf16, m, k), random_(bf16, n, k), random_(bf16, m, n)
        add(folder, lines, name, persistent_product, (blocks,), [a, b, c, m, n, k], {2}, (bm, bn, bk), **options)

    def pointers(name, dtype, kind, m, n, k, bm, bn, bk, **options):
        a, b = random_(dtype, m, k), random_(dtype, n, k)
        c = torch.zeros(m, n, device="cuda", dtype=torch.float32 if kind == tl.float32 else torch.int32)
        add(folder, lines, name, pointer_product, (m // bm, n // bn), [a, b, c, m, n, k], {2}, (bm, bn, bk, kind), **options)

    def attend(name, heads, queries, keys, d, bm, bn, **options):
        q, k, v, o = (random_(f16, heads * n, d) for n in (queries, keys, keys, queries))
        add(folder, lines, name, attention, (queries // bm, heads),
            [described(q, [bm, d]), described(k, [bn, d]), described(v, [bn, d]), described(o, [bm, d]), keys, 0.18], {3},
            (d, bm, bn), **options)

    def grouped(name, sizes, n, k, bm, bn, bk, **options):
        groups = len(sizes)
        a, b, c = random_(f16, groups * 256, k), random_(f16, groups * k, n), random_(f16, groups * 256, n)
        rows = torch.tensor(sizes, device="cuda", dtype=torch.int32)
        add(folder, lines, name, grouped_product, (n // bn, groups), [a, b, c, rows, n, k], {2}, (bm, bn, bk), **options)

    def rows(name, m, n, bm, **options):
        x, w, y = random_(f16, m, n), random_(f32, n), random_(f16, m, n)
        add(folder, lines, name, rows_by_boxes, (m // bm,), [described(x, [bm, n]), w, described(y, [bm, n]), n], {2}, (bm, n), **options)

    todo = [
        lambda: product("triton_boxes_fp16", 512, 256, 256, 128, 128, 64, num_warps=8, num_stages=3),
        lambda: product("triton_boxes_small", 256, 256, 320, 64, 64, 32, num_warps=4, num_stages=4),
        lambda: persistent("triton_persistent_bf16", 768, 512, 256, 128, 128, 64, 5, num_warps=8, num_stages=4),
        lambda: pointers("triton_fp8", torch.float8_e4m3fn, tl.float32, 256, 256, 512, 64, 128, 128, num_warps=4, num_stages=3),
        lambda: pointers("triton_int8", torch.int8, tl.int32, 256, 128, 512, 128, 64, 64, num_warps=4, num_stages=3),
        lambda: pointers("triton_tf32", f32, tl.float32, 128, 256, 256, 64, 64, 32, num_warps=4, num_stages=4),
        lambda: attend("triton_attention_64", 3, 256, 384, 64, 128, 64, num_warps=8, num_stages=2),
        lambda: attend("triton_attention_128", 2, 128, 512, 128, 64, 64, num_warps=4, num_stages=3),
        lambda: grouped("triton_grouped", [256, 96, 40, 200], 256, 192, 64, 128, 64, num_warps=4, num_stages=3),
        lambda: rows("triton_rows", 128, 256, 8, num_warps=4),
        lambda: product("triton_two_ctas", 512, 512, 256, 128, 128, 64, num_warps=4, num_stages=3, num_ctas=2),
    ]
    for one in todo:
        try:
            one()
        except Exception as error:  # pylint: disable=broad-except
            print("failed:", type(error).__name__, str(error)[:600], flush=True)
    (folder / "triton.launches").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
