// SPDX-License-Identifier: Apache-2.0
// What else sm_90 has: matrices moved between lanes and shared memory, elected lanes, barriers' states, launches that
// wait for others, reductions of vectors, rings of several stages with registers moved, attention.
#include "cluster.cuh"

// ldmatrix, stmatrix and movmatrix in all widths, turned and not.
//@ matrices_of_lanes grid=5 block=96 args: words:16384, zeros:15360
LAUNCH __launch_bounds__(96) matrices_of_lanes(const u32* in, u32* out) {
  __shared__ __align__(16) u32 tiles[3][4][32];
  const u32 l = lane_id(), w = threadIdx.x / 32, at = shared_address(tiles[w]);
  u32 h = 0, r[4];
  for (u32 i = 0; i < 4; ++i) tiles[w][i][l] = in[(blockIdx.x * 96 + threadIdx.x) * 4 + i];
  __syncwarp();
  const u32 mine = at + (l * 5 % 32) * 16;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(mine) : "memory");
  for (u32 each : r) h = h * 31 + each;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(mine) : "memory");
  h = h * 31 + r[0] + (r[1] ^ 7);
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(mine) : "memory");
  u32 moved;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(moved) : "r"(r[0] ^ r[2]));
  h = h * 31 + moved;
  __syncwarp();
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at + (31 - l) % 8 * 16), "r"(h) : "memory");
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(at + 128 + l % 16 * 16), "r"(h ^ 5), "r"(r[1]) : "memory");
  __syncwarp();
  for (u32 i = 0; i < 4; ++i) h = h * 31 + tiles[w][i][l ^ i];
  __syncwarp();
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(mine), "r"(h), "r"(r[0]), "r"(r[1]), "r"(moved) : "memory");
  __syncwarp();
  uint4 all = make_uint4(tiles[w][0][l], tiles[w][1][l], tiles[w][2][l], tiles[w][3][l]);
  const u32 to = blockIdx.x * 96 + threadIdx.x;
  out[to] = h;
  out[480 + to] = all.x ^ all.y * 3 ^ all.z * 5 ^ all.w * 7;
}

// Reductions of a warp, elected lanes and votes in parts of warps.
//@ elected_lanes grid=6 block=128 args: words:1024, zeros:9216
LAUNCH __launch_bounds__(128) elected_lanes(const u32* in, u32* out) {
  const u32 l = lane_id(), t = thread_of_grid(), v = in[t];
  u32 h = __reduce_add_sync(~0u, v) ^ __reduce_or_sync(~0u, v & 0x11111111u << (v & 3));
  h = h * 31 + __reduce_max_sync(~0u, int(v)) + __reduce_min_sync(~0u, v);
  const u32 mask = __match_any_sync(~0u, v % 3);
  h = h * 31 + __reduce_xor_sync(mask, v) + __reduce_and_sync(mask, v | 0xFFFF);
  h = h * 31 + __reduce_min_sync(mask, int(v)) + __reduce_add_sync(mask, l);
  u32 leader = 99, chosen = 0;
  if (l % 5 != 2) {
    const u32 active = __activemask();
    asm volatile("{.reg .pred p; elect.sync %0|p, %2; selp.u32 %1, 1, 0, p;}" : "=r"(leader), "=r"(chosen) : "r"(active));
    h = h * 31 + leader + chosen * 64 + __popc(__ballot_sync(active, chosen));
  }
  out[t] = h;
  out[768 + t] = leader;
  out[1536 + t] = __shfl_sync(~0u, h, (l + chosen) & 31);
}

// Barriers' states: pending counts, arrivals that leave, expected bytes given and taken by hand, waits that end.
//@ states_of_barriers grid=3 block=64 args: words:1024, zeros:12288
LAUNCH __launch_bounds__(64) states_of_barriers(const u32* in, u32* out) {
  __shared__ __align__(8) uint64_t barriers[3];
  const u32 t = threadIdx.x, one = shared_address(barriers), two = one + 8, three = one + 16;
  if (t == 0) start_barrier(one, 64), start_barrier(two, 3), start_barrier(three, 64);
  __syncthreads();
  u64 state;
  u32 pending, h = in[blockIdx.x * 64 + t];
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(one) : "memory");
  u32 done = 0;
  while (!done)
    asm volatile("{.reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(one), "l"(state) : "memory");
  if (t == 0) {
    asm volatile("mbarrier.arrive.noComplete.shared::cta.b64 %0, [%1], 2;" : "=l"(state) : "r"(two) : "memory");
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
    h = h * 31 + pending;
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 48;" ::"r"(two) : "memory");
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(two) : "memory");
    asm volatile("{.reg .pred p; mbarrier.try_wait.shared::cta.b64 p, [%1], %2, 200; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(two), "l"(state) : "memory");
    h = h * 31 + done;
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 48;" ::"r"(two) : "memory");
    asm volatile("{.reg .pred p; mbarrier.try_wait.shared::cta.b64 p, [%1], %2, 200; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(two), "l"(state) : "memory");
    h = h * 31 + done + 7;
  }
  if (t % 4 == 3) {
    asm volatile("mbarrier.arrive_drop.shared::cta.b64 _, [%0];" ::"r"(three) : "memory");
  } else {
    for (u32 phase = 0; phase < 3; ++phase) {
      arrive(three);
      wait(three, phase & 1);
      h = h * 31 + phase;
    }
  }
  __syncthreads();
  if (t == 0) asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(one) : "memory");
  out[blockIdx.x * 64 + t] = h;
}

