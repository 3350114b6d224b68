// SPDX-License-Identifier: Apache-2.0
// Cycles of wide loads and stores of shared memory, and of loads that the L1 has, by the pattern of the lanes' addresses.
// nvcc -arch=sm_90 -o wide wide.cu && ./wide > wide.csv: a row for each pattern, with its offsets in units of the access, and the
// cycles of 64 accesses of one warp and of each of 16.
#include <cstdio>

#include "clock.cuh"

template <int space, int bytes> __global__ void __launch_bounds__(512) wide(const u32* offsets, u32* table, u32* out) {
  __shared__ uint4 room[2560];
  u32 lane = threadIdx.x % 32;
  for (u32 i = threadIdx.x; i < 2560; i += blockDim.x) room[i] = make_uint4(0, 0, 0, 0);
  u32 at = (u32)__cvta_generic_to_shared(room) + offsets[lane] * bytes;
  const char* p = (const char*)table + offsets[lane] * bytes;
  u32 sum = 0, t0 = 0, t1 = 0;
  for (int again = 0; again < 2; again++) {
    __syncthreads();
    t0 = now();
    for (int round = 0; round < 4; round++) {
      u32 step = round * 8192;
#pragma unroll
      for (int i = 0; i < 16; i++) {
        u32 a = 0, b = 0, c = 0, d = 0;
        if (space == 0 && bytes == 8) asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(at + step + i * 512) : "memory");
        if (space == 0 && bytes == 16) asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at + step + i * 512) : "memory");
        if (space == 1 && bytes == 8) asm volatile("ld.global.ca.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(p + step + i * 512) : "memory");
        if (space == 1 && bytes == 16) asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(p + step + i * 512) : "memory");
        if (space == 2 && bytes == 8) asm volatile("st.shared.v2.u32 [%0], {%1, %1};" :: "r"(at + step + i * 512), "r"(lane) : "memory");
        if (space == 2 && bytes == 16) asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" :: "r"(at + step + i * 512), "r"(lane) : "memory");
        if (space != 2) sum += a ^ b ^ c ^ d;
      }
    }
    asm volatile("" :: "r"(sum) : "memory");
    __syncthreads();
    t1 = now();
  }
  if (threadIdx.x == 0) out[0] = t1 - t0 + (sum == 77);
  if (sum == 78) out[1] = room[sum].x;
}
template <int space, int bytes> void rows(const char* name, u32* offsets, u32* table, u32* out, u32 (*of)(u32, u32), u32 seed, const char* pattern) {
  u32 h[32], t[2];
  for (u32 i = 0; i < 32; i++) h[i] = of(i, seed);
  cudaMemcpy(offsets, h, sizeof h, cudaMemcpyHostToDevice);
  for (int w = 0; w < 2; w++) {
    wide<space, bytes><<<1, w ? 512 : 32>>>(offsets, table, out);
    cudaMemcpy(t + w, out, 4, cudaMemcpyDeviceToHost);
  }
  printf("%s,%d,%s", name, bytes, pattern);
  for (u32 i = 0; i < 32; i++) printf("%c%u", i ? ' ' : ',', h[i]);
  printf(",%u,%u\n", t[0], t[1]);
}
static u32 hash(u32 h) { h ^= h >> 16; h *= 0x7feb352du; h ^= h >> 15; h *= 0x846ca68bu; return h ^ h >> 16; }
struct Pattern { const char* name; u32 (*of)(u32, u32); };
static Pattern patterns[] = {
  {"row", [](u32 i, u32) { return i; }}, {"same", [](u32, u32) { return 0u; }}, {"halves", [](u32 i, u32) { return i / 16; }},
  {"quarters", [](u32 i, u32) { return i / 8; }}, {"by4", [](u32 i, u32) { return i / 4; }}, {"by2", [](u32 i, u32) { return i / 2; }},
  {"mod2", [](u32 i, u32) { return i % 2; }}, {"mod4", [](u32 i, u32) { return i % 4; }}, {"mod8", [](u32 i, u32) { return i % 8; }},
  {"mod16", [](u32 i, u32) { return i % 16; }}, {"xor2", [](u32 i, u32) { return (i & 1) | (i >> 2) << 1; }},
  {"xor4", [](u32 i, u32) { return (i & 3) | (i >> 3) << 2; }}, {"xor8", [](u32 i, u32) { return (i & 7) | (i >> 4) << 3; }},
  {"by4far", [](u32 i, u32) { return i / 4 * 8; }}, {"by2far", [](u32 i, u32) { return i / 2 * 8; }}, {"mod2far", [](u32 i, u32) { return i % 2 * 16; }},
  {"xor2far", [](u32 i, u32) { return ((i & 1) | (i >> 2) << 1) * 8; }}, {"quartersfar", [](u32 i, u32) { return i / 8 * 16; }}, {"halvesfar", [](u32 i, u32) { return i / 16 * 16; }},
  {"stride2", [](u32 i, u32) { return i * 2; }}, {"stride4", [](u32 i, u32) { return i * 4; }}, {"reverse", [](u32 i, u32) { return 31 - i; }},
};
int main() {
  u32 *offsets, *table, *out;
  cudaMalloc(&offsets, 128); cudaMalloc(&table, 1 << 20); cudaMalloc(&out, 8); cudaMemset(table, 0, 1 << 20);
  printf("space,bytes,pattern,offsets,one_warp,warps_16\n");
  auto all = [&](u32 (*of)(u32, u32), u32 seed, const char* name) {
    rows<0, 8>("shared", offsets, table, out, of, seed, name); rows<0, 16>("shared", offsets, table, out, of, seed, name);
    rows<1, 8>("global", offsets, table, out, of, seed, name); rows<1, 16>("global", offsets, table, out, of, seed, name);
    rows<2, 8>("store", offsets, table, out, of, seed, name); rows<2, 16>("store", offsets, table, out, of, seed, name);
  };
  for (Pattern& p : patterns) all(p.of, 0, p.name);
  for (u32 seed = 1; seed <= 24; seed++) {
    all([](u32 i, u32 s) { return hash(s * 32 + i) % (s % 3 == 0 ? 64 : s % 3 == 1 ? 8 : 2); }, seed, "random");
    all([](u32 i, u32 s) { return hash(s * 32 + i / 2) % 64; }, seed, "pairs");
    all([](u32 i, u32 s) { return hash(s * 32 + i % 8) % 64; }, seed, "octets");
    all([](u32 i, u32 s) { return hash(s * 32 + ((i & 1) | (i >> 2) << 1)) % 64; }, seed, "pairs2");
    all([](u32 i, u32 s) { return hash(s * 32 + i / 4) % 64; }, seed, "fours");
  }
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
