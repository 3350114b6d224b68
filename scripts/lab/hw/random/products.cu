// SPDX-License-Identifier: Apache-2.0
// Random products of matrices, of a group of warps and of one warp. Compiled for sm_90a.
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

/// What of random bits is kept, and what is added: all, near one, without the largest exponents, small ones. `rare`
/// words are zeros, the smallest and largest denormals and numbers, and in the last two infinities and NaN.
struct Kinds {
  uint32_t keep[4], add[4], rare[8];
};
__device__ constexpr Kinds kHalves{{~0u, 0x87FF87FF, 0xBFFFBFFF, 0x83FF83FF},
                                   {0, 0x34003400, 0, 0},
                                   {0x80000000, 0x00018001, 0x03FF83FF, 0x04008400, 0x7BFF0001, 0xFBFF7BFF, 0x7C003C00, 0xFE00FC00}};
__device__ constexpr Kinds kBfloats{{~0u, 0x81FF81FF, 0xBFFFBFFF, 0x8F7F8F7F},
                                    {0, 0x3F003F00, 0, 0},
                                    {0x80000000, 0x00018001, 0x007F807F, 0x00808080, 0x7F7F0001, 0xFF7F7F7F, 0x7F803F80, 0xFFC0FF80}};
__device__ constexpr Kinds kTensorFloats{{~0u, 0x81FFFFFF, 0xBFFFFFFF, 0x8FFFFFFF},
                                         {0, 0x3F000000, 0, 0},
                                         {0x80000000, 0x00002000, 0x807FE000, 0x80800000, 0x7F7FE000, 0xFF7FFFFF, 0xFF800000, 0x7FC00001}};
__device__ constexpr Kinds kEightBits{{~0u, 0xBFBFBFBF, 0x9F9F9F9F, 0x87878787},
                                      {0, 0, 0x20202020, 0},
                                      {0x80008000, 0x01810181, 0x03830787, 0x04840888, 0x7B7EFBFE, 0x7700F700, 0x7C00FC3C, 0x7FFF7D38}};
__device__ constexpr Kinds kBytes{{~0u, ~0u, 0x7F7F7F7F, 0x0F0F0F0F},
                                  {0, 0, 0, 0},
                                  {0, 0x80808080, 0x7F7F7F7F, 0xFFFFFFFF, 0x01010101, 0x80FF7F01, 0x88888888, 0x77777777}};

/// A word of the factors; `speckled`: one of sixteen is rare.
__device__ uint32_t word_of(const Kinds& kinds, uint32_t random, uint32_t kind, bool speckled) {
  const uint32_t usual = (random & kinds.keep[kind]) + kinds.add[kind];
  return speckled && (random >> 8 & 15) == 0 ? kinds.rare[random >> 4 & 7] : usual;
}
/// A word of the addend: any bits, none, or near one.
__device__ uint32_t addend_of(uint32_t at, uint32_t random) {
  if ((at & 4) == 0) return random;
  return at & 2 ? 0 : (random & 0x83FF83FF) | 0x3C003C00;
}

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

__device__ void put_hash(uint32_t* out, uint32_t hash) {
  for (uint32_t by = 16; by != 0; by /= 2) hash = fold(hash, __shfl_down_sync(~0u, hash, by));
  if (threadIdx.x % 32 == 0) out[blockIdx.x * 4 + threadIdx.x / 32] = hash;
}

}  // namespace

#define EACH_TILE                                                                                     \
  for (uint32_t tile = 0, at = mix(seed + blockIdx.x * tiles), kind = at >> 3 & 3, kind_b = at >> 5 & 3; \
       tile < tiles;                                                                                   \
       ++tile, at = mix(seed + blockIdx.x * tiles + tile), kind = at >> 3 & 3, kind_b = at >> 5 & 3)

