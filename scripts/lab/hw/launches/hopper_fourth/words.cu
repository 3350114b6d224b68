// SPDX-License-Identifier: Apache-2.0
// Hand-written PTX: elected lanes, hinted copies, arrivals of other blocks, words sent with bytes counted, waits with limits.
#include "../hopper/cluster.cuh"

namespace {
__device__ bool elected() {
  u32 is;
  asm volatile("{.reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p;}" : "=r"(is));
  return is != 0;
}
__device__ void wait_limited(u32 barrier, u32 parity, u32 nanoseconds) {
  asm volatile("{.reg .pred p;\nAGAIN: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%0], %1, %2;\n@!p bra AGAIN;}"
               ::"r"(barrier), "r"(parity), "r"(nanoseconds) : "memory");
}
}  // namespace

// Each block of four sends vectors to all others, which count their bytes; widths of 4, 8 and 16 bytes.
//@ vectors_sent_round grid=16 block=64 args: words:8192, zeros:20480
LAUNCH __cluster_dims__(4, 1, 1) __launch_bounds__(64) vectors_sent_round(const u32* in, u32* out) {
  __shared__ __align__(16) u32 room[4][64 * 7];
  __shared__ __align__(8) uint64_t barriers[4];
  const u32 t = threadIdx.x, rank = rank_in_cluster(), b = shared_address(barriers);
  if (t == 0) {
    for (u32 i = 0; i < 4; ++i) start_barrier(b + 8 * i, 1), expect(b + 8 * i, i == rank ? 0 : 64 * 28);
    publish_barriers();
  }
  meet();
  const u32* const from = in + blockIdx.x * 64;
  for (u32 i = 1; i < 4; ++i) {
    const u32 to = (rank + i) & 3, at = there(shared_address(room[rank]), to), done = there(b + 8 * rank, to);
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(at + t * 4), "r"(from[t] + i), "r"(done) : "memory");
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0], {%1, %2}, [%3];"
                 ::"r"(at + 256 + t * 8), "r"(from[t] ^ i), "r"(t), "r"(done) : "memory");
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [%0], {%1, %1, %2, %1}, [%3];"
                 ::"r"(at + 768 + t * 16), "f"(float(from[t])), "f"(float(t * i)), "r"(done) : "memory");
  }
  u32 h = 0;
  for (u32 i = 0; i < 4; ++i) {
    if (i == rank) continue;
    asm volatile("{.reg .pred p;\nOVER: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;\n@!p bra OVER;}" ::"r"(b + 8 * i) : "memory");
    for (u32 j = 0; j < 7; ++j) h = h * 31 + room[i][j * 64 + t];
  }
  out[blockIdx.x * 64 + t] = h;
  meet();
}

// Sums, extremes and bits sent to the first block with red.async; it waits for their bytes.
//@ words_reduced_at_first grid=8 block=32 args: words:8192, zeros:2048
LAUNCH __cluster_dims__(4, 1, 1) __launch_bounds__(32) words_reduced_at_first(const u32* in, u32* out) {
  __shared__ __align__(16) u32 room[8][32];
  __shared__ __align__(8) uint64_t barriers[1];
  const u32 t = threadIdx.x, rank = rank_in_cluster(), b = shared_address(barriers);
  for (u32 i = 0; i < 8; ++i) room[i][t] = in[i * 32 + t];
  if (t == 0) {
    start_barrier(b, 1), expect(b, 3 * 32 * 9 * 4);
    publish_barriers();
  }
  meet();
  const u32 v = in[1024 + blockIdx.x * 32 + t], done = there(b, 0);
  if (rank != 0) {
#define REDUCE(OP, TYPE, ROW, VALUE)                                                                                 \
  asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." OP "." TYPE " [%0], %1, [%2];" \
               ::"r"(there(shared_address(&room[ROW][t]), 0)), "r"(VALUE), "r"(done) : "memory")
    REDUCE("add", "u32", 0, v);
    REDUCE("min", "s32", 1, v);
    REDUCE("max", "u32", 2, v);
    REDUCE("inc", "u32", 3, 0x7FFFFFFF);
    REDUCE("xor", "b32", 4, v);
    REDUCE("or", "b32", 5, v & 0x0F0F0F0F);
    REDUCE("and", "b32", 6, v | 0xFF00FF00);
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%0], %1, [%2];"
                 ::"r"(there(shared_address(&room[7][t & ~1]), 0)), "l"(u64(v) << 5), "r"(done) : "memory");
  }
  if (rank == 0) {
    wait_cluster(b, 0);
    for (u32 i = 0; i < 8; ++i) out[(blockIdx.x / 4 * 8 + i) * 32 + t] = room[i][t];
  }
  meet();
}

