// SPDX-License-Identifier: Apache-2.0
// Products of a group of warps and copies through tensor maps. Every kernel makes its own input
// from `in` and its own tensor maps in `scratch`, and leaves 32768 bytes in `out`. Compiled by nvcc
// 13.0 with -gencode=arch=compute_90a,code=sm_90a.
#include "../../../examples/attention/hopper.cuh"

namespace {

__device__ void make_map(Map* map, const void* address, uint32_t type, uint32_t rank,
                         const uint32_t* dims, const uint32_t* strides, const uint32_t* box,
                         uint32_t swizzle, uint32_t fill) {
  for (uint32_t& word : map->words) word = 0;
  const auto base = reinterpret_cast<uint64_t>(address);
  map->words[0] = static_cast<uint32_t>(base);
  map->words[1] = static_cast<uint32_t>(base >> 32);
  map->words[2] = (rank - 1) << 4 | type << 7 | swizzle << 13 | fill << 15;
  for (uint32_t i = 0; i + 1 < rank; ++i) map->words[3 + i] = strides[i] >> 4;
  for (uint32_t i = 0; i < rank; ++i) map->words[8 + i] = dims[i] - 1;
  map->words[13] = (box[0] - 1) << 24;
  for (uint32_t i = 1; i < rank; ++i) map->words[14] |= (box[i] - 1) << (8 * (i - 1));
}

__device__ void publish_map() {
  asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
}
__device__ void take_map(const Map* map) {
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
}

#define D4(n) "+f"(d[n]), "+f"(d[n + 1]), "+f"(d[n + 2]), "+f"(d[n + 3])
#define D16(n) D4(n), D4(n + 4), D4(n + 8), D4(n + 12)
#define D64 D16(0), D16(16), D16(32), D16(48)

// D (64 x 128) += A * B; bf16, both with rows of 128 bytes.
__device__ void multiply(float (&d)[64], uint64_t a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, "
      "%9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, "
      "%27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, "
      "%45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, "
      "%63}, %64, %65, 1, 1, 1, 0, 0;"
      : D64
      : "l"(a), "l"(b));
}

}  // namespace

// A product of matrices as libraries make it: a warp that copies, two groups that multiply. A and
// B are 128 x 256 values of 16 bits in `in`, whose exponents the kernel makes small in `scratch`.
extern "C" __global__ void __launch_bounds__(384) specialised(const uint32_t* in, uint32_t* out,
                                                            uint32_t* scratch) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[4];
  constexpr uint32_t kRows = 128, kDepth = 256, kStage = 64, kStages = 2;
  const uint32_t base = (shared_address(memory) + 1023) / 1024 * 1024;
  const uint32_t full = shared_address(barriers), empty = full + 16;
  Map* const maps = reinterpret_cast<Map*>(scratch);
  uint32_t* const values = scratch + 1024;
  for (uint32_t i = threadIdx.x; i < 2 * kRows * kDepth / 2; i += blockDim.x)
    values[i] = (in[i % 8192] * (2 * i + 1) & 0x81FF81FF) | 0x3E003E00;
  if (threadIdx.x == 0) {
    const uint32_t dims[] = {kDepth, kRows}, strides[] = {2 * kDepth}, box[] = {kStage, kRows};
    make_map(&maps[0], values, 10, 2, dims, strides, box, 3, 0);
    make_map(&maps[1], values + kRows * kDepth / 2, 10, 2, dims, strides, box, 3, 0);
    for (uint32_t s = 0; s < kStages; ++s) start_barrier(full + 8 * s, 1);
    for (uint32_t s = 0; s < kStages; ++s) start_barrier(empty + 8 * s, 256);
    publish_barriers();
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  publish_map();
  __syncthreads();
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0) {
      take_map(&maps[0]);
      take_map(&maps[1]);
      for (uint32_t k = 0; k < kDepth / kStage; ++k) {
        const uint32_t s = k % kStages, at = base + s * 32768;
        if (k >= kStages) wait(empty + 8 * s, (k / kStages - 1) % 2);
        expect(full + 8 * s, 32768);
        load_2d(at, &maps[0], full + 8 * s, k * kStage, 0);
        load_2d(at + 16384, &maps[1], full + 8 * s, k * kStage, 0);
      }
    }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  float d[64];
  for (float& each : d) each = 0;
  const uint32_t group = threadIdx.x / 128 - 1;
  for (uint32_t k = 0; k < kDepth / kStage; ++k) {
    const uint32_t s = k % kStages, at = base + s * 32768;
    wait(full + 8 * s, k / kStages % 2);
    fence_products();
    for (uint32_t part = 0; part < 4; ++part)
      multiply(d, descriptor(at + group * 8192 + 32 * part, 16, 1024, 1),
               descriptor(at + 16384 + 32 * part, 16, 1024, 1));
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
    arrive(empty + 8 * s);
  }
  const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
  for (uint32_t j = 0; j < 64; ++j) {
    const uint32_t row = 64 * group + 16 * warp + lane / 4 + 8 * (j / 2 % 2);
    const uint32_t column = 8 * (j / 4) + 2 * (lane % 4) + j % 2;
    if (row % 2 == 0) out[row / 2 * 128 + column] = __float_as_uint(d[j]);
  }
}

