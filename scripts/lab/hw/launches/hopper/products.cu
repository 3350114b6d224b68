// SPDX-License-Identifier: Apache-2.0
// Products of a group of warps: types, widths, layouts and pipelines.
#include "cluster.cuh"

namespace {

/// A tile's place in pieces of 16 bytes without a swizzle: 8 rows of 16 bytes stand together.
__device__ u32 piece_at(u32 row, u32 piece, u32 pieces) { return (row / 8 * pieces + piece) * 32 + row % 8 * 4; }

/// Rows of `pieces` x 16 bytes from memory to a tile without a swizzle.
__device__ void fill_tile(u32* tile, const u32* from, u32 rows, u32 pieces, u32 pitch, u32 threads) {
  for (u32 i = threadIdx.x; i < rows * pieces * 4; i += threads) {
    const u32 row = i / (pieces * 4), word = i % (pieces * 4);
    tile[piece_at(row, word / 4, pieces) + word % 4] = from[row * pitch + word];
  }
}

}  // namespace

// C (64 x 96 a block) = A B, fp16; tiles by ordinary loads, no swizzle, the first product overwrites.
//@ halves_96 grid=12 block=128 args: halves:98304, halves:12288, zeros:294912
LAUNCH __launch_bounds__(128) halves_96(const u32* a, const u32* b, float* c) {
  __shared__ __align__(128) u32 ta[64 * 32], tb[96 * 32];
  float d[48];
  for (u32 k = 0; k < 2; ++k) {
    fill_tile(ta, a + blockIdx.x * 64 * 64 + k * 32, 64, 8, 64, 128);
    fill_tile(tb, b + k * 32, 96, 8, 64, 128);
    fence_shared();
    __syncthreads();
    fence_products();
#pragma unroll
    for (u32 part = 0; part < 4; ++part)
      asm volatile("{.reg .pred p; setp.ne.b32 p, %50, 0;\n"
                   "wgmma.mma_async.sync.aligned.m64n96k16.f32.f16.f16 " LIST48 ", %48, %49, p, 1, 1, 0, 0;}"
                   : D16F(0), D16F(16), D16F(32)
                   : "l"(descriptor(shared_address(ta) + part * 256, 128, 1024, 0)),
                     "l"(descriptor(shared_address(tb) + part * 256, 128, 1024, 0)), "r"(k + part));
    commit_products();
    finish_products();
    take(d);
    __syncthreads();
  }
  const u32 lane = lane_id(), row = blockIdx.x * 64 + threadIdx.x / 32 * 16 + lane / 4;
  for (u32 j = 0; j < 48; ++j) c[(row + j / 2 % 2 * 8) * 96 + j / 4 * 8 + lane % 4 * 2 + j % 2] = d[j];
}

// C (64 x 160 a block) = A B, e4m3 by e5m2, three stages of boxes of 128 bytes; one thread copies ahead.
//@ bytes_160_stages grid=10 block=128 shared=87040 buffers: a=words:81920, b=words:20480 args: map:a;u8;512x640;512;128x64;128, map:b;u8;512x160;512;128x160;128, a, b, zeros:409600
LAUNCH __launch_bounds__(128) bytes_160_stages(const __grid_constant__ Map a, const __grid_constant__ Map b, const u32*, const u32*, float* c) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[3];
  constexpr u32 kStage = 8192 + 20480, kSteps = 4;
  const u32 base = (shared_address(memory) + 1023) / 1024 * 1024, full = shared_address(barriers);
  auto load = [&](u32 k) {
    const u32 at = base + k % 3 * kStage, barrier = full + k % 3 * 8;
    expect(barrier, kStage);
    load_2d(at, &a, barrier, k * 128, blockIdx.x * 64);
    load_2d(at + 8192, &b, barrier, k * 128, 0);
  };
  if (threadIdx.x == 0) {
    for (u32 s = 0; s < 3; ++s) start_barrier(full + 8 * s, 1);
    publish_barriers();
    load(0);
    load(1);
  }
  __syncthreads();
  float d[80];
  for (float& each : d) each = 0.5f;
  for (u32 k = 0; k < kSteps; ++k) {
    if (threadIdx.x == 0 && k + 2 < kSteps) load(k + 2);
    __syncwarp();
    wait(full + k % 3 * 8, k / 3 & 1);
    const u32 at = base + k % 3 * kStage;
    fence_products();
#pragma unroll
    for (u32 part = 0; part < 4; ++part)
      asm volatile("wgmma.mma_async.sync.aligned.m64n160k32.f32.e4m3.e5m2 " LIST80 ", %80, %81, 1, 1, -1;"
                   : D16F(0), D16F(16), D16F(32), D16F(48), D16F(64)
                   : "l"(descriptor(at + part * 32, 16, 1024, 1)), "l"(descriptor(at + 8192 + part * 32, 16, 1024, 1)));
    commit_products();
    finish_products();
    take(d);
    __syncthreads();
  }
  const u32 lane = lane_id(), row = blockIdx.x * 64 + threadIdx.x / 32 * 16 + lane / 4;
  write_pairs(d, c, row, 160);
}

