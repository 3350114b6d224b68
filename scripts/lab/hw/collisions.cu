// SPDX-License-Identifier: Apache-2.0
// Which of the lanes that store to one address stays: 64 cases of 1 to 16 bytes, in shared and in global memory.
#include <cstdint>
__device__ inline uint32_t mix(uint32_t x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; return x ^ x >> 16; }
template <int B> struct T;
template <> struct T<1> { using t = uint8_t; static __device__ t of(uint32_t l) { return l; } };
template <> struct T<2> { using t = uint16_t; static __device__ t of(uint32_t l) { return l; } };
template <> struct T<4> { using t = uint32_t; static __device__ t of(uint32_t l) { return l; } };
template <> struct T<8> { using t = uint2; static __device__ t of(uint32_t l) { return {l, l}; } };
template <> struct T<16> { using t = uint4; static __device__ t of(uint32_t l) { return {l, l, l, l}; } };
// case: 0 all to one, 1 pairs, 2 lane mod 8, 3..: random target below 8 or 32, random active lanes
template <int B> __device__ void one(uint32_t* out, void* shared, char* global, uint32_t n) {
  const uint32_t lane = threadIdx.x;
  const uint32_t at = n == 0 ? 0 : n == 1 ? lane / 2 : n == 2 ? lane % 8 : mix(n * 32 + lane) % (n % 2 ? 8 : 40);
  const bool active = n < 3 || mix(n * 77 + lane + 5) % 4 != 0;
  using U = typename T<B>::t;
  volatile uint8_t* raw = (volatile uint8_t*)shared;
  for (uint32_t i = lane; i < 1024; i += 32) raw[i] = 0xff, global[i] = 0xff;
  __syncwarp(); __threadfence();
  if (active) ((U*)shared)[at] = T<B>::of(lane);
  __syncwarp();
  if (active) ((U*)global)[at] = T<B>::of(lane);
  __threadfence(); __syncwarp();
  for (uint32_t i = lane; i < 256; i += 32) {
    out[i] = ((volatile uint32_t*)shared)[i];
    out[256 + i] = ((volatile uint32_t*)global)[i];
  }
  __syncwarp();
}
extern "C" __global__ void collide(uint32_t* out, char* global) {
  __shared__ uint4 s[64];
  for (uint32_t n = 0; n < 64; ++n) {
    one<1>(out, s, global, n); out += 512;
    one<2>(out, s, global, n); out += 512;
    one<4>(out, s, global, n); out += 512;
    one<8>(out, s, global, n); out += 512;
    one<16>(out, s, global, n); out += 512;
  }
}
