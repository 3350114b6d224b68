// SPDX-License-Identifier: Apache-2.0
// Blocks of a cluster: multicast, arrivals and words sent to one another, atomics and copies in shared memory, coordinates.
#include "cluster.cuh"

namespace {

__device__ void arrive_there(u32 barrier) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
}

}  // namespace

// C = A B, bf16, a cluster of two: each block takes half of B and sends it to both; two stages, emptied by both.
//@ shared_b_128 grid=8 block=256 shared=50176 buffers: a=bfloats:131072, b=bfloats:32768 args: map:a;bf16;256x512;512;64x64;128, map:b;bf16;256x128;512;64x64;128, zeros:262144
LAUNCH __cluster_dims__(2, 1, 1) __launch_bounds__(256) shared_b_128(const __grid_constant__ Map a, const __grid_constant__ Map b, float* c) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[4];
  constexpr u32 kStage = 8192 + 16384;
  const u32 base = (shared_address(memory) + 1023) / 1024 * 1024, full = shared_address(barriers), empty = full + 16;
  const u32 rank = rank_in_cluster();
  if (threadIdx.x == 0) {
    for (u32 s = 0; s < 2; ++s) start_barrier(full + 8 * s, 1), start_barrier(empty + 8 * s, 2);
    publish_barriers();
  }
  meet();
  if (threadIdx.x >= 128) {
    if (threadIdx.x == 128)
      for (u32 k = 0; k < 4; ++k) {
        const u32 s = k % 2;
        if (k >= 2) wait_cluster(empty + 8 * s, 0);
        expect(full + 8 * s, kStage);
        load_2d(base + s * kStage, &a, full + 8 * s, k * 64, blockIdx.x * 64);
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;"
                     ::"r"(base + s * kStage + 8192 + rank * 8192), "l"(&b), "r"(full + 8 * s), "r"(k * 64), "r"(rank * 64), "h"(static_cast<unsigned short>(3)) : "memory");
      }
  } else {
    float d[64];
    for (float& each : d) each = 0;
    for (u32 k = 0; k < 4; ++k) {
      const u32 s = k % 2, at = base + s * kStage;
      wait_cluster(full + 8 * s, k / 2);
      fence_products();
#pragma unroll
      for (u32 part = 0; part < 4; ++part)
        asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 " LIST64 ", %64, %65, 1, 1, 1, 0, 0;"
                     : D16F(0), D16F(16), D16F(32), D16F(48)
                     : "l"(descriptor(at + part * 32, 16, 1024, 1)), "l"(descriptor(at + 8192 + part * 32, 16, 1024, 1)));
      commit_products();
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      for (float& each : d) asm volatile("" : "+f"(each)::"memory");
      if (threadIdx.x < 2) arrive_there(there(empty + 8 * s, threadIdx.x));
    }
    const u32 lane = lane_id(), row = blockIdx.x * 64 + threadIdx.x / 32 * 16 + lane / 4;
    for (u32 j = 0; j < 64; ++j) c[(row + j / 2 % 2 * 8) * 128 + j / 4 * 8 + lane % 4 * 2 + j % 2] = d[j];
  }
  meet();
}

// A prefix sum over clusters of eight: each block sends its sum to those behind it by st.async.
//@ sums_of_eight grid=16 block=128 args: words:8192, zeros:32768
LAUNCH __cluster_dims__(8, 1, 1) __launch_bounds__(128) sums_of_eight(const u32* in, u32* out) {
  __shared__ u32 room[4], before[8];
  __shared__ __align__(8) uint64_t barrier;
  const u32 rank = rank_in_cluster(), lane = lane_id(), warp = threadIdx.x / 32, mine = shared_address(&barrier);
  if (threadIdx.x == 0) {
    start_barrier(mine, 1);
    publish_barriers();
    expect(mine, rank * 4);
  }
  meet();
  u32 value[4], sum = 0;
  const uint4 four = reinterpret_cast<const uint4*>(in)[blockIdx.x * 128 + threadIdx.x];
  value[0] = four.x, value[1] = value[0] + four.y, value[2] = value[1] + four.z, value[3] = value[2] + four.w;
  sum = value[3];
  for (u32 by = 1; by < 32; by *= 2) {
    const u32 other = __shfl_up_sync(~0u, sum, by);
    if (lane >= by) sum += other;
  }
  if (lane == 31) room[warp] = sum;
  __syncthreads();
  u32 base = sum - value[3], all = 0;
  for (u32 w = 0; w < 4; ++w) {
    if (w < warp) base += room[w];
    all += room[w];
  }
  if (threadIdx.x > rank && threadIdx.x < 8)
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(there(shared_address(&before[rank]), threadIdx.x)),
                 "r"(all), "r"(there(mine, threadIdx.x)) : "memory");
  wait_cluster(mine, 0);
  for (u32 r = 0; r < rank; ++r) base += before[r];
  reinterpret_cast<uint4*>(out)[blockIdx.x * 128 + threadIdx.x] = make_uint4(base + value[0], base + value[1], base + value[2], base + value[3]);
  meet();
}