// C (64 x 224 a block) = A B, u8 by s8 with saturation; bulk copies of prepared tiles.
//@ bytes_224_bulk grid=132 block=128 shared=74752 args: words:270336, words:14336, zeros:7569408
LAUNCH __launch_bounds__(128) bytes_224_bulk(const u32* a, const u32* b, u32* c) {
  extern __shared__ __align__(128) uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[2];
  const u32 at = shared_address(memory), full = shared_address(barriers);
  if (threadIdx.x == 0) {
    start_barrier(full, 1);
    start_barrier(full + 8, 1);
    publish_barriers();
    for (u32 s = 0; s < 2; ++s) {
      expect(full + 8 * s, 4096 + 28672);
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];" ::"r"(
                       at + s * 32768), "l"(a + blockIdx.x * 2048 + s * 1024), "r"(full + 8 * s) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 28672, [%2];" ::"r"(
                       at + s * 32768 + 4096), "l"(b + s * 7168), "r"(full + 8 * s) : "memory");
    }
  }
  __syncthreads();
  u32 d[112];
  for (u32 i = 0; i < 112; ++i) d[i] = i % 3 == 0 ? 0x7FFF0000u : i;
  for (u32 s = 0; s < 2; ++s) {
    wait(full + 8 * s, 0);
    const u32 tile = at + s * 32768;
    fence_products();
#pragma unroll
    for (u32 part = 0; part < 2; ++part)
      asm volatile("wgmma.mma_async.sync.aligned.m64n224k32.s32.u8.s8.satfinite " LIST112 ", %112, %113, 1;"
                   : D16R(0), D16R(16), D16R(32), D16R(48), D16R(64), D16R(80), D16R(96)
                   : "l"(descriptor(tile + part * 2048, 1024, 128, 0)),
                     "l"(descriptor(tile + 4096 + part * 256, 128, 512, 0)));
    commit_products();
    finish_products();
    take(d);
  }
  const u32 lane = lane_id(), row = blockIdx.x * 64 + threadIdx.x / 32 * 16 + lane / 4;
  for (u32 j = 0; j < 112; ++j) c[(row + j / 2 % 2 * 8) * 224 + j / 4 * 8 + lane % 4 * 2 + j % 2] = d[j];
}

// C = 2 - A B (64 x 24 a block), TensorFloat-32, A in registers by ldmatrix, boxes of 64 bytes.
//@ tensor_floats_24 grid=9 block=128 shared=25600 buffers: a=floats:36864, b=floats:1536 args: map:a;tf32;64x576;256;16x64;64, map:b;tf32;64x24;256;16x24;64, a, b, zeros:55296
LAUNCH __launch_bounds__(128) tensor_floats_24(const __grid_constant__ Map a, const __grid_constant__ Map b, const u32*, const u32*, float* c) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[4];
  const u32 base = (shared_address(memory) + 1023) / 1024 * 1024, full = shared_address(barriers);
  if (threadIdx.x == 0) {
    for (u32 s = 0; s < 4; ++s) start_barrier(full + 8 * s, 1);
    publish_barriers();
    for (u32 s = 0; s < 4; ++s) {
      expect(full + 8 * s, 4096 + 1536);
      load_2d(base + s * 6144, &a, full + 8 * s, s * 16, blockIdx.x * 64);
      load_2d(base + s * 6144 + 4096, &b, full + 8 * s, s * 16, 0);
    }
  }
  __syncthreads();
  float d[12];
  for (float& each : d) each = 2;
  const u32 lane = lane_id(), warp = threadIdx.x / 32;
#pragma unroll 1
  for (u32 s = 0; s < 4; ++s) {
    wait(full + 8 * s, 0);
    const u32 tile = base + s * 6144;
    u32 r[2][4];
#pragma unroll
    for (u32 part = 0; part < 2; ++part) {
      const u32 row = warp * 16 + lane % 16, piece = part * 2 + lane / 16;
      u32 at = tile + row * 64 + piece * 16;
      at ^= at >> 3 & 0x30;
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(r[part][0]), "=r"(r[part][1]), "=r"(r[part][2]), "=r"(r[part][3]) : "r"(at) : "memory");
    }
    fence_products();
