// SPDX-License-Identifier: Apache-2.0
// Boxes by the length of their rows and where these begin; the first copies of a launch; reductions in
// another block's memory.
#include "probe.cuh"

/// form: columns of 2 bytes, 10 bits; rows, 10 bits; the first column, 10 bits; then swizzled or
/// not. Words: five loads to the end of the wait; 2, 4, 8 at once; a store until it has been read;
/// until it is over; 4 stores, the same.
FORMED_PROBE(boxes) {
  extern __shared__ __align__(1024) uint32_t data[];
  __shared__ alignas(8) uint64_t b;
  if (threadIdx.x != 0) return;
  begin_barrier(&b, 1), publish_barriers();
  const uint32_t columns = form & 1023, rows = form >> 10 & 1023, x = form >> 20 & 1023;
  TensorMap* const maps = reinterpret_cast<TensorMap*>(out + 8192);
  make_map(&maps[0], in, 1024, rows, columns, form >> 30 ? 3 : 0);
  make_map(&maps[2], out + 16384, 1024, rows, columns, form >> 30 ? 3 : 0);
  const uint32_t bytes = columns * 2 * rows, room = (bytes + 1023) / 1024 * 1024;
  uint32_t parity = 0;
  for (int i = 0; i < 9; i++) {
    const uint32_t n = i < 6 ? 1 : 1u << (i - 5);
    if (n * room > 131072) break;
    expect(&b, bytes * n);
    const uint32_t t = now();
#pragma unroll 1
    for (uint32_t c = 0; c < n; c++) load_tensor(shared_at(data) + c * room, &maps[0], shared_at(&b), x, 0);
    wait(&b, parity);
    if (i > 0) out[i - 1] = now() - t;
    parity ^= 1;
  }
  fence_async();
  for (int i = 0; i < 6; i++) {
    const uint32_t n = i < 3 ? 1 : 4;
    uint32_t t = now();
    for (uint32_t c = 0; c < n; c++) store_tensor(&maps[2], shared_at(data), x, 0);
    commit();
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    out[8 + i / 3 * 2] = now() - t;
    wait_groups<0>();
    t = now();
    for (uint32_t c = 0; c < n; c++) store_tensor(&maps[2], shared_at(data), x, 0);
    commit();
    wait_groups<0>();
    out[9 + i / 3 * 2] = now() - t;
  }
}

struct Maps {
  TensorMap all[4];
};
/// Words: the times of copies one after the other, from the issue to the end of the wait. form 0: a
/// bulk copy twice, then boxes by map 0, 0, 1, 1; by map 2 2,000 cycles behind its prefetch, and
/// again; by map 3 right behind its prefetch, and again. form 1: boxes by map 0, 0, 1, 1 first, then
/// bulk copies. form 2: two boxes by maps 0 and 1 at once, then the same again. form 3: as form 1, by
/// maps in global memory, 128 KiB behind `in`. form 4: by maps that the thread makes, 0, 0, 1, 1.
extern "C" __global__ void firsts(const uint32_t* in, uint32_t* out, uint32_t form,
                                  const __grid_constant__ Maps maps) {
  extern __shared__ __align__(1024) uint32_t data[];
  __shared__ alignas(8) uint64_t b;
  if (threadIdx.x != 0) return;
  begin_barrier(&b, 1), publish_barriers();
  uint32_t parity = 0, place = blockIdx.x * 16;
  const auto finish = [&](uint32_t t) {
    wait(&b, parity);
    out[place++] = now() - t;
    parity ^= 1;
  };
  const auto bulk = [&] {
    expect(&b, 1024);
    const uint32_t t = now();
    bulk_load(shared_at(data), in, 1024, shared_at(&b));
    finish(t);
  };
  TensorMap* const made = reinterpret_cast<TensorMap*>(out + 16384) + 4 * blockIdx.x;
  const TensorMap* const all = form == 4 ? made : form == 3 ? reinterpret_cast<const TensorMap*>(in + 32768) : maps.all;
  const auto box = [&](uint32_t i) {
    expect(&b, 1024);
    const uint32_t t = now();
    load_tensor(shared_at(data), &all[i], shared_at(&b), 0, 0);
    finish(t);
  };
  if (form == 4) make_map(&made[0], in, 256, 8), make_map(&made[1], in, 256, 8);
  const auto fetch = [&](uint32_t i, uint32_t cycles) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&maps.all[i]) : "memory");
    for (uint32_t from = now(); now() - from < cycles;) {
    }
  };
  if (form == 0) bulk(), bulk();
  if (form != 2) box(0), box(0), box(1), box(1);
  if (form == 0) fetch(2, 2000), box(2), box(2), fetch(3, 0), box(3), box(3);
  if (form == 1 || form > 2) bulk(), bulk();
  for (int i = 0; i < 2 && form == 2; i++) {
    expect(&b, 2048);
    const uint32_t t = now();
    load_tensor(shared_at(data), &maps.all[0], shared_at(&b), 0, 0);
    load_tensor(shared_at(data) + 1024, &maps.all[1], shared_at(&b), 0, 0);
    finish(t);
  }
}

