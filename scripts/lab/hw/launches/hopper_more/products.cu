// SPDX-License-Identifier: Apache-2.0
// Products of a group of warps: types and widths, pipelines, products shared by a cluster, attention.
#include "../hopper/cluster.cuh"

// C (64 x 8 a group) = A B, sums in halves, A in registers, two products in flight.
//@ halves_8 grid=10 block=256 args: halves:163840, halves:1024, zeros:20480
LAUNCH __launch_bounds__(256) halves_8(const u32* a, const u32* b, u32* c) {
  __shared__ __align__(128) u32 columns[512];
  for (u32 i = threadIdx.x; i < 512; i += 256) {
    const u32 n = i / 64, k = i % 64;
    columns[k / 4 * 32 + n * 4 + k % 4] = b[i];
  }
  fence_shared();
  __syncthreads();
  const u32 l = lane_id(), row = blockIdx.x * 128 + threadIdx.x / 32 * 16 + l / 4, at = shared_address(columns);
  u32 d[2] = {0, 0}, f[8][4];
#pragma unroll
  for (u32 k = 0; k < 8; ++k)
    for (u32 i = 0; i < 4; ++i) f[k][i] = a[(row + i % 2 * 8) * 64 + k * 8 + i / 2 * 4 + l % 4];
  fence_products();
#pragma unroll
  for (u32 k = 0; k < 8; ++k) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, %6, 1, 1, 1, 0;"
                 : "+r"(d[0]), "+r"(d[1]) : "r"(f[k][0]), "r"(f[k][1]), "r"(f[k][2]), "r"(f[k][3]), "l"(descriptor(at + k * 256, 128, 256, 0)));
    commit_products();
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
  }
  finish_products();
  c[row * 4 + l % 4] = d[0];
  c[(row + 8) * 4 + l % 4] = d[1];
}

// C (64 x 160 a block) = -A B, TensorFloat-32, boxes of 128 bytes.
//@ tensor_floats_160 grid=12 block=128 shared=58368 buffers: a=floats:49152, b=floats:10240 args: map:a;tf32;64x768;256;32x64;128, map:b;tf32;64x160;256;32x160;128, zeros:491520
LAUNCH __launch_bounds__(128) tensor_floats_160(const __grid_constant__ Map a, const __grid_constant__ Map b, float* c) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[2];
  const u32 at = aligned_up(memory), full = shared_address(barriers);
  if (threadIdx.x == 0) {
    for (u32 s = 0; s < 2; ++s) start_barrier(full + 8 * s, 1);
    publish_barriers();
    for (u32 s = 0; s < 2; ++s) {
      expect(full + 8 * s, 8192 + 20480);
      load_2d(at + s * 28672, &a, full + 8 * s, s * 32, blockIdx.x * 64);
      load_2d(at + s * 28672 + 8192, &b, full + 8 * s, s * 32, 0);
    }
  }
  __syncthreads();
  float d[80];
  for (float& each : d) each = 0;
  for (u32 s = 0; s < 2; ++s) {
    wait(full + 8 * s, 0);
    fence_products();
#pragma unroll
    for (u32 part = 0; part < 4; ++part)
      asm volatile("wgmma.mma_async.sync.aligned.m64n160k8.f32.tf32.tf32 " LIST80 ", %80, %81, 1, -1, 1;"
                   : D16F(0), D16F(16), D16F(32), D16F(48), D16F(64)
                   : "l"(descriptor(at + s * 28672 + part * 32, 16, 1024, 1)), "l"(descriptor(at + s * 28672 + 8192 + part * 32, 16, 1024, 1)));
    commit_products();
  }
  finish_products();
  take(d);
  const u32 l = lane_id(), row = blockIdx.x * 64 + threadIdx.x / 32 * 16 + l / 4;
  write_pairs(d, c, row, 160);
}

