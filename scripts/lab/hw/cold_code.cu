// Cold code: clocks at each line of straight code, of code with jumps, with 1 to 16 warps in 1 and 132 blocks.
// Prints rows: kernel, blocks, warps, block, warp, then the cycle of each sample behind the first.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>
using u32 = uint32_t;

__device__ __forceinline__ u32 now() {
  u32 t;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t));
  return t;
}

// Seven instructions: 0 of four registers in turn, 1 each of the one before, 2 six reciprocals of each other.
template <int KIND>
__device__ __forceinline__ void line(float (&r)[4], float& f) {
  if constexpr (KIND == 0) {
#pragma unroll
    for (int i = 0; i < 7; ++i) asm volatile("fma.rn.f32 %0, %0, %1, %0;" : "+f"(r[i & 3]) : "f"(r[(i + 1) & 3]));
  } else if constexpr (KIND == 1) {
#pragma unroll
    for (int i = 0; i < 7; ++i) asm volatile("fma.rn.f32 %0, %0, %1, %0;" : "+f"(r[0]) : "f"(r[1]));
  } else {
#pragma unroll
    for (int i = 0; i < 7; ++i) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(f));
  }
}

template <int KIND, int LINES>
__device__ void straight(u32* out, u32 seed) {
  u32 t[LINES];
  const float s = seed + threadIdx.x;
  float r[4] = {s, s + 1, s + 2, s + 3}, f = s;
#pragma unroll
  for (int i = 0; i < LINES; ++i) {
    t[i] = now();
    line<KIND>(r, f);
  }
  u32* own = out + (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * 192;
  if (threadIdx.x % 32 == 0) {
#pragma unroll
    for (int i = 0; i < LINES; ++i) own[i] = t[i] - t[0];
  }
  if (r[0] + r[1] + r[2] + r[3] + f == 1.2345f) own[191] = 1;
}

// Forward over SKIP lines of dense code, then LINES lines that run.
template <int SKIP, int TIMES>
__device__ void jumps(u32* out, u32 seed, u32 bits) {
  u32 t[2 * TIMES];
  const float s = seed + threadIdx.x;
  float r[4] = {s, s + 1, s + 2, s + 3}, f = s;
#pragma unroll
  for (int i = 0; i < TIMES; ++i) {
    t[2 * i] = now();
    if (bits >> (i % 8) & 1) {
#pragma unroll
      for (int j = 0; j < SKIP; ++j) {
        line<0>(r, f);
        asm volatile("fma.rn.f32 %0, %0, %1, %0;" : "+f"(r[3]) : "f"(r[0]));
      }
    }
    t[2 * i + 1] = now();
    line<0>(r, f);
  }
  u32* own = out + (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * 192;
  if (threadIdx.x % 32 == 0) {
#pragma unroll
    for (int i = 0; i < 2 * TIMES; ++i) own[i] = t[i] - t[0];
  }
  if (r[0] + r[1] + r[2] + r[3] + f == 1.2345f) own[191] = 1;
}

extern "C" {
__global__ void dense(u32* out, u32 seed) { straight<0, 160>(out, seed); }
__global__ void chained(u32* out, u32 seed) { straight<1, 160>(out, seed); }
__global__ void slow(u32* out, u32 seed) { straight<2, 160>(out, seed); }
__global__ void over_4(u32* out, u32 seed) { jumps<4, 30>(out, seed, seed); }
__global__ void over_8(u32* out, u32 seed) { jumps<8, 20>(out, seed, seed); }
__global__ void over_16(u32* out, u32 seed) { jumps<16, 16>(out, seed, seed); }
__global__ void over_32(u32* out, u32 seed) { jumps<32, 10>(out, seed, seed); }
__global__ void over_64(u32* out, u32 seed) { jumps<64, 10>(out, seed, seed); }
}

using Kernel = void (*)(u32*, u32);

static void run(const char* name, Kernel kernel, int samples, int blocks, int warps, u32* out) {
  std::vector<u32> host(size_t(blocks) * warps * 192);
  cudaMemset(out, 0, host.size() * 4);
  for (int again = 0; again < 2; ++again) {  // the second time is printed: without a profiler it is warm
    kernel<<<blocks, 32 * warps>>>(out, 0);
    cudaDeviceSynchronize();
  }
  cudaMemcpy(host.data(), out, host.size() * 4, cudaMemcpyDeviceToHost);
  for (int block = 0; block < blocks; block += blocks > 8 ? 33 : 1)
    for (int warp = 0; warp < warps; ++warp) {
      printf("%s,%d,%d,%d,%d", name, blocks, warps, block, warp);
      for (int i = 0; i < samples; ++i) printf(",%u", host[(size_t(block) * warps + warp) * 192 + i]);
      printf("\n");
    }
}

int main() {
  u32* out;
  cudaMalloc(&out, 132 * 16 * 192 * 4);
  const struct { const char* name; Kernel kernel; int samples; } all[] = {
      {"dense", dense, 160}, {"chained", chained, 160}, {"slow", slow, 160}, {"over_4", over_4, 60},
      {"over_8", over_8, 40}, {"over_16", over_16, 32}, {"over_32", over_32, 20}, {"over_64", over_64, 20}};
  for (const auto& each : all)
    for (int warps : {1, 4, 16}) run(each.name, each.kernel, each.samples, 1, warps, out);
  for (const auto& each : all)
    if (each.samples == 160)
      for (int warps : {1, 4}) run(each.name, each.kernel, each.samples, 132, warps, out);
  const cudaError_t error = cudaGetLastError();
  if (error) printf("error %s\n", cudaGetErrorString(error));
  return error != 0;
}
