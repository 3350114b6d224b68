// SPDX-License-Identifier: Apache-2.0
// Random products of a group of warps, and boxes through random tensor maps. Compiled for sm_90a.
#include "../../../../examples/attention/hopper.cuh"

namespace {

__device__ uint32_t mix(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}
__device__ uint32_t fold(uint32_t hash, uint32_t word) { return (hash << 5 | hash >> 27) * 0x9E3779B1u ^ word; }

/// What of random bits is kept, and what is added: all, near one, without the largest exponents, small ones.
struct Kinds {
  uint32_t keep[4], add[4];
};
__device__ constexpr Kinds kHalves{{~0u, 0x87FF87FF, 0xBFFFBFFF, 0x83FF83FF}, {0, 0x34003400, 0, 0}};
__device__ constexpr Kinds kBfloats{{~0u, 0x81FF81FF, 0xBFFFBFFF, 0x8F7F8F7F}, {0, 0x3F003F00, 0, 0}};
__device__ constexpr Kinds kTensorFloats{{~0u, 0x81FFFFFF, 0xBFFFFFFF, 0x8FFFFFFF}, {0, 0x3F000000, 0, 0}};
__device__ constexpr Kinds kEightBits{{~0u, 0xBFBFBFBF, 0x9F9F9F9F, 0x87878787}, {0, 0, 0x20202020, 0}};
__device__ constexpr Kinds kBytes{{~0u, ~0u, 0x7F7F7F7F, 0x0F0F0F0F}, {0, 0, 0, 0}};

/// Which of four (of two, for TensorFloat-32) are kept, eight times.
__device__ uint32_t kept_pairs(uint32_t random) {
  uint32_t word = 0;
  for (uint32_t i = 0; i < 8; ++i) word |= (0xE9D84C >> (random >> (4 * i) & 7) % 6 * 4 & 15) << (4 * i);
  return word;
}
__device__ uint32_t kept_ones(uint32_t random) {
  uint32_t word = 0;
  for (uint32_t i = 0; i < 8; ++i) word |= (random >> (4 * i) & 1 ? 14u : 4u) << (4 * i);
  return word;
}
__device__ uint32_t kept_all(uint32_t) { return 0; }

}  // namespace

// A block makes `tiles` products of 64 x 8; out[4 block + warp] is what the warp's results fold to.
#define PRODUCTS(NAME, PRODUCT, KINDS, WORDS, KEPT, MORE)                                                           \
  extern "C" __global__ void __launch_bounds__(128) NAME(uint32_t* out, uint32_t tiles, uint32_t seed) {             \
    __shared__ __align__(1024) uint32_t a[512], b[128];                                                              \
    const uint32_t t = threadIdx.x;                                                                                  \
    uint32_t hash = 0;                                                                                               \
    for (uint32_t tile = 0; tile < tiles; ++tile) {                                                                  \
      const uint32_t at = mix(seed + blockIdx.x * tiles + tile), kind = at >> 3 & 3, kind_b = at >> 5 & 3;           \
      __syncthreads();                                                                                               \
      for (uint32_t i = 0; i < 4; ++i) a[i * 128 + t] = (mix(at + i * 128 + t) & KINDS.keep[kind]) + KINDS.add[kind]; \
      b[t] = (mix(at + 1000 + t) & KINDS.keep[kind_b]) + KINDS.add[kind_b];                                          \
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                                                   \
      __syncthreads();                                                                                               \
      const uint64_t da = descriptor(shared_address(a), 128, 256, 0), db = descriptor(shared_address(b), 128, 256, 0); \
      const uint32_t r0 = a[t], r1 = a[t + 128], r2 = a[t + 256], r3 = a[t + 384], kept = KEPT(mix(at + 2000 + t));  \
      uint32_t d[4];                                                                                                 \
      for (uint32_t i = 0; i < 4; ++i) {                                                                             \
        d[i] = mix(at + 3000 + i * 128 + t);                                                                         \
        if (at & 4) d[i] = at & 2 ? 0 : (d[i] & 0x83FF83FF) | 0x3C003C00;                                            \
      }                                                                                                              \
      (void)da; (void)kept; (void)r0; (void)r1; (void)r2; (void)r3;                                                  \
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");                                                        \
      asm volatile(PRODUCT ";"                                                                                       \
                   : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                                                  \
                   : "l"(da), "l"(db), "r"(r0), "r"(r1), "r"(r2), "r"(r3), "r"(kept));                               \
      asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");               \
      for (uint32_t i = 0; i < WORDS; ++i) hash = fold(hash, d[i]);                                                  \
    }                                                                                                                \
    for (uint32_t by = 16; by != 0; by /= 2) hash = fold(hash, __shfl_down_sync(~0u, hash, by));                     \
    if (t % 32 == 0) out[blockIdx.x * 4 + t / 32] = hash;                                                            \
  }
