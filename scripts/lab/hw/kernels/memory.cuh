// SPDX-License-Identifier: Apache-2.0
// Memory of every space and width, atomics, and warps that hand data on.
#pragma once
#include <cuda_fp16.h>

#include "kernel.cuh"

KERNEL(atomics_shared) {
  __shared__ uint32_t s[64];
  __shared__ unsigned long long wide[8];
  __shared__ float sums[8];
  const uint32_t v = in[TID], t = threadIdx.x;
  if (t < 64) s[t] = t < 16 ? 0 : t < 32 ? 0x80000000u : t * 3;
  if (t < 8) wide[t] = t, sums[t] = 0.5f;
  __syncthreads();
  atomicAdd(&s[v & 15], v >> 8);
  atomicMin(&s[16 + (v & 7)], v);
  atomicMax(reinterpret_cast<int*>(&s[24 + (v & 7)]), int(v));
  atomicAnd(&s[32 + (v & 7)], v | 0x0f0f0f0fu);
  atomicOr(&s[40 + (v & 7)], v & 0x10204081u);
  atomicXor(&s[48 + (v & 3)], v);
  atomicInc(&s[52 + (v & 1)], 77);
  atomicDec(&s[54 + (v & 1)], 1000);
  atomicAdd(&wide[v & 3], static_cast<unsigned long long>(v) << 20);
  atomicMax(&wide[4 + (v & 3)], static_cast<unsigned long long>(v) << 9);
  atomicAdd(&sums[v & 7], whole(v));
  if (t < 32) atomicExch(&s[56], 5u);
  atomicSub(&s[57], v & 7);
  atomicCAS(&s[58 + (v & 3)], 58 * 3 + 3 * (v & 3), v & 3);
  __syncthreads();
  out[TID] = mix(mix(s[t & 63], sums[t & 7]), uint64_t(wide[t >> 3 & 7]));
}

/// On the block's own part of `out`, with and without the old value.
KERNEL(atomics_global) {
  uint32_t* own = out + blockIdx.x * blockDim.x;
  const uint32_t v = in[TID], t = threadIdx.x;
  own[t] = t < 64 ? 0 : t < 128 ? 0x7fffffffu : t * 0x01010101u;
  __syncthreads();
  atomicAdd(&own[v & 31], v >> 3);
  atomicAdd(reinterpret_cast<float*>(&own[32 + (v & 15)]), whole(v));
  atomicAdd(reinterpret_cast<unsigned long long*>(&own[48 + 2 * (v & 7)]),
            static_cast<unsigned long long>(v) * v);
  atomicMin(&own[64 + (v & 31)], v);
  atomicMax(reinterpret_cast<int*>(&own[96 + (v & 31)]), int(v));
  atomicXor(&own[128 + (v & 15)], v);
  atomicAnd(&own[144 + (v & 15)], v | 0xff00ff00u);
  atomicOr(&own[160 + (v & 15)], v & 0x00ff0000u);
  const uint32_t old = atomicAdd(&own[192 + (t & 63)], 1u << (8 * (t >> 6)));
  atomicInc(&own[176 + (v & 3)], 0xffffffffu);
  __syncthreads();
  if (old == 0xffffffffu) own[200] = 1;
}

KERNEL(atomics_double_half) {
  __shared__ double sums[16];
  __shared__ half2 pairs[16];
  const uint32_t v = in[TID], t = threadIdx.x;
  if (t < 16) sums[t] = 0.25, pairs[t] = __float2half2_rn(0.0f);
  __syncthreads();
  atomicAdd(&sums[v & 15], double(int(v)) * 0.125);
  atomicAdd(&pairs[v >> 4 & 15], __floats2half2_rn(float(v & 3), float(int(v >> 2 & 3) - 1)));
  __syncthreads();
  const half2 p = pairs[t & 15];
  out[TID] = mix(mix(mix(0u, sums[t & 15]), __low2float(p)), __high2float(p));
}

/// Loops of compare-and-swap: 32, 64 and 16 bits, and a product of floats.
KERNEL(atomics_cas_loops) {
  __shared__ uint32_t word;
  __shared__ unsigned long long wide;
  __shared__ unsigned short halves[4];
  __shared__ int product;
  const uint32_t v = in[TID], t = threadIdx.x;
  if (t == 0) word = 0, wide = 1, product = __float_as_int(1.0f);
  if (t < 4) halves[t] = 0;
  __syncthreads();
  for (uint32_t seen = word, old; (old = atomicCAS(&word, seen, seen + (v & 1023))) != seen;)
    seen = old;
  unsigned long long before = wide, after;
  while ((after = atomicCAS(&wide, before, before * ((v & 14) + 3))) != before) before = after;
  unsigned short h = halves[v & 3], was;
  while ((was = atomicCAS(&halves[v & 3], h, static_cast<unsigned short>(h + (v >> 16)))) != h)
    h = was;
  if ((v & 15) == 1) {
    int p = product, q;
    while ((q = atomicCAS(&product, p, __float_as_int(__int_as_float(p) * 2.0f))) != p) p = q;
  }
  __syncthreads();
  out[TID] = mix(mix(mix(word, uint64_t(wide)), uint32_t(halves[t & 3])), product);
}

