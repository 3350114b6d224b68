// SPDX-License-Identifier: Apache-2.0
// Divergence: loops, jumps by table, calls, and lanes that wait for one another.
#pragma once
#include <cassert>

#include "kernel.cuh"

KERNEL(collatz) {
  uint32_t v = (in[TID] & 0xffff) + 1, steps = 0;
  while (v != 1) v = v & 1 ? 3 * v + 1 : v / 2, steps++;
  out[TID] = steps;
}

KERNEL(mandelbrot) {
  const float x = float(in[TID] & 1023) * (3.0f / 1024) - 2.25f,
              y = float(in[TID] >> 10 & 1023) * (2.5f / 1024) - 1.25f;
  float a = 0, b = 0;
  int i = 0;
  for (; i < 60; i++) {
    const float s = a * a, t = b * b;
    if (s + t > 4.0f) break;
    b = 2 * a * b + y;
    a = s - t + x;
  }
  out[TID] = mix(mix(uint32_t(i), a), b);
}

KERNEL(switch_table) {
  const uint32_t v = in[TID];
  uint32_t h = v;
#pragma unroll 1
  for (uint32_t i = 0; i < 6; i++) {
    switch ((v >> (4 * i)) & 15) {
      case 0: h = h * 3 + 1; break;
      case 1: h ^= h >> 7; break;
      case 2: h = __brev(h);  // falls through
      case 3: h -= 77; break;
      case 4: h = rotl(h, int(h & 31)); break;
      case 5: h = __popc(h) * 0x01010101u; break;
      case 6: h = h / 7; break;
      case 7: h = uint32_t(int(h) >> 3); break;
      case 8: h = ~h; break;
      case 9: h = __umulhi(h, 0xdeadbeefu); break;
      case 10: h = h & 1 ? h + 5 : h - 9; break;
      case 11: return;
      case 12: h ^= in[(TID + h) % n]; break;
      case 13: continue;
      default: h = h * h + i;
    }
    h += i;
  }
  out[TID] = h;
}

KERNEL(nested_loops) {
  const uint32_t v = in[TID];
  uint32_t h = 0;
  for (uint32_t i = 0; i < (v & 7) + 1; i++) {
    if ((v >> i & 3) == 2) continue;
    for (uint32_t j = i; j < 9; j++) {
      if ((h & 15) == 11) break;
      if (((i + j) & 1) != 0 && (v & 0x100) != 0) continue;
      uint32_t k = j;
      do {
        h = h * 31 + k;
        if ((h & 63) == 63) goto next;
        k += 2;
      } while (k < (v >> 28));
    }
    h ^= i;
  next:
    h += 5;
  }
  out[TID] = h;
}

KERNEL(early_exit) {
  const uint32_t v = in[TID];
  if (v % 5 == 0) return;
  uint32_t h = v;
  for (int i = 0; i < 8; i++) {
    h = h * 1664525u + 1013904223u;
    if (h % 11 == 3) {
      out[TID] = h;
      return;
    }
  }
  if (lane_id() >= 24) return;
  out[TID] = h & 0xffff;
}

/// A jump into a loop.
KERNEL(duff_device) {
  const uint32_t v = in[TID];
  uint32_t count = (v & 31) + 1, h = v, left = (count + 7) / 8;
  switch (count % 8) {
    case 0: do { h = mix(h, 1u);
        case 7: h = mix(h, 2u);
        case 6: h ^= 0x55;
        case 5: h = rotl(h, 3);
        case 4: h += 99;
        case 3: h = mix(h, 3u);
        case 2: h *= 5;
        case 1: h = ~h;
      } while (--left > 0);
  }
  out[TID] = h;
}

static __device__ __noinline__ uint32_t ackermann(uint32_t m, uint32_t k) {
  if (m == 0) return k + 1;
  if (k == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, k - 1));
}
static __device__ __noinline__ uint32_t fibonacci(uint32_t k) {
  return k < 2 ? k : fibonacci(k - 1) + fibonacci(k - 2);
}
KERNEL(recursion) {
  const uint32_t v = in[TID];
  const uint32_t a = v & 1 ? ackermann(v >> 1 & 1, v >> 2 & 7) : fibonacci(v >> 4 & 7);
  out[TID] = a * 0x10001u ^ fibonacci(3 + (v >> 31));
}

static __device__ __noinline__ uint32_t add_seven(uint32_t a, uint32_t b) { return a + 7 * b; }
static __device__ __noinline__ uint32_t turn(uint32_t a, uint32_t b) {
  return rotl(a, int(b & 31));
}
static __device__ __noinline__ uint32_t remainder_of(uint32_t a, uint32_t b) { return a % (b | 1); }
static __device__ __noinline__ uint32_t count_bits(uint32_t a, uint32_t b) { return __popc(a ^ b); }
/// Calls through pointers that lanes don't share.
KERNEL(function_pointers) {
  using Function = uint32_t (*)(uint32_t, uint32_t);
  Function table[4] = {add_seven, turn, remainder_of, count_bits};
  const uint32_t v = in[TID];
  uint32_t h = v;
#pragma unroll 1
  for (int i = 0; i < 4; i++) h = table[(v >> (2 * i)) & 3](h, v + i) ^ (h << 1);
  out[TID] = h;
}

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual uint32_t edges() const { return 4; }
};
struct Box : Shape {
  float a, b;
  __device__ Box(float x, float y) : a(x), b(y) {}
  __device__ float area() const override { return a * b; }
};
struct Triangle : Shape {
  float a, b;
  __device__ Triangle(float x, float y) : a(x), b(y) {}
  __device__ float area() const override { return a * b * 0.5f; }
  __device__ uint32_t edges() const override { return 3; }
};
KERNEL(virtual_functions) {
  const uint32_t v = in[TID];
  Box box(whole(v), 3.0f);
  Triangle triangle(whole(v >> 4), whole(v >> 9));
  Shape* shape = v & 0x10000 ? static_cast<Shape*>(&box) : &triangle;
  asm volatile("" : "+l"(shape));
  out[TID] = mix(mix(0u, shape->area()), shape->edges());
}

