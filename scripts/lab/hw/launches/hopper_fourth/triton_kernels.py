#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""More kernels by the Triton compiler, some in Gluon with barriers, copies and products of their own: triton_kernels.py FOLDER,
as ../hopper/triton_kernels.py."""
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path

import torch
import triton
import triton.language as tl
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import (fence_async_shared, mbarrier, tma, warpgroup_mma, warpgroup_mma_init,
                                                              warpgroup_mma_wait)
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor as GluonDescriptor
from triton.tools.tensor_descriptor import TensorDescriptor

base = SourceFileLoader("base", str(Path(__file__).resolve().parent.parent / "hopper/triton_kernels.py")).load_module()
base.KINDS |= {torch.float8_e4m3fn: "u8", torch.float8_e5m2: "u8", torch.int8: "u8", torch.int32: "s32"}
base.FORMS |= {torch.float8_e4m3fn: "float8s", torch.float8_e5m2: "float8s", torch.int32: "words"}
base.TensorDescriptor = (TensorDescriptor, GluonDescriptor)


@triton.jit
def specialised_product(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, K, BK, warp_specialize=True):
        total = tl.dot(a.load([m, k]), b.load([n, k]).T, total)
    c.store([m, n], total.to(tl.float16))


@triton.jit
def split_product(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n, first = tl.program_id(0) * BM, tl.program_id(1) * BN, tl.program_id(2) * (K // 2)
    total = tl.zeros((BM, BN), dtype=tl.int32)
    for k in range(first, first + K // 2, BK):
        total = tl.dot(a.load([m, k]), b.load([n, k]).T, total, out_dtype=tl.int32)
    c.atomic_add([m, n], total)


@triton.jit
def eight_bits_by_boxes(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        total = tl.dot(a.load([m, k]), b.load([n, k]).T, total, max_num_imprecise_acc=64)
    c.store([m, n], total.to(tl.bfloat16))


@triton.jit
def causal_attention(q, k, v, o, queries, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    head, first = tl.program_id(1), tl.program_id(0) * BM
    here = q.load([head * queries + first, 0])
    rows = first + tl.arange(0, BM)
    most = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    result = tl.zeros((BM, D), tl.float32)
    for at in range(0, first + BM, BN):
        s = tl.dot(here, k.load([head * queries + at, 0]).T) * scale
        s = tl.where(rows[:, None] >= at + tl.arange(0, BN)[None, :], s, -1e30)
        top = tl.maximum(most, tl.max(s, 1))
        p = tl.exp2(s - top[:, None])
        before = tl.exp2(most - top)
        total = total * before + tl.sum(p, 1)
        result = tl.dot(p.to(tl.bfloat16), v.load([head * queries + at, 0]), result * before[:, None])
        most = top
    o.store([head * queries + first, 0], (result / total[:, None]).to(tl.bfloat16))


@triton.jit
def gradients(q, k, d, o, N, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    """sum over m of (q_m k^T)^T d_m: products whose A is computed and turned."""
    n = tl.program_id(0) * BN
    keys = k.load([n, 0])
    total = tl.zeros((BN, D), tl.float32)
    for m in range(0, N, BM):
        s = tl.dot(q.load([m, 0]), keys.T)
        total = tl.dot(tl.trans(s * tl.sigmoid(s)).to(tl.float16), d.load([m, 0]), total)
    o.store([n, 0], total)


@triton.jit
def three_products_of_one(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows, columns, ks = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN), tl.arange(0, BK)
    pa, pb = a + rows[:, None] * K + ks[None, :], b + ks[:, None] * N + columns[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        total = tl.dot(tl.load(pa), tl.load(pb), total, input_precision="tf32x3")
        pa += BK
        pb += BK * N
    tl.store(c + rows[:, None] * N + columns[None, :], total)


@triton.jit
def sorted_rows(x, y, N: tl.constexpr, BM: tl.constexpr):
    row = tl.program_id(0) * BM
    values = x.load([row, 0])
    s = tl.sort(values, 1)
    y.store([row, 0], s + tl.cumsum(s ^ values, 1))


@gluon.jit
def stages_by_hand(a, b, c, K, BK: gl.constexpr, STAGES: gl.constexpr, num_warps: gl.constexpr):
    BM: gl.constexpr = c.block_type.shape[0]
    BN: gl.constexpr = c.block_type.shape[1]
    m, n = gl.program_id(0) * BM, gl.program_id(1) * BN
    ra = gl.allocate_shared_memory(a.dtype, [STAGES] + a.block_type.shape, a.layout)
    rb = gl.allocate_shared_memory(b.dtype, [STAGES] + b.block_type.shape, b.layout)
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for j in gl.static_range(STAGES):
        mbarrier.init(full.index(j), count=1)
    for j in gl.static_range(STAGES - 1):
        mbarrier.expect(full.index(j), a.block_type.nbytes + b.block_type.nbytes)
        tma.async_copy_global_to_shared(a, [m, j * BK], full.index(j), ra.index(j))
        tma.async_copy_global_to_shared(b, [j * BK, n], full.index(j), rb.index(j))
    layout: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[num_warps, 1], instr_shape=[16, BN, 16])
    total = warpgroup_mma_init(gl.zeros((BM, BN), dtype=gl.float32, layout=layout))
    steps = K // BK
    for i in range(steps):
        s = i % STAGES
        mbarrier.wait(full.index(s), i // STAGES & 1)
        total = warpgroup_mma_wait(num_outstanding=0, deps=(total, ))
        total = warpgroup_mma(ra.index(s), rb.index(s), total, is_async=True)
        ahead = i + STAGES - 1
        more = ahead < steps
        place = ahead % STAGES
        mbarrier.expect(full.index(place), a.block_type.nbytes + b.block_type.nbytes, pred=more)
        tma.async_copy_global_to_shared(a, [m, ahead * BK], full.index(place), ra.index(place), pred=more)
        tma.async_copy_global_to_shared(b, [ahead * BK, n], full.index(place), rb.index(place), pred=more)
    total = warpgroup_mma_wait(num_outstanding=0, deps=(total, ))
    for j in gl.static_range(STAGES):
        mbarrier.invalidate(full.index(j))
    room = gl.allocate_shared_memory(c.dtype, c.block_type.shape, c.layout)
    room.store(total.to(c.dtype))
    fence_async_shared()
    tma.async_copy_shared_to_global(c, [m, n], room)
    tma.store_wait(pendings=0)


@gluon.jit
def copies_of_one(a, b, ra, rb, full, empty, m, n, K, BK: gl.constexpr, STAGES: gl.constexpr):
    for i in range(K // BK):
        s = i % STAGES
        mbarrier.wait(empty.index(s), i // STAGES & 1 ^ 1)
        mbarrier.expect(full.index(s), a.block_type.nbytes + b.block_type.nbytes)
        tma.async_copy_global_to_shared(a, [m, i * BK], full.index(s), ra.index(s))
        tma.async_copy_global_to_shared(b, [n, i * BK], full.index(s), rb.index(s))


@gluon.jit
def products_of_others(c, ra, rb, full, empty, m, n, K, BK: gl.constexpr, STAGES: gl.constexpr, num_warps: gl.constexpr):
    BM: gl.constexpr = c.block_type.shape[0]
    BN: gl.constexpr = c.block_type.shape[1]
    layout: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[num_warps, 1], instr_shape=[16, BN, 16])
    total = gl.zeros((BM, BN), dtype=gl.float32, layout=layout)
    for i in range(K // BK):
        s = i % STAGES
        mbarrier.wait(full.index(s), i // STAGES & 1)
        total = warpgroup_mma(ra.index(s), rb.index(s).permute((1, 0)), total, is_async=True)
        total = warpgroup_mma_wait(num_outstanding=0, deps=(total, ))
        mbarrier.arrive(empty.index(s), count=1)
    room = gl.allocate_shared_memory(c.dtype, c.block_type.shape, c.layout)
    room.store(total.to(c.dtype))
    fence_async_shared()
    tma.async_copy_shared_to_global(c, [m, n], room)
    tma.store_wait(pendings=0)


@gluon.jit
def roles_by_hand(a, b, c, K, BK: gl.constexpr, STAGES: gl.constexpr, num_warps: gl.constexpr):
    BM: gl.constexpr = c.block_type.shape[0]
    BN: gl.constexpr = c.block_type.shape[1]
    m, n = gl.program_id(0) * BM, gl.program_id(1) * BN
    ra = gl.allocate_shared_memory(a.dtype, [STAGES] + a.block_type.shape, a.layout)
    rb = gl.allocate_shared_memory(b.dtype, [STAGES] + b.block_type.shape, b.layout)
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    empty = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for s in gl.static_range(STAGES):
        mbarrier.init(full.index(s), count=1)
        mbarrier.init(empty.index(s), count=1)
    gl.warp_specialize([(products_of_others, (c, ra, rb, full, empty, m, n, K, BK, STAGES, num_warps)),
                        (copies_of_one, (a, b, ra, rb, full, empty, m, n, K, BK, STAGES))], [1], [24])


class Meta:
    """What Triton's metadata says of descriptors, where Gluon's say nothing."""

    def __init__(self, compiled, arguments):
        self.metadata, self.asm = compiled.metadata, compiled.asm
        if getattr(self.metadata, "tensordesc_meta", None):
            return
        found = []
        for one in arguments:
            if isinstance(one, GluonDescriptor):
                width = one.layout.swizzle_byte_width
                box = list(one.block_shape)
                box[-1] = min(box[-1], max(width, 32) // one.base.element_size())
                found.append({"block_size": box, "swizzle": {0: 0, 32: 1, 64: 2, 128: 3}[width]})
        fields = self.metadata._asdict() | {"tensordesc_meta": found}
        self.metadata = type("Fields", (), fields | {"_asdict": lambda _self: fields})()


class Wrapped:
    """A kernel of Gluon as base.add launches it."""

    def __init__(self, kernel):
        self.kernel = kernel

    def __getitem__(self, grid):
        return lambda *arguments, **options: Meta(self.kernel[grid](*arguments, **options), arguments)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    f16, bf16, f32 = torch.float16, torch.bfloat16, torch.float32

    def random_(dtype, *shape):
        if dtype == torch.float8_e5m2:
            return torch.randint(-60, 60, shape, device="cuda", dtype=torch.int8).view(dtype)
        if dtype == torch.int32:
            return torch.randint(-(2**31), 2**31 - 1, shape, device="cuda", dtype=dtype)
        return base.random_(dtype, *shape)

    def described(dtype, shape, box):
        return TensorDescriptor.from_tensor(random_(dtype, *shape), box)

    def by_hand(dtype, shape, box):
        kinds = {f16: gl.float16, bf16: gl.bfloat16, f32: gl.float32}
        return GluonDescriptor.from_tensor(random_(dtype, *shape), box, gl.NVMMASharedLayout.get_default_for(box, kinds[dtype]))

    def product(name, kernel, dtypes, m, n, k, bm, bn, bk, parts=1, **options):
        base.add(folder, lines, name, kernel, (m // bm, n // bn) + ((parts,) if parts > 1 else ()),
                 [described(dtypes[0], (m, k), [bm, bk]), described(dtypes[1], (n, k), [bn, bk]), described(dtypes[2], (m, n), [bm, bn]), m, n, k],
                 {2}, (bm, bn, bk), **options)

    def three(name, m, n, k, bm, bn, bk, **options):
        base.add(folder, lines, name, three_products_of_one, (m // bm, n // bn),
                 [random_(f32, m, k), random_(f32, k, n), random_(f32, m, n), m, n, k], {2}, (bm, bn, bk), **options)

    def hand(name, kernel, m, n, k, bm, bn, bk, stages, turned, **options):
        b = by_hand(f16, (n, k), [bn, bk]) if turned else by_hand(f16, (k, n), [bk, bn])
        base.add(folder, lines, name, Wrapped(kernel), (m // bm, n // bn),
                 [by_hand(f16, (m, k), [bm, bk]), b, by_hand(f16, (m, n), [bm, bn]), k], {2}, (bk, stages), **options)

    todo = [
        lambda: product("triton_specialised", specialised_product, (f16, f16, f16), 256, 256, 512, 64, 128, 64, num_warps=4, num_stages=3),
        lambda: product("triton_split", split_product, (torch.int8, torch.int8, torch.int32), 256, 128, 512, 64, 64, 64, 2, num_warps=4, num_stages=3),
        lambda: product("triton_eight_bits", eight_bits_by_boxes, (torch.float8_e5m2, torch.float8_e4m3fn, bf16), 256, 256, 512, 128, 128, 128, num_warps=8, num_stages=2),
        lambda: base.add(folder, lines, "triton_causal", causal_attention, (4, 2),
                         [described(bf16, (512, 128), [64, 128]), described(bf16, (512, 128), [32, 128]), described(bf16, (512, 128), [32, 128]),
                          described(bf16, (512, 128), [64, 128]), 256, 0.125], {3}, (128, 64, 32), num_warps=4, num_stages=3),
        lambda: base.add(folder, lines, "triton_gradients", gradients, (4,),
                         [described(f16, (256, 64), [64, 64]), described(f16, (256, 64), [64, 64]), described(f16, (256, 64), [64, 64]),
                          described(f32, (256, 64), [64, 64]), 256], {3}, (64, 64, 64), num_warps=4, num_stages=2),
        lambda: three("triton_three_of_one", 128, 128, 128, 64, 64, 32, num_warps=4, num_stages=2),
        lambda: base.add(folder, lines, "triton_sorted", sorted_rows, (8,),
                         [described(torch.int32, (32, 128), [4, 128]), described(torch.int32, (32, 128), [4, 128])], {1}, (128, 4), num_warps=4),
        lambda: hand("gluon_stages", stages_by_hand, 256, 256, 384, 64, 128, 64, 3, False, num_warps=4),
        lambda: hand("gluon_stages_wide", stages_by_hand, 256, 256, 256, 128, 64, 32, 4, False, num_warps=8),
        lambda: hand("gluon_roles", roles_by_hand, 256, 256, 512, 64, 128, 64, 3, True, num_warps=4),
    ]
    for one in todo:
        try:
            one()
        except Exception as error:  # pylint: disable=broad-except
            print("failed:", type(error).__name__, str(error)[:900], flush=True)
    (folder / "triton.launches").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
