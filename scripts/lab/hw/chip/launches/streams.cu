// SPDX-License-Identifier: Apache-2.0
// Streams through L2 and DRAM; each launch asks how long one mix of loads and stores takes by width, size and block.
#include <cstdint>
using u32 = uint32_t;
using u64 = unsigned long long;

template <class T> __device__ inline T make(u32 v);
template <> __device__ inline u32 make<u32>(u32 v) { return v; }
template <> __device__ inline uint16_t make<uint16_t>(u32 v) { return (uint16_t)v; }
template <> __device__ inline uint2 make<uint2>(u32 v) { return make_uint2(v, v); }
template <> __device__ inline uint4 make<uint4>(u32 v) { return make_uint4(v, v, v, v); }
__device__ inline u32 fold(u32 v) { return v; }
__device__ inline u32 fold(uint16_t v) { return v; }
__device__ inline u32 fold(uint2 v) { return v.x ^ v.y; }
__device__ inline u32 fold(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

// `R` arrays are read, `W` written, which lie one behind the other; a thread has K elements of each, a block apart.
template <class T, int K, int R, int W>
__device__ void stream(const T* __restrict__ from, T* __restrict__ to) {
  u32 all = gridDim.x * blockDim.x * K, first = blockIdx.x * blockDim.x * K + threadIdx.x;
  T v[R ? R * K : 1];
#pragma unroll
  for (int r = 0; r < R; r++)
#pragma unroll
    for (int k = 0; k < K; k++) v[r * K + k] = from[r * all + first + k * blockDim.x];
  u32 sum = 0;
#pragma unroll
  for (int k = 0; k < K; k++) {
    u32 own = 0;
#pragma unroll
    for (int r = 0; r < R; r++) own ^= fold(v[r * K + k]);
#pragma unroll
    for (int w = 0; w < W; w++) to[w * all + first + k * blockDim.x] = make<T>(own + w);
    sum ^= own;
  }
  if (W == 0 && sum == 0x12345678) to[0] = make<T>(sum);
}
#define STREAM(name, T, K, R, W) \
  extern "C" __global__ void name(const T* from, T* to) { stream<T, K, R, W>(from, to); }
//@ s11_4x1_2m grid=2048 block=256 args: zeros:2097152, zeros:2097152
STREAM(s11_4x1_2m, u32, 1, 1, 1)
//@ s11_4x4_2m grid=512 block=256 args: zeros:2097152, zeros:2097152
STREAM(s11_4x4_2m, u32, 4, 1, 1)
//@ s11_16x1_2m grid=512 block=256 args: zeros:2097152, zeros:2097152
STREAM(s11_16x1_2m, uint4, 1, 1, 1)
//@ s11_16x4_2m grid=128 block=256 args: zeros:2097152, zeros:2097152
STREAM(s11_16x4_2m, uint4, 4, 1, 1)
//@ s11_4x1_4m grid=4096 block=256 args: zeros:4194304, zeros:4194304
STREAM(s11_4x1_4m, u32, 1, 1, 1)
//@ s11_4x4_4m grid=1024 block=256 args: zeros:4194304, zeros:4194304
STREAM(s11_4x4_4m, u32, 4, 1, 1)
//@ s11_16x1_4m grid=1024 block=256 args: zeros:4194304, zeros:4194304
STREAM(s11_16x1_4m, uint4, 1, 1, 1)
//@ s11_16x4_4m grid=256 block=256 args: zeros:4194304, zeros:4194304
STREAM(s11_16x4_4m, uint4, 4, 1, 1)
//@ s11_4x1_8m grid=8192 block=256 args: zeros:8388608, zeros:8388608
STREAM(s11_4x1_8m, u32, 1, 1, 1)
//@ s11_4x4_8m grid=2048 block=256 args: zeros:8388608, zeros:8388608
STREAM(s11_4x4_8m, u32, 4, 1, 1)
//@ s11_16x1_8m grid=2048 block=256 args: zeros:8388608, zeros:8388608
STREAM(s11_16x1_8m, uint4, 1, 1, 1)
//@ s11_16x4_8m grid=512 block=256 args: zeros:8388608, zeros:8388608
STREAM(s11_16x4_8m, uint4, 4, 1, 1)
//@ s11_4x1_16m grid=16384 block=256 args: zeros:16777216, zeros:16777216
STREAM(s11_4x1_16m, u32, 1, 1, 1)
//@ s11_4x4_16m grid=4096 block=256 args: zeros:16777216, zeros:16777216
STREAM(s11_4x4_16m, u32, 4, 1, 1)
//@ s11_16x1_16m grid=4096 block=256 args: zeros:16777216, zeros:16777216
STREAM(s11_16x1_16m, uint4, 1, 1, 1)
//@ s11_16x4_16m grid=1024 block=256 args: zeros:16777216, zeros:16777216
STREAM(s11_16x4_16m, uint4, 4, 1, 1)
//@ s11_8x1_8m grid=4096 block=256 args: zeros:8388608, zeros:8388608
STREAM(s11_8x1_8m, uint2, 1, 1, 1)
//@ s11_2x1_4m grid=8192 block=256 args: zeros:4194304, zeros:4194304
STREAM(s11_2x1_4m, uint16_t, 1, 1, 1)
//@ s11_4x2_8m grid=4096 block=256 args: zeros:8388608, zeros:8388608
STREAM(s11_4x2_8m, u32, 2, 1, 1)
//@ s11_16x2_8m grid=1024 block=256 args: zeros:8388608, zeros:8388608
STREAM(s11_16x2_8m, uint4, 2, 1, 1)
//@ s10_4x4_2m grid=512 block=256 args: zeros:2097152, zeros:16
STREAM(s10_4x4_2m, u32, 4, 1, 0)
//@ s10_16x1_2m grid=512 block=256 args: zeros:2097152, zeros:16
STREAM(s10_16x1_2m, uint4, 1, 1, 0)
//@ s10_16x4_2m grid=128 block=256 args: zeros:2097152, zeros:16
STREAM(s10_16x4_2m, uint4, 4, 1, 0)
//@ s10_4x4_4m grid=1024 block=256 args: zeros:4194304, zeros:16
STREAM(s10_4x4_4m, u32, 4, 1, 0)
//@ s10_16x1_4m grid=1024 block=256 args: zeros:4194304, zeros:16
STREAM(s10_16x1_4m, uint4, 1, 1, 0)
//@ s10_16x4_4m grid=256 block=256 args: zeros:4194304, zeros:16
STREAM(s10_16x4_4m, uint4, 4, 1, 0)
//@ s10_4x4_8m grid=2048 block=256 args: zeros:8388608, zeros:16
STREAM(s10_4x4_8m, u32, 4, 1, 0)
//@ s10_16x1_8m grid=2048 block=256 args: zeros:8388608, zeros:16
STREAM(s10_16x1_8m, uint4, 1, 1, 0)
//@ s10_16x4_8m grid=512 block=256 args: zeros:8388608, zeros:16
STREAM(s10_16x4_8m, uint4, 4, 1, 0)
//@ s10_4x4_16m grid=4096 block=256 args: zeros:16777216, zeros:16
STREAM(s10_4x4_16m, u32, 4, 1, 0)
//@ s10_16x1_16m grid=4096 block=256 args: zeros:16777216, zeros:16
STREAM(s10_16x1_16m, uint4, 1, 1, 0)
//@ s10_16x4_16m grid=1024 block=256 args: zeros:16777216, zeros:16
STREAM(s10_16x4_16m, uint4, 4, 1, 0)
//@ s10_4x4_32m grid=8192 block=256 args: zeros:33554432, zeros:16
STREAM(s10_4x4_32m, u32, 4, 1, 0)
//@ s10_16x1_32m grid=8192 block=256 args: zeros:33554432, zeros:16
STREAM(s10_16x1_32m, uint4, 1, 1, 0)
//@ s10_16x4_32m grid=2048 block=256 args: zeros:33554432, zeros:16
STREAM(s10_16x4_32m, uint4, 4, 1, 0)
//@ s01_4x1_2m grid=2048 block=256 args: zeros:16, zeros:2097152
STREAM(s01_4x1_2m, u32, 1, 0, 1)
//@ s01_16x1_2m grid=512 block=256 args: zeros:16, zeros:2097152
STREAM(s01_16x1_2m, uint4, 1, 0, 1)
//@ s01_16x4_2m grid=128 block=256 args: zeros:16, zeros:2097152
STREAM(s01_16x4_2m, uint4, 4, 0, 1)
//@ s01_4x1_4m grid=4096 block=256 args: zeros:16, zeros:4194304
STREAM(s01_4x1_4m, u32, 1, 0, 1)
//@ s01_16x1_4m grid=1024 block=256 args: zeros:16, zeros:4194304
STREAM(s01_16x1_4m, uint4, 1, 0, 1)
//@ s01_16x4_4m grid=256 block=256 args: zeros:16, zeros:4194304
STREAM(s01_16x4_4m, uint4, 4, 0, 1)
//@ s01_4x1_8m grid=8192 block=256 args: zeros:16, zeros:8388608
STREAM(s01_4x1_8m, u32, 1, 0, 1)
//@ s01_16x1_8m grid=2048 block=256 args: zeros:16, zeros:8388608
STREAM(s01_16x1_8m, uint4, 1, 0, 1)
//@ s01_16x4_8m grid=512 block=256 args: zeros:16, zeros:8388608
STREAM(s01_16x4_8m, uint4, 4, 0, 1)
//@ s01_4x1_16m grid=16384 block=256 args: zeros:16, zeros:16777216
STREAM(s01_4x1_16m, u32, 1, 0, 1)
//@ s01_16x1_16m grid=4096 block=256 args: zeros:16, zeros:16777216
STREAM(s01_16x1_16m, uint4, 1, 0, 1)
//@ s01_16x4_16m grid=1024 block=256 args: zeros:16, zeros:16777216
STREAM(s01_16x4_16m, uint4, 4, 0, 1)
//@ s01_4x1_32m grid=32768 block=256 args: zeros:16, zeros:33554432
STREAM(s01_4x1_32m, u32, 1, 0, 1)
//@ s01_16x1_32m grid=8192 block=256 args: zeros:16, zeros:33554432
STREAM(s01_16x1_32m, uint4, 1, 0, 1)
//@ s01_16x4_32m grid=2048 block=256 args: zeros:16, zeros:33554432
STREAM(s01_16x4_32m, uint4, 4, 0, 1)
//@ s21_4x1_8m grid=8192 block=256 args: zeros:16777216, zeros:8388608
STREAM(s21_4x1_8m, u32, 1, 2, 1)
//@ s21_16x1_8m grid=2048 block=256 args: zeros:16777216, zeros:8388608
STREAM(s21_16x1_8m, uint4, 1, 2, 1)
//@ s21_16x1_4m grid=1024 block=256 args: zeros:8388608, zeros:4194304
STREAM(s21_16x1_4m, uint4, 1, 2, 1)
//@ s31_16x1_4m grid=1024 block=256 args: zeros:12582912, zeros:4194304
STREAM(s31_16x1_4m, uint4, 1, 3, 1)
//@ s12_16x1_4m grid=1024 block=256 args: zeros:4194304, zeros:8388608
STREAM(s12_16x1_4m, uint4, 1, 1, 2)
//@ s13_16x1_4m grid=1024 block=256 args: zeros:4194304, zeros:12582912
STREAM(s13_16x1_4m, uint4, 1, 1, 3)
//@ s43_4x1_4m grid=4096 block=256 args: zeros:16777216, zeros:12582912
STREAM(s43_4x1_4m, u32, 1, 4, 3)
//@ s21_2x1_4m grid=8192 block=256 args: zeros:8388608, zeros:4194304
STREAM(s21_2x1_4m, uint16_t, 1, 2, 1)
//@ s21_4x4_4m grid=1024 block=256 args: zeros:8388608, zeros:4194304
STREAM(s21_4x4_4m, u32, 4, 2, 1)
//@ s11_16x1_8m_b128 grid=4096 block=128 args: zeros:8388608, zeros:8388608
STREAM(s11_16x1_8m_b128, uint4, 1, 1, 1)
//@ s11_16x1_8m_b512 grid=1024 block=512 args: zeros:8388608, zeros:8388608
STREAM(s11_16x1_8m_b512, uint4, 1, 1, 1)
//@ s11_16x1_8m_b1024 grid=512 block=1024 args: zeros:8388608, zeros:8388608
STREAM(s11_16x1_8m_b1024, uint4, 1, 1, 1)
//@ s11_4x1_8m_b1024 grid=2048 block=1024 args: zeros:8388608, zeros:8388608
STREAM(s11_4x1_8m_b1024, u32, 1, 1, 1)

// In place; the rest by loops of a grid that fits; records of words.
//@ placed_4 grid=8192 block=256 args: zeros:8388608
extern "C" __global__ void placed_4(u32* at) { at[blockIdx.x * blockDim.x + threadIdx.x] += 7; }
//@ placed_16 grid=2048 block=256 args: zeros:8388608
extern "C" __global__ void placed_16(uint4* at) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 v = at[i];
  v.x += 1;
  at[i] = v;
}
//@ looped grid=528 block=256 args: zeros:8388608, zeros:8388608, u32:524288
extern "C" __global__ void looped(const uint4* __restrict__ from, uint4* __restrict__ to, u32 n) {
  for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) to[i] = from[i];
}
//@ looped_4 grid=1056 block=256 args: zeros:8388608, zeros:8388608, u32:2097152
extern "C" __global__ void looped_4(const u32* __restrict__ from, u32* __restrict__ to, u32 n) {
  for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) to[i] = from[i];
}
//@ fields_4 grid=2048 block=256 args: zeros:8388608, zeros:8388608
extern "C" __global__ void fields_4(const u32* __restrict__ from, u32* __restrict__ to) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    u32 v;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(from + 4 * i + k));
    to[k * all + i] = v;
  }
}
//@ records_4 grid=2048 block=256 args: zeros:6291456, zeros:6291456
extern "C" __global__ void records_4(const u32* __restrict__ from, u32* __restrict__ to) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
#pragma unroll
  for (int k = 0; k < 3; k++) to[3 * i + k] = from[k * all + i];
}