// One warp of each block arrives at barriers of the others with counts; all wait with a limit, by warps and by single lanes.
//@ limits_and_counts grid=6 block=96 args: words:4096, zeros:2304
LAUNCH __cluster_dims__(2, 1, 1) __launch_bounds__(96) limits_and_counts(const u32* in, u32* out) {
  __shared__ __align__(8) uint64_t barriers[2];
  __shared__ u32 words[96];
  const u32 t = threadIdx.x, rank = rank_in_cluster(), b = shared_address(barriers);
  if (t == 0) {
    start_barrier(b, 5), start_barrier(b + 8, 1);
    publish_barriers();
  }
  words[t] = t;
  meet();
  u32 h = t;
  for (u32 i = 0; i < 6; ++i) {
    if (t / 32 == i % 3) {
      for (u32 j = 0; j < 3 + 9 * i; ++j) h = in[(h + j) % 4096];
      __syncwarp();
      if (elected()) {
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0], 3;" ::"r"(there(b, rank ^ 1)) : "memory");
        asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0], 2;" ::"r"(b) : "memory");
      }
      words[t] = h;
    }
    wait_limited(b, i & 1, 1000 * i + 1);
    meet();
    h = h * 3 + words[(t + 32) % 96];
    if (t == 64) arrive(b + 8);
    if (t % 32 == 5) wait_limited(b + 8, i & 1, 400);
    __syncthreads();
  }
  out[blockIdx.x * 96 + t] = h;
  meet();
}

// Copies with hints and prefetches; bulk reductions of 64 bits, doubles, bfloats; those that count up and down.
//@ hinted_reductions grid=10 block=32 args: words:20480, words:2048, zeros:8192, zeros:4096, zeros:4096
LAUNCH __launch_bounds__(32) hinted_reductions(const u32* in, u32* counts, u64* wide, __nv_bfloat16* small, double* doubles) {
  __shared__ __align__(128) u32 room[2048];
  __shared__ __align__(8) uint64_t barriers[1];
  const u32 t = threadIdx.x, b = shared_address(barriers), at = shared_address(room);
  u64 first, normal;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(first));
  asm volatile("createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %0, 0.5;" : "=l"(normal));
  const u32* const from = in + blockIdx.x * 2048;
  if (t == 0) {
    start_barrier(b, 1);
    publish_barriers();
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], 8192;" ::"l"(from) : "memory");
    expect(b, 8192);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], 8192, [%2], %3;"
                 ::"r"(at), "l"(from), "r"(b), "l"(first) : "memory");
  }
  __syncwarp();
  wait(b, 0);
  for (u32 i = t; i < 2048; i += 32) room[i] &= i < 1024 ? 0xFFFFFFFF : 0x000F000F;
  for (u32 i = t; i < 512; i += 32) room[1536 + i] = i % 2 == 0 ? 0 : 0x3FF00000 + (room[i] >> 12 & 0xFF000);
  fence_shared();
  __syncwarp();
  if (t != 0) return;
  if (blockIdx.x == 0) asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.u32 [%0], [%1], 4096;" ::"l"(counts), "r"(at) : "memory");
  if (blockIdx.x == 1) asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.dec.u32 [%0], [%1], 4096;" ::"l"(counts + 1024), "r"(at) : "memory");
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64 [%0], [%1], 4096;" ::"l"(wide), "r"(at) : "memory");
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.min.s64 [%0], [%1], 4096, %2;" ::"l"(wide + 512), "r"(at), "l"(normal) : "memory");
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.bf16 [%0], [%1], 2048;" ::"l"(small), "r"(at + 4096) : "memory");
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [%0], [%1], 2048;" ::"l"(small + 1024), "r"(at + 4096) : "memory");
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64 [%0], [%1], 2048;" ::"l"(doubles), "r"(at + 6144) : "memory");
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
}

