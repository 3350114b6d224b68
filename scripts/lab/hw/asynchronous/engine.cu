// SPDX-License-Identifier: Apache-2.0
// The copy engine's queue, fences behind stores, flushes of other warps, barriers' beginnings, banks of wide accesses, and
// compare-and-swap in shared memory. Rows: probe,arguments...,cycles...  nvcc -arch=sm_90a -O3 -lcuda
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <cuda.h>
using u32 = uint32_t;
using u64 = unsigned long long;
#define HERE __device__ __forceinline__
HERE u32 now() { u32 t; asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory"); return t; }
HERE u32 shared_at(const void* p) { return (u32)__cvta_generic_to_shared(p); }
HERE void init(u64* b, u32 n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_at(b)), "r"(n) : "memory"); }
HERE void inval(u64* b) { asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_at(b)) : "memory"); }
HERE void expect(u64* b, u32 n) { asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_at(b)), "r"(n) : "memory"); }
HERE void wait(u64* b, u32 parity) {
  asm volatile("{.reg .pred p;\nL: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra L;}" ::"r"(shared_at(b)), "r"(parity) : "memory");
}
HERE void fence_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
HERE void commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
HERE void wait_read() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
HERE void store(void* to, const void* from, u32 n) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(shared_at(from)), "r"(n) : "memory");
}
HERE void load(void* to, const void* from, u32 n, u64* b) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_at(to)), "l"(from), "r"(n), "r"(shared_at(b)) : "memory");
}
HERE void load_box(void* to, const CUtensorMap* map, u64* b, u32 x, u32 y) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(shared_at(to)), "l"(map), "r"(shared_at(b)), "r"(x), "r"(y) : "memory");
}

// K boxes of `rows` rows of 128 bytes in a row: the clock behind each issue, then behind the wait for all.
template <int K>
__global__ void boxes_in_a_row(const __grid_constant__ CUtensorMap map, u32 rows, u32* out) {
  extern __shared__ __align__(1024) unsigned char data[];
  __shared__ u64 b;
  if (threadIdx.x != 0) return;
  init(&b, 1);
  fence_async();
  u32 t[K + 2], parity = 0;
  for (int again = 0; again < 3; ++again) {
    expect(&b, K * rows * 128);
    t[0] = now();
#pragma unroll
    for (int i = 0; i < K; ++i) load_box(data + i * 8192, &map, &b, 0, i * 64), t[i + 1] = now();
    wait(&b, parity);
    t[K + 1] = now();
    parity ^= 1;
  }
#pragma unroll
  for (int i = 0; i < K + 2; ++i) out[i] = t[i] - t[0];
}

template <int K>
__global__ void copies_in_a_row(const unsigned char* in, u32 bytes, u32* out) {
  extern __shared__ __align__(1024) unsigned char data[];
  __shared__ u64 b;
  if (threadIdx.x != 0) return;
  init(&b, 1);
  fence_async();
  u32 t[K + 2], parity = 0;
  for (int again = 0; again < 3; ++again) {
    expect(&b, K * bytes);
    t[0] = now();
#pragma unroll
    for (int i = 0; i < K; ++i) load(data + i * 8192, in + i * 8192, bytes, &b), t[i + 1] = now();
    wait(&b, parity);
    t[K + 1] = now();
    parity ^= 1;
  }
#pragma unroll
  for (int i = 0; i < K + 2; ++i) out[i] = t[i] - t[0];
}

