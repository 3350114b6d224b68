// SPDX-License-Identifier: Apache-2.0
// Copies, barriers and clusters: rows by index, boxes with edges, words sent to other blocks, waits that sleep.
#include "../hopper/cluster.cuh"

// Sums of rows that an index names: 16 bulk copies behind one barrier, the sum goes out by a bulk copy.
//@ rows_by_index grid=40 block=64 args: below:640:300, floats:38400, zeros:20480
LAUNCH __launch_bounds__(64) rows_by_index(const u32* index, const float* rows, float* out) {
  __shared__ __align__(128) float room[16][128], sums[128];
  __shared__ __align__(8) uint64_t barrier;
  const u32 t = threadIdx.x, full = shared_address(&barrier);
  if (t == 0) {
    start_barrier(full, 16);
    publish_barriers();
  }
  __syncthreads();
  if (t < 16) {
    expect(full, 512);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 512, [%2];"
                 ::"r"(shared_address(room[t])), "l"(rows + index[blockIdx.x * 16 + t] * 128), "r"(full) : "memory");
  }
  wait(full, 0);
  for (u32 i = t; i < 128; i += 64) {
    float sum = 0;
    for (u32 r = 0; r < 16; ++r) sum += room[r][i];
    sums[i] = sum;
  }
  fence_shared();
  __syncthreads();
  if (t != 0) return;
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 512;" ::"l"(out + blockIdx.x * 128), "r"(shared_address(sums)) : "memory");
  commit_stores_and_wait();
}

// Counts of 256 values, spread over four blocks of a cluster, which add to one another's shared memory.
//@ counts_of_cluster grid=12 block=256 args: words:24576, zeros:12288
LAUNCH __cluster_dims__(4, 1, 1) __launch_bounds__(256) counts_of_cluster(const u32* in, u32* out) {
  __shared__ u32 counts[64];
  if (threadIdx.x < 64) counts[threadIdx.x] = 0;
  meet();
  for (u32 i = 0; i < 8; ++i) {
    const u32 v = in[(blockIdx.x * 8 + i) * 256 + threadIdx.x] & 255;
    asm volatile("red.shared::cluster.add.u32 [%0], 1;" ::"r"(there(shared_address(&counts[v / 4]), v & 3)) : "memory");
  }
  meet();
  if (threadIdx.x < 64) out[blockIdx.x * 256 + threadIdx.x] = counts[threadIdx.x];
}

// Six points around each of a volume, by boxes with a rim; what is outside is zero; two boxes in flight.
//@ points_around grid=5,5,2 block=128 shared=7168 buffers: a=floats:32000 args: map:a;f32;40x20x40;160x3200;16x6x6;0, zeros:128000
LAUNCH __launch_bounds__(128) points_around(const __grid_constant__ Map a, float* out) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[2];
  const u32 at = (shared_address(memory) + 127) / 128 * 128, full = shared_address(barriers), t = threadIdx.x;
  const float* const room = reinterpret_cast<const float*>(memory + (at - shared_address(memory)));
  const int x = int(blockIdx.x) * 8, y = int(blockIdx.y) * 4, z = int(blockIdx.z) * 20;
  const auto fill = [&](int i) {
    expect(full + 8 * (i & 1), 2304);
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];"
                 ::"r"(at + (i & 1) * 2304), "l"(&a), "r"(full + 8 * (i & 1)), "r"(x - 4), "r"(y - 1), "r"(z + i * 4 - 1) : "memory");
  };
  if (t == 0) {
    start_barrier(full, 1), start_barrier(full + 8, 1);
    publish_barriers();
    fill(0), fill(1);
  }
  __syncthreads();
  for (int i = 0; i < 5; ++i) {
    wait(full + 8 * (i & 1), i / 2 & 1);
    const u32 lx = t % 8, ly = t / 8 % 4, lz = t / 32, c = (i & 1) * 576 + ((lz + 1) * 6 + ly + 1) * 16 + lx + 4;
    const float sum = room[c - 1] + room[c + 1] + room[c - 16] + room[c + 16] + room[c - 96] + room[c + 96] - 6 * room[c];
    out[((z + i * 4 + lz) * 20 + y + ly) * 40 + x + lx] = sum;
    __syncthreads();
    if (t == 0 && i < 3) fill(i + 2);
  }
}