// A kernel that waits for others, and lets others go.
//@ lets_others_go grid=40 block=128 args: floats:10240, zeros:40960
LAUNCH __launch_bounds__(128) lets_others_go(const float* in, float* out) {
  const u32 t = thread_of_grid();
  asm volatile("griddepcontrol.wait;" ::: "memory");
  float2 value = reinterpret_cast<const float2*>(in)[t];
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  const float all = warp_sum(value.x + value.y);
  value.x = value.x * 0.75f + all, value.y = value.y * 1.25f - all;
  reinterpret_cast<float2*>(out)[t] = value;
}

// Sums of vectors in memory: packed halves and bfloats, floats; each word by one thread, so that no order counts.
//@ vectors_of_sums grid=6 block=64 args: halves:6144, halves:6144, bfloats:6144, floats:3072
LAUNCH __launch_bounds__(64) vectors_of_sums(const u32* in, u32* halves, u32* bfloats, float* floats) {
  const u32 t = thread_of_grid();
  const uint4 v = reinterpret_cast<const uint4*>(in)[t], w = reinterpret_cast<const uint4*>(in)[383 - t];
  asm volatile("red.global.add.noftz.v4.f16x2 [%0], {%1, %2, %3, %4};" ::"l"(halves + t * 4), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
  asm volatile("red.global.add.noftz.v2.bf16x2 [%0], {%1, %2};" ::"l"(bfloats + t * 4), "r"(w.x), "r"(w.y) : "memory");
  asm volatile("red.global.min.noftz.v2.bf16x2 [%0], {%1, %2};" ::"l"(bfloats + t * 4 + 2), "r"(w.z), "r"(w.w) : "memory");
  asm volatile("red.global.max.noftz.v4.f16x2 [%0], {%1, %2, %3, %4};" ::"l"(halves + 1536 + t * 4), "r"(v.x), "r"(w.y), "r"(v.z), "r"(w.w) : "memory");
  asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(floats + t * 4), "f"(1.5f * float(t)), "f"(0.25f), "f"(float(v.x)), "f"(-1.f) : "memory");
  float a, b;
  asm volatile("atom.global.add.v2.f32 {%0, %1}, [%2], {%3, %4};" : "=f"(a), "=f"(b) : "l"(floats + 1536 + t * 2), "f"(3.f), "f"(float(t)) : "memory");
  floats[2304 + t * 2] = a * b;
}

// A ring of three stages: a warp copies, two groups work with registers that the copying group gave them.
//@ ring_of_three grid=18 block=384 shared=50176 buffers: a=floats:331776 args: map:a;f32;1024x324;4096;32x128;128, zeros:1327104
LAUNCH __launch_bounds__(384, 1) ring_of_three(const __grid_constant__ Map a, float* out) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[6];
  const u32 at = (shared_address(memory) + 1023) / 1024 * 1024, full = shared_address(barriers), empty = full + 24;
  if (threadIdx.x == 0) {
    for (u32 s = 0; s < 3; ++s) start_barrier(full + 8 * s, 1), start_barrier(empty + 8 * s, 8);
    publish_barriers();
  }
  __syncthreads();
  const u32 column = blockIdx.x % 6 * 160, row = blockIdx.x / 6 * 128;
  if (threadIdx.x >= 256) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    if (threadIdx.x == 256)
      for (u32 i = 0; i < 5; ++i) {
        const u32 s = i % 3;
        if (i >= 3) wait(empty + 8 * s, 0);
        expect(full + 8 * s, 16384);
        load_2d(at + s * 16384, &a, full + 8 * s, column + i * 32, row);
      }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
  float most = -1e30f, sum = 0;
  const u32 mine = threadIdx.x / 2, half = threadIdx.x % 2;
  for (u32 i = 0; i < 5; ++i) {
    const u32 s = i % 3;
    wait(full + 8 * s, i / 3);
    float4 v[4];
#pragma unroll
    for (u32 j = 0; j < 4; ++j) {
      const u32 from = at + s * 16384 + mine * 128 + ((half * 4 + j) ^ mine % 8) * 16;
      asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v[j].x), "=f"(v[j].y), "=f"(v[j].z), "=f"(v[j].w) : "r"(from) : "memory");
    }
    __syncwarp();
    if (lane_id() == 0) arrive(empty + 8 * s);
    float top = most;
    for (float4& each : v) top = fmaxf(fmaxf(top, fmaxf(each.x, each.y)), fmaxf(each.z, each.w));
    top = fmaxf(top, __shfl_xor_sync(~0u, top, 1));
    float here = 0;
    for (float4& each : v) here += (each.x - top) * (each.y - top) + (each.z - top) * (each.w - top);
    here += __shfl_xor_sync(~0u, here, 1);
    sum = fmaf(sum, most - top, here);
    most = top;
    if (row + mine < 324)
