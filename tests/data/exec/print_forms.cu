// printf of many forms, assert off, clock, warp votes, lane masks, vector types, bit fields, 64-bit
// shuffles.
#include <cstdint>
#include <cstdio>
struct Particle {
  float3 at;
  uchar4 color;
  long long id;
  double mass;
  short flags[3];
};
__device__ Particle cloud[4];
__device__ const char* names[3] = {"left", "right", "middle"};
__global__ void fill() {
  Particle& p = cloud[threadIdx.x];
  p.at = make_float3(threadIdx.x, 2.5f, -1.f);
  p.color = make_uchar4(1, 2, 3, threadIdx.x);
  p.id = -1LL << threadIdx.x;
  p.mass = 1.0 / (1 + threadIdx.x);
  p.flags[2] = 300 - threadIdx.x;
}
__global__ void show() {
  const Particle& p = cloud[threadIdx.x];
  printf("%u %f %d %lld %.15g %hd %s|%-8s|%5s\n", threadIdx.x, p.at.x, p.color.w, p.id, p.mass,
         p.flags[2], names[threadIdx.x % 3], names[0], names[1]);
  if (threadIdx.x == 0) {
    printf("%%, %c%c, %x %X %#x %o, %+d % d %05d|%-5d|%5d, %e %G %a\n", 'o', 'k', 255, 255, 255, 8,
           5, 5, 42, 42, 42, 12345.678, 1e-10, 1.0);
    printf("%llu %lu %d %ld %u %.3s %d %.2f %i\n", ~0ULL, 7UL, (int)sizeof(Particle), -3L,
           260 & 255, "abcdef", 42, 3.14159, -1);
    printf("none\n");
  }
}
__global__ void votes(uint64_t* out) {
  int i = threadIdx.x;
  unsigned b = __ballot_sync(~0u, i % 3 == 0);
  uint64_t wide = ((uint64_t)i << 40) | b;
  uint64_t other = __shfl_xor_sync(~0u, wide, 3);
  double d = __shfl_down_sync(~0u, i * 0.5, 1);
  out[i] = other + (uint64_t)(d * 2) + __all_sync(~0u, i < 40) * 100 +
           __any_sync(~0u, i > 40) * 1000 + __popc(__match_any_sync(~0u, i / 5)) +
           __reduce_add_sync(~0u, i) + __reduce_max_sync(~0u, i ^ 3);
}
int main() {
  fill<<<1, 4>>>();
  show<<<1, 4>>>();
  cudaDeviceSynchronize();
  uint64_t* o;
  cudaMallocManaged(&o, 256);
  votes<<<1, 32>>>(o);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; i += 7) printf("%016llx ", (unsigned long long)o[i]);
  printf("\n");
  Particle h[4];
  cudaMemcpyFromSymbol(h, cloud, sizeof h);
  printf("%f %d %g\n", h[3].at.x, h[3].color.w, h[2].mass);
  size_t bytes;
  cudaGetSymbolSize(&bytes, cloud);
  cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize);
  printf("%zu %s\n", bytes, cudaGetErrorName(cudaGetLastError()));
}