// A block makes `tiles` products of 64 x 8; out[4 block + warp] is what the warp's results fold to.
#define PRODUCTS(NAME, PRODUCT, KINDS, WORDS, KEPT)                                                                  \
  extern "C" __global__ void __launch_bounds__(128) NAME(uint32_t* out, uint32_t tiles, uint32_t seed) {             \
    __shared__ __align__(1024) uint32_t a[512], b[128];                                                              \
    const uint32_t t = threadIdx.x;                                                                                  \
    const uint64_t da = descriptor(shared_address(a), 128, 256, 0), db = descriptor(shared_address(b), 128, 256, 0); \
    uint32_t hash = 0;                                                                                               \
    EACH_TILE {                                                                                                      \
      const bool speckled = (at >> 7 & 3) == 0;                                                                      \
      __syncthreads();                                                                                               \
      for (uint32_t i = 0; i < 4; ++i) a[i * 128 + t] = word_of(KINDS, mix(at + i * 128 + t), kind, speckled);       \
      b[t] = word_of(KINDS, mix(at + 1000 + t), kind_b, speckled);                                                   \
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                                                   \
      __syncthreads();                                                                                               \
      const uint32_t r0 = a[t], r1 = a[t + 128], r2 = a[t + 256], r3 = a[t + 384], kept = KEPT(mix(at + 2000 + t));  \
      uint32_t d[4];                                                                                                 \
      for (uint32_t i = 0; i < 4; ++i) d[i] = addend_of(at, mix(at + 3000 + i * 128 + t));                           \
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");                                                        \
      asm volatile(PRODUCT ";"                                                                                       \
                   : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                                                  \
                   : "l"(da), "l"(db), "r"(r0), "r"(r1), "r"(r2), "r"(r3), "r"(kept));                               \
      asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");               \
      for (uint32_t i = 0; i < WORDS; ++i) hash = fold(hash, d[i]);                                                  \
    }                                                                                                                \
    put_hash(out, hash);                                                                                             \
  }
#define OF(SHAPE, A, TAIL) "wgmma.mma_async.sync.aligned.m64n8" SHAPE " {%0, %1, %2, %3}, " A ", %5, " TAIL
#define OF_HALVES(SHAPE, A, TAIL) "wgmma.mma_async.sync.aligned.m64n8" SHAPE " {%0, %1}, " A ", %5, " TAIL
#define SPARSE(SHAPE, A, TAIL) "wgmma.mma_async.sp.sync.aligned.m64n8" SHAPE " {%0, %1, %2, %3}, " A ", %5, %10, " TAIL
#define SPARSE_HALVES(SHAPE, A, TAIL) "wgmma.mma_async.sp.sync.aligned.m64n8" SHAPE " {%0, %1}, " A ", %5, %10, " TAIL
#define IN_SHARED "%4"
#define IN_REGISTERS "{%6, %7, %8, %9}"