// N stores of 16 bytes a lane (4 wavefronts), or of 4 bytes; then the fence, a barrier of the block, and a bulk store of 16 bytes.
template <int N, bool kWide, bool kFence>
__global__ void fence_behind_stores(unsigned char* to, u32* out) {
  extern __shared__ __align__(1024) unsigned char data[];
  u32 t[5];
  const u32 at = shared_at(data) + threadIdx.x * 16;
  for (int again = 0; again < 3; ++again) {
    __syncthreads();
    t[0] = now();
#pragma unroll
    for (int i = 0; i < N; ++i) {
      if (kWide) asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(at + i * 4096), "r"(t[0]) : "memory");
      else asm volatile("st.shared.u32 [%0], %1;" ::"r"(shared_at(data) + threadIdx.x * 4 + i * 4096), "r"(t[0]) : "memory");
    }
    t[1] = now();
    if (kFence) fence_async();
    t[2] = now();
    __syncthreads();
    t[3] = now();
    if (threadIdx.x == 0) store(to, data, 16), commit(), wait_read();
    t[4] = now();
  }
  if (threadIdx.x % 32 == 0)
    for (int i = 0; i < 5; ++i) out[threadIdx.x / 32 * 5 + i] = t[i] - t[0];
}

// Warp 0 stores `bytes` (and warp 1 `other`, if not 0); both end their groups and wait until these have been read.
__global__ void flush_of_others(unsigned char* to, u32 bytes, u32 other, u32 late, u32* out) {
  extern __shared__ __align__(1024) unsigned char data[];
  u32 a = 0, b = 0;
  for (int again = 0; again < 3; ++again) {
    __syncthreads();
    const u32 t = now();
    if (threadIdx.x >= 32 && late) __nanosleep(late);
    if (threadIdx.x == 0) store(to, data, bytes);
    if (threadIdx.x == 32 && other) store(to + 65536, data, other);
    a = now() - t;
    commit();
    wait_read();
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(shared_at(data) + 65536 + threadIdx.x * 4), "r"(t) : "memory");
    b = now() - t;
    __syncthreads();
  }
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32 * 2] = a, out[threadIdx.x / 32 * 2 + 1] = b;
}

// init and a barrier of the block, inval and a barrier, a barrier alone; N of them.
template <int N>
__global__ void beginnings(u32* out) {
  __shared__ u64 b[8];
  u32 t[6];
  for (int again = 0; again < 3; ++again) {
    __syncthreads();
    t[0] = now();
    __syncthreads();
    t[1] = now();
#pragma unroll
    for (int i = 0; i < N; ++i) if (threadIdx.x == 0) init(&b[i], 1);
    __syncthreads();
    t[2] = now();
    if (threadIdx.x == 0) expect(&b[0], 0);
    __syncthreads();
    t[3] = now();
#pragma unroll
    for (int i = 0; i < N; ++i) if (threadIdx.x == 0) inval(&b[i]);
    __syncthreads();
    t[4] = now();
    __syncthreads();
    t[5] = now();
  }
  if (threadIdx.x == 0) for (int i = 0; i < 6; ++i) out[i] = t[i] - t[0];
}

// Accesses of `kWords` words a lane at units[lane], by 4 warps. ptxas keeps one of the 32 equal ones, so the time is the latency
// of a single access; chip/wide.cu times many.
template <int kWords, bool kStore>
__global__ void banks(const u32* units, u32* out) {
  extern __shared__ __align__(1024) unsigned char data[];
  const u32 at = shared_at(data) + units[threadIdx.x % 32] * kWords * 4;
  u32 v[4] = {at, at, at, at}, sum = 0;
  for (int again = 0; again < 2; ++again) {
    __syncthreads();
    const u32 t = now();
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      if (kStore && kWords == 2) asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(at), "r"(v[0]), "r"(v[1]) : "memory");
      if (kStore && kWords == 4) asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]) : "memory");
      if (!kStore && kWords == 2) { asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(v[0]), "=r"(v[1]) : "r"(at) : "memory"); sum += v[0]; }
      if (!kStore && kWords == 4) { asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "r"(at) : "memory"); sum += v[0]; }
    }
    __syncthreads();
    if (threadIdx.x == 0) out[again] = now() - t;
  }
  if (sum == 12345) out[2] = sum;
}