/// Pointers of which each lane's points into another space.
KERNEL(generic_pointers) {
  __shared__ uint32_t s[256];
  uint32_t own[4] = {1, 2, 3, 4};
  const uint32_t v = in[TID], t = threadIdx.x;
  s[t] = v ^ 0xff;
  __syncwarp();
  const uint32_t* from = (v & 3) == 0   ? in + (TID ^ 1)
                         : (v & 3) == 1 ? s + (t ^ 1)
                                        : own + (v >> 2 & 3);
  uint32_t* to = v & 4 ? &s[t] : &own[v >> 8 & 3];
  const uint32_t loaded = *from;
  __syncwarp();
  *to += loaded;
  atomicAdd(v & 8 ? &s[t] : out + TID, 3u);
  out[TID] = mix(mix(s[t], own[0] + own[1] * 3 + own[2] * 5 + own[3] * 7),
                 uint32_t(__isShared(to)) + (v & 8 ? 0 : 2));
}

/// One atomic for the lanes of a warp that agree; ranks are by lane.
KERNEL(warp_aggregated) {
  __shared__ uint32_t counts[8][4];
  const uint32_t v = in[TID], w = warp_id();
  if (lane_id() < 4) counts[w][lane_id()] = 0;
  __syncwarp();
  uint32_t place = 99;
  for (int round = 0; round < 3; round++) {
    if ((v >> round & 3) != 3) {
      const uint32_t peers = __match_any_sync(__activemask(), v >> round & 3);
      const uint32_t rank = __popc(peers & ((1u << lane_id()) - 1));
      uint32_t base = 0;
      if (rank == 0) base = atomicAdd(&counts[w][v >> round & 3], __popc(peers));
      place = __shfl_sync(peers, base, __ffs(int(peers)) - 1) + rank;
    }
    __syncwarp();
  }
  out[TID] = place << 16 | counts[w][v & 3];
}

KERNEL(transpose_conflicts) {
  __shared__ uint32_t tile[32][33], dense[32][32];
  const uint32_t x = lane_id(), y = warp_id();
  for (uint32_t i = 0; i < 4; i++)
    tile[y * 4 + i][x] = dense[y * 4 + i][x] = in[(TID + 256 * i) % n];
  __syncthreads();
  uint32_t h = 0;
  for (uint32_t i = 0; i < 4; i++) h = mix(h, tile[x][y * 4 + i] + dense[x][(y + i) & 31]);
  out[TID] = h;
}

KERNEL(vector_accesses) {
  __shared__ alignas(16) uint32_t s[256];
  const uint32_t t = threadIdx.x, base = blockIdx.x * blockDim.x;
  const uint4 q = reinterpret_cast<const uint4*>(in)[(base + t) % (n / 4)];
  const uint2 p = reinterpret_cast<const uint2*>(in)[(base + 5 * t) % (n / 2)];
  const unsigned char b = reinterpret_cast<const unsigned char*>(in)[base * 4 + t * 3 % 1021];
  const signed char c = reinterpret_cast<const signed char*>(in)[base + t];
  const short h = reinterpret_cast<const short*>(in)[base + t];
  const uint4 cached = __ldg(reinterpret_cast<const uint4*>(in) + (t & 31));
  if (t % 4 == 0) *reinterpret_cast<uint4*>(&s[t]) = make_uint4(q.x + p.x, q.y, p.y, cached.w);
  __syncthreads();
  reinterpret_cast<short*>(s)[t * 2 + (q.z & 1)] = h;
  __syncthreads();
  reinterpret_cast<unsigned char*>(s)[t * 4 + 2] = b;
  __syncthreads();
  const double2 d = *reinterpret_cast<const double2*>(&s[(t & ~3u) & 0xfc]);
  out[TID] = mix(mix(s[t ^ 1] + c, uint64_t(__double_as_longlong(d.y))), q.w ^ cached.x);
  __stcs(out + TID, out[TID] + __ldcg(in + TID) + __ldca(in + (TID ^ 1)) + __ldlu(in + (TID ^ 3)));
}