PRODUCTS(halves, OF("k16.f32.f16.f16", IN_SHARED, "1, 1, 1, 0, 0"), kHalves, 4, kept_all)
PRODUCTS(halves_turned, OF("k16.f32.f16.f16", IN_SHARED, "1, -1, 1, 1, 1"), kHalves, 4, kept_all)
PRODUCTS(halves_to_halves, OF_HALVES("k16.f16.f16.f16", IN_REGISTERS, "1, 1, 1, 0"), kHalves, 2, kept_all)
PRODUCTS(bfloats, OF("k16.f32.bf16.bf16", IN_SHARED, "1, 1, -1, 0, 0"), kBfloats, 4, kept_all)
PRODUCTS(bfloats_registers, OF("k16.f32.bf16.bf16", IN_REGISTERS, "1, 1, 1, 1"), kBfloats, 4, kept_all)
PRODUCTS(tensor_floats, OF("k8.f32.tf32.tf32", IN_SHARED, "1, 1, 1"), kTensorFloats, 4, kept_all)
PRODUCTS(tensor_floats_registers, OF("k8.f32.tf32.tf32", IN_REGISTERS, "1, -1, 1"), kTensorFloats, 4, kept_all)
PRODUCTS(bytes, OF("k32.s32.s8.s8", IN_SHARED, "1"), kBytes, 4, kept_all)
PRODUCTS(bytes_registers, OF("k32.s32.u8.s8.satfinite", IN_REGISTERS, "1"), kBytes, 4, kept_all)
PRODUCTS(bytes_signed_unsigned, OF("k32.s32.s8.u8", IN_REGISTERS, "1"), kBytes, 4, kept_all)
PRODUCTS(bytes_unsigned, OF("k32.s32.u8.u8.satfinite", IN_SHARED, "1"), kBytes, 4, kept_all)
PRODUCTS(bits, OF("k256.s32.b1.b1.and.popc", IN_SHARED, "1"), kBytes, 4, kept_all)
PRODUCTS(e4m3, OF("k32.f32.e4m3.e4m3", IN_SHARED, "1, 1, 1"), kEightBits, 4, kept_all)
PRODUCTS(e5m2_e4m3, OF("k32.f32.e5m2.e4m3", IN_REGISTERS, "1, 1, 1"), kEightBits, 4, kept_all)
PRODUCTS(e4m3_e5m2, OF("k32.f32.e4m3.e5m2", IN_SHARED, "1, -1, 1"), kEightBits, 4, kept_all)
PRODUCTS(e5m2, OF("k32.f32.e5m2.e5m2", IN_SHARED, "1, 1, -1"), kEightBits, 4, kept_all)
PRODUCTS(e4m3_to_halves, OF_HALVES("k32.f16.e4m3.e4m3", IN_REGISTERS, "1, 1, 1"), kEightBits, 2, kept_all)
PRODUCTS(e5m2_e4m3_to_halves, OF_HALVES("k32.f16.e5m2.e4m3", IN_SHARED, "1, 1, 1"), kEightBits, 2, kept_all)
PRODUCTS(e4m3_e5m2_to_halves, OF_HALVES("k32.f16.e4m3.e5m2", IN_SHARED, "1, 1, 1"), kEightBits, 2, kept_all)
PRODUCTS(e5m2_to_halves, OF_HALVES("k32.f16.e5m2.e5m2", IN_SHARED, "1, 1, 1"), kEightBits, 2, kept_all)
PRODUCTS(sparse_halves, SPARSE("k32.f32.f16.f16", IN_SHARED, "0, 1, 1, 1, 0, 0"), kHalves, 4, kept_pairs)
PRODUCTS(sparse_halves_to_halves, SPARSE_HALVES("k32.f16.f16.f16", IN_REGISTERS, "0, 1, 1, 1, 0"), kHalves, 2, kept_pairs)
PRODUCTS(sparse_bfloats, SPARSE("k32.f32.bf16.bf16", IN_REGISTERS, "1, 1, 1, 1, 1"), kBfloats, 4, kept_pairs)
PRODUCTS(sparse_tensor_floats, SPARSE("k16.f32.tf32.tf32", IN_SHARED, "1, 1, 1, 1"), kTensorFloats, 4, kept_ones)
PRODUCTS(sparse_bytes, SPARSE("k64.s32.s8.u8", IN_SHARED, "0, 1"), kBytes, 4, kept_pairs)
PRODUCTS(sparse_bytes_registers, SPARSE("k64.s32.u8.s8.satfinite", IN_REGISTERS, "0, 1"), kBytes, 4, kept_pairs)
PRODUCTS(sparse_e4m3, SPARSE("k64.f32.e4m3.e5m2", IN_REGISTERS, "0, 1, 1, 1"), kEightBits, 4, kept_pairs)
PRODUCTS(sparse_e5m2_to_halves, SPARSE_HALVES("k64.f16.e5m2.e4m3", IN_SHARED, "0, 1, 1, 1"), kEightBits, 2, kept_pairs)

// The same of one warp: m16n8 or m8n8, a block makes four a tile.
#define OF_WARP(NAME, PRODUCT, KINDS, WORDS, KEPT)                                                                   \
  extern "C" __global__ void __launch_bounds__(128) NAME(uint32_t* out, uint32_t tiles, uint32_t seed) {             \
    const uint32_t t = threadIdx.x;                                                                                  \
    uint32_t hash = 0;                                                                                               \
    EACH_TILE {                                                                                                      \
      const bool speckled = (at >> 7 & 3) == 0;                                                                      \
      uint32_t a[4], b[4], d[4];                                                                                     \
      for (uint32_t i = 0; i < 4; ++i) a[i] = word_of(KINDS, mix(at + i * 128 + t), kind, speckled);                 \
      for (uint32_t i = 0; i < 4; ++i) b[i] = word_of(KINDS, mix(at + 1000 + i * 128 + t), kind_b, speckled);        \
      for (uint32_t i = 0; i < 4; ++i) d[i] = addend_of(at, mix(at + 3000 + i * 128 + t));                           \
      const uint32_t kept = KEPT(mix(at + 2000 + t));                                                                \
      asm volatile("mma." PRODUCT ";"                                                                                \
                   : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                                                  \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]),         \
                     "r"(kept));                                                                                     \
      for (uint32_t i = 0; i < WORDS; ++i) hash = fold(hash, d[i]);                                                  \
    }                                                                                                                \
    put_hash(out, hash);                                                                                             \
  }
