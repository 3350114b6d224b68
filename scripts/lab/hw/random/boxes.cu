// SPDX-License-Identifier: Apache-2.0
// Boxes through random tensor maps. Compiled for sm_90a. Block b copies the box places[b] through maps[b]; a place has 8
// words: {dimensions, im2col in bit 8, operation from bit 12; bytes; 5 coordinates; offsets, 8 bits each}. With no
// dimensions nothing is copied.
#include "../../../../examples/attention/hopper.cuh"

namespace {

constexpr uint32_t kBox = 4096, kRoom = 4096;  // words of shared memory, and of the tensor of a store

__device__ uint32_t fold(uint32_t hash, uint32_t word) { return (hash << 5 | hash >> 27) * 0x9E3779B1u ^ word; }
__device__ uint32_t mix(uint32_t x) {
  x *= 0x7feb352du;
  x ^= x >> 15;
  return x * 0x846ca68bu ^ x >> 16;
}

/// A box begins at a multiple of 1,024 bytes.
__device__ uint32_t* box_in(uint8_t* memory, uint32_t* address) {
  *address = (shared_address(memory) + 1023) / 1024 * 1024;
  return reinterpret_cast<uint32_t*>(memory + (*address - shared_address(memory)));
}
__device__ void take_map(const Map* map) {
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
}
/// The hash of `count` words, in lane 0.
__device__ uint32_t hash_of(const volatile uint32_t* words, uint32_t count, uint32_t hash) {
  for (uint32_t i = threadIdx.x; i < count; i += 32) hash = fold(hash, words[i]);
  for (uint32_t by = 16; by != 0; by /= 2) hash = fold(hash, __shfl_down_sync(~0u, hash, by));
  return hash;
}

}  // namespace

// The maps among the arguments, in memory: from `first` on.
extern "C" __global__ void __launch_bounds__(32)
    keep_maps(const __grid_constant__ Map m0, const __grid_constant__ Map m1, const __grid_constant__ Map m2,
              const __grid_constant__ Map m3, const __grid_constant__ Map m4, const __grid_constant__ Map m5,
              const __grid_constant__ Map m6, const __grid_constant__ Map m7, uint32_t* maps, uint32_t first) {
  const Map* const all[] = {&m0, &m1, &m2, &m3, &m4, &m5, &m6, &m7};
  for (uint32_t i = 0; i < 8; ++i) maps[32 * (first + i) + threadIdx.x] = all[i]->words[threadIdx.x];
}

#define LOAD(RANK, MODE, COORDINATES, OFFSETS, ...)                                                                  \
  asm volatile("cp.async.bulk.tensor." RANK ".shared::cluster.global." MODE                                          \
               ".mbarrier::complete_tx::bytes [%0], [%1, {" COORDINATES "}], [%2]" OFFSETS ";" ::"r"(to),            \
               "l"(map), "r"(barrier), __VA_ARGS__                                                                   \
               : "memory")

// out[2 b]: the hash of the shared memory behind the load; out[2 b + 1]: whether all bytes have come.
extern "C" __global__ void __launch_bounds__(32) loads(const Map* maps, const int* places, const uint32_t*, uint32_t* out) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[1];
  uint32_t to;
  uint32_t* const words = box_in(memory, &to);
  const uint32_t barrier = shared_address(barriers);
  const Map* const map = maps + blockIdx.x;
  const int* const place = places + 8 * blockIdx.x;
  for (uint32_t i = threadIdx.x; i < kBox; i += 32) words[i] = 0xEEEEEEEE;
  if (threadIdx.x == 0) {
    start_barrier(barrier, 1);
    publish_barriers();
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncwarp();
  take_map(map);
  uint32_t done = 0;
  if (threadIdx.x == 0) {
    expect(barrier, place[1]);
    const int a = place[2], b = place[3], c = place[4], e = place[5], f = place[6];
    const unsigned short o = place[7] & 255, p = place[7] >> 8 & 255, q = place[7] >> 16 & 255;
    switch (place[0] & 0xFFF) {
      case 1: LOAD("1d", "tile", "%3", "", "r"(a)); break;
      case 2: LOAD("2d", "tile", "%3, %4", "", "r"(a), "r"(b)); break;
      case 3: LOAD("3d", "tile", "%3, %4, %5", "", "r"(a), "r"(b), "r"(c)); break;
      case 4: LOAD("4d", "tile", "%3, %4, %5, %6", "", "r"(a), "r"(b), "r"(c), "r"(e)); break;
      case 5: LOAD("5d", "tile", "%3, %4, %5, %6, %7", "", "r"(a), "r"(b), "r"(c), "r"(e), "r"(f)); break;
      case 259: LOAD("3d", "im2col", "%3, %4, %5", ", {%6}", "r"(a), "r"(b), "r"(c), "h"(o)); break;
      case 260: LOAD("4d", "im2col", "%3, %4, %5, %6", ", {%7, %8}", "r"(a), "r"(b), "r"(c), "r"(e), "h"(o), "h"(p)); break;
      case 261: LOAD("5d", "im2col", "%3, %4, %5, %6, %7", ", {%8, %9, %10}", "r"(a), "r"(b), "r"(c), "r"(e), "r"(f), "h"(o), "h"(p), "h"(q));
    }
  }
  for (int tries = 0; tries < 100 && done == 0; ++tries)
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                 : "=r"(done) : "r"(barrier) : "memory");
  const uint32_t hash = hash_of(words, kBox, done);
  if (threadIdx.x == 0) out[2 * blockIdx.x] = hash, out[2 * blockIdx.x + 1] = done;
}