/// Lanes of a warp take turns: one holds the lock while the others spin.
KERNEL(spin_lock_lanes) {
  __shared__ int locks[8];
  __shared__ volatile uint32_t counts[8];
  if (lane_id() == 0) locks[warp_id()] = 0, counts[warp_id()] = 0;
  __syncwarp();
  bool done = false;
  while (!done) {
    if (atomicCAS(&locks[warp_id()], 0, 1) == 0) {
      counts[warp_id()] = counts[warp_id()] + (in[TID] >> 24);
      __threadfence_block();
      atomicExch(&locks[warp_id()], 0);
      done = true;
    }
  }
  __syncwarp();
  out[TID] = counts[warp_id()];
}

/// Lanes of one warp as producers and consumers of one another: each waits for the lane below it.
KERNEL(lane_relay) {
  __shared__ volatile uint32_t slots[256];
  slots[threadIdx.x] = 0;
  __syncwarp();
  const uint32_t l = lane_id(), v = in[TID] | 1;
  if (l == 0) {
    slots[threadIdx.x] = v;
  } else {
    uint32_t before;
    while ((before = slots[threadIdx.x - 1]) == 0) __nanosleep(20);
    slots[threadIdx.x] = (before * 3 + v) | 1;
  }
  __syncwarp();
  out[TID] = slots[threadIdx.x];
}

KERNEL(partial_masks) {
  const uint32_t v = in[TID], l = lane_id();
  uint32_t h = v;
  if (l < 12) {
    h += __shfl_sync(0x00000fffu, v, int(l + 5) % 12);
    __syncwarp(0x00000fffu);
    if (l & 1) h ^= __ballot_sync(0x00000aaau, v & 1);
  } else if (l < 20) {
    h -= __shfl_xor_sync(0x000ff000u, v, 3);
    h = mix(h, uint32_t(__all_sync(0x000ff000u, v > 9)));
  } else {
    h = mix(h, __match_any_sync(0xfff00000u, v & 1));
    __syncwarp(0xfff00000u);
    h += __shfl_down_sync(0xfff00000u, h, 4);
  }
  __syncwarp();
  out[TID] = h + __shfl_up_sync(FULL, h, 1);
}

KERNEL(votes_and_matches) {
  const uint32_t v = in[TID];
  int same;
  uint32_t h = __ballot_sync(FULL, v & 4);
  h = mix(h, uint32_t(__any_sync(FULL, v > 0xfe000000u) | __all_sync(FULL, v != 3) << 1));
  h = mix(h, __match_any_sync(FULL, v & 7));
  h = mix(h, __match_any_sync(FULL, uint64_t(v & 3) << 40));
  h = mix(h, __match_all_sync(FULL, warp_id(), &same));
  h = mix(h, same);
  h = mix(h, __match_all_sync(FULL, v >> 31, &same));
  h = mix(mix(h, same), __activemask());
  if (v & 8) h = mix(h, __popc(__activemask()) * 64 + __ffs(__activemask()));
  __syncwarp();
  h = mix(h, __syncthreads_count(v & 1));
  h = mix(h, __syncthreads_and(v != 7) | __syncthreads_or(v > 0xffff0000u) << 1);
  out[TID] = h;
}

/// Checks that the compiler cannot leave out, and that never fail.
KERNEL(asserts) {
  const uint32_t v = in[TID];
  assert(v != 0x600df00du);
  uint32_t d = v % 17;
  assert(v != 0x0badf00du && "a value that no input has");
  if (v == 0x0badcafeu) __trap();
  out[TID] = 1000 / (d + 1);
}

/// A machine of states over the bytes of four words: tokens of a small language.
KERNEL(state_machine) {
  uint32_t state = 0, tokens = 0, h = 0;
  for (int i = 0; i < 4; i++) {
    for (uint32_t word = in [(TID + i) % n], k = 0; k < 4; k++, word >>= 8) {
      const uint32_t c = word & 127;
      switch (state) {
        case 0: state = c < 32 ? 0 : c < 48 ? 1 : c < 58 ? 2 : c < 65 ? 1 : 3; break;
        case 1:
          tokens++;
          state = c < 48 ? 0 : 3;
          break;
        case 2:
          if (c >= 48 && c < 58)
            h = h * 10 + c - 48;
          else
            state = 0, tokens += 16;
          break;
        case 3:
          if (c >= 65)
            h = mix(h, c);
          else
            state = 4;
          break;
        case 4:
          tokens += 256;
          state = c & 1 ? 2 : 0;
          break;
      }
    }
  }
  out[TID] = mix(h, tokens << 4 | state);
}