// C (64 x 64 a block) = A B, u8 by u8, boxes of 32 bytes, four of them behind one barrier.
//@ bytes_64 grid=20 block=128 shared=17408 buffers: a=words:40960, b=words:2048 args: map:a;u8;128x1280;128;32x64;32, map:b;u8;128x64;128;32x64;32, zeros:327680
LAUNCH __launch_bounds__(128) bytes_64(const __grid_constant__ Map a, const __grid_constant__ Map b, u32* c) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[1];
  const u32 at = aligned_up(memory), full = shared_address(barriers);
  if (threadIdx.x == 0) {
    start_barrier(full, 1);
    publish_barriers();
    expect(full, 16384);
    for (u32 i = 0; i < 4; ++i) {
      load_2d(at + i * 2048, &a, full, i * 32, blockIdx.x * 64);
      load_2d(at + 8192 + i * 2048, &b, full, i * 32, 0);
    }
  }
  __syncthreads();
  wait(full, 0);
  u32 d[32];
  for (u32& each : d) each = 0;
  fence_products();
#pragma unroll
  for (u32 i = 0; i < 4; ++i)
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k32.s32.u8.u8 " LIST32 ", %32, %33, 1;"
                 : D16R(0), D16R(16) : "l"(descriptor(at + i * 2048, 16, 256, 3)), "l"(descriptor(at + 8192 + i * 2048, 16, 256, 3)));
  commit_products();
  finish_products();
  take(d);
  const u32 l = lane_id(), row = blockIdx.x * 64 + threadIdx.x / 32 * 16 + l / 4;
  write_pairs(d, c, row, 64);
}

// C (64 x 128 a block) = A B, e5m2 by e4m3, sums in halves, boxes of 64 bytes in a ring of two that the group itself fills.
//@ eight_bits_128_halves grid=16 block=128 shared=25600 buffers: a=words:65536, b=words:8192 args: map:a;u8;256x1024;256;64x64;64, map:b;u8;256x128;256;64x128;64, zeros:262144
LAUNCH __launch_bounds__(128) eight_bits_128_halves(const __grid_constant__ Map a, const __grid_constant__ Map b, u32* c) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[2];
  constexpr u32 kStage = 4096 + 8192;
  const u32 at = aligned_up(memory), full = shared_address(barriers);
  const auto fill = [&](u32 k) {
    const u32 s = k % 2;
    expect(full + 8 * s, kStage);
    load_2d(at + s * kStage, &a, full + 8 * s, k * 64, blockIdx.x * 64);
    load_2d(at + s * kStage + 4096, &b, full + 8 * s, k * 64, 0);
  };
  if (threadIdx.x == 0) {
    for (u32 s = 0; s < 2; ++s) start_barrier(full + 8 * s, 1);
    publish_barriers();
    fill(0), fill(1);
  }
  __syncthreads();
  u32 d[32];
  for (u32& each : d) each = 0x38003400;
  for (u32 k = 0; k < 4; ++k) {
    const u32 s = k % 2;
    wait(full + 8 * s, k / 2);
    fence_products();
#pragma unroll
    for (u32 part = 0; part < 2; ++part)
      asm volatile("wgmma.mma_async.sync.aligned.m64n128k32.f16.e5m2.e4m3 " LIST32 ", %32, %33, 1, 1, -1;"
                   : D16R(0), D16R(16)
                   : "l"(descriptor(at + s * kStage + part * 32, 16, 512, 2)), "l"(descriptor(at + s * kStage + 4096 + part * 32, 16, 512, 2)));
    commit_products();
    finish_products();
    take(d);
    __syncthreads();
    if (threadIdx.x == 0 && k < 2) fill(k + 2);
  }
  const u32 l = lane_id(), row = blockIdx.x * 64 + threadIdx.x / 32 * 16 + l / 4;
  for (u32 j = 0; j < 32; ++j) c[(row + j % 2 * 8) * 64 + j / 2 * 4 + l % 4] = d[j];
}

