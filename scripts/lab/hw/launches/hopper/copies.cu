// SPDX-License-Identifier: Apache-2.0
// Bulk copies and copies through tensor maps: ranks, swizzles, im2col, reductions, maps changed on the device, hints.
#include "cluster.cuh"

namespace {

__device__ u32* words_at(uint8_t* memory, u32 address) {
  return reinterpret_cast<u32*>(memory + (address - shared_address(memory)));
}

}  // namespace

// A box of five dimensions in, turned over, and out through a map with another swizzle.
//@ boxes_of_five grid=24 block=64 shared=17408 buffers: b0=words:17280, b1=fill:57600:ab args: map:b0;f16;40x6x5x4x6;96x576x2880x11520;32x3x2x2x2;64, map:b1;f16;40x6x5x4x6;80x480x2400x9600;32x3x2x2x2;64
LAUNCH __launch_bounds__(64) boxes_of_five(const __grid_constant__ Map from, const __grid_constant__ Map to) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[1];
  const u32 at = (shared_address(memory) + 1023) / 1024 * 1024, barrier = shared_address(barriers);
  const int x = int(blockIdx.x % 3) * 16 - 8, y = int(blockIdx.x % 4), z = int(blockIdx.x / 4) - 1, v = int(blockIdx.x % 2), w = int(blockIdx.x / 8) * 2;
  if (threadIdx.x == 0) {
    start_barrier(barrier, 1);
    publish_barriers();
    expect(barrier, 32 * 3 * 2 * 2 * 2 * 2);
    asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6, %7}], [%2];"
                 ::"r"(at), "l"(&from), "r"(barrier), "r"(x), "r"(y), "r"(z), "r"(v), "r"(w) : "memory");
  }
  __syncthreads();
  wait(barrier, 0);
  u32* const words = words_at(memory, at);
  for (u32 i = threadIdx.x; i < 384; i += 64) words[i] = words[i] * 3 + i;
  fence_shared();
  __syncthreads();
  if (threadIdx.x != 0) return;
  asm volatile("cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];"
               ::"l"(&to), "r"(at), "r"(int(blockIdx.x / 2 % 2) * 8), "r"(int(blockIdx.x % 2) * 3), "r"(int(blockIdx.x / 2 % 2) * 2), "r"(int(blockIdx.x / 4 % 2) * 2), "r"(int(blockIdx.x / 8) * 2) : "memory");
  commit_stores_and_wait();
}

// Rows of one to four dimensions, with and without a swizzle, several boxes behind one barrier.
//@ boxes_of_ranks grid=8 block=128 shared=33792 buffers: a=words:8192 args: map:a;u8;3000;packed;240;0, map:a;s32;100x30;400;8x20;32, map:a;u64;10x20x12;80x1600;4x5x7;0, map:a;f32;24x8x4x3;96x768x3072;16x4x2x3;64, a, zeros:131072
LAUNCH __launch_bounds__(128) boxes_of_ranks(const __grid_constant__ Map one, const __grid_constant__ Map two, const __grid_constant__ Map three,
                                           const __grid_constant__ Map four, const u32*, u32* out) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[1];
  const u32 at = (shared_address(memory) + 1023) / 1024 * 1024, barrier = shared_address(barriers);
  u32* const words = words_at(memory, at);
  for (u32 i = threadIdx.x; i < 4096; i += 128) words[i] = i;
  if (threadIdx.x == 0) {
    start_barrier(barrier, 4);
    publish_barriers();
  }
  fence_shared();
  __syncthreads();
  const int b = int(blockIdx.x);
  if (threadIdx.x == 0) {
    expect(barrier, 240);
    asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3}], [%2];"
                 ::"r"(at), "l"(&one), "r"(barrier), "r"(b * 400 - 16) : "memory");
  }
  if (threadIdx.x == 32) {
    expect(barrier, 640);
    load_2d(at + 1024, &two, barrier, b * 16 - 4, b * 3);
  }
  if (threadIdx.x == 64) {
    expect(barrier, 1120);
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];"
                 ::"r"(at + 2048), "l"(&three), "r"(barrier), "r"(b * 2 - 2), "r"(b * 2), "r"(b - 3) : "memory");
  }
  if (threadIdx.x == 96) {
    expect(barrier, 1536);
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2];"
                 ::"r"(at + 4096), "l"(&four), "r"(barrier), "r"(b * 4), "r"(b - 2), "r"(b % 3), "r"(-(b % 2)) : "memory");
  }
  wait(barrier, 0);
  for (u32 i = threadIdx.x; i < 4096; i += 128) out[blockIdx.x * 4096 + i] = words[i];
}