/// Rows: bytes, 16 to 16,384; there and back: sums in the other block's memory, as a copy makes them.
FORMED_CLUSTER_PROBE(sums_between, 2) {
  extern __shared__ __align__(1024) uint32_t data[];
  __shared__ alignas(8) uint64_t b;
  const uint32_t rank = cluster_rank();
  if (threadIdx.x == 0) begin_barrier(&b, 1), publish_barriers();
  for (int i = threadIdx.x; i < 8192; i += 32) data[i] = i;
  fence_async();
  cluster_sync();
  uint32_t parity = 0;
  if (threadIdx.x == 0)
    for (uint32_t s = 0; s < 6; s++)
      for (int i = 0; i < 3; i++) {
        const uint32_t bytes = 16u << (2 * s);
        expect(&b, bytes);
        const uint32_t t = now();
        if (rank == 1) wait(&b, parity);
        asm volatile(
            "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%0], "
            "[%1], %2, [%3];" ::"r"(mapped(shared_at(data + 4096), rank ^ 1)),
            "r"(shared_at(data)), "r"(bytes), "r"(mapped(shared_at(&b), rank ^ 1))
            : "memory");
        if (rank == 0) wait(&b, parity);
        if (rank == 0) out[s] = now() - t;
        parity ^= 1;
      }
  cluster_sync();
}

/// Bulk stores in a row, 1, 2, 4 and 8 of form bytes: until their bytes have been read; until they are over.
FORMED_PROBE(stores_in_a_row) {
  extern __shared__ __align__(1024) uint32_t data[];
  if (threadIdx.x != 0) return;
  fence_async();
  for (uint32_t s = 0; s < 4; s++)
    for (int i = 0; i < 3; i++) {
      uint32_t t = now();
#pragma unroll 1
      for (uint32_t c = 0; c < 1u << s; c++) bulk_store(out + 4096 + c * 4096, data, form);
      commit();
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
      out[2 * s] = now() - t;
      wait_groups<0>();
      t = now();
#pragma unroll 1
      for (uint32_t c = 0; c < 1u << s; c++) bulk_store(out + 4096 + c * 4096, data, form);
      commit();
      wait_groups<0>();
      out[2 * s + 1] = now() - t;
    }
}

/// Cycles until the block's warps have done 32 sums a lane in other blocks' memory, and a fence behind
/// them. form modulo 8: blocks that take part, from rank 1 on, all of which add to rank 0's words;
/// 0: each adds to the next one's. form / 8: words from a lane to the next (modulo 256), 0: one word.
FORMED_CLUSTER_PROBE(sums_there, 8) {
  __shared__ uint32_t words[256];
  for (uint32_t i = threadIdx.x; i < 256; i += blockDim.x) words[i] = 0;
  cluster_sync();
  const uint32_t rank = cluster_rank(), count = form % 8, apart = form / 8;
  const bool active = count == 0 || (rank >= 1 && rank <= count);
  const uint32_t to = mapped(shared_at(words), count == 0 ? (rank + 1) % 8 : 0) + threadIdx.x % 32 * apart % 256 * 4;
  const uint32_t t = now();
  if (active) {
#pragma unroll
    for (int i = 0; i < 32; i++)
      asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(to), "r"(i) : "memory");
    asm volatile("fence.acq_rel.cluster;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) out[rank] = now() - t;
  cluster_sync();
}