// C (64 x 128 a tile) = A B, fp16; a warp copies, two groups take turns: one multiplies while the other writes its tile.
//@ turns_of_two_groups grid=8 block=384 shared=99328 buffers: a=halves:524288, b=halves:32768 args: map:a;f16;256x2048;512;64x64;128, map:b;f16;256x128;512;64x128;128, zeros:1048576
LAUNCH __launch_bounds__(384, 1) turns_of_two_groups(const __grid_constant__ Map a, const __grid_constant__ Map b, float* c) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[8];
  constexpr u32 kStage = 8192 + 16384;
  const u32 at = aligned_up(memory), full = shared_address(barriers), empty = full + 32;
  if (threadIdx.x == 0) {
    for (u32 s = 0; s < 4; ++s) start_barrier(full + 8 * s, 1), start_barrier(empty + 8 * s, 1);
    publish_barriers();
  }
  __syncthreads();
  if (threadIdx.x >= 256) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 256)
      for (u32 i = 0; i < 16; ++i) {
        const u32 s = i % 4, tile = blockIdx.x * 4 + i / 4;
        if (i >= 4) wait(empty + 8 * s, (i / 4 - 1) & 1);
        expect(full + 8 * s, kStage);
        load_2d(at + s * kStage, &a, full + 8 * s, s * 64, tile * 64);
        load_2d(at + s * kStage + 8192, &b, full + 8 * s, s * 64, 0);
      }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  const u32 group = threadIdx.x / 128;
  if (group == 1) asm volatile("barrier.cta.arrive 2, 256;" ::: "memory");
  for (u32 turn = group; turn < 4; turn += 2) {
    asm volatile("barrier.cta.sync %0, 256;" ::"r"(2 + group) : "memory");
    float d[64];
    for (u32 s = 0; s < 4; ++s) {
      wait(full + 8 * s, turn & 1);
      fence_products();
#pragma unroll
      for (u32 part = 0; part < 4; ++part)
        asm volatile("{.reg .pred p; setp.ne.b32 p, %66, 0;\nwgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " LIST64 ", %64, %65, p, 1, 1, 0, 0;}"
                     : D16F(0), D16F(16), D16F(32), D16F(48)
                     : "l"(descriptor(at + s * kStage + part * 32, 16, 1024, 1)), "l"(descriptor(at + s * kStage + 8192 + part * 32, 16, 1024, 1)), "r"(s + part));
      commit_products();
      finish_products();
      if (threadIdx.x % 128 == 0) arrive(empty + 8 * s);
    }
    take(d);
    if (turn < 3) asm volatile("barrier.cta.arrive %0, 256;" ::"r"(3 - group) : "memory");
    const u32 l = lane_id(), row = (blockIdx.x * 4 + turn) * 64 + threadIdx.x % 128 / 32 * 16 + l / 4;
    write_pairs(d, c, row, 128);
  }
}

// C (64 x 64 a cluster of two) = A B, bf16: each block has half of the sums' length; the halves are added over the cluster.
//@ sums_of_two_blocks grid=16 block=128 shared=33792 buffers: a=bfloats:131072, b=bfloats:16384 args: map:a;bf16;256x512;512;64x64;128, map:b;bf16;256x64;512;64x64;128, zeros:131072
LAUNCH __cluster_dims__(2, 1, 1) __launch_bounds__(128) sums_of_two_blocks(const __grid_constant__ Map a, const __grid_constant__ Map b, float* c) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[1];
  __shared__ float sums[64][65];
  const u32 at = aligned_up(memory), full = shared_address(barriers), rank = rank_in_cluster();
  if (threadIdx.x == 0) {
    start_barrier(full, 1);
    publish_barriers();
    expect(full, 32768);
    for (u32 i = 0; i < 2; ++i) {
      load_2d(at + i * 8192, &a, full, rank * 128 + i * 64, blockIdx.x / 2 * 64);
      load_2d(at + 16384 + i * 8192, &b, full, rank * 128 + i * 64, 0);
    }
  }
  __syncthreads();
  wait(full, 0);
  float d[32];
  for (float& each : d) each = 0;
  fence_products();