// Convolution's rows of an image: im2col of four dimensions, through a map that each block makes and changes.
//@ image_columns grid=12 block=32 shared=33792 args: words:16384, zeros:98304, zeros:4096
LAUNCH __launch_bounds__(32) image_columns(const u32* in, u32* out, Map* maps) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(128) Map local;
  __shared__ __align__(8) uint64_t barriers[1];
  const u32 at = (shared_address(memory) + 1023) / 1024 * 1024, barrier = shared_address(barriers);
  u32* const words = words_at(memory, at);
  Map* const map = maps + blockIdx.x;
  for (u32 i = threadIdx.x; i < 2048; i += 32) words[i] = ~i;
  if (threadIdx.x < 32) local.words[threadIdx.x] = 0;
  fence_shared();
  __syncwarp();
  const u32 channels = 16, pixels = 24;
  if (threadIdx.x == 0) {
    local.words[2] = 1 | 3 << 4 | 6 << 7 | (blockIdx.x % 3 == 2 ? 1 : 0) << 13 | (blockIdx.x % 2) << 15;
    local.words[13] = (channels - 1) << 24 | (blockIdx.x % 4 == 3 ? 1u << 3 | 1u << 6 : 0);
    local.words[14] = 0xFFFF | (blockIdx.x % 2 ? 0xFEFF0000u : 0xFFFF0000u);
    local.words[15] = pixels - 1;
    const u32 s = shared_address(&local);
    asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(s), "l"(in) : "memory");
    asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 0, 24;\n"
                 "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, 9;\n"
                 "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 2, 7;\n"
                 "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 3, 5;" ::"r"(s) : "memory");
    asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %1;\n"
                 "tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 1, %2;\n"
                 "tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 2, %3;" ::"r"(s), "l"(48ull), "l"(432ull), "l"(3024ull) : "memory");
    start_barrier(barrier, 1);
    publish_barriers();
  }
  __syncwarp();
  asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(map), "r"(shared_address(&local)) : "memory");
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
  if (threadIdx.x == 0) {
    expect(barrier, channels * 2 * pixels);
    const unsigned short ow = blockIdx.x % 2, oh = blockIdx.x / 2 % 2;
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2], {%7, %8};"
                 ::"r"(at), "l"(map), "r"(barrier), "r"(int(blockIdx.x % 2) * 8), "r"(int(blockIdx.x % 3) - 1), "r"(int(blockIdx.x % 5) - 1), "r"(int(blockIdx.x % 4)), "h"(ow), "h"(oh) : "memory");
  }
  wait(barrier, 0);
  for (u32 i = threadIdx.x; i < 2048; i += 32) out[blockIdx.x * 2048 + i] = words[i];
}

// Reductions of rows to memory: types and operations, and to a tensor.
#define REDUCE(KIND, TO, FROM, BYTES) \
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." KIND " [%0], [%1], %2;" ::"l"(TO), "r"(FROM), "r"(BYTES) : "memory")
//@ bulk_reductions grid=12 block=128 args: words:4096, words:8192
LAUNCH __launch_bounds__(128) bulk_reductions(const u32* in, u32* out) {
  __shared__ __align__(128) u32 words[512];
  for (u32 i = threadIdx.x; i < 512; i += 128) {
    const u32 value = in[(blockIdx.x * 300 + i) % 4096];
    words[i] = i < 128 ? value & 0x8FFF8FFF | 0x30003000 : value;
  }
  fence_shared();
  __syncthreads();
  if (threadIdx.x != 0) return;
  const u32 at = shared_address(words);
  REDUCE("min.f16", out, at, 256);
  REDUCE("max.bf16", out + 64, at + 256, 256);
  REDUCE("and.b32", out + 1024, at + 512, 512);
  REDUCE("or.b64", out + 1152, at + 512, 512);
  REDUCE("xor.b32", out + 1280 + blockIdx.x * 4, at + 1024, 80);
  REDUCE("max.s32", out + 2048, at + 512, 1024);
  REDUCE("min.u32", out + 2304, at + 512, 1024);
  REDUCE("max.u64", out + 2560, at + 512, 1024);
  REDUCE("min.s64", out + 2816, at + 512, 1024);
  REDUCE("add.u64", out + 3072 + blockIdx.x * 4, at + 512, 512);
  if (blockIdx.x == 3) REDUCE("inc.u32", out + 4096, at + 512, 1024);
  REDUCE("add.s32", out + 5120 + blockIdx.x * 8, at + 512, 1024);
  commit_stores_and_wait();
  // sums of floats: each block its own place, so that no order counts
  REDUCE("add.noftz.f16", out + 6144 + blockIdx.x * 64, at, 256);
  REDUCE("add.noftz.bf16", out + 6912 + blockIdx.x * 32, at + 256, 128);
  REDUCE("add.f32", out + 7296 + blockIdx.x * 32, at, 128);
  commit_stores_and_wait();
}