// A matrix turned: boxes of 32 x 32 words in and out, rows of 128 bytes swizzled both times.
//@ turned_boxes grid=6,4 block=128 shared=9216 buffers: a=words:24576, b=zeros:98304 args: map:a;u32;192x128;768;32x32;128, map:b;u32;128x192;512;32x32;128
LAUNCH __launch_bounds__(128) turned_boxes(const __grid_constant__ Map a, const __grid_constant__ Map b) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[1];
  const u32 at = aligned_up(memory), full = shared_address(barriers);
  if (threadIdx.x == 0) {
    start_barrier(full, 1);
    publish_barriers();
    expect(full, 4096);
    load_2d(at, &a, full, blockIdx.x * 32, blockIdx.y * 32);
  }
  __syncthreads();
  wait(full, 0);
  u32* const words = reinterpret_cast<u32*>(memory + (at - shared_address(memory)));
  for (u32 i = threadIdx.x; i < 1024; i += 128) {
    const u32 row = i / 32, column = i % 32;
    words[1024 + column * 32 + (row / 4 ^ column % 8) * 4 + row % 4] = words[row * 32 + (column / 4 ^ row % 8) * 4 + column % 4];
  }
  fence_shared();
  __syncthreads();
  if (threadIdx.x != 0) return;
  store_2d(&b, at + 4096, blockIdx.y * 32, blockIdx.x * 32);
  commit_stores_and_wait();
}

// Boxes added to, combined with and compared with those in memory: words of several blocks, bfloats of one.
//@ boxes_combined grid=10 block=64 shared=9216 buffers: sums=words:1024, bits=words:2048, most=bfloats:20480 args: map:sums;u32;32x32;128;32x8;0, map:bits;u64;16x64;128;16x16;128, map:most;bf16;64x320;128;64x16;128, words:1024
LAUNCH __launch_bounds__(64) boxes_combined(const __grid_constant__ Map sums, const __grid_constant__ Map bits, const __grid_constant__ Map most, const u32* in) {
  extern __shared__ uint8_t memory[];
  const u32 at = aligned_up(memory), b = blockIdx.x;
  u32* const words = reinterpret_cast<u32*>(memory + (at - shared_address(memory)));
  for (u32 i = threadIdx.x; i < 1024; i += 64) words[i] = (in[i] & 0x81FF81FF) + 0x3E003E00 + (b << 4);
  fence_shared();
  __syncthreads();
  if (threadIdx.x != 0) return;
  asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&sums), "r"(at), "r"(0), "r"(int(b % 4) * 8) : "memory");
  asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.xor.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&bits), "r"(at), "r"(0), "r"(int(b % 4) * 16) : "memory");
  asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&most), "r"(at + 2048), "r"(0), "r"(int(b) * 32) : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&most), "r"(at), "r"(0), "r"(int(b) * 32 + 16) : "memory");
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;\ncp.async.bulk.wait_group 0;" ::: "memory");
}

// Four words go round in a cluster of four, eight times: st.async, each block adds its own.
//@ words_go_round grid=12 block=32 args: words:1536, zeros:6144
LAUNCH __cluster_dims__(4, 1, 1) __launch_bounds__(32) words_go_round(const u32* in, u32* out) {
  __shared__ __align__(16) u32 got[2][128];
  __shared__ __align__(8) uint64_t barriers[2];
  const u32 rank = rank_in_cluster(), t = threadIdx.x, mine = shared_address(barriers), next = (rank + 1) % 4;
  if (t == 0) {
    for (u32 s = 0; s < 2; ++s) start_barrier(mine + 8 * s, 1);
    publish_barriers();
    for (u32 s = 0; s < 2; ++s) expect(mine + 8 * s, 512);
  }
  meet();
  uint4 v = reinterpret_cast<const uint4*>(in)[blockIdx.x * 32 + t];
  for (u32 i = 0; i < 8; ++i) {
    const u32 s = i & 1;
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(there(shared_address(&got[s][t * 4]), next)),
                 "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w), "r"(there(mine + 8 * s, next)) : "memory");
    wait_cluster(mine + 8 * s, i / 2 & 1);
    const volatile u32* const room = &got[s][t * 4];
    const uint4 w = make_uint4(room[0], room[1], room[2], room[3]);
    v.x = w.y + rank, v.y = w.z * 3, v.z = w.w ^ i, v.w = w.x + v.w;
    if (t == 0 && i < 6) expect(mine + 8 * s, 512);
    meet();
  }
  reinterpret_cast<uint4*>(out)[blockIdx.x * 32 + t] = v;
}