#pragma unroll
  for (u32 part = 0; part < 8; ++part)
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " LIST32 ", %32, %33, 1, 1, 1, 0, 0;"
                 : D16F(0), D16F(16)
                 : "l"(descriptor(at + part / 4 * 8192 + part % 4 * 32, 16, 1024, 1)), "l"(descriptor(at + 16384 + part / 4 * 8192 + part % 4 * 32, 16, 1024, 1)));
  commit_products();
  finish_products();
  take(d);
  const u32 l = lane_id(), row = threadIdx.x / 32 * 16 + l / 4;
  for (u32 j = 0; j < 32; ++j) sums[row + j / 2 % 2 * 8][j / 4 * 8 + l % 4 * 2 + j % 2] = d[j];
  meet();
  for (u32 i = threadIdx.x; i < 2048; i += 128) {
    const u32 r = rank * 32 + i / 64, n = i % 64;
    float other;
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(other) : "r"(there(shared_address(&sums[r][n]), rank ^ 1)) : "memory");
    c[(blockIdx.x / 2 * 64 + r) * 64 + n] = sums[r][n] + other;
  }
  meet();
}

// C (64 x 64 a block) = A B, fp16, a cluster of four in y: each block sends a quarter of the shared rows of A to all.
//@ quarters_for_four grid=4,8 block=128 shared=33792 buffers: a=halves:16384, b=halves:131072 args: map:a;f16;128x128;256;64x16;128, map:b;f16;128x1024;256;64x64;128, zeros:524288
LAUNCH __cluster_dims__(1, 4, 1) __launch_bounds__(128) quarters_for_four(const __grid_constant__ Map a, const __grid_constant__ Map b, float* c) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[1];
  const u32 at = aligned_up(memory), full = shared_address(barriers), rank = rank_in_cluster();
  const u32 tile = blockIdx.y / 4, column = blockIdx.x * 4 + rank;
  if (threadIdx.x == 0) {
    start_barrier(full, 1);
    publish_barriers();
    expect(full, 32768);
  }
  meet();
  if (threadIdx.x == 0)
    for (u32 i = 0; i < 2; ++i) {
      asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;"
                   ::"r"(at + i * 8192 + rank * 2048), "l"(&a), "r"(full), "r"(i * 64), "r"(tile * 64 + rank * 16), "h"(static_cast<unsigned short>(15)) : "memory");
      load_2d(at + 16384 + i * 8192, &b, full, i * 64, column * 64);
    }
  wait_cluster(full, 0);
  float d[32];
  for (float& each : d) each = 1;
  fence_products();
#pragma unroll
  for (u32 part = 0; part < 8; ++part)
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " LIST32 ", %32, %33, 1, -1, -1, 0, 0;"
                 : D16F(0), D16F(16)
                 : "l"(descriptor(at + part / 4 * 8192 + part % 4 * 32, 16, 1024, 1)), "l"(descriptor(at + 16384 + part / 4 * 8192 + part % 4 * 32, 16, 1024, 1)));
  commit_products();
  finish_products();
  take(d);
  const u32 l = lane_id(), row = tile * 64 + threadIdx.x / 32 * 16 + l / 4;
  for (u32 j = 0; j < 32; j += 2)
    *reinterpret_cast<float2*>(&c[(row + j / 2 % 2 * 8) * 1024 + column * 64 + j / 4 * 8 + l % 4 * 2]) = make_float2(d[j], d[j + 1]);
  meet();
}

