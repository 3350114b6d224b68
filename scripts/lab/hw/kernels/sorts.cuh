// SPDX-License-Identifier: Apache-2.0
// Sorts, searches and other algorithms on integers.
#pragma once
#include "kernel.cuh"

KERNEL(sort_bitonic_block) {
  __shared__ uint32_t s[256];
  const uint32_t t = threadIdx.x;
  s[t] = in[TID];
  for (uint32_t k = 2; k <= blockDim.x; k *= 2) {
    for (uint32_t j = k / 2; j > 0; j /= 2) {
      __syncthreads();
      const uint32_t other = t ^ j;
      if (other > t) {
        const uint32_t a = s[t], b = s[other];
        if ((a > b) == ((t & k) == 0)) s[t] = b, s[other] = a;
      }
    }
  }
  __syncthreads();
  out[TID] = s[t];
}

KERNEL(sort_odd_even_warp) {
  int v = int(in[TID]);
  const int lane = int(lane_id());
  for (int pass = 0; pass < 32; pass++) {
    const int to = (lane & 1) == (pass & 1) ? lane + 1 : lane - 1;
    const int other = __shfl_sync(FULL, v, to & 31);
    if (to >= 0 && to < 32) v = to > lane ? min(v, other) : max(v, other);
  }
  out[TID] = uint32_t(v);
}

/// Runs are merged by rank: each thread finds its key's place in the other run by bisection.
KERNEL(sort_merge_ranks) {
  __shared__ uint32_t s[2][256];
  const uint32_t t = threadIdx.x;
  int from = 0;
  s[0][t] = in[TID];
  for (uint32_t run = 1; run < blockDim.x; run *= 2) {
    __syncthreads();
    const uint32_t key = s[from][t], start = t & ~(2 * run - 1);
    const bool second = (t & run) != 0;
    uint32_t low = second ? start : start + run, high = low + run;
    const uint32_t other = low;
    while (low < high) {
      const uint32_t middle = (low + high) / 2, at = s[from][middle];
      if (second ? at <= key : at < key)
        low = middle + 1;
      else
        high = middle;
    }
    s[1 - from][start + (t & (run - 1)) + low - other] = key;
    from = 1 - from;
  }
  __syncthreads();
  out[TID] = s[from][t];
}

/// In local memory, addressed by values.
KERNEL(sort_insertion_local) {
  uint32_t a[20];
#pragma unroll 1
  for (int i = 0; i < 20; i++) {
    const uint32_t key = in[(TID * 3 + i * 41) % n];
    int j = i;
    while (j > 0 && a[j - 1] > key) a[j] = a[j - 1], j--;
    a[j] = key;
  }
  uint32_t h = 0;
#pragma unroll 1
  for (int i = 0; i < 20; i++) h = mix(h, a[(i * 7 + int(in[TID] & 3)) % 20]);
  out[TID] = h;
}

/// By ballots, a bit at a time.
KERNEL(sort_radix_ballot) {
  uint32_t v = in[TID] >> 20;
  const uint32_t below = (1u << lane_id()) - 1;
  for (int bit = 0; bit < 12; bit++) {
    const uint32_t ones = __ballot_sync(FULL, v >> bit & 1);
    const uint32_t zeros = 32 - __popc(ones);
    const uint32_t to = v >> bit & 1 ? zeros + __popc(ones & below) : __popc(~ones & below);
    uint32_t from = 0;
    for (int i = 0; i < 32; i++) {
      if (__shfl_sync(FULL, to, i) == lane_id()) from = i;
    }
    v = __shfl_sync(FULL, v, int(from));
  }
  out[TID] = v;
}

static __device__ __noinline__ void quick_sort(uint32_t* a, int low, int high) {
  if (low >= high) return;
  const uint32_t pivot = a[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (a[i] < pivot) i++;
    while (a[j] > pivot) j--;
    if (i <= j) {
      const uint32_t t = a[i];
      a[i++] = a[j];
      a[j--] = t;
    }
  }
  quick_sort(a, low, j);
  quick_sort(a, i, high);
}
/// Recursion, with the array in the caller's frame.
KERNEL(sort_quick_recursive) {
  uint32_t a[16];
  for (int i = 0; i < 16; i++) a[i] = in[(TID * 5 + i * 13) % n];
  quick_sort(a, 0, 15);
  uint32_t h = 0;
  for (int i = 0; i < 16; i++) h = mix(h, a[i]);
  out[TID] = h;
}

