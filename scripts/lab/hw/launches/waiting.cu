// SPDX-License-Identifier: Apache-2.0
// What depends on who comes first: queues, locks, rings, barriers of a grid, tables filled by many.
#include "launch.cuh"
#include <cooperative_groups.h>

__device__ inline u32 peek(const u32* at) { return *(const volatile u32*)at; }

//@ queue_collatz grid=264 block=128 args: zeros:262144, zeros:128, u32:65536
LAUNCH queue_collatz(u32* out, u32* next, u32 items) {  // a warp takes 32 items at a time
  for (;;) {
    u32 first = 0;
    if (lane_id() == 0) first = atomicAdd(next, 32);
    first = __shfl_sync(~0u, first, 0);
    if (first >= items) break;
    u32 n = mix(first + lane_id()) >> 12 | 1, steps = 0;
    while (n != 1 && steps < 400) n = n & 1 ? 3 * n + 1 : n >> 1, steps++;
    out[first + lane_id()] = steps;
  }
}

//@ queue_blocks grid=528 block=256 args: zeros:16384, zeros:128, u32:4096, words:65536
LAUNCH queue_blocks(u32* out, u32* next, u32 items, const u32* table) {  // a block takes one item of uneven length
  __shared__ u32 item, room[32];
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) item = atomicAdd(next, 1);
    __syncthreads();
    if (item >= items) break;
    u32 rounds = 1 + (mix(item) & 7), sum = 0;
    for (u32 i = 0; i < rounds; i++) sum += table[(item * 97 + i * 256 + threadIdx.x) & 65535];
    sum = block_sum(sum, room);
    if (threadIdx.x == 0) out[item] = sum;
  }
}

//@ ticket_lock grid=132 block=64 args: zeros:128, zeros:128, zeros:256, u32:1
LAUNCH ticket_lock(u32* next, u32* serving, u32* shared, u32 times) {
  for (u32 i = 0; i < times; i++) {
    if (threadIdx.x == 0) {
      u32 ticket = atomicAdd(next, 1);
      while (peek(serving) != ticket) {}
      __threadfence();
    }
    __syncthreads();
    shared[threadIdx.x] = peek(&shared[threadIdx.x]) * 3 + threadIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) *(volatile u32*)serving = peek(serving) + 1;
  }
}

//@ lock_backoff grid=132 block=32 args: zeros:128, zeros:128, u32:1
LAUNCH lock_backoff(u32* lock, u32* counter, u32 times) {
  for (u32 i = 0; i < times; i++) {
    if (threadIdx.x == 0) {
      u32 wait = 32;
      while (atomicCAS(lock, 0, 1) != 0) {
        __nanosleep(wait);
        wait = min(wait * 2, 1024u);
      }
      __threadfence();
      *(volatile u32*)counter = peek(counter) + blockIdx.x;
      __threadfence();
      atomicExch(lock, 0);
    }
    __syncwarp();
  }
}

//@ ring_blocks grid=132 block=128 args: zeros:16896, zeros:528, u32:2
LAUNCH ring_blocks(u32* flags, u32* out, u32 rounds) {  // a flag for each block, 128 bytes apart
  u32 left = blockIdx.x == 0 ? gridDim.x - 1 : blockIdx.x - 1;
  u32 value = 0;
  for (u32 round = 1; round <= rounds; round++) {
    if (threadIdx.x == 0) {
      u32 want = blockIdx.x == 0 ? round - 1 : round;
      while (peek(&flags[left * 32]) < want) {}
      value = value * 5 + want;
      __threadfence();
      *(volatile u32*)&flags[blockIdx.x * 32] = round;
    }
  }
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}

//@ barrier_jacobi grid=264 block=512 cooperative args: words:135168, zeros:540672, u32:6
LAUNCH barrier_jacobi(u32* a, u32* b, u32 rounds) {
  auto grid = cooperative_groups::this_grid();
  u32 n = gridDim.x * blockDim.x, at = thread_of_grid();
  for (u32 round = 0; round < rounds; round++) {
    u32 left = a[at == 0 ? n - 1 : at - 1], right = a[at == n - 1 ? 0 : at + 1];
    b[at] = (left >> 2) + (right >> 2) + (a[at] >> 1);
    grid.sync();
    u32* swap = a;
    a = b, b = swap;
  }
}