// Atomics of all kinds on the words of other blocks, asynchronous ones too.
//@ words_of_four grid=12 block=64 args: words:4096, zeros:12288
LAUNCH __cluster_dims__(4, 1, 1) __launch_bounds__(64) words_of_four(const u32* in, u32* out) {
  __shared__ u32 words[64];
  __shared__ __align__(8) uint64_t wide[32];
  __shared__ u32 sent[64];
  __shared__ __align__(8) uint64_t barrier;
  const u32 rank = rank_in_cluster(), t = threadIdx.x, value = in[blockIdx.x * 64 + t];
  words[t] = t * 0x01010101u;
  sent[t] = t;
  if (t < 32) wide[t] = t;
  if (t == 0) {
    start_barrier(shared_address(&barrier), 1);
    publish_barriers();
    expect(shared_address(&barrier), 4 * (64 * 4));
  }
  meet();
  for (u32 step = 0; step < 4; ++step) {
    const u32 to = (rank + step) % 4, word = there(shared_address(&words[t * 5 % 8]), to), two = there(shared_address(&wide[t % 16]), to);
    u32 old;
    asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;" : "=r"(old) : "r"(word), "r"(value & 0xFF) : "memory");
    asm volatile("red.shared::cluster.max.u32 [%0], %1;" ::"r"(word + 32), "r"(value + old % 1) : "memory");
    asm volatile("red.shared::cluster.min.s32 [%0], %1;" ::"r"(word + 64), "r"(value) : "memory");
    asm volatile("red.shared::cluster.xor.b32 [%0], %1;" ::"r"(word + 96), "r"(value * (step + 1)) : "memory");
    asm volatile("red.shared::cluster.or.b32 [%0], %1;" ::"r"(word + 128), "r"(value & value >> 7) : "memory");
    asm volatile("red.shared::cluster.inc.u32 [%0], %1;" ::"r"(word + 160), "r"(0x0FFFFFFFu) : "memory");
    asm volatile("red.shared::cluster.add.u64 [%0], %1;" ::"r"(two), "l"(u64(value) << 20) : "memory");
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(
                     there(shared_address(&sent[t % 20]), to)), "r"(value), "r"(there(shared_address(&barrier), to)) : "memory");
  }
  wait_cluster(shared_address(&barrier), 0);
  meet();
  u32 last = words[t];
  if (t == 0) asm volatile("atom.shared::cluster.cas.b32 %0, [%1], %2, %3;" : "=r"(last) : "r"(there(shared_address(&words[60]), rank ^ 1)), "r"(60 * 0x01010101u), "r"(value) : "memory");
  if (t == 1) asm volatile("atom.shared::cluster.exch.b32 %0, [%1], %2;" : "=r"(last) : "r"(there(shared_address(&words[61]), rank ^ 2)), "r"(value) : "memory");
  meet();
  u32* const to = out + blockIdx.x * 256;
  to[t] = words[t];
  to[64 + t] = sent[t];
  to[128 + t] = reinterpret_cast<u32*>(wide)[t];
  to[192 + t] = last;
}

