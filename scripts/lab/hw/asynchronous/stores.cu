// SPDX-License-Identifier: Apache-2.0
// Stores of a block and its end; lines of the L2 by what was done to them before.
#include "probe.cuh"

/// One block a SM at a time. form: stores a warp (8 bits), their pattern (4 bits), and whether SM 0
/// alone stores. Four words a block: SM, its begin, the end of the stores' issue, and its warp 0's end.
FORMED_PROBE(stores) {
  extern __shared__ __align__(128) uint32_t data[];
  const uint32_t begin = now(), number = sm(), count = form & 255, pattern = form >> 8 & 15;
  const uint32_t l = threadIdx.x & 31, w = threadIdx.x / 32 + blockIdx.x * (blockDim.x / 32);
  const bool active = form >> 12 == 0 || number == 0;
  char* const room = reinterpret_cast<char*>(out) + (1 << 20);
  const auto repeat = [&](uint32_t lane_at, uint32_t bytes, auto store) {
#pragma unroll 1
    for (uint32_t i = 0; i < count; i++) store(room + (w * count + i) * bytes % (32u << 20) + lane_at);
  };
  __syncthreads();
  const uint32_t t = now();
  if (active) {
    const auto words = [&](char* at) { *reinterpret_cast<uint32_t*>(at) = t; };
    const auto pairs = [&](char* at) { *reinterpret_cast<uint2*>(at) = make_uint2(t, t); };
    const auto fours = [&](char* at) { *reinterpret_cast<uint4*>(at) = make_uint4(t, t, t, t); };
    const uint32_t row = l / 4 * 256, column = l % 4;
    if (pattern == 0) repeat(4 * l, 128, words);
    if (pattern == 1) repeat(row + 8 * column, 2048, pairs);
    if (pattern == 2) repeat(row + 4 * column, 2048, words);
    if (pattern == 3) repeat(row + 16 * column, 2048, fours);
    if (pattern == 4) repeat(256 * l, 8192, words);
    if (pattern == 5 && l == 0) repeat(0, 128, words);
    if (pattern == 6) repeat(16 * l, 512, fours);
    if (pattern == 7) repeat(l / 2 * 256 + l % 2 * 8, 4096, pairs);
    if (pattern == 8) repeat(l / 8 * 256 + l % 8 * 4, 1024, words);
    if (pattern == 9) repeat(l / 16 * 256 + l % 16 * 4, 512, words);
    if (pattern == 10) repeat(4 * l + 16, 128, words);
    if (pattern == 11 && l < 8) repeat(4 * l, 128, words);
    if (pattern == 12 && l < 4) repeat(4 * l, 128, words);
  }
  const uint32_t end = now();
  if (threadIdx.x == 0) reinterpret_cast<uint4*>(out)[blockIdx.x] = make_uint4(number, begin, end - t, end);
}

/// Latency of a first load of each line by one thread of SM `form` (12 bits); count (10 bits),
/// and the distance in lines.
FORMED_PROBE(lines) {
  if (threadIdx.x != 0 || sm() != (form & 4095)) return;
  const uint32_t count = (form >> 12 & 1023) + 1, apart = (form >> 22) * 32;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t found;
    const uint32_t t = now();
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(found) : "l"(in + i * apart) : "memory");
    if (found == 0x12345678) return;  // waits for the load
    out[i] = now() - t;
  }
}

/// All SMs read `in`, `form` words of 16 bytes, or (bit 31) write it.
FORMED_PROBE(touched) {
  const uint32_t count = form & 0x7FFFFFFF;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    uint4* const at = reinterpret_cast<uint4*>(const_cast<uint32_t*>(in)) + i;
    if (form >> 31) *at = make_uint4(0, 0, 0, 0);
    else if (at->x == 12345) out[0] = 1;
  }
}
/// The same of reading, by all SMs all of it.
FORMED_PROBE(read_by_all) {
  for (uint32_t i = threadIdx.x; i < form; i += blockDim.x)
    if (reinterpret_cast<const uint4*>(in)[i].x == 12345) out[0] = 1;
}
