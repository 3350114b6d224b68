// SPDX-License-Identifier: Apache-2.0
// Rings of other depths, multicast, sums and copies in other blocks' memory, boxes off lines, waits with limits.
#include "../hopper/cluster.cuh"

namespace {
__device__ void load_bulk(u32 to, const void* from, u32 bytes, u32 barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               ::"r"(to), "l"(from), "r"(bytes), "r"(barrier) : "memory");
}
__device__ void multicast_2d(u32 to, const Map* map, u32 barrier, int x, int y, u32 mask) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;"
               ::"r"(to), "l"(map), "r"(barrier), "r"(x), "r"(y), "h"(uint16_t(mask)) : "memory");
}
}  // namespace

// Sums of tiles of 2 KiB: a warp copies into a ring of five, three warps take 24 rounds; registers move.
//@ ring_of_five grid=30 block=256 args: words:368640, zeros:46080
LAUNCH __launch_bounds__(256, 1) ring_of_five(const u32* in, u32* out) {
  __shared__ __align__(128) u32 room[5][512];
  __shared__ __align__(8) uint64_t barriers[10];
  const u32 t = threadIdx.x, full = shared_address(barriers), empty = full + 40;
  if (t == 0) {
    for (u32 s = 0; s < 5; ++s) start_barrier(full + 8 * s, 1), start_barrier(empty + 8 * s, 3);
    publish_barriers();
  }
  __syncthreads();
  if (t >= 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 32;");
    if (t == 128)
      for (u32 i = 0; i < 24; ++i) {
        const u32 s = i % 5;
        if (i >= 5) wait(empty + 8 * s, (i / 5 - 1) & 1);
        expect(full + 8 * s, 2048);
        load_bulk(shared_address(room[s]), in + (blockIdx.x * 24 + i) * 512, 2048, full + 8 * s);
      }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 200;");
  if (t >= 96) return;
  u32 sums[4] = {0, 0, 0, 0};
  for (u32 i = 0; i < 24; ++i) {
    const u32 s = i % 5;
    wait(full + 8 * s, i / 5 & 1);
    for (u32 j = 0; j < 4; ++j) sums[j] = sums[j] * 5 + room[s][(t + j * 113) % 512];
    __syncwarp();
    if (t % 32 == 0) arrive(empty + 8 * s);
  }
  for (u32 j = 0; j < 4; ++j) out[(blockIdx.x * 96 + t) * 4 + j] = sums[j];
}

// Rows of a matrix through boxes of 32 x 16 floats, two in flight; eight warps; stores of 16 bytes to each of 8 rows.
//@ boxes_for_eight_warps grid=4,4 block=288 shared=5120 buffers: a=floats:65536 args: map:a;f32;256x256;1024;32x16;128, zeros:65536
LAUNCH __launch_bounds__(288) boxes_for_eight_warps(const __grid_constant__ Map a, float* out) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[4];
  const u32 at = aligned_up(memory), full = shared_address(barriers), empty = full + 16, t = threadIdx.x, w = t / 32;
  const float* const room = reinterpret_cast<const float*>(memory + (at - shared_address(memory)));
  if (t == 0) {
    for (u32 s = 0; s < 2; ++s) start_barrier(full + 8 * s, 1), start_barrier(empty + 8 * s, 8);
    publish_barriers();
  }
  __syncthreads();
  if (w == 8) {
    if (t == 256)
      for (u32 i = 0; i < 8; ++i) {
        if (i >= 2) wait(empty + 8 * (i & 1), (i / 2 - 1) & 1);
        expect(full + 8 * (i & 1), 2048);
        load_2d(at + (i & 1) * 2048, &a, full + 8 * (i & 1), blockIdx.x * 64 + i % 2 * 32, blockIdx.y * 64 + i / 2 * 16);
      }
    return;
  }
  float sum[2] = {0, 0};
  for (u32 i = 0; i < 8; ++i) {
    wait(full + 8 * (i & 1), i / 2 & 1);
    for (u32 r = 0; r < 2; ++r) sum[r] += room[(i & 1) * 512 + (w * 2 + r) * 32 + t % 32] * float(i + 1);
    __syncwarp();
    if (t % 32 == 0) arrive(empty + 8 * (i & 1));
  }
  float* const to = out + ((blockIdx.y * 4 + blockIdx.x) * 8 + w) * 64;
  for (u32 r = 0; r < 2; ++r) to[t % 32 / 4 * 8 + r * 4 + t % 4] = sum[r];
}