// Attention of 64 keys a step, bf16, 64 columns, with exponentials; weights stay in registers.
//@ attention_64_keys grid=6 block=128 shared=58368 buffers: q=bfloats:24576, k=bfloats:20480, v=bfloats:20480 args: map:q;bf16;64x384;128;64x64;128, map:k;bf16;64x320;128;64x64;128, map:v;bf16;64x320;128;64x64;128, zeros:98304
LAUNCH __launch_bounds__(128) attention_64_keys(const __grid_constant__ Map q, const __grid_constant__ Map k, const __grid_constant__ Map v, float* out) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[5];
  const u32 q_at = aligned_up(memory), full = shared_address(barriers);
  const auto fill = [&](u32 i) {
    const u32 s = i % 2, at = q_at + 8192 + s * 16384;
    expect(full + 8 + 16 * s, 8192);
    load_2d(at, &k, full + 8 + 16 * s, 0, i * 64);
    expect(full + 16 + 16 * s, 8192);
    load_2d(at + 8192, &v, full + 16 + 16 * s, 0, i * 64);
  };
  if (threadIdx.x == 0) {
    for (u32 s = 0; s < 5; ++s) start_barrier(full + 8 * s, 1);
    publish_barriers();
    expect(full, 8192);
    load_2d(q_at, &q, full, 0, blockIdx.x * 64);
    fill(0), fill(1);
  }
  __syncthreads();
  wait(full, 0);
  float o[32], sums[2] = {0, 0}, most[2] = {-1e30f, -1e30f};
  for (float& each : o) each = 0;
  for (u32 i = 0; i < 5; ++i) {
    const u32 s = i % 2, k_at = q_at + 8192 + s * 16384;
    wait(full + 8 + 16 * s, i / 2 & 1);
    float d[32];
    fence_products();
#pragma unroll
    for (u32 part = 0; part < 4; ++part)
      asm volatile("{.reg .pred p; setp.ne.b32 p, %34, 0;\nwgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " LIST32 ", %32, %33, p, 1, 1, 0, 0;}"
                   : D16F(0), D16F(16)
                   : "l"(descriptor(q_at + part * 32, 16, 1024, 1)), "l"(descriptor(k_at + part * 32, 16, 1024, 1)), "r"(part));
    commit_products();
    finish_products();
    take(d);
    u32 p[16];
#pragma unroll
    for (u32 r = 0; r < 2; ++r) {
      float top = most[r];
      for (u32 j = 0; j < 32; j += 4) top = fmaxf(top, fmaxf(d[j + 2 * r], d[j + 2 * r + 1]));
      top = fmaxf(top, __shfl_xor_sync(~0u, top, 1));
      top = fmaxf(top, __shfl_xor_sync(~0u, top, 2));
      const float factor = exp2f((most[r] - top) * 0.25f);
      sums[r] *= factor;
      most[r] = top;
      for (u32 j = 0; j < 32; j += 4) {
        const float x = exp2f((d[j + 2 * r] - top) * 0.25f), y = exp2f((d[j + 2 * r + 1] - top) * 0.25f);
        sums[r] += x + y;
        o[j + 2 * r] *= factor, o[j + 2 * r + 1] *= factor;
        asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(p[j / 2 + r]) : "f"(y), "f"(x));
      }
    }
    wait(full + 16 + 16 * s, i / 2 & 1);
    fence_products();
    {
      float(&d)[32] = o;
#pragma unroll
      for (u32 part = 0; part < 4; ++part)
        asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " LIST32 ", {%32, %33, %34, %35}, %36, 1, 1, 1, 1;"
                     : D16F(0), D16F(16)
                     : "r"(p[4 * part]), "r"(p[4 * part + 1]), "r"(p[4 * part + 2]), "r"(p[4 * part + 3]), "l"(descriptor(k_at + 8192 + part * 2048, 8192, 1024, 1)));
    }
    commit_products();
    finish_products();
    take(o);
    __syncthreads();
    if (threadIdx.x == 0 && i < 3) fill(i + 2);
  }
  const u32 l = lane_id(), row = blockIdx.x * 64 + threadIdx.x / 32 * 16 + l / 4;
  for (u32 r = 0; r < 2; ++r) {
    sums[r] += __shfl_xor_sync(~0u, sums[r], 1);
    sums[r] += __shfl_xor_sync(~0u, sums[r], 2);
    const float factor = __frcp_rn(sums[r]);
    for (u32 j = 0; j < 32; j += 4)
      *reinterpret_cast<float2*>(&out[(row + 8 * r) * 64 + j * 2 + l % 4 * 2]) = make_float2(o[j + 2 * r] * factor, o[j + 2 * r + 1] * factor);
  }
}

