// SPDX-License-Identifier: Apache-2.0
// Products of groups in forms of their own: bits, descriptors without swizzle or with 32 bytes, numbers negated by immediate,
// A from registers, groups of products in flight together.
#include "../hopper/cluster.cuh"

namespace {
template <u32 kWords>
__device__ void fill(u32* to, const u32* from, u32 keep, u32 add) {
  for (u32 i = threadIdx.x; i < kWords; i += blockDim.x) to[i] = (from[i] & keep) + add;
}
template <typename T, u32 kCount>
__device__ void leave(T (&d)[kCount], u32* out) {
#pragma unroll
  for (u32 i = 0; i < kCount; ++i) out[(blockIdx.x * blockDim.x + threadIdx.x) * kCount + i] = *reinterpret_cast<u32*>(&d[i]);
}
}  // namespace

// Bits: ANDs and their counts, 256 at once.
//@ bits_and_counts grid=4 block=128 args: words:16384, zeros:32768
LAUNCH __launch_bounds__(128) bits_and_counts(const u32* in, u32* out) {
  __shared__ __align__(1024) u32 a[512], b[128];
  fill<512>(a, in + blockIdx.x * 2048, ~0u, 0), fill<128>(b, in + blockIdx.x * 2048 + 512, ~0u, 0);
  fence_shared();
  __syncthreads();
  u32 d[8] = {};
  for (u32 i = 0; i < 16; ++i) d[i % 8] += i * threadIdx.x;
  fence_products();
  asm volatile("wgmma.mma_async.sync.aligned.m64n16k256.s32.b1.b1.and.popc {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, 1;"
               : D4R(0), D4R(4) : "l"(descriptor(shared_address(a), 128, 256, 0)), "l"(descriptor(shared_address(b), 128, 256, 0)));
  asm volatile("wgmma.mma_async.sync.aligned.m64n16k256.s32.b1.b1.and.popc {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, %12, 1;"
               : D4R(0), D4R(4) : "r"(in[threadIdx.x]), "r"(in[threadIdx.x + 128]), "r"(in[threadIdx.x + 256]), "r"(in[threadIdx.x + 384]),
                 "l"(descriptor(shared_address(b), 128, 256, 0)));
  commit_products();
  finish_products();
  leave(d, out);
}

// Sums in halves with A from registers, negated A and negated B, three groups in flight on three accumulators.
//@ halves_negated_in_flight grid=6 block=128 args: words:24576, zeros:36864
LAUNCH __launch_bounds__(128) halves_negated_in_flight(const u32* in, u32* out) {
  __shared__ __align__(1024) u32 b[3][128];
  fill<384>(b[0], in + blockIdx.x * 4096, 0x83FF83FF, 0x34003000);
  fence_shared();
  __syncthreads();
  u32 d[12], a[4];
  for (u32 i = 0; i < 12; ++i) d[i] = 0x3C000000 + i * threadIdx.x;
  for (u32 i = 0; i < 4; ++i) a[i] = (in[1024 + i * 128 + threadIdx.x] & 0x83FF83FF) + 0x30003400;
  fence_products();
#define NEGATED(AT, ROOM, SA, SB, TURNED)                                                                             \
  asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1, " SA ", " SB ", " TURNED ";" \
               : D4R(AT) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(descriptor(shared_address(b[ROOM]), 128, 256, 0))); \
  commit_products()
  NEGATED(0, 0, "-1", "1", "0");
  NEGATED(4, 1, "1", "-1", "1");
  NEGATED(8, 2, "-1", "-1", "0");
  asm volatile("wgmma.wait_group.sync.aligned 2;" ::: "memory");
  NEGATED(0, 1, "1", "1", "1");
  asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
  NEGATED(4, 2, "1", "1", "0");
  finish_products();
  take(d);
  leave(d, out);
}

// Eight-bit floats of both kinds with sums in halves, 72 columns, rows of 32 bytes swizzled, begun anew by a predicate.
//@ eight_bits_72 grid=5 block=128 args: words:20480, zeros:92160
LAUNCH __launch_bounds__(128) eight_bits_72(const u32* in, u32* out) {
  __shared__ __align__(1024) u32 a[1024], b[1152];
  fill<1024>(a, in + blockIdx.x * 4096, 0xBFBFBFBF, 0), fill<1152>(b, in + blockIdx.x * 4096 + 1024, 0xBFBFBFBF, 0);
  fence_shared();
  __syncthreads();
  float d[36];
  for (u32 i = 0; i < 36; ++i) d[i] = float(i) * 1e20f;
  fence_products();
#pragma unroll
  for (u32 i = 0; i < 2; ++i)
    asm volatile("{.reg .pred p; setp.ne.b32 p, %38, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n72k32.f32.e5m2.e4m3 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
                 "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35}, %36, %37, p, -1, 1;}"
                 : D16F(0), D16F(16), D4F(32)
                 : "l"(descriptor(shared_address(a) + i * 2048, 16, 256, 3)), "l"(descriptor(shared_address(b) + i * 2304, 16, 256, 3)), "r"(i));
  commit_products();
  finish_products();
  leave(d, out);
}