#pragma unroll
    for (u32 part = 0; part < 2; ++part)
      asm volatile("wgmma.mma_async.sync.aligned.m64n24k8.f32.tf32.tf32 " LIST12 ", {%12, %13, %14, %15}, %16, 1, -1, 1;"
                   : D4F(0), D4F(4), D4F(8)
                   : "r"(r[part][0]), "r"(r[part][1]), "r"(r[part][2]), "r"(r[part][3]),
                     "l"(descriptor(tile + 4096 + part * 32, 16, 512, 2)));
    commit_products();
    finish_products();
    take(d);
  }
  const u32 row = blockIdx.x * 64 + warp * 16 + lane / 4;
  for (u32 j = 0; j < 12; ++j) c[(row + j / 2 % 2 * 8) * 24 + j / 4 * 8 + lane % 4 * 2 + j % 2] = d[j];
}

// C (64 x 192 a block) = A^T B, bf16, both with their rows along the sums, swizzled by 128 bytes.
//@ bfloats_192_turned grid=16 block=128 shared=66560 buffers: a=bfloats:131072, b=bfloats:24576 args: map:a;bf16;1024x128;2048;64x64;128, map:b;bf16;192x128;384;64x64;128, a, b, zeros:786432
LAUNCH __launch_bounds__(128) bfloats_192_turned(const __grid_constant__ Map a, const __grid_constant__ Map b, const u32*, const u32*, float* c) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[2];
  const u32 base = (shared_address(memory) + 1023) / 1024 * 1024, full = shared_address(barriers);
  if (threadIdx.x == 0) {
    for (u32 s = 0; s < 2; ++s) start_barrier(full + 8 * s, 1);
    publish_barriers();
    for (u32 s = 0; s < 2; ++s) {
      expect(full + 8 * s, 32768);
      load_2d(base + s * 32768, &a, full + 8 * s, blockIdx.x * 64, s * 64);
      for (u32 j = 0; j < 3; ++j) load_2d(base + s * 32768 + 8192 * (j + 1), &b, full + 8 * s, 64 * j, s * 64);
    }
  }
  __syncthreads();
  float d[96];
  for (float& each : d) each = 0;
  for (u32 s = 0; s < 2; ++s) {
    wait(full + 8 * s, 0);
    fence_products();
#pragma unroll
    for (u32 part = 0; part < 4; ++part)
      asm volatile("wgmma.mma_async.sync.aligned.m64n192k16.f32.bf16.bf16 " LIST96 ", %96, %97, 1, 1, 1, 1, 1;"
                   : D16F(0), D16F(16), D16F(32), D16F(48), D16F(64), D16F(80)
                   : "l"(descriptor(base + s * 32768 + part * 2048, 8192, 1024, 1)),
                     "l"(descriptor(base + s * 32768 + 8192 + part * 2048, 8192, 1024, 1)));
    commit_products();
  }
  finish_products();
  take(d);
  const u32 lane = lane_id(), row = blockIdx.x * 64 + threadIdx.x / 32 * 16 + lane / 4;
  for (u32 j = 0; j < 96; ++j) c[(row + j / 2 % 2 * 8) * 192 + j / 4 * 8 + lane % 4 * 2 + j % 2] = d[j];
}

