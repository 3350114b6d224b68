// SPDX-License-Identifier: Apache-2.0
// Boxes of 2 to 5 dimensions whose corner is at any place, also outside the tensor; and their reductions.
#include "probe.cuh"

struct Map { alignas(64) uint32_t words[32]; };
struct Corner { int at[5]; };

#define LOAD(N, LIST) asm volatile("cp.async.bulk.tensor." #N "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, " LIST "], [%2];" ::"r"(to), "l"(&map), "r"(shared_at(&b)), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]), "r"(c.at[4]) : "memory")
#define STORE(N, LIST) asm volatile("cp.async.bulk.tensor." #N "d.global.shared::cta.tile.bulk_group [%0, " LIST "], [%1];" ::"l"(&map), "r"(to), "r"(0), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]), "r"(c.at[4]) : "memory")
#define REDUCE(N, LIST) asm volatile("cp.reduce.async.bulk.tensor." #N "d.global.shared::cta.add.tile.bulk_group [%0, " LIST "], [%1];" ::"l"(&map), "r"(to), "r"(0), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]), "r"(c.at[4]) : "memory")
#define BY_DIMENSIONS(DO)                          \
  if (dims == 2) DO(2, "{%3, %4}");                \
  if (dims == 3) DO(3, "{%3, %4, %5}");            \
  if (dims == 4) DO(4, "{%3, %4, %5, %6}");        \
  if (dims == 5) DO(5, "{%3, %4, %5, %6, %7}");

/// out[0] to out[2]: a load, 2 and 4 at once, until its waiter goes on; out[3] to out[6]: 1 and 4 stores until read, until over;
/// out[7] to out[10]: the same of reductions.
extern "C" __global__ void corners(const __grid_constant__ Map map, uint32_t* out, const __grid_constant__ Corner c, uint32_t dims, uint32_t bytes, uint32_t writes) {
  extern __shared__ __align__(1024) uint32_t data[];
  __shared__ alignas(8) uint64_t b;
  if (threadIdx.x != 0) return;
  begin_barrier(&b, 1), publish_barriers();
  uint32_t parity = 0;
  const uint32_t room = (bytes + 1023) / 1024 * 1024;
  for (int i = 0; i < 9; i++) {
    const uint32_t n = 1u << i / 3;
    expect(&b, bytes * n);
    const uint32_t t = now();
#pragma unroll 1
    for (uint32_t k = 0; k < n; k++) {
      const uint32_t to = shared_at(data) + k * room;
      BY_DIMENSIONS(LOAD)
    }
    wait(&b, parity);
    out[i / 3] = now() - t;
    parity ^= 1;
  }
  if (!writes) return;
  fence_async();
  for (int i = 0; i < 24; i++) {
    const uint32_t n = i / 3 % 2 ? 4 : 1;
    const bool read = i / 6 % 2 == 0, reduces = i >= 12;
    const uint32_t t = now();
#pragma unroll 1
    for (uint32_t k = 0; k < n; k++) {
      const uint32_t to = shared_at(data) + k * room;
      if (reduces) {
        BY_DIMENSIONS(REDUCE)
      } else {
        BY_DIMENSIONS(STORE)
      }
    }
    commit();
    if (read) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); else wait_groups<0>();
    out[3 + (reduces ? 4 : 0) + (read ? 0 : 2) + i / 3 % 2] = now() - t;
    wait_groups<0>();
  }
}

/// The same of im2col loads with four dimensions.
extern "C" __global__ void columns(const __grid_constant__ Map map, uint32_t* out, const __grid_constant__ Corner c, uint32_t offsets, uint32_t bytes) {
  extern __shared__ __align__(1024) uint32_t data[];
  __shared__ alignas(8) uint64_t b;
  if (threadIdx.x != 0) return;
  begin_barrier(&b, 1), publish_barriers();
  uint32_t parity = 0;
  const uint32_t room = (bytes + 1023) / 1024 * 1024;
  const uint16_t ow = offsets & 255, oh = offsets >> 8;
  for (int i = 0; i < 9; i++) {
    const uint32_t n = 1u << i / 3;
    expect(&b, bytes * n);
    const uint32_t t = now();
#pragma unroll 1
    for (uint32_t k = 0; k < n; k++)
      asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2], {%7, %8};"
                   ::"r"(shared_at(data) + k * room), "l"(&map), "r"(shared_at(&b)), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]), "h"(ow), "h"(oh) : "memory");
    wait(&b, parity);
    out[i / 3] = now() - t;
    parity ^= 1;
  }
}