// A box of each rank, partly outside, with each swizzle.
#define LOAD(RANK, COORDINATES, ...)                                                            \
  asm volatile("cp.async.bulk.tensor." RANK                                                      \
               ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, " COORDINATES \
               "], [%2];" ::"r"(to),                                                             \
               "l"(map), "r"(barrier), __VA_ARGS__                                               \
               : "memory")

extern "C" __global__ void __launch_bounds__(128) boxes(const uint32_t* in, uint32_t* out, uint32_t* scratch) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(8) uint64_t barriers[1];
  const uint32_t to = (shared_address(memory) + 1023) / 1024 * 1024;
  uint32_t* const words = reinterpret_cast<uint32_t*>(memory + (to - shared_address(memory)));
  const uint32_t barrier = shared_address(barriers), rank = blockIdx.x % 5 + 1,
                 swizzle = blockIdx.x / 5 % 4;
  Map* const map = reinterpret_cast<Map*>(scratch) + blockIdx.x;
  for (uint32_t i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = 0xEEEEEEEE;
  uint32_t bytes = 4;
  if (threadIdx.x == 0) {
    const uint32_t dims[] = {23, 5, 4, 3, 3}, strides[] = {96, 480, 1920, 5760};
    const uint32_t box[] = {swizzle == 1 ? 8u : 16u, 4, 2, 3, 2};
    for (uint32_t i = 0; i < rank; ++i) bytes *= box[i];
    make_map(map, in, 7, rank, dims, strides, box, swizzle, blockIdx.x % 2);
    start_barrier(barrier, 1);
    publish_barriers();
  }
  fence_shared();
  publish_map();
  __syncthreads();
  if (threadIdx.x == 0) {
    take_map(map);
    expect(barrier, bytes);
    const int a = 12, b = -1, c = 3, e = -2, f = 2;
    switch (rank) {
      case 1: LOAD("1d", "{%3}", "r"(a)); break;
      case 2: LOAD("2d", "{%3, %4}", "r"(a), "r"(b)); break;
      case 3: LOAD("3d", "{%3, %4, %5}", "r"(a), "r"(b), "r"(c)); break;
      case 4: LOAD("4d", "{%3, %4, %5, %6}", "r"(a), "r"(b), "r"(c), "r"(e)); break;
      default: LOAD("5d", "{%3, %4, %5, %6, %7}", "r"(a), "r"(b), "r"(c), "r"(e), "r"(f));
    }
  }
  wait(barrier, 0);
  for (uint32_t i = threadIdx.x; i < 1024 && blockIdx.x < 20; i += blockDim.x) {
    // what a box does not fill of the first 4096 bytes stays as it was
    atomicXor(&out[(blockIdx.x * 397 + i) % 8192], words[i] * (2 * blockIdx.x + 1));
  }
}