// Lanes below n of each warp add one to a word (all the same, or one each of a warp) by compare-and-swap; rounds are counted.
__global__ void swaps(u32 n, u32 apart, u32* out) {
  __shared__ u32 words[64];
  if (threadIdx.x < 64) words[threadIdx.x] = 0;
  u32 rounds = 0;
  __syncthreads();
  const u32 t = now();
  if (threadIdx.x % 32 < n) {
    volatile u32* word = &words[apart ? threadIdx.x / 32 : 0];
    u32 old = *word, seen;
    do {
      seen = old;
      old = atomicCAS((u32*)word, seen, seen + 1);
      ++rounds;
    } while (old != seen);
  }
  __syncwarp();
  const u32 e = now() - t;
  atomicAdd(&out[2], rounds);
  atomicMax(&out[0], e);
  atomicMax(&out[1], rounds);
}
// One lane: a chain of compare-and-swaps on its own word.
__global__ void swap_chain(u32* out) {
  __shared__ u32 word;
  word = 0;
  __syncthreads();
  const u32 t = now();
  u32 old = 0;
#pragma unroll 1
  for (int i = 0; i < 64; ++i) old = atomicCAS(&word, old, i);
  out[0] = now() - t;
  out[1] = old;
}

static u32* device_out;
static u32 host_out[64];
static void begin() { cudaMemset(device_out, 0, sizeof host_out); }
static void row(const char* name, int count, std::vector<long> given) {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error) { printf("%s error %s\n", name, cudaGetErrorString(error)); exit(1); }
  cudaMemcpy(host_out, device_out, sizeof host_out, cudaMemcpyDeviceToHost);
  printf("%s", name);
  for (long g : given) printf(",%ld", g);
  printf(",|");
  for (int i = 0; i < count; ++i) printf(",%u", host_out[i]);
  printf("\n");
}
template <int N, bool kWide, bool kFence>
static void fences(unsigned char* to) {
  for (int threads : {32, 128, 256}) {
    begin();
    cudaFuncSetAttribute(fence_behind_stores<N, kWide, kFence>, cudaFuncAttributeMaxDynamicSharedMemorySize, 80000);
    fence_behind_stores<N, kWide, kFence><<<1, threads, 80000>>>(to, device_out);
    row("fence_behind_stores", threads / 32 * 5, {N, kWide, kFence, threads});
  }
}
template <int kWords, bool kStore>
static void bank(const char* name, const std::vector<u32>& units) {
  u32* given;
  cudaMalloc(&given, 128);
  cudaMemcpy(given, units.data(), 128, cudaMemcpyHostToDevice);
  begin();
  banks<kWords, kStore><<<1, 128, 16384>>>(given, device_out);
  std::vector<long> words(units.begin(), units.end());
  words.insert(words.begin(), {kWords, kStore});
  row(name, 2, words);
  cudaFree(given);
}
template <int kWords>
static void both(const char* name, const std::vector<u32>& units) { bank<kWords, false>(name, units), bank<kWords, true>(name, units); }