#define FOUR_BY_TWO " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3}"
#define TWO_BY_ONE " {%0, %1, %2, %3}, {%4, %5}, {%8}, {%0, %1, %2, %3}"
#define FOUR_BY_TWO_TO_HALVES " {%0, %1}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1}"
#define FOUR_BY_FOUR_SPARSE " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, "
#define TWO_BY_TWO_SPARSE " {%0, %1, %2, %3}, {%4, %5}, {%8, %9}, {%0, %1, %2, %3}, %12, "
#define DENSE "sync.aligned."
#define THIN "sp::ordered_metadata.sync.aligned."

OF_WARP(warp_halves, DENSE "m16n8k16.row.col.f32.f16.f16.f32" FOUR_BY_TWO, kHalves, 4, kept_all)
OF_WARP(warp_halves_8, DENSE "m16n8k8.row.col.f32.f16.f16.f32" TWO_BY_ONE, kHalves, 4, kept_all)
OF_WARP(warp_halves_to_halves, DENSE "m16n8k16.row.col.f16.f16.f16.f16" FOUR_BY_TWO_TO_HALVES, kHalves, 2, kept_all)
OF_WARP(warp_halves_to_halves_8, DENSE "m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%4, %5}, {%8}, {%0, %1}", kHalves, 2, kept_all)
OF_WARP(warp_bfloats, DENSE "m16n8k16.row.col.f32.bf16.bf16.f32" FOUR_BY_TWO, kBfloats, 4, kept_all)
OF_WARP(warp_bfloats_8, DENSE "m16n8k8.row.col.f32.bf16.bf16.f32" TWO_BY_ONE, kBfloats, 4, kept_all)
OF_WARP(warp_tensor_floats, DENSE "m16n8k8.row.col.f32.tf32.tf32.f32" FOUR_BY_TWO, kTensorFloats, 4, kept_all)
OF_WARP(warp_tensor_floats_4, DENSE "m16n8k4.row.col.f32.tf32.tf32.f32" TWO_BY_ONE, kTensorFloats, 4, kept_all)
OF_WARP(warp_e4m3, DENSE "m16n8k32.row.col.f32.e4m3.e4m3.f32" FOUR_BY_TWO, kEightBits, 4, kept_all)
OF_WARP(warp_e5m2_e4m3, DENSE "m16n8k32.row.col.f32.e5m2.e4m3.f32" FOUR_BY_TWO, kEightBits, 4, kept_all)
OF_WARP(warp_bytes, DENSE "m16n8k32.row.col.satfinite.s32.s8.u8.s32" FOUR_BY_TWO, kBytes, 4, kept_all)
OF_WARP(warp_bytes_16, DENSE "m16n8k16.row.col.s32.u8.u8.s32" TWO_BY_ONE, kBytes, 4, kept_all)
OF_WARP(warp_bytes_square, DENSE "m8n8k16.row.col.satfinite.s32.u8.s8.s32 {%0, %1}, {%4}, {%8}, {%0, %1}", kBytes, 2, kept_all)
OF_WARP(warp_nibbles, DENSE "m16n8k64.row.col.satfinite.s32.s4.u4.s32" FOUR_BY_TWO, kBytes, 4, kept_all)
OF_WARP(warp_bits_and, DENSE "m16n8k256.row.col.s32.b1.b1.s32.and.popc" FOUR_BY_TWO, kBytes, 4, kept_all)
OF_WARP(warp_bits_xor, DENSE "m16n8k128.row.col.s32.b1.b1.s32.xor.popc" TWO_BY_ONE, kBytes, 4, kept_all)
OF_WARP(warp_sparse_halves, THIN "m16n8k32.row.col.f32.f16.f16.f32" FOUR_BY_FOUR_SPARSE "0x0", kHalves, 4, kept_pairs)
OF_WARP(warp_sparse_halves_16, THIN "m16n8k16.row.col.f32.f16.f16.f32" TWO_BY_TWO_SPARSE "0x3", kHalves, 4, kept_pairs)
OF_WARP(warp_sparse_halves_to_halves, THIN "m16n8k32.row.col.f16.f16.f16.f16 {%0, %1}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1}, %12, 0x1", kHalves, 2, kept_pairs)
OF_WARP(warp_sparse_bfloats, THIN "m16n8k32.row.col.f32.bf16.bf16.f32" FOUR_BY_FOUR_SPARSE "0x1", kBfloats, 4, kept_pairs)
OF_WARP(warp_sparse_bfloats_16, THIN "m16n8k16.row.col.f32.bf16.bf16.f32" TWO_BY_TWO_SPARSE "0x1", kBfloats, 4, kept_pairs)
OF_WARP(warp_sparse_tensor_floats, THIN "m16n8k16.row.col.f32.tf32.tf32.f32" FOUR_BY_FOUR_SPARSE "0x1", kTensorFloats, 4, kept_ones)
OF_WARP(warp_sparse_tensor_floats_8, THIN "m16n8k8.row.col.f32.tf32.tf32.f32" TWO_BY_TWO_SPARSE "0x2", kTensorFloats, 4, kept_ones)
OF_WARP(warp_sparse_bytes, THIN "m16n8k64.row.col.satfinite.s32.s8.u8.s32" FOUR_BY_FOUR_SPARSE "0x0", kBytes, 4, kept_pairs)
OF_WARP(warp_sparse_bytes_32, THIN "m16n8k32.row.col.s32.u8.s8.s32" TWO_BY_TWO_SPARSE "0x1", kBytes, 4, kept_pairs)

