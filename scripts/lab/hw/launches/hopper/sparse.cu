// SPDX-License-Identifier: Apache-2.0
// Products whose A holds half of its elements, the others being zero, of all types.
#include "cluster.cuh"

namespace {
__device__ u32 kept_pairs(u32 random) {  // two bits for each kept element: two different places of four, rising
  u32 word = 0;
  for (u32 i = 0; i < 8; ++i) word |= (0xE9D84C >> (random >> (4 * i) & 7) % 6 * 4 & 15) << (4 * i);
  return word;
}
__device__ u32 kept_ones(u32 random) {  // one of two, in pairs of bits: 4 or 14
  u32 word = 0;
  for (u32 i = 0; i < 8; ++i) word |= (random >> (4 * i) & 1 ? 14u : 4u) << (4 * i);
  return word;
}
}  // namespace

#define SPARSE(NAME, SHAPE, KIND, CONSTRAINT, ZERO, KEPT, KEEP, ADD, ASTEXT, SELECT, TAIL)                              \
  LAUNCH __launch_bounds__(128) NAME(const u32* in, u32* out) {                                                        \
    __shared__ __align__(1024) u32 a[512], b[512];                                                                     \
    for (u32 i = threadIdx.x; i < 512; i += 128) {                                                                     \
      a[i] = (in[i + 1024 * blockIdx.x] & KEEP) + ADD;                                                                 \
      b[i] = (in[i + 512 + 1024 * blockIdx.x] & KEEP) + ADD;                                                           \
    }                                                                                                                  \
    fence_shared();                                                                                                    \
    __syncthreads();                                                                                                   \
    const u64 da = descriptor(shared_address(a), 128, 256, 0), db = descriptor(shared_address(b), 128, 512, 0);        \
    KIND d[8];                                                                                                         \
    for (u32 i = 0; i < 8; ++i) d[i] = ZERO;                                                                           \
    const u32 r0 = a[threadIdx.x], r1 = a[threadIdx.x + 128], r2 = a[threadIdx.x + 256], r3 = a[threadIdx.x + 384];    \
    const u32 kept = KEPT(in[8192 + threadIdx.x + 128 * blockIdx.x]);                                                  \
    (void)da; (void)r0; (void)r1; (void)r2; (void)r3;                                                                  \
    fence_products();                                                                                                  \
    for (int i = 0; i < 3; ++i)                                                                                        \
      asm volatile("wgmma.mma_async.sp.sync.aligned." SHAPE " {%0, %1, %2, %3, %4, %5, %6, %7}, " ASTEXT ", %14, " SELECT ", " TAIL ";" \
                   : CONSTRAINT(d[0]), CONSTRAINT(d[1]), CONSTRAINT(d[2]), CONSTRAINT(d[3]), CONSTRAINT(d[4]),         \
                     CONSTRAINT(d[5]), CONSTRAINT(d[6]), CONSTRAINT(d[7])                                              \
                   : "l"(da), "l"(db), "r"(r0), "r"(r1), "r"(r2), "r"(r3), "r"(kept));                                 \
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");                   \
    for (u32 i = 0; i < 8; ++i)                                                                                        \
      out[(blockIdx.x * 128 + threadIdx.x) * 8 + i] = *reinterpret_cast<u32*>(&d[i]);                                  \
  }
#define SHARED "%8, %9"
#define REGISTERS "{%10, %11, %12, %13}, %9"

//@ sparse_halves grid=8 block=128 args: words:16384, zeros:32768
SPARSE(sparse_halves, "m64n16k32.f32.f16.f16", float, "+f", 0.25f, kept_pairs, 0x87FF87FF, 0x34003400, SHARED, "0", "1, 1, 1, 0, 0")
//@ sparse_halves_1 grid=8 block=128 args: words:16384, zeros:32768
SPARSE(sparse_halves_1, "m64n32k32.f16.f16.f16", u32, "+r", 0x3C003800, kept_pairs, 0x87FF87FF, 0x34003400, REGISTERS, "1", "1, -1, 1, 0")
//@ sparse_bfloats_turned grid=8 block=128 args: words:16384, zeros:32768
SPARSE(sparse_bfloats_turned, "m64n16k32.f32.bf16.bf16", float, "+f", -1.5f, kept_pairs, 0x81FF81FF, 0x3F003F00, SHARED, "1", "1, 1, -1, 0, 1")
//@ sparse_tensor_floats grid=8 block=128 args: words:16384, zeros:32768
SPARSE(sparse_tensor_floats, "m64n16k16.f32.tf32.tf32", float, "+f", 1e-3f, kept_ones, 0x81FFFFFF, 0x3F000000, SHARED, "0", "1, 1, 1")
//@ sparse_tensor_floats_1 grid=8 block=128 args: words:16384, zeros:32768
SPARSE(sparse_tensor_floats_1, "m64n16k16.f32.tf32.tf32", float, "+f", 1e-3f, kept_ones, 0x81FFFFFF, 0x3F000000, REGISTERS, "1", "1, 1, -1")
//@ sparse_bytes grid=8 block=128 args: words:16384, zeros:32768
SPARSE(sparse_bytes, "m64n16k64.s32.s8.u8", u32, "+r", 77, kept_pairs, 0xFFFFFFFF, 0, SHARED, "0", "1")
//@ sparse_bytes_registers grid=8 block=128 args: words:16384, zeros:32768
SPARSE(sparse_bytes_registers, "m64n16k64.s32.u8.s8.satfinite", u32, "+r", 0x7FFFFF00, kept_pairs, 0xFFFFFFFF, 0, REGISTERS, "0", "1")
//@ sparse_eight_bits grid=8 block=128 args: words:16384, zeros:32768
SPARSE(sparse_eight_bits, "m64n16k64.f32.e4m3.e5m2", float, "+f", 0.125f, kept_pairs, 0xBFBFBFBF, 0, SHARED, "0", "1, 1, 1")
//@ sparse_eight_bits_registers grid=8 block=128 args: words:16384, zeros:32768
SPARSE(sparse_eight_bits_registers, "m64n32k64.f16.e5m2.e4m3", u32, "+r", 0x38003C00, kept_pairs, 0xBFBFBFBF, 0, REGISTERS, "0", "1, -1, 1")