#define OF(SHAPE, A, TAIL) "wgmma.mma_async.sync.aligned.m64n8" SHAPE " {%0, %1, %2, %3}, " A ", %5, " TAIL
#define OF_HALVES(SHAPE, A, TAIL) "wgmma.mma_async.sync.aligned.m64n8" SHAPE " {%0, %1}, " A ", %5, " TAIL
#define SPARSE(SHAPE, A, TAIL) "wgmma.mma_async.sp.sync.aligned.m64n8" SHAPE " {%0, %1, %2, %3}, " A ", %5, %10, " TAIL
#define IN_SHARED "%4"
#define IN_REGISTERS "{%6, %7, %8, %9}"

PRODUCTS(halves, OF("k16.f32.f16.f16", IN_SHARED, "1, 1, 1, 0, 0"), kHalves, 4, kept_all, )
PRODUCTS(halves_turned, OF("k16.f32.f16.f16", IN_SHARED, "1, -1, 1, 1, 1"), kHalves, 4, kept_all, )
PRODUCTS(halves_to_halves, OF_HALVES("k16.f16.f16.f16", IN_REGISTERS, "1, 1, 1, 0"), kHalves, 2, kept_all, )
PRODUCTS(bfloats, OF("k16.f32.bf16.bf16", IN_SHARED, "1, 1, -1, 0, 0"), kBfloats, 4, kept_all, )
PRODUCTS(bfloats_registers, OF("k16.f32.bf16.bf16", IN_REGISTERS, "1, 1, 1, 1"), kBfloats, 4, kept_all, )
PRODUCTS(tensor_floats, OF("k8.f32.tf32.tf32", IN_SHARED, "1, 1, 1"), kTensorFloats, 4, kept_all, )
PRODUCTS(tensor_floats_registers, OF("k8.f32.tf32.tf32", IN_REGISTERS, "1, -1, 1"), kTensorFloats, 4, kept_all, )
PRODUCTS(bytes, OF("k32.s32.s8.s8", IN_SHARED, "1"), kBytes, 4, kept_all, )
PRODUCTS(bytes_registers, OF("k32.s32.u8.s8.satfinite", IN_REGISTERS, "1"), kBytes, 4, kept_all, )
PRODUCTS(e4m3, OF("k32.f32.e4m3.e4m3", IN_SHARED, "1, 1, 1"), kEightBits, 4, kept_all, )
PRODUCTS(e5m2_e4m3, OF("k32.f32.e5m2.e4m3", IN_REGISTERS, "1, 1, 1"), kEightBits, 4, kept_all, )
PRODUCTS(e4m3_e5m2_halves, OF_HALVES("k32.f16.e4m3.e5m2", IN_SHARED, "1, 1, 1"), kEightBits, 2, kept_all, )
PRODUCTS(e5m2, OF("k32.f32.e5m2.e5m2", IN_SHARED, "1, 1, -1"), kEightBits, 4, kept_all, )
PRODUCTS(sparse_halves, SPARSE("k32.f32.f16.f16", IN_SHARED, "0, 1, 1, 1, 0, 0"), kHalves, 4, kept_pairs, )
PRODUCTS(sparse_bfloats, SPARSE("k32.f32.bf16.bf16", IN_REGISTERS, "1, 1, 1, 1, 1"), kBfloats, 4, kept_pairs, )
PRODUCTS(sparse_tensor_floats, SPARSE("k16.f32.tf32.tf32", IN_SHARED, "1, 1, 1, 1"), kTensorFloats, 4, kept_ones, )
PRODUCTS(sparse_bytes, SPARSE("k64.s32.s8.u8", IN_SHARED, "0, 1"), kBytes, 4, kept_pairs, )
PRODUCTS(sparse_e4m3, SPARSE("k64.f32.e4m3.e5m2", IN_REGISTERS, "0, 1, 1, 1"), kEightBits, 4, kept_pairs, )

