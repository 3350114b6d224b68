// SPDX-License-Identifier: Apache-2.0
// Clock reads between the steps of launches, for `stamps`: each leaves them in `times`, 64 words a warp.
#include "../launches/hopper/cluster.cuh"
#define STAMPS(N) u32 s[N]; for (u32& each : s) each = 0
#define T(I) asm volatile("mov.u32 %0, %%clock;" : "=r"(s[I])::"memory")
#define DUMP(N, WHEN) do { if (WHEN) for (u32 k = 0; k < (N); ++k) times[(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * 64 + k] = s[k]; } while (0)
#define REDUCE(KIND, TO) asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta." KIND ".tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(TO), "r"(at), "r"(x), "r"(y) : "memory")

// Boxes and rows written by one lane of each warp: issue, read, all done; six times.
LAUNCH tensor_writes(const __grid_constant__ Map m, u32 op, u32 rows, u32 apart, unsigned char* room, u32* times) {
  extern __shared__ uint8_t memory[];
  const u32 at = aligned_up(memory), w = threadIdx.x / 32;
  for (u32 i = threadIdx.x; i < 8192; i += blockDim.x) reinterpret_cast<u32*>(memory + (at - shared_address(memory)))[i] = i & 255;
  fence_shared();
  __syncthreads();
  STAMPS(24);
  if (threadIdx.x % 32 == 0) {
    const u32 bytes = rows * 128;
    const int x = int(w) * (op == 2 ? 16 : op == 3 || op == 4 ? 64 : 32), y = int(blockIdx.x * apart);
    unsigned char* const to = room + (u64(blockIdx.x) * apart * 8 + w * 1024) * 128;
#pragma unroll
    for (u32 i = 0; i < 6; ++i) {
      T(i * 4);
      if (op == 0) store_2d(&m, at, x, y);
      if (op == 1) REDUCE("add", &m);
      if (op == 2) REDUCE("xor", &m);
      if (op == 3) REDUCE("max", &m);
      if (op == 4) REDUCE("add", &m);
      if (op == 5) asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(at), "r"(bytes) : "memory");
      if (op == 6) asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(to), "r"(at), "r"(bytes) : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      T(i * 4 + 1);
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
      T(i * 4 + 2);
      asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
      T(i * 4 + 3);
    }
  }
  DUMP(24, threadIdx.x % 32 == 0);
}

// Barriers begun, expected, arrived at, tested; all by one lane, then by a warp.
LAUNCH chains(const u32* in, u32* out, u32* times) {
  __shared__ __align__(8) uint64_t barriers[8];
  const u32 b = shared_address(barriers), t = threadIdx.x;
  STAMPS(32);
  if (t == 0) {
    for (u32 r = 0; r < 2; ++r) {
      T(0);
      start_barrier(b, 1);
      T(1);
      expect(b, 0);
      T(2);
      start_barrier(b + 8, 2);
      expect(b + 8, 16);
      start_barrier(b + 16, 2);
      expect(b + 16, 16);
      start_barrier(b + 24, 2);
      expect(b + 24, 16);
      T(3);
      publish_barriers();
      T(4);
      arrive(b + 8);
      arrive(b + 16);
      T(5);
      wait(b, 0);
      T(6);
      wait(b, 0);
      T(7);
    }
    start_barrier(b + 32, 32);
    start_barrier(b + 40, 32);
  }
  __syncwarp();
  T(8);
  arrive(b + 32);
  T(9);
  wait(b + 32, 0);
  T(10);
  u64 state;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(b + 40) : "memory");
  T(11);
  u32 done = 0;
  while (!done) asm volatile("{.reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(b + 40), "l"(state) : "memory");
  T(12);
  DUMP(16, t == 0);
}

// counts_of_cluster of hopper_more, with clock reads.
LAUNCH __cluster_dims__(4, 1, 1) __launch_bounds__(256) counts(const u32* in, u32* out, u32* times) {
  __shared__ u32 counts[64];
  STAMPS(16);
  T(0);
  if (threadIdx.x < 64) counts[threadIdx.x] = 0;
  T(1);
  meet();
  T(2);
#pragma unroll
  for (u32 i = 0; i < 8; ++i) {
    const u32 v = in[(blockIdx.x * 8 + i) * 256 + threadIdx.x] & 255;
    asm volatile("red.shared::cluster.add.u32 [%0], 1;" ::"r"(there(shared_address(&counts[v / 4]), v & 3)) : "memory");
    T(3 + i);
  }
  meet();
  T(11);
  if (threadIdx.x < 64) out[blockIdx.x * 256 + threadIdx.x] = counts[threadIdx.x];
  T(12);
  DUMP(16, threadIdx.x % 32 == 0);
}