// Stores and sums of boxes that reach beyond the tensor.
extern "C" __global__ void __launch_bounds__(64) stores(const uint32_t* in, uint32_t* out, uint32_t* scratch) {
  extern __shared__ uint8_t memory[];
  const uint32_t from = (shared_address(memory) + 1023) / 1024 * 1024;
  uint32_t* const words = reinterpret_cast<uint32_t*>(memory + (from - shared_address(memory)));
  Map* const map = reinterpret_cast<Map*>(scratch) + blockIdx.x;
  for (uint32_t i = threadIdx.x; i < 1024; i += blockDim.x)
    words[i] = in[(i + 1024 * blockIdx.x) % 8192] & 0x00FFFFFF;
  if (threadIdx.x == 0) {
    const uint32_t dims[] = {44, 7, 3}, strides[] = {192, 1344}, box[] = {8, 8, 4};
    make_map(map, out + 1024 * blockIdx.x, 2, 3, dims, strides, box, blockIdx.x % 2, 0);
  }
  fence_shared();
  publish_map();
  __syncthreads();
  if (threadIdx.x != 0) return;
  take_map(map);
  for (int i = 0; i < 6; ++i) {
    if (blockIdx.x % 4 < 2)
      asm volatile(
          "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%1, {%2, %3, %4}], [%0];" ::"r"(
              from + 128 * 0),
          "l"(map), "r"(8 * i), "r"(i % 2), "r"(i % 3)
          : "memory");
    else
      asm volatile(
          "cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.tile.bulk_group [%1, {%2, %3, %4}], "
          "[%0];" ::"r"(from),
          "l"(map), "r"(8 * i), "r"(i % 2), "r"(i % 3)
          : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
  }
}

// A tensor map changed on the device.
extern "C" __global__ void __launch_bounds__(32) changed_map(const uint32_t* in, uint32_t* out,
                                                           uint32_t* scratch) {
  extern __shared__ uint8_t memory[];
  __shared__ __align__(128) Map local;
  __shared__ __align__(8) uint64_t barriers[1];
  const uint32_t to = (shared_address(memory) + 1023) / 1024 * 1024, barrier = shared_address(barriers);
  uint32_t* const words = reinterpret_cast<uint32_t*>(memory + (to - shared_address(memory)));
  Map* const map = reinterpret_cast<Map*>(scratch);
  if (threadIdx.x == 0) {
    const uint32_t dims[] = {64, 64}, strides[] = {256}, box[] = {16, 16};
    make_map(&local, nullptr, 7, 2, dims, strides, box, 0, 0);
    const uint32_t at = shared_address(&local);
    asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(at), "l"(in) : "memory");
    asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %1;" ::"r"(at), "r"(50) : "memory");
    asm volatile("tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%0], 1, %1;" ::"r"(at), "r"(24) : "memory");
    asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %1;" ::"r"(at), "l"(320ull) : "memory");
    asm volatile("tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%0], 2;" ::"r"(at) : "memory");
    asm volatile("tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%0], 2;" ::"r"(at) : "memory");
    start_barrier(barrier, 1);
    publish_barriers();
  }
  __syncwarp();
  asm volatile(
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(map),
      "r"(shared_address(&local))
      : "memory");
  take_map(map);
  if (threadIdx.x == 0) {
    expect(barrier, 16 * 24 * 4);
    load_2d(to, map, barrier, 8, 30);
  }
  wait(barrier, 0);
  for (uint32_t i = threadIdx.x; i < 16 * 24; i += 32) out[i] = words[i];
}

// Products of other types, with A in registers or both factors transposed.
namespace {
__device__ uint32_t small_floats(uint32_t word, uint32_t keep, uint32_t add) { return (word & keep) + add; }
}

