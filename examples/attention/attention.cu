// SPDX-License-Identifier: Apache-2.0
// Attention, forward, in the style of FlashAttention-3: one warp copies (TMA), and two groups of
// four warps multiply (WGMMA); one group computes its softmax while the other uses the tensor
// cores. Softmax reduces its rows by shuffles within quads of lanes. Written for this program.
// Compiled by nvcc 13.0: -cubin -gencode=arch=compute_90a,code=sm_90a -O3.
//
// A block computes 128 rows of O = softmax(Q K^T / sqrt(D)) V, for one head. Q, K and V are bf16,
// with rows of D values; their tensor maps have boxes of 64 columns and 128 rows, swizzled by 128
// bytes. `scale` is log2(e) / sqrt(D). `cycles` receives the cycles of each block.
#include "hopper.cuh"

namespace {

constexpr uint32_t kRows = 128;   // rows of Q per block
constexpr uint32_t kKeys = 128;   // keys per stage
constexpr uint32_t kStages = 2;
constexpr uint32_t kHalf = 16384;  // bytes of 128 rows of 64 columns

/// Wait for the group's turn at the tensor cores, and pass the turn to the other group.
__device__ void take_turn(uint32_t group) {
  asm volatile("bar.sync %0, 256;" ::"r"(group + 1) : "memory");
}
__device__ void give_turn(uint32_t group) {
  asm volatile("bar.arrive %0, 256;" ::"r"(2 - group) : "memory");
}

/// Descriptor of 128-byte rows, with 1024 bytes per eight rows; `leading`: bytes per 64 columns.
__device__ uint64_t rows_at(uint32_t address, uint32_t leading) {
  return descriptor(address, leading, 1024, 1);
}

#define D4(n) "+f"(d[n]), "+f"(d[n + 1]), "+f"(d[n + 2]), "+f"(d[n + 3])
#define D16(n) D4(n), D4(n + 4), D4(n + 8), D4(n + 12)
#define LIST32                                                                                  \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, " \
  "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}"
#define LIST64                                                                                  \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, " \
  "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "  \
  "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "  \
  "%56, %57, %58, %59, %60, %61, %62, %63}"

/// S (64 x 128) = or += Q K^T, for 16 columns of Q and K.
__device__ void multiply_keys(float (&d)[64], uint64_t q, uint64_t k, int adds) {
  asm volatile("{.reg .pred p; setp.ne.b32 p, %66, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 " LIST64
               ", %64, %65, p, 1, 1, 0, 0;}"
               : D16(0), D16(16), D16(32), D16(48)
               : "l"(q), "l"(k), "r"(adds));
}
/// O (64 x D) += P V, for 16 keys.
__device__ void multiply_values(float (&d)[32], const uint32_t* p, uint64_t v) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " LIST32
               ", {%32, %33, %34, %35}, %36, 1, 1, 1, 1;"
               : D16(0), D16(16)
               : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "l"(v));
}
__device__ void multiply_values(float (&d)[64], const uint32_t* p, uint64_t v) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 " LIST64
               ", {%64, %65, %66, %67}, %68, 1, 1, 1, 1;"
               : D16(0), D16(16), D16(32), D16(48)
               : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "l"(v));
}
template <int kCount>
__device__ void wait_products(float (&d)[kCount]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (float& each : d) asm volatile("" : "+f"(each)::"memory");
}