// A matrix turned between the blocks of a cluster: bulk copies from block to block, a barrier for all.
//@ tiles_between_eight grid=8 block=64 args: words:16384, zeros:65536
LAUNCH __cluster_dims__(8, 1, 1) __launch_bounds__(64) tiles_between_eight(const u32* in, u32* out) {
  __shared__ __align__(128) u32 from[2048], to[2048];
  __shared__ __align__(8) uint64_t barrier;
  const u32 rank = rank_in_cluster(), mine = shared_address(&barrier);
  if (threadIdx.x == 0) {
    start_barrier(mine, 1);
    publish_barriers();
    expect(mine, 8192);
  }
  for (u32 i = threadIdx.x; i < 2048; i += 64) from[i] = in[rank * 2048 + i] * 9;
  fence_shared();
  meet();
  if (threadIdx.x < 8)
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];" ::"r"(
                     there(shared_address(to + rank * 256), threadIdx.x)), "r"(shared_address(from + threadIdx.x * 256)), "r"(there(mine, threadIdx.x)) : "memory");
  wait_cluster(mine, 0);
  for (u32 i = threadIdx.x; i < 2048; i += 64) out[rank * 2048 + i] = to[i];
  meet();
}

// A cluster of three dimensions in a grid of three: its numbers, a ring of loads, a barrier in two halves.
//@ cluster_of_three grid=4,4,2 block=32,2 args: words:4096, zeros:16384
LAUNCH __cluster_dims__(2, 2, 2) __launch_bounds__(64) cluster_of_three(const u32* in, u32* out) {
  __shared__ u32 words[64];
  u32 n[10];
  asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(n[0]));
  asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(n[1]));
  asm("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(n[2]));
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(n[3]));
  asm("mov.u32 %0, %%clusterid.y;" : "=r"(n[4]));
  asm("mov.u32 %0, %%nclusterid.y;" : "=r"(n[5]));
  asm("mov.u32 %0, %%cluster_nctaid.z;" : "=r"(n[6]));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(n[7]));
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(n[8]));
  asm("mov.u32 %0, %%nclusterid.x;" : "=r"(n[9]));
  const u32 block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z), t = threadIdx.x + 32 * threadIdx.y;
  words[t] = in[block * 64 + t];
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  u32 h = block;
  for (u32 each : n) h = h * 37 + each;
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  for (u32 step = 1; step < 8; ++step) {
    u32 got;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(got) : "r"(there(shared_address(&words[(t + step) % 64]), (n[8] + step) % 8)) : "memory");
    h = h * 33 + got;
  }
  asm volatile("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  out[block * 64 + t] = h + words[63 - t];
}

// A row normalised by a cluster of four: sums by loads of one another's shared memory, rows by multicast bulk copies.
//@ rows_of_four grid=24 block=128 args: floats:24576, floats:4096, zeros:98304
LAUNCH __cluster_dims__(4, 1, 1) __launch_bounds__(128) rows_of_four(const float* in, const float* weights, float* out) {
  __shared__ __align__(128) float row[1024], scale[1024];
  __shared__ float room[32];
  __shared__ __align__(8) float sums[2];
  __shared__ __align__(8) uint64_t barrier;
  const u32 rank = rank_in_cluster(), mine = shared_address(&barrier);
  if (threadIdx.x == 0) {
    start_barrier(mine, 1);
    publish_barriers();
    expect(mine, 8192);
  }
  meet();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];" ::"r"(shared_address(row)), "l"(in + blockIdx.x * 1024), "r"(mine) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 1024, [%2], %3;" ::"r"(
                     shared_address(scale + rank * 256)), "l"(weights + rank * 256), "r"(mine), "h"(static_cast<unsigned short>(15)) : "memory");
  }
  wait_cluster(mine, 0);
  float sum = 0, squares = 0;
  for (u32 i = threadIdx.x; i < 1024; i += 128) sum += row[i], squares = fmaf(row[i], row[i], squares);
  sum = block_sum(sum, room);
  squares = block_sum(squares, room);
  if (threadIdx.x == 0) sums[0] = sum, sums[1] = squares;
  meet();
  float all = 0, all_squares = 0;
  for (u32 r = 0; r < 4; ++r) {
    float one, two;
    asm volatile("ld.shared::cluster.v2.f32 {%0, %1}, [%2];" : "=f"(one), "=f"(two) : "r"(there(shared_address(sums), r)) : "memory");
    all += one, all_squares += two;
  }
  const float mean = all / 4096, factor = __frcp_rn(__fsqrt_rn(all_squares / 4096 - mean * mean + 1e-5f));
  for (u32 i = threadIdx.x; i < 1024; i += 128) out[blockIdx.x * 1024 + i] = (row[i] - mean) * factor * scale[i];
  meet();
}
