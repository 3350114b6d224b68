// SPDX-License-Identifier: Apache-2.0
// Sparse products of two groups, and a pipeline of three stages.
#include "../hopper/cluster.cuh"

// D (64 x 64 a group) = A B, half of A kept, bf16: 12 products in three groups; pairs go out to 8 rows a warp.
//@ sparse_bfloats_64 grid=16 block=256 args: words:32768, zeros:524288
LAUNCH __launch_bounds__(256) sparse_bfloats_64(const u32* in, float* out) {
  __shared__ __align__(1024) u32 a[2048], b[2048];
  const u32 t = threadIdx.x;
  for (u32 i = t; i < 2048; i += 256) {
    a[i] = (in[blockIdx.x * 2048 + i] & 0x81FF81FF) + 0x3E003E00;
    b[i] = (in[(blockIdx.x * 2048 + i + 1024) % 32768] & 0x81FF81FF) + 0x3E003E00;
  }
  fence_shared();
  __syncthreads();
  float d[32];
  for (float& each : d) each = 0;
  const u64 da = descriptor(shared_address(a) + t / 128 * 4096, 128, 256, 0), db = descriptor(shared_address(b), 128, 512, 0);
  for (u32 i = 0; i < 3; ++i) {
    fence_products();
#pragma unroll
    for (u32 j = 0; j < 4; ++j)
      asm volatile("wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.bf16.bf16 " LIST32 ", %32, %33, %34, 0, 1, 1, 1, 0, 0;"
                   : D16F(0), D16F(16) : "l"(da), "l"(db), "r"(0x4E4E4E4Eu));
    commit_products();
    finish_products();
    take(d);
  }
  const u32 l = lane_id(), row = blockIdx.x * 128 + t / 32 * 16 + l / 4;
  write_pairs(d, out, row, 64);
}

// C (128 x 64 a block) = A B, bf16, K 512: a warp copies 64 columns a stage, three stages, two groups multiply.
//@ pipeline_of_three grid=10 block=384 shared=74752 buffers: a=bfloats:655360, b=bfloats:32768 args: map:a;bf16;512x1280;1024;64x128;128, map:b;bf16;512x64;1024;64x64;128, zeros:327680
LAUNCH __launch_bounds__(384, 1) pipeline_of_three(const __grid_constant__ Map a, const __grid_constant__ Map b, float* c) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[6];
  constexpr u32 kStage = 16384 + 8192;
  const u32 at = aligned_up(memory), full = shared_address(barriers), empty = full + 24, t = threadIdx.x, group = t / 128;
  if (t == 0) {
    for (u32 s = 0; s < 3; ++s) start_barrier(full + 8 * s, 1), start_barrier(empty + 8 * s, 2);
    publish_barriers();
  }
  __syncthreads();
  if (group == 2) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (t == 256)
      for (u32 i = 0; i < 8; ++i) {
        const u32 s = i % 3;
        if (i >= 3) wait(empty + 8 * s, (i / 3 - 1) & 1);
        expect(full + 8 * s, kStage);
        load_2d(at + s * kStage, &a, full + 8 * s, i * 64, blockIdx.x * 128);
        load_2d(at + s * kStage + 16384, &b, full + 8 * s, i * 64, 0);
      }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 160;");
  float d[32];
  for (float& each : d) each = 0;
  for (u32 i = 0; i < 8; ++i) {
    const u32 s = i % 3, from = at + s * kStage;
    wait(full + 8 * s, i / 3 & 1);
    fence_products();
#pragma unroll
    for (u32 part = 0; part < 4; ++part)
      asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " LIST32 ", %32, %33, 1, 1, 1, 0, 0;"
                   : D16F(0), D16F(16)
                   : "l"(descriptor(from + group * 8192 + part * 32, 16, 1024, 1)), "l"(descriptor(from + 16384 + part * 32, 16, 1024, 1)));
    commit_products();
    finish_products();
    take(d);
    if (t % 128 == 0) arrive(empty + 8 * s);
  }
  const u32 l = lane_id(), row = blockIdx.x * 128 + t / 32 * 16 + l / 4;
  write_pairs(d, c, row, 64);
}