// Warps that look at a barrier and sleep in between, and warps that wait for it with a limit.
//@ looks_and_sleeps grid=6 block=160 args: ring:4096, zeros:3840
LAUNCH __launch_bounds__(160) looks_and_sleeps(const u32* next, u32* out) {
  __shared__ __align__(8) uint64_t barriers[2];
  __shared__ u32 word;
  const u32 t = threadIdx.x, full = shared_address(barriers), w = t / 32;
  if (t == 0) {
    start_barrier(full, 32), start_barrier(full + 8, 128);
    publish_barriers();
  }
  __syncthreads();
  u32 h = t;
  for (u32 phase = 0; phase < 3; ++phase) {
    if (w == 4) {
      u32 at = blockIdx.x * 100 + phase;
      for (u32 i = 0; i < 6; ++i) at = next[at];
      if (t == 128) word = at;
      arrive(full);
      wait(full + 8, phase & 1);
      h += at;
    } else {
      u32 done = 0;
      while (done == 0) {
        if (w < 2) {
          asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(full), "r"(phase & 1) : "memory");
          if (done == 0) __nanosleep(w == 0 ? 40 : 200);
        } else {
          asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2, %3; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(full), "r"(phase & 1), "r"(w == 2 ? 100u : 2000u) : "memory");
        }
      }
      h = h * 31 + word;
      arrive(full + 8);
    }
  }
  out[blockIdx.x * 160 + t] = h;
}

// Softmax of rows: a warp copies rows ahead into a ring of four, four warps with more registers take a row each.
//@ softmax_of_rows grid=12 block=256 args: floats:98304, zeros:393216
LAUNCH __launch_bounds__(256, 1) softmax_of_rows(const float* in, float* out) {
  __shared__ __align__(128) float room[4][1024];
  __shared__ __align__(8) uint64_t barriers[8];
  const u32 t = threadIdx.x, full = shared_address(barriers), empty = full + 32, first = blockIdx.x * 8;
  if (t == 0) {
    for (u32 s = 0; s < 4; ++s) start_barrier(full + 8 * s, 1), start_barrier(empty + 8 * s, 1);
    publish_barriers();
  }
  __syncthreads();
  if (t >= 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    if (t == 128)
      for (u32 i = 0; i < 8; ++i) {
        const u32 s = i % 4;
        if (i >= 4) wait(empty + 8 * s, 0);
        expect(full + 8 * s, 4096);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];"
                     ::"r"(shared_address(room[s])), "l"(in + (first + i) * 1024), "r"(full + 8 * s) : "memory");
      }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  const u32 w = t / 32, l = t % 32;
  for (u32 i = w; i < 8; i += 4) {
    wait(full + 8 * w, i / 4);
    float4 v[8];
    float top = -1e30f, sum = 0;
#pragma unroll
    for (u32 j = 0; j < 8; ++j) {
      v[j] = *reinterpret_cast<const float4*>(&room[w][j * 128 + l * 4]);
      top = fmaxf(fmaxf(top, fmaxf(v[j].x, v[j].y)), fmaxf(v[j].z, v[j].w));
    }
    __syncwarp();
    if (l == 0) arrive(empty + 8 * w);
    top = warp_max(top);
#pragma unroll
    for (u32 j = 0; j < 8; ++j) {
      v[j] = make_float4(exp2f(v[j].x - top), exp2f(v[j].y - top), exp2f(v[j].z - top), exp2f(v[j].w - top));
      sum += v[j].x + v[j].y + v[j].z + v[j].w;
    }
    const float factor = __frcp_rn(warp_sum(sum));
#pragma unroll
    for (u32 j = 0; j < 8; ++j)
      *reinterpret_cast<float4*>(&out[(first + i) * 1024 + j * 128 + l * 4]) = make_float4(v[j].x * factor, v[j].y * factor, v[j].z * factor, v[j].w * factor);
  }
}

