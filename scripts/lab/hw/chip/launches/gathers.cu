// SPDX-License-Identifier: Apache-2.0
// Scattered reads, and lines that many ask for at once; each launch asks how long one pattern takes by the size of what is
// read, by the SMs in use, by lanes and by warps.
#include <cstdint>
using u32 = uint32_t;

__device__ inline u32 mixed(u32 x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}
template <bool cached>
__device__ inline u32 read4(const u32* at) {
  u32 v;
  if (cached) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(at));
  else asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(at));
  return v;
}

// `K` independent loads a round of random units of `unit` words, which `unit` lanes read together; the table has `words`
// words, a power of two. Lanes from `lanes` on do nothing.
template <bool cached, int K>
__device__ void gather(const u32* base, u32 words, u32 unit, u32 lanes, u32 rounds, u32* out) {
  u32 t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, sum = 0;
  if (lane >= lanes) return;
  for (u32 i = 0; i < rounds; i++) {
    u32 v[K];
#pragma unroll
    for (int k = 0; k < K; k++) {
      u32 place = mixed((t / unit * rounds + i) * K + k) & (words / unit - 1);
      v[k] = read4<cached>(base + place * unit + t % unit);
    }
#pragma unroll
    for (int k = 0; k < K; k++) sum += v[k];
  }
  if (sum == 0x12345678) out[0] = sum;
}
// The same, each load behind the one before.
template <bool cached>
__device__ void follow(const u32* base, u32 words, u32 unit, u32 lanes, u32 rounds, u32* out) {
  u32 t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, sum = 0;
  if (lane >= lanes) return;
  for (u32 i = 0; i < rounds; i++) {
    u32 place = (mixed(t / unit * rounds + i) + sum) & (words / unit - 1);
    sum += read4<cached>(base + place * unit + t % unit);
  }
  if (sum == 0x12345678) out[0] = sum;
}
// All blocks read the same `chunk` rows of 512 bytes a round, in the same order; each warp some of them.
__device__ void together(const uint4* base, u32 rounds, u32 rows, u32 apart, u32* out) {
  u32 warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32, sum = 0;
  const uint4* own = base + blockIdx.x * apart;
  for (u32 i = 0; i < rounds; i++) {
    for (u32 r = warp; r < rows; r += warps) {
      uint4 v = own[((i * rows + r) * 32 + lane) + (sum == 0x12345678 ? 1 : 0)];
      sum += v.x + v.y + v.z + v.w;
    }
    __syncthreads();
  }
  if (sum == 0x12345678) out[0] = sum;
}
#define GATHER(name, cached, K) \
  extern "C" __global__ void name(const u32* base, u32 words, u32 unit, u32 lanes, u32 rounds, u32* out) { gather<cached, K>(base, words, unit, lanes, rounds, out); }
#define FOLLOW(name, cached) \
  extern "C" __global__ void name(const u32* base, u32 words, u32 unit, u32 lanes, u32 rounds, u32* out) { follow<cached>(base, words, unit, lanes, rounds, out); }
#define TOGETHER(name) \
  extern "C" __global__ void name(const uint4* base, u32 rounds, u32 rows, u32 apart, u32* out) { together(base, rounds, rows, apart, out); }