// Four blocks load a quarter of each tile and send it to all; each sums the whole.
//@ quarters_to_all grid=24 block=128 shared=17408 buffers: a=words:98304 args: map:a;u32;64x1536;256;32x16;128, zeros:12288
LAUNCH __cluster_dims__(4, 1, 1) __launch_bounds__(128) quarters_to_all(const __grid_constant__ Map a, u32* out) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[2];
  const u32 at = aligned_up(memory), full = shared_address(barriers), t = threadIdx.x, rank = rank_in_cluster();
  const u32* const room = reinterpret_cast<const u32*>(memory + (at - shared_address(memory)));
  if (t == 0) {
    start_barrier(full, 1), start_barrier(full + 8, 1);
    publish_barriers();
  }
  meet();
  u32 sum = 0;
  for (u32 i = 0; i < 4; ++i) {
    const u32 s = i & 1;
    if (t == 0) {
      expect(full + 8 * s, 8192);
      multicast_2d(at + s * 8192 + rank * 2048, &a, full + 8 * s, i % 2 * 32, (blockIdx.x / 4 * 4 + i) * 64 + rank * 16, 15);
    }
    wait(full + 8 * s, i / 2 & 1);
    for (u32 j = 0; j < 16; ++j) sum = sum * 3 + (room[s * 2048 + j * 128 + t] ^ rank);
    meet();
  }
  out[blockIdx.x * 128 + t] = sum;
}

// One block of eight sends bulk copies to all of its cluster, in turn.
//@ one_to_eight grid=32 block=64 args: words:32768, zeros:8192
LAUNCH __cluster_dims__(8, 1, 1) __launch_bounds__(64) one_to_eight(const u32* in, u32* out) {
  __shared__ __align__(128) u32 room[1024];
  __shared__ __align__(8) uint64_t barriers[1];
  const u32 t = threadIdx.x, rank = rank_in_cluster(), full = shared_address(barriers);
  if (t == 0) {
    start_barrier(full, 1);
    publish_barriers();
  }
  u32 h = rank;
  for (u32 i = 0; i < 8; ++i) {
    if (t == 0) expect(full, 4096);
    meet();
    if (t == 0 && rank == i)
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 4096, [%2], %3;"
                   ::"r"(shared_address(room)), "l"(in + (blockIdx.x / 8 * 8 + i) * 1024), "r"(full), "h"(uint16_t(0xFF)) : "memory");
    wait_cluster(full, i & 1);
    for (u32 j = 0; j < 16; ++j) h = h * 31 + room[(j * 64 + t + rank * 8) % 1024];
  }
  out[blockIdx.x * 64 + t] = h;
  meet();
}

// All blocks of eight add into the first one's bins.
//@ bins_of_first grid=16 block=256 args: words:32768, zeros:1024
LAUNCH __cluster_dims__(8, 1, 1) __launch_bounds__(256) bins_of_first(const u32* in, u32* out) {
  __shared__ u32 bins[128];
  const u32 t = threadIdx.x;
  if (t < 128) bins[t] = 0;
  meet();
  const u32 first = there(shared_address(bins), 0);
  for (u32 i = 0; i < 8; ++i) {
    const u32 v = in[(blockIdx.x * 8 + i) * 256 + t];
    asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(first + (v & 127) * 4), "r"(v >> 20) : "memory");
  }
  meet();
  if (rank_in_cluster() == 0 && t < 128) out[blockIdx.x / 8 * 128 + t] = bins[t];
}