struct Record {
  unsigned char tag;
  short level;
  double weight;
  unsigned char name[5];
};
/// Records with gaps, copied byte by byte and whole, in local memory and shared memory.
KERNEL(record_copies) {
  __shared__ Record shared[64];
  Record local[3];
  const uint32_t v = in[TID], t = threadIdx.x & 63;
  for (int i = 0; i < 3; i++) {
    local[i].tag = static_cast<unsigned char>(v >> (8 * i));
    local[i].level = static_cast<short>(v >> i);
    local[i].weight = double(int(v)) * (i + 0.5);
    for (int k = 0; k < 5; k++) local[i].name[k] = static_cast<unsigned char>(v >> (k + 4 * i));
  }
  for (uint32_t turn = 0; turn < blockDim.x; turn += 64) {
    if (threadIdx.x - turn < 64) shared[t] = local[v % 3];
    __syncthreads();
    if (threadIdx.x - turn < 64) memcpy(&local[(v + 1) % 3], &shared[t ^ 5], sizeof(Record));
    __syncthreads();
  }
  const Record& r = local[v >> 8 & 1];
  out[TID] = mix(mix(r.tag | uint32_t(r.level) << 8, r.weight), uint32_t(r.name[v % 5]));
}

/// Half of the warps fill a ring and the others empty it, by named barriers.
KERNEL(producer_consumer) {
  __shared__ uint32_t ring[2][128];
  const uint32_t warps = blockDim.x / 64, t = threadIdx.x % (32 * warps), threads = blockDim.x;
  const bool producer = warp_id() < warps;
  uint32_t h = 0;
  for (int i = 0; i < 6; i++) {
    const int slot = i & 1;
    if (producer) {
      if (i >= 2) asm volatile("bar.sync %0, %1;" ::"r"(3 + slot), "r"(threads) : "memory");
      ring[slot][t] = h = in[(TID + i * 37) % n] + i;
      asm volatile("bar.arrive %0, %1;" ::"r"(1 + slot), "r"(threads) : "memory");
    } else {
      asm volatile("bar.sync %0, %1;" ::"r"(1 + slot), "r"(threads) : "memory");
      h = mix(h, ring[slot][t ^ 33 & 31]);
      if (i < 4) asm volatile("bar.arrive %0, %1;" ::"r"(3 + slot), "r"(threads) : "memory");
    }
  }
  out[TID] = h;
}

/// Each warp waits for the one before it on a word of shared memory.
KERNEL(warp_relay) {
  __shared__ volatile uint32_t flags[9], data[256];
  if (threadIdx.x < 9) flags[threadIdx.x] = threadIdx.x == 0;
  __syncthreads();
  while (flags[warp_id()] == 0) __nanosleep(50);
  __threadfence_block();
  const uint32_t before = warp_id() == 0 ? 7 : data[threadIdx.x - 32];
  data[threadIdx.x] = mix(before, in[TID]);
  __threadfence_block();
  __syncwarp();
  if (lane_id() == 0) flags[warp_id() + 1] = 1;
  out[TID] = data[threadIdx.x];
}

/// The block that ends last adds up what all have left in global memory.
__device__ uint32_t g_partial[64], g_arrived;
KERNEL(last_block_sums) {
  __shared__ uint32_t last;
  const uint32_t v = in[TID];
  out[TID] = v;
  __threadfence();
  const uint32_t sum = __syncthreads_count(v & 1);
  if (threadIdx.x == 0) {
    g_partial[blockIdx.x] = sum * (blockIdx.x + 1);
    __threadfence();
    last = atomicInc(&g_arrived, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) {
    __threadfence();
    const volatile uint32_t* partial = g_partial;
    atomicXor(out + threadIdx.x, partial[threadIdx.x]);
  }
}

KERNEL(stencil_shared) {
  __shared__ float s[18][18];
  const uint32_t x = (threadIdx.x & 15) + 1, y = (threadIdx.x >> 4) + 1;
  for (uint32_t i = threadIdx.x; i < 18 * 18; i += blockDim.x) s[i / 18][i % 18] = 0.25f;
  __syncthreads();
  s[y][x] = whole(in[TID]) * 1.1f;
  for (int step = 0; step < 3; step++) {
    __syncthreads();
    const float next =
        0.6f * s[y][x] + 0.1f * (s[y - 1][x] + s[y + 1][x]) + 0.1f * (s[y][x - 1] + s[y][x + 1]);
    __syncthreads();
    s[y][x] = next;
  }
  out[TID] = __float_as_uint(s[y][x]);
}
