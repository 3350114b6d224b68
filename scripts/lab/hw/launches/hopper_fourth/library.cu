// SPDX-License-Identifier: Apache-2.0
// Barriers, pipelines, copies and clusters by the CUDA library: cuda::barrier, cuda::pipeline, cuda::ptx, cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cuda/std/chrono>
#include "../hopper/cluster.cuh"
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

// A pipeline of three stages with roles: one warp copies, three warps sum.
//@ pipeline_with_roles grid=12 block=128 args: words:98304, zeros:6144
LAUNCH __launch_bounds__(128) pipeline_with_roles(const u32* in, u32* out) {
  __shared__ __align__(16) u32 room[3][512];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
  const auto block = cg::this_thread_block();
  const auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipeline = cuda::make_pipeline(block, &state, role);
  u32 sum = threadIdx.x;
  for (u32 i = 0; i < 16; ++i) {
    if (role == cuda::pipeline_role::producer) {
      pipeline.producer_acquire();
      for (u32 j = threadIdx.x; j < 128; j += 32)
        cuda::memcpy_async(&room[i % 3][j * 4], in + (blockIdx.x * 16 + i) * 512 + j * 4, cuda::aligned_size_t<16>(16), pipeline);
      pipeline.producer_commit();
    } else {
      pipeline.consumer_wait();
      for (u32 j = threadIdx.x - 32; j < 512; j += 96) sum = sum * 9 + room[i % 3][j];
      pipeline.consumer_release();
    }
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

// All warps copy and sum, two stages of four bytes, eight bytes and a whole row by one thread.
//@ pipeline_of_all grid=10 block=64 args: words:40960, zeros:2560
LAUNCH __launch_bounds__(64) pipeline_of_all(const u32* in, u32* out) {
  __shared__ __align__(128) u32 room[2][256];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const auto fill = [&](u32 i) {
    const u32* const from = in + (blockIdx.x * 16 + i) * 256;
    pipeline.producer_acquire();
    cuda::memcpy_async(&room[i & 1][threadIdx.x], from + threadIdx.x, sizeof(u32), pipeline);
    cuda::memcpy_async(&room[i & 1][64 + threadIdx.x], from + 64 + threadIdx.x, cuda::aligned_size_t<4>(4), pipeline);
    cuda::memcpy_async(block, &room[i & 1][128], from + 128, cuda::aligned_size_t<16>(512), pipeline);
    pipeline.producer_commit();
  };
  fill(0);
  u32 sum = 0;
  for (u32 i = 0; i < 16; ++i) {
    if (i + 1 < 16) fill(i + 1);
    pipeline.consumer_wait();
    for (u32 j = 0; j < 4; ++j) sum = sum * 5 + room[i & 1][(j * 64 + threadIdx.x * 3) % 256];
    pipeline.consumer_release();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Barriers with tokens, arrivals of several, warps that drop out, waits with limits, and a completion step.
struct Swap {
  u32* words;
  __device__ void operator()() const noexcept { const u32 t = words[0]; words[0] = words[1] * 3, words[1] = t + 1; }
};
//@ barriers_with_steps grid=6 block=96 args: words:4096, zeros:2304
LAUNCH __launch_bounds__(96) barriers_with_steps(const u32* in, u32* out) {
  __shared__ u32 words[2];
  __shared__ alignas(8) unsigned char stepped_room[sizeof(cuda::barrier<cuda::thread_scope_block, Swap>)];
  __shared__ alignas(8) unsigned char plain_room[sizeof(Barrier)];
  auto& stepped = *reinterpret_cast<cuda::barrier<cuda::thread_scope_block, Swap>*>(stepped_room);
  auto& plain = *reinterpret_cast<Barrier*>(plain_room);
  const u32 t = threadIdx.x;
  if (t == 0) {
    words[0] = blockIdx.x + 1, words[1] = 7;
    new (&stepped) cuda::barrier<cuda::thread_scope_block, Swap>(96, Swap{words});
    init(&plain, 96);
  }
  __syncthreads();
  u32 sum = t;
  for (u32 i = 0; i < 5; ++i) {
    stepped.arrive_and_wait();
    sum = sum * 7 + words[i & 1];
    __syncthreads();
  }
  for (u32 i = 0; i < 3; ++i) {
    if (t / 32 == i && i != 0) {
      plain.arrive_and_drop();
      break;
    }
    auto token = plain.arrive();
    sum ^= in[(sum + i) % 4096];
    if (t % 2 == 0) plain.try_wait_for(std::move(token), cuda::std::chrono::nanoseconds(300000));
    else plain.wait(std::move(token));
    sum = sum * 3 + i;
  }
  out[blockIdx.x * 96 + t] = sum;
}

// A latch and atomic words of several scopes in shared and global memory.
//@ words_of_scopes grid=8 block=128 args: words:1024, zeros:4096, zeros:64
LAUNCH __launch_bounds__(128) words_of_scopes(const u32* in, u32* out, u32* counters) {
  __shared__ cuda::latch<cuda::thread_scope_block>* gate;
  __shared__ alignas(16) unsigned char gate_room[sizeof(cuda::latch<cuda::thread_scope_block>)];
  __shared__ cuda::atomic<u32, cuda::thread_scope_block> sum;
  __shared__ cuda::atomic<unsigned long long, cuda::thread_scope_block> wide;
  __shared__ cuda::atomic<float, cuda::thread_scope_block> most;
  const u32 t = threadIdx.x;
  if (t == 0) {
    gate = new (gate_room) cuda::latch<cuda::thread_scope_block>(128);
    sum.store(0), wide.store(5), most.store(0.0f);
  }
  __syncthreads();
  const u32 word = in[blockIdx.x * 128 + t];
  sum.fetch_add(word >> 8, cuda::memory_order_relaxed);
  wide.fetch_xor((unsigned long long)(word) << (t % 32));
  most.fetch_max(__uint_as_float((word & 0x007FFFFF) | 0x3F800000));
  gate->arrive_and_wait();
  out[blockIdx.x * 128 + t] = sum.load() * 3 + u32(wide.load() >> 7) + __float_as_uint(most.load());
  cuda::atomic_ref<u32, cuda::thread_scope_device> shared_by_all(counters[word % 4]);
  shared_by_all.fetch_add(t, cuda::memory_order_acq_rel);
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_system> both(reinterpret_cast<unsigned long long*>(counters)[4 + word % 4]);
  both.fetch_max(word);
  u32 before = shared_by_all.load();
  (void)before;
}

// cooperative groups: rows of a cluster through generic pointers of one another's memory; atomics of all widths there.
//@ rooms_of_neighbours grid=12 block=64 args: words:12288, zeros:12288
LAUNCH __cluster_dims__(3, 1, 1) __launch_bounds__(64) rooms_of_neighbours(const u32* in, u32* out) {
  __shared__ u32 words[64];
  __shared__ unsigned long long wide[16];
  __shared__ float floats[16];
  const auto cluster = cg::this_cluster();
  const u32 t = threadIdx.x, rank = cluster.block_rank();
  words[t] = t;
  if (t < 16) wide[t] = t, floats[t] = 0;
  cluster.sync();
  for (u32 i = 0; i < 8; ++i) {
    const u32 v = in[(blockIdx.x * 8 + i) * 64 + t], to = (rank + v) % cluster.num_blocks();
    atomicAdd(cluster.map_shared_rank(&words[v >> 4 & 31], to), v >> 12);
    atomicMax(cluster.map_shared_rank(&words[32 + (v >> 4 & 15)], to), v >> 3);
    atomicXor(cluster.map_shared_rank(&words[48 + (v >> 4 & 15)], to), v);
    atomicAdd(cluster.map_shared_rank(&wide[v >> 5 & 15], to), (unsigned long long)(v) << 9);
    atomicAdd(cluster.map_shared_rank(&floats[v >> 6 & 15], to), float(v >> 28));
  }
  auto token = cluster.barrier_arrive();
  u32 sum = in[t];
  cluster.barrier_wait(std::move(token));
  const u32 next = (rank + 1) % 3;
  sum = sum * 3 + *cluster.map_shared_rank(&words[t], next);
  sum = sum * 5 + u32(*cluster.map_shared_rank(&wide[t % 16], next) >> 4);
  sum = sum * 7 + __float_as_uint(*cluster.map_shared_rank(&floats[t % 16], next));
  cluster.sync();
  unsigned long long old = atomicCAS(cluster.map_shared_rank(&wide[t % 16], next), wide[0], 1ull);
  (void)old;
  u32 was = atomicExch(cluster.map_shared_rank(&words[t], next), sum);
  cluster.sync();
  out[blockIdx.x * 64 + t] = sum, out[768 + blockIdx.x * 64 + t] = was, out[1536 + blockIdx.x * 64 + t] = words[t];
  out[2304 + blockIdx.x * 64 + t] = cluster.query_shared_rank(cluster.map_shared_rank(words, next)) * 16 + cluster.dim_blocks().x;
}

// cooperative groups: copies of a tile of 32, reductions and scans by labels, one lane that is invoked.
//@ tiles_that_copy grid=9 block=96 args: words:27648, zeros:10368
LAUNCH __launch_bounds__(96) tiles_that_copy(const u32* in, u32* out) {
  __shared__ __align__(16) u32 room[3][2][128];
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const u32 w = tile.meta_group_rank(), t = threadIdx.x;
  u32 sum = 0, labels = 0, scan = 0;
  cg::memcpy_async(tile, room[w][0], in + (blockIdx.x * 3 + w) * 1024, cuda::aligned_size_t<16>(512));
  for (u32 i = 0; i < 8; ++i) {
    if (i != 7)
      cg::memcpy_async(tile, room[w][~i & 1], in + (blockIdx.x * 3 + w) * 1024 + (i + 1) * 128, cuda::aligned_size_t<16>(512));
    if (i != 7) cg::wait_prior<1>(tile);
    else cg::wait(tile);
    const u32 v = room[w][i & 1][t % 32 * 4 + i % 4];
    sum += cg::reduce(tile, v, cg::bit_xor<u32>()) + cg::reduce(tile, int(v), cg::less<int>());
    const auto same = cg::labeled_partition(tile, v % 3);
    labels = labels * 3 + cg::reduce(same, v >> 9, cg::plus<u32>());
    scan = scan * 5 + cg::exclusive_scan(tile, v >> 7);
    cg::invoke_one(tile, [&] { room[w][i & 1][0] = sum; });
    tile.sync();
    scan ^= room[w][i & 1][0];
    tile.sync();
  }
  out[blockIdx.x * 288 + t * 3] = sum, out[blockIdx.x * 288 + t * 3 + 1] = labels, out[blockIdx.x * 288 + t * 3 + 2] = scan;
}

// cuda::ptx: boxes of four dimensions to and fro behind barriers of cuda::barrier, and a bulk reduction of halves.
//@ boxes_by_library grid=6 block=64 shared=9216 buffers: a=words:49152, b=zeros:196608 args: map:a;u32;32x16x12x8;128x2048x24576;16x4x4x2;0, map:b;u32;32x16x12x8;128x2048x24576;16x4x4x2;0, halves:4096
LAUNCH __launch_bounds__(64) boxes_by_library(const __grid_constant__ Map a, const __grid_constant__ Map b, __half* sums) {
  extern __shared__ __align__(128) uint8_t memory[];
  __shared__ alignas(8) unsigned char room[2][sizeof(Barrier)];
  const u32 t = threadIdx.x;
  u32* const words = reinterpret_cast<u32*>(memory + (aligned_up(memory) - shared_address(memory)));
  auto* const barriers = reinterpret_cast<Barrier*>(room);
  if (t == 0) {
    init(&barriers[0], 64), init(&barriers[1], 64);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  Barrier::arrival_token tokens[2];
  const int places[2][4] = {{8, int(blockIdx.x) * 2, 1, 2}, {-4, 14, int(blockIdx.x) * 2, 7}};
  for (u32 i = 0; i < 2; ++i) {
    if (t == 0) {
      ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, words + i * 512, &a, {places[i][0], places[i][1], places[i][2], places[i][3]},
                                cuda::device::barrier_native_handle(barriers[i]));
      tokens[i] = cuda::device::barrier_arrive_tx(barriers[i], 1, 2048);
    } else {
      tokens[i] = barriers[i].arrive();
    }
  }
  for (u32 i = 0; i < 2; ++i) {
    barriers[i].wait(std::move(tokens[i]));
    for (u32 j = t; j < 512; j += 64) words[i * 512 + j] = (words[i * 512 + j] & 0x03FF03FF) | 0x30003400;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t != 0) continue;
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &b, {places[i][0] < 0 ? 24 : places[i][0], places[i][1] % 12, places[i][2], places[i][3]}, words + i * 512);
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_max, sums + i * 1024, reinterpret_cast<__half*>(words + i * 512), 2048);
    ptx::cp_async_bulk_commit_group();
  }
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
}