// Sums of halves of a cluster of four, read from the other's memory, in a tree.
//@ tree_of_four grid=40 block=128 args: words:81920, zeros:5120
LAUNCH __cluster_dims__(4, 1, 1) __launch_bounds__(128) tree_of_four(const u32* in, u32* out) {
  __shared__ u32 sums[128];
  const u32 t = threadIdx.x, rank = rank_in_cluster();
  u32 sum = 0;
  for (u32 i = 0; i < 16; ++i) sum = sum * 7 + in[(blockIdx.x * 16 + i) * 128 + t];
  for (u32 step = 2; step != 0; step /= 2) {
    sums[t] = sum;
    meet();
    u32 other;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(other) : "r"(there(shared_address(&sums[127 - t]), rank ^ step)) : "memory");
    sum = sum * 5 + other;
    meet();
  }
  if (rank == 0) out[blockIdx.x / 4 * 128 + t] = sum;
}

// Copies that add to the neighbour's words, three rounds in a cluster of two.
//@ copies_that_add grid=20 block=64 args: words:20480, zeros:81920
LAUNCH __cluster_dims__(2, 1, 1) __launch_bounds__(64) copies_that_add(const u32* in, u32* out) {
  __shared__ __align__(128) u32 mine[1024], sums[1024];
  __shared__ __align__(8) uint64_t barriers[1];
  const u32 t = threadIdx.x, rank = rank_in_cluster(), full = shared_address(barriers);
  for (u32 i = t; i < 1024; i += 64) mine[i] = in[blockIdx.x * 1024 + i], sums[i] = i;
  if (t == 0) {
    start_barrier(full, 1);
    publish_barriers();
  }
  for (u32 i = 0; i < 3; ++i) {
    if (t == 0) expect(full, 4096);
    fence_shared();
    meet();
    if (t == 0)
      asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%0], [%1], 4096, [%2];"
                   ::"r"(there(shared_address(sums), rank ^ 1)), "r"(shared_address(mine)), "r"(there(full, rank ^ 1)) : "memory");
    wait_cluster(full, i & 1);
    meet();
    for (u32 j = t; j < 1024; j += 64) mine[j] = mine[j] * 3 + sums[j];
  }
  for (u32 j = t; j < 1024; j += 64) out[blockIdx.x * 1024 + j] = sums[j] ^ mine[j];
  meet();
}

// Bulk reductions of all blocks into the same words: sums, least ones, exclusive ors.
//@ reduced_by_all grid=24 block=32 args: words:24576, words:1024, words:1024, words:1024
LAUNCH __launch_bounds__(32) reduced_by_all(const u32* in, u32* sums, u32* least, u32* bits) {
  __shared__ __align__(128) u32 room[1024];
  for (u32 i = threadIdx.x; i < 1024; i += 32) room[i] = in[blockIdx.x * 1024 + i];
  fence_shared();
  __syncwarp();
  if (threadIdx.x != 0) return;
  const u32 at = shared_address(room);
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 4096;" ::"l"(sums), "r"(at) : "memory");
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.min.u32 [%0], [%1], 2048;" ::"l"(least), "r"(at) : "memory");
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b32 [%0], [%1], 4096;" ::"l"(bits), "r"(at) : "memory");
  commit_stores_and_wait();
}

// Boxes of 96-byte rows that begin anywhere in a line, in and out; three at a time.
//@ rows_off_lines grid=18 block=96 shared=13312 buffers: a=halves:65536, b=zeros:131072 args: map:a;f16;512x128;1024;48x40;0, map:b;f16;512x128;1024;48x40;0
LAUNCH __launch_bounds__(96) rows_off_lines(const __grid_constant__ Map a, const __grid_constant__ Map b) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[3];
  const u32 at = aligned_up(memory), full = shared_address(barriers), t = threadIdx.x;
  u32* const words = reinterpret_cast<u32*>(memory + (at - shared_address(memory)));
  const int x = int(blockIdx.x % 6) * 80 + 8, y = int(blockIdx.x / 6) * 40;
  if (t == 0) {
    for (u32 s = 0; s < 3; ++s) start_barrier(full + 8 * s, 1);
    publish_barriers();
    for (u32 s = 0; s < 3; ++s) {
      expect(full + 8 * s, 3840);
      load_2d(at + s * 3840, &a, full + 8 * s, x + int(s) * 16, y);
    }
  }
  __syncthreads();
  for (u32 s = 0; s < 3; ++s) {
    wait(full + 8 * s, 0);
    for (u32 i = t; i < 960; i += 96) words[s * 960 + i] ^= s << 15;
  }
  fence_shared();
  __syncthreads();
  if (t != 0) return;
  store_2d(&b, at, x, y);
  store_2d(&b, at + 3840, x + 48, y);
  commit_stores_and_wait();
}