//@ tensor_reductions grid=8 block=96 shared=9216 buffers: b0=words:3072, b1=words:3072, b2=halves:6144 args: map:b0;u32;64x48;256;32x8;128, map:b1;s32;64x48;256;16x16;64, map:b2;f16;64x96;128;64x8;0, b0, b1, b2, words:2048
LAUNCH __launch_bounds__(96) tensor_reductions(const __grid_constant__ Map sums, const __grid_constant__ Map most, const __grid_constant__ Map halves,
                                               const u32*, const u32*, const u32*, const u32* in) {
  extern __shared__ uint8_t memory[];
  const u32 at = (shared_address(memory) + 1023) / 1024 * 1024;
  u32* const words = words_at(memory, at);
  for (u32 i = threadIdx.x; i < 512; i += 96) words[i] = in[(i + blockIdx.x * 191) % 2048];
  for (u32 i = threadIdx.x; i < 256; i += 96) words[512 + i] = in[(i + blockIdx.x * 91) % 2048] & 0x8FFF8FFF | 0x30003000;
  fence_shared();
  __syncthreads();
  const int b = int(blockIdx.x);
#define REDUCE_BOX(KIND, MAP, FROM, X, Y) \
  asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta." KIND ".tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(MAP), "r"(FROM), "r"(X), "r"(Y) : "memory")
  if (threadIdx.x == 0) {
    REDUCE_BOX("add", &sums, at, b % 2 * 40, b * 5);
    REDUCE_BOX("add", &sums, at + 1024, 4, b * 6);
  } else if (threadIdx.x == 32) {
    REDUCE_BOX("max", &most, at, b * 8 % 60, b * 3);
    REDUCE_BOX("max", &most, at + 1024, b * 4, b * 4);
  } else if (threadIdx.x == 64) {
    REDUCE_BOX("add", &halves, at + 2048, 0, b * 8);
  }
  commit_stores_and_wait();
}

// Products of many small matrices, each with its own map, which blocks make out of one by tensormap.replace.
//@ maps_of_groups grid=10 block=64 shared=9216 buffers: a=words:20480 args: map:a;f32;32x16;128;8x16;32, a, zeros:40960, zeros:2048
LAUNCH __launch_bounds__(64) maps_of_groups(const __grid_constant__ Map given, const u32* a, u32* out, Map* maps) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(128) Map local;
  __shared__ __align__(8) uint64_t barriers[1];
  const u32 at = (shared_address(memory) + 1023) / 1024 * 1024, barrier = shared_address(barriers);
  u32* const words = words_at(memory, at);
  for (u32 i = threadIdx.x; i < 1024; i += 64) words[i] = i;
  if (threadIdx.x == 0) start_barrier(barrier, 1), publish_barriers();
  if (threadIdx.x < 32) {
    local.words[threadIdx.x] = given.words[threadIdx.x];
    __syncwarp();
    if (threadIdx.x == 0) {
      const u32 s = shared_address(&local);
      const u32 width = 24 + blockIdx.x * 4;
      asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(s), "l"(a + blockIdx.x * 1600) : "memory");
      asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 0, %1;" ::"r"(s), "r"(width) : "memory");
      asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %1;" ::"r"(s), "r"(20 - blockIdx.x) : "memory");
      asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %1;" ::"r"(s), "l"(u64(width) * 4) : "memory");
      asm volatile("tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%0], 0, 16;\n"
                   "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%0], 1, 24;\n"
                   "tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%0], 2;\n"
                   "tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%0], 1, 2;" ::"r"(s) : "memory");
      if (blockIdx.x % 2) asm volatile("tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%0], 1;" ::"r"(s) : "memory");
    }
    __syncwarp();
    asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(maps + blockIdx.x), "r"(shared_address(&local)) : "memory");
  }
  fence_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(maps + blockIdx.x) : "memory");
    expect(barrier, 16 * 12 * 4);
    load_2d(at, maps + blockIdx.x, barrier, int(blockIdx.x) * 4 - 4, int(blockIdx.x % 4));
  }
  wait(barrier, 0);
  for (u32 i = threadIdx.x; i < 1024; i += 64) out[blockIdx.x * 1024 + i] = words[i];
}

