// SPDX-License-Identifier: Apache-2.0
// Cold code by its length, and constants of a cold launch: clocks at each line of straight code of 4 to 512 lines, and around
// operands, ULDC and LDC of further lines of constants. Rows: kernel, blocks, warps, block, warp, cycles behind the first.
#include <cstdint>
#include <cstdio>
#include <vector>
using u32 = uint32_t;

__device__ __forceinline__ u32 now() {
  u32 t;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t));
  return t;
}
constexpr int kSamples = 40;

// LINES lines of seven FFMA and a clock read; the first 24 clocks, then every LINES / 16th, are kept.
template <int LINES>
__device__ void straight(u32* out, u32 seed) {
  u32 t[kSamples];
  const float s = seed + threadIdx.x;
  float r[4] = {s, s + 1, s + 2, s + 3};
  int n = 0;
#pragma unroll
  for (int i = 0; i < LINES; ++i) {
    const u32 c = now();
    if (i < 24 || (LINES >= 16 && i % (LINES >= 16 ? LINES / 16 : 1) == 0 && n < kSamples)) t[n++] = c;
#pragma unroll
    for (int j = 0; j < 7; ++j) asm volatile("fma.rn.f32 %0, %0, %1, %0;" : "+f"(r[j & 3]) : "f"(r[(j + 1) & 3]));
  }
  u32* own = out + (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * kSamples;
  if (threadIdx.x % 32 == 0) {
#pragma unroll
    for (int i = 0; i < kSamples; ++i) own[i] = i < n ? t[i < n ? i : 0] - t[0] : 0;
  }
  if (r[0] + r[1] + r[2] + r[3] == 1.2345f) out[0] = 1;
}

struct Many { u32 v[512]; };  // 2 KiB of arguments
__constant__ u32 table[4096];

// An operand of every 64 bytes, between clocks.
template <class Word>
__device__ __forceinline__ void operands(u32* out, Word word) {
  u32 t[kSamples], x = threadIdx.x;
#pragma unroll
  for (int i = 0; i < 30; ++i) {
    t[i] = now();
    asm volatile("add.u32 %0, %0, %1;" : "+r"(x) : "r"(word(16 * i)));
  }
  u32* own = out + (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * kSamples;
  if (threadIdx.x % 32 == 0) {
#pragma unroll
    for (int i = 0; i < 30; ++i) own[i] = t[i] - t[0];
  }
  if (x == 12345) out[0] = 1;
}

extern "C" {
#define CODE(N) __global__ void code_##N(u32* out, u32 seed) { straight<N>(out, seed); }
CODE(8) CODE(16) CODE(32) CODE(64) CODE(128) CODE(256) CODE(512)
__global__ void arguments(u32* out, Many many) {
  operands(out, [&](int i) { return many.v[i]; });
}
__global__ void constants(u32* out, u32 seed) {
  operands(out, [](int i) { return table[i]; });
}
// LDC with an address that depends on the one before.
__global__ void loads(u32* out, u32 seed) {
  u32 t[kSamples], x = threadIdx.x & seed;
#pragma unroll
  for (int i = 0; i < 30; ++i) {
    t[i] = now();
    x = table[16 * i + (x & seed)] & seed;
    asm volatile("" : "+r"(x));
  }
  u32* own = out + (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * kSamples;
  if (threadIdx.x % 32 == 0) {
#pragma unroll
    for (int i = 0; i < 30; ++i) own[i] = t[i] - t[0];
  }
  if (x == 12345) out[0] = 1;
}
}

static std::vector<u32> host;
static void print(const char* name, int blocks, int warps, u32* out) {
  cudaDeviceSynchronize();
  host.resize(size_t(blocks) * warps * kSamples);
  cudaMemcpy(host.data(), out, host.size() * 4, cudaMemcpyDeviceToHost);
  for (int block = 0; block < blocks; block += blocks > 8 ? 33 : 1)
    for (int warp = 0; warp < warps; warp += 3) {
      char line[600];
      int n = snprintf(line, sizeof line, "\nrow,%s,%d,%d,%d,%d", name, blocks, warps, block, warp);
      for (int i = 0; i < kSamples; ++i)
        n += snprintf(line + n, sizeof line - n, ",%u", host[(size_t(block) * warps + warp) * kSamples + i]);
      puts(line);
    }
}

int main() {
  u32* out;
  cudaMalloc(&out, 132 * 16 * kSamples * 4);
  using Kernel = void (*)(u32*, u32);
  const struct { const char* name; Kernel kernel; } all[] = {
      {"code_8", code_8}, {"code_16", code_16}, {"code_32", code_32}, {"code_64", code_64}, {"code_128", code_128},
      {"code_256", code_256}, {"code_512", code_512}, {"constants", constants}, {"loads", loads}};
  Many many = {};
  for (int blocks : {1, 132})
    for (int warps : {1, 4, 16}) {
      for (const auto& each : all) {
        each.kernel<<<blocks, 32 * warps>>>(out, 0);
        print(each.name, blocks, warps, out);
      }
      arguments<<<blocks, 32 * warps>>>(out, many);
      print("arguments", blocks, warps, out);
    }
  const cudaError_t error = cudaGetLastError();
  if (error) printf("error %s\n", cudaGetErrorString(error));
  return error != 0;
}