#define TO(KIND, MODE, COORDINATES, ...) \
  asm volatile("cp." KIND "." MODE ".bulk_group [%1, {" COORDINATES "}], [%0];" ::"r"(from), "l"(map), __VA_ARGS__ \
               : "memory")
#define OF_EACH_RANK(OPERATION, KIND, PLACE, HOW)                                                                     \
  case OPERATION << 12 | 1: TO(KIND "async.bulk.tensor.1d." PLACE, HOW "tile", "%2", "r"(a)); break;             \
  case OPERATION << 12 | 2: TO(KIND "async.bulk.tensor.2d." PLACE, HOW "tile", "%2, %3", "r"(a), "r"(b)); break; \
  case OPERATION << 12 | 3:                                                                                           \
    TO(KIND "async.bulk.tensor.3d." PLACE, HOW "tile", "%2, %3, %4", "r"(a), "r"(b), "r"(c));                   \
    break;                                                                                                            \
  case OPERATION << 12 | 4:                                                                                           \
    TO(KIND "async.bulk.tensor.4d." PLACE, HOW "tile", "%2, %3, %4, %5", "r"(a), "r"(b), "r"(c), "r"(e));       \
    break;                                                                                                            \
  case OPERATION << 12 | 5:                                                                                           \
    TO(KIND "async.bulk.tensor.5d." PLACE, HOW "tile", "%2, %3, %4, %5, %6", "r"(a), "r"(b), "r"(c), "r"(e), "r"(f)); \
    break;                                                                                                            \
  case OPERATION << 12 | 259:                                                                                         \
    TO(KIND "async.bulk.tensor.3d." PLACE, HOW "im2col_no_offs", "%2, %3, %4", "r"(a), "r"(b), "r"(c));         \
    break;                                                                                                            \
  case OPERATION << 12 | 260:                                                                                         \
    TO(KIND "async.bulk.tensor.4d." PLACE, HOW "im2col_no_offs", "%2, %3, %4, %5", "r"(a), "r"(b), "r"(c), "r"(e)); \
    break;                                                                                                            \
  case OPERATION << 12 | 261:                                                                                         \
    TO(KIND "async.bulk.tensor.5d." PLACE, HOW "im2col_no_offs", "%2, %3, %4, %5, %6", "r"(a), "r"(b), "r"(c), "r"(e), "r"(f)); \
    break;
#define FROM_SHARED "global.shared::cta"
#define REDUCTIONS(OPERATION, NAME) OF_EACH_RANK(OPERATION, "reduce.", FROM_SHARED, NAME ".")

// Each block has kRoom words of `data` for its tensor; out[2 b]: the hash of these behind the store or the reduction.
extern "C" __global__ void __launch_bounds__(32) stores(const Map* maps, const int* places, uint32_t* data, uint32_t* out) {
  extern __shared__ uint8_t memory[];
  uint32_t from;
  uint32_t* const words = box_in(memory, &from);
  uint32_t* const own = data + blockIdx.x * kRoom;
  const Map* const map = maps + blockIdx.x;
  const int* const place = places + 8 * blockIdx.x;
  for (uint32_t i = threadIdx.x; i < kBox; i += 32) words[i] = mix(i + 77 * blockIdx.x);
  for (uint32_t i = threadIdx.x; i < kRoom; i += 32) own[i] = mix(i + 5 * blockIdx.x + 99999);
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncwarp();
  take_map(map);
  if (threadIdx.x == 0) {
    const int a = place[2], b = place[3], c = place[4], e = place[5], f = place[6];
    switch (place[0]) {
      OF_EACH_RANK(0, "", FROM_SHARED, "")
      REDUCTIONS(1, "add")
      REDUCTIONS(2, "min")
      REDUCTIONS(3, "max")
      REDUCTIONS(4, "inc")
      REDUCTIONS(5, "dec")
      REDUCTIONS(6, "and")
      REDUCTIONS(7, "or")
      REDUCTIONS(8, "xor")
    }
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nfence.proxy.async;" ::: "memory");
  }
  __syncwarp();
  const uint32_t hash = hash_of(own, kRoom, 0);
  if (threadIdx.x == 0) out[2 * blockIdx.x] = hash, out[2 * blockIdx.x + 1] = 1;
}