// A line of cells over a cluster of eight, six steps: each block reads its neighbours' ends.
//@ ends_of_neighbours grid=16 block=128 args: words:4096, zeros:16384
LAUNCH __cluster_dims__(8, 1, 1) __launch_bounds__(128) ends_of_neighbours(const u32* in, u32* out) {
  __shared__ u32 cells[2][256];
  const u32 rank = rank_in_cluster(), t = threadIdx.x;
  for (u32 i = t; i < 256; i += 128) cells[0][i] = in[blockIdx.x * 256 + i];
  meet();
  for (u32 step = 0; step < 6; ++step) {
    const u32 now = step & 1;
    for (u32 i = t; i < 256; i += 128) {
      u32 left, right;
      if (i == 0) asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(left) : "r"(there(shared_address(&cells[now][255]), (rank + 7) % 8)) : "memory");
      else left = cells[now][i - 1];
      if (i == 255) asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(right) : "r"(there(shared_address(&cells[now][0]), (rank + 1) % 8)) : "memory");
      else right = cells[now][i + 1];
      cells[1 - now][i] = (left ^ right) + cells[now][i] * 3;
    }
    meet();
  }
  for (u32 i = t; i < 256; i += 128) out[blockIdx.x * 256 + i] = cells[0][i];
}

// Columns of an image of one spatial dimension: im2col of three dimensions, the map is made in shared memory.
//@ pixels_of_lines grid=8 block=32 shared=17408 args: words:8192, zeros:65536, zeros:4096
LAUNCH __launch_bounds__(32) pixels_of_lines(const u32* in, u32* out, Map* maps) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(128) Map local;
  __shared__ __align__(8) uint64_t barriers[1];
  const u32 at = aligned_up(memory), full = shared_address(barriers), b = blockIdx.x;
  u32* const words = reinterpret_cast<u32*>(memory + (at - shared_address(memory)));
  Map* const map = maps + b;
  for (u32 i = threadIdx.x; i < 2048; i += 32) words[i] = 0;
  local.words[threadIdx.x] = 0;
  fence_shared();
  __syncwarp();
  constexpr u32 kChannels = 8, kPixels = 50;
  if (threadIdx.x == 0) {
    local.words[2] = 1 | 2 << 4 | 2 << 7 | (b % 2 ? 1 : 0) << 13;
    local.words[13] = (kChannels - 1) << 24 | (b % 4 == 3 ? 1u << 3 : 0);
    local.words[14] = 0xFFFEu | (b % 3 ? 0xFFFEu : 0u) << 16;
    local.words[15] = kPixels - 1;
    const u32 s = shared_address(&local);
    asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(s), "l"(in) : "memory");
    asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 0, 12;\n"
                 "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, 19;\n"
                 "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 2, 6;" ::"r"(s) : "memory");
    asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %1;\n"
                 "tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 1, %2;" ::"r"(s), "l"(64ull), "l"(1280ull) : "memory");
    start_barrier(full, 1);
    publish_barriers();
  }
  __syncwarp();
  asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(map), "r"(shared_address(&local)) : "memory");
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
  if (threadIdx.x == 0) {
    expect(full, kChannels * 4 * kPixels);
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2], {%6};"
                 ::"r"(at), "l"(map), "r"(full), "r"(int(b % 2) * 4), "r"(int(b % 3) - 2), "r"(int(b % 4)), "h"(static_cast<unsigned short>(b % 3)) : "memory");
  }
  wait(full, 0);
  for (u32 i = threadIdx.x; i < 2048; i += 32) out[b * 2048 + i] = words[i];
}