// Numbers of clusters in two dimensions, arrivals that are not aligned, generic addresses of other blocks.
//@ numbers_of_clusters grid=4,4 block=48 args: words:1024, zeros:12288
LAUNCH __cluster_dims__(2, 2, 1) __launch_bounds__(48) numbers_of_clusters(const u32* in, u32* out) {
  __shared__ u32 words[48];
  u32 n[10];
  asm volatile("mov.u32 %0, %%clusterid.x; mov.u32 %1, %%clusterid.y; mov.u32 %2, %%nclusterid.x; mov.u32 %3, %%nclusterid.y;"
               : "=r"(n[0]), "=r"(n[1]), "=r"(n[2]), "=r"(n[3]));
  asm volatile("mov.u32 %0, %%cluster_ctaid.x; mov.u32 %1, %%cluster_ctaid.y; mov.u32 %2, %%cluster_nctaid.x; mov.u32 %3, %%cluster_nctarank;"
               : "=r"(n[4]), "=r"(n[5]), "=r"(n[6]), "=r"(n[7]));
  asm volatile("{.reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p;}" : "=r"(n[8]));
  const u32 t = threadIdx.x, rank = rank_in_cluster();
  words[t] = in[(blockIdx.y * 4 + blockIdx.x) * 48 + t];
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
  u64 generic, mapped;
  asm volatile("cvta.shared.u64 %0, %1;" : "=l"(generic) : "l"(u64(shared_address(&words[t]))));
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(generic), "r"(rank ^ 3));
  u32 owner, is_shared, is_own;
  asm volatile("getctarank.u64 %0, %1;" : "=r"(owner) : "l"(mapped));
  asm volatile("{.reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 1, 0, p;}" : "=r"(is_shared) : "l"(mapped));
  asm volatile("{.reg .pred p; isspacep.shared::cta p, %1; selp.u32 %0, 1, 0, p;}" : "=r"(is_own) : "l"(mapped));
  u32 h = *reinterpret_cast<volatile u32*>(mapped);
  u32 a, c;
  asm volatile("ld.shared::cluster.u8 %0, [%1];" : "=r"(a) : "r"(there(shared_address(words) + t * 3, rank ^ 1)));
  asm volatile("ld.shared::cluster.s16 %0, [%1];" : "=r"(c) : "r"(there(shared_address(words) + t * 2, rank ^ 2)));
  for (u32 i = 0; i < 9; ++i) h = h * 13 + n[i];
  h = h * 13 + owner * 8 + is_shared * 2 + is_own;
  asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
  u32* const to = out + ((blockIdx.y * 4 + blockIdx.x) * 48 + t) * 4;
  asm volatile("st.shared::cluster.u8 [%0], %1;" ::"r"(there(shared_address(words) + t * 4 + 1, rank ^ 1)), "r"(h) : "memory");
  asm volatile("st.shared::cluster.b16 [%0], %1;" ::"r"(there(shared_address(words) + t * 4 + 2, rank ^ 2)), "h"(uint16_t(h >> 8)) : "memory");
  meet();
  to[0] = h, to[1] = a, to[2] = c, to[3] = words[t];
}

// Words of 16 bytes compared, exchanged and read whole, in global and in shared memory.
//@ words_of_16_bytes grid=6 block=32 args: words:8192, zeros:16384
LAUNCH __launch_bounds__(32) words_of_16_bytes(const u64* in, u64* out) {
  __shared__ __align__(16) u64 room[64];
  const u32 t = threadIdx.x;
  const u64* const from = in + blockIdx.x * 64;
  room[2 * t] = from[2 * t], room[2 * t + 1] = from[2 * t + 1];
  __syncwarp();
  u64 low, high;
  asm volatile("{.reg .b128 a, b, d; mov.b128 a, {%2, %3}; mov.b128 b, {%4, %5}; atom.shared.cas.b128 d, [%6], a, b; mov.b128 {%0, %1}, d;}"
               : "=l"(low), "=l"(high)
               : "l"(from[2 * t]), "l"(t % 3 == 0 ? from[2 * t] : from[2 * t + 1]), "l"(u64(t)), "l"(u64(7)), "r"(shared_address(&room[2 * t])) : "memory");
  u64* const to = out + (blockIdx.x * 32 + t) * 8;
  to[0] = low, to[1] = high;
  asm volatile("{.reg .b128 b, d; mov.b128 b, {%2, %3}; atom.shared.exch.b128 d, [%4], b; mov.b128 {%0, %1}, d;}"
               : "=l"(low), "=l"(high) : "l"(high + 1), "l"(low), "r"(shared_address(&room[2 * (31 - t)])) : "memory");
  to[2] = low, to[3] = high;
  asm volatile("{.reg .b128 a, b, d; mov.b128 a, {%2, %3}; mov.b128 b, {%3, %2}; atom.global.cas.b128 d, [%4], a, b; mov.b128 {%0, %1}, d;}"
               : "=l"(low), "=l"(high) : "l"(u64(0)), "l"(u64(0)), "l"(to + 4) : "memory");
  asm volatile("{.reg .b128 b, d; mov.b128 b, {%2, %3}; atom.global.exch.b128 d, [%4], b; mov.b128 {%0, %1}, d;}"
               : "=l"(low), "=l"(high) : "l"(from[t]), "l"(from[t + 32]), "l"(to + 4) : "memory");
  __syncwarp();
  to[6] = room[2 * t] + low, to[7] = room[2 * t + 1] ^ high;
}