// The same of one warp: m16n8, a block makes four a tile.
#define OF_WARP(NAME, PRODUCT, KINDS, WORDS)                                                                         \
  extern "C" __global__ void __launch_bounds__(128) NAME(uint32_t* out, uint32_t tiles, uint32_t seed) {             \
    const uint32_t t = threadIdx.x;                                                                                  \
    uint32_t hash = 0;                                                                                               \
    for (uint32_t tile = 0; tile < tiles; ++tile) {                                                                  \
      const uint32_t at = mix(seed + blockIdx.x * tiles + tile), kind = at >> 3 & 3, kind_b = at >> 5 & 3;           \
      uint32_t a[4], b[2], d[4];                                                                                     \
      for (uint32_t i = 0; i < 4; ++i) a[i] = (mix(at + i * 128 + t) & KINDS.keep[kind]) + KINDS.add[kind];          \
      for (uint32_t i = 0; i < 2; ++i) b[i] = (mix(at + 1000 + i * 128 + t) & KINDS.keep[kind_b]) + KINDS.add[kind_b]; \
      for (uint32_t i = 0; i < 4; ++i) {                                                                             \
        d[i] = mix(at + 3000 + i * 128 + t);                                                                         \
        if (at & 4) d[i] = at & 2 ? 0 : (d[i] & 0x83FF83FF) | 0x3C003C00;                                            \
      }                                                                                                              \
      asm volatile("mma.sync.aligned." PRODUCT ";"                                                                   \
                   : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                                                  \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));                              \
      for (uint32_t i = 0; i < WORDS; ++i) hash = fold(hash, d[i]);                                                  \
    }                                                                                                                \
    for (uint32_t by = 16; by != 0; by /= 2) hash = fold(hash, __shfl_down_sync(~0u, hash, by));                     \
    if (t % 32 == 0) out[blockIdx.x * 4 + t / 32] = hash;                                                            \
  }
#define FOUR_BY_TWO " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3}"
#define TWO_BY_ONE " {%0, %1, %2, %3}, {%4, %5}, {%8}, {%0, %1, %2, %3}"

OF_WARP(warp_halves, "m16n8k16.row.col.f32.f16.f16.f32" FOUR_BY_TWO, kHalves, 4)
OF_WARP(warp_halves_8, "m16n8k8.row.col.f32.f16.f16.f32" TWO_BY_ONE, kHalves, 4)
OF_WARP(warp_halves_to_halves, "m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1}", kHalves, 2)
OF_WARP(warp_bfloats, "m16n8k16.row.col.f32.bf16.bf16.f32" FOUR_BY_TWO, kBfloats, 4)
OF_WARP(warp_bfloats_8, "m16n8k8.row.col.f32.bf16.bf16.f32" TWO_BY_ONE, kBfloats, 4)
OF_WARP(warp_tensor_floats, "m16n8k8.row.col.f32.tf32.tf32.f32" FOUR_BY_TWO, kTensorFloats, 4)
OF_WARP(warp_tensor_floats_4, "m16n8k4.row.col.f32.tf32.tf32.f32" TWO_BY_ONE, kTensorFloats, 4)
OF_WARP(warp_bytes, "m16n8k32.row.col.satfinite.s32.s8.u8.s32" FOUR_BY_TWO, kBytes, 4)