//@ barrier_counter grid=132 block=1024 args: words:135168, zeros:540672, zeros:128, u32:8
LAUNCH barrier_counter(u32* a, u32* b, u32* arrived, u32 rounds) {  // a barrier of the grid by a counter
  u32 n = gridDim.x * blockDim.x, at = thread_of_grid();
  for (u32 round = 1; round <= rounds; round++) {
    b[at] = __ldcg(&a[(at + 1024 * round) % n]) + round;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(arrived, 1);
      while (peek(arrived) < round * gridDim.x) {}
      __threadfence();
    }
    __syncthreads();
    u32* swap = a;
    a = b, b = swap;
  }
}

//@ hash_insert grid=1056 block=256 args: below:270336:200000, fill:4194304:ff, zeros:4194304
LAUNCH hash_insert(const u32* keys, u32* table, u32* counts) {  // 2^20 places, linear probing
  u32 key = keys[thread_of_grid()], at = mix(key) & 0xfffff;
  for (;;) {
    u32 there = atomicCAS(&table[at], ~0u, key);
    if (there == ~0u || there == key) break;
    at = (at + 1) & 0xfffff;
  }
  atomicAdd(&counts[at], 1);
}

//@ hash_lookup grid=1056 block=512 args: below:540672:400000, hashtable:1048576:400000, zeros:2162688
LAUNCH hash_lookup(const u32* keys, const u32* table, u32* out) {
  u32 key = keys[thread_of_grid()], at = mix(key) & 0xfffff, steps = 1;
  u32 there;
  while ((there = __ldg(&table[at])) != key && there != ~0u) at = (at + 1) & 0xfffff, steps++;
  out[thread_of_grid()] = there == key ? steps : 0;
}

//@ last_block_sum grid=1056 block=256 args: words:2162688, zeros:4224, zeros:128, zeros:128
LAUNCH last_block_sum(const uint4* in, u32* parts, u32* done, u32* out) {
  __shared__ u32 room[32];
  __shared__ bool last;
  uint4 a = in[blockIdx.x * 512 + threadIdx.x], b = in[blockIdx.x * 512 + 256 + threadIdx.x];
  u32 sum = block_sum(a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w, room);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  sum = 0;
  for (u32 i = threadIdx.x; i < gridDim.x; i += blockDim.x) sum += peek(&parts[i]);
  sum = block_sum(sum, room);
  if (threadIdx.x == 0) *out = sum;
}

//@ flag_pipeline grid=264 block=256 args: words:67584, zeros:4325376, zeros:16896, zeros:270336, u32:16
LAUNCH flag_pipeline(const u32* in, u32* tiles, u32* flags, u32* out, u32 rounds) {
  u32 pair = blockIdx.x % 132, mine = pair * 256 + threadIdx.x;  // one block of a pair makes tiles, the other uses them
  u32* flag = &flags[pair * 32];
  u32 value = in[blockIdx.x * 256 + threadIdx.x];
  for (u32 round = 0; round < rounds; round++) {
    u32* tile = tiles + (size_t)round * 132 * 256 + mine;
    if (blockIdx.x < 132) {
      value = mix(value + round);
      *tile = value;
      __threadfence();
      __syncthreads();
      if (threadIdx.x == 0) *(volatile u32*)flag = round + 1;
    } else {
      if (threadIdx.x == 0) {
        while (peek(flag) <= round) {}
        __threadfence();
      }
      __syncthreads();
      value += __ldcg(tile);
    }
  }
  out[blockIdx.x * 256 + threadIdx.x] = value;
}

//@ union_find grid=528 block=256 args: counting:131072, edges:135168:131072
LAUNCH union_find(u32* parent, const uint2* edges) {  // joins the ends of edges, retried where another came first
  uint2 edge = edges[thread_of_grid()];
  u32 a = edge.x, b = edge.y;
  for (;;) {
    while (peek(&parent[a]) != a) a = peek(&parent[a]);
    while (peek(&parent[b]) != b) b = peek(&parent[b]);
    if (a == b) break;
    if (a < b) {
      u32 t = a;
      a = b, b = t;
    }
    if (atomicCAS(&parent[a], a, b) == a) break;
  }
}