#define PRODUCT(NAME, SHAPE, N, KIND, CONSTRAINT, ZERO, TAIL, KEEP, ADD, ASTEXT)                           \
  extern "C" __global__ void __launch_bounds__(128) NAME(const uint32_t* in, uint32_t* out,               \
                                                       uint32_t* scratch) {                             \
    __shared__ __align__(1024) uint32_t a[512], b[512];                                                  \
    for (uint32_t i = threadIdx.x; i < 512; i += 128) {                                                  \
      a[i] = small_floats(in[i] * 2654435761u, KEEP, ADD);                                               \
      b[i] = small_floats(in[i + 512] * 2246822519u, KEEP, ADD);                                         \
    }                                                                                                    \
    fence_shared();                                                                                      \
    __syncthreads();                                                                                     \
    const uint64_t da = descriptor(shared_address(a), 128, 256, 0),                                      \
                   db = descriptor(shared_address(b), 128, 256, 0);                                      \
    KIND d[8];                                                                                           \
    for (uint32_t i = 0; i < 8; ++i) d[i] = ZERO;                                                        \
    const uint32_t r0 = a[threadIdx.x], r1 = a[threadIdx.x + 128], r2 = a[threadIdx.x + 256],            \
                   r3 = a[threadIdx.x + 384];                                                            \
    (void)da;                                                                                            \
    (void)r0; (void)r1; (void)r2; (void)r3;                                                              \
    fence_products();                                              \
    for (int i = 0; i < 3; ++i)                                                                          \
      asm volatile("wgmma.mma_async.sync.aligned." SHAPE " {%0, %1, %2, %3, %4, %5, %6, %7}, " ASTEXT TAIL ";" \
                   : CONSTRAINT(d[0]), CONSTRAINT(d[1]), CONSTRAINT(d[2]), CONSTRAINT(d[3]),             \
                     CONSTRAINT(d[4]), CONSTRAINT(d[5]), CONSTRAINT(d[6]), CONSTRAINT(d[7])              \
                   : "l"(da), "l"(db), "r"(r0), "r"(r1), "r"(r2), "r"(r3));                              \
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");     \
    for (uint32_t i = 0; i < 8; ++i)                                                                     \
      out[threadIdx.x * 8 + i] = *reinterpret_cast<uint32_t*>(&d[i]);                                    \
  }
#define SHARED "%8, %9, "
#define REGISTERS "{%10, %11, %12, %13}, %9, "
PRODUCT(halves_transposed, "m64n16k16.f32.f16.f16", 16, float, "+f", 0.25f, "1, 1, -1, 1, 1", 0x87FF87FF, 0x34003400, SHARED)
PRODUCT(halves_to_halves, "m64n32k16.f16.f16.f16", 32, uint32_t, "+r", 0x3C003800, "1, -1, 1, 0, 1", 0x87FF87FF, 0x34003400, SHARED)
PRODUCT(bfloats_registers, "m64n16k16.f32.bf16.bf16", 16, float, "+f", -1.5f, "1, -1, 1, 1", 0x81FF81FF, 0x3F003F00, REGISTERS)
PRODUCT(tensor_floats, "m64n16k8.f32.tf32.tf32", 16, float, "+f", 1e-3f, "1, 1, 1", 0x81FFFFFF, 0x3F000000, SHARED)
PRODUCT(tensor_floats_registers, "m64n16k8.f32.tf32.tf32", 16, float, "+f", 1e-3f, "1, 1, -1", 0x81FFFFFF, 0x3F000000, REGISTERS)
PRODUCT(bytes_signed, "m64n16k32.s32.s8.u8", 16, uint32_t, "+r", 77, "1", 0xFFFFFFFF, 0, SHARED)
PRODUCT(bytes_registers, "m64n16k32.s32.u8.s8.satfinite", 16, uint32_t, "+r", 0x7FFFFF00, "1", 0xFFFFFFFF, 0, REGISTERS)
PRODUCT(eight_bits, "m64n16k32.f32.e4m3.e5m2", 16, float, "+f", 0.125f, "1, 1, 1", 0xFFFFFFFF, 0, SHARED)
PRODUCT(eight_bits_registers, "m64n32k32.f16.e5m2.e4m3", 32, uint32_t, "+r", 0x38003C00, "1, -1, 1", 0xBFBFBFBF, 0, REGISTERS)