__device__ float power_of_2(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ uint32_t packed(float low, float high) {
  uint32_t pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}
/// Reductions over the four lanes that have a row.
__device__ float quad_max(float x) {
  x = fmaxf(x, __shfl_xor_sync(~0u, x, 1));
  return fmaxf(x, __shfl_xor_sync(~0u, x, 2));
}
__device__ float quad_sum(float x) {
  x += __shfl_xor_sync(~0u, x, 1);
  return x + __shfl_xor_sync(~0u, x, 2);
}

struct Barriers {
  uint64_t q, full_k[kStages], full_v[kStages], empty_k[kStages], empty_v[kStages];
};

template <int D>
struct Shared {
  static constexpr uint32_t kTile = kHalf * (D / 64);
  uint32_t q, k, v;  // addresses; k and v of stage 0
  uint32_t barriers;
  __device__ uint32_t full_k(uint32_t s) const { return barriers + 8 + 8 * s; }
  __device__ uint32_t full_v(uint32_t s) const { return barriers + 24 + 8 * s; }
  __device__ uint32_t empty_k(uint32_t s) const { return barriers + 40 + 8 * s; }
  __device__ uint32_t empty_v(uint32_t s) const { return barriers + 56 + 8 * s; }
};

template <int D>
__device__ void load_tile(uint32_t to, const Map* map, uint32_t barrier, uint32_t row) {
  expect(barrier, Shared<D>::kTile);
  for (uint32_t half = 0; half < D / 64; ++half)
    load_2d(to + half * kHalf, map, barrier, 64 * half, row);
}

template <int D>
__device__ void copy(const Shared<D>& shared, const Map* q, const Map* k, const Map* v,
                     uint32_t first_row, uint32_t first_key, uint32_t tiles) {
  load_tile<D>(shared.q, q, shared.barriers, first_row);
  for (uint32_t i = 0; i < tiles; ++i) {
    const uint32_t s = i % kStages, parity = (i / kStages + 1) & 1;
    const uint32_t row = first_key + i * kKeys;
    if (i >= kStages) wait(shared.empty_k(s), parity);
    load_tile<D>(shared.k + s * Shared<D>::kTile, k, shared.full_k(s), row);
    if (i >= kStages) wait(shared.empty_v(s), parity);
    load_tile<D>(shared.v + s * Shared<D>::kTile, v, shared.full_v(s), row);
  }
}

/// The state of a lane's two rows, which are 8 apart.
struct Softmax {
  float most[2], sum[2];
};

/// Turns S into the weights, and scales O to the new maximum.
template <int kOut>
__device__ void soften(float (&s)[64], float (&o)[kOut], Softmax& rows, float scale) {
  for (int r = 0; r < 2; ++r) {
    float most = rows.most[r];
    for (int j = 0; j < 64; j += 4) most = fmaxf(most, fmaxf(s[j + 2 * r], s[j + 2 * r + 1]));
    most = quad_max(most);
    const float before = power_of_2((rows.most[r] - most) * scale);
    const float base = most * scale;
    float sum = 0;
    for (int j = 0; j < 64; j += 4) {
      s[j + 2 * r] = power_of_2(fmaf(s[j + 2 * r], scale, -base));
      s[j + 2 * r + 1] = power_of_2(fmaf(s[j + 2 * r + 1], scale, -base));
      sum += s[j + 2 * r] + s[j + 2 * r + 1];
    }
    rows.sum[r] = fmaf(rows.sum[r], before, quad_sum(sum));
    rows.most[r] = most;
    for (int j = 0; j < kOut; j += 4) o[j + 2 * r] *= before, o[j + 2 * r + 1] *= before;
  }
}

/// Keys after the row's own do not count.
__device__ void mask(float (&s)[64], int row, int key) {
  for (int j = 0; j < 64; ++j) {
    const int at = key + 8 * (j / 4) + j % 2;
    if (at > row + 8 * (j / 2 % 2)) s[j] = -1e30f;
  }
}

template <int D, bool kCausal>
__device__ void multiply(const Shared<D>& shared, uint32_t* out, uint32_t first_row, uint32_t tiles,
                         float scale) {
  const uint32_t group = threadIdx.x / 128 - 1, lane = threadIdx.x % 32;
  const uint32_t row = 64 * group + 16 * (threadIdx.x / 32 % 4) + lane / 4;
  float o[D / 2], s[64];
  for (float& each : o) each = 0;
  Softmax rows{{-1e30f, -1e30f}, {0, 0}};
  wait(shared.barriers, 0);
  if (group == 1) give_turn(1);
  for (uint32_t i = 0; i < tiles; ++i) {
    const uint32_t stage = i % kStages, parity = i / kStages & 1;
    wait(shared.full_k(stage), parity);
    take_turn(group);
    fence_products();
#pragma unroll
    for (uint32_t part = 0; part < D / 16; ++part) {
      const uint32_t at = part / 4 * kHalf + part % 4 * 32;
      multiply_keys(s, rows_at(shared.q + group * 8192 + at, 16),
                    rows_at(shared.k + stage * Shared<D>::kTile + at, 16), part != 0);
    }
    commit_products();
    give_turn(group);
    wait_products(s);
    arrive(shared.empty_k(stage));
    if (kCausal && i + 1 == tiles) mask(s, row, 2 * (lane % 4));
    soften(s, o, rows, scale);
    uint32_t p[32];
    for (int j = 0; j < 32; ++j) p[j] = packed(s[2 * j], s[2 * j + 1]);
    wait(shared.full_v(stage), parity);
    fence_products();
#pragma unroll
    for (uint32_t part = 0; part < kKeys / 16; ++part)
      multiply_values(o, &p[4 * part],
                      rows_at(shared.v + stage * Shared<D>::kTile + part * 2048, kHalf));
    commit_products();
    wait_products(o);
    arrive(shared.empty_v(stage));
  }
  if (group == 0) take_turn(0);
  for (int r = 0; r < 2; ++r) {
    const float factor = __frcp_rn(rows.sum[r]);
    uint32_t* const to = out + (first_row + row + 8 * r) * (D / 2) + lane % 4;
    for (int j = 0; j < D / 2; j += 4)
      to[j] = packed(o[j + 2 * r] * factor, o[j + 2 * r + 1] * factor);
  }
}

__device__ uint32_t now() {
  uint32_t t;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
  return t;
}

template <int D, bool kCausal>
__device__ void attend(const Map* q, const Map* k, const Map* v, uint32_t* out, uint32_t keys,
                       float scale, uint32_t* cycles) {
  const uint32_t begun = now();
  extern __shared__ uint8_t memory[];
  __shared__ Barriers barriers;
  Shared<D> shared;
  shared.q = (shared_address(memory) + 1023) / 1024 * 1024;
  shared.k = shared.q + Shared<D>::kTile;
  shared.v = shared.k + kStages * Shared<D>::kTile;
  shared.barriers = shared_address(&barriers);
  if (threadIdx.x == 0) {
    start_barrier(shared.barriers, 1);
    for (uint32_t s = 0; s < kStages; ++s) {
      start_barrier(shared.full_k(s), 1);
      start_barrier(shared.full_v(s), 1);
      start_barrier(shared.empty_k(s), 256);
      start_barrier(shared.empty_v(s), 256);
    }
    publish_barriers();
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint32_t queries = gridDim.x * kRows;  // of each head
  const uint32_t first_row = blockIdx.y * queries + blockIdx.x * kRows;
  const uint32_t first_key = blockIdx.y * keys;
  const uint32_t tiles = kCausal ? blockIdx.x + 1 : keys / kKeys;
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    if (threadIdx.x == 0) copy<D>(shared, q, k, v, first_row, first_key, tiles);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    multiply<D, kCausal>(shared, out, first_row, tiles, scale);
    if (threadIdx.x == 383) cycles[blockIdx.y * gridDim.x + blockIdx.x] = now() - begun;
  }
}

}  // namespace

#define ATTENTION(NAME, D, CAUSAL)                                                                \
  extern "C" __global__ void __launch_bounds__(384, 1)                                            \
      NAME(const __grid_constant__ Map q, const __grid_constant__ Map k,                          \
           const __grid_constant__ Map v, uint32_t* out, uint32_t keys, float scale,             \
           uint32_t* cycles) {                                                                    \
    attend<D, CAUSAL>(&q, &k, &v, out, keys, scale, cycles);                                           \
  }
ATTENTION(attention_64, 64, false)
ATTENTION(attention_128, 128, false)
ATTENTION(causal_64, 64, true)
ATTENTION(causal_128, 128, true)