//@ gather_cg_1_4k grid=264 block=512 args: zeros:4096, u32:1024, u32:1, u32:32, u32:2, zeros:128
GATHER(gather_cg_1_4k, false, 8)
//@ gather_cg_1_16k grid=264 block=512 args: zeros:16384, u32:4096, u32:1, u32:32, u32:2, zeros:128
GATHER(gather_cg_1_16k, false, 8)
//@ gather_cg_1_64k grid=264 block=512 args: zeros:65536, u32:16384, u32:1, u32:32, u32:2, zeros:128
GATHER(gather_cg_1_64k, false, 8)
//@ gather_cg_1_256k grid=264 block=512 args: zeros:262144, u32:65536, u32:1, u32:32, u32:2, zeros:128
GATHER(gather_cg_1_256k, false, 8)
//@ gather_cg_1_1m grid=264 block=512 args: zeros:1048576, u32:262144, u32:1, u32:32, u32:2, zeros:128
GATHER(gather_cg_1_1m, false, 8)
//@ gather_cg_1_8m grid=264 block=512 args: zeros:8388608, u32:2097152, u32:1, u32:32, u32:2, zeros:128
GATHER(gather_cg_1_8m, false, 8)
//@ gather_ca_1_64k grid=264 block=512 args: zeros:65536, u32:16384, u32:1, u32:32, u32:2, zeros:128
GATHER(gather_ca_1_64k, true, 8)
//@ gather_ca_1_256k grid=264 block=512 args: zeros:262144, u32:65536, u32:1, u32:32, u32:2, zeros:128
GATHER(gather_ca_1_256k, true, 8)
//@ gather_ca_1_1m grid=264 block=512 args: zeros:1048576, u32:262144, u32:1, u32:32, u32:2, zeros:128
GATHER(gather_ca_1_1m, true, 8)
//@ gather_cg_32_16k grid=264 block=512 args: zeros:16384, u32:4096, u32:32, u32:32, u32:2, zeros:128
GATHER(gather_cg_32_16k, false, 8)
//@ gather_cg_32_256k grid=264 block=512 args: zeros:262144, u32:65536, u32:32, u32:32, u32:2, zeros:128
GATHER(gather_cg_32_256k, false, 8)
//@ gather_cg_32_8m grid=264 block=512 args: zeros:8388608, u32:2097152, u32:32, u32:32, u32:2, zeros:128
GATHER(gather_cg_32_8m, false, 8)
//@ gather_cg_8_256k grid=264 block=512 args: zeros:262144, u32:65536, u32:8, u32:32, u32:2, zeros:128
GATHER(gather_cg_8_256k, false, 8)
//@ gather_cg_1_8m_s1 grid=1 block=1024 args: zeros:8388608, u32:2097152, u32:1, u32:32, u32:4, zeros:128
GATHER(gather_cg_1_8m_s1, false, 8)
//@ gather_cg_1_8m_s2 grid=2 block=1024 args: zeros:8388608, u32:2097152, u32:1, u32:32, u32:4, zeros:128
GATHER(gather_cg_1_8m_s2, false, 8)
//@ gather_cg_1_8m_s16 grid=16 block=1024 args: zeros:8388608, u32:2097152, u32:1, u32:32, u32:4, zeros:128
GATHER(gather_cg_1_8m_s16, false, 8)
//@ gather_cg_1_8m_s66 grid=66 block=1024 args: zeros:8388608, u32:2097152, u32:1, u32:32, u32:4, zeros:128
GATHER(gather_cg_1_8m_s66, false, 8)
//@ gather_cg_32_8m_s1 grid=1 block=1024 args: zeros:8388608, u32:2097152, u32:32, u32:32, u32:8, zeros:128
GATHER(gather_cg_32_8m_s1, false, 8)
//@ gather_cg_8_8m_s1 grid=1 block=1024 args: zeros:8388608, u32:2097152, u32:8, u32:32, u32:8, zeros:128
GATHER(gather_cg_8_8m_s1, false, 8)
//@ follow_cg_1_8m_w1 grid=132 block=32 args: zeros:8388608, u32:2097152, u32:1, u32:32, u32:16, zeros:128
FOLLOW(follow_cg_1_8m_w1, false)
//@ follow_cg_1_8m_w4 grid=132 block=128 args: zeros:8388608, u32:2097152, u32:1, u32:32, u32:16, zeros:128
FOLLOW(follow_cg_1_8m_w4, false)
//@ follow_cg_1_8m_w16 grid=132 block=512 args: zeros:8388608, u32:2097152, u32:1, u32:32, u32:16, zeros:128
FOLLOW(follow_cg_1_8m_w16, false)
//@ follow_cg_1_8m_l1 grid=132 block=32 args: zeros:8388608, u32:2097152, u32:1, u32:1, u32:16, zeros:128
FOLLOW(follow_cg_1_8m_l1, false)
//@ follow_cg_1_8m_l4 grid=132 block=32 args: zeros:8388608, u32:2097152, u32:1, u32:4, u32:16, zeros:128
FOLLOW(follow_cg_1_8m_l4, false)
//@ follow_cg_1_8m_l8 grid=132 block=32 args: zeros:8388608, u32:2097152, u32:1, u32:8, u32:16, zeros:128
FOLLOW(follow_cg_1_8m_l8, false)
//@ follow_cg_1_8m_l16 grid=132 block=32 args: zeros:8388608, u32:2097152, u32:1, u32:16, u32:16, zeros:128
FOLLOW(follow_cg_1_8m_l16, false)
//@ follow_cg_1_8m_l8_w16 grid=132 block=512 args: zeros:8388608, u32:2097152, u32:1, u32:8, u32:16, zeros:128
FOLLOW(follow_cg_1_8m_l8_w16, false)
//@ follow_cg_1_8m_l1_w16 grid=132 block=512 args: zeros:8388608, u32:2097152, u32:1, u32:1, u32:16, zeros:128
FOLLOW(follow_cg_1_8m_l1_w16, false)
//@ follow_ca_1_8m_s1 grid=1 block=32 args: zeros:8388608, u32:2097152, u32:1, u32:32, u32:16, zeros:128
FOLLOW(follow_ca_1_8m_s1, true)
//@ follow_cg_1_8m_s1 grid=1 block=32 args: zeros:8388608, u32:2097152, u32:1, u32:32, u32:16, zeros:128
FOLLOW(follow_cg_1_8m_s1, false)
//@ follow_cg_1_8m_s1_w16 grid=1 block=512 args: zeros:8388608, u32:2097152, u32:1, u32:32, u32:16, zeros:128
FOLLOW(follow_cg_1_8m_s1_w16, false)
//@ follow_ca_1_256k_w16 grid=264 block=256 args: zeros:262144, u32:65536, u32:1, u32:32, u32:16, zeros:128
FOLLOW(follow_ca_1_256k_w16, true)
//@ together_4 grid=132 block=128 args: zeros:32768, u32:16, u32:4, u32:0, zeros:128
TOGETHER(together_4)
//@ together_16 grid=132 block=128 args: zeros:131072, u32:16, u32:16, u32:0, zeros:128
TOGETHER(together_16)
//@ together_64 grid=132 block=128 args: zeros:524288, u32:16, u32:64, u32:0, zeros:128
TOGETHER(together_64)
//@ together_16_b4 grid=528 block=128 args: zeros:131072, u32:16, u32:16, u32:0, zeros:128
TOGETHER(together_16_b4)
//@ together_16_s16 grid=16 block=128 args: zeros:131072, u32:16, u32:16, u32:0, zeros:128
TOGETHER(together_16_s16)
//@ together_4_own grid=132 block=128 args: zeros:4325376, u32:16, u32:4, u32:2048, zeros:128
TOGETHER(together_4_own)
//@ together_16_own grid=132 block=128 args: zeros:17301504, u32:16, u32:16, u32:8192, zeros:128
TOGETHER(together_16_own)