KERNEL(levenshtein) {
  const uint32_t a = in[TID], b = in[(TID + 1) % n];
  uint8_t row[17];
#pragma unroll
  for (int j = 0; j <= 16; j++) row[j] = uint8_t(j);
#pragma unroll 1
  for (int i = 0; i < 16; i++) {
    uint8_t diagonal = row[0];
    row[0] = uint8_t(i + 1);
#pragma unroll
    for (int j = 1; j <= 16; j++) {
      const uint8_t cost = diagonal + ((a >> (2 * i) & 3) != (b >> (2 * (j - 1)) & 3));
      diagonal = row[j];
      row[j] = min(min(uint8_t(row[j] + 1), uint8_t(row[j - 1] + 1)), cost);
    }
  }
  out[TID] = row[16] | uint32_t(row[8]) << 8;
}

/// Backtracking with a stack of its own.
KERNEL(queens) {
  const uint32_t size = 5 + (in[TID] & 1), all = (1u << size) - 1;
  uint32_t columns[8], left[8], right[8], free[8], count = 0;
  int depth = 0;
  columns[0] = left[0] = right[0] = 0;
  free[0] = all & ~(in[TID] >> 8 & 1);
  while (depth >= 0) {
    if (free[depth] == 0) {
      depth--;
      continue;
    }
    const uint32_t bit = free[depth] & (0 - free[depth]);
    free[depth] ^= bit;
    if (depth + 1 == int(size)) {
      count++;
      continue;
    }
    columns[depth + 1] = columns[depth] | bit;
    left[depth + 1] = (left[depth] | bit) << 1;
    right[depth + 1] = (right[depth] | bit) >> 1;
    depth++;
    free[depth] = all & ~(columns[depth] | left[depth] | right[depth]);
  }
  out[TID] = count;
}

/// Shortest paths in a graph of 16 nodes for each warp half, in shared memory.
KERNEL(floyd_warshall) {
  __shared__ uint32_t d[16][17];
  const uint32_t i = threadIdx.x >> 4, j = threadIdx.x & 15;
  d[i][j] = i == j ? 0 : in[TID] >> 22;
  __syncthreads();
  for (int k = 0; k < 16; k++) {
    const uint32_t through = d[i][k] + d[k][j];
    __syncthreads();
    if (through < d[i][j]) d[i][j] = through;
    __syncthreads();
  }
  out[TID] = d[i][j] << 8 | (i ^ j);
}

KERNEL(binary_search_tree) {
  __shared__ uint32_t keys[256];
  keys[threadIdx.x] = threadIdx.x * 0x01000000u + (in[blockIdx.x] >> 8);
  __syncthreads();
  const uint32_t v = in[TID];
  uint32_t node = 1, visited = 0;
  while (node < 256) {
    visited++;
    if (keys[node] == v) break;
    node = 2 * node + (v > keys[node]);
  }
  const uint32_t* first = keys;
  for (uint32_t count = 256; count > 0;) {
    const uint32_t step = count / 2;
    if (first[step] < v)
      first += step + 1, count -= step + 1;
    else
      count = step;
  }
  out[TID] = node << 16 | visited << 12 | uint32_t(first - keys);
}

/// Game of life by ballots: a warp's row is a word.
KERNEL(life) {
  __shared__ uint32_t rows[10];
  uint32_t alive = in[TID] >> 31;
  for (int step = 0; step < 4; step++) {
    const uint32_t row = __ballot_sync(FULL, alive);
    if (lane_id() == 0) rows[warp_id() + 1] = row;
    if (threadIdx.x == 0) rows[0] = rows[blockDim.x / 32 + 1] = 0x5a5a1234u;
    __syncthreads();
    uint32_t neighbours = 0;
    for (int y = 0; y < 3; y++) {
      const uint32_t r = rows[warp_id() + y], at = lane_id();
      neighbours +=
          (rotl(r, 1) >> at & 1) + (r >> ((at + 1) & 31) & 1) + (y != 1 ? r >> at & 1 : 0);
    }
    alive = neighbours == 3 || (alive && neighbours == 2);
    __syncthreads();
  }
  out[TID] = alive << 31 | (rows[warp_id() + 1] >> 1);
}