// Block b loads the box places[b] through maps[b]: {dimensions, im2col in bit 8; bytes; coordinates; offsets, 8 bits
// each}. out[2 b] and out[2 b + 1] are hashes of 16 KiB of shared memory; raw, where there is room, the first 4 KiB.
#define LOAD(RANK, MODE, COORDINATES, OFFSETS, ...)                                                                  \
  asm volatile("cp.async.bulk.tensor." RANK ".shared::cluster.global." MODE                                          \
               ".mbarrier::complete_tx::bytes [%0], [%1, {" COORDINATES "}], [%2]" OFFSETS ";" ::"r"(to),            \
               "l"(map), "r"(barrier), __VA_ARGS__                                                                   \
               : "memory")
extern "C" __global__ void __launch_bounds__(32) random_boxes(const Map* maps, const int* places, uint32_t* out,
                                                            uint32_t* raw, uint32_t raws) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[1];
  const uint32_t to = (shared_address(memory) + 1023) / 1024 * 1024, barrier = shared_address(barriers);
  uint32_t* const words = reinterpret_cast<uint32_t*>(memory + (to - shared_address(memory)));
  const Map* const map = maps + blockIdx.x;
  const int* const place = places + 8 * blockIdx.x;
  for (uint32_t i = threadIdx.x; i < 4096; i += 32) words[i] = 0xEEEEEEEE;
  if (threadIdx.x == 0) {
    start_barrier(barrier, 1);
    publish_barriers();
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncwarp();
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
  uint32_t done = 0;
  if (threadIdx.x == 0) {
    expect(barrier, place[1]);
    const int a = place[2], b = place[3], c = place[4], e = place[5], f = place[6];
    const unsigned short o = place[7] & 255, p = place[7] >> 8 & 255, q = place[7] >> 16 & 255;
    switch (place[0]) {
      case 1: LOAD("1d", "tile", "%3", "", "r"(a)); break;
      case 2: LOAD("2d", "tile", "%3, %4", "", "r"(a), "r"(b)); break;
      case 3: LOAD("3d", "tile", "%3, %4, %5", "", "r"(a), "r"(b), "r"(c)); break;
      case 4: LOAD("4d", "tile", "%3, %4, %5, %6", "", "r"(a), "r"(b), "r"(c), "r"(e)); break;
      case 5: LOAD("5d", "tile", "%3, %4, %5, %6, %7", "", "r"(a), "r"(b), "r"(c), "r"(e), "r"(f)); break;
      case 259: LOAD("3d", "im2col", "%3, %4, %5", ", {%6}", "r"(a), "r"(b), "r"(c), "h"(o)); break;
      case 260: LOAD("4d", "im2col", "%3, %4, %5, %6", ", {%7, %8}", "r"(a), "r"(b), "r"(c), "r"(e), "h"(o), "h"(p)); break;
      default: LOAD("5d", "im2col", "%3, %4, %5, %6, %7", ", {%8, %9, %10}", "r"(a), "r"(b), "r"(c), "r"(e), "r"(f), "h"(o), "h"(p), "h"(q));
    }
  }
  for (int tries = 0; tries < 100 && done == 0; ++tries)
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                 : "=r"(done) : "r"(barrier) : "memory");
  uint32_t hash = done;
  for (uint32_t i = threadIdx.x; i < 4096; i += 32) hash = fold(hash, words[i]);
  if (blockIdx.x < raws)
    for (uint32_t i = threadIdx.x; i < 1024; i += 32) raw[blockIdx.x * 1024 + i] = words[i];
  for (uint32_t by = 16; by != 0; by /= 2) hash = fold(hash, __shfl_down_sync(~0u, hash, by));
  if (threadIdx.x == 0) out[2 * blockIdx.x] = hash, out[2 * blockIdx.x + 1] = done;
}