// C (64 x 64 a block) = A B in halves, written by stmatrix into swizzled rows and by a box to memory.
//@ stored_by_matrices grid=14 block=128 shared=25600 buffers: a=halves:57344, b=halves:4096, c=zeros:114688 args: map:a;f16;64x896;128;64x64;128, map:b;f16;64x64;128;64x64;128, map:c;f16;64x896;128;64x64;128
LAUNCH __launch_bounds__(128) stored_by_matrices(const __grid_constant__ Map a, const __grid_constant__ Map b, const __grid_constant__ Map c) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[1];
  const u32 at = aligned_up(memory), full = shared_address(barriers), to = at + 16384;
  if (threadIdx.x == 0) {
    start_barrier(full, 1);
    publish_barriers();
    expect(full, 16384);
    load_2d(at, &a, full, 0, blockIdx.x * 64);
    load_2d(at + 8192, &b, full, 0, 0);
  }
  __syncthreads();
  wait(full, 0);
  u32 d[16];
  for (u32& each : d) each = 0;
  fence_products();
#pragma unroll
  for (u32 part = 0; part < 4; ++part)
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f16.f16.f16 " LIST16 ", %16, %17, 1, 1, 1, 0, 1;"
                 : D16R(0) : "l"(descriptor(at + part * 32, 16, 1024, 1)), "l"(descriptor(at + 8192 + part * 2048, 8192, 1024, 1)));
  commit_products();
  finish_products();
  take(d);
  const u32 l = lane_id(), row = threadIdx.x / 32 * 16 + l % 16;
#pragma unroll
  for (u32 j = 0; j < 16; j += 4) {
    const u32 piece = j / 2 + l / 16;
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(to + row * 128 + (piece ^ row % 8) * 16), "r"(d[j]), "r"(d[j + 1]), "r"(d[j + 2]), "r"(d[j + 3]) : "memory");
  }
  fence_shared();
  __syncthreads();
  if (threadIdx.x != 0) return;
  store_2d(&c, to, 0, blockIdx.x * 64);
  commit_stores_and_wait();
}

// Sparse products in a row: fp16, 64 columns, A in shared memory, other places kept in each.
//@ sparse_halves_64 grid=9 block=128 args: words:36864, zeros:147456
LAUNCH __launch_bounds__(128) sparse_halves_64(const u32* in, u32* out) {
  __shared__ __align__(1024) u32 a[2048], b[2048];
  for (u32 i = threadIdx.x; i < 2048; i += 128) {
    a[i] = (in[blockIdx.x * 4096 + i] & 0x87FF87FF) + 0x34003400;
    b[i] = (in[blockIdx.x * 4096 + 2048 + i] & 0x87FF87FF) + 0x34003400;
  }
  fence_shared();
  __syncthreads();
  u32 d[32];
  for (u32& each : d) each = 0x3F800000;
  fence_products();
#pragma unroll
  for (u32 i = 0; i < 4; ++i) {
    const u32 random = mix(threadIdx.x * 4 + i);
    u32 kept = 0;
    for (u32 j = 0; j < 8; ++j) kept |= (0xE9D84C >> (random >> (4 * j) & 7) % 6 * 4 & 15) << (4 * j);
    asm volatile("wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16 " LIST32 ", %32, %33, %34, 0, 1, 1, 1, 0, 0;"
                 : D16R(0), D16R(16) : "l"(descriptor(shared_address(a) + i * 2048, 128, 256, 0)), "l"(descriptor(shared_address(b) + i % 2 * 4096, 128, 512, 0)), "r"(kept));
  }
  commit_products();
  finish_products();
  for (u32 j = 0; j < 32; ++j) out[blockIdx.x * 4096 + j * 128 + threadIdx.x] = d[j];
}
