// SPDX-License-Identifier: Apache-2.0
// Reads behind atomics: 264 blocks count words in shared memory, then all add their counts to memory.
//
//   nvcc -arch=sm_90 -O3 histogram.cu -o histogram
//   ./histogram > histogram_blocks.csv      (the clocks of the blocks of one launch of `add`)
//   ncu --cache-control none --csv --metrics sm__cycles_active.max,sm__cycles_active.avg,sm__cycles_active.min ./histogram
//
// The variants differ in where the counts go: to the same 1,024 words if not zero (add) or always (add_all), to every
// eighth word (add_apart), to one of 64 copies (add_to_copies), or into the block's own words (store).
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int kBlocks = 264, kThreads = 512, kPlaces = 1024, kWords = 16 * kThreads;

struct Clocks {
  long long start, counted, ended;
  uint32_t sm;
};

template <class Put>
__device__ void count_and_put(const uint32_t* in, Clocks* clocks, Put put) {
  __shared__ uint32_t count[kPlaces];
  const long long start = clock64();
  for (int i = threadIdx.x; i < kPlaces; i += kThreads) count[i] = 0;
  __syncthreads();
#pragma unroll 4
  for (int i = threadIdx.x; i < kWords; i += kThreads) {
    const uint32_t word = in[blockIdx.x * kWords + i];
    atomicAdd(&count[(word & 255) + (word >> 8 & 255) + (word >> 16 & 511)], 1);
  }
  __syncthreads();
  const long long counted = clock64();
  for (int i = threadIdx.x; i < kPlaces; i += kThreads) put(i, count[i]);
  const long long ended = clock64();
  if (threadIdx.x != 0) return;
  uint32_t sm;
  asm("mov.u32 %0, %%smid;" : "=r"(sm));
  clocks[blockIdx.x] = {start, counted, ended, sm};
}

__global__ void store(const uint32_t* in, uint32_t* out, Clocks* clocks) {
  count_and_put(in, clocks, [out](int i, uint32_t n) { out[blockIdx.x * kPlaces + i] = n; });
}
__global__ void add_all(const uint32_t* in, uint32_t* out, Clocks* clocks) {
  count_and_put(in, clocks, [out](int i, uint32_t n) { atomicAdd(&out[i], n); });
}
__global__ void add_apart(const uint32_t* in, uint32_t* out, Clocks* clocks) {
  count_and_put(in, clocks, [out](int i, uint32_t n) { atomicAdd(&out[i * 8], n); });
}
__global__ void add_to_copies(const uint32_t* in, uint32_t* out, Clocks* clocks) {
  count_and_put(in, clocks, [out](int i, uint32_t n) {
    if (n != 0) atomicAdd(&out[blockIdx.x % 64 * kPlaces + i], n);
  });
}
__global__ void add(const uint32_t* in, uint32_t* out, Clocks* clocks) {
  count_and_put(in, clocks, [out](int i, uint32_t n) {
    if (n != 0) atomicAdd(&out[i], n);
  });
}

int main() {
  std::vector<uint32_t> words(kBlocks * kWords);
  uint32_t state = 12345;
  for (uint32_t& word : words) {  // Marsaglia's xorshift32
    state ^= state << 13;
    state ^= state >> 17;
    word = state ^= state << 5;
  }
  uint32_t *in, *out;
  Clocks* clocks;
  cudaMalloc(&in, words.size() * sizeof(uint32_t));
  cudaMalloc(&out, kBlocks * kPlaces * sizeof(uint32_t));
  cudaMalloc(&clocks, kBlocks * sizeof(Clocks));
  cudaMemcpy(in, words.data(), words.size() * sizeof(uint32_t), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, kBlocks * kPlaces * sizeof(uint32_t));
  for (int launch = 0; launch < 3; ++launch) {
    for (auto* const variant : {store, add_all, add_apart, add_to_copies, add})
      variant<<<kBlocks, kThreads>>>(in, out, clocks);
  }
  std::vector<Clocks> of_blocks(kBlocks);
  cudaMemcpy(of_blocks.data(), clocks, kBlocks * sizeof(Clocks), cudaMemcpyDeviceToHost);
  std::printf("block,sm,counted,ended\n");
  for (int block = 0; block < kBlocks; ++block) {
    const Clocks& each = of_blocks[block];
    std::printf("%d,%u,%lld,%lld\n", block, each.sm, each.counted - each.start, each.ended - each.start);
  }
}