// Doubles of one warp; a's and b's words are pairs of random words.
namespace {
__device__ double double_of(uint32_t random, uint32_t kind, bool speckled) {
  // any bits; near one; of a wide range; denormals and small numbers
  constexpr uint32_t kKeep[4] = {~0u, 0x803FFFFF, 0xBFFFFFFF, 0x800FFFFF}, kAdd[4] = {0, 0x3FD00000, 0x20000000, 0};
  constexpr uint32_t kRare[8] = {0, 0x80000000, 0x00100000, 0x800FFFFF, 0x7FEFFFFF, 0x3FF00000, 0x7FF00000, 0xFFF80000};
  const bool rare = speckled && (random >> 8 & 15) == 0;
  const uint32_t upper = rare ? kRare[random >> 4 & 7] : (random & kKeep[kind]) + kAdd[kind];
  const uint32_t lower = rare && (random & 1) != 0 ? 0 : mix(random + 1);
  return __hiloint2double(static_cast<int>(upper), static_cast<int>(lower));
}
}  // namespace
#define OF_DOUBLES(NAME, PRODUCT, SUMS)                                                                              \
  extern "C" __global__ void __launch_bounds__(128) NAME(uint32_t* out, uint32_t tiles, uint32_t seed) {             \
    const uint32_t t = threadIdx.x;                                                                                  \
    uint32_t hash = 0;                                                                                               \
    EACH_TILE {                                                                                                      \
      const bool speckled = (at >> 7 & 3) == 0;                                                                      \
      double a[8], b[4], d[4];                                                                                       \
      for (uint32_t i = 0; i < 8; ++i) a[i] = double_of(mix(at + i * 128 + t), kind, speckled);                      \
      for (uint32_t i = 0; i < 4; ++i) b[i] = double_of(mix(at + 2000 + i * 128 + t), kind_b, speckled);             \
      for (uint32_t i = 0; i < 4; ++i) d[i] = at & 4 ? double_of(mix(at + 3000 + i * 128 + t), kind, speckled) : 0;  \
      asm volatile("mma.sync.aligned." PRODUCT ";"                                                                   \
                   : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])                                                  \
                   : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),         \
                     "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));                                                    \
      for (uint32_t i = 0; i < SUMS; ++i) {                                                                          \
        hash = fold(hash, static_cast<uint32_t>(__double2loint(d[i])));                                              \
        hash = fold(hash, static_cast<uint32_t>(__double2hiint(d[i])));                                              \
      }                                                                                                              \
    }                                                                                                                \
    put_hash(out, hash);                                                                                             \
  }
OF_DOUBLES(warp_doubles, "m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%4}, {%12}, {%0, %1}", 2)
OF_DOUBLES(warp_doubles_4, "m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%12}, {%0, %1, %2, %3}", 4)
OF_DOUBLES(warp_doubles_8, "m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%12, %13}, {%0, %1, %2, %3}", 4)
OF_DOUBLES(warp_doubles_16, "m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3}", 4)