// Narrow boxes: 16 bytes and 32 bytes a row, many rows.
//@ narrow_boxes grid=16 block=64 shared=9216 buffers: a=words:32768 args: map:a;u32;64x512;256;4x128;0, map:a;u32;64x512;256;8x128;32, zeros:8192
LAUNCH __launch_bounds__(64) narrow_boxes(const __grid_constant__ Map four, const __grid_constant__ Map eight, u32* out) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[1];
  const u32 at = aligned_up(memory), full = shared_address(barriers), t = threadIdx.x;
  const u32* const words = reinterpret_cast<const u32*>(memory + (at - shared_address(memory)));
  if (t == 0) {
    start_barrier(full, 1);
    publish_barriers();
  }
  __syncthreads();
  u32 sum = 0;
  for (u32 i = 0; i < 4; ++i) {
    if (t == 0) {
      expect(full, 6144);
      load_2d(at, &four, full, blockIdx.x * 4, i * 128);
      load_2d(at + 2048, &eight, full, blockIdx.x % 8 * 8, i * 128);
    }
    wait(full, i & 1);
    for (u32 j = 0; j < 24; ++j) sum = sum * 9 + words[j * 64 + t];
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = sum, out[1024 + blockIdx.x * 64 + t] = ~sum;
}

// A lane waits with a limit while the others wait for it; what it waits for takes 2 to 9 loads in a chain.
//@ limits_of_a_lane grid=8 block=64 args: ring:4096, zeros:2048
LAUNCH __launch_bounds__(64) limits_of_a_lane(const u32* next, u32* out) {
  __shared__ __align__(8) uint64_t barriers[1];
  __shared__ u32 word;
  const u32 t = threadIdx.x, full = shared_address(barriers);
  if (t == 0) {
    start_barrier(full, 1);
    publish_barriers();
  }
  __syncthreads();
  u32 h = t;
  for (u32 i = 0; i < 8; ++i) {
    if (t == 32) {
      u32 at = blockIdx.x * 50 + i;
      for (u32 j = 0; j < 2 + i; ++j) at = next[at];
      word = at;
      arrive(full);
    }
    if (t == 0) {
      u32 done = 0;
      while (done == 0)
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2, %3; selp.u32 %0, 1, 0, p;}"
                     : "=r"(done) : "r"(full), "r"(i & 1), "r"(i < 4 ? 700u : 5000u) : "memory");
    }
    __syncthreads();
    h = h * 31 + word;
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = h;
}

// Fences of warps that are out of step, in a cluster of two; then other launches may start.
//@ fences_out_of_step grid=32 block=256 args: words:8192, zeros:32768
LAUNCH __cluster_dims__(2, 1, 1) __launch_bounds__(256) fences_out_of_step(const u32* in, u32* out) {
  asm volatile("griddepcontrol.wait;" ::: "memory");
  const u32 t = blockIdx.x * 256 + threadIdx.x;
  u32 v = in[t];
  for (u32 i = 0; i < threadIdx.x / 32 * 20; ++i) v = v * 1664525 + 1013904223;
  for (u32 i = 0; i < 4; ++i) {
    reinterpret_cast<volatile u32*>(out)[t] = v;
    __threadfence();
    v = v * 3 + i;
  }
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  meet();
  out[t] = v;
}

// Words to 32 rows each: stores of parts of lines, and the end behind them.
//@ columns_out grid=132 block=256 args: words:33792, zeros:2162688
LAUNCH __launch_bounds__(256) columns_out(const u32* in, u32* out) {
  const u32 t = threadIdx.x, v = in[blockIdx.x * 256 + t];
  for (u32 i = 0; i < 8; ++i) out[(blockIdx.x * 256 + t) * 16 + i * 2] = v + i;
}