// Floats and halves in vectors, added in global memory by several threads each: sums that are exact.
//@ vectors_added_up grid=4 block=64 args: words:4096, zeros:4096, zeros:4096, zeros:4096
LAUNCH __launch_bounds__(64) vectors_added_up(const u32* in, float* floats, u32* halves, u32* bfloats) {
  const u32 t = threadIdx.x, v = in[blockIdx.x * 64 + t], at = v % 64;
  const float x = float(v >> 28), y = float(v >> 24 & 15);
  asm volatile("red.global.v4.f32.add [%0], {%1, %2, %1, %2};" ::"l"(floats + at * 4), "f"(x), "f"(y) : "memory");
  asm volatile("red.global.v2.f32.add [%0], {%1, %2};" ::"l"(floats + 512 + at * 2), "f"(y), "f"(x) : "memory");
  const u32 pair = 0x3C003800;
  asm volatile("red.global.v4.f16x2.add.noftz [%0], {%1, %1, %1, %1};" ::"l"(halves + at * 4), "r"(pair) : "memory");
  [[maybe_unused]] u32 r0, r1;
  asm volatile("atom.global.v2.f16x2.add.noftz {%0, %1}, [%2], {%3, %3};" : "=r"(r0), "=r"(r1) : "l"(halves + 512 + at * 2), "r"(pair) : "memory");
  asm volatile("red.global.v4.bf16x2.max.noftz [%0], {%1, %2, %1, %2};" ::"l"(bfloats + at * 4), "r"((v & 0x007F007F) | 0x3F003F80), "r"(0x40004000) : "memory");
  asm volatile("red.global.v2.bf16x2.min.noftz [%0], {%1, %2};" ::"l"(bfloats + 512 + at * 2), "r"(0x80003F80), "r"(0xBF80C000) : "memory");
}

// Three groups hand the turn round by named barriers and give registers to one another.
//@ turns_of_three_groups grid=5 block=384 args: words:15360, zeros:7680
LAUNCH __launch_bounds__(384, 1) turns_of_three_groups(const u32* in, u32* out) {
  __shared__ u32 turn[128];
  const u32 t = threadIdx.x, group = t / 128;
  if (group == 0) asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
  if (group == 1) asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  if (group == 2) asm volatile("setmaxnreg.inc.sync.aligned.u32 216;");
  if (t < 128) turn[t] = t;
  u32 h = in[blockIdx.x * 384 + t], votes;
  for (u32 i = 0; i < 8; ++i) {
    if (group == i % 3) {
      if (i != 0) asm volatile("barrier.cta.sync %0, 256;" ::"r"(1 + (i + 2) % 3) : "memory");
      const u32 before = turn[t % 128];
      asm volatile("barrier.cta.sync %0, 128;" ::"r"(8 + group) : "memory");
      turn[(t + 5) % 128] = before * 5 + h;
      h = h * 3 + before;
      if (i != 7) asm volatile("barrier.cta.arrive %0, 256;" ::"r"(1 + i % 3) : "memory");
    }
  }
  asm volatile("{.reg .pred p; setp.lt.u32 p, %1, 0x40000000; barrier.cta.red.popc.u32 %0, 0, p;}" : "=r"(votes) : "r"(h) : "memory");
  out[blockIdx.x * 384 + t] = h + votes;
}