int main() {
  cudaMalloc(&device_out, sizeof host_out);
  unsigned char* memory;
  cudaMalloc(&memory, 1 << 20);
  cudaMemset(memory, 0, 1 << 20);
  using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*, const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result);
  for (u32 rows : {1u, 8u, 16u, 32u, 64u}) {
    CUtensorMap map;
    const cuuint64_t sizes[2] = {64, 2048}, strides[1] = {128};
    const cuuint32_t box[2] = {64, rows}, one[2] = {1, 1};
    ((Encode)found)(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, memory, sizes, strides, box, one, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    cudaFuncSetAttribute(boxes_in_a_row<16>, cudaFuncAttributeMaxDynamicSharedMemorySize, 150000);
    cudaFuncSetAttribute(boxes_in_a_row<2>, cudaFuncAttributeMaxDynamicSharedMemorySize, 150000);
    cudaFuncSetAttribute(boxes_in_a_row<5>, cudaFuncAttributeMaxDynamicSharedMemorySize, 150000);
    begin(); boxes_in_a_row<2><<<1, 32, 150000>>>(map, rows, device_out); row("boxes_in_a_row", 4, {2, rows});
    begin(); boxes_in_a_row<5><<<1, 32, 150000>>>(map, rows, device_out); row("boxes_in_a_row", 7, {5, rows});
    begin(); boxes_in_a_row<16><<<1, 32, 150000>>>(map, rows, device_out); row("boxes_in_a_row", 18, {16, rows});
  }
  cudaFuncSetAttribute(copies_in_a_row<16>, cudaFuncAttributeMaxDynamicSharedMemorySize, 150000);
  for (u32 bytes : {16u, 128u, 1024u, 2048u, 4096u, 8192u}) {
    begin(); copies_in_a_row<16><<<1, 32, 150000>>>(memory, bytes, device_out); row("copies_in_a_row", 18, {16, bytes});
  }
  fences<0, true, true>(memory); fences<1, true, true>(memory); fences<4, true, true>(memory); fences<16, true, true>(memory);
  fences<0, true, false>(memory); fences<1, true, false>(memory); fences<4, true, false>(memory); fences<16, true, false>(memory);
  fences<1, false, true>(memory); fences<4, false, true>(memory); fences<16, false, true>(memory); fences<16, false, false>(memory);
  cudaFuncSetAttribute(flush_of_others, cudaFuncAttributeMaxDynamicSharedMemorySize, 80000);
  for (u32 bytes : {16u, 1024u, 8192u, 32768u})
    for (u32 other : {0u, 16u, 1024u})
      for (u32 late : {0u, 200u}) {
        begin(); flush_of_others<<<1, 64, 80000>>>(memory, bytes, other, late, device_out); row("flush_of_others", 4, {bytes, other, late});
      }
  for (int threads : {32, 128}) {
    begin(); beginnings<1><<<1, threads>>>(device_out); row("beginnings", 6, {1, threads});
    begin(); beginnings<4><<<1, threads>>>(device_out); row("beginnings", 6, {4, threads});
  }
  u32 seed = 1;
  const auto draw = [&seed](u32 n) { seed = seed * 1664525u + 1013904223u; return (seed >> 8) % n; };
  for (int pattern = 0; pattern < 34; ++pattern) {
    std::vector<u32> units(32);
    for (u32 lane = 0; lane < 32; ++lane) {
      const u32 r = lane / 4, c = lane % 4;
      units[lane] = pattern == 0 ? lane : pattern == 1 ? 16 * r + ((2 * r) ^ c) : pattern == 2 ? lane / 2 + 16 * (lane % 2) + 32 * (lane / 2 % 2)
                  : pattern == 3 ? lane * 2 : pattern == 4 ? (lane & 7) + ((lane >> 4) << 3) + 16 * ((lane >> 3) & 1) : pattern == 5 ? lane * 16 : pattern == 6 ? lane / 2 : pattern == 7 ? lane % 16 : lane;
    }
    if (pattern >= 8 && pattern < 20)  // each pair of banks twice
      for (u32 i = 31; i > 0; --i) std::swap(units[i], units[draw(i + 1)]);
    if (pattern >= 20) for (u32& unit : units) unit = draw(64);
    both<2>("banks", units);
  }
  for (int pattern = 0; pattern < 30; ++pattern) {
    std::vector<u32> units(32);
    for (u32 lane = 0; lane < 32; ++lane)
      units[lane] = pattern == 1 ? lane / 4 + 8 * (lane % 4) : pattern == 2 ? lane / 2 + 16 * (lane % 2) : pattern == 3 ? lane * 2 : pattern == 4 ? (lane & 3) + 4 * (lane >> 3) + 16 * ((lane >> 2) & 1) : pattern == 5 ? lane * 8 : lane;
    if (pattern >= 6 && pattern < 18)
      for (u32 i = 31; i > 0; --i) std::swap(units[i], units[draw(i + 1)]);
    if (pattern >= 18) for (u32& unit : units) unit = draw(48);
    both<4>("banks", units);
  }
  for (u32 apart : {0u, 1u})
    for (int threads : {32, 64, 128, 256})
      for (u32 n : {1u, 2u, 4u, 8u, 16u, 32u}) {
        begin(); swaps<<<1, threads>>>(n, apart, device_out); row("swaps", 3, {threads, n, apart});
      }
  begin(); swap_chain<<<1, 1>>>(device_out); row("swap_chain", 2, {});
  return 0;
}