#pragma unroll
      for (u32 j = 0; j < 4; ++j) {
        const u32 to = column + i * 32 + half * 16 + j * 4;
        if (to < 1024) *reinterpret_cast<float4*>(&out[(row + mine) * 1024 + to]) = make_float4(v[j].x + sum, v[j].y - most, v[j].z, v[j].w * 2);
      }
  }
}

// Attention without an exponential (weights are squares of the scores), fp16, one group, 96 columns, 80 keys a stage.
//@ squares_attention grid=4 block=128 shared=45056 buffers: q=halves:24576, k=halves:30720, v=halves:30720 args: map:q;f16;96x256;192;32x64;64, map:k;f16;96x320;192;32x80;64, map:v;f16;96x320;192;32x80;64, zeros:98304
LAUNCH __launch_bounds__(128) squares_attention(const __grid_constant__ Map q, const __grid_constant__ Map k, const __grid_constant__ Map v, float* out) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[3];
  const u32 base = (shared_address(memory) + 1023) / 1024 * 1024, q_at = base, k_at = base + 12288, v_at = k_at + 15360, full = shared_address(barriers);
  if (threadIdx.x == 0) {
    for (u32 s = 0; s < 3; ++s) start_barrier(full + 8 * s, 1);
    publish_barriers();
    expect(full, 12288);
    for (u32 j = 0; j < 3; ++j) load_2d(q_at + j * 4096, &q, full, j * 32, blockIdx.x * 64);
  }
  __syncthreads();
  wait(full, 0);
  float o[48], sums[2] = {0, 0};
  for (float& each : o) each = 0;
  for (u32 i = 0; i < 4; ++i) {
    if (threadIdx.x == 0) {
      expect(full + 8, 15360);
      for (u32 j = 0; j < 3; ++j) load_2d(k_at + j * 5120, &k, full + 8, j * 32, i * 80);
      expect(full + 16, 15360);
      for (u32 j = 0; j < 3; ++j) load_2d(v_at + j * 5120, &v, full + 16, j * 32, i * 80);
    }
    wait(full + 8, i & 1);
    float d[40];
    fence_products();
#pragma unroll
    for (u32 part = 0; part < 6; ++part)
      asm volatile("{.reg .pred p; setp.ne.b32 p, %42, 0;\nwgmma.mma_async.sync.aligned.m64n80k16.f32.f16.f16 " LIST40 ", %40, %41, p, 1, 1, 0, 0;}"
                   : D16F(0), D16F(16), D4F(32), D4F(36)
                   : "l"(descriptor(q_at + part / 2 * 4096 + part % 2 * 32, 16, 512, 2)), "l"(descriptor(k_at + part / 2 * 5120 + part % 2 * 32, 16, 512, 2)), "r"(part));
    commit_products();
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (float& each : d) asm volatile("" : "+f"(each)::"memory");
    u32 p[20];
    for (u32 j = 0; j < 20; ++j) {
      const float a = d[2 * j] * d[2 * j] * 0.01f, b = d[2 * j + 1] * d[2 * j + 1] * 0.01f;
      sums[j % 2] += a + b;
      asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(p[j]) : "f"(b), "f"(a));
    }
    wait(full + 16, i & 1);
    fence_products();
    {
      float(&d)[48] = o;
#pragma unroll
      for (u32 part = 0; part < 5; ++part)
        asm volatile("wgmma.mma_async.sync.aligned.m64n96k16.f32.f16.f16 " LIST48 ", {%48, %49, %50, %51}, %52, 1, 1, 1, 1;"
                     : D16F(0), D16F(16), D16F(32)
                     : "r"(p[4 * part]), "r"(p[4 * part + 1]), "r"(p[4 * part + 2]), "r"(p[4 * part + 3]), "l"(descriptor(v_at + part * 1024, 5120, 512, 2)));
    }
    commit_products();
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (float& each : o) asm volatile("" : "+f"(each)::"memory");
    __syncthreads();
  }
  const u32 lane = lane_id(), row = blockIdx.x * 64 + threadIdx.x / 32 * 16 + lane / 4;
  for (u32 r = 0; r < 2; ++r) {
    sums[r] += __shfl_xor_sync(~0u, sums[r], 1);
    sums[r] += __shfl_xor_sync(~0u, sums[r], 2);
    const float factor = __frcp_rn(sums[r]);
    for (u32 j = 0; j < 48; j += 4)
      *reinterpret_cast<float2*>(&out[(row + 8 * r) * 96 + j * 2 + lane % 4 * 2]) = make_float2(o[j + 2 * r] * factor, o[j + 2 * r + 1] * factor);
  }
}