// Hints: prefetches of maps, boxes and rows to the L2, policies of the cache; then a stream with a ring of four stages.
//@ stream_with_hints grid=132 block=160 shared=33792 buffers: a=floats:540672 args: map:a;f32;16384x33;65536;256x1;0, a, zeros:2162688
LAUNCH __launch_bounds__(160) stream_with_hints(const __grid_constant__ Map a, const float* in, float* out) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[8];
  const u32 at = (shared_address(memory) + 1023) / 1024 * 1024, full = shared_address(barriers), empty = full + 32;
  const u32 row = blockIdx.x / 4, column = blockIdx.x % 4 * 4096;
  if (threadIdx.x == 128) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&a) : "memory");
    for (u32 s = 0; s < 4; ++s) start_barrier(full + 8 * s, 1), start_barrier(empty + 8 * s, 4);
    publish_barriers();
  }
  __syncthreads();
  if (threadIdx.x >= 128) {
    if (threadIdx.x != 128) return;
    u64 policy;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1, %2}];" ::"l"(&a), "r"(column), "r"(row) : "memory");
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], 4096;" ::"l"(in + row * 16384 + column + 256) : "memory");
    for (u32 i = 0; i < 16; ++i) {
      const u32 s = i % 4;
      if (i >= 4) wait(empty + 8 * s, (i / 4 + 1) & 1);
      expect(full + 8 * s, 1024);
      if (i % 2)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], 1024, [%2], %3;"
                     ::"r"(at + s * 1024), "l"(in + row * 16384 + column + i * 256), "r"(full + 8 * s), "l"(policy) : "memory");
      else
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%3, %4}], [%2], %5;"
                     ::"r"(at + s * 1024), "l"(&a), "r"(full + 8 * s), "r"(column + i * 256), "r"(row), "l"(policy) : "memory");
    }
    return;
  }
  const float2* const values = reinterpret_cast<float2*>(words_at(memory, at));
  float carry = 0;
  for (u32 i = 0; i < 16; ++i) {
    const u32 s = i % 4;
    wait(full + 8 * s, i / 4 & 1);
    const float2 value = values[s * 128 + threadIdx.x];
    __syncwarp();
    if (lane_id() == 0) arrive(empty + 8 * s);
    carry = carry * 0.5f + warp_sum(value.x * value.y);
    *reinterpret_cast<float2*>(&out[row * 16384 + column + i * 256 + threadIdx.x * 2]) = make_float2(value.x + carry, value.y - carry);
  }
}

// Blocks that copy a ring of rows in and out with groups of stores read while they go on.
//@ rows_in_and_out grid=20 block=96 args: words:40960, zeros:163840
LAUNCH __launch_bounds__(96) rows_in_and_out(const u32* in, u32* out) {
  __shared__ __align__(128) u32 rows[4][256];
  __shared__ __align__(8) uint64_t barriers[4];
  const u32 full = shared_address(barriers);
  if (threadIdx.x == 0) {
    for (u32 s = 0; s < 4; ++s) start_barrier(full + 8 * s, 1);
    publish_barriers();
  }
  __syncthreads();
  auto load = [&](u32 i) {
    expect(full + i % 4 * 8, 1024);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];" ::"r"(
                     shared_address(rows[i % 4])), "l"(in + blockIdx.x * 2048 + i * 256), "r"(full + i % 4 * 8) : "memory");
  };
  if (threadIdx.x == 0) load(0), load(1);
  for (u32 i = 0; i < 8; ++i) {
    wait(full + i % 4 * 8, i / 4);
    for (u32 j = threadIdx.x; j < 256; j += 96) rows[i % 4][j] = mix(rows[i % 4][j] + i);
    fence_shared();
    __syncthreads();
    if (threadIdx.x != 0) continue;
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;\ncp.async.bulk.commit_group;" ::"l"(
                     out + blockIdx.x * 2048 + i * 256), "r"(shared_address(rows[i % 4])) : "memory");
    asm volatile("cp.async.bulk.wait_group.read 2;" ::: "memory");
    if (i + 2 < 8) load(i + 2);
  }
  if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