// C (128 x 256 a tile) = A B, fp16 with sums in fp16: a warp copies four stages ahead, two groups multiply, each block takes
// several tiles; results go out by stmatrix and a store of boxes.
//@ halves_256_persistent grid=6 block=384 shared=214016 buffers: a=halves:262144, b=halves:131072, c=zeros:1048576 args: map:a;f16;256x1024;512;64x128;128, map:b;f16;256x512;512;64x256;128, map:c;f16;512x1024;1024;64x64;128
LAUNCH __launch_bounds__(384, 1) halves_256_persistent(const __grid_constant__ Map a, const __grid_constant__ Map b, const __grid_constant__ Map c) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[8];
  constexpr u32 kStages = 3, kStage = 16384 + 32768, kTiles = 16, kSteps = 4;
  const u32 base = (shared_address(memory) + 1023) / 1024 * 1024, full = shared_address(barriers), empty = full + 32;
  const u32 results = base + kStages * kStage;
  if (threadIdx.x == 0) {
    for (u32 s = 0; s < kStages; ++s) start_barrier(full + 8 * s, 1), start_barrier(empty + 8 * s, 2);
    publish_barriers();
  }
  __syncthreads();
  u32 at = 0;
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x != 0) return;
    for (u32 tile = blockIdx.x; tile < kTiles; tile += gridDim.x)
      for (u32 k = 0; k < kSteps; ++k, ++at) {
        const u32 s = at % kStages;
        if (at >= kStages) wait(empty + 8 * s, (at / kStages + 1) & 1);
        expect(full + 8 * s, kStage);
        load_2d(base + s * kStage, &a, full + 8 * s, k * 64, tile / 2 * 128);
        load_2d(base + s * kStage + 16384, &b, full + 8 * s, k * 64, tile % 2 * 256);
      }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  const u32 group = threadIdx.x / 128 - 1, lane = lane_id(), warp = threadIdx.x / 32 % 4;
  for (u32 tile = blockIdx.x; tile < kTiles; tile += gridDim.x) {
    u32 d[64];
    for (u32& each : d) each = 0;
    for (u32 k = 0; k < kSteps; ++k, ++at) {
      const u32 s = at % kStages, from = base + s * kStage;
      wait(full + 8 * s, at / kStages & 1);
      fence_products();
#pragma unroll
      for (u32 part = 0; part < 4; ++part)
        asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f16.f16.f16 " LIST64 ", %64, %65, 1, 1, 1, 0, 0;"
                     : D16R(0), D16R(16), D16R(32), D16R(48)
                     : "l"(descriptor(from + group * 8192 + part * 32, 16, 1024, 1)),
                       "l"(descriptor(from + 16384 + part * 32, 16, 1024, 1)));
      commit_products();
      finish_products();
      take(d);
      if (threadIdx.x % 128 == 0) arrive(empty + 8 * s);
    }
    // boxes of 64 columns, swizzled
    const u32 mine = results + group * 32768;
    if (threadIdx.x % 128 == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory");
#pragma unroll
    for (u32 j = 0; j < 64; j += 4) {
      const u32 column = j * 4 + lane / 16 * 8, row = warp * 16 + lane % 16;
      u32 to = mine + column / 64 * 8192 + row * 128 + column % 64 * 2;
      to ^= to >> 3 & 0x70;
      asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(d[j]), "r"(d[j + 1]),
                   "r"(d[j + 2]), "r"(d[j + 3]) : "memory");
    }
    fence_shared();
    asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory");
    if (threadIdx.x % 128 == 0) {
      for (u32 j = 0; j < 4; ++j)
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&c),
                     "r"(mine + j * 8192), "r"(tile % 2 * 256 + j * 64), "r"(tile / 2 * 128 + group * 64) : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
  }
  if (threadIdx.x % 128 == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// Products of widths that few use, one after another in one group, A in registers and in shared memory by turns.
//@ widths_in_turn grid=4 block=256 args: words:4096, zeros:131072
LAUNCH __launch_bounds__(256) widths_in_turn(const u32* in, u32* out) {
  __shared__ __align__(1024) u32 a[1024], b[4096];
  for (u32 i = threadIdx.x; i < 1024; i += 256) a[i] = (in[i] & 0x81FF81FF) | 0x3E003E00;
  for (u32 i = threadIdx.x; i < 4096; i += 256) b[i] = (in[(i + blockIdx.x * 77) % 4096] & 0x81FF81FF) | 0x3E003E00;
  fence_shared();
  __syncthreads();
  const u32 group = threadIdx.x / 128;
  const u64 da = descriptor(shared_address(a) + group * 2048, 128, 256, 0), db = descriptor(shared_address(b), 128, 256, 0);
  float d[4], e[32], f[16];
  for (float& each : d) each = 1;
  for (float& each : e) each = -1;
  for (float& each : f) each = 0.125f;
  u32 r[4];
  for (u32 i = 0; i < 4; ++i) r[i] = (in[threadIdx.x + 256 * i] & 0x81FF81FF) | 0x3E003E00;
  fence_products();
#pragma unroll 1
  for (u32 i = 0; i < 5; ++i) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, -1, 1, 0, 0;"
                 : D4F(0) : "l"(da), "l"(db));
    commit_products();
    {
      float(&d)[32] = e;
      asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " LIST32 ", {%32, %33, %34, %35}, %36, 1, 1, -1, 0;"
                   : D16F(0), D16F(16) : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "l"(db));
      commit_products();
    }
    {
      float(&d)[16] = f;
      asm volatile("wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 " LIST16 ", %16, %17, 1, 1, 1, 0, 0;"
                   : D16F(0) : "l"(da), "l"(db + (i * 64)));
      commit_products();
    }
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    take(d);
    take(e);
  }
  finish_products();
  take(f);
  u32 at = (blockIdx.x * 256 + threadIdx.x) * 32;
  for (u32 i = 0; i < 32; ++i) out[at + i] = __float_as_uint(e[i]) ^ __float_as_uint(d[i % 4]) * 3 ^ __float_as_uint(f[i % 16]) * 5;
}
