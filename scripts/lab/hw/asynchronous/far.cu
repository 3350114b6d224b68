// SPDX-License-Identifier: Apache-2.0
// Latencies of what a copy on the device has written: lines by a load, pieces by bulk copies, boxes through a tensor map.
#include "probe.cuh"

struct Map { alignas(64) uint32_t words[32]; };

/// On SM `sm` alone; the grid has a block on each SM.
extern "C" __global__ void lines(const uint32_t* in, uint32_t* out, uint32_t count, uint32_t apart, uint32_t sm) {
  uint32_t own;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(own));
  if (threadIdx.x != 0 || own != sm) return;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t found;
    const uint32_t t = now();
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(found) : "l"(in + i * apart) : "memory");
    if (found == 0x12345678) return;
    out[i] = now() - t;
  }
}

/// Copies one after another, each with its own wait. `LOAD`: the copy `i` to shared memory.
#define COPIES(LOAD)                                        \
  extern __shared__ __align__(1024) uint32_t data[];        \
  __shared__ alignas(8) uint64_t b;                         \
  if (threadIdx.x != 0) return;                             \
  begin_barrier(&b, 1), publish_barriers();                 \
  uint32_t parity = 0;                                      \
  for (uint32_t i = 0; i < count; i++) {                    \
    expect(&b, bytes);                                      \
    const uint32_t t = now();                               \
    LOAD;                                                   \
    wait(&b, parity);                                       \
    out[i] = now() - t;                                     \
    parity ^= 1;                                            \
  }

extern "C" __global__ void pieces(const uint32_t* in, uint32_t* out, uint32_t count, uint32_t bytes) {
  COPIES(bulk_load(shared_at(data), in + i * bytes / 4, bytes, shared_at(&b)))
}

extern "C" __global__ void boxes(const __grid_constant__ Map map, uint32_t* out, uint32_t count, uint32_t rows, uint32_t bytes) {
  COPIES(load_tensor(shared_at(data), reinterpret_cast<const TensorMap*>(&map), shared_at(&b), 0, i * rows))
}
