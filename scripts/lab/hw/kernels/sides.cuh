// SPDX-License-Identifier: Apache-2.0
// Operations of a whole warp that its lanes come to from both sides of a branch.
#pragma once
#include "kernel.cuh"

#define BOTH(NAME, CONDITION, ONE, OTHER)    \
  KERNEL(NAME) {                             \
    const uint32_t v = in[TID], w = v * 77u; \
    const int l = int(lane_id());            \
    uint32_t r;                              \
    if (CONDITION)                           \
      r = (ONE) + 100;                       \
    else                                     \
      r = (OTHER)*3;                         \
    out[TID] = mix(r, l);                    \
  }

BOTH(s_index, v & 1, __shfl_sync(FULL, v, 5), __shfl_sync(FULL, w, l ^ 9))
BOTH(s_index_of_segments, v & 2, __shfl_sync(FULL, v, l + 3, 8), __shfl_sync(FULL, w, l * 5, 16))
BOTH(s_up, v & 4, __shfl_up_sync(FULL, v, 16), __shfl_up_sync(FULL, w, 5))
BOTH(s_down, v & 8, __shfl_down_sync(FULL, v, 3), __shfl_down_sync(FULL, w, unsigned(l), 16))
BOTH(s_xor, (v & 3) == 0, __shfl_xor_sync(FULL, v, 16), __shfl_xor_sync(FULL, w, 1))
BOTH(s_ballot, l < 11, __ballot_sync(FULL, v & 1), __ballot_sync(FULL, v & 6))
BOTH(s_any, v & 16, __any_sync(FULL, v == 3), __any_sync(FULL, (w & 63) == 1))
BOTH(s_all, v & 32, __all_sync(FULL, v != 3), __all_sync(FULL, (w & 15) != 1))
BOTH(s_alike, l & 1, __uni_sync(FULL, v & 64), __uni_sync(FULL, v == v + w * 0))
BOTH(s_sum, v & 1, __reduce_add_sync(FULL, v), __reduce_add_sync(FULL, w))
BOTH(s_least, v & 2, uint32_t(__reduce_min_sync(FULL, int(v))),
     uint32_t(__reduce_min_sync(FULL, int(w))))
BOTH(s_most, v & 4, __reduce_max_sync(FULL, v), __reduce_max_sync(FULL, w))
BOTH(s_odd, v & 8, __reduce_xor_sync(FULL, v), __reduce_xor_sync(FULL, w))
BOTH(s_match, v & 1, __match_any_sync(FULL, v & 7), __match_any_sync(FULL, w & 7))
BOTH(s_match_long, v & 1, __match_any_sync(FULL, (v & 3ull) << 33),
     __match_any_sync(FULL, (w & 3ull) << 33))

KERNEL(s_match_of_all) {
  const uint32_t v = in[TID], l = lane_id();
  int alike = 0, none = 0;
  uint32_t r;
  if (v & 1)
    r = __match_all_sync(FULL, TID >> 5, &alike) + 1;
  else
    r = __match_all_sync(FULL, TID >> 5, &alike) ^ 5;
  if (v & 2)
    r += __match_all_sync(FULL, l, &none) + 3;
  else
    r ^= __match_all_sync(FULL, l + 1, &none) + 7;
  out[TID] = mix(mix(r, alike), none);
}

/// Each half of a warp by itself, one of them from two places.
BOTH(s_halves, l < 16, __shfl_sync(0xffffu, v, l ^ 3),
     l & 1 ? __shfl_sync(0xffff0000u, w, l ^ 5) + 1 : __shfl_sync(0xffff0000u, v, l ^ 6))

/// Tiles of eight lanes, each with its mask in a register.
#define TILE (0xffu << (lane_id() & 24))
BOTH(s_tiles, v & 1, __shfl_down_sync(TILE, v, 1, 8), __shfl_down_sync(TILE, w, 2, 8))
BOTH(s_tile_ballots, v & 2, __ballot_sync(TILE, v & 4), __ballot_sync(TILE, w & 4))
BOTH(s_tile_sums, v & 4, __reduce_add_sync(TILE, v), __reduce_add_sync(TILE, w))
BOTH(s_tile_matches, v & 8, __match_any_sync(TILE, v & 3), __match_any_sync(TILE, w & 3))

KERNEL(s_switch) {
  const uint32_t v = in[TID];
  uint32_t r = 0;
  switch (v & 3) {
    case 0: r = __shfl_down_sync(FULL, v, 1); break;
    case 1: r = __shfl_down_sync(FULL, v * 3, 2) + 1; break;
    case 2: r = __shfl_down_sync(FULL, v * 5, 3) ^ 2; break;
    default: r = __shfl_down_sync(FULL, v * 7, 4) * 3;
  }
  out[TID] = r;
}

KERNEL(s_nested) {
  const uint32_t v = in[TID];
  uint32_t r = v;
  if (v & 1) {
    if (v & 2)
      r += __shfl_xor_sync(FULL, v, 1);
    else
      r ^= __shfl_xor_sync(FULL, v * 3, 2);
    r = r * 5 + 1;
  } else {
    r -= __shfl_xor_sync(FULL, v * 5, 16);
  }
  out[TID] = r;
}

/// The lanes of one side in one round are those of the other in the next.
KERNEL(s_rounds) {
  const uint32_t v = in[TID];
  uint32_t h = v;
#pragma unroll 1
  for (int i = 0; i < 9; i++) {
    if ((v >> i) & 1)
      h = h * 3 + __shfl_sync(FULL, h, i);
    else
      h ^= __shfl_sync(FULL, h + 7, 31 - i) >> 3;
  }
  out[TID] = h;
}

/// Every lane shuffles four times, some of them three times in a loop and once behind it.
KERNEL(s_uneven_loops) {
  const uint32_t v = in[TID];
  const int rounds = v & 1 ? 3 : 1;
  uint32_t h = v;
#pragma unroll 1
  for (int i = 0; i < rounds; i++) h = mix(h, __shfl_xor_sync(FULL, v, i + 1));
#pragma unroll 1
  for (int i = rounds; i < 4; i++) h = mix(h, __shfl_xor_sync(FULL, v * 3, i + 9));
  out[TID] = h;
}

/// The second shuffle of the one side is met by one behind the region.
KERNEL(s_behind) {
  const uint32_t v = in[TID];
  uint32_t r, q = 1;
  if (v & 1) {
    r = __shfl_sync(FULL, v, 5);
    q = __shfl_sync(FULL, v, 6) + 3;
  } else {
    r = __shfl_sync(FULL, v * 3, 7) + 1;
  }
  r ^= r >> 7;
  if (!(v & 1)) q = __shfl_sync(FULL, v * 5, 8);
  out[TID] = mix(r, q);
}

/// Stores of one side are there for the other.
KERNEL(s_barrier) {
  __shared__ uint32_t words[256];
  const uint32_t v = in[TID], t = threadIdx.x;
  uint32_t r;
  if (v & 1) {
    words[t] = v;
    __syncwarp();
    r = words[t ^ 1];
    __syncwarp();
  } else {
    words[t] = ~v;
    __syncwarp();
    r = words[t ^ 2] + 5;
    __syncwarp();
  }
  out[TID] = mix(r, v);
}

KERNEL(s_ends) {
  const uint32_t v = in[TID];
  uint32_t r;
  if (lane_id() < 13) {
    r = __shfl_sync(FULL, v, 5) + 100;
  } else {
    if (lane_id() > 27) return;
    r = __shfl_sync(FULL, v * 3, 6) * 3;
  }
  out[TID] = r;
}
