// SPDX-License-Identifier: Apache-2.0
// What moves data and little else.
#include "launch.cuh"

//@ transpose_tile grid=64,33 block=32,8 args: words:2162688, zeros:8650752
LAUNCH transpose_tile(const u32* in, u32* out) {  // 1056 x 2048
  __shared__ u32 tile[32][33];
  u32 x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (u32 i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * 2048 + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
  for (u32 i = 0; i < 32; i += 8) out[(y + i) * 1056 + x] = tile[threadIdx.x][threadIdx.y + i];
}

//@ transpose_plain grid=64,132 block=32,8 args: words:2162688, zeros:8650752
LAUNCH transpose_plain(const u32* in, u32* out) {  // stores a column apart
  u32 x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  out[x * 1056 + y] = in[y * 2048 + x];
}

//@ transpose_registers grid=264 block=256 args: words:2162688, zeros:8650752
LAUNCH transpose_registers(const u32* in, u32* out) {  // 32 x 32 a warp, five exchanges by shuffles
  u32 warp = thread_of_grid() / 32, lane = lane_id(), v[32];
#pragma unroll
  for (int i = 0; i < 32; i++) v[i] = in[warp * 1024 + i * 32 + lane];
#pragma unroll
  for (int by = 16; by > 0; by >>= 1)
#pragma unroll
    for (int i = 0; i < 32; i++)
      if ((i & by) == 0) {
        u32 give = lane & by ? v[i] : v[i + by];
        u32 take = __shfl_xor_sync(~0u, give, by);
        if (lane & by) v[i] = take;
        else v[i + by] = take;
      }
#pragma unroll
  for (int i = 0; i < 32; i++) out[warp * 1024 + i * 32 + lane] = v[i];
}

//@ gather_words grid=1056 block=256 args: words:2097152, below:1081344:2097152, zeros:4325376
LAUNCH gather_words(const u32* in, const uint4* at, uint4* out) {
  uint4 i = at[thread_of_grid()];
  out[thread_of_grid()] = make_uint4(in[i.x], in[i.y], in[i.z], in[i.w]);
}

//@ scatter_words grid=2112 block=256 args: words:540672, permutation:540672, zeros:2162688
LAUNCH scatter_words(const u32* in, const u32* at, u32* out) {
  out[at[thread_of_grid()]] = in[thread_of_grid()];
}

//@ copy_wide grid=1056 block=256 args: words:4325376, zeros:17301504
LAUNCH copy_wide(const uint4* in, uint4* out) {
#pragma unroll
  for (u32 i = 0; i < 4; i++) out[blockIdx.x * 1024 + i * 256 + threadIdx.x] = in[blockIdx.x * 1024 + i * 256 + threadIdx.x];
}

//@ fill_words grid=1056 block=512 args: zeros:17301504, u32:77
LAUNCH fill_words(u32* out, u32 value) {
#pragma unroll
  for (u32 i = 0; i < 8; i++) out[blockIdx.x * 4096 + i * 512 + threadIdx.x] = value + i;
}

//@ triad grid=2112 block=256 args: floats:2162688, floats:2162688, zeros:8650752, f32:1.5
LAUNCH triad(const float2* a, const float2* b, float2* c, float s) {
#pragma unroll
  for (u32 i = 0; i < 2; i++) {
    u32 at = blockIdx.x * 512 + i * 256 + threadIdx.x;
    float2 x = a[at], y = b[at];
    c[at] = make_float2(x.x + s * y.x, x.y + s * y.y);
  }
}

//@ strided_reads grid=1056 block=256 args: words:4194304, zeros:1081344
LAUNCH strided_reads(const u32* in, u32* out) {  // each lane a sector of its own
  u32 sum = 0, at = thread_of_grid();
#pragma unroll
  for (u32 i = 0; i < 8; i++) sum += in[(at * 8 + i * 524309) & 4194303];
  out[at] = sum;
}

//@ chase_rings grid=264 block=256 args: ring:1048576, zeros:270336
LAUNCH chase_rings(const u32* next, u32* out) {  // a chain of 24 loads in each thread
  u32 at = thread_of_grid() * 13;
#pragma unroll 4
  for (int i = 0; i < 24; i++) at = next[at & 1048575];
  out[thread_of_grid()] = at;
}

//@ atomics_spread grid=1056 block=256 args: words:1081344, zeros:4194304
LAUNCH atomics_spread(const u32* in, u32* out) {
#pragma unroll
  for (u32 i = 0; i < 4; i++) atomicAdd(&out[in[blockIdx.x * 1024 + i * 256 + threadIdx.x] & 0xfffff], i + 1);
}

//@ atomics_row grid=528 block=256 args: zeros:1024, zeros:135168
LAUNCH atomics_row(u32* row, u32* out) {  // returned values, all blocks on the same 1 KiB
  u32 sum = 0;
#pragma unroll 1
  for (u32 i = 0; i < 8; i++) sum += atomicAdd(&row[(threadIdx.x + i * 32) & 255], 1) & 1;
  if (sum == 999) out[thread_of_grid() & 1023] = sum;
}

//@ structs_to_arrays grid=1056 block=256 args: floats:3244032, zeros:12976128
LAUNCH structs_to_arrays(const float* in, float* out) {  // 3 floats a structure, 4 structures a thread
  u32 n = gridDim.x * 1024;
#pragma unroll
  for (u32 i = 0; i < 4; i++) {
    u32 at = blockIdx.x * 1024 + i * 256 + threadIdx.x;
    out[at] = in[at * 3], out[n + at] = in[at * 3 + 1], out[2 * n + at] = in[at * 3 + 2];
  }
}

//@ stage_async grid=264 block=256 shared=65536 args: words:4325376, zeros:1056
LAUNCH stage_async(const uint4* in, u32* out) {  // 64 KiB a block by cp.async, read back in another order
  extern __shared__ uint4 room[];
  __shared__ u32 sums[32];
#pragma unroll
  for (u32 i = 0; i < 16; i++) {
    u32 to = (u32)__cvta_generic_to_shared(&room[i * 256 + threadIdx.x]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(to), "l"(&in[blockIdx.x * 4096 + i * 256 + threadIdx.x]));
  }
  asm volatile("cp.async.commit_group; cp.async.wait_group 0;");
  __syncthreads();
  u32 sum = 0;
#pragma unroll
  for (u32 i = 0; i < 16; i++) {
    uint4 v = room[(threadIdx.x * 17 + i * 241) & 4095];
    sum += v.x + (v.y ^ v.z) + v.w;
  }
  sum = block_sum(sum, sums);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