// Whole numbers: signed by unsigned with limits, A from registers; then unsigned by signed without; 8 columns.
//@ bytes_8_limited grid=6 block=128 args: words:24576, zeros:12288
LAUNCH __launch_bounds__(128) bytes_8_limited(const u32* in, u32* out) {
  __shared__ __align__(1024) u32 a[512], b[64];
  fill<512>(a, in + blockIdx.x * 4096, ~0u, 0), fill<64>(b, in + blockIdx.x * 4096 + 512, ~0u, 0);
  fence_shared();
  __syncthreads();
  u32 d[4] = {0x7FFFFFF0, 0x80000010, 5, 0x7FFF0000};
  fence_products();
  for (u32 i = 0; i < 3; ++i)
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8.satfinite {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1;"
                 : D4R(0) : "r"(a[threadIdx.x]), "r"(a[threadIdx.x + 128]), "r"(a[threadIdx.x + 256]), "r"(a[threadIdx.x + 384]),
                   "l"(descriptor(shared_address(b), 128, 256, 0)));
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.s8 {%0, %1, %2, %3}, %4, %5, 1;"
               : D4R(0) : "l"(descriptor(shared_address(a), 128, 256, 0)), "l"(descriptor(shared_address(b), 128, 256, 0)));
  commit_products();
  finish_products();
  leave(d, out);
}

// Floats of 19 bits, 24 columns, A from registers that the code changes while an earlier group runs.
//@ tensor_floats_24_changed grid=6 block=128 args: words:24576, zeros:36864
LAUNCH __launch_bounds__(128) tensor_floats_24_changed(const u32* in, u32* out) {
  __shared__ __align__(1024) u32 b[4][192];
  fill<768>(b[0], in + blockIdx.x * 4096, 0x80FFFFFF, 0x3F000000);
  fence_shared();
  __syncthreads();
  float d[12] = {};
  u32 a[4];
  for (u32 i = 0; i < 4; ++i) a[i] = (in[1024 + i * 128 + threadIdx.x] & 0x80FFFFFF) + 0x3E800000;
#pragma unroll
  for (u32 i = 0; i < 4; ++i) {
    fence_products();
    asm volatile("wgmma.mma_async.sync.aligned.m64n24k8.f32.tf32.tf32 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, %16, 1, 1, 1;"
                 : D4F(0), D4F(4), D4F(8) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(descriptor(shared_address(b[i]), 128, 256, 0)));
    commit_products();
    finish_products();
    for (u32 j = 0; j < 4; ++j) a[j] = __float_as_uint(__uint_as_float(a[j]) * 1.25f + d[j]);
  }
  leave(d, out);
}

// Products of bfloats whose descriptors have a base offset: tiles of 64 columns at 128-byte steps of a swizzled tile; D goes
// out by matrices stored turned, then a bulk copy.
//@ bfloats_stored_turned grid=4 block=128 args: bfloats:32768, zeros:32768
LAUNCH __launch_bounds__(128) bfloats_stored_turned(const u32* in, u32* out) {
  __shared__ __align__(1024) u32 a[2048], b[2048], room[2048];
  fill<2048>(a, in + blockIdx.x * 4096, ~0u, 0), fill<2048>(b, in + blockIdx.x * 4096 + 2048, ~0u, 0);
  fence_shared();
  __syncthreads();
  float d[32];
  for (float& each : d) each = 1;
  fence_products();
#pragma unroll
  for (u32 i = 0; i < 4; ++i)
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " LIST32 ", %32, %33, 1, 1, 1, 1, 1;"
                 : D16F(0), D16F(16)
                 : "l"(descriptor(shared_address(a) + i * 2048, 1024, 1024, 1)), "l"(descriptor(shared_address(b) + i * 2048, 1024, 1024, 1)));
  commit_products();
  finish_products();
  const u32 l = lane_id(), w = threadIdx.x / 32;
  for (u32 j = 0; j < 4; ++j) {
    u32 pairs[4];
    for (u32 i = 0; i < 4; ++i) asm("cvt.rn.satfinite.f16x2.f32 %0, %1, %2;" : "=r"(pairs[i]) : "f"(d[j * 8 + i * 2 + 1]), "f"(d[j * 8 + i * 2]));
    const u32 row = j * 16 + l % 8 + l / 16 * 8, column = w * 16 + l / 8 % 2 * 8;
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};"
                 ::"r"(shared_address(room) + row * 128 + column * 2), "r"(pairs[0]), "r"(pairs[1]), "r"(pairs[2]), "r"(pairs[3]) : "memory");
  }
  fence_shared();
  __syncthreads();
  if (threadIdx.x != 0) return;
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 8192;" ::"l"(out + blockIdx.x * 2048), "r"(shared_address(room)) : "memory");
  commit_stores_and_wait();
}

// Sparse products of all types with A in registers, by two groups, four at once: their rate.
//@ sparse_of_two_groups grid=6 block=256 args: words:24576, zeros:49152
LAUNCH __launch_bounds__(256) sparse_of_two_groups(const u32* in, u32* out) {
  __shared__ __align__(1024) u32 b[512];
  fill<512>(b, in + blockIdx.x * 4096, 0x81FF81FF, 0x3E003E00);
  fence_shared();
  __syncthreads();
  float d[8] = {};
  u32 a[4];
  for (u32 i = 0; i < 4; ++i) a[i] = (in[(blockIdx.x * 4096 + 512 + i * 256 + threadIdx.x) % 24576] & 0x81FF81FF) + 0x3F003E00;
  for (u32 i = 0; i < 3; ++i) {
    fence_products();
#pragma unroll
    for (u32 j = 0; j < 4; ++j)
      asm volatile("wgmma.mma_async.sp.sync.aligned.m64n16k32.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, %12, %13, 1, 1, 1, -1, 0;"
                   : D4F(0), D4F(4) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(descriptor(shared_address(b), 128, 512, 0)), "r"(0x94E4E49Eu));
    commit_products();
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    take(d);
  }
  leave(d, out);
}
